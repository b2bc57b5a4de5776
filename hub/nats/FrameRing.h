// hub/nats: frames on their way from the node's thread to the thread that sends them.
#pragma once

#include "eta/core/bytes.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>

namespace emissary::hub::nats {

/// A ring of bytes for one writer and one reader. It is bounded: what does not fit is refused. Neither side waits.
class FrameRing {
public:
    static constexpr std::size_t kLeastBytes = std::size_t{1} << 20;

    /// At least kLeastBytes, rounded up to a power of two. The system gives the memory when it is first used.
    explicit FrameRing(std::size_t bytes)
        : mask_(std::bit_ceil(std::max(bytes, kLeastBytes)) - 1), block_(new std::byte[mask_ + 1]) {}

    /// The writer. False: there is no room for it now, or it is longer than half of the ring.
    [[nodiscard]] bool push(std::string_view subject, eta::Bytes frame) noexcept {
        const std::size_t size = kHead + subject.size() + 1 + frame.size(), need = (size + 7) & ~std::size_t{7};
        if (need > (mask_ + 1) / 2) return false;
        const std::size_t head = head_.load(std::memory_order_relaxed), at = head & mask_, toEnd = mask_ + 1 - at;
        const std::size_t skip = need > toEnd ? toEnd : 0;  // an entry lies in one piece
        if (head + skip + need - knownTail_ > mask_ + 1) {
            knownTail_ = tail_.load(std::memory_order_acquire);  // pairs with the release in pop()
            if (head + skip + need - knownTail_ > mask_ + 1) return false;
        }
        if (skip != 0) store(at, {kSkip, 0});
        std::byte* const to = block_.get() + ((head + skip) & mask_);
        store((head + skip) & mask_, {static_cast<std::uint32_t>(size), static_cast<std::uint32_t>(subject.size())});
        std::memcpy(to + kHead, subject.data(), subject.size());
        to[kHead + subject.size()] = std::byte{0};
        if (!frame.empty()) std::memcpy(to + kHead + subject.size() + 1, frame.data(), frame.size());
        head_.store(head + skip + need, std::memory_order_release);  // pairs with the acquire in pop()
        return true;
    }

    /// The reader: calls `use(subject, frame)` for the oldest frame; the subject ends with a zero, and both are valid
    /// within the call. False: there is none.
    template <class Use>
    bool pop(Use&& use) {
        std::size_t tail = tail_.load(std::memory_order_relaxed);
        if (tail == head_.load(std::memory_order_acquire)) return false;
        Head h = load(tail & mask_);
        if (h.size == kSkip) {
            tail += mask_ + 1 - (tail & mask_);
            h = load(tail & mask_);
        }
        const std::byte* const from = block_.get() + (tail & mask_) + kHead;
        use(reinterpret_cast<const char*>(from), eta::Bytes{from + h.subject + 1, h.size - kHead - h.subject - 1});
        tail_.store(tail + ((h.size + 7) & ~std::size_t{7}), std::memory_order_release);
        return true;
    }

    /// Bytes that wait; a moment's value. Any thread.
    [[nodiscard]] std::size_t used() const noexcept {
        const std::size_t tail = tail_.load(std::memory_order_relaxed);  // first: the writer goes on meanwhile
        return head_.load(std::memory_order_relaxed) - tail;
    }

private:
    struct Head {
        std::uint32_t size, subject;
    };
    static constexpr std::size_t kHead = sizeof(Head);
    static constexpr std::uint32_t kSkip = 0xFFFFFFFF;  // the next entry is at the start of the block
    void store(std::size_t at, Head h) noexcept { std::memcpy(block_.get() + at, &h, kHead); }
    [[nodiscard]] Head load(std::size_t at) const noexcept {
        Head h;
        std::memcpy(&h, block_.get() + at, kHead);
        return h;
    }

    const std::size_t mask_;
    const std::unique_ptr<std::byte[]> block_;
    alignas(64) std::atomic<std::size_t> head_{0};  // the writer's
    std::size_t knownTail_ = 0;
    alignas(64) std::atomic<std::size_t> tail_{0};  // the reader's
};

}  // namespace emissary::hub::nats
