// Received WebSocket bytes as messages or as a stream (RFC 6455, RFC 7692). No I/O in here.
#pragma once

#include "emissary/Counter.h"
#include "eta/transport/PartialBudget.h"
#include "transport/stream/StagedStream.h"
#include "transport/websocket/websocket_frames.h"

#include <memory>

namespace emissary::eta::transport::ws {

/// Undoes permessage-deflate.
class MessageInflater;

enum class Event : std::uint8_t {
    needMore,
    data,     ///< stream mode: the next bytes of binary payload
    message,  ///< message mode: one whole message
    ping,     ///< payload is to be echoed
    pong,
    close,  ///< see closeStatus() and the payload (text)
    failed  ///< see fault(); nothing more comes
};

/// One direction of a connection. Views given out live until the next call of next() or space().
class Reader {
public:
    enum class Mode : std::uint8_t { stream, message };
    /// `fromClient`: frames must be masked. `maxMessage` bounds a reassembled, inflated message.
    Reader(bool fromClient, std::size_t maxMessage) noexcept;
    ~Reader();
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;

    /// After the upgrade.
    void start(Mode mode) noexcept { mode_ = mode; }
    /// Accepts compressed messages, which refer to those before unless the peer forgets them; false when memory is
    /// short.
    [[nodiscard]] bool inflate(bool peerForgets = false) noexcept;

    /// Largest message from now on.
    void setMaxMessage(std::size_t bytes) noexcept { maxMessage_ = bytes; }
    /// As in FrameReader.
    void useBudget(std::shared_ptr<PartialBudget> budget) noexcept { share_.use(std::move(budget)); }
    [[nodiscard]] bool stalled(Growth::TimePoint now, Growth::TimePoint::duration limit) noexcept {
        if (assembly_.size() == 0 || delivered_) return growth_.forget(), false;
        return growth_.stalled(assembled_, now, limit);
    }

    /// Room for the next receive; empty when memory is short.
    [[nodiscard]] std::span<std::byte> space() noexcept;
    void added(std::size_t bytes) noexcept {
        in_.added(bytes);
        starved_ = false;
    }
    /// Bytes not consumed yet and how to consume them without framing (upgrade).
    [[nodiscard]] Bytes buffered() const noexcept { return in_.view(); }
    void consume(std::size_t bytes) noexcept { in_.taken(bytes); }

    /// Memory of its buffers.
    [[nodiscard]] std::size_t bytesHeld() const noexcept {
        return in_.capacity() + assembly_.capacity() + inflated_.capacity();
    }
    /// Gives back buffers that were not needed since the last call; what was given out last dies.
    void trim() noexcept;

    /// `limit`: most bytes of Event::data wanted.
    [[nodiscard]] Event next(Bytes& out, std::size_t limit = SIZE_MAX) noexcept;
    /// next() may have something to say without further bytes.
    [[nodiscard]] bool more() const noexcept {
        const std::size_t needed = remaining_ != 0 ? 1 : 2;  // payload of the frame being read, or a header
        return fault_ == Fault::none && !starved_ && in_.size() - pending_ >= needed;
    }
    /// Bytes that inflating added to what was received; may wrap below 0. Any thread.
    [[nodiscard]] std::uint64_t inflatedBytes() const noexcept { return gained_.get(); }
    [[nodiscard]] Fault fault() const noexcept { return fault_; }
    [[nodiscard]] std::uint16_t closeStatus() const noexcept { return closeStatus_; }

    static constexpr std::size_t kBufferBytes = 64u << 10;
    /// A client's compressed message may become as many times its size, if that is more than kAlwaysInflated.
    static constexpr std::size_t kMostTimes = 100, kAlwaysInflated = 1u << 20;

private:
    [[nodiscard]] Event fail(Fault fault) noexcept;
    [[nodiscard]] Event starve() noexcept {
        starved_ = true;
        return Event::needMore;
    }
    [[nodiscard]] Event control(const Header& h, Bytes& out) noexcept;
    [[nodiscard]] Event finish(Bytes& out) noexcept;
    [[nodiscard]] std::size_t mostInflated() const noexcept;

    const bool fromClient_;
    Mode mode_ = Mode::message;
    std::size_t maxMessage_;
    Staging in_;
    bool starved_ = false;     // next() said needMore, and nothing came since
    std::size_t pending_ = 0;  // bytes of in_ given out last, to be dropped by the next call
    // the data frame being read
    std::uint64_t remaining_ = 0;
    std::size_t maskPhase_ = 0;
    Header frame_;
    // the message being put together
    bool open_ = false, compressed_ = false;
    Opcode opcode_ = Opcode::text;
    Staging assembly_, inflated_;
    PartialShare share_;  // of assembly_
    Growth growth_;
    std::size_t assembled_ = 0;  // bytes that went through assembly_, ever: a new message is growth too
    bool delivered_ = false;     // next() gave out one of these two last
    std::unique_ptr<MessageInflater> inflater_;
    Counter gained_;
    Fault fault_ = Fault::none;
    std::uint16_t closeStatus_ = kNoStatus;
};

}  // namespace emissary::eta::transport::ws
