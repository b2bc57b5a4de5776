// What the public API costs over the bare codec: an update of 23 fields, read and built (docs/architecture.md,
// "Budgets").
//
// Compare BM_WalkPublic with BM_WalkCodec, BM_BuildPublic with BM_BuildCodec: the same bytes, the same conversions.
#include "Ema.h"
#include "EmaDecode.h"
#include "MessageData.h"
#include "data/MsgAccess.h"
#include "eta/codec/containers.h"
#include "eta/codec/encoders.h"
#include "eta/codec/primitives.h"

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <vector>

namespace {

using namespace refinitiv::ema::access;
namespace codec = emissary::eta::codec;
using emissary::ema::DecodeContext;
using emissary::ema::MsgAccess;
using emissary::eta::BeWriter;
using emissary::eta::Bytes;
using emissary::eta::dictionary::Dictionary;

const Dictionary& fields() {
    static const Dictionary dictionary = [] {
        Dictionary d;
        if (const auto error = d.loadFields(EMISSARY_SOURCE_DIR "/etc/RDMFieldDictionary")) {
            std::fprintf(stderr, "%s\n", error.text.c_str());
            std::exit(1);
        }
        return d;
    }();
    return dictionary;
}

// The shape of a quote: 13 prices and sizes, and 10 fields of the other common types.
constexpr std::int16_t kReals[] = {22, 25, 6, 7, 8, 11, 12, 13, 19, 21, 30, 31, 32};
constexpr std::int16_t kUInts[] = {1, 2};
constexpr std::int16_t kEnums[] = {4, 14, 15};
constexpr std::int16_t kTimes[] = {5, 18};
constexpr std::int16_t kDates[] = {16, 17};
constexpr std::int16_t kText = 3;

void fill(FieldList& list, int round) {
    static const EmaBuffer text("VENUE A", 7);
    list.clear();
    for (const std::int16_t id : kReals)
        list.addReal(id, 10000 + round, OmmReal::ExponentNeg2Enum);
    for (const std::int16_t id : kUInts)
        list.addUInt(id, 70);
    for (const std::int16_t id : kEnums)
        list.addEnum(id, 158);
    for (const std::int16_t id : kTimes)
        list.addTime(id, 12, 30, 15);
    for (const std::int16_t id : kDates)
        list.addDate(id, 2024, 2, 9);
    list.addRmtes(kText, text);
    list.complete();
}

std::vector<std::byte> encoded(const Msg& msg) {
    std::vector<std::byte> block(4096);
    BeWriter out{{block.data(), block.size()}};
    if (!codec::encodeMsg(out, MsgAccess::wire(msg)).ok()) std::exit(1);
    block.resize(out.size());
    return block;
}

const std::vector<std::byte>& update() {
    static const std::vector<std::byte> bytes = [] {
        FieldList list;
        fill(list, 1);
        UpdateMsg msg;
        msg.streamId(5).updateTypeNum(1).payload(list);
        return encoded(msg);
    }();
    return bytes;
}

/// Header alone: decode, point the reusable object at it, read two members.
void BM_HeaderPublic(benchmark::State& state) {
    const DecodeContext context{&fields(), {}, false};
    UpdateMsg msg;
    codec::Msg wire;
    for (auto _ : state) {
        if (!codec::decodeMsg(update(), wire).ok()) std::abort();
        MsgAccess::point(msg, wire, context);
        benchmark::DoNotOptimize(msg.getStreamId());
        benchmark::DoNotOptimize(msg.getUpdateTypeNum());
    }
}
BENCHMARK(BM_HeaderPublic);

void BM_HeaderCodec(benchmark::State& state) {
    codec::Msg wire;
    for (auto _ : state) {
        if (!codec::decodeMsg(update(), wire).ok()) std::abort();
        benchmark::DoNotOptimize(wire.streamId);
        benchmark::DoNotOptimize(wire.updateType);
    }
}
BENCHMARK(BM_HeaderCodec);

/// Every field by its native getter, chosen by the load's type; with a look for blanks first, as EmaCppConsPerf reads.
template <bool blanksFirst = false>
std::uint64_t walk(const FieldList& list) {
    std::uint64_t sum = 0;
    while (list.forth()) {
        const FieldEntry& e = list.getEntry();
        if constexpr (blanksFirst)
            if (e.getCode() == Data::BlankEnum) continue;
        switch (e.getLoadType()) {
        case DataType::RealEnum: {
            const OmmReal& r = e.getReal();
            sum += static_cast<std::uint64_t>(r.getMantissa()) + r.getMagnitudeType();
            break;
        }
        case DataType::UIntEnum:
            sum += e.getUInt();
            break;
        case DataType::EnumEnum:
            sum += e.getEnum();
            break;
        case DataType::TimeEnum:
            sum += e.getTime().getSecond();
            break;
        case DataType::DateEnum:
            sum += e.getDate().getDay();
            break;
        case DataType::RmtesEnum:
            sum += e.getRmtes().getAsUTF8().length();
            break;
        default:
            std::abort();
        }
    }
    return sum;
}

void BM_WalkPublic(benchmark::State& state) {
    const DecodeContext context{&fields(), {}, false};
    UpdateMsg msg;
    codec::Msg wire;
    for (auto _ : state) {
        if (!codec::decodeMsg(update(), wire).ok()) std::abort();
        MsgAccess::point(msg, wire, context);
        benchmark::DoNotOptimize(walk(msg.getPayload().getFieldList()));
    }
}
BENCHMARK(BM_WalkPublic);

/// 4,096 different updates of 23 fields, drawn from 400 fields of the dictionary: nothing that a processor could learn.
class ShuffledUpdates {
public:
    static constexpr std::size_t kCount = 4096, kFields = 23;

    ShuffledUpdates() {
        std::vector<const emissary::eta::dictionary::FieldDefinition*> known;
        for (const auto* f : fields().fields())
            if (known.size() < 400 && isCommon(f->type)) known.push_back(f);
        // A fixed seed: runs of different days and builds read the same messages.
        std::mt19937 random(4711);
        FieldList list;
        UpdateMsg msg;
        for (std::size_t i = 0; i < kCount; ++i) {
            list.clear();
            for (std::size_t n = 0; n < kFields; ++n)
                add(list, *known[random() % known.size()], random);
            list.complete();
            messages_.push_back(
                encoded(msg.clear().streamId(static_cast<Int32>(i) + 5).updateTypeNum(1).payload(list)));
        }
    }
    [[nodiscard]] const std::vector<std::byte>& next() {
        at_ = (at_ + 1) % kCount;
        return messages_[at_];
    }

private:
    static bool isCommon(codec::DataType type) {
        using T = codec::DataType;
        return type == T::Real || type == T::UInt || type == T::Enum || type == T::Time || type == T::Date ||
               type == T::RmtesString;
    }
    /// Values of all lengths; one in thirty is blank.
    static void add(FieldList& list, const emissary::eta::dictionary::FieldDefinition& f, std::mt19937& random) {
        const std::uint64_t value = random() >> random() % 31;
        const bool blank = random() % 30 == 0;
        switch (f.type) {
        case codec::DataType::Real:
            blank ? list.addCodeReal(f.fieldId)
                  : list.addReal(f.fieldId, static_cast<Int64>(value), OmmReal::ExponentNeg2Enum);
            break;
        case codec::DataType::UInt:
            blank ? list.addCodeUInt(f.fieldId) : list.addUInt(f.fieldId, value);
            break;
        case codec::DataType::Enum:
            blank ? list.addCodeEnum(f.fieldId) : list.addEnum(f.fieldId, static_cast<UInt16>(value));
            break;
        case codec::DataType::Time:
            list.addTime(f.fieldId, 12, 30, static_cast<UInt8>(value % 60));
            break;
        case codec::DataType::Date:
            list.addDate(f.fieldId, 2024, 2, static_cast<UInt8>(value % 28 + 1));
            break;
        default:
            list.addRmtes(f.fieldId, EmaBuffer("VENUE A AND MORE", static_cast<UInt32>(value % 16 + 1)));
        }
    }

    std::vector<std::vector<std::byte>> messages_;
    std::size_t at_ = 0;
};

/// Each of them decoded, handed over and walked.
template <class Updates>
void walkDifferent(benchmark::State& state) {
    static Updates updates;
    const DecodeContext context{&fields(), {}, false};
    UpdateMsg msg;
    codec::Msg wire;
    for (auto _ : state) {
        if (!codec::decodeMsg(updates.next(), wire).ok()) std::abort();
        MsgAccess::point(msg, wire, context);
        benchmark::DoNotOptimize(walk<true>(msg.getPayload().getFieldList()));
    }
}

void BM_WalkShuffledPublic(benchmark::State& state) {
    walkDifferent<ShuffledUpdates>(state);
}
BENCHMARK(BM_WalkShuffledPublic);

/// 4,096 updates of the shipped message file in random order, each with numbers and times of its own.
class ShippedUpdates {
public:
    static constexpr std::size_t kCount = 4096;

    ShippedUpdates() {
        using namespace emissary::perf;
        const auto typeOf = [](std::int32_t id) -> std::optional<std::uint8_t> {
            const auto* f = fields().find(static_cast<std::int16_t>(id));
            return f == nullptr ? std::nullopt : std::optional(static_cast<std::uint8_t>(f->type));
        };
        const MessageData data = readMessageData(EMISSARY_SOURCE_DIR "/etc/MsgData.xml", typeOf);
        const auto& updates = data.marketPrice.updates;
        std::mt19937 random(4712);
        FieldList list;
        UpdateMsg msg;
        for (std::size_t i = 0; i < kCount; ++i) {
            list.clear();
            for (const FieldTemplate& f : updates[random() % updates.size()].fields)
                add(list, f, random);
            list.complete();
            messages_.push_back(
                encoded(msg.clear().streamId(static_cast<Int32>(i) + 5).updateTypeNum(1).payload(list)));
        }
    }
    [[nodiscard]] const std::vector<std::byte>& next() {
        at_ = (at_ + 1) % kCount;
        return messages_[at_];
    }

private:
    static void add(FieldList& list, const emissary::messages::FieldTemplate& f, std::mt19937& random) {
        using namespace emissary::perf;
        if (const auto* r = std::get_if<emissary::messages::RealValue>(&f.content))
            list.addReal(f.id, r->mantissa + static_cast<Int64>(random() % 400),
                         static_cast<OmmReal::MagnitudeType>(r->hint));
        else if (const auto* t = std::get_if<emissary::perf::TimeValue>(&f.content))
            list.addTime(f.id, t->hour, t->minute, static_cast<UInt8>(random() % 60), t->millisecond, t->microsecond,
                         t->nanosecond);
        else if (const auto* s = std::get_if<std::string>(&f.content))
            list.addRmtes(f.id, EmaBuffer(s->data(), static_cast<UInt32>(s->size())));
        else if (const auto* u = std::get_if<std::uint64_t>(&f.content))
            f.type == FieldType::enumeration ? list.addEnum(f.id, static_cast<UInt16>(*u))
                                             : list.addUInt(f.id, *u + random() % 1000);
        else std::abort();
    }

    std::vector<std::vector<std::byte>> messages_;
    std::size_t at_ = 0;
};

void BM_WalkShippedPublic(benchmark::State& state) {
    walkDifferent<ShippedUpdates>(state);
}
BENCHMARK(BM_WalkShippedPublic);

/// The same by what EmaCppConsPerf reads with.
void BM_DecodeShipped(benchmark::State& state) {
    const auto updates = std::make_unique<ShippedUpdates>();
    const DecodeContext context{&fields(), {}, false};
    UpdateMsg msg;
    codec::Msg wire;
    emissary::perf::PayloadDecoder decoder;
    for (auto _ : state) {
        if (!codec::decodeMsg(updates->next(), wire).ok()) std::abort();
        MsgAccess::point(msg, wire, context);
        benchmark::DoNotOptimize(decoder.decode(msg.getPayload()));
    }
}
BENCHMARK(BM_DecodeShipped);
// Two threads that have nothing to do with each other but the dictionary: processor time an update must stay.
BENCHMARK(BM_DecodeShipped)->Threads(2);

/// The same by hand: scan the entries, look the type up, convert.
std::uint64_t walkCodec(Bytes payload) {
    std::uint64_t sum = 0;
    codec::FieldListDecoder list;
    if (!list.start(payload).ok()) std::abort();
    codec::FieldEntry e;
    const Dictionary& dictionary = fields();
    while (list.next(e)) {
        switch (dictionary.find(e.fieldId)->type) {
        case codec::DataType::Real: {
            codec::Real v;
            if (codec::decodeReal(e.data, v) == codec::Decoded::value)
                sum += static_cast<std::uint64_t>(v.mantissa) + v.hint;
            break;
        }
        case codec::DataType::UInt: {
            std::uint64_t v = 0;
            if (codec::decodeUInt(e.data, v) == codec::Decoded::value) sum += v;
            break;
        }
        case codec::DataType::Enum: {
            std::uint16_t v = 0;
            if (codec::decodeEnum(e.data, v) == codec::Decoded::value) sum += v;
            break;
        }
        case codec::DataType::Time: {
            codec::Time v;
            if (codec::decodeTime(e.data, v) == codec::Decoded::value) sum += v.second;
            break;
        }
        case codec::DataType::Date: {
            codec::Date v;
            if (codec::decodeDate(e.data, v) == codec::Decoded::value) sum += v.day;
            break;
        }
        case codec::DataType::RmtesString:
            sum += e.data.size();
            break;
        default:
            std::abort();
        }
    }
    return sum;
}

void BM_WalkCodec(benchmark::State& state) {
    codec::Msg wire;
    for (auto _ : state) {
        if (!codec::decodeMsg(update(), wire).ok()) std::abort();
        benchmark::DoNotOptimize(walkCodec(wire.payload));
    }
}
BENCHMARK(BM_WalkCodec);

/// What the walk is measured against: no layers, no message, just a bounds-checked scan of the payload with the type
/// from a flat table.
struct HandTypes {
    // 64 KB, one byte for each field id: the flat table is the fastest look-up there is.
    std::uint8_t of[65536] = {};
    HandTypes() {
        for (const auto* f : fields().fields())
            of[static_cast<std::uint16_t>(f->fieldId)] = static_cast<std::uint8_t>(f->type);
    }
};

/// A converted field, as such a program would keep it.
union HandValue {
    std::uint64_t number;
    struct {
        std::int64_t mantissa;
        std::uint8_t hint;
    } real;
    struct {
        std::uint8_t hour, minute, second;
    } time;
    struct {
        std::uint16_t year;
        std::uint8_t month, day;
    } date;
    struct {
        const char* text;
        std::size_t length;
    } bytes;
};

unsigned walkHand(Bytes payload, const HandTypes& types, HandValue* out) {
    const auto* p = reinterpret_cast<const unsigned char*>(payload.data());
    const unsigned char* const end = p + payload.size();
    if (end - p < 3 || p[0] != 0x08) std::abort();
    const unsigned count = static_cast<unsigned>(p[1] << 8 | p[2]);
    p += 3;
    const auto number = [](const unsigned char* at, std::size_t n) {
        std::uint64_t v = 0;
        for (std::size_t i = 0; i < n; ++i)
            v = v << 8 | at[i];
        return v;
    };
    for (unsigned i = 0; i != count; ++i, ++out) {
        if (end - p < 3) std::abort();
        const auto id = static_cast<std::uint16_t>(p[0] << 8 | p[1]);
        const std::size_t n = p[2];
        p += 3;
        if (n >= 0xFE || static_cast<std::size_t>(end - p) < n) std::abort();
        switch (static_cast<codec::DataType>(types.of[id])) {
        case codec::DataType::Real:
            if (n < 2 || n > 9) std::abort();
            // Shifted up and down again for the sign: the wire leaves out leading bytes that repeat it.
            out->real.mantissa = static_cast<std::int64_t>(number(p + 1, n - 1) << (72 - 8 * n)) >> (72 - 8 * n);
            out->real.hint = p[0] & 0x3F;
            break;
        case codec::DataType::UInt:
            if (n == 0 || n > 8) std::abort();
            out->number = number(p, n);
            break;
        case codec::DataType::Enum:
            if (n == 0 || n > 2) std::abort();
            out->number = number(p, n);
            break;
        case codec::DataType::Time:
            if (n != 3) std::abort();
            out->time = {p[0], p[1], p[2]};
            break;
        case codec::DataType::Date:
            if (n != 4) std::abort();
            out->date = {static_cast<std::uint16_t>(p[2] << 8 | p[3]), p[1], p[0]};
            break;
        case codec::DataType::RmtesString:
            out->bytes = {reinterpret_cast<const char*>(p), n};
            break;
        default:
            std::abort();
        }
        p += n;
    }
    return count;
}

Bytes payloadOf(const std::vector<std::byte>& msg) {
    codec::Msg wire;
    if (!codec::decodeMsg(msg, wire).ok()) std::abort();
    return wire.payload;
}

void BM_WalkListHand(benchmark::State& state) {
    const auto types = std::make_unique<HandTypes>();
    const Bytes payload = payloadOf(update());
    HandValue values[64];
    for (auto _ : state) {
        benchmark::DoNotOptimize(walkHand(payload, *types, values));
        benchmark::DoNotOptimize(values);
    }
}
BENCHMARK(BM_WalkListHand);

void BM_WalkListPublic(benchmark::State& state) {
    const DecodeContext context{&fields(), {}, false};
    UpdateMsg msg;
    codec::Msg wire;
    if (!codec::decodeMsg(update(), wire).ok()) std::abort();
    MsgAccess::point(msg, wire, context);
    const FieldList& list = msg.getPayload().getFieldList();
    for (auto _ : state) {
        // The decoded list again and again: header and message object are out of the comparison.
        list.reset();
        benchmark::DoNotOptimize(walk(list));
    }
}
BENCHMARK(BM_WalkListPublic);

/// Fields, message and wire form of an update, as a provider that encodes each one does.
void BM_BuildPublic(benchmark::State& state) {
    FieldList list;
    UpdateMsg msg;
    std::vector<std::byte> block(4096);
    int round = 0;
    for (auto _ : state) {
        // Values change and keep their length, so that every round writes as many bytes.
        fill(list, ++round & 0xFFF);
        msg.clear().streamId(5).updateTypeNum(1).payload(list);
        BeWriter out{{block.data(), block.size()}};
        if (!codec::encodeMsg(out, MsgAccess::wire(msg)).ok()) std::abort();
        benchmark::DoNotOptimize(block.data());
        benchmark::ClobberMemory();
    }
}
BENCHMARK(BM_BuildPublic);
BENCHMARK(BM_BuildPublic)->Threads(2);

/// The same by hand: payload into its own block, then header and payload into the output.
void BM_BuildCodec(benchmark::State& state) {
    std::vector<std::byte> payload(4096), block(4096);
    int round = 0;
    for (auto _ : state) {
        const std::int64_t mantissa = 10000 + (++round & 0xFFF);
        BeWriter body{{payload.data(), payload.size()}};
        codec::FieldListEncoder list;
        list.begin(body);
        for (const std::int16_t id : kReals)
            list.addReal(id, {mantissa, 12});
        for (const std::int16_t id : kUInts)
            list.addUInt(id, 70);
        for (const std::int16_t id : kEnums)
            list.addEnum(id, 158);
        for (const std::int16_t id : kTimes) {
            list.field(id);
            codec::encodeTimePrefixed(body, {12, 30, 15, 0, 0, 0});
        }
        for (const std::int16_t id : kDates) {
            list.field(id);
            codec::encodeDatePrefixed(body, {9, 2, 2024});
        }
        list.add(kText, emissary::eta::asBytes("VENUE A"));
        if (!list.complete().ok()) std::abort();
        codec::Msg msg;
        msg.streamId = 5;
        msg.updateType = 1;
        msg.containerType = codec::DataType::FieldList;
        msg.payload = body.view();
        BeWriter out{{block.data(), block.size()}};
        if (!codec::encodeMsg(out, msg).ok()) std::abort();
        benchmark::DoNotOptimize(block.data());
        benchmark::ClobberMemory();
    }
}
BENCHMARK(BM_BuildCodec);

/// Keeping a received update after its callback.
void BM_CopyUpdate(benchmark::State& state) {
    const DecodeContext context{&fields(), {}, false};
    UpdateMsg msg;
    codec::Msg wire;
    if (!codec::decodeMsg(update(), wire).ok()) std::abort();
    MsgAccess::point(msg, wire, context);
    for (auto _ : state) {
        const UpdateMsg kept(msg);
        benchmark::DoNotOptimize(&kept);
    }
}
BENCHMARK(BM_CopyUpdate);

/// A message whose payload was built before: what repeated sending of prepared updates costs.
void BM_SendPrepared(benchmark::State& state) {
    FieldList list;
    fill(list, 1);
    UpdateMsg msg;
    msg.streamId(5).updateTypeNum(1).payload(list);
    std::vector<std::byte> block(4096);
    for (auto _ : state) {
        BeWriter out{{block.data(), block.size()}};
        if (!codec::encodeMsg(out, MsgAccess::wire(msg)).ok()) std::abort();
        benchmark::DoNotOptimize(block.data());
        benchmark::ClobberMemory();
    }
}
BENCHMARK(BM_SendPrepared);

}  // namespace

BENCHMARK_MAIN();
