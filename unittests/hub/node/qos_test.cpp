// Which quality of service sources are asked for (hub.md 4.3).
#include "late_reader.h"
#include "reactor/metrics/Snapshot.h"
#include "reactor/rdm/Directory.h"

using namespace emissary;
using namespace emissary::test;
using namespace std::chrono_literals;

namespace {

constexpr codec::Qos kDelayed{2, 1, false, 0, 0};  // and tick by tick

struct TwoQualities : HubFixture {
    explicit TwoQualities(CachePolicy::Rule cache)
        : HubFixture([cache](HubSettings& s) {
              s.services[0].cache.rule = cache;
              s.sources[0].reconnect.minDelay = std::chrono::milliseconds(10);
              s.sources[0].reconnect.maxDelay = std::chrono::milliseconds(20);
          }) {
        provider.services[0].info.qos = {codec::kRealtimeTickByTick, kDelayed};
        connected();
    }
    [[nodiscard]] static Msg delayed(std::int32_t stream) {
        Msg m = request(stream);
        m.flags |= RequestFlag::qos;
        m.qos = kDelayed;
        return m;
    }
    /// The next request that wants an image; closes and changes of priority are passed over.
    [[nodiscard]] RawProvider::Got requested() {
        for (;;) {
            RawProvider::Got got = asked();
            if (got.msg.cls == MsgClass::Request && !got.msg.has(RequestFlag::noRefresh)) {
                REQUIRE(codec::decodeMsg(Bytes(got.bytes), got.msg).ok());
                return got;
            }
        }
    }
};

}  // namespace

TEST_CASE("a worse QoS is asked for as long as nobody wants the best", "[hub][node]") {
    const auto cache = GENERATE(CachePolicy::Rule::none, CachePolicy::Rule::all);
    INFO("cache " << (cache == CachePolicy::Rule::all));
    TwoQualities f(cache);
    RawConsumer a = f.loggedIn("a"), b = f.loggedIn("b"), c = f.loggedIn("c");
    a.send(TwoQualities::delayed(5));
    const RawProvider::Got worse = f.requested();
    REQUIRE(worse.msg.has(RequestFlag::qos));
    CHECK(worse.msg.qos == kDelayed);
    CHECK_FALSE(worse.msg.has(RequestFlag::worstQos));
    f.refresh(worse.msg.streamId, 10);
    CHECK(HubFixture::fields(a.next().msg) == "22=10 25=11");

    b.send(HubFixture::request(7));  // the best there is
    const RawProvider::Got best = f.requested();
    CHECK(best.msg.qos == codec::kRealtimeTickByTick);
    CHECK(best.msg.streamId != worse.msg.streamId);
    const auto closed = "CLOSE " + std::to_string(worse.msg.streamId);
    CHECK(std::ranges::any_of(f.wire(), [&](const std::string& l) { return l.starts_with(closed); }));
    f.refresh(best.msg.streamId, 20);
    const Received fresh = b.next();
    CHECK(fresh.msg.has(RefreshFlag::solicited));
    CHECK(HubFixture::fields(fresh.msg) == "22=20 25=21");
    const Received changed = a.next();  // no Suspect in between
    CHECK(changed.msg.cls == MsgClass::Refresh);
    CHECK_FALSE(changed.msg.has(RefreshFlag::solicited));
    checkState(changed, 5, StreamState::open, ok);
    f.update(best.msg.streamId, 30);
    for (RawConsumer* client : {&a, &b})
        CHECK(HubFixture::fields(client->next().msg) == "22=30 25=31");

    // One more that would do with less is served by what there is.
    c.send(TwoQualities::delayed(9));
    if (cache == CachePolicy::Rule::none) {
        const RawProvider::Got same = f.requested();
        CHECK(same.msg.streamId == best.msg.streamId);
        f.refresh(same.msg.streamId, 40);
    }
    CHECK(c.next().msg.cls == MsgClass::Refresh);

    // The source comes back: the best that somebody wants is asked for.
    f.provider.disconnect();
    f.provider.inbox.clear();
    CHECK(f.requested().msg.qos == codec::kRealtimeTickByTick);
}

TEST_CASE("clients hear when the stream of a better QoS is not to be had", "[hub][node]") {
    TwoQualities f(CachePolicy::Rule::none);
    RawConsumer a = f.loggedIn("a"), b = f.loggedIn("b");
    a.send(TwoQualities::delayed(5));
    f.refresh(f.requested().msg.streamId, 10);
    CHECK(a.next().msg.cls == MsgClass::Refresh);
    b.send(HubFixture::request(7));
    f.provider.send(RawProvider::status(f.requested().msg.streamId, StreamState::closedRecover, suspect));
    for (RawConsumer* client : {&a, &b})
        checkState(client->next(), client == &a ? 5 : 7, StreamState::open, suspect);
}

TEST_CASE("the best QoS is asked for when it is wanted before the first answer", "[hub][node]") {
    TwoQualities f(CachePolicy::Rule::none);
    RawConsumer a = f.loggedIn("a"), b = f.loggedIn("b");
    a.send(TwoQualities::delayed(5));
    CHECK(f.requested().msg.qos == kDelayed);
    b.send(HubFixture::request(7));
    const RawProvider::Got best = f.requested();
    CHECK(best.msg.qos == codec::kRealtimeTickByTick);
    f.refresh(best.msg.streamId, 20);
    for (RawConsumer* client : {&a, &b}) {
        const Received got = client->next();
        CHECK(got.msg.has(RefreshFlag::solicited));
        CHECK(HubFixture::fields(got.msg) == "22=20 25=21");
    }
    // A range gets the best in it.
    RawConsumer c = f.loggedIn("c");
    Msg range = HubFixture::request(9, "TRI");
    range.flags |= RequestFlag::qos | RequestFlag::worstQos;
    range.qos = codec::kRealtimeTickByTick;
    range.worstQos = kDelayed;
    c.send(range);
    CHECK(f.requested().msg.qos == codec::kRealtimeTickByTick);
}

namespace {

[[nodiscard]] codec::Qos timed(std::uint16_t ms) {
    return {1, 3, false, 0, ms};
}
constexpr codec::Qos kJit{1, 2, false, 0, 0};
[[nodiscard]] Conflation every(int ms) {
    return {Conflation::Mode::interval, std::chrono::milliseconds(ms)};
}

/// A hub with one cached item of numbers, and what its directory says.
struct Rates {
    HubFixture f;
    std::int32_t source = 0;
    std::uint64_t last = 100;

    explicit Rates(const std::function<void(HubSettings&)>& change)
        : f([&](HubSettings& s) {
              s.services[0].cache.rule = CachePolicy::Rule::all;
              change(s);
          }) {
        f.plainNumbers = true;
        f.connected();
        f.until([this] { return f.hub->dictionary() != nullptr; });
    }
    /// The source has been asked for the item, and has sent its image.
    void begin() {
        source = f.asked().msg.streamId;
        Msg m = RawProvider::refresh(source);
        m.flags |= RefreshFlag::clearCache | RefreshFlag::qos;
        m.qos = codec::kRealtimeTickByTick;
        f.fill(m, last);
        f.provider.send(m);
    }
    void update() { f.update(source, ++last); }
    [[nodiscard]] std::vector<codec::Qos> announced() {
        RawConsumer c = f.loggedIn("reader");
        c.send(RawConsumer::directoryRequest(3));
        const Received got = c.next();
        rdm::Directory d;
        REQUIRE(d.apply(got.msg.payload, true).ok());
        const rdm::Service* const service = d.find("DIRECT_FEED");
        REQUIRE(service != nullptr);
        CHECK(service->info.supportsQosRange() == (service->info.qos.size() > 1));
        return service->info.qos;
    }
    [[nodiscard]] bool has(LateReader& r, std::int32_t stream = 5) {
        r.read();
        return r.values[stream] == "1=" + std::to_string(last);
    }
};

}  // namespace

TEST_CASE("a request gets the lower rate that it asks for, and its image says so", "[hub][node][rates][json]") {
    const bool json = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC"));
    Rates t([](HubSettings& s) {
        s.services[0].offeredRates = {{}, every(40)};  // jit
        s.userClasses = {{"slow", {"slow"}, {}, every(80), {}, {}}};
    });
    CHECK(t.announced() == std::vector<codec::Qos>{codec::kRealtimeTickByTick, kJit, timed(40)});
    LateReader one(t.f, json, 0, "one"), slow(t.f, json, 0, "slow");
    one.open(5);  // no QoS: the best
    t.begin();
    one.qos = timed(40);
    one.open(6);
    one.qos = kJit;
    one.open(7);
    one.qos = codec::kRealtimeTickByTick;
    one.open(8);
    slow.qos = timed(40);
    slow.open(5);
    slow.qos = std::nullopt;
    slow.open(6);
    t.f.until([&] {
        return t.has(one, 5) && t.has(one, 6) && t.has(one, 7) && t.has(one, 8) && t.has(slow, 5) && t.has(slow, 6);
    });
    CHECK(one.images[5] == codec::kRealtimeTickByTick);
    CHECK(one.images[6] == timed(40));
    CHECK(one.images[7] == kJit);
    CHECK(one.images[8] == codec::kRealtimeTickByTick);
    CHECK(slow.images[5] == timed(80));                   // the strictest holds, and is said
    CHECK(slow.images[6] == codec::kRealtimeTickByTick);  // which it did not ask for
    CHECK(t.f.wire().size() == 1);                        // all of them are the source's best
    const auto began = reactor::Clock::now();
    std::uint64_t updates = 0;
    t.f.until([&] {
        t.update();
        ++updates;
        one.read();
        slow.read();
        return reactor::Clock::now() - began > 400ms;
    });
    t.f.until([&] {
        return t.has(one, 5) && t.has(one, 6) && t.has(one, 7) && t.has(one, 8) && t.has(slow, 5) && t.has(slow, 6);
    });
    const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(reactor::Clock::now() - began).count();
    const auto most = static_cast<std::uint64_t>(took / 40 + 2);
    CHECK(one.updates <= 3 * updates + most);
    CHECK(one.updates >= 3 * updates);
    CHECK(slow.updates <= 2 * static_cast<std::uint64_t>(took / 80 + 2));
    SECTION("what is not offered is refused, a range gets the best in it") {
        LateReader other(t.f, json, 0, "other");
        other.qos = timed(41);
        other.open(5);
        t.f.until([&] {
            other.read();
            return !other.itemStates.empty();
        });
        CHECK(other.itemStates[5].find("ClosedRecover/Suspect") == 0);
        RawConsumer c = t.f.loggedIn("range");
        const auto range = [&](std::int32_t stream, const codec::Qos& best, const codec::Qos& worst) {
            Msg m = HubFixture::request(stream);
            m.flags |= RequestFlag::qos | RequestFlag::worstQos;
            m.qos = best;
            m.worstQos = worst;
            c.send(m);
            return c.next();
        };
        CHECK(range(5, codec::kRealtimeTickByTick, timed(1000)).msg.qos == codec::kRealtimeTickByTick);
        CHECK(range(6, kJit, timed(1000)).msg.qos == kJit);
        CHECK(range(7, timed(20), timed(1000)).msg.qos == timed(40));
        CHECK(range(8, timed(41), timed(1000)).msg.state.stream == StreamState::closedRecover);
    }
}

TEST_CASE("a service that is conflated as a whole says so where it is to", "[hub][node][rates][json]") {
    const bool json = GENERATE(false, true), says = GENERATE(true, false);
    INFO((json ? "JSON" : "RIPC"));
    Rates t([&](HubSettings& s) {
        s.services[0].conflation = every(30);
        s.services[0].announceRate = says;
        s.services[0].offeredRates = {every(20), every(50)};
    });
    const codec::Qos best = says ? timed(30) : codec::kRealtimeTickByTick;
    using List = std::vector<codec::Qos>;
    CHECK(t.announced() == (says ? List{timed(30), timed(50)} : List{best, timed(20), timed(50)}));
    LateReader one(t.f, json, 0, "one");
    one.open(5);
    t.begin();
    one.qos = codec::kRealtimeTickByTick;  // the source's: taken, though it is not what comes
    one.open(6);
    one.qos = timed(50);
    one.open(7);
    t.f.until([&] { return t.has(one, 5) && t.has(one, 6) && t.has(one, 7); });
    CHECK(one.images[5] == best);
    CHECK(one.images[6] == best);
    CHECK(one.images[7] == timed(50));
    if (!says) return;
    // Another rule of the service is another QoS, for whoever has the directory and for the next image.
    RawConsumer c = t.f.loggedIn("watcher");
    c.send(RawConsumer::directoryRequest(3));
    (void)c.next();
    HubSettings next = t.f.hub->settings();
    next.services[0].conflation = every(60);
    REQUIRE_FALSE(t.f.hub->change(next));
    CHECK(c.next().msg.cls == MsgClass::Update);
    CHECK(t.announced() == List{timed(60)});
    one.qos = std::nullopt;
    one.open(8);
    t.f.until([&] { return t.has(one, 8); });
    CHECK(one.images[8] == timed(60));
}

TEST_CASE("an announced rate is also that of a user class or a port alone", "[hub][node][rates][json]") {
    const bool json = GENERATE(false, true), says = GENERATE(true, false);
    const std::uint32_t threads = GENERATE(1u, 3u);
    INFO((json ? "JSON" : "RIPC") << ", AnnounceRate " << says << ", Threads " << threads);
    Rates t([&](HubSettings& s) {
        s.threads = threads;
        s.services[0].announceRate = says;
        s.userClasses = {{"slow", {"slow"}, {}, every(80), {}, {}}};
        s.listeners.push_back(s.listeners[0]);
        s.listeners.back().name = "rated";
        s.listeners.back().conflation = every(50);
    });
    CHECK(t.announced() == std::vector<codec::Qos>{codec::kRealtimeTickByTick});
    LateReader slow(t.f, json, 0, "slow"), ofPort(t.f, json, 1, "one"), one(t.f, json, 0, "one");
    for (LateReader* const reader : {&slow, &ofPort, &one})
        reader->open(5);
    t.begin();
    t.f.until([&] { return t.has(slow) && t.has(ofPort) && t.has(one); });
    CHECK(slow.images[5] == (says ? timed(80) : codec::kRealtimeTickByTick));
    CHECK(ofPort.images[5] == (says ? timed(50) : codec::kRealtimeTickByTick));
    CHECK(one.images[5] == codec::kRealtimeTickByTick);
}

TEST_CASE("a private stream is asked for with a QoS of the source's, whatever rate its request names",
          "[hub][node][rates][json]") {
    const bool json = GENERATE(false, true), announces = GENERATE(false, true);
    const std::uint32_t threads = GENERATE(1u, 3u);
    INFO((json ? "JSON" : "RIPC") << ", AnnounceRate " << announces << ", Threads " << threads);
    HubFixture f([&](HubSettings& s) {
        s.threads = threads;
        if (!announces) s.services[0].offeredRates = {{}, every(40)};
        else {
            s.services[0].announceRate = true;
            s.services[0].conflation = every(40);
        }
    });
    f.plainNumbers = true;
    f.provider.services[0].info.qos = {codec::kRealtimeTickByTick, kDelayed};
    f.connected();
    f.until([&] { return f.hub->dictionary() != nullptr; });
    LateReader one(f, json, 0, "one");
    std::int32_t stream = 4;
    const auto served = [&](const codec::Qos& wanted, const codec::Qos& own) {
        one.qos = wanted;
        ++stream;
        one.open(stream, "P" + std::to_string(stream), true);
        const RawProvider::Got got = f.asked();
        CHECK(got.msg.has(RequestFlag::privateStream));
        REQUIRE(got.msg.has(RequestFlag::qos));
        CHECK(got.msg.qos == own);
        CHECK_FALSE(got.msg.has(RequestFlag::worstQos));
        Msg m = RawProvider::refresh(got.msg.streamId);
        m.flags |= RefreshFlag::privateStream | RefreshFlag::qos;
        m.qos = own;
        f.fill(m, 10);
        f.provider.send(m);
        f.until([&] {
            one.read();
            return one.values.contains(stream);
        });
        CHECK(one.images[stream] == own);
    };
    served(timed(40), codec::kRealtimeTickByTick);
    served({2, 3, false, 0, 40}, kDelayed);
    served(kDelayed, kDelayed);
    served(codec::kRealtimeTickByTick, codec::kRealtimeTickByTick);
    if (!announces) served(kJit, codec::kRealtimeTickByTick);
    one.qos = timed(41);
    one.open(30, "no", true);
    f.until([&] {
        one.read();
        return one.itemStates.contains(30);
    });
    CHECK(one.itemStates[30].find("ClosedRecover/Suspect") == 0);
}

TEST_CASE("rates are offered of each QoS of the sources, and the source is asked for its own", "[hub][node][rates]") {
    HubFixture f([](HubSettings& s) {
        s.services[0].cache.rule = CachePolicy::Rule::none;
        s.services[0].offeredRates = {every(20)};
    });
    f.provider.services[0].info.qos = {codec::kRealtimeTickByTick, kDelayed};
    f.connected();
    RawConsumer c = f.loggedIn("c");
    Msg m = HubFixture::request(5);
    m.flags |= RequestFlag::qos;
    m.qos = {2, 3, false, 0, 20};
    c.send(m);
    const RawProvider::Got asked = f.asked();
    CHECK(asked.msg.qos == kDelayed);
    Msg image = RawProvider::refresh(asked.msg.streamId);
    image.flags |= RefreshFlag::qos;
    image.qos = kDelayed;
    f.fill(image, 10);
    f.provider.send(image);
    CHECK(c.next().msg.qos == m.qos);
    m.qos.timeliness = 1;
    m.streamId = 6;
    c.send(m);
    f.until([&] { return !f.provider.inbox.empty(); });
    RawProvider::Got better = f.asked();
    while (better.msg.cls != MsgClass::Request || better.msg.has(RequestFlag::noRefresh))
        better = f.asked();
    CHECK(better.msg.qos == codec::kRealtimeTickByTick);
}
