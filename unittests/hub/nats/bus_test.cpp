// The bus against real servers: what reaches whom, and what happens to servers.
#include "BusEnd.h"
#include "hub/mesh/frames.h"

#include <algorithm>

using namespace emissary;
using namespace std::chrono_literals;
using hub::nats::NatsBus;
using test::BusEnd;
using test::NatsServer;
using test::optionsFor;
using test::reaches;

TEST_CASE("Frames reach those who subscribed, in their order, and not who sent them", "[nats]") {
    NatsServer server;
    BusEnd a(optionsFor({server.url()})), b(optionsFor({server.url()})), c(optionsFor({server.url()}));
    for (const char* const subject : {"m.hb", "m.u.*.b", "m.w.1"})
        b.bus->subscribe(subject);
    b.bus->subscribe("m.hb");  // a second time
    a.bus->subscribe("m.hb");
    c.bus->subscribe("m.u.*.c");
    for (BusEnd* const end : {&a, &b, &c})
        REQUIRE(end->connects());
    REQUIRE(reaches(a, b, "m.w.1", "ready"));
    REQUIRE(reaches(b, c, "m.u.b.c", "ready"));
    a.got.clear(), b.got.clear(), c.got.clear();
    for (int i = 0; i < 1000; ++i) {
        a.say("m.hb", "hb" + std::to_string(i));
        a.say("m.u.a.b", "b" + std::to_string(i));
        a.say("m.u.a.c", "c" + std::to_string(i));
    }
    a.say("m.w.2", "to nobody");
    std::vector<std::string> toB, toC;
    for (int i = 0; i < 1000; ++i) {
        toB.insert(toB.end(), {"hb" + std::to_string(i), "b" + std::to_string(i)});
        toC.push_back("c" + std::to_string(i));
    }
    CHECK(b.until([&] { return b.got.size() >= toB.size(); }));
    CHECK(c.until([&] { return c.got.size() >= toC.size(); }));
    CHECK(b.got == toB);
    CHECK(c.got == toC);
    a.turn();
    CHECK(a.got.empty());
    CHECK(b.bus->server() == server.url());

    // Unsubscribed, and another subject meanwhile.
    b.bus->unsubscribe("m.w.1");
    b.bus->subscribe("m.w.2");
    REQUIRE(reaches(a, b, "m.w.2", "new"));
    b.got.clear();
    a.say("m.w.1", "old");
    a.say("m.w.2", "last");
    REQUIRE(b.until([&] { return std::find(b.got.begin(), b.got.end(), "last") != b.got.end(); }));
    CHECK(std::find(b.got.begin(), b.got.end(), "old") == b.got.end());
}

TEST_CASE("Subjects come and go while their frames are on the way", "[nats]") {
    NatsServer server;
    BusEnd flood(optionsFor({server.url()})), b(optionsFor({server.url()}));
    REQUIRE(flood.connects());
    REQUIRE(b.connects());
    constexpr int kRounds = 200, kSubjects = 8, kFrames = 400;
    const auto subject = [](int i) { return "m.f." + std::to_string(i); };
    for (int round = 0; round < kRounds; ++round) {
        for (int i = 0; i < kSubjects; ++i)
            b.bus->subscribe(subject(i));
        REQUIRE(reaches(flood, b, subject(0), "ready " + std::to_string(round)));
        for (int i = 0; i < kFrames; ++i)
            flood.say(subject(i % kSubjects), "flood");
        REQUIRE(b.until([&] { return std::find(b.got.begin(), b.got.end(), "flood") != b.got.end(); }));
        for (int i = 0; i < kSubjects; ++i)  // the others come meanwhile
            b.bus->unsubscribe(subject(i));
        b.got.clear();
    }
    CHECK(b.bus->counts().disconnects.get() == 0);
}

TEST_CASE("A bus of no server, and one without the library, are refused with a sentence", "[nats]") {
    eta::Refused refused;
    CHECK(NatsBus::make({}, refused) == nullptr);
    CHECK(refused.text.find("nats://localhost:4222") != std::string::npos);
}

TEST_CASE("The largest frame passes, byte by byte the same", "[nats]") {
    NatsServer server;
    BusEnd a(optionsFor({server.url()})), b(optionsFor({server.url()}));
    b.bus->subscribe("big");
    REQUIRE(a.connects());
    REQUIRE(b.connects());
    CHECK(a.bus->mostFrame() == hub::mesh::kHeaderBytes + hub::mesh::kMostPayload);
    std::string frame(a.bus->mostFrame(), '\0');
    for (std::size_t i = 0; i < frame.size(); ++i)
        frame[i] = static_cast<char>(i * 31 >> 3);
    REQUIRE(reaches(a, b, "big", frame));
    CHECK(a.bus->counts().tooLong == 0);
}

TEST_CASE("A server's max_payload bounds frames; one that has no room for requests is not used", "[nats]") {
    NatsServer small("max_payload: 1000\n"), middle("max_payload: 100000\n");
    BusEnd a(optionsFor({small.url()}));
    REQUIRE(a.until([&] { return !a.bus->lastError().empty(); }));
    CHECK(a.bus->lastError() ==
          "cannot use " + small.url() + ": its max_payload is 1000 bytes, and the mesh needs 73728");
    CHECK(a.bus->state() == NatsBus::State::connecting);

    // The other one of a list is used.
    BusEnd b(optionsFor({small.url(), middle.url()})), c(optionsFor({middle.url()}));
    c.bus->subscribe("s");
    REQUIRE(b.connects());
    REQUIRE(c.connects());
    CHECK(b.bus->server() == middle.url());
    CHECK(b.bus->mostFrame() == 100000);
    REQUIRE(reaches(b, c, "s", std::string(100000, 'x')));
    b.say("s", std::string(100001, 'x'));
    CHECK(b.until([&] { return b.bus->counts().tooLong == 1; }));
    CHECK(b.bus->state() == NatsBus::State::connected);
}

TEST_CASE("A server that is killed and comes back finds the bus again, and the bus another server", "[nats]") {
    NatsServer one, two;
    BusEnd a(optionsFor({one.url()})), b(optionsFor({one.url()})), both(optionsFor({one.url(), two.url()}));
    b.bus->subscribe("s");
    REQUIRE(a.connects());
    REQUIRE(b.connects());
    REQUIRE(both.connects());
    REQUIRE(reaches(a, b, "s", "before"));
    one.kill();
    REQUIRE(a.until([&] { return a.bus->state() == NatsBus::State::connecting; }));
    REQUIRE(b.until([&] { return b.bus->state() == NatsBus::State::connecting; }));
    CHECK(a.bus->lastError().find(one.url()) != std::string::npos);
    CHECK(both.until([&] { return both.bus->server() == two.url(); }));
    // Frames meanwhile are lost and counted, and are not sent later.
    a.say("s", "meanwhile");
    CHECK(a.until([&] { return a.bus->counts().unsent >= 1; }));
    CHECK(a.until([&] { return a.bus->counts().connectFailures >= 2; }));
    one.start();
    REQUIRE(a.connects());
    REQUIRE(b.connects());
    b.bus->subscribe("t");
    REQUIRE(reaches(a, b, "t", "after"));
    REQUIRE(reaches(a, b, "s", "after all"));
    CHECK(std::find(b.got.begin(), b.got.end(), "meanwhile") == b.got.end());
    CHECK(a.bus->counts().connects == 2);
    CHECK(a.bus->counts().disconnects == 1);
    // A server that ends in an orderly way is no other case.
    one.terminate();
    REQUIRE(a.until([&] { return a.bus->state() == NatsBus::State::connecting; }));
}

TEST_CASE("A bus that starts before its server, and one that never reaches it, end at once", "[nats]") {
    NatsServer server;
    server.kill();
    BusEnd a(optionsFor({server.url()}));
    REQUIRE(a.until([&] { return a.bus->counts().connectFailures >= 1; }));
    CHECK(a.bus->lastError().starts_with("cannot connect to " + server.url()));
    {
        BusEnd never(optionsFor({"nats://user:secret@127.0.0.1:1"}));
        REQUIRE(never.until([&] { return !never.bus->lastError().empty(); }));
        CHECK(never.bus->lastError().find("secret") == std::string::npos);
    }
    server.start();
    CHECK(a.connects());
}

TEST_CASE("Publishing to a server that stands still never waits; what is too much is lost and counted", "[nats]") {
    NatsServer server, other;
    auto options = optionsFor({server.url()});
    options.outBytes = 1 << 20;
    options.writeTimeout = 1s;
    options.pingEvery = 60s;
    BusEnd a(options), b(optionsFor({server.url()}));
    b.bus->subscribe("s");
    REQUIRE(a.connects());
    REQUIRE(b.connects());
    REQUIRE(reaches(a, b, "s", "before"));
    server.stop();
    const std::string frame(32 * 1024, 'x');
    std::chrono::nanoseconds longest{};
    for (int i = 0; i < 2000; ++i) {
        const auto before = std::chrono::steady_clock::now();
        a.say("s", frame);
        longest = std::max(longest, std::chrono::nanoseconds(std::chrono::steady_clock::now() - before));
    }
    CHECK(longest < 900ms);  // a write would have waited for its timeout
    CHECK(a.bus->counts().outLost > 0);
    CHECK(a.bus->counts().outPeak <= (1u << 20));
    // The write timeout ends the connection; the next one waits for the server.
    CHECK(a.until([&] {
        a.say("s", frame);  // until the system's buffers are full, too
        return a.bus->counts().disconnects >= 1;
    }));
    CHECK(a.bus->lastError().find("could not be sent") != std::string::npos);
    server.goOn();
    REQUIRE(a.connects());
    REQUIRE(b.connects());
    CHECK(reaches(a, b, "s", "after"));
}

TEST_CASE("Pings find a server that stands still", "[nats]") {
    NatsServer still, other;
    BusEnd a(optionsFor({still.url(), other.url()}));
    REQUIRE(a.connects());
    const bool first = a.bus->server() == still.url();
    (first ? still : other).stop();
    CHECK(a.until([&] { return a.bus->server() == (first ? other : still).url(); }));
    (first ? still : other).goOn();
}

TEST_CASE("What the hub does not fetch is bounded in frames and bytes, dropped and counted", "[nats]") {
    NatsServer server;
    auto options = optionsFor({server.url()});
    SECTION("frames") {
        options.inFrames = 100;
    }
    SECTION("bytes") {
        options.inBytes = 100 * 1024;
    }
    BusEnd a(optionsFor({server.url()})), slow(options), fast(optionsFor({server.url()}));
    slow.bus->subscribe("s");
    fast.bus->subscribe("s");
    REQUIRE(a.connects());
    REQUIRE(slow.connects());
    REQUIRE(fast.connects());
    REQUIRE(reaches(a, slow, "s", "first"));
    REQUIRE(reaches(a, fast, "s", "second"));
    a.say("s", "begin");
    for (BusEnd* const end : {&slow, &fast}) {
        REQUIRE(end->until([&] { return end->got.back() == "begin"; }));
        end->got.clear();
    }
    const std::string frame(1024, 'x');
    for (int i = 0; i < 1000; ++i)
        a.say("s", frame);
    a.say("s", "last");
    REQUIRE(fast.until([&] { return !fast.got.empty() && fast.got.back() == "last"; }));
    CHECK(fast.got.size() == 1001);
    CHECK(fast.bus->counts().inLost == 0);
    // A hundred of either bound are kept, the first ones.
    REQUIRE(test::eventually([&] {
        slow.bus->receive(0, [](eta::Bytes) {});
        return slow.bus->counts().inLost == 901;
    }));
    REQUIRE(slow.until([&] { return slow.got.size() == 100; }));
    CHECK(std::count(slow.got.begin(), slow.got.end(), frame) == 100);
    CHECK(reaches(a, slow, "s", "again"));
    CHECK(slow.bus->state() == NatsBus::State::connected);
}

TEST_CASE("The descriptor stays readable while frames wait, and is not when none do", "[nats]") {
    NatsServer server;
    BusEnd a(optionsFor({server.url()})), b(optionsFor({server.url()}));
    b.bus->subscribe("s");
    REQUIRE(a.connects());
    REQUIRE(b.connects());
    REQUIRE(reaches(a, b, "s", "ready"));
    b.turn();
    const auto readable = [&] {
        pollfd p{b.bus->fd(), POLLIN, 0};
        return ::poll(&p, 1, 0) == 1;
    };
    REQUIRE(b.until([&] { return !readable(); }));
    for (int i = 0; i < 10; ++i)
        a.say("s", "x");
    std::size_t n = 0;
    REQUIRE(test::eventually([&] {
        if (readable()) n += b.bus->receive(1, [](eta::Bytes) {});
        return n == 10;
    }));
    CHECK(test::eventually([&] {
        if (readable()) n += b.bus->receive(1, [](eta::Bytes) {});
        return !readable();
    }));
    CHECK(n == 10);
}
