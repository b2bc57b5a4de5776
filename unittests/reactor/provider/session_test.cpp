// Logins, closes, ends of connections.
#include "ProviderFixture.h"

using namespace emissary;
using namespace emissary::test;
using What = Told::What;

TEST_CASE("login", "[reactor][provider]") {
    ProviderFixture f;
    SECTION("reaches the application, whose refresh admits the client") {
        RawConsumer c = f.connect();
        c.send(RawConsumer::loginRequest("user"));
        const Received got = c.next();
        CHECK(got.msg.streamId == 1);
        CHECK(got.name() == "user");
        CHECK(got.msg.state.stream == codec::StreamState::open);
        REQUIRE(f.app.told.size() == 1);
        CHECK(f.app.last().what == What::request);
        CHECK(f.app.last().event.handle != 0);
        CHECK(f.app.last().event.clientHandle != 0);
        c.send(RawConsumer::request(5, 6, "TRI.N", 1));
        f.runUntil([&] { return f.app.told.size() == 2; });
        CHECK(f.app.last().event.handle != f.app.told[0].event.handle);
        CHECK(f.app.last().event.clientHandle == f.app.told[0].event.clientHandle);
    }
    SECTION("refused with a final status: sent, then the connection ends without onClose") {
        f.app.acceptLogins = false;
        RawConsumer c = f.connect();
        c.send(RawConsumer::loginRequest("user"));
        f.runUntil([&] { return !f.app.told.empty(); });
        const std::uint64_t handle = f.app.last().event.handle;
        codec::Msg status = Application::status(codec::StreamState::closed);
        CHECK(f.locked([&](ProviderRole& r) { return r.submit(handle, status); }).ok());
        const Received got = c.next();
        CHECK(got.msg.cls == codec::MsgClass::Status);
        CHECK(got.msg.domain == 1);
        CHECK(got.msg.state.stream == codec::StreamState::closed);
        CHECK(c.waitClosed());
        CHECK(f.app.count(What::close) == 0);
        CHECK(f.locked([&](ProviderRole& r) { return r.submit(handle, status); }).fault == SubmitFault::unknownHandle);
    }
    SECTION("a second login on another stream is refused, the first lives on") {
        RawConsumer c = f.loggedIn();
        codec::Msg second = RawConsumer::loginRequest("user");
        second.streamId = 7;
        c.send(second);
        checkRefusal(c.next(), 7);
        CHECK(c.silent());
    }
    SECTION("again on the same stream is a reissue") {
        RawConsumer c = f.loggedIn();
        codec::Msg pause = RawConsumer::loginRequest("user");
        pause.flags |= codec::RequestFlag::pause | codec::RequestFlag::noRefresh;
        c.send(pause);
        f.runUntil([&] { return f.app.count(What::reissue) == 1; });
        CHECK(f.app.last().event.handle == f.app.told[0].event.handle);
        CHECK(f.app.last().msg.has(codec::RequestFlag::pause));
    }
    SECTION("by token: no text for people shows it") {
        RawConsumer c = f.connect();
        codec::Msg byToken = RawConsumer::loginRequest("secret");
        byToken.key.flags |= codec::KeyFlag::nameType;
        byToken.key.nameType = GENERATE(std::uint8_t{3}, std::uint8_t{4}, std::uint8_t{5});
        c.send(byToken);
        f.runUntil([&] { return !f.app.told.empty(); });
        const std::uint64_t handle = f.app.last().event.handle;
        CHECK(f.locked([&](ProviderRole& r) { return r.describe(handle); }) == "(stream 1, domain 1)");
    }
    SECTION("again on the same stream, for another user, is refused and ends it") {
        RawConsumer c = f.loggedIn();
        codec::Msg other = RawConsumer::loginRequest("someone else");
        SECTION("by name") {}
        SECTION("without a refresh") {
            other.flags |= codec::RequestFlag::noRefresh;
        }
        SECTION("by name type") {
            other = RawConsumer::loginRequest("user");
            other.key.flags |= codec::KeyFlag::nameType;
            other.key.nameType = reactor::rdm::LoginNameType::email;
        }
        c.send(other);
        const Received end = c.next();
        CHECK(end.msg.cls == codec::MsgClass::Status);
        CHECK(end.msg.streamId == 1);
        CHECK(end.msg.state.stream == codec::StreamState::closed);
        f.runUntil([&] { return f.app.count(What::close) == 1; });
        CHECK(f.app.count(What::reissue) == 0);
    }
    SECTION("without a name is refused") {
        RawConsumer c = f.connect();
        c.send(RawConsumer::request(1, 1, {}));
        checkRefusal(c.next(), 1);
    }
}

TEST_CASE("the end of a session", "[reactor][provider]") {
    ProviderFixture f;
    RawConsumer c = f.loggedIn();
    c.send(RawConsumer::request(5, 6, "A", 1));
    c.send(RawConsumer::request(6, 6, "B", 1));
    f.runUntil([&] { return f.app.told.size() == 3; });
    const StreamEvent login = f.app.told[0].event, item = f.app.told[1].event;
    const auto onlyLoginClosed = [&] {
        f.runUntil([&] { return f.app.count(What::close) == 1; });
        const Told& closed = f.app.last();
        CHECK(closed.event.handle == login.handle);
        CHECK(closed.event.clientHandle == login.clientHandle);
        CHECK(closed.msg.domain == 1);
        CHECK(closed.msg.has(codec::RequestFlag::noRefresh));
        CHECK_FALSE(closed.msg.has(codec::RequestFlag::streaming));
        CHECK(closed.name == "user");
        codec::Msg update = Application::update();
        CHECK(f.locked([&](ProviderRole& r) { return r.submit(item.handle, update); }).fault ==
              SubmitFault::unknownHandle);
        CHECK(f.role->openStreams() == 0);
    };
    SECTION("connection lost") {
        c.disconnect();
        onlyLoginClosed();
        CHECK(f.role->clients().empty());
    }
    SECTION("client killed in the middle of a message") {
        c.dieMidMessage();
        onlyLoginClosed();
    }
    SECTION("login closed") {
        c.send(RawConsumer::close(1, 1));
        onlyLoginClosed();
        CHECK(f.role->clients().size() == 1);  // closing the connection is the client's turn
    }
    SECTION("closed by the application") {
        CHECK(f.locked([&](ProviderRole& r) { return r.closeClient(login.clientHandle); }));
        CHECK(c.waitClosed());
        onlyLoginClosed();
        CHECK_FALSE(f.locked([&](ProviderRole& r) { return r.closeClient(login.clientHandle); }));
    }
    SECTION("closed by the application inside a callback") {
        f.app.answer = [&](const StreamEvent& e, const codec::Msg&) { CHECK(f.role->closeClient(e.clientHandle)); };
        c.send(RawConsumer::request(7, 6, "C", 1));
        c.send(RawConsumer::request(8, 6, "D", 1));
        CHECK(c.waitClosed());
        f.runUntil([&] { return f.app.count(What::close) == 1; });
        CHECK(f.role->openStreams() == 0);
    }
    SECTION("a message that cannot be decoded") {
        const std::byte rubbish[] = {std::byte{0}, std::byte{9}, std::byte{0x1F}, std::byte{6}, std::byte{0}};
        c.sendBytes(rubbish);
        CHECK(c.waitClosed());
        onlyLoginClosed();
        CHECK(f.role->counters().malformed == 1);
    }
}

TEST_CASE("items of a client", "[reactor][provider]") {
    ProviderFixture f;
    RawConsumer c = f.loggedIn();
    c.send(RawConsumer::request(5, 6, "A", 1));
    f.runUntil([&] { return f.app.told.size() == 2; });
    const std::uint64_t handle = f.app.last().event.handle;
    SECTION("close reaches the application with the key of the request") {
        c.send(RawConsumer::close(5));
        f.runUntil([&] { return f.app.count(What::close) == 1; });
        CHECK(f.app.last().event.handle == handle);
        CHECK(f.app.last().name == "A");
        CHECK(f.app.last().msg.key.serviceId == 1);
        codec::Msg update = Application::update();
        CHECK(f.locked([&](ProviderRole& r) { return r.submit(handle, update); }).fault == SubmitFault::unknownHandle);
        c.send(RawConsumer::close(5));
        CHECK(c.silent());
        CHECK(f.app.count(What::close) == 1);
    }
    SECTION("the same stream again is a reissue, also without a name") {
        codec::Msg again = RawConsumer::request(5, 6, {});
        again.flags |= codec::RequestFlag::pause | codec::RequestFlag::noRefresh;
        c.send(again);
        f.runUntil([&] { return f.app.count(What::reissue) == 1; });
        CHECK(f.app.last().event.handle == handle);
    }
    SECTION("posts and generics find their handle; on unknown streams a post is refused, and a generic ignored") {
        codec::Msg post;
        post.cls = codec::MsgClass::Post;
        post.streamId = 5;
        post.flags = codec::PostFlag::postId | codec::PostFlag::ack | codec::PostFlag::complete;
        post.postId = 42;
        c.send(post);
        codec::Msg generic;
        generic.cls = codec::MsgClass::Generic;
        generic.streamId = 5;
        c.send(generic);
        generic.streamId = post.streamId = 77;
        c.send(generic);
        c.send(post);
        const Received nak = c.next();
        CHECK(nak.msg.cls == codec::MsgClass::Ack);
        CHECK(nak.msg.streamId == 77);
        CHECK(nak.msg.ackId == 42);
        CHECK(int{nak.msg.nakCode} == 11);
        post.flags = codec::PostFlag::postId | codec::PostFlag::complete;  // nobody waits for an answer
        c.send(post);
        CHECK(c.silent());
        CHECK(f.app.count(What::post) == 1);
        CHECK(f.app.count(What::generic) == 1);
        codec::Msg ack;
        ack.cls = codec::MsgClass::Ack;
        ack.ackId = 42;
        CHECK(f.locked([&](ProviderRole& r) { return r.submit(handle, ack); }).ok());
        const Received got = c.next();
        CHECK(got.msg.cls == codec::MsgClass::Ack);
        CHECK(got.msg.streamId == 5);
        CHECK(got.msg.ackId == 42);
    }
    SECTION("handles are never used twice") {
        c.send(RawConsumer::close(5));
        c.send(RawConsumer::request(5, 6, "A", 1));
        f.runUntil([&] { return f.app.count(What::request) == 3; });
        CHECK(f.app.last().event.handle != handle);
    }
}

TEST_CASE("port in use", "[reactor][provider]") {
    ProviderFixture f;
    ProviderOptions options = ProviderFixture::defaults();
    options.bind.port = std::to_string(f.role->port());
    const std::lock_guard guard(f.loop.lock());
    ProviderRole second(f.loop, std::move(options), f.app);
    const eta::Refused refused = second.listen();
    REQUIRE(refused);
    INFO(refused.text);
    CHECK(refused.text.find(std::to_string(f.role->port())) != std::string::npos);
}
