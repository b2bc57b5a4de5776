// Watches how much output waits for each client, and ends those that have not read in time.
#include "hub/fanout/SlowClients.h"

#include "hub/conflate/PendingUpdates.h"

#include <algorithm>
#include <mutex>
#include <new>
#include <utility>

namespace emissary::hub::fanout {

namespace {

constexpr std::uint8_t kJitConflationStarted = 7, kRealtimeResumed = 8;  // codes of states
// Sent to clients that read again, by one look at all of them; the next look follows in the next turn when this was not
// enough: a client gets what waits as fast as it reads it, and everybody else has a turn in between.
constexpr std::size_t kBytesARound = 256u << 10;

[[nodiscard]] std::string who(const Client& client) {
    const std::string name = client.user.empty() ? "a client with a token" : "the client '" + client.user + "'";
    return name + " at " + (client.position.empty() ? "an unknown position" : client.position);
}

}  // namespace

SlowClients::SlowClients(ClientTable& clients, reactor::Reactor& reactor, const SlowRules& rules, Counts& counts,
                         CutOff cutOff, Waiting& waiting)
    : clients_(clients), reactor_(reactor), rules_(rules), leastBehind_(rules.behindAbove), shortest_(rules.timeout),
      counts_(counts), cutOff_(std::move(cutOff)), waiting_(waiting) {}

void SlowClients::addListener(const SlowRules& rules) {
    ofListeners_.push_back(rules);
    leastBehind_ = std::min(leastBehind_, rules.behindAbove);
    for (const auto time : {rules.timeout, rules.mostAge})
        if (time.count() != 0) shortest_ = shortest_.count() == 0 ? time : std::min(shortest_, time);
}

void SlowClients::changeRules(std::span<const SlowRules> rules) {
    std::vector<SlowRules> before;
    before.swap(ofListeners_);
    leastBehind_ = rules_.behindAbove;
    shortest_ = rules_.timeout;
    try {
        for (const SlowRules& one : rules)
            addListener(one);
    } catch (...) {
        before.swap(ofListeners_);
        throw;
    }
    for (std::uint32_t i = 0; i < clients_.end(); ++i)
        if (Client* const client = clients_.find(i); client != nullptr && client->link != nullptr) {
            admit(*client);
            queued(*client, client->link->queuedBytes());
        }
    hurry();
}

SlowClients::~SlowClients() {
    reactor_.cancelTimer(timer_);
}

Client* SlowClients::find(const Record& record) noexcept {
    Client* const client = clients_.find(record.client);
    return client != nullptr && client->handle == record.handle && client->link != nullptr ? client : nullptr;
}

void SlowClients::admit(Client& client) noexcept {
    eta::transport::Channel* const channel = client.link != nullptr ? client.link->channel() : nullptr;
    if (channel == nullptr) return;
    const std::size_t buffers = rulesOf(client).disconnectAbove / channel->maxFragmentSize() + 2;
    const std::lock_guard guard(channel->outputLock());
    if (channel->info().maxOutputBuffers < buffers)
        static_cast<void>(channel->setOption(eta::transport::ioctl_code::maxOutputBuffers,
                                             static_cast<std::uint32_t>(std::min<std::size_t>(buffers, UINT32_MAX))));
}

void SlowClients::look(Client& client, std::size_t bytes) noexcept try {
    const SlowRules& rules = rulesOf(client);
    if (client.cutOff || (bytes <= rules.behindAbove && !client.behind)) return;
    if (bytes > rules.disconnectAbove)
        return end(client, Cut::slow,
                   waits(client, bytes) + "; DisconnectAbove is " + std::to_string(rules.disconnectAbove));
    if (!client.behind) {  // else the rounds see when it has caught up
        behind_.push_back({client.index,
                           client.handle,
                           client.link->channel()->counters().uncompressedBytesWritten,
                           reactor_.now(),
                           reactor_.now(),
                           {}});
        client.behind = true;
        counts_.slow = behind_.size();
        watch();
    }
    if (bytes > rules.unreadAbove() && !client.unread) leaveUnread(client);
} catch (const std::bad_alloc&) {  // the next message tries again
}

/// What it sends waits on its own side until it has taken some of what waits for it here.
void SlowClients::leaveUnread(Client& client) {
    client.link->hold(true);
    client.unread = true;
    ++counts_.unread;
    if (unreadChanged) unreadChanged(client);
    if (unread_++ == 0) hurry();
}

/// In a later turn, if the client is still there: in this one it may just be written to.
template <class F>
void SlowClients::later(const Client& client, F&& f) {
    reactor_.post([this, alive = std::weak_ptr<char>(alive_),
                   record = Record{client.index, client.handle, 0, {}, {}, {}}, f = std::forward<F>(f)] {
        if (alive.expired()) return;
        if (Client* const found = find(record); found != nullptr) f(*found);
    });
}

void SlowClients::joins(Client& client) {
    if (const auto record = std::ranges::find(behind_, client.index, &Record::client); record != behind_.end())
        record->joinedSince = reactor_.now();
    client.saysJoined = true;
    later(client, [this, bytes = client.link->queuedBytes()](Client& found) {
        try {
            if (found.saysJoined) tellJoined(found, bytes);
        } catch (const std::bad_alloc&) { starved(found); }
    });
    if (joining_++ == 0) hurry();
    counts_.joining = joining_;
}

/// The client reads this late, but it reads it: the status says how its connection would end.
void SlowClients::tellJoined(Client& client, std::size_t queued) {
    const SlowRules& rules = rulesOf(client);
    const std::string bytes =
        std::to_string(queued) + " bytes waited for it, and ConflateAbove is " + std::to_string(rules.behindAbove);
    std::string end = "more than " + std::to_string(rules.disconnectAbove) + " bytes (DisconnectAbove)";
    if (rules.timeout.count() != 0)
        end += " or " + std::to_string(rules.timeout.count() / 1000) + " s without a byte taken (SlowClientTimeout)";
    if (rules.mostAge.count() != 0)
        end += " or an update that waits for " + std::to_string(rules.mostAge.count() / 1000) + " s (ConflateAge)";
    waiting_.tellState(client, kJitConflationStarted,
                       "this client reads too slowly: " + bytes + "; its updates are joined; " + end +
                           " end its connection");
    if (notice) notice(Severity::warning, who(client) + " reads too slowly: " + bytes + "; its updates are joined");
}

void SlowClients::tellCaughtUp(Client& client, const Record& record) {
    client.saysJoined = false;
    waiting_.tellState(client, kRealtimeResumed, "this client has caught up: updates come as they are");
    const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(reactor_.now() - record.joinedSince);
    if (notice)
        notice(Severity::success,
               who(client) + " has caught up; updates were joined for " + std::to_string(took.count()) + " ms");
}

/// The rounds are rare as long as nobody waits for them.
void SlowClients::hurry() {
    reactor_.cancelTimer(std::exchange(timer_, 0));
    watch();
}

/// True: nothing waits for the client any more, or it waits for its limit (OutputLimits). What comes next goes behind
/// what was sent.
bool SlowClients::sendWaiting(Client& client, const Record& record, std::size_t& left) try {
    const std::size_t sent = waiting_.sendOldest(client, std::min(left, rulesOf(client).behindAbove));
    left -= std::min(left, sent);
    if (!client.pending->empty() && !client.overLimit) return false;
    if (client.saysJoined) tellCaughtUp(client, record);
    if (client.pending->empty()) client.pending.reset();
    return true;
} catch (const std::bad_alloc&) {  // in the middle of an update that goes in parts, perhaps
    starved(client);
    return false;
}

void SlowClients::readAgain(Client& client) noexcept try {
    if (!client.waits) client.link->hold(false);
    client.unread = false;
    if (unreadChanged) unreadChanged(client);
} catch (const std::bad_alloc&) {  // the next round tries again
}

/// "the client reads too slowly: 200100 bytes wait for it, since 1.2 s"
std::string SlowClients::waits(const Client& client, std::size_t bytes) const {
    const auto record = std::ranges::find(behind_, client.index, &Record::client);
    const auto since = record != behind_.end() ? reactor_.now() - record->behindSince : reactor::Duration::zero();
    const auto tenths = std::chrono::duration_cast<std::chrono::milliseconds>(since).count() / 100;
    return "the client reads too slowly: " + std::to_string(bytes) + " bytes wait for it, since " +
           std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " s";
}

void SlowClients::overrun(Client& client) noexcept try {
    if (client.cutOff) return;
    end(client, Cut::slow,
        waits(client, client.link->queuedBytes()) + ", no room for more; DisconnectAbove is " +
            std::to_string(rulesOf(client).disconnectAbove));
} catch (const std::bad_alloc&) {  // the next message tries again
}

void SlowClients::starved(Client& client) noexcept try {
    if (!client.cutOff) end(client, Cut::memory, "memory is short");
} catch (const std::bad_alloc&) {  // the next message tries again
}

void SlowClients::end(Client& client, Cut kind, const std::string& why) {
    later(client, [this, kind, why](Client& found) { cutOff_(found, kind, why); });
    client.cutOff = true;
    if (kind == Cut::slow) ++counts_.cutOff;
}

/// A few looks within the time that is allowed, and often enough to see who has caught up. While clients take what
/// waits, the looks follow what the system's buffers hold: at a look in 5 ms they would bound the rate.
void SlowClients::watch() {
    if (timer_ != 0 || behind_.empty()) return;
    constexpr std::chrono::milliseconds least{5};
    const std::chrono::milliseconds most{unread_ != 0 || joining_ != 0 ? 5 : 200};
    auto period = shortest_.count() == 0 ? most : std::clamp(shortest_ / 4, least, most);
    if (sending_ != Sending::nothing) period = std::chrono::milliseconds(sending_ == Sending::all ? 0 : 1);
    timer_ = reactor_.startTimer(period, [this] {
        timer_ = 0;
        round();
        watch();
    });
}

void SlowClients::round() {
    unread_ = joining_ = 0;
    std::size_t left = kBytesARound, bytes = 0;
    std::uint32_t next = Client::kNoDelivery;  // of the clients, the first that got nothing of this round
    bool taking = false;                       // a client for which updates wait takes what it is sent
    const auto over = [&](Record& r) {
        Client* const client = find(r);
        if (client == nullptr || client->cutOff) return true;
        const SlowRules& rules = rulesOf(*client);
        const std::size_t queued = client->link->queuedBytes();
        if (client->unread && (queued < rules.unreadAbove() / 2 || queued < rules.behindBelow)) readAgain(*client);
        if (client->unread) ++unread_;
        if (queued < rules.behindBelow) {
            if (left == 0 && client->pending != nullptr && next == Client::kNoDelivery) next = r.client;
            const bool waits = client->pending != nullptr && !sendWaiting(*client, r, left);
            if (!waits && !client->unread) {
                client->behind = false;
                return true;
            }
        }
        if (client->pending != nullptr) {
            ++joining_;
            bytes += client->pending->memory();
            if (rules.mostAge.count() != 0 && !client->pending->empty() && !client->overLimit &&
                // What waited before, for the limit of its login, is not the client's doing.
                reactor_.now() - std::max(client->pending->oldest(), r.behindSince) > rules.mostAge) {
                const auto limit = std::to_string(rules.mostAge.count() / 1000);
                end(*client, Cut::slow,
                    waits(*client, queued) + ", and updates that are joined for " + limit +
                        " s and longer; ConflateAge is " + limit + " s");
                return true;
            }
        }
        const std::uint64_t written = client->link->channel()->counters().uncompressedBytesWritten;
        if (written != r.written) {
            taking = taking || client->pending != nullptr;
            r.written = written;
            r.since = reactor_.now();
        } else if (rules.timeout.count() != 0 && reactor_.now() - r.since >= rules.timeout) {
            const auto limit = std::to_string(rules.timeout.count() / 1000);
            end(*client, Cut::slow,
                "the client has read nothing for " + limit + " s: " + std::to_string(queued) +
                    " bytes wait for it; SlowClientTimeout is " + limit + " s");
            return true;
        }
        return false;
    };
    // What is sent may fill the log of the turn, and writing that out adds clients here: no iterator holds, and those
    // are looked at as well.
    std::size_t kept = 0;
    for (std::size_t at = 0; at < behind_.size(); ++at) {
        Record r = behind_[at];
        if (!over(r)) behind_[kept++] = r;
    }
    behind_.resize(kept);
    if (next != Client::kNoDelivery)
        std::rotate(behind_.begin(), std::ranges::find(behind_, next, &Record::client), behind_.end());
    sending_ = left == 0 ? Sending::all : taking ? Sending::some : Sending::nothing;
    counts_.slow = behind_.size();
    counts_.joining = joining_;
    counts_.joinedBytes = bytes;
}

}  // namespace emissary::hub::fanout
