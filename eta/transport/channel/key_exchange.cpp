// The key exchange of the RIPC handshake: arithmetic on numbers of the peer that cannot overflow.
#include "transport/channel/handshake.h"

#include <random>

namespace emissary::eta::transport {
namespace {

std::uint64_t addMod(std::uint64_t a, std::uint64_t b, std::uint64_t m) noexcept {
    // m - b cannot overflow, while a + b could.
    return a >= m - b ? a - (m - b) : a + b;  // a, b < m
}

/// a * b mod m, by doubling, since the product may have more than 64 bits; a is below m.
std::uint64_t mulMod(std::uint64_t a, std::uint64_t b, std::uint64_t m) noexcept {
    std::uint64_t sum = 0;
    for (; b != 0; b >>= 1) {
        if ((b & 1) != 0) sum = addMod(sum, a, m);
        a = addMod(a, a, m);
    }
    return sum;
}

std::uint64_t random64() {
    std::random_device device;
    return static_cast<std::uint64_t>(device()) << 32 | device();
}

}  // namespace

std::uint64_t powMod(std::uint64_t base, std::uint64_t exponent, std::uint64_t modulus) noexcept {
    if (modulus == 0) return 0;
    base %= modulus;
    // 1 % modulus is 0 for a modulus of 1, which a peer may send.
    std::uint64_t result = 1 % modulus;
    for (; exponent != 0; exponent >>= 1) {
        if ((exponent & 1) != 0) result = mulMod(result, base, modulus);
        base = mulMod(base, base, modulus);
    }
    return result;
}

std::uint64_t randomModulus() {
    // 62 bits and odd; both ends only have to use the same one.
    return (random64() & 0x1FFFFFFFFFFFFFFFu) | 0x2000000000000001u;
}

std::uint64_t randomExponent() {
    return random64() | 1;
}

}  // namespace emissary::eta::transport
