// Turns directories of publishers into offers, and keeps one publisher for a service in mode single.
#include "hub/publisher/PublisherOffers.h"

#include <algorithm>

namespace emissary::hub::publisher {

using reactor::rdm::Service;

namespace {

[[nodiscard]] bool tooLong(std::string_view name) noexcept {
    return name.size() > directory::Merge::kMostNameBytes;
}

}  // namespace

bool PublisherOffers::mayOffer(const PublisherSource& source, const std::string& service) const noexcept {
    return tooLong(service) || hasOneOf(source.groups(), services_.policyOf(service).publisherGroups);
}

void PublisherOffers::onOffer(PublisherSource& source, const Service& offered, std::uint32_t changed) {
    leaveOther(source, offered.id, offered.name());  // it may have had another name
    if (offered.name().empty() || tooLong(offered.name()) || !single(offered.name()))
        return merge_.onOffer(source, offered, changed);
    Queue& queue = queues_[offered.name()];
    if (std::ranges::find(queue, &source, &Offered::source) == queue.end()) {
        queued_[{&source, offered.id}] = offered.name();
        queue.push_back({&source, &offered});
    }
    if (queue.front().source == &source) return merge_.onOffer(source, offered, changed);
    if (const hub::Service* const service = services_.find(offered.name())) supply_.standsBy(source, *service);
}

void PublisherOffers::onOfferGone(PublisherSource& source, const Service& service) {
    leaveOther(source, service.id, {});
    merge_.onOfferGone(source, service.id, source.up());
}

void PublisherOffers::onSourceGone(PublisherSource& source) {
    for (auto at = queued_.lower_bound({&source, 0}); at != queued_.end() && at->first.first == &source;) {
        const std::string name = std::move(at->second);
        at = queued_.erase(at);
        leave(name, source);
    }
    merge_.onSourceGone(source);
}

hub::Service* PublisherOffers::serviceOf(const PublisherSource& source, std::uint16_t id) noexcept {
    if (hub::Service* const service = merge_.serviceOf(source, id)) return service;
    const auto at = queued_.find({&source, id});
    if (at == queued_.end()) return nullptr;
    const auto queue = queues_.find(at->second);
    if (queue == queues_.end() || queue->second.front().source == &source) return nullptr;  // Merge left it out
    hub::Service* const service = services_.find(at->second);
    return service != nullptr && service->published ? service : nullptr;
}

/// A publisher's id means another service now: it waits no longer for the one that it meant before.
void PublisherOffers::leaveOther(PublisherSource& source, std::uint16_t service, std::string_view butFor) {
    const auto at = queued_.find({&source, service});
    if (at == queued_.end() || at->second == butFor) return;
    const std::string name = std::move(at->second);
    queued_.erase(at);
    leave(name, source);
}

void PublisherOffers::leave(const std::string& name, PublisherSource& source) {
    const auto at = queues_.find(name);
    if (at == queues_.end()) return;
    Queue& queue = at->second;
    const bool first = queue.front().source == &source;
    if (std::erase_if(queue, [&](const Offered& o) { return o.source == &source; }) != 0 && !first)
        if (const hub::Service* const service = services_.find(name)) supply_.waitedInVain(source, *service);
    // Rights may have changed since the next one came, and the walk through all offers not have come to it.
    while (first && !queue.empty() && !mayOffer(*queue.front().source, name)) {
        const Offered barred = queue.front();
        queue.erase(queue.begin());
        queued_.erase({barred.source, barred.service->id});
        (void)barred.source->bar(barred.service->id, name);
        if (const hub::Service* const service = services_.find(name)) supply_.waitedInVain(*barred.source, *service);
    }
    if (queue.empty()) {
        queues_.erase(at);
        return;
    }
    if (!first) return;
    const Offered next = queue.front();
    merge_.onOffer(*next.source, *next.service, next.service->filters);
}

}  // namespace emissary::hub::publisher
