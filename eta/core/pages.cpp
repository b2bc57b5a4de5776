// Blocks from the heap below kOwnPages, from mmap above.
#include "eta/core/pages.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <sys/mman.h>
#include <unistd.h>

namespace emissary::eta {
namespace {

std::size_t pageSize() noexcept {
    static const auto size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    return size;
}

}  // namespace

void* takeBlock(std::size_t bytes) noexcept {
    if (bytes < kOwnPages) return ::operator new(bytes, std::nothrow);
    void* const block = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return block == MAP_FAILED ? nullptr : block;
}

void giveBlock(void* block, std::size_t bytes) noexcept {
    if (block == nullptr) return;
    if (bytes < kOwnPages) return ::operator delete(block);
    ::munmap(block, bytes);
}

bool Block::grow(std::size_t bytes) noexcept {
    if (data_ != nullptr && size_ >= kOwnPages && bytes >= kOwnPages) {
        void* const moved = ::mremap(data_, size_, bytes, MREMAP_MAYMOVE);
        if (moved == MAP_FAILED) return false;
        data_ = static_cast<std::byte*>(moved);
        size_ = bytes;
        return true;
    }
    Block larger(bytes);
    if (larger.data() == nullptr) return false;
    if (data_ != nullptr) std::memcpy(larger.data(), data_, std::min(size_, bytes));
    *this = std::move(larger);
    return true;
}

void discardPages(void* from, std::size_t bytes) noexcept {
    const auto begin = reinterpret_cast<std::uintptr_t>(from);
    const std::uintptr_t mask = pageSize() - 1;
    const std::uintptr_t first = (begin + mask) & ~mask, last = (begin + bytes) & ~mask;
    if (first < last) ::madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
}

}  // namespace emissary::eta
