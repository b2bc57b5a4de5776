// Takes mounts from items and items from the table, and tells every room that has to know.
#include "hub/flow/Ends.h"

namespace emissary::hub::flow {

using namespace eta::codec;

// Mounts are taken away from the back by callers that walk, since removal moves the last mount into the gap (hub.md 9).
void Ends::unmount(Item& item, std::uint32_t at) noexcept {
    const Mount& mount = item.mounts[at];
    // A mount's priority counts for the item's request at the source and leaves with the mount (hub.md 4.3).
    if (item.extras && item.extras->priorities) item.extras->priorities->drop(mount.client, mount.stream);
    Client& client = rooms_.clients[mount.client];
    if (mount.view != 0) rooms_.views.unmounted(client, item, mount.view);
    if (!client.viewsAsked.empty()) rooms_.views.forgetAsked(client, mount.stream);
    // The fronts get the mount while it is still in the list: they need its client and stream.
    rooms_.out.unmounted(item, mount, Leaves::forGood);
    rooms_.mounts.remove(item, at);
    counts_.mounts = rooms_.mounts.size();
}

void Ends::unmountAll(Item& item) noexcept {
    while (item.mountCount != 0)
        unmount(item, item.mountCount - 1);
}

void Ends::close(Item& item, const Msg& last) {
    // First the posts that wait on these streams: they are answered NotOpen on the stream before it ends (hub.md 7.3).
    if (rooms_.ends != nullptr) rooms_.ends->onStreamsEnd(item, nullptr);
    if (item.mountCount != 0) rooms_.out.send(item, last, To::all);
    unmountAll(item);
    erase(item);
}

void Ends::notPosted(Item& item) noexcept {
    if (!item.is(Item::onlyPosted)) return;
    ItemLife::apply(item, Event::sourceOwns);
    if (postedGone) postedGone(item);
}

void Ends::erase(Item& item) noexcept {
    notPosted(item);
    // The count of suspect items is corrected here, since no state follows that would do it.
    if (item.dataState == DataState::suspect) counts_.suspect -= 1;
    images_.drop(item);
    rooms_.groups.take(item);
    if (Service* const service = rooms_.services.find(item.service)) {
        --service->items;
        service->counts.items[item.dataState].items -= 1;
    }
    // Last: the group and the service are found through the record.
    rooms_.items.erase(item);
}

void Ends::keepState(Item& item, const State& state) {
    const std::uint8_t before = item.dataState;
    State kept = state;
    // NoChange leaves the data state as it is (rdm.md 1.2).
    if (state.data == DataState::noChange) kept.data = item.dataState;
    ItemLife::tell(item, kept);
    // Counts follow the data state alone; a new code or text changes none of them.
    if (item.dataState == before) return;
    if (item.dataState == DataState::suspect) counts_.suspect += 1;
    else if (before == DataState::suspect) counts_.suspect -= 1;
    if (Service* const service = rooms_.services.find(item.service)) {
        service->counts.items[before].items -= 1;
        service->counts.items[item.dataState].items += 1;
    }
}

void Ends::state(Item& item, const State& state, Tell tell) {
    keepState(item, state);
    if (tell == Tell::nobody || item.mountCount == 0) return;
    const bool suspect = item.dataState == DataState::suspect;
    // Clients that see group statuses get the change there, so only the others get one each.
    bool each = tell == Tell::thoseWithoutGroups;
    if (suspect && !each)
        for (std::uint32_t at = 0; at < item.mountCount && !each; ++at) {
            const Client& client = rooms_.clients[item.mounts[at].client];
            each = !client.singleOpen && !client.allowSuspectData;
        }
    // One message for all mounts in the usual case. Mount by mount costs an encoding for each, and is left for clients
    // that leave and for clients without groups.
    if (!each) return rooms_.out.send(item, headers_.status(item, state), To::all);

    State gone = state;
    gone.stream = StreamState::closedRecover;
    // From the back: unmount() moves the last mount into the gap, which has been looked at.
    for (std::uint32_t at = item.mountCount; at-- > 0;) {
        const Mount mount = item.mounts[at];
        const Client& client = rooms_.clients[mount.client];
        // A client with neither SingleOpen nor AllowSuspectData recovers for itself, so it gets ClosedRecover
        // (hub.md 2.3).
        const bool leaves = suspect && !client.singleOpen && !client.allowSuspectData;
        if (!leaves && tell == Tell::thoseWithoutGroups && client.hearsGroups) continue;
        // Posts on the stream are answered before its close.
        if (leaves && rooms_.ends != nullptr) rooms_.ends->onStreamsEnd(item, &mount);
        rooms_.out.send(item, mount, headers_.status(item, leaves ? gone : state));
        if (leaves) unmount(item, at);
    }
}

}  // namespace emissary::hub::flow
