// A listening socket that hands out channels.
#pragma once

#include "eta/transport/Channel.h"

#include <cstdint>
#include <memory>
#include <string>

namespace emissary::eta::transport {

/// A listening socket. Belongs to one thread; the channels it accepts may move to others and outlive it.
class Server final {
public:
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    ~Server();
    /// Listens. Null when refused: the text names the port and the reason ("port 14002 is in use ...").
    [[nodiscard]] static std::unique_ptr<Server> bind(const BindOptions& options, Refused& refused);
    /// Descriptor for epoll: readable when accept() may have something. -1 after close().
    [[nodiscard]] int fd() const noexcept;
    /// The port in use, also when "0" was asked for.
    [[nodiscard]] std::uint16_t port() const noexcept;
    /// Next pending connection in state initializing, or null when none waits. Above a cap the connection that has got
    /// least far is closed instead (evicted), its channel finds the peer gone; where all may stay the newcomer is
    /// closed and counted (refusedBusy) on the way.
    [[nodiscard]] std::unique_ptr<Channel> accept(TimePoint now) noexcept;
    /// Counters of this listener and, as they happen, of the channels it accepted.
    [[nodiscard]] ServerCounters counters() const noexcept;
    /// Stops listening; accepted channels go on.
    void close() noexcept;

private:
    struct Impl;
    explicit Server(std::unique_ptr<Impl> impl) noexcept;
    std::unique_ptr<Impl> impl_;
};

}  // namespace emissary::eta::transport
