// Containers as applications use them: iteration, look-up, nesting, re-use, texts (ema-api.md section 3, 15).
#include "Ema.h"
#include "misuse.h"

using namespace ematest;

namespace {

/// A value that the shipped enumerated types have for RDN_EXCHID.
UInt16 exchange() {
    const auto* field = shippedFields().find(std::int16_t{4});
    REQUIRE(field != nullptr);
    REQUIRE(field->enums != nullptr);
    return field->enums->values().back().value;
}

FieldList& prices(FieldList& list) {
    return list.addReal(22, 1025, OmmReal::ExponentNeg2Enum).addReal(25, 1026, OmmReal::ExponentNeg2Enum);
}

}  // namespace

TEST_CASE("fields are walked, found and walked again", "[ema][container]") {
    FieldList fields;
    fields.info(1, 2).addUInt(1, 62).addReal(22, 391, OmmReal::ExponentNeg2Enum);
    fields.addReal(25, 392, OmmReal::ExponentNeg2Enum).addEnum(4, exchange()).addRmtes(3, buffer("ABC")).complete();
    const auto msg = received(fields);
    const FieldList& in = msg->getPayload().getFieldList();
    CHECK(in.getDataType() == DataType::FieldListEnum);
    CHECK(in.hasInfo());
    CHECK(in.getInfoDictionaryId() == 1);
    CHECK(in.getInfoFieldListNum() == 2);

    SECTION("in wire order") {
        REQUIRE(in.forth());
        const FieldEntry& e = in.getEntry();
        CHECK(e.getFieldId() == 1);
        CHECK(text(e.getName()) == "PROD_PERM");
        CHECK(e.getLoadType() == DataType::UIntEnum);
        CHECK(e.getCode() == Data::NoCodeEnum);
        CHECK(e.getUInt() == 62);
        REQUIRE(in.forth());
        CHECK(text(e.getName()) == "BID");
        CHECK(e.getReal().getMantissa() == 391);
        CHECK(e.getReal().getMagnitudeType() == OmmReal::ExponentNeg2Enum);
        CHECK(e.getReal().getAsDouble() == Approx(3.91));
        CHECK(text(e.getReal().toString()) == "3.91");
        CHECK(text(e.getReal().getMagnitudeTypeAsString()) == "Power of -2");
        CHECK(std::string(e.getReal()) == "3.91");
        CHECK(e.getRippleTo() == 23);
        CHECK(text(e.getRippleToName()) == "BID_1");
        CHECK(e.getRippleTo(23) == 24);
        CHECK(text(e.toString()) == "FieldEntry  fid=\"22\" name=\"BID\" dataType=\"Real\" value=\"3.91\"\n");
        REQUIRE(in.forth());
        REQUIRE(in.forth());
        CHECK(e.getEnum() == exchange());
        CHECK(e.hasEnumDisplay());
        CHECK_FALSE(e.getEnumDisplay().empty());
        REQUIRE(in.forth());
        CHECK(text(e.getRmtes().getAsUTF8()) == "ABC");
        CHECK(text(e.getRmtes().toString()) == "ABC");
        CHECK(e.getRmtes().getAsUTF16().length() == 3);
        CHECK_FALSE(in.forth());
        CHECK_FALSE(in.forth());
        in.reset();
        REQUIRE(in.forth());
        CHECK(e.getFieldId() == 1);
    }
    SECTION("by id and by name, forward from where the loop stands") {
        REQUIRE(in.forth(Int16{25}));
        CHECK(in.getEntry().getFieldId() == 25);
        CHECK_FALSE(in.forth(Int16{22}));
        in.reset();
        REQUIRE(in.forth(EmaString("BID")));
        CHECK(in.getEntry().getFieldId() == 22);
        REQUIRE(in.forth(EmaString("ASK")));
        CHECK_FALSE(in.forth(EmaString("no such field")));
    }
    SECTION("a text asked for in the loop does not move it") {
        REQUIRE(in.forth());
        const std::string whole = text(in.toString());
        CHECK(whole.find("value=\"3.92\"") != std::string::npos);
        CHECK(text(msg->toString()).find("Payload dataType=\"FieldList\"") != std::string::npos);
        CHECK(in.getEntry().getFieldId() == 1);
        CHECK(in.getEntry().getUInt() == 62);
        REQUIRE(in.forth());
        CHECK(in.getEntry().getFieldId() == 22);
    }
}

TEST_CASE("elements of every type read back", "[ema][container]") {
    ElementList list;
    OmmArray array;
    array.fixedWidth(2).addUInt(1).addUInt(65535).complete();
    list.info(7).addInt("Int", -5).addUInt("UInt", 5).addFloat("Float", 1.5f).addDouble("Double", -2.25);
    list.addReal("Real", 27, OmmReal::Divisor4Enum).addRealFromDouble("FromDouble", 3.14159, OmmReal::ExponentNeg2Enum);
    list.addDate("Date", 2024, 2, 9).addTime("Time", 12, 30, 15, 500).addDateTime("DateTime", 2024, 2, 9, 12, 30, 15);
    list.addQos("Qos", 20, 100).addState("State", OmmState::ClosedEnum, OmmState::SuspectEnum, 1, "gone");
    list.addEnum("Enum", 300).addBuffer("Buffer", buffer("\x01\x02")).addAscii("Ascii", "text");
    list.addUtf8("Utf8", buffer("\xC3\xA9")).addRmtes("Rmtes", buffer("rm")).addArray("Array", array).add("None");
    list.complete();
    const auto msg = received(list);
    const ElementList& in = msg->getPayload().getElementList();
    CHECK(in.getInfoElementListNum() == 7);
    const auto next = [&](const char* name) -> const ElementEntry& {
        REQUIRE(in.forth());
        CHECK(text(in.getEntry().getName()) == name);
        return in.getEntry();
    };
    CHECK(next("Int").getInt() == -5);
    CHECK(next("UInt").getUInt() == 5);
    CHECK(next("Float").getFloat() == 1.5f);
    CHECK(next("Double").getDouble() == -2.25);
    CHECK(text(next("Real").getReal().toString()) == "6 3/4");
    CHECK(next("FromDouble").getReal().getMantissa() == 314);
    const OmmDate& date = next("Date").getDate();
    CHECK(date.getYear() == 2024);
    CHECK(date.getMonth() == 2);
    CHECK(date.getDay() == 9);
    CHECK(text(date.toString()) == "09 FEB 2024");
    const OmmTime& time = next("Time").getTime();
    CHECK(time.getHour() == 12);
    CHECK(time.getMinute() == 30);
    CHECK(time.getSecond() == 15);
    CHECK(time.getMillisecond() == 500);
    const OmmDateTime& both = next("DateTime").getDateTime();
    CHECK(both.getYear() == 2024);
    CHECK(both.getSecond() == 15);
    const OmmQos& qos = next("Qos").getQos();
    CHECK(qos.getTimeliness() == 20);
    CHECK(qos.getRate() == 100);
    CHECK(text(qos.toString()) == "Timeliness: 20/Rate: 100");
    CHECK(text(qos.getTimelinessAsString()) == "Timeliness: 20");
    CHECK(text(qos.getRateAsString()) == "Rate: 100");
    const OmmState& state = next("State").getState();
    CHECK(state.getStreamState() == OmmState::ClosedEnum);
    CHECK(state.getDataState() == OmmState::SuspectEnum);
    CHECK(state.getStatusCode() == 1);
    CHECK(text(state.getStatusText()) == "gone");
    CHECK(text(state.getStreamStateAsString()) == "Closed");
    CHECK(text(state.getDataStateAsString()) == "Suspect");
    const auto &stream = state.getStreamStateAsString(), &data = state.getDataStateAsString();
    CHECK(text(stream) + "/" + text(data) == "Closed/Suspect");  // several in one expression
    CHECK(text(state.getStatusCodeAsString()) == "NotFound");
    CHECK(text(state.toString()) == "Closed / Suspect / Not found / 'gone'");
    CHECK(next("Enum").getEnum() == 300);
    CHECK(text(next("Buffer").getBuffer()) == "\x01\x02");
    CHECK(text(next("Ascii").getAscii()) == "text");
    CHECK(text(next("Utf8").getUtf8()) == "\xC3\xA9");
    CHECK(text(next("Rmtes").getRmtes().getAsUTF8()) == "rm");
    const OmmArray& inArray = next("Array").getArray();
    CHECK(inArray.hasFixedWidth());
    CHECK(inArray.getFixedWidth() == 2);
    REQUIRE(inArray.forth());
    CHECK(inArray.getEntry().getUInt() == 1);
    CHECK(inArray.getEntry().getLoadType() == DataType::UIntEnum);
    REQUIRE(inArray.forth());
    CHECK(inArray.getEntry().getUInt() == 65535);
    CHECK_FALSE(inArray.forth());
    CHECK(text(inArray.toString()) ==
          "OmmArray with entries of dataType=\"UInt\" fixed width=\"2\"\n    value=\"1\"\n    value=\"65535\"\n"
          "OmmArrayEnd\n");
    CHECK(next("None").getLoadType() == DataType::NoDataEnum);
    CHECK_FALSE(in.forth());
    in.reset();
    REQUIRE(in.forth(EmaString("Enum")));
    CHECK(in.getEntry().getEnum() == 300);
    CHECK_FALSE(in.forth(EmaString("enum")));
}

TEST_CASE("map entries have key, action, permission and load", "[ema][container]") {
    FieldList fields, summary;
    prices(fields).complete();
    summary.addUInt(1, 9).complete();
    Map map;
    map.keyFieldId(3427).totalCountHint(2).summaryData(summary);
    map.addKeyAscii("ORD1", MapEntry::AddEnum, fields, buffer("\x0A\x0B"));
    map.addKeyAscii("ORD0", MapEntry::DeleteEnum, fields).complete();
    const auto msg = received(map);
    const Map& in = msg->getPayload().getMap();
    CHECK(in.hasKeyFieldId());
    CHECK(in.getKeyFieldId() == 3427);
    CHECK(in.getTotalCountHint() == 2);
    const FieldList& inSummary = in.getSummaryData().getFieldList();
    REQUIRE(inSummary.forth());
    CHECK(inSummary.getEntry().getUInt() == 9);
    REQUIRE(in.forth());
    const MapEntry& e = in.getEntry();
    CHECK(e.getAction() == MapEntry::AddEnum);
    CHECK(text(e.getMapActionAsString()) == "Add");
    CHECK(e.getKey().getDataType() == DataType::AsciiEnum);
    CHECK(text(e.getKey().getAscii()) == "ORD1");
    CHECK(text(e.getKey().getData().toString()) == "ORD1");
    CHECK_USAGE(InvalidOperationEnum, e.getKey().getInt());
    REQUIRE(e.hasPermissionData());
    CHECK(text(e.getPermissionData()) == "\x0A\x0B");
    CHECK(e.getLoadType() == DataType::FieldListEnum);
    const FieldList& load = e.getFieldList();
    REQUIRE(load.forth(Int16{25}));
    CHECK(text(load.getEntry().getReal().toString()) == "10.26");
    REQUIRE(in.forth());
    CHECK(e.getAction() == MapEntry::DeleteEnum);
    CHECK(e.getLoadType() == DataType::NoDataEnum);
    CHECK_FALSE(e.hasPermissionData());
    CHECK(text(e.toString()) ==
          "MapEntry  action=\"Delete\" key dataType=\"Ascii\" value=\"ORD0\" dataType=\"NoData\"\n"
          "    NoData\n    NoDataEnd\nMapEntryEnd\n");
    CHECK_FALSE(in.forth());
}

TEST_CASE("vectors, series and filter lists read back", "[ema][container]") {
    FieldList fields;
    prices(fields).complete();
    ElementList elements;
    elements.addUInt("u", 1).complete();
    SECTION("vector") {
        Vector vector;
        vector.sortable(true).totalCountHint(3).add(3, VectorEntry::SetEnum, fields, buffer("\x0A"));
        vector.add(4, VectorEntry::ClearEnum).complete();
        const auto msg = received(vector);
        const Vector& in = msg->getPayload().getVector();
        CHECK(in.getSortable());
        CHECK(in.getTotalCountHint() == 3);
        REQUIRE(in.forth());
        CHECK(in.getEntry().getPosition() == 3);
        CHECK(in.getEntry().getAction() == VectorEntry::SetEnum);
        CHECK(text(in.getEntry().getVectorActionAsString()) == "Set");
        CHECK(text(in.getEntry().getPermissionData()) == "\x0A");
        CHECK(in.getEntry().getFieldList().forth());
        REQUIRE(in.forth());
        CHECK(in.getEntry().getLoadType() == DataType::NoDataEnum);
        CHECK(
            text(in.getEntry().toString()).starts_with("VectorEntry  action=\"Clear index=\"4 dataType=\"NoData\"\n"));
    }
    SECTION("series") {
        Series series;
        series.summaryData(elements).add(elements).add(elements).complete();
        const auto msg = received(series);
        const Series& in = msg->getPayload().getSeries();
        CHECK(in.getSummaryData().getDataType() == DataType::ElementListEnum);
        int entries = 0;
        for (; in.forth(); ++entries)
            CHECK(in.getEntry().getElementList().forth());
        CHECK(entries == 2);
    }
    SECTION("filter list, by id too") {
        FilterList list;
        list.totalCountHint(2).add(1, FilterEntry::SetEnum, elements).add(2, FilterEntry::UpdateEnum, fields);
        list.add(3, FilterEntry::ClearEnum).complete();
        const auto msg = received(list);
        const FilterList& in = msg->getPayload().getFilterList();
        CHECK(in.getTotalCountHint() == 2);
        REQUIRE(in.forth(UInt8{2}));
        CHECK(in.getEntry().getLoadType() == DataType::FieldListEnum);
        CHECK(text(in.getEntry().getFilterActionAsString()) == "Update");
        CHECK_FALSE(in.forth(UInt8{1}));
        in.reset();
        REQUIRE(in.forth());
        CHECK(in.getEntry().getElementList().forth());
    }
    SECTION("the opaque family") {
        OmmXml xml;
        xml.set(EmaString("<a/>"));
        CHECK(text(xml.getString()) == "<a/>");
        const auto msg = received(xml);
        CHECK(text(msg->getPayload().getXml().getString()) == "<a/>");
        CHECK(text(msg->getPayload().getXml().toString()) == "Xml\n    <a/>\nXmlEnd\n");
        OmmOpaque opaque;
        opaque.set(buffer("AB"));
        const auto other = received(opaque);
        CHECK(text(other->getPayload().getOpaque().getBuffer()) == "AB");
    }
}

TEST_CASE("both ways of nesting give the same bytes", "[ema][container]") {
    const auto fillFields = [](FieldList& f) -> const FieldList& { return prices(f).complete(); };
    Map ready;
    {
        FieldList fields;
        Vector vector;
        vector.add(0, VectorEntry::SetEnum, fillFields(fields)).complete();
        ready.addKeyUInt(1, MapEntry::AddEnum, vector).complete();
    }
    Map inPlace;
    {
        Vector vector;
        inPlace.addKeyUInt(1, MapEntry::AddEnum, vector);
        FieldList fields;
        vector.add(0, VectorEntry::SetEnum, fields);
        fillFields(fields);
        vector.complete();
        inPlace.complete();
    }
    CHECK(hex(inPlace) == hex(ready));
}

TEST_CASE("a refused child leaves its parent as it was", "[ema][container]") {
    ElementList open;
    open.addInt("i", 1);
    FieldList fields, same;
    same.addInt(1, 1).addInt(2, 2).complete();
    fields.addInt(1, 1);
    CHECK_USAGE(InvalidOperationEnum, fields.addElementList(9, open));
    fields.addInt(2, 2).complete();
    CHECK(hex(fields) == hex(same));
    ElementList elements, sameElements;
    sameElements.addInt("a", 1).complete();
    CHECK_USAGE(InvalidOperationEnum, elements.addElementList("x", open));
    elements.addInt("a", 1).complete();
    CHECK(hex(elements) == hex(sameElements));
}

TEST_CASE("cleared containers are new, also after failures", "[ema][container]") {
    FieldList fields, fresh;
    prices(fresh).complete();
    fields.info(1, 1).addUInt(1, 1).complete();
    CHECK(hex(prices(fields.clear()).complete()) == hex(fresh));
    {
        ElementList child;
        fields.clear().addElementList(1, child);
    }  // destroyed before it was filled
    CHECK(hex(prices(fields.clear()).complete()) == hex(fresh));
    Map map, freshMap;
    map.keyFieldId(1).totalCountHint(5).addKeyAscii("x", MapEntry::AddEnum).complete();
    map.clear().addKeyUInt(1, MapEntry::AddEnum, fresh).complete();
    freshMap.addKeyUInt(1, MapEntry::AddEnum, fresh).complete();
    CHECK(hex(map) == hex(freshMap));
}

TEST_CASE("containers grow with their content", "[ema][container]") {
    FieldList fields;
    for (int i = 0; i < 5000; ++i)
        fields.addUInt(static_cast<Int16>(1 + i % 3), static_cast<UInt64>(i));
    fields.complete();
    const auto msg = received(fields);
    const FieldList& in = msg->getPayload().getFieldList();
    int n = 0;
    for (; in.forth(); ++n) {}
    CHECK(n == 5000);
}

TEST_CASE("messages travel inside containers", "[ema][container]") {
    FieldList fields;
    prices(fields).complete();
    UpdateMsg inner;
    inner.name("IN.N").payload(fields);
    Series series;
    series.add(inner).complete();
    const auto msg = received(series);
    const Series& in = msg->getPayload().getSeries();
    REQUIRE(in.forth());
    CHECK(in.getEntry().getLoadType() == DataType::UpdateMsgEnum);
    const UpdateMsg& read = in.getEntry().getUpdateMsg();
    CHECK(text(read.getName()) == "IN.N");
    REQUIRE(read.getPayload().getFieldList().forth(Int16{22}));
    CHECK(read.getPayload().getFieldList().getEntry().getReal().getMantissa() == 1025);
}

TEST_CASE("what entries return by reference stays while other containers are walked", "[ema][container]") {
    FieldList ask, bid;
    ask.addEnum(4, 1).addReal(22, 1, OmmReal::Exponent0Enum).complete();
    bid.addEnum(15, 840).addReal(25, 2, OmmReal::Exponent0Enum).complete();
    const auto first = received(ask), second = received(bid);
    const FieldList& a = first->getPayload().getFieldList();
    const FieldList& b = second->getPayload().getFieldList();
    REQUIRE(a.forth());
    REQUIRE(b.forth());
    const EmaString& display = a.getEntry().getEnumDisplay();
    const std::string shown = text(display);
    const std::string other = text(b.getEntry().getEnumDisplay());
    CHECK(shown != other);
    CHECK(text(display) == shown);
    REQUIRE(a.forth());
    REQUIRE(b.forth());
    const EmaString& name = a.getEntry().getName();
    const EmaString& ripple = a.getEntry().getRippleToName();
    const EmaString& whole = a.getEntry().toString();
    const std::string rippleBefore = text(ripple), wholeBefore = text(whole);
    CHECK(text(b.getEntry().getName()) == "ASK");
    CHECK(text(b.getEntry().getRippleToName()) != rippleBefore);
    CHECK(text(b.getEntry().toString()) != wholeBefore);
    CHECK(text(name) == "BID");
    CHECK(text(ripple) == rippleBefore);
    CHECK(text(whole) == wholeBefore);
}

TEST_CASE("an entry's action text stays while the containers inside are walked", "[ema][container]") {
    FieldList fields;
    prices(fields).complete();
    Map map;
    map.addKeyUInt(1, MapEntry::AddEnum, fields).addKeyUInt(2, static_cast<MapEntry::MapAction>(0), fields).complete();
    Vector vector;
    vector.add(0, VectorEntry::SetEnum, map).add(1, static_cast<VectorEntry::VectorAction>(7), map).complete();
    const auto msg = received(vector);
    const Vector& in = msg->getPayload().getVector();
    const char* const kVector[] = {"Set", "Unknown VectorAction value 7"};
    const char* const kMap[] = {"Add", "Unknown MapAction value 0"};
    for (const char* vectorText : kVector) {
        REQUIRE(in.forth());
        const EmaString& vectorAction = in.getEntry().getVectorActionAsString();
        const Map& inner = in.getEntry().getMap();
        for (const char* mapText : kMap) {
            REQUIRE(inner.forth());
            CHECK(text(inner.getEntry().getMapActionAsString()) == mapText);
            CHECK(text(vectorAction) == vectorText);
        }
    }
}

namespace {

/// An update whose payload is these bytes, said to be of that type.
std::vector<std::byte> updateWith(codec::DataType type, std::string_view digits) {
    const std::vector<std::byte> payload = unhex(digits);
    codec::Msg m;
    m.cls = codec::MsgClass::Update;
    m.domain = 6;
    m.containerType = type;
    m.payload = payload;
    std::vector<std::byte> block(codec::maxEncodedSize(m));
    emissary::eta::BeWriter out{{block.data(), block.size()}};
    REQUIRE(codec::encodeMsg(out, m).ok());
    block.resize(out.size());
    return block;
}

/// One entry of type Error with this code, and then the end, for good.
template <class Container>
void endsWithError(const Container& list, OmmError::ErrorCode code) {
    REQUIRE(list.forth());
    CHECK(list.getEntry().getLoadType() == DataType::ErrorEnum);
    CHECK(list.getEntry().getError().getErrorCode() == code);
    CHECK_FALSE(list.forth());
    CHECK_FALSE(list.forth());
}

}  // namespace

TEST_CASE("set data without its definition is told of", "[ema][container]") {
    using codec::DataType;
    const ReceivedMsg<UpdateMsg> onlySet(updateWith(DataType::FieldList, "02 01 02"));
    endsWithError(onlySet->getPayload().getFieldList(), OmmError::NoSetDefinitionEnum);

    // Set data, then one standard field: the field is there, then the error.
    const ReceivedMsg<UpdateMsg> both(updateWith(DataType::FieldList, "0a 02 0102 0001 0016 02 0a64"));
    const FieldList& fields = both->getPayload().getFieldList();
    for (int walk = 0; walk < 2; ++walk) {
        REQUIRE(fields.forth());
        CHECK(fields.getEntry().getFieldId() == 22);
        endsWithError(fields, OmmError::NoSetDefinitionEnum);
        fields.reset();
    }
    CHECK(fields.forth(Int16{22}));
    CHECK_FALSE(fields.forth(Int16{22}));  // the error is no second field of that id

    const ReceivedMsg<UpdateMsg> elements(updateWith(DataType::ElementList, "02 01 02"));
    endsWithError(elements->getPayload().getElementList(), OmmError::NoSetDefinitionEnum);
}

// One message object shows update after update of a connection, and keeps what they have in common.
TEST_CASE("set definitions of one update are not those of the next", "[ema][container]") {
    using codec::DataType;
    // local_22 of the vectors: definitions, then two entries of set data; and the entries without the definitions.
    constexpr const char* kEntries =
        "0002 020010 060009e2276cc090f9c62ec7070307eb 02010f 060e0ce697a5e69cace8aa9e393636";
    const std::string defined =
        std::string("01041d 0003000204b01005a64c0904001650015a1100134605a94b0e0109e912") + kEntries;
    const auto with = updateWith(DataType::Vector, defined);
    const auto without = updateWith(DataType::Vector, std::string("0004") + kEntries);

    emissary::ema::DecodeContext context;
    context.dictionary = &shippedFields();
    codec::Msg wire;
    UpdateMsg msg;
    const auto vectorIn = [&](const std::vector<std::byte>& bytes) -> const Vector& {
        REQUIRE(codec::decodeMsg(bytes, wire).ok());
        emissary::ema::MsgAccess::point(msg, wire, context);
        return msg.getPayload().getVector();
    };
    for (int round = 0; round < 3; ++round) {
        const Vector& first = vectorIn(with);
        REQUIRE(first.forth());
        const FieldList& fields = first.getEntry().getFieldList();
        REQUIRE(fields.forth());
        CHECK(fields.getEntry().getFieldId() == 1200);
        REQUIRE(fields.forth());
        CHECK(fields.getEntry().getFieldId() == 1446);
        CHECK_FALSE(fields.forth());

        const Vector& second = vectorIn(without);
        REQUIRE(second.forth());
        endsWithError(second.getEntry().getFieldList(), OmmError::NoSetDefinitionEnum);
    }
}

TEST_CASE("a message that is shown with another dictionary is read by that one", "[ema][container]") {
    const auto bytes = updateWith(codec::DataType::FieldList, "08 0002 0016 02 0a64 0019 02 0a65");
    codec::Msg wire;
    REQUIRE(codec::decodeMsg(bytes, wire).ok());
    UpdateMsg msg;
    for (int round = 0; round < 3; ++round) {
        emissary::ema::DecodeContext context;
        emissary::ema::MsgAccess::point(msg, wire, context);
        const FieldList& untyped = msg.getPayload().getFieldList();
        REQUIRE(untyped.forth());
        CHECK(untyped.getEntry().getError().getErrorCode() == OmmError::NoDictionaryEnum);

        context.dictionary = &shippedFields();
        emissary::ema::MsgAccess::point(msg, wire, context);
        const FieldList& typed = msg.getPayload().getFieldList();
        for (const Int64 mantissa : {0x64, 0x65}) {
            REQUIRE(typed.forth());
            CHECK(typed.getEntry().getReal().getMantissa() == mantissa);
        }
        CHECK_FALSE(typed.forth());
    }
}

TEST_CASE("a container whose header cannot be read is told of", "[ema][container]") {
    using codec::DataType;
    const auto ends = [](DataType type, std::string_view digits, auto get) {
        const ReceivedMsg<UpdateMsg> msg(updateWith(type, digits));
        endsWithError(get(msg->getPayload()), OmmError::IncompleteDataEnum);
    };
    ends(DataType::FieldList, "08", [](const Payload& p) -> const FieldList& { return p.getFieldList(); });
    ends(DataType::ElementList, "08", [](const Payload& p) -> const ElementList& { return p.getElementList(); });
    ends(DataType::Map, "00 04", [](const Payload& p) -> const Map& { return p.getMap(); });
    ends(DataType::Vector, "00 04", [](const Payload& p) -> const Vector& { return p.getVector(); });
    ends(DataType::Series, "00 04", [](const Payload& p) -> const Series& { return p.getSeries(); });
    ends(DataType::FilterList, "00", [](const Payload& p) -> const FilterList& { return p.getFilterList(); });
    // An array inside a list that can be read.
    const ReceivedMsg<UpdateMsg> msg(updateWith(DataType::ElementList, "08 0001 0161 0f 02 0401"));
    const ElementList& list = msg->getPayload().getElementList();
    REQUIRE(list.forth());
    endsWithError(list.getEntry().getArray(), OmmError::IncompleteDataEnum);
}
