// eta/json: writes floating-point numbers, escapes, base64 and quoted forms, without locale or memory of its own.
#include "json/TextWriter.h"

#include "eta/core/base64.h"
#include "json/text_forms.h"

#include <array>
#include <charconv>
#include <cmath>

namespace emissary::eta::json {

using codec::Date;
using codec::DateTime;
using codec::Real;
using codec::Time;

void TextWriter::integer(std::uint64_t v) noexcept {
    direct<kDigitsRoom>([v](char* to) { return putDigits(to, v); });
}

void TextWriter::integer(std::int64_t v) noexcept {
    direct<kSignedRoom>([v](char* to) { return putSigned(to, v); });
}

void TextWriter::real(const Real& v) noexcept {
    direct<kRealRoom>([&v](char* to) { return putReal(to, v); });
}

namespace {

template <class T>
void floating(TextWriter& writer, T v) noexcept {
    if (std::isnan(v)) return writer.raw("\"NaN\"");
    if (std::isinf(v)) return writer.raw(v < 0 ? "\"-Inf\"" : "\"Inf\"");
    std::array<char, 40> buffer;
    const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), v);
    writer.raw({buffer.data(), static_cast<std::size_t>(result.ptr - buffer.data())});
}

}  // namespace

void TextWriter::number(float v) noexcept {
    floating(*this, v);
}
void TextWriter::number(double v) noexcept {
    floating(*this, v);
}

void TextWriter::quoted(std::string_view utf8) noexcept {
    raw('"');
    escaped(utf8);
    raw('"');
}

void TextWriter::escaped(std::string_view utf8) noexcept {
    writeJsonEscaped(utf8, [this](std::string_view piece) { raw(piece); });
}

void TextWriter::base64(Bytes in) noexcept {
    const std::size_t n = base64Size(in.size());
    if (std::byte* p = out_.room(n + 2)) {
        p[0] = p[n + 1] = std::byte{'"'};
        encodeBase64(in, reinterpret_cast<char*>(p + 1));
        out_.advance(n + 2);
    }
}

void TextWriter::date(const Date& v) noexcept {
    if (v.blank()) return null();
    direct<kDateRoom + 2>([&v](char* to) {
        *to = '"';
        to = putDate(to + 1, v);
        *to = '"';
        return to + 1;
    });
}

void TextWriter::time(const Time& v) noexcept {
    if (v.blank()) return null();
    direct<kTimeRoom + 2>([&v](char* to) {
        *to = '"';
        to = putTime(to + 1, v);
        *to = '"';
        return to + 1;
    });
}

void TextWriter::dateTime(const DateTime& v) noexcept {
    if (v.blank()) return null();
    direct<kDateRoom + kTimeRoom + 3>([&v](char* to) {
        *to++ = '"';
        if (!v.date.blank()) to = putDate(to, v.date);
        if (!v.time.blank()) {
            *to++ = 'T';
            to = putTime(to, v.time);
        }
        *to = '"';
        return to + 1;
    });
}

void TextWriter::address(std::uint32_t v) noexcept {
    std::array<char, 13 + kDigitsRoom> buffer;  // three numbers of three digits and what stands around them, and one
    char* to = buffer.data();
    *to++ = '"';
    for (int shift = 24; shift >= 0; shift -= 8) {
        to = putDigits(to, v >> shift & 255);
        *to++ = shift == 0 ? '"' : '.';
    }
    raw({buffer.data(), static_cast<std::size_t>(to - buffer.data())});
}

}  // namespace emissary::eta::json
