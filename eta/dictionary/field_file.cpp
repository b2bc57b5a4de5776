// The field dictionary file: one field a line (docs/wire/dictionary.md, "Field file").
#include "dictionary/lines.h"
#include "dictionary/sets.h"

#include <algorithm>
#include <array>

namespace emissary::eta::dictionary {

namespace {

using codec::DataType;

struct FieldTypeWord {
    std::string_view word;
    std::int8_t number;
};
constexpr std::array<FieldTypeWord, 13> kFieldTypes{{{"PRICE", 4},
                                                     {"ALPHANUMERIC", 5},
                                                     {"INTEGER", 1},
                                                     {"ENUMERATED", 6},
                                                     {"DATE", 3},
                                                     {"TIME_SECONDS", 0},
                                                     {"NONE", -1},
                                                     {"TIME", 7},
                                                     {"BINARY", 8},
                                                     {"NUMERIC", 2},
                                                     {"LONG_ALPHANUMERIC", 9},
                                                     {"ALPHANUM_XTND", 9},
                                                     {"OPAQUE", 10}}};

struct WireTypeWord {
    std::string_view word;
    DataType type;
};
constexpr std::array<WireTypeWord, 36> kWireTypes{{{"REAL64", DataType::Real},
                                                   {"RMTES_STRING", DataType::RmtesString},
                                                   {"ENUM", DataType::Enum},
                                                   {"TIME", DataType::Time},
                                                   {"INT64", DataType::Int},
                                                   {"DATE", DataType::Date},
                                                   {"UINT64", DataType::UInt},
                                                   {"ASCII_STRING", DataType::AsciiString},
                                                   {"INT", DataType::Int},
                                                   {"INT32", DataType::Int},
                                                   {"UINT", DataType::UInt},
                                                   {"UINT32", DataType::UInt},
                                                   {"FLOAT", DataType::Float},
                                                   {"DOUBLE", DataType::Double},
                                                   {"REAL", DataType::Real},
                                                   {"REAL32", DataType::Real},
                                                   {"DATETIME", DataType::DateTime},
                                                   {"DATE_TIME", DataType::DateTime},
                                                   {"QOS", DataType::Qos},
                                                   {"STATE", DataType::State},
                                                   {"STATUS", DataType::State},
                                                   {"ARRAY", DataType::Array},
                                                   {"BUFFER", DataType::Buffer},
                                                   {"UTF8_STRING", DataType::Utf8String},
                                                   {"OPAQUE", DataType::Opaque},
                                                   {"XML", DataType::Xml},
                                                   {"FIELD_LIST", DataType::FieldList},
                                                   {"ELEMENT_LIST", DataType::ElementList},
                                                   {"ELEM_LIST", DataType::ElementList},
                                                   {"ANSI_PAGE", DataType::AnsiPage},
                                                   {"FILTER_LIST", DataType::FilterList},
                                                   {"VECTOR", DataType::Vector},
                                                   {"MAP", DataType::Map},
                                                   {"SERIES", DataType::Series},
                                                   {"MSG", DataType::Msg},
                                                   {"JSON", DataType::Json}}};

template <class Table>
[[nodiscard]] const auto* findWord(const Table& table, std::string_view word) noexcept {
    const auto it = std::find_if(table.begin(), table.end(), [&](const auto& row) { return row.word == word; });
    return it == table.end() ? nullptr : &*it;
}

template <class Table>
[[nodiscard]] std::string allWords(const Table& table) {
    std::string out;
    for (const auto& row : table)
        (out += out.empty() ? "" : ", ") += row.word;
    return out;
}

class FieldFileParser {
public:
    FieldFileParser(std::string_view text, std::string_view name, const EnumSet* enums, FieldSet& out)
        : lines_(text, name), enums_(enums), out_(out) {
        // A first guess of the number of fields; with comments between them a file has some hundred bytes a field.
        out_.reserve(text.size() / 100);
    }

    [[nodiscard]] Refused run() {
        while (lines_.nextLine())
            if (Refused e = lines_.isTag() ? readTag() : readField()) return e;
        if (out_.inOrder().empty())
            return lines_.fileError("no field definition in the file; give the path of a field dictionary file");
        for (const auto& [field, target] : ripples_) {
            const FieldDefinition* to = out_.find(target);
            field->rippleTo = to != nullptr ? to->fieldId : std::int16_t{0};
        }
        return {};
    }

private:
    [[nodiscard]] Refused readTag() {
        const std::string_view tag = lines_.word();
        Refused error;
        if (readCommonTag(lines_, tag, {1, out_.tags, out_.dictionaryId, enums_ ? enums_->dictionaryId : std::nullopt},
                          error))
            return error;
        if (tag == "Version") {
            out_.tags.version.clear();
            for (const char c : lines_.rest())
                if ((c >= '0' && c <= '9') || c == '.') out_.tags.version += c;
        } else if (tag == "Build") {
            out_.tags.build = lines_.rest();
        }
        return error;
    }

    [[nodiscard]] Refused missing(const char* column) const {
        return lines_.error(std::string("the line ends before the ") + column +
                            "; a field needs: ACRONYM \"DDE ACRONYM\" FID RIPPLES-TO FIELD-TYPE LENGTH [( ENUM-LENGTH "
                            ")] RWF-TYPE RWF-LENGTH");
    }

    [[nodiscard]] Refused readNumber(const char* column, std::string_view word, std::int32_t min, std::int32_t max,
                                     std::int32_t& out) const {
        if (word.empty()) return missing(column);
        const auto value = number(word, min, max);
        if (!value)
            return lines_.error(std::string("the ") + column + " is " + quoted(word) + "; it must be a number from " +
                                std::to_string(min) + " to " + std::to_string(max));
        out = *value;
        return {};
    }

    [[nodiscard]] Refused readNames(FieldDefinition& field, std::string_view& ripple) {
        field.acronym = lines_.word();
        if (field.acronym.find('"') != std::string_view::npos)
            return lines_.error("the acronym " + quoted(field.acronym) +
                                " contains a quote; put a blank before the DDE "
                                "acronym");
        if (field.acronym.size() > 255)
            return lines_.error("the acronym " + quoted(field.acronym) + " is longer than 255 characters; shorten it");
        if (lines_.peek() == '\0') return missing("DDE acronym");
        const auto longName = lines_.between('"');
        if (!longName)
            return lines_.error("the DDE acronym of " + quoted(field.acronym) +
                                " is not in double quotes; write it as \"TEXT\"");
        if (longName->size() > 255)
            return lines_.error("the DDE acronym of " + quoted(field.acronym) +
                                " is longer than 255 characters; shorten it");
        field.longName = *longName;

        std::int32_t id = 0;
        if (Refused e = readNumber("FID", lines_.word(), -32768, 32767, id)) return e;
        if (id == 0)
            return lines_.error("the FID of " + quoted(field.acronym) + " is 0; 0 is not a field id, give another");
        field.fieldId = static_cast<std::int16_t>(id);
        ripple = lines_.word();
        return ripple.empty() ? missing("RIPPLES-TO") : Refused{};
    }

    [[nodiscard]] Refused readTypes(FieldDefinition& field) {
        std::string_view word = lines_.word();
        if (word.empty()) return missing("FIELD-TYPE");
        const FieldTypeWord* fieldType = findWord(kFieldTypes, word);
        if (fieldType == nullptr)
            return lines_.error("field type " + quoted(word) + " is not known; use one of " + allWords(kFieldTypes));
        field.fieldType = fieldType->number;

        std::int32_t value = 0;
        if (Refused e = readNumber("LENGTH", lines_.word(), 0, 65535, value)) return e;
        field.length = static_cast<std::uint16_t>(value);
        word = lines_.word();
        if (word == "(") {
            if (Refused e = readNumber("ENUM-LENGTH", lines_.word(), 0, 255, value)) return e;
            field.enumLength = static_cast<std::uint8_t>(value);
            word = lines_.word();
            if (word != ")")
                return lines_.error("expected ')' after the ENUM-LENGTH but found " + quoted(word) +
                                    "; write it as ( " + std::to_string(value) + " ) with blanks");
            word = lines_.word();
        } else if (word.starts_with('(')) {
            return lines_.error("the ENUM-LENGTH " + quoted(word) + " lacks blanks; write it as ( 3 )");
        }
        if (word.empty()) return missing("RWF-TYPE");
        const WireTypeWord* wireType = findWord(kWireTypes, word);
        if (wireType == nullptr)
            return lines_.error("RWF type " + quoted(word) + " is not known; use one of " + allWords(kWireTypes));
        field.type = wireType->type;
        if (Refused e = readNumber("RWF-LENGTH", lines_.word(), 0, 65535, value)) return e;
        field.rwfLength = static_cast<std::uint16_t>(value);

        word = lines_.word();
        if (!word.empty() && word.front() != '!')
            return lines_.error("unexpected " + quoted(word) + " after the RWF-LENGTH; remove it, or put ! before it");
        return {};
    }

    [[nodiscard]] Refused readField() {
        FieldDefinition field;
        std::string_view ripple;
        if (Refused e = readNames(field, ripple)) return e;
        if (Refused e = readTypes(field)) return e;
        if (const FieldDefinition* other = out_.find(field.fieldId))
            return lines_.error("FID " + std::to_string(field.fieldId) + " of " + quoted(field.acronym) +
                                " is already that of " + quoted(other->acronym) + "; remove one of them");
        if (const FieldDefinition* other = out_.find(field.acronym))
            out_.warn(lines_
                          .error("the acronym " + quoted(field.acronym) + " is already that of FID " +
                                 std::to_string(other->fieldId) + "; by name the field of the lower FID is found")
                          .text);
        if (const auto* reference = enums_ ? enums_->find(field.fieldId) : nullptr;
            reference != nullptr && !reference->acronym.empty() && reference->acronym != field.acronym)
            return lines_.error("FID " + std::to_string(field.fieldId) + " is " + quoted(field.acronym) + " here but " +
                                quoted(reference->acronym) +
                                " in the enumerated types; use field and enumerated type files of one set");
        FieldDefinition* added = out_.add(field);
        if (ripple != "NULL") ripples_.emplace_back(added, ripple);
        return {};
    }

    LineReader lines_;
    const EnumSet* enums_;
    FieldSet& out_;
    std::vector<std::pair<FieldDefinition*, std::string_view>> ripples_;  // to a field that may come later
};

}  // namespace

Refused parseFieldFile(std::string_view text, std::string_view name, const EnumSet* others, FieldSet& out) {
    return FieldFileParser(text, name, others, out).run();
}

}  // namespace emissary::eta::dictionary
