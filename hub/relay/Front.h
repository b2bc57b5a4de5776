// A thread that serves connections of clients: its reactor, their output, and a mirror of their mounts.
#pragma once

#include "hub/fanout/FanOut.h"
#include "hub/relay/FrontPort.h"
#include "hub/relay/MessageLog.h"
#include "hub/relay/Mirror.h"
#include "hub/relay/Wakeup.h"
#include "hub/relay/relay_counts.h"
#include "reactor/rdm/DirectoryNames.h"

#include <atomic>
#include <deque>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace emissary::hub::relay {

struct FrontOptions {
    std::string name;      ///< of its threads
    std::string instance;  ///< label of its counts
    std::string cpu;       ///< binding; empty = none
    const reactor::TimeSource* clock = nullptr;
    std::vector<fanout::SlowRules> slow;  ///< by the listener's number; beyond them the defaults
    fanout::RateRules rates;
};

/// Knows of an item only which streams of its clients are on it. Messages and their order come from the stage in one
/// ring. Never waits for the stage: when it cannot hand over the messages of its clients, it stops reading them and
/// goes on sending.
class Front final : reactor::EventSource {
public:
    static constexpr std::size_t kToFront = 1u << 16, kToStage = 1u << 13;  ///< records
    static constexpr std::size_t kMostToStage = 16u << 20;                  ///< bytes of messages for the stage

    /// Signals `stage` when a record for the stage is there.
    Front(const FrontOptions& options, Wakeup& stage);
    ~Front();  ///< stop() was called, if start() was
    Front(const Front&) = delete;
    Front& operator=(const Front&) = delete;

    // --- the stage's thread
    void start();
    /// Ends and joins the thread; records left in the ring are not handled.
    void stop() noexcept;
    [[nodiscard]] bool running() const noexcept { return thread_.joinable(); }
    [[nodiscard]] Ring<ToFront>& toFront() noexcept { return toFront_; }
    [[nodiscard]] Ring<ToStage>& toStage() noexcept { return toStage_; }
    [[nodiscard]] Wakeup& wakeup() noexcept { return wakeup_; }
    /// The ring to the stage has room again; wakes the front if it waits for that.
    void roomMade() noexcept {
        if (held_.load(std::memory_order_seq_cst)) wakeup_.signal();  // pairs with the store in relieve()
    }
    /// Signals the stage once, when this front has passed records after this call.
    void awaitPassed() noexcept {
        awaited_.exchange(true, std::memory_order_acq_rel);
    }  // pairs with that in takeSome()
    [[nodiscard]] reactor::Reactor& reactor() noexcept { return reactor_; }
    /// Adds the counts of this front, its clients and connections; `ofListeners`: with those of the ports, which all
    /// fronts share.
    void collect(reactor::metrics::Snapshot& into, bool ofListeners) const;

    // --- the front's thread, or its session lock held
    FrontPort& addPort(std::uint8_t listener, const std::string& name, const reactor::ProviderOptions& options,
                       bool expandsEnums, const client::WebRules& web);
    [[nodiscard]] FrontPort& port(std::size_t listener) noexcept { return *ports_[listener]; }
    /// As Relay::changeRules().
    void changeRules(const fanout::RateRules& rates, const std::vector<fanout::SlowRules>& slow,
                     const std::vector<std::uint8_t>& ofServices);
    void setDictionary(std::shared_ptr<const eta::dictionary::Dictionary> dictionary);
    [[nodiscard]] ClientTable& clients() noexcept { return clients_; }
    [[nodiscard]] fanout::FanOut& fanOut() noexcept { return *fanOut_; }
    [[nodiscard]] reactor::JsonSources jsonSources() const noexcept { return {dictionary_.get(), &told_, true}; }
    /// Throws std::bad_alloc, as the others do.
    void tell(ToStage record);
    /// With a message: as received, or one that is encoded here.
    void tell(ToStage record, eta::Bytes message);
    void tell(ToStage record, const eta::codec::Msg& message);

private:
    void run(const std::string& name, const std::string& cpu);
    void onReady(std::uint32_t epollEvents) noexcept override;
    std::size_t takeSome() noexcept;
    void take(const ToFront& record) noexcept;
    void apply(const ToFront& record, Client& client);
    void deliver(const ToFront& record);
    [[nodiscard]] static fanout::FanOut::List listOf(const MirrorItem& item, std::uint16_t service) noexcept;
    void mounted(const ToFront& record, Client& client);
    void unmounted(const ToFront& record, Client& client) noexcept;
    void answer(const ToFront& record, Client& client);
    /// Whether more waits for the stage than ring and log may hold.
    [[nodiscard]] bool overfull() noexcept;
    void relieve() noexcept;
    void handOver() noexcept;

    reactor::Reactor reactor_;
    Wakeup& stage_;
    Wakeup wakeup_;
    Ring<ToFront> toFront_{kToFront};
    Ring<ToStage> toStage_{kToStage};
    MessageLog log_{{&toStage_}};
    std::deque<ToStage> over_;  // found no room in toStage_
    FrontCounts counts_;
    ClientTable clients_;
    ViewTable views_;
    std::vector<std::uint16_t> stageViews_;  // the stage's numbers of views, by ours - 1
    MirrorTable items_;
    MirrorMounts mounts_{items_, clients_};
    const std::vector<fanout::SlowRules> slow_;
    std::unique_ptr<fanout::FanOut> fanOut_;
    reactor::rdm::Directory told_;
    const reactor::rdm::DirectoryNames names_{&told_};
    std::shared_ptr<const eta::dictionary::Dictionary> dictionary_;
    std::vector<std::unique_ptr<FrontPort>> ports_;
    const std::byte* last_ = nullptr;  // the message that was sent last
    eta::codec::Msg message_;          // decoded
    std::atomic<bool> stop_{false}, held_{false}, awaited_{false};
    std::string name_, cpu_;
    std::thread thread_;
};

}  // namespace emissary::hub::relay
