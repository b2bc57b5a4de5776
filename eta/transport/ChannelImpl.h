// What a channel keeps away from its hot path: the socket, the handshake, facts about the connection.
#pragma once

#include "eta/transport/Channel.h"
#include "transport/Admission.h"
#include "transport/CompressingStream.h"
#include "transport/TcpStream.h"
#include "transport/handshake.h"
#include "transport/streams.h"

#include <optional>

namespace emissary::eta::transport {

/// Shared by a listener and its channels, which may outlive it and live in other threads.
struct ServerShared {
    BindOptions options;              // constant after bind()
    std::shared_ptr<TlsContext> tls;  // null: not encrypted
    std::shared_ptr<Admission> admission;
    std::shared_ptr<PartialBudget> partialBudget;  // null: no limit
    // Several threads may add to these, rarely: real atomic additions.
    std::atomic<std::uint64_t> handshakesDone{0}, handshakeFailures{0}, handshakeTimeouts{0}, naksSent{0},
        protocolErrors{0};
};

struct Channel::Impl {
    enum class Phase : std::uint8_t {
        connecting,  // and whatever else the stream needs: TLS, WebSocket upgrade
        awaitingAck,
        sendingKey,
        opening,  // server: TLS, WebSocket upgrade
        awaitingRequest,
        sendingAck,
        awaitingKey,
        sendingNak
    };
    enum class Sent : std::uint8_t { all, blocked, failed };

    /// Sends what is left of the handshake message in `out`.
    [[nodiscard]] Sent sendPending() noexcept;
    /// Reads into the channel's input buffer.
    [[nodiscard]] IoResult receive(FrameReader& input) noexcept;

    /// Server side: the first byte of the peer moves the deadline from its own to the handshake's.
    void noteHeard() noexcept;

    /// Text for a failed call of the stream.
    [[nodiscard]] std::string reasonOf(const IoResult& io) const;

    std::unique_ptr<ByteStream> stream;
    MessageSource* source = nullptr;          // part of stream: messages do not come through the frame reader
    CompressingStream* compressor = nullptr;  // the same object as stream, once compression is agreed
    bool server = false;
    bool webSocket = false;  // server side: the client turned out to speak it
    bool refused = false;
    Phase phase = Phase::connecting;
    ChannelOptions options;
    ConnectOptions client;                 // client side
    std::shared_ptr<ServerShared> shared;  // server side
    Admission::Place place;                // server side
    ChannelInfo info;
    std::string errorText, peer;
    TimePoint deadline{};
    TimePoint handshakeDeadline{};  // server side: the deadline once the peer was heard
    bool heard = false;
    bool awaitsProxy = false;  // client: the deadline is the proxy's

    // handshake
    WireBytes out;
    std::size_t outSent = 0;
    IoResult sendFailure;
    std::vector<SocketAddress> addresses;
    std::size_t address = 0;
    int version = 14;
    std::size_t maxMessage = 0;
    Compression compression = Compression::none;
    std::uint8_t compressionLevel = 0;
    bool keyAsked = false;
    std::uint64_t keyModulus = 0, keyExponent = 0;
    std::optional<std::string> refuseText;
    std::string unanswered;  // client: what became of the request of the newer version, for errorText

    // input half
    Counter bytesRead, readCalls;
    Counter receipts;  // receives that brought something, be it only a sign of life of a layer below
    std::uint64_t readSeen = 0;
    TimePoint readAt{};

    // output half; wantsWrite also by the owner thread while initializing
    alignas(64) std::atomic<bool> wantsWrite{false};
    std::atomic<int> writeError{0};
    Counter bytesWritten, writeCalls, writesBlocked, pingsWritten, noBuffers, markFlushes, queuedPeak;
    std::uint64_t writeSeen = 0;
    TimePoint writeAt{};
    std::size_t highWaterMark = 0;
    std::size_t raisedMark = 0;  // in a burst; 0 = not raised
    TimePoint markReachedAt{};
    bool directWrite = false;
};

}  // namespace emissary::eta::transport
