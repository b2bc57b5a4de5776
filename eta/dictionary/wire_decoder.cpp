// Received dictionary payloads. Every part is decoded on the side and joins the dictionary when all of it is good.
#include "dictionary/lines.h"
#include "dictionary/sets.h"
#include "eta/codec/Rmtes.h"
#include "eta/codec/containers.h"
#include "eta/codec/primitives.h"

#include <algorithm>
#include <deque>
#include <map>

namespace emissary::eta::dictionary {

namespace {

using codec::DataType;
using codec::Decoded;
using codec::ElementEntry;

/// The integer that an element of a dictionary holds. A blank integer is 0.
[[nodiscard]] std::optional<std::int64_t> integer(DataType type, Bytes data) noexcept {
    std::int64_t value = 0;
    std::uint64_t natural = 0;
    std::uint16_t enumerated = 0;
    switch (codec::baseType(type)) {
    case DataType::Int:
        if (codec::decodeInt(data, value) == Decoded::malformed) return std::nullopt;
        return value;
    case DataType::UInt:
        if (codec::decodeUInt(data, natural) == Decoded::malformed || natural > INT64_MAX) return std::nullopt;
        return static_cast<std::int64_t>(natural);
    case DataType::Enum:
        if (codec::decodeEnum(data, enumerated) == Decoded::malformed) return std::nullopt;
        return enumerated;
    default:
        return std::nullopt;
    }
}

[[nodiscard]] bool isText(DataType type) noexcept {
    return type >= DataType::Buffer && type <= DataType::RmtesString;
}

struct Summary {
    std::optional<std::int64_t> type, dictionaryId;
    std::optional<std::string_view> version, rtVersion, dtVersion;
};

/// Elements of another type than they should have, and unknown ones, are as if they were not there.
[[nodiscard]] Error readSummary(const codec::SeriesDecoder& series, Summary& out) noexcept {
    codec::ElementListDecoder list;
    if (const Error e = list.start(series.summary(), series.sets()); !e.ok()) return e;
    for (ElementEntry element; list.next(element);) {
        const std::string_view name = asText(element.name);
        const auto text = isText(element.type) ? std::optional{asText(element.data)} : std::nullopt;
        if (name == "Type") out.type = integer(element.type, element.data);
        else if (name == "DictionaryId") out.dictionaryId = integer(element.type, element.data);
        else if (name == "Version") out.version = text;
        else if (name == "RT_Version") out.rtVersion = text;
        else if (name == "DT_Version") out.dtVersion = text;
    }
    return list.error();
}

/// What both kinds of part have in common: the series around the rows, and the wording of errors.
class PartDecoder {
public:
    PartDecoder(const char* what, int expectedType) noexcept : what_(what), expectedType_(expectedType) {}

    [[nodiscard]] Refused start(Bytes in) {
        if (const Error e = series_.start(in); !e.ok()) return malformed(e);
        if (series_.count() != 0 && series_.entryType() != DataType::ElementList)
            return error(std::string("rows are of type ") + codec::name(series_.entryType()) + ", not ElementList");
        if (!series_.hasSummary()) return {};
        if (const Error e = readSummary(series_, summary_); !e.ok()) return malformed(e, "summary");
        if (!summary_.type) return error("the summary has no Type");
        if (*summary_.type != expectedType_)
            return error("the summary has Type " + std::to_string(*summary_.type) + ", not " +
                         std::to_string(expectedType_));
        if (!summary_.version) return error("the summary has no Version");
        if (summary_.dictionaryId && (*summary_.dictionaryId < 0 || *summary_.dictionaryId > 65535))
            return error("the summary has DictionaryId " + std::to_string(*summary_.dictionaryId) +
                         ", which is not from 0 to 65535");
        return {};
    }

    /// Moves to the next row; `list` yields its elements.
    [[nodiscard]] bool nextRow(codec::ElementListDecoder& list, Refused& failure) {
        codec::SeriesEntry entry;
        if (!series_.next(entry)) {
            if (!series_.error().ok()) failure = malformed(series_.error());
            return false;
        }
        ++row_;
        if (const Error e = list.start(entry.data, series_.sets()); !e.ok()) failure = malformed(e, "row");
        else if (list.setSkipped()) failure = error("the row uses a set definition that the part does not carry");
        return !failure;
    }

    /// Checks the stated dictionary id against those known, and takes the id and versions over.
    [[nodiscard]] Refused takeSummary(Tags& tags, std::optional<std::int32_t>& id, std::optional<std::int32_t> other) {
        if (!series_.hasSummary()) return {};
        if (summary_.dictionaryId) {
            const auto stated = static_cast<std::int32_t>(*summary_.dictionaryId);
            if (!idsAgree(stated, other))
                return error("DictionaryId " + std::to_string(stated) + " differs from " + std::to_string(*other) +
                             " of the dictionary already loaded");
            id = stated;
            tags.dictionaryId = stated;
        }
        tags.version = summary_.version.value_or(std::string_view{});
        tags.rtVersion = summary_.rtVersion.value_or(std::string_view{});
        tags.dtVersion = summary_.dtVersion.value_or(expectedType_ == 2 ? tags.version : std::string_view{});
        return {};
    }
    /// A first part with rows starts the dictionary anew.
    [[nodiscard]] bool startsAnew() const noexcept { return series_.hasSummary() && series_.count() != 0; }

    [[nodiscard]] Refused error(const std::string& text) const {
        return {std::string(what_) + (row_ != 0 ? ", row " + std::to_string(row_) : "") + ": " + text +
                "; the provider must correct it, or load the dictionary from files"};
    }
    [[nodiscard]] Refused malformed(Error e, const char* in = "payload") const {
        return error(std::string(describe(e.code)) + " at byte " + std::to_string(e.offset) + " of the " + in);
    }

private:
    const char* what_;
    int expectedType_;
    codec::SeriesDecoder series_;
    Summary summary_;
    std::uint32_t row_ = 0;
};

class FieldPartDecoder : public PartDecoder {
public:
    FieldPartDecoder() noexcept : PartDecoder("received field dictionary", 1) {}

    [[nodiscard]] Refused readRows(FieldSet& out, const FieldSet* known, const EnumSet* enums) {
        Refused failure;
        for (codec::ElementListDecoder list; nextRow(list, failure);) {
            FieldDefinition field;
            if (Refused e = readRow(list, field)) return e;
            if (Refused e = addRow(field, out, known, enums)) return e;
        }
        return failure;
    }

private:
    [[nodiscard]] Refused readRow(codec::ElementListDecoder& list, FieldDefinition& field) {
        bool hasName = false, hasId = false, hasType = false;
        Refused failure;
        for (ElementEntry element; !failure && list.next(element);) {
            const std::string_view name = asText(element.name);
            if (name == "NAME") hasName = true, failure = readText(element, field.acronym);
            else if (name == "LONGNAME") failure = readText(element, field.longName);
            else if (name == "FID") hasId = true, failure = readNumber(element, -32768, 32767, field.fieldId);
            else if (name == "RIPPLETO") failure = readNumber(element, -32768, 32767, field.rippleTo);
            else if (name == "TYPE") failure = readNumber(element, -128, 127, field.fieldType);
            else if (name == "LENGTH") failure = readNumber(element, 0, 65535, field.length);
            else if (name == "RWFLEN") failure = readNumber(element, 0, 65535, field.rwfLength);
            else if (name == "ENUMLENGTH") failure = readNumber(element, 0, 255, field.enumLength);
            else if (name == "RWFTYPE") {
                std::uint8_t type = 0;
                hasType = true;
                failure = readNumber(element, 0, 255, type);
                field.type = wireType(type);
            }
        }
        if (failure) return failure;
        if (!list.error().ok()) return malformed(list.error(), "row");
        if (!hasName || field.acronym.empty()) return error("the row has no NAME");
        if (!hasId || field.fieldId == 0) return error("the row of " + std::string(field.acronym) + " has no FID");
        if (!hasType) return error("the row of " + std::string(field.acronym) + " has no RWFTYPE");
        return {};
    }

    /// A type that only newer peers know becomes Unknown: such a field is delivered as bytes.
    [[nodiscard]] static DataType wireType(std::uint8_t number) noexcept {
        const DataType type = codec::baseType(static_cast<DataType>(number));
        const bool base = type >= DataType::Int && type <= DataType::RmtesString;
        return base || codec::isContainer(type) ? type : DataType::Unknown;
    }

    [[nodiscard]] Refused readText(const ElementEntry& element, std::string_view& out) const {
        if (!isText(element.type)) return wrongType(element, "a string");
        out = asText(element.data);
        return {};
    }
    template <class T>
    [[nodiscard]] Refused readNumber(const ElementEntry& element, std::int64_t min, std::int64_t max, T& out) const {
        const auto value = integer(element.type, element.data);
        if (!value) return wrongType(element, "an integer");
        if (*value < min || *value > max)
            return error(std::string(asText(element.name)) + " is " + std::to_string(*value) + ", which is not from " +
                         std::to_string(min) + " to " + std::to_string(max));
        out = static_cast<T>(*value);
        return {};
    }
    [[nodiscard]] Refused wrongType(const ElementEntry& element, const char* wanted) const {
        return error(std::string(asText(element.name)) + " is not " + wanted + " but " + codec::name(element.type) +
                     " of " + std::to_string(element.data.size()) + " bytes");
    }

    [[nodiscard]] static bool same(const FieldDefinition& a, const FieldDefinition& b) noexcept {
        return a.fieldId == b.fieldId && a.acronym == b.acronym && a.type == b.type && a.fieldType == b.fieldType &&
               a.rippleTo == b.rippleTo && a.length == b.length && a.rwfLength == b.rwfLength;
    }

    [[nodiscard]] Refused addRow(const FieldDefinition& field, FieldSet& out, const FieldSet* known,
                                 const EnumSet* enums) {
        for (const FieldSet* set : {static_cast<const FieldSet*>(&out), known}) {
            if (set == nullptr) continue;
            const FieldDefinition* other = set->find(field.fieldId);
            if (other != nullptr && same(*other, field)) return {};
            if (other != nullptr)
                return error("field " + std::string(field.acronym) + " (" + std::to_string(field.fieldId) +
                             ") contradicts " + std::string(other->acronym) + " (" + std::to_string(other->fieldId) +
                             "), which came before");
            if (const FieldDefinition* named = set->find(field.acronym))
                out.warn("received field dictionary: the acronym " + quoted(field.acronym) + " is that of FID " +
                         std::to_string(named->fieldId) + " and of FID " + std::to_string(field.fieldId) +
                         "; by name the field of the lower FID is found");
        }
        const auto* reference = enums != nullptr ? enums->find(field.fieldId) : nullptr;
        if (reference != nullptr && !reference->acronym.empty() && reference->acronym != field.acronym)
            return error("field " + std::to_string(field.fieldId) + " is " + std::string(field.acronym) + " but " +
                         std::string(reference->acronym) + " in the enumerated types");
        out.add(field);
        return {};
    }
};

constexpr std::string_view kUtf8Switch = "\x1b%0";

/// The one byte that stands for a character in the character set that RMTES begins with.
using ByteOfCharacter = std::map<std::string, char, std::less<>>;

/// Made once; of those above ASCII, which is the same in both.
[[nodiscard]] const ByteOfCharacter& byteOfCharacter() {
    static const ByteOfCharacter all = [] {
        ByteOfCharacter bytes;
        std::string character;
        for (unsigned b = 0x80; b <= 0xFF; ++b) {
            const std::byte byte{static_cast<std::uint8_t>(b)};
            character.clear();
            if (codec::rmtesToUtf8({&byte, 1}, character).ok() && !character.empty())
                bytes.emplace(character, static_cast<char>(b));
        }
        return bytes;
    }();
    return all;
}

/// A text that a JSON connection carried: RMTES behind the switch to UTF-8, as the bytes that the file has for it.
/// False when it has a character that those cannot say.
[[nodiscard]] bool withoutSwitch(std::string_view text, std::string& out) {
    text.remove_prefix(kUtf8Switch.size());
    const ByteOfCharacter& bytes = byteOfCharacter();
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = i + 1;
        while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
            ++end;
        const std::string_view character = text.substr(i, end - i);
        if (character.size() == 1 && static_cast<unsigned char>(character[0]) < 0x80) {
            out.push_back(character[0]);
        } else {
            const auto at = bytes.find(character);
            if (at == bytes.end()) return false;
            out.push_back(at->second);
        }
        i = end;
    }
    return true;
}

class EnumPartDecoder : public PartDecoder {
public:
    EnumPartDecoder() : PartDecoder("received enumerated types", 2), valueSeen_(65536) {}

    [[nodiscard]] Refused readRows(EnumSet& out, const EnumSet* known) {
        Refused failure;
        for (codec::ElementListDecoder list; nextRow(list, failure);) {
            ids_.clear();
            values_.clear();
            plain_.clear();
            if (Refused e = readRow(list)) return e;
            if (Refused e = addRow(out, known)) return e;
        }
        return failure;
    }

private:
    [[nodiscard]] Refused readRow(codec::ElementListDecoder& list) {
        ElementEntry fields, value, display, meaning;
        for (ElementEntry element; list.next(element);) {
            const std::string_view name = asText(element.name);
            if (name == "FIDS" || name == "FID") fields = element;
            else if (name == "VALUE" || name == "VALUES") value = element;
            else if (name == "DISPLAY" || name == "DISPLAYS") display = element;
            else if (name == "MEANING" || name == "MEANINGS") meaning = element;
        }
        if (!list.error().ok()) return malformed(list.error(), "row");
        if (Refused e = readFields(fields)) return e;
        if (Refused e = readValues(value)) return e;
        if (Refused e = readTexts(display, "DISPLAY", &EnumValue::display)) return e;
        return meaning.type == DataType::NoData ? Refused{} : readTexts(meaning, "MEANING", &EnumValue::meaning);
    }

    /// Hands each item to `use`, which says why it is refused.
    template <class Use>
    [[nodiscard]] Refused readArray(const ElementEntry& element, const char* name, Use&& use) {
        if (element.type == DataType::NoData) return error(std::string("the row has no ") + name);
        if (element.type != DataType::Array)
            return error(std::string(name) + " is " + codec::name(element.type) + ", not Array");
        codec::ArrayDecoder array;
        if (const Error e = array.start(element.data); !e.ok()) return malformed(e, name);
        Refused failure;
        for (Bytes item; !failure && array.next(item);)
            failure = use(array, item);
        if (!failure && !array.error().ok()) return malformed(array.error(), name);
        return failure;
    }

    [[nodiscard]] Refused readFields(const ElementEntry& element) {
        const auto add = [&](DataType type, Bytes item) -> Refused {
            const auto id = integer(type, item);
            if (!id || *id < -32768 || *id > 32767 || *id == 0) return error("FIDS holds what is not a field id");
            const auto field = static_cast<std::int16_t>(*id);
            if (std::find(ids_.begin(), ids_.end(), field) != ids_.end())
                return error("FIDS holds field " + std::to_string(field) + " twice");
            ids_.push_back(field);
            return {};
        };
        const bool single = element.type == DataType::Int || element.type == DataType::UInt;
        Refused failure = single ? add(element.type, element.data)
                                 : readArray(element, "FIDS", [&](const codec::ArrayDecoder& array, Bytes item) {
                                       return add(array.itemType(), item);
                                   });
        if (!failure && ids_.empty()) failure = error("FIDS is empty");
        return failure;
    }

    [[nodiscard]] Refused readValues(const ElementEntry& element) {
        ++round_;
        return readArray(element, "VALUE", [&](const codec::ArrayDecoder& array, Bytes item) -> Refused {
            const auto number = integer(array.itemType(), item);
            if (!number || *number < 0 || *number > 65535) return error("VALUE holds what is not from 0 to 65535");
            auto& seen = valueSeen_[static_cast<std::size_t>(*number)];
            if (seen == round_) return error("VALUE holds " + std::to_string(*number) + " twice");
            seen = round_;
            values_.push_back({static_cast<std::uint16_t>(*number), {}, {}});
            return {};
        });
    }

    [[nodiscard]] Refused readTexts(const ElementEntry& element, const char* name,
                                    std::string_view EnumValue::*member) {
        std::size_t at = 0;
        Refused failure = readArray(element, name, [&](const codec::ArrayDecoder& array, Bytes item) -> Refused {
            if (!isText(array.itemType()))
                return error(std::string(name) + " holds " + codec::name(array.itemType()) + ", not strings");
            std::string_view text = asText(item);
            if (array.itemLength() != 0) text = text.substr(0, text.find_last_not_of('\0') + 1);  // padding
            if (text.starts_with(kUtf8Switch) && array.itemType() == DataType::RmtesString)
                if (std::string plain; withoutSwitch(text, plain)) text = plain_.emplace_back(std::move(plain));
            if (at < values_.size()) values_[at].*member = text;
            ++at;
            return {};
        });
        if (!failure && at != values_.size())
            failure = error(std::string(name) + " has " + std::to_string(at) + " items but VALUE has " +
                            std::to_string(values_.size()));
        return failure;
    }

    [[nodiscard]] bool same(const EnumTable& table) const noexcept {
        const auto equal = [](const EnumValue& a, const EnumValue& b) {
            return a.value == b.value && a.display == b.display;
        };
        return table.fields() == ids_ &&
               std::equal(table.values().begin(), table.values().end(), values_.begin(), values_.end(), equal);
    }

    [[nodiscard]] Refused addRow(EnumSet& out, const EnumSet* known) {
        for (const EnumSet* set : {static_cast<const EnumSet*>(&out), known}) {
            if (set == nullptr) continue;
            for (const std::int16_t id : ids_) {
                const auto* reference = set->find(id);
                if (reference == nullptr) continue;
                if (same(*reference->table)) return {};
                return error("field " + std::to_string(id) + " already has another table");
            }
        }
        out.add(values_, ids_, {});
        return {};
    }

    std::vector<std::int16_t> ids_;
    std::vector<EnumValue> values_;
    std::deque<std::string> plain_;         // displays of the row that came as UTF-8
    std::vector<std::uint32_t> valueSeen_;  // by value: the round that met it last
    std::uint32_t round_ = 0;
};

}  // namespace

Refused Dictionary::decodeFields(Bytes series) {
    FieldPartDecoder part;
    if (Refused e = part.start(series)) return e;
    FieldSet* known = store_ ? store_->fields.get() : nullptr;
    const EnumSet* enums = store_ ? store_->enums.get() : nullptr;
    if (part.startsAnew()) known = nullptr;

    auto staged = std::make_unique<FieldSet>();
    if (Refused e = part.readRows(*staged, known, enums)) return e;
    Tags tags = known != nullptr ? known->tags : Tags{};
    auto id = known != nullptr ? known->dictionaryId : std::nullopt;
    if (Refused e = part.takeSummary(tags, id, enums != nullptr ? enums->dictionaryId : std::nullopt)) return e;

    if (!store_) store_ = std::make_unique<Store>();
    if (known == nullptr) {
        store_->install(std::move(staged));
        known = store_->fields.get();
    } else {
        known->reserve(known->inOrder().size() + staged->inOrder().size());
        for (const FieldDefinition* field : staged->inOrder()) {
            const auto* reference = enums != nullptr ? enums->find(field->fieldId) : nullptr;
            known->add(*field)->enums = reference != nullptr ? reference->table : nullptr;
        }
        known->sort();
        for (std::string& text : staged->warnings)
            known->warn(std::move(text));
    }
    known->tags = std::move(tags);
    known->dictionaryId = id;
    indexChanged();
    return {};
}

Refused Dictionary::decodeEnums(Bytes series) {
    EnumPartDecoder part;
    if (Refused e = part.start(series)) return e;
    EnumSet* known = store_ ? store_->enums.get() : nullptr;
    const FieldSet* fields = store_ ? store_->fields.get() : nullptr;
    if (part.startsAnew()) known = nullptr;

    auto staged = std::make_unique<EnumSet>();
    if (Refused e = part.readRows(*staged, known)) return e;
    Tags tags = known != nullptr ? known->tags : Tags{};
    auto id = known != nullptr ? known->dictionaryId : std::nullopt;
    if (Refused e = part.takeSummary(tags, id, fields != nullptr ? fields->dictionaryId : std::nullopt)) return e;

    if (!store_) store_ = std::make_unique<Store>();
    if (known == nullptr) {
        store_->install(std::move(staged));
        known = store_->enums.get();
    } else {
        for (const EnumTable* table : staged->inOrder()) {
            known->add(table->values(), table->fields(), {});
            for (const std::int16_t field : table->fields())
                if (FieldDefinition* definition = fields != nullptr ? fields->find(field) : nullptr)
                    definition->enums = known->inOrder().back();
        }
    }
    known->tags = std::move(tags);
    known->dictionaryId = id;
    return {};
}

std::uint32_t Dictionary::typeOf(Bytes series) noexcept {
    codec::SeriesDecoder decoder;
    Summary summary;
    if (!decoder.start(series).ok() || !decoder.hasSummary() || !readSummary(decoder, summary).ok()) return 0;
    return summary.type && *summary.type > 0 && *summary.type < 256 ? static_cast<std::uint32_t>(*summary.type) : 0;
}

}  // namespace emissary::eta::dictionary
