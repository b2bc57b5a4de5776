// ema/settings: the common part of the configuration objects of consumers and providers.
#pragma once

#include "config/Resolver.h"

#include "Access/Include/RefreshMsg.h"

#include <memory>
#include <string>
#include <utility>

namespace emissary::ema {

/// Reads the file that a constructor was given, or the default one; throws when it cannot be used.
void readConfiguration(const refinitiv::ema::access::EmaString& path, Configuration& into);

/// Forgets calls and administrative messages; what was read from files and programmatic maps stays.
template <class Impl>
void forgetCalls(Impl& impl) {
    Impl fresh;
    fresh.configuration = std::move(impl.configuration);
    impl = std::move(fresh);
}

/// Throws OmmInvalidUsageException in the name of addAdminMsg() of the class `config`.
[[noreturn]] void badAdminMsg(const char* config, const std::string& reason);

/// A copy of what a provider publishes instead of the configured directory; throws when it is no directory.
[[nodiscard]] std::unique_ptr<refinitiv::ema::access::RefreshMsg>
directoryRefresh(const char* config, const refinitiv::ema::access::RefreshMsg& refresh);

}  // namespace emissary::ema
