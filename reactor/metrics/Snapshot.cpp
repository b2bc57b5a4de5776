// Sorts values into families by name and label set, and sums or compares those that meet.
#include "reactor/metrics/Snapshot.h"

#include <algorithm>

namespace emissary::reactor::metrics {

using eta::Buckets;
using eta::CountKind;
using eta::CountRow;

std::size_t Snapshot::labelSet(const Labels& labels) {
    Labels all = common_;
    all.insert(all.end(), labels.begin(), labels.end());
    const auto it = std::find(sets_.begin(), sets_.end(), all);
    if (it != sets_.end()) return static_cast<std::size_t>(it - sets_.begin());
    sets_.push_back(std::move(all));
    return sets_.size() - 1;
}

Sample& Snapshot::sampleOf(const CountRow& row, std::size_t set) {
    auto family = std::find_if(families_.begin(), families_.end(), [&](const Family& f) {
        return f.row == &row ||
               std::string_view(f.row->name) == row.name;  // two declarations of one name are one family
    });
    if (family == families_.end()) family = families_.insert(family, {&row, {}});
    auto& samples = family->samples;
    const auto it =
        std::find_if(samples.begin(), samples.end(), [&](const Sample& s) { return s.labels == sets_[set]; });
    if (it != samples.end()) return *it;
    return samples.emplace_back(Sample{sets_[set], 0, {}});
}

void Snapshot::addValue(const CountRow& row, std::uint64_t value, std::size_t set) {
    Sample& s = sampleOf(row, set);
    s.value = row.kind == CountKind::peak ? std::max(s.value, value) : s.value + value;
}

void Snapshot::addBuckets(const CountRow& row, const Buckets& buckets, std::size_t set) {
    Sample& s = sampleOf(row, set);
    for (std::size_t i = 0; i < buckets.counts.size(); ++i) {
        s.buckets.counts[i] += buckets.counts[i];
        s.value += buckets.counts[i];
    }
    s.buckets.nanoseconds += buckets.nanoseconds;
}

void Snapshot::add(const Snapshot& other) {
    for (const Family& family : other.families_)
        for (const Sample& sample : family.samples) {
            const std::size_t set = labelSet(sample.labels);
            if (family.row->kind == CountKind::histogram) addBuckets(*family.row, sample.buckets, set);
            else addValue(*family.row, sample.value, set);
        }
}

void Snapshot::renameLabel(std::string_view from, std::string_view to) {
    const auto rename = [&](Labels& labels) {
        for (Label& label : labels)
            if (label.first == from) label.first = to;
    };
    rename(common_);
    for (Labels& set : sets_)
        rename(set);
    for (Family& family : families_)
        for (Sample& sample : family.samples)
            rename(sample.labels);
}

std::optional<std::uint64_t> Snapshot::value(std::string_view name) const noexcept {
    for (const Family& f : families_) {
        if (f.row->name != name) continue;
        std::uint64_t all = 0;
        for (const Sample& s : f.samples)
            all = f.row->kind == CountKind::peak ? std::max(all, s.value) : all + s.value;
        return all;
    }
    return std::nullopt;
}

const char* kindName(CountKind kind) noexcept {
    switch (kind) {
    case CountKind::total:
        return "counter";
    case CountKind::level:
    case CountKind::peak:
        return "gauge";
    case CountKind::histogram:
        break;
    }
    return "histogram";
}

}  // namespace emissary::reactor::metrics
