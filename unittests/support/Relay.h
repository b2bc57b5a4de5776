// A faulty wire: sits between one client and a provider, and cuts, stalls, spoils or crumbles what passes.
#pragma once

#include "support/catch.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace emissary::test {

/// Driven by pump(); never blocks. One connection after another, one at a time.
class Relay {
public:
    static constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();
    /// What happens to the bytes of one direction, counted from the start of the connection.
    struct Faults {
        std::size_t crumb = kNever;     ///< at most so many bytes in one go
        std::size_t cutAfter = kNever;  ///< then both ends are reset
        std::size_t stallAfter = kNever;
        std::size_t spoilAt = kNever;  ///< this byte is inverted
    };
    Faults fromClient, fromServer;

    explicit Relay(std::uint16_t serverPort) : serverPort_(serverPort), listener_(tcp()) {
        sockaddr_in at = loopback(0);
        REQUIRE(::bind(listener_, reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0);
        REQUIRE(::listen(listener_, 16) == 0);
        socklen_t size = sizeof at;
        REQUIRE(::getsockname(listener_, reinterpret_cast<sockaddr*>(&at), &size) == 0);
        port_ = ntohs(at.sin_port);
    }
    ~Relay() {
        hangUp();
        ::close(listener_);
    }
    Relay(const Relay&) = delete;
    Relay& operator=(const Relay&) = delete;
    [[nodiscard]] std::uint16_t port() const noexcept { return port_; }
    [[nodiscard]] std::size_t passedFromClient() const noexcept { return up_.passed; }
    [[nodiscard]] std::size_t passedFromServer() const noexcept { return down_.passed; }
    /// Resets both ends of the connection, if there is one.
    void cut() noexcept { hangUp(); }
    /// Appends what clients send; null = no more.
    void recordTo(std::vector<std::byte>* bytes) noexcept { record_ = bytes; }

    /// Until something can be read, at most a millisecond: what is held back may go then.
    void wait() const {
        pollfd fds[] = {{client_ < 0 ? listener_ : client_, POLLIN, 0}, {server_, POLLIN, 0}};
        (void)::poll(fds, 2, 1);
    }
    void pump() {
        if (client_ < 0) {
            client_ = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
            if (client_ < 0) return;
            const int on = 1;
            ::setsockopt(client_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
            server_ = tcp();
            const sockaddr_in to = loopback(serverPort_);
            if (::connect(server_, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0 && errno != EINPROGRESS)
                return hangUp();
            up_ = down_ = {};
        }
        if (!pass(client_, server_, fromClient, up_, record_) || !pass(server_, client_, fromServer, down_, nullptr))
            hangUp();
    }

private:
    struct Flow {
        std::vector<char> held;
        std::size_t passed = 0;
    };
    /// Both ends send at once, as what is relayed does.
    [[nodiscard]] static int tcp() {
        const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), on = 1;
        ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        return fd;
    }
    [[nodiscard]] static sockaddr_in loopback(std::uint16_t port) {
        sockaddr_in a{};
        a.sin_family = AF_INET;
        a.sin_port = htons(port);
        a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        return a;
    }
    /// False when the connection has ended, or is to.
    static bool pass(int from, int to, const Faults& faults, Flow& flow, std::vector<std::byte>* record) {
        char block[4096];
        const ssize_t got = ::recv(from, block, sizeof block, 0);
        if (got == 0 || (got < 0 && errno != EAGAIN)) return false;
        if (got > 0) flow.held.insert(flow.held.end(), block, block + got);
        for (ssize_t i = 0; record != nullptr && i < got; ++i)
            record->push_back(static_cast<std::byte>(block[i]));
        std::size_t most = std::min(flow.held.size(), faults.crumb);
        const std::size_t end = std::min(faults.cutAfter, faults.stallAfter);
        most = std::min(most, end - std::min(flow.passed, end));
        if (most != 0) {
            if (faults.spoilAt >= flow.passed && faults.spoilAt < flow.passed + most)
                flow.held[faults.spoilAt - flow.passed] = static_cast<char>(~flow.held[faults.spoilAt - flow.passed]);
            const ssize_t sent = ::send(to, flow.held.data(), most, MSG_NOSIGNAL);
            if (sent < 0) return errno == EAGAIN || errno == ENOTCONN;
            flow.passed += static_cast<std::size_t>(sent);
            flow.held.erase(flow.held.begin(), flow.held.begin() + sent);
        }
        return flow.passed < faults.cutAfter;
    }
    void hangUp() noexcept {
        const linger now{1, 0};
        for (int* fd : {&client_, &server_}) {
            if (*fd < 0) continue;
            ::setsockopt(*fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
            ::close(*fd);
            *fd = -1;
        }
    }

    std::uint16_t serverPort_, port_ = 0;
    int listener_, client_ = -1, server_ = -1;
    Flow up_, down_;
    std::vector<std::byte>* record_ = nullptr;
};

}  // namespace emissary::test
