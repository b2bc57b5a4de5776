// A port for a program that a test starts.
#pragma once

#include <random>
#include <stdexcept>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace emissary::test {

/// One that nobody uses now. It lies below those that the kernel gives to connections: between now and its use none of
/// many tests beside each other is given it.
[[nodiscard]] inline int freePort() {
    static std::random_device random;
    std::uniform_int_distribution<int> below(10000, 31999);
    for (int tries = 0; tries < 1000; ++tries) {
        const int port = below(random);
        const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in at{};
        at.sin_family = AF_INET;
        at.sin_port = htons(static_cast<std::uint16_t>(port));
        const bool bound = ::bind(fd, reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0;
        ::close(fd);
        if (bound) return port;
    }
    throw std::runtime_error("no free port between 10000 and 32000");
}

}  // namespace emissary::test
