// A service that a JSON message names and that has no id where it came in (json.md 9.3).
#pragma once

#include "eta/codec/Msg.h"

#include <string_view>

namespace emissary::eta::json {

/// The extended header of such a message, in front of the service's name; its key then has no service id.
inline constexpr std::string_view kCarriedService = "JSON Service ";
/// The longest name that an extended header has room for.
inline constexpr std::size_t kLongestCarriedService = 255 - kCarriedService.size();

/// The name, which borrows the message; empty: it carries none. Whether the message did come as JSON is for the caller
/// to know: RWF may say anything in an extended header.
[[nodiscard]] inline std::string_view carriedService(const codec::Msg& m) noexcept {
    if (!m.hasExtendedHeader() || (m.hasKey() && m.key.has(codec::KeyFlag::serviceId))) return {};
    const std::string_view header = asText(m.extendedHeader);
    return header.starts_with(kCarriedService) ? header.substr(kCarriedService.size()) : std::string_view{};
}

/// The service has an id now: the key has it, and the name is not carried any further.
inline void giveServiceId(codec::Msg& m, std::uint16_t id) noexcept {
    m.flags &= static_cast<std::uint16_t>(~codec::detail::hasExtendedHeader[static_cast<std::size_t>(m.cls)]);
    m.extendedHeader = {};
    m.key.flags |= codec::KeyFlag::serviceId;
    m.key.serviceId = id;
}

}  // namespace emissary::eta::json
