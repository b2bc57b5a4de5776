// Stream ids that were freed, and when they may be used again.
#pragma once

#include "reactor/ItemQueue.h"

#include <algorithm>
#include <cstddef>

namespace emissary::reactor {

/// A freed id rests until 65,536 others were freed: messages of the peer that cross the end of its stream must not
/// reach a new one.
template <class T>
class RestingIds {
public:
    static constexpr std::size_t kResting = 65'536;

    /// There is an id that has rested.
    [[nodiscard]] bool ready() const noexcept { return ids_.size() > kResting; }
    /// The one that has rested longest; ready() must hold.
    [[nodiscard]] T take() noexcept {
        const T id = ids_.front();
        ids_.pop_front();
        return id;
    }
    /// The stream of this id has ended. Throws std::bad_alloc and changes nothing then.
    void give(T id) { ids_.push_back(id); }
    /// For an owner that has no stream at or above `used` and wants to make its ids anew from a low one: the lowest
    /// number from which on every id has rested. Those ids are forgotten here.
    [[nodiscard]] T restart(T used) noexcept {
        T from = used;
        ids_.forEachOfLast(kResting, [&from](T id) { from = std::max<T>(from, id + 1); });
        ids_.eraseIf([from](T id) { return id >= from; });
        return from;
    }
    /// A new connection: nothing that crosses is left.
    void clear() noexcept { ids_.clear(); }
    /// Gives memory back that is not needed.
    void trim() noexcept { ids_.trim(); }
    /// Ids that were freed and not used again.
    [[nodiscard]] std::size_t size() const noexcept { return ids_.size(); }
    /// Ids there is memory for.
    [[nodiscard]] std::size_t capacity() const noexcept { return ids_.capacity(); }

private:
    ItemQueue<T> ids_;
};

}  // namespace emissary::reactor
