// The seam between a channel and what carries its bytes. TCP, TLS, WebSocket and compression stand behind it and stack
// upon each other; shared memory and multicast fit in the same place (eta/transport/README.md).
#pragma once

#include "eta/core/bytes.h"
#include "eta/transport/frame.h"
#include "eta/transport/options.h"
#include "eta/transport/read_result.h"

#include <memory>
#include <span>
#include <string>

#include <sys/uio.h>

namespace emissary::eta::transport {

class PartialBudget;

/// What is wrong with the certificate of a client, for counts.
enum class CertificateFault : std::uint8_t {
    none,
    missing,
    untrusted,
    expired,
    notYetValid,
    wrongPurpose,
    revoked,
    other
};
inline constexpr std::size_t kCertificateFaults = static_cast<std::size_t>(CertificateFault::other) + 1;

struct IoResult {
    enum class Kind : std::uint8_t { ok, wouldBlock, end, error };
    Kind kind = Kind::ok;
    std::size_t bytes = 0;
    int error = 0;  ///< errno; ByteStream::reason() may know more
};

/// Whole messages that do not come as RIPC frames in a stream of bytes (JSON in WebSocket frames, a ring in shared
/// memory, datagrams). Used by the input owner alone.
class MessageSource {
public:
    virtual ~MessageSource() = default;
    /// The next message, valid until the next call, of what is there already or what the system has. needMore: nothing
    /// complete. ended, failed: reason() of the stream says why ("" = closed by peer). condition: lastCondition() says
    /// which.
    enum class Event : std::uint8_t { message, ping, condition, needMore, ended, failed };
    [[nodiscard]] virtual Event next(Bytes& message) noexcept = 0;
    struct Told {
        Condition condition = Condition::none;
        std::uint32_t lost = 0;
    };
    [[nodiscard]] virtual Told lastCondition() const noexcept { return {}; }
    /// The descriptor was readable because output that was pushed back may go on.
    [[nodiscard]] virtual bool outputReady() const noexcept { return false; }
    /// True when silence of the peer means that it is gone.
    [[nodiscard]] virtual bool peerExpected() const noexcept { return true; }
    /// True when next() has something to deliver although the descriptor does not become readable.
    [[nodiscard]] virtual bool more() const noexcept = 0;
    // Limits of messages that come in pieces (Channel::limitInput, inputStalled); 0 = what the options say.
    virtual void limitMessages(std::size_t /*bytes*/) noexcept {}
    virtual void useBudget(std::shared_ptr<PartialBudget>) noexcept {}
    [[nodiscard]] virtual bool stalled(TimePoint /*now*/, TimePoint::duration /*limit*/) noexcept { return false; }
    /// For Channel::counters(); any thread.
    [[nodiscard]] virtual std::uint64_t messages() const noexcept = 0;
    [[nodiscard]] virtual std::uint64_t bytes() const noexcept = 0;
    /// What compression of its own added to the bytes received, and took from those sent. May wrap below 0; any thread.
    [[nodiscard]] virtual std::uint64_t inflatedBytes() const noexcept { return 0; }
    [[nodiscard]] virtual std::uint64_t deflatedBytes() const noexcept { return 0; }
};

/// A non-blocking stream of bytes. receive() and send() may be called by different threads at the same time (one each);
/// close() not beside either.
///
/// What a channel sends are whole RIPC frames (length first), in order; the rest of a frame that was taken in part
/// comes first in the next call.
class ByteStream {
public:
    ByteStream() = default;
    ByteStream(const ByteStream&) = delete;
    ByteStream& operator=(const ByteStream&) = delete;
    virtual ~ByteStream() = default;

    /// Whatever the stream needs before bytes may flow (TCP connect, TLS handshake, WebSocket upgrade): ok when done.
    [[nodiscard]] virtual IoResult handshake() noexcept = 0;
    /// During handshake(): writability is awaited, not readability.
    [[nodiscard]] virtual bool handshakeWantsWrite() const noexcept { return false; }
    /// False as long as a proxy on the way has not let the connection pass.
    [[nodiscard]] virtual bool pathOpen() const noexcept { return true; }
    /// ok with 0 bytes: a sign of life of the peer, but no data.
    [[nodiscard]] virtual IoResult receive(std::span<std::byte> into) noexcept = 0;
    /// True when the peer has sent anything at all since the last call. Input owner.
    [[nodiscard]] virtual bool heard() const noexcept { return true; }
    /// receive() has more to give although the descriptor may not be readable. Input owner.
    [[nodiscard]] virtual bool hasInput() const noexcept { return false; }
    /// May take only a part; `bytes` says how much. Without parts: only passes on what is held.
    [[nodiscard]] virtual IoResult send(std::span<const iovec> parts) noexcept = 0;
    /// Bytes that send() took and that still wait for the kernel. Output half.
    [[nodiscard]] virtual std::size_t held() noexcept { return 0; }
    /// Bytes of memory that received bytes take in this layer and those below. Input owner.
    [[nodiscard]] virtual std::size_t inputHeld() const noexcept { return 0; }
    /// Gives back buffers that were not needed since the last call. Views of the input die; input owner.
    virtual void trimInput() noexcept {}
    /// The same for the output half; returns how many bytes.
    virtual std::size_t trimOutput() noexcept { return 0; }
    /// Whether finish() ends the output, so that the peer sees the end while it is still read from.
    [[nodiscard]] virtual bool finishes() const noexcept { return false; }
    /// Ends the output behind all that was sent: the protocol's closing message, with `code` and `text` where it has
    /// room for them (WebSocket), else the end of the stream. Output half. Call it when nothing is held, and again
    /// whenever that is so once more: it goes on with the next layer.
    virtual void finish(std::uint16_t /*code*/, std::string_view /*text*/) noexcept {}
    /// Both directions end; the descriptor stays.
    virtual void shutdown() noexcept = 0;
    /// Sends the protocol's closing message, if it has one, then gives the descriptor back.
    virtual void close() noexcept = 0;
    [[nodiscard]] virtual int fd() const noexcept = 0;

    /// Why the last call failed, when errno alone does not say it; empty otherwise.
    [[nodiscard]] virtual std::string reason() const { return {}; }
    /// handshake() failed because one side refused the other, and the client has got the refusal.
    [[nodiscard]] virtual bool refused() const noexcept { return false; }
    /// Server: handshake() failed because of the client's certificate.
    [[nodiscard]] virtual CertificateFault certificateFault() const noexcept { return CertificateFault::none; }
    /// Not null: there is no RIPC handshake, messages come from here, and receive() is not used. Known once
    /// handshake() is done.
    [[nodiscard]] virtual MessageSource* messageSource() noexcept { return nullptr; }
    // Multicast only (Channel.h).
    [[nodiscard]] virtual MulticastCounters multicastCounters() const noexcept { return {}; }
    [[nodiscard]] virtual const DatagramInfo* datagramInfo() const noexcept { return nullptr; }
    virtual Error sendSequenced(Bytes, std::uint32_t, bool) noexcept { return {Errc::usage, 0}; }
    /// Fills in what this layer knows (connection type, security). With a message source also everything that the RIPC
    /// handshake would have brought; returns M, the largest payload of a frame to be sent (0: not said here).
    virtual std::size_t describe(ChannelInfo&) const { return 0; }
};

}  // namespace emissary::eta::transport
