// Splits a long array of messages into the texts of its messages, without looking into them, so that each can be read
// when its turn comes.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace emissary::eta::json {

/// Octets of an array's text.
struct Element {
    std::size_t begin = 0, end = 0;  ///< equal: there is no further element
    std::size_t next = 0;            ///< where to look for the one behind it; the text's size: there is none
};

/// Whether the first thing in the text is an array.
[[nodiscard]] bool isArray(std::string_view text) noexcept;

/// The element of an array at `from`: 0, or the `next` of the one before it. Nothing: what stands there is no element
/// and no end of the array. An element need not be JSON itself: only strings and brackets are looked at. Takes time in
/// proportion to the element.
[[nodiscard]] std::optional<Element> elementAt(std::string_view text, std::size_t from) noexcept;

}  // namespace emissary::eta::json
