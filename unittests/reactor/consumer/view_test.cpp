// Views of a consumer role's streams, and their union on the wire.
#include "fixture.h"

#include "payloads.h"

using namespace emissary;
using namespace emissary::test;
using Strings = std::vector<std::string>;

namespace {

codec::Msg viewed(std::string_view name, const Payload& payload) {
    codec::Msg m = Consumer::request(name);
    m.flags |= codec::RequestFlag::view;
    payload.in(m);
    return m;
}

}  // namespace

TEST_CASE("Views of a shared item", "[reactor][consumer][views]") {
    Consumer c;
    c.ready();
    c.settle();
    c.takeWire();
    const Payload bidAsk = Payload::view({22, 25}), thirty = Payload::view({30}), bid = Payload::view({22});

    const Handle a = c.open("A", viewed("IBM.N", bidAsk));
    const codec::Msg first = c.expectRequest("IBM.N");
    CHECK(first.flags == 0x444);
    CHECK(viewOf(first) == "1:22,25");
    c.provider.send(RawProvider::refresh(3));
    c.expectEvent("A RFSH Open/Ok/0");
    c.takeEvents();
    c.takeWire();

    SECTION("a view inside the union shares the wire's; the image is the newcomer's alone") {
        c.open("B", viewed("IBM.N", bid));
        CHECK(viewOf(c.expectRequest("IBM.N")) == "1:22,25");
        c.provider.send(RawProvider::refresh(3));
        c.expectEvent("B RFSH Open/Ok/0");
        CHECK(c.takeEvents() == Strings{"B RFSH Open/Ok/0"});
    }
    SECTION("a wider union, then everything, then the union again") {
        std::vector<bool> solicited;
        c.hook = [&](const codec::Msg& m, const Recipient& to) {
            if (c.names[to.handle] == "A" && m.cls == codec::MsgClass::Refresh)
                solicited.push_back(m.has(codec::RefreshFlag::solicited));
        };
        const Handle b = c.open("B", viewed("IBM.N", thirty));
        const codec::Msg second = c.expectRequest("IBM.N");
        CHECK(second.streamId == 3);
        CHECK(second.flags == 0x446);
        CHECK(viewOf(second) == "1:22,25,30");
        c.provider.send(RawProvider::refresh(3));
        c.expectEvent("B RFSH Open/Ok/0");
        CHECK(c.takeEvents() == Strings{"A RFSH Open/Ok/0", "B RFSH Open/Ok/0"});
        CHECK(solicited == std::vector<bool>{false});

        const Handle all = c.open("all", Consumer::request("IBM.N"));
        const codec::Msg third = c.expectRequest("IBM.N");
        CHECK(third.flags == 0x46);
        CHECK(third.priorityCount == 3);
        c.provider.send(RawProvider::refresh(3));
        c.expectEvent("all RFSH Open/Ok/0");
        CHECK(c.takeEvents() == Strings{"A RFSH Open/Ok/0", "B RFSH Open/Ok/0", "all RFSH Open/Ok/0"});

        c.close(all);
        c.settle();
        CHECK(c.takeWire().back() == "REQ 3 d6 0x466 IBM.N");
        CHECK(viewOf(c.provider.inbox.back().msg) == "1:22,25,30");
        c.close(b);
        c.settle();
        CHECK(viewOf(c.provider.inbox.back().msg) == "1:22,25");
        c.close(a);
        c.settle();
        CHECK(c.takeWire().back() == "CLOSE 3 d6 0x0");
    }
    SECTION("who joins while an image is under way that lacks its fields waits for one of its own") {
        c.open("B", Consumer::request("MSFT.O"));
        c.open("plain", viewed("T.N", bid));
        c.open("wider", viewed("T.N", thirty));
        const auto id = c.expectRequest("T.N").streamId;
        c.provider.send(RawProvider::refresh(id));
        c.expectEvent("plain RFSH Open/Ok/0");
        CHECK(c.count("wider RFSH Open/Ok/0") == 0);
        CHECK(viewOf(c.expectRequest("T.N")) == "1:22,30");
        c.provider.send(RawProvider::refresh(id));
        c.expectEvent("wider RFSH Open/Ok/0");
        CHECK(c.count("plain RFSH Open/Ok/0") == 2);
    }
    SECTION("a view of the other kind is refused with a closed status") {
        const Payload names = Payload::elementView({"Bid"});
        const Handle b = c.open("B", viewed("IBM.N", names));
        c.expectEvent("B STAT Closed/Suspect/21");
        CHECK(c.reissue(b, Consumer::request("IBM.N")).kind == Refusal::Kind::invalidHandle);
        CHECK(c.reissue(a, viewed("IBM.N", names)).text.empty());  // alone on the stream: it may
        CHECK(viewOf(c.expectRequest("IBM.N")) == "2:Bid");
    }
    SECTION("a reissue replaces, keeps or drops the view") {
        codec::Msg m = viewed("IBM.N", thirty);
        m.flags |= codec::RequestFlag::noRefresh;
        REQUIRE_FALSE(c.reissue(a, m));
        c.settle();
        CHECK(c.takeWire() == Strings{"REQ 3 d6 0x464 IBM.N"});
        CHECK(viewOf(c.provider.inbox.back().msg) == "1:30");

        m = Consumer::request("IBM.N");  // keeps it: nothing to say
        m.flags |= codec::RequestFlag::view | codec::RequestFlag::noRefresh;
        REQUIRE_FALSE(c.reissue(a, m));
        c.settle();
        CHECK(c.takeWire().empty());

        m = Consumer::request("IBM.N");
        REQUIRE_FALSE(c.reissue(a, m));
        CHECK(c.expectRequest("IBM.N").flags == 0x44);
        c.provider.send(RawProvider::refresh(3));
        c.expectEvent("A RFSH Open/Ok/0");
    }
    SECTION("views come back with the item after a disconnect") {
        c.provider.disconnect();
        c.expectEvent("A STAT Open/Suspect/0");
        c.clock.advance(std::chrono::milliseconds(1500));
        CHECK(viewOf(c.expectRequest("IBM.N")) == "1:22,25");
    }
}

TEST_CASE("Requests with views", "[reactor][consumer][views]") {
    Consumer c;

    SECTION("a provider that does not know views is asked for everything") {
        c.provider.supportsView = false;
        c.ready();
        c.open("A", viewed("IBM.N", Payload::view({22})));
        const codec::Msg m = c.expectRequest("IBM.N");
        CHECK(m.flags == 0x44);
        CHECK(m.containerType == codec::DataType::NoData);
        c.provider.send(RawProvider::refresh(3));
        c.expectEvent("A RFSH Open/Ok/0");
        c.open("B", viewed("IBM.N", Payload::view({23})));
        c.provider.send(RawProvider::refresh(c.expectRequest("IBM.N").streamId));
        c.expectEvent("B RFSH Open/Ok/0");
        CHECK(c.count("A RFSH Open/Ok/0") == 1);
    }
    SECTION("other elements of the payload reach the provider") {
        c.ready();
        const Payload p([](codec::ElementListEncoder& list) {
            list.addAscii("Mine", "x");
            list.addUInt(":ViewType", 1);
            Payload::ids(list, {22});
        });
        c.open("A", viewed("IBM.N", p));
        const codec::Msg m = c.expectRequest("IBM.N");
        CHECK(viewOf(m) == "1:22");
        CHECK(elementNames(m) == ":ViewType :ViewData Mine");
    }
    SECTION("wrong ones are refused, and say why") {
        c.ready();
        const auto why = [&](const Payload& p) {
            const std::lock_guard guard(c.loop->lock());
            Refusal refusal;
            CHECK(c.role->registerClient({viewed("IBM.N", p), "DIRECT_FEED"}, {}, refusal) == 0);
            CHECK(refusal.kind == Refusal::Kind::invalidArgument);
            return refusal.text;
        };
        CHECK(why(Payload([](auto& l) { l.addUInt(":ViewType", 1); })).find(":ViewData") != std::string::npos);
        CHECK(why(Payload([](auto& l) { Payload::ids(l, {1}); })).find(":ViewType") != std::string::npos);
        CHECK(why(Payload([](auto& l) {
                  l.addUInt(":ViewType", 3);
                  Payload::ids(l, {1});
              })).find(":ViewType") != std::string::npos);
        CHECK(why(Payload([](auto& l) {
                  l.addUInt(":ViewType", 2);
                  Payload::ids(l, {1});
              })).find("ASCII") != std::string::npos);
        CHECK(why(Payload([](auto& l) {
                  l.addUInt(":ViewType", 1);
                  Payload::ids(l, {40000});
              })).find("40000") != std::string::npos);
        c.settle();
        CHECK(c.provider.inbox.empty());
    }
}
