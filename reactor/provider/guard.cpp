// What clients may cost in time and memory: deadlines for the login, for incomplete messages and for output that is not
// read, and the room for their keys.
#include "provider/ProviderRoleImpl.h"

#include <algorithm>

namespace emissary::reactor {

using namespace eta::codec;
using eta::transport::Channel;

namespace {

// Output of less than this may wait as long as it likes: who sleeps for a while costs next to nothing.
constexpr std::size_t kHarmlessBytes = 1u << 20;
constexpr Duration kLongestPeriod = std::chrono::seconds(5), kShortestPeriod = std::chrono::milliseconds(10);

[[nodiscard]] std::string seconds(std::chrono::milliseconds time) {
    std::string text = std::to_string(time.count() / 1000);
    if (const auto rest = time.count() % 1000; rest != 0) text += "." + std::to_string(1000 + rest).substr(1);
    return text + " seconds";
}

}  // namespace

/// The connection is made, or its login has ended: who it is is not known.
void ProviderRole::Impl::beginStranger(Session& session) {
    Channel& channel = *session.link->channel();
    if (options.acceptWithoutLogin) return channel.settled();
    const ClientLimits& l = options.limits;
    channel.limitInput(l.messageBytesBeforeLogin);
    session.refusals = 0;
    session.loginDue = l.loginTimeout.count() != 0 ? reactor.now() + l.loginTimeout : TimePoint::max();
    watchClients();
}

/// The application has accepted the login.
void ProviderRole::Impl::endStranger(Session& session) {
    session.loginDue = TimePoint::max();
    session.refusals = 0;
    session.link->channel()->limitInput(0);
    session.link->channel()->settled();
    watchClients();
}

void ProviderRole::Impl::watchClients() {
    if (guardTimer != 0) return;
    Duration period = kLongestPeriod;
    for (const auto limit :
         {options.limits.loginTimeout, options.limits.slowConsumerTimeout, options.limits.partialMessageTimeout})
        if (limit.count() != 0) period = std::min<Duration>(period, limit / 4);
    guardTimer = reactor.startTimer(std::max(period, kShortestPeriod), [this] {
        guardTimer = 0;
        for (std::size_t i = 0; i < sessions.size(); ++i)
            if (Session* session = sessions[i].session.get(); session != nullptr && session->up) lookAfter(*session);
        if (live != 0) watchClients();
    });
}

void ProviderRole::Impl::lookAfter(Session& session) {
    const TimePoint now = reactor.now();
    const ClientLimits& l = options.limits;
    if (now >= session.loginDue) {
        ++counters.loginTimeouts;
        return endSession(session, "no login request came within " + seconds(l.loginTimeout) + " (ClientLoginTimeout)",
                          Tell::now);
    }
    Channel& channel = *session.link->channel();
    if (l.partialMessageTimeout.count() != 0 && channel.inputStalled(now, l.partialMessageTimeout)) {
        ++counters.partialsStalled;
        return endSession(session,
                          "an incomplete message has not grown for " + seconds(l.partialMessageTimeout) +
                              " (PartialMessageTimeout)",
                          Tell::now);
    }
    if (l.slowConsumerTimeout.count() == 0) return;
    // What waited then must have left by now; more than that is not asked of a client that is kept busy.
    Session::Backlog& b = session.backlog;
    const std::size_t queued = channel.queuedBytes();
    if (queued < std::min(kHarmlessBytes, outputBound(session) / 2)) return void(b.watched = false);
    const std::uint64_t written = channel.counters().uncompressedBytesWritten;
    if (!b.watched || written >= b.end) {
        b = {written + queued, now, true};
        return;
    }
    if (now - b.since < l.slowConsumerTimeout) return;
    ++counters.slowConsumers;
    endSession(session,
               "the client reads too slowly: " + std::to_string(queued) +
                   " bytes of output wait for it, the oldest for " + seconds(l.slowConsumerTimeout) +
                   " (SlowConsumerTimeout)",
               Tell::now);
}

/// True when the key is refused, for its size or for what this client's keys hold already. `replaced`: bytes of the key
/// whose place it takes.
bool ProviderRole::Impl::keyTooLarge(Session& session, const Msg& m, const ItemKey& key, std::size_t replaced) {
    const ClientLimits& l = options.limits;
    const std::size_t size = key.content.size();
    if (l.keyBytes != 0 && size > l.keyBytes) {
        refuse(session, m, kUsageError,
               "request refused: its key has " + std::to_string(size) + " bytes, at most " +
                   std::to_string(l.keyBytes) + " are taken (MaxKeySize)");
        return true;
    }
    if (l.keyBytesPerClient == 0 || session.keyBytes - replaced + size <= l.keyBytesPerClient) return false;
    refuse(session, m, kTooManyItems,
           "request refused: the keys of this client's open streams hold " + std::to_string(session.keyBytes) +
               " bytes, at most " + std::to_string(l.keyBytesPerClient) + " are kept (MaxKeyBytesPerClient)");
    return true;
}

/// Counts a text that was refused; false when it was one too many.
bool Session::toleratesJsonFailure(Link&) {
    const ClientLimits& l = role.options.limits;
    if (dead || l.refusalsPerMinute == 0) return true;
    if (!loggedIn && !role.options.acceptWithoutLogin) return ++role.counters.refusalLimits, false;
    const TimePoint now = role.reactor.now();
    if (now - jsonMinute >= std::chrono::minutes(1)) {
        jsonMinute = now;
        jsonFailures = 0;
    }
    if (++jsonFailures <= l.refusalsPerMinute) return true;
    ++role.counters.refusalLimits;
    return false;
}

}  // namespace emissary::reactor
