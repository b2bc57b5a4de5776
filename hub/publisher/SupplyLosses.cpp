// Offers of publishers that come and go: their items go to another publisher, or are suspect and wait for one.
#include "hub/publisher/PublisherSupply.h"

#include "hub/flow/ItemLife.h"

#include <algorithm>

namespace emissary::hub::publisher {

using namespace eta::codec;

/// What is left to do after a publisher's offer of a service is gone. Items that the publisher serves stay in its list
/// until the last stage takes them out one by one, or somebody else takes them over.
struct PublisherSupply::Loss {
    enum class Stage : std::uint8_t {
        standbys,    ///< its own standby images go: nobody may take an item over to it
        suspect,     ///< another publisher goes on with the item; or else it is suspect from now on
        groups,      ///< group statuses to the clients that get them
        orphans,     ///< the items lose their source
        leaderless,  ///< hot mode: items of the publisher that is first in order now, which were not shown before
        over,
    };
    std::uint16_t service = 0;  // local
    PublisherSource* source = nullptr;
    std::uint64_t number = 0;
    Stage stage = Stage::standbys;
    std::uint32_t left = 0;  // items to look at in this stage
    std::vector<std::uint16_t> groups;
    std::vector<Ref> held;  // items that have lost it, for RepublishTimeout
    std::vector<Ref> unshown;
};

void PublisherSupply::onOffer(Service& service, Source& from) {
    auto& source = static_cast<PublisherSource&>(from);
    // It is back before all of its items have lost it: they do so first, and what it sends counts from here on.
    standsBy(source, service);
    const Offer* const offer = service.offerOf(source);
    if (offer == nullptr) return;
    if (offer->usable()) {
        if (source.items() == 0) unknown_.starts(service);
        if (down_.erase({service.id, &source}) != 0) lookAgain(service, source, standby_.itemsOf(service.id, source));
        return;
    }
    unknown_.stops(service, source);
    if (!down_.insert({service.id, &source}).second) return;
    std::vector<Ref> served;
    rooms_.items.forEachOf(service.id, &source, [&](const Item& item) {
        served.push_back({item.index, item.generation});
    });
    lookAgain(service, source, std::move(served));
}

void PublisherSupply::lookAgain(const Service& service, const PublisherSource& source, std::vector<Ref> items) {
    if (items.empty()) return;
    slices_.add({service.id, &source}, [this, left = std::move(items), at = std::size_t{0}]() mutable {
        reconsider({left[at]});
        return ++at < left.size();
    });
}

void PublisherSupply::standsBy(const PublisherSource& source, const Service& service) {
    slices_.finish({service.id, &source});
}

void PublisherSupply::waitedInVain(PublisherSource& source, const Service& service) {
    if (standby_.firstOf(service.id, source)) lose(service, source);
}

void PublisherSupply::eraseUnheld(const std::vector<Ref>& items) {
    for (const Ref ref : items)
        if (Item* const item = rooms_.items.find(ref.index, ref.generation)) eraseUnheld(*item);
}

void PublisherSupply::onOfferLost(Service& service, Source& lost, bool) {
    auto& source = static_cast<PublisherSource&>(lost);
    down_.erase({service.id, &source});
    unknown_.stops(service, source);
    if (rooms_.items.count(service.id, &source) == 0 && !standby_.firstOf(service.id, source) &&
        service.policy.publisherMode == PublisherMode::merge)
        return;
    lose(service, source);
}

void PublisherSupply::lose(const Service& service, PublisherSource& source) {
    auto loss = std::make_shared<Loss>();
    loss->service = service.id;
    loss->source = &source;
    loss->number = ++losses_;
    slices_.add({service.id, &source}, [this, loss] { return step(*loss); });
}

/// A small piece of what follows from a loss; false: that was the last one. The service may be gone by now, and its
/// items with it.
bool PublisherSupply::step(Loss& loss) {
    using Stage = Loss::Stage;
    PublisherSource& source = *loss.source;
    Service* const service = rooms_.services.find(loss.service);
    const auto enter = [&](Stage stage) {
        loss.stage = stage;
        loss.left = rooms_.items.count(loss.service, &source);
        return true;
    };
    switch (loss.stage) {
    case Stage::standbys: {
        const auto ref = standby_.firstOf(loss.service, source);
        if (!ref) return enter(Stage::suspect);
        standby_.drop(*ref, source);
        if (Item* const item = rooms_.items.find(ref->index, ref->generation)) eraseUnheld(*item);
        return true;
    }
    case Stage::suspect: {
        Item* const item = loss.left-- != 0 ? rooms_.items.first(loss.service, &source) : nullptr;
        if (item == nullptr) {
            if (service != nullptr) loss.groups = rooms_.groups.ofSource(loss.service, source);
            return enter(Stage::groups);
        }
        rooms_.items.toBack(*item);
        if (!promote(*item)) rooms_.groupStates.suspect(*item, 0, kLost);
        return true;
    }
    case Stage::groups:
        if (loss.groups.empty()) return enter(Stage::orphans);
        if (service != nullptr) rooms_.groupStates.tellSuspect(source, *service, loss.groups.back(), 0, kLost);
        loss.groups.pop_back();
        return true;
    case Stage::orphans: {
        Item* const item = rooms_.items.first(loss.service, &source);
        if (item == nullptr) {
            if (service != nullptr && service->policy.publisherMode != PublisherMode::merge)
                if (const Source* const next = leader(*service))
                    loss.unshown = standby_.itemsOf(loss.service, static_cast<const PublisherSource&>(*next));
            return enter(Stage::leaderless);
        }
        // Another publisher may have published it since it was looked at.
        if (standby_.holds(*item) && promote(*item)) return true;
        if (service != nullptr && service->policy.republishTimeout.count() != 0 && !canHandOn(*item))
            loss.held.push_back({item->index, item->generation});
        orphan(*item, loss.number);
        return true;
    }
    case Stage::leaderless: {
        if (loss.unshown.empty()) break;
        const Ref ref = loss.unshown.back();
        loss.unshown.pop_back();
        Item* const item = rooms_.items.find(ref.index, ref.generation);
        if (item != nullptr && item->source == nullptr) promote(*item);
        return true;
    }
    case Stage::over:
        return false;
    }
    loss.stage = Stage::over;
    afterLoss(loss);
    return false;
}

void PublisherSupply::afterLoss(Loss& loss) {
    const Service* const service = rooms_.services.find(loss.service);
    if (service != nullptr && !loss.held.empty() && service->policy.republishTimeout.count() != 0)
        republish_[loss.number] =
            rooms_.reactor.startTimer(service->policy.republishTimeout, [this, number = loss.number, id = loss.service,
                                                                         held = std::move(loss.held)]() mutable {
                republish_.erase(number);
                closeLapsed(id, std::move(held), number);
            });
}

void PublisherSupply::onSourceGone(PublisherSource& source, std::function<bool()> takeBack,
                                   std::function<void()> over) {
    leaving_.emplace_back(&source, std::move(over));
    offers_.add({0, &source}, [this, gone = &source, take = std::move(takeBack)] {
        if (take()) return true;
        slices_.add({0, gone}, [this, gone] {  // behind its losses
            leave(gone);
            return false;
        });
        return false;
    });
}

void PublisherSupply::leave(const PublisherSource* gone) {
    const auto at = std::ranges::find(leaving_, gone, &decltype(leaving_)::value_type::first);
    if (at == leaving_.end()) return;
    const auto [source, over] = std::move(*at);
    leaving_.erase(at);
    sweep(*source);
    over();
}

void PublisherSupply::release(PublisherSource& source) {
    std::erase_if(leaving_, [&](const auto& l) { return l.first == &source; });
    offers_.finishOf(source);
    slices_.finishOf(source);
    sweep(source);
}

/// Whatever of its items and standby images no loss was for.
void PublisherSupply::sweep(PublisherSource& source) {
    standby_.dropAllOf(source);
    std::erase_if(down_, [&](const auto& offer) { return offer.second == &source; });
    rooms_.groupStates.forget(source);
    while (Item* const item = rooms_.items.anyOf(source))
        orphan(*item, ++losses_);
}

void PublisherSupply::closeLapsed(std::uint16_t service, std::vector<Ref> items, std::uint64_t loss) {
    slices_.add({service, nullptr}, [this, loss, items = std::move(items), next = std::size_t{0}]() mutable {
        if (next == items.size()) return false;
        const Ref ref = items[next++];
        Item* const item = rooms_.items.find(ref.index, ref.generation);
        // Who was published again and lost again waits for that loss.
        if (item == nullptr || item->source != nullptr || item->upstream != loss) return true;
        ++counts_.republishTimeouts;
        close(*item, {StreamState::closedRecover, DataState::suspect, 0,
                      eta::asBytes("nobody has published this item again")});
        return true;
    });
}

void PublisherSupply::onServiceGone(Service& service) {
    slices_.add({service.id, nullptr}, [this, id = service.id] {
        Item* const item = rooms_.items.anyOf(id);
        if (item == nullptr) return false;
        close(*item,
              {StreamState::closedRecover, DataState::suspect, 0, eta::asBytes("the service of this item is gone")});
        return true;
    });
}

void PublisherSupply::finishClosing(std::uint16_t service) {
    slices_.finishOf(service);
}

}  // namespace emissary::hub::publisher
