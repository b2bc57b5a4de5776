// eta/transport/websocket: JSON texts as text/event-stream (web-streaming.md section 5).
#pragma once

#include "transport/stream/StagedStream.h"

#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace emissary::eta::transport::ws {

/// Of one connection. Each call is false when memory is short.
class EventWriter {
public:
    /// A part of a message: those of a large one come in several calls, nothing else between them.
    [[nodiscard]] bool put(Staging& out, std::initializer_list<Bytes> parts, bool first, bool last) noexcept;
    /// A sign of life.
    [[nodiscard]] static bool comment(Staging& out) noexcept;
    /// What a close frame says.
    [[nodiscard]] static bool close(Staging& out, std::uint16_t code, std::string_view text) noexcept;
    /// The message that was begun goes on.
    [[nodiscard]] bool midMessage() const noexcept { return open_; }

private:
    std::uint64_t id_ = 0;  // of the last message
    bool open_ = false;
};

}  // namespace emissary::eta::transport::ws
