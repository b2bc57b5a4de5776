// Several objects in a row, for programs of C++17 and later.
#pragma once

#include <cstddef>
#if __cplusplus >= 202002L
#include <span>
#endif

namespace emissary::book {

#if __cplusplus >= 202002L
/// std::span, where the language has it.
template <class T>
using Span = std::span<T>;
#else
/// What std::span is from C++20 on, as a function of the library hands it over: where the first object is, and how many
/// there are. Owns nothing. A program of C++17 and a library of C++20 understand each other, since both have these two
/// members in this order.
template <class T>
class Span {
public:
    constexpr Span() noexcept = default;  ///< of nothing
    /// Of `count` objects, the first of which is at `first`; they outlive it.
    constexpr Span(T* first, std::size_t count) noexcept : first_(first), count_(count) {}
    [[nodiscard]] constexpr T* data() const noexcept { return first_; }           ///< the first object
    [[nodiscard]] constexpr std::size_t size() const noexcept { return count_; }  ///< how many there are
    [[nodiscard]] constexpr bool empty() const noexcept { return count_ == 0; }   ///< there is none
    [[nodiscard]] constexpr T* begin() const noexcept { return first_; }          ///< for loops over all
    [[nodiscard]] constexpr T* end() const noexcept { return first_ + count_; }   ///< behind the last one
    /// The object at this place, below size().
    [[nodiscard]] constexpr T& operator[](std::size_t at) const noexcept { return first_[at]; }
    [[nodiscard]] constexpr T& front() const noexcept { return first_[0]; }          ///< unless empty()
    [[nodiscard]] constexpr T& back() const noexcept { return first_[count_ - 1]; }  ///< unless empty()

private:
    T* first_ = nullptr;
    std::size_t count_ = 0;
};
#endif

}  // namespace emissary::book
