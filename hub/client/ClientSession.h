// What the client room keeps for one connection (Client::session).
#pragma once

#include "eta/codec/Msg.h"
#include "hub/client/counts.h"
#include "hub/core/Client.h"
#include "reactor/rdm/Directory.h"

#include <deque>
#include <string>
#include <vector>

namespace emissary::hub::client {

class Listener;

/// A directory stream: what it asked for.
struct DirectoryStream {
    std::uint64_t handle = 0;
    std::int32_t stream = 0;
    reactor::rdm::DirectorySelection wanted;
};

struct ClientSession {
    Listener* listener = nullptr;  ///< outlives the connection
    EndReason end = EndReason::lost;
    eta::transport::ChannelInfo channel;  ///< as it was agreed on

    // Logins
    std::uint64_t login = 0;          ///< handle of the login stream; 0 = none
    std::uint64_t ticket = 0;         ///< of a login check without an answer; 0 = none
    reactor::TimerId checkTimer = 0;  ///< runs while there is a ticket
    std::vector<std::byte> request;   ///< the login request that is checked, or was accepted last
    // RoundTrips
    bool answersProbes = false;
    std::uint64_t probe = 0;        ///< Ticks of the probe without an answer; 0 = none
    std::uint64_t lastLatency = 0;  ///< nanoseconds; 0 = not known
    // Directories: streams that go on
    std::vector<DirectoryStream> directories;
    // RequestRate
    double allowance = 0;  ///< requests that may come at once
    reactor::TimePoint allowanceAt{};
    struct Held {
        std::vector<std::byte> message;
        bool collides = false;  ///< a batch that would take ids of streams of the role, as it was found when it came
    };
    std::deque<Held> held;
    std::size_t heldBytes = 0;

    [[nodiscard]] static ClientSession& of(const Client& client) noexcept {
        return *static_cast<ClientSession*>(client.session.get());
    }
};

}  // namespace emissary::hub::client
