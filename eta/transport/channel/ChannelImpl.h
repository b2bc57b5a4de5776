// The parts of a channel off its hot path: the stream, its side of the listener, facts about the connection.
#pragma once

#include "eta/transport/Channel.h"
#include "transport/channel/Admission.h"
#include "transport/channel/ChannelHandshake.h"
#include "transport/channel/ServerHandshake.h"
#include "transport/stream/CompressingStream.h"

namespace emissary::eta::transport {

struct Channel::Impl {
    std::unique_ptr<ByteStream> stream;
    std::unique_ptr<ChannelHandshake> handshake;  // until the channel is active or has failed
    std::shared_ptr<ServerShared> shared;         // server side
    Admission::Place place;                       // server side
    CompressingStream* compressor = nullptr;      // the same object as stream, once compression is agreed
    ChannelInfo info;
    std::shared_ptr<TraceSource> tracing;  // null: none was asked for
    std::unique_ptr<MessageTrace> trace;   // once it was switched on, until close()
    FrameLimits limits;                    // of the options
    std::size_t maxMessage = 0;            // M
    std::string errorText, peer;
    bool refused = false;

    [[nodiscard]] HandshakeEnds ends(Channel& channel) noexcept {
        return {stream, channel.input_, channel.output_, info};
    }
    [[nodiscard]] Error setTrace(Channel& channel, bool on) noexcept;
    void countProtocolError() const noexcept {
        if (shared != nullptr) shared->protocolErrors.fetch_add(1, std::memory_order_relaxed);
    }
    /// Bytes of output that may be queued.
    [[nodiscard]] std::size_t outputBound() const noexcept {
        return static_cast<std::size_t>(info.maxOutputBuffers) * (maxMessage + frame::kHeader);
    }
};

}  // namespace emissary::eta::transport
