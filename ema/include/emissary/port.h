// The port that an interactive OmmProvider listens on: an addition to the EMA API.
#pragma once

#include <cstdint>

namespace refinitiv::ema::access {
class OmmProvider;
}  // namespace refinitiv::ema::access

namespace emissary {

/// The port, also where "0" was asked for and the system has chosen it; 0 for a non-interactive provider, and for one
/// that did not start. Any thread, also inside callbacks; waits for the callback that is running, if another thread
/// runs one. Throws nothing.
[[nodiscard]] std::uint16_t listeningPort(const refinitiv::ema::access::OmmProvider& provider);

}  // namespace emissary
