// Parses one line of an XML trace: element, attributes, numbers, flags, bytes.
#include "rwfcat/TraceLine.h"

#include <charconv>
#include <utility>

namespace emissary::rwfcat {
namespace {

int nibble(char c) noexcept {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                  : -1;
}

/// The byte that (0xnn) at this place means; -1: none.
int spelled(std::string_view text, std::size_t at) noexcept {
    if (text.size() - at < 6 || text.substr(at, 3) != "(0x" || text[at + 5] != ')') return -1;
    const int high = nibble(text[at + 3]), low = nibble(text[at + 4]);
    return high < 0 || low < 0 ? -1 : high * 16 + low;
}

template <class Number>
bool parse(std::string_view text, Number& out, int base = 10) noexcept {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out, base);
    return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::string_view TraceLine::element() const noexcept {
    const auto end = line_.find_first_of(" />", 1);
    return line_.empty() || line_.front() != '<' ? std::string_view{} : line_.substr(1, end - 1);
}

void TraceLine::wrong(const std::string& what) const {
    throw TraceFault(what + " in \"" + std::string(line_.substr(0, 60)) + "\"");
}

bool TraceLine::has(std::string_view name) const noexcept {
    return line_.find(std::string(name) + "=\"", at_) != std::string_view::npos;
}

/// Behind name=".
void TraceLine::to(std::string_view name) {
    const auto found = line_.find(std::string(name) + "=\"", at_);
    if (found == std::string_view::npos) wrong("no " + std::string(name));
    at_ = found + name.size() + 2;
}

std::string_view TraceLine::plain(std::string_view name) {
    to(name);
    const auto end = line_.find('"', at_);
    if (end == std::string_view::npos) wrong("no end of " + std::string(name));
    const std::size_t from = std::exchange(at_, end + 1);
    return line_.substr(from, end - from);
}

ByteVector TraceLine::raw(std::string_view name, std::string_view behind, bool last) {
    to(name);
    // The last attribute ends at the end of the line, since its text may contain everything else.
    const auto end = last ? line_.rfind(behind) : line_.find(behind, at_);
    if (end == std::string_view::npos || end < at_) wrong("no end of " + std::string(name));
    const std::string_view text = line_.substr(at_, end - at_);
    at_ = end + 1;
    ByteVector out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const int byte = spelled(text, i);
        if (byte == 0 || byte == '\n' || byte == '\r') out.push_back(static_cast<std::byte>(byte)), i += 5;
        else out.push_back(static_cast<std::byte>(text[i]));
    }
    return out;
}

std::int64_t TraceLine::number(std::string_view name) {
    std::int64_t n = 0;
    if (!parse(plain(name), n)) wrong(std::string(name) + " is no number");
    return n;
}

std::uint32_t TraceLine::flags() {
    // Flags have their words behind them; the number decides.
    const std::string_view text = plain("flags");
    std::uint32_t n = 0;
    if (!text.starts_with("0x") ||
        !parse(text.substr(2, text.find(' ') == text.npos ? text.npos : text.find(' ') - 2), n, 16))
        wrong("flags are no number");
    return n;
}

ByteVector TraceLine::hex(std::string_view name) {
    ByteVector out;
    int high = -1;
    for (const char c : plain(name)) {
        if (c == ' ') continue;
        const int n = nibble(c);
        if (n < 0) wrong(std::string(name) + " is not hex");
        if (high < 0) high = n;
        else out.push_back(static_cast<std::byte>(high * 16 + n)), high = -1;
    }
    if (high >= 0) wrong(std::string(name) + " has an odd number of digits");
    return out;
}

ByteVector TraceLine::group(std::string_view name) {
    ByteVector out;
    std::string_view text = plain(name);
    // Groups are pairs of bytes, written as numbers with points between.
    while (!text.empty()) {
        const auto end = text.find('.');
        std::uint16_t n = 0;
        if (!parse(text.substr(0, end), n)) wrong(std::string(name) + " is no group");
        out.push_back(static_cast<std::byte>(n >> 8));
        out.push_back(static_cast<std::byte>(n & 255));
        text = end == text.npos ? std::string_view{} : text.substr(end + 1);
    }
    return out;
}

ByteVector TraceLine::string(std::string_view name) {
    static constexpr std::pair<std::string_view, char> kEntities[] = {
        {"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
    ByteVector out;
    const std::string_view text = plain(name);
    // Entities and spelled bytes mean what they mean; everything else is the byte itself.
    for (std::size_t i = 0; i < text.size(); ++i) {
        char c = text[i];
        if (const int byte = spelled(text, i); byte >= 0 && (byte < 0x20 || byte > 0x7E)) {
            c = static_cast<char>(byte);
            i += 5;
        } else if (c == '&') {
            for (const auto& [entity, meant] : kEntities)
                if (text.substr(i).starts_with(entity)) {
                    c = meant;
                    i += entity.size() - 1;
                    break;
                }
        }
        out.push_back(static_cast<std::byte>(c));
    }
    return out;
}

std::uint32_t TraceLine::word(std::string_view name, const eta::trace::Words& words) {
    const std::string_view text = plain(name);
    std::uint32_t n = 0;
    if (!words.number(text, n) && !parse(text, n)) wrong(std::string(name) + " is not known");
    return n;
}

eta::codec::DataType TraceLine::type(std::string_view name) {
    return static_cast<eta::codec::DataType>(word(name, eta::trace::kTypes));
}

eta::codec::Qos TraceLine::qos(std::string_view prefix) {
    const std::string p(prefix);
    eta::codec::Qos q;
    q.dynamic = number(p + "Dynamic") != 0;
    q.rate = static_cast<std::uint8_t>(number(p + "Rate"));
    q.timeliness = static_cast<std::uint8_t>(number(p + "Timeliness"));
    if (q.timeliness > 2) q.timeInfo = static_cast<std::uint16_t>(number(p + "TimeInfo"));
    if (q.rate > 2) q.rateInfo = static_cast<std::uint16_t>(number(p + "RateInfo"));
    return q;
}

}  // namespace emissary::rwfcat
