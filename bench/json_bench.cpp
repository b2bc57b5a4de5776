// Cost of the JSON conversion: an update of ten fields and an order-book entry list, each way, per message and alone.
#include "eta/core/GrowingBuffer.h"
#include "eta/json/Converter.h"

#include <benchmark/benchmark.h>
#include <cstdlib>
#include <iostream>
#include <string>

namespace {

using namespace emissary::eta;

constexpr const char* kUpdate =
    R"([{"ID":10,"Type":"Update","UpdateType":"Quote","SeqNumber":52311,"Key":{"Service":260,"Name":"ZINC.D"},"Fields":{)"
    R"("BID":12.5075,"ASK":12.5125,"BIDSIZE":400,"ASKSIZE":1200,"TRDPRC_1":12.51,"NETCHNG_1":-0.14,"ACVOL_1":1234567,)"
    R"("TRDTIM_1":"14:05:09","CURRENCY":840,"DSPLY_NAME":"ZINC CASH OFF."}}])";
constexpr const char* kFields = "!tag Type 1\n!tag Version 1.0\n!tag DictionaryId 1\n"
                                "BID \"BID\" 22 NULL PRICE 17 REAL64 9\nASK \"ASK\" 25 NULL PRICE 17 REAL64 9\n"
                                "BIDSIZE \"BIDSIZE\" 30 NULL INTEGER 15 REAL64 9\n"
                                "ASKSIZE \"ASKSIZE\" 31 NULL INTEGER 15 REAL64 9\n"
                                "TRDPRC_1 \"LAST\" 6 NULL PRICE 17 REAL64 9\n"
                                "NETCHNG_1 \"NET CHANGE\" 11 NULL PRICE 17 REAL64 9\n"
                                "ACVOL_1 \"VOLUME\" 32 NULL INTEGER 15 REAL64 9\n"
                                "TRDTIM_1 \"TRADE TIME\" 18 NULL TIME 5 TIME 5\n"
                                "CURRENCY \"CURRENCY\" 15 NULL ENUMERATED 5 ( 3 ) ENUM 2\n"
                                "DSPLY_NAME \"NAME\" 3 NULL ALPHANUMERIC 16 RMTES_STRING 16\n";

[[noreturn]] void give_up(const std::string& why) {
    std::cerr << "json_bench: " << why << '\n';
    std::exit(1);
}

const dictionary::Dictionary& fields() {
    static const dictionary::Dictionary loaded = [] {
        dictionary::Dictionary d;
        if (const auto e = d.parseFields(kFields, "bench")) give_up(e.text);
        return d;
    }();
    return loaded;
}

void jsonToRwf(benchmark::State& state) {
    json::Converter converter;
    converter.setDictionary(&fields());
    GrowingBuffer out(4096);
    const std::string text = kUpdate;
    for (auto _ : state) {
        if (!converter.start(text) || converter.next(out.start()) != json::Inbound::message)
            give_up(converter.describeFailure());
        benchmark::DoNotOptimize(out.view().data());
    }
    state.SetItemsProcessed(state.iterations());
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(jsonToRwf);

/// Many messages in one text, as packing senders write them.
void packedJsonToRwf(benchmark::State& state) {
    json::Converter converter;
    converter.setDictionary(&fields());
    GrowingBuffer out(4096);
    const std::string one = kUpdate;
    std::string text = "[";
    for (int i = 0; i < state.range(0); ++i)
        text.append(i == 0 ? "" : ",").append(one.substr(1, one.size() - 2));
    text += "]";
    for (auto _ : state) {
        if (!converter.start(text)) give_up(converter.describeFailure());
        while (converter.next(out.start()) == json::Inbound::message)
            benchmark::DoNotOptimize(out.view().data());
    }
    state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(packedJsonToRwf)->Arg(10);

void rwfToJson(benchmark::State& state) {
    json::Converter converter;
    converter.setDictionary(&fields());
    GrowingBuffer rwf(4096), out(4096);
    if (!converter.start(kUpdate) || converter.next(rwf.start()) != json::Inbound::message)
        give_up(converter.describeFailure());
    for (auto _ : state) {
        if (!converter.toJson(rwf.view(), out.start()).ok()) give_up("conversion failed");
        benchmark::DoNotOptimize(out.view().data());
    }
    state.SetItemsProcessed(state.iterations());
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(out.view().size()));
}
BENCHMARK(rwfToJson);

}  // namespace

BENCHMARK_MAIN();
