// Updates of items that clients get at most once in an interval (hub.md 8.2).
#pragma once

#include "hub/config/HubSettings.h"
#include "hub/conflate/PendingUpdates.h"
#include "hub/core/Client.h"
#include "hub/fanout/OutputLimits.h"
#include "hub/fanout/fanout_counts.h"
#include "reactor/Reactor.h"
#include "reactor/memory.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <span>
#include <vector>

namespace emissary::hub::fanout {

/// What the settings say about the rate of updates.
struct RateRules {
    /// Of services, by the number that FanOut::Subject::rule has; the first is that of services without an entry.
    std::vector<ServiceRates> services = std::vector<ServiceRates>(1);
    std::vector<std::optional<Conflation>> listeners;  ///< of their own, by their numbers; beyond them none
    /// Of user classes, by their numbers; the first is that of users without one.
    std::vector<std::optional<Conflation>> users = std::vector<std::optional<Conflation>>(1);
    std::size_t mostBytes = 256u << 20;  ///< of updates that wait for their interval; more go at once
    /// Of one login, by the numbers of listeners and of user classes; beyond them none.
    std::vector<OutputLimit> listenerLimits, userLimits = std::vector<OutputLimit>(1);

    friend bool operator==(const RateRules&, const RateRules&) = default;
};

/// Mounts for which listener, user class, service and the rate that was asked for come to the same rule make a class.
/// Of each item a class gets the first update at once; those that follow within the interval are joined into one, which
/// goes when the interval is over. An update that may not be joined goes at once, and what waits goes ahead of it:
/// order is kept, and nothing is lost but intermediate values. One record for each item and class, whatever the number
/// of clients.
///
/// An item that has records here keeps its number: drop() comes with its last mount. Thread of its reactor only, with
/// the session lock held. Allocates only while the number of items that wait grows.
class RateClasses {
public:
    static constexpr std::uint8_t kRealTime = 0;  ///< the class of clients that get updates as they come
    static constexpr std::size_t kMostClasses = kMostConflations;

    /// Sends what has waited.
    class Sender {
    public:
        /// To the clients of this class that have the item; returns the number of deliveries. May not call the object
        /// that calls it.
        virtual std::size_t sendToClass(std::uint32_t item, std::uint8_t rateClass, const eta::codec::Msg& msg) = 0;

    protected:
        ~Sender() = default;
    };

    RateClasses(reactor::Reactor& reactor, conflate::PayloadMerger& merger, Counts& counts, Sender& sender) noexcept
        : reactor_(reactor), merger_(merger), counts_(counts), sender_(sender) {}
    ~RateClasses() { reactor_.cancelTimer(timer_); }
    RateClasses(const RateClasses&) = delete;
    RateClasses& operator=(const RateClasses&) = delete;

    /// Before the first listener. Throws std::bad_alloc.
    void setRules(const RateRules& rules) {
        rules_ = rules;
        says_ = anySays(rules_);
    }
    /// The next listener. `types`: updates that `tradesafe` joins, bit n for type n.
    void addListener(std::uint64_t types);
    /// Other rules for the listeners there are, `types` for each. Nothing waits, because sendAll() was called. Throws
    /// std::bad_alloc; the rules are those of before then.
    void changeRules(const RateRules& rules, std::span<const std::uint64_t> types);
    /// Sends all that waits, of all items: classes or rules of clients are about to change, and whoever is in another
    /// class afterwards has lost nothing.
    void sendAll();

    /// Whether there is any class besides kRealTime.
    [[nodiscard]] bool active() const noexcept { return !classes_.empty(); }
    /// Whether services have different rules: one without an interval, `none`, counts too.
    [[nodiscard]] bool byService() const noexcept { return rules_.services.size() > 1; }
    /// Of that mount of the client, on an item of a service with that rule.
    [[nodiscard]] std::uint8_t of(std::uint8_t rule, const Mount& mount, const Client& client) const noexcept {
        const auto [listener, place] = placeOf(rule, mount, client);
        return listener != nullptr ? listener->classes[place] : kRealTime;
    }
    /// Of whoever has the rule of the service alone: a client of the first listener, in no class, that asked for no
    /// rate.
    [[nodiscard]] std::uint8_t of(std::uint8_t rule) const noexcept {
        return listeners_.empty() || rule >= rules_.services.size() ? kRealTime
                                                                    : listeners_.front().classes[rule * kWays];
    }
    /// Updates for this mount are never joined, not even when its client is behind.
    [[nodiscard]] bool never(std::uint8_t rule, const Mount& mount, const Client& client) const noexcept {
        const auto [listener, place] = placeOf(rule, mount, client);
        return listener != nullptr && listener->never[place];
    }
    /// Images of some mounts have another QoS than that of the source.
    [[nodiscard]] bool says() const noexcept { return says_; }
    /// The rule that the QoS of this mount's images says; null: they have that of the source.
    [[nodiscard]] const Conflation* said(std::uint8_t rule, const Mount& mount, const Client& client) const noexcept {
        const auto [listener, place] = placeOf(rule, mount, client);
        return listener != nullptr && listener->said[place] ? &*listener->said[place] : nullptr;
    }
    /// Whether clients of this class want updates of that type: one made of several is for whoever wants one of them.
    [[nodiscard]] bool wanted(std::uint8_t rateClass, std::uint64_t types, std::uint8_t type) const noexcept;

    /// True: the update is kept and goes later. False: the caller sends it now; what waited has been sent ahead.
    [[nodiscard]] bool waits(std::uint8_t rateClass, std::uint32_t item, const eta::codec::Msg& msg);
    /// Whether an update of the item waits for this class.
    [[nodiscard]] bool holds(std::uint8_t rateClass, std::uint32_t item) const noexcept;
    /// Sends what waits on the item: another message follows, or a mount goes or changes.
    void sendWaiting(std::uint32_t item);
    /// Nobody has the item any more.
    void drop(std::uint32_t item) noexcept;

private:
    using Time = reactor::TimePoint;
    struct Rule {
        Conflation::Mode mode = Conflation::Mode::jit;
        std::chrono::milliseconds interval{0};
        std::uint64_t types = 0;  ///< that are joined
        friend bool operator==(const Rule&, const Rule&) = default;
    };
    struct Due {
        Time at;
        std::uint32_t item = 0;
    };
    struct Class {
        Class(const Rule& r, conflate::PayloadMerger& merger, std::size_t mostBytes)
            : rule(r), pending(merger, mostBytes, kMostSpare) {}
        Rule rule;
        conflate::PendingUpdates pending;              ///< by the item's number
        reactor::ItemMap<std::uint32_t, Time> nextAt;  ///< of items that got an update within the interval
        std::vector<Due> due;                          ///< in order; from `first` on
        std::size_t first = 0;
        std::size_t counted = 0, countedBytes = 0;  ///< of `pending`, as the counts have it
    };
    struct Listener {
        // By user class, of each by the rule of a service, and of each by the rate that was asked for.
        std::vector<std::uint8_t> classes;
        std::vector<bool> never;
        std::vector<std::optional<Conflation>> said;
    };
    struct PlaceOf {
        const Listener* listener = nullptr;  ///< null: there is none with that number
        std::size_t place = 0;
    };
    static constexpr std::size_t kWays = kMostOfferedRates + 1;
    [[nodiscard]] PlaceOf placeOf(std::uint8_t rule, const Mount& mount, const Client& client) const noexcept {
        const std::size_t rules = rules_.services.size();
        if (client.listener >= listeners_.size() || rule >= rules || client.userClass >= rules_.users.size()) return {};
        const std::size_t ways = rules_.services[rule].ways();
        return {&listeners_[client.listener],
                (client.userClass * rules + rule) * kWays + (ways == 1 ? 0 : mount.qos() % ways)};
    }
    [[nodiscard]] static bool anySays(const RateRules& rules) noexcept {
        return std::ranges::any_of(rules.services,
                                   [](const ServiceRates& r) { return r.announced || !r.offered.empty(); });
    }
    static constexpr std::size_t kMostSpare = 65'536;        // records of updates that are used again
    static constexpr std::size_t kMostVoid = 1024;           // entries of `due`, besides one for each item
    static constexpr std::size_t kDeliveriesATurn = 20'000;  // of what is due; the rest waits for the next turn

    [[nodiscard]] Class& at(std::uint8_t rateClass) noexcept { return classes_[rateClass - 1u]; }
    [[nodiscard]] static std::uint8_t classFor(const Rule& rule, std::vector<Rule>& made);
    [[nodiscard]] Listener listener(std::size_t number, const RateRules& rules, std::uint64_t types,
                                    std::vector<Rule>& made) const;
    void makeClasses(const std::vector<Rule>& rules);
    std::size_t send(std::uint8_t rateClass, std::uint32_t item);
    void sent(Class& c, std::uint32_t item, Time now);
    void run();
    void arm(Time at);
    void count(Class& c) noexcept;

    reactor::Reactor& reactor_;
    conflate::PayloadMerger& merger_;
    Counts& counts_;
    Sender& sender_;
    RateRules rules_;
    std::deque<Class> classes_;  // kRealTime has none
    std::vector<Listener> listeners_;
    bool says_ = false;
    std::size_t turn_ = 0;  // the class that run() begins with
    reactor::TimerId timer_ = 0;
    Time timerAt_{};
};

}  // namespace emissary::hub::fanout
