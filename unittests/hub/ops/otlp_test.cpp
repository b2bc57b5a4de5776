// Counts for a collector: the text of OTLP, and pushes to a server that takes them, refuses them, or does not answer.
#include "hub/ops/OtlpPush.h"
#include "hub/ops/otlp_text.h"

#include "eta/core/version.h"
#include "rig.h"
#include "support/RestServer.h"
#include "support/TestFolder.h"

#include <condition_variable>

using namespace emissary;
using namespace emissary::hub;
using ops::test::has;
using ops::test::Rig;

namespace {

struct Counts {
    eta::Total<"test_messages_total", "messages", "Messages \"read\"."> total;
    eta::Level<"test_clients", "clients", "Clients now."> level;
    eta::Histogram<"test_turn_seconds", "Turns."> turns;
};

/// What the hub has logged, to be waited for.
struct Lines {
    std::mutex mutex;
    std::condition_variable changed;
    std::vector<std::string> all;

    void add(bool bad, const std::string& text) {
        const std::lock_guard guard(mutex);
        all.push_back((bad ? "bad: " : "good: ") + text);
        changed.notify_all();
    }
    [[nodiscard]] std::vector<std::string> wait(std::size_t n) {
        std::unique_lock lock(mutex);
        CHECK(changed.wait_for(lock, std::chrono::seconds(60), [&] { return all.size() >= n; }));
        return all;
    }
};

ops::OtlpPush::Options options(const std::string& url, Lines& lines) {
    ops::OtlpPush::Options o;
    o.settings.url = url;
    o.settings.interval = std::chrono::milliseconds(20);
    o.patience = std::chrono::seconds(20);
    o.timeout = std::chrono::seconds(60);
    o.log = [&lines](bool bad, const std::string& text) { lines.add(bad, text); };
    return o;
}

std::uint64_t counted(Rig& rig, const char* name) {
    return rig.reactor.metrics().value(name).value_or(0);
}

}  // namespace

TEST_CASE("the text of OTLP has totals, levels and durations with their labels", "[hub][ops][otlp]") {
    Counts counts;
    counts.total += 5;
    counts.level = 2;
    counts.turns.record(std::chrono::nanoseconds(900));
    counts.turns.record(std::chrono::microseconds(20));
    counts.turns.record(std::chrono::seconds(2));
    reactor::metrics::Snapshot s(reactor::metrics::Labels{{"hub", "al\"pha"}});
    s.add(counts, {{"service", "FEED\n"}});
    const std::string text = ops::otlpText(s, {"al\"pha", 1'700'000'000'000'000'001, 1'700'000'060'000'000'002});
    const std::string at = R"("startTimeUnixNano":"1700000000000000001","timeUnixNano":"1700000060000000002",)"
                           R"("attributes":[{"key":"hub","value":{"stringValue":"al\"pha"}},)"
                           R"({"key":"service","value":{"stringValue":"FEED)";
    has(text,
        R"({"resourceMetrics":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"emissary-hub"}},)"
        R"({"key":"service.instance.id","value":{"stringValue":"al\"pha"}},)");
    has(text, R"({"name":"test_messages_total","description":"Messages \"read\".","unit":"{messages}",)"
              R"("sum":{"aggregationTemporality":2,"isMonotonic":true,"dataPoints":[{)" +
                  at);
    has(text, R"("asInt":"5"}]}},{"name":"test_clients","description":"Clients now.","unit":"{clients}",)"
              R"("gauge":{"dataPoints":[{)" +
                  at);
    has(text, R"("asInt":"2"}]}},{"name":"test_turn_seconds","description":"Turns.","unit":"s",)"
              R"("histogram":{"aggregationTemporality":2,"dataPoints":[{)" +
                  at);
    has(text,
        R"("bucketCounts":["1","0","0","1","0","0","0","0","0","0","0","0","0","1"],"explicitBounds":[1000e-9,3000e-9,)");
    has(text, R"("count":"3","sum":2000020900e-9})");
    has(text, R"({"name":"process_resident_memory_bytes","description":"","unit":"By","gauge":{"dataPoints":[{)");
    has(text, R"({"name":"emissary_build_info",)");
    has(text, R"({"key":"version","value":{"stringValue":")" + std::string(version()) + R"("}}],"asDouble":1.000000})");
    CHECK(text.ends_with("]}]}]}"));
}

TEST_CASE("counts get to a collector, with the token of the file as it is then", "[hub][ops][otlp]") {
    Rig rig;
    rig.dispatch();
    Lines lines;
    std::atomic<int> status{200};
    std::atomic<bool> partly{false};
    test::RestServer server([&](const test::RestServer::Request&) {
        return test::RestServer::Reply{.status = status.load(),
                                       .body = partly ? R"({"partialSuccess":{"rejectedDataPoints":"4"}})" : "{}"};
    });
    const test::TestFolder folder;
    const std::string token = folder.path() / "token";
    test::TestFolder::write(token, "first\nsecond line\n");
    const auto waitFor = [&](const std::function<bool(const test::RestServer::Request&)>& fits) {
        const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        for (std::size_t seen = 0; std::chrono::steady_clock::now() < until;) {
            const auto all = server.requests();
            for (; seen < all.size(); ++seen)
                if (fits(all[seen])) return all[seen];
            std::this_thread::yield();
        }
        FAIL("no such push came");
        return test::RestServer::Request{};
    };
    auto o = options(server.url("/v1/metrics"), lines);
    o.settings.tokenFile = token;
    ops::OtlpPush push(rig.inspected(), o);
    const auto first = waitFor([](const auto&) { return true; });
    CHECK(first.method == "POST");
    CHECK(first.path() == "/v1/metrics");
    CHECK(first.header("content-type") == "application/json");
    CHECK(first.header("authorization") == "Bearer first");
    has(first.body, R"({"key":"service.instance.id","value":{"stringValue":"alpha"}})");
    has(first.body, R"({"name":"emissary_hub_service_up")");

    test::TestFolder::write(token, "third\n");
    static_cast<void>(waitFor([](const auto& r) { return r.header("authorization") == "Bearer third"; }));

    // Refused, and taken again: a line each, however many pushes there are.
    const std::uint64_t before = counted(rig, "emissary_hub_otlp_failures_total");
    CHECK(before == 0);
    status = 503;
    const auto bad = lines.wait(1);
    has(bad[0], "bad: OtlpUrl [" + server.url("/v1/metrics") +
                    "]: the counts did not get there: HTTP status 503 ({}); tried again every 20 ms");
    const std::size_t pushes = server.requests().size();
    static_cast<void>(waitFor([&, n = std::size_t{0}](const auto&) mutable { return ++n > pushes + 3; }));
    status = 200;
    has(lines.wait(2)[1], "good: OtlpUrl [" + server.url("/v1/metrics") + "]: the counts get there again");
    CHECK(lines.wait(2).size() == 2);
    CHECK(counted(rig, "emissary_hub_otlp_failures_total") >= 3);
    CHECK(counted(rig, "emissary_hub_otlp_pushes_total") >= 3);

    // Some of it was not taken, which is no success either.
    partly = true;
    has(lines.wait(3)[2], R"(the collector took a part of it: {"partialSuccess":{"rejectedDataPoints":"4"}})");
    partly = false;
    has(lines.wait(4)[3], "good: ");

    // A file that is away costs the pushes, and says so.
    std::filesystem::remove(token);
    has(lines.wait(5)[4], "OtlpTokenFile [" + token + "]: cannot be read");
}

TEST_CASE("the token goes to no other server that the collector names", "[hub][ops][otlp]") {
    Rig rig;
    rig.dispatch();
    Lines lines;
    // Over TLS both: what is not encrypted would be refused for that reason.
    const std::string certificates = test::restCertificates();
    const auto taken = [](const test::RestServer::Request&) { return test::RestServer::Reply{.body = "{}"}; };
    test::RestServer other(taken, certificates + "/server.pem", certificates + "/server-key.pem");
    std::atomic<bool> away{true};
    test::RestServer server(
        [&](const test::RestServer::Request& r) {
            if (r.path() == "/here") return test::RestServer::Reply{.body = "{}"};
            return test::RestServer::Reply{.status = 307,
                                           .headers = {{"Location", away ? other.url("/v1/metrics") : "/here"}}};
        },
        certificates + "/server.pem", certificates + "/server-key.pem");
    const test::TestFolder folder;
    auto o = options(server.url("/v1/metrics"), lines);
    o.settings.tokenFile = folder.path() / "token";
    o.settings.caFile = certificates + "/ca.pem";
    test::TestFolder::write(o.settings.tokenFile, "word\n");
    ops::OtlpPush push(rig.inspected(), o);
    has(lines.wait(1)[0], "the counts did not get there: HTTP status 307, redirect to another server, which is not "
                          "followed; tried again every 20 ms");
    CHECK(other.connections() == 0);
    // On the same server it may be another path.
    away = false;
    has(lines.wait(2)[1], "good: ");
    CHECK(server.requests("/here").at(0).header("authorization") == "Bearer word");
    CHECK(other.connections() == 0);
}

TEST_CASE("a collector that does not answer holds nobody up", "[hub][ops][otlp]") {
    Rig rig;
    rig.dispatch();
    Lines lines;
    test::RestServer server([](const test::RestServer::Request&) { return test::RestServer::Reply{.silent = true}; });
    auto o = options(server.url("/v1/metrics"), lines);
    SECTION("the end of the hub breaks its push off") {
        o.settings.interval = std::chrono::hours(1);
        SECTION("before the first one") {}
        SECTION("while it waits for an answer") {
            o.settings.interval = std::chrono::milliseconds(20);
            ops::OtlpPush push(rig.inspected(), o);
            while (server.requests().empty())
                std::this_thread::yield();
        }
        const ops::OtlpPush push(rig.inspected(), o);
    }
    SECTION("its time is over, which is a failure") {
        o.timeout = std::chrono::milliseconds(20);
        const ops::OtlpPush push(rig.inspected(), o);
        has(lines.wait(1)[0], "bad: OtlpUrl");
    }
}

TEST_CASE("what happened since the last push goes out at the end", "[hub][ops][otlp]") {
    Rig rig;
    Lines lines;
    test::RestServer server([](const test::RestServer::Request&) { return test::RestServer::Reply{.body = "{}"}; });
    auto o = options(server.url("/v1/metrics"), lines);
    o.settings.interval = std::chrono::hours(1);
    ops::OtlpPush push(rig.inspected(), o);
    push.end();  // on the thread of a loop that turns no more
    push.end();  // the second time does nothing
    REQUIRE(server.requests().size() == 1);
    has(server.requests()[0].body, R"("emissary_hub_service_up")");
}
