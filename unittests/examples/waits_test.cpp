// PriceConsumer says what it waits for, while it waits.
#include "../perftools/ToolProcess.h"
#include "support/RawProvider.h"
#include "support/catch.hpp"

#include <chrono>
#include <string>

using emissary::perf::test::freePort;
using emissary::perf::test::TempDir;
using emissary::perf::test::ToolProcess;
using emissary::test::RawProvider;

namespace {

constexpr double kLong = 40.0;  // less than the limits of the library, after which it would say so as well

/// Serves until the consumer has printed that.
bool prints(RawProvider& server, ToolProcess& consumer, const std::string& text) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(kLong);
    while (std::chrono::steady_clock::now() < end) {
        server.poll(10);
        while (server.take()) {}
        if (consumer.output().find(text) != std::string::npos) return true;
    }
    return false;
}

}  // namespace

TEST_CASE("a host where nobody listens: the reason", "[examples][waits]") {
    const TempDir dir;
    const std::string host = "localhost:" + std::to_string(freePort());
    ToolProcess consumer(EMISSARY_PRICE_CONSUMER, {host}, dir, "out");
    CHECK(consumer.waitForOutput("connect to " + host + ": Connection refused", kLong));
    CHECK(consumer.waitForOutput("still waiting: the login has no answer from " + host, kLong));
}

TEST_CASE("a provider that leaves something out: what it is", "[examples][waits]") {
    const TempDir dir;
    RawProvider server;
    std::string text;
    SECTION("the login's answer") {
        server.automatic = {.login = false, .directory = true, .dictionary = true, .items = true};
        text = "still waiting: the login has no answer from ";
    }
    SECTION("the directory") {
        server.automatic = {.login = true, .directory = false, .dictionary = true, .items = true};
        text = "still waiting: the directory request has no answer from ";
    }
    SECTION("the dictionary") {
        server.automatic = {.login = true, .directory = true, .dictionary = false, .items = true};
        text = "still waiting: the dictionary request has no answer from ";
    }
    SECTION("the service") {
        server.services = {RawProvider::service(1, "ANOTHER_FEED")};
        text = "Service not up yet.";
    }
    SECTION("the image") {
        server.automatic = {.login = true, .directory = true, .dictionary = true, .items = false};
        text = "still waiting: there is no image of EMI.X from DIRECT_FEED";
    }
    ToolProcess consumer(EMISSARY_PRICE_CONSUMER, {"localhost:" + std::to_string(server.port())}, dir, "out");
    const bool said = prints(server, consumer, text);
    INFO(consumer.output());
    CHECK(said);
}
