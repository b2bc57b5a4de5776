// A client for HTTP servers on the loopback interface.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace emissary::test {

class Connection {
public:
    explicit Connection(std::uint16_t port) : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in a{};
        a.sin_family = AF_INET;
        a.sin_port = htons(port);
        a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        connected_ = ::connect(fd_, reinterpret_cast<const sockaddr*>(&a), sizeof a) == 0;
    }
    Connection(Connection&& other) noexcept : fd_(std::exchange(other.fd_, -1)), connected_(other.connected_) {}
    Connection& operator=(Connection&&) = delete;
    ~Connection() {
        if (fd_ >= 0) ::close(fd_);
    }
    void send(const std::string& text) {
        if (connected_) static_cast<void>(::send(fd_, text.data(), text.size(), MSG_NOSIGNAL));
    }
    /// Empty when the connection has ended, or nothing came in time.
    [[nodiscard]] std::string receiveSome(std::chrono::milliseconds patience = std::chrono::seconds(20)) {
        char buffer[65536];
        pollfd p{fd_, POLLIN, 0};
        if (::poll(&p, 1, static_cast<int>(patience.count())) <= 0) return {};
        const ssize_t n = connected_ ? ::recv(fd_, buffer, sizeof buffer, 0) : 0;
        return n > 0 ? std::string(buffer, static_cast<std::size_t>(n)) : std::string();
    }

    /// The other side has ended the connection; what comes before that is dropped.
    [[nodiscard]] bool ended(std::chrono::milliseconds patience = std::chrono::seconds(20)) {
        char buffer[65536];
        pollfd p{fd_, POLLIN, 0};
        while (connected_ && ::poll(&p, 1, static_cast<int>(patience.count())) > 0)
            if (::recv(fd_, buffer, sizeof buffer, 0) <= 0) return true;
        return !connected_;
    }

private:
    int fd_;
    bool connected_ = false;
};

/// Sends a request and returns everything that comes until the end of the connection.
[[nodiscard]] inline std::string http(std::uint16_t port, const std::string& request) {
    Connection c(port);
    c.send(request);
    std::string all;
    for (std::string part = c.receiveSome(); !part.empty(); part = c.receiveSome())
        all += part;
    return all;
}

[[nodiscard]] inline std::string httpGet(std::uint16_t port, const std::string& target) {
    return http(port, "GET " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
}

}  // namespace emissary::test
