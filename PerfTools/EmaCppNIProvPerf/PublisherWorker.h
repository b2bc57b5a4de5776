// One thread of EmaCppNIProvPerf: a non-interactive provider, its items, its ticks.
#pragma once
#include "ConnectNotice.h"
#include "EmaDecode.h"
#include "ImageShare.h"
#include "ItemList.h"
#include "LibraryCounts.h"
#include "Outages.h"
#include "PublishedMessages.h"
#include "Report.h"
#include "Settings.h"
#include "TickSchedule.h"
#include "UpdateSender.h"
#include "Worker.h"
#include "emissary/Counter.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace emissary::perf {

/// Publishes an image for each of its items, then updates. The publishing thread runs the ticks; callbacks come on the
/// same thread with user dispatch, on a thread of the library otherwise.
class PublisherWorker final : public Worker, public refinitiv::ema::access::OmmProviderClient {
public:
    /// `number` counts from 1. The list outlives the worker.
    PublisherWorker(const NiProviderSettings& settings, std::size_t number, const ItemList& items,
                    const MessageData& messages);
    ~PublisherWorker() override;

    /// Lays the options over a configuration object, for thread `number`.
    static void configure(refinitiv::ema::access::OmmNiProviderConfig& config, const NiProviderSettings& settings,
                          std::size_t number);

    [[nodiscard]] std::string takeNews() override;
    [[nodiscard]] bool overBefore(std::string& outcome) const override;
    [[nodiscard]] OutageTotals outages(std::int64_t until) const { return outages_.totals(until); }
    /// With -mcastStats, the counters of the last half second.
    [[nodiscard]] MulticastStatistics multicast() const;
    [[nodiscard]] std::uint32_t itemCount() const noexcept { return share_.total(); }
    /// What it waits for, with the last failure; empty once it was connected. Any thread.
    [[nodiscard]] std::string waitsFor() const { return notice_.waitsFor(); }
    /// True when the connection was there and is lost: the test is over.
    [[nodiscard]] bool disconnected() const noexcept { return disconnected_.load(std::memory_order_acquire); }

    // Written by the dispatching thread.
    struct alignas(64) Received {
        Counter closes, statuses;
    };
    // Written by the publishing thread.
    struct alignas(64) Sent {
        Counter images, updates, updatesDropped, packs, packed;
    };
    [[nodiscard]] const Received& received() const noexcept { return received_; }
    [[nodiscard]] const Sent& sent() const noexcept { return sent_; }
    [[nodiscard]] SharedStatistics& encodeTimes() noexcept { return messages_.encodeTimes(); }
    [[nodiscard]] SharedStatistics& decodeTimes() noexcept { return decodeTimes_; }

    /// Of the whole test; nothing before the thread has ended.
    [[nodiscard]] LibraryCounts libraryCounts() const { return ended() ? libraryCounts_ : LibraryCounts(); }

private:
    using Event = refinitiv::ema::access::OmmProviderEvent;

    // Dispatching thread.
    void onRefreshMsg(const refinitiv::ema::access::RefreshMsg& message, const Event& event) override;
    void onStatusMsg(const refinitiv::ema::access::StatusMsg& message, const Event& event) override;
    void onLoginState(const refinitiv::ema::access::OmmState& state);
    void onClose(const refinitiv::ema::access::ReqMsg& message, const Event& event) override;
    void onPostMsg(const refinitiv::ema::access::PostMsg& message, const Event& event) override;
    void onGenericMsg(const refinitiv::ema::access::GenericMsg& message, const Event& event) override;
    void measureDecoding(const refinitiv::ema::access::Msg& message);
    void gone(std::uint64_t handle);
    /// Called on any thread when the connection is lost: ends the test, or begins an outage.
    void lost(bool forGood);

    // Publishing thread.
    void run() override;
    void release() override;
    [[nodiscard]] bool createProvider();
    void waitForRecovery(std::int64_t now);
    void tellChannel();
    void runTicks();
    void removeGone();
    void lookAtMulticast();
    void remove(std::uint64_t handle);
    void updateBurst(std::uint32_t count);
    void sendImages(std::int64_t until);
    [[nodiscard]] bool sendImage(std::uint32_t item);
    template <class Message>
    void setKey(Message& message, std::uint32_t item);

    /// Handles are the items' numbers from 1.
    [[nodiscard]] static std::uint64_t handleOf(std::uint32_t item) noexcept { return std::uint64_t{item} + 1; }
    [[nodiscard]] Domain domainOf(std::uint32_t item) const noexcept {
        return items_.entry(share_.listIndex(item)).domain;
    }
    [[nodiscard]] bool isOver() const noexcept { return stopping() || disconnected(); }

    const NiProviderSettings& settings_;
    const ItemList& items_;
    const ItemShare share_;
    ImageShare imageShare_;

    // Publishing thread.
    PublishedMessages messages_;
    std::uint32_t nextImage_ = 0;         // items before it have had their turn
    std::vector<std::uint32_t> live_;     // items whose image was sent
    std::size_t nextItem_ = 0;            // in live_
    std::vector<std::uint32_t> numbers_;  // the sequence number sent last of each item; grows when one is wanted
    TemplateTurns templateTurns_;
    refinitiv::ema::access::EmaString itemName_;
    refinitiv::ema::access::EmaString serviceName_;
    std::unique_ptr<UpdateSender> sender_;
    bool packs_ = true;  // cleared when the connection turns out not to take packs
    LatencyChooser chooser_;

    PayloadDecoder decoder_;  // dispatching thread
    mutable std::mutex goneMutex_;
    MulticastStatistics multicast_;       // guarded by goneMutex_
    std::vector<std::uint64_t> gone_;     // handles that the server closed; guarded by goneMutex_
    std::atomic<bool> anyGone_{false};    // saves the lock
    std::vector<std::uint64_t> goneNow_;  // publishing thread

    Received received_;
    Sent sent_;
    SharedStatistics decodeTimes_;
    std::atomic<bool> connected_{false};
    std::atomic<bool> disconnected_{false};
    std::atomic<bool> loginLost_{false};  // what the login's last message said
    std::atomic<bool> refusedForNow_{false};
    Outages outages_;
    ConnectNotice notice_;
    std::string news_;      // guarded by goneMutex_
    std::string lostText_;  // why, as the login said; guarded by goneMutex_
    LibraryCounts libraryCounts_;
    std::unique_ptr<refinitiv::ema::access::OmmProvider> provider_;
};

}  // namespace emissary::perf
