// Item groups: what a directory message says about a group or a service of open items (rdm.md 9, session.md 5.5).
#include "ProviderFixture.h"

#include "eta/codec/containers.h"
#include "eta/codec/encoders.h"
#include "reactor/GrowingBuffer.h"

#include <array>
#include <string>
#include <vector>

using namespace emissary;
using namespace emissary::test;
namespace StreamState = codec::StreamState;

namespace {

constexpr std::byte kGroupA[] = {std::byte{1}, std::byte{2}};
constexpr std::byte kGroupB[] = {std::byte{9}};

/// Two clients with the items A1, A2 (group A), B (group B), D (default group) of service 1 and O of service 2, and
/// directory streams.
struct Groups {
    ProviderFixture f;
    RawConsumer first, second;
    struct Items {
        std::uint64_t a1 = 0, a2 = 0, b = 0, plain = 0, other = 0;
    } of[2];
    Groups() : f(options()), first(f.loggedIn()), second(f.loggedIn()) {
        RawConsumer* clients[] = {&first, &second};
        for (int i = 0; i < 2; ++i) {
            RawConsumer& c = *clients[i];
            c.send(RawConsumer::directoryRequest(63));
            REQUIRE(c.next().msg.domain == 4);
            of[i].a1 = open(c, 5, "A1", 1, kGroupA);
            of[i].a2 = open(c, 6, "A2", 1, {});
            codec::Msg joins = Application::status(StreamState::open);
            joins.flags |= codec::StatusFlag::groupId;
            joins.groupId = kGroupA;
            REQUIRE(submit(of[i].a2, joins).ok());
            REQUIRE(c.next().msg.cls == codec::MsgClass::Status);
            of[i].b = open(c, 7, "B", 1, kGroupB);
            of[i].plain = open(c, 8, "D", 1, {});
            of[i].other = open(c, 9, "O", 2, kGroupA);
        }
    }
    [[nodiscard]] static ProviderOptions options() {
        ProviderOptions o = ProviderFixture::defaults();
        o.services[1].state.accepting = true;
        return o;
    }
    SubmitResult submit(std::uint64_t handle, codec::Msg m) {
        return f.locked([&](ProviderRole& r) { return r.submit(handle, m); });
    }
    std::uint64_t open(RawConsumer& c, std::int32_t stream, std::string_view name, std::uint16_t service, Bytes group) {
        const std::size_t before = f.app.told.size();
        c.send(RawConsumer::request(stream, 6, name, service));
        f.runUntil([&] { return f.app.told.size() > before; });
        codec::Msg m = Application::refresh();
        if (!group.empty()) m.groupId = group;
        const std::uint64_t handle = f.app.last().event.handle;
        REQUIRE(submit(handle, m).ok());
        REQUIRE(c.next().msg.streamId == stream);
        return handle;
    }
    [[nodiscard]] bool alive(std::uint64_t handle) {
        return f.locked([&](ProviderRole& r) { return r.clientOf(handle) != 0; });
    }

    /// An update of service 1 with one filter entry.
    template <class Elements>
    [[nodiscard]] static codec::Msg update(GrowingBuffer& payload, std::uint8_t filterId, Elements elements) {
        using namespace eta::codec;
        MapEncoder map;
        EntryContainerHeader header;
        header.entryType = DataType::FilterList;
        map.begin(payload.start(), header, DataType::UInt);
        const std::byte key{1};
        map.beginEntry(MapAction::update, {&key, 1});
        FilterListEncoder filters;
        filters.begin(payload.writer(), DataType::ElementList);
        filters.beginEntry(FilterAction::update, filterId, DataType::ElementList);
        ElementListEncoder list;
        list.begin(payload.writer());
        elements(list);
        REQUIRE(list.complete().ok());
        filters.endEntry();
        REQUIRE(filters.complete().ok());
        map.endEntry();
        REQUIRE(map.complete().ok());
        codec::Msg m = Application::update();
        m.domain = 4;
        m.containerType = DataType::Map;
        m.payload = payload.view();
        return m;
    }
    /// A group becomes a part of another, or ends.
    struct Said {
        Bytes group, into;
    };
    /// An update that says all this of service 1, in this order, and perhaps that service 2 is deleted.
    [[nodiscard]] static codec::Msg all(GrowingBuffer& payload, const std::vector<Said>& list, bool deletes = false) {
        using namespace eta::codec;
        MapEncoder map;
        EntryContainerHeader header;
        header.entryType = DataType::FilterList;
        map.begin(payload.start(), header, DataType::UInt);
        const std::byte one{1}, two{2};
        if (!list.empty()) {
            map.beginEntry(MapAction::update, {&one, 1});
            FilterListEncoder filters;
            filters.begin(payload.writer(), DataType::ElementList);
            for (const Said& said : list) {
                filters.beginEntry(FilterAction::update, 3, DataType::ElementList);
                ElementListEncoder elements;
                elements.begin(payload.writer());
                elements.add("Group", DataType::Buffer, said.group);
                if (said.into.empty()) addState(elements, StreamState::closed);
                else elements.add("MergedToGroup", DataType::Buffer, said.into);
                REQUIRE(elements.complete().ok());
                filters.endEntry();
            }
            REQUIRE(filters.complete().ok());
            map.endEntry();
        }
        if (deletes) map.add(MapAction::del, {&two, 1}, {});
        REQUIRE(map.complete().ok());
        codec::Msg m = Application::update();
        m.domain = 4;
        m.containerType = DataType::Map;
        m.payload = payload.view();
        return m;
    }
    /// Only the application that answers directory requests knows directory handles; here they are the streams after
    /// the logins. Handles are serial and slot; the directory was asked for right before the first item.
    [[nodiscard]] std::uint64_t directoryOfFirst() {
        const std::uint64_t item = of[0].a1 >> 32;
        for (std::uint64_t i = 0; i < 32 * 64; ++i) {
            const std::uint64_t handle = (item - 1 - i / 32) << 32 | i % 32;
            if (f.locked([&](ProviderRole& r) { return r.describe(handle); }).find("domain 4") != std::string::npos)
                return handle;
        }
        FAIL("the directory's stream is not found");
        return 0;
    }
    [[nodiscard]] static codec::Msg groupStatus(GrowingBuffer& payload, Bytes group, std::uint8_t stream) {
        return update(payload, 3, [&](codec::ElementListEncoder& e) {
            e.add("Group", codec::DataType::Buffer, group);
            addState(e, stream);
        });
    }
    static void addState(codec::ElementListEncoder& e, std::uint8_t stream) {
        GrowingBuffer state;
        codec::encodeState(state.start(), {stream, codec::DataState::suspect, 0, eta::asBytes("fault")});
        e.add("Status", codec::DataType::State, state.view());
    }
    [[nodiscard]] static codec::Msg merge(GrowingBuffer& payload, Bytes group, Bytes into) {
        return update(payload, 3, [&](codec::ElementListEncoder& e) {
            e.add("Group", codec::DataType::Buffer, group);
            e.add("MergedToGroup", codec::DataType::Buffer, into);
        });
    }
    void toAll(const codec::Msg& m, std::uint32_t reaches = 2) {
        const SubmitResult r = f.locked([&](ProviderRole& role) { return role.submitToAll(m); });
        CHECK(r.ok());
        CHECK(r.sent == reaches);
        CHECK(first.next().msg.domain == 4);
        CHECK(second.next().msg.domain == 4);
    }
};

}  // namespace

TEST_CASE("a status of an item group", "[reactor][provider][groups]") {
    Groups g;
    GrowingBuffer payload;
    SECTION("that is final ends the group's items of every client, without onClose") {
        g.toAll(Groups::groupStatus(payload, kGroupA, StreamState::closedRecover));
        for (const Groups::Items& items : g.of) {
            CHECK_FALSE(g.alive(items.a1));
            CHECK_FALSE(g.alive(items.a2));  // a status had named its group
            CHECK(g.alive(items.b));
            CHECK(g.alive(items.plain));
            CHECK(g.alive(items.other));  // the same group id, of another service
        }
        CHECK(g.f.app.count(Told::What::close) == 0);
        CHECK(g.first.silent());                             // the directory message says it all
        g.first.send(RawConsumer::request(20, 6, "A1", 1));  // ended here, so it may be opened again
        g.f.runUntil([&] { return g.f.app.last().name == "A1"; });
    }
    SECTION("that is not final changes nothing here") {
        g.toAll(Groups::groupStatus(payload, kGroupA, StreamState::open));
        CHECK(g.alive(g.of[0].a1));
        CHECK(g.alive(g.of[1].a2));
    }
    SECTION("of the default group") {
        const std::byte zero[2]{};
        g.toAll(Groups::groupStatus(payload, zero, StreamState::closed));
        CHECK_FALSE(g.alive(g.of[0].plain));
        CHECK(g.alive(g.of[0].a1));
    }
    SECTION("after a merge is for the merged items") {
        g.toAll(Groups::merge(payload, kGroupA, kGroupB));
        CHECK(g.alive(g.of[0].a1));
        g.toAll(Groups::groupStatus(payload, kGroupA, StreamState::closed));
        CHECK(g.alive(g.of[0].a1));
        g.toAll(Groups::groupStatus(payload, kGroupB, StreamState::closed));
        CHECK_FALSE(g.alive(g.of[0].a1));
        CHECK_FALSE(g.alive(g.of[0].b));
        CHECK(g.alive(g.of[0].other));
    }
}

TEST_CASE("what one message says of groups and services holds in its order", "[reactor][provider][groups]") {
    Groups g;
    GrowingBuffer payload;
    constexpr std::byte kGroupC[] = {std::byte{3}};
    const auto alive = [&] {
        std::string names;
        for (const Groups::Items& items : g.of) {
            if (g.alive(items.a1)) names += "A1 ";
            if (g.alive(items.a2)) names += "A2 ";
            if (g.alive(items.b)) names += "B ";
            if (g.alive(items.plain)) names += "D ";
            if (g.alive(items.other)) names += "O ";
        }
        return names;
    };
    const Groups::Said aToB{kGroupA, kGroupB}, bToC{kGroupB, kGroupC}, aToA{kGroupA, kGroupA};
    const Groups::Said aEnds{kGroupA, {}}, bEnds{kGroupB, {}}, cEnds{kGroupC, {}};
    SECTION("a group ends with the one that it has become a part of") {
        g.toAll(Groups::all(payload, {aToB, bEnds}));
        CHECK(alive() == "D O D O ");
    }
    SECTION("but not with what that one was before") {
        g.toAll(Groups::all(payload, {bEnds, aToB}));
        CHECK(alive() == "A1 A2 D O A1 A2 D O ");
        g.toAll(Groups::all(payload, {bEnds}));
        CHECK(alive() == "D O D O ");
    }
    SECTION("from one group to the next") {
        g.toAll(Groups::all(payload, {aToB, bToC, aEnds, bEnds}));
        CHECK(alive() == "A1 A2 B D O A1 A2 B D O ");
        g.toAll(Groups::all(payload, {cEnds}));
        CHECK(alive() == "D O D O ");
    }
    SECTION("into itself") {
        g.toAll(Groups::all(payload, {aToA, aEnds}));
        CHECK(alive() == "B D O B D O ");
    }
    SECTION("two groups, and another service that goes") {
        g.toAll(Groups::all(payload, {aEnds, bEnds}, true));
        CHECK(alive() == "D D ");
    }
    SECTION("a service alone") {
        g.toAll(Groups::all(payload, {}, true));
        CHECK(alive() == "A1 A2 B D A1 A2 B D ");
    }
    SECTION("to one client: the other's items stay in their groups") {
        REQUIRE(g.submit(g.directoryOfFirst(), Groups::all(payload, {aToB, bEnds})).ok());
        CHECK(g.first.next().msg.domain == 4);
        CHECK(alive() == "D O A1 A2 B D O ");
        g.toAll(Groups::all(payload, {bEnds}));
        CHECK(alive() == "D O A1 A2 D O ");
    }
}

TEST_CASE("item groups by the ten thousand", "[reactor][provider][groups]") {
    Groups g;
    GrowingBuffer payload;
    const auto numbered = [](std::uint32_t n) {
        return std::array{std::byte{7}, static_cast<std::byte>(n >> 16), static_cast<std::byte>(n >> 8 & 0xFF),
                          static_cast<std::byte>(n & 0xFF)};
    };
    constexpr std::uint32_t kMany = 70000;  // more than a number of 16 bits tells apart
    std::uint32_t heard = 0;
    for (std::uint32_t n = 0; n < kMany; ++n) {
        const auto id = numbered(n);
        codec::Msg moves = Application::status(StreamState::open);
        moves.flags |= codec::StatusFlag::groupId;
        moves.groupId = id;
        REQUIRE(g.submit(g.of[0].b, moves).ok());
        if (n % 1000 == 999)
            for (; heard <= n; ++heard)
                REQUIRE(g.first.next().msg.cls == codec::MsgClass::Status);
    }
    // A group that no item is in: nobody hears of it, least of all the items without a group.
    g.toAll(Groups::groupStatus(payload, numbered(kMany), StreamState::closed));
    CHECK(g.alive(g.of[0].plain));
    CHECK(g.alive(g.of[1].plain));
    CHECK(g.alive(g.of[0].b));
    // The groups that items left are forgotten, and the last one is known.
    g.toAll(Groups::groupStatus(payload, numbered(kMany - 2), StreamState::closed));
    CHECK(g.alive(g.of[0].b));
    g.toAll(Groups::groupStatus(payload, numbered(kMany - 1), StreamState::closed));
    CHECK_FALSE(g.alive(g.of[0].b));
    CHECK(g.alive(g.of[0].plain));
}

TEST_CASE("a status of a service", "[reactor][provider][groups]") {
    Groups g;
    GrowingBuffer payload;
    g.toAll(Groups::update(payload, 2, [](codec::ElementListEncoder& e) {
        e.addUInt("ServiceState", 0);
        Groups::addState(e, StreamState::closedRecover);
    }));
    for (const Groups::Items& items : g.of) {
        CHECK_FALSE(g.alive(items.a1));
        CHECK_FALSE(g.alive(items.plain));
        CHECK(g.alive(items.other));
    }
}

TEST_CASE("a directory message for one client", "[reactor][provider][groups]") {
    Groups g;
    GrowingBuffer payload;
    const codec::Msg m = Groups::groupStatus(payload, kGroupA, StreamState::closed);
    REQUIRE(g.submit(g.directoryOfFirst(), m).ok());
    CHECK(g.first.next().msg.domain == 4);
    CHECK(g.second.silent());
    CHECK_FALSE(g.alive(g.of[0].a1));
    CHECK(g.alive(g.of[1].a1));
}
