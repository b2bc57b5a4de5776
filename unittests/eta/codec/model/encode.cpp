// Encodes the model with the encoders under test.
#include "Value.h"

#include "eta/codec/encoders.h"
#include "eta/codec/primitives.h"

namespace emissary::eta::codec::model {

namespace {

/// Grows by exactly what is asked for, so every write behind the first meets the slow path now and then.
std::span<std::byte> growExactly(void* owner, std::size_t, std::size_t needed) noexcept {
    auto& block = *static_cast<std::vector<std::byte>*>(owner);
    block.resize(needed);
    return block;
}

[[nodiscard]] std::vector<std::byte> contentOf(const Value& v, Style style, const SetDefinitionDb* sets) {
    std::vector<std::byte> block;
    BeWriter out{{}, growExactly, &block};
    encode(out, v, style, sets);
    if (!out.ok()) throw Fault(std::string("encode: ") + describe(out.failure()));
    block.resize(out.size());
    return block;
}

void latch(BeWriter& out, Error e) {
    if (!e.ok() && out.ok()) throw Fault("an encoder failed without telling its writer");
}

/// With the length prefix; false for types that have no prefixed encoder of their own.
[[nodiscard]] bool encodePrefixed(BeWriter& out, const Value& v) {
    if (v.blank) return encodeBlank(out), true;
    switch (v.type) {
    case DataType::Int:
        return encodeIntPrefixed(out, static_cast<std::int64_t>(v.bits)), true;
    case DataType::UInt:
        return encodeUIntPrefixed(out, v.bits), true;
    case DataType::Float:
        return encodeFloatPrefixed(out, std::bit_cast<float>(static_cast<std::uint32_t>(v.bits))), true;
    case DataType::Double:
        return encodeDoublePrefixed(out, std::bit_cast<double>(v.bits)), true;
    case DataType::Real:
        return encodeRealPrefixed(out, v.real), true;
    case DataType::Date:
        return encodeDatePrefixed(out, v.dateTime.date), true;
    case DataType::Time:
        return encodeTimePrefixed(out, v.dateTime.time), true;
    case DataType::DateTime:
        return encodeDateTimePrefixed(out, v.dateTime), true;
    case DataType::Qos:
        return encodeQosPrefixed(out, v.qos), true;
    case DataType::Enum:
        return encodeEnumPrefixed(out, static_cast<std::uint16_t>(v.bits)), true;
    case DataType::State: {
        State s = v.state;
        s.text = asBytes(v.bytes);
        return encodeStatePrefixed(out, s), true;
    }
    case DataType::Buffer:
    case DataType::AsciiString:
    case DataType::Utf8String:
    case DataType::RmtesString:
        return out.buf16(asBytes(v.bytes)), true;
    default:
        return false;
    }
}

void encodeArray(BeWriter& out, const Value& v, Style style) {
    ArrayEncoder array;
    array.begin(out, v.itemType, v.itemLength);
    for (const Value& item : v.items) {
        if (v.itemType == DataType::UInt && !item.blank) array.addUInt(item.bits);
        else array.add(contentOf(item, style, nullptr));
    }
    latch(out, array.complete());
}

[[nodiscard]] const SetDefinition& definition(const SetDefinitionDb* sets, std::optional<std::uint16_t> id) {
    const SetDefinition* found = sets == nullptr ? nullptr : sets->find(id.value_or(0));
    if (found == nullptr) throw Fault("no definition for the set to encode");
    return *found;
}

template <class Encoder>
void encodeSetValues(Encoder& list, const SetDefinition& def, const std::vector<Entry>& entries, Style style) {
    auto cursor = def.entries();
    SetEntry shape;
    for (const Entry& e : entries) {
        if (!cursor.next(shape)) throw Fault("more set values than the definition has");
        const auto content =
            e.value.front().blank ? std::vector<std::byte>{} : contentOf(e.value.front(), style, nullptr);
        static_cast<void>(list.addSetValue(shape.type, content));
    }
}

void encodeFieldList(BeWriter& out, const Value& v, Style style, const SetDefinitionDb* sets) {
    FieldListEncoder list;
    std::optional<FieldListEncoder::Info> info;
    if (v.info) info = FieldListEncoder::Info{v.info->first, v.info->second};
    const FieldListEncoder::Info* infoOrNull = info ? &*info : nullptr;
    if (v.set) {
        const SetDefinition& def = definition(sets, v.setId);
        list.beginSet(out, infoOrNull, def, v.setId.has_value(), v.standard.has_value());
        encodeSetValues(list, def, *v.set, style);
        list.endSet();
    } else if (!v.standard) {
        list.beginEmpty(out, infoOrNull);
    } else if (info) {
        list.begin(out, *info);
    } else {
        list.begin(out);
    }
    for (const Entry& e : v.standard.value_or(std::vector<Entry>{})) {
        const Value& value = e.value.front();
        if (style == Style::readyBytes) {
            list.add(e.fieldId, value.blank ? std::vector<std::byte>{} : contentOf(value, style, nullptr));
        } else if (value.blank) {
            list.addBlank(e.fieldId);
        } else if (value.type == DataType::Int) {
            list.addInt(e.fieldId, static_cast<std::int64_t>(value.bits));
        } else if (value.type == DataType::UInt) {
            list.addUInt(e.fieldId, value.bits);
        } else if (value.type == DataType::Real) {
            list.addReal(e.fieldId, value.real);
        } else if (value.type == DataType::Enum) {
            list.addEnum(e.fieldId, static_cast<std::uint16_t>(value.bits));
        } else if (isPrimitive(value.type) && value.type != DataType::Array) {
            list.field(e.fieldId);
            static_cast<void>(encodePrefixed(list.writer(), value));
        } else {
            list.beginField(e.fieldId);
            encode(list.writer(), value, style, nullptr);
            list.endField();
        }
    }
    latch(out, list.complete());
}

void encodeElementList(BeWriter& out, const Value& v, Style style, const SetDefinitionDb* sets) {
    ElementListEncoder list;
    const std::int16_t* number = v.info ? &v.info->second : nullptr;
    if (v.set) {
        const SetDefinition& def = definition(sets, v.setId);
        list.beginSet(out, number, def, v.setId.has_value(), v.standard.has_value());
        encodeSetValues(list, def, *v.set, style);
        list.endSet();
    } else if (!v.standard) {
        list.beginEmpty(out, number);
    } else if (number != nullptr) {
        list.begin(out, *number);
    } else {
        list.begin(out);
    }
    for (const Entry& e : v.standard.value_or(std::vector<Entry>{})) {
        const Value& value = e.value.front();
        if (style == Style::readyBytes || value.type == DataType::NoData) {
            list.add(e.name, value.type, value.blank ? std::vector<std::byte>{} : contentOf(value, style, nullptr));
        } else if (isPrimitive(value.type) && value.type != DataType::Array) {
            list.element(e.name, value.type);
            static_cast<void>(encodePrefixed(list.writer(), value));
        } else {
            list.beginElement(e.name, value.type);
            encode(list.writer(), value, style, nullptr);
            list.endElement();
        }
    }
    latch(out, list.complete());
}

/// Head parts that must outlive begin(), and the scope for nested lists.
struct Head {
    Head(const Value& v, Style style) {
        header.entryType = v.entryType;
        header.hasTotalCountHint = v.hint.has_value();
        header.totalCountHint = v.hint.value_or(0);
        if (v.setDefs) {
            defs = encodeDefinitions(*v.setDefs);
            const auto kind = v.setDefs->elements ? SetDefinitionDb::Kind::elements : SetDefinitionDb::Kind::fields;
            if (!db.decode(defs, kind).ok()) throw Fault("own definitions refused");
            header.hasSetDefs = true;
            header.setDefs = defs;
        }
        if (!v.summary.empty()) {
            summary = contentOf(v.summary.front(), style, sets());
            header.hasSummary = true;
            header.summary = summary;
        }
    }
    [[nodiscard]] const SetDefinitionDb* sets() const { return header.hasSetDefs ? &db : nullptr; }
    EntryContainerHeader header;
    SetDefinitionDb db;
    std::vector<std::byte> defs, summary;
};

/// Calls add(payload, perm) or begin(perm) + content + end() for one entry.
template <class Encoder, class Add, class Begin>
void encodeEntry(Encoder& encoder, const Entry& e, Style style, const SetDefinitionDb* sets, Add add, Begin begin) {
    const Bytes perm = e.permData ? asBytes(*e.permData) : Bytes{};
    const Bytes* permOrNull = e.permData ? &perm : nullptr;
    if (style == Style::readyBytes) {
        add(e.value.empty() ? std::vector<std::byte>{} : contentOf(e.value.front(), style, sets), permOrNull);
    } else {
        begin(permOrNull);
        if (!e.value.empty()) encode(encoder.writer(), e.value.front(), style, sets);
        encoder.endEntry();
    }
}

void encodeMap(BeWriter& out, const Value& v, Style style) {
    const Head head{v, style};
    MapEncoder map;
    map.begin(out, head.header, v.keyType, v.keyFieldId ? &*v.keyFieldId : nullptr);
    for (const Entry& e : v.entries) {
        const auto key = contentOf(e.key.front(), style, nullptr);
        encodeEntry(
            map, e, style, head.sets(),
            [&](const auto& payload, const Bytes* perm) { map.add(e.action, key, payload, perm); },
            [&](const Bytes* perm) { map.beginEntry(e.action, key, perm); });
    }
    latch(out, map.complete());
}

void encodeVector(BeWriter& out, const Value& v, Style style) {
    const Head head{v, style};
    VectorEncoder vector;
    vector.begin(out, head.header, v.sortable);
    for (const Entry& e : v.entries)
        encodeEntry(
            vector, e, style, head.sets(),
            [&](const auto& payload, const Bytes* perm) { vector.add(e.action, e.index, payload, perm); },
            [&](const Bytes* perm) { vector.beginEntry(e.action, e.index, perm); });
    latch(out, vector.complete());
}

void encodeSeries(BeWriter& out, const Value& v, Style style) {
    const Head head{v, style};
    SeriesEncoder series;
    series.begin(out, head.header);
    for (const Entry& e : v.entries)
        encodeEntry(
            series, e, style, head.sets(), [&](const auto& payload, const Bytes*) { series.add(payload); },
            [&](const Bytes*) { series.beginEntry(); });
    latch(out, series.complete());
}

void encodeFilterList(BeWriter& out, const Value& v, Style style) {
    FilterListEncoder list;
    const auto hint = static_cast<std::uint8_t>(v.hint.value_or(0));
    list.begin(out, v.entryType, v.hint ? &hint : nullptr);
    for (const Entry& e : v.entries) {
        const DataType type = e.ownType.value_or(v.entryType);
        const bool own = e.ownType.has_value();
        encodeEntry(
            list, e, style, nullptr,
            [&](const auto& payload, const Bytes* perm) { list.add(e.action, e.id, type, payload, perm, own); },
            [&](const Bytes* perm) { list.beginEntry(e.action, e.id, type, perm, own); });
    }
    latch(out, list.complete());
}

void encodeMessage(BeWriter& out, const Value& v, Style style) {
    const MsgParts& parts = v.msg.front();
    Msg m = parts.header;
    m.key.name = asBytes(parts.name);
    m.permData = asBytes(parts.permData);
    m.extendedHeader = asBytes(parts.extendedHeader);
    m.groupId = asBytes(parts.groupId);
    m.text = asBytes(parts.text);
    m.state.text = asBytes(parts.stateText);
    std::vector<std::byte> attrib, payload;
    if (!parts.attrib.empty()) attrib = contentOf(parts.attrib.front(), style, nullptr);
    m.key.attrib = attrib;
    const std::size_t before = out.size();
    if (style == Style::readyBytes) {
        if (!parts.payload.empty()) payload = contentOf(parts.payload.front(), style, nullptr);
        m.payload = payload;
    }
    const Error e = style == Style::readyBytes ? encodeMsg(out, m) : encodeMsgHeader(out, m);
    if (!e.ok()) {
        if (out.size() != before) throw Fault("a message that failed was not rolled back");
        return out.fail(e.code);
    }
    if (style == Style::inPlace && !parts.payload.empty()) encode(out, parts.payload.front(), style, nullptr);
    if (out.ok() && out.size() - before > maxEncodedSize(m) + (style == Style::inPlace ? 0xFFFFFFu : 0u))
        throw Fault("maxEncodedSize is not a bound");
}

}  // namespace

void encode(BeWriter& out, const Value& v, Style style, const SetDefinitionDb* sets) {
    if (v.blank || v.empty) return;
    switch (v.type) {
    case DataType::Int:
        return encodeInt(out, static_cast<std::int64_t>(v.bits));
    case DataType::UInt:
        return encodeUInt(out, v.bits);
    case DataType::Float:
        return encodeFloat(out, std::bit_cast<float>(static_cast<std::uint32_t>(v.bits)));
    case DataType::Double:
        return encodeDouble(out, std::bit_cast<double>(v.bits));
    case DataType::Real:
        return encodeReal(out, v.real);
    case DataType::Date:
        return encodeDate(out, v.dateTime.date);
    case DataType::Time:
        return encodeTime(out, v.dateTime.time);
    case DataType::DateTime:
        return encodeDateTime(out, v.dateTime);
    case DataType::Qos:
        return encodeQos(out, v.qos);
    case DataType::Enum:
        return encodeEnum(out, static_cast<std::uint16_t>(v.bits));
    case DataType::State: {
        State s = v.state;
        s.text = asBytes(v.bytes);
        return encodeState(out, s);
    }
    case DataType::Array:
        return encodeArray(out, v, style);
    case DataType::FieldList:
        return encodeFieldList(out, v, style, sets);
    case DataType::ElementList:
        return encodeElementList(out, v, style, sets);
    case DataType::Map:
        return encodeMap(out, v, style);
    case DataType::Vector:
        return encodeVector(out, v, style);
    case DataType::Series:
        return encodeSeries(out, v, style);
    case DataType::FilterList:
        return encodeFilterList(out, v, style);
    case DataType::Msg:
        return encodeMessage(out, v, style);
    case DataType::NoData:
        return;
    default:
        return out.bytes(asBytes(v.bytes));
    }
}

std::vector<std::byte> encodeAll(const Value& v, Style style, const SetDefinitionDb* sets) {
    return contentOf(v, style, sets);
}

void encodeSetEntry(BeWriter& out, DataType setType, const Value& v) {
    const auto content = v.blank ? std::vector<std::byte>{} : contentOf(v, Style::readyBytes, nullptr);
    latch(out, encodeSetValue(out, setType, content));
}

std::vector<std::byte> encodeDefinitions(const SetDefs& defs) {
    std::vector<std::byte> block;
    BeWriter out{{}, growExactly, &block};
    SetDefinitionEncoder encoder;
    encoder.begin(out);
    for (const SetDef& d : defs.defs) {
        encoder.beginSet(d.id);
        for (const SetDef::Item& i : d.items) {
            if (defs.elements) encoder.element(i.name, i.type);
            else encoder.field(i.fieldId, i.type);
        }
        encoder.endSet();
    }
    if (const Error e = encoder.complete(); !e.ok()) throw Fault(describe(e.code));
    block.resize(out.size());
    return block;
}

}  // namespace emissary::eta::codec::model
