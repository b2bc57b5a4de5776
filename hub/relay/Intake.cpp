// Records of fronts on their way to the listeners that they name.
#include "hub/relay/Intake.h"

#include "hub/client/Listener.h"

#include <new>

namespace emissary::hub::relay {

using namespace eta::codec;

namespace {
constexpr std::size_t kRecordsATurn = 1024;
}

std::uint8_t Intake::add(client::Listener& listener) {
    listeners_.push_back(&listener);
    return static_cast<std::uint8_t>(listeners_.size() - 1);
}

/// The descriptor stays readable while there is more.
void Intake::takeFrom(Line& line) noexcept {
    const std::size_t count = line.front().toStage().take(kRecordsATurn, [&](const ToStage& r) {
        const std::unique_ptr<Extra> extra(r.extra);
        try {
            take(line, r);
        } catch (const std::bad_alloc&) {
            if (const Client* const client = r.kind != ToStage::Kind::up ? line.client(r.client) : nullptr)
                line.push(recordFor(*client, ToFront::Kind::close));
        }
    });
    counts_.received += count;
    line.front().roomMade();
    if (count == kRecordsATurn) return;
    line.wakeup().clear();
    if (!line.front().toStage().empty()) line.wakeup().signal();
}

void Intake::arrived(Line& line, const ToStage& r) {
    const auto& arrival = *static_cast<const Arrival*>(r.extra);
    Client& client = listeners_[r.listener]->arrived(r.handle, arrival.info, arrival.channel);
    client.slot = r.client;
    client.front = static_cast<std::uint32_t>(line.number());
    line.added(r.client, client);
}

void Intake::take(Line& line, const ToStage& r) {
    using In = ToStage::Kind;
    client::Listener& listener = *listeners_[r.listener];
    const auto text = [&]() -> const std::string& { return static_cast<const Text*>(r.extra)->text; };
    if (r.kind == In::up) return arrived(line, r);
    if (r.kind == In::line) return listener.tell(r.marked ? Severity::success : Severity::warning, text());
    if (r.kind == In::handshake) return listener.onHandshakeFailed(text(), r.handle);
    if (r.kind == In::detached) return published(listener, static_cast<const DetachedConnection&>(*r.extra));
    Client* const client = line.client(r.client);
    if (client == nullptr) return;  // memory was short when it came
    if (r.kind == In::publishes) return listener.publishes(*client);
    if (r.kind == In::unread) return void(client->unread = r.marked);
    if (r.kind == In::down) {
        const auto& gone = static_cast<const Gone&>(*r.extra);
        client::ClientSession& session = client::ClientSession::of(*client);
        if (const auto why = static_cast<client::EndReason>(r.handle); why != client::EndReason::lost)
            session.end = why;
        session.bytesOut = gone.bytesOut;
        return listener.onClientDown(client->handle, client, gone.reason);
    }
    Msg& m = inbound_;
    if (!decodeMsg({r.bytes, r.length}, m).ok()) return;  // the front has decoded it
    const reactor::StreamEvent event{r.handle, client->handle, client};
    switch (r.kind) {
    case In::request:
        return listener.onRequest(event, m);
    case In::reissue:
        return listener.onReissue(event, m);
    case In::close:
        return listener.onClose(event, m);
    case In::post:
        return listener.onPost(event, m);
    case In::generic:
        return listener.onGeneric(event, m);
    case In::item:
        collides_ = r.marked;
        (void)listener.onItemMessage({client->handle, client}, m);
        collides_ = false;
        return;
    case In::up:
    case In::down:
    case In::unread:
    case In::handshake:
    case In::line:
    case In::publishes:
    case In::detached:
        return;
    }
}

/// A front has given the connection away: from here on this thread reads it.
void Intake::published(client::Listener& listener, const DetachedConnection& detached) {
    struct Nobody final : reactor::LinkHandler {
        void onLinkUp(reactor::Link&) override {}
        void onLinkMessage(reactor::Link&, Bytes) override {}
        void onLinkDown(reactor::Link&, const std::string&, bool) override {}
    };
    static Nobody nobody;  // until a room has taken it, which is now
    const std::vector<Bytes> messages(detached.messages.begin(), detached.messages.end());
    listener.take(reactor_.resume(detached.channel, nobody), messages);
}

}  // namespace emissary::hub::relay
