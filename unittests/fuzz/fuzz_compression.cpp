// Any bytes as what a compressed connection receives, once in one piece and once in small pieces: both must give the
// same messages and the same fault, and no unit may grow beyond M. The first byte chooses the compression, M and
// pieces.
#include "transport/compression.h"

#include "eta/transport/FrameReader.h"

#include <algorithm>
#include <cstdlib>

using namespace emissary::eta;
using namespace emissary::eta::transport;

namespace {

struct Outcome {
    std::uint64_t digest = 14695981039346656037u;  // FNV-1a over lengths and bytes
    std::size_t messages = 0, pings = 0;
    FrameFault fault = FrameFault::none;
    bool operator==(const Outcome&) const = default;
};

Outcome run(Bytes in, Compression type, std::size_t maxMessage, std::size_t piece) {
    FrameReader reader;
    const FrameLimits limits{4096, 8192, 4};
    if (!reader.activate(maxMessage, 2, 4096, limits)) std::abort();
    reader.decompressWith(Decompressor::make(type, maxMessage));
    Outcome out;
    Bytes message;
    for (;;) {
        const FrameEvent event = reader.next(message);
        if (event == FrameEvent::message) {
            if (message.size() > std::max<std::size_t>(limits.maxMessageBytes, maxMessage)) std::abort();
            const auto mix = [&](std::uint64_t v) { out.digest = (out.digest ^ v) * 1099511628211u; };
            mix(message.size());
            for (const std::byte b : message)
                mix(std::to_integer<std::uint64_t>(b));
            ++out.messages;
        }
        if (event == FrameEvent::ping) ++out.pings;
        if (event == FrameEvent::failed) {
            out.fault = reader.fault();
            if (out.fault == FrameFault::none || reader.faultText().empty()) std::abort();
            return out;
        }
        if (event != FrameEvent::needMore) continue;
        if (in.empty()) return out;
        const std::span<std::byte> room = reader.space();
        if (room.empty()) std::abort();
        const std::size_t n = std::min({piece, room.size(), in.size()});
        std::copy_n(in.begin(), n, room.begin());
        reader.added(n);
        in = in.subspan(n);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    static constexpr std::size_t kMax[] = {16, 100, 400, 6144};
    const Compression type = (data[0] & 1) != 0 ? Compression::lz4 : Compression::zlib;
    const std::size_t maxMessage = kMax[data[0] >> 1 & 3], piece = 1u + (data[0] >> 3);
    const Bytes in = std::as_bytes(std::span{data + 1, size - 1});
    if (!(run(in, type, maxMessage, size) == run(in, type, maxMessage, piece))) std::abort();
    return 0;
}
