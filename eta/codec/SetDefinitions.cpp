// Set definitions (rwf.md 3.9) and the values of set data (rwf.md 2.13). decode() checks all definitions once; cursors
// over them need no checks afterwards.
#include "eta/codec/SetDefinitions.h"

#include "eta/codec/primitives.h"

namespace emissary::eta::codec {

namespace {

/// Types a definition may name: base primitives, set forms, containers (rwf.md 3.9).
[[nodiscard]] bool definable(std::uint8_t t) noexcept {
    return (t >= 3 && t <= 19 && t != 7) || (t >= 64 && t <= 84) || (t >= 130 && t <= 142);
}

/// Bytes of a form without prefix, 0 where the length travels with the value.
[[nodiscard]] std::size_t fixedWidth(DataType t) noexcept {
    switch (t) {
    case DataType::Int1:
    case DataType::UInt1:
        return 1;
    case DataType::Int2:
    case DataType::UInt2:
        return 2;
    case DataType::Int4:
    case DataType::UInt4:
    case DataType::Float4:
    case DataType::Date4:
        return 4;
    case DataType::Int8:
    case DataType::UInt8:
    case DataType::Double8:
    case DataType::Time8:
        return 8;
    case DataType::Time3:
        return 3;
    case DataType::Time5:
        return 5;
    case DataType::Time7:
    case DataType::DateTime7:
        return 7;
    case DataType::DateTime9:
        return 9;
    case DataType::DateTime11:
        return 11;
    case DataType::DateTime12:
        return 12;
    default:
        return 0;
    }
}

/// Mantissa bytes by width selector (rwf.md 2.13).
constexpr std::array<std::uint8_t, 4> kReal4Widths{1, 2, 3, 4}, kReal8Widths{2, 4, 6, 8};
constexpr unsigned kRealSingleByte = 0x20;

}  // namespace

SetDefinition::Cursor SetDefinition::entries() const noexcept {
    Cursor c;
    c.in_ = BeReader{body_};
    c.left_ = count_;
    c.elements_ = elements_;
    return c;
}

bool SetDefinition::Cursor::next(SetEntry& out) noexcept {
    if (left_ == 0) return false;
    --left_;
    if (elements_) out.name = in_.buf15();
    else out.fieldId = static_cast<std::int16_t>(in_.u16());
    out.type = static_cast<DataType>(in_.u8());
    return in_.ok();
}

Error SetDefinitionDb::decode(Bytes in, Kind kind) noexcept {
    present_ = 0;
    kind_ = kind;
    BeReader reader{in};
    const auto at = [&reader](Errc code) { return Error{code, static_cast<std::uint32_t>(reader.offset())}; };
    static_cast<void>(reader.u8());  // flags, reserved
    const std::size_t count = reader.u8();
    if (!reader.ok()) return reader.error();
    if (count > 15) return at(Errc::tooManySets);
    std::uint16_t present = 0;
    for (std::size_t i = 0; i < count; ++i) {
        SetDefinition d;
        d.id_ = reader.u15rb();
        d.count_ = reader.u8();
        d.elements_ = kind == Kind::elements;
        if (!reader.ok()) return reader.error();
        if (d.id_ > 15) return at(Errc::illegalSet);
        if ((present >> d.id_ & 1) != 0) return at(Errc::duplicateSet);
        const std::size_t bodyAt = reader.offset();
        for (std::size_t e = 0; e < d.count_; ++e) {
            static_cast<void>(d.elements_ ? reader.buf15() : reader.take(2));
            const std::uint8_t type = reader.u8();
            if (!reader.ok()) return reader.error();
            if (!definable(type)) return at(Errc::unsupportedType);
        }
        d.body_ = in.subspan(bodyAt, reader.offset() - bodyAt);
        byId_[d.id_] = d;
        present = static_cast<std::uint16_t>(present | 1u << d.id_);
    }
    present_ = present;
    return {};
}

const SetDefinition* SetDefinitionDb::find(std::uint16_t id) const noexcept {
    return id < byId_.size() && (present_ >> id & 1) != 0 ? &byId_[id] : nullptr;
}

Error nextSetValue(BeReader& in, DataType setType, Bytes& content) noexcept {
    const auto number = static_cast<std::uint8_t>(setType);
    if (const std::size_t width = fixedWidth(setType); width != 0) {
        content = in.take(width);
    } else if (setType == DataType::Real4RB || setType == DataType::Real8RB) {
        if (in.remaining() == 0) return in.fail(), in.error();
        const unsigned first = loadBe<std::uint8_t>(in.position());
        const auto& widths = setType == DataType::Real4RB ? kReal4Widths : kReal8Widths;
        content = in.take((first & kRealSingleByte) != 0 ? 1u : 1u + widths[first >> 6]);
    } else if (number <= static_cast<std::uint8_t>(DataType::Qos)) {
        content = in.buf8();
    } else {
        content = in.buf16();
    }
    return in.error();
}

Decoded decodeSetReal(Bytes in, DataType setType, Real& out) noexcept {
    if (setType != DataType::Real4RB && setType != DataType::Real8RB) return decodeReal(in, out);
    if (in.empty()) return out = Real{}, Decoded::blank;
    const unsigned first = loadBe<std::uint8_t>(in.data());
    const auto hint = static_cast<std::uint8_t>(first & 0x3F);
    if ((first & kRealSingleByte) != 0) {
        if (hint == kRealSingleByte) return out = Real{}, Decoded::blank;
        if (hint > Real::kNotANumber || in.size() != 1) return Decoded::malformed;
        return out = Real{0, hint}, Decoded::value;
    }
    const auto& widths = setType == DataType::Real4RB ? kReal4Widths : kReal8Widths;
    if (hint > 30 || in.size() != 1u + widths[first >> 6]) return Decoded::malformed;
    return out = Real{detail::loadSigned(in.data() + 1, in.size() - 1), hint}, Decoded::value;
}

}  // namespace emissary::eta::codec
