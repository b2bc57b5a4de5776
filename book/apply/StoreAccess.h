// For benchmarks and fuzz targets, which have no OmmConsumer: decoded messages into a store.
#pragma once

#include "emissary/book/Store.h"
#include "eta/codec/Msg.h"

namespace emissary::book {

struct StoreAccess {
    static Verdict apply(Store& store, Book& book, const eta::codec::Msg& msg);
};

}  // namespace emissary::book
