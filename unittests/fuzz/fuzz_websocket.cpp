// Any bytes as WebSocket frames, once in one piece and once in small pieces: both must give the same messages, control
// frames and fault. The first byte chooses the side, the mode (RIPC or JSON), compression and the pieces.
#include "transport/websocket/WebSocketReader.h"

#include <algorithm>
#include <cstdlib>

using namespace emissary::eta;
using namespace emissary::eta::transport;

namespace {

constexpr std::size_t kMaxMessage = 5000;

struct Outcome {
    std::uint64_t digest = 14695981039346656037u;  // FNV-1a
    std::size_t messages = 0, pings = 0, pongs = 0;
    int closed = 0;
    ws::Fault fault = ws::Fault::none;
    bool operator==(const Outcome&) const = default;
};

Outcome run(Bytes in, bool fromClient, ws::Reader::Mode mode, bool inflate, std::size_t piece) {
    ws::Reader reader(fromClient, kMaxMessage);
    reader.start(mode);
    if (inflate && !reader.inflate()) std::abort();
    Outcome out;
    const auto mix = [&](std::uint64_t v) { out.digest = (out.digest ^ v) * 1099511628211u; };
    for (;;) {
        Bytes bytes;
        const ws::Event event = reader.next(bytes, piece);
        if (event != ws::Event::needMore && event != ws::Event::failed) {
            if (event != ws::Event::data) mix(bytes.size() + 256);  // data may be cut anywhere
            for (const std::byte b : bytes)
                mix(std::to_integer<std::uint64_t>(b));
        }
        switch (event) {
        case ws::Event::data:
            if (mode != ws::Reader::Mode::stream || bytes.empty() || bytes.size() > piece) std::abort();
            continue;
        case ws::Event::message:
            if (mode != ws::Reader::Mode::message || bytes.size() > kMaxMessage) std::abort();
            ++out.messages;
            continue;
        case ws::Event::ping:
            ++out.pings;
            continue;
        case ws::Event::pong:
            ++out.pongs;
            continue;
        case ws::Event::close:
            out.closed = reader.closeStatus();
            return out;
        case ws::Event::failed:
            out.fault = reader.fault();
            if (out.fault == ws::Fault::none || !ws::validCloseCode(ws::closeCode(out.fault))) std::abort();
            return out;
        case ws::Event::needMore:
            break;
        }
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
    const bool fromClient = (data[0] & 1) != 0, inflate = (data[0] & 4) != 0;
    const auto mode = (data[0] & 2) != 0 ? ws::Reader::Mode::stream : ws::Reader::Mode::message;
    const std::size_t piece = 1u + (data[0] >> 3);
    const Bytes in = std::as_bytes(std::span{data + 1, size - 1});
    if (!(run(in, fromClient, mode, inflate, size) == run(in, fromClient, mode, inflate, piece))) std::abort();
    return 0;
}
