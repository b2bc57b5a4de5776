// Prices, orders, levels and sides as users read them, and the book that owns them.
#include "emissary/book/Book.h"

#include "emissary/book/Listener.h"
#include "emissary/book/Top.h"
#include "store/ContentAccess.h"
#include "store/Ranking.h"
#include "store/scale.h"

#include <algorithm>

namespace emissary::book {

namespace {

int compareWide(std::int64_t a, std::int64_t b, int tens) noexcept {
    // a x 10^tens against b: outside of 64 bits a alone decides.
    for (; tens != 0; --tens) {
        std::int64_t next;
        if (__builtin_mul_overflow(a, 10, &next)) return a < 0 ? -1 : 1;
        a = next;
    }
    return (a > b) - (a < b);
}

}  // namespace

int Real::compare(const Real& a, const Real& b) noexcept {
    if (a.hint >= b.hint) return compareWide(a.mantissa, b.mantissa, a.hint - b.hint);
    return -compareWide(b.mantissa, a.mantissa, b.hint - a.hint);
}

double Real::toDouble() const noexcept {
    // Both powers are exact, so that the result is rounded once.
    if (hint >= 14) return static_cast<double>(mantissa) * static_cast<double>(detail::powerOfTen(hint - 14));
    return static_cast<double>(mantissa) / static_cast<double>(detail::powerOfTen(14 - hint));
}

double Price::toDouble(const Book& book) const noexcept {
    return static_cast<double>(ticks) / static_cast<double>(detail::powerOfTen(book.scale()));
}

std::string_view Price::text(const Book& book, char* to) const noexcept {
    const int scale = book.scale();
    // A price is shown with the decimals of its hint, whatever the scale of the book.
    const int wanted = hint >= 22 ? hint - 22 : hint >= 14 ? 0 : 14 - hint;
    char* const end = to + kPriceText;
    char* p = end;
    std::uint64_t rest = ticks < 0 ? 0 - static_cast<std::uint64_t>(ticks) : static_cast<std::uint64_t>(ticks);
    bool shown = wanted > scale;  // a digit behind the point
    for (int zeros = wanted - scale; zeros > 0; --zeros)
        *--p = '0';
    for (int place = scale; place > 0; --place, rest /= 10) {
        const auto digit = static_cast<char>('0' + rest % 10);
        if (!shown && place > wanted && digit == '0') continue;
        shown = true;
        *--p = digit;
    }
    if (shown) *--p = '.';
    do {
        *--p = static_cast<char>('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    if (ticks < 0) *--p = '-';
    return {p, static_cast<std::size_t>(end - p)};
}

const char* name(Fault fault) noexcept {
    static constexpr const char* kNames[] = {
        "fieldType", "malformedField", "noSide",        "noPrice",      "priceValue",    "priceRange",  "sizeValue",
        "sizeRange", "sideValue",      "unknownAction", "malformedMap", "tooManyFaults", "sequenceGap", "partGap"};
    static_assert(std::size(kNames) == kFaults);
    return kNames[static_cast<std::size_t>(fault)];
}

const char* name(State state) noexcept {
    static constexpr const char* kNames[] = {"empty", "building", "live", "stale", "closed"};
    return kNames[static_cast<std::size_t>(state)];
}

const char* name(Phase phase) noexcept {
    static constexpr const char* kNames[] = {"unknown", "preOpen", "auction", "continuous", "halted", "closed"};
    return kNames[static_cast<std::size_t>(phase)];
}

// --- Order

const detail::Extra& Order::extra() const noexcept {
    static const detail::Extra kNothing;
    const std::uint32_t extra = row().extra;
    return extra == detail::kNone ? kNothing : content_->extras[extra];
}
Nanos Order::priorityTime() const noexcept {
    return content_->kind == Kind::prices ? kNoTime : Nanos{row().priority};
}
std::uint32_t Order::date() const noexcept {
    return extra().date;
}
std::uint32_t Order::priorityDate() const noexcept {
    return extra().priorityDate;
}
std::string_view Order::maker() const noexcept {
    return {extra().maker, extra().makerLength};
}
std::string_view Order::makerName() const noexcept {
    return {extra().makerName, extra().nameLength};
}
std::uint16_t Order::makerNumber() const noexcept {
    return extra().makerNumber;
}
std::uint16_t Order::source() const noexcept {
    return extra().source;
}
std::string_view Order::tone() const noexcept {
    return {extra().tone, extra().toneLength};
}
std::uint16_t Order::qualifier() const noexcept {
    return extra().qualifier1;
}
std::uint16_t Order::qualifier2() const noexcept {
    return extra().qualifier2;
}
std::int32_t Order::bookDepth() const noexcept {
    return extra().bookDepth;
}

Position Order::position() const noexcept {
    Position ahead;
    // Walked backwards: the orders in front are counted, and queues are short.
    std::int64_t size = 0;
    if (ranked()) {
        for (std::uint32_t i = content_->links[row_].prev; i != detail::kNone; i = content_->links[i].prev) {
            ++ahead.orders;
            size += content_->rows[i].size;
        }
    }
    ahead.size = content_->sizeOf(size);
    return ahead;
}

// --- levels

std::string_view Level::makers() const noexcept {
    const detail::Content& content = *side_->content_;
    const std::uint32_t extra = content.rows[data_->head].extra;
    if (extra == detail::kNone) return {};
    return {content.extras[extra].nested, content.extras[extra].nestedLength};
}

std::optional<Level> BookSide::find(Price price) const noexcept {
    // The smallest number is the mark of no level.
    if (price.ticks == std::numeric_limits<Ticks>::min()) return {};
    const auto found = detail::Ranking::search(*this, sign_ * price.ticks);
    if (!found.there) return {};
    return Level{*this, found.at};
}

Real BookSide::totalSize(std::size_t levels) const noexcept {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i != std::min<std::size_t>(levels, count_); ++i)
        sum += static_cast<std::uint64_t>(levels_[count_ - 1 - i].size);
    return content_->sizeOf(static_cast<std::int64_t>(sum));
}

// --- Book

Book::Book(detail::Memory& memory, std::string_view name, Kind kind, void* programs, std::size_t depthHint,
           std::size_t ordersHint)
    : closure(programs), name_(name), depthHint_(static_cast<std::uint32_t>(std::min<std::size_t>(depthHint, 1 << 20))),
      ordersHint_(static_cast<std::uint32_t>(std::min<std::size_t>(ordersHint, 1 << 24))), kind_(kind) {
    shown_ = std::make_unique<detail::Content>(memory, kind, depthHint_, ordersHint_);
}

Book::~Book() = default;

std::optional<Order> Book::order(std::string_view id) const noexcept {
    const std::uint32_t row = shown_->find(id);
    if (row == detail::kNone) return {};
    return Order{*shown_, row};
}

std::size_t Book::keys() const noexcept {
    return shown_->index.keys();
}

std::size_t Book::bytes() const noexcept {
    return sizeof *this + (name_.capacity() > 15 ? name_.capacity() + 1 : 0) + detail::ContentAccess::bytes(*shown_) +
           (next_ == nullptr ? 0 : detail::ContentAccess::bytes(*next_));
}

std::string Book::verify() const {
    std::string broken = detail::ContentAccess::verify(*shown_);
    if (broken.empty() && next_ != nullptr) broken = detail::ContentAccess::verify(*next_);
    return broken;
}

void Book::publishTo(TopSink* top) noexcept {
    top_ = top;
    // The reader sees the book as it is now, before the next message.
    if (top_ != nullptr) top_->publish(*this);
}

void BookListener::onBookReset(const Book&) {}
void BookListener::onBookState(const Book&, State) {}
void BookListener::onBookFault(const Book&, Fault, std::string_view, std::int16_t) {}

}  // namespace emissary::book
