// What joining an update with the one that waits costs (docs/spec/hub.md 8.1): updates of 23 fields, with the same
// fields and with others; entries of a map. CPU time of this thread, the best of five runs.
//
//   hub_conflate_bench [updates, default 1000000]
#include "eta/codec/encoders.h"
#include "hub/conflate/PendingUpdates.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

namespace {

using namespace emissary;
using namespace emissary::eta::codec;
using eta::BeWriter;
using hub::conflate::PayloadMerger;
using hub::conflate::PendingUpdates;
using Payload = std::vector<std::byte>;

constexpr int kFields = 23;

double cpuNanoseconds() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

void writeFields(BeWriter& out, int first, int step, int n) {
    FieldListEncoder list;
    list.begin(out);
    for (int i = 0; i < kFields; ++i)
        list.addReal(static_cast<std::int16_t>(first + i * step), {1'000'000 + n + i, 12});
    if (!list.complete().ok()) std::abort();
}

Payload fields(int first, int step, int n) {
    Payload room(1024);
    BeWriter out(room);
    writeFields(out, first, step, n);
    room.resize(out.size());
    return room;
}

Payload map(int first, int n) {
    Payload room(65'536);
    BeWriter out(room);
    EntryContainerHeader head;
    head.entryType = DataType::FieldList;
    MapEncoder made;
    made.begin(out, head, DataType::Buffer);
    for (int i = 0; i < 5; ++i) {
        const std::byte key[4]{std::byte{1}, std::byte{2}, std::byte{3}, static_cast<std::byte>(first + i)};
        FieldListEncoder list;
        made.beginEntry(MapAction::update, key);
        list.begin(out);
        for (int f = 0; f < 4; ++f)
            list.addReal(static_cast<std::int16_t>(3000 + f), {1'000'000 + n, 12});
        if (!list.complete().ok()) std::abort();
        made.endEntry();
    }
    if (!made.complete().ok()) std::abort();
    room.resize(out.size());
    return room;
}

void run(PayloadMerger& merger, const char* what, DataType type, const std::vector<Payload>& payloads, long updates) {
    double best = 1e18;
    unsigned long joined = 0;
    for (int round = 0; round < 5; ++round) {
        PendingUpdates pending(merger, 1u << 24);
        joined = 0;
        const double begin = cpuNanoseconds();
        for (long i = 0; i < updates; ++i) {
            Msg m;
            m.cls = MsgClass::Update;
            m.updateType = 1;
            m.containerType = type;
            m.payload = payloads[static_cast<std::size_t>(i) % payloads.size()];
            // Every stream twice in a row: the first update waits, the second is joined with it.
            const auto stream = static_cast<std::int32_t>(i / 2 % 1000);
            if (pending.offer(stream, m, {}) == PendingUpdates::Offered::joined) ++joined;
        }
        best = std::min(best, (cpuNanoseconds() - begin) / static_cast<double>(updates));
    }
    std::printf("%-48s %7.1f ns an update, %lu of %ld joined\n", what, best, joined, updates);
}

}  // namespace

int main(int argc, char** argv) {
    const long updates = argc > 1 ? std::atol(argv[1]) : 1'000'000;
    if (updates <= 0) {
        std::fprintf(stderr, "hub_conflate_bench: the number of updates is no number above 0\n");
        return 1;
    }
    eta::dictionary::Dictionary dictionary;
    std::string definitions;
    for (int id = 3000; id < 3000 + 2 * kFields; ++id) {
        const std::string name = "F" + std::to_string(id);
        definitions += name + " \"" + name + "\" " + std::to_string(id) + " NULL PRICE 17 REAL64 7\n";
    }
    if (dictionary.parseFields(definitions, "fields")) return 1;
    PayloadMerger merger;
    merger.setDictionary(&dictionary);
    std::vector<Payload> same, other, maps;
    for (int n = 0; n < 16; ++n) {
        same.push_back(fields(3000, 1, n));
        // Ids 3000 to 3044 by twos meet 3001 to 3023 by ones: half of the latter are new, and the join has to sort them
        // in.
        other.push_back(fields(3000 + n % 2, 2 - n % 2, n));
        maps.push_back(map(n % 2 * 2, n));
    }
    run(merger, "23 fields, the same in each", DataType::FieldList, same, updates);
    run(merger, "23 fields, half of them others", DataType::FieldList, other, updates);
    run(merger, "maps of 5 entries with 4 fields, 3 keys met", DataType::Map, maps, updates);
}
