// Publishers on one side of the hub, consumers on the other.
#include "publisher.h"

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
