// Directory messages with thousands of entries about item groups: what one costs, and who is served meanwhile.
#include "fixture.h"

#include <ctime>
#include <set>

using namespace emissary;
using namespace emissary::test;

namespace {

constexpr std::size_t kEntriesOfMap = 255;  // a filter list has no more

Bytes groupId(const std::uint32_t& n) {
    return {reinterpret_cast<const std::byte*>(&n), sizeof n};
}

/// An update of service 1 that says `times` 255 times that the group is suspect; in front of it service 2 may go.
void sendStatuses(RawProvider& provider, Bytes group, std::size_t times, bool deletesSecond = false) {
    reactor::GrowingBuffer payload, state;
    codec::encodeState(state.start(), {codec::StreamState::open, codec::DataState::suspect, 0, {}});
    codec::MapEncoder map;
    codec::EntryContainerHeader header;
    header.entryType = codec::DataType::FilterList;
    eta::BeWriter& out = payload.start();
    map.begin(out, header, codec::DataType::UInt);
    const std::byte key[2] = {std::byte{0}, std::byte{1}}, second[2] = {std::byte{0}, std::byte{2}};
    if (deletesSecond) map.add(codec::MapAction::del, Bytes(second), {});
    for (std::size_t n = 0; n < times; ++n) {
        map.beginEntry(codec::MapAction::update, Bytes(key));
        codec::FilterListEncoder list;
        list.begin(out, codec::DataType::ElementList);
        for (std::size_t i = 0; i < kEntriesOfMap; ++i) {
            codec::ElementListEncoder e;
            list.beginEntry(codec::FilterAction::update, 3, codec::DataType::ElementList);
            e.begin(out);
            e.add("Group", codec::DataType::Buffer, group);
            e.add("Status", codec::DataType::State, state.view());
            REQUIRE(e.complete().ok());
            list.endEntry();
        }
        REQUIRE(list.complete().ok());
        map.endEntry();
    }
    REQUIRE(map.complete().ok());
    codec::Msg m;
    m.cls = codec::MsgClass::Update;
    m.domain = 4;
    m.streamId = 2;
    m.flags = codec::UpdateFlag::doNotConflate;
    m.containerType = codec::DataType::Map;
    m.payload = payload.view();
    provider.send(m);
}

/// Opens items by these names, each in the group that `groupOf` gives for its number.
template <class GroupOf>
std::vector<std::int32_t> openItems(Consumer& c, const std::string& name, std::uint32_t count, GroupOf groupOf) {
    std::vector<std::int32_t> streams;
    for (std::uint32_t n = 0; n < count; ++n) {
        c.open(name + std::to_string(n));
        streams.push_back(c.expectRequest(name + std::to_string(n)).streamId);
        const std::uint32_t group = groupOf(n);
        codec::Msg r = RawProvider::refresh(streams.back());
        r.groupId = groupId(group);
        c.provider.send(r);
    }
    c.settle();
    c.takeEvents();
    return streams;
}

std::chrono::nanoseconds threadTime() {
    timespec t{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return std::chrono::seconds(t.tv_sec) + std::chrono::nanoseconds(t.tv_nsec);
}

}  // namespace

TEST_CASE("A directory message about one large group is taken over in several turns", "[reactor][consumer][groups]") {
    constexpr std::uint32_t kItems = 200, kGroup = 77;
    constexpr std::size_t kTimes = 4, kStatuses = kItems * kTimes * kEntriesOfMap;
    Consumer c;
    c.ready();
    const bool watched = GENERATE(false, true);
    if (watched) {
        c.open("dir", Consumer::request({}, 4), {});
        c.expectEvent("dir RFSH Open/Ok/0");
    }
    const std::vector<std::int32_t> streams = openItems(c, "I", kItems, [](std::uint32_t) { return kGroup; });
    std::size_t now = 0, most = 0, all = 0;
    bool directoryBefore = false;
    c.hook = [&](const codec::Msg& m, const Recipient&) {
        c.events.clear();
        c.texts.clear();
        if (m.cls == codec::MsgClass::Status) ++now;
        else if (m.domain == 4) directoryBefore = all + now != kStatuses;
        else c.events.push_back("behind it");
    };
    sendStatuses(c.provider, groupId(kGroup), kTimes);
    c.provider.send(RawProvider::refresh(streams[0]));
    c.until([&] {
        most = std::max(most, now);
        all += std::exchange(now, 0);
        return !c.events.empty();
    });
    CHECK(all == kStatuses);  // the refresh that was sent behind it came behind all of them
    CHECK(most < kStatuses / 2);
    CHECK_FALSE(directoryBefore);
}

TEST_CASE("A directory that is asked for in the middle of a message is the one behind it",
          "[reactor][consumer][groups]") {
    constexpr std::uint32_t kItems = 200, kGroup = 77;
    constexpr std::size_t kTimes = 4, kStatuses = kItems * kTimes * kEntriesOfMap;
    Consumer c;
    c.ready();
    openItems(c, "I", kItems, [](std::uint32_t) { return kGroup; });
    std::size_t statuses = 0, before = 0;
    bool asked = false;
    c.hook = [&](const codec::Msg& m, const Recipient&) {
        c.events.clear();
        c.texts.clear();
        if (m.domain == 4) before = statuses;
        else ++statuses;
    };
    sendStatuses(c.provider, groupId(kGroup), kTimes);
    c.until([&] {
        if (statuses != 0 && !std::exchange(asked, true)) {
            CHECK(statuses < kStatuses);
            c.open("dir", Consumer::request({}, 4), {});
        }
        return before != 0;
    });
    CHECK(before == kStatuses);
}

TEST_CASE("Clients hear that a service went although the connection is lost in the middle of the message",
          "[reactor][consumer][groups]") {
    constexpr std::uint32_t kItems = 200, kGroup = 77;
    Consumer c;
    c.provider.services.push_back(RawProvider::service(2, "SECOND"));
    c.ready();
    c.open("dir", Consumer::request({}, 4), {});
    c.expectEvent("dir RFSH Open/Ok/0");
    openItems(c, "I", kItems, [](std::uint32_t) { return kGroup; });
    std::size_t statuses = 0;
    std::multiset<unsigned> gone;
    c.hook = [&](const codec::Msg& m, const Recipient&) {
        c.events.clear();
        c.texts.clear();
        if (m.domain != 4) return void(++statuses);
        codec::MapDecoder map;
        if (m.cls != codec::MsgClass::Update || !map.start(m.payload).ok()) return;
        for (codec::MapEntry entry; map.next(entry);)
            if (entry.action == codec::MapAction::del) gone.insert(std::to_integer<unsigned>(entry.key.back()));
    };
    sendStatuses(c.provider, groupId(kGroup), 4, true);
    bool cut = false;
    c.until([&] {
        if (statuses != 0 && !std::exchange(cut, true)) {
            CHECK(gone.empty());  // clients hear of a message when all of it was taken over
            c.provider.disconnect();
        }
        return gone.size() == 2;
    });
    CHECK(gone == std::multiset<unsigned>{1, 2});
}

TEST_CASE("A status of a small group costs nothing for the items of other groups", "[reactor][consumer][groups]") {
    constexpr std::uint32_t kMany = 10'000;
    constexpr std::size_t kTimes = 20;
    const auto costWith = [](std::uint32_t others) {
        Consumer c;
        c.ready();
        openItems(c, "one", 1, [](std::uint32_t) { return 7u; });
        openItems(c, "I", others, [](std::uint32_t n) { return 1000 + n; });
        std::chrono::nanoseconds least = std::chrono::hours(1);
        for (int round = 0; round < 3; ++round) {
            std::size_t told = 0;
            c.hook = [&](const codec::Msg&, const Recipient&) {
                c.events.clear();
                c.texts.clear();
                ++told;
            };
            const auto begun = threadTime();
            sendStatuses(c.provider, groupId(7), kTimes);
            c.until([&] { return told == kTimes * kEntriesOfMap; });
            least = std::min(least, threadTime() - begun);
        }
        return least;
    };
    const auto few = costWith(1), many = costWith(kMany);
    INFO(few.count() << " ns with one other item, " << many.count() << " ns with " << kMany);
    CHECK(many < 3 * few);
}

TEST_CASE("A merger takes all members along, and a group of that id in another service keeps its own",
          "[reactor][consumer][groups]") {
    Consumer c;
    c.ready();
    c.provider.sendServiceAdd(RawProvider::service(2, "OTHER_FEED"));
    openItems(c, "I", 3, [](std::uint32_t) { return 5u; });
    c.open("there", Consumer::request("there"), "OTHER_FEED");
    codec::Msg r = RawProvider::refresh(c.expectRequest("there").streamId);
    constexpr std::uint32_t five = 5, six = 6;
    r.groupId = groupId(five);
    c.provider.send(r);
    c.settle();
    c.takeEvents();
    const auto heard = [&](std::uint16_t service, const std::uint32_t& group) {
        c.provider.sendGroupStatus(service, groupId(group),
                                   {codec::StreamState::open, codec::DataState::suspect, 0, {}});
        c.settle();
        std::vector<std::string> who = c.takeEvents();
        std::sort(who.begin(), who.end());
        return who;
    };
    const std::vector<std::string> three{"I0 STAT Open/Suspect/0", "I1 STAT Open/Suspect/0", "I2 STAT Open/Suspect/0"};
    const std::vector<std::string> other{"there STAT Open/Suspect/0"};
    CHECK(heard(1, five) == three);
    CHECK(heard(2, five) == other);
    c.provider.sendGroupMerge(1, groupId(five), groupId(six));
    CHECK(heard(1, five).empty());
    CHECK(heard(1, six) == three);
    CHECK(heard(2, five) == other);
    CHECK(heard(2, six).empty());
    // Into no group, and back out of it.
    const std::byte none[2] = {};
    c.provider.sendGroupMerge(1, groupId(six), none);
    CHECK(heard(1, six).empty());
    c.provider.sendGroupMerge(1, none, groupId(five));
    CHECK(heard(1, five) == three);
}
