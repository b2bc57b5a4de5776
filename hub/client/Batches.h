// Requests and closes that stand for many streams (hub.md 5.5).
#pragma once

#include "hub/client/ItemStreams.h"

namespace emissary::hub::client {

class Batches {
public:
    Batches(Context& context, Replies& replies, ItemStreams& streams) noexcept
        : context_(context), replies_(replies), streams_(streams) {}

    /// A request with HAS_BATCH: names to open on the stream ids behind its own, or streams to change. Refused, or
    /// begun (ClientSession::batch).
    void onRequest(Client& client, const Msg& request);
    /// A close with HAS_BATCH: of all streams of its list. Ignored, or begun.
    void onClose(Client& client, const Msg& close);
    /// The next item of the batch that is under way; it is over with its last one.
    void goOn(Client& client);
    /// The batch that is under way ends where it is.
    void forget(Client& client) noexcept;

private:
    void begin(Client& client, const Msg& msg);
    void open(Client& client, Batch& batch);
    void reissue(Client& client, Batch& batch);
    void close(Client& client, Batch& batch);
    /// The batch's own stream is over.
    void done(Client& client, const Batch& batch);

    Context& context_;
    Replies& replies_;
    ItemStreams& streams_;
};

}  // namespace emissary::hub::client
