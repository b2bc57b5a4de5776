// What a connection is asked for, what it turned out to be, and what it counted (transport.md 1.8, 3.3, 3.5).
#pragma once

#include "eta/core/bytes.h"

#include <chrono>
#include <cstdint>
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
    std::uint32_t maxFragmentSize = 0;  ///< M - 2 (65530 at most): one packed message of that size fits
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
    std::uint64_t sharedKey = 0;  ///< result of a key exchange; no security whatsoever; 0 = none
};

/// Counters; each is a number of things since the channel was made.
struct ChannelCounters {
    std::uint64_t bytesRead = 0, messagesRead = 0, pingsRead = 0, readCalls = 0;
    std::uint64_t bytesWritten = 0, messagesWritten = 0, pingsWritten = 0, writeCalls = 0, writesBlocked = 0;
    std::uint64_t noBuffers = 0, fragmentsRead = 0, fragmentsWritten = 0, partialsReplaced = 0;
};

enum class InitStatus : std::uint8_t { inProgress, descriptorChanged, active, failed };

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

/// Counters of a listener and of the channels it accepted; each is a number of things since bind().
struct ServerCounters {
    std::uint64_t accepted = 0;           ///< connections handed out by accept()
    std::uint64_t refusedBusy = 0;        ///< closed at once: too many half-open, or out of descriptors
    std::uint64_t handshakesDone = 0;     ///< channels that became active
    std::uint64_t handshakeFailures = 0;  ///< bad, refused or broken-off handshakes, without the timeouts
    std::uint64_t handshakeTimeouts = 0;  ///< handshakes not complete at the initialization timeout
    std::uint64_t naksSent = 0;           ///< refusals answered with a nak (also counted as failures)
    std::uint64_t protocolErrors = 0;     ///< active channels closed because the peer broke the framing rules
};

}  // namespace emissary::eta::transport
