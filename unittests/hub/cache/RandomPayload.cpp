// Draws payloads from a seeded generator, with and without set definitions.
#include "RandomPayload.h"

#include <array>

namespace emissary::test {

using namespace eta::codec;
using eta::BeWriter;
using eta::Bytes;

namespace {

// Of the dictionary in etc/: prices and times that ripple, numbers, texts that ripple; the last two are in no
// dictionary.
constexpr std::array<std::int16_t, 30> kFields{1,  3,  4,  5,  6,  7,  8,  9,   10,  11,  12,  13,  14,  16,    18,
                                               22, 23, 24, 25, 26, 27, 30, 178, 831, 832, 833, 834, 836, 30000, -5};

Bytes wire(const std::string& s) {
    return eta::asBytes(s);
}

// Definitions for lists inside a container: forms that are rewritten, fixed forms, and one that says its length.
struct SetEntryOf {
    std::int16_t field;
    const char* name;
    DataType type;
};
constexpr std::array<SetEntryOf, 5> kSet{{{22, "real4", DataType::Real4RB},
                                          {25, "real8", DataType::Real8RB},
                                          {1, "small", DataType::UInt1},
                                          {16, "date", DataType::Date4},
                                          {3, "text", DataType::RmtesString}}};

std::vector<std::byte> definitions(bool elements) {
    std::vector<std::byte> block(256);
    BeWriter out{block};
    SetDefinitionEncoder sets;
    sets.begin(out);
    sets.beginSet(0);
    for (const auto& e : kSet)
        elements ? sets.element(e.name, e.type) : sets.field(e.field, e.type);
    sets.endSet();
    if (!sets.complete().ok()) std::abort();
    block.resize(out.size());
    return block;
}

const SetDefinition& definition(bool elements) {
    static const std::vector<std::byte> raw[2] = {definitions(false), definitions(true)};
    static const auto db = [](bool e) {
        SetDefinitionDb d;
        if (!d.decode(raw[e ? 1 : 0], e ? SetDefinitionDb::Kind::elements : SetDefinitionDb::Kind::fields).ok())
            std::abort();
        return d;
    };
    static const SetDefinitionDb dbs[2] = {db(false), db(true)};
    return *dbs[elements ? 1 : 0].find(0);
}

}  // namespace

std::string RandomPayload::rmtes() {
    std::string s;
    if (oneIn(5)) return s;
    if (oneIn(4)) {  // an update of what is stored
        s = "\x1B[" + std::to_string(below(24)) + "`";
        for (unsigned n = below(6); n > 0; --n)
            s += static_cast<char>('a' + below(26));
        if (oneIn(3)) s += "\x1B[" + std::to_string(below(5)) + "b";
        if (oneIn(400)) s += "\x1B[9";  // cut short
        return s;
    }
    const unsigned length = oneIn(30) ? below(300) : below(20);
    for (unsigned n = length; n > 0; --n)
        s += static_cast<char>('A' + below(26));
    return s;
}

std::string RandomPayload::fieldValue(std::int16_t id) {
    if (id == 3 || (id >= 831 && id <= 836)) return rmtes();
    if (oneIn(12)) return {};
    const unsigned length = oneIn(15) ? 9 + below(oneIn(4) ? 300 : 20) : 1 + below(8);
    std::string s;
    for (unsigned n = 0; n < length; ++n)
        s += static_cast<char>(below(256));
    return s;
}

void RandomPayload::fieldList(BeWriter& out, bool whole, bool inSets) {
    FieldListEncoder list;
    const FieldListEncoder::Info info{static_cast<std::int16_t>(below(3)), static_cast<std::int16_t>(below(200))};
    const bool withInfo = oneIn(6);
    if (inSets && oneIn(2)) {
        const bool more = oneIn(2);
        list.beginSet(out, withInfo ? &info : nullptr, definition(false), oneIn(2), more);
        std::array<std::byte, 16> room;
        for (const auto& e : kSet) {
            BeWriter value{room};
            const bool blank = oneIn(6) && e.type != DataType::UInt1;
            if (blank) {
            } else if (e.type == DataType::UInt1) encodeUInt(value, below(256));
            else if (e.type == DataType::Date4) encodeDate(value, {static_cast<std::uint8_t>(1 + below(28)), 2, 2024});
            else if (e.type == DataType::RmtesString) value.bytes(wire(std::string(below(12), 'x')));
            else encodeReal(value, {static_cast<std::int64_t>(below(100000)) - 50000, 12});
            if (!list.addSetValue(e.type, value.view()).ok()) std::abort();
        }
        if (more) list.endSet();
        if (!more) {
            if (!list.complete().ok()) std::abort();
            return;
        }
    } else if (oneIn(40)) {
        return list.beginEmpty(out, withInfo ? &info : nullptr);
    } else {
        withInfo ? list.begin(out, info) : list.begin(out);
    }
    const unsigned count = whole ? below(20) : below(6);
    for (unsigned i = 0; i < count; ++i) {
        // Mostly the first half, so that updates also meet fields that no refresh has brought.
        const std::int16_t id =
            kFields[oneIn(4) ? below(kFields.size()) : below(kFields.size() / 2) * 2 % kFields.size()];
        list.add(id, wire(fieldValue(id)));
    }
    if (!list.complete().ok()) std::abort();
}

void RandomPayload::elementList(BeWriter& out, bool whole, bool inSets) {
    ElementListEncoder list;
    const auto number = static_cast<std::int16_t>(below(100));
    if (inSets && oneIn(2)) {
        list.beginSet(out, oneIn(3) ? &number : nullptr, definition(true), oneIn(2), true);
        std::array<std::byte, 16> room;
        for (const auto& e : kSet) {
            BeWriter value{room};
            if (e.type == DataType::UInt1) encodeUInt(value, below(256));
            else if (e.type == DataType::Date4) encodeDate(value, {1, 2, 2024});
            else if (e.type == DataType::RmtesString) value.bytes(wire(std::string(below(12), 'y')));
            else encodeReal(value, {static_cast<std::int64_t>(below(100000)) - 50000, 11});
            if (!list.addSetValue(e.type, value.view()).ok()) std::abort();
        }
        list.endSet();
    } else {
        oneIn(3) ? list.begin(out, number) : list.begin(out);
    }
    static constexpr std::array<DataType, 6> kTypes{DataType::UInt,   DataType::AsciiString, DataType::RmtesString,
                                                    DataType::NoData, DataType::Buffer,      DataType::RmtesString};
    for (unsigned i = whole ? below(15) : below(5); i > 0; --i) {
        const unsigned which = below(12);
        const DataType type = oneIn(10) ? kTypes[below(kTypes.size())] : kTypes[which % kTypes.size()];
        const std::string name = "element number " + std::to_string(which);
        if (type == DataType::NoData) list.element(name, type);
        else if (type == DataType::UInt) list.addUInt(name, random_() >> below(64));
        else list.add(name, type, wire(type == DataType::RmtesString ? rmtes() : fieldValue(4)));
    }
    if (!list.complete().ok()) std::abort();
}

DataType RandomPayload::deeper() {
    static constexpr std::array<DataType, 6> kTypes{DataType::FieldList, DataType::ElementList, DataType::Map,
                                                    DataType::Vector,    DataType::FilterList,  DataType::Opaque};
    return kTypes[below(kTypes.size())];
}

EntryContainerHeader RandomPayload::head(DataType nested, int depth, bool whole) {
    EntryContainerHeader h;
    h.entryType = nested;
    h.hasTotalCountHint = oneIn(4);
    h.totalCountHint = below(100000);
    const bool lists = nested == DataType::FieldList || nested == DataType::ElementList;
    if (lists && oneIn(2)) {
        h.hasSetDefs = true;
        kept_.push_back(definitions(nested == DataType::ElementList));
        h.setDefs = kept_.back();
    }
    if (nested != DataType::NoData && nested != DataType::Opaque && oneIn(4)) {
        std::vector<std::byte> block(1u << 15);
        BeWriter out{block};
        container(out, nested, whole, DataType::FieldList, depth + 1, h.hasSetDefs);
        block.resize(out.size());
        kept_.push_back(std::move(block));
        h.hasSummary = true;
        h.summary = kept_.back();
    }
    return h;
}

void RandomPayload::map(BeWriter& out, bool whole, DataType nested, int depth) {
    MapEncoder m;
    const EntryContainerHeader h = head(nested, depth, whole);
    const auto field = static_cast<std::int16_t>(below(50) + 1);
    m.begin(out, h, oneIn(400) ? DataType::Buffer : DataType::UInt, oneIn(3) ? &field : nullptr);
    const unsigned most = depth == 1 ? 14 : 4;
    for (unsigned i = whole ? below(most) : below(4); i > 0; --i) {
        const unsigned key = below(oneIn(3) ? 3 * most : most);
        const std::array<std::byte, 3> wide{std::byte{0}, std::byte{0}, static_cast<std::byte>(key)};
        const Bytes keyBytes = oneIn(2) ? Bytes{wide} : Bytes{wide}.subspan(2);  // of any width
        const auto action = static_cast<std::uint8_t>(oneIn(200) ? 7 : whole ? (oneIn(8) ? 1 : 2) : 1 + below(3));
        const std::string perm(below(4), 'p');
        const Bytes permBytes = wire(perm);
        const Bytes* const withPerm = oneIn(5) ? &permBytes : nullptr;
        if (action == MapAction::del || nested == DataType::NoData || oneIn(12)) {
            m.add(action, keyBytes, {}, withPerm);
            continue;
        }
        m.beginEntry(action, keyBytes, withPerm);
        container(out, nested, action == MapAction::add, deeper(), depth + 1, h.hasSetDefs);
        m.endEntry();
    }
    if (!m.complete().ok()) std::abort();
}

void RandomPayload::vector(BeWriter& out, bool whole, DataType nested, int depth) {
    VectorEncoder v;
    const EntryContainerHeader h = head(nested, depth, whole);
    v.begin(out, h, sortable && (whole || !oneIn(4)));
    for (unsigned i = whole ? below(10) : below(4); i > 0; --i) {
        const std::uint32_t index = oneIn(20) ? 1000000 + below(3) : below(14);
        const auto action = static_cast<std::uint8_t>(oneIn(200) ? 9 : whole ? 2 : 1 + below(5));
        const std::string perm(below(4), 'v');
        const Bytes permBytes = wire(perm);
        const Bytes* const withPerm = oneIn(5) ? &permBytes : nullptr;
        const bool bare = action == VectorAction::clear || action == VectorAction::del;
        if (bare || nested == DataType::NoData || oneIn(12)) {
            v.add(action, index, {}, withPerm);
            continue;
        }
        v.beginEntry(action, index, withPerm);
        container(out, nested, action != VectorAction::update, deeper(), depth + 1, h.hasSetDefs);
        v.endEntry();
    }
    if (!v.complete().ok()) std::abort();
}

void RandomPayload::series(BeWriter& out, DataType nested, int depth) {
    SeriesEncoder s;
    const EntryContainerHeader h = head(nested, depth, true);
    s.begin(out, h);
    for (unsigned i = below(4); i > 0; --i) {
        if (nested == DataType::NoData || oneIn(10)) {
            s.add({});
            continue;
        }
        s.beginEntry();
        container(out, nested, true, deeper(), depth + 1, h.hasSetDefs);
        s.endEntry();
    }
    if (!s.complete().ok()) std::abort();
}

void RandomPayload::filterList(BeWriter& out, bool whole, DataType nested, int depth) {
    FilterListEncoder f;
    const auto hint = static_cast<std::uint8_t>(below(20));
    f.begin(out, oneIn(3) ? deeper() : nested, oneIn(3) ? &hint : nullptr);
    for (unsigned i = whole ? below(7) : below(4); i > 0; --i) {
        const auto id = static_cast<std::uint8_t>(below(9));
        const auto action = static_cast<std::uint8_t>(oneIn(200) ? 9 : whole ? 2 : 1 + below(3));
        const DataType type = oneIn(30) ? deeper() : id % 3 == 0 ? DataType::ElementList : nested;
        const std::string perm(below(4), 'f');
        const Bytes permBytes = wire(perm);
        const Bytes* const withPerm = oneIn(5) ? &permBytes : nullptr;
        if (action == FilterAction::clear || type == DataType::NoData || oneIn(12)) {
            f.add(action, id, type, {}, withPerm, oneIn(2));
            continue;
        }
        f.beginEntry(action, id, type, withPerm, oneIn(2));
        container(out, type, action == FilterAction::set, DataType::FieldList, depth + 1, false);
        f.endEntry();
    }
    if (!f.complete().ok()) std::abort();
}

void RandomPayload::container(BeWriter& out, DataType type, bool whole, DataType nested, int depth, bool inSets) {
    if (depth > 3) nested = DataType::FieldList;
    if (depth > 4 && type != DataType::ElementList && type != DataType::FieldList) return;
    switch (type) {
    case DataType::FieldList:
        return fieldList(out, whole, inSets);
    case DataType::ElementList:
        return elementList(out, whole, inSets);
    case DataType::Map:
        return map(out, whole, nested, depth);
    case DataType::Vector:
        return vector(out, whole, nested, depth);
    case DataType::Series:
        return series(out, nested, depth);
    case DataType::FilterList:
        return filterList(out, whole, nested, depth);
    case DataType::NoData:
        return;
    default:
        return out.bytes(wire(std::string(1 + below(30), 'o')));
    }
}

Bytes RandomPayload::make(DataType type, bool whole, DataType nested) {
    kept_.clear();
    kept_.reserve(4096);  // borrowed from
    BeWriter out{block_};
    container(out, type, whole, nested, 1, false);
    if (!out.ok()) std::abort();
    return out.view();
}

}  // namespace emissary::test
