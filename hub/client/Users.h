// Counts the logins and mounts of each user, for the limits of one user (hub.md 11.2).
#pragma once

#include "hub/core/Client.h"

#include <boost/unordered/unordered_flat_map.hpp>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

namespace emissary::hub::client {

/// Clients that are logged in, by user name. Stage thread only.
class Users {
public:
    void add(const Client& client) { byName_[client.user].push_back(&client); }
    /// Nothing when it was not added.
    void remove(const Client& client) noexcept {
        const auto at = byName_.find(client.user);
        if (at == byName_.end()) return;
        std::erase(at->second, &client);
        if (at->second.empty()) byName_.erase(at);
    }
    /// All of one user, in the order of their logins; valid until somebody comes or goes.
    [[nodiscard]] std::span<const Client* const> of(const std::string& user) const noexcept {
        const auto at = byName_.find(user);
        if (at == byName_.end()) return {};
        return at->second;
    }
    [[nodiscard]] std::size_t logins(const std::string& user) const noexcept {
        const auto at = byName_.find(user);
        return at == byName_.end() ? 0 : at->second.size();
    }
    /// Streams of items that the user has open, on all connections.
    [[nodiscard]] std::size_t mounts(const std::string& user) const noexcept {
        std::size_t sum = 0;
        if (const auto at = byName_.find(user); at != byName_.end())
            for (const Client* const client : at->second)
                sum += client->mounts.size();
        return sum;
    }

private:
    boost::unordered_flat_map<std::string, std::vector<const Client*>> byName_;
};

}  // namespace emissary::hub::client
