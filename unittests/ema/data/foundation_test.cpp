// EmaString, EmaVector, EmaBuffer, EmaBufferU16, exceptions, names of types (ema-api.md 1.1 to 1.4, 5).
#include "Access/Include/DataType.h"
#include "Access/Include/EmaBuffer.h"
#include "Access/Include/EmaBufferU16.h"
#include "Access/Include/EmaString.h"
#include "Access/Include/EmaVector.h"
#include "errors/raise.h"
#include "support.h"
#include "support/paths.h"

#include <array>
#include <clocale>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

using namespace ematest;

TEST_CASE("EmaString holds bytes of known length", "[ema][string]") {
    SECTION("empty in every way of making nothing") {
        CHECK(EmaString().empty());
        CHECK(std::string(EmaString().c_str()).empty());
        CHECK(EmaString(nullptr).empty());
        CHECK(EmaString(nullptr, 100).empty());
        CHECK(EmaString("text", 0).empty());
        CHECK(EmaString("text").set(nullptr).empty());
        CHECK(EmaString("text").clear().length() == 0);
    }
    SECTION("keeps embedded NULs and ends with one") {
        const EmaString s("a\0b", 3);
        CHECK(s.length() == 3);
        CHECK(s[1u] == '\0');
        CHECK(s[2u] == 'b');
        CHECK(s.c_str()[3] == '\0');
        CHECK(EmaString(s) == s);
        CHECK(s != EmaString("a"));
    }
    SECTION("copies are its own") {
        EmaString a("first");
        EmaString b(a);
        b[0u] = 'F';
        CHECK(text(a) == "first");
        CHECK(text(b) == "First");
        a = b;
        const EmaString& same = a;
        a = same;
        CHECK(a == b);
        a = "other";
        CHECK(text(a) == "other");
    }
    SECTION("appends numbers and text") {
        EmaString s;
        s.append(Int64{-5}).append(" ").append(UInt64{18446744073709551615u}).append(" ").append(Int32{-1});
        s.append(" ").append(UInt32{4294967295u}).append(" ").append(1.5f).append(" ").append(0.1);
        CHECK(text(s) == "-5 18446744073709551615 -1 4294967295 1.5 0.1");
        EmaString t("x");
        t += Int64{1};
        t += UInt64{2};
        t += Int32{3};
        t += UInt32{4};
        t += 5.0f;
        t += 1e20;
        t += "-";
        t += EmaString("end");
        CHECK(text(t) == "x123451e+20-end");
        CHECK(text(EmaString("a") + "b" + EmaString("c")) == "abc");
        t = "again";
        t.append(t).append(t.c_str());
        CHECK(text(t) == "againagainagainagain");
    }
    SECTION("numbers are written as in the C locale, whatever the program has set") {
        const std::array values{0.0,
                                -0.0,
                                1.5,
                                -2.25,
                                100000.0,
                                1234567.0,
                                1e20,
                                1e-4,
                                1e-5,
                                1e300,
                                5e-324,
                                0.1 + 0.2,
                                99999.95,
                                999999.5,
                                123456.7,
                                -1e-300,
                                std::numeric_limits<double>::infinity(),
                                -std::numeric_limits<double>::infinity(),
                                std::numeric_limits<double>::quiet_NaN()};
        std::vector<std::string> expected;
        for (const double v : values) {
            char out[40];
            std::snprintf(out, sizeof out, "%g", v);
            expected.emplace_back(out);
            CHECK(text(EmaString().append(v)) == expected.back());
        }
        for (const char* const name : {"de_DE.UTF-8", "fr_FR.UTF-8", "ru_RU.UTF-8"})
            if (std::setlocale(LC_NUMERIC, name) != nullptr)  // where there is one
                for (std::size_t i = 0; i < values.size(); ++i)
                    CHECK(text(EmaString().append(values[i])) == expected[i]);
        std::setlocale(LC_NUMERIC, "C");
    }
    SECTION("subscripts reach the terminator and no further") {
        EmaString s("abc");
        const EmaString& c = s;
        CHECK(c[3u] == '\0');
        CHECK(s[0] == 'a');  // a literal is no ambiguity
        CHECK_OUT_OF_RANGE(s[4u]);
        CHECK_OUT_OF_RANGE(c[4u]);
        CHECK_OUT_OF_RANGE(c[-1]);
        CHECK(EmaString()[0u] == '\0');
    }
    SECTION("parts of it") {
        const EmaString s("one two");
        CHECK(text(s.substr(4, 3)) == "two");
        CHECK(text(s.substr(4, EmaString::npos)) == "two");
        CHECK(s.substr(7, 0).empty());
        CHECK(s.substr(7, EmaString::npos).empty());
        CHECK_OUT_OF_RANGE(s.substr(4, 4));
        CHECK_OUT_OF_RANGE(s.substr(8, 0));
        CHECK_OUT_OF_RANGE(s.substr(8, EmaString::npos));
    }
    SECTION("finds from both ends") {
        const EmaString s("abcabc");
        CHECK(s.find("bc") == 1);
        CHECK(s.find(EmaString("bc"), 2) == 4);
        CHECK(s.find("x") == -1);
        CHECK(s.find("abc", 99) == -1);
        CHECK(s.findLast("bc") == 4);
        CHECK(s.findLast(EmaString("x")) == -1);
        for (const EmaString& in : {s, EmaString()}) {
            CHECK(in.find("") == static_cast<Int32>(EmaString::npos));
            CHECK(in.find(EmaString()) == -1);
            CHECK(in.find("", 3) == -1);
            CHECK(in.findLast("") == -1);
        }
    }
    SECTION("orders by bytes, the prefix first") {
        const EmaString a("ab"), b("abc"), high("\xC3");
        CHECK(a < b);
        CHECK(a <= b);
        CHECK(b > a);
        CHECK(b >= a);
        CHECK(a <= "ab");
        CHECK(a >= "ab");
        CHECK(a < "b");
        CHECK(b > "ab");
        CHECK(high > a);
        CHECK(a == "ab");
        CHECK(a != "abc");
        CHECK(EmaString() == "");
        CHECK(EmaString("AbC").caseInsensitiveCompare("aBc"));
        CHECK_FALSE(EmaString("AbC").caseInsensitiveCompare(EmaString("abcd")));
    }
    SECTION("strips white space of both ends") {
        CHECK(text(EmaString(" \t\r\n a b \v\f").trimWhitespace()) == "a b");
        CHECK(EmaString("  \t ").trimWhitespace().empty());
        CHECK(EmaString().trimWhitespace().empty());
    }
    SECTION("secureClear leaves no trace") {
        EmaString s("secret");
        const char* const storage = s.c_str();
        s.secureClear();
        CHECK(s.empty());
        CHECK(std::string(storage, 6) == std::string(6, '\0'));
    }
    SECTION("goes where C strings go") {
        std::ostringstream os;
        os << EmaString("streamed");
        CHECK(os.str() == "streamed");
    }
}

TEST_CASE("EmaVector grows by doubling from five", "[ema][vector]") {
    EmaVector<int> v;
    CHECK(v.empty());
    CHECK(v.capacity() == 0);
    v.push_back(7);
    CHECK(v.capacity() == 5);
    for (int i = 1; i < 6; ++i)
        v.push_back(i);
    CHECK(v.size() == 6);
    CHECK(v.capacity() == 10);
    CHECK(v.getPositionOf(3) == 3);
    CHECK(v.getPositionOf(99) == -1);

    SECTION("positions are checked") {
        CHECK_OUT_OF_RANGE(v[6]);
        CHECK(thrownBy([&] { v[6] = 1; }).text == "Passed in position is out of range.");
        CHECK_OUT_OF_RANGE(static_cast<const EmaVector<int>&>(v)[6]);
    }
    SECTION("entries can be removed") {
        CHECK(v.removePosition(0));
        CHECK(v[0] == 1);
        CHECK_FALSE(v.removePosition(5));
        CHECK(v.removeValue(3));
        CHECK_FALSE(v.removeValue(3));
        CHECK(v.size() == 4);
        CHECK(v[2] == 4);
    }
    SECTION("copies have the capacity and the entries") {
        EmaVector<int> copy(v);
        CHECK(copy == v);
        CHECK(copy.capacity() == 10);
        copy[0] = 8;
        CHECK_FALSE(copy == v);
        v = copy;
        const auto& same = v;
        v = same;
        CHECK(v[0] == 8);
        v.clear();
        CHECK(v.empty());
        CHECK(v.capacity() == 10);
    }
    SECTION("an entry of its own can be pushed while it grows") {
        EmaVector<EmaString> s(1);
        s.push_back("long enough to live on the heap, for the sanitizer");
        for (int i = 0; i < 20; ++i)
            s.push_back(s[0]);
        CHECK(s[20] == s[0]);
    }
}

TEST_CASE("EmaBuffer holds bytes and dumps them", "[ema][buffer]") {
    EmaBuffer b("Hello 1", 7);
    CHECK(b.length() == 7);
    CHECK(text(b) == "Hello 1");

    SECTION("as the hexadecimal dump of the layout") {
        const std::string dump = static_cast<const char*>(b);
        CHECK(dump == "4865 6c6c 6f20 31" + std::string(23, ' ') + "   Hello 1\n");
        CHECK(std::string(b.asRawHexString()) == "4865 6c6c 6f20 31\n");
        const EmaBuffer two("0123456789abcdef\x7f\x1f", 18);
        CHECK(std::string(static_cast<const char*>(two)) ==
              "3031 3233 3435 3637 3839 6162 6364 6566    0123456789abcdef\n"
              "7f1f" +
                  std::string(36, ' ') + "   ..\n");
        CHECK(std::string(static_cast<const char*>(EmaBuffer())).empty());
    }
    SECTION("positions are checked") {
        CHECK(b[6u] == '1');
        b[6u] = '2';
        CHECK(text(b) == "Hello 2");
        CHECK_OUT_OF_RANGE(b[7u]);
        CHECK_OUT_OF_RANGE(static_cast<const EmaBuffer&>(b)[7u]);
        CHECK_OUT_OF_RANGE(EmaBuffer()[0u]);
    }
    SECTION("grows by appending, itself too") {
        b.append('!').append(EmaBuffer(" x", 2)).append("yz", 2);
        b += '.';
        b += EmaBuffer("0", 1);
        CHECK(text(b) == "Hello 1! xyz.0");
        b.append(b);
        CHECK(text(b) == "Hello 1! xyz.0Hello 1! xyz.0");
        CHECK(text(EmaBuffer("a", 1) + EmaBuffer("b", 1)) == "ab");
    }
    SECTION("equality is length and bytes") {
        CHECK(b == EmaBuffer("Hello 1", 7));
        CHECK_FALSE(b == EmaBuffer("Hello ", 6));
        CHECK(EmaBuffer() == EmaBuffer("x", 0));
        EmaBuffer other;
        other = b;
        const EmaBuffer& same = other;
        other = same;
        CHECK(other == b);
        CHECK(EmaBuffer(b) == b);
        CHECK(b.clear().length() == 0);
        CHECK(b.setFrom(nullptr, 5).length() == 0);
    }
}

TEST_CASE("EmaBufferU16 holds 16-bit units", "[ema][buffer]") {
    const UInt16 units[] = {1, 2, 0xFFFF};
    EmaBufferU16 b(units, 3);
    CHECK(b.length() == 3);
    CHECK(b[2] == 0xFFFF);
    CHECK_OUT_OF_RANGE(b[3]);
    b.append(UInt16{4}).append(units, 1);
    b += UInt16{5};
    b += b;
    CHECK(b.length() == 12);
    CHECK(b[11] == 5);
    EmaBufferU16 copy(b);
    CHECK(copy == b);
    copy[0] = 9;
    CHECK_FALSE(copy == b);
    CHECK((EmaBufferU16(units, 1) + EmaBufferU16(units + 1, 1)) == EmaBufferU16(units, 2));
    copy = EmaBufferU16(units, 2);
    CHECK(copy.length() == 2);
    CHECK(copy.clear().length() == 0);
    CHECK(copy.setFrom(units, 1)[0] == 1);
}

TEST_CASE("exceptions say what they are", "[ema][exception]") {
    namespace ema = emissary::ema;
    const auto whole = [](auto call) {
        try {
            call();
        } catch (const OmmException& e) { return text(e.toString()); }
        return std::string{};
    };
    CHECK(whole([] { ema::throwInvalidUsage("no", OmmInvalidUsageException::InvalidOperationEnum); }) ==
          "Exception Type='OmmInvalidUsageException', Text='no', ErrorCode='-4048'");
    CHECK(whole([] { ema::throwInvalidHandle("no", 17); }) ==
          "Exception Type='OmmInvalidHandleException', Text='no', Handle='17'");
    CHECK(whole([] { ema::throwOutOfRange("no"); }) == "Exception Type='OmmOutOfRangeException', Text='no'");
    CHECK(whole([] { ema::throwInvalidConfiguration("no"); }) ==
          "Exception Type='OmmInvalidConfigurationException', Text='no'");
    CHECK(whole([] { ema::throwMemoryExhaustion("no"); }) ==
          "Exception Type='OmmMemoryExhaustionException', Text='no'");
    CHECK(whole([] { ema::throwUnsupportedDomain("no", 300); }) ==
          "Exception Type='OmmUnsupportedDomainTypeException', Text='no', DomainType='300'");
    CHECK(whole([] { ema::throwInaccessibleLogFile("no", "file"); }) ==
          "Exception Type='OmmInaccessibleLogFileException', Text='no'");
    CHECK(whole([] { ema::throwSystem("no", 5); }).find("exceptionCode='5', exceptionAddress='") != std::string::npos);
    CHECK(thrownBy([] { ema::throwOutOfRange(std::string(10'000, 'x')); }).text.size() <= 2048);
}

TEST_CASE("data types have names", "[ema]") {
    const auto name = [](int n) { return text(DataType(static_cast<DataType::DataTypeEnum>(n)).toString()); };
    const std::pair<int, const char*> known[] = {
        {3, "Int"},           {4, "UInt"},        {5, "Float"},        {6, "Double"},   {8, "Real"},
        {9, "Date"},          {10, "Time"},       {11, "DateTime"},    {12, "Qos"},     {13, "State"},
        {14, "Enum"},         {15, "OmmArray"},   {16, "Buffer"},      {17, "Ascii"},   {18, "Utf8"},
        {19, "Rmtes"},        {128, "NoData"},    {130, "Opaque"},     {131, "Xml"},    {132, "FieldList"},
        {133, "ElementList"}, {134, "AnsiPage"},  {135, "FilterList"}, {136, "Vector"}, {137, "Map"},
        {138, "Series"},      {141, "Msg"},       {142, "Json"},       {256, "ReqMsg"}, {257, "RefreshMsg"},
        {258, "UpdateMsg"},   {259, "StatusMsg"}, {260, "PostMsg"},    {261, "AckMsg"}, {262, "GenericMsg"},
        {270, "Error"}};
    for (const auto& [number, expected] : known)
        CHECK(name(number) == expected);
    CHECK(name(7) == "Unknown DataType value 7");
    CHECK(DataType::LargestValue == DataType::ErrorEnum);
}

TEST_CASE("Ema.h names every public header", "[ema]") {
    namespace fs = std::filesystem;
    const fs::path root = emissary::test::sourcePath("/ema/include");
    std::ifstream in(root / "Ema.h");
    const std::string umbrella((std::istreambuf_iterator<char>(in)), {});
    for (const char* folder : {"Access/Include", "Rdm/Include"})
        for (const auto& file : fs::directory_iterator(root / folder)) {
            if (file.path().extension() != ".h") continue;
            const std::string name = std::string(folder) + "/" + file.path().filename().string();
            INFO(name);
            CHECK(umbrella.find("#include \"" + name + "\"") != std::string::npos);
        }
}
