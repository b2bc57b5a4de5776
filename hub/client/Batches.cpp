#include "hub/client/Batches.h"

#include "hub/client/Listener.h"

#include <limits>

namespace emissary::hub::client {

using namespace eta::codec;

void Batches::onRequest(Client& client, const Msg& m) {
    ++context_.counts.of.batches;
    RequestPayload payload;
    const PayloadError fault = readPayload(m, payload);
    const auto refuse = [&](Reason reason, std::string_view why) {
        if (context_.rooms.mounts.find(client, m.streamId) != nullptr) streams_.end(client, m, m.streamId, reason, why);
        else replies_.refuse(client, m, m.streamId, reason, why);
    };
    if (fault.fault != PayloadFault::none)
        return refuse(fault.fault == PayloadFault::view ? Reason::view : Reason::batch, fault.why);
    const std::size_t most = context_.options.maxBatchItems;
    if (most != 0 && std::max(payload.names.size(), payload.streams.size()) > most)
        return refuse(Reason::batchItems, "it has more items than a batch may have (MaxBatchItems)");
    if (payload.hasStreams) return reissue(client, m, payload);

    if (context_.rooms.mounts.find(client, m.streamId) != nullptr)
        return refuse(Reason::streamInUse, "the stream of a batch is a new one");
    if (m.has(RequestFlag::privateStream)) return refuse(Reason::batch, "private streams are opened one by one");
    if (m.key.has(KeyFlag::name)) return refuse(Reason::batch, "the key of a batch has no name");
    if (m.has(RequestFlag::view) && !payload.view)
        return refuse(Reason::view, "a view needs ':ViewType' and ':ViewData'");
    const auto last = std::int64_t{m.streamId} + static_cast<std::int64_t>(payload.names.size());
    if (last > std::numeric_limits<std::int32_t>::max())
        return refuse(Reason::batch, "its items would have stream ids beyond the highest there is");
    if (context_.collides || ClientSession::of(client).listener->connections().hasStream(
                                 client, m.streamId, static_cast<std::int32_t>(last)))
        return refuse(Reason::batch, "its items would have the stream id of a login, directory or dictionary");
    open(client, m, payload);
}

void Batches::open(Client& client, const Msg& batch, const RequestPayload& payload) {
    Msg item = batch;
    item.flags &= static_cast<std::uint16_t>(~RequestFlag::batch);
    item.key.flags |= KeyFlag::name;
    item.containerType = DataType::NoData;
    item.payload = item.raw = {};
    std::size_t good = 0;
    std::int32_t stream = batch.streamId;
    for (const Bytes name : payload.names) {
        ++stream;
        item.key.name = name;
        item.streamId = stream;
        if (context_.rooms.mounts.find(client, stream) == nullptr) {
            if (streams_.open(client, item, stream, payload, {})) ++good;
            continue;
        }
        // One status cannot close the new item alone: to the client the stream is one.
        ++context_.counts.of.requests;
        context_.rooms.flow.leave(client, stream);
        ++context_.counts.refused[Reason::streamInUse].requests;
        replies_.status(client, item, stream,
                        {StreamState::closed, DataState::suspect, 5,
                         eta::asBytes("The stream id of an item of the batch is in use.")});
    }
    done(client, batch, payload.names.size(), good);
}

void Batches::reissue(Client& client, const Msg& batch, const RequestPayload& payload) {
    std::size_t good = 0;
    for (const std::int32_t stream : payload.streams) {
        Item* const item = context_.rooms.mounts.itemOf(client, stream);
        if (item == nullptr) {
            ++context_.counts.of.ignored;
            continue;
        }
        ++good;
        streams_.reissue(client, *item, batch, stream, payload, {}, ItemStreams::Key::taken);
    }
    // A batch that came on the stream of an item has no stream of its own.
    if (context_.rooms.mounts.find(client, batch.streamId) == nullptr &&
        std::find(payload.streams.begin(), payload.streams.end(), batch.streamId) == payload.streams.end())
        done(client, batch, payload.streams.size(), good);
}

void Batches::done(Client& client, const Msg& batch, std::size_t items, std::size_t good) {
    const std::string text =
        "Processed " + std::to_string(items) + " items of the batch, " + std::to_string(good) + " of them were taken.";
    replies_.status(client, batch, batch.streamId, {StreamState::closed, DataState::ok, 0, eta::asBytes(text)});
}

void Batches::onClose(Client& client, const Msg& m) {
    RequestPayload payload;
    if (readPayload(m, payload).fault != PayloadFault::none || !payload.hasStreams)
        return void(++context_.counts.of.ignored);
    for (const std::int32_t stream : payload.streams) {
        if (context_.rooms.mounts.find(client, stream) == nullptr) {
            ++context_.counts.of.ignored;
            continue;
        }
        ++context_.counts.of.closes;
        context_.rooms.flow.leave(client, stream);
        if (m.has(CloseFlag::ack)) replies_.closed(client, m, stream);
    }
}

}  // namespace emissary::hub::client
