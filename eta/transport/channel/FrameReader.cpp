// Cuts the input buffer into frames and messages, and puts fragments together again.
#include "eta/transport/FrameReader.h"

#include "transport/stream/compression.h"

#include <algorithm>
#include <new>

namespace emissary::eta::transport {
namespace {

constexpr std::size_t kHandshakeCapacity = 4096;  // what a half-open peer costs
constexpr std::size_t kTrimmed = 64u << 10;       // less is not worth a system call
// The most that one read receives. A reader that is behind would otherwise touch as much of a large buffer as the
// kernel holds, tens of megabytes; larger reads are no faster, and would leave the cache.
constexpr std::size_t kMostReceived = 1u << 20;
constexpr std::size_t kKeepReassembly = 1u << 20;  // larger reassembly buffers are given back at once

std::uint8_t byteAt(const std::byte* p) noexcept {
    return std::to_integer<std::uint8_t>(*p);
}

}  // namespace

// Small until the handshake is done, so that half-open connections cost little.
FrameReader::FrameReader() : buffer_(kHandshakeCapacity + kPadding), capacity_(kHandshakeCapacity) {
    if (buffer_.data() == nullptr) throw std::bad_alloc();
    begin_ = end_ = high_ = touched_ = buffer_.data();
}

FrameReader::~FrameReader() = default;

bool FrameReader::activate(std::size_t maxMessage, std::size_t fragmentIdBytes, std::size_t capacity,
                           const FrameLimits& limits) noexcept {
    const auto held = static_cast<std::size_t>(end_ - begin_);
    // Twice the largest message: a frame may be complete while the next one is half there.
    capacity = std::max({capacity, 2 * (maxMessage + frame::kHeader), held});
    // Uninitialised on purpose: only pages that receive data are ever touched.
    Block grown(capacity + kPadding);
    if (grown.data() == nullptr) return false;
    // What came behind the handshake is kept: it is the first data.
    std::copy_n(begin_, held, grown.data());
    buffer_ = std::move(grown);
    capacity_ = capacity;
    begin_ = buffer_.data();
    end_ = high_ = touched_ = begin_ + held;
    // agreedFrame_ stays for restart(), when the frames of a source begin anew.
    maxFrame_ = agreedFrame_ = maxMessage + frame::kHeader;
    idBytes_ = fragmentIdBytes;
    limits_ = limits;
    return true;
}

std::span<std::byte> FrameReader::space() noexcept {
    std::byte* const base = buffer_.data();
    const auto held = static_cast<std::size_t>(end_ - begin_);
    if (begin_ != base) {  // held is less than one frame here
        if (held != 0) std::memmove(base, begin_, held);
        begin_ = base;
        end_ = base + held;
    }
    return {end_, std::min(capacity_ - held, kMostReceived)};
}

void FrameReader::drop() noexcept {
    begin_ = end_ = buffer_.data();
    // A packed frame that was half handed out is gone with the buffer.
    packed_ = packedEnd_ = nullptr;
    maxFrame_ = 0;
    partials_.clear();
    partialBytes_ = 0;
    static_cast<void>(share_.resize(0));
    delivered_ = {};
}

// Called when the channel has been idle: pages that a burst touched go back to the system.
std::size_t FrameReader::trim() noexcept {
    std::size_t bytes = 0;
    touched_ = std::max(touched_, high_);
    std::byte* const needed = high_;
    if (packed_ == packedEnd_) static_cast<void>(space());  // what is left of the input moves to the front
    high_ = end_;
    // Below 64 KiB the call costs more than the memory is worth.
    if (touched_ - needed >= static_cast<std::ptrdiff_t>(kTrimmed)) {
        bytes = static_cast<std::size_t>(touched_ - needed);
        discardPages(needed, bytes);
        touched_ = needed;
    }
    // A message handed out lately may still be read; it goes with the next trim().
    if (!std::exchange(deliveredLately_, false) && delivered_.capacity != 0) {
        bytes += delivered_.capacity;
        delivered_ = {};
    }
    return bytes;
}

void FrameReader::restart() noexcept {
    drop();
    maxFrame_ = agreedFrame_;
    fault_ = FrameFault::none;
}

// Everything is dropped: after a bad frame nobody knows where the next one begins (transport.md 9).
FrameEvent FrameReader::fail(FrameFault fault, std::size_t value, std::size_t limit) noexcept {
    drop();
    fault_ = fault;
    faultValue_ = value;
    faultLimit_ = limit;
    return FrameEvent::failed;
}

FrameEvent FrameReader::ping() noexcept {
    pings_.add();
    return FrameEvent::ping;
}

FrameEvent FrameReader::nextSlow(Bytes& message) noexcept {
    if (fault_ != FrameFault::none) return FrameEvent::failed;
    if (maxFrame_ == 0) return FrameEvent::needMore;  // handshake not done, or dropped
    if (packed_ != packedEnd_) return nextPacked(message);

    for (;;) {
        const std::byte* const p = begin_;
        const auto have = static_cast<std::size_t>(end_ - p);
        if (have < 2) return FrameEvent::needMore;
        const std::size_t length = loadBe<std::uint16_t>(p);
        // Both before the rest arrives: a bad length must not make us wait for it.
        if (length < frame::kHeader) return fail(FrameFault::tooShort, length);
        if (length > maxFrame_) return fail(FrameFault::tooLong, length, maxFrame_);
        if (length > have) return FrameEvent::needMore;

        const std::uint8_t flags = byteAt(p + 2);
        const bool data = (flags & frame::kData) != 0;
        const bool compressed = (flags & frame::kCompressed) != 0;
        // Both flags at once have no meaning (transport.md 2.1).
        if (data && compressed) return fail(FrameFault::twoBodies, flags);
        if (!data && !compressed)
            return fail((flags & frame::kCompFragment) != 0 ? FrameFault::loneCompFragment : FrameFault::noBody, flags);
        if ((flags & frame::kCompFragment) != 0 && !compressed) return fail(FrameFault::loneCompFragment, flags);
        if (compressed && decompressor_ == nullptr) return fail(FrameFault::notCompressed, flags);

        std::size_t header = frame::kHeader;
        std::uint8_t extended = 0;
        if ((flags & frame::kExtended) != 0) {
            header += 1;
            if (length < header) return fail(FrameFault::headerCut, length, header);
            extended = byteAt(p + 3);
            // Ack and nak belong to the handshake; afterwards they are an attack or a mix-up.
            if ((extended & (frame::kAck | frame::kNak)) != 0) return fail(FrameFault::handshakeFrame, extended);
            const unsigned kind = extended;
            if (kind != 0 && kind != frame::kFragment && kind != frame::kFragmentHeader)
                return fail(FrameFault::unknownExtended, extended);
        }
        if (extended != 0) {
            // Packed messages are small, fragments are large: no frame is both.
            if ((flags & frame::kPacked) != 0) return fail(FrameFault::packedFragment, flags);
            header = extended == frame::kFragmentHeader ? frame::firstFragmentHeader(idBytes_)
                                                        : frame::nextFragmentHeader(idBytes_);
            if (length < header) return fail(FrameFault::headerCut, length, header);
        }
        const Bytes head{p, header};
        Bytes body{p + header, length - header};
        begin_ += length;
        if (compressed) {
            const FrameEvent event = decompress(body, (flags & frame::kCompFragment) != 0, body);
            if (event == FrameEvent::failed) return event;
            if (event == FrameEvent::needMore) {  // the second half is not here yet
                // The frame is read again when the second half is there, so its header has to be in front.
                begin_ -= length;
                return event;
            }
        }
        if (extended != 0) {
            fragments_.add();
            const FrameEvent event = extended == frame::kFragmentHeader ? firstFragment(head, body, message)
                                                                        : nextFragment(head, body, message);
            if (event != FrameEvent::needMore) return event;
            continue;
        }
        // A frame without a body is a ping (transport.md 2.3).
        if (body.empty()) return ping();
        if ((flags & frame::kPacked) != 0) return startPacked(body, message);
        messages_.add();
        message = body;
        return FrameEvent::message;
    }
}

void FrameReader::decompressWith(std::unique_ptr<Decompressor> decompressor) noexcept {
    decompressor_ = std::move(decompressor);
}

// A body that grew while it was compressed may come in two frames, one right behind the other (transport.md 2.6.1).
// message: `out` is the payload; needMore: the second frame is not complete, nothing was touched.
FrameEvent FrameReader::decompress(Bytes body, bool split, Bytes& out) noexcept {
    Bytes second;
    if (split) {
        const auto have = static_cast<std::size_t>(end_ - begin_);
        if (have < 2) return FrameEvent::needMore;
        const std::size_t length = loadBe<std::uint16_t>(begin_);
        if (length <= frame::kHeader || length > maxFrame_) return fail(FrameFault::badSplit, length);
        if (length > have) return FrameEvent::needMore;
        // Only the compressed flag: the second half belongs to the first one, and carries no message of its own.
        if ((byteAt(begin_ + 2) & ~frame::kIgnoredFlags & 0xFF) != frame::kCompressed)
            return fail(FrameFault::badSplit, length);
        second = {begin_ + frame::kHeader, length - frame::kHeader};
        begin_ += length;
    }
    if (body.empty() && second.empty()) {
        out = {};
        return FrameEvent::message;  // nothing compressed is nothing: a ping
    }
    const std::size_t size = body.size() + second.size();
    if (!decompressor_->decompress(body, second, out)) return fail(FrameFault::badCompression, size, maxFrame_);
    inflated_.add(static_cast<std::uint64_t>(out.size()) - size);  // may wrap down: LZ4 and zlib can grow a body
    return FrameEvent::message;
}

// The whole list is checked before its first message is handed out: nothing of a bad frame is delivered.
FrameEvent FrameReader::startPacked(Bytes body, Bytes& message) noexcept {
    std::size_t used = 0;  // trailing empty slots carry nothing; cutting them keeps more() truthful
    for (std::size_t at = 0; at < body.size();) {
        if (body.size() - at < 2) return fail(FrameFault::packedOverrun, body.size() - at, 2);
        const std::size_t inner = loadBe<std::uint16_t>(body.data() + at);
        at += 2;
        if (inner > body.size() - at) return fail(FrameFault::packedOverrun, inner, body.size() - at);
        at += inner;
        if (inner != 0) used = at;
    }
    if (used == 0) return ping();
    packed_ = body.data();
    packedEnd_ = body.data() + used;
    return nextPacked(message);
}

FrameEvent FrameReader::nextPacked(Bytes& message) noexcept {
    std::size_t inner = 0;
    while (inner == 0) {  // ends: the last inner message is not empty
        inner = loadBe<std::uint16_t>(packed_);
        packed_ += 2;
    }
    message = {packed_, inner};
    packed_ += inner;
    messages_.add();
    return FrameEvent::message;
}

std::uint32_t FrameReader::fragmentId(const std::byte* p) const noexcept {
    return idBytes_ == 2 ? loadBe<std::uint16_t>(p) : byteAt(p);
}

bool FrameReader::append(Partial& partial, Bytes part) noexcept {
    // Doubling, so that a message of n fragments is copied a constant number of times.
    const std::size_t needed = partial.received + part.size();
    if (needed > partial.capacity) {
        // Grows with what arrived, never with what was announced.
        const std::size_t grown = std::min(partial.total, std::max(needed, 2 * partial.capacity));
        // kPadding: readers may look a few bytes beyond a message.
        if (!partial.data.grow(grown + kPadding)) return false;
        partial.capacity = grown;
    }
    if (!part.empty()) std::memcpy(partial.data.data() + partial.received, part.data(), part.size());
    partial.received = needed;
    return true;
}

FrameEvent FrameReader::firstFragment(Bytes header, Bytes part, Bytes& message) noexcept {
    const std::size_t total = loadBe<std::uint32_t>(header.data() + 4);
    const auto id = static_cast<std::uint16_t>(fragmentId(header.data() + 8));
    // Ids begin at 1; 0 would be the mark of no message (transport.md 2.5).
    if (id == 0) return fail(FrameFault::fragmentIdZero);
    if (total == 0 || total < part.size()) return fail(FrameFault::fragmentTotal, total, part.size());
    if (total > limits_.maxMessageBytes) return fail(FrameFault::fragmentTotalLimit, total, limits_.maxMessageBytes);

    // An id that begins again replaces its message: the sender has given the first one up. Its buffer is used again.
    const auto same = std::find_if(partials_.begin(), partials_.end(), [&](const Partial& p) { return p.id == id; });
    Partial partial;
    if (same != partials_.end()) {
        partialsReplaced_.add();
        partialBytes_ -= same->received;
        partial = std::move(*same);
        *same = std::move(partials_.back());
        partials_.pop_back();
        static_cast<void>(share_.resize(partialBytes_));
    }
    // A message that fits into its first fragment needs no buffer.
    if (part.size() == total) {
        messages_.add();
        message = part;
        return FrameEvent::message;
    }
    // Three bounds: how many messages of this channel are incomplete, how many of their bytes have come, and how many
    // to all channels with the same budget (share_). Announced totals do not count: they cost their sender nothing.
    if (partials_.size() >= limits_.maxPartialMessages)
        return fail(FrameFault::tooManyPartials, partials_.size() + 1, limits_.maxPartialMessages);
    if (partialBytes_ + part.size() > limits_.maxPartialBytes)
        return fail(FrameFault::partialBytesLimit, partialBytes_ + part.size(), limits_.maxPartialBytes);
    if (!share_.resize(partialBytes_ + part.size())) return fail(FrameFault::budgetSpent, partialBytes_ + part.size());
    // The buffer of the message that was delivered last serves the next one.
    if (partial.data.data() == nullptr && delivered_.data.data() != nullptr && delivered_.capacity <= kKeepReassembly)
        partial = std::exchange(delivered_, {});
    partial.id = id;
    partial.total = total;
    partial.received = 0;
    partial.growth.forget();
    if (!append(partial, part)) return fail(FrameFault::outOfMemory, total);
    partialBytes_ += part.size();
    partials_.push_back(std::move(partial));
    return part.empty() ? ping() : FrameEvent::needMore;
}

FrameEvent FrameReader::nextFragment(Bytes header, Bytes part, Bytes& message) noexcept {
    const std::uint32_t id = fragmentId(header.data() + 4);
    if (id == 0) return fail(FrameFault::fragmentIdZero);
    if (part.empty()) return ping();
    // Few are open at once, so a search beats an index.
    const auto found = std::find_if(partials_.begin(), partials_.end(), [&](const Partial& p) { return p.id == id; });
    if (found == partials_.end()) return fail(FrameFault::fragmentUnknown, id);
    const std::size_t left = found->total - found->received;
    if (part.size() > left) return fail(FrameFault::fragmentOverflow, part.size(), left);
    if (partialBytes_ + part.size() > limits_.maxPartialBytes)
        return fail(FrameFault::partialBytesLimit, partialBytes_ + part.size(), limits_.maxPartialBytes);
    if (!share_.resize(partialBytes_ + part.size())) return fail(FrameFault::budgetSpent, partialBytes_ + part.size());
    if (!append(*found, part)) return fail(FrameFault::outOfMemory, found->total);
    partialBytes_ += part.size();
    if (found->received != found->total) return FrameEvent::needMore;

    partialBytes_ -= found->total;
    static_cast<void>(share_.resize(partialBytes_));
    // The caller reads the message until the next read(), so its buffer moves aside and is used again by the next
    // message of several fragments.
    delivered_ = std::move(*found);
    deliveredLately_ = true;
    if (&*found != &partials_.back()) *found = std::move(partials_.back());
    partials_.pop_back();
    messages_.add();
    message = {delivered_.data.data(), delivered_.total};
    return FrameEvent::message;
}

// Each is asked, even behind one that has stalled: the call notes how far a message has come.
bool FrameReader::stalled(Growth::TimePoint now, Growth::TimePoint::duration limit) noexcept {
    bool any = false;
    for (Partial& p : partials_)
        any = p.growth.stalled(p.received, now, limit) || any;
    return any;
}

std::string FrameReader::faultText() const {
    const std::string value = std::to_string(faultValue_);
    const std::string limit = std::to_string(faultLimit_);
    switch (fault_) {
    case FrameFault::none:
        return "no fault";
    case FrameFault::tooShort:
        return "frame length " + value + " is below the header";
    case FrameFault::tooLong:
        return "frame length " + value + " exceeds " + limit;
    case FrameFault::headerCut:
        return "frame length " + value + " is shorter than its own header of " + limit;
    case FrameFault::noBody:
        return "frame flags " + value + " name neither plain nor compressed data";
    case FrameFault::twoBodies:
        return "frame flags " + value + " name both plain and compressed data";
    case FrameFault::loneCompFragment:
        return "frame flags " + value + " split a body that is not compressed";
    case FrameFault::notCompressed:
        return "compressed frame although no compression was agreed";
    case FrameFault::badCompression:
        return "compressed body of " + value + " bytes is damaged or becomes larger than allowed";
    case FrameFault::badSplit:
        return "second half of a split compressed body is missing";
    case FrameFault::handshakeFrame:
        return "handshake frame on an active connection";
    case FrameFault::unknownExtended:
        return "unknown extended frame flags " + value;
    case FrameFault::packedFragment:
        return "frame is packed and a fragment at once";
    case FrameFault::packedOverrun:
        return "packed message of " + value + " bytes passes the end of its frame (" + limit + " left)";
    case FrameFault::fragmentIdZero:
        return "fragment id 0";
    case FrameFault::fragmentTotal:
        return "fragmented message announces " + value + " bytes but begins with " + limit;
    case FrameFault::fragmentTotalLimit:
        return "fragmented message of " + value + " bytes exceeds " + limit;
    case FrameFault::fragmentUnknown:
        return "fragment of a message that was never begun, id " + value;
    case FrameFault::fragmentOverflow:
        return "fragment of " + value + " bytes passes the announced total (" + limit + " left)";
    case FrameFault::tooManyPartials:
        return value + " incomplete messages at once, at most " + limit;
    case FrameFault::partialBytesLimit:
        return "incomplete messages hold " + value + " bytes, at most " + limit;
    case FrameFault::budgetSpent:
        return "incomplete messages hold " + value + " bytes, and those of all connections together too many";
    case FrameFault::outOfMemory:
        return "out of memory for a message of " + value + " bytes";
    }
    return "unknown fault";
}

}  // namespace emissary::eta::transport
