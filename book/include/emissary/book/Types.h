// book: the small words of order books: kinds, sides, states, numbers (docs/spec/order-books.md 2, 4).
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#if __cplusplus >= 202002L
#include <compare>
#endif

namespace emissary::book {

/// What a stream carries; the numbers are the domains.
enum class Kind : std::uint8_t { orders = 7, prices = 8, makers = 9 };

/// The numbers of ORDER_SIDE.
enum class Side : std::uint8_t { none = 0, bid = 1, ask = 2 };

/// Whether the content of a book can be relied on.
enum class State : std::uint8_t {
    empty,     ///< no image has come
    building,  ///< an image is on its way; what was there before is still shown
    live,
    stale,  ///< content kept, but not to be relied on
    closed  ///< the stream has ended; content kept until the book is closed
};

/// Where the market stands in its day, from the summary fields (docs/spec/order-books.md 3.5).
enum class Phase : std::uint8_t { unknown, preOpen, auction, continuous, halted, closed };

/// What was wrong with an entry (it is ignored) or with a message.
enum class Fault : std::uint8_t {
    fieldType,       ///< a field's value is of another type than the field has
    malformedField,  ///< a value or the list around it breaks off or has an impossible length
    noSide,          ///< a new entry without a side
    noPrice,         ///< a new entry that says nothing of its price
    priceValue,      ///< infinity or not a number
    priceRange,      ///< does not fit into 64 bits at the book's scale
    sizeValue,       ///< negative, infinity or not a number
    sizeRange,       ///< above 2^56 units of the book's size scale
    sideValue,       ///< a side that is neither bid nor ask
    unknownAction,   ///< not Add, Update or Delete
    malformedMap,    ///< the payload is not a map of field lists; the book is stale
    tooManyFaults,   ///< more than BookOptions::maxFaults in one message; the book is stale
    sequenceGap,     ///< a message was missed; the book is stale
    partGap,         ///< a part of an image was missed; the image will not complete
};
/// How many kinds of faults there are.
inline constexpr std::size_t kFaults = 14;
[[nodiscard]] const char* name(Fault fault) noexcept;  ///< as the enumerator
[[nodiscard]] const char* name(State state) noexcept;
[[nodiscard]] const char* name(Phase phase) noexcept;

/// A price in units of 10^-scale, the scale being the book's (Book::scale()).
using Ticks = std::int64_t;

/// Since 00:00 GMT of the day; kNoTime when the source gave none.
using Nanos = std::chrono::nanoseconds;
/// The source gave no time.
inline constexpr Nanos kNoTime{-1};

/// mantissa x 10^(hint - 14), hint 0..21: the decimal numbers of the wire. Compared by value.
struct Real {
    std::int64_t mantissa = 0;  ///< the digits
    std::uint8_t hint = 14;     ///< the power of ten, as on the wire; 14: none
    /// The nearest double; a fraction is divided out.
    [[nodiscard]] double toDouble() const noexcept;
    /// Below zero, zero or above: a is smaller, they are equal, a is larger.
    [[nodiscard]] static int compare(const Real& a, const Real& b) noexcept;
    friend bool operator==(const Real& a, const Real& b) noexcept { return compare(a, b) == 0; }
    friend bool operator!=(const Real& a, const Real& b) noexcept { return compare(a, b) != 0; }
    friend bool operator<(const Real& a, const Real& b) noexcept { return compare(a, b) < 0; }
    friend bool operator<=(const Real& a, const Real& b) noexcept { return compare(a, b) <= 0; }
    friend bool operator>(const Real& a, const Real& b) noexcept { return compare(a, b) > 0; }
    friend bool operator>=(const Real& a, const Real& b) noexcept { return compare(a, b) >= 0; }
#if __cplusplus >= 202002L
    friend std::strong_ordering operator<=>(const Real& a, const Real& b) noexcept {
        return compare(a, b) <=> 0;
    }
#endif
};

class Book;

/// A price of one book. Prices of different books, or of one book before and after Book::scale() changed, cannot be
/// compared.
struct Price {
    Ticks ticks = 0;         ///< in units of 10^-scale of the book
    std::uint8_t hint = 14;  ///< how the source wrote it first; for text() alone
    /// In units of money: the ticks at the scale of their book.
    [[nodiscard]] double toDouble(const Book& book) const noexcept;
    /// Decimal digits as many as the source wrote (a fraction is written out). `to` takes kPriceText bytes; the view is
    /// into it.
    [[nodiscard]] std::string_view text(const Book& book, char* to) const noexcept;
    friend bool operator==(const Price& a, const Price& b) noexcept { return a.ticks == b.ticks; }
    friend bool operator!=(const Price& a, const Price& b) noexcept { return a.ticks != b.ticks; }
};
/// Bytes that Price::text() needs.
inline constexpr std::size_t kPriceText = 32;

}  // namespace emissary::book
