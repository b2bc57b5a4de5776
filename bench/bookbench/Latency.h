// Latencies by sending delay, in the form of the published report (docs/spec/order-books.md 6.1).
#pragma once

#include "Feed.h"
#include "LatencyHistogram.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace bookbench {

enum class Measured { messages, prices, orders };
[[nodiscard]] const char* name(Measured what);
/// As the charts and the tables are headed.
[[nodiscard]] const char* title(Measured what);

/// What one delay and channel gave; nanoseconds.
struct Cell {
    Measured what = Measured::messages;
    std::string channel;
    unsigned delay = 0;  ///< milliseconds
    emissary::perf::LatencyHistogram histogram;
    emissary::perf::LatencyHistogram bare;  ///< of the bare structure, fed the same packets; of messages: nothing
    std::uint64_t least = ~std::uint64_t{0};
    double sum = 0;
    void record(std::uint64_t ns) {
        histogram.record(ns);
        least = std::min(least, ns);
        sum += static_cast<double>(ns);
    }
    [[nodiscard]] double mean() const {
        return histogram.count() == 0 ? 0 : sum / static_cast<double>(histogram.count());
    }
};

/// The report's median and 99 % in microseconds for a cell that it has.
struct Published {
    double median, p99;
};
[[nodiscard]] std::optional<Published> published(Measured what, const std::string& channel, unsigned delay);

struct LatencyOptions {
    std::vector<std::string> channels = {"A", "B"};
    std::vector<unsigned> delays = {0, 10, 50};
    std::vector<Measured> kinds = {Measured::messages, Measured::prices, Measured::orders};
    double seconds = 20;  ///< a cell
    bool sleep = false;   ///< between packets, instead of spinning
    bool live = false;    ///< over a connection: nothing was published of that
};

/// Runs every cell in this process and prints the traits of each channel. Cells come in the order of kinds, channels,
/// delays.
[[nodiscard]] std::vector<Cell> measureInProcess(const LatencyOptions& options);

/// The report's tables, with what was published beside them; not when live.
void printTables(const std::vector<Cell>& cells, const LatencyOptions& options);
/// Makes the folder where there is none. Throws std::runtime_error where that cannot be, or files cannot be made in it.
void makeFolder(const std::string& folder);
/// DIR/bookbench.csv and DIR/bookbench.html with the three charts.
void writeFiles(const std::vector<Cell>& cells, const LatencyOptions& options, const std::string& folder);

/// Runs every cell between two threads of this process, connected over the loopback interface: from submit() of a
/// packet to onBookChanged (of messages: to the end of their callback). A packet is sent when the one before has come
/// and the delay has passed. `dictionary` is the path of an RDMFieldDictionary with its enumtype.def beside it.
[[nodiscard]] std::vector<Cell> measureLive(const LatencyOptions& options, const std::string& dictionary);

}  // namespace bookbench
