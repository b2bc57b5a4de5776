// Appends to a caller's TextBuffer without allocation; what does not fit is dropped (the forms here always fit).
#pragma once

#include "eta/codec/text.h"

#include <charconv>

namespace emissary::eta::codec {

class TextCursor {
public:
    explicit TextCursor(TextBuffer& buffer) noexcept : buffer_(buffer) {}

    TextCursor& put(char c) noexcept {
        if (size_ < buffer_.size()) buffer_[size_++] = c;
        return *this;
    }
    TextCursor& put(std::string_view s) noexcept {
        const std::size_t n = std::min(s.size(), buffer_.size() - size_);
        std::copy_n(s.data(), n, buffer_.data() + size_);
        size_ += n;
        return *this;
    }
    template <std::integral T>
    TextCursor& number(T v) noexcept {
        return taken(std::to_chars(free(), end(), v));
    }
    /// At least `width` characters, filled up with `fill` on the left.
    TextCursor& padded(std::uint64_t v, std::size_t width, char fill = '0') noexcept {
        std::size_t digits = 1;
        for (std::uint64_t rest = v; rest >= 10; rest /= 10)
            ++digits;
        for (; digits < width; ++digits)
            put(fill);
        return number(v);
    }
    template <std::floating_point T>
    TextCursor& number(T v, int significant) noexcept {
        return taken(std::to_chars(free(), end(), v, std::chars_format::general, significant));
    }
    void dropTrailing(char c) noexcept {
        while (size_ > 0 && buffer_[size_ - 1] == c)
            --size_;
    }
    [[nodiscard]] std::string_view text() const noexcept { return {buffer_.data(), size_}; }

private:
    [[nodiscard]] char* free() noexcept { return buffer_.data() + size_; }
    [[nodiscard]] char* end() noexcept { return buffer_.data() + buffer_.size(); }
    TextCursor& taken(std::to_chars_result r) noexcept {
        if (r.ec == std::errc{}) size_ = static_cast<std::size_t>(r.ptr - buffer_.data());
        return *this;
    }

    TextBuffer& buffer_;
    std::size_t size_ = 0;
};

}  // namespace emissary::eta::codec
