// The content of a book, and the readers of Book.h that are inline because listeners call them for every message.
#pragma once

#include "emissary/book/Book.h"

#include <vector>

namespace emissary::book::detail {

struct Key;

/// From a key to its row: open addressing, at most half full. A slot holds as many bits of the hash as the number of
/// the row leaves free, so that sixteen slots share a cache line. Rows are handed over because they move as they
/// grow; each knows the hash of its key.
class KeyIndex {
public:
    /// Without keys; the table comes from `memory`, which outlives it.
    explicit KeyIndex(Memory& memory) noexcept : memory_(&memory) {}
    KeyIndex(const KeyIndex&) = delete;
    KeyIndex& operator=(const KeyIndex&) = delete;
    ~KeyIndex();
    [[nodiscard]] std::uint32_t find(const Key& key, const Row* rows) const noexcept;  ///< or kNone
    /// Brings the slot that find() begins with, for a key with this hash, into the cache.
    void prefetch(std::uint32_t tag) const noexcept;
    /// The row that a key with this hash most likely has, without a look at the rows; or kNone.
    [[nodiscard]] std::uint32_t likely(std::uint32_t tag) const noexcept;
    void makeRoom(const Row* rows);                           ///< for one more
    void add(std::uint32_t row, const Row* rows) noexcept;    ///< a row whose key is not there; after makeRoom()
    void erase(std::uint32_t row, const Row* rows) noexcept;  ///< a row that was added
    void clear(std::uint32_t least) noexcept;  ///< room for `least` keys stays, or for twice what there were
    [[nodiscard]] std::uint32_t keys() const noexcept { return keys_; }  ///< how many were added
    /// Memory of the table.
    [[nodiscard]] std::size_t bytes() const noexcept {
        return slots_ == nullptr ? 0 : (std::size_t{mask_} + 1) * sizeof *slots_;
    }
    /// Calls each(row) for every row added, in the order of the slots.
    template <class Each>
    void forEach(Each&& each) const {
        for (std::uint32_t i = 0; slots_ != nullptr && i <= mask_; ++i)
            if (slots_[i] != 0) each(rowOf(slots_[i]));
    }

private:
    static constexpr std::uint32_t kSmallest = 16;
    KeyIndex(Memory& memory, std::uint32_t* slots, std::uint32_t mask, std::uint32_t rowBits) noexcept
        : memory_(&memory), slots_(slots), mask_(mask), rowBits_(rowBits) {}
    [[nodiscard]] std::uint32_t rowOf(std::uint32_t slot) const noexcept { return (slot & ((1u << rowBits_) - 1)) - 1; }
    /// The first row with this hash that `accept` takes, or kNone.
    template <class Accept>
    [[nodiscard]] std::uint32_t probe(std::uint32_t tag, Accept&& accept) const noexcept;
    [[nodiscard]] std::uint32_t home(std::uint32_t slot, const Row* rows) const noexcept;
    void put(std::uint32_t row, const Row* rows) noexcept;
    Memory* memory_;
    std::uint32_t* slots_ = nullptr;  ///< 0: free; else the row's number and 1 below bits of the hash
    std::uint32_t mask_ = 0, rowBits_ = 0, keys_ = 0;
};

/// Keys of more than 16 bytes and nested maps: blocks of powers of two, given back to lists of their own.
class KeyPool {
public:
    KeyPool() = default;
    KeyPool(const KeyPool&) = delete;
    KeyPool& operator=(const KeyPool&) = delete;
    ~KeyPool() { clear(); }
    [[nodiscard]] char* take(std::size_t length);         ///< a block for `length` bytes; may throw std::bad_alloc
    void give(char* block, std::size_t length) noexcept;  ///< back, with the length it was taken for
    void clear() noexcept;                                ///< frees everything; all blocks become invalid
    [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }  ///< memory of all blocks, free ones included
    [[nodiscard]] static std::size_t room(std::size_t length) noexcept;  ///< size of the block for `length` bytes

private:
    static constexpr std::size_t kSmallest = 5, kClasses = 13;  // 32 bytes to 128 KB
    [[nodiscard]] static std::size_t classOf(std::size_t size) noexcept;
    void* free_[kClasses] = {};
    std::vector<std::unique_ptr<char[]>> chunks_;
    char* next_ = nullptr;
    std::size_t left_ = 0, bytes_ = 0;
};

/// Levels, rows, the index of the keys and the summary of one image. Its functions are in book/store.
struct Content {
    /// Empty, with room for as many levels and orders as the hints say; may throw std::bad_alloc.
    /// `memory` outlives it.
    Content(Memory& memory, Kind kind, std::uint32_t depthHint, std::uint32_t ordersHint);
    ~Content();
    Content(const Content&) = delete;
    Content& operator=(const Content&) = delete;

    /// Bids or asks.
    [[nodiscard]] BookSide& side(Side s) noexcept { return s == Side::bid ? bids : asks; }
    [[nodiscard]] const BookSide& side(Side s) const noexcept { return s == Side::bid ? bids : asks; }
    /// A size in units of the content as the number it stands for.
    [[nodiscard]] Real sizeOf(std::int64_t size) const noexcept {
        return {size, static_cast<std::uint8_t>(14 - sizeScale)};
    }
    [[nodiscard]] std::uint32_t find(std::string_view key) const noexcept;  ///< row or kNone

    Memory* memory;  ///< of its rows, slots and levels
    Row* rows = nullptr;
    Link* links = nullptr;  ///< of the rows, behind them in the same block
    KeyIndex index;
    std::uint32_t rowsUsed = 0, rowRoom = 0, freeRow = kNone, freeRows = 0;
    std::uint32_t arrivals = 0;
    std::int8_t scale = 8, sizeScale = 0;
    Kind kind;
    bool attributed = false;    ///< levels are one for each key
    bool bySize = false;        ///< larger orders go first
    bool oneDirection = false;  ///< both sides from the lowest price up
    bool accSizes = false;      ///< accumulated sizes were sent
    std::uint32_t depthHint, ordersHint;
    BookSide bids, asks;
    std::vector<Extra> extras;
    std::uint32_t freeExtra = kNone;
    KeyPool pool;
    Summary summary;
};

}  // namespace emissary::book::detail

namespace emissary::book {

inline const detail::Row& Order::row() const noexcept {
    return content_->rows[row_];
}
inline std::string_view Order::id() const noexcept {
    return row().name();
}
inline Side Order::side() const noexcept {
    return row().side();
}
inline Price Order::price() const noexcept {
    return atMarket() ? Price{} : Price{row().ticks, row().priceHint};
}
inline bool Order::atMarket() const noexcept {
    return row().has(detail::Row::kNoPrice);
}
inline bool Order::ranked() const noexcept {
    return row().has(detail::Row::kRanked | detail::Row::kMarket);
}
inline Real Order::size() const noexcept {
    return content_->sizeOf(row().size);
}
inline Nanos Order::time() const noexcept {
    return Nanos{row().time};
}
inline Orders::Iterator& Orders::Iterator::operator++() noexcept {
    row_ = content_->links[row_].next;
    return *this;
}

inline Level::Level(const BookSide& side, std::uint32_t at) noexcept
    : side_(&side), data_(side.levels_ + at), at_(at) {}
inline Price Level::price() const noexcept {
    return {side_->ticks(at_), data_->priceHint};
}
inline Real Level::size() const noexcept {
    return side_->content_->sizeOf(data_->size);
}
inline Orders Level::queue() const noexcept {
    return {*side_->content_, data_->head};
}
inline Real Market::size() const noexcept {
    return content_->sizeOf(data_->size);
}

inline const BookSide& Book::bids() const noexcept {
    return shown_->bids;
}
inline const BookSide& Book::asks() const noexcept {
    return shown_->asks;
}
inline const Summary& Book::summary() const noexcept {
    return shown_->summary;
}
inline int Book::scale() const noexcept {
    return shown_->scale;
}
inline bool Book::crossed() const noexcept {
    if (bids().empty() || asks().empty() || shown_->oneDirection) return false;
    const Ticks bid = bids().best().price().ticks, ask = asks().best().price().ticks;
    return summary().priceRankRule == 2 ? bid <= ask : bid >= ask;
}

}  // namespace emissary::book
