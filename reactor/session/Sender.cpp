// Writes messages to the link, and tries again after a moment when its output is full.
#include "session/Sender.h"

#include "reactor/json_text.h"

#include <algorithm>
#include <utility>

namespace emissary::reactor::session {

void Sender::attach(Link* link) noexcept {
    // A new link begins without what the old one could not send.
    link_ = link;
    backlog_.clear();
    waiting_ = 0;
    full_ = false;
    reactor_.cancelTimer(std::exchange(timer_, 0));
}

void Sender::send(const eta::codec::Msg& msg) {
    if (link_ == nullptr) return;
    if (backlog_.empty()) [[likely]] {
        const Error e = link_->send(msg);
        if (e.ok()) [[likely]]
            return;
        if (e.code != Errc::noBuffers) return lost(msg.streamId, e);
    }
    if (const Error e = eta::codec::encodeMsg(encoded_.start(), msg); !e.ok()) return lost(msg.streamId, e);
    const Bytes b = encoded_.view();
    // A sender that is full stays full until the backlog has gone: a little room must not let requests overtake.
    full_ = full_ || waiting_ + cost(b.size()) > mostBytes_;
    if (full_) {
        ++counters_.dropped;
    } else {
        backlog_.emplace_back(b.begin(), b.end());
        waiting_ += cost(b.size());
        ++counters_.kept;
        counters_.peakBytes = std::max(counters_.peakBytes, waiting_);
    }
    if (timer_ == 0) retryLater();
}

void Sender::answer(const eta::codec::Msg& msg) {
    if (waiting_ > kMostForAnswers) return void(++counters_.answersDropped);
    send(msg);
}

Refusal Sender::refuse(Error e) const {
    using K = Refusal::Kind;
    if (e.code == Errc::noBuffers) return {K::noBuffers, "The output buffers are exhausted."};
    if (e.code == Errc::closed) return {K::noActiveChannel, "The connection is lost; submit again when it is back."};
    const bool json = link_ != nullptr && link_->info().protocolType == eta::transport::kProtocolJson;
    if (json) return {K::conversion, "The message " + cannotBeJson(e.code)};
    return {K::invalidUsage, std::string("Submit failed: ") + describe(e.code) + "."};
}

void Sender::lost(std::int32_t streamId, Error why) {
    link_->tellUnsent("the message on stream " + std::to_string(streamId), why);
}

void Sender::retryLater() {
    timer_ = reactor_.startTimer(std::chrono::milliseconds(1), [this] {
        timer_ = 0;
        retry();
    });
}

void Sender::retry() {
    if (full_ && onFull_)
        return onFull_("more than " + std::to_string(mostBytes_ >> 20) + " MiB of requests wait for the peer to read");
    while (!backlog_.empty() && link_ != nullptr) {
        const Error e = link_->send(Bytes(backlog_.front()));
        if (e.code == Errc::noBuffers) break;
        if (!e.ok()) lost(eta::codec::peekMsg(backlog_.front()).value().streamId, e);  // our own encoding
        waiting_ -= cost(backlog_.front().size());
        backlog_.pop_front();
    }
    if (!backlog_.empty()) return retryLater();
    full_ = false;
}

}  // namespace emissary::reactor::session
