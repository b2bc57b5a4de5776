// Which source an item goes on with, and when: what sources say of groups and services reaches second streams as it
// reaches the others (hub.md 4.2).
#include "upstream_fixture.h"

using namespace emissary;
using namespace emissary::test;
using namespace std::chrono_literals;
using Events = std::vector<std::string>;

namespace {

constexpr std::byte kTwo[] = {std::byte{0}, std::byte{6}};
constexpr codec::State kOk{Stream::open, ok, 0, {}};

void sendServiceStatus(RawProvider& p, std::uint16_t id, const codec::State& state, bool up) {
    p.sendServiceUpdate(id, [&](codec::FilterListEncoder& list) {
        reactor::GrowingBuffer s, e;
        codec::encodeState(s.start(), state);
        codec::ElementListEncoder elements;
        elements.begin(e.start());
        elements.addUInt("ServiceState", up ? 1 : 0);
        elements.add("Status", codec::DataType::State, s.view());
        REQUIRE(elements.complete().ok());
        list.add(codec::FilterAction::update, 2, codec::DataType::ElementList, e.view());
    });
}
void sendMerger(RawProvider& p, std::uint16_t id, eta::Bytes group, eta::Bytes into, const codec::State* state) {
    p.sendServiceUpdate(id, [&](codec::FilterListEncoder& list) {
        reactor::GrowingBuffer s, e;
        codec::ElementListEncoder elements;
        elements.begin(e.start());
        elements.add("Group", codec::DataType::Buffer, group);
        elements.add("MergedToGroup", codec::DataType::Buffer, into);
        if (state != nullptr) {
            codec::encodeState(s.start(), *state);
            elements.add("Status", codec::DataType::State, s.view());
        }
        REQUIRE(elements.complete().ok());
        list.add(codec::FilterAction::set, 3, codec::DataType::ElementList, e.view());
    });
}

/// Open at A, with a second stream at B whose image is Ok and in group one.
struct HotPair : Upstream {
    std::int32_t first = 0, second = 0;
    HotPair() {
        policy.sourceMode = SourceMode::hot;
        policy.cache.rule = CachePolicy::Rule::all;
        ready();
        Client& c = client();
        first = open(c, 5, "IBM", a, 1, kOne);
        second = expect(b, "IBM").streamId;
        refresh(b, second, 2, Stream::open, true, kOne);
        settle();
        out.clear();
        told.clear();
    }
};

}  // namespace

TEST_CASE("hot: a standby that a group or service status calls suspect does not take over") {
    HotPair h;
    bool served = true;
    SECTION("its group") {
        h.b.sendGroupStatus(9, kOne, kSuspect);
    }
    SECTION("its service") {
        sendServiceStatus(h.b, 9, kSuspect, true);
    }
    SECTION("its service goes down without a word of the items") {
        h.b.sendServiceState(9, false, false);
        served = false;
    }
    SECTION("the group that its group was merged into") {
        sendMerger(h.b, 9, kOne, kTwo, nullptr);
        h.settle();
        h.b.sendGroupStatus(9, kTwo, kSuspect);
    }
    SECTION("its group is merged and suspect in one entry") {
        sendMerger(h.b, 9, kOne, kTwo, &kSuspect);
    }
    SECTION("a group that a status put it into") {
        codec::Msg m = RawProvider::status(h.second, Stream::open, ok);
        m.flags |= codec::StatusFlag::groupId;
        m.groupId = kTwo;
        h.b.send(m);
        h.settle();
        h.b.sendGroupStatus(9, kTwo, kSuspect);
    }
    SECTION("its group may come back") {
        h.b.sendGroupStatus(9, kOne, {Stream::closedRecover, suspect, 0, {}});
    }
    h.settle();
    CHECK(h.out.empty());
    h.b.inbox.clear();
    h.a.die();
    h.until([&] { return !h.out.empty(); });
    h.settle();
    CHECK(h.out.front().starts_with("0:5 STAT Open/Suspect"));
    CHECK_FALSE(h.item()->isOk());
    if (served) CHECK(h.expect(h.b, "IBM").key.serviceId == 9);  // asked anew
}

TEST_CASE("hot: a group status of other groups, or of the same bytes at another source, says nothing of the standby") {
    HotPair h;
    h.b.sendGroupStatus(9, kTwo, kSuspect);
    h.b.sendGroupStatus(9, kOne, kSuspect);
    h.b.sendGroupStatus(9, kOne, kOk);
    h.settle();
    h.a.die();
    h.until([&] { return !h.out.empty(); });
    CHECK(h.take() == Events{"0:5 RFSH Open/Ok/10 2"});
}

TEST_CASE(
    "hot: when the feed behind the active source fails, items go on with the standby, and nobody sees a Suspect") {
    HotPair h;
    SECTION("its group is suspect") {
        h.a.sendGroupStatus(7, kOne, kSuspect);
    }
    SECTION("its service is suspect") {
        sendServiceStatus(h.a, 7, kSuspect, true);
    }
    SECTION("its service is suspect and down") {
        sendServiceStatus(h.a, 7, kSuspect, false);
    }
    SECTION("its service is down") {
        h.a.sendServiceState(7, false, false);
    }
    SECTION("the item alone is suspect") {
        h.a.send(RawProvider::status(h.first, Stream::open, suspect));
    }
    h.until([&] { return !h.out.empty(); });
    h.settle();
    CHECK(h.take() == Events{"0:5 RFSH Open/Ok/10 2"});
    CHECK(Upstream::count(h.told, "group") == 0);
    CHECK(h.item()->source == &h.at(1));
    h.update(h.b, h.second, 3);
    h.until([&] { return h.got("0:5 UPD 3"); });
}

TEST_CASE("hot: an item that is suspect goes on with its standby as soon as that is Ok") {
    HotPair h;
    h.b.sendGroupStatus(9, kOne, kSuspect);
    h.settle();
    h.a.sendGroupStatus(7, kOne, kSuspect);
    h.until([&] { return !h.item()->isOk(); });
    h.settle();
    CHECK(h.item()->source == &h.at(0));
    h.out.clear();
    SECTION("by its group") {
        h.b.sendGroupStatus(9, kOne, kOk);
    }
    SECTION("by its refresh") {
        h.refresh(h.b, h.second, 2, Stream::open, false, kOne);
    }
    SECTION("by its status") {
        h.b.send(RawProvider::status(h.second, Stream::open, ok));
    }
    h.until([&] { return h.got("0:5 RFSH Open/Ok/10 2"); });
}

TEST_CASE("hot: two sources that call an item suspect as soon as they serve it are not asked in a tight loop") {
    HotPair h;
    for (int i = 0; i < 20; ++i) {
        for (RawProvider* p : {&h.a, &h.b}) {
            while (const auto got = p->take()) {
                if (got->msg.cls != codec::MsgClass::Request || got->name() != "IBM") continue;
                h.refresh(*p, got->msg.streamId, 4, Stream::open, true, kOne);
            }
        }
        h.settle();
        h.a.sendGroupStatus(7, kOne, kSuspect);
        h.b.sendGroupStatus(9, kOne, kSuspect);
        h.a.sendGroupStatus(7, kOne, kOk);
        h.settle();
    }
    CHECK(h.upstreams->supply().counts().takeovers <= 2);
    CHECK(h.upstreams->supply().counts().requests < 10);
}

TEST_CASE("hot: permissions and QoS after a take-over are those of the source that goes on") {
    HotPair h;
    codec::Msg m = RawProvider::refresh(h.first, Stream::open, false);
    const std::byte perm[] = {std::byte{1}, std::byte{2}};
    m.flags |= codec::RefreshFlag::permData | codec::RefreshFlag::qos;
    m.permData = perm;
    m.qos = {2, 3, false, 0, 7};
    h.a.send(m);
    h.until([&] { return h.item()->extras && h.item()->extras->permData.size() == 2; });
    SECTION("it has none") {
        h.a.die();
        h.until([&] { return h.item()->source == &h.at(1); });
        CHECK(h.item()->extras->permData.empty());
        CHECK(h.item()->qos.timeliness == 0);
    }
    SECTION("it has its own") {
        m.streamId = h.second;
        m.permData = eta::Bytes(perm).first(1);
        m.qos = codec::kRealtimeTickByTick;
        h.b.send(m);
        h.settle();
        h.a.die();
        h.until([&] { return h.item()->source == &h.at(1); });
        CHECK(h.item()->extras->permData.size() == 1);
        CHECK(reactor::rdm::equal(h.item()->qos, codec::kRealtimeTickByTick));
    }
}

TEST_CASE("ordered, balanced: when the feed behind one source fails, its items move to the other one") {
    Upstream h;
    h.policy.sourceMode = GENERATE(SourceMode::ordered, SourceMode::balanced);
    h.ready();
    Client& c = h.client();
    const std::int32_t id = h.open(c, 5, "IBM", h.a, 1, kOne);
    REQUIRE(h.item()->source == &h.at(0));
    h.take();
    const int how = GENERATE(0, 1, 2, 3);
    CAPTURE(how);
    const bool told = how != 0;  // its service is down, and nothing is said of the items
    if (how == 0) h.a.sendServiceState(7, false, false);
    if (how == 1) sendServiceStatus(h.a, 7, kSuspect, false);
    if (how == 2) h.a.sendGroupStatus(7, kOne, kSuspect);
    if (how == 3) h.a.send(RawProvider::status(id, Stream::open, suspect));
    const codec::Msg request = h.expect(h.b, "IBM");
    CHECK(Upstream::count(h.take(), "STAT Open/Suspect") == (told ? 1 : 0));
    SECTION("which has it") {
        h.refresh(h.b, request.streamId, 7);
        h.until([&] { return h.got("0:5 RFSH Open/Ok 7"); });
        h.until([&] { return h.count(h.a.wire, "CLOSE") == 1; });
        CHECK(h.item()->source == &h.at(1));
        h.settle();
        CHECK(h.upstreams->supply().counts().streams == 1);
    }
    SECTION("which is suspect as well: the item stays, until that is Ok") {
        h.b.send([&] {
            codec::Msg m = RawProvider::refresh(request.streamId);
            m.state.data = suspect;
            return m;
        }());
        h.settle();
        CHECK(h.item()->source == &h.at(0));
        h.advance(60s);
        CHECK(h.count(h.b.wire, "IBM") == 1);
        h.refresh(h.b, request.streamId, 8, Stream::open, false);
        h.until([&] { return h.item()->source == &h.at(1); });
        CHECK(h.got("0:5 RFSH Open/Ok 8"));
    }
    SECTION("which does not have it: the item stays where it is") {
        h.b.send(RawProvider::status(request.streamId, Stream::closed, suspect, 1));
        h.settle();
        h.update(h.a, id, 2);
        h.until([&] { return h.got("0:5 UPD 2"); });
        h.advance(60s);
        CHECK(h.count(h.b.wire, "IBM") == 1);
    }
}

TEST_CASE("a request that the source has not answered when its service goes down is another one's") {
    Upstream h;
    h.ready();
    Client& c = h.client();
    REQUIRE(h.join(c, 5));
    const std::int32_t id = h.expect(h.a, "IBM").streamId;
    (void)id;
    h.a.sendServiceState(7, false, false);
    const codec::Msg request = h.expect(h.b, "IBM");
    h.refresh(h.b, request.streamId, 7);
    h.until([&] { return h.got("0:5 RFSH Open/Ok solicited 7"); });
    CHECK(h.upstreams->supply().counts().outstanding == 0);
}
