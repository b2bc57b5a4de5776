// Which updates are joined, what the joined one says, order and bounds.
#include "support/catch.hpp"

#include "eta/codec/containers.h"
#include "eta/codec/encoders.h"
#include "hub/config/HubSettings.h"
#include "hub/conflate/PendingUpdates.h"

#include <random>
#include <vector>

using namespace emissary;
using namespace emissary::eta::codec;
using namespace std::chrono_literals;
using eta::BeWriter;
using eta::Bytes;
using hub::conflate::PayloadMerger;
using hub::conflate::PendingUpdates;
using Offered = PendingUpdates::Offered;
using Payload = std::vector<std::byte>;

namespace {

constexpr char kFields[] = R"(!tag Filename  RWF.DAT
!tag Type      1
BID        "BID"        22  NULL  PRICE  17  REAL64       7
ASK        "ASK"        25  NULL  PRICE  17  REAL64       7
TRDPRC_1   "LAST"        6  TRDPRC_2 PRICE 17 REAL64      7
TRDPRC_2   "LAST 1"      7  NULL  PRICE  17  REAL64       7
ROW64_1    "ROW"       215  NULL  ALPHANUMERIC 64 RMTES_STRING 64
)";

const eta::dictionary::Dictionary& fewFields() {
    static const auto loaded = [] {
        eta::dictionary::Dictionary d;
        if (d.parseFields(kFields, "fields")) std::abort();
        return d;
    }();
    return loaded;
}

using Fields = std::vector<std::pair<std::int16_t, std::string>>;

Payload fields(const Fields& all) {
    Payload room(4096);
    BeWriter out(room);
    FieldListEncoder list;
    list.begin(out);
    for (const auto& [id, value] : all)
        list.add(id, eta::asBytes(value));
    REQUIRE(list.complete().ok());
    room.resize(out.size());
    return room;
}

Fields read(Bytes payload) {
    Fields all;
    FieldListDecoder list;
    REQUIRE(list.start(payload).ok());
    FieldEntry e;
    while (list.next(e))
        all.emplace_back(e.fieldId, std::string(eta::asText(e.data)));
    REQUIRE(list.error().ok());
    return all;
}

Msg update(const Payload& payload, std::uint8_t type = 1, std::uint16_t flags = 0) {
    Msg m;
    m.cls = MsgClass::Update;
    m.containerType = DataType::FieldList;
    m.payload = payload;
    m.updateType = type;
    m.flags = flags;
    return m;
}

struct Fixture {
    explicit Fixture(std::size_t most = 1u << 20) : pending(merger, most) { merger.setDictionary(&fewFields()); }
    Fields taken(std::int32_t stream = 1) {
        Fields all;
        const bool there = pending.take(stream, [&](std::int32_t, const Msg& m) {
            all = read(m.payload);
            last = m;
        });
        CHECK(there);
        return all;
    }
    /// As whoever sends it does: what may not wait is not offered.
    Offered offer(std::int32_t stream, const Msg& msg, PendingUpdates::Time now) {
        static const std::uint64_t types = hub::HubSettings{}.conflateTypes;
        return hub::conflate::mayWait(msg, types) ? pending.offer(stream, msg, now) : Offered::asIs;
    }
    PayloadMerger merger;
    PendingUpdates pending;
    Msg last;
    PendingUpdates::Time t{};
};

}  // namespace

TEST_CASE("a joined update is the union of its fields, the newest value of each", "[hub][conflate]") {
    Fixture f;
    CHECK(f.offer(1, update(fields({{22, "1"}, {25, "2"}})), f.t) == Offered::waits);
    CHECK(f.offer(1, update(fields({{30, "9"}, {22, "longer"}})), f.t + 3ms) == Offered::joined);
    CHECK(f.offer(1, update(fields({{25, ""}})), f.t + 70ms) == Offered::joined);
    CHECK(f.taken() == Fields{{22, "longer"}, {25, ""}, {30, "9"}});
    CHECK(f.last.has(UpdateFlag::confInfo));
    CHECK(f.last.conflationCount == 3);
    CHECK(f.last.conflationTime == 70);
    CHECK(f.last.updateType == 1);
    CHECK(f.pending.empty());
    CHECK(f.pending.memory() == 0);
    CHECK_FALSE(f.pending.take(1, [](std::int32_t, const Msg&) {}));
}

TEST_CASE("one update that waited goes out as it came", "[hub][conflate]") {
    Fixture f;
    const Payload p = fields({{22, "1"}});
    Msg m = update(p, 5, UpdateFlag::seqNum | UpdateFlag::msgKey | UpdateFlag::permData);
    m.seqNum = 17;
    m.key.flags = KeyFlag::name | KeyFlag::serviceId;
    m.key.name = eta::asBytes("TRI.N");
    m.permData = eta::asBytes("perm");
    CHECK(f.offer(1, m, f.t) == Offered::waits);
    CHECK(f.taken() == Fields{{22, "1"}});
    CHECK_FALSE(f.last.has(UpdateFlag::confInfo));
    CHECK(f.last.seqNum == 17);
    CHECK(f.last.updateType == 5);
    CHECK(f.last.hasPermData());
}

TEST_CASE("the header of a joined update says what holds for all in it", "[hub][conflate]") {
    Fixture f;
    const std::uint16_t seq = UpdateFlag::seqNum;
    const Payload p = fields({{22, "1"}});
    Msg a = update(p, 1, seq | UpdateFlag::discardable | UpdateFlag::doNotRipple);
    Msg b = update(p, 5, seq | UpdateFlag::discardable);
    a.seqNum = 4;
    b.seqNum = 9;
    static_cast<void>(f.offer(1, a, f.t));
    CHECK(f.offer(1, b, f.t) == Offered::joined);
    f.taken();
    CHECK(f.last.updateType == 10);  // Multiple
    CHECK(f.last.seqNum == 9);
    CHECK(f.last.has(UpdateFlag::discardable));
    CHECK_FALSE(f.last.has(UpdateFlag::doNotRipple));
    static_cast<void>(f.offer(1, a, f.t));
    b.flags = seq;
    static_cast<void>(f.offer(1, b, f.t));
    f.taken();
    CHECK_FALSE(f.last.has(UpdateFlag::discardable));
    // Counts of the source's own conflation are summed.
    a.flags = b.flags = UpdateFlag::confInfo;
    a.conflationCount = 10, a.conflationTime = 5;
    b.conflationCount = 65'530, b.conflationTime = 6;
    static_cast<void>(f.offer(1, a, f.t));
    static_cast<void>(f.offer(1, b, f.t + 1ms));
    f.taken();
    CHECK(f.last.conflationCount == 65'535);
    CHECK(f.last.conflationTime == 12);
}

TEST_CASE("what is never joined goes as it is", "[hub][conflate]") {
    Fixture f;
    const Payload p = fields({{22, "1"}});
    for (int type = 0; type < 256; ++type) {
        CAPTURE(type);
        const bool waits = type == 0 || type == 1 || type == 5 || type == 8 || type == 10;
        CHECK((f.offer(type, update(p, static_cast<std::uint8_t>(type)), f.t) == Offered::waits) == waits);
    }
    for (const std::uint16_t flag : {UpdateFlag::doNotConflate, UpdateFlag::doNotCache, UpdateFlag::extendedHeader})
        CHECK(f.offer(1, update(p, 1, flag), f.t) == Offered::asIs);
    Msg m = update(p);
    m.containerType = DataType::Opaque;
    CHECK(f.offer(1, m, f.t) == Offered::asIs);
    m = update(p);
    m.cls = MsgClass::Refresh;
    CHECK(f.offer(1, m, f.t) == Offered::asIs);
}

TEST_CASE("updates that differ in what a header says are not joined", "[hub][conflate]") {
    Fixture f;
    const Payload p = fields({{22, "1"}});
    Msg a = update(p, 1, UpdateFlag::permData | UpdateFlag::postUserInfo);
    a.permData = eta::asBytes("x");
    a.postUserId = 3;
    CHECK(f.offer(1, a, f.t) == Offered::waits);
    Msg b = a;
    CHECK(f.offer(1, b, f.t) == Offered::joined);
    b.permData = eta::asBytes("y");
    CHECK(f.offer(1, b, f.t) == Offered::asIs);
    b.permData = a.permData;
    b.postUserId = 4;
    CHECK(f.offer(1, b, f.t) == Offered::asIs);
    b = a;
    b.flags &= static_cast<std::uint16_t>(~UpdateFlag::permData);
    CHECK(f.offer(1, b, f.t) == Offered::asIs);
    b = a;
    b.domain = 8;
    CHECK(f.offer(1, b, f.t) == Offered::asIs);
}

TEST_CASE("entries of maps are joined by key", "[hub][conflate]") {
    struct Row {
        std::uint8_t action;
        std::string key, value;  // of field 22; empty: no payload
        bool operator==(const Row&) const = default;
    };
    using Rows = std::vector<Row>;
    const auto map = [](const Rows& rows) {
        Payload room(4096);
        BeWriter out(room);
        EntryContainerHeader head;
        head.entryType = DataType::FieldList;
        MapEncoder m;
        m.begin(out, head, DataType::Buffer);
        for (const Row& r : rows)
            m.add(r.action, eta::asBytes(r.key), r.value.empty() ? Payload{} : fields({{22, r.value}}));
        REQUIRE(m.complete().ok());
        room.resize(out.size());
        return room;
    };
    constexpr auto update = MapAction::update, add = MapAction::add, del = MapAction::del;
    struct Case {
        Rows older, newer, joined;  // joined empty: refused
    };
    const Case c = GENERATE_COPY(Case{{{update, "a", "1"}}, {{update, "a", "2"}}, {{update, "a", "2"}}},
                                 Case{{{add, "a", "1"}}, {{update, "a", "2"}}, {{add, "a", "2"}}},
                                 Case{{{add, "a", "1"}}, {{del, "a", ""}}, {{del, "a", ""}}},
                                 Case{{{update, "a", "1"}}, {{add, "a", "2"}}, {{add, "a", "2"}}},
                                 Case{{{del, "a", ""}}, {{add, "a", "2"}}, {{del, "a", ""}, {add, "a", "2"}}},
                                 Case{{{del, "a", ""}}, {{update, "a", "2"}}, {}},
                                 Case{{{add, "b", "1"}, {update, "a", "1"}},
                                      {{update, "c", "3"}, {del, "b", ""}},
                                      {{del, "b", ""}, {update, "a", "1"}, {update, "c", "3"}}});
    Fixture f;
    Bytes joined;
    const Payload older = map(c.older), newer = map(c.newer);
    const bool good = f.merger.merge(DataType::Map, older, newer, PayloadMerger::Ripple::yes, joined);
    CHECK(good == !c.joined.empty());
    if (!good) return;
    MapDecoder list;
    REQUIRE(list.start(joined).ok());
    Rows got;
    MapEntry e;
    while (list.next(e))
        got.push_back({e.action, std::string(eta::asText(e.key)), e.data.empty() ? "" : read(e.data)[0].second});
    CHECK(got == c.joined);
}

TEST_CASE("a field that ripples stays as often as its chain needs", "[hub][conflate]") {
    Fixture f;
    constexpr std::uint16_t quiet = UpdateFlag::doNotRipple;
    std::vector<int> counts;
    const auto taken = [&](std::int32_t stream) {
        std::vector<Fields> got;
        REQUIRE(f.pending.take(stream, [&](std::int32_t, const Msg& m) {
            got.push_back(read(m.payload));
            counts.push_back(m.has(UpdateFlag::confInfo) ? m.conflationCount : 1);
        }));
        return got;
    };
    for (const char* value : {"1", "2", "3", "4"})
        CHECK(f.offer(1, update(fields({{6, value}, {22, value}})), f.t) ==
              (*value == '1' ? Offered::waits : Offered::joined));
    // The chain has two fields; no message has one of them twice.
    CHECK(taken(1) == std::vector<Fields>{{{22, "4"}, {6, "3"}}, {{6, "4"}}});
    CHECK(counts == std::vector<int>{1, 3});
    static_cast<void>(f.offer(2, update(fields({{22, "1"}})), f.t));
    CHECK(f.offer(2, update(fields({{6, "1"}})), f.t) == Offered::joined);
    CHECK(f.offer(2, update(fields({{7, "1"}})), f.t) == Offered::joined);          // where it ripples to
    CHECK(f.offer(2, update(fields({{6, "2"}}), 1, quiet), f.t) == Offered::asIs);  // only one ripples
    CHECK(taken(2) == std::vector<Fields>{{{22, "1"}, {6, "1"}, {7, "1"}}});
    for (const char* value : {"1", "2", "3"})  // an update that says the whole chain
        CHECK(f.offer(4, update(fields({{6, value}, {22, value}, {7, value}})), f.t) ==
              (*value == '1' ? Offered::waits : Offered::joined));
    CHECK(taken(4) == std::vector<Fields>{{{22, "3"}, {6, "2"}}, {{6, "3"}, {7, "3"}}});
    static_cast<void>(f.offer(3, update(fields({{6, "1"}}), 1, quiet), f.t));
    CHECK(f.offer(3, update(fields({{6, "2"}}), 1, quiet), f.t) == Offered::joined);
    CHECK(f.offer(3, update(fields({{6, "3"}})), f.t) == Offered::asIs);
    CHECK(taken(3) == std::vector<Fields>{{{6, "2"}}});
}

TEST_CASE("partial RMTES values are not joined, and nothing is without a dictionary", "[hub][conflate]") {
    Fixture f;
    const Payload plain = fields({{22, "1"}}), partial = fields({{215, "\x1b[3`x"}}), whole = fields({{215, "x"}});
    static_cast<void>(f.offer(1, update(plain), f.t));
    CHECK(f.offer(1, update(partial), f.t) == Offered::asIs);
    CHECK(f.offer(1, update(whole), f.t) == Offered::joined);
    f.merger.setDictionary(nullptr);
    CHECK(f.offer(1, update(plain), f.t) == Offered::asIs);
}

TEST_CASE("streams are taken in the order of their first update", "[hub][conflate]") {
    Fixture f;
    const Payload p = fields({{22, "1"}});
    for (const std::int32_t stream : {7, 3, 9, 4})
        CHECK(f.offer(stream, update(p), f.t + stream * 1ms) == Offered::waits);
    CHECK(f.offer(7, update(p), f.t + 1h) == Offered::joined);
    CHECK(f.pending.oldest() == f.t + 7ms);
    f.pending.drop(3);
    f.pending.drop(3);
    std::vector<std::int32_t> order;
    while (f.pending.takeOldest([&](std::int32_t stream, const Msg&) { order.push_back(stream); })) {}
    CHECK(order == std::vector<std::int32_t>{7, 9, 4});
    CHECK(f.pending.memory() == 0);
}

TEST_CASE("what waits is bounded in bytes", "[hub][conflate]") {
    Fixture f(20'000);
    const Payload p = fields({{22, std::string(500, 'x')}});
    std::int32_t stream = 1;
    while (f.offer(stream, update(p), f.t) == Offered::waits)
        ++stream;
    CHECK(stream > 10);
    CHECK(f.pending.memory() <= 20'000);
    CHECK(f.offer(stream, update(p), f.t) == Offered::full);
    CHECK(f.pending.size() == static_cast<std::size_t>(stream - 1));
    f.taken(1);
    CHECK(f.offer(stream, update(p), f.t) == Offered::waits);
    // The longest payloads are not joined.
    Fixture large;
    const Payload half = fields({{22, std::string(3000, 'x')}});
    Payload many(70'000);
    BeWriter out(many);
    FieldListEncoder list;
    list.begin(out);
    for (int i = 0; i < 2; ++i)
        list.add(25, eta::asBytes(std::string(32'000, 'y')));
    REQUIRE(list.complete().ok());
    many.resize(out.size());
    CHECK(large.offer(1, update(half), f.t) == Offered::waits);
    CHECK(large.offer(1, update(many), f.t) == Offered::asIs);
}

TEST_CASE("payloads that are not what they say are not joined", "[hub][conflate]") {
    Fixture f;
    std::mt19937 random(5);
    const Payload good = fields({{22, "1"}, {25, "2"}});
    for (const DataType type : {DataType::FieldList, DataType::ElementList, DataType::Map, DataType::FilterList})
        for (int i = 0; i < 20'000; ++i) {
            Payload bad = good;
            if (i % 2 == 0) bad.resize(random() % bad.size());
            for (int n = 0; n < 2 && !bad.empty(); ++n)
                bad[random() % bad.size()] = static_cast<std::byte>(random());
            Bytes joined;
            if (!f.merger.merge(type, bad, good, PayloadMerger::Ripple::no, joined)) continue;
            CHECK(validate(joined, type).ok());
        }
    Bytes joined;
    const Payload cut(good.begin(), good.end() - 1);
    CHECK_FALSE(f.merger.merge(DataType::FieldList, cut, good, PayloadMerger::Ripple::no, joined));
    CHECK_FALSE(f.merger.merge(DataType::FieldList, good, cut, PayloadMerger::Ripple::no, joined));
}
