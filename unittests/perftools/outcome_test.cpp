// How runs of the interactive tools end, and what their files say of it.
#include "RunStage.h"
#include "support/RawConsumer.h"
#include "support/RawProvider.h"
#include "support/catch.hpp"

#include <csignal>
#include <cstdlib>

#include <sys/wait.h>

using namespace emissary::perf::test;
using emissary::test::RawConsumer;
using emissary::test::RawProvider;

TEST_CASE("the delay before steady state is no time of steady state", "[perftools][run]") {
    RunStage stage;
    const auto provider = stage.provider({"-updateRate", "10000"});
    const auto consumer =
        stage.consumer({"-steadyStateTime", "5", "-delaySteadyStateCalc", "4000", "-postingRate", "1000"});
    const auto code = consumer->wait(kLong);
    INFO(consumer->output());
    REQUIRE(code == 0);
    const std::string summary = readFile(stage.dir().file("ConsSummary.out"));
    const auto section = [&summary](const char* begin, const char* end) {
        const std::size_t at = summary.find(begin);
        return summary.substr(at, summary.find(end, at) - at);
    };
    const std::string startup = section("Startup State Statistics", "Steady State Statistics");
    const std::string steady = section("Steady State Statistics", "Overall Statistics");
    // Five seconds' updates in one second would be 50,000.
    CHECK(number(steady, "Avg update rate") < 30000);
    CHECK(number(startup, "Sampling duration (sec)") >= 4.0);
    CHECK(number(summary, "Avg posting rate") < 3000);
    const double seconds = number(startup, "Sampling duration (sec)") + number(steady, "Sampling duration (sec)");
    CHECK(number(summary, "Avg update rate") * seconds == Approx(number(summary, "Updates received")).epsilon(0.01));
}

TEST_CASE("a consumer that does not reach steady state fails", "[perftools][run]") {
    RunStage stage(3000);
    const auto provider = stage.provider();
    const auto consumer = stage.consumer({"-itemCount", "3000", "-requestRate", "1000", "-steadyStateTime", "1"});
    CHECK(consumer->wait(kLong) == 255);
    INFO(consumer->output());
    const std::string text = "Error: Failed to receive all images within 1 seconds.";
    CHECK(consumer->output().find(text) != std::string::npos);
    CHECK(readFile(stage.dir().file("ConsSummary.out")).find(text) != std::string::npos);
}

namespace {

/// Without the line end.
std::string lastLine(const std::string& output) {
    const std::size_t end = output.find_last_not_of('\n') + 1;
    const std::size_t begin = output.rfind('\n', end == 0 ? 0 : end - 1);
    return output.substr(begin == std::string::npos ? 0 : begin + 1,
                         end - (begin == std::string::npos ? 0 : begin + 1));
}

}  // namespace

TEST_CASE("a consumer that fails says why in its last line", "[perftools][run]") {
    RunStage stage;
    std::unique_ptr<ToolProcess> provider, consumer;
    std::vector<std::string> wanted;
    const auto finish = [&] {
        CHECK(consumer->wait(kLong) == 255);
        const std::string output = consumer->output();
        INFO(output);
        for (const std::string& part : wanted) {
            INFO(part);
            CHECK(lastLine(output).find(part) != std::string::npos);
        }
    };
    SECTION("nobody listens") {
        consumer = stage.consumer({"-steadyStateTime", GENERATE("2", "4")});
        wanted = {"Error: Failed to receive all images", std::to_string(stage.port()), "Connection refused"};
        finish();
    }
    SECTION("the host has no address") {
        consumer = stage.consumer({"-h", "no-such-host.invalid"});
        wanted = {"Error: Failed to receive all images", "no-such-host.invalid"};
        finish();
    }
    SECTION("the service is absent") {
        provider = stage.provider();
        consumer = stage.consumer({"-serviceName", "NO_SUCH_SERVICE"});
        wanted = {"Error: Failed to receive all images", "service 'NO_SUCH_SERVICE'"};
        finish();
    }
    SECTION("the dictionary is missing") {
        provider = stage.provider();
        std::filesystem::remove(stage.dir().file("RDMFieldDictionary"));
        consumer = stage.consumer();
        wanted = {"RDMFieldDictionary"};
        finish();
    }
    SECTION("a file cannot be written") {
        provider = stage.provider();
        consumer = stage.consumer({"-summaryFile", "/dev/full"});
        wanted = {"Error: Failed to write file '/dev/full': No space left on device."};
        finish();
    }
}

TEST_CASE("a consumer without login or images says so in its last line", "[perftools][run]") {
    RunStage stage;
    RawProvider server;
    server.supportsPause = false;
    std::string wanted = "the last line says this";
    SECTION("the login has no answer") {
        server.automatic = {.login = false, .directory = true, .dictionary = true, .items = true};
        wanted = "login failed (timed out";
    }
    SECTION("the login is refused") {
        server.automatic = {.login = false, .directory = true, .dictionary = true, .items = true};
        wanted = "login failed: ";
    }
    SECTION("items have no answer") {
        server.automatic = {.login = true, .directory = true, .dictionary = true, .items = false};
        wanted = "0 of 1000 images came";
    }
    const auto consumer = stage.consumerOf({"-p", std::to_string(server.port())});
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (consumer->running() && std::chrono::steady_clock::now() < end) {
        server.poll(10);
        const auto got = server.take();
        if (got && got->msg.domain == 1 && wanted == "login failed: ")
            server.send(RawProvider::loginStatus(emissary::eta::codec::StreamState::closed,
                                                 emissary::eta::codec::DataState::suspect));
    }
    CHECK(consumer->wait(0.0) == 255);
    const std::string output = consumer->output();
    INFO(output);
    CHECK(lastLine(output).find(wanted) != std::string::npos);
}

TEST_CASE("an output file that takes nothing fails the run and is named", "[perftools][run]") {
    RunStage stage;
    const auto provider = stage.provider();
    std::vector<std::string> options;
    std::string file;
    SECTION("the summary") {
        options = {"-summaryFile", file = "/dev/full"};
    }
    SECTION("the statistics") {
        std::filesystem::create_symlink("/dev/full", stage.dir().file("full1.csv"));
        options = {"-statsFile", "full"};
        file = "full1.csv";
    }
    SECTION("the latencies") {
        std::filesystem::create_symlink("/dev/full", stage.dir().file("late1.csv"));
        options = {"-latencyFile", "late"};
        file = "late1.csv";
    }
    const auto consumer = stage.consumer(options);
    CHECK(consumer->wait(kLong) == 255);
    INFO(consumer->output());
    CHECK(consumer->output().find("Error: Failed to write file '" + file + "': No space left on device.") !=
          std::string::npos);
    CHECK(consumer->output().find("Steady state time of 2 seconds has expired.") != std::string::npos);
}

TEST_CASE("a console that takes nothing fails a tool, and it says so", "[perftools][run]") {
    RunStage stage;
    const char* const options = GENERATE("--print-config", "-?");
    const std::string said = stage.dir().file("said");
    const std::string line = std::string(EMISSARY_CONSPERF " ") + options + " >/dev/full 2>" + said;
    const int status = std::system(line.c_str());
    REQUIRE(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 255);
    CHECK(readFile(said).find("standard output cannot be written: ") != std::string::npos);
}

TEST_CASE("updates that found no output buffer stand in the provider's files", "[perftools][run]") {
    RunStage stage;
    const auto provider = stage.provider({"-outputBufs", "100", "-maxOutputBufs", "100", "-updateRate", "200000"});
    RawConsumer lazy(static_cast<std::uint16_t>(stage.port()));
    lazy.send(RawConsumer::loginRequest("user"));
    for (int i = 1; i <= 10; ++i)
        lazy.send(RawConsumer::request(4 + i, 6, "T" + std::to_string(i), std::uint16_t{1}));
    const std::string text = "updates due to lack of output buffers.";
    REQUIRE(provider->waitForOutput(text, kLong));  // it does not read
    provider->signal(SIGINT);
    REQUIRE(provider->wait(kLong) == 0);
    CHECK(readFile(stage.dir().file("ProvStats1.csv")).find(text) != std::string::npos);
    const std::string summary = readFile(stage.dir().file("ProvSummary.out"));
    CHECK(number(summary, "Updates not sent for lack of output buffers") > 0);
    CHECK(summary.find("  Hint: ") != std::string::npos);
}

TEST_CASE("-nanoTime on one side only is told", "[perftools][run]") {
    RunStage stage;
    const bool atProvider = GENERATE(false, true);
    INFO(atProvider);
    const std::vector<std::string> nano = {"-nanoTime"}, none;
    const auto provider = stage.provider(atProvider ? nano : none);
    const auto consumer = stage.consumer(atProvider ? none : nano);
    CHECK(consumer->wait(kLong) == 0);
    INFO(consumer->output());
    CHECK(consumer->output().find("Warning: ") != std::string::npos);
    const std::string summary = readFile(stage.dir().file("ConsSummary.out"));
    CHECK(summary.find("Give -nanoTime to both sides or to neither.") != std::string::npos);
    CHECK(summary.find("Latency avg") == std::string::npos);
}

TEST_CASE("a pack buffer without room is told, packing is shown", "[perftools][run]") {
    RunStage stage;
    SECTION("no room") {
        const auto provider = stage.provider({"-maxPackCount", "10", "-packBufSize", "10"});
        const auto consumer = stage.consumer();
        CHECK(consumer->wait(kLong) == 0);
        INFO(provider->output());
        CHECK(provider->output().find("-packBufSize 10 has no room for an update") != std::string::npos);
        CHECK(provider->output().find("  - Packed ") == std::string::npos);
    }
    SECTION("room") {
        const auto provider = stage.provider({"-maxPackCount", "10"});
        const auto consumer = stage.consumer();
        CHECK(consumer->wait(kLong) == 0);
        provider->signal(SIGINT);
        CHECK(provider->wait(kLong) == 0);
        INFO(provider->output());
        CHECK(provider->output().find("  - Packed ") != std::string::npos);
        const std::string summary = readFile(stage.dir().file("ProvSummary.out"));
        CHECK(number(summary, "Updates packed") == number(summary, "Updates sent"));
        CHECK(number(summary, "Buffers packed") <= number(summary, "Updates packed"));
    }
}

TEST_CASE("a provider that is not there yet is told soon, with its address", "[perftools][run]") {
    RunStage stage;
    const auto consumer = stage.consumer({"-steadyStateTime", "60"});
    REQUIRE(consumer->waitForOutput(
        "Perf_Consumer_1: waiting for the provider at localhost:" + std::to_string(stage.port()) + ".", 30.0));
    consumer->signal(SIGINT);
    CHECK(consumer->wait(kLong) == 0);
}

TEST_CASE("a login that is refused for the time being is tried again, one that is refused ends the test",
          "[perftools][run]") {
    RunStage stage;
    namespace StreamState = emissary::eta::codec::StreamState;
    RawProvider server;
    server.automatic = {.login = false, .directory = true, .dictionary = true, .items = true};
    server.supportsPause = false;
    const auto consumer =
        stage.consumerOf({"-p", std::to_string(server.port()), "-snapshot", "-steadyStateTime", "60"});
    const auto answer = [&server](std::uint8_t streamState) {
        std::optional<RawProvider::Got> got;
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
        while (!got && std::chrono::steady_clock::now() < end) {
            server.poll(10);
            got = server.take();
        }
        REQUIRE(got);
        REQUIRE(got->msg.domain == 1);
        if (streamState == StreamState::open) return server.send(server.loginRefresh());
        server.send(RawProvider::loginStatus(streamState, emissary::eta::codec::DataState::suspect));
    };
    const auto serveUntilItEnds = [&] {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        while (consumer->running() && std::chrono::steady_clock::now() < end)
            server.poll(10);
        return consumer->wait(0.0);
    };
    SECTION("for the time being, twice") {
        answer(StreamState::closedRecover);
        answer(StreamState::closedRecover);
        answer(StreamState::open);
        CHECK(serveUntilItEnds() == 0);
        INFO(consumer->output());
        CHECK(consumer->output().find("waiting for the provider: login failed") != std::string::npos);
        CHECK(number(readFile(stage.dir().file("ConsSummary.out")), "Refreshes received") == 1000);
    }
    SECTION("for good") {
        answer(StreamState::closed);
        CHECK(serveUntilItEnds() == 255);
        INFO(consumer->output());
        CHECK(consumer->output().find("login failed") != std::string::npos);
    }
}

TEST_CASE("-recover: the test goes on when the provider is back", "[perftools][run]") {
    const bool user = GENERATE(false, true);
    INFO((user ? "user dispatch" : "API dispatch"));
    RunStage stage;
    auto provider = stage.provider({"-updateRate", "2000", "-genericMsgRate", "1000"});
    const auto consumer = stage.consumer({"-recover", "-steadyStateTime", "600", "-postingRate", "1000",
                                          "-genericMsgRate", "1000", "-useUserDispatch", user ? "1" : "0"});
    REQUIRE(consumer->waitForOutput("GenMsgs: sent", kLong));
    provider->signal(SIGKILL);
    REQUIRE(consumer->waitForOutput("Perf_Consumer_1: connection lost: ", kLong));
    REQUIRE(provider->wait(kLong) == -SIGKILL);
    provider = stage.provider({"-updateRate", "2000", "-genericMsgRate", "1000"});
    REQUIRE(consumer->waitForOutput("Perf_Consumer_1: the data is back.", kLong));
    // All items, private ones included, and what the consumer sends.
    REQUIRE(provider->waitForOutput("(total: 1000), sent", kLong));
    REQUIRE(provider->waitForOutput("  GenMsgs: sent", kLong));
    REQUIRE(provider->waitForOutput("  Posting: received", kLong));
    consumer->signal(SIGINT);
    CHECK(consumer->wait(kLong) == 0);
    INFO(consumer->output());
    const std::string summary = readFile(stage.dir().file("ConsSummary.out"));
    CHECK(number(summary, "Connections lost") == 1);
    CHECK(number(summary, "Recoveries") == 1);
    CHECK(number(summary, "Seconds without data") > 0);
    CHECK(number(summary, "Refreshes received") >= 2000);
}

TEST_CASE("a directory that never comes is called that", "[perftools][run]") {
    RunStage stage;
    RawProvider server;
    server.automatic.directory = false;
    ::setenv("EMISSARY_CONSUMER_Perf_Consumer_1_DIRECTORYREQUESTTIMEOUT", "1000", 1);
    const auto consumer = stage.consumerOf({"-p", std::to_string(server.port())});
    ::unsetenv("EMISSARY_CONSUMER_Perf_Consumer_1_DIRECTORYREQUESTTIMEOUT");
    const std::string text = "waiting for the provider: directory request failed (timed out";
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (consumer->output().find(text) == std::string::npos && std::chrono::steady_clock::now() < end)
        server.poll(10);
    INFO(consumer->output());
    CHECK(consumer->output().find(text) != std::string::npos);
    CHECK(consumer->output().find("login failed") == std::string::npos);
    consumer->signal(SIGINT);
    CHECK(consumer->wait(kLong) == 0);
}
