// The walk through the open streams after rights have changed, a slice in each turn.
#include "hub/client/Recheck.h"

#include "hub/client/Listener.h"
#include "hub/client/request_ask.h"

#include <new>
#include <utility>

namespace emissary::hub::client {

using namespace eta::codec;

namespace {

constexpr std::size_t kListed = 8;      // of work, for one of the streams of a client
constexpr std::size_t kLookedAt = 128;  // of work, for a mount that stays

}  // namespace

void Recheck::begin() {
    if (context_.options.requestCheck == nullptr && !context_.loginViews.used()) return;
    // A walk that is half done has looked at some mounts by the old rights, so another one has to follow.
    again_ = running_;
    context_.counts.of.rightsWalks = again_ ? 2 : 1;
    if (std::exchange(running_, true)) return;
    nextClient_ = 0;
    goOn();
}

void Recheck::goOn() {
    context_.rooms.reactor.post([this, alive = std::weak_ptr<char>(alive_)] {
        // A turn of its own for each slice: sources and clients get theirs in between.
        if (!alive.expired()) run();
    });
}

/// Half of a turn's budget: the other half is for requests of clients.
void Recheck::run() {
    TurnBudget& work = context_.rooms.out.work();
    const std::uint64_t begin = work.total();
    Step last = Step::done;
    while (last == Step::done && work.total() - begin < TurnBudget::kOfTurn / 2)
        last = step();
    if (last != Step::over) return goOn();
    // The vector's memory goes back; it had as many entries as the largest client has streams.
    streams_ = {};
    running_ = false;
    context_.counts.of.rightsWalks = 0;
    if (std::exchange(again_, false)) this->begin();
}

Recheck::Step Recheck::step() {
    if (streams_.empty()) return list() ? Step::done : Step::over;
    Client* const client = context_.rooms.clients.find(client_);
    // The number of a client that left may be another's by now; the handle tells.
    if (client == nullptr || client->session == nullptr || client->handle != handle_) {
        streams_.clear();
        return Step::done;
    }
    const std::int32_t stream = streams_.back();
    try {
        const Step done = look(*client, stream);
        // `later` keeps the stream in the list: it is looked at again in the next turn.
        if (done == Step::done) streams_.pop_back();
        return done;
    } catch (const std::bad_alloc&) {
        ClientSession::of(*client).listener->end(*client, EndReason::memory, "memory is short");
        streams_.clear();
        return Step::done;
    }
}

bool Recheck::list() {
    ClientTable& clients = context_.rooms.clients;
    for (; nextClient_ < clients.end(); ++nextClient_) {
        const Client* const client = clients.find(nextClient_);
        if (client == nullptr || client->session == nullptr || client->mounts.empty()) continue;
        client_ = nextClient_++;
        handle_ = client->handle;
        streams_.reserve(client->mounts.size());
        for (const auto& mount : client->mounts)
            streams_.push_back(mount.first);
        context_.rooms.out.work().spend(streams_.size() * kListed);
        return true;
    }
    return false;
}

Recheck::Step Recheck::look(Client& client, std::int32_t stream) {
    const Item* const item = context_.rooms.mounts.itemOf(client, stream);
    const Service* const service = item != nullptr ? context_.rooms.services.find(item->service) : nullptr;
    // Without a service nobody can say what the rights would be; its items end with it.
    if (service == nullptr) return Step::done;
    TurnBudget& work = context_.rooms.out.work();
    work.spend(kLookedAt);
    RequestVerdict verdict;
    if (RequestCheck* const check = context_.options.requestCheck) {
        RequestAsk ask = askOf(client, *service, item->msgKey(), item->domain, item->is(Item::isPrivate));
        ask.permData = permDataOf(item);
        verdict = check->stillGranted(ask);
    }
    if (verdict.granted || verdict.unavailable) {
        const ItemStreams::Fit fit = context_.loginViews.used() ? items_.fit(client, stream) : ItemStreams::Fit::fits;
        if (fit == ItemStreams::Fit::changed) work.spend(TurnBudget::kRequest);
        return fit == ItemStreams::Fit::later ? Step::later : Step::done;
    }
    // The close must reach the client, so it waits until the client's thread has room.
    if (context_.rooms.out.behind(client) != Backlog::little) return Step::later;
    work.spend(TurnBudget::kRequest);
    items_.withdraw(client, stream, verdict.text);
    return Step::done;
}

}  // namespace emissary::hub::client
