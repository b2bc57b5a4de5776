// What an output does with messages of items, and hears of their mounts.
#pragma once

#include "hub/core/Item.h"
#include "hub/core/TurnBudget.h"

namespace emissary::hub {

/// Which mounts of an item a message is for.
enum class To : std::uint8_t {
    /// Those that get updates: not waiting for their first image (awaitsImage()); not paused; their client neither
    /// paused
    /// nor on standby.
    live,
    waiting,  ///< those that wait for a refresh
    settled,  ///< those that do not wait
    all,
};

/// Why a mount goes.
enum class Leaves : std::uint8_t {
    forGood,  ///< nothing more is sent to it
    changes,  ///< it comes again at once, with another view or other members of updates
};

/// Implemented by fanout::FanOut, and by relay::Relay where other threads serve the clients; Outputs puts others beside
/// them. One call for a message, whatever the number of mounts. Mounts of sinks (Client::sink) are in the lists of
/// items, and get nothing from here.
class Deliveries {
public:
    /// To all mounts of the item that `to` names.
    virtual void send(Item& item, const Msg& msg, To to) = 0;
    /// To one mount.
    virtual void send(Item& item, const Mount& mount, const Msg& msg) = 0;
    /// The message that the last call sent, to another mount of the item.
    virtual void sendToo(Item& item, const Mount& mount, const Msg& msg) { send(item, mount, msg); }

    /// Whether an update waits for the mount, which it will miss if it gets none from now on.
    [[nodiscard]] virtual bool holdsFor(const Item& /*item*/, const Mount& /*mount*/) const noexcept { return false; }
    /// This mount of the item goes now.
    virtual void unmounted(Item& /*item*/, const Mount& /*mount*/, Leaves /*how*/) noexcept {}

    // Hooks for an output that mirrors mounts on other threads (relay::Relay).
    /// The item has this mount from now on.
    virtual void mounted(Item& /*item*/, const Mount& /*mount*/) {}
    /// Mounts of the item came to wait, or to get updates, or do so no more.
    virtual void touched(const Item& /*item*/) noexcept {}
    /// This one has come to stand among those without updates (MountsOf::quieten).
    virtual void quietened(Item& /*item*/, Mount& /*mount*/) noexcept {}
    /// This one stands among those that updates are looked at for, since the call or before it (MountsOf::enliven).
    virtual void enlivened(const Item& /*item*/, const Mount& /*mount*/) noexcept {}

    /// Spent by code that reads images, filters or converts for clients.
    [[nodiscard]] TurnBudget& work() noexcept { return *work_; }

protected:
    ~Deliveries() = default;
    /// For an implementation that passes on to another one: what is spent there is spent here.
    void shareWork(Deliveries& other) noexcept { work_ = other.work_; }

private:
    TurnBudget ownWork_;
    TurnBudget* work_ = &ownWork_;
};

}  // namespace emissary::hub
