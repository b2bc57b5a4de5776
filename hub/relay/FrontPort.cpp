// Passes events and messages of a front's clients on to the thread that has the items.
#include "hub/relay/FrontPort.h"

#include "hub/relay/Front.h"
#include "reactor/rdm/request_payload.h"

#include <limits>
#include <new>
#include <utility>

namespace emissary::hub::relay {

using namespace eta::codec;
using Kind = ToStage::Kind;
using reactor::StreamEvent;

namespace {

[[nodiscard]] Client* clientOf(void* context) noexcept {
    return static_cast<Client*>(context);
}

}  // namespace

FrontPort::FrontPort(Front& front, std::uint8_t listener, const reactor::ProviderOptions& options, bool expandsEnums,
                     const client::WebRules& web)
    : front_(front), listener_(listener), expandsEnums_(expandsEnums), web_(web), departures_(front, listener),
      role_(front.reactor(), options, *this) {}

void FrontPort::onClientUp(std::uint64_t clientHandle, const eta::transport::ChannelInfo& info) {
    auto arrival = std::make_unique<Arrival>(info, role_.link(clientHandle)->sharedChannel());
    Client& client = front_.clients().add();
    client.handle = clientHandle;
    client.listener = listener_;
    client.link = role_.link(clientHandle);
    client.json = info.protocolType == eta::transport::kProtocolJson;
    client.expandsEnums = expandsEnums_;
    client.session = std::shared_ptr<ServingSide>(std::shared_ptr<ServingSide>(), this);  // the port outlives it
    front_.fanOut().admit(client);
    (void)role_.setContext(clientHandle, &client);
    ToStage up = record(Kind::up);
    up.client = client.index;
    up.handle = clientHandle;
    up.extra = arrival.release();
    front_.tell(up);
}

void FrontPort::end(Client& client, const client::Ending& ending) {
    ending_ = ending.reason;
    (void)role_.closeClient(client.handle, ending.text, ending.says);
    ending_ = client::EndReason::lost;
}

/// The role has found a reason by itself, unless end() has one.
void FrontPort::onClientEnding(std::uint64_t, void*, const reactor::ClientFarewell& farewell) {
    if (ending_ == client::EndReason::lost) ending_ = client::reasonOf(farewell);
}

void FrontPort::onClientDown(std::uint64_t, void* context, const std::string& reason) {
    const client::EndReason why = std::exchange(ending_, client::EndReason::lost);
    Client* const client = clientOf(context);
    if (client == nullptr) return;
    front_.fanOut().flush();
    const std::uint64_t bytesOut = client->link != nullptr ? client->link->channel()->counters().bytesWritten.get() : 0;
    client->link = nullptr;  // its number is free when the stage says so
    ToStage down = record(Kind::down);
    down.client = client->index;
    down.handle = static_cast<std::uint64_t>(why);
    down.extra = new Gone(reason, bytesOut);
    front_.tell(down);
}

void FrontPort::pass(Kind kind, const StreamEvent& event, const Msg& msg) {
    const Client* const client = clientOf(event.context);
    if (client == nullptr) return;
    ToStage r = record(kind);
    r.client = client->index;
    r.handle = event.handle;
    front_.tell(r, msg);
}

void FrontPort::onRequest(const StreamEvent& event, const Msg& m) {
    pass(Kind::request, event, m);
}

void FrontPort::onReissue(const StreamEvent& event, const Msg& m) {
    pass(Kind::reissue, event, m);
}

void FrontPort::onClose(const StreamEvent& event, const Msg& m) {
    pass(Kind::close, event, m);
}

void FrontPort::onPost(const StreamEvent& event, const Msg& m) {
    pass(Kind::post, event, m);
}

void FrontPort::onGeneric(const StreamEvent& event, const Msg& m) {
    pass(Kind::generic, event, m);
}

bool FrontPort::onItemMessage(const reactor::ItemClient& from, const Msg& m) {
    const Client* const client = clientOf(from.context);
    if (client == nullptr) return false;
    ToStage r = record(Kind::item);
    r.client = client->index;
    if (m.cls == MsgClass::Request && m.has(RequestFlag::batch)) [[unlikely]]
        r.marked = collides(*client, m);
    front_.tell(r, m.raw);
    return true;
}

/// A batch opens a stream for each name, with the ids behind its own. One of them may be a stream that this front has
/// answered itself: its id cannot be another item's.
bool FrontPort::collides(const Client& client, const Msg& batch) const {
    reactor::rdm::RequestPayload payload;
    if (readPayload(batch, payload).fault != reactor::rdm::PayloadFault::none) return false;
    const auto last =
        std::min<std::int64_t>(std::int64_t{batch.streamId} + static_cast<std::int64_t>(payload.names.size()),
                               std::numeric_limits<std::int32_t>::max());
    for (std::int64_t id = batch.streamId; id <= last; ++id)
        if (role_.hasStream(client.handle, static_cast<std::int32_t>(id))) return true;
    return false;
}

bool FrontPort::isItemStream(const reactor::ItemClient& from, std::int32_t streamId) const noexcept {
    const Client* const client = clientOf(from.context);
    return client != nullptr && client->mounts.contains(streamId);
}

reactor::JsonSources FrontPort::jsonSources() const noexcept {
    reactor::JsonSources sources = front_.jsonSources();
    sources.services = web_.services();
    sources.limits = web_.textLimits();
    return sources;
}

void FrontPort::onHandshakeFailed(const std::string& reason, std::uint64_t suppressed) {
    ToStage r = record(Kind::handshake);
    r.handle = suppressed;
    r.extra = new Text(reason);
    front_.tell(r);
}

void FrontPort::onRefused(std::uint64_t clientHandle, const std::string& text) {
    const eta::transport::ChannelInfo* const info = role_.channelInfo(clientHandle);
    ToStage r = record(Kind::line);
    r.extra = new Text((info != nullptr ? info->peerAddress : std::string("client")) + ": " + text);
    front_.tell(r);
}

/// The stage serves publishers. Without memory for that the connection ends here.
void FrontPort::onProviderLogin(const reactor::ItemClient& from, std::unique_ptr<reactor::Link> link,
                                eta::Bytes login) {
    front_.fanOut().flush();
    if (Client* const client = clientOf(from.context); client != nullptr) {
        client->link = nullptr;
        ToStage r = record(Kind::publishes);
        r.client = client->index;
        front_.tell(r);
    }
    try {
        departures_.begin(std::move(link), login);
    } catch (const std::bad_alloc&) {}
}

}  // namespace emissary::hub::relay
