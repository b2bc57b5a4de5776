// eta/transport/websocket: who stands behind proxies that say so (X-Forwarded-For; web-streaming.md section 4).
#pragma once

#include "eta/core/addresses.h"

#include <span>
#include <string_view>

namespace emissary::eta::transport::ws {

[[nodiscard]] bool isTrusted(std::span<const AddressRange> trusted, const AddressKey& address) noexcept;

/// What the header says of a connection that comes from a trusted proxy.
struct Forwarded {
    AddressKey address{};  ///< of the client; of the last trusted proxy where the header does not say
    bool readable = true;  ///< false: what stands where the client's address should be is none
};

/// Each proxy appends the address that it was called from, so the header is read from its end: the first address that
/// is not trusted is the client's, and what stands in front of it is hearsay. When all are trusted, the first one is.
/// `peer` is trusted.
[[nodiscard]] Forwarded clientBehind(std::string_view header, const AddressKey& peer,
                                     std::span<const AddressRange> trusted) noexcept;

}  // namespace emissary::eta::transport::ws
