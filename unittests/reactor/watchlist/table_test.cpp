// Streams that take random steps: lists, index, wire ids and open windows say the same as the phases, whatever happens.
#include "support/StillClock.h"
#include "support/catch.hpp"
#include "watchlist/Posts.h"
#include "watchlist/StreamTable.h"
#include "watchlist/Views.h"

#include <map>
#include <random>
#include <set>

using namespace emissary;
using namespace emissary::reactor;
using namespace emissary::reactor::consumer;

namespace {

struct Nobody final : ConsumerSink, WatchlistOwner {
    void onMessage(const eta::codec::Msg&, const Recipient&, std::string_view) override {}
    void onConnection(ConnectionEvent, const std::string&) override {}
    void onWarning(const std::string&) override {}
    void onInternalMessage(const eta::codec::Msg&, Handle) override {}
    void onPostNak(const eta::codec::Msg&) override {}
    void onRequestSent(const eta::codec::Msg&) override {}
    void onStreamEnded(std::int32_t wireId, std::uint8_t, std::uint32_t) override { ended.push_back(wireId); }
    Sender* senderOf(std::uint32_t) override { return nullptr; }
    std::vector<std::int32_t> ended;
};

struct Tables {
    test::StillClock clock;
    Reactor loop{[this] {
        ReactorOptions o;
        o.name = "test";
        o.clock = &clock;
        return o;
    }()};
    Nobody nobody;
    Sender sender{loop};
    RequestTable requests{loop, nobody};
    WatchlistOptions options;
    Context context{loop, sender, requests, nobody, nobody, options};
    Services services;
    Posts posts{context, services, {}};
    Views views{context};
    StreamTable streams{context, posts, views};
    ServiceEntry service;
    std::map<std::string, Stream*> byName;

    Stream& make(const std::string& name, bool isPrivate) {
        Stream& s = streams.make();
        s.service = &service;
        s.domain = 6;
        s.hasName = true;
        s.hasNameType = false;
        s.nameType = 1;
        s.isPrivate = isPrivate;
        s.name.assign(eta::asBytes(name));
        byName[name] = &s;
        return s;
    }
    static std::set<const Stream*> on(const StreamList& list) {
        std::set<const Stream*> found;
        const Stream* last = nullptr;
        for (const Stream* s = list.first; s != nullptr; s = s->next) {
            REQUIRE(s->prev == last);
            last = s;
            REQUIRE(found.insert(s).second);
        }
        REQUIRE(list.last == last);
        REQUIRE(list.size == found.size());
        return found;
    }
    void check() {
        const auto live = on(service.live), parked = on(service.parked), queued = on(service.queued),
                   again = on(streams.again());
        std::size_t wanting = 0;
        std::set<std::int32_t> ids;
        for (const auto& [name, s] : byName) {
            INFO(name << " " << consumer::name(s->life.phase()));
            const StreamPhase p = s->life.phase();
            REQUIRE(live.count(s) == (s->life.onWire() ? 1 : 0));
            REQUIRE(parked.count(s) == (p == StreamPhase::waiting || p == StreamPhase::pausing ? 1 : 0));
            REQUIRE(queued.count(s) == (p == StreamPhase::queued ? 1 : 0));
            REQUIRE(again.count(s) == (p == StreamPhase::again ? 1 : 0));
            REQUIRE((s->wireId != 0) == s->life.onWire());
            if (s->wireId != 0) REQUIRE((streams.find(s->wireId) == s && ids.insert(s->wireId).second));
            Stream* const found = streams.find(StreamKey::of(*s));
            REQUIRE(found == (s->life.sharable() && !s->isPrivate ? s : nullptr));
            if (!s->life.wantsImage()) REQUIRE(s->timerMark == 0);
            if (!s->life.onWire()) REQUIRE((!s->said.streaming && !s->said.changed && s->group == 0));
            wanting += s->life.wantsImage() ? 1 : 0;
        }
        REQUIRE(service.outstanding == wanting);
        REQUIRE(streams.size() == byName.size());
    }
};

}  // namespace

TEST_CASE("Tables of streams follow from their phases", "[reactor][watchlist][model]") {
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
        INFO("seed " << seed);
        std::mt19937 random(seed);
        Tables t;
        t.context.tellRequests = true;
        int made = 0;
        std::size_t left = 0;
        for (int n = 0; n < 1500; ++n) {
            if (t.byName.size() < 6) {
                const std::string name = "I" + std::to_string(++made);
                t.make(name, made % 5 == 0);
            }
            const auto at = std::next(t.byName.begin(), static_cast<std::ptrdiff_t>(random() % t.byName.size()));
            Stream& s = *at->second;
            const auto e = static_cast<StreamEvent>(random() % kStreamEvents);
            const auto to = stepFrom(s.life.phase(), e);
            if (!to) continue;
            const bool wasOnWire = s.life.onWire();
            t.streams.step(s, e);
            REQUIRE(s.life.phase() == *to);
            if (s.life.onWire()) {
                s.said.streaming = s.said.changed = true;
                s.life.setSuspect(random() % 2 == 0);
            }
            if (s.life.wantsImage()) s.timerMark = 7;
            if (wasOnWire && !s.life.onWire()) ++left;
            REQUIRE(t.nobody.ended.size() == left);
            if (s.life.is(StreamPhase::ended)) {
                t.byName.erase(at);
                REQUIRE_FALSE(t.streams.unpin(s));
            } else {
                REQUIRE(t.streams.unpin(s));
            }
            t.check();
        }
        CHECK(made > 50);
    }
}

TEST_CASE("A stream in delivery keeps its memory until that is over", "[reactor][watchlist]") {
    Tables t;
    Stream& s = t.make("IBM", false);
    t.streams.step(s, StreamEvent::asked);
    s.busy = true;
    t.streams.step(s, StreamEvent::abandoned);
    CHECK(t.streams.size() == 1);
    CHECK(eta::asText(s.name.view()) == "IBM");
    CHECK_FALSE(t.streams.unpin(s));
    CHECK(t.streams.size() == 0);
    CHECK(t.streams.unpin(s));  // nothing happens twice
}

TEST_CASE("A wire stream id rests before it is used again", "[reactor][watchlist]") {
    Tables t;
    std::set<std::int32_t> seen;
    for (int i = 0; i < 1000; ++i) {
        Stream& s = t.make("IBM", false);
        t.streams.step(s, StreamEvent::asked);
        CHECK(seen.insert(s.wireId).second);
        t.streams.step(s, StreamEvent::abandoned);
        t.streams.unpin(s);
    }
}

TEST_CASE("Many streams are found by wire id and by key, and their end gives the memory back", "[reactor][watchlist]") {
    constexpr int count = 50'000;  // more than the tables begin with
    Tables t;
    for (int round = 0; round < 2; ++round) {
        std::vector<Stream*> all;
        for (int i = 0; i < count; ++i) {
            Stream& s = t.make("A name of " + std::to_string(i), false);
            t.streams.step(s, StreamEvent::asked);
            all.push_back(&s);
        }
        for (Stream* s : all) {
            REQUIRE(t.streams.find(s->wireId) == s);
            REQUIRE(t.streams.find(StreamKey::of(*s)) == s);
        }
        CHECK(t.streams.find(INT32_MAX) == nullptr);
        CHECK(t.streams.find(-1) == nullptr);
        const std::size_t most = t.streams.places();
        CHECK(most >= 2 * count);
        std::vector<std::int32_t> ids;
        for (Stream* s : all) {
            ids.push_back(s->wireId);
            t.streams.step(*s, StreamEvent::abandoned);
            REQUIRE_FALSE(t.streams.unpin(*s));
        }
        t.byName.clear();
        CHECK(t.streams.size() == 0);
        t.streams.trim();
        t.streams.trim();
        CHECK(t.streams.places() < most / 10);
        for (const std::int32_t id : ids)
            REQUIRE(t.streams.find(id) == nullptr);
    }
}
