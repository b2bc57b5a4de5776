// Every wrong use has its exception and code (ema-api.md 0.3, 2.6, 3.1 to 3.4, 4.1).
#include "Ema.h"
#include "support.h"

using namespace ematest;

namespace {

/// An update whose payload is the given container, as received.
Received<UpdateMsg> received(const ComplexType& payload, const Dictionary* dictionary = &shippedFields()) {
    UpdateMsg msg;
    msg.payload(payload);
    return Received<UpdateMsg>(msg, dictionary);
}

}  // namespace

TEST_CASE("entries refuse getters of another type", "[ema][misuse]") {
    ElementList list;
    list.addInt("i", 1).addUInt("u", 2).addAscii("a", "x").add("none").complete();
    const Received<UpdateMsg> msg = received(list);
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
    const Received<UpdateMsg> msg = received(list);
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

TEST_CASE("entries exist after forth() only", "[ema][misuse]") {
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
    const auto e = received(elements), f = received(fields), m = received(map), v = received(vector),
               s = received(series), l = received(filters);
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
    check(e->getPayload().getElementList());
    check(f->getPayload().getFieldList());
    check(m->getPayload().getMap());
    check(v->getPayload().getVector());
    check(s->getPayload().getSeries());
    check(l->getPayload().getFilterList());
}

TEST_CASE("optional members are asked for first", "[ema][misuse]") {
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
    const auto e = received(elements), f = received(fields), m = received(map), v = received(vector),
               s = received(series), l = received(filters);
    CHECK_USAGE(InvalidOperationEnum, e->getPayload().getElementList().getInfoElementListNum());
    CHECK_USAGE(InvalidOperationEnum, f->getPayload().getFieldList().getInfoDictionaryId());
    CHECK_USAGE(InvalidOperationEnum, f->getPayload().getFieldList().getInfoFieldListNum());
    CHECK_USAGE(InvalidOperationEnum, m->getPayload().getMap().getKeyFieldId());
    CHECK_USAGE(InvalidOperationEnum, m->getPayload().getMap().getTotalCountHint());
    CHECK_USAGE(InvalidOperationEnum, v->getPayload().getVector().getTotalCountHint());
    CHECK_USAGE(InvalidOperationEnum, s->getPayload().getSeries().getTotalCountHint());
    CHECK_USAGE(InvalidOperationEnum, l->getPayload().getFilterList().getTotalCountHint());
    REQUIRE(m->getPayload().getMap().forth());
    CHECK_USAGE(InvalidOperationEnum, m->getPayload().getMap().getEntry().getPermissionData());
    REQUIRE(v->getPayload().getVector().forth());
    CHECK_USAGE(InvalidOperationEnum, v->getPayload().getVector().getEntry().getPermissionData());
    REQUIRE(l->getPayload().getFilterList().forth());
    CHECK_USAGE(InvalidOperationEnum, l->getPayload().getFilterList().getEntry().getPermissionData());
    REQUIRE(f->getPayload().getFieldList().forth());
    CHECK_FALSE(f->getPayload().getFieldList().getEntry().hasEnumDisplay());
    CHECK_USAGE(InvalidOperationEnum, f->getPayload().getFieldList().getEntry().getEnumDisplay());
    CHECK(m->getPayload().getMap().getSummaryData().getDataType() == DataType::NoDataEnum);
    CHECK(m->getPayload().getMap().getSummaryData().getData().getDataType() == DataType::NoDataEnum);
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
        const Received<UpdateMsg> in(bytes);
        const FieldList& list = in->getPayload().getFieldList();
        REQUIRE(list.forth());
        CHECK(list.getEntry().getUInt() == 1);
        REQUIRE(list.forth());
        CHECK(list.getEntry().getLoadType() == DataType::ErrorEnum);
        CHECK(list.getEntry().getError().getErrorCode() == OmmError::IncompleteDataEnum);
        CHECK_FALSE(list.forth());
    }
}

TEST_CASE("completed containers take no more", "[ema][misuse]") {
    ElementList empty;
    empty.complete();
    const auto refuses = [](auto& c, auto add) {
        add(c);
        c.complete();
        CHECK_USAGE(InvalidOperationEnum, add(c));
        c.clear();
        CHECK_NOTHROW(add(c));
    };
    FieldList fields;
    refuses(fields, [](FieldList& c) { c.addInt(1, 1); });
    ElementList elements;
    refuses(elements, [](ElementList& c) { c.addInt("i", 1); });
    Map map;
    refuses(map, [](Map& c) { c.addKeyInt(1, MapEntry::AddEnum); });
    Vector vector;
    refuses(vector, [](Vector& c) { c.add(0, VectorEntry::SetEnum); });
    Series series;
    refuses(series, [](Series& c) { c.add(); });
    FilterList filters;
    refuses(filters, [&](FilterList& c) { c.add(1, FilterEntry::SetEnum, empty); });
    OmmArray array;
    refuses(array, [](OmmArray& c) { c.addInt(1); });
}

TEST_CASE("header members come before the first add", "[ema][misuse]") {
    ElementList content;
    content.complete();
    FieldList fields;
    fields.addInt(1, 1);
    CHECK_USAGE(InvalidOperationEnum, fields.info(1, 1));
    ElementList elements;
    elements.addInt("i", 1);
    CHECK_USAGE(InvalidOperationEnum, elements.info(1));
    Map map;
    map.addKeyInt(1, MapEntry::AddEnum, content);
    CHECK_USAGE(InvalidOperationEnum, map.totalCountHint(1));
    CHECK_USAGE(InvalidOperationEnum, map.keyFieldId(1));
    CHECK_USAGE(InvalidOperationEnum, map.summaryData(content));
    CHECK_USAGE(InvalidOperationEnum, map.keyType(DataType::AsciiEnum));
    Vector vector;
    vector.add(0, VectorEntry::SetEnum, content);
    CHECK_USAGE(InvalidOperationEnum, vector.totalCountHint(1));
    CHECK_USAGE(InvalidOperationEnum, vector.sortable(true));
    CHECK_USAGE(InvalidOperationEnum, vector.summaryData(content));
    Series series;
    series.add(content);
    CHECK_USAGE(InvalidOperationEnum, series.totalCountHint(1));
    CHECK_USAGE(InvalidOperationEnum, series.summaryData(content));
    FilterList filters;
    filters.add(1, FilterEntry::SetEnum, content);
    CHECK_USAGE(InvalidOperationEnum, filters.totalCountHint(1));
}

TEST_CASE("contained objects are complete before their container", "[ema][misuse]") {
    SECTION("an open child cannot be handed over") {
        ElementList child;
        child.addInt("i", 1);
        FieldList parent;
        const Thrown thrown = thrownBy([&] { parent.addElementList(1, child); });
        CHECK(thrown.cls == "OmmInvalidUsageException");
        CHECK(thrown.text.find("ElementList") != std::string::npos);
        CHECK(thrown.text.find("complete() was not called") != std::string::npos);
    }
    SECTION("a child being filled in place blocks its parent") {
        FieldList parent;
        ElementList child;
        parent.addElementList(1, child);
        CHECK_USAGE(InvalidOperationEnum, parent.addInt(2, 2));
        CHECK_USAGE(InvalidOperationEnum, parent.complete());
        child.addInt("i", 1);
        CHECK_USAGE(InvalidOperationEnum, parent.complete());
        child.complete();
        CHECK_NOTHROW(parent.addInt(2, 2).complete());
    }
    SECTION("also in maps, vectors, series and filter lists") {
        const auto blocks = [](auto& parent, auto add) {
            FieldList child;
            add(parent, child);
            FieldList other;
            other.complete();
            CHECK_USAGE(InvalidOperationEnum, add(parent, other));
            CHECK_USAGE(InvalidOperationEnum, parent.complete());
            child.addInt(1, 1).complete();
            CHECK_NOTHROW(add(parent, other));
            CHECK_NOTHROW(parent.complete());
        };
        Map map;
        blocks(map, [](Map& m, const FieldList& f) { m.addKeyInt(1, MapEntry::AddEnum, f); });
        Vector vector;
        blocks(vector, [](Vector& v, const FieldList& f) { v.add(1, VectorEntry::SetEnum, f); });
        Series series;
        blocks(series, [](Series& s, const FieldList& f) { s.add(f); });
        FilterList filters;
        blocks(filters, [](FilterList& l, const FieldList& f) { l.add(1, FilterEntry::SetEnum, f); });
    }
}

TEST_CASE("entries of one container have one type", "[ema][misuse]") {
    FieldList fields;
    fields.complete();
    ElementList elements;
    elements.complete();
    const auto mixes = [](const Thrown& t) {
        INFO(t);
        CHECK(t.cls == "OmmInvalidUsageException");
        CHECK(t.code == OmmInvalidUsageException::InvalidOperationEnum);
        CHECK(t.text.find("attempt to add entry with a different type") != std::string::npos);
    };
    Map map;
    map.addKeyInt(1, MapEntry::AddEnum, fields);
    mixes(thrownBy([&] { map.addKeyInt(2, MapEntry::AddEnum, elements); }));
    CHECK_NOTHROW(map.addKeyInt(3, MapEntry::DeleteEnum));
    CHECK_USAGE(InvalidOperationEnum, map.addKeyUInt(1, MapEntry::AddEnum, fields));
    CHECK_USAGE(InvalidOperationEnum, map.addKeyAscii("x", MapEntry::AddEnum, fields));
    Map summary;
    summary.summaryData(fields);
    mixes(thrownBy([&] { summary.addKeyInt(2, MapEntry::AddEnum, elements); }));
    Map preset;
    preset.keyType(DataType::AsciiEnum);
    CHECK_USAGE(InvalidOperationEnum, preset.addKeyInt(1, MapEntry::AddEnum, fields));
    Vector vector;
    vector.add(1, VectorEntry::SetEnum, fields);
    mixes(thrownBy([&] { vector.add(2, VectorEntry::SetEnum, elements); }));
    CHECK_NOTHROW(vector.add(3, VectorEntry::ClearEnum));
    Series series;
    series.add(fields);
    mixes(thrownBy([&] { series.add(elements); }));
    FilterList filters;
    filters.add(1, FilterEntry::SetEnum, fields);
    CHECK_NOTHROW(filters.add(1, FilterEntry::SetEnum, elements).complete());
}

TEST_CASE("nothing is added of objects that hold nothing", "[ema][misuse]") {
    FieldList fields;
    ElementList elements;
    Map map;
    Vector vector;
    Series series;
    FilterList filters;
    const OmmOpaque opaque;
    const OmmXml xml;
    const OmmAnsiPage page;
    const OmmJson json;
    CHECK_USAGE(InvalidOperationEnum, fields.addOpaque(1, opaque));
    CHECK_USAGE(InvalidOperationEnum, fields.addXml(1, xml));
    CHECK_USAGE(InvalidOperationEnum, elements.addAnsiPage("x", page));
    CHECK_USAGE(InvalidOperationEnum, elements.addJson("x", json));
    CHECK_USAGE(InvalidOperationEnum, map.addKeyInt(1, MapEntry::AddEnum, opaque));
    CHECK_USAGE(InvalidOperationEnum, vector.add(1, VectorEntry::SetEnum, xml));
    CHECK_USAGE(InvalidOperationEnum, series.add(page));
    CHECK_USAGE(InvalidOperationEnum, filters.add(1, FilterEntry::SetEnum, json));
    CHECK_USAGE(InvalidOperationEnum, fields.addUpdateMsg(1, UpdateMsg()));
    CHECK_USAGE(InvalidOperationEnum, elements.addReqMsg("x", ReqMsg()));
    CHECK_USAGE(InvalidOperationEnum, map.addKeyInt(1, MapEntry::AddEnum, GenericMsg()));
    CHECK_NOTHROW(fields.addUpdateMsg(1, UpdateMsg().name("N")));
}

TEST_CASE("values outside their ranges are refused", "[ema][misuse]") {
    FieldList f;
    ElementList e;
    Map m;
    OmmArray a;
    CHECK_OUT_OF_RANGE(f.addDate(1, 4096, 1, 1));
    CHECK_OUT_OF_RANGE(f.addDate(1, 2024, 13, 1));
    CHECK_OUT_OF_RANGE(f.addDate(1, 2023, 2, 29));
    CHECK_OUT_OF_RANGE(e.addDate("d", 2024, 4, 31));
    CHECK_OUT_OF_RANGE(f.addTime(1, 24));
    CHECK_OUT_OF_RANGE(f.addTime(1, 0, 60));
    CHECK_OUT_OF_RANGE(f.addTime(1, 0, 0, 61));
    CHECK_OUT_OF_RANGE(f.addTime(1, 0, 0, 0, 1000));
    CHECK_OUT_OF_RANGE(f.addTime(1, 0, 0, 0, 0, 1000));
    CHECK_OUT_OF_RANGE(f.addTime(1, 0, 0, 0, 0, 0, 1000));
    CHECK_OUT_OF_RANGE(e.addDateTime("d", 2024, 2, 30));
    CHECK_OUT_OF_RANGE(a.addDateTime(2024, 1, 1, 25));
    CHECK_OUT_OF_RANGE(m.addKeyDate(2024, 0, 32, MapEntry::AddEnum));
    CHECK_OUT_OF_RANGE(m.addKeyTime(24, 0, 0, 0, 0, 0, MapEntry::AddEnum));
    CHECK_OUT_OF_RANGE(m.addKeyDateTime(2024, 13, 1, 0, 0, 0, 0, 0, 0, MapEntry::AddEnum));
    CHECK_NOTHROW(f.addDate(1, 2024, 2, 29).addTime(2, 23, 59, 60, 999, 999, 999));
    CHECK_NOTHROW(f.addDate(1, 0, 0, 0).addTime(2, 255, 255, 255, 65535, 2047, 2047));
    const auto noMagnitude = static_cast<OmmReal::MagnitudeType>(31);
    const auto refused = thrownBy([&] { f.addRealFromDouble(1, 1.5, noMagnitude); });
    CHECK(refused.cls == "OmmInvalidUsageException");
    CHECK_NOTHROW(f.addRealFromDouble(1, std::numeric_limits<double>::infinity()));
    CHECK_NOTHROW(f.addRealFromDouble(1, std::numeric_limits<double>::quiet_NaN()));
    Vector v;
    CHECK_FALSE(thrownBy([&] { v.add(1u << 30, VectorEntry::SetEnum); }).cls.empty());
}

TEST_CASE("arrays hold one type and keep their width", "[ema][misuse]") {
    OmmArray a;
    CHECK_USAGE(InvalidOperationEnum, a.complete());
    a.clear();
    a.addInt(1);
    CHECK_USAGE(InvalidOperationEnum, a.addUInt(1));
    CHECK_USAGE(InvalidOperationEnum, a.addCodeAscii());
    CHECK_USAGE(InvalidOperationEnum, a.fixedWidth(2));
    a.clear().fixedWidth(3);
    CHECK_USAGE(InvalidOperationEnum, a.addInt(1));
    a.clear().fixedWidth(1);
    CHECK_USAGE(InvalidArgumentEnum, a.addInt(128));
    CHECK_USAGE(InvalidArgumentEnum, a.addInt(-128));
    CHECK_NOTHROW(a.addInt(127).addInt(-127).complete());
    a.clear().fixedWidth(2);
    CHECK_USAGE(InvalidArgumentEnum, a.addUInt(65536));
    CHECK_NOTHROW(a.addUInt(65535).complete());
    a.clear().fixedWidth(3).addAscii("abc").complete();
    FieldList f;
    CHECK_NOTHROW(f.addArray(1, a));
    CHECK_USAGE(InvalidOperationEnum, OmmArray().getEntry());
}

namespace {

std::vector<UInt64> numbersOf(const OmmArray& array) {
    ElementList list;
    list.addArray("a", array).complete();
    const auto msg = received(list);
    const ElementList& in = msg->getPayload().getElementList();
    REQUIRE(in.forth());
    const OmmArray& read = in.getEntry().getArray();
    std::vector<UInt64> out;
    while (read.forth()) {
        REQUIRE(read.getEntry().getLoadType() == DataType::UIntEnum);
        out.push_back(read.getEntry().getUInt());
    }
    return out;
}

EmaString letters(std::size_t count) {
    const std::string text(count, 'A');
    return {text.data(), static_cast<UInt32>(text.size())};
}

/// What stays of a container after a refused add is what was there before it: it goes on, and reads back like one that
/// never saw the refused value.
template <class Container, class Add, class Refuse>
void goesOn(Add add, Refuse refuse) {
    Container expected, tried;
    add(expected, 1);
    add(expected, 2);
    expected.complete();
    add(tried, 1);
    CHECK_FALSE(thrownBy([&] { refuse(tried); }).cls.empty());
    add(tried, 2);
    CHECK_NOTHROW(tried.complete());
    CHECK(hex(tried) == hex(expected));
    Container first;  // a refused first add leaves an empty container
    CHECK_FALSE(thrownBy([&] { refuse(first); }).cls.empty());
    add(first, 1);
    add(first, 2);
    CHECK_NOTHROW(first.complete());
    CHECK(hex(first) == hex(expected));
}

}  // namespace

TEST_CASE("an array goes on after a value that does not fit", "[ema][misuse]") {
    OmmArray a;
    a.fixedWidth(2).addUInt(1);
    CHECK_USAGE(InvalidArgumentEnum, a.addUInt(70000));
    CHECK_USAGE(InvalidArgumentEnum, a.addCodeUInt());
    a.addUInt(2).complete();
    CHECK(numbersOf(a) == std::vector<UInt64>{1, 2});

    a.clear().fixedWidth(2);
    CHECK_USAGE(InvalidArgumentEnum, a.addUInt(70000));
    CHECK_USAGE(InvalidOperationEnum, a.complete());  // nothing was added
    a.addUInt(3).complete();
    CHECK(numbersOf(a) == std::vector<UInt64>{3});

    const auto count = [](OmmArray& array) {
        array.complete();
        ElementList list;
        list.addArray("a", array).complete();
        const auto msg = received(list);
        const ElementList& in = msg->getPayload().getElementList();
        in.forth();
        int n = 0;
        for (const OmmArray& read = in.getEntry().getArray(); read.forth(); ++n)
            CHECK(read.getEntry().getLoadType() != DataType::ErrorEnum);
        return n;
    };
    a.clear().fixedWidth(3).addTime(1, 2, 3);
    CHECK_USAGE(InvalidArgumentEnum, a.addTime(1, 2, 3, 4));
    a.addTime(3, 4, 5);
    CHECK(count(a) == 2);
    a.clear().fixedWidth(1).addEnum(5);
    CHECK_USAGE(InvalidArgumentEnum, a.addEnum(300));
    CHECK_USAGE(InvalidArgumentEnum, a.addCodeEnum());
    a.addEnum(7);
    CHECK(count(a) == 2);
    a.clear().addAscii("x");
    CHECK_USAGE(InvalidOperationEnum, a.addAscii(letters(70000)));
    a.addAscii("y");
    CHECK(count(a) == 2);
}

TEST_CASE("texts of fixed width fit, are filled up on the wire and read back as they were", "[ema][misuse]") {
    OmmArray a;
    const std::string longer = "ninebytes";
    const EmaBuffer bytes(longer.data(), 9), shorter("ab", 2), full("12345678", 8);
    CHECK_USAGE(InvalidArgumentEnum, a.fixedWidth(8).addAscii(longer.c_str()));
    CHECK_USAGE(InvalidArgumentEnum, a.clear().fixedWidth(8).addBuffer(bytes));
    CHECK_USAGE(InvalidArgumentEnum, a.clear().fixedWidth(8).addUtf8(bytes));
    CHECK_USAGE(InvalidArgumentEnum, a.clear().fixedWidth(8).addRmtes(bytes));
    const auto values = [&] {
        const Received<UpdateMsg> msg(UpdateMsg().payload(ElementList().addArray("a", a.complete()).complete()));
        const ElementList& in = msg->getPayload().getElementList();
        REQUIRE(in.forth());
        const OmmArray& array = in.getEntry().getArray();
        CHECK(array.getFixedWidth() == 8);
        std::vector<std::string> out;
        while (array.forth()) {
            const OmmArrayEntry& e = array.getEntry();
            if (e.getCode() == Data::BlankEnum) out.emplace_back("blank");
            else if (e.getLoadType() == DataType::BufferEnum) out.push_back(text(e.getBuffer()));
            else if (e.getLoadType() == DataType::Utf8Enum) out.push_back(text(e.getUtf8()));
            else if (e.getLoadType() == DataType::RmtesEnum) out.push_back(text(e.getRmtes().getAsUTF8()));
            else out.push_back(text(e.getAscii()));
        }
        CHECK(text(array.toString()).find("value=\"ab\\x00") == std::string::npos);
        return out;
    };
    const std::vector<std::string> expected{"ab", "12345678", "blank"};
    a.clear().fixedWidth(8).addBuffer(shorter).addBuffer(full).addCodeBuffer();
    CHECK(values() == expected);
    a.clear().fixedWidth(8).addUtf8(shorter).addUtf8(full).addCodeUtf8();
    CHECK(values() == expected);
    a.clear().fixedWidth(8).addRmtes(shorter).addRmtes(full).addCodeRmtes();
    CHECK(values() == expected);
    a.clear().fixedWidth(8).addAscii("ab").addAscii("12345678").addCodeAscii();
    CHECK(values() == expected);
}

TEST_CASE("a width that values of the type cannot have is refused at the first add", "[ema][misuse]") {
    OmmArray a;
    CHECK_USAGE(InvalidOperationEnum, a.fixedWidth(1).addReal(1, OmmReal::Exponent0Enum));
    CHECK_USAGE(InvalidOperationEnum, a.complete());
    CHECK_USAGE(InvalidOperationEnum, a.clear().fixedWidth(4).addDouble(1));
    CHECK_USAGE(InvalidOperationEnum, a.clear().fixedWidth(4).addEnum(1));
    CHECK_USAGE(InvalidOperationEnum, a.clear().fixedWidth(4).addTime(1, 2, 3));
    CHECK_USAGE(InvalidOperationEnum, a.clear().fixedWidth(3).addDate(2020, 1, 1));
    CHECK_USAGE(InvalidOperationEnum, a.clear().fixedWidth(2).addQos());
    CHECK_NOTHROW(a.addUInt(1).complete());
}

TEST_CASE("containers go on after an entry that does not fit", "[ema][misuse]") {
    const auto noMagnitude = static_cast<OmmReal::MagnitudeType>(63);
    OmmXml wide;
    wide.set(letters(70000));
    OmmXml small;
    small.set("<a/>");
    const EmaBuffer longPermission(letters(40000).c_str(), 40000);

    const auto addField = [](FieldList& l, int i) { l.addUInt(static_cast<Int16>(i), 5); };
    goesOn<FieldList>(addField, [&](FieldList& l) { l.addAscii(9, letters(70000)); });
    goesOn<FieldList>(addField, [&](FieldList& l) { l.addReal(9, 1, noMagnitude); });
    goesOn<FieldList>(addField, [&](FieldList& l) { l.addXml(9, wide); });
    OmmArray longArray;
    longArray.addAscii(letters(60000)).addAscii(letters(60000)).complete();
    goesOn<FieldList>(addField, [&](FieldList& l) { l.addArray(9, longArray); });

    const auto addElement = [](ElementList& l, int i) { l.addUInt(i == 1 ? "a" : "b", 5); };
    goesOn<ElementList>(addElement, [&](ElementList& l) { l.addAscii("x", letters(70000)); });
    goesOn<ElementList>(addElement, [&](ElementList& l) { l.addReal("x", 1, noMagnitude); });
    goesOn<ElementList>(addElement, [&](ElementList& l) { l.addUInt(letters(40000), 1); });
    goesOn<ElementList>(addElement, [&](ElementList& l) { l.add(letters(40000)); });
    goesOn<ElementList>(addElement, [&](ElementList& l) { l.addXml("x", wide); });
    goesOn<ElementList>(addElement, [&](ElementList& l) { l.addArray("x", longArray); });

    const auto addKey = [&](Map& m, int i) { m.addKeyUInt(static_cast<UInt64>(i), MapEntry::AddEnum, small); };
    goesOn<Map>(addKey, [&](Map& m) { m.addKeyAscii(letters(40000), MapEntry::AddEnum, small); });
    goesOn<Map>(addKey, [&](Map& m) { m.addKeyUInt(9, MapEntry::AddEnum, wide); });
    goesOn<Map>(addKey, [&](Map& m) { m.addKeyUInt(9, MapEntry::AddEnum, small, longPermission); });

    const auto addPosition = [&](Vector& v, int i) { v.add(static_cast<UInt32>(i), VectorEntry::SetEnum, small); };
    goesOn<Vector>(addPosition, [&](Vector& v) { v.add(9, VectorEntry::SetEnum, wide); });
    goesOn<Vector>(addPosition, [&](Vector& v) { v.add(9, VectorEntry::SetEnum, small, longPermission); });

    goesOn<Series>([&](Series& s, int) { s.add(small); }, [&](Series& s) { s.add(wide); });

    const auto addFilter = [&](FilterList& l, int i) { l.add(static_cast<UInt8>(i), FilterEntry::SetEnum, small); };
    goesOn<FilterList>(addFilter, [&](FilterList& l) { l.add(9, FilterEntry::SetEnum, wide); });
    goesOn<FilterList>(addFilter, [&](FilterList& l) { l.add(9, FilterEntry::SetEnum, small, longPermission); });
}

TEST_CASE("a parent goes on after a child in place that does not fit", "[ema][misuse]") {
    const auto check = [](auto parent, auto add) {
        auto expected = decltype(parent)();
        FieldList one, tooMuch, two, ready;
        ready.addUInt(1, 1).complete();
        add(parent, one);
        one.addUInt(1, 1).complete();
        add(parent, tooMuch);
        tooMuch.addAscii(1, letters(60000)).addAscii(2, letters(60000));
        CHECK_USAGE(InvalidOperationEnum, tooMuch.complete());
        add(parent, two);
        two.addUInt(1, 1).complete();
        CHECK_NOTHROW(parent.complete());
        add(expected, ready);
        add(expected, ready);
        CHECK(hex(parent) == hex(expected.complete()));
    };
#define CHECK_PARENT(Container, ...) check(Container(), [](Container& p, const FieldList& child) { __VA_ARGS__; })
    CHECK_PARENT(FieldList, p.addFieldList(1, child));
    CHECK_PARENT(ElementList, p.addFieldList("x", child));
    CHECK_PARENT(Map, p.addKeyUInt(1, MapEntry::AddEnum, child));
    CHECK_PARENT(Vector, p.add(1, VectorEntry::SetEnum, child));
    CHECK_PARENT(Series, p.add(child));
    CHECK_PARENT(FilterList, p.add(1, FilterEntry::SetEnum, child));
#undef CHECK_PARENT
}

TEST_CASE("view definitions are checked", "[ema][misuse]") {
    FieldList fields;
    fields.addUInt(1, 1).addReal(22, 1, OmmReal::Exponent0Enum).addReal(25, 2, OmmReal::Exponent0Enum).complete();
    const auto msg = received(fields);
    const FieldList& in = msg->getPayload().getFieldList();
    SECTION("a good one stops at its fields") {
        OmmArray ids;
        ids.addInt(25).addInt(1).complete();
        ElementList view;
        view.addUInt(":ViewType", 1).addArray(":ViewData", ids).complete();
        REQUIRE(in.forth(view));
        CHECK(in.getEntry().getFieldId() == 1);
        REQUIRE(in.forth(view));
        CHECK(in.getEntry().getFieldId() == 25);
        CHECK_FALSE(in.forth(view));
    }
    SECTION("malformed ones are refused") {
        ElementList noType;
        OmmArray ids;
        ids.addInt(25).complete();
        noType.addArray(":ViewData", ids).addUInt("more", 1).complete();
        CHECK(thrownBy([&] { static_cast<void>(in.forth(noType)); }).cls == "OmmInvalidUsageException");
        ElementList wrongType;
        wrongType.addUInt(":ViewType", 2).addArray(":ViewData", ids).complete();
        CHECK(thrownBy([&] { static_cast<void>(in.forth(wrongType)); }).cls == "OmmInvalidUsageException");
        ElementList noData;
        noData.addUInt(":ViewType", 1).complete();
        CHECK(thrownBy([&] { static_cast<void>(in.forth(noData)); }).cls == "OmmInvalidUsageException");
        FieldList list;
        list.complete();
        CHECK(thrownBy([&] { static_cast<void>(in.forth(list)); }).cls == "OmmInvalidUsageException");
    }
    SECTION("arrays of ids and of names under any name name fields, too") {
        const auto stopsAt = [&](const ElementList& view) {
            std::vector<int> ids;
            in.reset();
            while (in.forth(view))
                ids.push_back(in.getEntry().getFieldId());
            return ids;
        };
        ElementList ids, names, both, fixed;
        ids.addArray("", OmmArray().addInt(25).addInt(1).complete()).complete();
        CHECK(stopsAt(ids) == std::vector<int>{1, 25});
        names.addArray("", OmmArray().addAscii("ASK").addAscii("no such field").complete()).complete();
        CHECK(stopsAt(names) == std::vector<int>{25});
        both.addArray("a", OmmArray().addInt(22).complete());
        both.addArray("b", OmmArray().addAscii("ASK").complete()).complete();
        CHECK(stopsAt(both) == std::vector<int>{22, 25});
        fixed.addArray("", OmmArray().fixedWidth(8).addAscii("BID").complete()).complete();
        CHECK(stopsAt(fixed) == std::vector<int>{22});
        const auto received = [](const ElementList& view) { return Received<UpdateMsg>(UpdateMsg().payload(view)); };
        CHECK(stopsAt(received(both)->getPayload().getElementList()) == std::vector<int>{22, 25});
        SECTION("names need a dictionary") {
            const Received<UpdateMsg> bare(UpdateMsg().payload(fields), nullptr);
            CHECK_FALSE(bare->getPayload().getFieldList().forth(names));
        }
        SECTION("other entries are refused") {
            const auto refused = [&](const ElementList& view) { CHECK_USAGE(InvalidArgumentEnum, in.forth(view)); };
            refused(ElementList().addInt("", 25).complete());
            refused(ElementList().addArray("", OmmArray().addUInt(25).complete()).complete());
            refused(ElementList().addArray("", OmmArray().addInt(70000).complete()).complete());
            refused(ElementList().addArray("", OmmArray().addInt(25).complete()).addAscii("", "BID").complete());
            refused(ElementList().complete());
        }
        SECTION("element lists take arrays of names") {
            ElementList elements;
            elements.addUInt("a", 1).addUInt("b", 2).complete();
            const Received<UpdateMsg> other(UpdateMsg().payload(elements));
            ElementList view;
            view.addArray("", OmmArray().addAscii("b").complete()).complete();
            REQUIRE(other->getPayload().getElementList().forth(view));
            CHECK(other->getPayload().getElementList().getEntry().getUInt() == 2);
            CHECK_USAGE(InvalidArgumentEnum, other->getPayload().getElementList().forth(ids));
        }
    }
    SECTION("so are those whose values are of other types") {
        const auto refused = [&](auto setType, auto setData) {
            OmmArray data;
            setData(data);
            ElementList view;
            setType(view);
            view.addArray(":ViewData", data.complete()).complete();
            CHECK_USAGE(InvalidArgumentEnum, in.forth(view));
        };
        const auto ids = [](OmmArray& a) { a.addInt(25); };
        const auto names = [](OmmArray& a) { a.addAscii("BID"); };
        const auto fieldView = [](ElementList& l) { l.addUInt(":ViewType", 1); };
        refused([](ElementList& l) { l.addInt(":ViewType", 1); }, ids);
        refused([](ElementList& l) { l.addAscii(":ViewType", "\x01"); }, ids);
        refused(fieldView, [](OmmArray& a) { a.addUInt(25); });
        refused(fieldView, names);
        refused(fieldView, [](OmmArray& a) { a.addInt(25).addInt(70000); });
        refused(fieldView, [](OmmArray& a) { a.addInt(25).addCodeInt(); });
        ElementList elements;
        elements.addUInt("a", 1).complete();
        const auto other = received(elements);
        OmmArray buffers;
        buffers.addBuffer(EmaBuffer("a", 1)).complete();
        ElementList view;
        view.addUInt(":ViewType", 2).addArray(":ViewData", buffers).complete();
        CHECK_USAGE(InvalidArgumentEnum, other->getPayload().getElementList().forth(view));
    }
}

TEST_CASE("members that do not fit their wire form are refused where they are set", "[ema][misuse]") {
    const EmaString name256 = letters(256);
    const EmaBuffer bytes256(name256.c_str(), 256), bytes32768(letters(32768).c_str(), 32768);
    const EmaString text32768 = letters(32768);
    const auto names = [](const Thrown& t, const char* member) {
        INFO(t);
        CHECK(t.cls == "OmmOutOfRangeException");
        CHECK(t.text.find(member) != std::string::npos);
    };
    RefreshMsg refresh;
    names(thrownBy([&] { refresh.name(name256); }), "RefreshMsg: name");
    CHECK_FALSE(refresh.hasMsgKey());
    names(thrownBy([&] { refresh.extendedHeader(bytes256); }), "RefreshMsg: extendedHeader");
    names(thrownBy([&] { refresh.itemGroup(bytes256); }), "RefreshMsg: itemGroup");
    names(thrownBy([&] { refresh.permissionData(bytes32768); }), "RefreshMsg: permissionData");
    names(thrownBy([&] { refresh.state(OmmState::OpenEnum, OmmState::OkEnum, 0, text32768); }),
          "RefreshMsg: statusText");
    OmmOpaque large;
    large.set(letters(32767));
    names(thrownBy([&] { refresh.attrib(large); }), "RefreshMsg: attrib");
    CHECK_FALSE(refresh.hasExtendedHeader());
    CHECK_FALSE(refresh.hasPermissionData());
    CHECK_NOTHROW(refresh.name(letters(255)).extendedHeader(EmaBuffer(name256.c_str(), 255)).state());
    CHECK_NOTHROW(encode(refresh));
    StatusMsg status;
    names(thrownBy([&] { status.state(OmmState::OpenEnum, OmmState::OkEnum, 0, text32768); }), "StatusMsg: statusText");
    CHECK_FALSE(status.hasState());
    names(thrownBy([&] { AckMsg().text(letters(65536)); }), "AckMsg: text");
}

TEST_CASE("a message carries nothing that is empty", "[ema][misuse]") {
    UpdateMsg m;
    CHECK_USAGE(InvalidOperationEnum, m.payload(OmmXml()));
    CHECK_USAGE(InvalidOperationEnum, m.payload(ReqMsg()));
    CHECK_USAGE(InvalidOperationEnum, m.attrib(OmmOpaque()));
    CHECK_FALSE(m.hasMsgKey());
    CHECK(m.getPayload().getDataType() == DataType::NoDataEnum);
}

TEST_CASE("keys and reals are of kinds that exist", "[ema][misuse]") {
    Map m;
    CHECK_USAGE(InvalidOperationEnum, m.keyType(DataType::ArrayEnum));
    CHECK_USAGE(InvalidOperationEnum, m.keyType(DataType::NoDataEnum));
    CHECK_USAGE(InvalidOperationEnum, m.keyType(static_cast<DataType::DataTypeEnum>(7)));
    CHECK_USAGE(InvalidOperationEnum, m.keyType(static_cast<DataType::DataTypeEnum>(0)));
    CHECK_USAGE(InvalidOperationEnum, m.keyType(static_cast<DataType::DataTypeEnum>(261)));
    CHECK_NOTHROW(m.keyType(DataType::AsciiEnum));
    FieldList f;
    for (const int magnitude : {31, 32, 36, 63})
        CHECK_OUT_OF_RANGE(f.addReal(1, 1, static_cast<OmmReal::MagnitudeType>(magnitude)));
    CHECK_OUT_OF_RANGE(Map().addKeyReal(1, static_cast<OmmReal::MagnitudeType>(31), MapEntry::AddEnum));
    CHECK_NOTHROW(f.addReal(1, 1, OmmReal::NotANumberEnum).addReal(1, 1, OmmReal::Divisor256Enum));
}

TEST_CASE("messages refuse what they do not have", "[ema][misuse]") {
    const UpdateMsg m;
    CHECK_USAGE(InvalidOperationEnum, m.getName());
    CHECK_USAGE(InvalidOperationEnum, m.getNameType());
    CHECK_USAGE(InvalidOperationEnum, m.getServiceId());
    CHECK_USAGE(InvalidOperationEnum, m.getServiceName());
    CHECK_USAGE(InvalidOperationEnum, m.getId());
    CHECK_USAGE(InvalidOperationEnum, m.getFilter());
    CHECK_USAGE(InvalidOperationEnum, m.getExtendedHeader());
    CHECK_USAGE(InvalidOperationEnum, m.getSeqNum());
    CHECK_USAGE(InvalidOperationEnum, m.getPermissionData());
    CHECK_USAGE(InvalidOperationEnum, m.getConflatedCount());
    CHECK_USAGE(InvalidOperationEnum, m.getConflatedTime());
    CHECK_USAGE(InvalidOperationEnum, m.getPublisherIdUserId());
    CHECK_USAGE(InvalidOperationEnum, m.getPublisherIdUserAddress());
    const ReqMsg req;
    CHECK_USAGE(InvalidOperationEnum, req.getPriorityClass());
    CHECK_USAGE(InvalidOperationEnum, req.getPriorityCount());
    CHECK_USAGE(InvalidOperationEnum, req.getQosRate());
    CHECK_USAGE(InvalidOperationEnum, req.getQosTimeliness());
    const RefreshMsg refresh;
    CHECK_USAGE(InvalidOperationEnum, refresh.getQos());
    CHECK_USAGE(InvalidOperationEnum, refresh.getPartNum());
    const StatusMsg status;
    CHECK_USAGE(InvalidOperationEnum, status.getState());
    CHECK_USAGE(InvalidOperationEnum, status.getItemGroup());
    const GenericMsg generic;
    CHECK_USAGE(InvalidOperationEnum, generic.getSecondarySeqNum());
    const PostMsg post;
    CHECK_USAGE(InvalidOperationEnum, post.getPostId());
    CHECK_USAGE(InvalidOperationEnum, post.getPostUserRights());
    const AckMsg ack;
    CHECK_USAGE(InvalidOperationEnum, ack.getNackCode());
    CHECK_USAGE(InvalidOperationEnum, ack.getText());
}

TEST_CASE("a service has a name or an id, and domains end at 255", "[ema][misuse]") {
    const auto check = [](auto m) {
        m.serviceName("S");
        CHECK_USAGE(InvalidOperationEnum, m.serviceId(1));
        m.clear();
        m.serviceId(1);
        CHECK_USAGE(InvalidOperationEnum, m.serviceName("S"));
    };
    check(ReqMsg());
    check(RefreshMsg());
    check(StatusMsg());
    check(UpdateMsg());
    check(PostMsg());
    check(AckMsg());
    const auto domain = [](auto m) {
        CHECK_NOTHROW(m.domainType(255));
        try {
            m.domainType(256);
            FAIL("nothing was thrown");
        } catch (const OmmUnsupportedDomainTypeException& e) {
            CHECK(text(e.getText()) == "Passed in DomainType is out of range.");
            CHECK(e.getDomainType() == 256);
        }
    };
    domain(ReqMsg());
    domain(RefreshMsg());
    domain(StatusMsg());
    domain(UpdateMsg());
    domain(PostMsg());
    domain(AckMsg());
    domain(GenericMsg());
}
