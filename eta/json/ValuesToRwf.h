// Primitive values of JSON as RWF content (json.md 7).
#pragma once

#include "eta/codec/Types.h"
#include "eta/dictionary/Dictionary.h"
#include "json/EncodeScratch.h"
#include "json/MemberReader.h"

namespace emissary::eta::json {

class ValuesToRwf {
public:
    using DataType = codec::DataType;

    ValuesToRwf(MemberReader& in, const Options& options, Tree& tree, EncodeScratch& scratch) noexcept
        : in_(in), options_(options), tree_(tree), scratch_(scratch) {}

    /// Content of a primitive without its length; empty for null. Good until the next call.
    [[nodiscard]] bool value(NodeIndex at, DataType type, const dictionary::EnumTable* enums, Bytes& out);
    [[nodiscard]] bool real(NodeIndex at, codec::Real& out) noexcept;
    [[nodiscard]] bool qos(NodeIndex at, codec::Qos& out) noexcept;
    [[nodiscard]] bool state(NodeIndex at, codec::State& out) noexcept;

private:
    [[nodiscard]] bool enumerated(NodeIndex at, const dictionary::EnumTable* enums, std::uint16_t& out, bool& blank);
    [[nodiscard]] Bytes rmtes(std::string_view utf8) noexcept;

    MemberReader& in_;
    const Options& options_;
    Tree& tree_;
    EncodeScratch& scratch_;
};

}  // namespace emissary::eta::json
