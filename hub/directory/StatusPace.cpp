// Spends a budget for each turn on statuses, and keeps the rest for later turns.
#include "hub/directory/StatusPace.h"

#include "reactor/metrics/Snapshot.h"

#include <algorithm>

namespace emissary::hub::directory {

namespace {
constexpr auto kPeriod = std::chrono::milliseconds(5);
}

StatusPace::StatusPace(ItemTable& items, ClientTable& clients, ServiceTable& services, flow::ItemFlow& flow,
                       reactor::Reactor& reactor, std::uint32_t rate)
    : items_(items), clients_(clients), services_(services), flow_(flow), reactor_(reactor), rate_(rate), budget_(rate),
      filled_(reactor.now()), metrics_(reactor, [this](reactor::metrics::Snapshot& into) { into.add(counts_); }) {}

StatusPace::~StatusPace() {
    reactor_.cancelTimer(timer_);
}

// Clients that hear group statuses cost nothing here.
std::uint32_t StatusPace::cost(const Item& item) const noexcept {
    return static_cast<std::uint32_t>(std::count_if(item.mounts, item.mounts + item.mountCount,
                                                    [&](const Mount& m) { return !clients_[m.client].hearsGroups; }));
}

void StatusPace::refill() noexcept {
    const reactor::TimePoint now = reactor_.now();
    // At most one second's budget is saved up.
    budget_ = std::min(rate_, budget_ + std::chrono::duration<double>(now - filled_).count() * rate_);
    filled_ = now;
}

bool StatusPace::now(const Item& item) {
    if (rate_ == 0) return true;
    const std::uint32_t wanted = cost(item);
    // Nobody needs a status of its own.
    if (wanted == 0) return true;
    // Behind those that wait: statuses keep their order.
    if (!waiting_.empty()) return false;
    refill();
    // An item with more mounts than one second's budget passes when the budget is full.
    if (budget_ < std::min<double>(wanted, rate_)) return false;
    budget_ -= wanted;
    return true;
}

void StatusPace::later(Item& item) {
    // What the item said when it was put in line. When it has changed until then, a newer status has been sent already,
    // or waits.
    const auto [at, fresh] = untold_.insert_or_assign(item.index, of(item));
    if (!fresh) return;  // it stands in line already, or one that was there before it
    waiting_.push_back(item.index);
    ++counts_.paced;
    counts_.waiting = waiting_.size();
    if (timer_ == 0) timer_ = reactor_.startTimer(kPeriod, [this] { goOn(); });
}

void StatusPace::tell(Item& item) {
    const std::uint32_t index = item.index, generation = item.generation;
    const bool watched = item.mountCount != 0;
    flow_.changeState(item, item.state(), flow::Tell::thoseWithoutGroups);
    // Its mounts may all have gone with that (hub.md 2.3).
    Item* const still = items_.find(index, generation);
    Service* const service = still != nullptr ? services_.find(still->service) : nullptr;
    if (watched && service != nullptr && still->mountCount == 0) service->supply->unwanted(*still);
}

void StatusPace::goOn() {
    timer_ = 0;
    refill();
    while (!waiting_.empty()) {
        const std::uint32_t index = waiting_.front();
        const Untold untold = untold_[index];
        Item* const item = items_.find(index, untold.generation);
        // Its state is another one by now, so this status is out of date.
        const bool same = item != nullptr && item->streamState == untold.stream && item->dataState == untold.data &&
                          item->code == untold.code;
        const std::uint32_t wanted = same ? cost(*item) : 0;
        // Waits for the next refill; an item with many mounts may need a full budget.
        if (rate_ != 0 && wanted != 0 && budget_ < std::min<double>(wanted, rate_)) break;
        budget_ -= wanted;
        waiting_.pop_front();
        untold_.erase(index);
        if (wanted != 0) tell(*item);
    }
    counts_.waiting = waiting_.size();
    if (!waiting_.empty() && timer_ == 0) timer_ = reactor_.startTimer(kPeriod, [this] { goOn(); });
}

}  // namespace emissary::hub::directory
