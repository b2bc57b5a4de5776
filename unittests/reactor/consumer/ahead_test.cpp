// Whose messages come soon is said before they come, also while items open and close between them.
#include "reactor/consumer/ConsumerRole.h"
#include "reactor/provider/ProviderRole.h"
#include "support/RawProvider.h"
#include "support/catch.hpp"
#include "support/until.h"

#include <deque>
#include <memory>
#include <random>
#include <string>

using namespace emissary;
using namespace emissary::test;
using namespace std::chrono_literals;
using reactor::consumer::ConsumerOptions;
using reactor::consumer::ConsumerRole;
using reactor::consumer::Handle;
using reactor::consumer::Recipient;
using reactor::consumer::Refusal;

namespace {

constexpr std::size_t kItems = 3000;

/// Answers every item and keeps its handle.
struct Server final : reactor::ProviderHandler {
    explicit Server(reactor::Reactor& l) : loop(l) {
        reactor::ProviderOptions options;
        options.bind.port = "0";
        options.services.push_back(RawProvider::service(1, "DIRECT_FEED"));
        const std::lock_guard guard(loop.lock());
        role = std::make_unique<reactor::ProviderRole>(loop, std::move(options), *this);
        const eta::Refused refused = role->listen();
        INFO(refused.text);
        REQUIRE_FALSE(refused);
    }
    ~Server() override {
        const std::lock_guard guard(loop.lock());
        role.reset();
    }
    void onRequest(const reactor::StreamEvent& event, const codec::Msg& request) override {
        codec::Msg m = RawProvider::refresh(0);
        m.key = request.key;
        m.flags |= codec::RefreshFlag::msgKey;
        REQUIRE(role->submit(event.handle, m).ok());
        if (request.domain == codec::kMarketPriceDomain) streams.push_back(event.handle);
    }
    void onReissue(const reactor::StreamEvent&, const codec::Msg&) override {}
    void onClose(const reactor::StreamEvent& event, const codec::Msg&) override { std::erase(streams, event.handle); }
    void onPost(const reactor::StreamEvent&, const codec::Msg&) override {}
    void onGeneric(const reactor::StreamEvent&, const codec::Msg&) override {}

    reactor::Reactor& loop;
    std::unique_ptr<reactor::ProviderRole> role;
    std::vector<std::uint64_t> streams;
};

struct Client final : reactor::consumer::ConsumerSink {
    struct Item {
        Handle handle = 0;
        std::string name;
    };
    std::unique_ptr<ConsumerRole> role;
    std::deque<Item> items;
    std::deque<const void*> expected;
    std::size_t refreshes = 0, updates = 0, foretold = 0, said = 0;
    bool churns = false;

    void open(const std::string& name) {
        Item& item = items.emplace_back();
        item.name = name;
        open(item);
    }
    void open(Item& item) {
        codec::Msg request;
        request.cls = codec::MsgClass::Request;
        request.flags = codec::RequestFlag::streaming;
        request.key.flags = codec::KeyFlag::name;
        request.key.name = eta::asBytes(item.name);
        Refusal refusal;
        item.handle = role->registerClient({request, "DIRECT_FEED"}, {this, &item, 0}, refusal);
        REQUIRE(item.handle != 0);
    }
    void onExpected(const void* client, const void* closure) noexcept override {
        if (client != this) return;
        ++said;
        expected.push_back(closure);
        if (expected.size() > 16) expected.pop_front();
    }
    void onMessage(const codec::Msg& m, const Recipient& to, std::string_view) override {
        if (m.cls == codec::MsgClass::Refresh) ++refreshes;
        if (m.cls != codec::MsgClass::Update) return;
        if (std::find(expected.begin(), expected.end(), to.closure) != expected.end()) ++foretold;
        if (++updates % 3 != 0 || !churns) return;
        // This item, or one whose message may be the next, ends and comes back under another stream.
        Item& item = updates % 2 == 0 ? *static_cast<Item*>(to.closure) : items[updates * 7919 % items.size()];
        REQUIRE_FALSE(role->unregister(item.handle));
        open(item);
    }
    void onConnection(reactor::consumer::ConnectionEvent, const std::string&) override {}
    void onWarning(const std::string&) override {}
};

struct Pair {
    Pair() : server(serverLoop) {
        ConsumerOptions o;
        o.channels.resize(1);
        o.channels[0].name = "Channel";
        o.channels[0].connect.host = "127.0.0.1";
        o.channels[0].connect.port = std::to_string(server.role->port());
        o.login.userName = "user";
        o.downloadDictionaries = false;
        {
            const std::lock_guard guard(loop.lock());
            client.role = std::make_unique<ConsumerRole>(loop, o, client);
            client.role->start();
        }
        until([&] { return client.role->phase() == ConsumerRole::Phase::ready; });
    }
    ~Pair() {
        const std::lock_guard guard(loop.lock());
        client.role.reset();
    }
    void turn() {
        serverLoop.dispatch(0us, 1000);
        loop.dispatch(0us, 1000);
    }
    template <class Condition>
    void until(Condition condition) {
        REQUIRE(turnUntil(condition, [this] { turn(); }));
    }
    void open(std::size_t items) {
        {
            const std::lock_guard guard(loop.lock());
            for (std::size_t i = 0; i < items; ++i)
                client.open("ITEM" + std::to_string(i));
        }
        until([&] { return client.refreshes == items; });
    }
    /// Updates of streams in a random order, which arrive together.
    void burst(std::size_t updates) {
        const std::lock_guard guard(serverLoop.lock());
        for (std::size_t i = 0; i < updates; ++i) {
            codec::Msg update = RawProvider::update(0);
            const reactor::SubmitResult sent =
                server.role->submit(server.streams[random() % server.streams.size()], update);
            REQUIRE(sent.ok());
        }
    }
    reactor::Reactor serverLoop{reactor::ReactorOptions{}}, loop{reactor::ReactorOptions{}};
    Server server;
    Client client;
    std::mt19937 random{5};
};

}  // namespace

TEST_CASE("a consumer hears whose messages come soon", "[reactor][consumer][ahead]") {
    Pair pair;
    pair.open(kItems);
    pair.client.said = 0;
    pair.burst(5000);
    pair.until([&] { return pair.client.updates == 5000; });
    CHECK(pair.client.foretold > 4000);  // all but the first of each reading
    CHECK(pair.client.said <= 3 * 5000);
}

TEST_CASE("few items stay in the cache by themselves", "[reactor][consumer][ahead]") {
    Pair pair;
    pair.open(100);
    pair.burst(2000);
    pair.until([&] { return pair.client.updates == 2000; });
    CHECK(pair.client.said == 0);
}

TEST_CASE("items that end while their messages wait are not looked at", "[reactor][consumer][ahead]") {
    Pair pair;
    pair.open(kItems);
    pair.client.churns = true;
    for (int round = 0; round < 10; ++round) {
        const std::size_t before = pair.client.updates;
        pair.burst(500);
        pair.until([&] { return pair.client.updates > before + 250; });  // those of streams that ended go nowhere
    }
    pair.client.churns = false;
    CHECK(pair.client.foretold > pair.client.updates / 2);
    {
        const std::lock_guard guard(pair.loop.lock());
        for (Client::Item& item : pair.client.items)
            REQUIRE_FALSE(pair.client.role->unregister(item.handle));
    }
    pair.until([&] { return pair.server.streams.empty(); });
}
