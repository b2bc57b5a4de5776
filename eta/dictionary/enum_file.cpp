// The file of enumerated types: tables of values, each after the fields that use it (docs/wire/dictionary.md).
#include "dictionary/lines.h"
#include "dictionary/sets.h"

#include <algorithm>

namespace emissary::eta::dictionary {

namespace {

class EnumFileParser {
public:
    EnumFileParser(std::string_view text, std::string_view name, const FieldSet* fields, EnumSet& out)
        : lines_(text, name), fields_(fields), out_(out), fieldSeen_(kIdSlots), valueSeen_(65536) {}

    [[nodiscard]] Refused run() {
        while (lines_.nextLine()) {
            if (Refused e = lines_.isTag() ? readTag() : readLine()) return e;
        }
        if (Refused e = finishTable()) return e;
        if (out_.inOrder().empty())
            return lines_.fileError("no enumerated type in the file; give the path of an enumerated types file");
        return {};
    }

private:
    [[nodiscard]] Refused readTag() {
        const std::string_view tag = lines_.word();
        Refused error;
        if (readCommonTag(lines_, tag,
                          {2, out_.tags, out_.dictionaryId, fields_ ? fields_->dictionaryId : std::nullopt}, error))
            return error;
        if (tag == "RT_Version") out_.tags.rtVersion = lines_.rest();
        else if (tag == "DT_Version") out_.tags.dtVersion = lines_.rest();
        return error;
    }

    [[nodiscard]] Refused readLine() {
        const std::string_view word = lines_.word();
        const std::string_view digits = word.front() == '-' || word.front() == '+' ? word.substr(1) : word;
        const bool integer =
            !digits.empty() && std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
        return integer ? readValue(word) : readReference(word);
    }

    [[nodiscard]] Refused readReference(std::string_view acronym) {
        if (!values_.empty())
            if (Refused e = finishTable()) return e;
        const std::string_view word = lines_.word();
        const auto id = number(word, -32768, 32767);
        if (!id || *id == 0)
            return lines_.error("the FID of " + quoted(acronym) + " is " + quoted(word) +
                                "; it must be a number from -32768 to 32767 and not 0");
        const std::string_view extra = lines_.word();
        if (!extra.empty() && extra.front() != '!')
            return lines_.error("unexpected " + quoted(extra) + " after the FID; remove it, or put ! before it");
        const auto field = static_cast<std::int16_t>(*id);
        std::uint32_t& seenAt = fieldSeen_[slotOf(field)];
        if (seenAt != 0)
            return lines_.error("FID " + std::to_string(field) + " of " + quoted(acronym) +
                                " already refers to a table at line " + std::to_string(seenAt) +
                                "; remove one of them");
        seenAt = lines_.lineNumber();
        const FieldDefinition* known = fields_ ? fields_->find(field) : nullptr;
        if (known != nullptr && known->acronym != acronym)
            return lines_.error("FID " + std::to_string(field) + " is " + quoted(acronym) + " here but " +
                                quoted(known->acronym) +
                                " in the field dictionary; use field and enumerated type files of one set");
        if (ids_.empty()) tableLine_ = lines_.lineNumber();
        ids_.push_back(field);
        acronyms_.push_back(acronym);
        return {};
    }

    [[nodiscard]] Refused readValue(std::string_view word) {
        if (ids_.empty())
            return lines_.error("value " + quoted(word) +
                                " comes before any field; put a line with ACRONYM and FID before the values");
        const auto value = number(word, 0, 65535);
        if (!value) return lines_.error("the value is " + quoted(word) + "; it must be a number from 0 to 65535");
        std::uint32_t& seenAt = valueSeen_[static_cast<std::size_t>(*value)];
        if (seenAt >= tableLine_)
            return lines_.error("value " + std::to_string(*value) + " of field " + quoted(acronyms_.front()) +
                                " is already at line " + std::to_string(seenAt) + "; remove one of them");
        seenAt = lines_.lineNumber();
        EnumValue entry;
        entry.value = static_cast<std::uint16_t>(*value);
        if (Refused e = readDisplay(entry)) return e;
        entry.meaning = lines_.restWithBlanks();
        values_.push_back(entry);
        return {};
    }

    [[nodiscard]] Refused readDisplay(EnumValue& entry) {
        const char mark = lines_.peek();
        if (mark != '"' && mark != '#')
            return lines_.error("the display of value " + std::to_string(entry.value) + " is " + quoted(lines_.word()) +
                                "; write it as \"TEXT\", or as #HEX# for bytes");
        const auto text = lines_.between(mark);
        if (!text)
            return lines_.error("the display of value " + std::to_string(entry.value) + " has no closing " + mark +
                                "; add it");
        entry.display = *text;
        return mark == '"' ? Refused{} : readHex(entry);
    }

    [[nodiscard]] Refused readHex(EnumValue& entry) {
        const auto digit = [](char c) -> int {
            if (c >= '0' && c <= '9') return c - '0';
            if (c >= 'A' && c <= 'F') return c - 'A' + 10;
            if (c >= 'a' && c <= 'f') return c - 'a' + 10;
            return -1;
        };
        const std::string_view hex = entry.display;
        if (hex.size() % 2 != 0 || std::any_of(hex.begin(), hex.end(), [&](char c) { return digit(c) < 0; }))
            return lines_.error("the display bytes " + quoted(hex) + " of value " + std::to_string(entry.value) +
                                " are not pairs of hexadecimal digits; write each byte as two of 0-9 A-F");
        std::string bytes;
        for (std::size_t i = 0; i < hex.size(); i += 2)
            bytes += static_cast<char>(digit(hex[i]) << 4 | digit(hex[i + 1]));
        entry.display = decoded_.copy(bytes);
        return {};
    }

    [[nodiscard]] Refused finishTable() {
        if (ids_.empty()) return {};
        if (values_.empty())
            return lines_.error(tableLine_, "no values follow the field " + quoted(acronyms_.front()) +
                                                "; add them, or remove the line");
        out_.add(std::vector<EnumValue>(values_), std::vector<std::int16_t>(ids_), acronyms_);
        ids_.clear();
        acronyms_.clear();
        values_.clear();
        return {};
    }

    LineReader lines_;
    const FieldSet* fields_;
    EnumSet& out_;
    Arena decoded_;                         // displays written in hexadecimal, until the set has copied them
    std::vector<std::uint32_t> fieldSeen_;  // line of each field's reference
    std::vector<std::uint32_t> valueSeen_;  // line of each value's latest use; in this table when past tableLine_
    std::uint32_t tableLine_ = 0;
    std::vector<std::int16_t> ids_;
    std::vector<std::string_view> acronyms_;
    std::vector<EnumValue> values_;
};

}  // namespace

Refused parseEnumFile(std::string_view text, std::string_view name, const FieldSet* others, EnumSet& out) {
    return EnumFileParser(text, name, others, out).run();
}

}  // namespace emissary::eta::dictionary
