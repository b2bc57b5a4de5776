// Marks of slow clients that one port has for itself (hub.md 8.3).
#include "hub/flow/ItemFlow.h"
#include "late_reader.h"
#include "reactor/metrics/Snapshot.h"

using namespace emissary;
using namespace emissary::test;

TEST_CASE("a port with a lower DisconnectAbove cuts off its own clients alone", "[hub][node][slow][json]") {
    const bool json = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC"));
    HubFixture f([](HubSettings& s) {
        s.listeners[0].bind.sysSendBufSize = 16'384;
        ListenerSettings strict = s.listeners[0];
        strict.name = "strict";
        strict.slow.disconnectAbove = 200'000;
        strict.slow.conflateBytes = 0;
        s.listeners.push_back(strict);
    });
    f.plainNumbers = true;
    f.connected();
    f.until([&] { return f.hub->dictionary() != nullptr; });
    LateReader usual(f, json, 0, "usual"), bad(f, json, 1, "bad");
    for (std::int32_t stream = 5; stream < 55; ++stream) {
        usual.open(stream);
        bad.open(stream);
    }
    const std::int32_t source = f.asked().msg.streamId;
    // All ask before the image comes: who asks later has the provider asked for another one.
    f.until([&] { return f.hub->rooms().flow.counts().mounts.get() == 100; });
    f.refresh(source, 1);

    const auto value = [&](std::string_view name) { return f.hub->rooms().reactor.metrics().value(name).value_or(0); };
    std::uint64_t updates = 0;
    // Threads of clients keep up: what waits for one of them does not come to its clients at once.
    const auto update = [&] {
        f.update(source, ++updates);
        f.turn();
        f.until([&] { return value("emissary_hub_front_waiting") == 0; });
    };
    f.until([&] {
        update();
        return f.hub->rooms().flow.counts().mounts.get() == 50;
    });
    for (std::uint64_t more = updates; more != 0; --more)
        update();
    CHECK(value("emissary_hub_slow_disconnects_total") == 1);
    CHECK(f.hub->rooms().flow.counts().mounts.get() == 50);
    CHECK(std::ranges::any_of(f.lines, [](const std::string& line) {
        return line.find("'bad'") != std::string::npos && line.find("'strict' was cut off") != std::string::npos;
    }));
}

TEST_CASE("a client that reads late has what all have, and is told that its updates were joined",
          "[hub][node][slow][json]") {
    const bool json = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC"));
    HubFixture f([](HubSettings& s) {
        s.listeners[0].bind.sysSendBufSize = 16'384;
        s.conflateAbove = 50'000;
        s.conflateBelow = 10'000;
        s.services[0].cache.rule = CachePolicy::Rule::all;
    });
    f.plainNumbers = true;
    f.connected();
    f.until([&] { return f.hub->dictionary() != nullptr; });
    LateReader slow(f, json, 0, "slow"), quick(f, json, 0, "quick");
    for (std::int32_t stream = 5; stream < 15; ++stream) {
        slow.open(stream, "I" + std::to_string(stream));
        quick.open(stream, "I" + std::to_string(stream));
    }
    f.until([&] { return f.hub->rooms().flow.counts().mounts.get() == 20; });
    std::vector<std::int32_t> sources;
    while (sources.size() < 10) {
        const auto got = f.asked();
        sources.push_back(got.msg.streamId);
        f.refresh(sources.back(), 1, got.name());
    }
    const auto value = [&](std::string_view name) { return f.hub->rooms().reactor.metrics().value(name).value_or(0); };
    std::uint64_t updates = 0;
    const auto round = [&] {
        ++updates;
        for (const std::int32_t source : sources)
            f.update(source, updates);
        f.until([&] {  // so that it is never behind, however late its thread is
            quick.read();
            return quick.updates == updates * 10;
        });
    };
    f.until([&] {
        round();
        return value("emissary_hub_joining_clients") == 1;
    });
    for (int i = 0; i < 300; ++i)
        round();
    CHECK(value("emissary_hub_joined_updates_total") >= 200 * 10);
    CHECK(quick.states.empty());
    CHECK(value("emissary_hub_slow_disconnects_total") == 0);
    f.until([&] {
        slow.read();
        return slow.states.size() == 2;
    });
    CHECK(slow.states == std::vector<int>{7, 8});
    CHECK(slow.values.size() == 10);
    CHECK(slow.values == quick.values);
    CHECK(slow.updates < quick.updates - 200 * 10);
    f.until([&] {  // from the thread of the client, where there are several
        return std::ranges::any_of(f.lines, [](const std::string& line) {
            return line.find("'slow'") != std::string::npos && line.find("has caught up") != std::string::npos;
        });
    });
    round();
    f.until([&] {
        slow.read();
        quick.read();
        return slow.values == quick.values && quick.updates == updates * 10;
    });
    CHECK(slow.states.size() == 2);
    CHECK(value("emissary_hub_joining_clients") == 0);
}
