// The login request of a consumer or non-interactive provider: settings, and what the application gave instead.
#pragma once

#include "Access/Include/ReqMsg.h"
#include "config/Settings.h"
#include "reactor/session/LoginOptions.h"

#include <cstdint>

namespace emissary::ema {

enum class LoginRole : std::uint8_t { consumer = 0, provider = 1 };

/// `given` (addAdminMsg(), or null) replaces those of name, name type and attributes that it has; the role of a
/// provider and, when wanted, the round-trip element are set in any case. Throws when it cannot be encoded.
[[nodiscard]] reactor::session::LoginOptions makeLoginRequest(const LoginSettings& settings,
                                                              const refinitiv::ema::access::ReqMsg* given,
                                                              LoginRole role, bool roundTrip);

}  // namespace emissary::ema
