// What stands behind AcceptorRole.
#pragma once

#include "acceptor/Publisher.h"
#include "acceptor/PublisherAnswers.h"
#include "eta/codec/Msg.h"
#include "eta/transport/Server.h"
#include "reactor/memory.h"

#include <map>

namespace emissary::reactor::acceptor {

/// The connections of one listening socket, or of one group.
struct AcceptorRole::Impl final : EventSource, MemoryOwner {
    Impl(Reactor& r, AcceptorOptions o, AcceptorHandler& h)
        : MemoryOwner(r), reactor(r), options(std::move(o)), handler(h) {}
    ~Impl() override {
        reactor.cancelTimer(guardTimer);
        reactor.cancelTimer(burialTimer);
        if (server) reactor.unwatch(server->fd());
    }

    void onReady(std::uint32_t) noexcept override;
    void trimMemory() noexcept override {
        for (const auto& [number, p] : publishers) {
            p->streams.trim();
            p->sender.trim();
        }
        answers.trim();
    }
    [[nodiscard]] std::size_t places() const noexcept override {
        std::size_t sum = 0;
        for (const auto& [number, p] : publishers)
            sum += p->streams.places();
        return sum;
    }
    void onMessage(Publisher& p, Bytes message);
    void awaitLogin(Publisher& p);
    void watch();
    void lookAfterAll();
    void onLogin(Publisher& p, const eta::codec::Msg& m);
    void loggedIn(Publisher& p, const eta::codec::Msg& m, const rdm::LoginAttributes& asked);
    void refused(Publisher& p, std::int32_t stream, const rdm::OwnedState& state);
    void release(Publisher& p);
    void onDirectory(Publisher& p, const eta::codec::Msg& m);
    void takeOn(Publisher& p);
    void finishTaking(Publisher& p);
    void directoryTaken(Publisher& p, const eta::codec::Msg& m);
    [[nodiscard]] bool takes(Publisher& p, const std::function<bool()>& goesOn);
    void onItem(Publisher& p, const eta::codec::Msg& m);
    void ignore(Publisher& p, const eta::codec::Msg& m, std::string_view why);
    void notRead(Publisher& p, const std::string& why);
    void end(Publisher& p, const std::string& reason);
    void bury();
    [[nodiscard]] eta::Refused join();
    void notLoggedIn(Publisher& p, const eta::codec::Msg& m);
    void freshLogin(Publisher& p);
    [[nodiscard]] Publisher* find(std::uint64_t number) const noexcept {
        const auto at = publishers.find(number);
        return at == publishers.end() || at->second->dead ? nullptr : at->second.get();
    }

    Reactor& reactor;
    AcceptorOptions options;
    AcceptorHandler& handler;
    std::unique_ptr<eta::transport::Server> server;
    std::map<std::uint64_t, std::unique_ptr<Publisher>> publishers;
    std::uint64_t next = 1;
    bool joined = false;
    TimerId guardTimer = 0, burialTimer = 0;
    AcceptorCounters counters;
    eta::codec::Msg incoming;
    PublisherAnswers answers{options};
};

}  // namespace emissary::reactor::acceptor
