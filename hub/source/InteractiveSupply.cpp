#include "hub/source/InteractiveSupply.h"

#include "reactor/metrics/Snapshot.h"

#include <algorithm>

namespace emissary::hub::source {

using namespace eta::codec;
using Phase = Item::Phase;

namespace {

// Codes of states (rdm.md 1.3).
constexpr std::uint8_t kUsageError = 5;
constexpr std::chrono::seconds kReview{1};
constexpr int kAtOnce = 2000;  // requests in one turn

}  // namespace

InteractiveSupply::InteractiveSupply(const SupplyRooms& rooms)
    : rooms_(rooms), metrics_(rooms.reactor, [this](reactor::metrics::Snapshot& into) { into.add(counts_); }),
      lanes_(counts_), standbys_(rooms.items, rooms.flow, lanes_),
      retries_(rooms.reactor, rooms.items, [this](Ref r) { retry(r); }),
      lingering_(rooms.reactor, [this](Ref r) { lingered(r); }) {}

InteractiveSupply::~InteractiveSupply() {
    rooms_.reactor.cancelTimer(reviewTimer_);
    for (const auto& waiting : waiting_)
        if (waiting) rooms_.reactor.cancelTimer(waiting->timer);
}

Waiting& InteractiveSupply::waitingOf(std::uint16_t service) {
    if (waiting_.size() <= service) waiting_.resize(std::size_t{service} + 1);
    if (!waiting_[service]) waiting_[service] = std::make_unique<Waiting>(rooms_.items);
    return *waiting_[service];
}

void InteractiveSupply::setPhase(Item& item, Phase phase) noexcept {
    Waiting& waiting = *waiting_[item.service];
    if (item.phase == Phase::queued) --waiting.queued, counts_.queued -= 1;
    if (item.phase == Phase::parked) --waiting.parked, counts_.parked -= 1;
    item.phase = phase;
    if (phase == Phase::queued) ++waiting.queued, counts_.queued += 1;
    if (phase == Phase::parked) ++waiting.parked, counts_.parked += 1;
}

std::vector<Ref> InteractiveSupply::itemsOf(const Service& service, const Source* source) {
    std::vector<Ref> found;
    rooms_.items.forEach([&](Item& item) {
        if (item.service == service.id && (source == nullptr || item.source == source)) found.push_back(Ref::of(item));
    });
    return found;
}

// --- what mounts want ------------------------------------------------------------------------------------------------

void InteractiveSupply::wanted(Item& item) {
    Service* const service = rooms_.services.find(item.service);
    if (service == nullptr) return;
    if (const auto* const refused = item.is(Item::isPrivate) ? nullptr : negatives_.find(item, rooms_.reactor.now())) {
        ++counts_.negativeHits;
        const State state = refused->view();
        return rooms_.flow.close(item, state);
    }
    place(*service, item);
}

void InteractiveSupply::refreshWanted(Item& item) {
    if (item.source == nullptr || item.upstream == 0 || item.is(Item::renewing)) return;
    item.set(Item::renewing, true);
    reissue(item, true);
}

void InteractiveSupply::untrusted(Item& item) {
    // The first time at once; one whose payload is wrong again and again has to wait.
    auto* const source = static_cast<UpstreamSource*>(item.source);
    if (source == nullptr || retries_.waits(item)) return;
    const bool again = retries_.tried(item) != 0;
    retries_.failed(item, *source);
    if (again) return retries_.wait(item);
    item.set(Item::renewing, true);
    reissue(item, true);
}

void InteractiveSupply::unwanted(Item& item) {
    const Service* const service = rooms_.services.find(item.service);
    const bool kept = service != nullptr && service->policy.itemLinger.count() > 0 && item.is(Item::cached) &&
                      item.phase == Phase::open && item.source != nullptr;
    if (!kept) return letGo(item);
    if (!lingers_.emplace(item.index, item.generation).second) return;
    lingering_.add(Ref::of(item), service->policy.itemLinger);
}

void InteractiveSupply::lingered(Ref ref) {
    const auto at = lingers_.find(ref.index);
    if (at != lingers_.end() && at->second == ref.generation) lingers_.erase(at);
    Item* const item = rooms_.items.find(ref.index, ref.generation);
    if (item != nullptr && item->mountCount == 0) letGo(*item);
}

void InteractiveSupply::mountsChanged(Item& item) {
    if (item.source == nullptr || item.upstream == 0) return;
    if (paused_.contains(item.index) && !allPaused(item)) return reissue(item, false);
    changed_.insert_or_assign(item.index, item.generation);
    if (reviewTimer_ == 0) reviewTimer_ = rooms_.reactor.startTimer(kReview, [this] { review(); });
}

/// At most once a second for an item, its source hears of the priority and the pause of its mounts.
void InteractiveSupply::review() {
    reviewTimer_ = 0;
    int left = kAtOnce;
    while (!changed_.empty() && left-- > 0) {
        const auto [index, generation] = *changed_.begin();
        changed_.erase(changed_.begin());
        Item* const item = rooms_.items.find(index, generation);
        if (item != nullptr && item->source != nullptr && item->upstream != 0 && item->mountCount != 0)
            reissue(*item, false);
    }
    if (!changed_.empty()) reviewTimer_ = rooms_.reactor.startTimer(std::chrono::milliseconds(1), [this] { review(); });
}

// --- requests --------------------------------------------------------------------------------------------------------

void InteractiveSupply::place(Service& service, Item& item) {
    if (!waitingOf(service.id).empty() || (answering_ && Lanes::anybody(service, item.domain, retries_.tried(item))))
        return enqueue(service, item);
    switch (send(service, item)) {
    case Sent::soon:
    case Sent::later:
        return enqueue(service, item);
    case Sent::nobody:
        return park(service, item);
    case Sent::yes:
    case Sent::refused:
        return;
    }
}

InteractiveSupply::Sent InteractiveSupply::send(Service& service, Item& item) {
    const Lanes::Choice choice = lanes_.choose(service, item.domain, retries_.tried(item), rooms_.reactor.now());
    if (choice.source == nullptr) return choice.soon ? Sent::soon : choice.later ? Sent::later : Sent::nobody;
    if (choice.source->congested()) return Sent::soon;
    std::string why;
    const Handle handle = choice.source->request(item, *choice.offer, askOf(item, *choice.source), why);
    if (handle == 0) {
        setPhase(item, Phase::idle);
        rooms_.flow.close(item, {StreamState::closed, DataState::suspect, kUsageError, eta::asBytes(why)});
        return Sent::refused;
    }
    rooms_.flow.bind(item, choice.source, handle);
    item.set(Item::renewing, false);
    setPhase(item, Phase::requested);
    lanes_.asked(service, *choice.source);
    return Sent::yes;
}

void InteractiveSupply::enqueue(Service& service, Item& item) {
    setPhase(item, Phase::queued);
    waitingOf(service.id).queue(item);
    pumpSoon(service);
}

void InteractiveSupply::park(Service& service, Item& item) {
    if (item.is(Item::isPrivate)) {
        setPhase(item, Phase::idle);
        return rooms_.flow.close(item, {StreamState::closedRecover, DataState::suspect, 0,
                                        eta::asBytes("no source serves the service now")});
    }
    setPhase(item, Phase::parked);
    waitingOf(service.id).park(item);
    if (item.is(Item::recovering)) return;  // told already
    rooms_.flow.suspect(item, 0, "no source serves the service now");
    if (item.mountCount == 0) letGo(item);
}

void InteractiveSupply::pumpSoon(Service& service, reactor::Duration after) {
    Waiting& waiting = waitingOf(service.id);
    if (waiting.timer != 0) return;
    waiting.timer = rooms_.reactor.startTimer(after, [this, id = service.id] {
        waiting_[id]->timer = 0;
        pump(id);
    });
}

/// As many as there is room for; the rest goes when an answer has come, or time has passed.
void InteractiveSupply::pump(std::uint16_t id) {
    Waiting& waiting = waitingOf(id);
    Service* const service = rooms_.services.find(id);
    if (service == nullptr || waiting.pumping) return;
    waiting.pumping = true;
    int left = kAtOnce;
    Sent last = Sent::yes;
    while (left-- > 0 && last != Sent::soon && last != Sent::later) {
        Item* const item = waiting.next();  // what was sent is no longer queued, and passed over
        if (item == nullptr) break;
        last = send(*service, *item);
        if (last != Sent::nobody) continue;
        waiting.pop();
        park(*service, *item);
    }
    while (left-- > 0 && last != Sent::soon && last != Sent::later) {
        Item* const item = standbys_.next(id);
        if (item == nullptr) break;
        last = sendSecond(*service, *item);
        if (last == Sent::yes || last == Sent::nobody) standbys_.pop(id);
    }
    waiting.pumping = false;
    // Answers and ends call again; but the budget of a source fills, and output drains, without a word.
    if (last == Sent::soon) pumpSoon(*service, std::chrono::milliseconds(2));
    else if (last != Sent::later && (!waiting.empty() || standbys_.waiting(id))) pumpSoon(*service);
}

UpstreamSource::Ask InteractiveSupply::askOf(const Item& item, const UpstreamSource& source) {
    UpstreamSource::Ask ask;
    ask.streaming = !item.is(Item::snapshotOnly);
    ask.priorityClass = item.priorityClass();
    ask.priorityCount = static_cast<std::uint16_t>(std::clamp<std::uint32_t>(item.priorityCount(), 1, 0xFFFF));
    ask.paused = ask.streaming && !item.is(Item::cached) && allPaused(item);
    ask.view = viewOf(item, source);
    const auto redirect = redirects_.find(item.index);
    if (redirect != redirects_.end() && redirect->second.generation == item.generation)
        ask.name = redirect->second.name;
    return ask;
}

/// An image has to be whole; without one the source is asked for what the mounts want, if they all want a part.
const reactor::rdm::View* InteractiveSupply::viewOf(const Item& item, const UpstreamSource& source) {
    if (item.is(Item::cached | Item::isPrivate) || item.mountCount == 0 || !source.takesViews()) return nullptr;
    for (std::uint32_t at = 0; at < item.mountCount; ++at) {
        const std::uint16_t number = item.mounts[at].view;
        if (number == 0) return nullptr;
        const reactor::rdm::View& one = rooms_.views[number];
        if (at == 0) view_ = one;
        else if (one.kind != view_.kind) return nullptr;
        else if (!view_.covers(one)) view_.add(one);
    }
    return &view_;
}

bool InteractiveSupply::allPaused(const Item& item) noexcept {
    for (std::uint32_t at = 0; at < item.mountCount; ++at)
        if (!item.mounts[at].is(Mount::paused)) return false;
    return item.mountCount != 0;
}

void InteractiveSupply::reissue(Item& item, bool wantsRefresh) {
    auto& source = static_cast<UpstreamSource&>(*item.source);
    const UpstreamSource::Ask ask = askOf(item, source);
    if (!ask.streaming) return;  // its answer ends it
    if (ask.paused) paused_.insert_or_assign(item.index, item.generation);
    else paused_.erase(item.index);
    source.reissue(item.upstream, item, ask, wantsRefresh);
}

// --- ends ------------------------------------------------------------------------------------------------------------

void InteractiveSupply::release(Item& item, bool close) {
    redirects_.erase(item.index);
    paused_.erase(item.index);
    standbys_.drop(item, true);
    if (item.source == nullptr) return;
    lanes_.ended(item.service, *item.source, item.phase == Phase::requested);
    if (close && item.upstream != 0) static_cast<UpstreamSource&>(*item.source).close(item.upstream);
    item.source = nullptr;
    item.upstream = 0;
    item.set(Item::renewing, false);
}

/// Nobody wants the item any more.
void InteractiveSupply::letGo(Item& item) {
    const std::uint16_t service = item.service;
    const bool freed = item.source != nullptr;
    release(item, true);
    if (service < waiting_.size() && waiting_[service]) setPhase(item, Phase::idle);
    rooms_.flow.erase(item);
    Service* const s = rooms_.services.find(service);
    if (freed && s != nullptr && waiting_[service] && waiting_[service]->queued != 0) pumpSoon(*s);
}

}  // namespace emissary::hub::source
