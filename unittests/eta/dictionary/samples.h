// Small dictionaries and ways to look at dictionaries and payloads as text.
#pragma once

#include "eta/codec/containers.h"
#include "eta/dictionary/Dictionary.h"

#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace samples {

using namespace emissary::eta;
using dictionary::Dictionary;

inline const std::string fieldFile = "!tag Type 1\n"
                                     "!tag Version 1.2.3_demo\n"
                                     "!tag DictionaryId 1\n"
                                     "!tag Filename  DEMO.FLD\n"
                                     "!tag Desc Demonstration field set\n"
                                     "!tag Build 7\n"
                                     "!tag Date 01-Jan-2026\n"
                                     "! a comment\n"
                                     "\n"
                                     "DM_LAST  \"DEMO LAST\"   6  DM_LAST1  PRICE       17        REAL64  7\n"
                                     "DM_EXCH  \"DEMO EXCH\"   4  NULL      ENUMERATED   3 ( 3 )  ENUM    1\n"
                                     "DM_LAST1 \"DEMO LAST 1\" 7  NULL      PRICE       17        REAL    7\r\n"
                                     "DM_TICK  \"DEMO TICK\"  14  NULL      ENUMERATED   2 ( 1 )  ENUM    1\n"
                                     "DM_NEG   \"DEMO NEG\" -32768 NULL     INTEGER     10        INT64   8\n"
                                     "DM_MAX   \"DEMO MAX\" 32767 NONE_SUCH NONE        10        OPAQUE 10 ! note\n";

inline const std::string enumFile = "!tag Type 2\n"
                                    "!tag RT_Version 4.20\n"
                                    "!tag DT_Version 22.21\n"
                                    "!tag DictionaryId 1\n"
                                    "DM_EXCH  4\n"
                                    "      0        \"   \"   undefined\n"
                                    "      1        \"AAA\"   First venue, or  so \n"
                                    "  65535        \"Z!Z\"\n"
                                    "DM_TICK 14\n"
                                    "NOT_A_FIELD 15\n"
                                    "      0        \" \"\n"
                                    "      1        #DE#    up\n"
                                    "      2        #fe20#  down\n";

/// A heap block of exactly these bytes, so that a sanitizer sees any read past the end.
class ExactCopy {
public:
    explicit ExactCopy(Bytes bytes) : size_(bytes.size()), data_(std::make_unique<std::byte[]>(bytes.size())) {
        if (size_ != 0) std::memcpy(data_.get(), bytes.data(), size_);
    }
    operator Bytes() const noexcept { return {data_.get(), size_}; }

private:
    std::size_t size_;
    std::unique_ptr<std::byte[]> data_;
};

inline std::string hex(Bytes bytes) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string out;
    for (const std::byte b : bytes)
        (out += digits[std::to_integer<unsigned>(b) >> 4]) += digits[std::to_integer<unsigned>(b) & 15];
    return out;
}

inline std::vector<std::byte> unhex(std::string_view text) {
    const auto digit = [](char c) { return static_cast<unsigned>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10); };
    std::vector<std::byte> out;
    std::string clean;
    for (const char c : text)
        if (c != ' ' && c != '\n') clean += c;
    for (std::size_t i = 0; i + 1 < clean.size(); i += 2)
        out.push_back(static_cast<std::byte>(digit(clean[i]) << 4 | digit(clean[i + 1])));
    return out;
}

struct Detail {
    bool longNames = true, meanings = true;
};

/// Everything that is in a dictionary, a line each.
inline std::string fieldsAsText(const Dictionary& d, Detail detail = {}) {
    std::string out;
    for (const dictionary::FieldDefinition* f : d.fields()) {
        out += std::to_string(f->fieldId) + " " + std::string(f->acronym) + " ripple " + std::to_string(f->rippleTo) +
               " type " + std::to_string(f->fieldType) + " len " + std::to_string(f->length) + " rwf " +
               codec::name(f->type) + " " + std::to_string(f->rwfLength);
        if (detail.longNames)
            out.append(" '").append(f->longName).append("' enum ").append(std::to_string(f->enumLength));
        out += "\n";
    }
    return out;
}

inline std::string enumsAsText(const Dictionary& d, Detail detail = {}) {
    std::string out;
    for (const dictionary::EnumTable* table : d.enumTables()) {
        for (const std::int16_t id : table->fields())
            out += std::to_string(id) + " ";
        for (const dictionary::EnumValue& v : table->values()) {
            out.append("\n  ").append(std::to_string(v.value)).append(" ").append(hex(asBytes(v.display)));
            if (detail.meanings) out.append(" ").append(v.meaning);
        }
        out += "\n";
    }
    return out;
}

/// A payload's content without its length prefixes: two encodings of the same thing give the same text.
inline std::string payloadAsText(Bytes payload) {
    const auto listAsText = [](Bytes bytes, const codec::SetDefinitionDb* sets) {
        codec::ElementListDecoder list;
        std::string out = list.start(bytes, sets).ok() ? "" : "bad list";
        out.append("flags ").append(std::to_string(list.flags()));
        for (codec::ElementEntry e; list.next(e);) {
            out.append("\n  ").append(asText(e.name)).append(" ").append(codec::name(e.type));
            out.append("/").append(codec::name(e.setType)) += " ";
            if (e.type != codec::DataType::Array) {
                out += hex(e.data);
                continue;
            }
            codec::ArrayDecoder array;
            if (!array.start(e.data).ok()) out += "bad array";
            out += std::string(codec::name(array.itemType())) + "/" + std::to_string(array.itemLength());
            for (Bytes item; array.next(item);)
                out.append(" ").append(hex(item));
            if (!array.error().ok()) out += " bad array end";
        }
        return out + (list.error().ok() ? "\n" : "\nbad list end\n");
    };
    codec::SeriesDecoder series;
    if (!series.start(payload).ok()) return "bad series";
    std::string out = "flags ";
    out.append(std::to_string(series.flags())).append(" hint ").append(std::to_string(series.totalCountHint()));
    out.append(" entries ").append(codec::name(series.entryType())).append("\n");
    if (const codec::SetDefinition* set = series.sets() != nullptr ? series.sets()->find(0) : nullptr) {
        auto cursor = set->entries();
        for (codec::SetEntry e; cursor.next(e);)
            out.append("def ").append(asText(e.name)).append(" ").append(std::to_string(static_cast<int>(e.type))) +=
                "\n";
    }
    if (series.hasSummary()) out.append("summary ").append(listAsText(series.summary(), series.sets()));
    for (codec::SeriesEntry entry; series.next(entry);)
        out.append("row ").append(listAsText(entry.data, series.sets()));
    return out + (series.error().ok() ? "" : "bad series end");
}

using Parts = std::vector<std::vector<std::byte>>;

enum class Kind { fields, enums };

/// All parts of an encoding; an empty result is a failure.
inline Parts encodeAll(const Dictionary& d, Kind kind, std::uint32_t verbosity, std::size_t budget) {
    Parts parts;
    Dictionary::Part part;
    std::vector<std::byte> block(1 << 20);
    while (!part.finished) {
        BeWriter out{block};
        const Error e = kind == Kind::fields ? d.encodeFields(out, verbosity, budget, part)
                                             : d.encodeEnums(out, verbosity, budget, part);
        if (!e.ok()) return {};
        parts.emplace_back(out.view().begin(), out.view().end());
    }
    return parts;
}

inline Refused decode(Dictionary& d, Kind kind, Bytes part) {
    return kind == Kind::fields ? d.decodeFields(part) : d.decodeEnums(part);
}

}  // namespace samples
