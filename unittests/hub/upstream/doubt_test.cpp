// Items whose source is there and has nothing good to say of them: whoever else serves the service is asked
// (hub.md 4.2).
#include "upstream_fixture.h"

using namespace emissary;
using namespace emissary::test;
using namespace std::chrono_literals;
using Events = std::vector<std::string>;

namespace {

struct Doubtful : Upstream {
    void suspectImage(RawProvider& p, std::int32_t id) {
        codec::Msg m = RawProvider::refresh(id);
        m.state.data = suspect;
        m.groupId = kOne;
        p.send(m);
    }
    void back(RawProvider& p) {
        p.inbox.clear();
        p.revive();
        until([&] {
            clock.advance(100ms);
            return p.connected();
        });
        settle();
    }
};

/// A third source stands behind A and B.
struct Three : Doubtful {
    RawProvider c;
    Three() {
        c.services = {RawProvider::service(11, "FEED")};
        c.services.front().info.dictionariesProvided.reset();
        add("C", c);
        third = &c;
    }
};

}  // namespace

TEST_CASE("an item that is suspect where it is goes to a source that comes back") {
    Doubtful h;
    h.policy.sourceMode = GENERATE(SourceMode::ordered, SourceMode::balanced, SourceMode::hot);
    h.policy.cache.rule = GENERATE(CachePolicy::Rule::all, CachePolicy::Rule::none);
    CAPTURE(h.policy.sourceMode, h.policy.cache.rule);
    h.ready();
    Client& c = h.client();
    h.open(c, 5, "IBM", h.a, 1, kOne);
    h.b.inbox.clear();
    h.a.die();
    if (h.policy.sourceMode == SourceMode::hot) {  // its second stream had no answer
        h.until([&] { return h.item()->source != &h.at(0); });
        h.settle();
    }
    const std::int32_t id = h.expect(h.b, "IBM").streamId;
    h.refresh(h.b, id, 2, Stream::open, true, kOne);
    h.until([&] { return h.item()->isOk() && h.item()->source == &h.at(1); });
    SECTION("its group is suspect") {
        h.b.sendGroupStatus(9, kOne, kSuspect);
    }
    SECTION("the item alone is") {
        h.b.send(RawProvider::status(id, Stream::open, suspect));
    }
    h.until([&] { return !h.item()->isOk(); });
    h.settle();
    h.out.clear();
    h.back(h.a);
    h.refresh(h.a, h.expect(h.a, "IBM").streamId, 7, Stream::open, true, kOne);
    h.until([&] { return h.item()->isOk(); });
    h.settle();
    CHECK(h.item()->source == &h.at(0));
    CHECK(Upstream::count(h.out, "RFSH Open/Ok") == 1);
    CHECK(h.last.begin()->second.second == 7);
}

TEST_CASE("a request that its source answers with Suspect and no image is another one's") {
    Doubtful h;
    h.policy.sourceMode = GENERATE(SourceMode::ordered, SourceMode::hot);
    const bool later = GENERATE(false, true);
    h.ready();
    if (later) {
        h.b.die();
        h.until([&] { return !h.at(1).up(); });
    }
    Client& c = h.client();
    REQUIRE(h.join(c, 5));
    const std::int32_t id = h.expect(h.a, "IBM").streamId;
    h.a.send(RawProvider::status(id, Stream::open, suspect));
    h.settle();
    if (later) h.back(h.b);
    h.refresh(h.b, h.expect(h.b, "IBM").streamId, 7);
    h.until([&] { return h.got("0:5 RFSH Open/Ok solicited 7"); });
    h.until([&] { return h.count(h.a.wire, "CLOSE") >= 1; });
    CHECK(h.item()->source == &h.at(1));
}

TEST_CASE("a request stays where it is when nobody else is there, and takes the image that comes") {
    Doubtful h;
    h.ready();
    Client& c = h.client();
    REQUIRE(h.join(c, 5));
    const std::int32_t id = h.expect(h.a, "IBM").streamId;
    h.a.send(RawProvider::status(id, Stream::open, suspect));
    const std::int32_t other = h.expect(h.b, "IBM").streamId;
    h.b.send(RawProvider::status(other, Stream::open, suspect));
    h.settle();
    CHECK(h.count(h.a.wire, "IBM") == 1);
    CHECK(h.count(h.b.wire, "IBM") == 1);
    h.refresh(h.b, other, 7);
    h.until([&] { return h.got("0:5 RFSH Open/Ok solicited 7"); });
    CHECK(h.upstreams->supply().counts().outstanding == 0);
}

TEST_CASE("hot without a cache: an item that is suspect goes over to the source that stands by") {
    Doubtful h;
    h.policy.sourceMode = SourceMode::hot;
    h.policy.cache.rule = CachePolicy::Rule::none;
    h.ready();
    Client& c = h.client();
    const std::int32_t id = h.open(c, 5, "IBM", h.a, 1, kOne);
    h.refresh(h.b, h.expect(h.b, "IBM").streamId, 2, Stream::open, true, kOne);
    h.settle();
    SECTION("its group is suspect") {
        h.a.sendGroupStatus(7, kOne, kSuspect);
    }
    SECTION("the item alone is") {
        h.a.send(RawProvider::status(id, Stream::open, suspect));
    }
    h.refresh(h.b, h.expect(h.b, "IBM").streamId, 8, Stream::open, true, kOne);
    h.until([&] { return h.got("0:5 RFSH Open/Ok 8"); });
    CHECK(h.item()->source == &h.at(1));
}

TEST_CASE("three sources: one that is suspect does not stand by while another could") {
    Three h;
    h.policy.sourceMode = SourceMode::hot;
    h.policy.cache.rule = CachePolicy::Rule::all;
    h.ready();
    Client& c = h.client();
    h.open(c, 5, "IBM", h.a, 1, kOne);
    const std::int32_t second = h.expect(h.b, "IBM").streamId;
    SECTION("from the beginning") {
        h.suspectImage(h.b, second);
    }
    SECTION("without an image") {
        h.b.send(RawProvider::status(second, Stream::open, suspect));
    }
    SECTION("by its group, later") {
        h.refresh(h.b, second, 2, Stream::open, true, kOne);
        h.settle();
        h.b.sendGroupStatus(9, kOne, kSuspect);
    }
    h.refresh(h.c, h.expect(h.c, "IBM").streamId, 3, Stream::open, true, kOne);
    h.settle();
    h.take();
    h.a.die();
    h.until([&] { return !h.out.empty(); });
    CHECK(h.take() == Events{"0:5 RFSH Open/Ok/10 3"});
    CHECK(h.item()->source == &h.at(2));
}

TEST_CASE("three sources: an item that two call suspect goes to the third") {
    Three h;
    h.policy.sourceMode = GENERATE(SourceMode::ordered, SourceMode::balanced);
    h.policy.cache.rule = GENERATE(CachePolicy::Rule::all, CachePolicy::Rule::none);
    h.ready();
    Client& c = h.client();
    const std::int32_t id = h.open(c, 5, "IBM", h.a, 1, kOne);
    h.a.send(RawProvider::status(id, Stream::open, suspect));
    h.suspectImage(h.b, h.expect(h.b, "IBM").streamId);
    h.refresh(h.c, h.expect(h.c, "IBM").streamId, 3, Stream::open, true, kOne);
    h.until([&] { return h.got("0:5 RFSH Open/Ok 3"); });
    CHECK(h.item()->source == &h.at(2));
    h.settle();
    CHECK(h.upstreams->supply().counts().streams == 1);
}

TEST_CASE("three sources that are all suspect are asked in turn, with pauses") {
    Three h;
    h.policy.cache.rule = CachePolicy::Rule::all;
    h.ready();
    Client& c = h.client();
    const std::int32_t id = h.open(c, 5, "IBM", h.a, 1, kOne);
    h.a.send(RawProvider::status(id, Stream::open, suspect));
    h.suspectImage(h.b, h.expect(h.b, "IBM").streamId);
    h.suspectImage(h.c, h.expect(h.c, "IBM").streamId);
    h.settle();
    CHECK(h.upstreams->supply().counts().requests == 3);
    for (int round = 0; round < 2; ++round) {
        h.advance(15s);
        RawProvider& next = round % 2 == 0 ? h.b : h.c;
        h.suspectImage(next, h.expect(next, "IBM").streamId);
        h.settle();
        CHECK(h.upstreams->supply().counts().requests == static_cast<std::uint64_t>(4 + round));
    }
    CHECK(h.item()->source == &h.at(0));
    h.advance(15s);
    h.refresh(h.b, h.expect(h.b, "IBM").streamId, 9, Stream::open, true, kOne);
    h.until([&] { return h.got("0:5 RFSH Open/Ok 9"); });
}
