// tools/wsload: the figures of a run, whether it passed, and how both are shown.
#pragma once

#include "Loader.h"
#include "Stalls.h"

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace emissary::wsload {

/// A line on the screen and in intervals.csv.
struct IntervalRow {
    std::string utc;  ///< "12:31:07"
    bool measured = false;
    unsigned clients = 0;
    double seconds = 0, messageRate = 0, byteRate = 0, busy = 0;         ///< busy: share of the busiest thread's second
    std::uint64_t p50 = 0, p99 = 0, p999 = 0, max = 0, largestTurn = 0;  ///< us
    Counts counts;
    Stalls::Found stalls;
};

/// Everything that is said of a run at its end.
struct Summary {
    bool allReady = false, interrupted = false, truthChecked = false;
    double measuredSeconds = 0, imageSeconds = 0;
    std::array<Latencies, kGroups> latencies;
    Counts counts;
    std::uint64_t warmupMost = 0, verified = 0, verifyErrors = 0, mixed = 0, returns = 0;
    std::uint64_t refused = 0, lost = 0, closed = 0, errors = 0, ended = 0, notReadyAtEnd = 0;
    std::uint64_t truthDifferences = 0;
    Latencies roundTrips;
    std::uint64_t posts = 0, acks = 0, naks = 0, strayAcks = 0, unanswered = 0;
    double staleSeconds = 0, longestReturn = 0, busy = 0, largestTurnMs = 0;
    std::string largestTurnAt;
    Stalls::Found stalls;
    bool stallsSpin = false;
    double rateMean = 0, rateLeast = 0, rateMost = 0;  ///< messages per second of a steady client
    std::string worst, worstItem, worstAt;             ///< the client with the latest message
    std::uint64_t worstUs = 0;
    std::vector<std::string> troubles;
    std::vector<IntervalRow> rows;
    std::vector<std::string> failures;  ///< why the run did not pass; empty: it did
};

/// "12:31:07.114" UTC of a moment of this run.
[[nodiscard]] std::string timeOfDay(eta::TimePoint t);

/// Takes the figures of ended threads; `summary` has the rows, seconds and flags already.
void gather(Summary& summary, const std::deque<Loader>& loaders, const Setup& setup);
/// Fills `failures`.
void judge(Summary& summary, const Options& options);
void print(const Summary& summary, const Options& options);
void printRow(const IntervalRow& row);
/// Makes the folder that files are written to later; throws std::runtime_error when that cannot be.
void makeFolder(const std::string& folder);
/// intervals.csv, clients.csv, distribution.csv, raw.csv and report.html. Throws std::runtime_error.
void writeFiles(const Summary& summary, const std::deque<Loader>& loaders, const Setup& setup);
/// The page.
void writePage(const Summary& summary, const Options& options, const std::string& path);

}  // namespace emissary::wsload
