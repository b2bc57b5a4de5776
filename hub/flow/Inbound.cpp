// Takes each message of a source: checks it, applies it, and passes it on or holds it back.
#include "hub/flow/Inbound.h"

#include "reactor/rdm/stream_state.h"

#include <algorithm>

namespace emissary::hub::flow {

using namespace eta::codec;
using cache::Applied;

namespace {
// Codes of states (rdm.md 1.2).
constexpr std::uint8_t kGapDetected = 11, kError = 28, kGapFill = 34;
}  // namespace

void Inbound::received(Item& item, const Msg& msg) {
    if (msg.hasState() && msg.state.stream == StreamState::unspecified) [[unlikely]] {
        // It says nothing of the stream, and is never written (rwf.md 2.10): the stream goes on.
        Msg m = msg;
        // raw is what would be sent as it came; without it the message is encoded anew.
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
        // Nothing may be changed in what borrows the receive buffer, so a copy of the views is made and edited.
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
    // Every message after the first edit shares this object: it is sent before the next call.
    return forward_;
}

// What a late joiner needs to know of the last message, beside the payload (hub.md 6.2).
void Inbound::note(Item& item, const Msg& msg) {
    noteSeqNum(item, msg);
    if (msg.hasPermData()) item.more().permData.assign(msg.permData.begin(), msg.permData.end());
    if (msg.hasPostUserInfo()) {
        ItemExtras& extras = item.more();
        extras.posted = true;
        extras.postUserAddress = msg.postUserAddress;
        extras.postUserId = msg.postUserId;
        // The source's own message takes the mark of the last post away (hub.md 7.2).
    } else if (item.extras) item.extras->posted = false;
}

void Inbound::noteSeqNum(Item& item, const Msg& msg) {
    if (!msg.hasSeqNum()) return;
    ItemLife::apply(item, Event::numbered);
    item.seqNum = msg.seqNum;
}

void Inbound::untrusted(Item& item, std::uint8_t code, std::string_view why) {
    ItemLife::apply(item, Event::suspected);
    // Clients that leave with the Suspect may have been the last ones, so the item is looked up again.
    const std::uint32_t index = item.index, generation = item.generation;
    ends_.state(item, {StreamState::open, DataState::suspect, code, eta::asBytes(why)}, Tell::everybody);
    Item* const still = rooms_.items.find(index, generation);
    Service* const service = still != nullptr ? rooms_.services.find(still->service) : nullptr;
    // The supply asks the source again, or another one.
    if (service != nullptr && service->supply != nullptr) service->supply->untrusted(*still);
}

bool Inbound::apply(Item& item, const Msg& msg, bool replace) {
    switch (images_.apply(item, msg, replace)) {
    case Applied::ok:
        ItemLife::apply(item, Event::imageTrue);
        return true;
    // Payloads that the cache cannot hold make the image out of date: late joiners wait for a refresh of the source
    // (hub.md 6.1).
    case Applied::notCurrent:
        ItemLife::apply(item, Event::imageUntrue);
        return true;
    case Applied::malformed:
        // A payload that cannot be decoded costs the item, never the hub: Suspect, and the supply asks again
        // (hub.md 6.3).
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

// The old image stays behind, since parts of a new one are built beside it.
void Inbound::giveUp(Item& item) noexcept {
    if (item.extras) item.extras->parts.giveUp();
    ItemLife::apply(item, Event::partsGivenUp);
    images_.abandonParts(item);
}

bool Inbound::inOrder(Item& item, const Msg& msg) {
    // The usual case, a refresh in one part, needs no record of parts.
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
    // Parts of a refresh that was given up before.
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
    // The first refresh after the item was bound to a source replaces everything: another source's image must not shine
    // through (hub.md 6.2).
    const bool replace = item.is(Item::rebound) && first;
    const bool stored = item.is(Item::cached) && !msg.has(RefreshFlag::doNotCache);
    // The sequence of parts is checked first; a part out of order must not reach image or clients.
    if (!inOrder(item, msg)) [[unlikely]]
        return;
    // whole: this message alone is the image, so it goes on as it came. Otherwise those that wait get the joined image.
    const bool heals = stored && first && !replace && images_.heals(item, msg);
    const bool whole = first && complete && (replace || heals || item.image == 0 || msg.has(RefreshFlag::clearCache));
    if (stored) {
        if (!apply(item, msg, replace)) return;
        // Not cached any more (DO_NOT_CACHE): an image from before would be out of date.
    } else images_.drop(item);

    const bool mended = item.is(Item::refetch);
    // One without a group was made here, of an item that has its group from its source.
    // A group is assigned before the message is built, because forward() writes the local group id into it.
    if (!msg.groupId.empty() || item.group == 0) rooms_.groups.put(item, msg.groupId);
    ends_.keepState(item, msg.state);
    // The refresh that closes a gap says so with GapFill, once (hub.md 6.2).
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
    // In the order of the events of ItemLife: parts first, then what the refresh begins.
    if (first) ItemLife::apply(item, Event::refreshBegins);

    Msg& m = forward(item, msg);
    m.flags |= RefreshFlag::msgKey;
    m.key = item.msgKey();
    if (mended && complete) m.state.code = item.code;
    // A new source, the end of a template image, another stream: those that have an image must take this one
    // (hub.md 5.2).
    const bool news = item.is(Item::recovering | Item::placeholder | Item::otherStream);
    // What nobody waits for is meant for those that have the item, whatever its flag says; all parts of it alike.
    if (first)
        ItemLife::apply(item, !msg.has(RefreshFlag::solicited) || !anyWaits(item) ? Event::forEverybody
                                                                                  : Event::forThoseWaiting);
    const bool final = reactor::rdm::endsStream(msg) && !item.is(Item::snapshotOnly), watched = item.mountCount != 0;
    // Before the last message goes out: a post that waits is answered first.
    if (final && complete && rooms_.ends != nullptr) rooms_.ends->onStreamsEnd(item, nullptr);
    if (item.mountCount != 0 && (news || item.is(Item::toEverybody) || final)) {
        // Those that have an image asked for nothing, so they get it unsolicited.
        m.flags &= static_cast<std::uint16_t>(~RefreshFlag::solicited);
        // What clients have is as much out of date as the image was.
        if ((news || heals) && first) m.flags |= RefreshFlag::clearCache;
        rooms_.out.send(item, m, To::settled);
    }
    if (item.is(Item::waitingMounts)) {
        m.flags |= RefreshFlag::solicited;
        if (first) m.flags |= RefreshFlag::clearCache;
        const bool fromImage = stored && !whole && images_.usable(item);
        // A refresh of several parts is passed on part by part only when it is not cached; the cache waits for the last
        // part and serves the whole.
        if (!stored || complete) serveWaiting(item, m, first, fromImage);
    }
    // What follows belongs to the end of a refresh.
    if (!complete) return;
    ItemLife::apply(item, Event::refreshComplete);
    // A final refresh is passed on and then ends the item.
    if (final) {
        ends_.unmountAll(item);
        return ends_.erase(item);
    }
    askAgain(item, msg, watched);
}

bool Inbound::anyWaits(const Item& item) noexcept {
    // The flag may be left from a mount that has gone, so the list is looked at.
    return item.is(Item::waitingMounts) &&
           std::any_of(item.mounts, item.mounts + item.mountCount, [](const Mount& m) { return m.is(Mount::waiting); });
}

void Inbound::askAgain(Item& item, const Msg& msg, bool watched) {
    Service* const service = rooms_.services.find(item.service);
    if (service == nullptr || service->supply == nullptr) return;
    // A snapshot is all that was asked for, and a mount that wants more has come meanwhile.
    if (item.is(Item::snapshotOnly) && reactor::rdm::endsStream(msg)) {
        ItemLife::apply(item, Event::snapshotAnswered);
        if (item.mountCount != 0) return service->supply->wanted(item);
    }
    if (item.mountCount == 0) {
        // The last mount left with this refresh (snapshots), so the stream to the source is closed.
        if (watched) service->supply->unwanted(item);
    } else if (item.is(Item::waitingMounts)) service->supply->refreshWanted(item);
}

void Inbound::serveWaiting(Item& item, const Msg& forward, bool first, bool fromImage) {
    const bool complete = forward.has(RefreshFlag::complete);
    const std::uint8_t stream = forward.state.stream;
    // A NonStreaming answer to a snapshot request serves the snapshots alone.
    const bool snapshotOnly = item.is(Item::snapshotOnly) && stream == StreamState::nonStreaming;
    bool waiting = false;
    // sent and sentAsked describe the message of the last send(), so that mounts with the same wish get it by
    // sendToo().
    std::uint8_t sent = StreamState::unspecified;  // of the message that went out last
    bool sentAsked = false;
    rooms_.out.touched(item);
    if (fromImage) images_.sendWaiting(item, !snapshotOnly);
    // From the back, because serving a snapshot takes its mount out.
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
            // A snapshot gets the same refresh as NonStreaming (hub.md 5.2).
            forward_.state.stream = snapshot && stream == StreamState::open ? StreamState::nonStreaming : stream;
            forward_.flags = static_cast<std::uint16_t>(asked ? forward_.flags | RefreshFlag::solicited
                                                              : forward_.flags & ~RefreshFlag::solicited);
            if (sent == forward_.state.stream && sentAsked == asked) rooms_.out.sendToo(item, mount, forward_);
            else rooms_.out.send(item, mount, forward_);
            sent = forward_.state.stream;
            sentAsked = asked;
            // Remembered for the next part: a mount that joined in between must not get the rest alone.
            mount.set(Mount::inParts, true);
        }
        if (!complete) continue;
        // It has its image now, and updates may run.
        mount.set(Mount::waiting | Mount::inParts | Mount::unasked, false);
        if (snapshot) ends_.unmount(item, at);
        else if (mount.is(Mount::missed) && &rooms_.mounts.caughtUp(item, mount) != item.mounts + at)
            ++at;  // another one has come into its place, which is looked at next
    }
    // forward_ is the caller's message too.
    forward_.state.stream = stream;
    if (complete) ItemLife::apply(item, waiting ? Event::mountWaits : Event::mountsServed);
}

void Inbound::update(Item& item, const Msg& msg) {
    if (Service* const service = rooms_.services.find(item.service)) ++service->counts.of.updates;
    // An update ahead of the refresh says nothing anybody could use (hub.md 4.4).
    if (item.phase != Item::Phase::open && !item.is(Item::partial)) [[unlikely]]
        return void(++counts_.early);
    // Only forward jumps are gaps: a source may send a number again.
    if (item.is(Item::watchesGaps) && msg.hasSeqNum() && item.is(Item::hasSeqNum) && msg.seqNum > item.seqNum + 1)
        [[unlikely]] {
        ++counts_.gaps;
        // The number is taken over, so that the next update in order is no second gap.
        noteSeqNum(item, msg);
        ItemLife::apply(item, Event::gapFound);
        return untrusted(item, kGapDetected, "the source's sequence numbers have a gap");
    }
    // The image first: when the update makes no sense, clients hear Suspect instead of getting it.
    if (item.image != 0 && !msg.has(UpdateFlag::doNotCache))
        if (!apply(item, msg, false)) [[unlikely]]
            return;
    note(item, msg);
    // Mounts that are paused or wait miss this update, and need an image later.
    Mounts::passBy(item);
    if (item.liveCount != 0) rooms_.out.send(item, msg, To::live);
}

// Group and permission data of a status hold from now on, even if it says nothing of the state.
void Inbound::status(Item& item, const Msg& msg) {
    if (msg.hasGroupId()) rooms_.groups.put(item, msg.groupId);
    if (msg.hasPermData()) item.more().permData.assign(msg.permData.begin(), msg.permData.end());
    Msg& m = forward(item, msg);
    if (msg.hasState() && msg.state.isFinal()) return ends_.close(item, m);
    // A status with CLEAR_CACHE erases the payload (hub.md 6.2).
    if (msg.has(StatusFlag::clearCache) && item.image != 0 && !apply(item, msg, false)) return;
    if (!msg.hasState()) {
        if (item.mountCount != 0) rooms_.out.send(item, m, To::all);
        return;
    }
    // A source says that the item is good again. A rebound item waits for its first refresh instead.
    if (msg.state.data == DataState::ok && !item.is(Item::rebound)) ItemLife::apply(item, Event::recovered);
    // A plain status can go as a group status does; one with a key, group or permissions goes out as it came, to all.
    if (m.flags == StatusFlag::state) return ends_.state(item, msg.state, Tell::everybody);
    ends_.keepState(item, msg.state);
    if (item.mountCount != 0) rooms_.out.send(item, m, To::all);
}

// Used when a second image takes over: those with an image get it unsolicited, those that wait get it solicited.
void Inbound::sendImage(Item& item) {
    if (item.mountCount == 0 || !images_.usable(item)) return;
    images_.send(item, To::settled);
    if (item.is(Item::waitingMounts)) serveWaiting(item, headers_.refresh(item, true), true, true);
    ItemLife::apply(item, Event::imageSent);
}

}  // namespace emissary::hub::flow
