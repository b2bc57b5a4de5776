// Writes messages into segments, and uses a segment again when all readers have passed it.
#include "hub/relay/MessageLog.h"

#include <cstring>

namespace emissary::hub::relay {

namespace {
constexpr std::size_t kMostSpare = 8;
}

eta::Bytes MessageLog::write(eta::Bytes message) {
    const std::span<std::byte> to = room(message.size());
    if (!message.empty()) std::memcpy(to.data(), message.data(), message.size());
    return keep(message.size());
}

bool MessageLog::passed(const Segment& segment) const noexcept {
    for (std::size_t i = 0; i < rings_.size(); ++i)
        if (rings_[i]->passed() < segment.until[i]) return false;
    return true;
}

void MessageLog::recycle() noexcept {
    while (!full_.empty() && passed(full_.front())) {
        Segment& segment = full_.front();
        waiting_ -= segment.size;
        if (segment.size == kSegment && spare_.size() < kMostSpare) spare_.push_back(std::move(segment));
        full_.erase(full_.begin());
    }
}

void MessageLog::turnOver(std::size_t bytes) {
    recycle();
    if (current_.bytes) {
        current_.until.resize(rings_.size());
        for (std::size_t i = 0; i < rings_.size(); ++i)
            current_.until[i] = rings_[i]->pushed();
        full_.push_back(std::move(current_));
        waiting_ += full_.back().size;
        current_ = {};
        recycle();
    }
    used_ = 0;
    if (bytes <= kSegment && !spare_.empty()) {
        current_ = std::move(spare_.back());
        spare_.pop_back();
        return;
    }
    spare_.reserve(kMostSpare);  // recycle() has room
    Segment fresh;
    fresh.size = std::max(bytes, kSegment);
    fresh.bytes = std::make_unique_for_overwrite<std::byte[]>(fresh.size);
    current_ = std::move(fresh);
}

void MessageLog::trim() noexcept {
    recycle();
    spare_.clear();
}

}  // namespace emissary::hub::relay
