// Takes each message of a source: checks it, applies it, and passes it on or holds it back.
#include "hub/flow/Inbound.h"

#include "reactor/rdm/stream_state.h"

#include <algorithm>

namespace emissary::hub::flow {

using namespace eta::codec;
using cache::Applied;

namespace {
// Codes of states (rdm.md 1.3).
constexpr std::uint8_t kGapDetected = 11, kError = 28, kGapFill = 34;
}  // namespace

void Inbound::received(Item& item, const Msg& msg) {
    if (msg.hasState() && msg.state.stream == StreamState::unspecified) [[unlikely]] {
        // It says nothing of the stream, and is never written (rwf.md 2.10): the stream goes on.
        Msg m = msg;
        m.raw = {};
        m.state.stream = StreamState::open;
        return received(item, m);
    }
    switch (msg.cls) {
    case MsgClass::Update:
        return update(item, msg);
    case MsgClass::Refresh:
        return refresh(item, msg);
    case MsgClass::Status:
        return status(item, msg);
    case MsgClass::Generic:
        if (item.mountCount != 0) rooms_.out.send(item, forward(item, msg), To::all);
        return;
    default:
        return;  // acks go to the post room; nothing else comes from a source
    }
}

Msg& Inbound::forward(const Item& item, const Msg& msg) {
    forward_ = msg;
    forward_.raw = {};
    // A generic message may be about no service, and stays so.
    if (msg.hasKey() && (msg.cls != MsgClass::Generic || msg.key.has(KeyFlag::serviceId))) {
        // A redirection that was made here, or by the supply, names the service that it leads to.
        const bool elsewhere = msg.cls == MsgClass::Status && msg.raw.empty() && msg.key.has(KeyFlag::serviceId) &&
                               msg.state.stream == StreamState::redirected;
        forward_.key.flags |= KeyFlag::serviceId;
        if (!elsewhere) forward_.key.serviceId = item.service;
    }
    if (msg.hasGroupId()) forward_.groupId = headers_.group(item);
    return forward_;
}

void Inbound::note(Item& item, const Msg& msg) {
    noteSeqNum(item, msg);
    if (msg.hasPermData()) item.more().permData.assign(msg.permData.begin(), msg.permData.end());
    if (msg.hasPostUserInfo()) {
        ItemExtras& extras = item.more();
        extras.posted = true;
        extras.postUserAddress = msg.postUserAddress;
        extras.postUserId = msg.postUserId;
    } else if (item.extras) item.extras->posted = false;
}

void Inbound::noteSeqNum(Item& item, const Msg& msg) {
    if (!msg.hasSeqNum()) return;
    ItemLife::apply(item, Event::numbered);
    item.seqNum = msg.seqNum;
}

void Inbound::untrusted(Item& item, std::uint8_t code, std::string_view why) {
    ItemLife::apply(item, Event::suspected);
    const std::uint32_t index = item.index, generation = item.generation;
    ends_.state(item, {StreamState::open, DataState::suspect, code, eta::asBytes(why)}, Tell::everybody);
    Item* const still = rooms_.items.find(index, generation);
    Service* const service = still != nullptr ? rooms_.services.find(still->service) : nullptr;
    if (service != nullptr && service->supply != nullptr) service->supply->untrusted(*still);
}

bool Inbound::apply(Item& item, const Msg& msg, bool replace) {
    switch (images_.apply(item, msg, replace)) {
    case Applied::ok:
        ItemLife::apply(item, Event::imageTrue);
        return true;
    case Applied::notCurrent:
        ItemLife::apply(item, Event::imageUntrue);
        return true;
    case Applied::malformed:
        ++counts_.malformed;
        if (msg.cls == MsgClass::Refresh) giveUp(item);
        untrusted(item, kError, "the source sent a payload that cannot be decoded");
        return false;
    case Applied::full:
        // From here on the item is passed on without an image; the next one tries again.
        ++counts_.imagesRefused;
        images_.drop(item);
        ItemLife::apply(item, Event::imageUntrue);
        return true;
    }
    return true;
}

void Inbound::giveUp(Item& item) noexcept {
    if (item.extras) item.extras->parts.giveUp();
    ItemLife::apply(item, Event::partsGivenUp);
    images_.abandonParts(item);
}

bool Inbound::inOrder(Item& item, const Msg& msg) {
    const bool whole = msg.has(RefreshFlag::complete) && (!msg.has(RefreshFlag::partNum) || msg.partNum == 0);
    if (whole && !item.extras) [[likely]]
        return true;
    switch (item.more().parts.note(msg)) {
    case PartOrder::Is::next:
        return true;
    case PartOrder::Is::missing:
        giveUp(item);
        partMissing(item, msg, "the source left out a part of its refresh");
        return false;
    case PartOrder::Is::rest:
        return false;
    case PartOrder::Is::unbegun:
        ++counts_.early;
        // With its last part the source takes the refresh for sent: nothing more of it comes.
        if (msg.has(RefreshFlag::complete)) partMissing(item, msg, "the source left out the first part of its refresh");
        return false;
    }
    return true;
}

/// A stream that ends with this message cannot be asked again: what becomes of the item, its supply says.
void Inbound::partMissing(Item& item, const Msg& msg, std::string_view why) {
    ++counts_.partsMissing;
    if (reactor::rdm::endsStream(msg)) return;
    ItemLife::apply(item, Event::gapFound);
    untrusted(item, kGapDetected, why);
}

void Inbound::refresh(Item& item, const Msg& msg) {
    ++counts_.refreshes;
    const bool first = !msg.has(RefreshFlag::partNum) || msg.partNum == 0;
    const bool complete = msg.has(RefreshFlag::complete);
    const bool replace = item.is(Item::rebound) && first;
    const bool stored = item.is(Item::cached) && !msg.has(RefreshFlag::doNotCache);
    if (!inOrder(item, msg)) [[unlikely]]
        return;
    const bool whole = first && complete && (replace || item.image == 0 || msg.has(RefreshFlag::clearCache));
    if (stored) {
        if (!apply(item, msg, replace)) return;
    } else images_.drop(item);

    const bool mended = item.is(Item::refetch);
    // One without a group was made here, of an item that has its group from its source.
    if (!msg.groupId.empty() || item.group == 0) rooms_.groups.put(item, msg.groupId);
    ends_.keepState(item, msg.state);
    if (mended && complete && item.isOk()) ItemLife::tellCode(item, kGapFill);
    item.containerType = static_cast<std::uint8_t>(msg.containerType);
    if (msg.hasQos()) item.qos = msg.qos;
    if (replace) {  // what another source said of itself: its numbers, its QoS, its permissions
        ItemLife::apply(item, Event::unnumbered);
        if (!msg.hasQos()) item.qos = {};
        if (item.extras) item.extras->permData.clear();
    }
    note(item, msg);
    ItemLife::apply(item, complete ? Event::partsThere : Event::partsMissing);
    if (first) ItemLife::apply(item, Event::refreshBegins);

    Msg& m = forward(item, msg);
    m.flags |= RefreshFlag::msgKey;
    m.key = item.msgKey();
    if (mended && complete) m.state.code = item.code;
    const bool news = item.is(Item::recovering | Item::placeholder | Item::otherStream);
    // What nobody waits for is meant for those that have the item, whatever its flag says; all parts of it alike.
    if (first)
        ItemLife::apply(item, !msg.has(RefreshFlag::solicited) || !anyWaits(item) ? Event::forEverybody
                                                                                  : Event::forThoseWaiting);
    const bool final = reactor::rdm::endsStream(msg) && !item.is(Item::snapshotOnly), watched = item.mountCount != 0;
    if (final && complete && rooms_.ends != nullptr) rooms_.ends->onStreamsEnd(item, nullptr);
    if (item.mountCount != 0 && (news || item.is(Item::toEverybody) || final)) {
        m.flags &= static_cast<std::uint16_t>(~RefreshFlag::solicited);
        if (news && first) m.flags |= RefreshFlag::clearCache;
        rooms_.out.send(item, m, To::settled);
    }
    if (item.is(Item::waitingMounts)) {
        m.flags |= RefreshFlag::solicited;
        if (first) m.flags |= RefreshFlag::clearCache;
        const bool fromImage = stored && !whole && images_.usable(item);
        if (!stored || complete) serveWaiting(item, m, first, fromImage);
    }
    if (!complete) return;
    ItemLife::apply(item, Event::refreshComplete);
    if (final) {
        ends_.unmountAll(item);
        return ends_.erase(item);
    }
    askAgain(item, msg, watched);
}

bool Inbound::anyWaits(const Item& item) noexcept {
    return item.is(Item::waitingMounts) &&
           std::any_of(item.mounts, item.mounts + item.mountCount, [](const Mount& m) { return m.is(Mount::waiting); });
}

void Inbound::askAgain(Item& item, const Msg& msg, bool watched) {
    Service* const service = rooms_.services.find(item.service);
    if (service == nullptr || service->supply == nullptr) return;
    // A snapshot is all that was asked for: who wants more has come meanwhile.
    if (item.is(Item::snapshotOnly) && reactor::rdm::endsStream(msg)) {
        ItemLife::apply(item, Event::snapshotAnswered);
        if (item.mountCount != 0) return service->supply->wanted(item);
    }
    if (item.mountCount == 0) {
        if (watched) service->supply->unwanted(item);
    } else if (item.is(Item::waitingMounts)) service->supply->refreshWanted(item);
}

void Inbound::serveWaiting(Item& item, const Msg& forward, bool first, bool fromImage) {
    const bool complete = forward.has(RefreshFlag::complete);
    const std::uint8_t stream = forward.state.stream;
    const bool snapshotOnly = item.is(Item::snapshotOnly) && stream == StreamState::nonStreaming;
    bool waiting = false;
    std::uint8_t sent = StreamState::unspecified;  // of the message that went out last
    bool sentAsked = false;
    rooms_.out.touched(item);
    if (fromImage) images_.sendWaiting(item, !snapshotOnly);
    for (std::uint32_t at = item.mountCount; at-- > 0;) {
        Mount& mount = item.mounts[at];
        if (!mount.is(Mount::waiting)) continue;
        const bool snapshot = mount.is(Mount::snapshot);
        if (!snapshot && snapshotOnly) {  // a stream is asked for next
            waiting = true;
            continue;
        }
        const bool asked = !mount.is(Mount::unasked);
        if (!fromImage) {
            if (!first && !mount.is(Mount::inParts)) {  // it came in the middle, and waits for the next one
                waiting = true;
                continue;
            }
            forward_.state.stream = snapshot && stream == StreamState::open ? StreamState::nonStreaming : stream;
            forward_.flags = static_cast<std::uint16_t>(asked ? forward_.flags | RefreshFlag::solicited
                                                              : forward_.flags & ~RefreshFlag::solicited);
            if (sent == forward_.state.stream && sentAsked == asked) rooms_.out.sendToo(item, mount, forward_);
            else rooms_.out.send(item, mount, forward_);
            sent = forward_.state.stream;
            sentAsked = asked;
            mount.set(Mount::inParts, true);
        }
        if (!complete) continue;
        mount.set(Mount::waiting | Mount::inParts | Mount::unasked, false);
        if (snapshot) ends_.unmount(item, at);
        else if (mount.is(Mount::missed) && &rooms_.mounts.caughtUp(item, mount) != item.mounts + at)
            ++at;  // another one has come into its place, which is looked at next
    }
    forward_.state.stream = stream;
    if (complete) ItemLife::apply(item, waiting ? Event::mountWaits : Event::mountsServed);
}

void Inbound::update(Item& item, const Msg& msg) {
    if (Service* const service = rooms_.services.find(item.service)) ++service->counts.of.updates;
    if (item.phase != Item::Phase::open && !item.is(Item::partial)) [[unlikely]]
        return void(++counts_.early);
    if (item.is(Item::watchesGaps) && msg.hasSeqNum() && item.is(Item::hasSeqNum) && msg.seqNum > item.seqNum + 1)
        [[unlikely]] {
        ++counts_.gaps;
        noteSeqNum(item, msg);
        ItemLife::apply(item, Event::gapFound);
        return untrusted(item, kGapDetected, "the source's sequence numbers have a gap");
    }
    if (item.image != 0 && !msg.has(UpdateFlag::doNotCache))
        if (!apply(item, msg, false)) [[unlikely]]
            return;
    note(item, msg);
    Mounts::passBy(item);
    if (item.liveCount != 0) rooms_.out.send(item, msg, To::live);
}

void Inbound::status(Item& item, const Msg& msg) {
    if (msg.hasGroupId()) rooms_.groups.put(item, msg.groupId);
    if (msg.hasPermData()) item.more().permData.assign(msg.permData.begin(), msg.permData.end());
    Msg& m = forward(item, msg);
    if (msg.hasState() && msg.state.isFinal()) return ends_.close(item, m);
    if (msg.has(StatusFlag::clearCache) && item.image != 0 && !apply(item, msg, false)) return;
    if (!msg.hasState()) {
        if (item.mountCount != 0) rooms_.out.send(item, m, To::all);
        return;
    }
    if (msg.state.data == DataState::ok && !item.is(Item::rebound)) ItemLife::apply(item, Event::recovered);
    if (m.flags == StatusFlag::state) return ends_.state(item, msg.state, Tell::everybody);
    ends_.keepState(item, msg.state);
    if (item.mountCount != 0) rooms_.out.send(item, m, To::all);
}

void Inbound::sendImage(Item& item) {
    if (item.mountCount == 0 || !images_.usable(item)) return;
    images_.send(item, To::settled);
    if (item.is(Item::waitingMounts)) serveWaiting(item, headers_.refresh(item, true), true, true);
    ItemLife::apply(item, Event::imageSent);
}

}  // namespace emissary::hub::flow
