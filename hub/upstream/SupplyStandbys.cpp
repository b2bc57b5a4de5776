// Items that go over to their second stream, or to a better source (hub.md 4.2).
#include "hub/upstream/InteractiveSupply.h"

#include <algorithm>

namespace emissary::hub::upstream {

using namespace eta::codec;
using flow::Event;
using Phase = Item::Phase;

namespace {
constexpr std::uint8_t kFailoverCompleted = 10;  // rdm.md 1.2
}  // namespace

InteractiveSupply::Sent InteractiveSupply::sendSecond(Service& service, Item& item) {
    std::uint64_t without = Standbys::without(service, item);
    if (Lanes::anybody(service, item.domain, without | suspects_.of(item))) without |= suspects_.of(item);
    const Lanes::Choice choice = lanes_.choose(service, item.domain, without, rooms_.reactor.now());
    if (choice.source == nullptr) return choice.soon ? Sent::soon : choice.later ? Sent::later : Sent::nobody;
    // A second stream is a spare. It does not add to output that already waits for requests of items without any.
    if (choice.source->congested()) return Sent::soon;
    const bool hot = service.policy.sourceMode == SourceMode::hot;
    const bool well = Standbys::servedWell(service, item);
    if (!hot && !service.policy.failBack && well) return Sent::nobody;  // again
    std::string why;
    const Handle handle = choice.source->request(item, *choice.offer, requests_.of(item, *choice.source), why);
    if (handle == 0) return Sent::nobody;
    // Without an image there is nothing to go over to but what comes with its refresh.
    standbys_.add(item, *choice.source, handle, !hot || (!well && !item.is(Item::cached)), hot);
    lanes_.asked(service, *choice.source);
    return Sent::yes;
}

void InteractiveSupply::onOtherStream(UpstreamSource& source, Item& item, Handle handle, const Msg& msg) {
    SecondStream* const standby = standbys_.find(item);
    if (standby == nullptr || standby->source != &source || standby->handle != handle) return;
    const bool before = std::exchange(answering_, true);
    const std::uint16_t service = item.service;
    const Ref ref = Ref::of(item);
    compare(item, *standby, msg, PairWindow::Side::standby);
    if (standby->taking) {
        onTaking(item, msg);
    } else if (!standbys_.received(item, *standby, msg)) {
        if (!msg.hasState() || msg.state.stream != StreamState::closed)
            secondAgain_.add(ref, Standbys::kAgain);  // until then the item goes on as before
    } else if (msg.cls != MsgClass::Update) {
        const Service* const s = rooms_.services.find(service);
        if (s != nullptr && standby->suspect) seekBetterSecond(*s, item, Standbys::servedWell(*s, item));
        reconsider(ref);
    }
    answering_ = before;
    goOn(service);
}

void InteractiveSupply::onCompared(Item& item, const Msg& msg) {
    if (SecondStream* const second = standbys_.find(item); second != nullptr)
        compare(item, *second, msg, PairWindow::Side::active);
}

/// Updates count from the second stream's image on; an image of either source may hold some of them.
void InteractiveSupply::compare(const Item& item, SecondStream& second, const Msg& msg, PairWindow::Side side) {
    if (second.pair == nullptr || item.source == nullptr || !item.source->kind().isConnection) return;
    // The bytes of equal values are others where one of the two was converted from JSON: they would say nothing.
    if (static_cast<const UpstreamSource&>(*item.source).speaksJson() != second.source->speaksJson()) {
        if (side == PairWindow::Side::active) return;
        if (msg.cls == MsgClass::Update) ++counts_.uncompared;
        if (const Service* const service = rooms_.services.find(item.service))
            differences_.leaveOut(*service, item, second);
        return;
    }
    if (msg.cls == MsgClass::Refresh || msg.cls == MsgClass::Status) return second.pair->restart();
    // One that calls itself suspect, or is called so by its source, is not expected to keep up.
    if (msg.cls != MsgClass::Update || !second.answered || !second.ok) return;
    const PairWindow::Found found = second.pair->came(side, PairWindow::hashOf(msg.payload));
    if (found.same == 0 && !found.differs()) return;
    if (Service* const service = rooms_.services.find(item.service)) differences_.count(*service, item, second, found);
}

/// A message of the source that the item is to go over to.
void InteractiveSupply::onTaking(Item& item, const Msg& msg) {
    const Service* const service = rooms_.services.find(item.service);
    if (service == nullptr) return;
    const bool well = Standbys::servedWell(*service, item);
    if (well && !service->policy.failBack) return standbys_.drop(item, !msg.hasState() || !msg.state.isFinal());
    if (msg.hasState() && msg.state.isFinal()) {
        if (msg.state.stream == StreamState::closedRecover) secondAgain_.add(Ref::of(item), Standbys::kAgain);
        return standbys_.drop(item, false);
    }
    if (msg.cls != MsgClass::Refresh && msg.cls != MsgClass::Status) return;
    if (msg.cls == MsgClass::Refresh && msg.state.data == DataState::ok) return goOver(item, msg);
    if (msg.cls == MsgClass::Refresh && well) return standbys_.drop(item, true);  // not better than what there is
    // A suspect one is kept until it is Ok, or somebody else can be asked; that it is now can come without the image,
    // which is asked for then.
    if (msg.hasState() && msg.state.data == DataState::suspect) {
        standbys_.find(item)->suspect = true;
        return seekBetterSecond(*service, item, well);
    }
    if (msg.cls == MsgClass::Refresh || !msg.hasState() || msg.state.data != DataState::ok) return;
    standbys_.drop(item, true);
    standbys_.wantOther(*service, item);
}

void InteractiveSupply::seekBetterSecond(const Service& service, const Item& item, bool well) {
    SecondStream* const s = standbys_.find(item);
    if (s == nullptr) return;
    const bool hot = service.policy.sourceMode == SourceMode::hot;
    // A standby without an image cannot be gone over to: it is asked for one.
    const bool bare = hot && !s->taking && s->ok && s->answered && !item.is(Item::cached) && !well;
    if (!s->suspect && !bare) return;
    if (s->suspect) suspects_.add(item, *s->source);
    const std::uint64_t others =
        (well ? Standbys::without(service, item) : Lanes::bit(*item.source)) | Lanes::bit(*s->source);
    if (bare || Lanes::anybody(service, item.domain, others | suspects_.of(item))) {
        standbys_.drop(item, true);
        if (hot) standbys_.wantSecond(service, item);
        else standbys_.wantOther(service, item);
    } else if (Lanes::anybody(service, item.domain, others) && !std::exchange(s->turning, true)) {
        secondAgain_.add(Ref::of(item), Standbys::kTurn);
    }
}

void InteractiveSupply::wantSecondAgain(Ref ref) {
    if (const auto at = moved_.find(ref.index); at != moved_.end() && at->second == ref.generation) moved_.erase(at);
    const Item* const item = rooms_.items.find(ref.index, ref.generation);
    if (item == nullptr) return;
    const std::uint16_t service = item->service;
    if (const Service* const s = rooms_.services.find(service)) {
        SecondStream* const second = standbys_.find(*item);
        if (second != nullptr && std::exchange(second->turning, false) && second->suspect) {
            suspects_.forget(*item);  // the others may be better now
            seekBetterSecond(*s, *item, Standbys::servedWell(*s, *item));
        }
        standbys_.wantSecond(*s, *item);
    }
    reconsider(ref);
    goOn(service);
}

void InteractiveSupply::moved(const Item& item) {
    moved_.insert_or_assign(item.index, item.generation);
    secondAgain_.add(Ref::of(item), Standbys::kAgain);
}

bool InteractiveSupply::spare(Item& item) {
    Service* const service = rooms_.services.find(item.service);
    if (service == nullptr || item.source == nullptr) return false;
    if (item.phase == Phase::requested) return askOther(*service, item);
    if (item.phase != Phase::open || item.is(Item::isPrivate | Item::snapshotOnly | Item::renewing)) return false;
    // An item that has just gone over stays for a while: two sources that both say Suspect would pass it to and fro
    // with each message.
    if (const auto at = moved_.find(item.index); at != moved_.end() && at->second == item.generation) return false;
    suspects_.add(item, *item.source);
    const Ref ref = Ref::of(item);
    if (takeOver(item, true)) {
        if (const Item* const still = rooms_.items.find(ref.index, ref.generation)) moved(*still);
        return true;
    }
    if (toPublisher(item)) return true;
    seekBetterSecond(*service, item, false);
    standbys_.wantOther(*service, item);
    return false;
}

bool InteractiveSupply::askOther(Service& service, Item& item) {
    if (item.is(Item::isPrivate) || !suspects_.has(item, *item.source)) return false;
    if (!Lanes::anybody(service, item.domain, retries_.tried(item) | suspects_.of(item))) return false;
    release(item, true);
    rooms_.flow.bind(item, nullptr, 0);
    queues_.queue(item);
    return true;
}

std::vector<Ref> InteractiveSupply::inNeedOf(const Service& service, const Source& news) {
    std::vector<Ref> found;
    rooms_.items.forEachSource(service.id, [&](const Source& source) {
        if (&source == &news || !source.kind().isConnection) return;
        rooms_.items.forEachOf(service.id, &source, [&](const Item& item) {
            suspects_.forget(item, news);
            const bool waits = item.phase == Phase::requested && suspects_.has(item, source);
            if (waits || (item.phase == Phase::open && item.dataState == DataState::suspect))
                found.push_back(Ref::of(item));
        });
    });
    return found;
}

void InteractiveSupply::reconsider(Ref ref) {
    Item* const item = rooms_.items.find(ref.index, ref.generation);
    const Service* const service = item != nullptr && requested(*item) ? rooms_.services.find(item->service) : nullptr;
    if (service != nullptr && !Standbys::servedWell(*service, *item)) (void)spare(*item);
}

bool InteractiveSupply::onGroupSuspect(UpstreamSource&, Item& item) {
    const bool gone = spare(item);
    if (!gone) goOn(item.service);
    return gone;
}

void InteractiveSupply::onSecondStates(UpstreamSource& source, Service& service, const Bytes* group,
                                       const State& state) {
    for (const Ref ref : standbys_.itemsOf(service.id, source, group)) {
        Item* const item = rooms_.items.find(ref.index, ref.generation);
        SecondStream* const second = item != nullptr ? standbys_.find(*item) : nullptr;
        if (second == nullptr || second->source != &source) continue;
        if (state.isFinal()) {
            standbys_.drop(*item, true);
            if (state.stream == StreamState::closedRecover) secondAgain_.add(ref, Standbys::kAgain);
            continue;
        }
        if (state.data == DataState::noChange) continue;
        second->ok = state.data == DataState::ok;
        second->suspect = !second->ok;
        if (second->ok) reconsider(ref);
        else seekBetterSecond(service, *item, Standbys::servedWell(service, *item));
    }
    goOn(service.id);
}

void InteractiveSupply::onSecondsMerged(UpstreamSource& source, Service& service, Bytes group, Bytes into) {
    standbys_.merge(service.id, source, group, into);
}

/// Its streams may go on, or not: other sources of the service are asked for the items. Once, until it is up again.
void InteractiveSupply::onServiceDown(Service& service, UpstreamSource& source) {
    const auto others = [&](const Offer& o) { return o.source != &source && o.usable(); };
    if (lanes_.open(service.id, source) == 0 || (published_ == nullptr && std::ranges::none_of(service.offers, others)))
        return;
    if (!down_.insert({service.id, &source}).second) return;
    std::vector<Ref> items;
    rooms_.items.forEachOf(service.id, &source, [&](const Item& item) { items.push_back(Ref::of(item)); });
    lookAgain(service.id, std::move(items));
}

void InteractiveSupply::lookAgain(std::uint16_t service, std::vector<Ref> items) {
    if (items.empty()) return;
    // No source in the key: messages of the sources go on counting meanwhile.
    slices_.add({service, nullptr}, [this, service, left = std::move(items), at = std::size_t{0}]() mutable {
        lookAgain(left[at]);
        if (++at < left.size()) return true;
        goOn(service);
        return false;
    });
}

void InteractiveSupply::lookAgain(Ref ref) {
    Item* const item = rooms_.items.find(ref.index, ref.generation);
    Service* const service = item != nullptr ? rooms_.services.find(item->service) : nullptr;
    if (service == nullptr || !requested(*item)) return;
    if (item->phase != Phase::requested) return reconsider(ref);
    const Offer* const offer = service->offerOf(*item->source);
    if (offer != nullptr && offer->usable()) return void(askOther(*service, *item));
    if (offer == nullptr || item->is(Item::isPrivate) || !Lanes::anybody(*service, item->domain)) return;
    release(*item, true);
    rooms_.flow.bind(*item, nullptr, 0);
    queues_.queue(*item);
}

/// The better source has answered: from this refresh on its data count.
void InteractiveSupply::goOver(Item& item, const Msg& msg) {
    const Service* const service = rooms_.services.find(item.service);
    if (service != nullptr && !Standbys::servedWell(*service, item)) moved(item);
    const SecondStream s = standbys_.take(item);
    release(item, true);
    rooms_.flow.bind(item, s.source, s.handle);
    queues_.apply(item, Event::goesOver);  // its lane counts it as requested
    ++counts_.takeovers;
    onAnswer(*s.source, item, msg);
}

bool InteractiveSupply::takeOver(Item& item, bool close) {
    const SecondStream* const there = standbys_.find(item);
    const Service* const service = rooms_.services.find(item.service);
    if (there == nullptr || service == nullptr || !standbys_.ready(*service, item, *there)) return false;
    const Ref ref = Ref::of(item);
    SecondStream s = standbys_.take(item);
    release(item, close);
    ++counts_.takeovers;
    rooms_.flow.takeOver(
        item, *s.source, s.handle, std::move(static_cast<flow::SecondImage&>(s)),
        {StreamState::open, DataState::ok, kFailoverCompleted, eta::asBytes("another source goes on with this item")});
    const Item* const still = rooms_.items.find(ref.index, ref.generation);
    if (still != nullptr) standbys_.wantSecond(*service, *still);
    return true;
}

}  // namespace emissary::hub::upstream
