// What a lost connection, service, login or directory stream costs: the rows of session.md 4.8 and 4.9 one by one.
#include "fixture.h"

#include <set>

using namespace emissary;
using namespace emissary::test;
using Strings = std::vector<std::string>;

namespace {

/// The provider is gone, and the consumer knows.
void lose(Consumer& c) {
    c.provider.die();
    c.until([&] { return c.role->phase() == ConsumerRole::Phase::backingOff; });
}
void comeBack(Consumer& c) {
    c.provider.revive();
    c.provider.inbox.clear();
    c.clock.advance(std::chrono::milliseconds(1500));
    c.until([&] { return c.role->phase() == ConsumerRole::Phase::ready; });
}
codec::Msg closedLogin() {
    return RawProvider::loginStatus(codec::StreamState::closed, codec::DataState::suspect);
}

}  // namespace

TEST_CASE("A pending snapshot is recovered like everything else", "[reactor][consumer][recovery]") {
    Consumer c;
    c.ready();
    c.open("SNAP", Consumer::snapshot("SNAP"));
    c.expectRequest("SNAP");
    c.open("STREAM");
    c.expectRequest("STREAM");

    SECTION("when the connection is lost") {
        lose(c);
        CHECK(c.takeEvents() == Strings{"SNAP STAT Open/Suspect/0", "STREAM STAT Open/Suspect/0"});
        comeBack(c);
    }
    SECTION("when the service is deleted") {
        c.provider.sendServiceDelete(1);
        c.expectEvent("STREAM STAT Open/Suspect/0");
        CHECK(c.takeEvents() == Strings{"SNAP STAT Open/Suspect/0", "STREAM STAT Open/Suspect/0"});
        c.provider.sendServiceAdd(RawProvider::service(1, "DIRECT_FEED"));
    }
    const codec::Msg again = c.expectRequest("SNAP");
    CHECK_FALSE(again.has(codec::RequestFlag::streaming));
    c.provider.send(RawProvider::refresh(again.streamId, codec::StreamState::nonStreaming));
    c.expectEvent("SNAP RFSH NonStreaming/Ok/0");
}

TEST_CASE("What an item had comes back with it", "[reactor][consumer][recovery]") {
    Consumer c;
    c.ready();
    codec::Msg m = Consumer::request("A");
    m.flags |= codec::RequestFlag::priority;
    m.priorityClass = 3;
    m.priorityCount = 4;
    std::set<std::int32_t> streamIds;
    c.hook = [&](const codec::Msg& got, const Recipient&) { streamIds.insert(got.streamId); };
    const Handle h = c.open("A", m);
    c.provider.send(RawProvider::refresh(c.expectRequest("A").streamId));
    c.expectEvent("A RFSH Open/Ok/0");

    SECTION("its priority and its pause") {
        m.flags |= codec::RequestFlag::pause | codec::RequestFlag::noRefresh;
        CHECK_FALSE(c.reissue(h, m));
        lose(c);
        comeBack(c);
        const codec::Msg again = c.expectRequest("A");
        CHECK(again.flags == 0x246);
        CHECK(again.priorityClass == 3);
        CHECK(again.priorityCount == 4);
    }
    SECTION("what was changed meanwhile") {
        lose(c);
        m.priorityClass = 6;
        CHECK_FALSE(c.reissue(h, m));
        comeBack(c);
        CHECK(c.expectRequest("A").priorityClass == 6);
    }
    SECTION("the stream id that the application knows it by") {
        lose(c);
        comeBack(c);
        const auto id = c.expectRequest("A").streamId;
        CHECK(id == 4);
        c.provider.send(RawProvider::refresh(id));
        c.until([&] { return c.count("A RFSH Open/Ok/0") == 2; });
        CHECK(streamIds.size() == 1);
        CHECK(*streamIds.begin() >= 5);
    }
}

TEST_CASE("A loss without recovery is the end of every item", "[reactor][consumer][recovery]") {
    Consumer c;
    reactor::rdm::LoginAttributes a;
    a.singleOpen = 0;
    c.login(a);
    c.ready();
    c.openAnswered("A");
    c.open("B");
    c.expectRequest("B");
    c.takeEvents();
    lose(c);
    CHECK(c.takeEvents() == Strings{"A STAT ClosedRecover/Suspect/0", "B STAT ClosedRecover/Suspect/0"});
    comeBack(c);
    c.settle();
    CHECK(c.provider.inbox.empty());
}

TEST_CASE("Dictionaries and a loss", "[reactor][consumer][dictionary]") {
    Consumer c;
    c.ready();
    c.provider.automatic.dictionary = false;
    c.open("complete", Consumer::request("RWFFld", 5));
    c.provider.sendDictionary(c.expectRequest("RWFFld").streamId, true);
    c.expectEvent("complete RFSH Open/Ok/0");
    c.settle();
    c.open("pending", Consumer::request("RWFEnum", 5));
    c.expectRequest("RWFEnum");
    c.takeEvents();
    lose(c);
    CHECK(c.takeEvents() == Strings{"complete STAT Closed/Suspect/0", "pending STAT Open/Suspect/0"});
    comeBack(c);
    c.provider.sendDictionary(c.expectRequest("RWFEnum").streamId, false);
    c.expectEvent("pending RFSH Open/Ok/0");
    for (const auto& got : c.provider.inbox)
        CHECK(got.name() != "RWFFld");
}

TEST_CASE("A connection that dies before its login", "[reactor][consumer][recovery]") {
    Consumer c;
    c.provider.automatic.login = false;
    c.start();
    c.open("login", Consumer::request("user", 1), {});
    c.until([&] { return c.role->phase() == ConsumerRole::Phase::loggingIn; });
    CHECK(c.events.empty());
    lose(c);
    CHECK(c.takeEvents() == Strings{"login STAT Open/Suspect/0"});  // 'channel down'; a login there was none
    // Attempts that fail are of the same outage.
    const auto before = c.role->counters().connects;
    c.until([&] {
        c.clock.advance(std::chrono::milliseconds(500));
        return c.role->counters().connects > before + 1 && c.role->phase() == ConsumerRole::Phase::backingOff;
    });
    CHECK(c.takeEvents().empty());
    c.provider.automatic.login = true;
    c.provider.revive();
    c.until([&] {
        c.clock.advance(std::chrono::milliseconds(500));
        return c.role->phase() == ConsumerRole::Phase::ready;
    });
    c.expectEvent("login RFSH Open/Ok/0");
    c.takeEvents();
    lose(c);  // another outage
    CHECK(c.takeEvents() == Strings{"login STAT Open/Suspect/0", "login STAT Open/Suspect/0"});
}

TEST_CASE("Nothing is opened after the end", "[reactor][consumer][recovery]") {
    Consumer c;
    SECTION("of the login") {
        c.ready();
        c.provider.send(closedLogin());
        c.until([&] { return c.role->phase() == ConsumerRole::Phase::closed; });
    }
    SECTION("of a login that was refused") {
        c.provider.automatic.login = false;
        c.start();
        c.until([&] { return !c.provider.inbox.empty(); });
        c.provider.send(closedLogin());
        c.until([&] { return c.role->phase() == ConsumerRole::Phase::closed; });
    }
    SECTION("of all attempts to connect") {
        c.options.reconnect.attemptLimit = 0;
        c.ready();
        c.provider.die();
        c.until([&] { return c.role->phase() == ConsumerRole::Phase::closed; });
    }
    c.takeEvents();
    const Handle h = c.open("A");
    CHECK(c.events.empty());
    c.expectEvent("A STAT Closed/Suspect/0");
    c.open("unknown", Consumer::request("A"), "NO_SUCH");
    c.expectEvent("unknown STAT Closed/Suspect/0");
    c.open("login", Consumer::request("user", 1), {});
    c.expectEvent("login STAT Closed/Suspect/0");
    CHECK(c.takeEvents().size() == 3);
    CHECK(c.reissue(h, Consumer::request("A")).kind == Refusal::Kind::invalidHandle);
}

TEST_CASE("A directory stream that the provider closes", "[reactor][consumer][directory]") {
    Consumer c;
    c.ready();
    c.open("dir", Consumer::request({}, 4), {});
    c.openAnswered("A");
    c.settle();
    c.takeEvents();
    c.takeWire();
    c.provider.automatic.directory = false;
    codec::Msg m = GENERATE(true, false)
                       ? RawProvider::status(2, codec::StreamState::closedRecover, codec::DataState::suspect)
                       : RawProvider::status(2, codec::StreamState::closed, codec::DataState::suspect);
    m.domain = 4;
    c.provider.send(m);
    c.settle();
    CHECK(c.takeWire() == Strings{"REQ 2 d4 0x4"});
    CHECK(c.takeEvents().empty());
    // What is known stays so: a request goes out, a directory client is answered.
    c.openAnswered("B");
    c.open("late", Consumer::request({}, 4), {});
    c.expectEvent("late RFSH Open/Ok/0");
    c.takeEvents();
    c.provider.sendDirectoryRefresh();
    c.expectEvent("late UPD");
    CHECK(c.takeEvents() == Strings{"dir UPD", "late UPD"});
    c.provider.send(RawProvider::update(3));
    c.expectEvent("A UPD");
}

TEST_CASE("A provider that always closes the directory stream is asked now and then",
          "[reactor][consumer][directory]") {
    Consumer c;
    c.ready();
    c.settle();
    c.takeWire();
    c.provider.automatic.directory = false;
    codec::Msg bye = RawProvider::status(2, codec::StreamState::closed, codec::DataState::suspect);
    bye.domain = 4;
    for (const int wait : {0, 100, 200, 400}) {
        INFO(wait);
        c.provider.send(bye);
        if (wait != 0) {
            c.settle();
            c.clock.advance(std::chrono::milliseconds(wait - 1));
            c.settle();
            CHECK(c.provider.wire.empty());
            c.clock.advance(std::chrono::milliseconds(1));
        }
        c.until([&] { return !c.provider.wire.empty(); });
        CHECK(c.takeWire() == Strings{"REQ 2 d4 0x4"});
    }
}

TEST_CASE("A directory client needs a connection", "[reactor][consumer][directory]") {
    Consumer c;
    c.ready();
    lose(c);
    const std::lock_guard guard(c.loop->lock());
    Refusal refusal;
    CHECK(c.role->registerClient({Consumer::request({}, 4), {}}, {&c, nullptr, 0}, refusal) == 0);
    CHECK(refusal.kind == Refusal::Kind::noActiveChannel);
}

TEST_CASE("Directory clients of one service hear of its end", "[reactor][consumer][directory]") {
    Consumer c;
    c.provider.services.push_back(RawProvider::service(2, "OTHER"));
    c.ready();
    codec::Msg byId = Consumer::request({}, 4);
    byId.key.flags = codec::KeyFlag::serviceId;
    byId.key.serviceId = 2;
    c.open("all", Consumer::request({}, 4), {});
    c.open("named", Consumer::request({}, 4), "OTHER");
    c.open("by id", byId, {});
    c.open("elsewhere", Consumer::request({}, 4), "DIRECT_FEED");
    c.expectEvent("elsewhere RFSH Open/Ok/0");
    std::map<std::string, Strings> heard;  // "del 2", "add 9" ...
    c.hook = [&](const codec::Msg& m, const Recipient& to) {
        codec::MapDecoder map;
        codec::MapEntry e;
        REQUIRE(map.start(m.payload).ok());
        while (map.next(e)) {
            std::uint64_t id = 0;
            REQUIRE(codec::decodeUInt(e.key, id) == codec::Decoded::value);
            const char* what = e.action == codec::MapAction::del   ? "del "
                               : e.action == codec::MapAction::add ? "add "
                                                                   : "set ";
            heard[c.names[to.handle]].push_back(what + std::to_string(id));
        }
    };
    c.takeEvents();

    SECTION("when it is deleted; and of its return, under another id") {
        c.provider.sendServiceDelete(2);
        c.expectEvent("by id UPD");
        c.settle();
        CHECK(c.takeEvents() == Strings{"all UPD", "named UPD", "by id UPD"});
        CHECK(heard["named"] == Strings{"del 2"});
        CHECK(heard["by id"] == Strings{"del 2"});
        heard.clear();
        c.provider.sendServiceAdd(RawProvider::service(2, "THIRD"));  // its id, but not the service
        c.provider.sendServiceAdd(RawProvider::service(9, "OTHER"));
        c.until([&] { return c.count("all UPD") == 2; });
        c.settle();
        CHECK(heard["named"] == Strings{"add 9"});
        CHECK(heard["by id"] == Strings{"add 2"});
        CHECK(heard.count("elsewhere") == 0);
    }
    SECTION("when it moves to another id without a word") {
        c.provider.services[1].id = 9;
        c.provider.sendDirectoryRefresh();
        c.expectEvent("all UPD");
        c.settle();
        CHECK(heard["named"] == Strings{"del 2", "add 9"});
    }
    SECTION("when the connection is lost, once; and of its return") {
        lose(c);
        CHECK(heard["named"] == Strings{"del 2"});
        comeBack(c);
        c.settle();
        CHECK(heard["named"] == Strings{"del 2", "add 2"});
    }
    SECTION("and may leave when they do") {
        const auto told = c.hook;
        c.hook = [&](const codec::Msg& m, const Recipient& to) {
            told(m, to);
            c.close(to.handle);
        };
        c.provider.sendServiceDelete(2);
        c.expectEvent("by id UPD");
        c.settle();
        CHECK(heard["named"] == Strings{"del 2"});
    }
}
