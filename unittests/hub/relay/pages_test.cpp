// The pages of a hub whose clients other threads serve, asked over HTTP while data flow and clients die.
#include "eyes.h"

#include "hub/ops/Pages.h"
#include "support/http_get.h"

#include <atomic>
#include <set>
#include <sstream>
#include <thread>

using namespace emissary;
using namespace emissary::test;

namespace {

/// The pages of the fixture's hub, as hub/main makes them.
class Pages {
public:
    explicit Pages(KindsFixture& f) : f_(f) {
        const Hub::Rooms rooms = f.hub->rooms();
        ops::Pages::Options options;
        pages_ = std::make_unique<ops::Pages>(
            ops::Inspected{rooms.reactor, rooms.items, rooms.clients, rooms.services, rooms.flow, f.hub->settings(),
                           [this](const auto& each) { f_.hub->eachSource(each); },
                           [this] { return f_.hub->dictionary(); }, [](const std::string&, std::uint32_t) {},
                           [] { return false; }, rooms.relay},
            options);
    }
    /// Asked by another thread: this one is the hub's.
    [[nodiscard]] std::string get(const std::string& target) {
        std::string text;
        std::atomic<bool> done{false};
        std::thread asking([&, port = pages_->port()] {
            text = httpGet(port, target);
            done.store(true, std::memory_order_release);  // the test's loop acquires it
        });
        const bool answered = turnUntil([&] { return done.load(std::memory_order_acquire); }, [&] { f_.turn(); });
        asking.join();
        REQUIRE(answered);
        REQUIRE(text.starts_with("HTTP/1.1 200"));
        return text.substr(text.find("\r\n\r\n") + 4);
    }
    [[nodiscard]] json_test::Json json(const std::string& target) { return json_test::parseJson(get(target)); }
    [[nodiscard]] std::uint16_t port() const noexcept { return pages_->port(); }

private:
    KindsFixture& f_;
    std::unique_ptr<ops::Pages> pages_;
};

/// The sum of the lines of /metrics that begin so.
[[nodiscard]] std::uint64_t sumOf(const std::string& metrics, const std::string& beginning) {
    std::uint64_t sum = 0;
    for (std::size_t at = metrics.find("\n" + beginning); at != std::string::npos;
         at = metrics.find("\n" + beginning, at + 1)) {
        const std::size_t end = metrics.find('\n', at + 1);
        sum += std::stoull(metrics.substr(metrics.rfind(' ', end) + 1));
    }
    return sum;
}

}  // namespace

TEST_CASE("pages tell of clients of every kind on every thread", "[hub][relay][ops]") {
    KindsFixture f;
    Pages pages(f);
    std::vector<std::unique_ptr<Eye>> eyes;
    for (int i = 0; i < 5; ++i) {
        eyes.push_back(std::make_unique<Eye>(f, kWires[i], i));
        eyes.back()->request(5, "IBM");
        CHECK(eyes.back()->next().type == "Refresh");
    }
    constexpr std::uint64_t kUpdates = 100;
    const std::uint64_t before = sumOf(pages.get("/metrics"), "emissary_hub_messages_out_total");
    for (std::uint64_t i = 0; i < kUpdates; ++i)
        f.tick();
    for (const auto& eye : eyes)
        while (eye->next().value != f.values["IBM"]) {}

    const json_test::Json clients = pages.json("/connz?sort=messages");
    REQUIRE(clients.at("connections").items.size() == eyes.size());
    std::map<std::string, int> protocols;
    std::set<std::string> threads;
    for (const json_test::Json& row : clients.at("connections").items) {
        INFO(row.source);
        ++protocols[row.at("protocol").text];
        CHECK(row.at("mounts").text == "1");
        CHECK_FALSE(row.at("listener").text.empty());
        threads.insert(row.at("thread").text);
        CHECK(std::stoull(row.at("messages").text) == kUpdates + 1);
        CHECK(std::stoull(row.at("bytesOut").text) > kUpdates * 10);
        CHECK(std::stoull(row.at("bytesIn").text) > 50);
    }
    CHECK(protocols.size() == 5);
    CHECK(threads == std::set<std::string>{"2", "3"});
    CHECK(pages.json("/connz?user=eye3").at("connections").items.size() == 1);

    const json_test::Json item = pages.json("/itemz?service=DIRECT_FEED&name=IBM&domain=6");
    CHECK(item.at("mounts").text == "5");
    CHECK(item.at("state").text == "Open/Ok/0");
    INFO(item.source);
    CHECK(item.at("image").at("Fields").at("PROD_PERM").text == std::to_string(f.values["IBM"]));

    const std::string metrics = pages.get("/metrics");
    CHECK(sumOf(metrics, "emissary_hub_messages_out_total") == before + eyes.size() * kUpdates);
    CHECK(sumOf(metrics, "emissary_hub_front_mounts") == eyes.size());
    // Three of them came through the first port, two through the encrypted one; the directory's updates are none.
    const auto lines = [&](const std::string& name, const std::string& label) {
        std::uint64_t sum = 0;
        std::istringstream in(metrics);
        for (std::string line; std::getline(in, line);)
            if (line.starts_with(name + "{") && line.find(label) != std::string::npos)
                sum += std::stoull(line.substr(line.rfind(' ') + 1));
        return sum;
    };
    CHECK(lines("emissary_hub_updates_out_total", "listener=\"consumers\"") == 3 * kUpdates);
    CHECK(lines("emissary_hub_updates_out_total", "listener=\"encrypted\"") == 2 * kUpdates);
    CHECK(lines("emissary_hub_forward_seconds_count", "") > 0);
    // Each thread's own, and none of them twice.
    std::uint64_t connections = 0;
    for (const std::string thread : {"hub-f1", "hub-f2"}) {
        const std::string label = "thread=\"" + thread + "\"";
        CHECK(lines("emissary_loop_events_total", label) > 0);
        CHECK(lines("emissary_hub_front_mounts", label) > 0);
        CHECK(lines("emissary_hub_front_waiting", label) == 0);
        connections += lines("emissary_loop_connections", label);
    }
    CHECK(connections == eyes.size());
}

TEST_CASE("pages are asked by several while clients come, die and are sent data", "[hub][relay][ops]") {
    KindsFixture f;
    Pages pages(f);
    std::vector<std::unique_ptr<Eye>> eyes;
    for (int i = 0; i < 5; ++i) {
        eyes.push_back(std::make_unique<Eye>(f, kWires[i], i));
        eyes.back()->request(5, "IBM");
    }
    std::atomic<bool> stop{false};
    std::atomic<int> good{0}, bad{0};
    std::vector<std::thread> asking;
    for (const char* const target :
         {"/metrics", "/connz?sort=bytes", "/itemz?service=DIRECT_FEED&name=IBM&domain=6", "/varz", "/servicez"})
        asking.emplace_back([&, target, port = pages.port()] {
            while (!stop.load(std::memory_order_relaxed))
                ++(httpGet(port, target).starts_with("HTTP/1.1 200") ? good : bad);
        });
    f.until([&] {
        f.serve();
        return f.streams.contains("IBM");
    });
    for (int round = 0; round < 150 || good.load(std::memory_order_relaxed) < 50; ++round) {
        f.tick();
        Eye& eye = *eyes[static_cast<std::size_t>(round) % eyes.size()];
        if (round % 7 == 0 && round < 150) {
            eye.die();
            eye.connect();
            eye.request(5, "IBM");
        }
        while (eye.look()) {}
        f.turn();
    }
    stop.store(true, std::memory_order_relaxed);
    std::atomic<bool> joined{false};
    std::thread joins([&] {
        for (std::thread& t : asking)
            t.join();
        joined.store(true, std::memory_order_release);  // the test's loop acquires it
    });
    const bool all = turnUntil([&] { return joined.load(std::memory_order_acquire); }, [&] { f.turn(); });
    joins.join();
    CHECK(all);
    CHECK(bad.load() == 0);
    CHECK(pages.json("/connz").at("connections").items.size() == eyes.size());
}

TEST_CASE("a thread that stands still holds up neither pages nor the end of listening", "[hub][relay][ops]") {
    KindsFixture f;
    Pages pages(f);
    std::vector<std::unique_ptr<Eye>> eyes;
    for (int i = 0; i < 4; ++i)
        eyes.push_back(std::make_unique<Eye>(f, kWires[i], i));
    std::vector<relay::Front*> fronts;
    relay::forEachFront(f.relay(), [&](relay::Front& front) { fronts.push_back(&front); });
    std::atomic<int> late{0}, soon{0};
    {
        const StoppedFront stop(*fronts.front());
        int silent = 0;
        const json_test::Json clients = pages.json("/connz");
        for (const json_test::Json& row : clients.at("connections").items) {
            INFO(row.source);
            const bool first = row.at("thread").text == "2";
            CHECK(row.at("threadAnswers").text == (first ? "false" : "true"));
            CHECK((row.at("bytesIn").text == "0") == first);
            silent += first;
        }
        CHECK(silent == 2);
        CHECK(sumOf(pages.get("/metrics"), "emissary_hub_clients{") == 4);
        f.hub->drain();  // ends listening on every thread
        for (relay::Line& line : f.relay().lines())
            line.call([&](relay::Front& front) { ++(&front == fronts.front() ? late : soon); });
        f.until([&] { return soon == 1; });
        CHECK(late == 0);
        CHECK(pages.json("/connz").at("connections").items.size() == 4);
    }
    f.until([&] { return late == 1; });
    CHECK(soon == 1);
}
