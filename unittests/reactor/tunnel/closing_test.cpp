// The closing handshake from every side, with every message of it lost (tunnel.md 7).
#include "fixture.h"

using namespace tunneltest;
using Strings = std::vector<std::string>;

TEST_CASE("the consumer closes: fin, answer, close message", "[tunnel]") {
    Pair p;
    p.open();
    REQUIRE(p.asking->submit(DataType::Opaque, content(100)) == SubmitFault::none);
    const bool finalStatus = GENERATE(true, false);
    p.asking->close(finalStatus);
    CHECK(p.asking->submit(DataType::Opaque, content(100)) == SubmitFault::notOpen);
    p.settle();
    CHECK(p.seen == Strings{"> data 1", "< ack 1", "> fin 2", "< ack 2", "< fin 1", "> ack 1", "> Close"});
    CHECK(p.provider.data.size() == 1);
    CHECK(p.provider.take() == Strings{"1/2 The consumer closes the stream.", "4/2 The consumer closed the stream."});
    CHECK(p.consumer.take() == (finalStatus ? Strings{"3/2 The stream is closed."} : Strings{}));
    CHECK(p.consumer.ended == 1);
    CHECK(p.provider.ended == 1);
}

TEST_CASE("the provider closes: what the consumer has queued comes first", "[tunnel]") {
    Pair p;
    p.open(windowed(6144));
    for (int i = 0; i < 3; ++i)
        REQUIRE(p.asking->submit(DataType::Opaque, content(4000)) == SubmitFault::none);  // one fits into the window
    p.asked->close(true);
    p.settle();
    CHECK(p.provider.data.size() == 3);
    CHECK(p.consumer.take() == Strings{"1/2 The provider closes the stream.", "4/2 The stream is closed."});
    CHECK(p.provider.take() == Strings{"4/2 The stream is closed."});
    CHECK(p.seen.back() == "< Status");
    CHECK(p.consumer.ended == 1);
    CHECK(p.provider.ended == 1);
}

TEST_CASE("both close at once: each acknowledges the other's fin", "[tunnel]") {
    Pair p;
    p.open();
    p.asking->close(true);
    p.asked->close(true);
    p.settle();
    CHECK(p.consumer.take() == Strings{"3/2 The stream is closed."});
    CHECK(p.provider.take() == Strings{"4/2 The stream is closed."});
    CHECK(p.counters.open == 0);
}

TEST_CASE("data that come after the own fin are delivered", "[tunnel]") {
    Pair p;
    p.open();
    p.asking->close(true);
    REQUIRE(p.asked->submit(DataType::Opaque, content(10)) == SubmitFault::none);
    p.settle();
    CHECK(p.consumer.data.size() == 1);
    CHECK(p.asked->ended());
}

TEST_CASE("a fin is repeated after 150, 450, 1050 and 2250 ms, and given up after 4650", "[tunnel]") {
    Pair p;
    p.open();
    const bool consumerCloses = GENERATE(true, false);
    TestWire& wire = consumerCloses ? p.up : p.down;
    if (consumerCloses) p.asking->close(true);
    else p.asked->close(true);
    std::vector<long> times;
    long now = 0;
    for (wire.out.clear(); now < 6000; now += 10) {
        for (const Block& b : wire.out)
            if (Seen(b).text() == "fin 1") times.push_back(now);
            else CHECK(now == 4650);
        wire.out.clear();
        p.pass(10ms);
    }
    CHECK(times == std::vector<long>{150, 450, 1050, 2250});
    CHECK((consumerCloses ? p.consumer : p.provider).ended == 1);
    CHECK((consumerCloses ? p.consumer : p.provider).take().size() == 1);
}

TEST_CASE("a close ends whichever message of it is lost, on either side", "[tunnel]") {
    Pair p;
    p.open();
    const bool consumerCloses = GENERATE(true, false);
    const unsigned lost = GENERATE(0u, 1u, 2u, 3u, 4u);  // of those that the handshake has: the one with this place
    const bool forEver = GENERATE(false, true);
    unsigned place = 0;
    std::string what;
    p.passes = [&](Bytes message, bool fromConsumer) {
        const std::string text = (fromConsumer ? ">" : "<") + Seen(message).text();
        if (place++ == lost) what = text;
        return text != what || (!forEver && place - 1 != lost);
    };
    if (consumerCloses) p.asking->close(true);
    else p.asked->close(true);
    int elapsed = 0;
    for (; elapsed < 9500 && (p.consumer.ended == 0 || p.provider.ended == 0); elapsed += 10) {
        p.settle();
        p.pass(10ms);
    }
    INFO("lost: " << what);
    CHECK(p.consumer.ended == 1);
    CHECK(p.provider.ended == 1);
    CHECK(elapsed <= 9320);
    CHECK(p.counters.open == 0);
    if (!consumerCloses)
        CHECK(p.consumer.events.front() ==
              (what == "<fin 1" && forEver ? "4/2 The stream is closed." : "1/2 The provider closes the stream."));
    CHECK(p.counters.broken == 0);
}

TEST_CASE("a fin behind a gap asks for what is missing first", "[tunnel]") {
    Pair p;
    p.open();
    bool lose = true;
    p.passes = [&](Bytes, bool fromConsumer) { return !fromConsumer || !std::exchange(lose, false); };
    REQUIRE(p.asking->submit(DataType::Opaque, content(10)) == SubmitFault::none);
    p.asking->close(true);
    p.settle();
    CHECK(p.provider.data.size() == 1);
    CHECK(p.seen == Strings{"> data 1 lost", "> fin 2", "< ack 0 [1-1]", "> again 1", "< ack 2", "< fin 1", "> ack 1",
                            "> Close"});
}

TEST_CASE("a close waits for a window that opens, and not for ever", "[tunnel]") {
    Pair p;
    p.open(windowed(6144));
    REQUIRE(p.asking->submit(DataType::Opaque, content(6000)) == SubmitFault::none);
    REQUIRE(p.asking->submit(DataType::Opaque, content(6000)) == SubmitFault::none);
    p.asking->close(true);
    p.up.out.clear();  // nothing arrives, nothing is acknowledged
    p.pass(150ms);
    CHECK(p.up.out.empty());  // the fin stands behind data
    for (int i = 0; i < 460; ++i)
        p.pass(10ms);
    CHECK(p.consumer.ended == 1);
    REQUIRE(p.up.out.size() == 1);
    CHECK(Seen(p.up.out[0]).text() == "Close");
}

TEST_CASE("the connection is lost in every state", "[tunnel]") {
    Pair p;
    const int state = GENERATE(0, 1, 2, 3);
    if (state == 0) p.ask();
    else p.open();
    if (state == 2) p.asking->close(true);
    if (state == 3) {
        p.asked->close(true);
        p.deliver(p.down, false);
        p.consumer.events.clear();
    }
    p.asking->onConnectionLost();
    CHECK(p.consumer.take() == Strings{"3/2 Channel closed."});
    CHECK(p.consumer.ended == 1);
    if (p.asked) {
        p.asked->onConnectionLost();
        CHECK(p.provider.take() == Strings{"4/2 Channel closed."});
    }
    p.up.out.clear();
    p.down.out.clear();
    p.pass(70s);
    CHECK(p.up.out.empty());
    CHECK(p.down.out.empty());
    CHECK(p.counters.open == 0);
}

TEST_CASE("a tunnel that is closed inside its own callbacks ends in order", "[tunnel]") {
    Pair p;
    SECTION("when it opens") {
        p.consumer.onOpen = [](End& end) { end.close(true); };
        p.ask();
    }
    SECTION("with a message that has others behind it") {
        p.open();
        p.provider.onMessage = [](End& end) { end.close(false); };
        for (int i = 0; i < 3; ++i)
            REQUIRE(p.asking->submit(DataType::Opaque, content(10)) == SubmitFault::none);
    }
    p.settle(3);
    CHECK(p.consumer.ended == 1);
    CHECK(p.provider.ended == 1);
    CHECK(p.counters.open == 0);
}
