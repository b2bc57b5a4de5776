// Dictionaries as Series of ElementList rows (docs/wire/dictionary.md, "Wire form").
#include "dictionary/sets.h"
#include "eta/codec/encoders.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace emissary::eta::dictionary {

namespace {

using codec::DataType;

constexpr std::size_t kMaxRows = 65535;

[[nodiscard]] bool hasLongRows(std::uint32_t verbosity) noexcept {
    return (verbosity & Verbosity::normal) == Verbosity::normal;
}
[[nodiscard]] bool hasRows(std::uint32_t verbosity) noexcept {
    return verbosity != Verbosity::info;
}
/// A length and the content it announces.
[[nodiscard]] std::size_t withPrefix(std::size_t content) noexcept {
    return content + (content < 0xFE ? 1 : 3);
}
[[nodiscard]] Error errorOf(const BeWriter& out) noexcept {
    return {out.failure() == Errc::ok ? Errc::noSpace : out.failure(), 0};
}

/// The parts of a Series before its entries. Tags longer than 255 bytes are cut: peers keep versions in short buffers.
class Preamble {
public:
    Preamble() noexcept : sets_(setBytes_), summary_(summaryBytes_) { header.entryType = DataType::ElementList; }
    Preamble(const Preamble&) = delete;  // the header points into it
    Preamble& operator=(const Preamble&) = delete;

    void fieldSets(std::uint32_t verbosity) noexcept {
        codec::SetDefinitionEncoder sets;
        sets.begin(sets_);
        sets.beginSet(0);
        sets.element("NAME", DataType::AsciiString);
        sets.element("FID", DataType::Int2);
        sets.element("RIPPLETO", DataType::Int2);
        sets.element("TYPE", DataType::Int1);
        sets.element("LENGTH", DataType::UInt2);
        sets.element("RWFTYPE", DataType::UInt1);
        sets.element("RWFLEN", DataType::UInt2);
        if (hasLongRows(verbosity)) {
            sets.element("ENUMLENGTH", DataType::UInt1);
            sets.element("LONGNAME", DataType::AsciiString);
        }
        finishSets(sets);
    }
    void enumSets() noexcept {
        codec::SetDefinitionEncoder sets;
        sets.begin(sets_);
        sets.beginSet(0);
        for (const char* name : {"FIDS", "VALUE", "DISPLAY"})
            sets.element(name, DataType::Array);
        finishSets(sets);
    }
    void fieldSummary(const Tags& tags) noexcept {
        codec::ElementListEncoder list;
        beginSummary(list, 1, tags);
        list.addAscii("Version", cut(tags.version));
        finishSummary(list);
    }
    void enumSummary(const Tags& tags) noexcept {
        codec::ElementListEncoder list;
        beginSummary(list, 2, tags);
        list.addAscii("RT_Version", cut(tags.rtVersion));
        list.addAscii("DT_Version", cut(tags.dtVersion));
        list.addAscii("Version", cut(tags.dtVersion));
        finishSummary(list);
    }

    codec::EntryContainerHeader header;

private:
    [[nodiscard]] static std::string_view cut(std::string_view text) noexcept { return text.substr(0, 255); }
    void finishSets(codec::SetDefinitionEncoder& sets) noexcept {
        sets.endSet();
        [[maybe_unused]] const Error e = sets.complete();
        assert(e.ok());
        header.hasSetDefs = true;
        header.setDefs = sets_.view();
    }
    void beginSummary(codec::ElementListEncoder& list, int type, const Tags& tags) noexcept {
        list.begin(summary_);
        list.addInt("Type", type);
        list.addInt("DictionaryId", tags.dictionaryId);
    }
    void finishSummary(codec::ElementListEncoder& list) noexcept {
        [[maybe_unused]] const Error e = list.complete();
        assert(e.ok());
        header.hasSummary = true;
        header.summary = summary_.view();
    }

    std::array<std::byte, 128> setBytes_{};
    std::array<std::byte, 1024> summaryBytes_{};
    BeWriter sets_, summary_;
};

[[nodiscard]] std::size_t rowSize(const FieldDefinition& field, std::uint32_t verbosity) noexcept {
    const std::size_t brief = 1 + withPrefix(field.acronym.size()) + 2 + 2 + 1 + 2 + 1 + 2;
    return hasLongRows(verbosity) ? brief + 1 + withPrefix(field.longName.size()) : brief;
}

void writeRow(BeWriter& out, const FieldDefinition& field, std::uint32_t verbosity) noexcept {
    out.u8(0x02);  // set data, set id 0 understood
    out.buf16(asBytes(field.acronym));
    out.u16(static_cast<std::uint16_t>(field.fieldId));
    out.u16(static_cast<std::uint16_t>(field.rippleTo));
    out.u8(static_cast<std::uint8_t>(field.fieldType));
    out.u16(field.length);
    out.u8(static_cast<std::uint8_t>(field.type));
    out.u16(field.rwfLength);
    if (!hasLongRows(verbosity)) return;
    out.u8(field.enumLength);
    out.buf16(asBytes(field.longName));
}

/// The length of the character with this lead byte, or 0 when the bytes are not UTF-8.
[[nodiscard]] std::size_t utf8Length(std::string_view at) noexcept {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(at[i]); };
    const unsigned lead = byte(0);
    const std::size_t length = lead < 0x80   ? 1
                               : lead < 0xC2 ? 0
                               : lead < 0xE0 ? 2
                               : lead < 0xF0 ? 3
                               : lead < 0xF5 ? 4
                                             : 0;
    if (length == 0 || at.size() < length) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(i) & 0xC0) != 0x80) return 0;
    if (length < 3) return length;
    const unsigned second = byte(1);
    const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
    const bool notACharacter = (lead == 0xED && second > 0x9F) || (lead == 0xF4 && second > 0x8F);
    return overlong || notACharacter ? 0 : length;
}

/// The plainest string type that can carry all displays of a table.
[[nodiscard]] DataType displayType(const EnumTable& table) noexcept {
    DataType type = DataType::AsciiString;
    for (const EnumValue& value : table.values()) {
        std::string_view rest = value.display;
        while (!rest.empty()) {
            const std::size_t length = utf8Length(rest);
            if (length == 0) return DataType::RmtesString;
            if (length > 1) type = DataType::Utf8String;
            rest.remove_prefix(length);
        }
    }
    return type;
}

constexpr std::size_t kArrayHeader = 4;  // item type, item length (one byte), count

/// Bytes of a table as a row of the series, before it is written: they say which part has room for it.
[[nodiscard]] std::size_t rowSize(const EnumTable& table) noexcept {
    std::size_t values = kArrayHeader, displays = kArrayHeader;
    for (const EnumValue& value : table.values()) {
        values += value.value < 256 ? 2 : 3;
        displays += withPrefix(value.display.size());
    }
    return 2 + withPrefix(kArrayHeader + 2 * table.fields().size()) + withPrefix(values) + withPrefix(displays);
}

void writeRow(BeWriter& out, const EnumTable& table) noexcept {
    out.u8(0x06);  // set data with its set id
    out.u15rb(0);
    codec::LengthSlot slot;
    const auto writeArray = [&](DataType itemType, std::uint16_t itemLength, const auto& items, auto&& addItem) {
        codec::ArrayEncoder array;
        slot.open(out, codec::LengthSlot::Form::u16ob);
        array.begin(out, itemType, itemLength);
        for (const auto& item : items)
            addItem(array, item);
        if (const Error e = array.complete(); !e.ok()) out.fail(e.code);
        slot.close(out);
    };
    writeArray(DataType::Int, 2, table.fields(), [](codec::ArrayEncoder& array, std::int16_t id) {
        std::array<std::byte, 2> content;
        storeBe(content.data(), static_cast<std::uint16_t>(id));
        array.add(content);
    });
    writeArray(DataType::Enum, 0, table.values(),
               [](codec::ArrayEncoder& array, const EnumValue& value) { array.addUInt(value.value); });
    writeArray(displayType(table), 0, table.values(),
               [](codec::ArrayEncoder& array, const EnumValue& value) { array.addAscii(value.display); });
}

/// Entries from `part.next` on, as many as the budget allows.
template <class Rows, class Size, class Write>
[[nodiscard]] Error writeSeries(BeWriter& out, const Preamble& preamble, const Rows* rows, std::size_t budget,
                                Dictionary::Part& part, Size&& size, Write&& write) noexcept {
    const std::size_t start = out.size();
    codec::SeriesEncoder series;
    series.begin(out, preamble.header);
    std::size_t next = part.next, written = 0;
    for (; rows != nullptr && next < rows->size() && written < kMaxRows; ++next, ++written) {
        const auto& row = *(*rows)[next];
        const std::size_t entry = withPrefix(size(row));
        if (written != 0 && out.size() - start + entry > budget) break;
        series.beginEntry();
        [[maybe_unused]] const std::size_t before = out.size();
        write(row);
        assert(!out.ok() || out.size() - before == size(row));
        series.endEntry();
        if (!out.ok()) break;
    }
    const Error error = series.complete();
    if (!error.ok() || !out.ok()) {
        const Error why = !error.ok() ? error : errorOf(out);
        out.truncate(start);
        return why;
    }
    part.next = static_cast<std::uint32_t>(next);
    part.finished = rows == nullptr || next == rows->size();
    return {};
}

}  // namespace

Error Dictionary::encodeFields(BeWriter& out, std::uint32_t verbosity, std::size_t budget, Part& part) const noexcept {
    if (!hasFields() || part.finished || part.next >= fields().size()) return {Errc::usage, 0};
    Preamble preamble;
    if (hasRows(verbosity)) preamble.fieldSets(verbosity);
    if (part.next == 0) {
        preamble.fieldSummary(fieldTags());
        preamble.header.hasTotalCountHint = true;
        preamble.header.totalCountHint = static_cast<std::uint32_t>(fields().size());
    }
    return writeSeries(
        out, preamble, hasRows(verbosity) ? &fields() : nullptr, budget, part,
        [&](const FieldDefinition& field) { return rowSize(field, verbosity); },
        [&](const FieldDefinition& field) { writeRow(out, field, verbosity); });
}

Error Dictionary::encodeEnums(BeWriter& out, std::uint32_t verbosity, std::size_t budget, Part& part) const noexcept {
    if (!hasEnums() || part.finished || part.next >= enumTables().size()) return {Errc::usage, 0};
    Preamble preamble;
    if (hasRows(verbosity)) preamble.enumSets();
    if (part.next == 0) preamble.enumSummary(enumTags());
    return writeSeries(
        out, preamble, hasRows(verbosity) ? &enumTables() : nullptr, budget, part,
        [](const EnumTable& table) { return rowSize(table); }, [&](const EnumTable& table) { writeRow(out, table); });
}

}  // namespace emissary::eta::dictionary
