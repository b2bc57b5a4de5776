// What programs rely on when they read: payloads of every type in every place, views, RMTES caches, ripples, displays,
// texts of states and numbers, objects that were only built (ema-api.md 1.3, 2, 3, 4.1, 15).
#include "Ema.h"
#include "ema/data/misuse.h"
#include "support/paths.h"

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <tuple>
#include <utility>

using namespace ematest;
using namespace refinitiv::ema;

namespace {

/// A dictionary with a field for every container type.
const Dictionary& containerFields() {
    static const Dictionary kDictionary = [] {
        Dictionary d;
        const auto error = d.parseFields("UINT_F \"\" 1 NULL INTEGER 1 UINT 1\n"
                                         "FIELDS_F \"\" 132 NULL NONE 1 FIELD_LIST 1\n"
                                         "ELEMS_F \"\" 133 NULL NONE 1 ELEMENT_LIST 1\n"
                                         "OPAQUE_F \"\" 130 NULL NONE 1 OPAQUE 1\n"
                                         "XML_F \"\" 131 NULL NONE 1 XML 1\n"
                                         "PAGE_F \"\" 134 NULL NONE 1 ANSI_PAGE 1\n"
                                         "FILTERS_F \"\" 135 NULL NONE 1 FILTER_LIST 1\n"
                                         "VECTOR_F \"\" 136 NULL NONE 1 VECTOR 1\n"
                                         "MAP_F \"\" 137 NULL NONE 1 MAP 1\n"
                                         "SERIES_F \"\" 138 NULL NONE 1 SERIES 1\n"
                                         "MSG_F \"\" 141 NULL NONE 1 MSG 1\n"
                                         "JSON_F \"\" 142 NULL NONE 1 JSON 1\n",
                                         "test");
        if (error) throw std::runtime_error(error.text);
        return d;
    }();
    return kDictionary;
}

/// One object of every type that can be a payload, and how it is read out of a place that holds one.
struct Kind {
    DataType::DataTypeEnum type;
    Int16 field;  ///< of containerFields()
    std::unique_ptr<ComplexType> object;
    std::function<void(FieldList&, const ComplexType&)> addField;
    std::function<void(ElementList&, const ComplexType&)> addElement;
};

std::vector<Kind> everyKind() {
    std::vector<Kind> kinds;
#define KIND(Class, Type, Field, Adder, Fill)                                                                          \
    {                                                                                                                  \
        auto o = std::make_unique<Class>();                                                                            \
        Fill;                                                                                                          \
        kinds.push_back({DataType::Type, Field, std::move(o),                                                          \
                         [](FieldList& l, const ComplexType& c) { l.Adder(Field, static_cast<const Class&>(c)); },     \
                         [](ElementList& l, const ComplexType& c) { l.Adder("E", static_cast<const Class&>(c)); }});   \
    }
    KIND(FieldList, FieldListEnum, 132, addFieldList, o->info(3, 4).complete())
    KIND(ElementList, ElementListEnum, 133, addElementList, o->addUInt("u", 5).complete())
    KIND(Map, MapEnum, 137, addMap, o->addKeyUInt(7, MapEntry::DeleteEnum).complete())
    KIND(Vector, VectorEnum, 136, addVector, o->add(3, VectorEntry::ClearEnum).complete())
    KIND(Series, SeriesEnum, 138, addSeries, o->add().complete())
    KIND(FilterList, FilterListEnum, 135, addFilterList, o->add(2, FilterEntry::ClearEnum).complete())
    KIND(OmmOpaque, OpaqueEnum, 130, addOpaque, o->set(buffer("opaque")))
    KIND(OmmXml, XmlEnum, 131, addXml, o->set(EmaString("<x/>")))
    KIND(OmmAnsiPage, AnsiPageEnum, 134, addAnsiPage, o->set(buffer("page")))
    KIND(OmmJson, JsonEnum, 142, addJson, o->set(EmaString("{}")))
    KIND(ReqMsg, ReqMsgEnum, 141, addReqMsg, o->name("R").serviceId(1))
    KIND(RefreshMsg, RefreshMsgEnum, 141, addRefreshMsg, o->name("R").state())
    KIND(StatusMsg, StatusMsgEnum, 141, addStatusMsg, o->name("R").state())
    KIND(UpdateMsg, UpdateMsgEnum, 141, addUpdateMsg, o->name("R").seqNum(5))
    KIND(PostMsg, PostMsgEnum, 141, addPostMsg, o->name("R").postId(5))
    KIND(AckMsg, AckMsgEnum, 141, addAckMsg, o->ackId(5))
    KIND(GenericMsg, GenericMsgEnum, 141, addGenericMsg, o->name("R").partNum(5))
#undef KIND
    return kinds;
}

}  // namespace

TEST_CASE("payloads of every type travel in every place", "[ema][semantics]") {
    for (const Kind& kind : everyKind()) {
        INFO(DataType(kind.type).toString().c_str());
        const ComplexType& object = *kind.object;
        const auto same = [&](DataType::DataTypeEnum type, const Data& data) {
            CHECK(type == kind.type);
            CHECK(data.getDataType() == kind.type);
            CHECK(data.getCode() == Data::NoCodeEnum);
            CHECK(hex(data) == hex(object));
            CHECK(text(data.toString()) == text(object.toString()));
        };
        {
            INFO("payload and attributes");
            RefreshMsg msg;
            msg.state().name("N").attrib(object).payload(object);
            const ReceivedMsg<RefreshMsg> in(msg);
            same(in->getPayload().getDataType(), in->getPayload().getData());
            same(in->getAttrib().getDataType(), in->getAttrib().getData());
            const RefreshMsg copy(*in);
            same(copy.getPayload().getDataType(), copy.getPayload().getData());
            same(msg.getPayload().getDataType(), msg.getPayload().getData());
        }
        {
            INFO("field");
            FieldList list;
            kind.addField(list, object);
            list.addUInt(1, 9).complete();
            const auto in = received(list, &containerFields());
            const FieldList& l = in->getPayload().getFieldList();
            REQUIRE(l.forth());
            CHECK(l.getEntry().getLoadType() == kind.type);
            CHECK(hex(l.getEntry().getLoad()) == hex(object));
            REQUIRE(l.forth(EmaString("UINT_F")));
            CHECK(l.getEntry().getUInt() == 9);
        }
        {
            INFO("element");
            ElementList list;
            kind.addElement(list, object);
            list.addUInt("after", 9).complete();
            const auto in = received(list);
            const ElementList& l = in->getPayload().getElementList();
            REQUIRE(l.forth());
            same(l.getEntry().getLoadType(), l.getEntry().getLoad());
            REQUIRE(l.forth());
            CHECK(l.getEntry().getUInt() == 9);
        }
        {
            INFO("map");
            Map map;
            map.summaryData(object).addKeyUInt(1, MapEntry::AddEnum, object, buffer("P"));
            map.addKeyUInt(2, MapEntry::UpdateEnum, object).complete();
            const auto in = received(map);
            const Map& m = in->getPayload().getMap();
            same(m.getSummaryData().getDataType(), m.getSummaryData().getData());
            REQUIRE(m.forth());
            CHECK(text(m.getEntry().getPermissionData()) == "P");
            same(m.getEntry().getLoadType(), m.getEntry().getLoad());
            REQUIRE(m.forth());
            same(m.getEntry().getLoadType(), m.getEntry().getLoad());
        }
        {
            INFO("vector");
            Vector vector;
            vector.summaryData(object).add(5, VectorEntry::InsertEnum, object, buffer("P")).complete();
            const auto in = received(vector);
            const Vector& v = in->getPayload().getVector();
            same(v.getSummaryData().getDataType(), v.getSummaryData().getData());
            REQUIRE(v.forth());
            CHECK(text(v.getEntry().getPermissionData()) == "P");
            same(v.getEntry().getLoadType(), v.getEntry().getLoad());
        }
        {
            INFO("series");
            Series series;
            series.summaryData(object).add(object).add(object).complete();
            const auto in = received(series);
            const Series& s = in->getPayload().getSeries();
            same(s.getSummaryData().getDataType(), s.getSummaryData().getData());
            REQUIRE(s.forth());
            REQUIRE(s.forth());
            same(s.getEntry().getLoadType(), s.getEntry().getLoad());
        }
        {
            INFO("filter list");
            FilterList filters;
            ElementList other;
            other.complete();
            filters.add(1, FilterEntry::SetEnum, other).add(2, FilterEntry::UpdateEnum, object, buffer("P")).complete();
            const auto in = received(filters);
            const FilterList& f = in->getPayload().getFilterList();
            REQUIRE(f.forth(UInt8{2}));
            CHECK(text(f.getEntry().getPermissionData()) == "P");
            same(f.getEntry().getLoadType(), f.getEntry().getLoad());
        }
    }
}

TEST_CASE("containers nest to the allowed depth and no deeper", "[ema][semantics]") {
    // A series in a series in a series ...; the innermost is empty.
    std::vector<std::unique_ptr<Series>> levels;
    levels.push_back(std::make_unique<Series>());
    levels.back()->complete();
    for (int i = 1; i < 24; ++i) {
        auto outer = std::make_unique<Series>();
        outer->add(*levels.back()).complete();
        levels.push_back(std::move(outer));
    }
    const auto in = received(*levels.back());
    const Series* series = &in->getPayload().getSeries();
    int depth = 1;
    while (series->forth() && series->getEntry().getLoadType() == DataType::SeriesEnum) {
        series = &series->getEntry().getSeries();
        ++depth;
    }
    CHECK(depth == codec::kMaxDepth);
    CHECK(series->getEntry().getLoadType() == DataType::ErrorEnum);
    CHECK(series->getEntry().getError().getErrorCode() == OmmError::IteratorOverrunEnum);
    CHECK_NOTHROW(in->toString());
}

TEST_CASE("a broken payload of one entry does not spoil the others", "[ema][semantics]") {
    ElementList inner;
    inner.addAscii("name", "PATTERN").complete();
    Map map;
    map.addKeyUInt(1, MapEntry::AddEnum, inner).addKeyUInt(2, MapEntry::AddEnum, inner).complete();
    UpdateMsg msg;
    msg.payload(map);
    std::vector<std::byte> bytes = encode(msg);
    // The first entry's list now says that its one element is 255 bytes long.
    const auto at = std::search(bytes.begin(), bytes.end(), std::begin("PATTERN"), std::end("PATTERN") - 1,
                                [](std::byte b, char c) { return static_cast<char>(b) == c; });
    REQUIRE(at != bytes.end());
    *(at - 1) = std::byte{0x70};
    const ReceivedMsg<UpdateMsg> in(bytes);
    const Map& m = in->getPayload().getMap();
    REQUIRE(m.forth());
    const ElementList& first = m.getEntry().getElementList();
    REQUIRE(first.forth());
    CHECK(first.getEntry().getLoadType() == DataType::ErrorEnum);
    REQUIRE(m.forth());
    CHECK(m.getEntry().getKey().getUInt() == 2);
    const ElementList& second = m.getEntry().getElementList();
    REQUIRE(second.forth());
    CHECK(text(second.getEntry().getAscii()) == "PATTERN");
}

TEST_CASE("lists of names and of fields select entries", "[ema][semantics]") {
    OmmArray names;
    names.addAscii("ASK").addAscii("BID").complete();
    ElementList view;
    view.addUInt(rdm::ENAME_VIEW_TYPE, rdm::VT_ELEMENT_NAME_LIST).addArray(rdm::ENAME_VIEW_DATA, names).complete();
    ElementList list;
    list.addUInt("LOW", 1).addUInt("BID", 2).addUInt("HIGH", 3).addUInt("ASK", 4).addUInt("BID", 5).complete();
    const auto msg = received(list);
    const ElementList& in = msg->getPayload().getElementList();
    std::vector<UInt64> seen;
    while (in.forth(view))
        seen.push_back(in.getEntry().getUInt());
    CHECK(seen == std::vector<UInt64>{2, 4, 5});
    in.reset();
    REQUIRE(in.forth(EmaString("HIGH")));
    REQUIRE(in.forth(view));
    CHECK(in.getEntry().getUInt() == 4);
    SECTION("the view may be a received one") {
        const auto viewMsg = received(view);
        in.reset();
        REQUIRE(in.forth(viewMsg->getPayload().getElementList()));
        CHECK(in.getEntry().getUInt() == 2);
        REQUIRE(in.forth(viewMsg->getPayload().getElementList()));
        CHECK(in.getEntry().getUInt() == 4);
    }
    SECTION("malformed ones are refused") {
        OmmArray ids;
        ids.addInt(1).complete();
        ElementList wrong;
        wrong.addUInt(rdm::ENAME_VIEW_TYPE, rdm::VT_FIELD_ID_LIST).addArray(rdm::ENAME_VIEW_DATA, ids).complete();
        CHECK(thrownBy([&] { static_cast<void>(in.forth(wrong)); }).cls == "OmmInvalidUsageException");
        CHECK(thrownBy([&] { static_cast<void>(in.forth(ElementList().complete())); }).text.find(":ViewType") !=
              std::string::npos);
    }
}

TEST_CASE("RmtesBuffer keeps what a field shows", "[ema][semantics]") {
    RmtesBuffer cache;
    CHECK(cache.getAsUTF8().length() == 0);
    cache.apply("HELLO WORLD", 11);
    CHECK(text(cache.getAsUTF8()) == "HELLO WORLD");
    cache.apply("\x1B[6`THERE", 9);
    CHECK(text(cache.toString()) == "HELLO THERE");
    cache.apply(EmaBuffer("ABCDEF", 6)).apply(RmtesBuffer("\x1B[2`X\x1B[3b", 9));
    CHECK(text(cache.getAsUTF8()) == "ABXXXX");
    CHECK(std::string(static_cast<const char*>(cache.toString())) == "ABXXXX");
    CHECK(text(cache.apply("SHORT", 5).toString()) == "SHORT");
    const RmtesBuffer copy(cache);
    cache.clear();
    CHECK(cache.toString().empty());
    CHECK(text(copy.toString()) == "SHORT");
    SECTION("a partial update without a preceding text applies to blanks") {
        CHECK(text(RmtesBuffer(20).apply("\x1B[3`AB", 6).toString()) == "   AB");
    }
    SECTION("in both encodings") {
        // ESC % 0 announces UTF-8.
        const RmtesBuffer wide("\x1B%0\xC3\xA9\xE2\x82\xAC", 8);
        CHECK(text(wide.getAsUTF8()) == "\xC3\xA9\xE2\x82\xAC");
        REQUIRE(wide.getAsUTF16().length() == 2);
        CHECK(wide.getAsUTF16()[0] == 0xE9);
        CHECK(wide.getAsUTF16()[1] == 0x20AC);
    }
    SECTION("what is not UTF-8 becomes U+FFFD, and the text behind it stays") {
        // After ESC % 0 the bytes are the peer's: a lead without its continuation, a code written too long, half a
        // pair, one past the last code, a lead that there is not, and a sequence that the end cuts off.
        const std::pair<std::string, std::u16string> cases[] = {
            {"\xC3Z", u"\uFFFDZ"},
            {"\xE2\x82Z", u"\uFFFD\uFFFDZ"},
            {"\xE0\x80\xAF", u"\uFFFD\uFFFD\uFFFD"},
            {"\xED\xA0\x80", u"\uFFFD\uFFFD\uFFFD"},
            {"\xF4\x90\x80\x80", u"\uFFFD\uFFFD\uFFFD\uFFFD"},
            {"\xFFZZZ", u"\uFFFDZZZ"},
            {"\xF0\x9F\x98", u"\uFFFD\uFFFD\uFFFD"},
            {"\xF0\x9F\x98\x80", u"\xD83D\xDE00"},
            {"\xED\x9F\xBF\xEE\x80\x80", u"\xD7FF\xE000"},
        };
        for (const auto& [bytes, units] : cases) {
            const std::string content = "\x1B%0" + bytes;
            const RmtesBuffer shown(content.data(), static_cast<UInt32>(content.size()));
            const EmaBufferU16& wide = shown.getAsUTF16();
            CHECK(std::u16string(wide.u16_buf(), wide.u16_buf() + wide.length()) == units);
        }
    }
    SECTION("updates of a field through its entries") {
        FieldList first, second;
        first.addRmtes(3, buffer("ACME CORP")).complete();
        second.addRmtes(3, buffer("\x1B[5`INC.")).complete();
        RmtesBuffer shown;
        for (const FieldList* f : {&first, &second}) {
            const auto msg = received(*f);
            REQUIRE(msg->getPayload().getFieldList().forth());
            shown.apply(msg->getPayload().getFieldList().getEntry().getRmtes());
        }
        CHECK(text(shown.toString()) == "ACME INC.");
    }
    SECTION("broken commands are refused and change nothing") {
        RmtesBuffer kept("KEPT", 4);
        CHECK_USAGE(InvalidDataEnum, kept.apply("\x1B[2", 3));
        CHECK_USAGE(InvalidDataEnum, kept.apply("\x1B[2q", 4));
        CHECK(text(kept.toString()) == "KEPT");
        CHECK_USAGE(InvalidDataEnum, kept.apply("\x1B[99999`X", 9));
    }
}

TEST_CASE("ripples and displays come from the dictionary", "[ema][semantics]") {
    FieldList fields;
    fields.addReal(22, 1, OmmReal::Exponent0Enum).addEnum(4, 60000).addUInt(-31000, 1).complete();
    const auto msg = received(fields);
    const FieldList& in = msg->getPayload().getFieldList();
    REQUIRE(in.forth());
    std::string chain;
    for (Int16 id = in.getEntry().getRippleTo(); id != 0; id = in.getEntry().getRippleTo(id))
        chain += std::to_string(id) + " ";
    CHECK(chain.rfind("23 24 6122 ", 0) == 0);
    CHECK(text(in.getEntry().getRippleToName(23)) == "BID_2");
    CHECK(in.getEntry().getRippleTo(-31000) == 0);
    REQUIRE(in.forth());
    CHECK_FALSE(in.getEntry().hasEnumDisplay());
    CHECK(thrownBy([&] { static_cast<void>(in.getEntry().getEnumDisplay()); }).text.find("hasEnumDisplay()") !=
          std::string::npos);
    REQUIRE(in.forth());
    CHECK(in.getEntry().getRippleTo() == 0);
    CHECK(in.getEntry().getName().empty());
    const auto noDictionary = received(fields, nullptr);
    REQUIRE(noDictionary->getPayload().getFieldList().forth());
    CHECK(noDictionary->getPayload().getFieldList().getEntry().getRippleTo() == 0);
    CHECK_FALSE(noDictionary->getPayload().getFieldList().getEntry().hasEnumDisplay());
}

TEST_CASE("states say what they are in words", "[ema][semantics]") {
    const auto read = [](const std::function<void(const OmmState&)>& look, int stream, int data, int code) {
        ElementList list;
        list.addState("s", static_cast<OmmState::StreamState>(stream), static_cast<OmmState::DataState>(data),
                      static_cast<UInt8>(code), "t")
            .complete();
        const auto msg = received(list);
        REQUIRE(msg->getPayload().getElementList().forth());
        look(msg->getPayload().getElementList().getEntry().getState());
    };
    const char* streams[] = {"Open", "NonStreaming", "ClosedRecover", "Closed", "ClosedRedirected"};
    const char* streamTexts[] = {"Open", "Non-streaming", "Closed, Recoverable", "Closed", "Redirected"};
    for (int i = 0; i < 5; ++i)
        read(
            [&](const OmmState& s) {
                CHECK(text(s.getStreamStateAsString()) == streams[i]);
                CHECK(text(s.toString()) == std::string(streamTexts[i]) + " / Ok / None / 't'");
            },
            i + 1, 1, 0);
    const char* datas[] = {"NoChange", "Ok", "Suspect"};
    const char* dataTexts[] = {"No Change", "Ok", "Suspect"};
    for (int i = 0; i < 3; ++i)
        read(
            [&](const OmmState& s) {
                CHECK(text(s.getDataStateAsString()) == datas[i]);
                CHECK(text(s.toString()) == std::string("Open / ") + dataTexts[i] + " / None / 't'");
            },
            1, i, 0);
    const std::tuple<int, const char*, const char*> codes[] = {
        {0, "None", "None"},
        {1, "NotFound", "Not found"},
        {2, "Timeout", "Timeout"},
        {3, "NotAuthorized", "Not entitled"},
        {4, "InvalidArgument", "Invalid argument"},
        {5, "UsageError", "Usage error"},
        {6, "Preempted", "Preempted"},
        {7, "JustInTimeConflationStarted", "JIT conflation started"},
        {8, "TickByTickResumed", "Realtime resumed"},
        {9, "FailoverStarted", "Failover started"},
        {10, "FailoverCompleted", "Failover completed"},
        {11, "GapDetected", "Gap detected"},
        {12, "NoResources", "No resources"},
        {13, "TooManyItems", "Too many items"},
        {14, "AlreadyOpen", "Already open"},
        {15, "SourceUnknown", "Source unknown"},
        {16, "NotOpen", "Not open"},
        {19, "NonUpdatingItem", "Non-updating item"},
        {20, "UnsupportedViewType", "Unsupported view type"},
        {21, "InvalidView", "Invalid view"},
        {22, "FullViewProvided", "Full view provided"},
        {23, "UnableToRequestAsBatch", "Unable to request as batch"},
        {28, "Error", "Internal error from sender"}};
    for (const auto& [code, name, words] : codes)
        read(
            [&, n = name, w = words](const OmmState& s) {
                CHECK(text(s.getStatusCodeAsString()) == n);
                CHECK(text(s.toString()) == std::string("Open / Ok / ") + w + " / 't'");
            },
            1, 1, code);
    read([](const OmmState& s) { CHECK(text(s.getStatusCodeAsString()) == "Unknown StatusCode value 200"); }, 1, 1,
         200);
}

TEST_CASE("numbers say what they are in words", "[ema][semantics]") {
    const auto real = [](Int64 mantissa, OmmReal::MagnitudeType magnitude,
                         const std::function<void(const OmmReal&)>& look) {
        ElementList list;
        list.addReal("r", mantissa, magnitude).complete();
        const auto msg = received(list);
        REQUIRE(msg->getPayload().getElementList().forth());
        look(msg->getPayload().getElementList().getEntry().getReal());
    };
    for (int i = 0; i <= 21; ++i)
        real(5, static_cast<OmmReal::MagnitudeType>(i), [&](const OmmReal& r) {
            CHECK(text(r.getMagnitudeTypeAsString()) == "Power of " + std::to_string(i - 14));
            CHECK(r.getAsDouble() == Approx(5 * std::pow(10, i - 14)));
        });
    for (int i = 22; i <= 30; ++i)
        real(5, static_cast<OmmReal::MagnitudeType>(i), [&](const OmmReal& r) {
            CHECK(text(r.getMagnitudeTypeAsString()) == "Divisor of " + std::to_string(1 << (i - 22)));
            CHECK(r.getAsDouble() == Approx(5.0 / (1 << (i - 22))));
        });
    const auto special = [&](OmmReal::MagnitudeType magnitude, const char* words) {
        real(0, magnitude, [&](const OmmReal& r) {
            CHECK(text(r.getMagnitudeTypeAsString()) == words);
            CHECK(text(r.toString()) == words);
        });
    };
    special(OmmReal::InfinityEnum, "Inf");
    special(OmmReal::NegInfinityEnum, "-Inf");
    special(OmmReal::NotANumberEnum, "NaN");
    real(0, OmmReal::NotANumberEnum, [](const OmmReal& r) { CHECK(std::isnan(r.getAsDouble())); });
    real(0, OmmReal::NegInfinityEnum,
         [](const OmmReal& r) { CHECK(r.getAsDouble() == -std::numeric_limits<double>::infinity()); });
    real(3990, OmmReal::ExponentNeg3Enum, [](const OmmReal& r) { CHECK(text(r.toString()) == "3.990"); });
    real(5, OmmReal::ExponentPos2Enum, [](const OmmReal& r) { CHECK(text(r.toString()) == "500"); });
    real(27, OmmReal::Divisor4Enum, [](const OmmReal& r) { CHECK(text(r.toString()) == "6 3/4"); });
    real(-5, OmmReal::ExponentNeg1Enum, [](const OmmReal& r) { CHECK(text(r.toString()) == "-0.5"); });
}

TEST_CASE("addRealFromDouble rounds to its magnitude", "[ema][semantics]") {
    const auto mantissa = [](double value, OmmReal::MagnitudeType magnitude) {
        ElementList list;
        list.addRealFromDouble("r", value, magnitude).complete();
        const auto msg = received(list);
        REQUIRE(msg->getPayload().getElementList().forth());
        const OmmReal& r = msg->getPayload().getElementList().getEntry().getReal();
        CHECK(r.getMagnitudeType() == magnitude);
        return r.getMantissa();
    };
    CHECK(mantissa(2.5, OmmReal::ExponentNeg1Enum) == 25);
    CHECK(mantissa(1.0051, OmmReal::ExponentNeg2Enum) == 101);
    CHECK(mantissa(-0.129, OmmReal::ExponentNeg2Enum) == -13);
    CHECK(mantissa(2.75, OmmReal::Divisor4Enum) == 11);
    CHECK(mantissa(1234567, OmmReal::ExponentPos3Enum) == 1235);
}

TEST_CASE("dates and times keep blanks and order of parts", "[ema][semantics]") {
    ElementList list;
    list.addDate("d", 2024, 2, 9).addTime("t", 10, 20, 30, 40, 50, 60).addTime("m", 10, 20, 255, 65535, 2047, 2047);
    list.addDateTime("dt", 2024, 12, 31, 23, 59, 59, 999, 999, 999).addDate("none", 0, 0, 0).complete();
    const auto msg = received(list);
    const ElementList& in = msg->getPayload().getElementList();
    REQUIRE(in.forth());
    CHECK(text(in.getEntry().getDate().toString()) == "09 FEB 2024");
    REQUIRE(in.forth());
    CHECK(text(in.getEntry().getTime().toString()) == "10:20:30:040:050:060");
    REQUIRE(in.forth());
    CHECK(in.getEntry().getTime().getSecond() == 255);
    CHECK(in.getEntry().getTime().getMillisecond() == 65535);
    CHECK(in.getEntry().getTime().getMicrosecond() == 2047);
    CHECK(text(in.getEntry().getTime().toString()) == "10:20");
    REQUIRE(in.forth());
    const OmmDateTime& both = in.getEntry().getDateTime();
    CHECK(text(both.toString()) == "31 DEC 2024 23:59:59:999:999:999");
    CHECK(both.getMonth() == 12);
    CHECK(both.getNanosecond() == 999);
    REQUIRE(in.forth());
    CHECK(in.getEntry().getCode() == Data::BlankEnum);
}

TEST_CASE("built objects read back and print without a wire", "[ema][semantics]") {
    FieldList fields;
    fields.info(1, 2).addReal(22, 1025, OmmReal::ExponentNeg2Enum).addEnum(4, 1).complete();
    rdm::DataDictionary dictionary;
    dictionary.loadFieldDictionary(emissary::test::sourcePath("/etc/RDMFieldDictionary").c_str());
    dictionary.loadEnumTypeDictionary(emissary::test::sourcePath("/etc/enumtype.def").c_str());
    const std::string shown = "FieldList FieldListNum=\"2\" DictionaryId=\"1\"\n"
                              "    FieldEntry fid=\"22\" name=\"BID\" dataType=\"Real\" value=\"10.25\"\n"
                              "    FieldEntry fid=\"4\" name=\"RDN_EXCHID\" dataType=\"Enum\" value=\"1\"\n"
                              "FieldListEnd\n";
    CHECK(text(fields.toString(dictionary)) == shown);
    CHECK(fields.hasInfo());
    CHECK(fields.getInfoDictionaryId() == 1);
    Map map;
    map.totalCountHint(3).addKeyAscii("K", MapEntry::AddEnum, fields).complete();
    CHECK(map.getTotalCountHint() == 3);
    REQUIRE(map.forth());
    CHECK(text(map.getEntry().getKey().getAscii()) == "K");
    map.reset();
    CHECK(text(map.toString(dictionary)).find("name=\"BID\" dataType=\"Real\" value=\"10.25\"") != std::string::npos);
    UpdateMsg update;
    update.name("N").payload(fields);
    const std::string whole = text(update.toString(dictionary));
    CHECK(whole.find("        FieldList FieldListNum=\"2\"") != std::string::npos);
    CHECK(whole.find("name=\"BID\"") != std::string::npos);
    CHECK(text(update.toString()).find("ErrorCode=\"NoDictionary\"") != std::string::npos);
    ElementList elements;
    elements.addUInt("u", 1).complete();
    REQUIRE(elements.forth());
    CHECK(elements.getEntry().getUInt() == 1);
    OmmArray array;
    array.addInt(1).addInt(2).complete();
    REQUIRE(array.forth());
    CHECK(array.getEntry().getInt() == 1);
    CHECK(text(array.toString(dictionary)) ==
          "OmmArray with entries of dataType=\"Int\"\n    value=\"1\"\n    value=\"2\"\nOmmArrayEnd\n");
    OmmXml xml;
    xml.set(EmaString("<a/>"));
    CHECK(text(xml.toString(dictionary)) == "Xml\n    <a/>\nXmlEnd\n");
}

TEST_CASE("the text of an object that is still being built changes nothing", "[ema][semantics]") {
    const std::string sentence = "\nDecoding of just encoded object in the same application is not supported\n";
    FieldList fields;
    fields.addUInt(1, 5);
    CHECK(text(fields.toString()) == sentence);
    fields.addUInt(1, 6).complete();
    const auto msg = received(fields);
    REQUIRE(msg->getPayload().getFieldList().forth());
    REQUIRE(msg->getPayload().getFieldList().forth());
    CHECK(msg->getPayload().getFieldList().getEntry().getUInt() == 6);
    Map map;
    FieldList child;
    map.addKeyUInt(1, MapEntry::AddEnum, child);
    CHECK(text(map.toString()) == sentence);
    child.complete();
    CHECK_NOTHROW(map.complete());
}

TEST_CASE("encoded bytes of what was received", "[ema][semantics]") {
    ElementList list;
    list.addUInt("u", 258).addAscii("a", "AB").addReal("r", 391, OmmReal::ExponentNeg2Enum).complete();
    const auto msg = received(list);
    const ElementList& in = msg->getPayload().getElementList();
    CHECK(hex(in) == hex(list));
    REQUIRE(in.forth());
    CHECK(hex(in.getEntry().getLoad()) == "0102");
    REQUIRE(in.forth());
    CHECK(hex(in.getEntry().getLoad()) == "4142");
    REQUIRE(in.forth());
    CHECK(hex(in.getEntry().getLoad()) == "0c0187");
    CHECK(hex(*msg) == codec::model::hex(encode(*msg)));
}

TEST_CASE("a refused entry leaves its container as it was", "[ema][semantics]") {
    ElementList open;
    open.addInt("i", 1);
    FieldList fields;
    fields.addUInt(1, 5).complete();
    SECTION("map: neither the type of keys nor that of entries is fixed") {
        Map map, fresh;
        CHECK_USAGE(InvalidOperationEnum, map.addKeyInt(1, MapEntry::AddEnum, open));
        map.addKeyAscii("K", MapEntry::AddEnum, fields).complete();
        fresh.addKeyAscii("K", MapEntry::AddEnum, fields).complete();
        CHECK(hex(map) == hex(fresh));
        CHECK_USAGE(InvalidOperationEnum, map.addKeyAscii("L", MapEntry::AddEnum, fields));
        CHECK(hex(map) == hex(fresh));
    }
    SECTION("a completed map without payloads is not rewritten by a late entry") {
        Map map;
        map.addKeyUInt(1, MapEntry::DeleteEnum).complete();
        const std::string before = hex(map);
        CHECK_USAGE(InvalidOperationEnum, map.addKeyUInt(2, MapEntry::AddEnum, fields));
        CHECK(hex(map) == before);
    }
    SECTION("vector and series") {
        Vector vector, freshVector;
        CHECK_USAGE(InvalidOperationEnum, vector.add(0, VectorEntry::SetEnum, open));
        vector.add(0, VectorEntry::SetEnum, fields).complete();
        freshVector.add(0, VectorEntry::SetEnum, fields).complete();
        CHECK(hex(vector) == hex(freshVector));
        Series series, freshSeries;
        CHECK_USAGE(InvalidOperationEnum, series.add(open));
        series.add(fields).complete();
        freshSeries.add(fields).complete();
        CHECK(hex(series) == hex(freshSeries));
        Vector late;
        late.add(0, VectorEntry::ClearEnum).complete();
        const std::string before = hex(late);
        CHECK_USAGE(InvalidOperationEnum, late.add(1, VectorEntry::SetEnum, fields));
        CHECK(hex(late) == before);
    }
}

TEST_CASE("actions and nack codes have words", "[ema][semantics]") {
    Vector vector;
    for (const auto action : {VectorEntry::UpdateEnum, VectorEntry::SetEnum, VectorEntry::ClearEnum,
                              VectorEntry::InsertEnum, VectorEntry::DeleteEnum})
        vector.add(0, action, FieldList().complete());
    vector.complete();
    const auto v = received(vector);
    std::string words;
    while (v->getPayload().getVector().forth())
        words += text(v->getPayload().getVector().getEntry().getVectorActionAsString()) + " ";
    CHECK(words == "Update Set Clear Insert Delete ");
    Map map;
    for (const auto action : {MapEntry::UpdateEnum, MapEntry::AddEnum, MapEntry::DeleteEnum})
        map.addKeyUInt(1, action);
    map.complete();
    const auto m = received(map);
    words.clear();
    while (m->getPayload().getMap().forth())
        words += text(m->getPayload().getMap().getEntry().getMapActionAsString()) + " ";
    CHECK(words == "Update Add Delete ");
    AckMsg ack;
    const std::pair<int, const char*> nacks[] = {{0, "None"},       {1, "AccessDenied"},   {2, "DeniedBySource"},
                                                 {3, "SourceDown"}, {4, "SourceUnknown"},  {5, "NoResources"},
                                                 {6, "NoResponse"}, {7, "GatewayDown"},    {10, "SymbolUnknown"},
                                                 {11, "NotOpen"},   {12, "InvalidContent"}};
    for (const auto& [code, name] : nacks)
        CHECK(text(ack.nackCode(static_cast<UInt8>(code)).getNackCodeAsString()) == name);
}

TEST_CASE("request numbers have words", "[ema][semantics]") {
    const auto words = [](UInt32 timeliness, UInt32 rate) {
        const ReqMsg m(ReqMsg().qos(timeliness, rate));
        return text(m.getTimelinessAsString()) + "/" + text(m.getRateAsString());
    };
    CHECK(words(ReqMsg::RealTimeEnum, ReqMsg::TickByTickEnum) == "RealTime/TickByTick");
    CHECK(words(ReqMsg::BestDelayedTimelinessEnum, ReqMsg::JustInTimeConflatedEnum) ==
          "BestDelayedTimeliness/JustInTimeConflatedrate");
    CHECK(words(ReqMsg::BestTimelinessEnum, ReqMsg::BestConflatedRateEnum) == "BestTimeliness/BestConflatedRate");
    CHECK(words(20, 100) == "QosTimeliness on ReqMsg. Value = 20/Rate on ReqMsg. Value = 100");
}
