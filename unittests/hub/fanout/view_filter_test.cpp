// What views leave of payloads.
#include "fixture.h"

using namespace emissary;
using namespace emissary::test;
using codec::DataType;
using fanout::ViewFilter;
using reactor::rdm::View;
using Left = ViewFilter::Left;

namespace {

const View kBid{View::Kind::fields, {22, 30}, {}}, kNames{View::Kind::elements, {}, {"A", "C"}};

struct Filtered {
    Left left = Left::malformed;
    std::vector<std::byte> bytes;
};
Filtered filtered(const View& view, DataType type, eta::Bytes payload) {
    static ViewFilter filter;
    eta::GrowingBuffer out(16);
    Filtered result;
    result.left = filter.filter(view, type, payload, out.start());
    result.bytes.assign(out.view().begin(), out.view().end());
    return result;
}

template <class Write>
std::vector<std::byte> written(Write write) {
    std::vector<std::byte> room(4096);
    eta::BeWriter out(room);
    write(out);
    REQUIRE(out.ok());
    room.resize(out.size());
    return room;
}

std::vector<std::byte> elements(const std::vector<std::string>& names) {
    return written([&](eta::BeWriter& out) {
        codec::ElementListEncoder list;
        list.begin(out, 9);
        for (const std::string& n : names)
            list.addAscii(n, "value of " + n);
        REQUIRE(list.complete().ok());
    });
}

}  // namespace

TEST_CASE("fields of a view, in the order and with the numbers of the list", "[hub][fanout][view]") {
    const auto payload = fields({{3, 7}, {22, 1}, {25, 2}, {30, 70000}});
    const Filtered f = filtered(kBid, DataType::FieldList, payload);
    CHECK(f.left == Left::something);
    CHECK(f.bytes == fields({{22, 1}, {30, 70000}}));
    CHECK(filtered(kBid, DataType::FieldList, fields({{25, 2}})).left == Left::nothing);
    CHECK(filtered(kBid, DataType::FieldList, fields({{25, 2}})).bytes == fields({}));
    CHECK(filtered(kBid, DataType::FieldList, {}).left == Left::nothing);
    // A view of names leaves field lists alone.
    CHECK(filtered(kNames, DataType::FieldList, payload).bytes == payload);
}

TEST_CASE("a field list that is cut anywhere is malformed, and never read beyond", "[hub][fanout][view]") {
    const auto payload = fields({{22, 1}, {25, 2}, {30, 3}});
    for (std::size_t size = 1; size < payload.size(); ++size) {
        const std::vector<std::byte> cut(payload.begin(), payload.begin() + static_cast<std::ptrdiff_t>(size));
        CHECK(filtered(kBid, DataType::FieldList, cut).left == Left::malformed);
    }
}

TEST_CASE("elements by name", "[hub][fanout][view]") {
    const auto payload = elements({"C", "B", "A", "D"});
    CHECK(filtered(kNames, DataType::ElementList, payload).bytes == elements({"C", "A"}));
    CHECK(filtered(kNames, DataType::ElementList, elements({"B"})).left == Left::nothing);
    CHECK(filtered(kBid, DataType::ElementList, payload).bytes == payload);
}

TEST_CASE("set-defined fields come out as standard data", "[hub][fanout][view]") {
    const auto definitions = written([](eta::BeWriter& out) {
        codec::SetDefinitionEncoder sets;
        sets.begin(out);
        sets.beginSet(0);
        sets.field(22, DataType::Real4RB);
        sets.field(25, DataType::UInt1);
        sets.endSet();
        REQUIRE(sets.complete().ok());
    });
    codec::SetDefinitionDb db;
    REQUIRE(db.decode(definitions, codec::SetDefinitionDb::Kind::fields).ok());
    const auto real = written([](eta::BeWriter& out) { codec::encodeReal(out, {1234, 12}); });
    const auto one = written([](eta::BeWriter& out) { codec::encodeUInt(out, 5); });
    const auto map = [&](bool viewed) {
        return written([&](eta::BeWriter& out) {
            codec::EntryContainerHeader header;
            header.entryType = DataType::FieldList;
            if (!viewed) {
                header.hasSetDefs = true;
                header.setDefs = definitions;
            }
            codec::MapEncoder m;
            m.begin(out, header, DataType::AsciiString);
            m.beginEntry(codec::MapAction::add, eta::asBytes("K"));
            codec::FieldListEncoder list;
            if (viewed) {
                list.begin(m.writer());
                list.add(22, real);
                list.addUInt(30, 9);
            } else {
                list.beginSet(m.writer(), nullptr, *db.find(0), true, true);
                REQUIRE(list.addSetValue(DataType::Real4RB, real).ok());
                REQUIRE(list.addSetValue(DataType::UInt1, one).ok());
                list.endSet();
                list.addUInt(30, 9);
            }
            REQUIRE(list.complete().ok());
            m.endEntry();
            REQUIRE(m.complete().ok());
        });
    };
    const Filtered f = filtered(kBid, DataType::Map, map(false));
    CHECK(f.left == Left::something);
    CHECK(f.bytes == map(true));
}

TEST_CASE("summary and entries of containers, however deep; keys, actions and permissions stay",
          "[hub][fanout][view]") {
    const auto build = [](bool viewed) {
        const auto list = viewed ? fields({{22, 1}}) : fields({{22, 1}, {25, 2}});
        const auto none = viewed ? fields({}) : fields({{25, 2}});
        static const std::byte permBytes[] = {std::byte{3}, std::byte{1}};
        const eta::Bytes perm(permBytes);
        return written([&](eta::BeWriter& out) {
            const auto vector = written([&](eta::BeWriter& v) {
                codec::EntryContainerHeader header;
                header.entryType = DataType::FieldList;
                header.hasSummary = true;
                header.summary = none;
                codec::VectorEncoder e;
                e.begin(v, header, true);
                e.add(codec::VectorAction::set, 3, list);
                e.add(codec::VectorAction::del, 4, {});
                e.add(codec::VectorAction::insert, 5, none, &perm);
                REQUIRE(e.complete().ok());
            });
            const auto series = written([&](eta::BeWriter& s) {
                codec::EntryContainerHeader header;
                header.entryType = DataType::FieldList;
                codec::SeriesEncoder e;
                e.begin(s, header);
                e.add(list);
                e.add(none);
                REQUIRE(e.complete().ok());
            });
            const auto filter = written([&](eta::BeWriter& l) {
                codec::FilterListEncoder e;
                const std::uint8_t hint = 3;
                e.begin(l, DataType::FieldList, &hint);
                e.add(codec::FilterAction::set, 1, DataType::FieldList, list, &perm);
                e.add(codec::FilterAction::clear, 2, DataType::FieldList, {});
                e.add(codec::FilterAction::update, 3, DataType::Series, series);
                e.add(codec::FilterAction::set, 4, DataType::Vector, vector);
                REQUIRE(e.complete().ok());
            });
            codec::EntryContainerHeader header;
            header.entryType = DataType::FilterList;
            header.hasSummary = true;
            header.summary = filter;
            header.hasTotalCountHint = true;
            header.totalCountHint = 12;
            codec::MapEncoder m;
            const std::int16_t keyField = 3422;
            m.begin(out, header, DataType::AsciiString, &keyField);
            m.add(codec::MapAction::add, eta::asBytes("ONE"), filter, &perm);
            m.add(codec::MapAction::del, eta::asBytes("TWO"), {});
            REQUIRE(m.complete().ok());
        });
    };
    const Filtered f = filtered(kBid, DataType::Map, build(false));
    CHECK(f.left == Left::something);
    CHECK(f.bytes == build(true));
    const auto whole = build(false);
    for (std::size_t size = 1; size < whole.size(); ++size) {
        const std::vector<std::byte> cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
        CHECK(filtered(kBid, DataType::Map, cut).left == Left::malformed);
    }
}

TEST_CASE("messages inside a payload keep their header, and their payload is cut", "[hub][fanout][view]") {
    const auto message = [](codec::MsgClass cls, DataType type, eta::Bytes payload) {
        return written([&](eta::BeWriter& out) {
            codec::Msg m;
            m.cls = cls;
            m.domain = 6;
            m.streamId = 9;
            m.containerType = type;
            m.payload = payload;
            if (cls == codec::MsgClass::Refresh) m.state = {codec::StreamState::open, codec::DataState::ok, 0, {}};
            REQUIRE(encodeMsg(out, m).ok());
        });
    };
    using codec::MsgClass;
    const auto whole = fields({{22, 1}, {25, 2}}), cut = fields({{22, 1}}), other = fields({{25, 2}});
    const Filtered f = filtered(kBid, DataType::Msg, message(MsgClass::Update, DataType::FieldList, whole));
    CHECK(f.left == Left::something);
    CHECK(f.bytes == message(MsgClass::Update, DataType::FieldList, cut));
    const auto inner = [&](eta::Bytes list) { return message(MsgClass::Refresh, DataType::FieldList, list); };
    const Filtered deep = filtered(kBid, DataType::Msg, message(MsgClass::Update, DataType::Msg, inner(whole)));
    CHECK(deep.left == Left::something);
    CHECK(deep.bytes == message(MsgClass::Update, DataType::Msg, inner(cut)));
    CHECK(filtered(kBid, DataType::Msg, message(MsgClass::Update, DataType::FieldList, other)).left == Left::nothing);
    CHECK(filtered(kBid, DataType::Msg, {}).left == Left::nothing);
    const auto map = [](eta::Bytes entry) {
        return written([&](eta::BeWriter& out) {
            codec::EntryContainerHeader header;
            header.entryType = DataType::Msg;
            header.hasSummary = true;
            header.summary = entry;
            codec::MapEncoder m;
            m.begin(out, header, DataType::AsciiString);
            for (const char* const key : {"A", "B"})
                m.add(codec::MapAction::add, eta::asBytes(key), entry);
            REQUIRE(m.complete().ok());
        });
    };
    const Filtered entries = filtered(kBid, DataType::Map, map(inner(whole)));
    CHECK(entries.left == Left::something);
    CHECK(entries.bytes == map(inner(cut)));
    // Nothing of what cannot be read is passed on.
    const auto bytes = message(MsgClass::Update, DataType::FieldList, whole);
    for (std::size_t size = 1; size < bytes.size(); ++size) {
        const std::vector<std::byte> part(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
        INFO(size);
        const Filtered got = filtered(kBid, DataType::Msg, part);
        CHECK(got.left != Left::something);
    }
    std::vector<std::byte> nested = bytes;
    for (int depth = 0; depth < codec::kMaxDepth + 1; ++depth)
        nested = message(MsgClass::Update, DataType::Msg, nested);
    CHECK(filtered(kBid, DataType::Msg, nested).left == Left::malformed);
}

TEST_CASE("what holds neither fields nor elements stays as it is", "[hub][fanout][view]") {
    const std::string text = "<a/>";
    const Filtered f = filtered(kBid, DataType::Xml, eta::asBytes(text));
    CHECK(f.left == Left::something);
    CHECK(eta::asText(f.bytes) == text);
    CHECK(filtered(kBid, DataType::NoData, {}).left == Left::nothing);
}
