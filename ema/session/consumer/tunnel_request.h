// A request for a tunnel stream as the role takes it.
#pragma once

#include "Access/Include/TunnelStreamRequest.h"
#include "reactor/tunnel/TunnelRequest.h"

namespace emissary::ema {

/// Copies everything, the login in its wire form. Throws OmmInvalidUsageException for a request that names no service,
/// and for a login that cannot be encoded.
[[nodiscard]] reactor::tunnel::TunnelRequest
tunnelRequestOf(const refinitiv::ema::access::TunnelStreamRequest& request);

}  // namespace emissary::ema
