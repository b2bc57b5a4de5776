// Sends the role's own messages in order, keeping those that do not fit for a moment.
#pragma once

#include "reactor/GrowingBuffer.h"
#include "reactor/Reactor.h"
#include "reactor/memory.h"
#include "reactor/session/session_types.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

namespace emissary::reactor::session {

/// A watchlist must not lose a request because the output buffers are full at the moment. A message that does not fit
/// waits here and is tried again every millisecond.
///
/// When kMostBytes wait (far more than a peer that reads leaves behind), a message is dropped and counted. Both ends
/// disagree from then on, so the connection is given up: `onFull` is called with the reason from the loop, and recovery
/// makes the requests again, paced by congested(). Every call with the session lock held.
class Sender {
public:
    static constexpr std::size_t kMostBytes = 512u << 20;

    using OnFull = std::function<void(const std::string& reason)>;
    explicit Sender(Reactor& reactor, OnFull onFull = {}, std::size_t mostBytes = kMostBytes)
        : reactor_(reactor), onFull_(std::move(onFull)), mostBytes_(mostBytes) {}
    ~Sender() { attach(nullptr); }
    Sender(const Sender&) = delete;
    Sender& operator=(const Sender&) = delete;

    /// The link to send on; null while there is none. Forgets what waits.
    void attach(Link* link) noexcept;
    [[nodiscard]] Link* link() const noexcept { return link_; }

    /// True while output is behind: a caller with much to send should wait a moment.
    [[nodiscard]] bool congested() const noexcept { return !backlog_.empty(); }
    /// Nothing waits: what is sent on the link itself keeps its place.
    [[nodiscard]] bool idle() const noexcept { return backlog_.empty(); }

    /// Goes out now or a little later; a message is lost only together with the link.
    void send(const eta::codec::Msg& msg);
    /// For answers that the peer can cause as often as it likes: they are dropped and counted when it leaves too much
    /// unread.
    void answer(const eta::codec::Msg& msg);
    /// For messages of the application: refused rather than kept.
    [[nodiscard]] Error trySend(const eta::codec::Msg& msg) noexcept {
        if (link_ == nullptr) return {Errc::closed, 0};
        if (!backlog_.empty()) return {Errc::noBuffers, 0};
        return link_->send(msg);
    }
    /// The error that trySend() gave, for the caller of the role.
    [[nodiscard]] Refusal refuse(Error e) const;

    void trim() noexcept {
        trimDeque(backlog_);
        trimBuffer(encoded_);
    }

    struct Counters {
        std::uint64_t kept = 0;            ///< messages that did not fit at once
        std::uint64_t answersDropped = 0;  ///< answers to a peer that does not read them
        std::uint64_t dropped = 0;         ///< messages that found the backlog full; the connection went with them
        std::size_t peakBytes = 0;         ///< most that ever waited
    };
    [[nodiscard]] const Counters& counters() const noexcept { return counters_; }
    [[nodiscard]] std::size_t waitingBytes() const noexcept { return waiting_; }

private:
    static constexpr std::size_t kMostForAnswers = 4u << 20;
    [[nodiscard]] static constexpr std::size_t cost(std::size_t bytes) noexcept {
        return bytes + sizeof(std::vector<std::byte>) + 2 * sizeof(void*);
    }
    void lost(std::int32_t streamId, Error why);
    void retryLater();
    void retry();

    Reactor& reactor_;
    const OnFull onFull_;
    const std::size_t mostBytes_;
    Link* link_ = nullptr;
    std::deque<std::vector<std::byte>> backlog_;
    std::size_t waiting_ = 0;  // what the backlog costs
    bool full_ = false;        // a message was dropped: this link is not used any more
    Counters counters_;
    GrowingBuffer encoded_;
    TimerId timer_ = 0;
};

}  // namespace emissary::reactor::session
