// A run of TransportPerf: the threads, the listener, and what is reported about them.
#pragma once
#include "Run.h"
#include "TransportReport.h"
#include "TransportWorker.h"

#include <memory>
#include <string>
#include <vector>

namespace emissary::perf {

class TransportRun final : public WorkerRun {
public:
    /// Opens the files and, for a server, the port. Throws InputError.
    explicit TransportRun(const TransportPerfSettings& settings);

private:
    struct Thread {
        std::unique_ptr<TransportWorker> worker;
        std::unique_ptr<TextFile> stats, latencyFile;
        CounterDelta sent, received, bytesSent, bytesReceived, dropped, misfits;
        LatencySeries interval, whole;
        LateTicks allLate;
        double connected = 0.0;  // seconds with a connection, until the sample before
    };

    void startThreads() override;
    /// When the run time is over, or the connections have ended (client).
    [[nodiscard]] bool over(std::int64_t now, std::string& outcome) override;
    void wait(std::int64_t until) override;
    void stopThreads(std::string& outcome) override;
    void sampleThreads(const Sample& sample) override;
    void tellOutcome(const std::string& outcome) override;
    [[nodiscard]] std::string summary(std::int64_t end) override;
    void accept();
    /// What rates are computed over: a server's connected time, all of a client's run.
    [[nodiscard]] double secondsOf(const ConnectedTime& connected, std::int64_t end) const;

    const TransportPerfSettings& settings_;
    std::unique_ptr<eta::transport::Server> server_;
    ConnectedTime connected_;  // of all threads
    std::vector<std::unique_ptr<Thread>> threads_;
};

}  // namespace emissary::perf
