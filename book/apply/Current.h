// The message that is being applied.
#pragma once

#include "emissary/book/Book.h"

namespace emissary::book::detail {

/// Which book and content the message at hand is for, and what came of it so far.
struct Current {
    Book* book = nullptr;
    Content* content = nullptr;  ///< that the message is applied to
    State before = State::empty;
    Phase phaseBefore = Phase::unknown;
    std::uint32_t faults = 0;
    bool track = false;    ///< changes are gathered
    bool shown = false;    ///< `content` is what the listener sees
    bool touched = false;  ///< anything of what is shown changed
    bool reset = false;    ///< the listener gets it as a new image
    bool dead = false;     ///< the rest of the message is not applied
    bool askImage = false;
    bool summarySeen = false;
};

}  // namespace emissary::book::detail
