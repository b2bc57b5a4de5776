// The insides of Reactor and Link, shared by their two source files.
#pragma once

#include "loop/DispatchTurn.h"
#include "loop/Mailbox.h"
#include "loop/OpenDescriptor.h"
#include "loop/TimerQueue.h"
#include "loop/Worker.h"
#include "loop/heap.h"
#include "reactor/LinkLayer.h"
#include "reactor/Reactor.h"
#include "reactor/TurnEnd.h"
#include "reactor/http/HttpServer.h"
#include "reactor/memory.h"
#include "reactor/metrics/Snapshot.h"

#include <boost/unordered/unordered_flat_map.hpp>

#include <map>
#include <mutex>
#include <new>
#include <vector>

namespace emissary::reactor {

class MetricSource;

/// Results of name look-ups on their way back; outlives the reactor while a look-up runs. A link asks for one look-up
/// in its life, so that it takes thousands of connection attempts within one turn of the loop to fill it.
struct Lookups {
    struct Letter {
        std::uint64_t linkId;
        std::shared_ptr<const eta::transport::Route> route;  // null = failed
        eta::Refused refused;                                // why there is no route
    };
    Mailbox<Letter> letters{4096};
    std::mutex mutex;
    int wakeFd = -1;  // guarded by mutex; -1 once the reactor is gone

    /// True when it has arrived, or when its reactor is gone; false when there is no room.
    [[nodiscard]] bool deliver(Letter& letter);
};

/// What the connections to one place counted, those that have ended included.
struct ChannelTotals {
    eta::transport::ChannelCounters counters;
    eta::transport::MulticastCounters multicast;
    bool anyMulticast = false;
    void ended(const eta::transport::Channel& channel) noexcept;
};

struct Link::Impl {
    enum class Phase : std::uint8_t { resolving, initializing, active, closed };

    Reactor::Impl* reactor = nullptr;
    Link* self = nullptr;
    LinkHandler* handler = nullptr;
    std::uint64_t id = 0;
    Phase phase = Phase::resolving;
    bool inReady = false;  ///< on the list of links with buffered messages
    bool dirty = false;    ///< on the list of links to flush at the end of the turn
    bool directWrite = false;
    bool starved = false;  ///< memory ran out while something was done for it: goes down at the next chance
    TimePoint drainUntil = TimePoint::max();  ///< a write failed: how long the end of what was received is waited for
    int watchedFd = -1;
    std::uint32_t watchedEvents = 0;
    bool* gone = nullptr;  ///< set while a callback runs; told when the link is destroyed meanwhile
    std::shared_ptr<Output> output;
    eta::transport::Channel* channel = nullptr;  ///< output->channel
    Link::Batch* batch = nullptr;                ///< holds the channel's output lock meanwhile
    LinkLayer* layer = nullptr;                  ///< converts where the messages are not RWF on the wire
    ChannelTotals* totals = nullptr;             ///< the reactor's; gets the counts when the channel ends

    static constexpr std::size_t kHeapBytes = 8192;  ///< about what a connection has on the heap

    void start(std::unique_ptr<eta::transport::Channel> c);
    void initialize();
    void watchFor(std::uint32_t events);
    /// Reads up to `max` messages; stops when closed, destroyed or empty. `gone` means *this is no more.
    int readMessages(int max);
    void warn(const eta::transport::ReadResult& result);
    void down(const std::string& reason, bool refused);
    void shut() noexcept;
    void afterCommit(bool& arm) noexcept;
    void flushNow() noexcept;
    void writeFailed() noexcept;
    [[nodiscard]] Error noRoom() noexcept;
    [[nodiscard]] bool drainedBy(TimePoint now, bool more) const noexcept;
    [[nodiscard]] bool layJson();
    Error write(Bytes message) noexcept;
    [[nodiscard]] Error writeCopy(Bytes message, std::int32_t streamId) noexcept;
    [[nodiscard]] bool scratch(std::size_t bytes) noexcept;
};

struct Reactor::Impl {
    explicit Impl(ReactorOptions o);
    ~Impl();

    ReactorOptions options;
    TimeSource steady;
    const TimeSource* clock;
    SessionLock lock;
    const OpenDescriptor epollFd = OpenDescriptor::epoll(), wakeFd = OpenDescriptor::event();
    std::atomic<bool> signalled{false};      // wakeFd was written and not read yet
    std::atomic<bool> wakeRequested{false};  // dispatch() shall return
    std::atomic<std::uintptr_t> dispatcher{0};
    DispatchTurn dispatchTurn;
    // --- guarded by the session lock
    TimePoint turnTime;
    TimePoint waitUntil = TimePoint::min();  // when the waiting dispatcher wakes by itself; min() = not waiting
    TimePoint housekeepingAt = TimePoint::max();
    int events = 0;
    std::uint64_t lastId = 0;
    std::uint32_t turns = 0;
    TimerQueue timers;
    std::vector<std::function<void()>> posted, running;
    ItemMap<std::uint64_t, Link::Impl*> links;
    struct Watched {
        int fd;
        EventSource* source;
    };
    boost::unordered_flat_map<std::uint64_t, Watched> watched;
    std::vector<std::uint64_t> ready, readyNow, dirty, dirtyNow;
    std::unique_ptr<LinkLayer> jsonLayer;  // made for the first connection that needs it
    std::vector<std::byte> scratch;        // encoded form of messages larger than a fragment
    std::shared_ptr<Lookups> lookups = std::make_shared<Lookups>();
    std::atomic<bool> anyFailed{false};
    std::vector<MemoryOwner*> memoryOwners;
    std::vector<TurnEnd*> turnEnds;
    TimePoint trimAt = TimePoint::max();
    int trimsLeft = 0;  // until everything idle has gone back
    std::unique_ptr<Worker> worker;
    // --- counts (metrics.cpp)
    LoopCounts counts;
    QueueCounts postedCounts;
    TimePoint turnStart;                                 // of the turn that is not recorded yet
    std::map<std::string, ChannelTotals> channelTotals;  // by place; entries stay for ever
    std::vector<MetricSource*> metricSources;
    std::unique_ptr<HttpServer> metricsServer;
    [[nodiscard]] TimePoint readClock() noexcept {
        ++counts.clockReads;
        return clock->now();
    }
    void recordTurn(TimePoint end) noexcept;
    [[nodiscard]] ChannelTotals& totalsOf(std::string place);
    void collectChannels(metrics::Snapshot& into) const;

    void kick() noexcept;  // ends the wait so that it is computed anew
    [[nodiscard]] bool dispatchingHere() const noexcept;
    void enter() noexcept;
    void leave() noexcept;
    int dispatch(std::chrono::microseconds timeout, int maxEvents);
    void dispatchTurns(std::chrono::microseconds timeout, int maxEvents);
    void turn(int maxEvents);
    void poll(Duration wait, int maxEvents, bool unlocked);
    void handle(std::uint64_t id, std::uint32_t epollEvents, int maxEvents);
    void post(std::function<void()> callback);
    void runPosted();
    void takeLetters();
    void readReady(int maxEvents);
    void read(Link::Impl& link, int maxEvents);
    void flushDirty() noexcept;
    void endTurn() noexcept;
    void drainFailed();
    void housekeeping();
    void letWaitersIn();
    void markReady(Link::Impl& link);
    void markDirty(Link::Impl& link) noexcept;
    void noticeBy(TimePoint when) noexcept;

    // --- out of memory (starved.cpp)
    template <class Work>
    void forLink(std::uint64_t linkId, Work&& work) {
        try {
            work();
        } catch (const std::bad_alloc&) { starved(linkId); }
    }
    void runCall(std::function<void()>& call, int tries = 0);
    void starved(std::uint64_t linkId);
    void allStarved();
    void dropStarved();
    TimePoint starvedAt = TimePoint::max();  // when links that could not be taken down for want of memory are again
    // --- memory (memory.cpp)
    void trimLater() noexcept {
        trimsLeft = kTrims;
        if (trimAt == TimePoint::max()) armTrim();
    }
    void armTrim() noexcept;
    void trimMemory() noexcept;
    /// A look that notes what is in use, one that gives back the rest, and one for what the second one freed.
    static constexpr int kTrims = 3;
};

}  // namespace emissary::reactor
