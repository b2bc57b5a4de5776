// The connection that a tunnel runs on.
#pragma once

#include "eta/codec/Msg.h"
#include "eta/core/bytes.h"

namespace emissary::reactor::tunnel {

/// Session lock held throughout.
class Wire {
public:
    virtual ~Wire() = default;
    /// Queues a ready-made message, behind everything that was written before. Errc::noBuffers: not now, the caller
    /// keeps it; any other error: the connection is gone.
    [[nodiscard]] virtual eta::Error tryWrite(eta::Bytes message) noexcept = 0;
    /// Queues a message, now or a little later, and in order. Lost only together with the connection.
    virtual void write(const eta::codec::Msg& message) = 0;
};

}  // namespace emissary::reactor::tunnel
