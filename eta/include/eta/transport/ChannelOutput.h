// The output half of a channel: from messages to the stream below.
#pragma once

#include "eta/core/FutexLock.h"
#include "eta/transport/FlushMark.h"
#include "eta/transport/IdleWatch.h"
#include "eta/transport/OutputQueue.h"
#include "eta/transport/options.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace emissary::eta::transport {

class ByteStream;
class MessageTrace;

/// Queues messages and hands them to the stream that carries the connection. The holder of lock() may use it;
/// queuedBytes(), wantsWrite(), writeError() and count() are for any thread. Channel says what its calls promise.
class ChannelOutput final {
public:
    /// `state`: of the channel, which its reader changes.
    explicit ChannelOutput(const std::atomic<ChannelState>& state) noexcept : state_(state) {}

    /// Channel::outputLock().
    [[nodiscard]] FutexLock& lock() noexcept { return lock_; }
    /// The stream to write to; it lives as long as this, or until the next call.
    void attach(ByteStream& stream) noexcept { stream_ = &stream; }

    // --- during the handshake, by the owner of the channel
    /// What became of bytes: all handed on, some wait for the kernel, or the stream failed.
    enum class Sent : std::uint8_t { all, blocked, failed };
    /// Hands on the rest of `bytes`, and what the stream still holds.
    [[nodiscard]] Sent sendDirectly(Bytes bytes, std::size_t& sent, int& error) noexcept;
    /// The handshake waits for writability, or no longer.
    void wantWrite(bool wanted) noexcept { wantsWrite_.store(wanted, std::memory_order_relaxed); }

    // --- messages
    /// What this side says of its own accord.
    enum class Pings : std::uint8_t { whenIdle, steadily, none };
    /// What the handshake agreed on for this direction.
    struct Start {
        std::size_t maxMessage = 0, fragmentIdBytes = 2, bound = 0;
        std::size_t largest = 0;        ///< message, fragments together
        std::size_t fragmentSlack = 0;  ///< left free in every fragment
        std::size_t highWater = 0, handOnAt = 0;
        bool direct = false;
        Pings pings = Pings::whenIdle;
        Duration pingAfter{};
    };
    /// Messages may be queued from now on.
    void start(const Start& agreed, TimePoint now) noexcept;

    /// Channel::reserve().
    [[nodiscard]] std::span<std::byte> reserve(std::size_t bytes) noexcept {
        const std::span<std::byte> room = queue_.reserve(bytes);
        if (room.data() != nullptr) [[likely]]
            return room;
        return reserveSlow(bytes);
    }
    /// Channel::commit(), for any frame flags and number of messages.
    Error commit(std::size_t bytes, std::uint8_t flags, std::uint32_t messages) noexcept {
        if (trace_ != nullptr) [[unlikely]]
            traceCommit(bytes, flags);
        if (!queue_.commit(bytes, flags, messages)) [[unlikely]]
            return {Errc::usage, 0};
        if (queue_.queuedBytes() <= mark_.above()) [[likely]]
            return {};
        return flushAfterCommit();
    }
    /// Channel::write().
    Error write(Bytes message) noexcept;
    /// Channel::flush(): ends a burst.
    bool flush() noexcept {
        if (mark_.raised()) [[unlikely]]
            mark_.lower(queue_.queuedBytes());
        if (queue_.queuedBytes() == 0) return !ended();
        return flushSlow();
    }
    /// Flushes without ending a burst.
    bool flushSlow() noexcept;
    /// Channel::writeSequenced().
    Error writeSequenced(Bytes message, std::uint32_t sequence, bool retransmission) noexcept;
    /// Channel::pingIfIdle().
    void ping(TimePoint now) noexcept;
    /// The same, where a sign of life is wanted now.
    [[nodiscard]] bool ask(TimePoint now) noexcept;
    [[nodiscard]] bool asks() const noexcept { return own_ == Pings::steadily; }  ///< pings are questions
    /// Channel::trimOutput().
    [[nodiscard]] OutputQueue::Spare trim() noexcept;

    /// Channel::dropUnsent().
    std::size_t dropUnsent() noexcept;
    /// Channel::finish(), where the stream finishes.
    [[nodiscard]] bool finish(std::uint16_t code, std::string_view text) noexcept;

    /// Bytes not yet handed to the kernel.
    [[nodiscard]] std::size_t queuedBytes() const noexcept { return queue_.queuedBytes(); }
    /// Nothing is sent any more.
    [[nodiscard]] bool ended() const noexcept {
        return state_.load(std::memory_order_acquire) != ChannelState::active || queue_.maxMessage() == 0;
    }
    /// True while writability is awaited.
    [[nodiscard]] bool wantsWrite() const noexcept { return wantsWrite_.load(std::memory_order_relaxed); }
    /// errno of the write that failed; 0: none has.
    [[nodiscard]] int writeError() const noexcept { return writeError_.load(std::memory_order_relaxed); }

    /// Bytes that may be queued.
    void setBound(std::size_t bytes) noexcept { queue_.setBound(bytes); }
    /// Bytes above which a commit flushes.
    void setHighWater(std::size_t bytes) noexcept { mark_.setHighWater(bytes, queuedBytes()); }
    /// A burst follows, and a flush at its end.
    void expectBurst() noexcept { mark_.expect(queue_.bound(), queuedBytes()); }
    /// Whether every commit flushes.
    void setDirect(bool direct) noexcept { mark_.setDirect(direct, queuedBytes()); }
    /// Tells of what is queued from now on; null = no longer.
    void traceWith(MessageTrace* trace) noexcept { trace_ = trace; }
    /// The most bytes queued are counted anew.
    void resetPeak() noexcept { queuedPeak_.reset(); }
    /// The channel is closed: the next commit notices. Any thread.
    void end() noexcept { mark_.end(); }
    /// Refuses everything from now on and forgets what is queued.
    void drop() noexcept { queue_.drop(); }
    /// Writes this half's counters.
    void count(ChannelCounters& c) const noexcept;

private:
    [[nodiscard]] std::span<std::byte> reserveSlow(std::size_t bytes) noexcept;
    Error flushAfterCommit() noexcept;
    void traceCommit(std::size_t bytes, std::uint8_t flags) const noexcept;
    void pushedBack(bool blocked) noexcept;
    [[nodiscard]] bool finishNow() noexcept;

    /// What the stream is finished with, once all has left.
    struct Finish {
        std::uint16_t code = 0;
        std::size_t length = 0;
        std::array<char, 123> text{};  // as much as a close frame holds
    };

    FutexLock lock_;
    FlushMark mark_;
    OutputQueue queue_;
    MessageTrace* trace_ = nullptr;
    ByteStream* stream_ = nullptr;
    const std::atomic<ChannelState>& state_;
    std::atomic<bool> wantsWrite_{false};
    std::atomic<int> writeError_{0};
    Counter bytes_, calls_, blocked_, pings_, noBuffers_, markFlushes_, queuedPeak_;
    std::size_t largest_ = SIZE_MAX;
    Pings own_ = Pings::whenIdle;
    Duration pingAfter_{};
    IdleWatch idle_;
    std::unique_ptr<Finish> finish_;
};

}  // namespace emissary::eta::transport
