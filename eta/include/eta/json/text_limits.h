// How much structure a JSON text may have.
#pragma once

#include <cstdint>
#include <string_view>

namespace emissary::eta::json {

/// Objects and arrays inside each other in any text, the one of the whole text included (json.md 13).
inline constexpr std::uint32_t kMaxTextDepth = 64;

/// A bound of what a peer may send, and what it is called where it was set.
struct TextLimit {
    std::uint32_t most = 0;  ///< 0: there is none
    std::string_view name;   ///< for texts, static; empty: nobody can change it
};
/// Of one message, beside the bytes of its text. Members count by their value. Strings in an array count by their
/// bytes alone: they are the names of a batch, of which there may be many.
struct TextLimits {
    TextLimit depth;   ///< its own object is the first; kMaxTextDepth holds beside it
    TextLimit values;  ///< objects, arrays, strings, numbers, words
};

}  // namespace emissary::eta::json
