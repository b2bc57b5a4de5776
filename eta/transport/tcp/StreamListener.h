// The listening side of a connection type.
#pragma once

#include "transport/tcp/TcpStream.h"

#include <memory>

namespace emissary::eta::transport {

/// Meets those who connect, one after the other; whether they may stay is the server's business. One thread.
class StreamListener {
public:
    enum class Knock : std::uint8_t {
        nobody,
        somebody,    ///< until take(), turnAway() or the next call of next()
        turnedAway,  ///< hung up on at once: the process has no descriptor left
    };
    virtual ~StreamListener() = default;
    /// When it is readable, next() may have something.
    [[nodiscard]] virtual int fd() const noexcept = 0;
    [[nodiscard]] virtual std::uint16_t port() const noexcept = 0;
    [[nodiscard]] virtual Knock next() noexcept = 0;
    /// Of whom next() met: the socket, -1 when it is of no use to anybody else; the address, empty when it has none.
    [[nodiscard]] virtual int socket() const noexcept { return -1; }
    [[nodiscard]] virtual SocketAddress peer() const noexcept { return {}; }
    [[nodiscard]] virtual std::unique_ptr<ByteStream> take() = 0;
    virtual void turnAway() noexcept = 0;
    virtual void close() noexcept = 0;
};

}  // namespace emissary::eta::transport
