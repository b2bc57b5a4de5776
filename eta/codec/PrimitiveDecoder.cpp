// Decoding of primitives beyond the inline paths of primitives.h: rare forms of Real, DateTime, Qos and State (rwf.md
// 2.5 to 2.10).
#include "eta/codec/primitives.h"

namespace emissary::eta::codec {

// A hint byte alone, infinities, NaN and the blank hint 32 (rwf.md 2.5).
Decoded decodeRealOther(Bytes in, Real& out) noexcept {
    const auto blank = [&out] { return out = Real{0, 14}, Decoded::blank; };
    if (in.empty()) return blank();
    if (in.size() > 9) return Decoded::malformed;
    const auto hint = static_cast<std::uint8_t>(loadBe<std::uint8_t>(in.data()) & 0x3F);
    if (hint >= Real::kInfinity && hint <= Real::kNotANumber) return out = Real{0, hint}, Decoded::value;
    if (in.size() == 1 || hint == 32) return blank();
    return Decoded::malformed;  // 31 and 36..63; hints 0..30 were taken by the inline path
}

// Either part may be blank; the value is blank when both are.
Decoded decodeDateTime(Bytes in, DateTime& out) noexcept {
    if (in.empty()) return out = DateTime{{}, Time::blankTime()}, Decoded::blank;
    if (in.size() < 6) return Decoded::malformed;
    DateTime v;
    const Decoded date = decodeDate(in.first(4), v.date);
    const Decoded time = decodeTime(in.subspan(4), v.time);
    if (time == Decoded::malformed) return Decoded::malformed;
    out = v;
    return date == Decoded::blank && time == Decoded::blank ? Decoded::blank : Decoded::value;
}

void readQos(BeReader& in, Qos& out) noexcept {
    const std::uint8_t first = in.u8();
    out.timeliness = first >> 5;
    out.rate = first >> 1 & 0x0F;
    out.dynamic = (first & 1) != 0;
    out.timeInfo = out.timeliness > 2 ? in.u16() : std::uint16_t{0};
    out.rateInfo = out.rate > 2 ? in.u16() : std::uint16_t{0};
}

Decoded decodeQos(Bytes in, Qos& out) noexcept {
    if (in.empty()) return out = Qos{}, Decoded::blank;
    BeReader reader{in};
    Qos v;
    readQos(reader, v);
    if (!reader.ok()) return Decoded::malformed;
    out = v;
    return Decoded::value;
}

void readState(BeReader& in, State& out) noexcept {
    const std::uint8_t first = in.u8();
    out.stream = first >> 3;
    out.data = first & 7;
    out.code = in.u8();
    out.text = in.buf15();
}

Decoded decodeState(Bytes in, State& out) noexcept {
    if (in.empty()) return out = State{}, Decoded::blank;
    BeReader reader{in};
    State v;
    readState(reader, v);
    if (!reader.ok()) return Decoded::malformed;
    out = v;
    return Decoded::value;
}

}  // namespace emissary::eta::codec
