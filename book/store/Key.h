// A key of the map, ready to be looked up: its bytes in two words and its hash.
#pragma once

#include "emissary/book/detail/Storage.h"

namespace emissary::book::detail {

struct Key {
    static constexpr std::size_t kInline = 16;
    std::uint64_t words[2];
    std::uint64_t hash;
    std::string_view text;

    explicit Key(std::string_view bytes) noexcept : words{0, 0}, text(bytes) {
        const std::size_t n = bytes.size();
        if (n <= kInline) [[likely]] {
            load(bytes.data(), n);
            hash = mix(words[0] ^ kFirst, words[1] ^ kSecond ^ n);
        } else {
            hash = kFirst ^ n;
            std::size_t at = 0;
            for (; at + 8 <= n; at += 8)
                hash = mix(hash ^ word(bytes.data() + at), kSecond);
            hash = mix(hash ^ word(bytes.data() + n - 8), kFirst);  // overlaps what was read; n is above 16
        }
    }

    [[nodiscard]] std::uint32_t tag() const noexcept { return static_cast<std::uint32_t>(hash); }
    [[nodiscard]] bool matches(const Row& row) const noexcept {
        if (row.keyLength != text.size()) return false;
        if (text.size() <= kInline) return row.key[0] == words[0] && row.key[1] == words[1];
        return row.key[1] == hash && std::memcmp(row.name().data(), text.data(), text.size()) == 0;
    }

private:
    static constexpr std::uint64_t kFirst = 0x9E3779B97F4A7C15u, kSecond = 0xD1B54A32D192ED03u;
    __extension__ using Wide = unsigned __int128;
    static std::uint64_t mix(std::uint64_t a, std::uint64_t b) noexcept {
        const Wide product = static_cast<Wide>(a) * b;
        return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
    }
    static std::uint64_t word(const char* p) noexcept {
        std::uint64_t w;
        std::memcpy(&w, p, sizeof w);
        return w;
    }
    /// Zeros behind the bytes, which lie in the words as in memory.
    void load(const char* p, std::size_t n) noexcept {
        if (n >= 8) {
            words[0] = word(p);
            if (n > 8) words[1] = word(p + n - 8) >> (8 * (16 - n));
        } else if (n >= 4) {
            std::uint32_t low, high;
            std::memcpy(&low, p, 4);
            std::memcpy(&high, p + n - 4, 4);
            words[0] = low | static_cast<std::uint64_t>(high) << (8 * (n - 4));
        } else if (n != 0) {
            const auto byte = [p](std::size_t i) {
                return static_cast<std::uint64_t>(static_cast<unsigned char>(p[i]));
            };
            words[0] = byte(0) | byte(n / 2) << (8 * (n / 2)) | byte(n - 1) << (8 * (n - 1));
        }
    }
};

}  // namespace emissary::book::detail
