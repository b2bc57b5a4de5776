// Limits of what one login gets in a second: updates, and bytes of them (hub.md 8.2).
#pragma once

#include "hub/config/HubSettings.h"
#include "hub/core/Client.h"
#include "hub/fanout/fanout_counts.h"
#include "reactor/Reactor.h"

#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

namespace emissary::hub::fanout {

/// What a login has left of its limit. It fills up with time, to a tenth of a second's worth at most, and every update
/// that is sent takes from it.
class Allowance {
public:
    Allowance(const OutputLimit& limit, reactor::TimePoint now) noexcept;

    void refill(reactor::TimePoint now) noexcept;
    /// An update of `bytes` bytes was sent. What is used up already is not used up further: updates that may not wait
    /// take from those that may, but never all of the allowance to come.
    void take(std::size_t bytes) noexcept;
    [[nodiscard]] bool usedUp() const noexcept {
        return (limit_.updates != 0 && updates_ < 1) || (limit_.bytes != 0 && bytes_ <= 0);
    }
    [[nodiscard]] const OutputLimit& limit() const noexcept { return limit_; }

private:
    OutputLimit limit_;
    double mostUpdates_, mostBytes_, updates_, bytes_;
    reactor::TimePoint at_;
};

/// Logins that have used up their limit: Client::overLimit is set, so that their updates wait, joined, in
/// Client::pending, and go as the limit allows. What may not wait, goes at once, and counts. Images and statuses do not
/// count. A client that reads slowly besides is SlowClients' until it has caught up. Thread of the reactor that serves
/// the connections, session lock held.
class OutputLimits {
public:
    /// Sends what waits (FanOut).
    class Waiting {
    public:
        /// The oldest first, until about `mostBytes` are sent or the client's allowance is used up; returns how many it
        /// were. May throw std::bad_alloc.
        virtual std::size_t sendOldest(Client& client, std::size_t mostBytes) = 0;
        /// There was no memory for what the client was to get.
        virtual void starved(Client& client) noexcept = 0;

    protected:
        ~Waiting() = default;
    };

    OutputLimits(ClientTable& clients, reactor::Reactor& reactor, Counts& counts, Waiting& waiting) noexcept
        : clients_(clients), reactor_(reactor), counts_(counts), waiting_(waiting) {}
    ~OutputLimits() { reactor_.cancelTimer(timer_); }
    OutputLimits(const OutputLimits&) = delete;
    OutputLimits& operator=(const OutputLimits&) = delete;

    /// Of listeners and user classes, by their numbers; beyond them nobody has any. Clients that are there have them
    /// from now on. Throws std::bad_alloc.
    void setLimits(std::span<const OutputLimit> listeners, std::span<const OutputLimit> users);
    /// The client has logged in, or belongs to another class: it has the limit of its listener and of its class, the
    /// smaller numbers of both. Throws std::bad_alloc.
    void apply(Client& client);
    /// An update was sent to a client that has a limit. What it had gained until now is added first: gained in a rest,
    /// and added behind what was sent, it would be a second burst.
    void sent(Client& client, std::size_t bytes) noexcept {
        client.allowance->refill(reactor_.now());
        client.allowance->take(bytes);
        if (!client.overLimit && client.allowance->usedUp()) setOver(client);
    }

private:
    struct Record {
        std::uint32_t client = 0;
        std::uint64_t handle = 0;
    };
    void setOver(Client& client) noexcept;
    [[nodiscard]] bool isOver(Client& client, reactor::TimePoint now, std::size_t& left) noexcept;
    void watch(std::chrono::milliseconds after);
    void round();

    ClientTable& clients_;
    reactor::Reactor& reactor_;
    Counts& counts_;
    Waiting& waiting_;
    std::vector<OutputLimit> listeners_, users_;
    std::vector<Record> over_;
    reactor::TimerId timer_ = 0;
};

}  // namespace emissary::hub::fanout
