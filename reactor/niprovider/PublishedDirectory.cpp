#include "niprovider/PublishedDirectory.h"

#include "eta/codec/containers.h"
#include "eta/codec/primitives.h"
#include "reactor/GrowingBuffer.h"
#include "reactor/rdm/stream_state.h"

#include <algorithm>
#include <unordered_set>

namespace emissary::reactor::niprovider {

using namespace eta::codec;

namespace {

/// Ids of the Add entries of a checked payload.
std::vector<std::uint16_t> named(Bytes map) {
    std::vector<std::uint16_t> ids;
    MapDecoder in;
    if (!in.start(map).ok()) return ids;
    for (MapEntry entry; in.next(entry);) {
        std::uint64_t id = 0;
        if (entry.action == MapAction::add && decodeUInt(entry.key, id) == Decoded::value)
            ids.push_back(static_cast<std::uint16_t>(id));
    }
    return ids;
}

}  // namespace

Error PublishedDirectory::take(const Msg& m, rdm::DirectoryListener* listener) {
    stream_ = m.streamId;
    listener_ = listener;
    const bool refresh = m.cls == MsgClass::Refresh;
    if (refresh || m.cls == MsgClass::Update) {
        if (m.containerType != DataType::Map) return {Errc::unsupportedType, 0};
        if (const Error e = rdm::Directory::check(m.payload); !e.ok()) return e;
        const std::vector<std::uint16_t> image = refresh ? named(m.payload) : std::vector<std::uint16_t>{};
        if (refresh && m.has(RefreshFlag::clearCache)) {
            std::vector<std::uint16_t> swept = ofStream();
            const std::unordered_set<std::uint16_t> kept(image.begin(), image.end());
            std::erase_if(swept, [&](std::uint16_t id) { return kept.contains(id); });
            drop(swept);
        }
        if (const Error e = services_.apply(m.payload, false, this); !e.ok()) return e;
        for (const std::uint16_t id : image)
            if (services_.find(id) != nullptr) streamOf_[id] = stream_;
    }
    if (rdm::endsStream(m) || (m.cls == MsgClass::Status && m.has(StatusFlag::clearCache))) drop(ofStream());
    return {};
}

void PublishedDirectory::onServiceAdded(const rdm::Service& service) {
    streamOf_[service.id] = stream_;
    if (listener_ != nullptr) listener_->onServiceAdded(service);
}

void PublishedDirectory::onServiceChanged(const rdm::Service& service, std::uint32_t changed) {
    if (listener_ != nullptr) listener_->onServiceChanged(service, changed);
}

void PublishedDirectory::onServiceDeleted(const rdm::Service& service) {
    streamOf_.erase(service.id);
    gone_.push_back(service.id);
    if (listener_ != nullptr) listener_->onServiceDeleted(service);
}

void PublishedDirectory::onServiceStatus(const rdm::Service& service, const State& state) {
    if (listener_ != nullptr) listener_->onServiceStatus(service, state);
}

void PublishedDirectory::onGroupMerged(const rdm::Service& service, Bytes group, Bytes into) {
    if (listener_ != nullptr) listener_->onGroupMerged(service, group, into);
}

void PublishedDirectory::onGroupStatus(const rdm::Service& service, Bytes group, const State& state) {
    if (listener_ != nullptr) listener_->onGroupStatus(service, group, state);
}

void PublishedDirectory::drop(const std::vector<std::uint16_t>& ids) {
    GrowingBuffer deletes;
    if (ids.empty() || !rdm::Directory::encodeDeletes(deletes.start(), ids).ok()) return;
    static_cast<void>(services_.apply(deletes.view(), false, this));
}

std::vector<std::uint16_t> PublishedDirectory::ofStream() const {
    std::vector<std::uint16_t> ids;
    for (const auto& service : services_.services()) {
        const auto at = streamOf_.find(service->id);
        if (at != streamOf_.end() && at->second == stream_) ids.push_back(service->id);
    }
    return ids;
}

}  // namespace emissary::reactor::niprovider
