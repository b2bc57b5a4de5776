// Many clients: a thousand connections, roles that share a port, memory that comes back.
#include "ProviderFixture.h"

#include "provider/StreamTable.h"
#include "support/StillClock.h"

#include <malloc.h>
#include <thread>

#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>

using namespace emissary;
using namespace emissary::test;

namespace {

/// Allocated and not freed, whatever the allocator keeps for later.
[[nodiscard]] std::size_t bytesInUse() {
    return ::mallinfo2().uordblks;
}

/// Two descriptors a connection, both in this process.
void allowDescriptors(rlim_t wanted) {
    rlimit limit{};
    REQUIRE(::getrlimit(RLIMIT_NOFILE, &limit) == 0);
    if (limit.rlim_cur >= wanted) return;
    limit.rlim_cur = std::min(wanted, limit.rlim_max);
    REQUIRE(::setrlimit(RLIMIT_NOFILE, &limit) == 0);
    REQUIRE(limit.rlim_cur >= wanted);
}

}  // namespace

TEST_CASE("a thousand clients with a hundred items each", "[reactor][provider][many]") {
#if defined(EMISSARY_UNDER_SANITIZER)
    constexpr int kClients = 150, kItems = 100;  // instrumented code takes many times as long
#else
    constexpr int kClients = 1000, kItems = 100;
#endif
    allowDescriptors(2 * kClients + 100);
    ProviderFixture f;
    std::uint64_t opened = 0;
    codec::Msg refresh = Application::refresh();
    f.app.answer = [&](const StreamEvent& e, const codec::Msg& m) {
        if (m.domain == 6) ++opened;
        refresh.key = m.key;
        refresh.flags |= codec::RefreshFlag::msgKey;
        CHECK(f.role->submit(e.handle, refresh).ok());
    };
    // A round takes a hundred megabytes; sockets and sessions are destroyed soon after their end, not at once.
    std::size_t settled = bytesInUse() + (2u << 20);
    for (int round = 0; round < 4; ++round) {
        opened = 0;
        {
            std::vector<std::unique_ptr<RawConsumer>> clients;
            clients.reserve(kClients);
            for (int i = 0; i < kClients; ++i)
                clients.push_back(std::make_unique<RawConsumer>(f.loggedIn()));
            CHECK(f.role->clients().size() == kClients);
            for (auto& c : clients)
                for (int i = 0; i < kItems; ++i)
                    c->send(RawConsumer::request(10 + i, 6, "ITEM" + std::to_string(i), 1));
            f.runUntil([&] { return opened == std::uint64_t{kClients} * kItems; });
            CHECK(f.role->openStreams() == std::size_t{kClients} * (kItems + 1));
            std::size_t images = 0;
            for (auto& c : clients)
                for (int i = 0; i < kItems; ++i)
                    images += c->next().msg.streamId == 10 + i ? 1u : 0u;
            CHECK(images == std::size_t{kClients} * kItems);
            codec::Msg status = Application::status(codec::StreamState::open);
            status.domain = 1;
            CHECK(f.locked([&](ProviderRole& r) { return r.submitToAll(status); }).sent == kClients);
            CHECK(clients.front()->next().msg.cls == codec::MsgClass::Status);
            CHECK(clients.back()->next().msg.cls == codec::MsgClass::Status);
        }
        f.runUntil([&] { return f.role->openStreams() == 0 && f.role->clients().empty(); });
        f.app.told = {};
        f.app.downs = {};
        f.runUntil([&] { return bytesInUse() < settled; });
        if (round == 0) settled = bytesInUse() + (64u << 10);
        CHECK(bytesInUse() < settled);
    }
}

TEST_CASE("the table of streams", "[reactor][provider][many]") {
    StreamTable table;
    auto* session = reinterpret_cast<Session*>(&table);  // never looked at
    std::vector<std::uint64_t> old;
    for (int round = 0; round < 3; ++round) {
        std::vector<std::uint32_t> slots;
        for (int i = 0; i < 10'000; ++i)
            slots.push_back(table.add(*session));
        Stream* const first = &table[slots[0]];
        CHECK(table.open() == 10'000);
        CHECK(table.chunks() == 3);
        CHECK(&table[slots[0]] == first);
        for (const std::uint64_t handle : old)
            REQUIRE(table.find(handle) == nullptr);  // also after their chunks were given back and made anew
        for (const std::uint32_t slot : slots) {
            const std::uint64_t handle = table.handleOf(slot);
            REQUIRE(table.find(handle) == &table[slot]);
            REQUIRE(table.slotOf(table[slot]) == slot);
            REQUIRE(handle >> 32 < 0x80000000);
            old.push_back(handle);
        }
        for (const std::uint32_t slot : slots)
            table.remove(slot);
        CHECK(table.open() == 0);
        CHECK(table.chunks() == 3);  // another burst may follow
        table.trim();
        table.trim();
        CHECK(table.chunks() == 0);
        for (const std::uint64_t handle : old)
            REQUIRE(table.find(handle) == nullptr);
    }
}

TEST_CASE("chunks between streams that stay go back, and serve again", "[reactor][provider][many]") {
    StreamTable table;
    auto* session = reinterpret_cast<Session*>(&table);  // never looked at
    std::vector<std::uint64_t> handles;
    for (int i = 0; i < 20'000; ++i)
        handles.push_back(table.handleOf(table.add(*session)));
    REQUIRE(table.chunks() == 5);
    const std::uint64_t first = handles.front(), last = handles.back();
    for (std::size_t i = 1; i + 1 < handles.size(); ++i)
        table.remove(static_cast<std::uint32_t>(handles[i]));
    table.trim();
    CHECK(table.chunks() == 5);  // they were in use since the last look
    table.trim();
    CHECK(table.chunks() == 2);
    CHECK(table.find(first) != nullptr);
    CHECK(table.find(last) != nullptr);
    std::size_t seen = 0;
    table.forEach([&](const Stream& s) { seen += s.session == session ? 1u : 0u; });
    CHECK(seen == 2);
    std::vector<std::uint64_t> fresh;
    for (int i = 0; i < 19'998; ++i)
        fresh.push_back(table.handleOf(table.add(*session)));
    CHECK(table.chunks() == 5);
    for (std::size_t i = 1; i + 1 < handles.size(); ++i)
        REQUIRE(table.find(handles[i]) == nullptr);  // no handle is ever given twice
    for (const std::uint64_t handle : fresh)
        REQUIRE(table.find(handle) != nullptr);
    table.trim();
    table.trim();
    CHECK(table.chunks() == 5);  // in use
}

TEST_CASE("what the items of a client took goes back while the client stays", "[reactor][provider][many]") {
    StillClock clock;
    ReactorOptions options;
    options.clock = &clock;
    ProviderFixture f(ProviderFixture::defaults(), options);
    std::size_t opened = 0;
    f.app.answer = [&](const StreamEvent& e, const codec::Msg& m) {
        if (m.domain == 6) ++opened;
        else CHECK(f.app.submitRefresh(e.handle, m).ok());
        f.app.told.clear();
    };
    const auto quiet = [&] {
        for (int i = 0; i < 4; ++i) {
            clock.advance(std::chrono::seconds(5));
            f.turn();
        }
    };
    RawConsumer c = f.loggedIn();
    quiet();
    const std::size_t before = f.loop.places();
    constexpr int kItems = 30'000;
    for (int round = 0; round < 2; ++round) {
        opened = 0;
        for (int i = 0; i < kItems; ++i) {
            c.send(RawConsumer::request(10 + i, 6, "A_RATHER_LONG_ITEM_NAME_" + std::to_string(i), 1));
            if (i % 64 == 0) f.turn();
        }
        f.runUntil([&] { return opened == kItems; });
        CHECK(f.loop.places() > before + kItems);
        quiet();
        CHECK(f.loop.places() > before + kItems);  // in use
        for (int i = 0; i < kItems; ++i) {
            c.send(RawConsumer::close(10 + i));
            if (i % 64 == 0) f.turn();
        }
        f.runUntil([&] { return f.role->openStreams() == 1; });
        CHECK(f.loop.places() > before + kItems);  // another burst may follow at once
        quiet();
        CHECK(f.loop.places() <= before);
    }
}

namespace {

/// Roles on one port, as the threads of a provider program have them; all driven by the test's thread.
struct Sharing {
    std::vector<std::unique_ptr<Reactor>> loops;
    std::vector<std::unique_ptr<Application>> apps;
    std::vector<std::unique_ptr<ProviderRole>> roles;
    std::string port;
    explicit Sharing(std::size_t n) {
        {
            ProviderFixture probe;  // a free port
            port = std::to_string(probe.role->port());
        }
        for (std::size_t i = 0; i < n; ++i)
            add();
    }
    ~Sharing() {
        while (!roles.empty())
            drop(roles.size() - 1);
    }
    void add(std::uint32_t buffers = 50) {
        ProviderOptions options = ProviderFixture::defaults();
        options.bind.port = port;
        options.bind.sharedSocket = true;
        options.bind.guaranteedOutputBuffers = buffers;
        loops.push_back(std::make_unique<Reactor>(ReactorOptions{}));
        apps.push_back(std::make_unique<Application>());
        const std::lock_guard guard(loops.back()->lock());
        roles.push_back(std::make_unique<ProviderRole>(*loops.back(), std::move(options), *apps.back()));
        apps.back()->role = roles.back().get();
        const eta::Refused refused = roles.back()->listen();
        INFO(refused.text);
        REQUIRE_FALSE(refused);
    }
    void drop(std::size_t i) {
        {
            const std::lock_guard guard(loops[i]->lock());
            roles[i].reset();
        }
        roles.erase(roles.begin() + static_cast<std::ptrdiff_t>(i));
        loops.erase(loops.begin() + static_cast<std::ptrdiff_t>(i));
        apps.erase(apps.begin() + static_cast<std::ptrdiff_t>(i));
    }
    void turn() {
        for (auto& loop : loops)
            loop->dispatch(std::chrono::microseconds(0), 100);
    }
    [[nodiscard]] RawConsumer connect() {
        return RawConsumer(static_cast<std::uint16_t>(std::stoi(port)), [this] { turn(); });
    }
    [[nodiscard]] std::vector<std::size_t> counts() const {
        std::vector<std::size_t> n;
        for (const auto& role : roles)
            n.push_back(role->clients().size());
        return n;
    }
};

}  // namespace

TEST_CASE("roles of a process that share a port", "[reactor][provider][many]") {
    Sharing s(4);
    std::vector<std::unique_ptr<RawConsumer>> clients;
    const auto connect = [&](int n) {
        for (int i = 0; i < n; ++i)
            clients.push_back(std::make_unique<RawConsumer>(s.connect()));
    };
    const auto settled = [&](const std::vector<std::size_t>& wanted) {
        CHECK(turnUntil([&] { return s.counts() == wanted; }, [&] { s.turn(); }));
    };
    SECTION("have as many clients each, and each serves its own") {
        connect(16);
        settled({4, 4, 4, 4});
        for (auto& c : clients) {
            c->send(RawConsumer::loginRequest("user"));
            CHECK(c->next().msg.cls == codec::MsgClass::Refresh);
        }
        for (auto& app : s.apps)
            CHECK(app->told.size() == 4);
    }
    SECTION("fill up what has gone") {
        connect(8);
        settled({2, 2, 2, 2});
        const auto gone = s.roles[2]->clients();
        {
            const std::lock_guard guard(s.loops[2]->lock());
            for (const ClientInfo& c : gone)
                CHECK(s.roles[2]->closeClient(c.clientHandle));
        }
        settled({2, 2, 0, 2});
        connect(2);
        settled({2, 2, 2, 2});
    }
    SECTION("go one by one; those that stay take over") {
        s.drop(0);
        s.drop(0);
        connect(6);
        settled({3, 3});
        s.drop(0);
        connect(1);
        settled({4});
    }
    SECTION("with other options have a socket of their own") {
        s.drop(3);
        s.add(77);
        connect(12);
        std::size_t total = 0;
        for (const std::size_t n : s.counts())
            total += n;
        CHECK(total == 12);
    }
}

TEST_CASE("roles that share a port, each with its thread", "[reactor][provider][many]") {
    Sharing s(3);
    std::atomic<bool> stop{false};
    std::vector<std::thread> threads;
    for (auto& loop : s.loops)
        threads.emplace_back([&, l = loop.get()] {
            while (!stop)
                l->dispatch(std::chrono::milliseconds(20), 100);
        });
    std::vector<std::unique_ptr<RawConsumer>> clients;
    for (int i = 0; i < 30; ++i) {
        clients.push_back(std::make_unique<RawConsumer>(static_cast<std::uint16_t>(std::stoi(s.port))));
        clients.back()->send(RawConsumer::loginRequest("user"));
        CHECK(clients.back()->next().msg.cls == codec::MsgClass::Refresh);
    }
    stop = true;
    for (auto& loop : s.loops)
        loop->wake();
    for (std::thread& t : threads)
        t.join();
    CHECK(s.counts() == std::vector<std::size_t>{10, 10, 10});
}

TEST_CASE("no descriptors left", "[reactor][provider][many]") {
    ProviderFixture f;
    RawConsumer served = f.loggedIn();
    rlimit before{};
    REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
    // The clients' ends exist before the limit falls; the provider has none left for its ends.
    std::vector<int> knocking;
    for (int i = 0; i < 5; ++i) {
        const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        REQUIRE(fd >= 0);
        knocking.push_back(fd);
    }
    rlimit none = before;
    none.rlim_cur = static_cast<rlim_t>(knocking.back()) + 1;
    REQUIRE(::setrlimit(RLIMIT_NOFILE, &none) == 0);
    for (const int fd : knocking) {
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_port = htons(f.role->port());
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        REQUIRE(::connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0);
    }
    for (int i = 0; i < 100; ++i)
        f.turn();
    const std::size_t clients = f.role->clients().size();
    CHECK(served.silent());
    REQUIRE(::setrlimit(RLIMIT_NOFILE, &before) == 0);
    for (const int fd : knocking)
        ::close(fd);
    CHECK(clients == 1);
    RawConsumer later = f.loggedIn();
    CHECK(f.role->clients().size() == 2);
}
