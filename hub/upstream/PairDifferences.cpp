// Adds what comparisons have found to the counts of the service.
#include "hub/upstream/PairDifferences.h"

#include "hub/upstream/Standbys.h"
#include "hub/upstream/UpstreamSource.h"

#include <algorithm>

namespace emissary::hub::upstream {

void PairDifferences::leaveOut(const Service& service, const Item& item, const SecondStream& second) {
    const auto [low, high] = std::minmax({item.source->number(), second.source->number()});
    const std::tuple pair(service.id, low, high);
    // Known from now on, whether or not a line says so: this is asked with each update, and must not allocate.
    if (!log_ || leftOut_.contains(pair)) return;
    leftOut_.insert(pair);
    if (!lines_.pass()) return;
    const bool json = second.source->speaksJson();
    log_(Severity::warning, "updates of service '" + service.name + "' are not compared between source '" +
                                item.source->name() + "' and source '" + second.source->name() +
                                "', which stands by: " + (json ? "the standby" : "the active one") +
                                " speaks JSON and the other does not. Use one protocol for both to compare them");
}

void PairDifferences::count(Service& service, const Item& item, const SecondStream& second,
                            const PairWindow::Found& found) {
    auto& pair = service.counts.pair;
    if (pair == nullptr) pair = std::make_unique<PairCounts>();
    const std::array<std::uint32_t, kPairResultNames.size()> by{found.same, found.missing, found.extra, found.different,
                                                                found.late};
    for (std::size_t i = 0; i < by.size(); ++i)
        (*pair)[i].updates += by[i];
    if (!found.differs() || !log_) return;
    const auto [next, fresh] = next_.try_emplace(service.id);
    if ((!fresh && reactor_.now() < next->second) || !lines_.pass()) return;
    next->second = reactor_.now() + kPeriod;
    std::string line = "source '" + second.source->name() + "' stands by for service '" + service.name +
                       "' and differs from source '" + item.source->name() + "', at item '" + item.name() +
                       "' now; updates so far:";
    for (std::size_t i = 0; i < by.size(); ++i)
        line += (i == 0 ? " " : ", ") + std::to_string((*pair)[i].updates.get()) + " " + kPairResultNames[i];
    log_(Severity::warning, line);
}

}  // namespace emissary::hub::upstream
