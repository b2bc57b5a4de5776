// JSON text into a BeWriter: punctuation, numbers, strings and the text forms of RWF primitives (json.md 7).
//
// Nothing is formatted through printf or a locale, nothing allocated. Failure latches in the writer underneath.
#pragma once

#include "eta/codec/Types.h"
#include "eta/core/copy_short.h"
#include "eta/core/json_escapes.h"

#include <cstring>
#include <string_view>

namespace emissary::eta::json {

class TextWriter {
public:
    explicit TextWriter(BeWriter& out) noexcept : out_(out) {}

    void raw(std::string_view text) noexcept {
        if (std::byte* p = out_.room(text.size())) [[likely]] {
            std::memcpy(p, text.data(), text.size());
            out_.advance(text.size());
        }
    }
    void raw(char c) noexcept { out_.u8(static_cast<std::uint8_t>(c)); }
    void null() noexcept { raw("null"); }
    /// A text of a dictionary, from which kShortCopy bytes may be read, and a comma before it or not.
    void padded(bool comma, std::string_view text) noexcept {
        if (text.size() > kShortCopy || out_.space() <= kShortCopy) [[unlikely]] {
            if (comma) raw(',');
            return raw(text);
        }
        char* const to = here();
        *to = ',';
        copyPadded(to + comma, text.data(), text.size());
        out_.advance(text.size() + comma);
    }

    void integer(std::int64_t v) noexcept;
    void integer(std::uint64_t v) noexcept;
    void real(const codec::Real& v) noexcept;
    /// Shortest text that reads back to the same value; infinities and NaN as quoted words.
    void number(float v) noexcept;
    void number(double v) noexcept;

    /// A quoted string; octets that are not UTF-8 become U+FFFD.
    void string(std::string_view utf8) noexcept {
        if (isPlainJson(utf8)) plain(utf8);
        else quoted(utf8);
    }
    /// The same, of a text that is plain (isPlainJson).
    void plain(std::string_view text) noexcept {
        char* to = begin(text.size() + 2);
        if (to == nullptr) [[unlikely]]
            return;
        *to++ = '"';
        if (text.size() <= kShortCopy) [[likely]]
            to = copyShort(to, text.data(), text.size());
        else to = static_cast<char*>(std::memcpy(to, text.data(), text.size())) + text.size();
        *to = '"';
        out_.advance(text.size() + 2);
    }
    /// The same, and null when it is empty.
    void stringOrNull(std::string_view utf8) noexcept { utf8.empty() ? null() : string(utf8); }
    /// Characters of a string, escaped, without quotes.
    void escaped(std::string_view utf8) noexcept;
    void base64(Bytes in) noexcept;

    // Quoted; null when all parts are blank.
    void date(const codec::Date& v) noexcept;
    void time(const codec::Time& v) noexcept;
    void dateTime(const codec::DateTime& v) noexcept;
    /// Dotted decimal, quoted.
    void address(std::uint32_t v) noexcept;

    /// Where the next n bytes go, when there is room for them without growing, or else null.
    [[nodiscard]] char* roomFor(std::size_t n) noexcept { return out_.space() >= n ? here() : nullptr; }
    /// What was written at roomFor() ends here.
    void endAt(const char* to) noexcept { out_.advance(static_cast<std::size_t>(to - here())); }
    [[nodiscard]] BeWriter& out() noexcept { return out_; }

private:
    [[nodiscard]] char* begin(std::size_t n) noexcept { return reinterpret_cast<char*>(out_.room(n)); }
    [[nodiscard]] char* here() noexcept { return begin(0); }
    void quoted(std::string_view utf8) noexcept;
    /// Lets `put` write at most `Most` characters at the place that it is given.
    template <std::size_t Most, class Put>
    void direct(Put put) noexcept {
        if (out_.space() >= Most) [[likely]] {
            char* const to = here();
            return out_.advance(static_cast<std::size_t>(put(to) - to));
        }
        char text[Most];
        raw({text, static_cast<std::size_t>(put(text) - text)});
    }

    BeWriter& out_;
};

}  // namespace emissary::eta::json
