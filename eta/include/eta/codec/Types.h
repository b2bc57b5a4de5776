// RWF type numbers and the decoded form of every primitive (rwf.md section 2).
#pragma once

#include "eta/core/bytes.h"

#include <cstdint>

namespace emissary::eta::codec {

/// Wire type numbers (rwf.md 2.1, 2.13, 3.1). Values 64..84 occur in set definitions only.
enum class DataType : std::uint8_t {
    Unknown = 0,
    Int = 3,
    UInt = 4,
    Float = 5,
    Double = 6,
    Real = 8,
    Date = 9,
    Time = 10,
    DateTime = 11,
    Qos = 12,
    State = 13,
    Enum = 14,
    Array = 15,
    Buffer = 16,
    AsciiString = 17,
    Utf8String = 18,
    RmtesString = 19,
    Int1 = 64,
    UInt1 = 65,
    Int2 = 66,
    UInt2 = 67,
    Int4 = 68,
    UInt4 = 69,
    Int8 = 70,
    UInt8 = 71,
    Float4 = 72,
    Double8 = 73,
    Real4RB = 74,
    Real8RB = 75,
    Date4 = 76,
    Time3 = 77,
    Time5 = 78,
    DateTime7 = 79,
    DateTime9 = 80,
    DateTime11 = 81,
    DateTime12 = 82,
    Time7 = 83,
    Time8 = 84,
    NoData = 128,
    Opaque = 130,
    Xml = 131,
    FieldList = 132,
    ElementList = 133,
    AnsiPage = 134,
    FilterList = 135,
    Vector = 136,
    Map = 137,
    Series = 138,
    Msg = 141,
    Json = 142,
};

/// Containers nest at most this deep, counting messages, containers, arrays and attributes (rwf.md 7.3).
inline constexpr int kMaxDepth = 16;

/// Below 128: a value, also in one of the forms of set data.
[[nodiscard]] constexpr bool isPrimitive(DataType t) noexcept {
    return static_cast<std::uint8_t>(t) < 128;
}
/// From 128 on: something with entries, a message, or a payload of raw bytes.
[[nodiscard]] constexpr bool isContainer(DataType t) noexcept {
    return static_cast<std::uint8_t>(t) >= 128;
}
/// 1, 2, 7 (legacy) and 64..84 (set forms) become the base type; everything else stays (rwf.md 2.1, 3.3).
[[nodiscard]] DataType baseType(DataType t) noexcept;
/// "Int", "AsciiString", "FieldList" ...; "Unknown" for numbers without a name. Never null.
[[nodiscard]] const char* name(DataType t) noexcept;

// Actions of container entries (rwf.md 3.4, 3.5, 3.7); other numbers on the wire are delivered as they come.
namespace MapAction {
inline constexpr std::uint8_t update = 1, add = 2, del = 3;
}
namespace VectorAction {
inline constexpr std::uint8_t update = 1, set = 2, clear = 3, insert = 4, del = 5;
}
namespace FilterAction {
inline constexpr std::uint8_t update = 1, set = 2, clear = 3;
}

/// What a primitive's bytes turned out to be. `blank` is a value of its own, not an error.
enum class Decoded : std::uint8_t { value, blank, malformed };

/// value = mantissa * 10^(hint-14) for hints 0..21, mantissa / 2^(hint-22) for 22..30, specials 33..35 (rwf.md 2.5).
struct Real {
    std::int64_t mantissa = 0;
    std::uint8_t hint = 14;
    static constexpr std::uint8_t kInfinity = 33, kNegInfinity = 34, kNotANumber = 35;
    friend bool operator==(const Real&, const Real&) = default;
};

/// Zero members are blank parts (rwf.md 2.6).
struct Date {
    std::uint8_t day = 0, month = 0;
    std::uint16_t year = 0;
    /// All parts are blank.
    [[nodiscard]] constexpr bool blank() const noexcept { return day == 0 && month == 0 && year == 0; }
    friend bool operator==(const Date&, const Date&) = default;
};

/// Blank parts hold 255 / 65535 / 2047 (rwf.md 2.7).
struct Time {
    std::uint8_t hour = 0, minute = 0, second = 0;
    std::uint16_t millisecond = 0, microsecond = 0, nanosecond = 0;
    static constexpr Time blankTime() noexcept { return {255, 255, 255, 65535, 2047, 2047}; }  ///< all parts blank
    /// All parts are blank.
    [[nodiscard]] constexpr bool blank() const noexcept {
        return hour == 255 && minute == 255 && second == 255 && millisecond == 65535 && microsecond == 2047 &&
               nanosecond == 2047;
    }
    friend bool operator==(const Time&, const Time&) = default;
};

/// Date and time of day; either may be blank (rwf.md 2.8).
struct DateTime {
    Date date;
    Time time;
    [[nodiscard]] constexpr bool blank() const noexcept { return date.blank() && time.blank(); }  ///< both are blank
    friend bool operator==(const DateTime&, const DateTime&) = default;
};

/// Wire numbering: timeliness 1 realtime, 2 delayed unknown, 3 delayed by timeInfo; rate likewise (rwf.md 2.9).
struct Qos {
    std::uint8_t timeliness = 0, rate = 0;
    bool dynamic = false;
    std::uint16_t timeInfo = 0, rateInfo = 0;
    friend bool operator==(const Qos&, const Qos&) = default;
};
inline constexpr Qos kRealtimeTickByTick{1, 1, false, 0, 0};

namespace StreamState {
inline constexpr std::uint8_t unspecified = 0, open = 1, nonStreaming = 2, closedRecover = 3, closed = 4,
                              redirected = 5;
}
namespace DataState {
inline constexpr std::uint8_t noChange = 0, ok = 1, suspect = 2;
}
/// Stream state, data state, code and borrowed text (rwf.md 2.10).
struct State {
    std::uint8_t stream = 0, data = 0, code = 0;
    Bytes text;
    /// Closed, closed-recoverable or redirected: nothing more comes on this stream.
    [[nodiscard]] constexpr bool isFinal() const noexcept { return stream >= StreamState::closedRecover; }
};

}  // namespace emissary::eta::codec
