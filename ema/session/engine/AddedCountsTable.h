// ema/session/engine: counts that libraries above this one add to those of an instance.
#pragma once

#include "eta/core/Count.h"
#include "reactor/MetricSource.h"

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <span>

namespace emissary::ema {

/// The groups of one instance. Everything with the session lock held.
class AddedCountsTable {
public:
    /// A table of totals, whose rows live for ever, and their values.
    struct Group {
        std::span<const eta::CountRow> rows;
        std::function<std::uint64_t(std::size_t row)> value;  ///< called with the session lock held; throws nothing
    };
    using Place = std::list<Group>::iterator;

    /// Every snapshot has the group's counts from now on. Groups with the same rows are summed.
    [[nodiscard]] Place add(reactor::Reactor& loop, Group group);
    /// Takes it back; what it has counted stays in the sums.
    void remove(Place group) noexcept;
    /// Before the loop ends.
    void close() noexcept { source_.reset(); }

private:
    void collect(reactor::metrics::Snapshot& into) const;

    std::list<Group> groups_;
    std::map<const eta::CountRow*, std::uint64_t> ended_;  // what groups that are gone have counted; every row
    std::optional<reactor::MetricSource> source_;          // with the first group
};

}  // namespace emissary::ema
