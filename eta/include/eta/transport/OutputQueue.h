// Frames waiting for the socket: an arena of chunks. No I/O in here.
#pragma once

#include "emissary/Counter.h"
#include "eta/core/bytes.h"
#include "eta/transport/frame.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <utility>

#include <sys/uio.h>

namespace emissary::eta::transport {

/// The output of a channel: callers encode in place behind a frame header, the flusher gathers queued frames in
/// order. Not locked: its owner holds the channel's output lock; queuedBytes() and the counters may be read by
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
    /// Bytes that may be queued from now on; what is queued stays.
    void setBound(std::size_t bytes) noexcept { bound_ = bytes; }
    /// Bytes of every fragment's frame left free, for what compresses the frames later.
    void setFragmentSlack(std::size_t bytes) noexcept { fragmentSlack_ = bytes; }
    /// Refuses everything from now on and forgets what is queued.
    void drop() noexcept;

    // --- in ---------------------------------------------------------------------------------------------------------
    /// True when a frame of `payload` bytes stays within the bound, or when nothing is queued.
    [[nodiscard]] bool fits(std::size_t payload) const noexcept {
        const std::size_t queued = queuedBytes();
        return queued + payload + frame::kHeader <= bound_ || queued == 0;
    }
    /// Contiguous room for a payload; empty when it is larger than M, above the bound, or memory is short. One
    /// reservation at a time: a new one replaces the old.
    [[nodiscard]] std::span<std::byte> reserve(std::size_t payload) noexcept {
        if (payload <= maxMessage_ && static_cast<std::size_t>(limit_ - pos_) >= payload + frame::kHeader &&
            fits(payload)) [[likely]] {
            reserved_ = payload;
            return {pos_ + frame::kHeader, payload};
        }
        return reserveSlow(payload);
    }
    /// Queues the first `payload` bytes of the reservation as one frame. False: more than was reserved, or nothing was.
    [[nodiscard]] bool commit(std::size_t payload, std::uint8_t flags, std::uint64_t messages) noexcept {
        if (payload > reserved_ || reserved_ == kNothing) [[unlikely]]
            return false;
        reserved_ = kNothing;
        if (payload == 0) return true;
        const std::size_t length = payload + frame::kHeader;
        storeBe(pos_, static_cast<std::uint16_t>(length));
        pos_[2] = std::byte{flags};
        pos_ += length;
        queued_.store(queued_.load(std::memory_order_relaxed) + length, std::memory_order_relaxed);
        messages_.add(messages);
        return true;
    }

    /// The first `payload` bytes of the reservation; empty when there is none so large.
    [[nodiscard]] Bytes reserved(std::size_t payload) const noexcept {
        if (reserved_ == kNothing || payload > reserved_) return {};
        return {pos_ + frame::kHeader, payload};
    }
    /// Wire bytes of a message above M when it is cut into fragments.
    [[nodiscard]] std::size_t fragmentedBytes(std::size_t message) const noexcept;
    /// Cuts and copies a message larger than M. All or nothing; false when memory is short. The bound is the caller's.
    [[nodiscard]] bool pushFragmented(Bytes message) noexcept;
    /// Queues an empty frame; false when memory is short.
    [[nodiscard]] bool pushPing() noexcept;

    // --- out --------------------------------------------------------------------------------------------------------
    /// The next bytes, a run for each chunk; returns how many entries are filled (0: nothing queued).
    [[nodiscard]] std::size_t gather(Gather& out) noexcept;
    /// Takes off the first `bytes` of what gather() returned last.
    void sent(std::size_t bytes) noexcept;
    /// Drops every message of which nothing was sent yet, and returns how many bytes that were. The rest of a message
    /// that was begun stays, so that the stream is well formed. A reservation is dropped as well.
    std::size_t dropUnsent() noexcept;
    /// Bytes that left the queue and wait below it; they count as queued.
    void setHeld(std::size_t bytes) noexcept {
        queued_.store(queuedBytes() - held_ + bytes, std::memory_order_relaxed);
        held_ = bytes;
    }
    /// As last set.
    [[nodiscard]] std::size_t held() const noexcept { return held_; }

    /// Wire bytes that wait, those held below included; any thread.
    [[nodiscard]] std::size_t queuedBytes() const noexcept { return queued_.load(std::memory_order_relaxed); }
    /// Bytes that may be queued.
    [[nodiscard]] std::size_t bound() const noexcept { return bound_; }
    /// Largest payload of one frame (M); 0 before activate() and after drop().
    [[nodiscard]] std::size_t maxMessage() const noexcept { return maxMessage_; }
    /// Messages queued so far; any thread.
    [[nodiscard]] std::uint64_t messages() const noexcept { return messages_.get(); }
    /// Fragments queued so far; any thread.
    [[nodiscard]] std::uint64_t fragments() const noexcept { return fragments_.get(); }

private:
    struct Chunk;

public:
    /// Chunks that nobody needs any more. Its destructor gives them back to the system: that takes a while after a
    /// large burst, so let it run without the output lock.
    class Spare {
    public:
        Spare() = default;
        /// Takes the chunks over.
        Spare(Spare&& other) noexcept
            : first_(std::exchange(other.first_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
        /// Exchanges the chunks.
        Spare& operator=(Spare&& other) noexcept {
            std::swap(first_, other.first_);
            std::swap(bytes_, other.bytes_);
            return *this;
        }
        ~Spare();
        /// Size of the chunks together.
        [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

    private:
        friend class OutputQueue;
        Chunk* first_ = nullptr;
        std::size_t bytes_ = 0;
    };
    /// Takes out the spare chunks beyond the most that were in use since the last trim.
    Spare trim() noexcept;
    /// Memory held, chunk by chunk; any thread.
    [[nodiscard]] std::size_t bytesHeld() const noexcept { return bytesHeld_.load(std::memory_order_relaxed); }

private:
    static constexpr std::size_t kChunkBytes = 64u << 10;

    struct Chunk {
        Chunk* next = nullptr;
        std::size_t bytes = 0;       // of the whole block
        std::byte* begin = nullptr;  // first byte not sent
        std::byte* end = nullptr;    // behind the last frame; of the last chunk see pos_
    };
    static constexpr std::size_t kNothing = SIZE_MAX;  // no reservation

    [[nodiscard]] std::span<std::byte> reserveSlow(std::size_t payload) noexcept;
    /// Makes room behind pos_ for `bytes` bytes, in a fresh chunk if need be.
    [[nodiscard]] bool makeRoom(std::size_t bytes) noexcept;
    [[nodiscard]] bool addChunk() noexcept;
    void releaseHead() noexcept;
    [[nodiscard]] std::byte* behindBegun(Chunk*& chunk) const noexcept;
    void rewindIfEmpty() noexcept;
    [[nodiscard]] std::byte* endOf(const Chunk& c) const noexcept { return &c == tail_ ? pos_ : c.end; }
    [[nodiscard]] Chunk* allocate(std::size_t capacity) noexcept;
    void give(Chunk* chunk) noexcept;
    static std::byte* dataOf(Chunk* c) noexcept { return reinterpret_cast<std::byte*>(c + 1); }

    // hot
    std::byte* pos_ = nullptr;  // where the next frame header goes, in the last chunk
    std::byte* limit_ = nullptr;
    std::size_t maxMessage_ = 0;  // 0: nothing is accepted
    std::size_t bound_ = 0;
    std::size_t reserved_ = kNothing;
    std::atomic<std::size_t> queued_{0};
    Counter messages_, fragments_;

    Chunk* head_ = nullptr;
    Chunk* tail_ = nullptr;
    std::size_t chunkCapacity_ = 0, idBytes_ = 2, fragmentSlack_ = 0, held_ = 0;
    Chunk* free_ = nullptr;
    std::size_t chunksFree_ = 0, chunksInUse_ = 0, chunksPeak_ = 0;
    std::atomic<std::size_t> bytesHeld_{0};
    std::uint32_t lastFragmentId_ = 0;
};

}  // namespace emissary::eta::transport
