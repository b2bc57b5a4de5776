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
    /// Other settings of sources, as after a reload.
    void change() {
        {
            const std::lock_guard guard(loop->lock());
            auto fresh = upstreams->prepare(settings);
            REQUIRE(fresh.has_value());
            CHECK_FALSE(upstreams->change(settings, std::move(*fresh)));
        }
        settle();
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

TEST_CASE("hot: a post goes to the source that serves the item now, under its own service id") {
    Hot h;
    h.ready();
    Client& c = h.client();
    const auto [first, second] = h.both(c);
    h.refresh(h.b, second, 1);
    h.settle();
    const auto posted = [&](upstream::UpstreamSource& to) {
        const std::lock_guard guard(h.loop->lock());
        codec::Msg m;
        m.cls = codec::MsgClass::Post;
        m.domain = 6;
        m.flags = codec::PostFlag::postId | codec::PostFlag::complete | codec::PostFlag::msgKey;
        m.postId = 7;
        m.key = h.named("IBM");
        m.key.flags |= codec::KeyFlag::serviceId;
        m.key.serviceId = h.item()->service;
        return to.post(Client{}, h.item(), h.item()->service, m).ok();
    };
    const auto arrived = [&](RawProvider& p, std::int32_t stream, std::uint16_t service) {
        const auto find = [&] {
            return std::ranges::find_if(p.inbox, [](const auto& g) { return g.msg.cls == codec::MsgClass::Post; });
        };
        h.until([&] { return find() != p.inbox.end(); });
        CHECK(find()->msg.streamId == stream);
        CHECK(find()->msg.key.serviceId == service);
    };
    CHECK(posted(h.at(0)));
    arrived(h.a, first, 7);
    CHECK_FALSE(posted(h.at(1)));  // it stands by
    h.a.die();
    h.until([&] { return h.item()->source == &h.at(1); });
    CHECK(posted(h.at(1)));
    arrived(h.b, second, 9);
}

TEST_CASE("a source hears that it serves before the items of a lost one are asked of it") {
    Hot h;
    h.policy.sourceMode = SourceMode::ordered;
    for (SourceSettings& s : h.settings)
        s.sendModes = true;
    h.ready();
    Client& c = h.client();
    const std::vector<std::string> names = {"IBM", "TRI", "VOD"};
    for (std::size_t i = 0; i < names.size(); ++i)
        h.open(c, static_cast<std::int32_t>(5 + i), names[i], h.a, 1);
    h.b.inbox.clear();
    h.a.die();
    const auto asked = [&] {
        return std::ranges::count_if(h.b.inbox, [](const auto& g) { return g.msg.cls == codec::MsgClass::Request; });
    };
    h.until([&] { return asked() == 3; });
    CHECK(h.b.inbox.front().msg.cls == codec::MsgClass::Generic);
    CHECK(h.b.inbox.front().name() == "ConsumerStatus");
    CHECK(h.b.inbox.size() == 4);
}

TEST_CASE("hot: sources are told who serves and who stands by, and again when that changes") {
    Hot h;
    const auto told = [](RawProvider& p) {
        Events modes;
        for (const RawProvider::Got& g : p.inbox) {
            if (g.msg.cls != codec::MsgClass::Generic) continue;
            CHECK(g.msg.domain == codec::kDirectoryDomain);
            CHECK(g.name() == "ConsumerStatus");
            codec::MapDecoder map;
            codec::MapEntry entry;
            REQUIRE(map.start(g.msg.payload).ok());
            while (map.next(entry)) {
                std::uint64_t id = 0, mode = 0;
                codec::ElementListDecoder list;
                codec::ElementEntry e;
                REQUIRE(codec::decodeUInt(entry.key, id) == codec::Decoded::value);
                REQUIRE(list.start(entry.data).ok());
                REQUIRE(list.next(e));
                CHECK(eta::asText(e.name) == "SourceMirroringMode");
                REQUIRE(codec::decodeUInt(e.data, mode) == codec::Decoded::value);
                modes.push_back(std::to_string(id) + "=" + std::to_string(mode));
            }
        }
        p.inbox.clear();
        return modes;
    };
    SECTION("the first is active, and stays so as long as it is there") {
        h.b.stopListening();
        h.start();
        h.until([&] { return h.at(0).up(); });
        h.settle();
        CHECK(told(h.a) == Events{"7=0"});
        h.b.revive();
        h.clock.advance(5s);
        h.until([&] { return h.at(1).up(); });
        h.settle();
        CHECK(told(h.a) == Events{"7=1"});
        CHECK(told(h.b) == Events{"9=2"});
        h.a.die();
        h.until([&] { return !h.at(0).up(); });
        h.settle();
        CHECK(told(h.b) == Events{"9=0"});
        h.a.revive();
        h.clock.advance(5s);
        h.until([&] { return h.at(0).up(); });
        h.settle();
        CHECK(told(h.a) == Events{"7=2"});
        CHECK(told(h.b) == Events{"9=1"});
    }
    SECTION("not one that takes no such message") {
        h.b.services[0].info.consumerStatus = false;
        h.ready();
        CHECK(told(h.a).back() == "7=1");
        CHECK(told(h.b).empty());
    }
    SECTION("in other modes nobody hears anything unless the configuration asks for it") {
        h.policy.sourceMode = GENERATE(SourceMode::ordered, SourceMode::balanced);
        h.a.services[0].info.consumerStatus = true;
        h.ready();
        CHECK(told(h.a).empty());
        CHECK(told(h.b).empty());
        // It does from now on, of the one that is meant, and after a change that does not concern it no more.
        h.settings[1].sendModes = true;
        h.change();
        CHECK(told(h.a).empty());
        CHECK(told(h.b) == Events{h.policy.sourceMode == SourceMode::ordered ? "9=2" : "9=0"});
        h.change();
        CHECK(told(h.b).empty());
        h.settings[1].sendModes = false;
        h.change();
        h.a.die();
        h.until([&] { return !h.at(0).up(); });
        h.settle();
        CHECK(told(h.b).empty());
    }
    SECTION("the configuration asks, and the source says that it takes no such message") {
        h.policy.sourceMode = SourceMode::ordered;
        h.settings[0].sendModes = h.settings[1].sendModes = true;
        h.a.services[0].info.consumerStatus = false;
        h.ready();
        CHECK(told(h.a).empty());
        CHECK(told(h.b).back() == "9=2");
    }
    SECTION("ordered: who is asked for items is active alone, who stands behind is a standby") {
        h.policy.sourceMode = SourceMode::ordered;
        h.settings[0].sendModes = h.settings[1].sendModes = true;
        h.ready();
        CHECK(told(h.a) == Events{"7=0"});
        CHECK(told(h.b).back() == "9=2");
        h.a.die();
        h.until([&] { return !h.at(0).up(); });
        h.settle();
        CHECK(told(h.b) == Events{"9=0"});
        Client& c = h.client();
        (void)h.open(c, 5, "IBM", h.b, 1);
        h.b.inbox.clear();
        // It is back: new items go there, and the other one keeps what it serves.
        h.a.revive();
        h.clock.advance(5s);
        h.until([&] { return h.at(0).up(); });
        h.advance(2s);
        CHECK(told(h.a) == Events{"7=0"});
        CHECK(told(h.b).empty());
        h.leave(c, 5);
        h.advance(2s);
        CHECK(std::ranges::count(told(h.b), "9=2") == 1);
    }
    SECTION("ordered: when the first is lost, the next one hears that it is active before it is asked for items") {
        h.policy.sourceMode = SourceMode::ordered;
        h.settings[1].sendModes = true;
        h.ready();
        for (std::int32_t i = 0; i < 20; ++i)
            (void)h.open(h.client(), 5, "I" + std::to_string(i), h.a, 1);
        CHECK(told(h.b).back() == "9=2");
        h.a.die();
        (void)h.expect(h.b, "I19");
        const auto is = [](codec::MsgClass cls) {
            return [cls](const RawProvider::Got& g) {
                return g.msg.cls == cls && (cls == codec::MsgClass::Generic || g.msg.domain == 6);
            };
        };
        const auto mode = std::ranges::find_if(h.b.inbox, is(codec::MsgClass::Generic));
        const auto request = std::ranges::find_if(h.b.inbox, is(codec::MsgClass::Request));
        REQUIRE(mode != h.b.inbox.end());
        CHECK(mode < request);
        CHECK(told(h.b) == Events{"9=0"});
    }
    SECTION("balanced: all are active alone") {
        h.policy.sourceMode = SourceMode::balanced;
        h.settings[0].sendModes = h.settings[1].sendModes = true;
        h.ready();
        CHECK(told(h.a) == Events{"7=0"});
        CHECK(told(h.b) == Events{"9=0"});
    }
    SECTION("many services: one message") {
        h.a.services.clear();
        for (std::uint16_t id = 1; id <= 300; ++id)
            h.a.services.push_back(RawProvider::service(id, "S" + std::to_string(id)));
        for (auto& s : h.a.services) {
            s.info.dictionariesProvided.reset();
            s.info.consumerStatus = true;
        }
        h.policy.sourceMode = SourceMode::balanced;
        h.settings[0].sendModes = true;
        h.ready();
        const auto generics = std::ranges::count_if(
            h.a.inbox, [](const RawProvider::Got& g) { return g.msg.cls == codec::MsgClass::Generic; });
        CHECK(generics >= 1);
        CHECK(generics < 150);  // what one slice has taken over goes together
        CHECK(told(h.a).size() == 300);
    }
}

TEST_CASE("hot: a second stream that its source ends so that it may come back is asked for again") {
    Hot h;
    h.ready();
    Client& c = h.client();
    const auto [first, second] = h.both(c);
    SECTION("ClosedRecover: after a while") {
        h.b.send(RawProvider::status(second, Stream::closedRecover, suspect));
        h.settle();
        CHECK(h.upstreams->supply().counts().streams == 1);
        h.advance(4s);
        CHECK(h.upstreams->supply().counts().streams == 1);
        h.advance(2s);
        h.refresh(h.b, h.expect(h.b, "IBM").streamId, 2);
        h.settle();
        h.take();
        h.a.die();
        h.until([&] { return !h.out.empty(); });
        CHECK(h.take() == Events{"0:5 RFSH Open/Ok/10 2"});
    }
    SECTION("Closed: not before the item has another refresh") {
        h.b.send(RawProvider::status(second, Stream::closed, suspect));
        h.advance(20s);
        CHECK(h.upstreams->supply().counts().streams == 1);
    }
    SECTION("the item has gone meanwhile") {
        h.b.send(RawProvider::status(second, Stream::closedRecover, suspect));
        h.settle();
        h.leave(c, 5);
        h.advance(20s);
        CHECK(h.upstreams->supply().counts().streams == 0);
    }
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

TEST_CASE("hot: each source's sequence numbers are its own, before and after the take-over") {
    Hot h;
    h.policy.seqNumGaps = true;
    h.ready();
    Client& c = h.client();
    REQUIRE(h.join(c, 5, "IBM"));
    const std::int32_t first = h.expect(h.a, "IBM").streamId;
    h.refresh(h.a, first, 1, Stream::open, true, {}, 100);
    const std::int32_t second = h.expect(h.b, "IBM").streamId;
    h.refresh(h.b, second, 1, Stream::open, true, {}, 7);
    h.update(h.a, first, 2, 101);
    h.update(h.b, second, 2, 8);
    h.settle();
    CHECK(h.take() == Events{"0:5 RFSH Open/Ok solicited seq100 1", "0:5 UPD 2"});
    h.a.die();
    h.until([&] { return !h.out.empty(); });
    CHECK(h.take() == Events{"0:5 RFSH Open/Ok/10 seq8 2"});
    h.update(h.b, second, 3, 9);
    h.until([&] { return h.got("0:5 UPD 3"); });
    h.take();
    // One is missing: told, asked for again, and mended.
    h.update(h.b, second, 5, 11);
    h.until([&] { return h.got("0:5 STAT Open/Suspect/11"); });
    const codec::Msg again = h.expect(h.b, "IBM");
    CHECK(again.streamId == second);
    h.refresh(h.b, second, 6, Stream::open, true, {}, 12);
    h.until([&] { return h.got("0:5 RFSH Open/Ok/34 seq12 6"); });
    CHECK(h.flow->counts().gaps.get() == 1);
}

TEST_CASE("hot: a standby that has missed an update does not take over, and is asked for again") {
    Hot h;
    h.policy.seqNumGaps = true;
    h.ready();
    Client& c = h.client();
    REQUIRE(h.join(c, 5, "IBM"));
    const std::int32_t first = h.expect(h.a, "IBM").streamId;
    h.refresh(h.a, first, 1, Stream::open, true, {}, 100);
    std::int32_t second = h.expect(h.b, "IBM").streamId;
    h.refresh(h.b, second, 1, Stream::open, true, {}, 7);
    h.update(h.b, second, 3, 9);
    h.settle();
    CHECK(h.take() == Events{"0:5 RFSH Open/Ok solicited seq100 1"});
    SECTION("the active one is lost before it was") {
        h.a.die();
        h.until([&] { return h.last[{0, 5}].first == suspect; });
        h.refresh(h.b, h.expect(h.b, "IBM").streamId, 4, Stream::open, true, {}, 10);
        h.until([&] { return h.got("0:5 RFSH Open/Ok/10 seq10 4"); });
        CHECK(h.upstreams->supply().counts().takeovers == 0);
    }
    SECTION("then it takes over as ever") {
        h.clock.advance(upstream::Standbys::kAgain + 1s);
        second = h.expect(h.b, "IBM").streamId;
        h.refresh(h.b, second, 4, Stream::open, true, {}, 10);
        h.settle();
        h.a.die();
        h.until([&] { return h.got("0:5 RFSH Open/Ok/10 seq10 4"); });
        CHECK(Upstream::count(h.out, "Suspect") == 0);
        CHECK(h.upstreams->supply().counts().takeovers == 1);
    }
}

TEST_CASE("the numbers of a lost source say nothing of the next one's") {
    Upstream h;
    h.policy.cache.rule = CachePolicy::Rule::all;
    h.policy.seqNumGaps = true;
    h.ready();
    Client& c = h.client();
    REQUIRE(h.join(c, 5, "IBM"));
    const std::int32_t first = h.expect(h.a, "IBM").streamId;
    h.refresh(h.a, first, 1, Stream::open, true, {}, 100);
    h.settle();
    h.a.die();
    const std::int32_t second = h.expect(h.b, "IBM").streamId;
    h.refresh(h.b, second, 2);  // without a number
    h.until([&] { return h.got("0:5 RFSH Open/Ok/10 2"); });
    h.update(h.b, second, 3, 5000);
    h.until([&] { return h.got("0:5 UPD 3"); });
    CHECK(h.flow->counts().gaps.get() == 0);
}
