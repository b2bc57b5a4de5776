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
    const std::uint32_t unserved = rooms_.items.count(service.id, nullptr);
    if (published_ == nullptr || !service.published || unserved == 0) return;
    const auto [walk, first] = unserved_.try_emplace(service.id);
    walk->second = unserved;
    if (!first) return;
    slices_.add({service.id, nullptr}, [this, id = service.id] {
        std::uint32_t& left = unserved_[id];
        Item* const item = left != 0 ? rooms_.items.first(id, nullptr) : nullptr;
        const Service* const there = rooms_.services.find(id);
        if (item == nullptr || there == nullptr) {
            unserved_.erase(id);
            return false;
        }
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
        if (!source.kind().publishes) return;
        rooms_.items.forEachOf(service.id, &source, [&](const Item& item) { items.push_back(Ref::of(item)); });
    });
    if (items.empty()) return;
    slices_.add({service.id, nullptr}, [this, id = service.id, left = std::move(items), at = std::size_t{0}]() mutable {
        const Item* const item = rooms_.items.find(left[at].index, left[at].generation);
        if (item != nullptr && item->source != nullptr && item->source->kind().publishes) takings_.want(*item);
        goOn(id);
        return ++at < left.size();
    });
}

InteractiveSupply::Sent InteractiveSupply::take(Service& service, Item& item) {
    const bool publisher = item.source->kind().publishes;
    if (publisher && !service.sourcesFirst(item.domain)) return Sent::nobody;
    const Lanes::Choice choice = choose(service, item);
    if (choice.source == nullptr) return choice.soon ? Sent::soon : choice.later ? Sent::later : Sent::nobody;
    if (choice.source->congested()) return Sent::soon;
    const bool had = item.phase == Phase::open;
    const Ref ref = Ref::of(item);
    if (publisher) published_->yield(item);
    else {
        release(item, true);
        rooms_.flow.bind(item, nullptr, 0);
    }
    queues_.apply(item, Event::released);
    if (item.mountCount == 0) {
        letGo(item);
        return Sent::yes;
    }
    rooms_.groupStates.groups().take(item);  // they are those of whoever had it
    if (had) {
        ItemLife::apply(item, Event::otherStream);
        // Nothing of the old offer is shown from here on, so what clients have is out of date.
        if (!item.is(Item::recovering))
            rooms_.flow.suspect(item, 0, "a source that comes first is asked for this item");
    }
    Item* const still = rooms_.items.find(ref.index, ref.generation);
    if (still == nullptr) return Sent::yes;
    if (still->mountCount == 0) {
        letGo(*still);
        return Sent::yes;
    }
    switch (const Sent sent = send(service, *still)) {
    case Sent::soon:
    case Sent::later:
        queues_.queue(*still);
        return Sent::yes;
    case Sent::nobody:
        park(*still);
        return Sent::yes;
    default:
        return sent;
    }
}

}  // namespace emissary::hub::upstream
