// Wrong use of containers that are built has its exception and code, and leaves them as they were (ema-api.md 3.1
// to 3.4).
#include "misuse.h"

#include <memory>

using namespace ematest;

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

TEST_CASE("a contained object that is handed to two parents fills the later one", "[ema][misuse]") {
    // Each kind of parent, each kind of child; the child goes first, or the parents.
    const auto twoParents = [](auto make, auto add, auto child) {
        {  // filled and completed: the second has it, the first one an entry without data
            auto first = make(), second = make();
            auto inner = child();
            add(*first, *inner);
            add(*second, *inner);
            CHECK_NOTHROW(first->complete());
            CHECK_USAGE(InvalidOperationEnum, second->complete());
            inner->complete();
            CHECK_NOTHROW(second->complete());
            CHECK(second->getAsHex().length() > 0);
        }
        {  // the child is destroyed, then the parents are cleared and destroyed
            auto first = make(), second = make();
            {
                auto inner = child();
                add(*first, *inner);
                add(*second, *inner);
            }
            first->clear();
            CHECK_NOTHROW(second->complete());
        }
        {  // the parents are destroyed before the child
            auto inner = child();
            {
                auto first = make(), second = make();
                add(*first, *inner);
                add(*second, *inner);
                first.reset();
            }
            CHECK_NOTHROW(inner->complete());
        }
    };
    const auto parents = [&](auto child) {
        twoParents([] { return std::make_unique<Map>(); },
                   [](Map& p, const auto& c) { p.addKeyInt(1, MapEntry::AddEnum, c); }, child);
        twoParents([] { return std::make_unique<Vector>(); },
                   [](Vector& p, const auto& c) { p.add(0, VectorEntry::SetEnum, c); }, child);
        twoParents([] { return std::make_unique<Series>(); }, [](Series& p, const auto& c) { p.add(c); }, child);
        twoParents([] { return std::make_unique<FilterList>(); },
                   [](FilterList& p, const auto& c) { p.add(1, FilterEntry::SetEnum, c); }, child);
    };
    const auto fieldList = [] { return std::make_unique<FieldList>(); };
    const auto elementList = [] { return std::make_unique<ElementList>(); };
    const auto map = [] { return std::make_unique<Map>(); };
    const auto vector = [] { return std::make_unique<Vector>(); };
    const auto series = [] { return std::make_unique<Series>(); };
    const auto filterList = [] { return std::make_unique<FilterList>(); };
    parents(fieldList);
    parents(elementList);
    parents(map);
    parents(vector);
    parents(series);
    parents(filterList);
    twoParents(
        fieldList, [](FieldList& p, const ElementList& c) { p.addElementList(1, c); }, elementList);
    twoParents(
        fieldList, [](FieldList& p, const Map& c) { p.addMap(1, c); }, map);
    twoParents(
        fieldList, [](FieldList& p, const Vector& c) { p.addVector(1, c); }, vector);
    twoParents(
        fieldList, [](FieldList& p, const Series& c) { p.addSeries(1, c); }, series);
    twoParents(
        fieldList, [](FieldList& p, const FilterList& c) { p.addFilterList(1, c); }, filterList);
    twoParents(
        elementList, [](ElementList& p, const FieldList& c) { p.addFieldList("c", c); }, fieldList);
    twoParents(
        elementList, [](ElementList& p, const Map& c) { p.addMap("c", c); }, map);
    twoParents(
        elementList, [](ElementList& p, const Vector& c) { p.addVector("c", c); }, vector);
    twoParents(
        elementList, [](ElementList& p, const Series& c) { p.addSeries("c", c); }, series);
    twoParents(
        elementList, [](ElementList& p, const FilterList& c) { p.addFilterList("c", c); }, filterList);
}

TEST_CASE("a contained object that waits for its parent may be a message's payload as well", "[ema][misuse]") {
    Map map;
    UpdateMsg msg, attrib;
    {
        FieldList fields;
        map.addKeyInt(1, MapEntry::AddEnum, fields);
        msg.payload(fields);
    }
    {
        ElementList elements;
        FilterList filters;
        filters.add(1, FilterEntry::SetEnum, elements);
        attrib.attrib(elements);
        CHECK_NOTHROW(filters.complete());
    }
    CHECK_NOTHROW(map.complete());
    CHECK_NOTHROW(map.clear());
}
