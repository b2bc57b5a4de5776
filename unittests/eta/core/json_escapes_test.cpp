// Strings of JSON, octet by octet.
#include "eta/core/json_escapes.h"

#include "support/catch.hpp"

using emissary::eta::appendAsciiJsonString;
using emissary::eta::appendJsonString;
using emissary::eta::utf8Length;

TEST_CASE("strings of JSON are escaped in one way", "[eta][core][json]") {
    const auto written = [](std::string_view text) {
        std::string out;
        appendJsonString(out, text);
        return out;
    };
    CHECK(written("") == "\"\"");
    CHECK(written("plain / text") == "\"plain / text\"");
    CHECK(written("a\"b\\c") == R"("a\"b\\c")");
    CHECK(written("\b\f\n\r\t") == R"("\b\f\n\r\t")");
    CHECK(written(std::string_view("\0\x1F\x7F", 3)) == R"("\u0000\u001F\u007F")");
    CHECK(written("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80") == "\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\"");
    CHECK(written("a\xFF\xE2\x82") == "\"a\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");
}

TEST_CASE("strings of JSON are ASCII where that is asked for", "[eta][core][json]") {
    const auto written = [](std::string_view text) {
        std::string out;
        appendAsciiJsonString(out, text);
        return out;
    };
    CHECK(written("") == "\"\"");
    CHECK(written("a\"b\\c") == R"("a\"b\\c")");
    CHECK(written(std::string_view("\0\n\x7F", 3)) == R"("\u0000\n\u007F")");
    CHECK(written("a\xC3\xA9\xE2\x82\xAC.") == R"("a\u00E9\u20AC.")");
    CHECK(written("\xF0\x9F\x98\x80") == R"("\uD83D\uDE00")");
    CHECK(written("\xC3") == R"("\u00C3")");
    CHECK(written("\xC0\x80") == R"("\u00C0\u0080")");
    CHECK(written("\xED\xA0\x80") == R"("\u00ED\u00A0\u0080")");
}

TEST_CASE("sequences of UTF-8 have the lengths of the standard", "[eta][core][json]") {
    CHECK(utf8Length("\xC2\x80") == 2);
    CHECK(utf8Length("\xC1\x80") == 0);      // overlong
    CHECK(utf8Length("\xE0\x9F\x80") == 0);  // overlong
    CHECK(utf8Length("\xED\xA0\x80") == 0);  // a surrogate
    CHECK(utf8Length("\xEF\xBF\xBD") == 3);
    CHECK(utf8Length("\xF0\x8F\x80\x80") == 0);  // overlong
    CHECK(utf8Length("\xF4\x90\x80\x80") == 0);  // beyond the last plane
    CHECK(utf8Length("\xF4\x8F\xBF\xBF") == 4);
    CHECK(utf8Length("\xF4\x8F\xBF") == 0);
    CHECK(utf8Length("\x80") == 0);
}
