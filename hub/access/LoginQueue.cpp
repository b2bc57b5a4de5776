// Finds the network whose login comes next.
#include "hub/access/LoginQueue.h"

namespace emissary::hub::access {

bool LoginQueue::hasRoom(const std::string& network, std::size_t bytes) const noexcept {
    const auto at = networks_.find(network);
    return (at == networks_.end() ? 0 : at->second.bytes) + bytes <= kMostBytes;
}

void LoginQueue::add(const std::string& network, std::uint64_t id, std::size_t bytes) {
    Network& of = networks_[network];
    of.waits.insert(id);
    of.bytes += bytes;
    ++waiting_;
}

void LoginQueue::putBack(const std::string& network, std::uint64_t id) {
    if (networks_[network].waits.insert(id).second) ++waiting_;
}

void LoginQueue::take(const std::string& network, std::uint64_t id) noexcept {
    const auto at = networks_.find(network);
    if (at != networks_.end() && at->second.waits.erase(id) != 0) --waiting_;
}

void LoginQueue::release(const std::string& network, std::uint64_t id, std::size_t bytes) noexcept {
    take(network, id);
    const auto at = networks_.find(network);
    if (at == networks_.end()) return;
    at->second.bytes -= bytes;
    if (at->second.bytes == 0) networks_.erase(at);
}

std::uint64_t LoginQueue::next() {
    if (empty()) return 0;
    // All of a network's may be on their way: those without one that waits are passed over.
    auto at = networks_.upper_bound(served_);
    for (;; ++at) {
        if (at == networks_.end()) at = networks_.begin();
        if (!at->second.waits.empty()) break;
    }
    served_ = at->first;
    return *at->second.waits.begin();
}

}  // namespace emissary::hub::access
