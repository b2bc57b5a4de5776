// Lines and words of dictionary files, and errors that name file, line and word.
#include "dictionary/lines.h"

#include "dictionary/sets.h"

#include <charconv>
#include <cstring>

namespace emissary::eta::dictionary {

std::string quoted(std::string_view word) {
    constexpr std::size_t kLongest = 40;
    static constexpr char digits[] = "0123456789ABCDEF";
    std::string out = "'";
    for (const char c : word.substr(0, kLongest)) {
        const auto code = static_cast<unsigned char>(c);
        if (code >= 0x20 && code < 0x7F) out += c;
        else (out += "\\x") += {digits[code >> 4], digits[code & 15]};
    }
    out += word.size() > kLongest ? "...'" : "'";
    return out;
}

std::optional<std::int32_t> number(std::string_view word, std::int32_t min, std::int32_t max) noexcept {
    std::int32_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || end != word.data() + word.size() || value < min || value > max) return std::nullopt;
    return value;
}

LineReader::LineReader(std::string_view text, std::string_view fileName) noexcept
    : name_(fileName), next_(text.data()), textEnd_(text.data() + text.size()) {
    if (text.starts_with("\xEF\xBB\xBF")) next_ += 3;  // the mark some editors put before UTF-8 text
}

bool LineReader::nextLine() noexcept {
    while (next_ != textEnd_) {
        const auto length = static_cast<std::size_t>(textEnd_ - next_);
        const void* newline = std::memchr(next_, '\n', length);
        at_ = next_;
        end_ = newline != nullptr ? static_cast<const char*>(newline) : textEnd_;
        next_ = newline != nullptr ? end_ + 1 : textEnd_;
        ++line_;
        if (at_ != end_ && *at_ == '!') {
            if (end_ - at_ < 5 || std::memcmp(at_, "!tag", 4) != 0 || !isBlank(at_[4])) continue;
            at_ += 5;
            tag_ = true;
            return true;
        }
        skipBlanks();
        if (at_ != end_) {
            tag_ = false;
            return true;
        }
    }
    return false;
}

std::optional<std::string_view> LineReader::between(char mark) noexcept {
    skipBlanks();
    if (at_ == end_ || *at_ != mark) return std::nullopt;
    const char* from = at_ + 1;
    const void* close = std::memchr(from, mark, static_cast<std::size_t>(end_ - from));
    if (close == nullptr) return std::nullopt;
    const char* to = static_cast<const char*>(close);
    at_ = to + 1;
    return std::string_view{from, static_cast<std::size_t>(to - from)};
}

std::string_view LineReader::rest() noexcept {
    skipBlanks();
    const char* to = end_;
    while (to != at_ && isBlank(to[-1]))
        --to;
    const std::string_view all{at_, static_cast<std::size_t>(to - at_)};
    at_ = end_;
    return all;
}

std::string_view LineReader::restWithBlanks() noexcept {
    skipBlanks();
    const char* const to = end_ != at_ && end_[-1] == '\r' ? end_ - 1 : end_;
    const std::string_view all{at_, static_cast<std::size_t>(to - at_)};
    at_ = end_;
    return all;
}

Refused LineReader::error(std::uint32_t line, const std::string& text) const {
    return {std::string(name_) + ":" + std::to_string(line) + ": " + text};
}

Refused LineReader::fileError(const std::string& text) const {
    return {std::string(name_) + ": " + text};
}

bool readCommonTag(LineReader& lines, std::string_view tag, const CommonTags& into, Refused& error) {
    if (tag == "Type") {
        const std::string_view type = lines.rest();
        if (number(type, into.expectedType, into.expectedType)) return true;
        const bool fields = into.expectedType == 1;
        error = lines.error("tag Type is " + quoted(type) + " but a file of " +
                            (fields ? "field definitions has 1" : "enumerated types has 2") +
                            "; name the right file, or correct the tag");
    } else if (tag == "DictionaryId") {
        const std::string_view word = lines.rest();
        const auto id = number(word, 0, 65535);
        if (!id) {
            error = lines.error("tag DictionaryId is " + quoted(word) + "; it must be a number from 0 to 65535");
        } else if (!idsAgree(id, into.otherId) || !idsAgree(id, into.dictionaryId)) {
            const std::int32_t other = idsAgree(id, into.otherId) ? *into.dictionaryId : *into.otherId;
            error = lines.error("tag DictionaryId is " + quoted(word) + " but the dictionary already loaded has " +
                                std::to_string(other) + "; use field and enumerated type files of one set");
        } else {
            into.dictionaryId = id;
            into.tags.dictionaryId = *id;
        }
    } else if (tag == "Filename") {
        into.tags.filename = lines.rest();
    } else if (tag == "Desc") {
        into.tags.description = lines.rest();
    } else if (tag == "Date") {
        into.tags.date = lines.rest();
    } else {
        return false;
    }
    return true;
}

}  // namespace emissary::eta::dictionary
