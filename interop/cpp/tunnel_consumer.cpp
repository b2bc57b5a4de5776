// Opens tunnels to a provider and checks what comes through them: requests, generic messages of many sizes in both
// directions, posts, a login inside, a refusal, a close from either side, the end of the connection.
// TunnelProvider.java is the provider.
#include "line.h"
#include "tunnels.h"

#include <functional>
#include <map>
#include <memory>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

namespace {

class Client final : public OmmConsumerClient {
public:
    struct Stream {
        std::vector<std::string> states;
        unsigned refreshes = 0, echoes = 0, updates = 0, acks = 0;
        UInt64 parent = 0;
    };
    std::map<UInt64, Stream> streams;
    std::string problem;

private:
    void onRefreshMsg(const RefreshMsg&, const OmmConsumerEvent& e) override {
        ++streams[e.getHandle()].refreshes;
        streams[e.getHandle()].parent = e.getParentHandle();
    }
    void onStatusMsg(const StatusMsg& m, const OmmConsumerEvent& e) override {
        if (!m.hasState()) return;
        streams[e.getHandle()].states.push_back(std::string(m.getState().getStreamStateAsString().c_str()) + "/" +
                                                m.getState().getDataStateAsString().c_str() + " " +
                                                m.getState().getStatusText().c_str());
    }
    void onGenericMsg(const GenericMsg& m, const OmmConsumerEvent& e) override {
        compare(streams[e.getHandle()].echoes++, m.getPayload());
    }
    void onUpdateMsg(const UpdateMsg& m, const OmmConsumerEvent& e) override {
        compare(streams[e.getHandle()].updates++, m.getPayload());
    }
    void onAckMsg(const AckMsg& m, const OmmConsumerEvent& e) override {
        ++streams[e.getHandle()].acks;
        if (m.getAckId() != interop::kPostId) problem = "an acknowledgement of something else";
    }
    void compare(unsigned n, const Payload& payload) {
        if (payload.getDataType() != DataType::OpaqueEnum) {
            problem = "message " + std::to_string(n) + " has another payload";
            return;
        }
        const EmaBuffer& data = payload.getOpaque().getBuffer();
        const std::string difference = interop::differenceOf(n, data.c_buf(), data.length());
        if (!difference.empty() && problem.empty()) problem = difference;
    }
};

class Session {
public:
    explicit Session(const interop::Line& line) : patience_(line.patienceMillis()) {
        Map config;
        interop::describeConsumer(line, config, true);
        consumer_ = std::make_unique<OmmConsumer>(
            OmmConsumerConfig().config(config).consumerName("Interop").username("interop").operationModel(
                OmmConsumerConfig::UserDispatchEnum));
    }
    std::string run() {
        const UInt64 plain = open("PLAIN", false);
        const UInt64 first = openInside(plain);
        echo(first, interop::kEchoes);
        consumer_->submit(generic(interop::kBurst, 0), first);
        until("the updates of the burst", [&] { return client_.streams[first].updates == interop::kBurstUpdates; });
        consumer_->submit(PostMsg().domainType(MMT_MARKET_PRICE).postId(interop::kPostId).solicitAck(true).complete(),
                          first);
        until("the acknowledgement", [&] { return client_.streams[first].acks == 1; });
        consumer_->unregister(openInside(plain));

        const UInt64 withLogin = open("LOGIN", true);
        const UInt64 inside = openInside(withLogin);
        echo(inside, interop::kFewEchoes);
        refused();
        consumer_->unregister(plain);
        consumer_->submit(generic(interop::kCloseTunnel, 0), inside);
        ends(withLogin, "Open/Suspect", "Closed/Suspect");

        const UInt64 last = open("LAST", false);
        consumer_->submit(generic(interop::kEndConnection, 0), openInside(last));
        ends(last, "", "ClosedRecover/Suspect");
        return "open echo burst post login refused closed lost";
    }

private:
    static GenericMsg generic(unsigned domain, unsigned n) {
        const std::vector<char> bytes = interop::contentOf(n);
        return GenericMsg()
            .domainType(static_cast<UInt16>(domain))
            .complete(true)
            .payload(OmmOpaque().set(EmaBuffer(bytes.data(), static_cast<UInt32>(bytes.size()))));
    }
    static TunnelStreamRequest request(const char* name, bool login) {
        ClassOfService cos;
        cos.dataIntegrity(CosDataIntegrity().type(CosDataIntegrity::ReliableEnum))
            .flowControl(CosFlowControl().type(CosFlowControl::BidirectionalEnum).recvWindowSize(15'000));
        if (login) cos.authentication(CosAuthentication().type(CosAuthentication::OmmLoginEnum));
        return TunnelStreamRequest().name(name).serviceName("DIRECT_FEED").classOfService(cos);
    }
    UInt64 open(const char* name, bool login) {
        const UInt64 handle = consumer_->registerClient(request(name, login), client_);
        auto& states = client_.streams[handle].states;
        until(std::string("tunnel ") + name, [&] { return !states.empty(); });
        if (!states.front().starts_with("Open/Ok")) throw interop::Failed(std::string(name) + ": " + states.front());
        return handle;
    }
    UInt64 openInside(UInt64 tunnel) {
        const UInt64 handle = consumer_->registerClient(
            ReqMsg().domainType(MMT_MARKET_PRICE).name("INSIDE").serviceId(1), client_, nullptr, tunnel);
        until("an answer inside", [&] { return client_.streams[handle].refreshes == 1; });
        if (client_.streams[handle].parent != tunnel) throw interop::Failed("the stream inside has another parent");
        return handle;
    }
    /// Some are under way at once, more than the window takes.
    void echo(UInt64 handle, unsigned count) {
        const auto& stream = client_.streams[handle];
        for (unsigned sent = 0; sent < count; ++sent) {
            until("room for message " + std::to_string(sent), [&] { return sent - stream.echoes < 8; });
            consumer_->submit(generic(interop::kEcho, sent), handle);
        }
        until("the last echo", [&] { return stream.echoes == count; });
    }
    void refused() {
        const UInt64 handle = consumer_->registerClient(request("NO", false), client_);
        const auto& states = client_.streams[handle].states;
        until("the refusal", [&] { return !states.empty(); });
        if (states.front() != "Closed/Suspect not here") throw interop::Failed("the refusal says " + states.front());
    }
    /// `first` is left out where it is empty.
    void ends(UInt64 tunnel, std::string_view first, std::string_view second) {
        const auto& states = client_.streams[tunnel].states;
        const std::size_t due = first.empty() ? 2 : 3;
        until("the end of a tunnel", [&] { return states.size() >= due; });
        const bool asDue = states.size() == due && states.back().starts_with(second) && states[1].starts_with(first);
        if (!asDue) throw interop::Failed("a tunnel ends with " + states[1] + ", " + states.back());
    }
    void until(const std::string& what, const std::function<bool()>& done) {
        const UInt64 end = GetTime::getMillis() + patience_;
        while (!done()) {
            if (GetTime::getMillis() > end) throw interop::Failed(what + " did not come");
            consumer_->dispatch(100'000);
            if (!client_.problem.empty()) throw interop::Failed(client_.problem);
        }
    }

    const UInt64 patience_;
    Client client_;
    std::unique_ptr<OmmConsumer> consumer_;
};

}  // namespace

int main(int argc, char* argv[]) {
    return interop::report([&] { return Session(interop::Line(argc, argv)).run(); });
}
