// Reserves, commits and flushes messages beyond the inline path, with fragments, pings and the trace.
#include "eta/transport/ChannelOutput.h"

#include "eta/transport/MessageTrace.h"
#include "transport/stream/ByteStream.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

namespace emissary::eta::transport {

ChannelOutput::Sent ChannelOutput::sendDirectly(Bytes bytes, std::size_t& sent, int& error) noexcept {
    // In the handshake nothing is queued, so it sends at once, and waits where the kernel takes no more.
    while (sent < bytes.size() || stream_->held() != 0) {
        const Bytes rest = bytes.subspan(sent);
        const iovec part{const_cast<std::byte*>(rest.data()), rest.size()};  // send() does not write to it
        const IoResult io = stream_->send({&part, rest.empty() ? 0u : 1u});
        calls_.add();
        if (io.kind == IoResult::Kind::error || io.kind == IoResult::Kind::end) {
            error = io.error;
            return Sent::failed;
        }
        bytes_.add(io.bytes);
        sent += io.bytes;
        if (io.kind == IoResult::Kind::wouldBlock || io.bytes == 0) {
            // Bytes of the stream itself (a TLS record) may still be held: then the handshake waits too.
            if (sent == bytes.size() && stream_->held() == 0) break;
            wantWrite(true);
            return Sent::blocked;
        }
    }
    wantWrite(false);
    return Sent::all;
}

void ChannelOutput::start(const Start& agreed, TimePoint now) noexcept {
    largest_ = agreed.largest;
    own_ = agreed.pings;
    pingAfter_ = agreed.pingAfter;
    // Only pings that depend on idleness need the count of bytes; the others go by time alone.
    idle_.restart(own_ == Pings::whenIdle ? bytes_.get() : 0, now);
    wantWrite(false);
    if (agreed.fragmentSlack != 0) queue_.setFragmentSlack(agreed.fragmentSlack);
    queue_.activate(agreed.maxMessage, agreed.fragmentIdBytes, agreed.bound);
    mark_.start(agreed.highWater, agreed.direct, agreed.handOnAt);
}

std::span<std::byte> ChannelOutput::reserveSlow(std::size_t bytes) noexcept {
    // An empty span is the one answer for every refusal: the caller looks for the reason where it needs it.
    if (bytes > queue_.maxMessage() || ended()) return {};
    if (!queue_.fits(bytes)) {
        // Before a message is refused, what waits gets one more chance to leave.
        static_cast<void>(flushSlow());
        if (!queue_.fits(bytes)) {
            noBuffers_.add();
            return {};
        }
    }
    return queue_.reserve(bytes);
}

Error ChannelOutput::flushAfterCommit() noexcept {
    // The mark was reached, so the queue is flushed here, in the caller's thread.
    markFlushes_.add();
    static_cast<void>(flushSlow());
    if (state_.load(std::memory_order_acquire) != ChannelState::active || writeError() != 0) return {Errc::closed, 0};
    // A mark that is reached often is raised, until flush() ends the burst.
    mark_.reached(queue_.bound(), queuedBytes());
    return {};
}

Error ChannelOutput::write(Bytes message) noexcept {
    // The largest message of a transport without fragments is a frame.
    if (message.empty() || message.size() > largest_) return {Errc::outOfRange, 0};
    if (ended()) return {Errc::closed, 0};
    // In one frame: reserved, copied, committed.
    if (message.size() <= queue_.maxMessage()) {
        const std::span<std::byte> room = reserve(message.size());
        if (room.data() == nullptr) return {queue_.maxMessage() == 0 ? Errc::closed : Errc::noBuffers, 0};
        std::memcpy(room.data(), message.data(), message.size());
        return commit(message.size(), frame::kData, 1);
    }
    const std::size_t wire = queue_.fragmentedBytes(message.size());
    // An empty queue takes even a message larger than its bound, or such a message could never be sent.
    const auto fits = [&] { return queuedBytes() == 0 || queuedBytes() + wire <= queue_.bound(); };
    if (!fits()) static_cast<void>(flushSlow());
    if (queue_.maxMessage() == 0) return {Errc::closed, 0};
    if (!fits() || !queue_.pushFragmented(message)) {
        noBuffers_.add();
        return {Errc::noBuffers, 0};
    }
    // Traced as one message, as the peer reads it.
    if (trace_ != nullptr) trace_->tell(MessageTrace::Event::outgoing, message);
    if (queuedBytes() <= mark_.above()) return {};
    return flushAfterCommit();
}

void ChannelOutput::traceCommit(std::size_t bytes, std::uint8_t flags) const noexcept {
    const Bytes frame = queue_.reserved(bytes);
    if (frame.empty()) return;
    // A packed frame holds several messages, each with its length in front.
    if ((flags & frame::kPacked) == 0) return trace_->tell(MessageTrace::Event::outgoing, frame);
    for (BeReader in(frame); in.remaining() != 0;) {
        const std::size_t length = in.read<std::uint16_t>();
        const Bytes message = in.take(length);
        if (!in.ok()) return;
        trace_->tell(MessageTrace::Event::packed, message);
    }
}

void ChannelOutput::pushedBack(bool blocked) noexcept {
    // Whether the loop waits for a writable descriptor, and how much is queued until commit() tries again.
    wantWrite(blocked);
    mark_.pushedBack(blocked, queuedBytes());
}

bool ChannelOutput::flushSlow() noexcept {
    if (state_.load(std::memory_order_acquire) != ChannelState::active) return false;
    // Noted here because the queue is longest before a flush; a peak in between is never missed.
    queuedPeak_.raiseTo(queuedBytes());  // it only shrinks from here on
    OutputQueue::Gather parts;
    // At most as many pieces as one writev() takes.
    for (;;) {
        const std::size_t n = queue_.gather(parts);
        if (n == 0 && queue_.held() == 0) {
            // The closing message goes out behind the last message, and only then.
            if (finish_ != nullptr && !finishNow()) return false;
            if (wantsWrite()) pushedBack(false);
            return queue_.maxMessage() != 0;
        }
        std::size_t total = 0;
        for (std::size_t k = 0; k < n; ++k)
            total += parts[k].iov_len;
        const IoResult io = stream_->send({parts.data(), n});
        calls_.add();
        // The queue is dropped at once: nothing of it can arrive, and the memory is worth more than an order nobody
        // will see.
        if (io.kind == IoResult::Kind::error) {
            writeError_.store(io.error, std::memory_order_relaxed);
            wantWrite(false);
            // Mark 0: the next commit() comes here and finds the error.
            mark_.zero();
            queue_.drop();
            // Of a broken connection the reader still gets what had arrived, and then the end. Anything else would
            // leave a reader waiting for ever: end it.
            if (io.error != EPIPE && io.error != ECONNRESET && io.error != ETIMEDOUT) stream_->shutdown();
            return false;
        }
        bytes_.add(io.bytes);
        queue_.sent(io.bytes);
        // held: bytes that the stream has taken and not yet sent, e.g. a record of TLS.
        queue_.setHeld(stream_->held());
        if (io.bytes < total ||
            queue_.held() != 0) {  // the kernel's buffer is full; asking again now would only cost a call
            blocked_.add();
            pushedBack(true);
            return false;
        }
    }
}

// For a client that is ended: whole messages only, the one that has begun to leave goes on (hub.md 8.4).
std::size_t ChannelOutput::dropUnsent() noexcept {
    if (state_.load(std::memory_order_acquire) != ChannelState::active) return 0;
    queuedPeak_.raiseTo(queuedBytes());
    return queue_.dropUnsent();
}

bool ChannelOutput::finish(std::uint16_t code, std::string_view text) noexcept {
    if (ended()) return false;
    // Nothing throws here: the end of a connection must work without memory.
    if (finish_ == nullptr) finish_.reset(new (std::nothrow) Finish);
    if (finish_ == nullptr) return false;
    finish_->code = code;
    std::size_t length = std::min(text.size(), finish_->text.size());
    // UTF-8: the text is cut in front of a character, never inside it.
    while (length < text.size() && length != 0 && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80)
        --length;  // no part of a character
    finish_->length = text.copy(finish_->text.data(), length);
    static_cast<void>(flushSlow());
    return !ended();
}

/// All has left the queue. False: the closing message waits for the kernel.
bool ChannelOutput::finishNow() noexcept {
    stream_->finish(finish_->code, {finish_->text.data(), finish_->length});
    queue_.setHeld(stream_->held());
    if (queue_.held() != 0) pushedBack(true);
    return queue_.held() == 0;
}

Error ChannelOutput::writeSequenced(Bytes message, std::uint32_t sequence, bool retransmission) noexcept {
    // Sequenced messages have their own path: they go out one datagram each, in order.
    if (state_.load(std::memory_order_acquire) != ChannelState::active) return {Errc::closed, 0};
    if (message.empty() || message.size() > queue_.maxMessage()) return {Errc::outOfRange, 0};
    // What waits goes first, or the order on the wire would be another.
    if (queuedBytes() != 0 && !flushSlow()) return {Errc::noBuffers, 0};
    if (trace_ != nullptr) trace_->tell(MessageTrace::Event::outgoing, message);
    const Error e = stream_->sendSequenced(message, sequence, retransmission);
    if (e.ok()) bytes_.add(message.size());
    return e;
}

void ChannelOutput::ping(TimePoint now) noexcept {
    // The stream may hold bytes of its own since the last flush.
    if (queue_.maxMessage() != 0) queue_.setHeld(stream_->held());  // answers of the reading side, for instance
    if (finish_ != nullptr) return static_cast<void>(flush());
    // Pings of JSON are questions with an answer, and go out at their own pace (json.md 4.9).
    if (own_ != Pings::whenIdle) {
        // Whatever else is sent: it is a question.
        if (own_ == Pings::steadily && idle_.idleFor(pingAfter_, 0, now) && queue_.pushPing()) {
            if (trace_ != nullptr) trace_->tell(MessageTrace::Event::outgoingPing, {});
            pings_.add();
            idle_.hold(now);
        }
        static_cast<void>(flush());
        return;
    }
    // Something waits, so it is sent instead of a ping: it proves life as well.
    if (queuedBytes() != 0) {
        static_cast<void>(flushSlow());
        return;
    }
    // Output within the time makes a ping superfluous (transport.md 2.7).
    if (!idle_.idleFor(pingAfter_, bytes_.get(), now) || !queue_.pushPing()) return;
    if (trace_ != nullptr) trace_->tell(MessageTrace::Event::outgoingPing, {});
    static_cast<void>(flushSlow());
    pings_.add();
    idle_.restart(bytes_.get(), now);
}

bool ChannelOutput::ask(TimePoint now) noexcept {
    if (queue_.maxMessage() != 0) queue_.setHeld(stream_->held());
    if (finish_ != nullptr) return false;
    // The answer to this ping is a sign of life (hub.md 2.4).
    const bool question = asks();
    if ((question || (own_ == Pings::whenIdle && queuedBytes() == 0)) && queue_.pushPing()) {
        if (trace_ != nullptr) trace_->tell(MessageTrace::Event::outgoingPing, {});
        pings_.add();
        if (question) idle_.hold(now);
    }
    static_cast<void>(flush());
    return question;
}

OutputQueue::Spare ChannelOutput::trim() noexcept {
    // A stream with memory of its own gives back what it does not need.
    if (state_.load(std::memory_order_acquire) == ChannelState::active) static_cast<void>(stream_->trimOutput());
    return queue_.trim();
}

void ChannelOutput::count(ChannelCounters& c) const noexcept {
    c.uncompressedBytesWritten = c.bytesWritten = bytes_.get();
    c.writeCalls = calls_.get();
    c.writesBlocked = blocked_.get();
    c.messagesWritten = queue_.messages();
    c.fragmentsWritten = queue_.fragments();
    c.pingsWritten = pings_.get();
    c.noBuffers = noBuffers_.get();
    c.markFlushes = markFlushes_.get();
    c.outputHeld = queue_.bytesHeld();
    c.queued = queuedBytes();
    // A queue that is longest right now is its own peak.
    c.queuedPeak = std::max<std::uint64_t>(queuedPeak_.get(), c.queued);
}

}  // namespace emissary::eta::transport
