// A consumer behind a faulty wire: crumbs, cuts, spoilt bytes, stalls, garbage, restarts (session.md 4.8 and 6).
#include "eta/codec/Msg.h"
#include "fixture.h"
#include "payloads.h"
#include "support/Relay.h"

using namespace emissary;
using namespace emissary::test;
using namespace std::chrono_literals;
using Strings = std::vector<std::string>;
using Phase = ConsumerRole::Phase;

namespace {

/// Provider and consumer with a relay between them.
struct FaultyLine : Consumer {
    Relay relay{provider.port()};
    FaultyLine() {
        options.channels[0].connect = connectOptions(relay.port());
        options.downloadDictionaries = true;
        provider.automatic.items = true;
        pump = [this] { relay.pump(); };
    }
    /// Tries to connect once more, until that has failed or succeeded or takes longer than `patience`.
    void attempt(std::chrono::milliseconds patience) {
        const auto before = role->counters().connects;
        until([&] {
            if (role->phase() == Phase::backingOff) clock.advance(5000ms);
            return role->counters().connects > before;
        });
        const auto over = [this] { return role->phase() == Phase::backingOff || role->phase() == Phase::ready; };
        static_cast<void>(turnUntil(
            over, [this] { turn(); }, patience));
    }
    /// The wire is whole again: everybody has an image.
    void heals(const Strings& items) {
        relay.fromClient = relay.fromServer = {};
        relay.cut();
        takeEvents();
        until([&] {
            if (role->phase() == Phase::backingOff) clock.advance(5000ms);
            return std::all_of(items.begin(), items.end(),
                               [&](const std::string& i) { return count(i + " RFSH Open/Ok/0") != 0; });
        });
        for (const std::string& e : events)
            CHECK(e.find("Closed") == std::string::npos);
    }
};

}  // namespace

TEST_CASE("A wire that crumbles changes nothing", "[reactor][consumer][fault]") {
    for (const std::size_t crumb : {1u, 2u, 3u, 7u}) {
        INFO("at most " << crumb << " bytes at once");
        FaultyLine c;
        c.relay.fromClient.crumb = c.relay.fromServer.crumb = crumb;
        c.ready();
        CHECK(c.role->dictionary()->find("BID") != nullptr);
        const Handle a = c.open("A");
        c.expectEvent("A RFSH Open/Ok/0");
        const std::vector<std::byte> large(9000, std::byte{0x55});  // several fragments
        codec::Msg update = RawProvider::update(5);
        update.containerType = codec::DataType::Opaque;
        update.payload = Bytes(large);
        bool whole = false;
        c.hook = [&](const codec::Msg& m, const Recipient&) {
            whole = std::equal(m.payload.begin(), m.payload.end(), large.begin(), large.end());
        };
        c.provider.send(update);
        c.expectEvent("A UPD");
        CHECK(whole);
        codec::Msg post;
        post.cls = codec::MsgClass::Post;
        post.flags = codec::PostFlag::complete;
        post.containerType = codec::DataType::Opaque;
        post.payload = Bytes(large);
        CHECK_FALSE(c.post(a, post));
        c.until([&] { return c.provider.wire.back().starts_with("POST 5"); });
        CHECK(c.provider.inbox.back().msg.payload.size() == large.size());
        CHECK(c.role->counters().disconnects == 0);
    }
}

TEST_CASE("A wire cut after any byte", "[reactor][consumer][fault]") {
    FaultyLine c;
    c.ready();
    c.open("A");
    c.open("B");
    c.expectEvent("B RFSH Open/Ok/0");
    c.heals({"A", "B"});  // from the second connection on all are alike: the dictionaries are there
    const std::size_t down = c.relay.passedFromServer(), up = c.relay.passedFromClient();
    c.relay.cut();
    c.until([&] { return c.role->phase() == Phase::backingOff; });
    SECTION("on the way to the consumer") {
        for (std::size_t n = 1; n < down; n += n < 80 ? 1 : 5) {
            c.relay.fromServer.cutAfter = n;
            c.attempt(10s);
            c.until([&] { return c.role->phase() == Phase::backingOff; });
        }
    }
    SECTION("on the way to the provider") {
        for (std::size_t n = 1; n < up; n += n < 80 ? 1 : 3) {
            c.relay.fromClient.cutAfter = n;
            c.attempt(10s);
            c.until([&] { return c.role->phase() == Phase::backingOff; });
        }
    }
    c.heals({"A", "B"});
    CHECK(c.role->counters().malformed == 0);
}

TEST_CASE("A wire that spoils any one byte on its way to the consumer", "[reactor][consumer][fault]") {
    // An inverted byte may also say that the login or an item is closed for good, in all form: then those are over.
    std::unique_ptr<FaultyLine> c;
    std::size_t all = 1;
    int over = 0;
    for (std::size_t n = 0; n < all; n += 3) {
        if (!c) {
            c = std::make_unique<FaultyLine>();
            c->ready();
            c->open("A");
            c->open("B");
            c->heals({"A", "B"});
            all = c->relay.passedFromServer();
            c->relay.cut();
        }
        c->until([&] {
            c->relay.cut();  // also one that was under way only a moment ago
            return c->role->phase() == Phase::backingOff;
        });
        c->relay.fromServer.spoilAt = n;
        c->attempt(20ms);
        c->relay.cut();
        if (c->role->phase() != Phase::closed) continue;
        c.reset();
        ++over;
    }
    CHECK(all > 200);
    CHECK(over < 3);
    REQUIRE(c);
    c->open("C");
    c->heals({"C"});
}

TEST_CASE("A peer that stops in the middle of a message", "[reactor][consumer][fault]") {
    FaultyLine c;
    c.ready();
    c.open("A");
    c.expectEvent("A RFSH Open/Ok/0");
    c.takeEvents();
    SECTION("of its own: the ping timeout ends the connection") {
        c.relay.fromServer.stallAfter = c.relay.passedFromServer() + 5;
        c.provider.send(RawProvider::update(5));
    }
    SECTION("of the consumer's: answers do not come, nor do pings") {
        c.relay.fromClient.stallAfter = c.relay.passedFromClient() + 5;
        c.relay.fromServer.stallAfter = c.relay.passedFromServer();
        c.open("B");
    }
    SECTION("in its handshake: the initialization timeout ends the attempt") {
        c.relay.cut();
        c.until([&] { return c.role->phase() == Phase::backingOff; });
        c.relay.fromServer.stallAfter = 3;
        c.attempt(10ms);
        CHECK(c.role->phase() == Phase::connecting);
        c.takeEvents();
    }
    c.until([&] {
        c.clock.advance(1500ms);
        return c.role->phase() == Phase::backingOff;
    });
    CHECK(c.count("A UPD") == 0);
    c.heals({"A"});
}

TEST_CASE("A peer that stops reading", "[reactor][consumer][fault]") {
    Consumer c;
    c.options.channels[0].connect.sysSendBufSize = 4096;
    c.options.channels[0].connect.guaranteedOutputBuffers = 5;
    c.ready();
    const Handle first = c.openAnswered("FIRST");
    c.takeWire();
    // Nobody reads: the sockets fill up, then the output buffers.
    constexpr int kItems = 60000;
    std::vector<std::string> names;
    for (int i = 0; i < kItems; ++i)
        names.push_back("A_RATHER_LONG_ITEM_NAME_" + std::to_string(i));
    std::vector<Handle> handles;
    for (const std::string& n : names)
        handles.push_back(c.open("item", Consumer::request(n)));
    codec::Msg post;
    post.cls = codec::MsgClass::Post;
    post.flags = codec::PostFlag::complete;
    CHECK(c.post(first, post).kind == Refusal::Kind::noBuffers);

    SECTION("and goes on after a while: every request arrives, once, in order") {
        c.until([&] {
            c.clock.advance(1ms);
            return c.provider.wire.size() >= kItems;
        });
        REQUIRE(c.provider.wire.size() == kItems);
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < names.size(); ++i)
            if (!c.provider.wire[i].ends_with(" " + names[i])) ++wrong;
        CHECK(wrong == 0);
        CHECK_FALSE(c.post(first, post));
    }
    SECTION("requests that were closed meanwhile are closed behind their opening") {
        for (const Handle h : handles)
            c.close(h);
        c.until([&] {
            c.clock.advance(1ms);
            return c.provider.wire.size() >= 2 * std::size_t{kItems};
        });
        CHECK(c.provider.wire.back().starts_with("CLOSE "));
        CHECK_FALSE(c.post(first, post));
    }
    SECTION("and dies: all comes back on the next connection") {
        c.provider.die();
        c.until([&] { return c.role->phase() == Phase::backingOff; });
        c.provider.revive();
        c.takeWire();
        c.provider.inbox.clear();
        c.provider.automatic.items = true;
        c.takeEvents();
        c.until([&] {
            c.clock.advance(c.role->phase() == Phase::backingOff ? 5000ms : 1ms);
            return c.count("item RFSH Open/Ok/0") == kItems;
        });
        CHECK(c.count("FIRST RFSH Open/Ok/0") == 1);
    }
}

TEST_CASE("A provider that causes answers and reads none of them", "[reactor][consumer][fault]") {
    Consumer c;
    c.options.channels[0].connect.guaranteedOutputBuffers = 5;
    c.options.channels[0].connect.sysSendBufSize = 8192;
    c.ready();
    c.settle();
    std::int32_t stream = 1000;
    const auto provoke = [&] {
        for (int i = 0; i < 100; ++i)  // each is answered with a close
            c.provider.send(RawProvider::status(++stream, codec::StreamState::closed, codec::DataState::suspect));
        c.loop->dispatch(std::chrono::microseconds(0), 200);
    };
    REQUIRE(turnUntil([&] { return c.role->counters().answersDropped != 0; }, provoke, std::chrono::seconds(60)));
    CHECK(c.role->phase() == ConsumerRole::Phase::ready);
    c.until([&] {  // it reads again; what waited goes out by and by
        c.clock.advance(1ms);
        return c.provider.wire.size() > 1000 && !c.role->congested();
    });
    c.openAnswered("A");
}

TEST_CASE("Garbage from the provider after the login", "[reactor][consumer][fault]") {
    FaultyLine c;
    c.ready();
    c.open("login", Consumer::request("user", 1), {});
    c.open("A");
    c.expectEvent("A RFSH Open/Ok/0");
    c.expectEvent("login RFSH Open/Ok/0");
    c.takeEvents();
    const auto bytes = [](std::initializer_list<int> values) {
        std::vector<std::byte> b;
        for (const int v : values)
            b.push_back(static_cast<std::byte>(v));
        return b;
    };
    SECTION("in place of a frame") {
        const std::string what =
            GENERATE(as<std::string>{}, std::string(64, '\xEE'), std::string(64, '\0'), "GET / HTTP/1.1\r\n\r\n",
                     std::string("\x00\x02\x02", 3), std::string("\x00\x08\x77zzzzz", 8));
        c.provider.sendGarbage(what);
        c.until([&] { return c.role->phase() == Phase::backingOff; });
    }
    SECTION("a login message that cannot be decoded") {
        c.provider.sendBytes(bytes({0, 10, 2, 1, 0, 0, 0, 1, 0x80}));
        c.until([&] { return c.role->phase() == Phase::backingOff; });
        CHECK(c.role->counters().malformed == 1);
    }
    SECTION("login attributes that are none") {
        codec::Msg m = c.provider.loginRefresh();
        const std::vector<std::byte> rubbish = bytes({0x08, 0xFF, 0xFF, 1});
        m.key.attrib = rubbish;
        c.provider.send(m);
        c.until([&] { return c.role->phase() == Phase::backingOff; });
        CHECK(c.role->counters().malformed == 1);
    }
    SECTION("a directory update that is none") {
        codec::Msg m = RawProvider::update(2);
        m.domain = 4;
        m.containerType = codec::DataType::Map;
        const std::vector<std::byte> rubbish = bytes({0xFF, 0xFF, 1});
        m.payload = rubbish;
        c.provider.send(m);
        c.until([&] { return c.role->phase() == Phase::backingOff; });
        CHECK(c.role->counters().malformed == 1);
    }
    CHECK(c.events.front() == "login STAT Open/Suspect/0");
    CHECK(c.count("A STAT Open/Suspect/0") == 1);
    c.heals({"A", "login"});
}

TEST_CASE("Messages that make no sense where they come cost nothing", "[reactor][consumer][fault]") {
    Consumer c;
    c.ready();
    c.openAnswered("A");
    c.settle();
    c.takeEvents();
    c.takeWire();
    codec::Msg m;
    for (const codec::MsgClass cls : {codec::MsgClass::Request, codec::MsgClass::Close, codec::MsgClass::Post}) {
        for (const std::int32_t stream : {1, 2, 3, 4711, -1}) {
            m = {};
            m.cls = cls;
            m.streamId = stream;
            c.provider.send(m);
        }
    }
    m = {};
    m.cls = codec::MsgClass::Ack;
    m.streamId = 3;
    m.ackId = 7;
    c.provider.send(m);  // nobody posted
    m.streamId = 1;
    c.provider.send(m);
    c.provider.send(RawProvider::update(3));
    c.expectEvent("A UPD");
    CHECK(c.takeEvents() == Strings{"A UPD"});
    c.settle();
    CHECK(c.takeWire().empty());
    CHECK(c.warnings.size() == 3);  // the item's stream; elsewhere they are dropped in silence
    CHECK(c.role->counters().disconnects == 0);
}

TEST_CASE("States that are none end their item's stream, which is asked for again, and nothing else",
          "[reactor][consumer][fault]") {
    const std::uint8_t stream = GENERATE(std::uint8_t{1}, std::uint8_t{6}, std::uint8_t{31});
    for (std::uint8_t data = 0; data <= 7; ++data) {
        if (stream == 1 && data <= 2) continue;
        INFO("stream " << int{stream} << ", data " << int{data});
        Consumer c;
        c.ready();
        c.openAnswered("A");
        c.openAnswered("B");
        c.settle();
        c.takeEvents();
        c.takeWire();
        codec::Msg m = data % 2 == 0 ? RawProvider::status(3, stream, data) : RawProvider::refresh(3, stream);
        m.state.data = data;
        c.hook = [](const codec::Msg& told, const Recipient&) {
            if (told.hasState()) CHECK(codec::isDefined(told.state));
        };
        c.provider.send(m);
        c.provider.send(RawProvider::update(4));
        c.expectEvent("B UPD");
        // On the streams of login and directory such a message is nothing.
        for (const std::int32_t id : {1, 2}) {
            m.streamId = id;
            m.domain = id == 1 ? 1 : 4;
            c.provider.send(m);
        }
        c.provider.send(RawProvider::update(4));
        c.until([&] { return c.count("B UPD") == 2; });
        const Strings events = c.takeEvents();
        CHECK(
            std::none_of(events.begin(), events.end(), [](const std::string& e) { return e.rfind("login", 0) == 0; }));
        CHECK(c.role->counters().malformed == 3);
        CHECK(c.role->counters().disconnects == 0);
        CHECK(c.warnings.size() == 1);
    }
}

TEST_CASE("The provider restarts in the middle of a batch", "[reactor][consumer][fault][batch]") {
    Consumer c;
    c.ready();
    std::map<std::string, Handle> parents, handles;
    c.hook = [&](const codec::Msg& got, const Recipient& to) {
        if (!got.hasKey() || to.parent == 0) return;
        parents[std::string(eta::asText(got.key.name))] = to.parent;
        handles[std::string(eta::asText(got.key.name))] = to.handle;
    };
    const Payload three = Payload::batch({"A", "B", "C"});
    codec::Msg m = Consumer::request({});
    m.key.flags = 0;
    m.flags |= codec::RequestFlag::batch;
    three.in(m);
    const Handle batch = c.open("batch", m);
    c.provider.send(RawProvider::refresh(c.expectRequest("A").streamId));
    c.until([&] { return parents.count("A") == 1; });
    c.expectRequest("B");
    c.expectRequest("C");
    CHECK(parents["A"] == batch);
    const Handle a = handles["A"];
    c.provider.die();
    c.until([&] { return c.role->phase() == Phase::backingOff; });
    CHECK(parents.size() == 3);  // all were told that they wait
    CHECK(c.count("batch STAT Closed/Ok/0") == 1);
    c.provider.revive();
    c.takeWire();
    c.clock.advance(1500ms);
    for (const char* name : {"A", "B", "C"}) {
        const codec::Msg again = c.expectRequest(name);
        CHECK_FALSE(again.has(codec::RequestFlag::batch));
        c.provider.send(RawProvider::refresh(again.streamId));
    }
    parents.clear();
    c.until([&] { return parents.size() == 3; });
    for (const auto& [name, parent] : parents)
        CHECK(parent == batch);
    CHECK(handles["A"] == a);
    // The batch lives as long as one of its items.
    for (const auto& [name, handle] : handles)
        c.close(handle);
    {
        const std::lock_guard guard(c.loop->lock());
        CHECK_FALSE(c.role->unregister(batch));  // unknown by now
    }
    c.settle();
    CHECK(c.provider.wire.back() == "CLOSE 8 d6 0x0");
}

TEST_CASE("A directory update that is no map of services costs itself alone", "[reactor][consumer][fault]") {
    Consumer c;
    c.ready();
    c.openAnswered("A");
    reactor::GrowingBuffer map;
    codec::MapEncoder names;
    names.begin(map.start(), {}, codec::DataType::AsciiString);
    names.add(codec::MapAction::del, eta::asBytes(std::string_view("1")), {});
    REQUIRE(names.complete().ok());
    codec::Msg m = RawProvider::update(2);
    m.domain = 4;
    m.payload = map.view();
    for (const auto type : {codec::DataType::Map, codec::DataType::Opaque}) {
        m.containerType = type;
        c.provider.send(m);
        c.until([&] { return !c.warnings.empty(); });
        CHECK(c.warnings.back().find("no map of services") != std::string::npos);
        c.warnings.clear();
    }
    c.provider.send(RawProvider::update(3));
    c.expectEvent("A UPD");
    CHECK(c.role->counters().malformed == 0);
    CHECK(c.role->counters().disconnects == 0);
}

TEST_CASE("What a provider said before it went away is heard although requests fail", "[reactor][consumer][fault]") {
    constexpr std::size_t kUpdates = 300;  // several turns; they fit into the receive buffer of one that does not read
    Consumer c;
    c.ready();
    const Handle a = c.open("A");
    const std::int32_t stream = c.expectRequest("A").streamId;
    c.provider.send(RawProvider::refresh(stream));
    c.expectEvent("A RFSH Open/Ok/0");
    for (std::size_t i = 0; i < kUpdates; ++i)
        c.provider.send(RawProvider::update(stream));
    c.provider.send(RawProvider::loginStatus(codec::StreamState::closed, codec::DataState::suspect, 3, "enough"));
    c.provider.die();
    pollfd hungUp{c.role->link()->channel()->fd(), POLLRDHUP, 0};
    REQUIRE(::poll(&hungUp, 1, 10000) == 1);  // the end has come, and so has everything before it
    const auto end = std::chrono::steady_clock::now() + 10s;
    for (int i = 0; std::chrono::steady_clock::now() < end; ++i) {
        c.open("I" + std::to_string(i));
        const std::lock_guard guard(c.loop->lock());
        c.role->link()->flush();
        const std::lock_guard output(c.role->link()->channel()->outputLock());
        if (c.role->link()->channel()->outputEnded()) break;
    }
    REQUIRE(c.role->link()->channel()->outputEnded());
    codec::Msg post;
    post.cls = codec::MsgClass::Post;
    post.flags = codec::PostFlag::complete;
    const Refusal refusal = c.post(a, post);
    CHECK(refusal.kind == Refusal::Kind::noActiveChannel);
    CHECK_THAT(refusal.text, Catch::Contains("connection is lost"));
    c.until([&] { return c.role->phase() == Phase::closed || c.role->phase() == Phase::backingOff; });
    CHECK(c.count("A UPD") == kUpdates);
    CHECK(c.role->loginRefused());
    CHECK_THAT(c.role->lastReason(), Catch::Contains("enough"));
    CHECK(c.role->counters().connects == 1);
}
