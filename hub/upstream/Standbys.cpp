// Opens second streams within a bound, and gives them up or takes them over.
#include "hub/upstream/Standbys.h"

#include <algorithm>

namespace emissary::hub::upstream {

using namespace eta::codec;

void Standbys::clear() noexcept {
    for (const auto& [index, s] : standbys_)
        s.source->dropSecond();
    standbys_.clear();
    bySource_.clear();
    groups_.clear();
}

void Standbys::want(const Item& item) {
    // Second streams are for items of upstream connections alone.
    if (item.source == nullptr || !item.source->kind().isConnection) return;
    if (!item.is(Item::isPrivate | Item::snapshotOnly)) wanted_.want(item);
}

void Standbys::wantSecond(const Service& service, const Item& item) {
    if (service.policy.sourceMode != SourceMode::hot || item.phase != Item::Phase::open || item.source == nullptr)
        return;
    if (find(item) == nullptr && service.offers.size() > 1) want(item);
}

void Standbys::wantBetter(const Service& service, const Source& news) {
    const bool hot = service.policy.sourceMode == SourceMode::hot;
    const bool back = service.policy.failBack && service.policy.sourceMode == SourceMode::ordered;
    if ((!hot && !back) || service.offers.size() < 2 || waiting(service.id)) return;
    const Source* const best = service.offers.front().source;
    // One that has streams already has only said something else of itself.
    if (hot ? lanes_.open(service.id, news) != 0 : best != &news) return;
    items_.forEachSource(service.id, [&](const Source& source) {
        if (!source.kind().isConnection || (!hot && &source == best)) return;
        items_.forEachOf(service.id, &source, [&](const Item& item) {
            if (item.phase != Item::Phase::open) return;
            if (hot) wantSecond(service, item);
            else want(item);
        });
    });
}

void Standbys::wantOther(const Service& service, const Item& item) {
    if (item.phase != Item::Phase::open || item.source == nullptr || find(item) != nullptr) return;
    if (Lanes::anybody(service, item.domain, Lanes::bit(*item.source))) want(item);
}

bool Standbys::servedWell(const Service& service, const Item& item) noexcept {
    if (item.dataState == DataState::suspect) return false;
    const auto offer = std::ranges::find(service.offers, item.source.get(), &Offer::source);
    return offer != service.offers.end() && offer->usable();
}

std::uint64_t Standbys::without(const Service& service, const Item& item) noexcept {
    const bool any = service.policy.sourceMode == SourceMode::hot || !servedWell(service, item);
    std::uint64_t bits = 0;
    bool reached = false;
    for (const Offer& o : service.offers) {
        reached = reached || o.source == item.source;
        if (o.source == item.source || (!any && reached)) bits |= Lanes::bit(*o.source);
    }
    return bits;
}

Item* Standbys::next(std::uint16_t service) {
    return wanted_.next(service, [this](const Item& item) {
        return item.source != nullptr && item.source->kind().isConnection && item.phase == Item::Phase::open &&
               find(item) == nullptr;
    });
}

void Standbys::add(Item& item, UpstreamSource& source, Handle handle, bool taking, bool compared) {
    if (standbys_.contains(item.index)) dropAt(item.index, true);  // of this item, or of one that is gone
    std::uint32_t& head = bySource_.emplace(listKey(item.service, source), Item::kNone).first->second;
    SecondStream& s = standbys_[item.index];
    s = {};
    s.generation = item.generation;
    s.service = item.service;
    s.next = head;
    if (head != Item::kNone) standbys_.find(head)->second.prev = item.index;
    head = item.index;
    s.source = &source;
    source.addSecond();
    s.handle = handle;
    s.taking = taking;
    if (!compared) return;
    s.pair = std::make_unique<PairWindow>();
    item.compared = true;
}

SecondStream* Standbys::find(const Item& item) noexcept {
    const auto at = standbys_.find(item.index);
    return at != standbys_.end() && at->second.generation == item.generation ? &at->second : nullptr;
}

bool Standbys::received(Item& item, SecondStream& s, const Msg& msg) {
    if (msg.hasState() && msg.state.isFinal() && (msg.cls == MsgClass::Refresh || msg.cls == MsgClass::Status)) {
        drop(item, false);
        return false;
    }
    if (!s.note(item, msg)) {
        drop(item, true);
        return false;
    }
    if (msg.hasGroupId() || (msg.cls == MsgClass::Refresh && s.place.list == nullptr)) putInGroup(item.index, s);
    if (msg.hasState() && msg.cls != MsgClass::Update && msg.state.data != DataState::noChange) {
        s.ok = msg.state.data == DataState::ok;
        s.suspect = !s.ok;
    }
    if (msg.cls == MsgClass::Refresh && msg.has(RefreshFlag::complete) && !std::exchange(s.answered, true))
        lanes_.answered(item.service, *s.source);
    if (s.apply(flow_.store(item.service), msg, s.image == 0, item.is(Item::cached))) return true;
    drop(item, true);
    return false;
}

bool Standbys::ready(const Service& service, const Item& item, const SecondStream& s) const noexcept {
    const auto offer = std::ranges::find(service.offers, s.source, &Offer::source);
    if (offer == service.offers.end() || !offer->usable()) return false;
    return s.answered && s.ok && item.is(Item::cached) && s.usable(flow_.store(item.service));
}

std::vector<Ref> Standbys::itemsOf(std::uint16_t service, const Source& source, const Bytes* group) {
    std::vector<Ref> found;
    if (group != nullptr) {
        for (const std::uint32_t index : groups_.inGroup(placeOf(), service, source, *group))
            found.push_back({index, standbys_.find(index)->second.generation});
        return found;
    }
    const auto list = bySource_.find(listKey(service, source));
    for (std::uint32_t at = list != bySource_.end() ? list->second : Item::kNone; at != Item::kNone;) {
        const SecondStream& s = standbys_.find(at)->second;
        found.push_back({at, s.generation});
        at = s.next;
    }
    return found;
}

void Standbys::merge(std::uint16_t service, const Source& source, Bytes group, Bytes into) {
    for (const std::uint32_t index : groups_.inGroup(placeOf(), service, source, group)) {
        SecondStream& s = standbys_.find(index)->second;
        s.group.assign(into.begin(), into.end());
        putInGroup(index, s);
    }
}

SecondStream Standbys::takeAt(std::uint32_t index) {
    groups_.take(placeOf(), index);
    const auto at = standbys_.find(index);
    SecondStream s = std::move(at->second);
    standbys_.erase(at);
    if (s.next != Item::kNone) standbys_.find(s.next)->second.prev = s.prev;
    if (s.prev != Item::kNone) standbys_.find(s.prev)->second.next = s.next;
    else if (s.next != Item::kNone) bySource_.find(listKey(s.service, *s.source))->second = s.next;
    else bySource_.erase(listKey(s.service, *s.source));
    s.next = s.prev = Item::kNone;
    s.source->dropSecond();
    if (Item* const item = s.pair != nullptr ? items_.find(index, s.generation) : nullptr) item->compared = false;
    return s;
}

void Standbys::dropAt(std::uint32_t index, bool close) {
    SecondStream s = takeAt(index);
    flow_.store(s.service).drop(s.image);
    lanes_.ended(s.service, *s.source, !s.answered);
    if (close) s.source->close(s.handle);
}

SecondStream Standbys::take(const Item& item) {
    return takeAt(item.index);
}

void Standbys::drop(const Item& item, bool close) {
    if (find(item) != nullptr) dropAt(item.index, close);
}

bool Standbys::loseOne(std::uint16_t service, const Source& source, bool close) {
    const auto list = bySource_.find(listKey(service, source));
    if (list == bySource_.end()) return false;
    const std::uint32_t index = list->second;
    const Item* const item = items_.find(index, standbys_.find(index)->second.generation);
    dropAt(index, close);
    if (item != nullptr) want(*item);
    return true;
}

}  // namespace emissary::hub::upstream
