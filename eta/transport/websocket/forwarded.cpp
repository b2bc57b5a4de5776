// Walks the addresses of X-Forwarded-For from the last one on.
#include "transport/websocket/forwarded.h"

#include "eta/core/host_names.h"

#include <algorithm>
#include <optional>

namespace emissary::eta::transport::ws {

namespace {

[[nodiscard]] std::string_view trim(std::string_view s) noexcept {
    while (!s.empty() && (s.front() == ' ' || s.front() == '\t'))
        s.remove_prefix(1);
    while (!s.empty() && (s.back() == ' ' || s.back() == '\t'))
        s.remove_suffix(1);
    return s;
}

/// Some proxies write the port too, "10.0.0.7:4711" or "[fd00::7]:4711".
[[nodiscard]] std::optional<AddressKey> addressOf(std::string_view entry) noexcept {
    if (const auto plain = parseAddress(entry)) return plain;
    return parseAddress(splitHost(entry).host);
}

}  // namespace

bool isTrusted(std::span<const AddressRange> trusted, const AddressKey& address) noexcept {
    return std::ranges::any_of(trusted, [&](const AddressRange& r) { return r.contains(address); });
}

Forwarded clientBehind(std::string_view header, const AddressKey& peer,
                       std::span<const AddressRange> trusted) noexcept {
    Forwarded found{peer, true};
    while (!header.empty()) {
        const std::size_t comma = header.rfind(',');
        const std::string_view entry = trim(header.substr(comma == std::string_view::npos ? 0 : comma + 1));
        header = header.substr(0, comma == std::string_view::npos ? 0 : comma);
        if (entry.empty()) continue;
        const std::optional<AddressKey> address = addressOf(entry);
        if (!address) {
            found.readable = false;
            return found;
        }
        found.address = *address;
        if (!isTrusted(trusted, *address)) return found;
    }
    return found;
}

}  // namespace emissary::eta::transport::ws
