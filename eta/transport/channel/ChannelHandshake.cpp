// Holds what both sides of a handshake share: output, reasons, the deadline.
#include "transport/channel/ChannelHandshake.h"

#include "transport/tcp/TcpStream.h"

namespace emissary::eta::transport {

ChannelHandshake::ChannelHandshake(const HandshakeEnds& ends, TimePoint deadline) noexcept
    : ends_(ends), deadline_(deadline) {
    // Both ends of the channel use this stream until the handshake exchanges it.
    ends_.input.attach(*ends_.stream);
    ends_.output.attach(*ends_.stream);
}

void ChannelHandshake::put(WireBytes message) noexcept {
    out_ = std::move(message);
    outSent_ = 0;
}

std::string ChannelHandshake::reasonOf(const IoResult& io) const {
    std::string text = ends_.stream->reason();
    if (text.empty() && io.error != 0) text = errnoText(io.error);
    return text.empty() ? "closed by peer" : text;
}

InitStatus ChannelHandshake::fail(std::string reason) noexcept {
    reason_ = std::move(reason);
    return InitStatus::failed;
}

InitStatus ChannelHandshake::timeOut(std::string reason) noexcept {
    timedOut_ = true;
    return fail(std::move(reason));
}

InitStatus ChannelHandshake::waitFor(const char* what, TimePoint now) {
    if (now < deadline_) return InitStatus::inProgress;
    // The number of bytes tells a port that says nothing from one that speaks another protocol.
    return timeOut(std::string("initialization timeout: ") + what + ", " + std::to_string(ends_.input.bytesReceived()) +
                   " bytes received");
}

}  // namespace emissary::eta::transport
