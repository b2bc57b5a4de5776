// Message files: what is read from them, and how their faults are told.
#include "InputError.h"
#include "MessageData.h"
#include "perftools/TempDir.h"
#include "support/catch.hpp"
#include "support/paths.h"

using namespace emissary::messages;
using emissary::perf::test::TempDir;

namespace {

// BID, a string, a date, a Qos, a State, and what MarketByOrder needs.
std::optional<std::uint8_t> typeOf(std::int32_t id) {
    switch (id) {
    case 22:
    case 3427:
        return 8;
    case 1000:
        return 19;
    case 16:
        return 9;
    case 3855:
        return 4;
    case 3428:
        return 14;
    case 5000:
        return 12;
    case 5001:
        return 13;
    case 3902:
        return 4;
    default:
        return std::nullopt;
    }
}

std::string body(const std::string& fields) {
    return "<dataBody><fieldList entryCount=\"1\">" + fields + "</fieldList></dataBody>";
}
const std::string kField = "<fieldEntry fieldId=\"22\" dataType=\"RSSL_DT_REAL\" data=\"1.5\"/>";
std::string prices(const std::string& content) {
    return "<msgFormat>\n<marketPriceMsgList>\n" + content + "\n</marketPriceMsgList></msgFormat>\n";
}
std::string complete(const std::string& fields) {
    return prices("<refreshMsg>" + body(fields) + "</refreshMsg><updateMsg>" + body(kField) + "</updateMsg>");
}

}  // namespace

TEST_CASE("message data: updates say their type and whether they are numbered", "[messages]") {
    const TempDir dir;
    const auto read = [&](const std::string& attributes) {
        return readMessageData(dir.write("m.xml", prices("<refreshMsg>" + body(kField) + "</refreshMsg><updateMsg " +
                                                         attributes + ">" + body(kField) + "</updateMsg>")),
                               typeOf)
            .marketPrice.updates.front();
    };
    CHECK(read("").updateType == 0);
    CHECK_FALSE(read("").numbered);
    CHECK(read("updateType='Quote'").updateType == 1);
    CHECK(read("updateType='Trade' seqNum='true'").updateType == 2);
    CHECK(read("updateType='Trade' seqNum='true'").numbered);
    CHECK(read("updateType='200' seqNum='false'").updateType == 200);
    CHECK_THROWS_AS(read("updateType='Sale'"), InputError);
    CHECK_THROWS_AS(read("updateType='256'"), InputError);
    CHECK_THROWS_AS(read("seqNum='7'"), InputError);
}

TEST_CASE("message data: messages of all kinds are read", "[messages]") {
    const TempDir dir;
    const std::string file = dir.write(
        "m.xml",
        prices("<!-- c --><refreshMsg>" +
               body(kField + "<fieldEntry fieldId='1000' dataType='RSSL_DT_RMTES_STRING' data=''/>"
                             "<fieldEntry fieldId='16' dataType='RSSL_DT_DATE' data=''/>"
                             "<fieldEntry fieldId='5000' dataType='RSSL_DT_QOS' qosTimeliness='RSSL_QOS_TIME_REALTIME' "
                             "qosRate='RSSL_QOS_RATE_TIME_CONFLATED' qosRateInfo='50' data=''/>"
                             "<fieldEntry fieldId='5001' dataType='RSSL_DT_STATE' streamState='RSSL_STREAM_OPEN' "
                             "dataState='RSSL_DATA_SUSPECT' code='RSSL_SC_TIMEOUT' text='late'/>") +
               "</refreshMsg><updateMsg>" + body(kField) + "</updateMsg><updateMsg>" + body(kField + kField) +
               "</updateMsg><postMsg><updateMsg>" + body(kField) + "</updateMsg></postMsg><genMsg>" + body(kField) +
               "</genMsg>"));
    const MessageData data = readMessageData(file, typeOf);
    REQUIRE(data.marketPrice.present);
    CHECK_FALSE(data.marketByOrder.present);
    CHECK(data.marketPrice.updates.size() == 2);
    CHECK(data.marketPrice.updates[1].fields.size() == 2);
    CHECK(data.marketPrice.posts.size() == 1);
    CHECK(data.marketPrice.generics.size() == 1);
    const FieldListTemplate& fields = data.marketPrice.refresh.fields;
    REQUIRE(fields.size() == 5);
    CHECK(fields[0].id == 22);
    CHECK(std::get<RealValue>(fields[0].content) == RealValue{15, 13});
    CHECK(std::get<std::string>(fields[1].content).empty());
    CHECK(std::holds_alternative<std::monostate>(fields[2].content));
    CHECK(std::get<QosValue>(fields[3].content) == QosValue{0, 50});
    CHECK(std::get<StateValue>(fields[4].content) == StateValue{1, 2, 2, "late"});
    CHECK(memoryUse(data.marketPrice) > 0);
    CHECK(memoryUse(data.marketByOrder) == 0);
}

TEST_CASE("message data: order books with set definitions", "[messages]") {
    const TempDir dir;
    const std::string file = dir.write("m.xml", R"(<msgFormat><marketByOrderMsgList><refreshMsg><dataBody><map>
<fieldSetDefs><fieldSetDef setId="0"><fieldSetDefEntry fieldId="3427" dataType="RSSL_DT_REAL"/>
<fieldSetDefEntry fieldId="3855" dataType="RSSL_DT_UINT_2"/></fieldSetDef></fieldSetDefs>
<mapEntry action="RSSL_MPEA_ADD_ENTRY" key="100"><fieldList setId="0">
<fieldEntry fieldId="3427" dataType="RSSL_DT_REAL" data="1.25"/></fieldList></mapEntry>
</map></dataBody></refreshMsg><updateMsg><dataBody><map>
<mapEntry action="RSSL_MPEA_DELETE_ENTRY" key="100"/></map></dataBody></updateMsg>
</marketByOrderMsgList></msgFormat>)");
    const MessageData data = readMessageData(file, typeOf);
    REQUIRE(data.marketByOrder.present);
    REQUIRE(data.marketByOrder.refresh.map.size() == 1);
    CHECK(data.marketByOrder.refresh.map[0].key == "100");
    CHECK(data.marketByOrder.refresh.map[0].action == MapEntryTemplate::Action::add);
    CHECK(data.marketByOrder.refresh.map[0].fields.size() == 1);
    CHECK(data.marketByOrder.updates[0].map[0].action == MapEntryTemplate::Action::remove);
}

TEST_CASE("message data: each fault is named with its line", "[messages]") {
    const TempDir dir;
    const std::string file = dir.file("m.xml");
    struct Case {
        std::string content;
        std::string error;  // behind file and colon
    };
    const std::vector<Case> cases = {
        {"<other/>", "1: Unrecognized element name 'other' while parsing " + file + "."},
        {"<msgFormat>\n<newsMsgList/></msgFormat>",
         "2: Unrecognized element name 'newsMsgList' while parsing " + file + "."},
        {prices("<statusMsg/>"), "3: Unrecognized element name 'statusMsg' while parsing " + file + "."},
        {prices("<updateMsg>" + body(kField) + "</updateMsg>"), "2: refreshMsg not found"},
        {prices("<refreshMsg>" + body(kField) + "</refreshMsg>"), "2: updateMsg not found"},
        {prices("<refreshMsg>" + body(kField) + "</refreshMsg>\n<refreshMsg>" + body(kField) + "</refreshMsg>"),
         "4: duplicate refreshMsg found."},
        {prices("<refreshMsg></refreshMsg>"), "3: element 'refreshMsg' should contain exactly one element, 'dataBody'"},
        {prices("<refreshMsg><dataBody/></refreshMsg>"),
         "3: element 'dataBody' should contain exactly one element, 'fieldList'"},
        {prices("<postMsg/>"), "3: element 'postMsg' should contain exactly one element, 'updateMsg'"},
        {prices("<refreshMsg>" + body("<field/>") + "</refreshMsg>"), "3: unknown node name 'field'"},
        {complete("<fieldEntry dataType='RSSL_DT_REAL' data='1'/>"), "3: missing attribute 'fieldId'"},
        {complete("<fieldEntry fieldId='22' data='1'/>"), "3: missing attribute 'dataType'"},
        {complete("<fieldEntry fieldId='22' dataType='RSSL_DT_REAL'/>"), "3: missing attribute 'data'"},
        {complete("<fieldEntry fieldId='70000' dataType='RSSL_DT_REAL' data='1'/>"), "3: invalid fieldId '70000'"},
        {complete("<fieldEntry fieldId='22' dataType='RSSL_DT_PRICE' data='1'/>"),
         "3: unknown dataType 'RSSL_DT_PRICE'"},
        {complete("\n<fieldEntry fieldId='99' dataType='RSSL_DT_REAL' data='1'/>"),
         "4: Field 99 not found in dictionary."},
        {complete("<fieldEntry fieldId='22' dataType='RSSL_DT_UINT' data='1'/>"),
         "3: Field with ID 22 has dataType mismatch with dictionary(RSSL_DT_UINT instead of RSSL_DT_REAL)"},
        {complete("<fieldEntry fieldId='3902' dataType='RSSL_DT_UINT' data='1'/>"),
         "3: Field ID 3902 is reserved and not allowed in message data."},
        {complete("<fieldEntry fieldId='22' dataType='RSSL_DT_REAL' data='much'/>"),
         "3: 'much' is not a value of type RSSL_DT_REAL"},
        {complete("<fieldEntry fieldId='5000' dataType='RSSL_DT_QOS' data='1'/>"),
         "3: attribute 'data' of a Qos or State field must be empty"},
        {complete("text"), "3: unexpected text inside element 'fieldList'"},
        {"<msgFormat>\n<open></msgFormat>", "2: Opening and ending tag mismatch: open line 2 and msgFormat"},
    };
    for (const Case& one : cases) {
        INFO(one.content);
        dir.write("m.xml", one.content);
        std::string error;
        try {
            static_cast<void>(readMessageData(file, typeOf));
        } catch (const InputError& caught) { error = caught.what(); }
        CHECK(error == "Error: " + file + ":" + one.error);
    }
    CHECK_THROWS_WITH(readMessageData(dir.file("absent.xml"), typeOf),
                      Catch::Contains("Cannot open '") && Catch::Contains("No such file or directory."));
}

TEST_CASE("the shipped message data: one image, several updates of 23 fields", "[messages]") {
    // Any dictionary agrees here; the real one is checked by the tools' own start.
    const std::string file = emissary::test::sourcePath("/etc/MsgData.xml");
    std::int32_t last = 0;
    const auto any = [&](std::int32_t id) -> std::optional<std::uint8_t> {
        last = id;
        return std::nullopt;
    };
    CHECK_THROWS_WITH(readMessageData(file, any), Catch::Contains("Field 1 not found in dictionary."));
    CHECK(last == 1);
}
