// hub/backbone: updates of exported items that other hubs get at most once in an interval (ExportConflation).
#pragma once

#include "hub/config/HubSettings.h"
#include "hub/conflate/PayloadMerger.h"
#include "hub/fanout/RateClasses.h"
#include "reactor/Reactor.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace emissary::hub::backbone {

/// What the settings say of it.
struct ExportRules {
    std::vector<Conflation> rules;       ///< with an interval, each once
    std::uint64_t types = 0;             ///< updates that `tradesafe` joins, bit n for type n
    std::size_t mostBytes = 256u << 20;  ///< of updates that wait for their interval; more go at once
    [[nodiscard]] static ExportRules of(const HubSettings& s) {
        return {s.exportRates(), s.conflateTypes, s.conflationBytes};
    }
    friend bool operator==(const ExportRules&, const ExportRules&) = default;
};

/// The intervals that clients have (fanout::RateClasses), for items by their numbers in the mesh: of each item the
/// first update goes at once, and those that follow within the interval are joined into one. All other hubs get the
/// same, so an update is joined once whatever their number. Stage thread, with the session lock held.
class ExportRates final : fanout::RateClasses::Sender {
public:
    static constexpr std::uint8_t kAsTheyCome = fanout::RateClasses::kRealTime;
    /// Gets what has waited. It may not call back.
    using Send = std::function<void(std::uint32_t number, const eta::codec::Msg& msg)>;

    ExportRates(reactor::Reactor& reactor, ExportRules rules, Send send);
    ExportRates(const ExportRates&) = delete;
    ExportRates& operator=(const ExportRates&) = delete;

    /// Says what may be joined; field lists are not without one.
    void setDictionary(const std::shared_ptr<const eta::dictionary::Dictionary>& dictionary);
    /// What waits goes out under the old rules; numbers of classOf() mean something else afterwards. Throws
    /// std::bad_alloc.
    void change(ExportRules rules);
    /// The number for waits().
    [[nodiscard]] std::uint8_t classOf(const Conflation& rule) const noexcept;

    /// True: the update is kept and goes later. False: the caller sends it now; what waited has been sent ahead. Throws
    /// std::bad_alloc.
    [[nodiscard]] bool waits(std::uint8_t rateClass, std::uint32_t number, const eta::codec::Msg& update) {
        return rateClass != kAsTheyCome && joined_->rates.waits(rateClass, number, update);
    }
    /// Sends what waits on the item: another message or an image follows. Throws std::bad_alloc.
    void sendWaiting(std::uint32_t number) {
        if (joined_) joined_->rates.sendWaiting(number);
    }
    /// No other hub has the item any more.
    void drop(std::uint32_t number) noexcept {
        if (joined_) joined_->rates.drop(number);
    }
    /// Of those for clients the ones about intervals.
    [[nodiscard]] const fanout::Counts& counts() const noexcept { return counts_; }

private:
    std::size_t sendToClass(std::uint32_t number, std::uint8_t rateClass, const eta::codec::Msg& msg) override;
    void make();

    /// There is one where a rule has an interval: tables of fields take memory.
    struct Joined {
        Joined(reactor::Reactor& reactor, fanout::Counts& counts, Sender& sender)
            : rates(reactor, merger, counts, sender) {}
        conflate::PayloadMerger merger;
        fanout::RateClasses rates;
    };
    reactor::Reactor& reactor_;
    ExportRules rules_;
    const Send send_;
    fanout::Counts counts_;
    std::shared_ptr<const eta::dictionary::Dictionary> dictionary_;
    std::unique_ptr<Joined> joined_;
};

}  // namespace emissary::hub::backbone
