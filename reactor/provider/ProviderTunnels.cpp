// Decides on requests for tunnels, and moves messages between their ends and the application.
#include "provider/ProviderTunnels.h"

#include "provider/ClientGuard.h"
#include "tunnel/ProviderEnd.h"

#include <utility>

namespace emissary::reactor {

using namespace eta::codec;
using tunnel::ClassOfService;

/// The wire of one connection's tunnels, and their list.
class ProviderTunnels::Client final : public tunnel::Wire {
public:
    Client(Session& session, Outbox& outbox) : handle(session.handle), session_(&session), outbox_(outbox) {}
    eta::Error tryWrite(Bytes message) noexcept override {
        if (session_ == nullptr || session_->dead) return {Errc::closed, 0};
        // Answers that wait keep their place.
        return session_->outbox.jobs.empty() ? session_->link->send(message) : eta::Error{Errc::noBuffers, 0};
    }
    void write(const Msg& m) override {
        if (session_ != nullptr) outbox_.send(*session_, m);
    }
    /// The login is over: the record of the client may go before its tunnels do.
    void leave() noexcept { session_ = nullptr; }

    const std::uint64_t handle;
    std::map<std::int32_t, std::unique_ptr<Port>> ports;  // by stream id

private:
    Session* session_;
    Outbox& outbox_;
};

/// One tunnel, between its end and the application.
class ProviderTunnels::Port final : public tunnel::OfferedTunnel, private tunnel::End::User {
public:
    Port(ProviderTunnels& owner, Client& c, const tunnel::Setting& setting, tunnel::Identity identity,
         const ClassOfService& asked)
        : client(c), owner_(owner), end_(setting, std::move(identity), asked, *this) {}

    tunnel::SubmitFault submit(DataType type, Bytes data) override { return end_.submit(type, data); }
    tunnel::SubmitFault submit(const Msg& msg) override { return end_.submit(msg); }
    void close(bool finalStatus) override { end_.close(finalStatus); }
    std::uint32_t buffersUsed() const noexcept override { return end_.buffersUsed(); }
    const ClassOfService& classOfService() const noexcept override { return end_.classOfService(); }
    std::uint64_t clientHandle() const noexcept override { return client.handle; }

    [[nodiscard]] tunnel::ProviderEnd& end() noexcept { return end_; }
    // Until it is accepted the tunnel has no user, and what comes is dropped.
    void use(tunnel::TunnelUser& user) noexcept { user_ = &user; }

    Client& client;

private:
    void onStatus(tunnel::End&, const tunnel::Status& status) override {
        if (user_ != nullptr) user_->onTunnelStatus(*this, status);
    }
    void onData(tunnel::End&, DataType type, Bytes data) override {
        if (user_ != nullptr) user_->onTunnelMessage(*this, type, data);
    }
    void onFlushDue(tunnel::End&) override { owner_.due_.push_back(this); }
    void onEnded(tunnel::End&) override { owner_.ended(*this); }

    ProviderTunnels& owner_;
    tunnel::TunnelUser* user_ = nullptr;  // once it is accepted
    tunnel::ProviderEnd end_;
};

class ProviderTunnels::Call final : public tunnel::TunnelCall {
public:
    explicit Call(Port& port) : port_(port) {
        const tunnel::Identity& identity = port.end().identity();
        clientHandle = port.clientHandle();
        streamId = identity.streamId;
        domain = identity.domain;
        serviceId = identity.serviceId;
        name = identity.name;
        classOfService = port.end().classOfService();
    }
    eta::Refused accept(const ClassOfService& offered, std::uint32_t buffers, tunnel::TunnelUser& user) override {
        if (port_.end().answered()) return {"The request for this tunnel stream was answered already."};
        port_.use(user);
        return port_.end().accept(offered, buffers);
    }
    eta::Refused reject(const State& state, const ClassOfService* wanted) override {
        return port_.end().reject(state, wanted);
    }

private:
    Port& port_;
};

ProviderTunnels::ProviderTunnels(ProviderContext& context, ClientGuard& guard, Outbox& outbox)
    : TurnEnd(context.reactor), context_(context), guard_(guard), outbox_(outbox) {}
ProviderTunnels::~ProviderTunnels() = default;

ProviderTunnels::Client& ProviderTunnels::clientOf(Session& session) {
    std::unique_ptr<Client>& client = clients_[&session];
    if (!client) client = std::make_unique<Client>(session, outbox_);
    return *client;
}

bool ProviderTunnels::onMessage(Session& session, const Msg& m) {
    const bool asks = m.cls == MsgClass::Request && m.has(RequestFlag::qualified) && m.has(RequestFlag::privateStream);
    if (!asks && clients_.empty()) [[likely]]
        return false;
    // Without a login a tunnel request is refused where all others are.
    if (!asks || !guard_.mayAsk(session)) {
        const auto client = clients_.find(&session);
        if (client == clients_.end()) return false;
        const auto port = client->second->ports.find(m.streamId);
        if (port == client->second->ports.end()) return false;
        port->second->end().onMessage(m);
        return true;
    }
    onRequest(session, m);
    return true;
}

/// The checks of tunnel.md 1.6, in their order.
void ProviderTunnels::onRequest(Session& session, const Msg& m) {
    Client& client = clientOf(session);
    const auto reject = [&](const std::string& text) {
        ++counters_.refused;
        context_.handler.onRefused(session.handle, "tunnel stream refused: " + text);
        tunnel::sendRejection(client, m.streamId, m.domain, text);
    };
    if (listener_ == nullptr) return reject("Provider does not support TunnelStreams");
    const tunnel::Limits& limits = listener_->tunnelLimits();
    if (session.link->info().protocolType == eta::transport::kProtocolJson)
        return reject("TunnelStreams need a connection that carries RWF");
    if (client.ports.contains(m.streamId) || session.streams.slotOf(m.streamId) != StreamTable::kNone)
        return reject("TunnelStream is already open for stream id " + std::to_string(m.streamId));
    if (client.ports.size() >= limits.openTunnels)
        return reject("Too many TunnelStreams are open: " + std::to_string(limits.openTunnels) + " are allowed");
    if (!m.key.has(KeyFlag::filter) || m.containerType != DataType::FilterList)
        return reject("TunnelStream request must contain FILTER_LIST and have filter in message key");
    if (!m.key.has(KeyFlag::serviceId) || !m.key.has(KeyFlag::name))
        return reject("TunnelStream request must name its service by id, and itself");
    ClassOfService asked;
    if (!tunnel::decode(m.payload, asked).ok()) return reject("Failed to decode ClassOfService filter list.");
    if (asked.streamVersion > tunnel::kStreamVersion || asked.streamVersion == 0)
        return reject("Unsupported class of service stream version: " + std::to_string(asked.streamVersion));
    Port& port =
        *(client.ports[m.streamId] = std::make_unique<Port>(
              *this, client, tunnel::Setting{context_.reactor, client, counters_, limits},
              tunnel::Identity{m.streamId, m.domain, m.key.serviceId, std::string(eta::asText(m.key.name))}, asked));
    Call call(port);
    call.filter = m.key.filter;
    listener_->onTunnelRequest(call);
    if (!port.end().answered())
        // Neither accepted nor rejected inside the call: the request must not stay open (tunnel.md 1.6).
        (void)port.end().reject({StreamState::closed, DataState::suspect, 0,
                                 eta::asBytes("Provider did not accept or reject this stream.")});
}

void ProviderTunnels::ended(Port& port) {
    std::erase(due_, &port);
    auto& ports = port.client.ports;
    const auto at = ports.find(port.end().identity().streamId);
    if (at == ports.end() || at->second.get() != &port) return;
    // Destroyed at the end of the turn: the end may be on the stack.
    gone_.push_back(std::move(at->second));
    ports.erase(at);
}

void ProviderTunnels::clientGone(Session& session, Tell tell) {
    const auto at = clients_.find(&session);
    if (at == clients_.end()) return;
    std::unique_ptr<Client> client = std::move(at->second);
    clients_.erase(at);
    client->leave();
    if (tell == Tell::now) return endAll(std::move(client));
    leaving_.push_back(std::move(client));
    if (endsPosted_) return;
    try {
        context_.post([this] {
            endsPosted_ = false;
            for (std::unique_ptr<Client>& one : std::exchange(leaving_, {}))
                endAll(std::move(one));
        });
        endsPosted_ = true;
    } catch (const std::bad_alloc&) {}  // the client's end goes on; those who leave next try again, for all
}

void ProviderTunnels::endAll(std::unique_ptr<Client> client) {
    Client& c = *goneClients_.emplace_back(std::move(client));
    while (!c.ports.empty())
        c.ports.begin()->second->end().onConnectionLost();
}

void ProviderTunnels::onTurnEnd() noexcept {
    // Flushed once a turn, whatever the number of messages.
    for (Port* port : due_)
        port->end().flush();
    due_.clear();
    gone_.clear();
    goneClients_.clear();
}

void ProviderTunnels::trim() noexcept {
    for (const auto& [session, client] : clients_)
        for (const auto& [id, port] : client->ports)
            port->end().trim();
}

}  // namespace emissary::reactor
