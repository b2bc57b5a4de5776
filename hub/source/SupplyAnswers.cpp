// What sources say of items, and what becomes of items that lose their source.
#include "hub/source/InteractiveSupply.h"
#include "hub/source/redirect.h"

#include "reactor/rdm/stream_state.h"

#include <algorithm>

namespace emissary::hub::source {

using namespace eta::codec;
using Phase = Item::Phase;

namespace {

// Codes of states (rdm.md 1.3).
constexpr std::uint8_t kFailoverStarted = 9, kFailoverCompleted = 10;
constexpr std::uint8_t kMostRedirects = 3;

}  // namespace

void InteractiveSupply::onAnswer(UpstreamSource& source, Item& item, const Msg& msg) {
    // The stream that the message came on is not quite over before this call is: requests go out after it.
    const bool before = std::exchange(answering_, true);
    if (msg.hasState() && msg.state.isFinal()) onEnd(source, item, msg);
    else if (msg.cls == MsgClass::Refresh) onRefresh(source, item, msg);
    else rooms_.flow.received(item, msg);
    answering_ = before;
}

void InteractiveSupply::onRefresh(UpstreamSource& source, Item& item, const Msg& msg) {
    const bool complete = msg.has(RefreshFlag::complete);
    const std::uint16_t service = item.service;
    const Ref ref = Ref::of(item);
    if (complete) {
        if (item.phase == Phase::requested) lanes_.answered(service, source);
        if (msg.has(RefreshFlag::solicited) || item.phase == Phase::requested) item.set(Item::renewing, false);
        if (reactor::rdm::endsStream(msg)) {
            // The answer is the last of its stream. Whoever wants more than a snapshot has come meanwhile.
            if (item.phase == Phase::requested) item.phase = Phase::open;
            release(item, false);
            const auto streams = [](const Mount& m) { return !m.is(Mount::snapshot); };
            if (item.is(Item::snapshotOnly) && std::any_of(item.mounts, item.mounts + item.mountCount, streams)) {
                item.set(Item::snapshotOnly, false);
                turns_.setPhase(item, Phase::idle);
                return wanted(item);
            }
        }
    }
    const bool moved = complete && item.is(Item::recovering) && item.code == kFailoverStarted &&
                       item.dataState == DataState::suspect && msg.state.code == 0 && msg.state.data == DataState::ok;
    const bool recovers = complete && item.is(Item::recovering);
    if (moved) {
        Msg m = msg;
        m.raw = {};
        m.state.code = kFailoverCompleted;
        rooms_.flow.received(item, m);
    } else rooms_.flow.received(item, msg);
    if (!complete) return;
    if (Item* const still = rooms_.items.find(ref.index, ref.generation); still != nullptr && still->isOk()) {
        if (recovers) ++counts_.recoveries;
        retries_.worked(*still);
    }
    Service* const s = rooms_.services.find(service);
    if (s == nullptr) return;
    if (const Item* const still = rooms_.items.find(ref.index, ref.generation)) standbys_.wantSecond(*s, *still);
    goOn(service);
}

/// The source has ended the stream.
void InteractiveSupply::onEnd(UpstreamSource& source, Item& item, const Msg& msg) {
    if (msg.state.stream == StreamState::closedRecover) return recover(source, item, msg.state);
    if (msg.state.stream == StreamState::redirected && follow(source, item, msg)) return;
    const std::uint16_t service = item.service;
    Service* const s = rooms_.services.find(service);
    release(item, false);
    turns_.setPhase(item, Phase::idle);
    if (s != nullptr && s->policy.negativeCache.count() > 0 && msg.state.stream == StreamState::closed &&
        !item.is(Item::isPrivate))
        negatives_.add(item, msg.state, rooms_.reactor.now() + s->policy.negativeCache);
    Msg last = msg;
    last.raw = {};
    if (last.cls != MsgClass::Status) {  // a refresh without an image says no more than its state
        last = {};
        last.cls = MsgClass::Status;
        last.domain = item.domain;
        last.flags = StatusFlag::state;
        if (item.is(Item::isPrivate)) last.flags |= StatusFlag::privateStream;
        last.state = msg.state;
    }
    translateRedirect(rooms_.services, source, last);
    rooms_.flow.received(item, last);
    if (s != nullptr) goOn(service);
}

/// Inside the same service the hub goes where it is sent, and nobody hears of it.
bool InteractiveSupply::follow(UpstreamSource& source, Item& item, const Msg& msg) {
    Service* const service = rooms_.services.find(item.service);
    const Offer* const offer = service != nullptr ? service->offerOf(source) : nullptr;
    if (offer == nullptr || item.is(Item::isPrivate) || msg.isPrivate() || !msg.hasKey() || !msg.key.has(KeyFlag::name))
        return false;
    if (msg.key.has(KeyFlag::serviceId) && msg.key.serviceId != offer->id) return false;
    const std::uint8_t followed = asks_.redirects(item);
    if (followed >= kMostRedirects) return false;
    ++counts_.redirects;
    release(item, false);
    asks_.redirect(item, msg.key.name, static_cast<std::uint8_t>(followed + 1));
    turns_.setPhase(item, Phase::idle);
    place(*service, item);
    return true;
}

/// The item may come back: from another source at once, from this one after a while.
void InteractiveSupply::recover(UpstreamSource& source, Item& item, const State& state) {
    if (takeOver(item, false)) return;
    Service* const service = rooms_.services.find(item.service);
    release(item, false);
    rooms_.flow.bind(item, nullptr, 0);
    turns_.setPhase(item, Phase::idle);
    if (item.is(Item::isPrivate) || service == nullptr) return rooms_.flow.close(item, state);
    ++counts_.retries;
    retries_.failed(item, source);
    const Ref ref = Ref::of(item);
    if (!item.is(Item::recovering)) rooms_.flow.suspect(item, state.code, eta::asText(state.text));
    Item* const still = rooms_.items.find(ref.index, ref.generation);
    if (still == nullptr) return;
    if (still->mountCount == 0) return letGo(*still);
    if (Lanes::anybody(*service, still->domain, retries_.tried(*still))) return place(*service, *still);
    if (Lanes::anybody(*service, still->domain)) retries_.wait(*still);
    park(*still);
    goOn(service->id);
}

void InteractiveSupply::retry(Ref ref) {
    Item* const item = rooms_.items.find(ref.index, ref.generation);
    if (item == nullptr || !retries_.waits(*item)) return;
    retries_.goesOn(*item);
    Service* const service = rooms_.services.find(item->service);
    if (service == nullptr) return;
    if (item->phase == Phase::parked) return place(*service, *item);
    if (item->phase != Phase::open || item->source == nullptr) return;
    item->set(Item::renewing, true);  // its image was wrong
    asks_.reissue(*item, true);
}

void InteractiveSupply::onGroupEnd(UpstreamSource& source, Item& item, const State& state) {
    if (item.source != &source) return;
    source.close(item.upstream);
    if (state.stream == StreamState::closedRecover) return recover(source, item, state);
    release(item, false);
    turns_.setPhase(item, Phase::idle);
    rooms_.flow.close(item, state);
}

// --- offers ----------------------------------------------------------------------------------------------------------

void InteractiveSupply::onOffer(Service& service, Source& source) {
    const Offer* const offer = service.offerOf(source);
    if (offer == nullptr || !offer->usable()) return;
    mirroring_.look(service);
    Waiting& waiting = turns_.of(service.id);
    for (const Ref ref : waiting.takeParked()) {
        Item* const item = waiting.valid(ref, Phase::parked);
        if (item == nullptr) continue;
        // One that waits since this very source has ended it goes on waiting.
        const bool waits = retries_.waits(*item) && retries_.failedLast(*item, source);
        if (waits || !Lanes::anybody(service, item->domain)) {
            waiting.park(*item);
            continue;
        }
        retries_.goesOn(*item);
        turns_.queue(*item);
    }
    standbys_.wantBetter(service, source);
    goOn(service.id);
}

void InteractiveSupply::onOfferLost(Service& service, Source& from, bool streamsLive) {
    auto& source = static_cast<UpstreamSource&>(from);
    mirroring_.lost(service, source);
    if (lanes_.open(service.id, source) == 0) return;
    const bool others =
        std::ranges::any_of(service.offers, [&](const Offer& o) { return o.source != &source && o.usable(); });
    const std::uint8_t code = others ? kFailoverStarted : std::uint8_t{0};
    standbys_.sourceLost(service.id, source, streamsLive);
    const std::vector<Ref> items = itemsOf(rooms_.items, service, &source);
    for (const Ref ref : items)  // nobody hears of the loss of those
        if (Item* const item = rooms_.items.find(ref.index, ref.generation)) takeOver(*item, streamsLive);
    rooms_.groupStates.suspect(source, service, code, "the source of this item was lost");
    for (const Ref ref : items)
        lose(service, source, ref, code, streamsLive);
    goOn(service.id);
}

void InteractiveSupply::lose(Service& service, UpstreamSource& source, Ref ref, std::uint8_t code, bool streamsLive) {
    Item* item = rooms_.items.find(ref.index, ref.generation);
    if (item == nullptr || item->source != &source) return;
    const bool waited = item->phase == Phase::requested;
    release(*item, streamsLive);
    rooms_.flow.bind(*item, nullptr, 0);
    turns_.setPhase(*item, Phase::idle);
    static constexpr std::string_view kText = "the source of this item was lost";
    if (item->is(Item::isPrivate))
        return rooms_.flow.close(*item, {StreamState::closedRecover, DataState::suspect, 0, eta::asBytes(kText)});
    // Those of a group have been told with it.
    if (waited || !item->is(Item::recovering)) rooms_.flow.suspect(*item, code, kText);
    item = rooms_.items.find(ref.index, ref.generation);
    if (item == nullptr) return;
    if (item->mountCount == 0) return letGo(*item);
    if (!Lanes::anybody(service, item->domain)) return park(*item);
    turns_.queue(*item);
}

void InteractiveSupply::onServiceGone(Service& service) {
    for (const Ref ref : itemsOf(rooms_.items, service, nullptr)) {
        Item* const item = rooms_.items.find(ref.index, ref.generation);
        if (item == nullptr) continue;
        release(*item, true);
        turns_.setPhase(*item, Phase::idle);
        rooms_.flow.close(*item,
                          {StreamState::closedRecover, DataState::suspect, 0, eta::asBytes("the service was deleted")});
    }
}

}  // namespace emissary::hub::source
