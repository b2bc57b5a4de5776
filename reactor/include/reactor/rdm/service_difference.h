// Whether services of one name, offered by several, are one service.
#pragma once

#include "reactor/rdm/Directory.h"

#include <string_view>

namespace emissary::reactor::rdm {

/// Bits: parts of ServiceInfo in which two services differ. An absent element equals its default.
namespace ServiceDifference {
inline constexpr std::uint32_t capabilities = 0x01, itemList = 0x02, qos = 0x04, dictionariesProvided = 0x08,
                               dictionariesUsed = 0x10;
}

/// 0: the services are interchangeable. Domains and dictionaries may be in any order, qualities of service may not
/// (best first). Names, vendors and the rest are not compared.
[[nodiscard]] std::uint32_t differences(const ServiceInfo& a, const ServiceInfo& b);

/// The element's name for logs ("QoS"), of the lowest bit that is set; empty for 0.
[[nodiscard]] std::string_view firstDifference(std::uint32_t differences) noexcept;

}  // namespace emissary::reactor::rdm
