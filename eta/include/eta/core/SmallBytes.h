// A few bytes kept by value, as names and keys are.
#pragma once

#include "eta/core/bytes.h"

#include <cstdint>
#include <cstring>
#include <limits>
#include <new>

namespace emissary::eta {

/// Its own copy of some bytes; up to `kInline` bytes need no allocation. Aligned to two bytes, so that a record
/// of which there are hundreds of thousands has no gaps around it.
template <std::size_t kInline>
class SmallBytes {
    static_assert(kInline >= sizeof(char*) && kInline % 2 == 0);

public:
    /// The most that it can hold.
    static constexpr std::size_t kMost = std::numeric_limits<std::uint16_t>::max();

    SmallBytes() = default;  ///< none
    /// Takes the bytes over; the other becomes empty.
    SmallBytes(SmallBytes&& other) noexcept { takeOver(other); }
    /// The same.
    SmallBytes& operator=(SmallBytes&& other) noexcept {
        if (this != &other) {
            clear();
            takeOver(other);
        }
        return *this;
    }
    ~SmallBytes() { clear(); }

    /// At most kMost bytes, which must not be its own; throws std::bad_alloc, and has what it had then.
    void assign(Bytes bytes) {
        char* const block = bytes.size() > kInline ? new char[bytes.size()] : nullptr;
        clear();
        if (block != nullptr) std::memcpy(inline_, &block, sizeof block);
        if (!bytes.empty()) std::memcpy(block != nullptr ? block : inline_, bytes.data(), bytes.size());
        size_ = static_cast<std::uint16_t>(bytes.size());
    }
    /// None any more.
    void clear() noexcept {
        if (size_ > kInline) delete[] heap();
        size_ = 0;
    }
    /// Valid until it is changed, moved or destroyed.
    [[nodiscard]] Bytes view() const noexcept { return asBytes({size_ > kInline ? heap() : inline_, size_}); }
    /// How many.
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

private:
    [[nodiscard]] char* heap() const noexcept {
        char* p = nullptr;
        std::memcpy(&p, inline_, sizeof p);
        return p;
    }
    void takeOver(SmallBytes& other) noexcept {
        std::memcpy(inline_, other.inline_, kInline);
        size_ = other.size_;
        other.size_ = 0;
    }

    char inline_[kInline] = {};
    std::uint16_t size_ = 0;
};

}  // namespace emissary::eta
