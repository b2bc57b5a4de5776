// The rules for entries and summaries (docs/spec/order-books.md 3.2, 3.3).
#include "apply/Applier.h"
#include "apply/rows.h"

#include <algorithm>

namespace emissary::book::detail {

namespace {

constexpr std::uint8_t kUpdate = 1, kAdd = 2, kDelete = 3;  // actions of map entries

constexpr std::uint64_t kQuote = bits({Meaning::bid, Meaning::ask, Meaning::bidSize, Meaning::askSize});
constexpr std::uint64_t kOneSided = bits({Meaning::orderPrice, Meaning::orderSide});

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

// --- applying

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

[[gnu::always_inline]] inline void Applier::deleteEntry(std::uint32_t row) {
    if (row == kNone) [[unlikely]]
        return counters_.deleteOfUnknown.add();
    touched_ = true;
    unplaceBoth(*content_, row, tracked());
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
        unplaceBoth(*content_, row, tracked());
        ContentAccess::forget(*content_, row);
    } else {
        if (action == kUpdate) counters_.updateWithoutAdd.add();
        row = ContentAccess::add(*content_, key);
    }
    fillFresh(*content_, row, part, v, tracked());
}

[[gnu::always_inline]] inline void Applier::updateOneSided(const Key& key, const Values& v, std::uint32_t row) {
    Part part;
    const std::int64_t side = v.says(Meaning::orderSide) ? v.value(Meaning::orderSide) : 0;
    if (side < 0 || side > 2) [[unlikely]]
        return failEntry(Fault::sideValue, key.text, 0);
    if (!readOneSided(key, v, static_cast<Side>(side), part)) [[unlikely]]
        return;
    touched_ = true;
    change<false>(*content_, row, part, v, tracked());
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
            unplaceBoth(*content_, row, tracked());
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
    setDetails(*content_, row, v);  // once; the ask shares the bid's
    change<true>(*content_, row, bid, v, tracked());
    change<true>(*content_, mate, ask, v, tracked());
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
