// One order book: levels by price on two sides, orders in their queues (docs/spec/order-books.md 4).
//
// Everything here is read on the thread that dispatches; other threads read a TopOfBook (Top.h). Levels and orders are
// views: they live until the callback returns, as does everything reached through them. A Book lives until it is
// closed.
#pragma once

#include "emissary/book/Types.h"
#include "emissary/book/detail/Storage.h"

#include <iterator>
#include <memory>
#include <optional>
#include <string>

namespace emissary::book {

class Orders;
class TopSink;

/// Orders and size ahead of an order in its level.
struct Position {
    std::uint32_t orders = 0;  ///< how many
    Real size;                 ///< their sum
};

/// An order; in books of prices and makers one entry of the map (of a maker: one side of it).
class Order {
public:
    [[nodiscard]] std::string_view id() const noexcept;  ///< the entry's key
    /// Bid or ask; of a maker's entry the side that this one is.
    [[nodiscard]] Side side() const noexcept;
    [[nodiscard]] Price price() const noexcept;    ///< of a market order: Price{}
    [[nodiscard]] bool atMarket() const noexcept;  ///< has no price
    [[nodiscard]] bool ranked() const noexcept;    ///< in a level or at the market; false with size 0
    /// The quantity that is left.
    [[nodiscard]] Real size() const noexcept;
    [[nodiscard]] Nanos time() const noexcept;          ///< of the last activity, or kNoTime
    [[nodiscard]] Nanos priorityTime() const noexcept;  ///< or kNoTime
    [[nodiscard]] std::uint32_t date() const noexcept;  ///< of the activity, year << 16 | month << 8 | day; 0: not sent
    /// Of the priority time, as date(); 0: not sent.
    [[nodiscard]] std::uint32_t priorityDate() const noexcept;
    [[nodiscard]] std::string_view maker() const noexcept;      ///< market maker's id; at most 24 bytes are kept
    [[nodiscard]] std::string_view makerName() const noexcept;  ///< at most 24 bytes are kept
    [[nodiscard]] std::uint16_t makerNumber() const noexcept;   ///< market maker as an enumeration (MMID); 0: not sent
    [[nodiscard]] std::uint16_t source() const noexcept;        ///< MKT_SOURCE
    [[nodiscard]] std::string_view tone() const noexcept;       ///< condition; at most 8 bytes are kept
    [[nodiscard]] std::uint16_t qualifier() const noexcept;     ///< PRC_QL_CD
    [[nodiscard]] std::uint16_t qualifier2() const noexcept;    ///< PRC_QL2
    [[nodiscard]] std::int32_t bookDepth() const noexcept;      ///< ranking position as the source gave it; 0: not sent
    /// Steps over the orders ahead: takes as long as there are.
    [[nodiscard]] Position position() const noexcept;

private:
    friend class Book;
    friend class Orders;
    Order(const detail::Content& content, std::uint32_t row) noexcept : content_(&content), row_(row) {}
    [[nodiscard]] const detail::Row& row() const noexcept;
    [[nodiscard]] const detail::Extra& extra() const noexcept;
    const detail::Content* content_;
    std::uint32_t row_;
};

/// The rows of a level in their order: a forward range of Order.
class Orders {
public:
    /// Goes from one row to the next, which lies elsewhere in memory.
    class Iterator {
    public:
        /// What the standard library asks of an iterator.
        using value_type = Order;
        using difference_type = std::ptrdiff_t;
        using iterator_category = std::input_iterator_tag;
        using pointer = void;
        using reference = Order;
        /// A view of the row.
        [[nodiscard]] Order operator*() const noexcept { return {*content_, row_}; }
        /// To the row behind; the end must not be passed.
        Iterator& operator++() noexcept;
        friend bool operator==(const Iterator& a, const Iterator& b) noexcept { return a.row_ == b.row_; }

    private:
        friend class Orders;
        Iterator(const detail::Content& content, std::uint32_t row) noexcept : content_(&content), row_(row) {}
        const detail::Content* content_;
        std::uint32_t row_;
    };
    /// The first in the queue.
    [[nodiscard]] Iterator begin() const noexcept { return {*content_, head_}; }
    /// Behind the last.
    [[nodiscard]] Iterator end() const noexcept { return {*content_, detail::kNone}; }

private:
    friend class Level;
    friend class Market;
    Orders(const detail::Content& content, std::uint32_t head) noexcept : content_(&content), head_(head) {}
    const detail::Content* content_;
    std::uint32_t head_;
};

/// A price and what stands there.
class Level {
public:
    /// In the book's scale.
    [[nodiscard]] Price price() const noexcept;
    /// The sum of its orders, or what the source gave for the level.
    [[nodiscard]] Real size() const noexcept;
    /// How many orders stand there, by the rows or as the source said.
    [[nodiscard]] std::uint32_t orders() const noexcept { return data_->orders; }
    [[nodiscard]] std::int32_t impliedOrders() const noexcept { return data_->implied; }  ///< not part of orders()
    [[nodiscard]] Nanos time() const noexcept { return Nanos{data_->time}; }              ///< of the last activity
    /// Its rows, the one that trades first in front.
    [[nodiscard]] Orders queue() const noexcept;
    /// The map of market makers that came with the level, encoded; empty when none did.
    [[nodiscard]] std::string_view makers() const noexcept;

private:
    friend class BookSide;
    Level(const BookSide& side, std::uint32_t at) noexcept;
    const BookSide* side_;
    const detail::LevelData* data_;
    std::uint32_t at_;
};

/// Orders without a price, which go before all others.
class Market {
public:
    /// True when no such order is known.
    [[nodiscard]] bool empty() const noexcept { return data_->rows == 0; }
    /// The sum of their sizes.
    [[nodiscard]] Real size() const noexcept;
    /// How many there are.
    [[nodiscard]] std::uint32_t orders() const noexcept { return data_->rows; }
    /// The orders, the one that trades first in front.
    [[nodiscard]] Orders queue() const noexcept { return {*content_, data_->head}; }

private:
    friend class BookSide;
    Market(const detail::Content& content, const detail::LevelData& data) noexcept : content_(&content), data_(&data) {}
    const detail::Content* content_;
    const detail::LevelData* data_;
};

/// The levels of one side, best first.
class BookSide {
public:
    /// The number of levels, without orders at the market.
    [[nodiscard]] std::size_t depth() const noexcept { return count_; }
    /// True without levels.
    [[nodiscard]] bool empty() const noexcept { return count_ == 0; }
    /// The side must not be empty.
    [[nodiscard]] Level best() const noexcept { return {*this, count_ - 1}; }
    /// 0 is the best one; must be below depth().
    [[nodiscard]] Level operator[](std::size_t fromBest) const noexcept {
        return {*this, static_cast<std::uint32_t>(count_ - 1 - fromBest)};
    }
    /// The first level at this price.
    [[nodiscard]] std::optional<Level> find(Price price) const noexcept;
    [[nodiscard]] Real totalSize(std::size_t levels) const noexcept;  ///< of the best `levels` levels
    /// Its orders without a price.
    [[nodiscard]] Market market() const noexcept { return {*content_, market_}; }

    /// Goes from the best level to the worst.
    class Iterator {
    public:
        /// What the standard library asks of an iterator.
        using value_type = Level;
        using difference_type = std::ptrdiff_t;
        using iterator_category = std::input_iterator_tag;
        using pointer = void;
        using reference = Level;
        /// A view of the level.
        [[nodiscard]] Level operator*() const noexcept { return (*side_)[at_]; }
        /// To the next worse level.
        Iterator& operator++() noexcept { return ++at_, *this; }
        friend bool operator==(const Iterator& a, const Iterator& b) noexcept { return a.at_ == b.at_; }

    private:
        friend class BookSide;
        Iterator(const BookSide& side, std::size_t at) noexcept : side_(&side), at_(at) {}
        const BookSide* side_;
        std::size_t at_;
    };
    /// The best level.
    [[nodiscard]] Iterator begin() const noexcept { return {*this, 0}; }
    /// Behind the worst.
    [[nodiscard]] Iterator end() const noexcept { return {*this, count_}; }

    BookSide(const BookSide&) = delete;
    BookSide& operator=(const BookSide&) = delete;

private:
    friend class Level;
    friend struct detail::Content;
    friend struct detail::ContentAccess;
    friend struct detail::Ranking;
    BookSide() = default;
    ~BookSide() = default;
    [[nodiscard]] Ticks ticks(std::uint32_t at) const noexcept { return sign_ * ranks_[at]; }

    Ticks* ranks_ = nullptr;               ///< sign x ticks, ascending: the best is the last
    detail::LevelData* levels_ = nullptr;  ///< behind ranks_, in the same block
    std::uint32_t count_ = 0, room_ = 0;
    std::int64_t sign_ = 1;
    const detail::Content* content_ = nullptr;
    detail::LevelData market_;
};

/// The summary data of a book; absent members are 0 or empty.
struct Summary {
    std::uint16_t currency = 0, tradeUnits = 0, exchange = 0;  ///< enumerations of the dictionary
    Real lotSize;                                              ///< size of a round lot
    std::uint64_t permission = 0;                              ///< permission code of the product
    std::uint32_t quoteDate = 0;                               ///< year << 16 | month << 8 | day
    char stockRic[32] = {};                                    ///< cut at 31 bytes, zero-terminated
    /// Rules that rank prices and orders and add up levels, and how the two sides stand (normal, crossed, ...):
    /// enumerations.
    std::uint16_t priceRankRule = 0, orderRankRule = 0, aggregationRule = 0, bookState = 0;
    /// Where trading stands, which Book::phase() is made from, and why it is halted: enumerations.
    std::uint16_t tradingStatus = 0, instrumentPhase = 0, marketState = 0, haltReason = 0, haltCode = 0,
                  orderEntryState = 0;
};

/// A book that a Builder or Store keeps.
class Book {
public:
    /// The item's name, as given to open() or add(); lives as long as the book.
    [[nodiscard]] std::string_view name() const noexcept { return name_; }
    /// What its stream carries.
    [[nodiscard]] Kind kind() const noexcept { return kind_; }
    /// Whether its content can be relied on.
    [[nodiscard]] State state() const noexcept { return state_; }
    /// True when something was missed, or the stream is suspect.
    [[nodiscard]] bool stale() const noexcept { return state_ == State::stale; }
    /// Best bid at or above best ask. Not a fault: auctions look like that.
    [[nodiscard]] bool crossed() const noexcept;
    /// Live, and the market is in continuous trading.
    [[nodiscard]] bool tradable() const noexcept { return state_ == State::live && phase_ == Phase::continuous; }
    [[nodiscard]] bool doubtful() const noexcept { return summary().bookState == 5; }  ///< the source cannot tell
    [[nodiscard]] bool isFinal() const noexcept { return final_; }  ///< a snapshot that is complete, or closed
    /// Where the market stands, from the summary; unknown when the source does not say.
    [[nodiscard]] Phase phase() const noexcept { return phase_; }
    /// The levels of buyers, the highest price first.
    [[nodiscard]] const BookSide& bids() const noexcept;
    /// The levels of sellers, the lowest price first.
    [[nodiscard]] const BookSide& asks() const noexcept;
    /// The order with this key (books of makers: its bid), ranked or not.
    [[nodiscard]] std::optional<Order> order(std::string_view id) const noexcept;
    [[nodiscard]] std::size_t keys() const noexcept;  ///< entries known
    /// The summary data of the last messages that had any.
    [[nodiscard]] const Summary& summary() const noexcept;
    /// Grows with every message that counted.
    [[nodiscard]] std::uint64_t version() const noexcept { return version_; }
    [[nodiscard]] std::optional<std::uint32_t> sequence() const noexcept { return sequence_; }  ///< of the last message
    [[nodiscard]] int scale() const noexcept;          ///< prices are in units of 10^-scale
    [[nodiscard]] std::size_t bytes() const noexcept;  ///< memory it takes
    /// Checks every invariant (docs/spec/order-books.md 3.4); empty, or what is broken. Takes as long as the book is
    /// big.
    [[nodiscard]] std::string verify() const;
    /// Publishes the best levels to `top` after every message, null ends that. `top` must outlive it.
    void publishTo(TopSink* top) noexcept;
    void* closure = nullptr;  ///< the program's own

    Book(const Book&) = delete;
    Book& operator=(const Book&) = delete;
    ~Book();

private:
    friend class detail::Applier;
    friend class detail::Faults;
    friend class Builder;
    friend class Store;
    Book(detail::Memory& memory, std::string_view name, Kind kind, void* closure, std::size_t depthHint,
         std::size_t ordersHint);
    std::unique_ptr<detail::Content> shown_, next_;  ///< next_: the image being built behind the shown one
    std::string name_;
    TopSink* top_ = nullptr;
    std::uint64_t version_ = 0;
    std::uint64_t handle_ = 0;
    std::size_t place_ = 0;  ///< in its store
    std::chrono::steady_clock::time_point lastFault_{};
    std::optional<std::uint32_t> sequence_;
    std::uint32_t depthHint_, ordersHint_;
    std::uint16_t nextPart_ = 0;
    Kind kind_;
    State state_ = State::empty;
    Phase phase_ = Phase::unknown;
    bool final_ = false, missed_ = false, partMissed_ = false, imageAsked_ = false, faultTold_ = false;
};

}  // namespace emissary::book

#include "emissary/book/detail/Content.h"
