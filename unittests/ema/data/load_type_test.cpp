// One load after another, of every ordered pair of types: the objects that an entry keeps and re-points are of the
// class that the type says, whatever was there before (ema-api.md 2, 3).
#include "Ema.h"
#include "data/MsgAccess.h"
#include "support.h"

#include "eta/codec/containers.h"
#include "eta/codec/encoders.h"

#include <typeinfo>

using namespace ematest;
using emissary::eta::BeWriter;

namespace {

using Wire = codec::DataType;

/// A value of one type: its bytes, the class that it is shown as, and its text when nothing came before it.
struct Sample {
    std::string word;  ///< of a field dictionary
    DataType::DataTypeEnum type = DataType::ErrorEnum;
    const std::type_info* cls = nullptr;  ///< null: a class without a public name
    Wire wire = Wire::Unknown;
    Block bytes;
    std::string text;
};

Block elementList(const std::vector<const Sample*>& entries) {
    return written([&](BeWriter& out) {
        codec::ElementListEncoder list;
        list.begin(out);
        for (const Sample* s : entries)
            if (s->wire == Wire::NoData) list.element(s->word, s->wire);
            else list.add(s->word, s->wire, s->bytes);
        REQUIRE(list.complete().ok());
    });
}
/// An update around bytes that no public class need have made.
Block update(Wire type, const Block& payload) {
    codec::Msg msg;
    msg.cls = codec::MsgClass::Update;
    msg.domain = refinitiv::ema::rdm::MMT_MARKET_PRICE;
    msg.containerType = type;
    msg.payload = payload;
    return written([&](BeWriter& out) { REQUIRE(codec::encodeMsg(out, msg).ok()); });
}

template <class Add>
Sample sample(const char* word, DataType::DataTypeEnum type, const std::type_info& cls, Add add) {
    ElementList one;
    add(one);
    one.complete();
    const ReceivedMsg<UpdateMsg> msg(UpdateMsg().payload(one));
    const ElementList& in = msg->getPayload().getElementList();
    REQUIRE(in.forth());
    Sample s{word, type, &cls, {}, {}, text(in.getEntry().getLoad().toString())};
    const std::string whole = text(in.getAsHex());
    codec::ElementListDecoder list;
    codec::ElementEntry e;
    REQUIRE(list.start({reinterpret_cast<const std::byte*>(whole.data()), whole.size()}, nullptr).ok());
    REQUIRE(list.next(e));
    s.wire = e.type;
    s.bytes.assign(e.data.begin(), e.data.end());
    return s;
}

std::vector<Sample> primitives() {
    std::vector<Sample> all;
    const EmaString k("k");
#define SAMPLE(Word, Name, Class, ...)                                                                                 \
    all.push_back(                                                                                                     \
        sample(Word, DataType::Name##Enum, typeid(Class), [&](ElementList& l) { l.add##Name(k, __VA_ARGS__); }))
    SAMPLE("INT", Int, OmmInt, -5);
    SAMPLE("UINT", UInt, OmmUInt, 7u);
    SAMPLE("FLOAT", Float, OmmFloat, 1.5f);
    SAMPLE("DOUBLE", Double, OmmDouble, -2.25);
    SAMPLE("REAL", Real, OmmReal, 391, OmmReal::ExponentNeg2Enum);
    SAMPLE("DATE", Date, OmmDate, 2025, 3, 17);
    SAMPLE("TIME", Time, OmmTime, 12, 30, 15);
    SAMPLE("DATETIME", DateTime, OmmDateTime, 2025, 3, 17, 12, 30, 15);
    SAMPLE("QOS", Qos, OmmQos, 20u, 100u);
    SAMPLE("STATE", State, OmmState, OmmState::ClosedEnum, OmmState::SuspectEnum, 1, "gone");
    SAMPLE("ENUM", Enum, OmmEnum, 300);
    SAMPLE("BUFFER", Buffer, OmmBuffer, buffer("\x01\x02"));
    SAMPLE("ASCII_STRING", Ascii, OmmAscii, "ascii");
    SAMPLE("UTF8_STRING", Utf8, OmmUtf8, buffer("\xC3\xA9"));
    SAMPLE("RMTES_STRING", Rmtes, OmmRmtes, buffer("rmtes"));
    return all;
}
std::vector<Sample> containers() {
    std::vector<Sample> all;
    const EmaString k("k");
    FieldList fields;
    fields.addUInt(1, 62).complete();
    ElementList elements;
    elements.addUInt("inner", 4).complete();
    SAMPLE("FIELD_LIST", FieldList, FieldList, fields);
    SAMPLE("ELEMENT_LIST", ElementList, ElementList, elements);
    SAMPLE("MAP", Map, Map, Map().addKeyUInt(1, MapEntry::AddEnum, fields).complete());
    SAMPLE("VECTOR", Vector, Vector, Vector().add(1, VectorEntry::SetEnum, fields).complete());
    SAMPLE("SERIES", Series, Series, Series().add(elements).complete());
    SAMPLE("FILTER_LIST", FilterList, FilterList, FilterList().add(1, FilterEntry::SetEnum, fields).complete());
    SAMPLE("OPAQUE", Opaque, OmmOpaque, OmmOpaque().set(EmaString("opaque")));
    SAMPLE("XML", Xml, OmmXml, OmmXml().set(EmaString("<xml/>")));
    SAMPLE("ANSI_PAGE", AnsiPage, OmmAnsiPage, OmmAnsiPage().set(EmaString("page")));
    SAMPLE("JSON", Json, OmmJson, OmmJson().set(EmaString("{}")));
    SAMPLE("MSG", ReqMsg, ReqMsg, ReqMsg().name("request"));
    SAMPLE("MSG", RefreshMsg, RefreshMsg, RefreshMsg().name("refresh"));
    SAMPLE("MSG", StatusMsg, StatusMsg, StatusMsg().name("status"));
    SAMPLE("MSG", UpdateMsg, UpdateMsg, UpdateMsg().name("update"));
    SAMPLE("MSG", PostMsg, PostMsg, PostMsg().name("post"));
    SAMPLE("MSG", AckMsg, AckMsg, AckMsg().name("ack"));
    SAMPLE("MSG", GenericMsg, GenericMsg, GenericMsg().name("generic"));
#undef SAMPLE
    return all;
}
std::vector<Sample> everyType() {
    std::vector<Sample> all = primitives();
    for (Sample& s : containers())
        all.push_back(std::move(s));
    all.push_back(sample("ARRAY", DataType::ArrayEnum, typeid(OmmArray),
                         [](ElementList& l) { l.addArray("k", OmmArray().addUInt(5).complete()); }));
    // An unsigned integer of nine bytes is none.
    all.push_back({"UINT", DataType::ErrorEnum, &typeid(OmmError), Wire::UInt, Block(9, std::byte{1}),
                   "OmmError\n    ErrorCode=\"IncompleteData\"\nOmmErrorEnd\n"});
    return all;
}

/// The load is what the sample says, and nothing of what came before it.
template <class Entry>
void checkLoad(const Entry& e, const Sample& expected, const char* before) {
    INFO(expected.word << " after " << before);
    CHECK(e.getLoadType() == expected.type);
    const Data& load = e.getLoad();
    CHECK(load.getDataType() == expected.type);
    if (expected.cls != nullptr) {
        INFO("it is of the class " << typeid(load).name());
        CHECK(typeid(load) == *expected.cls);
    }
    CHECK(text(load.toString()) == expected.text);
}

}  // namespace

TEST_CASE("every type after every type in an element list is of its own class", "[ema][container][load]") {
    std::vector<Sample> all = everyType();
    all.push_back({"NODATA", DataType::NoDataEnum, nullptr, Wire::NoData, {}, "NoData\nNoDataEnd\n"});
    for (const Sample& first : all)
        for (const Sample& second : all) {
            // Three entries: the first object serves again after the second type's was made.
            const ReceivedMsg<UpdateMsg> msg(update(Wire::ElementList, elementList({&first, &second, &first})));
            const ElementList& in = msg->getPayload().getElementList();
            REQUIRE(in.forth());
            checkLoad(in.getEntry(), first, "nothing");
            REQUIRE(in.forth());
            checkLoad(in.getEntry(), second, first.word.c_str());
            REQUIRE(in.forth());
            checkLoad(in.getEntry(), first, second.word.c_str());
            CHECK_FALSE(in.forth());
        }
}

TEST_CASE("every type after every type in a field list is of its own class", "[ema][container][load]") {
    const std::vector<Sample> all = everyType();
    Dictionary dictionary;
    std::string fields;
    for (std::size_t i = 0; i < all.size(); ++i)
        fields += "F" + std::to_string(i) + " \"F\" " + std::to_string(i + 1) + " NULL NONE 1 " + all[i].word + " 1\n";
    REQUIRE(dictionary.parseFields(fields, "every type").text.empty());
    for (std::size_t a = 0; a < all.size(); ++a)
        for (std::size_t b = 0; b < all.size(); ++b) {
            const Block list = written([&](BeWriter& out) {
                codec::FieldListEncoder encoder;
                encoder.begin(out);
                for (const std::size_t i : {a, b, a})
                    encoder.add(static_cast<std::int16_t>(i + 1), all[i].bytes);
                REQUIRE(encoder.complete().ok());
            });
            const ReceivedMsg<UpdateMsg> msg(update(Wire::FieldList, list), &dictionary);
            const FieldList& in = msg->getPayload().getFieldList();
            const char* before = "nothing";
            for (const std::size_t i : {a, b, a}) {
                REQUIRE(in.forth());
                // Fields of contained lists are not in this dictionary, so that texts inside differ.
                Sample expected = all[i];
                expected.text = text(in.getEntry().getLoad().toString());
                checkLoad(in.getEntry(), expected, before);
                before = all[i].word.c_str();
            }
        }
}

TEST_CASE("arrays of every type after arrays of every type hold values of their own class", "[ema][container][load]") {
    const std::vector<Sample> all = primitives();
    std::vector<Sample> arrays;
    for (const Sample& s : all) {
        Sample array{s.word, s.type, s.cls, Wire::Array, {}, s.text};
        array.bytes = written([&](BeWriter& out) {
            codec::ArrayEncoder encoder;
            encoder.begin(out, s.wire, 0);
            encoder.add(s.bytes);
            REQUIRE(encoder.complete().ok());
        });
        arrays.push_back(std::move(array));
    }
    for (const Sample& first : arrays)
        for (const Sample& second : arrays) {
            const ReceivedMsg<UpdateMsg> msg(update(Wire::ElementList, elementList({&first, &second, &first})));
            const ElementList& in = msg->getPayload().getElementList();
            const char* before = "nothing";
            for (const Sample* s : {&first, &second, &first}) {
                REQUIRE(in.forth());
                const OmmArray& array = in.getEntry().getArray();
                REQUIRE(array.forth());
                checkLoad(array.getEntry(), *s, before);
                before = s->word.c_str();
            }
        }
}

TEST_CASE("map keys of every type after keys of every type are of their own class", "[ema][container][load]") {
    std::vector<Sample> maps;
    for (const Sample& s : primitives()) {
        Sample map = s;
        map.wire = Wire::Map;
        map.bytes = written([&](BeWriter& out) {
            codec::MapEncoder encoder;
            encoder.begin(out, {}, s.wire);
            encoder.add(codec::MapAction::del, s.bytes, {});
            REQUIRE(encoder.complete().ok());
        });
        maps.push_back(std::move(map));
    }
    for (const Sample& first : maps)
        for (const Sample& second : maps) {
            const ReceivedMsg<UpdateMsg> msg(update(Wire::ElementList, elementList({&first, &second, &first})));
            const ElementList& in = msg->getPayload().getElementList();
            for (const Sample* s : {&first, &second, &first}) {
                REQUIRE(in.forth());
                const Map& map = in.getEntry().getMap();
                REQUIRE(map.forth());
                INFO(s->word << " of " << first.word << ", " << second.word);
                const Data& key = map.getEntry().getKey().getData();
                CHECK(map.getEntry().getKey().getDataType() == s->type);
                CHECK(typeid(key) == *s->cls);
                CHECK(text(key.toString()) == s->text);
            }
        }
}

TEST_CASE("contents of every type after contents of every type are of their own class", "[ema][container][load]") {
    std::vector<Sample> series;
    const std::vector<Sample> all = containers();
    for (const Sample& s : all) {
        Sample e = s;
        e.wire = Wire::Series;
        e.bytes = written([&](BeWriter& out) {
            codec::SeriesEncoder encoder;
            codec::EntryContainerHeader header;
            header.entryType = s.wire;
            header.hasSummary = true;
            header.summary = s.bytes;
            encoder.begin(out, header);
            encoder.add(s.bytes);
            REQUIRE(encoder.complete().ok());
        });
        series.push_back(std::move(e));
    }
    UpdateMsg reused;
    for (std::size_t a = 0; a < all.size(); ++a)
        for (std::size_t b = 0; b < all.size(); ++b) {
            INFO(all[b].word << " after " << all[a].word);
            // A filter list mixes types.
            const Block list = written([&](BeWriter& out) {
                codec::FilterListEncoder encoder;
                encoder.begin(out, Wire::NoData);
                for (const std::size_t i : {a, b, a})
                    encoder.add(codec::FilterAction::set, 1, all[i].wire, all[i].bytes);
                REQUIRE(encoder.complete().ok());
            });
            const ReceivedMsg<UpdateMsg> filters(update(Wire::FilterList, list));
            const FilterList& in = filters->getPayload().getFilterList();
            // Series (and maps and vectors, which have the same base) are of another type each time.
            const ReceivedMsg<UpdateMsg> lists(
                update(Wire::ElementList, elementList({&series[a], &series[b], &series[a]})));
            const ElementList& elements = lists->getPayload().getElementList();
            for (const std::size_t i : {a, b, a}) {
                REQUIRE(in.forth());
                checkLoad(in.getEntry(), all[i], "another");
                REQUIRE(elements.forth());
                const Series& s = elements.getEntry().getSeries();
                REQUIRE(s.forth());
                checkLoad(s.getEntry(), all[i], "another");
                const Data& summary = s.getSummaryData().getData();
                CHECK(s.getSummaryData().getDataType() == all[i].type);
                CHECK(typeid(summary) == *all[i].cls);
                // One message object serves many messages.
                codec::Msg wire;
                wire.cls = codec::MsgClass::Update;
                wire.flags = codec::UpdateFlag::msgKey;
                wire.key.flags = codec::KeyFlag::attrib;
                wire.containerType = wire.key.attribType = all[i].wire;
                wire.payload = wire.key.attrib = all[i].bytes;
                const emissary::ema::DecodeContext context{&shippedFields(), {}, false};
                emissary::ema::MsgAccess::point(reused, wire, context);
                for (const Data* d : {static_cast<const Data*>(&reused.getPayload().getData()),
                                      static_cast<const Data*>(&reused.getAttrib().getData())}) {
                    CHECK(typeid(*d) == *all[i].cls);
                    CHECK(text(d->toString()) == all[i].text);
                }
                reused.clear();
            }
        }
}
