// book: the fields of order books: the table for reading entries and summary data (docs/spec/order-books.md 2).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace refinitiv::ema::rdm {
class DataDictionary;
}

namespace emissary::book {

/// What a field means to a book.
enum class Meaning : std::uint8_t {
    ignored,
    // --- of an entry
    orderPrice,
    orderSide,
    orderSize,
    orderSizeDecimals,
    orderCount,
    impliedCount,
    accumulatedSize,
    bid,
    ask,
    bidSize,
    askSize,
    quoteTime,
    levelTimeMs,
    levelTimeMicros,
    levelDate,
    levelTime,
    orderTime,
    priorityTimeMs,
    priorityTimeMicros,
    priorityDate,
    priorityTime,
    rank,
    priority,
    bookDepth,
    tone,
    makerId,
    makerNumber,
    makerName,
    makerSource,
    qualifier1,
    qualifier2,
    makers,  ///< a field whose content is a map of market makers; no standard field does, private feeds may name theirs
    // --- of the summary
    currency,
    tradeUnits,
    lotSize,
    permission,
    exchange,
    quoteDate,
    stockRic,
    priceRankRule,
    orderRankRule,
    aggregationRule,
    bookState,
    tradingStatus,
    instrumentPhase,
    marketState,
    haltReason,
    haltCode,
    orderEntryState,
};
/// How many meanings there are.
inline constexpr std::size_t kMeanings = static_cast<std::size_t>(Meaning::orderEntryState) + 1;
static_assert(kMeanings <= 64, "a bit for each in one word");

/// How the value of a field lies on the wire; none: in no type that a book reads.
enum class FieldType : std::uint8_t { none, signedInt, unsignedInt, real, enumeration, date, time, text, container };

/// One row of the table.
struct Field {
    std::int16_t id = 0;                 ///< of the field
    Meaning meaning = Meaning::ignored;  ///< what it says of a book
    FieldType type = FieldType::none;    ///< how its value is read
};

/// Field ids and what they mean; the standard ones unless said otherwise. A value: copy, change, hand over in
/// BookOptions. Looked up in two loads; set() and adopt() take longer and may allocate. About a hundred fields fit;
/// set() throws std::length_error when they do not.
class Fields {
public:
    /// The standard fields of domains 7, 8 and 9.
    Fields();
    /// Adds a field, or gives a known one another meaning or type. Meaning::ignored takes it out.
    void set(Field field);
    /// Takes the types of the fields in the table from a loaded dictionary; fields that it does not have stay.
    void adopt(const refinitiv::ema::rdm::DataDictionary& dictionary);
    /// All rows, in the order in which they were added.
    [[nodiscard]] const std::vector<Field>& list() const noexcept { return list_; }
    /// Field{} (ignored) for ids that are not in the table.
    [[nodiscard]] const Field& find(std::int16_t id) const noexcept {
        const Field& f = slots_[slot(id)];
        return f.id == id ? f : slots_[kSlots];
    }

private:
    static constexpr std::size_t kSlots = 1024;
    [[nodiscard]] std::size_t slot(std::int16_t id) const noexcept {
        return (static_cast<std::uint16_t>(id) * multiplier_) >> 22;
    }
    void place();
    std::vector<Field> list_;
    std::uint32_t multiplier_ = 0;           ///< chosen so that no two fields share a slot
    std::array<Field, kSlots + 1> slots_{};  ///< the last one belongs to no field
};

}  // namespace emissary::book
