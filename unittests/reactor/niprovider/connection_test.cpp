// The connection's life: login, loss, recovery, refusal, faults; streams that are requested.
#include "eta/codec/containers.h"
#include "reactor/niprovider/fixture.h"
#include "support/RawConsumer.h"

using namespace emissary;
using namespace emissary::test;
using Lines = std::vector<std::string>;
using codec::MsgClass;
namespace StreamState = codec::StreamState;
using Phase = NiProviderRole::Phase;

namespace {

/// The connection is gone; the reconnect timer runs.
void lose(Session& s) {
    s.acceptor.disconnectAll();
    s.publisher.until([&] { return s.publisher.role->phase() == Phase::backingOff; });
}

void comeBack(Session& s) {
    s.acceptor.forgetLines();
    s.publisher.clock.advance(std::chrono::seconds(6));
    s.publisher.ready();
}

/// A scripted server that answers the login only.
struct Scripted {
    RawProvider server;
    Publisher publisher{server.port(), [this] { server.poll(); }};
    Scripted() { server.automatic.directory = server.automatic.dictionary = false; }
};

}  // namespace

TEST_CASE("the order of a loss and of the way back", "[niprovider][recovery]") {
    Session s;
    Publisher& p = s.publisher;
    p.start();
    p.openLogin();
    p.ready();
    CHECK(p.registered == Lines{"login RFSH Open/Ok/0"});
    CHECK(p.submit(1, Publisher::refresh("A")) == PublishFault::none);
    s.settle();
    lose(s);
    CHECK(p.registered == Lines{"login RFSH Open/Ok/0", "login STAT Open/Suspect/0 Channel is down.",
                                "login STAT Open/Suspect/0 channel down"});
    CHECK(p.submit(1, Publisher::update()) == PublishFault::noChannel);
    CHECK(p.role->connectionNumber() == 0);
    CHECK(p.role->counters().openItems == 1);  // the handle stays bound

    comeBack(s);
    p.until([&] { return p.registered.size() == 5; });
    CHECK(p.registered[3] == "login STAT Open/Ok/0 channel up");
    CHECK(p.registered[4] == "login RFSH Open/Ok/0");
    // The server has forgotten the item: it needs its image first, on the stream that it had.
    CHECK(p.submit(1, Publisher::update()) == PublishFault::refreshFirst);
    CHECK(p.submit(2, Publisher::refresh("B")) == PublishFault::none);
    CHECK(p.submit(1, Publisher::refresh("A")) == PublishFault::none);
    CHECK(p.submit(1, Publisher::update()) == PublishFault::none);
    const Lines all = s.settle();
    REQUIRE(all.size() == 6);
    CHECK(all[1].starts_with("LOGIN user role 1"));
    CHECK(all[2] == "DIR RFSH 0 0x148 filter 3: 1 NI_PUB up");
    CHECK(all[3] == "RFSH -2 d6 0x48 svc 1 B Open/Ok/0");
    CHECK(all[4] == "RFSH -1 d6 0x48 svc 1 A Open/Ok/0");
    CHECK(all[5] == "UPD -1 d6 0x0 A");
    CHECK(p.role->counters().disconnects == 1);
    CHECK(p.role->counters().connects == 2);
}

TEST_CASE("items are forgotten on a loss when the configuration says so", "[niprovider][recovery]") {
    Session s;
    s.publisher.options.removeItemsOnDisconnect = true;
    s.publisher.ready();
    CHECK(s.publisher.submit(1, Publisher::refresh("A")) == PublishFault::none);
    CHECK(s.publisher.submit(2, Publisher::refresh("B")) == PublishFault::none);
    lose(s);
    CHECK(s.publisher.role->counters().openItems == 0);
    comeBack(s);
    CHECK(s.publisher.submit(2, Publisher::refresh("B")) == PublishFault::none);
    CHECK(s.settle().back() == "RFSH -1 d6 0x48 svc 1 B Open/Ok/0");
}

TEST_CASE("a submitted directory comes back after a reconnect, or does not", "[niprovider][recovery][directory]") {
    const bool recover = GENERATE(true, false);
    Session s;
    Publisher& p = s.publisher;
    p.options.recoverUserSubmitSourceDirectory = recover;
    p.ready();
    auto service = RawProvider::service(2, "TWO");
    service.filters |= reactor::rdm::DirectoryFilter::load;
    service.load.openLimit = 7;
    CHECK(p.directory(5, MsgClass::Refresh, service, true) == PublishFault::none);
    lose(s);
    comeBack(s);
    const Lines all = s.settle();
    REQUIRE(all.size() == (recover ? 4 : 3));
    CHECK(all[2] == "DIR RFSH 0 0x148 filter 3: 1 NI_PUB up");
    if (recover) CHECK(all[3] == "DIR RFSH 0 0x48 filter 3: 1 NI_PUB up 2 TWO up");  // Info and State only
    CHECK((p.role->directory().find("TWO") != nullptr) == recover);
}

TEST_CASE("separate directory streams are recovered each on its own", "[niprovider][recovery][directory]") {
    Session s;
    Publisher& p = s.publisher;
    p.options.mergeSourceDirectoryStreams = false;
    p.options.directoryByUser = true;
    p.ready();
    CHECK(p.directory(5, MsgClass::Refresh, RawProvider::service(1, "ONE"), true) == PublishFault::none);
    CHECK(p.directory(6, MsgClass::Refresh, RawProvider::service(3, "THREE"), true) == PublishFault::none);
    lose(s);
    comeBack(s);
    const Lines all = s.settle();
    REQUIRE(all.size() == 4);
    CHECK(all[2].starts_with("DIR RFSH -1 0x148 filter 3: 1 ONE up"));
    CHECK(all[3] == "DIR RFSH -2 0x148 filter 3: 1 ONE up 3 THREE up");
    CHECK(p.directory(5, MsgClass::Update, RawProvider::service(1, "ONE")) == PublishFault::none);
}

TEST_CASE("the application may publish from inside the login refresh", "[niprovider]") {
    Session s;
    Publisher& p = s.publisher;
    p.start();
    p.openLogin();
    p.hook = [&](const codec::Msg& m) {
        if (m.cls != MsgClass::Refresh) return;
        codec::Msg image = Publisher::refresh("A");
        CHECK(p.role->submit(1, image).ok());
    };
    p.ready();
    s.expectLine("RFSH -1");
    const Lines all = s.acceptor.lines();
    REQUIRE(all.size() == 4);
    CHECK(all[2].starts_with("DIR RFSH 0"));
    CHECK(all[3] == "RFSH -1 d6 0x48 svc 1 A Open/Ok/0");
    lose(s);
    comeBack(s);
    s.expectLine("RFSH -1");
}

TEST_CASE("a refused login ends the role", "[niprovider]") {
    Session s;
    Publisher& p = s.publisher;
    s.acceptor.refuseLogins(true);
    p.start();
    p.openLogin();
    p.until([&] { return p.role->phase() == Phase::closed; });
    CHECK(p.role->loginRefused());
    CHECK(p.registered == Lines{"login STAT Closed/Suspect/3 Login denied."});
    CHECK(p.role->lastReason().find("Login denied.") != std::string::npos);
    p.clock.advance(std::chrono::minutes(5));
    p.turn();
    CHECK(p.role->counters().connects == 1);
}

TEST_CASE("a login closed while running", "[niprovider][recovery]") {
    Session s;
    Publisher& p = s.publisher;
    p.start();
    p.openLogin();
    p.ready();
    SECTION("for good") {
        s.acceptor.closeLogins({StreamState::closed, codec::DataState::suspect, 3, eta::asBytes("Go away.")});
        p.until([&] { return p.role->phase() == Phase::closed; });
        CHECK(p.registered.back() == "login STAT Closed/Suspect/3 Go away.");
        CHECK(p.submit(1, Publisher::refresh("A")) == PublishFault::noChannel);
    }
    SECTION("to be recovered") {
        s.acceptor.closeLogins({StreamState::closedRecover, codec::DataState::suspect, 0, {}});
        p.until([&] { return p.role->phase() == Phase::backingOff; });
        CHECK(p.count("login STAT Open/Suspect/0") == 1);
        comeBack(s);
        CHECK(p.submit(1, Publisher::refresh("A")) == PublishFault::none);
    }
}

TEST_CASE("the channel list is tried in turn, with growing pauses, to the limit", "[niprovider][recovery]") {
    Session s;
    Publisher& p = s.publisher;
    std::string deadPort;
    {
        RawProvider gone;
        deadPort = std::to_string(gone.port());
    }
    SECTION("the second one answers") {
        auto dead = p.options.channels[0];
        dead.name = "Dead";
        dead.connect.port = deadPort;
        p.options.channels.insert(p.options.channels.begin(), dead);
        p.start();
        p.until([&] { return p.role->phase() == Phase::backingOff; });
        const auto first = std::chrono::milliseconds(1500);  // ReconnectMinDelay, and up to half as much again
        p.clock.advance(first);
        p.ready();
        CHECK(p.role->channel().name == "Channel_1");
        lose(s);
        p.clock.advance(first);  // the first again: dead; then the second
        p.until([&] { return p.role->counters().connects == 3 && p.role->phase() == Phase::backingOff; });
        p.clock.advance(std::chrono::seconds(2));
        p.ready();
    }
    SECTION("none does") {
        p.options.channels[0].connect.port = deadPort;
        p.options.reconnect.attemptLimit = 2;
        p.start();
        p.openLogin();
        for (std::uint64_t attempts = 1; attempts <= 3; ++attempts) {
            p.until([&] { return p.role->counters().connects == attempts && p.role->phase() != Phase::connecting; });
            p.clock.advance(std::chrono::seconds(5));
        }
        CHECK(p.role->phase() == Phase::closed);
        CHECK(p.registered == Lines{"login STAT Closed/Suspect/0 channel closed"});
        CHECK_FALSE(p.role->loginRefused());
    }
}

TEST_CASE("a silent server is asked again", "[niprovider]") {
    Scripted s;
    s.server.automatic.login = false;
    s.publisher.options.requestTimeout = std::chrono::seconds(2);
    s.publisher.start();
    s.publisher.openLogin();
    s.publisher.until([&] { return s.server.wire.size() == 1; });
    s.publisher.clock.advance(std::chrono::seconds(2));
    s.publisher.until([&] { return s.server.wire.size() == 3; });
    CHECK(s.server.wire[1].starts_with("CLOSE 1"));
    CHECK(s.server.wire[2].starts_with("REQ 1 d1"));
    CHECK(s.publisher.registered == Lines{"login STAT Open/Suspect/2 Login request timed out."});
    s.server.send(s.server.loginRefresh());
    s.publisher.ready();
}

TEST_CASE("broken input costs the connection, or the message", "[niprovider][faults]") {
    Scripted s;
    Publisher& p = s.publisher;
    p.ready();
    CHECK(p.submit(1, Publisher::refresh("A")) == PublishFault::none);
    SECTION("half a frame, then nothing") {
        s.server.sendGarbage(std::string("\x01\x00\x02\x40\x11", 5));
        s.server.disconnect();
        p.until([&] { return p.role->phase() == Phase::backingOff; });
    }
    SECTION("garbage instead of a frame") {
        s.server.sendGarbage(std::string(64, '\xEE'));
        p.until([&] { return p.role->phase() == Phase::backingOff; });
    }
    SECTION("an undecodable message on the login stream") {
        const unsigned char broken[] = {0x00, 0x06, 0x02, 0x01, 0x00, 0x00, 0x00, 0x01, 0xFF, 0xFF};
        s.server.sendBytes(std::as_bytes(std::span(broken)));
        p.until([&] { return p.role->phase() == Phase::backingOff; });
        CHECK(p.role->counters().malformed == 1);
    }
    SECTION("an undecodable message on an item stream") {
        const unsigned char broken[] = {0x00, 0x20, 0x07, 0x06, 0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x04, 0x99};
        s.server.sendBytes(std::as_bytes(std::span(broken)));
        s.server.sendBytes(std::as_bytes(std::span(broken)));
        p.until([&] { return p.role->counters().malformed == 2; });
        CHECK(p.warnings.size() == 1);
        CHECK(p.submit(1, Publisher::update()) == PublishFault::none);
        return;
    }
    CHECK(p.submit(1, Publisher::update()) == PublishFault::noChannel);
    p.clock.advance(std::chrono::seconds(2));
    p.ready();
    CHECK(p.submit(1, Publisher::refresh("A")) == PublishFault::none);
}

TEST_CASE("a server that stops reading: submits are refused, nothing is lost", "[niprovider][faults]") {
    RawProvider server;
    bool reading = true;
    Publisher p{server.port(), [&] {
                    if (reading) server.poll();
                }};
    p.options.channels[0].connect.guaranteedOutputBuffers = 20;
    p.ready();
    std::vector<std::byte> payload(4000);
    codec::Msg m = Publisher::refresh("A");
    m.containerType = codec::DataType::Opaque;
    m.payload = payload;
    reading = false;
    std::size_t taken = 0;
    PublishFault fault = PublishFault::none;
    while (fault == PublishFault::none && taken < 100'000) {
        fault = p.submit(1, m);
        if (fault == PublishFault::none) ++taken;
        p.turn();
    }
    CHECK(fault == PublishFault::noBuffers);
    codec::Msg other = m;
    other.key.name = eta::asBytes("B");
    CHECK(p.submit(2, other) == PublishFault::noBuffers);
    CHECK(p.role->counters().openItems == 1);  // a refused first message leaves no trace
    reading = true;
    p.until([&] { return server.inbox.size() >= taken + 1; });  // the directory, then every image
    CHECK(server.inbox.size() == taken + 1);
    CHECK(p.submit(2, Publisher::refresh("B")) == PublishFault::none);
}

TEST_CASE("dictionaries over the same connection", "[niprovider][dictionary]") {
    Scripted s;
    s.server.automatic.dictionary = true;
    Publisher& p = s.publisher;
    Refusal refusal;
    p.start();
    CHECK(p.open("d", Consumer::request("RWFFld", 5), refusal, "NI_PUB") == 0);
    CHECK(refusal.kind == Refusal::Kind::noActiveChannel);
    p.ready();
    s.server.wire.clear();

    codec::Msg m = Consumer::request("RWFFld", 5);
    m.key.flags |= codec::KeyFlag::filter;
    m.key.filter = 7;
    SECTION("parts are passed on") {
        refusal = {};
        const auto h = p.open("fields", m, refusal, "NI_PUB");
        REQUIRE(h != 0);
        p.until([&] { return p.registered.size() >= 2; });
        CHECK(s.server.wire.back().starts_with("REQ 3 d5 0x4"));
        CHECK(p.registered[0] == "fields RFSH Open/Ok/0");
        const std::size_t parts = p.registered.size();
        {
            const std::lock_guard guard(p.loop->lock());
            p.role->unregister(h);
            p.role->unregister(h);  // ignored
        }
        p.until([&] { return s.server.wire.back().starts_with("CLOSE 3"); });
        CHECK(p.registered.size() == parts);
    }
    SECTION("a reissue stays on its stream") {
        const auto h = p.open("fields", m, refusal, "NI_PUB");
        p.until([&] { return !p.registered.empty(); });
        const std::lock_guard guard(p.loop->lock());
        CHECK_FALSE(p.role->reissue(h, {m, "NI_PUB"}));
        codec::Msg other = m;
        other.key.name = eta::asBytes("RWFEnum");
        CHECK(p.role->reissue(h, {other, "NI_PUB"}).kind == Refusal::Kind::invalidData);
        CHECK(p.role->reissue(h + 1, {m, "NI_PUB"}).kind == Refusal::Kind::invalidHandle);
    }
    SECTION("no answer") {
        s.server.automatic.dictionary = false;
        REQUIRE(p.open("fields", m, refusal, "NI_PUB") != 0);
        p.until([&] { return !s.server.wire.empty(); });
        p.clock.advance(std::chrono::seconds(15));
        p.until([&] { return s.server.wire.size() == 2; });
        CHECK(s.server.wire[1].starts_with("CLOSE 3"));
        CHECK(p.registered == Lines{"fields STAT Closed/Suspect/2 Request timed out."});
    }
    SECTION("the connection is lost") {
        s.server.automatic.dictionary = false;
        REQUIRE(p.open("fields", m, refusal, "NI_PUB") != 0);
        p.until([&] { return !s.server.wire.empty(); });
        s.server.disconnect();
        p.until([&] { return p.role->phase() == Phase::backingOff; });
        CHECK(p.registered == Lines{"fields STAT ClosedRecover/Suspect/0 channel down"});
    }
    SECTION("of a service that there is not: a handle, and its end") {
        const auto h = p.open("fields", m, refusal, "NO_SUCH");
        REQUIRE(h != 0);
        CHECK(p.registered.empty());  // from the loop
        p.until([&] { return !p.registered.empty(); });
        CHECK(p.registered == Lines{"fields STAT Closed/Suspect/15 The source directory has no service 'NO_SUCH'."});
        CHECK(s.server.wire.empty());
        const std::lock_guard guard(p.loop->lock());
        CHECK(p.role->reissue(h, {m, "NI_PUB"}).kind == Refusal::Kind::invalidHandle);
    }
    SECTION("a reissue keeps what it does not say") {
        const auto h = p.open("fields", m, refusal, "NI_PUB");
        p.until([&] { return !p.registered.empty(); });
        codec::Msg silent = Consumer::request({}, 6);
        silent.key.flags = 0;
        const std::lock_guard guard(p.loop->lock());
        CHECK_FALSE(p.role->reissue(h, {silent, {}}));
        silent.domain = 7;
        CHECK(p.role->reissue(h, {silent, {}}).kind == Refusal::Kind::invalidData);
    }
    SECTION("what is not a request for a dictionary") {
        codec::Msg nameless = Consumer::request({}, 5);
        nameless.key.flags = 0;
        const std::pair<codec::Msg, std::string_view> wrong[] = {
            {nameless, "NI_PUB"}, {Consumer::request("A", 6), "NI_PUB"}, {Consumer::request("A", 4), {}}};
        for (const auto& [request, service] : wrong) {
            refusal = {};
            CHECK(p.open("x", request, refusal, service) == 0);
            CHECK(refusal.kind == Refusal::Kind::invalidArgument);
        }
        CHECK(s.server.wire.empty());
    }
}

TEST_CASE("good-bye is a login close", "[niprovider]") {
    Scripted s;
    s.publisher.ready();
    {
        const std::lock_guard guard(s.publisher.loop->lock());
        s.publisher.role->shutdown();
    }
    s.publisher.until([&] { return s.server.wire.back().starts_with("CLOSE 1 d1"); });
    CHECK(s.publisher.role->phase() == Phase::closed);
}

TEST_CASE("the server end takes publishers only, and only after a login", "[niprovider][acceptor]") {
    Session s;
    SECTION("consumers are refused") {
        reactor::rdm::LoginAttributes a;
        a.role = 0;
        reactor::GrowingBuffer b;
        REQUIRE(reactor::rdm::encodeLogin(b.start(), a).ok());
        s.publisher.options.login.attributes.assign(b.view().begin(), b.view().end());
        s.publisher.start();
        s.publisher.until([&] { return s.publisher.role->phase() == Phase::closed; });
        CHECK(s.publisher.role->loginRefused());
    }
    SECTION("what a publisher must not do is ignored") {
        Publisher& p = s.publisher;
        p.options.refreshFirstRequired = false;
        p.ready();
        Publisher stranger{s.acceptor.port(), [&] { s.acceptor.turn(std::chrono::microseconds(0)); }};
        // A status without a key opens nothing at the server.
        p.submit(1, Publisher::refresh("A"));
        {
            const std::lock_guard guard(p.loop->lock());
            codec::Msg m = Publisher::update();
            m.streamId = -50;
            CHECK(p.role->link()->send(m).ok());
            m = Publisher::message(MsgClass::Post, {});
            m.streamId = -1;
            CHECK(p.role->link()->send(m).ok());
            m = Consumer::request("A", 6);
            m.streamId = 9;
            CHECK(p.role->link()->send(m).ok());
        }
        s.expectLine("IGNORED Update message, stream -50");
        s.expectLine("IGNORED Post message, stream -1");
        CHECK(s.acceptor.streams() == 1);
    }
}

TEST_CASE("a server of publishers gives a connection so long to log in", "[niprovider][acceptor]") {
    struct Told final : reactor::acceptor::AcceptorHandler {
        void onDirectory(std::uint64_t, const reactor::rdm::Directory&, const codec::Msg&) override {}
        void onItem(std::uint64_t, const reactor::acceptor::PublishedStream&, const codec::Msg&) override {}
        void onPublisherUp(std::uint64_t, const eta::transport::ChannelInfo&) override { ++ups; }
        void onPublisherDown(std::uint64_t, const std::string& reason) override { downs.push_back(reason); }
        int ups = 0;
        Lines downs;
    } told;
    StillClock clock;
    reactor::ReactorOptions loopOptions;
    loopOptions.clock = &clock;
    reactor::Reactor loop(loopOptions);
    std::unique_ptr<reactor::acceptor::AcceptorRole> role;
    reactor::acceptor::AcceptorOptions options;
    options.bind.port = "0";
    options.limits.loginTimeout = std::chrono::seconds(30);
    {
        const std::lock_guard guard(loop.lock());
        role = std::make_unique<reactor::acceptor::AcceptorRole>(loop, options, told);
        REQUIRE_FALSE(role->listen());
    }
    const auto turn = [&] { loop.dispatch(std::chrono::microseconds(0), 100); };
    RawConsumer silent(role->port(), turn), known(role->port(), turn);
    while (told.ups != 2)
        turn();
    codec::Msg login = RawConsumer::loginRequest("user");
    reactor::rdm::LoginAttributes asked;
    asked.role = 1;
    reactor::GrowingBuffer attributes;
    REQUIRE(reactor::rdm::encodeLogin(attributes.start(), asked).ok());
    login.key.flags |= codec::KeyFlag::attrib;
    login.key.attribType = codec::DataType::ElementList;
    login.key.attrib = attributes.view();
    known.send(login);
    CHECK(known.next().msg.cls == codec::MsgClass::Refresh);

    clock.advance(std::chrono::seconds(29));
    turn();
    CHECK(told.downs.empty());
    clock.advance(std::chrono::seconds(2));
    turn();
    CHECK(told.downs == Lines{"no login request came in time"});
    CHECK(role->counters().loginTimeouts == 1);
    CHECK(role->publishers().size() == 1);
    const std::lock_guard guard(loop.lock());
    role.reset();
}

TEST_CASE("a server of publishers bounds what a stranger may send", "[niprovider][acceptor][limits]") {
    struct Told final : reactor::acceptor::AcceptorHandler {
        void onDirectory(std::uint64_t, const reactor::rdm::Directory&, const codec::Msg&) override {}
        void onItem(std::uint64_t, const reactor::acceptor::PublishedStream&, const codec::Msg&) override {}
        void onPublisherUp(std::uint64_t, const eta::transport::ChannelInfo&) override { ++ups; }
        void onPublisherDown(std::uint64_t, const std::string& reason) override { downs.push_back(reason); }
        void onIgnored(std::uint64_t, const std::string&) override { ++ignored; }
        int ups = 0, ignored = 0;
        Lines downs;
    } told;
    StillClock clock;
    reactor::ReactorOptions loopOptions;
    loopOptions.clock = &clock;
    reactor::Reactor loop(loopOptions);
    reactor::acceptor::AcceptorOptions options;
    options.bind.port = "0";
    options.limits.refusalsBeforeLogin = 3;
    options.limits.messageBytesBeforeLogin = 10'000;
    auto role = std::make_unique<reactor::acceptor::AcceptorRole>(loop, options, told);
    {
        const std::lock_guard guard(loop.lock());
        REQUIRE_FALSE(role->listen());
    }
    const auto turn = [&] { loop.dispatch(std::chrono::microseconds(0), 100); };
    RawConsumer peer(role->port(), turn);
    while (told.ups != 1)
        turn();
    std::vector<std::byte> name;
    codec::Msg early;
    early.cls = codec::MsgClass::Update;
    early.domain = 6;
    early.streamId = -1;
    SECTION("messages before a login: three are ignored, the fourth ends it") {
        for (int i = 0; i < 3; ++i)
            peer.send(early);
        while (told.ignored != 3)
            turn();
        CHECK(told.downs.empty());
        peer.send(early);
        while (told.downs.empty())
            turn();
        CHECK(told.downs == Lines{"too much of what it sent before its login was not taken"});
        CHECK(role->counters().limitEnds == 1);
    }
    SECTION("a message larger than a stranger's may be") {
        name.resize(30'000);
        early.containerType = codec::DataType::Opaque;
        early.payload = name;
        peer.send(early);
        while (told.downs.empty())
            turn();
        CHECK(told.ignored == 0);
    }
    const std::lock_guard guard(loop.lock());
    role.reset();
}

TEST_CASE("what the server end says to a login, element by element", "[niprovider][acceptor]") {
    struct Silent final : reactor::acceptor::AcceptorHandler {
        void onDirectory(std::uint64_t, const reactor::rdm::Directory&, const codec::Msg&) override {}
        void onItem(std::uint64_t, const reactor::acceptor::PublishedStream& stream, const codec::Msg&) override {
            streams.push_back(stream.streamId);
        }
        void onIgnored(std::uint64_t, const std::string& why) override { ignored.push_back(why); }
        std::vector<std::int32_t> streams;
        Lines ignored;
    } told;
    reactor::Reactor loop({});
    reactor::acceptor::AcceptorOptions options;
    options.bind.port = "0";
    options.hostName = "hub1";
    options.announceName = "ADH";
    auto role = std::make_unique<reactor::acceptor::AcceptorRole>(loop, options, told);
    {
        const std::lock_guard guard(loop.lock());
        REQUIRE_FALSE(role->listen());
    }
    RawConsumer peer(role->port(), [&] { loop.dispatch(std::chrono::microseconds(0), 100); });
    const auto login = [&](std::int32_t stream, std::uint64_t asRole) {
        reactor::rdm::LoginAttributes asked;
        asked.role = asRole;
        asked.applicationId = "256";
        asked.applicationName = "pub";
        asked.position = "10.0.0.1/net";
        asked.singleOpen = 0;
        reactor::GrowingBuffer attributes;
        REQUIRE(reactor::rdm::encodeLogin(attributes.start(), asked).ok());
        codec::Msg m = RawConsumer::loginRequest("user");
        m.streamId = stream;
        m.key.flags |= codec::KeyFlag::attrib;
        m.key.attribType = codec::DataType::ElementList;
        m.key.attrib = attributes.view();
        peer.send(m);
    };
    SECTION("a publisher") {
        login(1, 1);
        Received got = peer.next();
        CHECK(got.msg.cls == MsgClass::Refresh);
        CHECK(got.msg.streamId == 1);
        CHECK(got.msg.flags ==
              (codec::RefreshFlag::msgKey | codec::RefreshFlag::solicited | codec::RefreshFlag::complete));
        CHECK(got.stateText() == "Login accepted by host hub1.");
        CHECK(got.name() == "user");
        CHECK(got.msg.containerType == codec::DataType::NoData);
        codec::ElementListDecoder list;
        REQUIRE(list.start(got.msg.key.attrib).ok());
        Lines elements;
        for (codec::ElementEntry e; list.next(e);) {
            std::uint64_t v = 0;
            const bool number = e.type == codec::DataType::UInt;
            if (number) REQUIRE(codec::decodeUInt(e.data, v) == codec::Decoded::value);
            elements.push_back(std::string(eta::asText(e.name)) + "=" +
                               (number ? std::to_string(v) : std::string(eta::asText(e.data))));
        }
        CHECK(list.error().ok());
        CHECK(elements == Lines{"AllowSuspectData=1", "ApplicationId=256", "ApplicationName=ADH",
                                "Position=10.0.0.1/net", "ProvidePermissionExpressions=0", "ProvidePermissionProfile=0",
                                "SingleOpen=0", "SupportOMMPost=1", "SupportStandby=0",
                                "SupportProviderDictionaryDownload=0"});
        login(9, 1);  // a second login stream; the first lives on
        got = peer.next();
        CHECK(got.msg.cls == MsgClass::Status);
        CHECK(got.msg.streamId == 9);
        CHECK(got.msg.state.stream == StreamState::closed);
        CHECK(got.msg.state.data == codec::DataState::suspect);
        CHECK(got.msg.state.code == 14);
        CHECK(role->publishers().size() == 1);
        codec::Msg item = Publisher::refresh("A");
        peer.send(item);  // stream 0 is the directory's
        CHECK(peer.silent());
        CHECK(told.streams.empty());
        REQUIRE(told.ignored.size() == 1);
        CHECK(told.ignored[0].starts_with("Refresh message, stream 0"));
    }
    SECTION("a consumer") {
        login(1, 0);
        const Received got = peer.next();
        CHECK(got.msg.cls == MsgClass::Status);
        CHECK(got.msg.state.stream == StreamState::closed);
        CHECK(got.msg.state.data == codec::DataState::suspect);
        CHECK(got.msg.state.code == 5);
        CHECK(peer.waitClosed());
    }
    const std::lock_guard guard(loop.lock());
    role.reset();
}
