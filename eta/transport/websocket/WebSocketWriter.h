// eta/transport/websocket: frames of the output queue as WebSocket frames or as events (transport.md 6.4 - 6.6). No
// I/O.
#pragma once

#include "emissary/Counter.h"
#include "transport/stream/StagedStream.h"
#include "transport/websocket/EventWriter.h"
#include "transport/websocket/permessage_deflate.h"
#include "transport/websocket/websocket_frames.h"

#include <array>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string_view>

namespace emissary::eta::transport::ws {

/// The other half of Reader. What it makes stands in `out`, which outlives it; one lock of the owner guards both. Each
/// bool that is not explained is false when memory is short.
class Writer {
public:
    enum class Mode : std::uint8_t {
        stream,  ///< each RIPC frame in a binary frame of its own
        json,    ///< each message as a text message in brackets
        events,  ///< the same texts as text/event-stream; of control frames a close alone
    };
    /// `server`: frames are not masked. `frameBytes`: Settings::frameBytes of WebSocketStream, in its bounds.
    Writer(Staging& out, bool server, std::size_t frameBytes) noexcept
        : out_(out), server_(server), frameLimit_(frameBytes + frame::kHeader) {}

    /// After the upgrade.
    void start(Mode mode) noexcept { mode_ = mode; }
    /// Compresses JSON from now on. `forget`: as in MessageDeflater.
    [[nodiscard]] bool deflate(int level, bool forget) noexcept;

    /// A whole frame of the output queue; behind a close it is left out.
    [[nodiscard]] bool put(Bytes frame) noexcept;
    /// What the reading thread says. True: it is in `out`. False: it waits for the end of the frame that is open, or
    /// memory is short.
    [[nodiscard]] bool pong(Bytes payload) noexcept { return putControl(Opcode::pong, {payload}); }
    /// The last frame of this side; what comes behind it is left out. `text` is cut to what a control frame holds.
    [[nodiscard]] bool close(std::uint16_t code, std::string_view text) noexcept;
    /// close() was called: the frame has gone, or waits.
    [[nodiscard]] bool closes() const noexcept { return closes_; }

    /// Gives back blocks that were not needed since the last call; how many bytes.
    std::size_t trim() noexcept { return deflated_.trim() + packed_.trim(); }
    /// Bytes that deflating took away; may wrap below 0. Any thread.
    [[nodiscard]] std::uint64_t deflatedBytes() const noexcept { return saved_.get(); }

private:
    [[nodiscard]] const Mask* nextMask() noexcept;
    [[nodiscard]] bool putFrame(Opcode opcode, bool fin, bool rsv1, std::initializer_list<Bytes> parts) noexcept;
    [[nodiscard]] bool putJson(Bytes frame) noexcept;
    [[nodiscard]] bool putText(std::initializer_list<Bytes> parts, bool first, bool last) noexcept;
    [[nodiscard]] bool putPart(std::initializer_list<Bytes> parts, bool first) noexcept;
    [[nodiscard]] bool putPacked(Bytes body) noexcept;
    [[nodiscard]] bool putControl(Opcode opcode, std::initializer_list<Bytes> parts) noexcept;
    [[nodiscard]] bool putControlFrame(Opcode opcode, std::initializer_list<Bytes> parts) noexcept;
    [[nodiscard]] bool putHeld() noexcept;
    [[nodiscard]] bool midMessage() const noexcept { return frameLeft_ != 0 || eventWriter_.midMessage(); }

    Staging& out_;
    const bool server_;
    const std::size_t frameLimit_;  // payload bytes
    Mode mode_ = Mode::stream;
    bool closes_ = false;
    Mask mask_{};
    std::array<std::uint8_t, 1024> random_{};
    std::size_t randomLeft_ = 0;
    std::size_t fragmentLeft_ = 0;  // payload bytes of a fragmented JSON message still to come
    std::size_t frameLeft_ = 0;     // payload bytes that the header of the frame last begun has promised: 0 = none open
    std::size_t framePhase_ = 0;    // mask byte that its next one meets
    EventWriter eventWriter_;
    std::optional<Opcode> heldOpcode_;  // a control frame that waits for the end of the open frame
    std::size_t heldBytes_ = 0;
    std::array<std::byte, kMaxControl> heldPayload_{};
    std::unique_ptr<MessageDeflater> deflater_;
    Staging deflated_, packed_;
    Counter saved_;
};

}  // namespace emissary::eta::transport::ws
