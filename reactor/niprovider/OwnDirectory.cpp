// The published source directory: configured services, and what the application submits.
#include "niprovider/NiProviderRoleImpl.h"
#include "reactor/rdm/stream_state.h"

namespace emissary::reactor::niprovider {

using namespace eta::codec;

namespace {

constexpr std::byte kDefaultGroup[2]{};
constexpr std::int32_t kDirectoryStream = 0;

}  // namespace

/// Back to what was configured.
void NiProviderRole::Impl::resetDirectory() {
    directory.clear();
    owners.clear();
    if (options.directoryByUser) return;
    if (!givenDirectory.empty()) {
        submitting.reset();
        (void)directory.apply(givenDirectory, true, this);  // useDirectory() checked it
        return;
    }
    for (const rdm::Service& service : options.services)
        if (directory.add(service)) owners.push_back({service.id, {}});
}

Error NiProviderRole::useDirectory(Bytes map) {
    if (const Error e = rdm::Directory::check(map); !e.ok()) return e;
    impl_->givenDirectory.assign(map.begin(), map.end());
    impl_->resetDirectory();
    return {};
}

void NiProviderRole::Impl::publishOwned(const std::optional<std::uint64_t>& owner, std::int32_t streamId,
                                        std::uint32_t filters, bool clear) {
    rdm::Directory part;
    for (const Owner& o : owners) {
        const rdm::Service* service = o.handle == owner ? directory.find(o.serviceId) : nullptr;
        if (service != nullptr) (void)part.add(*service);
    }
    rdm::DirectorySelection want;
    want.filters = filters;
    Msg m;
    m.cls = MsgClass::Refresh;
    m.domain = rdm::kDirectoryDomain;
    m.streamId = streamId;
    m.flags = RefreshFlag::msgKey | RefreshFlag::complete;
    if (clear) m.flags |= RefreshFlag::clearCache;
    m.state = {StreamState::open, DataState::ok, 0, eta::asBytes("Refresh Complete")};
    m.groupId = kDefaultGroup;
    m.key.flags = KeyFlag::filter;
    m.key.filter = part.available(want);
    m.containerType = DataType::Map;
    if (!part.encode(payloadScratch.start(), want).ok())
        return server.warn("the source directory is too large to encode and was not published");
    m.payload = payloadScratch.view();
    sender.send(m);
}

void NiProviderRole::Impl::publishDirectory() {
    bool first = true;  // of stream 0: the only one that may clear
    if (!options.directoryByUser) {
        publishOwned({}, kDirectoryStream, rdm::DirectoryFilter::all, true);
        first = false;
    }
    std::vector<std::uint64_t> submitters;
    for (const Owner& o : owners)
        if (o.handle && std::find(submitters.begin(), submitters.end(), *o.handle) == submitters.end())
            submitters.push_back(*o.handle);
    constexpr std::uint32_t kRecovered = rdm::DirectoryFilter::info | rdm::DirectoryFilter::state;
    for (const std::uint64_t handle : submitters) {
        if (options.mergeSourceDirectoryStreams) {
            publishOwned(handle, kDirectoryStream, kRecovered, std::exchange(first, false));
            continue;
        }
        std::uint32_t slot = items.find(handle);
        if (slot == ItemTable::kNone) slot = items.add(handle, rdm::kDirectoryDomain, 0);
        if (slot == ItemTable::kNone || items[slot].domain != rdm::kDirectoryDomain) continue;
        publishOwned(handle, ItemTable::streamOf(slot), kRecovered, true);
        items[slot].refreshedOn = connection;
    }
}

bool NiProviderRole::Impl::forget(std::uint64_t handle, const rdm::Directory& kept, Bytes* deletes) {
    std::vector<std::uint16_t> gone;
    bool others = false;
    for (const Owner& o : owners) {
        if (kept.find(o.serviceId) != nullptr) continue;
        if (o.handle == handle) gone.push_back(o.serviceId);
        else others = true;
    }
    if (!gone.empty() && rdm::Directory::encodeDeletes(payloadScratch.start(), gone).ok()) {
        if (deletes != nullptr) *deletes = payloadScratch.view();
        (void)directory.apply(payloadScratch.view(), false, this);
    }
    return others;
}

/// One stream for all: a new image of one submitter must not sweep away the others' services.
void NiProviderRole::Impl::takeBack(std::uint64_t handle, Msg& m) {
    rdm::Directory fresh;
    (void)fresh.apply(m.payload, false);  // checked by the caller
    Bytes deletes;
    const bool others = forget(handle, fresh, &deletes);
    if (!options.mergeSourceDirectoryStreams || !others) return;
    m.flags &= static_cast<std::uint16_t>(~RefreshFlag::clearCache);
    if (deletes.empty()) return;
    Msg update;
    update.cls = MsgClass::Update;
    update.domain = rdm::kDirectoryDomain;
    update.streamId = m.streamId;
    update.flags = UpdateFlag::doNotConflate;
    update.containerType = DataType::Map;
    update.payload = deletes;
    sender.send(update);
}

/// On stream 0, or with separate streams on the handle's own.
PublishResult NiProviderRole::Impl::submitDirectory(std::uint64_t handle, Msg& m) {
    if (!online) return fault(PublishFault::noChannel);
    if (requests.find(handle) != nullptr) return fault(PublishFault::registeredHandle);
    const bool data = m.cls != MsgClass::Status;
    if (data && m.containerType != DataType::Map) return fault(PublishFault::badDirectory, {Errc::unsupportedType, 0});
    if (data) {
        if (const Error e = rdm::Directory::check(m.payload); !e.ok()) return fault(PublishFault::badDirectory, e);
    }
    std::uint32_t slot = ItemTable::kNone;
    bool opened = false;
    m.streamId = kDirectoryStream;
    if (!options.mergeSourceDirectoryStreams) {
        slot = items.find(handle);
        const bool refreshed = slot != ItemTable::kNone && items[slot].refreshedOn == connection;
        if (m.cls == MsgClass::Update && !refreshed && options.refreshFirstRequired)
            return fault(PublishFault::refreshFirst);
        if (slot == ItemTable::kNone) {
            slot = items.add(handle, rdm::kDirectoryDomain, 0);
            if (slot == ItemTable::kNone) return fault(PublishFault::tooManyItems);
            opened = true;
        }
        m.streamId = ItemTable::streamOf(slot);
    }
    if (m.cls == MsgClass::Refresh) {
        m.flags &= static_cast<std::uint16_t>(~RefreshFlag::solicited);
        if (m.has(RefreshFlag::clearCache)) takeBack(handle, m);
    }
    if (const Error e = sender.trySend(m); !e.ok()) {
        if (opened) items.remove(slot);
        return outcome(e);
    }
    lastDirectoryHandle = handle;
    if (data) {
        submitting = handle;
        takesOver = m.cls == MsgClass::Refresh;
        (void)directory.apply(m.payload, false, this);  // checked above
        takesOver = false;
    }
    if (slot == ItemTable::kNone) return {};
    sent(slot, m);
    if (rdm::endsStream(m)) (void)forget(handle, {}, nullptr);
    return {};
}

NiProviderRole::Impl::Owner* NiProviderRole::Impl::ownerOf(std::uint16_t serviceId) noexcept {
    const auto at =
        std::find_if(owners.begin(), owners.end(), [&](const Owner& o) { return o.serviceId == serviceId; });
    return at == owners.end() ? nullptr : &*at;
}

void NiProviderRole::Impl::onServiceAdded(const rdm::Service& service) {
    owners.push_back({service.id, submitting});
}

/// A refresh takes a service over; an update leaves it where it is.
void NiProviderRole::Impl::onServiceChanged(const rdm::Service& service, std::uint32_t) {
    if (!takesOver) return;
    if (Owner* owner = ownerOf(service.id)) owner->handle = submitting;
}

/// The server has closed the service's items: each needs a refresh to come back.
void NiProviderRole::Impl::onServiceDeleted(const rdm::Service& service) {
    std::erase_if(owners, [&](const Owner& o) { return o.serviceId == service.id; });
    for (std::uint32_t slot = 0; slot < items.slots(); ++slot)
        if (items[slot].domain != 0 && items[slot].serviceId == service.id &&
            items[slot].domain != rdm::kDirectoryDomain)
            items[slot].refreshedOn = 0;
}

}  // namespace emissary::reactor::niprovider
