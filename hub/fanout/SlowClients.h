// Clients that do not read what they asked for: known, bounded, and cut off in the end (hub.md 8.3).
#pragma once

#include "hub/core/Client.h"
#include "hub/fanout/counts.h"

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace emissary::hub::fanout {

/// What a client may leave unread.
struct SlowRules {
    std::size_t behindAbove = 256u << 10;     ///< queued bytes from which on a client is behind
    std::size_t behindBelow = 64u << 10;      ///< and those below which it is not any more
    std::size_t disconnectAbove = 16u << 20;  ///< queued bytes that end its connection
    /// Queued bytes from which on its requests wait: nobody is cut off for the images that it asked for.
    [[nodiscard]] std::size_t unreadAbove() const noexcept { return disconnectAbove / 4; }
    std::chrono::milliseconds timeout{30'000};  ///< behind, and not a byte taken for so long: the same; 0 = never
};

/// Told of every client's queued output; ends are asked for from a later turn, since nobody may lose a client while it
/// sends to it. Conflation would begin where a client comes to be behind, and end where it is not any more.
class SlowClients {
public:
    /// The client's connection shall end; `reason` is a sentence. From the loop.
    using CutOff = std::function<void(Client& client, const std::string& reason)>;

    SlowClients(ClientTable& clients, reactor::Reactor& reactor, SlowRules rules, Counts& counts, CutOff cutOff);
    ~SlowClients();
    SlowClients(const SlowClients&) = delete;
    SlowClients& operator=(const SlowClients&) = delete;

    /// Told when a client comes to be, or is no more, one that is not read from (Client::unread). Empty: nobody.
    std::function<void(Client& client)> unreadChanged;

    /// Its output takes as much as may wait before it is cut off.
    void admit(Client& client) noexcept;
    /// Of a client that was just written to.
    void queued(Client& client, std::size_t bytes) noexcept {
        if (bytes <= rules_.behindAbove && !client.behind) [[likely]]
            return;
        look(client, bytes);
    }
    /// A message for the client found no room.
    void overrun(Client& client) noexcept;
    /// There was no memory for a message to it: nobody is left with a gap.
    void starved(Client& client) noexcept;

private:
    struct Record {
        std::uint32_t client = 0;
        std::uint64_t handle = 0;
        std::uint64_t written = 0;  ///< bytes taken at `since`
        reactor::TimePoint since{};
    };
    void look(Client& client, std::size_t bytes) noexcept;
    void leaveUnread(Client& client);
    void readAgain(Client& client) noexcept;
    void end(Client& client, const std::string& why);
    void watch();
    void round();
    [[nodiscard]] Client* find(const Record& record) noexcept;

    ClientTable& clients_;
    reactor::Reactor& reactor_;
    const SlowRules rules_;
    Counts& counts_;
    CutOff cutOff_;
    std::vector<Record> behind_;
    std::size_t unread_ = 0;  ///< of them: not read from
    reactor::TimerId timer_ = 0;
    std::shared_ptr<char> alive_ = std::make_shared<char>();
};

}  // namespace emissary::hub::fanout
