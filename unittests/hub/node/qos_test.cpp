// Which quality of service sources are asked for (hub.md 4.3).
#include "fixture.h"

using namespace emissary;
using namespace emissary::test;

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
