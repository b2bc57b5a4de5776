// Replays packets with a delay between them, and prints percentiles beside the published ones.
#include "Latency.h"

#include "BareBooks.h"
#include "Replay.h"
#include "Ticks.h"

#include <cstdio>

namespace bookbench {

const char* name(Measured what) {
    return what == Measured::messages ? "messages" : what == Measured::prices ? "mbp" : "mbo";
}

const char* title(Measured what) {
    return what == Measured::messages ? "Messages" : what == Measured::prices ? "Market by price" : "Market by order";
}

std::optional<Published> published(Measured what, const std::string& channel, unsigned delay) {
    struct Row {
        Measured what;
        unsigned delay;
        Published a, b;
    };
    // Microseconds, median and 99 %, as the published report of the vendor's library has them for both channels.
    static constexpr Row kRows[] = {{Measured::messages, 0, {0.049, 0.099}, {0.048, 0.081}},
                                    {Measured::messages, 10, {0.095, 0.135}, {0.097, 0.153}},
                                    {Measured::messages, 50, {0.071, 0.129}, {0.082, 0.187}},
                                    {Measured::prices, 0, {0.169, 0.379}, {0.202, 0.378}},
                                    {Measured::prices, 10, {0.217, 0.512}, {0.225, 0.450}},
                                    {Measured::prices, 50, {0.233, 0.469}, {0.284, 0.700}},
                                    {Measured::orders, 0, {0.252, 3.372}, {0.300, 0.905}},
                                    {Measured::orders, 10, {0.391, 4.022}, {0.312, 1.056}},
                                    {Measured::orders, 50, {0.395, 3.866}, {0.370, 1.267}}};
    for (const Row& r : kRows)
        if (r.what == what && r.delay == delay && (channel == "A" || channel == "B")) return channel == "A" ? r.a : r.b;
    return {};
}

namespace {

/// Notes when the books of a packet's messages are published.
struct Stopwatch : emissary::book::BookListener {
    void onBookChanged(const emissary::book::Book&, std::span<const emissary::book::Change>) override {
        // Null while images and warm-up run: those are not measured.
        if (cell == nullptr) return;
        cell->record(static_cast<std::uint64_t>(static_cast<double>(ticks() - from) * perTick));
    }
    Cell* cell = nullptr;
    std::uint64_t from = 0;
    double perTick = 1;
};

void wait(unsigned milliseconds, bool sleep) {
    if (milliseconds == 0) return;
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
    if (sleep) return std::this_thread::sleep_until(until);
    while (std::chrono::steady_clock::now() < until) {}
}

void printTraits(const Feed& feed, const Packets& packets) {
    const Feed::Depth levels = feed.levels(), orders = feed.orders();
    std::printf(
        "channel %s, %s: %u instruments, packets of %.0f bytes and %.1f messages on average, %.1f %% of messages "
        "with one entry, levels a side %.1f/%zu",
        feed.traits().name.c_str(), feed.kind() == Kind::prices ? "price books" : "order books",
        feed.traits().instruments, packets.averageBytes(),
        static_cast<double>(packets.messages) / static_cast<double>(packets.packets.size()),
        100.0 * static_cast<double>(packets.single) / static_cast<double>(packets.messages), levels.average,
        levels.most);
    if (feed.kind() == Kind::orders) std::printf(", orders a side %.0f/%zu", orders.average, orders.most);
    std::printf(" (average/maximal)\n");
    std::fflush(stdout);
}

volatile std::uint64_t sink;

/// Bare structures, one an instrument, fed the decoded operations of the same packets.
class BareReplay {
public:
    explicit BareReplay(const Feed& feed)
        : prices_(make<BarePrices>(feed, Kind::prices)), orders_(make<BareOrders>(feed, Kind::orders)) {}
    /// The packet's operations, from `at` on, which goes behind them. Each one's end is recorded in `to`, counted from
    /// the begin of the packet; null: nothing is.
    void apply(const Packets& all, const Packets::Packet& packet, std::size_t& at, emissary::perf::LatencyHistogram* to,
               double perTick) {
        if (prices_.empty()) run(orders_, all, packet, at, to, perTick);
        else run(prices_, all, packet, at, to, perTick);
    }

private:
    template <class Bare>
    static std::vector<Bare> make(const Feed& feed, Kind kind) {
        return feed.kind() == kind ? bareBooks<Bare>(feed) : std::vector<Bare>();
    }
    template <class Bare>
    static void run(std::vector<Bare>& books, const Packets& all, const Packets::Packet& packet, std::size_t& at,
                    emissary::perf::LatencyHistogram* to, double perTick) {
        const std::uint64_t from = ticks();
        std::int64_t sum = 0;
        for (const std::size_t end = at + packet.operations; at != end; ++at) {
            const Operation& o = all.operations[at];
            books[o.instrument].apply(o.entry);
            sum += books[o.instrument].best();
            if (to != nullptr) to->record(static_cast<std::uint64_t>(static_cast<double>(ticks() - from) * perTick));
        }
        sink = static_cast<std::uint64_t>(sum);
    }
    std::vector<BarePrices> prices_;
    std::vector<BareOrders> orders_;
};

/// One cell: packets until the time is over; the feed goes on where it was.
void measure(Cell& cell, Feed& feed, Replay& replay, BareReplay& bare, Stopwatch& watch,
             const LatencyOptions& options) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::nanoseconds>(
                                                            std::chrono::duration<double>(options.seconds));
    std::uint64_t seen = 0;
    do {
        Packets packets;
        // Generated beforehand, in portions: without a delay a small portion would be over too soon, with one a large
        // portion would take minutes.
        feed.next(cell.delay == 0 ? 50'000 : 200, packets);
        for (const Packets::Packet& p : packets.packets) {
            wait(cell.delay, options.sleep);
            const std::uint64_t from = ticks();
            if (cell.what == Measured::messages) {
                messagesOf(packets, p, [&](Bytes m) {
                    seen += walkMessage(m);
                    cell.record(static_cast<std::uint64_t>(static_cast<double>(ticks() - from) * watch.perTick));
                });
            } else {
                watch.from = from;
                watch.cell = &cell;
                replay.apply(packets, p);
                watch.cell = nullptr;
            }
        }
        if (cell.what == Measured::messages) {  // the books follow, so that the feed can go on with them
            for (const Packets::Packet& p : packets.packets)
                messagesOf(packets, p, [&](Bytes m) { replay.apply(m); });
            continue;
        }
        // Behind the books, and with the same delay: neither finds in the caches what the other one has brought there.
        std::size_t at = 0;
        for (const Packets::Packet& p : packets.packets) {
            wait(cell.delay, options.sleep);
            bare.apply(packets, p, at, &cell.bare, watch.perTick);
        }
    } while (std::chrono::steady_clock::now() < end);
    sink = seen;
}

}  // namespace

std::vector<Cell> measureInProcess(const LatencyOptions& options) {
    Stopwatch watch;
    watch.perTick = nanosecondsPerTick();
    std::printf("an empty pair of time stamps takes %.1f ns, not subtracted\n", emptyPair(watch.perTick));
    std::vector<Cell> cells;
    for (const Measured what : options.kinds)
        for (const std::string& channel : options.channels) {
            Feed feed(channel == "B" ? emissary::perf::channelB() : emissary::perf::channelA(),
                      what == Measured::orders ? Kind::orders : Kind::prices);
            Replay replay(feed, watch);
            BareReplay bare(feed);
            Packets warm;
            // Books of a warmed-up feed have the depth and the memory of a long run; the first ones after an image do
            // not.
            feed.next(20'000, warm);
            for (const Packets::Packet& p : warm.packets)
                messagesOf(warm, p, [&](Bytes m) { replay.apply(m); });
            std::size_t at = 0;
            for (const Packets::Packet& p : warm.packets)
                bare.apply(warm, p, at, nullptr, 1);
            printTraits(feed, warm);
            for (const unsigned delay : options.delays) {
                Cell& cell = cells.emplace_back();
                cell.what = what;
                cell.channel = channel;
                cell.delay = delay;
                measure(cell, feed, replay, bare, watch, options);
            }
            // Fast and wrong is no result.
            if (replay.store().verify() != 0) throw std::runtime_error("a book is broken");
        }
    return cells;
}

void printTables(const std::vector<Cell>& cells, const LatencyOptions& options) {
    for (const Measured what : options.kinds) {
        std::printf("\n%s (us)\nSending Delay (ms)", title(what));
        for (const std::string& channel : options.channels)
            std::printf(" | %s: Minimal  Median    Mean     95%%     99%%  Maximal", channel.c_str());
        std::printf("\n");
        for (const unsigned delay : options.delays) {
            std::printf("%18u", delay);
            for (const std::string& channel : options.channels)
                for (const Cell& c : cells) {
                    if (c.what != what || c.channel != channel || c.delay != delay) continue;
                    const auto us = [](double ns) { return ns / 1000.0; };
                    const auto q = [&](double part) { return us(static_cast<double>(c.histogram.quantile(part))); };
                    std::printf(" |   %8.3f %7.3f %7.3f %7.3f %7.3f %8.3f", us(static_cast<double>(c.least)), q(0.5),
                                us(c.mean()), q(0.95), q(0.99), us(static_cast<double>(c.histogram.max())));
                }
            std::printf("\n");
        }
        for (const Cell& c : cells) {
            if (c.what != what || c.bare.count() == 0) continue;
            const auto us = [](std::uint64_t ns) { return static_cast<double>(ns) / 1000.0; };
            std::printf(
                "bare structure, channel %s, delay %u: median %.3f (ours %.2f times that), 99%% %.3f (%.2f times)\n",
                c.channel.c_str(), c.delay, us(c.bare.quantile(0.5)),
                us(c.histogram.quantile(0.5)) / us(c.bare.quantile(0.5)), us(c.bare.quantile(0.99)),
                us(c.histogram.quantile(0.99)) / us(c.bare.quantile(0.99)));
        }
        for (const Cell& c : cells) {
            if (options.live) break;
            const auto report = published(c.what, c.channel, c.delay);
            if (c.what != what || !report) continue;
            const double median = static_cast<double>(c.histogram.quantile(0.5)) / 1000.0,
                         p99 = static_cast<double>(c.histogram.quantile(0.99)) / 1000.0;
            if (median <= report->median && p99 <= report->p99) continue;
            std::printf("above the report: channel %s, delay %u: median %.3f (%.3f), 99%% %.3f (%.3f)\n",
                        c.channel.c_str(), c.delay, median, report->median, p99, report->p99);
        }
    }
}

}  // namespace bookbench
