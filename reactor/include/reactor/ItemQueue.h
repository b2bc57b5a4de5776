// First in, first out, for queues that grow with the number of items.
#pragma once

#include "reactor/memory.h"

#include <algorithm>
#include <utility>

namespace emissary::reactor {

/// A queue in one block of memory, which is pages of its own when it is large (a std::deque takes many small blocks of
/// the heap, and one block keeps a page from going back). Adding and removing take constant time on average. Adding
/// throws std::bad_alloc and changes nothing then.
template <class T>
class ItemQueue {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    /// True without entries.
    [[nodiscard]] bool empty() const noexcept { return first_ == entries_.size(); }
    /// How many entries.
    [[nodiscard]] std::size_t size() const noexcept { return entries_.size() - first_; }
    /// Entries there is memory for.
    [[nodiscard]] std::size_t capacity() const noexcept { return entries_.capacity(); }

    /// The oldest; there must be one.
    [[nodiscard]] const T& front() const noexcept { return entries_[first_]; }
    /// Removes the oldest; there must be one.
    void pop_front() noexcept {
        if (++first_ == entries_.size()) clear();
    }
    /// Adds one behind the others.
    void push_back(const T& entry) {
        if (entries_.size() == entries_.capacity() && first_ > entries_.size() / 2) closeUp();
        entries_.push_back(entry);
    }
    /// Removes those for which `over(entry)` is true; the others keep their order.
    template <class Over>
    void eraseIf(Over over) {
        closeUp();
        std::erase_if(entries_, over);
    }
    /// Calls `f` with the newest `most` entries, oldest first.
    template <class F>
    void forEachOfLast(std::size_t most, F f) const {
        for (std::size_t i = entries_.size() - std::min(most, size()); i < entries_.size(); ++i)
            f(entries_[i]);
    }
    /// Removes all; their memory stays.
    void clear() noexcept {
        entries_.clear();
        first_ = 0;
    }
    /// Gives memory back when less than a quarter of it is in use.
    void trim() noexcept {
        closeUp();
        trimVector(entries_);
    }

private:
    void closeUp() noexcept {
        entries_.erase(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(first_));
        first_ = 0;
    }

    ItemVector<T> entries_;
    std::size_t first_ = 0;  // entries before it were taken out
};

}  // namespace emissary::reactor
