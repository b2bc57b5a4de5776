// Text that leaves no copy of itself behind in freed memory: passwords, keys, tokens.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace emissary::rest {

/// Overwrites the bytes in a way that the compiler keeps.
void wipe(void* memory, std::size_t bytes) noexcept;

/// An allocator whose memory is overwritten before it is given back.
template <class T>
struct WipingAllocator {
    using value_type = T;  ///< as allocators have it
    WipingAllocator() noexcept = default;
    /// Allocators have no state.
    template <class U>
    WipingAllocator(const WipingAllocator<U>&) noexcept {}
    /// Throws std::bad_alloc.
    [[nodiscard]] T* allocate(std::size_t n) { return std::allocator<T>().allocate(n); }
    /// Overwrites first.
    void deallocate(T* p, std::size_t n) noexcept {
        wipe(p, n * sizeof(T));
        std::allocator<T>().deallocate(p, n);
    }
    /// Always equal: allocators have no state.
    friend bool operator==(const WipingAllocator&, const WipingAllocator&) noexcept { return true; }
};

/// A text that is overwritten when it is replaced, grows, or ends. A value type; it never converts to a string by
/// itself, so that it does not get into a log by mistake.
class Secret {
public:
    Secret() = default;
    /// Copies the text; the caller wipes the original.
    explicit Secret(std::string_view text) : text_(text.begin(), text.end()) {}
    Secret(const Secret&) = default;
    Secret(Secret&& other) noexcept : text_(std::exchange(other.text_, {})) {}
    /// The old text is overwritten.
    Secret& operator=(const Secret& other) {
        if (this != &other) Secret(other).swap(*this);
        return *this;
    }
    /// The old text is overwritten.
    Secret& operator=(Secret&& other) noexcept {
        Secret(std::move(other)).swap(*this);
        return *this;
    }
    ~Secret() = default;

    /// The text, until the next change.
    [[nodiscard]] std::string_view view() const noexcept { return {text_.data(), text_.size()}; }
    /// There is no text.
    [[nodiscard]] bool empty() const noexcept { return text_.empty(); }
    /// In bytes.
    [[nodiscard]] std::size_t size() const noexcept { return text_.size(); }
    /// Overwritten and forgotten.
    void clear() noexcept { Secret().swap(*this); }
    /// Adds to the end; memory that becomes too small is overwritten.
    Secret& append(std::string_view more) {
        text_.insert(text_.end(), more.begin(), more.end());
        return *this;
    }
    /// Reserves room for `bytes` bytes in all. The bytes behind the text may be read; their values mean nothing.
    void reserve(std::size_t bytes) { text_.reserve(bytes); }
    /// How many bytes of memory there are.
    [[nodiscard]] std::size_t capacity() const noexcept { return text_.capacity(); }
    /// Exchanges the texts.
    void swap(Secret& other) noexcept { text_.swap(other.text_); }
    /// Equal texts.
    friend bool operator==(const Secret& a, const Secret& b) noexcept { return a.text_ == b.text_; }

private:
    std::vector<char, WipingAllocator<char>> text_;
};

}  // namespace emissary::rest
