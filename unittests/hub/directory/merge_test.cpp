// Services of several sources under one name (hub.md 3.1, 3.2).
#include "fixture.h"
#include "reactor/GrowingBuffer.h"

#include <chrono>
#include <functional>
#include <map>
#include <mutex>

using namespace emissary;
using namespace emissary::test;
using Events = std::vector<std::string>;
namespace Filter = rdm::DirectoryFilter;

namespace {

struct MergeFixture {
    Told told;
    NoSupply supply;
    std::vector<std::string> log;
    hub::ServiceTable services;
    hub::directory::Merge merge;
    SomeSource a{Source::kUpstream, "A", 1}, b{Source::kUpstream, "B", 2}, p{Source::kPublisher, "P", 3};
    bool watched = false;

    explicit MergeFixture(std::vector<ServiceSettings> policies = {}, ServiceSettings others = {},
                          std::uint32_t maxServices = 10'000, std::uint32_t maxOfSource = 1'000)
        : services(std::move(policies), std::move(others)),
          merge(services, told,
                {.dictionaries = {"RWFFld", "RWFEnum"},
                 .log = [this](hub::Severity, const std::string& line) { log.push_back(line); },
                 .watched = [this](const Service&) { return watched; },
                 .maxServices = maxServices,
                 .maxServicesPerSource = maxOfSource}) {
        merge.use(Source::kUpstream, supply, told);
        merge.use(Source::kPublisher, supply, told);
        merge.start();
    }
    static ServiceSettings policy(std::string name) {
        ServiceSettings s;
        s.name = std::move(name);
        return s;
    }
};

}  // namespace

TEST_CASE("services of two sources with different ids are one service, whose id is the hub's") {
    MergeFixture f;
    const auto atA = offered(7, "FEED", {6}), atB = offered(9, "FEED", {6, 7}), other = offered(7, "OTHER");
    f.merge.onOffer(f.a, atA, Filter::all);
    CHECK(f.told.take() == Events{"offer FEED A", "add 7 FEED up"});
    f.merge.onOffer(f.b, atB, Filter::all);
    f.merge.onOffer(f.b, other, Filter::all);
    const Service& feed = *f.services.find("FEED");
    CHECK(feed.id == 7);
    CHECK(f.services.find("OTHER")->id == 1);  // 7 is taken
    REQUIRE(feed.offers.size() == 2);
    CHECK(feed.offers[0].source == &f.a);
    CHECK(feed.offers[1].id == 9);
    CHECK(feed.merged.info.capabilities == std::vector<std::uint8_t>{6, 7, 5});  // the hub has dictionaries
    CHECK(feed.merged.info.isSource == false);
    CHECK(feed.merged.info.consumerStatus == true);
    CHECK(feed.merged.info.dictionariesProvided == std::vector<std::string>{"RWFFld", "RWFEnum"});
    CHECK(f.merge.serviceOf(f.b, 9) == &feed);
    REQUIRE(feed.merged.links.size() == 2);
    CHECK(feed.merged.links[1].name == "B");
    CHECK(feed.merged.links[1].state == 1);
}

TEST_CASE("a service that lists dictionaries has their domain, whoever offers it") {
    MergeFixture f;
    const bool published = GENERATE(false, true);
    const auto one = offered(1, "FEED", {6}), listed = offered(2, "LISTED", {5, 6});
    f.merge.onOffer(published ? f.p : f.a, one, Filter::all);
    f.merge.onOffer(published ? f.p : f.a, listed, Filter::all);
    CHECK(f.services.find("FEED")->merged.info.capabilities == std::vector<std::uint8_t>{6, 5});
    CHECK(f.services.find("LISTED")->merged.info.capabilities == std::vector<std::uint8_t>{5, 6});
}

TEST_CASE("an offer that differs is left out, counted and logged, and is taken when the first one goes") {
    MergeFixture f;
    const auto first = offered(1, "FEED");
    auto second = offered(1, "FEED");
    std::string element;
    SECTION("QoS") {
        second.info.qos = {{2, 1, 0, 0}};
        element = "QoS";
    }
    SECTION("DictionariesUsed") {
        second.info.dictionariesUsed = {"OTHER"};
        element = "DictionariesUsed";
    }
    SECTION("ItemList") {
        second.info.itemList = "LIST";
        element = "ItemList";
    }
    f.merge.onOffer(f.b, first, Filter::all);
    f.merge.onOffer(f.a, second, Filter::all);
    f.merge.onOffer(f.a, second, Filter::state);
    const Service& feed = *f.services.find("FEED");
    CHECK(feed.offers.size() == 1);
    CHECK(f.merge.counts().mismatches == 1);
    REQUIRE(f.log.size() == 1);
    CHECK(f.log[0].find(element) != f.log[0].npos);
    CHECK(f.merge.serviceOf(f.a, 1) == nullptr);
    f.told.take();
    f.merge.onOfferGone(f.b, 1, false);
    CHECK(feed.up());
    CHECK(f.services.find("FEED")->offerOf(f.a)->usable());
    CHECK(std::ranges::count(f.told.events, "offer FEED A") == 1);
}

TEST_CASE("publishers and upstream connections offer one service together, which is up while one of them is") {
    MergeFixture f;
    const auto one = offered(1, "FEED");
    f.merge.onOffer(f.a, one, Filter::all);
    f.merge.onOffer(f.p, one, Filter::all);
    const Service& feed = *f.services.find("FEED");
    CHECK(feed.offers.size() == 1);
    CHECK(feed.publishers.size() == 1);
    CHECK(feed.published);
    CHECK(f.merge.counts().mismatches == 0);
    CHECK(feed.merged.links.size() == 2);
    SECTION("the source is lost") {
        f.a.isUp = false;
        f.merge.onSourceChanged(f.a);
        CHECK(feed.up());
        CHECK(feed.merged.state.acceptingRequests());
        f.merge.onSourceGone(f.p);
        CHECK_FALSE(feed.up());
    }
    SECTION("the publisher is lost") {
        f.merge.onSourceGone(f.p);
        CHECK(feed.up());
        CHECK(feed.publishers.empty());
        CHECK(feed.offers.size() == 1);
    }
    SECTION("one whose QoS differs is left out, whatever its kind") {
        SomeSource other(Source::kPublisher, "Q", 9);
        auto two = offered(2, "FEED");
        two.info.qos = {{1, 2, false, 0, 0}};
        f.merge.onOffer(other, two, Filter::all);
        CHECK(f.merge.counts().mismatches == 1);
        CHECK(feed.publishers.size() == 1);
        f.merge.onSourceGone(other);
    }
}

TEST_CASE("a kind of source that no other room knows is served by who registered it") {
    ServiceSettings policy;
    policy.deleteLostServices = true;
    MergeFixture f({}, policy);
    static constexpr Source::Kind kReplay{"replay", false, false, false, false};
    NoSupply replays;
    Told rooms;
    f.merge.use(kReplay, replays, rooms);
    SomeSource replay(kReplay, "R", 11);
    const auto yesterday = offered(5, "YESTERDAY"), feed = offered(1, "FEED");
    f.merge.onOffer(replay, yesterday, Filter::all);
    const Service& own = *f.services.find("YESTERDAY");
    CHECK(own.supply == &replays);
    REQUIRE(own.offerOf(replay) != nullptr);
    CHECK(own.offerOf(replay)->usable());
    CHECK(rooms.take() == Events{"offer YESTERDAY R"});
    CHECK(f.told.take() == Events{"add 5 YESTERDAY up"});
    // The others have theirs as before.
    f.merge.onOffer(f.a, feed, Filter::all);
    CHECK(f.services.find("FEED")->supply == &f.supply);
    CHECK(f.told.take() == Events{"offer FEED A", "add 1 FEED up"});
    replay.isUp = false;
    f.merge.onSourceGone(replay);
    f.merge.onSourceGone(f.a);
    CHECK(rooms.take() == Events{"lost YESTERDAY R", "gone YESTERDAY"});
    CHECK(f.told.take() == Events{"delete 5", "lost FEED A", "gone FEED", "delete 1"});
}

TEST_CASE("the order of offers is the policy's, and sources that it does not name are left out") {
    ServiceSettings policy = MergeFixture::policy("FEED");
    policy.sources = {"B", "A"};
    policy.serviceId = 300;
    MergeFixture f({policy});
    const auto one = offered(1, "FEED");
    SomeSource c(Source::kUpstream, "C", 4);
    f.merge.onOffer(f.a, one, Filter::all);
    f.merge.onOffer(f.b, one, Filter::all);
    f.merge.onOffer(c, one, Filter::all);
    const Service& feed = *f.services.find("FEED");
    CHECK(feed.id == 300);
    REQUIRE(feed.offers.size() == 2);
    CHECK(feed.offers[0].source == &f.b);
}

TEST_CASE("a service is up while one of its sources is, and says Info again when it comes back") {
    MergeFixture f;
    auto atA = offered(1, "FEED"), atB = offered(1, "FEED");
    f.merge.onOffer(f.a, atA, Filter::all);
    f.merge.onOffer(f.b, atB, Filter::all);
    f.told.take();
    f.a.isUp = false;
    f.merge.onSourceChanged(f.a);
    CHECK(f.told.take() == Events{"lost FEED A", "change 1 FEED up filters 33"});  // IsSource, and the link
    const Service& feed = *f.services.find("FEED");
    CHECK(feed.merged.links[0].state == 0);
    CHECK(feed.merged.links[0].code == 2u);
    atB.state.up = false;
    f.merge.onOffer(f.b, atB, Filter::state);
    CHECK_FALSE(feed.up());
    f.told.take();
    f.a.isUp = true;
    f.merge.onSourceChanged(f.a);
    const Events back = f.told.take();
    REQUIRE(back.size() == 2);
    CHECK(back[0] == "offer FEED A");
    CHECK(back[1].starts_with("change 1 FEED up filters "));
    CHECK((std::stoul(back[1].substr(back[1].rfind(' '))) & (Filter::info | Filter::state)) == 3);
    CHECK(feed.merged.links[0].code == 3u);
}

TEST_CASE("AcceptingRequests is 1 if any usable source accepts, and 0 while draining") {
    MergeFixture f;
    auto atA = offered(1, "FEED"), atB = offered(1, "FEED");
    atA.state.accepting = false;
    f.merge.onOffer(f.a, atA, Filter::all);
    CHECK(f.told.take().back() == "add 1 FEED up closed");
    f.merge.onOffer(f.b, atB, Filter::all);
    CHECK(f.services.find("FEED")->merged.state.acceptingRequests());
    f.merge.drain();
    CHECK_FALSE(f.services.find("FEED")->merged.state.acceptingRequests());
    CHECK(f.told.take().back() == "change 1 FEED up closed filters 2");
}

TEST_CASE("a lost service stays down, stays up from its cache, or is deleted, as its policy says") {
    ServiceSettings policy = MergeFixture::policy("FEED");
    SECTION("down") {
        MergeFixture f({policy});
        const auto one = offered(1, "FEED");
        f.merge.onOffer(f.a, one, Filter::all);
        f.merge.onOfferGone(f.a, 1, true);
        CHECK_FALSE(f.services.find("FEED")->up());
        CHECK(f.services.find("FEED")->merged.info.capabilities == std::vector<std::uint8_t>{6, 5});
    }
    SECTION("kept up") {
        policy.keepServiceUp = true;
        MergeFixture f({policy});
        const auto one = offered(1, "FEED");
        f.merge.onOffer(f.p, one, Filter::all);
        f.merge.onSourceGone(f.p);
        CHECK(f.services.find("FEED")->up());
        CHECK(f.services.find("FEED")->offers.empty());
    }
    SECTION("deleted when lost") {
        policy.deleteLostServices = true;
        MergeFixture f({policy});
        const auto one = offered(1, "FEED");
        f.merge.onOffer(f.a, one, Filter::all);
        f.told.take();
        f.merge.onOfferGone(f.a, 1, false);
        CHECK(f.told.take() == Events{"lost FEED A", "gone FEED", "delete 1"});
        CHECK(f.services.find("FEED") == nullptr);
        f.merge.onOffer(f.a, one, Filter::all);
        CHECK(f.told.take() == Events{"offer FEED A", "add 1 FEED up"});
    }
    SECTION("deleted by its publisher, once nobody watches it") {
        MergeFixture f({policy});
        const auto one = offered(1, "FEED");
        f.merge.onOffer(f.p, one, Filter::all);
        f.watched = true;
        f.merge.onOfferGone(f.p, 1, true);
        CHECK(f.services.find("FEED") != nullptr);
        f.merge.onOffer(f.p, one, Filter::all);
        f.watched = false;
        f.merge.onOfferGone(f.p, 1, true);
        CHECK(f.services.find("FEED") == nullptr);
    }
}

TEST_CASE("a static service is there from the start, and publishers may serve it") {
    ServiceSettings policy = MergeFixture::policy("FEED");
    policy.fixed = offered(12, "FEED", {6, 7});
    MergeFixture f({policy});
    CHECK(f.told.take() == Events{"add 12 FEED up"});
    const auto one = offered(1, "FEED");
    f.merge.onOffer(f.p, one, Filter::all);
    CHECK(f.services.find("FEED")->publishers.size() == 1);
    f.merge.onSourceGone(f.p);
    CHECK(f.services.find("FEED")->up());
}

TEST_CASE("own open limits are told, those of the source are not; data of the service are passed on") {
    ServiceSettings policy = MergeFixture::policy("FEED");
    policy.openWindow = 50;
    MergeFixture f({policy});
    auto one = offered(1, "FEED"), two = offered(2, "PLAIN");
    one.load.openWindow = two.load.openWindow = 3;
    one.filters |= Filter::load | Filter::data;
    two.filters |= Filter::load;
    one.data.type = 2;
    f.merge.onOffer(f.a, one, Filter::all);
    f.merge.onOffer(f.a, two, Filter::all);
    CHECK(f.services.find("FEED")->merged.load.openWindow == 50u);
    CHECK_FALSE(f.services.find("PLAIN")->merged.has(Filter::load));
    CHECK(std::ranges::count(f.told.events, "data FEED 2") == 1);
}

TEST_CASE("a source that renames its services for ever is bounded by the ids there are") {
    MergeFixture f;
    auto one = offered(1, "S0");
    for (int i = 0; i < 300; ++i) {
        one.info.name = "S" + std::to_string(i);
        f.merge.onOffer(f.a, one, Filter::info);
    }
    CHECK(f.merge.counts().services == 300);
    CHECK(f.merge.counts().up == 1);
    CHECK(f.merge.serviceOf(f.a, 1) == f.services.find("S299"));
}

TEST_CASE("a source offers so many services and no more, whatever their ids; it is told once") {
    MergeFixture f({}, {}, 100, 10);
    std::vector<rdm::Service> offers;
    for (std::uint16_t n = 0; n < 30; ++n)
        offers.push_back(offered(static_cast<std::uint16_t>(n + 1), "S" + std::to_string(n)));
    for (const auto& o : offers)
        f.merge.onOffer(f.a, o, Filter::all);
    CHECK(f.services.size() == 10);
    CHECK(f.merge.counts().services == 10);
    CHECK(f.merge.counts().refused == 20);
    REQUIRE(f.log.size() == 1);
    CHECK(f.log[0].find("MaxServicesPerSource") != f.log[0].npos);
    CHECK(f.log[0].find("'A'") != f.log[0].npos);
    CHECK(f.merge.serviceOf(f.a, 11) == nullptr);
    SECTION("another one has room of its own, with the same ids") {
        for (std::uint16_t n = 0; n < 10; ++n)
            offers.at(n) = offered(static_cast<std::uint16_t>(n + 1), "T" + std::to_string(n));
        for (std::uint16_t n = 0; n < 10; ++n)
            f.merge.onOffer(f.b, offers[n], Filter::all);
        CHECK(f.services.size() == 20);
        CHECK(f.merge.counts().refused == 20);
    }
    SECTION("one that goes makes room for the next") {
        f.merge.onOfferGone(f.a, 1, true);
        f.merge.onOffer(f.a, offers[20], Filter::all);
        CHECK(f.merge.serviceOf(f.a, 21) != nullptr);
    }
    SECTION("a name that is too long is no service") {
        const auto longest = offered(77, std::string(256, 'x'));
        f.merge.onOfferGone(f.a, 1, true);
        f.merge.onOffer(f.a, longest, Filter::all);
        CHECK(f.merge.serviceOf(f.a, 77) == nullptr);
        CHECK(f.merge.counts().refused == 21);
    }
}

TEST_CASE("the hub has so many services and no more; those that nobody offers or watches make room") {
    MergeFixture f({}, {}, 5, 10);
    std::vector<rdm::Service> offers;
    for (std::uint16_t n = 0; n < 8; ++n)
        offers.push_back(offered(static_cast<std::uint16_t>(n + 1), "S" + std::to_string(n)));
    for (const auto& o : offers)
        f.merge.onOffer(f.a, o, Filter::all);
    CHECK(f.services.size() == 5);
    CHECK(f.merge.counts().refused == 3);
    CHECK(std::ranges::any_of(f.log, [](const std::string& l) { return l.find("(MaxServices)") != l.npos; }));
    f.services.find("S1")->items = 1;
    f.told.take();
    for (const auto& o : offers)
        f.merge.onOfferGone(f.a, o.id, false);
    CHECK(f.services.size() == 5);  // they are down; clients that know them keep them
    CHECK(f.merge.counts().up == 0);
    std::vector<rdm::Service> others;
    for (std::uint16_t n = 0; n < 4; ++n)
        others.push_back(offered(static_cast<std::uint16_t>(n + 1), "T" + std::to_string(n)));
    for (const auto& o : others)
        f.merge.onOffer(f.b, o, Filter::all);
    CHECK(f.services.size() == 5);
    CHECK(f.services.find("S1") != nullptr);
    CHECK(f.services.find("S0") == nullptr);
    CHECK(f.services.find("T3") != nullptr);
    CHECK(f.merge.counts().services == 5);
    CHECK(f.merge.counts().up == 4);
}

TEST_CASE("offers of two kinds of source that waited for room do not become one service") {
    MergeFixture f({}, {}, 1, 10);
    const auto other = offered(1, "OTHER"), byUpstream = offered(2, "FEED"), byPublisher = offered(3, "FEED");
    f.merge.onOffer(f.b, other, Filter::all);
    f.merge.onOffer(f.a, byUpstream, Filter::all);
    f.merge.onOffer(f.p, byPublisher, Filter::all);
    CHECK(f.services.find("FEED") == nullptr);
    f.merge.onSourceGone(f.b);
    const auto late = offered(4, "LATE");
    f.merge.onOffer(f.a, late, Filter::all);  // makes room
    f.merge.onSourceGone(f.a);
    f.merge.onOffer(f.p, byPublisher, Filter::all);
    for (const char* name : {"FEED", "LATE"})
        if (const Service* const s = f.services.find(name))
            for (const auto& o : s->offers)
                CHECK((o.source->kind().publishes) == s->published);
}

// Milliseconds for whole directories, with the limits as they are by default and without any.
TEST_CASE("how long directories with many services take", "[.][measure]") {
    struct Offering final : rdm::DirectoryListener {
        Offering(hub::directory::Merge& m, Source& s) : merge(m), source(s) {}
        void onServiceAdded(const rdm::Service& s) override { merge.onOffer(source, s, s.filters); }
        void onServiceDeleted(const rdm::Service& s) override { merge.onOfferGone(source, s.id, true); }
        hub::directory::Merge& merge;
        Source& source;
    };
    const auto payload = [](std::uint32_t count, const std::string& prefix) {
        rdm::Directory d;
        for (std::uint32_t n = 1; n <= count; ++n)
            (void)d.add(offered(static_cast<std::uint16_t>(n), prefix + std::to_string(n)));
        reactor::GrowingBuffer map;
        REQUIRE(d.encode(map.start(), {Filter::info | Filter::state, {}}).ok());
        return std::vector<std::byte>(map.view().begin(), map.view().end());
    };
    const auto took = [](auto&& what) {
        const auto begin = std::chrono::steady_clock::now();
        what();
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    };
    const bool limited = GENERATE(true, false);
    for (const std::uint32_t count : {1000u, 2000u, 20'000u, 65'000u}) {
        const auto first = payload(count, "A"), clashing = payload(std::min(count, 65'535u - count), "B");
        MergeFixture f({}, {}, limited ? 10'000 : 65'535, limited ? 1'000 : 65'535);
        Offering a(f.merge, f.a), b(f.merge, f.b);
        rdm::Directory ofA, ofB;
        const double one = took([&] { REQUIRE(ofA.apply(first, true, &a).ok()); });
        const double two = took([&] { REQUIRE(ofB.apply(clashing, true, &b).ok()); });
        const double gone = took([&] { ofA.clear(&a); });
        WARN(count << " services, limits " << (limited ? "of the defaults" : "off") << ": first " << one
                   << " ms, the same ids again " << two << " ms, gone " << gone << " ms; the hub has "
                   << f.services.size());
    }
}

namespace {

/// Clients that are told of services in turns to come; what they are told has to fit what they know.
struct Knowing final : hub::ServiceListener {
    std::map<std::uint16_t, std::string> known;
    std::map<std::string, bool> up;
    std::size_t calls = 0;
    void onServiceAdded(const Service& s) override {
        ++calls;
        CHECK(known.emplace(s.id, s.name).second);
        up[s.name] = s.up();
    }
    void onServiceChanged(const Service& s, std::uint32_t) override {
        ++calls;
        CHECK(known[s.id] == s.name);
        up[s.name] = s.up();
    }
    void onServiceDeleted(std::uint16_t id) override {
        ++calls;
        REQUIRE(known.contains(id));
        up.erase(known[id]);
        known.erase(id);
    }
    void onGroupStatus(const Service&, eta::Bytes, const eta::codec::State&) override {}
    void onGroupMerged(const Service&, eta::Bytes, eta::Bytes) override {}
    void onServiceData(const Service& s, const rdm::ServiceData&) override { CHECK(known[s.id] == s.name); }
};

}  // namespace

TEST_CASE("clients are told of many services within a share of each turn, in an order that makes sense") {
    constexpr std::uint16_t kServices = 6000;
    reactor::Reactor loop{{}};
    Knowing clients;
    Told rooms;
    NoSupply supply;
    const std::lock_guard guard(loop.lock());
    hub::ServiceTable services({}, [] {
        ServiceSettings s;
        s.deleteLostServices = true;
        return s;
    }());
    SomeSource a{Source::kUpstream, "A", 1}, b{Source::kUpstream, "B", 2};
    hub::directory::Merge merge(services, clients, [&] {
        hub::directory::MergeOptions o;
        o.maxServices = o.maxServicesPerSource = 20'000;
        o.reactor = &loop;
        return o;
    }());
    merge.use(Source::kUpstream, supply, rooms);
    const auto turns = [&](const std::function<bool()>& done) {
        for (std::size_t n = 0; !done(); ++n) {
            REQUIRE(n < 100'000);
            loop.lock().unlock();
            (void)loop.dispatch(std::chrono::microseconds(0), 100);
            loop.lock().lock();
        }
    };
    std::vector<rdm::Service> first, second;
    for (std::uint16_t i = 0; i < kServices; ++i) {
        first.push_back(offered(static_cast<std::uint16_t>(100 + i), "S" + std::to_string(i)));
        // The same ids for other names.
        second.push_back(offered(static_cast<std::uint16_t>(100 + i), "T" + std::to_string(i)));
    }
    const auto offer = [&](SomeSource& by, const std::vector<rdm::Service>& all) {
        for (const rdm::Service& s : all)
            merge.onOffer(by, s, Filter::all);
    };
    const auto takeBack = [&](SomeSource& by, const std::vector<rdm::Service>& all) {
        for (const rdm::Service& s : all)
            merge.onOfferGone(by, s.id, true);
    };
    offer(a, first);
    CHECK(services.size() == kServices);  // the rooms know at once
    CHECK(clients.calls < kServices);
    CHECK(services.find("S2999")->merged.info.capabilities.front() == 6);  // what requests are checked against
    CHECK(services.find("S2999")->up());
    SECTION("and all of it in the end") {
        turns([&] { return clients.known.size() == kServices; });
        CHECK(clients.calls == kServices);
        SECTION("a change that is over before it was told is none") {
            a.isUp = false;
            merge.onSourceChanged(a);
            a.isUp = true;
            offer(a, first);
        }
        SECTION("a lost source") {
            a.isUp = false;
            merge.onSourceChanged(a);  // looked at in slices: the rooms have much to do for a service that is lost
            CHECK(services.size() < kServices);
            CHECK_FALSE(services.size() == 0);
            turns([&] { return services.size() == 0; });
            turns([&] { return clients.known.empty(); });
            return;
        }
    }
    SECTION("deleted before anybody heard of it") {
        takeBack(a, first);
        CHECK(services.size() == 0);
        turns([&] { return clients.known.empty(); });
        CHECK(clients.calls < kServices);
        return;
    }
    SECTION("deleted, and back under other names, other ids, other sources") {
        takeBack(a, first);
        offer(a, second);
        offer(b, first);
        takeBack(a, second);
        offer(a, second);
        turns([&] { return clients.known.size() == 2u * kServices; });
        merge.onSourceGone(b);
        turns([&] { return clients.known.size() == kServices; });
        offer(b, first);
        merge.drain();
        CHECK(clients.known.size() == 2u * kServices);
    }
    SECTION("data is passed on behind what it belongs to") {
        rdm::Service s = first.back();
        s.filters |= Filter::data;
        s.data.type = 4;
        merge.onOffer(a, s, Filter::data);
    }
    turns([&] { return clients.known.size() == services.size(); });
    for (const auto& [id, name] : clients.known) {
        REQUIRE(services.find(id) != nullptr);
        CHECK(services.find(id)->name == name);
        CHECK(clients.up[name] == services.find(id)->up());
    }
}
