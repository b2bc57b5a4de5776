// How runs of the interactive tools end, and what their files say of it.
#include "RunStage.h"
#include "support/RawConsumer.h"
#include "support/RawProvider.h"
#include "support/catch.hpp"

#include <csignal>

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
