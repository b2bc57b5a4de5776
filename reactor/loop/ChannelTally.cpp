// Sums the counters of channels by their place, those that have ended included.
#include "loop/ChannelTally.h"

#include "loop/LinkTable.h"

namespace emissary::reactor {

void ChannelTotals::ended(const eta::transport::Channel& channel) noexcept {
    metrics::merge(counters, channel.counters(), true);
    if (isMulticast(channel.info().connectionType)) metrics::merge(multicast, channel.multicastCounters(), true);
}

void ChannelTotals::begins(const eta::transport::Channel& channel) noexcept {
    metrics::takeOff(counters, channel.counters());
}

/// Few enough for a label each; what comes beyond shares one.
ChannelTotals& ChannelTally::of(std::string place) {
    constexpr std::size_t kMostPlaces = 64;
    if (totals_.size() >= kMostPlaces && !totals_.contains(place)) place = "others";
    return totals_[std::move(place)];
}

void ChannelTally::collect(const LinkTable& links, const metrics::Labels& common, metrics::Snapshot& into) const {
    std::map<const ChannelTotals*, ChannelTotals> now;
    for (const auto& [name, totals] : totals_)
        now.emplace(&totals, totals);
    links.forEach([&now](const Link::Impl& link) {
        if (link.channel == nullptr || link.phase == Link::Impl::Phase::closed) return;
        ChannelTotals& t = now[link.totals];
        metrics::merge(t.counters, link.channel->counters());
        if (isMulticast(link.channel->info().connectionType)) {
            metrics::merge(t.multicast, link.channel->multicastCounters());
            t.anyMulticast = true;
        }
    });
    for (const auto& [name, totals] : totals_) {
        const ChannelTotals& t = now[&totals];
        metrics::Labels labels = common;
        labels.emplace_back("channel", name);
        into.add(t.counters, labels);
        if (t.anyMulticast) into.add(t.multicast, labels);
    }
}

}  // namespace emissary::reactor
