// PerfTools/EmaCppIProvPerf: one provider thread: a provider instance, the items of its clients, its ticks.
#pragma once
#include "BookPublisher.h"
#include "EmaDecode.h"
#include "EventSlices.h"
#include "ImageSender.h"
#include "Latency.h"
#include "LibraryCounts.h"
#include "OpenItems.h"
#include "PublishedMessages.h"
#include "RequestInbox.h"
#include "RoundTripProbe.h"
#include "Settings.h"
#include "TickSchedule.h"
#include "TunnelBuffers.h"
#include "UpdateSender.h"
#include "Worker.h"
#include "emissary/Counter.h"

#include <boost/unordered/unordered_flat_set.hpp>
#include <memory>
#include <string>
#include <vector>

namespace emissary::perf {

/// Answers logins and item requests and publishes. The publishing thread runs the ticks; callbacks come on the same
/// thread with user dispatch, on a thread of the library otherwise, and hand item events over through an inbox.
class ProviderWorker final : public Worker, public refinitiv::ema::access::OmmProviderClient {
public:
    /// `number` counts from 1.
    ProviderWorker(const ProviderSettings& settings, std::size_t number, const MessageData& messages);
    ~ProviderWorker() override;

    /// Lays the options over a configuration object, for thread `number`.
    static void configure(refinitiv::ema::access::OmmIProviderConfig& config, const ProviderSettings& settings,
                          std::size_t number);

    // Written by the dispatching thread.
    struct alignas(64) Received {
        Counter requests, closes, posts, postsReflected, generics;
    };
    // Written by the publishing thread.
    struct alignas(64) Sent {
        Counter images, updates, updatesDropped, postsReflected, generics, genericsDropped, genericLatencies, packs,
            packed;
    };
    [[nodiscard]] const Received& received() const noexcept { return received_; }
    [[nodiscard]] const Sent& sent() const noexcept { return sent_; }
    [[nodiscard]] LatencyCollector& latencies() noexcept { return latencies_; }
    [[nodiscard]] SharedStatistics& encodeTimes() noexcept { return messages_.encodeTimes(); }
    [[nodiscard]] SharedStatistics& decodeTimes() noexcept { return decodeTimes_; }
    /// Round trips of the probes on login streams, in microseconds.
    [[nodiscard]] SharedStatistics& roundTrips() noexcept { return roundTrips_.times(); }

    /// With -tunnelStreamBuffersUsed.
    [[nodiscard]] TunnelBuffers& tunnelBuffers() noexcept { return tunnelBuffers_; }

    /// Of the whole test; nothing before the thread has ended.
    [[nodiscard]] LibraryCounts libraryCounts() const { return ended() ? libraryCounts_ : LibraryCounts(); }

private:
    using Event = refinitiv::ema::access::OmmProviderEvent;

    /// Requests and closes that are looked at between two ticks: some 0.2 ms.
    static constexpr std::uint32_t kEventsOfSlice = 1000;

    void onReqMsg(const refinitiv::ema::access::ReqMsg& message, const Event& event) override;
    void onReissue(const refinitiv::ema::access::ReqMsg& message, const Event& event) override;
    void onClose(const refinitiv::ema::access::ReqMsg& message, const Event& event) override;
    void onPostMsg(const refinitiv::ema::access::PostMsg& message, const Event& event) override;
    void onGenericMsg(const refinitiv::ema::access::GenericMsg& message, const Event& event) override;

    // Dispatching thread.
    void onLogin(const refinitiv::ema::access::ReqMsg& message, const Event& event);
    void acknowledge(const refinitiv::ema::access::PostMsg& message, const Event& event, bool ok);
    void noteStandby(const refinitiv::ema::access::GenericMsg& message, const Event& event);
    void queueItem(ItemEvent::Kind kind, const refinitiv::ema::access::ReqMsg& message, const Event& event);

    // Publishing thread.
    void run() override;
    void release() override;
    void createProvider();
    void runTicks();
    [[nodiscard]] bool hasWork() const noexcept;
    void waitForRequests(std::int64_t now);
    void wait(std::int64_t now, std::int64_t until);
    void takeEvents();
    void takeEvent(const ItemEvent& event, std::string_view name);
    void refuseBeyondLimit(const ItemEvent& event);
    void reflectOffStream(const OffStreamPost& post);
    void tick(std::uint32_t tick);
    void updateBurst(Connection& connection, std::uint32_t count);
    [[nodiscard]] const refinitiv::ema::access::UpdateMsg& buildUpdate(Connection& connection, const OpenItem& item,
                                                                       bool latency);
    [[nodiscard]] bool numbered(const OpenItem& item) const noexcept;
    void genericBurst(Connection& connection, std::uint32_t count);
    void sendGeneric(Connection& connection, const GenericItem& item, bool latency);

    const ProviderSettings& settings_;
    PublishedMessages messages_;  // publishing thread; which domains there are: any

    // Publishing thread.
    OpenItems items_;
    boost::unordered_flat_set<std::uint64_t>
        standbyClients_;  // items of these clients get images, but neither updates nor generic messages
    RoundTripProbe roundTrips_;
    EventSlices<ItemEvents> events_{kEventsOfSlice};
    BookPublisher books_;  // with -bookOrders
    ImageSender images_;
    std::unique_ptr<UpdateSender> sender_;
    LatencyChooser updateChooser_;
    LatencyChooser genericChooser_;

    // Dispatching thread.
    PayloadDecoder decoder_;
    refinitiv::ema::access::UpdateMsg reflected_;
    boost::unordered_flat_set<std::uint64_t> logins_;

    RequestInbox inbox_;
    Received received_;
    Sent sent_;
    LatencyCollector latencies_;
    SharedStatistics decodeTimes_;
    TunnelBuffers tunnelBuffers_;
    LibraryCounts libraryCounts_;
    std::unique_ptr<refinitiv::ema::access::OmmProvider> provider_;
};

}  // namespace emissary::perf
