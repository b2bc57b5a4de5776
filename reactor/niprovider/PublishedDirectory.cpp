#include "niprovider/PublishedDirectory.h"

#include "reactor/GrowingBuffer.h"
#include "reactor/rdm/stream_state.h"

#include <algorithm>
#include <unordered_set>

namespace emissary::reactor::niprovider {

using namespace eta::codec;

Error PublishedDirectory::take(const Msg& m, rdm::DirectoryListener* listener) {
    stream_ = m.streamId;
    listener_ = listener;
    const bool refresh = m.cls == MsgClass::Refresh;
    if (refresh || m.cls == MsgClass::Update) {
        if (m.containerType != DataType::Map && m.containerType != DataType::NoData) return {Errc::unsupportedType, 0};
        const Bytes map = m.containerType == DataType::Map ? m.payload : Bytes{};
        std::vector<std::uint16_t> image;
        if (const Error e = rdm::Directory::namedIn(map, image); !e.ok()) return e;
        if (refresh) sweep(rdm::partOf(m), image);
        static_cast<void>(services_.apply(map, false, this));  // it can be read
        if (refresh)
            for (const std::uint16_t id : image)
                if (services_.find(id) != nullptr) streamOf_[id] = stream_;
    }
    if (rdm::endsStream(m) || (m.cls == MsgClass::Status && m.has(StatusFlag::clearCache))) {
        unnamed_.erase(stream_);
        drop(ofStream());
    }
    return {};
}

/// What the stream had and no part of its image names goes with the last part.
void PublishedDirectory::sweep(const rdm::ImagePart& part, std::vector<std::uint16_t> named) {
    if (part.first) unnamed_[stream_] = ofStream();
    const auto at = unnamed_.find(stream_);
    if (at == unnamed_.end()) return;
    std::sort(named.begin(), named.end());
    std::erase_if(at->second, [&](std::uint16_t id) { return std::binary_search(named.begin(), named.end(), id); });
    if (!part.last && !at->second.empty()) return;
    const std::vector<std::uint16_t> gone = std::move(at->second);
    unnamed_.erase(at);
    drop(gone);
}

void PublishedDirectory::onSkipped(const std::string& what) {
    skipped_ = what;
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
