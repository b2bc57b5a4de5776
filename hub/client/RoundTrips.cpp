// Sends round-trip requests on login streams and notes how long the answers took.
#include "hub/client/RoundTrips.h"

#include "eta/codec/containers.h"
#include "eta/codec/encoders.h"

#include <algorithm>
#include <utility>

namespace emissary::hub::client {

using namespace eta::codec;

RoundTrips::~RoundTrips() {
    context_.rooms.reactor.cancelTimer(timer_);
}

void RoundTrips::start() {
    if (context_.options.rttInterval.count() <= 0 || timer_ != 0) return;
    timer_ = context_.rooms.reactor.startTimer(context_.options.rttInterval, [this] {
        timer_ = 0;
        start();
        probeAll();
    });
}

void RoundTrips::restart() {
    context_.rooms.reactor.cancelTimer(std::exchange(timer_, 0));
    start();
}

// At least 1: 0 stands for no probe under way.
std::uint64_t RoundTrips::ticks() const noexcept {
    const auto since = context_.rooms.reactor.now().time_since_epoch();
    return std::max<std::uint64_t>(
        1, static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(since).count()));
}

void RoundTrips::probeAll() {
    ClientTable& clients = context_.rooms.clients;
    for (std::uint32_t i = 0; i < clients.end(); ++i) {
        Client* const client = clients.find(i);
        if (client == nullptr || client->session == nullptr || !client->loggedIn) continue;
        const ClientSession& session = ClientSession::of(*client);
        // A probe without an answer is not repeated: the time of the next answer would be anybody's guess.
        if (session.answersProbes && session.probe == 0) probe(*client);
    }
}

void RoundTrips::probe(Client& client) {
    ClientSession& session = ClientSession::of(client);
    const std::uint64_t now = ticks();
    ElementListEncoder list;
    // Nanoseconds of the monotonic clock. Only this hub reads them again, so peers need no common clock.
    list.begin(payload_.start());
    list.addUInt("Ticks", now);
    if (session.lastLatency != 0) list.addUInt("RoundTripLatency", session.lastLatency);
    if (!list.complete().ok()) return;
    Msg m;
    m.cls = MsgClass::Generic;
    m.domain = kLoginDomain;
    m.flags = GenericFlag::complete;
    m.containerType = DataType::ElementList;
    m.payload = payload_.view();
    // Remembered only when it was sent.
    if (context_.rooms.out.tell(client, client.loginStream, m).ok()) session.probe = now;
}

void RoundTrips::onAnswer(Client& client, const Msg& m) {
    ClientSession& session = ClientSession::of(client);
    ElementListDecoder list;
    std::uint64_t answered = 0;
    if (list.start(m.payload).ok()) {
        ElementEntry e;
        while (list.next(e))
            if (eta::asText(e.name) == "Ticks" && e.type == DataType::UInt &&
                decodeUInt(e.data, answered) != Decoded::value)
                answered = 0;
        if (!list.error().ok()) answered = 0;
    }
    // An answer to an older probe, or one that was made up, would be taken for a very long or very short way.
    if (answered == 0 || answered != session.probe) return void(++context_.counts.of.ignored);
    session.lastLatency = std::max<std::uint64_t>(1, ticks() - std::exchange(session.probe, 0));
    context_.counts.of.roundTrips.record(std::chrono::nanoseconds(session.lastLatency));
}

}  // namespace emissary::hub::client
