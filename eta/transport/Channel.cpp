// An active channel: reading, writing, flushing, pings, options, closing.
#include "transport/ChannelImpl.h"

#include <algorithm>
#include <cerrno>
#include <new>
#include <utility>

#include <netinet/in.h>
#include <netinet/tcp.h>

namespace emissary::eta::transport {
namespace {

// One read() stops after this many receives that completed no message, so that a peer with a huge fragmented message
// does not keep the thread from others.
constexpr int kReceivesPerRead = 16;

// While the kernel pushes back, commit() tries again only after this much more is queued: the loop flushes when the
// descriptor becomes writable, and a system call a message that says "not yet" helps nobody.
constexpr std::size_t kRetryBytes = 32u << 10;

// In a burst system calls are what costs most: a high-water mark that is reached within this time after the last one is
// followed by one twice as high, up to this many bytes, until flush() ends the burst.
constexpr std::chrono::microseconds kBurstPause{200};
constexpr std::size_t kMostInBurst = 64u << 10;

// Handing on to shared memory costs no system call: messages that wait there for company only get older.
constexpr std::size_t kSharedMemoryMark = 1024;

}  // namespace

Channel::Channel(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Channel::~Channel() {
    close();
}

int Channel::fd() const noexcept {
    return impl_->stream->fd();
}
bool Channel::isServerSide() const noexcept {
    return impl_->server;
}
bool Channel::refused() const noexcept {
    return impl_->refused;
}
TimePoint Channel::initDeadline() const noexcept {
    return impl_->deadline;
}
const ChannelInfo& Channel::info() const noexcept {
    return impl_->info;
}
const std::string& Channel::errorText() const noexcept {
    return impl_->errorText;
}
std::uint32_t Channel::maxFragmentSize() const noexcept {
    return std::min<std::uint32_t>(impl_->info.maxFragmentSize, frame::kMaxBody - 2);  // JSON frames may be larger
}

bool Channel::wantsWrite() const noexcept {
    return impl_->wantsWrite.load(std::memory_order_relaxed) && state() != ChannelState::closed;
}

// The descriptor is only shut down here: another thread may be inside send() with it, and the loop still has it
// registered. close() gives it back.
void Channel::fail(std::string reason) noexcept {
    if (state() == ChannelState::closed) return;
    try {
        if (impl_->place.evicted())
            reason = "closed to make room for others: the listener is full and this connection had got least far (" +
                     reason + ")";
        impl_->errorText = impl_->peer + ": " + reason;
    } catch (const std::bad_alloc&) { impl_->errorText = std::move(reason); }
    state_.store(ChannelState::closed, std::memory_order_release);
    flushAbove_.store(0, std::memory_order_relaxed);
    impl_->stream->shutdown();
    impl_->place.release();
    input_.drop();
}

void Channel::close() noexcept {
    if (state() != ChannelState::closed) {
        if (impl_->errorText.empty()) impl_->errorText = impl_->peer + ": closed";
        state_.store(ChannelState::closed, std::memory_order_release);
    }
    impl_->place.release();
    impl_->stream->close();
    flushAbove_.store(0, std::memory_order_relaxed);
    input_.drop();
    output_.drop();
}

// --- input -----------------------------------------------------------------------------------------------------------

std::string Channel::Impl::reasonOf(const IoResult& io) const {
    std::string text = stream->reason();
    if (text.empty() && io.error != 0) text = errnoText(io.error);
    return text.empty() ? "closed by peer" : text;
}

IoResult Channel::Impl::receive(FrameReader& input) noexcept {
    const IoResult io = stream->receive(input.space());
    readCalls.add();
    if (io.kind == IoResult::Kind::ok) {
        input.added(io.bytes);
        bytesRead.add(io.bytes);
        receipts.add();
    }
    return io;
}

ReadResult Channel::readSlow(FrameEvent event, bool fromSocket) noexcept {
    using Kind = ReadResult::Kind;
    if (impl_->source != nullptr) return readSource(fromSocket);
    ReadResult r;
    bool drained = false;  // the last receive took everything the kernel had
    for (int receives = 0;; ++receives) {
        if (event == FrameEvent::message || event == FrameEvent::ping) {
            r.kind = event == FrameEvent::message ? Kind::message : Kind::ping;
            r.more = input_.more() || streamHasInput_;
            return r;
        }
        if (event == FrameEvent::failed && state() != ChannelState::closed) {
            if (impl_->shared != nullptr) impl_->shared->protocolErrors.fetch_add(1, std::memory_order_relaxed);
            try {
                fail(input_.faultText());
            } catch (const std::bad_alloc&) { fail("out of memory"); }  // short enough to need none
        }
        if (state() == ChannelState::closed) {
            r.kind = Kind::closed;
            return r;
        }
        if (!fromSocket || drained || state() != ChannelState::active) return r;
        if (receives == kReceivesPerRead) {
            r.more = true;
            return r;
        }
        const std::size_t room = input_.space().size();
        const IoResult io = impl_->receive(input_);
        streamHasInput_ = impl_->stream->hasInput();
        switch (io.kind) {
        case IoResult::Kind::ok:
            drained = io.bytes < room && !streamHasInput_;
            break;
        case IoResult::Kind::wouldBlock:
            return r;
        case IoResult::Kind::end:
        case IoResult::Kind::error:
            r.kind = Kind::closed;
            if (io.error == EPROTO && impl_->shared != nullptr)  // of TLS or WebSocket
                impl_->shared->protocolErrors.fetch_add(1, std::memory_order_relaxed);
            lost(io, !input_.buffered().empty());
            return r;
        }
        event = input_.next(r.message);
    }
}

// The peer or the connection is gone, as the stream or the message source found.
void Channel::lost(IoResult io, bool cut) noexcept {
    // A writer may have met the reason first: then the kernel told it, and tells us only "end".
    if (io.error == 0) io.error = impl_->writeError.load(std::memory_order_relaxed);
    try {
        std::string text = impl_->stream->reason();
        if (text.empty() && io.error != 0) text = errnoText(io.error);
        if (text.starts_with("closed by peer")) fail(std::move(text));
        else if (!text.empty()) fail("connection lost: " + text);
        else fail(cut ? "closed by peer in the middle of a message" : "closed by peer");
    } catch (const std::bad_alloc&) { fail("connection lost"); }
}

void Channel::abandon() noexcept {
    if (state() == ChannelState::active && impl_->writeError.load(std::memory_order_relaxed) != 0) lost({}, false);
}

ReadResult Channel::readSource(bool fromSocket) noexcept {
    using Event = MessageSource::Event;
    ReadResult r;
    MessageSource& source = *impl_->source;
    if (state() != ChannelState::active) {
        r.kind = ReadResult::Kind::closed;
        return r;
    }
    if (fromSocket) impl_->readCalls.add();
    const Event event = source.next(r.message, fromSocket);
    // Whoever holds the lock is writing, and will flush or be told again.
    if (source.outputReady() && lock_.try_lock()) {
        static_cast<void>(flushSlow());
        lock_.unlock();
    }
    switch (event) {
    case Event::message:
        r.kind = ReadResult::Kind::message;
        r.more = source.more();
        return r;
    case Event::ping:
        r.kind = ReadResult::Kind::ping;
        r.more = source.more();
        return r;
    case Event::condition: {
        const MessageSource::Told told = source.lastCondition();
        r.kind = ReadResult::Kind::condition;
        r.condition = told.condition;
        r.lost = told.lost;
        r.more = source.more();
        return r;
    }
    case Event::needMore:
        r.more = source.more();
        return r;
    case Event::failed:
        if (impl_->shared != nullptr) impl_->shared->protocolErrors.fetch_add(1, std::memory_order_relaxed);
        break;
    case Event::ended:
        break;
    }
    r.kind = ReadResult::Kind::closed;
    lost({}, false);
    return r;
}

bool Channel::pingExpired(TimePoint now) noexcept {
    Impl& i = *impl_;
    if (state() != ChannelState::active) return false;
    // With JSON nothing is agreed on; a silent peer is gone (transport.md 6.6).
    const bool due =
        i.info.protocolType == kProtocolJson || (i.server ? i.info.clientToServerPings : i.info.serverToClientPings);
    if (!due) return false;
    if (i.source != nullptr && !i.source->peerExpected()) {
        i.readAt = now;
        return false;
    }
    const std::uint64_t read = i.source != nullptr ? i.source->bytes() : i.receipts.get();
    if (read != i.readSeen) {
        i.readSeen = read;
        i.readAt = now;
        return false;
    }
    return now - i.readAt >= std::chrono::seconds(i.info.pingTimeoutSeconds);
}

void Channel::limitInput(std::size_t bytes) noexcept {
    FrameLimits limits;
    limits.maxMessageBytes = impl_->options.maxMessageBytes;
    limits.maxPartialBytes = std::max(limits.maxPartialBytes, limits.maxMessageBytes);
    limits.maxPartialMessages = std::max(impl_->options.maxPartialMessages, 1u);
    std::size_t json = impl_->shared != nullptr ? impl_->shared->options.webSocket.maxReceivedBytes
                                                : impl_->client.webSocket.maxReceivedBytes;
    if (bytes != 0) {
        limits.maxMessageBytes = std::min(limits.maxMessageBytes, bytes);
        limits.maxPartialBytes = std::min(limits.maxPartialBytes, bytes);
        json = std::min(json, bytes);
    }
    input_.setLimits(limits);
    if (impl_->source != nullptr) impl_->source->limitMessages(json);
}

bool Channel::inputStalled(TimePoint now, TimePoint::duration limit) noexcept {
    if (state() != ChannelState::active) return false;
    return impl_->source != nullptr ? impl_->source->stalled(now, limit) : input_.stalled(now, limit);
}

void Channel::settled() noexcept {
    impl_->place.advance(Admission::Stage::settled);
}

// --- output ----------------------------------------------------------------------------------------------------------

std::span<std::byte> Channel::reserveSlow(std::size_t bytes, Priority priority) noexcept {
    if (bytes > output_.maxMessage() || state() != ChannelState::active) return {};
    if (!output_.fits(bytes)) {
        static_cast<void>(flushSlow());
        if (!output_.fits(bytes)) {
            impl_->noBuffers.add();
            return {};
        }
    }
    return output_.reserve(bytes, priority);
}

Error Channel::flushAfterCommit() noexcept {
    impl_->markFlushes.add();
    static_cast<void>(flushSlow());
    if (state() != ChannelState::active || impl_->writeError.load(std::memory_order_relaxed) != 0)
        return {Errc::closed, 0};
    raiseMark();
    return {};
}

Error Channel::write(Bytes message, Priority priority, Compress compress) noexcept {
    const std::uint8_t flags =
        compress == Compress::never && impl_->compressor != nullptr ? frame::kData | frame::kSendPlain : frame::kData;
    if (message.empty() || message.size() > impl_->options.maxMessageBytes) return {Errc::outOfRange, 0};
    if (state() != ChannelState::active || output_.maxMessage() == 0) return {Errc::closed, 0};
    if (message.size() <= output_.maxMessage()) {
        const std::span<std::byte> room = reserve(message.size(), priority);
        if (room.data() == nullptr) return {output_.maxMessage() == 0 ? Errc::closed : Errc::noBuffers, 0};
        std::memcpy(room.data(), message.data(), message.size());
        if (!output_.commit(message.size(), flags, 1)) return {Errc::usage, 0};
        if (output_.queuedBytes() <= flushAbove_.load(std::memory_order_relaxed)) return {};
        return flushAfterCommit();
    }
    const std::size_t wire = output_.fragmentedBytes(message.size());
    const auto fits = [&] { return output_.queuedBytes() == 0 || output_.queuedBytes() + wire <= output_.bound(); };
    if (!fits()) static_cast<void>(flushSlow());
    if (output_.maxMessage() == 0) return {Errc::closed, 0};
    if (!fits() || !output_.pushFragmented(message, priority, flags)) {
        impl_->noBuffers.add();
        return {Errc::noBuffers, 0};
    }
    if (output_.queuedBytes() <= flushAbove_.load(std::memory_order_relaxed)) return {};
    return flushAfterCommit();
}

bool Channel::flushSlow() noexcept {
    Impl& i = *impl_;
    if (state() != ChannelState::active) return false;
    i.queuedPeak.raiseTo(output_.queuedBytes());  // it only shrinks from here on
    OutputQueue::Gather parts;
    for (;;) {
        const std::size_t n = output_.gather(parts);
        if (n == 0 && output_.held() == 0) {
            if (i.wantsWrite.load(std::memory_order_relaxed)) {
                i.wantsWrite.store(false, std::memory_order_relaxed);
                applyFlushAbove();
            }
            return output_.maxMessage() != 0;
        }
        std::size_t total = 0;
        for (std::size_t k = 0; k < n; ++k)
            total += parts[k].iov_len;
        const IoResult io = i.stream->send({parts.data(), n});
        i.writeCalls.add();
        if (io.kind == IoResult::Kind::error) {
            i.writeError.store(io.error, std::memory_order_relaxed);
            i.wantsWrite.store(false, std::memory_order_relaxed);
            flushAbove_.store(0, std::memory_order_relaxed);
            output_.drop();
            // Of a broken connection the reader still gets what had arrived, and then the end. Anything else would
            // leave a reader waiting for ever: end it.
            if (io.error != EPIPE && io.error != ECONNRESET && io.error != ETIMEDOUT) i.stream->shutdown();
            return false;
        }
        i.bytesWritten.add(io.bytes);
        output_.sent(io.bytes);
        output_.setHeld(i.stream->held());
        if (io.bytes < total ||
            output_.held() != 0) {  // the kernel's buffer is full; asking again now would only cost a call
            i.writesBlocked.add();
            i.wantsWrite.store(true, std::memory_order_relaxed);
            applyFlushAbove();
            return false;
        }
    }
}

void Channel::pingIfIdle(TimePoint now) noexcept {
    Impl& i = *impl_;
    if (state() != ChannelState::active) return;
    if (i.info.protocolType == kProtocolJson) return pingJson(now);
    if (output_.maxMessage() != 0) output_.setHeld(i.stream->held());  // answers of the reading side, for instance
    if (output_.queuedBytes() != 0) {
        static_cast<void>(flushSlow());
        return;
    }
    if (const std::uint64_t written = i.bytesWritten.get(); written != i.writeSeen) {
        i.writeSeen = written;
        i.writeAt = now;
        return;
    }
    if (now - i.writeAt < std::chrono::milliseconds(i.info.pingTimeoutSeconds * 1000 / 3)) return;
    if (!output_.pushPing()) return;
    static_cast<void>(flushSlow());
    i.pingsWritten.add();
    i.writeSeen = i.bytesWritten.get();
    i.writeAt = now;
}

// A JSON server asks its silent consumers for a sign of life, however much it sends itself; consumers only answer
// (transport.md 6.6).
void Channel::pingJson(TimePoint now) noexcept {
    Impl& i = *impl_;
    if (output_.maxMessage() != 0) output_.setHeld(i.stream->held());
    const bool due = i.server && i.shared->options.webSocket.sendPings &&
                     now - i.writeAt >= std::chrono::milliseconds(i.info.pingTimeoutSeconds * 1000 / 3);
    if (due && output_.pushPing()) {
        i.pingsWritten.add();
        i.writeAt = now;
    }
    static_cast<void>(flush());
}

OutputQueue::Spare Channel::trimOutput() noexcept {
    if (state() == ChannelState::active) static_cast<void>(impl_->stream->trimOutput());
    return output_.trim();
}

void Channel::trimInput() noexcept {
    if (state() == ChannelState::initializing) return;  // the handshake's views may be in use
    static_cast<void>(input_.trim());
    impl_->stream->trimInput();
}

const char* describe(Condition condition) noexcept {
    switch (condition) {
    case Condition::none:
        break;
    case Condition::gap:
        return "packets are lost for good";
    case Condition::slowReader:
        return "packets were dropped: this end reads too slowly";
    case Condition::congestion:
        return "what is sent is lost faster than it can be repaired";
    }
    return "nothing happened";
}

// --- options and facts -----------------------------------------------------------------------------------------------

void Channel::applyBound() noexcept {
    const ChannelInfo& info = impl_->info;
    output_.setBound(static_cast<std::size_t>(info.maxOutputBuffers) * (impl_->maxMessage + frame::kHeader));
}

void Channel::applyFlushAbove() noexcept {
    const bool cheap = impl_->info.connectionType == ConnectionType::sharedMemory;
    const std::size_t mark =
        cheap ? std::min(impl_->highWaterMark, kSharedMemoryMark) : std::max(impl_->highWaterMark, impl_->raisedMark);
    const std::size_t normal = impl_->directWrite ? 0 : mark;
    const bool blocked = impl_->wantsWrite.load(std::memory_order_relaxed);
    flushAbove_.store(blocked ? std::max(normal, output_.queuedBytes() + kRetryBytes) : normal,
                      std::memory_order_relaxed);
    if (state() == ChannelState::closed) flushAbove_.store(0, std::memory_order_relaxed);  // failed meanwhile
}

void Channel::raiseMark() noexcept {
    Impl& i = *impl_;
    if (i.directWrite || i.info.connectionType == ConnectionType::sharedMemory) return;
    const TimePoint now = std::chrono::steady_clock::now();
    const bool burst = now - std::exchange(i.markReachedAt, now) < kBurstPause;
    const std::size_t most = std::max(i.highWaterMark, std::min(kMostInBurst, output_.bound() / 4));
    const std::size_t raised = burst ? std::min(2 * std::max(i.highWaterMark, i.raisedMark), most) : 0;
    if (raised == i.raisedMark) return;
    i.raisedMark = raised;
    markRaised_ = raised != 0;
    applyFlushAbove();
}

void Channel::lowerMark() noexcept {
    markRaised_ = false;
    impl_->raisedMark = 0;
    applyFlushAbove();
}

Error Channel::setOption(int ioctlCode, std::uint32_t value) noexcept {
    if (state() != ChannelState::active) return {Errc::usage, 0};
    ChannelInfo& info = impl_->info;
    switch (ioctlCode) {
    case 1:
        info.maxOutputBuffers = std::max(value, info.guaranteedOutputBuffers);
        applyBound();
        return {};
    case 2:
        if (value == 0) return {Errc::outOfRange, 0};
        info.guaranteedOutputBuffers = value;
        info.maxOutputBuffers = std::max(value, info.maxOutputBuffers);
        applyBound();
        return {};
    case 3:
        impl_->highWaterMark = value;
        applyFlushAbove();
        return {};
    case 4:
    case 5:
        if (value == 0) return {Errc::outOfRange, 0};
        applyBufferSizes(fd(), ioctlCode == 5 ? value : 0, ioctlCode == 4 ? value : 0);
        info.sysSendBufSize = socketBufferSize(fd(), SO_SNDBUF);
        info.sysRecvBufSize = socketBufferSize(fd(), SO_RCVBUF);
        return {};
    case 9:  // ignored without compression, otherwise only to be raised
        if (info.compression == Compression::none) return {};
        if (value < smallestThreshold(info.compression)) return {Errc::outOfRange, 0};
        info.compressionThreshold = value;
        if (impl_->compressor != nullptr) impl_->compressor->setThreshold(value);
        return {};
    case 200:
        impl_->directWrite = value != 0;
        applyFlushAbove();
        return {};
    default:
        return {Errc::usage, 0};
    }
}

Error Channel::setFlushOrder(std::string_view order) noexcept {
    return output_.setFlushOrder(order) ? Error{} : Error{Errc::outOfRange, 0};
}

ChannelCounters Channel::counters() const noexcept {
    const Impl& i = *impl_;
    ChannelCounters c;
    c.readCalls = i.readCalls.get();
    c.bytesRead = i.bytesRead.get();
    c.uncompressedBytesRead = c.bytesRead + static_cast<std::uint64_t>(input_.inflatedBytes());
    c.messagesRead = input_.messages();
    const bool settled = state() != ChannelState::initializing;  // from then on source and compressor stay
    if (settled && i.source != nullptr) {
        c.messagesRead = i.source->messages();
        c.bytesRead = i.source->bytes();
        c.uncompressedBytesRead = c.bytesRead + i.source->inflatedBytes();
    }
    c.pingsRead = input_.pings();
    c.fragmentsRead = input_.fragments();
    c.partialsReplaced = input_.partialsReplaced();
    c.uncompressedBytesWritten = c.bytesWritten = i.bytesWritten.get();
    if (settled && i.compressor != nullptr) c.bytesWritten += i.compressor->bytesOut() - i.compressor->bytesIn();
    if (settled && i.source != nullptr) c.bytesWritten -= i.source->deflatedBytes();
    c.writeCalls = i.writeCalls.get();
    c.writesBlocked = i.writesBlocked.get();
    c.messagesWritten = output_.messages();
    c.fragmentsWritten = output_.fragments();
    c.pingsWritten = i.pingsWritten.get();
    c.noBuffers = i.noBuffers.get();
    c.markFlushes = i.markFlushes.get();
    c.outputHeld = output_.bytesHeld();
    c.queued = output_.queuedBytes();
    c.queuedPeak = std::max<std::uint64_t>(i.queuedPeak.get(), c.queued);
    return c;
}

MulticastCounters Channel::multicastCounters() const noexcept {
    return state() != ChannelState::initializing && impl_->source != nullptr ? impl_->stream->multicastCounters()
                                                                             : MulticastCounters{};
}

const DatagramInfo* Channel::datagramInfo() const noexcept {
    return impl_->stream->datagramInfo();
}

Error Channel::writeSequenced(Bytes message, std::uint32_t sequence, bool retransmission) noexcept {
    if (state() != ChannelState::active) return {Errc::closed, 0};
    if (message.empty() || message.size() > output_.maxMessage()) return {Errc::outOfRange, 0};
    if (output_.queuedBytes() != 0 && !flushSlow()) return {Errc::noBuffers, 0};
    const Error e = impl_->stream->sendSequenced(message, sequence, retransmission);
    if (e.ok()) impl_->bytesWritten.add(message.size());
    return e;
}

std::uint64_t Channel::tcpRetransmits() const noexcept {
    tcp_info info{};
    socklen_t size = sizeof info;
    if (fd() < 0 || ::getsockopt(fd(), IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return 0;
    return info.tcpi_total_retrans;
}

}  // namespace emissary::eta::transport
