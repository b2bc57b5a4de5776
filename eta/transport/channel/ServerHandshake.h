// The server's way to an active channel: what a client speaks, its request, ack or nak (transport.md 1.2, 1.8).
#pragma once

#include "eta/transport/PartialBudget.h"
#include "transport/channel/Admission.h"
#include "transport/channel/ChannelHandshake.h"
#include "transport/channel/UpgradeRate.h"
#include "transport/stream/ByteStream.h"
#include "transport/websocket/http_upgrade.h"

#include <array>
#include <atomic>

namespace emissary::eta::transport {

/// Shared by a listener and its channels, which may outlive it and live in other threads.
struct ServerShared {
    explicit ServerShared(const BindOptions& o)
        : options(o), upgrades(o.webSocket.upgradesPerSecond), tls(2 * o.webSocket.upgradesPerSecond) {}
    BindOptions options;  // constant after bind()
    UpgradeRate upgrades;
    /// Connections of an encrypted listener, which begin with a handshake of TLS. Twice as many as upgrades, so that a
    /// client whose upgrade is one too many can read that.
    UpgradeRate tls;
    std::shared_ptr<Admission> admission;
    std::shared_ptr<PartialBudget> partialBudget;  // null: no limit
    // Several threads may add to these, rarely: real atomic additions.
    std::atomic<std::uint64_t> handshakesDone{0}, handshakeFailures{0}, handshakeTimeouts{0}, naksSent{0},
        originsRefused{0}, protocolErrors{0}, headsRefused{0}, refusedAddress{0}, refusedFull{0}, refusedRate{0},
        unreadableForwards{0};
    std::array<std::atomic<std::uint64_t>, kCertificateFaults> certificates{};  // by CertificateFault
    std::atomic<std::uint32_t> unplaced{0};  // connections without a place, which wait for their answer
};

/// Whom a listener has accepted.
struct Arrived {
    AddressKey address{};                             ///< of the socket
    Admission::Full full = Admission::Full::nothing;  ///< else there is no place: it is answered, and closed
    bool proxy = false;                               ///< one of the trusted proxies
    std::uint16_t port = 0;                           ///< of the listener; 0: it has none
};

class ServerHandshake final : public ChannelHandshake, private ws::UpgradeGate {
public:
    /// Connections without a place that a listener keeps for their answer; further ones are closed at once.
    static constexpr std::uint32_t kMostUnplaced = 64;
    /// `shared` and `place` are the channel's.
    ServerHandshake(const HandshakeEnds& ends, ServerShared& shared, Admission::Place& place, const Arrived& who,
                    TimePoint now);
    ~ServerHandshake() override;

    [[nodiscard]] InitStatus drive(TimePoint now) override;
    [[nodiscard]] const ChannelOptions& options() const noexcept override { return shared_.options; }
    [[nodiscard]] ConnectionType connectionType() const noexcept override { return shared_.options.connectionType; }
    void refuse(std::string text) override { refuseText_ = std::move(text); }

private:
    enum class Phase : std::uint8_t {
        opening,  // TLS, WebSocket upgrade
        awaitingRequest,
        sendingAck,
        awaitingKey,
        sendingNak
    };

    [[nodiscard]] InitStatus open(TimePoint now);
    [[nodiscard]] InitStatus answer(TimePoint now);
    [[nodiscard]] bool becomesWebSocket(TimePoint now);
    // ws::UpgradeGate
    [[nodiscard]] Answer mayUpgrade(const ws::UpgradeRequest& request) override;
    [[nodiscard]] Answer withinRate() override;
    void headRefused() noexcept override;
    void originRefused() noexcept override;
    /// With a status: there is no place for the client that a proxy names.
    [[nodiscard]] Answer forwarded(const ws::UpgradeRequest& request);
    [[nodiscard]] InitStatus readRequest(TimePoint now);
    [[nodiscard]] InitStatus sendNak(TimePoint now);
    [[nodiscard]] InitStatus readKey();
    [[nodiscard]] InitStatus stillWaiting(TimePoint now);
    [[nodiscard]] InitStatus refusedAsTold();
    /// The first byte of the peer moves the deadline from its own to the handshake's.
    void noteHeard() noexcept;

    ServerShared& shared_;
    Admission::Place& place_;
    const Arrived who_;
    AddressKey client_;            // behind a trusted proxy the one that it names
    TimePoint handshakeDeadline_;  // the deadline once the peer was heard
    TimePoint now_{};              // of the call of drive()
    bool http_ = false;            // the first bytes are those of a request
    Phase phase_ = Phase::opening;
    bool heard_ = false;
    bool webSocket_ = false;  // the client turned out to speak it
    std::uint64_t keyModulus_ = 0, keyExponent_ = 0;
    std::optional<std::string> refuseText_;
};

}  // namespace emissary::eta::transport
