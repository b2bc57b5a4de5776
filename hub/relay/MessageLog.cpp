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

bool MessageLog::holds(std::size_t ring, const Segment& segment) const noexcept {
    return segment.until[ring] != segment.from[ring] && rings_[ring]->passed() < segment.until[ring];
}

bool MessageLog::passed(const Segment& segment) const noexcept {
    for (std::size_t i = 0; i < rings_.size(); ++i)
        if (holds(i, segment)) return false;
    return true;
}

std::size_t MessageLog::held(std::size_t ring) const noexcept {
    std::size_t bytes = 0;
    for (const Segment& segment : full_)
        if (holds(ring, segment)) bytes += segment.size;
    return bytes;
}

/// Segments that all rings have passed go; a few of the usual size are kept for the next burst.
void MessageLog::recycle() noexcept {
    std::size_t kept = 0;
    for (std::size_t at = 0; at < full_.size(); ++at) {
        Segment& segment = full_[at];
        if (!passed(segment)) {
            if (kept != at) full_[kept] = std::move(segment);
            ++kept;
            continue;
        }
        waiting_ -= segment.size;
        if (segment.size == kSegment && spare_.size() < kMostSpare) spare_.push_back(std::move(segment));
        else segment = {};
    }
    full_.resize(kept);
}

void MessageLog::note(std::vector<std::uint64_t>& pushed) const {
    pushed.resize(rings_.size());
    for (std::size_t i = 0; i < rings_.size(); ++i)
        pushed[i] = rings_[i]->pushed();
}

void MessageLog::turnOver(std::size_t bytes) {
    recycle();
    if (current_.bytes) {
        note(current_.until);
        full_.push_back(std::move(current_));
        waiting_ += full_.back().size;
        current_ = {};
        recycle();
    }
    used_ = 0;
    spare_.reserve(kMostSpare);  // recycle() has room
    Segment next;
    if (bytes <= kSegment && !spare_.empty()) {
        next = std::move(spare_.back());
        spare_.pop_back();
    } else {
        next.size = std::max(bytes, kSegment);
        next.bytes = std::make_unique_for_overwrite<std::byte[]>(next.size);
    }
    note(next.from);
    current_ = std::move(next);
    ++begun_;
}

void MessageLog::trim() noexcept {
    recycle();
    spare_.clear();
}

}  // namespace emissary::hub::relay
