// Where the books of a store lie: blocks cut from large regions, which the kernel is asked to map with large pages.
// Rows, links, slots and levels of many books are met at random, and with small pages the walk to their addresses costs
// as much as the memory itself (docs/spec/order-books.md 5).
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace emissary::book::detail {

/// Blocks of classes a quarter of a power of two apart, each given back to a list of its own for the other books of the
/// store. The regions go back to the system with the last block; blocks above kLargest go back at once. Belongs to the
/// store's thread.
class Memory {
public:
    static constexpr std::size_t kLine = 64;
    static constexpr std::size_t kLargest = std::size_t{256} << 10;  ///< cut from a region; above that: on its own
    Memory() = default;
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    ~Memory() { freeRegions(); }
    /// At least `bytes` bytes, on a cache line of their own; may throw std::bad_alloc.
    [[nodiscard]] void* take(std::size_t bytes);
    /// Back, with the bytes it was taken for. Null is nothing.
    void give(void* block, std::size_t bytes) noexcept;
    /// Size of the block for `bytes` bytes.
    [[nodiscard]] static std::size_t room(std::size_t bytes) noexcept;
    /// Of all regions, what is free in them included.
    [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

private:
    static constexpr std::size_t kClasses = 44;
    [[nodiscard]] static std::size_t classOf(std::size_t bytes) noexcept;
    [[nodiscard]] static std::size_t sizeOf(std::size_t cls) noexcept;
    void put(std::byte* block, std::size_t cls) noexcept;
    void addRegion();
    void freeRegions() noexcept;
    std::array<std::byte*, kClasses> free_{};
    std::vector<void*> regions_;
    std::byte* next_ = nullptr;  ///< of the last region: what was not cut yet
    std::size_t left_ = 0, bytes_ = 0, taken_ = 0;
};

}  // namespace emissary::book::detail
