// The values of all counts of one instance at one moment, and their texts.
#pragma once

#include "reactor/metrics/groups.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace emissary::reactor::metrics {

using Label = std::pair<std::string, std::string>;
using Labels = std::vector<Label>;

/// One value of a count, for one set of labels.
struct Sample {
    std::uint32_t set = 0;      ///< Snapshot::labels()
    std::uint32_t buckets = 0;  ///< of a histogram: Snapshot::buckets()
    std::uint64_t value = 0;    ///< of a histogram: how many durations
};

/// All samples of one count.
struct Family {
    const eta::CountRow* row;
    std::vector<Sample> samples;  ///< with different labels
};

/// Plain values without locks: made by one thread, then read by any. Finding a sample costs the same however many there
/// are: a hub has one of each of its counts for every service that its sources offer.
class Snapshot {
public:
    /// Labels that every sample has.
    explicit Snapshot(Labels common = {}) : common_(std::move(common)) {}

    /// Adds the values of a group; a sample with the same labels that is there already grows by it.
    template <class Group>
    void add(const Group& group, const Labels& labels = {}) {
        const Set set = labelSet(labels);
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (addOne(rows<Group>[I], boost::pfr::get<I>(group), set), ...);
        }
        (std::make_index_sequence<rows<Group>.size()>{});
    }

    /// Adds the value of one count that is no histogram, without labels of its own. The row lives for ever.
    void add(const eta::CountRow& row, std::uint64_t value) { addValue(row, value, labelSet({})); }
    /// The same with all samples of another one.
    void add(const Snapshot& other);

    /// Calls a label of all samples by another name.
    void renameLabel(std::string_view from, std::string_view to);

    /// In the order in which the counts came first.
    [[nodiscard]] const std::vector<Family>& families() const noexcept { return families_; }
    /// Of a sample in families().
    [[nodiscard]] const Labels& labels(const Sample& sample) const noexcept { return sets_[sample.set]; }
    /// Of a sample of a histogram in families().
    [[nodiscard]] const eta::Buckets& buckets(const Sample& sample) const noexcept { return buckets_[sample.buckets]; }
    /// Of all labels together: the sum, of a peak the highest, of a histogram how many durations there were.
    [[nodiscard]] std::optional<std::uint64_t> value(std::string_view name) const noexcept;

    /// One line a sample, for people: name, labels, value, unit.
    [[nodiscard]] std::string text() const;
    /// {"metrics":[{"name","kind","unit","meaning","samples":[{"labels":{},"value"}]}]}.
    [[nodiscard]] std::string json() const;
    /// The text exposition format of Prometheus, version 0.0.4.
    [[nodiscard]] std::string prometheus() const;

private:
    using Set = std::uint32_t;
    template <class Member>
    void addOne(const eta::CountRow& row, const Member& member, Set set) {
        if constexpr (Member::row.kind == eta::CountKind::histogram) addBuckets(row, member.get(), set);
        else addValue(row, member.get(), set);
    }
    [[nodiscard]] Set labelSet(const Labels& labels);
    [[nodiscard]] std::size_t familyOf(const eta::CountRow& row);
    [[nodiscard]] Sample& sampleOf(const eta::CountRow& row, Set set);
    void addValue(const eta::CountRow& row, std::uint64_t value, Set set);
    void addBuckets(const eta::CountRow& row, const eta::Buckets& buckets, Set set);

    Labels common_;
    std::vector<Labels> sets_;  // common ones included
    std::vector<Family> families_;
    std::vector<eta::Buckets> buckets_;

    std::unordered_map<std::string, Set> setOf_;  // by the labels that are not common
    std::unordered_map<const eta::CountRow*, std::size_t> familyOf_;
    std::vector<std::vector<std::uint32_t>> placeOf_;  // by family and set: the sample's place and one, or zero
};

/// "counter", "gauge" or "histogram".
[[nodiscard]] const char* kindName(eta::CountKind kind) noexcept;

}  // namespace emissary::reactor::metrics
