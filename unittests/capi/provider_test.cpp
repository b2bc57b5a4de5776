// The provider of the C interface, against its consumer: images, updates, states, and what it refuses.
#include "capi/CProvider.h"
#include "capi/Feed.h"

#include <map>

namespace emissary::test {
namespace {

using Values = std::map<std::string, std::string>;

void keepValues(void* closure, emi_message* message) {
    auto& seen = *static_cast<std::vector<Values>*>(closure);
    Values& values = seen.emplace_back();
    values["state"] = std::to_string(emi_message_state(message));
    emi_value v{};
    v.size = sizeof v;
    for (int found = 0; emi_message_next_field(message, &v, &found, nullptr) == EMI_OK && found != 0;)
        values[v.name] = v.blank != 0        ? "blank"
                         : v.text != nullptr ? std::string(v.text, v.length)
                                             : std::to_string(v.i64);
}

}  // namespace

TEST_CASE("The C provider answers with what was published, over both protocols", "[capi][provider]") {
    const bool json = GENERATE(false, true);
    emi_error error{sizeof(emi_error), 0, {}};
    emi_provider* provider = nullptr;
    const std::string port = freePort();
    INFO(error.text);
    REQUIRE(emi_provider_open(port.c_str(), "FEED & CO", sourcePath("/etc").c_str(), json ? 1 : 0, &provider, &error) ==
            EMI_OK);
    const std::int64_t day = 20'000;  // 2024-10-04
    const emi_value first[] = {value("BID", EMI_REAL, 12345, 12), value("DSPLY_NAME", EMI_TEXT, 0, 0, "Caf\xC3\xA9"),
                               value("TRADE_DATE", EMI_DATE, day), value("ACVOL_1", EMI_INT, 7)};
    REQUIRE(emi_provider_publish(provider, "A.X", first, 4, &error) == EMI_OK);
    {
        CConsumer c("localhost:" + port, json ? std::map<std::string, std::string>{{"websocket", "json"}}
                                              : std::map<std::string, std::string>{});
        REQUIRE(c.code == EMI_OK);
        std::uint64_t item = 0;
        REQUIRE(emi_consumer_open_item(c.handle, "FEED & CO", "A.X", 0, &item, &c.error) == EMI_OK);
        std::vector<Values> seen;
        const auto until = [&](std::size_t count) {
            REQUIRE(turnUntil(
                [&] { return seen.size() >= count; },
                [&] { REQUIRE(emi_consumer_dispatch(c.handle, 50, keepValues, &seen, nullptr, &c.error) == EMI_OK); }));
        };
        until(1);
        CHECK(seen[0]["BID"] == "12345");
        CHECK(seen[0]["DSPLY_NAME"] == "Caf\xC3\xA9");
        CHECK(seen[0]["TRADE_DATE"] == std::to_string(day));
        CHECK(seen[0]["ACVOL_1"] == "7");
        std::size_t streams = 0;
        REQUIRE(emi_provider_streams(provider, "A.X", &streams, &error) == EMI_OK);
        CHECK(streams == 1);
        auto gone = value("BID", EMI_NOTHING);
        gone.blank = 1;
        REQUIRE(emi_provider_publish(provider, "A.X", &gone, 1, &error) == EMI_OK);
        until(2);
        CHECK(seen[1] == Values{{"state", std::to_string(EMI_CURRENT)}, {"BID", "blank"}});
        REQUIRE(emi_provider_status(provider, "A.X", EMI_STALE, "late", &error) == EMI_OK);
        until(3);
        CHECK(seen[2]["state"] == std::to_string(EMI_STALE));
        REQUIRE(emi_provider_status(provider, "A.X", EMI_CLOSED, "over", &error) == EMI_OK);
        until(4);
        CHECK(seen[3]["state"] == std::to_string(EMI_CLOSED));
        REQUIRE(emi_provider_streams(provider, nullptr, &streams, &error) == EMI_OK);
        CHECK(streams == 0);
    }
    emi_provider_close(provider);
}

TEST_CASE("The C provider refuses what it cannot publish", "[capi][provider]") {
    emi_error error{sizeof(emi_error), 0, {}};
    emi_provider* provider = nullptr;
    for (const char* bad : {"", "0", "65536", "x"})
        CHECK(emi_provider_open(bad, "S", sourcePath("/etc").c_str(), 0, &provider, &error) == EMI_E_ARGUMENT);
    CHECK(emi_provider_open("14002", "S", "/nowhere", 0, &provider, &error) != EMI_OK);
    CHECK(provider == nullptr);
    REQUIRE(emi_provider_open(freePort().c_str(), "S", sourcePath("/etc").c_str(), 0, &provider, &error) == EMI_OK);
    const auto refused = [&](emi_value v) {
        return emi_provider_publish(provider, "A.X", &v, 1, &error) == EMI_E_ARGUMENT;
    };
    CHECK(refused(value("NO_SUCH_FIELD", EMI_INT)));
    CHECK(std::string(error.text).find("NO_SUCH_FIELD") != std::string::npos);
    CHECK(refused(value("BID", EMI_TEXT, 0, 0, "x")));
    CHECK(refused(value("BID", EMI_REAL, 1, 31)));
    CHECK(refused(value("DSPLY_NAME", EMI_INT, 1)));
    CHECK(refused(value(nullptr, EMI_INT, 1)));
    CHECK(emi_provider_status(provider, "A.X", EMI_PENDING, "", &error) == EMI_E_ARGUMENT);
    emi_provider_close(provider);
    emi_provider_close(nullptr);
}

}  // namespace emissary::test
