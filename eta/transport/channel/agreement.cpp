// Fills in what is known about an active connection, and puts compression between channel and stream.
#include "transport/channel/agreement.h"

#include "transport/channel/streams.h"

#include <algorithm>
#include <new>
#include <utility>

namespace emissary::eta::transport {

std::size_t describe(const ByteStream& stream, std::size_t maxMessage, const ChannelOptions& o, ChannelInfo& info) {
    info.maxFragmentSize = 0;
    if (const std::size_t described = stream.describe(info); described != 0) maxMessage = described;
    // Frames carry 2 bytes of length, so a message is never larger than the largest body.
    maxMessage = std::min(maxMessage, frame::kMaxBody);
    if (info.maxFragmentSize == 0) info.maxFragmentSize = static_cast<std::uint32_t>(maxMessage - 2);
    // Minimum of guaranteed buffers: 1 at a server, 5 at a client (transport.md 3.3).
    info.guaranteedOutputBuffers = std::max(o.guaranteedOutputBuffers, info.serverSide ? 1u : 5u);
    info.maxOutputBuffers = std::max(info.guaranteedOutputBuffers, o.maxOutputBuffers);
    info.numInputBuffers = std::max(o.numInputBuffers, 2u);
    if (!rowOf(info.connectionType).overTcp) return maxMessage;  // the stream has said the rest
    const int fd = stream.fd();
    const SocketAddress peer = peerOf(fd);
    info.sysSendBufSize = socketBufferSize(fd, SO_SNDBUF);
    info.sysRecvBufSize = socketBufferSize(fd, SO_RCVBUF);
    info.peerPort = peer.port();
    if (info.proxyAddress.empty()) info.peerAddress = peer.text();  // else it is that of the client behind the proxy
    return maxMessage;
}

CompressingStream* compressFrom(std::unique_ptr<ByteStream>& stream, ChannelInput& input,
                                const ChannelHandshake::Agreed& agreed, std::uint32_t threshold, std::size_t maxMessage,
                                std::size_t idBytes) {
    // Compressor and decompressor are one decision: a channel with half of it could read nothing.
    auto decompressor = Decompressor::make(agreed.compression, maxMessage);
    auto compressor = Compressor::make(agreed.compression, agreed.compressionLevel);
    if (decompressor == nullptr || compressor == nullptr) throw std::bad_alloc();
    // Compression sits between channel and stream, so TLS and WebSocket below know nothing of it.
    auto made =
        std::make_unique<CompressingStream>(std::move(stream), std::move(compressor), threshold, maxMessage, idBytes);
    CompressingStream* const compressing = made.get();
    stream = std::move(made);
    input.decompressWith(std::move(decompressor));
    return compressing;
}

}  // namespace emissary::eta::transport
