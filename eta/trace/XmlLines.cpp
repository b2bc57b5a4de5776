// Writes numbers, escaped texts, hexadecimal dumps, flags and attributes into the lines of a trace.
#include "trace/XmlLines.h"

#include <array>

namespace emissary::eta::trace {
namespace {

constexpr char kUpper[] = "0123456789ABCDEF", kLower[] = "0123456789abcdef";
constexpr std::size_t kHexLine = 32;

unsigned byteAt(Bytes bytes, std::size_t i) noexcept {
    return static_cast<unsigned>(bytes[i]);
}

/// (0xnn)
std::array<char, 6> spelled(unsigned byte) noexcept {
    return {'(', '0', 'x', kLower[byte >> 4], kLower[byte & 15], ')'};
}

/// Digits of one line; two bytes stand together.
std::string_view digits(Bytes bytes, std::array<char, 5 * kHexLine / 2>& room) noexcept {
    std::size_t n = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (i != 0 && i % 2 == 0) room[n++] = ' ';
        room[n++] = kUpper[byteAt(bytes, i) >> 4];
        room[n++] = kUpper[byteAt(bytes, i) & 15];
    }
    return {room.data(), n};
}

}  // namespace

void TraceText::flush() {
    if (!text_.empty() && !full_) full_ = !sink_.take(text_);
    text_.clear();
}

void writeHexDump(TraceText& out, Bytes bytes) {
    std::array<char, 5 * kHexLine / 2> room;
    while (bytes.size() > kHexLine) {
        out.add(digits(bytes.first(kHexLine), room));
        out.endLine();
        bytes = bytes.subspan(kHexLine);
    }
    out.add(digits(bytes, room));
}

XmlLines& XmlLines::number(std::int64_t n) {
    codec::TextBuffer room;
    return text(codec::toText(n, room));
}

XmlLines& XmlLines::unsignedNumber(std::uint64_t n) {
    codec::TextBuffer room;
    return text(codec::toText(n, room));
}

XmlLines& XmlLines::raw(Bytes bytes) {
    for (const std::byte b : bytes) {
        if (b != std::byte{'\n'} && b != std::byte{'\r'} && b != std::byte{0}) {
            out_.add(static_cast<char>(b));
            continue;
        }
        const auto word = spelled(static_cast<unsigned>(b));
        out_.add({word.data(), word.size()});
    }
    return *this;
}

XmlLines& XmlLines::escaped(Bytes bytes) {
    for (const std::byte b : bytes) {
        const auto c = static_cast<unsigned>(b);
        if (c < 0x20 || c > 0x7E) {
            const auto word = spelled(c);
            out_.add({word.data(), word.size()});
        } else if (c == '<') out_.add("&lt;");
        else if (c == '>') out_.add("&gt;");
        else if (c == '&') out_.add("&amp;");
        else if (c == '"') out_.add("&quot;");
        else if (c == '\'') out_.add("&apos;");
        else out_.add(static_cast<char>(c));
    }
    return *this;
}

XmlLines& XmlLines::hex(Bytes bytes, Rest rest) {
    std::array<char, 5 * kHexLine / 2> room;
    while (bytes.size() > kHexLine) {
        text(digits(bytes.first(kHexLine), room)).end();
        line().text(rest == Rest::deeper ? "    " : "");
        bytes = bytes.subspan(kHexLine);
    }
    return text(digits(bytes, room));
}

XmlLines& XmlLines::group(Bytes bytes) {
    for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
        if (i != 0) out_.add('.');
        unsignedNumber(byteAt(bytes, i) << 8 | byteAt(bytes, i + 1));
    }
    return *this;
}

XmlLines& XmlLines::word(const Words& words, std::uint32_t number) {
    const std::string_view name = words.find(number);
    return name.empty() ? unsignedNumber(number) : text(words.prefix).text(name);
}

XmlLines& XmlLines::flags(const Words& words, std::uint32_t flags) {
    text("0x");
    int shift = 28;
    while (shift > 0 && flags >> shift == 0)
        shift -= 4;
    for (; shift >= 0; shift -= 4)
        out_.add(kUpper[flags >> shift & 15]);
    if (flags == 0) return *this;
    text(" (");
    bool first = true;
    for (const Word& one : words.words) {
        if ((flags & one.number) == 0) continue;
        if (!first) out_.add('|');
        first = false;
        text(words.prefix).text(one.name);
    }
    return text(")");
}

XmlLines& XmlLines::attribute(std::string_view name, std::int64_t value) {
    return text(" ").text(name).text("=\"").number(value).text("\"");
}

XmlLines& XmlLines::qos(std::string_view prefix, const codec::Qos& qos) {
    const auto one = [&](std::string_view name, std::int64_t value) {
        text(" ").text(prefix).text(name).text("=\"").number(value).text("\"");
    };
    one("Dynamic", qos.dynamic ? 1 : 0);
    one("Rate", qos.rate);
    one("Timeliness", qos.timeliness);
    if (qos.timeliness > 2) one("TimeInfo", qos.timeInfo);
    if (qos.rate > 2) one("RateInfo", qos.rateInfo);
    return *this;
}

XmlLines& XmlLines::state(const codec::State& state) {
    text(" dataState=\"").word(kDataStates, state.data);
    text("\" streamState=\"").word(kStreamStates, state.stream);
    text("\" code=\"").word(kStateCodes, state.code);
    return text("\" text=\"").raw(state.text).text("\" ");
}

}  // namespace emissary::eta::trace
