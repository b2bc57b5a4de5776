// Containers, messages and opaque payloads (ema-api.md 1.4).
#pragma once

#include "Access/Include/Data.h"

namespace refinitiv::ema::access {

/// What may stand as payload, attributes, summary data or container entry.
class EMA_ACCESS_API ComplexType : public Data {
public:
    ~ComplexType() override;

protected:
    ComplexType() noexcept = default;
};

}  // namespace refinitiv::ema::access
