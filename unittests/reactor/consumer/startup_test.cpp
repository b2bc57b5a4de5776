#include "fixture.h"

using namespace emissary;
using namespace emissary::test;
using Phase = ConsumerRole::Phase;

TEST_CASE("Consumer start-up", "[reactor][consumer]") {
    Consumer c;

    SECTION("asks for login, then the directory, and is ready") {
        c.ready();
        c.settle();
        REQUIRE(c.provider.wire.size() == 2);
        CHECK(c.provider.wire[0] == "REQ 1 d1 0x4 user");
        CHECK(c.provider.wire[1] == "REQ 2 d4 0x4");
        CHECK(c.role->directory().find("DIRECT_FEED") != nullptr);
    }
    SECTION("downloads both dictionaries from the first service that offers them") {
        c.options.downloadDictionaries = true;
        auto down = RawProvider::service(7, "DOWN");
        down.state.up = false;
        auto none = RawProvider::service(8, "NONE");
        none.info.dictionariesProvided.reset();
        c.provider.services.insert(c.provider.services.begin(), {down, none});
        c.ready();
        c.settle();
        REQUIRE(c.provider.wire.size() == 4);
        CHECK(c.provider.wire[2] == "REQ 3 d5 0x44 RWFFld");
        CHECK(c.provider.wire[3] == "REQ 4 d5 0x44 RWFEnum");
        REQUIRE(c.role->dictionary() != nullptr);
        const auto* bid = c.role->dictionary()->find("BID");
        REQUIRE(bid != nullptr);
        CHECK(bid->fieldId == 22);
        const auto* tick = c.role->dictionary()->find(std::int16_t{14});
        REQUIRE(tick != nullptr);
        REQUIRE(tick->enums != nullptr);
        CHECK(tick->enums->find(1)->display == "U");
    }
    SECTION("takes enumerations that arrive before the fields they belong to") {
        c.options.downloadDictionaries = true;
        c.provider.automatic.dictionary = false;
        c.start();
        const auto fields = c.expectRequest("RWFFld").streamId;
        const auto enums = c.expectRequest("RWFEnum").streamId;
        c.provider.sendDictionary(enums, false);
        c.settle();
        CHECK(c.role->phase() == Phase::dictionaries);
        c.provider.sendDictionary(fields, true);
        c.until([&] { return c.role->phase() == Phase::ready; });
        CHECK(c.role->dictionary()->find(std::int16_t{14})->enums != nullptr);
    }
    SECTION("a refused login ends it") {
        c.provider.automatic.login = false;
        c.start();
        c.expectRequest("user");
        c.provider.send([] {
            auto m = RawProvider::status(1, codec::StreamState::closed, codec::DataState::suspect, 3, "Denied");
            m.domain = 1;
            return m;
        }());
        c.until([&] { return c.role->phase() == Phase::closed; });
        CHECK(c.role->loginRefused());
        CHECK(c.role->lastReason().find("Denied") != std::string::npos);
    }
    SECTION("an unanswered login is closed and asked for again") {
        c.provider.automatic.login = false;
        c.start();
        c.expectRequest("user");
        c.clock.advance(c.options.requestTimeout);
        c.expectRequest("user");
        CHECK(c.takeWire() == std::vector<std::string>{"REQ 1 d1 0x4 user", "CLOSE 1 d1 0x0", "REQ 1 d1 0x4 user"});
    }
    SECTION("walks the channel list until one answers") {
        const std::uint16_t port = c.provider.port();
        c.provider.die();
        c.options.channels.push_back(c.options.channels[0]);
        c.options.channels[1].name = "Channel_2";
        c.start();
        c.until([&] { return c.role->counters().connects >= 1 && c.role->phase() == Phase::backingOff; });
        CHECK(c.role->lastReason().find("Channel_1") != std::string::npos);
        c.clock.advance(std::chrono::milliseconds(1000));
        c.until([&] { return c.role->counters().connects >= 2 && c.role->phase() == Phase::backingOff; });
        CHECK(c.role->lastReason().find("Channel_2") != std::string::npos);
        c.provider.listen(std::to_string(port));
        c.clock.advance(std::chrono::milliseconds(2000));
        c.until([&] { return c.role->phase() == Phase::ready; });
        CHECK(c.role->channel().name == "Channel_1");
    }
    SECTION("gives up after the configured number of attempts") {
        c.provider.die();
        c.options.reconnect.attemptLimit = 2;
        c.start();
        c.until([&] {
            c.clock.advance(std::chrono::milliseconds(500));
            return c.role->phase() == Phase::closed;
        });
        CHECK(c.role->counters().connects == 3);
        CHECK_FALSE(c.role->loginRefused());
    }
    SECTION("garbage instead of a login answer costs the connection, and the next one works") {
        c.provider.automatic.login = false;
        c.start();
        c.expectRequest("user");
        c.provider.sendGarbage("\xFF\xFF\xFF\xFF this is not RIPC at all");
        c.until([&] { return c.role->phase() == Phase::backingOff; });
        c.provider.automatic.login = true;
        c.clock.advance(std::chrono::milliseconds(1000));
        c.until([&] { return c.role->phase() == Phase::ready; });
    }
    SECTION("an undecodable directory costs the connection") {
        c.provider.automatic.directory = false;
        c.start();
        c.until([&] { return c.role->phase() == Phase::directory; });
        codec::Msg m = RawProvider::refresh(2);
        m.domain = 4;
        m.containerType = codec::DataType::Map;
        const std::byte rubbish[] = {std::byte{0xFF}, std::byte{0xFF}, std::byte{0x01}};
        m.payload = rubbish;
        c.provider.send(m);
        c.until([&] { return c.role->phase() == Phase::backingOff; });
        CHECK(c.role->counters().malformed == 1);
    }
}

TEST_CASE("Consumer shuts down in every state", "[reactor][consumer]") {
    Consumer c;
    SECTION("before the name look-up is through") {
        c.start();
    }
    SECTION("waiting for the login answer") {
        c.provider.automatic.login = false;
        c.start();
        c.expectRequest("user");
    }
    SECTION("between two attempts") {
        c.provider.die();
        c.start();
        c.until([&] { return c.role->phase() == Phase::backingOff; });
    }
    SECTION("with open items") {
        c.ready();
        c.openAnswered("IBM.N");
        c.open("TRI.N");
        c.takeWire();
        {
            const std::lock_guard guard(c.loop->lock());
            c.role->shutdown();
        }
        REQUIRE(turnUntil([&] { return !c.provider.connected(); }, [&] { c.provider.poll(10); }));
        REQUIRE_FALSE(c.provider.wire.empty());
        CHECK(c.provider.wire.back() == "CLOSE 1 d1 0x0");  // and no close for each item
    }
}

TEST_CASE("Login clients", "[reactor][consumer]") {
    Consumer c;
    c.ready();
    c.settle();
    c.takeWire();

    SECTION("a late one gets the cached refresh, rewritten, and nothing goes on the wire") {
        reactor::rdm::LoginAttributes seen;
        c.hook = [&](const codec::Msg& m, const Recipient&) {
            if (m.cls == codec::MsgClass::Refresh) CHECK(reactor::rdm::decodeLogin(m.key, seen).ok());
        };
        c.open("login", Consumer::request("user", 1), {});
        c.expectEvent("login RFSH Open/Ok/0");
        CHECK(seen.singleOpen == 1u);
        CHECK(seen.supportBatch == 1u);
        CHECK(seen.supportEnhancedSymbolList == 1u);
        CHECK(seen.supportPost == 1u);
        c.settle();
        CHECK(c.provider.wire.empty());
    }
    SECTION("everyone gets unsolicited messages and generics") {
        c.open("a", Consumer::request("user", 1), {});
        c.open("b", Consumer::request("user", 1), {});
        c.expectEvent("b RFSH Open/Ok/0");
        c.takeEvents();
        codec::Msg g;
        g.cls = codec::MsgClass::Generic;
        g.domain = 1;
        g.streamId = 1;
        c.provider.send(g);
        c.expectEvent("b GEN");
        CHECK(c.takeEvents() == std::vector<std::string>{"a GEN", "b GEN"});
    }
    SECTION("reissue: pause all, resume all; the user must stay the same") {
        const Handle h = c.open("login", Consumer::request("user", 1), {});
        codec::Msg m = Consumer::request("user", 1);
        m.flags |= codec::RequestFlag::pause | codec::RequestFlag::noRefresh;
        CHECK_FALSE(c.reissue(h, m));
        m.flags = codec::RequestFlag::streaming | codec::RequestFlag::noRefresh;
        CHECK_FALSE(c.reissue(h, m));
        c.settle();
        CHECK(c.takeWire() == std::vector<std::string>{"REQ 1 d1 0x224 user", "REQ 1 d1 0x24 user"});
        m.key.name = eta::asBytes("somebody else");
        CHECK(c.reissue(h, m).kind == Refusal::Kind::invalidData);
    }
}

TEST_CASE("Round-trip probes are answered before the application sees them", "[reactor][consumer]") {
    Consumer c;
    c.options.login.enableRtt = true;
    c.ready();
    c.settle();
    c.takeWire();
    c.open("login", Consumer::request("user", 1), {});
    reactor::GrowingBuffer b;
    codec::ElementListEncoder list;
    list.begin(b.start());
    list.addUInt("Ticks", 123456);
    REQUIRE(list.complete().ok());
    codec::Msg g;
    g.cls = codec::MsgClass::Generic;
    g.domain = 1;
    g.streamId = 1;
    g.containerType = codec::DataType::ElementList;
    g.payload = b.view();
    c.provider.send(g);
    c.expectEvent("login GEN");
    c.until([&] { return !c.provider.inbox.empty(); });
    const auto answer = c.provider.take();
    codec::ElementListDecoder in;
    REQUIRE(in.start(answer->msg.payload).ok());
    codec::ElementEntry e;
    REQUIRE(in.next(e));
    CHECK(eta::asText(e.name) == "Ticks");
    std::uint64_t ticks = 0;
    REQUIRE(codec::decodeUInt(e.data, ticks) == codec::Decoded::value);
    CHECK(ticks == 123456);
}

TEST_CASE("A dictionary without end is given up", "[reactor][consumer][dictionary]") {
    Consumer c;
    c.options.downloadDictionaries = true;
    c.provider.automatic.dictionary = false;
    const auto warned = [&](std::string_view part) {
        return std::any_of(c.warnings.begin(), c.warnings.end(),
                           [&](const std::string& w) { return w.find(part) != std::string::npos; });
    };
    /// Enumerations, part after part; held back as long as the fields they belong to are missing.
    const auto part = [&](std::int32_t stream) {
        eta::dictionary::Dictionary::Part p;
        reactor::GrowingBuffer payload;
        REQUIRE(c.provider.dictionary.encodeEnums(payload.start(), 7, 8192, p).ok());
        codec::Msg m = RawProvider::refresh(stream);
        m.domain = 5;
        m.flags = codec::RefreshFlag::solicited;
        m.containerType = codec::DataType::Series;
        m.payload = payload.view();
        c.provider.send(m);
    };
    SECTION("when its parts are too large together") {
        c.options.maxDictionaryBytes = 4096;
        c.start();
        const std::int32_t stream = c.expectRequest("RWFEnum").streamId;
        c.until([&] {
            part(stream);
            return warned("larger than 4096 bytes");
        });
        c.until([&] { return !c.provider.wire.empty() && c.provider.wire.back().starts_with("CLOSE"); });
    }
    SECTION("when it is not complete in time") {
        c.options.requestTimeout = std::chrono::milliseconds(0);
        c.options.dictionaryTimeout = std::chrono::milliseconds(5000);
        c.start();
        const std::int32_t stream = c.expectRequest("RWFEnum").streamId;
        part(stream);
        c.settle();
        CHECK(c.warnings.empty());
        c.clock.advance(std::chrono::milliseconds(5000));
        c.until([&] { return warned("within 5000 ms"); });
    }
    SECTION("another directory change asks again, and a good one is taken") {
        c.options.maxDictionaryBytes = 4096;
        c.start();
        const std::int32_t fields = c.expectRequest("RWFFld").streamId;
        const std::int32_t stream = c.expectRequest("RWFEnum").streamId;
        c.until([&] {
            part(stream);
            return warned("larger than 4096 bytes");
        });
        c.settle();
        c.provider.sendServiceState(1, true, true);
        const std::int32_t again = c.expectRequest("RWFEnum").streamId;
        c.provider.sendDictionary(again, false);
        c.provider.sendDictionary(fields, true);
        c.until([&] { return c.role->phase() == Phase::ready; });
        CHECK(c.role->dictionary()->find(std::int16_t{14})->enums != nullptr);
    }
}

TEST_CASE("A login refresh is completed with what its silence means", "[reactor][consumer]") {
    Consumer c;
    std::map<std::string, std::uint64_t> shown;
    c.hook = [&](const codec::Msg& m, const Recipient&) {
        if (m.cls != codec::MsgClass::Refresh || m.domain != 1) return;
        codec::ElementListDecoder list;
        REQUIRE(list.start(m.key.attrib).ok());
        codec::ElementEntry e;
        while (list.next(e)) {
            std::uint64_t v = 0;
            if (e.type == codec::DataType::UInt && codec::decodeUInt(e.data, v) == codec::Decoded::value)
                shown[std::string(eta::asText(e.name))] = v;
        }
    };
    c.provider.automatic.login = false;
    c.start();
    c.open("login", Consumer::request("user", 1), {});
    c.expectRequest("user");
    codec::Msg m = RawProvider::refresh(1);
    m.domain = 1;
    m.flags |= codec::RefreshFlag::msgKey;
    m.key.flags = codec::KeyFlag::name;
    m.key.name = eta::asBytes("user");
    reactor::rdm::LoginAttributes said;
    SECTION("nothing is said") {}
    SECTION("what is said stays") {
        said.permissionProfile = 0;
    }
    reactor::GrowingBuffer buffer;
    REQUIRE(reactor::rdm::encodeLogin(buffer.start(), said).ok());
    m.key.flags |= codec::KeyFlag::attrib;
    m.key.attribType = codec::DataType::ElementList;
    m.key.attrib = buffer.view();
    c.provider.send(m);
    c.expectEvent("login RFSH Open/Ok/0");
    CHECK(shown ==
          std::map<std::string, std::uint64_t>{{"AllowSuspectData", 1},
                                               {"ProvidePermissionExpressions", 1},
                                               {"ProvidePermissionProfile", said.permissionProfile.value_or(1)},
                                               {"SingleOpen", 1},
                                               {"SupportBatchRequests", 1},
                                               {"SupportEnhancedSymbolList", 1}});
}

TEST_CASE("What a provider says cannot steer a terminal", "[reactor][consumer]") {
    Consumer c;
    c.provider.automatic.login = false;
    c.start();
    c.expectRequest("user");
    c.provider.send([] {
        auto m = RawProvider::status(1, codec::StreamState::closed, codec::DataState::suspect, 3, "No\x1b[2Jway\n!");
        m.domain = 1;
        return m;
    }());
    c.until([&] { return c.role->phase() == Phase::closed; });
    CHECK(c.role->lastReason().find("No\\x1B[2Jway\\x0A!") != std::string::npos);
    for (const std::string& line : c.connection)
        CHECK(line.find('\x1b') == std::string::npos);
}
