// Compresses the payload of each frame that gains by it, and rewrites its header.
#include "transport/stream/CompressingStream.h"

namespace emissary::eta::transport {
namespace {

std::uint8_t byteAt(const std::byte* p) noexcept {
    return std::to_integer<std::uint8_t>(*p);
}

std::size_t headerOf(const std::byte* f, std::size_t idBytes) noexcept {
    if ((byteAt(f + 2) & frame::kExtended) == 0) return frame::kHeader;
    const std::uint8_t extended = byteAt(f + 3);
    if (extended == frame::kFragmentHeader) return frame::firstFragmentHeader(idBytes);
    return extended == frame::kFragment ? frame::nextFragmentHeader(idBytes) : frame::kHeader + 1;
}

}  // namespace

// Takes one whole frame; the channel never leaves one unfinished, because whole ones are taken.
// in is as much as the channel has; one frame is taken for each call.
std::size_t CompressingStream::stage(Bytes in, bool) noexcept {
    if (in.size() < frame::kHeader) return 0;
    const std::size_t length = loadBe<std::uint16_t>(in.data());
    if (length < frame::kHeader || length > in.size()) return 0;
    const std::byte* const f = in.data();
    const std::uint8_t flags = byteAt(f + 2);
    const std::size_t header = headerOf(f, idBytes_);
    const Bytes payload = in.subspan(header, length - header);
    in_.add(length);

    // Below the threshold a frame goes out as it is (transport.md 2.6).
    if (payload.size() >= threshold_) {
        const std::size_t bound = compressor_->bound(payload.size());
        // Room for the header, the worst case, and a second frame if it grows.
        std::byte* const to = staging().room(header + bound + frame::kHeader);
        if (to == nullptr) return 0;
        const std::size_t n = compressor_->compress(payload, {to + header, bound});
        // The history of a stream cannot be taken back, so a failed compressor ends the connection.
        if (n == Compressor::kBroken) return 0;
        // LZ4 that gains nothing leaves the frame plain, which the other side reads as it is.
        if (n != Compressor::kSendPlain) {
            std::memcpy(to, f, header);
            const auto compressed = static_cast<std::uint8_t>((flags & ~frame::kData) | frame::kCompressed);
            std::size_t total = header + n;
            if (total <= maxFrame_) {
                storeBe(to, static_cast<std::uint16_t>(total));
                to[2] = std::byte{compressed};
                // Two frames right behind each other (transport.md 2.6.1).
            } else {  // it grew beyond the frame: the rest follows in a second one
                const std::size_t rest = total - maxFrame_;
                std::memmove(to + maxFrame_ + frame::kHeader, to + maxFrame_, rest);
                storeBe(to, static_cast<std::uint16_t>(maxFrame_));
                to[2] = std::byte{static_cast<std::uint8_t>(compressed | frame::kCompFragment)};
                storeBe(to + maxFrame_, static_cast<std::uint16_t>(rest + frame::kHeader));
                to[maxFrame_ + 2] = std::byte{frame::kCompressed};
                total += frame::kHeader;
            }
            staging().added(total);
            sent_.add(total);
            return length;
        }
    }
    std::byte* const to = staging().room(length);
    if (to == nullptr) return 0;
    std::memcpy(to, f, length);
    staging().added(length);
    sent_.add(length);
    return length;
}

}  // namespace emissary::eta::transport
