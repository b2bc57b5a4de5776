// Makes the parts of the watchlist and passes its owner's calls to them.
#include "watchlist/Watchlist.h"

namespace emissary::reactor::consumer {

Watchlist::Watchlist(Reactor& reactor, Sender& sender, RequestTable& requests, ConsumerSink& sink,
                     WatchlistOwner& owner, const WatchlistOptions& options)
    : MemoryOwner(reactor), context_{reactor, sender, requests, sink, owner, options},
      posts_(context_, services_, [this](Request& r, eta::codec::Msg& nak) { delivery_.toOne(r, nak); }),
      views_(context_), streams_(context_, posts_, views_),
      timeouts_(context_, streams_, {[this](Stream& s) { delivery_.onTimeout(s); }, [this] { recovery_.askAgain(); }}),
      wire_(context_, streams_, views_, timeouts_), sharers_(context_, views_, wire_),
      recovery_(context_, services_, streams_, wire_, sharers_),
      opening_(context_, services_, streams_, views_, wire_, sharers_, recovery_),
      lists_(context_, services_, opening_), delivery_(context_, streams_, wire_, recovery_, posts_, lists_),
      events_(services_, streams_, recovery_, delivery_),
      takeover_(services_, streams_, wire_, recovery_, delivery_, events_) {
    requests.observe(this);
}

Watchlist::~Watchlist() {
    context_.requests.observe(nullptr);
}

Handle Watchlist::open(const RequestView& request, const Subscriber& subscriber, Refusal& refusal, bool internal) {
    if (refusal = checkFirstRequest(request); refusal) return 0;
    if (mayHaveExtras(request.msg)) return lists_.open(request, subscriber, refusal, internal);
    Opening::Traits traits;
    traits.internal = internal;
    return opening_.open(request, subscriber, refusal, traits);
}

void Watchlist::setSource(std::string_view service, std::uint32_t channel, const rdm::Service* theirs,
                          const std::vector<bool>* ended) {
    if (const ServiceEntry* entry = services_.find(service))
        takeover_.setSource(const_cast<ServiceEntry&>(*entry), channel, theirs, ended);
}

void Watchlist::sourceLists(std::uint32_t channel, const rdm::Service& theirs) {
    ServiceEntry* const entry = services_.find(theirs);
    if (entry != nullptr && channel != kActive && entry->comesFrom(channel)) takeover_.sourceLists(*entry, theirs);
}

void Watchlist::connectionLost() {
    timeouts_.forget();
    posts_.connectionLost();
    takeover_.connectionLost();
}

void Watchlist::shutDown() {
    timeouts_.forget();
    lists_.stop();
    posts_.forgetAll();
}

void Watchlist::sourceLost(std::uint32_t channel, const std::vector<bool>& endedOnActive) {
    if (channel != kEvery) posts_.serverLost(channel, kActive);
    takeover_.sourceLost(channel, endedOnActive);
    if (channel != kEvery) posts_.answerLost();
}

/// Records about a request end with it.
void Watchlist::onRelease(const Request& r) {
    if (r.hasView) views_.forget(r);
    lists_.released(r);
}

void Watchlist::trimMemory() noexcept {
    context_.requests.trim();
    context_.sender.trim();
    streams_.trim();
    opening_.trim();
    timeouts_.trim();
    posts_.trim();
    views_.trim();
    recovery_.trim();
    lists_.trim();
    delivery_.trim();
}

std::size_t Watchlist::places() const noexcept {
    return context_.requests.capacity() + streams_.places() + posts_.places() + views_.places() + recovery_.places() +
           lists_.places();
}

}  // namespace emissary::reactor::consumer
