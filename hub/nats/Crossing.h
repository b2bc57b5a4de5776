// hub/nats: what the node's thread, the sending thread and the threads of libnats have in common.
#pragma once

#include "hub/nats/Bell.h"
#include "hub/nats/FrameRing.h"
#include "hub/nats/NatsLibrary.h"
#include "hub/nats/NatsOptions.h"

#include <boost/lockfree/queue.hpp>

#include <atomic>
#include <mutex>
#include <string>

namespace emissary::hub::nats {

/// Frames in both directions, each bounded, and a bell for either end. Shared by the bus and each of its connections.
class Crossing {
public:
    Crossing(const NatsLibrary& library, const NatsOptions& options)
        : library_(library), mostFrames_(options.inFrames), mostBytes_(options.inBytes), out(options.outBytes),
          in_(options.inFrames) {}
    ~Crossing() {
        for (natsMsg* m = nullptr; in_.pop(m);)
            library_.destroyMessage(m);
    }
    Crossing(const Crossing&) = delete;
    Crossing& operator=(const Crossing&) = delete;

    /// A message from a server, which is taken over; when there is no room it is dropped and counted. Any thread of
    /// libnats.
    void arrived(natsMsg* m) noexcept {
        const auto bytes = static_cast<std::size_t>(library_.length(m));
        // Counted first, so that the sum is never below what waits. A frame that is alone may be of any size.
        const std::size_t before = inBytes_.fetch_add(bytes, std::memory_order_relaxed);
        const std::size_t frames = inFrames_.fetch_add(1, std::memory_order_relaxed);
        if (frames >= mostFrames_ || (before != 0 && before + bytes > mostBytes_) || !in_.bounded_push(m)) {
            inBytes_.fetch_sub(bytes, std::memory_order_relaxed);
            inFrames_.fetch_sub(1, std::memory_order_relaxed);
            inLost.fetch_add(1, std::memory_order_relaxed);
            library_.destroyMessage(m);
        }
        toNode.signal();
    }
    /// The node's thread: the next message, which the caller gives back with taken(); null: none.
    [[nodiscard]] natsMsg* next() noexcept {
        natsMsg* m = nullptr;
        return in_.pop(m) ? m : nullptr;
    }
    void taken(natsMsg* m) noexcept {
        inBytes_.fetch_sub(static_cast<std::size_t>(library_.length(m)), std::memory_order_relaxed);
        inFrames_.fetch_sub(1, std::memory_order_relaxed);
        library_.destroyMessage(m);
    }
    [[nodiscard]] bool waits() const noexcept { return inFrames_.load(std::memory_order_relaxed) != 0; }
    [[nodiscard]] std::size_t inBytes() const noexcept { return inBytes_.load(std::memory_order_relaxed); }

    /// Any thread.
    void complain(std::string text) {
        const std::lock_guard guard(mutex_);
        error_ = std::move(text);
    }
    [[nodiscard]] std::string error() const {
        const std::lock_guard guard(mutex_);
        return error_;
    }

private:
    const NatsLibrary& library_;
    const std::size_t mostFrames_, mostBytes_;

public:
    FrameRing out;
    Bell toNode, toSender;
    std::atomic<std::uint64_t> inLost{0}, errors{0};

private:
    boost::lockfree::queue<natsMsg*> in_;
    std::atomic<std::size_t> inBytes_{0}, inFrames_{0};
    mutable std::mutex mutex_;
    std::string error_;  // guarded by mutex_
};

}  // namespace emissary::hub::nats
