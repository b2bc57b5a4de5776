// What an acceptor's user gets by default when a service goes: one ClosedRecover status for each of its streams.
#include "reactor/acceptor/AcceptorRole.h"

namespace emissary::reactor::acceptor {

using namespace eta::codec;

void AcceptorHandler::onServiceGone(std::uint64_t publisher, const PublishedStream& stream) {
    Msg status;
    status.cls = MsgClass::Status;
    status.domain = stream.domain;
    status.streamId = stream.streamId;
    status.flags = StatusFlag::state;
    // ClosedRecover: the items may be asked for again, here or elsewhere.
    status.state = {StreamState::closedRecover, DataState::suspect, 0,
                    eta::asBytes("The publisher has taken the service of this item back.")};
    onItem(publisher, stream, status);
}

}  // namespace emissary::reactor::acceptor
