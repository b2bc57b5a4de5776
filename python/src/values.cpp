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
    nb::object decimal, date, time, epoch, timedelta;
};

const Classes& classes() {
    static Classes* const known = [] {
        const auto calendar = nb::module_::import_("datetime");
        const auto epoch = calendar.attr("datetime")(1970, 1, 1, nb::arg("tzinfo") = calendar.attr("timezone").attr("utc"));
        return new Classes{nb::module_::import_("decimal").attr("Decimal"), calendar.attr("date"), calendar.attr("time"), epoch,
                           calendar.attr("timedelta")};
    }();
    return *known;
}

/// Those of the package, which are looked up when a value needs one: the package imports this module.
struct OwnClasses {
    nb::object enumeration, timeOf, dateTimeOf;
};

const OwnClasses& ownClasses() {
    static OwnClasses* const known = [] {
        const auto data = nb::module_::import_("emissary.data");
        return new OwnClasses{data.attr("Enum"), data.attr("Time").attr("of"), data.attr("DateTime").attr("of")};
    }();
    return *known;
}

constexpr std::int64_t kLastDate = 2'932'896;  // 9999-12-31, the last one of Python
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
        // Unsigned: the least mantissa has no positive counterpart.
        const auto digitsOfWhole = whole < 0 ? 0 - static_cast<std::uint64_t>(whole) : static_cast<std::uint64_t>(whole);
        end = std::to_chars(end, text.data() + text.size(), digitsOfWhole).ptr;
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
    auto time = classes().time(s / 3600, s / 60 % 60, s % 60, leap ? 999'999 : us % 1'000'000);
    const auto rest = nanoseconds % 1'000;
    return rest == 0 || leap ? time : ownClasses().timeOf(time, rest);
}

nb::object dateTimeOf(std::int64_t nanoseconds) {
    auto us = nanoseconds / 1'000;
    if (nanoseconds % 1'000 < 0) --us;
    auto moment = classes().epoch + classes().timedelta(0, 0, us);
    const auto rest = nanoseconds - us * 1'000;
    return rest == 0 ? moment : ownClasses().dateTimeOf(moment, rest);
}

/// A number that the dictionary has no text for stands for itself.
nb::object enumOf(const emi_value& value, EnumAs enums) {
    if (enums == EnumAs::value) return nb::int_(value.i64);
    const auto shown = value.length != 0 ? textOf(value.text, value.length) : nb::object(nb::str(nb::int_(value.i64)));
    return enums == EnumAs::display ? shown : ownClasses().enumeration(value.i64, shown);
}

}  // namespace

Choice choiceOf(const std::string& real, const std::string& enums) {
    Choice choice;
    if (real == "float") choice.real = RealAs::number;
    else if (real == "tuple") choice.real = RealAs::pair;
    else if (real != "decimal") throw nb::value_error(("real is 'decimal', 'float' or 'tuple', not '" + real + "'").c_str());
    if (enums == "display") choice.enums = EnumAs::display;
    else if (enums == "both") choice.enums = EnumAs::both;
    else if (enums != "value") throw nb::value_error(("enum is 'value', 'display' or 'both', not '" + enums + "'").c_str());
    return choice;
}

nb::object valueOf(const emi_value& value, const Choice& choice) {
    if (value.blank != 0) return nb::none();
    switch (value.kind) {
    case EMI_INT:
        return nb::int_(value.i64);
    case EMI_ENUM:
        return enumOf(value, choice.enums);
    case EMI_UINT:
        return nb::int_(static_cast<std::uint64_t>(value.i64));
    case EMI_REAL:
        if (choice.real == RealAs::number) return nb::float_(value.f64);
        if (choice.real == RealAs::decimal) return decimalOf(value.i64, value.hint);
        if (value.hint <= kPos7) return nb::make_tuple(value.i64, value.hint - kExponent0);
        if (value.hint > kDivisor256) return decimalOf(value.i64, value.hint);  // infinities and NaN are no ratios
        return decimalOf(value.i64, value.hint).attr("as_integer_ratio")();
    case EMI_DOUBLE:
        return nb::float_(value.f64);
    case EMI_DATE:
        // Years go to 65535 on the wire. A date that Python cannot have must not cost what else is read with it.
        if (value.i64 > kLastDate) return nb::none();
        return classes().date.attr("fromordinal")(value.i64 + 719'163);
    case EMI_TIME:
        return timeOf(value.i64);
    case EMI_DATETIME:
        return dateTimeOf(value.i64);
    case EMI_QOS:
        return nb::make_tuple(value.i64 >> 32, value.i64 & 0xFFFFFFFF);
    case EMI_STATE:
        return nb::make_tuple(value.i64 & 0xFF, value.i64 >> 8 & 0xFF, value.i64 >> 16 & 0xFF, textOf(value.text, value.length));
    case EMI_BYTES:
    case EMI_OPAQUE:
    case EMI_ANSI_PAGE:
    case EMI_ENTRY:
        return nb::bytes(value.text, value.length);
    case EMI_TEXT:
    case EMI_XML:
    case EMI_JSON:
    case EMI_UNREADABLE:
        return textOf(value.text, value.length);
    default:
        return nb::none();
    }
}

nb::object valueOf(const emi_column& column, std::size_t row, const Choice& choice) {
    if (!isSet(column.validity, row)) return nb::none();
    emi_value value{};
    value.kind = column.kind;
    if (column.i64 != nullptr) value.i64 = column.i64[row];
    if (column.f64 != nullptr) value.f64 = column.f64[row];
    if (column.hint != nullptr) value.hint = column.hint[row];
    if (column.offsets != nullptr) {
        value.text = column.bytes + column.offsets[row];
        value.length = static_cast<std::size_t>(column.offsets[row + 1] - column.offsets[row]);
    }
    return valueOf(value, choice);
}

nb::list nodesOf(const Rows& rows, std::size_t row) {
    const emi_value* data = nullptr;
    std::size_t count = 0;
    emi_batch_data(rows.batch, row, &data, &count, nullptr);
    nb::list nodes;
    const Choice typed{rows.choice.real, EnumAs::both};
    for (std::size_t i = 0; i < count; ++i) {
        const emi_value& v = data[i];
        const std::int64_t number = v.kind == EMI_VECTOR && v.hint != 0 ? -1 - v.i64 : v.i64;  // negative: sortable
        nodes.append(nb::make_tuple(v.depth, v.role, v.action, v.kind, v.fid, textOf(v.name, std::strlen(v.name)), number,
                                    valueOf(v, typed)));
    }
    return nodes;
}

std::vector<emi_value> valuesOf(const std::vector<Node>& nodes) {
    std::vector<emi_value> values;
    values.reserve(nodes.size());
    for (const auto& [depth, role, action, fid, kind, number, hint, real, name, bytes, blank] : nodes) {
        // Numbers that do not fit are refused: cut off, they would say something else.
        const auto within = [](int number, int least, int most, const char* what) {
            if (number < least || number > most)
                throw nb::value_error((std::string(what) + " is " + std::to_string(number) + ", not " + std::to_string(least) +
                                       " to " + std::to_string(most)).c_str());
        };
        within(depth, 0, 255, "the depth of a value");
        within(role, 0, 255, "the role of a value");
        within(action, 0, 255, "the action of an entry");
        within(fid, -32'768, 32'767, "the id of a field");
        within(kind, 0, 255, "the kind of a value");
        within(hint, 0, 255, "the hint of a number");
        emi_value& v = values.emplace_back();
        v = {};
        v.size = sizeof v;
        v.depth = static_cast<std::uint8_t>(depth);
        v.role = static_cast<std::uint8_t>(role);
        v.action = static_cast<std::uint8_t>(action);
        v.fid = static_cast<std::int16_t>(fid);
        v.kind = static_cast<std::uint8_t>(kind);
        v.i64 = number;
        v.hint = static_cast<std::uint8_t>(hint);
        v.f64 = real;
        v.name = name ? name->c_str() : nullptr;
        v.text = bytes.c_str();
        v.length = bytes.size();
        v.blank = blank ? 1 : 0;
    }
    return values;
}

namespace {

/// The Python string of a field's name. There are as many as dictionaries have names; none is freed.
PyObject* keyOf(const char* name) {
    static auto* const known = new std::unordered_map<std::string, PyObject*>;
    static nb::ft_mutex making;
    const nb::ft_lock_guard hold(making);
    auto& key = (*known)[name];
    if (key == nullptr) {
        // A dictionary that a provider has sent may have names that are no UTF-8.
        PyObject* made = textOf(name, std::strlen(name)).release().ptr();
        PyUnicode_InternInPlace(&made);
        key = made;
    }
    return key;
}

}  // namespace

nb::dict fieldsOf(Rows& rows, std::size_t row) {
    {
        const nb::ft_lock_guard hold(rows.making);
        if (rows.keys.empty())
            for (const auto& column : rows.columns)
                rows.keys.push_back(keyOf(column.name));
    }
    nb::dict fields;
    for (std::size_t i = 0; i < rows.columns.size(); ++i)
        if (isSet(rows.columns[i].present, row))
            PyDict_SetItem(fields.ptr(), rows.keys[i], valueOf(rows.columns[i], row, rows.choice).ptr());
    return fields;
}

}  // namespace emissary::python
