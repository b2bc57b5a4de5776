// The event loop of one session object (a consumer or provider instance): epoll, timers, links, a worker thread.
#pragma once

#include "eta/codec/Msg.h"
#include "eta/codec/plain_update.h"
#include "eta/json/text_limits.h"
#include "eta/transport/Channel.h"
#include "reactor/Farewell.h"
#include "reactor/SessionLock.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace emissary::reactor {

using eta::Bytes;
using eta::Clock;
using eta::Duration;
using eta::Errc;
using eta::Error;
using eta::Level;
using eta::Peak;
using eta::TimePoint;
using eta::Total;

/// Where time comes from; tests inject one that stands still.
class TimeSource {
public:
    virtual ~TimeSource() = default;
    /// Monotonic time, for timers and timeouts.
    [[nodiscard]] virtual TimePoint now() const noexcept { return Clock::now(); }
    /// The time of day, for what happens at times of a schedule.
    [[nodiscard]] virtual std::time_t timeOfDay() const noexcept { return eta::WallClock::seconds(); }
};

/// Names a running timer; no timer has the number 0.
using TimerId = std::uint64_t;

/// Something the loop watches besides links (a listening socket). Called with the session lock held.
class EventSource {
public:
    virtual ~EventSource() = default;
    /// The descriptor is ready as `epollEvents` say.
    virtual void onReady(std::uint32_t epollEvents) noexcept = 0;
};

class LinkLayer;

/// What a reactor is made from.
struct ReactorOptions {
    std::string name = "reactor";  ///< threads are named after it
    std::string instance;          ///< label of its counts; empty = the name
    std::string workerCpu;         ///< CPU binding of the worker thread (threads.h); empty = unbound
    /// True: the worker is one of a few that the reactors of the process share, unless workerCpu binds it. The first
    /// reactors have one each; a later one joins the worker with the fewest reactors. False: this reactor's alone.
    bool shareWorker = false;
    const TimeSource* clock = nullptr;  ///< null = steady clock
    /// Time that dispatch() polls before it sleeps: takes a processor meanwhile, and saves the time of waking up. Zero:
    /// sleeps at once; negative: never sleeps.
    std::chrono::microseconds busyPoll{0};
    /// How long the worker lets a burst grow before it flushes the rest; up to 400 us when earlier bursts took longer
    /// or messages come all the time.
    std::chrono::microseconds flushDelay{50};
    /// Memory that was not needed for this long goes back: output and input buffers, tables, the heap. Zero: never.
    std::chrono::milliseconds trimPeriod{5000};
    /// Makes the layer that converts for links that carry JSON (JsonLayer.h), once, when the first such link comes up.
    /// Empty: such a link goes down, with the reason.
    std::function<std::unique_ptr<LinkLayer>()> jsonLayer;
};

class Link;

}  // namespace emissary::reactor

namespace emissary::eta::dictionary {
class Dictionary;
}

namespace emissary::reactor {

namespace rdm {
class Directory;
}
namespace metrics {
class Snapshot;
}

/// Dictionary and directory for converting messages of a JSON connection; borrowed for one message.
struct JsonSources {
    const eta::dictionary::Dictionary* dictionary = nullptr;  ///< null: no messages with field lists
    const rdm::Directory* directory = nullptr;                ///< null: services are numbers only
    bool carriesServiceNames = false;                         ///< eta::json::Options::carriesServiceNames
    /// Names that peers may use, in order; others are unknown to them. Null: all.
    const std::vector<std::string>* services = nullptr;
    eta::json::TextLimits limits{};  ///< of what the peer sends
    /// Arrays are read message by message, and not further while the link is held; else only long ones are.
    bool stepwise = false;
};

/// Why a JSON connection ends for a text of the peer.
struct JsonEnd {
    std::uint16_t closeCode = 0;
    bool beyondLimit = false;  ///< the text is beyond JsonSources::limits
};

/// The effect that a JSON message that cannot be converted has on the data that a handler waits for (json.md 10).
enum class RefusedData : std::uint8_t {
    nothing,  ///< the handler waits for no data of the peer
    suspect,  ///< the stream goes on and its data are Suspect
    ended,    ///< the same; a stream that was asked for ends when it is the image
};

/// Events of a link, for its role. All calls on the dispatching thread, with the session lock held.
class LinkHandler {
public:
    virtual ~LinkHandler() = default;
    virtual void onLinkUp(Link& link) = 0;  ///< transport handshake complete
    /// One whole message; the bytes live until the call returns. The handler may close or destroy the link.
    virtual void onLinkMessage(Link& link, Bytes message) = 0;
    /// True: onLinkAhead() is called. Asked before messages are read.
    [[nodiscard]] virtual bool looksAhead() const noexcept { return false; }
    /// Announces a buffered message a few places ahead, so that the handler can prefetch what it will need. The bytes
    /// are unchecked, and the same message may be announced twice. Not called for links that carry JSON. Return false
    /// to stop announcements for this read.
    [[nodiscard]] virtual bool onLinkAhead(Bytes /*message*/) noexcept { return false; }
    /// The connection attempt failed or the connection was lost; the link is closed and may be destroyed (here or
    /// later). Not called after Link::close().
    virtual void onLinkDown(Link& link, const std::string& reason, bool refused) = 0;
    /// Something worth telling happened on the connection, which goes on. A sentence.
    virtual void onLinkWarning(Link& /*link*/, const std::string& /*text*/) {}
    /// A text of the peer that cannot be converted, or one of ours that the peer refused (json.md 10). A sentence.
    /// Where that is configured the link goes down next. The handler may close or destroy the link.
    /// When there are many, only some are reported: the text says how many were left out.
    virtual void onJsonFailure(Link& link, const std::string& text) { onLinkWarning(link, text); }
    /// Called for each such text, also for those that onJsonFailure leaves out. False: the connection goes down.
    [[nodiscard]] virtual bool toleratesJsonFailure(Link& /*link*/) { return true; }
    /// The connection ends for such a text. The handler may say more to the peer and close the
    /// link; otherwise it goes down next.
    virtual void onJsonEnd(Link& /*link*/, const std::string& /*text*/, const JsonEnd& /*end*/) {}
    /// Asked for each message of a stream that was refused. But for `nothing`, the handler gets a status of the stream
    /// in its place, as if the peer had sent it, so that nobody waits for what has come and gone.
    [[nodiscard]] virtual RefusedData refusedData(std::int32_t /*streamId*/) const noexcept {
        return RefusedData::nothing;
    }
    /// Asked for every message of a JSON connection.
    [[nodiscard]] virtual JsonSources jsonSources() const noexcept { return {}; }
};

/// The loop. One thread at a time dispatches (the API thread, or the user's thread); see dispatch().
class Reactor {
public:
    /// Throws std::system_error when descriptors or threads are exhausted.
    explicit Reactor(ReactorOptions options);
    /// Waits until the worker has let go of everything of this reactor, and for its end when no other reactor has it.
    /// Links must be destroyed before.
    ~Reactor();
    Reactor(const Reactor&) = delete;
    Reactor& operator=(const Reactor&) = delete;

    /// The lock of the session; lives as long as the reactor.
    [[nodiscard]] SessionLock& lock() noexcept;

    /// Flushes what callers queued, then handles what is ready (messages, timers, commands); waits up to `timeout`
    /// (negative = for ever) when there is nothing. Returns how many events were handled; at most about `maxEvents`
    /// messages are read in one go. Wakes early on wake(). The lock is taken inside and not held while waiting.
    int dispatch(std::chrono::microseconds timeout, int maxEvents);
    /// Ends a running wait of dispatch(); any thread, async-signal-safe.
    void wake() noexcept;
    /// True inside dispatch() of this thread.
    [[nodiscard]] bool onDispatchThread() const noexcept;
    /// Connections that have ended here (Link::part) and whose peers have not read the end yet. Session lock held.
    [[nodiscard]] std::size_t parting() const noexcept;
    [[nodiscard]] TimePoint now() const noexcept;  ///< read once per turn
    /// Read anew, from the same source: for measuring inside a turn.
    [[nodiscard]] TimePoint readClock() const noexcept;
    /// From the time source.
    [[nodiscard]] std::time_t timeOfDay() const noexcept;

    // --- with the session lock held ---------------------------------------------------------------------------------
    /// Calls back once after `delay`, on the dispatching thread; throws std::bad_alloc.
    TimerId startTimer(Duration delay, std::function<void()> callback);
    void cancelTimer(TimerId id) noexcept;  ///< unknown or expired ids are ignored
    /// Runs soon on the dispatching thread (in order); counts as an event. Throws std::bad_alloc when memory is short
    /// or 262,144 calls are waiting already.
    void post(std::function<void()> callback);
    /// Calls the source when the descriptor is ready; both must stay until unwatch().
    void watch(int fd, std::uint32_t epollEvents, EventSource& source);
    /// No call for this descriptor follows.
    void unwatch(int fd) noexcept;

    /// From now on messages that the calling thread sends gather, under a higher high-water mark, until it calls
    /// endBurst(): nothing leaves at once, and the worker does not flush. False, and nothing changes: another thread's
    /// burst goes on.
    [[nodiscard]] bool beginBurst() noexcept;
    /// After a beginBurst() that was true, on the same thread: hands to the kernel what has gathered.
    void endBurst() noexcept;

    /// About this much heap memory was freed; the reactor looks later whether to trim (memory.h).
    void noteFreed(std::size_t bytes) noexcept;
    /// Records and table places that this session's roles have memory for, in use or not; for tests and reports.
    [[nodiscard]] std::size_t places() const noexcept;

    /// Connects in the background (the name look-up has a thread of its own, so that a dead name server holds up
    /// neither the loop nor the destructor); answers through the handler.
    [[nodiscard]] std::unique_ptr<Link> connect(const eta::transport::ConnectOptions& options, LinkHandler& handler);
    /// Takes over an accepted channel.
    [[nodiscard]] std::unique_ptr<Link> adopt(std::unique_ptr<eta::transport::Channel> channel, LinkHandler& handler);
    /// Goes on with a connection that a link of another reactor gave away (Link::release()), where that one stopped:
    /// active at once, without a call of onLinkUp(). Throws std::bad_alloc, and std::invalid_argument for a connection
    /// that carries JSON where ReactorOptions::jsonLayer is empty.
    [[nodiscard]] std::unique_ptr<Link> resume(std::shared_ptr<eta::transport::Channel> channel, LinkHandler& handler);

    // --- counts ------------------------------------------------------------------------------------------------------
    /// All counts of this reactor, its connections and the roles on it. Any thread, with or without the session lock,
    /// which the call takes for about 5 microseconds and one more for every ten connections.
    [[nodiscard]] metrics::Snapshot metrics();
    /// Adds the counts of this reactor, its worker and its connections, without those of its roles, with the label
    /// `thread` unless that is empty: for an instance of several reactors. Session lock held.
    void collect(metrics::Snapshot& into, const std::string& thread) const;
    /// Serves the counts at http://address:port/metrics from now on (metrics.json, metrics.txt and healthz beside it),
    /// on a thread of its own. Call once, without the session lock. Returns the port, also when 0 (any) was
    /// asked for. Throws std::system_error when the port cannot be used.
    std::uint16_t serveMetrics(const std::string& address, std::uint16_t port);

    struct Impl;

private:
    friend class Link;
    friend class MemoryOwner;
    friend class MetricSource;
    friend class TurnEnd;
    [[nodiscard]] std::unique_ptr<Link> accepted(LinkHandler& handler);
    std::unique_ptr<Impl> impl_;
};

/// One connection inside the loop: drives the handshake, reads, pings, expires, flushes.
///
/// Flush policy (docs/architecture.md, "An update, provider side"): a message submitted on the dispatching thread
/// leaves at the end of the dispatch turn or at the high-water mark; one of a burst (Reactor::beginBurst()) at its end
/// or at the mark, which stands higher then. Otherwise, outside a turn, the first message after a pause
/// leaves at once; those that follow soon gather until the high-water mark, until the thread that submitted them
/// dispatches or until the worker's flush (ReactorOptions::flushDelay). DirectWrite flushes every message.
class Link {
public:
    ~Link();  ///< closes; session lock held. Safe inside any callback.
    Link(const Link&) = delete;
    Link& operator=(const Link&) = delete;

    /// Encodes header and payload straight into the output arena (or fragments a large message); session lock held.
    Error send(const eta::codec::Msg& msg) noexcept;
    /// The same for an update that isPlainUpdate(), to a stream that need not stand in it.
    Error sendUpdate(const eta::codec::Msg& msg, eta::codec::StreamAddress to) noexcept;
    /// Queues ready-made bytes.
    Error send(Bytes message) noexcept;
    /// Queues a ready packed body ({u16 length, message}...) as one frame.
    Error sendPacked(Bytes body, std::uint32_t messages) noexcept;
    /// Hands queued output to the kernel now; session lock held.
    void flush() noexcept;
    /// Bytes that were sent and wait for the kernel, from the channel's counters: cheap. 0 without a connection.
    [[nodiscard]] std::size_t queuedBytes() const noexcept;
    class Batch;  ///< ready-made messages, one after the other
    /// For messages whose sender gets no result: the handler gets a warning later that `what` was not sent, and why.
    /// Not while buffers are short or the link is down: other calls report these.
    void tellUnsent(std::string what, Error why);
    /// Messages and events go to another handler from now on; it must outlive the link.
    void setHandler(LinkHandler& handler) noexcept;
    void close() noexcept;  ///< flushes what the kernel takes, then closes; no onLinkDown
    /// Drops the output of which nothing has left yet, whole messages only, so that what is sent next is read first.
    void dropUnsent() noexcept;
    /// Closes this link, as close() does, but the connection stays until the peer has read what was sent and then the
    /// end with its reason, and has closed; at most for the time that the farewell says. The reactor keeps up to 1,024
    /// such connections, and closes the oldest for one more. One that cannot end so (shared memory) closes at once.
    void part(const Farewell& farewell) noexcept;
    /// hold(true) stops reading until hold(false), so that the peer's messages wait on its side; its silence does not
    /// count then. Output goes on, and an end that a write shows is reported. Does nothing unless active(). hold(false)
    /// may throw std::bad_alloc; the link is still held then. Session lock held.
    void hold(bool held);
    /// Gives the connection away as it stands, for Reactor::resume() of another reactor, also on another thread. This
    /// link is closed then, without onLinkDown. Null unless active(). Session lock held; not inside a call of its
    /// handler, where more messages of the same text may wait, nor while midText().
    [[nodiscard]] std::shared_ptr<eta::transport::Channel> release() noexcept;
    /// Messages of a long JSON text are left for the next turns. Session lock held.
    [[nodiscard]] bool midText() const noexcept;
    /// True between onLinkUp() and the end of the connection.
    [[nodiscard]] bool active() const noexcept;
    /// Of the connection; complete once active.
    [[nodiscard]] const eta::transport::ChannelInfo& info() const noexcept;
    [[nodiscard]] eta::transport::Channel* channel() noexcept;  ///< null before the connect started
    /// The same for other threads: they may make the calls that Channel allows to any thread, or to the holder of its
    /// output lock. Closed with the link. Null before the connect started.
    [[nodiscard]] std::shared_ptr<eta::transport::Channel> sharedChannel() const noexcept;

    struct Impl;

private:
    friend class Reactor;
    friend class LinkBelow;
    friend class Partings;
    explicit Link(std::unique_ptr<Impl> impl) noexcept;
    std::unique_ptr<Impl> impl_;
};

/// Several ready-made messages for one link, written while its channel's output lock is held: each costs a bound check,
/// a copy and four bytes of stream id, and no lock operation. They leave as those of a burst do (Link), at the end of
/// the turn or at its higher mark.
///
/// Session lock held throughout, one Batch of a link at a time. The link may meanwhile be used, closed and destroyed as
/// always: a Batch of a link that is closed answers Errc::closed.
class Link::Batch {
public:
    /// Takes the output lock; of a link that is not active, nothing.
    explicit Batch(Link& link) noexcept;
    ~Batch() { end(); }
    Batch(const Batch&) = delete;
    Batch& operator=(const Batch&) = delete;

    /// Copies an encoded message of any size (as Link::send does) and puts the stream id in place of its own. A link
    /// that carries JSON gets it converted. Errc::usage: shorter than the fixed part of a header; noBuffers, closed: as
    /// for Link::send, and nothing was queued.
    Error send(Bytes message, std::int32_t streamId) noexcept {
        if (channel_ == nullptr || layered_ || message.size() < kFixedHeader) [[unlikely]]
            return sendSlowly(message, streamId);
        const std::span<std::byte> room = channel_->reserve(message.size());
        if (room.data() == nullptr) [[unlikely]]
            return sendSlowly(message, streamId);
        std::memcpy(room.data(), message.data(), message.size());
        eta::storeBe(room.data() + kStreamId, static_cast<std::uint32_t>(streamId));
        return commit(message.size());
    }
    /// Room for one message as it stands on the wire: RWF, or JSON text where the link carries that. Empty when it is
    /// larger than a frame, no room is left, or the link is not active.
    [[nodiscard]] std::span<std::byte> reserve(std::size_t bytes) noexcept {
        return channel_ != nullptr ? channel_->reserve(bytes) : std::span<std::byte>{};
    }
    /// Queues the first `bytes` of the room as one message.
    Error commit(std::size_t bytes) noexcept {
        if (channel_ == nullptr) [[unlikely]]
            return {Errc::closed, 0};
        const Error e = channel_->commit(bytes);
        if (e.ok()) [[likely]]
            ++committed_;
        else failed_ = failed_ || e.code == Errc::closed;
        return e;
    }
    /// A message of any size as it stands on the wire.
    Error write(Bytes message) noexcept;
    /// Bytes that wait for the kernel.
    [[nodiscard]] std::size_t queuedBytes() const noexcept {
        return channel_ != nullptr ? channel_->queuedBytes() : std::size_t{0};
    }
    /// Gives the lock back; the destructor does the same.
    void end() noexcept;

private:
    friend class Link;
    static constexpr std::size_t kFixedHeader = 8, kStreamId = 4;  // bytes of every message (rwf.md 4.1)
    Error sendSlowly(Bytes message, std::int32_t streamId) noexcept;

    Impl* link_ = nullptr;  // null: not active, closed meanwhile, or ended
    eta::transport::Channel* channel_ = nullptr;
    bool layered_ = false, failed_ = false;
    std::uint32_t committed_ = 0;
};

}  // namespace emissary::reactor
