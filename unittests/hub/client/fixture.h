// A consumer port on loopback with a clock that stands still: real sockets and a real flow, behind them a supply that
// notes what it is asked. With EMISSARY_HUB_TEST_THREADS above 1 other threads serve the connections.
#pragma once

#include "eta/codec/containers.h"
#include "hub/client/ClientPort.h"
#include "hub/fanout/FanOut.h"
#include "hub/flow/ItemLife.h"
#include "hub/relay/Relay.h"
#include "reactor/JsonLayer.h"
#include "support/RawConsumer.h"
#include "support/StillClock.h"

#include <cstdlib>
#include <deque>
#include <string>
#include <vector>

namespace emissary::test {

using namespace hub;
using namespace hub::client;
namespace rdm = reactor::rdm;
namespace Filter = reactor::rdm::DirectoryFilter;
using codec::MsgClass;
namespace RefreshFlag = codec::RefreshFlag;
namespace RequestFlag = codec::RequestFlag;

class TestSource final : public Source {
public:
    TestSource() : Source(kUpstream, "test", 1) {}
    [[nodiscard]] bool up() const noexcept override { return true; }
    [[nodiscard]] bool takesPosts() const noexcept override { return true; }
    eta::Error post(const Client&, Item*, std::uint16_t, Msg&) override { return {}; }
    eta::Error generic(Item*, Msg&) override { return {}; }
};

/// Verdicts as the test says, at once or later.
class TestCheck final : public LoginCheck {
public:
    std::optional<LoginVerdict> verdict = LoginVerdict{};
    std::vector<LoginAsk> asked;
    std::uint64_t ticket = 0, cancelled = 0;
    LoginVerdicts* to = nullptr;
    std::optional<LoginVerdict> check(const LoginAsk& ask, std::uint64_t t, LoginVerdicts& answers) override {
        asked.push_back(ask);
        ticket = t;
        to = &answers;
        return verdict;
    }
    void cancel(std::uint64_t t) noexcept override { cancelled = t; }
};

class PortFixture : public Supply, public flow::GroupMap, public post::PostRouter {
public:
    explicit PortFixture(ClientOptions options = defaults(), ListenerSettings listener = rwf())
        : loop(reactorOptions()) {
        const std::lock_guard guard(loop.lock());
        Service& feed = add("FEED", 3);
        feed.policy.cache.rule = CachePolicy::Rule::all;
        feed.merged.info.capabilities = {6, 7, 10, 127};
        feed.merged.info.qos = {{1, 1, false, 0, 0}, {2, 2, false, 0, 0}};
        options.log = [this](Severity severity, const std::string& line) {
            lines.push_back(line);
            severities.push_back(severity);
        };
        const hub::client::Rooms rooms{loop, clients, items, mounts, services, out, views, flow, *this, relay.get()};
        port = std::make_unique<ClientPort>(rooms, std::move(options), check, std::vector{std::move(listener)});
        const eta::Refused refused = port->listen();
        INFO(refused.text);
        REQUIRE_FALSE(refused);
        if (relay) relay->start();
    }
    ~PortFixture() {
        const std::lock_guard guard(loop.lock());
        if (relay) relay->stop();
        port.reset();
    }
    static ClientOptions defaults() {
        ClientOptions o = ClientOptions::of({});
        o.hostName = "hub1";
        o.loginProbeTime = {};
        return o;
    }
    static ListenerSettings rwf() {
        ListenerSettings s;
        s.name = "consumers";
        s.bind.port = "0";
        s.bind.interfaceName = "127.0.0.1";
        return s;
    }
    static ListenerSettings webSocket() {
        ListenerSettings s = rwf();
        s.bind.connectionType = eta::transport::ConnectionType::webSocket;
        return s;
    }
    reactor::ReactorOptions reactorOptions() {
        reactor::ReactorOptions o;
        o.clock = &clock;
        o.jsonLayer = reactor::jsonLayer();
        return o;
    }
    Service& add(std::string_view name, std::uint16_t id, bool up = true) {
        Service& s = *services.add(name, id);
        s.supply = this;
        s.merged.id = s.id;
        s.merged.filters = Filter::info | Filter::state;
        s.merged.info.name = name;
        s.merged.info.capabilities = {6};
        s.merged.state.up = up;
        return s;
    }
    Service& feed() { return *services.find("FEED"); }

    // --- the loop
    void turn() { loop.dispatch(std::chrono::microseconds(0), 100); }
    void runUntil(const std::function<bool()>& done) {
        const auto end = std::chrono::steady_clock::now() + RawConsumer::kPatience;
        while (!done()) {
            REQUIRE(std::chrono::steady_clock::now() < end);
            loop.dispatch(std::chrono::microseconds(1000), 100);
        }
    }
    template <class F>
    auto locked(F f) {
        const std::lock_guard guard(loop.lock());
        return f();
    }
    [[nodiscard]] RawConsumer connect() {
        return RawConsumer(port->port(), [this] { turn(); });
    }
    [[nodiscard]] RawConsumer loggedIn(std::string_view user = "dana", rdm::LoginAttributes attributes = {}) {
        RawConsumer c = connect();
        login(c, user, attributes);
        const Received answer = c.next();
        REQUIRE(answer.msg.cls == MsgClass::Refresh);
        REQUIRE(answer.msg.state.stream == codec::StreamState::open);
        return c;
    }
    static void login(RawConsumer& c, std::string_view user, const rdm::LoginAttributes& attributes,
                      std::uint16_t flags = 0, std::int32_t stream = 1) {
        std::vector<std::byte> room(4096);
        eta::BeWriter out(room);
        REQUIRE(rdm::encodeLogin(out, attributes).ok());
        Msg m;
        rdm::makeLoginRequest(m, user, 1, out.view(), flags);
        m.streamId = stream;
        c.send(m);
    }
    /// Nothing has come although everything sent so far has been dealt with: asks for the directory as it is, which
    /// passes through all threads.
    [[nodiscard]] static bool silent(RawConsumer& c) {
        constexpr std::int32_t kUnused = 999'999;
        Msg m = RawConsumer::directoryRequest(3, kUnused);
        m.flags &= static_cast<std::uint16_t>(~RequestFlag::streaming);
        c.send(m);
        return c.next().msg.streamId == kUnused;
    }
    /// The client that logged in as this user.
    Client& client(std::string_view user = "dana") {
        for (std::uint32_t i = 0; i < clients.end(); ++i)
            if (Client* c = clients.find(i); c != nullptr && c->user == user) return *c;
        FAIL("no client");
        std::abort();
    }

    /// Payloads that were cut down to a view.
    [[nodiscard]] std::uint64_t filtered() { return loop.metrics().value("emissary_hub_filtered_total").value_or(0); }

    // --- items
    Item* item(std::string_view name, std::uint8_t domain = 6, std::uint16_t service = 3) {
        codec::MsgKey key;
        key.flags = codec::KeyFlag::name;
        key.name = eta::asBytes(name);
        return items.find(items.keyOf(service, domain, key));
    }
    /// A complete refresh Open/Ok with fields 22 and 25, or another state.
    void refresh(Item& to, codec::State state = {codec::StreamState::open, codec::DataState::ok, 0, {}}) {
        Msg m = message(MsgClass::Refresh);
        m.flags = RefreshFlag::complete | RefreshFlag::clearCache | RefreshFlag::solicited;
        m.state = state;
        flow.received(to, m);
    }
    void update(Item& to) {
        const Msg m = message(MsgClass::Update);
        flow.received(to, m);
    }
    Msg message(MsgClass cls) {
        static constexpr std::byte group[2]{};
        Msg m;
        m.cls = cls;
        m.domain = 6;
        m.groupId = group;
        m.containerType = codec::DataType::FieldList;
        codec::FieldListEncoder list;
        list.begin(payload_.start());
        list.addUInt(22, 1);
        list.addUInt(25, 2);
        REQUIRE(list.complete().ok());
        m.payload = payload_.view();
        return m;
    }

    // --- Supply
    void wanted(Item& i) override {
        asked.push_back("wanted " + i.name());
        if (memoryShort) throw std::bad_alloc();
        if (serves) {
            flow::ItemLife::apply(i, flow::Event::requested);
            flow.bind(i, &source, 1);
        } else {
            flow::ItemLife::apply(i, flow::Event::parked);
        }
        if (serves && answers) refresh(i);
    }
    void refreshWanted(Item& i) override { asked.push_back("refresh " + i.name()); }
    void unwanted(Item& i) override {
        asked.push_back("unwanted " + i.name());
        flow.erase(i);
    }
    void mountsChanged(Item& i) override { asked.push_back("changed " + i.name()); }
    void untrusted(Item& i) override { asked.push_back("untrusted " + i.name()); }
    std::vector<std::string> takeAsked() { return std::exchange(asked, {}); }
    bool serves = true, answers = true, memoryShort = false;

    // --- GroupMap
    void put(Item& i, Bytes) override { number(i, 1); }
    void take(Item& i) noexcept override { number(i, 0); }

    // --- PostRouter
    void onPost(Client& c, Item* i, const Msg& m) override {
        posts.push_back(c.user + " " + (i != nullptr ? i->name() : "off-stream") + " " + std::to_string(m.postId));
    }
    void onGeneric(Client& c, Item* i, const Msg& m) override {
        posts.push_back(c.user + " " + (i != nullptr ? i->name() : "admin") + " generic of " +
                        std::to_string(m.domain));
    }
    void onClientGone(Client& c) noexcept override { gone.push_back(c.user); }

    StillClock clock;
    reactor::Reactor loop;
    TestSource source;
    ItemTable items;
    ClientTable clients;
    ServiceTable services{{}, {}};
    Mounts mounts{items, clients};
    ViewTable views;
    fanout::FanOut fanOut{clients, views, loop, {}, [this](Client& c, fanout::SlowClients::Cut, const std::string& r) {
                              port->cutOff(c, client::endingOf(client::EndReason::slow, r));
                          }};
    std::unique_ptr<hub::relay::Relay> relay = makeRelay();
    ClientOutput& out = relay ? static_cast<ClientOutput&>(*relay) : fanOut;
    Outputs outputs{out, clients};
    flow::ItemFlow flow{{items, clients, services, mounts, outputs, *this, views}};
    TestCheck check;
    std::unique_ptr<ClientPort> port;
    std::vector<std::string> asked, posts, gone, lines;
    std::vector<Severity> severities;  ///< of `lines`

private:
    /// The threads of the connections have the clock of the test, and look at it when something comes.
    std::unique_ptr<hub::relay::Relay> makeRelay() {
        const char* const threads = std::getenv("EMISSARY_HUB_TEST_THREADS");
        if (threads == nullptr || std::atoi(threads) < 2) return nullptr;
        hub::relay::RelayOptions o;
        o.fronts = static_cast<std::uint32_t>(std::atoi(threads)) - 1;
        o.clock = &clock;
        o.renew = [this](Item& item, bool state, const auto& lacks) { return flow.renew(item, state, lacks); };
        o.renewed = [this](Item& item) { flow.renewed(item); };
        const std::lock_guard guard(loop.lock());
        return std::make_unique<hub::relay::Relay>(loop, items, clients, views, o);
    }
    reactor::GrowingBuffer payload_;
};

/// Elements of a list as "Name=value", in their order.
inline std::vector<std::string> elementsOf(Bytes list) {
    std::vector<std::string> out;
    codec::ElementListDecoder in;
    REQUIRE(in.start(list).ok());
    for (codec::ElementEntry e; in.next(e);) {
        std::string text(eta::asText(e.name));
        std::uint64_t v = 0;
        if (e.type == codec::DataType::UInt) {
            REQUIRE(codec::decodeUInt(e.data, v) == codec::Decoded::value);
            text += "=" + std::to_string(v);
        } else {
            text += "='" + std::string(eta::asText(e.data)) + "'";
        }
        out.push_back(text);
    }
    REQUIRE(in.error().ok());
    return out;
}

}  // namespace emissary::test
