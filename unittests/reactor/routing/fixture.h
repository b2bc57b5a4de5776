// A router over several scripted providers in one thread, on a clock that moves only when told to.
#pragma once

#include "reactor/consumer/fixture.h"
#include "reactor/routing/Router.h"

namespace emissary::test {

using reactor::routing::Router;
using reactor::routing::RouterOptions;

class Routed : public reactor::consumer::ConsumerSink {
public:
    StillClock clock;
    std::vector<std::unique_ptr<RawProvider>> providers;  ///< one for each session: "S0", "S1" ...
    std::unique_ptr<reactor::Reactor> loop;
    std::unique_ptr<Router> router;
    RouterOptions options;
    std::vector<std::string> events;  ///< "IBM RFSH Open/Ok/0"; the name given to the handle
    std::vector<std::string> texts;   ///< of statuses, "login: text"
    std::map<Handle, std::string> names;
    std::function<void(const codec::Msg&, const Recipient&)> hook;
    std::vector<std::string> warnings, connection;
    std::string lastService;
    std::uint16_t lastServiceId = 0;
    bool lastSolicited = false;

    explicit Routed(std::size_t sessions) {
        Consumer plain;  // its login request and connect options
        for (std::size_t i = 0; i < sessions; ++i) {
            providers.push_back(std::make_unique<RawProvider>());
            reactor::routing::SessionChannel s;
            s.name = "S" + std::to_string(i);
            s.options = plain.options;
            s.options.channels[0].name = "C" + std::to_string(i);
            s.options.channels[0].connect = Consumer::connectOptions(providers[i]->port());
            options.sessions.push_back(std::move(s));
        }
    }
    ~Routed() override {
        if (!loop) return;
        const std::lock_guard guard(loop->lock());
        if (router) router->shutdown();
        router.reset();
    }
    RawProvider& at(std::size_t i) { return *providers[i]; }

    void start() {
        reactor::ReactorOptions o;
        o.name = "test";
        o.clock = &clock;
        loop = std::make_unique<reactor::Reactor>(o);
        const std::lock_guard guard(loop->lock());
        router = std::make_unique<Router>(*loop, options, *this);
        router->start();
    }
    [[nodiscard]] bool ready(std::size_t i) { return router->session(i).phase() == ConsumerRole::Phase::ready; }
    /// All sessions are, one after the other: which ids services get depends on the order.
    void allReady() {
        for (std::size_t i = 1; i < providers.size(); ++i)
            at(i).automatic.directory = false;
        start();
        until([&] { return ready(0); });
        for (std::size_t i = 1; i < providers.size(); ++i) {
            until([&] { return requested(i, "d4") != 0; });
            at(i).automatic.directory = true;
            at(i).sendDirectoryRefresh();
            until([&] { return ready(i); });
            at(i).inbox.clear();
        }
    }
    void turn() {
        for (const auto& p : providers)
            p->poll();
        loop->dispatch(std::chrono::milliseconds(1), 100);
        for (const auto& p : providers)
            p->poll();
    }
    template <class Condition>
    void until(Condition condition) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        while (!condition()) {
            if (std::chrono::steady_clock::now() > end) {
                for (const auto& e : events)
                    UNSCOPED_INFO(e);
                for (const auto& e : connection)
                    UNSCOPED_INFO(e);
                for (const auto& p : providers)
                    for (const auto& w : p->wire)
                        UNSCOPED_INFO("wire of " << p->port() << " " << w);
                FAIL("what was waited for did not happen");
            }
            turn();
        }
    }
    /// Moves the clock by small steps until the condition holds.
    template <class Condition>
    void later(Condition condition) {
        until([&] {
            if (condition()) return true;
            clock.advance(std::chrono::milliseconds(20));
            return false;
        });
    }
    /// What was under way has arrived: every live session's provider sent a marker, and it came.
    void settle() {
        if (prober_ == 0) {
            const std::lock_guard guard(loop->lock());
            Refusal refusal;
            prober_ = router->registerClient({Consumer::request("user", 1), {}}, {}, {this, &probes_, 0}, refusal);
        }
        turn();
        codec::Msg probe;
        probe.cls = codec::MsgClass::Generic;
        probe.domain = 1;
        probe.streamId = 1;
        probe.flags = codec::GenericFlag::seqNum;
        probe.seqNum = kProbe;
        std::size_t wanted = probes_;
        for (std::size_t i = 0; i < providers.size(); ++i) {
            if (!ready(i) || !at(i).connected()) continue;
            at(i).send(probe);
            ++wanted;
        }
        until([&] { return probes_ >= wanted; });
        turn();
    }

    Handle open(const std::string& label, const codec::Msg& m, std::string_view service = "DIRECT_FEED",
                std::span<const std::string> list = {}) {
        const std::lock_guard guard(loop->lock());
        Refusal refusal;
        const Handle h = router->registerClient({m, service}, list, {this, nullptr, 0}, refusal);
        INFO(refusal.text);
        REQUIRE(h != 0);
        names[h] = label;
        return h;
    }
    Handle open(const std::string& name, std::string_view service = "DIRECT_FEED") {
        return open(name, Consumer::request(name), service);
    }
    Handle openList(const std::string& name, const std::vector<std::string>& list) {
        return open(name, Consumer::request(name), {}, list);
    }
    Handle login() { return open("login", Consumer::request("user", 1), {}); }
    void close(Handle h) {
        const std::lock_guard guard(loop->lock());
        CHECK_FALSE(router->unregister(h));
    }
    Refusal reissue(Handle h, const codec::Msg& m, std::string_view service = {}) {
        const std::lock_guard guard(loop->lock());
        return router->reissue(h, {m, service});
    }
    Refusal post(Handle h, const codec::Msg& m, std::string_view service = {}) {
        const std::lock_guard guard(loop->lock());
        return router->submitPost(h, m, service);
    }
    Refusal generic(Handle h, const codec::Msg& m) {
        const std::lock_guard guard(loop->lock());
        return router->submitGeneric(h, m);
    }
    /// The stream id of a session's request for the item, answered or not; 0 = it has none.
    [[nodiscard]] std::int32_t requested(std::size_t i, const std::string& name) {
        std::int32_t id = 0;
        for (const std::string& line : at(i).wire)
            if (line.starts_with("REQ ") && (line.ends_with(" " + name) || line.find(" " + name + " ") != line.npos))
                id = std::stoi(line.substr(4));
        return id;
    }
    void expectRequest(std::size_t i, const std::string& name) {
        until([&] { return requested(i, name) != 0; });
    }
    void expectEvent(const std::string& wanted) {
        until([&] { return count(wanted) != 0; });
    }
    [[nodiscard]] std::size_t count(const std::string& wanted) const {
        return static_cast<std::size_t>(std::count(events.begin(), events.end(), wanted));
    }
    std::vector<std::string> takeEvents() { return std::exchange(events, {}); }
    /// "1 DIRECT_FEED up" for each service of the merged directory.
    [[nodiscard]] std::vector<std::string> services() const {
        std::vector<std::string> lines;
        for (const auto& s : router->directory().services())
            lines.push_back(std::to_string(s->id) + " " + s->name() + (s->state.up ? " up" : " down"));
        return lines;
    }

    // --- ConsumerSink
    void onMessage(const codec::Msg& msg, const Recipient& to, std::string_view serviceName) override {
        const bool probe = msg.cls == codec::MsgClass::Generic && msg.has(codec::GenericFlag::seqNum);
        if (to.closure == &probes_) return void(probes_ += probe ? 1 : 0);
        if (probe && msg.seqNum == kProbe) return;
        static constexpr const char* kNames[] = {"?", "?", "RFSH", "STAT", "UPD", "?", "ACK", "GEN", "?"};
        static constexpr const char* kStream[] = {"?", "Open", "NonStreaming", "ClosedRecover", "Closed", "Redirected"};
        static constexpr const char* kData[] = {"NoChange", "Ok", "Suspect"};
        const std::string label = names.count(to.handle) != 0 ? names[to.handle] : "?" + std::to_string(to.handle);
        std::string s = label + " " + kNames[static_cast<std::size_t>(msg.cls)];
        if (msg.hasState() && msg.cls != codec::MsgClass::Update)
            s += std::string(" ") + kStream[msg.state.stream] + "/" + kData[msg.state.data] + "/" +
                 std::to_string(msg.state.code);
        if (msg.cls == codec::MsgClass::Ack) s += " " + std::to_string(msg.ackId);
        if (msg.cls == codec::MsgClass::Status)
            texts.push_back(label + ": " + std::string(eta::asText(msg.state.text)));
        if (msg.cls == codec::MsgClass::Refresh) lastSolicited = msg.has(codec::RefreshFlag::solicited);
        if (msg.hasKey() && msg.key.has(codec::KeyFlag::serviceId)) lastServiceId = msg.key.serviceId;
        events.push_back(s);
        lastService = std::string(serviceName);
        if (hook) hook(msg, to);
    }
    void onConnection(reactor::consumer::ConnectionEvent, const std::string& text) override {
        connection.push_back(text);
    }
    void onWarning(const std::string& text) override { warnings.push_back(text); }

private:
    static constexpr std::uint32_t kProbe = 0xABCD;
    Handle prober_ = 0;
    std::size_t probes_ = 0;
};

}  // namespace emissary::test
