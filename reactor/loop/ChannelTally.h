// The counts of connections, by place.
#pragma once

#include "loop/LinkImpl.h"
#include "reactor/metrics/Snapshot.h"

#include <map>
#include <string>

namespace emissary::reactor {

class LinkTable;

/// The counts of connections by the place that they lead to, those that have ended included. Guarded by the session
/// lock.
class ChannelTally {
public:
    /// Stays for ever.
    [[nodiscard]] ChannelTotals& of(std::string place);
    /// Adds all, with the counts of the links that are up, under these labels and one for the place.
    void collect(const LinkTable& links, const metrics::Labels& common, metrics::Snapshot& into) const;

private:
    std::map<std::string, ChannelTotals> totals_;
};

}  // namespace emissary::reactor
