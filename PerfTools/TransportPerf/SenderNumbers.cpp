// Finds the place of a sender, and gives the place that was idle longest to a new one.
#include "SenderNumbers.h"

#include <algorithm>
#include <utility>

namespace emissary::perf {

SenderNumbers::Place SenderNumbers::place(const eta::transport::DatagramInfo* sender, std::uint64_t number,
                                          std::uint64_t& due) {
    ++clock_;
    for (Sender& s : known_) {
        if (sender != nullptr &&
            (s.port != sender->port || s.instance != sender->instanceId || s.address != sender->address))
            continue;
        s.heard = clock_;
        // After a gap the count goes on from what was received: one lost message is reported once, not for every one
        // behind it.
        due = std::exchange(s.due, number + 1);
        return number == due ? Place::next : Place::other;
    }
    Sender fresh;
    if (sender != nullptr) fresh = {sender->address, sender->port, sender->instanceId};
    fresh.due = number + 1;
    fresh.heard = clock_;
    if (known_.size() < kMaxSenders) known_.push_back(std::move(fresh));
    else  // in place of the one that has been silent longest
        *std::min_element(known_.begin(), known_.end(),
                          [](const Sender& a, const Sender& b) { return a.heard < b.heard; }) = std::move(fresh);
    return Place::first;
}

}  // namespace emissary::perf
