// Runs the deadlines of clients, adds up the bytes of their keys, and counts what is refused to them. All of it with
// the session lock held.
#include "provider/ClientGuard.h"

#include "provider/Outbox.h"

#include <algorithm>

namespace emissary::reactor {

using namespace eta::codec;
using eta::transport::Channel;

namespace {

constexpr Duration kLongestPeriod = std::chrono::seconds(5), kShortestPeriod = std::chrono::milliseconds(10);
constexpr std::size_t kMaxAdminStreams = 1000;  // per client; more than a sane client ever opens

[[nodiscard]] std::string seconds(std::chrono::milliseconds time) {
    std::string text = std::to_string(time.count() / 1000);
    if (const auto rest = time.count() % 1000; rest != 0) text += "." + std::to_string(1000 + rest).substr(1);
    return text + " seconds";
}

}  // namespace

ClientGuard::~ClientGuard() {
    context_.reactor.cancelTimer(timer_);
}

void ClientGuard::beginStranger(Session& session) {
    Channel& channel = *session.link->channel();
    // Without a login there is no stranger: the connection counts as settled at once.
    if (context_.options.acceptWithoutLogin) return channel.settled();
    const ClientLimits& l = context_.options.limits;
    // Messages before the login are small; a stranger must not make the provider keep large ones.
    channel.limitInput(l.messageBytesBeforeLogin);
    session.record.refusals = 0;
    session.record.loginDue = l.loginTimeout.count() != 0 ? context_.reactor.now() + l.loginTimeout : TimePoint::max();
    watch();
}

void ClientGuard::endStranger(Session& session) {
    session.record.loginDue = TimePoint::max();
    session.record.refusals = 0;
    session.link->channel()->limitInput(0);
    session.link->channel()->settled();
    watch();
}

void ClientGuard::watch() {
    if (timer_ != 0) return;
    const ClientLimits& l = context_.options.limits;
    Duration period = kLongestPeriod;
    for (const auto limit : {l.loginTimeout, l.slowConsumerTimeout, l.partialMessageTimeout})
        // A quarter of the shortest limit, so that an end comes at most that much late.
        if (limit.count() != 0) period = std::min<Duration>(period, limit / 4);
    timer_ = context_.reactor.startTimer(std::max(period, kShortestPeriod), [this] {
        timer_ = 0;
        clients_.forEachUp([this](Session& session) { lookAfter(session); });
        if (clients_.live() != 0) watch();
    });
}

void ClientGuard::lookAfter(Session& session) {
    const TimePoint now = context_.reactor.now();
    const ClientLimits& l = context_.options.limits;
    // The deadline of the login comes first: a stranger has no other rights.
    if (now >= session.record.loginDue) {
        ++context_.counters.loginTimeouts;
        return ends_.endClient(session,
                               "no login request came within " + seconds(l.loginTimeout) + " (ClientLoginTimeout)",
                               Tell::now, farewell::overLimit);
    }
    Channel& channel = *session.link->channel();
    if (l.partialMessageTimeout.count() != 0 && channel.inputStalled(now, l.partialMessageTimeout)) {
        ++context_.counters.partialsStalled;
        return ends_.endClient(session,
                               "an incomplete message has not grown for " + seconds(l.partialMessageTimeout) +
                                   " (PartialMessageTimeout)",
                               Tell::now, farewell::overLimit);
    }
    if (l.slowConsumerTimeout.count() == 0) return;
    if (!session.record.backlog.stalled(*session.link, now, l.slowConsumerTimeout)) return;
    ++context_.counters.slowConsumers;
    ends_.endClient(session,
                    "the client reads too slowly: " + std::to_string(channel.queuedBytes()) +
                        " bytes of output wait for it, the oldest for " + seconds(l.slowConsumerTimeout) +
                        " (SlowConsumerTimeout)",
                    Tell::now, farewell::tooSlow);
}

bool ClientGuard::mayOpen(const Session& session, const Msg& request) const noexcept {
    const bool item = request.domain != rdm::kDirectoryDomain && request.domain != rdm::kDictionaryDomain;
    const std::uint32_t most = context_.options.limits.streams;
    // Items have their own limit. Directory and dictionary streams have a fixed one, which is far above what clients
    // use.
    return item ? most == 0 || session.streams.byId.size() < most : session.streams.admin.size() < kMaxAdminStreams;
}

Denied ClientGuard::keyDenied(const Session& session, const ItemKey& key) const {
    const ClientLimits& l = context_.options.limits;
    if (l.keyBytes != 0 && key.content.size() > l.keyBytes)
        return {state_code::usageError, "request refused: its key has " + std::to_string(key.content.size()) +
                                            " bytes, at most " + std::to_string(l.keyBytes) +
                                            " are taken (MaxKeySize)"};
    return {state_code::tooManyItems, "request refused: the keys of this client's open streams hold " +
                                          std::to_string(session.streams.keyBytes) + " bytes, at most " +
                                          std::to_string(l.keyBytesPerClient) + " are kept (MaxKeyBytesPerClient)"};
}

bool ClientGuard::toleratesRefusal(Session& session) {
    const std::uint32_t most = context_.options.limits.refusalsBeforeLogin;
    // A client that may ask is counted elsewhere; strangers have a number of refusals for the whole connection.
    if (mayAsk(session) || most == 0 || ++session.record.refusals <= most) return true;
    if (!session.dead) ++context_.counters.refusalLimits;
    return false;
}

bool ClientGuard::toleratesJsonFailure(Session& session) {
    const ClientLimits& l = context_.options.limits;
    if (l.refusalsPerMinute == 0) return true;
    if (!mayAsk(session)) {
        // With its login before the application it is no stranger: one text may hold all that it has to ask.
        if (session.streams.login != StreamTable::kNone) return toleratesRefusal(session);
        // A stranger with a text that is no message is ended at once: it speaks another protocol.
        return ++context_.counters.refusalLimits, false;
    }
    ClientRecord& r = session.record;
    const TimePoint now = context_.reactor.now();
    if (now - r.jsonMinute >= std::chrono::minutes(1)) {
        r.jsonMinute = now;
        r.jsonFailures = 0;
    }
    if (++r.jsonFailures <= l.refusalsPerMinute) return true;
    ++context_.counters.refusalLimits;
    return false;
}

}  // namespace emissary::reactor
