// A thread of TransportPerf: sends bursts on its connections and reads what arrives (perftools.md 5.2).
#pragma once
#include "ConnectedTime.h"
#include "Latency.h"
#include "TickSchedule.h"
#include "TransportSettings.h"
#include "Worker.h"
#include "emissary/Counter.h"

#include "eta/transport/Channel.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace emissary::perf {

/// What a worker counts; for any thread to read.
struct TransportCounters {
    Counter sent, received, bytesSent, bytesReceived, dropped;
    Counter misfits;  ///< multicast: messages that are too small or do not follow their sender's last one
};

/// Serves the connections of one thread: a client has one, a server's threads share those that it accepted.
class TransportWorker final : public Worker {
public:
    /// `allThreads` outlives the worker.
    TransportWorker(const TransportPerfSettings& settings, std::size_t number, ConnectedTime& allThreads);
    ~TransportWorker() override;

    void finish() noexcept override;
    /// A connection that the server accepted; from any thread.
    void take(std::unique_ptr<eta::transport::Channel> channel);

    [[nodiscard]] const TransportCounters& counters() const noexcept { return counters_; }
    [[nodiscard]] LatencyCollector& latencies() noexcept { return latencies_; }
    /// Connections that this worker serves, the ones still connecting included.
    [[nodiscard]] std::size_t connections() const noexcept { return connections_.load(std::memory_order_relaxed); }
    /// The time in which this worker had an active connection.
    [[nodiscard]] const ConnectedTime& connected() const noexcept { return connected_; }
    /// With -mcastStats, the counters of the last half second.
    [[nodiscard]] eta::transport::MulticastCounters multicast() const;
    /// What happened since the last call, one line each: connections made and lost.
    [[nodiscard]] std::string takeNews() override;

private:
    struct Connection;

    void run() override;
    void release() override;
    void wake() noexcept;
    void connect();
    void adopt(std::unique_ptr<eta::transport::Channel> channel);
    void adoptWaiting();
    void serve(Connection& c, std::uint32_t events);
    void establish(Connection& c);
    void read(Connection& c);
    bool sendBack(Connection& c, eta::Bytes message);
    bool receive(Connection& c, eta::Bytes message);
    bool misfit(Connection& c, const eta::transport::DatagramInfo* sender, const std::string& what);
    void burst(std::uint32_t tick);
    void send(Connection& c, std::uint32_t messages);
    [[nodiscard]] bool sendOne(Connection& c, std::uint64_t stamp);
    [[nodiscard]] std::uint32_t sendPack(Connection& c, std::uint32_t first, std::uint32_t messages);
    void writeHead(std::byte* to, Connection& c, std::uint64_t stamp) noexcept;
    [[nodiscard]] std::uint64_t stampFor(std::uint32_t index) const noexcept;
    void flush(Connection& c);
    void countBytes(Connection& c);
    void countMulticast(Connection& c);
    void watch(Connection& c);
    void lose(Connection& c, const std::string& why);
    void keepAlive(std::int64_t now);
    void wait(std::int64_t until);
    void tell(std::string line);
    void tellRarely(const std::string& line);

    const TransportPerfSettings& settings_;
    const bool polls_;
    unsigned polled_ = 0;
    std::int64_t tellAgainAt_ = 0;  // nowNanos()
    std::uint64_t untold_ = 0;
    TransportCounters counters_;
    LatencyCollector latencies_;
    ConnectedTime connected_;
    ConnectedTime& allConnected_;
    LatencyChooser chooser_;
    std::vector<std::unique_ptr<Connection>> list_;
    std::vector<std::byte> large_;  // a message beyond one fragment
    int epoll_ = -1, wake_ = -1;
    std::atomic<std::size_t> connections_{0};
    mutable std::mutex mutex_;  // guards what follows
    std::vector<std::unique_ptr<eta::transport::Channel>> waiting_;
    std::string news_;
    eta::transport::MulticastCounters multicast_;
};

}  // namespace emissary::perf
