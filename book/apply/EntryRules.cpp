// The rules for entries and summaries (docs/spec/order-books.md 3.2, 3.3).
#include "apply/EntryRules.h"

#include <algorithm>

namespace emissary::book::detail {

namespace {

constexpr std::uint8_t kUpdate = 1, kAdd = 2, kDelete = 3;  // actions of map entries

constexpr std::uint64_t kQuote = bits({Meaning::bid, Meaning::ask, Meaning::bidSize, Meaning::askSize});
constexpr std::uint64_t kOneSided = bits({Meaning::orderPrice, Meaning::orderSide});

}  // namespace

// --- reading

/// A number of another kind than expected, or in finer units than the book's so far.
bool EntryRules::readOtherPrice(const Key& key, const Values::Number& n, Part& out) {
    // A hint that is no scale: infinity and not-a-number are no price.
    if (n.hint >= kHints) return faults_.ofEntry(now_, Fault::priceValue, key.text, 0), false;
    ScaledNumber s = scaled(n.value, n.hint, now_.content->scale);
    if (s.outcome == Scaled::finer) {
        // A finer price raises the scale of the whole book, once for all levels (4.1).
        const std::int64_t factor = powerOfTen(s.needs - now_.content->scale);
        if (changes_.fits(factor) && ContentAccess::rescalePrices(*now_.content, s.needs)) {
            changes_.rescalePrices(factor);
            counters_.rescaled.add();
            if (now_.shown) now_.touched = now_.reset = true;  // prices that the listener kept are in other units
            s = scaled(n.value, n.hint, now_.content->scale);
        }
    }
    if (s.outcome != Scaled::exact) return faults_.ofEntry(now_, Fault::priceRange, key.text, 0), false;
    out.ticks = s.units;
    out.hint = n.hint;
    return true;
}

bool EntryRules::readOtherSize(const Key& key, const Values::Number& n, Part& out) {
    if (n.hint >= kHints || n.value < 0) return faults_.ofEntry(now_, Fault::sizeValue, key.text, 0), false;
    ScaledNumber s = scaled(n.value, n.hint, now_.content->sizeScale);
    if (s.outcome == Scaled::finer) {
        const std::int64_t factor = powerOfTen(s.needs - now_.content->sizeScale);
        if (changes_.fits(factor) && ContentAccess::rescaleSizes(*now_.content, s.needs)) {
            changes_.rescaleSizes(factor);
            counters_.rescaled.add();
            s = scaled(n.value, n.hint, now_.content->sizeScale);
        }
    }
    // The bound on sizes keeps the sum of a level inside 64 bits.
    if (s.outcome != Scaled::exact || s.units > kMaxSize)
        return faults_.ofEntry(now_, Fault::sizeRange, key.text, 0), false;
    out.size = s.units;
    return true;
}

/// Price and size of one side; false: an entry fault. Once per entry, and most of what an entry costs: in line.
[[gnu::always_inline]] inline bool EntryRules::readPart(const Key& key, const Values& v, Meaning price, Meaning size,
                                                        Side side, Part& out) {
    out.side = side;
    out.hasPrice = v.has(price);
    out.blankPrice = out.hasPrice && !v.says(price);
    if (v.says(price)) {
        const Values::Number& n = v.number(price);
        out.hint = n.hint;
        // In line and without a branch for the usual price; everything else goes through readOtherPrice().
        if ((n.hint >= kHints || !scaledExactly(n.value, n.hint, now_.content->scale, out.ticks)) &&
            !readOtherPrice(key, n, out)) [[unlikely]]
            return false;
    }
    out.hasSize = v.has(size);
    if (v.says(size)) {  // a blank size is none
        const Values::Number& n = v.number(size);
        if ((n.hint >= kHints || n.value < 0 || !scaledExactly(n.value, n.hint, now_.content->sizeScale, out.size) ||
             out.size > kMaxSize) &&
            !readOtherSize(key, n, out)) [[unlikely]]
            return false;
    }
    return true;
}

[[gnu::always_inline]] inline bool EntryRules::readOneSided(const Key& key, const Values& v, Side side, Part& out) {
    // Sources send one size field or the other; the usual one is looked for first.
    if (v.has(Meaning::orderSize)) [[likely]]
        return readPart(key, v, Meaning::orderPrice, Meaning::orderSize, side, out);
    return readDecimals(key, v, side, out);
}

bool EntryRules::readDecimals(const Key& key, const Values& v, Side side, Part& out) {
    return readPart(key, v, Meaning::orderPrice, Meaning::orderSizeDecimals, side, out);
}

// --- applying

void EntryRules::apply(std::uint8_t action, const Key& key, const Values& v) {
    counters_.entries.add();
    const std::uint32_t row = ContentAccess::find(*now_.content, key);
    if (action == kUpdate || action == kAdd) {
        if (v.faulty) [[unlikely]] {
            faults_.ofEntry(now_, v.fault, key.text, v.faultyField);
        } else {
            // Add makes a fresh entry of a key that is known, too (3.2).
            const bool fresh = row == kNone || action == kAdd;
            const bool two =
                // A row that began with two sides stays so: its mate holds the ask.
                fresh ? v.hasAny(kQuote) && !v.hasAny(kOneSided) : now_.content->rows[row].has(Row::kTwoSided);
            if (two) [[unlikely]]
                applyTwoSided(action, key, v, row);
            else if (fresh) addOneSided(action, key, v, row);
            else updateOneSided(key, v, row);
        }
    } else if (action == kDelete) {
        deleteEntry(row);
    } else {
        faults_.ofEntry(now_, Fault::unknownAction, key.text, 0);
    }
}

[[gnu::always_inline]] inline void EntryRules::deleteEntry(std::uint32_t row) {
    if (row == kNone) [[unlikely]]
        return counters_.deleteOfUnknown.add();
    now_.touched = true;
    // Out of its level before it is erased: the level's sums are those of its rows.
    unplaceBoth(*now_.content, row, tracked());
    ContentAccess::erase(*now_.content, row);
}

[[gnu::always_inline]] inline std::uint32_t EntryRules::freshRow(std::uint8_t action, const Key& key,
                                                                 std::uint32_t row) {
    // An update of an unknown key counts as Add when it says enough (3.2).
    if (row == kNone) [[likely]] {
        if (action == kUpdate) counters_.updateWithoutAdd.add();
        return ContentAccess::add(*now_.content, key);
    }
    counters_.addOfKnown.add();
    unplaceBoth(*now_.content, row, tracked());
    ContentAccess::forget(*now_.content, row);
    return row;
}

/// A new entry, or one that says everything anew. In line, as everything that most entries go through.
[[gnu::always_inline]] inline void EntryRules::addOneSided(std::uint8_t action, const Key& key, const Values& v,
                                                           std::uint32_t row) {
    Part part;
    const std::int64_t side = v.says(Meaning::orderSide) ? v.value(Meaning::orderSide) : 0;
    if (side < 0 || side > 2) [[unlikely]]
        return faults_.ofEntry(now_, Fault::sideValue, key.text, 0);
    // A new entry has to say its side; an update may leave it out.
    if (side == 0) [[unlikely]]
        return faults_.ofEntry(now_, Fault::noSide, key.text, 0);
    if (!v.has(Meaning::orderPrice)) [[unlikely]]
        return faults_.ofEntry(now_, Fault::noPrice, key.text, 0);
    if (!readOneSided(key, v, static_cast<Side>(side), part)) [[unlikely]]
        return;
    now_.touched = true;
    fillFresh(*now_.content, freshRow(action, key, row), part, v, tracked());
}

[[gnu::always_inline]] inline void EntryRules::updateOneSided(const Key& key, const Values& v, std::uint32_t row) {
    Part part;
    const std::int64_t side = v.says(Meaning::orderSide) ? v.value(Meaning::orderSide) : 0;
    if (side < 0 || side > 2) [[unlikely]]
        return faults_.ofEntry(now_, Fault::sideValue, key.text, 0);
    if (!readOneSided(key, v, static_cast<Side>(side), part)) [[unlikely]]
        return;
    now_.touched = true;
    change<false>(*now_.content, row, part, v, tracked());
}

void EntryRules::applyTwoSided(std::uint8_t action, const Key& key, const Values& v, std::uint32_t row) {
    const bool fresh = row == kNone || action == kAdd;
    Part bid, ask;
    if (v.hasAny(kQuote)) {
        if (!readPart(key, v, Meaning::bid, Meaning::bidSize, Side::bid, bid) ||
            !readPart(key, v, Meaning::ask, Meaning::askSize, Side::ask, ask))
            return;
        // Neither side has a price, so the entry would be nowhere.
        if (fresh && !bid.hasPrice && !ask.hasPrice) return faults_.ofEntry(now_, Fault::noPrice, key.text, 0);
    } else if (v.hasAny(kOneSided) || v.has(Meaning::orderSize)) {
        // A two-sided entry that is updated in the other way of writing.
        const std::int64_t side = v.says(Meaning::orderSide) ? v.value(Meaning::orderSide) : 0;
        if (side != 1 && side != 2) return faults_.ofEntry(now_, Fault::noSide, key.text, 0);
        Part& part = side == 1 ? bid : ask;
        if (!readPart(key, v, Meaning::orderPrice, Meaning::orderSize, static_cast<Side>(side), part)) return;
    }
    bid.side = Side::bid;
    ask.side = Side::ask;
    now_.touched = true;
    std::uint32_t mate;
    if (fresh) {
        row = freshRow(action, key, row);
        mate = ContentAccess::addMate(*now_.content, row);
        now_.content->rows[row].flags = static_cast<std::uint8_t>(Side::bid) | Row::kTwoSided | Row::kNoPrice;
        now_.content->rows[mate].flags = static_cast<std::uint8_t>(Side::ask) | Row::kTwoSided | Row::kNoPrice;
    } else {
        mate = ContentAccess::mateOf(*now_.content, row);
    }
    setDetails(*now_.content, row, v);  // once; the ask shares the bid's
    change<true>(*now_.content, row, bid, v, tracked());
    change<true>(*now_.content, mate, ask, v, tracked());
}

// --- summary

void EntryRules::summary(const Values& v) {
    if (v.faulty) return faults_.ofEntry(now_, v.fault, {}, v.faultyField);
    // A summary without a field that is known changes nothing, so no listener is called.
    if (v.present == 0) return;
    now_.touched = now_.summarySeen = true;
    Summary& s = now_.content->summary;
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
    // Hints above 21 are fractions of a price, not multiples of a lot.
    if (v.says(Meaning::lotSize) && v.number(Meaning::lotSize).hint <= 21)
        s.lotSize = {v.value(Meaning::lotSize), v.number(Meaning::lotSize).hint};
    if (v.says(Meaning::permission)) s.permission = static_cast<std::uint64_t>(v.value(Meaning::permission));
    if (v.says(Meaning::quoteDate)) s.quoteDate = static_cast<std::uint32_t>(v.value(Meaning::quoteDate));
    if (v.says(Meaning::stockRic)) {
        // Cut to the field's size; the rest would be a name nobody asked for.
        const std::string_view ric = v.text(Meaning::stockRic).substr(0, sizeof s.stockRic - 1);
        std::fill_n(s.stockRic, sizeof s.stockRic, '\0');
        std::copy(ric.begin(), ric.end(), s.stockRic);
    }
    // A change of rank rules moves every level (3.2), so the listener gets a reset.
    if (v.hasAny(bits({Meaning::priceRankRule, Meaning::orderRankRule, Meaning::aggregationRule})) &&
        Ranking::applyRules(*now_.content, &changes_) && now_.shown)
        now_.reset = true;  // every level may stand elsewhere
}

}  // namespace emissary::book::detail
