// permessage-deflate (RFC 7692) of one direction: whole messages, raw deflate, the sync marker left out.
#pragma once

#include "transport/stream/StagedStream.h"

#include <zlib.h>

namespace emissary::eta::transport::ws {

class MessageInflater {
public:
    MessageInflater() = default;
    MessageInflater(const MessageInflater&) = delete;
    MessageInflater& operator=(const MessageInflater&) = delete;
    ~MessageInflater();
    [[nodiscard]] bool start() noexcept;
    enum class Outcome : std::uint8_t { ok, damaged, tooBig, outOfMemory };
    /// One message into `out`, which is cleared first; never more than `limit` bytes.
    [[nodiscard]] Outcome inflate(Bytes message, std::size_t limit, Staging& out) noexcept;

private:
    z_stream z_{};
    bool live_ = false;
};

class MessageDeflater {
public:
    MessageDeflater() = default;
    MessageDeflater(const MessageDeflater&) = delete;
    MessageDeflater& operator=(const MessageDeflater&) = delete;
    ~MessageDeflater();
    /// `forget`: no history from one message to the next (…_no_context_takeover).
    [[nodiscard]] bool start(int level, bool forget) noexcept;
    /// Appends a part of a message, compressed; `last` ends the message.
    [[nodiscard]] bool deflate(Bytes part, bool last, Staging& out) noexcept;

private:
    z_stream z_{};
    bool live_ = false, forget_ = false;
};

}  // namespace emissary::eta::transport::ws
