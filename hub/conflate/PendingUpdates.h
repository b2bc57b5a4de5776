// Updates that wait for one client, at most one for each of its streams (hub.md 8.1).
#pragma once

#include "eta/codec/Msg.h"
#include "eta/core/Clock.h"
#include "hub/conflate/PayloadMerger.h"
#include "reactor/memory.h"

#include <cstddef>
#include <list>
#include <vector>

namespace emissary::hub::conflate {

/// The type of an update that was made of updates of different types.
inline constexpr std::uint8_t kMultiple = 10;

/// Whether a message is an update that may wait and be joined with another one, as far as its header says. `types`: bit
/// n for updates of type n. All other messages go as they are, behind what waits on their stream.
[[nodiscard]] bool mayWait(const eta::codec::Msg& msg, std::uint64_t types) noexcept;

/// Keeps updates of streams and joins the next one with the one that waits. What cannot be joined is the caller's to
/// send, behind what waits: then everything that was offered arrives in order on each stream, and a client ends with
/// the state that it would have with every single update. One thread; copies what it keeps. Allocates only as long as
/// the number and the sizes of what waits grow.
class PendingUpdates {
public:
    using Time = eta::TimePoint;

    /// Borrows the merger. `maxBytes`: bound on memory() for what waits. `mostSpare`: records kept for what waits next.
    PendingUpdates(PayloadMerger& merger, std::size_t maxBytes, std::size_t mostSpare = 64) noexcept
        : merger_(merger), maxBytes_(maxBytes), mostSpare_(mostSpare) {}
    PendingUpdates(const PendingUpdates&) = delete;
    PendingUpdates& operator=(const PendingUpdates&) = delete;

    enum class Offered : std::uint8_t {
        waits,   ///< kept; nothing waited on the stream
        joined,  ///< joined with what waited
        asIs,    ///< not kept: the caller sends what waits on the stream (take()), then this message
        full,    ///< not kept, for want of room or memory; what waited waits on
    };
    /// Whether a message that was made of several says so.
    enum class Info : std::uint8_t { no, yes };
    /// An update of a stream that mayWait(). The message is borrowed for the call.
    [[nodiscard]] Offered offer(std::int32_t stream, const eta::codec::Msg& msg, Time now,
                                Info info = Info::yes) noexcept;

    /// Calls `use(stream, msg)` with the message that waits on the stream, which then waits no more: several times, in
    /// their order, when a field that ripples has several values (PayloadMerger). With Info::yes the last
    /// message has the flag confInfo, the number of updates in it and the milliseconds from the first to the last of
    /// them when it was made of several. False: nothing waited. `use` must not call this object.
    template <class Use>
    bool take(std::int32_t stream, Use&& use) {
        const auto at = byStream_.find(stream);
        if (at == byStream_.end()) return false;
        Pending& p = *at->second;
        if (!p.repeats) [[likely]] {
            use(stream, messageOf(p, p.payload, p.count));
        } else {
            std::uint32_t left = p.count;
            merger_.forEachPart(p.payload, [&](Bytes part, bool isLast) {
                use(stream, messageOf(p, part, isLast ? left : 1));
                left = left > 1 ? left - 1 : 1;
            });
        }
        remove(at->second);
        return true;
    }
    /// The same for the stream whose first update waits longest.
    template <class Use>
    bool takeOldest(Use&& use) {
        return !order_.empty() && take(order_.front().stream, use);
    }
    void drop(std::int32_t stream) noexcept;  ///< what waits on a stream that has ended

    [[nodiscard]] bool holds(std::int32_t stream) const noexcept { return byStream_.contains(stream); }
    [[nodiscard]] bool empty() const noexcept { return order_.empty(); }
    [[nodiscard]] std::size_t size() const noexcept { return order_.size(); }  ///< streams with something that waits
    [[nodiscard]] std::size_t memory() const noexcept { return bytes_; }  ///< bytes of what waits, records included
    /// Calls `f(stream, updates, bytes, since)` for what waits, the longest first, at most `most` times.
    template <class F>
    void forEach(std::size_t most, F&& f) const {
        for (const Pending& p : order_) {
            if (most-- == 0) return;
            f(p.stream, p.count, p.bytes(), p.first);
        }
    }
    /// When the oldest update that waits came; not empty().
    [[nodiscard]] Time oldest() const noexcept { return order_.front().first; }

private:
    struct Pending {
        std::int32_t stream = 0;
        Time first, last;
        std::uint32_t count = 0, time = 0;
        Info info = Info::no;
        bool repeats = false;            // a field stands more than once in the payload
        eta::codec::Msg msg;             // its views point into `members`; the payload stands apart
        std::vector<std::byte> members;  // name, attributes, permissions
        std::vector<std::byte> payload;
        [[nodiscard]] std::size_t bytes() const noexcept {
            return sizeof(Pending) + 64 + members.capacity() + payload.capacity();
        }
    };
    using Order = std::list<Pending>;

    static constexpr std::size_t kMostSpareBytes = 1024;  // of a record that is used again

    [[nodiscard]] Offered keep(std::int32_t stream, const eta::codec::Msg& msg, Info info, Time now);
    [[nodiscard]] bool joinWith(Pending& pending, const eta::codec::Msg& msg, Time now);
    [[nodiscard]] static const eta::codec::Msg& messageOf(Pending& pending, Bytes payload,
                                                          std::uint32_t count) noexcept;
    void remove(Order::iterator at) noexcept;

    PayloadMerger& merger_;
    const std::size_t maxBytes_, mostSpare_;
    std::size_t bytes_ = 0;
    Order order_;  // by the time of the first update
    Order spare_;
    reactor::ItemMap<std::int32_t, Order::iterator> byStream_;
};

}  // namespace emissary::hub::conflate
