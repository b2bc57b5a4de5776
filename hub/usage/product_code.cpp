// Reads the digits of a product code, and nothing that is not exactly of that form.
#include "hub/usage/product_code.h"

#include <cstdint>

namespace emissary::hub::usage {

std::string productCode(eta::Bytes data) {
    constexpr std::size_t kHead = 3, kMostDigits = 16;
    constexpr unsigned kVersion = 3, kEnd = 0xC;
    if (data.size() <= kHead || static_cast<unsigned>(data[0]) != kVersion) return {};
    std::string code;
    for (std::size_t i = kHead * 2; i < data.size() * 2; ++i) {
        const auto byte = static_cast<unsigned>(data[i / 2]);
        const unsigned half = i % 2 == 0 ? byte >> 4 : byte & 0xF;
        if (half <= 9 && code.size() < kMostDigits) {
            code += static_cast<char>('0' + half);
            continue;
        }
        // The end, in the last byte; the other half of it is 0.
        const bool last = half == kEnd && i / 2 + 1 == data.size() && (i % 2 == 1 || (byte & 0xF) == 0);
        return last ? code : std::string();
    }
    return {};
}

}  // namespace emissary::hub::usage
