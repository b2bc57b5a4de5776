// Takes the decoded header and the payload out of a public message.
#include "apply/wire_message.h"

#include "data/MsgAccess.h"

namespace emissary::book::detail {

const eta::codec::Msg& wireMessage(const refinitiv::ema::access::Msg& msg) {
    return ema::MsgAccess::wire(msg);
}

}  // namespace emissary::book::detail
