// Large blocks straight from the system: given back to it the moment they are freed.
#pragma once

#include <cstddef>
#include <limits>
#include <new>
#include <utility>

namespace emissary::eta {

/// From this size on a block is pages of its own; below it comes from the heap.
///
/// The heap keeps what is freed in the middle of it, and a freed block of this size makes it keep more from then on.
/// So what grows with load (tables, queues, receive buffers) does not go there.
inline constexpr std::size_t kOwnPages = 64u << 10;

/// Uninitialised memory, aligned for any type; null when memory is short. Any thread may give back what another took.
[[nodiscard]] void* takeBlock(std::size_t bytes) noexcept;
/// `bytes` as it was asked for. Null is ignored.
void giveBlock(void* block, std::size_t bytes) noexcept;
/// Gives the whole pages inside [from, from + bytes) back to the system; the addresses stay usable, the contents are
/// lost. For any memory of this process that nobody reads before it is written again.
void discardPages(void* from, std::size_t bytes) noexcept;

/// An owned block.
class Block {
public:
    Block() = default;
    /// data() is null when memory is short.
    explicit Block(std::size_t bytes) noexcept
        : data_(static_cast<std::byte*>(takeBlock(bytes))), size_(data_ != nullptr ? bytes : 0) {}
    /// Takes the memory over; the other becomes empty.
    Block(Block&& other) noexcept : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    /// Swaps the memory.
    Block& operator=(Block&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }
    ~Block() { giveBlock(data_, size_); }

    /// Makes it larger and keeps the contents; false when memory is short, then nothing has changed.
    [[nodiscard]] bool grow(std::size_t bytes) noexcept;

    [[nodiscard]] std::byte* data() const noexcept { return data_; }   ///< the memory; null without any
    [[nodiscard]] std::size_t size() const noexcept { return size_; }  ///< bytes; 0 without any

private:
    std::byte* data_ = nullptr;
    std::size_t size_ = 0;
};

/// For containers that hold something for every item.
template <class T>
struct BlockAllocator {
    using value_type = T;
    BlockAllocator() = default;
    /// All allocators are alike.
    template <class U>
    BlockAllocator(const BlockAllocator<U>&) noexcept {}  // implicit: containers convert it
    /// N objects' memory; throws std::bad_alloc.
    [[nodiscard]] T* allocate(std::size_t n) {
        if (n > std::numeric_limits<std::size_t>::max() / sizeof(T)) throw std::bad_array_new_length();
        const std::size_t bytes = n * sizeof(T);
        void* const block = bytes < kOwnPages ? ::operator new(bytes) : takeBlock(bytes);
        if (block == nullptr) throw std::bad_alloc();
        return static_cast<T*>(block);
    }
    void deallocate(T* block, std::size_t n) noexcept { giveBlock(block, n * sizeof(T)); }  ///< `n` as it was asked for
    friend bool operator==(const BlockAllocator&, const BlockAllocator&) noexcept { return true; }
};

}  // namespace emissary::eta
