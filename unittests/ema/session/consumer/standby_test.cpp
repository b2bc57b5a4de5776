// A warm-standby group from EmaConfig.xml, through the public interface.
#include "Journal.h"

using namespace emissary::test;
using Lines = std::vector<std::string>;

TEST_CASE("A warm-standby group: the second server takes over without a word", "[ema][session][standby]") {
    const auto prepare = [](RawProvider& p) {
        p.automatic.items = true;
        p.standbyModes = 3;
    };
    ProviderThread first(prepare), second(prepare);
    const auto channel = [](const char* name, std::uint16_t port) {
        return std::string(R"(<Channel><Name value=")") + name +
               R"("/><ChannelType value="ChannelType::RSSL_SOCKET"/><Host value="127.0.0.1"/><Port value=")" +
               std::to_string(port) + R"("/></Channel>)";
    };
    const auto server = [](const char* name, const char* channelName) {
        return std::string("<WarmStandbyServerInfo><Name value=\"") + name + "\"/><Channel value=\"" + channelName +
               "\"/></WarmStandbyServerInfo>";
    };
    const std::string groups =
        "</Channel>" + channel("One", first.port()) + channel("Two", second.port()) + R"(</ChannelList></ChannelGroup>
<WarmStandbyServerInfoGroup><WarmStandbyServerInfoList>)" +
        server("S1", "One") + server("S2", "Two") + R"(</WarmStandbyServerInfoList></WarmStandbyServerInfoGroup>
<WarmStandbyGroup><WarmStandbyList><WarmStandbyChannel><Name value="Group"/>
  <StartingActiveServer value="S1"/><StandbyServerSet value="S2"/>
  <WarmStandbyMode value="WarmStandbyMode::LOGIN_BASED"/></WarmStandbyChannel></WarmStandbyList></WarmStandbyGroup>
<ChannelGroup><ChannelList><Channel><Name value="Unused"/>)";
    const ConsumerConfigFile file(first.port(), {}, true, groups, R"(<WarmStandbyChannelSet value="Group"/>)");
    Journal journal;
    OmmConsumer consumer(OmmConsumerConfig(file.path()).username("user"));
    consumer.registerClient(ReqMsg().domainType(MMT_LOGIN), journal, const_cast<char*>("login"));
    REQUIRE(journal.wait("login refresh Open/Ok/0"));
    consumer.registerClient(item("A"), journal, const_cast<char*>("A"));
    REQUIRE(journal.wait("A refresh Open/Ok/0"));
    std::int32_t id = 0;
    REQUIRE(second.until([&](RawProvider& p) {
        for (const auto& line : p.wire)
            if (line.starts_with("REQ ") && line.ends_with(" A")) id = std::stoi(line.substr(4));
        return id != 0;
    }));
    journal.take();

    first.run([](RawProvider& p) { p.die(); });
    ChannelInformation information;
    CHECK(eventually([&] {
        consumer.getChannelInformation(information);
        return information.port() == second.port();
    }));
    second.run([&](RawProvider& p) { p.send(RawProvider::update(id)); });
    REQUIRE(journal.wait("A update"));
    CHECK(journal.take() == Lines{"A update"});
}
