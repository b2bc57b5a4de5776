// The dictionaries that a service lists (rdm.md 3.2, 4).
#pragma once

#include "reactor/rdm/Directory.h"

#include <algorithm>
#include <string_view>

namespace emissary::reactor::rdm {

[[nodiscard]] inline bool provides(const Service& service, std::string_view dictionary) {
    const auto& names = service.info.dictionariesProvided;
    return names && std::find(names->begin(), names->end(), dictionary) != names->end();
}

}  // namespace emissary::reactor::rdm
