// PerfTools/EmaCppIProvPerf: item events on their way from the callbacks to the thread that publishes.
#pragma once
#include "Ema.h"
#include "ItemList.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace emissary::perf {

/// What a client did to an item.
struct ItemEvent {
    enum class Kind : std::uint8_t {
        request,
        reissue,
        close,
        standby,  ///< the client takes its data from another server of a warm standby pair
        active,   ///< the client wants its data from here
        left,     ///< the client logged out, or its connection is gone
        timed,    ///< a login whose client returns messages that measure the round trip
    };
    Kind kind = Kind::request;
    Domain domain = Domain::marketPrice;
    bool streaming = true;
    bool isPrivate = false;
    std::uint32_t nameLength = 0;  // in ItemEvents::names, one behind the other
    std::uint32_t serviceId = 0;
    std::uint64_t handle = 0;
    std::uint64_t client = 0;
};

/// A post that names its item instead of using the item's stream.
struct OffStreamPost {
    std::uint64_t client = 0;
    std::unique_ptr<refinitiv::ema::access::PostMsg> post;
};

/// A batch of events in the order in which they came.
struct ItemEvents {
    std::vector<ItemEvent> events;
    std::string names;
    std::vector<OffStreamPost> posts;
    /// Forgets all, and gives the memory of a large batch back: such a batch comes when clients open everything.
    void clear() noexcept {
        constexpr std::size_t kKeptEvents = 4096;
        if (events.capacity() > kKeptEvents) *this = {};
        events.clear();
        names.clear();
        posts.clear();
    }
};

/// The dispatching thread adds, the publishing thread takes everything at once: the lock is held for a few
/// instructions.
class RequestInbox {
public:
    void add(ItemEvent event, std::string_view name) {
        event.nameLength = static_cast<std::uint32_t>(name.size());
        {
            const std::lock_guard lock(mutex_);
            waiting_.names.append(name);
            waiting_.events.push_back(event);
        }
        came_.notify_one();
    }
    void add(OffStreamPost post) {
        {
            const std::lock_guard lock(mutex_);
            waiting_.posts.push_back(std::move(post));
        }
        came_.notify_one();
    }
    /// Waits until there is an event, at most for that long.
    void wait(std::chrono::nanoseconds longest) {
        std::unique_lock lock(mutex_);
        came_.wait_for(lock, longest, [this] { return !waiting_.events.empty() || !waiting_.posts.empty(); });
    }
    /// Replaces `events` by what is waiting; its memory is used for the next batch, unless it is large.
    void take(ItemEvents& events) {
        events.clear();
        const std::lock_guard lock(mutex_);
        std::swap(waiting_, events);
    }

private:
    std::mutex mutex_;
    std::condition_variable came_;
    ItemEvents waiting_;  // guarded by mutex_
};

}  // namespace emissary::perf
