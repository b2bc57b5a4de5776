// Wrong use of arrays has its exception and code, and leaves them as they were (ema-api.md 3.1 to 3.4).
#include "misuse.h"

using namespace ematest;

namespace {

std::vector<UInt64> numbersOf(const OmmArray& array) {
    ElementList list;
    list.addArray("a", array).complete();
    const auto msg = received(list);
    const ElementList& in = msg->getPayload().getElementList();
    REQUIRE(in.forth());
    const OmmArray& read = in.getEntry().getArray();
    std::vector<UInt64> out;
    while (read.forth()) {
        REQUIRE(read.getEntry().getLoadType() == DataType::UIntEnum);
        out.push_back(read.getEntry().getUInt());
    }
    return out;
}

}  // namespace

TEST_CASE("arrays hold one type and keep their width", "[ema][misuse]") {
    OmmArray a;
    CHECK_USAGE(InvalidOperationEnum, a.complete());
    a.clear();
    a.addInt(1);
    CHECK_USAGE(InvalidOperationEnum, a.addUInt(1));
    CHECK_USAGE(InvalidOperationEnum, a.addCodeAscii());
    CHECK_USAGE(InvalidOperationEnum, a.fixedWidth(2));
    a.clear().fixedWidth(3);
    CHECK_USAGE(InvalidOperationEnum, a.addInt(1));
    a.clear().fixedWidth(1);
    CHECK_USAGE(InvalidArgumentEnum, a.addInt(128));
    CHECK_USAGE(InvalidArgumentEnum, a.addInt(-128));
    CHECK_NOTHROW(a.addInt(127).addInt(-127).complete());
    a.clear().fixedWidth(2);
    CHECK_USAGE(InvalidArgumentEnum, a.addUInt(65536));
    CHECK_NOTHROW(a.addUInt(65535).complete());
    a.clear().fixedWidth(3).addAscii("abc").complete();
    FieldList f;
    CHECK_NOTHROW(f.addArray(1, a));
    CHECK_USAGE(InvalidOperationEnum, OmmArray().getEntry());
}

TEST_CASE("an array goes on after a value that does not fit", "[ema][misuse]") {
    OmmArray a;
    a.fixedWidth(2).addUInt(1);
    CHECK_USAGE(InvalidArgumentEnum, a.addUInt(70000));
    CHECK_USAGE(InvalidArgumentEnum, a.addCodeUInt());
    a.addUInt(2).complete();
    CHECK(numbersOf(a) == std::vector<UInt64>{1, 2});

    a.clear().fixedWidth(2);
    CHECK_USAGE(InvalidArgumentEnum, a.addUInt(70000));
    CHECK_USAGE(InvalidOperationEnum, a.complete());  // nothing was added
    a.addUInt(3).complete();
    CHECK(numbersOf(a) == std::vector<UInt64>{3});

    const auto count = [](OmmArray& array) {
        array.complete();
        ElementList list;
        list.addArray("a", array).complete();
        const auto msg = received(list);
        const ElementList& in = msg->getPayload().getElementList();
        in.forth();
        int n = 0;
        for (const OmmArray& read = in.getEntry().getArray(); read.forth(); ++n)
            CHECK(read.getEntry().getLoadType() != DataType::ErrorEnum);
        return n;
    };
    a.clear().fixedWidth(3).addTime(1, 2, 3);
    CHECK_USAGE(InvalidArgumentEnum, a.addTime(1, 2, 3, 4));
    a.addTime(3, 4, 5);
    CHECK(count(a) == 2);
    a.clear().fixedWidth(1).addEnum(5);
    CHECK_USAGE(InvalidArgumentEnum, a.addEnum(300));
    CHECK_USAGE(InvalidArgumentEnum, a.addCodeEnum());
    a.addEnum(7);
    CHECK(count(a) == 2);
    a.clear().addAscii("x");
    CHECK_USAGE(InvalidOperationEnum, a.addAscii(letters(70000)));
    a.addAscii("y");
    CHECK(count(a) == 2);
}

TEST_CASE("texts of fixed width fit, are filled up on the wire and read back as they were", "[ema][misuse]") {
    OmmArray a;
    const std::string longer = "ninebytes";
    const EmaBuffer bytes(longer.data(), 9), shorter("ab", 2), full("12345678", 8);
    CHECK_USAGE(InvalidArgumentEnum, a.fixedWidth(8).addAscii(longer.c_str()));
    CHECK_USAGE(InvalidArgumentEnum, a.clear().fixedWidth(8).addBuffer(bytes));
    CHECK_USAGE(InvalidArgumentEnum, a.clear().fixedWidth(8).addUtf8(bytes));
    CHECK_USAGE(InvalidArgumentEnum, a.clear().fixedWidth(8).addRmtes(bytes));
    const auto values = [&] {
        const ReceivedMsg<UpdateMsg> msg(UpdateMsg().payload(ElementList().addArray("a", a.complete()).complete()));
        const ElementList& in = msg->getPayload().getElementList();
        REQUIRE(in.forth());
        const OmmArray& array = in.getEntry().getArray();
        CHECK(array.getFixedWidth() == 8);
        std::vector<std::string> out;
        while (array.forth()) {
            const OmmArrayEntry& e = array.getEntry();
            if (e.getCode() == Data::BlankEnum) out.emplace_back("blank");
            else if (e.getLoadType() == DataType::BufferEnum) out.push_back(text(e.getBuffer()));
            else if (e.getLoadType() == DataType::Utf8Enum) out.push_back(text(e.getUtf8()));
            else if (e.getLoadType() == DataType::RmtesEnum) out.push_back(text(e.getRmtes().getAsUTF8()));
            else out.push_back(text(e.getAscii()));
        }
        CHECK(text(array.toString()).find("value=\"ab\\x00") == std::string::npos);
        return out;
    };
    const std::vector<std::string> expected{"ab", "12345678", "blank"};
    a.clear().fixedWidth(8).addBuffer(shorter).addBuffer(full).addCodeBuffer();
    CHECK(values() == expected);
    a.clear().fixedWidth(8).addUtf8(shorter).addUtf8(full).addCodeUtf8();
    CHECK(values() == expected);
    a.clear().fixedWidth(8).addRmtes(shorter).addRmtes(full).addCodeRmtes();
    CHECK(values() == expected);
    a.clear().fixedWidth(8).addAscii("ab").addAscii("12345678").addCodeAscii();
    CHECK(values() == expected);
}

TEST_CASE("a width that values of the type cannot have is refused at the first add", "[ema][misuse]") {
    OmmArray a;
    CHECK_USAGE(InvalidOperationEnum, a.fixedWidth(1).addReal(1, OmmReal::Exponent0Enum));
    CHECK_USAGE(InvalidOperationEnum, a.complete());
    CHECK_USAGE(InvalidOperationEnum, a.clear().fixedWidth(4).addDouble(1));
    CHECK_USAGE(InvalidOperationEnum, a.clear().fixedWidth(4).addEnum(1));
    CHECK_USAGE(InvalidOperationEnum, a.clear().fixedWidth(4).addTime(1, 2, 3));
    CHECK_USAGE(InvalidOperationEnum, a.clear().fixedWidth(3).addDate(2020, 1, 1));
    CHECK_USAGE(InvalidOperationEnum, a.clear().fixedWidth(2).addQos());
    CHECK_NOTHROW(a.addUInt(1).complete());
}
