// Finds the secrets of a JSON text.
#pragma once

#include "eta/core/bytes.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace emissary::eta::trace {

/// What to hide in a JSON text.
struct JsonSecrets {
    /// Characters [begin, end) of the text.
    struct Range {
        std::size_t begin, end;
        bool isText;  ///< inside quotation marks; else a number or a word
    };
    std::vector<Range> ranges;
    bool login = false;   ///< one of the messages is of the login domain
    bool broken = false;  ///< the text is no JSON, or nested too deeply: ranges may be missing
};

/// Looks through the tokens of a text, which need not be correct JSON: what follows the name of a secret is found as
/// long as its quotation marks can be. Throws std::bad_alloc.
[[nodiscard]] JsonSecrets findJsonSecrets(std::string_view text);

}  // namespace emissary::eta::trace
