// The sequence numbers of the updates on each stream.
#pragma once
#include <boost/unordered/unordered_flat_map.hpp>

#include <cstdint>

namespace emissary::perf {

/// Counts from 1 on each stream; as large as there are streams that were counted on. Used by one thread.
class StreamNumbers {
public:
    [[nodiscard]] std::uint32_t next(std::uint64_t handle) { return ++last_[handle]; }
    /// The update was not sent: its number is the next one's.
    void takeBack(std::uint64_t handle) {
        if (const auto at = last_.find(handle); at != last_.end()) --at->second;
    }
    /// The stream has ended; another one may get its handle.
    void forget(std::uint64_t handle) { last_.erase(handle); }

private:
    boost::unordered_flat_map<std::uint64_t, std::uint32_t> last_;
};

}  // namespace emissary::perf
