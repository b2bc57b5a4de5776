// What an image costs (docs/spec/hub.md 6.4): applying an update of 23 fields to one of 70, writing the refresh of a
// late joiner, and memory; with the messages of etc/MsgData.xml. CPU time of this thread.
//
//   hub_cache_bench [items, default 100000]
#include "eta/codec/encoders.h"
#include "eta/codec/primitives.h"
#include "eta/codec/text.h"
#include "hub/cache/ImageStore.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include <unistd.h>

namespace {

using namespace emissary;
using namespace emissary::eta::codec;
using eta::BeWriter;
using eta::Bytes;
using hub::cache::Applied;
using hub::cache::ImageId;
using hub::cache::ImageStore;

using Payload = std::vector<std::byte>;

[[noreturn]] void fail(const char* what) {
    std::fprintf(stderr, "hub_cache_bench: %s\n", what);
    std::exit(1);
}

double cpuNanoseconds() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

std::size_t residentBytes() {
    std::ifstream in("/proc/self/statm");
    std::size_t total = 0, resident = 0;
    in >> total >> resident;
    return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

std::string attribute(const std::string& line, const char* name) {
    const std::string begin = std::string(" ") + name + "=\"";
    const std::size_t at = line.find(begin);
    if (at == std::string::npos) return {};
    const std::size_t from = at + begin.size();
    return line.substr(from, line.find('"', from) - from);
}

/// "104.37" as 10437 with two decimals.
Real realOf(const std::string& text) {
    std::string digits;
    std::uint8_t hint = 14;
    bool behindPoint = false;
    for (const char c : text) {
        if (c == '.') behindPoint = true;
        else digits += c;
        if (behindPoint && c != '.') --hint;
    }
    return {std::strtoll(digits.c_str(), nullptr, 10), hint};
}

void addField(FieldListEncoder& list, std::int16_t id, const std::string& type, const std::string& data) {
    BeWriter& out = list.writer();
    unsigned a = 0, b = 0, c = 0;
    if (data.empty()) return list.addBlank(id);
    if (type == "RSSL_DT_UINT") return list.addUInt(id, std::strtoull(data.c_str(), nullptr, 10));
    if (type == "RSSL_DT_ENUM") return list.addEnum(id, static_cast<std::uint16_t>(std::atoi(data.c_str())));
    if (type == "RSSL_DT_REAL") return list.addReal(id, realOf(data));
    list.field(id);
    if (type == "RSSL_DT_TIME" && std::sscanf(data.c_str(), "%u:%u:%u", &a, &b, &c) == 3) {
        const auto ms = data.size() > 9 ? static_cast<std::uint16_t>(std::atoi(data.c_str() + 9)) : std::uint16_t{0};
        return encodeTimePrefixed(
            out, {static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b), static_cast<std::uint8_t>(c), ms, 0, 0});
    }
    if (type == "RSSL_DT_DATE") return encodeDatePrefixed(out, {12, 3, 2024});
    out.buf16(eta::asBytes(data));
}

/// The messages of MarketPrice: the refresh first.
std::vector<Payload> messages() {
    std::ifstream in(EMISSARY_SOURCE_DIR "/etc/MsgData.xml");
    std::vector<Payload> all;
    FieldListEncoder list;
    BeWriter out;
    for (std::string line; std::getline(in, line) && line.find("</marketPriceMsgList>") == std::string::npos;) {
        if (line.find("<fieldList ") != std::string::npos) {
            all.emplace_back(4096);
            out = BeWriter{all.back()};
            list.begin(out, {1, 9});
        } else if (line.find("<fieldEntry ") != std::string::npos) {
            addField(list, static_cast<std::int16_t>(std::atoi(attribute(line, "fieldId").c_str())),
                     attribute(line, "dataType"), attribute(line, "data"));
        } else if (line.find("</fieldList>") != std::string::npos) {
            if (!list.complete().ok()) fail("MsgData.xml has what cannot be encoded");
            all.back().resize(out.size());
        }
    }
    // The refresh and six updates stand first in the shipped file; what follows there are posts and generic messages.
    if (all.size() < 7) fail("MsgData.xml has too few messages");
    all.resize(7);  // without the posts and generic messages
    return all;
}

Msg refreshOf(Bytes payload) {
    Msg m;
    m.cls = MsgClass::Refresh;
    m.flags = RefreshFlag::complete | RefreshFlag::clearCache;
    m.containerType = DataType::FieldList;
    m.payload = payload;
    return m;
}
Msg updateOf(Bytes payload) {
    Msg m;
    m.containerType = DataType::FieldList;
    m.payload = payload;
    return m;
}

void report(const char* what, double nanoseconds, std::size_t times) {
    std::printf("%-58s %8.0f ns\n", what, nanoseconds / static_cast<double>(times));
}

class Bench {
public:
    explicit Bench(std::size_t items) : ids_(items), payloads_(messages()) {
        auto dictionary = std::make_shared<eta::dictionary::Dictionary>();
        if (dictionary->loadFields(EMISSARY_SOURCE_DIR "/etc/RDMFieldDictionary")) fail("no dictionary");
        store_.setDictionary(std::move(dictionary));
        for (std::size_t i = 1; i < payloads_.size(); ++i)
            updates_.push_back(updateOf(payloads_[i]));
    }
    void run() {
        std::printf("refresh of %zu bytes, updates of", payloads_[0].size());
        for (const Msg& u : updates_)
            std::printf(" %zu", u.payload.size());
        std::printf(" bytes, %zu items\n", ids_.size());
        make();
        applyWarm("apply 23 fields, warm, quotes (as the refresh has them)", 1);
        applyWarm("apply 23 fields, warm, all templates in turn", updates_.size());
        grow();
        applyRandom("apply 23 fields, random items, prefetched", true);
        applyRandom("apply 23 fields, random items", false);
        write();
        book();
        for (ImageId& id : ids_)
            store_.drop(id);
        std::printf("%-58s %8.1f MB\n", "store when all are dropped",
                    static_cast<double>(store_.counts().memory) / 1e6);
    }

private:
    void apply(ImageId& id, const Msg& m) {
        if (store_.apply(id, m, false) != Applied::ok) fail("a message was not applied");
    }
    void memory(const char* what, std::size_t before, std::size_t items) {
        const auto per = [&](std::uint64_t bytes) { return static_cast<double>(bytes) / static_cast<double>(items); };
        std::printf("%-58s %8.0f B resident, %.0f in blocks\n", what, per(residentBytes() - before),
                    per(store_.bytes()));
    }
    void make() {
        const Msg refresh = refreshOf(payloads_[0]);
        const std::size_t before = residentBytes();
        const double from = cpuNanoseconds();
        for (ImageId& id : ids_)
            apply(id, refresh);
        report("refresh of 70 fields, new image", cpuNanoseconds() - from, ids_.size());
        memory("an image of 70 fields", before, ids_.size());
    }
    void applyWarm(const char* what, std::size_t templates) {
        ImageId id = 0;
        apply(id, refreshOf(payloads_[0]));
        for (const Msg& u : updates_)
            apply(id, u);
        constexpr std::size_t rounds = 500'000;
        double best = 1e18;
        for (int repeat = 0; repeat < 5; ++repeat) {
            const double from = cpuNanoseconds();
            for (std::size_t i = 0; i < rounds; ++i)
                apply(id, updates_[i % templates]);
            // The best of several rounds: disturbances only ever add time.
            best = std::min(best, cpuNanoseconds() - from);
        }
        report(what, best, rounds);
        store_.drop(id);
    }
    /// Every item gets every template once, so that all fields of the updates are in the images.
    void grow() {
        for (ImageId& id : ids_)
            for (const Msg& u : updates_)
                apply(id, u);
        std::printf("%-58s %8.0f B in blocks\n", "an image once it has the fields of all updates",
                    static_cast<double>(store_.bytes()) / static_cast<double>(ids_.size()));
    }
    /// Batches of 64, as a turn of reading brings them (docs/spec/hub.md 9).
    void applyRandom(const char* what, bool prefetch) {
        std::mt19937 random(7);
        std::vector<std::uint32_t> order(1u << 20);
        for (auto& o : order)
            o = static_cast<std::uint32_t>(random() % ids_.size());
        double best = 1e18;
        for (int repeat = 0; repeat < 3; ++repeat) {
            const double from = cpuNanoseconds();
            for (std::size_t i = 0; i + 64 <= order.size(); i += 64) {
                for (std::size_t k = i; k < i + 64; ++k) {
                    if (prefetch && k + kAhead < order.size()) store_.prefetch(ids_[order[k + kAhead]]);
                    apply(ids_[order[k]], updates_[k % updates_.size()]);
                }
            }
            best = std::min(best, cpuNanoseconds() - from);
        }
        report(what, best, order.size());
    }
    void write() {
        std::vector<std::byte> arena(1u << 16);
        std::mt19937 random(9);
        // Sixteen images stay in the cache of the processor; random ones of all come from memory, as those of a real
        // hub do.
        for (const bool warm : {true, false}) {
            double best = 1e18;
            constexpr std::size_t rounds = 200'000;
            std::size_t bytes = 0;
            for (int repeat = 0; repeat < 3; ++repeat) {
                const double from = cpuNanoseconds();
                for (std::size_t i = 0; i < rounds; ++i) {
                    BeWriter out{arena};
                    if (!store_.write(ids_[warm ? i % 16 : random() % ids_.size()], out).ok()) fail("not written");
                    bytes = out.size();
                }
                best = std::min(best, cpuNanoseconds() - from);
            }
            std::printf("%zu bytes: ", bytes);
            report(warm ? "late joiner, warm" : "late joiner, random items", best, rounds);
        }
        ImageId id = 0;
        apply(id, refreshOf(payloads_[0]));
        const double from = cpuNanoseconds();
        for (int i = 0; i < 500'000; ++i) {
            BeWriter out{arena};
            if (!store_.write(id, out).ok()) fail("not written");
        }
        report("late joiner of the 70 fields alone, warm", cpuNanoseconds() - from, 500'000);
        store_.drop(id);
    }
    /// MarketByOrder: entries of 5 fields.
    void book() {
        constexpr std::uint32_t orders = 1'000'000, books = 1000;
        std::vector<ImageId> ids(books);
        std::vector<std::byte> block(4096);
        const std::uint64_t bytesBefore = store_.bytes();
        const auto mapOf = [&](std::uint32_t order, std::uint8_t action) {
            BeWriter out{block};
            MapEncoder m;
            EntryContainerHeader head;
            head.entryType = DataType::FieldList;
            m.begin(out, head, DataType::Buffer);
            char key[16];
            std::snprintf(key, sizeof key, "ORD%09u", order);
            m.beginEntry(action, eta::asBytes(std::string_view{key, 12}));
            FieldListEncoder list;
            list.begin(out);
            list.addReal(3427, {10436 + order % 100, 12});
            if (action == MapAction::add) {
                list.addReal(3429, {400, 14});
                list.addUInt(3855, 34240005);
                list.add(212, eta::asBytes("EMMA"));
                list.addEnum(3428, 1);
            }
            if (!list.complete().ok()) fail("order");
            m.endEntry();
            if (!m.complete().ok()) fail("orders");
            Msg msg = updateOf(out.view());
            msg.containerType = DataType::Map;
            return msg;
        };
        // Books begin with an empty image: an update for an item without one would not be kept.
        for (ImageId& id : ids) {
            Msg empty = refreshOf({});
            empty.containerType = DataType::Map;
            apply(id, empty);
        }
        double from = cpuNanoseconds();
        for (std::uint32_t i = 0; i < orders; ++i)
            apply(ids[i % books], mapOf(i, MapAction::add));
        report("add an order of 5 fields (encoding it included)", cpuNanoseconds() - from, orders);
        std::printf("%-58s %8.0f B\n", "an order of 5 fields, key of 12 bytes",
                    static_cast<double>(store_.bytes() - bytesBefore) / orders);
        from = cpuNanoseconds();
        for (std::uint32_t i = 0; i < orders; ++i)
            apply(ids[i % books], mapOf(i, MapAction::update));
        report("change one field of it (encoding it included)", cpuNanoseconds() - from, orders);
        for (ImageId& id : ids)
            store_.drop(id);
    }

    // Far enough for memory to answer, near enough for the line to be there still.
    static constexpr std::size_t kAhead = 6;
    ImageStore store_;
    std::vector<ImageId> ids_;
    std::vector<Payload> payloads_;
    std::vector<Msg> updates_;
};

}  // namespace

int main(int argc, char** argv) {
    const std::size_t items = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 100'000;
    if (items == 0 || items > 10'000'000) fail("items: 1 to 10000000");
    Bench(items).run();
    return 0;
}
