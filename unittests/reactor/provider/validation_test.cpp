// The table of session.md 5.3, row by row, with and without the switch.
#include "ProviderFixture.h"

using namespace emissary;
using namespace emissary::test;
using What = Told::What;

namespace {

/// Requests one item on stream 5 of a client; true when the application saw it.
bool accepted(ProviderFixture& f, RawConsumer& c, const codec::Msg& request) {
    const std::size_t before = f.app.told.size();
    c.send(request);
    c.send(RawConsumer::dictionaryRequest(9000, "marker"));  // always refused: everything before it is done
    Received got = c.next();
    const bool refused = got.msg.streamId == request.streamId;
    if (refused) {
        checkRefusal(got, request.streamId);
        CHECK(got.msg.isPrivate() == request.has(codec::RequestFlag::privateStream));
        got = c.next();
    }
    CHECK(got.msg.streamId == 9000);
    CHECK((f.app.told.size() > before) != refused);
    return !refused;
}

bool acceptedByNew(ProviderOptions options, const codec::Msg& request) {
    ProviderFixture f(std::move(options));
    RawConsumer c = f.loggedIn();
    return accepted(f, c, request);
}

codec::Msg withQos(codec::Msg m, codec::Qos best, std::optional<codec::Qos> worst = {}) {
    m.flags |= codec::RequestFlag::qos;
    m.qos = best;
    if (worst) {
        m.flags |= codec::RequestFlag::worstQos;
        m.worstQos = *worst;
    }
    return m;
}

}  // namespace

TEST_CASE("row 1: requests before the login", "[reactor][provider][validation]") {
    const codec::Msg item = RawConsumer::request(5, 6, "TRI.N", 1);
    SECTION("an item request is refused") {
        ProviderFixture f;
        RawConsumer c = f.connect();
        c.send(item);
        checkRefusal(c.next(), 5);
        codec::Msg privateItem = item;
        privateItem.flags |= codec::RequestFlag::privateStream;
        c.send(privateItem);
        const Received got = c.next();
        checkRefusal(got, 5);
        CHECK(got.msg.isPrivate());
        CHECK(f.app.told.empty());
        CHECK(f.app.refused.size() == 2);
    }
    SECTION("a directory request is refused") {
        ProviderFixture f;
        RawConsumer c = f.connect();
        c.send(RawConsumer::directoryRequest(63));
        checkRefusal(c.next(), 2);
    }
    SECTION("a login that is not answered yet is no login") {
        ProviderFixture f;
        f.app.acceptLogins = false;
        RawConsumer c = f.connect();
        c.send(RawConsumer::loginRequest("user"));
        c.send(item);
        checkRefusal(c.next(), 5);
    }
    SECTION("with the switch both are served") {
        ProviderOptions options = ProviderFixture::defaults();
        options.acceptWithoutLogin = true;
        ProviderFixture f(std::move(options));
        RawConsumer c = f.connect();
        CHECK(accepted(f, c, item));
        c.send(RawConsumer::directoryRequest(63));
        CHECK(c.next().msg.cls == codec::MsgClass::Refresh);
    }
}

TEST_CASE("row 2: unknown service", "[reactor][provider][validation]") {
    CHECK_FALSE(acceptedByNew(ProviderFixture::defaults(), RawConsumer::request(5, 6, "TRI.N", 99)));
    CHECK(acceptedByNew(ProviderFixture::defaults(), RawConsumer::request(5, 6, "TRI.N", 1)));
    CHECK(acceptedByNew(ProviderFixture::defaults(), RawConsumer::request(5, 6, "no service")));
}

TEST_CASE("row 3: service not accepting requests", "[reactor][provider][validation]") {
    const codec::Msg item = RawConsumer::request(5, 6, "TRI.N", 2);
    ProviderOptions options = ProviderFixture::defaults();
    CHECK_FALSE(acceptedByNew(options, item));
    SECTION("with the switch") {
        options.acceptWithoutAcceptingRequests = true;
        CHECK(acceptedByNew(options, item));
    }
    SECTION("a directory of the application is not looked at") {
        options.directoryByUser = true;
        CHECK(acceptedByNew(options, item));
    }
}

TEST_CASE("row 4: quality of service", "[reactor][provider][validation]") {
    const codec::Qos real{1, 1, false, 0, 0}, late{2, 2, false, 0, 0}, other{3, 1, false, 10, 0};
    ProviderOptions options = ProviderFixture::defaults();
    options.acceptWithoutAcceptingRequests = true;
    const codec::Msg item = RawConsumer::request(5, 6, "TRI.N", 1), noRange = RawConsumer::request(5, 6, "TRI.N", 2);
    CHECK(acceptedByNew(options, withQos(item, real)));
    CHECK(acceptedByNew(options, withQos(item, late)));
    CHECK(acceptedByNew(options, withQos(item, real, late)));
    CHECK_FALSE(acceptedByNew(options, withQos(item, other)));
    CHECK_FALSE(acceptedByNew(options, withQos(noRange, real, late)));
    CHECK(acceptedByNew(options, withQos(noRange, real, real)));
    options.acceptWithoutQosInRange = true;
    CHECK(acceptedByNew(options, withQos(item, other)));
    CHECK(acceptedByNew(options, withQos(noRange, real, late)));
}

TEST_CASE("row 5: same key on another stream", "[reactor][provider][validation]") {
    const auto two = [](ProviderOptions options, codec::Msg second) {
        ProviderFixture f(std::move(options));
        RawConsumer c = f.loggedIn();
        REQUIRE(accepted(f, c, RawConsumer::request(5, 6, "TRI.N", 1)));
        const std::uint64_t first = f.app.last().event.handle;
        const bool ok = accepted(f, c, second);
        // The first is not affected.
        codec::Msg refresh = Application::refresh();
        CHECK(f.locked([&](ProviderRole& r) { return r.submit(first, refresh); }).ok());
        CHECK(c.next().msg.streamId == 5);
        return ok;
    };
    ProviderOptions options = ProviderFixture::defaults();
    codec::Msg same = RawConsumer::request(6, 6, "TRI.N", 1);
    CHECK_FALSE(two(options, same));
    SECTION("an explicit default name type is the same key") {
        same.key.flags |= codec::KeyFlag::nameType;
        same.key.nameType = 1;
        CHECK_FALSE(two(options, same));
        same.key.nameType = 2;
        CHECK(two(options, same));
    }
    SECTION("another domain, service, name or a private stream is another key") {
        codec::Msg other = same;
        other.domain = 7;
        CHECK(two(options, other));
        CHECK(two(options, RawConsumer::request(6, 6, "TRI.O", 1)));
        other = same;
        other.flags |= codec::RequestFlag::privateStream;
        CHECK(two(options, other));
    }
    SECTION("another client may have it too") {
        ProviderFixture f;
        RawConsumer a = f.loggedIn(), b = f.loggedIn();
        CHECK(accepted(f, a, same));
        CHECK(accepted(f, b, same));
    }
    SECTION("after a close it may be opened again") {
        ProviderFixture f;
        RawConsumer c = f.loggedIn();
        CHECK(accepted(f, c, RawConsumer::request(5, 6, "TRI.N", 1)));
        c.send(RawConsumer::close(5));
        f.runUntil([&] { return f.app.count(What::close) == 1; });
        CHECK(accepted(f, c, same));
    }
    SECTION("with the switch") {
        options.acceptSameKeyOnOtherStream = true;
        CHECK(two(options, same));
    }
    SECTION("batches are handed over whole to an application that offers them") {
        ProviderFixture f;
        f.app.batches = 1;
        RawConsumer c = f.loggedIn();
        codec::Msg batch = RawConsumer::request(5, 6, {}, 1);
        batch.flags |= codec::RequestFlag::batch;
        CHECK(accepted(f, c, batch));
        batch.streamId = 20;
        CHECK(accepted(f, c, batch));
        CHECK(f.app.last().msg.has(codec::RequestFlag::batch));
    }
}

TEST_CASE("row 6: reissue with another service", "[reactor][provider][validation]") {
    ProviderOptions options = ProviderFixture::defaults();
    options.acceptWithoutAcceptingRequests = true;
    SECTION("is refused, and the application is told that the item is closed") {
        ProviderFixture f(options);
        RawConsumer c = f.loggedIn();
        REQUIRE(accepted(f, c, RawConsumer::request(5, 6, "TRI.N", 1)));
        const std::uint64_t handle = f.app.last().event.handle;
        c.send(RawConsumer::request(5, 6, "TRI.N", 2));
        checkRefusal(c.next(), 5);
        REQUIRE(f.app.count(What::close) == 1);
        CHECK(f.app.last().event.handle == handle);
        CHECK(f.app.count(What::reissue) == 0);
        codec::Msg update = Application::update();
        CHECK(f.locked([&](ProviderRole& r) { return r.submit(handle, update); }).fault == SubmitFault::unknownHandle);
    }
    SECTION("with the switch it is a reissue") {
        options.acceptServiceChange = true;
        ProviderFixture f(options);
        RawConsumer c = f.loggedIn();
        REQUIRE(accepted(f, c, RawConsumer::request(5, 6, "TRI.N", 1)));
        REQUIRE(accepted(f, c, RawConsumer::request(5, 6, "TRI.N", 2)));
        CHECK(f.app.last().what == What::reissue);
    }
}

TEST_CASE("row 7: directory request without Info and State", "[reactor][provider][validation]") {
    ProviderOptions options = ProviderFixture::defaults();
    {
        ProviderFixture f(options);
        RawConsumer c = f.loggedIn();
        for (const std::uint32_t filter : {0u, 1u, 2u, 60u}) {
            c.send(RawConsumer::directoryRequest(filter));
            checkRefusal(c.next(), 2);
        }
        c.send(RawConsumer::directoryRequest(3));
        CHECK(c.next().msg.cls == codec::MsgClass::Refresh);
    }
    options.acceptDirectoryWithoutMinFilters = true;
    ProviderFixture f(options);
    RawConsumer c = f.loggedIn();
    c.send(RawConsumer::directoryRequest(2));
    const Received got = c.next();
    CHECK(got.msg.cls == codec::MsgClass::Refresh);
    CHECK(got.msg.key.filter == 2);
}

TEST_CASE("row 8: unexpected classes on unknown streams", "[reactor][provider][validation]") {
    ProviderFixture f;
    RawConsumer c = f.loggedIn();
    codec::Msg m = Application::update();
    m.streamId = 50;
    c.send(m);
    checkRefusal(c.next(), 50);
    m = Application::refresh();
    m.streamId = 51;
    m.domain = 7;
    c.send(m);
    const Received got = c.next();
    checkRefusal(got, 51);
    CHECK(got.msg.domain == 7);
    SECTION("stream ids that a client must not choose") {
        c.send(RawConsumer::request(0, 6, "A", 1));
        checkRefusal(c.next(), 0);
        c.send(RawConsumer::request(-3, 6, "A", 1));
        checkRefusal(c.next(), -3);
    }
}

TEST_CASE("states that are none cost their message, whatever it is", "[reactor][provider][validation]") {
    ProviderFixture f;
    RawConsumer c = f.loggedIn();
    std::size_t sent = 0;
    for (int state = 0; state < 256; ++state) {
        const auto stream = static_cast<std::uint8_t>(state >> 3), data = static_cast<std::uint8_t>(state & 7);
        if (stream <= codec::StreamState::redirected && data <= codec::DataState::suspect) continue;
        codec::Msg m;
        m.cls = state % 2 == 0 && stream != 0 ? codec::MsgClass::Status : codec::MsgClass::Refresh;
        m.domain = 1;
        m.streamId = 1;
        m.flags = m.cls == codec::MsgClass::Status ? codec::StatusFlag::state : codec::RefreshFlag::complete;
        static constexpr std::byte kGroup[2] = {};
        if (m.cls == codec::MsgClass::Refresh) m.groupId = kGroup;
        m.state = {stream, data, 0, {}};
        c.send(m);
        ++sent;
    }
    c.send(RawConsumer::request(5, 6, "TRI.N", 1));
    f.runUntil([&] { return f.app.told.size() == 2; });
    CHECK(std::ranges::count_if(f.app.refused, [](const std::string& text) {
              return text.find("is none that there is") != text.npos;
          }) == static_cast<std::ptrdiff_t>(sent));
    CHECK(f.app.told.size() == 2);  // the login, and the item
}
