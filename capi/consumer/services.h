// capi/consumer: the services of a provider, from its directory.
#pragma once

#include "Ema.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace emissary::capi {

struct Service {
    std::string name;
    std::uint32_t id = 0;
    bool up = false;  ///< and accepts requests
};

/// Asks for the directory and dispatches until it has come; throws Failure(EMI_E_DIRECTORY) when it has not in time.
[[nodiscard]] std::vector<Service> servicesOf(refinitiv::ema::access::OmmConsumer& consumer,
                                              std::chrono::milliseconds patience);

}  // namespace emissary::capi
