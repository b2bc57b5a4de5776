// One connection, client or server side: handshake, framing, reassembly, output queues, pings (transport.md).
#pragma once

#include "eta/core/Refused.h"
#include "eta/transport/ChannelInput.h"
#include "eta/transport/ChannelOutput.h"
#include "eta/transport/MessageTrace.h"
#include "eta/transport/options.h"
#include "eta/transport/read_result.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace emissary::eta::transport {

struct Route;  ///< the addresses behind the names in ConnectOptions

/// Checks the options for faults that no server and no retry can cure: a type or protocol that is not supported, TLS
/// versions, ciphers or a CA store that cannot be used. Reads the CA store, once for all connections
/// with equal options. Blocks for that; any thread.
[[nodiscard]] Refused checkConnect(const ConnectOptions& options);
/// Looks the names in the options up. Blocks for as long as the name servers take, and uses the C library alone: a
/// thread that nobody waits for may call it, also while the process ends.
[[nodiscard]] std::shared_ptr<const Route> lookUp(const ConnectOptions& options);

/// Codes of Channel::setOption(), as applications know them (transport.md 3.4). peakReset, any value: the most bytes
/// that were queued are counted anew. trace: 0 = the message trace stops, otherwise it goes on, or begins. Ours are
/// directWrite, 0 or 1, and burst, any value: what is queued from now on is flushed by its sender soon, so that up to
/// 64 KiB of it may gather before a commit flushes.
namespace ioctl_code {
inline constexpr int maxOutputBuffers = 1, guaranteedOutputBuffers = 2, highWaterMark = 3, systemReadBuffer = 4,
                     systemWriteBuffer = 5, compressionThreshold = 9, peakReset = 10, trace = 11, directWrite = 200,
                     burst = 201;
}

/// One connection.
///
/// Threads: the input half (init, read, pingExpired, close, errorText) belongs to one owner thread. The output half
/// (reserve, commit, write, flush, pingIfIdle, trimOutput, setOption) may be used by any thread that holds
/// outputLock(). Both halves may run at the same time. state(), queuedBytes(), wantsWrite() and counters() are for any
/// thread.
///
/// Output goes into an arena of chunks: reserve() gives contiguous room behind a frame header, the caller encodes in
/// place, commit() queues it; nothing is copied again and one send carries whatever is queued. The arena is bounded by
/// maxOutputBuffers x (fragment size + header) bytes; beyond it reserve()/write() return nothing / Errc::noBuffers.
///
/// Readiness: made for level-triggered epoll. After read() said `more == false` there is no need to read until the
/// descriptor is readable again.
class Channel final {
public:
    Channel(const Channel&) = delete;
    Channel& operator=(const Channel&) = delete;
    ~Channel();

    /// Starts a non-blocking connect. Null when refused ("connect to host:port: reason").
    [[nodiscard]] static std::unique_ptr<Channel> connect(const Route& route, TimePoint now, Refused& refused);
    /// lookUp() and connect() in one: call it where blocking is allowed.
    [[nodiscard]] static std::unique_ptr<Channel> connect(const ConnectOptions& options, TimePoint now,
                                                          Refused& refused);

    /// Descriptor for epoll. It changes on version fall-back (InitStatus::descriptorChanged: the old one is closed,
    /// register the new one). After read() said closed it stays valid, though shut down, until close(); then -1.
    [[nodiscard]] int fd() const noexcept;
    /// Any thread.
    [[nodiscard]] ChannelState state() const noexcept { return state_.load(std::memory_order_acquire); }

    /// Drives connect and handshake; call when the descriptor is readable or writable (client: first writable) and at
    /// the initialization timeout. After `active` call read() once before waiting: messages may be buffered already.
    /// failed: errorText() says why; refused() is true after a nak (do not fall back or hurry).
    [[nodiscard]] InitStatus init(TimePoint now) noexcept;
    [[nodiscard]] bool
    wantsWrite() const noexcept;  ///< wait for writability too: connecting, or the kernel pushed back
    [[nodiscard]] TimePoint initDeadline() const noexcept;  ///< while initializing
    /// True when the peer answered the handshake with a refusal (nak, HTTP 403).
    [[nodiscard]] bool refused() const noexcept;
    /// Server side, while initializing: the request will be answered with a nak carrying `text`, then init() fails.
    void refuse(std::string text = "Connection refused.");

    /// Next message. Reads from the socket only when nothing complete is buffered (and then as much as fits). On
    /// Kind::closed the channel is closed; errorText() says why ("closed by peer", "frame length 9000 exceeds 6147"
    /// ...). It does not need outputLock().
    [[nodiscard]] ReadResult read() noexcept {
        Bytes message;
        const FrameEvent event = input_.next(message);
        if (event != FrameEvent::message) [[unlikely]]
            return readSlow(event);
        if (MessageTrace* const t = trace_.load(std::memory_order_acquire); t != nullptr) [[unlikely]]
            t->tell(MessageTrace::Event::incoming, message);
        // Made where the caller has it: a copy of what was just stored in pieces waits for the cache.
        return {.kind = ReadResult::Kind::message, .more = input_.more(), .message = message};
    }

    /// Returns the next buffered message that peek() has not returned yet, so that the caller can prefetch what it will
    /// need. Messages come in order, each once. `passed`: read() has caught up with peek(), which starts again behind
    /// the message read last. Empty: no complete message is buffered. The bytes are unchecked (read() may still find
    /// the frame bad) and valid until the next read(). Owner thread.
    [[nodiscard]] Bytes peek(bool passed) noexcept { return input_.peek(passed); }

    /// Limits a message of several fragments, a JSON message, and all incomplete messages together to `bytes` from now
    /// on; 0 = the limit of the options. For peers that have not logged in yet. Input half.
    void limitInput(std::size_t bytes) noexcept;
    /// An incomplete message has grown by less than a KiB for so long. Call it a few times within `limit`; it does not
    /// close. Input half.
    [[nodiscard]] bool inputStalled(TimePoint now, TimePoint::duration limit) noexcept;
    /// Server side: the owner knows the peer's user; the channel keeps its place when the listener is full.
    void settled() noexcept;

    // --- output half -------------------------------------------------------------------------------------------------
    /// Held for every call of the output half; never while calling into the application.
    [[nodiscard]] FutexLock& outputLock() noexcept { return output_.lock(); }
    /// Contiguous room for one message of at most `bytes` (<= maxFragmentSize()+2, else empty). Empty when the output
    /// bound is reached even after an internal flush, before the channel is active and after close(); when the channel
    /// has just failed, reserve() may still succeed and commit() says so. Committing fewer bytes is fine; reserve again
    /// or commit(0) drops it. flush(), write() and pings drop it too.
    [[nodiscard]] std::span<std::byte> reserve(std::size_t bytes) noexcept { return output_.reserve(bytes); }
    /// Queues the first `bytes` of the reservation as one message; flushes when more than the high-water mark is
    /// queued, or with directWrite. Errc::closed when the channel fails meanwhile (message lost with the channel);
    /// Errc::usage without a reservation or for more than was reserved.
    Error commit(std::size_t bytes) noexcept { return output_.commit(bytes, frame::kData, 1); }
    /// Commits the reservation as a packed frame: its content is already a list of {u16 length, message}.
    Error commitPacked(std::size_t bytes, std::uint32_t messages) noexcept {
        return output_.commit(bytes, frame::kData | frame::kPacked, messages);
    }
    /// Copies and queues a message of any size up to ChannelOptions::maxMessageBytes, fragmented when larger than one
    /// frame. All or nothing: Errc::noBuffers when it does not fit into the bound beside what is queued even after an
    /// internal flush (a message larger than the whole bound is taken when nothing else is queued), Errc::outOfRange
    /// when it is empty (that would be a ping) or too large, Errc::closed.
    Error write(Bytes message) noexcept { return output_.write(message); }
    /// Hands queued bytes to the kernel. True when everything went; false when some wait for writability (or closed).
    /// Call it at the end of a burst: what is queued below the high-water mark stays there until then.
    bool flush() noexcept { return output_.flush(); }
    /// Drops every queued message of which nothing was handed to the layers below yet, whole messages only, and returns
    /// how many bytes that were. What was handed down, and the rest of a message that was begun, still leaves.
    std::size_t dropUnsent() noexcept { return output_.dropUnsent(); }
    /// Ends the output behind what is queued, as the kernel takes it: WebSocket sends a close frame with `code` and as
    /// much of `text` as that holds (123 bytes), TLS its closing alert; the peer sees the end, and is read from as
    /// before. Pings stop, and nothing may be queued any more. The channel gives up its place at the listener. False:
    /// this connection cannot, or is not up; close() is what is left. Owner thread.
    [[nodiscard]] bool finish(std::uint16_t code, std::string_view text) noexcept;
    [[nodiscard]] std::size_t queuedBytes() const noexcept { return output_.queuedBytes(); }  ///< any thread (relaxed)
    /// A write has failed, or the channel is closed: nothing is sent any more, reserve() gives nothing and write() says
    /// Errc::closed. read() goes on: what the peer had sent comes first, then the end, with the reason.
    [[nodiscard]] bool outputEnded() const noexcept { return output_.ended(); }
    /// Sends a ping if nothing was written for a third of the ping timeout (with queued output it only flushes).
    /// Writes are noticed when this is called, so call it a few times per ping interval.
    /// `asks`: a sign of life is wanted now, so a ping leaves however lately something else did. True: the peer has to
    /// answer pings (JSON). False: it need not, and what tells is whether its system confirms that one came
    /// (peerSigns()).
    bool pingIfIdle(TimePoint now, bool asks = false) noexcept;
    /// Takes out arena memory gathered in a burst: spare chunks beyond the most in use since the last call; staging
    /// blocks below the arena go as well. What it returns frees the chunks when it is destroyed: that needs no lock.
    /// Call it every few seconds: what a burst needed goes back when one such period passes without a burst.
    OutputQueue::Spare trimOutput() noexcept;
    /// The same for received bytes: pages of the input buffer that nothing was received into since the last call, the
    /// block of a large message. Owner thread; the message that read() gave last dies here.
    void trimInput() noexcept;

    // --- time ------------------------------------------------------------------------------------------------------
    /// True when nothing was read for the ping timeout although the peer must ping. Call with a coarse clock, a few
    /// times per timeout: reads are noticed when this is called. It does not close.
    /// `excused`: nothing was read on purpose, so the timeout begins anew.
    [[nodiscard]] bool pingExpired(TimePoint now, bool excused = false) noexcept;

    /// After a failed write, when the end that read() would find is not waited for any longer: the channel fails as if
    /// read() had found it. Nothing while the output works. Owner thread.
    void abandon() noexcept;
    /// Closes at once; queued output is lost unless flushed before. Idempotent; owner thread with outputLock held or
    /// not used.
    void close() noexcept;

    [[nodiscard]] const ChannelInfo& info() const noexcept;  ///< complete once active
    /// The values now; any thread.
    [[nodiscard]] ChannelCounters counters() const noexcept;
    [[nodiscard]] const std::string& errorText() const noexcept;  ///< "127.0.0.1:14002: reason"; owner thread
    /// Of multicast connections; zero elsewhere. Any thread.
    [[nodiscard]] MulticastCounters multicastCounters() const noexcept;
    /// Multicast: about the message that read() gave last; null for other connections. Owner thread.
    [[nodiscard]] const DatagramInfo* datagramInfo() const noexcept;
    /// Sequenced multicast: sends one message at once, in a datagram of its own, with the caller's number. Output half.
    /// Errc::usage on other connections, Errc::outOfRange when it does not fit a datagram, Errc::noBuffers when the
    /// system takes no more for now.
    Error writeSequenced(Bytes message, std::uint32_t sequence, bool retransmission = false) noexcept;
    /// Changes an option of an active channel, one of ioctl_code; Errc::outOfRange / usage.
    Error setOption(int ioctlCode, std::uint32_t value) noexcept;
    [[nodiscard]] std::uint32_t maxFragmentSize() const noexcept;  ///< M - 2, what reserve() can give; 65530 at most

private:
    friend class Server;
    struct Impl;
    explicit Channel(std::unique_ptr<Impl> impl);

    [[nodiscard]] ReadResult readSlow(FrameEvent event) noexcept;
    [[nodiscard]] InitStatus activate(TimePoint now);
    void lost() noexcept;
    void fail(std::string reason) noexcept;

    ChannelInput input_;
    std::atomic<MessageTrace*> trace_{nullptr};  // of messages that are read; null: no trace
    std::unique_ptr<Impl> impl_;
    std::atomic<ChannelState> state_{ChannelState::initializing};
    alignas(64) ChannelOutput output_{state_};
};

/// What the system knows of a peer over TCP.
struct PeerSigns {
    std::size_t unconfirmed = 0;          ///< bytes written that the peer's system has not acknowledged, sent or not
    std::chrono::milliseconds silence{};  ///< since something came from the peer
};
/// Nothing for connections that are closed or not over TCP. Output lock held, or owner thread.
[[nodiscard]] std::optional<PeerSigns> peerSigns(const Channel& channel) noexcept;

/// Segments that the system has sent again (TCP_INFO); 0 where it does not tell. Owner thread.
[[nodiscard]] std::uint64_t tcpRetransmits(const Channel& channel) noexcept;

}  // namespace emissary::eta::transport

#include "eta/transport/Server.h"
