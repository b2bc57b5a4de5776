// JSON text into a BeWriter: punctuation, numbers, strings and the text forms of RWF primitives (json.md 7).
//
// Nothing is formatted through printf or a locale, nothing allocated. Failure latches in the writer underneath.
#pragma once

#include "eta/codec/Types.h"

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

    void integer(std::int64_t v) noexcept;
    void integer(std::uint64_t v) noexcept;
    void real(const codec::Real& v) noexcept;
    /// Shortest text that reads back to the same value; infinities and NaN as quoted words.
    void number(float v) noexcept;
    void number(double v) noexcept;

    /// A quoted string; octets that are not UTF-8 become U+FFFD.
    void string(std::string_view utf8) noexcept;
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

    [[nodiscard]] BeWriter& out() noexcept { return out_; }

private:
    BeWriter& out_;
};

}  // namespace emissary::eta::json
