// Decodes bytes of any container or message into the model.
#include "Value.h"

#include "eta/codec/containers.h"
#include "eta/codec/primitives.h"

namespace emissary::eta::codec::model {

namespace {

void check(Error e, const char* where) {
    if (!e.ok()) throw Fault(std::string(where) + ": " + describe(e.code));
}

void check(Decoded d, Value& v) {
    if (d == Decoded::malformed) throw Fault(std::string("malformed ") + name(v.type));
    v.blank = d == Decoded::blank;
}

[[nodiscard]] std::string text(Bytes b) {
    return std::string(asText(b));
}

[[nodiscard]] bool decodePrimitive(Bytes in, DataType setType, Value& v) {
    switch (v.type) {
    case DataType::Int: {
        std::int64_t n = 0;
        check(decodeInt(in, n), v);
        v.bits = static_cast<std::uint64_t>(n);
        return true;
    }
    case DataType::UInt:
        check(decodeUInt(in, v.bits), v);
        return true;
    case DataType::Float: {
        float f = 0;
        check(decodeFloat(in, f), v);
        v.bits = std::bit_cast<std::uint32_t>(f);
        return true;
    }
    case DataType::Double: {
        double d = 0;
        check(decodeDouble(in, d), v);
        v.bits = std::bit_cast<std::uint64_t>(d);
        return true;
    }
    case DataType::Real:
        check(decodeSetReal(in, setType, v.real), v);
        return true;
    case DataType::Date:
        check(decodeDate(in, v.dateTime.date), v);
        return true;
    case DataType::Time:
        check(decodeTime(in, v.dateTime.time), v);
        return true;
    case DataType::DateTime:
        check(decodeDateTime(in, v.dateTime), v);
        return true;
    case DataType::Qos:
        check(decodeQos(in, v.qos), v);
        return true;
    case DataType::State:
        check(decodeState(in, v.state), v);
        v.bytes = text(v.state.text);
        return true;
    case DataType::Enum: {
        std::uint16_t n = 0;
        check(decodeEnum(in, n), v);
        v.bits = n;
        return true;
    }
    default:
        return false;
    }
}

void decodeArray(Bytes in, Value& v) {
    ArrayDecoder array;
    check(array.start(in), "array");
    v.blank = array.blank();
    v.itemType = array.itemType();
    v.itemLength = array.itemLength();
    Bytes item;
    while (array.next(item))
        v.items.push_back(decode(item, array.itemType()));
    check(array.error(), "array item");
}

[[nodiscard]] const Value* expectedEntry(const std::optional<std::vector<Entry>>* entries, std::size_t i) {
    if (entries == nullptr || !*entries || i >= (*entries)->size() || (**entries)[i].value.empty()) return nullptr;
    return &(**entries)[i].value.front();
}

void decodeFieldList(Bytes in, const SetDefinitionDb* sets, const Value* expected, Value& v) {
    FieldListDecoder list;
    check(list.start(in, sets), "field list");
    if (list.hasInfo()) v.info.emplace(list.dictionaryId(), list.fieldListNum());
    if ((list.flags() & 0x06) == 0x06) v.setId = list.setId();
    if ((list.flags() & 0x02) != 0) v.set.emplace();
    if ((list.flags() & 0x08) != 0) v.standard.emplace();
    if (list.setSkipped()) throw Fault("set definition not known");
    FieldEntry entry;
    while (list.next(entry)) {
        Entry e;
        e.fieldId = entry.fieldId;
        const bool inSet = entry.setType != DataType::Unknown;
        auto& part = inSet ? *v.set : *v.standard;
        const Value* like =
            expectedEntry(expected == nullptr ? nullptr : (inSet ? &expected->set : &expected->standard), part.size());
        const DataType type = inSet ? baseType(entry.setType) : (like == nullptr ? DataType::Unknown : like->type);
        e.value.push_back(decode(entry.data, type, entry.setType, nullptr, like));
        part.push_back(std::move(e));
    }
    check(list.error(), "field entry");
}

void decodeElementList(Bytes in, const SetDefinitionDb* sets, const Value* expected, Value& v) {
    ElementListDecoder list;
    check(list.start(in, sets), "element list");
    if (list.hasInfo()) v.info.emplace(std::int16_t{0}, list.elementListNum());
    if ((list.flags() & 0x06) == 0x06) v.setId = list.setId();
    if ((list.flags() & 0x02) != 0) v.set.emplace();
    if ((list.flags() & 0x08) != 0) v.standard.emplace();
    if (list.setSkipped()) throw Fault("set definition not known");
    ElementEntry entry;
    while (list.next(entry)) {
        Entry e;
        e.name = text(entry.name);
        const bool inSet = entry.setType != DataType::Unknown;
        auto& part = inSet ? *v.set : *v.standard;
        const Value* like =
            expectedEntry(expected == nullptr ? nullptr : (inSet ? &expected->set : &expected->standard), part.size());
        e.value.push_back(decode(entry.data, entry.type, entry.setType, nullptr, like));
        part.push_back(std::move(e));
    }
    check(list.error(), "element entry");
}

[[nodiscard]] SetDefs readDefs(const SetDefinitionDb& db, Bytes raw) {
    SetDefs out;
    out.elements = db.kind() == SetDefinitionDb::Kind::elements;
    // Ids in wire order: the database only finds by id.
    BeReader in{raw};
    static_cast<void>(in.u8());
    const unsigned count = in.u8();
    for (unsigned i = 0; i < count; ++i) {
        const std::uint16_t id = in.u15rb();
        const SetDefinition* found = db.find(id);
        if (found == nullptr) throw Fault("definition lost");
        const unsigned entries = in.u8();
        for (unsigned e = 0; e < entries; ++e) {
            static_cast<void>(out.elements ? in.buf15() : in.take(2));
            static_cast<void>(in.u8());
        }
        SetDef d;
        d.id = found->id();
        SetEntry entry;
        for (auto cursor = found->entries(); cursor.next(entry);)
            d.items.push_back({entry.fieldId, text(entry.name), entry.type});
        if (d.items.size() != found->size()) throw Fault("definition cut");
        out.defs.push_back(std::move(d));
    }
    return out;
}

void readHead(const EntryContainerDecoder& in, const Value* expected, Value& v) {
    v.entryType = in.entryType();
    if (in.hasSetDefs()) v.setDefs = readDefs(*in.sets(), in.setDefs());
    if (in.hasTotalCountHint()) v.hint = in.totalCountHint();
    if (!in.hasSummary()) return;
    const Value* like = expected == nullptr || expected->summary.empty() ? nullptr : &expected->summary.front();
    v.summary.push_back(decode(in.summary(), in.entryType(), DataType::Unknown, in.sets(), like));
}

[[nodiscard]] const Value* expectedValue(const Value* expected, std::size_t i) {
    if (expected == nullptr || i >= expected->entries.size() || expected->entries[i].value.empty()) return nullptr;
    return &expected->entries[i].value.front();
}

void decodeMap(Bytes in, const Value* expected, Value& v) {
    MapDecoder map;
    check(map.start(in), "map");
    v.keyType = map.keyType();
    if (map.hasKeyFieldId()) v.keyFieldId = map.keyFieldId();
    readHead(map, expected, v);
    MapEntry entry;
    while (map.next(entry)) {
        Entry e;
        e.action = entry.action;
        if (entry.hasPermData) e.permData = text(entry.permData);
        e.key.push_back(decode(entry.key, map.keyType()));
        if (entry.action != MapAction::del && v.entryType != DataType::NoData)
            e.value.push_back(decode(entry.data, v.entryType, DataType::Unknown, map.sets(),
                                     expectedValue(expected, v.entries.size())));
        v.entries.push_back(std::move(e));
    }
    check(map.error(), "map entry");
}

void decodeVector(Bytes in, const Value* expected, Value& v) {
    VectorDecoder vector;
    check(vector.start(in), "vector");
    v.sortable = vector.sortable();
    readHead(vector, expected, v);
    VectorEntry entry;
    while (vector.next(entry)) {
        Entry e;
        e.action = entry.action;
        e.index = entry.index;
        if (entry.hasPermData) e.permData = text(entry.permData);
        const bool payload = entry.action != VectorAction::clear && entry.action != VectorAction::del;
        if (payload && v.entryType != DataType::NoData)
            e.value.push_back(decode(entry.data, v.entryType, DataType::Unknown, vector.sets(),
                                     expectedValue(expected, v.entries.size())));
        v.entries.push_back(std::move(e));
    }
    check(vector.error(), "vector entry");
}

void decodeSeries(Bytes in, const Value* expected, Value& v) {
    SeriesDecoder series;
    check(series.start(in), "series");
    readHead(series, expected, v);
    SeriesEntry entry;
    while (series.next(entry)) {
        Entry e;
        if (v.entryType != DataType::NoData)
            e.value.push_back(decode(entry.data, v.entryType, DataType::Unknown, series.sets(),
                                     expectedValue(expected, v.entries.size())));
        v.entries.push_back(std::move(e));
    }
    check(series.error(), "series entry");
}

void decodeFilterList(Bytes in, const Value* expected, Value& v) {
    FilterListDecoder list;
    check(list.start(in), "filter list");
    v.entryType = list.entryType();
    if (list.hasTotalCountHint()) v.hint = list.totalCountHint();
    FilterEntry entry;
    while (list.next(entry)) {
        Entry e;
        e.action = entry.action;
        e.id = entry.id;
        if (entry.hasPermData) e.permData = text(entry.permData);
        if (entry.ownType) e.ownType = entry.type;
        if (entry.action != FilterAction::clear && entry.type != DataType::NoData)
            e.value.push_back(
                decode(entry.data, entry.type, DataType::Unknown, nullptr, expectedValue(expected, v.entries.size())));
        v.entries.push_back(std::move(e));
    }
    check(list.error(), "filter entry");
}

void decodeMessage(Bytes in, const Value* expected, Value& v) {
    // One struct for every message of the run: stale members of earlier ones must not show.
    static thread_local Msg reused;
    check(decodeMsg(in, reused), "message");
    MsgParts& m = v.msg.emplace_back();
    const Msg h = reused;
    m.header = h;
    if (h.hasKey() && h.key.has(KeyFlag::name)) m.name = text(h.key.name);
    if (h.hasPermData()) m.permData = text(h.permData);
    if (h.hasExtendedHeader()) m.extendedHeader = text(h.extendedHeader);
    if (h.hasGroupId()) m.groupId = text(h.groupId);
    if (h.cls == MsgClass::Ack && h.has(AckFlag::text)) m.text = text(h.text);
    if (h.hasState()) m.stateText = text(h.state.text);
    show(m);

    const MsgParts* like = expected == nullptr || expected->msg.empty() ? nullptr : &expected->msg.front();
    if (h.hasKey() && h.key.has(KeyFlag::attrib))
        m.attrib.push_back(decode(h.key.attrib, h.key.attribType, DataType::Unknown, nullptr,
                                  like == nullptr || like->attrib.empty() ? nullptr : &like->attrib.front()));
    if (h.containerType != DataType::NoData)
        m.payload.push_back(decode(h.payload, h.containerType, DataType::Unknown, nullptr,
                                   like == nullptr || like->payload.empty() ? nullptr : &like->payload.front()));
}

}  // namespace

Value decode(Bytes in, DataType type, DataType setType, const SetDefinitionDb* sets, const Value* expected) {
    Value v;
    v.type = type;
    if (isContainer(type) && in.empty()) {
        v.empty = type != DataType::NoData;
        // The decoders accept it too, as a container with nothing in it.
        if (type == DataType::FieldList) check(FieldListDecoder{}.start(in, sets), "empty field list");
        if (type == DataType::Map) check(MapDecoder{}.start(in), "empty map");
        return v;
    }
    if (decodePrimitive(in, setType, v)) return v;
    switch (type) {
    case DataType::Array:
        decodeArray(in, v);
        break;
    case DataType::FieldList:
        decodeFieldList(in, sets, expected, v);
        break;
    case DataType::ElementList:
        decodeElementList(in, sets, expected, v);
        break;
    case DataType::Map:
        decodeMap(in, expected, v);
        break;
    case DataType::Vector:
        decodeVector(in, expected, v);
        break;
    case DataType::Series:
        decodeSeries(in, expected, v);
        break;
    case DataType::FilterList:
        decodeFilterList(in, expected, v);
        break;
    case DataType::Msg:
        decodeMessage(in, expected, v);
        break;
    default:
        v.blank = in.empty();
        v.bytes = text(in);
        break;
    }
    return v;
}

}  // namespace emissary::eta::codec::model
