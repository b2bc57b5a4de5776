// Configured services as the source directory's.
#pragma once

#include "config/Settings.h"
#include "reactor/rdm/Directory.h"

namespace emissary::ema {

[[nodiscard]] reactor::rdm::Service toService(const ServiceSettings& settings);
[[nodiscard]] eta::codec::Qos toQos(const ServiceQos& qos) noexcept;

}  // namespace emissary::ema
