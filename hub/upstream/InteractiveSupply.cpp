// Queues items at their source, sends requests as it has room, and places items anew when it fails.
#include "hub/upstream/InteractiveSupply.h"

#include "reactor/metrics/Snapshot.h"

#include <algorithm>

namespace emissary::hub::upstream {

using namespace eta::codec;
using flow::Event, flow::ItemLife;
using Phase = Item::Phase;

namespace {

// Codes of states (rdm.md 1.2).
constexpr std::uint8_t kUsageError = 5;
constexpr int kAtOnce = 2000;  // requests in one turn

}  // namespace

InteractiveSupply::InteractiveSupply(const SupplyRooms& rooms)
    : rooms_(rooms), metrics_(rooms.reactor, [this](reactor::metrics::Snapshot& into) { into.add(counts_); }),
      lanes_(counts_), standbys_(rooms.items, rooms.flow, lanes_),
      queues_(rooms.reactor, rooms.items, counts_, [this](std::uint16_t service) { pump(service); }),
      takings_(rooms.items), requests_(rooms.reactor, rooms.items, rooms.services, rooms.views, rooms.flow),
      retries_(rooms.reactor, rooms.items, [this](Ref r) { retry(r); }),
      lingering_(rooms.reactor, rooms.items, [this](Item& item) { letGo(item); }),
      secondAgain_(rooms.reactor, [this](Ref r) { wantSecondAgain(r); }),
      mirroring_(rooms.reactor, rooms.services, lanes_), differences_(rooms.reactor, rooms.log),
      slices_(rooms.reactor) {
    lanes_.onTurn([this](std::uint16_t id, bool used) {
        const Service* const service = rooms_.services.find(id);
        if (service == nullptr) return;
        if (used) mirroring_.look(*service);
        else mirroring_.lookSoon(*service);
    });
    rooms.services.beforeReuse(this, [this](std::uint16_t id) { finishClosing(id); });
}

// --- what mounts want ------------------------------------------------------------------------------------------------

void InteractiveSupply::wanted(Item& item) {
    Service* const service = rooms_.services.find(item.service);
    if (service == nullptr) return;
    if (const auto* const refused =
            item.is(Item::isPrivate) ? nullptr : negativeCache_.find(item, rooms_.reactor.now())) {
        if (published(item)) return;
        ++counts_.negativeHits;
        const State state = refused->view();
        return rooms_.flow.close(item, state);
    }
    place(*service, item);
}

void InteractiveSupply::refreshWanted(Item& item) {
    if (atMesh(item)) return fallback_->askAgain(item);
    if (item.source == nullptr || item.upstream == 0) return;
    if (requests_.wantsBetter(item) || item.is(Item::wantsWhole)) return askAnew(item);
    // The image is on its way, and the source hears of nothing new unless somebody wants updates now: one client that
    // opens the item ten thousand times in one batch must not cost as many requests.
    if (item.is(Item::renewing) && (!requests_.pausedAtSource(item) || item.liveCount == 0)) return;
    ItemLife::apply(item, Event::renewalAsked);
    requests_.reissue(item, true);
}

/// A stream keeps the QoS that it was opened with, and an answer under way does not say which view it is for, so this
/// takes another stream. What mounts have goes on being true; the first refresh of the new stream is for all mounts.
void InteractiveSupply::askAnew(Item& item) {
    Service* const service = rooms_.services.find(item.service);
    if (service == nullptr) return;
    const bool had = item.phase == Phase::open;
    const Ref ref = Ref::of(item);
    release(item, true);
    rooms_.flow.bind(item, nullptr, 0);
    queues_.apply(item, Event::released);
    place(*service, item);
    Item* const still = rooms_.items.find(ref.index, ref.generation);
    if (had && still != nullptr) ItemLife::apply(*still, Event::otherStream);
}

void InteractiveSupply::untrusted(Item& item) {
    if (atMesh(item)) return fallback_->askAgain(item);
    // The first time at once; one whose payload is wrong again and again has to wait.
    auto* const source = static_cast<UpstreamSource*>(item.source.get());
    if (source == nullptr || retries_.waits(item)) return;
    const bool again = retries_.tried(item) != 0;
    retries_.failed(item, *source);
    if (again) return retries_.wait(item);
    ItemLife::apply(item, Event::renewalAsked);
    requests_.reissue(item, true);
}

bool InteractiveSupply::eject(Item& item, const State& state) {
    const std::uint16_t service = item.service;
    release(item, true);
    queues_.apply(item, Event::released);
    rooms_.flow.close(item, state);
    goOn(service);
    return true;
}

bool InteractiveSupply::refetch(Item& item, std::string_view text) {
    if (!requested(item) || item.phase != Phase::open || item.is(Item::isPrivate)) return false;
    const Ref ref = Ref::of(item);
    rooms_.flow.suspect(item, 0, text);
    Item* const still = rooms_.items.find(ref.index, ref.generation);
    if (still == nullptr) return true;
    if (still->mountCount == 0) {  // its clients do not allow suspect data
        unwanted(*still);
        return true;
    }
    ItemLife::apply(*still, Event::renewalAsked);
    requests_.reissue(*still, true);
    return true;
}

void InteractiveSupply::unwanted(Item& item) {
    if (!lingering_.keep(rooms_.services.find(item.service), item)) letGo(item);
}

// --- requests --------------------------------------------------------------------------------------------------------

void InteractiveSupply::place(Service& service, Item& item) {
    if (service.meshFirst() && item.phase == Phase::idle && fallback_ != nullptr && fallback_->take(item)) return;
    if (!queues_.of(service.id).empty() || (answering_ && Lanes::anybody(service, item.domain, retries_.tried(item))))
        return enqueue(service, item);
    switch (send(service, item)) {
    case Sent::soon:
    case Sent::later:
        return enqueue(service, item);
    case Sent::nobody:
        return park(item);
    case Sent::yes:
    case Sent::refused:
        return;
    }
}

Lanes::Choice InteractiveSupply::choose(const Service& service, const Item& item) {
    std::uint64_t tried = retries_.tried(item);
    if (Lanes::anybody(service, item.domain, tried | suspects_.of(item))) tried |= suspects_.of(item);
    return lanes_.choose(service, item.domain, tried, rooms_.reactor.now());
}

InteractiveSupply::Sent InteractiveSupply::send(Service& service, Item& item) {
    const Lanes::Choice choice = choose(service, item);
    if (choice.source == nullptr) return choice.soon ? Sent::soon : choice.later ? Sent::later : Sent::nobody;
    if (choice.source->congested()) return Sent::soon;
    std::string why;
    const UpstreamSource::Ask ask = requests_.of(item, *choice.source);
    const Handle handle = choice.source->request(item, *choice.offer, ask, why);
    if (handle == 0) {
        queues_.apply(item, Event::released);
        rooms_.flow.close(item, {StreamState::closed, DataState::suspect, kUsageError, eta::asBytes(why)});
        return Sent::refused;
    }
    rooms_.flow.bind(item, choice.source, handle);
    item.qosAsked = ask.qos;
    queues_.apply(item, Event::requested);
    SourceRequests::asked(item, ask);
    lanes_.asked(service, *choice.source);
    return Sent::yes;
}

void InteractiveSupply::enqueue(const Service& service, Item& item) {
    queues_.queue(item);
    queues_.soon(service.id);
}

void InteractiveSupply::park(Item& item) {
    if (item.is(Item::isPrivate)) {
        queues_.apply(item, Event::released);
        return rooms_.flow.close(item, {StreamState::closedRecover, DataState::suspect, 0,
                                        eta::asBytes("no source serves the service now")});
    }
    queues_.apply(item, Event::released);
    rooms_.groupStates.groups().take(item);  // clients hear of the source's groups, and it is in none of them
    if (published(item) || (fallback_ != nullptr && fallback_->take(item))) return;
    queues_.park(item);
    if (item.is(Item::recovering)) return;  // clients have the status already
    rooms_.flow.suspect(item, 0, "no source serves the service now");
    if (item.mountCount == 0) letGo(item);
}

void InteractiveSupply::fallBack(Service& service) {
    Waiting& waiting = queues_.of(service.id);
    for (const Ref ref : waiting.takeParked())
        if (Item* const item = waiting.valid(ref, Phase::parked)) park(*item);
    seekUnserved(service);
}

void InteractiveSupply::takeBack(std::uint16_t id) {
    Service* const service = rooms_.services.find(id);
    const Source* const from = service != nullptr && !service->meshFirst() ? service->mesh.source : nullptr;
    if (fallback_ == nullptr || from == nullptr || rooms_.items.count(id, from) == 0 || slices_.has({id, from})) return;
    slices_.add({id, from}, [this, id, from, left = rooms_.items.count(id, from)]() mutable {
        Item* const item = left != 0 ? rooms_.items.first(id, from) : nullptr;
        const Service* const there = rooms_.services.find(id);
        if (item == nullptr || there == nullptr || there->meshFirst()) return false;
        --left;
        rooms_.items.toBack(*item);
        takeBack(*item);
        return true;
    });
}

void InteractiveSupply::takeBack(Item& item) {
    const Service* const service = rooms_.services.find(item.service);
    if (service == nullptr || !atMesh(item)) return;
    if (!service->sourcesFirst(item.domain) && toPublisher(item)) return;
    if (!Lanes::anybody(*service, item.domain)) return;
    takings_.want(item);
    goOn(service->id);
}

bool InteractiveSupply::yield(Item& item) {
    if (item.source == nullptr || atMesh(item) || item.phase != Phase::open || item.is(Item::isPrivate)) return false;
    const std::uint16_t service = item.service;
    if (item.source->kind().publishes) {
        if (published_ == nullptr) return false;
        published_->yield(item);
    } else {
        release(item, true);
        rooms_.flow.bind(item, nullptr, 0);
    }
    queues_.apply(item, Event::released);
    rooms_.groupStates.groups().take(item);  // they are those of whoever had it
    ItemLife::apply(item, Event::otherStream);
    goOn(service);
    return true;
}

void InteractiveSupply::goOn(std::uint16_t service) {
    if (queues_.of(service).queued != 0 || takings_.waiting(service) || standbys_.waiting(service))
        queues_.soon(service);
}

/// As many as there is room for; the rest goes when an answer has come, or time has passed.
void InteractiveSupply::pump(std::uint16_t id) {
    Waiting& waiting = queues_.of(id);
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
        park(*item);
    }
    while (left-- > 0 && last != Sent::soon && last != Sent::later) {
        // An item stays with the offer that serves it until its turn has come, so that its clients are without an image
        // for one round trip and not for as long as the list.
        Item* const item = takings_.next(
            id, [](const Item& one) { return one.source != nullptr && !one.source->kind().isConnection; });
        if (item == nullptr) break;
        last = take(*service, *item);
        if (last != Sent::soon && last != Sent::later) takings_.pop(id);
    }
    while (left-- > 0 && last != Sent::soon && last != Sent::later) {
        Item* const item = standbys_.next(id);
        if (item == nullptr) break;
        last = sendSecond(*service, *item);
        if (last == Sent::yes || last == Sent::nobody) standbys_.pop(id);
    }
    waiting.pumping = false;
    // Answers and ends call again; but the budget of a source fills, and output drains, without a word.
    if (last == Sent::soon) queues_.soon(id, std::chrono::milliseconds(2));
    else if (last != Sent::later && (!waiting.empty() || takings_.waiting(id) || standbys_.waiting(id)))
        queues_.soon(id);
}

// --- ends ------------------------------------------------------------------------------------------------------------

void InteractiveSupply::release(Item& item, bool close) {
    requests_.forget(item);
    standbys_.drop(item, true);
    // A publisher's stream is its own: there is nothing to close.
    if (item.source == nullptr || item.source->kind().publishes) return;
    if (atMesh(item)) return fallback_->release(item);
    lanes_.ended(item.service, *item.source, item.phase == Phase::requested);
    if (close && item.upstream != 0) static_cast<UpstreamSource&>(*item.source).close(item.upstream);
    rooms_.flow.release(item);
}

/// Nobody wants the item any more.
void InteractiveSupply::letGo(Item& item) {
    if (item.source != nullptr && item.source->kind().publishes) return;  // it has lingered
    const std::uint16_t service = item.service;
    const bool freed = item.source != nullptr;
    release(item, true);
    queues_.apply(item, Event::released);
    if (published_ != nullptr && published_->holds(item)) rooms_.flow.forgetImage(item);
    else rooms_.flow.erase(item);
    if (freed) goOn(service);
}

}  // namespace emissary::hub::upstream
