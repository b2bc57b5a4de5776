// CSV and a page of a chart for each kind: the median by sending delay, a line for each channel, with those of the bare
// structure and of the report beside it.
#include "Latency.h"
#include "page_style.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include <unistd.h>

namespace bookbench {

namespace {

constexpr double kWidth = 640, kHeight = 290, kLeft = 62, kRight = 28, kTop = 26, kBottom = 42;

using Histogram = emissary::perf::LatencyHistogram;

double microseconds(const Histogram& of, double part) {
    return static_cast<double>(of.quantile(part)) / 1000.0;
}

std::string shown(double microseconds) {
    char text[32];
    std::snprintf(text, sizeof text, microseconds >= 1000 ? "%.0f" : "%.4g", microseconds);
    return text;
}

/// Microseconds, logarithmic: between marks of 1, 2 and 5 times a power of ten that hold all values.
struct LogAxis {
    double low, high;
    std::vector<double> marks;

    explicit LogAxis(const std::vector<double>& values) {
        double least = values.empty() ? 1 : values.front(), most = least;
        for (const double v : values)
            least = std::min(least, v), most = std::max(most, v);
        // A logarithm needs a value above zero; a nanosecond is less than anything measured here.
        least = std::max(least, 0.001);
        most = std::max(most, least);
        std::vector<double> all;
        // From a tenth of a nanosecond to a thousand seconds.
        for (int decade = -4; decade <= 9; ++decade)
            for (const double factor : {1.0, 2.0, 5.0})
                all.push_back(factor * std::pow(10.0, decade));
        low = high = all.front();
        for (const double mark : all)
            if (mark <= least * 1.000001) low = mark;
        high = *std::find_if(all.begin(), all.end(), [&](double m) { return m >= most * 0.999999 && m > low; });
        for (const double mark : all)
            if (mark >= low * 0.999 && mark <= high * 1.001) marks.push_back(mark);
    }
    [[nodiscard]] double place(double value) const {
        const double part = std::log10(std::clamp(value, low, high) / low) / std::log10(high / low);
        return kHeight - kBottom - part * (kHeight - kTop - kBottom);
    }
};

struct Line {
    std::string name;
    std::size_t colour;
    const char* dashes;  // of stroke-dasharray; empty: none
    std::vector<std::pair<double, double>> points;
};

std::vector<Line> linesOf(Measured what, const std::vector<Cell>& cells, const LatencyOptions& options) {
    std::vector<Line> lines;
    std::size_t colour = 0;
    for (const std::string& channel : options.channels) {
        Line measured{"channel " + channel, colour, "", {}};
        Line bare{"bare structure, channel " + channel, colour, "1.5 4", {}};
        Line report{"report, channel " + std::string(channel == "A" ? "360" : "384"), colour++, "6 4", {}};
        for (const Cell& c : cells) {
            if (c.what != what || c.channel != channel) continue;
            measured.points.emplace_back(c.delay, microseconds(c.histogram, 0.5));
            if (c.bare.count() != 0) bare.points.emplace_back(c.delay, microseconds(c.bare, 0.5));
            // The report has no figures over a connection, so there is no second line to draw.
            if (options.live) continue;
            if (const auto p = published(what, channel, c.delay)) report.points.emplace_back(c.delay, p->median);
        }
        for (Line* line : {&measured, &bare, &report})
            if (!line->points.empty()) lines.push_back(std::move(*line));
    }
    return lines;
}

[[nodiscard]] std::string strokeOf(const Line& l) {
    return *l.dashes == '\0' ? std::string() : std::string(" stroke-dasharray='") + l.dashes + '\'';
}

/// Read-outs stand at the points, as titles, which need no script.
std::string chart(Measured what, const std::vector<Line>& lines, const LatencyOptions& options) {
    std::vector<double> values;
    double longest = 1;
    for (const Line& l : lines)
        for (const auto& [x, y] : l.points)
            values.push_back(y), longest = std::max(longest, x);
    const LogAxis axis(values);
    const auto x = [&](double v) { return kLeft + v / longest * (kWidth - kLeft - kRight); };
    const double wide = kWidth - kLeft - kRight, floor = kHeight - kBottom;
    std::ostringstream out;
    out << "<svg viewBox='0 0 " << kWidth << ' ' << kHeight << "' role='img' aria-label='" << title(what)
        << ", median by sending delay'>\n";
    for (const double v : axis.marks)
        out << "<path class='grid' d='M" << kLeft << ' ' << axis.place(v) << 'h' << wide
            << "'/><text text-anchor='end' x='" << kLeft - 8 << "' y='" << axis.place(v) + 4 << "'>" << shown(v)
            << "</text>\n";
    for (const unsigned d : options.delays)
        out << "<path class='grid' d='M" << x(d) << ' ' << kTop << 'v' << floor - kTop
            << "'/><text text-anchor='middle' x='" << x(d) << "' y='" << floor + 17 << "'>" << d << "</text>\n";
    out << "<path class='axis' d='M" << kLeft << ' ' << kTop << 'V' << floor << 'H' << kLeft + wide
        << "'/><text x='8' y='13'>median, &#181;s</text><text text-anchor='end' x='" << kLeft + wide << "' y='"
        << kHeight - 8 << "'>sending delay, ms</text>\n";
    for (const Line& l : lines) {
        out << "<path class='line line" << l.colour % 8 << "'" << strokeOf(l) << " d='";
        for (std::size_t i = 0; i < l.points.size(); ++i)
            out << (i == 0 ? 'M' : 'L') << x(l.points[i].first) << ' ' << axis.place(l.points[i].second);
        out << "'/>\n";
        for (const auto& [px, py] : l.points)
            out << "<circle class='fill" << l.colour % 8 << "' cx='" << x(px) << "' cy='" << axis.place(py)
                << "' r='4.5'><title>" << l.name << ", " << px << " ms: " << shown(py) << " &#181;s</title></circle>\n";
    }
    out << "</svg>\n";
    return out.str();
}

std::string figure(Measured what, const std::vector<Cell>& cells, const LatencyOptions& options) {
    const std::vector<Line> lines = linesOf(what, cells, options);
    std::ostringstream out;
    out << "<figure><figcaption>" << title(what) << "</figcaption><ul class='legend'>";
    for (const Line& l : lines)
        out << "<li><svg class='key' viewBox='0 0 30 8'><path class='line line" << l.colour % 8 << "'" << strokeOf(l)
            << " d='M1 4h28'/></svg><span>" << l.name << "</span></li>";
    out << "</ul><div class='variant'>" << chart(what, lines, options) << "</div></figure>\n";
    return out.str();
}

/// Every cell with its percentiles, and where there is one the bare structure's below it.
std::string table(const std::vector<Cell>& cells) {
    std::ostringstream out;
    out << "<div class='scroll'><table><caption>Latencies, &#181;s</caption><thead><tr><th></th><th>delay, ms</th>"
           "<th>samples</th><th>least</th><th>median</th><th>95 %</th><th>99 %</th><th>most</th></tr></thead><tbody>\n";
    const auto row = [&](const Cell& c, const Histogram& of, const std::string& whose, const std::string& least) {
        out << "<tr><th>" << title(c.what) << ", channel " << c.channel << whose << "</th><td>" << c.delay
            << "</td><td>" << of.count() << "</td><td>" << least << "</td>";
        for (const double part : {0.5, 0.95, 0.99})
            out << "<td>" << shown(microseconds(of, part)) << "</td>";
        out << "<td>" << shown(static_cast<double>(of.max()) / 1000.0) << "</td></tr>\n";
    };
    for (const Cell& c : cells) {
        row(c, c.histogram, "", shown(static_cast<double>(c.least) / 1000.0));
        if (c.bare.count() != 0) row(c, c.bare, ", bare structure", "");
    }
    out << "</tbody></table></div>\n";
    return out.str();
}

}  // namespace

void makeFolder(const std::string& folder) {
    std::error_code why;
    std::filesystem::create_directories(folder, why);
    if (why) throw std::runtime_error("--out: the folder " + folder + " cannot be made: " + why.message());
    if (::access(folder.c_str(), W_OK | X_OK) != 0)
        throw std::runtime_error("--out: no file can be made in " + folder + ": " + std::strerror(errno));
}

void writeFiles(const std::vector<Cell>& cells, const LatencyOptions& options, const std::string& folder) {
    std::ofstream csv(folder + "/bookbench.csv");
    csv << "kind,channel,delay ms,samples,minimal us,median us,mean us,95% us,99% us,maximal us,report median "
           "us,report 99% us,bare median us,bare 99% us\n";
    for (const Cell& c : cells) {
        const auto q = [&](double part) { return microseconds(c.histogram, part); };
        csv << name(c.what) << ',' << c.channel << ',' << c.delay << ',' << c.histogram.count() << ','
            << static_cast<double>(c.least) / 1000.0 << ',' << q(0.5) << ',' << c.mean() / 1000.0 << ',' << q(0.95)
            << ',' << q(0.99) << ',' << static_cast<double>(c.histogram.max()) / 1000.0 << ',';
        if (const auto p = published(c.what, c.channel, c.delay); p && !options.live) csv << p->median << ',' << p->p99;
        else csv << ',';
        csv << ',';
        if (c.bare.count() != 0) csv << microseconds(c.bare, 0.5) << ',' << microseconds(c.bare, 0.99);
        else csv << ',';
        csv << '\n';
    }
    std::ofstream page(folder + "/bookbench.html");
    page << "<!doctype html><html lang='en'><head><meta charset='utf-8'><meta name='viewport' "
            "content='width=device-width, initial-scale=1'><link rel='icon' href='data:,'><title>Order book "
            "latencies</title><style>"
         << kPageStyle << "</style></head><body><header><h1>Order book latencies</h1></header><main>\n<p class='note'>"
         << (options.live ? "Over a connection: from submit() of a provider to the consumer's book. "
                          : "In one process, beside what was published of the vendor's library, and beside a bare "
                            "structure that is fed the same packets, decoded. ")
         << options.seconds << " s for each point; point at one for its value.</p>\n<section id='charts'>\n";
    for (const Measured what : options.kinds)
        page << figure(what, cells, options);
    page << "</section>\n" << table(cells) << "</main></body></html>\n";
    if (!csv.flush() || !page.flush())
        throw std::runtime_error("cannot write to " + folder + ": is there space, and may you write there?");
}

}  // namespace bookbench
