// A faulty wire: sits between one client and a provider, and cuts, stalls, spoils or crumbles what passes.
#pragma once

#include "support/catch.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace emissary::test {

/// Driven by pump(); never blocks. One connection after another, one at a time or as many as it was made for.
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
    /// May change what the server sends, of the same length, block by block as it is read; empty: nobody does.
    std::function<void(char* bytes, std::size_t count)> change;

    explicit Relay(std::uint16_t serverPort, std::size_t atOnce = 1)
        : serverPort_(serverPort), atOnce_(atOnce), listener_(tcp()) {
        sockaddr_in at = loopback(0);
        REQUIRE(::bind(listener_, reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0);
        REQUIRE(::listen(listener_, 16) == 0);
        socklen_t size = sizeof at;
        REQUIRE(::getsockname(listener_, reinterpret_cast<sockaddr*>(&at), &size) == 0);
        port_ = ntohs(at.sin_port);
    }
    ~Relay() {
        cut();
        ::close(listener_);
    }
    Relay(const Relay&) = delete;
    Relay& operator=(const Relay&) = delete;
    [[nodiscard]] std::uint16_t port() const noexcept { return port_; }
    /// On the latest connection.
    [[nodiscard]] std::size_t passedFromClient() const noexcept { return passedUp_; }
    [[nodiscard]] std::size_t passedFromServer() const noexcept { return passedDown_; }
    /// Resets both ends of all connections that there are.
    void cut() noexcept {
        for (const Ends& c : connections_)
            hangUp(c);
        connections_.clear();
    }
    /// Appends what clients send; null = no more.
    void recordTo(std::vector<std::byte>* bytes) noexcept { record_ = bytes; }

    /// Until something can be read, at most a millisecond: what is held back may go then.
    void wait() const {
        std::vector<pollfd> fds;
        if (connections_.size() < atOnce_) fds.push_back({listener_, POLLIN, 0});
        for (const Ends& c : connections_) {
            fds.push_back({c.client, POLLIN, 0});
            fds.push_back({c.server, POLLIN, 0});
        }
        (void)::poll(fds.data(), fds.size(), 1);
    }
    void pump() {
        while (connections_.size() < atOnce_ && accepted()) {}
        std::erase_if(connections_, [&](Ends& c) {
            const bool goesOn = pass(c.client, c.server, fromClient, c.up, record_, {}) &&
                                pass(c.server, c.client, fromServer, c.down, nullptr, change);
            passedUp_ = c.up.passed;
            passedDown_ = c.down.passed;
            if (!goesOn) hangUp(c);
            return !goesOn;
        });
    }

private:
    struct Flow {
        std::vector<char> held;
        std::size_t passed = 0;
    };
    struct Ends {
        int client = -1, server = -1;
        Flow up{}, down{};
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
    static bool pass(int from, int to, const Faults& faults, Flow& flow, std::vector<std::byte>* record,
                     const std::function<void(char*, std::size_t)>& change) {
        char block[4096];
        const ssize_t got = ::recv(from, block, sizeof block, 0);
        if (got == 0 || (got < 0 && errno != EAGAIN)) return false;
        if (got > 0 && change) change(block, static_cast<std::size_t>(got));
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
    /// A client that waits is connected to the server, if there is one.
    bool accepted() {
        Ends c;
        c.client = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (c.client < 0) return false;
        const int on = 1;
        ::setsockopt(c.client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        c.server = tcp();
        const sockaddr_in to = loopback(serverPort_);
        passedUp_ = passedDown_ = 0;
        if (::connect(c.server, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0 && errno != EINPROGRESS)
            hangUp(c);
        else connections_.push_back(std::move(c));
        return true;
    }
    static void hangUp(const Ends& c) noexcept {
        const linger now{1, 0};
        for (const int fd : {c.client, c.server}) {
            ::setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
            ::close(fd);
        }
    }

    std::uint16_t serverPort_, port_ = 0;
    std::size_t atOnce_;
    int listener_;
    std::vector<Ends> connections_;
    std::size_t passedUp_ = 0, passedDown_ = 0;
    std::vector<std::byte>* record_ = nullptr;
};

}  // namespace emissary::test
