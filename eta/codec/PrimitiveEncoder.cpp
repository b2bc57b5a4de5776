// Encoding of primitives beyond the inline paths of primitives.h (rwf.md 2.4 to 2.10). Forms with a length in front
// write length and content in one step.
#include "eta/codec/primitives.h"

namespace emissary::eta::codec {

namespace {

/// Bytes of the narrowest form that holds the time (rwf.md 2.7).
[[nodiscard]] std::size_t timeWidth(const Time& v) noexcept {
    return detail::timeWidth(v.second, v.millisecond, v.microsecond, v.nanosecond);
}

[[nodiscard]] bool fits(const Time& v) noexcept {
    return v.microsecond <= 2047 && v.nanosecond <= 2047;
}

/// The first `width` bytes of the time; with one wide store where the block has room for it.
void writeTime(BeWriter& out, const Time& v, std::size_t width) noexcept {
    const std::uint64_t packed =
        detail::packTime(v.hour, v.minute, v.second, v.millisecond, v.microsecond, v.nanosecond);
    if (out.space() >= sizeof packed) [[likely]] {
        storeBe(out.room(sizeof packed), packed);
        return out.advance(width);
    }
    std::array<std::byte, sizeof packed> whole;
    storeBe(whole.data(), packed);
    out.bytes(Bytes{whole}.first(width));
}

[[nodiscard]] std::uint32_t packed(const Date& v) noexcept {
    return detail::packDate(v.year, v.month, v.day);
}

/// Bytes of a quality of service: amounts follow only where timeliness or rate say so (rwf.md 2.9).
[[nodiscard]] std::size_t qosWidth(const Qos& v) noexcept {
    return 1u + (v.timeliness > 2 ? 2u : 0u) + (v.rate > 2 ? 2u : 0u);
}

/// Bytes of a state, whose text has a length of one or two bytes (rwf.md 2.10).
[[nodiscard]] std::size_t stateWidth(const State& v) noexcept {
    return 2 + (v.text.size() < 0x80 ? 1u : 2u) + v.text.size();
}

}  // namespace

namespace detail {

void encodeIntegerSlow(BeWriter& out, std::uint64_t v, std::size_t width, bool prefixed) noexcept {
    std::array<std::byte, 9> scratch;
    scratch[0] = static_cast<std::byte>(width);
    storeWide(scratch.data() + 1, v, width);
    const Bytes whole{scratch.data(), 1 + width};
    out.bytes(prefixed ? whole : whole.subspan(1));
}

void encodeRealSlow(BeWriter& out, const Real& v, bool prefixed) noexcept {
    std::array<std::byte, 10> scratch;
    std::size_t n = 0;
    if (v.hint <= 30) {
        n = signedWidth(v.mantissa);
        storeWide(scratch.data() + 2, static_cast<std::uint64_t>(v.mantissa), n);
    } else if (v.hint < Real::kInfinity || v.hint > Real::kNotANumber) {
        return out.fail();
    }
    scratch[0] = static_cast<std::byte>(n + 1);
    scratch[1] = static_cast<std::byte>(v.hint);
    const Bytes whole{scratch.data(), 2 + n};
    out.bytes(prefixed ? whole : whole.subspan(1));
}

}  // namespace detail

void encodeDate(BeWriter& out, const Date& v) noexcept {
    out.u32(packed(v));
}

void encodeTime(BeWriter& out, const Time& v) noexcept {
    if (!fits(v)) return out.fail();
    writeTime(out, v, timeWidth(v));
}

void encodeDateTime(BeWriter& out, const DateTime& v) noexcept {
    if (!fits(v.time)) return out.fail();
    out.u32(packed(v.date));
    writeTime(out, v.time, timeWidth(v.time));
}

void encodeQos(BeWriter& out, const Qos& v) noexcept {
    if (v.timeliness == 0 || v.timeliness > 3 || v.rate == 0 || v.rate > 3) return out.fail();
    out.u8(static_cast<std::uint8_t>(v.timeliness << 5 | v.rate << 1 | (v.dynamic ? 1 : 0)));
    if (v.timeliness > 2) out.u16(v.timeInfo);
    if (v.rate > 2) out.u16(v.rateInfo);
}

void encodeState(BeWriter& out, const State& v) noexcept {
    if (v.stream == StreamState::unspecified || v.stream > 31 || v.data > 7) return out.fail();
    out.u8(static_cast<std::uint8_t>(v.stream << 3 | v.data));
    out.u8(v.code);
    out.buf15(v.text);
}

void encodeFloatPrefixed(BeWriter& out, float v) noexcept {
    if (std::byte* p = out.room(5)) {
        p[0] = std::byte{4};
        storeBe(p + 1, std::bit_cast<std::uint32_t>(v));
        out.advance(5);
    }
}

void encodeDoublePrefixed(BeWriter& out, double v) noexcept {
    if (std::byte* p = out.room(9)) {
        p[0] = std::byte{8};
        storeBe(p + 1, std::bit_cast<std::uint64_t>(v));
        out.advance(9);
    }
}

void encodeDatePrefixed(BeWriter& out, const Date& v) noexcept {
    if (v.blank()) return encodeBlank(out);
    if (std::byte* p = out.room(5)) {
        p[0] = std::byte{4};
        storeBe(p + 1, packed(v));
        out.advance(5);
    }
}

void encodeTimePrefixed(BeWriter& out, const Time& v) noexcept {
    if (v.blank()) return encodeBlank(out);
    if (!fits(v)) return out.fail();
    const std::size_t width = timeWidth(v);
    out.u8(static_cast<std::uint8_t>(width));
    writeTime(out, v, width);
}

void encodeDateTimePrefixed(BeWriter& out, const DateTime& v) noexcept {
    if (v.blank()) return encodeBlank(out);
    if (!fits(v.time)) return out.fail();
    const std::size_t width = timeWidth(v.time);
    out.u8(static_cast<std::uint8_t>(4 + width));
    out.u32(packed(v.date));
    writeTime(out, v.time, width);
}

void encodeQosPrefixed(BeWriter& out, const Qos& v) noexcept {
    out.u8(static_cast<std::uint8_t>(qosWidth(v)));
    encodeQos(out, v);
}

void encodeStatePrefixed(BeWriter& out, const State& v) noexcept {
    out.u16ob(static_cast<std::uint32_t>(std::min<std::size_t>(stateWidth(v), 0x10000)));
    encodeState(out, v);
}

}  // namespace emissary::eta::codec
