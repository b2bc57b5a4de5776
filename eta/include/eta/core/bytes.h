// Network-order integers in bytes owned by someone else: one bounds-checked reader, one writer.
#pragma once

#include "eta/core/Result.h"
#include "eta/core/byte_order.h"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>

namespace emissary::eta {

/// A borrowed run of wire bytes.
using Bytes = std::span<const std::byte>;

/// The same bytes as characters; borrows.
[[nodiscard]] inline std::string_view asText(Bytes b) noexcept {
    return {reinterpret_cast<const char*>(b.data()), b.size()};
}
/// The same characters as bytes; borrows.
[[nodiscard]] inline Bytes asBytes(std::string_view s) noexcept {
    return std::as_bytes(std::span{s.data(), s.size()});
}

/// Reads network-order integers. Failure latches: later reads return 0 and take() returns nothing, so a decoder
/// tests ok() once per entry rather than once per field. Borrows its input.
class BeReader {
public:
    BeReader() = default;
    /// Starts at the first byte; an empty range is allowed.
    explicit constexpr BeReader(Bytes in) noexcept : begin_(in.data()), pos_(in.data()), end_(in.data() + in.size()) {}

    /// The next integer; 0 when too few bytes are left, which is a failure.
    template <std::unsigned_integral U>
    [[nodiscard]] U read() noexcept {
        if (static_cast<std::size_t>(end_ - pos_) < sizeof(U)) [[unlikely]]
            return fail(), U{0};
        const U v = loadBe<U>(pos_);
        pos_ += sizeof(U);
        return v;
    }
    [[nodiscard]] std::uint8_t u8() noexcept { return read<std::uint8_t>(); }     ///< one byte
    [[nodiscard]] std::uint16_t u16() noexcept { return read<std::uint16_t>(); }  ///< two bytes
    [[nodiscard]] std::uint32_t u32() noexcept { return read<std::uint32_t>(); }  ///< four bytes

    /// 15-bit value, one or two bytes (rwf.md 1.2).
    [[nodiscard]] std::uint16_t u15rb() noexcept {
        const std::uint8_t first = u8();
        if (first < 0x80) return first;
        return static_cast<std::uint16_t>((first & 0x7F) << 8 | u8());
    }
    /// 16-bit value, one or three bytes (rwf.md 1.4); a first byte of FF is refused.
    [[nodiscard]] std::uint16_t u16ob() noexcept {
        const std::uint8_t first = u8();
        if (first < 0xFE) [[likely]]
            return first;
        if (first == 0xFF) return fail(), std::uint16_t{0};
        return u16();
    }
    /// 30-bit value, one to four bytes (rwf.md 1.6).
    [[nodiscard]] std::uint32_t u30rb() noexcept {
        const std::uint8_t first = u8();
        const std::uint32_t low = first & 0x3Fu;
        switch (first >> 6) {
        case 0:
            return low;
        case 2:
            return low << 8 | u8();
        case 1:
            return low << 16 | u16();
        default: {
            const std::uint32_t high = low << 24 | static_cast<std::uint32_t>(u8()) << 16;
            return high | u16();
        }
        }
    }
    /// The next n bytes; nothing when fewer are left, which is a failure.
    [[nodiscard]] Bytes take(std::size_t n) noexcept {
        if (static_cast<std::size_t>(end_ - pos_) < n) [[unlikely]]
            return fail(), Bytes{};
        return {std::exchange(pos_, pos_ + n), n};
    }
    [[nodiscard]] Bytes buf8() noexcept { return take(u8()); }         ///< one byte of length, then the content
    [[nodiscard]] Bytes buf15() noexcept { return take(u15rb()); }     ///< a u15rb length, then the content
    [[nodiscard]] Bytes buf16() noexcept { return take(u16ob()); }     ///< a u16ob length, then the content
    [[nodiscard]] Bytes rest() noexcept { return take(remaining()); }  ///< everything that is left

    /// Moves to an offset from the start; past the end is a failure, backwards too.
    void skipTo(std::size_t offset) noexcept {
        if (offset > static_cast<std::size_t>(end_ - begin_) || begin_ + offset < pos_) return fail();
        pos_ = begin_ + offset;
    }
    /// Moves over bytes whose presence the caller has already checked against remaining().
    void advance(std::size_t n) noexcept { pos_ += n; }
    /// Makes every later read fail.
    void fail() noexcept {
        failed_ = true;
        pos_ = end_;
    }
    /// Bytes from the start.
    [[nodiscard]] std::size_t offset() const noexcept { return static_cast<std::size_t>(pos_ - begin_); }
    /// Bytes that are left; 0 after a failure.
    [[nodiscard]] std::size_t remaining() const noexcept { return static_cast<std::size_t>(end_ - pos_); }
    [[nodiscard]] const std::byte* position() const noexcept { return pos_; }  ///< the next byte to read
    [[nodiscard]] bool ok() const noexcept { return !failed_; }                ///< false after a failure
    /// Truncated, at the end of the input; ok when nothing failed.
    [[nodiscard]] Error error() const noexcept {
        return failed_ ? Error{Errc::truncated, static_cast<std::uint32_t>(offset())} : Error{};
    }

private:
    const std::byte* begin_ = nullptr;
    const std::byte* pos_ = nullptr;
    const std::byte* end_ = nullptr;
    bool failed_ = false;
};

/// Writes network-order integers into a block that may be fixed (a transport buffer) or growing (a builder's buffer).
/// When the block is full a growing writer asks its owner for more; a fixed one latches failure: from then on ok() is
/// false and the output is of no use. Offsets, not pointers, name places to patch, because growing moves the block.
/// Bytes of the block behind size() are scratch: short values may be stored with one wide write.
class BeWriter {
public:
    /// Must return a block of at least `needed` bytes holding the first `used` bytes of the old one, or an empty span.
    using Grow = std::span<std::byte> (*)(void* owner, std::size_t used, std::size_t needed) noexcept;

    BeWriter() = default;
    /// A fixed block.
    explicit BeWriter(std::span<std::byte> out) noexcept
        : begin_(out.data()), pos_(out.data()), end_(out.data() + out.size()) {}
    /// A block that `owner` enlarges through `grow` when it is full.
    BeWriter(std::span<std::byte> out, Grow grow, void* owner) noexcept : BeWriter(out) {
        grow_ = grow;
        owner_ = owner;
    }

    /// Makes room for n bytes and returns where they go, or null when there is no room. Does not advance.
    [[nodiscard]] std::byte* room(std::size_t n) noexcept {
        if (static_cast<std::size_t>(end_ - pos_) >= n) [[likely]]
            return pos_;
        return more(n);
    }
    void advance(std::size_t n) noexcept { pos_ += n; }  ///< counts n bytes of room() as written

    /// Appends an integer big-endian.
    template <std::unsigned_integral U>
    void write(U v) noexcept {
        if (std::byte* p = room(sizeof(U))) [[likely]] {
            storeBe(p, v);
            pos_ += sizeof(U);
        }
    }
    void u8(std::uint8_t v) noexcept { write(v); }    ///< one byte
    void u16(std::uint16_t v) noexcept { write(v); }  ///< two bytes
    void u32(std::uint32_t v) noexcept { write(v); }  ///< four bytes
    /// One or two bytes (rwf.md 1.2); more than 15 bits are outOfRange.
    void u15rb(std::uint32_t v) noexcept {
        if (v < 0x80) return u8(static_cast<std::uint8_t>(v));
        if (v > 0x7FFF) return fail();
        u16(static_cast<std::uint16_t>(v | 0x8000));
    }
    /// One or three bytes (rwf.md 1.4); more than 16 bits are outOfRange.
    void u16ob(std::uint32_t v) noexcept {
        if (v < 0xFE) return u8(static_cast<std::uint8_t>(v));
        if (v > 0xFFFF) return fail();
        u8(0xFE);
        u16(static_cast<std::uint16_t>(v));
    }
    /// One to four bytes (rwf.md 1.6); more than 30 bits are outOfRange.
    void u30rb(std::uint32_t v) noexcept {
        if (v < 0x40) return u8(static_cast<std::uint8_t>(v));
        if (v < 0x4000) return u16(static_cast<std::uint16_t>(v | 0x8000));
        if (v < 0x400000) {
            u8(static_cast<std::uint8_t>(0x40 | v >> 16));
            return u16(static_cast<std::uint16_t>(v));
        }
        if (v >= 0x40000000) return fail();
        u32(v | 0xC0000000u);
    }
    /// Appends bytes without a length.
    void bytes(Bytes b) noexcept {
        if (std::byte* p = room(b.size())) [[likely]] {
            if (!b.empty()) std::memcpy(p, b.data(), b.size());
            pos_ += b.size();
        }
    }
    /// Appends a byte of length and the bytes, at most 255.
    void buf8(Bytes b) noexcept {
        if (b.size() > 255) return fail();
        u8(static_cast<std::uint8_t>(b.size()));
        bytes(b);
    }
    /// Appends a u15rb length and the bytes, at most 32767.
    void buf15(Bytes b) noexcept {
        u15rb(static_cast<std::uint32_t>(std::min<std::size_t>(b.size(), 0x8000)));
        bytes(b);
    }
    /// Appends a u16ob length and the bytes, at most 65535.
    void buf16(Bytes b) noexcept {
        u16ob(static_cast<std::uint32_t>(std::min<std::size_t>(b.size(), 0x10000)));
        bytes(b);
    }

    /// Bytes written.
    [[nodiscard]] std::size_t size() const noexcept { return static_cast<std::size_t>(pos_ - begin_); }
    /// Bytes of the block as it is now.
    [[nodiscard]] std::size_t capacity() const noexcept { return static_cast<std::size_t>(end_ - begin_); }
    /// Address of an already written byte, for patching; valid until the next write.
    [[nodiscard]] std::byte* at(std::size_t offset) noexcept { return begin_ + offset; }
    /// What has been written; valid until the next write.
    [[nodiscard]] Bytes view() const noexcept { return {begin_, size()}; }
    /// Forgets everything written from `offset` on (a roll-back).
    void truncate(std::size_t offset) noexcept { pos_ = begin_ + offset; }
    /// The first failure is kept: outOfRange for a value that its wire form cannot carry, noSpace from a full block.
    void fail(Errc why = Errc::outOfRange) noexcept {
        if (failure_ == Errc::ok) failure_ = why;
    }
    /// Goes on as if nothing had failed; what was written stays.
    void clearFailure() noexcept { failure_ = Errc::ok; }
    [[nodiscard]] bool ok() const noexcept { return failure_ == Errc::ok; }  ///< true when nothing failed
    [[nodiscard]] Errc failure() const noexcept { return failure_; }  ///< the first failure; ok when there was none
    /// Bytes that can be written without growing.
    [[nodiscard]] std::size_t space() const noexcept { return static_cast<std::size_t>(end_ - pos_); }

private:
    [[nodiscard]] std::byte* more(std::size_t n) noexcept;  // slow path, in bytes.cpp

    std::byte* begin_ = nullptr;
    std::byte* pos_ = nullptr;
    std::byte* end_ = nullptr;
    Grow grow_ = nullptr;
    void* owner_ = nullptr;
    Errc failure_ = Errc::ok;
};

}  // namespace emissary::eta
