// Running statistics of a series of values, without storing the samples.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>

namespace emissary::perf {

/// Count, mean, extremes and sample variance (divisor n-1; 0 below two samples). Not thread safe.
class ValueStatistics {
public:
    void add(double value) noexcept {
        ++count_;
        const double delta = value - mean_;
        mean_ += delta / static_cast<double>(count_);
        squares_ += delta * (value - mean_);
        max_ = count_ == 1 ? value : std::max(max_, value);
        min_ = count_ == 1 ? value : std::min(min_, value);
    }
    /// Takes in another series, as if its samples had been added here.
    void merge(const ValueStatistics& other) noexcept {
        if (other.count_ == 0) return;
        if (count_ == 0) {
            *this = other;
            return;
        }
        const double mine = static_cast<double>(count_);
        const double theirs = static_cast<double>(other.count_);
        const double delta = other.mean_ - mean_;
        mean_ += delta * theirs / (mine + theirs);
        squares_ += other.squares_ + delta * delta * mine * theirs / (mine + theirs);
        count_ += other.count_;
        max_ = std::max(max_, other.max_);
        min_ = std::min(min_, other.min_);
    }
    void clear() noexcept { *this = {}; }

    [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
    [[nodiscard]] double mean() const noexcept { return mean_; }
    [[nodiscard]] double max() const noexcept { return max_; }
    [[nodiscard]] double min() const noexcept { return min_; }
    [[nodiscard]] double variance() const noexcept {
        return count_ < 2 ? 0.0 : squares_ / static_cast<double>(count_ - 1);
    }
    [[nodiscard]] double stdDev() const noexcept { return std::sqrt(variance()); }

private:
    std::uint64_t count_ = 0;
    double mean_ = 0.0;
    double squares_ = 0.0;  // sum of squared distances from the mean
    double max_ = 0.0;
    double min_ = 0.0;
};

}  // namespace emissary::perf
