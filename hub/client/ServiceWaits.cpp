// Keeps requests until their service comes or their time is over, within a bound for each client.
#include "hub/client/ServiceWaits.h"

#include "hub/client/Listener.h"

#include <algorithm>
#include <new>
#include <utility>

namespace emissary::hub::client {

using namespace eta::codec;

namespace {

constexpr std::size_t kOfWait = 256;  // bytes of the heap, about, beside the message and the name

}  // namespace

std::size_t ServiceWaits::costOf(const Wait& wait) noexcept {
    // The service's name is stored twice, in the request's record and as a key of byService_.
    return wait.message.size() + 2 * wait.service.size() + kOfWait;
}

std::string ServiceWaits::serviceOf(const Client& client, const Msg& request) {
    const std::string_view name = carriedService(client, request);
    return name.empty() ? ClientSession::of(client).listener->defaultService() : std::string(name);
}

bool ServiceWaits::keep(Client& client, const Msg& request, std::int32_t stream, std::uint16_t view) {
    ClientSession& session = ClientSession::of(client);
    // A stream waits once: the later request replaces the earlier one, before the bounds are looked at.
    drop(client, stream);
    const auto refuse = [&](Reason reason, std::string_view why) {
        replies_.refuse(client, request, stream, reason, why);
        return false;
    };
    const std::size_t most = session.listener->web().maxMounts(client);
    if (most != 0 && client.mounts.size() + session.waits.size() >= most)
        return refuse(Reason::clientMounts, session.listener->web().tooManyMounts(client));
    Msg kept = request;
    // The message is encoded again, because its stream id may be that of an item of a batch.
    kept.streamId = stream;
    if (!encodeMsg(buffer_.start(), kept).ok()) return refuse(Reason::key, "it cannot be kept");
    const Bytes bytes = buffer_.view();
    Wait wait{{bytes.begin(), bytes.end()}, view, serviceOf(client, request), ++number_};
    // 0: requests wait without an end.
    if (context_.options.serviceWait.count() != 0)
        wait.due = context_.rooms.reactor.now() + context_.options.serviceWait;
    const std::size_t cost = costOf(wait);
    if (!Admission::mayKeep(client, cost))
        return refuse(Reason::clientKeys,
                      "the keys and views of this client are too large together (MaxKeyBytesPerClient)");
    const Place place{client.index, stream};
    // Whatever fails for want of memory ends the client, and forget() finds what has been done.
    const Wait& made = session.waits.emplace(stream, std::move(wait)).first->second;
    client.keyBytes += cost;
    if (view != 0) context_.rooms.views.share(view);
    byService_[made.service].insert(place);
    if (made.due != reactor::TimePoint::max()) {
        due_.emplace(Due{made.due, made.number}, place);
        if (timer_ == 0 || made.due < timerAt_) arm();  // a reload may have made the time shorter
    }
    // Open/Suspect keeps the stream open at the client; it asks no second time (hub.md 5.1).
    replies_.status(client, request, stream,
                    {StreamState::open, DataState::suspect, 0, eta::asBytes("Service not up yet.")});
    return true;
}

ServiceWaits::Wait ServiceWaits::takeOut(Client& client, std::int32_t stream) noexcept {
    ClientSession& session = ClientSession::of(client);
    const auto at = session.waits.find(stream);
    Wait wait = std::move(at->second);
    session.waits.erase(at);
    client.keyBytes -= costOf(wait);
    due_.erase({wait.due, wait.number});
    if (const auto all = byService_.find(wait.service); all != byService_.end()) {
        all->second.erase({client.index, stream});
        if (all->second.empty()) byService_.erase(all);
    }
    return wait;
}

bool ServiceWaits::drop(Client& client, std::int32_t stream) noexcept {
    if (!ClientSession::of(client).waits.contains(stream)) return false;
    context_.rooms.views.release(takeOut(client, stream).view);
    // The view's reference was taken in keep().
    return true;
}

void ServiceWaits::forget(Client& client) noexcept {
    while (!ClientSession::of(client).waits.empty())
        drop(client, ClientSession::of(client).waits.begin()->first);
}

Client* ServiceWaits::clientAt(Place place) noexcept {
    Client* const client = context_.rooms.clients.find(place.client);
    // A place is (client, stream) and may have another owner by now, or none.
    const bool waits =
        client != nullptr && client->session != nullptr && ClientSession::of(*client).waits.contains(place.stream);
    return waits ? client : nullptr;
}

// --- services come ---------------------------------------------------------------------------------------------------

void ServiceWaits::serviceCame(const Service& service) {
    // A default service may be said by its id, or be the only one there is.
    for (const std::string& name : {service.name, std::to_string(service.id), std::string()})
        again(name, service.name);
}

void ServiceWaits::defaultChanged(const std::string& was) {
    again(was);
}

/// A service that comes again while its requests are being dealt with begins anew at the first one.
void ServiceWaits::again(const std::string& service, const std::string& name) {
    if (!byService_.contains(service)) return;
    const auto at = std::ranges::find(came_, service, &Arrival::service);
    if (at == came_.end()) came_.push_back({service, name, {}});
    else {
        at->last.reset();
        if (at->name != name) at->name.clear();
    }
    goOn();
}

void ServiceWaits::goOn() {
    if (std::exchange(posted_, true)) return;
    context_.rooms.reactor.post([this, alive = std::weak_ptr<char>(alive_)] {
        if (alive.expired()) return;
        posted_ = false;
        dealWithSome();
    });
}

/// A request that goes on waiting is behind `last` no more.
void ServiceWaits::dealWithSome() {
    TurnBudget& work = context_.rooms.out.work();
    while (!came_.empty()) {
        // A slice for each turn: a service with 100,000 waiting requests must not stop the hub when it comes.
        if (!work.left()) return goOn();
        Arrival& arrival = came_.front();
        const auto all = byService_.find(arrival.service);
        const bool known = all != byService_.end();
        const auto at = known ? (arrival.last ? all->second.upper_bound(*arrival.last) : all->second.begin())
                              : std::set<Place>::iterator{};
        if (!known || at == all->second.end()) {
            came_.pop_front();
            continue;
        }
        // Noted before the request is dealt with: it leaves the set now, and upper_bound() finds the one behind it all
        // the same.
        const Place place = *at;
        arrival.last = place;
        Client* const client = clientAt(place);
        if (client == nullptr) continue;
        work.spend(TurnBudget::kRequest);
        // For whoever may not know of the service nothing has come.
        if (!arrival.name.empty() && !client->sees(arrival.name)) continue;
        try {
            deal(*client, place.stream);
        } catch (const std::bad_alloc&) {
            ClientSession::of(*client).listener->end(*client, EndReason::memory, "memory is short");
        }
    }
}

void ServiceWaits::deal(Client& client, std::int32_t stream) {
    const Wait wait = takeOut(client, stream);
    Msg m;
    if (decodeMsg(wait.message, m).ok()) {
        RequestPayload payload;
        const PayloadError fault = wait.view == 0 ? readPayload(m, payload) : PayloadError{};
        if (wait.view != 0) payload.view.emplace();  // its number says which one
        // dealing_ marks the request as early (see ItemStreams::serve) until it is through, exceptions included.
        struct Dealing {
            bool& on;
            explicit Dealing(bool& flag) : on(flag) { on = true; }
            ~Dealing() { on = false; }
        } const dealing(dealing_);
        again_(client, m, payload, fault, wait.view);
    }
    context_.rooms.views.release(wait.view);
}

// --- services do not come --------------------------------------------------------------------------------------------

void ServiceWaits::arm() {
    reactor::Reactor& loop = context_.rooms.reactor;
    loop.cancelTimer(std::exchange(timer_, 0));
    if (due_.empty()) return;
    timerAt_ = due_.begin()->first.first;
    const auto left = std::max(reactor::Duration::zero(), timerAt_ - loop.now());
    timer_ = loop.startTimer(left, [this] { endSome(); });
}

void ServiceWaits::endSome() {
    timer_ = 0;
    TurnBudget& work = context_.rooms.out.work();
    const reactor::TimePoint now = context_.rooms.reactor.now();
    while (!due_.empty() && due_.begin()->first.first <= now && work.left()) {
        work.spend(TurnBudget::kRequest);
        const Place place = due_.begin()->second;
        // The wait may have been dropped after the number was noted.
        Client* const client = clientAt(place);
        if (client == nullptr) {
            due_.erase(due_.begin());
            continue;
        }
        const Wait wait = takeOut(*client, place.stream);
        context_.rooms.views.release(wait.view);
        Msg m;
        if (!decodeMsg(wait.message, m).ok()) continue;
        try {
            replies_.refuse(*client, m, place.stream, Reason::serviceUnknown,
                            "its service has not come within ServiceWaitTimeOut");
        } catch (const std::bad_alloc&) {
            ClientSession::of(*client).listener->end(*client, EndReason::memory, "memory is short");
        }
    }
    arm();
}

}  // namespace emissary::hub::client
