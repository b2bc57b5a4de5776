// Requests upstream, answers, and recovery (hub.md 4.2, 4.3).
#include "upstream_fixture.h"

using namespace emissary;
using namespace emissary::test;
using namespace std::chrono_literals;
using Events = std::vector<std::string>;

TEST_CASE("ids differ at both ends, and one stream serves all clients") {
    Upstream h;
    h.ready();
    const Service& service = *h.services->find("FEED");
    CHECK((service.id == 7 || service.id == 9));
    CHECK(service.offers.size() == 2);
    Client &one = h.client(), &two = h.client();
    REQUIRE(h.join(one, 5));
    const codec::Msg request = h.expect(h.a, "IBM");
    CHECK(request.key.serviceId == 7);
    CHECK(request.has(codec::RequestFlag::streaming));
    CHECK_FALSE(request.has(codec::RequestFlag::msgKeyInUpdates));
    REQUIRE(h.join(two, 8));
    h.refresh(h.a, request.streamId, 42);
    h.update(h.a, request.streamId, 43);
    h.until([&] { return h.out.size() == 4; });
    CHECK(h.count(h.out, "RFSH Open/Ok solicited 42") == 2);
    CHECK(h.got("0:5 UPD 43"));
    CHECK(h.got("1:8 UPD 43"));
    CHECK(h.b.inbox.empty());
    // A late joiner of an item without an image has it asked for again; the others are not disturbed.
    h.take();
    REQUIRE(h.join(h.client(), 3));
    const codec::Msg again = h.expect(h.a, "IBM");
    CHECK(again.streamId == request.streamId);
    h.update(h.a, request.streamId, 44);
    h.refresh(h.a, request.streamId, 44);
    h.settle();
    CHECK(h.take() == Events{"0:5 UPD 44", "1:8 UPD 44", "2:3 RFSH Open/Ok solicited 44"});
}

TEST_CASE("the last one who leaves closes the stream") {
    Upstream h;
    h.ready();
    Client &one = h.client(), &two = h.client();
    const std::int32_t id = h.open(one, 5, "IBM", h.a, 1);
    REQUIRE(h.join(two, 5));
    h.refresh(h.a, h.expect(h.a, "IBM").streamId, 1);
    h.settle();
    h.leave(one, 5);
    h.settle();
    CHECK(h.count(h.a.wire, "CLOSE") == 0);
    h.leave(two, 5);
    h.until([&] { return h.count(h.a.wire, "CLOSE " + std::to_string(id)) == 1; });
    CHECK(h.item() == nullptr);
    CHECK(h.upstreams->supply().counts().streams == 0);
}

TEST_CASE("a cached item lingers, and is there for who comes back in time") {
    Upstream h;
    h.policy.itemLinger = 5s;
    h.policy.cache.rule = CachePolicy::Rule::all;
    h.ready();
    Client& c = h.client();
    h.open(c, 5, "IBM", h.a, 1);
    h.leave(c, 5);
    h.advance(4s);
    CHECK(h.count(h.a.wire, "CLOSE") == 0);
    h.take();
    REQUIRE(h.join(c, 6));
    CHECK(h.got("0:6 RFSH Open/Ok solicited 1"));
    h.leave(c, 6);
    h.advance(2s);
    h.advance(6s);
    CHECK(h.count(h.a.wire, "CLOSE") == 1);
    CHECK(h.item() == nullptr);
}

// --- loss of a source ------------------------------------------------------------------------------------------------

TEST_CASE("ordered: items of a lost source move to the next one, suspect in between, and stay there") {
    Upstream h;
    h.ready();
    Client& c = h.client();
    h.open(c, 5, "IBM", h.a, 1);
    h.take();
    h.told.clear();
    h.a.die();
    const codec::Msg moved = h.expect(h.b, "IBM");
    CHECK(moved.key.serviceId == 9);
    CHECK(h.out == Events{"0:5 STAT Open/Suspect/9"});
    CHECK(h.told.front() == "group FEED 2/9");  // before the directory
    CHECK(h.services->find("FEED")->up());
    h.refresh(h.b, moved.streamId, 2);
    h.until([&] { return h.out.size() == 2; });
    CHECK(h.out[1] == "0:5 RFSH Open/Ok/10 2");
    CHECK(h.upstreams->supply().counts().recoveries == 1);
    CHECK(h.acks == Events{"lost A"});
    h.take();
    h.a.revive();
    h.clock.advance(2s);
    h.until([&] { return h.at(0).up(); });
    h.settle();
    CHECK(h.a.inbox.empty());
    h.update(h.b, moved.streamId, 3);
    h.until([&] { return h.got("0:5 UPD 3"); });
}

TEST_CASE("with nobody left items stay suspect, and have a refresh when a source is back") {
    Upstream h;
    h.settings.pop_back();
    h.ready();
    Client& c = h.client();
    h.open(c, 5, "IBM", h.a, 1);
    h.take();
    h.a.die();
    h.until([&] { return !h.out.empty(); });
    CHECK(h.out == Events{"0:5 STAT Open/Suspect"});
    CHECK_FALSE(h.services->find("FEED")->up());
    CHECK(h.upstreams->supply().counts().parked == 1);
    REQUIRE(h.join(c, 6, "NEW"));  // comes meanwhile
    CHECK(h.got("0:6 STAT Open/Suspect"));
    h.take();
    h.a.revive();
    h.clock.advance(2s);
    h.refresh(h.a, h.expect(h.a, "IBM").streamId, 2);
    h.refresh(h.a, h.expect(h.a, "NEW").streamId, 3);
    h.until([&] { return h.out.size() == 2; });
    CHECK(h.got("0:5 RFSH Open/Ok 2"));
    CHECK(h.got("0:6 RFSH Open/Ok solicited 3"));
    CHECK(h.upstreams->supply().counts().parked == 0);
    CHECK(h.upstreams->supply().counts().outstanding == 0);
}

TEST_CASE("a source lost in the middle of a refresh: nothing half is ever given as whole") {
    Upstream h;
    h.policy.cache.rule = CachePolicy::Rule::all;
    h.ready();
    Client& c = h.client();
    REQUIRE(h.join(c, 5));
    codec::Msg part = RawProvider::refresh(h.expect(h.a, "IBM").streamId, Stream::open, true, false);
    h.a.send(part);
    h.settle();
    h.a.die();
    h.refresh(h.b, h.expect(h.b, "IBM").streamId, 7);
    h.until([&] { return h.count(h.out, "RFSH") != 0; });
    CHECK(h.last[std::pair(0u, 5)] == std::pair<std::uint8_t, std::uint64_t>(ok, 7));
    REQUIRE(h.join(h.client(), 1));
    CHECK(h.got("1:1 RFSH Open/Ok/10 solicited 7"));
}

TEST_CASE("clients that do not allow suspect data are told ClosedRecover, and the item goes with the last of them") {
    Upstream h;
    h.ready();
    Client& c = h.client(false, false);
    h.open(c, 5, "IBM", h.a, 1);
    h.take();
    h.a.die();
    h.until([&] { return !h.out.empty(); });
    CHECK(h.out == Events{"0:5 STAT Recover/Suspect/9"});
    h.settle();
    CHECK(h.item() == nullptr);
    CHECK(h.b.inbox.empty());
}

TEST_CASE("a service that goes down without a status serves nothing new and keeps what is open and nobody else has") {
    Upstream h;
    h.ready();
    Client& c = h.client();
    const std::int32_t id = h.open(c, 5, "IBM", h.a, 1);
    h.take();
    h.a.sendServiceState(7, false, false);
    h.settle();
    CHECK(h.out.empty());
    h.b.send(RawProvider::status(h.expect(h.b, "IBM").streamId, Stream::closed, suspect, 1));
    REQUIRE(h.join(c, 6, "NEW"));
    CHECK(h.expect(h.b, "NEW").key.serviceId == 9);
    h.update(h.a, id, 2);
    h.until([&] { return h.got("0:5 UPD 2"); });
}

TEST_CASE("groups with the same bytes at two sources: a status reaches the items of one") {
    Upstream h;
    h.policy.sourceMode = SourceMode::balanced;
    h.ready();
    Client& c = h.client();
    const std::byte group[] = {std::byte{0}, std::byte{5}};
    REQUIRE(h.join(c, 1, "ONE"));
    REQUIRE(h.join(c, 2, "TWO"));
    h.until([&] { return !h.a.inbox.empty() && !h.b.inbox.empty(); });
    const std::string atA = h.a.inbox.front().name(), atB = h.b.inbox.front().name();
    h.refresh(h.a, h.expect(h.a, atA).streamId, 1, Stream::open, true, group);
    h.refresh(h.b, h.expect(h.b, atB).streamId, 2, Stream::open, true, group);
    h.settle();
    CHECK(h.item("ONE")->group != h.item("TWO")->group);
    h.take();
    h.a.sendGroupStatus(7, group, {Stream::open, suspect, 0, {}});
    h.until([&] { return !h.out.empty(); });
    h.settle();
    CHECK(h.out.size() == 1);
    CHECK(h.item(atA)->dataState == suspect);
    CHECK(h.item(atB)->dataState == ok);
    h.a.sendGroupStatus(7, group, {Stream::closedRecover, suspect, 0, {}});
    CHECK(h.expect(h.b, atA).key.serviceId == 9);  // moved
}

// --- answers ---------------------------------------------------------------------------------------------------------

TEST_CASE("a refusal is passed on, and remembered as long as the policy says") {
    Upstream h;
    h.policy.negativeCache = 3s;
    h.ready();
    Client& c = h.client();
    REQUIRE(h.join(c, 5));
    h.a.send(RawProvider::status(h.expect(h.a, "IBM").streamId, Stream::closed, suspect, 7, "not found"));
    h.until([&] { return !h.out.empty(); });
    CHECK(h.take() == Events{"0:5 STAT Closed/Suspect/7"});
    CHECK(h.item() == nullptr);
    REQUIRE(h.join(c, 6));
    CHECK(h.take() == Events{"0:6 STAT Closed/Suspect/7"});
    h.settle();
    CHECK(h.a.inbox.empty());
    h.advance(4s);
    REQUIRE(h.join(c, 7));
    h.expect(h.a, "IBM");
}

TEST_CASE("ClosedRecover: another source at once, then the first one again after 1, 2, 4 seconds") {
    Upstream h;
    h.ready();
    Client& c = h.client();
    REQUIRE(h.join(c, 5));
    h.a.send(RawProvider::status(h.expect(h.a, "IBM").streamId, Stream::closedRecover, suspect, 4));
    h.b.send(RawProvider::status(h.expect(h.b, "IBM").streamId, Stream::closedRecover, suspect, 4));
    h.settle();
    CHECK(h.take() == Events{"0:5 STAT Open/Suspect/4"});  // once
    for (const auto pause : {1000ms, 2000ms, 4000ms}) {
        h.advance(pause - 100ms);
        CHECK(h.a.inbox.empty());
        h.clock.advance(100ms);
        h.a.send(RawProvider::status(h.expect(h.a, "IBM").streamId, Stream::closedRecover, suspect, 4));
        h.b.send(RawProvider::status(h.expect(h.b, "IBM").streamId, Stream::closedRecover, suspect, 4));
        h.settle();
    }
    h.clock.advance(8s);
    h.refresh(h.a, h.expect(h.a, "IBM").streamId, 1);
    h.until([&] { return h.got("0:5 RFSH Open/Ok solicited 1"); });
    CHECK(h.upstreams->supply().counts().retries == 8);
}

TEST_CASE("no answer in time is told once, and another source is asked") {
    Upstream h;
    h.settings[0].requestTimeout = 1s;
    h.ready();
    Client& c = h.client();
    REQUIRE(h.join(c, 5));
    const std::int32_t id = h.expect(h.a, "IBM").streamId;
    h.clock.advance(1500ms);
    const codec::Msg moved = h.expect(h.b, "IBM");
    CHECK(h.take() == Events{"0:5 STAT Open/Suspect/2"});
    CHECK(h.count(h.a.wire, "CLOSE " + std::to_string(id)) == 1);
    h.refresh(h.a, id, 1);  // late: nobody's
    h.refresh(h.b, moved.streamId, 2);
    h.until([&] { return h.got("0:5 RFSH Open/Ok solicited 2"); });
    CHECK(h.count(h.out, " 1") == 0);
}

TEST_CASE("a source has as long for its directory as RequestTimeout says, which may be for ever") {
    Upstream h;
    h.a.automatic.directory = false;
    const bool forEver = GENERATE(false, true);
    h.settings[0].requestTimeout = forEver ? 0s : 60s;
    h.start();
    h.until([&] { return !h.a.wire.empty() && h.a.wire.back().starts_with("REQ 2 d4"); });
    h.clock.advance(forEver ? 3600s : 59s);
    h.settle();
    CHECK(h.a.connections == 1);
    if (!forEver) {
        h.clock.advance(2s);
        h.until([&] {
            h.clock.advance(10ms);
            return h.a.connections == 2;
        });
        h.until([&] {
            return std::ranges::count_if(h.a.wire, [](const auto& l) { return l.starts_with("REQ 2 d4"); }) == 2;
        });
    }
    h.a.sendDirectoryRefresh();
    h.until([&] { return h.at(0).up(); });
    CHECK(h.a.connections == (forEver ? 1 : 2));
}

TEST_CASE("a redirection inside the service is followed three times, then passed on") {
    Upstream h;
    h.ready();
    Client& c = h.client();
    REQUIRE(h.join(c, 5, "N0"));
    const auto redirect = [&](const std::string& from, const std::string& to) {
        codec::Msg m = RawProvider::status(h.expect(h.a, from).streamId, Stream::redirected, suspect);
        m.flags |= codec::StatusFlag::msgKey;
        m.key.flags = codec::KeyFlag::name | codec::KeyFlag::serviceId;
        m.key.serviceId = 7;
        m.key.name = eta::asBytes(to);
        h.a.send(m);
    };
    redirect("N0", "N1");
    redirect("N1", "N2");
    SECTION("answered") {
        h.refresh(h.a, h.expect(h.a, "N2").streamId, 9);
        h.until([&] { return !h.out.empty(); });
        CHECK(h.take() == Events{"0:5 RFSH Open/Ok solicited 9"});
        CHECK(h.item("N0") != nullptr);
    }
    SECTION("once too often") {
        redirect("N2", "N3");
        redirect("N3", "N4");
        h.until([&] { return !h.out.empty(); });
        CHECK(h.take() == Events{"0:5 STAT Redirected/Suspect"});
        CHECK(h.item("N0") == nullptr);
        CHECK(h.upstreams->supply().counts().redirects == 3);
    }
}

TEST_CASE("a redirection to another service is passed on with the hub's id of that service") {
    Upstream h;
    h.a.services.push_back(RawProvider::service(8, "OTHER"));
    h.a.services.back().info.dictionariesProvided.reset();
    h.ready();
    REQUIRE(h.join(h.client(), 5, "N0"));
    codec::Msg m = RawProvider::status(h.expect(h.a, "N0").streamId, Stream::redirected, suspect);
    m.flags |= codec::StatusFlag::msgKey;
    m.key.flags = codec::KeyFlag::name | codec::KeyFlag::serviceId;
    m.key.name = eta::asBytes(std::string_view("N1"));
    SECTION("that it offers") {
        m.key.serviceId = 8;
        h.a.send(m);
        h.until([&] { return !h.out.empty(); });
        CHECK(h.take() == Events{"0:5 STAT Redirected/Suspect"});
        CHECK(h.lastService == h.services->find("OTHER")->id);
    }
    SECTION("that nobody knows: there is no such source") {
        m.key.serviceId = 99;
        h.a.send(m);
        h.until([&] { return !h.out.empty(); });
        CHECK(h.take() == Events{"0:5 STAT Closed/Suspect/15"});
        CHECK(h.lastService == 0);
    }
    CHECK(h.item("N0") == nullptr);
}

TEST_CASE("NonStreaming to a streaming request ends the item with it") {
    Upstream h;
    h.ready();
    Client& c = h.client();
    REQUIRE(h.join(c, 5));
    h.refresh(h.a, h.expect(h.a, "IBM").streamId, 4, Stream::nonStreaming);
    h.until([&] { return !h.out.empty(); });
    CHECK(h.take() == Events{"0:5 RFSH NonStreaming/Ok solicited 4"});
    CHECK(h.item() == nullptr);
    CHECK(h.upstreams->supply().counts().streams == 0);
}

TEST_CASE("a snapshot asks for no stream; who wants one meanwhile gets it") {
    Upstream h;
    h.ready();
    Client &one = h.client(), &two = h.client();
    REQUIRE(h.join(one, 5, "IBM", {.streaming = false}));
    const codec::Msg request = h.expect(h.a, "IBM");
    CHECK_FALSE(request.has(codec::RequestFlag::streaming));
    SECTION("alone") {
        h.refresh(h.a, request.streamId, 4, Stream::nonStreaming);
        h.until([&] { return !h.out.empty(); });
        h.settle();
        CHECK(h.take() == Events{"0:5 RFSH NonStreaming/Ok solicited 4"});
        CHECK(h.item() == nullptr);
        CHECK(h.upstreams->supply().counts().streams == 0);
    }
    SECTION("with a stream") {
        REQUIRE(h.join(two, 6));
        h.refresh(h.a, request.streamId, 4, Stream::nonStreaming);
        const codec::Msg streaming = h.expect(h.a, "IBM");
        CHECK(streaming.has(codec::RequestFlag::streaming));
        h.refresh(h.a, streaming.streamId, 5);
        h.until([&] { return h.out.size() >= 2; });
        h.settle();
        CHECK(h.got("0:5 RFSH NonStreaming/Ok solicited 5"));
        CHECK(h.got("1:6 RFSH Open/Ok solicited 5"));
        CHECK(h.out.size() == 2);
        CHECK(h.item()->mountCount == 1);
    }
}

TEST_CASE("private streams are one to one, are not recovered, and keep what the client asked") {
    Upstream h;
    h.ready();
    Client &one = h.client(), &two = h.client();
    codec::Msg request;
    request.cls = codec::MsgClass::Request;
    request.domain = 6;
    request.flags = codec::RequestFlag::streaming | codec::RequestFlag::privateStream | codec::RequestFlag::qualified;
    request.key = Upstream::named("P");
    request.containerType = codec::DataType::Opaque;
    const std::byte content[] = {std::byte{9}};
    request.payload = content;
    REQUIRE(h.join(one, 5, "P", {.isPrivate = true, .qualified = true, .request = &request}));
    REQUIRE(h.join(two, 5, "P", {.isPrivate = true, .qualified = true, .request = &request}));
    const codec::Msg first = h.expect(h.a, "P");
    CHECK(first.has(codec::RequestFlag::privateStream));
    CHECK(first.has(codec::RequestFlag::qualified));
    CHECK(std::ranges::equal(first.payload, content));
    CHECK(first.key.serviceId == 7);
    const std::int32_t a = first.streamId, b = h.expect(h.a, "P").streamId;
    CHECK(a != b);
    h.refresh(h.a, a, 1);
    h.refresh(h.a, b, 2);
    h.settle();
    CHECK(h.got("0:5 RFSH Open/Ok solicited 1"));
    CHECK(h.got("1:5 RFSH Open/Ok solicited 2"));
    h.take();
    h.a.send(RawProvider::status(b, Stream::closedRecover, suspect, 3));
    h.until([&] { return !h.out.empty(); });
    CHECK(h.take() == Events{"1:5 STAT Recover/Suspect/3"});
    h.a.die();
    h.until([&] { return !h.out.empty(); });
    CHECK(h.take() == Events{"0:5 STAT Recover/Suspect"});
    h.settle();
    CHECK(h.b.inbox.empty());
    CHECK(h.items.size() == 0);
}

// --- throttle --------------------------------------------------------------------------------------------------------

TEST_CASE("no more requests are unanswered than the service's open window") {
    Upstream h;
    h.settings.pop_back();
    h.a.services[0].filters |= reactor::rdm::DirectoryFilter::load;
    h.a.services[0].load.openWindow = 2;
    h.ready();
    Client& c = h.client();
    for (int i = 0; i < 5; ++i)
        REQUIRE(h.join(c, 10 + i, "I" + std::to_string(i)));
    h.settle();
    CHECK(h.a.inbox.size() == 2);
    CHECK(h.upstreams->supply().counts().queued == 3);
    CHECK(h.out.empty());
    h.refresh(h.a, h.expect(h.a, "I0").streamId, 1);
    h.expect(h.a, "I2");
    h.a.send(RawProvider::status(h.expect(h.a, "I1").streamId, Stream::closed, suspect));
    h.expect(h.a, "I3");
    h.leave(c, 13);  // one that waits for its answer goes
    h.expect(h.a, "I4");
    CHECK(h.upstreams->supply().counts().queued == 0);
}

TEST_CASE("the highest priority class goes first, then who came first") {
    Upstream h;
    h.settings.pop_back();
    h.a.services[0].filters |= reactor::rdm::DirectoryFilter::load;
    h.a.services[0].load.openWindow = 1;
    h.ready();
    Client& c = h.client();
    codec::Msg urgent;
    urgent.cls = codec::MsgClass::Request;
    urgent.flags = codec::RequestFlag::priority | codec::RequestFlag::streaming;
    urgent.priorityClass = 3;
    urgent.priorityCount = 2;
    REQUIRE(h.join(c, 1, "FIRST"));
    REQUIRE(h.join(c, 2, "PLAIN"));
    REQUIRE(h.join(c, 3, "URGENT", {.request = &urgent}));
    h.refresh(h.a, h.expect(h.a, "FIRST").streamId, 1);
    const codec::Msg next = h.expect(h.a, "URGENT");
    CHECK(next.priorityClass == 3);
    CHECK(next.priorityCount == 2);
    h.refresh(h.a, next.streamId, 1);
    h.expect(h.a, "PLAIN");
}

TEST_CASE("requests per second, and items at once, are bounded for each source") {
    Upstream h;
    h.settings[0].requestRate = 10;
    h.settings[0].maxItems = 25;
    h.settings[1].requestRate = 0;
    h.a.automatic.items = true;
    h.ready();
    Client& c = h.client();
    for (int i = 0; i < 30; ++i)
        REQUIRE(h.join(c, 10 + i, "I" + std::to_string(i)));
    h.settle();
    CHECK(h.count(h.a.wire, "REQ") == 2 + 10);  // login and directory
    h.advance(1s);
    CHECK(h.count(h.a.wire, "REQ") == 2 + 20);
    h.advance(1s);
    CHECK(h.count(h.a.wire, "REQ") == 2 + 25);
    CHECK(h.b.inbox.size() == 5);  // the first source has as many as it takes
}

TEST_CASE("balanced: each item goes where the fewest are") {
    Upstream h;
    h.policy.sourceMode = SourceMode::balanced;
    for (auto* p : {&h.a, &h.b})
        p->services[0].filters |= reactor::rdm::DirectoryFilter::load;
    h.a.services[0].load.loadFactor = 1;
    h.b.services[0].load.loadFactor = 2;
    h.a.automatic.items = h.b.automatic.items = true;
    h.ready();
    Client& c = h.client();
    for (int i = 0; i < 30; ++i)
        REQUIRE(h.join(c, 10 + i, "I" + std::to_string(i)));
    h.settle();
    CHECK(h.count(h.a.wire, "REQ") == 2 + 20);
    CHECK(h.count(h.b.wire, "REQ") == 2 + 10);
}

TEST_CASE("priorities and pauses are said at most once a second; resuming at once") {
    Upstream h;
    h.ready();
    Client &one = h.client(), &two = h.client();
    const std::int32_t id = h.open(one, 5, "IBM", h.a, 1);
    REQUIRE(h.join(two, 6));
    h.refresh(h.a, h.expect(h.a, "IBM").streamId, 1);
    h.settle();
    h.a.inbox.clear();
    {
        const std::lock_guard guard(h.loop->lock());
        h.flow->reissue(one, 5, {.wantsRefresh = false, .paused = true});
        h.flow->reissue(two, 6, {.wantsRefresh = false, .paused = true});
    }
    h.settle();
    CHECK(h.a.inbox.empty());
    h.clock.advance(1s);
    codec::Msg said = h.expect(h.a, "IBM", false);
    CHECK(said.streamId == id);
    CHECK(said.has(codec::RequestFlag::pause));
    CHECK(said.priorityCount == 2);
    {
        const std::lock_guard guard(h.loop->lock());
        h.flow->reissue(two, 6, {.wantsRefresh = false, .paused = false});
    }
    said = h.expect(h.a, "IBM");  // with an image: the source has sent nobody what came meanwhile
    CHECK_FALSE(said.has(codec::RequestFlag::pause));
}

// --- posts, dictionaries, liars --------------------------------------------------------------------------------------

TEST_CASE("posts go upstream on the item's stream and off-stream, with the source's service id; acks come back") {
    Upstream h;
    h.ready();
    Client& c = h.client();
    const std::int32_t id = h.open(c, 5, "IBM", h.a, 1);
    REQUIRE(h.at(0).takesPosts());
    for (const bool onStream : {true, false}) {
        Msg post;
        post.cls = codec::MsgClass::Post;
        post.domain = 6;
        post.flags =
            codec::PostFlag::postId | codec::PostFlag::ack | codec::PostFlag::complete | codec::PostFlag::msgKey;
        post.postId = onStream ? 11 : 12;
        post.key = Upstream::named("IBM");
        post.key.flags |= codec::KeyFlag::serviceId;
        post.key.serviceId = h.services->find("FEED")->id;
        const std::lock_guard guard(h.loop->lock());
        CHECK(h.at(0).post(Client{}, onStream ? h.item() : nullptr, h.services->find("FEED")->id, post).ok());
    }
    h.until([&] { return h.a.inbox.size() == 2; });
    for (int i = 0; i < 2; ++i) {
        const auto got = *h.a.take();
        CHECK(got.msg.streamId == (i == 0 ? id : 1));
        CHECK(got.msg.key.serviceId == 7);
        Msg ack;
        ack.cls = codec::MsgClass::Ack;
        ack.domain = got.msg.domain;
        ack.streamId = got.msg.streamId;
        ack.ackId = got.msg.postId;
        h.a.send(ack);
    }
    h.until([&] { return h.acks.size() == 2; });
    CHECK(h.acks == Events{"A IBM 11", "A login 12"});
}

TEST_CASE(
    "dictionaries: the first is used, a newer one of the same version replaces it, another version bars its source") {
    using Order = upstream::Dictionaries::Order;
    CHECK(upstream::Dictionaries::compare("4.20.31", "4.20.31") == Order::same);
    CHECK(upstream::Dictionaries::compare("4.20.32", "4.20.31") == Order::newer);
    CHECK(upstream::Dictionaries::compare("4.20", "4.20.31") == Order::older);
    CHECK(upstream::Dictionaries::compare("4.21.31", "4.20.31") == Order::different);
    Upstream h;
    h.download = true;
    for (auto* p : {&h.a, &h.b})
        p->services[0].info.dictionariesProvided = {{"RWFFld", "RWFEnum"}};
    SECTION("equal") {
        h.ready();
        h.until([&] { return !h.dictionaries.empty(); });
        h.settle();
        CHECK(h.dictionaries.size() == 1);
        CHECK(h.dictionaries[0]->find("BID") != nullptr);
        CHECK(h.services->find("FEED")->offers.size() == 2);
    }
    SECTION("different") {
        REQUIRE_FALSE(h.b.dictionary.parseFields("!tag Type 1\n!tag Version 2.00.00\n"
                                                 "BID \"BID\" 22 NULL PRICE 17 REAL64 7\n",
                                                 "other"));
        SECTION("refused") {
            h.start();
            h.until([&] { return h.count(h.log, "DictionaryMismatch") == 1; });
            h.settle();
            CHECK((h.at(0).up() != h.at(1).up()));
        }
        SECTION("accepted") {
            h.acceptMismatch = true;
            h.start();
            h.until([&] { return h.count(h.log, "all the same") == 1; });
            h.settle();
            CHECK((h.at(0).up() && h.at(1).up()));
        }
    }
}
