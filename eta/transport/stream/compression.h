// The two compressions of a RIPC connection as units of bytes (transport.md 2.6). No frames and no I/O in here.
#pragma once

#include "eta/core/bytes.h"
#include "eta/transport/options.h"

#include <memory>

namespace emissary::eta::transport {

inline constexpr std::uint32_t kZlibThreshold = 30, kLz4Threshold = 300;  ///< smaller payloads are never compressed
[[nodiscard]] constexpr std::uint32_t smallestThreshold(Compression c) noexcept {
    return c == Compression::lz4 ? kLz4Threshold : kZlibThreshold;
}
/// The threshold in force when an option asks for `wanted` (0 = the default): it may only be raised.
[[nodiscard]] constexpr std::uint32_t thresholdFor(Compression c, std::uint32_t wanted) noexcept {
    return wanted > smallestThreshold(c) ? wanted : smallestThreshold(c);
}
/// Room left free in a fragment so that compressing it rarely needs a second frame.
inline constexpr std::size_t kZlibFragmentSlack = 6;

/// One direction of a connection, sending. Units must be sent in the order they were compressed in.
class Compressor {
public:
    static constexpr std::size_t kSendPlain = 0, kBroken = SIZE_MAX;
    virtual ~Compressor() = default;
    /// `level` 0..9, for zlib. Null when memory is short.
    [[nodiscard]] static std::unique_ptr<Compressor> make(Compression type, int level) noexcept;
    /// Room that compress() needs for a payload.
    [[nodiscard]] virtual std::size_t bound(std::size_t payload) const noexcept = 0;
    /// Bytes written; kSendPlain: compressing does not pay, nothing has changed; kBroken: no more units.
    [[nodiscard]] virtual std::size_t compress(Bytes payload, std::span<std::byte> out) noexcept = 0;
};

/// One direction of a connection, receiving.
class Decompressor {
public:
    virtual ~Decompressor() = default;
    /// `maxOutput`: no unit may become larger. Null when memory is short.
    [[nodiscard]] static std::unique_ptr<Decompressor> make(Compression type, std::size_t maxOutput) noexcept;
    /// A unit that came in one or two parts. False: not a unit, or larger than allowed; no more units then. The view is
    /// valid until the next call and has FrameReader::kPadding readable bytes behind it.
    [[nodiscard]] virtual bool decompress(Bytes first, Bytes second, Bytes& out) noexcept = 0;
};

}  // namespace emissary::eta::transport
