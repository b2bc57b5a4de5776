// The callbacks that a program gets for its books.
#pragma once

#include "emissary/book/Book.h"
#include "emissary/book/Span.h"

namespace emissary::book {

/// One level that a message changed.
struct Change {
    /// What became of the level.
    enum Action : std::uint8_t { added, changed, removed } action = changed;  ///< the kind of change
    Side side = Side::none;                                                   ///< of the level
    bool market = false;                         ///< the orders without a price, not a level; price and index are 0
    Price price;                                 ///< of the level
    std::uint32_t index = 0;                     ///< from the best: after the message, of removed levels before it
    Real sizeBefore, size;                       ///< sum of the orders before the message, and after it
    std::uint32_t ordersBefore = 0, orders = 0;  ///< how many before the message, and after it
};

/// Called on the dispatching thread, after a message was applied as a whole. Books may be read in the calls, not
/// changed; Builder::close() may be called for any book but the one that the call is about.
class BookListener {
public:
    virtual ~BookListener() = default;
    /// The levels that the message changed, each once: bids first, the best first. Never empty, unless
    /// BookOptions::trackChanges is off: then always. From C++20 on, Span is std::span.
    virtual void onBookChanged(const Book& book, Span<const Change> changes) = 0;
    virtual void onBookReset(const Book& book);                ///< an image is complete; everything may be different
    virtual void onBookState(const Book& book, State before);  ///< state or phase changed
    /// Called at most once a second for each book; the counters count every fault. `key` and `field` are empty and 0
    /// where they do not apply.
    virtual void onBookFault(const Book& book, Fault fault, std::string_view key, std::int16_t field);
};

}  // namespace emissary::book
