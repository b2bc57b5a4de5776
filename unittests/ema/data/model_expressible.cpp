// What builders can say of what the wire can carry.
#include "model.h"

#include "eta/codec/primitives.h"
#include "support.h"

namespace ematest {

using model::Entry;
using model::MsgParts;
using model::Value;
using Type = codec::DataType;

bool isDelete(const Value& v, std::uint8_t action) {
    if (v.type == Type::Map) return action == codec::MapAction::del;
    if (v.type == Type::Vector) return action == codec::VectorAction::del || action == codec::VectorAction::clear;
    return v.type == Type::FilterList && action == codec::FilterAction::clear;
}

namespace {

bool goodQos(const codec::Qos& q) {
    const auto good = [](std::uint8_t kind, std::uint16_t amount) {
        return kind == 3 ? amount != 0 : kind != 0 && kind < 3 && amount == 0;
    };
    return !q.dynamic && good(q.timeliness, q.timeInfo) && good(q.rate, q.rateInfo);
}

bool goodDate(const codec::Date& d) {
    return codec::isValid(d) && d.year <= 4095;
}

bool goodPrimitive(const Value& v) {
    if (v.blank) return true;
    switch (v.type) {
    case Type::Real:
        return v.real.hint <= 30 || v.real.mantissa == 0;
    case Type::Date:
        return goodDate(v.dateTime.date);
    case Type::Time:
        return codec::isValid(v.dateTime.time);
    case Type::DateTime:
        return goodDate(v.dateTime.date) && codec::isValid(v.dateTime.time);
    case Type::Qos:
        return goodQos(v.qos);
    case Type::State:
        return v.state.stream >= 1 && v.state.stream <= 5;
    default:
        return true;
    }
}

bool goodArray(const Value& v) {
    if (v.blank || v.items.empty()) return false;
    const bool sized = v.itemType == Type::Int || v.itemType == Type::UInt;
    const bool bytes = v.itemType >= Type::Buffer && v.itemType <= Type::RmtesString;
    if (v.itemLength != 0 && !sized && !bytes) return false;
    for (const Value& item : v.items)
        if (!goodPrimitive(item) || (v.itemLength != 0 && item.blank)) return false;
    // The symmetric range of fixed widths leaves the lowest number out.
    for (const Value& item : v.items)
        if (v.itemLength != 0 && v.itemType == Type::Int && v.itemLength < 8 &&
            static_cast<std::int64_t>(item.bits) == -(std::int64_t{1} << (8 * v.itemLength - 1)))
            return false;
    return true;
}

bool goodList(const Value& v) {
    if (v.set || v.setId || !v.standard) return false;
    for (const Entry& e : *v.standard)
        if (e.value.size() != 1 || !expressible(e.value.front())) return false;
    return true;
}

bool goodEntries(const Value& v) {
    if (v.setDefs) return false;
    Type first = Type::NoData;
    const auto note = [&](const Value& value) {
        if (first == Type::NoData) first = value.type;
        return expressible(value) && (v.type == Type::FilterList || value.type == Type::NoData || value.type == first);
    };
    for (const Value& s : v.summary)
        if (s.type == Type::NoData || !note(s)) return false;
    for (const Entry& e : v.entries) {
        if (e.permData && e.permData->empty()) return false;
        const std::uint8_t last = v.type == Type::Vector ? 5 : 3;
        if (v.type != Type::Series && (e.action < 1 || e.action > last)) return false;
        if (e.ownType && *e.ownType == v.entryType) return false;
        for (const Value& key : e.key)
            if (key.blank || !goodPrimitive(key)) return false;
        if (isDelete(v, e.action)) {
            if (e.ownType) return false;
            continue;
        }
        for (const Value& value : e.value)
            if (!note(value)) return false;
        if (e.value.empty() && v.entryType != Type::NoData) return false;
        if (v.type == Type::FilterList && !e.value.empty() && e.value.front().type == Type::NoData) return false;
    }
    // A filter list's default type is that of its first entry.
    const bool clearFirst = v.type == Type::FilterList && !v.entries.empty() && isDelete(v, v.entries.front().action);
    return first == v.entryType && (!clearFirst || first == Type::NoData);
}

bool goodKey(const MsgParts& m) {
    const codec::MsgKey& key = m.header.key;
    if (key.has(codec::KeyFlag::name) && m.name.empty()) return false;
    if (key.has(codec::KeyFlag::nameType) && !key.has(codec::KeyFlag::name)) return false;
    for (const Value& a : m.attrib)
        if (a.type == Type::NoData || !expressible(a)) return false;
    return true;
}

bool goodMsg(const MsgParts& m) {
    const codec::Msg& h = m.header;
    if (h.cls == codec::MsgClass::Close) return false;
    if (h.hasKey() && !goodKey(m)) return false;
    const codec::MsgKey& key = h.key;
    // A key without members cannot be asked for, except where it always exists.
    if (h.hasKey() && h.cls != codec::MsgClass::Request && key.flags == 0) return false;
    if (h.hasExtendedHeader() && m.extendedHeader.empty()) return false;
    for (const Value& p : m.payload)
        if (!expressible(p)) return false;
    if (h.containerType != Type::NoData && m.payload.empty()) return false;
    using namespace codec;
    switch (h.cls) {
    case MsgClass::Request: {
        constexpr auto derived = RequestFlag::view | RequestFlag::batch | RequestFlag::msgKeyInUpdates |
                                 RequestFlag::qualified | RequestFlag::worstQos;
        return !h.has(derived) && (!h.hasQos() || (goodQos(h.qos) && h.qos.timeliness != 2));
    }
    case MsgClass::Refresh:
        return !h.has(RefreshFlag::qualified | RefreshFlag::reqMsgKey) && h.state.stream >= 1 && h.state.stream <= 5 &&
               (!h.hasQos() || goodQos(h.qos)) && !m.groupId.empty();
    case MsgClass::Status:
        return !h.has(StatusFlag::qualified | StatusFlag::reqMsgKey) &&
               (!h.hasState() || (h.state.stream >= 1 && h.state.stream <= 5));
    case MsgClass::Update:
        return !h.has(UpdateFlag::discardable);
    case MsgClass::Ack:
        return !h.has(AckFlag::qualified);
    case MsgClass::Generic:
        return !h.has(GenericFlag::reqMsgKey);
    default:
        return true;
    }
}

}  // namespace

bool expressible(const Value& v) {
    if (v.type == Type::NoData) return true;
    if (v.empty) return false;
    switch (v.type) {
    case Type::FieldList:
    case Type::ElementList:
        return goodList(v);
    case Type::Map:
    case Type::Vector:
    case Type::Series:
    case Type::FilterList:
        return goodEntries(v);
    case Type::Array:
        return goodArray(v);
    case Type::Msg:
        return v.msg.size() == 1 && goodMsg(v.msg.front());
    case Type::Opaque:
    case Type::Xml:
    case Type::Json:
    case Type::AnsiPage:
        return !v.bytes.empty();
    default:
        return codec::isPrimitive(v.type) && goodPrimitive(v);
    }
}

}  // namespace ematest
