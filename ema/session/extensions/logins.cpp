// ema/session/extensions: stores in the configuration that requests wait for the answer to their login.
#include "emissary/logins.h"

#include "Access/Include/OmmIProviderConfig.h"
#include "settings/ConfigAccess.h"

namespace emissary {

refinitiv::ema::access::OmmIProviderConfig& holdUntilLogin(refinitiv::ema::access::OmmIProviderConfig& config) {
    ema::ConfigAccess::of(config).holdsUntilLogin = true;
    return config;
}

}  // namespace emissary
