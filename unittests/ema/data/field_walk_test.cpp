// A field list read in one walk: what is at hand as soon as forth() returns, what is decoded on demand and what the
// decoder of the codec must do say the same (ema-api.md 3.5, rwf.md 2, 3.2).
#include "Ema.h"
#include "data/MsgAccess.h"
#include "support.h"

#include "eta/codec/containers.h"
#include "eta/codec/encoders.h"
#include "eta/codec/primitives.h"

#include <random>

using namespace ematest;
using emissary::eta::BeWriter;

namespace {

using Wire = codec::DataType;

constexpr Int16 kReal = 6, kUInt = 1, kEnum = 15, kTime = 5, kDate = 16, kRmtes = 3, kUnknown = -32000;

struct Field {
    Int16 id;
    Block content;
};
Block listOf(const std::vector<Field>& fields) {
    return written([&](BeWriter& out) {
        codec::FieldListEncoder list;
        list.begin(out);
        for (const Field& f : fields)
            list.add(f.id, f.content);
        REQUIRE(list.complete().ok());
    });
}

/// Shows a payload that lies at the very start of its own block: whoever reads before or behind it is caught by
/// AddressSanitizer.
class Shown {
public:
    explicit Shown(const Block& payload, const Dictionary* dictionary = &shippedFields())
        : bytes_(new std::byte[payload.size()]), size_(payload.size()) {
        std::copy(payload.begin(), payload.end(), bytes_.get());
        wire_.cls = codec::MsgClass::Update;
        wire_.containerType = Wire::FieldList;
        wire_.payload = {bytes_.get(), size_};
        emissary::ema::MsgAccess::point(msg_, wire_, {dictionary, {}, false});
    }
    [[nodiscard]] const FieldList& list() const { return msg_.getPayload().getFieldList(); }

private:
    std::unique_ptr<std::byte[]> bytes_;
    std::size_t size_;
    codec::Msg wire_;
    UpdateMsg msg_;
};

std::string parts(std::initializer_list<unsigned> numbers) {
    std::string s;
    for (const unsigned n : numbers)
        s += std::to_string(n) + ":";
    return s;
}
/// One field as text: id, type, blank, value and bytes.
std::string said(const FieldEntry& e) {
    std::string s = std::to_string(e.getFieldId()) + " " + std::to_string(e.getLoadType());
    if (e.getCode() == Data::BlankEnum) return s + " blank";
    switch (e.getLoadType()) {
    case DataType::RealEnum:
        s += " " + std::to_string(e.getReal().getMantissa()) + "/" + std::to_string(e.getReal().getMagnitudeType());
        break;
    case DataType::UIntEnum:
        s += " " + std::to_string(e.getUInt());
        break;
    case DataType::EnumEnum:
        s += " " + std::to_string(e.getEnum());
        break;
    case DataType::TimeEnum: {
        const OmmTime& t = e.getTime();
        s += " " + parts({t.getHour(), t.getMinute(), t.getSecond(), t.getMillisecond(), t.getMicrosecond(),
                          t.getNanosecond()});
        break;
    }
    case DataType::DateEnum:
        s += " " + text(e.getLoad().toString());
        break;
    case DataType::RmtesEnum:
        s += " " + text(e.getRmtes().getAsUTF8()) + "|" + text(e.getLoad().toString());
        break;
    case DataType::ErrorEnum:
        s += " " + std::to_string(e.getError().getErrorCode());
        break;
    default:
        s += " ?";
    }
    return s + " " + hex(e.getLoad());
}
/// The same by the codec's own functions.
std::string expected(const Field& f) {
    const auto* definition = shippedFields().find(f.id);
    std::string s = std::to_string(f.id) + " ";
    const std::string bytes = hex({reinterpret_cast<const char*>(f.content.data()), f.content.size()});
    const auto told = [&](DataType::DataTypeEnum type, codec::Decoded outcome, const std::string& value) {
        if (outcome == codec::Decoded::blank) return s + std::to_string(type) + " blank";
        if (outcome == codec::Decoded::malformed)
            return s + std::to_string(DataType::ErrorEnum) + " " + std::to_string(OmmError::IncompleteDataEnum) + " " +
                   bytes;
        return s + std::to_string(type) + " " + value + " " + bytes;
    };
    if (definition == nullptr)
        return s + std::to_string(DataType::ErrorEnum) + " " + std::to_string(OmmError::FieldIdNotFoundEnum) + " " +
               bytes;
    switch (definition->type) {
    case Wire::Real: {
        codec::Real v;
        const auto outcome = codec::decodeReal(f.content, v);
        return told(DataType::RealEnum, outcome, std::to_string(v.mantissa) + "/" + std::to_string(v.hint));
    }
    case Wire::UInt: {
        std::uint64_t v = 0;
        const auto outcome = codec::decodeUInt(f.content, v);
        return told(DataType::UIntEnum, outcome, std::to_string(v));
    }
    case Wire::Enum: {
        std::uint16_t v = 0;
        const auto outcome = codec::decodeEnum(f.content, v);
        return told(DataType::EnumEnum, outcome, std::to_string(v));
    }
    case Wire::Time: {
        codec::Time v = codec::Time::blankTime();
        const auto outcome = codec::decodeTime(f.content, v);
        return told(DataType::TimeEnum, outcome,
                    parts({v.hour, v.minute, v.second, v.millisecond, v.microsecond, v.nanosecond}));
    }
    case Wire::RmtesString: {
        const std::string plain(reinterpret_cast<const char*>(f.content.data()), f.content.size());
        return told(DataType::RmtesEnum, f.content.empty() ? codec::Decoded::blank : codec::Decoded::value,
                    plain + "|" + plain);
    }
    default:
        break;
    }
    FAIL("no expectation for " << f.id);
    return {};
}

std::vector<std::string> walked(const FieldList& list) {
    std::vector<std::string> all;
    while (list.forth())
        all.push_back(said(list.getEntry()));
    return all;
}
std::vector<std::string> expected(const std::vector<Field>& all) {
    std::vector<std::string> said;
    for (const Field& f : all)
        said.push_back(expected(f));
    return said;
}

Block someBytes(std::mt19937& random, std::size_t n) {
    Block b(n);
    for (std::byte& x : b)
        x = static_cast<std::byte>(random());
    return b;
}
/// A field of one of the types that are read at once, of every length that can and cannot be, or of text.
Field someField(std::mt19937& random) {
    constexpr Int16 kIds[] = {kReal, kUInt, kEnum, kRmtes, kUnknown, kReal, kTime};
    const Int16 id = kIds[random() % std::size(kIds)];
    if (id == kTime && random() % 4 == 0) return {id, Block(random() % 11, std::byte{0xFF})};  // blank, or too long
    if (id != kRmtes) return {id, someBytes(random, random() % 11)};
    const std::size_t length = random() % 40 == 0 ? 250 + random() % 10 : random() % 20;  // also those of long length
    return {id, Block(length, static_cast<std::byte>('A' + random() % 26))};
}

}  // namespace

TEST_CASE("a walk says of every field what the codec says", "[ema][walk]") {
    std::mt19937 random(GENERATE(1U, 2U, 3U, 4U));
    for (int round = 0; round < 500; ++round) {
        std::vector<Field> all(random() % 30);
        for (Field& f : all)
            f = someField(random);
        const Shown shown(listOf(all));
        INFO("round " << round);
        CHECK(walked(shown.list()) == expected(all));
        shown.list().reset();
        CHECK(walked(shown.list()) == expected(all));
    }
}

TEST_CASE("a text in a list is converted as one by itself, whatever its bytes and what was read before it",
          "[ema][walk]") {
    const auto converted = [](const RmtesBuffer& buffer) {
        try {
            std::string s = text(buffer.getAsUTF8());
            const EmaBufferU16& wide = buffer.getAsUTF16();
            for (UInt32 i = 0; i < wide.length(); ++i)
                s += " " + std::to_string(wide.u16_buf()[i]);
            return s;
        } catch (const OmmInvalidUsageException& e) { return std::string("refused: ") + e.getText().c_str(); }
    };
    std::vector<Field> all;
    std::mt19937 random(5);
    for (std::size_t length = 1; length <= 10; ++length)
        for (std::size_t at = 0; at < length; ++at)
            for (unsigned odd = 0; odd < 256; ++odd) {
                Block content(length, static_cast<std::byte>('a' + random() % 26));
                content[at] = static_cast<std::byte>(odd);
                all.push_back({kRmtes, content});
            }
    std::shuffle(all.begin(), all.end(), random);
    const Shown shown(listOf(all));
    for (const Field& f : all) {
        REQUIRE(shown.list().forth());
        const RmtesBuffer itself(reinterpret_cast<const char*>(f.content.data()),
                                 static_cast<UInt32>(f.content.size()));
        INFO(hex({reinterpret_cast<const char*>(f.content.data()), f.content.size()}));
        REQUIRE(converted(shown.list().getEntry().getRmtes()) == converted(itself));
    }
    CHECK_FALSE(shown.list().forth());
}

TEST_CASE("a field found by its id is the one that a walk meets", "[ema][walk]") {
    std::mt19937 random(7);
    for (int round = 0; round < 300; ++round) {
        std::vector<Field> all(1 + random() % 20);
        for (Field& f : all)
            f = someField(random);
        const Int16 wanted = someField(random).id;
        std::vector<Field> those;
        std::copy_if(all.begin(), all.end(), std::back_inserter(those), [&](const Field& f) { return f.id == wanted; });
        const Shown shown(listOf(all));
        std::vector<std::string> found;
        while (shown.list().forth(wanted))
            found.push_back(said(shown.list().getEntry()));
        CHECK(found == expected(those));
        CHECK_FALSE(shown.list().forth());
        CHECK_USAGE(InvalidOperationEnum, shown.list().getEntry());
    }
}

TEST_CASE("a list cut at any byte ends with an entry of type Error, behind the whole fields", "[ema][walk]") {
    const std::vector<Field> all = {{kEnum, {std::byte{7}}},
                                    {kReal, {std::byte{14}, std::byte{1}, std::byte{2}}},
                                    {kRmtes, Block(300, std::byte{'x'})},
                                    {kUInt, Block(8, std::byte{0xFF})},
                                    {kReal, {std::byte{0x20}}}};
    const Block whole = listOf(all);
    const std::vector<std::string> everything = expected(all);
    for (std::size_t size = 1; size < whole.size(); ++size) {
        const Shown shown(Block(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)));
        const std::vector<std::string> seen = walked(shown.list());
        INFO(size << " of " << whole.size() << " bytes");
        REQUIRE(seen.size() <= all.size());
        REQUIRE_FALSE(seen.empty());
        CHECK(std::equal(seen.begin(), seen.end() - 1, everything.begin()));
        CHECK(seen.back().starts_with("0 " + std::to_string(DataType::ErrorEnum)));
    }
}

TEST_CASE("without a dictionary every field says that it is missing", "[ema][walk]") {
    const Shown shown(listOf({{kReal, {std::byte{14}, std::byte{1}}}, {kEnum, {std::byte{7}}}, {kRmtes, {}}}), nullptr);
    int count = 0;
    while (shown.list().forth()) {
        const FieldEntry& e = shown.list().getEntry();
        REQUIRE(e.getLoadType() == DataType::ErrorEnum);
        CHECK(e.getError().getErrorCode() == OmmError::NoDictionaryEnum);
        ++count;
    }
    CHECK(count == 3);
}

TEST_CASE("what was built is read back, whatever its first field", "[ema][walk]") {
    FieldList list;
    SECTION("an enumeration of one byte") {
        list.addEnum(kEnum, 7);
    }
    SECTION("a number of one byte") {
        list.addUInt(kUInt, 1);
    }
    SECTION("a blank") {
        list.addCodeReal(kReal);
    }
    SECTION("an empty text") {
        list.addCodeRmtes(kRmtes);
    }
    SECTION("a real of two bytes") {
        list.addReal(kReal, 5, OmmReal::Exponent0Enum);
    }
    list.addReal(kReal, -1, OmmReal::ExponentNeg2Enum).addTime(kTime, 1, 2, 3).addDate(kDate, 2024, 2, 29).complete();
    UpdateMsg msg;
    msg.payload(list);
    Block bytes =
        written([&](BeWriter& out) { REQUIRE(codec::encodeMsg(out, emissary::ema::MsgAccess::wire(msg)).ok()); });
    codec::Msg wire;
    REQUIRE(codec::decodeMsg(bytes, wire).ok());
    UpdateMsg received;
    emissary::ema::MsgAccess::point(received, wire, {&shippedFields(), {}, false});
    const std::vector<std::string> seen = walked(received.getPayload().getFieldList());
    REQUIRE(seen.size() == 4);
    CHECK(seen[1].starts_with("6 " + std::to_string(DataType::RealEnum) + " -1/12"));
    int count = 0;
    while (list.forth()) {
        CHECK(list.getEntry().getLoadType() == DataType::ErrorEnum);  // what is built here has no dictionary
        ++count;
    }
    CHECK(count == 4);
}

TEST_CASE("a list has no info in the middle of a plain walk, and one with info says it there", "[ema][walk]") {
    const Shown plain(listOf({{kReal, {std::byte{14}, std::byte{1}}}, {kEnum, {std::byte{7}}}}));
    REQUIRE(plain.list().forth());
    CHECK_FALSE(plain.list().hasInfo());
    REQUIRE(plain.list().forth());
    CHECK(plain.list().getEntry().getEnum() == 7);
    CHECK_FALSE(plain.list().forth());
    CHECK_FALSE(plain.list().hasInfo());

    const Shown told(written([&](BeWriter& out) {
        codec::FieldListEncoder list;
        list.begin(out, {1, 5});
        list.add(kEnum, Block{std::byte{7}});
        list.add(kUInt, Block{std::byte{9}});
        REQUIRE(list.complete().ok());
    }));
    REQUIRE(told.list().forth());
    CHECK(told.list().hasInfo());
    CHECK(told.list().getInfoFieldListNum() == 5);
    REQUIRE(told.list().forth());
    CHECK(told.list().getEntry().getUInt() == 9);
    CHECK_FALSE(told.list().forth());
}
