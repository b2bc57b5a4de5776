// Sequences of session.md 11 through the hub: consumers on one side, an interactive provider on the other.
#include "fixture.h"

#include "eta/codec/encoders.h"
#include "support/item_list.h"

using namespace emissary;
using namespace emissary::test;

TEST_CASE("two consumers, one item: one stream upstream, a refresh for whom it is, updates for both", "[hub][node]") {
    HubFixture f;
    f.connected();
    RawConsumer a = f.loggedIn("a"), b = f.loggedIn("b");
    a.send(HubFixture::request(5));
    const RawProvider::Got first = f.asked();
    CHECK(first.msg.key.serviceId == HubFixture::kUpstreamId);
    const std::int32_t stream = first.msg.streamId;
    f.refresh(stream, 10);
    const Received refresh = a.next();
    checkState(refresh, 5, StreamState::open, ok);
    CHECK(refresh.msg.key.serviceId == HubFixture::kId);
    CHECK(refresh.name() == "IBM");
    CHECK(HubFixture::fields(refresh.msg) == "22=10 25=11");

    b.send(HubFixture::request(8));
    const RawProvider::Got again = f.asked();
    CHECK(again.msg.streamId == stream);
    CHECK_FALSE(again.msg.has(RequestFlag::noRefresh));
    f.refresh(stream, 20);
    CHECK(HubFixture::fields(b.next().msg) == "22=20 25=21");
    f.update(stream, 30);
    for (RawConsumer* c : {&a, &b}) {
        const Received got = c->next();
        CHECK(got.msg.cls == MsgClass::Update);
        CHECK(got.msg.updateType == 1);
        CHECK(HubFixture::fields(got.msg) == "22=30 25=31");
        CHECK(got.msg.streamId == (c == &a ? 5 : 8));
    }

    a.send(RawConsumer::close(5));
    CHECK(HubFixture::silent(a));
    f.update(stream, 40);
    CHECK(b.next().msg.cls == MsgClass::Update);
    b.send(RawConsumer::close(8));
    RawProvider::Got last = f.asked();
    while (last.msg.cls == MsgClass::Request)  // the priority is another one with a
        last = f.asked();
    CHECK(last.msg.cls == MsgClass::Close);
    CHECK(last.msg.streamId == stream);
    CHECK(f.hub->rooms().reactor.places() > 0);
}

TEST_CASE("a service that is cached serves who comes late from the cache", "[hub][node]") {
    HubFixture f([](HubSettings& s) { s.services[0].cache.rule = CachePolicy::Rule::all; });
    f.connected();
    RawConsumer a = f.loggedIn("a");
    a.send(HubFixture::request(5));
    const std::int32_t stream = f.asked().msg.streamId;
    f.refresh(stream, 10);
    (void)a.next();
    Msg part = RawProvider::update(stream);
    reactor::GrowingBuffer payload;
    codec::FieldListEncoder list;
    list.begin(payload.start());
    list.addUInt(25, 99);
    REQUIRE(list.complete().ok());
    part.containerType = codec::DataType::FieldList;
    part.payload = payload.view();
    f.provider.send(part);
    CHECK(HubFixture::fields(a.next().msg) == "25=99");

    RawConsumer b = f.loggedIn("b");
    b.send(HubFixture::request(8));
    const Received got = b.next();
    CHECK(got.msg.has(RefreshFlag::solicited));
    CHECK(HubFixture::fields(got.msg) == "22=10 25=99");
    Msg snapshot = HubFixture::request(9);
    snapshot.flags = 0;
    b.send(snapshot);
    checkState(b.next(), 9, StreamState::nonStreaming, ok);
    CHECK(std::ranges::count_if(f.wire(), [](const std::string& l) {
              return l.starts_with("REQ") && l.find("0x20") == std::string::npos;
          }) >= 1);
}

TEST_CASE("snapshots and refusals of the provider reach who asked", "[hub][node]") {
    HubFixture f;
    f.connected();
    RawConsumer a = f.loggedIn("a");
    SECTION("snapshot: the stream is over with its refresh") {
        Msg m = HubFixture::request(5);
        m.flags = 0;
        a.send(m);
        const RawProvider::Got got = f.asked();
        CHECK_FALSE(got.msg.has(RequestFlag::streaming));
        f.refresh(got.msg.streamId, 1, "IBM", StreamState::nonStreaming);
        checkState(a.next(), 5, StreamState::nonStreaming, ok);
        a.send(HubFixture::request(5));
        CHECK(f.asked().msg.has(RequestFlag::streaming));
    }
    SECTION("not found") {
        a.send(HubFixture::request(5));
        f.provider.send(RawProvider::status(f.asked().msg.streamId, StreamState::closed, suspect, 1, "Item not found"));
        const Received got = a.next();
        checkState(got, 5, StreamState::closed, suspect, 1);
        CHECK(got.stateText() == "Item not found");
        CHECK(HubFixture::silent(a));
    }
    SECTION("a batch with one that is refused") {
        reactor::GrowingBuffer buffer;
        a.send(batchRequest(10, {"A", "CLOSED", "B"}, HubFixture::kId, buffer));
        checkState(a.next(), 10, StreamState::closed, ok);
        for (int i = 0; i < 3; ++i) {
            const RawProvider::Got got = f.asked();
            if (got.name() == "CLOSED")
                f.provider.send(RawProvider::status(got.msg.streamId, StreamState::closed, suspect, 1));
            else f.refresh(got.msg.streamId, 1, got.name());
        }
        CHECK(a.next().name() == "A");
        checkState(a.next(), 12, StreamState::closed, suspect, 1);
        CHECK(a.next().name() == "B");
    }
}

TEST_CASE("the provider is lost and comes back: suspect meanwhile, then the truth; private streams end",
          "[hub][node]") {
    HubFixture f([](HubSettings& s) {
        s.sources[0].reconnect.minDelay = std::chrono::milliseconds(10);
        s.sources[0].reconnect.maxDelay = std::chrono::milliseconds(20);
    });
    f.connected();
    RawConsumer a = f.loggedIn("a");
    a.send(HubFixture::request(5));
    f.refresh(f.asked().msg.streamId, 10);
    (void)a.next();
    Msg own = HubFixture::request(6, "PRIV");
    own.flags |= RequestFlag::privateStream;
    a.send(own);
    const RawProvider::Got asked = f.asked();
    CHECK(asked.msg.has(RequestFlag::privateStream));
    Msg answer = RawProvider::refresh(asked.msg.streamId);
    answer.flags |= RefreshFlag::privateStream;
    f.fill(answer, 3);
    f.provider.send(answer);
    const Received opened = a.next();
    checkState(opened, 6, StreamState::open, ok);
    CHECK(opened.msg.has(RefreshFlag::privateStream));

    f.provider.disconnect();
    bool suspectTold = false, privateGone = false;
    for (int i = 0; i < 2; ++i) {
        const Received got = a.next();
        if (got.msg.streamId == 5) {
            checkState(got, 5, StreamState::open, suspect);
            suspectTold = true;
        } else {
            checkState(got, 6, StreamState::closedRecover, suspect);
            privateGone = true;
        }
    }
    CHECK(suspectTold);
    CHECK(privateGone);
    f.provider.inbox.clear();
    const RawProvider::Got again = f.asked();
    CHECK(again.name() == "IBM");
    f.refresh(again.msg.streamId, 77);
    Received got = a.next();
    while (got.msg.cls == MsgClass::Status)
        got = a.next();
    checkState(got, 5, StreamState::open, ok);
    CHECK_FALSE(got.msg.has(RefreshFlag::solicited));
    CHECK(HubFixture::fields(got.msg) == "22=77 25=78");
}

TEST_CASE("a service that is down: items stay as they are, new ones wait until it is up", "[hub][node]") {
    HubFixture f;
    f.connected();
    RawConsumer a = f.loggedIn("a");
    a.send(RawConsumer::directoryRequest(63));
    (void)a.next();
    a.send(HubFixture::request(5));
    f.refresh(f.asked().msg.streamId, 10);
    CHECK(a.next().msg.cls == MsgClass::Refresh);
    f.provider.sendServiceState(HubFixture::kUpstreamId, false, false);
    const Received down = a.next();
    CHECK(down.msg.domain == 4);
    a.send(HubFixture::request(6, "TRI"));
    checkState(a.next(), 6, StreamState::open, suspect);
    CHECK(HubFixture::silent(a));
    f.provider.sendServiceState(HubFixture::kUpstreamId, true, true);
    CHECK(a.next().msg.domain == 4);
    const RawProvider::Got got = f.asked();
    CHECK(got.name() == "TRI");
    f.refresh(got.msg.streamId, 5, "TRI");
    const Received refresh = a.next();
    checkState(refresh, 6, StreamState::open, ok);
}

TEST_CASE("a group's status reaches the items of the group, by the directory or one by one", "[hub][node]") {
    HubFixture f;
    f.connected();
    RawConsumer hears = f.loggedIn("hears"), other = f.loggedIn("other");
    hears.send(RawConsumer::directoryRequest(63));
    (void)hears.next();
    hears.send(HubFixture::request(5));
    f.refresh(f.asked().msg.streamId, 10);
    CHECK(hears.next().msg.cls == MsgClass::Refresh);
    other.send(HubFixture::request(5));
    f.refresh(f.asked().msg.streamId, 11);
    CHECK(other.next().msg.cls == MsgClass::Refresh);
    const std::byte group[2]{};
    f.provider.sendGroupStatus(HubFixture::kUpstreamId, group, {StreamState::open, suspect, 0, {}});
    const Received told = hears.next();
    CHECK(told.msg.domain == 4);
    checkState(other.next(), 5, StreamState::open, suspect);
    CHECK(HubFixture::silent(hears));
}

TEST_CASE("service ids in keys of generic messages are rewritten, and never added", "[hub][node]") {
    HubFixture f;
    f.connected();
    RawConsumer a = f.loggedIn("a");
    a.send(HubFixture::request(5));
    const std::int32_t stream = f.asked().msg.streamId;
    f.refresh(stream, 10);
    (void)a.next();
    const bool named = GENERATE(false, true);
    Msg m;
    m.cls = MsgClass::Generic;
    m.domain = 6;
    m.flags = codec::GenericFlag::complete | codec::GenericFlag::msgKey;
    m.key.flags = codec::KeyFlag::name;
    m.key.name = eta::asBytes(std::string_view("TOPIC"));
    if (named) m.key.flags |= codec::KeyFlag::serviceId;
    m.key.serviceId = named ? HubFixture::kUpstreamId : 0;
    m.streamId = stream;
    f.provider.send(m);
    const Received down = a.next();
    CHECK(down.msg.cls == MsgClass::Generic);
    CHECK(down.name() == "TOPIC");
    CHECK(down.msg.key.has(codec::KeyFlag::serviceId) == named);
    if (named) CHECK(down.msg.key.serviceId == HubFixture::kId);
    m.streamId = 5;
    m.key.serviceId = named ? HubFixture::kId : std::uint16_t{0};
    a.send(m);
    const RawProvider::Got up = f.asked();
    CHECK(up.msg.cls == MsgClass::Generic);
    CHECK(up.name() == "TOPIC");
    CHECK(up.msg.key.has(codec::KeyFlag::serviceId) == named);
    if (named) CHECK(up.msg.key.serviceId == HubFixture::kUpstreamId);
}

TEST_CASE("dictionaries come from the first source that has them and are served by the hub", "[hub][node]") {
    HubFixture f;
    f.connected();
    RawConsumer a = f.loggedIn("a");
    a.send(RawConsumer::directoryRequest(3));
    rdm::Directory d;
    REQUIRE(d.apply(a.next().msg.payload, false).ok());
    const rdm::Service* const service = d.find(HubFixture::kId);
    REQUIRE(service != nullptr);
    for (const std::string name : {"RWFFld", "RWFEnum"}) {
        INFO(name);
        REQUIRE(service->info.dictionariesProvided);
        CHECK(std::ranges::count(*service->info.dictionariesProvided, name) == 1);
        Msg m = RawConsumer::dictionaryRequest(name == "RWFFld" ? 3 : 4, name);
        m.key.serviceId = HubFixture::kId;
        a.send(m);
        eta::dictionary::Dictionary got;
        for (bool complete = false; !complete;) {
            const Received part = a.next();
            checkState(part, m.streamId, StreamState::open, ok);
            CHECK(part.name() == name);
            CHECK(part.msg.key.serviceId == HubFixture::kId);
            const auto bad = name == "RWFFld" ? got.decodeFields(part.msg.payload) : got.decodeEnums(part.msg.payload);
            REQUIRE_FALSE(bad);
            complete = part.msg.has(RefreshFlag::complete);
        }
        CHECK((name == "RWFFld" ? got.hasFields() : got.hasEnums()));
    }
}
