// Cost of the JSON conversion, each way: an update of ten fields, also several in one text, and the update of 23 fields
// that the performance tools send first, alone and with thousands of others.
#include "eta/core/GrowingBuffer.h"
#include "eta/json/Converter.h"

#include <benchmark/benchmark.h>
#include <cstdlib>
#include <initializer_list>
#include <iostream>
#include <random>
#include <string>
#include <vector>

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

/// The first update of etc/MsgData.xml.
constexpr const char* kUpdate23 =
    R"([{"ID":10,"Type":"Update","UpdateType":"Quote","Key":{"Service":260,"Name":"RDT0"},"Fields":{"BID":104.36,"ASK":104.39,)"
    R"("BIDSIZE":1200,"ASKSIZE":900,"BID_COND_N":"R","ASK_COND_N":"R","BID_NET_CH":0.61,"GV1_TEXT":" ","LIMIT_INDQ":0,)"
    R"("NUM_BIDS":41231,"PRC_QL_CD":0,"PRC_QL3":0,"SEQNUM_QT":50210077,"RETAIL_INT":1,"STOCK_TYPE":"COM","NBBO_IND":4,)"
    R"("QUOTIM_MS":34242118,"QUOTIM":"09:30:42.118","TIMACT":"09:30:00","QTE_ORIGIN":"N","GV1_FLAG":" ","BID_HIGH_1":105.02,)"
    R"("ORDRECV_MS":"09:30:42.104"}}])";

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

const dictionary::Dictionary& shipped() {
    static const dictionary::Dictionary loaded = [] {
        dictionary::Dictionary d;
        if (const auto e = d.loadFields(EMISSARY_SOURCE_DIR "/etc/RDMFieldDictionary")) give_up(e.text);
        if (const auto e = d.loadEnums(EMISSARY_SOURCE_DIR "/etc/enumtype.def")) give_up(e.text);
        return d;
    }();
    return loaded;
}

void readText(benchmark::State& state, const dictionary::Dictionary& dictionary, const std::string& text) {
    json::Converter converter;
    converter.setDictionary(&dictionary);
    GrowingBuffer out(4096);
    for (auto _ : state) {
        if (!converter.start(text) || converter.next(out.start()) != json::Inbound::message)
            give_up(converter.describeFailure());
        benchmark::DoNotOptimize(out.view().data());
    }
    state.SetItemsProcessed(state.iterations());
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
void jsonToRwf(benchmark::State& state) {
    readText(state, fields(), kUpdate);
}
BENCHMARK(jsonToRwf);
void jsonToRwf23(benchmark::State& state) {
    readText(state, shipped(), kUpdate23);
}
BENCHMARK(jsonToRwf23);

/// Many messages in one text, as packing senders write them.
void packedJsonToRwf(benchmark::State& state) {
    json::Converter converter;
    converter.setDictionary(&fields());
    GrowingBuffer out(4096);
    const std::string one = kUpdate;
    std::string text = "[";
    // The messages without their own brackets: packing senders write one array for all.
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

void writeText(benchmark::State& state, const dictionary::Dictionary& dictionary, const char* text) {
    json::Converter converter;
    converter.setDictionary(&dictionary);
    GrowingBuffer rwf(4096), out(4096);
    if (!converter.start(text) || converter.next(rwf.start()) != json::Inbound::message)
        give_up(converter.describeFailure());
    for (auto _ : state) {
        if (!converter.toJson(rwf.view(), out.start()).ok()) give_up("conversion failed");
        benchmark::DoNotOptimize(out.view().data());
    }
    state.SetItemsProcessed(state.iterations());
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(out.view().size()));
}
void rwfToJson(benchmark::State& state) {
    writeText(state, fields(), kUpdate);
}
BENCHMARK(rwfToJson);
void rwfToJson23(benchmark::State& state) {
    writeText(state, shipped(), kUpdate23);
}
BENCHMARK(rwfToJson23);

/// Messages of the same 23 fields, no two alike: numbers of digits, decimals, texts and times differ, so that branches
/// cannot be learned as with one message.
std::vector<std::string> differentTexts(std::int64_t count) {
    std::mt19937 random(1);
    const auto number = [&](unsigned below) { return std::to_string(random() % below); };
    const auto of = [&](std::initializer_list<const char*> words) {
        return std::string(words.begin()[random() % words.size()]);
    };
    const auto price = [&] {
        std::string text = number(2000) + '.';
        for (auto digits = 1 + random() % 4; digits != 0; --digits)
            text += number(10);
        return text;
    };
    const auto two = [&](unsigned below) {
        const std::string n = number(below);
        return n.size() == 1 ? '0' + n : n;
    };
    const auto time = [&] { return two(24) + ':' + two(60) + ':' + two(60) + of({"", ".118", ".5", ".001", ".104"}); };
    std::vector<std::string> texts;
    for (std::int64_t i = 0; i < count; ++i)
        texts.push_back(R"([{"ID":)" + std::to_string(5 + i) + R"(,"Type":"Update","UpdateType":)" +
                        of({"\"Quote\"", "\"Trade\""}) + R"(,"Key":{"Service":260,"Name":"RDT)" + std::to_string(i) +
                        R"("},"Fields":{"BID":)" + price() + R"(,"ASK":)" + price() + R"(,"BIDSIZE":)" + number(20000) +
                        R"(,"ASKSIZE":)" + number(900) + R"(,"BID_COND_N":")" + of({"R", "", "AB"}) +
                        R"(","ASK_COND_N":")" + of({"R", "N", "XY"}) + R"(","BID_NET_CH":)" + of({"", "-"}) + price() +
                        R"(,"GV1_TEXT":")" + of({" ", "A", "INDIC"}) + R"(","LIMIT_INDQ":)" + number(4) +
                        R"(,"NUM_BIDS":)" + number(1000000) + R"(,"PRC_QL_CD":)" + number(100) + R"(,"PRC_QL3":)" +
                        number(20) + R"(,"SEQNUM_QT":)" + number(100000000) + R"(,"RETAIL_INT":)" + number(3) +
                        R"(,"STOCK_TYPE":")" + of({"COM", "PRF", "ADR US"}) + R"(","NBBO_IND":)" + number(8) +
                        R"(,"QUOTIM_MS":)" + number(86400000) + R"(,"QUOTIM":")" + time() + R"(","TIMACT":")" + time() +
                        R"(","QTE_ORIGIN":")" + of({"N", "Q", " "}) + R"(","GV1_FLAG":")" + of({" ", "Y", "N"}) +
                        R"(","BID_HIGH_1":)" + price() + R"(,"ORDRECV_MS":")" + time() + R"("}}])");
    return texts;
}

void differentJsonToRwf23(benchmark::State& state) {
    const std::vector<std::string> texts = differentTexts(state.range(0));
    json::Converter converter;
    converter.setDictionary(&shipped());
    GrowingBuffer out(4096);
    std::size_t at = 0;
    std::int64_t bytes = 0;
    for (auto _ : state) {
        if (!converter.start(texts[at]) || converter.next(out.start()) != json::Inbound::message)
            give_up(converter.describeFailure());
        benchmark::DoNotOptimize(out.view().data());
        bytes += static_cast<std::int64_t>(texts[at].size());
        if (++at == texts.size()) at = 0;
    }
    state.SetItemsProcessed(state.iterations());
    state.SetBytesProcessed(bytes);
}
BENCHMARK(differentJsonToRwf23)->Arg(1)->Arg(5000);

void differentRwfToJson23(benchmark::State& state) {
    json::Converter converter;
    converter.setDictionary(&shipped());
    GrowingBuffer rwf(4096), out(4096);
    std::vector<std::vector<std::byte>> messages;
    for (const std::string& text : differentTexts(state.range(0))) {
        if (!converter.start(text) || converter.next(rwf.start()) != json::Inbound::message)
            give_up(converter.describeFailure());
        messages.emplace_back(rwf.view().begin(), rwf.view().end());
    }
    std::size_t at = 0;
    std::int64_t bytes = 0;
    for (auto _ : state) {
        if (!converter.toJson(messages[at], out.start()).ok()) give_up("conversion failed");
        bytes += static_cast<std::int64_t>(out.view().size());
        if (++at == messages.size()) at = 0;
    }
    state.SetItemsProcessed(state.iterations());
    state.SetBytesProcessed(bytes);
}
BENCHMARK(differentRwfToJson23)->Arg(1)->Arg(5000);

}  // namespace

BENCHMARK_MAIN();
