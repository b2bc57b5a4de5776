// Cuts blocks of size classes from regions, gives them back, and frees regions that are empty.
#include "store/Memory.h"

#include <bit>
#include <cstring>
#include <new>
#include <sys/mman.h>

namespace emissary::book::detail {

namespace {

constexpr std::size_t kLargePage = std::size_t{2} << 20;
/// The first one is small: a program with a few books shall not take a large page for them.
constexpr std::size_t kFirstRegion = std::size_t{512} << 10;

// Under AddressSanitizer every block stands alone, so that it sees what is written beside one.
#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t kCut = 0;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr std::size_t kCut = 0;
#else
constexpr std::size_t kCut = Memory::kLargest;
#endif
#else
constexpr std::size_t kCut = Memory::kLargest;
#endif

[[nodiscard]] constexpr std::size_t alignmentOf(std::size_t bytes) noexcept {
    return bytes >= kLargePage ? kLargePage : Memory::kLine;
}

/// Of its own; on large pages when it fills one.
[[nodiscard]] void* allocate(std::size_t bytes) {
    const std::size_t alignment = alignmentOf(bytes);
    void* block = ::operator new (bytes, std::align_val_t{alignment});
#ifdef MADV_HUGEPAGE
    if (alignment == kLargePage) ::madvise(block, bytes, MADV_HUGEPAGE);  // a wish: without it everything works as well
#endif
    return block;
}

void free(void* block, std::size_t bytes) noexcept {
    ::operator delete (block, std::align_val_t{alignmentOf(bytes)});
}

}  // namespace

/// 64, 128, 192, 256, then four steps to each doubling: 320, 384, 448, 512, 640 ...
std::size_t Memory::classOf(std::size_t bytes) noexcept {
    const std::size_t lines = bytes <= kLine ? 1 : (bytes + kLine - 1) / kLine;
    if (lines <= 4) return lines - 1;
    // Four classes for each doubling, so a block is at most a quarter too large.
    const auto power = static_cast<std::size_t>(std::bit_width(lines - 1)) - 3;  // steps of 2^power lines
    return 4 * power + ((lines - 1) >> power);
}

std::size_t Memory::sizeOf(std::size_t cls) noexcept {
    if (cls < 4) return (cls + 1) * kLine;
    const std::size_t power = cls / 4 - 1;
    return ((cls % 4 + 5) << power) * kLine;
}

std::size_t Memory::room(std::size_t bytes) noexcept {
    return bytes > kLargest ? bytes : sizeOf(classOf(bytes));
}

void Memory::put(std::byte* block, std::size_t cls) noexcept {
    std::memcpy(block, &free_[cls], sizeof(void*));
    free_[cls] = block;
}

void* Memory::take(std::size_t bytes) {
    if (bytes > kCut) return allocate(bytes);
    const std::size_t cls = classOf(bytes), size = sizeOf(cls);
    if (std::byte* const block = free_[cls]) {
        std::memcpy(&free_[cls], block, sizeof(void*));
        ++taken_;
        return block;
    }
    if (left_ < size) addRegion();
    std::byte* const block = next_;
    next_ += size;
    left_ -= size;
    ++taken_;
    return block;
}

void Memory::give(void* block, std::size_t bytes) noexcept {
    if (block == nullptr) return;
    // A block of its own is freed at once.
    if (bytes > kCut) return free(block, bytes);
    put(static_cast<std::byte*>(block), classOf(bytes));
    if (--taken_ == 0) freeRegions();
}

void Memory::addRegion() {
    const std::size_t size = regions_.empty() ? kFirstRegion : kLargePage;
    regions_.reserve(regions_.size() + 1);
    auto* const region = static_cast<std::byte*>(allocate(size));
    regions_.push_back(region);
    // What is left of the one before is cut into the largest blocks that it gives.
    while (left_ != 0) {
        std::size_t cls = classOf(left_);
        if (sizeOf(cls) > left_) --cls;
        const std::size_t cut = sizeOf(cls);
        put(next_, cls);
        next_ += cut;
        left_ -= cut;
    }
    next_ = region;
    left_ = size;
    bytes_ += size;
}

void Memory::freeRegions() noexcept {
    for (std::size_t i = 0; i != regions_.size(); ++i)
        free(regions_[i], i == 0 ? kFirstRegion : kLargePage);
    regions_.clear();
    free_.fill(nullptr);
    next_ = nullptr;
    left_ = bytes_ = 0;
}

}  // namespace emissary::book::detail
