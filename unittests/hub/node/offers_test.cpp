// One service with offers of different kinds: publishers, a source of the hub's own, other hubs. Who serves an item,
// and what clients see when that changes.
#include "meshed.h"
#include "publisher.h"
#include "reactor/json/fixture.h"

#include <random>

using namespace emissary;
using namespace emissary::test;
using json_test::Json;

namespace {

/// A publisher of the service that the provider and other hubs have too.
struct Feed : Publisher {
    explicit Feed(HubFixture& f) : Publisher(f, 0, "DIRECT_FEED") {}
};

/// A hub with a source and publishers of one service.
struct Both : HubFixture {
    explicit Both(bool sourcesFirst = false, const std::function<void(HubSettings&)>& change = {})
        : HubFixture([&](HubSettings& s) {
              s.services.front().preferSources = sourcesFirst;
              s.dictionary.fieldFile = sourcePath("/etc/RDMFieldDictionary");
              s.dictionary.enumFile = sourcePath("/etc/enumtype.def");
              s.dictionary.configured = true;
              s.sources.front().reconnect.minDelay = 10ms;
              s.sources.front().reconnect.maxDelay = 20ms;
              if (change) change(s);
          }) {
        plainNumbers = true;
        connected();
    }
    [[nodiscard]] Service& service() { return *hub->rooms().services.find(kId); }
    [[nodiscard]] std::uint64_t metric(const char* name) {
        return hub->rooms().reactor.metrics().value(name).value_or(0);
    }
    /// The hub has the publisher's item: nobody serves it better, or it waits as a standby image.
    void took(std::uint64_t messages) {
        until([&] { return metric("emissary_hub_published_total") >= messages; });
    }
    /// The stream on which the provider was asked for the item; closes before it are passed over.
    [[nodiscard]] std::int32_t askedFor(std::string_view name) {
        for (;;) {
            const auto got = asked();
            if (got.msg.cls == MsgClass::Request && got.name() == name) return got.msg.streamId;
        }
    }
    /// The provider is told that nobody wants that stream any more.
    void closed(std::int32_t stream) {
        for (;;) {
            const auto got = asked();
            if (got.msg.cls == MsgClass::Close && got.msg.streamId == stream) return;
        }
    }
};

/// A JSON client with one item.
struct FarText {
    explicit FarText(HubFixture& f, const std::string& name) : text(webSocketTo(f.hub->port()), [&f] { f.turn(); }) {
        text.send(R"({"ID":1,"Domain":"Login","Key":{"Name":"dana"}})");
        CHECK(text.next("Domain", "Login").at("State").at("Stream").text == "Open");
        text.send(R"({"ID":5,"Key":{"Name":")" + name + R"(","Service":"DIRECT_FEED"}})");
    }
    /// Reads until the last value and data state are these.
    void until(const std::string& bid, const std::string& data = "Ok") {
        while (value != bid || state != data) {
            const Json got = text.next("ID", "5");
            if (got.find("State") != nullptr) state = got.at("State").at("Data").text;
            if (got.find("Fields") != nullptr) value = got.at("Fields").at("PROD_PERM").text;
        }
    }
    TextClient text;
    std::string value, state;
};

[[nodiscard]] Msg postTo(HubFixture& f, std::int32_t stream, std::uint32_t id, std::uint64_t bid) {
    Msg post;
    post.cls = MsgClass::Post;
    post.domain = 6;
    post.streamId = stream;
    post.flags = codec::PostFlag::ack | codec::PostFlag::postId | codec::PostFlag::complete;
    post.postId = id;
    f.fill(post, bid);
    return post;
}

/// The answer to a post of that client.
[[nodiscard]] Received ackOf(Far& c) {
    for (;;) {
        Received got = c.wire.next();
        if (got.msg.cls == MsgClass::Ack) return got;
        c.take(got);
    }
}

}  // namespace

TEST_CASE("what a publisher has not is asked of the source of the same service", "[hub][node][offers]") {
    Both f;
    Feed feed(f);
    feed.refresh(-1, "IBM", 10);
    f.took(1);
    Far ibm(f, "ibm"), msft(f, "msft");
    ibm.open("IBM");
    ibm.until(10);
    msft.open("MSFT");
    const std::int32_t stream = f.askedFor("MSFT");
    f.refresh(stream, 20, "MSFT");
    msft.until(20);
    feed.update(-1, 11);
    ibm.until(11);
    f.update(stream, 21);
    msft.until(21);
    CHECK(f.provider.inbox.empty());  // nobody asked it for IBM
    CHECK(f.service().publishers.size() == 1);
    CHECK(f.service().offers.size() == 1);
}

TEST_CASE(
    "an item of a publisher that is killed goes to the source with a fresh image, and comes back with the publisher",
    "[hub][node][offers]") {
    Both f;
    auto feed = std::make_unique<Feed>(f);
    feed->refresh(-1, "IBM", 10);
    f.took(1);
    Far c(f, "far");
    FarText web(f, "IBM");
    c.open("IBM");
    c.until(10);
    web.until("10");
    feed.reset();
    c.untilState(suspect);
    web.until("10", "Suspect");
    std::int32_t stream = f.askedFor("IBM");
    c.readAll();
    CHECK(c.data == suspect);  // no image has come
    CHECK(f.service().up());
    f.refresh(stream, 30);
    c.until(30);
    web.until("30");
    f.update(stream, 31);
    c.until(31);
    // Late joiners have the source's image.
    Far late(f, "late");
    late.open("IBM");
    late.until(31);
    feed = std::make_unique<Feed>(f);
    feed->refresh(-1, "IBM", 40);
    c.until(40);
    web.until("40");
    late.until(40);
    f.closed(stream);
    feed->update(-1, 41);
    c.until(41);
    web.until("41");
    CHECK(f.metric("emissary_hub_upstream_streams") == 0);
}

TEST_CASE("a service is up while one of its offers is, and items of a source that is killed go to a publisher",
          "[hub][node][offers]") {
    Both f;
    Feed feed(f);
    feed.refresh(-1, "IBM", 10);
    f.took(1);
    Far ibm(f, "ibm"), msft(f, "msft");
    FarText web(f, "MSFT");
    ibm.open("IBM");
    ibm.until(10);
    msft.open("MSFT");
    f.refresh(f.askedFor("MSFT"), 20, "MSFT");
    msft.until(20);
    web.until("20");
    f.provider.die();
    msft.untilState(suspect);
    web.until("20", "Suspect");
    ibm.readAll();
    CHECK(ibm.data == ok);
    CHECK(f.service().up());
    feed.refresh(-2, "MSFT", 50);
    msft.until(50);
    web.until("50");
    // A client that asks for what nobody has waits for the source.
    Far odd(f, "odd");
    odd.open("ODD");
    odd.untilState(suspect);
    f.provider.revive();
    f.refresh(f.askedFor("ODD"), 60, "ODD");
    odd.until(60);
    msft.readAll();
    CHECK(msft.value == "1=50");  // the publisher has it, and comes first
    feed.update(-2, 51);
    msft.until(51);
}

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
        Msg close;
        close.cls = MsgClass::Close;
        close.domain = 6;
        close.streamId = 5;
        c.wire.send(close);
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
        Msg close;
        close.cls = MsgClass::Close;
        close.domain = 6;
        close.streamId = 5;
        b.wire.send(close);
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

TEST_CASE("an item goes where it is served when a publisher ends it, calls it Suspect, or its service is down",
          "[hub][node][offers]") {
    Both f;
    Feed feed(f);
    feed.refresh(-1, "IBM", 10);
    f.took(1);
    Far c(f, "far");
    c.open("IBM");
    c.until(10);
    SECTION("closed with recover: the source is asked") {
        feed.status(-1, StreamState::closedRecover, suspect, "moved");
        c.untilState(suspect);
        CHECK(c.text == "moved");
        f.refresh(f.askedFor("IBM"), 20);
        c.until(20);
    }
    SECTION("closed with recover for its group or its service: the same") {
        FarText web(f, "IBM");
        web.until("10");
        if (GENERATE(true, false)) feed.groupStatus(StreamState::closedRecover, suspect, "moved");
        else feed.serviceStatus(StreamState::closedRecover, suspect, "moved");
        c.untilState(suspect);
        CHECK(c.open_ == StreamState::open);
        CHECK(c.text == "moved");
        f.refresh(f.askedFor("IBM"), 20);
        c.until(20);
        web.until("20");
    }
    SECTION("closed: the item is over") {
        feed.status(-1, StreamState::closed, suspect, "delisted");
        while (c.open_ == StreamState::open)
            c.take(c.wire.next());
        CHECK(c.text == "delisted");
        f.until([&] { return f.hub->rooms().items.size() == 0; });
    }
    SECTION("its service is down: the source is asked, and the publisher has it again when it is up") {
        feed.serviceState(false);
        c.untilState(suspect);
        const std::int32_t stream = f.askedFor("IBM");
        f.refresh(stream, 20);
        c.until(20);
        CHECK(f.service().up());
        feed.update(-1, 11);
        feed.serviceState(true);
        c.until(11);
        f.closed(stream);
    }
    SECTION("both are down: the service is, and the item is Suspect until one of them is back") {
        feed.serviceState(false);
        f.refresh(f.askedFor("IBM"), 20);
        c.until(20);
        f.provider.die();
        c.untilState(suspect);
        f.until([&] { return !f.service().up(); });
        feed.update(-1, 11);
        feed.serviceState(true);
        c.until(11);
        CHECK(f.service().up());
    }
}

TEST_CASE("posts go to the offer that holds the item", "[hub][node][offers][post]") {
    Both f(false, [](HubSettings& s) { s.supportOmmPost = true; });
    Feed feed(f);
    feed.refresh(-1, "IBM", 10);
    f.took(1);
    Far ibm(f, "ibm"), msft(f, "msft");
    ibm.open("IBM");
    ibm.until(10);
    msft.open("MSFT");
    const std::int32_t stream = f.askedFor("MSFT");
    f.refresh(stream, 20, "MSFT");
    msft.until(20);
    ibm.wire.send(postTo(f, 5, 3, 11));
    CHECK(int{ackOf(ibm).msg.nakCode} == 0);
    ibm.until(11);
    CHECK(f.provider.inbox.empty());
    msft.wire.send(postTo(f, 5, 4, 21));
    const auto got = f.asked();
    CHECK(got.msg.cls == MsgClass::Post);
    CHECK(got.msg.streamId == stream);
    Msg ack;
    ack.cls = MsgClass::Ack;
    ack.domain = 6;
    ack.streamId = stream;
    ack.ackId = got.msg.postId;
    f.provider.send(ack);
    CHECK(ackOf(msft).msg.ackId == 4);
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
    Msg close;
    close.cls = MsgClass::Close;
    close.domain = 6;
    close.streamId = 5;
    c.wire.send(close);
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

// --- with other hubs -------------------------------------------------------------------------------------------------

TEST_CASE("an edge has what its publisher does not from the owner, and the publisher's items too while it is away",
          "[hub][node][offers][mesh]") {
    Meshed m;
    HubFixture& owner = m.add("owner", Meshed::Role::owner);
    HubFixture& edge = m.add("edge", Meshed::Role::edge);
    owner.connected();
    edge.connected();
    auto feed = std::make_unique<Feed>(edge);
    feed->refresh(-1, "IBM", 10);
    Far ibm(edge, "ibm"), msft(edge, "msft");
    FarText web(edge, "IBM");
    edge.until([&] { return Meshed::metric(edge, "emissary_hub_published_total") == 1; });
    msft.open("MSFT");
    const std::int32_t far = Meshed::asked(owner);
    owner.refresh(far, 20, "MSFT");
    msft.until(20);
    ibm.open("IBM");
    ibm.until(10);
    web.until("10");
    CHECK(owner.provider.inbox.empty());
    feed.reset();
    ibm.untilState(suspect);
    const std::int32_t stream = Meshed::asked(owner);
    owner.refresh(stream, 30);
    ibm.until(30);
    web.until("30");
    CHECK(edge.hub->rooms().services.find(HubFixture::kId)->up());
    feed = std::make_unique<Feed>(edge);
    feed->refresh(-1, "IBM", 40);
    ibm.until(40);
    web.until("40");
    CHECK(owner.asked().msg.cls == MsgClass::Close);
    // The owner is cut off: its items are Suspect, the publisher's are not, and the service is up.
    m.mesh.cut("owner");
    msft.untilState(suspect);
    feed->update(-1, 41);
    ibm.until(41);
    CHECK(edge.hub->rooms().services.find(HubFixture::kId)->up());
    m.mesh.heal("owner");
    msft.until(20);
}

TEST_CASE("an owner's publishers feed the clients of an edge, and its source what they have not",
          "[hub][node][offers][mesh]") {
    Meshed m;
    HubFixture& owner = m.add("owner", Meshed::Role::owner);
    HubFixture& edge = m.add("edge", Meshed::Role::edge);
    owner.connected();
    auto feed = std::make_unique<Feed>(owner);
    feed->refresh(-1, "IBM", 10);
    owner.until([&] { return Meshed::metric(owner, "emissary_hub_published_total") == 1; });
    edge.connected();
    Far ibm(edge, "ibm"), msft(edge, "msft");
    ibm.open("IBM");
    ibm.until(10);
    CHECK(owner.provider.inbox.empty());
    msft.open("MSFT");
    owner.refresh(Meshed::asked(owner), 20, "MSFT");
    msft.until(20);
    feed->update(-1, 11);
    ibm.until(11);
    feed.reset();
    ibm.untilState(suspect);
    owner.refresh(Meshed::asked(owner), 30);
    ibm.until(30);
    feed = std::make_unique<Feed>(owner);
    feed->refresh(-1, "IBM", 40);
    ibm.until(40);
}

TEST_CASE("two hubs with publishers of one service have each other's items, and ask a third for the rest",
          "[hub][node][offers][mesh]") {
    Meshed m;
    m.change = [](HubSettings& s) { s.sources.clear(); };
    HubFixture& a = m.add("a", Meshed::Role::both, 1);
    HubFixture& b = m.add("b", Meshed::Role::both, 2);
    HubFixture& c = m.add("c", Meshed::Role::both, 3);
    Feed ofA(a), ofB(b), ofC(c);
    ofA.refresh(-1, "A", 10);
    ofB.refresh(-1, "B", 20);
    ofC.refresh(-1, "C", 30);
    for (HubFixture* const f : {&a, &b, &c}) {
        f->connected();
        f->until([&] {
            const Service* const s = f->hub->rooms().services.find(HubFixture::kId);
            return s != nullptr && s->mesh.usable() && Meshed::metric(*f, "emissary_hub_mesh_peers") == 2;
        });
    }
    Far own(a, "a"), near(a, "b"), far(a, "c"), back(c, "c");
    own.open("A");
    own.until(10);
    near.open("B");
    near.until(20);
    far.open("C");  // b, whose rank is better, does not have it
    far.until(30);
    back.open("A");
    back.until(10);
    ofC.update(-1, 31);
    far.until(31);
    ofA.update(-1, 11);
    back.until(11);
}
