// Consumers on threads of their own: who serves whom, order, ends, and what it costs.
#include "fixture.h"

#include "reactor/rdm/View.h"

using namespace emissary;
using namespace emissary::test;

TEST_CASE("new connections go to the thread that has the fewest", "[hub][relay]") {
    RelayFixture f;
    std::vector<RawConsumer> clients;
    for (int i = 0; i < 6; ++i)
        clients.push_back(f.loggedIn("c" + std::to_string(i)));
    std::vector<std::size_t> served;
    relay::forEachFront(f.relay(), [&](relay::Front& front) { served.push_back(front.clients().size()); });
    CHECK(served == std::vector<std::size_t>{3, 3});
    CHECK(f.hub->rooms().clients.size() == 6);

    clients[0].dieMidMessage();
    f.until([&] { return f.hub->rooms().clients.size() == 5; });
    f.until([&] {
        std::size_t sum = 0;
        relay::forEachFront(f.relay(), [&](relay::Front& front) { sum += front.clients().size(); });
        return sum == 5;
    });
}

TEST_CASE("who joins while data flow gets the image and then every update after it, once", "[hub][relay]") {
    RelayFixture f;
    f.connected();
    RawConsumer first = f.loggedIn("first"), late = f.loggedIn("late");
    first.send(HubFixture::request(5));
    f.until([&] {
        f.serve();
        return !f.streams.empty();
    });
    for (std::int32_t stream = 10; stream < 60; ++stream) {
        f.tick();
        late.send(HubFixture::request(stream));
        f.tick();
        Received got = late.next();
        REQUIRE(got.msg.cls == MsgClass::Refresh);
        CHECK(got.msg.streamId == stream);
        std::uint64_t last = RelayFixture::valueOf(got.msg);
        f.tick();
        while (last < f.values["IBM"]) {
            got = late.next();
            REQUIRE(got.msg.cls == MsgClass::Update);
            REQUIRE(got.msg.streamId == stream);
            REQUIRE(RelayFixture::valueOf(got.msg) == ++last);
        }
        Msg close = RawConsumer::close(stream);
        close.flags |= codec::CloseFlag::ack;
        late.send(close);
        REQUIRE(late.next().msg.cls == MsgClass::Ack);
    }
    std::uint64_t last = RelayFixture::valueOf(first.next().msg);
    while (last < f.values["IBM"])
        REQUIRE(RelayFixture::valueOf(first.next().msg) == ++last);
}

TEST_CASE("pause, views and keys are each mount's own on every thread", "[hub][relay]") {
    RelayFixture f;
    f.connected();
    RawConsumer plain = f.loggedIn("plain"), other = f.loggedIn("other");
    plain.send(HubFixture::request(5));
    f.until([&] {
        f.serve();
        return !f.streams.empty();
    });
    (void)plain.next();

    std::vector<std::byte> room(256);
    eta::BeWriter out(room);
    codec::ElementListEncoder list;
    list.begin(out);
    rdm::View wanted;
    wanted.kind = rdm::View::Kind::fields;
    wanted.fields = {25};
    wanted.encode(list);
    REQUIRE(list.complete().ok());
    Msg view = HubFixture::request(6);
    view.flags |= RequestFlag::view | RequestFlag::msgKeyInUpdates;
    view.containerType = codec::DataType::ElementList;
    view.payload = out.view();
    other.send(view);
    CHECK(HubFixture::fields(other.next().msg).substr(0, 3) == "25=");
    f.tick();
    CHECK(HubFixture::fields(other.next().msg) == "25=" + std::to_string(f.values["IBM"] + 1));
    CHECK(RelayFixture::valueOf(plain.next().msg) == f.values["IBM"]);

    Msg pause = HubFixture::request(5);
    pause.flags |= RequestFlag::pause | RequestFlag::noRefresh;
    plain.send(pause);
    CHECK(HubFixture::silent(plain));
    f.tick();
    f.tick();
    (void)other.next();
    (void)other.next();
    CHECK(HubFixture::silent(plain));
    Msg resume = HubFixture::request(5);
    resume.flags |= RequestFlag::noRefresh;
    plain.send(resume);
    const Received missed = plain.next();  // it changed meanwhile
    CHECK(missed.msg.cls == MsgClass::Refresh);
    CHECK_FALSE(missed.msg.has(RefreshFlag::solicited));
    CHECK(RelayFixture::valueOf(missed.msg) == f.values["IBM"]);
    f.tick();
    CHECK(RelayFixture::valueOf(plain.next().msg) == f.values["IBM"]);
}

TEST_CASE("an update is passed on without an allocation on any thread", "[hub][relay]") {
    RelayFixture f;
    f.connected();
    std::vector<RawConsumer> clients;
    for (int i = 0; i < 4; ++i) {
        clients.push_back(f.loggedIn("c" + std::to_string(i)));
        clients.back().send(HubFixture::request(5));
        f.until([&] {
            f.serve();
            return !f.streams.empty();
        });
        (void)clients.back().next();
    }
    std::uint64_t stage = 0;
    const auto round = [&](int updates) {
        for (int i = 0; i < updates; ++i) {
            f.tick();
            const std::uint64_t before = allocationsOfThisThread();
            f.hub->dispatch(std::chrono::microseconds(0));
            stage += allocationsOfThisThread() - before;
        }
        for (RawConsumer& c : clients)
            while (RelayFixture::valueOf(c.next().msg) != f.values["IBM"]) {}
    };
    const auto allocations = [&] {
        std::vector<std::uint64_t> all;
        std::vector<std::shared_ptr<std::promise<std::uint64_t>>> answers;
        for (int i = 0; i < 2; ++i)
            answers.push_back(std::make_shared<std::promise<std::uint64_t>>());
        std::size_t at = 0;
        relay::forEachFront(f.relay(), [&](relay::Front& front) {
            postTo(front, [answer = answers[at++]] { answer->set_value(allocationsOfThisThread()); });
        });
        for (auto& answer : answers)
            all.push_back(answer->get_future().get());
        return all;
    };
    round(2000);
    stage = 0;
    const std::vector<std::uint64_t> before = allocations();
    round(2000);
    const std::vector<std::uint64_t> after = allocations();
    CHECK(stage == 0);
    CHECK(after == before);
}

TEST_CASE("a hub with clients ends while data flow", "[hub][relay]") {
    for (int round = 0; round < 5; ++round) {
        RelayFixture f;
        f.connected();
        std::vector<RawConsumer> clients;
        for (int i = 0; i < 3; ++i) {
            clients.push_back(f.loggedIn("c" + std::to_string(i)));
            clients.back().send(HubFixture::request(5));
        }
        f.settle();
        for (int i = 0; i < 100; ++i)
            f.tick();
        f.turn();
        clients[0].dieMidMessage();
        f.hub.reset();
        CHECK(clients[1].waitClosed());
    }
}

TEST_CASE("a drain lets everybody go, whoever serves them", "[hub][relay]") {
    RelayFixture f([](HubSettings& s) { s.drainTimeout = std::chrono::seconds(0); });
    f.connected();
    RawConsumer a = f.loggedIn("a"), b = f.loggedIn("b");
    f.hub->drain();
    f.until([&] { return f.hub->drained(); });
    for (RawConsumer* c : {&a, &b}) {
        bool told = false;
        while (const auto got = c->tryNext())
            told = told || (got->msg.domain == 1 && got->msg.state.stream == StreamState::closedRecover);
        CHECK(told);
    }
}
