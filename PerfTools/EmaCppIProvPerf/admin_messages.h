// What a provider says and reads on the streams of logins and of the directory, refusals, and posts given back.
#pragma once
#include "Ema.h"
#include "RequestInbox.h"

#include <optional>
#include <vector>

namespace emissary::perf {

/// Fills in the answer that accepts a login. True when the client returns what measures the round trip.
bool acceptLogin(const refinitiv::ema::access::ReqMsg& login, refinitiv::ema::access::RefreshMsg& answer);

/// The same for a login inside a tunnel stream: what it says is given back.
void acceptTunnelLogin(const refinitiv::ema::access::ReqMsg& login, refinitiv::ema::access::RefreshMsg& answer);

/// Whether the message makes this provider the standby (true) or the active server (false) of a warm standby pair: on
/// the login stream for everything, on the directory stream for one service. Empty: it is another message.
[[nodiscard]] std::optional<bool> standbyTold(const refinitiv::ema::access::GenericMsg& message);

/// The status that an item gets which we do not have.
void refuseItem(const refinitiv::ema::access::ReqMsg& request, refinitiv::ema::access::StatusMsg& status);

/// The status of a request beyond the open limit: closed for good, since a stream that may recover is requested again
/// at once (session.md 4.4), without end.
void refuseBeyond(std::uint32_t openLimit, const ItemEvent& request, refinitiv::ema::access::StatusMsg& status);
/// Makes the update that gives a post back on the stream that it came on.
void reflect(const refinitiv::ema::access::PostMsg& post, refinitiv::ema::access::UpdateMsg& update);

}  // namespace emissary::perf
