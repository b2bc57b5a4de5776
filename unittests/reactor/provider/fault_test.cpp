// A provider behind a faulty wire: crumbs, cuts, stalls, garbage, restarts. A healthy client is served all the while.
#include "ProviderFixture.h"
#include "support/Relay.h"
#include "support/StillClock.h"

using namespace emissary;
using namespace emissary::test;
using namespace std::chrono_literals;

namespace {

struct FaultyWire {
    StillClock clock;
    Reactor loop;
    Application app;
    std::unique_ptr<ProviderRole> role;
    std::unique_ptr<Relay> relay;
    std::unique_ptr<RawConsumer> healthy;
    std::int32_t asked = 100;

    FaultyWire() : loop(optionsOf(clock)) {
        listen("0");
        relay = std::make_unique<Relay>(role->port());
        healthy = std::make_unique<RawConsumer>(role->port(), [this] { turn(); });
        healthy->send(RawConsumer::loginRequest("healthy"));
        REQUIRE(healthy->next().msg.domain == 1);
        app.answer = [this](const StreamEvent& e, const codec::Msg& m) { (void)app.submitRefresh(e.handle, m); };
    }
    ~FaultyWire() { stop(); }
    void listen(const std::string& port) {
        ProviderOptions options = ProviderFixture::defaults();
        options.bind.port = port;
        const std::lock_guard guard(loop.lock());
        role = std::make_unique<ProviderRole>(loop, std::move(options), app);
        app.role = role.get();
        const eta::Refused refused = role->listen();
        INFO(refused.text);
        REQUIRE_FALSE(refused);
    }
    void stop() {
        const std::lock_guard guard(loop.lock());
        role.reset();
    }
    [[nodiscard]] static ReactorOptions optionsOf(const StillClock& clock) {
        ReactorOptions o;
        o.clock = &clock;
        return o;
    }
    void turn() {
        loop.dispatch(0us, 100);
        if (relay) relay->pump();
    }
    void stillServes() {
        const std::string name = "I" + std::to_string(++asked);
        healthy->send(RawConsumer::request(asked, 6, name, 1));
        const Received got = healthy->next();
        CHECK(got.msg.cls == codec::MsgClass::Refresh);
        CHECK(got.msg.streamId == asked);
    }
    /// Connects through the relay and says what an ordinary client says, whatever becomes of it.
    void rawSession(int turns) {
        static const std::vector<std::byte> script = recorded();
        const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_port = htons(relay->port());
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        (void)::connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to);
        std::size_t sent = 0;
        for (int i = 0; i < turns; ++i) {
            // The client speaks in two steps, as it waits for the answer to its handshake.
            const std::size_t upTo = i < turns / 2 ? handshakeBytes : script.size();
            if (sent < upTo) {
                const ssize_t n = ::send(fd, script.data() + sent, upTo - sent, MSG_NOSIGNAL);
                if (n > 0) sent += static_cast<std::size_t>(n);
            }
            turn();
        }
        ::close(fd);
        for (int i = 0; i < 4; ++i)
            turn();
    }
    inline static std::size_t handshakeBytes = 0;
    /// The bytes of a client: handshake, login, directory, an item, a post.
    [[nodiscard]] static std::vector<std::byte> recorded() {
        ProviderFixture f;
        std::vector<std::byte> bytes;
        Relay tap(f.role->port());
        tap.recordTo(&bytes);
        RawConsumer c(RawConsumer::optionsFor(tap.port()), [&] {
            f.turn();
            tap.pump();
        });
        const std::size_t handshake = bytes.size();
        c.send(RawConsumer::loginRequest("user"));
        (void)c.next();
        c.send(RawConsumer::directoryRequest(63));
        (void)c.next();
        c.send(RawConsumer::request(5, 6, "TRI.N", 1));
        codec::Msg post;
        post.cls = codec::MsgClass::Post;
        post.streamId = 5;
        post.flags = codec::PostFlag::postId | codec::PostFlag::ack | codec::PostFlag::complete;
        c.send(post);
        f.runUntil([&] {
            tap.pump();
            return f.app.count(Told::What::post) == 1;
        });
        handshakeBytes = handshake;
        return bytes;
    }
};

}  // namespace

TEST_CASE("a wire that crumbles", "[reactor][provider][fault]") {
    for (const std::size_t crumb : {1u, 2u, 3u, 7u}) {
        FaultyWire w;
        w.relay->fromClient.crumb = w.relay->fromServer.crumb = crumb;
        RawConsumer c(RawConsumer::optionsFor(w.relay->port()), [&] { w.turn(); });
        c.send(RawConsumer::loginRequest("user"));
        CHECK(c.next().name() == "user");
        c.send(RawConsumer::directoryRequest(63));
        CHECK(c.next().msg.domain == 4);
        c.send(RawConsumer::request(5, 6, "TRI.N", 1));
        CHECK(c.next().name() == "TRI.N");
        const std::vector<std::byte> large(9000, std::byte{0x55});  // several fragments
        codec::Msg update = Application::update();
        update.containerType = codec::DataType::Opaque;
        update.payload = Bytes(large);
        {
            const std::lock_guard guard(w.loop.lock());
            REQUIRE(w.role->submit(w.app.last().event.handle, update).ok());
        }
        const Received got = c.next();
        CHECK(std::equal(got.msg.payload.begin(), got.msg.payload.end(), large.begin(), large.end()));
        w.stillServes();
    }
}

TEST_CASE("a wire cut after every byte", "[reactor][provider][fault]") {
    FaultyWire w;
    w.rawSession(12);
    const std::size_t all = w.relay->passedFromClient();
    REQUIRE(all > FaultyWire::handshakeBytes);
    for (std::size_t n = 1; n < all; ++n) {
        w.relay->fromClient.cutAfter = n;
        w.rawSession(8);
        REQUIRE(w.role->clients().size() == 1);
    }
    w.relay->fromClient = {};
    w.stillServes();
    CHECK(w.role->openStreams() == 2);  // the healthy client's login and item
    CHECK(w.role->counters().clientsLost + 1 == w.role->counters().clientsAccepted);
}

TEST_CASE("a wire that spoils any one byte", "[reactor][provider][fault]") {
    FaultyWire w;
    w.rawSession(12);
    const std::size_t all = w.relay->passedFromClient();
    for (std::size_t n = 0; n < all; ++n) {
        w.relay->fromClient.spoilAt = n;
        w.rawSession(8);
        if (n % 32 == 0) w.stillServes();
        REQUIRE(w.role->clients().size() == 1);
    }
    w.stillServes();
}

TEST_CASE("a wire that stalls", "[reactor][provider][fault]") {
    FaultyWire w;
    SECTION("in the handshake: the initialization timeout ends it") {
        const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_port = htons(w.role->port());
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        REQUIRE(::connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0);
        const char some[] = {0, 20, 0};
        REQUIRE(::send(fd, some, sizeof some, MSG_NOSIGNAL) == sizeof some);
        const std::uint64_t failed = w.role->counters().handshakesFailed;
        for (int i = 0; i < 20; ++i)
            w.turn();
        CHECK(w.role->counters().handshakesFailed == failed);
        w.stillServes();  // its traffic keeps the ping timeout away
        w.clock.advance(55s);
        w.stillServes();
        w.clock.advance(10s);
        for (int i = 0; i < 20; ++i)
            w.turn();
        CHECK(w.role->counters().handshakesFailed == failed + 1);
        w.stillServes();
        ::close(fd);
    }
    SECTION("in a message: the ping timeout ends the session") {
        RawConsumer c(RawConsumer::optionsFor(w.relay->port()), [&] { w.turn(); });
        c.send(RawConsumer::loginRequest("user"));
        CHECK(c.next().name() == "user");
        w.relay->fromClient.stallAfter = w.relay->passedFromClient() + 6;
        c.send(RawConsumer::request(5, 6, "TRI.N", 1));
        for (int i = 0; i < 8; ++i) {
            w.clock.advance(20s);
            w.stillServes();
            w.turn();
        }
        CHECK(w.role->clients().size() == 1);
        CHECK(w.app.last().name != "TRI.N");
        CHECK(c.waitClosed());
    }
}

TEST_CASE("a provider that restarts on its port", "[reactor][provider][fault]") {
    FaultyWire w;
    const std::string port = std::to_string(w.role->port());
    for (int i = 0; i < 5; ++i) {
        w.stillServes();
        w.stop();
        w.listen(port);
        CHECK(w.healthy->waitClosed());
        w.healthy = std::make_unique<RawConsumer>(w.role->port(), [&] { w.turn(); });
        w.healthy->send(RawConsumer::loginRequest("healthy"));
        CHECK(w.healthy->next().msg.domain == 1);
    }
    w.stillServes();
}

TEST_CASE("posts of a client that went away arrive although publishing to it fails", "[reactor][provider][fault]") {
    constexpr std::size_t kPosts = 300;  // several turns; they fit into the receive buffer of one that does not read
    ProviderFixture f;
    RawConsumer c = f.loggedIn();
    f.app.answer = [&](const StreamEvent& e, const codec::Msg& m) { (void)f.app.submitRefresh(e.handle, m); };
    c.send(RawConsumer::request(5, 6, "TRI.N", 1));
    REQUIRE(c.next().msg.cls == codec::MsgClass::Refresh);
    const std::uint64_t item = f.app.last().event.handle;
    codec::Msg update = Application::update();
    const auto publish = [&] { return f.locked([&](ProviderRole& role) { return role.submit(item, update); }); };
    REQUIRE(publish().ok());  // stays unread, so that the end is a reset

    codec::Msg post;
    post.cls = codec::MsgClass::Post;
    post.streamId = 5;
    post.flags = codec::PostFlag::complete;
    {
        const std::lock_guard guard(c.channel().outputLock());
        std::vector<std::byte> room(codec::maxEncodedSize(post) + 64);
        eta::BeWriter out(room);
        REQUIRE(codec::encodeMsg(out, post).ok());
        for (std::size_t i = 0; i < kPosts; ++i)
            REQUIRE(c.channel().write(out.view()).ok());
        REQUIRE(c.channel().flush());
    }
    c.disconnect();
    SubmitResult r;
    const auto end = std::chrono::steady_clock::now() + RawConsumer::kPatience;
    while ((r = publish()).ok() && std::chrono::steady_clock::now() < end)
        f.locked([&](ProviderRole& role) { role.link(f.app.told.back().event.clientHandle)->flush(); });
    CHECK(r.fault == SubmitFault::clientGone);
    f.runUntil([&] { return !f.app.downs.empty(); });
    CHECK(f.app.count(Told::What::post) == kPosts);
    REQUIRE(f.app.downs.size() == 1);
    CHECK_FALSE(f.app.downs[0].empty());
}

TEST_CASE("a client ends as a whole when no call can be posted any more", "[reactor][provider][fault]") {
    ProviderFixture f;
    RawConsumer first = f.loggedIn();
    RawConsumer second = f.loggedIn();
    const auto handles = f.locked([](ProviderRole& role) {
        std::vector<std::uint64_t> all;
        for (const auto& client : role.clients())
            all.push_back(client.clientHandle);
        return all;
    });
    REQUIRE(handles.size() == 2);
    f.locked([&](ProviderRole& role) {
        // 262,144 calls wait, and there is room for no more: as if memory had run out.
        bool full = false;
        while (!full) {
            try {
                f.loop.post([] {});
            } catch (const std::bad_alloc&) { full = true; }
        }
        CHECK(role.closeClient(handles[0], "the first"));
        CHECK(f.app.downs == std::vector<std::string>{"the first"});
        CHECK(role.clients().size() == 1);
        CHECK(role.counters().clientsLost == 1);
        CHECK_FALSE(role.closeClient(handles[0], "again"));
        CHECK(f.app.count(Told::What::close) == 0);  // never inside the application's own call
    });
    // When there is room again the next end brings what the first one still owes.
    f.turn();
    f.turn();
    f.locked([&](ProviderRole& role) { CHECK(role.closeClient(handles[1], "the second")); });
    f.runUntil([&] { return f.app.count(Told::What::close) == 2; });
    CHECK(f.app.downs.size() == 2);
    RawConsumer third = f.loggedIn();
}
