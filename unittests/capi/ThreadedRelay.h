// A faulty wire in front of a provider, driven by a thread of its own: opening a consumer waits for answers.
#pragma once

#include "support/Relay.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <utility>

namespace emissary::test {

class ThreadedRelay {
public:
    /// `change`: of what the server sends, see Relay.
    ThreadedRelay(std::uint16_t port, std::function<void(char*, std::size_t)> change) : relay_(port) {
        relay_.change = std::move(change);
        pumps_ = std::thread([this] {
            while (!ends_.load(std::memory_order_relaxed)) {
                relay_.pump();
                relay_.wait();
            }
        });
    }
    ~ThreadedRelay() {
        ends_.store(true, std::memory_order_relaxed);
        pumps_.join();
    }
    ThreadedRelay(const ThreadedRelay&) = delete;
    ThreadedRelay& operator=(const ThreadedRelay&) = delete;
    [[nodiscard]] std::string host() const { return "localhost:" + std::to_string(relay_.port()); }

private:
    Relay relay_;
    std::atomic<bool> ends_{false};
    std::thread pumps_;
};

}  // namespace emissary::test
