// The memory layout of a book; for the inline readers in Book.h, not for programs (docs/spec/order-books.md 5).
#pragma once

#include "emissary/book/Types.h"

#include <cstring>

namespace emissary::book {
class BookSide;
namespace detail {

inline constexpr std::uint32_t kNone = 0xFFFFFFFF;

/// One price level without its price, which lies in an array of its own.
struct LevelData {
    std::int64_t size = 0;  ///< of the rows, in units of the content's size scale
    std::int64_t time = -1;
    std::uint32_t orders = 0;
    std::int32_t implied = 0;
    std::uint32_t head = kNone, tail = kNone;  ///< rows in their order
    std::uint32_t rows = 0;
    std::uint32_t arrival = 0;  ///< attributed levels of one price: which came first
    std::uint32_t change = 0;   ///< number of its record in the message's changes; 0: none
    std::uint8_t priceHint = 14;
};
static_assert(sizeof(LevelData) <= 48);

/// How many orders an entry stands for, as the source gave it.
struct Count {
    std::uint32_t orders;
    std::int32_t implied;
};

/// One entry of the map: an order, a price point, or one side of a market maker. A cache line.
struct alignas(64) Row {
    static constexpr std::uint8_t kSide = 3, kRanked = 4, kMarket = 8, kNoPrice = 16, kTwoSided = 32;
    std::uint64_t key[2] = {};  ///< up to 16 bytes, zeros behind; longer: address in the key pool, hash
    Ticks ticks = 0;
    std::int64_t size = 0;
    std::int64_t time = -1;
    union {
        std::int64_t priority = -1;  ///< domains 7 and 9: priority time
        Count count;                 ///< domain 8
    };
    std::uint32_t extra = kNone;
    std::uint32_t tag = 0;  ///< of its key in the index
    std::uint16_t keyLength = 0;
    std::uint8_t priceHint = 14;
    std::uint8_t flags = 0;

    [[nodiscard]] std::string_view name() const noexcept {
        if (keyLength <= sizeof key) return {reinterpret_cast<const char*>(key), keyLength};
        const char* far;
        std::memcpy(&far, key, sizeof far);
        return {far, keyLength};
    }
    [[nodiscard]] Side side() const noexcept { return static_cast<Side>(flags & kSide); }
    [[nodiscard]] bool has(std::uint8_t flag) const noexcept { return (flags & flag) != 0; }
};
static_assert(sizeof(Row) == 64);

/// The rows around one in its level. They lie apart from the rows, eight to a cache line, because a row that comes or
/// goes changes only the links of its neighbours.
struct Link {
    std::uint32_t next = kNone, prev = kNone;  ///< next is the free list's as well
};

/// What few sources send of an entry.
struct Extra {
    static constexpr std::size_t kMaker = 24, kTone = 8;
    std::uint32_t mate = kNone;  ///< the ask row of a two-sided entry
    std::int32_t rank = 0, tie = 0, bookDepth = 0;
    std::uint32_t date = 0, priorityDate = 0;  ///< year << 16 | month << 8 | day
    std::uint16_t makerNumber = 0, source = 0, qualifier1 = 0, qualifier2 = 0;
    std::int64_t accumulated = 0;
    bool hasRank = false, hasTie = false, hasAccumulated = false;
    std::uint8_t makerLength = 0, nameLength = 0, toneLength = 0;
    char maker[kMaker] = {}, makerName[kMaker] = {}, tone[kTone] = {};
    char* nested = nullptr;  ///< a map of market makers as it came
    std::uint32_t nestedLength = 0, nestedRoom = 0;
};

struct Content;
struct ContentAccess;
struct Ranking;
class Applier;
class Faults;
class Memory;

}  // namespace detail
}  // namespace emissary::book
