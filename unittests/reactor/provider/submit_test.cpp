// What the application submits: rules, fan-out, large messages, many clients and threads.
#include "ProviderFixture.h"

#include "support/TestPack.h"

#include <atomic>
#include <thread>

using namespace emissary;
using namespace emissary::test;

namespace {

struct OpenItem {
    ProviderFixture f;
    RawConsumer c;
    std::uint64_t handle = 0;
    explicit OpenItem(ProviderOptions options = ProviderFixture::defaults(), std::uint16_t requestFlags = 0)
        : f(std::move(options)), c(f.loggedIn()) {
        codec::Msg m = RawConsumer::request(5, 6, "TRI.N", 1);
        m.flags |= requestFlags;
        c.send(m);
        f.runUntil([&] { return f.app.told.size() == 2; });
        handle = f.app.last().event.handle;
    }
    SubmitResult submit(codec::Msg m) {
        return f.locked([&](ProviderRole& r) { return r.submit(handle, m); });
    }
};

}  // namespace

TEST_CASE("submitting to an item", "[reactor][provider]") {
    OpenItem item;
    SECTION("an update before the refresh is refused, after it is sent") {
        CHECK(item.submit(Application::update()).fault == SubmitFault::refreshFirst);
        CHECK(item.submit(Application::refresh()).ok());
        CHECK(item.submit(Application::update()).ok());
        CHECK(item.c.next().msg.cls == codec::MsgClass::Refresh);
        const Received got = item.c.next();
        CHECK(got.msg.cls == codec::MsgClass::Update);
        CHECK(got.msg.streamId == 5);
        CHECK(got.msg.domain == 6);
    }
    SECTION("an update may have optional members or none, and any size") {
        const std::vector<std::byte> big(100'000, std::byte{0x5A});
        CHECK(item.submit(Application::refresh()).ok());
        CHECK(item.c.next().msg.cls == codec::MsgClass::Refresh);
        constexpr std::size_t kSizes[] = {0, 1, 6130, 6140, 100'000};  // around that of a fragment, and many of them
        for (const std::uint16_t flags : {std::uint16_t{0}, codec::UpdateFlag::doNotRipple, codec::UpdateFlag::seqNum})
            for (const std::size_t size : kSizes) {
                CAPTURE(flags, size);
                codec::Msg m = Application::update();
                m.streamId = 77;  // the stream's own count
                m.domain = 11;
                m.flags = flags;
                m.seqNum = 3;
                m.updateType = 4;
                m.containerType = codec::DataType::Opaque;
                m.payload = Bytes(big).first(size);
                CHECK(item.submit(m).ok());
                const Received got = item.c.next();
                CHECK(got.msg.cls == codec::MsgClass::Update);
                CHECK(got.msg.streamId == 5);
                CHECK(got.msg.domain == 6);
                CHECK(got.msg.flags == flags);
                CHECK(got.msg.updateType == 4);
                CHECK(std::equal(m.payload.begin(), m.payload.end(), got.msg.payload.begin(), got.msg.payload.end()));
            }
    }
    SECTION("an update that its link does not take says for which stream it was") {
        CHECK(item.submit(Application::refresh()).ok());
        codec::Msg m = Application::update();
        const std::vector<std::byte> block(6000);
        m.containerType = codec::DataType::Opaque;
        m.payload = Bytes(block);
        SubmitResult result;
        for (int i = 0; i < 100'000 && result.ok(); ++i) {  // nobody reads
            m.domain = 11;
            result = item.f.locked([&](ProviderRole& r) { return r.submit(item.handle, m); });
        }
        CHECK(result.fault == SubmitFault::noBuffers);
        CHECK(m.domain == 6);
        CHECK(m.streamId == 5);
    }
    SECTION("final states end the handle") {
        const std::uint8_t state =
            GENERATE(codec::StreamState::closed, codec::StreamState::closedRecover, codec::StreamState::redirected);
        SECTION("in a status") {
            CHECK(item.submit(Application::status(state)).ok());
        }
        SECTION("in a refresh") {
            CHECK(item.submit(Application::refresh(state)).ok());
        }
        CHECK(item.submit(Application::refresh()).fault == SubmitFault::unknownHandle);
        CHECK(item.c.next().msg.state.stream == state);
    }
    SECTION("a snapshot ends with its last part") {
        codec::Msg part = Application::refresh(codec::StreamState::nonStreaming);
        part.flags &= static_cast<std::uint16_t>(~codec::RefreshFlag::complete);
        CHECK(item.submit(part).ok());
        CHECK(item.submit(Application::refresh(codec::StreamState::nonStreaming)).ok());
        CHECK(item.submit(Application::update()).fault == SubmitFault::unknownHandle);
    }
    SECTION("a status without a final state keeps it") {
        CHECK(item.submit(Application::status(codec::StreamState::open)).ok());
        CHECK(item.submit(Application::refresh()).ok());
    }
    SECTION("a service that the directory does not have") {
        codec::Msg m = Application::refresh();
        m.flags |= codec::RefreshFlag::msgKey;
        m.key.flags = codec::KeyFlag::serviceId;
        m.key.serviceId = 99;
        CHECK(item.submit(m).fault == SubmitFault::unknownService);
        CHECK(item.c.silent());
    }
    SECTION("classes that a provider does not send") {
        codec::Msg m;
        m.cls = codec::MsgClass::Post;
        CHECK(item.submit(m).fault == SubmitFault::notAllowed);
        m.cls = codec::MsgClass::Request;
        CHECK(item.submit(m).fault == SubmitFault::notAllowed);
    }
    SECTION("a message larger than a fragment arrives whole") {
        std::vector<std::byte> big(100'000, std::byte{0x5A});
        codec::Msg m = Application::refresh();
        m.containerType = codec::DataType::Opaque;
        m.payload = Bytes(big);
        CHECK(item.submit(m).ok());
        const Received got = item.c.next();
        CHECK(got.msg.payload.size() == big.size());
        CHECK(std::equal(big.begin(), big.end(), got.msg.payload.begin(), got.msg.payload.end()));
    }
}

TEST_CASE("rules of other domains", "[reactor][provider]") {
    OpenItem item;
    const std::uint64_t login = item.f.app.told[0].event.handle;
    const auto submit = [&](std::uint64_t handle, codec::Msg m) {
        return item.f.locked([&](ProviderRole& r) { return r.submit(handle, m); }).fault;
    };
    const auto toAll = [&](std::uint8_t domain, codec::Msg m) {
        m.domain = domain;
        return item.f.locked([&](ProviderRole& r) { return r.submitToAll(m); }).fault;
    };
    CHECK(submit(login, Application::update()) == SubmitFault::notAllowed);
    CHECK(submit(12345, Application::update()) == SubmitFault::unknownHandle);
    CHECK(toAll(1, Application::update()) == SubmitFault::notAllowed);
    CHECK(toAll(5, Application::update()) == SubmitFault::notAllowed);
    CHECK(toAll(6, Application::update()) == SubmitFault::notAllowed);
    CHECK(toAll(6, Application::refresh()) == SubmitFault::notAllowed);
    CHECK(toAll(5, Application::refresh()) == SubmitFault::badDictionary);
    codec::Msg generic;
    generic.cls = codec::MsgClass::Generic;
    CHECK(toAll(1, generic) == SubmitFault::unknownHandle);
    CHECK(submit(login, generic) == SubmitFault::none);
    CHECK(item.c.next().msg.cls == codec::MsgClass::Generic);
}

TEST_CASE("private streams", "[reactor][provider]") {
    OpenItem item(ProviderFixture::defaults(), codec::RequestFlag::privateStream);
    CHECK(item.submit(Application::refresh()).ok());
    CHECK(item.c.next().msg.isPrivate());
    CHECK(item.submit(Application::status(codec::StreamState::open)).ok());
    CHECK(item.c.next().msg.isPrivate());
}

TEST_CASE("ack ids", "[reactor][provider]") {
    ProviderOptions options = ProviderFixture::defaults();
    options.enforceAckIdValidation = true;
    OpenItem item(options);
    codec::Msg post;
    post.cls = codec::MsgClass::Post;
    post.streamId = 5;
    post.flags = codec::PostFlag::postId | codec::PostFlag::ack | codec::PostFlag::complete;
    post.postId = 7;
    item.c.send(post);
    item.f.runUntil([&] { return item.f.app.count(Told::What::post) == 1; });
    codec::Msg ack;
    ack.cls = codec::MsgClass::Ack;
    ack.ackId = 8;
    CHECK(item.submit(ack).fault == SubmitFault::unknownAck);
    ack.ackId = 7;
    CHECK(item.submit(ack).ok());
    CHECK(item.submit(ack).fault == SubmitFault::unknownAck);
    CHECK(item.c.next().msg.ackId == 7);
}

TEST_CASE("fan-out to many clients", "[reactor][provider]") {
    ProviderFixture f;
    std::vector<std::unique_ptr<RawConsumer>> clients;
    for (int i = 0; i < 40; ++i)
        clients.push_back(std::make_unique<RawConsumer>(f.loggedIn()));
    CHECK(f.role->clients().size() == 40);
    SECTION("a login status reaches each of them") {
        codec::Msg m = Application::status(codec::StreamState::open);
        m.domain = 1;
        const SubmitResult r = f.locked([&](ProviderRole& role) { return role.submitToAll(m); });
        CHECK(r.ok());
        CHECK(r.sent == 40);
        for (auto& c : clients) {
            const Received got = c->next();
            CHECK(got.msg.domain == 1);
            CHECK(got.msg.streamId == 1);
        }
    }
    SECTION("a final login status ends all connections") {
        codec::Msg m = Application::status(codec::StreamState::closed);
        m.domain = 1;
        CHECK(f.locked([&](ProviderRole& role) { return role.submitToAll(m); }).sent == 40);
        for (auto& c : clients) {
            CHECK(c->next().msg.state.stream == codec::StreamState::closed);
            CHECK(c->waitClosed());
        }
        CHECK(f.role->clients().empty());
        CHECK(f.role->openStreams() == 0);
    }
}

TEST_CASE("a full output is reported, not swallowed", "[reactor][provider]") {
    ProviderOptions options = ProviderFixture::defaults();
    options.bind.guaranteedOutputBuffers = 4;
    OpenItem item(options);
    REQUIRE(item.submit(Application::refresh()).ok());
    const std::vector<std::byte> payload(4000, std::byte{1});
    codec::Msg m = Application::update();
    m.containerType = codec::DataType::Opaque;
    m.payload = Bytes(payload);
    std::size_t sent = 0;
    SubmitResult r;
    while ((r = item.submit(m)).ok() && sent < 1'000'000)
        ++sent;
    CHECK(r.fault == SubmitFault::noBuffers);
    CHECK(item.c.next().msg.cls == codec::MsgClass::Refresh);
    for (std::size_t i = 0; i < sent; ++i)
        REQUIRE(item.c.next().msg.payload.size() == payload.size());
    CHECK(item.submit(m).ok());
}

TEST_CASE("submits from eight threads", "[reactor][provider]") {
    ProviderOptions options = ProviderFixture::defaults();
    options.bind.guaranteedOutputBuffers = 5000;
    ProviderFixture f(options);
    RawConsumer c = f.loggedIn();
    constexpr int kThreads = 8, kEach = 2000;
    for (int i = 0; i < kThreads; ++i)
        c.send(RawConsumer::request(10 + i, 6, "ITEM" + std::to_string(i), 1));
    f.runUntil([&] { return f.app.told.size() == 1 + kThreads; });
    std::vector<std::uint64_t> handles;
    for (int i = 0; i < kThreads; ++i)
        handles.push_back(f.app.told[static_cast<std::size_t>(1 + i)].event.handle);
    std::atomic<int> failures{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
        threads.emplace_back([&, i] {
            codec::Msg refresh = Application::refresh(), update = Application::update();
            for (int n = 0; n <= kEach;) {
                codec::Msg& m = n == 0 ? refresh : update;
                m.cls == codec::MsgClass::Update ? void(m.updateType = static_cast<std::uint8_t>(n % 128)) : void();
                const SubmitResult r =
                    f.locked([&](ProviderRole& role) { return role.submit(handles[static_cast<std::size_t>(i)], m); });
                if (r.fault == SubmitFault::noBuffers) std::this_thread::yield();
                else if (!r.ok()) return void(++failures);
                else ++n;
            }
        });
    }
    std::vector<int> seen(kThreads, 0);
    for (int total = 0; total < kThreads * (kEach + 1); ++total) {
        const Received got = c.next();
        const auto i = static_cast<std::size_t>(got.msg.streamId - 10);
        REQUIRE(i < seen.size());
        if (seen[i] != 0) CHECK(int{got.msg.updateType} == seen[i] % 128);  // in order
        ++seen[i];
    }
    for (std::thread& t : threads)
        t.join();
    CHECK(failures == 0);
}

TEST_CASE("a burst of item requests", "[reactor][provider]") {
    ProviderOptions options = ProviderFixture::defaults();
    options.bind.guaranteedOutputBuffers = 20'000;
    ProviderFixture f(options);
    RawConsumer c = f.loggedIn();
    constexpr std::int32_t kItems = 20'000;
    std::uint64_t requests = 0;
    f.app.answer = [&](const StreamEvent& e, const codec::Msg& m) {
        ++requests;
        CHECK(f.app.submitRefresh(e.handle, m).ok());
    };
    std::int32_t answered = 0;
    for (std::int32_t i = 0; i < kItems; ++i)
        c.send(RawConsumer::request(10 + i, 6, "I" + std::to_string(i), 1));
    while (answered < kItems) {
        const Received got = c.next();
        REQUIRE(got.msg.streamId == 10 + answered);
        ++answered;
    }
    CHECK(requests == kItems);
    CHECK(f.role->openStreams() == kItems + 1);
    c.disconnect();
    f.runUntil([&] { return f.role->openStreams() == 0; });
}

namespace {

struct PackFor {
    ProviderFixture& f;
    std::uint64_t client;
    TestPack pack;
    SubmitFault add(std::uint64_t handle, const codec::Msg& m) {
        return f.locked([&](ProviderRole& r) {
            return pack.add(handle, m, [&](std::uint64_t h, codec::Msg& wire, PackedEffect& effect) {
                return r.prepare(h, client, wire, effect);
            });
        });
    }
    SubmitResult submit() {
        return f.locked(
            [&](ProviderRole& r) { return r.submitPacked(client, pack.body(), pack.messages, pack.changes); });
    }
};

}  // namespace

TEST_CASE("messages of one item in a pack", "[reactor][provider][pack]") {
    OpenItem item;
    PackFor of{item.f, item.f.app.last().event.clientHandle, {}};
    CHECK(of.add(item.handle, Application::update()) == SubmitFault::refreshFirst);
    CHECK(of.add(item.handle, Application::refresh()) == SubmitFault::none);
    CHECK(of.add(item.handle, Application::update()) == SubmitFault::none);
    SECTION("take effect when it has left") {
        CHECK(of.add(item.handle, Application::status(codec::StreamState::closed)) == SubmitFault::none);
        CHECK(of.add(item.handle, Application::update()) == SubmitFault::unknownHandle);
        CHECK(item.f.role->openStreams() == 2);
        CHECK(of.submit().ok());
        CHECK(item.c.next().msg.cls == codec::MsgClass::Refresh);
        CHECK(item.c.next().msg.cls == codec::MsgClass::Update);
        CHECK(item.c.next().msg.cls == codec::MsgClass::Status);
        CHECK(item.f.role->openStreams() == 1);
        CHECK(item.submit(Application::refresh()).fault == SubmitFault::unknownHandle);
    }
    SECTION("and not at all when it is given up") {
        CHECK(item.submit(Application::update()).fault == SubmitFault::refreshFirst);
        CHECK(item.submit(Application::refresh()).ok());
        CHECK(item.submit(Application::update()).ok());
    }
}

TEST_CASE("an image that was all that was asked for, in a pack", "[reactor][provider][pack]") {
    ProviderFixture f;
    RawConsumer c = f.loggedIn();
    codec::Msg m = RawConsumer::request(5, 6, "TRI.N", 1);
    m.flags = 0;
    c.send(m);
    f.runUntil([&] { return f.app.told.size() == 2; });
    const StreamEvent event = f.app.last().event;
    PackFor of{f, event.clientHandle, {}};
    CHECK(of.add(event.handle, Application::refresh()) == SubmitFault::none);
    SECTION("given up: the stream waits for its image as before") {
        codec::Msg status = Application::status(codec::StreamState::open);
        CHECK(f.locked([&](ProviderRole& r) { return r.submit(event.handle, status); }).ok());
        CHECK(c.next().msg.cls == codec::MsgClass::Status);
        CHECK(f.role->openStreams() == 2);
    }
    SECTION("sent: it ends the stream, and the application is told") {
        CHECK(of.submit().ok());
        const Received got = c.next();
        CHECK(got.msg.cls == codec::MsgClass::Refresh);
        CHECK(int{got.msg.state.stream} == int{codec::StreamState::nonStreaming});
        f.runUntil([&] { return f.app.count(Told::What::close) == 1; });
        CHECK(f.role->openStreams() == 1);
    }
}

TEST_CASE("a directory in a pack changes the services when the pack has left", "[reactor][provider][pack]") {
    ProviderOptions options = ProviderFixture::defaults();
    options.directoryByUser = true;
    ProviderFixture f(std::move(options));
    RawConsumer c = f.loggedIn();
    c.send(RawConsumer::directoryRequest(rdm::DirectoryFilter::info | rdm::DirectoryFilter::state));
    f.runUntil([&] { return f.app.told.size() == 2; });
    const StreamEvent event = f.app.last().event;
    rdm::Service service;
    service.id = 3;
    service.filters = rdm::DirectoryFilter::info | rdm::DirectoryFilter::state;
    service.info.name = "THIRD";
    service.info.capabilities = {6};
    GrowingBuffer map;
    REQUIRE(rdm::Directory::encodeService(map.start(), service, service.filters).ok());
    codec::Msg m = Application::refresh();
    m.containerType = codec::DataType::Map;
    m.payload = map.view();
    PackFor of{f, event.clientHandle, {}};
    CHECK(of.add(event.handle, m) == SubmitFault::none);
    CHECK(f.role->directory().find("THIRD") == nullptr);
    CHECK(of.submit().ok());
    CHECK(c.next().msg.domain == 4);
    CHECK(f.role->directory().find("THIRD") != nullptr);
}
