// An item that its source redirects to another name: the hub follows, and everybody gets the other item's image before
// its updates (hub.md 4.3).
#include "publisher.h"

#include "reactor/json/fixture.h"
#include "reactor/rdm/View.h"

using namespace emissary;
using namespace emissary::test;
using json_test::Json;

namespace {

struct Redirecting : HubFixture {
    explicit Redirecting(CachePolicy::Rule cache = CachePolicy::Rule::none)
        : HubFixture([cache](HubSettings& s) { s.services[0].cache.rule = cache; }),
          cached(cache == CachePolicy::Rule::all) {
        plainNumbers = true;
        connected();
        until([this] { return hub->dictionary() != nullptr; });
    }
    std::unique_ptr<TextClient> text() {
        auto c = std::make_unique<TextClient>(webSocketTo(hub->port()), [this] { turn(); });
        c->send(R"({"ID":1,"Domain":"Login","Key":{"Name":"tess"}})");
        REQUIRE(c->next("Domain", "Login").at("State").at("Stream").text == "Open");
        return c;
    }
    /// The next request that wants an image; what else is said of streams is passed over.
    RawProvider::Got requested() {
        for (;;) {
            RawProvider::Got got = asked();
            if (got.msg.cls != MsgClass::Request || got.msg.has(RequestFlag::noRefresh)) continue;
            REQUIRE(codec::decodeMsg(Bytes(got.bytes), got.msg).ok());
            return got;
        }
    }
    /// One more client's request is answered, by the source where there is no cache.
    void answer(std::uint64_t value, bool first) {
        if (first || !cached) refresh(stream = requested().msg.streamId, value);
    }
    static Msg redirection(std::int32_t stream, std::string_view to, bool asImage) {
        Msg m = asImage ? RawProvider::refresh(stream, StreamState::redirected, false)
                        : RawProvider::status(stream, StreamState::redirected, suspect);
        if (asImage) m.state.data = suspect;
        m.flags |= asImage ? RefreshFlag::msgKey : codec::StatusFlag::msgKey;
        m.key.flags = codec::KeyFlag::name | codec::KeyFlag::serviceId;
        m.key.serviceId = kUpstreamId;
        m.key.name = eta::asBytes(to);
        return m;
    }
    const bool cached;
    std::int32_t stream = 0;  // at the source
};

/// The image of the other item, and the update behind it.
void checkMoved(RawConsumer& c, std::int32_t stream, bool solicited, bool updates = true) {
    INFO("stream " << stream);
    const Received image = c.next();
    REQUIRE(image.msg.cls == MsgClass::Refresh);
    checkState(image, stream, StreamState::open, ok);
    CHECK(image.msg.has(RefreshFlag::solicited) == solicited);
    CHECK(image.msg.has(RefreshFlag::clearCache));
    CHECK(image.msg.has(RefreshFlag::complete));
    CHECK(image.name() == "IBM");
    CHECK(HubFixture::fields(image.msg) == "1=50");
    if (!updates) return;
    const Received update = c.next();
    CHECK(update.msg.cls == MsgClass::Update);
    CHECK(HubFixture::fields(update.msg) == "1=60");
}

}  // namespace

TEST_CASE("who watches an item that is redirected gets the other one's image before its updates", "[hub][node][json]") {
    const auto cache = GENERATE(CachePolicy::Rule::none, CachePolicy::Rule::all);
    const bool asImage = GENERATE(false, true);
    INFO((cache == CachePolicy::Rule::all ? "cached" : "not cached") << ", by " << (asImage ? "refresh" : "status"));
    Redirecting f(cache);
    RawConsumer plain = f.loggedIn("plain"), pausing = f.loggedIn("pausing"), viewing = f.loggedIn("viewing"),
                late = f.loggedIn("late");
    plain.send(HubFixture::request(5));
    f.answer(10, true);
    CHECK(plain.next().msg.cls == MsgClass::Refresh);
    pausing.send(HubFixture::request(6));
    f.answer(10, false);
    CHECK(pausing.next().msg.cls == MsgClass::Refresh);
    Msg pause = HubFixture::request(6);
    pause.flags |= RequestFlag::pause | RequestFlag::noRefresh;
    pausing.send(pause);
    CHECK(HubFixture::silent(pausing));
    Msg view = HubFixture::request(7);
    reactor::GrowingBuffer room;
    codec::ElementListEncoder elements;
    rdm::View wanted;
    wanted.fields = {1};
    elements.begin(room.start());
    wanted.encode(elements);
    REQUIRE(elements.complete().ok());
    view.flags |= RequestFlag::view;
    view.containerType = codec::DataType::ElementList;
    view.payload = room.view();
    viewing.send(view);
    f.answer(10, false);
    CHECK(viewing.next().msg.cls == MsgClass::Refresh);
    const auto texts = f.text();
    texts->send(R"({"ID":8,"Key":{"Name":"IBM"}})");
    f.answer(10, false);
    CHECK(texts->next("ID", "8").at("Type").text == "Refresh");

    f.provider.send(Redirecting::redirection(f.stream, "IBM.N", asImage));
    const RawProvider::Got other = f.requested();
    CHECK(other.name() == "IBM.N");
    CHECK(other.msg.streamId != f.stream);
    // These come while the other item's image is under way, and so are answered with it.
    late.send(HubFixture::request(9));
    Msg snapshot = HubFixture::request(10);
    snapshot.flags &= static_cast<std::uint16_t>(~RequestFlag::streaming);
    late.send(snapshot);
    CHECK(HubFixture::silent(late));
    texts->send(R"({"ID":11,"Key":{"Name":"IBM"},"Streaming":false})");
    texts->send(R"({"ID":12,"Key":{"Name":"IBM","Service":65000}})");
    CHECK(stateOf(texts->next("ID", "12")) == "Closed/Suspect");
    f.refresh(other.msg.streamId, 50, "IBM.N");
    f.update(other.msg.streamId, 60);

    checkMoved(plain, 5, false);
    checkMoved(pausing, 6, false, false);
    CHECK(HubFixture::silent(pausing));
    checkMoved(viewing, 7, false);
    for (int i = 0; i < 2; ++i) {
        const Received got = late.next();
        CHECK(got.msg.has(RefreshFlag::solicited));
        CHECK(HubFixture::fields(got.msg) == "1=50");
        checkState(got, got.msg.streamId, got.msg.streamId == 9 ? StreamState::open : StreamState::nonStreaming, ok);
    }
    CHECK(HubFixture::fields(late.next().msg) == "1=60");

    bool imageFirst = false, updated = false, snapshotCame = false;
    while (!updated || !snapshotCame) {
        const Json got = texts->next();
        INFO(got.source);
        if (got.at("ID").text == "11") {
            CHECK(stateOf(got) == "NonStreaming/Ok");
            CHECK(got.find("Solicited") == nullptr);  // true when it is not said
            snapshotCame = true;
        } else if (got.at("Type").text == "Refresh") {
            CHECK(got.at("Solicited").text == "false");
            CHECK(got.find("ClearCache") == nullptr);  // true when it is not said
            CHECK(got.at("Key").at("Name").text == "IBM");
            CHECK(got.at("Fields").at("PROD_PERM").text == "50");
            imageFirst = true;
        } else {
            CHECK(imageFirst);
            CHECK(got.at("Fields").at("PROD_PERM").text == "60");
            updated = true;
        }
    }

    // The source may do so again: also where somebody waits for an answer.
    if (cache == CachePolicy::Rule::none) {
        plain.send(HubFixture::request(5));
        CHECK(f.requested().msg.streamId == other.msg.streamId);
    }
    f.provider.send(Redirecting::redirection(other.msg.streamId, "IBM.X", asImage));
    const RawProvider::Got third = f.requested();
    CHECK(third.name() == "IBM.X");
    f.refresh(third.msg.streamId, 50, "IBM.X");
    f.update(third.msg.streamId, 60);
    checkMoved(plain, 5, cache == CachePolicy::Rule::none);
    checkMoved(viewing, 7, false);
    checkMoved(late, 9, false);
}

TEST_CASE("what the redirected item's new stream says first is told before there is an image", "[hub][node]") {
    Redirecting f;
    RawConsumer c = f.loggedIn("c");
    c.send(HubFixture::request(5));
    f.answer(10, true);
    CHECK(c.next().msg.cls == MsgClass::Refresh);
    f.provider.send(Redirecting::redirection(f.stream, "IBM.N", false));
    const std::int32_t other = f.requested().msg.streamId;
    SECTION("it can be had again: suspect, asked for under its own name, and an image with it") {
        f.provider.send(RawProvider::status(other, StreamState::closedRecover, suspect));
        checkState(c.next(), 5, StreamState::open, suspect);
    }
    SECTION("there is none: that is the end") {
        f.provider.send(RawProvider::status(other, StreamState::closed, suspect, 1));
        checkState(c.next(), 5, StreamState::closed, suspect, 1);
    }
    SECTION("updates before the image go to nobody") {
        f.update(other, 40);
        f.refresh(other, 50, "IBM.N");
        f.update(other, 60);
        checkMoved(c, 5, false);
    }
    SECTION("an image in parts") {
        for (std::uint16_t part = 0; part < 2; ++part) {
            Msg m = RawProvider::refresh(other, StreamState::open, true);
            m.flags |= RefreshFlag::partNum;
            if (part == 0) m.flags &= static_cast<std::uint16_t>(~RefreshFlag::complete);
            m.partNum = part;
            f.fill(m, 50u + part);
            f.provider.send(m);
        }
        const Received first = c.next(), second = c.next();
        CHECK(first.msg.has(RefreshFlag::clearCache));
        CHECK(HubFixture::fields(first.msg) == "1=50");
        CHECK_FALSE(second.msg.has(RefreshFlag::clearCache));
        CHECK(HubFixture::fields(second.msg) == "1=51");
    }
}

TEST_CASE("a redirection that is not followed says where it leads, by status and by refresh", "[hub][node]") {
    const bool asImage = GENERATE(false, true);
    Redirecting f;
    RawConsumer c = f.loggedIn("c");
    c.send(HubFixture::request(5));
    f.answer(10, true);
    CHECK(c.next().msg.cls == MsgClass::Refresh);
    const auto texts = f.text();
    texts->send(R"({"ID":8,"Key":{"Name":"IBM"}})");
    f.answer(10, false);
    CHECK(texts->next("ID", "8").at("Type").text == "Refresh");
    std::int32_t stream = f.stream;
    for (const char* const name : {"A", "B", "C"}) {
        f.provider.send(Redirecting::redirection(stream, name, asImage));
        const RawProvider::Got got = f.requested();
        CHECK(got.name() == name);
        stream = got.msg.streamId;
    }
    f.provider.send(Redirecting::redirection(stream, "D", asImage));
    const Received last = c.next();
    checkState(last, 5, StreamState::redirected, suspect);
    CHECK(last.name() == "D");
    CHECK(last.msg.key.serviceId == HubFixture::kId);
    const Json text = texts->next("ID", "8");
    CHECK(stateOf(text) == "Redirected/Suspect");
    CHECK(text.at("Key").at("Name").text == "D");
    CHECK(text.at("Key").at("Service").text == "DIRECT_FEED");
}

TEST_CASE("a publisher's redirection is passed on with the service that it leads to", "[hub][node]") {
    Redirecting f;
    Publisher p(f);
    RawConsumer c = f.loggedIn("c");
    const std::uint16_t service = serviceOf(c);
    p.refresh(-1, "IBM", 10);
    c.send(RawConsumer::request(5, 6, "IBM", service));
    Received got = c.next();
    while (!got.msg.hasState() || got.msg.state.stream != StreamState::open || got.msg.state.data != ok) {
        c.send(RawConsumer::request(5, 6, "IBM", service));  // it was not there yet
        got = c.next();
    }
    const bool asImage = GENERATE(false, true);
    Msg m = Redirecting::redirection(-1, "IBM.N", asImage);
    m.key.serviceId = Publisher::kService;
    p.wire.send(m);
    got = c.next();
    checkState(got, 5, StreamState::redirected, suspect);
    CHECK(got.name() == "IBM.N");
    CHECK(got.msg.key.serviceId == service);
    CHECK(HubFixture::silent(c));
}
