// eta/transport/shm: a ring of bytes between two processes: one writes, one reads (docs/wire/shared-memory.md).
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace emissary::eta::transport::shm {

/// What both sides see of a ring, beside its bytes. Two cache lines for each writer of a member: processors fetch lines
/// in pairs. All zero bytes is a ring that is empty and whose reader is awake.
struct RingControl {
    alignas(128) std::atomic<std::uint64_t> tail;  ///< bytes ever written; stored by the writer alone
    alignas(128) std::atomic<std::uint64_t> head;  ///< bytes ever read; stored by the reader alone
    /// 1: the reader found the ring empty and waits for its bell. The reader sets it, the writer takes it back.
    alignas(128) std::atomic<std::uint32_t> sleeping;
};
static_assert(sizeof(RingControl) == 384);
static_assert(std::atomic<std::uint64_t>::is_always_lock_free && std::atomic<std::uint32_t>::is_always_lock_free,
              "a lock would live in one process only");

/// Writing end. The peer is not trusted: what it stores into `head` is checked each time, everything else is our own
/// copy. One thread at a time.
class RingWriter {
public:
    RingWriter() = default;
    /// `size` is a power of two.
    RingWriter(RingControl& control, std::byte* data, std::size_t size) noexcept
        : control_(&control), data_(data), size_(size) {}

    /// Copies what fits and publishes it; how many bytes that were. Less than asked for: full, or damaged().
    [[nodiscard]] std::size_t write(std::span<const std::byte> from) noexcept {
        std::size_t done = 0;
        while (done < from.size()) {
            const std::size_t n = std::min(room(from.size() - done), kChunk);
            if (n == 0) break;
            const std::size_t at = static_cast<std::size_t>(tail_) & (size_ - 1);
            const std::size_t first = std::min(n, size_ - at);
            std::memcpy(data_ + at, from.data() + done, first);
            std::memcpy(data_, from.data() + done + first, n - first);
            tail_ += n;
            done += n;
            control_->tail.store(tail_, std::memory_order_release);  // acquire: RingReader::available
        }
        return done;
    }
    /// After writing: true when the reader sleeps and the caller has to ring. At most one caller gets true for each
    /// time the reader lay down.
    ///
    /// No wake-up is lost: here the tail is stored before `sleeping` is looked at, in RingReader::sleep() `sleeping` is
    /// stored before the tail is looked at, and all four are sequentially consistent. So either this side sees the
    /// sleeper, or the sleeper sees the bytes.
    [[nodiscard]] bool mustRing() noexcept {
        control_->tail.store(tail_, std::memory_order_seq_cst);
        return control_->sleeping.load(std::memory_order_seq_cst) != 0 &&
               control_->sleeping.exchange(0, std::memory_order_seq_cst) != 0;
    }
    /// The reader's index cannot be: it went back, or runs ahead of us.
    [[nodiscard]] bool damaged() const noexcept { return damaged_; }

private:
    static constexpr std::size_t kChunk = 32u << 10;  // published in pieces, so that the reader starts early

    [[nodiscard]] std::size_t room(std::size_t wanted) noexcept {
        std::size_t free = size_ - static_cast<std::size_t>(tail_ - head_);
        if (free < wanted) {
            const std::uint64_t head = control_->head.load(std::memory_order_acquire);  // release: RingReader::read
            if (damaged_ || tail_ - head > tail_ - head_) {  // not between what it was and the tail
                damaged_ = true;
                return 0;
            }
            head_ = head;
            free = size_ - static_cast<std::size_t>(tail_ - head_);
        }
        return std::min(free, wanted);
    }

    RingControl* control_ = nullptr;
    std::byte* data_ = nullptr;
    std::size_t size_ = 0;
    std::uint64_t tail_ = 0;
    std::uint64_t head_ = 0;  // as last seen
    bool damaged_ = false;
};

/// Reading end; as distrustful as the other. One thread at a time.
class RingReader {
public:
    RingReader() = default;
    RingReader(RingControl& control, const std::byte* data, std::size_t size) noexcept
        : control_(&control), data_(data), size_(size) {}

    /// Moves out what is there and fits; 0: empty, or damaged().
    [[nodiscard]] std::size_t read(std::span<std::byte> into) noexcept {
        const std::size_t n = std::min(available(into.size()), into.size());
        if (n == 0) return 0;
        const std::size_t at = static_cast<std::size_t>(head_) & (size_ - 1);
        const std::size_t first = std::min(n, size_ - at);
        std::memcpy(into.data(), data_ + at, first);
        std::memcpy(into.data() + first, data_, n - first);
        head_ += n;
        control_->head.store(head_, std::memory_order_release);  // acquire: RingWriter::room
        return n;
    }
    /// Bytes that can be read now; the writer is asked only when fewer than `wanted` are known of.
    [[nodiscard]] std::size_t available(std::size_t wanted = 1) noexcept {
        if (tail_ - head_ < wanted) {
            const std::uint64_t tail = control_->tail.load(std::memory_order_acquire);  // release: RingWriter::write
            if (damaged_ || tail - head_ > size_ || tail - head_ < tail_ - head_) {
                damaged_ = true;
                return 0;
            }
            tail_ = tail;
        }
        return static_cast<std::size_t>(tail_ - head_);
    }
    /// Asks for a bell at the next write. False: bytes have come in between, do not sleep (RingWriter::mustRing).
    [[nodiscard]] bool sleep() noexcept {
        control_->sleeping.store(1, std::memory_order_seq_cst);
        return control_->tail.load(std::memory_order_seq_cst) == head_;
    }
    /// Never asks for a bell: the owner looks by itself.
    void stayAwake() noexcept { control_->sleeping.store(0, std::memory_order_relaxed); }
    [[nodiscard]] bool damaged() const noexcept { return damaged_; }

private:
    RingControl* control_ = nullptr;
    const std::byte* data_ = nullptr;
    std::size_t size_ = 0;
    std::uint64_t head_ = 0;
    std::uint64_t tail_ = 0;  // as last seen
    bool damaged_ = false;
};

}  // namespace emissary::eta::transport::shm
