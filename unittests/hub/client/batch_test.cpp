// Batches: their items, ids and views, and what is refused of them.
#include "fixture.h"
#include "requests.h"

#include "eta/codec/encoders.h"

using namespace emissary;
using namespace emissary::test;
using codec::DataState::ok;
using codec::DataState::suspect;
namespace StreamState = codec::StreamState;

TEST_CASE("batches open their items on the stream ids behind their own", "[hub][client][items]") {
    ClientOptions options = PortFixture::defaults();
    options.maxBatchItems = 4;
    PortFixture f(options);
    RawConsumer c = f.loggedIn();
    const auto refused = [&](const Msg& m, std::uint8_t stream, int code) {
        c.send(m);
        checkState(c.next(), m.streamId, stream, suspect, code);
        CHECK(f.mounts.size() == 0);
    };
    SECTION("each item by itself, then the batch is over") {
        Elements e;
        e.names({"A", "B", "C"});
        c.send(batch(10, e));
        for (const std::int32_t stream : {11, 12, 13}) {
            const Received got = c.next();
            checkState(got, stream, StreamState::open, ok);
            CHECK(got.name() == std::string(1, static_cast<char>('A' + stream - 11)));
        }
        const Received done = c.next();
        CHECK(done.msg.cls == MsgClass::Status);
        checkState(done, 10, StreamState::closed, ok);
        CHECK(f.client().mounts.size() == 3);
        CHECK_FALSE(f.client().mounts.contains(10));
        CHECK(f.port->counts().of.requests == 3);

        // Changed and closed together.
        Elements change;
        change.streams({11, 13, 99});
        Msg m = batch(20, change);
        m.flags |= RequestFlag::pause | RequestFlag::noRefresh;
        c.send(m);
        checkState(c.next(), 20, StreamState::closed, ok);
        CHECK(f.mounts.find(f.client(), 11)->is(Mount::paused));
        CHECK_FALSE(f.mounts.find(f.client(), 12)->is(Mount::paused));
        CHECK(f.mounts.find(f.client(), 13)->is(Mount::paused));
        Elements going;
        going.streams({11, 12, 99});
        Msg close = RawConsumer::close(11);
        close.flags = codec::CloseFlag::batch;
        going.into(close);
        c.send(close);
        const Received closed = c.next();
        checkState(closed, 11, StreamState::closed, ok);
        CHECK(closed.stateText() == "Processed 3 items of the batch; 2 were closed.");
        CHECK(PortFixture::silent(c));
        CHECK(f.client().mounts.size() == 1);
        CHECK(f.port->counts().of.closes == 2);
    }
    SECTION("with a view for all") {
        Elements e;
        e.names({"A", "B"}).view({22});
        Msg m = batch(10, e);
        m.flags |= RequestFlag::view;
        c.send(m);
        for (int i = 0; i < 3; ++i)
            (void)c.next();
        CHECK(f.views.size() == 1);
        CHECK(f.mounts.find(f.client(), 11)->view == f.mounts.find(f.client(), 12)->view);
        c.disconnect();
        f.runUntil([&] { return f.clients.size() == 0; });
        CHECK(f.views.size() == 0);
    }
    SECTION("one item refused, one stream id in use") {
        c.send(request(12));
        CHECK(c.next().msg.streamId == 12);
        Elements e;
        e.names({"A", "B"});
        Msg m = batch(10, e);
        c.send(m);
        CHECK(c.next().msg.streamId == 11);
        checkState(c.next(), 12, StreamState::closed, suspect, 5);
        checkState(c.next(), 10, StreamState::closed, ok);
        CHECK(f.client().mounts.size() == 1);
        Elements unknown;
        unknown.names({"A"});
        m = batch(30, unknown);
        m.key.serviceId = 77;
        c.send(m);
        checkState(c.next(), 31, StreamState::closed, suspect, 15);
        checkState(c.next(), 30, StreamState::closed, ok);
    }
    SECTION("too many") {
        Elements e;
        e.names({"A", "B", "C", "D", "E"});
        refused(batch(10, e), StreamState::closed, 13);
    }
    SECTION("the login's stream, or ids beyond the highest") {
        c.send(RawConsumer::directoryRequest(3, 12));
        (void)c.next();
        Elements e;
        e.names({"A", "B"});
        refused(batch(10, e), StreamState::closed, 23);
        Elements far;
        far.names({"A", "B"});
        refused(batch(INT32_MAX - 1, far), StreamState::closed, 23);
    }
    SECTION("payloads that are none") {
        Msg m = RawConsumer::request(10, 6, {}, std::uint16_t{3});
        m.flags |= RequestFlag::batch;
        refused(m, StreamState::closed, 23);
        Elements empty;
        empty.names({});
        refused(batch(10, empty), StreamState::closed, 23);
        Elements both;
        both.names({"A"}).streams({1});
        refused(batch(10, both), StreamState::closed, 23);
        Elements named;
        named.names({"A"});
        m = batch(10, named);
        m.key.flags |= codec::KeyFlag::name;
        m.key.name = eta::asBytes(std::string_view("X"));
        refused(m, StreamState::closed, 23);
        Elements view;
        view.names({"A"}).uint(":ViewType", 1);
        m = batch(10, view);
        m.flags |= RequestFlag::view;
        refused(m, StreamState::closed, 21);
    }
    SECTION("garbage, and every truncation") {
        Elements e;
        e.names({"AAA", "BBB"}).view({22, 25});
        Msg whole = batch(10, e);
        whole.flags |= RequestFlag::view;
        for (std::size_t n = 0; n < whole.payload.size(); ++n) {
            INFO(n);
            Msg m = whole;
            m.payload = whole.payload.first(n);
            c.send(m);
            const Received got = c.next();
            CHECK(got.msg.streamId == 10);
            CHECK(got.msg.state.stream == StreamState::closed);
            CHECK((got.msg.state.code == 23 || got.msg.state.code == 21));
            CHECK(f.mounts.size() == 0);
        }
    }
}

TEST_CASE("paused, in a batch and with a view, all at once", "[hub][client][items]") {
    PortFixture f;
    RawConsumer c = f.loggedIn();
    const auto fieldsOf = [](const Received& got) {
        std::vector<int> ids;
        codec::FieldListDecoder list;
        REQUIRE(list.start(got.msg.payload).ok());
        for (codec::FieldEntry e; list.next(e);)
            ids.push_back(e.fieldId);
        return ids;
    };
    const auto update = [&f](const char* name) {
        f.locked([&] {
            f.update(*f.item(name));
            return 0;
        });
    };
    Elements e;
    e.names({"A", "B"}).view({25});
    Msg opening = batch(10, e);
    opening.flags |= RequestFlag::view | RequestFlag::pause;
    c.send(opening);
    for (const std::int32_t stream : {11, 12}) {
        const Received got = c.next();
        checkState(got, stream, StreamState::open, ok);
        CHECK(fieldsOf(got) == std::vector<int>{25});
    }
    checkState(c.next(), 10, StreamState::closed, ok);
    update("A");
    update("B");
    CHECK(PortFixture::silent(c));

    // Resumed in a batch on a stream of its items, with another view for both: what they missed comes in it.
    Elements resumed;
    resumed.streams({11, 12}).view({22});
    Msg m = batch(11, resumed);
    m.flags |= RequestFlag::view | RequestFlag::noRefresh;
    c.send(m);
    for (const std::int32_t stream : {11, 12}) {
        const Received got = c.next();
        CHECK(got.msg.cls == MsgClass::Refresh);
        CHECK_FALSE(got.msg.has(RefreshFlag::solicited));
        CHECK(got.msg.streamId == stream);
        CHECK(fieldsOf(got) == std::vector<int>{22});
    }
    update("A");
    const Received after = c.next();
    CHECK(after.msg.cls == MsgClass::Update);
    CHECK(after.msg.streamId == 11);
    CHECK(fieldsOf(after) == std::vector<int>{22});

    // Paused again by its own stream, without a view: nothing comes, and the resume brings all fields.
    Msg alone = request(12, "B");
    alone.flags |= RequestFlag::pause | RequestFlag::noRefresh;
    c.send(alone);
    CHECK(PortFixture::silent(c));
    update("B");
    CHECK(PortFixture::silent(c));
    alone.flags &= static_cast<std::uint16_t>(~RequestFlag::pause);
    c.send(alone);
    const Received whole = c.next();
    CHECK(whole.msg.streamId == 12);
    CHECK(fieldsOf(whole) == std::vector<int>{22, 25});
    CHECK(f.views.size() == 1);
    Elements going;
    going.streams({11, 12});
    Msg close = RawConsumer::close(12);
    close.flags = codec::CloseFlag::batch;
    going.into(close);
    c.send(close);
    checkState(c.next(), 12, StreamState::closed, ok);
    CHECK(PortFixture::silent(c));
    CHECK(f.mounts.size() == 0);
    CHECK(f.views.size() == 0);
}
