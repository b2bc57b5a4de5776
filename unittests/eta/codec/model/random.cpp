// Draws values, containers and messages from a seeded generator.
#include "random.h"

namespace emissary::eta::codec::model {

namespace {

constexpr int kDeepest = 4;
constexpr std::array<DataType, 15> kPrimitives{
    DataType::Int,      DataType::UInt,   DataType::Float,       DataType::Double,     DataType::Real,
    DataType::Date,     DataType::Time,   DataType::Enum,        DataType::Qos,        DataType::State,
    DataType::DateTime, DataType::Buffer, DataType::AsciiString, DataType::Utf8String, DataType::RmtesString};
constexpr std::array<DataType, 11> kContainers{DataType::FieldList, DataType::ElementList, DataType::Map,
                                               DataType::Vector,    DataType::Series,      DataType::FilterList,
                                               DataType::Msg,       DataType::Opaque,      DataType::Xml,
                                               DataType::AnsiPage,  DataType::Json};

template <class T>
[[nodiscard]] T narrow(std::uint64_t v) {
    return static_cast<T>(v);
}

}  // namespace

std::uint64_t Generator::wide() {
    const std::uint64_t v = engine_() >> below(64);
    switch (below(4)) {
    case 0:
        return std::uint64_t{1} << below(64);
    case 1:
        return (std::uint64_t{1} << below(64)) - 1;
    case 2:
        return ~v;
    default:
        return v;
    }
}

std::string Generator::bytes(std::size_t most) {
    std::string out(below(most + 1), '\0');
    for (char& c : out)
        c = narrow<char>(engine_());
    return out;
}

std::string Generator::someBytes(std::size_t most) {
    std::string out = bytes(most - 1);
    out.push_back('!');
    return out;
}

Time Generator::time() {
    Time t{narrow<std::uint8_t>(below(24)), narrow<std::uint8_t>(below(60)), 0, 0, 0, 0};
    if (coin()) t.second = narrow<std::uint8_t>(below(61));
    if (coin()) t.millisecond = narrow<std::uint16_t>(below(1000));
    if (coin()) t.microsecond = narrow<std::uint16_t>(below(1000));
    if (coin()) t.nanosecond = narrow<std::uint16_t>(below(1000));
    return t;
}

Qos Generator::qos() {
    Qos q{narrow<std::uint8_t>(1 + below(3)), narrow<std::uint8_t>(1 + below(3)), coin(), 0, 0};
    if (q.timeliness == 3) q.timeInfo = narrow<std::uint16_t>(engine_());
    if (q.rate == 3) q.rateInfo = narrow<std::uint16_t>(engine_());
    return q;
}

Value Generator::primitive(DataType type) {
    Value v;
    v.type = type;
    if (below(12) == 0) return v.blank = true, v;
    switch (type) {
    case DataType::Int:
    case DataType::UInt:
    case DataType::Double:
        v.bits = wide();
        break;
    case DataType::Float:
        v.bits = wide() & 0xFFFFFFFF;
        break;
    case DataType::Enum:
        v.bits = wide() & 0xFFFF;
        break;
    case DataType::Real:
        if (below(10) == 0) v.real = {0, narrow<std::uint8_t>(33 + below(3))};
        else v.real = {narrow<std::int64_t>(wide()), narrow<std::uint8_t>(below(31))};
        break;
    case DataType::Date:
    case DataType::Time:
    case DataType::DateTime:
        v.dateTime.date = {narrow<std::uint8_t>(below(32)), narrow<std::uint8_t>(below(13)),
                           narrow<std::uint16_t>(1 + below(65535))};
        v.dateTime.time = time();
        if (type == DataType::Date) v.dateTime.time = {};
        if (type == DataType::Time) v.dateTime.date = {};
        break;
    case DataType::Qos:
        v.qos = qos();
        break;
    case DataType::State:
        v.state.stream = narrow<std::uint8_t>(1 + below(5));
        v.state.data = narrow<std::uint8_t>(below(3));
        v.state.code = narrow<std::uint8_t>(engine_());
        v.bytes = bytes(300);
        break;
    default:
        v.bytes = bytes(300);
        v.blank = v.bytes.empty();
        break;
    }
    return v;
}

Value Generator::primitive() {
    return primitive(kPrimitives[below(kPrimitives.size())]);
}

Value Generator::array() {
    Value v;
    v.type = DataType::Array;
    v.itemType = kPrimitives[below(kPrimitives.size())];
    const bool integers = v.itemType == DataType::Int || v.itemType == DataType::UInt;
    if (integers && coin()) v.itemLength = 8;
    for (std::uint64_t n = below(6); n > 0; --n) {
        Value item = primitive(v.itemType);
        if (item.blank && v.itemLength != 0) item.blank = false;  // fixed items have no blank
        v.items.push_back(std::move(item));
    }
    return v;
}

DataType Generator::entryType(int depth) {
    return depth >= kDeepest ? DataType::Opaque : kContainers[below(kContainers.size())];
}

Value Generator::any(int depth) {
    if (depth < kDeepest && below(6) == 0) return container(kContainers[below(kContainers.size())], depth);
    return below(8) == 0 ? array() : primitive();
}

Value Generator::list(DataType type, int depth) {
    Value v;
    v.type = type;
    if (coin())
        v.info.emplace(type == DataType::FieldList ? narrow<std::int16_t>(below(16384)) : std::int16_t{0},
                       narrow<std::int16_t>(engine_()));
    if (v.info && v.info->first >= 64 && v.info->first < 128) v.info->first = 1;
    v.standard.emplace();
    for (std::uint64_t n = below(8); n > 0; --n) {
        Entry e;
        if (type == DataType::FieldList) e.fieldId = narrow<std::int16_t>(engine_());
        else e.name = bytes(20);
        e.value.push_back(any(depth + 1));
        v.standard->push_back(std::move(e));
    }
    return v;
}

Value Generator::container(DataType type, int depth) {
    if (type == DataType::FieldList || type == DataType::ElementList) return list(type, depth);
    if (type == DataType::Msg) return message(depth);
    Value v;
    v.type = type;
    if (type != DataType::Map && type != DataType::Vector && type != DataType::Series && type != DataType::FilterList) {
        v.bytes = bytes(200);
        v.empty = v.bytes.empty();
        return v;
    }
    v.entryType = entryType(depth + 1);
    const bool filter = type == DataType::FilterList;
    if (coin()) v.hint = narrow<std::uint32_t>(wide() & (filter ? 0xFF : 0x3FFFFFFF));
    if (!filter && coin()) v.summary.push_back(container(v.entryType, depth + 1));
    if (type == DataType::Map) {
        v.keyType = kPrimitives[below(kPrimitives.size())];
        if (coin()) v.keyFieldId = narrow<std::int16_t>(engine_());
    }
    if (type == DataType::Vector) v.sortable = coin();
    for (std::uint64_t n = below(5); n > 0; --n) {
        Entry e;
        if (type != DataType::Series)
            e.action = narrow<std::uint8_t>(1 + below(filter || type == DataType::Map ? 3 : 5));
        if (type == DataType::Vector) e.index = narrow<std::uint32_t>(wide() & 0x3FFFFFFF);
        if (type != DataType::Series && coin()) e.permData = bytes(200);
        bool payload = true;
        if (type == DataType::Map) {
            Value key = primitive(v.keyType);
            while (key.blank)
                key = primitive(v.keyType);
            e.key.push_back(std::move(key));
            payload = e.action != MapAction::del;
        }
        if (type == DataType::Vector) payload = e.action != VectorAction::clear && e.action != VectorAction::del;
        DataType own = v.entryType;
        if (filter) {
            e.id = narrow<std::uint8_t>(engine_());
            payload = e.action != FilterAction::clear;
            if (coin()) e.ownType = own = entryType(depth + 1);
        }
        if (payload) e.value.push_back(container(own, depth + 1));
        v.entries.push_back(std::move(e));
    }
    return v;
}

void Generator::key(MsgParts& m, int depth) {
    MsgKey& k = m.header.key;
    k.flags = narrow<std::uint16_t>(below(64));
    m.name = someBytes(255);
    if (!k.has(KeyFlag::name)) k.flags = narrow<std::uint16_t>(k.flags & ~KeyFlag::nameType);
    k.serviceId = narrow<std::uint16_t>(wide());
    k.nameType = narrow<std::uint8_t>(engine_());
    k.filter = narrow<std::uint32_t>(wide());
    k.identifier = narrow<std::int32_t>(wide());
    if (!k.has(KeyFlag::attrib)) return;
    m.attrib.push_back(container(depth >= kDeepest ? DataType::Opaque : DataType::ElementList, kDeepest));
    k.attribType = m.attrib.front().type;
}

Value Generator::message(int depth) {
    Value v;
    v.type = DataType::Msg;
    MsgParts& m = v.msg.emplace_back();
    Msg& h = m.header;
    constexpr std::array<std::uint16_t, 9> known{0, 0x1FFF, 0x5FFB, 0x5FB, 0x7FF, 0x03, 0x7F, 0x407F, 0x3EF};
    h.cls = static_cast<MsgClass>(1 + below(8));
    h.flags = narrow<std::uint16_t>(engine_() & known[static_cast<std::size_t>(h.cls)]);
    h.domain = narrow<std::uint8_t>(engine_());
    h.streamId = narrow<std::int32_t>(wide());
    h.containerType = below(4) == 0 ? DataType::NoData : entryType(depth);
    h.updateType = narrow<std::uint8_t>(engine_());
    h.nakCode = narrow<std::uint8_t>(1 + below(255));
    h.priorityClass = narrow<std::uint8_t>(engine_());
    h.priorityCount = narrow<std::uint16_t>(wide());
    h.conflationCount = narrow<std::uint16_t>(1 + below(32767));
    h.conflationTime = narrow<std::uint16_t>(wide());
    h.partNum = narrow<std::uint16_t>(wide() & 0x7FFF);
    h.postUserRights = narrow<std::uint16_t>(below(8));
    h.seqNum = narrow<std::uint32_t>(wide());
    h.secondarySeqNum = narrow<std::uint32_t>(wide());
    h.ackId = narrow<std::uint32_t>(wide());
    h.postId = narrow<std::uint32_t>(wide());
    h.postUserAddress = narrow<std::uint32_t>(wide());
    h.postUserId = narrow<std::uint32_t>(wide());
    h.qos = qos();
    h.worstQos = qos();
    h.state.stream = narrow<std::uint8_t>(1 + below(5));
    h.state.data = narrow<std::uint8_t>(below(3));
    h.state.code = narrow<std::uint8_t>(engine_());
    m.stateText = bytes(200);
    m.permData = someBytes(200);
    m.groupId = someBytes(200);
    m.extendedHeader = bytes(255);
    m.text = someBytes(300);
    if (h.hasKey()) key(m, depth);
    show(m);
    if (h.containerType != DataType::NoData) m.payload.push_back(container(h.containerType, depth + 1));
    return v;
}

}  // namespace emissary::eta::codec::model
