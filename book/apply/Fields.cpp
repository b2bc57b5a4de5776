// Fills the table of field ids and their meanings, and sets others in their place.
#include "emissary/book/Fields.h"

#include "Ema.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace emissary::book {

namespace {

using M = Meaning;
using T = FieldType;

// docs/spec/order-books.md 2.1, 2.2.
constexpr Field kStandard[] = {
    {3427, M::orderPrice, T::real},
    {3428, M::orderSide, T::enumeration},
    {3429, M::orderSize, T::real},
    {9943, M::orderSizeDecimals, T::real},
    {3430, M::orderCount, T::unsignedInt},
    {7141, M::impliedCount, T::signedInt},
    {4356, M::accumulatedSize, T::real},
    {22, M::bid, T::real},
    {25, M::ask, T::real},
    {30, M::bidSize, T::real},
    {31, M::askSize, T::real},
    {3855, M::quoteTime, T::unsignedInt},
    {6527, M::levelTimeMs, T::unsignedInt},
    {6528, M::levelTimeMicros, T::unsignedInt},
    {6529, M::levelDate, T::date},
    {14268, M::levelTime, T::time},
    {14276, M::orderTime, T::time},
    {6520, M::priorityTimeMs, T::unsignedInt},
    {6521, M::priorityTimeMicros, T::unsignedInt},
    {6522, M::priorityDate, T::date},
    {14275, M::priorityTime, T::time},
    {7439, M::rank, T::signedInt},
    {6919, M::priority, T::signedInt},
    {6454, M::bookDepth, T::real},
    {3886, M::tone, T::text},
    {212, M::makerId, T::text},
    {3435, M::makerId, T::text},
    {4106, M::makerId, T::text},
    {214, M::makerName, T::text},
    {213, M::makerSource, T::enumeration},
    {118, M::qualifier1, T::enumeration},
    {131, M::qualifier2, T::enumeration},
    {15, M::currency, T::enumeration},
    {53, M::tradeUnits, T::enumeration},
    {198, M::lotSize, T::real},
    {1, M::permission, T::unsignedInt},
    {1709, M::exchange, T::enumeration},
    {3386, M::quoteDate, T::date},
    {1026, M::stockRic, T::text},
    {3423, M::priceRankRule, T::enumeration},
    {3425, M::orderRankRule, T::enumeration},
    {6543, M::aggregationRule, T::enumeration},
    {6516, M::bookState, T::enumeration},
    {6614, M::tradingStatus, T::enumeration},
    {8927, M::instrumentPhase, T::enumeration},
    {133, M::marketState, T::enumeration},
    {6517, M::haltReason, T::enumeration},
    {6615, M::haltCode, T::enumeration},
    {6518, M::orderEntryState, T::enumeration},
};

}  // namespace

Fields::Fields() : list_(std::begin(kStandard), std::end(kStandard)) {
    place();
}

// A field that is set anew replaces the old one. The table is placed again, since its multiplier depends on all ids.
void Fields::set(Field field) {
    const auto known = std::find_if(list_.begin(), list_.end(), [&](const Field& f) { return f.id == field.id; });
    if (known != list_.end()) list_.erase(known);
    if (field.meaning != Meaning::ignored) list_.push_back(field);
    place();
}

void Fields::adopt(const refinitiv::ema::rdm::DataDictionary& dictionary) {
    using refinitiv::ema::access::DataType;
    for (Field& f : list_) {
        if (!dictionary.hasEntry(f.id)) continue;
        // The dictionary decides how a value is read; the meaning stays ours.
        switch (dictionary.getEntry(f.id).getRwfType()) {
        case DataType::IntEnum:
            f.type = T::signedInt;
            break;
        case DataType::UIntEnum:
            f.type = T::unsignedInt;
            break;
        case DataType::RealEnum:
            f.type = T::real;
            break;
        case DataType::EnumEnum:
            f.type = T::enumeration;
            break;
        case DataType::DateEnum:
            f.type = T::date;
            break;
        case DataType::TimeEnum:
            f.type = T::time;
            break;
        case DataType::BufferEnum:
        case DataType::AsciiEnum:
        case DataType::Utf8Enum:
        case DataType::RmtesEnum:
            f.type = T::text;
            break;
        case DataType::MapEnum:
            f.type = T::container;
            break;
        default:
            break;
        }
    }
    place();
}

/// Looks for a multiplier that gives every id a slot of its own. Ids are few and slots a thousand: one multiplier in
/// three does for the standard fields, one in a hundred for twice as many.
void Fields::place() {
    std::uint32_t candidate = 0x9E3779B1u;
    // 10,000 multipliers are tried: one that fits is found, or the table is too small.
    for (int tries = 0; tries != 10'000; ++tries, candidate = candidate * 1664525u + 1013904223u) {
        multiplier_ = candidate | 1u;
        slots_.fill(Field{});
        bool unique = true;
        for (const Field& f : list_) {
            Field& s = slots_[slot(f.id)];
            unique = unique && s.meaning == Meaning::ignored;
            if (s.meaning == Meaning::ignored) s = f;
        }
        if (unique) return;
    }
    throw std::length_error("emissary::book::Fields: " + std::to_string(list_.size()) +
                            " fields are more than the table takes; leave out those that the source does not send");
}

}  // namespace emissary::book
