// Calls of operators on a running hub, with clients of both protocols: what clients, sources and pages see of them.
#include "calls.h"
#include "hub/flow/ItemFlow.h"

#include <list>

using namespace emissary;
using namespace emissary::test;
using Catch::Contains;
using Catch::StartsWith;

TEST_CASE("a client is ejected with the words of the operator, and the others stay", "[hub][node][calls][json]") {
    CallsFixture f(GENERATE(false, true));
    LateReader bad(f, f.json, 0, "bad"), good(f, f.json, 0, "good");
    const std::int32_t source = f.both(bad, good);
    const std::string number = f.numberOf("bad");
    CHECK_THAT(f.call("eject-client", R"({"client":)" + number + R"(,"text":"you ask too much, call us: 4711"})"),
               StartsWith("200 ") && Contains("\"ok\":true") && Contains("user 'bad'"));
    f.until([&] { return bad.closed(); });
    CHECK(bad.lastStream == "Closed");
    CHECK(bad.lastText == "you ask too much, call us: 4711");
    if (f.json) CHECK_THAT(bad.channel().errorText(), Contains("(WebSocket 1008 you ask too much, call us: 4711)"));
    f.until([&] { return f.hub->rooms().flow.counts().mounts.get() == 1; });
    CHECK_THAT(f.get("/metrics"), Contains("reason=\"ejected\"} 1\n"));
    CHECK_THAT(f.get("/connz"), Contains(R"("reason":"ejected","text":"you ask too much, call us: 4711")"));
    CHECK(f.noted("eject-client: user 'bad'"));
    f.update(source, 8);
    f.until([&] {
        good.read();
        return good.values.at(5) == "1=8";
    });
    // It has ended, and its number is nobody's from now on.
    CHECK_THAT(f.call("eject-client", R"({"client":)" + number + "}"), StartsWith("404 ") && Contains("\"ok\":false"));

    // What a client has seen of its own connection, the hub's table may show a moment later: another thread serves it.
    LateReader again(f, f.json, 0, "good");
    f.until([&] { return f.clientsOf("good") == 2; });
    CHECK_THAT(f.call("eject-client", R"({"user":"good","again":true})"), StartsWith("200 ") && Contains("2 clients"));
    f.until([&] { return good.closed() && again.closed() && f.clientsOf("good") == 0; });
    CHECK(good.lastStream == "ClosedRecover");
    CHECK(good.lastText == "an operator has ended this connection");
    CHECK_THAT(f.call("eject-client", R"({"user":"good"})"), StartsWith("404 "));
}

TEST_CASE("nothing is read from a paused client until it is resumed", "[hub][node][calls][json]") {
    CallsFixture f(GENERATE(false, true));
    LateReader one(f, f.json, 0, "one"), two(f, f.json, 0, "two");
    const std::int32_t source = f.both(one, two);
    const std::string client = R"({"client":)" + f.numberOf("one") + "}";
    CHECK_THAT(f.call("pause-client", client), StartsWith("200 "));
    CHECK_THAT(f.call("pause-client", client), StartsWith("200 "));  // twice is once
    CHECK(f.value("emissary_hub_clients_paused") == 1);
    CHECK_THAT(f.get("/connz?user=one"), Contains("\"pausedByOperator\":true"));
    f.settled();
    one.open(6, "VOD");
    f.settled();
    CHECK(f.hub->rooms().flow.counts().mounts.get() == 2);
    f.update(source, 9);  // what it has open goes on
    f.until([&] {
        one.read();
        return one.values.at(5) == "1=9";
    });
    CHECK_THAT(f.call("resume-client", client), StartsWith("200 "));
    f.until([&] { return f.hub->rooms().flow.counts().mounts.get() == 3; });
    CHECK(f.value("emissary_hub_clients_paused") == 0);

    // A paused client can be ejected, and is counted no more.
    CHECK_THAT(f.call("pause-client", client), StartsWith("200 "));
    CHECK_THAT(f.call("eject-client", client), StartsWith("200 "));
    f.until([&] { return one.closed() && f.value("emissary_hub_clients") == 1; });
    CHECK(f.value("emissary_hub_clients_paused") == 0);
}

TEST_CASE("a throttled client gets so many requests a second, and is not disconnected for more",
          "[hub][node][calls][json]") {
    CallsFixture::Time time;
    CallsFixture f(GENERATE(false, true), &time);
    LateReader one(f, f.json, 0, "one"), two(f, f.json, 0, "two");
    const std::string client = R"({"client":)" + f.numberOf("one");
    CHECK_THAT(f.call("throttle-client", client + R"(,"rate":2})"), StartsWith("200 "));
    CHECK(f.value("emissary_hub_clients_throttled") == 1);
    CHECK_THAT(f.get("/connz?user=one"), Contains("\"throttle\":2"));
    const auto mounts = [&] { return f.hub->rooms().flow.counts().mounts.get(); };
    constexpr std::int32_t kAsked = 60;
    for (std::int32_t stream = 5; stream < 5 + kAsked; ++stream)
        one.open(stream, "I" + std::to_string(stream));
    f.until([&] { return mounts() >= 2; });
    f.settled();
    const std::uint64_t before = mounts();
    CHECK(before < 20);  // how long the test takes decides
    for (std::int32_t stream = 5; stream < 15; ++stream)
        two.open(stream, "J" + std::to_string(stream));
    f.until([&] { return mounts() >= before + 10; });
    time.ahead = std::chrono::seconds(3600);  // an hour has a second's worth
    f.settled();
    CHECK(mounts() < before + 30);
    CHECK_THAT(f.call("throttle-client", client + R"(,"rate":0})"), StartsWith("200 "));
    f.until([&] { return mounts() == kAsked + 10; });
    CHECK(f.value("emissary_hub_clients_throttled") == 0);
    CHECK(f.value("emissary_hub_clients") == 2);
}

TEST_CASE("an item is closed for all its clients, and its source is told", "[hub][node][calls][json]") {
    CallsFixture f(GENERATE(false, true));
    LateReader one(f, f.json, 0, "one"), two(f, f.json, 0, "two");
    const std::int32_t source = f.both(one, two);
    f.provider.wire.clear();
    CHECK_THAT(f.call("eject-item", R"({"service":"DIRECT_FEED","name":"IBM","text":"prices are wrong"})"),
               StartsWith("200 ") && Contains("closed for 2 streams"));
    f.until([&] {
        one.read(), two.read();
        return one.itemStates[5] == "Closed/Suspect prices are wrong" &&
               two.itemStates[5] == "Closed/Suspect prices are wrong";
    });
    f.until([&] { return !f.wire().empty(); });
    CHECK_THAT(f.wire().front(), StartsWith("CLOSE "));
    CHECK(f.hub->rooms().items.size() == 0);
    f.update(source, 9);  // on its way when the item was closed
    f.settled();
    CHECK_THAT(f.call("eject-item", R"({"service":"DIRECT_FEED","name":"IBM"})"), StartsWith("404 "));
    CHECK_THAT(f.call("eject-item", R"({"service":"NONE","name":"IBM"})"), StartsWith("404 "));
}

TEST_CASE("an image is fetched anew: Suspect with a reason, then a refresh for everybody", "[hub][node][calls][json]") {
    CallsFixture f(GENERATE(false, true));
    LateReader one(f, f.json, 0, "one"), two(f, f.json, 0, "two");
    const std::int32_t source = f.both(one, two);
    f.provider.inbox.clear();
    CHECK_THAT(f.call("refetch-item", R"({"service":"DIRECT_FEED","name":"IBM","domain":6})"), StartsWith("200 "));
    f.until([&] {
        one.read(), two.read();
        return one.itemStates[5] == "Open/Suspect an operator has the image of this item fetched anew" &&
               two.itemStates[5] == one.itemStates[5];
    });
    CHECK(f.asked().msg.streamId == source);
    f.refresh(source, 42);
    f.until([&] {
        one.read(), two.read();
        return one.values[5] == "1=42" && two.values[5] == "1=42";
    });
    CHECK_THAT(one.itemStates[5], StartsWith("Open/Ok"));
    CHECK_THAT(two.itemStates[5], StartsWith("Open/Ok"));
}

TEST_CASE("items of a paused source are Suspect, say why, and come back with it", "[hub][node][calls][json]") {
    CallsFixture f(GENERATE(false, true));
    LateReader one(f, f.json, 0, "one"), two(f, f.json, 0, "two");
    (void)f.both(one, two);
    f.provider.wire.clear();
    CHECK_THAT(f.call("pause-source", R"({"source":"SRC"})"), StartsWith("200 "));
    f.until([&] {
        one.read(), two.read();
        return one.itemStates[5] == "Open/Suspect an operator has paused the source of this item" &&
               two.itemStates[5] == one.itemStates[5];
    });
    f.until([&] { return !f.wire().empty(); });  // it sends nothing more
    CHECK_THAT(f.get("/servicez"), Contains("an operator has paused it"));
    CHECK_THAT(f.get("/readyz"), StartsWith("503 "));
    f.provider.inbox.clear();
    CHECK_THAT(f.call("resume-source", R"({"source":"SRC"})"), StartsWith("200 "));
    const std::int32_t source = f.asked().msg.streamId;
    f.refresh(source, 77);
    f.until([&] {
        one.read(), two.read();
        return one.values[5] == "1=77" && two.values[5] == "1=77";
    });
    CHECK_THAT(one.itemStates[5], StartsWith("Open/Ok"));
    CHECK_THAT(f.get("/readyz"), StartsWith("200 "));
    CHECK_THAT(f.call("pause-source", R"({"source":"OTHER"})"), StartsWith("404 "));
}

TEST_CASE("a port is drained, and the clients of another one stay", "[hub][node][calls][json]") {
    CallsFixture f(GENERATE(false, true));
    LateReader one(f, f.json, 0, "one"), two(f, f.json, 1, "two");
    const std::int32_t source = f.both(one, two);
    CHECK_THAT(f.call("drain-listener", R"({"listener":"second"})"),
               StartsWith("200 ") && Contains("1 client go at once"));
    f.until([&] { return two.closed(); });
    CHECK(two.lastStream == "ClosedRecover");
    CHECK(two.lastText == "an operator has closed this port; connect to another one");
    if (f.json) CHECK_THAT(two.channel().errorText(), Contains("(WebSocket 1012 "));
    f.update(source, 8);
    f.until([&] {
        one.read();
        return one.values.at(5) == "1=8";
    });
    CHECK_THAT(f.call("drain-listener", R"({"listener":"second"})"), StartsWith("404 "));  // it is being drained
    CHECK_THAT(f.call("drain-listener", R"({"listener":"third"})"), StartsWith("404 "));
    CHECK(f.value("emissary_hub_clients") == 1);
}

TEST_CASE("a hub lets its clients go at a rate, and serves the others until it is their turn",
          "[hub][node][calls][json]") {
    CallsFixture::Time time;
    CallsFixture f(GENERATE(false, true), &time, [](HubSettings& s) { s.drainTimeout = std::chrono::seconds(0); });
    std::list<LateReader> clients;
    for (int i = 0; i < 6; ++i)
        clients.emplace_back(f, f.json, i % 2, "user" + std::to_string(i));
    const std::int32_t source = f.both(clients.front(), clients.back());
    CHECK_THAT(f.call("drain", R"({"rate":1})"), StartsWith("202 ") && Contains("6 clients go, 1 a second"));
    const auto there = [&] { return f.value("emissary_hub_clients"); };
    std::uint64_t bid = 8;
    for (std::uint64_t left = 6; left-- > 1;) {
        time.ahead = time.ahead.load() + std::chrono::milliseconds(1001);
        f.until([&] { return there() <= left; });
        // Whoever is there is served: it asks for what it did not have, and gets updates.
        for (LateReader& c : clients)
            if (c.channel().state() != eta::transport::ChannelState::closed) c.read();
        f.update(source, ++bid);
        if (!clients.back().closed() && clients.back().lastStream.empty())
            f.until([&] { return clients.back().closed() || clients.back().values[5] == "1=" + std::to_string(bid); });
        CHECK_FALSE(f.hub->drained());
    }
    time.ahead = time.ahead.load() + std::chrono::milliseconds(1001);
    f.until([&] {
        for (LateReader& c : clients)
            c.read();
        return f.hub->drained();
    });
    for (LateReader& c : clients) {
        f.until([&] { return c.closed(); });
        CHECK(c.lastStream == "ClosedRecover");
        CHECK(c.lastText == "The hub is going down.");
    }
    CHECK_THAT(f.call("drain", R"({"rate":1})"), StartsWith("409 "));
}

TEST_CASE("calls that cannot be made say why, and change nothing", "[hub][node][calls]") {
    CallsFixture f(false);
    LateReader one(f, false, 0, "one");
    const std::string number = f.numberOf("one");
    const auto wrong = [&](const std::string& name, const std::string& arguments, const std::string& status,
                           const std::string& text) {
        INFO(name << " " << arguments);
        CHECK_THAT(f.call(name, arguments), StartsWith(status + " ") && Contains(text));
    };
    wrong("eject-client", "", "400", "needs 'client', the number of a connection, or 'user'");
    wrong("eject-client", "{", "400", "no JSON object");
    wrong("eject-client", "[1]", "400", "no JSON object");
    wrong("eject-client", R"({"client":1.5})", "400", "no text, no whole number");
    wrong("eject-client", R"({"client":-1})", "400", "no text, no whole number");
    wrong("eject-client", R"({"client":99999999999999999999})", "400", "no text, no whole number");
    wrong("eject-client", R"({"client":{"a":1}})", "400", "no text, no whole number");
    wrong("eject-client", R"({"client":1,"client":1})", "400", "stands twice");
    wrong("eject-client", R"({"client":1} x)", "400", "behind the arguments");
    wrong("eject-client", R"({"client":"1"})", "400", "'client' is a whole number");
    wrong("eject-client", R"({"client":4711})", "404", "no connection has the number 4711");
    wrong("eject-client", R"({"user":"nobody"})", "404", "is not logged in");
    wrong("eject-client", R"({"client":)" + number + R"(,"user":"one"})", "400", "not both");
    wrong("eject-client", R"({"client":)" + number + R"(,"reason":"x"})", "400", "has no argument 'reason'");
    wrong("eject-client", R"({"client":)" + number + R"(,"text":")" + std::string(121, 'x') + R"("})", "400",
          "'text' has 121 bytes, and at most 120 are allowed");
    wrong("eject-client", R"({"client":)" + number + R"(,"text":"a\u0007b"})", "400", "control character");
    wrong("eject-client", R"({"client":)" + number + R"(,"text":"a\ud800b"})", "400", "no");
    wrong("eject-client", R"({"client":)" + number + R"(,"again":"yes"})", "400", "'again' is true or false");
    wrong("throttle-client", R"({"client":)" + number + R"(,"rate":1000001})", "400", "'rate' is a whole number");
    wrong("throttle-client", R"({"client":)" + number + "}", "400", "needs the argument 'rate'");
    wrong("eject-item", R"({"service":"DIRECT_FEED"})", "400", "needs the argument 'name'");
    wrong("eject-item", R"({"service":"DIRECT_FEED","name":""})", "400", "'name' is empty");
    wrong("eject-item", R"({"service":"DIRECT_FEED","name":"A","domain":256})", "400", "0 to 255");
    wrong("refetch-item", R"({"service":"DIRECT_FEED","name":"A"})", "404", "has no item 'A'");
    wrong("nonsense", "{}", "404", "no such call");
    wrong("", "{}", "404", "no such call");
    CHECK_THAT(f.call("eject-client", R"({"client":)" + number + "}", "Content-Type: text/plain\r\n"),
               StartsWith("415 "));
    CHECK_THAT(f.call("eject-client", R"({"client":)" + number + "}",
                      "Content-Type: application/json\r\nOrigin: http://evil.example\r\n"),
               StartsWith("403 "));
    CHECK_THAT(f.call("eject-client", std::string(5000, ' ')), StartsWith("413 "));
    CHECK_THAT(f.get("/ctl/eject-client"), StartsWith("405 "));
    CHECK(f.value("emissary_hub_clients") == 1);
    CHECK(one.channel().state() == eta::transport::ChannelState::active);
    CHECK(f.noted("refused arguments: POST /ctl/eject-client: "));
}

TEST_CASE("/queuez lists by item what waits for a client that does not read", "[hub][node][calls][slow][json]") {
    CallsFixture f(GENERATE(false, true), nullptr, [](HubSettings& s) {
        for (ListenerSettings& l : s.listeners)
            l.bind.sysSendBufSize = 4096;
        s.conflateAbove = 32'768;
        s.conflateBelow = 8'192;
    });
    LateReader slow(f, f.json, 0, "slow"), quick(f, f.json, 0, "quick");
    const std::int32_t source = f.both(slow, quick);
    const std::string number = f.numberOf("slow");
    const std::string idle = f.get("/queuez?client=" + number);
    CHECK_THAT(idle, StartsWith("200 ") && Contains(R"("user":"slow")") &&
                         Contains(R"("joined":{"items":0,"bytes":0,"oldestMs":0,"shown":0,"streams":[]})") &&
                         Contains(R"("requests":{"messages":0,"bytes":0,"items":0)"));
    std::uint64_t bid = 7;
    std::string got;
    f.until([&] {
        for (int i = 0; i < 1000; ++i) {
            f.update(source, ++bid);
            f.turn();
            quick.read();
        }
        got = f.get("/queuez?client=" + number);
        return got.find(R"("joined":{"items":1,)") != std::string::npos;
    });
    CHECK_THAT(got, Contains(R"("behind":true)") &&
                        Contains(R"("streams":[{"stream":5,"service":"DIRECT_FEED","item":"IBM","updates":)"));
    CHECK(got.find(R"("queuedBytes":0)") == std::string::npos);
    CHECK_THAT(f.get("/queuez?client=4711"), StartsWith("404 "));
    CHECK_THAT(f.get("/queuez?client="), StartsWith("400 "));
    CHECK_THAT(f.get("/queuez?client=1x"), StartsWith("400 "));
}

TEST_CASE("a connection is captured for its time, and no secret of it", "[hub][node][calls][json]") {
    CallsFixture::Time time;
    CallsFixture f(GENERATE(false, true), &time);
    LateReader one(f, f.json, 0, "one"), two(f, f.json, 0, "two");
    const std::int32_t source = f.both(one, two);
    CHECK(f.captured().empty());
    const std::string client = R"({"client":)" + f.numberOf("one");
    const std::string begun = f.call("capture", client + R"(,"seconds":60})");
    CHECK_THAT(begun, StartsWith("200 ") && Contains(f.dir.file("capture_")));
    CHECK_THAT(f.call("capture", client + R"(,"seconds":60})"),
               StartsWith("409 ") && Contains("already, in " + f.dir.file("capture_")));
    CHECK_THAT(f.call("capture", client + R"(,"seconds":0})"), StartsWith("400 ") && Contains("from 1 to 3600"));
    const auto answered = [&](std::uint64_t bid) {
        f.update(source, bid);
        f.until([&] {
            one.read(), two.read();
            return one.values[5] == "1=" + std::to_string(bid) && two.values[5] == one.values[5];
        });
    };
    answered(1001);
    one.renewLogin("one", "hunter2-token");
    one.open(6, "VOD");
    f.until([&] { return f.hub->rooms().flow.counts().mounts.get() == 3; });
    const std::string text = f.captured();
    INFO(text);
    CHECK_THAT(text, Contains("outgoing", Catch::CaseSensitive::No) && Contains("incoming", Catch::CaseSensitive::No));
    CHECK_THAT(text, Contains("VOD"));
    CHECK(text.find("hunter2") == std::string::npos);
    CHECK(text.find("68756E74657232") == std::string::npos);  // in the dump
    CHECK_THAT(text, Contains("****"));
    time.ahead = std::chrono::seconds(61);
    f.settled();
    const std::size_t size = f.captured().size();
    answered(1002);
    CHECK(f.captured().size() == size);
    // Of a file that is full, nothing more is written, and the connection goes on.
    CHECK_THAT(f.call("capture", client + R"(,"seconds":3600})"),
               StartsWith("200 ") && Contains(f.dir.file("capture_")));  // goes on with the file
    for (std::uint64_t bid = 2000; bid < 2400; ++bid)
        answered(bid);
    CHECK(f.captured().size() <= CallsFixture::kMostBytes + 10'000);
    time.ahead = std::chrono::seconds(70);
    f.until([&] {
        return std::ranges::any_of(f.lines, [](const std::string& line) {
            return line.starts_with("a capture has ended early: ") && line.find("bytes") != std::string::npos;
        });
    });
    CHECK_THAT(f.call("capture", client + R"(,"seconds":3601})"), StartsWith("400 "));
    CHECK_THAT(f.call("capture", R"({"client":4711,"seconds":1})"), StartsWith("404 "));
}

TEST_CASE("a client may leave while a call about it is on its way", "[hub][node][calls][json]") {
    CallsFixture f(GENERATE(false, true));
    for (int i = 0; i < 20; ++i) {
        auto one = std::make_unique<LateReader>(f, f.json, 0, "one");
        one->open(5);
        const std::string number = f.numberOf("one");
        one.reset();  // its connection is closed; the hub may not have read that
        const std::string got = f.call(i % 2 == 0 ? "pause-client" : "eject-client", R"({"client":)" + number + "}");
        CHECK_THAT(got, StartsWith("200 ") || StartsWith("404 "));
        if (i % 2 == 0) (void)f.call("eject-client", R"({"client":)" + number + "}");
        f.until([&] { return f.value("emissary_hub_clients") == 0; });
    }
    CHECK(f.value("emissary_hub_clients_paused") == 0);
    CHECK(f.hub->rooms().flow.counts().mounts.get() == 0);
}
