// A block of bytes that grows under a writer, for messages built away from fixed transport buffers.
#pragma once

#include "eta/core/bytes.h"

#include <new>
#include <vector>

namespace emissary::eta {

/// Owns what is written through writer(). Reusable: start() keeps the memory. Not movable while a writer is in use.
class GrowingBuffer {
public:
    /// `initial` bytes at once; throws std::bad_alloc when there is no memory.
    explicit GrowingBuffer(std::size_t initial = 512) : block_(initial) {}
    GrowingBuffer(const GrowingBuffer&) = delete;
    GrowingBuffer& operator=(const GrowingBuffer&) = delete;

    /// Forgets the content and hands out a writer at its start.
    [[nodiscard]] BeWriter& start() noexcept {
        writer_ = BeWriter({block_.data(), block_.size()}, &GrowingBuffer::grow, this);
        return writer_;
    }
    [[nodiscard]] bool hasBlock() const noexcept { return !block_.empty(); }  ///< false before memory was taken
    [[nodiscard]] BeWriter& writer() noexcept { return writer_; }             ///< the writer that start() handed out
    /// What has been written; valid until the next write.
    [[nodiscard]] Bytes view() const noexcept { return writer_.view(); }

    /// Gives memory above `limit` bytes back (after an exceptionally large message). The content is lost.
    void trim(std::size_t limit) {
        if (block_.size() > limit) std::vector<std::byte>(limit).swap(block_);
        writer_ = BeWriter{};
    }

private:
    static std::span<std::byte> grow(void* owner, std::size_t, std::size_t needed) noexcept {
        auto& block = static_cast<GrowingBuffer*>(owner)->block_;
        try {
            block.resize(std::max(needed, block.size() * 2));
        } catch (const std::bad_alloc&) { return {}; }
        return {block.data(), block.size()};
    }

    std::vector<std::byte> block_;
    BeWriter writer_;
};

}  // namespace emissary::eta
