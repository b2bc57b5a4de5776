// Walks the addresses of X-Forwarded-For from the last one on.
#include "transport/websocket/forwarded.h"

#include "eta/core/host_names.h"
#include "transport/websocket/header_text.h"

#include <algorithm>
#include <optional>

namespace emissary::eta::transport::ws {

namespace {

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
        // A proxy on another machine that names the loopback means its own: another proxy there, which is walked over
        // where it is trusted, and never the client.
        const bool elsewhere = address && isLoopback(*address) && !isLoopback(found.address);
        if (elsewhere && isTrusted(trusted, *address)) continue;
        if (!address || elsewhere) {
            found.readable = false;
            return found;
        }
        found.address = *address;
        if (!isTrusted(trusted, *address)) return found;
    }
    return found;
}

}  // namespace emissary::eta::transport::ws
