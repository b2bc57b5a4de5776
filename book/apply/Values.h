// The known fields of one entry or of the summary, decoded.
#pragma once

#include "emissary/book/Fields.h"
#include "emissary/book/Types.h"

namespace emissary::book::detail {

/// Only the members that `present` names are set, so that making a Values costs nothing.
struct Values {
    struct Number {
        std::int64_t value;  ///< mantissa, number, nanoseconds of a time, packed date
        std::uint8_t
            hint;  ///< the hint the hint of a Real; 14 for whole numbers, 33 .. 35 for infinities and not a number
    };
    struct Text {
        const char* bytes;
        std::size_t length;
    };
    union Value {
        Number number;
        Text text;
    };

    std::uint64_t present = 0, blank = 0;
    Fault fault{};
    std::int16_t faultyField = 0;
    bool faulty = false;
    Value values[kMeanings];

    Values() noexcept {}
    void reset() noexcept {
        present = blank = 0;
        faulty = false;
    }
    [[nodiscard]] static constexpr std::uint64_t bit(Meaning m) noexcept {
        return std::uint64_t{1} << static_cast<unsigned>(m);
    }
    [[nodiscard]] bool has(Meaning m) const noexcept { return (present & bit(m)) != 0; }
    /// There and not blank.
    [[nodiscard]] bool says(Meaning m) const noexcept { return (present & ~blank & bit(m)) != 0; }
    [[nodiscard]] bool hasAny(std::uint64_t bits) const noexcept { return (present & bits) != 0; }
    [[nodiscard]] const Number& number(Meaning m) const noexcept { return values[static_cast<std::size_t>(m)].number; }
    [[nodiscard]] std::int64_t value(Meaning m) const noexcept { return number(m).value; }
    [[nodiscard]] std::string_view text(Meaning m) const noexcept {
        const Text& t = values[static_cast<std::size_t>(m)].text;
        return {t.bytes, t.length};
    }
    void set(Meaning m, std::int64_t value, std::uint8_t hint = 14) noexcept {
        present |= bit(m);
        blank &= ~bit(m);
        values[static_cast<std::size_t>(m)].number = {value, hint};
    }
    void set(Meaning m, std::string_view text) noexcept {
        present |= bit(m);
        blank &= ~bit(m);
        values[static_cast<std::size_t>(m)].text = {text.data(), text.size()};
    }
    void setBlank(Meaning m) noexcept {
        present |= bit(m);
        blank |= bit(m);
    }
    /// The first fault is kept.
    void fail(Fault why, std::int16_t field) noexcept {
        if (faulty) return;
        faulty = true;
        fault = why;
        faultyField = field;
    }
};

}  // namespace emissary::book::detail
