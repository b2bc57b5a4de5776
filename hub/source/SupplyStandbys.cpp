// Items that go over to their second stream, or to a better source (hub.md 4.2).
#include "hub/source/InteractiveSupply.h"

namespace emissary::hub::source {

using namespace eta::codec;
using Phase = Item::Phase;

namespace {
constexpr std::uint8_t kFailoverCompleted = 10;  // rdm.md 1.3
}  // namespace

InteractiveSupply::Sent InteractiveSupply::sendSecond(Service& service, Item& item) {
    const Lanes::Choice choice =
        lanes_.choose(service, item.domain, Standbys::without(service, item), rooms_.reactor.now());
    if (choice.source == nullptr) return choice.soon ? Sent::soon : choice.later ? Sent::later : Sent::nobody;
    if (choice.source->congested()) return Sent::soon;
    std::string why;
    const Handle handle = choice.source->request(item, *choice.offer, asks_.of(item, *choice.source), why);
    if (handle == 0) return Sent::nobody;
    standbys_.add(item, *choice.source, handle, service.policy.sourceMode != SourceMode::hot);
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
    } else if (!standbys_.received(item, *standby, msg) && (!msg.hasState() || msg.state.stream != StreamState::closed))
        secondAgain_.add(Ref::of(item), Standbys::kAgain);  // until then the item goes on as before
    answering_ = before;
    goOn(item.service);
}

void InteractiveSupply::wantSecondAgain(Ref ref) {
    const Item* const item = rooms_.items.find(ref.index, ref.generation);
    if (item == nullptr) return;
    if (const Service* const s = rooms_.services.find(item->service)) standbys_.wantSecond(*s, *item);
    goOn(item->service);
}

/// The better source has answered: from this refresh on its data count.
void InteractiveSupply::goOver(Item& item, const Msg& msg) {
    const SecondStream s = standbys_.take(item);
    release(item, true);
    rooms_.flow.bind(item, s.source, s.handle);
    turns_.setPhase(item, Phase::requested);  // its lane counts it as such
    item.set(Item::recovering, true);         // the refresh goes to everybody
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
    turns_.setPhase(item, Phase::open);
    item.set(Item::hasSeqNum, s.hasSeqNum);  // each source counts on its own
    item.seqNum = s.seqNum;
    rooms_.groupStates.groups().put(item, s.group);
    ++counts_.takeovers;
    rooms_.flow.changeState(
        item,
        {StreamState::open, DataState::ok, kFailoverCompleted, eta::asBytes("another source goes on with this item")},
        flow::Tell::nobody);
    const Ref ref = Ref::of(item);
    rooms_.flow.sendImage(item);
    const Item* const still = rooms_.items.find(ref.index, ref.generation);
    const Service* const service = rooms_.services.find(item.service);
    if (still != nullptr && service != nullptr) standbys_.wantSecond(*service, *still);
    return true;
}

}  // namespace emissary::hub::source
