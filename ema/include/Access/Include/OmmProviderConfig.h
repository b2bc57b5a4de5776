// Base of provider configurations (ema-api.md 7.3).
#pragma once

#include "Access/Include/EmaString.h"

namespace refinitiv::ema::access {

/// Tells the role; made as OmmIProviderConfig or OmmNiProviderConfig.
class EMA_ACCESS_API OmmProviderConfig {
public:
    enum ProviderRole { NonInteractiveEnum, InteractiveEnum };
    virtual ~OmmProviderConfig();
    virtual ProviderRole getProviderRole() const = 0;
    OmmProviderConfig(const OmmProviderConfig&) = delete;
    OmmProviderConfig& operator=(const OmmProviderConfig&) = delete;

protected:
    OmmProviderConfig() noexcept = default;
};

}  // namespace refinitiv::ema::access
