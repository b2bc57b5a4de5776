// Counts how many connections become WebSockets, or begin TLS, in a second.
#pragma once

#include "eta/core/Clock.h"
#include "eta/core/addresses.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string_view>

namespace emissary::eta::transport {

/// So many a second on average. What was left over may come at once, up to ten seconds' worth: the clients of a server
/// that was started again all come back in the same moment. One address may have half of it, and the other half stays
/// for others. Any thread; takes its mutex.
class UpgradeRate {
public:
    static constexpr std::uint32_t kBurstSeconds = 10;
    /// 0: no limit.
    explicit UpgradeRate(std::uint32_t perSecond) noexcept : perSecond_(perSecond) {}
    /// One more wants to, from that address (Admission::keyOf); null: its share is not limited. False: not now.
    [[nodiscard]] bool take(TimePoint now, const AddressKey* address) noexcept {
        if (perSecond_ == 0) return true;
        const std::lock_guard guard(mutex_);
        Bucket* const share = address == nullptr ? nullptr : &shares_[placeOf(*address)];
        refill(all_, perSecond_, now);
        if (share != nullptr) refill(*share, perSecond_ / 2.0, now);
        if (all_.left < 1 || (share != nullptr && share->left < 1)) return false;
        all_.left -= 1;
        if (share != nullptr) share->left -= 1;
        return true;
    }

private:
    struct Bucket {
        double left = 0;
        TimePoint since{};  // zero: it was never used, and is full
    };
    // Addresses that meet in one place share it: a table of all addresses could be filled by whoever has many.
    static constexpr std::size_t kShares = 1024;

    static std::size_t placeOf(const AddressKey& key) noexcept {
        const std::string_view bytes(reinterpret_cast<const char*>(key.data()), key.size());
        return std::hash<std::string_view>{}(bytes) % kShares;
    }
    static void refill(Bucket& b, double perSecond, TimePoint now) noexcept {
        const double most = std::max(perSecond * kBurstSeconds, 1.0);
        if (b.since == TimePoint{}) b.left = most;
        else if (now > b.since)
            b.left = std::min(most, b.left + std::chrono::duration<double>(now - b.since).count() * perSecond);
        b.since = std::max(b.since, now);
    }

    const std::uint32_t perSecond_;
    std::mutex mutex_;
    Bucket all_;                            // under mutex_
    std::array<Bucket, kShares> shares_{};  // under mutex_
};

}  // namespace emissary::eta::transport
