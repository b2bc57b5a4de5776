// Containers beyond the vectors: what is tolerated, what is refused, scope of set definitions, depth.
#include "eta/codec/model/Value.h"
#include "eta/codec/containers.h"
#include "eta/codec/encoders.h"
#include "support/catch.hpp"

using namespace emissary::eta;
using namespace emissary::eta::codec;
using model::hex;
using model::unhex;
using model::wire;

TEST_CASE("field lists", "[codec][containers]") {
    FieldListDecoder list;
    FieldEntry entry;
    SECTION("of length 0 hold nothing") {
        REQUIRE(list.start({}).ok());
        CHECK_FALSE(list.next(entry));
        CHECK(list.error().ok());
        CHECK(list.dictionaryId() == 1);
    }
    SECTION("ignore unknown flags, extra info and trailing bytes") {
        REQUIRE(list.start(wire("f9"
                                "05"
                                "02"
                                "0003"
                                "aabb"
                                "0001"
                                "0016"
                                "01"
                                "05"
                                "ffff"))
                    .ok());
        CHECK(list.dictionaryId() == 2);
        CHECK(list.fieldListNum() == 3);
        REQUIRE(list.next(entry));
        CHECK(entry.fieldId == 22);
        CHECK_FALSE(list.next(entry));
        CHECK(list.error().ok());
    }
    SECTION("carry a dictionary id of either sign") {
        REQUIRE(list.start(wire("01"
                                "03"
                                "7f"
                                "0000"))
                    .ok());
        CHECK(list.dictionaryId() == -1);
        REQUIRE(list.start(wire("01"
                                "04"
                                "8040"
                                "0000"))
                    .ok());
        CHECK(list.dictionaryId() == 64);
        REQUIRE(list.start(wire("01"
                                "04"
                                "ffff"
                                "0000"))
                    .ok());
        CHECK(list.dictionaryId() == -1);
    }
    SECTION("refuse an info too short for its members") {
        CHECK(list.start(wire("01"
                              "02"
                              "010000"))
                  .code == Errc::truncated);
    }
    SECTION("take long lengths in either form") {
        auto bytes = unhex("08"
                           "0002"
                           "0016"
                           "fe0001"
                           "05"
                           "0017"
                           "fe0100");
        bytes.resize(bytes.size() + 256);
        REQUIRE(list.start(bytes).ok());
        REQUIRE(list.next(entry));
        CHECK(entry.data.size() == 1);
        REQUIRE(list.next(entry));
        CHECK(entry.data.size() == 256);
        CHECK_FALSE(list.next(entry));
        CHECK(list.error().ok());
    }
    SECTION("refuse the length byte that nobody writes") {
        REQUIRE(list.start(wire("08"
                                "0001"
                                "0016"
                                "ff"
                                "0001"
                                "05"))
                    .ok());
        CHECK_FALSE(list.next(entry));
        CHECK(list.error().code == Errc::truncated);
    }
    SECTION("stop at the first entry that is not there, and stay stopped") {
        REQUIRE(list.start(wire("08"
                                "0003"
                                "0016"
                                "0105"))
                    .ok());
        CHECK(list.next(entry));
        for (int i = 0; i < 3; ++i) {
            CHECK_FALSE(list.next(entry));
            CHECK(list.error().code == Errc::truncated);
        }
        REQUIRE(list.start(wire("080000")).ok());
        CHECK(list.error().ok());
    }
    SECTION("skip set data that nobody defined and go on") {
        REQUIRE(list.start(wire("0e"
                                "05"
                                "03"
                                "010203"
                                "0001"
                                "0016"
                                "0105"))
                    .ok());
        CHECK(list.setSkipped());
        CHECK(list.setId() == 5);
        REQUIRE(list.next(entry));
        CHECK(entry.fieldId == 22);
        CHECK(entry.setType == DataType::Unknown);
    }
}

TEST_CASE("set data", "[codec][containers]") {
    SetDefinitionDb sets;
    const auto definitions = wire("00"
                                  "01"
                                  "00"
                                  "02"
                                  "0016"
                                  "4a"
                                  "001e"
                                  "45");  // 22 Real_4RB, 30 UInt_4
    REQUIRE(sets.decode(definitions, SetDefinitionDb::Kind::fields).ok());
    FieldListDecoder list;
    FieldEntry entry;
    SECTION("may be longer than its definition") {
        REQUIRE(list.start(wire("0a"
                                "09"
                                "4c3039"
                                "000002bc"
                                "ffff"
                                "0001"
                                "0001"
                                "00"),
                           &sets)
                    .ok());
        CHECK(list.next(entry));
        CHECK(entry.setType == DataType::Real4RB);
        CHECK(list.next(entry));
        CHECK(hex(entry.data) == "000002bc");
        CHECK(list.next(entry));
        CHECK(entry.fieldId == 1);
        CHECK_FALSE(list.next(entry));
        CHECK(list.error().ok());
    }
    SECTION("must not be shorter") {
        REQUIRE(list.start(wire("02"
                                "4c3039"
                                "0000"),
                           &sets)
                    .ok());
        CHECK(list.next(entry));
        CHECK_FALSE(list.next(entry));
        CHECK(list.error().code == Errc::truncated);
    }
    SECTION("of fields does not serve element lists") {
        ElementListDecoder elements;
        REQUIRE(elements
                    .start(wire("02"
                                "0102030405"),
                           &sets)
                    .ok());
        CHECK(elements.setSkipped());
    }
    SECTION("is in scope for entries, not below a container without definitions") {
        // Vector (definitions) of FieldList: entry with set data. Then the same list one Series deeper.
        const auto vector = wire("01"
                                 "04"
                                 "0a"
                                 "0001"
                                 "00"
                                 "02"
                                 "00164a"
                                 "001e45"
                                 "0001"
                                 "02"
                                 "00"
                                 "08"
                                 "02"
                                 "4c3039"
                                 "000002bc");
        CHECK(validate(vector, DataType::Vector).ok());
        VectorDecoder decoder;
        REQUIRE(decoder.start(vector).ok());
        REQUIRE(decoder.sets() != nullptr);
        CHECK(decoder.sets()->find(0)->size() == 2);
        CHECK(decoder.sets()->find(1) == nullptr);
        CHECK(decoder.sets()->find(16) == nullptr);
    }
}

TEST_CASE("set definitions", "[codec][containers]") {
    SetDefinitionDb sets;
    const auto decode = [&sets](const char* text) {
        return sets.decode(wire(text), SetDefinitionDb::Kind::fields).code;
    };
    CHECK(decode("0000") == Errc::ok);
    CHECK(sets.empty());
    CHECK(decode("0010") == Errc::tooManySets);
    CHECK(decode("00011000") == Errc::illegalSet);
    CHECK(decode("000200000000") == Errc::duplicateSet);
    CHECK(decode("0001000100160f") == Errc::ok);
    CHECK(decode("00010001001680") == Errc::unsupportedType);
    CHECK(decode("00010001001614") == Errc::unsupportedType);
    CHECK(decode("00010001001600") == Errc::unsupportedType);
    CHECK(decode("0001000200164a00") == Errc::truncated);
    CHECK(sets.empty());
    CHECK(decode("00") == Errc::truncated);
}

TEST_CASE("definitions belong to lists only", "[codec][containers]") {
    MapDecoder map;
    CHECK(map.start(wire("01"
                         "03"
                         "09"
                         "02"
                         "0000"
                         "0000"))
              .code == Errc::unsupportedType);
    SeriesDecoder series;
    CHECK(series
              .start(wire("01"
                          "02"
                          "02"
                          "0000"
                          "0000"))
              .code == Errc::unsupportedType);
}

TEST_CASE("maps", "[codec][containers]") {
    MapDecoder map;
    MapEntry entry;
    SECTION("deliver actions that nobody knows, with their payload") {
        REQUIRE(map.start(wire("00"
                               "03"
                               "04"
                               "0001"
                               "0f"
                               "01"
                               "05"
                               "03"
                               "080000"))
                    .ok());
        REQUIRE(map.next(entry));
        CHECK(entry.action == 15);
        CHECK(hex(entry.data) == "080000");
    }
    SECTION("ignore an entry's permission flag without their own") {
        REQUIRE(map.start(wire("00"
                               "03"
                               "00"
                               "0001"
                               "12"
                               "01"
                               "05"))
                    .ok());
        REQUIRE(map.next(entry));
        CHECK_FALSE(entry.hasPermData);
        CHECK(hex(entry.key) == "05");
    }
    SECTION("treat the legacy key types as their successors") {
        REQUIRE(map.start(wire("00"
                               "02"
                               "00"
                               "0000"))
                    .ok());
        CHECK(map.keyType() == DataType::UInt);
    }
    SECTION("refuse keys that are not base primitives") {
        for (const char* bad : {"000f000000", "0000000000", "0084000000", "0040000000", "0014000000"})
            CHECK(map.start(wire(bad)).code == Errc::unsupportedType);
    }
    SECTION("refuse entry types that no container has") {
        CHECK(map.start(wire("0003800000")).code == Errc::unsupportedType);
    }
    SECTION("forget the definitions of an earlier start") {
        REQUIRE(map.start(wire("01"
                               "03"
                               "04"
                               "04"
                               "00010000"
                               "0000"))
                    .ok());
        CHECK(map.sets() != nullptr);
        REQUIRE(map.start(wire("0003040000")).ok());
        CHECK(map.sets() == nullptr);
    }
}

TEST_CASE("arrays", "[codec][containers]") {
    ArrayDecoder array;
    Bytes item;
    CHECK(array.start(wire("0f000000")).code == Errc::unsupportedType);
    CHECK(array.start(wire("84000000")).code == Errc::unsupportedType);
    CHECK(array.start(wire("00000000")).code == Errc::unsupportedType);
    REQUIRE(array.start(wire("0308000101020304")).ok());
    CHECK_FALSE(array.next(item));
    CHECK(array.error().code == Errc::truncated);
    REQUIRE(array.start({}).ok());
    CHECK(array.blank());

    SECTION("of fixed length hold widened integers and padded text") {
        std::array<std::byte, 64> block;
        BeWriter out{block};
        ArrayEncoder encoder;
        encoder.begin(out, DataType::Int, 4);
        encoder.add(wire("ff"));
        encoder.add(wire("0080"));
        REQUIRE(encoder.complete().ok());
        CHECK(hex(out.view()) == "03"
                                 "04"
                                 "0002"
                                 "ffffffff"
                                 "00000080");
        BeWriter text{block};
        encoder.begin(text, DataType::AsciiString, 3);
        encoder.addAscii("a");
        encoder.addAscii("abc");
        REQUIRE(encoder.complete().ok());
        CHECK(hex(text.view()) == "11"
                                  "03"
                                  "0002"
                                  "610000"
                                  "616263");
        encoder.addAscii("abcd");
        CHECK(encoder.complete().code == Errc::outOfRange);
    }
    SECTION("of fixed length hold times in the width asked for") {
        std::array<std::byte, 64> block;
        BeWriter out{block};
        ArrayEncoder encoder;
        encoder.begin(out, DataType::DateTime, 12);
        encoder.add(wire("110307e90c1e"));
        REQUIRE(encoder.complete().ok());
        CHECK(hex(out.view()) == "0b"
                                 "0c"
                                 "0001"
                                 "110307e9"
                                 "0c1e000000000000");
    }
}

TEST_CASE("nesting", "[codec][containers]") {
    // Element lists in element lists, `levels` deep; the innermost holds a UInt.
    const auto nested = [](int levels) {
        auto inner = unhex("080001"
                           "0161"
                           "04"
                           "0101");
        for (int i = 1; i < levels; ++i) {
            auto outer = unhex("080001"
                               "0161"
                               "85"
                               "fe0000");
            storeBe(outer.data() + outer.size() - 2, static_cast<std::uint16_t>(inner.size()));
            outer.insert(outer.end(), inner.begin(), inner.end());
            inner = std::move(outer);
        }
        return inner;
    };
    CHECK(validate(nested(16), DataType::ElementList).ok());
    CHECK(validate(nested(17), DataType::ElementList).code == Errc::tooDeep);
    // An array is a level of its own.
    auto array = nested(16);
    CHECK(validate(array, DataType::ElementList, nullptr, nullptr, nullptr, 1).code == Errc::tooDeep);
}

TEST_CASE("an entry list that names its types saves the default", "[codec][containers]") {
    std::array<std::byte, 64> block;
    BeWriter out{block};
    FilterListEncoder list;
    list.begin(out, DataType::ElementList);
    list.add(FilterAction::set, 1, DataType::ElementList, wire("080000"));
    list.add(FilterAction::clear, 2, DataType::FieldList, {});
    REQUIRE(list.complete().ok());
    CHECK(hex(out.view()) == "00"
                             "05"
                             "02"
                             "0201"
                             "03080000"
                             "230204");
}
