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

std::uint32_t Edge::bestDictionary(eta::TimePoint now) const {
    std::uint32_t best = kNoOwner;
    for (std::uint32_t i = 0; i < remotes_.size(); ++i) {
        const Remote& r = remotes_[i];
        if (!reachable(r) || r.dictionary == 0 || now < r.dictionaryAgain || r.directory.services().empty() ||
            refusedDictionaries_.contains(r.node, r.dictionary))
            continue;
        if (best == kNoOwner || std::tuple(rankOf(r), r.node) < std::tuple(rankOf(remotes_[best]), remotes_[best].node))
            best = i;
    }
    return best;
}

void Edge::withoutDictionary(Remote& r, eta::TimePoint now) {
    fetching_.clear();
    r.dictionaryAgain = now + r.dictionaryPauses * options_.retry;
    r.dictionaryPauses = std::min(2 * r.dictionaryPauses, kMostDictionaryPauses);
}

void Edge::refuseDictionary(Remote& r, std::uint64_t id, eta::TimePoint now) {
    refusedDictionaries_.add(r.node, id);
    counts_.refusedDictionaries.add();
    withoutDictionary(r, now);
}

void Edge::pumpDictionary(eta::TimePoint now) {
    if (!wantsDictionary_) return;
    // What was begun is ended first: an owner of a better rank that fails again and again would hold up all others.
    if (fetching_.begun() && !reachable(remotes_[fetching_.slot()])) fetching_.clear();
    if (!fetching_.begun()) beginDictionary(now);
    if (!fetching_.begun()) return;
    Remote& r = remotes_[fetching_.slot()];
    if (r.dictionary != fetching_.got().id || r.dictionaryParts != fetching_.got().parts.size())
        return withoutDictionary(r, now);  // it offers another one now
    if (fetching_.complete()) return useDictionary(r, now);
    const bool sends = fetching_.pump(now, options_.retry, [&](std::uint32_t number) {
        std::array<std::byte, 8> id;
        eta::storeBe(id.data(), r.dictionary);
        r.requests.add(Kind::dictionaryPart, number, 0, id);
    });
    if (sends) return;
    counts_.unsentDictionaries.add();
    withoutDictionary(r, now);
}

void Edge::beginDictionary(eta::TimePoint now) {
    const std::uint32_t slot = bestDictionary(now);
    if (slot == kNoOwner || remotes_[slot].dictionary == dictionary_) return;
    Remote& r = remotes_[slot];
    if (!fetching_.begin(slot, r.dictionary, r.dictionaryParts, now)) refuseDictionary(r, r.dictionary, now);
}

void Edge::useDictionary(Remote& r, eta::TimePoint now) {
    const auto& services = r.directory.services();
    const DictionaryUse use = listener_.dictionary(
        fetching_.got(), services.empty() ? std::string() : services.begin()->second.hub, fetching_.step());
    if (use == DictionaryUse::more) return;
    if (use == DictionaryUse::refused) return refuseDictionary(r, fetching_.got().id, now);
    dictionary_ = fetching_.got().id;
    counts_.dictionaries.add();
    r.dictionaryPauses = 1;
    fetching_.clear();
}

void Edge::dictionaryPart(Remote& r, const Record& record) {
    eta::BeReader in(record.body);
    const auto id = in.read<std::uint64_t>();
    if (!in.ok() || in.remaining() > kMostDictionaryPart) return counts_.ignoredRecords.add();
    // Parts of one that is not wanted any more are late, and nothing else.
    if (!wantsDictionary_ || id == 0 || id != fetching_.got().id) return;
    if (&r != &remotes_[fetching_.slot()]) return counts_.ignoredRecords.add();  // it was not asked
    if (!fetching_.take(id, record.number, in.rest())) refuseDictionary(r, id, sender_.bus().now());
}

}  // namespace emissary::hub::mesh
