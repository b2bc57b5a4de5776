// A consumer role and a scripted provider in one thread, on a clock that moves only when told to.
#pragma once

#include "reactor/consumer/ConsumerRole.h"
#include "reactor/rdm/Login.h"
#include "support/RawProvider.h"
#include "support/StillClock.h"
#include "support/catch.hpp"

#include <map>

namespace emissary::test {

using reactor::consumer::ConsumerOptions;
using reactor::consumer::ConsumerRole;
using reactor::consumer::Handle;
using reactor::consumer::Recipient;
using reactor::consumer::Refusal;

class Consumer : public reactor::consumer::ConsumerSink {
public:
    StillClock clock;
    RawProvider provider;
    std::unique_ptr<reactor::Reactor> loop;
    std::unique_ptr<ConsumerRole> role;
    std::vector<RawProvider*> others;  ///< polled in turn with the first
    std::function<void()> pump;        ///< whatever stands between; runs in every turn
    ConsumerOptions options;
    std::vector<std::string> events;  ///< "IBM RFSH Open/Ok/0"; the name given to the handle
    std::map<Handle, std::string> names;
    std::function<void(const codec::Msg&, const Recipient&)> hook;  ///< runs inside every callback
    std::vector<std::string> warnings, connection;

    Consumer() {
        options.channels.resize(1);
        options.channels[0].name = "Channel_1";
        options.channels[0].connect = connectOptions(provider.port());
        options.login.userName = "user";
        reactor::rdm::LoginAttributes a;
        a.applicationId = "256";
        a.applicationName = "ema";
        a.position = "127.0.0.1/net";
        a.role = 0;
        login(a);
        options.reconnect.jitterSeed = 1;
        options.downloadDictionaries = false;
    }
    ~Consumer() override {
        if (!loop) return;
        const std::lock_guard guard(loop->lock());
        if (role) role->shutdown();
        role.reset();
    }
    static eta::transport::ConnectOptions connectOptions(std::uint16_t port) {
        eta::transport::ConnectOptions o;
        o.host = "127.0.0.1";
        o.port = std::to_string(port);
        return o;
    }
    void login(const reactor::rdm::LoginAttributes& a) {
        reactor::GrowingBuffer b;
        REQUIRE(reactor::rdm::encodeLogin(b.start(), a).ok());
        options.login.attributes.assign(b.view().begin(), b.view().end());
    }

    void start() {
        reactor::ReactorOptions o;
        o.name = "test";
        o.clock = &clock;
        loop = std::make_unique<reactor::Reactor>(o);
        const std::lock_guard guard(loop->lock());
        role = std::make_unique<ConsumerRole>(*loop, options, *this);
        role->start();
    }
    void ready() {
        start();
        until([&] { return role->phase() == ConsumerRole::Phase::ready; });
    }
    void turn() {
        provider.poll();
        if (pump) pump();
        loop->dispatch(pump ? std::chrono::milliseconds(0) : std::chrono::milliseconds(1), 100);
        if (pump) pump();
        provider.poll();
        for (RawProvider* p : others)
            p->poll();
    }
    template <class Condition>
    void until(Condition condition) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        while (!condition()) {
            if (std::chrono::steady_clock::now() > end) {
                for (const auto& e : events)
                    UNSCOPED_INFO(e);
                for (const auto& w : provider.wire)
                    UNSCOPED_INFO("wire " << w);
                FAIL("what was waited for did not happen");
            }
            turn();
        }
    }
    /// Everything that is under way has arrived: a marker went there and back.
    void settle() {
        provider.poll();
        if (!role->link()) return void(turn());
        const std::size_t before = probes_;
        codec::Msg probe;
        probe.cls = codec::MsgClass::Generic;
        probe.domain = 1;
        probe.streamId = 1;
        probe.flags = codec::GenericFlag::seqNum;
        probe.seqNum = kProbe;
        const Handle h = prober();
        {
            const std::lock_guard guard(loop->lock());
            REQUIRE_FALSE(role->submitGeneric(h, probe));
        }
        until([&] {
            for (auto it = provider.inbox.begin(); it != provider.inbox.end(); ++it) {
                if (it->msg.cls != codec::MsgClass::Generic || it->msg.streamId != 1) continue;
                provider.inbox.erase(it);
                std::erase_if(provider.wire, [](const std::string& s) { return s.starts_with("GEN 1 "); });
                provider.send(probe);
                break;
            }
            return probes_ != before;
        });
    }

    static codec::Msg request(std::string_view name, std::uint8_t domain = 6) {
        codec::Msg m;
        m.cls = codec::MsgClass::Request;
        m.domain = domain;
        m.flags = codec::RequestFlag::streaming;
        m.key.flags = codec::KeyFlag::name;
        m.key.name = eta::asBytes(name);
        return m;
    }
    Handle open(const std::string& label, const codec::Msg& m, std::string_view service = "DIRECT_FEED") {
        const std::lock_guard guard(loop->lock());
        Refusal refusal;
        const Handle h = role->registerClient({m, service}, {this, nullptr, 0}, refusal);
        INFO(refusal.text);
        REQUIRE(h != 0);
        names[h] = label;
        return h;
    }
    Handle open(const std::string& name) { return open(name, request(name)); }
    void close(Handle h) {
        const std::lock_guard guard(loop->lock());
        CHECK_FALSE(role->unregister(h));
    }
    Refusal reissue(Handle h, const codec::Msg& m) {
        const std::lock_guard guard(loop->lock());
        return role->reissue(h, {m, {}});
    }
    Refusal post(Handle h, const codec::Msg& m, std::string_view service = {}) {
        const std::lock_guard guard(loop->lock());
        return role->submitPost(h, m, service);
    }
    /// Takes the request for this item that the provider got; fails when it does not come.
    codec::Msg expectRequest(std::string_view name) {
        until([&] { return find(name) != provider.inbox.end(); });
        const auto it = find(name);
        lastGot_ = std::move(*it);
        provider.inbox.erase(it);
        return lastGot_.msg;
    }
    Handle openAnswered(const std::string& name) {
        const Handle h = open(name);
        provider.send(RawProvider::refresh(expectRequest(name).streamId));
        expectEvent(name + " RFSH Open/Ok/0");
        return h;
    }
    void expectEvent(const std::string& wanted) {
        until([&] { return std::find(events.begin(), events.end(), wanted) != events.end(); });
    }
    [[nodiscard]] std::size_t count(const std::string& wanted) const {
        return static_cast<std::size_t>(std::count(events.begin(), events.end(), wanted));
    }
    std::vector<std::string> takeEvents() { return std::exchange(events, {}); }
    std::vector<std::string> takeWire() { return std::exchange(provider.wire, {}); }

    // --- ConsumerSink
    void onMessage(const codec::Msg& msg, const Recipient& to, std::string_view serviceName) override {
        if (msg.cls == codec::MsgClass::Generic && msg.has(codec::GenericFlag::seqNum) && msg.seqNum == kProbe) {
            if (to.closure == &probes_) ++probes_;
            return;
        }
        if (to.closure == &probes_) return;
        static constexpr const char* kNames[] = {"?", "?", "RFSH", "STAT", "UPD", "?", "ACK", "GEN", "?"};
        static constexpr const char* kStream[] = {"?", "Open", "NonStreaming", "ClosedRecover", "Closed", "Redirected"};
        static constexpr const char* kData[] = {"NoChange", "Ok", "Suspect"};
        std::string s = names.count(to.handle) != 0 ? names[to.handle] : "?" + std::to_string(to.handle);
        s += std::string(" ") + kNames[static_cast<std::size_t>(msg.cls)];
        if (msg.hasState() && msg.cls != codec::MsgClass::Update)
            s += std::string(" ") + kStream[msg.state.stream] + "/" + kData[msg.state.data] + "/" +
                 std::to_string(msg.state.code);
        if (msg.cls == codec::MsgClass::Ack) {
            s += " " + std::to_string(msg.ackId);
            if (msg.has(codec::AckFlag::nakCode)) s += " nak " + std::to_string(msg.nakCode);
        }
        events.push_back(s);
        lastService = std::string(serviceName);
        if (hook) hook(msg, to);
    }
    void onConnection(reactor::consumer::ConnectionEvent, const std::string& text) override {
        connection.push_back(text);
    }
    void onWarning(const std::string& text) override { warnings.push_back(text); }
    std::string lastService;

private:
    static constexpr std::uint32_t kProbe = 0xABCD;
    std::deque<RawProvider::Got>::iterator find(std::string_view name) {
        return std::find_if(provider.inbox.begin(), provider.inbox.end(), [&](const RawProvider::Got& g) {
            return g.msg.cls == codec::MsgClass::Request && !g.msg.has(codec::RequestFlag::noRefresh) &&
                   g.msg.key.has(codec::KeyFlag::name) && g.name() == name;
        });
    }
    Handle prober() {
        if (prober_ != 0) return prober_;
        const std::lock_guard guard(loop->lock());
        Refusal refusal;
        codec::Msg m = request("user", 1);
        prober_ = role->registerClient({m, {}}, {this, &probes_, 0}, refusal);
        return prober_;
    }
    RawProvider::Got lastGot_;
    Handle prober_ = 0;
    std::size_t probes_ = 0;
};

}  // namespace emissary::test
