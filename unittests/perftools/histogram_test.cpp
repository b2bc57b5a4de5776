// Quantiles of the latency histogram beside exact ones.
#include "LatencyHistogram.h"
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <vector>

using namespace emissary::perf;

namespace {

std::uint64_t exactQuantile(const std::vector<std::uint64_t>& sorted, double fraction) {
    const auto rank = static_cast<std::size_t>(std::ceil(fraction * static_cast<double>(sorted.size())));
    return sorted[std::max<std::size_t>(rank, 1) - 1];
}

}  // namespace

TEST_CASE("the latency histogram gives quantiles within one part in 128", "[perftools]") {
    const auto histogram = std::make_unique<LatencyHistogram>();
    SECTION("empty") {
        CHECK(histogram->quantile(0.5) == 0);
        CHECK(histogram->max() == 0);
    }
    SECTION("small values are exact") {
        for (std::uint64_t value = 0; value < 256; ++value)
            histogram->record(value);
        for (int percent = 1; percent <= 100; ++percent)
            CHECK(histogram->quantile(percent / 100.0) ==
                  static_cast<std::uint64_t>(std::ceil(percent / 100.0 * 256)) - 1);
    }
    SECTION("random values of several shapes") {
        std::mt19937_64 random(7);
        std::lognormal_distribution<double> spread(4.0, 1.5);
        std::vector<std::uint64_t> values;
        for (int i = 0; i < 200'000; ++i) {
            const auto value = i % 1000 == 0 ? random() % 50'000'000 : static_cast<std::uint64_t>(spread(random));
            values.push_back(value);
            histogram->record(value);
        }
        std::sort(values.begin(), values.end());
        for (const double fraction : {0.0, 0.01, 0.25, 0.5, 0.9, 0.99, 0.999, 0.9999, 1.0}) {
            const std::uint64_t exact = exactQuantile(values, fraction);
            const std::uint64_t estimated = histogram->quantile(fraction);
            INFO("fraction " << fraction << " exact " << exact << " estimated " << estimated);
            CHECK(estimated >= exact);
            CHECK(estimated <= exact + exact / 128);
        }
        CHECK(histogram->max() == values.back());
        CHECK(histogram->count() == values.size());
    }
    SECTION("values beyond the range are counted as the largest bucket, the maximum stays exact") {
        histogram->record(~std::uint64_t{0});
        histogram->record(10);
        CHECK(histogram->quantile(0.5) == 10);
        CHECK(histogram->max() == ~std::uint64_t{0});
        CHECK(histogram->quantile(1.0) == (std::uint64_t{1} << 40) - 1);
    }
    SECTION("merging equals recording everything in one") {
        const auto other = std::make_unique<LatencyHistogram>();
        const auto all = std::make_unique<LatencyHistogram>();
        for (std::uint64_t i = 0; i < 5000; ++i) {
            (i % 3 == 0 ? *histogram : *other).record(i * 17);
            all->record(i * 17);
        }
        histogram->merge(*other);
        for (const double fraction : {0.1, 0.5, 0.99})
            CHECK(histogram->quantile(fraction) == all->quantile(fraction));
        CHECK(histogram->count() == 5000);
        histogram->clear();
        CHECK(histogram->count() == 0);
        CHECK(histogram->quantile(0.5) == 0);
    }
}
