// The view that a request asks for.
#pragma once
#include "Ema.h"

#include <vector>

namespace interop {

/// Field ids in the order of the request; empty: it asks for all fields.
inline std::vector<refinitiv::ema::access::Int16> viewOf(const refinitiv::ema::access::ReqMsg& request) {
    using namespace refinitiv::ema::access;
    std::vector<Int16> view;
    if (request.getPayload().getDataType() != DataType::ElementListEnum) return view;
    const ElementList& payload = request.getPayload().getElementList();
    if (!payload.forth(refinitiv::ema::rdm::ENAME_VIEW_DATA)) return view;
    const OmmArray& ids = payload.getEntry().getArray();
    while (ids.forth())
        view.push_back(static_cast<Int16>(ids.getEntry().getInt()));
    return view;
}

}  // namespace interop
