// tools/wsload: the run as one HTML page: figures, latency over time, distribution and the loader's own load, drawn as
// SVG.
#include "Summary.h"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <fstream>
#include <functional>
#include <stdexcept>

namespace emissary::wsload {

namespace {

constexpr double kWidth = 900, kHeight = 220, kLeft = 64, kRight = 36, kBottom = 28;

[[gnu::format(printf, 1, 2)]] std::string text(const char* format, ...) {
    char out[512];
    va_list args;
    va_start(args, format);
    std::vsnprintf(out, sizeof out, format, args);
    va_end(args);
    return out;
}

std::string escaped(std::string_view in) {
    std::string out;
    for (const char c : in) {
        if (c == '<') out += "&lt;";
        else if (c == '>') out += "&gt;";
        else if (c == '&') out += "&amp;";
        else if (c == '"') out += "&quot;";
        else out += c;
    }
    return out;
}

struct Line {
    const char* name;
    const char* colour;
    std::vector<double> values;
};

/// 1, 2 or 5 times a power of ten, at least `value`.
double roundUp(double value) {
    const double power = std::pow(10, std::floor(std::log10(std::max(value, 1e-3))));
    for (const double factor : {1., 2., 5.})
        if (factor * power >= value) return factor * power;
    return 10 * power;
}

std::string chart(const char* title, const char* unit, const std::vector<std::string>& labels,
                  const std::vector<Line>& lines) {
    double most = 0;
    for (const Line& l : lines)
        for (const double v : l.values)
            most = std::max(most, v);
    // A round value at the top makes all grid lines round.
    most = roundUp(most);
    const double plotWidth = kWidth - kLeft - kRight, plotHeight = kHeight - kBottom - 10;
    const auto x = [&](std::size_t i) {
        return kLeft + (labels.size() < 2
                            ? plotWidth / 2
                            : plotWidth * static_cast<double>(i) / static_cast<double>(labels.size() - 1));
    };
    const auto y = [&](double v) { return 10 + plotHeight * (1 - v / most); };
    std::string out =
        text("<h2>%s</h2><svg viewBox=\"0 0 %.0f %.0f\" role=\"img\">", escaped(title).c_str(), kWidth, kHeight);
    for (int i = 0; i <= 4; ++i) {
        const double v = most * i / 4;
        out += text("<line class=\"grid\" x1=\"%.0f\" x2=\"%.0f\" y1=\"%.1f\" y2=\"%.1f\"/>"
                    "<text x=\"%.0f\" y=\"%.1f\" text-anchor=\"end\">%g %s</text>",
                    kLeft, kWidth - kRight, y(v), y(v), kLeft - 6, y(v) + 4, v, unit);
    }
    for (std::size_t n = 0; n < 6 && !labels.empty(); ++n) {
        const std::size_t i = (labels.size() - 1) * n / 5;
        // Few intervals would put the same label twice at one place.
        if (n != 0 && i == (labels.size() - 1) * (n - 1) / 5) continue;
        out += text("<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"middle\">%s</text>", x(i), kHeight - 8,
                    escaped(labels[i]).c_str());
    }
    std::string legend;
    for (const Line& l : lines) {
        out += text("<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\" points=\"", l.colour);
        for (std::size_t i = 0; i < l.values.size(); ++i)
            out += text("%.1f,%.1f ", x(i), y(l.values[i]));
        out += "\"/>";
        legend += text("<span style=\"color:%s\">&#9632;</span> %s &nbsp; ", l.colour, l.name);
    }
    return out + "</svg><p>" + legend + "</p>";
}

std::vector<double> column(const Summary& s, const std::function<double(const IntervalRow&)>& of) {
    std::vector<double> values;
    for (const IntervalRow& r : s.rows)
        if (r.measured) values.push_back(of(r));
    return values;
}

std::string row(const char* name, const std::string& ours, const char* report) {
    return text("<tr><th>%s</th><td>%s</td><td>%s</td></tr>", name, escaped(ours).c_str(), report);
}

std::string charts(const Summary& s) {
    std::vector<std::string> times;
    for (const IntervalRow& r : s.rows)
        if (r.measured) times.push_back(r.utc);
    if (times.empty()) return {};
    const auto ms = [](std::uint64_t us) { return static_cast<double>(us) / 1000; };
    std::string out = chart("Latency over time", "ms", times,
                            {{"p50", "#2a78d6", column(s, [&](const IntervalRow& r) { return ms(r.p50); })},
                             {"p99", "#c27803", column(s, [&](const IntervalRow& r) { return ms(r.p99); })},
                             {"maximum", "#c9302c", column(s, [&](const IntervalRow& r) { return ms(r.max); })},
                             {"longest stall of the machine", "#888888", column(s, [](const IntervalRow& r) {
                                  return std::chrono::duration<double, std::milli>(r.stalls.longest).count();
                              })}});
    std::vector<std::string> shares;
    Line distribution{"latency", "#2a78d6", {}};
    for (const double share : {10., 25., 50., 75., 90., 95., 99., 99.5, 99.9, 99.99, 100.}) {
        shares.push_back(text("%g %%", share));
        distribution.values.push_back(
            ms(s.latencies[static_cast<std::size_t>(Group::steady)].histogram.quantile(share / 100)));
    }
    out += chart("Distribution: the share of messages that took no longer", "ms", shares, {distribution});
    out += chart("Messages per second", "", times,
                 {{"all clients", "#2a78d6", column(s, [](const IntervalRow& r) { return r.messageRate; })}});
    return out + chart("The loader itself", "%", times,
                       {{"busiest thread", "#2a78d6", column(s, [](const IntervalRow& r) { return 100 * r.busy; })}});
}

}  // namespace

void writePage(const Summary& s, const Options& o, const std::string& path) {
    const Latencies& all = s.latencies[static_cast<std::size_t>(Group::steady)];
    const auto& h = all.histogram;
    const auto ms = [](double us) { return text("%.2f ms", us / 1000); };
    const auto quantile = [&](double q) { return ms(static_cast<double>(h.quantile(q))); };
    std::string verdict = s.failures.empty() ? "Passed." : "Failed:";
    for (const std::string& why : s.failures)
        verdict += (&why == &s.failures.front() ? " " : "; ") + why;
    std::ofstream out(path);
    out << "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>wsload</title><style>"
           "body{font:14px system-ui,sans-serif;margin:24px;max-width:940px;color:#1b1f24;background:#fff}"
           "h1{font-size:21px}h2{font-size:16px;margin-top:28px}table{border-collapse:collapse;font-variant-numeric:"
           "tabular-nums}th,td{padding:4px 12px;text-align:right;border-top:1px solid "
           "#8884}th{font-weight:600;text-align:"
           "left}svg{width:100%}svg text{font-size:11px;fill:currentColor}.grid{stroke:#8884}"
           "@media(prefers-color-scheme:dark){body{color:#e6e6e6;background:#16191d}}</style></head><body><h1>Web "
           "clients</h1><p>"
        << escaped(verdict) << "</p><table><tr><th></th><th>this run</th><th>LCDS report</th></tr>"
        << row("clients", text("%u", o.clients), "500") << row("seconds", text("%.0f", s.measuredSeconds), "50,400")
        << row("messages/s per client", text("%.2f (%.2f to %.2f)", s.rateMean, s.rateLeast, s.rateMost), "107.99")
        << row("messages", text("%llu", static_cast<unsigned long long>(h.count())), "")
        << row("mean", ms(all.mean()), "0.28 ms") << row("standard deviation", ms(all.deviation()), "0.71 ms")
        << row("p50", quantile(0.5), "") << row("p99", quantile(0.99), "") << row("p99.9", quantile(0.999), "")
        << row("maximum", ms(static_cast<double>(h.max())), "37 ms")
        << row("client, item and time of the maximum", s.worst + ", " + s.worstItem + ", " + s.worstAt, "")
        << row("maximum before the measurement", ms(static_cast<double>(s.warmupMost)), "")
        << row("gaps, duplicates",
               text("%llu, %llu", static_cast<unsigned long long>(s.counts.gaps),
                    static_cast<unsigned long long>(s.counts.duplicates)),
               "")
        << row("stalls of the machine above 1 ms",
               text("%llu, longest %.2f ms", static_cast<unsigned long long>(s.stalls.count),
                    std::chrono::duration<double, std::milli>(s.stalls.longest).count()),
               "")
        << row("loader", text("%.0f %% busy, largest turn %.2f ms", 100 * s.busy, s.largestTurnMs), "") << "</table>"
        << charts(s) << "</body></html>\n";
    if (!out.flush()) throw std::runtime_error("cannot write " + path);
}

}  // namespace emissary::wsload
