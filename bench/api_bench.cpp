// What the public API costs over the bare codec: reading and building an update of 23 fields (docs/architecture.md).
//
// Compare BM_WalkPublic with BM_WalkCodec, BM_BuildPublic with BM_BuildCodec: the same bytes, the same conversions.
#include "Ema.h"
#include "access/MsgAccess.h"
#include "eta/codec/containers.h"
#include "eta/codec/encoders.h"
#include "eta/codec/primitives.h"

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
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

/// Every field by its native getter, chosen by the load's type.
std::uint64_t walk(const FieldList& list) {
    std::uint64_t sum = 0;
    while (list.forth()) {
        const FieldEntry& e = list.getEntry();
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

/// Fields, message and wire form of an update, as a provider that encodes each one does.
void BM_BuildPublic(benchmark::State& state) {
    FieldList list;
    UpdateMsg msg;
    std::vector<std::byte> block(4096);
    int round = 0;
    for (auto _ : state) {
        fill(list, ++round & 0xFFF);
        msg.clear().streamId(5).updateTypeNum(1).payload(list);
        BeWriter out{{block.data(), block.size()}};
        if (!codec::encodeMsg(out, MsgAccess::wire(msg)).ok()) std::abort();
        benchmark::DoNotOptimize(block.data());
        benchmark::ClobberMemory();
    }
}
BENCHMARK(BM_BuildPublic);

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
