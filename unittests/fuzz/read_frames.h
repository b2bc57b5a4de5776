// What a connection makes of bytes that come in pieces, as far as two runs can be compared.
#pragma once

#include "eta/transport/FrameReader.h"

#include <algorithm>
#include <cstdlib>

namespace emissary::test {

struct ReadFrames {
    std::uint64_t digest = 14695981039346656037u;  // FNV-1a over lengths and bytes
    std::size_t messages = 0, pings = 0;
    eta::transport::FrameFault fault = eta::transport::FrameFault::none;

    void add(eta::Bytes message) {
        const auto mix = [this](std::uint64_t v) { digest = (digest ^ v) * 1099511628211u; };
        mix(message.size());
        for (const std::byte b : message)
            mix(std::to_integer<std::uint64_t>(b));
        ++messages;
    }
    bool operator==(const ReadFrames&) const = default;
};

inline constexpr eta::transport::FrameLimits kFuzzLimits{4096, 8192, 4};

/// Feeds a reader that is active with `in`, at most `piece` bytes at a time, to the end or the first fault. Aborts on a
/// message longer than `longest`, on a fault without a text and on a reader that has no room.
inline ReadFrames readFrames(eta::transport::FrameReader& reader, eta::Bytes in, std::size_t piece,
                             std::size_t longest) {
    using eta::transport::FrameEvent;
    ReadFrames out;
    eta::Bytes message;
    for (;;) {
        const FrameEvent event = reader.next(message);
        if (event == FrameEvent::message) {
            if (message.size() > longest) std::abort();
            out.add(message);
        }
        if (event == FrameEvent::ping) ++out.pings;
        if (event == FrameEvent::failed) {
            out.fault = reader.fault();
            if (out.fault == eta::transport::FrameFault::none || reader.faultText().empty()) std::abort();
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

}  // namespace emissary::test
