// CSV and a page of three charts: the median by sending delay, a line for each channel, the report's beside it.
#include "Latency.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace bookbench {

namespace {

constexpr double kWidth = 560, kHeight = 300, kLeft = 60, kRight = 20, kTop = 20, kBottom = 45;

double medianOf(const Cell& c) {
    return static_cast<double>(c.histogram.quantile(0.5)) / 1000.0;
}

/// 1, 2 or 5 times a power of ten, at most five of them up to `high`.
double step(double high) {
    const double raw = std::max(high, 1e-6) / 5, power = std::pow(10.0, std::floor(std::log10(raw)));
    for (const double s : {1.0, 2.0, 5.0})
        if (s * power >= raw) return s * power;
    return 10 * power;
}

struct Line {
    std::string name, colour, dash;
    std::vector<std::pair<double, double>> points;
};

std::string chart(Measured what, const std::vector<Cell>& cells, const LatencyOptions& options) {
    std::vector<Line> lines;
    std::size_t colour = 0;
    static constexpr const char* kColours[] = {"#1f5fa8", "#b5482a", "#3a7d44", "#7a4fa3"};
    for (const std::string& channel : options.channels) {
        Line measured{"channel " + channel, kColours[colour % 4], "", {}};
        Line report{
            "report, channel " + std::string(channel == "A" ? "360" : "384"), kColours[colour++ % 4], "5 4", {}};
        for (const Cell& c : cells) {
            if (c.what != what || c.channel != channel) continue;
            measured.points.emplace_back(c.delay, medianOf(c));
            if (options.live) continue;
            if (const auto p = published(what, channel, c.delay)) report.points.emplace_back(c.delay, p->median);
        }
        lines.push_back(measured);
        lines.push_back(report);
    }
    double most = 0, longest = 1;
    for (const Line& l : lines)
        for (const auto& [x, y] : l.points)
            most = std::max(most, y), longest = std::max(longest, x);
    const double by = step(most), high = by * std::ceil(most / by);
    const auto x = [&](double v) { return kLeft + v / longest * (kWidth - kLeft - kRight); };
    const auto y = [&](double v) { return kHeight - kBottom - v / high * (kHeight - kTop - kBottom); };
    std::ostringstream out;
    out << "<svg viewBox='0 0 " << kWidth << ' ' << kHeight << "' role='img' aria-label='" << title(what)
        << ", median by sending delay'>\n";
    for (double v = 0; v <= high * 1.0001; v += by)
        out << "<line class='grid' x1='" << kLeft << "' x2='" << kWidth - kRight << "' y1='" << y(v) << "' y2='" << y(v)
            << "'/><text x='" << kLeft - 6 << "' y='" << y(v) + 4 << "' text-anchor='end'>" << v << "</text>\n";
    for (const unsigned d : options.delays)
        out << "<text x='" << x(d) << "' y='" << kHeight - kBottom + 16 << "' text-anchor='middle'>" << d
            << "</text>\n";
    out << "<text x='" << (kLeft + kWidth - kRight) / 2 << "' y='" << kHeight - 8
        << "' text-anchor='middle'>sending delay, ms</text>\n<text x='" << kLeft << "' y='" << kTop - 6
        << "'>median, us</text>\n";
    for (const Line& l : lines) {
        out << "<polyline fill='none' stroke='" << l.colour << "' stroke-width='2' stroke-dasharray='" << l.dash
            << "' points='";
        for (const auto& [px, py] : l.points)
            out << x(px) << ',' << y(py) << ' ';
        out << "'/>\n";
        for (const auto& [px, py] : l.points)
            out << "<circle cx='" << x(px) << "' cy='" << y(py) << "' r='3.5' fill='" << l.colour << "'><title>"
                << l.name << ", " << px << " ms: " << py << " us</title></circle>\n";
    }
    out << "</svg>\n<p class='key'>";
    for (const Line& l : lines)
        if (!l.points.empty())
            out << "<span style='color:" << l.colour << "'>" << (l.dash.empty() ? "&#9473;" : "&#9477;") << "</span> "
                << l.name << " &nbsp; ";
    out << "</p>\n";
    return out.str();
}

}  // namespace

void writeFiles(const std::vector<Cell>& cells, const LatencyOptions& options, const std::string& folder) {
    std::filesystem::create_directories(folder);
    std::ofstream csv(folder + "/bookbench.csv");
    csv << "kind,channel,delay ms,samples,minimal us,median us,mean us,95% us,99% us,maximal us,report median "
           "us,report "
           "99% us\n";
    for (const Cell& c : cells) {
        const auto q = [&](double part) { return static_cast<double>(c.histogram.quantile(part)) / 1000.0; };
        csv << name(c.what) << ',' << c.channel << ',' << c.delay << ',' << c.histogram.count() << ','
            << static_cast<double>(c.least) / 1000.0 << ',' << q(0.5) << ',' << c.mean() / 1000.0 << ',' << q(0.95)
            << ',' << q(0.99) << ',' << static_cast<double>(c.histogram.max()) / 1000.0 << ',';
        if (const auto p = published(c.what, c.channel, c.delay); p && !options.live) csv << p->median << ',' << p->p99;
        else csv << ',';
        csv << '\n';
    }
    std::ofstream page(folder + "/bookbench.html");
    page << "<!doctype html><html lang='en'><meta charset='utf-8'><title>Order book "
            "latencies</title>\n<style>body{font:15px/1.5 "
            "sans-serif;max-width:60em;margin:2em auto;padding:0 1em}svg{width:100%;max-width:40em}svg "
            "text{font-size:12px}.grid{stroke:#ddd}.key{font-size:13px}</style>\n<h1>Order book latencies</h1>\n";
    for (const Measured what : options.kinds)
        page << "<h2>" << title(what) << "</h2>\n" << chart(what, cells, options);
    page << "</html>\n";
    if (!csv.flush() || !page.flush())
        throw std::runtime_error("cannot write to " + folder + ": is there space, and may you write there?");
}

}  // namespace bookbench
