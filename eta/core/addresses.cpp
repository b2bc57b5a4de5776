// Reads and writes numeric addresses, and compares them by their first bits.
#include "eta/core/addresses.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include <arpa/inet.h>

namespace emissary::eta {

namespace {

constexpr std::size_t kV4 = 12;  // where an IPv4 address begins
constexpr AddressKey kMapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};

[[nodiscard]] bool isV4(const AddressKey& a) noexcept {
    return std::equal(kMapped.begin(), kMapped.begin() + kV4, a.begin());
}

}  // namespace

std::optional<AddressKey> parseAddress(std::string_view text) noexcept {
    std::array<char, INET6_ADDRSTRLEN> terminated{};
    if (text.size() >= terminated.size() || text.find('\0') != std::string_view::npos) return {};
    std::copy(text.begin(), text.end(), terminated.begin());
    AddressKey a = kMapped;
    if (::inet_pton(AF_INET, terminated.data(), a.data() + kV4) == 1) return a;
    if (::inet_pton(AF_INET6, terminated.data(), a.data()) == 1) return a;
    return {};
}

std::string addressText(const AddressKey& a) {
    std::array<char, INET6_ADDRSTRLEN> text{};
    if (isV4(a)) ::inet_ntop(AF_INET, a.data() + kV4, text.data(), text.size());
    else ::inet_ntop(AF_INET6, a.data(), text.data(), text.size());
    return text.data();
}

std::optional<std::uint32_t> v4Of(const AddressKey& a) noexcept {
    if (!isV4(a)) return {};
    std::uint32_t number = 0;
    for (std::size_t i = kV4; i < a.size(); ++i)
        number = number << 8 | a[i];
    return number;
}

bool isLoopback(const AddressKey& a) noexcept {
    constexpr AddressKey kV6{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
    return isV4(a) ? a[kV4] == 127 : a == kV6;
}

bool AddressRange::contains(const AddressKey& a) const noexcept {
    const std::size_t whole = bits / 8u;
    if (!std::equal(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(whole), a.begin())) return false;
    const unsigned rest = bits % 8u;
    return rest == 0 || (first[whole] ^ a[whole]) >> (8 - rest) == 0;
}

std::optional<AddressRange> parseAddressRange(std::string_view text) noexcept {
    const std::size_t slash = text.find('/');
    const std::optional<AddressKey> first = parseAddress(text.substr(0, slash));
    if (!first) return {};
    AddressRange range{*first, 128};
    if (slash == std::string_view::npos) return range;
    const std::string_view digits = text.substr(slash + 1);
    // An IPv4 address written as IPv6 has the length of IPv6.
    const unsigned before = isV4(*first) && text.find(':') == std::string_view::npos ? 96 : 0;
    unsigned bits = 0;
    const auto [end, ec] = std::from_chars(digits.data(), digits.data() + digits.size(), bits);
    if (ec != std::errc() || end != digits.data() + digits.size() || bits > 128 - before) return {};
    range.bits = static_cast<std::uint8_t>(bits + before);
    // A length that cuts the address in the middle is a slip of the pen: 10.0.0.7/8 would trust all of 10.
    for (unsigned bit = range.bits; bit < 128; ++bit)
        if ((range.first[bit / 8] >> (7 - bit % 8) & 1) != 0) return {};
    return range;
}

}  // namespace emissary::eta
