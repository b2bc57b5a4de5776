// Order books of a consumer: open one, get a callback for each change.
//
//     struct Ladder : emissary::book::BookListener {
//         void onBookChanged(const Book& book, Span<const Change>) override { ... book.bids().best() ... }
//     } ladder;
//     OmmConsumer consumer(...);
//     emissary::book::Builder builder(consumer, ladder);
//     builder.open("DIRECT_FEED", "EMI.X", emissary::book::Kind::orders);
#pragma once

#include "Ema.h"
#include "emissary/book/Store.h"

namespace emissary::book {

/// Opens books and keeps them up to date; one for any number of books. Belongs to the thread that dispatches the
/// consumer (with the API's own dispatching: open() and close() from callbacks, or before the first open()). Destroy it
/// before its consumer, and not while another thread dispatches its books.
class Builder final : public refinitiv::ema::access::OmmConsumerClient {
public:
    /// Borrows consumer and listener, which must outlive it.
    Builder(refinitiv::ema::access::OmmConsumer& consumer, BookListener& listener, BookOptions options = {});
    ~Builder() override;  ///< closes all books

    /// Registers a streaming request. Throws what OmmConsumer::registerClient throws. The reference is good until
    /// close().
    Book& open(std::string_view service, std::string_view name, Kind kind, void* closure = nullptr);
    /// Ends the stream and the reference; not from a listener's call about this very book.
    void close(Book& book);
    /// Books that are open.
    [[nodiscard]] std::size_t books() const noexcept { return store_.books(); }
    /// Of all its books, closed ones included; may be read from any thread. emissary::metrics(consumer) has them too,
    /// summed over the builders of the consumer.
    [[nodiscard]] const Counters& counters() const noexcept { return store_.counters(); }
    /// Memory of all books.
    [[nodiscard]] std::size_t bytes() const noexcept { return store_.bytes(); }
    [[nodiscard]] std::size_t verify() const { return store_.verify(); }  ///< books with something broken

    void onRefreshMsg(const refinitiv::ema::access::RefreshMsg& msg,
                      const refinitiv::ema::access::OmmConsumerEvent& event) override;
    void onUpdateMsg(const refinitiv::ema::access::UpdateMsg& msg,
                     const refinitiv::ema::access::OmmConsumerEvent& event) override;
    void onStatusMsg(const refinitiv::ema::access::StatusMsg& msg,
                     const refinitiv::ema::access::OmmConsumerEvent& event) override;

private:
    /// Asks for an image when the book needs one.
    void follow(Verdict verdict, Book& book, const refinitiv::ema::access::OmmConsumerEvent& event);
    refinitiv::ema::access::OmmConsumer& consumer_;
    Store store_;
};

}  // namespace emissary::book
