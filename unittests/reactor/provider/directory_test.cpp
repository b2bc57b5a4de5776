// The source directory: encoded, decoded, changed, and damaged.
#include "eta/codec/containers.h"
#include "eta/codec/encoders.h"
#include "reactor/GrowingBuffer.h"
#include "reactor/rdm/Directory.h"
#include "support/catch.hpp"

#include <chrono>
#include <functional>
#include <set>
#include <string>

using namespace emissary;
using namespace emissary::reactor;
using namespace emissary::reactor::rdm;
using namespace emissary::eta::codec;

namespace {

Service full(std::uint16_t id, const std::string& name) {
    Service s;
    s.id = id;
    s.filters = DirectoryFilter::all | DirectoryFilter::sequencedMulticast;
    s.info.name = name;
    s.info.vendor = "Vendor";
    s.info.isSource = true;
    s.info.capabilities = {6, 7, 10, 255};
    s.info.dictionariesProvided = {{"RWFFld", "RWFEnum"}};
    s.info.dictionariesUsed = std::vector<std::string>{};
    s.info.qos = {{1, 1, false, 0, 0}, {3, 3, false, 900, 1000}};
    s.info.qosRange = true;
    s.info.itemList = "_LIST";
    s.info.outOfBandSnapshots = false;
    s.info.consumerStatus = false;
    s.state.up = true;
    s.state.accepting = false;
    s.state.status = OwnedState{1, 2, 0, "halted"};
    s.groups = {{{std::byte{0}, std::byte{1}}, {{std::byte{2}}}, OwnedState{1, 2, 9, "group"}}};
    s.load = {100, 10, 3};
    s.data = {4, DataType::UInt, {std::byte{7}}};
    s.links = {{"link1", 2, 1, 1, "fine"}};
    s.sequencedMulticast = {std::byte{0x08}, std::byte{0}, std::byte{0}};
    return s;
}

void checkEqual(const Service& a, const Service& b) {
    CHECK(a.id == b.id);
    CHECK(a.filters == b.filters);
    CHECK(a.info.name == b.info.name);
    CHECK(a.info.vendor == b.info.vendor);
    CHECK(a.info.isSource == b.info.isSource);
    CHECK(a.info.capabilities == b.info.capabilities);
    CHECK(a.info.dictionariesProvided == b.info.dictionariesProvided);
    CHECK(a.info.dictionariesUsed == b.info.dictionariesUsed);
    CHECK(a.info.qos == b.info.qos);
    CHECK(a.info.qosRange == b.info.qosRange);
    CHECK(a.info.itemList == b.info.itemList);
    CHECK(a.info.outOfBandSnapshots == b.info.outOfBandSnapshots);
    CHECK(a.info.consumerStatus == b.info.consumerStatus);
    CHECK(a.state.up == b.state.up);
    CHECK(a.state.accepting == b.state.accepting);
    CHECK(a.state.status.has_value() == b.state.status.has_value());
    CHECK(a.groups.size() == b.groups.size());
    CHECK(a.load.openLimit == b.load.openLimit);
    CHECK(a.load.openWindow == b.load.openWindow);
    CHECK(a.load.loadFactor == b.load.loadFactor);
    CHECK(a.data.type == b.data.type);
    CHECK(a.data.data == b.data.data);
    CHECK(a.links.size() == b.links.size());
    CHECK(a.sequencedMulticast == b.sequencedMulticast);
}

/// Builds directory payloads entry by entry.
class Payload {
public:
    Payload() {
        EntryContainerHeader header;
        header.entryType = DataType::FilterList;
        map_.begin(buffer_.start(), header, DataType::UInt);
    }
    /// One service with one filter.
    template <class Elements>
    Payload& entry(std::uint8_t action, std::uint8_t id, std::uint8_t filterAction, std::uint8_t filterId,
                   Elements elements) {
        const std::byte key{id};
        map_.beginEntry(action, {&key, 1});
        FilterListEncoder filters;
        filters.begin(buffer_.writer(), DataType::ElementList);
        filters.beginEntry(filterAction, filterId, DataType::ElementList);
        ElementListEncoder list;
        list.begin(buffer_.writer());
        elements(list);
        CHECK(list.complete().ok());
        filters.endEntry();
        CHECK(filters.complete().ok());
        map_.endEntry();
        return *this;
    }
    Payload& remove(std::uint8_t id) {
        const std::byte key{id};
        map_.add(MapAction::del, {&key, 1}, {});
        return *this;
    }
    Bytes bytes() {
        CHECK(map_.complete().ok());
        return buffer_.view();
    }

private:
    GrowingBuffer buffer_;
    MapEncoder map_;
};

struct Log : DirectoryListener {
    std::vector<std::string> lines;
    static std::string hex(Bytes b) {
        std::string s;
        for (std::byte x : b)
            s += std::to_string(std::to_integer<int>(x)) + ".";
        return s;
    }
    void onServiceAdded(const Service& s) override { lines.push_back("add " + s.name()); }
    void onServiceChanged(const Service& s, std::uint32_t f) override {
        lines.push_back("change " + s.name() + " " + std::to_string(f));
    }
    void onServiceDeleted(const Service& s) override { lines.push_back("delete " + s.name()); }
    void onServiceStatus(const Service& s, const State& st) override {
        lines.push_back("status " + s.name() + " " + std::to_string(st.stream));
    }
    void onGroupMerged(const Service&, Bytes g, Bytes into) override {
        lines.push_back("merge " + hex(g) + ">" + hex(into));
    }
    void onGroupStatus(const Service&, Bytes g, const State& st) override {
        lines.push_back("group " + hex(g) + " " + std::to_string(st.stream));
    }
    void onSkipped(const std::string& what) override { lines.push_back("skipped " + what); }
};

}  // namespace

TEST_CASE("a directory survives the wire", "[reactor][rdm]") {
    Directory source;
    REQUIRE(source.add(full(1, "A")));
    REQUIRE(source.add(full(65535, "B")));
    CHECK_FALSE(source.add(full(1, "C")));
    CHECK_FALSE(source.add(full(7, "B")));
    GrowingBuffer out;
    DirectorySelection all;
    all.filters = 0x7F;
    REQUIRE(source.encode(out.start(), all).ok());

    SECTION("every member comes back") {
        Directory copy;
        Log log;
        REQUIRE(copy.apply(out.view(), true, &log).ok());
        CHECK(log.lines[0] == "add A");
        REQUIRE(copy.find(std::uint16_t{1}) != nullptr);
        REQUIRE(copy.find("B") != nullptr);
        checkEqual(*source.find(std::uint16_t{1}), *copy.find(std::uint16_t{1}));
        checkEqual(*source.find("B"), *copy.find("B"));
        GrowingBuffer again;
        REQUIRE(copy.encode(again.start(), all).ok());
        CHECK(std::equal(again.view().begin(), again.view().end(), out.view().begin(), out.view().end()));
    }
    SECTION("cut at any byte it is refused and changes nothing") {
        for (std::size_t n = 0; n < out.view().size(); ++n) {
            const std::vector<std::byte> cut(out.view().begin(), out.view().begin() + static_cast<std::ptrdiff_t>(n));
            Directory copy;
            const Error e = copy.apply(Bytes(cut), true);
            if (n != 0) CHECK_FALSE(e.ok());
            CHECK(copy.empty());
        }
    }
    SECTION("any one byte changed is taken or refused, never half taken") {
        std::vector<std::byte> bytes(out.view().begin(), out.view().end());
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            const std::byte was = bytes[i];
            for (const int flip : {0x01, 0x80, 0xFF}) {
                bytes[i] = was ^ std::byte(flip);
                Directory copy;
                if (!copy.apply(Bytes(bytes), true).ok()) CHECK(copy.empty());
            }
            bytes[i] = was;
        }
    }
    SECTION("a selection has only what was asked for") {
        DirectorySelection want{DirectoryFilter::info | DirectoryFilter::state, std::uint16_t{65535}};
        CHECK(source.available(want) == 3);
        GrowingBuffer part;
        REQUIRE(source.encode(part.start(), want).ok());
        Directory copy;
        REQUIRE(copy.apply(part.view(), true).ok());
        CHECK(copy.services().size() == 1);
        CHECK(copy.find("B")->filters == 3);
        want.serviceId = 9;
        CHECK(source.available(want) == 0);
        REQUIRE(source.encode(part.start(), want).ok());
        REQUIRE(copy.apply(part.view(), true).ok());
        CHECK(copy.empty());
    }
    SECTION("copying selected filters of a payload equals encoding them") {
        const DirectorySelection want{DirectoryFilter::info | DirectoryFilter::load, std::uint16_t{1}};
        GrowingBuffer copied, encoded;
        std::uint32_t present = 0, entries = 0;
        REQUIRE(Directory::copySelected(copied.start(), out.view(), want, present, entries).ok());
        CHECK(present == (DirectoryFilter::info | DirectoryFilter::load));
        CHECK(entries == 1);
        REQUIRE(source.encode(encoded.start(), want).ok());
        CHECK(std::equal(copied.view().begin(), copied.view().end(), encoded.view().begin(), encoded.view().end()));
    }
}

TEST_CASE("mandatory elements of a directory", "[reactor][rdm]") {
    const auto refused = [](std::uint8_t filterId, auto elements) {
        Payload p;
        p.entry(MapAction::add, 1, FilterAction::set, filterId, elements);
        return !Directory::check(p.bytes()).ok();
    };
    SECTION("Info needs Name and Capabilities") {
        CHECK(refused(1, [](ElementListEncoder& e) { e.addAscii("Name", "A"); }));
        CHECK(refused(1, [](ElementListEncoder& e) { e.addAscii("Vendor", "A"); }));
    }
    SECTION("State needs ServiceState") {
        CHECK(refused(2, [](ElementListEncoder& e) { e.addUInt("AcceptingRequests", 1); }));
        CHECK_FALSE(refused(2, [](ElementListEncoder& e) { e.addUInt("ServiceState", 1); }));
    }
    SECTION("Group needs Group") {
        CHECK(refused(3, [](ElementListEncoder& e) { e.addUInt("Other", 1); }));
    }
    SECTION("Data needs Type beside Data") {
        CHECK(refused(5, [](ElementListEncoder& e) { e.addUInt("Data", 1); }));
        CHECK_FALSE(refused(5, [](ElementListEncoder& e) { e.addUInt("Type", 1); }));
    }
    SECTION("a wrong type is refused, an unknown element skipped") {
        CHECK(refused(2, [](ElementListEncoder& e) { e.addAscii("ServiceState", "1"); }));
        CHECK_FALSE(refused(2, [](ElementListEncoder& e) {
            e.addUInt("ServiceState", 1);
            e.addAscii("Novelty", "x");
        }));
    }
}

TEST_CASE("directory changes are told in order", "[reactor][rdm]") {
    Directory d;
    d.add(full(1, "A"));
    d.add(full(2, "B"));
    Log log;
    const std::byte group[2]{std::byte{1}, std::byte{2}}, into[1]{std::byte{9}};
    const State closed{StreamState::closedRecover, DataState::suspect, 0, {}};

    SECTION("state with a status") {
        Payload p;
        p.entry(MapAction::update, 1, FilterAction::update, 2, [&](ElementListEncoder& e) {
            e.addUInt("ServiceState", 0);
            e.element("Status", DataType::State);
            encodeStatePrefixed(e.writer(), closed);
        });
        REQUIRE(d.apply(p.bytes(), false, &log).ok());
        CHECK(log.lines == std::vector<std::string>{"change A 2", "status A 3"});
        CHECK_FALSE(d.find("A")->state.up);
        CHECK(d.find("A")->state.accepting == false);  // Update keeps what it does not name
    }
    SECTION("set replaces, clear restores the defaults") {
        Payload set;
        set.entry(MapAction::update, 1, FilterAction::set, 2,
                  [](ElementListEncoder& e) { e.addUInt("ServiceState", 1); });
        REQUIRE(d.apply(set.bytes(), false, &log).ok());
        CHECK(d.find("A")->state.acceptingRequests());
        Payload clear;
        clear.entry(MapAction::update, 1, FilterAction::clear, 4, [](ElementListEncoder&) {});
        REQUIRE(d.apply(clear.bytes(), false, &log).ok());
        CHECK_FALSE(d.find("A")->has(DirectoryFilter::load));
        CHECK_FALSE(d.find("A")->load.openWindow.has_value());
    }
    SECTION("merge comes before the status, which is for the new group") {
        Payload p;
        p.entry(MapAction::update, 2, FilterAction::set, 3, [&](ElementListEncoder& e) {
            e.add("Group", DataType::Buffer, group);
            e.add("MergedToGroup", DataType::Buffer, into);
            e.element("Status", DataType::State);
            encodeStatePrefixed(e.writer(), closed);
        });
        REQUIRE(d.apply(p.bytes(), false, &log).ok());
        CHECK(log.lines == std::vector<std::string>{"change B 4", "merge 1.2.>9.", "group 9. 3"});
    }
    SECTION("delete, update of an unknown service, replacement") {
        Payload p;
        p.remove(1).remove(77).entry(MapAction::update, 33, FilterAction::set, 2,
                                     [](ElementListEncoder& e) { e.addUInt("ServiceState", 1); });
        REQUIRE(d.apply(p.bytes(), false, &log).ok());
        CHECK(log.lines == std::vector<std::string>{"delete A"});
        CHECK(d.services().size() == 1);
        log.lines.clear();
        Payload empty;
        REQUIRE(d.apply(empty.bytes(), true, &log).ok());
        CHECK(log.lines == std::vector<std::string>{"delete B"});
    }
}

TEST_CASE("entries that carry only some elements", "[reactor][rdm]") {
    const auto one = [](std::uint8_t mapAction, std::uint8_t filterAction, std::uint8_t filterId, auto elements) {
        Payload p;
        p.entry(mapAction, 1, filterAction, filterId, elements);
        const Bytes b = p.bytes();
        return std::vector<std::byte>(b.begin(), b.end());
    };
    const auto vendor = [](ElementListEncoder& e) { e.addAscii("Vendor", "New"); };
    const auto accepting = [](ElementListEncoder& e) { e.addUInt("AcceptingRequests", 1); };
    SECTION("may be sent as changes") {
        for (const std::uint8_t action : {FilterAction::update, FilterAction::set}) {
            CHECK(Directory::check(one(MapAction::update, action, 1, vendor)).ok());
            CHECK(Directory::check(one(MapAction::update, action, 2, accepting)).ok());
        }
        CHECK(Directory::check(one(MapAction::add, FilterAction::update, 1, vendor)).ok());
        CHECK_FALSE(Directory::check(one(MapAction::add, FilterAction::set, 1, vendor)).ok());
        // Of no group: it says nothing, and is skipped by who gets it.
        CHECK(Directory::check(one(MapAction::update, FilterAction::update, 3, vendor)).ok());
        CHECK_FALSE(Directory::check(one(MapAction::add, FilterAction::set, 3, vendor)).ok());
    }
    SECTION("of a service without a name: it has none until one comes") {
        Directory d;
        Log log;
        REQUIRE(d.apply(one(MapAction::add, FilterAction::set, 1, vendor), false, &log).ok());
        REQUIRE(d.find(std::uint16_t{1}) != nullptr);
        CHECK_FALSE(d.find(std::uint16_t{1})->has(DirectoryFilter::info));
        REQUIRE(d.apply(one(MapAction::update, FilterAction::update, 1,
                            [](ElementListEncoder& e) { e.addAscii("Name", "A"); }),
                        false, &log)
                    .ok());
        CHECK(d.find("A")->info.vendor == "New");
        CHECK(log.lines == std::vector<std::string>{"add ", "change A 1"});
    }
    SECTION("a new name makes it another service") {
        Directory d;
        d.add(full(1, "A"));
        Log log;
        REQUIRE(d.apply(one(MapAction::update, FilterAction::update, 1,
                            [](ElementListEncoder& e) { e.addAscii("Name", "B"); }),
                        false, &log)
                    .ok());
        CHECK(log.lines == std::vector<std::string>{"delete A", "add B"});
        CHECK(d.find("B")->info.vendor == "Vendor");
        CHECK(d.services().size() == 1);
    }
}

TEST_CASE("what cannot be used costs itself alone", "[reactor][rdm]") {
    Directory d;
    d.add(full(1, "A"));
    d.add(full(2, "B"));
    Log log;
    GrowingBuffer buffer;
    MapEncoder map;
    EntryContainerHeader header;
    header.entryType = DataType::FilterList;
    map.begin(buffer.start(), header, DataType::UInt);
    const auto state = [&](std::uint8_t action, Bytes key, auto elements) {
        map.beginEntry(action, key);
        FilterListEncoder filters;
        filters.begin(buffer.writer(), DataType::ElementList);
        filters.beginEntry(FilterAction::update, 2, DataType::ElementList);
        ElementListEncoder list;
        list.begin(buffer.writer());
        elements(list);
        CHECK(list.complete().ok());
        filters.endEntry();
        CHECK(filters.complete().ok());
        map.endEntry();
    };
    const auto down = [](ElementListEncoder& e) { e.addUInt("ServiceState", 0); };
    const std::byte one[] = {std::byte{1}}, two[] = {std::byte{2}};
    const std::byte far[] = {std::byte{1}, std::byte{0}, std::byte{0}};  // 65536
    const std::byte rubbish[] = {std::byte{0xFF}, std::byte{0xFF}};
    state(MapAction::update, far, down);
    map.add(MapAction::update, one, rubbish);
    state(MapAction::update, one, [](ElementListEncoder& e) { e.addAscii("ServiceState", "down"); });
    state(MapAction::update, two, down);
    REQUIRE(map.complete().ok());
    REQUIRE(d.apply(buffer.view(), false, &log).ok());
    CHECK(d.find("A")->state.up);
    CHECK_FALSE(d.find("B")->state.up);
    REQUIRE(log.lines.size() == 3);
    CHECK(log.lines[0] == "change A 2");
    CHECK(log.lines[1] == "change B 2");
    CHECK(log.lines[2].find("service id 65536: no number of a service") != std::string::npos);
    CHECK(log.lines[2].find("service id 1: its filter list cannot be read") != std::string::npos);
    CHECK(log.lines[2].find("service id 1: State: element 'ServiceState' has a type") != std::string::npos);
    CHECK_FALSE(Directory::check(buffer.view()).ok());
    // What lies behind it is read: the map as such must be whole.
    CHECK_FALSE(d.apply(buffer.view().first(buffer.view().size() - 1), false, &log).ok());
}

TEST_CASE("an image in parts takes away what none of them names, at its end", "[reactor][rdm]") {
    Directory d;
    d.add(full(1, "A"));
    d.add(full(2, "B"));
    d.add(full(3, "C"));
    Log log;
    const auto add = [](std::uint8_t id) {
        Payload p;
        p.entry(MapAction::add, id, FilterAction::update, 4, [](ElementListEncoder& e) { e.addUInt("LoadFactor", 1); });
        const Bytes b = p.bytes();
        return std::vector<std::byte>(b.begin(), b.end());
    };
    REQUIRE(d.applyImage(add(2), true, false, &log).ok());
    CHECK(d.services().size() == 3);
    REQUIRE(d.apply(add(3), false, &log).ok());  // a change meanwhile speaks for the service, too
    REQUIRE(d.applyImage({}, false, true, &log).ok());
    CHECK(d.services().size() == 2);
    CHECK(d.find("A") == nullptr);
    CHECK(log.lines == std::vector<std::string>{"change B 8", "change C 8", "delete A"});
    REQUIRE(d.applyImage(add(2), false, true, &log).ok());  // without CLEAR_CACHE nothing goes
    CHECK(d.services().size() == 2);
    REQUIRE(d.applyImage({}, true, true, &log).ok());  // an image without a payload is one of no service
    CHECK(d.empty());
}

TEST_CASE("services are found by name and id however many there are", "[reactor][rdm]") {
    constexpr std::uint16_t kServices = 60'000;
    using Clock = std::chrono::steady_clock;
    const auto named = [](std::uint16_t id, const std::string& name) {
        Service s;
        s.id = id;
        s.filters = DirectoryFilter::info | DirectoryFilter::state;
        s.info.name = name;
        return s;
    };
    const auto nameOf = [](std::uint16_t id) { return "A_SERVICE_WITH_A_LONG_NAME_" + std::to_string(id); };
    Directory d;
    const auto begin = Clock::now();
    for (std::uint16_t id = 1; id <= kServices; ++id)
        REQUIRE(d.add(named(id, nameOf(id))));  // looks for both
    std::size_t found = 0;
    for (std::uint16_t id = 1; id <= kServices; ++id)
        found += d.find(nameOf(id)) == d.find(id) && d.find(id)->id == id ? 1 : 0;
    CHECK(found == kServices);
    CHECK(Clock::now() - begin < std::chrono::seconds(5));  // a walk for each takes a minute
    CHECK(d.find("A_SERVICE_WITH_A_LONG_NAME_") == nullptr);
    CHECK_FALSE(d.add(named(kServices + 1, nameOf(17))));
    // It goes, and another has its name; the directory goes as a whole to somebody else.
    const std::uint16_t gone[] = {17};
    GrowingBuffer out;
    REQUIRE(Directory::encodeDeletes(out.start(), gone).ok());
    REQUIRE(d.apply(out.view(), false).ok());
    CHECK(d.find(nameOf(17)) == nullptr);
    REQUIRE(d.add(named(kServices + 1, nameOf(17))));
    const Service* const eighteen = d.find(nameOf(18));
    Directory moved = std::move(d);
    CHECK(moved.find(nameOf(17)) == moved.find(std::uint16_t{kServices + 1}));
    CHECK(moved.find(nameOf(18)) == eighteen);
}

TEST_CASE("a service is found by the name that it has now, the oldest of several", "[reactor][rdm]") {
    const auto say = [](Directory& d, std::uint16_t id, const std::string& name) {
        Service s;
        s.id = id;
        s.filters = DirectoryFilter::info;
        s.info.name = name;
        GrowingBuffer out;
        REQUIRE(Directory::encodeService(out.start(), s, DirectoryFilter::info).ok());
        REQUIRE(d.apply(out.view(), false).ok());
    };
    const std::string far = "A_NAME_THAT_LIES_ON_THE_HEAP_AS_IT_IS_LONG";
    Directory d;
    say(d, 1, "ONE");
    say(d, 2, "ONE");
    say(d, 3, far);
    REQUIRE(d.find("ONE") != nullptr);
    CHECK(d.find("ONE")->id == 1);
    CHECK(d.find(far)->id == 3);
    say(d, 1, far + "_TOO");  // another service in its place: it is the newest now
    CHECK(d.find("ONE")->id == 2);
    CHECK(d.find(far + "_TOO")->id == 1);
    say(d, 2, far);
    CHECK(d.find("ONE") == nullptr);
    CHECK(d.find(far)->id == 3);
    say(d, 3, "ONE");
    CHECK(d.find(far)->id == 2);
    CHECK(d.find("ONE")->id == 3);
    say(d, 3, "ONE");  // the same again
    CHECK(d.find("ONE")->id == 3);
    d.clear();
    CHECK(d.find("ONE") == nullptr);
    // What has no Info yet has no name.
    Payload p;
    p.entry(MapAction::add, 5, FilterAction::update, 2, [](ElementListEncoder& e) { e.addUInt("ServiceState", 1); });
    REQUIRE(d.apply(p.bytes(), false).ok());
    CHECK(d.find("") == nullptr);
    say(d, 5, "FIVE");
    CHECK(d.find("FIVE")->id == 5);
}

TEST_CASE("a directory is cleared in steps: each service goes once, and is found until then", "[reactor][rdm]") {
    Directory d;
    for (std::uint16_t id = 1; id <= 5; ++id)
        REQUIRE(d.add(full(id, "S" + std::to_string(id))));
    Log log;
    d.beginClear();
    CHECK(d.services().size() == 5);
    CHECK(d.step(&log, [] { return false; }));
    CHECK(d.step(&log, [] { return false; }));
    CHECK(log.lines == std::vector<std::string>{"delete S1", "delete S2"});
    CHECK(d.find("S2") == nullptr);
    CHECK(d.find("S3") != nullptr);
    SECTION("to the end") {
        CHECK_FALSE(d.step(&log));
    }
    SECTION("begun again") {
        d.beginClear();
        CHECK_FALSE(d.step(&log));
    }
    SECTION("the rest at once") {
        d.clear(&log);
    }
    CHECK(log.lines == std::vector<std::string>{"delete S1", "delete S2", "delete S3", "delete S4", "delete S5"});
    CHECK(d.empty());
    CHECK_FALSE(d.step(&log));
}

TEST_CASE("what one entry says of groups is told in steps as well", "[reactor][rdm]") {
    Directory d;
    Service s = full(1, "A");
    REQUIRE(d.add(full(1, "A")));
    s.groups.clear();
    for (std::uint8_t i = 0; i < 4; ++i)
        s.groups.push_back({{std::byte{i}}, {{std::byte{9}}}, OwnedState{1, 2, 0, "group"}});
    GrowingBuffer out;
    REQUIRE(Directory::encodeService(out.start(), s, DirectoryFilter::group, true).ok());
    Log log;
    REQUIRE(d.begin(out.view(), false, false).ok());
    std::size_t steps = 1;
    for (; d.step(&log, [] { return false; }); ++steps)
        CHECK(log.lines.size() == steps);
    CHECK(steps == log.lines.size() + 1);
    CHECK(log.lines == std::vector<std::string>{"change A 4", "merge 0.>9.", "group 9. 1", "merge 1.>9.", "group 9. 1",
                                                "merge 2.>9.", "group 9. 1", "merge 3.>9.", "group 9. 1"});
    SECTION("the directory is cleared in the middle") {
        REQUIRE(d.begin(out.view(), false, false).ok());
        CHECK(d.step(&log, [] { return false; }));
        CHECK(d.step(&log, [] { return false; }));
        d.clear(&log);
        CHECK_FALSE(d.step(&log, [] { return false; }));
        CHECK(log.lines.back() == "delete A");
    }
}

TEST_CASE("a service with more groups than a filter list has room for is written and read", "[reactor][rdm]") {
    const bool large = GENERATE(false, true);
    Service s = full(1, "FEED");
    s.groups.clear();
    const std::size_t count = large ? 40 : Service::kMaxGroups;
    for (std::size_t i = 0; i < count; ++i)
        s.groups.push_back({{static_cast<std::byte>(i >> 8), static_cast<std::byte>(i)},
                            {{std::byte{2}}},
                            OwnedState{1, 2, 9, std::string(large ? 5000 : 0, 'x')}});
    Directory from;
    REQUIRE(from.add(s));
    REQUIRE(from.add(full(2, "NEWS")));
    GrowingBuffer image, one, again;
    REQUIRE(from.encode(image.start(), {0x7F, {}}).ok());
    REQUIRE(Directory::encodeService(one.start(), s, 0x7F).ok());
    for (const Bytes map : {image.view(), one.view()}) {
        CHECK(Directory::check(map).ok());
        Directory to;
        REQUIRE(to.apply(map, true).ok());
        REQUIRE(to.find(std::uint16_t{1}) != nullptr);
        checkEqual(*to.find(std::uint16_t{1}), s);
        REQUIRE(to.find(std::uint16_t{1})->groups.size() == count);
        CHECK(to.find(std::uint16_t{1})->groups.back().id == s.groups.back().id);
        REQUIRE(to.encode(again.start(), {0x7F, {}}).ok());
        CHECK(std::equal(map.begin(), map.end(), again.view().begin(), again.view().end()));
    }
}

TEST_CASE("what a service says nothing with, or what cannot be sent on, does not spoil its directory",
          "[reactor][rdm]") {
    GrowingBuffer buffer, image;
    const auto entry = [&](std::uint8_t id, const std::function<void(ElementListEncoder&)>& elements) {
        MapEncoder map;
        EntryContainerHeader header;
        header.entryType = DataType::FilterList;
        map.begin(buffer.start(), header, DataType::UInt);
        const std::byte one[] = {std::byte{1}};
        map.beginEntry(MapAction::update, one);
        FilterListEncoder filters;
        filters.begin(buffer.writer(), DataType::ElementList);
        filters.beginEntry(FilterAction::update, id, DataType::ElementList);
        ElementListEncoder list;
        list.begin(buffer.writer());
        elements(list);
        REQUIRE(list.complete().ok());
        filters.endEntry();
        REQUIRE(filters.complete().ok());
        map.endEntry();
        REQUIRE(map.complete().ok());
        return buffer.view();
    };
    Directory d;
    Service known = full(1, "FEED");
    known.state.accepting = known.info.outOfBandSnapshots = true;
    REQUIRE(d.add(known));
    const Service& s = *d.find(std::uint16_t{1});
    const auto blank = [](std::string_view name, DataType type) {
        return [=](ElementListEncoder& list) { list.add(name, type, {}); };
    };
    SECTION("blank numbers") {
        REQUIRE(d.apply(entry(4, blank("OpenWindow", DataType::UInt)), false).ok());
        CHECK(s.load.openWindow == 10u);
        REQUIRE(d.apply(entry(2, blank("AcceptingRequests", DataType::UInt)), false).ok());
        CHECK(s.state.accepting == true);
        REQUIRE(d.apply(entry(1, blank("SupportsOutOfBandSnapshots", DataType::UInt)), false).ok());
        CHECK(s.info.outOfBandSnapshots == true);
    }
    SECTION("a blank state, and one that is unspecified") {
        struct Hears : DirectoryListener {
            void onServiceStatus(const Service&, const State& state) override { states.push_back(state.stream); }
            std::vector<std::uint8_t> states;
        } hears;
        REQUIRE(d.apply(entry(2, blank("Status", DataType::State)), false, &hears).ok());
        REQUIRE(d.apply(entry(2,
                              [](ElementListEncoder& list) {
                                  const std::byte suspect[] = {std::byte{2}, std::byte{0}, std::byte{0}};
                                  list.add("Status", DataType::State, suspect);
                              }),
                        false, &hears)
                    .ok());
        // The blank one says nothing, the other one nothing of the streams.
        CHECK(hears.states == std::vector<std::uint8_t>{StreamState::open});
        CHECK(s.state.status->stream == StreamState::open);
        CHECK(s.state.status->data == DataState::suspect);
    }
    SECTION("qualities that are none") {
        REQUIRE(d.apply(entry(1,
                              [](ElementListEncoder& list) {
                                  // Array of QoS with own lengths: 0/0, 7/1 and 2/1
                                  const std::uint8_t array[] = {12, 0, 0, 3, 1, 0, 3, 0xE2, 0, 0, 1, 0x42};
                                  list.add("QoS", DataType::Array, std::as_bytes(std::span(array)));
                              }),
                        false)
                    .ok());
        REQUIRE(s.info.qos.size() == 1);
        CHECK(s.info.qos[0].timeliness == 2);
    }
    SECTION("a link without a name") {
        MapEncoder outer;
        EntryContainerHeader header;
        header.entryType = DataType::FilterList;
        outer.begin(buffer.start(), header, DataType::UInt);
        const std::byte one[] = {std::byte{1}};
        outer.beginEntry(MapAction::update, one);
        FilterListEncoder filters;
        filters.begin(buffer.writer(), DataType::Map);
        // Keys AsciiString, entries element lists; Add, an empty key, an element list without elements.
        const std::uint8_t links[] = {0, 17, 5, 0, 1, 2, 0, 3, 8, 0, 0};
        filters.add(FilterAction::update, 6, DataType::Map, std::as_bytes(std::span(links)));
        REQUIRE(filters.complete().ok());
        outer.endEntry();
        REQUIRE(outer.complete().ok());
        CHECK_FALSE(Directory::check(buffer.view()).ok());
        REQUIRE(d.apply(buffer.view(), false).ok());
        REQUIRE(s.links.size() == 1);
        CHECK(s.links[0].name == "link1");
    }
    CHECK(d.encode(image.start(), {0x7F, {}}).ok());
}
