// Fields that the public header writes by itself are those that the codec's encoders write, byte for byte, whatever the
// value, the room left and what happened to the list before (rwf.md 2, 3.2).
#include "misuse.h"

#include "Access/Include/detail/FieldOutput.h"
#include "eta/codec/encoders.h"
#include "eta/core/GrowingBuffer.h"

#include <bit>
#include <limits>
#include <random>

using namespace ematest;
using emissary::ema::FieldOutput;
using emissary::eta::BeWriter;

namespace {

constexpr std::size_t kAhead = 16;  // what FieldOutput wants to have left before it writes
constexpr Int16 kField = -12345;

/// Numbers on both sides of every boundary between lengths, and random ones of all lengths.
std::vector<Int64> numbers() {
    std::vector<Int64> out{0, std::numeric_limits<Int64>::min(), std::numeric_limits<Int64>::max()};
    for (unsigned bit = 0; bit < 64; ++bit)
        for (const int off : {-2, -1, 0, 1}) {
            const UInt64 v = (UInt64{1} << bit) + static_cast<UInt64>(off);
            out.push_back(std::bit_cast<Int64>(v));
            out.push_back(std::bit_cast<Int64>(0 - v));
        }
    std::mt19937_64 random(20);
    for (int i = 0; i < 500; ++i)
        out.push_back(std::bit_cast<Int64>(random()) >> random() % 64);
    return out;
}

/// What the codec writes for the field.
template <class Encode>
std::string byCodec(Int16 id, Encode encode) {
    emissary::eta::GrowingBuffer buffer;
    BeWriter& out = buffer.start();
    out.u16(static_cast<std::uint16_t>(id));
    encode(out);
    REQUIRE(out.ok());
    return hex(emissary::eta::asText(out.view()));
}

/// A block of which nobody else's byte may change.
struct GuardedBlock {
    static constexpr std::byte kOthers{0xA5};
    std::vector<std::byte> bytes;
    FieldOutput output;
    std::size_t room;
    explicit GuardedBlock(std::size_t r) : bytes(r + 32, kOthers), room(r) {
        output.position = bytes.data();
        output.end = bytes.data() + room;
    }
    [[nodiscard]] std::string written() const {
        return hex(
            emissary::eta::asText(Bytes{bytes.data(), static_cast<std::size_t>(output.position - bytes.data())}));
    }
    [[nodiscard]] bool othersUntouched() const {
        return std::all_of(bytes.begin() + static_cast<std::ptrdiff_t>(room), bytes.end(),
                           [](std::byte b) { return b == kOthers; });
    }
};

/// The field is the codec's wherever there is room enough, and left alone where there is not.
template <class Add, class Encode>
void same(Add add, Encode encode) {
    const std::string expected = byCodec(kField, encode);
    const std::size_t enough = std::max(kAhead, expected.size() / 2 + 13);
    for (const std::size_t room : {enough, enough + 1, enough + 200}) {
        GuardedBlock block(room);
        const bool added = add(block.output);
        const std::string written = block.written();
        const bool rest = block.output.count == 1 && block.othersUntouched();
        if (!added || !rest || written != expected) {
            CAPTURE(room, added, rest);
            REQUIRE(written == expected);
            FAIL("not added, or more changed than the field");
        }
    }
}
/// Left to the library, with nothing changed.
template <class Add>
void leftAlone(std::size_t room, Add add) {
    GuardedBlock block(room);
    REQUIRE_FALSE(add(block.output));
    REQUIRE(block.written().empty());
    REQUIRE(block.output.count == 0);
    REQUIRE(block.othersUntouched());
}

}  // namespace

TEST_CASE("inline numbers are the codec's", "[ema][building]") {
    for (const Int64 v : numbers()) {
        CAPTURE(v);
        same([v](FieldOutput& o) { return o.addInt(kField, v); }, [v](BeWriter& w) { codec::encodeIntPrefixed(w, v); });
        const auto u = static_cast<UInt64>(v);
        same([u](FieldOutput& o) { return o.addUInt(kField, u); },
             [u](BeWriter& w) { codec::encodeUIntPrefixed(w, u); });
        const auto d = std::bit_cast<double>(v);
        same([d](FieldOutput& o) { return o.addDouble(kField, d); },
             [d](BeWriter& w) { codec::encodeDoublePrefixed(w, d); });
        const auto f = std::bit_cast<float>(static_cast<UInt32>(u));
        same([f](FieldOutput& o) { return o.addFloat(kField, f); },
             [f](BeWriter& w) { codec::encodeFloatPrefixed(w, f); });
    }
    for (unsigned e = 0; e <= 65535; ++e)
        if (e < 600 || e % 251 == 0 || e > 65530)
            same([e](FieldOutput& o) { return o.addEnum(kField, static_cast<UInt16>(e)); },
                 [e](BeWriter& w) { codec::encodeEnumPrefixed(w, static_cast<std::uint16_t>(e)); });
}

TEST_CASE("inline reals are the codec's with every hint", "[ema][building]") {
    for (int hint = 0; hint < 64; ++hint) {  // what the enumeration can hold
        CAPTURE(hint);
        const auto magnitude = static_cast<OmmReal::MagnitudeType>(hint);
        if (hint > 30) {
            leftAlone(200, [=](FieldOutput& o) { return o.addReal(kField, 1, magnitude); });
            continue;
        }
        for (const Int64 v : numbers()) {
            CAPTURE(v);
            const codec::Real real{v, static_cast<std::uint8_t>(hint)};
            same([=](FieldOutput& o) { return o.addReal(kField, v, magnitude); },
                 [&](BeWriter& w) { codec::encodeRealPrefixed(w, real); });
        }
    }
}

TEST_CASE("inline dates and times are the codec's; blank and impossible ones are left alone", "[ema][building]") {
    const codec::Time noon{12, 30, 15, 250, 0, 0};
    for (const unsigned year : {0u, 1u, 1900u, 2023u, 2024u, 4095u, 4096u, 65535u})
        for (unsigned month = 0; month <= 14; ++month)
            for (unsigned day = 0; day <= 33; ++day) {
                CAPTURE(year, month, day);
                const auto y = static_cast<UInt16>(year);
                const auto m = static_cast<UInt8>(month), d = static_cast<UInt8>(day);
                const codec::Date date{d, m, y};
                const auto add = [=](FieldOutput& o) { return o.addDate(kField, y, m, d); };
                const auto addBoth = [=](FieldOutput& o) {
                    return o.addDateTime(kField, y, m, d, 12, 30, 15, 250, 0, 0);
                };
                // The last days of months may be left alone; what cannot be must be.
                const bool possible = year <= 4095 && month != 0 && day != 0 && codec::isValid(date);
                if (possible && day <= 28) {
                    same(add, [&](BeWriter& w) { codec::encodeDatePrefixed(w, date); });
                    same(addBoth, [&](BeWriter& w) { codec::encodeDateTimePrefixed(w, {date, noon}); });
                } else if (!possible) {
                    leftAlone(200, add);
                    leftAlone(200, addBoth);
                } else if (GuardedBlock block(200); add(block.output)) {
                    REQUIRE(block.written() ==
                            byCodec(kField, [&](BeWriter& w) { codec::encodeDatePrefixed(w, date); }));
                }
            }
    const unsigned hours[] = {0, 23, 24, 254, 255}, minutes[] = {0, 59, 60, 255}, seconds[] = {0, 1, 60, 61, 255},
                   millis[] = {0, 1, 255, 256, 999, 1000, 65535}, fines[] = {0, 1, 255, 256, 999, 1000, 2047, 65535};
    const auto check = [](unsigned h, unsigned m, unsigned s, unsigned ms, unsigned us, unsigned ns) {
        CAPTURE(h, m, s, ms, us, ns);
        const codec::Time time{static_cast<UInt8>(h),   static_cast<UInt8>(m),   static_cast<UInt8>(s),
                               static_cast<UInt16>(ms), static_cast<UInt16>(us), static_cast<UInt16>(ns)};
        const auto add = [=](FieldOutput& o) {
            return o.addTime(kField, time.hour, time.minute, time.second, time.millisecond, time.microsecond,
                             time.nanosecond);
        };
        const auto addBoth = [=](FieldOutput& o) {
            return o.addDateTime(kField, 2024, 2, 9, time.hour, time.minute, time.second, time.millisecond,
                                 time.microsecond, time.nanosecond);
        };
        if (h > 23 || m > 59 || s > 60 || ms > 999 || us > 999 || ns > 999) {
            leftAlone(200, add);
            leftAlone(200, addBoth);
            return;
        }
        same(add, [&](BeWriter& w) { codec::encodeTimePrefixed(w, time); });
        same(addBoth, [&](BeWriter& w) { codec::encodeDateTimePrefixed(w, {{9, 2, 2024}, time}); });
    };
    for (const unsigned h : hours)
        for (const unsigned m : minutes)
            for (const unsigned s : seconds)
                check(h, m, s, 0, 0, 0);
    for (const unsigned ms : millis)
        for (const unsigned us : fines)
            for (const unsigned ns : fines) {
                check(12, 30, 0, ms, us, ns);
                check(12, 30, 59, ms, us, ns);
            }
}

TEST_CASE("inline texts are the codec's up to a length of one byte", "[ema][building]") {
    for (UInt32 length = 0; length < 300; ++length) {
        CAPTURE(length);
        std::string text(length, 'x');
        for (UInt32 i = 0; i < length; ++i)
            text[i] = static_cast<char>(i * 7 + length);
        const auto add = [&](FieldOutput& o) { return o.addBytes(kField, text.data(), length); };
        if (length < 0xFE) same(add, [&](BeWriter& w) { w.buf16(emissary::eta::asBytes(text)); });
        else leftAlone(1000, add);
    }
    same([](FieldOutput& o) { return o.addBytes(kField, nullptr, 0); }, [](BeWriter& w) { codec::encodeBlank(w); });
    same([](FieldOutput& o) { return o.addBlank(kField); }, [](BeWriter& w) { codec::encodeBlank(w); });
}

TEST_CASE("without room or block nothing is written inline", "[ema][building]") {
    const std::string text(40, 't');
    const auto all = [&](auto tried) {
        tried([](FieldOutput& o) { return o.addInt(kField, -1); });
        tried([](FieldOutput& o) { return o.addUInt(kField, 1); });
        tried([](FieldOutput& o) { return o.addReal(kField, 1, OmmReal::Exponent0Enum); });
        tried([](FieldOutput& o) { return o.addFloat(kField, 1); });
        tried([](FieldOutput& o) { return o.addDouble(kField, 1); });
        tried([](FieldOutput& o) { return o.addEnum(kField, 1); });
        tried([](FieldOutput& o) { return o.addDate(kField, 2024, 2, 9); });
        tried([](FieldOutput& o) { return o.addTime(kField, 1, 2, 3, 4, 5, 6); });
        tried([](FieldOutput& o) { return o.addDateTime(kField, 2024, 2, 9, 1, 2, 3, 4, 5, 6); });
        tried([&](FieldOutput& o) { return o.addBytes(kField, text.data(), 1); });
        tried([](FieldOutput& o) { return o.addBlank(kField); });
    };
    for (std::size_t room = 0; room < kAhead; ++room)
        all([room](auto add) { leftAlone(room, add); });
    for (std::size_t room = 0; room < 43; ++room)
        leftAlone(room, [&](FieldOutput& o) { return o.addBytes(kField, text.data(), 40); });
    all([](auto add) {
        FieldOutput nothing;
        REQUIRE_FALSE(add(nothing));
        REQUIRE(nothing.count == 0);
    });
}

namespace {

/// A list and what it must become, built side by side from random fields of all types and lengths.
class SideBySide {
public:
    explicit SideBySide(unsigned seed) : random_(seed) {
        out_ = &buffer_.start();
        expected_.begin(*out_);
    }
    void addFields(int count) {
        for (int i = 0; i < count; ++i)
            addField(static_cast<Int16>(random_()), random_() % 16, std::bit_cast<Int64>(random_()) >> random_() % 64);
    }
    void addContainer(std::size_t bytes, bool inPlace) {
        ElementList child;
        const EmaString text = letters(bytes);
        if (inPlace) {
            list.addElementList(kField, child);
            CHECK_USAGE(InvalidOperationEnum, list.addInt(1, 1));
            child.addAscii("A", text).complete();
        } else {
            child.addAscii("A", text).complete();
            list.addElementList(kField, child);
        }
        const EmaBuffer& content = child.getAsHex();
        expected_.add(kField, emissary::eta::asBytes({content.c_buf(), content.length()}));
    }
    void addArray() {
        OmmArray array;
        array.addUInt(7).addUInt(70000).complete();
        list.addArray(kField, array);
        const EmaBuffer& content = array.getAsHex();
        expected_.add(kField, emissary::eta::asBytes({content.c_buf(), content.length()}));
    }
    void compare() {
        list.complete();
        REQUIRE(expected_.complete().ok());
        REQUIRE(hex(list) == hex(emissary::eta::asText(out_->view())));
    }
    FieldList list;

private:
    void addField(Int16 id, UInt64 kind, Int64 v);
    std::mt19937_64 random_;
    emissary::eta::GrowingBuffer buffer_;
    BeWriter* out_ = nullptr;
    codec::FieldListEncoder expected_;
};

void SideBySide::addField(Int16 id, UInt64 kind, Int64 v) {
    expected_.field(id);
    const auto u = static_cast<UInt64>(v);
    const std::string text(u % (u % 10 == 0 ? 1000 : 60), static_cast<char>('a' + u % 26));
    const codec::Date date{static_cast<UInt8>(u % 31 + 1), 1, static_cast<UInt16>(u % 4096)};
    const codec::Time time{static_cast<UInt8>(u % 24),          static_cast<UInt8>(u / 24 % 60),
                           static_cast<UInt8>(u / 7 % 3 * 20),  static_cast<UInt16>(u / 5 % 2 * 999),
                           static_cast<UInt16>(u / 3 % 2 * 77), static_cast<UInt16>(u / 2 % 2 * 512)};
    switch (kind) {
    case 0:
        list.addInt(id, v);
        return codec::encodeIntPrefixed(*out_, v);
    case 1:
        list.addUInt(id, u);
        return codec::encodeUIntPrefixed(*out_, u);
    case 2:
    case 3:
        list.addReal(id, v, static_cast<OmmReal::MagnitudeType>(u % 31));
        return codec::encodeRealPrefixed(*out_, {v, static_cast<std::uint8_t>(u % 31)});
    case 4:
        list.addReal(id, 0, OmmReal::NotANumberEnum);
        return codec::encodeRealPrefixed(*out_, {0, codec::Real::kNotANumber});
    case 5:
        list.addEnum(id, static_cast<UInt16>(u));
        return codec::encodeEnumPrefixed(*out_, static_cast<std::uint16_t>(u));
    case 6:
        list.addDate(id, date.year, date.month, date.day);
        return codec::encodeDatePrefixed(*out_, date);
    case 7:
        list.addTime(id, time.hour, time.minute, time.second, time.millisecond, time.microsecond, time.nanosecond);
        return codec::encodeTimePrefixed(*out_, time);
    case 8:
        list.addDateTime(id, date.year, date.month, date.day, time.hour, time.minute, time.second, time.millisecond,
                         time.microsecond, time.nanosecond);
        return codec::encodeDateTimePrefixed(*out_, {date, time});
    case 9:
        list.addTime(id, 255, 255, 255, 65535, 2047, 2047).addDate(id, 0, 0, 0);
        codec::encodeBlank(*out_);
        expected_.field(id);
        return codec::encodeBlank(*out_);
    case 10:
        list.addAscii(id, EmaString(text.c_str(), static_cast<UInt32>(text.size())));
        return out_->buf16(emissary::eta::asBytes(text));
    case 11:
        list.addRmtes(id, buffer(text));
        return out_->buf16(emissary::eta::asBytes(text));
    case 12:
        list.addBuffer(id, buffer(text));
        return out_->buf16(emissary::eta::asBytes(text));
    case 13:
        list.addUtf8(id, buffer(text));
        return out_->buf16(emissary::eta::asBytes(text));
    case 14:
        list.addCodeReal(id);
        return codec::encodeBlank(*out_);
    default:
        list.addDouble(id, static_cast<double>(v)).addFloat(id, static_cast<float>(v));
        codec::encodeDoublePrefixed(*out_, static_cast<double>(v));
        expected_.field(id);
        return codec::encodeFloatPrefixed(*out_, static_cast<float>(v));
    }
}

}  // namespace

TEST_CASE("a list is the codec's, however its block grows and whatever is refused in between", "[ema][building]") {
    for (unsigned seed = 0; seed < 200; ++seed) {
        CAPTURE(seed);
        SideBySide both(seed);
        if (seed % 3 == 0) both.addContainer(seed, seed % 2 == 0);  // as the first entry
        for (unsigned part = 0; part < 4; ++part) {
            both.addFields(static_cast<int>(seed % 40));
            both.addContainer(seed * part, (seed + part) % 2 == 0);
            both.addFields(1);
            both.list.reset();  // reading begins anew: nothing to read yet, and nothing is lost
            CHECK_FALSE(both.list.hasInfo());
            both.addFields(3);
            CHECK_OUT_OF_RANGE(both.list.addReal(1, 1, static_cast<OmmReal::MagnitudeType>(32)));
            CHECK_OUT_OF_RANGE(both.list.addDate(1, 2023, 2, 29));
            CHECK_OUT_OF_RANGE(both.list.addTime(1, 24));
            CHECK_USAGE(InvalidOperationEnum, both.list.addAscii(1, letters(65536)));
            CHECK_USAGE(InvalidOperationEnum, both.list.addFieldList(1, both.list));
            both.addFields(2);
            CHECK_USAGE(InvalidOperationEnum, both.list.info(1, 1));
            both.addArray();
            both.addFields(1);
        }
        both.compare();
    }
}

TEST_CASE("a list has at most 65535 fields, and can be used again", "[ema][building]") {
    FieldList list;
    for (int i = 0; i < 65535; ++i)
        list.addCodeInt(1);
    CHECK_NOTHROW(list.complete());
    CHECK(list.getAsHex().length() == 3 + 65535 * 3);
    CHECK_USAGE(InvalidOperationEnum, list.addInt(1, 1));
    list.clear();
    for (int i = 0; i < 65536; ++i)
        list.addInt(1, 5);
    CHECK_USAGE(InvalidOperationEnum, list.complete());
    CHECK_USAGE(InvalidOperationEnum, list.complete());
    CHECK(hex(list.clear().addInt(2, 5).addInt(3, -1).complete()) == "08000200020105000301ff");
    list.clear();
    list.addInt(1, 5);
    list.clear();  // while it is open
    CHECK(hex(list.info(1, 2).addInt(2, 5).addInt(3, -1).complete()) == "0903010002000200020105000301ff");
}

namespace {

/// A list that was used before, so that clear() finds a block and lends it.
FieldList& used(FieldList& list) {
    list.clear().addInt(9, 9).complete();
    return list.clear();
}

}  // namespace

TEST_CASE("a list that was cleared is empty for every question", "[ema][building]") {
    const std::string one = "08000100020105";
    FieldList fresh, list;
    used(list);
    SECTION("nothing is added") {
        CHECK(list.getAsHex().length() == 0);
        CHECK(text(list.toString()) == text(fresh.toString()));
        CHECK(hex(list.complete()) == hex(fresh.complete()));
        CHECK_USAGE(InvalidOperationEnum, list.addInt(2, 5));
    }
    SECTION("it is looked at before the first add") {
        CHECK_FALSE(list.hasInfo());
        CHECK_FALSE(list.forth());
        list.reset();
        CHECK_FALSE(list.forth());
        CHECK(hex(list.addInt(2, 5).complete()) == one);
    }
    SECTION("info comes first") {
        CHECK(hex(list.info(1, 2).addInt(2, 5).complete()) == hex(fresh.info(1, 2).addInt(2, 5).complete()));
    }
    SECTION("info comes first and is forgotten") {
        list.info(1, 2).clear();
        CHECK(hex(list.addInt(2, 5).complete()) == one);
    }
    SECTION("info comes too late") {
        list.addInt(2, 5);
        CHECK_USAGE(InvalidOperationEnum, list.info(1, 2));
        CHECK_FALSE(list.hasInfo());
        CHECK(hex(list.complete()) == one);
    }
    SECTION("the first add is refused") {
        CHECK_OUT_OF_RANGE(list.addDate(1, 2023, 2, 29));
        CHECK(hex(list.info(1, 2).addInt(2, 5).complete()) == hex(fresh.info(1, 2).addInt(2, 5).complete()));
    }
    SECTION("it is cleared again, empty and open") {
        list.clear();
        list.addInt(3, 6);
        list.clear();
        CHECK(hex(list.addInt(2, 5).complete()) == one);
    }
    SECTION("a message completes it") {
        UpdateMsg empty, open, expected;
        empty.payload(list);
        CHECK(encode(empty) == encode(expected.payload(fresh)));
        open.payload(list.clear().addInt(2, 5));
        fresh.clear().addInt(2, 5).complete();
        CHECK(encode(open) == encode(expected.payload(fresh)));
        CHECK_USAGE(InvalidOperationEnum, list.addInt(2, 5));
    }
    SECTION("it looks at received bytes, and is built in again") {
        UpdateMsg inside;
        inside.payload(list.addInt(2, 5));
        list.clear();
        const ReceivedMsg<UpdateMsg> got(inside);
        REQUIRE(got->getPayload().getFieldList().forth());
        CHECK(hex(list.addInt(2, 5).complete()) == one);
    }
}

TEST_CASE("lists that were cleared are contained like new ones", "[ema][building]") {
    FieldList parent, child, ready;
    used(parent);
    used(child);
    ready.addInt(2, 5).complete();
    const std::string expected = [&] {
        FieldList list;
        return hex(list.addFieldList(7, ready).addInt(3, 6).complete());
    }();
    SECTION("untouched, and filled in place") {
        parent.addFieldList(7, child);
        CHECK_USAGE(InvalidOperationEnum, parent.addInt(3, 6));
        CHECK_USAGE(InvalidOperationEnum, parent.complete());
        child.addInt(2, 5).complete();
        CHECK(hex(parent.addInt(3, 6).complete()) == expected);
    }
    SECTION("untouched, and completed without a field") {
        FieldList fresh, nothing;
        parent.addFieldList(7, child);
        child.complete();
        fresh.addFieldList(7, nothing.complete());
        CHECK(hex(parent.complete()) == hex(fresh.complete()));
    }
    SECTION("open, which is refused and leaves the parent empty") {
        child.addInt(2, 5);
        CHECK_USAGE(InvalidOperationEnum, parent.addFieldList(7, child));
        parent.info(1, 2);
        child.complete();
        parent.addFieldList(7, child);
        CHECK(parent.hasInfo());
    }
    SECTION("the parent is cleared while the child is open") {
        parent.addFieldList(7, child);
        parent.clear();
        child.addInt(2, 5).complete();
        CHECK(hex(parent.addFieldList(7, child).addInt(3, 6).complete()) == expected);
    }
    SECTION("the child is cleared while it is open") {
        parent.addFieldList(7, child);
        child.addInt(4, 4);
        child.clear();
        FieldList fresh, nothing;
        fresh.addCodeBuffer(7).addInt(3, 6).complete();
        CHECK(hex(parent.addInt(3, 6).complete()) == hex(fresh));
    }
    SECTION("in a message inside a map, by turns") {
        Map map, again;
        map.addKeyUInt(1, MapEntry::AddEnum, ready).addKeyUInt(2, MapEntry::AddEnum, ready).complete();
        for (const UInt64 key : {UInt64{1}, UInt64{2}}) {
            child.clear();
            child.addInt(2, 5).complete();
            again.addKeyUInt(key, MapEntry::AddEnum, child);
        }
        CHECK(hex(again.complete()) == hex(map));
    }
}

TEST_CASE("a cleared list takes first fields of every length up to the end of its block and beyond",
          "[ema][building]") {
    FieldList list;
    for (std::size_t length = 0; length < 1100; ++length) {
        CAPTURE(length);
        FieldList fresh;
        const std::string bytes = text(letters(length % 550)), more = text(letters(length / 3));
        used(list);
        list.addRmtes(3, buffer(bytes)).addRmtes(3, buffer(more)).addInt(2, 5).complete();
        fresh.addRmtes(3, buffer(bytes)).addRmtes(3, buffer(more)).addInt(2, 5).complete();
        REQUIRE(hex(list) == hex(fresh));
    }
}

TEST_CASE("a received list takes nothing", "[ema][building]") {
    FieldList sent;
    sent.addInt(1, 5).addInt(2, 6).complete();
    UpdateMsg msg;
    msg.payload(sent);
    const ReceivedMsg<UpdateMsg> got(msg);
    const FieldList& shown = got->getPayload().getFieldList();
    CHECK_USAGE(InvalidOperationEnum, const_cast<FieldList&>(shown).addInt(1, 5));
    CHECK(shown.forth());
}
