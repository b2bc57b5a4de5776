// The publishing end of the whole path.
#pragma once

#include "Ema.h"
#include "Feed.h"

#include <array>
#include <atomic>
#include <deque>
#include <thread>

namespace bookbench {

/// When each update was handed to the provider, by sequence number. The source writes, the consumer reads what came.
class SendTimes {
public:
    void set(std::uint32_t sequence, std::uint64_t ticks) noexcept {
        ticks_[sequence % kRoom].store(ticks, std::memory_order_relaxed);
    }
    [[nodiscard]] std::uint64_t of(std::uint32_t sequence) const noexcept {
        return ticks_[sequence % kRoom].load(std::memory_order_relaxed);
    }

private:
    static constexpr std::size_t kRoom = 4096;  ///< more than a packet holds; one is on its way at a time
    std::array<std::atomic<std::uint64_t>, kRoom> ticks_{};
};

/// A provider on a thread of its own: images of the instruments that are asked for, then packets while it is asked to
/// send. Sequence numbers count the updates of all instruments.
class LiveSource final : public refinitiv::ema::access::OmmProviderClient {
public:
    LiveSource(Feed& feed, const std::string& config, const std::string& port, SendTimes& times);
    ~LiveSource() override;
    /// Called by the consumer's thread. `sleep`: pauses are slept, not spun.
    void send(unsigned delayMs, bool sleep);
    void pause() noexcept { delay_.store(kPaused, std::memory_order_release); }
    [[nodiscard]] bool paused() const noexcept { return paused_.load(std::memory_order_acquire); }
    [[nodiscard]] std::uint64_t sent() const noexcept { return sent_.load(std::memory_order_acquire); }
    void received(std::uint64_t updates) noexcept {
        if (received_.exchange(updates, std::memory_order_acq_rel) != updates) received_.notify_one();
    }
    /// Why the thread has ended, or empty.
    [[nodiscard]] std::string failure() const;

private:
    static constexpr int kPaused = -1;
    struct Waiting {
        std::uint64_t handle;
        std::uint32_t instrument;
        std::size_t done = 0;
    };
    void run();
    void onReqMsg(const refinitiv::ema::access::ReqMsg& request,
                  const refinitiv::ema::access::OmmProviderEvent& event) override;
    void sendImages();
    void sendPacket();
    void rest(int delayMs);
    const refinitiv::ema::access::Map& mapOf(std::span<const FeedEntry> entries);

    Feed& feed_;
    SendTimes& times_;
    refinitiv::ema::access::OmmProvider provider_;
    refinitiv::ema::access::PackedMsg pack_;
    std::uint64_t client_ = 0;
    std::vector<std::uint64_t> handles_;  ///< by instrument, 0: not open
    std::deque<Waiting> waiting_;
    std::vector<FeedEntry> image_, entries_;
    refinitiv::ema::access::Map map_;
    refinitiv::ema::access::FieldList fields_;
    refinitiv::ema::access::EmaBuffer key_;
    refinitiv::ema::access::UpdateMsg update_;
    std::mt19937_64 random_{1};
    std::uint32_t sequence_ = 0;
    std::atomic<int> delay_{kPaused};
    std::atomic<bool> sleep_{false}, paused_{true}, stop_{false}, failed_{false};
    std::atomic<std::uint64_t> sent_{0}, received_{0};
    std::string failure_;  ///< written before failed_
    std::thread thread_;
};

}  // namespace bookbench
