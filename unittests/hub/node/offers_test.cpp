// Who serves an item of a service with offers of different kinds, and what clients see when that changes.
#include "offers.h"

using namespace emissary;
using namespace emissary::test;

TEST_CASE("what a publisher has not is asked of the source of the same service", "[hub][node][offers]") {
    Both f;
    Feed feed(f);
    feed.refresh(-1, "IBM", 10);
    f.took(1);
    Far ibm(f, "ibm"), msft(f, "msft");
    ibm.open("IBM");
    ibm.until(10);
    msft.open("MSFT");
    const std::int32_t stream = f.askedFor("MSFT");
    f.refresh(stream, 20, "MSFT");
    msft.until(20);
    feed.update(-1, 11);
    ibm.until(11);
    f.update(stream, 21);
    msft.until(21);
    CHECK(f.provider.inbox.empty());  // nobody asked it for IBM
    CHECK(f.service().publishers.size() == 1);
    CHECK(f.service().offers.size() == 1);
}

TEST_CASE(
    "an item of a publisher that is killed goes to the source with a fresh image, and comes back with the publisher",
    "[hub][node][offers]") {
    Both f;
    auto feed = std::make_unique<Feed>(f);
    feed->refresh(-1, "IBM", 10);
    f.took(1);
    Far c(f, "far");
    FarText web(f, "IBM");
    c.open("IBM");
    c.until(10);
    web.until("10");
    feed.reset();
    c.untilState(suspect);
    web.until("10", "Suspect");
    std::int32_t stream = f.askedFor("IBM");
    c.readAll();
    CHECK(c.data == suspect);  // no image has come
    CHECK(f.service().up());
    f.refresh(stream, 30);
    c.until(30);
    web.until("30");
    f.update(stream, 31);
    c.until(31);
    // Late joiners have the source's image.
    Far late(f, "late");
    late.open("IBM");
    late.until(31);
    feed = std::make_unique<Feed>(f);
    feed->refresh(-1, "IBM", 40);
    c.until(40);
    web.until("40");
    late.until(40);
    f.closed(stream);
    feed->update(-1, 41);
    c.until(41);
    web.until("41");
    CHECK(f.metric("emissary_hub_upstream_streams") == 0);
}

TEST_CASE("a service is up while one of its offers is, and items of a source that is killed go to a publisher",
          "[hub][node][offers]") {
    Both f;
    Feed feed(f);
    feed.refresh(-1, "IBM", 10);
    f.took(1);
    Far ibm(f, "ibm"), msft(f, "msft");
    FarText web(f, "MSFT");
    ibm.open("IBM");
    ibm.until(10);
    msft.open("MSFT");
    f.refresh(f.askedFor("MSFT"), 20, "MSFT");
    msft.until(20);
    web.until("20");
    f.provider.die();
    msft.untilState(suspect);
    web.until("20", "Suspect");
    ibm.readAll();
    CHECK(ibm.data == ok);
    CHECK(f.service().up());
    feed.refresh(-2, "MSFT", 50);
    msft.until(50);
    web.until("50");
    // A client that asks for what nobody has waits for the source.
    Far odd(f, "odd");
    odd.open("ODD");
    odd.untilState(suspect);
    f.provider.revive();
    f.refresh(f.askedFor("ODD"), 60, "ODD");
    odd.until(60);
    msft.readAll();
    CHECK(msft.value == "1=50");  // the publisher has it, and comes first
    feed.update(-2, 51);
    msft.until(51);
}

TEST_CASE("an item goes where it is served when a publisher ends it, calls it Suspect, or its service is down",
          "[hub][node][offers]") {
    Both f;
    Feed feed(f);
    feed.refresh(-1, "IBM", 10);
    f.took(1);
    Far c(f, "far");
    c.open("IBM");
    c.until(10);
    SECTION("closed with recover: the source is asked") {
        feed.status(-1, StreamState::closedRecover, suspect, "moved");
        c.untilState(suspect);
        CHECK(c.text == "moved");
        f.refresh(f.askedFor("IBM"), 20);
        c.until(20);
    }
    SECTION("closed with recover for its group or its service: the same") {
        FarText web(f, "IBM");
        web.until("10");
        if (GENERATE(true, false)) feed.groupStatus(StreamState::closedRecover, suspect, "moved");
        else feed.serviceStatus(StreamState::closedRecover, suspect, "moved");
        c.untilState(suspect);
        CHECK(c.open_ == StreamState::open);
        CHECK(c.text == "moved");
        f.refresh(f.askedFor("IBM"), 20);
        c.until(20);
        web.until("20");
    }
    SECTION("closed: the item is over") {
        feed.status(-1, StreamState::closed, suspect, "delisted");
        while (c.open_ == StreamState::open)
            c.take(c.wire.next());
        CHECK(c.text == "delisted");
        f.until([&] { return f.hub->rooms().items.size() == 0; });
    }
    SECTION("its service is down: the source is asked, and the publisher has it again when it is up") {
        feed.serviceState(false);
        c.untilState(suspect);
        const std::int32_t stream = f.askedFor("IBM");
        f.refresh(stream, 20);
        c.until(20);
        CHECK(f.service().up());
        feed.update(-1, 11);
        feed.serviceState(true);
        c.until(11);
        f.closed(stream);
    }
    SECTION("both are down: the service is, and the item is Suspect until one of them is back") {
        feed.serviceState(false);
        f.refresh(f.askedFor("IBM"), 20);
        c.until(20);
        f.provider.die();
        c.untilState(suspect);
        f.until([&] { return !f.service().up(); });
        feed.update(-1, 11);
        feed.serviceState(true);
        c.until(11);
        CHECK(f.service().up());
    }
}

TEST_CASE("posts go to the offer that holds the item", "[hub][node][offers][post]") {
    Both f(false, [](HubSettings& s) { s.supportOmmPost = true; });
    Feed feed(f);
    feed.refresh(-1, "IBM", 10);
    f.took(1);
    Far ibm(f, "ibm"), msft(f, "msft");
    ibm.open("IBM");
    ibm.until(10);
    msft.open("MSFT");
    const std::int32_t stream = f.askedFor("MSFT");
    f.refresh(stream, 20, "MSFT");
    msft.until(20);
    ibm.wire.send(f.post(5, 3, 11));
    CHECK(int{ibm.ack().msg.nakCode} == 0);
    ibm.until(11);
    CHECK(f.provider.inbox.empty());
    msft.wire.send(f.post(5, 4, 21));
    const auto got = f.asked();
    CHECK(got.msg.cls == MsgClass::Post);
    CHECK(got.msg.streamId == stream);
    Msg ack;
    ack.cls = MsgClass::Ack;
    ack.domain = 6;
    ack.streamId = stream;
    ack.ackId = got.msg.postId;
    f.provider.send(ack);
    CHECK(msft.ack().msg.ackId == 4);
}

// --- with other hubs -------------------------------------------------------------------------------------------------

TEST_CASE("an edge has what its publisher does not from the owner, and the publisher's items too while it is away",
          "[hub][node][offers][mesh]") {
    Meshed m;
    HubFixture& owner = m.add("owner", Meshed::Role::owner);
    HubFixture& edge = m.add("edge", Meshed::Role::edge);
    owner.connected();
    edge.connected();
    auto feed = std::make_unique<Feed>(edge);
    feed->refresh(-1, "IBM", 10);
    Far ibm(edge, "ibm"), msft(edge, "msft");
    FarText web(edge, "IBM");
    edge.until([&] { return Meshed::metric(edge, "emissary_hub_published_total") == 1; });
    msft.open("MSFT");
    const std::int32_t far = Meshed::asked(owner);
    owner.refresh(far, 20, "MSFT");
    msft.until(20);
    ibm.open("IBM");
    ibm.until(10);
    web.until("10");
    CHECK(owner.provider.inbox.empty());
    feed.reset();
    ibm.untilState(suspect);
    const std::int32_t stream = Meshed::asked(owner);
    owner.refresh(stream, 30);
    ibm.until(30);
    web.until("30");
    CHECK(edge.hub->rooms().services.find(HubFixture::kId)->up());
    feed = std::make_unique<Feed>(edge);
    feed->refresh(-1, "IBM", 40);
    ibm.until(40);
    web.until("40");
    CHECK(owner.asked().msg.cls == MsgClass::Close);
    // The owner is cut off: its items are Suspect, the publisher's are not, and the service is up.
    m.mesh.cut("owner");
    msft.untilState(suspect);
    feed->update(-1, 41);
    ibm.until(41);
    CHECK(edge.hub->rooms().services.find(HubFixture::kId)->up());
    m.mesh.heal("owner");
    msft.until(20);
}

TEST_CASE("an owner's publishers feed the clients of an edge, and its source what they have not",
          "[hub][node][offers][mesh]") {
    Meshed m;
    HubFixture& owner = m.add("owner", Meshed::Role::owner);
    HubFixture& edge = m.add("edge", Meshed::Role::edge);
    owner.connected();
    auto feed = std::make_unique<Feed>(owner);
    feed->refresh(-1, "IBM", 10);
    owner.until([&] { return Meshed::metric(owner, "emissary_hub_published_total") == 1; });
    edge.connected();
    Far ibm(edge, "ibm"), msft(edge, "msft");
    ibm.open("IBM");
    ibm.until(10);
    CHECK(owner.provider.inbox.empty());
    msft.open("MSFT");
    owner.refresh(Meshed::asked(owner), 20, "MSFT");
    msft.until(20);
    feed->update(-1, 11);
    ibm.until(11);
    feed.reset();
    ibm.untilState(suspect);
    owner.refresh(Meshed::asked(owner), 30);
    ibm.until(30);
    feed = std::make_unique<Feed>(owner);
    feed->refresh(-1, "IBM", 40);
    ibm.until(40);
}

TEST_CASE("two hubs with publishers of one service have each other's items, and ask a third for the rest",
          "[hub][node][offers][mesh]") {
    Meshed m;
    m.change = [](HubSettings& s) { s.sources.clear(); };
    HubFixture& a = m.add("a", Meshed::Role::both, 1);
    HubFixture& b = m.add("b", Meshed::Role::both, 2);
    HubFixture& c = m.add("c", Meshed::Role::both, 3);
    Feed ofA(a), ofB(b), ofC(c);
    ofA.refresh(-1, "A", 10);
    ofB.refresh(-1, "B", 20);
    ofC.refresh(-1, "C", 30);
    for (HubFixture* const f : {&a, &b, &c}) {
        f->connected();
        f->until([&] {
            const Service* const s = f->hub->rooms().services.find(HubFixture::kId);
            return s != nullptr && s->mesh.usable() && Meshed::metric(*f, "emissary_hub_mesh_peers") == 2;
        });
    }
    Far own(a, "a"), near(a, "b"), far(a, "c"), back(c, "c");
    own.open("A");
    own.until(10);
    near.open("B");
    near.until(20);
    far.open("C");  // b, whose rank is better, does not have it
    far.until(30);
    back.open("A");
    back.until(10);
    ofC.update(-1, 31);
    far.until(31);
    ofA.update(-1, 11);
    back.until(11);
}
