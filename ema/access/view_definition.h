// ":ViewType" and ":ViewData" of forth(const Data&) (ema-api.md 3.1, rdm.md 6.4).
#pragma once

#include "Access/Include/Data.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace emissary::ema {

struct ViewDefinition {
    enum Kind : std::uint64_t { fieldIds = 1, elementNames = 2 };
    std::vector<std::int64_t> ids;
    std::vector<std::string> elements;
    [[nodiscard]] bool names(std::int64_t fieldId) const noexcept;
    [[nodiscard]] bool names(std::string_view element) const noexcept;
};

/// Throws OmmInvalidUsageException when the object is no ElementList with a view of the wanted kind.
[[nodiscard]] ViewDefinition readView(const refinitiv::ema::access::Data& data, ViewDefinition::Kind wanted);

}  // namespace emissary::ema
