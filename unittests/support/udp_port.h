// Ports for the groups of multicast tests.
#pragma once

#include <atomic>
#include <cstdint>
#include <stdexcept>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace emissary::test {

/// A UDP port that nobody uses, another one each time. It lies below the range from which the system takes ports by
/// itself: no socket that asks for any port comes in between before the test opens its own.
inline std::uint16_t freeUdpPort() {
    constexpr unsigned kFirst = 20000, kCount = 12000;
    static std::atomic<unsigned> next{static_cast<unsigned>(::getpid()) * 131};
    for (unsigned tries = 0; tries < kCount; ++tries) {
        const auto port = static_cast<std::uint16_t>(kFirst + next++ % kCount);
        const int fd = ::socket(AF_INET, SOCK_DGRAM, 0);
        sockaddr_in a{};
        a.sin_family = AF_INET;
        a.sin_port = htons(port);
        const bool isFree = ::bind(fd, reinterpret_cast<const sockaddr*>(&a), sizeof a) == 0;
        ::close(fd);
        if (isFree) return port;
    }
    throw std::runtime_error("no free UDP port from 20000 to 31999");
}

}  // namespace emissary::test
