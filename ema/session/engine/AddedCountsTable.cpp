// Collects the groups for a snapshot, and keeps the totals of those that are gone.
#include "session/engine/AddedCountsTable.h"

#include "reactor/metrics/Snapshot.h"

#include <utility>

namespace emissary::ema {

AddedCountsTable::Place AddedCountsTable::add(reactor::Reactor& loop, Group group) {
    if (!source_) source_.emplace(loop, [this](reactor::metrics::Snapshot& into) { collect(into); });
    for (const eta::CountRow& row : group.rows)
        // Room for the totals is made here: remove() must not fail.
        ended_.try_emplace(&row);
    return groups_.insert(groups_.end(), std::move(group));
}

void AddedCountsTable::remove(Place group) noexcept {
    for (std::size_t i = 0; i < group->rows.size(); ++i)
        ended_.find(&group->rows[i])->second += group->value(i);
    groups_.erase(group);
}

void AddedCountsTable::collect(reactor::metrics::Snapshot& into) const {
    for (const auto& [row, value] : ended_)
        into.add(*row, value);
    for (const Group& group : groups_)
        for (std::size_t i = 0; i < group.rows.size(); ++i)
            into.add(group.rows[i], group.value(i));
}

}  // namespace emissary::ema
