// Frames waiting for the socket: an arena of chunks per priority (transport.md 3.1). No I/O in here.
#pragma once

#include "eta/core/bytes.h"
#include "eta/transport/Counter.h"
#include "eta/transport/frame.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>

#include <sys/uio.h>

namespace emissary::eta::transport {

/// Queue a message waits in; transport.md 3.1.
enum class Priority : std::uint8_t { high = 0, medium = 1, low = 2 };

/// The output half of a channel: callers encode in place behind a frame header, the flusher gathers what is queued in
/// flush order. Not locked: its owner holds the channel's output lock; queuedBytes() and the counters may be read by
/// any thread. Memory: chunks are recycled, and given back by trim() when a burst is over.
class OutputQueue {
public:
    static constexpr std::size_t kMaxGather = 64;  ///< runs handed to one system call
    using Gather = std::array<iovec, kMaxGather>;

    OutputQueue() = default;
    OutputQueue(const OutputQueue&) = delete;
    OutputQueue& operator=(const OutputQueue&) = delete;
    ~OutputQueue();

    /// Starts accepting messages of at most `maxMessage` bytes while no more than `boundBytes` are queued.
    void activate(std::size_t maxMessage, std::size_t fragmentIdBytes, std::size_t boundBytes) noexcept;
    void setBound(std::size_t bytes) noexcept { bound_ = bytes; }
    /// Bytes of every fragment's frame left free, for what compresses the frames later.
    void setFragmentSlack(std::size_t bytes) noexcept { fragmentSlack_ = bytes; }
    /// One queue for everything, so that fragments of different messages never alternate.
    void useOnePriority() noexcept { onePriority_ = true; }
    /// Refuses everything from now on and forgets what is queued.
    void drop() noexcept;
    /// Up to 32 letters H, M, L with at least one H and one M; others are ignored. False: not a valid order.
    [[nodiscard]] bool setFlushOrder(std::string_view order) noexcept;

    // --- in ---------------------------------------------------------------------------------------------------------
    /// True when a frame of `payload` bytes stays within the bound, or when nothing is queued.
    [[nodiscard]] bool fits(std::size_t payload) const noexcept {
        const std::size_t queued = queuedBytes();
        return queued + payload + frame::kHeader <= bound_ || queued == 0;
    }
    /// Contiguous room for a payload; empty when it is larger than M, above the bound, or memory is short. One
    /// reservation at a time: a new one replaces the old.
    [[nodiscard]] std::span<std::byte> reserve(std::size_t payload, Priority priority) noexcept {
        Queue& q = queueOf(priority);
        if (payload <= maxMessage_ && static_cast<std::size_t>(q.limit - q.pos) >= payload + frame::kHeader &&
            fits(payload)) [[likely]] {
            reservedQueue_ = &q;
            reserved_ = payload;
            return {q.pos + frame::kHeader, payload};
        }
        return reserveSlow(payload, q);
    }
    /// Queues the first `payload` bytes of the reservation as one frame. False: more than was reserved, or nothing was.
    [[nodiscard]] bool commit(std::size_t payload, std::uint8_t flags, std::uint64_t messages) noexcept {
        if (reservedQueue_ == nullptr || payload > reserved_) [[unlikely]]
            return false;
        Queue& q = *reservedQueue_;
        reservedQueue_ = nullptr;
        if (payload == 0) return true;
        const std::size_t length = payload + frame::kHeader;
        storeBe(q.pos, static_cast<std::uint16_t>(length));
        q.pos[2] = std::byte{flags};
        q.pos += length;
        queued_.store(queued_.load(std::memory_order_relaxed) + length, std::memory_order_relaxed);
        messages_.add(messages);
        return true;
    }
    [[nodiscard]] bool reservationOpen() const noexcept { return reservedQueue_ != nullptr; }

    /// Wire bytes of a message above M when it is cut into fragments.
    [[nodiscard]] std::size_t fragmentedBytes(std::size_t message) const noexcept;
    /// Cuts and copies a message larger than M. All or nothing; false when memory is short. The bound is the caller's.
    [[nodiscard]] bool pushFragmented(Bytes message, Priority priority, std::uint8_t flags = frame::kData) noexcept;
    /// Queues a ping in front of everything that waits with a lower priority.
    [[nodiscard]] bool pushPing() noexcept;

    // --- out --------------------------------------------------------------------------------------------------------
    /// The next bytes in flush order; returns how many entries are filled (0: nothing queued). When only one priority
    /// has anything, that is whole chunks; otherwise single frames, the one interrupted by a partial write first.
    [[nodiscard]] std::size_t gather(Gather& out) noexcept;
    /// Takes off the first `bytes` of what gather() returned last.
    void sent(std::size_t bytes) noexcept;
    /// Bytes that left the queue and wait below it; they count as queued.
    void setHeld(std::size_t bytes) noexcept {
        queued_.store(queuedBytes() - held_ + bytes, std::memory_order_relaxed);
        held_ = bytes;
    }
    [[nodiscard]] std::size_t held() const noexcept { return held_; }

    [[nodiscard]] std::size_t queuedBytes() const noexcept { return queued_.load(std::memory_order_relaxed); }
    [[nodiscard]] std::size_t bound() const noexcept { return bound_; }
    [[nodiscard]] std::size_t maxMessage() const noexcept { return maxMessage_; }
    [[nodiscard]] std::uint64_t messages() const noexcept { return messages_.get(); }
    [[nodiscard]] std::uint64_t fragments() const noexcept { return fragments_.get(); }

private:
    struct Chunk;

public:
    /// Chunks that nobody needs any more. Its destructor gives them back to the system: that takes a while after a
    /// large burst, so let it run without the output lock.
    class Spare {
    public:
        Spare() = default;
        Spare(Spare&& other) noexcept
            : first_(std::exchange(other.first_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
        Spare& operator=(Spare&& other) noexcept {
            std::swap(first_, other.first_);
            std::swap(bytes_, other.bytes_);
            return *this;
        }
        ~Spare();
        [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

    private:
        friend class OutputQueue;
        Chunk* first_ = nullptr;
        std::size_t bytes_ = 0;
    };
    /// Takes out the spare chunks beyond the most that were in use since the last trim.
    Spare trim() noexcept;
    /// Memory held, for tests and reports.
    [[nodiscard]] std::size_t chunksHeld() const noexcept { return chunksInUse_ + chunksFree_; }
    [[nodiscard]] std::size_t bytesHeld() const noexcept {  ///< any thread
        return bytesHeld_.load(std::memory_order_relaxed);
    }

private:
    static constexpr std::size_t kChunkBytes = 64u << 10;

    struct Chunk {
        Chunk* next = nullptr;
        std::size_t bytes = 0;          // of the whole block
        std::byte* begin = nullptr;     // first byte not sent
        std::byte* boundary = nullptr;  // start of a frame at or before begin
        std::byte* end = nullptr;       // behind the last frame; of the last chunk see Queue::pos
    };
    struct Queue {
        std::byte* pos = nullptr;  // where the next frame header goes, in the last chunk
        std::byte* limit = nullptr;
        Chunk* head = nullptr;
        Chunk* tail = nullptr;
    };
    struct Segment {  // what gather() promised
        std::uint32_t bytes = 0;
        std::uint8_t queue = 0, orderAfter = 0;
    };

    [[nodiscard]] Queue& queueOf(Priority p) noexcept {
        return queues_[onePriority_ ? std::size_t{1} : static_cast<std::size_t>(p)];
    }
    [[nodiscard]] std::span<std::byte> reserveSlow(std::size_t payload, Queue& q) noexcept;
    [[nodiscard]] bool addChunk(Queue& q) noexcept;
    void releaseHead(Queue& q) noexcept;
    void rewindIfEmpty(Queue& q) noexcept;
    void take(Queue& q, std::size_t bytes) noexcept;
    [[nodiscard]] static bool hasData(const Queue& q) noexcept;
    [[nodiscard]] static std::byte* endOf(const Queue& q, const Chunk& c) noexcept;
    [[nodiscard]] static std::size_t interruptedBytes(Queue& q) noexcept;
    [[nodiscard]] std::size_t gatherOne(std::size_t queue, Gather& out) noexcept;
    [[nodiscard]] std::size_t gatherMixed(Gather& out) noexcept;
    [[nodiscard]] Chunk* allocate(std::size_t capacity) noexcept;
    void give(Chunk* chunk) noexcept;
    static std::byte* dataOf(Chunk* c) noexcept { return reinterpret_cast<std::byte*>(c + 1); }

    // hot
    std::array<Queue, 3> queues_{};
    std::size_t maxMessage_ = 0;  // 0: nothing is accepted
    std::size_t bound_ = 0;
    Queue* reservedQueue_ = nullptr;
    std::size_t reserved_ = 0;
    std::atomic<std::size_t> queued_{0};
    bool onePriority_ = false;
    Counter messages_, fragments_;

    std::size_t chunkCapacity_ = 0, idBytes_ = 2, fragmentSlack_ = 0, held_ = 0;
    Chunk* free_ = nullptr;
    std::size_t chunksFree_ = 0, chunksInUse_ = 0, chunksPeak_ = 0;
    std::atomic<std::size_t> bytesHeld_{0};
    std::uint32_t lastFragmentId_ = 0;
    std::array<std::uint8_t, 32> order_{0, 1, 0, 2, 0, 1};  // HMHLHM
    std::uint8_t orderLength_ = 6, orderPos_ = 0;
    std::uint8_t lastSentQueue_ = 0;  // only this queue can hold an interrupted frame
    std::array<Segment, kMaxGather> plan_{};
    std::size_t planned_ = 0;
};

}  // namespace emissary::eta::transport
