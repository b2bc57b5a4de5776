// A request message as the roles take it.
#pragma once

#include "Access/Include/ReqMsg.h"
#include "data/MsgAccess.h"
#include "reactor/session/session_types.h"

namespace emissary::ema {

/// Borrows the message.
[[nodiscard]] inline reactor::session::RequestView viewOf(const refinitiv::ema::access::ReqMsg& request) {
    const bool named = MsgAccess::hasServiceName(request);
    return {MsgAccess::wire(request), named ? MsgAccess::serviceName(request) : std::string_view{}};
}

}  // namespace emissary::ema
