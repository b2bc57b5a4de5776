// The place of the next field in a FieldList that is being built; not for applications.
#pragma once

#include "Access/Include/EmaBuffer.h"
#include "Access/Include/OmmReal.h"
#include "Access/Include/detail/wire_bytes.h"

namespace emissary::ema {

/// Writes the fields that updates are made of (id, a one-byte length and the shortest form of the value, rwf.md 2, 3.2)
/// into the block of a FieldList without a call into the library. An add method returns false and has changed nothing
/// when the list has not lent its block, when the longest form might not fit in the rest of it, and for values that are
/// blank, rare or to be refused: the library does all that.
struct FieldOutput {
    wire::Octet* position = nullptr;  ///< null, as `end`, while nothing is lent
    wire::Octet* end = nullptr;
    refinitiv::ema::access::UInt32 count = 0;  ///< fields written since the block was lent

    using Id = refinitiv::ema::access::Int16;
    using Byte = refinitiv::ema::access::UInt8;
    using Short = refinitiv::ema::access::UInt16;

    /// An Int of 1..8 bytes.
    bool addInt(Id id, refinitiv::ema::access::Int64 v) {
        return addNumber(id, static_cast<refinitiv::ema::access::UInt64>(v), wire::signedWidth(v));
    }
    /// A UInt of 1..8 bytes.
    bool addUInt(Id id, refinitiv::ema::access::UInt64 v) { return addNumber(id, v, wire::unsignedWidth(v)); }
    /// A Real of hint 0..30.
    bool addReal(Id id, refinitiv::ema::access::Int64 mantissa,
                 refinitiv::ema::access::OmmReal::MagnitudeType magnitude) {
        const auto hint = static_cast<Byte>(magnitude);
        if (wire::rarely(hint > 30 || !hasRoom())) return false;
        const std::size_t n = wire::signedWidth(mantissa);
        wire::Octet* const at = head(id, n + 1, hint);
        storeWide(at + 4, static_cast<Wide>(mantissa), n);
        return advanceTo(at + 4 + n);
    }
    /// Four bytes.
    bool addFloat(Id id, float v) {
        if (wire::rarely(!hasRoom())) return false;
        wire::Octet* const at = head(id, sizeof v);
        storeUpper(at + 3, wire::bits<refinitiv::ema::access::UInt32>(v));
        return advanceTo(at + 3 + sizeof v);
    }
    /// Eight bytes.
    bool addDouble(Id id, double v) { return addNumber(id, wire::bits<refinitiv::ema::access::UInt64>(v), sizeof v); }
    /// One or two bytes.
    bool addEnum(Id id, Short v) {
        if (wire::rarely(!hasRoom())) return false;
        const std::size_t n = v < 256 ? 1 : 2;
        wire::Octet* const at = head(id, n);
        storeWide(at + 3, v, n);
        return advanceTo(at + 3 + n);
    }
    /// A date that is neither blank nor out of range.
    bool addDate(Id id, Short year, Byte month, Byte day) {
        if (wire::rarely(!isPlainDate(year, month, day) || !hasRoom())) return false;
        wire::Octet* const at = head(id, 4);
        storeUpper(at + 3, wire::packDate(year, month, day));
        return advanceTo(at + 7);
    }
    /// A time that is neither blank nor out of range.
    bool addTime(Id id, Byte hour, Byte minute, Byte second, Short milli, Short micro, Short nano) {
        if ((milli | micro | nano) == 0) {  // most are
            if (wire::rarely(!isPlainTime(hour, minute, second) || !hasRoom())) return false;
            const std::size_t n = second != 0 ? 3 : 2;
            wire::Octet* const at = head(id, n);
            store(at + 3, wire::packTime(hour, minute, second, 0, 0, 0));
            return advanceTo(at + 3 + n);
        }
        if (wire::rarely(!isPlainTime(hour, minute, second, milli, micro, nano) || !hasRoom())) return false;
        const std::size_t n = wire::timeWidth(second, milli, micro, nano);
        wire::Octet* const at = head(id, n);
        store(at + 3, wire::packTime(hour, minute, second, milli, micro, nano));
        return advanceTo(at + 3 + n);
    }
    /// Date and time.
    bool addDateTime(Id id, Short year, Byte month, Byte day, Byte hour, Byte minute, Byte second, Short milli,
                     Short micro, Short nano) {
        if (wire::rarely(!isPlainDate(year, month, day) || !isPlainTime(hour, minute, second, milli, micro, nano) ||
                         !hasRoom()))
            return false;
        const std::size_t n = wire::timeWidth(second, milli, micro, nano);
        wire::Octet* const at = head(id, 4 + n);
        storeUpper(at + 3, wire::packDate(year, month, day));
        store(at + 7, wire::packTime(hour, minute, second, milli, micro, nano));
        return advanceTo(at + 7 + n);
    }
    /// Buffers and texts; an empty one looks like a blank.
    bool addBytes(Id id, const char* bytes, refinitiv::ema::access::UInt32 length) {
        if (wire::rarely(length >= 0xFE || static_cast<std::size_t>(end - position) < kMost + length)) return false;
        wire::Octet* const at = head(id, length);
        copy(at + 3, bytes, length);
        return advanceTo(at + 3 + length);
    }
    /// Any type without a value.
    bool addBlank(Id id) {
        if (wire::rarely(!hasRoom())) return false;
        wire::Octet* const at = head(id, 0);
        return advanceTo(at + 3);
    }

private:
    /// What one of the above writes at most, its wide stores included; a text apart.
    static constexpr std::size_t kMost = 16;
    using Wide = refinitiv::ema::access::UInt64;

    [[nodiscard]] bool hasRoom() const { return static_cast<std::size_t>(end - position) >= kMost; }
    /// Eight bytes of the block. Everything but a text is stored as these: bytes that are stored as bytes might be
    /// those of `position` for all that the compiler knows, and each field would wait until it has been stored and read
    /// again.
    struct [[gnu::packed]] Stored {
        Wide bytes;
    };
    static void store(wire::Octet* at, Wide v) { reinterpret_cast<Stored*>(at)->bytes = wire::networkOrder(v); }
    /// The low four bytes of v, and what they overwrite behind.
    static void storeUpper(wire::Octet* at, Wide v) { store(at, v << 32); }
    /// The low n bytes of v, 1..8, and what they overwrite behind.
    static void storeWide(wire::Octet* at, Wide v, std::size_t n) { store(at, v << (64 - 8 * n)); }
    /// Id, length and one byte more. Returns where they stand.
    [[nodiscard]] wire::Octet* head(Id id, std::size_t length, Byte first = 0) const {
        const refinitiv::ema::access::UInt32 wireId = static_cast<Short>(id);
        wire::Octet* const at = position;
        storeUpper(at, static_cast<refinitiv::ema::access::UInt32>(wireId << 16 | length << 8 | first));
        return at;
    }
    bool advanceTo(wire::Octet* next) {
        position = next;
        ++count;
        return true;
    }
    bool addNumber(Id id, Wide v, std::size_t n) {
        if (wire::rarely(!hasRoom())) return false;
        wire::Octet* const at = head(id, n);
        storeWide(at + 3, v, n);
        return advanceTo(at + 3 + n);
    }
    /// In the calendar for certain and without a blank part: the 29th of February is left to the library.
    [[nodiscard]] static bool isPlainDate(Short year, Byte month, Byte day) {
        const unsigned last = month == 2 ? 28 : 30;
        return static_cast<bool>((year <= 4095) & (month - 1u < 12) & (day - 1u < last));
    }
    [[nodiscard]] static bool isPlainTime(Byte hour, Byte minute, Byte second) {
        return static_cast<bool>((hour <= 23) & (minute <= 59) & (second <= 60));
    }
    [[nodiscard]] static bool isPlainTime(Byte hour, Byte minute, Byte second, Short milli, Short micro, Short nano) {
        return static_cast<bool>(isPlainTime(hour, minute, second) & (milli <= 999) & (micro <= 999) & (nano <= 999));
    }
    /// Most texts are so short that a call would be most of the work.
    static void copy(wire::Octet* to, const char* from, std::size_t n) {
        if (n > 8) {
            std::memcpy(to, from, n);
        } else if (n >= 4) {  // two words, which overlap
            std::memcpy(to, from, 4);
            std::memcpy(to + n - 4, from + n - 4, 4);
        } else if (n != 0) {
            to[0] = static_cast<wire::Octet>(from[0]);
            to[n / 2] = static_cast<wire::Octet>(from[n / 2]);
            to[n - 1] = static_cast<wire::Octet>(from[n - 1]);
        }
    }
};

}  // namespace emissary::ema
