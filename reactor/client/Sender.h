// Sends the role's own messages in order, keeping those that do not fit for a moment.
#pragma once

#include "reactor/GrowingBuffer.h"
#include "reactor/Reactor.h"
#include "reactor/client/client_types.h"
#include "reactor/json_text.h"
#include "reactor/memory.h"

#include <deque>
#include <vector>

namespace emissary::reactor::client {

/// A watchlist must not lose a request because the output buffers are full just now: what does not fit waits here and
/// is tried again every millisecond. Bounded by what the application has registered, and for answers by their size.
/// Session lock held throughout.
class Sender {
public:
    explicit Sender(Reactor& reactor) : reactor_(reactor) {}
    ~Sender() { attach(nullptr); }
    Sender(const Sender&) = delete;
    Sender& operator=(const Sender&) = delete;

    /// The link to send on; null while there is none. Forgets what waits.
    void attach(Link* link) noexcept {
        link_ = link;
        backlog_.clear();
        waiting_ = 0;
        reactor_.cancelTimer(std::exchange(timer_, 0));
    }
    [[nodiscard]] Link* link() const noexcept { return link_; }

    /// Output is behind: whoever has much to send should wait a moment.
    [[nodiscard]] bool congested() const noexcept { return !backlog_.empty(); }

    /// Goes out now or a little later; lost only together with the link.
    void send(const eta::codec::Msg& msg) {
        if (link_ == nullptr) return;
        if (backlog_.empty()) [[likely]] {
            const Error e = link_->send(msg);
            if (e.ok()) [[likely]]
                return;
            if (e.code != Errc::noBuffers) return lost(msg.streamId, e);
        }
        if (const Error e = eta::codec::encodeMsg(encoded_.start(), msg); !e.ok()) return lost(msg.streamId, e);
        const Bytes b = encoded_.view();
        backlog_.emplace_back(b.begin(), b.end());
        waiting_ += cost(b.size());
        if (timer_ == 0) retryLater();
    }

    /// For what the peer causes, as often as it likes: dropped and counted when it leaves too much unread.
    void answer(const eta::codec::Msg& msg) {
        if (waiting_ > kMostForAnswers) return void(++dropped_);
        send(msg);
    }
    [[nodiscard]] std::uint64_t answersDropped() const noexcept { return dropped_; }

    void trim() noexcept {
        trimDeque(backlog_);
        trimBuffer(encoded_);
    }

    /// Nothing waits: what is sent on the link itself keeps its place.
    [[nodiscard]] bool idle() const noexcept { return backlog_.empty(); }

    /// For messages of the application: refused rather than kept.
    [[nodiscard]] Error trySend(const eta::codec::Msg& msg) noexcept {
        if (link_ == nullptr) return {Errc::closed, 0};
        if (!backlog_.empty()) return {Errc::noBuffers, 0};
        return link_->send(msg);
    }

    /// Says why trySend() gave an error.
    void refuse(Error e, Refusal& refusal) const {
        using K = Refusal::Kind;
        if (e.code == Errc::noBuffers) return refusal.set(K::noBuffers, "The output buffers are exhausted.");
        if (e.code == Errc::closed)
            return refusal.set(K::noActiveChannel, "The connection is lost; submit again when it is back.");
        const bool json = link_ != nullptr && link_->info().protocolType == eta::transport::kProtocolJson;
        if (json) return refusal.set(K::conversion, "The message " + cannotBeJson(e.code));
        refusal.set(K::invalidUsage, std::string("Submit failed: ") + describe(e.code) + ".");
    }

private:
    static constexpr std::size_t kMostForAnswers = 4u << 20;
    [[nodiscard]] static constexpr std::size_t cost(std::size_t bytes) noexcept {
        return bytes + sizeof(std::vector<std::byte>) + 2 * sizeof(void*);
    }
    void lost(std::int32_t streamId, Error why) {
        link_->tellUnsent("the message on stream " + std::to_string(streamId), why);
    }
    void retryLater() {
        timer_ = reactor_.startTimer(std::chrono::milliseconds(1), [this] {
            timer_ = 0;
            while (!backlog_.empty() && link_ != nullptr) {
                const Error e = link_->send(Bytes(backlog_.front()));
                if (e.code == Errc::noBuffers) break;
                if (!e.ok()) lost(eta::codec::peekMsg(backlog_.front()).value().streamId, e);  // our own encoding
                waiting_ -= cost(backlog_.front().size());
                backlog_.pop_front();
            }
            if (!backlog_.empty()) retryLater();
        });
    }

    Reactor& reactor_;
    Link* link_ = nullptr;
    std::deque<std::vector<std::byte>> backlog_;
    std::size_t waiting_ = 0;  // what the backlog costs
    std::uint64_t dropped_ = 0;
    GrowingBuffer encoded_;
    TimerId timer_ = 0;
};

}  // namespace emissary::reactor::client
