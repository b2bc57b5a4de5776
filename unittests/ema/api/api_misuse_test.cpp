// Getters on every class that has them, blank primitives, built objects out of order (ema-api.md 0.3, 1 to 4).
#include "Ema.h"
#include "ema/data/misuse.h"
#include "support/paths.h"

using namespace ematest;
using namespace refinitiv::ema;

namespace {

/// Calls every getter of the group; each must refuse with the type that is really there, but for `except`.
#define TRY_GETTER(getter)                                                                                             \
    if (std::string_view(#getter) != except) {                                                                         \
        const Thrown thrown = thrownBy([&] { static_cast<void>(entry.getter()); });                                    \
        INFO(#getter " threw " << thrown);                                                                             \
        CHECK(thrown.cls == "OmmInvalidUsageException");                                                               \
        CHECK(thrown.code == OmmInvalidUsageException::InvalidOperationEnum);                                          \
        CHECK(thrown.text == "Attempt to " #getter "() while actual entry data type is " + actual);                    \
    }

template <class Entry>
void refusesComplex(const Entry& entry, const std::string& actual, std::string_view except = {}) {
    TRY_GETTER(getReqMsg)
    TRY_GETTER(getRefreshMsg)
    TRY_GETTER(getUpdateMsg)
    TRY_GETTER(getStatusMsg)
    TRY_GETTER(getPostMsg)
    TRY_GETTER(getAckMsg)
    TRY_GETTER(getGenericMsg)
    TRY_GETTER(getFieldList)
    TRY_GETTER(getElementList)
    TRY_GETTER(getMap)
    TRY_GETTER(getVector)
    TRY_GETTER(getSeries)
    TRY_GETTER(getFilterList)
    TRY_GETTER(getOpaque)
    TRY_GETTER(getXml)
    TRY_GETTER(getAnsiPage)
    TRY_GETTER(getJson)
    TRY_GETTER(getError)
}

template <class Entry>
void refusesPrimitives(const Entry& entry, const std::string& actual, std::string_view except = {}) {
    TRY_GETTER(getInt)
    TRY_GETTER(getUInt) TRY_GETTER(getReal) TRY_GETTER(getFloat) TRY_GETTER(getDouble) TRY_GETTER(getDate)
        TRY_GETTER(getTime) TRY_GETTER(getDateTime) TRY_GETTER(getQos) TRY_GETTER(getState) TRY_GETTER(getEnum)
            TRY_GETTER(getBuffer) TRY_GETTER(getAscii) TRY_GETTER(getUtf8) TRY_GETTER(getRmtes) TRY_GETTER(getError)
}

}  // namespace

TEST_CASE("every entry class refuses every getter of another type", "[ema][misuse]") {
    ElementList inner;
    inner.addUInt("u", 1).complete();
    FieldList fields;
    fields.addUInt(1, 7).complete();
    SECTION("fields") {
        const auto msg = received(fields);
        const FieldList& in = msg->getPayload().getFieldList();
        REQUIRE(in.forth());
        refusesComplex(in.getEntry(), "UInt");
        refusesPrimitives(in.getEntry(), "UInt", "getUInt");
        CHECK_USAGE(InvalidOperationEnum, in.getEntry().getArray());
    }
    SECTION("elements that hold a container") {
        ElementList list;
        list.addElementList("e", inner).complete();
        const auto msg = received(list);
        const ElementList& in = msg->getPayload().getElementList();
        REQUIRE(in.forth());
        refusesComplex(in.getEntry(), "ElementList", "getElementList");
        refusesPrimitives(in.getEntry(), "ElementList");
        CHECK_USAGE(InvalidOperationEnum, in.getEntry().getArray());
    }
    SECTION("map entries, their keys, summary data") {
        Map map;
        map.summaryData(inner).addKeyAscii("K", MapEntry::AddEnum, inner).complete();
        const auto msg = received(map);
        const Map& in = msg->getPayload().getMap();
        refusesComplex(in.getSummaryData(), "ElementList", "getElementList");
        REQUIRE(in.forth());
        refusesComplex(in.getEntry(), "ElementList", "getElementList");
        refusesPrimitives(in.getEntry().getKey(), "Ascii", "getAscii");
    }
    SECTION("vector, series and filter entries") {
        Vector vector;
        vector.add(1, VectorEntry::SetEnum, inner).complete();
        const auto v = received(vector);
        REQUIRE(v->getPayload().getVector().forth());
        refusesComplex(v->getPayload().getVector().getEntry(), "ElementList", "getElementList");
        Series series;
        series.add(fields).complete();
        const auto s = received(series);
        REQUIRE(s->getPayload().getSeries().forth());
        refusesComplex(s->getPayload().getSeries().getEntry(), "FieldList", "getFieldList");
        FilterList filters;
        filters.add(1, FilterEntry::ClearEnum).complete();
        const auto f = received(filters);
        REQUIRE(f->getPayload().getFilterList().forth());
        refusesComplex(f->getPayload().getFilterList().getEntry(), "NoData");
    }
    SECTION("payload and attributes") {
        UpdateMsg msg;
        msg.name("N").attrib(inner).payload(fields);
        const ReceivedMsg<UpdateMsg> in(msg);
        refusesComplex(in->getPayload(), "FieldList", "getFieldList");
        refusesComplex(in->getAttrib(), "ElementList", "getElementList");
        const UpdateMsg none;
        refusesComplex(none.getPayload(), "NoData");
        refusesComplex(none.getAttrib(), "NoData");
    }
    SECTION("array entries") {
        OmmArray array;
        array.addInt(1).addCodeInt().complete();
        ElementList list;
        list.addArray("a", array).complete();
        const auto msg = received(list);
        REQUIRE(msg->getPayload().getElementList().forth());
        const OmmArray& in = msg->getPayload().getElementList().getEntry().getArray();
        CHECK(thrownBy([&] { static_cast<void>(in.getEntry()); }).code ==
              OmmInvalidUsageException::InvalidOperationEnum);
        REQUIRE(in.forth());
        refusesPrimitives(in.getEntry(), "Int", "getInt");
        REQUIRE(in.forth());
        CHECK(in.getEntry().getCode() == Data::BlankEnum);
        CHECK(thrownBy([&] { static_cast<void>(in.getEntry().getInt()); }).text ==
              "Attempt to getInt() while entry data is blank.");
        CHECK_FALSE(in.forth());
        CHECK_USAGE(InvalidOperationEnum, in.getEntry());
        CHECK_FALSE(in.hasFixedWidth());
        CHECK(in.getFixedWidth() == 0);
        CHECK(OmmArray().getFixedWidth() == 0);
    }
}

TEST_CASE("blank primitive objects refuse their getters", "[ema][misuse]") {
    ElementList list;
    list.addCodeInt("i").addCodeUInt("u").addCodeReal("r").addCodeFloat("f").addCodeDouble("d");
    list.addCodeDate("date").addCodeTime("time").addCodeDateTime("dt").addCodeQos("q").addCodeState("s");
    list.addCodeEnum("e").addCodeBuffer("b").addCodeAscii("a").addCodeUtf8("u8").addCodeRmtes("rm").complete();
    const auto msg = received(list);
    const ElementList& in = msg->getPayload().getElementList();
    const auto load = [&]<class T>(const T*) -> const T& {
        REQUIRE(in.forth());
        const Data& d = in.getEntry().getLoad();
        CHECK(d.getCode() == Data::BlankEnum);
        CHECK(d.getAsHex().length() == 0);
        CHECK(text(d.toString()) == "(blank data)");
        CHECK(std::string(static_cast<const char*>(d)) == "(blank data)");
        return dynamic_cast<const T&>(d);
    };
#define NEXT(Class) load(static_cast<const Class*>(nullptr))
    CHECK_USAGE(InvalidOperationEnum, NEXT(OmmInt).getInt());
    CHECK_USAGE(InvalidOperationEnum, NEXT(OmmUInt).getUInt());
    const OmmReal& real = NEXT(OmmReal);
    CHECK_USAGE(InvalidOperationEnum, real.getMantissa());
    CHECK_USAGE(InvalidOperationEnum, real.getMagnitudeType());
    CHECK_USAGE(InvalidOperationEnum, real.getMagnitudeTypeAsString());
    CHECK_USAGE(InvalidOperationEnum, real.getAsDouble());
    CHECK_USAGE(InvalidOperationEnum, NEXT(OmmFloat).getFloat());
    CHECK_USAGE(InvalidOperationEnum, NEXT(OmmDouble).getDouble());
    const OmmDate& date = NEXT(OmmDate);
    CHECK_USAGE(InvalidOperationEnum, date.getYear());
    CHECK_USAGE(InvalidOperationEnum, date.getMonth());
    CHECK_USAGE(InvalidOperationEnum, date.getDay());
    const OmmTime& time = NEXT(OmmTime);
    CHECK_USAGE(InvalidOperationEnum, time.getHour());
    CHECK_USAGE(InvalidOperationEnum, time.getMinute());
    CHECK_USAGE(InvalidOperationEnum, time.getSecond());
    CHECK_USAGE(InvalidOperationEnum, time.getMillisecond());
    CHECK_USAGE(InvalidOperationEnum, time.getMicrosecond());
    CHECK_USAGE(InvalidOperationEnum, time.getNanosecond());
    const OmmDateTime& both = NEXT(OmmDateTime);
    CHECK_USAGE(InvalidOperationEnum, both.getYear());
    CHECK_USAGE(InvalidOperationEnum, both.getNanosecond());
    const OmmQos& qos = NEXT(OmmQos);
    CHECK_USAGE(InvalidOperationEnum, qos.getRate());
    CHECK_USAGE(InvalidOperationEnum, qos.getTimeliness());
    CHECK_USAGE(InvalidOperationEnum, qos.getRateAsString());
    CHECK_USAGE(InvalidOperationEnum, qos.getTimelinessAsString());
    const OmmState& state = NEXT(OmmState);
    CHECK_USAGE(InvalidOperationEnum, state.getStreamState());
    CHECK_USAGE(InvalidOperationEnum, state.getDataState());
    CHECK_USAGE(InvalidOperationEnum, state.getStatusCode());
    CHECK_USAGE(InvalidOperationEnum, state.getStatusText());
    CHECK_USAGE(InvalidOperationEnum, NEXT(OmmEnum).getEnum());
    CHECK_USAGE(InvalidOperationEnum, NEXT(OmmBuffer).getBuffer());
    CHECK_USAGE(InvalidOperationEnum, NEXT(OmmAscii).getAscii());
    CHECK_USAGE(InvalidOperationEnum, NEXT(OmmUtf8).getUtf8());
    CHECK_USAGE(InvalidOperationEnum, NEXT(OmmRmtes).getRmtes());
#undef NEXT
}

TEST_CASE("texts of refusals name object and remedy", "[ema][misuse]") {
    const auto says = [](const auto& call, std::initializer_list<const char*> words) {
        const Thrown thrown = thrownBy(call);
        INFO("threw " << thrown);
        CHECK(thrown.cls == "OmmInvalidUsageException");
        for (const char* word : words)
            CHECK(thrown.text.find(word) != std::string::npos);
    };
    FieldList fields;
    says([&] { static_cast<void>(fields.getEntry()); }, {"FieldList", "forth()"});
    fields.addUInt(1, 1);
    says([&] { fields.info(1, 1); }, {"FieldList", "info", "first"});
    fields.complete();
    says([&] { fields.addUInt(1, 1); }, {"FieldList", "add", "complete()", "clear()"});
    says([&] { static_cast<void>(fields.getInfoDictionaryId()); }, {"FieldList", "hasInfo()"});
    ElementList open;
    open.addInt("i", 1);
    Map map;
    says([&] { map.addKeyInt(1, MapEntry::AddEnum, open); }, {"Map", "ElementList", "complete()"});
    map.addKeyInt(1, MapEntry::AddEnum, fields);
    says([&] { map.addKeyAscii("x", MapEntry::AddEnum); }, {"Map", "key"});
    says([&] { map.addKeyInt(1, MapEntry::AddEnum, open.complete()); }, {"Map", "different type"});
    says([&] { map.keyType(DataType::FieldListEnum); }, {"Map", "keyType"});
    says([&] { static_cast<void>(map.getKeyFieldId()); }, {"Map", "hasKeyFieldId()"});
    says([&] { static_cast<void>(map.getTotalCountHint()); }, {"Map", "hasTotalCountHint()"});
    const ReqMsg request;
    says([&] { static_cast<void>(request.getName()); }, {"ReqMsg", "getName()", "hasName()"});
    says([&] { static_cast<void>(request.getPriorityClass()); }, {"ReqMsg", "hasPriority()"});
    const UpdateMsg update;
    says([&] { static_cast<void>(update.getConflatedTime()); }, {"UpdateMsg", "hasConflated()"});
    ReqMsg service;
    service.serviceName("S");
    says([&] { service.serviceId(1); }, {"ReqMsg", "serviceId", "serviceName"});
    OmmArray array;
    says([&] { array.complete(); }, {"OmmArray", "complete()"});
    array.addInt(1);
    says([&] { array.addAscii("x"); }, {"OmmArray", "Int"});
    says([&] { array.fixedWidth(2); }, {"OmmArray", "fixedWidth"});
    says([&] { array.clear().fixedWidth(2).addInt(40000); }, {"OmmArray", "fixed width of 2 bytes"});
}

TEST_CASE("keys, dates and positions outside their ranges", "[ema][misuse]") {
    Map map;
    CHECK_OUT_OF_RANGE(map.addKeyDate(2023, 2, 29, MapEntry::AddEnum));
    CHECK_OUT_OF_RANGE(map.addKeyTime(0, 0, 61, 0, 0, 0, MapEntry::AddEnum));
    CHECK_OUT_OF_RANGE(map.addKeyDateTime(2024, 1, 1, 0, 60, 0, 0, 0, 0, MapEntry::AddEnum));
    CHECK(thrownBy([&] {
              map.addKeyRealFromDouble(1.5, MapEntry::AddEnum, static_cast<OmmReal::MagnitudeType>(31));
          }).cls == "OmmInvalidUsageException");
    map.clear().addKeyInt(1, MapEntry::AddEnum);
    CHECK_USAGE(InvalidOperationEnum, map.addKeyUInt(1, MapEntry::AddEnum));
    map.clear().keyType(DataType::AsciiEnum);
    CHECK_USAGE(InvalidOperationEnum, map.addKeyInt(1, MapEntry::AddEnum));
    OmmArray array;
    array.fixedWidth(0);
    for (const int width : {3, 5, 6, 7, 9}) {
        array.clear().fixedWidth(static_cast<UInt16>(width));
        INFO(width);
        CHECK_USAGE(InvalidOperationEnum, array.addUInt(1));
    }
    for (const int width : {1, 2, 4}) {
        const auto limit = static_cast<Int64>((UInt64{1} << (8 * width - 1)) - 1);
        INFO(width);
        array.clear().fixedWidth(static_cast<UInt16>(width));
        CHECK_NOTHROW(array.addInt(limit).addInt(-limit));
        CHECK_USAGE(InvalidArgumentEnum, array.addInt(limit + 1));
        CHECK_USAGE(InvalidArgumentEnum, array.addInt(-limit - 1));
    }
    CHECK_NOTHROW(array.clear().fixedWidth(8).addUInt(~UInt64{0}).complete());
}

TEST_CASE("dictionary misuse", "[ema][misuse]") {
    rdm::DataDictionary dictionary;
    CHECK(dictionary.getFieldVersion().empty());
    CHECK(dictionary.getEnumDate().empty());
    CHECK_USAGE(FailureEnum, dictionary.loadFieldDictionary("/no/such/file"));
    CHECK(thrownBy([&] { dictionary.loadFieldDictionary("/no/such/file"); }).text.find("/no/such/file") !=
          std::string::npos);
    CHECK(dictionary.getMinFid() == 0);
    CHECK(dictionary.getMaxFid() == 0);
    CHECK(text(dictionary.toString()).find("DataDictionary is not initialized") != std::string::npos);
    dictionary.loadFieldDictionary(emissary::test::sourcePath("/etc/RDMFieldDictionary").c_str());
    dictionary.loadEnumTypeDictionary(emissary::test::sourcePath("/etc/enumtype.def").c_str());
    CHECK_USAGE(InvalidArgumentEnum, dictionary.getEntry(Int16{-32000}));
    CHECK_USAGE(InvalidArgumentEnum, dictionary.getEntry("NO_SUCH_FIELD"));
    rdm::DictionaryEntry entry;
    CHECK_USAGE(InvalidArgumentEnum, dictionary.getEntry("NO_SUCH_FIELD", entry));
    CHECK_USAGE(InvalidArgumentEnum, dictionary.getEnumType(4, 65000));
    CHECK_FALSE(dictionary.hasEnumType(4, 65000));
    Series series;
    series.complete();
    CHECK(thrownBy([&] { static_cast<void>(dictionary.extractDictionaryType(series)); }).cls ==
          "OmmInvalidUsageException");
    FieldList plain;
    CHECK(thrownBy([&] { rdm::DictionaryUtility::dataDictionary(plain); }).cls == "OmmInvalidUsageException");
    FieldList fields;
    fields.addUInt(1, 1).complete();
    const auto msg = received(fields);
    auto& query =
        const_cast<rdm::DataDictionary&>(rdm::DictionaryUtility::dataDictionary(msg->getPayload().getFieldList()));
    CHECK(query.hasEntry("BID"));
    CHECK_USAGE(InvalidOperationEnum, query.clear());
}

TEST_CASE("containers made of broken bytes end in errors, never in exceptions", "[ema][misuse]") {
    // Each container declares two entries and holds one and a half.
    const auto walk = [](const auto& c) {
        int entries = 0, errors = 0;
        while (c.forth() && entries < 10) {
            ++entries;
            if (c.getEntry().getLoadType() == DataType::ErrorEnum) ++errors;
        }
        CHECK(entries <= 2);
        CHECK(errors <= 1);
        CHECK_NOTHROW(c.toString());
    };
    ElementList inner;
    inner.addUInt("u", 1).complete();
    const auto cut = [](const ComplexType& payload) {
        UpdateMsg msg;
        msg.payload(payload);
        std::vector<std::byte> bytes = encode(msg);
        bytes.resize(bytes.size() - 2);
        return bytes;
    };
    Map map;
    map.addKeyInt(1, MapEntry::AddEnum, inner).addKeyInt(2, MapEntry::AddEnum, inner).complete();
    const ReceivedMsg<UpdateMsg> m(cut(map));
    walk(m->getPayload().getMap());
    Vector vector;
    vector.add(1, VectorEntry::SetEnum, inner).add(2, VectorEntry::SetEnum, inner).complete();
    const ReceivedMsg<UpdateMsg> v(cut(vector));
    walk(v->getPayload().getVector());
    Series series;
    series.add(inner).add(inner).complete();
    const ReceivedMsg<UpdateMsg> s(cut(series));
    walk(s->getPayload().getSeries());
    FilterList filters;
    filters.add(1, FilterEntry::SetEnum, inner).add(2, FilterEntry::SetEnum, inner).complete();
    const ReceivedMsg<UpdateMsg> f(cut(filters));
    walk(f->getPayload().getFilterList());
    ElementList list;
    list.addUInt("a", 300).addUInt("b", 70000).complete();
    const ReceivedMsg<UpdateMsg> e(cut(list));
    walk(e->getPayload().getElementList());
}
