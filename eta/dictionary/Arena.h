// Memory for things that live and die together.
#pragma once

#include "eta/core/copy_short.h"

#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace emissary::eta::dictionary {

/// Hands out memory from large blocks and frees it all at once. Addresses stay valid for the arena's life, also when
/// the arena is moved. From each of them on kShortCopy bytes may be read.
class Arena {
public:
    [[nodiscard]] std::string_view copy(std::string_view text) {
        if (text.empty()) return {};
        char* to = static_cast<char*>(allocate(text.size(), 1));
        std::memcpy(to, text.data(), text.size());
        return {to, text.size()};
    }
    template <class T>
    [[nodiscard]] T* make(T value) {
        static_assert(std::is_trivially_destructible_v<T>, "nothing is destroyed one by one");
        return ::new (allocate(sizeof(T), alignof(T))) T(std::move(value));
    }

private:
    [[nodiscard]] void* allocate(std::size_t size, std::size_t alignment) {
        void* at = next_;
        if (next_ == nullptr || std::align(alignment, size, at, left_) == nullptr) {
            const std::size_t blockSize = size > kBlock / 4 ? size + alignment : kBlock;
            blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(blockSize + kShortCopy));
            at = blocks_.back().get();
            left_ = blockSize;
            (void)std::align(alignment, size, at, left_);
        }
        next_ = static_cast<std::byte*>(at) + size;
        left_ -= size;
        return at;
    }

    static constexpr std::size_t kBlock = 64 * 1024;
    std::vector<std::unique_ptr<std::byte[]>> blocks_;
    std::byte* next_ = nullptr;
    std::size_t left_ = 0;
};

}  // namespace emissary::eta::dictionary
