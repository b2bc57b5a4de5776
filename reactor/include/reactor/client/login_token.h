// Logging in with a token.
#pragma once

#include "reactor/client/LoginOptions.h"

#include <string_view>

namespace emissary::reactor::client {

/// Logs in with this token: it becomes the element AuthenticationToken, in the place of one that was there, and the
/// name says nothing (rdm.md 2.1). False, and nothing has changed, when the attributes become too long for a key, or
/// are no element list.
[[nodiscard]] bool useToken(LoginOptions& login, std::string_view token);
/// The same for a login whose name is its token, as older programs make it; does nothing to others.
[[nodiscard]] bool settleToken(LoginOptions& login);

}  // namespace emissary::reactor::client
