// What a consumer sends on its items at a rate.
#pragma once
#include "EmaErrors.h"
#include "TickSchedule.h"
#include "emissary/Counter.h"

#include <cstdint>
#include <vector>

namespace emissary::perf {

/// One message of a burst.
struct ItemTurn {
    std::uint32_t item;  ///< of the thread's items
    std::size_t number;  ///< how many were sent before it
    bool latency;        ///< it carries a time stamp
};

/// Posts, or generic messages: sent on the items that take them, one after the other. Belongs to the worker thread.
class ItemBurst {
public:
    struct Counts {
        Counter &sent, &dropped;
    };

    /// `recover`: an item that the provider closed comes back, and is kept.
    ItemBurst(LatencyChooser chooser, bool recover) : chooser_(std::move(chooser)), recover_(recover) {}

    void add(std::uint32_t item) { items_.push_back(item); }
    /// No item takes them, or takes them any more.
    [[nodiscard]] bool idle() const noexcept { return items_.empty(); }

    /// The burst of a tick, `submit(ItemTurn)` for each message; to be called once per tick. What cannot be sent for
    /// want of output buffers is dropped.
    template <class Submit>
    void send(std::uint32_t count, const Counts& counts, Submit&& submit) {
        chooser_.nextTick();
        for (std::uint32_t i = 0; i < count && !idle(); ++i) {
            const ItemTurn turn{items_[next_ % items_.size()], next_, chooser_.isLatency(i)};
            try {
                submit(turn);
            } catch (const refinitiv::ema::access::OmmException& exception) {
                switch (after(exception)) {
                case Then::drop:
                    counts.dropped.add(count - i);
                    return;
                case Then::stop:
                    return;
                case Then::skip:
                    ++next_;
                    continue;
                case Then::forget:
                    std::erase(items_, turn.item);
                    continue;
                case Then::fail:
                    throw;
                }
            }
            ++next_;
            counts.sent.add();
        }
    }

private:
    enum class Then : std::uint8_t { drop, stop, skip, forget, fail };
    // What becomes of a message that was refused, and of its item.
    [[nodiscard]] Then after(const refinitiv::ema::access::OmmException& exception) const {
        using namespace refinitiv::ema::access;
        // No output buffers, or the connection is just being lost, which the status of the login reports.
        const auto code = usageCode(exception);
        if (isNoBuffers(exception) || code == OmmInvalidUsageException::NoActiveChannelEnum) return Then::drop;
        // The item waits for its image again: its provider was lost, or called it suspect.
        if (code == OmmInvalidUsageException::FailureEnum) return Then::skip;
        const bool ended = exception.getExceptionType() == OmmException::OmmInvalidHandleExceptionEnum;
        if (!ended) return Then::fail;
        return recover_ ? Then::skip : Then::forget;
    }

    std::vector<std::uint32_t> items_;
    std::size_t next_ = 0;
    LatencyChooser chooser_;
    bool recover_;
};

}  // namespace emissary::perf
