// What sources say of items, and what becomes of items that lose their source.
#include "hub/source/redirect.h"
#include "hub/upstream/InteractiveSupply.h"

#include "reactor/rdm/stream_state.h"

#include <algorithm>

namespace emissary::hub::upstream {

using namespace eta::codec;
using flow::Event, flow::ItemLife;
using Phase = Item::Phase;

namespace {

// Codes of states (rdm.md 1.2).
constexpr std::uint8_t kFailoverStarted = 9, kFailoverCompleted = 10;
constexpr std::uint8_t kMostRedirects = 3;
constexpr std::string_view kLost = "the source of this item was lost",
                           kPaused = "an operator has paused the source of this item";

}  // namespace

/// What is left to do after a source's offer of a service is gone. Its items stay in its list until the last stage
/// takes them out one by one, or their second streams go on with them.
struct InteractiveSupply::Loss {
    enum class Stage : std::uint8_t {
        seconds,  ///< second streams at the source are over
        suspect,  ///< the item goes on with its second stream; or else it is suspect from now on
        groups,   ///< group statuses to the clients that get them
        orphans,  ///< the items lose their source, and find another one
    };
    std::uint16_t service = 0;  // local
    UpstreamSource* source = nullptr;
    std::uint8_t code = 0;
    bool streamsLive = false;
    std::string_view text = kLost;
    Stage stage = Stage::seconds;
    std::uint32_t left = 0;  // items to look at in this stage
    std::vector<std::uint16_t> groups;
};

void InteractiveSupply::onAnswer(UpstreamSource& source, Item& item, const Msg& msg) {
    // The source is lost, and this item's turn to lose it comes: what is said of its stream is of no interest.
    if (slices_.has({item.service, &source})) return;
    // The stream that the message came on is not quite over before this call is: requests go out after it.
    const bool before = std::exchange(answering_, true);
    const bool suspect = msg.hasState() && msg.state.data == DataState::suspect;
    const std::uint16_t service = item.service;
    const Ref ref = Ref::of(item);
    if (suspect && !msg.state.isFinal()) suspects_.add(item, source);
    if (item.compared) onCompared(item, msg);
    if (msg.hasState() && msg.state.isFinal()) onEnd(source, item, msg);
    else if (suspect && spare(item)) {
        // The source has ended nothing, but the item has gone on with another one.
    } else {
        if (msg.cls == MsgClass::Refresh) onRefresh(source, item, msg);
        else rooms_.flow.received(item, msg);
        if (suspect) reconsider(ref);
    }
    answering_ = before;
    if (suspect) goOn(service);
}

void InteractiveSupply::onRefresh(UpstreamSource& source, Item& item, const Msg& msg) {
    const bool complete = msg.has(RefreshFlag::complete);
    const std::uint16_t service = item.service;
    const Ref ref = Ref::of(item);
    if (complete) {
        if (item.phase == Phase::requested) lanes_.answered(service, source);
        if (msg.has(RefreshFlag::solicited) || item.phase == Phase::requested) ItemLife::apply(item, Event::renewed);
        if (reactor::rdm::endsStream(msg)) {
            // The answer is the last of its stream. Whoever wants more than a snapshot has come meanwhile.
            if (item.phase == Phase::requested) queues_.apply(item, Event::lastAnswer);
            release(item, false);
            const auto streams = [](const Mount& m) { return !m.is(Mount::snapshot); };
            if (item.is(Item::snapshotOnly) && std::any_of(item.mounts, item.mounts + item.mountCount, streams)) {
                queues_.apply(item, Event::snapshotAnswered);
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
    if (Item* const still = rooms_.items.find(ref.index, ref.generation);
        still != nullptr && reactor::rdm::endsStream(msg) && still->source == nullptr && still->phase == Phase::open) {
        // The stream is over, and what came was not the item's end: a part of a refresh that had not begun, or a
        // payload that cannot be decoded.
        return recover(source, *still,
                       {StreamState::closedRecover, DataState::suspect, 0,
                        eta::asBytes("the source has ended the stream of this item")});
    }
    if (Item* const still = rooms_.items.find(ref.index, ref.generation); still != nullptr && still->isOk()) {
        suspects_.forget(*still);
        if (recovers) ++counts_.recoveries;
        retries_.worked(*still);
    }
    Service* const s = rooms_.services.find(service);
    if (s == nullptr) return;
    if (Item* const still = rooms_.items.find(ref.index, ref.generation)) {
        standbys_.wantSecond(*s, *still);
        if (still->liveCount == 0) requests_.mountsChanged(*still);  // it may pause now
    }
    goOn(service);
}

/// The source has ended the stream.
void InteractiveSupply::onEnd(UpstreamSource& source, Item& item, const Msg& msg) {
    if (msg.state.stream == StreamState::closedRecover) return recover(source, item, msg.state);
    if (msg.state.stream == StreamState::redirected && follow(source, item, msg)) return;
    const std::uint16_t service = item.service;
    Service* const s = rooms_.services.find(service);
    release(item, false);
    queues_.apply(item, Event::released);
    if (s != nullptr && s->policy.negativeCache.count() > 0 && msg.state.stream == StreamState::closed &&
        !item.is(Item::isPrivate))
        negativeCache_.add(item, msg.state, rooms_.reactor.now() + s->policy.negativeCache);
    if (!published(item)) rooms_.flow.received(item, source::lastStatus(rooms_.services, source, item, msg));
    if (s != nullptr) goOn(service);
}

/// Inside the same service the hub goes where it is sent. What mounts have is of the item before: they all get the
/// image of the other one, and no update of it sooner.
bool InteractiveSupply::follow(UpstreamSource& source, Item& item, const Msg& msg) {
    Service* const service = rooms_.services.find(item.service);
    const Offer* const offer = service != nullptr ? service->offerOf(source) : nullptr;
    if (offer == nullptr || item.is(Item::isPrivate) || msg.isPrivate() || !msg.hasKey() || !msg.key.has(KeyFlag::name))
        return false;
    if (msg.key.has(KeyFlag::serviceId) && msg.key.serviceId != offer->id) return false;
    const std::uint8_t followed = requests_.redirects(item);
    if (followed >= kMostRedirects) return false;
    ++counts_.redirects;
    release(item, false);
    rooms_.flow.bind(item, nullptr, 0);
    rooms_.groupStates.groups().take(item);
    requests_.redirect(item, msg.key.name, static_cast<std::uint8_t>(followed + 1));
    queues_.apply(item, Event::released);
    ItemLife::apply(item, Event::otherStream);
    place(*service, item);
    return true;
}

/// The item may come back: from another source at once, from this one after a while.
void InteractiveSupply::recover(UpstreamSource& source, Item& item, const State& state) {
    if (takeOver(item, false)) return;
    Service* const service = rooms_.services.find(item.service);
    release(item, false);
    rooms_.flow.bind(item, nullptr, 0);
    queues_.apply(item, Event::released);
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
    if (!requested(*item)) return;
    if ((item->phase != Phase::open && item->phase != Phase::requested) || item->source == nullptr) return;
    ItemLife::apply(*item, Event::renewalAsked);  // its image was wrong
    requests_.reissue(*item, true);
}

void InteractiveSupply::onGroupEnd(UpstreamSource& source, Item& item, const State& state) {
    if (item.source != &source) return;
    source.close(item.upstream);
    if (state.stream == StreamState::closedRecover) return recover(source, item, state);
    release(item, false);
    queues_.apply(item, Event::released);
    if (!published(item)) rooms_.flow.close(item, state);
}

// --- offers ----------------------------------------------------------------------------------------------------------

void InteractiveSupply::onOffer(Service& service, Source& source) {
    const Offer* const offer = service.offerOf(source);
    // It is back before all of its items have lost it: they do so first.
    slices_.finish({service.id, &source});
    if (offer == nullptr) return;
    mirroring_.look(service);
    if (!offer->usable()) {
        usable_.erase({service.id, &source});
        return onServiceDown(service, static_cast<UpstreamSource&>(source));
    }
    const Asking asking = Asking::of(*offer);
    const auto [known, news] = usable_.try_emplace({service.id, &source});
    const bool more = std::exchange(known->second, asking) != asking;
    const bool back = down_.erase({service.id, &source}) != 0;
    Waiting& waiting = queues_.of(service.id);
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
        queues_.queue(*item);
    }
    standbys_.wantBetter(service, source);
    if (more) seekUnserved(service);  // its other directory messages change nothing for them
    if (news) takeFromPublishers(service);
    if (news) lookAgain(service.id, inNeedOf(service, source));
    takeBack(service.id);
    if (back) lookAgain(service.id, standbys_.itemsOf(service.id, source, nullptr));
    for (const Offer& other : std::vector<Offer>(service.offers))
        if (other.source != &source && other.source->up() && !other.usable())
            onServiceDown(service, static_cast<UpstreamSource&>(*other.source));
    goOn(service.id);
}

void InteractiveSupply::onOfferLost(Service& service, Source& from, bool streamsLive) {
    auto& source = static_cast<UpstreamSource&>(from);
    mirroring_.lost(service, source);
    down_.erase({service.id, &source});
    usable_.erase({service.id, &source});
    if (lanes_.open(service.id, source) == 0) return;
    const bool others =
        std::ranges::any_of(service.offers, [&](const Offer& o) { return o.source != &source && o.usable(); });
    const std::uint8_t code = others ? kFailoverStarted : std::uint8_t{0};
    auto loss = std::make_shared<Loss>();
    loss->service = service.id;
    loss->source = &source;
    loss->code = code;
    // A source that is not used any more is there, and would go on sending.
    loss->streamsLive = streamsLive || source.unused();
    if (source.paused()) loss->text = kPaused;
    slices_.add({service.id, &source}, [this, loss] { return step(*loss); });
}

/// A small piece of what follows from a loss; false: that was the last one.
bool InteractiveSupply::step(Loss& loss) {
    using Stage = Loss::Stage;
    UpstreamSource& source = *loss.source;
    Service* const service = rooms_.services.find(loss.service);
    if (service == nullptr) return false;  // it was deleted, and that closes its items
    switch (loss.stage) {
    case Stage::seconds:
        if (standbys_.loseOne(loss.service, source, loss.streamsLive)) return true;
        loss.stage = Stage::suspect;
        loss.left = rooms_.items.count(loss.service, &source);
        return true;
    case Stage::suspect: {
        Item* const item = loss.left != 0 ? rooms_.items.first(loss.service, &source) : nullptr;
        if (item == nullptr) {
            loss.stage = Stage::groups;
            loss.groups = rooms_.groupStates.groups().ofSource(loss.service, source);
            return true;
        }
        --loss.left;
        rooms_.items.toBack(*item);
        if (takeOver(*item, loss.streamsLive)) return true;  // nobody hears of the loss
        if (item->group != 0 && !item->is(Item::isPrivate)) rooms_.groupStates.suspect(*item, loss.code, loss.text);
        return true;
    }
    case Stage::groups:
        if (loss.groups.empty()) {
            loss.stage = Stage::orphans;
            return true;
        }
        rooms_.groupStates.tellSuspect(source, *service, loss.groups.back(), loss.code, loss.text);
        loss.groups.pop_back();
        return true;
    case Stage::orphans:
        if (Item* const item = rooms_.items.first(loss.service, &source)) {
            lose(*service, source, Ref::of(*item), loss);
            return true;
        }
        goOn(loss.service);
        return false;
    }
    return false;
}

void InteractiveSupply::lose(Service& service, UpstreamSource& source, Ref ref, const Loss& loss) {
    Item* item = rooms_.items.find(ref.index, ref.generation);
    if (item == nullptr || item->source != &source) return;
    const bool waited = item->phase == Phase::requested;
    release(*item, loss.streamsLive);
    rooms_.flow.bind(*item, nullptr, 0);
    queues_.apply(*item, Event::released);
    if (item->is(Item::isPrivate))
        return rooms_.flow.close(*item, {StreamState::closedRecover, DataState::suspect, 0, eta::asBytes(loss.text)});
    if (!Lanes::anybody(service, item->domain) && published(*item)) return;
    // Clients of items in a group have got the group's status.
    if (waited || !item->is(Item::recovering)) rooms_.flow.suspect(*item, loss.code, loss.text);
    item = rooms_.items.find(ref.index, ref.generation);
    if (item == nullptr) return;
    if (item->mountCount == 0) return letGo(*item);
    if (!Lanes::anybody(service, item->domain)) return park(*item);
    queues_.queue(*item);
}

void InteractiveSupply::afterLosses(UpstreamSource& source, std::function<bool()> step) {
    // The jobs of its losses, and those of services that went with it, stand in front of this one.
    slices_.add({0, &source}, [this, at = &source, step = std::move(step)] { return loseLeftover(*at) || step(); });
}

bool InteractiveSupply::loseLeftover(UpstreamSource& source) {
    bool found = false;
    if (source.seconds() != 0)
        rooms_.services.forEach(
            [&](const Service& service) { found = found || standbys_.loseOne(service.id, source, false); });
    if (found) return true;
    Item* const item = rooms_.items.anyOf(source);
    if (item == nullptr) return false;
    if (Service* const service = rooms_.services.find(item->service)) {
        Loss loss;
        loss.service = service->id;
        loss.source = &source;
        lose(*service, source, Ref::of(*item), loss);
        return true;
    }
    release(*item, false);
    queues_.apply(*item, Event::released);
    rooms_.flow.close(
        *item, {StreamState::closedRecover, DataState::suspect, 0, eta::asBytes("the service of this item is gone")});
    return true;
}

void InteractiveSupply::forget(const UpstreamSource& source) noexcept {
    const auto mine = [&](const auto& offer) { return offer.second == &source; };
    std::erase_if(down_, mine);
    std::erase_if(usable_, [&](const auto& one) { return one.first.second == &source; });
    mirroring_.forget(source);
    lanes_.forget(source);
    rooms_.groupStates.forget(source);
}

void InteractiveSupply::onServiceGone(Service& service) {
    slices_.add({service.id, nullptr}, [this, id = service.id] {
        Item* const item = rooms_.items.anyOf(id);
        if (item == nullptr) return false;
        release(*item, true);
        queues_.apply(*item, Event::released);
        rooms_.flow.close(*item, {StreamState::closedRecover, DataState::suspect, 0,
                                  eta::asBytes("the service of this item is gone")});
        return true;
    });
}

void InteractiveSupply::finishClosing(std::uint16_t service) {
    slices_.finishOf(service);
}

}  // namespace emissary::hub::upstream
