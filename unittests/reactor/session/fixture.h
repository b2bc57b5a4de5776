// A role that is neither consumer nor provider on one connection, and scripted servers, on a clock that moves only when
// told to.
#pragma once

#include "session/ServerConnection.h"
#include "support/RawProvider.h"
#include "support/StillLoop.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <mutex>

namespace emissary::test {

using reactor::session::ServerConnection;
using State = ServerConnection::State;
using Strings = std::vector<std::string>;

/// Notes what its connection tells it. `log` has the owner's calls and the listener's in their order.
class Caller : public StillLoop, public reactor::session::ConnectionOwner, public reactor::session::ConnectionListener {
public:
    std::deque<RawProvider> servers;
    std::vector<reactor::session::ServerChannel> channels;
    reactor::session::ReconnectOptions reconnect;
    std::unique_ptr<reactor::session::ConnectionTo<Caller>> connection;
    Strings log, warnings;
    std::vector<std::int32_t> received;  ///< stream ids
    std::function<bool(const std::string& reason)> replace;
    std::function<void()> lost, waiting;  ///< inside onLost() and onWaiting()
    std::int32_t survives = -1;           ///< stream whose malformed messages do not end the connection

    explicit Caller(std::size_t count = 1) {
        for (std::size_t i = 0; i < count; ++i) {
            channels.push_back({"Channel_" + std::to_string(i + 1), {}});
            channels.back().connect.host = "127.0.0.1";
            channels.back().connect.port = std::to_string(servers.emplace_back().port());
        }
        reconnect.jitterSeed = 1;
        openLoop();
    }
    ~Caller() override {
        const std::lock_guard guard(loop->lock());
        connection.reset();
    }
    void start() {
        const std::lock_guard guard(loop->lock());
        connection = std::make_unique<reactor::session::ConnectionTo<Caller>>(*loop, "channel", channels, reconnect,
                                                                              *this, *this);
        connection->start();
    }
    void connected() {
        if (!connection) start();
        until([&] { return connection->state() == State::up; });
    }
    [[nodiscard]] bool logged(const std::string& part) const {
        return std::any_of(log.begin(), log.end(), [&](const std::string& l) { return l.find(part) != l.npos; });
    }

    void onServerMessage(codec::Msg& m) { received.push_back(m.streamId); }
    // --- ConnectionOwner
    void onConnected() override { log.push_back("onConnected"); }
    bool onReplace(const std::string& reason) override { return replace && replace(reason); }
    void onLost(const Loss& loss) override {
        log.push_back(loss.wasUp ? "onLost, was up" : "onLost, was not up");
        connection->announce(loss);
        if (lost) lost();
    }
    void onWaiting() override {
        log.push_back("onWaiting");
        if (waiting) waiting();
    }
    void onGivenUp(const std::string& text) override { log.push_back("onGivenUp: " + text); }
    bool outlivesMalformed(std::int32_t streamId) override { return streamId == survives; }
    // --- ConnectionListener
    void onConnection(reactor::session::ConnectionEvent event, const std::string& text) override {
        static constexpr const char* kNames[] = {"connecting", "connectFailed", "up",       "loggedIn", "loginRefused",
                                                 "ready",      "down",          "switched", "closed"};
        log.push_back(std::string(kNames[static_cast<std::size_t>(event)]) + ": " + text);
    }
    void onWarning(const std::string& text) override { warnings.push_back(text); }

protected:
    void pollPeers() override {
        for (RawProvider& s : servers)
            s.poll();
    }
    [[nodiscard]] std::vector<std::string> history() const override { return log; }
};

}  // namespace emissary::test
