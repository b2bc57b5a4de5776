// A consumer that asks for more than it reads (hub.md 8.3).
#include "fixture.h"

#include "reactor/metrics/Snapshot.h"

using namespace emissary;
using namespace emissary::test;

TEST_CASE("who asks for more images than it has read waits for them, and is not cut off", "[hub][node]") {
    constexpr std::size_t kBytes = 20'000;
    constexpr std::int32_t kFirst = 5, kLast = 2004;  // 40 MB: more than all buffers on the way and DisconnectAbove
    HubFixture f([](HubSettings& s) {
        s.services[0].cache.rule = CachePolicy::Rule::all;
        s.conflateAbove = 256u << 10;
        // Where other threads serve the consumers, requests that are on their way to the first one are answered all the
        // same: it may have taken all of them before an answer is back.
        s.disconnectAbove = s.threads > 1 ? 64u << 20 : 2u << 20;
    });
    f.connected();
    const auto counted = [&](const char* name) { return f.hub->rooms().reactor.metrics().value(name).value_or(0); };

    RawConsumer first = f.loggedIn("first");
    first.send(HubFixture::request(5));
    const std::vector<std::byte> text(kBytes, std::byte{'x'});
    Msg image = RawProvider::refresh(f.asked().msg.streamId, StreamState::open, true);
    image.flags |= RefreshFlag::clearCache;
    image.containerType = codec::DataType::Opaque;
    image.payload = text;
    f.provider.send(image);
    CHECK(first.next().msg.payload.size() == kBytes);

    RawConsumer greedy = f.loggedIn("greedy");
    for (std::int32_t stream = kFirst; stream <= kLast; ++stream)
        greedy.send(HubFixture::request(stream));
    f.until([&] { return counted("emissary_hub_unread_total") != 0; });
    first.send(HubFixture::request(6));  // others are served meanwhile
    CHECK(first.next().msg.payload.size() == kBytes);
    for (std::int32_t stream = kFirst; stream <= kLast; ++stream) {
        const Received got = greedy.next();
        REQUIRE(got.msg.streamId == stream);
        REQUIRE(got.msg.cls == MsgClass::Refresh);
        REQUIRE(std::equal(got.msg.payload.begin(), got.msg.payload.end(), text.begin(), text.end()));
    }
    CHECK(HubFixture::silent(greedy));
    CHECK(counted("emissary_hub_slow_disconnects_total") == 0);
    f.until([&] { return counted("emissary_hub_slow_clients") == 0; });
}
