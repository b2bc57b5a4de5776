// Streams of books at a consumer: opens, feeds, asks for images again, closes.
#include "emissary/book/Builder.h"

#include "apply/StoreAccess.h"

namespace emissary::book {

using namespace refinitiv::ema::access;

Builder::Builder(OmmConsumer& consumer, BookListener& listener, BookOptions options)
    : consumer_(consumer), store_(listener, std::move(options)) {
    StoreAccess::showCounts(store_, consumer);
}

Builder::~Builder() {
    // From the last one: each close moves the last book into its place.
    while (books() != 0)
        close(store_.at(books() - 1));
}

Book& Builder::open(std::string_view service, std::string_view name, Kind kind, void* closure) {
    Book& book = store_.add(name, kind, closure);
    try {
        ReqMsg request;
        request.domainType(static_cast<UInt16>(kind))
            .serviceName(EmaString(service.data(), static_cast<UInt32>(service.size())))
            .name(EmaString(name.data(), static_cast<UInt32>(name.size())));
        book.handle_ = consumer_.registerClient(request, *this, &book);
    } catch (...) {
        // A request that is refused must not leave a book that nobody feeds.
        store_.remove(book);
        throw;
    }
    return book;
}

void Builder::close(Book& book) {
    // A stream that has ended has no handle any more.
    if (book.handle_ != 0 && book.state() != State::closed) consumer_.unregister(book.handle_);
    store_.remove(book);
}

// The handle is the event's: with the API's own dispatching the first message may come before registerClient() has
// returned the book's.
void Builder::follow(Verdict verdict, Book& book, const OmmConsumerEvent& event) {
    if (verdict != Verdict::askImage) return;
    ReqMsg request;
    request.domainType(static_cast<UInt16>(book.kind()))
        .name(EmaString(book.name().data(), static_cast<UInt32>(book.name().size())))
        .initialImage(true);
    consumer_.reissue(request, event.getHandle());
}

void Builder::onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent& event) {
    Book& book = *static_cast<Book*>(event.getClosure());
    follow(store_.apply(book, msg), book, event);
}

void Builder::onUpdateMsg(const UpdateMsg& msg, const OmmConsumerEvent& event) {
    Book& book = *static_cast<Book*>(event.getClosure());
    follow(store_.apply(book, msg), book, event);
}

void Builder::onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent& event) {
    Book& book = *static_cast<Book*>(event.getClosure());
    follow(store_.apply(book, msg), book, event);
}

}  // namespace emissary::book
