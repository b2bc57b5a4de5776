// Sorts values into families by name and label set, and sums or compares those that meet.
#include "reactor/metrics/Snapshot.h"

#include <algorithm>

namespace emissary::reactor::metrics {

using eta::Buckets;
using eta::CountKind;
using eta::CountRow;

namespace {

/// Different for different labels, whatever is in them: names that peers have given, for instance.
[[nodiscard]] std::string keyOf(const Labels& labels) {
    std::string key;
    for (const auto& [name, value] : labels)
        for (const std::string_view part : {std::string_view(name), std::string_view(value)})
            key.append(std::to_string(part.size())).append(":").append(part);
    return key;
}

}  // namespace

Snapshot::Set Snapshot::labelSet(const Labels& labels) {
    const auto [at, added] = setOf_.try_emplace(keyOf(labels), static_cast<Set>(sets_.size()));
    if (added) {
        sets_.push_back(common_);
        sets_.back().insert(sets_.back().end(), labels.begin(), labels.end());
    }
    return at->second;
}

std::size_t Snapshot::familyOf(const CountRow& row) {
    const auto [at, added] = familyOf_.try_emplace(&row, families_.size());
    if (!added) return at->second;
    // Two declarations of one name are one family.
    const auto known =
        std::ranges::find(families_, std::string_view(row.name), [](const Family& f) { return f.row->name; });
    at->second = static_cast<std::size_t>(known - families_.begin());
    if (known == families_.end()) {
        families_.push_back({&row, {}});
        placeOf_.emplace_back();
    }
    return at->second;
}

Sample& Snapshot::sampleOf(const CountRow& row, Set set) {
    const std::size_t family = familyOf(row);
    std::vector<Sample>& samples = families_[family].samples;
    std::vector<std::uint32_t>& places = placeOf_[family];
    if (places.size() <= set) places.resize(sets_.size());
    if (places[set] == 0) {
        samples.push_back({set, 0, 0});
        places[set] = static_cast<std::uint32_t>(samples.size());
        if (row.kind == CountKind::histogram) {
            samples.back().buckets = static_cast<std::uint32_t>(buckets_.size());
            buckets_.emplace_back();
        }
    }
    return samples[places[set] - 1];
}

void Snapshot::addValue(const CountRow& row, std::uint64_t value, Set set) {
    Sample& s = sampleOf(row, set);
    s.value = row.kind == CountKind::peak ? std::max(s.value, value) : s.value + value;
}

void Snapshot::addBuckets(const CountRow& row, const Buckets& buckets, Set set) {
    Sample& s = sampleOf(row, set);
    Buckets& sum = buckets_[s.buckets];
    for (std::size_t i = 0; i < buckets.counts.size(); ++i) {
        sum.counts[i] += buckets.counts[i];
        s.value += buckets.counts[i];
    }
    sum.nanoseconds += buckets.nanoseconds;
}

void Snapshot::add(const Snapshot& other) {
    std::vector<Set> sets;
    sets.reserve(other.sets_.size());
    for (const Labels& labels : other.sets_)
        sets.push_back(labelSet(labels));
    for (const Family& family : other.families_)
        for (const Sample& sample : family.samples) {
            if (family.row->kind == CountKind::histogram)
                addBuckets(*family.row, other.buckets(sample), sets[sample.set]);
            else addValue(*family.row, sample.value, sets[sample.set]);
        }
}

void Snapshot::renameLabel(std::string_view from, std::string_view to) {
    const auto rename = [&](Labels& labels) {
        for (Label& label : labels)
            if (label.first == from) label.first = to;
    };
    rename(common_);
    setOf_.clear();
    for (Set set = 0; set < sets_.size(); ++set) {
        rename(sets_[set]);
        const auto own = sets_[set].begin() + static_cast<std::ptrdiff_t>(common_.size());
        setOf_.try_emplace(keyOf(Labels(own, sets_[set].end())), set);
    }
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
