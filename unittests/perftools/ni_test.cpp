// Options, settings and texts of EmaCppNIProvPerf.
#include "Report.h"
#include "Settings.h"
#include "support/catch.hpp"

using namespace emissary::perf;

namespace {

NiProviderSettings settingsOf(std::vector<std::string_view> arguments) {
    Options options(Tool::niProvider);
    options.parse(arguments);
    return niProviderSettings(options);
}

std::string errorOf(std::vector<std::string_view> arguments) {
    try {
        (void)settingsOf(std::move(arguments));
    } catch (const OptionError& error) { return error.what(); }
    return {};
}

}  // namespace

TEST_CASE("NIProvPerf: defaults of the guide", "[perftools][niprovider]") {
    const NiProviderSettings s = settingsOf({});
    CHECK(s.providerName == "Perf_NIPProvider_");
    CHECK(s.itemFile == "350k.xml");
    CHECK(s.itemCount == 100000);
    CHECK(s.commonItemCount == 0);
    CHECK(s.latencyFile.empty());
    CHECK(s.maxPackCount == 1);
    CHECK(s.packBufferBytes == 6000);
    CHECK(s.refreshBurstSize == 10);
    CHECK(s.runSeconds == 360);
    CHECK(s.serviceId == 1);
    CHECK(s.serviceName == "DIRECT_FEED");
    CHECK_FALSE(s.useServiceId);
    CHECK(s.statsFile == "NIProvStats");
    CHECK(s.summaryFile == "NIProvSummary.out");
    CHECK(s.tickRate == 1000);
    CHECK(s.updateRate == 100000);
    CHECK(s.updateLatencyRate == 10);
    CHECK_FALSE(s.userDispatch);
    CHECK(s.host.empty());
    CHECK(s.genericRate == 0);
}

TEST_CASE("NIProvPerf: multicast", "[perftools][niprovider]") {
    const NiProviderSettings s = settingsOf({"-connType", "reliableMCast", "-ra", "239.1.1.1", "-rp", "1", "-sa",
                                             "239.1.1.2", "-sp", "2", "-u", "3", "-mcastStats"});
    CHECK(s.transport.kind == ConnectionKind::reliableMulticast);
    CHECK(s.transport.receiveAddress == "239.1.1.1");
    CHECK(s.transport.receivePort == "1");
    CHECK(s.transport.sendAddress == "239.1.1.2");
    CHECK(s.transport.sendPort == "2");
    CHECK(s.transport.unicastPort == "3");
    CHECK(s.multicastStats);
    CHECK(errorOf({"-ra", "239.1.1.1"}) == "Config Error: -ra is for -connType reliableMCast.");
    CHECK(errorOf({"-mcastStats"}) == "Config Error: -mcastStats is for -connType reliableMCast.");
    CHECK(errorOf({"-connType", "reliableMCast", "-p", "14003"}).find("-h and -p do not go with") != std::string::npos);
    const MulticastStatistics m{1, 2, 3, 4, 5, 6, 7, 8, 9};
    CHECK(multicastConsole(m) == "  Multicast packets: sent 1, received 2; unicast: sent 3, received 4; gaps: 5\n"
                                 "  Retransmission requests: sent 6, received 7; packets: sent 8, received 9\n");
    CHECK(multicastSummary(m).find("  Retransmission Packets Received: 9\n") != std::string::npos);
}

TEST_CASE("NIProvPerf: the test inputs are those of the guide's sample", "[perftools][niprovider]") {
    const NiProviderSettings s =
        settingsOf({"-providerName", "Perf_NIPProvider", "-itemCount", "10000", "-serviceName", "NI_PUB"});
    CHECK(s.testInputs == "                Run Time: 360\n"
                          "           Provider Name: Perf_NIPProvider\n"
                          "         useUserDispatch: No\n"
                          "        mainThread CpuId: -1\n"
                          "             Thread List: -1\n"
                          "            Summary File: NIProvSummary.out\n"
                          "              Stats File: NIProvStats\n"
                          "    Write Stats Interval: 5\n"
                          "           Display Stats: Yes\n"
                          "              Item Count: 10000\n"
                          "               Tick Rate: 1000\n"
                          "             Update Rate: 100000\n"
                          "     Latency Update Rate: 10\n"
                          "      Refresh Burst Size: 10\n"
                          "               Item File: 350k.xml\n"
                          "               Data File: MsgData.xml\n"
                          "            Service Name: NI_PUB\n"
                          "     Pre-Encoded Updates: No\n"
                          "         Nanosecond Time: No\n"
                          "          Measure Encode: No\n");
    const NiProviderSettings more =
        settingsOf({"-useServiceId", "-serviceId", "7", "-maxPackCount", "20", "-packBufSize", "3000", "-h", "hub",
                    "-p", "14003", "-threads", "-1,-1"});
    CHECK(more.testInputs.find("              Service ID: 7\n            Service Name: DIRECT_FEED\n"
                               "                 Packing: 20\n        Pack Buffer Size: 3000\n"
                               "     Pre-Encoded Updates: No\n") != std::string::npos);
    CHECK(more.host == "hub:14003");
    CHECK(more.useServiceId);
    CHECK(more.serviceId == 7);
    CHECK(more.threads.size() == 2);
}

TEST_CASE("NIProvPerf: what cannot be", "[perftools][niprovider]") {
    const std::pair<std::vector<std::string_view>, std::string> wrong[] = {
        {{"-tickRate", "0"}, "Config Error: Tick rate cannot be less than 1."},
        {{"-latencyUpdateRate", "200000"},
         "Config Error: Latency update rate cannot be greater than total update rate."},
        {{"-updateRate", "500"},
         "Config Error: Update rate cannot be less than total ticks per second (unless it is zero)."},
        {{"-threads", "-1,-1", "-itemCount", "100", "-commonItemCount", "51"},
         "Config Error: Common item count (51) is greater than total item count per thread (50)."},
        {{"-preEnc", "-latencyUpdateRate", "all"},
         "Config Error: -preEnc has no effect when always sending latency update, since it must be encoded."},
        {{"-threads", "-1,-1", "-apiThreads", "-1"}, "Config Error: thread count not equal to api thread count."}};
    for (const auto& [arguments, text] : wrong)
        CHECK(errorOf(arguments) == text);
    CHECK(errorOf({"-genericMsgRate", "1000"}).find("Unrecognized option: -genericMsgRate") != std::string::npos);
    CHECK(errorOf({"-latencyFile", "x"}).find("Unrecognized option: -latencyFile") != std::string::npos);
    CHECK(errorOf({"-updateRate", "0"}).empty());
}

TEST_CASE("NIProvPerf: console, statistics and summary", "[perftools][niprovider]") {
    ResourceSample resources;
    resources.cpuPercent = 63.14;
    resources.memoryMb = 472.52;
    NiProviderInterval interval;
    interval.seconds = 5.0;
    interval.updates = 465383;
    interval.images = interval.totalImages = 10000;
    CHECK(niProviderConsole(5, 0, interval, resources) ==
          "005: UpdRate:      93076, CPU:  63.14%, Mem: 472.52MB\n  - Sent 10000 images (total: 10000)\n");
    CHECK(niProviderCsvHeader() == std::string("UTC, Images sent, Updates sent, CPU usage (%), Memory (MB)\n"));
    CHECK(niProviderCsvRow("2021-06-08 15:11:50", interval, resources) ==
          "2021-06-08 15:11:50, 10000, 465383, 63.14, 472.52\n");
    interval.images = 0;
    interval.closes = 2;
    interval.statuses = 3;
    interval.dropped.updates = 4;
    CHECK(niProviderConsole(10, 2, interval, resources) ==
          "010: Thread 2:\n  UpdRate:      93076, CPU:  63.14%, Mem: 472.52MB\n  - Received 2 closes.\n"
          "  - Received 3 status messages.\n  - Stopped 4 updates due to lack of output buffers.\n");
    NiProviderTotals totals;
    totals.images = 10000;
    totals.updates = 5323442;
    ResourceStatistics all;
    all.add(resources);
    const std::string summary = niProviderSummary(totals, &all);
    CHECK(summary.starts_with("Overall Statistics:\n  Images sent: 10000\n  Updates sent: 5323442\n"
                              "  CPU/Memory samples: 1\n  CPU Usage max (%): 63.14\n"));
    CHECK(niProviderSummary(totals, nullptr) == "Overall Statistics:\n  Images sent: 10000\n  Updates sent: 5323442\n");
}
