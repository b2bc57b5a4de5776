// docs/compatibility.md lists the members that throw for want of their feature: no more and no fewer than do.
#include "ema/session/consumer/SessionTest.h"
#include "support/paths.h"

#include <functional>
#include <map>
#include <set>
#include <sstream>

using namespace emissary::test;

namespace {

/// "Members that throw": member -> feature.
std::map<std::string, std::string> documented() {
    std::ifstream page(emissary::test::sourcePath("/docs/compatibility.md"));
    REQUIRE(page.is_open());
    std::map<std::string, std::string> rows;
    bool inside = false;
    for (std::string line; std::getline(page, line);) {
        if (line.rfind("## ", 0) == 0) inside = line == "## Members that throw";
        if (!inside || line.rfind("| `", 0) != 0) continue;
        const std::size_t end = line.find("` | ", 3);
        REQUIRE(end != std::string::npos);
        REQUIRE(line.substr(line.size() - 2) == " |");
        const bool fresh = rows.emplace(line.substr(3, end - 3), line.substr(end + 4, line.size() - end - 6)).second;
        INFO(line);
        CHECK(fresh);
    }
    return rows;
}

struct Call {
    std::string member;
    std::function<void()> call;
};

class NoOAuth final : public OmmOAuth2ConsumerClient {};

}  // namespace

TEST_CASE("docs/compatibility.md lists exactly the members that throw", "[ema][compatibility]") {
    ProviderThread provider;
    const ConsumerConfigFile file(provider.port());
    OmmConsumer consumer(OmmConsumerConfig(file.path()).username("user"));
    RecordingConsumerClient client;

    const std::vector<Call> calls = {
        {"OmmConsumer::registerClient(TunnelStreamRequest)",
         [&] { consumer.registerClient(TunnelStreamRequest(), client); }},
    };

    const auto rows = documented();
    std::set<std::string> called;
    for (const Call& c : calls) {
        INFO("A member that no longer throws leaves this table and docs/compatibility.md: " << c.member);
        called.insert(c.member);
        const auto row = rows.find(c.member);
        REQUIRE(row != rows.end());
        const std::string what = thrown(c.call);
        CHECK(what == "OmmInvalidUsageException -4048: " + c.member + "(): this release does not support " +
                          row->second + "; see docs/compatibility.md");
    }
    for (const auto& [member, feature] : rows) {
        INFO("A row of docs/compatibility.md without a call in this test: " << member << ", " << feature);
        CHECK(called.count(member) == 1);
    }
}

TEST_CASE("with an error client a missing feature is reported, not thrown", "[ema][compatibility]") {
    ProviderThread provider;
    const ConsumerConfigFile file(provider.port());
    RecordingErrorClient errors;
    OmmConsumer consumer(OmmConsumerConfig(file.path()).username("user"), errors);
    RecordingConsumerClient client;
    CHECK(thrown([&] { CHECK(consumer.registerClient(TunnelStreamRequest(), client) == 0); }).empty());
    REQUIRE(errors.usage.size() == 2);
    CHECK(errors.usage[1] == "-4048:" + errors.usage[0]);
}

TEST_CASE("what gives nothing for want of a feature does not throw", "[ema][compatibility]") {
    ProviderThread provider;
    const ConsumerConfigFile file(provider.port());
    NoOAuth oauth;
    OmmConsumer consumer(OmmConsumerConfig(file.path()).username("user"), oauth);
    EmaVector<ChannelInformation> sessions;
    sessions.push_back(ChannelInformation());
    consumer.getSessionInformation(sessions);
    CHECK(sessions.empty());
}
