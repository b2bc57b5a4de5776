// hub/access: the thread for what would hold up the stage: hashes of passwords, signatures, files.
#pragma once

#include "reactor/Reactor.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace emissary::hub::access {

/// Does jobs one after the other, of each source one and then of the next, and between them a regular one at least once
/// in each period: nobody waits for more than one job of each other source. What a job comes to goes
/// back to the dispatching thread. Made and destroyed with the session lock held; destroyed without a running thread.
class Worker {
public:
    using Outcome =
        std::function<void()>;             ///< runs on the dispatching thread, with the session lock held; may be empty
    using Job = std::function<Outcome()>;  ///< runs on the worker's thread, without the lock

    explicit Worker(reactor::Reactor& reactor) : reactor_(reactor) {}
    ~Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    /// `regular` gets true when hurry() asked for it. Throws std::system_error when there is no thread.
    void start(std::chrono::milliseconds period, std::function<Outcome(bool hurried)> regular);
    /// Without the session lock: ends the thread, after the job that it is at. Outcomes that have not run never will.
    void stop() noexcept;

    /// Dispatching thread. Jobs of one source (the address of a client) run in the order of their tickets.
    void add(std::uint64_t ticket, const std::string& source, Job job);
    /// Dispatching thread. The job may be running, and have its outcome yet.
    void cancel(std::uint64_t ticket) noexcept;
    /// Dispatching thread: the regular job comes next.
    void hurry();

private:
    using Jobs = std::map<std::uint64_t, Job>;  // by ticket

    void run();
    [[nodiscard]] Job takeNext();
    void send(Outcome outcome) noexcept;

    reactor::Reactor& reactor_;
    std::chrono::milliseconds period_{0};
    std::function<Outcome(bool)> regular_;
    std::mutex mutex_;
    std::condition_variable wake_;
    std::map<std::string, Jobs> jobs_;              // below: under the mutex; no source is without jobs
    std::map<std::uint64_t, std::string> sources_;  // of the tickets in jobs_
    std::string served_;                            // the source of the job that was taken last
    bool hurried_ = false, ends_ = false;
    std::thread thread_;
    std::shared_ptr<char> alive_ = std::make_shared<char>();  // outcomes that come later find it gone
    const std::weak_ptr<char> watched_ = alive_;              // for the thread
};

}  // namespace emissary::hub::access
