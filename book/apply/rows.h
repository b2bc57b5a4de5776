// book/apply: the effects of an entry's values on its row (docs/spec/order-books.md 3.2).
#pragma once

#include "apply/Values.h"
#include "store/ChangeList.h"
#include "store/ContentAccess.h"
#include "store/Ranking.h"

#include <initializer_list>

namespace emissary::book::detail {

/// What an entry says of one side.
struct Part {
    Side side = Side::none;
    bool hasPrice = false, blankPrice = false, hasSize = false;
    std::uint8_t hint = 14;
    Ticks ticks = 0;
    std::int64_t size = 0;
};

constexpr std::uint64_t bits(std::initializer_list<Meaning> list) noexcept {
    std::uint64_t all = 0;
    for (const Meaning m : list)
        all |= Values::bit(m);
    return all;
}

inline constexpr std::uint64_t kDetails =
    bits({Meaning::rank, Meaning::priority, Meaning::bookDepth, Meaning::tone, Meaning::makerId, Meaning::makerNumber,
          Meaning::makerName, Meaning::makerSource, Meaning::qualifier1, Meaning::qualifier2, Meaning::makers,
          Meaning::levelDate, Meaning::priorityDate, Meaning::accumulatedSize});
inline constexpr std::uint64_t kOrdering = bits({Meaning::rank, Meaning::priority});
inline constexpr std::uint64_t kPriorityTimes = bits({Meaning::priorityTime, Meaning::priorityTimeMs});
inline constexpr std::uint64_t kTimes = bits({Meaning::orderTime, Meaning::levelTime, Meaning::levelTimeMs,
                                              Meaning::quoteTime, Meaning::priorityTime, Meaning::priorityTimeMs});

inline constexpr std::int64_t kMillisecond = 1'000'000, kMicrosecond = 1'000;
inline constexpr std::int64_t kDay = 86'400'000;  // milliseconds

/// Milliseconds of the day, and microseconds of the millisecond where they are sent.
[[nodiscard]] inline std::int64_t timeOfDay(const Values& v, Meaning ms, const Meaning* micros) noexcept {
    const std::int64_t whole = v.value(ms);
    if (whole < 0 || whole > kDay) return -1;
    std::int64_t part = micros != nullptr && v.says(*micros) ? v.value(*micros) : 0;
    if (part < 0 || part > 999) part = 0;
    return whole * kMillisecond + part * kMicrosecond;
}

[[nodiscard]] inline std::uint16_t small(const Values& v, Meaning m) noexcept {
    return v.says(m) ? static_cast<std::uint16_t>(v.value(m)) : std::uint16_t{0};
}

/// Everything but price, size, times and counts.
void setDetails(Content& c, std::uint32_t row, const Values& v);

/// Whether the row may belong to another place of its queue now.
[[gnu::always_inline]] inline bool setTimes(Kind kind, Row& r, const Values& v) noexcept {
    static constexpr Meaning kLevelMicros = Meaning::levelTimeMicros, kPriorityMicros = Meaning::priorityTimeMicros;
    if (v.says(Meaning::orderTime)) r.time = v.value(Meaning::orderTime);
    else if (v.says(Meaning::levelTime)) r.time = v.value(Meaning::levelTime);
    else if (v.says(Meaning::levelTimeMs)) r.time = timeOfDay(v, Meaning::levelTimeMs, &kLevelMicros);
    else if (v.says(Meaning::quoteTime)) r.time = timeOfDay(v, Meaning::quoteTime, nullptr);
    if (!v.hasAny(kPriorityTimes) || kind == Kind::prices) return false;
    const std::int64_t before = r.priority;
    if (v.says(Meaning::priorityTime)) r.priority = v.value(Meaning::priorityTime);
    else if (v.says(Meaning::priorityTimeMs)) r.priority = timeOfDay(v, Meaning::priorityTimeMs, &kPriorityMicros);
    return r.priority != before;
}

[[gnu::always_inline]] inline Count countOf(const Row& r, const Values& v) noexcept {
    Count count = r.count;
    if (v.has(Meaning::orderCount))
        count.orders = v.says(Meaning::orderCount) ? static_cast<std::uint32_t>(v.value(Meaning::orderCount)) : 0;
    if (v.has(Meaning::impliedCount))
        count.implied = v.says(Meaning::impliedCount) ? static_cast<std::int32_t>(v.value(Meaning::impliedCount)) : 0;
    return count;
}

// `tracked` gathers what changes; null: nobody wants to know. In line, as everything that most entries go through.

/// The row and its mate out of their levels.
[[gnu::always_inline]] inline void unplaceBoth(Content& c, std::uint32_t row, ChangeList* tracked) {
    const std::uint32_t mate = ContentAccess::mateOf(c, row);
    if (c.rows[row].has(Row::kRanked | Row::kMarket)) Ranking::unplace(c, row, tracked);
    if (mate != kNone && c.rows[mate].has(Row::kRanked | Row::kMarket)) [[unlikely]]
        Ranking::unplace(c, mate, tracked);
}

/// What a new entry says, into a row that is empty and in no level.
[[gnu::always_inline]] inline void fillFresh(Content& c, std::uint32_t row, const Part& part, const Values& v,
                                             ChangeList* tracked) {
    Row& r = c.rows[row];
    r.flags = static_cast<std::uint8_t>(part.side);
    if (part.blankPrice) {
        r.flags |= Row::kNoPrice;
    } else {
        r.ticks = part.ticks;
        r.priceHint = part.hint;
    }
    r.size = part.size;
    if (v.hasAny(kTimes)) static_cast<void>(setTimes(c.kind, r, v));
    if (c.kind == Kind::prices) r.count = countOf(r, v);
    if (v.hasAny(kDetails)) setDetails(c, row, v);
    if (part.size != 0) Ranking::place(c, row, tracked);
}

/// What an update says of a row that is there.
template <bool kTwoSided>
[[gnu::always_inline]] inline void change(Content& c, std::uint32_t row, const Part& part, const Values& v,
                                          ChangeList* tracked) {
    Row& r = c.rows[row];
    if (kTwoSided && !part.hasPrice && !part.hasSize) return;
    const std::int64_t size = part.hasSize ? part.size : r.size;
    const bool sideChanges = part.side != Side::none && part.side != r.side();
    const bool priceChanges =
        part.hasPrice && (part.blankPrice != r.has(Row::kNoPrice) || (!part.blankPrice && part.ticks != r.ticks));
    const bool placed = r.has(Row::kRanked | Row::kMarket);
    if (placed && !sideChanges && !priceChanges && size != 0) [[likely]] {
        // Stays in its level.
        bool reorder = false;
        if (v.hasAny(kTimes)) reorder = setTimes(c.kind, r, v);
        if (v.hasAny(kDetails) && !kTwoSided) {
            reorder = reorder || v.hasAny(kOrdering);
            setDetails(c, row, v);
        }
        Ranking::amend(c, row, size, c.kind == Kind::prices ? countOf(r, v) : Count{}, tracked);
        if (reorder) Ranking::requeue(c, row);
        return;
    }
    if (placed) Ranking::unplace(c, row, tracked);
    if (sideChanges)
        r.flags = static_cast<std::uint8_t>((r.flags & ~Row::kSide) | static_cast<std::uint8_t>(part.side));
    if (part.hasPrice) {
        if (part.blankPrice) {
            r.flags |= Row::kNoPrice;
        } else {
            r.flags &= static_cast<std::uint8_t>(~Row::kNoPrice);
            r.ticks = part.ticks;
            r.priceHint = part.hint;
        }
    }
    r.size = size;
    if (v.hasAny(kTimes)) static_cast<void>(setTimes(c.kind, r, v));
    if (c.kind == Kind::prices) r.count = countOf(r, v);
    if (v.hasAny(kDetails) && !kTwoSided) setDetails(c, row, v);
    // A blank price of a two-sided entry takes that side away; of an order it sends it to the market.
    if (size != 0 && !(kTwoSided && r.has(Row::kNoPrice))) Ranking::place(c, row, tracked);
}

}  // namespace emissary::book::detail
