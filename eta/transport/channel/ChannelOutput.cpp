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
    idle_.restart(own_ == Pings::whenIdle ? bytes_.get() : 0, now);
    wantWrite(false);
    if (agreed.fragmentSlack != 0) queue_.setFragmentSlack(agreed.fragmentSlack);
    queue_.activate(agreed.maxMessage, agreed.fragmentIdBytes, agreed.bound);
    mark_.start(agreed.highWater, agreed.direct, agreed.handOnAt);
}

std::span<std::byte> ChannelOutput::reserveSlow(std::size_t bytes) noexcept {
    if (bytes > queue_.maxMessage() || ended()) return {};
    if (!queue_.fits(bytes)) {
        static_cast<void>(flushSlow());
        if (!queue_.fits(bytes)) {
            noBuffers_.add();
            return {};
        }
    }
    return queue_.reserve(bytes);
}

Error ChannelOutput::flushAfterCommit() noexcept {
    markFlushes_.add();
    static_cast<void>(flushSlow());
    if (state_.load(std::memory_order_acquire) != ChannelState::active || writeError() != 0) return {Errc::closed, 0};
    mark_.reached(queue_.bound(), queuedBytes());
    return {};
}

Error ChannelOutput::write(Bytes message) noexcept {
    if (message.empty() || message.size() > largest_) return {Errc::outOfRange, 0};
    if (ended()) return {Errc::closed, 0};
    if (message.size() <= queue_.maxMessage()) {
        const std::span<std::byte> room = reserve(message.size());
        if (room.data() == nullptr) return {queue_.maxMessage() == 0 ? Errc::closed : Errc::noBuffers, 0};
        std::memcpy(room.data(), message.data(), message.size());
        return commit(message.size(), frame::kData, 1);
    }
    const std::size_t wire = queue_.fragmentedBytes(message.size());
    const auto fits = [&] { return queuedBytes() == 0 || queuedBytes() + wire <= queue_.bound(); };
    if (!fits()) static_cast<void>(flushSlow());
    if (queue_.maxMessage() == 0) return {Errc::closed, 0};
    if (!fits() || !queue_.pushFragmented(message)) {
        noBuffers_.add();
        return {Errc::noBuffers, 0};
    }
    if (trace_ != nullptr) trace_->tell(MessageTrace::Event::outgoing, message);
    if (queuedBytes() <= mark_.above()) return {};
    return flushAfterCommit();
}

void ChannelOutput::traceCommit(std::size_t bytes, std::uint8_t flags) const noexcept {
    const Bytes frame = queue_.reserved(bytes);
    if (frame.empty()) return;
    if ((flags & frame::kPacked) == 0) return trace_->tell(MessageTrace::Event::outgoing, frame);
    for (BeReader in(frame); in.remaining() != 0;) {
        const std::size_t length = in.read<std::uint16_t>();
        const Bytes message = in.take(length);
        if (!in.ok()) return;
        trace_->tell(MessageTrace::Event::packed, message);
    }
}

void ChannelOutput::pushedBack(bool blocked) noexcept {
    wantWrite(blocked);
    mark_.pushedBack(blocked, queuedBytes());
}

bool ChannelOutput::flushSlow() noexcept {
    if (state_.load(std::memory_order_acquire) != ChannelState::active) return false;
    queuedPeak_.raiseTo(queuedBytes());  // it only shrinks from here on
    OutputQueue::Gather parts;
    for (;;) {
        const std::size_t n = queue_.gather(parts);
        if (n == 0 && queue_.held() == 0) {
            if (finish_ != nullptr && !finishNow()) return false;
            if (wantsWrite()) pushedBack(false);
            return queue_.maxMessage() != 0;
        }
        std::size_t total = 0;
        for (std::size_t k = 0; k < n; ++k)
            total += parts[k].iov_len;
        const IoResult io = stream_->send({parts.data(), n});
        calls_.add();
        if (io.kind == IoResult::Kind::error) {
            writeError_.store(io.error, std::memory_order_relaxed);
            wantWrite(false);
            mark_.zero();
            queue_.drop();
            // Of a broken connection the reader still gets what had arrived, and then the end. Anything else would
            // leave a reader waiting for ever: end it.
            if (io.error != EPIPE && io.error != ECONNRESET && io.error != ETIMEDOUT) stream_->shutdown();
            return false;
        }
        bytes_.add(io.bytes);
        queue_.sent(io.bytes);
        queue_.setHeld(stream_->held());
        if (io.bytes < total ||
            queue_.held() != 0) {  // the kernel's buffer is full; asking again now would only cost a call
            blocked_.add();
            pushedBack(true);
            return false;
        }
    }
}

std::size_t ChannelOutput::dropUnsent() noexcept {
    if (state_.load(std::memory_order_acquire) != ChannelState::active) return 0;
    queuedPeak_.raiseTo(queuedBytes());
    return queue_.dropUnsent();
}

bool ChannelOutput::finish(std::uint16_t code, std::string_view text) noexcept {
    if (ended()) return false;
    if (finish_ == nullptr) finish_.reset(new (std::nothrow) Finish);
    if (finish_ == nullptr) return false;
    finish_->code = code;
    std::size_t length = std::min(text.size(), finish_->text.size());
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
    if (state_.load(std::memory_order_acquire) != ChannelState::active) return {Errc::closed, 0};
    if (message.empty() || message.size() > queue_.maxMessage()) return {Errc::outOfRange, 0};
    if (queuedBytes() != 0 && !flushSlow()) return {Errc::noBuffers, 0};
    if (trace_ != nullptr) trace_->tell(MessageTrace::Event::outgoing, message);
    const Error e = stream_->sendSequenced(message, sequence, retransmission);
    if (e.ok()) bytes_.add(message.size());
    return e;
}

void ChannelOutput::ping(TimePoint now) noexcept {
    if (queue_.maxMessage() != 0) queue_.setHeld(stream_->held());  // answers of the reading side, for instance
    if (finish_ != nullptr) return static_cast<void>(flush());
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
    if (queuedBytes() != 0) {
        static_cast<void>(flushSlow());
        return;
    }
    if (!idle_.idleFor(pingAfter_, bytes_.get(), now) || !queue_.pushPing()) return;
    if (trace_ != nullptr) trace_->tell(MessageTrace::Event::outgoingPing, {});
    static_cast<void>(flushSlow());
    pings_.add();
    idle_.restart(bytes_.get(), now);
}

bool ChannelOutput::ask(TimePoint now) noexcept {
    if (queue_.maxMessage() != 0) queue_.setHeld(stream_->held());
    if (finish_ != nullptr) return false;
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
    c.queuedPeak = std::max<std::uint64_t>(queuedPeak_.get(), c.queued);
}

}  // namespace emissary::eta::transport
