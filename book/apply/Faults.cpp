// Counts a fault, tells the listener at most once a second, and makes a book stale when it has to.
#include "apply/Faults.h"

#include "emissary/book/Listener.h"

namespace emissary::book::detail {

void Faults::ofEntry(Current& now, Fault fault, std::string_view key, std::int16_t field) {
    count(fault);
    tell(*now.book, fault, key, field);
    // Too many faults of entries make the message a fault (3.4).
    if (++now.faults > options_.maxFaults && !now.dead) ofMessage(now, Fault::tooManyFaults);
}

void Faults::ofMessage(Current& now, Fault fault) {
    Book& book = *now.book;
    count(fault);
    now.dead = true;
    book.missed_ = now.askImage = true;
    // What is being built cannot become whole any more; what is shown may be half of an image.
    if (book.next_ != nullptr || book.state_ == State::building) book.partMissed_ = true;
    setState(book, State::stale);
    tell(book, fault, {}, 0);
}

void Faults::ofOrder(Book& book, Fault fault) {
    count(fault);
    tell(book, fault, {}, 0);
}

void Faults::setState(Book& book, State state) noexcept {
    // Counted with the transition, not with each message of a stale book.
    if (state == State::stale && book.state_ != State::stale) counters_.staled.add();
    book.state_ = state;
}

void Faults::tell(Book& book, Fault fault, std::string_view key, std::int16_t field) {
    const auto now = options_.now();
    // One second for each book: a bad source must not fill the log of its consumer.
    if (book.faultTold_ && now - book.lastFault_ < std::chrono::seconds(1)) return;
    book.faultTold_ = true;
    book.lastFault_ = now;
    listener_.onBookFault(book, fault, key, field);
}

}  // namespace emissary::book::detail
