// Containers, messages and opaque payloads (ema-api.md 1.4).
#pragma once

#include "Access/Include/Data.h"

namespace refinitiv::ema::access {

/// What may stand as payload, attributes, summary data or entry of a container: containers, messages, and payloads of
/// raw bytes (OmmOpaque, OmmXml, OmmAnsiPage, OmmJson). OmmArray is none: it is a value of an entry.
class EMA_ACCESS_API ComplexType : public Data {
public:
    ~ComplexType() override;

protected:
    ComplexType() noexcept = default;
};

}  // namespace refinitiv::ema::access
