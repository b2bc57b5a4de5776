// The seam between framing and what carries the bytes: plain TCP here; TLS and others implement the same.
#pragma once

#include "eta/core/bytes.h"

#include <span>

#include <sys/uio.h>

namespace emissary::eta::transport {

struct IoResult {
    enum class Kind : std::uint8_t { ok, wouldBlock, end, error };
    Kind kind = Kind::ok;
    std::size_t bytes = 0;
    int error = 0;  ///< errno
};

/// A non-blocking stream of bytes. receive() and send() may be called by different threads at the same time (one each);
/// close() not beside either.
class ByteStream {
public:
    ByteStream() = default;
    ByteStream(const ByteStream&) = delete;
    ByteStream& operator=(const ByteStream&) = delete;
    virtual ~ByteStream() = default;

    /// Whatever the stream needs before bytes may flow (TCP connect, TLS handshake): ok when done.
    [[nodiscard]] virtual IoResult handshake() noexcept = 0;
    [[nodiscard]] virtual IoResult receive(std::span<std::byte> into) noexcept = 0;
    /// May take only a part; `bytes` says how much.
    [[nodiscard]] virtual IoResult send(std::span<const iovec> parts) noexcept = 0;
    /// Both directions end; the descriptor stays.
    virtual void shutdown() noexcept = 0;
    virtual void close() noexcept = 0;
    [[nodiscard]] virtual int fd() const noexcept = 0;
};

}  // namespace emissary::eta::transport
