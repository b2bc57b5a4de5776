// ema/settings: reads the configuration file when a configuration object is made, checks messages that it is given, and
// keeps the sink for its log.
#include "settings/configuration_object.h"

#include "config/ema_text.h"
#include "emissary/LogSink.h"
#include "errors/raise.h"
#include "settings/ConfigAccess.h"

#include "Access/Include/OmmInvalidUsageException.h"
#include "Access/Include/Payload.h"
#include "Rdm/Include/EmaRdm.h"

#include <utility>

namespace emissary::ema {

namespace access = refinitiv::ema::access;

void readConfiguration(const access::EmaString& path, Configuration& into) {
    loadConfigFile(toText(path), into);
    // Here and not when an instance is made: a wrong default ends the constructor of the configuration (ema-config.md
    // 1).
    checkDefaults(into);
}

void badAdminMsg(const char* config, const std::string& reason) {
    throwInvalidUsage(std::string(config) + "::addAdminMsg: " + reason,
                      access::OmmInvalidUsageException::InvalidArgumentEnum);
}

std::unique_ptr<access::RefreshMsg> directoryRefresh(const char* config, const access::RefreshMsg& refresh) {
    if (refresh.getDomainType() != refinitiv::ema::rdm::MMT_DIRECTORY)
        badAdminMsg(config,
                    "domain " + std::to_string(refresh.getDomainType()) + " of the refresh is not the directory's");
    if (refresh.getPayload().getDataType() != access::DataType::MapEnum)
        badAdminMsg(config, "the payload of a directory refresh must be a Map");
    return std::make_unique<access::RefreshMsg>(refresh);
}

}  // namespace emissary::ema

namespace emissary {

using namespace refinitiv::ema::access;

OmmConsumerConfig& logTo(OmmConsumerConfig& config, std::shared_ptr<LogSink> sink) {
    ema::ConfigAccess::callsOf(config).logSink = std::move(sink);
    return config;
}

OmmIProviderConfig& logTo(OmmIProviderConfig& config, std::shared_ptr<LogSink> sink) {
    ema::ConfigAccess::callsOf(config).logSink = std::move(sink);
    return config;
}

OmmNiProviderConfig& logTo(OmmNiProviderConfig& config, std::shared_ptr<LogSink> sink) {
    ema::ConfigAccess::callsOf(config).logSink = std::move(sink);
    return config;
}

}  // namespace emissary
