// Faults of entries and messages: counted, reported to the listener at most once a second for a book, and their effect
// (docs/spec/order-books.md 3.4).
#pragma once

#include "apply/Current.h"
#include "emissary/book/Store.h"

namespace emissary::book::detail {

/// Belongs to an Applier, whose options, counters and listener it borrows.
class Faults {
public:
    Faults(const BookOptions& options, BookListener& listener, Counters& counters) noexcept
        : options_(options), listener_(listener), counters_(counters) {}
    /// The entry is ignored; too many faults end the message.
    void ofEntry(Current& now, Fault fault, std::string_view key, std::int16_t field);
    /// The rest of the message is not applied, and the book stale until an image comes.
    void ofMessage(Current& now, Fault fault);
    /// Something was missed between messages, or between the parts of an image.
    void ofOrder(Book& book, Fault fault);
    void setState(Book& book, State state) noexcept;

private:
    void count(Fault fault) noexcept { counters_.faults[static_cast<std::size_t>(fault)].add(); }
    void tell(Book& book, Fault fault, std::string_view key, std::int16_t field);
    const BookOptions& options_;
    BookListener& listener_;
    Counters& counters_;
};

}  // namespace emissary::book::detail
