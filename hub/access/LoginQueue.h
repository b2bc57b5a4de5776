// hub/access: logins that wait to be put to LoginCommand, network by network.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace emissary::hub::access {

/// One login of each network and then of the next, so that many from one keep others waiting for one. Counts the bytes
/// of a network's questions until they are answered. One thread.
class LoginQueue {
public:
    /// A network may have that many bytes more.
    [[nodiscard]] bool hasRoom(const std::string& network, std::size_t bytes) const noexcept;
    void add(const std::string& network, std::uint64_t id, std::size_t bytes);
    /// One that was taken waits once more.
    void putBack(const std::string& network, std::uint64_t id);
    /// It waits no more, and its bytes are the network's until release().
    void take(const std::string& network, std::uint64_t id) noexcept;
    void release(const std::string& network, std::uint64_t id, std::size_t bytes) noexcept;
    /// Of the network whose turn it is; 0: none waits.
    [[nodiscard]] std::uint64_t next();
    [[nodiscard]] bool empty() const noexcept { return waiting_ == 0; }

    static constexpr std::size_t kMostBytes = 2u << 20;  ///< of one network

private:
    struct Network {
        std::set<std::uint64_t> waits;
        std::size_t bytes = 0;
    };
    std::map<std::string, Network> networks_;  // those with a question
    std::string served_;                       // whose login was the last
    std::size_t waiting_ = 0;
};

}  // namespace emissary::hub::access
