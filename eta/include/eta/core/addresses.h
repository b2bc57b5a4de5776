// eta/core: numeric addresses of hosts, and ranges of them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace emissary::eta {

/// An address in IPv6 form; one of IPv4 is mapped (::ffff:10.0.0.7).
using AddressKey = std::array<std::uint8_t, 16>;

/// "10.0.0.7", "fd00::7", "::ffff:10.0.0.7". Nothing when the text is no such address; names are not looked up.
[[nodiscard]] std::optional<AddressKey> parseAddress(std::string_view text) noexcept;

/// IPv4 as IPv4, IPv6 in its shortest form.
[[nodiscard]] std::string addressText(const AddressKey& address);

/// The number of an IPv4 address; nothing for IPv6.
[[nodiscard]] std::optional<std::uint32_t> v4Of(const AddressKey& address) noexcept;

/// Of the loopback: 127.0.0.0/8 or ::1.
[[nodiscard]] bool isLoopback(const AddressKey& address) noexcept;

/// Addresses that begin with the same bits.
struct AddressRange {
    AddressKey first{};
    std::uint8_t bits = 128;  ///< of the IPv6 form: 96 more than an IPv4 range says
    /// It begins with the same bits.
    [[nodiscard]] bool contains(const AddressKey& address) const noexcept;
    bool operator==(const AddressRange&) const = default;
};

/// "10.0.0.7", "10.0.0.0/8", "fd00::/8". Nothing when the text is no range, or has bits behind its length
/// ("10.0.0.7/8").
[[nodiscard]] std::optional<AddressRange> parseAddressRange(std::string_view text) noexcept;

}  // namespace emissary::eta
