// eta/core: names of hosts as the headers Host and Origin have them.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace emissary::eta {

/// A host and its port; views of the text that was split.
struct HostAndPort {
    std::string_view host;  ///< without brackets and without the dot at the end; empty: the text is none
    std::string_view port;  ///< digits; empty: none was written
};

/// "hub1:8080" -> {hub1, 8080}, "[::1]" -> {::1, }, "hub1." -> {hub1, }.
[[nodiscard]] HostAndPort splitHost(std::string_view text) noexcept;

/// Case does not matter.
[[nodiscard]] bool sameHost(std::string_view a, std::string_view b) noexcept;

/// A numeric address, localhost, or one of `names`. Any other name may have been made to lead here by somebody else
/// (DNS rebinding): a page of that name would count as one of this host.
[[nodiscard]] bool isOwnHost(std::string_view host, std::span<const std::string> names) noexcept;

/// A numeric address of the loopback, of IPv4, IPv6, or of IPv4 written as IPv6.
[[nodiscard]] bool isLoopback(std::string_view address) noexcept;

/// What one owner has: an IPv4 address as it is, of an IPv6 address the first 64 bits in hex. Anything else as it is.
[[nodiscard]] std::string networkOf(std::string_view address);

/// The machine's own name; empty if the system does not say.
[[nodiscard]] std::string machineName();

}  // namespace emissary::eta
