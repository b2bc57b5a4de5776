#include "hub/client/ServiceWaits.h"

#include "hub/client/Listener.h"

#include <algorithm>
#include <new>
#include <utility>

namespace emissary::hub::client {

using namespace eta::codec;

namespace {

constexpr std::size_t kOfWait = 128;  // about so many bytes of the heap, beside the message

}  // namespace

bool ServiceWaits::keep(Client& client, const Msg& request, std::int32_t stream, std::uint16_t view) {
    ClientSession& session = ClientSession::of(client);
    drop(client, stream);
    const auto refuse = [&](Reason reason, std::string_view why) {
        replies_.refuse(client, request, stream, reason, why);
        return false;
    };
    const std::size_t most = context_.options.maxMountsPerClient;
    if (most != 0 && client.mounts.size() + session.waits.size() >= most)
        return refuse(Reason::clientMounts, "this client has too many open streams (MaxMountsPerClient)");
    Msg kept = request;
    kept.streamId = stream;
    if (!encodeMsg(buffer_.start(), kept).ok()) return refuse(Reason::key, "it cannot be kept");
    const Bytes bytes = buffer_.view();
    if (!Admission::mayKeep(client, bytes.size() + kOfWait))
        return refuse(Reason::clientKeys,
                      "the keys and views of this client are too large together (MaxKeyBytesPerClient)");
    Wait wait{{bytes.begin(), bytes.end()}, view};
    session.waits.emplace(stream, std::move(wait));
    if (view != 0) context_.rooms.views.share(view);
    client.keyBytes += bytes.size() + kOfWait;
    if (session.waits.size() == 1) clients_.push_back(client.index);
    replies_.status(client, request, stream,
                    {StreamState::open, DataState::suspect, 0, eta::asBytes("Service not up yet.")});
    return true;
}

ServiceWaits::Wait ServiceWaits::takeOut(Client& client, std::int32_t stream) noexcept {
    ClientSession& session = ClientSession::of(client);
    const auto at = session.waits.find(stream);
    Wait wait = std::move(at->second);
    session.waits.erase(at);
    client.keyBytes -= wait.message.size() + kOfWait;
    if (session.waits.empty()) std::erase(clients_, client.index);
    return wait;
}

bool ServiceWaits::drop(Client& client, std::int32_t stream) noexcept {
    if (!ClientSession::of(client).waits.contains(stream)) return false;
    context_.rooms.views.release(takeOut(client, stream).view);
    return true;
}

void ServiceWaits::forget(Client& client) noexcept {
    while (!ClientSession::of(client).waits.empty())
        drop(client, ClientSession::of(client).waits.begin()->first);
}

// --- services come ---------------------------------------------------------------------------------------------------

void ServiceWaits::serviceCame() {
    if (clients_.empty() || std::exchange(posted_, true)) return;
    context_.rooms.reactor.post([this, alive = std::weak_ptr<char>(alive_)] {
        if (alive.expired()) return;
        posted_ = false;
        dealWithSome();
    });
}

void ServiceWaits::dealWithSome() {
    TurnBudget& work = context_.rooms.out.work();
    // Who lacks a service still waits on. The list may change with every request that is dealt with.
    const std::vector<std::uint32_t> all = clients_;
    for (const std::uint32_t index : all) {
        Client* const client = context_.rooms.clients.find(index);
        if (client == nullptr || client->session == nullptr || lacksDefault(context_, *client)) continue;
        const auto& waits = ClientSession::of(*client).waits;
        for (auto at = waits.begin(); at != waits.end();) {
            if (!work.left()) return serviceCame();
            work.spend(TurnBudget::kRequest);
            const std::int32_t stream = at->first;
            try {
                deal(*client, stream);
            } catch (const std::bad_alloc&) {
                ClientSession::of(*client).listener->end(*client, EndReason::memory, "memory is short");
                break;
            }
            at = waits.upper_bound(stream);
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
        again_(client, m, payload, fault, wait.view);
    }
    context_.rooms.views.release(wait.view);
}

}  // namespace emissary::hub::client
