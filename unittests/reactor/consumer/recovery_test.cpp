// Streams of a consumer role when connections, services or answers fail.
#include "fixture.h"

using namespace emissary;
using namespace emissary::test;
using Strings = std::vector<std::string>;

TEST_CASE("A provider dies and comes back", "[reactor][consumer][recovery]") {
    Consumer c;
    c.ready();
    const Handle login = c.open("login", Consumer::request("user", 1), {});
    c.open("dir", Consumer::request({}, 4), {});
    c.expectEvent("dir RFSH Open/Ok/0");
    c.openAnswered("A");
    c.openAnswered("B");
    codec::Msg p = Consumer::request("P");
    p.flags |= codec::RequestFlag::privateStream;
    c.open("P", p);
    c.provider.send(RawProvider::refresh(c.expectRequest("P").streamId));
    c.expectEvent("P RFSH Open/Ok/0");
    c.open("S");  // unanswered
    c.expectRequest("S");
    c.takeEvents();
    c.takeWire();

    Strings texts;  // what the login client hears
    c.hook = [&](const codec::Msg& m, const Recipient& to) {
        if (to.handle == login && m.cls == codec::MsgClass::Status) texts.emplace_back(eta::asText(m.state.text));
    };
    c.provider.die();
    c.until([&] { return c.role->phase() == ConsumerRole::Phase::backingOff; });
    CHECK(c.takeEvents() == Strings{"login STAT Open/Suspect/0", "dir UPD", "A STAT Open/Suspect/0",
                                    "B STAT Open/Suspect/0", "P STAT ClosedRecover/Suspect/0", "S STAT Open/Suspect/0",
                                    "login STAT Open/Suspect/0"});
    CHECK(texts == Strings{"Channel is down.", "channel down"});

    SECTION("everything comes back in order, on new streams; the private one does not") {
        c.provider.revive();
        bool unsolicited = false;
        texts.clear();
        c.hook = [&](const codec::Msg& m, const Recipient& to) {
            if (to.handle == login && m.cls == codec::MsgClass::Status) texts.emplace_back(eta::asText(m.state.text));
            if (c.names[to.handle] == "A" && m.cls == codec::MsgClass::Refresh)
                unsolicited = !m.has(codec::RefreshFlag::solicited);
        };
        c.clock.advance(std::chrono::milliseconds(1500));
        c.until([&] { return c.role->phase() == ConsumerRole::Phase::ready; });
        c.settle();
        CHECK(c.takeWire() ==
              Strings{"REQ 1 d1 0x4 user", "REQ 2 d4 0x4", "REQ 7 d6 0x44 A", "REQ 8 d6 0x44 B", "REQ 9 d6 0x44 S"});
        CHECK(c.takeEvents() == Strings{"login STAT Open/Ok/0", "login RFSH Open/Ok/0", "dir UPD"});
        CHECK(texts == Strings{"channel up"});
        c.provider.send(RawProvider::refresh(7));
        c.provider.send(RawProvider::refresh(8));
        c.provider.send(RawProvider::refresh(9));
        c.expectEvent("S RFSH Open/Ok/0");
        CHECK(c.takeEvents() == Strings{"A RFSH Open/Ok/0", "B RFSH Open/Ok/0", "S RFSH Open/Ok/0"});
        CHECK(unsolicited);
    }
    SECTION("'channel down' is said once per outage, however many attempts fail") {
        for (int i = 0; i < 3; ++i) {
            const auto before = c.role->counters().connects;
            c.until([&] {
                c.clock.advance(std::chrono::milliseconds(500));
                return c.role->counters().connects > before && c.role->phase() == ConsumerRole::Phase::backingOff;
            });
        }
        CHECK(c.takeEvents().empty());
    }
    SECTION("items opened and closed meanwhile") {
        const Handle n = c.open("N");
        c.expectEvent("N STAT Open/Suspect/0");
        const Handle gone = c.open("gone");
        c.close(gone);
        c.provider.revive();
        c.clock.advance(std::chrono::milliseconds(1500));
        CHECK(c.expectRequest("N").streamId == 10);
        c.close(n);
        c.close(login);
        c.settle();
        CHECK(c.provider.wire.back() == "CLOSE 10 d6 0x0");
    }
}

TEST_CASE("No answer from a peer that is alive only as a socket", "[reactor][consumer][recovery]") {
    Consumer c;
    c.ready();
    c.openAnswered("A");
    c.takeEvents();
    // The provider neither reads nor pings from here on.
    REQUIRE(turnUntil([&] { return c.role->phase() != ConsumerRole::Phase::ready; },
                      [&] {
                          c.clock.advance(std::chrono::seconds(20));
                          c.loop->dispatch(std::chrono::milliseconds(1), 100);
                      }));
    CHECK(c.role->phase() == ConsumerRole::Phase::backingOff);
    CHECK(c.role->lastReason().find("ping") != std::string::npos);
    CHECK(c.takeEvents() == Strings{"A STAT Open/Suspect/0"});
}

TEST_CASE("A service goes down and comes up", "[reactor][consumer][directory]") {
    Consumer c;
    c.ready();
    c.open("dir", Consumer::request({}, 4), {});
    c.expectEvent("dir RFSH Open/Ok/0");
    c.openAnswered("A");
    c.settle();
    c.takeEvents();
    c.takeWire();

    SECTION("down without a status: open items hear nothing, new requests wait") {
        c.provider.sendServiceState(1, false, true);
        c.expectEvent("dir UPD");
        CHECK(c.takeEvents() == Strings{"dir UPD"});
        c.open("N");
        c.expectEvent("N STAT Open/Suspect/0");
        c.settle();
        CHECK(c.provider.wire.empty());
        c.provider.sendServiceState(1, true, false);
        c.until([&] { return c.count("N STAT Open/Suspect/0") == 2; });  // still not
        c.provider.sendServiceState(1, true, true);
        c.provider.send(RawProvider::refresh(c.expectRequest("N").streamId));
        c.expectEvent("N RFSH Open/Ok/0");
    }
    SECTION("deleted: items are told first, then the directory clients; added again: asked for again") {
        c.provider.sendServiceDelete(1);
        c.expectEvent("dir UPD");
        CHECK(c.takeEvents() == Strings{"A STAT Open/Suspect/0", "dir UPD"});
        auto other = RawProvider::service(9, "DIRECT_FEED");  // the same service under another id
        c.provider.sendServiceAdd(other);
        const codec::Msg again = c.expectRequest("A");
        CHECK(again.key.serviceId == 9);
        c.provider.send(RawProvider::refresh(again.streamId));
        c.expectEvent("A RFSH Open/Ok/0");
    }
    SECTION("group status: its items only, before the directory clients") {
        c.open("B");
        codec::Msg r = RawProvider::refresh(c.expectRequest("B").streamId);
        const std::byte group[] = {std::byte{1}, std::byte{2}};
        r.groupId = group;
        c.provider.send(r);
        c.expectEvent("B RFSH Open/Ok/0");
        c.takeEvents();
        c.provider.sendGroupStatus(1, group, {codec::StreamState::open, codec::DataState::suspect, 0, {}});
        c.expectEvent("dir UPD");
        CHECK(c.takeEvents() == Strings{"B STAT Open/Suspect/0", "dir UPD"});
    }
    SECTION("a domain or a QoS that the service does not have: wait") {
        c.open("domain", Consumer::request("X", 12));
        codec::Msg m = Consumer::request("Y");
        m.flags |= codec::RequestFlag::qos;
        m.qos = {2, 1, false, 0, 0};
        c.open("qos", m);
        c.expectEvent("qos STAT Open/Suspect/0");
        CHECK(c.count("domain STAT Open/Suspect/0") == 1);
        c.settle();
        CHECK(c.provider.wire.empty());
    }
}

TEST_CASE("The open window", "[reactor][consumer][directory]") {
    Consumer c;
    c.provider.services[0].filters |= reactor::rdm::DirectoryFilter::load;
    c.provider.services[0].load.openWindow = 2;
    c.ready();
    const Handle a = c.open("A");
    for (const char* name : {"B", "C", "D", "E"})
        c.open(name);
    c.settle();
    CHECK(c.provider.inbox.size() == 2);
    c.provider.send(RawProvider::refresh(c.expectRequest("B").streamId));
    c.expectRequest("C");
    c.close(a);  // unanswered: makes room
    const auto d = c.expectRequest("D").streamId;
    c.settle();
    CHECK(c.provider.wire.back() == "REQ 6 d6 0x44 D");
    c.provider.send(RawProvider::status(d, codec::StreamState::closed, codec::DataState::suspect));
    c.expectRequest("E");
}

TEST_CASE("The login is closed while running", "[reactor][consumer][recovery]") {
    Consumer c;
    c.ready();
    c.open("login", Consumer::request("user", 1), {});
    c.openAnswered("A");
    c.expectEvent("login RFSH Open/Ok/0");
    c.takeEvents();
    codec::Msg m = RawProvider::status(1, codec::StreamState::closed, codec::DataState::suspect, 0, "bye");
    m.domain = 1;

    SECTION("for good: items end, nothing is tried again") {
        c.provider.send(m);
        c.until([&] { return c.role->phase() == ConsumerRole::Phase::closed; });
        CHECK(c.takeEvents() == Strings{"login STAT Closed/Suspect/0", "A STAT Closed/Suspect/0"});
        const auto connects = c.role->counters().connects;
        c.clock.advance(std::chrono::seconds(10));
        for (int i = 0; i < 5; ++i)
            c.turn();
        CHECK(c.role->counters().connects == connects);
    }
    SECTION("recoverably: reconnects") {
        m.state.stream = codec::StreamState::closedRecover;
        c.provider.send(m);
        c.until([&] { return c.role->phase() == ConsumerRole::Phase::backingOff; });
        CHECK(c.events.front() == "login STAT Open/Suspect/0");
        c.clock.advance(std::chrono::milliseconds(1500));
        c.until([&] { return c.role->phase() == ConsumerRole::Phase::ready; });
        c.expectRequest("A");
    }
}

TEST_CASE("Directory clients are answered from the cache", "[reactor][consumer][directory]") {
    Consumer c;
    c.provider.services.push_back(RawProvider::service(2, "OTHER"));
    c.ready();
    c.settle();
    c.takeWire();
    std::map<std::string, std::pair<std::uint32_t, std::size_t>> seen;  // filter of the key, number of services
    c.hook = [&](const codec::Msg& m, const Recipient& to) {
        codec::MapDecoder map;
        REQUIRE(map.start(m.payload).ok());
        seen[c.names[to.handle]] = {m.key.filter, map.count()};
    };
    codec::Msg info = Consumer::request({}, 4);
    info.key.flags = codec::KeyFlag::filter;
    info.key.filter = 1;
    c.open("all", Consumer::request({}, 4), {});
    c.open("info of one", info, "OTHER");
    c.open("unknown", info, "NO_SUCH");
    codec::Msg once = Consumer::request({}, 4);
    once.flags = 0;
    c.open("once", once, {});
    c.expectEvent("once RFSH NonStreaming/Ok/0");
    CHECK(seen["all"] == std::pair<std::uint32_t, std::size_t>{3, 2});
    CHECK(seen["info of one"] == std::pair<std::uint32_t, std::size_t>{1, 1});
    CHECK(seen["unknown"].second == 0);
    CHECK(seen["once"].second == 2);
    c.settle();
    CHECK(c.provider.wire.empty());

    SECTION("updates reach whom they concern") {
        c.takeEvents();
        c.provider.sendServiceState(1, false, true);
        c.expectEvent("all UPD");
        CHECK(c.takeEvents() == Strings{"all UPD"});
        c.provider.sendServiceAdd(RawProvider::service(3, "NO_SUCH"));
        c.expectEvent("unknown UPD");
    }
}

TEST_CASE("An application's dictionary request shares the download's stream", "[reactor][consumer][dictionary]") {
    Consumer c;
    c.options.downloadDictionaries = true;
    c.ready();
    c.settle();
    c.takeWire();
    codec::Msg m = Consumer::request("RWFFld", 5);
    m.key.flags |= codec::KeyFlag::filter;
    m.key.filter = 7;
    c.open("fields", m);
    c.expectEvent("fields RFSH Open/Ok/0");
    CHECK(c.provider.wire.front() == "REQ 3 d5 0x46 RWFFld");
}

TEST_CASE("A dictionary request without a service is served by any that has it", "[reactor][consumer][dictionary]") {
    Consumer c;
    auto none = RawProvider::service(7, "NONE");
    none.info.dictionariesProvided.reset();
    auto down = RawProvider::service(8, "DOWN");
    down.state.up = false;
    c.provider.services.insert(c.provider.services.begin(), {none, down});
    c.provider.automatic.dictionary = false;
    c.ready();
    SECTION("one that is up comes first") {
        c.open("fields", Consumer::request("RWFFld", 5), {});
        const codec::Msg asked = c.expectRequest("RWFFld");
        CHECK(asked.key.has(codec::KeyFlag::serviceId));
        CHECK(asked.key.serviceId == 1);
        c.provider.sendDictionary(asked.streamId, true);
        c.expectEvent("fields RFSH Open/Ok/0");
        CHECK(c.lastService == "DIRECT_FEED");
    }
    SECTION("one that is down is waited for when there is no other") {
        c.provider.sendServiceDelete(1);
        c.settle();
        c.open("enums", Consumer::request("RWFEnum", 5), {});
        c.expectEvent("enums STAT Open/Suspect/0");
        c.provider.sendServiceState(8, true, true);
        CHECK(c.expectRequest("RWFEnum").key.serviceId == 8);
    }
    SECTION("nobody has it: the status says so") {
        std::string text;
        c.hook = [&](const codec::Msg& m, const Recipient&) { text = eta::asText(m.state.text); };
        c.open("other", Consumer::request("Other", 5), {});
        c.expectEvent("other STAT Closed/Suspect/15");
        CHECK(text.find("'Other'") != std::string::npos);
    }
    SECTION("items still need a service") {
        c.open("item", Consumer::request("IBM.N"), {});
        c.expectEvent("item STAT Closed/Suspect/15");
    }
}

TEST_CASE("Local dictionaries are served from memory", "[reactor][consumer][dictionary]") {
    Consumer c;
    c.options.localDictionary = std::make_shared<eta::dictionary::Dictionary>(c.provider.dictionary);
    c.ready();
    c.settle();
    c.takeWire();
    eta::dictionary::Dictionary copy;
    bool complete = false;
    c.hook = [&](const codec::Msg& m, const Recipient& to) {
        if (c.names[to.handle] != "fields") return;
        CHECK_FALSE(copy.decodeFields(m.payload));
        complete = m.has(codec::RefreshFlag::complete);
    };
    c.open("fields", Consumer::request("RWFFld", 5));
    c.until([&] { return complete; });
    CHECK(copy.find("BID") != nullptr);
    c.open("none", Consumer::request("Nothing", 5));
    c.expectEvent("none STAT Closed/Suspect/1");
    c.settle();
    CHECK(c.provider.wire.empty());
}

TEST_CASE("A local dictionary that lacks a part says so", "[reactor][consumer][dictionary]") {
    Consumer c;
    const auto fieldsAlone = std::make_shared<eta::dictionary::Dictionary>();
    REQUIRE_FALSE(fieldsAlone->parseFields("!tag Filename f\n!tag Desc d\n!tag Type 1\n!tag Version 1.0\n"
                                           "!tag Build 001\n!tag Date 1 Jan 2020\n"
                                           "BID \"BID\" 22 NULL PRICE 17 REAL64 7\n",
                                           "fields"));
    c.options.localDictionary = fieldsAlone;
    c.ready();
    c.settle();
    c.open("enums", Consumer::request("RWFEnum", 5));
    c.expectEvent("enums STAT Closed/Suspect/1");
    c.open("fields", Consumer::request("RWFFld", 5));
    c.expectEvent("fields RFSH Open/Ok/0");
}

TEST_CASE("Item groups by the ten thousand: a status is for its own group", "[reactor][consumer][recovery]") {
    Consumer c;
    c.ready();
    c.open("dir", Consumer::request({}, 4), {});
    c.expectEvent("dir RFSH Open/Ok/0");
    c.openAnswered("plain");
    c.open("moves");
    const std::int32_t stream = c.expectRequest("moves").streamId;
    const auto moveTo = [&](std::uint32_t n) {
        const std::byte id[] = {std::byte{7}, static_cast<std::byte>(n >> 16), static_cast<std::byte>(n >> 8 & 0xFF),
                                static_cast<std::byte>(n & 0xFF)};
        codec::Msg r = RawProvider::refresh(stream);
        r.groupId = id;
        c.provider.send(r);
        if (n % 1000 != 0) return;
        c.settle();
        c.takeEvents();
    };
    const auto groupStatus = [&](std::uint32_t n) {
        const std::byte id[] = {std::byte{7}, static_cast<std::byte>(n >> 16), static_cast<std::byte>(n >> 8 & 0xFF),
                                static_cast<std::byte>(n & 0xFF)};
        c.settle();
        c.takeEvents();
        c.provider.sendGroupStatus(1, id, {codec::StreamState::open, codec::DataState::suspect, 0, {}});
        c.expectEvent("dir UPD");
        return c.takeEvents();
    };
    constexpr std::uint32_t kMany = 66000;  // more than a number of 16 bits tells apart
    for (std::uint32_t n = 0; n < kMany; ++n)
        moveTo(n);
    CHECK(groupStatus(kMany) == Strings{"dir UPD"});      // nobody is in it
    CHECK(groupStatus(kMany - 2) == Strings{"dir UPD"});  // nobody is any more
    CHECK(groupStatus(kMany - 1) == Strings{"moves STAT Open/Suspect/0", "dir UPD"});
    CHECK(c.role->counters().groupless == 0);

    // What went away with its service knows no group until it is refreshed.
    c.provider.sendServiceDelete(1);
    c.expectEvent("dir UPD");
    c.provider.sendServiceAdd(RawProvider::service(1, "DIRECT_FEED"));
    c.provider.send(RawProvider::refresh(c.expectRequest("plain").streamId));
    const std::int32_t again = c.expectRequest("moves").streamId;
    c.provider.send(RawProvider::refresh(again));
    CHECK(groupStatus(kMany - 1) == Strings{"dir UPD"});
}
