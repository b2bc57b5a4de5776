// Upgrades a connection and carries RIPC bytes or JSON texts in frames over it.
#include "transport/websocket/WebSocketStream.h"

#include "eta/core/printable.h"
#include "transport/websocket/server_upgrade.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace emissary::eta::transport {
namespace {

constexpr std::size_t kMinFrameLimit = 64;

WebSocketStream::Settings inBounds(WebSocketStream::Settings settings) {
    settings.frameBytes = std::clamp(settings.frameBytes, kMinFrameLimit, ws::kMaxFrameLimit);
    return settings;
}

}  // namespace

WebSocketStream::WebSocketStream(std::unique_ptr<ByteStream> below, Settings settings, Bytes received)
    : StagedStream(std::move(below)), settings_(inBounds(std::move(settings))),
      reader_(settings_.server, std::max<std::size_t>(settings_.options.maxReceivedBytes, 1)),
      writer_(staging(), settings_.server, settings_.frameBytes) {
    while (!received.empty()) {
        const auto room = reader_.space();
        const std::size_t n = std::min(room.size(), received.size());
        if (n == 0) break;
        std::copy_n(received.begin(), n, room.begin());
        reader_.added(n);
        received = received.subspan(n);
    }
}

WebSocketStream::~WebSocketStream() = default;

// --- upgrade ---------------------------------------------------------------------------------------------------------

IoResult WebSocketStream::fail(std::string reason) noexcept {
    if (reason_.empty()) reason_ = std::move(reason);
    return {IoResult::Kind::error, 0, EPROTO};
}

bool WebSocketStream::handshakeWantsWrite() const noexcept {
    if (step_ == Step::begin) return below_->handshakeWantsWrite();
    return const_cast<WebSocketStream*>(this)->held() != 0;
}

IoResult WebSocketStream::receiveMore() noexcept {
    const auto room = reader_.space();
    if (room.empty()) return {IoResult::Kind::error, 0, ENOMEM};
    const IoResult io = below_->receive(room);
    if (io.kind == IoResult::Kind::ok) reader_.added(io.bytes);
    return io;
}

IoResult WebSocketStream::handshake() noexcept {
    if (step_ == Step::begin) {
        const IoResult io = below_->handshake();
        if (io.kind != IoResult::Kind::ok) return io;
        if (settings_.server) {
            step_ = Step::awaiting;
            if (!reader_.buffered().empty() && !readRequest()) return fail("out of memory");
        } else {
            key_ = ws::makeKey();
            const std::string request =
                ws::upgradeRequest(settings_.host, settings_.port, settings_.options.path, key_,
                                   settings_.options.protocols, settings_.deflate, settings_.options.cookies);
            if (!staging().append(asBytes(request))) return fail("out of memory");
            step_ = Step::sending;
        }
    }
    for (;;) {
        if (step_ == Step::sending || step_ == Step::refusing || held() != 0) {
            const IoResult io = [&] {
                const std::lock_guard guard(lock_);
                return drain();
            }();
            if (io.kind == IoResult::Kind::ok && !allSent()) return {IoResult::Kind::wouldBlock, 0, 0};
            if (io.kind == IoResult::Kind::wouldBlock) return io;
            if (step_ == Step::refusing) return {IoResult::Kind::error, 0, EPROTO};
            if (io.kind != IoResult::Kind::ok) return io;
            if (step_ == Step::sending) step_ = Step::awaiting;
        }
        if (step_ == Step::done) return {};
        const IoResult io = receiveMore();
        if (io.kind == IoResult::Kind::wouldBlock) return io;
        const bool hungUp = io.kind == IoResult::Kind::end || io.error == ECONNRESET || io.error == EPIPE;
        if (hungUp)
            return fail(settings_.server ? "closed by peer before its upgrade request was complete"
                        : settings_.encrypted
                            ? "closed by peer instead of answering the WebSocket upgrade"
                            : "closed by peer instead of answering the WebSocket upgrade (an encrypted "
                              "port closes like this: is RSSL_ENCRYPTED meant?)");
        if (io.kind != IoResult::Kind::ok) return io;
        if (!(settings_.server ? readRequest() : readAnswer())) return fail("out of memory");
    }
}

bool WebSocketStream::readRequest() {
    ws::UpgradeDecision decision =
        ws::decideUpgrade(asText(reader_.buffered()), {settings_.options, settings_.encrypted, settings_.anyPrefix,
                                                       settings_.deflate, settings_.refusal, settings_.gate});
    if (decision.progress == ws::Progress::needMore) return true;
    origin_ = std::move(decision.origin);
    originOfPort_ = decision.originOfPort;
    if (decision.progress == ws::Progress::bad) {
        reason_ = std::move(decision.reason);
        refused_ = decision.refused;
        step_ = Step::refusing;
        return staging().append(asBytes(decision.answer));
    }
    reader_.consume(decision.consumed);
    protocol_ = std::move(decision.protocol);
    json_ = decision.json;
    events_ = decision.events;
    login_ = std::move(decision.login);
    deflate_ = decision.deflate;
    if (!start()) return false;
    step_ = Step::done;
    return staging().append(asBytes(decision.answer));
}

bool WebSocketStream::readAnswer() {
    const ws::UpgradeAnswer a =
        ws::parseUpgradeAnswer(asText(reader_.buffered()), key_, settings_.options.protocols, settings_.deflate);
    if (a.progress == ws::Progress::needMore) return true;
    if (a.progress == ws::Progress::bad) {
        reason_ = a.reason;
        refused_ = a.refused;
        step_ = Step::refusing;
        return true;
    }
    reader_.consume(a.consumed);
    protocol_ = a.protocol;
    json_ = ws::protocolNamed(protocol_) == ws::Protocol::json;
    if (json_) deflate_ = a.deflate;
    if (!start()) return false;
    step_ = Step::done;
    return true;
}

bool WebSocketStream::start() noexcept {
    // Behind its request a reader of events has nothing to say, so there is nothing to read.
    if (!events_) reader_.start(json_ ? ws::Reader::Mode::message : ws::Reader::Mode::stream);
    writer_.start(events_ ? ws::Writer::Mode::events : json_ ? ws::Writer::Mode::json : ws::Writer::Mode::stream);
    if (!deflate_.enabled) return true;
    const bool forget = settings_.server ? deflate_.serverForgets : deflate_.clientForgets;
    const bool peerForgets = settings_.server ? deflate_.clientForgets : deflate_.serverForgets;
    return writer_.deflate(settings_.level, forget) && reader_.inflate(peerForgets);
}

std::size_t WebSocketStream::describe(ChannelInfo& info) const {
    below_->describe(info);
    info.webSocketProtocol = protocol_;
    info.origin = origin_;
    info.originOfPort = originOfPort_;
    if (info.tlsVersion == 0) info.connectionType = ConnectionType::webSocket;  // the port may serve other kinds too
    if (!json_) return 0;
    info.protocolType = kProtocolJson;
    info.majorVersion = info.minorVersion = 0;
    info.clientToServerPings = info.serverToClientPings = false;
    if (deflate_.enabled) info.compression = Compression::zlib;
    info.maxFragmentSize = static_cast<std::uint32_t>(settings_.frameBytes - 2);
    return std::min(settings_.frameBytes, frame::kMaxBody);
}

// --- input -----------------------------------------------------------------------------------------------------------

// Everything but data. Runs on the reading thread; what it says goes out under the lock, between two frames.
WebSocketStream::Handled WebSocketStream::handle(ws::Event event, Bytes payload) noexcept {
    switch (event) {
    case ws::Event::ping:
        pong(payload);
        return Handled::goOn;
    case ws::Event::close: {
        const std::uint16_t code = reader_.closeStatus();
        sayClose(code == ws::kNoStatus ? ws::kNormalClosure : code, {});
        reason_ = "closed by peer (WebSocket " + std::to_string(code);
        if (!payload.empty()) reason_ += " " + printable(asText(payload));
        reason_ += ")";
        return Handled::ended;
    }
    case ws::Event::failed:
        sayClose(ws::closeCode(reader_.fault()), ws::describe(reader_.fault()));
        reason_ = std::string("WebSocket: ") + ws::describe(reader_.fault());
        return Handled::failed;
    case ws::Event::needMore:
    case ws::Event::data:
    case ws::Event::message:
    case ws::Event::pong:
        break;
    }
    return Handled::goOn;
}

IoResult WebSocketStream::receive(std::span<std::byte> into) noexcept {
    std::size_t produced = 0;
    for (bool received = false, heard = false;;) {
        while (produced < into.size()) {
            Bytes piece = deferredPayload_;
            const ws::Event event =
                std::exchange(deferred_, false) ? deferredEvent_ : reader_.next(piece, into.size() - produced);
            if (event == ws::Event::needMore) break;
            if (event == ws::Event::data) {
                std::memcpy(into.data() + produced, piece.data(), piece.size());
                produced += piece.size();
                continue;
            }
            // What came before a close or a fault is delivered first.
            if (produced != 0 && (event == ws::Event::close || event == ws::Event::failed)) {
                deferred_ = true;
                deferredEvent_ = event;
                deferredPayload_ = piece;
                return {IoResult::Kind::ok, produced, 0};
            }
            switch (handle(event, piece)) {
            case Handled::goOn:
                heard = true;
                break;
            case Handled::ended:
                return {IoResult::Kind::end, 0, 0};
            case Handled::failed:
                return {IoResult::Kind::error, 0, EPROTO};
            }
        }
        if (produced != 0 || heard) return {IoResult::Kind::ok, produced, 0};
        if (received && !below_->hasInput()) return {IoResult::Kind::wouldBlock, 0, 0};
        const IoResult io = receiveMore();
        if (io.kind != IoResult::Kind::ok) return io;
        received = true;
    }
}

MessageSource::Event WebSocketStream::next(Bytes& message) noexcept {
    if (login_.waits()) {
        message = login_.read();
        return Event::message;
    }
    if (login_.held()) login_.drop();
    if (events_) return nothingMore();
    for (bool received = false;;) {
        Bytes payload;
        const ws::Event event = reader_.next(payload);
        switch (event) {
        case ws::Event::message:
            messages_.add();
            if (payload.empty()) return Event::ping;
            message = payload;
            return Event::message;
        case ws::Event::needMore: {
            if (received && !below_->hasInput()) return Event::needMore;
            const IoResult io = receiveMore();
            if (io.kind == IoResult::Kind::wouldBlock) return Event::needMore;
            if (io.kind == IoResult::Kind::end) return Event::ended;
            if (io.kind != IoResult::Kind::ok) {
                if (io.error != 0 && reason().empty()) reason_ = std::strerror(io.error);
                return Event::ended;
            }
            bytes_.add(io.bytes);
            received = true;
            break;
        }
        default:
            switch (handle(event, payload)) {
            case Handled::goOn:
                return Event::ping;
            case Handled::ended:
                return Event::ended;
            case Handled::failed:
                return Event::failed;
            }
        }
    }
}

/// Behind its request a reader of events has nothing to say.
MessageSource::Event WebSocketStream::nothingMore() noexcept {
    const IoResult io = reader_.buffered().empty() ? receiveMore() : IoResult{};
    switch (io.kind) {
    case IoResult::Kind::wouldBlock:
        return Event::needMore;
    case IoResult::Kind::ok:
        reason_ = "data behind the request for events";
        return Event::failed;
    case IoResult::Kind::end:
        break;
    case IoResult::Kind::error:
        if (io.error != 0 && reason().empty()) reason_ = std::strerror(io.error);
    }
    return Event::ended;
}

// --- output ----------------------------------------------------------------------------------------------------------

std::size_t WebSocketStream::stage(Bytes in, bool) noexcept {
    if (in.size() < 2) return 0;
    const std::size_t length = loadBe<std::uint16_t>(in.data());
    if (length < frame::kHeader || length > in.size()) return 0;
    const Bytes frame = in.first(length);
    return writer_.put(frame) ? length : 0;
}

void WebSocketStream::pong(Bytes payload) noexcept {
    const std::lock_guard guard(lock_);
    if (writer_.closes() || staging().size() > kMaxHeldForAnswers) return;
    if (writer_.pong(payload)) static_cast<void>(drain());
}

void WebSocketStream::sayClose(std::uint16_t code, std::string_view text) noexcept {
    const std::lock_guard guard(lock_);
    if (writer_.close(code, text)) static_cast<void>(drain());
}

void WebSocketStream::finish(std::uint16_t code, std::string_view text) noexcept {
    sayClose(code, text);
    if (!events_) return;
    // There is no answer to wait for: the end of the stream follows.
    {
        const std::lock_guard guard(lock_);
        if (drain().kind != IoResult::Kind::ok || staging().size() != 0 || below_->held() != 0) return;
    }
    below_->finish(code, text);
}

void WebSocketStream::close() noexcept {
    if (step_ == Step::done && !events_ && fd() >= 0) sayClose(ws::kNormalClosure, "Normal Closure");
    below_->close();
}

}  // namespace emissary::eta::transport
