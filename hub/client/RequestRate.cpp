#include "hub/client/RequestRate.h"

#include "hub/client/Listener.h"

#include <algorithm>

namespace emissary::hub::client {

using namespace eta::codec;

namespace {
constexpr auto kPeriod = std::chrono::milliseconds(50);
}

RequestRate::~RequestRate() {
    context_.rooms.reactor.cancelTimer(timer_);
}

bool RequestRate::onMessage(Client& client, const Msg& m) {
    if (context_.options.requestsPerSecond == 0) [[likely]]
        return items_.onMessage(client, m);
    ClientSession& session = ClientSession::of(client);
    if (session.held.empty() && (m.cls != MsgClass::Request || pass(session))) return items_.onMessage(client, m);
    hold(client, m);
    return true;
}

bool RequestRate::pass(ClientSession& session) {
    const double rate = context_.options.requestsPerSecond;
    const reactor::TimePoint now = context_.rooms.reactor.now();
    const double gone = std::chrono::duration<double>(now - session.allowanceAt).count();
    session.allowance = std::min(rate, session.allowance + gone * rate);
    session.allowanceAt = now;
    if (session.allowance < 1) return false;
    session.allowance -= 1;
    return true;
}

void RequestRate::hold(Client& client, const Msg& m) {
    const Bytes message = m.raw;
    ClientSession& session = ClientSession::of(client);
    const std::size_t most = std::size_t{context_.options.requestsPerSecond} * 10;
    if (session.held.size() >= most || session.heldBytes + message.size() > kMostBytes) {
        session.listener->end(client, EndReason::requestRate,
                              "the client sends more than ten times as many requests as it may "
                              "(RequestsPerSecondPerClient)");
        return;
    }
    ++context_.counts.of.held;
    // Who serves the connection on another thread says it with the message, and knows it no more afterwards.
    const bool collides = m.cls == MsgClass::Request && m.has(RequestFlag::batch) &&
                          session.listener->connections().hasStream(client, m.streamId, m.streamId);
    session.held.push_back({{message.begin(), message.end()}, collides});
    session.heldBytes += message.size();
    if (timer_ == 0) timer_ = context_.rooms.reactor.startTimer(kPeriod, [this] { release(); });
}

void RequestRate::release() {
    timer_ = 0;
    bool more = false;
    ClientTable& clients = context_.rooms.clients;
    for (std::uint32_t i = 0; i < clients.end(); ++i) {
        Client* const client = clients.find(i);
        if (client == nullptr || client->session == nullptr) continue;
        release(*client);
        more = more || !ClientSession::of(*client).held.empty();
    }
    if (more && timer_ == 0) timer_ = context_.rooms.reactor.startTimer(kPeriod, [this] { release(); });
}

void RequestRate::release(Client& client) {
    ClientSession& session = ClientSession::of(client);
    while (!session.held.empty()) {
        const std::vector<std::byte>& bytes = session.held.front().message;
        Msg m;
        const bool good = decodeMsg(bytes, m).ok();  // it was when it came
        if (good && m.cls == MsgClass::Request && !pass(session)) return;
        context_.collides = session.held.front().collides;
        if (good) (void)items_.onMessage(client, m);
        context_.collides = false;
        session.heldBytes -= bytes.size();
        session.held.pop_front();
    }
}

}  // namespace emissary::hub::client
