// Keeps updates until the interval of their item is over, and sends them then, some in each turn.
#include "hub/fanout/RateClasses.h"

#include <algorithm>
#include <new>
#include <utility>

namespace emissary::hub::fanout {

namespace {

using Mode = Conflation::Mode;

constexpr std::chrono::milliseconds kAgain{100};  // memory was short

[[nodiscard]] std::int32_t keyOf(std::uint32_t item) noexcept {
    return static_cast<std::int32_t>(item);
}

}  // namespace

std::uint8_t RateClasses::classFor(const Rule& rule, std::vector<Rule>& made) {
    const auto found = std::ranges::find(made, rule);
    if (found != made.end()) return static_cast<std::uint8_t>(found - made.begin() + 1);
    if (made.size() == kMostClasses) return static_cast<std::uint8_t>(kMostClasses);  // the configuration forbids it
    made.push_back(rule);
    return static_cast<std::uint8_t>(made.size());
}

RateClasses::Listener RateClasses::listener(std::size_t number, const RateRules& rules, std::uint64_t types,
                                            std::vector<Rule>& made) const {
    const std::optional<Conflation> own = number < rules.listeners.size() ? rules.listeners[number] : std::nullopt;
    Listener out;
    for (const auto& user : rules.users)
        for (const ServiceRates& service : rules.services)
            for (std::size_t way = 0; way < kWays; ++way) {
                Conflation rule = stricter(stricter(service.rule, own), user);
                const bool wanted = way != 0 && way < service.ways();
                if (wanted) rule = asked(rule, service.offered[way - 1]);
                out.never.push_back(rule.mode == Mode::none);
                out.classes.push_back(
                    rule.hasInterval()
                        ? classFor({rule.mode, rule.interval, rule.mode == Mode::interval ? ~0ull : types}, made)
                        : kRealTime);
                // What is said is what holds, also where port or user class make it lower.
                const bool says = wanted || (service.announced && rule.hasInterval());
                out.said.push_back(says ? std::optional(rule) : std::nullopt);
            }
    return out;
}

/// One for each of the rules; the first of them may be there already.
void RateClasses::makeClasses(const std::vector<Rule>& rules) {
    for (std::size_t i = classes_.size(); i < rules.size(); ++i)
        classes_.emplace_back(rules[i], merger_, rules_.mostBytes);
}

void RateClasses::addListener(std::uint64_t types) {
    std::vector<Rule> made;
    for (const Class& c : classes_)
        made.push_back(c.rule);
    listeners_.push_back(listener(listeners_.size(), rules_, types, made));
    makeClasses(made);
}

void RateClasses::changeRules(const RateRules& rules, std::span<const std::uint64_t> types) {
    std::vector<Rule> made;
    std::vector<Listener> listeners;
    for (const std::uint64_t one : types)
        listeners.push_back(listener(listeners.size(), rules, one, made));
    RateRules kept = rules;
    std::deque<Class> classes;
    for (const Rule& rule : made)
        classes.emplace_back(rule, merger_, kept.mostBytes);
    classes_.swap(classes);
    listeners_.swap(listeners);
    std::swap(rules_, kept);
    says_ = anySays(rules_);
    for (const Class& c : classes) {
        counts_.conflating = counts_.conflating.get() - c.counted;
        counts_.conflatedBytes = counts_.conflatedBytes.get() - c.countedBytes;
    }
    reactor_.cancelTimer(std::exchange(timer_, 0));
}

void RateClasses::sendAll() {
    for (std::size_t i = 0; i < classes_.size(); ++i) {
        Class& c = classes_[i];
        std::uint32_t item = 0;
        while (c.pending.takeOldest([&](std::int32_t key, const eta::codec::Msg& msg) {
            item = static_cast<std::uint32_t>(key);
            sender_.sendToClass(item, static_cast<std::uint8_t>(i + 1), msg);
        }))
            sent(c, item, reactor_.now());
        count(c);
    }
}

bool RateClasses::wanted(std::uint8_t rateClass, std::uint64_t types, std::uint8_t type) const noexcept {
    if (type > 63 || (types >> type & 1) != 0) return true;
    return type == conflate::kMultiple && (types & classes_[rateClass - 1u].rule.types) != 0;
}

bool RateClasses::waits(std::uint8_t rateClass, std::uint32_t item, const eta::codec::Msg& msg) {
    Class& c = at(rateClass);
    using Offered = conflate::PendingUpdates::Offered;
    const Time now = reactor_.now();
    const bool may = conflate::mayWait(msg, c.rule.types);
    const auto known = c.nextAt.find(item);
    if (known == c.nextAt.end()) {
        if (may) sent(c, item, now);
        return false;
    }
    if (may) switch (c.pending.offer(keyOf(item), msg, now)) {
        case Offered::joined:
            ++counts_.conflated;
            [[fallthrough]];
        case Offered::waits:
            count(c);
            return true;
        case Offered::full:
            ++counts_.unconflated;
            break;
        case Offered::asIs:
            break;
        }
    if (send(rateClass, item) != 0 || may) sent(c, item, now);
    return false;
}

bool RateClasses::holds(std::uint8_t rateClass, std::uint32_t item) const noexcept {
    return rateClass != kRealTime && classes_[rateClass - 1u].pending.holds(keyOf(item));
}

/// The number of deliveries; 0: nothing waited, or nobody is there.
std::size_t RateClasses::send(std::uint8_t rateClass, std::uint32_t item) {
    std::size_t deliveries = 0;
    Class& c = at(rateClass);
    if (c.pending.take(keyOf(item), [&](std::int32_t, const eta::codec::Msg& msg) {
            deliveries += sender_.sendToClass(item, rateClass, msg);
        }))
        count(c);
    return deliveries;
}

void RateClasses::sendWaiting(std::uint32_t item) {
    for (std::size_t i = 0; i < classes_.size(); ++i)
        if (Class& c = classes_[i]; c.pending.holds(keyOf(item))) {
            send(static_cast<std::uint8_t>(i + 1), item);
            sent(c, item, reactor_.now());
        }
}

void RateClasses::drop(std::uint32_t item) noexcept {
    for (Class& c : classes_) {
        c.pending.drop(keyOf(item));
        c.nextAt.erase(item);
        count(c);
    }
}

/// The class has got an update of the item. An entry that is in the queue already becomes void.
void RateClasses::sent(Class& c, std::uint32_t item, Time now) {
    const Time at = now + c.rule.interval;
    const auto known = c.nextAt.find(item);
    if (known != c.nextAt.end() && known->second == at) return;
    c.due.push_back({at, item});
    if (known != c.nextAt.end()) known->second = at;
    else c.nextAt.emplace(item, at);
    // An item whose updates may not wait voids one entry after the other: no more void ones than items.
    if (c.due.size() - c.first > 2 * c.nextAt.size() + kMostVoid) {
        const auto first = c.due.begin() + static_cast<std::ptrdiff_t>(c.first);
        c.due.erase(std::remove_if(first, c.due.end(),
                                   [&](const Due& d) {
                                       const auto of = c.nextAt.find(d.item);
                                       return of == c.nextAt.end() || of->second != d.at;
                                   }),
                    c.due.end());
    }
    if (timer_ == 0 || at < timerAt_) arm(at);
}

void RateClasses::arm(Time at) {
    reactor_.cancelTimer(std::exchange(timer_, 0));
    timerAt_ = at;
    timer_ = reactor_.startTimer(std::max(reactor::Duration::zero(), at - reactor_.now()), [this] {
        timer_ = 0;
        run();
    });
}

void RateClasses::run() {
    const Time now = reactor_.now();
    std::size_t left = kDeliveriesATurn;
    for (std::size_t n = 0; n < classes_.size(); ++n) {
        const std::size_t i = turn_++ % classes_.size();
        Class& c = classes_[i];
        while (left != 0 && c.first < c.due.size() && c.due[c.first].at <= now) {
            const Due due = c.due[c.first];
            const auto known = c.nextAt.find(due.item);
            if (known != c.nextAt.end() && known->second == due.at) {
                if (c.pending.holds(keyOf(due.item))) try {
                        left -= std::min(left, send(static_cast<std::uint8_t>(i + 1), due.item) + 1);
                        sent(c, due.item, now);
                    } catch (const std::bad_alloc&) { return arm(now + kAgain); }
                else c.nextAt.erase(known);
            }
            ++c.first;
        }
        if (c.first * 2 > c.due.size()) {
            c.due.erase(c.due.begin(), c.due.begin() + static_cast<std::ptrdiff_t>(c.first));
            c.first = 0;
        }
    }
    ++turn_;
    std::optional<Time> next;
    for (const Class& c : classes_)
        if (c.first < c.due.size() && (!next || c.due[c.first].at < *next)) next = c.due[c.first].at;
    if (next) arm(*next);
}

/// Levels are of all classes: what has changed in one is added.
void RateClasses::count(Class& c) noexcept {
    const std::size_t size = c.pending.size(), bytes = c.pending.memory();
    counts_.conflating = counts_.conflating.get() + size - std::exchange(c.counted, size);
    counts_.conflatedBytes = counts_.conflatedBytes.get() + bytes - std::exchange(c.countedBytes, bytes);
}

}  // namespace emissary::hub::fanout
