// One RIPC connection, client or server side: handshake, framing, reassembly, output queues, pings (transport.md).
#pragma once

#include "eta/core/bytes.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

namespace emissary::eta::transport {

using Clock = std::chrono::steady_clock;
using TimePoint = Clock::time_point;

enum class ConnectionType : std::uint8_t {
    socket = 0,
    encrypted = 1,
    http = 2,
    sharedMemory = 3,
    reliableMulticast = 4,
    webSocket = 7
};
enum class Compression : std::uint8_t { none = 0, zlib = 1, lz4 = 2 };
enum class ChannelState : std::int8_t { closed = -1, inactive = 0, initializing = 1, active = 2 };
/// Protocol carried inside the frames.
inline constexpr std::uint8_t kProtocolRwf = 0, kProtocolJson = 2;
inline constexpr std::uint8_t kRwfMajor = 14, kRwfMinor = 1;

/// Options of both directions of a connection; the defaults are the transport's (transport.md 3.3).
struct ChannelOptions {
    std::uint32_t guaranteedOutputBuffers = 50;  ///< output bound = this many fragments' worth of bytes (see Channel)
    std::uint32_t maxOutputBuffers = 0;          ///< 0 = as guaranteed; more may be taken while memory allows
    std::uint32_t numInputBuffers = 10;          ///< input buffer = this many fragments (at least 64 KiB)
    std::uint32_t sysSendBufSize = 0, sysRecvBufSize = 0;  ///< bytes; 0 = leave to the operating system
    std::uint32_t highWaterMark = 6144;                    ///< queued bytes at which commit() flushes by itself
    std::uint32_t compressionThreshold = 0;
    Compression compression = Compression::none;
    std::uint8_t pingTimeoutSeconds = 60;  ///< wanted (client) / largest accepted (server)
    bool tcpNoDelay = true;
    bool directWrite = false;   ///< flush every message
    std::string interfaceName;  ///< address or device to bind to; empty = any
    std::string componentInfo;  ///< text shown to the peer; a default names this library
    std::chrono::milliseconds initializationTimeout{5000};
    std::size_t maxMessageBytes = 64u << 20;  ///< largest message reassembled from fragments
    std::uint32_t maxPartialMessages = 64;    ///< fragment ids being reassembled at once
};

struct ConnectOptions : ChannelOptions {
    std::string host = "localhost";
    std::string port = "14002";  ///< number or service name
    int firstVersion = 14;       ///< RIPC version tried first; falls back to 11 while `fallback`
    bool fallback = true;
    bool keyExchange = false;
};

struct ChannelInfo {
    std::uint32_t maxFragmentSize = 0;  ///< M - 2: one packed message of that size still fits
    std::uint32_t ripcVersion = 0;      ///< 11 .. 14
    std::uint32_t guaranteedOutputBuffers = 0, maxOutputBuffers = 0, numInputBuffers = 0;
    std::uint32_t sysSendBufSize = 0, sysRecvBufSize = 0;  ///< as the operating system reports
    std::uint32_t compressionThreshold = 0;
    std::uint8_t pingTimeoutSeconds = 60, majorVersion = kRwfMajor, minorVersion = kRwfMinor,
                 protocolType = kProtocolRwf;
    bool clientToServerPings = true, serverToClientPings = true;
    Compression compression = Compression::none;
    ConnectionType connectionType = ConnectionType::socket;
    std::string peerHost, peerAddress, componentInfo;  ///< as the peer names itself / socket address "ip:port"
    std::uint16_t peerPort = 0;
};

/// Counters; each is a number of things since the channel was made.
struct ChannelCounters {
    std::uint64_t bytesRead = 0, messagesRead = 0, pingsRead = 0, readCalls = 0;
    std::uint64_t bytesWritten = 0, messagesWritten = 0, pingsWritten = 0, writeCalls = 0, writesBlocked = 0;
    std::uint64_t noBuffers = 0, fragmentsRead = 0, fragmentsWritten = 0, partialsReplaced = 0;
};

enum class InitStatus : std::uint8_t { inProgress, descriptorChanged, active, failed };

struct ReadResult {
    enum class Kind : std::uint8_t { message, ping, wouldBlock, closed };
    Kind kind = Kind::wouldBlock;
    bool more = false;  ///< further messages are already buffered: read again without waiting
    Bytes message;      ///< valid until the next read()
};

enum class Priority : std::uint8_t { high = 0, medium = 1, low = 2 };

/// A small futex mutex: one atomic operation each way when uncontended. Meets Lockable.
class OutputLock {
public:
    void lock() noexcept;
    void unlock() noexcept;
    [[nodiscard]] bool try_lock() noexcept;

private:
    std::atomic<std::uint32_t> word_{0};  // 0 free, 1 held, 2 held with waiters (futex)
};

/// One connection.
///
/// Threads: the input half (init, read, close) belongs to one owner thread. The output half (reserve, commit, write,
/// flush, ping) may be used by any thread that holds outputLock(). Both halves may run at the same time.
///
/// Output goes into an arena of chunks: reserve() gives contiguous room behind a frame header, the caller encodes in
/// place, commit() queues it; nothing is copied again and one send carries whatever is queued. The arena is bounded by
/// maxOutputBuffers x (fragment size + header) bytes; beyond it reserve()/write() return nothing / Errc::noBuffers.
class Channel {
public:
    Channel(const Channel&) = delete;
    Channel& operator=(const Channel&) = delete;
    ~Channel();

    /// Resolves the name (blocking look-up: call it where that is allowed) and starts a non-blocking connect.
    /// On failure returns null and fills `errorText` ("connect to host:port: reason").
    [[nodiscard]] static std::unique_ptr<Channel> connect(const ConnectOptions& options, TimePoint now,
                                                          std::string& errorText);

    /// Descriptor for epoll (changes on version fall-back: InitStatus::descriptorChanged). -1 once closed.
    [[nodiscard]] int fd() const noexcept;
    [[nodiscard]] ChannelState state() const noexcept;
    [[nodiscard]] bool isServerSide() const noexcept;

    /// Drives connect and handshake; call when the descriptor is readable or writable (client: first writable) and at
    /// the initialization timeout. failed: errorText() says why; refused() is true after a nak (do not fall back or
    /// hurry).
    [[nodiscard]] InitStatus init(TimePoint now) noexcept;
    [[nodiscard]] bool wantsWrite() const noexcept;  ///< wait for writability too
    [[nodiscard]] TimePoint initDeadline() const noexcept;
    [[nodiscard]] bool refused() const noexcept;

    /// Next message. Reads from the socket only when nothing complete is buffered (and then as much as fits). On
    /// Kind::closed the channel is closed; errorText() says why ("closed by peer", "frame length 9000 exceeds 6147"
    /// ...).
    [[nodiscard]] ReadResult read() noexcept;
    /// Same, but never touches the socket: wouldBlock when nothing complete is buffered.
    [[nodiscard]] ReadResult readBuffered() noexcept;

    // --- output half -------------------------------------------------------------------------------------------------
    [[nodiscard]] OutputLock& outputLock() noexcept;
    /// Contiguous room for one message of at most `bytes` (<= maxFragmentSize()+2, else empty). Empty when the output
    /// bound is reached even after an internal flush. Committing fewer bytes is fine; reserve again or commit(0) drops
    /// it.
    [[nodiscard]] std::span<std::byte> reserve(std::size_t bytes, Priority priority = Priority::medium) noexcept;
    /// Queues the first `bytes` of the reservation as one message; flushes at the high-water mark or with directWrite.
    /// Errc::closed when the channel fails meanwhile (message lost with the channel).
    Error commit(std::size_t bytes) noexcept;
    /// Commits the reservation as a packed frame: its content is already a list of {u16 length, message}.
    Error commitPacked(std::size_t bytes, std::uint32_t messages) noexcept;
    /// Copies and queues a message of any size, fragmented when larger than one frame. All or nothing.
    Error write(Bytes message, Priority priority = Priority::medium) noexcept;
    /// Hands queued bytes to the kernel. True when everything went; false when some wait for writability (or closed).
    bool flush() noexcept;
    [[nodiscard]] std::size_t queuedBytes() const noexcept;  ///< any thread (relaxed)
    /// Sends a ping if nothing was written for a third of the ping timeout (with queued output it only flushes).
    void pingIfIdle(TimePoint now) noexcept;
    /// Drops arena memory gathered in a burst.
    void trimOutput() noexcept;

    // --- time ------------------------------------------------------------------------------------------------------
    /// True when nothing was read for the ping timeout although the peer must ping. Call with a coarse clock.
    [[nodiscard]] bool pingExpired(TimePoint now) noexcept;

    /// Closes at once; queued output is lost unless flushed before. Idempotent; owner thread with outputLock held or
    /// not used.
    void close() noexcept;

    [[nodiscard]] const ChannelInfo& info() const noexcept;  ///< complete once active
    [[nodiscard]] ChannelCounters counters() const noexcept;
    [[nodiscard]] const std::string& errorText() const noexcept;
    [[nodiscard]] std::uint64_t tcpRetransmits() const noexcept;  ///< TCP_INFO; 0 where not available
    /// Changes an option of an active channel (transport.md 3.4); Errc::outOfRange / usage.
    Error setOption(int ioctlCode, std::uint32_t value) noexcept;
    [[nodiscard]] std::uint32_t maxFragmentSize() const noexcept;  ///< M - 2

private:
    friend class Server;
    struct Impl;
    explicit Channel(std::unique_ptr<Impl> impl) noexcept;
    std::unique_ptr<Impl> impl_;
};

struct BindOptions : ChannelOptions {
    std::string port = "14002";            ///< number or service name; "0" = ephemeral
    std::uint32_t maxFragmentSize = 6144;  ///< M announced to clients; 25..65535
    std::uint8_t minPingTimeoutSeconds = 20;
    std::uint8_t protocolType = kProtocolRwf;
    bool serverToClientPings = true, clientToServerPings = true;
    bool sharedSocket = false;
    std::uint32_t maxInitializing = 1024, maxInitializingPerAddress = 64;
    BindOptions() { initializationTimeout = std::chrono::seconds(60); }
};

struct ServerCounters {
    std::uint64_t accepted = 0, refusedBusy = 0, handshakeFailures = 0, handshakeTimeouts = 0;
};

/// A listening socket. Belongs to one thread.
class Server {
public:
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    ~Server();
    /// Null on failure; errorText names port and reason ("port 14002 is in use ...").
    [[nodiscard]] static std::unique_ptr<Server> bind(const BindOptions& options, std::string& errorText);
    [[nodiscard]] int fd() const noexcept;
    [[nodiscard]] std::uint16_t port() const noexcept;
    /// Next pending connection in state initializing, or null when none waits (or it was refused: too many half-open).
    [[nodiscard]] std::unique_ptr<Channel> accept(TimePoint now) noexcept;
    /// To be told when an accepted channel leaves the initializing state, for the half-open caps. Channel calls it
    /// itself.
    [[nodiscard]] const ServerCounters& counters() const noexcept;
    void close() noexcept;

private:
    struct Impl;
    explicit Server(std::unique_ptr<Impl> impl) noexcept;
    std::unique_ptr<Impl> impl_;
};

}  // namespace emissary::eta::transport
