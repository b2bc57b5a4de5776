// The lists of a batch: names of items to open, streams to ask for again or to close (rdm.md 6.3).
#pragma once

#include "eta/codec/containers.h"

#include <cstdint>
#include <vector>

namespace emissary::reactor::rdm {

/// Appends the names of ":ItemList", 1 to 255 bytes each; they borrow the element. Returns what is wrong with the
/// element, or null.
[[nodiscard]] const char* readItemList(const eta::codec::ElementEntry& e, std::vector<eta::Bytes>& out);
/// The same with the numbers of ":StreamIdList".
[[nodiscard]] const char* readStreamIdList(const eta::codec::ElementEntry& e, std::vector<std::int32_t>& out);
/// An array's item without the zeros that fill it up to its fixed length.
[[nodiscard]] eta::Bytes unpadded(const eta::codec::ArrayDecoder& array, eta::Bytes item) noexcept;

}  // namespace emissary::reactor::rdm
