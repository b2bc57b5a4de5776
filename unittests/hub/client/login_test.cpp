// Logins: the answer element by element, refusals, checks that answer late, pause-all, standby, round trips.
#include "fixture.h"

#include "eta/codec/encoders.h"
#include "reactor/json/fixture.h"

using namespace emissary;
using namespace emissary::test;
using codec::DataState::ok;
using codec::DataState::suspect;
namespace StreamState = codec::StreamState;

namespace {

rdm::LoginAttributes attributes() {
    rdm::LoginAttributes a;
    a.applicationId = "256";
    a.applicationName = "ema";
    a.position = "10.9.8.7/net";
    return a;
}

}  // namespace

TEST_CASE("an accepted login has the elements of hub.md 2.1 in their order", "[hub][client][login]") {
    ClientOptions options = PortFixture::defaults();
    SECTION("as a hub is without settings") {
        PortFixture f(options);
        RawConsumer c = f.connect();
        PortFixture::login(c, "dana", attributes());
        const Received got = c.next();
        checkState(got, 1, StreamState::open, ok);
        CHECK(got.msg.cls == MsgClass::Refresh);
        CHECK(got.msg.domain == 1);
        CHECK(got.msg.flags == (RefreshFlag::solicited | RefreshFlag::complete | RefreshFlag::msgKey));
        CHECK(got.msg.groupId.size() == 2);
        CHECK(got.stateText() == "Login accepted by host hub1.");
        CHECK(got.name() == "dana");
        CHECK(got.msg.containerType == codec::DataType::NoData);
        CHECK(elementsOf(got.msg.key.attrib) ==
              std::vector<std::string>{"AllowSuspectData=1", "ApplicationId='256'", "ApplicationName='ADS'",
                                       "Position='10.9.8.7/net'", "ProvidePermissionExpressions=1",
                                       "ProvidePermissionProfile=0", "SingleOpen=1", "SupportBatchRequests=7",
                                       "SupportEnhancedSymbolList=1", "SupportOMMPost=1",
                                       "SupportOptimizedPauseResume=1", "SupportPauseResume=1", "SupportStandby=0",
                                       "SupportViewRequests=1"});
        CHECK(f.client().user == "dana");
        CHECK(f.client().position == "10.9.8.7/net");
        CHECK(f.client().singleOpen);
        CHECK(f.port->counts().logins[LoginResult::accepted].logins == 1);
    }
    SECTION("with everything that changes it") {
        options.supportPost = false;
        options.supportStandby = true;
        options.announceName = "HUB";
        options.rttInterval = std::chrono::seconds(5);
        PortFixture f(options);
        rdm::LoginAttributes a;
        a.singleOpen = 0;
        a.allowSuspectData = 0;
        a.roundTripLatency = 2;
        a.updateTypeFilter = 3;
        a.negativeUpdateTypeFilter = 2;
        RawConsumer c = f.connect();
        PortFixture::login(c, "dana", a);
        CHECK(elementsOf(c.next().msg.key.attrib) ==
              std::vector<std::string>{"AllowSuspectData=0", "ApplicationName='HUB'", "ProvidePermissionExpressions=1",
                                       "ProvidePermissionProfile=0", "SingleOpen=0", "SupportBatchRequests=7",
                                       "SupportEnhancedSymbolList=1", "SupportOMMPost=0",
                                       "SupportOptimizedPauseResume=1", "SupportPauseResume=1", "SupportStandby=1",
                                       "SupportStandbyMode=3", "SupportViewRequests=1", "RoundTripLatency=2",
                                       "UpdateTypeFilter=3", "NegativeUpdateTypeFilter=2"});
        CHECK_FALSE(f.client().singleOpen);
        CHECK_FALSE(f.client().allowSuspectData);
        CHECK(f.client().updateTypes == 1);
    }
    SECTION("a token is not sent back as a name") {
        PortFixture f(options);
        RawConsumer c = f.connect();
        rdm::LoginAttributes a;
        a.authenticationToken = "secret";
        std::vector<std::byte> room(512);
        eta::BeWriter out(room);
        REQUIRE(rdm::encodeLogin(out, a).ok());
        Msg m;
        const std::string name(1, '\0');
        rdm::makeLoginRequest(m, name, 5, out.view());
        c.send(m);
        const Received got = c.next();
        CHECK(got.msg.state.stream == StreamState::open);
        CHECK_FALSE(got.msg.key.has(codec::KeyFlag::name));
        REQUIRE(f.check.asked.size() == 1);
        CHECK(f.check.asked[0].token == "secret");
        // Older programs send it as the name.
        RawConsumer older = f.connect();
        Msg old;
        rdm::makeLoginRequest(old, "older secret", 5, {});
        older.send(old);
        (void)older.next();
        REQUIRE(f.check.asked.size() == 2);
        CHECK(f.check.asked[1].token == "older secret");
        CHECK(f.check.asked[1].user.empty());
        CHECK(f.check.asked[0].user.empty());
    }
}

TEST_CASE("JSON clients are told the limits of their connection with the login", "[hub][client][login][json]") {
    PortFixture f(PortFixture::defaults(), PortFixture::webSocket());
    TextClient c(webSocketTo(f.port->port()), [&f] { f.turn(); });
    c.send(
        R"({"ID":1,"Domain":"Login","Key":{"Name":"dana","Elements":{"ApplicationId":"256","Position":"1.2.3.4/net"}}})");
    const json_test::Json got = c.next();
    CHECK(got.at("Type").text == "Refresh");
    CHECK(got.at("State").at("Text").text == "Login accepted by host hub1.");
    CHECK(got.at("Key").at("Name").text == "dana");
    const json_test::Json& e = got.at("Key").at("Elements");
    CHECK(e.members.size() == 14);
    CHECK(e.at("ApplicationName").text == "ADS");
    CHECK(e.at("SupportBatchRequests").text == "7");
    CHECK(got.at("Elements").at("MaxMsgSize").text == "6291456");  // what is taken, in however many frames
    CHECK(got.at("Elements").at("PingTimeout").text ==
          std::to_string(int{ClientSession::of(f.client()).channel.pingTimeoutSeconds}));
    CHECK(f.client().json);
}

TEST_CASE("a JSON login by token may have an empty name, and the log does not say that of a user",
          "[hub][client][login][json]") {
    PortFixture f(PortFixture::defaults(), PortFixture::webSocket());
    for (const std::string name : {"", R"("Name":"",)", R"("Name":"\u0000",)"}) {
        INFO(name);
        TextClient c(webSocketTo(f.port->port()), [&f] { f.turn(); });
        c.send(R"({"ID":1,"Domain":"Login","Key":{"NameType":"AuthnToken",)" + name +
               R"("Elements":{"AuthenticationToken":"secret","ApplicationId":"256"}}})");
        const json_test::Json got = c.next();
        CHECK(got.at("Type").text == "Refresh");
        CHECK(f.lines.back().find("a user with a token at no position") != std::string::npos);
        CHECK(f.lines.back().find("''") == std::string::npos);
    }
    CHECK(f.check.asked.size() == 3);
    TextClient c(webSocketTo(f.port->port()), [&f] { f.turn(); });
    c.send(R"({"ID":1,"Domain":"Login","Key":{"Name":"","Elements":{"ApplicationId":"256"}}})");
    CHECK(c.next().at("State").at("Text").text == "login request without a user name");
}

TEST_CASE("names of logins that are tokens or cookies stand in no record", "[hub][client][login]") {
    const auto type = GENERATE(std::uint8_t{3}, std::uint8_t{4}, std::uint8_t{5});
    const bool both = GENERATE(true, false), refused = GENERATE(true, false);
    ClientOptions options = PortFixture::defaults();
    options.maxLoginsPerUser = 1;  // a token names no user
    options.maxMountsPerUser = 1;
    PortFixture f(options);
    rdm::LoginAttributes a;
    if (both) a.authenticationToken = "secret-of-the-element";
    std::vector<std::byte> room(1024);
    eta::BeWriter out(room);
    REQUIRE(rdm::encodeLogin(out, a).ok());
    Msg m;
    rdm::makeLoginRequest(m, "secret-of-the-name", type, out.view());
    if (refused) f.check.verdict->kind = LoginVerdict::Kind::notEntitled;
    for (int i = 0; i < 2; ++i) {
        RawConsumer c = f.connect(), other = f.connect();
        c.send(m);
        CHECK((c.next().msg.cls == MsgClass::Status) == refused);
        other.send(m);
        CHECK((other.next().msg.cls == MsgClass::Status) == refused);
        if (refused) continue;
        for (const std::int32_t stream : {5, 6}) {
            c.send(RawConsumer::request(stream, 6, "IBM", std::uint16_t{3}));
            CHECK(c.next().msg.cls == MsgClass::Refresh);
        }
    }
    f.runUntil([&] { return f.clients.size() == 0; });
    CHECK(f.check.asked.front().user.empty());
    CHECK(f.check.asked.front().token == (both && type != 3 ? "secret-of-the-element" : "secret-of-the-name"));
    CHECK_FALSE(f.lines.empty());
    for (const std::string& line : f.lines)
        CHECK(line.find("secret") == std::string::npos);
}

TEST_CASE("logins that are not taken are told why, and their connection ends", "[hub][client][login]") {
    PortFixture f;
    struct Row {
        LoginVerdict::Kind kind;
        std::uint8_t stream, data;
        int code;
        LoginResult result;
    };
    using K = LoginVerdict::Kind;
    const auto refused = [&](RawConsumer& c, std::uint8_t stream, std::uint8_t data, int code) {
        const Received got = c.next();
        CHECK(got.msg.cls == MsgClass::Status);
        checkState(got, 1, stream, data, code);
        CHECK_FALSE(got.stateText().empty());
        CHECK(got.name() == "dana");
        CHECK(c.waitClosed());
        f.runUntil([&] { return f.clients.size() == 0; });
    };
    SECTION("by the check") {
        for (const Row& row :
             {Row{K::notEntitled, StreamState::closed, ok, 3, LoginResult::notEntitled},
              Row{K::tooManyLogins, StreamState::closed, ok, 31, LoginResult::tooManyLogins},
              Row{K::applicationDenied, StreamState::closed, ok, 32, LoginResult::applicationDenied}}) {
            INFO(row.code);
            f.check.verdict->kind = row.kind;
            RawConsumer c = f.connect();
            PortFixture::login(c, "dana", attributes());
            refused(c, row.stream, row.data, row.code);
            CHECK(f.port->counts().logins[row.result].logins == 1);
        }
        CHECK(f.port->counts().ends[EndReason::loginRefused].connections == 3);
        CHECK(f.port->counts().of.clients == 0);
    }
    SECTION("more than a user may have, by MaxLoginsPerUser; a place comes back with its connection") {
        ClientOptions options = PortFixture::defaults();
        options.maxLoginsPerUser = 2;
        PortFixture g(options);
        RawConsumer first = g.loggedIn();
        {
            RawConsumer second = g.loggedIn(), other = g.loggedIn("erik"), third = g.connect();
            PortFixture::login(third, "dana", attributes());
            checkState(third.next(), 1, StreamState::closed, ok, 31);
            CHECK(third.waitClosed());
            CHECK(g.port->counts().logins[LoginResult::tooManyLogins].logins == 1);
        }
        g.runUntil([&] { return g.clients.size() == 1; });
        RawConsumer again = g.loggedIn();
        again.send(RawConsumer::close(1));
        g.runUntil([&] { return g.gone.size() == 4; });
        (void)g.loggedIn();  // a login that was closed counts no more
    }
    SECTION("providers") {
        rdm::LoginAttributes a;
        a.role = 1;
        RawConsumer c = f.connect();
        PortFixture::login(c, "dana", a);
        refused(c, StreamState::closed, suspect, 5);
        CHECK(f.check.asked.empty());
    }
    SECTION("attributes that cannot be decoded") {
        RawConsumer c = f.connect();
        Msg m;
        const std::byte garbage[] = {std::byte{0xFF}, std::byte{0xFF}, std::byte{1}};
        rdm::makeLoginRequest(m, "dana", 1, garbage);
        c.send(m);
        refused(c, StreamState::closed, suspect, 5);
    }
    SECTION("while the hub goes down") {
        RawConsumer c = f.connect();
        f.locked([&] {
            f.port->drain(std::chrono::hours(1), {});
            return 0;
        });
        PortFixture::login(c, "dana", attributes());
        refused(c, StreamState::closedRecover, suspect, 12);
    }
}

TEST_CASE("a login check may take its time", "[hub][client][login]") {
    PortFixture f;
    f.check.verdict.reset();
    RawConsumer c = f.connect();
    PortFixture::login(c, "dana", attributes());
    f.runUntil([&] { return f.check.ticket == 1; });
    CHECK(f.check.asked[0].user == "dana");
    CHECK(f.check.asked[0].position == "10.9.8.7/net");
    CHECK(f.check.asked[0].address.starts_with("127.0.0.1:"));
    SECTION("accepted later") {
        f.locked([&] {
            f.check.to->onVerdict(1, {});
            return 0;
        });
        CHECK(c.next().msg.state.stream == StreamState::open);
        f.locked([&] {
            f.check.to->onVerdict(1, {LoginVerdict::Kind::notEntitled, {}, {}});
            return 0;
        });  // too late
        CHECK(PortFixture::silent(c));
    }
    SECTION("not within LoginCheckTimeout") {
        f.clock.advance(std::chrono::milliseconds(5001));
        checkState(c.next(), 1, StreamState::closedRecover, suspect, 3);
        CHECK(c.waitClosed());
        CHECK(f.check.cancelled == 1);
    }
    SECTION("the client goes first") {
        c.disconnect();
        f.runUntil([&] { return f.clients.size() == 0; });
        CHECK(f.check.cancelled == 1);
        f.locked([&] {
            f.check.to->onVerdict(1, {});
            return 0;
        });
    }
}

TEST_CASE("what follows a login waits while its check takes its time", "[hub][client][login]") {
    PortFixture f;
    f.check.verdict.reset();
    RawConsumer c = f.connect();
    PortFixture::login(c, "dana", {});
    c.send(RawConsumer::directoryRequest(3));
    c.send(RawConsumer::request(5, 6, "IBM", 3));
    Msg post;
    post.cls = MsgClass::Post;
    post.streamId = 1;
    post.domain = 6;
    post.flags = codec::PostFlag::postId | codec::PostFlag::complete | codec::PostFlag::msgKey;
    post.postId = 17;
    post.key.flags = codec::KeyFlag::name;
    post.key.name = eta::asBytes(std::string_view("IBM"));
    c.send(post);
    c.send(RawConsumer::request(6, 6, "TRI", 3));
    c.send(RawConsumer::close(6));
    f.runUntil([&] { return f.check.ticket == 1; });
    const auto verdict = [&](const LoginVerdict& said) {
        f.locked([&] {
            f.check.to->onVerdict(1, said);
            return 0;
        });
    };
    SECTION("accepted: everything in its order") {
        CHECK(f.asked.empty());
        verdict({});
        CHECK(c.next().msg.domain == 1);
        CHECK(c.next().msg.domain == 4);
        checkState(c.next(), 5, StreamState::open, ok);
        checkState(c.next(), 6, StreamState::open, ok);
        CHECK(PortFixture::silent(c));
        CHECK(f.posts == std::vector<std::string>{"dana off-stream 17"});
        CHECK(f.client().mounts.size() == 1);
    }
    SECTION("refused: nothing of it happens") {
        verdict({LoginVerdict::Kind::notEntitled, {}, {}});
        checkState(c.next(), 1, StreamState::closed, ok, 3);
        CHECK(c.waitClosed());
        CHECK(f.asked.empty());
        CHECK(f.posts.empty());
    }
    SECTION("the client logs out first: the same, and its next login is a new one") {
        c.send(RawConsumer::close(1, 1));
        f.runUntil([&] { return f.check.cancelled == 1; });
        f.check.verdict = LoginVerdict{};
        PortFixture::login(c, "erik", {}, 0, 9);
        CHECK(c.next().msg.streamId == 9);
        CHECK(PortFixture::silent(c));
        CHECK(f.asked.empty());
    }
    SECTION("more than is kept is not read until then") {
        constexpr std::int32_t kMany = 1500;
        const std::string name(200, 'N');
        for (std::int32_t i = 0; i < kMany; ++i)
            c.send(RawConsumer::request(100 + i, 6, name, 3));
        verdict({});
        f.runUntil([&] { return f.client().mounts.size() == kMany + 1u; });
    }
}

TEST_CASE("a login keeps its user: somebody else on its stream is refused", "[hub][client][login]") {
    PortFixture f;
    SECTION("by name") {
        RawConsumer c = f.loggedIn();
        PortFixture::login(c, "dana", {});
        CHECK(c.next().msg.state.stream == StreamState::open);
        Msg unnamed;
        rdm::makeLoginRequest(unnamed, "dana", 1, {}, RequestFlag::noRefresh);
        unnamed.key.flags &= static_cast<std::uint16_t>(~codec::KeyFlag::name);
        c.send(unnamed);
        CHECK(PortFixture::silent(c));
        PortFixture::login(c, "erik", {}, RequestFlag::noRefresh);
        const Received got = c.next();
        checkState(got, 1, StreamState::closed, suspect, 5);
        CHECK(got.stateText().find("another user") != std::string::npos);
        PortFixture::login(c, "erik", {});
        CHECK(c.next().msg.state.stream == StreamState::open);
        CHECK(f.client("erik").loggedIn);
    }
    SECTION("by a token that the check knows as somebody else's") {
        f.check.verdict->user = "dana";
        RawConsumer c = f.connect();
        Msg m;
        rdm::makeLoginRequest(m, "token", 3, {}, 0);
        c.send(m);
        CHECK(c.next().msg.state.stream == StreamState::open);
        f.check.verdict->user = "erik";
        rdm::makeLoginRequest(m, "other", 3, {}, 0);
        c.send(m);
        checkState(c.next(), 1, StreamState::closed, suspect, 5);
        CHECK(c.waitClosed());
        CHECK(f.port->counts().logins[LoginResult::anotherUser].logins == 1);
    }
}

TEST_CASE("a second login stream is refused and the first lives on; after a close the next one is welcome",
          "[hub][client][login]") {
    PortFixture f;
    RawConsumer c = f.loggedIn();
    PortFixture::login(c, "other", {}, 0, 9);
    checkState(c.next(), 9, StreamState::closed, suspect, 14);
    c.send(RawConsumer::request(5, 6, "IBM", 3));
    CHECK(c.next().msg.streamId == 5);
    CHECK(f.client().mounts.size() == 1);
    c.send(RawConsumer::close(1, 1));
    f.runUntil([&] { return f.mounts.size() == 0; });
    CHECK(f.gone == std::vector<std::string>{"dana"});
    CHECK(f.takeAsked().back() == "unwanted IBM");
    PortFixture::login(c, "erik", {});
    CHECK(c.next().msg.state.stream == StreamState::open);
    CHECK(f.client("erik").loggedIn);
}

TEST_CASE("tokens are checked again, and a refusal ends the login", "[hub][client][login]") {
    PortFixture f;
    RawConsumer c = f.connect();
    const auto token = [&](std::uint16_t flags) {
        Msg m;
        rdm::makeLoginRequest(m, "token", 3, {}, flags);
        c.send(m);
    };
    token(0);
    CHECK(c.next().msg.state.stream == StreamState::open);
    token(RequestFlag::noRefresh);
    f.runUntil([&] { return f.check.asked.size() == 2; });
    CHECK(f.check.asked[1].again);
    token(0);
    CHECK(c.next().msg.state.stream == StreamState::open);
    f.check.verdict->kind = LoginVerdict::Kind::notEntitled;
    token(0);
    checkState(c.next(), 1, StreamState::closed, ok, 3);
    CHECK(c.waitClosed());
}

TEST_CASE("a reissue by token must name the user that is logged in", "[hub][client][login]") {
    PortFixture f;
    RawConsumer c = f.connect();
    const auto token = [&] {
        Msg m;
        rdm::makeLoginRequest(m, "token", 3, {}, 0);
        c.send(m);
    };
    f.check.verdict->user = "dana";
    token();
    REQUIRE(c.next().msg.state.stream == StreamState::open);
    CHECK(f.check.asked.back().as.empty());
    token();
    REQUIRE(c.next().msg.state.stream == StreamState::open);
    CHECK(f.check.asked.back().as == "dana");
    f.check.verdict->user = GENERATE("", "tess");
    token();
    checkState(c.next(), 1, StreamState::closed, suspect, 5);
    CHECK(c.waitClosed());
}

TEST_CASE("pause-all and resume-all; a standby client keeps its streams without updates", "[hub][client][login]") {
    PortFixture f;
    RawConsumer c = f.loggedIn();
    c.send(RawConsumer::request(5, 6, "IBM", 3));
    CHECK(c.next().msg.cls == MsgClass::Refresh);
    const auto updated = [&] {
        f.locked([&] {
            f.update(*f.item("IBM"));
            return 0;
        });
    };
    const auto standby = [&](std::uint64_t mode) {
        std::vector<std::byte> room(256);
        eta::BeWriter out(room);
        codec::MapEncoder map;
        codec::EntryContainerHeader header;
        header.entryType = codec::DataType::ElementList;
        map.begin(out, header, codec::DataType::AsciiString);
        map.beginEntry(codec::MapAction::add, eta::asBytes(std::string_view("WarmStandbyInfo")));
        codec::ElementListEncoder list;
        list.begin(out);
        list.addUInt("WarmStandbyMode", mode);
        REQUIRE(list.complete().ok());
        map.endEntry();
        REQUIRE(map.complete().ok());
        Msg m;
        m.cls = MsgClass::Generic;
        m.domain = 1;
        m.streamId = 1;
        m.flags = codec::GenericFlag::msgKey | codec::GenericFlag::complete;
        m.key.flags = codec::KeyFlag::name;
        m.key.name = eta::asBytes(std::string_view("ConsumerConnectionStatus"));
        m.containerType = codec::DataType::Map;
        m.payload = out.view();
        c.send(m);
    };
    SECTION("paused: nothing comes; resumed: the item's image, since it has changed") {
        PortFixture::login(c, "dana", {}, RequestFlag::pause | RequestFlag::noRefresh);
        f.runUntil([&] { return f.client().paused; });
        updated();
        CHECK(PortFixture::silent(c));
        PortFixture::login(c, "dana", {}, RequestFlag::noRefresh);
        f.runUntil([&] { return !f.client().paused; });
        const Received got = c.next();
        CHECK(got.msg.cls == MsgClass::Refresh);
        CHECK(got.msg.streamId == 5);
        CHECK_FALSE(got.msg.has(RefreshFlag::solicited));
        updated();
        CHECK(c.next().msg.cls == MsgClass::Update);
    }
    SECTION("resume-all: a stream that was paused by itself goes on as well") {
        Msg m = RawConsumer::request(5, 6, "IBM", 3);
        m.flags |= RequestFlag::pause | RequestFlag::noRefresh;
        c.send(m);
        f.runUntil([&] { return f.mounts.find(f.client(), 5)->is(Mount::paused); });
        PortFixture::login(c, "dana", {}, RequestFlag::pause | RequestFlag::noRefresh);
        f.runUntil([&] { return f.client().paused; });
        updated();
        CHECK(PortFixture::silent(c));
        PortFixture::login(c, "dana", {}, RequestFlag::noRefresh);
        const Received got = c.next();
        CHECK(got.msg.cls == MsgClass::Refresh);
        CHECK(got.msg.streamId == 5);
        CHECK_FALSE(f.mounts.find(f.client(), 5)->is(Mount::paused));
        updated();
        CHECK(c.next().msg.cls == MsgClass::Update);
    }
    SECTION("standby") {
        standby(1);
        f.runUntil([&] { return f.client().onStandby; });
        updated();
        CHECK(PortFixture::silent(c));
        standby(0);
        CHECK(c.next().msg.cls == MsgClass::Refresh);
        updated();
        CHECK(c.next().msg.cls == MsgClass::Update);
        // Nothing was missed: the image says to a consumer that lost its active server that the item is as it should
        // be.
        for (int i = 0; i < 2; ++i) {
            standby(1);
            standby(0);
            const Received image = c.next();
            CHECK(image.msg.cls == MsgClass::Refresh);
            CHECK_FALSE(image.msg.has(RefreshFlag::solicited));
            updated();
            CHECK(c.next().msg.cls == MsgClass::Update);
        }
        standby(0);  // it is none
        CHECK(PortFixture::silent(c));
        standby(7);  // no such mode
        CHECK(PortFixture::silent(c));
        CHECK(f.port->counts().of.ignored == 1);
    }
    CHECK(f.posts.empty());
}

TEST_CASE("round trips are measured with clients that say they answer", "[hub][client][login]") {
    ClientOptions options = PortFixture::defaults();
    options.rttInterval = std::chrono::seconds(2);
    PortFixture f(options);
    rdm::LoginAttributes a;
    a.roundTripLatency = 2;
    RawConsumer quiet = f.loggedIn("quiet"), c = f.loggedIn("dana", a);
    const auto probe = [&] {
        f.clock.advance(std::chrono::milliseconds(2001));
        Received got = c.next();
        CHECK(got.msg.cls == MsgClass::Generic);
        CHECK(got.msg.streamId == 1);
        return got;
    };
    const auto answer = [&](Bytes payload) {
        Msg m;
        m.cls = MsgClass::Generic;
        m.domain = 1;
        m.streamId = 1;
        m.flags = codec::GenericFlag::complete;
        m.containerType = codec::DataType::ElementList;
        m.payload = payload;
        c.send(m);
    };
    const Received first = probe();
    CHECK(elementsOf(first.msg.payload).size() == 1);
    f.clock.advance(std::chrono::milliseconds(30));
    answer(first.msg.payload);
    f.runUntil([&] { return ClientSession::of(f.client()).lastLatency != 0; });
    CHECK(ClientSession::of(f.client()).lastLatency == 30'000'000);
    const Received second = probe();
    CHECK(elementsOf(second.msg.payload)[1] == "RoundTripLatency=30000000");
    answer(first.msg.payload);  // of a probe that was answered
    f.runUntil([&] { return f.port->counts().of.ignored == 1; });
    f.clock.advance(std::chrono::milliseconds(2001));
    CHECK(PortFixture::silent(c));  // nobody is asked twice at a time
    CHECK(PortFixture::silent(quiet));
    CHECK(f.posts.empty());
}

TEST_CASE("JSON clients open, batch and close items by service name", "[hub][client][items][json]") {
    PortFixture f(PortFixture::defaults(), PortFixture::webSocket());
    f.locked([&] {
        f.port->setDictionary(smallDictionary());
        return 0;
    });
    TextClient c(webSocketTo(f.port->port()), [&f] { f.turn(); });
    c.send(R"({"ID":1,"Domain":"Login","Key":{"Name":"dana"}})");
    CHECK(c.next().at("Type").text == "Refresh");
    c.send(R"({"ID":2,"Domain":"Source","Key":{"Filter":3}})");
    const json_test::Json directory = c.next();
    CHECK(directory.at("Map").at("Entries").items.size() == 1);
    CHECK(directory.at("Key").at("Filter").text == "3");

    c.send(R"({"ID":10,"Key":{"Name":["A","B"],"Service":"FEED"},"View":["BID"]})");
    CHECK(c.next().at("ID").text == "11");
    const json_test::Json second = c.next();
    CHECK(second.at("ID").text == "12");
    CHECK(second.at("Fields").members.contains("BID"));
    const json_test::Json done = c.next();
    CHECK(done.at("ID").text == "10");
    CHECK(done.at("State").at("Stream").text == "Closed");
    CHECK(done.at("State").at("Data").text == "Ok");
    CHECK(f.client().mounts.size() == 2);
    CHECK(f.views[f.mounts.find(f.client(), 11)->view].fields == std::vector<std::int16_t>{22});
    CHECK(f.mounts.find(f.client(), 11)->is(Mount::keyInUpdates));

    c.send(R"({"ID":20,"Key":{"Name":"A","Service":3},"Qos":{"Timeliness":"Realtime","Rate":"JitConflated"}})");
    const json_test::Json refused = c.next();
    CHECK(refused.at("ID").text == "20");
    CHECK(refused.at("State").at("Stream").text == "ClosedRecover");
    c.send(R"({"ID":21,"Key":{"Name":["A",""],"Service":3}})");
    CHECK(c.next().at("State").at("Code").text == "UnableToRequestAsBatch");
    c.send(R"({"ID":22,"Key":{"Name":"A","Service":3},"View":["NO_SUCH","NOR_THIS"]})");
    const json_test::Json viewed = c.next();
    CHECK(viewed.at("State").at("Code").text == "InvalidView");
    CHECK(viewed.at("State").at("Text").text.find("names no field, or none that is known") != std::string::npos);
    CHECK(viewed.at("Key").at("Name").text == "A");
    CHECK(viewed.at("Key").at("Service").text == "FEED");
    c.send(R"({"ID":[11,99,12],"Type":"Close"})");
    f.runUntil([&] { return f.client().mounts.empty(); });
    CHECK(f.items.size() == 0);
    const json_test::Json closed = c.next();
    CHECK(closed.at("ID").text == "11");
    CHECK(closed.at("State").at("Stream").text == "Closed");
    CHECK(closed.at("State").at("Data").text == "Ok");
    CHECK(closed.at("State").at("Text").text.find("3 items of the batch; 2 were closed") != std::string::npos);
}
