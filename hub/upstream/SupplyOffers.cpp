// Items that go between publishers and those who are asked for them (hub.md 4.7).
#include "hub/upstream/InteractiveSupply.h"

namespace emissary::hub::upstream {

using flow::Event, flow::ItemLife;
using Phase = Item::Phase;

bool InteractiveSupply::canAsk(const Service& service, const Item& item) const noexcept {
    if (Lanes::anybody(service, item.domain)) return true;
    return fallback_ != nullptr && service.mesh.usable() && service.mesh.service->info.supportsDomain(item.domain);
}

void InteractiveSupply::ask(Item& item) {
    Service* const service = rooms_.services.find(item.service);
    if (service != nullptr) place(*service, item);
}

void InteractiveSupply::giveUp(Item& item) {
    const std::uint16_t service = item.service;
    const bool had = item.phase == Phase::open, freed = item.source != nullptr;
    release(item, true);
    rooms_.groupStates.groups().take(item);  // they are the source's
    queues_.apply(item, Event::released);
    if (had) ItemLife::apply(item, Event::otherStream);
    if (freed) goOn(service);
}

bool InteractiveSupply::toPublisher(Item& item) {
    if (published_ == nullptr || item.is(Item::isPrivate) || !published_->ready(item)) return false;
    giveUp(item);
    return published_->take(item);
}

void InteractiveSupply::seekUnserved(const Service& service) {
    if (published_ == nullptr || !service.published || rooms_.items.count(service.id, nullptr) == 0) return;
    slices_.add({service.id, nullptr},
                [this, id = service.id, left = rooms_.items.count(service.id, nullptr)]() mutable {
                    Item* const item = left != 0 ? rooms_.items.first(id, nullptr) : nullptr;
                    const Service* const there = rooms_.services.find(id);
                    if (item == nullptr || there == nullptr) return false;
                    --left;
                    rooms_.items.toBack(*item);
                    seekUnserved(*there, *item);
                    return true;
                });
}

void InteractiveSupply::seekUnserved(const Service& service, Item& item) {
    // What posts have made stays the posters'; private streams end with their source.
    if (item.is(Item::isPrivate | Item::onlyPosted) || item.phase == Phase::queued || !canAsk(service, item)) return;
    if (item.mountCount == 0 && item.phase == Phase::idle) return;  // a publisher holds it
    const bool had = item.phase == Phase::open;
    rooms_.flow.bind(item, nullptr, 0);  // it does not wait for its publisher any more (RepublishTimeout)
    queues_.apply(item, Event::released);
    if (item.mountCount == 0) return letGo(item);
    if (had) ItemLife::apply(item, Event::otherStream);
    enqueue(service, item);
}

void InteractiveSupply::takeFromPublishers(const Service& service) {
    if (published_ == nullptr || !service.policy.preferSources) return;
    std::vector<Ref> items;
    rooms_.items.forEachSource(service.id, [&](const Source& source) {
        if (source.kind() != Source::Kind::publisher) return;
        rooms_.items.forEachOf(service.id, &source, [&](const Item& item) { items.push_back(Ref::of(item)); });
    });
    if (items.empty()) return;
    slices_.add({service.id, nullptr}, [this, left = std::move(items), at = std::size_t{0}]() mutable {
        takeFromPublisher(left[at]);
        return ++at < left.size();
    });
}

void InteractiveSupply::takeFromPublisher(Ref ref) {
    Item* const item = rooms_.items.find(ref.index, ref.generation);
    const Service* const service = item != nullptr ? rooms_.services.find(item->service) : nullptr;
    if (service == nullptr || item->source == nullptr || item->source->kind() != Source::Kind::publisher ||
        !service->sourcesFirst(item->domain))
        return;
    const bool had = item->phase == Phase::open;
    published_->yield(*item);
    queues_.apply(*item, Event::released);
    if (item->mountCount == 0) return rooms_.flow.forgetImage(*item);
    // What clients have goes on being true; the first image of the source is for all of them.
    if (had) ItemLife::apply(*item, Event::otherStream);
    enqueue(*service, *item);
}

}  // namespace emissary::hub::upstream
