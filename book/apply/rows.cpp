// Writes the details of an order into its row: times, maker, texts and nested data.
#include "apply/rows.h"

#include "store/scale.h"

#include <algorithm>

namespace emissary::book::detail {

namespace {

template <std::size_t N>
void keep(char (&to)[N], std::uint8_t& length, std::string_view text) noexcept {
    // Fixed room in the record: a longer text is cut, since makers and tones are short.
    length = static_cast<std::uint8_t>(std::min(N, text.size()));
    std::copy_n(text.data(), length, to);
}

}  // namespace

void setDetails(Content& c, std::uint32_t row, const Values& v) {
    // Nothing of the details is in most entries.
    if (!v.hasAny(kDetails)) return;
    Extra& e = ContentAccess::extra(c, row);
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
        // A sum that does not fit the scale is left out, and verify() cannot compare it.
        if (v.says(Meaning::accumulatedSize) && v.number(Meaning::accumulatedSize).hint < kHints) {
            const Values::Number& n = v.number(Meaning::accumulatedSize);
            const ScaledNumber s = scaled(n.value, n.hint, c.sizeScale);
            e.hasAccumulated = c.accSizes = s.outcome == Scaled::exact;
            e.accumulated = s.units;
        }
    }
    if (v.has(Meaning::makers))
        ContentAccess::keepNested(c, row, v.says(Meaning::makers) ? v.text(Meaning::makers) : std::string_view{});
}

}  // namespace emissary::book::detail
