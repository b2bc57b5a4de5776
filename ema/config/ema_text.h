// From the public string class to the standard one.
#pragma once

#include "Access/Include/EmaString.h"

#include <string>

namespace emissary::ema {

[[nodiscard]] inline std::string toText(const refinitiv::ema::access::EmaString& s) {
    return {s.c_str(), s.length()};
}

}  // namespace emissary::ema
