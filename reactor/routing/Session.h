// One session channel: its role, and what it says.
#pragma once

#include "reactor/routing/Router.h"

namespace emissary::reactor::routing {

using consumer::Recipient;
using Phase = ConsumerRole::Phase;

struct Session final : consumer::ConsumerSink {
    Session(Router::Impl& r, std::size_t i, SessionChannel channel);

    void onMessage(const eta::codec::Msg& msg, const Recipient& to, std::string_view serviceName) override;
    void onConnection(ConnectionEvent event, const std::string& text) override;
    void onWarning(const std::string& text) override;
    void onJsonFailure(const consumer::JsonFailure& failure) override;
    void onDirectory(bool there) override;
    /// Once; its stream stays through reconnects.
    void requestDirectory();
    [[nodiscard]] bool ready() const noexcept { return role->phase() == Phase::ready; }
    [[nodiscard]] bool closed() const noexcept { return role->phase() == Phase::closed; }
    [[nodiscard]] std::string labelled(const std::string& text) const {
        return name.empty() ? text : "session channel " + name + ": " + text;
    }

    Router::Impl& router;
    const std::size_t index;
    const std::string name;
    char loginClient = 0, directoryClient = 0, tunnelClient = 0;  // their addresses tell messages apart
    Handle login = 0, directory = 0;
    bool loggedIn = false, hasDirectory = false, everReady = false;
    bool informed = false;       // the application knows that it is out
    bool saidUp = false;         // by the router: its role has not been ready and says nothing
    bool missedReissue = false;  // of the login
    std::unique_ptr<ConsumerRole> role;
};

}  // namespace emissary::reactor::routing
