// From layers of configuration and function calls to the effective values of one instance (ema-config.md 1, 4 to 12,
// 15).
#pragma once

#include "Configuration.h"

#include "logging/LogSink.h"

#include <map>
#include <memory>
#include <optional>

namespace emissary::ema {

/// What was said by function calls on a config object; the strongest source.
struct FunctionCalls {
    std::string instanceName;               ///< consumerName() / providerName(); empty = not called
    std::optional<std::string> host, port;  ///< from host(): either may be absent; port() of an interactive provider
    bool hostCalled = false;
    bool userDispatch = false;
    std::optional<bool> directoryByUser, dictionaryByUser;
    std::optional<std::string> userName, password, position, applicationId, instanceId;
    std::optional<std::int64_t> channelType;
    std::string workerThreadBind, apiThreadBind;
    std::shared_ptr<LogSink> logSink;  ///< logTo(); null = as the Logger entry says
    /// Calls that are accepted and have no effect in this release (TLS, proxies, REST), by the call's name.
    std::map<std::string, std::string> kept;
};

/// Each throws OmmInvalidConfigurationException when the named section does not exist (ema-config.md section 1) and
/// OmmInvalidUsageException for connection types that this build or role does not have.
[[nodiscard]] ConsumerSettings resolveConsumer(const Configuration& configuration, const FunctionCalls& calls);
[[nodiscard]] IProviderSettings resolveIProvider(const Configuration& configuration, const FunctionCalls& calls);
[[nodiscard]] NiProviderSettings resolveNiProvider(const Configuration& configuration, const FunctionCalls& calls);

/// Checks made when the file has been read: DefaultConsumer, DefaultNiProvider and DefaultDirectory must name an entry
/// (else OmmInvalidConfigurationException); a DefaultIProvider that does not is reported and ignored.
void checkDefaults(Configuration& configuration);

/// Splits host("h:p"); missing parts become localhost and `defaultPort`.
void parseHost(std::string_view text, std::string_view defaultPort, FunctionCalls& into);

}  // namespace emissary::ema
