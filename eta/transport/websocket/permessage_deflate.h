// permessage-deflate (RFC 7692) of one direction: whole messages, raw deflate, the sync marker left out.
#pragma once

#include "transport/stream/StagedStream.h"

#include <memory>

#include <zlib.h>

namespace emissary::eta::transport::ws {

/// The state of zlib for one direction, a few hundred kilobytes.
struct Inflating;
struct Deflating;
/// Gives it back to the thread, which keeps one of each kind for whoever needs it next.
struct GiveBack {
    void operator()(Inflating* state) const noexcept;
    void operator()(Deflating* state) const noexcept;
};

class MessageInflater {
public:
    MessageInflater() = default;
    MessageInflater(const MessageInflater&) = delete;
    MessageInflater& operator=(const MessageInflater&) = delete;
    ~MessageInflater();
    /// `forget`: the peer's messages do not refer to those before; then no state is kept between messages.
    [[nodiscard]] bool start(bool forget = false) noexcept;
    enum class Outcome : std::uint8_t { ok, damaged, tooBig, outOfMemory };
    /// One message into `out`, which is cleared first; never more than `limit` bytes.
    [[nodiscard]] Outcome inflate(Bytes message, std::size_t limit, Staging& out) noexcept;

private:
    [[nodiscard]] Outcome inflateWith(z_stream& z, Bytes message, std::size_t limit, Staging& out) noexcept;
    std::unique_ptr<Inflating, GiveBack> state_;
    bool forget_ = false;
};

class MessageDeflater {
public:
    MessageDeflater() = default;
    MessageDeflater(const MessageDeflater&) = delete;
    MessageDeflater& operator=(const MessageDeflater&) = delete;
    ~MessageDeflater();
    /// `forget`: no history from one message to the next (…_no_context_takeover); then no state is kept between
    /// messages: connections take a few bytes each, whatever their number.
    [[nodiscard]] bool start(int level, bool forget) noexcept;
    /// Appends a part of a message, compressed; `last` ends the message.
    [[nodiscard]] bool deflate(Bytes part, bool last, Staging& out) noexcept;

private:
    std::unique_ptr<Deflating, GiveBack> state_;  // of those that forget: while a message is begun
    int level_ = 0;
    bool forget_ = false;
};

}  // namespace emissary::eta::transport::ws
