// Second streams: hot mode, and the way back to a better source (hub.md 4.2).
#include "hub/source/InteractiveSupply.h"

#include <algorithm>

namespace emissary::hub::source {

using namespace eta::codec;
using Phase = Item::Phase;

namespace {
constexpr std::uint8_t kFailoverCompleted = 10;  // rdm.md 1.3
}

void InteractiveSupply::wantSecond(const Service& service, const Item& item) {
    if (service.policy.sourceMode != SourceMode::hot || item.phase != Phase::open || item.source == nullptr) return;
    if (standbys_.find(item) == nullptr && service.offers.size() > 1) standbys_.want(item);
}

/// A source has come, or come back: items without a second stream, or served by a source behind it, want it.
void InteractiveSupply::wantBetter(Service& service, const Source& news) {
    const bool hot = service.policy.sourceMode == SourceMode::hot;
    const bool back = service.policy.failBack && service.policy.sourceMode == SourceMode::ordered;
    if ((!hot && !back) || service.offers.size() < 2 || standbys_.waiting(service.id)) return;
    const Source* const best = service.offers.front().source;
    // One that has streams already has only said something else of itself.
    if (hot ? lanes_.open(service.id, news) != 0 : best != &news) return;
    for (const Ref ref : itemsOf(service, nullptr)) {
        const Item& item = *rooms_.items.find(ref.index, ref.generation);
        if (item.source == nullptr || item.phase != Phase::open) continue;
        if (hot) wantSecond(service, item);
        else if (item.source != best) standbys_.want(item);
    }
}

InteractiveSupply::Sent InteractiveSupply::sendSecond(Service& service, Item& item) {
    const bool hot = service.policy.sourceMode == SourceMode::hot;
    // Left out: the source that it has; on the way back all that do not stand before that one as well.
    std::uint64_t without = 0;
    bool reached = false;
    for (const Offer& o : service.offers) {
        reached = reached || o.source == item.source;
        if (o.source == item.source || (!hot && reached)) without |= Lanes::bit(*o.source);
    }
    const Lanes::Choice choice = lanes_.choose(service, item.domain, without, rooms_.reactor.now());
    if (choice.source == nullptr) return choice.soon ? Sent::soon : choice.later ? Sent::later : Sent::nobody;
    if (choice.source->congested()) return Sent::soon;
    std::string why;
    const Handle handle = choice.source->request(item, *choice.offer, askOf(item, *choice.source), why);
    if (handle == 0) return Sent::nobody;
    standbys_.add(item, *choice.source, handle, !hot);
    lanes_.asked(service, *choice.source);
    return Sent::yes;
}

void InteractiveSupply::onOtherStream(UpstreamSource& source, Item& item, Handle handle, const Msg& msg) {
    SecondStream* const standby = standbys_.find(item);
    if (standby == nullptr || standby->source != &source || standby->handle != handle) return;
    const bool before = std::exchange(answering_, true);
    if (standby->taking) {
        const bool data = msg.cls == MsgClass::Refresh && msg.state.stream == StreamState::open;
        if (data && msg.state.data == DataState::ok) goOver(item, msg);
        else if (data || (msg.hasState() && msg.state.isFinal())) standbys_.drop(item, data);
    } else static_cast<void>(standbys_.received(item, *standby, msg));  // without it the item goes on as before
    answering_ = before;
    Service* const service = rooms_.services.find(item.service);
    if (service != nullptr && (waitingOf(service->id).queued != 0 || standbys_.waiting(service->id)))
        pumpSoon(*service);
}

/// The better source has answered: from this refresh on its data count.
void InteractiveSupply::goOver(Item& item, const Msg& msg) {
    const SecondStream s = standbys_.take(item);
    release(item, true);
    rooms_.flow.bind(item, s.source, s.handle);
    setPhase(item, Phase::requested);  // its lane counts it as such
    item.set(Item::recovering, true);  // the refresh goes to everybody
    ++counts_.takeovers;
    onAnswer(*s.source, item, msg);
}

bool InteractiveSupply::takeOver(Item& item, bool close) {
    const SecondStream* const there = standbys_.find(item);
    if (there == nullptr || !standbys_.ready(item, *there)) return false;
    SecondStream s = standbys_.take(item);
    release(item, close);
    rooms_.flow.bind(item, s.source, s.handle);
    rooms_.flow.replaceImage(item, s.image, s.containerType);
    setPhase(item, Phase::open);
    item.set(Item::hasSeqNum, false);  // each source counts on its own
    rooms_.groupStates.groups().put(item, s.group);
    ++counts_.takeovers;
    rooms_.flow.changeState(
        item,
        {StreamState::open, DataState::ok, kFailoverCompleted, eta::asBytes("another source goes on with this item")},
        flow::Tell::nobody);
    const Ref ref = Ref::of(item);
    rooms_.flow.sendImage(item);
    const Item* const still = rooms_.items.find(ref.index, ref.generation);
    Service* const service = rooms_.services.find(item.service);
    if (still != nullptr && service != nullptr) wantSecond(*service, *still);
    return true;
}

}  // namespace emissary::hub::source
