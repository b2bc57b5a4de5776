// The connections of consumers that ended last, for pages.
#pragma once

#include "hub/client/Ending.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>

namespace emissary::hub::client {

/// One connection that has ended, in the words of the log.
struct RecentEnd {
    std::int64_t at = 0;  ///< seconds of Unix time
    std::string address, user, position, listener;
    EndReason reason = EndReason::lost;
    std::string text;
    std::uint64_t bytesOut = 0;
};

/// The last kMost of them, the newest first.
class RecentEnds {
public:
    static constexpr std::size_t kMost = 100;
    /// Throws std::bad_alloc.
    void add(RecentEnd end) {
        ends_.push_front(std::move(end));
        if (ends_.size() > kMost) ends_.pop_back();
    }
    [[nodiscard]] const std::deque<RecentEnd>& list() const noexcept { return ends_; }

private:
    std::deque<RecentEnd> ends_;
};

}  // namespace emissary::hub::client
