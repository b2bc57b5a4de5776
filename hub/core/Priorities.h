// The priorities that the mounts of one item ask for (rdm.md 6.5).
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>

#include <algorithm>
#include <cstdint>
#include <map>

namespace emissary::hub {

/// Of mounts that asked for another priority than class 1, count 1. On the reactor's thread.
class Priorities {
public:
    /// The mount's priority from now on; 1, 1 takes it out. Throws std::bad_alloc.
    void set(std::uint32_t client, std::int32_t stream, std::uint8_t cls, std::uint16_t count) {
        if (cls <= 1 && count <= 1) return drop(client, stream);
        Priority& p = mounts_[key(client, stream)];
        ++classes_[cls];
        leave(p);
        p = {cls, count};
        extra_ += count - std::min<std::uint32_t>(count, 1);
    }
    /// The mount is gone, or back to 1, 1; nothing when it never asked.
    void drop(std::uint32_t client, std::int32_t stream) noexcept {
        const auto at = mounts_.find(key(client, stream));
        if (at == mounts_.end()) return;
        leave(at->second);
        mounts_.erase(at);
    }
    /// The highest class that a mount asked for, 1 at least.
    [[nodiscard]] std::uint8_t highest() const noexcept {
        return classes_.empty() ? std::uint8_t{1} : std::max<std::uint8_t>(classes_.rbegin()->first, 1);
    }
    /// What all counts together are beyond 1 for each mount.
    [[nodiscard]] std::uint64_t extra() const noexcept { return extra_; }

private:
    struct Priority {
        std::uint8_t cls = 0;
        std::uint16_t count = 0;  // 0: none yet
    };
    [[nodiscard]] static std::uint64_t key(std::uint32_t client, std::int32_t stream) noexcept {
        return std::uint64_t{client} << 32 | static_cast<std::uint32_t>(stream);
    }
    void leave(const Priority& p) noexcept {
        if (p.cls == 0 && p.count == 0) return;
        extra_ -= p.count - std::min<std::uint32_t>(p.count, 1);
        const auto at = classes_.find(p.cls);
        if (--at->second == 0) classes_.erase(at);
    }
    boost::unordered_flat_map<std::uint64_t, Priority> mounts_;  // by client and stream
    std::map<std::uint8_t, std::uint32_t> classes_;              // mounts in each
    std::uint64_t extra_ = 0;
};

}  // namespace emissary::hub
