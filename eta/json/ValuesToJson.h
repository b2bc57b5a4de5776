// Primitive values of RWF as JSON (json.md 7).
#pragma once

#include "eta/codec/Types.h"
#include "eta/dictionary/Dictionary.h"
#include "eta/json/Converter.h"
#include "json/MemberWriter.h"
#include "json/Tree.h"

#include <string>
#include <vector>

namespace emissary::eta::json {

/// Buffers for the rare texts that cannot be written straight through; kept by the converter.
struct TextScratch {
    std::string text;
    std::vector<std::byte> store;
    Tree tree;
};

class PayloadToJson;

class ValuesToJson {
public:
    using DataType = codec::DataType;

    ValuesToJson(MemberWriter w, const Options& options, TextScratch& scratch, PayloadToJson& payloads) noexcept
        : w_(w), options_(options), scratch_(scratch), payloads_(payloads) {}

    /// Of any type: containers and arrays inside fields and elements are handed on.
    [[nodiscard]] bool value(DataType type, Bytes in, DataType setType, const dictionary::EnumTable* enums,
                             int depth) noexcept;
    /// Enumerated values are written by their texts.
    [[nodiscard]] bool expandsEnums() const noexcept { return options_.expandEnums; }
    void qos(const codec::Qos& v) noexcept;
    void state(const codec::State& v) noexcept;

private:
    void enumerated(std::uint16_t value, const dictionary::EnumTable* enums) noexcept;
    void rmtes(Bytes in) noexcept;

    MemberWriter w_;
    const Options& options_;
    TextScratch& scratch_;
    PayloadToJson& payloads_;
};

}  // namespace emissary::eta::json
