// Base of provider configurations (ema-api.md 7.3).
#pragma once

#include "Access/Include/EmaString.h"

namespace refinitiv::ema::access {

/// Base of the two configurations of OmmProvider. Derive nothing from it: a constructor of OmmProvider refuses what is
/// neither an OmmIProviderConfig nor an OmmNiProviderConfig.
class EMA_ACCESS_API OmmProviderConfig {
public:
    /// Publishes to a server, or serves consumers on a port.
    enum ProviderRole { NonInteractiveEnum, InteractiveEnum };
    virtual ~OmmProviderConfig();
    virtual ProviderRole getProviderRole() const = 0;  ///< which of the two this is
    OmmProviderConfig(const OmmProviderConfig&) = delete;
    OmmProviderConfig& operator=(const OmmProviderConfig&) = delete;

protected:
    OmmProviderConfig() noexcept = default;
};

}  // namespace refinitiv::ema::access
