// Formats rows and lines that several tools share.
#include "Report.h"

#include "Text.h"

namespace emissary::perf {

std::string valueLine(const char* name, const ValueStatistics& values, bool nanos) {
    std::string out;
    const char* format = nanos ? "%s: Avg:%8.3f StdDev:%8.3f Max:%8.3f Min:%8.3f, Msgs: %llu\n"
                               : "%s: Avg:%6.1f StdDev:%6.1f Max:%6.0f Min:%6.0f, Msgs: %llu\n";
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    appendf(out, format, name, values.mean(), values.stdDev(), values.max(), values.min(),
            static_cast<unsigned long long>(values.count()));
#pragma GCC diagnostic pop
    return out;
}

std::string quantileLine(const char* name, const LatencyHistogram& histogram, bool nanos) {
    std::string out = name;
    // The histogram counts in the unit of the stamps; people read microseconds.
    const double scale = nanos ? 1000.0 : 1.0;
    const int decimals = nanos ? 3 : 0;
    const auto add = [&](const char* label, std::uint64_t value) {
        appendf(out, " %s: %.*f", label, decimals, static_cast<double>(value) / scale);
    };
    out += ':';
    add("p50", histogram.quantile(0.5));
    add("p99", histogram.quantile(0.99));
    add("p99.9", histogram.quantile(0.999));
    add("Max", histogram.max());
    out += '\n';
    return out;
}

std::string numberedCsv(const std::string& base, std::size_t number) {
    return base + std::to_string(number) + ".csv";
}

namespace {

// What was dropped, as console and statistics file say it.
[[nodiscard]] std::vector<std::string> droppedTexts(const Dropped& dropped) {
    std::vector<std::string> texts;
    const auto add = [&](const char* format, std::uint64_t count) {
        if (count == 0) return;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        appendf(texts.emplace_back(), format, static_cast<unsigned long long>(count));
#pragma GCC diagnostic pop
    };
    add("- Stopped %llu updates due to lack of output buffers.\n", dropped.updates);
    add("- %llu posts not sent due to lack of output buffers.\n", dropped.posts);
    add("- %llu messages not sent due to lack of output buffers.\n", dropped.messages);
    add("- %llu generic messages not sent due to lack of output buffers.\n", dropped.generics);
    return texts;
}

}  // namespace

std::string droppedConsole(const Dropped& dropped) {
    std::string out;
    for (const std::string& text : droppedTexts(dropped))
        out += "  " + text;
    return out;
}

std::string droppedCsv(const std::string& utc, const Dropped& dropped) {
    std::string out;
    for (const std::string& text : droppedTexts(dropped))
        out += utc + ", " + text;
    return out;
}

std::string tunnelBuffersLine(const ValueStatistics& used) {
    std::string out;
    if (used.count() != 0)
        appendf(out, "  TunnelStreamBufferUsed: Avg:%6.1f StdDev:%6.1f Max:%6.0f Min:%6.0f, Samples: %llu\n",
                used.mean(), used.stdDev(), used.max(), used.min(), static_cast<unsigned long long>(used.count()));
    return out;
}

std::string outageSummary(const OutageTotals& outages) {
    std::string out;
    appendf(out, "  Connections lost: %llu\n  Recoveries: %llu\n  Seconds without data: %.3f\n",
            static_cast<unsigned long long>(outages.losses), static_cast<unsigned long long>(outages.recoveries),
            outages.seconds);
    return out;
}

std::string packingConsole(const Packing& packing) {
    if (packing.packs == 0) return {};
    std::string out;
    appendf(out, "  - Packed %llu updates into %llu buffers (%.1f on average).\n",
            static_cast<unsigned long long>(packing.updates), static_cast<unsigned long long>(packing.packs),
            static_cast<double>(packing.updates) / static_cast<double>(packing.packs));
    return out;
}

std::string packingSummary(const Packing& packing) {
    if (packing.packs == 0) return {};
    std::string out;
    appendf(out, "  Updates packed: %llu\n  Buffers packed: %llu\n", static_cast<unsigned long long>(packing.updates),
            static_cast<unsigned long long>(packing.packs));
    return out;
}

namespace {

/// Empty without late ticks.
[[nodiscard]] std::string lateTicksText(const LateTicks& late) {
    std::string out;
    if (late.count != 0)
        appendf(out, "- %llu late ticks: the latest came %.1f ms after it was due.\n",
                static_cast<unsigned long long>(late.count), static_cast<double>(late.latestNanos) / 1e6);
    return out;
}

}  // namespace

std::string lateTicksConsole(const LateTicks& late) {
    const std::string text = lateTicksText(late);
    return text.empty() ? text : "  " + text;
}
std::string lateTicksCsv(const std::string& utc, const LateTicks& late) {
    const std::string text = lateTicksText(late);
    return text.empty() ? text : utc + ", " + text;
}
std::string lateTicksSummary(const LateTicks& late) {
    std::string out;
    if (late.count == 0) return out;
    appendf(out, "  Late ticks: %llu\n", static_cast<unsigned long long>(late.count));
    appendf(out, "  Latest tick, msec after it was due: %.1f\n", static_cast<double>(late.latestNanos) / 1e6);
    return out;
}
std::string lateTicksSummary(const LateTicks& late, bool stampedWhenDue) {
    std::string out = lateTicksSummary(late);
    if (out.empty()) return out;
    // Without stamps of the due time a stalled sender hides its own delay (coordinated omission): say so beside the
    // figures.
    out += stampedWhenDue
               ? "  Hint: latencies count from when an update was due, so they show this.\n"
               : "  Hint: updates of late ticks are stamped when they are sent, so latencies do not show this; "
                 "-stampWhenDue makes them.\n";
    return out;
}

std::string droppedSummary(const Dropped& dropped) {
    std::string out;
    const auto add = [&](const char* what, std::uint64_t count) {
        if (count != 0)
            appendf(out, "  %s not sent for lack of output buffers: %llu\n", what,
                    static_cast<unsigned long long>(count));
    };
    add("Updates", dropped.updates);
    add("Posts", dropped.posts);
    add("GenMsgs", dropped.generics);
    if (!out.empty())
        out += "  Hint: the peer reads more slowly than this side sends. Lower the rate, or let -outputBufs "
               "(GuaranteedOutputBuffers) hold longer bursts.\n";
    return out;
}

}  // namespace emissary::perf
