// Publishers and consumers on one port of a hub with several threads: wherever a publisher's connection was accepted,
// its items reach the clients of every thread and every port alike.
#include "fixture.h"

#include "hub/node/publisher.h"

#include <algorithm>
#include <random>
#include <set>

using namespace emissary;
using namespace emissary::test;

namespace {

/// The consumers' port is for consumers alone, the publishers' for both.
struct AnyRoleFixture : RelayFixture {
    AnyRoleFixture() : RelayFixture([](HubSettings& s) { s.publisherListeners[0].anyRole = true; }) {}
};

/// Every message about its items, and the answers to its posts.
class Reader {
public:
    Reader(AnyRoleFixture& f, const std::string& user, std::uint16_t port) : f_(f), wire_(f.loggedIn(user, port)) {}

    void open(std::int32_t stream, const std::string& name, std::uint16_t service) {
        wire_.send(RawConsumer::request(stream, 6, name, service));
    }
    void post(std::int32_t stream, std::uint32_t id, std::uint64_t value) {
        Msg m;
        m.cls = MsgClass::Post;
        m.streamId = stream;
        m.domain = 6;
        m.flags = codec::PostFlag::postId | codec::PostFlag::complete | codec::PostFlag::ack;
        m.postId = id;
        f_.fill(m, value);
        wire_.send(m);
        REQUIRE(waiting_.insert(id).second);
    }
    void read() {
        while (const auto got = wire_.tryNext(std::chrono::milliseconds(0)))
            take(got->msg);
    }
    [[nodiscard]] const std::vector<std::string>& story(std::int32_t stream) { return stories_[stream]; }
    [[nodiscard]] std::string last(std::int32_t stream) {
        return stories_[stream].empty() ? std::string() : stories_[stream].back();
    }
    [[nodiscard]] bool answered() const noexcept { return waiting_.empty(); }
    [[nodiscard]] int accepted() const noexcept { return accepted_; }

private:
    void take(const Msg& m) {
        if (m.cls == MsgClass::Ack) {
            REQUIRE(waiting_.erase(m.ackId) == 1);
            if (!m.has(codec::AckFlag::nakCode)) ++accepted_;
            return;
        }
        std::vector<std::string>& story = stories_[m.streamId];
        if (m.hasState() && m.cls == MsgClass::Status) {
            CHECK(int{m.state.stream} == int{StreamState::open});
            return void(story.emplace_back(m.state.data == suspect ? "suspect" : "ok"));
        }
        if (m.cls == MsgClass::Refresh || m.cls == MsgClass::Update)
            story.push_back(std::to_string(RelayFixture::valueOf(m)));
    }

    AnyRoleFixture& f_;
    RawConsumer wire_;
    std::map<std::int32_t, std::vector<std::string>> stories_;
    std::set<std::uint32_t> waiting_;
    int accepted_ = 0;
};

void sendLogin(RawConsumer& wire) {
    rdm::LoginAttributes attributes;
    attributes.role = 1;
    std::vector<std::byte> room(256);
    eta::BeWriter out(room);
    REQUIRE(rdm::encodeLogin(out, attributes).ok());
    Msg login;
    rdm::makeLoginRequest(login, "pub", 1, out.view());
    wire.send(login);
}

}  // namespace

TEST_CASE("publishers on a port for any role, killed under load: clients of all ports and threads are told the same",
          "[hub][relay]") {
    AnyRoleFixture f;
    f.connected();
    f.until([&f] { return f.hub->rooms().clients.size() == 0; });
    constexpr std::int32_t kItems = 4, kPosted = 10;  // stream ids 10 .. 13; what clients post on is the last
    const std::uint16_t both = f.hub->publisherPort();
    auto publisher = std::make_unique<Publisher>(f, both);
    std::uint64_t value = 0;
    const auto publish = [&] {
        for (std::int32_t i = 0; i < kItems; ++i)
            publisher->refresh(-1 - i, "T" + std::to_string(i), ++value);
    };
    publish();
    std::uint16_t service = 0;
    {
        RawConsumer asks = f.loggedIn("asks");
        service = serviceOf(asks);
    }
    f.until([&f] { return f.hub->rooms().clients.size() == 0; });
    std::vector<std::unique_ptr<Reader>> readers;
    for (int i = 0; i < 8; ++i)
        readers.push_back(std::make_unique<Reader>(f, "r" + std::to_string(i), i % 2 == 0 ? both : f.hub->port()));
    CHECK(f.hub->rooms().clients.size() == readers.size());  // the publisher is none of them
    relay::forEachFront(f.relay(), [&](relay::Front& front) { CHECK(front.clients().size() == 4); });
    const auto readAll = [&] {
        for (const auto& r : readers)
            r->read();
    };
    for (const auto& r : readers)
        for (std::int32_t i = 0; i < kItems; ++i)
            r->open(kPosted + i, "T" + std::to_string(i), service);
    // Everybody begins with the same.
    f.until([&] {
        readAll();
        return std::ranges::all_of(readers, [&](const auto& r) {
            for (std::int32_t i = 0; i < kItems; ++i)
                if (r->story(kPosted + i).empty()) return false;
            return true;
        });
    });
    std::mt19937 random(5);
    std::uint32_t posts = 0;
    for (int life = 0; life < 6; ++life) {
        for (int round = 0; round < 100; ++round) {
            for (std::int32_t i = 1; i < kItems; ++i)
                publisher->update(-1 - i, ++value);
            if (random() % 3 == 0) readers[random() % readers.size()]->post(kPosted, ++posts, ++value);
            f.turn();
            readers[random() % readers.size()]->read();
        }
        publisher->wire.dieMidMessage();
        f.until([&] {
            readAll();
            return std::ranges::all_of(readers, [&](const auto& r) {
                for (std::int32_t i = 0; i < kItems; ++i)
                    if (std::ranges::count(r->story(kPosted + i), "suspect") != life + 1) return false;
                return r->answered();
            });
        });
        publisher = std::make_unique<Publisher>(f, both);
        publish();
    }
    const std::uint64_t first = value - kItems + 1;
    f.until([&] {
        readAll();
        return std::ranges::all_of(readers, [&](const auto& r) {
            for (std::int32_t i = 0; i < kItems; ++i)
                if (r->last(kPosted + i) != std::to_string(first + static_cast<std::uint64_t>(i))) return false;
            return true;
        });
    });
    int accepted = 0;
    for (const auto& r : readers)
        accepted += r->accepted();
    CHECK(posts > 100);
    CHECK(accepted > 0);
    for (std::int32_t i = 0; i < kItems; ++i) {
        const std::vector<std::string>& told = readers[0]->story(kPosted + i);
        CHECK(told.size() > 12);  // more than the states of six lives
        CHECK(std::ranges::count(told, "suspect") == 6);
        for (const auto& r : readers)
            CHECK(r->story(kPosted + i) == told);
    }
    CHECK(f.count("emissary_hub_publishers") == 1);
}

TEST_CASE("publishers that come and go on a port for any role leave nothing behind on the thread that accepts them",
          "[hub][relay]") {
    AnyRoleFixture f;
    f.connected();
    const std::uint16_t both = f.hub->publisherPort();
    for (int i = 0; i < 50; ++i) {
        if (i % 2 == 0) {
            Publisher p(f, both);
            p.refresh(-1, "TRI", 1);
        } else {  // gone with its login
            RawConsumer wire(both, [&f] { f.turn(); });
            sendLogin(wire);
            wire.dieMidMessage();
        }
    }
    f.until([&f] {
        std::size_t left = f.hub->rooms().clients.size() + f.count("emissary_hub_publishers");
        relay::forEachFront(f.relay(), [&](relay::Front& front) { left += front.clients().size(); });
        return left == 0;
    });
    CHECK(f.count("emissary_hub_publisher_logins_total") >= 25);
    // It ends while one is between the threads.
    RawConsumer last(both, [&f] { f.turn(); });
    sendLogin(last);
    f.hub.reset();
}
