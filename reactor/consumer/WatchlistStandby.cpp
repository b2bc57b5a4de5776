// Items of a session with several servers: who goes on with which stream (session.md section 6, warm standby).
#include "consumer/Watchlist.h"

namespace emissary::reactor::consumer {

using namespace eta::codec;

void Watchlist::replay(const std::function<void(const Msg&)>& send) {
    for (const auto& service : services_) {
        for (const Stream* s = service->live.first; s != nullptr; s = s->next) {
            Msg m;
            writeRequest(*s, m);
            send(m);
        }
    }
}

/// Streams that the new server has open go on without a word; it is asked for those that still wait for an answer, and
/// the others start again.
void Watchlist::takeOver(const std::vector<bool>& holds) {
    std::vector<std::pair<Stream*, std::int32_t>> out;
    for (const auto& service : services_)
        for (Stream* s = service->live.first; s != nullptr; s = s->next)
            out.emplace_back(s, s->wireId);
    for (const auto& [stream, wireId] : out) {
        const auto id = static_cast<std::size_t>(wireId);
        if (byWire_[id] != stream) continue;  // ended in a callback
        Stream& s = *stream;
        if (s.state == Stream::State::requested && !s.isPrivate) {
            settle(s);
            askImage(s);
        } else if (id >= holds.size() || !holds[id]) {
            Msg status;
            makeStatus(s, status, StreamState::closedRecover, 0, "The server that took over does not have this item.");
            closedRecover(s, status);
        }
    }
    refetchAll();
}

void Watchlist::setSource(std::string_view service, std::uint32_t channel, const std::vector<bool>* ended) {
    auto* entry = const_cast<ServiceEntry*>(findService(service));
    if (entry == nullptr || entry->source == channel) return;
    sources_ += (channel != kActive ? 1u : 0u);
    sources_ -= (entry->source != kActive ? 1u : 0u);
    entry->source = channel;
    std::vector<std::pair<Stream*, std::int32_t>> out;
    for (Stream* s = entry->live.first; s != nullptr; s = s->next)
        out.emplace_back(s, s->wireId);
    for (const auto& [stream, wireId] : out) {
        const auto id = static_cast<std::size_t>(wireId);
        if (byWire_[id] != stream) continue;  // ended in a callback
        Stream& s = *stream;
        if (ended != nullptr && id < ended->size() && (*ended)[id]) {
            Msg status;
            makeStatus(s, status, StreamState::closedRecover, 0, "The server that took over does not have this item.");
            closedRecover(s, status);
        } else if (!s.isPrivate) {
            // What the other one said last may be more than what this one has said: a new image for everybody.
            settle(s);
            for (Request* r = s.first; r != nullptr; r = r->next)
                r->state = Request::State::pending;
            askImage(s);
        }
    }
    refetchAll();
}

void Watchlist::sourceLost(std::uint32_t channel, const std::vector<bool>& endedOnActive) {
    for (std::size_t i = 0; sources_ != 0 && i < services_.size(); ++i) {
        ServiceEntry& s = *services_[i];
        if (s.source == kActive) continue;
        if (channel == kEvery) {
            s.source = kActive;
            --sources_;
        } else if (s.source == channel) {
            setSource(s.name, kActive, &endedOnActive);
        }
    }
}

void Watchlist::sourceIsActive(std::uint32_t channel) noexcept {
    for (const auto& s : services_) {
        if (s->source != channel) continue;
        s->source = kActive;
        --sources_;
    }
}

}  // namespace emissary::reactor::consumer
