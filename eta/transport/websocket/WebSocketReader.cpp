// Reads frames, unmasks and inflates them, and answers pings and closes.
#include "transport/websocket/WebSocketReader.h"

#include "transport/websocket/permessage_deflate.h"

#include <algorithm>
#include <new>

namespace emissary::eta::transport::ws {

Reader::Reader(bool fromClient, std::size_t maxMessage) noexcept : fromClient_(fromClient), maxMessage_(maxMessage) {}
Reader::~Reader() = default;

bool Reader::inflate(bool peerForgets) noexcept {
    inflater_.reset(new (std::nothrow) MessageInflater);
    return inflater_ != nullptr && inflater_->start(peerForgets);
}

std::span<std::byte> Reader::space() noexcept {
    in_.taken(std::exchange(pending_, 0));
    // The bytes held here are less than a frame, or the beginning of a large frame that next() takes piece by piece.
    const std::size_t want = std::max<std::size_t>(kBufferBytes - std::min(kBufferBytes, in_.size()), 4096);
    std::byte* const p = in_.room(want);
    if (p == nullptr) return {};
    return {p, in_.roomLeft()};
}

void Reader::trim() noexcept {
    in_.taken(std::exchange(pending_, 0));
    if (std::exchange(delivered_, false)) {
        assembly_.taken(assembly_.size());
        inflated_.taken(inflated_.size());
    }
    in_.trim();
    assembly_.trim();
    inflated_.trim();
}

Event Reader::fail(Fault fault) noexcept {
    fault_ = fault;
    assembly_.clear();
    static_cast<void>(share_.resize(0));
    return Event::failed;
}

Event Reader::next(Bytes& out, std::size_t limit) noexcept {
    in_.taken(std::exchange(pending_, 0));
    if (std::exchange(delivered_, false)) {
        assembly_.taken(assembly_.size());
        static_cast<void>(share_.resize(0));
        inflated_.taken(inflated_.size());
    }
    if (fault_ != Fault::none) return Event::failed;
    for (;;) {
        if (remaining_ != 0) {  // inside the payload of a data frame
            auto n = static_cast<std::size_t>(std::min<std::uint64_t>(remaining_, in_.size()));
            if (mode_ == Mode::stream) n = std::min(n, limit);
            if (n == 0) return starve();
            if (fromClient_) applyMask(in_.data(), in_.data(), n, frame_.mask, maskPhase_);
            maskPhase_ = (maskPhase_ + n) & 3;
            remaining_ -= n;
            const Bytes piece{in_.data(), n};
            if (mode_ == Mode::stream) {
                pending_ = n;
                out = piece;
                if (remaining_ == 0 && frame_.fin) open_ = false;
                return Event::data;
            }
            if (assembly_.size() + n > maxMessage_) return fail(Fault::tooBig);  // the limit may have become smaller
            if (!share_.resize(assembly_.size() + n)) return fail(Fault::budgetSpent);
            if (!assembly_.append(piece)) return fail(Fault::outOfMemory);
            assembled_ += n;
            in_.taken(n);
            if (remaining_ == 0 && frame_.fin) return finish(out);
            continue;
        }
        Header h;
        if (const Fault f = parseHeader(in_.view(), fromClient_, inflater_ != nullptr, h); f != Fault::none)
            return fail(f);
        if (h.size == 0) return starve();
        if (h.control()) {
            if (in_.size() - h.size < h.length) return starve();
            return control(h, out);
        }
        if (h.opcode == Opcode::continuation) {
            if (!open_) return fail(Fault::loneContinuation);
        } else {
            if (open_) return fail(Fault::nestedMessage);
            if (mode_ == Mode::stream && h.opcode == Opcode::text) return fail(Fault::wrongType);
            opcode_ = h.opcode;
            compressed_ = h.rsv1;
        }
        if (mode_ == Mode::message && h.length > maxMessage_ - std::min(maxMessage_, assembly_.size()))
            return fail(Fault::tooBig);
        const bool whole = h.fin && !open_;
        open_ = true;
        if (whole && mode_ == Mode::message && !compressed_ && in_.size() - h.size >= h.length) {
            // The usual case: handed out where it lies.
            const auto n = static_cast<std::size_t>(h.length);
            std::byte* const p = in_.data() + h.size;
            if (fromClient_) applyMask(p, p, n, h.mask, 0);
            open_ = false;
            pending_ = h.size + n;
            out = {p, n};
            if (opcode_ == Opcode::text && !validUtf8(out)) return fail(Fault::badText);
            return Event::message;
        }
        in_.taken(h.size);
        frame_ = h;
        remaining_ = h.length;
        maskPhase_ = 0;
        if (remaining_ == 0 && h.fin) {
            if (mode_ == Mode::message) return finish(out);
            open_ = false;
        }
    }
}

Event Reader::control(const Header& h, Bytes& out) noexcept {
    const auto n = static_cast<std::size_t>(h.length);
    std::byte* const p = in_.data() + h.size;
    if (h.masked) applyMask(p, p, n, h.mask, 0);
    out = {p, n};
    pending_ = h.size + n;
    if (h.opcode == Opcode::ping) return Event::ping;
    if (h.opcode == Opcode::pong) return Event::pong;
    closeStatus_ = kNoStatus;
    if (n != 0) {
        if (n == 1) return fail(Fault::badClose);
        closeStatus_ = loadBe<std::uint16_t>(p);
        out = out.subspan(2);
        if (!validCloseCode(closeStatus_) || !validUtf8(out)) return fail(Fault::badClose);
    }
    return Event::close;
}

std::size_t Reader::mostInflated() const noexcept {
    if (!fromClient_) return maxMessage_;
    return std::min(maxMessage_, std::max(kAlwaysInflated, kMostTimes * assembly_.size()));
}

Event Reader::finish(Bytes& out) noexcept {
    open_ = false;
    if (compressed_) {
        switch (inflater_->inflate(assembly_.view(), mostInflated(), inflated_)) {
        case MessageInflater::Outcome::ok:
            gained_.add(std::uint64_t{inflated_.size()} - assembly_.size());
            break;
        case MessageInflater::Outcome::damaged:
            return fail(Fault::badDeflate);
        case MessageInflater::Outcome::tooBig:
            return fail(Fault::tooBig);
        case MessageInflater::Outcome::outOfMemory:
            return fail(Fault::outOfMemory);
        }
    }
    delivered_ = true;
    out = compressed_ ? inflated_.view() : assembly_.view();
    if (opcode_ == Opcode::text && !validUtf8(out)) return fail(Fault::badText);
    return Event::message;
}

}  // namespace emissary::eta::transport::ws
