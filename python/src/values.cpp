// Values of fields as Python objects.
#include "Batch.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <unordered_map>

namespace emissary::python {
namespace {

/// Classes that are looked up once; kept for the life of the process.
struct Classes {
    nb::object decimal, date, time, dateTime, utc;
};

const Classes& classes() {
    static Classes* const known = [] {
        const auto calendar = nb::module_::import_("datetime");
        return new Classes{nb::module_::import_("decimal").attr("Decimal"), calendar.attr("date"), calendar.attr("time"),
                           calendar.attr("datetime"), calendar.attr("timezone").attr("utc")};
    }();
    return *known;
}

constexpr int kExponent0 = 14, kPos7 = 21, kDivisor256 = 30, kInfinity = 33, kNegInfinity = 34;

/// The exact decimal number: digits and an exponent; divisors are powers of two, whose fractions end.
nb::object decimalOf(std::int64_t mantissa, int hint) {
    std::array<char, 64> text{};
    char* end = text.data();
    if (hint == kInfinity) return classes().decimal("Infinity");
    if (hint == kNegInfinity) return classes().decimal("-Infinity");
    if (hint > kDivisor256) return classes().decimal("NaN");
    int exponent = hint - kExponent0;
    if (hint > kPos7) {
        // m / 2^k = (m / 2^k whole) + (rest * 5^k) / 10^k
        const int k = hint - kPos7 - 1;
        const std::int64_t divisor = std::int64_t{1} << k;
        std::int64_t fives = 1;
        for (int i = 0; i < k; ++i)
            fives *= 5;
        const std::int64_t rest = mantissa % divisor * fives;
        if (mantissa < 0) *end++ = '-';
        const auto whole = mantissa / divisor;
        end = std::to_chars(end, text.data() + text.size(), whole < 0 ? -whole : whole).ptr;
        if (k > 0) {
            std::array<char, 24> digits{};
            const auto last = std::to_chars(digits.data(), digits.data() + digits.size(), rest < 0 ? -rest : rest).ptr;
            *end++ = '.';
            for (auto n = last - digits.data(); n < k; ++n)
                *end++ = '0';
            end = std::copy(digits.data(), last, end);
        }
    } else {
        end = std::to_chars(end, text.data() + text.size(), mantissa).ptr;
        if (exponent != 0) {
            *end++ = 'E';
            end = std::to_chars(end, text.data() + text.size(), exponent).ptr;
        }
    }
    return classes().decimal(nb::str(text.data(), static_cast<std::size_t>(end - text.data())));
}

nb::object timeOf(std::int64_t nanoseconds) {
    const auto us = nanoseconds / 1'000;
    const auto seconds = us / 1'000'000;
    // A leap second is shown as the last microsecond of its minute: Python has no second 60.
    const bool leap = seconds / 3600 > 23;
    const auto s = leap ? 86'399 : seconds;
    return classes().time(s / 3600, s / 60 % 60, s % 60, leap ? 999'999 : us % 1'000'000);
}

nb::object dateTimeOf(std::int64_t nanoseconds) {
    auto us = nanoseconds / 1'000;
    if (nanoseconds % 1'000 < 0) --us;
    const auto epoch = classes().dateTime(1970, 1, 1, nb::arg("tzinfo") = classes().utc);
    return epoch + nb::module_::import_("datetime").attr("timedelta")(nb::arg("microseconds") = us);
}

}  // namespace

RealAs realAs(const std::string& name) {
    if (name == "decimal") return RealAs::decimal;
    if (name == "float") return RealAs::number;
    if (name == "tuple") return RealAs::pair;
    throw nb::value_error(("real is 'decimal', 'float' or 'tuple', not '" + name + "'").c_str());
}

nb::object valueOf(const emi_column& column, std::size_t row, RealAs real) {
    if (!isSet(column.validity, row)) return nb::none();
    switch (column.kind) {
    case EMI_INT:
    case EMI_ENUM:
        return nb::int_(column.i64[row]);
    case EMI_UINT:
        return nb::int_(static_cast<std::uint64_t>(column.i64[row]));
    case EMI_REAL:
        if (real == RealAs::number) return nb::float_(column.f64[row]);
        if (real == RealAs::decimal) return decimalOf(column.i64[row], column.hint[row]);
        if (column.hint[row] <= kPos7) return nb::make_tuple(column.i64[row], column.hint[row] - kExponent0);
        return decimalOf(column.i64[row], column.hint[row]).attr("as_integer_ratio")();
    case EMI_DOUBLE:
        return nb::float_(column.f64[row]);
    case EMI_DATE:
        return classes().date.attr("fromordinal")(column.i64[row] + 719'163);
    case EMI_TIME:
        return timeOf(column.i64[row]);
    case EMI_DATETIME:
        return dateTimeOf(column.i64[row]);
    default:
        break;
    }
    if (column.kind != EMI_TEXT && column.kind != EMI_BYTES) return nb::none();
    const char* from = column.bytes + column.offsets[row];
    const auto length = column.offsets[row + 1] - column.offsets[row];
    if (column.kind == EMI_BYTES) return nb::bytes(from, static_cast<std::size_t>(length));
    return nb::steal(PyUnicode_DecodeUTF8(from, length, "replace"));
}

namespace {

/// The Python string of a field's name. There are as many as dictionaries have names; none is freed.
PyObject* keyOf(const char* name) {
    static auto* const known = new std::unordered_map<std::string, PyObject*>;
    auto& key = (*known)[name];
    if (key == nullptr) key = PyUnicode_InternFromString(name);
    return key;
}

}  // namespace

nb::dict fieldsOf(Rows& rows, std::size_t row) {
    if (rows.keys.empty())
        for (const auto& column : rows.columns)
            rows.keys.push_back(keyOf(column.name));
    nb::dict fields;
    for (std::size_t i = 0; i < rows.columns.size(); ++i)
        if (isSet(rows.columns[i].present, row))
            PyDict_SetItem(fields.ptr(), rows.keys[i], valueOf(rows.columns[i], row, rows.real).ptr());
    return fields;
}

}  // namespace emissary::python
