// Wrong use of what was received has its exception and code (ema-api.md 0.3, 2.6, 3.1).
#include "misuse.h"

using namespace ematest;

TEST_CASE("entries refuse getters of another type", "[ema][misuse]") {
    ElementList list;
    list.addInt("i", 1).addUInt("u", 2).addAscii("a", "x").add("none").complete();
    const ReceivedMsg<UpdateMsg> msg = received(list);
    const ElementList& in = msg->getPayload().getElementList();
    REQUIRE(in.forth());
    const ElementEntry& e = in.getEntry();
    CHECK(e.getInt() == 1);
    CHECK_USAGE(InvalidOperationEnum, e.getUInt());
    CHECK(thrownBy([&] { static_cast<void>(e.getUInt()); }).text ==
          "Attempt to getUInt() while actual entry data type is Int");
    CHECK_USAGE(InvalidOperationEnum, e.getReal());
    CHECK_USAGE(InvalidOperationEnum, e.getFloat());
    CHECK_USAGE(InvalidOperationEnum, e.getDouble());
    CHECK_USAGE(InvalidOperationEnum, e.getDate());
    CHECK_USAGE(InvalidOperationEnum, e.getTime());
    CHECK_USAGE(InvalidOperationEnum, e.getDateTime());
    CHECK_USAGE(InvalidOperationEnum, e.getQos());
    CHECK_USAGE(InvalidOperationEnum, e.getState());
    CHECK_USAGE(InvalidOperationEnum, e.getEnum());
    CHECK_USAGE(InvalidOperationEnum, e.getBuffer());
    CHECK_USAGE(InvalidOperationEnum, e.getAscii());
    CHECK_USAGE(InvalidOperationEnum, e.getUtf8());
    CHECK_USAGE(InvalidOperationEnum, e.getRmtes());
    CHECK_USAGE(InvalidOperationEnum, e.getArray());
    CHECK_USAGE(InvalidOperationEnum, e.getError());
    CHECK_USAGE(InvalidOperationEnum, e.getReqMsg());
    CHECK_USAGE(InvalidOperationEnum, e.getRefreshMsg());
    CHECK_USAGE(InvalidOperationEnum, e.getUpdateMsg());
    CHECK_USAGE(InvalidOperationEnum, e.getStatusMsg());
    CHECK_USAGE(InvalidOperationEnum, e.getPostMsg());
    CHECK_USAGE(InvalidOperationEnum, e.getAckMsg());
    CHECK_USAGE(InvalidOperationEnum, e.getGenericMsg());
    CHECK_USAGE(InvalidOperationEnum, e.getFieldList());
    CHECK_USAGE(InvalidOperationEnum, e.getElementList());
    CHECK_USAGE(InvalidOperationEnum, e.getMap());
    CHECK_USAGE(InvalidOperationEnum, e.getVector());
    CHECK_USAGE(InvalidOperationEnum, e.getSeries());
    CHECK_USAGE(InvalidOperationEnum, e.getFilterList());
    CHECK_USAGE(InvalidOperationEnum, e.getOpaque());
    CHECK_USAGE(InvalidOperationEnum, e.getXml());
    CHECK_USAGE(InvalidOperationEnum, e.getAnsiPage());
    CHECK_USAGE(InvalidOperationEnum, e.getJson());
    REQUIRE(in.forth());
    CHECK_USAGE(InvalidOperationEnum, in.getEntry().getInt());
    CHECK_USAGE(InvalidOperationEnum, msg->getPayload().getFieldList());
    CHECK_USAGE(InvalidOperationEnum, msg->getPayload().getMap());
    CHECK_USAGE(InvalidOperationEnum, msg->getPayload().getUpdateMsg());
    CHECK_USAGE(InvalidOperationEnum, msg->getPayload().getError());
    CHECK_USAGE(InvalidOperationEnum, msg->getAttrib().getElementList());
}

TEST_CASE("blank entries refuse typed getters and say why", "[ema][misuse]") {
    ElementList list;
    list.addCodeInt("i").addCodeUInt("u").addCodeReal("r").addCodeFloat("f").addCodeDouble("d");
    list.addCodeDate("date").addCodeTime("time").addCodeDateTime("dt").addCodeQos("q").addCodeState("s");
    list.addCodeEnum("e").addCodeBuffer("b").addCodeAscii("a").addCodeUtf8("u8").addCodeRmtes("rm").complete();
    const ReceivedMsg<UpdateMsg> msg = received(list);
    const ElementList& in = msg->getPayload().getElementList();
    const auto next = [&]() -> const ElementEntry& {
        REQUIRE(in.forth());
        CHECK(in.getEntry().getCode() == Data::BlankEnum);
        CHECK(text(in.getEntry().getLoad().getCodeAsString()) == "Blank");
        CHECK(text(in.getEntry().getLoad().toString()) == "(blank data)");
        return in.getEntry();
    };
    CHECK(thrownBy([&] { static_cast<void>(next().getInt()); }).text ==
          "Attempt to getInt() while entry data is blank.");
    CHECK_USAGE(InvalidOperationEnum, next().getUInt());
    CHECK_USAGE(InvalidOperationEnum, next().getReal());
    CHECK_USAGE(InvalidOperationEnum, next().getFloat());
    CHECK_USAGE(InvalidOperationEnum, next().getDouble());
    CHECK_USAGE(InvalidOperationEnum, next().getDate());
    CHECK_USAGE(InvalidOperationEnum, next().getTime());
    CHECK_USAGE(InvalidOperationEnum, next().getDateTime());
    CHECK_USAGE(InvalidOperationEnum, next().getQos());
    CHECK_USAGE(InvalidOperationEnum, next().getState());
    CHECK_USAGE(InvalidOperationEnum, next().getEnum());
    CHECK_USAGE(InvalidOperationEnum, next().getBuffer());
    CHECK_USAGE(InvalidOperationEnum, next().getAscii());
    CHECK_USAGE(InvalidOperationEnum, next().getUtf8());
    CHECK_USAGE(InvalidOperationEnum, next().getRmtes());
    CHECK_FALSE(in.forth());
}

namespace {

/// A received message with one entry, for each kind of container.
struct OneOfEach {
    ReceivedMsg<UpdateMsg> elements, fields, map, vector, series, filters;
};

OneOfEach oneOfEach() {
    ElementList elements;
    elements.addInt("i", 1).complete();
    FieldList fields;
    fields.addUInt(1, 1).complete();
    Map map;
    map.addKeyInt(1, MapEntry::AddEnum).complete();
    Vector vector;
    vector.add(0, VectorEntry::SetEnum).complete();
    Series series;
    series.add().complete();
    FilterList filters;
    filters.add(1, FilterEntry::SetEnum, elements).complete();
    return {received(elements), received(fields), received(map), received(vector), received(series), received(filters)};
}

}  // namespace

TEST_CASE("entries exist after forth() only", "[ema][misuse]") {
    const OneOfEach all = oneOfEach();
    const auto check = [](const auto& c) {
        CHECK_USAGE(InvalidOperationEnum, c.getEntry());
        REQUIRE(c.forth());
        CHECK_NOTHROW(c.getEntry());
        CHECK_FALSE(c.forth());
        CHECK_USAGE(InvalidOperationEnum, c.getEntry());
        c.reset();
        CHECK_USAGE(InvalidOperationEnum, c.getEntry());
        CHECK(c.forth());
    };
    check(all.elements->getPayload().getElementList());
    check(all.fields->getPayload().getFieldList());
    check(all.map->getPayload().getMap());
    check(all.vector->getPayload().getVector());
    check(all.series->getPayload().getSeries());
    check(all.filters->getPayload().getFilterList());
}

TEST_CASE("optional members are asked for first", "[ema][misuse]") {
    const OneOfEach all = oneOfEach();
    CHECK_USAGE(InvalidOperationEnum, all.elements->getPayload().getElementList().getInfoElementListNum());
    CHECK_USAGE(InvalidOperationEnum, all.fields->getPayload().getFieldList().getInfoDictionaryId());
    CHECK_USAGE(InvalidOperationEnum, all.fields->getPayload().getFieldList().getInfoFieldListNum());
    CHECK_USAGE(InvalidOperationEnum, all.map->getPayload().getMap().getKeyFieldId());
    CHECK_USAGE(InvalidOperationEnum, all.map->getPayload().getMap().getTotalCountHint());
    CHECK_USAGE(InvalidOperationEnum, all.vector->getPayload().getVector().getTotalCountHint());
    CHECK_USAGE(InvalidOperationEnum, all.series->getPayload().getSeries().getTotalCountHint());
    CHECK_USAGE(InvalidOperationEnum, all.filters->getPayload().getFilterList().getTotalCountHint());
    REQUIRE(all.map->getPayload().getMap().forth());
    CHECK_USAGE(InvalidOperationEnum, all.map->getPayload().getMap().getEntry().getPermissionData());
    REQUIRE(all.vector->getPayload().getVector().forth());
    CHECK_USAGE(InvalidOperationEnum, all.vector->getPayload().getVector().getEntry().getPermissionData());
    REQUIRE(all.filters->getPayload().getFilterList().forth());
    CHECK_USAGE(InvalidOperationEnum, all.filters->getPayload().getFilterList().getEntry().getPermissionData());
    REQUIRE(all.fields->getPayload().getFieldList().forth());
    CHECK_FALSE(all.fields->getPayload().getFieldList().getEntry().hasEnumDisplay());
    CHECK_USAGE(InvalidOperationEnum, all.fields->getPayload().getFieldList().getEntry().getEnumDisplay());
    CHECK(all.map->getPayload().getMap().getSummaryData().getDataType() == DataType::NoDataEnum);
    CHECK(all.map->getPayload().getMap().getSummaryData().getData().getDataType() == DataType::NoDataEnum);
}

TEST_CASE("undecodable entries are errors, not exceptions", "[ema][misuse]") {
    SECTION("no dictionary") {
        FieldList fields;
        fields.addUInt(1, 1).complete();
        const auto msg = received(fields, nullptr);
        const FieldList& in = msg->getPayload().getFieldList();
        REQUIRE(in.forth());
        CHECK(in.getEntry().getLoadType() == DataType::ErrorEnum);
        CHECK(in.getEntry().getName().empty());
        CHECK(in.getEntry().getError().getErrorCode() == OmmError::NoDictionaryEnum);
        CHECK(text(in.getEntry().getError().getErrorCodeAsString()) == "NoDictionary");
        CHECK(in.getEntry().getLoad().getDataType() == DataType::ErrorEnum);
        CHECK_USAGE(InvalidOperationEnum, in.getEntry().getUInt());
        CHECK(text(in.getEntry().getError().toString()) == "OmmError\n    ErrorCode=\"NoDictionary\"\nOmmErrorEnd\n");
    }
    SECTION("a field that the dictionary does not have") {
        FieldList fields;
        fields.addUInt(-32000, 1).addUInt(1, 2).complete();
        const auto msg = received(fields);
        const FieldList& in = msg->getPayload().getFieldList();
        REQUIRE(in.forth());
        CHECK(in.getEntry().getError().getErrorCode() == OmmError::FieldIdNotFoundEnum);
        REQUIRE(in.forth());
        CHECK(in.getEntry().getUInt() == 2);
    }
    SECTION("bytes that the type cannot have") {
        FieldList fields;
        fields.addBuffer(5, EmaBuffer("\x01\x02\x03\x04", 4)).complete();  // a Time of four bytes
        const auto msg = received(fields);
        const FieldList& in = msg->getPayload().getFieldList();
        REQUIRE(in.forth());
        CHECK(in.getEntry().getError().getErrorCode() == OmmError::IncompleteDataEnum);
        CHECK_USAGE(InvalidOperationEnum, in.getEntry().getTime());
    }
    SECTION("a list cut short ends in an error entry") {
        UpdateMsg msg;
        FieldList fields;
        fields.addUInt(1, 1).addUInt(2, 2).complete();
        msg.payload(fields);
        std::vector<std::byte> bytes = encode(msg);
        bytes.pop_back();
        const ReceivedMsg<UpdateMsg> in(bytes);
        const FieldList& list = in->getPayload().getFieldList();
        REQUIRE(list.forth());
        CHECK(list.getEntry().getUInt() == 1);
        REQUIRE(list.forth());
        CHECK(list.getEntry().getLoadType() == DataType::ErrorEnum);
        CHECK(list.getEntry().getError().getErrorCode() == OmmError::IncompleteDataEnum);
        CHECK_FALSE(list.forth());
    }
}
