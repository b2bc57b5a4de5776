// Nothing is allocated per update once objects are warm (docs/architecture.md, "Memory").
#include "Ema.h"
#include "data/MsgAccess.h"
#include "support.h"
#include "support/AllocationCounter.h"

using namespace ematest;

namespace {

constexpr int kFields = 23;

/// 23 fields of the kinds that a price update has.
void fill(FieldList& list, int round) {
    list.clear();
    for (const Int16 id : {Int16{22}, Int16{25}, Int16{6}, Int16{7}, Int16{8}, Int16{11}, Int16{12}, Int16{13},
                           Int16{19}, Int16{21}, Int16{30}, Int16{31}, Int16{32}})
        list.addReal(id, 10000 + round, OmmReal::ExponentNeg2Enum);
    list.addUInt(1, static_cast<UInt64>(round)).addUInt(2, 7);
    list.addEnum(4, 158).addEnum(14, 1).addEnum(15, 840);
    list.addTime(5, 12, 30, 15).addTime(18, 12, 30, 15, 500).addDate(16, 2024, 2, 9).addDate(17, 2024, 2, 9);
    static const EmaBuffer name("ABC", 3);
    list.addRmtes(3, name);
    list.complete();
}

/// Reads every field by its native getter, as a consumer would.
std::uint64_t walk(const FieldList& list, int& seen) {
    std::uint64_t sum = 0;
    while (list.forth()) {
        const FieldEntry& e = list.getEntry();
        ++seen;
        switch (e.getLoadType()) {
        case DataType::RealEnum:
            sum += static_cast<std::uint64_t>(e.getReal().getMantissa());
            break;
        case DataType::UIntEnum:
            sum += e.getUInt();
            break;
        case DataType::EnumEnum:
            sum += e.getEnum();
            break;
        case DataType::TimeEnum:
            sum += e.getTime().getHour();
            break;
        case DataType::DateEnum:
            sum += e.getDate().getDay();
            break;
        case DataType::RmtesEnum:
            sum += e.getRmtes().getAsUTF8().length();
            break;
        default:
            FAIL("unexpected type");
        }
    }
    return sum;
}

}  // namespace

TEST_CASE("reading the 23 fields of an update does not allocate", "[ema][allocation]") {
    FieldList fields;
    fill(fields, 1);
    UpdateMsg sent;
    sent.payload(fields);
    const std::vector<std::byte> bytes = encode(sent);
    const emissary::ema::DecodeContext context{&shippedFields(), {}, false};
    UpdateMsg shown;
    codec::Msg wire;
    int seen = 0;
    std::uint64_t sum = 0;
    const auto update = [&] {
        const bool ok = codec::decodeMsg(bytes, wire).ok();
        emissary::ema::MsgAccess::point(shown, wire, context);
        if (ok) sum += walk(shown.getPayload().getFieldList(), seen);
    };
    update();
    CHECK(seen == kFields);
    const std::uint64_t before = emissary::test::allocationsOfThisThread();
    for (int i = 0; i < 1000; ++i)
        update();
    const std::uint64_t after = emissary::test::allocationsOfThisThread();
    CHECK(after - before == 0);
    CHECK(seen == 1001 * kFields);
    CHECK(sum != 0);
}

TEST_CASE("keeping an update is one allocation", "[ema][allocation]") {
    FieldList fields;
    fill(fields, 1);
    UpdateMsg sent;
    sent.payload(fields);
    const std::vector<std::byte> bytes = encode(sent);
    const auto dictionary = std::make_shared<Dictionary>(shippedFields());  // shared, as a session's is
    const emissary::ema::DecodeContext context{dictionary.get(), "A_SERVICE_WITH_A_LONG_NAME", true};
    UpdateMsg shown;
    codec::Msg wire;
    REQUIRE(codec::decodeMsg(bytes, wire).ok());
    emissary::ema::MsgAccess::point(shown, wire, context);
    const std::uint64_t before = emissary::test::allocationsOfThisThread();
    const UpdateMsg kept(shown);
    const std::uint64_t after = emissary::test::allocationsOfThisThread();
    CHECK(after - before == 1);
    CHECK(kept.getServiceName() == "A_SERVICE_WITH_A_LONG_NAME");
    int seen = 0;
    CHECK(walk(kept.getPayload().getFieldList(), seen) != 0);
    CHECK(seen == kFields);
}

TEST_CASE("building the 23 fields of an update does not allocate", "[ema][allocation]") {
    FieldList fields;
    UpdateMsg msg;
    std::vector<std::byte> block(4096);
    std::size_t size = 0;
    const auto update = [&](int round) {
        fill(fields, round);
        msg.clear().streamId(5).updateTypeNum(1).payload(fields);
        const codec::Msg& wire = emissary::ema::MsgAccess::wire(msg);
        emissary::eta::BeWriter out{{block.data(), block.size()}};
        if (codec::encodeMsg(out, wire).ok()) size = out.size();
    };
    update(0);
    update(999);  // the longest: from here on every buffer has its size
    const std::uint64_t before = emissary::test::allocationsOfThisThread();
    for (int i = 0; i < 1000; ++i)
        update(i);
    const std::uint64_t after = emissary::test::allocationsOfThisThread();
    CHECK(after - before == 0);
    CHECK(size > 100);
}
