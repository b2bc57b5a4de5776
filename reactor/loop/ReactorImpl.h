// The insides of Reactor, shared by the files of this folder.
#pragma once

#include "loop/ChannelTally.h"
#include "loop/DispatchTurn.h"
#include "loop/LinkTable.h"
#include "loop/Lookups.h"
#include "loop/MemoryReturn.h"
#include "loop/Partings.h"
#include "loop/Poller.h"
#include "loop/PostedCalls.h"
#include "loop/TimerQueue.h"
#include "loop/Worker.h"
#include "loop/loop_counts.h"
#include "reactor/LinkLayer.h"
#include "reactor/Reactor.h"
#include "reactor/TurnEnd.h"
#include "reactor/http/HttpServer.h"
#include "reactor/memory.h"
#include "reactor/metrics/Snapshot.h"

#include <boost/unordered/unordered_flat_map.hpp>

#include <vector>

namespace emissary::reactor {

class MetricSource;

struct Reactor::Impl {
    explicit Impl(ReactorOptions o);
    ~Impl();

    ReactorOptions options;
    TimeSource steady;
    const TimeSource* clock;
    SessionLock lock;
    Poller poller{options.busyPoll};
    std::atomic<bool> wakeRequested{false};  // dispatch() shall return
    std::atomic<std::uintptr_t> dispatcher{0};
    DispatchTurn dispatchTurn;
    // --- guarded by the session lock
    TimePoint turnTime;
    TimePoint waitUntil = TimePoint::min();  // when the waiting dispatcher wakes by itself; min() = not waiting
    std::uintptr_t burstOf = 0;              // thisThread() of whose output gathers, see beginBurst(); 0: nobody's
    int events = 0;
    std::uint64_t lastId = 0;
    std::uint32_t turns = 0;
    bool longTurn = false;  ///< descriptors get a look behind this turn
    TimerQueue timers;
    PostedCalls posted;
    LinkTable links{*this};
    Partings partings{*this};
    MemoryReturn memory{*this};
    ChannelTally channels;
    struct Watched {
        int fd;
        EventSource* source;
    };
    boost::unordered_flat_map<std::uint64_t, Watched> watched;
    std::unique_ptr<LinkLayer> jsonLayer;  // made for the first connection that needs it
    std::vector<std::byte> scratch;        // encoded form of messages larger than a fragment
    std::shared_ptr<Lookups> lookups = std::make_shared<Lookups>();
    std::vector<TurnEnd*> turnEnds;
    OutputOwner outputs;
    std::shared_ptr<Worker> worker;  // this reactor's alone, or one of several (ReactorOptions::shareWorker)
    // --- counts (metrics.cpp)
    LoopCounts counts;
    TimePoint turnStart;  // of the turn that is not recorded yet
    std::vector<MetricSource*> metricSources;
    std::unique_ptr<HttpServer> metricsServer;
    [[nodiscard]] TimePoint readClock() noexcept {
        ++counts.clockReads;
        return clock->now();
    }
    /// The turn's time on the real clock, which the waits of the kernel and of the worker count in. That is the turn's
    /// time, unless a clock was injected.
    [[nodiscard]] TimePoint realTurnTime() noexcept {
        if (clock == &steady) return turnTime;
        ++counts.clockReads;
        return Clock::now();
    }
    void recordTurn(TimePoint end) noexcept;

    void kick() noexcept { poller.kick(); }  // ends the wait so that it is computed anew
    [[nodiscard]] bool dispatchingHere() const noexcept {
        return dispatcher.load(std::memory_order_relaxed) == thisThread();
    }
    [[nodiscard]] bool burstHere() const noexcept { return burstOf == thisThread(); }
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
    void endTurn() noexcept;
    void letWaitersIn();
    void noticeBy(TimePoint when) noexcept;
    void runCall(std::function<void()>& call, int tries = 0);
    void trim() noexcept;
};

}  // namespace emissary::reactor
