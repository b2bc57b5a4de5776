// Puts a mount on an item, decides whether it gets an image now, and changes or removes it later.
#include "hub/flow/Joins.h"

#include "hub/core/live.h"
#include "hub/core/served_qos.h"

#include <algorithm>
#include <vector>

namespace emissary::hub::flow {

using namespace eta::codec;
using Phase = Item::Phase;

namespace {
constexpr std::uint8_t kGapDetected = 11;  // rdm.md 1.2
}  // namespace

Item* Joins::take(Service& service, std::uint8_t domain, const MsgKey& key, bool shared) {
    const ItemKey made = rooms_.items.keyOf(service.id, domain, key);
    // Empty: the key is too large to be one (ItemTable::keyOf).
    if (made.content.empty()) return nullptr;
    if (shared)
        if (Item* const item = rooms_.items.find(made)) return item;
    // At MaxItems a new item is refused; those that are there stay (hub.md 6.1).
    if (service.policy.maxItems != 0 && service.items >= service.policy.maxItems) {
        ++counts_.limit;
        return nullptr;
    }
    Item& item = rooms_.items.create(made, shared);
    // A private stream is never cached (hub.md 5.6).
    if (shared && service.keeps(domain)) ItemLife::apply(item, Event::cachesDomain);
    if (service.policy.seqNumGaps) ItemLife::apply(item, Event::countsMissing);
    ++service.items;
    // Counted as unanswered until its first state.
    service.counts.items[0].items += 1;
    return &item;
}

void Joins::keepRequest(Item& item, const Msg& request) {
    // Only a private stream needs its request again: it goes to the source as it came (hub.md 5.6). Shared items are
    // asked for by a request that the hub makes.
    if (item.is(Item::isPrivate)) {
        std::vector<std::byte>& bytes = item.more().request;
        bytes.resize(maxEncodedSize(request));
        eta::BeWriter out(bytes);
        bytes.resize(encodeMsg(out, request).ok() ? out.size() : 0);
    }
}

void Joins::keepPriority(Item& item, const Client& client, std::int32_t stream, const Msg& request) {
    if (!request.has(RequestFlag::priority)) return;
    // Class 1, count 1 is the default. Nearly all mounts have it, and keeping no record for them saves the memory.
    const bool usual = request.priorityClass <= 1 && request.priorityCount <= 1;
    if (usual && (!item.extras || !item.extras->priorities)) return;
    auto& priorities = item.more().priorities;
    if (!priorities) priorities = std::make_unique<Priorities>();
    priorities->set(client.index, stream, request.priorityClass, request.priorityCount);
}

bool Joins::join(Client& client, std::int32_t stream, const JoinRequest& request) {
    Service* const service = rooms_.services.find(request.service);
    if (service == nullptr) return false;
    Item* const item = take(*service, request.domain, *request.key, !request.isPrivate);
    if (item == nullptr) return false;
    ++service->counts.taken.requests;
    if (request.early) ItemLife::apply(*item, Event::wantedEarly);
    // NO_REFRESH on a stream: the updates begin, and no image is sent (hub.md 5.2).
    const bool quiet = request.streaming && request.noRefresh;
    std::uint16_t flags = request.mountFlags;
    if (!request.streaming) flags |= Mount::snapshot;
    if (request.isPrivate) flags |= Mount::single;
    if (request.request != nullptr) {
        keepRequest(*item, *request.request);
        keepPriority(*item, client, stream, *request.request);
    }
    if (request.isPrivate && request.qualified) ItemLife::apply(*item, Event::tunnelWanted);
    // idle: nobody asks a source for it yet. The first mount decides whether a snapshot or a stream is asked for.
    if (item->phase == Phase::idle)
        ItemLife::apply(*item, !request.streaming && !service->policy.snapshotOpens ? Event::snapshotWanted
                                                                                    : Event::streamWanted);
    // Mounted before it is served: the image goes to a mount in the list, so that updates follow in order.
    mount(*item, client, stream, flags, request.view);
    counts_.mounts = rooms_.mounts.size();
    if (quiet && item->phase == Phase::open) return true;
    serve(*service, *item, client, stream, !quiet);
    return true;
}

void Joins::mount(Item& item, Client& client, std::int32_t stream, std::uint16_t flags, std::uint16_t view) {
    if (view != 0) rooms_.views.mounted(client, item, view);
    Mount* made = nullptr;
    // Out of memory: the view must not keep a count of a mount that is not there.
    try {
        made = &rooms_.mounts.add(item, client, stream, flags, view);
    } catch (...) {
        if (view != 0) rooms_.views.unmounted(client, item, view);
        throw;
    }
    rooms_.out.mounted(item, *made);
    place(item, *made);
}

// Mounts with updates stand in front of the others, so that fan-out walks only those (hub.md 11.2).
Mount& Joins::place(Item& item, Mount& mount) noexcept {
    if (flows(mount, rooms_.clients[mount.client], item.service)) {
        Mount& placed = rooms_.mounts.enliven(item, mount);
        rooms_.out.enlivened(item, placed);
        return placed;
    }
    // Updates that wait for it, joined, are not sent to a mount that gets none; so it has missed them.
    if (rooms_.out.holdsFor(item, mount)) mount.set(Mount::missed, true);
    Mount& placed = rooms_.mounts.quieten(item, mount);
    rooms_.out.quietened(item, placed);
    return placed;
}

// Without a cache the source is asked for the union of all views (hub.md 5.4), and the answer under way may be older
// than this mount's view.
/// Whether the answer that is under way may lack fields that this mount wants.
bool Joins::wantsMore(const Item& item, const Mount& mount) noexcept {
    if (!item.is(Item::asksView) || (item.phase != Phase::requested && !item.is(Item::renewing))) return false;
    if (mount.view == 0) return true;
    // If another mount has this view, the view is part of the request at the source.
    std::uint32_t same = 0;
    for (std::uint32_t at = 0; at < item.mountCount && same < 2; ++at)
        same += item.mounts[at].view == mount.view;
    return same < 2;
}

void Joins::serve(Service& service, Item& item, Client& client, std::int32_t stream, bool solicited) {
    Mount* mount = rooms_.mounts.find(client, stream);
    rooms_.out.touched(item);
    // A better QoS than the one asked for needs another request; the cached image has the old one.
    const bool better = qosPlace(service, *mount) < item.qosAsked;  // than what the source is asked for
    if (item.phase == Phase::open && images_.usable(item) && !better) {
        ++counts_.cacheHits;
        // At once from the cache: the mount takes part in updates from here on.
        mount->set(Mount::waiting | Mount::unasked, false);
        mount = &rooms_.mounts.caughtUp(item, *mount);
        const bool snapshot = mount->is(Mount::snapshot);
        images_.send(item, *mount, solicited, !snapshot);
        if (!snapshot) return;
        // Found again by its stream: sending may have moved the mount.
        const std::uint32_t at = client.mounts.find(stream)->second.at;
        ends_.unmount(item, at);
        return left(item);
    }
    ++counts_.cacheMisses;
    // unasked says how the refresh will be marked. A mount that waits already keeps the wish that came first, unless
    // this one is solicited.
    mount->set(Mount::unasked, !solicited && (!mount->is(Mount::waiting) || mount->is(Mount::unasked)));
    mount->set(Mount::waiting, true);
    // Mount::missed stays until the refresh is there: no update may run over the hole.
    ItemLife::apply(item, Event::mountWaits);
    if (item.phase == Phase::idle) return service.supply->wanted(item);
    // A mount that waits for a Suspect item gets the status that the other mounts have.
    // It hears how the item stands, because it may wait long.
    if (item.dataState == DataState::suspect) rooms_.out.send(item, *mount, headers_.status(item, item.state()));
    // Its refresh is under way in parts that have begun: those of the cache take it along, others do not.
    const bool more = wantsMore(item, *mount);
    if (more) ItemLife::apply(item, Event::wholeWanted);
    // Requested again only when no answer under way can serve it: the item is open and no refresh is coming in parts
    // that it may join.
    if ((item.phase == Phase::open && (!item.is(Item::partial) || !item.is(Item::cached))) ||
        ((better || more) && item.phase == Phase::requested))
        service.supply->refreshWanted(item);
}

// Fields that a mount may change later: view, key in updates, conflation info, priority, pause (hub.md 5.2).
void Joins::reissue(Client& client, std::int32_t stream, const Reissue& reissue) {
    Item* const item = rooms_.mounts.itemOf(client, stream);
    if (item == nullptr) return;
    Mount* mount = rooms_.mounts.find(client, stream);
    constexpr std::uint16_t kMembers = Mount::keyInUpdates | Mount::confInfo;
    const auto had = static_cast<std::uint16_t>(mount->flags & kMembers);
    const std::uint16_t wants = reissue.request != nullptr ? membersWanted(*reissue.request) : had;
    if (reissue.view || wants != had) {
        // The new view is counted before the old one is given back: a view with one user would be deleted in between.
        if (reissue.view && *reissue.view != 0) rooms_.views.mounted(client, *item, *reissue.view);
        // The fronts keep a copy of these members, so they get the mount anew. What waits for it goes out in the old
        // view, which has to be there still.
        rooms_.out.unmounted(*item, *mount, Leaves::changes);
        if (reissue.view && mount->view != 0) rooms_.views.unmounted(client, *item, mount->view);
        mount->view = reissue.view.value_or(mount->view);
        mount->flags = static_cast<std::uint16_t>((mount->flags & ~kMembers) | wants);
        rooms_.out.mounted(*item, *mount);
    }
    if (reissue.request != nullptr) keepPriority(*item, client, stream, *reissue.request);
    mount->set(Mount::paused, reissue.paused);
    const bool later = reissue.unasked && !flows(*mount, client, item->service);
    if (later) mount->set(Mount::missed, true);
    // It had an image before this reissue, and gets another one: its updates go on meanwhile (hub.md 5.2).
    if (!mount->is(Mount::waiting)) mount->set(Mount::began, true);
    mount = &place(*item, *mount);
    rooms_.out.touched(*item);
    const bool missed = !reissue.paused && mount->is(Mount::missed);
    Service* const service = rooms_.services.find(item->service);
    if (service == nullptr) return;
    const std::uint32_t index = item->index, generation = item->generation;
    if (reissue.wantsRefresh && !later) serve(*service, *item, client, stream, !reissue.unasked);
    // Resumed with NO_REFRESH after updates were missed: an unsolicited refresh, so that nothing is missed silently
    // (hub.md 5.5).
    else if (missed && !later) serve(*service, *item, client, stream, false);
    // The item may have ended while it was served.
    if (Item* const still = rooms_.items.find(index, generation)) service->supply->mountsChanged(*still);
}

void Joins::leave(Client& client, std::int32_t stream) {
    const auto found = client.mounts.find(stream);
    if (found == client.mounts.end()) return;
    Item& item = rooms_.items[found->second.item];
    // A sink posts for many: whoever waits on the stream is answered, also where the sink closes it itself.
    if (client.sink != nullptr && rooms_.ends != nullptr)
        rooms_.ends->onStreamsEnd(item, &item.mounts[found->second.at]);
    ends_.unmount(item, found->second.at);
    left(item);
}

void Joins::left(Item& item) {
    Service* const service = rooms_.services.find(item.service);
    if (service == nullptr || service->supply == nullptr) return;
    // The last mount has gone: the supply closes the stream, after ItemLinger.
    if (item.mountCount == 0) service->supply->unwanted(item);
    else service->supply->mountsChanged(item);
}

// Called stream by stream by Pace, after the client's pause or standby has changed.
void Joins::settle(Client& client, std::int32_t stream, bool resumed, bool image) {
    Mount* mount = rooms_.mounts.find(client, stream);
    if (mount == nullptr) return;
    Item& item = *rooms_.mounts.itemOf(client, stream);
    rooms_.out.touched(item);
    const bool wasPaused = resumed && mount->is(Mount::paused);
    if (wasPaused) mount->set(Mount::paused, false);
    // As if it had missed updates, so none comes before the image. One that waits for an image gets that.
    // One that is paused gets it when it goes on.
    if (image && !mount->is(Mount::waiting)) mount->set(Mount::missed, true);
    mount = &place(item, *mount);
    Service* const service = rooms_.services.find(item.service);
    if (service == nullptr) return;
    const std::uint32_t index = item.index, generation = item.generation;
    // A mount that gets updates again and has missed some needs an image first.
    if (flows(*mount, client, item.service) && mount->is(Mount::missed)) {
        if (!mount->is(Mount::waiting)) mount->set(Mount::began, true);
        serve(*service, item, client, stream, false);
    }
    Item* const still = wasPaused ? rooms_.items.find(index, generation) : nullptr;
    if (still != nullptr && service->supply != nullptr) service->supply->mountsChanged(*still);
}

// Every mount with updates waits for a new image now, and no update may reach it before.
void Joins::awaitImage(Item& item) noexcept {
    Mounts::passBy(item);
    ItemLife::apply(item, Event::mountWaits);
    ItemLife::apply(item, Event::renewalAsked);
    rooms_.out.touched(item);
    for (std::uint32_t at = 0; at < item.liveCount; ++at) {
        Mount& mount = item.mounts[at];
        // Unasked: the refresh was the hub's wish, so it is sent unsolicited.
        if (!mount.is(Mount::waiting)) mount.set(Mount::unasked | Mount::began, true);
        mount.set(Mount::waiting | Mount::missed, true);
    }
}

/// A mount that has missed nothing is no worse off for that.
void Joins::goOnWithoutImage(Item& item) {
    for (std::uint32_t at = 0; at < item.mountCount; ++at) {
        Mount& mount = item.mounts[at];
        if (!mount.is(Mount::waiting)) continue;
        // began: it has had an image before.
        const bool whole = mount.is(Mount::began) && !mount.is(Mount::missed) && item.isOk();
        Msg& m = headers_.status(item, {StreamState::open, whole ? DataState::ok : DataState::suspect, 0,
                                        eta::asBytes(whole ? "there is no image of this item here; its updates go on"
                                                           : "the image of this item is not up to date")});
        m.flags = StatusFlag::state;
        rooms_.out.send(item, mount, m);
        // It knows now, and no image would mend it. Those that get no updates keep the mark: the list stands by it.
        if (mount.is(Mount::began) && at < item.liveCount) mount.set(Mount::missed, false);
    }
    rooms_.out.touched(item);
}

// For a front that lagged: its mounts get the image instead of the updates that were left out (ADR 21).
bool Joins::renew(Item& item, bool state, const std::function<bool(const Client&)>& lacks) {
    if (item.mountCount == 0) return false;
    // The status may have been left out as well, and an image does not say why an item was suspect.
    if (state && item.streamState != 0) rooms_.out.send(item, headers_.status(item, item.state()), To::all);
    Mounts::passBy(item);
    // One image for all live mounts; false says that nothing has to be asked for.
    if (images_.usable(item)) {
        images_.send(item, To::live);
        return false;
    }
    breakOff(item, lacks);
    return true;
}

// Called once all lagging fronts have been dealt with, so that the source is asked once.
void Joins::renewed(Item& item) {
    Service* const service = rooms_.services.find(item.service);
    if (service == nullptr || service->supply == nullptr) return;
    if (item.mountCount == 0) return service->supply->unwanted(item);
    // As in serve(): a refresh in parts that is under way serves the cache by itself.
    if (item.is(Item::waitingMounts) && item.phase == Phase::open &&
        (!item.is(Item::partial) || !item.is(Item::cached)))
        service->supply->refreshWanted(item);
}

void Joins::breakOff(Item& item, const std::function<bool(const Client&)>& lacks) {
    const State hole{StreamState::open, DataState::suspect, kGapDetected,
                     eta::asBytes("updates were left out since the hub's output was behind")};
    State gone = hole;
    gone.stream = StreamState::closedRecover;
    rooms_.out.touched(item);
    // From the back, since mounts may leave.
    for (std::uint32_t at = item.liveCount; at-- > 0;) {
        Mount& mount = item.mounts[at];
        const Client& client = rooms_.clients[mount.client];
        // It waits for an image anyway, and gets that one.
        if (!lacks(client) || awaitsImage(mount)) continue;
        // It gets no updates, so it need not hear of the hole; its image comes when it resumes.
        if (!flows(mount, client, item.service)) {
            mount.set(Mount::missed, true);
            continue;
        }
        const bool leaves = !client.singleOpen && !client.allowSuspectData;
        if (leaves && rooms_.ends != nullptr) rooms_.ends->onStreamsEnd(item, &mount);
        rooms_.out.send(item, mount, headers_.status(item, leaves ? gone : hole));
        if (leaves) {
            ends_.unmount(item, at);
            continue;
        }
        if (!mount.is(Mount::waiting)) mount.set(Mount::unasked | Mount::began, true);
        mount.set(Mount::waiting | Mount::missed, true);
        // A refresh whose parts it was getting has a hole now too.
        mount.set(Mount::inParts, false);
        ItemLife::apply(item, Event::mountWaits);
    }
}

}  // namespace emissary::hub::flow
