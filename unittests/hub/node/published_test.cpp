// Publishers on one side of the hub, consumers on the other.
#include "publisher_feed.h"

using namespace emissary;
using namespace emissary::test;

TEST_CASE("what a publisher sends is kept, and reaches those who watch and those who come late", "[hub][node]") {
    HubFixture f;
    f.connected();  // no change of the directory comes in between
    RawConsumer a = f.loggedIn("a");
    Publisher p(f);
    const std::uint16_t id = serviceOf(a);
    p.refresh(-1, "TRI", 10);
    a.send(RawConsumer::request(5, 6, "TRI", id));
    Received got = a.next();
    while (got.msg.cls == MsgClass::Status) {  // asked for before it was published
        checkState(got, 5, StreamState::closed, suspect, 1);
        a.send(RawConsumer::request(5, 6, "TRI", id));
        got = a.next();
    }
    checkState(got, 5, StreamState::open, ok);
    CHECK(HubFixture::fields(got.msg) == "22=10 25=11");
    p.update(-1, 20);
    CHECK(HubFixture::fields(a.next().msg) == "22=20 25=21");
    RawConsumer b = f.loggedIn("b");
    b.send(RawConsumer::request(7, 6, "TRI", id));
    CHECK(HubFixture::fields(b.next().msg) == "22=20 25=21");

    b.send(RawConsumer::request(8, 6, "NOBODY", id));
    checkState(b.next(), 8, StreamState::closed, suspect, 1);

    p.wire.disconnect();
    Received lost = b.next();
    checkState(lost, 7, StreamState::open, suspect);
}

TEST_CASE("the first that asks for a published item whose image is out of date gets it, and hears so",
          "[hub][node][json]") {
    const bool json = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC"));
    HubFixture f;
    f.plainNumbers = true;
    f.connected();
    f.until([&] { return f.hub->dictionary() != nullptr; });
    const auto count = [&](const char* name) { return f.hub->rooms().reactor.metrics().value(name).value_or(0); };
    RawConsumer watcher = f.loggedIn("watcher");
    Publisher p(f);
    const std::uint16_t id = serviceOf(watcher);
    /// State, text and fields of the answer that a new client gets.
    const auto asks = [&](const std::string& user) -> std::string {
        if (!json) {
            RawConsumer c = f.loggedIn(user);
            c.send(RawConsumer::request(5, 6, "TRI", id));
            Received got = c.next();
            for (; got.msg.cls == MsgClass::Status; got = c.next())  // how the item stands may come first
                checkState(got, 5, StreamState::open, suspect);
            return (got.msg.state.data == ok ? "Ok " : "Suspect ") + got.stateText() + " " +
                   HubFixture::fields(got.msg);
        }
        TextClient c(webSocketTo(f.hub->port()), [&f] { f.turn(); });
        c.send(R"({"ID":1,"Domain":"Login","Key":{"Name":")" + user + R"("}})");
        (void)c.next("ID", "1");
        c.send(R"({"ID":5,"Key":{"Name":"TRI","Service":"NI_FEED"}})");
        Json got = c.next("ID", "5");
        for (; got.at("Type").text == "Status"; got = c.next("ID", "5"))
            CHECK(got.at("State").at("Data").text == "Suspect");
        const Json* const text = got.at("State").find("Text");
        return got.at("State").at("Data").text + " " + (text != nullptr ? text->text : "") +
               " 1=" + got.at("Fields").members.begin()->second.text;
    };
    // Without a QoS, as publishers usually send them, and then an update that no field list can take.
    Msg image = RawProvider::refresh(-1, StreamState::open, false);
    p.refresh(image, "TRI", 10);
    Msg update = RawProvider::update(-1);
    update.containerType = codec::DataType::Opaque;
    update.payload = eta::asBytes("x");
    p.wire.send(update);
    f.until([&] { return count("emissary_hub_published_total") == 2; });
    for (const char* const user : {"first", "second"})
        CHECK(asks(user) == "Suspect the image of this item is not up to date 1=10");
    CHECK(count("emissary_hub_unsent_total") == 0);

    // Who has it, and who comes late, hear the same of the publisher's next refresh, with CLEAR_CACHE or without.
    watcher.send(RawConsumer::request(5, 6, "TRI", id));
    Received shown = watcher.next();
    while (shown.msg.cls == MsgClass::Status)
        shown = watcher.next();
    checkState(shown, 5, StreamState::open, suspect);
    CHECK(HubFixture::fields(shown.msg) == "1=10");
    Msg next = RawProvider::refresh(-1, StreamState::open, false);
    p.refresh(next, "TRI", 20);
    const Received told = watcher.next();
    checkState(told, 5, StreamState::open, ok);
    CHECK(told.msg.has(RefreshFlag::clearCache));
    CHECK(HubFixture::fields(told.msg) == "1=20");
    CHECK(asks("third") == "Ok  1=20");
    p.update(-1, 30);
    CHECK(HubFixture::fields(watcher.next().msg) == "1=30");
    CHECK(asks("fourth") == "Ok  1=30");
}

TEST_CASE("a post on an item of a publisher is applied, told to everybody and acknowledged", "[hub][node]") {
    HubFixture f;
    RawConsumer a = f.loggedIn("a"), b = f.loggedIn("b");
    Publisher p(f);
    const std::uint16_t id = serviceOf(a);
    p.refresh(-1, "TRI", 10);
    for (RawConsumer* c : {&a, &b}) {
        Received got;
        do {
            c->send(RawConsumer::request(5, 6, "TRI", id));
            got = c->next();
        } while (got.msg.cls == MsgClass::Status);
    }
    Msg post;
    post.cls = MsgClass::Post;
    post.streamId = 5;
    post.domain = 6;
    post.flags = codec::PostFlag::postId | codec::PostFlag::complete | codec::PostFlag::ack;
    post.postId = 17;
    post.postUserAddress = 0x0A000001;
    post.postUserId = 4;
    f.fill(post, 55);
    a.send(post);
    bool acked = false, updated = false;
    while (!acked || !updated) {
        const Received got = a.next();
        // The directory's, and images that were asked for again before the first one came.
        if (got.msg.streamId != post.streamId || got.msg.cls == MsgClass::Refresh) continue;
        if (got.msg.cls == MsgClass::Ack) {
            acked = true;
            CHECK(got.msg.ackId == 17);
            CHECK_FALSE(got.msg.has(codec::AckFlag::nakCode));
        } else {
            updated = true;
            CHECK(got.msg.postUserId == 4);
            CHECK(HubFixture::fields(got.msg) == "22=55 25=56");
        }
    }
    CHECK(acked);
    CHECK(updated);
    Received told = b.next();
    while (told.msg.cls == MsgClass::Refresh)
        told = b.next();
    CHECK(HubFixture::fields(told.msg) == "22=55 25=56");
}
