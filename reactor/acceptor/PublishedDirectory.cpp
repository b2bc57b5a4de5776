// Applies each directory message of a publisher, and drops services that none of its streams lists any more.
#include "acceptor/PublishedDirectory.h"

#include "rdm/ServiceEntries.h"
#include "reactor/rdm/stream_state.h"

#include <algorithm>
#include <utility>

namespace emissary::reactor::acceptor {

using namespace eta::codec;

Error PublishedDirectory::begin(const Msg& m, rdm::DirectoryListener* listener) {
    stream_ = m.streamId;
    listener_ = listener;
    image_.clear();
    // A status with CLEAR_CACHE ends the directory stream just as a final state does.
    ends_ = rdm::endsStream(m) || (m.cls == MsgClass::Status && m.has(StatusFlag::clearCache));
    const bool refresh = m.cls == MsgClass::Refresh;
    if (!refresh && m.cls != MsgClass::Update) return {};
    if (rdm::isForeignUpdate(m)) {
        skipped_ = rdm::kForeignUpdate;
        services_.begin({}, {});
        return {};
    }
    if (m.containerType != DataType::Map && m.containerType != DataType::NoData) return {Errc::unsupportedType, 0};
    const Bytes map = m.containerType == DataType::Map ? m.payload : Bytes{};
    std::vector<std::uint16_t> image, gone;
    if (const Error e = rdm::Directory::namedIn(map, image); !e.ok()) return e;
    if (refresh) {
        gone = sweep(rdm::partOf(m), image);
        image_ = std::move(image);
    }
    services_.begin(map, std::move(gone));
    return {};
}

bool PublishedDirectory::step(const std::function<bool()>& goesOn) {
    if (services_.step(this, goesOn)) return true;
    // The services that this stream has named belong to it from here on.
    for (const std::uint16_t id : std::exchange(image_, {}))
        if (services_.find(id) != nullptr) streamOf_[id] = stream_;
    if (!std::exchange(ends_, false)) return false;
    unnamed_.erase(stream_);
    services_.begin({}, ofStream());
    return services_.step(this, goesOn);
}

/// What the stream had and no part of its image names goes with the last part.
std::vector<std::uint16_t> PublishedDirectory::sweep(const rdm::ImagePart& part, std::vector<std::uint16_t> named) {
    // The first part of an image collects what is there, the last one decides what has gone.
    if (part.first) unnamed_[stream_] = ofStream();
    const auto at = unnamed_.find(stream_);
    if (at == unnamed_.end()) return {};
    std::sort(named.begin(), named.end());
    std::erase_if(at->second, [&](std::uint16_t id) { return std::binary_search(named.begin(), named.end(), id); });
    if (!part.last && !at->second.empty()) return {};
    std::vector<std::uint16_t> gone = std::move(at->second);
    unnamed_.erase(at);
    return gone;
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

std::vector<std::uint16_t> PublishedDirectory::ofStream() const {
    std::vector<std::uint16_t> ids;
    for (const auto& service : services_.services()) {
        const auto at = streamOf_.find(service->id);
        if (at != streamOf_.end() && at->second == stream_) ids.push_back(service->id);
    }
    return ids;
}

}  // namespace emissary::reactor::acceptor
