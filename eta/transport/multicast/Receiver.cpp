// Follows each sender's sequence numbers: stores what is early, asks for what is missing, gives up what is too late.
#include "transport/multicast/Receiver.h"

#include <algorithm>
#include <array>
#include <new>

namespace emissary::eta::transport::mcast {
namespace {

constexpr std::size_t kFirstRing = 256, kMaxRing = 1u << 18;
constexpr std::size_t kReaderBytes = 128u << 10;  // more than one batch of datagrams from the system
// A gap that the network closes by itself within this time is no reason to ask.
constexpr std::chrono::milliseconds kReordering{1};

bool before(std::uint32_t a, std::uint32_t b) noexcept {
    return distance(a, b) < 0;
}

}  // namespace

Receiver::Receiver(const ReceiverOptions& options) : options_(options), random_(options.seed | 1) {
    // No allocation when a sender appears in the middle of traffic.
    sources_.reserve(kMaxSenders);
}

Receiver::~Receiver() = default;

// Spreads the requests of many receivers, so that the sender hears one request and answers for all
// (docs/wire/multicast.md).
Duration Receiver::randomUpTo(Duration limit) noexcept {
    random_ ^= random_ << 13;
    random_ ^= random_ >> 7;
    random_ ^= random_ << 17;
    return limit <= Duration::zero()
               ? Duration::zero()
               : Duration(static_cast<Duration::rep>(random_ % static_cast<std::uint64_t>(limit.count())));
}

// --- senders ---------------------------------------------------------------------------------------------------------

bool Receiver::startReader(Source& s) noexcept {
    FrameLimits limits;
    limits.maxMessageBytes = options_.maxMessageBytes;
    limits.maxPartialBytes = std::max(limits.maxPartialBytes, options_.maxMessageBytes);
    // One message of a sender is incomplete at most: fragments of its messages do not mix.
    limits.maxPartialMessages = 1;
    return s.reader.activate(kMaxFrameBody, 2, kReaderBytes, limits);
}

Receiver::Source* Receiver::find(const Endpoint& from, const Header& h, TimePoint now) noexcept {
    for (const auto& s : sources_) {
        if (!(s->key == from)) continue;
        if (s->session != h.session) {
            // Packets of the old session may still be on their way; they must not switch back to it.
            if (s->hadPrevious && s->previousSession == h.session) {  // a straggler of the session before
                duplicates.add();
                return nullptr;
            }
            restart(*s, h.session);
        }
        s->heard = now;
        return s.get();
    }
    // A promise of an unknown sender says nothing about what it has sent.
    if (h.type == Type::promise) return nullptr;
    // kMaxSenders bounds the memory: more senders are counted and not heard.
    if (sources_.size() == kMaxSenders) {
        rejected.add();
        return nullptr;
    }
    try {
        auto made = std::make_unique<Source>();
        made->ring.resize(kFirstRing);
        if (!startReader(*made)) return nullptr;
        made->key = from;
        made->session = h.session;
        made->heard = now;
        sources_.push_back(std::move(made));
    } catch (const std::bad_alloc&) { return nullptr; }
    heard.add();
    silenceAt_ = std::min(silenceAt_, now + kSilence);
    return sources_.back().get();
}

std::size_t Receiver::bytesHeld() const noexcept {
    std::size_t bytes = 0;
    for (const auto& source : sources_) {
        bytes += source->reader.bytesHeld();
        if (source->stored == 0) continue;
        for (const Stored& packet : source->ring)
            if (packet.data != nullptr) bytes += packet.length;
    }
    return bytes;
}

void Receiver::clearStored(Source& s) noexcept {
    for (Stored& one : s.ring)
        one = {};
    stored_ -= s.stored;
    s.stored = 0;
    // A ring that a burst made large goes back to its first size.
    if (s.ring.size() > kFirstRing) std::vector<Stored>(kFirstRing).swap(s.ring);
}

void Receiver::restart(Source& s, std::uint32_t session) noexcept {
    s.previousSession = std::exchange(s.session, session);
    s.hadPrevious = true;
    sendersLost.add();
    heard.add();
    // What the old session still owed is gone.
    // Everything that the old session had announced and not delivered counts as lost, a message that is half there too.
    s.lost += s.end - s.expected;
    if (s.lost == 0 && s.reader.more()) s.lost = 1;
    s.pending = s.pending || s.lost != 0;
    clearStored(s);
    s.missing.clear();
    s.due = TimePoint::max();
    s.expected = s.end = 0;
    s.synced = s.leaving = s.failed = s.skipToStart = false;
    s.reader.restart();
}

// The first that is heard of a session. Somebody who just began, and still has everything, is heard from the start.
void Receiver::synchronize(Source& s, const Header& h) noexcept {
    // oldest 1 means that the sender still has its first packet, so nothing of it need be missed.
    const bool fromStart = h.oldest == 1 && h.sequence - 1 <= options_.maxMissing;
    if (!fromStart && h.type == Type::data && (h.flags & kRepair) != 0) return;  // of times before us
    s.synced = true;
    s.expected = s.end = fromStart ? 1 : h.sequence;
    // In the middle of a message there is no way to read on; the first one that begins here is the first that is read.
    s.skipToStart = !fromStart;
}

void Receiver::receive(const Header& h, Bytes body, const Endpoint& from, TimePoint now) noexcept {
    if (h.session == options_.ownSession) return;
    // Several protocols may share a group; each end reads its own.
    if (h.protocolType != options_.protocolType) return rejected.add();
    Source* const s = find(from, h, now);
    if (s == nullptr || s->failed) return;
    switch (h.type) {
    case Type::data:
        return receiveData(*s, h, body, now);
    case Type::heartbeat:
        if (!s->synced) synchronize(*s, h);
        // A heartbeat names the next number, so the last packets of a burst are found missing too.
        if (before(s->end, h.sequence)) nowMissing(*s, s->end, h.sequence, now);
        forgetBefore(*s, h.oldest);
        // Nobody repairs for a sender that has left.
        if ((h.flags & kFarewell) != 0) {
            s->leaving = true;
            forgetBefore(*s, s->end);
        }
        return;
    case Type::promise:
        return promised(*s, body, now);
    case Type::request:
    case Type::statistics:
        return;
    }
}

// --- data ------------------------------------------------------------------------------------------------------------

void Receiver::receiveData(Source& s, const Header& h, Bytes body, TimePoint now) noexcept {
    if ((h.flags & kRepair) != 0) repairsReceived.add();
    if (!s.synced) synchronize(s, h);
    if (!s.synced) return;
    const std::uint32_t sequence = h.sequence;
    if (before(sequence, s.expected)) return duplicates.add();
    if (!before(sequence, s.end)) {
        // Too far ahead for the ring: everything between is lost.
        if (sequence - s.expected >= kMaxRing) jump(s, sequence);
        else if (sequence != s.end) nowMissing(s, s.end, sequence, now);
        s.end = sequence + 1;
        // Older than the newest: it fills a gap, or comes twice.
    } else {
        const auto found = std::lower_bound(s.missing.begin(), s.missing.end(), sequence,
                                            [](const Missing& m, std::uint32_t v) { return before(m.sequence, v); });
        const bool missed = found != s.missing.end() && found->sequence == sequence;
        if (!missed && sequence - s.expected < s.ring.size() && s.ring[sequence & (s.ring.size() - 1)].data != nullptr)
            return duplicates.add();
        if (missed) s.missing.erase(found);  // one that was given up, and is not passed yet, is welcome too
    }
    forgetBefore(s, h.oldest);
    // The usual case, the next packet in order: read where it stands, and stored nowhere.
    if (sequence == s.expected && s.stored == 0 && s.lost == 0 && feed(s, body, h.firstStart)) {
        ++s.expected;
        s.pending = true;
    } else if (!store(s, h, body) && s.missing.size() < options_.maxMissing) {
        // No room now: as if it had been lost.
        const auto place = std::lower_bound(s.missing.begin(), s.missing.end(), sequence,
                                            [](const Missing& m, std::uint32_t v) { return before(m.sequence, v); });
        try {
            s.missing.insert(place, {sequence, 0, now, now + options_.nextRequest});
        } catch (const std::bad_alloc&) {}  // then it is lost
    }
    // What stands in front may be given up by now, so that next() can report a gap.
    if (s.expected != s.end && (s.missing.empty() || s.missing.front().sequence != s.expected)) s.pending = true;
    renewDue(s);
}

/// Appends to what next() reads; false when there is no room until that was read.
bool Receiver::feed(Source& s, Bytes body, std::uint16_t firstStart) noexcept {
    if (s.skipToStart) {
        // No message begins in this packet.
        if (firstStart == kNoStart) return true;
        body = body.subspan(firstStart);
    }
    const std::span<std::byte> room = s.reader.space();
    if (room.size() < body.size()) return false;
    s.skipToStart = false;
    std::memcpy(room.data(), body.data(), body.size());
    s.reader.added(body.size());
    return true;
}

bool Receiver::store(Source& s, const Header& h, Bytes body) noexcept {
    // Two marks, so that a full pool takes in packets again only when a good part has gone.
    if (stored_ >= options_.poolHigh) poolFull_ = true;
    if (poolFull_ && stored_ <= options_.poolLow) poolFull_ = false;
    // The packet that is due is taken even by a full pool: without it nothing would move.
    if (poolFull_ && h.sequence != s.expected) return false;
    if (stored_ >= options_.maxWaiting && s.missing.empty()) {  // everything could be read, and is not
        overflowed(1);
        return true;  // lost for good: neither here nor missing
    }
    try {
        while (h.sequence - s.expected >= s.ring.size()) {
            std::vector<Stored> grown(s.ring.size() * 2);
            for (std::uint32_t i = 0; i < s.ring.size(); ++i)
                grown[(s.expected + i) & (grown.size() - 1)] =
                    std::move(s.ring[(s.expected + i) & (s.ring.size() - 1)]);
            s.ring.swap(grown);
        }
        // The receive buffer is used again with the next batch, so what waits is copied.
        auto copy = std::make_unique_for_overwrite<std::byte[]>(body.size());
        std::memcpy(copy.get(), body.data(), body.size());
        s.ring[h.sequence & (s.ring.size() - 1)] = {std::move(copy), static_cast<std::uint16_t>(body.size()),
                                                    h.firstStart};
    } catch (const std::bad_alloc&) { return false; }
    ++s.stored;
    ++stored_;
    return true;
}

// Too far ahead to keep what lies between: all of it is lost.
void Receiver::jump(Source& s, std::uint32_t to) noexcept {
    // Counted once, and reported by next() before the next message.
    s.lost += to - s.expected;
    clearStored(s);
    s.missing.clear();
    s.expected = s.end = to;
    s.pending = true;
}

/// [from, to) exists and has not come; s.end moves to `to`.
void Receiver::nowMissing(Source& s, std::uint32_t from, std::uint32_t to, TimePoint now) noexcept {
    s.end = to;
    if (to - s.expected >= kMaxRing) return jump(s, to);
    // Bounded: the newest are kept, since their sender has them longest.
    const std::size_t count = std::min<std::size_t>(to - from, options_.maxMissing);
    // More than may be missing: the oldest are given up.
    if (s.missing.size() + count > options_.maxMissing)
        s.missing.erase(s.missing.begin(), s.missing.begin() + static_cast<std::ptrdiff_t>(s.missing.size() + count -
                                                                                           options_.maxMissing));
    // At least a millisecond, because packets overtake each other in the network.
    const TimePoint due = now + std::max<Duration>(kReordering, randomUpTo(options_.firstRequest));
    try {
        for (std::uint32_t i = to - static_cast<std::uint32_t>(count); i != to; ++i)
            s.missing.push_back({i, 0, now, due});
    } catch (const std::bad_alloc&) {}  // what is not missing is lost
    if (s.missing.empty() || s.missing.front().sequence != s.expected) s.pending = true;
    renewDue(s);
}

/// The sender does not have these any more.
void Receiver::forgetBefore(Source& s, std::uint32_t oldest) noexcept {
    std::size_t n = 0;
    while (n < s.missing.size() && before(s.missing[n].sequence, oldest))
        ++n;
    if (n == 0) return;
    s.missing.erase(s.missing.begin(), s.missing.begin() + static_cast<std::ptrdiff_t>(n));
    s.pending = true;
    renewDue(s);
}

// A sender that is about to repair says so, and receivers do not ask once more.
void Receiver::promised(Source& s, Bytes body, TimePoint now) noexcept {
    std::array<Range, kMaxRanges> ranges;
    const std::size_t count = readRanges(body, ranges);
    std::size_t at = 0;
    for (Missing& m : s.missing) {
        while (at < count && before(ranges[at].first + ranges[at].more, m.sequence))
            ++at;
        if (at == count) break;
        if (!before(m.sequence, ranges[at].first)) m.due = std::max(m.due, now + options_.nextRequest);
    }
    renewDue(s);
}

void Receiver::overflowed(std::uint64_t packets) noexcept {
    overflows.add(packets);
    slow_ = true;
}

// --- messages --------------------------------------------------------------------------------------------------------

/// The reader of this sender is empty: gives it the next packet, or finds that packets are lost.
Receiver::Advanced Receiver::advance(Source& s) noexcept {
    for (;;) {
        Stored* const slot = s.expected == s.end ? nullptr : &s.ring[s.expected & (s.ring.size() - 1)];
        const bool here = slot != nullptr && slot->data != nullptr;
        if (slot != nullptr && !here && (s.missing.empty() || s.missing.front().sequence != s.expected)) {
            ++s.lost;
            ++s.expected;
            continue;
        }
        if (s.lost != 0) {
            // The gap is reported before any message behind it; the reader begins at the next start of a message.
            told_ = std::exchange(s.lost, 0);
            gaps.add(told_);
            s.skipToStart = true;
            s.reader.restart();
            return Advanced::gap;
        }
        if (!here) return Advanced::nothing;
        static_cast<void>(feed(s, {slot->data.get(), slot->length}, slot->firstStart));  // an empty reader has room
        *slot = {};
        --s.stored;
        --stored_;
        ++s.expected;
        return Advanced::fed;
    }
}

// The senders in turn, a message each, so that a loud one does not silence the others.
Receiver::Event Receiver::next(Bytes& message) noexcept {
    if (std::exchange(slow_, false)) return Event::slowReader;
    for (std::size_t tried = 0; tried < sources_.size();) {
        if (current_ >= sources_.size()) current_ = 0;
        Source& s = *sources_[current_];
        if (!s.pending) {
            ++tried;
            ++current_;
            continue;
        }
        const FrameEvent event = s.reader.next(message);
        if (event == FrameEvent::message) [[likely]] {
            messages.add();
            lastSender_ = s.key;
            return Event::message;
        }
        if (event == FrameEvent::ping) return Event::ping;
        lastSender_ = s.key;
        // Its stream cannot be read on; a new session of the sender begins anew.
        if (event == FrameEvent::failed) {  // this sender breaks the rules: nothing more of this session
            rejected.add();
            clearStored(s);
            s.missing.clear();
            s.due = TimePoint::max();
            s.expected = s.end;
            s.failed = true;
            s.pending = false;
            told_ = std::exchange(s.lost, 0) + 1;
            gaps.add(told_);
            return Event::gap;
        }
        switch (advance(s)) {
        case Advanced::gap:
            return Event::gap;
        case Advanced::fed:
            break;
        case Advanced::nothing:
            s.pending = false;
            break;
        }
    }
    return Event::nothing;
}

bool Receiver::ready() const noexcept {
    return slow_ || std::any_of(sources_.begin(), sources_.end(), [](const auto& s) { return s->pending; });
}

// --- time ------------------------------------------------------------------------------------------------------------

void Receiver::renewDue(Source& s) noexcept {
    s.due = TimePoint::max();
    for (const Missing& m : s.missing)
        s.due = std::min(s.due, m.due);
}

void Receiver::requestMissing(Source& s, TimePoint now, Outlet& out) noexcept {
    const std::size_t before = s.missing.size();
    // Asked too often, or for too long: what is missing is given up, and reported as a gap.
    std::erase_if(s.missing, [&](const Missing& m) {
        return m.due <= now && (m.requests >= options_.requests || now - m.since >= options_.giveUpAfter());
    });
    if (s.missing.size() != before) s.pending = true;
    Header h;
    h.type = Type::request;
    h.protocolType = options_.protocolType;
    h.session = s.session;
    h.sequence = s.end;
    h.oldest = s.expected;
    h.returnPort = options_.returnPort;
    std::array<Range, kMaxRanges> ranges;
    std::array<std::byte, kHeaderBytes + kMaxRanges * kRangeBytes> datagram;
    std::size_t count = 0;
    const auto send = [&] {
        if (count == 0) return;
        out.toPeer(s.key, {datagram.data(), writeRanges(datagram.data(), h, {ranges.data(), count})});
        requestDatagrams.add();
        count = 0;
    };
    // Those that would be due soon go along.
    // One datagram then carries what would otherwise be several soon.
    const TimePoint soon = now + options_.firstRequest / 4;
    // With a random part, so that receivers do not ask in step.
    const TimePoint again = now + options_.nextRequest + randomUpTo(options_.nextRequest / 4);
    for (Missing& m : s.missing) {
        if (m.due > soon) continue;
        ++m.requests;
        m.due = again;
        // One number for each packet, whatever the number of datagrams.
        requestsSent.add();
        if (count != 0 && ranges[count - 1].first + ranges[count - 1].more + 1 == m.sequence &&
            ranges[count - 1].more != 0xFFFF) {
            ++ranges[count - 1].more;
            continue;
        }
        if (count == ranges.size()) send();
        ranges[count++] = {m.sequence, 0};
    }
    send();
    renewDue(s);
}

void Receiver::expire(TimePoint now, Outlet& out) noexcept {
    // One timer for all senders; each has the time of its next request.
    for (const auto& s : sources_)
        if (now >= s->due) requestMissing(*s, now, out);
    if (now < silenceAt_) return;
    silenceAt_ = TimePoint::max();
    for (auto s = sources_.begin(); s != sources_.end();) {
        Source& one = **s;
        // Nothing heard for kSilence, not even heartbeats: the sender has gone without a farewell.
        if (now - one.heard >= kSilence) {
            if (!one.leaving) sendersLost.add();
            if (!one.missing.empty()) {
                forgetBefore(one, one.end);
                one.leaving = true;  // packets that it still owes are reported first
                // Erased only when everything it owed has been reported.
            } else if (!one.pending && one.lost == 0) {
                stored_ -= one.stored;
                s = sources_.erase(s);
                continue;
            }
            one.heard = now;
        }
        silenceAt_ = std::min(silenceAt_, one.heard + kSilence);
        ++s;
    }
}

TimePoint Receiver::deadline() const noexcept {
    TimePoint at = silenceAt_;
    for (const auto& s : sources_)
        at = std::min(at, s->due);
    return at;
}

// Used to tell silence from an empty group (ChannelInput::silentFor).
bool Receiver::senderKnown() const noexcept {
    return std::any_of(sources_.begin(), sources_.end(), [](const auto& s) { return !s->leaving; });
}

}  // namespace emissary::eta::transport::mcast
