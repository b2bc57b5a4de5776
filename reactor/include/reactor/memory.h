// reactor: tables whose memory grows with load and goes back after it.
#pragma once

#include "eta/core/pages.h"

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include <algorithm>
#include <deque>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <vector>

namespace emissary::reactor {

class Reactor;

/// Base of classes whose memory grows with load. Registered with its reactor for its life; constructor and destructor
/// with the session lock held.
class MemoryOwner {
public:
    explicit MemoryOwner(Reactor& reactor);  ///< registers with the reactor; throws std::bad_alloc
    MemoryOwner(const MemoryOwner&) = delete;
    MemoryOwner& operator=(const MemoryOwner&) = delete;
    /// Gives back memory that was not needed since the last call. Dispatching thread, with the session lock held and no
    /// callback under way, so that nothing on the stack looks into a table.
    virtual void trimMemory() noexcept = 0;
    /// Records and table places there is memory for. Session lock held.
    [[nodiscard]] virtual std::size_t places() const noexcept = 0;

protected:
    ~MemoryOwner();

private:
    Reactor& reactor_;
};

// Containers with an entry for every item.
template <class Key, class Value, class Hash = boost::hash<Key>, class Equal = std::equal_to<Key>>
using ItemMap = boost::unordered_flat_map<Key, Value, Hash, Equal, eta::BlockAllocator<std::pair<const Key, Value>>>;
template <class Key, class Hash = boost::hash<Key>, class Equal = std::equal_to<Key>>
using ItemSet = boost::unordered_flat_set<Key, Hash, Equal, eta::BlockAllocator<Key>>;
template <class T>
using ItemVector = std::vector<T, eta::BlockAllocator<T>>;

/// Below this many places nothing is worth the trouble.
inline constexpr std::size_t kLeastPlaces = 1024;

/// Makes a hash table smaller that uses less than an eighth of its places. What it costs was paid for by what was
/// erased.
template <class Table>
void trimTable(Table& table) noexcept {
    const std::size_t places = table.bucket_count();
    if (places < kLeastPlaces || table.size() >= places / 8) return;
    try {
        table.rehash(0);
    } catch (const std::bad_alloc&) {}  // it stays as it is
}

/// The same for a vector that uses less than a quarter.
template <class T, class A>
void trimVector(std::vector<T, A>& v) noexcept {
    if (v.capacity() < kLeastPlaces || v.size() >= v.capacity() / 4) return;
    try {
        v.shrink_to_fit();
    } catch (const std::bad_alloc&) {}
}

/// A deque keeps a directory as long as it ever was.
template <class T>
void trimDeque(std::deque<T>& d) noexcept {
    if (!d.empty()) return;
    try {
        d.shrink_to_fit();
    } catch (const std::bad_alloc&) {}
}

/// A buffer for one message at a time goes back to an ordinary size; between messages.
template <class Buffer>
void trimBuffer(Buffer& buffer) noexcept {
    try {
        buffer.trim(eta::kOwnPages);
    } catch (const std::bad_alloc&) {}
}

/// Pointers by number: whole pages of null go back to the system, and read as null from then on.
template <class T>
void discardNulls(std::span<T*> v) noexcept {
    constexpr std::size_t run = 4096 / sizeof(T*);
    for (std::size_t at = 0; at < v.size();) {
        std::size_t end = at;
        while (end < v.size() && v[end] == nullptr)
            ++end;
        if (end - at >= 2 * run) eta::discardPages(&v[at], (end - at) * sizeof(T*));
        at = end + 1;
    }
}

/// Records in blocks that never move; freed ones are used again. A block in which none has been in use for a while goes
/// back with trim(). A record with a `generation` keeps it while free; in a new block it starts where the highest of
/// those given back ended.
template <class T>
class Pool {
public:
    /// A record, used before or new; throws std::bad_alloc.
    [[nodiscard]] T* take() {
        if (free_.empty()) grow();
        T* record = free_.back();
        free_.pop_back();
        if (free_.size() < leastFree_) leastFree_ = free_.size();
        ++blocks_[record->index / kBlock].used;
        return record;
    }
    /// Back into the pool; the record's content stays as it is.
    void give(T* record) {
        --blocks_[record->index / kBlock].used;
        free_.push_back(record);
    }
    /// Null when there is no such record; one that is free is returned as well.
    [[nodiscard]] T* at(std::uint32_t index) noexcept {
        const std::size_t block = index / kBlock;
        return block < blocks_.size() && blocks_[block].records != nullptr ? &blocks_[block].records[index % kBlock]
                                                                           : nullptr;
    }
    [[nodiscard]] const T* at(std::uint32_t index) const noexcept { return const_cast<Pool*>(this)->at(index); }
    /// One that is in use.
    [[nodiscard]] T& operator[](std::uint32_t index) noexcept {
        return blocks_[index / kBlock].records[index % kBlock];
    }
    [[nodiscard]] const T& operator[](std::uint32_t index) const noexcept {
        return blocks_[index / kBlock].records[index % kBlock];
    }
    /// Records there is memory for.
    [[nodiscard]] std::size_t capacity() const noexcept { return held_ * kBlock; }

    /// Gives back blocks beyond the most records that were in use since the last call.
    void trim() noexcept {
        std::size_t spare = leastFree_ / kBlock;
        bool dropped = false;
        for (std::size_t b = blocks_.size(); b-- > 0 && spare != 0;) {
            Part& block = blocks_[b];
            if (block.records == nullptr || block.used != 0) continue;
            if constexpr (requires(T & t) { t.generation; })
                for (std::size_t i = 0; i < kBlock; ++i)
                    firstGeneration_ = std::max(firstGeneration_, block.records[i].generation);
            block.used = kDropped;
            dropped = true;
            --spare;
            --held_;
        }
        if (dropped) {
            std::erase_if(free_, [this](const T* r) { return blocks_[r->index / kBlock].used == kDropped; });
            for (Part& block : blocks_)
                if (block.used == kDropped) block = {};
            while (!blocks_.empty() && blocks_.back().records == nullptr)
                blocks_.pop_back();
            // Low ones are taken first, so that high blocks run empty.
            std::sort(free_.begin(), free_.end(), [](const T* a, const T* b) { return a->index > b->index; });
            try {
                ItemVector<T*> kept;
                kept.reserve(held_ * kBlock);
                kept.assign(free_.begin(), free_.end());
                free_.swap(kept);
            } catch (const std::bad_alloc&) {}  // the larger one does as well
        }
        leastFree_ = free_.size();
    }

private:
    static constexpr std::size_t kBlock = 1024;
    static constexpr std::uint32_t kDropped = 0xFFFFFFFF;
    struct Deleter {
        void operator()(T* records) const noexcept {
            std::destroy_n(records, kBlock);
            eta::giveBlock(records, kBlock * sizeof(T));
        }
    };
    struct Part {
        std::unique_ptr<T[], Deleter> records;
        std::uint32_t used = 0;
    };
    void grow() {
        std::size_t b = 0;
        if (held_ == blocks_.size()) b = blocks_.size();
        else
            while (blocks_[b].records != nullptr)
                ++b;
        const std::size_t places = (held_ + 1) * kBlock;  // so that give() has room
        if (places > free_.capacity()) free_.reserve(std::max(places, 2 * free_.capacity()));
        if (b == blocks_.size()) blocks_.emplace_back();
        void* const raw = eta::takeBlock(kBlock * sizeof(T));
        if (raw == nullptr) {
            if (b + 1 == blocks_.size()) blocks_.pop_back();
            throw std::bad_alloc();
        }
        T* const records = static_cast<T*>(raw);
        std::uninitialized_value_construct_n(records, kBlock);
        blocks_[b].records.reset(records);
        ++held_;
        for (std::size_t i = kBlock; i-- > 0;) {
            T* record = &records[i];
            record->index = static_cast<std::uint32_t>(b * kBlock + i);
            if constexpr (requires(T & t) { t.generation; }) record->generation = firstGeneration_;
            free_.push_back(record);
        }
    }

    std::vector<Part> blocks_;
    ItemVector<T*> free_;
    std::size_t held_ = 0;       // blocks there are
    std::size_t leastFree_ = 0;  // since the last trim
    std::uint32_t firstGeneration_ = 0;
};

}  // namespace emissary::reactor
