// Loading, looking up and transferring dictionaries. By default with the shipped files and a generated dictionary of
// the size of a full one; EMISSARY_DICTIONARY_DIR names a folder with RDMFieldDictionary and enumtype.def to use
// instead.
#include "eta/dictionary/Dictionary.h"

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using emissary::eta::BeWriter;
using emissary::eta::dictionary::Dictionary;
namespace Verbosity = emissary::eta::dictionary::Verbosity;

struct Texts {
    std::string fields, enums;
};

const Texts& generated() {
    static const Texts texts = [] {
        Texts out;
        // About the size of a full dictionary. Every eighth field is an enumeration, and four fields share a table.
        for (int i = 1; i <= 16000; ++i) {
            char line[160];
            std::snprintf(
                line, sizeof line, "FLD_%-6d \"FIELD NAME %-5d\"  %6d  NULL        %s\n!\n! About it.\n!\n", i, i, i,
                i % 8 == 0 ? "ENUMERATED    3 ( 3 )  ENUM             1" : "PRICE              17  REAL64           7");
            out.fields += line;
            if (i % 8 != 0) continue;
            std::snprintf(line, sizeof line, "FLD_%-6d %6d\n", i, i);
            out.enums += line;
            if (i % 32 != 0) continue;
            for (int v = 0; v < 34; ++v) {
                std::snprintf(line, sizeof line, "%7d   \"V%-3d\"   What it means\n", v, v);
                out.enums += line;
            }
        }
        return out;
    }();
    return texts;
}

std::string folder() {
    const char* given = std::getenv("EMISSARY_DICTIONARY_DIR");
    return given != nullptr ? given : EMISSARY_SOURCE_DIR "/etc";
}

Dictionary large() {
    Dictionary d;
    if (d.parseFields(generated().fields, "fields") || d.parseEnums(generated().enums, "enums")) std::abort();
    return d;
}

void loadFiles(benchmark::State& state) {
    const std::string fields = folder() + "/RDMFieldDictionary", enums = folder() + "/enumtype.def";
    std::size_t count = 0;
    for (auto _ : state) {
        Dictionary d;
        if (auto e = d.loadFields(fields)) return state.SkipWithError(e.text.c_str());
        if (auto e = d.loadEnums(enums)) return state.SkipWithError(e.text.c_str());
        count = d.fields().size();
    }
    state.counters["fields"] = static_cast<double>(count);
}
BENCHMARK(loadFiles)->Unit(benchmark::kMillisecond);

void parseGenerated(benchmark::State& state) {
    for (auto _ : state)
        benchmark::DoNotOptimize(large());
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                            static_cast<std::int64_t>(generated().fields.size() + generated().enums.size()));
}
BENCHMARK(parseGenerated)->Unit(benchmark::kMillisecond);

void copyDictionary(benchmark::State& state) {
    const Dictionary d = large();
    for (auto _ : state)
        benchmark::DoNotOptimize(Dictionary(d));
}
BENCHMARK(copyDictionary)->Unit(benchmark::kMillisecond);

void findById(benchmark::State& state) {
    const Dictionary d = large();
    std::int16_t id = 0;
    for (auto _ : state) {
        // 97 has no factor in common with 16384, so every id comes, and never its neighbour next.
        id = static_cast<std::int16_t>((id + 97) & 0x3FFF);
        benchmark::DoNotOptimize(d.find(id));
    }
}
BENCHMARK(findById);

void findByName(benchmark::State& state) {
    const Dictionary d = large();
    std::vector<std::string> names;
    for (int i = 1; i <= 1024; ++i)
        names.push_back("FLD_" + std::to_string(i * 15));
    std::size_t at = 0;
    for (auto _ : state)
        benchmark::DoNotOptimize(d.find(names[at++ & 1023]));
}
BENCHMARK(findByName);

void findEnumDisplay(benchmark::State& state) {
    const Dictionary d = large();
    const auto* table = d.find(std::int16_t{32})->enums;
    std::uint16_t value = 0;
    for (auto _ : state)
        benchmark::DoNotOptimize(table->find(value++ & 31));
}
BENCHMARK(findEnumDisplay);

void encodeAndDecodeParts(benchmark::State& state) {
    const Dictionary d = large();
    std::vector<std::byte> block(1 << 16);
    for (auto _ : state) {
        Dictionary received;
        for (Dictionary::Part part; !part.finished;) {
            BeWriter out{block};
            // Parts as a provider sends them: each fits one message, and the receiver puts them together.
            if (!d.encodeFields(out, Verbosity::normal, 8192, part).ok() || received.decodeFields(out.view()))
                return state.SkipWithError("field dictionary did not travel");
        }
        for (Dictionary::Part part; !part.finished;) {
            BeWriter out{block};
            if (!d.encodeEnums(out, Verbosity::normal, 12288, part).ok() || received.decodeEnums(out.view()))
                return state.SkipWithError("enumerated types did not travel");
        }
    }
}
BENCHMARK(encodeAndDecodeParts)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
