// Encoded messages into books: one pass over the bytes, nothing kept or copied in between.
#pragma once

#include "apply/Applier.h"
#include "eta/codec/Msg.h"

namespace emissary::book::detail {

/// Refresh, update or status; other classes do nothing.
Verdict applyWire(Applier& applier, Book& book, const eta::codec::Msg& msg);

}  // namespace emissary::book::detail
