#include "hub/source/PublisherOffers.h"

#include <algorithm>

namespace emissary::hub::source {

using reactor::rdm::Service;

void PublisherOffers::onOffer(PublisherSource& source, const Service& offered, std::uint32_t changed) {
    leaveAll(source, offered, offered.name());  // it may have had another name
    if (offered.name().empty() || !single(offered.name())) return merge_.onOffer(source, offered, changed);
    Queue& queue = queues_[offered.name()];
    if (std::ranges::find(queue, &source, &Offered::source) == queue.end()) queue.push_back({&source, &offered});
    if (queue.front().source == &source) merge_.onOffer(source, offered, changed);
}

void PublisherOffers::onOfferGone(PublisherSource& source, const Service& service) {
    leaveAll(source, service, {});
    merge_.onOfferGone(source, service.id, true);
}

void PublisherOffers::onSourceGone(PublisherSource& source) {
    std::vector<std::string> names;
    for (const auto& [name, queue] : queues_)
        if (std::ranges::find(queue, &source, &Offered::source) != queue.end()) names.push_back(name);
    for (const std::string& name : names)
        leave(name, source);
    merge_.onSourceGone(source);
}

void PublisherOffers::leaveAll(const PublisherSource& source, const Service& service, std::string_view butFor) {
    std::vector<std::string> names;
    for (const auto& [name, queue] : queues_)
        if (name != butFor &&
            std::ranges::any_of(queue, [&](const Offered& o) { return o.source == &source && o.service == &service; }))
            names.push_back(name);
    for (const std::string& name : names)
        leave(name, source);
}

void PublisherOffers::leave(const std::string& name, const PublisherSource& source) {
    const auto at = queues_.find(name);
    if (at == queues_.end()) return;
    Queue& queue = at->second;
    const bool first = queue.front().source == &source;
    std::erase_if(queue, [&](const Offered& o) { return o.source == &source; });
    if (queue.empty()) {
        queues_.erase(at);
        return;
    }
    if (!first) return;
    const Offered next = queue.front();
    merge_.onOffer(*next.source, *next.service, next.service->filters);
}

}  // namespace emissary::hub::source
