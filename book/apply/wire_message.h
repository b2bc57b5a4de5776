// The one place where books look behind the public API: the decoded header and the payload's bytes of a message.
#pragma once

#include "eta/codec/Msg.h"

namespace refinitiv::ema::access {
class Msg;
}

namespace emissary::book::detail {

/// A view without a copy, good as long as the message.
[[nodiscard]] const eta::codec::Msg& wireMessage(const refinitiv::ema::access::Msg& msg);

}  // namespace emissary::book::detail
