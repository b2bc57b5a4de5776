// Reading dictionary files line by line and word by word.
#pragma once

#include "eta/dictionary/Dictionary.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace emissary::eta::dictionary {

/// The word as it appears in an error text: in quotes, shortened, with unprintable bytes spelled out.
[[nodiscard]] std::string quoted(std::string_view word);

/// A whole word as a decimal number from `min` to `max`.
[[nodiscard]] std::optional<std::int32_t> number(std::string_view word, std::int32_t min, std::int32_t max) noexcept;

/// Walks the lines of a dictionary file and the words of each. Comments and blank lines are passed over; tags are
/// handed out like lines. Line ends may be LF or CR LF.
class LineReader {
public:
    LineReader(std::string_view text, std::string_view fileName) noexcept;

    /// Moves to the next line with content.
    [[nodiscard]] bool nextLine() noexcept;
    /// Whether the line is a tag; its words follow.
    [[nodiscard]] bool isTag() const noexcept { return tag_; }
    [[nodiscard]] std::uint32_t lineNumber() const noexcept { return line_; }

    /// The next blank separated word; empty at the end of the line.
    [[nodiscard]] std::string_view word() noexcept {
        skipBlanks();
        const char* from = at_;
        while (at_ != end_ && !isBlank(*at_))
            ++at_;
        return {from, static_cast<std::size_t>(at_ - from)};
    }
    /// What stands between two marks, the first of which is next; nothing when they are not there.
    [[nodiscard]] std::optional<std::string_view> between(char mark) noexcept;
    /// The rest of the line without blanks at both ends.
    [[nodiscard]] std::string_view rest() noexcept;
    /// The rest of the line without blanks in front; those behind belong to it.
    [[nodiscard]] std::string_view restWithBlanks() noexcept;
    [[nodiscard]] char peek() noexcept {
        skipBlanks();
        return at_ == end_ ? '\0' : *at_;
    }

    /// An error at the current line, or at another one.
    [[nodiscard]] Refused error(const std::string& text) const { return error(line_, text); }
    [[nodiscard]] Refused error(std::uint32_t line, const std::string& text) const;
    /// An error of the file as a whole.
    [[nodiscard]] Refused fileError(const std::string& text) const;

private:
    [[nodiscard]] static bool isBlank(char c) noexcept { return c == ' ' || c == '\t' || c == '\r'; }
    void skipBlanks() noexcept {
        while (at_ != end_ && isBlank(*at_))
            ++at_;
    }

    std::string_view name_;
    const char* next_;  // start of the next line
    const char* textEnd_;
    const char* at_ = nullptr;
    const char* end_ = nullptr;
    std::uint32_t line_ = 0;
    bool tag_ = false;
};

/// Reads the rest of a tag line that both kinds of file know: Type, DictionaryId, Filename, Desc, Date. False for
/// other names. `expectedType` is 1 for fields, 2 for enumerated types.
struct CommonTags {
    int expectedType;
    Tags& tags;
    std::optional<std::int32_t>& dictionaryId;
    std::optional<std::int32_t> otherId;  ///< what the other loaded file states
};
[[nodiscard]] bool readCommonTag(LineReader& lines, std::string_view tag, const CommonTags& into, Refused& error);

}  // namespace emissary::eta::dictionary
