// Cuts pieces of memory into blocks of size classes, and gives pieces back to the system that are empty.
#include "hub/cache/BlockPool.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

#ifdef EMISSARY_GUARDED_BLOCKS
#include <sanitizer/asan_interface.h>
#endif

namespace emissary::hub::cache {
namespace {

// Nobody may touch free blocks and what is between blocks; nothing without AddressSanitizer.
// A build with AddressSanitizer sees reads of blocks that were given back, although their memory still belongs to the
// pool.
void forbid([[maybe_unused]] const std::byte* from, [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef EMISSARY_GUARDED_BLOCKS
    __asan_poison_memory_region(from, bytes);
#endif
}
void allow([[maybe_unused]] const std::byte* from, [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef EMISSARY_GUARDED_BLOCKS
    __asan_unpoison_memory_region(from, bytes);
#endif
}

}  // namespace

BlockPool::BlockPool(std::uint64_t maxBytes, Counts& counts)
    : maxBytes_(maxBytes), counts_(counts), places_(1), chunks_(1) {
    roomy_.fill(kNone);
    spares_.reserve(kSpares);
}

BlockPool::~BlockPool() {
    // The system's allocator may hand the memory to somebody else, so nothing of it may stay forbidden.
    for (const Chunk& c : chunks_)
        allow(c.memory.data(), c.memory.size());
}

std::uint32_t BlockPool::classOf(std::size_t bytes) noexcept {
    // Classes of 16 bytes each up to 1 KiB, then eight for each power of two: at most an eighth of a large block is
    // lost.
    if (bytes <= kSmall) return static_cast<std::uint32_t>((std::max<std::size_t>(bytes, 1) - 1) / kUnit);
    if (bytes > kLargest) return kOwn;
    // Eight steps between a power of two and the next.
    const auto power = static_cast<unsigned>(std::bit_width(bytes - 1)) - 1;
    const std::size_t step = (bytes - 1 - (std::size_t{1} << power)) >> (power - 3);
    return static_cast<std::uint32_t>(64 + (power - 10) * 8 + step);
}

std::size_t BlockPool::bytesOf(std::uint32_t sizeClass) noexcept {
    if (sizeClass < 64) return (sizeClass + 1) * kUnit;
    const std::uint32_t power = 10 + (sizeClass - 64) / 8, step = (sizeClass - 64) % 8;
    return (std::size_t{1} << power) + ((step + std::size_t{1}) << (power - 3));
}

bool BlockPool::charge(std::size_t bytes) noexcept {
    // A single check against MaxBytes of the service, before any memory is touched.
    const std::uint64_t now = counts_.bytes.get() + bytes;
    if (maxBytes_ != 0 && now > maxBytes_) return false;
    counts_.bytes = now;
    return true;
}

Ref BlockPool::take(std::size_t bytes) noexcept {
    // kGuard is 0 without AddressSanitizer.
    bytes += kGuard;
    const std::uint32_t sizeClass = classOf(bytes);
    const std::size_t blockBytes = sizeClass == kOwn ? (bytes + 4095) / 4096 * 4096 : bytesOf(sizeClass);
    // The bytes of the class are charged, not those asked for: that is what the service costs.
    if (!charge(blockBytes)) return 0;
    std::uint32_t number = sizeClass == kOwn ? kNone : roomy_[sizeClass];
    if (number == kNone) number = newChunk(sizeClass, blockBytes);
    if (number == kNone) return discharge(blockBytes), 0;
    Chunk& c = chunks_[number];
    // A free block keeps the number of the next one in its first bytes, so the list costs nothing.
    std::uint32_t unit = c.freed;
    if (unit != kNone) {
        allow(c.memory.data() + unit * kUnit, blockBytes);
        std::memcpy(&c.freed, c.memory.data() + unit * kUnit, sizeof c.freed);
    } else {
        unit = static_cast<std::uint32_t>(c.fresh / kUnit);
        c.fresh += static_cast<std::uint32_t>(blockBytes);
    }
    forbid(c.memory.data() + unit * kUnit + blockBytes - kGuard, kGuard);
    ++c.used;
    if (sizeClass != kOwn && full(c, blockBytes)) unlink(number);
    // A reference is the piece's number and the block's place in it, in units of 16 bytes: 32 bits reach 64 Ki pieces.
    return number << 16 | unit;
}

void BlockPool::give(Ref ref) noexcept {
    if (ref == 0) return;
    const std::uint32_t number = ref >> 16, unit = ref & 0xFFFF;
    Chunk& c = chunks_[number];
    const std::size_t blockBytes = places_[number].blockBytes;
    discharge(blockBytes);
    const bool wasFull = c.sizeClass != kOwn && full(c, blockBytes);
    allow(c.memory.data() + unit * kUnit, blockBytes);  // the smallest are a guard and nothing else
    std::memcpy(c.memory.data() + unit * kUnit, &c.freed, sizeof c.freed);
    forbid(c.memory.data() + unit * kUnit, blockBytes);
    c.freed = unit;
    // A full piece is in no list; with its first free block it comes back.
    if (wasFull) link(number);
    if (--c.used == 0) retire(number);
}

// May be asked for a reference that has just gone, so the number is checked.
void BlockPool::prefetch(Ref ref, std::size_t atMost) const noexcept {
    if (ref == 0 || (ref >> 16) >= places_.size()) return;
    const std::byte* const block = at(ref);
    const std::size_t n = std::min(atMost, places_[ref >> 16].blockBytes);
    for (std::size_t i = 0; i < n; i += 64)
        __builtin_prefetch(block + i, 1);
}

std::uint32_t BlockPool::newChunk(std::uint32_t sizeClass, std::size_t blockBytes) noexcept {
    std::uint32_t number = kNone;
    try {
        if (unused_.empty()) {
            if (chunks_.size() >= 0x10000) return kNone;
            // retire() is noexcept: its place in the list is reserved here, where memory may run out.
            if (unused_.capacity() < chunks_.size()) unused_.reserve(2 * chunks_.size());  // for retire()
            if (places_.capacity() == places_.size()) places_.reserve(2 * places_.size());
            chunks_.emplace_back();
            places_.emplace_back();
            number = static_cast<std::uint32_t>(chunks_.size() - 1);
        } else {
            number = unused_.back();
            unused_.pop_back();
        }
    } catch (const std::bad_alloc&) { return kNone; }
    Chunk& c = chunks_[number];
    // A spare piece is taken before the system is asked.
    if (sizeClass != kOwn && !spares_.empty()) {
        c.memory = std::move(spares_.back());
        spares_.pop_back();
    } else {
        c.memory = eta::Block(sizeClass == kOwn ? blockBytes : kChunkBytes);
        if (c.memory.data() == nullptr) return unused_.push_back(number), kNone;
        counts_.memory += c.memory.size();
    }
    c.sizeClass = sizeClass;
    places_[number] = {c.memory.data(), blockBytes};
    if (sizeClass != kOwn) link(number);
    return number;
}

void BlockPool::retire(std::uint32_t number) noexcept {
    Chunk& c = chunks_[number];
    if (c.sizeClass != kOwn) unlink(number);
    allow(c.memory.data(), c.memory.size());
    // A few empty pieces stay, so that images that come and go do not ask the system each time.
    if (c.sizeClass != kOwn && spares_.size() < kSpares) spares_.push_back(std::move(c.memory));
    else counts_.memory -= c.memory.size();
    c = {};
    places_[number] = {};
    unused_.push_back(number);  // newChunk() made room
}

void BlockPool::link(std::uint32_t number) noexcept {
    Chunk& c = chunks_[number];
    std::uint32_t& first = roomy_[c.sizeClass];
    c.before = kNone;
    c.after = first;
    if (first != kNone) chunks_[first].before = number;
    first = number;
}

void BlockPool::unlink(std::uint32_t number) noexcept {
    Chunk& c = chunks_[number];
    if (c.before != kNone) chunks_[c.before].after = c.after;
    else roomy_[c.sizeClass] = c.after;
    if (c.after != kNone) chunks_[c.after].before = c.before;
    c.before = c.after = kNone;
}

}  // namespace emissary::hub::cache
