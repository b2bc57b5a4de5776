// Items of this hub's sources asked of the mesh, and given to it when it has them.
#include "hub/backbone/Wishes.h"

#include "hub/backbone/records.h"
#include "hub/flow/ItemLife.h"

#include <algorithm>
#include <utility>

namespace emissary::hub::backbone {

namespace {

constexpr std::size_t kAtOnce = 2000;                // items in one look, and wishes
constexpr auto kAgain = std::chrono::seconds(1);     // for an image that can be shown; longer each time
constexpr std::uint32_t kMostPauses = 30;            // times kAgain
constexpr auto kRefused = std::chrono::seconds(30);  // an item that no other hub has

}  // namespace

void Wishes::stop() {
    member_ = nullptr;
    wishes_.clear();
    asked_.clear();
    turns_.clear();
}

void Wishes::look() {
    for (std::size_t n = std::min(turns_.size(), kAtOnce); n != 0; --n) {
        const std::uint32_t index = turns_.front();
        turns_.pop_front();
        Wish& wish = wishes_[index];
        const Item* const item = rooms_.items.find(index, wish.generation);
        const Service* const service = item != nullptr ? rooms_.services.find(item->service) : nullptr;
        if (service == nullptr || !service->meshFirst() || item->mountCount == 0 || item->source == nullptr ||
            item->source == &mesh_) {
            drop(wish);
            wishes_.erase(index);
            continue;
        }
        turns_.push_back(index);
        if (rooms_.reactor.now() >= wish.again) ask(index, wish);
    }
    std::size_t left = kAtOnce;
    for (const std::string& name : settings_.imports) {
        const Service* const service = rooms_.services.find(name);
        if (service != nullptr && service->meshFirst()) seek(*service, left);
    }
    member_->soon();
}

void Wishes::seek(const Service& service, std::size_t& left) {
    std::vector<const Source*> sources;
    rooms_.items.forEachSource(service.id, [&](const Source& source) {
        if (&source != &mesh_) sources.push_back(&source);
    });
    for (const Source* const source : sources)
        for (std::uint32_t n = rooms_.items.count(service.id, source); n != 0 && left != 0; --n, --left) {
            Item& item = *rooms_.items.first(service.id, source);
            rooms_.items.toBack(item);
            want(item);
        }
}

void Wishes::want(const Item& item) {
    if (item.mountCount == 0 || item.phase != Item::Phase::open || item.is(Item::isPrivate)) return;
    const auto [at, news] = wishes_.try_emplace(item.index);
    if (news) turns_.push_back(item.index);
    else if (at->second.generation == item.generation) return;
    else drop(at->second);
    at->second = {item.generation, -1, rooms_.reactor.now()};
}

void Wishes::ask(std::uint32_t index, Wish& wish) {
    const Item& item = rooms_.items[index];
    const Service& service = *rooms_.services.find(item.service);
    mesh::Edge& edge = member_->node().edge();
    wish.again = rooms_.reactor.now() + wish.pauses * kAgain;
    // Other hubs go to the one that comes first by themselves, without a suspect moment; the item follows them.
    if (exports_->serves(item) || !service.mesh.service->info.supportsDomain(item.domain)) return drop(wish);
    if (wish.index >= 0) {
        // A refresh that can be shown comes by itself; what was not shown as Ok, and is so now, does not.
        const auto at = static_cast<std::uint32_t>(wish.index);
        if (!edge.answered(at)) return;  // the edge asks again
        wish.pauses = std::min(2 * wish.pauses, kMostPauses);
        if (ranksBefore(at)) return edge.askAgain(at);
        drop(wish);  // another hub may have it by now
    }
    const std::string name = packName(item.domain, item.msgKey());
    if (!name.empty()) wish.index = edge.open(service.name, name);
    if (wish.index >= 0) asked_[static_cast<std::uint32_t>(wish.index)] = index;
}

void Wishes::drop(Wish& wish) {
    if (wish.index < 0) return;
    const auto index = static_cast<std::uint32_t>(std::exchange(wish.index, -1));
    asked_.erase(index);
    member_->node().edge().close(index);
}

void Wishes::forget(std::uint32_t item) {
    const auto at = wishes_.find(item);
    if (at == wishes_.end()) return;
    drop(at->second);
    at->second.pauses = 1;
    at->second.again = std::min(at->second.again, rooms_.reactor.now() + kAgain);
}

void Wishes::ended(std::uint32_t index) {
    const auto at = asked_.find(index);
    Wish& wish = wishes_[at->second];
    wish.index = -1;
    wish.again = rooms_.reactor.now() + kRefused;
    asked_.erase(at);
}

bool Wishes::ranksBefore(std::uint32_t index) const noexcept {
    const mesh::OfferedService* const owner = member_->node().edge().ownerOf(index);
    return owner != nullptr && !owner->leaves && owner->rank < settings_.rank;
}

Item* Wishes::take(std::uint32_t index, eta::Bytes messages) {
    const std::uint32_t itemIndex = asked_.at(index);
    Wish& wish = wishes_[itemIndex];
    Item* const item = rooms_.items.find(itemIndex, wish.generation);
    if (item == nullptr || item->mountCount == 0 || exports_->serves(*item) || !isWholeAndOk(messages) ||
        !ranksBefore(index) || !member_->node().edge().isCurrent(index, member_->bus().now()) || !rooms_.yield(*item))
        return nullptr;
    wish.index = -1;  // it is the item's now; the wish goes with its next turn, or begins anew
    wish.pauses = 1;
    wish.again = rooms_.reactor.now() + kAgain;
    asked_.erase(index);
    rooms_.flow.bind(*item, &mesh_, std::uint64_t{index} + 1);
    flow::ItemLife::apply(*item, flow::Event::requested);
    ++gone_;
    return item;
}

}  // namespace emissary::hub::backbone
