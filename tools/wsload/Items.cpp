// Reads or makes the names, and deals them out.
#include "Items.h"

#include <algorithm>
#include <fstream>
#include <random>
#include <stdexcept>
#include <unordered_set>

namespace emissary::wsload {

Items::Items(const Options& options) : options_(options) {
    const std::uint64_t needed =
        options.share == Share::distinct ? std::uint64_t{options.clients} * options.streams : options.streams;
    if (options.itemFile.empty()) {
        const std::uint64_t all = options.items != 0 ? options.items : needed;
        for (std::uint64_t i = 0; i < all; ++i)
            names_.push_back("WEB" + std::to_string(i));
    } else {
        std::ifstream file(options.itemFile);
        if (!file) throw std::runtime_error("cannot read the item file " + options.itemFile);
        for (std::string name; std::getline(file, name) && (options.items == 0 || names_.size() < options.items);)
            if (!name.empty()) names_.push_back(name);
        if (names_.size() < options.items)
            throw std::runtime_error(options.itemFile + " has " + std::to_string(names_.size()) + " items, -items is " +
                                     std::to_string(options.items));
    }
    if (names_.size() < needed)
        throw std::runtime_error("the clients need " + std::to_string(needed) + " items, there are " +
                                 std::to_string(names_.size()));
    if (options.share != Share::zipf) return;
    double sum = 0;
    for (std::size_t rank = 1; rank <= names_.size(); ++rank)
        weights_.push_back(sum += 1 / static_cast<double>(rank));
}

std::vector<std::uint32_t> Items::of(unsigned client) const {
    std::vector<std::uint32_t> taken(options_.streams);
    if (options_.share != Share::zipf) {
        const auto first = options_.share == Share::distinct ? client * options_.streams : 0;
        for (unsigned i = 0; i < options_.streams; ++i)
            taken[i] = first + i;
        return taken;
    }
    // The same seed gives every client the same items again, whatever the number of threads.
    std::mt19937_64 random(options_.seed * 1'000'003 + client);
    std::uniform_real_distribution<double> anywhere(0, weights_.back());
    std::unordered_set<std::uint32_t> have;
    for (std::uint32_t& item : taken) {
        auto at = static_cast<std::uint32_t>(std::ranges::upper_bound(weights_, anywhere(random)) - weights_.begin());
        at = std::min(at, static_cast<std::uint32_t>(names_.size() - 1));
        while (!have.insert(at).second)  // taken before: the next one that is not
            at = (at + 1) % static_cast<std::uint32_t>(names_.size());
        item = at;
    }
    return taken;
}

}  // namespace emissary::wsload
