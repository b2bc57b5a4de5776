// Times the steps of an update one by one, and prints each beside the bare structure.
#include "Figures.h"

#include "BareBooks.h"
#include "Ema.h"
#include "LatencyHistogram.h"
#include "Replay.h"
#include "Ticks.h"
#include "data/MsgAccess.h"
#include "eta/codec/containers.h"
#include "eta/dictionary/Dictionary.h"

#include <algorithm>
#include <cstdio>

namespace bookbench {

using Clock = std::chrono::steady_clock;

std::uint64_t walkMessage(Bytes message) {
    // Kept, as a program keeps them: making them costs more than what is decoded.
    static codec::Msg msg;
    static codec::MapDecoder map;
    if (!codec::decodeMsg(message, msg).ok() || !map.start(msg.payload).ok()) throw std::runtime_error("not a map");
    std::uint64_t seen = 0;
    codec::MapEntry e;
    codec::FieldListDecoder list;
    codec::FieldEntry f;
    while (map.next(e)) {
        seen += e.key.size();
        if (!list.start(e.data, map.sets()).ok()) throw std::runtime_error("not a list");
        while (list.next(f))
            seen += f.data.size();
    }
    return seen;
}

namespace {

FeedTraits hundred(std::uint32_t orders) {
    FeedTraits t;
    t.name = "figures";
    t.instruments = 100;
    t.averageOrders = orders;
    t.mostOrders = 2 * orders;
    t.seed = 7;
    return t;
}

constexpr std::size_t kMessages = 200'000;

/// Nanoseconds an entry, the median of many short pieces: what else runs on the machine takes the processor away for
/// longer than a piece lasts, and leaves the others as they are.
class Rounds {
public:
    template <class Work>
    void measure(std::size_t entries, Work&& work) {
        const auto from = Clock::now();
        work();
        const std::chrono::duration<double, std::nano> passed = Clock::now() - from;
        if (entries != 0) all_.push_back(passed.count() / static_cast<double>(entries));
    }
    [[nodiscard]] double median() {
        std::sort(all_.begin(), all_.end());
        return all_.empty() ? 0 : all_[all_.size() / 2];
    }

private:
    std::vector<double> all_;
};

constexpr std::size_t kPiece = 500;  // entries, or packets of entries

// Results go here, so that the compiler cannot leave out work whose result nobody reads.
volatile std::uint64_t sink;

template <class Bare>
void bareRound(Rounds& to, std::vector<Bare>& books, const Packets& packets) {
    std::int64_t sum = 0;
    for (std::size_t from = 0; from < packets.operations.size(); from += kPiece) {
        const std::size_t n = std::min(kPiece, packets.operations.size() - from);
        to.measure(n, [&] {
            for (std::size_t i = from; i != from + n; ++i) {
                const Operation& o = packets.operations[i];
                books[o.instrument].apply(o.entry);
                sum += books[o.instrument].best();
            }
        });
    }
    sink = static_cast<std::uint64_t>(sum);
}

template <class Work>
void packetRound(Rounds& to, const Packets& packets, Work&& work) {
    for (std::size_t at = 0; at < packets.packets.size();) {
        std::size_t messages = 0, end = at;
        while (end != packets.packets.size() && messages < kPiece)
            messages += packets.packets[end++].messages;
        to.measure(messages, [&] {
            for (; at != end; ++at)
                messagesOf(packets, packets.packets[at], work);
        });
    }
}

void row(const char* what, double ns, double bare, const char* required, const char* aim) {
    if (bare > 0) std::printf("%-44s %8.1f %8.1f %6.2f   %8s %6s\n", what, ns, bare, ns / bare, required, aim);
    else std::printf("%-44s %8.1f %8s %6s   %8s %6s\n", what, ns, "", "", required, aim);
}

}  // namespace

void printFigures(const char* dictionaryPath, int rounds) {
    emissary::eta::dictionary::Dictionary dictionary;
    if (const auto error = dictionary.loadFields(dictionaryPath)) throw std::runtime_error(error.text);
    const emissary::ema::DecodeContext context{&dictionary, {}, false};
    Feed prices(hundred(800), Kind::prices), orders(hundred(800), Kind::orders);
    Reader reader;
    Replay priceBooks(prices, reader), orderBooks(orders, reader), publicBooks(prices, reader),
        portableBooks(prices, reader);
    auto barePrices = bareBooks<BarePrices>(prices);
    auto bareOrders = bareBooks<BareOrders>(orders);
    auto stdOrders = bareBooks<StdOrders>(orders);
    Rounds walk, mbp, mbo, mbpBare, mboBare, mboStd, ema, portable, smallImage, largeImage;
    emissary::perf::LatencyHistogram spread, bareSpread;
    const double perTick = nanosecondsPerTick();
    refinitiv::ema::access::UpdateMsg update;
    codec::Msg wire;
    const auto shown = [&](Bytes m) -> refinitiv::ema::access::UpdateMsg& {
        if (!codec::decodeMsg(m, wire).ok()) throw std::runtime_error("an update cannot be read");
        emissary::ema::MsgAccess::point(update, wire, context);
        return update;
    };
    // Ours and the bare structure alternate within a round: what disturbs the machine for a second disturbs both.
    for (int i = 0; i != rounds; ++i) {
        Packets p, o;
        prices.next(kMessages, p);
        orders.next(kMessages, o);
        std::uint64_t seen = 0;
        packetRound(walk, o, [&](Bytes m) { seen += walkMessage(m); });
        sink = seen;
        bareRound(mbpBare, barePrices, p);
        packetRound(mbp, p, [&](Bytes m) { priceBooks.apply(m); });
        packetRound(ema, p, [&](Bytes m) { publicBooks.store().apply(publicBooks.bookOf(streamOf(m)), shown(m)); });
        packetRound(portable, p,
                    [&](Bytes m) { portableBooks.store().applyPortable(portableBooks.bookOf(streamOf(m)), shown(m)); });
        bareRound(mboBare, bareOrders, o);
        packetRound(mbo, o, [&](Bytes m) { orderBooks.apply(m); });
        bareRound(mboStd, stdOrders, o);
        // One message at a time, for the spread.
        Packets again;
        orders.next(kMessages, again);
        for (const Packets::Packet& packet : again.packets)
            messagesOf(again, packet, [&](Bytes m) {
                const std::uint64_t from = ticks();
                orderBooks.apply(m);
                spread.record(static_cast<std::uint64_t>(static_cast<double>(ticks() - from) * perTick));
            });
        std::int64_t best = 0;
        for (const Operation& op : again.operations) {
            const std::uint64_t from = ticks();
            bareOrders[op.instrument].apply(op.entry);
            best += bareOrders[op.instrument].best();
            bareSpread.record(static_cast<std::uint64_t>(static_cast<double>(ticks() - from) * perTick));
        }
        sink = static_cast<std::uint64_t>(best);
        // Not measured: the std books follow too, so that all three have the same content in the next round.
        for (const Operation& op : again.operations)
            stdOrders[op.instrument].apply(op.entry);
        // Images of 10 + 10 levels and of about 1000 orders.
        const auto small = prices.image(3);
        for (int piece = 0; piece != 100; ++piece)
            smallImage.measure(10, [&] {
                for (int n = 0; n != 10; ++n)
                    priceBooks.image(3, small);
            });
        FeedTraits thousand = hundred(500);
        thousand.instruments = 1;
        thousand.mostOrders = 500;
        static const Feed image(thousand, Kind::orders);
        // Made once: images of the same instrument replace each other, as after a recovery, and memory is reused.
        static Replay target(image, reader);
        const auto large = image.image(0);
        for (int piece = 0; piece != 100; ++piece)
            largeImage.measure(1, [&] { target.image(0, large); });
    }
    sink = static_cast<std::uint64_t>(reader.sum);
    std::printf(
        "\nnanoseconds an update of one entry; median of %d rounds of %zu messages in short pieces, 100 books\n",
        rounds, kMessages);
    std::printf("%-44s %8s %8s %6s   %8s %6s\n", "", "measured", "bare", "ratio", "required", "aim");
    row("message layer only", walk.median(), 0, "60", "25");
    row("price book, 10 levels a side", mbp.median(), mbpBare.median(), "120, 5x", "60, 3x");
    row("order book, 800 orders a side", mbo.median(), mboBare.median(), "200, 4x", "120");
    row("  beside std containers", mbo.median(), mboStd.median(), "", "");
    row("price book from an UpdateMsg", ema.median(), 0, "180", "100");
    row("price book through the public walk", portable.median(), 0, "300", "200");
    row("image of 10 + 10 levels", smallImage.median(), 0, "2000", "1000");
    row("image of 1000 orders", largeImage.median(), 0, "120000", "60000");
    const auto printSpread = [](const char* what, const emissary::perf::LatencyHistogram& all, const char* required) {
        const auto p50 = static_cast<double>(all.quantile(0.5)), p99 = static_cast<double>(all.quantile(0.99));
        std::printf("%s, one by one: median %.0f, 99%% %.0f, ratio %.2f%s\n", what, p50, p99, p99 / p50, required);
    };
    printSpread("order book", spread, " (required < 4, aim < 3)");
    printSpread("  the bare structure", bareSpread, "");
    if (orderBooks.store().verify() + priceBooks.store().verify() + portableBooks.store().verify() != 0)
        throw std::runtime_error("a book is broken");
}

void printMemory(unsigned count) {
    FeedTraits traits = hundred(10);
    traits.instruments = 1;
    const Feed feed(traits, Kind::prices);
    const auto image = feed.image(0);
    Reader reader;
    emissary::book::BookOptions options;
    // Hints of the real depth: a book grows to them at once, and none of the memory is left over from doubling.
    options.depthHint = 10;
    options.ordersHint = 20;
    emissary::book::Store store(reader, options);
    codec::Msg msg;
    for (unsigned i = 0; i != count; ++i) {
        emissary::book::Book& book = store.add("ITEM" + std::to_string(i), Kind::prices);
        for (const auto& part : image)
            if (codec::decodeMsg(part, msg).ok()) emissary::book::StoreAccess::apply(store, book, msg);
    }
    std::printf("\n%u price books of 10 levels a side: %.1f MB, %.0f bytes a book (required 400 MB for 100000)\n",
                count, static_cast<double>(store.bytes()) / 1048576.0,
                static_cast<double>(store.bytes()) / static_cast<double>(std::max(count, 1u)));
}

}  // namespace bookbench
