// Configuration and port for tests with a provider and a consumer.
#pragma once

#include "Ema.h"
#include "support/catch.hpp"
#include "support/paths.h"

#include <cstdio>
#include <fstream>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

namespace booktest {

using refinitiv::ema::access::EmaString;

/// One EmaConfig.xml for both ends, as long as this object lives.
class ConfigFile {
public:
    ConfigFile() {
        static int number = 0;
        path_ = "book_test_" + std::to_string(::getpid()) + "_" + std::to_string(++number) + ".xml";
        std::ofstream(path_) << R"(<?xml version="1.0" encoding="UTF-8"?>
<EmaConfig>
<ConsumerGroup><DefaultConsumer value="Consumer"/><ConsumerList><Consumer>
  <Name value="Consumer"/><Dictionary value="Dictionary"/><Logger value="Logger"/>
  <ReconnectMinDelay value="100"/><ReconnectMaxDelay value="100"/>
</Consumer></ConsumerList></ConsumerGroup>
<IProviderGroup><DefaultIProvider value="Provider"/><IProviderList><IProvider>
  <Name value="Provider"/><Directory value="Directory"/><Logger value="Logger"/>
</IProvider></IProviderList></IProviderGroup>
<LoggerGroup><LoggerList><Logger>
  <Name value="Logger"/><LoggerType value="LoggerType::Stdout"/><LoggerSeverity value="LoggerSeverity::NoLogMsg"/>
</Logger></LoggerList></LoggerGroup>
<DictionaryGroup><DictionaryList><Dictionary>
  <Name value="Dictionary"/><DictionaryType value="DictionaryType::FileDictionary"/>
  <RdmFieldDictionaryFileName value=")" +
                                    emissary::test::sourcePath("/etc/RDMFieldDictionary") + R"("/>
  <EnumTypeDefFileName value=")" + emissary::test::sourcePath("/etc/enumtype.def") +
                                    R"("/>
</Dictionary></DictionaryList></DictionaryGroup>
<DirectoryGroup><DefaultDirectory value="Directory"/><DirectoryList><Directory>
  <Name value="Directory"/>
  <Service><Name value="DIRECT_FEED"/>
    <InfoFilter>
      <ServiceId value="1"/>
      <Capabilities><CapabilitiesEntry value="MMT_DICTIONARY"/><CapabilitiesEntry value="MMT_MARKET_BY_ORDER"/>
        <CapabilitiesEntry value="MMT_MARKET_BY_PRICE"/></Capabilities>
      <DictionariesProvided><DictionariesProvidedEntry value="Dictionary"/></DictionariesProvided>
      <DictionariesUsed><DictionariesUsedEntry value="Dictionary"/></DictionariesUsed>
      <QoS><QoSEntry><Timeliness value="Timeliness::RealTime"/><Rate value="Rate::TickByTick"/></QoSEntry></QoS>
    </InfoFilter>
    <StateFilter><ServiceState value="1"/><AcceptingRequests value="1"/></StateFilter>
  </Service>
</Directory></DirectoryList></DirectoryGroup>
</EmaConfig>
)";
    }
    ~ConfigFile() { std::remove(path_.c_str()); }
    ConfigFile(const ConfigFile&) = delete;
    ConfigFile& operator=(const ConfigFile&) = delete;
    [[nodiscard]] EmaString path() const { return EmaString(path_.c_str()); }

private:
    std::string path_;
};

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
