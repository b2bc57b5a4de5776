// eta/core: numbers that say what they are: name, unit and meaning stand in the type of the member.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace emissary::eta {

/// A text as a template argument.
template <std::size_t N>
struct FixedText {
    char text[N]{};
    /// Copies a literal, its zero included.
    // NOLINTNEXTLINE(google-explicit-constructor): a literal stands where this is asked for
    consteval FixedText(const char (&literal)[N]) { std::copy_n(literal, N, text); }
};

/// How a count behaves, which says how it is summed and shown.
enum class CountKind : std::uint8_t {
    total,     ///< grows only: a number of things since the beginning
    level,     ///< what there is now
    peak,      ///< the highest level so far
    histogram  ///< durations, sorted into buckets
};

/// What is known of a count besides its value; lives for ever.
struct CountRow {
    const char* name;  ///< as in Prometheus: "emissary_channel_bytes_read_total"
    const char* unit;  ///< "bytes", "messages", "seconds" ...
    const char* meaning;
    CountKind kind;
};

/// One number. One thread (or lock holder) at a time writes, any thread may read; writing takes a load, an add and a
/// store, and no locked instruction. A copy is the value at that moment.
///
/// A struct whose members are all counts is a group: reactor/metrics finds the members by itself, so that a new one is
/// shown everywhere without being named a second time.
template <CountKind Kind, FixedText Name, FixedText Unit, FixedText Meaning>
class Count {
public:
    static constexpr CountRow row{Name.text, Unit.text, Meaning.text, Kind};

    /// 0.
    Count() noexcept = default;
    /// The value of the other one now.
    Count(const Count& other) noexcept : value_(other.get()) {}
    /// Takes the value of the other one now.
    Count& operator=(const Count& other) noexcept { return *this = other.get(); }
    /// Sets the value: for levels, and for totals that are kept elsewhere.
    Count& operator=(std::uint64_t value) noexcept {
        value_.store(value, std::memory_order_relaxed);
        return *this;
    }
    /// Adds n; the writer's thread only.
    Count& operator+=(std::uint64_t n) noexcept { return *this = get() + n; }
    /// Takes n off a level; the caller has added it before.
    Count& operator-=(std::uint64_t n) noexcept { return *this = get() - n; }
    /// Adds 1; the writer's thread only.
    Count& operator++() noexcept { return *this += 1; }
    /// For peaks: keeps the higher of the two.
    void raiseTo(std::uint64_t value) noexcept {
        if (value > get()) *this = value;
    }
    /// The value now; any thread.
    [[nodiscard]] std::uint64_t get() const noexcept { return value_.load(std::memory_order_relaxed); }
    /// The same as get().
    operator std::uint64_t() const noexcept { return get(); }  // NOLINT(google-explicit-constructor): it is a number

private:
    std::atomic<std::uint64_t> value_{0};
};

template <FixedText Name, FixedText Unit, FixedText Meaning>
using Total = Count<CountKind::total, Name, Unit, Meaning>;
template <FixedText Name, FixedText Unit, FixedText Meaning>
using Level = Count<CountKind::level, Name, Unit, Meaning>;
template <FixedText Name, FixedText Unit, FixedText Meaning>
using Peak = Count<CountKind::peak, Name, Unit, Meaning>;

/// The numbers of a histogram.
struct Buckets {
    /// Upper ends, in nanoseconds; one more bucket has what is longer.
    static constexpr std::array<std::uint64_t, 13> kBounds{
        1'000,     3'000,      10'000,     30'000,      100'000,     300'000,      1'000'000,
        3'000'000, 10'000'000, 30'000'000, 100'000'000, 300'000'000, 1'000'000'000};
    std::array<std::uint64_t, kBounds.size() + 1> counts{};  ///< of each bucket alone
    std::uint64_t nanoseconds = 0;                           ///< the sum of all durations
};

/// Durations by size. The rules of Count hold.
template <FixedText Name, FixedText Meaning>
class Histogram {
public:
    static constexpr CountRow row{Name.text, "seconds", Meaning.text, CountKind::histogram};

    /// Without durations.
    Histogram() noexcept = default;
    /// The values of the other one now.
    Histogram(const Histogram& other) noexcept { set(other.get()); }
    /// Takes the values of the other one now.
    Histogram& operator=(const Histogram& other) noexcept {
        set(other.get());
        return *this;
    }
    /// Counts one duration; a negative one counts as 0. The writer's thread only.
    void record(std::chrono::nanoseconds duration) noexcept {
        const auto ns = static_cast<std::uint64_t>(std::max<std::int64_t>(duration.count(), 0));
        std::size_t i = 0;
        while (i < Buckets::kBounds.size() && ns > Buckets::kBounds[i])
            ++i;
        add(counts_[i], 1);
        add(sum_, ns);
    }
    /// The values now; any thread. Bucket by bucket, so that a duration recorded meanwhile may be in the sum or in a
    /// bucket alone.
    [[nodiscard]] Buckets get() const noexcept {
        Buckets b;
        for (std::size_t i = 0; i < b.counts.size(); ++i)
            b.counts[i] = counts_[i].load(std::memory_order_relaxed);
        b.nanoseconds = sum_.load(std::memory_order_relaxed);
        return b;
    }
    /// Replaces all values.
    void set(const Buckets& b) noexcept {
        for (std::size_t i = 0; i < b.counts.size(); ++i)
            counts_[i].store(b.counts[i], std::memory_order_relaxed);
        sum_.store(b.nanoseconds, std::memory_order_relaxed);
    }

private:
    static void add(std::atomic<std::uint64_t>& to, std::uint64_t n) noexcept {
        to.store(to.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
    }
    std::array<std::atomic<std::uint64_t>, Buckets::kBounds.size() + 1> counts_{};
    std::atomic<std::uint64_t> sum_{0};
};

}  // namespace emissary::eta
