// reactor/rdm: quality of service: the better of two, whether one lies in a range, the best offer (rdm.md 1.3).
#pragma once

#include "eta/codec/Types.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace emissary::reactor::rdm {

using eta::codec::Qos;

namespace detail {
/// Position on the scale of one half of a QoS: the smaller the better; the info counts for value 3 only.
[[nodiscard]] constexpr std::uint32_t rank(std::uint8_t value, std::uint16_t info) noexcept {
    return static_cast<std::uint32_t>(value) << 16 | (value == 3 ? info : 0u);
}
[[nodiscard]] constexpr std::pair<std::uint32_t, std::uint32_t> rank(const Qos& q) noexcept {
    return {rank(q.timeliness, q.timeInfo), rank(q.rate, q.rateInfo)};
}
}  // namespace detail

/// True when both halves are values that may be encoded (unspecified is 0, the last one is 3).
[[nodiscard]] constexpr bool specified(const Qos& q) noexcept {
    return q.timeliness >= 1 && q.timeliness <= 3 && q.rate >= 1 && q.rate <= 3;
}
/// Timeliness is compared before rate.
[[nodiscard]] constexpr bool better(const Qos& a, const Qos& b) noexcept {
    return detail::rank(a) < detail::rank(b);
}
/// Same timeliness and rate; info values count only where they have a meaning.
[[nodiscard]] constexpr bool equal(const Qos& a, const Qos& b) noexcept {
    return detail::rank(a) == detail::rank(b);
}
/// Timeliness and rate, each on its own, lie between best and worst. An unspecified half is out of range.
[[nodiscard]] constexpr bool inRange(const Qos& q, const Qos& best, const Qos& worst) noexcept {
    if (!specified(q)) return false;
    const auto [time, rate] = detail::rank(q);
    const auto [bestTime, bestRate] = detail::rank(best);
    const auto [worstTime, worstRate] = detail::rank(worst);
    return time >= bestTime && time <= worstTime && rate >= bestRate && rate <= worstRate;
}

/// Orders offered values for chooseQos(): the best first, equal ones as they came.
inline void sortBestFirst(std::vector<Qos>& offered) {
    std::vector<std::pair<Qos, std::size_t>> numbered;  // std::stable_sort draws in what C++20 has removed
    numbered.reserve(offered.size());
    for (const Qos& q : offered)
        numbered.emplace_back(q, numbered.size());
    std::sort(numbered.begin(), numbered.end(), [](const auto& a, const auto& b) {
        return better(a.first, b.first) || (!better(b.first, a.first) && a.second < b.second);
    });
    for (std::size_t i = 0; i < offered.size(); ++i)
        offered[i] = numbered[i].first;
}

/// The offered QoS that a request gets, or null when none fits (session.md 4.1, step 6). `offered` is sorted best first
/// and empty means realtime tick-by-tick. No `wanted`: the best offered. `worst` null: `wanted` must be offered.
/// The answer points into `offered`, or to a constant.
[[nodiscard]] inline const Qos* chooseQos(std::span<const Qos> offered, const Qos* wanted, const Qos* worst) noexcept {
    if (offered.empty()) offered = {&eta::codec::kRealtimeTickByTick, 1};
    if (wanted == nullptr) return &offered.front();
    for (const Qos& q : offered) {
        if (worst == nullptr ? equal(q, *wanted) : inRange(q, *wanted, *worst)) return &q;
    }
    return nullptr;
}

}  // namespace emissary::reactor::rdm
