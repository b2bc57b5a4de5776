// eta/transport/channel: connects, activates, fails and closes a channel, and answers questions about it; the paths
// that every message takes are inline.
#include "transport/channel/ChannelImpl.h"
#include "transport/channel/ClientHandshake.h"
#include "transport/channel/agreement.h"
#include "transport/channel/streams.h"

#include <algorithm>
#include <new>
#include <utility>

#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>

namespace emissary::eta::transport {
namespace {

constexpr std::size_t kMinInputBuffer = 64u << 10;

void tellRead(MessageTrace* trace, const ReadResult& result) noexcept {
    if (trace == nullptr) return;
    if (result.kind == ReadResult::Kind::message) trace->tell(MessageTrace::Event::incoming, result.message);
    else if (result.kind == ReadResult::Kind::ping) trace->tell(MessageTrace::Event::incomingPing, {});
}

}  // namespace

// --- to active -------------------------------------------------------------------------------------------------------

Channel::Channel(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Channel::~Channel() {
    // The handshake and its streams are closed by close(), which may be called before.
    close();
}

std::unique_ptr<Channel> Channel::connect(const ConnectOptions& options, TimePoint now, Refused& refused) {
    if (const Refused wrong = checkOptions(options)) {
        refused.text = "connect to " + describeTarget(options) + ": " + wrong.text;
        return nullptr;
    }
    return connect(Route::of(options), now, refused);
}

std::unique_ptr<Channel> Channel::connect(const Route& route, TimePoint now, Refused& refused) {
    // A route that could not be looked up still makes the text: the caller gets one sentence with target and reason.
    Refused wrong = route.failure ? route.failure : checkOptions(route.options);
    auto impl = std::make_unique<Impl>();
    impl->peer = "connect to " + route.target;
    if (!wrong) {
        Dialler dialler(route);
        impl->stream = dialler.first(wrong);
        if (impl->stream != nullptr) {
            std::unique_ptr<Channel> channel(new Channel(std::move(impl)));
            Impl& i = *channel->impl_;
            i.handshake = std::make_unique<ClientHandshake>(i.ends(*channel), std::move(dialler), now);
            return channel;
        }
    }
    refused.text = impl->peer + ": " + wrong.text;
    return nullptr;
}

InitStatus Channel::init(TimePoint now) noexcept {
    if (state() != ChannelState::initializing)
        return state() == ChannelState::active ? InitStatus::active : InitStatus::failed;
    Impl& i = *impl_;
    bool timedOut = false;
    try {
        const InitStatus status = i.handshake->drive(now);
        if (status == InitStatus::active) return activate(now);
        if (status != InitStatus::failed) return status;
        timedOut = i.handshake->timedOut();
        i.refused = i.handshake->refused();
        // A proxy may have said meanwhile who the client is.
        if (i.shared != nullptr && !i.info.peerAddress.empty()) i.peer = i.info.peerAddress;
        fail(i.handshake->reason());
    } catch (const std::bad_alloc&) { fail("out of memory"); }
    // shared is there on the server's side only; the listener counts what became of its connections.
    if (i.shared != nullptr)
        (timedOut ? i.shared->handshakeTimeouts : i.shared->handshakeFailures).fetch_add(1, std::memory_order_relaxed);
    i.handshake.reset();
    return InitStatus::failed;
}

InitStatus Channel::activate(TimePoint now) {
    Impl& i = *impl_;
    const ChannelHandshake::Agreed& agreed = i.handshake->agreed();
    const ChannelOptions& o = i.handshake->options();
    ChannelInfo& info = i.info;
    // A message source (multicast, shared memory) has frames of its own: RIPC's version, fragments and ping time do not
    // apply.
    MessageSource* const source = i.stream->messageSource();
    info.serverSide = i.shared != nullptr;
    info.connectionType = i.handshake->connectionType();
    info.protocolType = o.protocolType;
    info.ripcVersion = source != nullptr ? 0 : static_cast<std::uint32_t>(agreed.version);
    if (source != nullptr) info.pingTimeoutSeconds = std::max<std::uint8_t>(o.pingTimeoutSeconds, 1);
    i.maxMessage = describe(*i.stream, agreed.maxMessage, o, info);
    i.peer = info.peerAddress;
    i.limits.maxMessageBytes = o.maxMessageBytes;
    // A single message must fit into the bound for incomplete ones.
    i.limits.maxPartialBytes = std::max(i.limits.maxPartialBytes, o.maxMessageBytes);
    i.limits.maxPartialMessages = std::max(o.maxPartialMessages, 1u);

    const ConnectionTypeRow& type = rowOf(info.connectionType);
    // WebSocket JSON has its own ping and pong, which the peer answers (json.md 4.9); RIPC ends send pings as agreed
    // (transport.md 2.7).
    const KeepAlive alive = info.protocolType == kProtocolJson ? KeepAlive::asked : type.keepAlive;
    ChannelInput::Start in;
    in.maxMessage = i.maxMessage;
    // Fragment ids have one byte up to RIPC 12, two from 13 on (transport.md 2.5).
    in.fragmentIdBytes = source != nullptr || agreed.version >= 13 ? 2 : 1;
    // The input buffer holds numInputBuffers frames of the agreed size, and 64 KiB at least.
    in.capacity = std::max(kMinInputBuffer, info.numInputBuffers * (i.maxMessage + frame::kHeader));
    in.source = source;
    in.peerPings =
        alive != KeepAlive::agreed || (info.serverSide ? info.clientToServerPings : info.serverToClientPings);
    if (i.shared != nullptr) in.budget = i.shared->partialBudget;
    ChannelOutput::Start out;
    out.maxMessage = i.maxMessage;
    out.fragmentIdBytes = in.fragmentIdBytes;
    out.bound = i.outputBound();
    out.largest = type.fragments ? o.maxMessageBytes : i.maxMessage;
    out.highWater = o.highWaterMark;
    out.handOnAt = type.handOnAt;
    out.direct = o.directWrite;
    // A ping after a third of the timeout without output, so that one that is lost does not end the connection.
    out.pingAfter = std::chrono::milliseconds(info.pingTimeoutSeconds * 1000 / 3);
    if (alive == KeepAlive::asked)
        out.pings = info.serverSide && i.shared->options.webSocket.sendPings ? ChannelOutput::Pings::steadily
                                                                             : ChannelOutput::Pings::none;
    // Input first: without its buffer nothing else matters, and nothing has been sent yet.
    if (!input_.start(std::move(in), now)) throw std::bad_alloc();
    if (agreed.compression != Compression::none) {
        info.compression = agreed.compression;
        info.compressionThreshold = thresholdFor(agreed.compression, o.compressionThreshold);
        i.compressor =
            compressFrom(i.stream, input_, agreed, info.compressionThreshold, i.maxMessage, out.fragmentIdBytes);
        // zlib may make a body larger: fragments stay so much below the limit that the worst case still fits
        // (transport.md 2.6.1).
        if (agreed.compression == Compression::zlib && i.maxMessage > 4 * kZlibFragmentSlack)
            out.fragmentSlack = kZlibFragmentSlack;
        input_.attach(*i.stream);
        output_.attach(*i.stream);
    }
    output_.start(out, now);
    limitInput(0);
    i.place.advance(Admission::Stage::active);
    if (i.shared != nullptr) i.shared->handshakesDone.fetch_add(1, std::memory_order_relaxed);
    i.tracing = o.tracing;
    i.handshake.reset();
    // The release makes all that was set here visible to threads that find the channel active.
    state_.store(ChannelState::active, std::memory_order_release);
    // No other thread knows this channel yet, so its output needs no lock.
    if (i.tracing != nullptr && i.tracing->atOnce()) static_cast<void>(i.setTrace(*this, true));
    return InitStatus::active;
}

void Channel::refuse(std::string text) {
    if (state() == ChannelState::initializing) impl_->handshake->refuse(std::move(text));
}

bool Channel::refused() const noexcept {
    return impl_->refused;
}

TimePoint Channel::initDeadline() const noexcept {
    return impl_->handshake != nullptr ? impl_->handshake->deadline() : TimePoint{};
}

// --- the end ---------------------------------------------------------------------------------------------------------

// The descriptor is only shut down here: another thread may be inside send() with it, and the loop still has it
// registered. close() gives it back.
void Channel::fail(std::string reason) noexcept {
    // The first reason stays: what fails afterwards is a consequence.
    if (state() == ChannelState::closed) return;
    try {
        if (impl_->place.evicted())
            reason = "closed to make room for others: the listener is full and this connection had got least far (" +
                     reason + ")";
        impl_->errorText = impl_->peer + ": " + reason;
    } catch (const std::bad_alloc&) { impl_->errorText = std::move(reason); }
    // Closed first, so that a writer on another thread sees it before its send() fails.
    state_.store(ChannelState::closed, std::memory_order_release);
    output_.end();
    impl_->stream->shutdown();
    // The place at the listener is free at once, whoever still holds the channel.
    impl_->place.release();
    input_.drop();
}

/// The peer or the connection is gone, as the input found.
void Channel::lost() noexcept {
    // What the peer did wrong is counted apart from connections that are just gone.
    if (input_.peerAtFault()) impl_->countProtocolError();
    if (MessageTrace* const trace = trace_.load(std::memory_order_acquire); trace != nullptr)
        trace->tell(MessageTrace::Event::channelClosed, {});
    try {
        fail(input_.whyEnded(output_.writeError()));
    } catch (const std::bad_alloc&) { fail("connection lost"); }  // short enough to need no memory
}

// A failed write is noticed by the writer, but the channel is ended by its owner.
void Channel::abandon() noexcept {
    if (state() == ChannelState::active && output_.writeError() != 0) lost();
}

bool Channel::finish(std::uint16_t code, std::string_view text) noexcept {
    if (state() != ChannelState::active || !impl_->stream->finishes()) return false;
    // The place is given back although the connection may stay for seconds: a client that was ended must not keep
    // others out.
    impl_->place.release();
    return output_.finish(code, text);
}

void Channel::close() noexcept {
    if (state() != ChannelState::closed) {
        if (impl_->errorText.empty()) impl_->errorText = impl_->peer + ": closed";
        state_.store(ChannelState::closed, std::memory_order_release);
    }
    impl_->handshake.reset();
    impl_->place.release();
    // The order: no trace is reached any more, then it goes, then the stream.
    trace_.store(nullptr, std::memory_order_relaxed);
    output_.traceWith(nullptr);
    impl_->trace.reset();
    impl_->stream->close();
    output_.end();
    input_.drop();
    output_.drop();
}

// --- input -----------------------------------------------------------------------------------------------------------

ReadResult Channel::readSlow(FrameEvent event) noexcept {
    ReadResult r;
    // A channel that is still initializing has no messages; init() drives it.
    if (const ChannelState now = state(); now != ChannelState::active) {
        if (now == ChannelState::closed) r.kind = ReadResult::Kind::closed;
        return r;
    }
    r = input_.readOn(event);
    // The thread that holds the lock is writing, and will flush or be woken again.
    // The stream may have made room for output while it was read.
    // try_lock: the reading thread never waits for a writer.
    if (input_.outputReady() && output_.lock().try_lock()) {
        static_cast<void>(output_.flushSlow());
        output_.lock().unlock();
    }
    tellRead(trace_.load(std::memory_order_acquire), r);
    if (r.kind == ReadResult::Kind::closed) lost();
    return r;
}

/// Output half. A trace that is switched off stays, as the reader may be in the middle of it.
Error Channel::Impl::setTrace(Channel& channel, bool on) noexcept {
    // The trace is opened when it is first asked for, and stays until close(): the reader may be inside it.
    if (tracing == nullptr) return {Errc::usage, 0};
    if (on && trace == nullptr) trace = tracing->open(info, channel.fd());
    MessageTrace* const wanted = on ? trace.get() : nullptr;
    channel.trace_.store(wanted, std::memory_order_release);
    channel.output_.traceWith(wanted);
    return on && wanted == nullptr ? Error{Errc::system, 0} : Error{};
}

// excused: the process was stopped or the loop stood still, so the peer's silence says nothing.
bool Channel::pingExpired(TimePoint now, bool excused) noexcept {
    if (excused) input_.excuseSilence(now);
    return state() == ChannelState::active &&
           input_.silentFor(std::chrono::seconds(impl_->info.pingTimeoutSeconds), now);
}

void Channel::limitInput(std::size_t bytes) noexcept {
    FrameLimits limits = impl_->limits;
    if (bytes != 0) {
        // limits may only become narrower here; limitInput(0) gives back those that were agreed.
        limits.maxMessageBytes = std::min(limits.maxMessageBytes, bytes);
        limits.maxPartialBytes = std::min(limits.maxPartialBytes, bytes);
    }
    input_.limit(limits, bytes);
}

bool Channel::inputStalled(TimePoint now, TimePoint::duration limit) noexcept {
    return state() == ChannelState::active && input_.stalled(now, limit);
}

// In the handshake, views of the buffer may be in use.
void Channel::trimInput() noexcept {
    if (state() != ChannelState::initializing) input_.trim();  // before, the handshake's views may be in use
}

void Channel::settled() noexcept {
    impl_->place.advance(Admission::Stage::settled);
}

// --- output ----------------------------------------------------------------------------------------------------------

bool Channel::wantsWrite() const noexcept {
    return output_.wantsWrite() && state() != ChannelState::closed;
}

bool Channel::pingIfIdle(TimePoint now, bool asks) noexcept {
    if (state() != ChannelState::active) return false;
    if (asks) return output_.ask(now);
    output_.ping(now);
    return output_.asks();
}

OutputQueue::Spare Channel::trimOutput() noexcept {
    return output_.trim();
}

Error Channel::writeSequenced(Bytes message, std::uint32_t sequence, bool retransmission) noexcept {
    return output_.writeSequenced(message, sequence, retransmission);
}

Error Channel::setOption(int ioctlCode, std::uint32_t value) noexcept {
    // Options of a connection that is not active have nowhere to go.
    if (state() != ChannelState::active) return {Errc::usage, 0};
    ChannelInfo& info = impl_->info;
    switch (ioctlCode) {
    case ioctl_code::maxOutputBuffers:
        // The maximum never falls below what is guaranteed.
        info.maxOutputBuffers = std::max(value, info.guaranteedOutputBuffers);
        output_.setBound(impl_->outputBound());
        return {};
    case ioctl_code::guaranteedOutputBuffers:
        if (value == 0) return {Errc::outOfRange, 0};
        info.guaranteedOutputBuffers = value;
        info.maxOutputBuffers = std::max(value, info.maxOutputBuffers);
        output_.setBound(impl_->outputBound());
        return {};
    case ioctl_code::highWaterMark:
        output_.setHighWater(value);
        return {};
    case ioctl_code::systemReadBuffer:
    case ioctl_code::systemWriteBuffer:
        if (value == 0) return {Errc::outOfRange, 0};
        applyBufferSizes(fd(), ioctlCode == ioctl_code::systemWriteBuffer ? value : 0,
                         ioctlCode == ioctl_code::systemReadBuffer ? value : 0);
        info.sysSendBufSize = socketBufferSize(fd(), SO_SNDBUF);
        info.sysRecvBufSize = socketBufferSize(fd(), SO_RCVBUF);
        return {};
    // A threshold below the smallest would compress messages that cannot become shorter.
    case ioctl_code::compressionThreshold:  // ignored without compression, otherwise only to be raised
        if (info.compression == Compression::none) return {};
        if (value < smallestThreshold(info.compression)) return {Errc::outOfRange, 0};
        info.compressionThreshold = value;
        if (impl_->compressor != nullptr) impl_->compressor->setThreshold(value);
        return {};
    case ioctl_code::peakReset:
        output_.resetPeak();
        return {};
    case ioctl_code::trace:
        return impl_->setTrace(*this, value != 0);
    case ioctl_code::burst:
        output_.expectBurst();
        return {};
    case ioctl_code::directWrite:
        output_.setDirect(value != 0);
        return {};
    default:
        return {Errc::usage, 0};
    }
}

// --- facts -----------------------------------------------------------------------------------------------------------

int Channel::fd() const noexcept {
    return impl_->stream->fd();
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

ChannelCounters Channel::counters() const noexcept {
    ChannelCounters c;
    // Before that, the handshake may still exchange the stream.
    const bool started = state() != ChannelState::initializing;  // from then on source and compressor stay
    output_.count(c);
    input_.count(c, started);
    if (started && impl_->compressor != nullptr)
        // The queue counts what it gave to the compressor; the difference makes it what the kernel got.
        c.bytesWritten += impl_->compressor->bytesOut() - impl_->compressor->bytesIn();
    return c;
}

MulticastCounters Channel::multicastCounters() const noexcept {
    return state() != ChannelState::initializing ? impl_->stream->multicastCounters() : MulticastCounters{};
}

const DatagramInfo* Channel::datagramInfo() const noexcept {
    return impl_->stream->datagramInfo();
}

namespace {

[[nodiscard]] std::optional<tcp_info> tcpInfo(const Channel& channel) noexcept {
    tcp_info info{};
    socklen_t size = sizeof info;
    const int fd = channel.fd();
    if (fd < 0 || ::getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return {};
    return info;
}

}  // namespace

// SIOCOUTQ counts what the peer's system has not acknowledged, the queue what has not reached the kernel.
std::optional<PeerSigns> peerSigns(const Channel& channel) noexcept {
    const std::optional<tcp_info> info = tcpInfo(channel);
    int queued = 0;
    if (channel.state() == ChannelState::closed || !info || ::ioctl(channel.fd(), SIOCOUTQ, &queued) != 0) return {};
    return PeerSigns{static_cast<std::size_t>(std::max(queued, 0)) + channel.queuedBytes(),
                     std::chrono::milliseconds(info->tcpi_last_data_recv)};
}

std::uint64_t tcpRetransmits(const Channel& channel) noexcept {
    const std::optional<tcp_info> info = tcpInfo(channel);
    return info ? info->tcpi_total_retrans : 0;
}

}  // namespace emissary::eta::transport
