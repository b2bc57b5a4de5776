// The stage's end of one front.
#pragma once

#include "hub/relay/CatchUp.h"
#include "hub/relay/Front.h"
#include "hub/relay/Overflow.h"
#include "reactor/metrics/Snapshot.h"

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace emissary::hub::relay {

[[nodiscard]] inline ToFront recordFor(const Client& client, ToFront::Kind kind) noexcept {
    ToFront r;
    r.kind = kind;
    r.client = client.slot;
    return r;
}

/// A front, its clients by the front's numbers, and what the front has not been handed. A line is level or lags. It
/// begins to lag when the ring is full or the front holds its share of the message log. Then messages that a later
/// image replaces are left out, and their items noted (CatchUp); other records wait in the Overflow. When the front
/// goes on, the overflow goes to the ring first, then the image of each noted item. Nothing here ever waits. Stage
/// thread only.
class Line final : public reactor::EventSource {
public:
    static constexpr std::size_t kMostHeld = 32u << 20;  ///< bytes of the log that a level line may hold

    /// The front of a line has something for the stage.
    class Owner {
    public:
        virtual void signalled(Line& line) noexcept = 0;

    protected:
        ~Owner() = default;
    };

    /// `lagging` has the bit `number` as long as the line lags.
    Line(Owner& owner, std::size_t number, const FrontOptions& options, std::uint64_t& lagging, StageCounts& counts);

    [[nodiscard]] Front& front() noexcept { return *front_; }
    [[nodiscard]] const Front& front() const noexcept { return *front_; }
    [[nodiscard]] Wakeup& wakeup() noexcept { return wakeup_; }
    [[nodiscard]] std::size_t number() const noexcept { return number_; }

    // --- handing over
    /// To the ring, if the line is level and there is room.
    [[nodiscard]] bool pass(const ToFront& record) noexcept {
        if (lags() || !front_->toFront().tryPush(record)) [[unlikely]]
            return false;
        pushed();
        return true;
    }
    /// To the ring, or behind what waits already; if neither is possible, the record's client is cut off.
    void push(const ToFront& record) noexcept {
        if (!pass(record) && !offer(record) && !keep(record)) [[unlikely]]
            cutOff(record.client);
    }
    /// To the ring, if nothing waits for it and there is room; otherwise the line lags from here on.
    [[nodiscard]] bool offer(const ToFront& record) noexcept;
    /// Behind what waits already. False: there is too much, and the record is gone.
    [[nodiscard]] bool keep(const ToFront& record) noexcept;
    /// The front runs `call` when it comes to it, after all messages that were sent before; at once when its thread has
    /// not begun. Throws std::bad_alloc.
    void call(std::function<void(Front& front)> call);
    /// Ends the client's connection when its front goes on; nothing more is kept for the client.
    void cutOff(std::uint32_t client) noexcept;
    /// A message of the item that a later image replaces. Throws std::bad_alloc.
    void leaveOut(const Item& item, bool isStatus);
    /// Whether messages of the item have to be left out.
    [[nodiscard]] bool leavesOut(const Item& item) const noexcept { return waits() || catchUp_.holds(item); }

    // --- lagging
    [[nodiscard]] bool lags() const noexcept { return (lagging_ & bit_) != 0; }
    /// Nothing goes to the ring before the front has passed half of it, and holds half of its share of the log.
    void block() noexcept;
    [[nodiscard]] bool blocked() const noexcept { return blocked_; }
    /// The front has passed half of its ring and of its share. False: its wake-up is signalled when more was passed.
    [[nodiscard]] bool hasRoom(const MessageLog& log) noexcept;
    /// Something waits that has to go before every new record.
    [[nodiscard]] bool waits() const noexcept { return blocked_ || !overflow_.empty(); }
    /// Moves what waits to the ring, as far as there is room. False: not all of it could go, or the turn is over.
    [[nodiscard]] bool drain(MessageLog& log, std::size_t mostBytes) noexcept;
    [[nodiscard]] CatchUp& catchUp() noexcept { return catchUp_; }
    /// Level again, if nothing is left.
    void settle() noexcept;
    /// The bytes of the log are other messages from here on.
    void otherSegment() noexcept { overflow_.otherMessage(); }

    /// Runs `f` with the front's session lock held. False: the front lags or stands still, and holds its lock.
    template <class F>
    bool whenFree(F&& f) {
        reactor::SessionLock& lock = front_->reactor().lock();
        if (!(lags() ? lock.try_lock() : lock.lockWithin(kPatience))) return false;
        const std::lock_guard guard(lock, std::adopt_lock);
        f();
        return true;
    }
    /// Adds the counts of the front, whose roles count with its session lock held; where that cannot be had, those that
    /// were added last.
    void collect(reactor::metrics::Snapshot& into, bool ofListeners);

    // --- clients
    /// The client is the caller's, and is not used any more after removed().
    void added(std::uint32_t slot, Client& client);
    void removed(std::uint32_t slot) noexcept { clients_[slot] = {}; }
    /// Null: the stage has none of that number.
    [[nodiscard]] Client* client(std::uint32_t slot) noexcept {
        return slot < clients_.size() ? clients_[slot].client : nullptr;
    }
    /// Of messages to single clients; more than `mostBytes` are much.
    [[nodiscard]] Backlog backlog(std::size_t mostBytes) noexcept;
    void count(std::size_t bytes) noexcept { bytes_ += bytes; }

    /// Wakes the front if it was handed something since the last call.
    void wake() noexcept;

private:
    struct Served {
        Client* client = nullptr;
        bool cut = false;
    };
    void onReady(std::uint32_t) noexcept override { owner_.signalled(*this); }
    void pushed() noexcept {
        ++counts_.records;
        if (front_->toFront().pushed() % kWakeEvery == 0) front_->wakeup().signal();
    }
    [[nodiscard]] bool isCut(const ToFront& record) const noexcept {
        return record.client < clients_.size() && clients_[record.client].cut;
    }

    [[nodiscard]] bool halfPassed() const noexcept;

    static constexpr std::chrono::milliseconds kPatience{20};  // for a turn of the front's: the sources wait as long
    static constexpr std::uint64_t kWakeEvery = 1024;          // a front begins while a long turn goes on

    Owner& owner_;
    const std::size_t number_;
    const std::uint64_t bit_;
    std::uint64_t& lagging_;
    StageCounts& counts_;
    Wakeup wakeup_;  // signalled by the front
    std::unique_ptr<Front> front_;
    std::vector<Served> clients_;
    Overflow overflow_;
    CatchUp catchUp_;
    bool blocked_ = false;
    reactor::metrics::Snapshot collected_;
    std::uint64_t woken_ = 0;  // records that the front was woken for
    std::uint64_t mark_ = 0;   // a number of records, pushed some time ago
    std::size_t bytes_ = 0;    // of messages to single clients since
};

}  // namespace emissary::hub::relay
