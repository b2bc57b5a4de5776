// The life of one connection inside the loop: handshake, sending, pings, its end. Reading is in LinkInput.cpp.
#include "loop/ReactorImpl.h"
#include "loop/heap.h"

#include <cassert>
#include <stdexcept>

#include <sys/epoll.h>

namespace emissary::reactor {

using eta::transport::Channel;
using eta::transport::InitStatus;

namespace {
constexpr std::size_t kKeptScratch = 1u << 20;
constexpr const char* kNoLayer = "the peer speaks JSON, which this session was not made to convert";

/// The channel's output lock, unless a Batch of the link holds it for this thread already.
class OutputGuard {
public:
    explicit OutputGuard(const Link::Impl& link) noexcept
        : lock_(link.batch == nullptr ? &link.channel->outputLock() : nullptr) {
        if (lock_ != nullptr) lock_->lock();
    }
    ~OutputGuard() {
        if (lock_ != nullptr) lock_->unlock();
    }
    OutputGuard(const OutputGuard&) = delete;
    OutputGuard& operator=(const OutputGuard&) = delete;

private:
    eta::FutexLock* lock_;
};
}  // namespace

void Link::Impl::start(std::unique_ptr<Channel> c) {
    output = std::make_shared<Output>(std::move(c), reactor->outputs);
    channel = output->channel.get();
    phase = Phase::initializing;
    watchFor(EPOLLIN | (channel->wantsWrite() ? EPOLLOUT : 0u));
    reactor->links.lookBy(channel->initDeadline());
    reactor->noticeBy(channel->initDeadline());
}

void Link::Impl::watchFor(std::uint32_t events) {
    const int fd = channel->fd();
    if (fd == watchedFd && events == watchedEvents) return;
    // A descriptor that was closed left the set by itself; its number may be in use again.
    if (fd != watchedFd || !reactor->poller.change(fd, events, id)) reactor->poller.add(fd, events, id);
    watchedFd = fd;
    watchedEvents = events;
}

void Link::Impl::initialize() {
    switch (channel->init(reactor->turnTime)) {
    case InitStatus::descriptorChanged:
        watchedFd = -1;
        [[fallthrough]];
    case InitStatus::inProgress:
        watchFor(EPOLLIN | (channel->wantsWrite() ? EPOLLOUT : 0u));
        reactor->links.lookBy(channel->initDeadline());
        break;
    case InitStatus::active: {
        if (channel->info().protocolType == eta::transport::kProtocolJson && !layJson()) return down(kNoLayer, false);
        lookAfter();  // messages may have come behind the handshake
        handler->onLinkUp(*self);
        break;
    }
    case InitStatus::failed:
        down(channel->errorText(), channel->refused());
        break;
    }
}

/// The connection is up: it is read, its output flushed, its pings kept.
void Link::Impl::lookAfter() {
    phase = Phase::active;
    inPlaceMost = channel->maxFragmentSize();
    watchFor(EPOLLIN);
    reactor->worker->add(output);
    const Duration quarter = std::chrono::milliseconds(channel->info().pingTimeoutSeconds * 250);
    reactor->links.lookBy(reactor->turnTime + quarter);
    reactor->noticeBy(reactor->turnTime + quarter);
    reactor->links.markReady(*this);
}

void Link::Impl::hold(bool wanted) {
    if (phase != Phase::active || held == wanted) return;
    if (!wanted) {
        reactor->links.markReady(*this);  // some may have been received already
        reactor->kick();
    }
    held = wanted;
    watchFor(held ? 0U : EPOLLIN);
}

void Link::Impl::resume(std::shared_ptr<Channel> c) {
    if (c->info().protocolType == eta::transport::kProtocolJson && !layJson()) throw std::invalid_argument(kNoLayer);
    output = std::make_shared<Output>(std::move(c), reactor->outputs);
    channel = output->channel.get();
    totals->begins(*channel);
    lookAfter();
    reactor->kick();
}

/// The worker may be about to flush: it finds the output closed, as it does when the channel is.
std::shared_ptr<Channel> Link::Impl::release() noexcept {
    if (phase != Phase::active) return nullptr;
    phase = Phase::closed;
    if (batch != nullptr) batch->end();
    {
        const std::lock_guard guard(channel->outputLock());
        channel->flush();
        output->closed = true;
        totals->ended(*channel);
        reactor->poller.remove(channel->fd());
    }
    reactor->worker->remove(output);
    return output->channel;
}

/// The messages of this link are JSON. False when there is no layer that converts them.
bool Link::Impl::layJson() {
    std::unique_ptr<LinkLayer>& shared = reactor->jsonLayer;
    if (!shared && reactor->options.jsonLayer) shared = reactor->options.jsonLayer();
    layer = shared.get();
    return layer != nullptr;
}

/// Releases the channel; the phase becomes closed.
void Link::Impl::shut() noexcept {
    if (phase == Phase::closed) return;
    const bool known = phase == Phase::active;
    phase = Phase::closed;
    if (!output) return;
    if (batch != nullptr) batch->end();
    {
        const std::lock_guard guard(channel->outputLock());
        if (known) channel->flush();
        output->closed = true;
        totals->ended(*channel);
        if (channel->fd() >= 0) reactor->poller.remove(channel->fd());
        channel->close();
    }
    if (known) reactor->worker->remove(output);
    noteHeapFreed(kHeapBytes);
    reactor->memory.later();
}

void Link::Impl::down(const std::string& reason, bool refused) {
    const std::string text = reason;  // usually the channel's own
    shut();
    handler->onLinkDown(*self, text, refused);
}

/// After a commit, output lock held. Sets `arm` when the worker must be woken. Always inlined: a call would cost a
/// submit a twentieth.
[[gnu::always_inline]] inline void Link::Impl::afterCommit(bool& arm, std::uint32_t messages) noexcept {
    if (reactor->burstHere()) {
        if (gathers || channel->queuedBytes() == 0) return;
        reactor->links.markGathering(*this);
        static_cast<void>(channel->setOption(eta::transport::ioctl_code::burst, 1));
        return;
    }
    if (reactor->dispatchingHere()) {
        if (!dirty && channel->queuedBytes() != 0) reactor->links.markDirty(*this);
        return;
    }
    arm = output->submitted(messages, directWrite);
    if (arm) reactor->links.markWaiting(*this);
}

/// Nothing can be sent any more. What had been received is still delivered, so the link stays up until the dispatching
/// thread has read to the end of the connection; see LinkTable::drainFailed().
void Link::Impl::writeFailed() noexcept {
    if (output->failed.exchange(true, std::memory_order_acq_rel)) return;
    reactor->links.noteFailure();
    reactor->kick();
}

/// No room for a message, output lock held: because the peer reads too slowly, or because nothing leaves any more?
Error Link::Impl::noRoom() noexcept {
    if (!channel->outputEnded()) return {Errc::noBuffers, 0};
    writeFailed();
    return {Errc::closed, 0};
}

/// Queues ready-made bytes of an active link.
Error Link::Impl::write(Bytes message) noexcept {
    bool arm = false;
    Error e;
    {
        const OutputGuard guard(*this);
        e = channel->write(message);
        if (e.ok()) afterCommit(arm);
    }
    return written(e, arm);
}

/// What is left to do for a message without the output lock.
Error Link::Impl::written(Error e, bool arm) noexcept {
    if (arm) reactor->worker->arm(output);
    if (e.code == Errc::closed) [[unlikely]]
        writeFailed();
    return e;
}

/// A message of an active link that fits into a fragment, written where it leaves from: `encode` is given room for
/// `bound` bytes and a size to set.
template <class Encode>
Error Link::Impl::encodeInPlace(std::size_t bound, Encode encode) noexcept {
    bool arm = false;
    Error e;
    {
        const OutputGuard guard(*this);
        const std::span<std::byte> room = channel->reserve(bound);
        if (room.empty()) [[unlikely]]
            return noRoom();
        std::size_t size = 0;
        e = encode(room, size);
        if (!e.ok()) [[unlikely]] {
            [[maybe_unused]] const Error dropped = channel->commit(0);
            return e;
        }
        e = channel->commit(size);
        if (e.ok()) afterCommit(arm);
    }
    if (!arm && e.ok()) [[likely]]
        return e;
    return written(e, arm);
}

/// Room in the reactor's scratch buffer.
bool Link::Impl::scratch(std::size_t bytes) noexcept try {
    std::vector<std::byte>& room = reactor->scratch;
    if (room.size() < bytes) room.resize(bytes);
    return true;
} catch (const std::bad_alloc&) { return false; }

/// A message that has to be changed before it is fragmented or converted; output lock held by a Batch.
Error Link::Impl::writeCopy(Bytes message, std::int32_t streamId) noexcept {
    if (!scratch(message.size())) return {Errc::noBuffers, 0};
    const std::span<std::byte> copy(reactor->scratch.data(), message.size());
    std::memcpy(copy.data(), message.data(), message.size());
    eta::storeBe(copy.data() + 4, static_cast<std::uint32_t>(streamId));
    const Error e = layer != nullptr ? layer->send(LinkBelow(*this), Bytes(copy)) : channel->write(copy);
    if (message.size() > kKeptScratch) std::vector<std::byte>().swap(reactor->scratch);
    return e;
}

void Link::Impl::flushNow() noexcept {
    if (phase != Phase::active) return;
    bool arm = false;
    {
        const OutputGuard guard(*this);
        if (channel->queuedBytes() == 0 || channel->flush() || output->armed) return;
        output->armed = arm = true;  // the worker waits for writability, or finds the channel broken
        output->departure.helpAt(reactor->realTurnTime());  // now
    }
    if (arm) reactor->worker->arm(output);
}

// --- Link ------------------------------------------------------------------------------------------------------------

Link::Link(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}

Link::~Link() {
    impl_->shut();
    impl_->reactor->links.erase(impl_->id);
    if (impl_->input.gone != nullptr) *impl_->input.gone = true;
}

Error Link::send(const eta::codec::Msg& msg) noexcept {
    Impl& l = *impl_;
    if (l.phase != Impl::Phase::active) return {Errc::closed, 0};
    if (l.layer != nullptr) [[unlikely]]
        return l.layer->send(LinkBelow(l), msg);
    const std::size_t bound = eta::codec::maxEncodedSize(msg);
    if (bound <= l.inPlaceMost) [[likely]]
        return l.encodeInPlace(bound, [&msg](std::span<std::byte> room, std::size_t& size) noexcept {
            eta::BeWriter out(room);
            const Error e = eta::codec::encodeMsg(out, msg);
            size = out.size();
            return e;
        });
    bool arm = false;
    Error e;
    {
        const OutputGuard guard(l);
        if (!l.scratch(bound)) return {Errc::noBuffers, 0};
        eta::BeWriter out(l.reactor->scratch);
        e = eta::codec::encodeMsg(out, msg);
        if (!e.ok()) return e;
        e = l.channel->write(out.view());
        if (bound > kKeptScratch) std::vector<std::byte>().swap(l.reactor->scratch);
        if (e.ok()) l.afterCommit(arm);
    }
    return l.written(e, arm);
}

Error Link::sendUpdate(const eta::codec::Msg& msg, eta::codec::StreamAddress to) noexcept {
    Impl& l = *impl_;
    const Bytes payload = eta::codec::writtenPayload(msg);
    const std::size_t key = to.key.empty() ? 0 : eta::codec::kKeySize + to.key.size();
    const std::size_t bound = eta::codec::kPlainUpdateHeader + key + payload.size();
    if (l.phase == Impl::Phase::active && l.layer == nullptr) [[likely]] {
        const Error e = l.encodeInPlace(bound, [&](std::span<std::byte> room, std::size_t& size) noexcept {
            size = eta::codec::writePlainUpdate(room.data(), msg, to, payload);
            return Error{};
        });
        if (e.code != Errc::noBuffers || bound <= l.inPlaceMost) return e;
    }
    eta::codec::Msg addressed = msg;
    addressed.streamId = to.streamId;
    addressed.domain = to.domain;
    if (key != 0 && eta::codec::decodeKey(to.key, addressed.key).ok())
        addressed.flags |= eta::codec::UpdateFlag::msgKey;
    return send(addressed);
}

Error Link::send(Bytes message) noexcept {
    Impl& l = *impl_;
    if (l.phase != Impl::Phase::active) return {Errc::closed, 0};
    if (l.layer != nullptr) return l.layer->send(LinkBelow(l), message);
    return l.write(message);
}

Error Link::sendPacked(Bytes body, std::uint32_t messages) noexcept {
    Impl& l = *impl_;
    if (l.phase != Impl::Phase::active) return {Errc::closed, 0};
    if (l.layer != nullptr) return l.layer->sendPacked(LinkBelow(l), body);
    bool arm = false;
    Error e;
    {
        const OutputGuard guard(l);
        const std::span<std::byte> room = l.channel->reserve(body.size());
        if (room.empty()) [[unlikely]]
            return l.noRoom();
        std::copy(body.begin(), body.end(), room.begin());
        e = l.channel->commitPacked(body.size(), messages);
        if (e.ok()) l.afterCommit(arm);
    }
    return l.written(e, arm);
}

void Link::flush() noexcept {
    impl_->flushNow();
}

std::size_t Link::queuedBytes() const noexcept {
    return impl_->channel != nullptr ? impl_->channel->queuedBytes() : 0;
}

void Link::tellUnsent(std::string what, Error why) {
    if (why.ok() || why.code == Errc::noBuffers || why.code == Errc::closed) return;
    Reactor::Impl& r = *impl_->reactor;
    r.post([&r, id = impl_->id, what = std::move(what), why] {
        Impl* const link = r.links.find(id);
        if (link == nullptr || link->phase != Impl::Phase::active) return;
        Impl& l = *link;
        if (l.layer != nullptr) l.layer->unsent(LinkBelow(l), what, why.code);
        else l.handler->onLinkWarning(*l.self, what + " cannot be sent: " + eta::describe(why.code));
    });
}

void Link::setHandler(LinkHandler& handler) noexcept {
    impl_->handler = &handler;
}
void Link::hold(bool held) {
    impl_->hold(held);
}
void Link::close() noexcept {
    impl_->shut();
}
void Link::dropUnsent() noexcept {
    if (impl_->phase != Impl::Phase::active) return;
    const OutputGuard guard(*impl_);
    impl_->channel->dropUnsent();
}
void Link::part(const Farewell& farewell) noexcept {
    if (impl_->phase == Impl::Phase::active) try {
            impl_->reactor->partings.take(*impl_, farewell);
        } catch (const std::bad_alloc&) {}
    impl_->shut();  // where nobody has taken the connection
}
std::shared_ptr<Channel> Link::release() noexcept {
    return impl_->release();
}

bool Link::midText() const noexcept {
    return impl_->input.text.left();
}

bool Link::active() const noexcept {
    return impl_->phase == Impl::Phase::active;
}

const eta::transport::ChannelInfo& Link::info() const noexcept {
    static const eta::transport::ChannelInfo none;
    return impl_->channel != nullptr ? impl_->channel->info() : none;
}

Channel* Link::channel() noexcept {
    return impl_->channel;
}

std::shared_ptr<Channel> Link::sharedChannel() const noexcept {
    return impl_->output != nullptr ? impl_->output->channel : nullptr;
}

// --- Link::Batch -----------------------------------------------------------------------------------------------------

Link::Batch::Batch(Link& link) noexcept {
    Impl& l = *link.impl_;
    assert(l.batch == nullptr);
    if (l.phase != Impl::Phase::active || l.batch != nullptr) return;
    l.channel->outputLock().lock();
    // Its messages are all there: up to 64 KiB leave with one system call, which wakes the peer once.
    static_cast<void>(l.channel->setOption(eta::transport::ioctl_code::burst, 1));
    l.batch = this;
    link_ = &l;
    channel_ = l.channel;
    layered_ = l.layer != nullptr;
}

void Link::Batch::end() noexcept {
    if (link_ == nullptr) return;
    Impl& l = *std::exchange(link_, nullptr);
    l.batch = nullptr;
    bool arm = false;
    if (committed_ != 0) l.afterCommit(arm, committed_);
    if (channel_->queuedBytes() == 0) static_cast<void>(channel_->flush());  // puts the mark back
    std::exchange(channel_, nullptr)->outputLock().unlock();
    if (arm) l.reactor->worker->arm(l.output);
    if (failed_) l.writeFailed();
}

Error Link::Batch::write(Bytes message) noexcept {
    if (channel_ == nullptr) return {Errc::closed, 0};
    const Error e = channel_->write(message);
    if (e.ok()) ++committed_;
    else failed_ = failed_ || e.code == Errc::closed;
    return e;
}

/// Everything but one frame of RWF.
Error Link::Batch::sendSlowly(Bytes message, std::int32_t streamId) noexcept {
    if (message.size() < kFixedHeader) return {Errc::usage, 0};
    if (channel_ == nullptr) return {Errc::closed, 0};
    const Error e =
        layered_ || message.size() > link_->inPlaceMost ? link_->writeCopy(message, streamId) : link_->noRoom();
    if (e.ok()) ++committed_;
    else failed_ = failed_ || e.code == Errc::closed;
    return e;
}

}  // namespace emissary::reactor
