// Console lines, statistics rows and summary of the consumer; scripts read them, so their form is the guide's.
#include "Report.h"
#include "ReportParts.h"

namespace emissary::perf {

using namespace report;

// The number of a client appears only with several threads; clients count from 1, and 0 stands for "the only one".
std::string consumerConsole(std::uint64_t runSeconds, std::size_t client, const ConsumerInterval& interval,
                            const ResourceSample& resources, bool nanos) {
    std::string out;
    appendf(out, "%03u: ", static_cast<unsigned>(runSeconds));
    if (client != 0) appendf(out, "Client %d:\n  ", static_cast<int>(client));
    appendf(out, "Images: %6llu, Posts: %6llu, UpdRate: %8llu, CPU: %6.2f%%, Mem: %6.2fMB\n",
            static_cast<Count>(interval.images), static_cast<Count>(interval.posts),
            static_cast<Count>(ratePerSecond(interval.updates, interval.seconds)), resources.cpuPercent,
            resources.memoryMb);
    const auto addLatency = [&](const char* values, const char* quantiles, const LatencySeries* series) {
        // A series without values has no minimum: no line rather than a line of zeros that looks like a measurement.
        if (series == nullptr || series->values.count() == 0) return;
        out += valueLine(values, series->values, nanos);
        out += quantileLine(quantiles, series->histogram, nanos);
    };
    addLatency("  Latency(usec)", "  Latency quantiles(usec)", interval.update);
    out += droppedConsole(interval.dropped);
    addLatency("  PostLat(usec)", "  PostLat quantiles(usec)", interval.post);
    const std::uint64_t genericLatencies = interval.generic != nullptr ? interval.generic->values.count() : 0;
    if (interval.genericsSent != 0 || interval.genericsReceived != 0)
        appendf(out, "  GenMsgs: sent %llu, received %llu, latencies sent %llu, latencies received %llu\n",
                static_cast<Count>(interval.genericsSent), static_cast<Count>(interval.genericsReceived),
                static_cast<Count>(interval.genericLatenciesSent), static_cast<Count>(genericLatencies));
    addLatency("  GenMsgLat(usec)", "  GenMsgLat quantiles(usec)", interval.generic);
    // Decode times are kept in nanoseconds whatever -nanoTime says, so they always show decimals.
    if (interval.decode != nullptr && interval.decode->count() != 0)
        out += valueLine("  Update Decode Time (usec)", *interval.decode, true);
    if (interval.statuses != 0)
        appendf(out, "  - Received %llu status messages.\n", static_cast<Count>(interval.statuses));
    return out;
}

std::string imageTimeLine(std::uint64_t images, double seconds) {
    std::string out;
    appendf(out, "  - Image retrieval time for %d images: %.3fs (%.0f images/s)\n", static_cast<int>(images), seconds,
            ratePerSecond(images, seconds));
    return out;
}

std::string progressLine(std::uint64_t images, std::uint64_t wanted, double imagesPerSecond) {
    std::string out;
    appendf(out, "  - Loading images: %llu of %llu (%.0f images/s)\n", static_cast<Count>(images),
            static_cast<Count>(wanted), imagesPerSecond);
    return out;
}

const char* consumerCsvHeader() noexcept {
    return "UTC, Latency updates, Latency avg (usec), Latency std dev (usec), Latency max (usec), Latency min (usec), "
           "Images, Update rate (msg/sec), Posting Latency updates, Posting Latency avg (usec), "
           "Posting Latency std dev (usec), Posting Latency max (usec), Posting Latency min (usec), GenMsgs sent, "
           "GenMsgs received, GenMsg Latencies sent, GenMsg latencies received, GenMsg Latency avg (usec), "
           "GenMsg Latency std dev (usec), GenMsg Latency max (usec), GenMsg Latency min (usec), CPU usage (%), "
           "Memory (MB)\n";
}

std::string consumerCsvRow(const std::string& utc, const ConsumerInterval& interval, const ResourceSample& resources) {
    // A row has every column even when nothing was measured: readers of the file count commas.
    static const ValueStatistics none;
    const auto valuesOf = [](const LatencySeries* series) -> const ValueStatistics& {
        return series != nullptr ? series->values : none;
    };
    std::string row = utc;
    appendf(row, ", %llu", static_cast<Count>(valuesOf(interval.update).count()));
    appendCsvValues(row, valuesOf(interval.update));
    appendf(row, ", %llu, %llu, %llu", static_cast<Count>(interval.images),
            static_cast<Count>(ratePerSecond(interval.updates, interval.seconds)),
            static_cast<Count>(valuesOf(interval.post).count()));
    appendCsvValues(row, valuesOf(interval.post));
    appendf(row, ", %llu, %llu, %llu, %llu", static_cast<Count>(interval.genericsSent),
            static_cast<Count>(interval.genericsReceived), static_cast<Count>(interval.genericLatenciesSent),
            static_cast<Count>(valuesOf(interval.generic).count()));
    appendCsvValues(row, valuesOf(interval.generic));
    appendf(row, ", %.2f, %.2f\n", resources.cpuPercent, resources.memoryMb);
    return row;
}

namespace {

void appendStartup(std::string& out, const ConsumerTotals& totals, const LatencySeries& latency) {
    out += "Startup State Statistics:\n";
    appendf(out, "  Sampling duration (sec): %.3f\n", totals.startupSeconds);
    if (latency.values.count() != 0) appendSummaryValues(out, "Latency", latency.values);
    else out += "  No latency information received during startup time.\n";
    appendf(out, "  Avg update rate: %.0f\n", totals.startupUpdateRate);
}

void appendSteady(std::string& out, const ConsumerTotals& totals, const ConsumerSummaryParts& parts) {
    out += "Steady State Statistics:\n";
    // Without the last image there is no steady state, and a rate over zero seconds would be noise.
    if (!totals.steadyReached) {
        out += "  Steady state was not reached during this test.\n";
        return;
    }
    const ValueStatistics& update = totals.latencies->of(LatencyKind::update, LatencyPhase::steady).values;
    const ValueStatistics& post = totals.latencies->of(LatencyKind::post, LatencyPhase::steady).values;
    appendf(out, "  Sampling duration (sec): %.3f\n", totals.steadySeconds);
    if (update.count() != 0) appendSummaryValues(out, "Latency", update);
    else out += "  No latency information was received during steady-state time.\n";
    if (parts.posting) {
        if (post.count() != 0) appendSummaryValues(out, "Posting latency", post);
        else out += "  No posting latency information was received during steady-state time.\n";
    }
    appendf(out, "  Avg update rate: %.0f\n", totals.steadyUpdateRate);
}

void appendOverall(std::string& out, const ConsumerTotals& totals, const ConsumerSummaryParts& parts) {
    const auto both = [&](LatencyKind kind) {
        // The deviation over the whole run comes from all its values; an average of two deviations would be another
        // figure.
        ValueStatistics values = totals.latencies->of(kind, LatencyPhase::startup).values;
        values.merge(totals.latencies->of(kind, LatencyPhase::steady).values);
        return values;
    };
    out += "Overall Statistics:\n";
    appendf(out, "  Sampling duration (sec): %.3f\n", totals.startupSeconds + totals.steadySeconds);
    const ValueStatistics update = both(LatencyKind::update);
    const ValueStatistics generic = both(LatencyKind::generic);
    if (update.count() != 0) appendSummaryValues(out, "Latency", update);
    else out += "  No latency information was received.\n";
    if (generic.count() != 0) appendSummaryValues(out, "GenMsg Latency", generic);
    else out += "  No GenMsg latency information was received.\n";
    if (parts.resources != nullptr) appendResources(out, *parts.resources);
}

void appendTest(std::string& out, const ConsumerTotals& totals, const ConsumerSummaryParts& parts) {
    const double seconds = totals.startupSeconds + totals.steadySeconds;
    const std::uint64_t genericLatencies =
        totals.latencies->of(LatencyKind::generic, LatencyPhase::startup).values.count() +
        totals.latencies->of(LatencyKind::generic, LatencyPhase::steady).values.count();
    const auto addCount = [&](const char* name, std::uint64_t count) {
        appendf(out, "  %s: %llu\n", name, static_cast<Count>(count));
    };
    const auto addRate = [&](const char* name, double rate) { appendf(out, "  %s: %.0f\n", name, rate); };
    out += "Test Statistics:\n";
    addCount("Requests sent", totals.requests);
    addCount("Refreshes received", totals.refreshes);
    addCount("Updates received", totals.updates);
    if (parts.posting) addCount("Posts sent", totals.posts);
    if (parts.generic) {
        addCount("GenMsgs sent", totals.genericsSent);
        addCount("GenMsgs received", totals.genericsReceived);
        addCount("GenMsg latencies sent", totals.genericLatenciesSent);
        addCount("GenMsg latencies received", genericLatencies);
    }
    out += droppedSummary(totals.dropped);
    if (totals.outages) out += outageSummary(*totals.outages);
    if (totals.imageSeconds > 0.0) {
        appendf(out, "  Image retrieval time (sec): %.3f\n", totals.imageSeconds);
        addRate("Avg image rate", ratePerSecond(totals.images, totals.imageSeconds));
    }
    addRate("Avg update rate", ratePerSecond(totals.updates, seconds));
    // Posts and generic messages begin with the steady state, so their rates count from there, not from the first
    // request.
    if (parts.posting) addRate("Avg posting rate", ratePerSecond(totals.posts, totals.sendingSeconds));
    if (parts.generic) {
        addRate("Avg GenMsg send rate", ratePerSecond(totals.genericsSent, totals.sendingSeconds));
        addRate("Avg GenMsg receive rate", ratePerSecond(totals.genericsReceived, seconds));
        addRate("Avg GenMsg latency send rate", ratePerSecond(totals.genericLatenciesSent, totals.sendingSeconds));
        addRate("Avg GenMsg latency receive rate", ratePerSecond(genericLatencies, seconds));
    }
}

}  // namespace

void ConsumerTotals::setUpdateRates(std::uint64_t startup) noexcept {
    startupUpdateRate = ratePerSecond(startup, startupSeconds);
    steadyUpdateRate = ratePerSecond(updates - startup, steadySeconds);
}

std::string consumerSummary(const ConsumerTotals& totals, const ConsumerSummaryParts& parts) {
    std::string out;
    appendStartup(out, totals, totals.latencies->of(LatencyKind::update, LatencyPhase::startup));
    out += '\n';
    if (!parts.snapshot) {
        appendSteady(out, totals, parts);
        out += '\n';
    }
    appendOverall(out, totals, parts);
    out += '\n';
    appendTest(out, totals, parts);
    return out;
}

}  // namespace emissary::perf
