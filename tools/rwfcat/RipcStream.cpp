// Finds the handshake or a plausible place to begin, and reads frames from there.
#include "RipcStream.h"

#include "eta/codec/Msg.h"
#include "transport/channel/handshake.h"
#include "transport/stream/compression.h"

#include <algorithm>

namespace emissary::rwfcat {

using namespace emissary::eta;
using namespace emissary::eta::transport;

namespace {

unsigned byteAt(Bytes in, std::size_t i) {
    return std::to_integer<unsigned>(in[i]);
}

/// A connection request begins like this (transport.md 8); no frame does.
bool looksLikeRequest(Bytes in) {
    return in.size() >= 7 && byteAt(in, 2) == 0 && byteAt(in, 3) == 0 && byteAt(in, 4) == 0 && byteAt(in, 5) == 0 &&
           byteAt(in, 6) >= 0x13 && byteAt(in, 6) <= 0x17;
}

bool looksLikeAnswer(Bytes in) {
    return in.size() >= 4 && (byteAt(in, 2) & ~unsigned{frame::kForce}) == frame::kExtended &&
           (byteAt(in, 3) == frame::kAck || byteAt(in, 3) == frame::kNak);
}

// A client key has no type of its own: its length and flag are all there is to tell it by.
bool looksLikeKey(Bytes in) {
    const std::size_t length = in.size() < 3 ? 0 : loadBe<std::uint16_t>(in.data());
    return (length == 4 || length == 12) && byteAt(in, 2) == 0x08;
}

/// Length of the frame when its header is one that a sender writes, else 0.
std::size_t plausibleFrame(Bytes in) {
    if (in.size() < frame::kHeader) return 0;
    const std::size_t length = loadBe<std::uint16_t>(in.data());
    const unsigned flags = byteAt(in, 2);
    const bool plain = (flags & frame::kData) != 0, compressed = (flags & frame::kCompressed) != 0;
    // Bits that no sender sets, or both kinds of body at once: chance bytes, and no frame.
    if (length < frame::kHeader || plain == compressed || (flags & 0xE0) != 0) return 0;
    if ((flags & frame::kExtended) != 0) {
        const unsigned extended = in.size() > 3 ? byteAt(in, 3) : unsigned{frame::kFragment};
        if (extended != frame::kFragment && extended != frame::kFragmentHeader) return 0;
        // Plain messages are looked into, which chance bytes seldom survive.
    } else if (flags == frame::kData && in.size() >= frame::kHeader + 8) {
        const Bytes body = in.subspan(frame::kHeader);
        if (length > frame::kHeader && !codec::peekMsg(body).ok()) return 0;
    }
    return length;
}

/// Frames follow each other from here to the end of what there is, or for a good while.
// Eight frames in a row are taken for a stream; less may be chance.
bool plausibleChain(Bytes in) {
    for (int frames = 0; frames < 8; ++frames) {
        const std::size_t length = plausibleFrame(in);
        if (length == 0) return frames > 0 && in.empty();
        if (length >= in.size()) return frames > 0 || length == in.size();
        in = in.subspan(length);
    }
    return true;
}

}  // namespace

RipcStream::RipcStream(Agreement& agreement, StreamSink& sink, bool startsAnywhere)
    : agreement_(agreement), sink_(sink), startsAnywhere_(startsAnywhere) {}

void RipcStream::feed(Bytes bytes) {
    if (state_ == State::stopped) {
        offset_ += bytes.size();
        return;
    }
    // What was read goes first: the buffer holds what is not a whole frame yet.
    buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(begin_));
    begin_ = 0;
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
    while (state_ != State::stopped && step()) {}
}

void RipcStream::consume(std::size_t n) {
    begin_ += n;
    offset_ += n;
}

void RipcStream::stop(const std::string& why) {
    sink_.onBadBytes(offset_, why + "; the rest of this direction is skipped");
    consume(buffered().size());
    state_ = State::stopped;
}

// A part of the bytes was not captured, so what was agreed may still hold, but partial messages cannot.
void RipcStream::gap(std::uint64_t missing) {
    sink_.onBadBytes(offset_ + buffered().size(),
                     std::to_string(missing) + " bytes were not captured; looking for the next frame");
    consume(buffered().size());
    offset_ += missing;
    reader_.reset();  // with all partial messages
    // zlib's history is broken by the gap; LZ4 has none.
    compressedOk_ = agreement_.compression != Compression::zlib;
    complained_ = false;
    incomplete_ = true;
    if (state_ != State::stopped) state_ = State::searching;
}

void RipcStream::finish() {
    if (state_ == State::stopped || buffered().empty()) return;
    const bool searching = state_ != State::frames;
    sink_.onBadBytes(offset_, searching
                                  ? "no RSSL frame was found in these " + std::to_string(buffered().size()) + " bytes"
                                  : "the capture ends inside a frame, " + std::to_string(buffered().size()) +
                                        " bytes of it are there");
}

bool RipcStream::startReader() {
    if (reader_) return true;
    reader_ = std::make_unique<FrameReader>();
    // Fragment ids have one byte up to RIPC 12, two from 13 on (transport.md 2.5).
    const std::size_t idBytes = agreement_.ripcVersion >= 13 ? 2 : 1;
    const std::size_t largest = std::min(agreement_.maxMessage, frame::kMaxBody);
    if (!reader_->activate(largest, idBytes, 0, FrameLimits{})) return stop("out of memory"), false;
    if (agreement_.compression != Compression::none && compressedOk_)
        reader_->decompressWith(Decompressor::make(agreement_.compression, largest));
    return true;
}

/// True when a handshake message (or the reason why there is none to come) stands here. `used` 0: incomplete.
bool RipcStream::handshake(Bytes in, std::size_t& used) {
    used = 0;
    // Both directions share the agreement, whichever of them is read first.
    if (looksLikeRequest(in)) {
        const auto request = parseRequest(in);
        if (request.kind == Parsed<ConnectionRequest>::Kind::needMore) return true;
        if (request.kind != Parsed<ConnectionRequest>::Kind::ok)
            return stop("connection request: " + request.reason), true;
        agreement_.ripcVersion = request.value.ripcVersion;
        agreement_.keyAsked = request.value.keyExchange;
        sink_.onNote(offset_, "connection request, RIPC " + std::to_string(request.value.ripcVersion) + ", host " +
                                  request.value.hostName + ", component " + request.value.componentText);
        used = request.consumed;
        // Only RWF is printed; a JSON connection is named and left.
        if (const int type = request.value.protocolType; type == kProtocolJson)
            stop("the connection carries JSON, not RWF");
        else if (type != kProtocolRwf)
            stop("the connection carries protocol type " + std::to_string(type) + ", not RWF");
        return true;
    }
    if (looksLikeAnswer(in)) {
        auto answer = parseAck(in, agreement_.keyAsked);
        using Kind = Parsed<ConnectionAck>::Kind;
        if (answer.kind == Kind::needMore) return true;
        if (answer.kind == Kind::bad) return stop("connection ack: " + answer.reason), true;
        used = answer.consumed;
        if (answer.kind == Kind::nak) {
            sink_.onNote(offset_, "connection refused: " + answer.reason);
            return true;
        }
        const ConnectionAck& ack = answer.value;
        agreement_.ripcVersion = ack.ripcVersion;
        agreement_.maxMessage = ack.maxMessage;
        agreement_.compression = static_cast<Compression>(ack.compressionType);
        agreement_.known = true;
        // The new limits hold for the frames behind the ack.
        reader_.reset();
        sink_.onNote(offset_, "connection ack, RIPC " + std::to_string(ack.ripcVersion) + ", largest message " +
                                  std::to_string(ack.maxMessage) + ", compression " +
                                  std::to_string(ack.compressionType) + ", component " + ack.componentText);
        return true;
    }
    if (looksLikeKey(in)) {
        const auto key = parseClientKey(in);
        if (key.kind == Parsed<ClientKey>::Kind::needMore) return true;
        if (key.kind != Parsed<ClientKey>::Kind::ok) return stop("client key: " + key.reason), true;
        used = key.consumed;
        sink_.onNote(offset_, "client key");
        return true;
    }
    return false;
}

/// Moves on to where frames follow each other; false when more bytes are needed.
bool RipcStream::search() {
    const Bytes in = buffered();
    // The first place from where frames follow each other; everything before it is skipped with a note.
    for (std::size_t at = 0; at + frame::kHeader <= in.size(); ++at) {
        const Bytes rest = in.subspan(at);
        if (!looksLikeRequest(rest) && !plausibleChain(rest)) continue;
        if (at != 0) sink_.onNote(offset_, std::to_string(at) + " bytes skipped, they are not the start of a frame");
        consume(at);
        state_ = State::frames;
        return true;
    }
    constexpr std::size_t kKeep = 256u << 10;  // more than any chain of frames needs
    if (in.size() > kKeep) consume(in.size() - kKeep);
    return false;
}

bool RipcStream::step() {
    const Bytes in = buffered();
    if (in.empty()) return false;
    if (state_ == State::searching) return search();
    if (in.size() < frame::kHeader) return false;
    if (state_ == State::first) {
        // A short first packet may be the beginning of anything, so more is waited for.
        if (in.size() < 7 && plausibleFrame(in) == 0) return false;
        if (asText(in).starts_with("GET ") || asText(in).starts_with("HTTP/"))
            return stop("a WebSocket connection, which is not read"), false;
        if (byteAt(in, 0) == 0x16 && byteAt(in, 1) == 0x03)
            return stop("an encrypted connection, which cannot be read"), false;
        const bool good = looksLikeRequest(in) || looksLikeAnswer(in) || plausibleChain(in);
        // Without a handshake, the middle of a connection: messages may lack their beginning.
        incomplete_ = !looksLikeRequest(in) && !looksLikeAnswer(in);
        state_ = good || !startsAnywhere_ ? State::frames : State::searching;
        return true;
    }
    std::size_t used = 0;
    if (handshake(in, used)) {
        if (state_ == State::stopped || used == 0) return false;
        consume(used);
        return true;
    }
    // Both directions of a raw capture may stand in one file, so that a new ack comes in the middle: its limit counts.
    const std::size_t length = loadBe<std::uint16_t>(in.data());
    if (length > agreement_.maxMessage + frame::kHeader)
        return stop("frame length " + std::to_string(length) + " exceeds " +
                    std::to_string(agreement_.maxMessage + frame::kHeader)),
               false;
    if (length > in.size()) return false;
    frame(in.first(length));
    if (state_ == State::stopped) return false;
    consume(length);
    return true;
}

void RipcStream::frame(Bytes whole) {
    if (whole.size() < frame::kHeader)
        return stop("frame length " + std::to_string(whole.size()) + " is below the header");
    const bool compressed = (byteAt(whole, 2) & (frame::kCompressed | frame::kData)) == frame::kCompressed;
    // A compressed body can be read only with what was agreed and with all that came before it.
    if (compressed && (agreement_.compression == Compression::none || !compressedOk_)) {
        sink_.onNote(offset_, "compressed frame, skipped");
        // Said once: after a gap there would be a note for each frame.
        if (!complained_)
            sink_.onBadBytes(offset_, compressedOk_ ? "compressed frame, but no handshake was captured that agrees on "
                                                      "compression; name it with --compression"
                                                    : "compressed frame, but the bytes that it refers to are missing");
        complained_ = incomplete_ = true;
        return;
    }
    if (!startReader()) return;
    const std::span<std::byte> room = reader_->space();
    if (room.size() < whole.size()) return stop("frame length " + std::to_string(whole.size()) + " exceeds the buffer");
    std::copy(whole.begin(), whole.end(), room.begin());
    reader_->added(whole.size());
    for (Bytes message;;) {
        switch (reader_->next(message)) {
        case FrameEvent::message:
            sink_.onMessage(message, offset_);
            break;
        case FrameEvent::ping:
            break;
        case FrameEvent::needMore:
            return;
        case FrameEvent::failed:
            // Fragments of a message whose beginning is missing are no fault of the stream.
            if (reader_->fault() == FrameFault::fragmentUnknown && incomplete_) {
                sink_.onNote(offset_, "part of a message whose beginning was not captured or was skipped");
                reader_.reset();
                return;
            }
            // Compressed bodies may be damaged by what the capture lacks; the frames around them are still good.
            if (reader_->fault() != FrameFault::badCompression) return stop(reader_->faultText());
            sink_.onBadBytes(offset_, reader_->faultText() + "; compressed frames are skipped from here on");
            compressedOk_ = false;
            complained_ = incomplete_ = true;
            reader_.reset();
            return;
        }
    }
}

}  // namespace emissary::rwfcat
