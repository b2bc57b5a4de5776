// config/messages: an input or output file that cannot be used.
#pragma once
#include <stdexcept>

namespace emissary::messages {

/// what() is the complete text for the user, with file and line where there is one. Thrown only at start-up.
class InputError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace emissary::messages
