// A consumer role and a scripted provider in one thread, on a clock that moves only when told to.
#pragma once

#include "reactor/consumer/ConsumerRole.h"
#include "reactor/rdm/Login.h"
#include "support/ItemJournal.h"
#include "support/RawProvider.h"
#include "support/StillLoop.h"

namespace emissary::test {

using reactor::consumer::ConsumerOptions;
using reactor::consumer::ConsumerRole;
using reactor::consumer::Handle;
using reactor::consumer::Recipient;
using reactor::consumer::Refusal;

class Consumer : public StillLoop, public ItemJournal {
public:
    RawProvider provider;
    std::unique_ptr<ConsumerRole> role;
    std::vector<RawProvider*> others;  ///< polled in turn with the first
    ConsumerOptions options;

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
        openLoop();
        locked([this] {
            role = std::make_unique<ConsumerRole>(*loop, options, *this);
            role->start();
        });
    }
    void ready() {
        start();
        until([&] { return role->phase() == ConsumerRole::Phase::ready; });
    }
    /// Everything that is under way has arrived: a marker went there and back.
    void settle() {
        provider.poll();
        if (!role->link()) return void(turn());
        const std::size_t before = probes();
        const codec::Msg probe = Probes::message();
        locked([&] {
            if (prober_ == 0) {
                Refusal refusal;
                prober_ = role->registerClient({request("user", 1), {}}, prober(), refusal);
            }
            REQUIRE_FALSE(role->submitGeneric(prober_, probe));
        });
        until([&] {
            for (auto it = provider.inbox.begin(); it != provider.inbox.end(); ++it) {
                if (it->msg.cls != codec::MsgClass::Generic || it->msg.streamId != 1) continue;
                provider.inbox.erase(it);
                std::erase_if(provider.wire, [](const std::string& s) { return s.starts_with("GEN 1 "); });
                provider.send(probe);
                break;
            }
            return probes() != before;
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
    /// A request without streaming.
    static codec::Msg snapshot(std::string_view name) {
        codec::Msg m = request(name);
        m.flags = 0;
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
    std::vector<std::string> takeWire() { return std::exchange(provider.wire, {}); }

protected:
    void pollPeers() override {
        provider.poll();
        for (RawProvider* p : others)
            p->poll();
    }
    [[nodiscard]] std::vector<std::string> history() const override {
        std::vector<std::string> lines = events;
        for (const auto& w : provider.wire)
            lines.push_back("wire " + w);
        return lines;
    }

private:
    std::deque<RawProvider::Got>::iterator find(std::string_view name) {
        return std::find_if(provider.inbox.begin(), provider.inbox.end(), [&](const RawProvider::Got& g) {
            return g.msg.cls == codec::MsgClass::Request && !g.msg.has(codec::RequestFlag::noRefresh) &&
                   g.msg.key.has(codec::KeyFlag::name) && g.name() == name;
        });
    }
    RawProvider::Got lastGot_;
    Handle prober_ = 0;
};

}  // namespace emissary::test
