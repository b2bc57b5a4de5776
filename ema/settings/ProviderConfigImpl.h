// ema/settings: the contents of OmmIProviderConfig and OmmNiProviderConfig.
#pragma once

#include "config/Resolver.h"

#include "Access/Include/RefreshMsg.h"
#include "Access/Include/ReqMsg.h"
#include "emissary/tunnels.h"
#include "rdm/DictionaryAccess.h"

#include <memory>
#include <optional>

namespace emissary::ema {

/// Copied by the constructor of OmmProvider; not thread safe.
struct IProviderConfigImpl {
    Configuration configuration;
    FunctionCalls calls;
    /// addAdminMsg(): directory refresh to use instead of the configured directory; null = configured.
    std::unique_ptr<refinitiv::ema::access::RefreshMsg> directoryRefresh;
    std::optional<TunnelOffer> tunnels;  ///< without one requests for tunnel streams are rejected
    bool holdsUntilLogin = false;        ///< what comes behind a login request waits for its answer

    [[nodiscard]] IProviderSettings settings() const { return resolveIProvider(configuration, calls); }
};

struct NiProviderConfigImpl {
    Configuration configuration;
    FunctionCalls calls;
    std::unique_ptr<refinitiv::ema::access::ReqMsg> loginRequest;
    std::unique_ptr<refinitiv::ema::access::RefreshMsg> directoryRefresh;
    SharedDictionary dictionary;  ///< what comes is read with it, and JSON; null = for JSON that of the services

    [[nodiscard]] NiProviderSettings settings() const { return resolveNiProvider(configuration, calls); }
};

}  // namespace emissary::ema
