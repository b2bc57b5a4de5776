// Stores images of publishers that do not serve the item, and finds the best one when it is needed.
#include "hub/publisher/StandbyImages.h"

#include <algorithm>

namespace emissary::hub::publisher {

using namespace eta::codec;
using cache::Applied;

StandbyImages::~StandbyImages() {
    for (const auto& [key, first] : byItem_)
        for (std::uint32_t at = first; at != Item::kNone; at = pool_.at(at)->next) {
            Standby& s = *pool_.at(at);
            if (s.image != 0) flow_.store(s.service).drop(s.image);
            s.source->dropSecond();
        }
}

Standby* StandbyImages::find(Ref item, const PublisherSource& source) noexcept {
    const auto found = byItem_.find(keyOf(item));
    if (found == byItem_.end()) return nullptr;
    for (std::uint32_t at = found->second; at != Item::kNone; at = pool_.at(at)->next)
        if (pool_.at(at)->source == &source) return pool_.at(at);
    return nullptr;
}

Standby& StandbyImages::make(const Item& item, PublisherSource& source) {
    if (Standby* const there = find({item.index, item.generation}, source)) return *there;
    Standby* const s = pool_.take();
    const std::uint32_t index = s->index;
    try {
        std::uint32_t& head = bySource_.emplace(listKey(item.service, source), Item::kNone).first->second;
        const auto [at, first] = byItem_.emplace(keyOf({item.index, item.generation}), index);
        *s = Standby{};
        s->index = index;
        s->next = first ? Item::kNone : at->second;
        s->item = item.index;
        s->generation = item.generation;
        at->second = index;
        s->sourceNext = head;
        if (head != Item::kNone) pool_.at(head)->sourcePrev = index;
        head = index;
    } catch (...) {
        pool_.give(s);
        throw;
    }
    s->source = &source;
    source.addSecond();
    s->service = item.service;
    counts_.standby = byItem_.size();
    return *s;
}

bool StandbyImages::note(const Item& item, Standby& s, const Msg& msg) {
    const bool inOrder = s.SecondImage::note(item, msg);
    if (msg.hasState()) changeState(s, msg.state);
    if (msg.hasGroupId() || s.place.list == nullptr) putInGroup(s);
    return inOrder;
}

void StandbyImages::refresh(const Item& item, PublisherSource& source, std::int32_t stream, const Msg& msg,
                            bool keeps) {
    Standby& s = make(item, source);
    const bool rebound = s.stream != stream;
    s.stream = stream;
    if (rebound) {
        groups_.take(placeOf(), s.index);
        s.restart();
    }
    cache::ImageStore& store = flow_.store(s.service);
    // A refresh in parts is an image only if no part is missing.
    if (!note(item, s, msg)) return store.drop(s.image);  // it lacks a part
    (void)s.apply(store, msg, rebound, keeps);
}

bool StandbyImages::received(const Item& item, const PublisherSource& source, const Msg& msg) {
    Standby* const s = find({item.index, item.generation}, source);
    if (s == nullptr) return false;
    cache::ImageStore& store = flow_.store(s->service);
    if (!note(item, *s, msg)) store.drop(s->image);  // until the publisher's next refresh
    (void)s->apply(store, msg, false, true);
    return true;
}

void StandbyImages::keep(const Item& item, PublisherSource& source, Bytes group) {
    Standby& s = make(item, source);
    s.group.assign(group.begin(), group.end());
    putInGroup(s);
    s.stream = static_cast<std::int32_t>(static_cast<std::int64_t>(item.upstream));
    s.containerType = item.containerType;
    s.state = reactor::rdm::OwnedState::from(item.state());
    s.qos = item.qos;
    s.hasSeqNum = item.is(Item::hasSeqNum);
    s.seqNum = item.seqNum;
    s.permData = item.extras ? item.extras->permData : std::vector<std::byte>{};
    cache::ImageStore& store = flow_.store(s.service);
    store.drop(s.image);
    if (!flow_.hasImage(item)) return;
    // The image of the item goes on to change with the publisher that takes over, so the standby has a copy, written as
    // a refresh and read back.
    payload_.resize(store.maxSize(item.image));
    eta::BeWriter out(payload_);
    if (!store.write(item.image, out).ok()) return;
    Msg image;
    image.cls = MsgClass::Refresh;
    image.domain = item.domain;
    image.flags = RefreshFlag::complete | RefreshFlag::clearCache;
    image.containerType = store.containerType(item.image);
    image.payload = out.view();
    if (store.apply(s.image, image, true) != Applied::ok) store.drop(s.image);
}

void StandbyImages::drop(Ref item, const PublisherSource& source) {
    const auto found = byItem_.find(keyOf(item));
    if (found == byItem_.end()) return;
    std::uint32_t* link = &found->second;
    while (*link != Item::kNone && pool_.at(*link)->source != &source)
        link = &pool_.at(*link)->next;
    if (*link == Item::kNone) return;
    Standby* const s = pool_.at(*link);
    *link = s->next;
    groups_.take(placeOf(), s->index);
    unlink(*s);
    if (s->image != 0) flow_.store(s->service).drop(s->image);
    s->group = {};
    s->permData = {};
    s->state = {};
    pool_.give(s);
    if (found->second == Item::kNone) byItem_.erase(found);
    counts_.standby = byItem_.size();
}

void StandbyImages::dropStream(Ref item, const PublisherSource& source, std::int32_t stream) {
    const auto found = byItem_.find(keyOf(item));
    if (found == byItem_.end()) return;
    for (std::uint32_t at = found->second; at != Item::kNone; at = pool_.at(at)->next)
        if (const Standby& s = *pool_.at(at); s.source == &source)
            return s.stream == stream ? drop(item, source) : void();
}

void StandbyImages::unlink(Standby& s) noexcept {
    if (s.sourceNext != Item::kNone) pool_.at(s.sourceNext)->sourcePrev = s.sourcePrev;
    if (s.sourcePrev != Item::kNone) pool_.at(s.sourcePrev)->sourceNext = s.sourceNext;
    else if (s.sourceNext != Item::kNone) bySource_.find(listKey(s.service, *s.source))->second = s.sourceNext;
    else bySource_.erase(listKey(s.service, *s.source));
    s.source->dropSecond();
    s.source = nullptr;
}

void StandbyImages::dropAllOf(const PublisherSource& source) {
    while (source.seconds() != 0) {
        const auto list =
            std::ranges::find_if(bySource_, [&](const auto& l) { return (l.first & 0xFFFF) == source.number(); });
        if (list == bySource_.end()) return;
        const Standby& s = *pool_.at(list->second);
        drop({s.item, s.generation}, source);
    }
}

bool StandbyImages::usable(const Standby& s) const {
    return s.SecondImage::usable(flow_.store(s.service));
}

Standby* StandbyImages::best(const Item& item, const Rank& rank) {
    const auto found = byItem_.find(keyOf({item.index, item.generation}));
    if (found == byItem_.end()) return nullptr;
    Standby* best = nullptr;
    // A good image of a publisher that comes late in the order is better than a suspect one of the first.
    std::pair<int, std::size_t> least;  // how poor the image is, then the place
    for (std::uint32_t at = found->second; at != Item::kNone; at = pool_.at(at)->next) {
        Standby* const s = pool_.at(at);
        const std::optional<std::size_t> place = rank(*s->source);
        if (!place) continue;
        const std::pair<int, std::size_t> mine{ok(*s) ? 0 : usable(*s) ? 1 : 2, *place};
        if (best != nullptr && least <= mine) continue;
        best = s;
        least = mine;
    }
    return best;
}

std::vector<StandbyImages::Ref> StandbyImages::state(std::uint16_t service, const PublisherSource& source,
                                                     const Bytes* group, const State& state) {
    const std::vector<std::uint32_t> reached =
        group != nullptr ? groups_.inGroup(placeOf(), service, source, *group) : entriesOf(service, source);
    std::vector<Ref> items = refsOf(reached);
    if (state.isFinal()) {
        for (const Ref item : items)
            drop(item, source);
        return items;
    }
    for (const std::uint32_t index : reached)
        changeState(pool_[index], state);
    return items;
}

void StandbyImages::changeState(Ref item, const PublisherSource& source, const State& state) {
    if (Standby* const s = find(item, source)) changeState(*s, state);
}

void StandbyImages::changeState(Standby& s, const State& state) {
    const std::uint8_t data = s.state.data;
    s.state = reactor::rdm::OwnedState::from(state);
    s.state.stream = StreamState::open;                          // an entry whose stream ends is dropped
    if (state.data == DataState::noChange) s.state.data = data;  // rdm.md 1.2
}

void StandbyImages::merge(std::uint16_t service, const PublisherSource& source, Bytes group, Bytes into) {
    for (const std::uint32_t index : groups_.inGroup(placeOf(), service, source, group)) {
        Standby& s = pool_[index];
        s.group.assign(into.begin(), into.end());
        putInGroup(s);
    }
}

std::vector<StandbyImages::Ref> StandbyImages::refsOf(const std::vector<std::uint32_t>& entries) const {
    std::vector<Ref> items;
    items.reserve(entries.size());
    for (const std::uint32_t index : entries)
        items.push_back({pool_[index].item, pool_[index].generation});
    return items;
}

std::vector<std::uint32_t> StandbyImages::entriesOf(std::uint16_t service, const PublisherSource& source) const {
    std::vector<std::uint32_t> entries;
    const auto list = bySource_.find(listKey(service, source));
    for (std::uint32_t at = list != bySource_.end() ? list->second : Item::kNone; at != Item::kNone;
         at = pool_[at].sourceNext)
        entries.push_back(at);
    return entries;
}

std::optional<StandbyImages::Ref> StandbyImages::firstOf(std::uint16_t service, const PublisherSource& source) const {
    const auto list = bySource_.find(listKey(service, source));
    if (list == bySource_.end()) return std::nullopt;
    const Standby& s = pool_[list->second];
    return Ref{s.item, s.generation};
}

std::vector<StandbyImages::Ref> StandbyImages::itemsOf(std::uint16_t service, const PublisherSource& source) const {
    return refsOf(entriesOf(service, source));
}

void StandbyImages::trim() noexcept {
    pool_.trim();
    reactor::trimTable(byItem_);
}

}  // namespace emissary::hub::publisher
