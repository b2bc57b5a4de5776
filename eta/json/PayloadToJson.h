// Containers of RWF as JSON (json.md 6).
#pragma once

#include "eta/codec/containers.h"
#include "eta/dictionary/Dictionary.h"
#include "json/MemberWriter.h"
#include "json/ValuesToJson.h"

namespace emissary::eta::json {

class MessageToJson;

class PayloadToJson {
public:
    using DataType = codec::DataType;

    PayloadToJson(MemberWriter w, const dictionary::Dictionary* dictionary, TextScratch& scratch, ValuesToJson& values,
                  MessageToJson& messages) noexcept
        : w_(w), dictionary_(dictionary), scratch_(scratch), values_(values), messages_(messages) {}

    /// `,"Fields":{...}`; nothing for NoData and for empty content that has no form of its own.
    [[nodiscard]] bool payload(DataType type, Bytes in, const codec::SetDefinitionDb* sets, int depth,
                               bool first = false) noexcept;
    [[nodiscard]] bool container(DataType type, Bytes in, const codec::SetDefinitionDb* sets, int depth) noexcept;
    [[nodiscard]] bool array(Bytes in, int depth) noexcept;

    /// `wanted`: those that are written; null: all.
    [[nodiscard]] bool elements(Bytes in, const codec::SetDefinitionDb* sets, int depth,
                                bool (*wanted)(const codec::ElementEntry&) = nullptr) noexcept;

private:
    [[nodiscard]] bool fields(Bytes in, const codec::SetDefinitionDb* sets, int depth) noexcept;
    void quickFields(codec::FieldListDecoder& list, bool& comma) noexcept;
    [[nodiscard]] bool map(Bytes in, int depth) noexcept;
    [[nodiscard]] bool vector(Bytes in, int depth) noexcept;
    [[nodiscard]] bool series(Bytes in, int depth) noexcept;
    [[nodiscard]] bool filterList(Bytes in, int depth) noexcept;
    [[nodiscard]] bool head(const codec::EntryContainerDecoder& c, bool& comma, int depth) noexcept;
    template <class Entry, class Decoder, class WriteInner>
    [[nodiscard]] bool entries(Decoder& decoder, bool comma, WriteInner writeInner) noexcept;
    [[nodiscard]] bool json(Bytes in) noexcept;

    MemberWriter w_;
    const dictionary::Dictionary* dictionary_;
    TextScratch& scratch_;
    ValuesToJson& values_;
    MessageToJson& messages_;
};

}  // namespace emissary::eta::json
