// Accepts tunnels on the reactor, which alone has the provider's side: answers requests inside, sends generic messages
// back, sends of its own, closes when a message asks for it. TunnelConsumer.java is the consumer. Ends with its client.
#include "line.h"
#include "tunnels.h"

#include "reactor/provider/ProviderRole.h"
#include "reactor/tunnel/TunnelListener.h"

#include <deque>
#include <map>
#include <mutex>
#include <span>

using namespace emissary;
using namespace emissary::eta::codec;
using reactor::tunnel::OfferedTunnel;
using reactor::tunnel::SubmitFault;

namespace {

constexpr std::byte kGroup[2]{};

Msg refreshOf(const Msg& request, std::string_view text) {
    Msg m;
    m.cls = MsgClass::Refresh;
    m.streamId = request.streamId;
    m.domain = request.domain;
    m.flags = RefreshFlag::complete | RefreshFlag::solicited | RefreshFlag::msgKey;
    m.state = {1, 1, 0, eta::asBytes(text)};
    m.groupId = kGroup;
    m.key = request.key;
    return m;
}

class Source final : public reactor::ProviderHandler,
                     public reactor::tunnel::TunnelListener,
                     public reactor::tunnel::TunnelUser {
public:
    explicit Source(const interop::Line& line) {
        const std::lock_guard guard(loop_.lock());
        role_ = std::make_unique<reactor::ProviderRole>(loop_, optionsOf(line), *this);
        role_->serveTunnels(*this);
        if (const eta::Refused refused = role_->listen()) throw interop::Failed(refused.text);
    }
    ~Source() override {
        const std::lock_guard guard(loop_.lock());
        role_.reset();
    }
    /// Until the client has gone, and its tunnels: those of a client that this side closes end from the loop.
    void serve(std::chrono::seconds patience) {
        const auto end = std::chrono::steady_clock::now() + patience;
        while (!clientHasGone_ || ended_ < accepted_) {
            if (std::chrono::steady_clock::now() > end) throw interop::Failed("no client came and went in time");
            loop_.dispatch(std::chrono::milliseconds(10), 100);
            const std::lock_guard guard(loop_.lock());
            for (auto& [tunnel, queue] : waiting_)
                send(*tunnel, queue);
            if (!problem_.empty()) throw interop::Failed(problem_);
            if (endsConnection_) (void)role_->closeClient(client_, "as it was told");
        }
    }
    [[nodiscard]] std::string result() const {
        const std::string counts = "tunnels=" + std::to_string(accepted_) + " logins=" + std::to_string(logins_) +
                                   " refused=" + std::to_string(refused_) + " requests=" + std::to_string(requests_) +
                                   " echoes=" + std::to_string(echoes_) + " posts=" + std::to_string(posts_) +
                                   " closes=" + std::to_string(closes_) + " ended=" + std::to_string(ended_);
        // A consumer asks again with the older stream version before it believes a refusal.
        const std::string due =
            "tunnels=3 logins=1 refused=2 requests=4 echoes=" + std::to_string(interop::kEchoes + interop::kFewEchoes) +
            " posts=1 closes=1 ended=3";
        if (counts != due) throw interop::Failed("counted " + counts + ", due is " + due);
        return counts;
    }

private:
    static reactor::ProviderOptions optionsOf(const interop::Line& line) {
        using namespace eta::transport;
        reactor::ProviderOptions o;
        o.bind.port = line.port;
        o.bind.compression = static_cast<Compression>(line.compressionNumber());
        o.bind.webSocket.protocols = line.protocol;
        o.bind.connectionType = line.encrypted() ? ConnectionType::encrypted : ConnectionType::socket;
        if (line.encrypted()) {
            o.bind.tls.certificate = line.certificates + "/server.pem";
            o.bind.tls.privateKey = line.certificates + "/server-key.pem";
            if (!line.tls.empty()) o.bind.tls.versions = line.tls == "1.3" ? kTls13 : kTls12;
        }
        reactor::rdm::Service service;
        service.id = 1;
        service.filters = reactor::rdm::DirectoryFilter::info | reactor::rdm::DirectoryFilter::state;
        service.info.name = "DIRECT_FEED";
        service.info.capabilities = {6, 127};
        service.state.up = true;
        o.services.push_back(service);
        return o;
    }

    // --- ProviderHandler: of the connection, its login alone
    void onRequest(const reactor::StreamEvent& e, const Msg& m) override {
        Msg answer = refreshOf(m, "welcome");
        (void)role_->submit(e.handle, answer);
    }
    void onReissue(const reactor::StreamEvent&, const Msg&) override {}
    void onClose(const reactor::StreamEvent&, const Msg&) override {}
    void onPost(const reactor::StreamEvent&, const Msg&) override {}
    void onGeneric(const reactor::StreamEvent&, const Msg&) override {}
    void onClientUp(std::uint64_t client, const eta::transport::ChannelInfo&) override { client_ = client; }
    void onClientDown(std::uint64_t, void*, const std::string&) override { clientHasGone_ = true; }

    // --- TunnelListener
    void onTunnelRequest(reactor::tunnel::TunnelCall& call) override {
        if (call.name == "NO") {
            ++refused_;
            (void)call.reject({4, 2, 0, eta::asBytes("not here")});
        } else if (const eta::Refused refused = call.accept(call.classOfService, 50, *this)) {
            problem_ = refused.text;
        } else {
            ++accepted_;
        }
    }
    // --- TunnelUser
    void onTunnelStatus(OfferedTunnel& t, const reactor::tunnel::Status& s) override {
        if (s.state.stream == 1) return;
        waiting_.erase(&t);
        ++ended_;
    }
    void onTunnelMessage(OfferedTunnel& t, DataType type, eta::Bytes data) override {
        Msg m;
        if (type != DataType::Msg || !decodeMsg(data, m).ok()) {
            problem_ = "something came that is no message";
            return;
        }
        switch (m.cls) {
        case MsgClass::Request:
            ++(m.domain == 1 ? logins_ : requests_);
            return answer(t, refreshOf(m, m.domain == 1 ? "tunnel login accepted" : "here it is"));
        case MsgClass::Generic:
            return onGenericInside(t, m);
        case MsgClass::Post: {
            ++posts_;
            Msg ack;
            ack.cls = MsgClass::Ack;
            ack.streamId = m.streamId;
            ack.domain = m.domain;
            ack.ackId = m.postId;
            return answer(t, ack);
        }
        case MsgClass::Close:
            ++closes_;
            return;
        default:
            problem_ = std::string("a ") + name(m.cls) + " message inside";
        }
    }
    void onGenericInside(OfferedTunnel& t, const Msg& m) {
        switch (m.domain) {
        case interop::kEcho: {
            ++echoes_;
            Msg back = m;
            back.raw = {};
            return answer(t, back);
        }
        case interop::kBurst:
            for (unsigned n = 0; n < interop::kBurstUpdates; ++n) {
                const std::vector<char> bytes = interop::contentOf(n);
                Msg update;
                update.cls = MsgClass::Update;
                update.streamId = m.streamId;
                update.domain = 6;
                update.containerType = DataType::Opaque;
                update.payload = std::as_bytes(std::span(bytes));
                answer(t, update);
            }
            return;
        case interop::kCloseTunnel:
            return t.close(true);
        case interop::kEndConnection:
            endsConnection_ = true;
            return;
        default:
            problem_ = "a generic message of domain " + std::to_string(m.domain);
        }
    }

    /// In order, as there is room.
    void answer(OfferedTunnel& t, const Msg& m) {
        std::vector<std::byte> block(maxEncodedSize(m));
        eta::BeWriter out{block};
        if (!encodeMsg(out, m).ok()) {
            problem_ = "an answer that cannot be encoded";
            return;
        }
        block.resize(out.size());
        auto& queue = waiting_[&t];
        queue.push_back(std::move(block));
        send(t, queue);
    }
    void send(OfferedTunnel& t, std::deque<std::vector<std::byte>>& queue) {
        for (; !queue.empty(); queue.pop_front()) {
            const SubmitFault fault = t.submit(DataType::Msg, queue.front());
            if (fault == SubmitFault::full) return;
            if (fault != SubmitFault::none) problem_ = describe(fault);
        }
    }

    reactor::Reactor loop_{reactor::ReactorOptions()};
    std::unique_ptr<reactor::ProviderRole> role_;
    std::uint64_t client_ = 0;
    bool clientHasGone_ = false, endsConnection_ = false;
    std::map<OfferedTunnel*, std::deque<std::vector<std::byte>>> waiting_;
    std::string problem_;
    unsigned accepted_ = 0, refused_ = 0, ended_ = 0, logins_ = 0, requests_ = 0, echoes_ = 0, posts_ = 0, closes_ = 0;
};

}  // namespace

int main(int argc, char* argv[]) {
    return interop::report([&] {
        const interop::Line line(argc, argv);
        Source source(line);
        std::cout << "READY" << std::endl;
        source.serve(std::chrono::seconds(line.patienceSeconds));
        return source.result();
    });
}
