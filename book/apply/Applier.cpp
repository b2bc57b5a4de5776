// The rules for messages (docs/spec/order-books.md 3.1, 3.4, 3.5).
#include "apply/Applier.h"

#include "emissary/book/Top.h"

namespace emissary::book::detail {

namespace {

// The first of three fields that says something decides (docs/spec/order-books.md 3.5); the numbers are those of the
// enumerations.
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

std::unique_ptr<Book> Applier::makeBook(std::string_view name, Kind kind, void* closure) {
    return std::unique_ptr<Book>(new Book(memory_, name, kind, closure, options_.depthHint, options_.ordersHint));
}

// --- the life of a message

bool Applier::begin(Book& book, const MessageHead& head) {
    begin(book);
    if (head.cls == MessageHead::Class::status) {
        counters_.statuses.add();
        return false;
    }
    beginRefresh(head);
    return !now_.dead;
}

/// An update that is not applied.
// Counted apart: an update before the image is usual at the start, one that must not be cached is the source's wish.
bool Applier::refuse() noexcept {
    const bool noImage = now_.book->state_ == State::empty || now_.book->state_ == State::closed;
    (noImage ? counters_.updateBeforeImage : counters_.notToBeCached).add();
    return false;
}

void Applier::checkSequence(std::uint32_t sequence) {
    Book& book = *now_.book;
    // The number is taken over even when it jumped, so that one gap is one fault.
    const bool gap = options_.checkSequence && book.sequence_ && sequence != *book.sequence_ + 1;
    book.sequence_ = sequence;
    if (!gap || book.state_ == State::empty || book.state_ == State::closed) return;
    book.missed_ = true;
    // Asked for once, by the verdict of this message (askOnce).
    now_.askImage = true;
    // An image that is being built has a hole and cannot complete; a book that is shown goes stale.
    if (book.next_ != nullptr || book.state_ == State::building) book.partMissed_ = true;
    else faults_.setState(book, State::stale);
    faults_.ofOrder(book, Fault::sequenceGap);
}

void Applier::beginRefresh(const MessageHead& head) {
    counters_.refreshes.add();
    Book& book = *now_.book;
    const bool building = book.next_ != nullptr || book.state_ == State::building;
    // A refresh after a gap or a lost connection is an image whether it says so or not: the present content may hold
    // rows that were deleted meanwhile. (Whether it was solicited does not help: the second image of a stream is not
    // marked so.)
    const bool answered =
        !building && (book.imageAsked_ || book.state_ == State::stale) && (!head.hasPart || head.part == 0);
    if (head.clearCache || answered || (book.state_ == State::empty && !building)) {
        beginImage(head);
        book.sequence_.reset();  // whoever sends it may count anew
    } else if (book.next_ != nullptr) {
        now_.content = book.next_.get();
        now_.shown = false;
    }
    if (head.hasSequence) book.sequence_ = head.sequence;
    if (head.hasPart) {
        // A part of an image that is not being built belongs to one that was given up.
        const bool jump = head.part != book.nextPart_;
        book.nextPart_ = static_cast<std::uint16_t>(head.part + 1);
        if (jump && (building || head.clearCache) && !book.partMissed_) {
            book.partMissed_ = now_.askImage = true;
            faults_.ofOrder(book, Fault::partGap);
        }
    }
    // A book that is complete at the end is reported as a whole.
    // Changes are not listed for a message that ends in a reset.
    now_.track = now_.track && now_.shown && !head.complete;
}

void Applier::beginImage(const MessageHead& head) {
    Book& book = *now_.book;
    book.nextPart_ = 0;
    book.partMissed_ = book.missed_ = book.imageAsked_ = book.final_ = false;
    if (head.complete || options_.visibleWhileBuilding) {
        // No reader looks at it before the message is complete, or readers are allowed to see it while it is built.
        book.next_.reset();
        now_.content = book.shown_.get();
        now_.shown = true;
        // The content is cleared in place: nobody can see it before the message ends.
        ContentAccess::clear(*now_.content);
        now_.touched = true;
        if (!head.complete) now_.reset = true;
    } else {
        // The old content stays visible until the new one is complete (3.1).
        if (book.next_ == nullptr)
            book.next_ = std::make_unique<Content>(memory_, book.kind_, book.depthHint_, book.ordersHint_);
        else ContentAccess::clear(*book.next_);
        now_.content = book.next_.get();
        now_.shown = false;
    }
    if (!head.complete) faults_.setState(book, State::building);
}

Verdict Applier::finish(const MessageHead& head) {
    if (head.cls == MessageHead::Class::refresh) finishRefresh(head);
    else finishStatus(head);
    return finishStates();
}

void Applier::tellState() {
    // The state may change without a change of content; readers of the top have to see it all the same.
    if (!now_.touched) published();  // else it was with the content
    listener_.onBookState(*now_.book, now_.before);
}

/// Until an image comes.
Verdict Applier::askOnce() noexcept {
    // Once for each outage; the next image, or another gap, allows it again.
    if (now_.book->imageAsked_ || !options_.autoRepair) return Verdict::fine;
    now_.book->imageAsked_ = true;
    counters_.imagesAsked.add();
    return Verdict::askImage;
}

void Applier::finishRefresh(const MessageHead& head) {
    Book& book = *now_.book;
    if (!head.complete) return publishChanges();
    if (book.partMissed_) return publishChanges();
    // The message was given up in the middle of the shown content, so the listener has to look at all of it.
    if (now_.dead && book.next_ == nullptr) {
        now_.reset = now_.touched = true;
        return publishChanges();
    }
    // One swap makes the new book visible as a whole.
    if (book.next_ != nullptr) {
        book.shown_.swap(book.next_);
        book.next_.reset();
        now_.content = book.shown_.get();
        now_.shown = true;
    }
    counters_.images.add();
    const bool ended = head.hasState && head.stream > MessageHead::kNonStreaming;
    if (head.hasState && head.stream >= MessageHead::kNonStreaming) book.final_ = true;
    // A final state closes, an Ok image makes live, everything else is stale (3.1).
    faults_.setState(book, ended                                                ? State::closed
                           : head.data == MessageHead::kDataOk && !book.missed_ ? State::live
                                                                                : State::stale);
    now_.reset = now_.touched = true;
    publishChanges();
}

void Applier::finishStatus(const MessageHead& head) {
    Book& book = *now_.book;
    if (head.clearCache) {
        book.next_.reset();
        ContentAccess::clear(*now_.content);
        now_.reset = now_.touched = true;
        if (book.state_ == State::building) faults_.setState(book, State::empty);
    }
    if (head.hasState) {
        const bool building = book.state_ == State::building;
        if (head.stream > MessageHead::kNonStreaming) {
            // A snapshot that is complete is final and stays live; only an end of the stream closes.
            book.final_ = true;
            book.next_.reset();
            faults_.setState(book, State::closed);
        } else if (head.data == MessageHead::kDataSuspect) {
            if (book.state_ == State::live) faults_.setState(book, State::stale);
        } else if (head.data == MessageHead::kDataOk && !building) {
            // An Ok after a Suspect is trusted, but not after a gap: then something is missing (3.1).
            if (book.state_ == State::stale && !book.missed_) faults_.setState(book, State::live);
        }
        if (head.stream == MessageHead::kNonStreaming) book.final_ = true;
    }
    publishChanges();
}

void Applier::published() {
    if (now_.book->top_ != nullptr) now_.book->top_->publish(*now_.book);
}

void Applier::publishSpecial() {
    if (!now_.shown) return;
    // The phase comes from the summary, which may be all that the message had.
    now_.book->phase_ = phaseOf(now_.content->summary);
    if (!now_.reset) return publishLevels();
    // A reset says that everything is new, so the list of changes is void.
    changes_.drop(*now_.content);
    ++now_.book->version_;
    published();
    listener_.onBookReset(*now_.book);
}

void Applier::restore(Book& book) noexcept {
    // The marks of changes point into lists that are dropped; a book that keeps them would misplace the next change.
    changes_.drop(*book.shown_);
    if (book.next_ != nullptr) changes_.drop(*book.next_);
}

}  // namespace emissary::book::detail
