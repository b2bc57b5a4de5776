// Upgrades a connection and carries RIPC bytes or JSON texts in frames over it.
#include "transport/websocket/WebSocketStream.h"

#include "eta/core/printable.h"
#include "transport/websocket/server_upgrade.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <new>

#include <openssl/rand.h>

namespace emissary::eta::transport {
namespace {

constexpr std::string_view kPing = R"({"Type":"Ping"})";
constexpr std::size_t kMinFrameLimit = 64;
constexpr std::size_t kFragmentIdBytes = 2;  // the output queue writes RIPC 14 fragments

const Bytes kOpen = asBytes("["), kClose = asBytes("]");

}  // namespace

WebSocketStream::WebSocketStream(std::unique_ptr<ByteStream> below, Settings settings, Bytes received)
    : StagedStream(std::move(below)), settings_(std::move(settings)),
      reader_(settings_.server, std::max<std::size_t>(settings_.options.maxReceivedBytes, 1)) {
    settings_.frameBytes = std::clamp(settings_.frameBytes, kMinFrameLimit, ws::kMaxFrameLimit);
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
    // Behind its request a reader of events has nothing to say, so there is nothing to read.
    if (!events_) reader_.start(json_ ? ws::Reader::Mode::message : ws::Reader::Mode::stream);
    if (!startDeflate()) return false;
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
    reader_.start(json_ ? ws::Reader::Mode::message : ws::Reader::Mode::stream);
    if (json_) deflate_ = a.deflate;
    if (!startDeflate()) return false;
    step_ = Step::done;
    return true;
}

bool WebSocketStream::startDeflate() noexcept {
    if (!deflate_.enabled) return true;
    deflater_.reset(new (std::nothrow) ws::MessageDeflater);
    const bool serverSide = settings_.server;
    const bool forget = serverSide ? deflate_.serverForgets : deflate_.clientForgets;
    const bool peerForgets = serverSide ? deflate_.clientForgets : deflate_.serverForgets;
    return deflater_ != nullptr && deflater_->start(settings_.level, forget) && reader_.inflate(peerForgets);
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
        answer(ws::Opcode::pong, payload);
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

const ws::Mask* WebSocketStream::nextMask() noexcept {
    if (settings_.server) return nullptr;
    if (randomLeft_ == 0) {
        static_cast<void>(::RAND_bytes(random_.data(), static_cast<int>(random_.size())));
        randomLeft_ = random_.size();
    }
    randomLeft_ -= mask_.size();
    std::copy_n(random_.begin() + static_cast<std::ptrdiff_t>(randomLeft_), mask_.size(), mask_.begin());
    return &mask_;
}

bool WebSocketStream::putFrame(ws::Opcode opcode, bool fin, bool rsv1, std::initializer_list<Bytes> parts) noexcept {
    std::size_t length = 0;
    for (const Bytes p : parts)
        length += p.size();
    std::byte* to = staging().room(ws::kMaxHeader + length);
    if (to == nullptr) return false;
    const ws::Mask* const mask = nextMask();
    const std::size_t header = ws::writeHeader(to, opcode, fin, rsv1, length, mask);
    to += header;
    std::size_t phase = 0;
    for (const Bytes p : parts) {
        if (mask != nullptr) ws::applyMask(to, p.data(), p.size(), *mask, phase & 3);
        else if (!p.empty()) std::memcpy(to, p.data(), p.size());
        to += p.size();
        phase += p.size();
    }
    staging().added(header + length);
    return true;
}

std::size_t WebSocketStream::stage(Bytes in, bool) noexcept {
    if (in.size() < 2) return 0;
    const std::size_t length = loadBe<std::uint16_t>(in.data());
    if (length < frame::kHeader || length > in.size()) return 0;
    const Bytes frame = in.first(length);
    if (closeSent_ && !midMessage()) return length;  // nothing may follow a close
    const bool put = json_ ? putJson(frame) : putFrame(ws::Opcode::binary, true, false, {frame});
    return put ? length : 0;
}

bool WebSocketStream::putJson(Bytes f) noexcept {
    const auto flags = std::to_integer<std::uint8_t>(f[2]);
    if ((flags & frame::kExtended) == 0) {
        const Bytes payload = f.subspan(frame::kHeader);
        if (payload.empty())
            return events_ ? ws::EventWriter::comment(staging()) : putText({kOpen, asBytes(kPing), kClose}, true, true);
        if ((flags & frame::kPacked) != 0) return putPacked(payload);
        return putText({kOpen, payload, kClose}, true, true);
    }
    const bool first = (std::to_integer<std::uint8_t>(f[3]) & frame::kFragmentHeader) != 0;
    if (first) fragmentLeft_ = loadBe<std::uint32_t>(f.data() + 4);
    const std::size_t header =
        first ? frame::firstFragmentHeader(kFragmentIdBytes) : frame::nextFragmentHeader(kFragmentIdBytes);
    const Bytes part = f.subspan(header);
    fragmentLeft_ -= std::min(fragmentLeft_, part.size());
    const bool last = fragmentLeft_ == 0;
    return putText({first ? kOpen : Bytes{}, part, last ? kClose : Bytes{}}, first, last);
}

// A part of one text message: the parts of a large one come in several calls, nothing else between them.
bool WebSocketStream::putText(std::initializer_list<Bytes> parts, bool first, bool last) noexcept {
    if (events_) return eventWriter_.put(staging(), parts, first, last) && (!last || putHeld());
    if (deflater_ == nullptr)
        return first && last ? putFrame(ws::Opcode::text, true, false, parts) : putPart(parts, first);
    std::size_t left = parts.size();
    for (const Bytes p : parts) {
        if (!deflater_->deflate(p, --left == 0 && last, deflated_)) return false;
        saved_.add(p.size());
    }
    if (!last) return true;
    saved_.add(std::uint64_t{0} - deflated_.size());
    bool begun = false;
    do {
        const std::size_t n = std::min(frameLimit(), deflated_.size());
        const bool end = n == deflated_.size();
        if (!putFrame(begun ? ws::Opcode::continuation : ws::Opcode::text, end, !begun, {deflated_.view().first(n)}))
            return false;
        deflated_.taken(n);
        begun = true;
    } while (deflated_.size() != 0);
    return true;
}

// A part of a message that comes in several fragments of the output queue; fragmentLeft_ bytes follow it. A frame holds
// as many fragments as its limit allows, so it may stay open from one stage(), or send(), to the next.
bool WebSocketStream::putPart(std::initializer_list<Bytes> parts, bool first) noexcept {
    std::size_t left = fragmentLeft_ != 0 ? fragmentLeft_ + kClose.size() : 0;  // of the message
    for (const Bytes p : parts)
        left += p.size();
    ws::Opcode opcode = first ? ws::Opcode::text : ws::Opcode::continuation;
    for (Bytes p : parts) {
        while (!p.empty()) {
            if (frameLeft_ == 0) {
                const std::size_t length = std::min(left, frameLimit());
                std::byte* const to = staging().room(ws::kMaxHeader);
                if (to == nullptr) return false;
                staging().added(ws::writeHeader(to, opcode, length == left, false, length, nextMask()));
                frameLeft_ = length;
                framePhase_ = 0;
                opcode = ws::Opcode::continuation;
            }
            const std::size_t n = std::min(p.size(), frameLeft_);
            std::byte* const to = staging().room(n);
            if (to == nullptr) return false;
            if (settings_.server) std::memcpy(to, p.data(), n);
            else ws::applyMask(to, p.data(), n, mask_, framePhase_);
            staging().added(n);
            framePhase_ = (framePhase_ + n) & 3;
            frameLeft_ -= n;
            left -= n;
            p = p.subspan(n);
            if (frameLeft_ != 0) continue;
            if (!putHeld()) return false;
            if (closeSent_) return true;  // nothing may follow a close
        }
    }
    return true;
}

bool WebSocketStream::putPacked(Bytes body) noexcept {
    packed_.clear();
    for (BeReader r(body); r.remaining() != 0;) {
        const Bytes one = r.take(r.u16());
        if (!r.ok()) return false;
        if (one.empty()) continue;
        if (packed_.size() != 0 && !packed_.append(asBytes(","))) return false;
        if (!packed_.append(one)) return false;
    }
    if (events_ && packed_.size() == 0) return ws::EventWriter::comment(staging());
    const Bytes all = packed_.size() != 0 ? packed_.view() : asBytes(kPing);
    return putText({kOpen, all, kClose}, true, true);
}

// What the reading thread says must not land inside a frame of which the rest is still in the output queue: it waits
// for its end. One control frame waits at most: of several pings the last one is answered (RFC 6455, 5.5.3), and a
// close takes the place of a pong. Where the rest never comes, because the channel gives its output up, the peer sees
// the connection end within a frame; a close frame would look like payload there.
void WebSocketStream::putControl(ws::Opcode opcode, std::initializer_list<Bytes> parts) noexcept {
    if (!midMessage()) {
        if (putControlFrame(opcode, parts)) static_cast<void>(drain());
        return;
    }
    heldOpcode_ = opcode;
    heldBytes_ = 0;
    for (const Bytes p : parts) {
        std::copy(p.begin(), p.end(), heldPayload_.begin() + static_cast<std::ptrdiff_t>(heldBytes_));
        heldBytes_ += p.size();
    }
}

bool WebSocketStream::putHeld() noexcept {
    if (!heldOpcode_) return true;
    return putControlFrame(*std::exchange(heldOpcode_, std::nullopt), {Bytes(heldPayload_).first(heldBytes_)});
}

/// Of control frames, readers of events get a close alone.
bool WebSocketStream::putControlFrame(ws::Opcode opcode, std::initializer_list<Bytes> parts) noexcept {
    if (!events_) return putFrame(opcode, true, false, parts);
    if (opcode != ws::Opcode::close) return true;
    std::array<std::byte, ws::kMaxControl> payload{};
    std::size_t n = 0;
    for (const Bytes p : parts) {
        std::copy(p.begin(), p.end(), payload.begin() + static_cast<std::ptrdiff_t>(n));
        n += p.size();
    }
    return ws::EventWriter::close(staging(), loadBe<std::uint16_t>(payload.data()),
                                  asText(Bytes(payload).first(n).subspan(sizeof(std::uint16_t))));
}

void WebSocketStream::answer(ws::Opcode opcode, Bytes payload) noexcept {
    const std::lock_guard guard(lock_);
    if (closeSent_ || staging().size() > kMaxHeldForAnswers) return;
    putControl(opcode, {payload});
}

void WebSocketStream::sayClose(std::uint16_t code, std::string_view text) noexcept {
    const std::lock_guard guard(lock_);
    if (std::exchange(closeSent_, true)) return;
    std::byte status[2];
    storeBe(status, code);
    putControl(ws::Opcode::close, {status, asBytes(text.substr(0, ws::kMaxControl - sizeof status))});
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
