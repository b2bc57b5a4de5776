// The counts of the loop, its worker and its queues.
#pragma once

#include "eta/core/Count.h"

#include <cstddef>

namespace emissary::reactor {

/// Written by the dispatching thread under the session lock.
struct LoopCounts {
    eta::Histogram<"emissary_loop_turn_seconds",
                   "How long turns of the loop took, callbacks included: from the end of a wait to the next one.">
        turnTime;
    eta::Total<"emissary_loop_stalls_total", "turns", "Turns that took longer than 100 milliseconds."> stalls;
    eta::Total<"emissary_loop_events_total", "events", "Messages and calls that were handled."> events;
    eta::Total<"emissary_loop_waits_total", "waits", "Waits for descriptors, timers or calls of other threads."> waits;
    eta::Total<"emissary_loop_busy_looks_total", "looks",
               "Looks for events in the place of sleeping (BusyPoll, and waits shorter than the timer slack).">
        busyLooks;
    eta::Total<"emissary_loop_wakeups_total", "wake-ups", "Times that another thread woke the loop."> wakeups;
    eta::Total<"emissary_loop_clock_reads_total", "reads", "Times that the loop read the clock."> clockReads;
    eta::Total<"emissary_loop_timers_run_total", "timers", "Timers that expired."> timersRun;
    eta::Level<"emissary_loop_timers", "timers", "Timers that are running."> timers;
    eta::Level<"emissary_loop_connections", "connections", "Connections that are up or being set up."> connections;
    eta::Level<"emissary_loop_table_places", "places", "Records and table places that there is memory for."> places;
    eta::Total<"emissary_loop_trims_total", "rounds", "Rounds in which unused memory was looked for."> trims;
};
inline constexpr std::chrono::milliseconds kStall{100};

/// Of one reactor; wakeups are those of the worker thread, for all its reactors.
struct WorkerCounts {
    eta::Total<"emissary_worker_wakeups_total", "wake-ups",
               "Times that the worker thread woke up, for whichever instance where several share it.">
        wakeups;
    eta::Total<"emissary_worker_flushes_total", "flushes", "Flushes that the worker did for other threads."> flushes;
    eta::Total<"emissary_worker_blocked_total", "flushes", "Flushes after which it had to wait for the kernel.">
        blocked;
    eta::Level<"emissary_worker_connections", "connections", "Connections whose pings the worker looks after.">
        connections;
};

/// One queue, whose name is the label `queue`. Written under the lock of the queue.
struct QueueCounts {
    eta::Total<"emissary_queue_posted_total", "entries", "Entries put into the queue."> posted;
    eta::Total<"emissary_queue_full_total", "entries", "Entries that found the queue full."> full;
    eta::Level<"emissary_queue_length", "entries", "Entries that wait now."> length;
    eta::Peak<"emissary_queue_length_peak", "entries", "Most entries that waited at once."> peak;
    eta::Level<"emissary_queue_capacity", "entries", "Entries that find room; 0 for a queue bounded by its users.">
        capacity;

    void entered(std::size_t lengthNow) noexcept {
        ++posted;
        length = lengthNow;
        peak.raiseTo(lengthNow);
    }
};

}  // namespace emissary::reactor
