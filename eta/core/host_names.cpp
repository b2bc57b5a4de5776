// Splits and compares names of hosts.
#include "eta/core/host_names.h"

#include "eta/core/addresses.h"

#include <algorithm>

#include <unistd.h>

namespace emissary::eta {

namespace {

constexpr std::size_t kMaxName = 255, kMaxPort = 5;

[[nodiscard]] bool isAddress(std::string_view host) noexcept {
    return parseAddress(host).has_value();
}

/// Takes ":8080" or nothing.
[[nodiscard]] bool takePort(std::string_view rest, HostAndPort& into) noexcept {
    if (rest.empty()) return true;
    if (rest.front() != ':' || rest.size() > kMaxPort + 1) return false;
    into.port = rest.substr(1);
    return into.port.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

HostAndPort splitHost(std::string_view text) noexcept {
    HostAndPort r;
    if (text.size() > kMaxName + kMaxPort + 3) return r;
    const bool bracketed = text.starts_with('[');
    const std::size_t end = bracketed ? text.find(']') : std::min(text.find(':'), text.size());
    if (end == std::string_view::npos || !takePort(text.substr(bracketed ? end + 1 : end), r)) return {};
    r.host = bracketed ? text.substr(1, end - 1) : text.substr(0, end);
    if (!bracketed && r.host.ends_with('.')) r.host.remove_suffix(1);
    return r;
}

bool sameHost(std::string_view a, std::string_view b) noexcept {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; };
    return std::ranges::equal(a, b, [&](char x, char y) { return lower(x) == lower(y); });
}

bool isOwnHost(std::string_view host, std::span<const std::string> names) noexcept {
    if (host.empty() || host.size() > kMaxName) return false;
    if (sameHost(host, "localhost") || isAddress(host)) return true;  // an address leads nowhere else
    return std::ranges::any_of(names, [&](const std::string& one) { return sameHost(host, one); });
}

bool isLoopback(std::string_view address) noexcept {
    if (address.starts_with("::ffff:")) address.remove_prefix(7);
    return address.starts_with("127.") || address == "::1";
}

std::string networkOf(std::string_view address) {
    constexpr std::string_view kMapped = "::ffff:";
    if (address.starts_with(kMapped) && address.find('.') != std::string_view::npos)
        return std::string(address.substr(kMapped.size()));
    const std::optional<AddressKey> binary = parseAddress(address);
    if (!binary || address.find(':') == std::string_view::npos) return std::string(address);
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string made;
    for (std::size_t i = 0; i < 8; ++i) {
        made += kDigits[(*binary)[i] >> 4];
        made += kDigits[(*binary)[i] & 0xF];
    }
    return made;
}

std::string machineName() {
    std::array<char, kMaxName + 1> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : std::string();
}

}  // namespace emissary::eta
