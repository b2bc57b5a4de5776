// Posts that go on to a source, and what becomes of the answer (hub.md 7.1, 7.3).
#include "hub/post/fixture.h"

using namespace emissary;
using namespace emissary::test;
using Lines = std::vector<std::string>;

TEST_CASE("two clients may use one post id; each gets the answer to its own", "[hub][post]") {
    PostFixture f;
    Item& item = f.open(f.anna, 5);
    f.join(f.bert, 6);
    f.send(f.anna, 5, {.id = 7});
    f.send(f.bert, 6, {.id = 7, .flags = postId | complete | ack | codec::PostFlag::seqNum, .seq = 3});
    REQUIRE(f.up.ids.size() == 2);
    CHECK(f.up.ids[0] != f.up.ids[1]);
    CHECK(f.up.got[1] == "IBM " + std::to_string(f.up.ids[1]) + " seq 3 complete ack");
    CHECK(f.up.users[0] == std::pair<std::uint32_t, std::uint32_t>(0x0A000001, 4711));
    CHECK(f.acks.empty());
    f.answer(f.up, &item, f.up.ids[1], 0, 3);
    CHECK(f.takeAcks() == Lines{"1:6 7 seq 3"});
    f.answer(f.up, &item, f.up.ids[0], 10);
    CHECK(f.takeAcks() == Lines{"0:5 7 nak 10"});  // the source's own code
    f.answer(f.up, &item, f.up.ids[0]);
    CHECK(f.acks.empty());  // answered already
    CHECK(f.posts->counts().unmatched == 1);
    CHECK(f.posts->counts().outstanding == 0);
    CHECK(f.posts->posts(Nak::none) == 1);
    CHECK(f.posts->posts(Nak::symbolUnknown) == 1);
}

TEST_CASE("what is posted goes on as it came, but for the id", "[hub][post]") {
    PostFixture f;
    f.open(f.anna, 5);
    const Msg nested = f.inner(codec::MsgClass::Update, {{{22, 8}, {25, 9}}});
    const Msg sent = f.build(5, {.inner = &nested});
    const std::vector<std::byte> payload(sent.payload.begin(), sent.payload.end());
    f.send(f.anna, 5, {.inner = &nested});
    CHECK(f.up.payloads.at(0) == payload);
    SECTION("without an ack asked for, none is asked of the source") {
        f.send(f.anna, 5, {.flags = postId | complete});
        CHECK(f.up.got.at(1) == "IBM " + std::to_string(f.up.ids[1]) + " complete");
        CHECK(f.posts->counts().outstanding == 1);  // the first
    }
}

TEST_CASE("a post on a stream that ends meanwhile is answered on that stream before it ends", "[hub][post]") {
    PostFixture f;
    Item& item = f.open(f.anna, 5);
    f.join(f.bert, 6);
    f.send(f.anna, 5, {.id = 7});
    f.send(f.bert, 6, {.id = 8});
    f.send(f.bert, 1, {.id = 9, .name = "IBM"});  // off-stream: its source can still answer
    CHECK(f.acks.empty());
    const codec::State closed{codec::StreamState::closed, codec::DataState::suspect, 1, {}};
    SECTION("by its source") {
        Msg m;
        m.cls = codec::MsgClass::Status;
        m.domain = 6;
        m.flags = codec::StatusFlag::state;
        m.state = closed;
        f.flow.received(item, m);
        CHECK(f.takeAcks() == Lines{"0:5 7 nak 11", "1:6 8 nak 11"});
    }
    SECTION("by the hub") {
        f.flow.close(item, closed);
        CHECK(f.takeAcks() == Lines{"0:5 7 nak 11", "1:6 8 nak 11"});
    }
    SECTION("of one client alone, that wants no suspect data") {
        f.bert.singleOpen = f.bert.allowSuspectData = false;
        f.flow.suspect(item, 0, "lost");
        CHECK(f.takeAcks() == Lines{"1:6 8 nak 11"});
        f.answer(f.up, &item, f.up.ids[0]);
        CHECK(f.takeAcks() == Lines{"0:5 7"});
    }
    SECTION("at its source alone: the item goes on with another one") {
        f.flow.bind(item, nullptr, 0);
        CHECK(f.takeAcks() == Lines{"0:5 7 nak 3", "1:6 8 nak 3"});
    }
    CHECK(f.posts->counts().outstanding == 1);
    f.answer(f.up, nullptr, f.up.ids[2]);
    CHECK(f.takeAcks() == Lines{"1:1 9 key IBM/3"});
    CHECK(f.posts->counts().outstanding == 0);
    CHECK(f.posts->counts().orphaned == 0);
}

TEST_CASE("off-stream posts go to a login, with the key in the answer", "[hub][post]") {
    PostFixture f;
    f.send(f.anna, 1, {.name = "NEW"});
    REQUIRE(f.up.got.size() == 1);
    CHECK(f.up.got[0] == "-3 " + std::to_string(f.up.ids[0]) + " complete ack");
    f.answer(f.up, nullptr, f.up.ids[0], 1);
    CHECK(f.takeAcks() == Lines{"0:1 7 key NEW/3 nak 1"});
    SECTION("of the sources the one that serves the item, where one does") {
        PostedTo second("second");
        reactor::rdm::Service offered;
        f.service.offers.push_back({&second, 1, &offered});
        Item& item = f.open(f.bert, 9);
        f.flow.bind(item, &second, 1);
        f.send(f.anna, 1, {.name = "IBM"});
        CHECK(second.got.size() == 1);
        f.service.offers.pop_back();
        f.flow.bind(item, nullptr, 0);
    }
    SECTION("one that takes posts is preferred to one that does not") {
        PostedTo second("second");
        reactor::rdm::Service offered;
        f.service.offers.push_back({&second, 1, &offered});
        f.up.posts = false;
        f.send(f.anna, 1, {.name = "NEW"});
        CHECK(second.got.size() == 1);
    }
}

TEST_CASE("posts that nobody can take are answered here, row by row", "[hub][post]") {
    PostFixture f;
    Item& item = f.open(f.anna, 5);
    CHECK(f.nakOf(f.anna, 1, {.name = "X", .serviceId = 99}) == 4);
    CHECK(f.nakOf(f.anna, 1, {.name = "X", .domain = 1}) == 12);
    CHECK(f.nakOf(f.anna, 1, {.name = "X", .domain = 4}) == 12);
    {
        Msg m = f.build(1, {.name = "X"});
        m.key.flags &= static_cast<std::uint16_t>(~codec::KeyFlag::name);
        f.acks.clear();
        f.posts->onPost(f.anna, nullptr, m);
        CHECK(f.takeAcks().at(0).ends_with("nak 12"));
    }
    CHECK(f.nakOf(f.anna, 77, {}) == 11);  // no stream of the client's
    CHECK(f.nakOf(f.anna, 77, {.name = "IBM"}) == 11);
    flow::ItemLife::tell(item, {codec::StreamState::closedRecover, codec::DataState::ok, 0, {}});
    CHECK(f.nakOf(f.anna, 5, {}) == 11);
    flow::ItemLife::tell(item, {codec::StreamState::unspecified, codec::DataState::ok, 0, {}});  // no refresh yet
    CHECK(f.nakOf(f.anna, 5, {}) == 11);
    flow::ItemLife::tell(item, {codec::StreamState::open, codec::DataState::ok, 0, {}});
    f.up.posts = false;
    CHECK(f.nakOf(f.anna, 5, {}) == 2);
    CHECK(f.nakOf(f.anna, 1, {.name = "X"}) == 2);
    f.up.posts = true;
    f.up.isUp = false;
    CHECK(f.nakOf(f.anna, 5, {}) == 3);
    CHECK(f.nakOf(f.anna, 1, {.name = "X"}) == 3);
    f.up.isUp = true;
    f.up.result = {eta::Errc::noBuffers, 0};
    CHECK(f.nakOf(f.anna, 5, {}) == 5);
    f.up.result = {eta::Errc::closed, 0};
    CHECK(f.nakOf(f.anna, 5, {}) == 3);
    f.up.result = {};
    f.flow.bind(item, nullptr, 0);
    CHECK(f.nakOf(f.anna, 5, {}) == 3);
    CHECK(f.up.got.empty());
    CHECK(f.posts->counts().outstanding == 0);
    f.options.allowed = false;
    f.start();
    CHECK(f.nakOf(f.anna, 5, {}) == 1);
    SECTION("without an ack asked for it is only counted") {
        CHECK(f.nakOf(f.anna, 5, {.flags = postId | complete}) == 99);
        CHECK(f.posts->counts().silent == 1);
    }
}

TEST_CASE("a source that is silent, or lost while posts wait", "[hub][post][faults]") {
    PostFixture f;
    Item& item = f.open(f.anna, 5);
    f.join(f.bert, 6);
    f.send(f.anna, 5, {.id = 1});
    f.wait(std::chrono::seconds(8));
    f.send(f.bert, 6, {.id = 2});
    SECTION("each post has its own time") {
        f.wait(std::chrono::milliseconds(6'999));
        CHECK(f.acks.empty());
        f.wait(std::chrono::milliseconds(1));
        CHECK(f.takeAcks() == Lines{"0:5 1 nak 6"});
        f.wait(std::chrono::seconds(8));
        CHECK(f.takeAcks() == Lines{"1:6 2 nak 6"});
        f.answer(f.up, &item, f.up.ids[0]);
        CHECK(f.acks.empty());
        CHECK(f.posts->counts().unmatched == 1);
    }
    SECTION("a loss answers all of them, in their order; those of others wait on") {
        PostedTo other("other");
        f.open(f.anna, 8, "MSFT");
        f.flow.bind(*f.item("MSFT"), &other, 1);
        f.send(f.anna, 8, {.id = 3});
        f.posts->onSourceLost(f.up);
        CHECK(f.takeAcks() == Lines{"0:5 1 nak 3", "1:6 2 nak 3"});
        f.answer(other, f.item("MSFT"), other.ids.at(0));
        CHECK(f.takeAcks() == Lines{"0:8 3"});
        f.flow.bind(*f.item("MSFT"), nullptr, 0);
    }
}

TEST_CASE("clients and streams that are gone when the answer comes", "[hub][post][faults]") {
    PostFixture f;
    Item& item = f.open(f.anna, 5);
    f.join(f.bert, 6);
    f.send(f.anna, 5, {.id = 1});
    f.send(f.bert, 6, {.id = 2});
    SECTION("the client") {
        f.posts->onClientGone(f.anna);
        leaveAll(f.flow, f.anna);
        f.clients.remove(f.anna);
        Client& another = f.client();
        CHECK(another.index == 0);  // the same number
        f.answer(f.up, &item, f.up.ids[0]);
        CHECK(f.acks.empty());
        f.answer(f.up, &item, f.up.ids[1]);
        CHECK(f.takeAcks() == Lines{"1:6 2"});
    }
    SECTION("the stream") {
        f.flow.leave(f.anna, 5);
        f.answer(f.up, &item, f.up.ids[0]);
        CHECK(f.acks.empty());
        CHECK(f.posts->counts().orphaned == 1);
    }
    SECTION("the stream is another item's now") {
        f.flow.leave(f.anna, 5);
        f.open(f.anna, 5, "MSFT");
        f.answer(f.up, &item, f.up.ids[0]);
        CHECK(f.acks.empty());
        CHECK(f.posts->counts().orphaned == 1);
    }
    SECTION("the client has logged out") {
        f.send(f.bert, 1, {.id = 3, .name = "X"});
        f.bert.loggedIn = false;
        f.answer(f.up, nullptr, f.up.ids[2]);
        CHECK(f.acks.empty());
    }
}

TEST_CASE("a source answers for itself alone, and on the stream that had the post", "[hub][post][faults]") {
    PostFixture f;
    Item& item = f.open(f.anna, 5);
    Item& other = f.open(f.anna, 8, "MSFT");
    PostedTo liar("liar");
    f.send(f.anna, 5, {.id = 1});
    f.answer(liar, &item, f.up.ids[0]);
    f.answer(f.up, &other, f.up.ids[0]);
    f.answer(f.up, nullptr, f.up.ids[0]);
    f.answer(f.up, &item, f.up.ids[0] + 1);
    f.answer(f.up, &item, f.up.ids[0], 0, 4);  // a number that the post did not have
    CHECK(f.acks.empty());
    CHECK(f.posts->counts().unmatched == 5);
    f.answer(f.up, &item, f.up.ids[0]);
    CHECK(f.acks.size() == 1);
}

TEST_CASE("the ledger is bounded for each client, and gives its places back", "[hub][post]") {
    PostFixture f;
    f.options.maxOutstanding = 3;
    f.start();
    Item& item = f.open(f.anna, 5);
    f.join(f.bert, 6);
    for (std::uint32_t id = 1; id <= 3; ++id)
        CHECK(f.nakOf(f.anna, 5, {.id = id}) == 99);
    CHECK(f.nakOf(f.anna, 5, {.id = 4}) == 5);
    CHECK(f.nakOf(f.anna, 5, {.id = 5, .flags = postId | complete}) == 99);  // needs no place
    CHECK(f.up.got.size() == 4);
    CHECK(f.nakOf(f.bert, 6, {.id = 4}) == 99);  // others have theirs
    f.acks.clear();
    f.answer(f.up, &item, f.up.ids[1]);
    CHECK(f.takeAcks() == Lines{"0:5 2"});
    CHECK(f.nakOf(f.anna, 5, {.id = 4}) == 99);
    CHECK(f.posts->counts().outstanding == 4);
    f.posts->onClientGone(f.anna);
    CHECK(f.posts->counts().outstanding == 1);
}

TEST_CASE("parts of one post share the hub's number and keep their order", "[hub][post]") {
    constexpr std::uint16_t part = postId | ack | partNum | codec::PostFlag::seqNum;
    PostFixture f;
    Item& item = f.open(f.anna, 5);
    f.send(f.anna, 5, {.id = 7, .flags = part, .seq = 1, .part = 0});
    f.send(f.anna, 5, {.id = 7, .flags = part, .seq = 2, .part = 1});
    SECTION("each is answered by its own number") {
        f.send(f.anna, 5, {.id = 7, .flags = part | complete, .seq = 3, .part = 2});
        REQUIRE(f.up.ids.size() == 3);
        CHECK(f.up.ids[0] == f.up.ids[2]);
        CHECK(f.up.got[1] == "IBM " + std::to_string(f.up.ids[0]) + " seq 2 part 1 ack");
        f.answer(f.up, &item, f.up.ids[0], 0, 2);
        f.answer(f.up, &item, f.up.ids[0], 12, 3);
        CHECK(f.takeAcks() == Lines{"0:5 7 seq 2", "0:5 7 seq 3 nak 12"});
        CHECK(f.posts->counts().open == 0);
        f.send(f.anna, 5, {.id = 7, .flags = part, .seq = 4, .part = 0});  // the id is free again
        CHECK(f.up.ids[3] != f.up.ids[0]);
    }
    SECTION("a part is missing") {
        CHECK(f.nakOf(f.anna, 5, {.id = 7, .flags = part, .seq = 4, .part = 3}) == 12);
        CHECK(f.nakOf(f.anna, 5, {.id = 7, .flags = part, .seq = 3, .part = 2}) == 12);  // the post is over
        CHECK(f.up.got.size() == 2);
    }
    SECTION("a part comes twice") {
        CHECK(f.nakOf(f.anna, 5, {.id = 7, .flags = part, .seq = 2, .part = 1}) == 12);
    }
    SECTION("a sequence number that waits already") {
        CHECK(f.nakOf(f.anna, 5, {.id = 7, .flags = part, .seq = 2, .part = 2}) == 12);
    }
    SECTION("a first part that never had one") {
        CHECK(f.nakOf(f.anna, 5, {.id = 8, .flags = part, .seq = 9, .part = 1}) == 12);
    }
    SECTION("the client goes") {
        f.posts->onClientGone(f.anna);
        CHECK(f.posts->counts().open == 0);
        CHECK(f.posts->counts().outstanding == 0);
    }
}

TEST_CASE("sources that are lost one after the other answer their own posts, oldest first", "[hub][post][faults]") {
    PostFixture f;
    PostedTo second("second"), third("third"), idle("idle");
    f.open(f.anna, 5);
    f.open(f.anna, 7, "MSFT");
    f.flow.bind(*f.item("MSFT"), &second, 1);
    f.open(f.anna, 8, "VOD");
    f.flow.bind(*f.item("VOD"), &third, 1);
    for (std::uint32_t id = 1; id <= 12; ++id)
        f.send(f.anna, id % 3 == 0 ? 5 : id % 3 == 1 ? 7 : 8, {.id = id});
    f.join(f.bert, 9);
    f.send(f.bert, 9, {.id = 13});
    // Of each something has gone otherwise: from the front, out of the middle, at the end.
    f.answer(f.up, f.item("IBM"), f.up.ids.at(0));
    f.answer(second, f.item("MSFT"), second.ids.at(1));
    f.answer(third, f.item("VOD"), third.ids.at(3));
    CHECK(f.takeAcks() == Lines{"0:5 3", "0:7 4", "0:8 11"});
    f.posts->onSourceLost(idle);
    CHECK(f.acks.empty());
    f.posts->onSourceLost(second);
    CHECK(f.takeAcks() == Lines{"0:7 1 nak 3", "0:7 7 nak 3", "0:7 10 nak 3"});
    f.posts->onSourceLost(second);
    CHECK(f.acks.empty());
    // The source is there again, and its posts wait with those of others.
    f.send(f.anna, 7, {.id = 14});
    f.posts->onClientGone(f.bert);
    f.posts->onSourceLost(f.up);
    CHECK(f.takeAcks() == Lines{"0:5 6 nak 3", "0:5 9 nak 3", "0:5 12 nak 3"});
    f.answer(second, f.item("MSFT"), second.ids.at(4));
    f.answer(third, f.item("VOD"), third.ids.at(0));
    CHECK(f.takeAcks() == Lines{"0:7 14", "0:8 2"});
    f.posts->onSourceLost(third);
    CHECK(f.takeAcks() == Lines{"0:8 5 nak 3", "0:8 8 nak 3"});
    CHECK(f.posts->counts().outstanding == 0);
    f.flow.bind(*f.item("MSFT"), nullptr, 0);
    f.flow.bind(*f.item("VOD"), nullptr, 0);
}

TEST_CASE("generic messages of clients", "[hub][post]") {
    PostFixture f;
    Item& item = f.open(f.anna, 5);
    Msg m;
    m.cls = codec::MsgClass::Generic;
    m.domain = 6;
    f.posts->onGeneric(f.anna, &item, m);
    CHECK(f.up.got == Lines{"generic IBM service 0"});
    SECTION("with a key on the login stream: to the sources of the service, under their number") {
        m.flags = codec::GenericFlag::msgKey;
        m.key.flags = codec::KeyFlag::serviceId;
        m.key.serviceId = 3;
        f.posts->onGeneric(f.anna, nullptr, m);
        CHECK(f.up.got.at(1) == "generic - service 77");
        m.key.serviceId = 99;
        f.posts->onGeneric(f.anna, nullptr, m);
        m.flags = 0;
        f.posts->onGeneric(f.anna, nullptr, m);
        CHECK(f.up.got.size() == 2);
        CHECK(f.posts->counts().genericsDropped == 2);
    }
    SECTION("to a publisher only where that is wanted") {
        PostedTo publisher("pub", Source::kPublisher, 10);
        f.flow.bind(item, &publisher, 2);
        f.posts->onGeneric(f.anna, &item, m);
        CHECK(f.posts->counts().genericsDropped == 1);
        f.service.policy.forwardGenerics = true;
        f.posts->onGeneric(f.anna, &item, m);
        CHECK(publisher.got == Lines{"generic IBM service 0"});
        CHECK(f.up.got.size() == 1);
        f.items.leave(item);
    }
}
