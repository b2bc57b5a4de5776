// Counts the logins and mounts of each user, for the limits of one user (hub.md 11.2).
#pragma once

#include "hub/core/Client.h"

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

namespace emissary::hub::client {

/// Clients that are logged in, by user name. A call costs one look-up, however many connections a user has. Stage
/// thread only.
class Users {
public:
    Users() = default;
    ~Users() {
        for (auto& [name, user] : byName_)
            for (auto& [number, client] : user.clients)
                client->userMounts = nullptr;
    }
    Users(const Users&) = delete;
    Users& operator=(const Users&) = delete;

    void add(Client& client) {
        User& user = byName_[client.user];
        if (!user.clients.emplace(client.connection, &client).second) return;
        user.mounts += client.mounts.size();
        client.userMounts = &user.mounts;
    }
    /// Nothing when it was not added.
    void remove(Client& client) noexcept {
        const auto at = byName_.find(client.user);
        if (at == byName_.end()) return;
        if (at->second.clients.erase(client.connection) == 0) return;
        client.userMounts = nullptr;
        at->second.mounts -= client.mounts.size();
        if (at->second.clients.empty()) byName_.erase(at);
    }
    /// Calls back with all of one user, in the order in which they have come.
    template <class Each>
    void forEach(const std::string& user, Each&& each) const {
        if (const auto at = byName_.find(user); at != byName_.end())
            for (const auto& [number, client] : at->second.clients)
                each(std::as_const(*client));
    }
    [[nodiscard]] std::size_t logins(const std::string& user) const noexcept {
        const auto at = byName_.find(user);
        return at == byName_.end() ? 0 : at->second.clients.size();
    }
    /// Streams of items that the user has open, on all connections.
    [[nodiscard]] std::size_t mounts(const std::string& user) const noexcept {
        const auto at = byName_.find(user);
        return at == byName_.end() ? 0 : at->second.mounts;
    }

private:
    struct User {
        std::map<std::uint64_t, Client*> clients;  ///< by Client::connection: one of many goes without a look at others
        std::size_t mounts = 0;                    ///< of `clients`; MountsOf counts (Client::userMounts)
    };
    std::unordered_map<std::string, User> byName_;  // a User stays where it is
};

}  // namespace emissary::hub::client
