// The start of a consumer role: login, directory, and its end.
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
        c.clock.advance(std::chrono::milliseconds(1500));
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
        c.clock.advance(std::chrono::milliseconds(1500));
        c.until([&] { return c.role->phase() == Phase::ready; });
    }
    SECTION("an element of the login answer that cannot be read costs itself alone") {
        c.provider.automatic.login = false;
        c.start();
        c.expectRequest("user");
        reactor::GrowingBuffer room;
        codec::ElementListEncoder list;
        list.begin(room.start());
        list.addUInt("SupportOMMPost", 1);
        list.addAscii("SupportViewRequests", "perhaps");
        list.add("SingleOpen", codec::DataType::Date, eta::asBytes(std::string_view("\1\1\1\1", 4)));
        REQUIRE(list.complete().ok());
        codec::Msg m = RawProvider::refresh(1);
        m.domain = 1;
        m.flags |= codec::RefreshFlag::msgKey;
        m.key.flags = codec::KeyFlag::name | codec::KeyFlag::attrib;
        m.key.name = eta::asBytes(std::string_view("user"));
        m.key.attribType = codec::DataType::ElementList;
        m.key.attrib = room.view();
        c.provider.send(m);
        c.until([&] { return c.role->phase() == Phase::ready; });
        CHECK(c.role->provider().supportPost == 1u);
        CHECK_FALSE(c.role->provider().supportView);
        CHECK(c.role->counters().disconnects == 0);
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

TEST_CASE("A directory in several parts", "[reactor][consumer][directory]") {
    Consumer c;
    c.provider.automatic.directory = false;
    // One part: these services.
    const auto part = [&](const std::vector<std::pair<std::uint16_t, const char*>>& services, bool first, bool last) {
        reactor::rdm::Directory d;
        for (const auto& [id, name] : services)
            REQUIRE(d.add(RawProvider::service(id, name)));
        reactor::GrowingBuffer payload;
        REQUIRE(d.encode(payload.start(), {}).ok());
        codec::Msg m = RawProvider::refresh(2, codec::StreamState::open, true, last);
        m.domain = 4;
        if (first) m.flags |= codec::RefreshFlag::clearCache;
        m.containerType = services.empty() ? codec::DataType::NoData : codec::DataType::Map;
        if (!services.empty()) m.payload = payload.view();
        c.provider.send(m);
    };
    c.start();
    c.until([&] { return c.role->phase() == Phase::directory; });
    part({{1, "ONE"}, {2, "TWO"}}, true, false);
    c.settle();
    CHECK(c.role->phase() == Phase::directory);
    c.open("dir", Consumer::request({}, 4), {});
    SECTION("is complete with its last part; start-up and clients wait for it") {
        c.settle();
        CHECK(c.events.empty());
        part({{3, "THREE"}}, false, true);
        c.until([&] { return c.role->phase() == Phase::ready; });
        c.expectEvent("dir RFSH Open/Ok/0");
        CHECK(c.role->directory().services().size() == 3);

        // A new image takes away what none of its parts names, and that when the last one is there.
        c.open("A", Consumer::request("A"), "ONE");
        c.open("B", Consumer::request("B"), "TWO");
        c.expectRequest("B");
        c.takeEvents();
        part({{3, "THREE"}}, true, false);
        c.settle();
        CHECK(c.role->directory().services().size() == 3);
        part({{1, "ONE"}}, false, true);
        c.expectEvent("B STAT Open/Suspect/0");
        CHECK(c.count("A STAT Open/Suspect/0") == 0);
        CHECK(c.count("dir UPD") == 3);  // a part, the service that went, the other part
        CHECK(c.role->directory().find("TWO") == nullptr);
    }
    SECTION("the last of which is empty") {
        part({}, false, true);
        c.until([&] { return c.role->phase() == Phase::ready; });
        CHECK(c.role->directory().services().size() == 2);
    }
    SECTION("a connection that is lost between two parts starts anew") {
        c.provider.disconnect();
        c.until([&] { return c.role->phase() == Phase::backingOff; });
        c.clock.advance(std::chrono::milliseconds(1500));
        c.until([&] { return c.role->phase() == Phase::directory; });
        part({{4, "FOUR"}}, true, true);
        c.until([&] { return c.role->phase() == Phase::ready; });
        CHECK(c.role->directory().services().size() == 1);
    }
}

TEST_CASE("Directory updates that carry a part of a filter entry", "[reactor][consumer][directory]") {
    Consumer c;
    c.ready();
    c.openAnswered("IBM.N");
    c.open("dir", Consumer::request({}, 4), {});
    c.expectEvent("dir RFSH Open/Ok/0");
    c.takeEvents();
    const auto send = [&](std::uint8_t action, std::uint8_t filter,
                          const std::function<void(codec::ElementListEncoder&)>& elements) {
        c.provider.sendServiceUpdate(1, [&](codec::FilterListEncoder& list) {
            reactor::GrowingBuffer content;
            codec::ElementListEncoder e;
            e.begin(content.start());
            elements(e);
            REQUIRE(e.complete().ok());
            list.add(action, filter, codec::DataType::ElementList, content.view());
        });
        c.settle();
        REQUIRE(c.role->phase() == Phase::ready);
    };
    const auto service = [&]() -> const reactor::rdm::Service& { return *c.role->directory().find("DIRECT_FEED"); };
    const std::uint8_t action = GENERATE(codec::FilterAction::update, codec::FilterAction::set);
    const bool update = action == codec::FilterAction::update;

    send(action, 1, [](auto& e) { e.addAscii("Vendor", "somebody"); });
    CHECK(service().info.vendor == "somebody");
    CHECK(service().info.capabilities == std::vector<std::uint8_t>{5, 6, 7, 10});
    CHECK(service().info.dictionariesProvided.has_value() == update);
    send(action, 1, [](auto& e) {
        e.beginElement("DictionariesProvided", codec::DataType::Array);
        codec::ArrayEncoder array;
        array.begin(e.writer(), codec::DataType::AsciiString);
        array.addAscii("RWFFld");
        REQUIRE(array.complete().ok());
        e.endElement();
    });
    CHECK(service().info.dictionariesProvided == std::vector<std::string>{"RWFFld"});
    CHECK(service().info.vendor.has_value() == update);
    send(action, 2, [](auto& e) { e.addUInt("AcceptingRequests", 0); });
    CHECK(service().state.up);
    CHECK_FALSE(service().state.acceptingRequests());
    CHECK(c.count("IBM.N STAT Open/Suspect/0") == 0);
    send(action, 2, [](auto& e) {
        e.element("Status", codec::DataType::State);
        codec::encodeStatePrefixed(e.writer(), {codec::StreamState::open, codec::DataState::suspect, 9, {}});
    });
    CHECK(service().state.up);
    CHECK(c.count("IBM.N STAT Open/Suspect/9") == 1);
    CHECK(c.warnings.empty());
    CHECK(c.count("dir UPD") == 4);

    // What cannot be used costs itself alone.
    const auto warned = [&](const char* text) {
        const bool found = !c.warnings.empty() && c.warnings.back().find(text) != std::string::npos;
        UNSCOPED_INFO((c.warnings.empty() ? std::string("no warning") : c.warnings.back()));
        c.warnings.clear();
        return found;
    };
    send(action, 3, [](auto& e) { e.addUInt("Other", 1); });
    CHECK(warned("service id 1: Group: it names no group"));
    send(action, 4, [](auto& e) {
        e.addAscii("OpenLimit", "many");
        e.addUInt("OpenWindow", 7);
    });
    CHECK(warned("service id 1: Load: element 'OpenLimit' has a type that it cannot have"));
    CHECK(service().load.openWindow == 7u);
    send(9, 2, [](auto& e) { e.addUInt("ServiceState", 0); });
    CHECK(warned("service id 1: State: "));
    CHECK(service().state.up);
    c.provider.sendServiceUpdate(1, [&](codec::FilterListEncoder& list) {
        const std::byte rubbish[] = {std::byte{0x08}, std::byte{0}, std::byte{9}, std::byte{1}};
        list.add(codec::FilterAction::update, 4, codec::DataType::ElementList, rubbish);
        const std::byte none[] = {std::byte{0x08}, std::byte{0}, std::byte{0}};
        list.add(codec::FilterAction::update, 5, codec::DataType::ElementList, none);
    });
    c.settle();
    CHECK(warned("service id 1: Load: the entry cannot be used"));
    CHECK(service().load.openWindow == 7u);
    CHECK(service().has(reactor::rdm::DirectoryFilter::data));
    CHECK(c.role->counters().malformed == 0);
}

TEST_CASE("A server that takes the login and answers no directory request", "[reactor][consumer][directory]") {
    Consumer c;
    RawProvider second;
    c.others.push_back(&second);
    c.options.channels.push_back({{"Channel_2", Consumer::connectOptions(second.port())}});
    c.options.directory.timeout = std::chrono::seconds(20);
    c.provider.automatic.directory = false;
    const auto asked = [](RawProvider& p) {
        return std::count_if(p.wire.begin(), p.wire.end(),
                             [](const std::string& l) { return l.starts_with("REQ 2 d4"); });
    };
    SECTION("is given up for the next one") {
        c.start();
        c.until([&] { return asked(c.provider) == 1; });
        c.clock.advance(std::chrono::milliseconds(19'999));
        c.settle();
        CHECK(c.role->phase() == Phase::directory);
        c.clock.advance(std::chrono::milliseconds(1));
        c.until([&] { return c.role->phase() != Phase::directory; });
        CHECK(c.role->lastReason().find("the directory request was not answered in time") != std::string::npos);
        c.later([&] { return c.role->phase() == Phase::ready; });
        CHECK(c.role->channel().name == "Channel_2");
    }
    SECTION("also when it has ended the stream and was asked again") {
        c.start();
        c.until([&] { return asked(c.provider) == 1; });
        c.clock.advance(std::chrono::seconds(10));
        codec::Msg bye = RawProvider::status(2, codec::StreamState::closed, codec::DataState::suspect);
        bye.domain = 4;
        c.provider.send(bye);
        c.until([&] { return asked(c.provider) == 2; });
        c.clock.advance(std::chrono::seconds(10));
        c.until([&] { return c.role->phase() != Phase::directory; });
        c.later([&] { return c.role->phase() == Phase::ready; });
        CHECK(c.role->channel().name == "Channel_2");
    }
    SECTION("not when it answers: the time is over then") {
        c.start();
        c.until([&] { return asked(c.provider) == 1; });
        c.provider.sendDirectoryRefresh();
        c.until([&] { return c.role->phase() == Phase::ready; });
        c.clock.advance(std::chrono::seconds(60));
        c.settle();
        CHECK(c.role->phase() == Phase::ready);
        CHECK(c.role->channel().name == "Channel_1");
    }
    SECTION("not when its answer has come, and nobody has dispatched for longer than the limit") {
        c.start();
        c.until([&] { return asked(c.provider) == 1; });
        c.provider.sendDirectoryRefresh();
        c.clock.advance(std::chrono::minutes(1));
        c.until([&] { return c.role->phase() != Phase::directory; });
        CHECK(c.role->phase() == Phase::ready);
        CHECK(c.role->channel().name == "Channel_1");
        CHECK(c.provider.connections == 1);
    }
    SECTION("not without a limit") {
        c.options.directory.timeout = {};
        c.start();
        c.until([&] { return asked(c.provider) == 1; });
        c.clock.advance(std::chrono::hours(1));
        c.provider.sendDirectoryRefresh();
        c.until([&] { return c.role->phase() == Phase::ready; });
    }
}
