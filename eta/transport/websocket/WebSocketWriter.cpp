// eta/transport/websocket: the frames of the output queue, one by one, and control frames between them.
#include "transport/websocket/WebSocketWriter.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include <openssl/rand.h>

namespace emissary::eta::transport::ws {
namespace {

constexpr std::string_view kPing = R"({"Type":"Ping"})";
constexpr std::size_t kFragmentIdBytes = 2;  // the output queue writes RIPC 14 fragments

const Bytes kOpen = asBytes("["), kClose = asBytes("]");

}  // namespace

bool Writer::deflate(int level, bool forget) noexcept {
    deflater_.reset(new (std::nothrow) MessageDeflater);
    return deflater_ != nullptr && deflater_->start(level, forget);
}

bool Writer::put(Bytes frame) noexcept {
    if (closes_ && !midMessage()) return true;  // nothing may follow a close
    return mode_ == Mode::stream ? putFrame(Opcode::binary, true, false, {frame}) : putJson(frame);
}

bool Writer::close(std::uint16_t code, std::string_view text) noexcept {
    if (std::exchange(closes_, true)) return false;
    std::byte status[2];
    storeBe(status, code);
    return putControl(Opcode::close, {status, asBytes(text.substr(0, kMaxControl - sizeof status))});
}

const Mask* Writer::nextMask() noexcept {
    if (server_) return nullptr;
    if (randomLeft_ == 0) {
        static_cast<void>(::RAND_bytes(random_.data(), static_cast<int>(random_.size())));
        randomLeft_ = random_.size();
    }
    randomLeft_ -= mask_.size();
    std::copy_n(random_.begin() + static_cast<std::ptrdiff_t>(randomLeft_), mask_.size(), mask_.begin());
    return &mask_;
}

bool Writer::putFrame(Opcode opcode, bool fin, bool rsv1, std::initializer_list<Bytes> parts) noexcept {
    std::size_t length = 0;
    for (const Bytes p : parts)
        length += p.size();
    std::byte* to = out_.room(kMaxHeader + length);
    if (to == nullptr) return false;
    const Mask* const mask = nextMask();
    const std::size_t header = writeHeader(to, opcode, fin, rsv1, length, mask);
    to += header;
    std::size_t phase = 0;
    for (const Bytes p : parts) {
        if (mask != nullptr) applyMask(to, p.data(), p.size(), *mask, phase & 3);
        else if (!p.empty()) std::memcpy(to, p.data(), p.size());
        to += p.size();
        phase += p.size();
    }
    out_.added(header + length);
    return true;
}

bool Writer::putJson(Bytes f) noexcept {
    const auto flags = std::to_integer<std::uint8_t>(f[2]);
    if ((flags & frame::kExtended) == 0) {
        const Bytes payload = f.subspan(frame::kHeader);
        if (payload.empty())
            return mode_ == Mode::events ? EventWriter::comment(out_)
                                         : putText({kOpen, asBytes(kPing), kClose}, true, true);
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
bool Writer::putText(std::initializer_list<Bytes> parts, bool first, bool last) noexcept {
    if (mode_ == Mode::events) return eventWriter_.put(out_, parts, first, last) && (!last || putHeld());
    if (deflater_ == nullptr) return first && last ? putFrame(Opcode::text, true, false, parts) : putPart(parts, first);
    std::size_t left = parts.size();
    for (const Bytes p : parts) {
        if (!deflater_->deflate(p, --left == 0 && last, deflated_)) return false;
        saved_.add(p.size());
    }
    if (!last) return true;
    saved_.add(std::uint64_t{0} - deflated_.size());
    bool begun = false;
    do {
        const std::size_t n = std::min(frameLimit_, deflated_.size());
        const bool end = n == deflated_.size();
        if (!putFrame(begun ? Opcode::continuation : Opcode::text, end, !begun, {deflated_.view().first(n)}))
            return false;
        deflated_.taken(n);
        begun = true;
    } while (deflated_.size() != 0);
    return true;
}

// A part of a message that comes in several fragments of the output queue; fragmentLeft_ bytes follow it. A frame holds
// as many fragments as its limit allows, so it may stay open from one stage(), or send(), to the next.
bool Writer::putPart(std::initializer_list<Bytes> parts, bool first) noexcept {
    std::size_t left = fragmentLeft_ != 0 ? fragmentLeft_ + kClose.size() : 0;  // of the message
    for (const Bytes p : parts)
        left += p.size();
    Opcode opcode = first ? Opcode::text : Opcode::continuation;
    for (Bytes p : parts) {
        while (!p.empty()) {
            if (frameLeft_ == 0) {
                const std::size_t length = std::min(left, frameLimit_);
                std::byte* const to = out_.room(kMaxHeader);
                if (to == nullptr) return false;
                out_.added(writeHeader(to, opcode, length == left, false, length, nextMask()));
                frameLeft_ = length;
                framePhase_ = 0;
                opcode = Opcode::continuation;
            }
            const std::size_t n = std::min(p.size(), frameLeft_);
            std::byte* const to = out_.room(n);
            if (to == nullptr) return false;
            if (server_) std::memcpy(to, p.data(), n);
            else applyMask(to, p.data(), n, mask_, framePhase_);
            out_.added(n);
            framePhase_ = (framePhase_ + n) & 3;
            frameLeft_ -= n;
            left -= n;
            p = p.subspan(n);
            if (frameLeft_ != 0) continue;
            if (!putHeld()) return false;
            if (closes_) return true;  // nothing may follow a close
        }
    }
    return true;
}

bool Writer::putPacked(Bytes body) noexcept {
    packed_.clear();
    for (BeReader r(body); r.remaining() != 0;) {
        const Bytes one = r.take(r.u16());
        if (!r.ok()) return false;
        if (one.empty()) continue;
        if (packed_.size() != 0 && !packed_.append(asBytes(","))) return false;
        if (!packed_.append(one)) return false;
    }
    if (mode_ == Mode::events && packed_.size() == 0) return EventWriter::comment(out_);
    const Bytes all = packed_.size() != 0 ? packed_.view() : asBytes(kPing);
    return putText({kOpen, all, kClose}, true, true);
}

// What the reading thread says must not land inside a frame of which the rest is still in the output queue: it waits
// for its end. One control frame waits at most: of several pings the last one is answered (RFC 6455, 5.5.3), and a
// close takes the place of a pong. Where the rest never comes, because the channel gives its output up, the peer sees
// the connection end within a frame; a close frame would look like payload there.
bool Writer::putControl(Opcode opcode, std::initializer_list<Bytes> parts) noexcept {
    if (!midMessage()) return putControlFrame(opcode, parts);
    heldOpcode_ = opcode;
    heldBytes_ = 0;
    for (const Bytes p : parts) {
        std::copy(p.begin(), p.end(), heldPayload_.begin() + static_cast<std::ptrdiff_t>(heldBytes_));
        heldBytes_ += p.size();
    }
    return false;
}

bool Writer::putHeld() noexcept {
    if (!heldOpcode_) return true;
    return putControlFrame(*std::exchange(heldOpcode_, std::nullopt), {Bytes(heldPayload_).first(heldBytes_)});
}

/// Of control frames, readers of events get a close alone.
bool Writer::putControlFrame(Opcode opcode, std::initializer_list<Bytes> parts) noexcept {
    if (mode_ != Mode::events) return putFrame(opcode, true, false, parts);
    if (opcode != Opcode::close) return true;
    std::array<std::byte, kMaxControl> payload{};
    std::size_t n = 0;
    for (const Bytes p : parts) {
        std::copy(p.begin(), p.end(), payload.begin() + static_cast<std::ptrdiff_t>(n));
        n += p.size();
    }
    return EventWriter::close(out_, loadBe<std::uint16_t>(payload.data()),
                              asText(Bytes(payload).first(n).subspan(sizeof(std::uint16_t))));
}

}  // namespace emissary::eta::transport::ws
