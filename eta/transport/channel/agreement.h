// Puts the agreement of a handshake into effect.
#pragma once

#include "eta/transport/ChannelInput.h"
#include "eta/transport/options.h"
#include "transport/channel/ChannelHandshake.h"
#include "transport/stream/ByteStream.h"
#include "transport/stream/CompressingStream.h"

#include <memory>

namespace emissary::eta::transport {

/// Fills in what the stream and the options say of the connection; `maxMessage` is what the handshake agreed on.
/// Returns M.
[[nodiscard]] std::size_t describe(const ByteStream& stream, std::size_t maxMessage, const ChannelOptions& o,
                                   ChannelInfo& info);

/// Compresses what is sent on `stream`, and has `input` decompress. Throws std::bad_alloc.
[[nodiscard]] CompressingStream* compressFrom(std::unique_ptr<ByteStream>& stream, ChannelInput& input,
                                              const ChannelHandshake::Agreed& agreed, std::uint32_t threshold,
                                              std::size_t maxMessage, std::size_t idBytes);

}  // namespace emissary::eta::transport
