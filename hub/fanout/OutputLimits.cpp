// Counts what logins with a limit get, and sends what waits for it.
#include "hub/fanout/OutputLimits.h"

#include "hub/conflate/PendingUpdates.h"

#include <algorithm>
#include <memory>
#include <new>

namespace emissary::hub::fanout {

namespace {

// Often enough that an update waits little longer than its limit demands.
constexpr std::chrono::milliseconds kPeriod{10};
// Sent to clients by one look at all of them; the next look follows in the next turn when this was not enough.
constexpr std::size_t kBytesARound = 256u << 10;
// Of a second: what a login may get at once after it has got less for a while.
constexpr double kBurst = 0.1;

[[nodiscard]] OutputLimit at(const std::vector<OutputLimit>& limits, std::size_t number) noexcept {
    return number < limits.size() ? limits[number] : OutputLimit{};
}

}  // namespace

Allowance::Allowance(const OutputLimit& limit, reactor::TimePoint now) noexcept
    : limit_(limit), mostUpdates_(std::max(1.0, static_cast<double>(limit.updates) * kBurst)),
      mostBytes_(std::max(1.0, static_cast<double>(limit.bytes) * kBurst)), updates_(mostUpdates_), bytes_(mostBytes_),
      at_(now) {}

void Allowance::refill(reactor::TimePoint now) noexcept {
    const double seconds = std::chrono::duration<double>(now - at_).count();
    at_ = now;
    updates_ = std::min(mostUpdates_, updates_ + static_cast<double>(limit_.updates) * seconds);
    bytes_ = std::min(mostBytes_, bytes_ + static_cast<double>(limit_.bytes) * seconds);
}

void Allowance::take(std::size_t bytes) noexcept {
    if (updates_ >= 1) updates_ -= 1;
    if (bytes_ > 0) bytes_ -= static_cast<double>(bytes);
}

void OutputLimits::setLimits(std::span<const OutputLimit> listeners, std::span<const OutputLimit> users) {
    std::vector<OutputLimit> ofListeners(listeners.begin(), listeners.end()), ofUsers(users.begin(), users.end());
    listeners_.swap(ofListeners);
    users_.swap(ofUsers);
    for (std::uint32_t i = 0; i < clients_.end(); ++i)
        if (Client* const client = clients_.find(i); client != nullptr && client->loggedIn) apply(*client);
}

/// What waits goes on waiting, and isOver() sends it, also when there is no limit any more: whatever comes meanwhile
/// must not overtake it.
void OutputLimits::apply(Client& client) {
    const OutputLimit limit = stricter(at(listeners_, client.listener), at(users_, client.userClass));
    if (!limit.any()) return client.allowance.reset();
    if (client.allowance == nullptr || client.allowance->limit() != limit)
        client.allowance = std::make_shared<Allowance>(limit, reactor_.now());
}

void OutputLimits::setOver(Client& client) noexcept try {
    over_.push_back({client.index, client.handle});
    client.overLimit = true;
    ++counts_.limited;
    counts_.overLimit = over_.size();
    watch(kPeriod);
} catch (const std::bad_alloc&) {  // it gets more than it may, until there is memory again
}

void OutputLimits::watch(std::chrono::milliseconds after) {
    if (timer_ != 0 || over_.empty()) return;
    timer_ = reactor_.startTimer(after, [this] {
        timer_ = 0;
        round();
    });
}

/// As long as something waits the client is over its limit, or behind: what comes next may not go ahead of it.
bool OutputLimits::isOver(Client& client, reactor::TimePoint now, std::size_t& left) noexcept {
    Allowance* const allowance = client.allowance.get();
    if (allowance != nullptr) allowance->refill(now);
    const auto may = [allowance] { return allowance == nullptr || !allowance->usedUp(); };
    if (!may()) return true;
    if (client.pending != nullptr && !client.behind) {
        if (left == 0) return true;
        try {
            left -= std::min(left, waiting_.sendOldest(client, left));
        } catch (const std::bad_alloc&) {  // in the middle of an update that goes in parts, perhaps
            waiting_.starved(client);
        }
        if (!client.pending->empty()) return true;
        client.pending.reset();
    }
    client.overLimit = !may();
    return client.overLimit;
}

void OutputLimits::round() {
    const reactor::TimePoint now = reactor_.now();
    std::size_t left = kBytesARound;
    std::size_t served = 0, kept = 0;  // `served`: of those that are kept, those that had something left to take from
    // What is sent may fill the log of the turn, and writing that out may add clients here: no iterator holds.
    for (std::size_t i = 0; i < over_.size(); ++i) {
        const Record r = over_[i];
        Client* const client = clients_.find(r.client);
        if (client == nullptr || client->handle != r.handle || client->link == nullptr || client->cutOff) continue;
        const bool there = left != 0;
        if (!isOver(*client, now, left)) continue;
        over_[kept++] = r;
        if (there) served = kept;
    }
    over_.resize(kept);
    // Those that the bytes of this round did not reach are the first of the next one.
    std::rotate(over_.begin(), over_.begin() + static_cast<std::ptrdiff_t>(served), over_.end());
    counts_.overLimit = over_.size();
    watch(left == 0 ? std::chrono::milliseconds(0) : kPeriod);
}

}  // namespace emissary::hub::fanout
