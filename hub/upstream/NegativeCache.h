// Refusals of sources that are remembered for a moment (hub.md 4.3, NegativeCache).
#pragma once

#include "hub/core/Item.h"
#include "reactor/rdm/Directory.h"

#include <deque>
#include <string>
#include <unordered_map>

namespace emissary::hub::upstream {

/// Keeps at most kMost refusals; the oldest is dropped first. Stage thread only.
class NegativeCache {
public:
    static constexpr std::size_t kMost = 100'000;

    void add(const Item& item, const eta::codec::State& state, eta::TimePoint until) {
        if (order_.size() >= kMost) dropFirst();
        const std::string key = keyOf(item);
        states_.insert_or_assign(key, Entry{reactor::rdm::OwnedState::from(state), until});
        order_.push_back({until, key});
    }
    /// Null: nothing is remembered. Valid until the next call.
    [[nodiscard]] const reactor::rdm::OwnedState* find(const Item& item, eta::TimePoint now) {
        while (!order_.empty() && order_.front().first <= now)
            dropFirst();
        if (states_.empty()) return nullptr;
        const auto at = states_.find(keyOf(item));
        return at != states_.end() && at->second.until > now ? &at->second.state : nullptr;
    }
    [[nodiscard]] std::size_t size() const noexcept { return states_.size(); }

private:
    struct Entry {
        reactor::rdm::OwnedState state;
        eta::TimePoint until;
    };
    static std::string keyOf(const Item& item) {
        std::string key{static_cast<char>(item.service >> 8), static_cast<char>(item.service & 0xFF),
                        static_cast<char>(item.domain)};
        return key.append(eta::asText(item.key()));
    }
    void dropFirst() {
        const auto& [until, key] = order_.front();
        const auto at = states_.find(key);
        if (at != states_.end() && at->second.until <= until) states_.erase(at);  // not one that came since
        order_.pop_front();
    }
    std::unordered_map<std::string, Entry> states_;
    std::deque<std::pair<eta::TimePoint, std::string>> order_;
};

}  // namespace emissary::hub::upstream
