// Batches and symbol lists of a consumer role.
#include "fixture.h"

#include "payloads.h"

using namespace emissary;
using namespace emissary::test;
using Strings = std::vector<std::string>;

namespace {

codec::Msg withPayload(const Payload& payload, std::uint16_t flags, std::uint8_t domain = 6) {
    codec::Msg m = Consumer::request({}, domain);
    m.key.flags = 0;
    m.flags |= flags;
    payload.in(m);
    return m;
}

/// A symbol list message: a Map of names, each with its action.
struct NameMap {
    explicit NameMap(const std::vector<std::pair<std::uint8_t, std::string>>& entries) {
        codec::MapEncoder map;
        map.begin(buffer.start(), {}, codec::DataType::AsciiString);
        for (const auto& [action, name] : entries)
            map.add(action, eta::asBytes(name), {});
        REQUIRE(map.complete().ok());
    }
    codec::Msg in(codec::Msg m) const {
        m.domain = 10;
        m.containerType = codec::DataType::Map;
        m.payload = buffer.view();
        return m;
    }
    reactor::GrowingBuffer buffer;
};

}  // namespace

TEST_CASE("Batch requests", "[reactor][consumer][batch]") {
    Consumer c;
    // What the provider says about batches makes no difference: they never reach the wire.
    SECTION("the provider says nothing of batches") {
        c.provider.supportsBatch = 0;
    }
    SECTION("the provider takes batches") {
        c.provider.supportsBatch = 7;
    }
    c.ready();
    c.settle();
    c.takeWire();
    const Payload three = Payload::batch({"A", "CLOSED", "B"});
    std::map<std::string, std::pair<std::int32_t, Handle>> seen;  // name -> stream id, parent
    std::map<std::string, Handle> handles;
    c.hook = [&](const codec::Msg& m, const Recipient& to) {
        c.names.try_emplace(to.handle, m.hasKey() ? std::string(eta::asText(m.key.name)) : "?");
        seen[c.events.back().substr(0, c.events.back().find(' '))] = {m.streamId, to.parent};
        handles[c.names[to.handle]] = to.handle;
    };
    const Handle batch = c.open("batch", withPayload(three, codec::RequestFlag::batch));
    CHECK(c.expectRequest("A").flags == 0x44);
    c.provider.send(RawProvider::refresh(3));
    c.provider.send(RawProvider::status(c.expectRequest("CLOSED").streamId, codec::StreamState::closed,
                                        codec::DataState::suspect, 1));
    c.provider.send(RawProvider::refresh(c.expectRequest("B").streamId));
    c.until([&] { return c.events.size() == 4; });
    REQUIRE(c.events.front() == "batch STAT Closed/Ok/0");
    CHECK(seen["batch"].second == 0);
    const Handle firstItem = handles["A"], b = handles["B"];
    CHECK((firstItem != 0 && b != 0));
    c.takeEvents();

    // Items know their parent and have ids in the order of the list.
    c.provider.send(RawProvider::update(3));
    c.provider.send(RawProvider::update(5));
    c.expectEvent("B UPD");
    CHECK(seen["A"].second == batch);
    CHECK(seen["B"].second == batch);
    CHECK(seen["A"].first == seen["batch"].first + 1);
    CHECK(seen["B"].first == seen["batch"].first + 3);

    // The batch's own handle takes nothing.
    CHECK(c.reissue(batch, Consumer::request("A")).kind == Refusal::Kind::invalidUsage);
    CHECK(c.post(batch, codec::Msg{}).kind == Refusal::Kind::invalidUsage);
    {
        const std::lock_guard guard(c.loop->lock());
        CHECK(c.role->unregister(batch).kind == Refusal::Kind::invalidArgument);
    }
    // It disappears with its last item.
    c.close(firstItem);
    CHECK(c.reissue(batch, Consumer::request("A")).kind == Refusal::Kind::invalidUsage);
    c.close(b);
    CHECK(c.reissue(batch, Consumer::request("A")).kind == Refusal::Kind::invalidHandle);
    c.settle();
    CHECK(c.provider.wire.back() == "CLOSE 5 d6 0x0");
}

TEST_CASE("Batches of all kinds", "[reactor][consumer][batch]") {
    Consumer c;
    c.ready();
    c.settle();
    c.takeWire();

    SECTION("with a view: every item has it") {
        const Payload p([](codec::ElementListEncoder& list) {
            Payload::strings(list, ":ItemList", {"A", "B"});
            list.addUInt(":ViewType", 1);
            Payload::ids(list, {22, 25});
        });
        c.open("batch", withPayload(p, codec::RequestFlag::batch | codec::RequestFlag::view));
        CHECK(viewOf(c.expectRequest("A")) == "1:22,25");
        CHECK(viewOf(c.expectRequest("B")) == "1:22,25");
    }
    SECTION("items share streams that are open") {
        c.openAnswered("A");
        c.open("batch", withPayload(Payload::batch({"A", "B"}), codec::RequestFlag::batch));
        CHECK(c.expectRequest("A").streamId == 3);
        CHECK(c.expectRequest("B").streamId == 4);
    }
    SECTION("snapshots and private streams") {
        codec::Msg m = withPayload(Payload::batch({"A", "B"}), codec::RequestFlag::batch);
        const Payload p = Payload::batch({"A", "B"});
        p.in(m);
        m.flags = codec::RequestFlag::batch;
        c.open("snapshots", m);
        CHECK(c.expectRequest("B").flags == 0x40);
        m.flags = codec::RequestFlag::batch | codec::RequestFlag::streaming | codec::RequestFlag::privateStream;
        c.open("private", m);
        c.settle();
        CHECK(c.provider.wire.back() == "REQ 6 d6 0x144 B");
    }
    SECTION("of a service that is not there yet: its items wait") {
        c.open("batch", withPayload(Payload::batch({"A", "B"}), codec::RequestFlag::batch), "LATER");
        c.until([&] {
            return std::count_if(c.events.begin(), c.events.end(),
                                 [](const std::string& e) { return e.ends_with(" STAT Open/Suspect/0"); }) == 2;
        });
        CHECK(c.events.front() == "batch STAT Closed/Ok/0");
        c.provider.sendServiceAdd(RawProvider::service(9, "LATER"));
        CHECK(c.expectRequest("A").key.serviceId == 9);
        CHECK(c.expectRequest("B").key.serviceId == 9);
    }
    SECTION("without a service: one closed status for the batch, and it is gone") {
        const Handle h = c.open("batch", withPayload(Payload::batch({"A", "B"}), codec::RequestFlag::batch), {});
        c.expectEvent("batch STAT Closed/Suspect/15");
        CHECK(c.takeEvents().size() == 1);
        CHECK(c.reissue(h, Consumer::request("A")).kind == Refusal::Kind::invalidHandle);
    }
    SECTION("the acknowledgement comes first even when the provider is faster") {
        c.provider.automatic.items = true;
        c.hook = [&](const codec::Msg&, const Recipient& to) { c.names.try_emplace(to.handle, "item"); };
        c.open("batch", withPayload(Payload::batch({"A"}), codec::RequestFlag::batch));
        c.until([&] { return c.events.size() == 2; });
        CHECK(c.events.front() == "batch STAT Closed/Ok/0");
    }
    SECTION("wrong lists are refused, and leave nothing behind") {
        const auto why = [&](const codec::Msg& m) {
            const std::lock_guard guard(c.loop->lock());
            Refusal refusal;
            CHECK(c.role->registerClient({m, "DIRECT_FEED"}, {&c, nullptr, 0}, refusal) == 0);
            return refusal.text;
        };
        const Payload good = Payload::batch({"A"});
        const Payload none = Payload::batch({});
        const Payload view = Payload::view({22});
        const Payload longName = Payload::batch({"A", std::string(256, 'x')});
        const Payload ids([](codec::ElementListEncoder& l) {
            l.beginElement(":ItemList", codec::DataType::Array);
            codec::ArrayEncoder array;
            array.begin(l.writer(), codec::DataType::UInt);
            array.addUInt(5);
            (void)array.complete();
            l.endElement();
        });
        codec::Msg named = withPayload(good, codec::RequestFlag::batch);
        named.key.flags = codec::KeyFlag::name;
        named.key.name = eta::asBytes("A");
        CHECK(why(named).find("key") != std::string::npos);
        CHECK(why(withPayload(none, codec::RequestFlag::batch)).find("empty") != std::string::npos);
        CHECK(why(withPayload(view, codec::RequestFlag::batch)).find(":ItemList") != std::string::npos);
        CHECK(why(withPayload(ids, codec::RequestFlag::batch)).find("ASCII") != std::string::npos);
        CHECK(why(withPayload(longName, codec::RequestFlag::batch)).find("256") != std::string::npos);
        codec::Msg login = withPayload(good, codec::RequestFlag::batch, 1);
        CHECK(why(login).find("batch") != std::string::npos);
        c.settle();
        CHECK(c.provider.wire.empty());
        CHECK(c.events.empty());
    }
}

TEST_CASE("Symbol lists", "[reactor][consumer][symbollist]") {
    Consumer c;
    c.ready();
    c.settle();
    c.takeWire();
    const Payload open = Payload::symbolList(1), snapshots = Payload::symbolList(2), names = Payload::symbolList(0);
    const NameMap abc({{codec::MapAction::add, "A"}, {codec::MapAction::add, "B"}});
    struct Seen {
        std::int32_t streamId;
        std::uint8_t domain;
        std::string name;
        bool keyed;
    };
    std::vector<Seen> seen;
    c.hook = [&](const codec::Msg& m, const Recipient&) {
        seen.push_back(
            {m.streamId, m.domain, m.hasKey() ? std::string(eta::asText(m.key.name)) : std::string{}, m.hasKey()});
    };
    const auto list = [&](const Payload& payload, std::uint16_t flags = codec::RequestFlag::streaming) {
        codec::Msg m = Consumer::request("LIST", 10);
        m.flags = flags;
        payload.in(m);
        return m;
    };

    SECTION("names only: the payload stays here, nothing is opened") {
        c.open("list", list(names));
        const codec::Msg m = c.expectRequest("LIST");
        CHECK(m.containerType == codec::DataType::NoData);
        c.provider.send(abc.in(RawProvider::refresh(3)));
        c.expectEvent("list RFSH Open/Ok/0");
        c.settle();
        CHECK(c.provider.inbox.empty());
    }
    SECTION("streams: opened once each, under the list's handle, with negative ids") {
        const Handle h = c.open("list", list(open));
        c.provider.send(abc.in(RawProvider::refresh(c.expectRequest("LIST").streamId)));
        CHECK(c.expectRequest("A").flags == 0x44);
        c.expectRequest("B");
        c.provider.send(RawProvider::refresh(4));
        c.provider.send(RawProvider::refresh(5));
        c.until([&] { return seen.size() == 3; });
        CHECK(c.events == Strings(3, "list RFSH Open/Ok/0"));
        CHECK(seen[1].streamId == -1);
        CHECK(seen[1].name == "A");
        CHECK(seen[1].domain == 6);
        CHECK(seen[2].streamId == -2);
        CHECK(seen[2].name == "B");

        // An update adds one, names one again, and takes one away, which closes nothing.
        const NameMap change(
            {{codec::MapAction::add, "C"}, {codec::MapAction::update, "A"}, {codec::MapAction::del, "B"}});
        c.takeWire();
        c.provider.send(change.in(RawProvider::update(3)));
        c.expectRequest("C");
        c.settle();
        CHECK(c.takeWire() == Strings{"REQ 6 d6 0x44 C"});

        // One that ended is opened again when it is named again.
        c.provider.send(RawProvider::status(4, codec::StreamState::closed, codec::DataState::suspect, 1));
        c.expectEvent("list STAT Closed/Suspect/1");
        c.provider.send(change.in(RawProvider::update(3)));
        CHECK(c.expectRequest("A").streamId == 7);

        // Closing the list closes what it opened.
        c.takeWire();
        c.close(h);
        c.settle();
        Strings wire = c.takeWire();
        std::sort(wire.begin(), wire.end());
        CHECK(wire == Strings{"CLOSE 3 d10 0x0", "CLOSE 5 d6 0x0", "CLOSE 6 d6 0x0", "CLOSE 7 d6 0x0"});
    }
    SECTION("a stream that somebody else has open stays open for him") {
        c.openAnswered("A");
        const Handle h = c.open("list", list(open));
        c.provider.send(abc.in(RawProvider::refresh(c.expectRequest("LIST").streamId)));
        CHECK(c.expectRequest("A").streamId == 3);
        c.expectRequest("B");
        c.close(h);
        c.settle();
        CHECK(std::count(c.provider.wire.begin(), c.provider.wire.end(), "CLOSE 3 d6 0x0") == 0);
        CHECK(std::count(c.provider.wire.begin(), c.provider.wire.end(), "CLOSE 5 d6 0x0") == 1);
    }
    SECTION("snapshots of the items") {
        c.open("list", list(snapshots));
        c.provider.send(abc.in(RawProvider::refresh(c.expectRequest("LIST").streamId)));
        CHECK(c.expectRequest("A").flags == 0x40);
        c.provider.send(RawProvider::refresh(4, codec::StreamState::nonStreaming));
        c.expectEvent("list RFSH NonStreaming/Ok/0");
    }
    SECTION("a snapshot of the list: its streams live on under its handle") {
        const Handle h = c.open("list", list(open, 0));
        c.provider.send(
            abc.in(RawProvider::refresh(c.expectRequest("LIST").streamId, codec::StreamState::nonStreaming)));
        c.expectRequest("A");
        c.expectRequest("B");
        c.provider.send(RawProvider::refresh(4));
        c.provider.send(RawProvider::refresh(5));
        c.until([&] { return seen.size() == 3; });
        CHECK(c.reissue(h, list(open)).kind == Refusal::Kind::invalidUsage);
        c.close(h);
        c.settle();
        CHECK(std::count(c.provider.wire.begin(), c.provider.wire.end(), "CLOSE 4 d6 0x0") == 1);
        CHECK(std::count(c.provider.wire.begin(), c.provider.wire.end(), "CLOSE 5 d6 0x0") == 1);
        CHECK(c.reissue(h, list(open)).kind == Refusal::Kind::invalidHandle);
    }
    SECTION("given up by its client inside an item's callback") {
        const Handle h = c.open("list", list(open));
        c.provider.send(abc.in(RawProvider::refresh(c.expectRequest("LIST").streamId)));
        c.expectRequest("B");
        c.hook = [&](const codec::Msg& m, const Recipient& to) {
            if (m.domain == 6) c.close(to.handle);
        };
        c.provider.send(RawProvider::refresh(4));
        c.provider.send(RawProvider::refresh(5));
        c.settle();
        CHECK(c.count("list RFSH Open/Ok/0") == 2);
        CHECK(c.reissue(h, list(open)).kind == Refusal::Kind::invalidHandle);
    }
    SECTION("behaviours that do not exist") {
        const Payload wrong = Payload::symbolList(3);
        const std::lock_guard guard(c.loop->lock());
        Refusal refusal;
        CHECK(c.role->registerClient({list(wrong), "DIRECT_FEED"}, {}, refusal) == 0);
        CHECK(refusal.text.find(":DataStreams") != std::string::npos);
    }
}

TEST_CASE("A symbol list opens at most 100,000 items", "[reactor][consumer][symbollist]") {
    constexpr std::size_t kMost = 100'000;
    Consumer c;
    c.ready();
    const Payload open = Payload::symbolList(1);
    codec::Msg m = Consumer::request("LIST", 10);
    open.in(m);
    c.open("list", m);
    const std::int32_t list = c.expectRequest("LIST").streamId;
    const auto names = [](std::size_t from, std::size_t to) {
        std::vector<std::pair<std::uint8_t, std::string>> entries;
        for (std::size_t i = from; i < to; ++i)
            entries.emplace_back(codec::MapAction::add, "N" + std::to_string(i));
        return entries;
    };
    c.provider.send(NameMap(names(0, 50'000)).in(RawProvider::refresh(list)));
    c.provider.send(NameMap(names(50'000, kMost + 10)).in(RawProvider::update(list)));
    c.provider.send(NameMap(names(kMost + 10, kMost + 20)).in(RawProvider::update(list)));
    c.until([&] { return c.count("list UPD") == 2; });
    c.until([&] { return c.role->counters().openStreams == kMost + 1; });
    CHECK(c.warnings.size() == 1);
    CHECK(c.warnings.front().find("names more items than the 100000") != std::string::npos);

    // One that ends makes room for another.
    c.until([&] { return c.provider.inbox.size() >= kMost; });
    c.provider.send(
        RawProvider::status(c.expectRequest("N0").streamId, codec::StreamState::closed, codec::DataState::suspect, 1));
    c.until([&] { return c.role->counters().openStreams == kMost; });
    c.provider.send(NameMap(names(kMost + 30, kMost + 40)).in(RawProvider::update(list)));
    c.until([&] { return c.role->counters().openStreams == kMost + 1; });
}

TEST_CASE("A symbol list of many names is opened in several turns", "[reactor][consumer][symbollist]") {
    constexpr std::size_t kNames = 40'000;
    Consumer c;
    c.ready();
    const Payload open = Payload::symbolList(1);
    codec::Msg m = Consumer::request("LIST", 10);
    open.in(m);
    const Handle handle = c.open("list", m);
    const std::int32_t list = c.expectRequest("LIST").streamId;
    const auto name = [](std::size_t n) { return "N" + std::to_string(n); };
    std::vector<std::pair<std::uint8_t, std::string>> entries;
    for (std::size_t i = 0; i < kNames; ++i)
        entries.emplace_back(codec::MapAction::add, name(i));
    const auto streams = [&] { return c.role->counters().openStreams; };
    const auto begin = [&] {
        c.provider.send(NameMap(entries).in(RawProvider::refresh(list)));
        c.until([&] { return streams() > 1; });
        return streams();
    };
    SECTION("all of them, each once and in the order of the list") {
        std::uint64_t before = begin(), most = before;
        CHECK(before < kNames / 2);
        // Named again while some wait.
        c.provider.send(NameMap({{codec::MapAction::update, name(0)},
                                 {codec::MapAction::update, name(kNames - 1)},
                                 {codec::MapAction::add, "LAST"}})
                            .in(RawProvider::update(list)));
        c.until([&] {
            most = std::max(most, streams() - before);
            before = streams();
            return before == kNames + 2;
        });
        CHECK(most < kNames / 2);
        c.until([&] { return c.provider.inbox.size() == kNames + 1; });
        CHECK(c.provider.inbox.front().name() == name(0));
        CHECK(c.provider.inbox[kNames - 1].name() == name(kNames - 1));
        CHECK(c.provider.inbox.back().name() == "LAST");
    }
    SECTION("the list is closed meanwhile: no more are opened") {
        REQUIRE(begin() < kNames);
        c.close(handle);
        CHECK(streams() == 0);
        c.settle();
        c.settle();
        CHECK(streams() == 0);
    }
    SECTION("the session ends meanwhile") {
        REQUIRE(begin() < kNames);
        const auto then = streams();
        c.locked([&] { c.role->shutdown(); });
        c.turn();
        c.turn();
        CHECK(streams() <= then);
        c.locked([&] { c.role.reset(); });
        c.turn();
    }
}
