// Puts the QoS of sources and the rates of the hub together.
#include "hub/core/served_qos.h"

#include <algorithm>

namespace emissary::hub {

using eta::codec::Qos;
namespace rdm = reactor::rdm;

namespace {
constexpr std::uint8_t kJustInTime = 2, kTimeConflated = 3;  // rdm.md 1.3
constexpr std::size_t kNumbers = Mount::kWorstQos + 1u;
}  // namespace

Qos atRate(Qos qos, const Conflation& rule) noexcept {
    Qos made = qos;
    switch (rule.mode) {
    case Conflation::Mode::none:
        return qos;
    case Conflation::Mode::jit:
        made.rate = kJustInTime;
        made.rateInfo = 0;
        break;
    case Conflation::Mode::tradesafe:
    case Conflation::Mode::interval:
        made.rate = kTimeConflated;
        made.rateInfo = static_cast<std::uint16_t>(std::min<std::int64_t>(rule.interval.count(), 0xFFFF));
        break;
    }
    return rdm::better(qos, made) ? made : qos;
}

std::vector<ServedQos> servedQos(const Service& service) {
    const ServiceSettings& policy = service.policy;
    const std::size_t ways = policy.offeredRates.size() + 1;
    std::span<const Qos> sources = service.merged.info.qos;
    if (sources.empty()) sources = {&eta::codec::kRealtimeTickByTick, 1};
    std::vector<ServedQos> all;
    for (std::size_t place = 0; place < std::min(sources.size(), kNumbers / ways); ++place)
        for (std::size_t way = 0; way < ways; ++way) {
            Qos qos = sources[place];
            if (policy.announceRate && policy.conflation.hasInterval()) qos = atRate(qos, policy.conflation);
            if (way != 0) qos = atRate(qos, policy.offeredRates[way - 1]);
            if (std::ranges::none_of(all, [&](const ServedQos& s) { return rdm::equal(s.qos, qos); }))
                all.push_back({qos, place * ways + way});
        }
    std::ranges::sort(all, [](const ServedQos& a, const ServedQos& b) { return rdm::better(a.qos, b.qos); });
    return all;
}

std::size_t numberOf(const Service& service, std::size_t place) noexcept {
    const std::size_t ways = service.policy.offeredRates.size() + 1;
    return std::min(place, kNumbers / ways - 1) * ways;
}

}  // namespace emissary::hub
