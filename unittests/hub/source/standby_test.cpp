// Hot mode and the way back to a better source (hub.md 4.2).
#include "upstream_fixture.h"

using namespace emissary;
using namespace emissary::test;
using namespace std::chrono_literals;
using Events = std::vector<std::string>;

namespace {

struct Hot : Upstream {
    Hot() {
        policy.sourceMode = SourceMode::hot;
        policy.cache.rule = CachePolicy::Rule::all;
    }
    /// Open at A, with a second stream at B.
    std::pair<std::int32_t, std::int32_t> both(Client& c, std::string_view name = "IBM") {
        const std::int32_t first = open(c, 5, name, a, 1);
        const std::int32_t second = expect(b, name).streamId;
        return {first, second};
    }
};

}  // namespace

TEST_CASE("hot: data of the standby are kept and not passed on; when the active one goes, nobody sees a Suspect") {
    Hot h;
    h.ready();
    Client& c = h.client();
    const auto [first, second] = h.both(c);
    h.refresh(h.b, second, 1);
    h.update(h.b, second, 2);
    h.settle();
    CHECK(h.take() == Events{"0:5 RFSH Open/Ok solicited 1"});
    h.told.clear();
    h.a.die();
    h.until([&] { return !h.out.empty(); });
    CHECK(h.take() == Events{"0:5 RFSH Open/Ok/10 2"});
    CHECK(Upstream::count(h.told, "group") == 0);
    CHECK(h.item()->source == &h.at(1));
    h.update(h.b, second, 3);
    h.until([&] { return h.got("0:5 UPD 3"); });
    REQUIRE(h.join(h.client(), 9));
    CHECK(h.got("1:9 RFSH Open/Ok/10 solicited 3"));
    CHECK(h.upstreams->supply().counts().takeovers == 1);
    // The first one comes back, and stands by.
    h.a.revive();
    h.clock.advance(2s);
    const std::int32_t again = h.expect(h.a, "IBM").streamId;
    h.refresh(h.a, again, 4);
    h.settle();
    h.take();
    h.b.die();
    h.until([&] { return h.out.size() == 2; });
    CHECK(h.count(h.out, "RFSH Open/Ok/10 4") == 2);
    CHECK(h.upstreams->supply().counts().streams == 1);
}

TEST_CASE("hot: a standby without an image, or suspect, does not take over: the loss is told") {
    Hot h;
    h.ready();
    Client& c = h.client();
    const auto [first, second] = h.both(c);
    SECTION("no refresh yet") {}
    SECTION("suspect") {
        h.refresh(h.b, second, 2);
        h.b.send(RawProvider::status(second, Stream::open, suspect));
    }
    SECTION("closed") {
        h.b.send(RawProvider::status(second, Stream::closed, suspect));
    }
    h.settle();
    h.take();
    h.a.die();
    const codec::Msg request = h.expect(h.b, "IBM");
    CHECK(h.take() == Events{"0:5 STAT Open/Suspect/9"});
    h.refresh(h.b, request.streamId, 3);
    h.until([&] { return h.got("0:5 RFSH Open/Ok/10 3"); });
    CHECK(h.upstreams->supply().counts().streams == 1);
}

TEST_CASE("hot: the active source's ClosedRecover of one item is covered by the standby") {
    Hot h;
    h.ready();
    Client& c = h.client();
    const auto [first, second] = h.both(c);
    h.refresh(h.b, second, 7);
    h.settle();
    h.take();
    h.a.send(RawProvider::status(first, Stream::closedRecover, suspect));
    h.until([&] { return !h.out.empty(); });
    CHECK(h.take() == Events{"0:5 RFSH Open/Ok/10 7"});
}

TEST_CASE("hot: both streams are closed when the last mount leaves, and one when its source is lost") {
    Hot h;
    h.ready();
    Client& c = h.client();
    const auto [first, second] = h.both(c);
    h.refresh(h.b, second, 7);
    h.settle();
    CHECK(h.upstreams->supply().counts().streams == 2);
    SECTION("left") {
        h.leave(c, 5);
        h.until([&] { return h.count(h.a.wire, "CLOSE") == 1 && h.count(h.b.wire, "CLOSE") == 1; });
        CHECK(h.items.size() == 0);
        CHECK(h.upstreams->supply().counts().streams == 0);
    }
    SECTION("the standby's source is lost") {
        h.take();
        h.b.die();
        h.until([&] { return !h.at(1).up(); });
        h.settle();
        CHECK(h.out.empty());
        CHECK(h.upstreams->supply().counts().streams == 1);
        h.update(h.a, first, 8);
        h.until([&] { return h.got("0:5 UPD 8"); });
    }
}

TEST_CASE("FailBack: items return to the better source with its refresh, and nobody sees a Suspect") {
    Upstream h;
    h.policy.failBack = true;
    h.ready();
    Client& c = h.client();
    h.open(c, 5, "IBM", h.a, 1);
    h.a.die();
    const std::int32_t second = h.expect(h.b, "IBM").streamId;
    h.refresh(h.b, second, 2);
    h.until([&] { return h.got("0:5 RFSH Open/Ok/10 2"); });
    h.take();
    h.a.revive();
    h.clock.advance(2s);
    const std::int32_t back = h.expect(h.a, "IBM").streamId;
    h.update(h.b, second, 3);
    h.until([&] { return h.got("0:5 UPD 3"); });  // until then the other one's data count
    h.take();
    SECTION("answered") {
        h.refresh(h.a, back, 4);
        h.until([&] { return !h.out.empty(); });
        h.settle();
        CHECK(h.take() == Events{"0:5 RFSH Open/Ok 4"});
        CHECK(h.count(h.b.wire, "CLOSE " + std::to_string(second)) == 1);
        h.update(h.a, back, 5);
        h.until([&] { return h.got("0:5 UPD 5"); });
        CHECK(h.upstreams->supply().counts().streams == 1);
    }
    SECTION("refused") {
        h.a.send(RawProvider::status(back, Stream::closedRecover, suspect));
        h.settle();
        CHECK(h.out.empty());
        h.update(h.b, second, 6);
        h.until([&] { return h.got("0:5 UPD 6"); });
        CHECK(h.upstreams->supply().counts().streams == 1);
    }
}
