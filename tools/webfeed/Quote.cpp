// Draws the steps of a quote.
#include "Quote.h"

#include <algorithm>
#include <cstdio>

namespace emissary::webfeed {

std::string itemName(unsigned number) {
    return "WEB" + std::to_string(number);
}

Quote::Quote(unsigned item, std::uint64_t seed)
    : random_((seed + 1) * 0x9E3779B97F4A7C15U ^ (item + 1) * 0xD1B54A32D192ED03U) {
    if (random_ == 0) random_ = 1;
    for (int i = 0; i < 8; ++i)
        (void)draw();  // neighbours begin with similar numbers
    // A third trade in the hundreds, as pairs with the yen do; the others between 0.5 and 2.
    const bool large = draw() % 3 == 0;
    decimals_ = large ? 3 : 5;
    bid_ = large ? static_cast<std::int64_t>(20'000 + draw() % 180'000)
                 : static_cast<std::int64_t>(50'000 + draw() % 150'000);
    lowest_ = bid_ / 2;
    spread_ = static_cast<std::int64_t>(1 + draw() % 3);
}

std::uint64_t Quote::draw() {
    random_ ^= random_ << 13;
    random_ ^= random_ >> 7;
    random_ ^= random_ << 17;
    return random_;
}

void Quote::step() {
    const std::uint64_t drawn = draw();
    bid_ = std::max(lowest_, bid_ + static_cast<std::int64_t>(drawn % 5) - 2);
    spread_ = static_cast<std::int64_t>(1 + (drawn >> 8) % 3);
    bidSize_ = 100 * static_cast<unsigned>(1 + (drawn >> 16) % 50);
    askSize_ = 100 * static_cast<unsigned>(1 + (drawn >> 32) % 50);
    ++sequence_;
}

std::string Quote::bidText() const {
    const std::int64_t unit = decimals_ == 3 ? 1'000 : 100'000;
    char text[32];
    std::snprintf(text, sizeof text, "%lld.%0*lld", static_cast<long long>(bid_ / unit), decimals_,
                  static_cast<long long>(bid_ % unit));
    return text;
}

}  // namespace emissary::webfeed
