// A real OmmProvider on an ephemeral port, an application that records, and a configuration file made for the test.
#pragma once

#include "Ema.h"
#include "ema/api/usage_code.h"
#include "session/provider/ProviderAccess.h"
#include "support/EmaConfigFile.h"
#include "support/RawConsumer.h"
#include "support/ema_clients.h"

#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <fstream>
#include <mutex>
#include <string>
#include <vector>

#include <unistd.h>

namespace emissary::test {

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

/// A provider with one service that has everything.
class ConfigFile : public EmaConfigFile {
public:
    explicit ConfigFile(const std::string& providerParameters = {},
                        const std::string& fieldFile = sourcePath("/etc/RDMFieldDictionary"),
                        const std::string& serverParameters = {}, const std::string& loggerParameters = config::kSilent)
        : EmaConfigFile(config::provider(providerParameters) +
                        config::server(serverParameters + R"(<GuaranteedOutputBuffers value="5000"/>)") +
                        config::logger(loggerParameters) + config::dictionary(fieldFile) +
                        config::directory("DIRECT_FEED", 1, {"MMT_DICTIONARY", "MMT_MARKET_PRICE"}, true)) {}
};

inline RawConsumer loggedIn(OmmProvider& provider, RawConsumer::Pump pump = {}) {
    RawConsumer c(ema::ProviderAccess::port(provider), std::move(pump));
    c.send(RawConsumer::loginRequest("user"));
    const Received got = c.next();
    REQUIRE(got.msg.cls == codec::MsgClass::Refresh);
    REQUIRE(got.msg.domain == 1);
    return c;
}

}  // namespace emissary::test
