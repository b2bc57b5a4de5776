// Splits batches into single requests, and works through them a few in each turn.
#include "hub/client/Batches.h"

#include "hub/client/Listener.h"

#include <limits>

namespace emissary::hub::client {

using namespace eta::codec;

void Batches::onRequest(Client& client, const Msg& m) {
    ++context_.counts.of.batches;
    // Paid before the payload is read: a refused batch costs the turn as much to decode as a good one.
    context_.rooms.out.work().spend(m.payload.size() * TurnBudget::kList);
    RequestPayload payload;
    const PayloadError fault = readPayload(m, payload);
    // A batch may come on the stream of an open item (a reissue of many). A refusal must then end that stream, or the
    // client and the hub would disagree about whether it is open.
    const auto refuse = [&](Reason reason, std::string_view why) {
        if (context_.rooms.mounts.find(client, m.streamId) != nullptr) streams_.end(client, m, m.streamId, reason, why);
        else replies_.refuse(client, m, m.streamId, reason, why);
    };
    if (fault.fault != PayloadFault::none)
        return refuse(fault.fault == PayloadFault::view ? Reason::view : Reason::batch, fault.why);
    const std::size_t most = context_.options.maxBatchItems;
    // names opens items, streams reissues them; a batch has one of the two lists.
    if (most != 0 && std::max(payload.names.size(), payload.streams.size()) > most)
        return refuse(Reason::batchItems, "it has more items than a batch may have (MaxBatchItems)");
    // A list of streams reissues items that have stream ids already, so the checks for new streams below do not apply.
    if (!payload.streams.empty()) return begin(client, m);

    if (context_.rooms.mounts.find(client, m.streamId) != nullptr)
        return refuse(Reason::streamInUse, "the stream of a batch is a new one");
    if (m.has(RequestFlag::privateStream)) return refuse(Reason::batch, "private streams are opened one by one");
    if (m.key.has(KeyFlag::name)) return refuse(Reason::batch, "the key of a batch has no name");
    if (m.has(RequestFlag::view) && !payload.view)
        return refuse(Reason::view, "a view needs ':ViewType' and ':ViewData'");
    // The items get the ids that follow the batch's own (rdm.md), so the last one must still fit into 31 bits.
    const auto last = std::int64_t{m.streamId} + static_cast<std::int64_t>(payload.names.size());
    if (last > std::numeric_limits<std::int32_t>::max())
        return refuse(Reason::batch, "its items would have stream ids beyond the highest there is");
    // collides is the front's answer, taken when the message arrived; hasStream() asks the connection when this thread
    // serves it.
    if (context_.collides || ClientSession::of(client).listener->connections().hasStream(
                                 client, m.streamId, static_cast<std::int32_t>(last)))
        return refuse(Reason::batch, "its items would have the stream id of a login, directory or dictionary");
    begin(client, m);
}

/// The message is decoded once more, from bytes that live as long as the batch.
void Batches::begin(Client& client, const Msg& msg) {
    auto batch = std::make_unique<Batch>();
    batch->message.assign(msg.raw.begin(), msg.raw.end());
    if (!decodeMsg(batch->message, batch->msg).ok()) return;
    static_cast<void>(readPayload(batch->msg, batch->payload));
    if (batch->payload.view) {
        // The batch holds a reference of its own to the view: items of it may come and go before the last one is
        // opened.
        batch->view = context_.rooms.views.intern(*batch->payload.view);
        if (batch->view == 0)
            return replies_.refuse(client, msg, msg.streamId, Reason::view, ItemStreams::kTooManyViews);
    }
    ClientSession::of(client).batch = std::move(batch);
}

// One item in each call. Pace calls it until the budget of the client's slice is used up.
void Batches::goOn(Client& client) {
    Batch& batch = *ClientSession::of(client).batch;
    context_.rooms.out.work().spend(TurnBudget::kRequest);
    // counted() is false for a close batch: it opens nothing, so no request rate limits it.
    if (!batch.counted()) close(client, batch);
    else if (!batch.payload.streams.empty()) reissue(client, batch);
    else open(client, batch);
    if (++batch.next < batch.size()) return;
    done(client, batch);
    forget(client);
}

void Batches::forget(Client& client) noexcept {
    ClientSession& session = ClientSession::of(client);
    if (!session.batch) return;
    context_.rooms.views.release(session.batch->view);
    session.batch.reset();
}

void Batches::open(Client& client, Batch& batch) {
    Msg item = batch.msg;
    // Every item gets the header of the batch without what belongs to the batch alone: its flag and its list.
    item.flags &= static_cast<std::uint16_t>(~RequestFlag::batch);
    item.key.flags |= KeyFlag::name;
    item.key.name = batch.payload.names[batch.next];
    item.containerType = DataType::NoData;
    item.payload = item.raw = {};
    const auto stream = static_cast<std::int32_t>(batch.msg.streamId + static_cast<std::int64_t>(batch.next) + 1);
    item.streamId = stream;
    // A request that waits on this stream id is replaced by the item of the batch, as a single request would do it.
    const bool waited = streams_.drop(client, stream);
    if (!waited && context_.rooms.mounts.find(client, stream) == nullptr) {
        if (streams_.open(client, item, stream, batch.payload, {}, batch.view)) ++batch.good;
        return;
    }
    // The id was taken by another item after the batch began, so its stream is closed together with this one.
    // One status cannot close the new item alone: to the client the stream is one.
    ++context_.counts.of.requests;
    if (!waited) context_.rooms.flow.leave(client, stream);
    ++context_.counts.refused[Reason::streamInUse].requests;
    replies_.status(
        client, item, stream,
        {StreamState::closed, DataState::suspect, 5, eta::asBytes("The stream id of an item of the batch is in use.")});
}

// A batch carries no key, so there is nothing to compare with the stream (Key::taken).
void Batches::reissue(Client& client, Batch& batch) {
    const std::int32_t stream = batch.payload.streams[batch.next];
    Item* const item = context_.rooms.mounts.itemOf(client, stream);
    // Streams of the list that have gone meanwhile are no fault: the client may have closed them while the batch ran.
    if (item == nullptr) return void(++context_.counts.of.ignored);
    ++batch.good;
    streams_.reissue(client, *item, batch.msg, stream, batch.payload, {}, ItemStreams::Key::taken, batch.view);
}

void Batches::done(Client& client, const Batch& batch) {
    // A batch that came on the stream of an item has no stream of its own.
    const bool closes = !batch.counted();
    const std::vector<std::int32_t>& streams = batch.payload.streams;
    // Of a close, an answer on the stream of an item that stays open would be read as that item's end.
    if (!batch.payload.streams.empty() &&
        (context_.rooms.mounts.find(client, batch.msg.streamId) != nullptr ||
         (!closes && std::find(streams.begin(), streams.end(), batch.msg.streamId) != streams.end())))
        return;
    const std::string text = "Processed " + std::to_string(batch.size()) + " items of the batch; " +
                             std::to_string(batch.good) + " were " + (closes ? "closed." : "taken.");
    replies_.status(client, batch.msg, batch.msg.streamId, {StreamState::closed, DataState::ok, 0, eta::asBytes(text)});
}

// A close has no answer for faults, so a list that cannot be read is counted and dropped.
void Batches::onClose(Client& client, const Msg& m) {
    context_.rooms.out.work().spend(m.payload.size() * TurnBudget::kList);
    RequestPayload payload;
    if (readPayload(m, payload).fault != PayloadFault::none || payload.streams.empty())
        return void(++context_.counts.of.ignored);
    begin(client, m);
}

void Batches::close(Client& client, Batch& batch) {
    const std::int32_t stream = batch.payload.streams[batch.next];
    const bool waited = streams_.drop(client, stream);
    if (!waited && context_.rooms.mounts.find(client, stream) == nullptr) return void(++context_.counts.of.ignored);
    ++batch.good;
    ++context_.counts.of.closes;
    if (!waited) streams_.leave(client, stream);
    if (batch.msg.has(CloseFlag::ack)) replies_.closed(client, batch.msg, stream);
}

}  // namespace emissary::hub::client
