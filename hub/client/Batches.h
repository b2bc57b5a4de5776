// Requests and closes that stand for many streams (hub.md 5.5).
#pragma once

#include "hub/client/ItemStreams.h"

namespace emissary::hub::client {

class Batches {
public:
    Batches(Context& context, Replies& replies, ItemStreams& streams) noexcept
        : context_(context), replies_(replies), streams_(streams) {}

    /// A request with HAS_BATCH: names to open on the stream ids behind its own, or streams to change.
    void onRequest(Client& client, const Msg& request);
    /// A close with HAS_BATCH: of all streams of its list.
    void onClose(Client& client, const Msg& close);

private:
    void open(Client& client, const Msg& batch, const RequestPayload& payload);
    void reissue(Client& client, const Msg& batch, const RequestPayload& payload);
    /// The batch's own stream is over.
    void done(Client& client, const Msg& batch, std::size_t items, std::size_t good);

    Context& context_;
    Replies& replies_;
    ItemStreams& streams_;
};

}  // namespace emissary::hub::client
