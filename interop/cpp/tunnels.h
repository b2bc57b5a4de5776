// What both tunnel programs agree on; Tunnels.java has the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace interop {

/// Domains of generic messages inside, which say what the provider is to do.
inline constexpr std::uint8_t kEcho = 200;   ///< send it back
inline constexpr std::uint8_t kBurst = 201;  ///< send kBurstUpdates updates
inline constexpr std::uint8_t kCloseTunnel = 202;
inline constexpr std::uint8_t kEndConnection = 203;

inline constexpr unsigned kEchoes = 200, kFewEchoes = 20, kBurstUpdates = 60;
inline constexpr unsigned kPostId = 7;

/// Bytes of the n-th message: many short ones, some about as long as a fragment, some of several fragments.
inline std::vector<char> contentOf(unsigned n) {
    const std::size_t size = n % 10 == 0 ? 1 + (n * 7919u) % 60'000u : n % 10 == 5 ? 6050 + n : 1 + (n * 131u) % 2000u;
    std::vector<char> bytes(size);
    for (std::size_t i = 0; i < size; ++i)
        bytes[i] = static_cast<char>(i * 7 + i / 256 + n * 13);
    return bytes;
}

/// Empty when these are the bytes of the n-th message.
inline std::string differenceOf(unsigned n, const char* data, std::size_t size) {
    const std::vector<char> due = contentOf(n);
    if (size != due.size())
        return "message " + std::to_string(n) + " has " + std::to_string(size) + " bytes, " +
               std::to_string(due.size()) + " are due";
    for (std::size_t i = 0; i < size; ++i)
        if (data[i] != due[i]) return "message " + std::to_string(n) + " differs at byte " + std::to_string(i);
    return {};
}

}  // namespace interop
