// Reports of a channel's messages to a trace that writes them down (xml-trace.md 2).
#pragma once

#include "eta/core/bytes.h"

#include <cstdint>
#include <memory>

namespace emissary::eta::transport {

struct ChannelInfo;

/// The trace of one channel. It meets messages as the application protocol has them: received ones after decompression,
/// unpacking and reassembly, sent ones before they are compressed and cut. Handshakes are not traced.
class MessageTrace {
public:
    /// What happened.
    enum class Event : std::uint8_t {
        incoming,       ///< a message was received
        outgoing,       ///< a message was queued; its bytes have not left
        packed,         ///< a message of a packed frame was queued
        incomingPing,   ///< no bytes
        outgoingPing,   ///< no bytes
        channelClosed,  ///< the peer closed the connection, or it was lost; no bytes. Not when this side closes it.
    };
    virtual ~MessageTrace() = default;
    /// The bytes live until the call returns. The channel's owner thread and the holder of its output lock call it,
    /// maybe both at once; it must not use the channel.
    virtual void tell(Event event, Bytes message) noexcept = 0;
};

/// Makes the traces of the channels that share it (ChannelOptions::tracing). Any thread, several at once.
class TraceSource {
public:
    virtual ~TraceSource() = default;
    /// Whether channels are traced as soon as they are active, without Channel::setOption().
    [[nodiscard]] virtual bool atOnce() const noexcept = 0;
    /// Makes the trace of a channel that is active. Null if it cannot be made; the source reports the reason itself.
    [[nodiscard]] virtual std::unique_ptr<MessageTrace> open(const ChannelInfo& info, int descriptor) noexcept = 0;
};

}  // namespace emissary::eta::transport
