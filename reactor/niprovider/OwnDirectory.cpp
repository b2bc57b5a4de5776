// Publishes the configured services, and keeps track of which service belongs to which stream of the application.
#include "niprovider/OwnDirectory.h"

#include "reactor/rdm/stream_state.h"

#include <algorithm>
#include <utility>

namespace emissary::reactor::niprovider {

using namespace eta::codec;

namespace {

constexpr std::byte kDefaultGroup[2]{};
constexpr std::int32_t kDirectoryStream = 0;

}  // namespace

void OwnDirectory::reset() {
    services_.clear();
    owners_.clear();
    images_.clear();
    if (options_.directoryByUser) return;
    if (!given_.empty()) {
        submitting_.reset();
        (void)services_.apply(given_, true, this);  // useDirectory() checked it
        return;
    }
    for (const rdm::Service& service : options_.services)
        if (services_.add(service)) owners_.push_back({service.id, {}});
}

void OwnDirectory::configure(Bytes map) {
    given_.assign(map.begin(), map.end());
    reset();
}

void OwnDirectory::publishOwned(const std::optional<std::uint64_t>& owner, std::int32_t streamId, std::uint32_t filters,
                                bool clear) {
    rdm::Directory part;
    for (const Owner& o : owners_) {
        const rdm::Service* service = o.handle == owner ? services_.find(o.serviceId) : nullptr;
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
    if (!part.encode(payload_.start(), want).ok())
        return server_.warn("the source directory is too large to encode and was not published");
    m.payload = payload_.view();
    server_.sender().send(m);
}

void OwnDirectory::publish(std::uint32_t connection) {
    bool first = true;  // of stream 0: the only one that may clear
    if (!options_.directoryByUser) {
        publishOwned({}, kDirectoryStream, rdm::DirectoryFilter::all, true);
        first = false;
    }
    std::vector<std::uint64_t> submitters;
    for (const Owner& o : owners_)
        if (o.handle && std::find(submitters.begin(), submitters.end(), *o.handle) == submitters.end())
            submitters.push_back(*o.handle);
    constexpr std::uint32_t kRecovered = rdm::DirectoryFilter::info | rdm::DirectoryFilter::state;
    for (const std::uint64_t handle : submitters) {
        if (options_.mergeSourceDirectoryStreams) {
            publishOwned(handle, kDirectoryStream, kRecovered, std::exchange(first, false));
            continue;
        }
        std::uint32_t slot = items_.find(handle);
        if (slot == OwnItems::kNone) slot = items_.add(handle, rdm::kDirectoryDomain, 0);
        if (slot == OwnItems::kNone || items_[slot].domain != rdm::kDirectoryDomain) continue;
        publishOwned(handle, OwnItems::streamOf(slot), kRecovered, true);
        items_[slot].refreshedOn = connection;
    }
}

Bytes OwnDirectory::forget(std::uint64_t handle, std::vector<std::uint16_t> kept) {
    std::sort(kept.begin(), kept.end());
    std::vector<std::uint16_t> gone;
    for (const Owner& o : owners_)
        if (o.handle == handle && !std::binary_search(kept.begin(), kept.end(), o.serviceId))
            gone.push_back(o.serviceId);
    if (gone.empty() || !rdm::Directory::encodeDeletes(payload_.start(), gone).ok()) return {};
    (void)services_.apply(payload_.view(), false, this);
    return payload_.view();
}

bool OwnDirectory::hasOthers(std::uint64_t handle, const std::vector<std::uint16_t>& named) const {
    return std::any_of(owners_.begin(), owners_.end(), [&](const Owner& o) {
        return o.handle != handle && std::find(named.begin(), named.end(), o.serviceId) == named.end();
    });
}

/// One stream for all: a new image of one submitter must not sweep away the others' services. Changes nothing here: the
/// image may not leave.
std::optional<OwnDirectory::Image> OwnDirectory::imageWith(std::uint64_t handle, Msg& m) const {
    const rdm::ImagePart part = rdm::partOf(m);
    Image image;
    if (!part.first) {
        const auto at = images_.find(handle);
        if (at == images_.end()) return std::nullopt;
        image = at->second;
    }
    (void)rdm::Directory::namedIn(m.payload, image.named);  // checked by the caller
    if (part.first && options_.mergeSourceDirectoryStreams && hasOthers(handle, image.named)) {
        m.flags &= static_cast<std::uint16_t>(~RefreshFlag::clearCache);
        image.merged = true;
    }
    return image;
}

/// What the handle had itself, and no part of its image names, goes with the last part.
void OwnDirectory::takeBack(std::uint64_t handle, const Msg& m, Image image) {
    if (!rdm::partOf(m).last) return void(images_[handle] = std::move(image));
    images_.erase(handle);
    const Bytes deletes = forget(handle, image.named);
    if (!image.merged || deletes.empty()) return;
    Msg update;
    update.cls = MsgClass::Update;
    update.domain = rdm::kDirectoryDomain;
    update.streamId = m.streamId;
    update.flags = UpdateFlag::doNotConflate;
    update.containerType = DataType::Map;
    update.payload = deletes;
    server_.sender().send(update);
}

PublishResult OwnDirectory::submit(std::uint64_t handle, Msg& m, std::uint32_t connection, std::uint32_t& slot) {
    const bool data = m.cls != MsgClass::Status;
    if (data && m.containerType != DataType::Map) return {PublishFault::badDirectory, {Errc::unsupportedType, 0}};
    if (data) {
        if (const Error e = rdm::Directory::check(m.payload); !e.ok()) return {PublishFault::badDirectory, e};
    }
    slot = OwnItems::kNone;
    bool opened = false;
    std::optional<Image> image;
    m.streamId = kDirectoryStream;
    if (!options_.mergeSourceDirectoryStreams) {
        slot = items_.find(handle);
        const bool refreshed = slot != OwnItems::kNone && items_[slot].refreshedOn == connection;
        if (m.cls == MsgClass::Update && !refreshed && options_.refreshFirstRequired)
            return {PublishFault::refreshFirst, {}};
        if (slot == OwnItems::kNone) {
            slot = items_.add(handle, rdm::kDirectoryDomain, 0);
            if (slot == OwnItems::kNone) return {PublishFault::tooManyItems, {}};
            opened = true;
        }
        m.streamId = OwnItems::streamOf(slot);
    }
    if (m.cls == MsgClass::Refresh) {
        m.flags &= static_cast<std::uint16_t>(~RefreshFlag::solicited);
        image = imageWith(handle, m);
    }
    if (const Error e = server_.sender().trySend(m); !e.ok()) {
        if (opened) items_.undo(slot);
        return outcomeOf(e);
    }
    lastHandle_ = handle;
    if (image) takeBack(handle, m, std::move(*image));
    if (!data) return {};
    submitting_ = handle;
    takesOver_ = m.cls == MsgClass::Refresh;
    (void)services_.apply(m.payload, false, this);  // checked above
    takesOver_ = false;
    return {};
}

OwnDirectory::Owner* OwnDirectory::ownerOf(std::uint16_t serviceId) noexcept {
    const auto at =
        std::find_if(owners_.begin(), owners_.end(), [&](const Owner& o) { return o.serviceId == serviceId; });
    return at == owners_.end() ? nullptr : &*at;
}

void OwnDirectory::onServiceAdded(const rdm::Service& service) {
    owners_.push_back({service.id, submitting_});
}

/// A refresh takes a service over; an update leaves it where it is.
void OwnDirectory::onServiceChanged(const rdm::Service& service, std::uint32_t) {
    if (!takesOver_) return;
    if (Owner* owner = ownerOf(service.id)) owner->handle = submitting_;
}

/// The server has closed the service's items: each needs a refresh to come back.
void OwnDirectory::onServiceDeleted(const rdm::Service& service) {
    std::erase_if(owners_, [&](const Owner& o) { return o.serviceId == service.id; });
    for (std::uint32_t slot = 0; slot < items_.slots(); ++slot)
        if (items_[slot].open && items_[slot].serviceId == service.id && items_[slot].domain != rdm::kDirectoryDomain)
            items_[slot].refreshedOn = 0;
}

}  // namespace emissary::reactor::niprovider
