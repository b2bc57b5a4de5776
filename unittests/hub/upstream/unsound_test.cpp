// Upstreams that send what makes no sense, or more than is good (hub.md 4.2).
#include "upstream_fixture.h"

using namespace emissary;
using namespace emissary::test;
using namespace std::chrono_literals;
using Events = std::vector<std::string>;

TEST_CASE("an upstream that sends on streams nobody has, and parts without an end, is borne") {
    Upstream h;
    h.ready();
    Client& c = h.client();
    const std::int32_t id = h.open(c, 5, "IBM", h.a, 1);
    h.take();
    for (int i = 0; i < 100; ++i) {
        h.update(h.a, id + 1 + i, 99);
        h.refresh(h.a, -1 - i, 99);
        codec::Msg part = RawProvider::refresh(id, Stream::open, false, false);
        part.flags |= codec::RefreshFlag::partNum;
        part.partNum = static_cast<std::uint16_t>(i + 1);
        h.a.send(part);
    }
    h.update(h.a, id, 2);
    h.until([&] { return h.got("0:5 UPD 2"); });
    CHECK(h.count(h.out, "99") == 0);
    CHECK(h.items.size() == 1);
}

TEST_CASE("an upstream that changes its services again and again costs no more than it has items") {
    Upstream h;
    h.settings.pop_back();
    h.ready();
    Client& c = h.client();
    h.open(c, 5, "IBM", h.a, 1);
    for (int i = 0; i < 500; ++i) {
        h.a.sendServiceState(7, i % 2 != 0, true);
        if (i % 50 == 0) h.settle();
    }
    h.settle();
    CHECK(h.services->find("FEED")->up());
    h.a.inbox.clear();
    h.take();
    for (int i = 0; i < 20; ++i) {
        h.a.sendServiceDelete(7);
        h.a.sendServiceAdd(h.a.services[0]);
    }
    const codec::Msg again = h.expect(h.a, "IBM");
    h.settle();
    std::int32_t last = again.streamId;
    for (const auto& g : h.a.inbox)
        if (g.name() == "IBM") last = g.msg.streamId;
    h.refresh(h.a, last, 2);
    h.until([&] { return h.last[std::pair(0u, 5)] == std::pair<std::uint8_t, std::uint64_t>(ok, 2); });
    CHECK(h.upstreams->supply().counts().streams == 1);
    CHECK(h.upstreams->supply().counts().outstanding == 0);
}

TEST_CASE("a stream that ends in the middle of a refresh, or with nonsense, is recovered like any other that ended") {
    Upstream h;
    h.policy.cache.rule = CachePolicy::Rule::all;
    h.ready();
    Client& one = h.client();
    const std::int32_t id = h.open(one, 5, "IBM", h.a, 1);
    h.take();
    codec::Msg m = RawProvider::refresh(id, Stream::nonStreaming, false);
    static constexpr std::byte kNoList[] = {std::byte{0x08}, std::byte{0}, std::byte{9}};
    SECTION("a part whose beginning never came") {
        m.flags |= codec::RefreshFlag::partNum;
        m.partNum = 1;
    }
    SECTION("a payload that cannot be decoded") {
        m.containerType = codec::DataType::FieldList;
        m.payload = kNoList;
    }
    h.a.send(m);
    // The other source serves it next.
    const std::int32_t again = h.expect(h.b, "IBM").streamId;
    h.refresh(h.b, again, 2);
    h.until([&] { return h.last[{0, 5}].second == 2; });
    CHECK(h.last[{0, 5}].first == ok);
    CHECK(h.item()->source == &h.at(1));
}

TEST_CASE("a refresh that lacks a part is never shown as Ok: its source is asked again, and then less and less often") {
    Upstream h;
    h.policy.cache.rule = GENERATE(CachePolicy::Rule::all, CachePolicy::Rule::none);
    const bool had = GENERATE(false, true);
    h.settings.pop_back();
    h.start();
    h.until([&] { return h.at(0).up(); });
    Client& one = h.client();
    std::int32_t id = 0;
    if (had) id = h.open(one, 5, "IBM", h.a, 1);
    else {
        REQUIRE(h.join(one, 5));
        id = h.expect(h.a, "IBM").streamId;
    }
    h.take();
    const auto parts = [&](std::initializer_list<std::uint16_t> numbers) {
        for (const std::uint16_t n : numbers) {
            codec::Msg m = RawProvider::refresh(id, Stream::open, true, n == *(numbers.end() - 1));
            m.flags |= codec::RefreshFlag::partNum;
            m.partNum = n;
            h.a.send(m);
        }
    };
    SECTION("the second of three") {
        parts({0, 2});
    }
    SECTION("the first: the last one comes without it") {
        parts({1});
    }
    h.until([&] { return h.got("0:5 STAT Open/Suspect/11"); });
    CHECK(h.expect(h.a, "IBM").streamId == id);
    CHECK(h.item()->dataState == suspect);
    parts({0, 3});
    h.settle();
    const auto asks = [&] {
        return std::ranges::count_if(h.a.inbox, [](const RawProvider::Got& g) { return g.name() == "IBM"; });
    };
    CHECK(asks() == 0);
    h.advance(1100ms);
    CHECK(asks() == 1);
    CHECK(h.item()->dataState == suspect);
    h.refresh(h.a, id, 2);
    h.until([&] { return h.last[{0, 5}] == std::pair<std::uint8_t, std::uint64_t>(ok, 2); });
    CHECK(h.item()->isOk());
}

TEST_CASE("a second stream whose refresh lacks a part is not gone over to") {
    Upstream h;
    h.policy.cache.rule = CachePolicy::Rule::all;
    h.policy.sourceMode = SourceMode::hot;
    h.ready();
    Client& one = h.client();
    h.open(one, 5, "IBM", h.a, 1);
    const std::int32_t second = h.expect(h.b, "IBM").streamId;
    for (const std::uint16_t n : {std::uint16_t{0}, std::uint16_t{2}}) {
        codec::Msg m = RawProvider::refresh(second, Stream::open, true, n == 2);
        m.flags |= codec::RefreshFlag::partNum;
        m.partNum = n;
        h.b.send(m);
    }
    h.settle();
    h.take();
    h.a.die();
    h.until([&] { return h.last[{0, 5}].first == suspect; });
    CHECK(h.expect(h.b, "IBM").streamId != second);
}

TEST_CASE("states that there are none of end their stream only, and it is recovered") {
    Upstream h;
    h.ready();
    Client& one = h.client();
    const std::int32_t id = h.open(one, 5, "IBM", h.a, 1);
    const std::int32_t other = h.open(one, 6, "MSFT", h.a, 1);
    h.take();
    SECTION("data") {
        h.a.send(RawProvider::status(id, Stream::open, 3));
    }
    SECTION("the largest data") {
        h.a.send(RawProvider::status(id, Stream::open, 7));
    }
    SECTION("stream") {
        h.a.send(RawProvider::status(id, 6, ok));
    }
    SECTION("the largest stream") {
        h.a.send(RawProvider::status(id, 31, ok));
    }
    SECTION("of a refresh") {
        codec::Msg m = RawProvider::refresh(id);
        m.state.data = 5;
        h.a.send(m);
    }
    h.refresh(h.b, h.expect(h.b, "IBM").streamId, 2);
    h.until([&] { return h.last[{0, 5}].second == 2; });
    h.update(h.a, other, 3);
    h.until([&] { return h.got("0:6 UPD 3"); });
    CHECK(h.at(0).up());
}

TEST_CASE("a state of a group or of a whole service that is none is left out, and the source stays") {
    Upstream h;
    h.ready();
    Client& one = h.client();
    static constexpr std::byte kGroup[2] = {std::byte{0}, std::byte{7}};
    const std::int32_t id = h.open(one, 5, "IBM", h.a, 1, kGroup);
    h.take();
    for (const codec::State state : {codec::State{Stream::open, 3, 0, {}}, codec::State{7, ok, 0, {}}}) {
        h.a.sendGroupStatus(7, kGroup, state);
        h.a.sendServiceUpdate(7, [&](codec::FilterListEncoder& list) {
            const std::byte bytes[3] = {static_cast<std::byte>(state.stream << 3 | state.data), std::byte{0},
                                        std::byte{0}};
            codec::ElementListEncoder e;
            list.beginEntry(codec::FilterAction::update, 2, codec::DataType::ElementList);
            e.begin(list.writer());
            e.addUInt("ServiceState", 1);
            e.add("Status", codec::DataType::State, eta::Bytes(bytes));
            (void)e.complete();
            list.endEntry();
        });
    }
    h.update(h.a, id, 4);
    h.until([&] { return h.got("0:5 UPD 4"); });
    CHECK(h.at(0).up());
    CHECK(h.item()->dataState == ok);
    CHECK(h.take() == Events{"0:5 UPD 4"});
    // NonStreaming is none that a group has: it stays open, and what is said of its data counts.
    h.a.sendGroupStatus(7, kGroup, {Stream::nonStreaming, suspect, 0, {}});
    h.until([&] { return !h.out.empty(); });
    CHECK(h.take() == Events{"0:5 STAT Open/Suspect"});
}
