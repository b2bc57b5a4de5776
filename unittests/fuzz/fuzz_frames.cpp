// Any bytes as what a connection receives, once in one piece and once in small pieces: both must give the same
// messages and the same fault. The first byte chooses the largest message, the width of fragment ids and the pieces.
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
    void add(Bytes message) {
        const auto mix = [this](std::uint64_t v) { digest = (digest ^ v) * 1099511628211u; };
        mix(message.size());
        for (const std::byte b : message)
            mix(std::to_integer<std::uint64_t>(b));
        ++messages;
    }
    bool operator==(const Outcome&) const = default;
};

Outcome run(Bytes in, std::size_t maxMessage, std::size_t idBytes, std::size_t piece) {
    FrameReader reader;
    const FrameLimits limits{4096, 8192, 4};
    if (!reader.activate(maxMessage, idBytes, 4096, limits)) std::abort();
    Outcome out;
    Bytes message;
    for (;;) {
        const FrameEvent event = reader.next(message);
        if (event == FrameEvent::message) out.add(message);
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
    static constexpr std::size_t kMax[] = {16, 100, 500, 6144};
    const std::size_t maxMessage = kMax[data[0] & 3], idBytes = (data[0] & 4) != 0 ? 1 : 2;
    const std::size_t piece = 1 + (data[0] >> 3);
    const Bytes in = std::as_bytes(std::span{data + 1, size - 1});
    if (!(run(in, maxMessage, idBytes, size) == run(in, maxMessage, idBytes, piece))) std::abort();
    return 0;
}
