// A walk through everything inside a value, for trust boundaries, tests and fuzzing.
#include "eta/codec/Msg.h"
#include "eta/codec/containers.h"
#include "eta/codec/primitives.h"

namespace emissary::eta::codec {

namespace {

/// Walks everything inside a value. Offsets of faults are made relative to the outermost input.
class Validator {
public:
    Validator(Bytes whole, FieldTypeLookup fieldType, const void* context) noexcept
        : whole_(whole), fieldType_(fieldType), context_(context) {}

    [[nodiscard]] Error value(Bytes in, DataType type, DataType setType, const SetDefinitionDb* sets,
                              int depth) const noexcept {
        switch (type) {
        case DataType::Msg:
            return deeper(in, depth) ? message(in, depth + 1) : at(Errc::tooDeep, in);
        case DataType::FieldList:
            return deeper(in, depth) ? fieldList(in, sets, depth + 1) : at(Errc::tooDeep, in);
        case DataType::ElementList:
            return deeper(in, depth) ? elementList(in, sets, depth + 1) : at(Errc::tooDeep, in);
        case DataType::Map:
            return deeper(in, depth) ? map(in, depth + 1) : at(Errc::tooDeep, in);
        case DataType::Vector:
            return deeper(in, depth) ? vector(in, depth + 1) : at(Errc::tooDeep, in);
        case DataType::Series:
            return deeper(in, depth) ? series(in, depth + 1) : at(Errc::tooDeep, in);
        case DataType::FilterList:
            return deeper(in, depth) ? filterList(in, depth + 1) : at(Errc::tooDeep, in);
        case DataType::Array:
            return deeper(in, depth) ? array(in, depth + 1) : at(Errc::tooDeep, in);
        default:
            return primitive(in, type, setType) ? Error{} : at(Errc::badValue, in);
        }
    }

private:
    [[nodiscard]] static bool deeper(Bytes in, int depth) noexcept { return depth < kMaxDepth || in.empty(); }

    [[nodiscard]] Error at(Errc code, Bytes in, std::uint32_t offset = 0) const noexcept {
        const auto base = in.data() == nullptr ? 0 : static_cast<std::uint32_t>(in.data() - whole_.data());
        return {code, base + offset};
    }
    [[nodiscard]] Error at(Error e, Bytes in) const noexcept { return at(e.code, in, e.offset); }

    [[nodiscard]] static bool primitive(Bytes in, DataType type, DataType setType) noexcept {
        const auto good = [in](auto decode, auto value) { return decode(in, value) != Decoded::malformed; };
        switch (type) {
        case DataType::Int:
            return good(decodeInt, std::int64_t{});
        case DataType::UInt:
            return good(decodeUInt, std::uint64_t{});
        case DataType::Float:
            return good(decodeFloat, 0.0F);
        case DataType::Double:
            return good(decodeDouble, 0.0);
        case DataType::Real: {
            Real real;
            return decodeSetReal(in, setType, real) != Decoded::malformed;
        }
        case DataType::Date:
            return good(decodeDate, Date{});
        case DataType::Time:
            return good(decodeTime, Time{});
        case DataType::DateTime:
            return good(decodeDateTime, DateTime{});
        case DataType::Qos:
            return good(decodeQos, Qos{});
        case DataType::State:
            return good(decodeState, State{});
        case DataType::Enum:
            return good(decodeEnum, std::uint16_t{});
        default:
            return true;  // bytes, opaque containers, unknown types
        }
    }

    [[nodiscard]] Error message(Bytes in, int depth) const noexcept {
        if (in.empty()) return {};
        Msg msg;
        if (const Error e = decodeMsg(in, msg); !e.ok()) return at(e, in);
        if (msg.hasKey()) {
            if (const Error e = attributes(msg.key, depth); !e.ok()) return e;
        }
        const bool requestKey = (msg.cls == MsgClass::Refresh && msg.has(RefreshFlag::reqMsgKey)) ||
                                (msg.cls == MsgClass::Status && msg.has(StatusFlag::reqMsgKey)) ||
                                (msg.cls == MsgClass::Generic && msg.has(GenericFlag::reqMsgKey));
        if (requestKey) {
            if (const Error e = attributes(msg.reqKey, depth); !e.ok()) return e;
        }
        return content(msg.payload, msg.containerType, nullptr, depth);
    }

    [[nodiscard]] Error attributes(const MsgKey& key, int depth) const noexcept {
        if (!key.has(KeyFlag::attrib)) return {};
        return content(key.attrib, key.attribType, nullptr, depth);
    }

    [[nodiscard]] Error content(Bytes in, DataType type, const SetDefinitionDb* sets, int depth) const noexcept {
        return value(in, type, DataType::Unknown, sets, depth);
    }

    [[nodiscard]] Error fieldList(Bytes in, const SetDefinitionDb* sets, int depth) const noexcept {
        FieldListDecoder list;
        if (const Error e = list.start(in, sets); !e.ok()) return at(e, in);
        FieldEntry entry;
        while (list.next(entry)) {
            DataType type = baseType(entry.setType);
            if (entry.setType == DataType::Unknown) {
                if (fieldType_ == nullptr) continue;
                type = fieldType_(context_, entry.fieldId);
            }
            if (const Error e = value(entry.data, type, entry.setType, nullptr, depth); !e.ok()) return e;
        }
        return at(list.error(), in);
    }

    [[nodiscard]] Error elementList(Bytes in, const SetDefinitionDb* sets, int depth) const noexcept {
        ElementListDecoder list;
        if (const Error e = list.start(in, sets); !e.ok()) return at(e, in);
        ElementEntry entry;
        while (list.next(entry)) {
            if (const Error e = value(entry.data, entry.type, entry.setType, nullptr, depth); !e.ok()) return e;
        }
        return at(list.error(), in);
    }

    /// Summary first, then every entry's payload, both in the scope of the container's own definitions.
    template <class Decoder, class Entry, class Check>
    [[nodiscard]] Error entries(Bytes in, Decoder& decoder, Entry entry, int depth, Check check) const noexcept {
        if (const Error e = decoder.start(in); !e.ok()) return at(e, in);
        if (decoder.hasSummary()) {
            const Error e = content(decoder.summary(), decoder.entryType(), decoder.sets(), depth);
            if (!e.ok()) return e;
        }
        while (decoder.next(entry)) {
            if (const Error e = check(entry); !e.ok()) return e;
            if (const Error e = content(entry.data, decoder.entryType(), decoder.sets(), depth); !e.ok()) return e;
        }
        return at(decoder.error(), in);
    }

    [[nodiscard]] Error map(Bytes in, int depth) const noexcept {
        MapDecoder decoder;
        return entries(in, decoder, MapEntry{}, depth, [&](const MapEntry& e) {
            return primitive(e.key, decoder.keyType(), DataType::Unknown) ? Error{} : at(Errc::badValue, e.key);
        });
    }
    [[nodiscard]] Error vector(Bytes in, int depth) const noexcept {
        VectorDecoder decoder;
        return entries(in, decoder, VectorEntry{}, depth, [](const VectorEntry&) { return Error{}; });
    }
    [[nodiscard]] Error series(Bytes in, int depth) const noexcept {
        SeriesDecoder decoder;
        return entries(in, decoder, SeriesEntry{}, depth, [](const SeriesEntry&) { return Error{}; });
    }

    [[nodiscard]] Error filterList(Bytes in, int depth) const noexcept {
        FilterListDecoder decoder;
        if (const Error e = decoder.start(in); !e.ok()) return at(e, in);
        FilterEntry entry;
        while (decoder.next(entry)) {
            if (const Error e = content(entry.data, entry.type, nullptr, depth); !e.ok()) return e;
        }
        return at(decoder.error(), in);
    }

    [[nodiscard]] Error array(Bytes in, int depth) const noexcept {
        ArrayDecoder decoder;
        if (const Error e = decoder.start(in); !e.ok()) return at(e, in);
        Bytes item;
        while (decoder.next(item)) {
            if (const Error e = content(item, decoder.itemType(), nullptr, depth); !e.ok()) return e;
        }
        return at(decoder.error(), in);
    }

    Bytes whole_;
    FieldTypeLookup fieldType_;
    const void* context_;
};

}  // namespace

Error validate(Bytes in, DataType type, FieldTypeLookup fieldType, const void* context, const SetDefinitionDb* sets,
               int depth) noexcept {
    return Validator{in, fieldType, context}.value(in, baseType(type), type, sets, depth);
}

}  // namespace emissary::eta::codec
