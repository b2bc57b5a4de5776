// Values of fields as a message file writes them: which texts are values, and of what.
#include "MessageData.h"
#include "support/catch.hpp"

using namespace emissary::messages;

namespace {

template <class T>
T parsed(FieldType type, std::string_view text) {
    INFO(text);
    const auto content = parseFieldContent(type, text);
    REQUIRE(content.has_value());
    REQUIRE(std::holds_alternative<T>(*content));
    return std::get<T>(*content);
}

void refused(FieldType type, std::initializer_list<const char*> texts) {
    for (const char* text : texts) {
        INFO(text);
        CHECK_FALSE(parseFieldContent(type, text).has_value());
    }
}

}  // namespace

TEST_CASE("field values: empty text is blank, except for strings", "[messages]") {
    for (const FieldType type :
         {FieldType::integer, FieldType::unsignedInteger, FieldType::float32, FieldType::float64, FieldType::real,
          FieldType::date, FieldType::time, FieldType::dateTime, FieldType::enumeration})
        CHECK(std::holds_alternative<std::monostate>(*parseFieldContent(type, "")));
    for (const FieldType type : {FieldType::buffer, FieldType::ascii, FieldType::utf8, FieldType::rmtes})
        CHECK(parsed<std::string>(type, "").empty());
    CHECK(parsed<std::string>(FieldType::rmtes, " x ") == " x ");
}

TEST_CASE("field values: numbers must be whole texts", "[messages]") {
    CHECK(parsed<std::int64_t>(FieldType::integer, "-9223372036854775808") == INT64_MIN);
    CHECK(parsed<std::uint64_t>(FieldType::unsignedInteger, "18446744073709551615") == UINT64_MAX);
    CHECK(parsed<std::uint64_t>(FieldType::enumeration, "65535") == 65535);
    CHECK(parsed<float>(FieldType::float32, "1.5") == 1.5F);
    CHECK(parsed<double>(FieldType::float64, "-2.25e3") == -2250.0);
    refused(FieldType::integer, {"1.0", "x", "12 ", "9223372036854775808"});
    refused(FieldType::unsignedInteger, {"-1", "18446744073709551616"});
    refused(FieldType::enumeration, {"65536", "-1", "BID"});
    refused(FieldType::float64, {"1,5", "one"});
}

TEST_CASE("field values: reals keep the decimals that are written", "[messages]") {
    CHECK(parsed<RealValue>(FieldType::real, "33.91") == RealValue{3391, 12});
    CHECK(parsed<RealValue>(FieldType::real, "2848.560000") == RealValue{2848560000, 8});
    CHECK(parsed<RealValue>(FieldType::real, "1200") == RealValue{12, 16});  // as rwf.md 6.2 reads it
    CHECK(parsed<RealValue>(FieldType::real, "-Inf").hint == 34);
    CHECK(parsed<RealValue>(FieldType::real, "-0.5") == RealValue{-5, 13});
    CHECK(parsed<RealValue>(FieldType::real, "+.25") == RealValue{25, 12});
    CHECK(parsed<RealValue>(FieldType::real, "360287970189639.67") == RealValue{36028797018963967, 12});
    CHECK(parsed<RealValue>(FieldType::real, "0.00000000000001") == RealValue{1, 0});
    CHECK(parsed<RealValue>(FieldType::real, "6 3/4") == RealValue{27, 24});
    CHECK(parsed<RealValue>(FieldType::real, "-3/256") == RealValue{-3, 30});
    CHECK(parsed<RealValue>(FieldType::real, "5/1") == RealValue{5, 22});
    refused(FieldType::real,
            {"abc", ".", "-", "1.2.3", "3/5", "1/512", "1/0", "0.000000000000001", "99999999999999999999", "1 2"});
}

TEST_CASE("field values: dates and times in their styles", "[messages]") {
    const DateValue date{2024, 2, 9};
    CHECK(parsed<DateValue>(FieldType::date, "09 FEB 2024") == date);
    CHECK(parsed<DateValue>(FieldType::date, "9 FEB 2024") == date);
    CHECK(parsed<DateValue>(FieldType::date, "2024-02-09") == date);
    CHECK(parsed<DateValue>(FieldType::date, "02/09/2024") == date);
    CHECK(parsed<DateValue>(FieldType::date, "29 FEB 2024").day == 29);
    refused(FieldType::date,
            {"29 FEB 2023", "31 APR 2024", "09 FOO 2024", "2024-13-01", "2024-02", "12", "09 FEB 2024x", "9 feb 2024"});

    CHECK(parsed<TimeValue>(FieldType::time, "15:52:12:001:020:300") == TimeValue{15, 52, 12, 1, 20, 300});
    CHECK(parsed<TimeValue>(FieldType::time, " 21:00:01:000") == TimeValue{21, 0, 1, 0, 0, 0});
    CHECK(parsed<TimeValue>(FieldType::time, "09:30") == TimeValue{9, 30, 0, 0, 0, 0});
    CHECK(parsed<TimeValue>(FieldType::time, "09:30:01.5") == TimeValue{9, 30, 1, 500, 0, 0});
    CHECK(parsed<TimeValue>(FieldType::time, "09:30:01.000000007") == TimeValue{9, 30, 1, 0, 0, 7});
    refused(FieldType::time, {"24:00:00", "10:60", "10:00:61", "10", "10:00:00:1000", "10:00:00:1:2:3:4", "noon"});

    const DateTimeValue moment{date, TimeValue{9, 30, 1, 0, 0, 0}};
    CHECK(parsed<DateTimeValue>(FieldType::dateTime, "09 FEB 2024 09:30:01") == moment);
    CHECK(parsed<DateTimeValue>(FieldType::dateTime, "2024-02-09T09:30:01") == moment);
    refused(FieldType::dateTime, {"09 FEB 2024", "09:30:01", "T09:30:01", "2024-02T09:30:01"});
}
