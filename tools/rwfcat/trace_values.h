// Printed values of an XML trace, back to their content.
#pragma once

#include "rwfcat/TraceLine.h"

namespace emissary::rwfcat {

/// The attributes of one value, as content of the base type; empty = blank.
[[nodiscard]] ByteVector valueOf(TraceLine& line, eta::codec::DataType type);
/// The printed form of a map's key.
[[nodiscard]] ByteVector keyOf(const TraceLine& line, const ByteVector& printed, eta::codec::DataType type);
/// State attributes; the text ends before `behind`.
[[nodiscard]] eta::codec::State stateOf(TraceLine& line, std::string_view behind, ByteVector& text);

}  // namespace emissary::rwfcat
