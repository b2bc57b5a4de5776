// emissary-hub between a provider and a consumer of the same host, in shared memory on either side.
#include "perftools/RunStage.h"
#include "support/catch.hpp"

#include <csignal>

using namespace emissary::perf::test;

TEST_CASE("a hub between a provider and a consumer in shared memory, posts included", "[hub][main][shmem]") {
    RunStage stage;
    const int consumers = freePort();
    stage.dir().write("hub.xml", R"(<HubConfig>
  <Hub><Listeners value="Near"/><HttpPort value="0"/><NiListeners value="Publishers"/></Hub>
  <ServerGroup><ServerList>
    <Server><Name value="Near"/><ServerType value="RSSL_UNIDIR_SHMEM"/><Port value=")" +
                                     std::to_string(consumers) + R"("/></Server>
    <Server><Name value="Publishers"/><Port value=")" +
                                     std::to_string(freePort()) + R"("/></Server>
  </ServerList></ServerGroup>
  <SourceGroup><SourceList><Source><Name value="Main"/><Channel value="Main"/></Source></SourceList></SourceGroup>
  <ChannelGroup><ChannelList>
    <Channel><Name value="Main"/><ChannelType value="RSSL_UNIDIR_SHMEM"/><Port value=")" +
                                     std::to_string(stage.port()) + R"("/></Channel>
  </ChannelList></ChannelGroup>
</HubConfig>
)");
    const auto provider = stage.provider({"-connType", "shmem", "-updateRate", "20000"});
    ToolProcess hub(EMISSARY_HUB, {"-c", "hub.xml"}, stage.dir(), "hub.log");
    INFO(hub.output());
    REQUIRE(waitForListener(consumers, kLong));
    const auto consumer = stage.consumerOf(
        {"-p", std::to_string(consumers), "-connType", "shmem", "-postingRate", "1000", "-postingLatencyRate", "100"});
    const auto code = consumer->wait(kLong);
    INFO(consumer->output());
    REQUIRE(code == 0);
    const std::string summary = readFile(stage.dir().file("ConsSummary.out"));
    CHECK(number(summary, "Refreshes received") == 1000);
    CHECK(number(summary, "Updates received") > 1000);
    CHECK(number(summary, "Posts sent") > 1000);
    CHECK(number(summary, "Posting latency avg (usec)") > 0);
    hub.signal(SIGTERM);
    CHECK(hub.wait(kLong) == 0);
}
