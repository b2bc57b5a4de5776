// eta/transport/websocket: either side of a WebSocket: upgrade, RIPC frames or JSON messages (transport.md 6).
#pragma once

#include "emissary/Counter.h"
#include "transport/stream/StagedStream.h"
#include "transport/websocket/WebSocketReader.h"
#include "transport/websocket/WebSocketWriter.h"
#include "transport/websocket/cookie_login.h"
#include "transport/websocket/http_upgrade.h"

#include <optional>

namespace emissary::eta::transport {

/// With rssl.rwf it is a stream of bytes, each RIPC frame in a frame of its own. With JSON it is a source of messages;
/// what it is given to send are the frames of the output queue: each message becomes a text message in brackets, a
/// packed frame an array, a ping {"Type":"Ping"}. A server may find that the client asks for events instead of a
/// WebSocket (GET /sse): the same JSON goes out as text/event-stream, and what comes in is what the request says.
class WebSocketStream final : public StagedStream, private MessageSource {
public:
    struct Settings {
        WebSocketOptions options;
        bool server = false;
        bool anyPrefix = false;  ///< server: the request came through a proxy, which may have a path of its own
        bool encrypted = false;  ///< there is TLS below
        bool deflate = false;    ///< offer it, agree to it (JSON only)
        int level = 6;           ///< of deflate
        /// Limit of the JSON frames sent: 64 .. ws::kMaxFrameLimit, clamped. Frames hold up to frame::kHeader bytes
        /// more, so that a message of the limit and its brackets are one frame (transport.md 6.6).
        std::size_t frameBytes = 61440;
        std::string host, port;           ///< client: of the server
        ws::UpgradeGate* gate = nullptr;  ///< server: lives until the upgrade is over
        /// Server: once this says something, a JSON client is turned away with it; lives until the upgrade is over.
        /// With rssl.rwf the nak of RIPC follows the upgrade.
        const std::optional<std::string>* refusal = nullptr;
    };
    /// `received`: what the layer below has already yielded (server side, to find out that it is WebSocket).
    WebSocketStream(std::unique_ptr<ByteStream> below, Settings settings, Bytes received = {});
    ~WebSocketStream() override;

    [[nodiscard]] IoResult handshake() noexcept override;
    [[nodiscard]] bool handshakeWantsWrite() const noexcept override;
    [[nodiscard]] IoResult receive(std::span<std::byte> into) noexcept override;
    [[nodiscard]] bool hasInput() const noexcept override {
        return login_.held() || reader_.more() || deferred_ || below_->hasInput();
    }
    [[nodiscard]] std::size_t inputHeld() const noexcept override { return reader_.bytesHeld() + below_->inputHeld(); }
    void trimInput() noexcept override {
        if (!deferred_) reader_.trim();
        below_->trimInput();
    }
    /// The peer answers the close frame with its own, which ends the connection. Readers of events see its end.
    void finish(std::uint16_t code, std::string_view text) noexcept override;
    void close() noexcept override;
    [[nodiscard]] std::string reason() const override { return reason_.empty() ? below_->reason() : reason_; }
    [[nodiscard]] bool refused() const noexcept override { return refused_; }
    [[nodiscard]] MessageSource* messageSource() noexcept override { return json_ ? this : nullptr; }
    std::size_t describe(ChannelInfo& info) const override;

protected:
    [[nodiscard]] std::size_t stage(Bytes in, bool last) noexcept override;
    std::size_t trimStages() noexcept override { return writer_.trim(); }

private:
    // MessageSource
    [[nodiscard]] Event next(Bytes& message) noexcept override;
    [[nodiscard]] bool more() const noexcept override { return hasInput(); }
    [[nodiscard]] bool peerExpected() const noexcept override { return !events_; }
    void limitMessages(std::size_t bytes) noexcept override {
        const std::size_t own = settings_.options.maxReceivedBytes;
        reader_.setMaxMessage(std::max<std::size_t>(bytes != 0 ? std::min(own, bytes) : own, 1));
    }
    void useBudget(std::shared_ptr<PartialBudget> budget) noexcept override { reader_.useBudget(std::move(budget)); }
    [[nodiscard]] bool stalled(TimePoint now, TimePoint::duration limit) noexcept override {
        return reader_.stalled(now, limit);
    }
    [[nodiscard]] std::uint64_t messages() const noexcept override { return messages_.get(); }
    [[nodiscard]] std::uint64_t bytes() const noexcept override { return bytes_.get(); }
    [[nodiscard]] std::uint64_t inflatedBytes() const noexcept override { return reader_.inflatedBytes(); }
    [[nodiscard]] std::uint64_t deflatedBytes() const noexcept override { return writer_.deflatedBytes(); }

    enum class Step : std::uint8_t { begin, sending, awaiting, refusing, done };
    enum class Handled : std::uint8_t { goOn, ended, failed };

    [[nodiscard]] IoResult fail(std::string reason) noexcept;
    [[nodiscard]] IoResult receiveMore() noexcept;
    [[nodiscard]] bool readRequest();
    [[nodiscard]] bool readAnswer();
    [[nodiscard]] bool start() noexcept;
    [[nodiscard]] Event nothingMore() noexcept;
    [[nodiscard]] Handled handle(ws::Event event, Bytes payload) noexcept;
    void pong(Bytes payload) noexcept;
    void sayClose(std::uint16_t code, std::string_view text) noexcept;

    Settings settings_;
    Step step_ = Step::begin;
    bool json_ = false, events_ = false, refused_ = false, originOfPort_ = false;
    std::string key_, protocol_, reason_, origin_;
    ws::FirstMessage login_;  // by cookies
    ws::Deflate deflate_;
    ws::Reader reader_;
    Counter messages_, bytes_;
    bool deferred_ = false;  // this event was met behind data that had to be delivered first
    ws::Event deferredEvent_ = ws::Event::needMore;
    Bytes deferredPayload_;

    ws::Writer writer_;  // under lock_
};

}  // namespace emissary::eta::transport
