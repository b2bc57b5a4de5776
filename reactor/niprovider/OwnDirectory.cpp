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
        apply(given_, true);  // useDirectory() checked it
        return;
    }
    for (const rdm::Service& service : options_.services)
        if (services_.add(service)) owners_.emplace(service.id, std::nullopt);
}

void OwnDirectory::configure(Bytes map) {
    given_.assign(map.begin(), map.end());
    reset();
}

void OwnDirectory::publishOwned(std::span<const rdm::Service* const> owned, std::int32_t streamId,
                                std::uint32_t filters, bool clear) {
    rdm::Directory part;
    for (const rdm::Service* const service : owned)
        (void)part.add(*service);
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
    // The submitters in the order in which their first services appeared.
    Services configured;
    std::vector<std::pair<std::uint64_t, Services>> submitters;
    std::unordered_map<std::uint64_t, std::size_t> place;
    for (const auto& service : services_.services()) {
        const Owner& owner = owners_.at(service->id);
        if (!owner) {
            configured.push_back(service.get());
            continue;
        }
        const auto [at, isNew] = place.try_emplace(*owner, submitters.size());
        if (isNew) submitters.emplace_back(*owner, Services{});
        submitters[at->second].second.push_back(service.get());
    }
    bool first = true;  // of stream 0: the only one that may clear
    if (!options_.directoryByUser) {
        publishOwned(configured, kDirectoryStream, rdm::DirectoryFilter::all, true);
        first = false;
    }
    constexpr std::uint32_t kRecovered = rdm::DirectoryFilter::info | rdm::DirectoryFilter::state;
    for (const auto& [handle, owned] : submitters) {
        if (options_.mergeSourceDirectoryStreams) {
            publishOwned(owned, kDirectoryStream, kRecovered, std::exchange(first, false));
            continue;
        }
        std::uint32_t slot = items_.find(handle);
        if (slot == OwnItems::kNone) slot = items_.add(handle, rdm::kDirectoryDomain, 0);
        if (slot == OwnItems::kNone || items_[slot].domain != rdm::kDirectoryDomain) continue;
        publishOwned(owned, OwnItems::streamOf(slot), kRecovered, true);
        items_[slot].refreshedOn = connection;
    }
}

Bytes OwnDirectory::forget(std::uint64_t handle, std::vector<std::uint16_t> kept) {
    std::sort(kept.begin(), kept.end());
    std::vector<std::uint16_t> gone;
    for (const auto& service : services_.services())
        if (owns(handle, service->id) && !std::binary_search(kept.begin(), kept.end(), service->id))
            gone.push_back(service->id);
    if (gone.empty() || !rdm::Directory::encodeDeletes(payload_.start(), gone).ok()) return {};
    apply(payload_.view(), false);
    return payload_.view();
}

bool OwnDirectory::hasOthers(std::uint64_t handle, std::vector<std::uint16_t> named) const {
    std::sort(named.begin(), named.end());
    return std::any_of(owners_.begin(), owners_.end(), [&](const auto& owned) {
        return owned.second != handle && !std::binary_search(named.begin(), named.end(), owned.first);
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
    apply(m.payload, false);  // checked above
    takesOver_ = false;
    return {};
}

void OwnDirectory::onServiceAdded(const rdm::Service& service) {
    owners_.insert_or_assign(service.id, submitting_);
}

/// A refresh takes a service over; an update leaves it where it is.
void OwnDirectory::onServiceChanged(const rdm::Service& service, std::uint32_t) {
    if (takesOver_) owners_.insert_or_assign(service.id, submitting_);
}

void OwnDirectory::onServiceDeleted(const rdm::Service& service) {
    owners_.erase(service.id);
    deleted_.insert(service.id);
}

/// The server has closed the items of services that are deleted: each needs a refresh to come back.
void OwnDirectory::apply(Bytes map, bool replace) {
    deleted_.clear();
    (void)services_.apply(map, replace, this);
    if (deleted_.empty()) return;
    for (std::uint32_t slot = 0; slot < items_.slots(); ++slot) {
        const Item& item = items_[slot];
        if (item.open && item.domain != rdm::kDirectoryDomain && deleted_.contains(item.serviceId))
            items_[slot].refreshedOn = 0;
    }
    deleted_ = {};
}

}  // namespace emissary::reactor::niprovider
