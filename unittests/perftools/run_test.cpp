// The two tools as a user runs them: real processes, real sockets, the shipped configuration and message data.
#include "RunStage.h"
#include "support/catch.hpp"
#include "support/until.h"

#include <csignal>
#include <sys/socket.h>

using namespace emissary::perf::test;

namespace {

const std::string kConsumer = EMISSARY_CONSPERF;
const std::string kProvider = EMISSARY_IPROVPERF;
using Stage = RunStage;

int failureOf(const std::string& program, const std::vector<std::string>& arguments, const TempDir& dir,
              std::string& output) {
    ToolProcess process(program, arguments, dir, "failure.log");
    const auto code = process.wait(kLong);
    output = process.output();
    return code.value_or(-1000);
}

}  // namespace

TEST_CASE("the direct-connect scenario reaches steady state", "[perftools][run]") {
    const bool user = GENERATE(false, true);
    INFO((user ? "user dispatch" : "API dispatch"));
    const std::string dispatch = user ? "1" : "0";
    Stage stage;
    const auto provider = stage.provider({"-useUserDispatch", dispatch, "-updateRate", "20000"});
    const auto consumer = stage.consumer({"-useUserDispatch", dispatch, "-latencyFile", "latency"});
    REQUIRE(consumer->wait(kLong) == 0);
    const std::string output = consumer->output();
    INFO(output);
    CHECK(output.find("--- TEST INPUTS ---") == 0);
    CHECK(output.find("Steady state time of 2 seconds has expired.") != std::string::npos);
    CHECK(output.find("- Image retrieval time for 1000 images:") != std::string::npos);
    CHECK(output.find("  Latency(usec): Avg:") != std::string::npos);
    CHECK(output.find("  Latency quantiles(usec): p50: ") != std::string::npos);

    const std::string summary = readFile(stage.dir().file("ConsSummary.out"));
    CHECK(number(summary, "Requests sent") == 1000);
    CHECK(number(summary, "Refreshes received") == 1000);
    CHECK(number(summary, "Updates received") > 1000);
    CHECK(number(summary, "Latency max (usec)") >= number(summary, "Latency min (usec)"));
    CHECK(summary.find("Steady state was not reached") == std::string::npos);
    const std::string rows = readFile(stage.dir().file("ConsStats1.csv"));
    CHECK(rows.find("UTC, Latency updates, ") == 0);
    CHECK(std::count(rows.begin(), rows.end(), '\n') >= 3);
    CHECK(readFile(stage.dir().file("latency1.csv")).find("\nUpd, ") != std::string::npos);

    provider->signal(SIGINT);
    REQUIRE(provider->wait(kLong) == 0);
    const std::string published = readFile(stage.dir().file("ProvSummary.out"));
    CHECK(number(published, "Image requests received") == 1000);
    CHECK(number(published, "Updates sent") > 1000);
    CHECK(provider->output().find("- Received 1000 item requests (total: 1000), sent 1000 images (total: 1000)") !=
          std::string::npos);
}

TEST_CASE("images come although more updates are asked for than go through", "[perftools][run]") {
    const std::string dispatch = GENERATE("0", "1");
    INFO("user dispatch: " << dispatch);
    Stage stage(5000);
    const auto provider = stage.provider({"-useUserDispatch", dispatch, "-updateRate", "20000000"});
    const auto consumer = stage.consumer(
        {"-useUserDispatch", dispatch, "-itemCount", "5000", "-requestRate", "50000", "-steadyStateTime", "20"});
    const bool complete = consumer->waitForOutput("- Image retrieval time for 5000 images:", kLong);
    INFO(consumer->output());
    REQUIRE(complete);
    provider->signal(SIGINT);
    REQUIRE(provider->wait(kLong) == 0);
    CHECK(readFile(stage.dir().file("ProvSummary.out")).find("Updates not sent for lack of output buffers") !=
          std::string::npos);
}

TEST_CASE("a snapshot test ends with the last image", "[perftools][run]") {
    Stage stage;
    const auto provider = stage.provider();
    const auto consumer = stage.consumer({"-snapshot", "-steadyStateTime", "300"});
    REQUIRE(consumer->wait(kLong) == 0);
    INFO(consumer->output());
    CHECK(consumer->output().find("Received all images for snapshot test.") != std::string::npos);
    const std::string summary = readFile(stage.dir().file("ConsSummary.out"));
    CHECK(number(summary, "Refreshes received") == 1000);
    CHECK(number(summary, "Updates received") == 0);
}

TEST_CASE("a consumer that reaches no provider, or no service, ends after -steadyStateTime", "[perftools][run]") {
    const std::string dispatch = GENERATE("0", "1");
    INFO("user dispatch: " << dispatch);
    Stage stage;
    std::unique_ptr<ToolProcess> provider, consumer;
    SECTION("no provider") {
        consumer = stage.consumer({"-steadyStateTime", "1", "-useUserDispatch", dispatch});
    }
    SECTION("no service") {
        provider = stage.provider();
        consumer =
            stage.consumer({"-steadyStateTime", "1", "-serviceName", "NO_SUCH_SERVICE", "-useUserDispatch", dispatch});
    }
    const auto code = consumer->wait(kLong);
    INFO(consumer->output());
    REQUIRE(code.has_value());
    CHECK(*code != 0);
    CHECK(consumer->output().find("Error: Failed to receive all images within 1 seconds.\nNone was requested") !=
          std::string::npos);
    CHECK(readFile(stage.dir().file("ConsSummary.out")).find("Failed to receive all images") != std::string::npos);
}

TEST_CASE("a provider that was frozen says so, and its stamps when they are to", "[perftools][run]") {
    const bool due = GENERATE(false, true);
    INFO((due ? "stamped when due" : "stamped when sent"));
    Stage stage;
    std::vector<std::string> options{"-updateRate", "5000", "-latencyUpdateRate", "100", "-tickRate", "100"};
    if (due) options.emplace_back("-stampWhenDue");
    const auto provider = stage.provider(options);
    const auto consumer = stage.consumer({"-steadyStateTime", "600"});
    REQUIRE(consumer->waitForOutput("- Image retrieval time for 1000 images:", kLong));
    // Two whole intervals of a second in which nothing comes, then one in which something does.
    const auto intervals = [&](int more) {
        const std::size_t from = consumer->output().size();
        return emissary::test::eventually(
            [&] {
                const std::string text = consumer->output().substr(from);
                int seen = 0;
                for (std::size_t at = 0; (at = text.find("UpdRate:", at)) != std::string::npos; ++at)
                    ++seen;
                return seen >= more;
            },
            std::chrono::minutes(1));
    };
    REQUIRE(intervals(1));
    provider->signal(SIGSTOP);
    const bool frozen = intervals(3);
    provider->signal(SIGCONT);
    REQUIRE(frozen);
    REQUIRE(intervals(2));
    consumer->signal(SIGINT);
    REQUIRE(consumer->wait(kLong) == 0);
    provider->signal(SIGINT);
    REQUIRE(provider->wait(kLong) == 0);
    const std::string published = readFile(stage.dir().file("ProvSummary.out"));
    INFO(published);
    CHECK(number(published, "Late ticks") > 50);
    CHECK(number(published, "Latest tick, msec after it was due") > 1000);
    CHECK(provider->output().find(" late ticks: the latest came ") != std::string::npos);
    CHECK(readFile(stage.dir().file("ProvStats1.csv")).find(" late ticks: the latest came ") != std::string::npos);
    if (due) CHECK(number(readFile(stage.dir().file("ConsSummary.out")), "Latency max (usec)") > 1'000'000);
}

TEST_CASE("several threads share the items", "[perftools][run]") {
    Stage stage;
    const auto provider = stage.provider({"-updateRate", "5000"});
    const auto consumer = stage.consumer({"-threads", "-1,-1", "-commonItemCount", "100"});
    REQUIRE(consumer->wait(kLong) == 0);
    INFO(consumer->output());
    CHECK(consumer->output().find("Overall image retrieval time for 1000 images:") != std::string::npos);
    const std::string summary = readFile(stage.dir().file("ConsSummary.out"));
    CHECK(summary.find("--- CLIENT 2 SUMMARY ---") != std::string::npos);
    CHECK(summary.find("  Requests sent: 500\n") != std::string::npos);
    CHECK(summary.find("  Requests sent: 1000\n") != std::string::npos);
    CHECK(std::filesystem::exists(stage.dir().file("ConsStats2.csv")));
    // Where and how stands behind the figures.
    const std::size_t record = summary.find("--- RUN SUMMARY ---\n\nWhere and how:\n  Version: ");
    REQUIRE(record != std::string::npos);
    CHECK(record > summary.find("--- OVERALL SUMMARY ---"));
    CHECK(summary.find("\n  Command line: EmaCppConsPerf ", record) != std::string::npos);
    CHECK(summary.find(" -threads -1,-1 -commonItemCount 100", record) != std::string::npos);
    CHECK(summary.find("\n  Kernel: Linux ", record) != std::string::npos);
}

TEST_CASE("provider threads share connections and load; there may be more threads than sections", "[perftools][run]") {
    Stage stage;
    const bool user = GENERATE(false, true);
    INFO((user ? "user dispatch" : "API dispatch"));
    const std::string dispatch = user ? "1" : "0";
    const auto provider = stage.provider(
        {"-threads", "-1,-1", "-updateRate", "2000", "-useUserDispatch", dispatch, "-outputBufs", "9000"});
    const auto consumer =
        stage.consumer({"-threads", "-1,-1,-1,-1,-1,-1", "-useUserDispatch", dispatch, "-postingRate", "1000"});
    const auto code = consumer->wait(kLong);
    INFO(consumer->output());
    REQUIRE(code == 0);
    const std::string summary = readFile(stage.dir().file("ConsSummary.out"));
    CHECK(number(summary, "Refreshes received") == 1000);
    const std::string idle = ": none of its items takes posts (post=\"true\" in items.xml); it sends none.";
    CHECK(consumer->output().find("Perf_Consumer_1" + idle) == std::string::npos);
    CHECK(consumer->output().find("Perf_Consumer_2" + idle) != std::string::npos);
    for (int client = 1; client <= 6; ++client) {
        const std::size_t at = summary.find("--- CLIENT " + std::to_string(client) + " SUMMARY ---");
        REQUIRE(at != std::string::npos);
        const std::string part = summary.substr(at, summary.find("\n--- ", at + 1) - at);
        const double items = client <= 4 ? 167 : 166;
        CHECK(number(part, "Requests sent") == items);
        CHECK(number(part, "Updates received") > 1000);
    }
    provider->signal(SIGINT);
    REQUIRE(provider->wait(kLong) == 0);
    const std::string published = readFile(stage.dir().file("ProvSummary.out"));
    CHECK(number(published, "Image requests received") == 1000);
    for (int thread = 1; thread <= 2; ++thread) {
        const std::size_t at = published.find("--- THREAD " + std::to_string(thread) + " SUMMARY ---");
        REQUIRE(at != std::string::npos);
        const std::string part = published.substr(at, published.find("\n--- ", at + 1) - at);
        // Three connections each, of 166 or 167 items.
        CHECK(number(part, "Image requests received") >= 3 * 166);
        CHECK(number(part, "Image requests received") <= 3 * 167);
        CHECK(number(part, "Updates sent") > 3 * 1000);
    }
}

TEST_CASE("options are laid over sections of the user's own", "[perftools][run]") {
    Stage stage;
    std::string own = readFile(stage.dir().file("EmaConfig.xml"));
    const auto rename = [&](const std::string& from, const std::string& to) {
        for (std::size_t at = 0; (at = own.find('"' + from + '"', at)) != std::string::npos;)
            own.replace(at + 1, from.size(), to);
    };
    rename("Perf_Provider_1", "Sender");
    rename("Perf_Server_1", "Gate");
    rename("Perf_Consumer_1", "Reader");
    rename("Perf_Channel_1", "Wire");
    for (std::size_t at = 0; (at = own.find("<Port value=\"14002\"/>", at)) != std::string::npos; ++at)
        own.replace(at, 22, "<Port value=\"" + std::to_string(stage.port()) + "\"/>");
    std::filesystem::remove(stage.dir().file("EmaConfig.xml"));
    stage.dir().write("EmaConfig.xml", own);
    // No -p: the port is the one of the sections, whatever else the options say of their channel and server.
    ToolProcess provider(
        kProvider, {"-providerName", "Sender", "-threads", "-1,-1", "-highWaterMark", "3000", "-updateRate", "2000"},
        stage.dir(), "provider.log");
    REQUIRE(waitForListener(stage.port(), kLong));
    const auto consumer = stage.consumerOf({"-consumerName", "Reader", "-threads", "-1,-1", "-inputBufs", "20"});
    const auto code = consumer->wait(kLong);
    INFO(consumer->output());
    INFO(provider.output());
    CHECK(code == 0);
    CHECK(number(readFile(stage.dir().file("ConsSummary.out")), "Refreshes received") == 1000);
    std::string output;
    CHECK(failureOf(kConsumer,
                    {"-consumerName", "Nobody", "-outputBufs", "10", "-itemFile", "items.xml", "-itemCount", "5"},
                    stage.dir(), output) == 255);
    CHECK(output.find("[Nobody] is a non-existent consumer name") != std::string::npos);
}

TEST_CASE("a client may open as many items as -openLimit says", "[perftools][run]") {
    Stage stage;
    const auto provider = stage.provider({"-openLimit", "600", "-updateRate", "1000"});
    SECTION("each of two has half of the items") {
        const auto consumer = stage.consumer({"-threads", "-1,-1"});
        CHECK(consumer->wait(kLong) == 0);
        CHECK(number(readFile(stage.dir().file("ConsSummary.out")), "Refreshes received") == 1000);
    }
    SECTION("one wants more") {
        const auto consumer = stage.consumer();
        CHECK(consumer->wait(kLong) == 255);
        INFO(consumer->output());
        CHECK(consumer->output().find("The open limit of 600 items is reached.") != std::string::npos);
        CHECK(provider->running());
    }
}

TEST_CASE("posts come back and are timed", "[perftools][run]") {
    Stage stage;
    const auto provider = stage.provider({"-updateRate", "5000"});
    const auto consumer = stage.consumer({"-postingRate", "2000", "-postingLatencyRate", "100"});
    REQUIRE(consumer->wait(kLong) == 0);
    INFO(consumer->output());
    CHECK(consumer->output().find("  PostLat(usec): Avg:") != std::string::npos);
    const std::string summary = readFile(stage.dir().file("ConsSummary.out"));
    CHECK(number(summary, "Posts sent") > 100);
    CHECK(number(summary, "Posting latency max (usec)") > 0);
    provider->signal(SIGINT);
    REQUIRE(provider->wait(kLong) == 0);
    const std::string published = readFile(stage.dir().file("ProvSummary.out"));
    // The last ones may have come when their sender was gone.
    const double notReflected = number(published, "Posts received") - number(published, "Posts reflected");
    CHECK((notReflected >= 0 && notReflected <= 10));
    CHECK(number(published, "Posts received") > 100);
}

TEST_CASE("generic messages go both ways", "[perftools][run]") {
    Stage stage;
    const auto provider = stage.provider({"-genericMsgRate", "1000", "-genericMsgLatencyRate", "10", "-preEnc"});
    const auto consumer = stage.consumer({"-genericMsgRate", "2000", "-genericMsgLatencyRate", "all"});
    REQUIRE(consumer->wait(kLong) == 0);
    INFO(consumer->output());
    const std::string summary = readFile(stage.dir().file("ConsSummary.out"));
    CHECK(number(summary, "GenMsgs sent") > 100);
    CHECK(number(summary, "GenMsgs received") > 100);
    CHECK(number(summary, "GenMsg latencies received") > 5);
    provider->signal(SIGINT);
    REQUIRE(provider->wait(kLong) == 0);
    CHECK(number(readFile(stage.dir().file("ProvSummary.out")), "GenMsg latencies received") > 100);
}

TEST_CASE("prices and orders side by side: images, updates, posts and generic messages by domain", "[perftools][run]") {
    Stage stage;
    std::string list = "<itemList>\n";
    for (int i = 1; i <= 500; ++i) {
        const std::string end = "\" name=\"T" + std::to_string(i) + "\"" + (i <= 4 ? " post=\"true\"" : "") +
                                (i > 4 && i <= 8 ? " genMsg=\"true\"" : "") +
                                (i > 2 && i <= 6 ? " snapshot=\"true\"" : "") + "/>\n";
        list += "<item domain=\"MarketPrice" + end + "<item domain=\"MarketByOrder" + end;
    }
    stage.dir().write("items.xml", list + "</itemList>\n");
    const auto provider = stage.provider({"-updateRate", "20000", "-genericMsgRate", "1000", "-genericMsgLatencyRate",
                                          "all", "-latencyUpdateRate", "0", "-measureEncode"});
    const auto consumer = stage.consumer({"-postingRate", "1000", "-genericMsgRate", "1000"});
    const auto ended = consumer->wait(kLong);
    INFO(consumer->output());
    REQUIRE(ended == 0);
    const std::string summary = readFile(stage.dir().file("ConsSummary.out"));
    CHECK(number(summary, "Refreshes received") == 1000);
    CHECK(number(summary, "Posts sent") > 100);
    CHECK(number(summary, "GenMsgs sent") > 100);
    CHECK(number(summary, "GenMsgs received") > 100);
    provider->signal(SIGINT);
    REQUIRE(provider->wait(kLong) == 0);
    CHECK(provider->output().find("Encode Time (usec)") != std::string::npos);  // of the generic messages
}

TEST_CASE("a provider measures the round trip to consumers that take part", "[perftools][run]") {
    Stage stage;
    const auto provider = stage.provider({"-updateRate", "0"});
    ::setenv("EMISSARY_CONSUMER_Perf_Consumer_1_ENABLERTT", "1", 1);
    const auto consumer = stage.consumer({"-steadyStateTime", "300"});
    ::unsetenv("EMISSARY_CONSUMER_Perf_Consumer_1_ENABLERTT");
    REQUIRE(provider->waitForOutput("  Round Trip Time (usec)", kLong));
    consumer->signal(SIGINT);
    REQUIRE(consumer->wait(kLong) == 0);
    provider->signal(SIGINT);
    REQUIRE(provider->wait(kLong) == 0);
    CHECK(number(readFile(stage.dir().file("ProvSummary.out")), "Image requests received") == 1000);
}

TEST_CASE("the consumer waits for a provider that starts later", "[perftools][run]") {
    Stage stage;
    const auto consumer = stage.consumer({"-steadyStateTime", "15"});  // it limits the waiting as well
    REQUIRE(consumer->waitForOutput("waiting for the provider at localhost:" + std::to_string(stage.port()), kLong));
    const auto provider = stage.provider();
    CHECK(consumer->wait(kLong) == 0);
    CHECK(number(readFile(stage.dir().file("ConsSummary.out")), "Refreshes received") == 1000);
}

TEST_CASE("a provider that dies ends the test with the reason", "[perftools][run]") {
    Stage stage;
    const auto provider = stage.provider();
    const auto consumer = stage.consumer({"-steadyStateTime", "300"});
    REQUIRE(consumer->waitForOutput("- Image retrieval time for 1000 images", kLong));
    provider->signal(SIGKILL);
    const auto code = consumer->wait(kLong);
    INFO(consumer->output());
    REQUIRE(code.has_value());
    CHECK(*code == 255);
    CHECK(consumer->output().find("ERROR: TEST FAILED due to error from Perf_Consumer_1: Connection lost") !=
          std::string::npos);
    CHECK(readFile(stage.dir().file("ConsSummary.out")).find("ERROR: TEST FAILED") != std::string::npos);
}

TEST_CASE("the provider survives clients that vanish, and serves the next one", "[perftools][run]") {
    Stage stage;
    const auto provider = stage.provider();
    for (int i = 0; i < 2; ++i) {
        const auto consumer = stage.consumer({"-steadyStateTime", "300"});
        REQUIRE(consumer->waitForOutput("- Image retrieval time", kLong));
        consumer->signal(SIGKILL);
        REQUIRE(consumer->wait(kLong) == -SIGKILL);
    }
    const auto consumer = stage.consumer();
    CHECK(consumer->wait(kLong) == 0);
    CHECK(provider->running());
}

TEST_CASE("Ctrl-C ends a run with its summary", "[perftools][run]") {
    Stage stage;
    const auto provider = stage.provider();
    const auto consumer = stage.consumer({"-steadyStateTime", "300"});
    REQUIRE(consumer->waitForOutput("- Image retrieval time", kLong));
    consumer->signal(SIGINT);
    REQUIRE(consumer->wait(kLong) == 0);
    CHECK(consumer->output().find("--- OVERALL SUMMARY ---") != std::string::npos);
    SECTION("also while nobody answers") {
        Stage alone;
        const auto waiting = alone.consumer();
        REQUIRE(waiting->waitForOutput("--- TEST INPUTS ---", kLong));
        waiting->signal(SIGTERM);
        CHECK(waiting->wait(20.0) == 0);
    }
}

TEST_CASE("what cannot go on says why and exits with 255", "[perftools][run]") {
    Stage stage;
    std::string output;
    SECTION("help is not a failure") {
        CHECK(failureOf(kConsumer, {"-?"}, stage.dir(), output) == 0);
        CHECK(output.find("Usage: EmaCppConsPerf [options]") == 0);
    }
    SECTION("options") {
        CHECK(failureOf(kConsumer, {"-tickRate", "0"}, stage.dir(), output) == 255);
        CHECK(output == "Config Error: Tick rate cannot be less than 1.\n");
    }
    SECTION("ports") {
        CHECK(failureOf(kConsumer, {"-p", "0"}, stage.dir(), output) == 255);  // a provider may let the system choose
        CHECK(output.find("-p: '0' is not a port: a number from 1 to 65535") != std::string::npos);
        for (const std::string port : {"65536", "99999999999", "-1", "nothing", ""}) {
            CHECK(failureOf(kProvider, {"-p", port}, stage.dir(), output) == 255);
            CHECK(output ==
                  "Config Error: -p: '" + port + "' is not a port: a number from 0 to 65535, or a known service.\n");
            CHECK(failureOf(kConsumer, {"-p", port}, stage.dir(), output) == 255);
            CHECK(output.find("' is not a port: ") != std::string::npos);
        }
    }
    SECTION("an unknown section of EmaConfig.xml") {
        CHECK(failureOf(kConsumer, {"-consumerName", "Nobody", "-itemFile", "items.xml", "-itemCount", "5"},
                        stage.dir(), output) == 255);
        CHECK(output.find("ERROR: TEST FAILED due to error from Nobody: ") != std::string::npos);
        CHECK(failureOf(kProvider, {"-providerName", "Nobody"}, stage.dir(), output) == 255);
        CHECK(output.find("ERROR: TEST FAILED due to error from Nobody: ") != std::string::npos);
    }
    SECTION("an item list that is too short, or not there") {
        CHECK(failureOf(kConsumer, {"-itemFile", "items.xml", "-itemCount", "1001"}, stage.dir(), output) == 255);
        CHECK(output.find("Error: 'items.xml' holds 1000 items, but 1001 are needed.") != std::string::npos);
        CHECK(failureOf(kConsumer, {"-itemFile", "none.xml"}, stage.dir(), output) == 255);
        CHECK(output.find("Failed to load item list from file 'none.xml'.") != std::string::npos);
    }
    SECTION("message data with a field that the dictionary lacks") {
        stage.dir().write("bad.xml", "<msgFormat><marketPriceMsgList><refreshMsg><dataBody><fieldList>\n"
                                     "<fieldEntry fieldId='9' dataType='RSSL_DT_REAL' data='1'/>\n"
                                     "<fieldEntry fieldId='-31000' dataType='RSSL_DT_REAL' data='1'/></fieldList>"
                                     "</dataBody></refreshMsg></marketPriceMsgList></msgFormat>");
        CHECK(failureOf(kProvider, {"-msgFile", "bad.xml"}, stage.dir(), output) == 255);
        CHECK(output.find("Error: bad.xml:3: Field -31000 not found in dictionary.") != std::string::npos);
    }
    SECTION("no dictionary") {
        std::filesystem::remove(stage.dir().file("enumtype.def"));
        CHECK(failureOf(kProvider, {}, stage.dir(), output) == 255);
        CHECK(output.find("Error: Failed to load dictionary file 'enumtype.def'") != std::string::npos);
    }
    SECTION("a port that is in use") {
        const auto provider = stage.provider();
        CHECK(failureOf(kProvider, {"-p", std::to_string(stage.port())}, stage.dir(), output) == 255);
        CHECK(output.find("cannot listen on port " + std::to_string(stage.port())) != std::string::npos);
        CHECK(output.find("Here -p names the port.") != std::string::npos);
        CHECK(provider->running());
    }
    SECTION("an output file that cannot be written") {
        CHECK(failureOf(kProvider, {"-summaryFile", "no/such/dir"}, stage.dir(), output) == 255);
        CHECK(output.find("Error: Failed to open file 'no/such/dir'.") != std::string::npos);
    }
    SECTION("a service that never comes") {
        const auto provider = stage.provider();
        const auto consumer = stage.consumer({"-serviceName", "NOWHERE", "-steadyStateTime", "60"});
        CHECK(consumer->waitForOutput("waiting for service 'NOWHERE'", kLong));
        consumer->signal(SIGINT);
        CHECK(consumer->wait(kLong) == 0);
    }
}
