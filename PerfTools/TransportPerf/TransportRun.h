// A run of TransportPerf: the threads, the listener, and what is reported about them.
#pragma once
#include "Report.h"
#include "ResourceSampler.h"
#include "TransportReport.h"
#include "TransportWorker.h"

#include <memory>
#include <string>
#include <vector>

namespace emissary::perf {

class TransportRun {
public:
    /// Opens the files and, for a server, the port. Throws InputError.
    explicit TransportRun(const TransportPerfSettings& settings);
    /// Until the run time is over, the connections have ended (client) or the user stops it. Returns the exit code.
    int run();

private:
    struct Thread {
        std::unique_ptr<TransportWorker> worker;
        std::unique_ptr<TextFile> stats, latencyFile;
        CounterDelta sent, received, bytesSent, bytesReceived, dropped;
        LatencySeries interval, whole;
    };

    void watch();
    void accept();
    void sample(std::int64_t now, const ResourceSample& resources, bool isLast);
    [[nodiscard]] std::string summary(double seconds) const;
    static void say(const std::string& text);

    const TransportPerfSettings& settings_;
    TextFile summaryFile_;
    std::unique_ptr<eta::transport::Server> server_;
    std::vector<std::unique_ptr<Thread>> threads_;
    ResourceSampler sampler_;
    ResourceStatistics resources_;
    std::int64_t start_ = 0, lastSample_ = 0;
    std::string outcome_;
    bool failed_ = false;
};

}  // namespace emissary::perf
