// Adds and removes books, and applies messages to them so that an exception leaves them whole.
#include "emissary/book/Store.h"

#include "apply/Applier.h"
#include "apply/StoreAccess.h"
#include "apply/StorePacket.h"
#include "apply/count_rows.h"
#include "apply/portable_apply.h"
#include "apply/wire_apply.h"
#include "apply/wire_message.h"

namespace emissary::book {

using namespace refinitiv::ema::access;

Store::Store(BookListener& listener, BookOptions options)
    : applier_(std::make_unique<detail::Applier>(listener, std::move(options))) {}

Store::~Store() = default;

Book& Store::add(std::string_view name, Kind kind, void* closure) {
    auto book = applier_->makeBook(name, kind, closure);
    detail::Applier::placeOf(*book) = books_.size();
    books_.push_back(std::move(book));
    return *books_.back();
}

void Store::remove(Book& book) {
    if (applier_->packet != nullptr) applier_->packet->forget(book);
    const std::size_t place = detail::Applier::placeOf(book);
    // Removed by swapping with the last one, whose place changes.
    books_[place].swap(books_.back());
    detail::Applier::placeOf(*books_[place]) = place;
    books_.pop_back();
}

std::size_t Store::books() const noexcept {
    return books_.size();
}

Book& Store::at(std::size_t index) const noexcept {
    return *books_[index];
}

namespace {

/// Changes that a listener's exception left unreported are dropped; the book itself is whole at that point.
template <class Apply>
Verdict guarded(detail::Applier& applier, Book& book, Apply&& apply) {
    try {
        // The guard is on the outside, so that every entry of a message is inside it.
        return apply();
    } catch (...) {
        applier.restore(book);
        throw;
    }
}

}  // namespace

void StoreAccess::showCounts(Store& store, OmmConsumer& consumer) {
    const Span<const eta::CountRow> rows = detail::countRows();
    const Counters& counters = store.counters();
    store.applier_->showCounts(
        std::make_unique<AddedCounts>(consumer, rows.data(), rows.size(),
                                      [&counters](std::size_t row) { return counterTable()[row].of(counters).get(); }));
}

Verdict StoreAccess::apply(Store& store, Book& book, const eta::codec::Msg& msg) {
    return guarded(*store.applier_, book, [&] { return detail::applyWire(*store.applier_, book, msg); });
}

Verdict StoreAccess::applyMalformed(Store& store, Book& book) {
    return guarded(*store.applier_, book, [&] { return detail::applyMalformed(*store.applier_, book); });
}

Verdict Store::apply(Book& book, const RefreshMsg& msg) {
    return StoreAccess::apply(*this, book, detail::wireMessage(msg));
}
Verdict Store::apply(Book& book, const UpdateMsg& msg) {
    return StoreAccess::apply(*this, book, detail::wireMessage(msg));
}
Verdict Store::apply(Book& book, const StatusMsg& msg) {
    return StoreAccess::apply(*this, book, detail::wireMessage(msg));
}
Verdict Store::applyPortable(Book& book, const RefreshMsg& msg) {
    return guarded(*applier_, book,
                   // The same rules through the public walk, as a program on any EMA would do it.
                   [&] { return detail::applyPublic(*applier_, book, detail::headOf(msg), msg.getPayload()); });
}
Verdict Store::applyPortable(Book& book, const UpdateMsg& msg) {
    return guarded(*applier_, book,
                   [&] { return detail::applyPublic(*applier_, book, detail::headOf(msg), msg.getPayload()); });
}
Verdict Store::applyPortable(Book& book, const StatusMsg& msg) {
    return guarded(*applier_, book,
                   [&] { return detail::applyPublic(*applier_, book, detail::headOf(msg), msg.getPayload()); });
}

const BookOptions& Store::options() const noexcept {
    return applier_->options();
}
const Counters& Store::counters() const noexcept {
    return applier_->counters();
}

std::size_t Store::bytes() const noexcept {
    // The store's own part; each book counts its own.
    std::size_t all = books_.capacity() * sizeof(std::unique_ptr<Book>);
    for (const auto& book : books_)
        all += book->bytes();
    return all;
}

std::size_t Store::verify() const {
    std::size_t broken = 0;
    for (const auto& book : books_) {
        broken += book->verify().empty() ? 0 : 1;
        applier_->counters().accSizeDiffers.add(detail::ContentAccess::differingSums(detail::Applier::shown(*book)));
    }
    return broken;
}

}  // namespace emissary::book
