// Configuration and port for tests with a provider and a consumer.
#pragma once

#include "Ema.h"
#include "support/EmaConfigFile.h"
#include "support/catch.hpp"
#include "support/free_port.h"

#include <cstdio>
#include <fstream>
#include <string>

namespace booktest {

using refinitiv::ema::access::EmaString;
namespace config = emissary::test::config;

/// One EmaConfig.xml for both ends.
class ConfigFile : public emissary::test::EmaConfigFile {
public:
    ConfigFile()
        : EmaConfigFile(config::consumer(R"(<ReconnectMinDelay value="100"/><ReconnectMaxDelay value="100"/>)", "") +
                        config::section("IProvider", R"(<Directory value="Directory"/><Logger value="Logger"/>)") +
                        config::logger() + config::dictionary() +
                        config::directory("DIRECT_FEED", 1,
                                          {"MMT_DICTIONARY", "MMT_MARKET_BY_ORDER", "MMT_MARKET_BY_PRICE"}, true)) {}
};

inline void acceptLogin(refinitiv::ema::access::OmmProvider& provider, const refinitiv::ema::access::ReqMsg& request,
                        refinitiv::ema::access::UInt64 handle) {
    using namespace refinitiv::ema;
    provider.submit(access::RefreshMsg()
                        .domainType(rdm::MMT_LOGIN)
                        .name(request.getName())
                        .nameType(rdm::USER_NAME)
                        .solicited(true)
                        .complete(true)
                        .state(),
                    handle);
}

inline std::string freePort() {
    return std::to_string(emissary::test::freePort());
}

}  // namespace booktest
