// A log-linear histogram of latencies: bounded memory, no allocation when recording.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace emissary::perf {

/// Counts values in buckets whose width is at most 1/128 of the value (values below 256 are exact), up to 2^40;
/// larger values count as 2^40. Quantiles are therefore off by less than 0.8 %. Not thread safe.
class LatencyHistogram {
public:
    void record(std::uint64_t value) noexcept {
        ++counts_[indexOf(value)];
        ++count_;
        max_ = std::max(max_, value);
    }
    void merge(const LatencyHistogram& other) noexcept {
        if (other.count_ == 0) return;
        for (std::size_t i = 0; i < counts_.size(); ++i)
            counts_[i] += other.counts_[i];
        count_ += other.count_;
        max_ = std::max(max_, other.max_);
    }
    void clear() noexcept {
        if (count_ == 0) return;
        counts_.fill(0);
        count_ = 0;
        max_ = 0;
    }

    [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
    [[nodiscard]] std::uint64_t max() const noexcept { return max_; }

    /// The value that `fraction` (0 to 1) of the recorded values do not exceed; 0 when nothing was recorded.
    /// The largest value of the bucket is given, and never more than max().
    [[nodiscard]] std::uint64_t quantile(double fraction) const noexcept {
        if (count_ == 0) return 0;
        const double wanted = fraction * static_cast<double>(count_);
        std::uint64_t rank = static_cast<std::uint64_t>(wanted);
        if (static_cast<double>(rank) < wanted) ++rank;
        rank = std::clamp<std::uint64_t>(rank, 1, count_);
        std::uint64_t seen = 0;
        for (std::size_t i = 0; i < counts_.size(); ++i) {
            seen += counts_[i];
            if (seen >= rank) return std::min(upperEdge(i), max_);
        }
        return max_;
    }

private:
    static constexpr unsigned kLinearBits = 7;  // 128 buckets per power of two
    static constexpr std::uint64_t kLinear = std::uint64_t{1} << kLinearBits;
    static constexpr unsigned kLargestBits = 40;
    static constexpr std::uint64_t kLargest = (std::uint64_t{1} << kLargestBits) - 1;
    static constexpr std::size_t kBuckets = (kLargestBits - kLinearBits + 1) * kLinear;

    // Values below 128 have a bucket each; [128 << k, 256 << k) is divided into 128 buckets of width 1 << k.
    [[nodiscard]] static constexpr std::size_t indexOf(std::uint64_t value) noexcept {
        value = std::min(value, kLargest);
        if (value < kLinear) return value;
        const unsigned shift = static_cast<unsigned>(std::bit_width(value)) - 1 - kLinearBits;
        return (shift + 1) * kLinear + ((value >> shift) - kLinear);
    }
    [[nodiscard]] static constexpr std::uint64_t upperEdge(std::size_t index) noexcept {
        if (index < kLinear) return index;
        const std::size_t shift = index / kLinear - 1;
        const std::uint64_t lower = (kLinear + index % kLinear) << shift;
        return lower + ((std::uint64_t{1} << shift) - 1);
    }

    std::array<std::uint64_t, kBuckets> counts_{};
    std::uint64_t count_ = 0;
    std::uint64_t max_ = 0;
};

}  // namespace emissary::perf
