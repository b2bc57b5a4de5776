// PerfTools/EmaCppConsPerf: one consumer thread: one connection, its share of the items, its ticks.
#pragma once
#include "ClosedItems.h"
#include "ConnectNotice.h"
#include "ConsumerTunnel.h"
#include "EmaDecode.h"
#include "ItemBurst.h"
#include "ItemList.h"
#include "Latency.h"
#include "LibraryCounts.h"
#include "Outages.h"
#include "SentMessages.h"
#include "ServiceWatch.h"
#include "Settings.h"
#include "SharedStatistics.h"
#include "Slices.h"
#include "StartupCount.h"
#include "TickSchedule.h"
#include "Worker.h"
#include "emissary/Counter.h"

#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace emissary::perf {

/// Connects, requests the items, reads everything that comes, and posts. Two threads work here: the worker thread runs
/// the ticks, and the dispatching thread makes the callbacks; with user dispatch they are the same thread. The main
/// thread reads the counters and latencies.
class ConsumerWorker final : public Worker, public refinitiv::ema::access::OmmConsumerClient {
public:
    /// `number` counts from 1. `items` and `messages` (templates of posts and generic messages) are borrowed, and
    /// outlive the worker.
    ConsumerWorker(const ConsumerSettings& settings, std::size_t number, const ItemList& items,
                   const MessageData& messages);
    ~ConsumerWorker() override;

    /// Lays the options over a configuration object, for thread `number`.
    static void configure(refinitiv::ema::access::OmmConsumerConfig& config, const ConsumerSettings& settings,
                          std::size_t number);

    [[nodiscard]] std::string takeNews() override;
    [[nodiscard]] OutageTotals outages(std::int64_t until) const { return outages_.totals(until); }

    /// Lets posts and generic messages begin, once every thread has its images.
    void beginSteadyState() noexcept { steady_.store(true, std::memory_order_release); }

    [[nodiscard]] std::uint32_t itemCount() const noexcept { return share_.total(); }
    /// nowNanos() of the first request, of the last image; 0 before that.
    [[nodiscard]] std::int64_t imageStart() const noexcept { return imageStart_.load(std::memory_order_acquire); }
    [[nodiscard]] std::int64_t imageEnd() const noexcept { return imageEnd_.load(std::memory_order_acquire); }

    // Written by the dispatching thread.
    struct alignas(64) Received {
        Counter images, refreshes, updates, statuses, generics;
    };
    // Written by the worker thread.
    struct alignas(64) Sent {
        Counter requests, posts, postsDropped, generics, genericsDropped, genericLatencies;
    };
    [[nodiscard]] const Received& received() const noexcept { return received_; }
    [[nodiscard]] const Sent& sent() const noexcept { return sent_; }
    /// Updates that came before steady state was to be measured: until the last image and the delay behind it.
    [[nodiscard]] std::uint64_t startupUpdates() const noexcept { return startup_.updates(received_.updates.get()); }
    [[nodiscard]] LatencyCollector& latencies() noexcept { return latencies_; }
    [[nodiscard]] SharedStatistics& decodeTimes() noexcept { return decodeTimes_; }
    [[nodiscard]] TunnelBuffers& tunnelBuffers() noexcept { return tunnel_.buffers(); }

    /// What kept the images from coming, as a line with the thread's name; empty when they are there. Any thread.
    [[nodiscard]] std::string missing() const;

    /// Of the whole test; nothing before the thread has ended.
    [[nodiscard]] LibraryCounts libraryCounts() const { return ended() ? libraryCounts_ : LibraryCounts(); }

private:
    using Event = refinitiv::ema::access::OmmConsumerEvent;

    /// With user dispatch messages are read after every 100 requests, some 0.1 ms: the requests of a tick may take
    /// longer than the tick.
    static constexpr std::uint32_t kRequestsOfSlice = 100;

    void onRefreshMsg(const refinitiv::ema::access::RefreshMsg& message, const Event& event) override;
    void onUpdateMsg(const refinitiv::ema::access::UpdateMsg& message, const Event& event) override;
    void onStatusMsg(const refinitiv::ema::access::StatusMsg& message, const Event& event) override;
    void onGenericMsg(const refinitiv::ema::access::GenericMsg& message, const Event& event) override;

    void run() override;
    void release() override;
    void work();
    void connect();
    void onLoginState(const refinitiv::ema::access::OmmState& state);
    void onLost(const refinitiv::ema::access::OmmState& state);
    void onTunnelState(const refinitiv::ema::access::OmmState& state);
    void onData();
    void waitForService();
    void keepTunnel();
    void runTicks();
    [[nodiscard]] bool hasWork() const noexcept;
    void tick(std::uint32_t tick);
    void requestBurst(std::uint32_t count);
    [[nodiscard]] bool request(std::uint32_t item);
    void reopen(std::uint32_t count);
    void wait(std::int64_t now, std::int64_t until);
    void onItemState(const refinitiv::ema::access::OmmState& state, std::uint32_t item, bool image);
    void recordLatency(LatencyKind kind, std::uint64_t stamp);

    const ConsumerSettings& settings_;
    const ItemList& items_;
    const ItemShare share_;

    // The record of one item; its size matters with 100,000 items.
    std::vector<std::uint64_t> handles_;  // written by the worker thread; empty when nothing is sent on items
    std::vector<std::uint8_t> imaged_;    // written by the dispatching thread
    ItemBurst posts_;
    ItemBurst generics_;

    SentMessages messages_;
    refinitiv::ema::access::ReqMsg request_;
    refinitiv::ema::access::EmaString itemName_;
    refinitiv::ema::access::EmaString serviceName_;
    std::uint32_t requested_ = 0;
    Slices requestSlices_{kRequestsOfSlice};
    ConsumerTunnel tunnel_;     // with -tunnel
    bool tunnelServed_ = true;  // the items were requested in the tunnel that is open

    PayloadDecoder decoder_;  // dispatching thread
    ServiceWatch service_;    // its changes: dispatching thread
    StartupCount startup_;
    // The first three of a login: seen by the dispatching thread, and at the start by the worker thread.
    std::atomic<bool> channelUp_{false};  // the login was accepted, and the test has begun
    std::atomic<bool> loginLost_{false};
    std::atomic<bool> refusedForNow_{false};
    std::string lostText_;  // written before loginLost_
    Outages outages_;
    ConnectNotice notice_;
    ClosedItems closed_;
    std::uint64_t ended_ = 0;               // items that were closed for good in the steady state
    std::vector<std::uint32_t> reopening_;  // worker thread

    Received received_;
    Sent sent_;
    LatencyCollector latencies_;
    SharedStatistics decodeTimes_;
    std::atomic<std::int64_t> imageStart_{0};
    std::atomic<std::int64_t> imageEnd_{0};
    std::atomic<bool> steady_{false};
    LibraryCounts libraryCounts_;
    std::unique_ptr<refinitiv::ema::access::OmmConsumer> consumer_;
};

}  // namespace emissary::perf
