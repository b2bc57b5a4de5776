// Texts about messages that JSON cannot carry.
#pragma once

#include "eta/core/Result.h"

#include <string>

namespace emissary::reactor {

/// The end of a sentence whose subject is the message: "cannot be written as JSON: ...", with what to do about it.
[[nodiscard]] inline std::string cannotBeJson(eta::Errc why) {
    return std::string("cannot be written as JSON: ") + eta::describe(why) +
           ". JSON carries no AnsiPage, and field lists only when this side has their dictionary.";
}

}  // namespace emissary::reactor
