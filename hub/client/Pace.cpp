// Counts requests a second, stops reading from clients that send too many, and runs long work in slices.
#include "hub/client/Pace.h"

#include "hub/client/Directories.h"
#include "hub/client/Listener.h"

#include <algorithm>
#include <iterator>
#include <new>
#include <utility>

namespace emissary::hub::client {

using namespace eta::codec;
using Walk = ClientSession::Walk;

namespace {

constexpr auto kRatePeriod = std::chrono::milliseconds(50), kReadPeriod = std::chrono::milliseconds(5);
// Of the messages of one client that wait: from the first on it is not read from, and the second ends it. Between the
// two is what is on its way when that begins.
constexpr std::size_t kMuchHeld = 1u << 20, kMostHeld = 48u << 20;
constexpr std::size_t kManyHeld = 1024;
constexpr std::size_t kStep = 3 * TurnBudget::kRequest;  // of work, for one of many streams, beside what it asks for
constexpr std::size_t kListed = 8;                       // of work, for one of the streams of a walk
constexpr std::size_t kMessage = 64;                     // of work, beside its bytes and what it asks for

}  // namespace

Pace::~Pace() {
    context_.rooms.reactor.cancelTimer(timer_);
}

void Pace::onTurnEnd() noexcept {
    // The most that one turn has cost, for the page: it shows whether the budget holds.
    context_.counts.of.turnWork.raiseTo(work().turnOver());
}

// --- messages --------------------------------------------------------------------------------------------------------

bool Pace::onMessage(Client& client, const Msg& m) {
    ClientSession& session = ClientSession::of(client);
    // Posts and closes are free of the rate: a limited client must be able to let go of what it has.
    const bool counted = rateOf(session) != 0 && m.cls == MsgClass::Request;
    if (counted) {
        refill(session);
        if (tooMany(client, m)) return true;
    }
    // At once only if nothing of this client waits (its messages keep their order), the turn has work left to give, the
    // client reads what it gets, and its rate allows it. Otherwise the message waits its turn in the ring.
    if (session.idle() && work().left() && !client.unread && context_.rooms.out.behind(client) == Backlog::little &&
        (!counted || session.allowance >= 1)) [[likely]] {
        work().spend(kMessage + m.raw.size());
        const bool known = items_.onMessage(client, m);
        // A batch of one item, or the first items of a long one, is done in this call already.
        if (session.batch) goOn(client);
        else if (counted) session.allowance -= 1;
        return known;
    }
    hold(client, m);
    return true;
}

void Pace::onDirectory(Client& client, std::uint64_t handle, const Msg& m) {
    if (!ClientSession::of(client).idle() || !work().left() || client.unread) return hold(client, m, handle);
    work().spend(kMessage + m.raw.size());
    directories_.onRequest(client, handle, m);
}

void Pace::onDirectoryClosed(Client& client, std::uint64_t handle) {
    ClientSession& session = ClientSession::of(client);
    std::erase_if(session.held, [&](const ClientSession::Held& held) {
        if (held.directory != handle) return false;
        session.heldBytes -= held.message.size();
        return true;
    });
    // What was closed gives room, so reading may go on.
    readAgain(client);
}

std::uint32_t Pace::rateOf(const ClientSession& session) const noexcept {
    return session.throttle != 0 ? session.throttle : session.listener->web().requestsPerSecond(session);
}

void Pace::refill(ClientSession& session) const {
    const double rate = rateOf(session);
    const reactor::TimePoint now = context_.rooms.reactor.now();
    const double gone = std::chrono::duration<double>(now - session.allowanceAt).count();
    // The allowance never exceeds one second's requests: who was silent for an hour may not send an hour's requests at
    // once.
    session.allowance = std::min(rate, session.allowance + gone * rate);
    session.allowanceAt = now;
}

/// With this one more than ten times what a second allows would wait; a batch counts as its items.
bool Pace::tooMany(Client& client, const Msg& m) {
    ClientSession& session = ClientSession::of(client);
    // The client cannot know of an operator's limit: it waits, and is not disconnected.
    if (session.throttle != 0) return false;
    const double more = static_cast<double>(requestsIn(m)), held = static_cast<double>(session.heldRequests);
    const double left = session.batch ? static_cast<double>(session.batch->left()) : 0.0;
    if (held + left + more <= rateOf(session) * 10.0 + session.allowance) return false;
    // end() is posted: the message being read is still in use.
    session.listener->end(client, EndReason::requestRate,
                          std::string("the client sends more than ten times as many requests as it may (") +
                              session.listener->web().requestsParameter(session) + ")");
    return true;
}

void Pace::hold(Client& client, const Msg& m, std::uint64_t directory) {
    const Bytes message = m.raw;
    ClientSession& session = ClientSession::of(client);
    // The bound on bytes comes first: it holds for posts and directory requests too, which no rate counts.
    if (session.heldBytes + message.size() > kMostHeld) {
        session.listener->end(client, EndReason::requestRate, "the client sends faster than it can be served");
        return;
    }
    ++context_.counts.of.held;
    // Who serves the connection on another thread says it with the message, and knows it no more afterwards.
    const bool collides = m.cls == MsgClass::Request && m.has(RequestFlag::batch) &&
                          session.listener->connections().hasStream(client, m.streamId, m.streamId);
    const std::size_t requests = m.cls == MsgClass::Request && directory == 0 ? requestsIn(m) : 0;
    // The message is copied as it came and decoded again later: the decoded form points into the receive buffer.
    session.held.push_back({{message.begin(), message.end()}, requests, collides, directory, client.posts.inTime()});
    session.heldBytes += message.size();
    session.heldRequests += requests;
    // With a rate the connection is read on: tooMany() has to see the requests, and ends a client that goes on sending.
    // Without one nothing would bound what waits but to stop reading.
    const bool much = session.heldBytes > kMuchHeld || session.held.size() > kManyHeld;
    if (much && (rateOf(session) == 0 || session.throttle != 0) && !std::exchange(session.unread, true))
        session.listener->connections().hold(client, true);
    enqueue(client);
}

void Pace::readAgain(Client& client) {
    ClientSession& session = ClientSession::of(client);
    // Half of the bound, so that a client at the bound does not switch its reading with each message.
    if (!session.unread || session.heldBytes > kMuchHeld / 2 || session.held.size() > kManyHeld / 2) return;
    session.unread = false;
    if (!session.stopped) session.listener->connections().hold(client, false);
}

// --- what operators say ----------------------------------------------------------------------------------------------

void Pace::pause(Client& client, bool paused) {
    ClientSession& session = ClientSession::of(client);
    if (std::exchange(session.stopped, paused) == paused) return;
    context_.counts.of.paused = context_.counts.of.paused.get() + (paused ? 1 : std::uint64_t(-1));
    if (!session.unread) session.listener->connections().hold(client, paused);
}

void Pace::throttle(Client& client, std::uint32_t requestsPerSecond) {
    ClientSession& session = ClientSession::of(client);
    const bool before = session.throttle != 0;
    session.throttle = requestsPerSecond;
    if (before != (requestsPerSecond != 0))
        context_.counts.of.throttled = context_.counts.of.throttled.get() + (before ? std::uint64_t(-1) : 1);
    session.allowance = std::min<double>(session.allowance, rateOf(session));
    // What waits for its turn waits no longer than the new rate says.
    if (!session.idle()) goOn(client);
}

// --- many streams ----------------------------------------------------------------------------------------------------

void Pace::active(Client& client, const std::vector<std::uint16_t>& services) {
    ClientSession& session = ClientSession::of(client);
    if (client.mounts.empty() || (session.walk && session.walk->kind == Walk::Kind::leave)) return;
    if (!session.walk) {
        session.walk = std::make_unique<Walk>();
        session.walk->kind = Walk::Kind::flow;
    }
    // A walk that is under way begins anew, so what it was to do stays.
    Walk& walk = *session.walk;
    walk.allActive = walk.allActive || services.empty();
    std::vector<std::uint16_t> both;
    both.reserve(walk.active.size() + services.size());
    std::ranges::set_union(walk.active, services, std::back_inserter(both));
    walk.active = std::move(both);
    flowChanged(client);
}

void Pace::flowChanged(Client& client) {
    const Walk* const before = ClientSession::of(client).walk.get();
    // A resume that is under way goes on as a resume, else streams that were paused one by one would stay paused.
    const bool resumes = before != nullptr && before->kind == Walk::Kind::resume && !client.paused;
    begin(client, resumes ? Walk::Kind::resume : Walk::Kind::flow);
}

void Pace::resumeAll(Client& client) {
    begin(client, Walk::Kind::resume);
}

void Pace::logOut(Client& client) {
    ClientSession& session = ClientSession::of(client);
    // Waits, checks and batch of the client end here; its open streams leave slice by slice (Walk::leave).
    items_.forget(client);
    session.held.clear();
    session.heldBytes = session.heldRequests = 0;
    readAgain(client);
    begin(client, Walk::Kind::leave);
}

void Pace::depart(Client& client) {
    ClientSession& session = ClientSession::of(client);
    session.departs = true;
    // Else the last slice of the walk forgets the record.
    if (session.idle()) session.listener->forget(client);
}

/// A walk that is under way begins anew: what it did is looked at once more. The list is made with its first step, so
/// that a client that begins walks in a row pays for one.
void Pace::begin(Client& client, Walk::Kind kind) {
    if (client.mounts.empty()) return;
    ClientSession& session = ClientSession::of(client);
    // Streams that leave stay with nobody, whatever the next login on the connection says before they are gone; those
    // that it opens wait behind this walk, and begin as the client is by then.
    if (session.walk && session.walk->kind == Walk::Kind::leave && kind != Walk::Kind::leave) return;
    if (!session.walk) session.walk = std::make_unique<Walk>();
    session.walk->kind = kind;
    session.walk->listed = false;
    goOn(client);
}

void Pace::list(Client& client) {
    Walk& walk = *ClientSession::of(client).walk;
    // A copy of the ids: steps of the walk take mounts out of the map.
    walk.next = 0;
    walk.streams.clear();
    walk.streams.reserve(client.mounts.size());
    for (const auto& mount : client.mounts)
        walk.streams.push_back(mount.first);
    walk.listed = true;
    work().spend(walk.streams.size() * kListed);
}

Pace::Left Pace::walk(Client& client) {
    ClientSession& session = ClientSession::of(client);
    Walk& walk = *session.walk;
    if (!walk.listed) list(client);
    // One more turn of the ring than streams: it is here that a following batch or message gets its turn.
    if (walk.next == walk.streams.size()) {
        session.walk.reset();
        return Left::more;
    }
    const bool leaves = walk.kind == Walk::Kind::leave;
    if (!leaves && client.unread) return Left::later;  // the images that it gets now have to be read
    // Images go out in a resume, so the client must have taken what it got before. Leaving needs no room and never
    // waits.
    if (const Backlog b = context_.rooms.out.behind(client); !leaves && b != Backlog::little) return nextTurn(b);
    const std::int32_t stream = walk.streams[walk.next++];
    work().spend(TurnBudget::kRequest + kStep);
    if (leaves) {
        items_.leave(client, stream);
        return Left::more;
    }
    const Item* const item = context_.rooms.mounts.itemOf(client, stream);
    const bool image = item != nullptr && (walk.allActive || std::ranges::binary_search(walk.active, item->service));
    context_.rooms.flow.settle(client, stream, walk.kind == Walk::Kind::resume, image);
    return Left::more;
}

// --- whose turn it is ------------------------------------------------------------------------------------------------

/// What has just begun may be done at once, if there is not much of it.
void Pace::goOn(Client& client) {
    ClientSession& session = ClientSession::of(client);
    if (session.queued) {
        // One in the ring is served in its order; one that waits for the timer need not wait for it any more.
        if (std::erase(late_, client.index) == 0) return;
        session.queued = false;
    }
    if (work().left() && slice(client) == Left::nothing) return;
    enqueue(client);
}

void Pace::enqueue(Client& client) {
    ClientSession& session = ClientSession::of(client);
    if (std::exchange(session.queued, true)) return;
    ring_.push_back(client.index);
    if (std::exchange(posted_, true)) return;
    context_.rooms.reactor.post([this, alive = std::weak_ptr<char>(alive_)] {
        if (!alive.expired()) run();
    });
}

/// Half of a turn's budget: the other half is for those who have not waited.
void Pace::run() {
    posted_ = false;
    // One slice for each client in turn: a client with a thousand requests delays another one by a slice, not by a
    // thousand requests.
    const std::uint64_t begin = work().total();
    while (!ring_.empty() && work().total() - begin < TurnBudget::kOfTurn / 2) {
        Client* const client = context_.rooms.clients.find(ring_.front());
        ring_.pop_front();
        // It has left while its number was in the ring.
        if (client == nullptr) continue;
        ClientSession& session = ClientSession::of(*client);
        session.queued = false;
        switch (guardedSlice(*client)) {
        case Left::nothing:
            // departs with nothing left: this was the last slice of a client whose connection had ended.
            if (session.departs) session.listener->forget(*client);
            break;
        case Left::more:
            session.queued = true;
            ring_.push_back(client->index);
            break;
        case Left::later:
            session.queued = true;
            late_.push_back(client->index);
            break;
        }
    }
    if (!late_.empty() && timer_ == 0) runLater();
    if (ring_.empty() || std::exchange(posted_, true)) return;
    context_.rooms.reactor.post([this, alive = std::weak_ptr<char>(alive_)] {
        if (!alive.expired()) run();
    });
}

void Pace::runLater() {
    // A rate gives back its allowance in 50 ms steps; reading clients are looked at every 5 ms, as SlowClients does.
    const auto period = context_.options.requestsPerSecond != 0 ? kRatePeriod : kReadPeriod;
    timer_ = context_.rooms.reactor.startTimer(period, [this] {
        timer_ = 0;
        // Behind those in the ring: a request that has waited for time does not overtake.
        ring_.insert(ring_.end(), late_.begin(), late_.end());
        late_.clear();
        if (!posted_) run();
    });
}

/// Memory that the system refuses ends the client that asked.
Pace::Left Pace::guardedSlice(Client& client) {
    try {
        return slice(client);
    } catch (const std::bad_alloc&) {
        ClientSession& session = ClientSession::of(client);
        if (!session.departs) session.listener->end(client, EndReason::memory, "memory is short");
        // A client that had nothing more to do must not stay in the ring for its end.
        return session.idle() ? Left::nothing : Left::later;
    }
}

Pace::Left Pace::slice(Client& client) {
    ClientSession& session = ClientSession::of(client);
    const std::uint64_t begin = work().total();
    while (!session.idle()) {
        const Left left = session.walk ? walk(client) : session.batch ? batch(client) : heldMessage(client);
        if (left != Left::more) return left;
        // Looked at after a step, not before: each slice does at least one step, so every client gets on.
        if (!session.idle() && work().total() - begin >= TurnBudget::kOfClient) return Left::more;
    }
    return Left::nothing;
}

/// The thread of the client has to take its messages first. Other clients wait for it as well, so the turn ends soon.
Pace::Left Pace::nextTurn(Backlog backlog) noexcept {
    if (backlog == Backlog::stalled) return Left::later;
    work().spend(TurnBudget::kOfClient);
    return Left::more;
}

Pace::Left Pace::batch(Client& client) {
    ClientSession& session = ClientSession::of(client);
    if (client.unread) return Left::later;
    if (const Backlog b = context_.rooms.out.behind(client); b != Backlog::little) return nextTurn(b);
    // Only batches that open items count; the allowance is taken item by item.
    if (rateOf(session) != 0 && session.batch->counted()) {
        refill(session);
        if (session.allowance < 1) return Left::later;
        session.allowance -= 1;
    }
    work().spend(kStep);
    items_.goOn(client);
    return Left::more;
}

Pace::Left Pace::heldMessage(Client& client) {
    ClientSession& session = ClientSession::of(client);
    const bool limited = rateOf(session) != 0;
    if (client.unread) return Left::later;
    if (const Backlog b = context_.rooms.out.behind(client); b != Backlog::little) return nextTurn(b);
    const ClientSession::Held& first = session.held.front();
    if (limited && first.requests != 0) {
        refill(session);
        if (session.allowance < 1) return Left::later;
    }
    // Moved out before it is handled: handling may end the client's waiting messages.
    const ClientSession::Held held = std::move(session.held.front());
    session.held.pop_front();
    session.heldBytes -= held.message.size();
    session.heldRequests -= held.requests;
    work().spend(kMessage + held.message.size());
    Msg m;
    if (decodeMsg(held.message, m).ok()) {  // it was when it came
        context_.collides = held.collides;
        client.posts.recall(held.postInTime);
        if (held.directory != 0) directories_.onRequest(client, held.directory, m);
        else (void)items_.onMessage(client, m);
        context_.collides = false;
        // A batch pays item by item in batch().
        if (limited && held.requests != 0 && !session.batch) session.allowance -= 1;
    }
    readAgain(client);
    return Left::more;
}

}  // namespace emissary::hub::client
