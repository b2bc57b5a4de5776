// Configuration and port for tests with a provider and a consumer.
#pragma once

#include "Ema.h"
#include "support/EmaConfigFile.h"
#include "support/catch.hpp"

#include <cstdio>
#include <fstream>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

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
    // The kernel's choice; nobody else is given it so soon.
    const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    REQUIRE(::bind(fd, reinterpret_cast<sockaddr*>(&at), sizeof at) == 0);
    socklen_t length = sizeof at;
    ::getsockname(fd, reinterpret_cast<sockaddr*>(&at), &length);
    ::close(fd);
    return std::to_string(ntohs(at.sin_port));
}

}  // namespace booktest
