// Clients that do not read their output: counted, bounded, and disconnected in the end (hub.md 8.3).
#pragma once

#include "hub/core/Client.h"
#include "hub/core/log.h"
#include "hub/fanout/fanout_counts.h"

#include <chrono>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace emissary::hub::fanout {

/// What a client may leave unread.
struct SlowRules {
    std::size_t behindAbove = 256u << 10;     ///< queued bytes above which a client is behind
    std::size_t behindBelow = 64u << 10;      ///< queued bytes below which it has caught up
    std::size_t disconnectAbove = 16u << 20;  ///< queued bytes above which it is disconnected
    /// Queued bytes above which its requests are not read: no client is disconnected for images that it asked for.
    [[nodiscard]] std::size_t unreadAbove() const noexcept { return disconnectAbove / 4; }
    /// Bytes of updates that wait, joined, for a client that is behind; more, and the oldest go behind what is queued.
    /// 0 = not joined.
    std::size_t mostJoined = 0;
    std::uint64_t joinedTypes = 0;              ///< bit n: updates of type n are joined
    std::chrono::milliseconds timeout{30'000};  ///< behind so long without a byte taken: disconnected; 0 = never
    std::chrono::milliseconds mostAge{0};       ///< an update has waited, joined, longer: disconnected; 0 = never

    friend bool operator==(const SlowRules&, const SlowRules&) = default;
};

/// Watches every client's queued output. Has updates of clients that are behind joined, and sent when they read again:
/// a share of each client's and each round's, so that nobody else waits for it. Asks for the end of a connection from a
/// later turn, because the sender must not lose the client in the middle of a send. Thread of the reactor that serves
/// the connections.
class SlowClients {
public:
    /// Why a client is cut off.
    enum class Cut : std::uint8_t { slow, memory };
    /// The client's connection shall end; `reason` is a sentence without its full stop: what waits, since when, and the
    /// parameter that limits it. From the loop.
    using CutOff = std::function<void(Client& client, Cut kind, const std::string& reason)>;

    /// Keeps and sends what waits (FanOut). These may throw std::bad_alloc.
    class Waiting {
    public:
        /// Sends what waits, the oldest first, until about `mostBytes` are sent or the client is over its limit;
        /// returns how many it were.
        virtual std::size_t sendOldest(Client& client, std::size_t mostBytes) = 0;
        /// Tells the client on its login stream: open, Ok, this code and text.
        virtual void tellState(Client& client, std::uint8_t code, std::string_view text) = 0;

    protected:
        ~Waiting() = default;
    };

    /// `rules`: for clients of listeners that addListener() was not called for.
    SlowClients(ClientTable& clients, reactor::Reactor& reactor, const SlowRules& rules, Counts& counts, CutOff cutOff,
                Waiting& waiting);
    ~SlowClients();
    SlowClients(const SlowClients&) = delete;
    SlowClients& operator=(const SlowClients&) = delete;

    /// The rules for clients of the next listener (Client::listener). Before the first client. Throws std::bad_alloc.
    void addListener(const SlowRules& rules);
    /// Other rules for the listeners there are, in their order. What waits for a client already keeps its bound
    /// (mostJoined).
    void changeRules(std::span<const SlowRules> rules);
    [[nodiscard]] const SlowRules& rulesOf(const Client& client) const noexcept {
        return client.listener < ofListeners_.size() ? ofListeners_[client.listener] : rules_;
    }
    /// Called when the reading of a client's requests stops or goes on (Client::unread). May be empty.
    std::function<void(Client& client)> unreadChanged;

    /// Called with a sentence for the log when updates of a client begin to be joined, and when it has caught up. May
    /// be empty. From the loop.
    LogLine notice;

    /// Sets the bound of the client's output to disconnectAbove.
    void admit(Client& client) noexcept;
    /// The client was just written to and has `bytes` queued.
    void queued(Client& client, std::size_t bytes) noexcept {
        if (bytes <= leastBehind_ && !client.behind) [[likely]]
            return;
        look(client, bytes);
    }
    /// Updates of a client that is behind begin to be joined: sends it the status, and looks at it often. Throws
    /// std::bad_alloc.
    void joins(Client& client);
    /// A message for the client found no room.
    void overrun(Client& client) noexcept;
    /// There was no memory for a message to the client: it is disconnected, so that it has no gap.
    void starved(Client& client) noexcept;

private:
    struct Record {
        std::uint32_t client = 0;
        std::uint64_t handle = 0;
        std::uint64_t written = 0;  ///< bytes taken at `since`
        reactor::TimePoint since{};
        reactor::TimePoint behindSince{};
        reactor::TimePoint joinedSince{};  ///< the first update waited
    };
    /// Of what waits, the last look sent nothing, all that one may, or less because clients took no more.
    enum class Sending : std::uint8_t { nothing, some, all };
    void look(Client& client, std::size_t bytes) noexcept;
    void leaveUnread(Client& client);
    void readAgain(Client& client) noexcept;
    template <class F>
    void later(const Client& client, F&& f);
    [[nodiscard]] bool sendWaiting(Client& client, const Record& record, std::size_t& left);
    [[nodiscard]] std::string waits(const Client& client, std::size_t bytes) const;
    void end(Client& client, Cut kind, const std::string& why);
    void hurry();
    /// `queued`: when its updates began to be joined.
    void tellJoined(Client& client, std::size_t queued);
    void tellCaughtUp(Client& client, const Record& record);
    void watch();
    void round();
    [[nodiscard]] Client* find(const Record& record) noexcept;

    ClientTable& clients_;
    reactor::Reactor& reactor_;
    const SlowRules rules_;
    std::vector<SlowRules> ofListeners_;
    std::size_t leastBehind_;                // the least behindAbove of all rules
    std::chrono::milliseconds shortest_{0};  // the shortest timeout or age of all rules; 0 = none has one
    Counts& counts_;
    CutOff cutOff_;
    Waiting& waiting_;
    std::vector<Record> behind_;
    std::size_t unread_ = 0;   ///< clients whose requests are not read
    std::size_t joining_ = 0;  ///< clients whose updates are joined
    Sending sending_ = Sending::nothing;
    reactor::TimerId timer_ = 0;
    std::shared_ptr<char> alive_ = std::make_shared<char>();
};

}  // namespace emissary::hub::fanout
