// Asks the oldest connections of a user for a sign of life, and closes the ones that give none.
#include "hub/client/UserPlaces.h"

#include <algorithm>
#include <mutex>
#include <utility>

namespace emissary::hub::client {

using std::chrono::milliseconds;

UserPlaces::~UserPlaces() {
    context_.rooms.reactor.cancelTimer(timer_);
}

bool UserPlaces::wait(Client& client, const std::string& user, const LoginVerdict& verdict) {
    // LoginProbeTime 0: nobody is asked, the login is refused at once.
    if (context_.options.loginProbeTime.count() == 0) return false;
    forget(client);  // it has asked again
    const auto [at, isNew] = questions_.try_emplace(user);
    // One question for all logins of a user that wait: the connections are asked once, however many logins come.
    if (isNew) at->second = ask(user);
    // Memory may run out: both know of the client, or neither does.
    std::list<Waiting> added;
    added.push_back({&client, verdict});
    Place& place = waiting_[&client];
    std::list<Waiting>& waiting = at->second.waiting;
    waiting.splice(waiting.end(), added);
    place = {&at->second, std::prev(waiting.end())};
    lookAgain();
    return true;
}

void UserPlaces::forget(const Client& client) noexcept {
    const auto at = waiting_.find(&client);
    if (at != waiting_.end()) take(*at->second.question, at->second.at);
}

UserPlaces::Waiting UserPlaces::take(Question& question, std::list<Waiting>::iterator at) noexcept {
    Waiting taken = std::move(*at);
    question.waiting.erase(at);
    waiting_.erase(taken.client);
    return taken;
}

void UserPlaces::lookAgain() {
    if (timer_ != 0 || questions_.empty()) return;
    // After a cut of the network everybody may wait at once: a look at all of them would hold up everything else.
    timer_ = context_.rooms.reactor.startTimer(next_.empty() ? kLookEvery : kGoOnAfter, [this] {
        timer_ = 0;
        lookAtSome();
        lookAgain();
    });
}

void UserPlaces::lookAtSome() {
    auto at = questions_.lower_bound(next_);
    for (std::size_t looks = 0; at != questions_.end() && looks < kMostLooks; ++looks)
        // Other questions may come meanwhile, and none goes.
        at = goOn(at->first) ? std::next(at) : questions_.erase(at);
    next_ = at == questions_.end() ? std::string() : at->first;
}

UserPlaces::Question UserPlaces::ask(const std::string& user) const {
    // A question lasts LoginProbeTime at most; only then are silent connections ended.
    Question q;
    q.end = context_.rooms.reactor.now() + context_.options.loginProbeTime;
    context_.users.forEach(user, [&](const Client& each) {
        Asked a;
        a.client = context_.rooms.clients.find(each.index);
        a.session = each.session;
        // weak: the channel belongs to a link that may end meanwhile, on another thread.
        a.channel = ClientSession::of(each).wire;
        const auto channel = a.channel.lock();
        if (channel == nullptr) return;
        // The silence is read under the channel's output lock, since a front writes to it.
        const std::lock_guard guard(channel->outputLock());
        if (const auto signs = peerSigns(*channel)) a.silence = signs->silence;
        q.asked.push_back(std::move(a));
    });
    // Those that have been silent longest are the likely dead ones; with more than kMostAsked connections only they are
    // asked.
    const auto moreSilent = [](const Asked& a, const Asked& b) { return a.silence > b.silence; };
    std::stable_sort(q.asked.begin(), q.asked.end(), moreSilent);
    if (q.asked.size() > kMostAsked) q.asked.resize(kMostAsked);
    for (Asked& a : q.asked) {
        const auto channel = a.channel.lock();
        if (channel == nullptr) continue;
        // Read after the sort, right before the ping: bytes that came earlier say nothing about the answer.
        a.received = channel->counters().bytesRead;
        const std::lock_guard guard(channel->outputLock());
        a.mustAnswer = channel->pingIfIdle(context_.rooms.reactor.now(), true);
    }
    return q;
}

/// Whatever came from it says that it lives. Over RIPC nobody has to answer: there it is enough that its system
/// confirms what it was sent, unless it has kept still for more than half of the time in which it has to ping.
void UserPlaces::look(Asked& asked) noexcept {
    using State = Asked::State;
    const auto channel = asked.channel.lock();
    // Else word of its end is on its way.
    if (channel == nullptr || channel->state() != eta::transport::ChannelState::active) return;
    // heard becomes alive only in the next look: a connection that closes right after its last byte counts as gone by
    // then.
    if (asked.state == State::heard) asked.state = State::alive;
    if (asked.state != State::silent) return;
    if (channel->counters().bytesRead != asked.received) {
        asked.state = State::heard;
    } else if (!asked.mustAnswer) {
        const std::lock_guard guard(channel->outputLock());
        const auto signs = peerSigns(*channel);  // none: the same machine, where its end shows by itself
        const auto half = milliseconds(channel->info().pingTimeoutSeconds * 500);
        if (!signs || (signs->unconfirmed == 0 && signs->silence <= half)) asked.state = State::heard;
    }
}

bool UserPlaces::goOn(const std::string& user) {
    const auto at = questions_.find(user);
    if (at == questions_.end()) return true;
    Question& q = at->second;
    // A place has become free, whether by this question or not.
    const auto mayHave = [this](const LoginVerdict& v) {
        return v.maxLogins.value_or(context_.options.maxLoginsPerUser);
    };
    while (!q.waiting.empty() && context_.users.logins(user) < mayHave(q.waiting.front().verdict)) {
        const Waiting next = take(q, q.waiting.begin());
        verdicts_.decide(*next.client, next.verdict);
    }
    // Ended or logged in as somebody else: its place is no longer this user's.
    std::erase_if(q.asked, [&](const Asked& a) { return !a.there() || a.client->user != user; });
    for (Asked& a : q.asked)
        look(a);
    if (context_.rooms.reactor.now() >= q.end) makeRoom(q);
    const auto coming = static_cast<std::size_t>(
        std::count_if(q.asked.begin(), q.asked.end(), [](const Asked& a) { return a.state != Asked::State::alive; }));
    // No more logins wait than there are connections that may still give way.
    while (q.waiting.size() > coming) {
        // The last one goes first: it came with the fewest chances.
        verdicts_.refuse(*take(q, std::prev(q.waiting.end())).client);
    }
    return !q.waiting.empty();
}

/// The time is up: those who have said nothing go, the most silent first, one for each login that waits.
void UserPlaces::makeRoom(Question& q) {
    std::size_t ended = 0;
    for (Asked& a : q.asked) {
        if (a.state == Asked::State::silent && ended < q.waiting.size()) {
            a.state = Asked::State::ended;
            const std::string sent = a.mustAnswer ? "did not answer a ping" : "gave no sign of life";
            verdicts_.end(*a.client, "its user has logged in again, has no more logins, and this connection " + sent +
                                         " within " + std::to_string(context_.options.loginProbeTime.count()) +
                                         " ms (MaxLoginsPerUser, LoginProbeTime)");
        }
        ended += a.state == Asked::State::ended ? 1 : 0;
        if (a.state == Asked::State::silent) a.state = Asked::State::alive;  // nobody needs its place
    }
}

}  // namespace emissary::hub::client
