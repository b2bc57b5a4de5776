// Compresses the frames of an active channel on their way out (transport.md 2.6).
#pragma once

#include "emissary/Counter.h"
#include "transport/stream/StagedStream.h"
#include "transport/stream/compression.h"

#include <atomic>

namespace emissary::eta::transport {

/// Sits right below the channel: frames come in as the output queue wrote them and leave with COMPRESSED bodies where
/// that is agreed. Compressing here, in the order of sending, keeps the zlib history right whatever the priorities.
/// Only the sending half; FrameReader decompresses.
class CompressingStream final : public StagedStream {
public:
    CompressingStream(std::unique_ptr<ByteStream> below, std::unique_ptr<Compressor> compressor,
                      std::uint32_t threshold, std::size_t maxMessage, std::size_t fragmentIdBytes) noexcept
        : StagedStream(std::move(below)), compressor_(std::move(compressor)), threshold_(threshold),
          maxFrame_(maxMessage + frame::kHeader), idBytes_(fragmentIdBytes) {}

    [[nodiscard]] IoResult receive(std::span<std::byte> into) noexcept override { return below_->receive(into); }
    /// Payloads below it go out plain; output half.
    void setThreshold(std::uint32_t bytes) noexcept { threshold_ = bytes; }
    /// Frame bytes that came in and went out; any thread.
    [[nodiscard]] std::uint64_t bytesIn() const noexcept { return in_.get(); }
    [[nodiscard]] std::uint64_t bytesOut() const noexcept { return sent_.get(); }

protected:
    [[nodiscard]] std::size_t stage(Bytes in, bool last) noexcept override;

private:
    std::unique_ptr<Compressor> compressor_;
    std::uint32_t threshold_;
    std::size_t maxFrame_;
    std::size_t idBytes_;
    Counter in_, sent_;
};

}  // namespace emissary::eta::transport
