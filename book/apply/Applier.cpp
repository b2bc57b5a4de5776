// The rules for messages (docs/spec/order-books.md 3.1, 3.4, 3.5).
#include "apply/Applier.h"

#include "emissary/book/Top.h"

namespace emissary::book::detail {

namespace {

Phase phaseOf(const Summary& s) noexcept {
    switch (s.tradingStatus) {
    case 2:
    case 3:
        return Phase::halted;
    case 4:
        return Phase::preOpen;
    case 6:
        return Phase::auction;
    default:
        break;
    }
    switch (s.marketState) {
    case 3:
        return Phase::halted;
    case 4:
        return Phase::continuous;
    case 8:
        return Phase::closed;
    default:
        break;
    }
    switch (s.instrumentPhase) {
    case 1:
        return Phase::closed;
    case 2:
    case 4:
    case 5:
    case 6:
    case 12:
        return Phase::auction;
    case 3:
        return Phase::continuous;
    case 9:
        return Phase::halted;
    case 16:
        return Phase::preOpen;
    default:
        return Phase::unknown;
    }
}

}  // namespace

std::unique_ptr<Book> Applier::makeBook(std::string_view name, Kind kind, void* closure, const BookOptions& options) {
    return std::unique_ptr<Book>(new Book(name, kind, closure, options.depthHint, options.ordersHint));
}

// --- the life of a message

bool Applier::begin(Book& book, const MessageHead& head) {
    begin(book);
    if (head.cls == MessageHead::Class::status) {
        counters_.statuses.add();
        return false;
    }
    beginRefresh(head);
    return !dead_;
}

/// An update that is not applied.
bool Applier::refuse() noexcept {
    const bool noImage = book_->state_ == State::empty || book_->state_ == State::closed;
    (noImage ? counters_.updateBeforeImage : counters_.notToBeCached).add();
    return false;
}

void Applier::checkSequence(std::uint32_t sequence) {
    Book& book = *book_;
    const bool gap = options_.checkSequence && book.sequence_ && sequence != *book.sequence_ + 1;
    book.sequence_ = sequence;
    if (!gap || book.state_ == State::empty || book.state_ == State::closed) return;
    book.missed_ = true;
    askImage_ = true;
    if (book.next_ != nullptr || book.state_ == State::building) book.partMissed_ = true;
    else setState(State::stale);
    counters_.faults[static_cast<std::size_t>(Fault::sequenceGap)].add();
    tell(Fault::sequenceGap, {}, 0);
}

void Applier::beginRefresh(const MessageHead& head) {
    counters_.refreshes.add();
    Book& book = *book_;
    if (head.hasSequence) book.sequence_ = head.sequence;
    const bool building = book.next_ != nullptr || book.state_ == State::building;
    // A refresh after a gap or a lost connection is an image whether it says so or not: the present content may hold
    // rows that were deleted meanwhile. (Whether it was solicited does not help: the second image of a stream is not
    // marked so.)
    const bool answered =
        !building && (book.imageAsked_ || book.state_ == State::stale) && (!head.hasPart || head.part == 0);
    if (head.clearCache || answered || (book.state_ == State::empty && !building)) {
        beginImage(head);
    } else if (book.next_ != nullptr) {
        content_ = book.next_.get();
        shown_ = false;
    }
    if (head.hasPart) {
        // A part of an image that is not being built belongs to one that was given up.
        const bool jump = head.part != book.nextPart_;
        book.nextPart_ = static_cast<std::uint16_t>(head.part + 1);
        if (jump && (building || head.clearCache) && !book.partMissed_) {
            book.partMissed_ = askImage_ = true;
            counters_.faults[static_cast<std::size_t>(Fault::partGap)].add();
            tell(Fault::partGap, {}, 0);
        }
    }
    // Whatever is complete at the end is told as a whole.
    track_ = track_ && shown_ && !head.complete;
}

void Applier::beginImage(const MessageHead& head) {
    Book& book = *book_;
    book.nextPart_ = 0;
    book.partMissed_ = book.missed_ = book.imageAsked_ = book.final_ = false;
    if (head.complete || options_.visibleWhileBuilding) {
        // No reader looks at it before the message is complete, or readers are allowed to see it while it is built.
        book.next_.reset();
        content_ = book.shown_.get();
        shown_ = true;
        ContentAccess::clear(*content_);
        touched_ = true;
        if (!head.complete) reset_ = true;
    } else {
        if (book.next_ == nullptr)
            book.next_ = std::make_unique<Content>(book.kind_, book.depthHint_, book.ordersHint_);
        else ContentAccess::clear(*book.next_);
        content_ = book.next_.get();
        shown_ = false;
    }
    if (!head.complete) setState(State::building);
}

Verdict Applier::finish(const MessageHead& head) {
    if (head.cls == MessageHead::Class::refresh) finishRefresh(head);
    else finishStatus(head);
    return finishStates();
}

void Applier::tellState() {
    if (!touched_) published();  // else it was with the content
    listener_.onBookState(*book_, before_);
}

/// Until an image comes.
Verdict Applier::askOnce() noexcept {
    if (book_->imageAsked_ || !options_.autoRepair) return Verdict::fine;
    book_->imageAsked_ = true;
    counters_.imagesAsked.add();
    return Verdict::askImage;
}

void Applier::finishRefresh(const MessageHead& head) {
    Book& book = *book_;
    if (!head.complete) return publishChanges();
    if (book.partMissed_) return publishChanges();
    if (dead_ && book.next_ == nullptr) {
        reset_ = touched_ = true;
        return publishChanges();
    }
    if (book.next_ != nullptr) {
        book.shown_.swap(book.next_);
        book.next_.reset();
        content_ = book.shown_.get();
        shown_ = true;
    }
    counters_.images.add();
    const bool ended = head.hasState && head.stream > MessageHead::kNonStreaming;
    if (head.hasState && head.stream >= MessageHead::kNonStreaming) book.final_ = true;
    setState(ended ? State::closed : head.data == MessageHead::kDataOk && !book.missed_ ? State::live : State::stale);
    reset_ = touched_ = true;
    publishChanges();
}

void Applier::finishStatus(const MessageHead& head) {
    Book& book = *book_;
    if (head.clearCache) {
        book.next_.reset();
        ContentAccess::clear(*content_);
        reset_ = touched_ = true;
        if (book.state_ == State::building) setState(State::empty);
    }
    if (head.hasState) {
        const bool building = book.state_ == State::building;
        if (head.stream > MessageHead::kNonStreaming) {
            book.final_ = true;
            book.next_.reset();
            setState(State::closed);
        } else if (head.data == MessageHead::kDataSuspect) {
            if (book.state_ == State::live) setState(State::stale);
        } else if (head.data == MessageHead::kDataOk && !building) {
            if (book.state_ == State::stale && !book.missed_) setState(State::live);
        }
        if (head.stream == MessageHead::kNonStreaming) book.final_ = true;
    }
    publishChanges();
}

void Applier::setState(State state) {
    if (state == State::stale && book_->state_ != State::stale) counters_.staled.add();
    book_->state_ = state;
}

void Applier::published() {
    if (book_->top_ != nullptr) book_->top_->publish(*book_);
}

void Applier::publishSpecial() {
    if (!shown_) return;
    book_->phase_ = phaseOf(content_->summary);
    if (!reset_) return publishLevels();
    changes_.drop(*content_);
    ++book_->version_;
    published();
    listener_.onBookReset(*book_);
}

void Applier::restore(Book& book) noexcept {
    changes_.drop(*book.shown_);
    if (book.next_ != nullptr) changes_.drop(*book.next_);
}

// --- faults

void Applier::failMessage(Fault fault) {
    Book& book = *book_;
    counters_.faults[static_cast<std::size_t>(fault)].add();
    dead_ = true;
    book.missed_ = askImage_ = true;
    // What is being built cannot become whole any more; what is shown may be half of an image.
    if (book.next_ != nullptr || book.state_ == State::building) book.partMissed_ = true;
    setState(State::stale);
    tell(fault, {}, 0);
}

void Applier::failEntry(Fault fault, std::string_view key, std::int16_t field) {
    counters_.faults[static_cast<std::size_t>(fault)].add();
    tell(fault, key, field);
    if (++faults_ > options_.maxFaults && !dead_) failMessage(Fault::tooManyFaults);
}

void Applier::tell(Fault fault, std::string_view key, std::int16_t field) {
    Book& book = *book_;
    const auto now = options_.now();
    if (book.faultTold_ && now - book.lastFault_ < std::chrono::seconds(1)) return;
    book.faultTold_ = true;
    book.lastFault_ = now;
    listener_.onBookFault(book, fault, key, field);
}

}  // namespace emissary::book::detail
