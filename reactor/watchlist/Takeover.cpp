// Repeats requests at a server that takes over, and gathers what each source lists.
#include "watchlist/Takeover.h"

#include "watchlist/stream_messages.h"

namespace emissary::reactor::consumer {

using namespace eta::codec;

namespace {

[[nodiscard]] bool isSet(const std::vector<bool>& bits, std::int32_t wireId) noexcept {
    const auto id = static_cast<std::size_t>(wireId);
    return id < bits.size() && bits[id];
}

}  // namespace

void Takeover::replay(const std::function<void(const Msg&)>& send) {
    for (const auto& service : services_) {
        for (const Stream* s = service->live.first; s != nullptr; s = s->next) {
            Msg m;
            wire_.write(*s, m);
            send(m);
        }
    }
}

void Takeover::gather(const ServiceEntry& service, std::vector<Target>& targets) {
    for (Stream* s = service.live.first; s != nullptr; s = s->next)
        targets.push_back({s, s->wireId});
}

Stream* Takeover::still(const Target& t) const noexcept {
    return streams_.find(t.wireId) == t.stream ? t.stream : nullptr;
}

void Takeover::notThere(Stream& s) {
    Msg status = makeStatus(s, StreamState::closedRecover, 0, "The server that took over does not have this item.");
    delivery_.endRecoverably(s, status);
}

/// Streams that the new server has open go on without a word; it is asked for those that still wait for an answer, and
/// the others start again.
void Takeover::takeOver(const std::vector<bool>& holds) {
    std::vector<Target> targets;
    for (const auto& service : services_)
        gather(*service, targets);
    for (const Target& t : targets) {
        Stream* s = still(t);
        if (s == nullptr) continue;
        s->said.imaged = false;  // by this server
        if (s->life.wantsImage() && !s->isPrivate) wire_.askImage(*s);
        else if (!isSet(holds, t.wireId)) notThere(*s);
    }
    recovery_.askAgain();
}

void Takeover::countSource(ServiceEntry& service, std::uint32_t channel) noexcept {
    sources_ += (channel != kActive ? 1u : 0u);
    sources_ -= (service.source != kActive ? 1u : 0u);
    service.source = channel;
}

void Takeover::setSource(ServiceEntry& service, std::uint32_t channel, const rdm::Service* theirs,
                         const std::vector<bool>* ended) {
    if (service.source == channel) return;
    std::unique_ptr<rdm::Service> copy = theirs != nullptr ? std::make_unique<rdm::Service>(*theirs) : nullptr;
    countSource(service, channel);
    service.theirs = std::move(copy);
    service.chooseModel();
    if (service.model == nullptr) return events_.onGone(service);
    std::vector<Target> targets;
    gather(service, targets);
    for (const Target& t : targets) {
        Stream* s = still(t);
        if (s == nullptr) continue;
        if (ended != nullptr && isSet(*ended, t.wireId)) {
            notThere(*s);
        } else if (!service.model->state.up) {
            wire_.close(*s);
            Msg status = makeStatus(*s, StreamState::closedRecover, 0, "Service for this item was lost.");
            delivery_.endRecoverably(*s, status);
        } else if (!s->isPrivate) {
            // What the other one said last may be more than what this one has said: a new image for everybody.
            Sharers::allPending(*s);
            s->said.imaged = false;
            wire_.askImage(*s);
        }
    }
    recovery_.recoverParked(service);
}

void Takeover::sourceLists(ServiceEntry& service, const rdm::Service& theirs) {
    *service.theirs = theirs;
    recovery_.recoverParked(service);
}

void Takeover::sourceLost(std::uint32_t channel, const std::vector<bool>& endedOnActive) {
    for (std::size_t i = 0; sources_ != 0 && i < services_.size(); ++i) {
        ServiceEntry& s = services_.at(i);
        if (s.source == kActive) continue;
        if (channel == kEvery) {
            countSource(s, kActive);
            s.chooseModel();
            s.theirs.reset();
        } else if (s.source == channel) {
            setSource(s, kActive, nullptr, &endedOnActive);
        }
    }
}

void Takeover::sourceIsActive(std::uint32_t channel) noexcept {
    for (const auto& s : services_) {
        if (s->source != channel) continue;
        countSource(*s, kActive);
        s->chooseModel();
        s->theirs.reset();
    }
}

void Takeover::connectionLost() {
    for (std::size_t i = 0; i < services_.size(); ++i) {
        ServiceEntry& s = services_.at(i);
        if (s.model == nullptr && (s.live.size != 0 || s.queued.size != 0)) events_.onGone(s);
    }
}

}  // namespace emissary::reactor::consumer
