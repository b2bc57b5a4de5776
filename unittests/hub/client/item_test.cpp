// Item requests: every check and its order, reissues, private streams, closes, posts.
#include "fixture.h"
#include "requests.h"

#include "reactor/metrics/Snapshot.h"

#include "eta/codec/encoders.h"

using namespace emissary;
using namespace emissary::test;
using codec::DataState::ok;
using codec::DataState::suspect;
namespace StreamState = codec::StreamState;

namespace {

struct Row {
    const char* what;
    std::function<void(Msg&)> change;
    Reason reason;
    std::uint8_t stream;
    int code;
};

/// Faults of a request in the order of the checks.
const std::vector<Row>& rows() {
    static const std::vector<Row> all{
        {"domain 127 without PRIVATE", [](Msg& m) { m.domain = 127; }, Reason::domain, StreamState::closed, 5},
        {"no service", [](Msg& m) { m.key.flags &= static_cast<std::uint16_t>(~codec::KeyFlag::serviceId); },
         Reason::key, StreamState::closed, 5},
        {"no name", [](Msg& m) { m.key.flags &= static_cast<std::uint16_t>(~codec::KeyFlag::name); }, Reason::key,
         StreamState::closed, 5},
        {"unknown service", [](Msg& m) { m.key.serviceId = 77; }, Reason::serviceUnknown, StreamState::closed, 15},
        {"domain", [](Msg& m) { m.domain = 8; }, Reason::capability, StreamState::closed, 5},
        {"QoS",
         [](Msg& m) {
             m.flags |= RequestFlag::qos;
             m.qos = {1, 2, false, 0, 0};
         },
         Reason::qos, StreamState::closedRecover, 0},
        {"tunnel that is not private", [](Msg& m) { m.flags |= RequestFlag::qualified; }, Reason::privateStream,
         StreamState::closed, 5},
        {"view", [](Msg& m) { m.flags |= RequestFlag::view; }, Reason::view, StreamState::closed, 21},
    };
    return all;
}

}  // namespace

TEST_CASE("each check of a request refuses with its state and code, and the first fault counts",
          "[hub][client][items]") {
    PortFixture f;
    // With two services and no DefaultService a request has to name one.
    f.locked([&] {
        f.port->services().onServiceAdded(f.add("OTHER", 4));
        return 0;
    });
    RawConsumer c = f.loggedIn();
    for (std::size_t i = 0; i < rows().size(); ++i) {
        const Row& row = rows()[i];
        INFO(row.what);
        // With this fault and all that are checked later and can stand beside it.
        for (const bool others : {false, true}) {
            Msg m = request();
            for (std::size_t later = rows().size(); others && --later > i;)
                if (rows()[later].reason != Reason::capability || row.reason != Reason::domain) rows()[later].change(m);
            row.change(m);
            const std::uint64_t before = f.port->counts().refused[row.reason].requests;
            c.send(m);
            const Received got = c.next();
            CHECK(got.msg.cls == MsgClass::Status);
            checkState(got, 5, row.stream, suspect, row.code);
            CHECK_FALSE(got.msg.hasKey());
            CHECK_FALSE(got.stateText().empty());
            CHECK(f.port->counts().refused[row.reason].requests == before + 1);
        }
    }
    CHECK(f.feed().counts.refused.requests > 0);
    CHECK(f.feed().counts.taken.requests == 0);
    CHECK(f.items.size() == 0);
    CHECK(f.mounts.size() == 0);
    CHECK(f.views.size() == 0);
    CHECK(f.asked.empty());
    CHECK_FALSE(f.lines.empty());
}

TEST_CASE("a client that is refused again and again does not fill the log", "[hub][client][items]") {
    PortFixture f;
    RawConsumer c = f.loggedIn();
    f.lines.clear();
    for (int i = 0; i < 100; ++i) {
        c.send(RawConsumer::request(5, 6, "A\x1b[2J", 99));
        CHECK(c.next().msg.cls == MsgClass::Status);
    }
    CHECK(f.lines.size() == 19);  // the login was the first of 20
    for (const std::string& line : f.lines)
        CHECK(line.find("\\x1B[2J") != std::string::npos);
    f.lines.clear();
    f.clock.advance(std::chrono::seconds(11));
    f.runUntil([&] { return !f.lines.empty(); });
    CHECK(f.lines == std::vector<std::string>{"81 lines on clients were left out"});
}

TEST_CASE("QoS is matched as session.md 4.1 says", "[hub][client][items]") {
    PortFixture f;
    RawConsumer c = f.loggedIn();
    Msg m = request();
    m.flags |= RequestFlag::qos;
    m.qos = {2, 2, false, 0, 0};
    c.send(m);
    CHECK(c.next().msg.cls == MsgClass::Refresh);
    m.streamId = 6;
    m.flags |= RequestFlag::worstQos;
    m.qos = {1, 1, false, 0, 0};
    m.worstQos = {2, 3, false, 0, 65535};
    c.send(m);
    CHECK(c.next().msg.cls == MsgClass::Refresh);
    m.streamId = 7;
    m.qos = {2, 1, false, 0, 0};
    m.worstQos = {2, 1, false, 0, 0};
    c.send(m);
    checkState(c.next(), 7, StreamState::closedRecover, suspect);
}

TEST_CASE("a service that is down: who recovers himself is told so, others wait", "[hub][client][items]") {
    PortFixture f;
    f.feed().merged.state.up = false;
    f.serves = false;
    RawConsumer waiting = f.loggedIn();
    rdm::LoginAttributes a;
    a.singleOpen = 0;
    RawConsumer other = f.loggedIn("erik", a);
    waiting.send(request());
    checkState(waiting.next(), 5, StreamState::open, suspect);
    CHECK(PortFixture::silent(waiting));
    CHECK(f.takeAsked() == std::vector<std::string>{"wanted IBM"});
    other.send(request());
    checkState(other.next(), 5, StreamState::closedRecover, suspect);
    Msg m = request(6);
    m.flags |= RequestFlag::privateStream;
    waiting.send(m);
    const Received refused = waiting.next();
    checkState(refused, 6, StreamState::closedRecover, suspect);
    CHECK(refused.msg.has(codec::StatusFlag::privateStream));
    f.locked([&] {
        flow::ItemLife::apply(*f.item("IBM"), flow::Event::requested);
        f.refresh(*f.item("IBM"));
        return 0;
    });
    CHECK(waiting.next().msg.cls == MsgClass::Refresh);
}

TEST_CASE("requests that name no service wait for the default one", "[hub][client][items]") {
    ClientOptions options = PortFixture::defaults();
    ListenerSettings listener = PortFixture::rwf();
    listener.defaultService = "LATER";
    const auto unnamed = [](std::int32_t stream, std::string_view name = "IBM") {
        return RawConsumer::request(stream, 6, name);
    };
    const auto comes = [](PortFixture& f, std::string_view name = "LATER", std::uint16_t id = 9) {
        f.locked([&] {
            Service& s = f.add(name, id);
            s.policy.cache.rule = CachePolicy::Rule::all;
            f.port->services().onServiceAdded(s);
            return 0;
        });
    };
    SECTION("and are served when it comes, in a batch and with a view too") {
        PortFixture f(options, listener);
        RawConsumer c = f.loggedIn();
        c.send(unnamed(5));
        const Received told = c.next();
        checkState(told, 5, StreamState::open, suspect);
        CHECK(told.stateText() == "Service not up yet.");
        Msg batch = unnamed(10, "");
        batch.flags |= RequestFlag::batch | RequestFlag::view;
        Elements e;
        e.names({"A", "B"}).view({22}).into(batch);
        c.send(batch);
        checkState(c.next(), 11, StreamState::open, suspect);
        checkState(c.next(), 12, StreamState::open, suspect);
        checkState(c.next(), 10, StreamState::closed, ok);
        CHECK(f.views.size() == 1);
        CHECK(f.takeAsked().empty());
        comes(f, "OTHER", 8);
        f.turn();
        CHECK(PortFixture::silent(c));
        comes(f);
        for (const std::int32_t stream : {5, 11, 12}) {
            const Received got = c.next();
            CHECK(got.msg.cls == MsgClass::Refresh);
            CHECK(got.msg.streamId == stream);
        }
        CHECK(f.item("A", 6, 9) != nullptr);
        CHECK(f.port->counts().of.requests == 3);
        for (const std::int32_t stream : {5, 11, 12})
            c.send(RawConsumer::close(stream));
        f.runUntil([&] { return f.mounts.size() == 0; });
        CHECK(f.views.size() == 0);
        CHECK(f.client().keyBytes == 0);
    }
    SECTION("the only service is the default where none was named") {
        listener.defaultService.clear();
        PortFixture f(options, listener);
        f.locked([&] {
            f.services.remove(f.feed());
            f.port->services().onServiceDeleted(3);
            return 0;
        });
        RawConsumer c = f.loggedIn();
        c.send(unnamed(5));
        checkState(c.next(), 5, StreamState::open, suspect);
        comes(f);
        CHECK(c.next().msg.cls == MsgClass::Refresh);
    }
    SECTION("a request that is closed, replaced or whose client goes waits no more") {
        PortFixture f(options, listener);
        RawConsumer c = f.loggedIn();
        {
            RawConsumer gone = f.loggedIn("erik");
            gone.send(unnamed(5, "GONE"));
            checkState(gone.next(), 5, StreamState::open, suspect);
        }
        f.runUntil([&] { return f.gone.size() == 1; });
        c.send(unnamed(5, "CLOSED"));
        checkState(c.next(), 5, StreamState::open, suspect);
        c.send(RawConsumer::close(5));
        c.send(unnamed(6, "FIRST"));
        checkState(c.next(), 6, StreamState::open, suspect);
        c.send(unnamed(6, "SECOND"));
        checkState(c.next(), 6, StreamState::open, suspect);
        comes(f);
        CHECK(c.next().msg.streamId == 6);
        CHECK(PortFixture::silent(c));
        CHECK(f.takeAsked() == std::vector<std::string>{"wanted SECOND"});
    }
    SECTION("not where the client recovers itself, and not on private streams") {
        PortFixture f(options, listener);
        rdm::LoginAttributes a;
        a.singleOpen = 0;
        RawConsumer other = f.loggedIn("erik", a);
        other.send(unnamed(5));
        checkState(other.next(), 5, StreamState::closed, suspect, 15);
        RawConsumer c = f.loggedIn();
        Msg m = unnamed(6);
        m.flags |= RequestFlag::privateStream;
        c.send(m);
        checkState(c.next(), 6, StreamState::closed, suspect, 15);
    }
    SECTION("within the limit of streams") {
        options.maxMountsPerClient = 2;
        PortFixture f(options, listener);
        RawConsumer c = f.loggedIn();
        for (const std::int32_t stream : {5, 6}) {
            c.send(unnamed(stream));
            checkState(c.next(), stream, StreamState::open, suspect);
        }
        c.send(unnamed(7));
        checkState(c.next(), 7, StreamState::closed, suspect, 13);
        comes(f);
        CHECK(c.next().msg.cls == MsgClass::Refresh);
        CHECK(c.next().msg.cls == MsgClass::Refresh);
    }
    SECTION("many, a slice in a turn") {
        PortFixture f(options, listener);
        f.serves = false;
        RawConsumer c = f.loggedIn();
        Msg batch = unnamed(10, "");
        batch.flags |= RequestFlag::batch;
        Elements e;
        std::vector<std::string> names;
        for (int i = 0; i < 5000; ++i)
            names.push_back("N" + std::to_string(i));
        e.names(names).into(batch);
        c.send(batch);
        for (int i = 0; i < 5001; ++i)
            CHECK(c.next().msg.cls == MsgClass::Status);
        comes(f);
        f.runUntil([&] { return f.mounts.size() == 5000; });
    }
}

TEST_CASE("one client may have an item on several streams; limits count streams", "[hub][client][items]") {
    ClientOptions options = PortFixture::defaults();
    SECTION("none reached") {
        PortFixture f(options);
        RawConsumer c = f.loggedIn();
        for (const std::int32_t stream : {5, 6, 7}) {
            c.send(request(stream));
            CHECK(c.next().msg.streamId == stream);
        }
        CHECK(f.item("IBM")->mountCount == 3);
        CHECK(f.port->counts().of.sameItem == 2);
        c.send(request(8, "TRI"));
        RawConsumer other = f.loggedIn("erik");
        other.send(request(8));
        CHECK(other.next().msg.streamId == 8);
        CHECK(f.port->counts().of.sameItem == 2);  // other items, and other clients, are no repetition
        CHECK(f.takeAsked().front() == "wanted IBM");
    }
    SECTION("MaxMountsPerClient") {
        options.maxMountsPerClient = 2;
        PortFixture f(options);
        RawConsumer c = f.loggedIn(), other = f.loggedIn("erik");
        for (const std::int32_t stream : {5, 6}) {
            c.send(request(stream));
            CHECK(c.next().msg.cls == MsgClass::Refresh);
        }
        c.send(request(7));
        checkState(c.next(), 7, StreamState::closed, suspect, 13);
        other.send(request(7));
        CHECK(other.next().msg.cls == MsgClass::Refresh);
        c.send(RawConsumer::close(5));
        c.send(request(7));
        CHECK(c.next().msg.cls == MsgClass::Refresh);
    }
    SECTION("MaxMountsPerUser") {
        options.maxMountsPerUser = 2;
        PortFixture f(options);
        RawConsumer one = f.loggedIn(), two = f.loggedIn(), other = f.loggedIn("erik");
        one.send(request(5));
        CHECK(one.next().msg.cls == MsgClass::Refresh);
        two.send(request(5));
        CHECK(two.next().msg.cls == MsgClass::Refresh);
        two.send(request(6));
        checkState(two.next(), 6, StreamState::closed, suspect, 27);
        CHECK(f.loop.metrics().value("emissary_hub_limit_refusals_total") == 1);
        CHECK(f.feed().counts.taken.requests == 2);
        other.send(request(6));
        CHECK(other.next().msg.cls == MsgClass::Refresh);
    }
    SECTION("MaxItems of the service") {
        PortFixture f(options);
        f.feed().policy.maxItems = 1;
        RawConsumer c = f.loggedIn();
        c.send(request(5));
        CHECK(c.next().msg.cls == MsgClass::Refresh);
        Msg m = request(6, "TRI");
        m.flags |= RequestFlag::view;
        Elements e;
        e.view({22});
        e.into(m);
        c.send(m);
        checkState(c.next(), 6, StreamState::closedRecover, suspect, 13);
        CHECK(f.views.size() == 0);
    }
}

TEST_CASE("reissues change what may change, and end the stream otherwise", "[hub][client][items]") {
    PortFixture f;
    RawConsumer c = f.loggedIn();
    c.send(request());
    CHECK(c.next().msg.cls == MsgClass::Refresh);
    const auto mount = [&] { return f.mounts.find(f.client(), 5); };
    SECTION("a refresh, or none") {
        c.send(request());
        CHECK(c.next().msg.has(RefreshFlag::solicited));
        Msg m = RawConsumer::request(5, 6, {});
        m.flags |= RequestFlag::noRefresh;
        c.send(m);
        CHECK(PortFixture::silent(c));
        CHECK(f.port->counts().of.reissues == 2);
    }
    SECTION("pause and resume") {
        Msg m = request();
        m.flags |= RequestFlag::pause | RequestFlag::noRefresh;
        c.send(m);
        f.runUntil([&] { return mount()->is(Mount::paused); });
        f.locked([&] {
            f.update(*f.item("IBM"));
            return 0;
        });
        CHECK(PortFixture::silent(c));
        m = request();
        m.flags |= RequestFlag::noRefresh;
        c.send(m);
        CHECK_FALSE(c.next().msg.has(RefreshFlag::solicited));
        CHECK_FALSE(mount()->is(Mount::paused));
    }
    SECTION("views: another one, the same, none") {
        Msg m = request();
        m.flags |= RequestFlag::view | RequestFlag::noRefresh;
        Elements e;
        e.view({25, 22, 25});
        e.into(m);
        c.send(m);
        f.runUntil([&] { return mount()->view != 0; });
        CHECK(f.views[mount()->view].fields == std::vector<std::int16_t>{22, 25});
        const std::uint16_t number = mount()->view;
        Msg keep = request();
        keep.flags |= RequestFlag::view | RequestFlag::noRefresh;
        c.send(keep);
        CHECK(PortFixture::silent(c));
        CHECK(mount()->view == number);
        Msg none = request();
        none.flags |= RequestFlag::noRefresh;
        c.send(none);
        f.runUntil([&] { return mount()->view == 0; });
        CHECK(f.views.size() == 0);
    }
    SECTION("the key in updates, and none again") {
        const auto updated = [&] {
            f.locked([&] {
                f.update(*f.item("IBM"));
                return 0;
            });
            Received got = c.next();
            CHECK(got.msg.cls == MsgClass::Update);
            return got;
        };
        CHECK_FALSE(updated().msg.hasKey());
        Msg m = request();
        m.flags |= RequestFlag::noRefresh | RequestFlag::msgKeyInUpdates;
        c.send(m);
        CHECK(PortFixture::silent(c));
        const Received named = updated();
        CHECK(named.name() == "IBM");
        CHECK(named.msg.key.serviceId == 3);
        m.flags = RequestFlag::streaming | RequestFlag::noRefresh | RequestFlag::confInfoInUpdates;
        c.send(m);
        CHECK(PortFixture::silent(c));
        CHECK_FALSE(updated().msg.hasKey());
        CHECK(mount()->is(Mount::confInfo));
    }
    SECTION("a view that makes no sense ends the stream") {
        Msg m = request();
        m.flags |= RequestFlag::view;
        Elements e;
        e.uint(":ViewType", 3);
        e.into(m);
        c.send(m);
        checkState(c.next(), 5, StreamState::closed, suspect, 21);
        CHECK(f.mounts.size() == 0);
    }
    SECTION("another item, service, domain or kind") {
        const auto change = GENERATE(0, 1, 2, 3, 4);
        Msg m = request();
        if (change == 0) m = request(5, "TRI");
        if (change == 1) m.key.serviceId = 9;
        if (change == 2) m.domain = 7;
        if (change == 3) m.flags |= RequestFlag::privateStream;
        if (change == 4) m.domain = 4;  // the directory's, on the stream of an item
        INFO(change);
        c.send(m);
        checkState(c.next(), 5, StreamState::closedRecover, suspect, 5);
        CHECK(f.mounts.size() == 0);
        CHECK(f.takeAsked().back() == "unwanted IBM");
        c.send(request());
        CHECK(c.next().msg.cls == MsgClass::Refresh);
    }
}

TEST_CASE("snapshots, NO_REFRESH and closes", "[hub][client][items]") {
    PortFixture f;
    RawConsumer c = f.loggedIn();
    Msg m = request();
    m.flags = 0;
    c.send(m);
    checkState(c.next(), 5, StreamState::nonStreaming, ok);
    CHECK(f.mounts.size() == 0);
    c.send(request());
    CHECK(c.next().msg.cls == MsgClass::Refresh);
    Msg quiet = request(6);
    quiet.flags |= RequestFlag::noRefresh;
    c.send(quiet);
    CHECK(PortFixture::silent(c));
    f.locked([&] {
        f.update(*f.item("IBM"));
        return 0;
    });
    CHECK(c.next().msg.cls == MsgClass::Update);
    CHECK(c.next().msg.cls == MsgClass::Update);

    Msg close = RawConsumer::close(6);
    close.flags = codec::CloseFlag::ack;
    c.send(close);
    const Received ack = c.next();
    CHECK(ack.msg.cls == MsgClass::Ack);
    CHECK(ack.msg.streamId == 6);
    CHECK(ack.msg.ackId == 6);
    c.send(RawConsumer::close(5));
    c.send(RawConsumer::close(5));  // nothing is there any more
    CHECK(PortFixture::silent(c));
    CHECK(f.mounts.size() == 0);
    CHECK(f.port->counts().of.closes == 2);
    CHECK(f.port->counts().of.ignored == 1);
}

TEST_CASE("private streams go to the source and are nobody else's", "[hub][client][items]") {
    ClientOptions options = PortFixture::defaults();
    options.allowTunnels = GENERATE(true, false);
    PortFixture f(options);
    f.answers = false;
    RawConsumer c = f.loggedIn();
    Msg m = request();
    m.flags |= RequestFlag::privateStream;
    c.send(m);
    m.streamId = 6;
    c.send(m);
    f.runUntil([&] { return f.asked.size() == 2; });
    CHECK(f.items.size() == 2);
    CHECK(f.item("IBM") == nullptr);
    CHECK(f.mounts.itemOf(f.client(), 5)->is(Item::isPrivate));
    CHECK_FALSE(f.mounts.itemOf(f.client(), 5)->extras->request.empty());
    m.streamId = 7;
    m.domain = 127;
    m.flags |= RequestFlag::qualified;
    c.send(m);
    if (options.allowTunnels) {
        f.runUntil([&] { return f.asked.size() == 3; });
        CHECK(f.mounts.itemOf(f.client(), 7)->is(Item::qualified));
    } else {
        const Received got = c.next();
        checkState(got, 7, StreamState::closed, suspect, 5);
        CHECK(got.msg.has(codec::StatusFlag::privateStream));
        CHECK(got.msg.has(codec::StatusFlag::qualified));
    }
    f.feed().published = true;
    m = request(8);
    m.flags |= RequestFlag::privateStream;
    c.send(m);
    checkState(c.next(), 8, StreamState::closed, suspect, 5);
}

TEST_CASE("symbol lists are items; streams on their names are the client's to open", "[hub][client][items]") {
    PortFixture f;
    f.answers = false;
    RawConsumer c = f.loggedIn();
    const auto behaviors = [&](std::uint64_t bits) {
        Msg m = RawConsumer::request(5, 10, "LIST", std::uint16_t{3});
        reactor::GrowingBuffer buffer;
        codec::ElementListEncoder list;
        list.begin(buffer.start());
        list.beginElement(":SymbolListBehaviors", codec::DataType::ElementList);
        codec::ElementListEncoder inner;
        inner.begin(list.writer());
        inner.addUInt(":DataStreams", bits);
        REQUIRE(inner.complete().ok());
        list.endElement();
        REQUIRE(list.complete().ok());
        m.containerType = codec::DataType::ElementList;
        m.payload = buffer.view();
        c.send(m);
    };
    for (const std::uint64_t bits : {1u, 2u, 3u}) {
        behaviors(bits);
        checkState(c.next(), 5, StreamState::closed, suspect, 5);
    }
    behaviors(0);
    f.runUntil([&] { return f.asked.size() == 1; });
    CHECK(f.item("LIST", 10) != nullptr);
}

TEST_CASE("posts and generic messages are handed on with the item they are about", "[hub][client][items]") {
    PortFixture f;
    RawConsumer c = f.loggedIn();
    c.send(request());
    (void)c.next();
    c.send(RawConsumer::directoryRequest(3));
    (void)c.next();
    const auto send = [&](MsgClass cls, std::int32_t stream, std::uint8_t domain, std::string_view name = {}) {
        Msg m;
        m.cls = cls;
        m.streamId = stream;
        m.domain = domain;
        if (cls == MsgClass::Post) m.flags = codec::PostFlag::postId | codec::PostFlag::complete;
        m.postId = 7;
        if (!name.empty()) {
            m.flags |= codec::GenericFlag::msgKey;
            m.key.flags = codec::KeyFlag::name;
            m.key.name = eta::asBytes(name);
        }
        c.send(m);
    };
    send(MsgClass::Post, 5, 6);
    send(MsgClass::Post, 1, 6);
    send(MsgClass::Generic, 5, 8);
    send(MsgClass::Generic, 1, 6, "x");
    send(MsgClass::Generic, 2, 4, "x");
    send(MsgClass::Generic, 2, 4, "ConsumerStatus");
    send(MsgClass::Post, 2, 4);
    send(MsgClass::Post, 77, 6);
    send(MsgClass::Generic, 77, 6);
    CHECK(PortFixture::silent(c));
    // Posts on streams that are none of an item or a login go there as well, to be refused.
    CHECK(f.posts == std::vector<std::string>{"dana IBM 7", "dana off-stream 7", "dana IBM generic of 8",
                                              "dana admin generic of 6", "dana admin generic of 4", "dana off-stream 7",
                                              "dana off-stream 7"});
    CHECK(f.port->counts().of.ignored == 1);
}
