// Memory for keys and fields in blocks of powers of two, so that a book whose orders come and go does not grow.
#include "emissary/book/Book.h"

#include <algorithm>
#include <bit>
#include <new>
#include <utility>

namespace emissary::book::detail {

namespace {
constexpr std::size_t kChunk = 4096;
}  // namespace

/// The list for blocks of `size`, a power of two; the longest key or field of the wire has its own.
std::size_t KeyPool::classOf(std::size_t size) noexcept {
    return std::min<std::size_t>(static_cast<std::size_t>(std::bit_width(size)) - 1 - kSmallest, kClasses - 1);
}

std::size_t KeyPool::room(std::size_t length) noexcept {
    return std::bit_ceil(std::max(length, std::size_t{1} << kSmallest));
}

char* KeyPool::take(std::size_t length) {
    const std::size_t size = room(length);
    const std::size_t cls = classOf(size);
    if (void* block = free_[cls]) {
        std::memcpy(&free_[cls], block, sizeof(void*));
        return static_cast<char*>(block);
    }
    // A chunk for many keys; a key larger than that gets one of its own.
    if (left_ < size) {
        const std::size_t chunk = std::max(size, kChunk);
        chunks_.push_back(std::make_unique<char[]>(chunk));
        bytes_ += chunk;
        next_ = chunks_.back().get();
        left_ = chunk;
    }
    left_ -= size;
    return std::exchange(next_, next_ + size);
}

void KeyPool::give(char* block, std::size_t length) noexcept {
    const std::size_t cls = classOf(room(length));
    std::memcpy(block, &free_[cls], sizeof(void*));
    free_[cls] = block;
}

void KeyPool::clear() noexcept {
    chunks_.clear();
    for (void*& list : free_)
        list = nullptr;
    next_ = nullptr;
    left_ = bytes_ = 0;
}

}  // namespace emissary::book::detail
