// hub/config: values of parameters that are no plain numbers.
#pragma once

#include "config/options/services.h"

#include <cstdint>

namespace emissary::hub {

/// A time in the unit of `out`.
template <class Duration>
void readTime(const parameters::Reader& r, const char* parameter, Duration& out) {
    std::int64_t n = out.count();
    r.number(parameter, n);
    out = Duration(n);
}

template <class Enum>
void readEnum(const parameters::Reader& r, const char* parameter, Enum& out) {
    auto n = static_cast<std::int64_t>(out);
    r.number(parameter, n);
    out = static_cast<Enum>(n);
}

}  // namespace emissary::hub
