// Where the next field of a FieldList goes that is being built; not for applications.
#pragma once

#include "Access/Include/EmaBuffer.h"
#include "Access/Include/OmmReal.h"
#include "eta/codec/shortest.h"

namespace emissary::ema {

namespace shortest = eta::codec::detail;

/// Writes the fields that updates are made of (id, a one-byte length and the shortest form of the value, rwf.md 2, 3.2)
/// into the block of a FieldList without a call into the library. An add method returns false and has changed nothing
/// when the list has not lent its block, when the longest form might not fit in the rest of it, and for values that are
/// blank, rare or to be refused: the library does all that.
struct FieldOutput {
    std::byte* position = nullptr;  ///< null, as `end`, while nothing is lent
    std::byte* end = nullptr;
    refinitiv::ema::access::UInt32 count = 0;  ///< fields written since the block was lent

    using Id = refinitiv::ema::access::Int16;
    using Byte = refinitiv::ema::access::UInt8;
    using Short = refinitiv::ema::access::UInt16;

    /// An Int of 1..8 bytes.
    bool addInt(Id id, refinitiv::ema::access::Int64 v) {
        return addNumber(id, static_cast<refinitiv::ema::access::UInt64>(v), shortest::signedWidth(v));
    }
    /// A UInt of 1..8 bytes.
    bool addUInt(Id id, refinitiv::ema::access::UInt64 v) { return addNumber(id, v, shortest::unsignedWidth(v)); }
    /// A Real of hint 0..30.
    bool addReal(Id id, refinitiv::ema::access::Int64 mantissa,
                 refinitiv::ema::access::OmmReal::MagnitudeType magnitude) {
        const auto hint = static_cast<Byte>(magnitude);
        if (hint > 30 || !hasRoom()) [[unlikely]]
            return false;
        const std::size_t n = shortest::signedWidth(mantissa);
        std::byte* const at = head(id, n + 1, hint);
        storeWide(at + 4, static_cast<Wide>(mantissa), n);
        return advanceTo(at + 4 + n);
    }
    /// Four bytes.
    bool addFloat(Id id, float v) {
        if (!hasRoom()) [[unlikely]]
            return false;
        std::byte* const at = head(id, sizeof v);
        storeUpper(at + 3, std::bit_cast<refinitiv::ema::access::UInt32>(v));
        return advanceTo(at + 3 + sizeof v);
    }
    /// Eight bytes.
    bool addDouble(Id id, double v) {
        return addNumber(id, std::bit_cast<refinitiv::ema::access::UInt64>(v), sizeof v);
    }
    /// One or two bytes.
    bool addEnum(Id id, Short v) {
        if (!hasRoom()) [[unlikely]]
            return false;
        const std::size_t n = v < 256 ? 1 : 2;
        std::byte* const at = head(id, n);
        storeWide(at + 3, v, n);
        return advanceTo(at + 3 + n);
    }
    /// A date that is neither blank nor out of range.
    bool addDate(Id id, Short year, Byte month, Byte day) {
        if (!isPlainDate(year, month, day) || !hasRoom()) [[unlikely]]
            return false;
        std::byte* const at = head(id, 4);
        storeUpper(at + 3, shortest::packDate(year, month, day));
        return advanceTo(at + 7);
    }
    /// A time that is neither blank nor out of range.
    bool addTime(Id id, Byte hour, Byte minute, Byte second, Short milli, Short micro, Short nano) {
        if ((milli | micro | nano) == 0) {  // most are
            if (!isPlainTime(hour, minute, second) || !hasRoom()) [[unlikely]]
                return false;
            const std::size_t n = second != 0 ? 3 : 2;
            std::byte* const at = head(id, n);
            store(at + 3, shortest::packTime(hour, minute, second, 0, 0, 0));
            return advanceTo(at + 3 + n);
        }
        if (!isPlainTime(hour, minute, second, milli, micro, nano) || !hasRoom()) [[unlikely]]
            return false;
        const std::size_t n = shortest::timeWidth(second, milli, micro, nano);
        std::byte* const at = head(id, n);
        store(at + 3, shortest::packTime(hour, minute, second, milli, micro, nano));
        return advanceTo(at + 3 + n);
    }
    /// Both of them.
    bool addDateTime(Id id, Short year, Byte month, Byte day, Byte hour, Byte minute, Byte second, Short milli,
                     Short micro, Short nano) {
        if (!isPlainDate(year, month, day) || !isPlainTime(hour, minute, second, milli, micro, nano) || !hasRoom())
            [[unlikely]]
            return false;
        const std::size_t n = shortest::timeWidth(second, milli, micro, nano);
        std::byte* const at = head(id, 4 + n);
        storeUpper(at + 3, shortest::packDate(year, month, day));
        store(at + 7, shortest::packTime(hour, minute, second, milli, micro, nano));
        return advanceTo(at + 7 + n);
    }
    /// Buffers and texts; an empty one looks like a blank.
    bool addBytes(Id id, const char* bytes, refinitiv::ema::access::UInt32 length) {
        if (length >= 0xFE || static_cast<std::size_t>(end - position) < kMost + length) [[unlikely]]
            return false;
        std::byte* const at = head(id, length);
        copy(at + 3, bytes, length);
        return advanceTo(at + 3 + length);
    }
    /// Any type without a value.
    bool addBlank(Id id) {
        if (!hasRoom()) [[unlikely]]
            return false;
        std::byte* const at = head(id, 0);
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
    static void store(std::byte* at, Wide v) {
        reinterpret_cast<Stored*>(at)->bytes = eta::reorder<std::endian::big>(v);
    }
    /// The low four bytes of v, and what they overwrite behind.
    static void storeUpper(std::byte* at, Wide v) { store(at, v << 32); }
    /// The low n bytes of v, 1..8, and what they overwrite behind.
    static void storeWide(std::byte* at, Wide v, std::size_t n) { store(at, v << (64 - 8 * n)); }
    /// Id, length and one byte more. Returns where they stand.
    [[nodiscard]] std::byte* head(Id id, std::size_t length, Byte first = 0) const {
        const refinitiv::ema::access::UInt32 wireId = static_cast<Short>(id);
        std::byte* const at = position;
        storeUpper(at, static_cast<refinitiv::ema::access::UInt32>(wireId << 16 | length << 8 | first));
        return at;
    }
    bool advanceTo(std::byte* next) {
        position = next;
        ++count;
        return true;
    }
    bool addNumber(Id id, Wide v, std::size_t n) {
        if (!hasRoom()) [[unlikely]]
            return false;
        std::byte* const at = head(id, n);
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
    static void copy(std::byte* to, const char* from, std::size_t n) {
        if (n > 8) {
            std::memcpy(to, from, n);
        } else if (n >= 4) {  // two words, which overlap
            std::memcpy(to, from, 4);
            std::memcpy(to + n - 4, from + n - 4, 4);
        } else if (n != 0) {
            to[0] = static_cast<std::byte>(from[0]);
            to[n / 2] = static_cast<std::byte>(from[n / 2]);
            to[n - 1] = static_cast<std::byte>(from[n - 1]);
        }
    }
};

}  // namespace emissary::ema
