// Options, agreed values and counters of a connection (transport.md 1.8, 3.3, 3.5).
#pragma once

#include "eta/core/Clock.h"
#include "eta/core/Count.h"
#include "eta/core/addresses.h"
#include "eta/core/bytes.h"
#include "eta/transport/connection_types.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace emissary::eta::transport {

using eta::Clock;
using eta::TimePoint;

class TraceSource;  // MessageTrace.h

/// Compression of RIPC frames; the numbers are those of the wire (transport.md 1.8).
enum class Compression : std::uint8_t { none = 0, zlib = 1, lz4 = 2 };
/// Where a channel stands; channels of this library are never inactive.
enum class ChannelState : std::int8_t { closed = -1, inactive = 0, initializing = 1, active = 2 };
/// Protocol carried inside the frames.
inline constexpr std::uint8_t kProtocolRwf = 0, kProtocolJson = 2;
inline constexpr std::uint8_t kRwfMajor = 14, kRwfMinor = 1;

/// TLS versions as option bits (SecurityProtocol).
inline constexpr std::uint32_t kTls12 = 0x04, kTls13 = 0x08;

/// TLS of either side (transport.md 4).
struct TlsOptions {
    std::uint32_t versions = kTls12 | kTls13;
    std::string cipherSuite;  ///< OpenSSL cipher list of TLS 1.2; empty = ECDHE and DHE with AES-GCM or ChaCha20
    // client
    std::string caStore;         ///< PEM file or hashed directory; empty = the platform's
    std::string serverName;      ///< name to verify and to send; empty = ConnectOptions::host
    bool verifyHostName = true;  ///< the chain is verified always
    // both
    std::string certificate;  ///< PEM file with the own chain; a server needs one, a client where it is asked for one
    std::string privateKey;   ///< PEM file; goes with the certificate
    // server
    std::string dhParameters;       ///< PEM file; empty = built-in groups
    std::string clientCa;           ///< clients are asked for a certificate of these: PEM file or hashed directory
    std::string clientCrl;          ///< with clientCa: PEM file of what those have revoked; empty = not looked at
    bool requireClientCert = true;  ///< with clientCa: clients without a certificate are refused
    bool operator==(const TlsOptions&) const = default;
};

/// What a server asks of the Origin that browsers send with their upgrade requests (web-streaming.md section 4).
struct OriginOptions {
    bool checked = false;              ///< false: the Origin is not looked at
    bool required = false;             ///< who sends none, and is therefore no browser, is refused as well
    bool plainWeb = false;             ///< browsers on other machines may connect without TLS
    std::vector<std::string> allowed;  ///< beside pages of this host: scheme://host:port, null, or * for all
    std::vector<std::string> hosts;    ///< names of this host in its own pages, beside addresses and localhost
    /// host or host:port under which browsers see this port behind a proxy; without a port that of http or https
    std::vector<std::string> publicHosts;
    std::uint16_t pagesPort = 0;  ///< port of this host whose pages may connect, as its own may; 0 = none
    bool operator==(const OriginOptions&) const = default;
};

/// ChannelInfo::webSocketProtocol of a client that reads events (WebSocketOptions::events).
inline constexpr const char* kEventStream = "sse";

/// WebSocket of either side (transport.md 6).
struct WebSocketOptions {
    /// Sub-protocols, best first, separated by blanks or commas: tr_json2, rssl.json.v2, rssl.rwf, tr_rwf.
    std::string protocols = "tr_json2, rssl.rwf, rssl.json.v2";
    std::string path;     ///< of the client's upgrade request; empty = /WebSocket
    std::string cookies;  ///< client: the Cookie header of that request, "a=1; b=2"; a line end in it ends it. Secret
    std::uint64_t maxMessageBytes = 61440;       ///< limit of a client's JSON frames, 64 .. 6291456; larger are split
    std::uint64_t maxReceivedBytes = 6'291'456;  ///< largest JSON message accepted, inflated
    bool sendPings = true;  ///< a JSON server pings every third of the ping timeout, whatever else it sends
    bool served = true;     ///< server: false: upgrade requests are refused (404)
    /// Server with a JSON sub-protocol: GET /sse too, the read-only form of a JSON connection (text/event-stream).
    bool events = false;
    OriginOptions origins;  ///< server
    /// Server: the largest head of an upgrade request, and its most lines, the first included; else 431.
    std::size_t maxHeadBytes = 32768;
    std::uint32_t maxHeadLines = 100;
    /// Server: from the first bytes of the request on until its end; 0 = as initializationTimeout.
    std::chrono::milliseconds upgradeTimeout{0};
    /// Server: upgrades on average; what is left over may come within ten seconds. More: 429. Handshakes of TLS: twice
    /// as many, whatever follows them; more are closed without an answer. 0 = no limit.
    std::uint32_t upgradesPerSecond = 0;
    /// Server: a connection above a limit that wants to become a WebSocket gets 429 or 503 instead of a mere close.
    bool answersWhenFull = false;
    /// Server: peers whose X-Forwarded-For is believed. Their own addresses have no limit for one address.
    std::vector<AddressRange> trustedProxies;
    /// Server, JSON: cookies of the upgrade request that are a login: the names of those with the token, the position
    /// and the application id, the last two at will. The login is the first message that is received, with stream id
    /// -1. Over TLS or from a trusted proxy only. Empty: cookies are not looked at.
    std::vector<std::string> loginCookies;
    bool operator==(const WebSocketOptions&) const = default;
};

/// HTTP proxy that the connection goes through (CONNECT); not for plain sockets.
struct ProxyOptions {
    std::string host, port;      ///< empty host = none
    std::string user, password;  ///< Basic authentication; empty user = none
    std::string domain;          ///< of the user, for proxies that ask for DOMAIN\\user; empty = none
    /// Until the proxy lets the connection pass; the initialization timeout runs from then on.
    std::chrono::milliseconds timeout{40'000};
    bool operator==(const ProxyOptions&) const = default;
};

/// Multicast of either kind (transport.md 7.2, 7.3; docs/wire/multicast.md). Addresses are IPv4 or IPv6 groups, ports
/// numbers or service names. Times are in units of 100 ms.
struct MulticastOptions {
    std::string receiveAddress, receivePort;  ///< group to hear
    std::string sendAddress, sendPort;        ///< group to send to; may be the same
    std::string unicastPort;                  ///< own port for requests for repair; "0" = any
    std::uint16_t portRoamRange = 0;          ///< further ports tried when unicastPort is in use
    std::uint8_t packetTtl = 5;               ///< hops
    bool loopback = true;                     ///< other programs on this host hear it too
    std::uint16_t maxDatagramBytes = 0;       ///< UDP payload, 128 .. 8972; 0 = 1472 (reliable), 3000 (sequenced)
    bool disconnectOnGaps = false;            ///< unrecoverable loss closes the channel
    std::uint32_t ndata = 7;                  ///< sender: repairs of one packet
    std::uint32_t nrreq = 3;                  ///< receiver: requests for one packet
    std::uint32_t tdata = 1;                  ///< receiver: longest random wait before the first request
    std::uint32_t trreq = 4;                  ///< receiver: wait between two requests for one packet
    std::uint32_t twait = 3;                  ///< sender: a packet just repaired is not repaired again for so long
    std::uint32_t tbchold = 3;                ///< sender: packets are kept this much longer than receivers may ask
    std::uint32_t tpphold = 3;                ///< taken and not used: there are no point-to-point data packets
    std::uint32_t userQLimit = 65535;         ///< packets waiting for the reader; more means slow reader
    std::uint32_t nmissing = 128;             ///< packets of one sender missing at once; more are given up
    std::uint32_t pktPoolLimitHigh = 190000;  ///< packets kept for repairs, and packets held back behind a gap
    std::uint32_t pktPoolLimitLow = 180000;   ///< at the high limit the pool is emptied down to this
    std::uint32_t hsmInterval = 0;            ///< seconds between host statistics; 0 = none
    std::string hsmInterface, hsmAddress, hsmPort;
    std::string tcpControlPort;    ///< taken and not used
    std::uint16_t instanceId = 0;  ///< sequenced: names this sender's channel, with its address and port
    bool operator==(const MulticastOptions&) const = default;
};

/// Options of both directions of a connection; the defaults are the transport's (transport.md 3.3).
struct ChannelOptions {
    std::uint32_t guaranteedOutputBuffers = 50;  ///< output bound = this many fragments' worth of bytes (see Channel)
    std::uint32_t maxOutputBuffers = 0;          ///< 0 = as guaranteed; more may be taken while memory allows
    std::uint32_t numInputBuffers = 10;          ///< input buffer = this many fragments (at least 64 KiB)
    std::uint32_t sysSendBufSize = 0, sysRecvBufSize = 0;  ///< bytes; 0 = leave to the operating system
    std::uint32_t highWaterMark = 6144;                    ///< queued bytes at which commit() flushes by itself
    std::uint32_t compressionThreshold = 0;  ///< payloads below go plain; 0 = 30 bytes (zlib), 300 (LZ4), the minimum
    Compression compression = Compression::none;  ///< offered (client), agreed to (server); JSON: zlib = deflate
    std::uint8_t pingTimeoutSeconds = 60;         ///< wanted (client) / largest accepted (server)
    bool tcpNoDelay = true;
    bool directWrite = false;  ///< flush every message
    bool busyRead = false;     ///< shared memory: an active channel is polled by read(), fd() tells nothing but its end
    /// Shared memory: name or number of a group whose members are let in (server) or served by (client), besides the
    /// own user and root; empty = nobody else.
    std::string sharedMemoryGroup;
    std::string interfaceName;  ///< address or device to bind to; empty = any
    std::string componentInfo;  ///< text shown to the peer; a default names this library
    std::chrono::milliseconds initializationTimeout{5000};
    std::size_t maxMessageBytes = 64u << 20;  ///< largest message reassembled from fragments
    std::uint32_t maxPartialMessages = 64;    ///< fragment ids being reassembled at once
    /// What the frames carry, and its version: a server refuses clients of another type, and the lower of both versions
    /// is agreed on. Multicast ignores datagrams of another type. Connections that agree on JSON have that type.
    std::uint8_t protocolType = kProtocolRwf, protocolMajor = kRwfMajor, protocolMinor = kRwfMinor;
    /// Makes the message trace of each connection; null = there is none, and it cannot be switched on. Shared by all
    /// connections with these options.
    std::shared_ptr<TraceSource> tracing;
    bool operator==(const ChannelOptions&) const = default;
};

/// Options of a client connection.
struct ConnectOptions : ChannelOptions {
    ConnectionType connectionType = ConnectionType::socket;
    ConnectionType encryptedProtocol = ConnectionType::socket;  ///< inside `encrypted`: socket or webSocket
    TlsOptions tls;
    WebSocketOptions webSocket;
    ProxyOptions proxy;
    MulticastOptions multicast;
    std::string host = "localhost";
    std::string port = "14002";  ///< number or service name
    int firstVersion = 14;       ///< RIPC version tried first; falls back to 11 while `fallback`
    bool fallback = true;
    bool keyExchange = false;
    bool operator==(const ConnectOptions&) const = default;
};

/// Where a connection goes, for people: "host:port", or both groups of multicast.
[[nodiscard]] std::string describeTarget(const ConnectOptions& options);

/// The verified certificate of a client. Texts have no control characters.
struct PeerCertificate {
    std::string subject;     ///< as RFC 2253 writes it, at most 512 bytes
    std::string commonName;  ///< of the subject; empty: it has none, or several
    /// Of its alternative names those that may name a user, at most 16: mail addresses, then UPNs, then URIs; DNS names
    /// only where there is none of these.
    std::vector<std::string> names;
};

/// What was agreed on and what the system gave; constant once the channel is active.
struct ChannelInfo {
    std::uint32_t maxFragmentSize = 0;  ///< M - 2 (65530 at most); JSON: the limit of its frames - 2, up to 6291454
    std::uint32_t ripcVersion = 0;      ///< 11 .. 14
    std::uint32_t guaranteedOutputBuffers = 0, maxOutputBuffers = 0, numInputBuffers = 0;
    std::uint32_t sysSendBufSize = 0, sysRecvBufSize = 0;  ///< as the operating system reports
    std::uint32_t compressionThreshold = 0;
    std::uint8_t pingTimeoutSeconds = 60, majorVersion = kRwfMajor, minorVersion = kRwfMinor,
                 protocolType = kProtocolRwf;
    bool serverSide = false;
    bool clientToServerPings = true, serverToClientPings = true;
    Compression compression = Compression::none;
    ConnectionType connectionType = ConnectionType::socket;
    std::string peerHost, peerAddress, componentInfo;  ///< as the peer names itself / socket address "ip:port"
    /// Server: "ip:port" of the trusted proxy that forwards the connection; peerAddress has the client's address then,
    /// and the port of the proxy's socket. Empty: there is none.
    std::string proxyAddress;
    std::uint16_t peerPort = 0;
    std::uint32_t tlsVersion = 0;  ///< kTls12, kTls13; 0 = not encrypted
    bool tlsResumed = false;       ///< an earlier TLS session was taken up again
    std::string cipher;            ///< TLS cipher suite
    /// Server: of the client; null: it has sent none, or was asked for none.
    std::shared_ptr<const PeerCertificate> certificate;
    std::string webSocketProtocol;  ///< sub-protocol agreed on, or kEventStream; empty = no WebSocket
    std::string origin;  ///< server: of the page that connected, escaped, at most 128 bytes; empty = no browser
    /// Server: the origin is that of this port, which has no pages: a library has sent it, and no browser. Not said of
    /// what a trusted proxy forwards, which may have pages.
    bool originOfPort = false;
    /// Server: a page of a browser has connected, and no program.
    [[nodiscard]] bool ofBrowser() const noexcept { return !origin.empty() && !originOfPort; }
    std::uint64_t sharedKey = 0;  ///< result of a key exchange; no security whatsoever; 0 = none
};

/// What multicast counts; packets are datagrams.
struct MulticastCounters {
    Total<"emissary_multicast_sent_total", "packets", "Multicast packets sent, of all kinds."> multicastSent;
    Total<"emissary_multicast_received_total", "packets", "Multicast packets received, the own ones left out.">
        multicastReceived;
    Total<"emissary_multicast_unicast_sent_total", "packets", "Requests for repair sent."> unicastSent;
    Total<"emissary_multicast_unicast_received_total", "packets", "Requests for repair received."> unicastReceived;
    Total<"emissary_multicast_gaps_total", "packets", "Packets lost for good."> gaps;
    Total<"emissary_multicast_requests_sent_total", "packets", "Packets that others were asked to send again.">
        requestsSent;
    Total<"emissary_multicast_requests_received_total", "packets", "Packets that others asked to be sent again.">
        requestsReceived;
    Total<"emissary_multicast_repairs_sent_total", "packets", "Packets sent again."> repairsSent;
    Total<"emissary_multicast_repairs_received_total", "packets", "Packets that came after they were asked for.">
        repairsReceived;
    Total<"emissary_multicast_duplicates_total", "packets", "Packets received although they were known."> duplicates;
    Total<"emissary_multicast_rejected_total", "packets",
          "Packets dropped because they were malformed, of another version or beyond a limit.">
        rejected;
    Total<"emissary_multicast_overflows_total", "packets", "Packets dropped because the reader was too slow.">
        overflows;
    Total<"emissary_multicast_senders_total", "senders", "Senders heard."> senders;
    Total<"emissary_multicast_senders_lost_total", "senders", "Senders that fell silent or were replaced."> sendersLost;
    bool operator==(const MulticastCounters&) const = default;
};

/// What a channel counts since it was made.
struct ChannelCounters {
    Total<"emissary_channel_bytes_read_total", "bytes", "Bytes received, as they came over the network."> bytesRead;
    Total<"emissary_channel_messages_read_total", "messages", "Messages received."> messagesRead;
    Total<"emissary_channel_pings_read_total", "pings", "Pings received."> pingsRead;
    Total<"emissary_channel_read_calls_total", "calls", "Calls of the operating system that received bytes."> readCalls;
    Total<"emissary_channel_uncompressed_bytes_read_total", "bytes", "Bytes received, counted before compression.">
        uncompressedBytesRead;
    Total<"emissary_channel_uncompressed_bytes_written_total", "bytes", "Bytes sent, counted before compression.">
        uncompressedBytesWritten;
    Total<"emissary_channel_bytes_written_total", "bytes", "Bytes sent, as they went over the network."> bytesWritten;
    Total<"emissary_channel_messages_written_total", "messages", "Messages queued to be sent."> messagesWritten;
    Total<"emissary_channel_pings_written_total", "pings", "Pings sent."> pingsWritten;
    Total<"emissary_channel_write_calls_total", "calls", "Calls of the operating system that sent bytes (flushes).">
        writeCalls;
    Total<"emissary_channel_writes_blocked_total", "calls", "Flushes that the kernel took only in part."> writesBlocked;
    Total<"emissary_channel_high_water_flushes_total", "flushes",
          "Flushes because more than the high-water mark was queued, or because every message is to leave at once.">
        markFlushes;
    Total<"emissary_channel_no_buffers_total", "messages", "Messages refused because the output was full."> noBuffers;
    Total<"emissary_channel_fragments_read_total", "fragments", "Fragments of large messages received."> fragmentsRead;
    Total<"emissary_channel_fragments_written_total", "fragments", "Fragments of large messages queued to be sent.">
        fragmentsWritten;
    Total<"emissary_channel_partials_replaced_total", "messages",
          "Incomplete messages dropped because another one began with their fragment id.">
        partialsReplaced;
    Level<"emissary_channel_input_held_bytes", "bytes",
          "Memory of the input buffers: what bytes were received into, and messages that come in pieces.">
        inputHeld;
    Level<"emissary_channel_output_held_bytes", "bytes",
          "Memory of the output arena, queued messages and what is kept for the next burst.">
        outputHeld;
    Level<"emissary_channel_output_queued_bytes", "bytes", "Bytes queued and not handed to the kernel."> queued;
    Peak<"emissary_channel_output_queued_peak_bytes", "bytes", "Most bytes that were queued before a flush.">
        queuedPeak;
};

/// What Channel::init() has come to.
enum class InitStatus : std::uint8_t { inProgress, descriptorChanged, active, failed };

/// Options of a listener and of the channels it accepts.
struct BindOptions : ChannelOptions {
    /// socket and webSocket serve both kinds of client on one port, encrypted both inside TLS.
    ConnectionType connectionType = ConnectionType::socket;
    TlsOptions tls;
    WebSocketOptions webSocket;
    bool forceCompression = false;         ///< `compression` for every client, asked for or not
    std::uint8_t compressionLevel = 5;     ///< zlib, 0..9; both sides use it
    std::string port = "14002";            ///< number or service name; "0" = ephemeral
    std::uint32_t maxFragmentSize = 6144;  ///< M, 25..65535; up to 6291456 for JSON alone, 6144 for RWF then
    std::uint8_t minPingTimeoutSeconds = 20;
    bool serverToClientPings = true, clientToServerPings = true;
    bool sharedSocket = false;
    std::uint32_t maxInitializing = 1024, maxInitializingPerAddress = 64;
    /// Active ones included; 0 = no limit. A newcomer above a limit takes the place of the one that has got least far,
    /// if that one may go (Channel::settled()), else it is closed. IPv6 addresses are counted by their first 64 bits.
    std::uint32_t maxConnections = 0, maxConnectionsPerAddress = 0;
    /// For the first byte of an accepted connection; 0 = as initializationTimeout.
    std::chrono::milliseconds firstByteTimeout{0};
    /// What incomplete messages of all connections together hold beyond PartialShare::kOwnBytes each; 0 = no limit.
    std::size_t partialBudgetBytes = 0;
    /// A server gives its clients 60 s for the handshake.
    BindOptions() { initializationTimeout = std::chrono::seconds(60); }
    bool operator==(const BindOptions&) const = default;
};

/// What a listener and the channels it accepted count since bind().
struct ServerCounters {
    Total<"emissary_server_accepted_total", "connections", "Connections that the listener accepted."> accepted;
    Total<"emissary_server_refused_busy_total", "connections",
          "Connections refused when they came: too many, or no descriptor left.">
        refusedBusy;
    Total<"emissary_server_refused_address_total", "connections",
          "Connections refused because their address has as many as it may have.">
        refusedAddress;
    Total<"emissary_server_refused_full_total", "connections",
          "Connections refused because the listener has as many as it may have.">
        refusedFull;
    Total<"emissary_server_refused_rate_total", "connections",
          "WebSocket upgrades, readers of events and handshakes of TLS refused because too many came in a second.">
        refusedRate;
    Total<"emissary_server_heads_refused_total", "connections",
          "WebSocket upgrades refused because the head of the request was too large; they are failures too.">
        headsRefused;
    Total<"emissary_server_forwards_unreadable_total", "connections",
          "WebSocket upgrades that a trusted proxy forwarded without a client's address that can be read.">
        unreadableForwards;
    Total<"emissary_server_evicted_total", "connections", "Connections closed to make room for newcomers."> evicted;
    Total<"emissary_server_handshakes_total", "connections", "Connections that became active."> handshakesDone;
    Total<"emissary_server_handshake_failures_total", "connections",
          "Handshakes that were bad, refused or broken off, without those that took too long.">
        handshakeFailures;
    Total<"emissary_server_handshake_timeouts_total", "connections",
          "Handshakes not complete at the initialization timeout.">
        handshakeTimeouts;
    Total<"emissary_server_naks_sent_total", "connections", "Handshakes refused with a nak; they are failures too.">
        naksSent;
    Total<"emissary_server_origins_refused_total", "connections",
          "WebSocket upgrades refused because of their Origin; they are failures too.">
        originsRefused;
    Total<
        "emissary_server_client_certificates_missing_total", "connections",
        "Handshakes of TLS refused because the client sent no certificate (RequireClientCert). These and the next six "
        "are failures too.">
        certificatesMissing;
    Total<"emissary_server_client_certificates_untrusted_total", "connections",
          "Handshakes of TLS refused because the client's certificate is not of an authority of ClientCA.">
        certificatesUntrusted;
    Total<"emissary_server_client_certificates_expired_total", "connections",
          "Handshakes of TLS refused because the client's certificate, or one above it, has expired.">
        certificatesExpired;
    Total<"emissary_server_client_certificates_not_yet_valid_total", "connections",
          "Handshakes of TLS refused because the client's certificate, or one above it, is not valid yet.">
        certificatesNotYetValid;
    Total<"emissary_server_client_certificates_wrong_purpose_total", "connections",
          "Handshakes of TLS refused because the client's certificate is not for clients.">
        certificatesWrongPurpose;
    Total<"emissary_server_client_certificates_revoked_total", "connections",
          "Handshakes of TLS refused because the client's certificate was revoked (ClientCrl).">
        certificatesRevoked;
    Total<"emissary_server_client_certificates_bad_total", "connections",
          "Handshakes of TLS refused because of the client's certificate for another reason, which the log names.">
        certificatesBad;
    Total<"emissary_server_protocol_errors_total", "connections",
          "Active connections closed because the peer broke the framing rules.">
        protocolErrors;
};

}  // namespace emissary::eta::transport
