// Opens, changes and closes mounts for the requests that have passed the checks.
#include "hub/client/ItemStreams.h"

#include "eta/core/printable.h"
#include "hub/client/Listener.h"

#include <algorithm>
#include <utility>

namespace emissary::hub::client {

using namespace eta::codec;

namespace {
constexpr std::uint32_t kLookedAt = 256;  // mounts, for a count
constexpr std::uint8_t kNotEntitled = 3;  // rdm.md 1.2
constexpr std::size_t kOfStream = 128;    // bytes of the heap, about, beside its key
constexpr std::uint8_t kSymbolList = 10;  // which has no fields to choose from
constexpr std::string_view kViewRequired = "clients over WebSocket name the fields that they want here (RequireView)";

[[nodiscard]] bool needsView(const Client& client, std::uint8_t domain) noexcept {
    return domain != kSymbolList && ClientSession::of(client).listener->web().requireView(client);
}
}  // namespace

std::uint16_t ItemStreams::take(Client& client, const RequestPayload& payload, std::uint16_t view,
                                std::string_view& why) {
    ViewTable& views = context_.rooms.views;
    // A batch has interned its view already and lends it; a single request interns its own.
    if (view != 0) views.share(view);
    else view = views.intern(*payload.view);
    if (view == 0) {
        why = kTooManyViews;
        return 0;
    }
    const ClientOptions& o = context_.options;
    if (!views.clientMayHave(client, view, o.maxViewsPerClient))
        why = "the client has too many different views (MaxViewsPerClient)";
    else if (!Admission::mayKeep(client, client.views.contains(view) ? 0 : views.cost(view)))
        why = "the keys and views of this client are too large together (MaxKeyBytesPerClient)";
    else return view;
    // Every way out but the good one gives the reference back, else a view table full of refused views would block the
    // rest.
    views.release(view);
    return 0;
}

std::optional<ItemStreams::Cut> ItemStreams::cut(const Client& client, const Item* item, HeldView asked,
                                                 std::string_view& why) {
    ViewTable& views = context_.rooms.views;
    const std::optional<std::uint16_t> number = context_.loginViews.cut(views, client, asked.number());
    if (!number) {
        why = kTooManyViews;
        return {};
    }
    HeldView view(views, *number);
    if (*number != 0 && item != nullptr && !views.itemMayHave(*item, *number, context_.options.maxViewsPerItem)) {
        why = "the item has too many different views (MaxViewsPerItem)";
        return {};
    }
    if (*number == asked.number()) return Cut{std::move(view), {}};  // one of the two references
    return Cut{std::move(view), std::move(asked)};
}

void ItemStreams::keep(Client& client, std::int32_t stream, HeldView& asked) {
    context_.rooms.views.keepAsked(client, stream, asked.number());
    (void)asked.pass();
}

void ItemStreams::change(Client& client, std::int32_t stream, Cut& cut, flow::Reissue& reissue) {
    if (cut.asked) keep(client, stream, *cut.asked);
    else context_.rooms.views.forgetAsked(client, stream);
    if (cut.view.number() != context_.rooms.mounts.find(client, stream)->view) reissue.view = cut.view.pass();
}

/// Limits do not count here: the client has not asked.
ItemStreams::Fit ItemStreams::fit(Client& client, std::int32_t stream) {
    ViewTable& views = context_.rooms.views;
    Mount* const mount = context_.rooms.mounts.find(client, stream);
    const Item* const item = context_.rooms.mounts.itemOf(client, stream);
    if (mount == nullptr || item->is(Item::qualified)) return Fit::fits;
    const std::uint16_t asked = ViewTable::askedOf(client, stream, mount->view);
    const std::optional<std::uint16_t> number = context_.loginViews.cut(views, client, asked);
    HeldView view(views, number.value_or(std::uint16_t{0}));
    if (number && *number == mount->view) return Fit::fits;
    // The image must reach the client, so it waits until the client's thread has room.
    if (context_.rooms.out.behind(client) != Backlog::little) return Fit::later;
    if (!number) {
        // No number is free. What the login may not have any more must not go on.
        withdraw(client, stream, kTooManyViews);
        return Fit::changed;
    }
    flow::Reissue reissue;
    reissue.unasked = true;
    reissue.paused = mount->is(Mount::paused);
    if (*number == asked) views.forgetAsked(client, stream);
    else if (!client.viewsAsked.contains(stream)) {
        if (asked != 0) views.share(asked);
        HeldView kept(views, asked);
        keep(client, stream, kept);
    }
    reissue.view = view.pass();
    context_.rooms.flow.reissue(client, stream, reissue);
    return Fit::changed;
}

Reason ItemStreams::reasonOf(PayloadFault fault) noexcept {
    switch (fault) {
    case PayloadFault::view:
        return Reason::view;
    case PayloadFault::symbolList:
        return Reason::symbolList;
    case PayloadFault::none:
    case PayloadFault::batch:
        break;
    }
    return Reason::batch;
}

bool ItemStreams::open(Client& client, const Msg& m, std::int32_t stream, const RequestPayload& payload,
                       const PayloadError& fault, std::uint16_t view) {
    ++context_.counts.of.requests;
    return serve(client, m, stream, payload, fault, view);
}

bool ItemStreams::serve(Client& client, const Msg& m, std::int32_t stream, const RequestPayload& payload,
                        const PayloadError& fault, std::uint16_t view) {
    const auto refuse = [&](Reason reason, std::string_view why) {
        replies_.refuse(client, m, stream, reason, why);
        return false;
    };
    // One step of recursion: a request that names its service gets the id that this hub has for it.
    if (Msg known; giveServiceId(context_.rooms.services, client, m, known))
        return serve(client, known, stream, payload, fault, view);
    // Admission comes first, because its answer may be to wait, and the payload is checked again when the wait is over.
    const Admitted admitted = admission_.check(client, m);
    if (admitted.refused && admitted.comes) return waits_.keep(client, m, stream, view);
    if (admitted.refused) return refuse(*admitted.refused, admitted.why);
    if (fault.fault != PayloadFault::none) return refuse(reasonOf(fault.fault), fault.why);
    // A tunnel carries what its ends agree on, and has no fields.
    if (!payload.view && view == 0 && !m.has(RequestFlag::qualified) && needsView(client, m.domain))
        return refuse(Reason::viewRequired, kViewRequired);
    if (m.has(RequestFlag::view) && !payload.view)
        return refuse(Reason::view, "a view needs ':ViewType' and ':ViewData'");
    if (payload.dataStreams != reactor::rdm::DataStreams::none)
        return refuse(Reason::symbolList, "streams on the names of a symbol list are for the client to open");
    // early survives both waits: an item that was asked for before its service was up is requested when the service
    // comes.
    const bool early = admitted.waits || waits_.dealing() || checks_.early();
    switch (checks_.ask(client, *admitted.service, m, stream, view, early)) {
    case OpenChecks::Now::granted:
        break;
    case OpenChecks::Now::refused:
        return false;
    case OpenChecks::Now::waits:
        return true;
    }

    flow::JoinRequest join;
    join.service = admitted.service->id;
    join.domain = m.domain;
    join.key = &m.key;
    // A paused request is a stream even without the streaming flag: paused means open without updates.
    join.streaming = m.has(RequestFlag::streaming) || m.has(RequestFlag::pause);
    join.noRefresh = m.has(RequestFlag::noRefresh);
    join.isPrivate = m.has(RequestFlag::privateStream);
    join.qualified = m.has(RequestFlag::qualified);
    if (m.has(RequestFlag::pause)) join.mountFlags |= Mount::paused;
    join.mountFlags |= flow::membersWanted(m);
    join.mountFlags |= Mount::withQos(admitted.qos);
    join.early = early;
    join.request = &m;
    // Filtering a private stream here would filter twice, and the hub does not know what the stream carries.
    // A private stream is the source's: its view goes along with the request.
    std::uint16_t asked = 0;
    ViewTable& views = context_.rooms.views;
    std::string_view why;
    if (payload.view && !join.isPrivate) {
        asked = take(client, payload, view, why);
        if (asked == 0) return refuse(Reason::view, why);
    }
    // Of a private stream the login has no more than of others, whatever the source makes of the view in the request.
    Cut made{HeldView(views, asked), {}};
    if (asked != 0 || (context_.loginViews.of(client) != nullptr && !join.qualified)) {
        ItemTable& items = context_.rooms.items;
        const Item* const item = join.isPrivate ? nullptr : items.find(items.keyOf(join.service, m.domain, m.key));
        std::optional<Cut> may = cut(client, item, std::move(made.view), why);
        if (!may) return refuse(Reason::view, why);
        made = std::move(*may);
    }
    // Before the mount is there: a snapshot that is answered at once takes it along when it leaves.
    if (made.asked) keep(client, stream, *made.asked);
    join.view = made.view.pass();
    bool joined = false;
    try {
        joined = context_.rooms.flow.join(client, stream, join);
    } catch (...) {
        views.forgetAsked(client, stream);
        throw;
    }
    if (!joined) {
        // join() takes over the view's reference only when it succeeds.
        views.release(join.view);
        views.forgetAsked(client, stream);
        return refuse(Reason::serviceItems, "the service has as many items as it may have (MaxItems)");
    }
    noteSameItem(client, stream);
    if (admitted.waits) tellWaiting(client, m, stream);
    return true;
}

/// An item may be open twice on one connection (hub.md 5.1). Looked for on the shorter of both lists, where that is
/// short.
void ItemStreams::noteSameItem(const Client& client, std::int32_t stream) {
    const auto opened = client.mounts.find(stream);
    if (opened == client.mounts.end()) return;
    const std::uint32_t index = opened->second.item;
    const Item& item = context_.rooms.items[index];
    bool again = false;
    if (item.mountCount <= std::max<std::size_t>(client.mounts.size(), kLookedAt)) {
        again = std::any_of(item.mounts, item.mounts + std::min(item.mountCount, kLookedAt),
                            [&](const Mount& m) { return m.client == client.index && m.stream != stream; });
    } else if (client.mounts.size() <= kLookedAt)
        again = std::ranges::any_of(client.mounts,
                                    [&](const auto& m) { return m.second.item == index && m.first != stream; });
    if (again) ++context_.counts.of.sameItem;
}

void ItemStreams::tellWaiting(Client& client, const Msg& m, std::int32_t stream) {
    Mount* const mount = context_.rooms.mounts.find(client, stream);
    const Item* const item = context_.rooms.mounts.itemOf(client, stream);
    // suspectTold keeps the status from coming twice when the item's own status follows.
    // A client that joins an item that is Suspect already has got that status.
    if (mount == nullptr || !mount->is(Mount::waiting) || item->dataState == DataState::suspect) return;
    mount->set(Mount::suspectTold, true);
    replies_.status(client, m, stream,
                    {StreamState::open, DataState::suspect, 0, eta::asBytes("The service is down; the item waits.")});
}

void ItemStreams::withdraw(Client& client, std::int32_t stream, std::string_view why) {
    const Item* const item = context_.rooms.mounts.itemOf(client, stream);
    if (item == nullptr) return;
    ++context_.counts.of.withdrawn;
    // No request of the client stands behind this close, so one is made up for the flags of the status.
    Msg request;
    request.cls = MsgClass::Request;
    request.domain = item->domain;
    if (item->is(Item::isPrivate)) request.flags |= RequestFlag::privateStream;
    if (item->is(Item::qualified)) request.flags |= RequestFlag::qualified;
    // The text is made before leave(): with its last mount the item and its name are gone.
    const std::string text = "'" + eta::printable(item->name()) + "' is closed: " +
                             (why.empty() ? std::string("the user is not entitled to it any more") : std::string(why));
    const Service* const service = context_.rooms.services.find(item->service);
    context_.audit(AuditEvent::Kind::itemWithdrawn, client, [&](AuditEvent& e) {
        if (service != nullptr) e.service = service->name;
        e.item = eta::asText(item->msgKey().name);
        e.code = kReasonNames[static_cast<std::size_t>(Reason::notEntitled)];
        e.text = text;
        e.parameter = parameterOf(Reason::notEntitled);
    });
    // First leave, then the status: an update that followed the close would be a fault of protocol.
    leave(client, stream);
    replies_.status(client, request, stream,
                    {StreamState::closed, DataState::suspect, kNotEntitled, eta::asBytes(text)});
    context_.log(nameOf(client) + ": " + text);
}

const char* ItemStreams::changeOf(const Client& client, const Item& item, const Msg& m) const noexcept {
    // The first difference is enough: the client gets one sentence.
    if (m.domain != item.domain) return "its stream is open on another domain";
    if (m.has(RequestFlag::privateStream) != item.is(Item::isPrivate))
        return "its stream is open as another kind, private or not";
    const std::string_view name = carriedService(client, m);
    const Service* const service = name.empty() ? nullptr : context_.rooms.services.find(name);
    if (name.empty() ? m.key.has(KeyFlag::serviceId) && m.key.serviceId != item.service
                     : service == nullptr || service->id != item.service)
        return "its stream is open on another service";
    const MsgKey key = item.msgKey();
    // A missing name type means 1 (RIC), so a reissue may leave it out (rdm.md).
    if (m.key.has(KeyFlag::name) && (!std::ranges::equal(m.key.name, key.name) ||
                                     (m.key.has(KeyFlag::nameType) ? m.key.nameType : 1) != key.nameType))
        return "its stream is open on another item";
    // A part that the reissue leaves out has not changed; only what it says anew can differ.
    const auto differs = [&](std::uint16_t flag, bool same) { return m.key.has(flag) && !(key.has(flag) && same); };
    if (differs(KeyFlag::filter, m.key.filter == key.filter) ||
        differs(KeyFlag::identifier, m.key.identifier == key.identifier) ||
        differs(KeyFlag::attrib, m.key.attribType == key.attribType && std::ranges::equal(m.key.attrib, key.attrib)))
        return "its stream is open with another filter, identifier or other attributes";
    return nullptr;
}

void ItemStreams::reissue(Client& client, Item& item, const Msg& m, std::int32_t stream, const RequestPayload& payload,
                          const PayloadError& fault, Key key, std::uint16_t view) {
    ++context_.counts.of.reissues;
    if (key == Key::compared)
        if (const char* const change = changeOf(client, item, m))
            return end(client, m, stream, Reason::streamInUse, change);
    if (fault.fault != PayloadFault::none) return end(client, m, stream, reasonOf(fault.fault), fault.why);
    flow::Reissue reissue;
    // A reissue without noRefresh asks for an image, paused or not.
    reissue.wantsRefresh = !m.has(RequestFlag::noRefresh);
    reissue.paused = m.has(RequestFlag::pause);
    reissue.request = &m;
    const Mount& mount = *context_.rooms.mounts.find(client, stream);
    const bool keeps = m.has(RequestFlag::view) && ViewTable::askedOf(client, stream, mount.view) != 0;
    // The view of a private stream is its source's to keep.
    if (!payload.view && !keeps && !item.is(Item::isPrivate) && needsView(client, item.domain))
        return end(client, m, stream, Reason::viewRequired, kViewRequired);
    // A reissue without a view means all that the client may have from now on; a view that stays is sent again each
    // time (rdm.md).
    if (!item.is(Item::isPrivate) && (payload.view || (!m.has(RequestFlag::view) && mount.view != 0))) {
        std::string_view why;
        const std::uint16_t asked = payload.view ? take(client, payload, view, why) : std::uint16_t{0};
        if (payload.view && asked == 0) return end(client, m, stream, Reason::view, why);
        std::optional<Cut> made = cut(client, &item, HeldView(context_.rooms.views, asked), why);
        if (!made) return end(client, m, stream, Reason::view, why);
        change(client, stream, *made, reissue);
    }
    context_.rooms.flow.reissue(client, stream, reissue);
}

/// What a client made grow goes back to the system when it is gone.
void ItemStreams::leave(Client& client, std::int32_t stream) {
    const std::size_t before = client.keyBytes;
    context_.rooms.flow.leave(client, stream);
    context_.rooms.reactor.noteFreed(kOfStream + before - std::min(before, client.keyBytes));
}

void ItemStreams::end(Client& client, const Msg& m, std::int32_t stream, Reason reason, std::string_view why) {
    const Item* const item = context_.rooms.mounts.itemOf(client, stream);
    const std::string name = item != nullptr ? item->name() : std::string();  // it may be gone with its last mount
    Msg request = m;
    if (item != nullptr && !m.key.has(KeyFlag::name)) {
        request.key.flags |= KeyFlag::name | KeyFlag::serviceId;
        request.key.name = eta::asBytes(name);
        request.key.serviceId = item->service;
    }
    // The mount leaves before the refusal closes the stream: afterwards nothing may be sent on it.
    context_.rooms.flow.leave(client, stream);
    replies_.refuse(client, request, stream, reason, why);
}

}  // namespace emissary::hub::client
