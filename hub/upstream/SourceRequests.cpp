// Joins what the mounts of an item want into one request, and reissues it when that changes.
#include "hub/upstream/SourceRequests.h"

#include "hub/core/served_qos.h"

#include <algorithm>

namespace emissary::hub::upstream {

namespace {
constexpr std::chrono::seconds kReview{1};
constexpr int kAtOnce = 2000;                 // items in one turn
constexpr std::uint32_t kMostInUnion = 1000;  // mounts; where there are more, the source is asked for everything

/// An upstream connection has a stream of it. It may have gone over to a publisher or to the mesh.
[[nodiscard]] bool atSource(const Item& item) noexcept {
    return item.source != nullptr && item.source->kind().isConnection && item.upstream != 0;
}
}  // namespace

UpstreamSource::Ask SourceRequests::of(const Item& item, const UpstreamSource& source) {
    UpstreamSource::Ask ask;
    ask.streaming = !item.is(Item::snapshotOnly);
    ask.priorityClass = item.priorityClass();
    ask.priorityCount = static_cast<std::uint16_t>(std::clamp<std::uint64_t>(item.priorityCount(), 1, 0xFFFF));
    // A first request asks for updates: whoever joins before its answer would have to ask for another image.
    ask.paused = ask.streaming && item.phase == Item::Phase::open && !item.is(Item::cached) && allPaused(item);
    ask.confInfo = anyWantsConfInfo(item);
    ask.qos = qosOf(item);
    ask.view = viewOf(item, source);
    const auto redirect = redirects_.find(item.index);
    if (redirect != redirects_.end() && redirect->second.generation == item.generation)
        ask.name = redirect->second.name;
    return ask;
}

/// An image has to be whole; without one the source is asked for what the mounts want, if they all want a part.
const reactor::rdm::View* SourceRequests::viewOf(const Item& item, const UpstreamSource& source) {
    if (item.is(Item::cached | Item::isPrivate | Item::wantsWhole) || item.mountCount == 0 || !source.takesViews() ||
        item.mountCount > kMostInUnion)
        return nullptr;
    for (std::uint32_t at = 0; at < item.mountCount; ++at) {
        const std::uint16_t number = item.mounts[at].view;
        if (number == 0) return nullptr;
        const reactor::rdm::View& one = views_[number];
        // No request can say both, nor that nothing is wanted: the fields of a login may leave nothing of what it asks.
        if (one.kind == reactor::rdm::View::Kind::both || (one.fields.empty() && one.elements.empty())) return nullptr;
        if (at == 0) view_ = one;
        else if (one.kind != view_.kind) return nullptr;
        else if (!view_.covers(one)) view_.add(one);
    }
    return &view_;
}

/// The best that one of them is to have.
std::uint8_t SourceRequests::qosOf(const Item& item) const noexcept {
    const Service* const service = services_.find(item.service);
    if (item.mountCount > kMostInUnion || service == nullptr) return 0;
    std::uint8_t best = item.mountCount == 0 ? std::uint8_t{0} : std::uint8_t{Mount::kWorstQos};
    for (std::uint32_t at = 0; at < item.mountCount && best != 0; ++at)
        best = std::min(best, qosPlace(*service, item.mounts[at]));
    return best;
}

/// Others get updates without it.
bool SourceRequests::anyWantsConfInfo(const Item& item) noexcept {
    for (std::uint32_t at = 0; at < std::min(item.mountCount, kMostInUnion); ++at)
        if (item.mounts[at].is(Mount::confInfo)) return true;
    return item.mountCount > kMostInUnion;
}

bool SourceRequests::allPaused(const Item& item) noexcept {
    if (item.liveCount != 0 || item.mountCount > kMostInUnion) return false;
    for (std::uint32_t at = 0; at < item.mountCount; ++at)
        if (!item.mounts[at].is(Mount::paused)) return false;
    return item.mountCount != 0;
}

void SourceRequests::reissue(Item& item, bool wantsRefresh) {
    auto& source = static_cast<UpstreamSource&>(*item.source);
    const UpstreamSource::Ask ask = of(item, source);
    if (!ask.streaming) return;  // its answer ends it
    if (!ask.paused && pausedAtSource(item)) {
        wantsRefresh = true;
        flow_.awaitImage(item);
    }
    if (ask.paused) paused_.insert_or_assign(item.index, item.generation);
    else paused_.erase(item.index);
    asked(item, ask);
    source.reissue(item.upstream, item, ask, wantsRefresh);
}

bool SourceRequests::pausedAtSource(const Item& item) const noexcept {
    const auto at = paused_.find(item.index);
    return at != paused_.end() && at->second == item.generation;
}

void SourceRequests::mountsChanged(Item& item) {
    if (!atSource(item)) return;
    if (item.liveCount != 0 && paused_.contains(item.index)) return reissue(item, false);
    changed_.insert_or_assign(item.index, item.generation);
    if (reviewTimer_ == 0) reviewTimer_ = reactor_.startTimer(kReview, [this] { review(); });
}

/// At most once a second for an item, its source hears of the priority and the pause of its mounts.
void SourceRequests::review() {
    reviewTimer_ = 0;
    int left = kAtOnce;
    while (!changed_.empty() && left-- > 0) {
        const auto [index, generation] = *changed_.begin();
        changed_.erase(changed_.begin());
        Item* const item = items_.find(index, generation);
        // Other hubs may serve it by now.
        if (item != nullptr && atSource(*item) && item->mountCount != 0) reissue(*item, false);
    }
    if (!changed_.empty()) reviewTimer_ = reactor_.startTimer(std::chrono::milliseconds(1), [this] { review(); });
}

std::uint8_t SourceRequests::redirects(const Item& item) const noexcept {
    const auto at = redirects_.find(item.index);
    return at != redirects_.end() && at->second.generation == item.generation ? at->second.followed : std::uint8_t{0};
}

void SourceRequests::redirect(const Item& item, Bytes name, std::uint8_t redirects) {
    redirects_[item.index] = {{name.begin(), name.end()}, item.generation, redirects};
}

void SourceRequests::forget(const Item& item) noexcept {
    redirects_.erase(item.index);
    paused_.erase(item.index);
}

}  // namespace emissary::hub::upstream
