// capi/provider: what a request asks for.
#pragma once

#include "Ema.h"

#include <cstdint>
#include <limits>
#include <set>
#include <string>

namespace emissary::capi {

/// The name in a request; empty without one.
[[nodiscard]] inline std::string nameIn(const refinitiv::ema::access::ReqMsg& request) {
    return request.hasName() ? request.getName().c_str() : "";
}

/// Fields of a view; none: all are wanted.
[[nodiscard]] inline std::set<std::int16_t> viewOf(const refinitiv::ema::access::ReqMsg& request) {
    using refinitiv::ema::access::Data;
    using refinitiv::ema::access::DataType;
    std::set<std::int16_t> fields;
    if (!request.hasView() || request.getPayload().getDataType() != DataType::ElementListEnum) return fields;
    const auto& elements = request.getPayload().getElementList();
    elements.reset();
    while (elements.forth()) {
        const auto& element = elements.getEntry();
        // A view that is blank names no fields.
        if (!(element.getName() == refinitiv::ema::rdm::ENAME_VIEW_DATA) ||
            element.getLoadType() != DataType::ArrayEnum || element.getCode() == Data::BlankEnum)
            continue;
        const auto& ids = element.getArray();
        while (ids.forth()) {
            const auto& id = ids.getEntry();
            if (id.getLoadType() != DataType::IntEnum || id.getCode() == Data::BlankEnum) continue;
            // No field has a number outside of these.
            if (const auto number = id.getInt(); number >= std::numeric_limits<std::int16_t>::min() &&
                                                 number <= std::numeric_limits<std::int16_t>::max())
                fields.insert(static_cast<std::int16_t>(number));
        }
    }
    return fields;
}

}  // namespace emissary::capi
