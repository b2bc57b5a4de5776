// The input half of a channel: from the stream below to messages.
#pragma once

#include "eta/transport/FrameReader.h"
#include "eta/transport/IdleWatch.h"
#include "eta/transport/read_result.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace emissary::eta::transport {

class ByteStream;
class MessageSource;
struct ChannelCounters;
struct IoResult;

/// Reads from the stream that carries the connection, through the frame reader or from a message source, and keeps in
/// mind how the input ended. One owner thread; count() is for any. Channel says what its calls promise.
class ChannelInput final {
public:
    /// The stream to read from; it lives as long as this, or until the next call.
    void attach(ByteStream& stream) noexcept { stream_ = &stream; }

    // --- during the handshake
    /// One receive into the buffer.
    [[nodiscard]] IoResult receive() noexcept;
    /// Bytes received and not consumed.
    [[nodiscard]] Bytes buffered() const noexcept { return frames_.buffered(); }
    /// Takes `bytes` bytes off the front.
    void consume(std::size_t bytes) noexcept { frames_.consume(bytes); }

    // --- messages
    /// What the handshake agreed on for this direction.
    struct Start {
        std::size_t maxMessage = 0, fragmentIdBytes = 2, capacity = 0;
        MessageSource* source = nullptr;  ///< messages come from here, frames are not read
        bool peerPings = true;            ///< its silence means something
        std::shared_ptr<PartialBudget> budget;
    };
    /// What the handshake agreed on. False: memory is short.
    [[nodiscard]] bool start(Start agreed, TimePoint now) noexcept;
    /// Accepts compressed frames from now on.
    void decompressWith(std::unique_ptr<Decompressor> decompressor) noexcept;
    /// The next buffered message; valid until the next call.
    [[nodiscard]] FrameEvent next(Bytes& message) noexcept { return frames_.next(message); }
    /// See FrameReader.
    [[nodiscard]] Bytes peek(bool passed) noexcept { return frames_.peek(passed); }
    /// True when readOn() or next() has more without waiting.
    [[nodiscard]] bool more() const noexcept { return frames_.more() || streamHasInput_; }
    /// When next() had no message. With Kind::closed: whyEnded().
    [[nodiscard]] ReadResult readOn(FrameEvent event) noexcept;
    /// The descriptor was readable because output that was pushed back may go on.
    [[nodiscard]] bool outputReady() const noexcept;
    /// Forgets all input.
    void drop() noexcept { frames_.drop(); }

    // --- its end
    /// As a sentence; `writeError` is the errno that a writer met, which may have met the reason first.
    [[nodiscard]] std::string whyEnded(int writeError) const;
    /// The peer broke the rules of a protocol.
    [[nodiscard]] bool peerAtFault() const noexcept { return peerAtFault_; }

    // --- limits and time
    /// `bytes`: what a message source takes at most; 0 = what its options say.
    void limit(const FrameLimits& limits, std::size_t bytes) noexcept;
    /// An incomplete message has grown by less than a KiB for `limit`.
    [[nodiscard]] bool stalled(TimePoint now, Duration limit) noexcept;
    /// Nothing was received for so long although the peer must show that it lives.
    [[nodiscard]] bool silentFor(Duration limit, TimePoint now) noexcept;
    /// Nothing was read on purpose: the time of silentFor() begins now.
    void excuseSilence(TimePoint now) noexcept { silence_.hold(now); }
    /// Gives back memory that was not needed since the last call.
    void trim() noexcept;

    /// After ChannelOutput::count(). `started`: the calling thread has seen start() return.
    void count(ChannelCounters& c, bool started) const noexcept;
    /// So far, as they came over the network; any thread.
    [[nodiscard]] std::uint64_t bytesReceived() const noexcept { return bytes_.get(); }

private:
    [[nodiscard]] ReadResult readSource() noexcept;
    void noteHeld() noexcept;

    FrameReader frames_;
    bool streamHasInput_ = false;  // more to receive than the descriptor tells
    bool peerPings_ = true, peerAtFault_ = false;
    bool cut_ = false;  // it ended inside a message
    int error_ = 0;     // errno of the end
    ByteStream* stream_ = nullptr;
    MessageSource* source_ = nullptr;  // part of the stream
    Counter bytes_, calls_;
    Counter held_;      // bytes of memory, as of the last receive or trim
    Counter receipts_;  // receives that brought something, be it only a sign of life of a layer below
    IdleWatch silence_;
};

}  // namespace emissary::eta::transport
