// Messages that the room itself sends on streams of items: refusals, statuses of batches, acks of closes.
#pragma once

#include "hub/client/Context.h"

#include <string_view>

namespace emissary::hub::client {

/// Streams that are refused are no mounts, or no longer mounts.
class Replies {
public:
    explicit Replies(Context& context) noexcept : context_(context) {}

    /// A final status for a request that is not taken: the state is that of the reason (hub.md 5.1). Counted, and in
    /// the log now and then. `why` ends a sentence that begins with the request.
    void refuse(Client& client, const Msg& request, std::int32_t stream, Reason reason, std::string_view why);
    /// A status with this state, private when the request is, and with the request's key where that asked for keys.
    void status(Client& client, const Msg& request, std::int32_t stream, const eta::codec::State& state);
    /// The positive ack of a close.
    void closed(Client& client, const Msg& close, std::int32_t stream);

private:
    Context& context_;
};

}  // namespace emissary::hub::client
