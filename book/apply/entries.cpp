// The rules for entries and summaries (docs/spec/order-books.md 3.2, 3.3).
#include "apply/Applier.h"

#include <algorithm>

namespace emissary::book::detail {

namespace {

constexpr std::uint8_t kUpdate = 1, kAdd = 2, kDelete = 3;  // actions of map entries

constexpr std::uint64_t bits(std::initializer_list<Meaning> list) noexcept {
    std::uint64_t all = 0;
    for (const Meaning m : list)
        all |= Values::bit(m);
    return all;
}

constexpr std::uint64_t kQuote = bits({Meaning::bid, Meaning::ask, Meaning::bidSize, Meaning::askSize});
constexpr std::uint64_t kOneSided = bits({Meaning::orderPrice, Meaning::orderSide});
constexpr std::uint64_t kDetails =
    bits({Meaning::rank, Meaning::priority, Meaning::bookDepth, Meaning::tone, Meaning::makerId, Meaning::makerNumber,
          Meaning::makerName, Meaning::makerSource, Meaning::qualifier1, Meaning::qualifier2, Meaning::makers,
          Meaning::levelDate, Meaning::priorityDate, Meaning::accumulatedSize});
constexpr std::uint64_t kOrdering = bits({Meaning::rank, Meaning::priority});
constexpr std::uint64_t kPriorityTimes = bits({Meaning::priorityTime, Meaning::priorityTimeMs});
constexpr std::uint64_t kTimes = bits({Meaning::orderTime, Meaning::levelTime, Meaning::levelTimeMs, Meaning::quoteTime,
                                       Meaning::priorityTime, Meaning::priorityTimeMs});

constexpr std::int64_t kMillisecond = 1'000'000, kMicrosecond = 1'000;
constexpr std::int64_t kDay = 86'400'000;  // milliseconds

/// Milliseconds of the day, and microseconds of the millisecond where they are sent.
[[nodiscard]] std::int64_t timeOfDay(const Values& v, Meaning ms, const Meaning* micros) noexcept {
    const std::int64_t whole = v.value(ms);
    if (whole < 0 || whole > kDay) return -1;
    std::int64_t part = micros != nullptr && v.says(*micros) ? v.value(*micros) : 0;
    if (part < 0 || part > 999) part = 0;
    return whole * kMillisecond + part * kMicrosecond;
}

template <std::size_t N>
void keep(char (&to)[N], std::uint8_t& length, std::string_view text) noexcept {
    length = static_cast<std::uint8_t>(std::min(N, text.size()));
    std::copy_n(text.data(), length, to);
}

[[nodiscard]] std::uint16_t small(const Values& v, Meaning m) noexcept {
    return v.says(m) ? static_cast<std::uint16_t>(v.value(m)) : std::uint16_t{0};
}

}  // namespace

// --- reading

/// A number of another kind than expected, or in finer units than the book's so far.
bool Applier::readOtherPrice(const Key& key, const Values::Number& n, Part& out) {
    if (n.hint >= kHints) return failEntry(Fault::priceValue, key.text, 0), false;
    ScaledNumber s = scaled(n.value, n.hint, content_->scale);
    if (s.outcome == Scaled::finer) {
        const std::int64_t factor = powerOfTen(s.needs - content_->scale);
        if (changes_.fits(factor) && ContentAccess::rescalePrices(*content_, s.needs)) {
            changes_.rescalePrices(factor);
            counters_.rescaled.add();
            if (shown_) touched_ = reset_ = true;  // prices that the listener kept are in other units
            s = scaled(n.value, n.hint, content_->scale);
        }
    }
    if (s.outcome != Scaled::exact) return failEntry(Fault::priceRange, key.text, 0), false;
    out.ticks = s.units;
    out.hint = n.hint;
    return true;
}

bool Applier::readOtherSize(const Key& key, const Values::Number& n, Part& out) {
    if (n.hint >= kHints || n.value < 0) return failEntry(Fault::sizeValue, key.text, 0), false;
    ScaledNumber s = scaled(n.value, n.hint, content_->sizeScale);
    if (s.outcome == Scaled::finer) {
        const std::int64_t factor = powerOfTen(s.needs - content_->sizeScale);
        if (changes_.fits(factor) && ContentAccess::rescaleSizes(*content_, s.needs)) {
            changes_.rescaleSizes(factor);
            counters_.rescaled.add();
            s = scaled(n.value, n.hint, content_->sizeScale);
        }
    }
    if (s.outcome != Scaled::exact || s.units > kMaxSize) return failEntry(Fault::sizeRange, key.text, 0), false;
    out.size = s.units;
    return true;
}

/// Price and size of one side; false: an entry fault. Once per entry, and most of what an entry costs: in line.
[[gnu::always_inline]] inline bool Applier::readPart(const Key& key, const Values& v, Meaning price, Meaning size,
                                                     Side side, Part& out) {
    out.side = side;
    out.hasPrice = v.has(price);
    out.blankPrice = out.hasPrice && !v.says(price);
    if (v.says(price)) {
        const Values::Number& n = v.number(price);
        out.hint = n.hint;
        if ((n.hint >= kHints || !scaledExactly(n.value, n.hint, content_->scale, out.ticks)) &&
            !readOtherPrice(key, n, out)) [[unlikely]]
            return false;
    }
    out.hasSize = v.has(size);
    if (v.says(size)) {  // a blank size is none
        const Values::Number& n = v.number(size);
        if ((n.hint >= kHints || n.value < 0 || !scaledExactly(n.value, n.hint, content_->sizeScale, out.size) ||
             out.size > kMaxSize) &&
            !readOtherSize(key, n, out)) [[unlikely]]
            return false;
    }
    return true;
}

[[gnu::always_inline]] inline bool Applier::readOneSided(const Key& key, const Values& v, Side side, Part& out) {
    if (v.has(Meaning::orderSize)) [[likely]]
        return readPart(key, v, Meaning::orderPrice, Meaning::orderSize, side, out);
    return readDecimals(key, v, side, out);
}

bool Applier::readDecimals(const Key& key, const Values& v, Side side, Part& out) {
    return readPart(key, v, Meaning::orderPrice, Meaning::orderSizeDecimals, side, out);
}

/// Whether the row may belong to another place of its queue now.
[[gnu::always_inline]] inline bool Applier::setTimes(Row& r, const Values& v) const noexcept {
    static constexpr Meaning kLevelMicros = Meaning::levelTimeMicros, kPriorityMicros = Meaning::priorityTimeMicros;
    if (v.says(Meaning::orderTime)) r.time = v.value(Meaning::orderTime);
    else if (v.says(Meaning::levelTime)) r.time = v.value(Meaning::levelTime);
    else if (v.says(Meaning::levelTimeMs)) r.time = timeOfDay(v, Meaning::levelTimeMs, &kLevelMicros);
    else if (v.says(Meaning::quoteTime)) r.time = timeOfDay(v, Meaning::quoteTime, nullptr);
    if (!v.hasAny(kPriorityTimes) || content_->kind == Kind::prices) return false;
    const std::int64_t before = r.priority;
    if (v.says(Meaning::priorityTime)) r.priority = v.value(Meaning::priorityTime);
    else if (v.says(Meaning::priorityTimeMs)) r.priority = timeOfDay(v, Meaning::priorityTimeMs, &kPriorityMicros);
    return r.priority != before;
}

[[gnu::always_inline]] inline Count Applier::countOf(const Row& r, const Values& v) const noexcept {
    Count count = r.count;
    if (v.has(Meaning::orderCount))
        count.orders = v.says(Meaning::orderCount) ? static_cast<std::uint32_t>(v.value(Meaning::orderCount)) : 0;
    if (v.has(Meaning::impliedCount))
        count.implied = v.says(Meaning::impliedCount) ? static_cast<std::int32_t>(v.value(Meaning::impliedCount)) : 0;
    return count;
}

// --- applying

[[gnu::always_inline]] inline void Applier::fillFresh(std::uint32_t row, const Part& part, const Values& v) {
    Content& c = *content_;
    Row& r = c.rows[row];
    r.flags = static_cast<std::uint8_t>(part.side);
    if (part.blankPrice) {
        r.flags |= Row::kNoPrice;
    } else {
        r.ticks = part.ticks;
        r.priceHint = part.hint;
    }
    r.size = part.size;
    if (v.hasAny(kTimes)) static_cast<void>(setTimes(r, v));
    if (c.kind == Kind::prices) r.count = countOf(r, v);
    if (v.hasAny(kDetails)) setDetails(row, v);
    if (part.size != 0) Ranking::place(c, row, tracked());
}

template <bool kTwoSided>
[[gnu::always_inline]] inline void Applier::change(std::uint32_t row, const Part& part, const Values& v) {
    Content& c = *content_;
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
        if (v.hasAny(kTimes)) reorder = setTimes(r, v);
        if (v.hasAny(kDetails) && !kTwoSided) {
            reorder = reorder || v.hasAny(kOrdering);
            setDetails(row, v);
        }
        Ranking::amend(c, row, size, c.kind == Kind::prices ? countOf(r, v) : Count{}, tracked());
        if (reorder) Ranking::requeue(c, row);
        return;
    }
    if (placed) Ranking::unplace(c, row, tracked());
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
    if (v.hasAny(kTimes)) static_cast<void>(setTimes(r, v));
    if (c.kind == Kind::prices) r.count = countOf(r, v);
    if (v.hasAny(kDetails) && !kTwoSided) setDetails(row, v);
    // A blank price of a two-sided entry takes that side away; of an order it sends it to the market.
    if (size != 0 && !(kTwoSided && r.has(Row::kNoPrice))) Ranking::place(c, row, tracked());
}

bool Applier::entry(std::uint8_t action, const Key& key, const Values& v) {
    counters_.entries.add();
    const std::uint32_t row = ContentAccess::find(*content_, key);
    if (action == kUpdate || action == kAdd) {
        if (v.faulty) [[unlikely]] {
            failEntry(v.fault, key.text, v.faultyField);
        } else {
            const bool fresh = row == kNone || action == kAdd;
            const bool two = fresh ? v.hasAny(kQuote) && !v.hasAny(kOneSided) : content_->rows[row].has(Row::kTwoSided);
            if (two) [[unlikely]]
                applyTwoSided(action, key, v, row);
            else if (fresh) addOneSided(action, key, v, row);
            else updateOneSided(key, v, row);
        }
    } else if (action == kDelete) {
        deleteEntry(row);
    } else {
        failEntry(Fault::unknownAction, key.text, 0);
    }
    if (options_.perEntry && shown_ && !reset_ && touched_ && track_) [[unlikely]]
        publishChanges();
    return !dead_;
}

/// The row and its mate out of their levels.
[[gnu::always_inline]] inline void Applier::unplaceBoth(std::uint32_t row) {
    Content& c = *content_;
    const std::uint32_t mate = ContentAccess::mateOf(c, row);
    if (c.rows[row].has(Row::kRanked | Row::kMarket)) Ranking::unplace(c, row, tracked());
    if (mate != kNone && c.rows[mate].has(Row::kRanked | Row::kMarket)) [[unlikely]]
        Ranking::unplace(c, mate, tracked());
}

[[gnu::always_inline]] inline void Applier::deleteEntry(std::uint32_t row) {
    if (row == kNone) [[unlikely]]
        return counters_.deleteOfUnknown.add();
    touched_ = true;
    unplaceBoth(row);
    ContentAccess::erase(*content_, row);
}

/// A new entry, or one that says everything anew. In line, as everything that most entries go through.
[[gnu::always_inline]] inline void Applier::addOneSided(std::uint8_t action, const Key& key, const Values& v,
                                                        std::uint32_t row) {
    Part part;
    const std::int64_t side = v.says(Meaning::orderSide) ? v.value(Meaning::orderSide) : 0;
    if (side < 0 || side > 2) [[unlikely]]
        return failEntry(Fault::sideValue, key.text, 0);
    if (side == 0) [[unlikely]]
        return failEntry(Fault::noSide, key.text, 0);
    if (!v.has(Meaning::orderPrice)) [[unlikely]]
        return failEntry(Fault::noPrice, key.text, 0);
    if (!readOneSided(key, v, static_cast<Side>(side), part)) [[unlikely]]
        return;
    touched_ = true;
    if (row != kNone) [[unlikely]] {
        counters_.addOfKnown.add();
        unplaceBoth(row);
        ContentAccess::forget(*content_, row);
    } else {
        if (action == kUpdate) counters_.updateWithoutAdd.add();
        row = ContentAccess::add(*content_, key);
    }
    fillFresh(row, part, v);
}

[[gnu::always_inline]] inline void Applier::updateOneSided(const Key& key, const Values& v, std::uint32_t row) {
    Part part;
    const std::int64_t side = v.says(Meaning::orderSide) ? v.value(Meaning::orderSide) : 0;
    if (side < 0 || side > 2) [[unlikely]]
        return failEntry(Fault::sideValue, key.text, 0);
    if (!readOneSided(key, v, static_cast<Side>(side), part)) [[unlikely]]
        return;
    touched_ = true;
    change<false>(row, part, v);
}

void Applier::applyTwoSided(std::uint8_t action, const Key& key, const Values& v, std::uint32_t row) {
    const bool fresh = row == kNone || action == kAdd;
    Part bid, ask;
    if (v.hasAny(kQuote)) {
        if (!readPart(key, v, Meaning::bid, Meaning::bidSize, Side::bid, bid) ||
            !readPart(key, v, Meaning::ask, Meaning::askSize, Side::ask, ask))
            return;
        if (fresh && !bid.hasPrice && !ask.hasPrice) return failEntry(Fault::noPrice, key.text, 0);
    } else if (v.hasAny(kOneSided) || v.has(Meaning::orderSize)) {
        // A two-sided entry that is updated in the other way of writing.
        const std::int64_t side = v.says(Meaning::orderSide) ? v.value(Meaning::orderSide) : 0;
        if (side != 1 && side != 2) return failEntry(Fault::noSide, key.text, 0);
        Part& part = side == 1 ? bid : ask;
        if (!readPart(key, v, Meaning::orderPrice, Meaning::orderSize, static_cast<Side>(side), part)) return;
    }
    bid.side = Side::bid;
    ask.side = Side::ask;
    touched_ = true;
    std::uint32_t mate;
    if (fresh) {
        if (row != kNone) {
            counters_.addOfKnown.add();
            unplaceBoth(row);
            ContentAccess::forget(*content_, row);
        } else {
            if (action == kUpdate) counters_.updateWithoutAdd.add();
            row = ContentAccess::add(*content_, key);
        }
        mate = ContentAccess::addMate(*content_, row);
        content_->rows[row].flags = static_cast<std::uint8_t>(Side::bid) | Row::kTwoSided | Row::kNoPrice;
        content_->rows[mate].flags = static_cast<std::uint8_t>(Side::ask) | Row::kTwoSided | Row::kNoPrice;
    } else {
        mate = ContentAccess::mateOf(*content_, row);
    }
    setDetails(row, v);  // once; the ask shares the bid's
    change<true>(row, bid, v);
    change<true>(mate, ask, v);
}

void Applier::setDetails(std::uint32_t row, const Values& v) {
    if (!v.hasAny(kDetails)) return;
    Extra& e = ContentAccess::extra(*content_, row);
    const auto whole = [&v](Meaning m, std::int32_t& to, bool* there) {
        if (!v.has(m)) return;
        to = v.says(m) ? static_cast<std::int32_t>(v.value(m)) : 0;
        if (there != nullptr) *there = v.says(m);
    };
    whole(Meaning::rank, e.rank, &e.hasRank);
    whole(Meaning::priority, e.tie, &e.hasTie);
    whole(Meaning::bookDepth, e.bookDepth, nullptr);
    const auto date = [&v](Meaning m, std::uint32_t& to) {
        if (v.has(m)) to = v.says(m) ? static_cast<std::uint32_t>(v.value(m)) : 0;
    };
    date(Meaning::levelDate, e.date);
    date(Meaning::priorityDate, e.priorityDate);
    const auto text = [&v](Meaning m, auto& to, std::uint8_t& length) {
        if (v.has(m)) keep(to, length, v.says(m) ? v.text(m) : std::string_view{});
    };
    text(Meaning::makerId, e.maker, e.makerLength);
    text(Meaning::makerName, e.makerName, e.nameLength);
    text(Meaning::tone, e.tone, e.toneLength);
    const auto number = [&v](Meaning m, std::uint16_t& to) {
        if (v.has(m)) to = small(v, m);
    };
    number(Meaning::makerNumber, e.makerNumber);
    number(Meaning::makerSource, e.source);
    number(Meaning::qualifier1, e.qualifier1);
    number(Meaning::qualifier2, e.qualifier2);
    if (v.has(Meaning::accumulatedSize)) {
        e.hasAccumulated = false;
        if (v.says(Meaning::accumulatedSize) && v.number(Meaning::accumulatedSize).hint < kHints) {
            const Values::Number& n = v.number(Meaning::accumulatedSize);
            const ScaledNumber s = scaled(n.value, n.hint, content_->sizeScale);
            e.hasAccumulated = content_->accSizes = s.outcome == Scaled::exact;
            e.accumulated = s.units;
        }
    }
    if (v.has(Meaning::makers))
        ContentAccess::keepNested(*content_, row,
                                  v.says(Meaning::makers) ? v.text(Meaning::makers) : std::string_view{});
}

// --- summary

void Applier::summary(const Values& v) {
    if (v.faulty) return failEntry(v.fault, {}, v.faultyField);
    if (v.present == 0) return;
    touched_ = summarySeen_ = true;
    Summary& s = content_->summary;
    const auto number = [&v](Meaning m, std::uint16_t& to) {
        if (v.has(m)) to = small(v, m);
    };
    number(Meaning::currency, s.currency);
    number(Meaning::tradeUnits, s.tradeUnits);
    number(Meaning::exchange, s.exchange);
    number(Meaning::priceRankRule, s.priceRankRule);
    number(Meaning::orderRankRule, s.orderRankRule);
    number(Meaning::aggregationRule, s.aggregationRule);
    number(Meaning::bookState, s.bookState);
    number(Meaning::tradingStatus, s.tradingStatus);
    number(Meaning::instrumentPhase, s.instrumentPhase);
    number(Meaning::marketState, s.marketState);
    number(Meaning::haltReason, s.haltReason);
    number(Meaning::haltCode, s.haltCode);
    number(Meaning::orderEntryState, s.orderEntryState);
    if (v.says(Meaning::lotSize) && v.number(Meaning::lotSize).hint <= 21)
        s.lotSize = {v.value(Meaning::lotSize), v.number(Meaning::lotSize).hint};
    if (v.says(Meaning::permission)) s.permission = static_cast<std::uint64_t>(v.value(Meaning::permission));
    if (v.says(Meaning::quoteDate)) s.quoteDate = static_cast<std::uint32_t>(v.value(Meaning::quoteDate));
    if (v.says(Meaning::stockRic)) {
        const std::string_view ric = v.text(Meaning::stockRic).substr(0, sizeof s.stockRic - 1);
        std::fill_n(s.stockRic, sizeof s.stockRic, '\0');
        std::copy(ric.begin(), ric.end(), s.stockRic);
    }
    if (v.hasAny(bits({Meaning::priceRankRule, Meaning::orderRankRule, Meaning::aggregationRule})) &&
        Ranking::applyRules(*content_, &changes_) && shown_)
        reset_ = true;  // every level may stand elsewhere
}

}  // namespace emissary::book::detail
