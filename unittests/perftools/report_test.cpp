// The texts of the tools, compared line by line.
#include "InputError.h"
#include "Report.h"
#include "RunRecord.h"
#include "TempDir.h"
#include "support/catch.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

using namespace emissary::perf;
using emissary::messages::InputError;

namespace {

std::size_t fieldCount(const std::string& line) {
    return static_cast<std::size_t>(std::count(line.begin(), line.end(), ',')) + 1;
}

}  // namespace

TEST_CASE("words of a recorded command line paste back into a shell", "[perftools]") {
    CHECK(shellWord("-itemCount") == "-itemCount");
    CHECK(shellWord("it's") == R"('it'\''s')");
    const test::TempDir dir;
    for (const char* const word : {"", "it's", "'", "a 'b' c", "say \"it's\"", "$HOME", "{a,b}", "[ab]", "~", "x;y",
                                   "a\\b", "tab\there's", "line\nend", "caf\xC3\xA9's", "\x1B[31m"}) {
        INFO(word);
        const std::string file = dir.file("word");
        std::ofstream(dir.file("line.sh")) << "printf '%s' " << shellWord(word) << " > '" << file << "'\n";
        REQUIRE(std::system(("bash '" + dir.file("line.sh") + "'").c_str()) == 0);
        std::ifstream in(file, std::ios::binary);
        std::ostringstream got;
        got << in.rdbuf();
        CHECK(got.str() == word);
    }
}

TEST_CASE("consumer console lines", "[perftools]") {
    ConsumerInterval interval;
    interval.seconds = 5.0;
    interval.images = 100000;
    interval.updates = 18889;
    const ResourceSample resources{97.49, 338.21};
    SECTION("the plain line") {
        CHECK(consumerConsole(5, 0, interval, resources, false) ==
              "005: Images: 100000, Posts:      0, UpdRate:     3777, CPU:  97.49%, Mem: 338.21MB\n");
    }
    SECTION("several threads") {
        CHECK(consumerConsole(5, 2, interval, resources, false) ==
              "005: Client 2:\n"
              "  Images: 100000, Posts:      0, UpdRate:     3777, CPU:  97.49%, Mem: 338.21MB\n");
    }
    SECTION("everything that can be added") {
        const auto latency = std::make_unique<LatencySeries>();
        for (const std::int64_t value : {51, 60, 230})
            latency->add(value, false);
        interval.posts = 10;
        interval.dropped.posts = 3;
        interval.dropped.generics = 5;
        interval.statuses = 4;
        interval.genericsSent = 7;
        interval.genericsReceived = 6;
        interval.genericLatenciesSent = 2;
        interval.update = latency.get();
        interval.post = latency.get();
        interval.generic = latency.get();
        CHECK(consumerConsole(120, 0, interval, resources, false) ==
              "120: Images: 100000, Posts:     10, UpdRate:     3777, CPU:  97.49%, Mem: 338.21MB\n"
              "  Latency(usec): Avg: 113.7 StdDev: 100.8 Max:   230 Min:    51, Msgs: 3\n"
              "  Latency quantiles(usec): p50: 60 p99: 230 p99.9: 230 Max: 230\n"
              "  - 3 posts not sent due to lack of output buffers.\n"
              "  - 5 generic messages not sent due to lack of output buffers.\n"
              "  PostLat(usec): Avg: 113.7 StdDev: 100.8 Max:   230 Min:    51, Msgs: 3\n"
              "  PostLat quantiles(usec): p50: 60 p99: 230 p99.9: 230 Max: 230\n"
              "  GenMsgs: sent 7, received 6, latencies sent 2, latencies received 3\n"
              "  GenMsgLat(usec): Avg: 113.7 StdDev: 100.8 Max:   230 Min:    51, Msgs: 3\n"
              "  GenMsgLat quantiles(usec): p50: 60 p99: 230 p99.9: 230 Max: 230\n"
              "  - Received 4 status messages.\n");
    }
    SECTION("nanosecond time stamps show microseconds with decimals") {
        const auto latency = std::make_unique<LatencySeries>();
        latency->add(100, true);
        latency->add(200, true);
        interval.update = latency.get();
        const std::string text = consumerConsole(1, 0, interval, resources, true);
        CHECK(text.find("  Latency(usec): Avg:   0.150 StdDev:   0.071 Max:   0.200 Min:   0.100, Msgs: 2\n") !=
              std::string::npos);
        CHECK(text.find("p50: 0.100 p99: 0.200 p99.9: 0.200 Max: 0.200\n") != std::string::npos);
    }
    CHECK(imageTimeLine(100000, 4.278) == "  - Image retrieval time for 100000 images: 4.278s (23375 images/s)\n");
    CHECK(progressLine(35000, 100000, 34987.4) == "  - Loading images: 35000 of 100000 (34987 images/s)\n");
}

TEST_CASE("consumer statistics rows", "[perftools]") {
    const auto latency = std::make_unique<LatencySeries>();
    for (const std::int64_t value : {51, 60, 230})
        latency->add(value, false);
    ConsumerInterval interval;
    interval.seconds = 5.0;
    interval.images = 100000;
    interval.updates = 18889;
    interval.update = latency.get();
    CHECK(consumerCsvRow("2021-06-02 13:07:27", interval, {97.49, 338.21}) ==
          "2021-06-02 13:07:27, 3, 113.7, 100.8, 230.0, 51.0, 100000, 3777, 0, 0.0, 0.0, 0.0, 0.0, 0, 0, 0, 0, 0.0, "
          "0.0, 0.0, 0.0, 97.49, 338.21\n");
    CHECK(fieldCount(consumerCsvHeader()) == fieldCount(consumerCsvRow("x", interval, {})));
    CHECK(std::string(consumerCsvHeader()) ==
          "UTC, Latency updates, Latency avg (usec), Latency std dev (usec), Latency max (usec), Latency min (usec), "
          "Images, Update rate (msg/sec), Posting Latency updates, Posting Latency avg (usec), Posting Latency std dev "
          "(usec), Posting Latency max (usec), Posting Latency min (usec), GenMsgs sent, GenMsgs received, GenMsg "
          "Latencies sent, GenMsg latencies received, GenMsg Latency avg (usec), GenMsg Latency std dev (usec), GenMsg "
          "Latency max (usec), GenMsg Latency min (usec), CPU usage (%), Memory (MB)\n");
}

TEST_CASE("consumer summary", "[perftools]") {
    const auto latencies = std::make_unique<LatencySet>();
    latencies->of(LatencyKind::update, LatencyPhase::startup).add(58, false);
    latencies->of(LatencyKind::update, LatencyPhase::startup).add(229, false);
    latencies->of(LatencyKind::update, LatencyPhase::steady).add(42, false);
    latencies->of(LatencyKind::update, LatencyPhase::steady).add(380, false);
    ConsumerTotals totals;
    totals.startupSeconds = 4.0;
    totals.steadySeconds = 40.0;
    totals.steadyReached = true;
    totals.imageSeconds = 4.0;
    totals.requests = totals.images = totals.refreshes = 100000;
    totals.updates = 2'001'000;
    totals.sendingSeconds = 40.0;
    totals.setUpdateRates(1000);
    totals.latencies = latencies.get();
    ResourceStatistics resources;
    resources.add({97.49, 338.33});
    resources.add({29.76, 338.21});
    ConsumerSummaryParts parts;
    parts.resources = &resources;
    const std::string expected = "Startup State Statistics:\n"
                                 "  Sampling duration (sec): 4.000\n"
                                 "  Latency avg (usec): 143.5\n"
                                 "  Latency std dev (usec): 120.9\n"
                                 "  Latency max (usec): 229.0\n"
                                 "  Latency min (usec): 58.0\n"
                                 "  Avg update rate: 250\n"
                                 "\n"
                                 "Steady State Statistics:\n"
                                 "  Sampling duration (sec): 40.000\n"
                                 "  Latency avg (usec): 211.0\n"
                                 "  Latency std dev (usec): 239.0\n"
                                 "  Latency max (usec): 380.0\n"
                                 "  Latency min (usec): 42.0\n"
                                 "  Avg update rate: 50000\n"
                                 "\n"
                                 "Overall Statistics:\n"
                                 "  Sampling duration (sec): 44.000\n"
                                 "  Latency avg (usec): 177.2\n"
                                 "  Latency std dev (usec): 159.5\n"
                                 "  Latency max (usec): 380.0\n"
                                 "  Latency min (usec): 42.0\n"
                                 "  No GenMsg latency information was received.\n"
                                 "  CPU/Memory samples: 2\n"
                                 "  CPU Usage max (%): 97.49\n"
                                 "  CPU Usage min (%): 29.76\n"
                                 "  CPU Usage avg (%): 63.62\n"
                                 "  Memory Usage max (MB): 338.33\n"
                                 "  Memory Usage min (MB): 338.21\n"
                                 "  Memory Usage avg (MB): 338.27\n"
                                 "\n"
                                 "Test Statistics:\n"
                                 "  Requests sent: 100000\n"
                                 "  Refreshes received: 100000\n"
                                 "  Updates received: 2001000\n"
                                 "  Image retrieval time (sec): 4.000\n"
                                 "  Avg image rate: 25000\n"
                                 "  Avg update rate: 45477\n";
    CHECK(consumerSummary(totals, parts) == expected);

    SECTION("posting and generic messages add their lines") {
        parts.posting = parts.generic = true;
        totals.posts = 400;
        totals.genericsSent = 800;
        const std::string text = consumerSummary(totals, parts);
        CHECK(text.find("  No posting latency information was received during steady-state time.\n") !=
              std::string::npos);
        CHECK(text.find("  Posts sent: 400\n  GenMsgs sent: 800\n  GenMsgs received: 0\n"
                        "  GenMsg latencies sent: 0\n  GenMsg latencies received: 0\n") != std::string::npos);
        CHECK(text.find("  Avg posting rate: 10\n  Avg GenMsg send rate: 20\n") != std::string::npos);
    }
    SECTION("a test that did not get far") {
        ConsumerTotals early;
        const auto none = std::make_unique<LatencySet>();
        early.latencies = none.get();
        const std::string text = consumerSummary(early, {});
        CHECK(text.find("  No latency information received during startup time.\n") != std::string::npos);
        CHECK(text.find("  Steady state was not reached during this test.\n") != std::string::npos);
        CHECK(text.find("Image retrieval time") == std::string::npos);
    }
}

TEST_CASE("late ticks of a provider are told wherever it reports", "[perftools]") {
    const LateTicks late{501, 5'003'200'000};
    CHECK(lateTicksConsole(late) == "  - 501 late ticks: the latest came 5003.2 ms after it was due.\n");
    CHECK(lateTicksCsv("2021-06-04 18:23:47", late) ==
          "2021-06-04 18:23:47, - 501 late ticks: the latest came 5003.2 ms after it was due.\n");
    CHECK(lateTicksSummary(late, false).find("  Late ticks: 501\n  Latest tick, msec after it was due: 5003.2\n") == 0);
    CHECK(lateTicksSummary(late, false).find("-stampWhenDue") != std::string::npos);
    CHECK(lateTicksSummary(late, true).find("-stampWhenDue") == std::string::npos);
    CHECK((lateTicksConsole({}) + lateTicksCsv("x", {}) + lateTicksSummary({}, false)).empty());
    ProviderInterval interval;
    interval.late = late;
    CHECK(providerConsole(5, 0, interval, {}, false).find(lateTicksConsole(late)) != std::string::npos);
    NiProviderInterval published;
    published.late = late;
    CHECK(niProviderConsole(5, 0, published, {}).find(lateTicksConsole(late)) != std::string::npos);
    NiProviderTotals totals;
    totals.late = late;
    CHECK(niProviderSummary(totals, nullptr).find("  Late ticks: 501\n") != std::string::npos);
}

TEST_CASE("provider console lines and statistics rows", "[perftools]") {
    ProviderInterval interval;
    interval.seconds = 5.0;
    interval.updates = 11;
    interval.requests = interval.totalRequests = 100000;
    interval.images = interval.totalImages = 97066;
    CHECK(providerConsole(5, 0, interval, {125.53, 546.68}, false) ==
          "005: UpdRate:        2, CPU: 125.53%, Mem: 546.68MB\n"
          "  - Received 100000 item requests (total: 100000), sent 97066 images (total: 97066)\n");
    CHECK(providerCsvRow("2021-06-04 18:23:47", interval, {125.53, 546.68}) ==
          "2021-06-04 18:23:47, 100000, 97066, 11, 0, 0, 0, 0, 0, 0.0, 0.0, 0.0, 0.0, 125.53, 546.68\n");
    CHECK(fieldCount(providerCsvHeader()) == fieldCount(providerCsvRow("x", interval, {})));

    interval.requests = interval.images = 0;
    interval.posts = 5;
    interval.postsReflected = 4;
    interval.closes = 3;
    interval.dropped.updates = 2;
    CHECK(providerConsole(10, 1, interval, {99.81, 546.78}, false) ==
          "010: Thread 1:\n"
          "  UpdRate:        2, CPU:  99.81%, Mem: 546.78MB\n"
          "  Posting: received 5, reflected 4\n"
          "  - Received 3 closes.\n"
          "  - Stopped 2 updates due to lack of output buffers.\n");
}

TEST_CASE("provider summary", "[perftools]") {
    const auto latencies = std::make_unique<LatencySet>();
    ProviderTotals totals;
    totals.seconds = 10.0;
    totals.requests = 100000;
    totals.updates = 52733;
    totals.latencies = latencies.get();
    ResourceStatistics resources;
    resources.add({163.90, 546.78});
    CHECK(providerSummary(totals, false, &resources) == "Overall Statistics:\n"
                                                        "  No GenMsg latency information was received.\n"
                                                        "  Image requests received: 100000\n"
                                                        "  Updates sent: 52733\n"
                                                        "  CPU/Memory samples: 1\n"
                                                        "  CPU Usage max (%): 163.90\n"
                                                        "  CPU Usage min (%): 163.90\n"
                                                        "  CPU Usage avg (%): 163.90\n"
                                                        "  Memory Usage max (MB): 546.78\n"
                                                        "  Memory Usage min (MB): 546.78\n"
                                                        "  Memory Usage avg (MB): 546.78\n");
    totals.posts = 7;
    totals.postsReflected = 6;
    CHECK(providerSummary(totals, false, nullptr).find("  Posts received: 7\n  Posts reflected: 6\n") !=
          std::string::npos);
}

TEST_CASE("what was dropped stands on lines of its own", "[perftools]") {
    const Dropped dropped{.updates = 2, .posts = 0, .generics = 3};
    CHECK(droppedCsv("2021-06-04 18:23:47", dropped) ==
          "2021-06-04 18:23:47, - Stopped 2 updates due to lack of output buffers.\n"
          "2021-06-04 18:23:47, - 3 generic messages not sent due to lack of output buffers.\n");
    CHECK(droppedSummary(dropped).starts_with("  Updates not sent for lack of output buffers: 2\n"
                                              "  GenMsgs not sent for lack of output buffers: 3\n  Hint: "));
    CHECK(droppedSummary(dropped).find("-outputBufs") != std::string::npos);
    CHECK(droppedCsv("2021-06-04 18:23:47", {}).empty());
    CHECK(droppedSummary({}).empty());
    const auto latencies = std::make_unique<LatencySet>();
    ConsumerTotals consumer;
    consumer.latencies = latencies.get();
    consumer.dropped.posts = 9;
    CHECK(consumerSummary(consumer, {}).find("  Posts not sent for lack of output buffers: 9\n") != std::string::npos);
    ProviderTotals provider;
    provider.latencies = latencies.get();
    provider.dropped = dropped;
    CHECK(providerSummary(provider, false, nullptr).find(droppedSummary(dropped)) != std::string::npos);
    NiProviderTotals publisher;
    publisher.dropped = dropped;
    CHECK(niProviderSummary(publisher, nullptr).find(droppedSummary(dropped)) != std::string::npos);
}

TEST_CASE("time stamps in the other side's unit are told, not measured", "[perftools]") {
    const std::int64_t now = 1'200'000'000'000;  // nanoseconds: 20 minutes after the start of the clock
    const bool nanos = GENERATE(false, true);    // of this side
    const std::int64_t unit = nanos ? 1 : 1000;
    LatencyCollector collector(nanos, true);
    collector.record(LatencyKind::update, LatencyPhase::steady, (now - 90'000) / unit, now / unit);
    collector.record(LatencyKind::update, LatencyPhase::steady, (now + 90'000) / unit, now / unit);  // another host's
    CHECK(collector.foreign().count == 0);
    CHECK(foreignStampsLine(collector.foreign()).empty());
    collector.record(LatencyKind::update, LatencyPhase::steady, (now - 90'000) / (nanos ? 1000 : 1), now / unit);
    CHECK(collector.foreign().count == 1);
    CHECK(collector.foreign().nanos == !nanos);
    const std::string line = foreignStampsLine(collector.foreign());
    CHECK(line.find(nanos ? "were in microseconds, but this side counts nanoseconds"
                          : "were in nanoseconds, but this side counts microseconds") != std::string::npos);
    CHECK(line.find("-nanoTime") != std::string::npos);
    const auto set = std::make_unique<LatencySet>();
    collector.drain(*set);
    CHECK(set->of(LatencyKind::update, LatencyPhase::steady).values.count() == 2);
    std::vector<LatencyRecord> records;
    collector.drainRecords(records);
    CHECK(records.size() == 2);
}

TEST_CASE("latency files", "[perftools]") {
    const test::TempDir dir;
    const std::string name = numberedCsv(dir.file("latency"), 2);
    CHECK(name == dir.file("latency2.csv"));
    LatencyCollector collector(false, true);
    collector.record(LatencyKind::update, LatencyPhase::startup, 353725032296, 353725032521);
    collector.record(LatencyKind::post, LatencyPhase::steady, 353724892323, 353724894740);
    collector.record(LatencyKind::generic, LatencyPhase::steady, 1, 2);
    std::vector<LatencyRecord> records;
    collector.drainRecords(records);
    {
        LatencyFile file(name);
        file.write(records);
    }
    std::ifstream in(name);
    std::ostringstream content;
    content << in.rdbuf();
    CHECK(content.str() == "Message type, Send time, Receive time, Latency (usec)\n"
                           "Upd, 353725032296, 353725032521, 225\n"
                           "Pst, 353724892323, 353724894740, 2417\n"
                           "Gen, 1, 2, 1\n");
    collector.drainRecords(records);
    CHECK(records.empty());

    const auto set = std::make_unique<LatencySet>();
    collector.drain(*set);
    CHECK(set->of(LatencyKind::update, LatencyPhase::startup).values.mean() == 225.0);
    CHECK(set->of(LatencyKind::post, LatencyPhase::steady).values.count() == 1);
    collector.drain(*set);
    CHECK(set->of(LatencyKind::post, LatencyPhase::steady).values.count() == 1);

    CHECK_THROWS_WITH(LatencyFile(dir.file("no/such/dir")),
                      "Error: Failed to open file '" + dir.file("no/such/dir") + "'.");
    CHECK_THROWS_AS(TextFile(dir.file("no/such/dir")), InputError);
}
