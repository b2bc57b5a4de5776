// Tells which port a provider listens on.
#include "emissary/port.h"

#include "session/provider/ProviderAccess.h"

namespace emissary {

std::uint16_t listeningPort(const refinitiv::ema::access::OmmProvider& provider) {
    return ema::ProviderAccess::port(provider);
}

}  // namespace emissary
