// tools/wsload: the life of a client, and what it counts of each message.
#include "Client.h"

#include "Json.h"

#include "eta/core/Clock.h"
#include "eta/core/printable.h"

#include <sys/socket.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>

namespace emissary::wsload {

using eta::Clock;
using eta::TimePoint;
using eta::transport::Channel;
using eta::transport::ChannelState;
using eta::transport::InitStatus;
using eta::transport::ReadResult;

namespace {

constexpr std::int32_t kLogin = 1, kCookieLogin = -1,
                       kFirst = 3;         // stream ids; 2 is the batch, which opens the ids behind its own
constexpr unsigned kMostReads = 16;        // messages of one client before others have their turn
constexpr std::uint64_t kSlowBite = 2048;  // bytes that a slow one reads between two pauses

std::string_view asText(eta::Bytes b) {
    return {reinterpret_cast<const char*>(b.data()), b.size()};
}

std::uint64_t microseconds(TimePoint t) {
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::microseconds>(t.time_since_epoch()).count());
}

}  // namespace

Client::Client(ThreadState& thread, unsigned number, Group group)
    : thread_(thread), number_(number), group_(group), slow_(group == Group::slow) {
    for (const std::uint32_t item : thread.setup.items.of(number))
        streams_.emplace_back().item = item;
}

std::string Client::user() const {
    std::string name = thread_.setup.options.user;
    if (const auto at = name.find("%d"); at != name.npos) name.replace(at, 2, std::to_string(number_));
    return name;
}

Client::Next Client::connect(TimePoint now) {
    if (over_) return Next::nothing;
    eta::Refused refused;
    // Slow clients have connect options of their own.
    channel_ = Channel::connect(slow_ ? *thread_.setup.slowRoute : *thread_.setup.route, now, refused);
    bytesSeen_ = 0;
    if (channel_) return Next::wait;
    return lost(refused.text, now);
}

Client::Next Client::serve(TimePoint now) {
    if (fd() < 0) return Next::nothing;
    if (channel_->state() == ChannelState::initializing) {
        switch (channel_->init(now)) {
        case InitStatus::inProgress:
        case InitStatus::descriptorChanged:
            return now > channel_->initDeadline() ? lost("no connection within the time for it", now) : Next::wait;
        case InitStatus::failed:
            return lost(channel_->errorText(), now);
        case InitStatus::active:
            login();
        }
    }
    {
        // Requests of the last turn may wait for room.
        const std::lock_guard guard(channel_->outputLock());
        if (channel_->queuedBytes() != 0) (void)channel_->flush();
    }
    return readOn(now);
}

Client::Next Client::readOn(TimePoint now) {
    bool fresh = true;
    TimePoint arrival = now;
    for (unsigned n = 0; n < kMostReads || slow_; ++n) {
        const ReadResult r = channel_->read();
        if (fresh) arrival = Clock::now();  // what follows in the buffer came with it
        fresh = !r.more;
        if (r.kind == ReadResult::Kind::closed) return lost(channel_->errorText(), arrival);
        if (r.kind == ReadResult::Kind::message) take(asText(r.message), arrival);
        if (over_) {
            forget(arrival);
            return Next::nothing;
        }
        if (r.kind == ReadResult::Kind::wouldBlock && !r.more) break;
        if (slow_ && (!r.more || channel_->counters().bytesRead - bytesSeen_ >= kSlowBite)) break;
        // Epoll is asked anew only when the descriptor has nothing left: messages that are read already raise no event.
        if (n + 1 == kMostReads && !slow_) return Next::again;
    }
    if (std::exchange(askAgain_, false)) return Next::askAgain;
    if (!slow_) return Next::wait;
    const std::uint64_t all = channel_->counters().bytesRead;
    const double seconds = static_cast<double>(all - bytesSeen_) / thread_.setup.options.slowBytes;
    bytesSeen_ = all;
    pausedUntil_ =
        // A pause begins where the last one ended: the rate holds on average.
        std::max(pausedUntil_, now) + std::chrono::duration_cast<eta::Duration>(std::chrono::duration<double>(seconds));
    return open() ? Next::pause : Next::wait;  // the images come at full speed
}

/// Half random, so that not all come back at the same moment; longer each time.
std::chrono::milliseconds Client::pauseBeforeReturn() {
    const unsigned longest = std::min(500u << std::min(tries_++, 4u), 5000u);
    return std::chrono::milliseconds(50 + thread_.random() % longest);
}

void Client::forget(TimePoint now) {
    if (open()) thread_.tally.ready.fetch_sub(1, std::memory_order_relaxed);
    for (Stream& s : streams_) {
        stale(s, false, now);
        s.image = s.closed = false;
    }
    images_ = 0;
    loggedIn_ = askAgain_ = false;
    thread_.tally.postsLost += unanswered_.size();
    thread_.tally.unanswered.fetch_sub(unanswered_.size(), std::memory_order_relaxed);
    // Posts without an answer are counted as lost: whoever comes back has new ids of posts, and no answer can follow.
    unanswered_.clear();
    if (channel_) channel_->close();
}

void Client::giveUp(std::string why) {
    if (over_) return;
    over_ = true;
    thread_.tally.ended.fetch_add(1, std::memory_order_relaxed);
    thread_.tally.trouble(user() + ": " + eta::printable(why));
}

Client::Next Client::lost(const std::string& why, TimePoint now) {
    const Options& o = thread_.setup.options;
    const bool wasActive = loggedIn_;
    forget(now);
    ++figures_.losses;
    thread_.tally.lost.fetch_add(1, std::memory_order_relaxed);
    if (o.recover == 0) {
        giveUp((wasActive ? "connection lost: " : "no connection: ") + why);
        return Next::nothing;
    }
    if (lostAt_ == TimePoint{}) lostAt_ = now;
    if (figures_.losses == 1) thread_.tally.trouble(user() + ": connection lost: " + eta::printable(why));
    return Next::comeBack;
}

void Client::leave(bool reset, TimePoint now) {
    if (!channel_) return;
    if (reset) {
        const linger at_once{.l_onoff = 1, .l_linger = 0};
        // SO_LINGER with 0 sends a reset, as a client does that has died.
        (void)::setsockopt(channel_->fd(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    }
    forget(now);
    lostAt_ = now;
}

Client::Next Client::look(TimePoint now, bool trim) {
    if (fd() < 0) return Next::nothing;
    if (channel_->state() == ChannelState::initializing)
        return now > channel_->initDeadline() ? lost("no connection within the time for it", now) : Next::wait;
    if (channel_->pingExpired(now, slow_)) return lost("the server has fallen silent", now);
    if (trim) {
        channel_->trimInput();
        const std::lock_guard guard(channel_->outputLock());
        (void)channel_->trimOutput();
    }
    return Next::wait;
}

void Client::end(TimePoint now) {
    for (Stream& s : streams_)
        stale(s, false, now);
    if (channel_) channel_->close();
}

std::string Client::missing() const {
    if (over_ || open()) return {};
    const std::string who = user();
    if (!channel_ || channel_->state() != ChannelState::active) return who + " is not connected";
    if (!loggedIn_) return who + " is not logged in";
    const auto at = std::ranges::find(streams_, false, &Stream::image);
    return who + " has no image of " + thread_.setup.items.name(at->item) + " of service " +
           thread_.setup.options.service;
}

// --- output ----------------------------------------------------------------------------------------------------------

void Client::send(const std::string& text) {
    const std::lock_guard guard(channel_->outputLock());
    if (!channel_->write(eta::asBytes(text)).ok()) return giveUp("a request did not fit");
    (void)channel_->flush();
}

std::int32_t Client::loginId() const noexcept {
    return thread_.setup.options.cookies.empty() ? kLogin : kCookieLogin;
}

void Client::login() {
    const Options& o = thread_.setup.options;
    if (!o.cookies.empty()) return;  // they have gone with the upgrade
    const std::string elements = R"("ApplicationId":"256","ApplicationName":"wsload","Position":"127.0.0.1/net")";
    if (o.token.empty())
        send(R"({"ID":1,"Domain":"Login","Key":{"Name":)" + quoted(user()) + R"(,"Elements":{)" + elements + "}}}");
    else
        send(R"({"ID":1,"Domain":"Login","Key":{"NameType":"AuthnToken","Elements":{"AuthenticationToken":)" +
             quoted(o.token) + "," + elements + "}}}");
}

void Client::ask() {
    const Options& o = thread_.setup.options;
    std::string view;
    for (const std::string& field : o.view)
        view += (view.empty() ? R"(,"View":[)" : ",") + quoted(field);
    if (!view.empty()) view += ']';
    const std::string service = R"("Service":)" + quoted(o.service);
    const bool none = std::ranges::none_of(streams_, &Stream::closed);
    // A batch names all items. After a closed item only that one is asked for again.
    if (o.batch && none) {
        std::string names;
        for (const Stream& s : streams_)
            names += (names.empty() ? "" : ",") + quoted(thread_.setup.items.name(s.item));
        return send(R"({"ID":2,"Key":{"Name":[)" + names + "]," + service + "}" + view + "}");
    }
    for (std::size_t i = 0; i < streams_.size() && !over_; ++i) {
        if (streams_[i].image || (!none && !streams_[i].closed)) continue;
        streams_[i].closed = false;
        send(R"({"ID":)" + std::to_string(kFirst + static_cast<std::int32_t>(i)) + R"(,"Key":{"Name":)" +
             quoted(thread_.setup.items.name(streams_[i].item)) + "," + service + "}" + view + "}");
    }
}

void Client::post(TimePoint now) {
    const std::uint64_t id = ++posts_;
    const Stream& stream = streams_[id % streams_.size()];
    unanswered_.insert(id);
    thread_.tally.unanswered.fetch_add(1, std::memory_order_relaxed);
    ++thread_.tally.posts;
    send(R"({"ID":)" + std::to_string(loginId()) + R"(,"Type":"Post","Ack":true,"PostID":)" + std::to_string(id) +
         R"(,"PostUserInfo":{"Address":"127.0.0.1","UserID":)" + std::to_string(number_ + 1) + R"(},"Key":{"Name":)" +
         quoted(thread_.setup.items.name(stream.item)) + R"(,"Service":)" + quoted(thread_.setup.options.service) +
         R"(},"Message":{"ID":0,"Type":"Update","Fields":{"TIM_TRK_2":)" + std::to_string(microseconds(now)) + "}}}");
}

Client::Next Client::askAgain() {
    if (!loggedIn_ || over_) return Next::nothing;
    ask();
    return Next::wait;
}

// --- input -----------------------------------------------------------------------------------------------------------

Stream* Client::streamOf(std::int32_t id) {
    const auto at = static_cast<std::size_t>(id - kFirst);
    return id >= kFirst && at < streams_.size() ? &streams_[at] : nullptr;
}

void Client::take(std::string_view text, TimePoint arrival) {
    thread_.live.counts.bytes += text.size();
    Scanner scanner(text);
    for (Seen seen; !over_ && scanner.next(seen);)
        if (seen.type == Seen::Type::update && seen.id != loginId()) update(seen, arrival);
        else other(seen, arrival);
    if (!scanner.bad()) return;
    thread_.tally.errors.fetch_add(1, std::memory_order_relaxed);
    giveUp("a text that is no JSON: " + std::string(text.substr(0, 100)));
}

void Client::update(const Seen& seen, TimePoint arrival) {
    Stream* const stream = streamOf(seen.id);
    if (stream == nullptr) {
        ++thread_.tally.mixed;
        return thread_.tally.trouble(user() + ": an update on stream " + std::to_string(seen.id) +
                                     ", which it has not");
    }
    const unsigned every = thread_.setup.options.verify;
    // A sample of the updates is read by a complete parser too: the scanner must not be trusted blindly.
    if (every != 0 && ++thread_.updates % every == 0) verify(seen);
    // Only the own posts: the stamps of others are of other clients.
    if (seen.hasPostStamp && seen.poster == number_ + 1 && thread_.phase >= Phase::measured) {
        const std::uint64_t now = microseconds(arrival);
        thread_.tally.roundTrips.record(now > seen.postStamp ? now - seen.postStamp : 0);
    }
    Counts& counts = thread_.live.counts;
    if (!stream->image) {
        ++counts.early;
        return;
    }
    if (seen.hasSequence) {
        if (seen.sequence <= stream->sequence) {
            ++counts.duplicates;
            ++figures_.duplicates;
        } else {
            if (seen.sequence != stream->sequence + 1) {
                if (group_ == Group::slow) {
                    ++counts.conflated;
                    ++figures_.conflated;
                } else {
                    ++counts.gaps;
                    ++figures_.gaps;
                    counts.missing += seen.sequence - stream->sequence - 1;
                }
            }
            stream->sequence = seen.sequence;
        }
    }
    if (!seen.bid.empty()) {
        stream->bidSize = static_cast<std::uint8_t>(std::min(seen.bid.size(), Stream::kBidBytes));
        std::memcpy(stream->bidText.data(), seen.bid.data(), stream->bidSize);
    }
    measure(*stream, seen, arrival);
}

void Client::measure(Stream& stream, const Seen& seen, TimePoint arrival) {
    if (!seen.hasStamp) return;
    const std::uint64_t now = microseconds(arrival), us = now > seen.stamp ? now - seen.stamp : 0;
    Tally& tally = thread_.tally;
    Interval& live = thread_.live;
    ++live.counts.messages;
    if (group_ == Group::steady) {
        live.latencies.record(us);
        if (us > static_cast<std::uint64_t>(thread_.setup.limit.count())) ++live.counts.above;
        // The measured phase begins after the warm-up, whose highest latency is shown for comparison.
        if (thread_.phase == Phase::warmup) tally.warmupMost = std::max(tally.warmupMost, us);
    }
    if (thread_.phase != Phase::measured) return;
    tally.measured[static_cast<std::size_t>(group_)].record(us);
    ++figures_.messages;
    figures_.sum += static_cast<double>(us);
    if (us > figures_.most) {
        figures_.most = us;
        figures_.mostAt = arrival;
        figures_.mostItem = stream.item;
    }
    if (thread_.setup.options.raw) tally.raw.push_back({number_, stream.item, seen.sequence, us});
}

/// What was picked from the message against what a complete reader finds.
void Client::verify(const Seen& seen) {
    Tally& tally = thread_.tally;
    ++tally.verified;
    const auto message = parseJson(seen.whole);
    const auto same = [&](std::string_view field, bool has, std::uint64_t value) {
        const Json* const found = message->find("Fields", field);
        return has ? found != nullptr && found->text == std::to_string(value) : found == nullptr;
    };
    if (message && message->textOf("Type") == "Update" && message->textOf("ID") == std::to_string(seen.id) &&
        same("SEQNUM", seen.hasSequence, seen.sequence) && same("TIM_TRK_1", seen.hasStamp, seen.stamp) &&
        message->textOf("Fields", "BID") == seen.bid)
        return;
    if (tally.verifyErrors++ == 0) tally.trouble(user() + ": read otherwise when parsed: " + std::string(seen.whole));
}

void Client::other(const Seen& seen, TimePoint now) {
    if (seen.type == Seen::Type::ping) return send(R"({"Type":"Pong"})");
    const auto message = parseJson(seen.whole);
    if (!message) {
        thread_.tally.errors.fetch_add(1, std::memory_order_relaxed);
        return giveUp("a message that is no JSON: " + std::string(seen.whole.substr(0, 100)));
    }
    if (seen.type == Seen::Type::error) {
        thread_.tally.errors.fetch_add(1, std::memory_order_relaxed);
        const std::string text = "the server answers with an error: " + std::string(message->textOf("Text"));
        if (thread_.setup.options.recover == 0 || !loggedIn_) return giveUp(text);
        for (Stream& s : streams_)
            // The message does not say which request was wrong: all that have no image are asked for again.
            s.closed = !s.image;
        askAgain_ = true;
        return thread_.tally.trouble(user() + ": " + text);
    }
    if (seen.type == Seen::Type::ack) return acknowledged(*message, seen);
    if (seen.id == loginId()) return loginAnswer(*message, seen);
    Stream* const stream = streamOf(seen.id);
    if (stream == nullptr) return;  // the end of the batch
    if (seen.type == Seen::Type::refresh) image(*stream, *message, seen, now);
    else if (seen.type == Seen::Type::status) status(*stream, *message, now);
}

void Client::acknowledged(const Json& message, const Seen& seen) {
    Tally& tally = thread_.tally;
    if (unanswered_.erase(seen.ackId) == 0) {
        if (tally.strayAcks++ == 0)
            tally.trouble(user() + ": an answer to post " + std::to_string(seen.ackId) + ", which waits for none");
        return;
    }
    tally.unanswered.fetch_sub(1, std::memory_order_relaxed);
    if (message.find("NakCode") == nullptr) {
        ++tally.acks;
        return;
    }
    if (tally.naks++ == 0)
        tally.trouble(user() + ": a post is refused: " + std::string(message.textOf("NakCode")) + " " +
                      eta::printable(message.textOf("Text")));
}

void Client::loginAnswer(const Json& message, const Seen& seen) {
    const std::string_view state = message.textOf("State", "Stream");
    if (state.starts_with("Closed")) {
        thread_.tally.refused.fetch_add(1, std::memory_order_relaxed);
        return giveUp("login refused: " + std::string(message.textOf("State", "Code")) + " " +
                      std::string(message.textOf("State", "Text")));
    }
    if (seen.type != Seen::Type::refresh || loggedIn_) return;
    loggedIn_ = true;
    ask();
}

void Client::image(Stream& stream, const Json& message, const Seen& seen, TimePoint now) {
    const Json* const state = message.find("State");
    if (const Json* const name = message.find("Key", "Name");
        name != nullptr && name->text != thread_.setup.items.name(stream.item)) {
        ++thread_.tally.mixed;
        thread_.tally.trouble(user() + ": got the image of " + eta::printable(name->text) + " for " +
                              thread_.setup.items.name(stream.item));
    }
    if (seen.hasSequence) stream.sequence = seen.sequence;
    if (!seen.bid.empty()) {
        stream.bidSize = static_cast<std::uint8_t>(std::min(seen.bid.size(), Stream::kBidBytes));
        std::memcpy(stream.bidText.data(), seen.bid.data(), stream.bidSize);
    }
    const Json* const complete = message.find("Complete");
    // A refresh may end the stream as well.
    if (state != nullptr && state->textOf("Stream").starts_with("Closed")) return status(stream, message, now);
    stale(stream, state != nullptr && state->textOf("Data") == "Suspect", now);
    if (stream.image || (complete != nullptr && !complete->flag)) return;
    stream.image = true;
    if (++images_ != streams_.size()) return;
    tries_ = 0;
    thread_.tally.ready.fetch_add(1, std::memory_order_relaxed);
    if (lostAt_ == TimePoint{}) return;
    ++thread_.tally.returns;
    thread_.tally.longestReturn = std::max(thread_.tally.longestReturn, now - lostAt_);
    lostAt_ = {};
}

void Client::status(Stream& stream, const Json& message, TimePoint now) {
    const std::string_view state = message.textOf("State", "Stream");
    if (!state.starts_with("Closed")) return stale(stream, message.textOf("State", "Data") == "Suspect", now);
    stale(stream, false, now);
    if (stream.image) {
        if (open()) thread_.tally.ready.fetch_sub(1, std::memory_order_relaxed);
        stream.image = false;
        --images_;
    }
    const std::string text = "item " + thread_.setup.items.name(stream.item) +
                             " closed: " + std::string(message.textOf("State", "Code")) + " " +
                             std::string(message.textOf("State", "Text"));
    if (thread_.setup.options.recover != 0 && state == "ClosedRecover") {
        if (lostAt_ == TimePoint{}) lostAt_ = now;
        stream.closed = askAgain_ = true;
        return thread_.tally.trouble(user() + ": " + eta::printable(text));
    }
    thread_.tally.closed.fetch_add(1, std::memory_order_relaxed);
    giveUp(text);
}

void Client::stale(Stream& stream, bool is, TimePoint now) {
    if (is == (stream.staleSince != TimePoint{})) return;
    // Only time within the measured phase counts.
    if (!is && thread_.phase >= Phase::measured)
        thread_.tally.staleTime += now - std::max(stream.staleSince, thread_.measuredFrom);
    stream.staleSince = is ? now : TimePoint{};
}

}  // namespace emissary::wsload
