// A real OmmProvider that publishes to the recording acceptor, and a configuration file made for the test.
#pragma once

#include "Ema.h"
#include "ema/api/usage_code.h"
#include "support/EmaConfigFile.h"
#include "support/NiAcceptor.h"
#include "support/catch.hpp"
#include "support/ema_clients.h"

#include <algorithm>
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

/// A publisher of one service.
class NiConfigFile : public EmaConfigFile {
public:
    explicit NiConfigFile(const std::string& providerParameters = {}, const std::string& channelParameters = {},
                          const std::string& channelType = "RSSL_SOCKET", const std::string& dictionaryFolder = ".")
        : EmaConfigFile(
              config::niProvider(R"(<ReconnectMinDelay value="100"/><ReconnectMaxDelay value="200"/>)" +
                                 providerParameters) +
              config::channel(channelType, channelParameters) + config::logger() +
              config::dictionary(dictionaryFolder + "/RDMFieldDictionary", dictionaryFolder + "/enumtype.def") +
              config::directory("TEST_NI_PUB", 3, {"MMT_MARKET_PRICE"}, false)) {}
};

[[nodiscard]] inline EmaString hostOf(const NiAcceptor& acceptor) {
    return EmaString(("127.0.0.1:" + std::to_string(acceptor.port())).c_str());
}

using RecordingNiClient = RecordingProviderClient;

/// Handle of the OmmInvalidHandleException that the call throws.
template <class Call>
UInt64 refusedHandle(Call call) {
    try {
        call();
    } catch (const OmmInvalidHandleException& e) { return e.getHandle(); }
    return 0;
}

inline FieldList& price(FieldList& fields, Int64 value) {
    fields.clear();
    fields.addReal(22, value, OmmReal::ExponentNeg2Enum).addUInt(30, 100).complete();
    return fields;
}

}  // namespace emissary::test
