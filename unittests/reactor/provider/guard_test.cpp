// What a hostile or broken client may cost a provider: memory, time, records in the log.
#include "ProviderFixture.h"
#include "support/StillClock.h"

#include "eta/codec/containers.h"
#include "provider/StreamTable.h"
#include "reactor/GrowingBuffer.h"
#include "reactor/LimitedLines.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace emissary;
using namespace emissary::test;
using namespace std::chrono_literals;
using What = Told::What;

namespace {

struct Guarded {
    StillClock clock;
    ProviderFixture f;

    explicit Guarded(ProviderOptions options = ProviderFixture::defaults())
        : f(silent(std::move(options)), with(clock)) {}
    /// Clients of these tests do not ping.
    [[nodiscard]] static ProviderOptions silent(ProviderOptions options) {
        options.bind.clientToServerPings = false;
        return options;
    }
    [[nodiscard]] static ReactorOptions with(const StillClock& clock) {
        ReactorOptions o;
        o.clock = &clock;
        return o;
    }
    /// Lets time go by in small steps, with a look at what is due after each.
    void pass(std::chrono::milliseconds time) {
        for (; time > 0ms; time -= 250ms) {
            clock.advance(250ms);
            f.turn();
        }
    }
    const ProviderCounters& counters() { return f.role->counters(); }
};

codec::Msg itemRequest(std::int32_t streamId, std::string_view name, std::size_t attribBytes) {
    static std::vector<std::byte> room;
    room.assign(attribBytes + 64, std::byte{});
    codec::Msg m = RawConsumer::request(streamId, 6, name, std::uint16_t{1});
    m.key.flags |= codec::KeyFlag::attrib;
    m.key.attribType = codec::DataType::Opaque;
    m.key.attrib = Bytes(room).first(attribBytes);
    return m;
}

ProviderOptions withDictionary() {
    auto d = std::make_shared<eta::dictionary::Dictionary>();
    std::string text = "!tag Type 1\n!tag Version 1.0\n!tag DictionaryId 1\n";
    for (int i = 1; i <= 3000; ++i)
        text += "F" + std::to_string(i) + " \"FIELD " + std::to_string(i) + "\" " + std::to_string(i) +
                " NULL PRICE 17 REAL64 9\n";
    REQUIRE_FALSE(d->parseFields(text, "fields"));
    ProviderOptions options = ProviderFixture::defaults();
    options.dictionaries = {{"RWFFld", ServedDictionary::Kind::fields, std::move(d)}};
    return options;
}

}  // namespace

// --- before the login ------------------------------------------------------------------------------------------------

TEST_CASE("a client that is not logged in may send small messages only", "[reactor][provider][guard]") {
    Guarded g;
    RawConsumer c = g.f.connect();
    codec::Msg big = RawConsumer::request(5, 6, "TRI.N", std::uint16_t{1});
    const std::vector<std::byte> payload(100'000);
    big.containerType = codec::DataType::Opaque;
    big.payload = payload;
    SECTION("before its login") {
        c.send(big);
        CHECK(c.waitClosed());
        REQUIRE(g.f.app.downs.size() == 1);
        CHECK_THAT(g.f.app.downs[0], Catch::Contains("exceeds 65536"));
    }
    SECTION("nor after it has closed its login") {
        c.send(RawConsumer::loginRequest("user"));
        REQUIRE(c.next().msg.domain == 1);
        c.send(big);
        g.f.runUntil([&] { return g.f.app.told.size() == 2; });
        c.send(RawConsumer::close(1, 1));
        g.f.runUntil([&] { return g.f.app.count(What::close) == 1; });
        c.send(big);
        CHECK(c.waitClosed());
    }
}

TEST_CASE("the login has a deadline", "[reactor][provider][guard]") {
    Guarded g;
    RawConsumer c = g.f.connect();
    SECTION("for who never asks for one") {
        g.pass(29s);
        CHECK(g.f.role->clients().size() == 1);
        g.pass(7s);
        CHECK(c.waitClosed());
        CHECK(g.counters().loginTimeouts == 1);
        REQUIRE(g.f.app.downs.size() == 1);
        CHECK_THAT(g.f.app.downs[0], Catch::Contains("no login request came within 30 seconds"));
    }
    SECTION("whatever else it sends") {
        for (int i = 0; i < 40; ++i) {
            c.send(RawConsumer::request(5, 6, "TRI.N", std::uint16_t{1}));
            checkRefusal(c.next(), 5);
            g.pass(1s);
            if (g.f.role->clients().empty()) break;
        }
        CHECK(c.waitClosed());
        CHECK(g.counters().loginTimeouts == 1);
    }
    SECTION("and starts anew when the login is closed") {
        c.send(RawConsumer::loginRequest("user"));
        REQUIRE(c.next().msg.domain == 1);
        g.pass(100s);
        CHECK(g.f.role->clients().size() == 1);
        c.send(RawConsumer::close(1, 1));
        g.f.runUntil([&] { return g.f.app.count(What::close) == 1; });
        g.pass(36s);
        CHECK(c.waitClosed());
    }
    SECTION("an application may take its time to accept it") {
        g.f.app.acceptLogins = false;
        c.send(RawConsumer::loginRequest("user"));
        g.f.runUntil([&] { return g.f.app.told.size() == 1; });
        g.pass(100s);
        CHECK(g.f.role->clients().size() == 1);
    }
}

TEST_CASE("who sends one refused message after the other before its login is cut off", "[reactor][provider][guard]") {
    Guarded g;
    RawConsumer c = g.f.connect();
    for (int i = 0; i < 65; ++i) {
        c.send(RawConsumer::request(5, 6, "TRI.N", std::uint16_t{1}));
        checkRefusal(c.next(), 5);
    }
    CHECK(c.waitClosed());
    CHECK(g.counters().refusalLimits == 1);
}

TEST_CASE("a provider that asks for no login sets no such limits", "[reactor][provider][guard]") {
    ProviderOptions options = ProviderFixture::defaults();
    options.acceptWithoutLogin = true;
    Guarded g(std::move(options));
    RawConsumer c = g.f.connect();
    codec::Msg big = RawConsumer::request(5, 6, "TRI.N", std::uint16_t{1});
    const std::vector<std::byte> payload(100'000);
    big.containerType = codec::DataType::Opaque;
    big.payload = payload;
    c.send(big);
    g.f.runUntil([&] { return g.f.app.told.size() == 1; });
    g.pass(60s);
    CHECK(g.f.role->clients().size() == 1);
}

// --- after it --------------------------------------------------------------------------------------------------------

TEST_CASE("a message that stops half way ends the connection", "[reactor][provider][guard]") {
    Guarded g;
    RawConsumer c = g.f.loggedIn();
    // 1 MiB announced, 100 bytes of it sent.
    std::vector<unsigned char> fragment = {0, 110, 0x03, 0x08, 0, 0x10, 0, 0, 0, 1};
    fragment.resize(110);
    REQUIRE(::send(c.channel().fd(), fragment.data(), fragment.size(), MSG_NOSIGNAL) == 110);
    for (int i = 0; i < 100; ++i)
        g.f.turn();
    g.pass(25s);
    CHECK(g.f.role->clients().size() == 1);
    g.pass(20s);
    CHECK(c.waitClosed());
    CHECK(g.counters().partialsStalled == 1);
}

TEST_CASE("dictionary requests of one stream are one job", "[reactor][provider][guard]") {
    ProviderOptions options = withDictionary();
    options.bind.guaranteedOutputBuffers = 20;
    options.bind.sysSendBufSize = 8192;
    ProviderFixture f(std::move(options));
    RawConsumer c = f.loggedIn();
    constexpr int kAsked = 2000;
    SECTION("of a client that does not read") {
        for (int i = 0; i < kAsked; ++i) {
            c.send(RawConsumer::dictionaryRequest(5, "RWFFld"));
            if (i % 100 == 0) f.turn();
        }
        f.runUntil([&] { return f.role->counters().reissues == kAsked - 1; });
        CHECK(f.role->clients().size() == 1);
        // What the sockets hold, the one under way and one more, however often it was asked for.
        c.send(RawConsumer::request(99, 5, "no such dictionary"));
        int images = 0;
        for (Received got = c.next(); got.msg.streamId != 99; got = c.next()) {
            REQUIRE(got.msg.streamId == 5);
            if (got.msg.has(codec::RefreshFlag::complete)) ++images;
        }
        CHECK(images >= 2);
        CHECK(images < kAsked / 4);
        // And the stream is as good as ever.
        c.send(RawConsumer::dictionaryRequest(5, "RWFFld"));
        while (!c.next().msg.has(codec::RefreshFlag::complete)) {}
    }
    SECTION("of a client that opens and closes the stream") {
        for (int i = 0; i < kAsked && f.role->clients().size() == 1; ++i) {
            c.send(RawConsumer::dictionaryRequest(5, "RWFFld"));
            c.send(RawConsumer::close(5, 5));
            if (i % 100 == 0) f.turn();
        }
        for (int i = 0; i < 20'000 && f.role->clients().size() == 1; ++i)
            f.turn();
        // Whatever waits is counted: either it was answered, or the client was cut off at the bound.
        CHECK((f.role->counters().overrun == 1 || f.role->counters().closes == kAsked));
    }
}

TEST_CASE("keys have a size, and each client room for so many", "[reactor][provider][guard]") {
    ProviderOptions options = ProviderFixture::defaults();
    options.limits.keyBytes = 1000;
    options.limits.keyBytesPerClient = 5000;
    ProviderFixture f(std::move(options));
    RawConsumer c = f.loggedIn();
    const auto asked = [&](const codec::Msg& m) {
        const std::size_t before = f.app.told.size() + f.app.refused.size();
        c.send(m);
        f.runUntil([&] { return f.app.told.size() + f.app.refused.size() > before; });
        return f.app.refused.empty();
    };
    SECTION("a large one is refused") {
        CHECK_FALSE(asked(itemRequest(5, "TRI.N", 1000)));
        checkRefusal(c.next(), 5, 5, codec::StreamState::closed);  // it will never be taken
        CHECK_THAT(f.app.refused[0], Catch::Contains("at most 1000 are taken (MaxKeySize)"));
    }
    SECTION("and so are too many, until others are closed") {
        for (int i = 0; i < 5; ++i)
            REQUIRE(asked(itemRequest(5 + i, "A" + std::to_string(i), 900)));
        CHECK_FALSE(asked(itemRequest(50, "B", 900)));
        checkRefusal(c.next(), 50, 13);
        c.send(RawConsumer::close(5));
        f.runUntil([&] { return f.app.count(What::close) == 1; });
        f.app.refused.clear();
        CHECK(asked(itemRequest(51, "C", 900)));
        c.send(RawConsumer::close(1, 1));  // all of them
        f.runUntil([&] { return f.app.count(What::close) == 2; });
        c.send(RawConsumer::loginRequest("user"));
        REQUIRE(c.next().msg.domain == 1);
        for (int i = 0; i < 5; ++i)
            CHECK(asked(itemRequest(5 + i, "A" + std::to_string(i), 900)));
    }
    SECTION("those of private streams, of other domains, of a login and of a directory asked for again as well") {
        codec::Msg one = itemRequest(5, "A", 1000);
        one.flags |= codec::RequestFlag::privateStream;
        CHECK_FALSE(asked(one));
        f.app.refused.clear();
        one = itemRequest(6, "A", 1000);
        one.domain = 200;
        CHECK_FALSE(asked(one));
        f.app.refused.clear();
        codec::Msg directory = RawConsumer::directoryRequest(3);
        c.send(directory);
        (void)c.next();
        codec::Msg again = itemRequest(2, "", 1000);
        again.domain = 4;
        again.key.flags |= codec::KeyFlag::filter;
        again.key.filter = 3;
        CHECK_FALSE(asked(again));
        f.app.refused.clear();
        RawConsumer other = f.connect();
        codec::Msg login = itemRequest(1, "user", 1000);
        login.domain = 1;
        login.key.flags &= static_cast<std::uint16_t>(~codec::KeyFlag::serviceId);
        other.send(login);
        f.runUntil([&] { return !f.app.refused.empty(); });
    }
}

TEST_CASE("a client that does not read is cut off in time", "[reactor][provider][guard]") {
    ProviderOptions options = ProviderFixture::defaults();
    options.bind.guaranteedOutputBuffers = 20;
    options.bind.sysSendBufSize = 8192;
    Guarded g(std::move(options));
    RawConsumer c = g.f.loggedIn();
    c.send(RawConsumer::request(5, 6, "TRI.N", std::uint16_t{1}));
    g.f.app.answer = [&](const StreamEvent& e, const codec::Msg& m) { CHECK(g.f.app.submitRefresh(e.handle, m).ok()); };
    REQUIRE(c.next().msg.streamId == 5);
    const std::uint64_t handle = g.f.app.last().event.handle;
    const std::vector<std::byte> payload(4000);
    const auto publish = [&] {
        codec::Msg update = Application::update();
        update.containerType = codec::DataType::Opaque;
        update.payload = payload;
        return g.f.locked([&](ProviderRole& r) { return r.submit(handle, update); });
    };
    const auto fill = [&] {
        for (int i = 0; publish().ok(); ++i)
            REQUIRE(i < 100'000);
    };
    fill();
    SECTION("when nothing of it leaves") {
        g.pass(58s);
        CHECK(g.f.role->clients().size() == 1);
        g.pass(80s);
        CHECK(g.f.role->clients().empty());
        CHECK(g.counters().slowConsumers == 1);
        REQUIRE(g.f.app.downs.size() == 1);
        CHECK_THAT(g.f.app.downs[0], Catch::Contains("reads too slowly"));
        CHECK(publish().fault == SubmitFault::unknownHandle);
    }
    SECTION("not when it reads, however much waits all the time") {
        const std::uint64_t client = g.f.app.last().event.clientHandle;
        for (int second = 0; second < 300; ++second) {
            // The system asks for more when much of what it had is read: until something of the queue has left.
            const auto queued = [&] {
                return g.f.locked([&](ProviderRole& r) { return r.link(client)->queuedBytes(); });
            };
            const std::size_t full = queued();
            REQUIRE(turnUntil([&] { return queued() < full; },
                              [&] {
                                  REQUIRE(c.tryNext().has_value());
                                  (void)g.f.locked([&](ProviderRole& r) { return r.link(client)->flush(), 0; });
                              }));
            fill();
            g.pass(1s);
        }
        CHECK(g.f.role->clients().size() == 1);
        CHECK(g.counters().slowConsumers == 0);
    }
}

TEST_CASE("who posts without waiting for acks is remembered in part only", "[reactor][provider][guard]") {
    ProviderOptions options = ProviderFixture::defaults();
    options.enforceAckIdValidation = true;
    ProviderFixture f(std::move(options));
    RawConsumer c = f.loggedIn();
    codec::Msg post;
    post.cls = codec::MsgClass::Post;
    post.streamId = 1;
    post.domain = 1;
    post.flags = codec::PostFlag::postId | codec::PostFlag::ack;
    constexpr std::uint32_t kPosts = 100'010;
    for (std::uint32_t i = 0; i < kPosts; ++i) {
        post.postId = i;
        c.send(post);
        if (i % 1000 == 0) f.runUntil([&] { return f.role->counters().posts + 1000 >= i; });
    }
    f.runUntil([&] { return f.role->counters().posts == kPosts; });
    const std::uint64_t handle = f.app.told[0].event.handle;
    const auto ack = [&](std::uint32_t id) {
        codec::Msg m;
        m.cls = codec::MsgClass::Ack;
        m.domain = 1;
        m.ackId = id;
        return f.locked([&](ProviderRole& r) { return r.submit(handle, m); }).fault;
    };
    CHECK(ack(9) == SubmitFault::unknownAck);
    CHECK(ack(10) == SubmitFault::none);
    CHECK(ack(kPosts - 1) == SubmitFault::none);
}

// --- handshakes that fail
// ---------------------------------------------------------------------------------------------

namespace {

/// Strangers of whom one says something that is no request to connect, and another one nothing at all.
struct Strangers : Guarded {
    void knock(std::string_view words) {
        const std::uint64_t before = counters().handshakesFailed;
        const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_port = htons(f.role->port());
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        REQUIRE(::connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0);
        if (!words.empty())
            REQUIRE(::send(fd, words.data(), words.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(words.size()));
        else ::close(fd);
        f.runUntil([&] { return counters().handshakesFailed != before; });
        if (!words.empty()) ::close(fd);
    }
    void rubbish() { knock(std::string("\x00\x05\x77\x77\x77", 5)); }
    void leaves() { knock({}); }
    /// Without addresses.
    std::vector<std::string> told() {
        std::vector<std::string> lines = std::exchange(f.app.failedHandshakes, {});
        for (std::string& line : lines)
            line.erase(0, line.find(": ") + 2);
        return lines;
    }
};

}  // namespace

TEST_CASE("failed handshakes are counted with their own reason", "[reactor][provider][guard]") {
    Strangers s;
    s.rubbish();
    const std::vector<std::string> first = s.told();
    REQUIRE(first.size() == 1);
    CHECK(first[0].ends_with(" +0"));
    for (int i = 0; i < 3; ++i)
        s.rubbish();
    for (int i = 0; i < 2; ++i)
        s.leaves();
    CHECK(s.told().empty());
    s.pass(1s);
    const std::vector<std::string> second = s.told();
    REQUIRE(second.size() == 1);
    CHECK(second[0] == first[0].substr(0, first[0].size() - 2) + "+2");
    s.pass(1s);
    const std::vector<std::string> third = s.told();
    REQUIRE(third.size() == 1);
    CHECK(third[0] != second[0]);
    CHECK(third[0].ends_with(" +1"));
    s.pass(2s);
    CHECK(s.told().empty());
    s.leaves();
    const std::vector<std::string> last = s.told();
    REQUIRE(last.size() == 1);
    CHECK(last[0] == third[0].substr(0, third[0].size() - 2) + "+0");
}

// --- the log ---------------------------------------------------------------------------------------------------------

TEST_CASE("records that peers cause come in bursts and then now and then", "[reactor][provider][guard]") {
    RecordLimit limit(3, 1s);
    TimePoint now = Clock::now();
    int passed = 0;
    for (int i = 0; i < 1000; ++i)
        passed += limit.pass(now) ? 1 : 0;
    CHECK(passed == 3);
    CHECK(limit.takeSuppressed() == 997);
    CHECK(limit.takeSuppressed() == 0);
    now += 1s;
    CHECK(limit.pass(now));
    CHECK_FALSE(limit.pass(now));
    now += 1h;
    for (int i = 0; i < 3; ++i)
        CHECK(limit.pass(now));
    CHECK_FALSE(limit.pass(now));
}

TEST_CASE("lines that were left out are told of when no line takes their number along", "[reactor][provider][guard]") {
    StillClock clock;
    ReactorOptions options;
    options.clock = &clock;
    Reactor loop(options);
    std::vector<std::uint64_t> told;
    const auto locked = [&](auto call) {
        const std::lock_guard guard(loop.lock());
        return call();
    };
    const auto make = [&](std::uint32_t burst) {
        return std::make_unique<LimitedLines>(
            loop, [&](std::uint64_t n) { told.push_back(n); }, RecordLimit(burst, 1s));
    };
    const auto turn = [&] { loop.dispatch(0us, 10); };
    turn();
    auto lines = make(2);
    const auto pass = [&](LimitedLines& l) { return locked([&] { return l.pass(); }); };
    int passed = 0;
    for (int i = 0; i < 10; ++i)
        passed += pass(*lines) ? 1 : 0;
    CHECK(passed == 2);
    clock.advance(9'900ms);
    turn();
    CHECK(told.empty());
    SECTION("then") {
        clock.advance(200ms);
        turn();
        CHECK(told == std::vector<std::uint64_t>{8});
        clock.advance(20s);
        turn();
        CHECK(told.size() == 1);
    }
    SECTION("unless another line did") {
        CHECK(pass(*lines));
        CHECK(lines->takeLeftOut() == 8);
        clock.advance(200ms);
        turn();
        CHECK(told.empty());
    }
    SECTION("nor when they are gone") {
        locked([&] { lines.reset(); });
        clock.advance(20s);
        turn();
        CHECK(told.empty());
    }
    locked([&] { lines.reset(); });
}
