#include "hub/source/Standbys.h"

namespace emissary::hub::source {

using namespace eta::codec;

void Standbys::want(const Item& item) {
    if (item.is(Item::isPrivate | Item::snapshotOnly) || !queued_.insert(item.index).second) return;
    if (wanted_.size() <= item.service) wanted_.resize(std::size_t{item.service} + 1);
    wanted_[item.service].push_back(Ref::of(item));
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
    items_.forEach([&](const Item& item) {
        if (item.service != service.id || item.source == nullptr || item.phase != Item::Phase::open) return;
        if (hot) wantSecond(service, item);
        else if (item.source != best) want(item);
    });
}

std::uint64_t Standbys::without(const Service& service, const Item& item) noexcept {
    const bool hot = service.policy.sourceMode == SourceMode::hot;
    std::uint64_t bits = 0;
    bool reached = false;
    for (const Offer& o : service.offers) {
        reached = reached || o.source == item.source;
        if (o.source == item.source || (!hot && reached)) bits |= Lanes::bit(*o.source);
    }
    return bits;
}

Item* Standbys::next(std::uint16_t service) {
    if (service >= wanted_.size()) return nullptr;
    while (!wanted_[service].empty()) {
        const Ref ref = wanted_[service].front();
        Item* const item = items_.find(ref.index, ref.generation);
        if (item != nullptr && item->source != nullptr && item->phase == Item::Phase::open && find(*item) == nullptr)
            return item;
        pop(service);
    }
    return nullptr;
}

void Standbys::pop(std::uint16_t service) {
    queued_.erase(wanted_[service].front().index);
    wanted_[service].pop_front();
}

void Standbys::add(const Item& item, UpstreamSource& source, Handle handle, bool taking) {
    SecondStream& s = standbys_[item.index];
    s = {};
    s.generation = item.generation;
    s.source = &source;
    s.handle = handle;
    s.taking = taking;
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
    if (msg.hasSeqNum()) {
        const bool gap =
            item.is(Item::watchesGaps) && msg.cls == MsgClass::Update && s.hasSeqNum && msg.seqNum > s.seqNum + 1;
        s.hasSeqNum = true;
        s.seqNum = msg.seqNum;
        if (gap) {
            drop(item, true);
            return false;
        }
    }
    if (msg.hasGroupId()) s.group.assign(msg.groupId.begin(), msg.groupId.end());
    if (msg.hasState() && msg.cls != MsgClass::Update && msg.state.data != DataState::noChange)
        s.ok = msg.state.data == DataState::ok;
    if (msg.cls == MsgClass::Refresh) {
        s.containerType = static_cast<std::uint8_t>(msg.containerType);
        if (msg.has(RefreshFlag::complete) && !std::exchange(s.answered, true))
            lanes_.answered(item.service, *s.source);
    }
    if (!item.is(Item::cached)) return true;
    const bool first = msg.cls == MsgClass::Refresh && s.image == 0;
    if (flow_.store(item.service).apply(s.image, msg, first) == cache::Applied::malformed) {
        drop(item, true);
        return false;
    }
    return true;
}

bool Standbys::ready(const Item& item, const SecondStream& s) const noexcept {
    if (!s.answered || !s.ok || !s.source->up() || !item.is(Item::cached)) return false;
    const cache::ImageStore& store = flow_.store(item.service);
    return s.image != 0 && store.complete(s.image) && store.current(s.image);
}

SecondStream Standbys::take(const Item& item) {
    const auto at = standbys_.find(item.index);
    SecondStream s = std::move(at->second);
    standbys_.erase(at);
    return s;
}

void Standbys::drop(const Item& item, bool close) {
    if (find(item) == nullptr) return;
    SecondStream s = take(item);
    flow_.store(item.service).drop(s.image);
    lanes_.ended(item.service, *s.source, !s.answered);
    if (close) s.source->close(s.handle);
}

void Standbys::sourceLost(std::uint16_t service, const Source& source, bool close) {
    std::vector<Ref> lost;
    for (const auto& [index, s] : standbys_)
        if (s.source == &source) lost.push_back({index, s.generation});
    for (const Ref ref : lost) {
        Item* const item = items_.find(ref.index, ref.generation);
        if (item == nullptr || item->service != service) continue;
        drop(*item, close);
        want(*item);
    }
}

}  // namespace emissary::hub::source
