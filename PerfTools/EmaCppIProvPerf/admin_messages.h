// What a provider says and reads on the streams of logins and of the directory.
#pragma once
#include "Ema.h"

#include <optional>
#include <vector>

namespace emissary::perf {

/// Fills in the answer that accepts a login. True when the client returns what measures the round trip.
bool acceptLogin(const refinitiv::ema::access::ReqMsg& login, refinitiv::ema::access::RefreshMsg& answer);

/// Whether we are told to be a standby, or the active server, of a warm standby pair: on the login stream for
/// everything, on the directory stream for the one service. Nothing: the message says nothing of it.
[[nodiscard]] std::optional<bool> standbyTold(const refinitiv::ema::access::GenericMsg& message);

/// The status that an item gets which we do not have.
void refuseItem(const refinitiv::ema::access::ReqMsg& request, refinitiv::ema::access::StatusMsg& status);

}  // namespace emissary::perf
