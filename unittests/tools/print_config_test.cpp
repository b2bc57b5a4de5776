// --print-config of the performance tools.
#include "support.h"

using emissary::test::has;
using emissary::test::Ran;
using emissary::test::run;
using emissary::test::TempFolder;

namespace {

constexpr const char* kFile = R"(<EmaConfig>
<ConsumerGroup><ConsumerList>
<Consumer><Name value="Perf_Consumer_1"/><Channel value="Perf_Channel_1"/><RequestTimeout value="777"/></Consumer>
</ConsumerList></ConsumerGroup>
<ChannelGroup><ChannelList>
<Channel><Name value="Perf_Channel_1"/><Host value="filehost"/><Port value="1001"/></Channel>
</ChannelList></ChannelGroup>
<IProviderGroup><IProviderList>
<IProvider><Name value="Perf_Provider_1"/><Server value="Perf_Server_1"/></IProvider>
</IProviderList></IProviderGroup>
<NiProviderGroup><NiProviderList>
<NiProvider><Name value="Perf_NIPProvider_1"/><Channel value="Perf_Channel_1"/></NiProvider>
</NiProviderList></NiProviderGroup>
<ServerGroup><ServerList><Server><Name value="Perf_Server_1"/><Port value="1002"/></Server></ServerList></ServerGroup>
</EmaConfig>
)";

/// The line of a parameter below a section's heading; empty when there is none.
std::string line(const std::string& output, const std::string& heading, const std::string& parameter) {
    const std::string text = "\n" + output;
    std::size_t at = text.find("\n" + heading + "\n");
    if (at == std::string::npos) return {};
    at = text.find("\n  " + parameter + " ", at + heading.size() + 1);
    return at == std::string::npos ? "" : text.substr(at + 1, text.find('\n', at + 1) - at - 1);
}

void check(const std::string& text, const std::string& heading, const std::string& parameter, const std::string& value,
           const std::string& origin) {
    const std::string found = line(text, heading, parameter);
    INFO(heading << " " << parameter << ": " << found);
    CHECK(has(found, " " + value + " "));
    CHECK(has(found, origin));
}

}  // namespace

TEST_CASE("the consumer prints what it would run with", "[print-config]") {
    const TempFolder folder;
    folder.write("EmaConfig.xml", kFile);
    const Ran ran = run(folder, "EMISSARY_CHANNEL_Perf_Channel_1_SysRecvBufSize=4096 EMISSARY_CHANEL_X_Y=1 " +
                                    std::string(EMISSARY_CONSPERF) + " --print-config -uname joe -tickRate 500");
    INFO(ran.out << ran.err);
    REQUIRE(ran.code == 0);
    check(ran.out, "--- OPTIONS ---", "-tickRate", "500", "command line");
    check(ran.out, "--- OPTIONS ---", "-steadyStateTime", "300", "default");
    check(ran.out, "Consumer Perf_Consumer_1", "RequestTimeout", "777", "EmaConfig.xml:3");
    check(ran.out, "Consumer Perf_Consumer_1", "ItemCountHint", "100000", "default");
    check(ran.out, "Channel Perf_Channel_1", "Host", "filehost", "EmaConfig.xml:6");
    check(ran.out, "Channel Perf_Channel_1", "SysRecvBufSize", "4096",
          "environment variable EMISSARY_CHANNEL_Perf_Channel_1_SysRecvBufSize");
    check(ran.out, "Login", "UserName", "joe", "function call username()");
    CHECK(has(ran.out, "Warning: no configuration group begins like this; variable ignored (environment variable "
                       "EMISSARY_CHANEL_X_Y)"));
    CHECK_FALSE(std::filesystem::exists(folder.file("ConsSummary.out")));

    const Ran host = run(folder, std::string(EMISSARY_CONSPERF) + " --print-config -h other -p 99");
    INFO(host.out);
    CHECK(host.code == 0);
    check(host.out, "Channel Perf_Channel_1", "Host", "other", "function call host()");
    check(host.out, "Channel Perf_Channel_1", "Port", "99", "function call host()");

    const Ran buffers = run(folder, std::string(EMISSARY_CONSPERF) + " --print-config -recvBufSize 8192");
    check(buffers.out, "Channel Perf_Channel_1", "SysRecvBufSize", "8192", "programmatic configuration");
}

TEST_CASE("the providers print what they would run with", "[print-config]") {
    const TempFolder folder;
    folder.write("EmaConfig.xml", kFile);
    const Ran ran = run(folder, std::string(EMISSARY_IPROVPERF) + " --print-config -p 4711");
    INFO(ran.out << ran.err);
    REQUIRE(ran.code == 0);
    check(ran.out, "Server Perf_Server_1", "Port", "4711", "function call port()");
    check(ran.out, "Server Perf_Server_1", "MaxFragmentSize", "6144", "default");
    CHECK(has(ran.out, "\nLogger"));
    CHECK(has(ran.out, "\nService "));
    const Ran nip = run(folder, std::string(EMISSARY_NIPROVPERF) + " --print-config -itemCount 10");
    INFO(nip.out << nip.err);
    REQUIRE(nip.code == 0);
    check(nip.out, "NiProvider Perf_NIPProvider_1", "MergeSourceDirectoryStreams", "1", "default");
    check(nip.out, "Channel Perf_Channel_1", "Port", "1001", "EmaConfig.xml:6");
}

TEST_CASE("a configuration that cannot be used is an error of --print-config too", "[print-config]") {
    const TempFolder folder;
    folder.write("EmaConfig.xml", kFile);
    const Ran ran = run(folder, std::string(EMISSARY_CONSPERF) + " --print-config -consumerName Nobody");
    CHECK(ran.code != 0);
    CHECK(has(ran.out, "[Nobody]"));
    const Ran file = run(folder, "EMISSARY_CONFIG=nowhere.xml " + std::string(EMISSARY_CONSPERF) + " --print-config");
    CHECK(file.code != 0);
    CHECK(has(file.out, "EMISSARY_CONFIG"));
}
