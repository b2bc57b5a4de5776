// Logins by token (hub.md 11.1).
#pragma once

#include "hub/client/LoginCheck.h"
#include "rest/TokenCheck.h"

#include <chrono>

namespace emissary::hub::access {

/// Whose login it is, by the token that comes with it; the name that the request says counts for nothing. `now` is the
/// time since 1970. Nothing of the token is in the verdict. Any thread.
[[nodiscard]] client::LoginVerdict decideByToken(const rest::TokenCheck& tokens, const client::LoginAsk& ask,
                                                 std::chrono::seconds now);

}  // namespace emissary::hub::access
