// Services and ports whose updates come at most once in an interval (hub.md 8.2), through a whole hub.
#include "hub/flow/ItemFlow.h"
#include "late_reader.h"
#include "reactor/metrics/Snapshot.h"

#include <random>

using namespace emissary;
using namespace emissary::test;
using namespace std::chrono_literals;

TEST_CASE("clients at a rate end with what all have, whatever they pause, leave and ask for",
          "[hub][node][rates][json]") {
    const bool json = GENERATE(false, true);
    const std::string of = GENERATE("service", "port", "users", "request");
    const bool ofService = of == "service";
    INFO((json ? "JSON" : "RIPC") << ", rule of " << of);
    const Conflation rule{Conflation::Mode::interval, 20ms};
    HubFixture f([&](HubSettings& s) {
        s.services[0].cache.rule = CachePolicy::Rule::all;
        ListenerSettings rated = s.listeners[0];
        rated.name = "rated";
        if (ofService) s.services[0].conflation = rule;
        else if (of == "port") rated.conflation = rule;
        else if (of == "request") s.services[0].offeredRates = {rule};
        else s.userClasses = {{"fast", {"quick"}, {}, {}, {}}, {"slow", {"rated", "moody", "late"}, {}, rule, {}}};
        s.listeners.push_back(rated);
    });
    f.plainNumbers = true;
    f.connected();
    f.until([&] { return f.hub->dictionary() != nullptr; });
    LateReader quick(f, json, 0, "quick"), rated(f, json, 1, "rated"), moody(f, json, 1, "moody");
    const std::optional<codec::Qos> lower =
        of == "request" ? std::optional(codec::Qos{1, 3, false, 0, 20}) : std::nullopt;
    rated.qos = moody.qos = lower;
    constexpr std::int32_t kItems = 8;
    const auto name = [](std::int32_t stream) { return "I" + std::to_string(stream); };
    for (std::int32_t stream = 5; stream < 5 + kItems; ++stream)
        for (LateReader* const reader : {&quick, &rated, &moody})
            reader->open(stream, name(stream));
    f.until([&] { return f.hub->rooms().flow.counts().mounts.get() == 3 * kItems; });
    std::map<std::string, std::int32_t> sources;
    while (sources.size() < kItems) {
        const auto got = f.asked();
        sources[std::string(got.name())] = got.msg.streamId;
        f.refresh(got.msg.streamId, 1, got.name());
    }
    std::mt19937 random(11);
    std::map<std::int32_t, std::string> truth;
    std::map<std::int32_t, bool> paused;
    const auto readAll = [&] {
        for (LateReader* const reader : {&quick, &rated, &moody})
            reader->read();
    };
    std::uint64_t updates = 0;
    for (int step = 0; step < 2000; ++step) {
        const auto stream = static_cast<std::int32_t>(5 + random() % kItems);
        ++updates;
        truth[stream] = "1=" + std::to_string(updates + 100);
        f.update(sources.at(name(stream)), updates + 100);
        if (random() % 20 == 0) {
            const auto other = static_cast<std::int32_t>(5 + random() % kItems);
            moody.pause(other, name(other), paused[other] = !paused[other]);
        }
        if (step % 200 == 199) {  // somebody comes late, and has what there is
            LateReader late(f, json, 1, "late");
            late.qos = lower;
            late.open(9, name(9));
            f.until([&] {
                late.read();
                readAll();
                return late.values.contains(9);
            });
            CHECK(late.early == 0);
        }
        f.turn();
        readAll();
    }
    for (auto& [stream, is] : paused)
        if (std::exchange(is, false)) moody.pause(stream, name(stream), false);
    f.until([&] {
        readAll();
        return quick.values == truth && rated.values == truth && moody.values == truth;
    });
    CHECK(rated.updates < updates);
    for (const LateReader* const reader : {&quick, &rated, &moody}) {
        CHECK(reader->early == 0);
        CHECK(reader->services == std::set<std::string>{json ? "DIRECT_FEED" : std::to_string(HubFixture::kId)});
    }
    if (!ofService) CHECK(quick.updates == updates);
    for (const auto& [stream, qos] : rated.images)
        CHECK(qos == lower.value_or(codec::kRealtimeTickByTick));
    CHECK((rated.images.size() == kItems || of != "request"));
    CHECK(f.hub->rooms().reactor.metrics().value("emissary_hub_conflated_updates_total").value_or(0) > 0);
    f.until([&] {
        readAll();
        return f.hub->rooms().reactor.metrics().value("emissary_hub_conflating_items").value_or(1) == 0;
    });
    CHECK(rated.values == truth);
}

TEST_CASE("a class of users gets no more updates a second than it may, and ends with what all have",
          "[hub][node][rates][json]") {
    const bool json = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC"));
    HubFixture f([&](HubSettings& s) {
        s.services[0].cache.rule = CachePolicy::Rule::all;
        s.userClasses.resize(2);
        s.userClasses[0].name = "trial";
        s.userClasses[0].users = {"trial"};
        s.userClasses[0].limit.updates = 100;
        s.userClasses[1].name = "thin";
        s.userClasses[1].users = {"thin"};
        s.userClasses[1].limit.bytes = 4000;
    });
    f.plainNumbers = true;
    f.connected();
    f.until([&] { return f.hub->dictionary() != nullptr; });
    LateReader quick(f, json, 0, "quick"), trial(f, json, 0, "trial"), thin(f, json, 0, "thin");
    for (LateReader* const reader : {&quick, &trial, &thin})
        reader->open(5, "I5");
    const auto got = f.asked();
    const std::int32_t source = got.msg.streamId;
    f.refresh(source, 1, got.name());
    std::uint64_t updates = 0;
    const auto readAll = [&] {
        for (LateReader* const reader : {&quick, &trial, &thin})
            reader->read();
    };
    f.until([&] {
        readAll();
        return quick.values.contains(5) && trial.values.contains(5) && thin.values.contains(5);
    });
    const auto began = reactor::Clock::now();
    f.until([&] {
        f.update(source, ++updates + 100);
        readAll();
        return updates > 200 && trial.updates > 20 && thin.updates > 10 && quick.updates > 150;
    });
    const std::string last = "1=" + std::to_string(updates + 100);
    f.until([&] {
        readAll();
        return quick.values[5] == last && trial.values[5] == last && thin.values[5] == last;
    });
    const double seconds = std::chrono::duration<double>(reactor::Clock::now() - began).count();
    CHECK(quick.updates == updates);
    CHECK(static_cast<double>(trial.updates) <= 100 * seconds + 11);
    // An update takes more than that, in either form: what is counted is what goes out.
    CHECK(static_cast<double>(thin.updates) * (json ? 60 : 15) <= 4000 * seconds + 700);
    CHECK(f.hub->rooms().reactor.metrics().value("emissary_hub_over_limit_total").value_or(0) >= 2);
}
