// ema/settings: reads the configuration file when a configuration object is made, and checks messages that it is given.
#include "settings/configuration_object.h"

#include "config/ema_text.h"
#include "errors/raise.h"

#include "Access/Include/OmmInvalidUsageException.h"
#include "Access/Include/Payload.h"
#include "Rdm/Include/EmaRdm.h"

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
