// Into a store from beside it: decoded messages for benchmarks and fuzz targets, which have no OmmConsumer; the
// consumer that shows the counters.
#pragma once

#include "emissary/book/Store.h"
#include "eta/codec/Msg.h"

namespace refinitiv::ema::access {
class OmmConsumer;
}

namespace emissary::book {

struct StoreAccess {
    /// Shows the counters of all books among the consumer's, as long as the store lives.
    static void showCounts(Store& store, refinitiv::ema::access::OmmConsumer& consumer);
    static Verdict apply(Store& store, Book& book, const eta::codec::Msg& msg);
    /// Its header could not be read: a fault of the book.
    static Verdict applyMalformed(Store& store, Book& book);
};

}  // namespace emissary::book
