// tools/wsload: puts the threads' figures together, judges them, and prints the closing lines.
#include "Summary.h"

#include "Json.h"

#include "eta/core/Clock.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <ctime>

namespace emissary::wsload {

namespace {

// Above these the tool measures itself: a loader that is busy for 70 % of the time, or for 10 ms at once, delays what
// it stamps.
constexpr double kMostBusy = 0.7, kMostTurnMs = 10;

double ms(std::uint64_t us) {
    return static_cast<double>(us) / 1000;
}

double ms(eta::Duration d) {
    return std::chrono::duration<double, std::milli>(d).count();
}

std::string number(const char* format, double value) {
    char text[48];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

const Latencies& steady(const Summary& s) {
    // Slow and churning clients are there to disturb; only the others are judged.
    return s.latencies[static_cast<std::size_t>(Group::steady)];
}

void figuresOf(Summary& s, const Client& c, const Items& items, double& rates, unsigned& clients) {
    if (!c.open()) ++s.notReadyAtEnd;
    if (c.group() != Group::steady) return;
    const ClientFigures& f = c.figures();
    const double rate = s.measuredSeconds == 0 ? 0 : static_cast<double>(f.messages) / s.measuredSeconds;
    s.rateLeast = clients == 0 ? rate : std::min(s.rateLeast, rate);
    s.rateMost = std::max(s.rateMost, rate);
    rates += rate;
    ++clients;
    // The worst message of the run is named with client, item and time, so that logs can be searched for that moment.
    if (f.messages == 0 || (!s.worst.empty() && f.most <= s.worstUs)) return;
    s.worst = c.user();
    s.worstItem = items.name(f.mostItem);
    s.worstAt = timeOfDay(f.mostAt);
    s.worstUs = f.most;
}

}  // namespace

std::string timeOfDay(eta::TimePoint t) {
    // Both clocks are read now and the difference is taken: the wall clock may have been set meanwhile, the other one
    // never is.
    const auto wall =
        eta::WallClock::now() + std::chrono::duration_cast<eta::WallClock::duration>(t - eta::Clock::now());
    const auto since = std::chrono::duration_cast<std::chrono::milliseconds>(wall.time_since_epoch()).count();
    const std::time_t seconds = since / 1000;
    std::tm parts{};
    ::gmtime_r(&seconds, &parts);
    char text[32];
    std::snprintf(text, sizeof text, "%02d:%02d:%02d.%03d", parts.tm_hour, parts.tm_min, parts.tm_sec,
                  static_cast<int>(since % 1000));
    return text;
}

void gather(Summary& s, const std::deque<Loader>& loaders, const Setup& setup) {
    double rates = 0;
    unsigned clients = 0;
    for (const Loader& l : loaders) {
        const Tally& t = l.tally();
        for (std::size_t g = 0; g < kGroups; ++g)
            s.latencies[g].merge(t.measured[g]);
        s.warmupMost = std::max(s.warmupMost, t.warmupMost);
        s.verified += t.verified, s.verifyErrors += t.verifyErrors, s.mixed += t.mixed, s.returns += t.returns;
        s.refused += t.refused, s.lost += t.lost, s.closed += t.closed, s.errors += t.errors, s.ended += t.ended;
        s.roundTrips.merge(t.roundTrips);
        s.posts += t.posts, s.acks += t.acks, s.naks += t.naks, s.strayAcks += t.strayAcks, s.unanswered += t.postsLost;
        s.staleSeconds += ms(t.staleTime) / 1000;
        s.longestReturn = std::max(s.longestReturn, ms(t.longestReturn) / 1000);
        if (s.measuredSeconds > 0) s.busy = std::max(s.busy, ms(t.busy) / 1000 / s.measuredSeconds);
        if (ms(t.largestTurn) > s.largestTurnMs) {
            s.largestTurnMs = ms(t.largestTurn);
            s.largestTurnAt = timeOfDay(t.largestTurnAt);
        }
        for (std::string& sentence : t.troubles())
            // Ten sentences are enough to see a pattern; the counts say how many there were.
            if (s.troubles.size() < 10) s.troubles.push_back(std::move(sentence));
        for (const Client& c : l.clients())
            figuresOf(s, c, setup.items, rates, clients);
    }
    if (clients != 0) s.rateMean = rates / clients;
}

void judge(Summary& s, const Options& o) {
    const auto fail = [&s](std::string why) { s.failures.push_back(std::move(why)); };
    const auto failIf = [&fail](std::uint64_t n, const char* what) {
        if (n != 0) fail(std::to_string(n) + " " + what);
    };
    if (s.interrupted)
        fail("interrupted after " + number("%.0f", s.measuredSeconds) + " of " + std::to_string(o.duration) +
             " seconds");
    failIf(s.refused, "logins refused");
    failIf(s.closed, "items closed");
    // Without -recover nothing may be lost. With it losses are expected, and the way back is judged.
    if (o.recover == 0) {
        failIf(s.errors, "error messages of the server");
        failIf(s.lost, "connections lost or not made");
    } else {
        if (s.longestReturn > o.recover)
            fail("the last lost client had its images after " + number("%.1f", s.longestReturn) + " s, allowed are " +
                 std::to_string(o.recover));
        if (s.allReady) failIf(s.notReadyAtEnd, "clients without all their images at the end");
    }
    if (!s.allReady && !s.interrupted)
        fail(std::to_string(s.notReadyAtEnd) + " clients had not all their images after " +
             number("%.0f", s.imageSeconds) + " s");
    const std::uint64_t most = steady(s).histogram.max();
    if (ms(most) > o.maxLatencyMs)
        fail("the latest message took " + number("%.2f", ms(most)) + " ms, allowed are " +
             number("%g", o.maxLatencyMs));
    if (s.allReady && !s.interrupted && steady(s).histogram.count() == 0) fail("no message with a time stamp came");
    failIf(s.counts.gaps, "gaps");
    failIf(s.counts.duplicates, "duplicates");
    failIf(s.naks, "posts refused");
    failIf(s.unanswered, "posts without an answer");
    failIf(s.strayAcks, "answers to posts that wait for none");
    failIf(s.verifyErrors, "messages read otherwise when parsed completely");
    failIf(s.mixed, "messages for a stream of another item");
    failIf(s.truthDifferences, "streams that do not end with the feed's last values");
    if (!o.truthFile.empty() && s.allReady && !s.interrupted && !s.truthChecked)
        fail("the feed's last values did not come: " + o.truthFile);
    if (s.busy > kMostBusy)
        fail("loader-bound: a thread was busy for " + number("%.0f", 100 * s.busy) + " %, allowed are 70");
    if (s.largestTurnMs > kMostTurnMs)
        fail("loader-bound: the largest turn took " + number("%.1f", s.largestTurnMs) + " ms at " + s.largestTurnAt +
             ", allowed are 10");
}

void printRow(const IntervalRow& r) {
    std::printf("%s %-8s clients %u  %.0f msg/s  %.1f MB/s  p50 %.2f  p99 %.2f  max %.2f ms  gaps %" PRIu64
                "  loader %.0f %%, turn %.1f ms\n",
                r.utc.c_str(), r.measured ? "measured" : "before", r.clients, r.messageRate, r.byteRate / 1e6,
                ms(r.p50), ms(r.p99), ms(r.max), r.counts.gaps, 100 * r.busy, ms(r.largestTurn));
    std::fflush(stdout);
}

void print(const Summary& s, const Options& o) {
    const Latencies& all = steady(s);
    const auto& h = all.histogram;
    const auto least = h.count() == 0 ? 0 : all.least;
    std::printf("\nVirtual consumer avg receive rate: %.2f msg/s     min: %.2f     max: %.2f\n", s.rateMean,
                s.rateLeast, s.rateMost);
    std::printf("Virtual consumer avg latency: %.2f ms   min: %.2f ms   max: %.2f ms   std: %.2f ms\n",
                all.mean() / 1000, ms(least), ms(h.max()), all.deviation() / 1000);
    std::printf("All messages: %" PRIu64
                "  p50 %.2f  p90 %.2f  p99 %.2f  p99.9 %.2f  p99.99 %.2f  max %.2f ms; above %g ms: "
                "%" PRIu64 "; gaps %" PRIu64 "; duplicates %" PRIu64 "; stale seconds %.0f\n",
                h.count(), ms(h.quantile(0.5)), ms(h.quantile(0.9)), ms(h.quantile(0.99)), ms(h.quantile(0.999)),
                ms(h.quantile(0.9999)), ms(h.max()), o.maxLatencyMs, s.counts.above, s.counts.gaps, s.counts.duplicates,
                s.staleSeconds);
    if (!s.worst.empty())
        std::printf(
            "Worst client: %s, max %.2f ms at %s UTC, item %s; before the measurement the maximum was %.2f ms\n",
            s.worst.c_str(), ms(s.worstUs), s.worstAt.c_str(), s.worstItem.c_str(), ms(s.warmupMost));
    for (const Group g : {Group::slow, Group::churning}) {
        const auto& other = s.latencies[static_cast<std::size_t>(g)];
        if (other.histogram.count() == 0) continue;
        std::printf("%s clients: %" PRIu64 " messages  p50 %.2f  p99 %.2f  max %.2f ms; jumps by conflation %" PRIu64
                    "\n",
                    g == Group::slow ? "Slow" : "Churning", other.histogram.count(), ms(other.histogram.quantile(0.5)),
                    ms(other.histogram.quantile(0.99)), ms(other.histogram.max()), s.counts.conflated);
    }
    if (s.returns != 0)
        std::printf("Came back: %" PRIu64 " times, the slowest had its images after %.2f s\n", s.returns,
                    s.longestReturn);
    if (s.posts != 0)
        std::printf("Posts: %" PRIu64 ", acknowledged %" PRIu64 ", refused %" PRIu64
                    "; back as an update after p50 %.2f  p99 %.2f  "
                    "max %.2f ms (%" PRIu64 ")\n",
                    s.posts, s.acks, s.naks, ms(s.roundTrips.histogram.quantile(0.5)),
                    ms(s.roundTrips.histogram.quantile(0.99)), ms(s.roundTrips.histogram.max()),
                    s.roundTrips.histogram.count());
    std::printf("Loader: busiest thread %.0f %%, largest turn %.2f ms; messages verified %" PRIu64 "; final truth %s\n",
                100 * s.busy, s.largestTurnMs, s.verified,
                !s.truthChecked           ? "not compared"
                : s.truthDifferences == 0 ? "equal"
                                          : "different");
    std::printf("Machine: %" PRIu64 " stalls above 1 ms, the longest %.2f ms (%s)\n", s.stalls.count,
                ms(s.stalls.longest),
                s.stallsSpin ? "a spinning thread" : "late wake-ups: no processor is free for a spinning thread");
    for (const std::string& sentence : s.troubles)
        std::printf("  %s\n", sentence.c_str());
    std::printf("%s", s.failures.empty() ? "Passed\n" : "FAILED:");
    for (const std::string& why : s.failures)
        std::printf("%s%s", &why == &s.failures.front() ? " " : "; ", why.c_str());
    std::printf("%s", s.failures.empty() ? "" : "\n");
    std::printf("{\"passed\":%s,\"clients\":%u,\"seconds\":%.3f,\"imageSeconds\":%.3f,\"messages\":%" PRIu64
                ",\"messagesPerSecond\":%.1f,\"rateMean\":%.3f,\"rateMin\":%.3f,\"rateMax\":%.3f,\"meanUs\":%.1f,"
                "\"stdUs\":%.1f,"
                "\"minUs\":%" PRIu64 ",\"p50Us\":%" PRIu64 ",\"p90Us\":%" PRIu64 ",\"p99Us\":%" PRIu64
                ",\"p999Us\":%" PRIu64 ",\"p9999Us\":%" PRIu64 ",\"maxUs\":%" PRIu64 ",\"warmupMaxUs\":%" PRIu64 ",",
                s.failures.empty() ? "true" : "false", o.clients, s.measuredSeconds, s.imageSeconds, s.counts.messages,
                s.measuredSeconds == 0 ? 0 : static_cast<double>(s.counts.messages) / s.measuredSeconds, s.rateMean,
                s.rateLeast, s.rateMost, all.mean(), all.deviation(), least, h.quantile(0.5), h.quantile(0.9),
                h.quantile(0.99), h.quantile(0.999), h.quantile(0.9999), h.max(), s.warmupMost);
    std::printf("\"above\":%" PRIu64 ",\"gaps\":%" PRIu64 ",\"missing\":%" PRIu64 ",\"duplicates\":%" PRIu64
                ",\"conflated\":%" PRIu64 ",\"early\":%" PRIu64 ",\"staleSeconds\":%.3f,\"refused\":%" PRIu64
                ",\"lost\":%" PRIu64 ",\"closed\":%" PRIu64 ",\"errors\":%" PRIu64 ",\"returns\":%" PRIu64
                ",\"longestReturn\":%.3f,\"verified\":%" PRIu64 ",\"verifyErrors\":%" PRIu64 ",\"mixed\":%" PRIu64
                ",\"truth\":\"%s\",\"truthDifferences\":%" PRIu64 ",",
                s.counts.above, s.counts.gaps, s.counts.missing, s.counts.duplicates, s.counts.conflated,
                s.counts.early, s.staleSeconds, s.refused, s.lost, s.closed, s.errors, s.returns, s.longestReturn,
                s.verified, s.verifyErrors, s.mixed,
                !s.truthChecked           ? "not compared"
                : s.truthDifferences == 0 ? "equal"
                                          : "different",
                s.truthDifferences);
    std::printf(
        "\"posts\":%" PRIu64 ",\"acks\":%" PRIu64 ",\"naks\":%" PRIu64 ",\"unanswered\":%" PRIu64
        ",\"postsBack\":%" PRIu64 ",\"postP50Us\":%" PRIu64 ",\"postP99Us\":%" PRIu64 ",\"postMaxUs\":%" PRIu64 ",",
        s.posts, s.acks, s.naks, s.unanswered, s.roundTrips.histogram.count(), s.roundTrips.histogram.quantile(0.5),
        s.roundTrips.histogram.quantile(0.99), s.roundTrips.histogram.max());
    std::printf(
        "\"worst\":%s,\"worstItem\":%s,\"worstAt\":\"%s\",\"busy\":%.4f,\"largestTurnMs\":%.3f,\"stalls\":%" PRIu64
        ",\"longestStallMs\":%.3f,\"bytes\":%" PRIu64 ",\"failures\":[",
        quoted(s.worst).c_str(), quoted(s.worstItem).c_str(), s.worstAt.c_str(), s.busy, s.largestTurnMs,
        s.stalls.count, ms(s.stalls.longest), s.counts.bytes);
    for (const std::string& why : s.failures)
        std::printf("%s%s", &why == &s.failures.front() ? "" : ",", quoted(why).c_str());
    std::printf("]}\n");
    std::fflush(stdout);
}

}  // namespace emissary::wsload
