// What one publisher sends, row by row (hub.md 4.4).
#include "hub/publisher/fixture.h"
#include "support/AllocationCounter.h"

#include <algorithm>

using namespace emissary;
using namespace emissary::test;
using codec::MsgClass;
using Lines = std::vector<std::string>;
namespace RefreshFlag = codec::RefreshFlag;
namespace StreamState = codec::StreamState;

namespace {

/// A publisher of items IBM (22 = 1) on stream -1, which one client watches on stream 5.
struct Published : PublisherFixture {
    explicit Published(const std::function<void(ServiceSettings&)>& policy = waits) : PublisherFixture(policy) {
        pub.refresh(-1, "IBM", {{{22, 1}}});
        pub.settle();
        REQUIRE(join(anna, 5, "IBM"));
        out.clear();
    }
    ScriptedPublisher pub{*this};
    Client& anna = client();
};

}  // namespace

TEST_CASE("a publisher's refresh is the image, and the answer to whom waits", "[hub][publisher]") {
    PublisherFixture f(waits);
    ScriptedPublisher pub(f);
    CHECK(f.events == Lines{"add FEED"});
    Client& anna = f.client();
    REQUIRE(f.join(anna, 5, "IBM"));
    CHECK(f.take() == Lines{"0:5 Status Suspect"});
    pub.refresh(-1, "IBM", {{{22, 1}}});
    pub.settle();
    CHECK(f.take() == Lines{"0:5 RFSH Ok solicited complete clear {22=1}"});
    CHECK(f.late("IBM") == "RFSH Ok solicited complete clear {22=1}");
    SECTION("the next one is for everybody; nobody asked for it, whatever it says") {
        pub.refresh(-1, "IBM", {{{25, 2}}}, RefreshFlag::complete | RefreshFlag::solicited);
        pub.settle();
        CHECK(f.take() == Lines{"0:5 RFSH Ok complete {25=2}"});
        CHECK(f.late("IBM") == "RFSH Ok solicited complete clear {22=1 25=2}");
    }
    SECTION("updates without a key go by their stream") {
        pub.update(-1, {{{22, 3}}});
        pub.update(-1, {{{22, 4}}}, "IBM");
        pub.settle();
        CHECK(f.take() == Lines{"0:5 UPD {22=3}", "0:5 UPD {22=4}"});
        CHECK(f.late("IBM") == "RFSH Ok solicited complete clear {22=4}");
    }
    SECTION("the item stays when nobody watches it") {
        leaveAll(f.flow, anna);
        CHECK(f.late("IBM") == "RFSH Ok solicited complete clear {22=1}");
    }
}

TEST_CASE("what a publisher sends too early or for nobody is ignored and counted", "[hub][publisher]") {
    Published f;
    f.pub.update(-7, {{{22, 9}}}, "NEW");
    f.pub.update(-7, {{{22, 9}}}, "NEW");
    f.pub.settle();
    CHECK(f.counts().early == 2);
    CHECK(std::ranges::count_if(f.log, [](const std::string& l) { return l.find("before a refresh") != l.npos; }) == 1);
    CHECK(f.item("NEW") == nullptr);
    f.pub.update(-1, {{{22, 9}}}, "OTHER");  // not the item of the stream
    f.pub.settle();
    CHECK(f.counts().foreign == 1);
    f.pub.refresh(-8, "X", {{{22, 9}}}, ScriptedPublisher::kWhole, [](Msg& m) { m.key.serviceId = 44; });
    f.pub.settle();
    CHECK(f.counts().ignored == 1);
    f.pub.refresh(0, "X", {{{22, 9}}});
    f.pub.settle();
    CHECK(f.counts().ignored == 2);
    f.pub.send(1, 6, MsgClass::Generic, 0, {}, {});  // on the login stream: for nobody
    f.pub.settle();
    CHECK(f.take().empty());
    CHECK(f.late("IBM") == "RFSH Ok solicited complete clear {22=1}");
}

TEST_CASE("states of a published item", "[hub][publisher]") {
    Published f;
    SECTION("suspect, and good again") {
        f.pub.status(-1, StreamState::open, suspect);
        f.pub.settle();
        CHECK(f.take() == Lines{"0:5 Status Suspect"});
        CHECK(f.late("IBM") == "RFSH Suspect solicited complete clear {22=1}");
        f.pub.status(-1, StreamState::open, ok);
        f.pub.settle();
        CHECK(f.take() == Lines{"0:5 Status Ok"});
        CHECK(f.late("IBM") == "RFSH Ok solicited complete clear {22=1}");
    }
    SECTION("a final status ends item and image") {
        f.pub.status(-1, StreamState::closed, suspect);
        f.pub.settle();
        CHECK(f.take() == Lines{"0:5 Status Closed/Suspect"});
        CHECK(f.item("IBM") == nullptr);
        f.pub.refresh(-1, "IBM", {{{22, 2}}});  // and published anew
        f.pub.settle();
        CHECK(f.late("IBM") == "RFSH Ok solicited complete clear {22=2}");
    }
    SECTION("a refresh that ends it") {
        const std::uint8_t state = GENERATE(StreamState::nonStreaming, StreamState::closed);
        f.pub.refresh(-1, "IBM", {{{22, 2}}}, ScriptedPublisher::kWhole, [state](Msg& m) { m.state.stream = state; });
        f.pub.settle();
        CHECK(f.out.size() == 1);
        CHECK(f.item("IBM") == nullptr);
        CHECK(f.anna.mounts.empty());
    }
    SECTION("generic messages reach the mounts") {
        f.pub.send(-1, 6, MsgClass::Generic, 0, {}, {});
        f.pub.settle();
        CHECK(f.take() == Lines{"0:5 Generic"});
    }
}

TEST_CASE("a refresh that is not to be kept leaves late joiners waiting", "[hub][publisher]") {
    Published f;
    f.pub.refresh(-1, "IBM", {{{22, 2}}}, ScriptedPublisher::kWhole | RefreshFlag::doNotCache);
    f.pub.settle();
    CHECK(f.take() == Lines{"0:5 RFSH Ok complete clear {22=2}"});
    CHECK(f.late("IBM") == "Status Suspect");
    f.pub.update(-1, {{{22, 3}}});
    f.pub.settle();
    CHECK(f.take() == Lines{"0:5 UPD {22=3}"});
}

TEST_CASE("without a cache: a client that reissues keeps the updates of its stream", "[hub][publisher]") {
    PublisherFixture f([](ServiceSettings& s) {
        s.unknownItem = UnknownItem::wait;
        s.cache.rule = CachePolicy::Rule::none;
    });
    ScriptedPublisher p(f);
    Client& anna = f.client();
    REQUIRE(f.join(anna, 5, "IBM"));
    p.refresh(-1, "IBM", {{{22, 1}}});
    p.settle();
    f.take();
    f.flow.reissue(anna, 5, {.wantsRefresh = true, .paused = false, .view = {}});
    CHECK(f.take() == Lines{"0:5 Status Ok"});  // it has missed nothing
    p.update(-1, {{{22, 2}}});
    p.settle();
    CHECK(f.take() == Lines{"0:5 UPD {22=2}"});
    p.refresh(-1, "IBM", {{{22, 3}}});
    p.settle();
    CHECK(f.take() == Lines{"0:5 RFSH Ok solicited complete clear {22=3}"});
    SECTION("one that has missed something hears that, and goes on behind the hole") {
        f.flow.reissue(anna, 5, {.wantsRefresh = false, .paused = true, .view = {}});
        f.item("IBM")->mounts[0].set(Mount::missed, true);  // as an update that passes it by
        f.flow.reissue(anna, 5, {.wantsRefresh = false, .paused = false, .view = {}});
        CHECK(f.take() == Lines{"0:5 Status Suspect"});
        p.update(-1, {{{22, 4}}});
        p.settle();
        CHECK(f.take() == Lines{"0:5 UPD {22=4}"});
        p.refresh(-1, "IBM", {{{22, 5}}});
        p.settle();
        CHECK(f.take() == Lines{"0:5 RFSH Ok complete clear {22=5}"});
    }
    SECTION("one that has never had an image waits for it") {
        Client& bert = f.client();
        REQUIRE(f.join(bert, 6, "IBM"));
        CHECK(f.take() == Lines{"1:6 Status Suspect"});
        p.update(-1, {{{22, 4}}});
        p.settle();
        CHECK(f.take() == Lines{"0:5 UPD {22=4}"});
    }
}

TEST_CASE("a publisher goes and comes back", "[hub][publisher][faults]") {
    Published f([](ServiceSettings& s) {
        s.unknownItem = UnknownItem::wait;
        s.republishTimeout = std::chrono::seconds(30);
    });
    f.pub.go();
    CHECK(f.take() == Lines{"0:5 Status Suspect"});
    CHECK(f.events.back() == "change FEED down");
    CHECK(f.counts().publishers == 0);
    CHECK(f.late("IBM") == "RFSH Suspect solicited complete clear {22=1}");
    SECTION("back in time: its refresh turns the item good") {
        ScriptedPublisher again(f);
        CHECK(f.events.back() == "change FEED up");
        CHECK(f.take().empty());
        again.update(-3, {{{22, 8}}}, "IBM");
        again.settle();
        CHECK(f.counts().early == 1);
        again.refresh(-4, "IBM", {{{25, 2}}}, RefreshFlag::complete);
        again.settle();
        CHECK(f.take() == Lines{"0:5 RFSH Ok complete clear {25=2}"});
        CHECK(f.late("IBM") == "RFSH Ok solicited complete clear {25=2}");
        f.wait(std::chrono::seconds(31));
        CHECK(f.take().empty());
    }
    SECTION("nobody publishes the item again") {
        f.wait(std::chrono::milliseconds(29'999));
        CHECK(f.take().empty());
        f.wait(std::chrono::milliseconds(2));
        CHECK(f.take() == Lines{"0:5 Status Recover/Suspect"});
        CHECK(f.item("IBM") == nullptr);
        CHECK(f.counts().republishTimeouts == 1);
    }
    SECTION("lost a second time: the second loss counts") {
        {
            ScriptedPublisher again(f);
            again.refresh(-4, "IBM", {{{22, 2}}});
            again.settle();
            f.wait(std::chrono::seconds(20));
            again.go();
        }
        f.take();
        f.wait(std::chrono::seconds(15));
        CHECK(f.take().empty());
        f.wait(std::chrono::seconds(16));
        CHECK(f.take() == Lines{"0:5 Status Recover/Suspect"});
    }
}

TEST_CASE("when many items turn suspect, their mounts are told at StatusRate; records are suspect at once",
          "[hub][publisher][faults]") {
    PublisherFixture f({}, 2);
    ScriptedPublisher pub(f);
    Client& c = f.client();
    const auto name = [](int i) { return "N" + std::to_string(i); };
    for (int i = 0; i < 5; ++i)
        pub.refresh(-1 - i, name(i), {{{22, 1}}});
    pub.settle();
    for (int i = 0; i < 5; ++i)
        REQUIRE(f.join(c, 10 + i, name(i)));
    f.take();
    SECTION("what is told later is left out for items that have a refresh meanwhile") {
        pub.go();
        CHECK(f.take().size() == 2);
        for (int i = 0; i < 5; ++i)
            CHECK(f.item(name(i))->dataState == suspect);
        CHECK(f.pace.counts().paced == 3);
        f.wait(std::chrono::milliseconds(501));
        const Lines one = f.take();
        REQUIRE(one.size() == 1);
        CHECK(one[0].find("Status Suspect") != std::string::npos);
        ScriptedPublisher again(f);
        for (int i = 0; i < 5; ++i)
            again.refresh(-1 - i, name(i), {{{22, 2}}});
        again.settle();
        CHECK(f.take().size() == 5);
        f.wait(std::chrono::seconds(5));
        CHECK(f.take().empty());
        CHECK(f.pace.counts().waiting == 0);
    }
    SECTION("all of them in the end, each once") {
        pub.go();
        for (int i = 0; i < 20; ++i)
            f.wait(std::chrono::milliseconds(200));
        Lines told = f.take();
        std::ranges::sort(told);
        CHECK(told.size() == 5);
        CHECK(std::ranges::adjacent_find(told) == told.end());
    }
    SECTION("clients that allow no suspect data leave when they are told") {
        c.singleOpen = c.allowSuspectData = false;
        pub.go();
        CHECK(c.mounts.size() == 3);
        for (int i = 0; i < 20; ++i)
            f.wait(std::chrono::milliseconds(200));
        CHECK(c.mounts.empty());
    }
    SECTION("clients that hear of groups cost nothing") {
        c.hearsGroups = true;
        pub.go();
        CHECK(f.take().empty());
        CHECK(f.pace.counts().paced == 0);
    }
}

TEST_CASE("a publisher that dies in the middle of a refresh leaves no half of it", "[hub][publisher][faults]") {
    Published f;
    const auto part = [&](ScriptedPublisher& p, std::uint16_t n, std::int16_t field, std::uint16_t flags) {
        p.refresh(-1, "IBM", {{{field, 9}}}, static_cast<std::uint16_t>(flags | RefreshFlag::partNum),
                  [n](Msg& m) { m.partNum = n; });
    };
    part(f.pub, 0, 30, RefreshFlag::clearCache);
    part(f.pub, 1, 31, 0);
    f.pub.settle();
    f.take();
    f.pub.go();
    CHECK(f.take() == Lines{"0:5 Status Suspect"});
    CHECK(f.late("IBM") == "RFSH Suspect solicited complete clear {22=1}");
    SECTION("the next one begins anew") {
        ScriptedPublisher again(f);
        part(again, 0, 40, 0);
        part(again, 1, 41, RefreshFlag::complete);
        again.settle();
        CHECK(f.late("IBM") == "RFSH Ok solicited complete clear {40=9 41=9}");
    }
    SECTION("the next one leaves out a part: nothing of it is shown") {
        ScriptedPublisher again(f);
        part(again, 0, 40, RefreshFlag::clearCache);
        part(again, 2, 42, RefreshFlag::complete);
        again.settle();
        CHECK(f.take() == Lines{"0:5 RFSH Ok clear part0 {40=9}", "0:5 Status Suspect/11"});
        CHECK(f.item("IBM")->dataState == suspect);
        again.refresh(-1, "IBM", {{{22, 3}}});
        again.settle();
        CHECK(f.take() == Lines{"0:5 RFSH Ok/34 complete clear {22=3}"});
    }
    SECTION("and one that begins in the middle is not taken") {
        ScriptedPublisher again(f);
        part(again, 1, 41, RefreshFlag::complete);
        again.settle();
        CHECK(f.late("IBM") == "RFSH Suspect/11 solicited complete clear {22=1}");
    }
}

TEST_CASE("directories: what an image no longer names is lost, stream by stream", "[hub][publisher]") {
    Published f;
    SECTION("the service is left out of an image of its stream") {
        f.pub.directory({ScriptedPublisher::service(8, "OTHER")});
        f.pub.settle();
        CHECK(f.take() == Lines{"0:5 Status Suspect"});
        CHECK(f.item("IBM")->source == nullptr);
    }
    SECTION("an image of another stream does not touch it") {
        reactor::GrowingBuffer map;
        reactor::rdm::Directory d;
        REQUIRE(d.add(ScriptedPublisher::service(8, "OTHER")));
        REQUIRE(d.encode(map.start(), {}).ok());
        f.pub.send(-50, 4, MsgClass::Refresh, ScriptedPublisher::kWhole, {}, [&](Msg& m) {
            m.containerType = codec::DataType::Map;
            m.payload = map.view();
        });
        f.pub.settle();
        CHECK(f.take().empty());
        f.pub.update(-1, {{{22, 2}}});
        f.pub.settle();
        CHECK(f.take() == Lines{"0:5 UPD {22=2}"});
    }
    SECTION("a status for all its items") {
        reactor::rdm::Service s = ScriptedPublisher::service();
        s.state.status = reactor::rdm::OwnedState{StreamState::open, suspect, 0, "late"};
        f.pub.directory({s}, MsgClass::Update, 0, reactor::rdm::DirectoryFilter::state);
        f.pub.settle();
        CHECK(f.take() == Lines{"0:5 Status Suspect"});
        CHECK(std::ranges::count(f.events, "group FEED 2") == 1);
    }
    SECTION("the service is deleted and nobody else offers it") {
        f.pub.deleteService(3);
        f.pub.settle();
        REQUIRE_FALSE(f.out.empty());
        CHECK(f.out.at(0) == "0:5 Status Suspect");
    }
}

TEST_CASE("new items beyond MaxItems are not taken", "[hub][publisher]") {
    Published f([](ServiceSettings& s) { s.maxItems = 2; });
    f.pub.refresh(-2, "A", {{{22, 1}}});
    f.pub.refresh(-3, "B", {{{22, 1}}});
    f.pub.settle();
    CHECK(f.item("A") != nullptr);
    CHECK(f.item("B") == nullptr);
    CHECK(f.counts().overLimit == 1);
    f.pub.update(-1, {{{22, 2}}});
    f.pub.settle();
    CHECK(f.take() == Lines{"0:5 UPD {22=2}"});
}

TEST_CASE("logins while the hub drains, and posts to a publisher under its own service id", "[hub][publisher]") {
    PublisherFixture f(waits);
    ScriptedPublisher pub(f, "pub", false);
    pub.login("pub");
    CHECK(pub.raw.next().stateText() == "Login accepted by host hub.");
    pub.directory({ScriptedPublisher::service(9, "FEED"), ScriptedPublisher::service(3, "SECOND")});
    pub.settle();
    Service* const feed = f.services.find(std::string_view("FEED"));
    REQUIRE(feed != nullptr);
    const std::uint16_t local = feed->id;
    pub.refresh(-1, "IBM", {{{22, 1}}}, ScriptedPublisher::kWhole, [](Msg& m) { m.key.serviceId = 9; });
    pub.settle();
    Item* const item = f.items.find(f.items.keyOf(local, 6, FlowFixture::named("IBM")));
    REQUIRE(item != nullptr);
    REQUIRE(item->source != nullptr);
    Msg post;
    post.cls = MsgClass::Post;
    post.flags = codec::PostFlag::msgKey | codec::PostFlag::complete;
    post.key.flags = codec::KeyFlag::serviceId;
    post.key.serviceId = local;
    {
        const std::lock_guard guard(f.loop.lock());
        CHECK(item->source->takesPosts());
        CHECK(item->source->post(Client{}, item, local, post).ok());
        CHECK_FALSE(item->source->post(Client{}, nullptr, local, post).ok());
    }
    const Received got = pub.raw.next();
    CHECK(got.msg.cls == MsgClass::Post);
    CHECK(got.msg.streamId == -1);
    CHECK(got.msg.key.serviceId == 9);
    f.port->drain();
    ScriptedPublisher late(f, "late", false);
    late.login("late");
    const Received refused = late.raw.next();
    CHECK(refused.msg.cls == MsgClass::Status);
    CHECK(refused.msg.state.stream == StreamState::closedRecover);
    CHECK(refused.msg.state.code == 12);
    CHECK(late.raw.waitClosed());
    CHECK(f.counts().refusals == 1);
}

TEST_CASE("a publisher that logs in by a token has another name", "[hub][publisher]") {
    PublisherFixture f(waits);
    const auto type = GENERATE(std::uint8_t{3}, std::uint8_t{4}, std::uint8_t{5});
    std::vector<std::string> names;
    ScriptedPublisher first(f, "", false), second(f, "", false), late(f, "", false);
    for (ScriptedPublisher* const pub : {&first, &second}) {
        pub->login("secret", type);
        CHECK(pub->raw.next().msg.cls == MsgClass::Refresh);
    }
    f.port->eachPublisher([&](Source& source) { names.push_back(source.name()); });
    std::ranges::sort(names);
    CHECK(names == Lines{"by token", "by token#2"});
    f.port->drain();
    late.login("secret", type);
    CHECK(late.raw.next().msg.cls == MsgClass::Status);
    CHECK(f.counts().refusals == 1);
    for (const std::string& line : f.log)
        CHECK(line.find("secret") == std::string::npos);
}

TEST_CASE("an update of a publisher allocates nothing", "[hub][publisher]") {
    PublisherFixture f(waits);
    ScriptedPublisher pub(f);
    pub.refresh(-1, "IBM", {{{22, 1}, {25, 2}}});
    pub.settle();
    reactor::GrowingBuffer payload;
    codec::FieldListEncoder list;
    list.begin(payload.start());
    list.addUInt(22, 7);
    REQUIRE(list.complete().ok());
    Msg m;
    m.cls = MsgClass::Update;
    m.streamId = -1;
    m.containerType = codec::DataType::FieldList;
    m.payload = payload.view();
    Item* const item = f.item("IBM");
    REQUIRE(item != nullptr);
    auto& source = static_cast<hub::publisher::PublisherSource&>(*item->source);
    const reactor::acceptor::PublishedStream* stream = nullptr;
    source.forEachStream([&](const auto& s) { stream = &s; });
    REQUIRE(stream != nullptr);
    const std::lock_guard guard(f.loop.lock());
    using Took = hub::publisher::PublisherSupply::Took;
    const auto send = [&] { return f.supply.received(source, nullptr, *stream, m); };
    REQUIRE(send() == Took::ok);
    const std::uint64_t before = allocationsOfThisThread();
    int taken = 0;
    for (int n = 0; n < 1000; ++n)
        taken += send() == Took::ok ? 1 : 0;
    CHECK(allocationsOfThisThread() == before);
    CHECK(taken == 1000);
}
