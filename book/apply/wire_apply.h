// Encoded messages into books: one pass over the bytes, nothing kept or copied in between.
#pragma once

#include "apply/Applier.h"
#include "eta/codec/Msg.h"

namespace emissary::book::detail {

/// Refresh, update or status; other classes do nothing.
Verdict applyWire(Applier& applier, Book& book, const eta::codec::Msg& msg);

/// A message whose header cannot be read, as an update with a malformed map.
Verdict applyMalformed(Applier& applier, Book& book);

/// Hash of the first key of a usual update (Key::tag()); false: the payload is of another kind. Reads nothing of books.
[[nodiscard]] bool firstTag(eta::Bytes payload, std::uint32_t& tag) noexcept;

}  // namespace emissary::book::detail
