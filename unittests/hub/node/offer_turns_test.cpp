// Items that wait for another offer, with images that stand by, in turns at a source, and at random.
#include "offers.h"

#include <random>

using namespace emissary;
using namespace emissary::test;

TEST_CASE("with PreferSources a publisher's image stands by for the source", "[hub][node][offers]") {
    Both f(true);
    auto feed = std::make_unique<Feed>(f);
    feed->refresh(-1, "IBM", 10);
    f.took(1);
    Far c(f, "far");
    FarText web(f, "IBM");
    c.open("IBM");
    const std::int32_t first = f.askedFor("IBM");
    f.refresh(first, 20);
    c.until(20);
    web.until("20");
    feed->update(-1, 11);
    f.took(2);
    f.update(first, 21);
    c.until(21);
    SECTION("the source is killed: the publisher goes on, and the source has the item again when it is back") {
        f.provider.die();
        c.until(11);
        web.until("11");
        feed->update(-1, 12);
        c.until(12);
        f.provider.revive();
        const std::int32_t again = f.askedFor("IBM");
        // The publisher's updates are not shown from here on.
        feed->update(-1, 15);
        f.took(4);
        c.untilState(suspect);
        web.until("12", "Suspect");
        c.readAll();
        CHECK(c.value == "1=12");
        f.refresh(again, 30);
        c.until(30);
        web.until("30");
        feed->update(-1, 13);
        f.took(5);
        f.update(again, 31);
        c.until(31);
    }
    SECTION("the source closes the item: the publisher goes on") {
        Msg m = RawProvider::status(first, StreamState::closed, suspect, 1, "unknown");
        m.domain = 6;
        f.provider.send(m);
        c.until(11);
        web.until("11");
    }
    SECTION("the source calls the item Suspect: the publisher goes on") {
        Msg m = RawProvider::status(first, StreamState::open, suspect, 0, "slow");
        m.domain = 6;
        f.provider.send(m);
        c.until(11);
        f.closed(first);
    }
    SECTION("nobody wants the item: the publisher's record stays, and the source is asked the next time") {
        c.close();
        web.text.send(R"({"ID":5,"Type":"Close"})");
        f.closed(first);
        feed->update(-1, 12);
        f.took(3);
        CHECK(f.metric("emissary_hub_published_early_total") == 0);
        Far next(f, "next");
        next.open("IBM");
        const std::int32_t again = f.askedFor("IBM");
        next.readAll();
        CHECK(next.value.empty());  // not the image of before
        f.refresh(again, 40);
        next.until(40);
        f.provider.die();
        next.until(12);
    }
    SECTION("the publisher is killed: nobody hears of it") {
        feed.reset();
        f.until([&] { return f.service().publishers.empty(); });
        f.update(first, 22);
        c.until(22);
        web.until("22");
    }
}

TEST_CASE("in hot mode the image of a publisher that stands by takes no item from the source", "[hub][node][offers]") {
    const bool sourcesFirst = GENERATE(true, false);
    Both f(sourcesFirst, [](HubSettings& s) { s.services.front().publisherMode = PublisherMode::hot; });
    Feed leader(f);
    leader.refresh(-1, "OTHER", 1);
    f.took(1);
    Feed second(f);
    if (sourcesFirst) {
        second.refresh(-1, "IBM", 10);
        f.took(2);
    }
    Far c(f, "far");
    FarText web(f, "IBM");
    c.open("IBM");
    const std::int32_t stream = f.askedFor("IBM");
    f.refresh(stream, 20);
    c.until(20);
    web.until("20");
    if (!sourcesFirst) {
        second.refresh(-1, "IBM", 10);
        f.took(2);
    }
    const auto served = [&] {
        const std::uint64_t closes = f.provider.inbox.size();
        f.update(stream, 23);
        c.until(23);
        web.until("23");
        CHECK(closes == 0);
    };
    SECTION("while the source serves it well") {}
    SECTION("nor when the source calls it Suspect") {
        Msg m = RawProvider::status(stream, StreamState::open, suspect, 0, "slow");
        m.domain = 6;
        f.provider.send(m);
        c.untilState(suspect);
        web.until("20", "Suspect");
        CHECK(c.text == "slow");
        second.refresh(-1, "IBM", 11);
        f.took(3);
        c.readAll();
        CHECK(c.data == suspect);
        f.refresh(stream, 22);
        c.until(22);
    }
    served();
    // The first in order has it at once, if publishers come first.
    leader.refresh(-2, "IBM", 30);
    if (!sourcesFirst) {
        c.until(30);
        f.closed(stream);
    }
}

TEST_CASE("a source that comes back leaves items with their publisher until it can be asked for them",
          "[hub][node][offers]") {
    Both f(true);
    f.provider.die();
    f.until([&] { return !f.service().offers.front().usable(); });
    Feed feed(f);
    feed.refresh(-1, "A", 10);
    feed.refresh(-2, "B", 20);
    f.took(2);
    Far a(f, "a"), b(f, "b");
    FarText web(f, "B");
    a.open("A");
    b.open("B");
    a.until(10);
    b.until(20);
    web.until("20");
    // It takes one request at a time.
    f.provider.services.front().filters |= rdm::DirectoryFilter::load;
    f.provider.services.front().load.openWindow = 1;
    f.provider.revive();
    const std::int32_t first = f.askedFor("A");
    a.untilState(suspect);
    feed.update(-2, 21);
    b.until(21);
    web.until("21");
    CHECK(f.provider.inbox.empty());
    SECTION("its turn comes") {
        f.refresh(first, 30, "A");
        a.until(30);
        const std::int32_t second = f.askedFor("B");
        b.untilState(suspect);
        f.refresh(second, 40, "B");
        b.until(40);
        web.until("40");
        feed.update(-2, 22);
        f.update(second, 41);
        b.until(41);
    }
    SECTION("the source is lost before") {
        f.provider.die();
        a.until(10);
        feed.update(-1, 11);
        a.until(11);
        feed.update(-2, 22);
        b.until(22);
        web.until("22");
    }
    SECTION("nobody wants the other one any more") {
        b.close();
        web.text.send(R"({"ID":5,"Type":"Close"})");
        f.until([&] { return f.metric("emissary_hub_mounts") == 1; });
        f.refresh(first, 30, "A");
        a.until(30);
        Far late(f, "late");
        late.open("B");
        f.refresh(f.askedFor("B"), 40, "B");
        late.until(40);
    }
}

TEST_CASE("items that were asked for before the first publisher came have images for those who come late",
          "[hub][node][offers]") {
    Both f;
    Far c(f, "far");
    c.open("IBM");
    f.refresh(f.askedFor("IBM"), 10);
    c.until(10);
    Feed feed(f);
    feed.refresh(-1, "IBM", 20);
    c.until(20);
    feed.update(-1, 21);
    c.until(21);
    Far late(f, "late");
    late.open("IBM");
    late.until(21);
}

TEST_CASE("a publisher's image stands by for an item that was asked for before the first publisher came",
          "[hub][node][offers]") {
    Both f(true);
    Far c(f, "far");
    FarText web(f, "IBM");
    c.open("IBM");
    const std::int32_t stream = f.askedFor("IBM");
    f.refresh(stream, 10);
    c.until(10);
    web.until("10");
    Feed feed(f);
    feed.refresh(-1, "IBM", 20);
    feed.update(-1, 21);
    f.took(2);
    f.provider.die();
    c.until(21);
    web.until("21");
    feed.update(-1, 22);
    c.until(22);
    Far late(f, "late");
    late.open("IBM");
    late.until(22);
}

TEST_CASE("who joins while a publisher sends a refresh in parts waits for it, and asks no source",
          "[hub][node][offers]") {
    Both f;
    const bool had = GENERATE(false, true);
    Far c(f, "far");
    std::int32_t stream = 0;
    if (had) {
        c.open("IBM");
        stream = f.askedFor("IBM");
        f.refresh(stream, 5);
        c.until(5);
    }
    Feed feed(f);
    feed.part(-1, "IBM", 10, 0, false);
    f.took(1);
    if (had) f.closed(stream);
    Far late(f, "late");
    FarText web(f, "IBM");
    late.open("IBM");
    late.readAll();
    CHECK(late.value.empty());
    CHECK(f.provider.inbox.empty());
    feed.part(-1, "IBM", 11, 1, true);
    late.until(11);
    web.until("11");
    if (had) c.until(11);
    feed.update(-1, 12);
    late.until(12);
    web.until("12");
    CHECK(f.provider.inbox.empty());
}

TEST_CASE("an item that waits for its turn at the source does not wait for its publisher any more",
          "[hub][node][offers]") {
    Both f(false, [](HubSettings& s) { s.services.front().republishTimeout = 5s; });
    auto feed = std::make_unique<Feed>(f);
    feed->refresh(-1, "IBM", 10);
    f.took(1);
    Far c(f, "far"), other(f, "other");
    FarText web(f, "IBM");
    c.open("IBM");
    c.until(10);
    web.until("10");
    f.provider.die();
    f.until([&] { return !f.service().offers.front().usable(); });
    other.open("OTHER");
    other.untilState(suspect);
    feed.reset();
    c.untilState(suspect);
    const auto lost = std::chrono::steady_clock::now();
    // The source takes one request at a time, and OTHER was there first.
    f.provider.services.front().filters |= rdm::DirectoryFilter::load;
    f.provider.services.front().load.openWindow = 1;
    f.provider.revive();
    const std::int32_t first = f.askedFor("OTHER");
    f.until([&] { return f.metric("emissary_hub_upstream_queued") == 1; });
    f.until([&] { return std::chrono::steady_clock::now() - lost > 5300ms; });
    CHECK(f.metric("emissary_hub_republish_timeouts_total") == 0);
    c.readAll();
    CHECK(c.open_ == StreamState::open);
    f.refresh(first, 20, "OTHER");
    other.until(20);
    f.refresh(f.askedFor("IBM"), 30);
    c.until(30);
    web.until("30");
    CHECK(f.metric("emissary_hub_upstream_queued") == 0);
}

TEST_CASE("a publisher's item that the source serves is no record that nobody changes", "[hub][node][offers]") {
    Both f(false, [](HubSettings& s) { s.services.front().expireAfter = 1s; });
    auto feed = std::make_unique<Feed>(f);
    feed->refresh(-1, "IBM", 10);
    f.took(1);
    Far c(f, "far");
    FarText web(f, "IBM");
    c.open("IBM");
    c.until(10);
    feed->status(-1, StreamState::closedRecover, suspect, "moved");
    const std::int32_t stream = f.askedFor("IBM");
    f.refresh(stream, 20);
    c.until(20);
    web.until("20");
    feed->refresh(-2, "OTHER", 11);  // younger
    f.until([&] { return f.hub->rooms().items.size() == 2; });
    f.until([&] { return f.hub->rooms().items.size() == 1; });
    CHECK(f.metric("emissary_hub_records_expired_total") == 1);
    f.update(stream, 21);
    c.until(21);
    web.until("21");
    // It is a record again when its publisher has it.
    feed->refresh(-3, "IBM", 30);
    c.until(30);
    f.until([&] { return f.metric("emissary_hub_records_expired_total") == 2; });
    while (c.open_ == StreamState::open)
        c.take(c.wire.next());
}

TEST_CASE("an item that waited for a source is not counted when it goes after the source's offer",
          "[hub][node][offers]") {
    Both f;
    Feed feed(f);
    feed.refresh(-1, "IBM", 10);
    f.took(1);
    f.provider.die();
    f.until([&] { return !f.service().offers.front().usable(); });
    Far c(f, "far");
    c.open("MSFT");
    c.untilState(suspect);
    CHECK(f.metric("emissary_hub_upstream_parked") == 1);
    // The publisher is there alone, and what the source offers now does not fit it.
    f.provider.services = {RawProvider::service(HubFixture::kUpstreamId + 1, "DIRECT_FEED")};
    f.provider.services.front().info.qos = {codec::Qos{1, 2, false, 0, 0}};
    f.provider.revive();
    f.until([&] { return f.service().offers.empty(); });
    c.close();
    f.until([&] { return f.hub->rooms().items.size() == 1; });
    CHECK(f.metric("emissary_hub_upstream_parked") == 0);
}

TEST_CASE("publishers and source come and go at random, and nothing that is Ok is old", "[hub][node][offers]") {
    const bool sourcesFirst = GENERATE(false, true);
    std::mt19937 random(sourcesFirst ? 7u : 8u);
    Both f(sourcesFirst);
    std::vector<std::unique_ptr<Far>> clients;
    const std::array<std::string, 4> names{"A", "B", "C", "D"};
    for (const std::string& name : names) {
        clients.push_back(std::make_unique<Far>(f, name));
        clients.back()->open(name);
    }
    std::map<std::int32_t, std::string> streams, unanswered;  // at the provider
    // What each offer said last of an item, while it has it.
    std::map<std::string, std::uint64_t> source, published;
    std::uint64_t value = 100;
    bool answers = true;
    const auto answer = [&] {
        while (const auto got = f.provider.take()) {
            const std::int32_t stream = got->msg.streamId;
            if (got->msg.cls == MsgClass::Close && streams.contains(stream)) source.erase(streams[stream]);
            if (got->msg.cls == MsgClass::Close) streams.erase(stream), unanswered.erase(stream);
            if (got->msg.cls != MsgClass::Request || got->msg.domain != 6) continue;
            if (!got->msg.has(RequestFlag::noRefresh)) unanswered[stream] = got->name();
        }
        if (!answers) return;
        for (const auto& [stream, name] : std::exchange(unanswered, {})) {
            if (!name.empty()) streams[stream] = name;
            if (!streams.contains(stream)) continue;
            source[streams[stream]] = ++value;
            f.refresh(stream, value, streams[stream]);
        }
    };
    const auto is = [](const auto& offer, const std::string& name, const std::string& shown) {
        const auto at = offer.find(name);
        return at != offer.end() && shown == "1=" + std::to_string(at->second);
    };
    bool alive = true;
    std::size_t shown = 0;
    std::string old, waits;
    const auto nothingIsOld = [&] {
        answer();
        old.clear();
        waits.clear();
        shown = 0;
        for (std::size_t i = 0; i < names.size(); ++i) {
            Far& c = *clients[i];
            c.readAll();
            if (c.open_ != StreamState::open) continue;
            if (c.data != ok) {  // the source has what no publisher has
                if (alive && answers) waits += names[i] + " is Suspect: " + c.text + "; ";
                continue;
            }
            ++shown;
            if (!is(source, names[i], c.value) && !is(published, names[i], c.value))
                old += names[i] + " is Ok with " + c.value + "; ";
        }
        return old.empty() && waits.empty();
    };
    std::unique_ptr<Feed> feed;
    std::size_t everShown = 0;
    for (int round = 0; round < 300; ++round) {
        const std::size_t at = random() % names.size();
        const auto stream = -1 - static_cast<std::int32_t>(at);
        answers = random() % 4 != 0;  // else the source takes its time
        switch (random() % 12) {
        case 0:
            alive = !alive;
            if (alive) {
                f.provider.revive();
                f.until([&] { return f.service().offers.front().usable(); });
                break;
            }
            f.provider.die();
            streams.clear();
            unanswered.clear();
            source.clear();
            break;
        case 1:
            published.clear();
            if (feed) feed.reset();
            else feed = std::make_unique<Feed>(f);
            break;
        case 2:
        case 3:
            if (!feed) break;
            published[names[at]] = ++value;
            feed->refresh(stream, names[at], value);
            break;
        case 4:
        case 5:
            if (!feed) break;
            ++value;
            if (published.contains(names[at])) published[names[at]] = value;
            feed->update(stream, value);
            break;
        case 6:
            if (!feed) break;
            published.erase(names[at]);
            feed->status(stream, StreamState::closedRecover, suspect, "ended");
            break;
        case 7:
            if (feed) feed->serviceState(random() % 2 == 0);
            break;
        default:
            if (streams.empty()) break;
            source[streams.begin()->second] = ++value;
            f.update(streams.begin()->first, value);
            break;
        }
        for (int turns = 0; turns < 4; ++turns) {
            f.turn();
            answer();
        }
        // What the hub has not dealt with yet is not old for long.
        const auto begin = std::chrono::steady_clock::now();
        while (!nothingIsOld() && std::chrono::steady_clock::now() - begin < RawConsumer::kPatience)
            f.turn();
        INFO("round " << round);
        REQUIRE(old + waits == "");
        everShown += shown;
        for (std::size_t i = 0; i < names.size(); ++i)
            if (Far& c = *clients[i]; c.open_ == StreamState::closedRecover || c.open_ == StreamState::closed) {
                c.open_ = StreamState::unspecified;
                c.open(names[i]);
            }
    }
    CHECK(everShown > 300);
    answers = true;
    // In the end the better offer serves, with the values of now.
    if (!alive) f.provider.revive();
    feed.reset();
    f.until([&] {
        answer();
        return f.service().publishers.empty() && f.service().servedHere();
    });
    for (std::size_t i = 0; i < names.size(); ++i) {
        Far& c = *clients[i];
        if (c.open_ != StreamState::open) continue;
        const auto served = [&] {
            for (const auto& [stream, name] : streams)
                if (name == names[i]) return true;
            return false;
        };
        f.until([&] {
            answer();
            return served();
        });
        for (const auto& [stream, name] : streams)
            if (name == names[i]) f.update(stream, 7'000 + i);
        c.until(7'000 + i);
    }
    feed = std::make_unique<Feed>(f);
    for (std::size_t i = 0; i < names.size(); ++i)
        feed->refresh(-1 - static_cast<std::int32_t>(i), names[i], 8'000 + i);
    if (!sourcesFirst)
        for (std::size_t i = 0; i < names.size(); ++i)
            if (clients[i]->open_ == StreamState::open) clients[i]->until(8'000 + i);
}
