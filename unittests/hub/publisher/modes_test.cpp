// Two publishers of one service: merge, single and hot (hub.md 4.4).
#include "hub/publisher/fixture.h"

using namespace emissary;
using namespace emissary::test;
using Lines = std::vector<std::string>;
namespace RefreshFlag = codec::RefreshFlag;
namespace StreamState = codec::StreamState;

namespace {

struct Two : PublisherFixture {
    explicit Two(PublisherMode mode, std::vector<std::string> order = {})
        : PublisherFixture([&](ServiceSettings& s) {
              s.unknownItem = UnknownItem::wait;
              s.publisherMode = mode;
              s.publisherOrder = std::move(order);
          }) {}
    ScriptedPublisher one{*this, "one"}, two{*this, "two"};
    Client& anna = client();
    void watch() {
        REQUIRE(join(anna, 5, "IBM"));
        out.clear();
    }
};

}  // namespace

TEST_CASE("merge: who came first serves, the second keeps a standby image that takes over", "[hub][publisher]") {
    Two f(PublisherMode::merge);
    f.one.refresh(-1, "IBM", {{{22, 1}}});
    f.one.settle();
    f.two.refresh(-9, "IBM", {{{22, 50}, {25, 51}}});
    f.two.update(-9, {{{25, 52}}});
    f.two.refresh(-10, "ONLY", {{{22, 60}}});
    f.two.settle();
    f.watch();
    CHECK(f.counts().standby == 1);
    CHECK(f.late("ONLY") == "RFSH Ok solicited complete clear {22=60}");
    f.one.update(-1, {{{22, 2}}});
    f.one.settle();
    CHECK(f.take() == Lines{"0:5 UPD {22=2}"});
    SECTION("the first is lost: an unsolicited refresh, and nobody was told suspect") {
        f.one.go();
        CHECK(f.take() == Lines{"0:5 RFSH Ok complete clear {22=50 25=52}"});
        CHECK(std::ranges::count(f.events, "group FEED 2") == 0);
        CHECK(f.counts().standby == 0);
        CHECK(f.counts().promotions == 1);
        f.two.update(-9, {{{25, 53}}});
        f.two.settle();
        CHECK(f.take() == Lines{"0:5 UPD {25=53}"});
        CHECK(f.late("IBM") == "RFSH Ok solicited complete clear {22=50 25=53}");
        SECTION("and then the second") {
            f.two.go();
            CHECK(f.take() == Lines{"0:5 Status Suspect"});
        }
    }
    SECTION("the first ends the item: the other goes on with it") {
        f.one.status(-1, StreamState::closed, suspect);
        f.one.settle();
        CHECK(f.take() == Lines{"0:5 RFSH Ok complete clear {22=50 25=52}"});
    }
    SECTION("the second is lost, or ends its item: nobody hears of it") {
        if (GENERATE(false, true)) f.two.go();
        else {
            f.two.status(-9, StreamState::closed, suspect);
            f.two.settle();
        }
        CHECK(f.take().empty());
        CHECK(f.counts().standby == 0);
        f.one.go();
        CHECK(f.take() == Lines{"0:5 Status Suspect"});
    }
    SECTION("a standby that is suspect says so when it takes over") {
        f.two.status(-9, StreamState::open, suspect);
        f.two.settle();
        f.one.go();
        CHECK(f.take() == Lines{"0:5 RFSH Suspect complete clear {22=50 25=52}"});
    }
    SECTION("a standby whose refresh is not complete has nothing to show") {
        f.two.refresh(-9, "IBM", {{{22, 70}}}, RefreshFlag::clearCache | RefreshFlag::partNum);
        f.two.settle();
        f.one.go();
        CHECK(f.take() == Lines{"0:5 Status Suspect"});
        f.two.refresh(-9, "IBM", {{{22, 71}}});
        f.two.settle();
        CHECK(f.take() == Lines{"0:5 RFSH Ok complete clear {22=71}"});
    }
}

TEST_CASE("single: a second publisher stands by until the first has gone", "[hub][publisher]") {
    Two f(PublisherMode::single);
    f.one.refresh(-1, "IBM", {{{22, 1}}});
    f.one.refresh(-2, "GONE", {{{22, 1}}});
    f.one.settle();
    f.watch();
    REQUIRE(f.join(f.anna, 6, "GONE"));
    f.take();
    f.two.refresh(-9, "IBM", {{{22, 50}}});
    f.two.refresh(-8, "ONLY", {{{22, 60}}});
    f.two.update(-9, {{{22, 51}}});
    f.two.settle();
    CHECK(f.take().empty());
    CHECK(f.counts().unserved == 0);
    CHECK(f.counts().standby == 2);
    CHECK(f.services.find(3)->publishers.size() == 1);
    CHECK(f.late("IBM") == "RFSH Ok solicited complete clear {22=1}");
    SECTION("its items are there at once, without a message of it; what it does not have is suspect") {
        f.one.go();
        CHECK(f.take() == Lines{"0:5 RFSH Ok complete clear {22=51}", "0:6 Status Suspect"});
        CHECK(std::ranges::count(f.events, "change FEED down") == 0);  // the service goes on
        CHECK(f.late("ONLY") == "RFSH Ok solicited complete clear {22=60}");
        f.two.update(-9, {{{22, 52}}});
        f.two.settle();
        CHECK(f.take() == Lines{"0:5 UPD {22=52}"});
        SECTION("a third stands by behind it") {
            ScriptedPublisher three(f, "three");
            CHECK(f.services.find(3)->publishers.size() == 1);
            three.refresh(-1, "IBM", {{{22, 60}}});
            three.settle();
            CHECK(f.take().empty());
            f.two.deleteService(3);
            f.two.settle();
            CHECK(f.take() == Lines{"0:5 RFSH Ok complete clear {22=60}"});
        }
    }
    SECTION("what its directory says of a group reaches what stands by") {
        static constexpr std::byte kDefault[2] = {};
        f.two.groupStatus(kDefault, {StreamState::open, suspect, 0, {}});
        f.two.settle();
        CHECK(f.take().empty());
        f.one.go();
        CHECK(f.take() == Lines{"0:5 RFSH Suspect complete clear {22=51}", "0:6 Status Suspect"});
    }
    SECTION("it goes before its turn has come: nothing of it is left") {
        const bool connection = GENERATE(false, true);
        if (connection) f.two.go();
        else {
            f.two.deleteService(3);
            f.two.settle();
        }
        CHECK(f.take().empty());
        CHECK(f.counts().standby == 0);
        CHECK(f.item("ONLY") == nullptr);
        f.one.go();
        Lines told = f.take();
        std::ranges::sort(told);
        CHECK(told == Lines{"0:5 Status Suspect", "0:6 Status Suspect"});
    }
}

TEST_CASE("what a publisher's directory says of groups and services reaches the images that stand by",
          "[hub][publisher]") {
    static constexpr std::byte kOne[] = {std::byte{0}, std::byte{1}}, kTwo[] = {std::byte{0}, std::byte{2}};
    constexpr codec::State kSuspect{StreamState::open, suspect, 0, {}}, kOk{StreamState::open, ok, 0, {}};
    Two f(GENERATE(PublisherMode::merge, PublisherMode::hot), {"one", "two"});
    f.one.refresh(-1, "IBM", {{{22, 1}}});
    f.one.settle();
    f.two.refresh(-9, "IBM", {{{22, 50}}}, ScriptedPublisher::kWhole, [](Msg& m) { m.groupId = kOne; });
    f.two.settle();
    f.watch();
    auto down = ScriptedPublisher::service();
    down.state.up = false;
    constexpr std::uint32_t kState = reactor::rdm::DirectoryFilter::state;
    std::string shown = "0:5 RFSH Suspect complete clear {22=50}";
    SECTION("its group is suspect") {
        f.two.groupStatus(kOne, kSuspect);
    }
    SECTION("another group is suspect") {
        f.two.groupStatus(kTwo, kSuspect);
        shown = "0:5 RFSH Ok complete clear {22=50}";
    }
    SECTION("its group was, and is Ok again") {
        f.two.groupStatus(kOne, kSuspect);
        f.two.groupStatus(kOne, kOk);
        shown = "0:5 RFSH Ok complete clear {22=50}";
    }
    SECTION("its group was merged into one that is suspect") {
        f.two.groupStatus(kOne, {}, kTwo);
        f.two.groupStatus(kTwo, kSuspect);
    }
    SECTION("its service is suspect") {
        f.two.serviceStatus(kSuspect);
    }
    SECTION("its service is down") {
        f.two.directory({down}, codec::MsgClass::Update, 0, kState);
        shown = "0:5 Status Suspect";
    }
    SECTION("its group is closed") {
        f.two.groupStatus(kOne, {StreamState::closedRecover, suspect, 0, {}});
        shown = "0:5 Status Suspect";
    }
    f.two.settle();
    CHECK(f.take().empty());
    f.one.go();
    CHECK(f.take() == Lines{shown});
    if (shown != "0:5 Status Suspect") return;
    // The service is up again, or the publisher sends again.
    f.two.directory({ScriptedPublisher::service()}, codec::MsgClass::Update, 0, kState);
    f.two.refresh(-9, "IBM", {{{22, 51}}});
    f.two.settle();
    CHECK(f.take().back() == "0:5 RFSH Ok complete clear {22=51}");
}

TEST_CASE("a standby image that is Ok is better than an image that is suspect", "[hub][publisher]") {
    static constexpr std::byte kOne[] = {std::byte{0}, std::byte{1}};
    constexpr codec::State kSuspect{StreamState::open, suspect, 0, {}}, kOk{StreamState::open, ok, 0, {}};
    Two f(GENERATE(PublisherMode::merge, PublisherMode::hot), {"one", "two"});
    const auto grouped = [](Msg& m) { m.groupId = kOne; };
    f.one.refresh(-1, "IBM", {{{22, 1}}}, ScriptedPublisher::kWhole, grouped);
    f.one.settle();
    f.two.refresh(-9, "IBM", {{{22, 50}}}, ScriptedPublisher::kWhole, grouped);
    f.two.settle();
    f.watch();
    const std::string moved = "0:5 RFSH Ok complete clear {22=50}";
    SECTION("the group of the first is suspect") {
        f.one.groupStatus(kOne, kSuspect);
        f.one.settle();
        CHECK(f.take() == Lines{moved});
        CHECK(std::ranges::count(f.events, "group FEED 2") == 0);
        f.two.groupStatus(kOne, kSuspect);
        f.two.settle();
        CHECK(f.take() == Lines{"0:5 Status Suspect"});
        f.one.groupStatus(kOne, kOk);
        f.one.settle();
        CHECK(f.take() == Lines{"0:5 RFSH Ok complete clear {22=1}"});
    }
    SECTION("the item of the first is suspect") {
        f.one.status(-1, StreamState::open, suspect);
        f.one.settle();
        CHECK(f.take() == Lines{moved});
        f.two.go();
        CHECK(f.take() == Lines{"0:5 RFSH Suspect complete clear {22=1}"});
    }
    SECTION("the service of the first goes down") {
        auto down = ScriptedPublisher::service();
        down.state.up = false;
        f.one.directory({down}, codec::MsgClass::Update, 0, reactor::rdm::DirectoryFilter::state);
        f.one.settle();
        CHECK(f.take() == Lines{moved});
    }
    SECTION("of two that stand by the one that is Ok takes over") {
        ScriptedPublisher three(f, "three");
        three.refresh(-7, "IBM", {{{22, 70}}});
        three.settle();
        f.two.groupStatus(kOne, kSuspect);
        f.two.settle();
        f.one.go();
        CHECK(f.take() == Lines{"0:5 RFSH Ok complete clear {22=70}"});
    }
}

TEST_CASE("single: services that change their name leave no trace under the old one", "[hub][publisher][faults]") {
    Two f(PublisherMode::single);
    auto renamed = ScriptedPublisher::service();
    renamed.info.name = "OTHER";
    f.two.directory({renamed}, codec::MsgClass::Update, 0);  // it waited behind the first
    f.two.settle();
    CHECK(f.services.find(std::string_view("OTHER")) != nullptr);
    f.two.deleteService(3);
    f.two.settle();
    f.one.refresh(-1, "IBM", {{{22, 1}}});
    f.one.settle();
    f.watch();
    f.one.go();
    CHECK(f.take() == Lines{"0:5 Status Suspect"});
    CHECK(f.services.find(3)->offers.empty());
}

TEST_CASE("hot: what only a standby told of goes with it", "[hub][publisher]") {
    Two f(PublisherMode::hot, {"two", "one"});
    f.one.refresh(-2, "ONLY", {{{22, 2}}});
    f.one.refresh(-3, "ENDS", {{{22, 3}}});
    f.one.status(-3, StreamState::closed, suspect);
    f.one.settle();
    CHECK(f.items.size() == 1);
    f.one.go();
    CHECK(f.items.size() == 0);
    CHECK(f.counts().standby == 0);
}

TEST_CASE("hot: the service follows the publisher that comes first in order", "[hub][publisher]") {
    Two f(PublisherMode::hot, {"two", "one"});
    f.one.refresh(-1, "IBM", {{{22, 1}}});
    f.one.refresh(-2, "ONLY", {{{22, 2}}});
    f.one.settle();
    REQUIRE(f.join(f.anna, 5, "IBM"));
    CHECK(f.take() == Lines{"0:5 Status Suspect"});  // its leader has not told of it
    f.two.refresh(-9, "IBM", {{{22, 50}}});
    f.two.settle();
    CHECK(f.take() == Lines{"0:5 RFSH Ok solicited complete clear {22=50}"});
    f.one.update(-1, {{{22, 3}}});
    f.one.settle();
    CHECK(f.take().empty());
    SECTION("the leader is lost: everything of the other, at once") {
        REQUIRE(f.join(f.anna, 6, "ONLY"));
        f.take();
        f.two.go();
        CHECK(f.take() == Lines{"0:5 RFSH Ok complete clear {22=3}", "0:6 RFSH Ok solicited complete clear {22=2}"});
        SECTION("and comes back: its refresh takes the item over, what was there stands by") {
            ScriptedPublisher again(f, "two");
            f.one.update(-1, {{{22, 4}}});
            f.one.settle();
            CHECK(f.take() == Lines{"0:5 UPD {22=4}"});
            again.refresh(-1, "IBM", {{{22, 70}}});
            again.settle();
            CHECK(f.take() == Lines{"0:5 RFSH Ok complete clear {22=70}"});
            f.one.update(-1, {{{22, 5}}});
            f.one.settle();
            CHECK(f.take().empty());
            again.go();
            CHECK(f.take() == Lines{"0:5 RFSH Ok complete clear {22=5}"});
        }
    }
}

TEST_CASE("merge: numbers go on as the standby counted them; one that has missed an update has nothing to show",
          "[hub][publisher]") {
    PublisherFixture f([](ServiceSettings& s) {
        s.unknownItem = UnknownItem::wait;
        s.seqNumGaps = true;
    });
    ScriptedPublisher one(f, "one"), two(f, "two");
    const auto numbered = [](std::uint32_t n) {
        return [n](Msg& m) {
            m.flags |= m.cls == codec::MsgClass::Update ? codec::UpdateFlag::seqNum : RefreshFlag::seqNum;
            m.seqNum = n;
        };
    };
    const auto update = [&](ScriptedPublisher& p, std::int32_t stream, std::uint64_t value, std::uint32_t n) {
        p.send(stream, 6, codec::MsgClass::Update, 0, {}, [&](Msg& m) {
            m.containerType = codec::DataType::FieldList;
            static std::vector<std::byte> room(64);
            eta::BeWriter out(room);
            codec::FieldListEncoder list;
            list.begin(out);
            list.addUInt(22, value);
            REQUIRE(list.complete().ok());
            m.payload = Bytes(room).first(out.size());
            numbered(n)(m);
        });
    };
    one.refresh(-1, "IBM", {{{22, 1}}}, ScriptedPublisher::kWhole, numbered(100));
    one.settle();
    two.refresh(-9, "IBM", {{{22, 50}}}, ScriptedPublisher::kWhole, numbered(7));
    update(two, -9, 51, 8);
    two.settle();
    Client& anna = f.client();
    REQUIRE(f.join(anna, 5, "IBM"));
    f.take();
    SECTION("all of them came") {
        one.go();
        CHECK(f.take() == Lines{"0:5 RFSH Ok complete clear {22=51}"});
        CHECK(f.item("IBM")->seqNum == 8);
        update(two, -9, 52, 9);
        two.settle();
        CHECK(f.take() == Lines{"0:5 UPD {22=52}"});
        CHECK(f.flow.counts().gaps.get() == 0);
        update(two, -9, 54, 11);
        two.settle();
        CHECK(f.flow.counts().gaps.get() == 1);
        CHECK(f.take() == Lines{"0:5 Status Suspect/11"});
    }
    SECTION("one did not") {
        update(two, -9, 53, 10);
        two.settle();
        one.go();
        CHECK(f.take() == Lines{"0:5 Status Suspect"});
        CHECK(f.counts().promotions == 0);
        two.refresh(-9, "IBM", {{{22, 54}}}, ScriptedPublisher::kWhole, numbered(11));
        two.settle();
        CHECK(f.take() == Lines{"0:5 RFSH Ok complete clear {22=54}"});
    }
}

TEST_CASE("single: who may not offer the service any more is passed over", "[hub][publisher]") {
    PublisherFixture f([](ServiceSettings& s) {
        s.publisherMode = PublisherMode::single;
        s.publisherGroups = {"feeds"};
    });
    ScriptedPublisher one(f, "one"), two(f, "two");
    const auto groupsOfTwo = [&](std::vector<std::string> groups) {
        const std::lock_guard guard(f.loop.lock());
        f.port->eachPublisher([&](Source& s) {
            if (s.name() == "two") static_cast<publisher::PublisherSource&>(s).setGroups(groups);
        });
    };
    const auto barred = [&] {
        std::size_t n = 0;
        f.port->eachPublisher([&](Source& s) { n += s.health().barredServices; });
        return n;
    };
    const auto said = [&](const std::string& what) {
        return std::ranges::count_if(f.log, [&](const std::string& l) { return l.find(what) != l.npos; });
    };
    SECTION("for the one behind it") {
        ScriptedPublisher three(f, "three");
        groupsOfTwo({});
        one.go();
        const std::vector<Offer>& offers = f.services.find(3)->publishers;
        REQUIRE(offers.size() == 1);
        CHECK(offers[0].source->name() == "three");
        CHECK(std::ranges::count(f.events, "change FEED down") == 0);
    }
    SECTION("and where it was the last, until it may again") {
        groupsOfTwo({});
        f.events.clear();
        one.go();
        f.until([&] { return !f.services.find(3)->up(); });
        CHECK(std::ranges::count(f.events, "change FEED up") == 0);
        groupsOfTwo({"feeds"});
        {
            const std::lock_guard guard(f.loop.lock());
            f.port->recheck();
        }
        f.until([&] { return f.services.find(3)->up(); });
        CHECK(f.services.find(3)->publishers.at(0).source->name() == "two");
        CHECK(barred() == 0);
        CHECK(said("'two': service 'FEED' is left out") == 1);
        CHECK(f.counts().offersRefused == 1);
        return;
    }
    // It is left out once, also when the walk comes to it.
    for (int walks = 0; walks < 2; ++walks) {
        CHECK(barred() == 1);
        CHECK(said("'two': service 'FEED' is left out") == 1);
        CHECK(f.counts().offersRefused == 1);
        {
            const std::lock_guard guard(f.loop.lock());
            f.port->recheck();
        }
        f.wait(std::chrono::milliseconds(1));
    }
}

TEST_CASE("a service whose name is too long is left out before rights are looked at", "[hub][publisher]") {
    const PublisherMode mode = GENERATE(PublisherMode::merge, PublisherMode::single);
    PublisherFixture f([&](ServiceSettings& s) {
        s.publisherMode = mode;
        s.publisherGroups = {"vault"};
    });
    ScriptedPublisher pub(f);  // FEED is barred
    REQUIRE(f.counts().offersRefused == 1);
    const auto barred = [&] {
        std::vector<std::string> names;
        f.port->eachPublisher([&](Source& s) { names = s.health().barred; });
        return names;
    };
    REQUIRE(barred() == Lines{"FEED"});
    const std::string longest(255, 'n');
    pub.directory({ScriptedPublisher::service(3, longest + "n"), ScriptedPublisher::service(4, longest)});
    pub.settle();
    CHECK(barred() == Lines{longest});
    CHECK(f.counts().offersRefused == 2);
    {
        const std::lock_guard guard(f.loop.lock());
        f.port->recheck();
    }
    f.wait(std::chrono::milliseconds(1));
    CHECK(f.counts().offersRefused == 2);
    CHECK(f.services.find(longest + "n") == nullptr);
    CHECK(f.services.find(longest) == nullptr);
}
