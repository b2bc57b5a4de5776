// Posts that an application still has to acknowledge, if its acknowledgements are checked.
#pragma once

#include "reactor/memory.h"

#include <algorithm>
#include <cstdint>
#include <deque>

namespace emissary::reactor {

/// Post ids by stream handle. `ofClient` is the number of posts that one client has waiting on all its streams.
class UnackedPosts {
public:
    /// Beyond 100,000 of a client the stream's oldest is forgotten for each new one.
    void note(std::uint64_t handle, std::uint32_t id, std::size_t& ofClient) {
        std::deque<std::uint32_t>& ids = ids_[handle];
        ids.push_back(id);
        if (ofClient < kMaxOfClient) ++ofClient;
        else ids.pop_front();
        if (ids.empty()) ids_.erase(handle);
    }
    [[nodiscard]] bool waits(std::uint64_t handle, std::uint32_t id) const noexcept {
        const auto at = ids_.find(handle);
        return at != ids_.end() && std::find(at->second.begin(), at->second.end(), id) != at->second.end();
    }
    void acknowledged(std::uint64_t handle, std::uint32_t id, std::size_t& ofClient) {
        const auto at = ids_.find(handle);
        if (at == ids_.end()) return;
        if (const auto found = std::find(at->second.begin(), at->second.end(), id); found != at->second.end()) {
            at->second.erase(found);
            --ofClient;
        }
        if (at->second.empty()) ids_.erase(at);
    }
    /// The stream is over. Returns how many posts it had waiting.
    std::size_t forget(std::uint64_t handle) noexcept {
        if (ids_.empty()) return 0;
        const auto at = ids_.find(handle);
        if (at == ids_.end()) return 0;
        const std::size_t waiting = at->second.size();
        ids_.erase(at);
        return waiting;
    }
    void trim() noexcept { trimTable(ids_); }
    [[nodiscard]] std::size_t places() const noexcept { return ids_.bucket_count(); }

private:
    static constexpr std::size_t kMaxOfClient = 100'000;
    ItemMap<std::uint64_t, std::deque<std::uint32_t>> ids_;
};

}  // namespace emissary::reactor
