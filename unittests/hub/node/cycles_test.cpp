// Consumers that connect, open items and leave, again and again (hub.md 15, row 15).
#include "fixture.h"

#include "hub/core/Client.h"
#include "hub/core/ItemTable.h"
#include "reactor/json/fixture.h"
#include "reactor/metrics/Snapshot.h"
#include "support/resident.h"

using namespace emissary;
using namespace emissary::test;

namespace {

/// The provider answers every request for an item.
struct Cycles : HubFixture {
    explicit Cycles() : HubFixture([](HubSettings& s) { s.services[0].cache.rule = CachePolicy::Rule::all; }) {
        plainNumbers = true;
        connected();
        until([this] { return hub->dictionary() != nullptr; });
        alongside = [this] {
            while (const auto got = provider.take())
                if (got->msg.cls == MsgClass::Request && !got->msg.has(RequestFlag::noRefresh))
                    refresh(got->msg.streamId, 5, got->name());
            provider.wire.clear();
            lines.clear();
        };
    }
    /// One that all have, and one of fifty that are gone with who asked for it.
    void rwf(int number) {
        RawConsumer c = loggedIn("user" + std::to_string(number % 7));
        c.send(request(5, "KEPT"));
        CHECK(c.next().msg.cls == MsgClass::Refresh);
        c.send(request(6, "A" + std::to_string(number % 50)));
        CHECK(c.next().msg.cls == MsgClass::Refresh);
        switch (number % 4) {
        case 0:
            c.send(RawConsumer::close(5));
            c.send(RawConsumer::close(6));
            [[fallthrough]];
        case 1:
            c.send(RawConsumer::close(1, 1));
            [[fallthrough]];
        case 2:
            return c.disconnect();
        default:
            return c.dieMidMessage();
        }
    }
    void json(int number) {
        TextClient c(webSocketTo(hub->port()), [this] { turn(); });
        c.send(R"({"ID":1,"Domain":"Login","Key":{"Name":"text"}})");
        CHECK(c.next("ID", "1").at("State").at("Stream").text == "Open");
        c.send(R"({"ID":5,"Key":{"Name":["KEPT","A)" + std::to_string(number % 50) +
               R"("],"Service":"DIRECT_FEED"},"View":["PROD_PERM"]})");
        CHECK(c.next("ID", "7").at("Type").text == "Refresh");
    }
    /// While `steady` is there, and says so now and then: who is silent for a minute is taken for dead.
    void cycle(int count, RawConsumer& steady) {
        for (int i = 0; i < count; ++i) {
            if (i % 5 == 4) json(i);
            else rwf(i);
            if (i % 100 == 0) CHECK(silent(steady));
        }
        until([this] { return hub->rooms().clients.size() == 1; });
        CHECK(silent(steady));
    }
};

}  // namespace

TEST_CASE("consumers that connect, open items and leave again and again leave nothing behind", "[hub][node][json]") {
    // With EMISSARY_HUB_CYCLES=100000 the long run, which says what it found.
    const char* const wanted = std::getenv("EMISSARY_HUB_CYCLES");
    const int cycles = wanted != nullptr ? std::atoi(wanted) : 1000;
    Cycles f;
    RawConsumer steady = f.loggedIn("steady");
    steady.send(HubFixture::request(5, "KEPT"));
    CHECK(steady.next().msg.cls == MsgClass::Refresh);
    f.cycle(cycles / 5, steady);
    const std::size_t before = residentKiB();
    f.cycle(cycles - cycles / 5, steady);
    const std::size_t after = residentKiB();
    INFO(before << " KiB before, " << after << " KiB after");
#if !defined(EMISSARY_UNDER_ADDRESS_SANITIZER) && !defined(__SANITIZE_THREAD__)  // they keep what was freed
    // Rings and logs between threads are touched page by page until they have been round.
    CHECK(after < before + (f.hub->settings().threads > 1 ? 8192 : 2048));
#endif
    if (wanted != nullptr)
        WARN(cycles << " cycles: " << before << " KiB after a fifth of them, " << after << " KiB at the end");
    f.until([&f] { return f.hub->rooms().items.size() == 1; });
    CHECK(f.hub->rooms().reactor.metrics().value("emissary_hub_mounts") == 1);
    CHECK(f.hub->rooms().reactor.metrics().value("emissary_hub_images") == 1);
}
