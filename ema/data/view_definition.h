// The targets of forth(const Data&) (ema-api.md 3.1, rdm.md 6.4).
#pragma once

#include "Access/Include/Data.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace emissary::ema {

/// Field ids and names of fields or elements, written in one of two ways: an ElementList with :ViewType (UInt) and
/// :ViewData (array of ids or of names), as requests have it; or an ElementList whose entries are arrays of ids (Int)
/// or of names (Ascii), whatever they are called.
struct ViewDefinition {
    enum Kind : std::uint64_t { fieldIds = 1, elementNames = 2 };
    std::vector<std::int64_t> ids;
    std::vector<std::string> elements;  ///< element names, or acronyms of fields
    [[nodiscard]] bool names(std::int64_t fieldId) const noexcept;
    [[nodiscard]] bool names(std::string_view element) const noexcept;
};

/// `wanted` says which list asks. Throws OmmInvalidUsageException when the object is no such ElementList.
[[nodiscard]] ViewDefinition readView(const refinitiv::ema::access::Data& data, ViewDefinition::Kind wanted);

}  // namespace emissary::ema
