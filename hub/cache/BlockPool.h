// Memory of images: blocks of a few sizes in pieces of a megabyte, named by 32 bits.
#pragma once

#include "eta/core/pages.h"
#include "hub/cache/Counts.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace emissary::hub::cache {

/// Names a block of a pool; 0 = none.
using Ref = std::uint32_t;

/// Blocks never move, are aligned to 16 bytes and begin on any content. Sizes go in steps of 16 bytes up to 1 KiB, of
/// an eighth above; from kLargest on a block is pages of its own. A piece in which no block is in use goes back to the
/// system, all but a few, so that steady coming and going makes no system call. One thread.
class BlockPool {
public:
    static constexpr std::size_t kChunkBytes = 1u << 20, kLargest = 128u << 10;

    /// `maxBytes` bounds what is in use, 0 for none. Writes `counts.bytes` and `counts.memory`.
    BlockPool(std::uint64_t maxBytes, Counts& counts);
    ~BlockPool();
    BlockPool(const BlockPool&) = delete;
    BlockPool& operator=(const BlockPool&) = delete;

    /// A block of at least `bytes`; 0 when memory or the bound has run out.
    [[nodiscard]] Ref take(std::size_t bytes) noexcept;
    /// 0 is ignored.
    void give(Ref ref) noexcept;
    /// Of a block in use.
    [[nodiscard]] std::byte* at(Ref ref) const noexcept {
        return places_[ref >> 16].base + static_cast<std::size_t>(ref & 0xFFFF) * kUnit;
    }
    /// The block as what stands in it.
    template <class T>
    [[nodiscard]] T* as(Ref ref) const noexcept {
        static_assert(alignof(T) <= kUnit);
        return reinterpret_cast<T*>(at(ref));
    }
    /// Bytes of the block, which may be more than were asked for.
    [[nodiscard]] std::size_t capacity(Ref ref) const noexcept { return places_[ref >> 16].blockBytes - kGuard; }
    /// Fetches the first bytes of a block into the caches; any number.
    void prefetch(Ref ref, std::size_t atMost) const noexcept;

    /// Counts memory that stands elsewhere; false when the bound does not allow it, then nothing is counted.
    [[nodiscard]] bool charge(std::size_t bytes) noexcept;
    void discharge(std::size_t bytes) noexcept { counts_.bytes -= bytes; }  ///< as was charged

private:
#ifdef EMISSARY_GUARDED_BLOCKS
    static constexpr std::size_t kGuard = 16;  // behind each block, so that the sanitizer sees what goes beyond it
#else
    static constexpr std::size_t kGuard = 0;
#endif
    static constexpr std::size_t kUnit = 16, kSmall = 1024, kClasses = 64 + 56, kSpares = 2;
    static constexpr std::uint32_t kNone = 0xFFFFFFFF, kOwn = kClasses;  // class of a block with pages of its own

    struct Place {  // what every access needs
        std::byte* base = nullptr;
        std::size_t blockBytes = 0;
    };
    struct Chunk {
        eta::Block memory;
        std::uint32_t sizeClass = kNone, used = 0, fresh = 0;  // fresh: blocks that were never in use begin here
        std::uint32_t freed = kNone;                           // first unit of the list of freed blocks
        std::uint32_t before = kNone, after = kNone;           // chunks of the class that have room
    };

    [[nodiscard]] static std::uint32_t classOf(std::size_t bytes) noexcept;
    [[nodiscard]] static std::size_t bytesOf(std::uint32_t sizeClass) noexcept;
    [[nodiscard]] static bool full(const Chunk& c, std::size_t blockBytes) noexcept {
        return c.freed == kNone && c.fresh + blockBytes > c.memory.size();
    }
    [[nodiscard]] std::uint32_t newChunk(std::uint32_t sizeClass, std::size_t blockBytes) noexcept;
    void retire(std::uint32_t number) noexcept;
    void link(std::uint32_t number) noexcept;
    void unlink(std::uint32_t number) noexcept;

    std::uint64_t maxBytes_;
    Counts& counts_;
    std::vector<Place> places_;          // by chunk number, as chunks_
    std::vector<Chunk> chunks_;          // number 0 is never used, so that no block is named 0
    std::vector<std::uint32_t> unused_;  // numbers without memory
    std::vector<eta::Block> spares_;
    std::array<std::uint32_t, kClasses> roomy_;  // first chunk with room, by class
};

}  // namespace emissary::hub::cache
