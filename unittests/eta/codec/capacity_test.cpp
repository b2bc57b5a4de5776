// Encoders on blocks that are too small: clean failure at every size, and nothing written outside the block.
#include "eta/codec/model/json.h"
#include "eta/codec/containers.h"
#include "eta/codec/encoders.h"
#include "support/catch.hpp"

#include <memory>

using namespace emissary::eta;
using namespace emissary::eta::codec;
using namespace emissary::eta::codec::model;

namespace {

void checkEverySize(const Vector& v, const SetDefinitionDb* sets) {
    INFO(v.name);
    for (const Style style : {Style::inPlace, Style::readyBytes}) {
        for (std::size_t n = 0; n < v.bytes.size(); ++n) {
            const std::unique_ptr<std::byte[]> block{new std::byte[n]};
            BeWriter out{{block.get(), n}};
            encode(out, *v.value, style, sets);
            if (out.ok()) FAIL("encoded into " << n << " of " << v.bytes.size() << " bytes");
            if (out.failure() != Errc::noSpace) FAIL(describe(out.failure()) << " at " << n);
            if (out.size() > n) FAIL("writer stands behind its block");
        }
        const std::unique_ptr<std::byte[]> block{new std::byte[v.bytes.size()]};
        BeWriter out{{block.get(), v.bytes.size()}};
        encode(out, *v.value, style, sets);
        const bool slotNeedsMore = !out.ok() && style == Style::inPlace;  // a length is reserved wider than it ends
        if (!slotNeedsMore) CHECK(hex(out.view()) == hex(v.bytes));
    }
}

}  // namespace

TEST_CASE("every vector fails cleanly in every block that is too small", "[codec][capacity]") {
    std::size_t checked = 0;
    for (const char* file : {"primitives.jsonl", "containers.jsonl", "containers_set.jsonl", "messages.jsonl"}) {
        forEachVector(file, [&checked](const Vector& v) {
            if (!v.canonical || v.bytes.empty()) return;
            std::vector<std::byte> definitions;
            SetDefinitionDb db;
            if (v.setDb) {
                definitions = encodeDefinitions(*v.setDb);
                const auto kind = v.setDb->elements ? SetDefinitionDb::Kind::elements : SetDefinitionDb::Kind::fields;
                REQUIRE(db.decode(definitions, kind).ok());
            }
            checkEverySize(v, v.setDb ? &db : nullptr);
            ++checked;
        });
    }
    CHECK(checked > 1'000);
}

TEST_CASE("a message that does not fit leaves the writer where it stood", "[codec][capacity]") {
    Msg m;
    m.cls = MsgClass::Refresh;
    m.state.stream = StreamState::open;
    m.flags = RefreshFlag::msgKey | RefreshFlag::permData;
    m.key.flags = KeyFlag::name;
    m.key.name = asBytes("IBM.N");
    m.permData = asBytes("perm");
    m.containerType = DataType::Opaque;
    m.payload = asBytes("payload");
    std::array<std::byte, 256> whole;
    BeWriter reference{whole};
    REQUIRE(encodeMsg(reference, m).ok());

    for (std::size_t n = 0; n <= reference.size(); ++n) {
        const std::unique_ptr<std::byte[]> block{new std::byte[n + 2]};
        BeWriter out{{block.get(), n + 2}};
        out.u16(0xABCD);
        const Error e = encodeMsg(out, m);
        if (n == reference.size()) {
            CHECK(e.ok());
            CHECK(hex(out.view().subspan(2)) == hex(reference.view()));
        } else {
            CHECK(e.code == Errc::noSpace);
            CHECK(out.ok());
            CHECK(out.size() == 2);
        }
        CHECK(hex(out.view().first(2)) == "abcd");
    }
}

TEST_CASE("values out of range are refused and say so", "[codec][capacity]") {
    std::array<std::byte, 64> block;
    const std::vector<std::byte> huge(40'000);
    const auto failureOf = [&block](auto encodeIt) {
        BeWriter out{block};
        encodeIt(out);
        return out.failure();
    };

    SECTION("of primitives") {
        CHECK(failureOf([](BeWriter& out) { encodeReal(out, {1, 31}); }) == Errc::outOfRange);
        CHECK(failureOf([](BeWriter& out) { encodeReal(out, {1, 32}); }) == Errc::outOfRange);
        CHECK(failureOf([](BeWriter& out) { encodeRealPrefixed(out, {1, 36}); }) == Errc::outOfRange);
        CHECK(failureOf([](BeWriter& out) { encodeQos(out, {0, 1, false, 0, 0}); }) == Errc::outOfRange);
        CHECK(failureOf([](BeWriter& out) { encodeQosPrefixed(out, {1, 4, false, 0, 0}); }) == Errc::outOfRange);
        CHECK(failureOf([](BeWriter& out) { encodeState(out, {}); }) == Errc::outOfRange);
        CHECK(failureOf([](BeWriter& out) { encodeTime(out, {1, 2, 3, 4, 2048, 0}); }) == Errc::outOfRange);
        CHECK(failureOf([](BeWriter& out) { encodeDateTime(out, {{}, {1, 2, 3, 4, 0, 2048}}); }) == Errc::outOfRange);
    }
    SECTION("of set values") {
        const auto setFailure = [&](DataType type, const Value& v) {
            return failureOf([&](BeWriter& out) { encodeSetEntry(out, type, v); });
        };
        Value v;
        v.type = DataType::UInt;
        v.bits = 300;
        CHECK(setFailure(DataType::UInt1, v) == Errc::outOfRange);
        CHECK(setFailure(DataType::UInt2, v) == Errc::ok);
        v.blank = true;
        CHECK(setFailure(DataType::UInt2, v) == Errc::outOfRange);
        v.blank = false;
        v.type = DataType::Real;
        v.real = {std::int64_t{1} << 31, 14};
        CHECK(setFailure(DataType::Real4RB, v) == Errc::outOfRange);
        CHECK(setFailure(DataType::Real8RB, v) == Errc::ok);
        v.real = {0, Real::kInfinity};
        CHECK(setFailure(DataType::Real8RB, v) == Errc::outOfRange);
        v.type = DataType::Time;
        v.dateTime.time = {1, 2, 3, 4, 5, 6};
        CHECK(setFailure(DataType::Time5, v) == Errc::outOfRange);
        CHECK(setFailure(DataType::Time8, v) == Errc::ok);
    }
    SECTION("of messages, which are rolled back") {
        const auto failure = [&block](const Msg& m) {
            BeWriter out{block};
            const Error e = encodeMsg(out, m);
            CHECK(out.size() == 0);
            CHECK(out.ok());
            return e.code;
        };
        Msg m;
        m.flags = UpdateFlag::confInfo;
        m.conflationCount = 0x8000;
        CHECK(failure(m) == Errc::outOfRange);
        m = {};
        m.flags = UpdateFlag::permData;
        m.permData = huge;
        CHECK(failure(m) == Errc::outOfRange);
        m = {};
        m.flags = UpdateFlag::msgKey;
        m.key.flags = KeyFlag::name;
        m.key.name = Bytes{huge}.first(256);
        CHECK(failure(m) == Errc::outOfRange);
        m.key.flags = KeyFlag::attrib;
        m.key.attribType = DataType::ElementList;
        m.key.attrib = huge;
        CHECK(failure(m) == Errc::outOfRange);
        m = {};
        m.cls = MsgClass::Status;  // a state that says nothing of the stream
        m.flags = StatusFlag::state;
        CHECK(failure(m) == Errc::outOfRange);
        m = {};
        m.cls = MsgClass::Refresh;
        m.state.stream = 32;
        CHECK(failure(m) == Errc::outOfRange);
        m = {};
        m.containerType = DataType::Int;
        CHECK(failure(m) == Errc::outOfRange);
        m = {};
        m.cls = MsgClass::Request;
        m.flags = RequestFlag::qos;
        CHECK(failure(m) == Errc::outOfRange);
    }
    SECTION("but the state of a refresh may be unspecified") {
        Msg m, read;
        m.cls = MsgClass::Refresh;
        BeWriter out{block};
        REQUIRE(encodeMsg(out, m).ok());
        REQUIRE(decodeMsg(out.view(), read).ok());
        CHECK(read.state.stream == StreamState::unspecified);
    }
    SECTION("of array items, after which the array goes on") {
        BeWriter out{block};
        ArrayEncoder array;
        array.begin(out, DataType::UInt, 2);
        array.addUInt(1);
        const std::size_t before = out.size();
        array.addUInt(70000);
        CHECK(out.failure() == Errc::outOfRange);
        CHECK(out.size() == before);
        out.clearFailure();
        array.addUInt(2);
        REQUIRE(array.complete().ok());
        ArrayDecoder read;
        REQUIRE(read.start(out.view()).ok());
        CHECK(read.count() == 2);
        Bytes item;
        while (read.next(item))
            CHECK(item.size() == 2);
        CHECK(read.error().ok());
    }
    SECTION("of containers") {
        CHECK(failureOf([](BeWriter& out) {
                  MapEncoder map;
                  map.begin(out, {}, DataType::AsciiString);
                  map.add(MapAction::add, {}, {});  // a blank key
                  CHECK(map.complete().code == Errc::outOfRange);
              }) == Errc::outOfRange);
        CHECK(failureOf([](BeWriter& out) {
                  VectorEncoder vector;
                  vector.begin(out, {}, false);
                  vector.add(VectorAction::set, 0x40000000, {});
                  CHECK(vector.complete().code == Errc::outOfRange);
              }) == Errc::outOfRange);
        CHECK(failureOf([](BeWriter& out) {
                  ArrayEncoder array;
                  array.begin(out, DataType::Int, 3);
                  CHECK(array.complete().code == Errc::outOfRange);
              }) == Errc::outOfRange);
        CHECK(failureOf([](BeWriter& out) {
                  SetDefinitionEncoder defs;
                  defs.begin(out);
                  defs.beginSet(16);
                  defs.endSet();
                  CHECK(defs.complete().code == Errc::outOfRange);
              }) == Errc::outOfRange);
    }
}

TEST_CASE("standard entries need a place of their own", "[codec][capacity]") {
    std::vector<std::byte> block(1000);
    BeWriter out{block};
    SetDefinition set;
    const std::array<std::byte, 1> one{std::byte{1}};
    SECTION("fields after endSet()") {
        FieldListEncoder list;
        list.beginSet(out, nullptr, set, true, true);
        CHECK(list.addSetValue(DataType::UInt, one).ok());
        list.endSet();
        list.add(22, one);
        CHECK(list.complete().ok());
    }
    SECTION("not fields among the set's values") {
        FieldListEncoder list;
        list.beginSet(out, nullptr, set, true, true);
        list.add(22, one);
        CHECK(list.complete().code == Errc::usage);
        CHECK_FALSE(out.ok());
    }
    SECTION("nor where no standard data follows") {
        FieldListEncoder list;
        list.beginSet(out, nullptr, set, true, false);
        list.addBlank(22);
        CHECK(list.complete().code == Errc::usage);
        BeWriter other{block};
        list.beginEmpty(other);
        list.addUInt(22, 1);
        CHECK(list.complete().code == Errc::usage);
    }
    SECTION("elements alike") {
        ElementListEncoder list;
        list.beginSet(out, nullptr, set, true, true);
        list.addUInt("A", 1);
        CHECK(list.complete().code == Errc::usage);
    }
}

TEST_CASE("counts above the wire's limit are refused", "[codec][capacity]") {
    std::vector<std::byte> block(std::size_t{1} << 20);
    BeWriter out{block};
    SECTION("65535 fields fit, one more does not") {
        FieldListEncoder list;
        list.begin(out);
        for (unsigned i = 0; i < 0xFFFF; ++i)
            list.addBlank(1);
        CHECK(list.complete().ok());
        list.addBlank(1);
        CHECK(list.complete().code == Errc::outOfRange);
    }
    SECTION("255 filter entries fit, one more does not") {
        FilterListEncoder list;
        list.begin(out, DataType::NoData);
        for (unsigned i = 0; i < 0xFF; ++i)
            list.add(FilterAction::set, 1, DataType::NoData, {});
        CHECK(list.complete().ok());
        list.add(FilterAction::set, 1, DataType::NoData, {});
        CHECK(list.complete().code == Errc::outOfRange);
    }
    SECTION("an entry of 65535 bytes fits, one more does not") {
        SeriesEncoder series;
        EntryContainerHeader header;
        header.entryType = DataType::Opaque;
        const std::vector<std::byte> most(0xFFFF), tooMuch(0x10000);
        series.begin(out, header);
        series.add(most);
        series.beginEntry();
        series.writer().bytes(most);
        series.endEntry();
        CHECK(series.complete().ok());
        series.beginEntry();
        series.writer().bytes(tooMuch);
        series.endEntry();
        CHECK(series.complete().code == Errc::outOfRange);
    }
}
