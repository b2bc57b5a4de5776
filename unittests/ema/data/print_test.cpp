// Texts from encoded bytes (ema-api.md section 15 and the text forms of section 2).
#include "eta/codec/encoders.h"
#include "support.h"
#include "text/Printer.h"
#include "text/print.h"

using namespace ematest;
using namespace emissary::ema;

namespace {

using Type = codec::DataType;

const PrintScope kFields{&shippedFields(), nullptr, {}, false};

std::string print(Type type, std::string_view hexText, const PrintScope& scope = kFields) {
    const std::vector<std::byte> bytes = unhex(hexText);
    std::string out;
    printContainer(out, type, bytes, scope);
    return out;
}

std::string primitive(Type type, std::string_view hexText, Type setType = Type::Unknown) {
    const std::vector<std::byte> bytes = unhex(hexText);
    std::string out;
    return appendPrimitive(out, type, bytes, setType) ? out : "malformed" + out;
}

std::string print(const codec::Msg& msg, const PrintScope& scope = kFields) {
    std::string out;
    printMsg(out, msg, scope);
    return out;
}

}  // namespace

TEST_CASE("primitives print as their type says", "[ema][print]") {
    CHECK(primitive(Type::Int, "ff7f") == "-129");
    CHECK(primitive(Type::UInt, "ffffffffffffffff") == "18446744073709551615");
    CHECK(primitive(Type::Enum, "0100") == "256");
    CHECK(primitive(Type::Float, "3dcccccd") == "0.1");
    CHECK(primitive(Type::Double, "c002000000000000") == "-2.25");
    CHECK(primitive(Type::Real, "0b0f96") == "3.990");
    CHECK(primitive(Type::Real, "181b") == "6 3/4");
    CHECK(primitive(Type::Real, "2200") == "-Inf");
    CHECK(primitive(Type::Date, "090207e8") == "09 FEB 2024");
    CHECK(primitive(Type::Time, "0c1e0f01f4") == "12:30:15:500:000:000");
    CHECK(primitive(Type::DateTime, "090207e80c1e0f") == "09 FEB 2024 12:30:15:000:000:000");
    CHECK(primitive(Type::AsciiString, "414243") == "ABC");
    CHECK(primitive(Type::Utf8String, "c3a9") == "\xC3\xA9");
    CHECK(primitive(Type::RmtesString, "414243") == "ABC");
    CHECK(primitive(Type::Buffer, "48656c6c6f2031") == "4865 6c6c 6f20 31" + std::string(23, ' ') + "   Hello 1\n");
    CHECK(primitive(Type::State, "0900032e2e2e") == "Open / Ok / None / '...'");
    CHECK(primitive(Type::State, "190f00") == "Closed, Recoverable / Ok / Source unknown / ''");
    for (const Type t :
         {Type::Int, Type::UInt, Type::Float, Type::Double, Type::Real, Type::Date, Type::Time, Type::DateTime,
          Type::Qos, Type::State, Type::Enum, Type::Buffer, Type::AsciiString, Type::Utf8String, Type::RmtesString})
        CHECK(primitive(t, "") == "(blank data)");
    CHECK(primitive(Type::Int, "010203040506070809") == "malformed");
    CHECK(primitive(Type::Real, "4c0d3f", Type::Real4RB) == "33.91");
}

TEST_CASE("quality of service prints its two halves", "[ema][print]") {
    const auto qos = [](std::uint32_t t, std::uint32_t r, std::uint16_t ti = 0, std::uint16_t ri = 0) {
        const codec::Qos q{static_cast<std::uint8_t>(t), static_cast<std::uint8_t>(r), false, ti, ri};
        return timelinessText(q) + "/" + rateText(q);
    };
    CHECK(qos(1, 1) == "RealTime/TickByTick");
    CHECK(qos(2, 2) == "InexactDelayed/JustInTimeConflated");
    CHECK(qos(3, 3, 20, 100) == "Timeliness: 20/Rate: 100");
}

TEST_CASE("domains have names", "[ema][print]") {
    const std::pair<int, const char*> known[] = {
        {1, "Login"},           {4, "Directory"},      {5, "Dictionary"},
        {6, "MarketPrice"},     {7, "MarketByOrder"},  {8, "MarketByPrice"},
        {9, "MarketMaker"},     {10, "SymbolList"},    {11, "ServiceProviderStatus"},
        {12, "History"},        {13, "Headline"},      {14, "Story"},
        {15, "ReplayHeadline"}, {16, "ReplayHistory"}, {17, "Transaction"},
        {22, "YieldCurve"},     {27, "Contribution"},  {29, "ProviderAdmin"},
        {30, "Analytics"},      {31, "Reference"},     {33, "NewsTextAnalytics"},
        {127, "System"}};
    for (const auto& [number, name] : known)
        CHECK(domainName(static_cast<std::uint8_t>(number)) == std::string(name) + " Domain");
    CHECK(domainName(200) == "Unknown RDM Domain. Value='200'");
}

TEST_CASE("field lists print", "[ema][print]") {
    CHECK(print(Type::FieldList, "0800010016030b0f96") == "FieldList\n"
                                                          "    FieldEntry fid=\"22\" name=\"BID\" dataType=\"Real\" "
                                                          "value=\"3.990\"\n"
                                                          "FieldListEnd\n");
    SECTION("with their numbers") {
        CHECK(print(Type::FieldList, "09030100000000") == "FieldList FieldListNum=\"0\" DictionaryId=\"1\"\n"
                                                          "FieldListEnd\n");
    }
    SECTION("with blanks") {
        CHECK(print(Type::FieldList, "080001001600").find("value=\"(blank data)\"") != std::string::npos);
    }
    SECTION("without a dictionary") {
        CHECK(print(Type::FieldList, "0800010016030b0f96", {}) ==
              "FieldList\n"
              "    FieldEntry fid=\"22\" name=\"\" dataType=\"Error\"\n"
              "        OmmError\n"
              "            ErrorCode=\"NoDictionary\"\n"
              "        OmmErrorEnd\n"
              "    FieldEntryEnd\n"
              "FieldListEnd\n");
    }
    SECTION("with fields that nobody knows") {
        CHECK(print(Type::FieldList, "080001800003414243").find("ErrorCode=\"FieldIdNotFound\"") != std::string::npos);
    }
    SECTION("with content that its type cannot have") {
        CHECK(print(Type::FieldList, "0800010005040c1e0f01").find("ErrorCode=\"IncompleteData\"") != std::string::npos);
    }
    SECTION("as far as they go when cut short") {
        CHECK(print(Type::FieldList, "0800020016030b0f96001603") ==
              "FieldList\n"
              "    FieldEntry fid=\"22\" name=\"BID\" dataType=\"Real\" value=\"3.990\"\n"
              "    OmmError\n"
              "        ErrorCode=\"IncompleteData\"\n"
              "    OmmErrorEnd\n"
              "FieldListEnd\n");
    }
    SECTION("set data whose definition is missing is named") {
        CHECK(print(Type::FieldList, "02000102").find("ErrorCode=\"NoSetDefinition\"") != std::string::npos);
    }
}

TEST_CASE("element lists print", "[ema][print]") {
    CHECK(print(Type::ElementList, "08000104486f7374110178") == "ElementList\n"
                                                                "    ElementEntry name=\"Host\" dataType=\"Ascii\" "
                                                                "value=\"x\"\n"
                                                                "ElementListEnd\n");
    // info 5; an array of two Int of width 2; an element without data
    CHECK(print(Type::ElementList, "0902000500020141 0f 08 03 02 0002 0001 ffff 0142 80") ==
          "ElementList ElementListNum=\"5\"\n"
          "    ElementEntry name=\"A\" dataType=\"OmmArray\"\n"
          "        OmmArray with entries of dataType=\"Int\" fixed width=\"2\"\n"
          "            value=\"1\"\n"
          "            value=\"-1\"\n"
          "        OmmArrayEnd\n"
          "    ElementEntryEnd\n"
          "    ElementEntry name=\"B\" dataType=\"NoData\"\n"
          "        NoData\n"
          "        NoDataEnd\n"
          "    ElementEntryEnd\n"
          "ElementListEnd\n");
    CHECK(print(Type::ElementList, "08000101421003010203") == "ElementList\n"
                                                              "    ElementEntry name=\"B\" dataType=\"Buffer\"\n"
                                                              "0102 03" +
                                                                  std::string(33, ' ') + "   ...\n" +
                                                                  "ElementListEnd\n");
}

TEST_CASE("arrays print", "[ema][print]") {
    std::string out;
    printArray(out, unhex("11000002 0141 00"));
    CHECK(out == "OmmArray with entries of dataType=\"Ascii\"\n"
                 "    value=\"A\"\n"
                 "    value=\"(blank data)\"\n"
                 "OmmArrayEnd\n");
    out.clear();
    printArray(out, {});
    CHECK(out == "blank array\n");
}

TEST_CASE("the example map prints exactly", "[ema][print]") {
    std::vector<std::byte> block(1024);
    emissary::eta::BeWriter list{block};
    codec::FieldListEncoder fields;
    fields.begin(list);
    fields.addReal(3427, {1025, 12});
    fields.addEnum(3428, 1);
    REQUIRE(fields.complete().ok());

    std::vector<std::byte> mapBlock(1024);
    emissary::eta::BeWriter out{mapBlock};
    codec::MapEncoder map;
    codec::EntryContainerHeader header;
    header.entryType = Type::FieldList;
    header.hasTotalCountHint = true;
    header.totalCountHint = 2;
    map.begin(out, header, Type::AsciiString);
    map.add(codec::MapAction::add, emissary::eta::asBytes("ORD1"), list.view());
    map.add(codec::MapAction::del, emissary::eta::asBytes("ORD0"), {});
    REQUIRE(map.complete().ok());

    std::string text;
    printContainer(text, Type::Map, out.view(), kFields);
    CHECK(text == R"(Map totalCountHint="2"
    MapEntry action="Add" key dataType="Ascii" value="ORD1" dataType="FieldList"
        FieldList
            FieldEntry fid="3427" name="ORDER_PRC" dataType="Real" value="10.25"
            FieldEntry fid="3428" name="ORDER_SIDE" dataType="Enum" value="1"
        FieldListEnd
    MapEntryEnd
    MapEntry action="Delete" key dataType="Ascii" value="ORD0" dataType="NoData"
        NoData
        NoDataEnd
    MapEntryEnd
MapEnd
)");
}

TEST_CASE("maps print their optional parts", "[ema][print]") {
    std::vector<std::byte> block(256);
    emissary::eta::BeWriter out{block};
    codec::MapEncoder map;
    codec::EntryContainerHeader header;
    header.entryType = Type::ElementList;
    header.hasSummary = true;
    const std::vector<std::byte> summary = unhex("080000"), perm = unhex("0a0b");
    header.summary = summary;
    const std::int16_t keyField = -5;
    const Bytes permission = perm;
    map.begin(out, header, Type::Buffer, &keyField);
    map.add(codec::MapAction::update, emissary::eta::asBytes("AB"), summary, &permission);
    REQUIRE(map.complete().ok());
    std::string text;
    printContainer(text, Type::Map, out.view(), kFields);
    CHECK(text == "Map keyFieldId=\"-5\"\n"
                  "    SummaryData dataType=\"ElementList\"\n"
                  "        ElementList\n"
                  "        ElementListEnd\n"
                  "    SummaryDataEnd\n"
                  "    MapEntry action=\"Update\" key dataType=\"Buffer\" value=\n"
                  "\n"
                  "4142" +
                      std::string(36, ' ') +
                      "   AB\n"
                      " permissionData=\"0A 0B\" dataType=\"ElementList\"\n"
                      "        ElementList\n"
                      "        ElementListEnd\n"
                      "    MapEntryEnd\n"
                      "MapEnd\n");
}

TEST_CASE("vectors, series and filter lists print, quirks and all", "[ema][print]") {
    std::vector<std::byte> block(256);
    const std::vector<std::byte> empty = unhex("080000"), perm = unhex("0a");
    const Bytes permission = perm;
    codec::EntryContainerHeader header;
    header.entryType = Type::FieldList;
    header.hasTotalCountHint = true;
    header.totalCountHint = 7;
    std::string text;
    SECTION("vector") {
        emissary::eta::BeWriter out{block};
        codec::VectorEncoder vector;
        vector.begin(out, header, true);
        vector.add(codec::VectorAction::set, 3, empty, &permission);
        vector.add(codec::VectorAction::clear, 4, {});
        REQUIRE(vector.complete().ok());
        printContainer(text, Type::Vector, out.view(), kFields);
        CHECK(text == "Vector sortable=\"true\" totalCountHint=\"7\"\n"
                      "    VectorEntry action=\"Set index=\"3 permissionData=\"0A\" dataType=\"FieldList\"\n"
                      "        FieldList\n"
                      "        FieldListEnd\n"
                      "    VectorEntryEnd\n"
                      "    VectorEntry action=\"Clear index=\"4 dataType=\"NoData\"\n"
                      "        NoData\n"
                      "        NoDataEnd\n"
                      "    VectorEntryEnd\n"
                      "VectorEnd\n");
    }
    SECTION("series") {
        emissary::eta::BeWriter out{block};
        codec::SeriesEncoder series;
        series.begin(out, header);
        series.add(empty);
        REQUIRE(series.complete().ok());
        printContainer(text, Type::Series, out.view(), kFields);
        CHECK(text == "Series totalCountHint=\"7\n"
                      "    SeriesEntry dataType=\"FieldList\"\n"
                      "        FieldList\n"
                      "        FieldListEnd\n"
                      "    SeriesEntryEnd\n"
                      "SeriesEnd\n");
    }
    SECTION("filter list") {
        // entry type ElementList, hint 2; Set 1 with an empty list, Update 9 of type Opaque, Clear 3
        emissary::eta::BeWriter out{block};
        codec::FilterListEncoder list;
        const std::uint8_t hint = 2;
        const std::vector<std::byte> ab = unhex("4142");
        list.begin(out, Type::ElementList, &hint);
        list.add(codec::FilterAction::set, 1, Type::ElementList, empty);
        list.add(codec::FilterAction::update, 9, Type::Opaque, ab, &permission);
        list.add(codec::FilterAction::clear, 3, Type::NoData, {});
        REQUIRE(list.complete().ok());
        printContainer(text, Type::FilterList, out.view(), kFields);
        CHECK(text == "FilterList totalCountHint=\"2\"\n"
                      "    FilterEntry action=\"Set\" filterId=\"1\" dataType=\"ElementList\"\n"
                      "        ElementList\n"
                      "        ElementListEnd\n"
                      "    FilterEntryEnd\n"
                      "    FilterEntry action=\"Update\" filterId=\"9\" permissionData=\"0A\" dataType=\"Opaque\"\n"
                      "        Opaque\n"
                      "\n"
                      "4142" +
                          std::string(36, ' ') +
                          "   AB\n"
                          "        OpaqueEnd\n"
                          "    FilterEntryEnd\n"
                          "    FilterEntry action=\"Clear\" filterId=\"3\" dataType=\"NoData\"\n"
                          "        NoData\n"
                          "        NoDataEnd\n"
                          "    FilterEntryEnd\n"
                          "FilterListEnd\n");
    }
}

TEST_CASE("the opaque family prints", "[ema][print]") {
    const std::string ab = "4142" + std::string(36, ' ') + "   AB\n";
    CHECK(print(Type::Opaque, "4142") == "Opaque\n\n" + ab + "OpaqueEnd\n");
    CHECK(print(Type::AnsiPage, "4142") == "AnsiPage\n\n" + ab + "AnsiPageEnd");
    CHECK(print(Type::Xml, "3c612f3e") == "Xml\n    <a/>\nXmlEnd\n");
    CHECK(print(Type::Json, "7b7d") == "Json\n    {}\nJsonEnd\n");
    CHECK(print(Type::NoData, "") == "NoData\nNoDataEnd\n");
    CHECK(print(static_cast<Type>(230), "4142") == "Opaque\n\n" + ab + "OpaqueEnd\n");
}

TEST_CASE("entries on their own have two blanks", "[ema][print]") {
    std::string out;
    const std::vector<std::byte> real = unhex("0b0f96"), empty = unhex("080000");
    printFieldEntry(out, 22, real, Type::Unknown, kFields);
    CHECK(out == "FieldEntry  fid=\"22\" name=\"BID\" dataType=\"Real\" value=\"3.990\"\n");
    out.clear();
    codec::ElementEntry element;
    element.name = emissary::eta::asBytes("Host");
    element.type = Type::AsciiString;
    element.data = emissary::eta::asBytes("x");
    printElementEntry(out, element, kFields);
    CHECK(out == "ElementEntry  name=\"Host\" dataType=\"Ascii\" value=\"x\"\n");
    out.clear();
    codec::MapEntry mapEntry{codec::MapAction::add, false, {}, emissary::eta::asBytes("K"), empty};
    printMapEntry(out, mapEntry, Type::AsciiString, Type::ElementList, kFields);
    CHECK(out == "MapEntry  action=\"Add\" key dataType=\"Ascii\" value=\"K\" dataType=\"ElementList\"\n"
                 "    ElementList\n"
                 "    ElementListEnd\n"
                 "MapEntryEnd\n");
    out.clear();
    printVectorEntry(out, {codec::VectorAction::insert, false, 2, {}, empty}, Type::FieldList, kFields);
    CHECK(out.starts_with("VectorEntry  action=\"Insert index=\"2 dataType=\"FieldList\"\n    FieldList\n"));
    out.clear();
    printSeriesEntry(out, {empty}, Type::FieldList, kFields);
    CHECK(out.starts_with("SeriesEntry  dataType=\"FieldList\"\n    FieldList\n"));
    out.clear();
    printFilterEntry(out, {codec::FilterAction::set, 4, Type::ElementList, false, false, {}, empty}, kFields);
    CHECK(out.starts_with("FilterEntry  action=\"Set\" filterId=\"4\" dataType=\"ElementList\"\n    ElementList\n"));
}

TEST_CASE("the example refresh prints exactly", "[ema][print]") {
    codec::Msg msg;
    msg.cls = codec::MsgClass::Refresh;
    msg.flags = codec::RefreshFlag::solicited | codec::RefreshFlag::complete | codec::RefreshFlag::qos |
                codec::RefreshFlag::msgKey;
    msg.streamId = 5;
    msg.state = {codec::StreamState::open, codec::DataState::ok, 0, emissary::eta::asBytes("image ready")};
    const std::vector<std::byte> group = unhex("0000"), list = unhex("0903010000000100160 30c0401");
    msg.groupId = group;
    msg.qos = codec::kRealtimeTickByTick;
    msg.key.flags = codec::KeyFlag::name | codec::KeyFlag::nameType | codec::KeyFlag::serviceId;
    msg.key.name = emissary::eta::asBytes("ABC.X");
    msg.key.serviceId = 1;
    msg.containerType = Type::FieldList;
    msg.payload = list;
    CHECK(print(msg, {&shippedFields(), nullptr, "DIRECT_FEED", true}) == kExampleRefresh);
}

TEST_CASE("every message class prints its lines in order", "[ema][print]") {
    const std::vector<std::byte> perm = unhex("0a0b"), list = unhex("080000"), group = unhex("0102");
    codec::Msg msg;
    msg.streamId = -3;
    msg.permData = perm;
    msg.groupId = group;
    msg.seqNum = 11;
    msg.secondarySeqNum = 12;
    msg.partNum = 13;
    msg.postUserAddress = 14;
    msg.postUserId = 15;
    msg.qos = msg.worstQos = codec::kRealtimeTickByTick;
    msg.key.flags = 0x3F;
    msg.key.name = emissary::eta::asBytes("N");
    msg.key.nameType = 2;
    msg.key.serviceId = 3;
    msg.key.filter = 4;
    msg.key.identifier = -5;
    msg.key.attribType = Type::ElementList;
    msg.key.attrib = list;
    msg.extendedHeader = perm;
    msg.containerType = Type::FieldList;
    msg.payload = list;
    msg.flags = 0xFFFF;
    const std::string key = "    name=\"N\"\n    nameType=\"2\"\n    serviceId=\"3\"\n";
    const std::string service = "    serviceName=\"S\"\n", numbers = "    filter=\"4\"\n    id=\"-5\"\n";
    const std::string header = "    ExtendedHeader\n0a0b" + std::string(36, ' ') + "   ..\n    ExtendedHeaderEnd\n";
    const auto part = [](const std::string& word, const std::string& type, const std::string& gap) {
        return "    " + word + " dataType=\"" + type + "\"\n        " + type + "\n        " + type + "End\n" + gap +
               "    " + word + "End\n";
    };
    const std::string body = part("Attrib", "ElementList", "\n") + header + part("Payload", "FieldList", "\n");
    const std::string ackBody = part("Attrib", "ElementList", "") + header + part("Payload", "FieldList", "");
    const std::string head = "    streamId=\"-3\"\n    domain=\"MarketPrice Domain\"\n";
    const PrintScope scope{&shippedFields(), nullptr, "S", true};

    SECTION("request") {
        msg.cls = codec::MsgClass::Request;
        msg.flags = static_cast<std::uint16_t>(msg.flags & ~codec::RequestFlag::noRefresh);
        msg.priorityClass = 2;
        msg.priorityCount = 3;
        CHECK(print(msg, scope) == "ReqMsg\n" + head +
                                       "    PrivateStream\n    InitialImage\n    InterestAfterRefresh\n    Pause\n"
                                       "    ConflatedInUpdates\n    priorityClass=\"2\" priorityCount=\"3\"\n"
                                       "    qosRate=\"TickByTick\"qosTimeliness=\"RealTime\"\n" +
                                       key + service + numbers + body + "ReqMsgEnd\n");
    }
    SECTION("refresh") {
        msg.cls = codec::MsgClass::Refresh;
        msg.state = {1, 1, 0, {}};
        CHECK(print(msg, scope) ==
              "RefreshMsg\n" + head +
                  "    Solicited\n    RefreshComplete\n    PrivateStream\n    DoNotCache\n    ClearCache\n"
                  "    state=\"Open / Ok / None / ''\"\n    itemGroup=\"01 02\"\n    permissionData=\"0A 0B\"\n"
                  "    qos=\"RealTime/TickByTick\"\n    partNum=\"13\"\n    seqNum=\"11\"\n"
                  "    publisher user address=\"14\"\n    publisher user id=\"15\"\n" +
                  key + service + numbers + body + "RefreshMsgEnd\n");
    }
    SECTION("status") {
        msg.cls = codec::MsgClass::Status;
        msg.state = {4, 2, 1, emissary::eta::asBytes("gone")};
        CHECK(print(msg, scope) == "StatusMsg\n" + head +
                                       "    PrivateStream\n    ClearCache\n"
                                       "    state=\"Closed / Suspect / Not found / 'gone'\"\n"
                                       "    itemGroup=\"01 02\"\n    permissionData=\"0A 0B\"\n"
                                       "    publisher user address=\"14\"\n    publisher user id=\"15\"\n" +
                                       key + service + numbers + body + "StatusMsgEnd\n");
    }
    SECTION("update") {
        msg.cls = codec::MsgClass::Update;
        msg.updateType = 1;
        msg.conflationCount = 2;
        msg.conflationTime = 3;
        CHECK(print(msg, scope) ==
              "UpdateMsg\n" + head +
                  "    updateTypeNum=\"1\"\n    DoNotCache\n    DoNotConflate\n    DoNotRipple\n"
                  "    permissionData=\"0A 0B\"\n    conflatedCount=\"2\"\n    conflatedTime=\"3\"\n"
                  "    seqNum=\"11\"\n    publisher user address=\"14\"\n"
                  "    publisher user id=\"15\"\n" +
                  key + service + numbers + body + "UpdateMsgEnd\n");
    }
    SECTION("generic, without the service's name") {
        msg.cls = codec::MsgClass::Generic;
        CHECK(print(msg, scope) == "GenericMsg\n" + head +
                                       "    MessageComplete\n    seqNum=\"11\"\n    secondarySeqNum=\"12\"\n"
                                       "    partNum=\"13\"\n    permissionData=\"0A 0B\"\n" +
                                       key + numbers + body + "GenericMsgEnd\n");
    }
    SECTION("post") {
        msg.cls = codec::MsgClass::Post;
        msg.postId = 16;
        msg.postUserRights = 3;
        CHECK(print(msg, scope) == "PostMsg\n" + head +
                                       "    Complete\n    Ack Requested\n    seqNum=\"11\"\n    partNum=\"13\"\n"
                                       "    postId=\"16\"\n    postUserRights=\"3\"\n    permissionData=\"0A 0B\"\n"
                                       "    publisherIdUserId=\"15\"\n    publisherIdUserAddress=\"14\"\n" +
                                       key + service + numbers + body + "PostMsgEnd\n");
    }
    SECTION("ack, without the empty lines") {
        msg.cls = codec::MsgClass::Ack;
        msg.ackId = 17;
        msg.nakCode = 10;
        msg.text = emissary::eta::asBytes("why");
        CHECK(print(msg, scope) == "AckMsg\n" + head +
                                       "    ackId=\"17\"\n    PrivateStream\n    seqNum=\"11\"\n"
                                       "    nackCode=\"SymbolUnknown\"\n    text=\"why\"\n" +
                                       key + service + numbers + ackBody + "AckMsgEnd\n");
    }
}

TEST_CASE("a request's quality of service reads as it was asked for", "[ema][print]") {
    codec::Msg msg;
    msg.cls = codec::MsgClass::Request;
    msg.flags = codec::RequestFlag::qos;
    const auto words = [&] {
        const RequestQos q = requestQos(msg);
        return requestRateText(q.rate) + "/" + requestTimelinessText(q.timeliness);
    };
    msg.qos = {1, 1, false, 0, 0};
    CHECK(words() == "TickByTick/RealTime");
    msg.qos = {2, 2, false, 0, 0};
    CHECK(words() == "JustInTimeConflatedrate/BestDelayedTimeliness");
    msg.qos = {3, 3, false, 5, 7};
    CHECK(words() == "Rate on ReqMsg. Value = 7/QosTimeliness on ReqMsg. Value = 5");
    msg.flags |= codec::RequestFlag::worstQos;
    msg.qos = {1, 1, true, 0, 0};
    msg.worstQos = {2, 3, true, 0, 65535};
    CHECK(words() == "BestRate/BestTimeliness");
    msg.qos = {3, 3, true, 1, 1};
    CHECK(words() == "BestConflatedRate/BestDelayedTimeliness");
}

TEST_CASE("messages inside containers print under their class", "[ema][print]") {
    // One Opaque-free chain: a map whose entry is an update without payload.
    std::vector<std::byte> block(128);
    emissary::eta::BeWriter inner{block};
    codec::Msg update;
    REQUIRE(codec::encodeMsg(inner, update).ok());
    std::string out;
    printSeriesEntry(out, {inner.view()}, Type::Msg, kFields);
    CHECK(out == "SeriesEntry  dataType=\"UpdateMsg\"\n"
                 "    UpdateMsg\n"
                 "        streamId=\"0\"\n"
                 "        domain=\"MarketPrice Domain\"\n"
                 "        updateTypeNum=\"0\"\n"
                 "    UpdateMsgEnd\n"
                 "SeriesEntryEnd\n");
}

TEST_CASE("nesting ends in an error, not in the stack", "[ema][print]") {
    std::vector<std::byte> bytes = unhex("080000");
    for (int i = 0; i < 40; ++i) {
        std::vector<std::byte> block(bytes.size() + 64);
        emissary::eta::BeWriter out{block};
        codec::ElementListEncoder list;
        list.begin(out);
        list.add("E", Type::ElementList, bytes);
        REQUIRE(list.complete().ok());
        bytes.assign(out.view().begin(), out.view().end());
    }
    std::string out;
    printContainer(out, Type::ElementList, bytes, kFields);
    CHECK(out.find("ErrorCode=\"IteratorOverrun\"") != std::string::npos);
    CHECK(out.size() < 10'000);
}
