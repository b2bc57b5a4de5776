// Edge: the dictionary of an owner, for a node that has none of its own.
#include "hub/mesh/Edge.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace emissary::hub::mesh {

namespace {

/// The best rank that the owner has for any service.
[[nodiscard]] std::uint8_t rankOf(const Remote& r) noexcept {
    std::uint8_t best = 0xFF;
    for (const auto& [name, service] : r.directory.services())
        best = std::min(best, service.rank);
    return best;
}

}  // namespace

void Edge::wantDictionary(bool wanted) {
    wantsDictionary_ = wanted;
    dictionary_ = 0;
    fetching_.clear();
}

std::vector<Edge::OfferedDictionary> Edge::dictionaries() const {
    std::vector<OfferedDictionary> all;
    for (const Remote& r : remotes_)
        if (reachable(r) && r.dictionary != 0 && !r.directory.services().empty())
            all.push_back({r.node, r.directory.services().begin()->second.hub, r.dictionaryVersion});
    return all;
}

std::uint32_t Edge::bestDictionary() const noexcept {
    std::uint32_t best = kNoOwner;
    for (std::uint32_t i = 0; i < remotes_.size(); ++i) {
        const Remote& r = remotes_[i];
        if (!reachable(r) || r.dictionary == 0 || r.dictionary == badDictionary_ || r.directory.services().empty())
            continue;
        if (best == kNoOwner || std::tuple(rankOf(r), r.node) < std::tuple(rankOf(remotes_[best]), remotes_[best].node))
            best = i;
    }
    return best;
}

void Edge::pumpDictionary(eta::TimePoint now) {
    if (!wantsDictionary_) return;
    const std::uint32_t slot = bestDictionary();
    if (slot == kNoOwner || remotes_[slot].dictionary == dictionary_) return;
    Remote& r = remotes_[slot];
    if (!fetching_.begin(r.dictionary, r.dictionaryParts)) {
        badDictionary_ = r.dictionary;
        return counts_.refusedDictionaries.add();
    }
    fetching_.pump(now, options_.retry, [&](std::uint32_t number) {
        std::array<std::byte, 8> id;
        eta::storeBe(id.data(), r.dictionary);
        addRequest(r, Kind::dictionaryPart, number, 0, id);
    });
}

void Edge::dictionaryPart(const Remote& r, const Record& record) {
    eta::BeReader in(record.body);
    const auto id = in.read<std::uint64_t>();
    // Parts of one that is not wanted any more are late, and nothing else.
    if (!in.ok() || in.remaining() > kMostDictionaryPart) return counts_.ignoredRecords.add();
    if (!wantsDictionary_ || id == 0 || id != fetching_.got().id) return;
    if (!fetching_.take(id, record.number, in.rest())) {
        fetching_.clear();
        badDictionary_ = id;
        return counts_.refusedDictionaries.add();
    }
    if (!fetching_.complete()) return;
    const auto& services = r.directory.services();
    if (listener_.dictionary(fetching_.got(), services.empty() ? std::string() : services.begin()->second.hub)) {
        dictionary_ = id;
        counts_.dictionaries.add();
    } else {
        badDictionary_ = id;
        counts_.refusedDictionaries.add();
    }
    fetching_.clear();
}

}  // namespace emissary::hub::mesh
