// A router over several scripted providers in one thread, on a clock that moves only when told to.
#pragma once

#include "reactor/consumer/fixture.h"
#include "reactor/routing/Router.h"

namespace emissary::test {

using reactor::routing::Router;
using reactor::routing::RouterOptions;

class Routed : public StillLoop, public ItemJournal {
public:
    std::vector<std::unique_ptr<RawProvider>> providers;  ///< one for each session: "S0", "S1" ...
    std::unique_ptr<Router> router;
    RouterOptions options;

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
        openLoop();
        locked([this] {
            router = std::make_unique<Router>(*loop, options, *this);
            router->start();
        });
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
    /// What was under way has arrived: every live session's provider sent a marker, and it came.
    void settle() {
        if (prober_ == 0) {
            Refusal refusal;
            locked([&] {
                prober_ = router->registerClient({Consumer::request("user", 1), {}}, {}, prober(), refusal);
            });
        }
        turn();
        std::size_t wanted = probes();
        for (std::size_t i = 0; i < providers.size(); ++i) {
            if (!ready(i) || !at(i).connected()) continue;
            at(i).send(Probes::message());
            ++wanted;
        }
        until([&] { return probes() >= wanted; });
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
    /// "1 DIRECT_FEED up" for each service of the merged directory.
    [[nodiscard]] std::vector<std::string> services() const {
        std::vector<std::string> lines;
        for (const auto& s : router->directory().services())
            lines.push_back(std::to_string(s->id) + " " + s->name() + (s->state.up ? " up" : " down"));
        return lines;
    }

protected:
    void pollPeers() override {
        for (const auto& p : providers)
            p->poll();
    }
    [[nodiscard]] std::vector<std::string> history() const override {
        std::vector<std::string> lines = events;
        lines.insert(lines.end(), connection.begin(), connection.end());
        for (const auto& p : providers)
            for (const auto& w : p->wire)
                lines.push_back("wire of " + std::to_string(p->port()) + " " + w);
        return lines;
    }

private:
    Handle prober_ = 0;
};

}  // namespace emissary::test
