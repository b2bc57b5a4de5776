// hub/client: ends, pauses and limits single clients, and lets the clients of a port go at a rate.
#include "hub/client/Interventions.h"

#include "hub/client/Pace.h"

#include <algorithm>
#include <utility>

namespace emissary::hub::client {

namespace {

constexpr auto kRound = std::chrono::milliseconds(100);

/// It has a connection, and no end of it is known.
[[nodiscard]] bool isThere(const Client* client) noexcept {
    return client != nullptr && client->sink == nullptr && client->session != nullptr &&
           !ClientSession::of(*client).departs;
}

}  // namespace

Interventions::~Interventions() {
    context_.rooms.reactor.cancelTimer(timer_);
}

Client* Interventions::find(std::uint64_t connection) noexcept {
    ClientTable& clients = context_.rooms.clients;
    for (std::uint32_t i = 0; i < clients.end(); ++i)
        if (Client* const c = clients.find(i); isThere(c) && c->connection == connection) return c;
    return nullptr;
}

std::size_t Interventions::eachOf(const std::string& user, std::size_t most, const std::function<void(Client&)>& f) {
    ClientTable& clients = context_.rooms.clients;
    std::size_t found = 0;
    for (std::uint32_t i = 0; i < clients.end(); ++i) {
        Client* const c = clients.find(i);
        if (isThere(c) && c->loggedIn && c->user == user && found++ < most) f(*c);
    }
    return found;
}

void Interventions::eject(Client& client, const std::string& text, bool comesBack) {
    Ending ending = endingOf(EndReason::ejected, text);
    if (comesBack) ending.says = endingOf(EndReason::drained, {}).says;
    ClientSession::of(client).listener->end(client, ending);
}

void Interventions::pause(Client& client, bool paused) {
    pace_.pause(client, paused);
}

void Interventions::throttle(Client& client, std::uint32_t requestsPerSecond) {
    pace_.throttle(client, requestsPerSecond);
}

bool Interventions::drainListener(const std::string& name, Rate rate, std::size_t& count) {
    const auto at = std::ranges::find_if(listeners_, [&](const auto& l) { return l->name() == name; });
    if (at == listeners_.end()) return false;
    const auto number = static_cast<std::uint32_t>(at - listeners_.begin());
    if (std::ranges::any_of(leaving_, [&](const Leaving& l) { return l.listener == number || l.listener == kAll; }))
        return false;
    (*at)->connections().stopListening();
    Leaving leaving;
    leaving.listener = number;
    leaving.perSecond = rate.perSecond;
    leaving.text = "an operator has closed this port; connect to another one";
    ClientTable& clients = context_.rooms.clients;
    count = 0;
    for (std::uint32_t i = 0; i < clients.end(); ++i)
        if (const Client* const c = clients.find(i); isThere(c) && concerns(leaving, *c)) ++count;
    begin(std::move(leaving));
    return true;
}

void Interventions::letGoAll(Rate rate, std::function<void()> done) {
    for (const auto& listener : listeners_)
        listener->connections().stopListening();
    leaving_.clear();
    Leaving leaving;
    leaving.perSecond = rate.perSecond;
    leaving.text = "The hub is going down.";
    leaving.done = std::move(done);
    begin(std::move(leaving));
}

void Interventions::begin(Leaving leaving) {
    leaving.since = leaving.lastTold = context_.rooms.reactor.now();
    leaving_.push_back(std::move(leaving));
    if (timer_ == 0) timer_ = context_.rooms.reactor.startTimer({}, [this] { goOn(); });
}

bool Interventions::concerns(const Leaving& leaving, const Client& client) const noexcept {
    return (leaving.listener == kAll || leaving.listener == client.listener) && !ClientSession::of(client).letGo;
}

/// Clients that were asked may need a while to go, and are passed over.
bool Interventions::tellSome(Leaving& leaving) {
    const reactor::TimePoint now = context_.rooms.reactor.now();
    const double rate = leaving.perSecond;
    leaving.allowance += std::chrono::duration<double>(now - std::exchange(leaving.since, now)).count() * rate;
    // A loop that stood still does not tell everybody at once afterwards.
    leaving.allowance = std::min(leaving.allowance, std::max(rate, 1.0));
    std::size_t most = rate == 0 ? kMostInRound : std::min(kMostInRound, static_cast<std::size_t>(leaving.allowance));
    ClientTable& clients = context_.rooms.clients;
    for (std::uint32_t i = 0; i < clients.end(); ++i) {
        Client* const c = clients.find(i);
        if (!isThere(c) || !concerns(leaving, *c)) continue;
        if (most-- == 0) return true;
        ClientSession& session = ClientSession::of(*c);
        session.letGo = true;
        leaving.allowance -= 1;
        leaving.lastTold = now;
        session.listener->end(*c, EndReason::drained, leaving.text);
    }
    return leaving.listener != kAll && now - leaving.lastTold < kStragglers;
}

void Interventions::goOn() {
    timer_ = 0;
    std::vector<std::function<void()>> over;
    std::erase_if(leaving_, [&](Leaving& leaving) {
        if (tellSome(leaving)) return false;
        if (leaving.done) over.push_back(std::move(leaving.done));
        return true;
    });
    if (!leaving_.empty()) timer_ = context_.rooms.reactor.startTimer(kRound, [this] { goOn(); });
    for (const auto& done : over)
        done();
}

}  // namespace emissary::hub::client
