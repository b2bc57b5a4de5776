// Stores streams, keeps a list for each phase, and gives and takes wire ids.
#include "watchlist/StreamTable.h"

#include "watchlist/Posts.h"
#include "watchlist/Views.h"

#include <cassert>
#include <new>

namespace emissary::reactor::consumer {

namespace {

constexpr std::size_t kHeapBytes = 48;  // about what a stream has there: a long name, its request on the way out

}  // namespace

StreamTable::StreamTable(const Context& context, Posts& posts, Views& views)
    : context_(context), posts_(posts), views_(views) {
    growWireIds(eta::kOwnPages);
}

void StreamTable::growWireIds(std::size_t bytes) {
    if (!wireIds_.grow(bytes)) throw std::bad_alloc();
    byWire_ = {reinterpret_cast<Stream**>(wireIds_.data()), bytes / sizeof(Stream*)};
}

/// A pointer leads to the next one, and each lies in a line of its own that is not in the cache when many items take
/// turns. A step takes as long as two messages do. Fewer streams stay in the cache by themselves.
bool StreamTable::expect(std::int32_t wireId, ConsumerSink& sink) noexcept {
    constexpr std::size_t kFew = 2000;
    constexpr std::uint32_t kStep = 2, kRow = 6;
    if (size_ < kFew) return false;
    const auto id = static_cast<std::uint32_t>(wireId);
    inRow_ = id - expected_[(expectedAt_ - 1) % expected_.size()] <= 1 ? inRow_ + 1 : 0;
    const std::uint32_t now = expectedAt_++;
    expected_[now % expected_.size()] = id;
    if (inRow_ >= kRow) return false;
    if (id < byWire_.size()) __builtin_prefetch(&byWire_[id]);
    const auto named = [&](std::uint32_t before) noexcept -> const Stream* {
        const std::uint32_t then = expected_[(now - before) % expected_.size()];
        return then < byWire_.size() ? byWire_[then] : nullptr;
    };
    if (const Stream* const s = named(kStep); s != nullptr) __builtin_prefetch(s);
    if (const Stream* const s = named(2 * kStep); s != nullptr && s->last != nullptr) __builtin_prefetch(s->last);
    if (const Stream* const s = named(3 * kStep); s != nullptr && s->last != nullptr)
        sink.onExpected(s->last->client, s->last->closure);
    return true;
}

Stream& StreamTable::make() {
    Stream& s = *pool_.take();
    ++size_;
    s.last = nullptr;
    s.service = nullptr;
    s.prev = s.next = nullptr;
    s.hash = 0;
    s.wireId = 0;
    s.timerMark = 0;
    s.qos = {};
    s.group = rdm::ItemGroups::kDefault;
    s.said = {};
    s.life = {};
    s.busy = s.qosFixed = s.hasRetry = s.viewed = s.opensData = false;
    return s;
}

/// The stream has ended and is in no list or index any more: its record goes back to the pool.
void StreamTable::release(Stream& s) noexcept {
    s.life = {};  // released only once
    s.last = nullptr;
    s.rare.reset();
    s.name.clear();
    --size_;
    pool_.give(&s);
    context_.reactor.noteFreed(kHeapBytes);
}

/// The list that a stream is on in such a phase, or null.
StreamList* StreamTable::listOf(const Stream& s, StreamLife life) noexcept {
    switch (life.phase()) {
    case StreamPhase::fresh:
    case StreamPhase::closing:
    case StreamPhase::ended:
        return nullptr;
    case StreamPhase::waiting:
    case StreamPhase::pausing:
        return &s.service->parked;
    case StreamPhase::again:
        return &again_;
    case StreamPhase::queued:
        return &s.service->queued;
    case StreamPhase::requested:
    case StreamPhase::receiving:
    case StreamPhase::open:
    case StreamPhase::renewing:
        break;
    }
    return &s.service->live;
}

void StreamTable::moveBehind(Stream& s) noexcept {
    s.service->parked.remove(s);
    s.service->parked.append(s);
}

void StreamTable::moveParked(ServiceEntry& from, ServiceEntry& to) noexcept {
    while (Stream* const s = from.parked.first) {
        from.parked.remove(*s);
        s->service = &to;
        to.parked.append(*s);
    }
}

std::int32_t StreamTable::takeWireId() {
    const std::int32_t id = freedIds_.ready() ? freedIds_.take() : nextWireId_++;
    if (static_cast<std::size_t>(id) >= byWire_.size()) growWireIds(wireIds_.size() * 2);
    return id;
}

void StreamTable::step(Stream& s, StreamEvent e) {
    const auto to = stepFrom(s.life.phase(), e);
    assert(to);
    if (!to) return;
    const StreamLife before = s.life;
    StreamLife after = before;
    after.enter(*to);
    if (!before.onWire() || !after.onWire()) move(s, before, after);
    // The open window of a service bounds requests whose images are under way, not open items: a stream counts only
    // while it waits for an image.
    if (before.wantsImage() && !after.wantsImage()) {
        s.timerMark = 0;
        --s.service->outstanding;
    } else if (after.wantsImage() && !before.wantsImage()) {
        ++s.service->outstanding;
    }
    s.life = after;
}

/// From one list to another, onto the wire or off it.
void StreamTable::move(Stream& s, StreamLife before, StreamLife after) {
    // What may fail comes first.
    const std::int32_t wireId = after.onWire() ? takeWireId() : 0;
    const bool indexed = before.sharable() && !s.isPrivate, index = after.sharable() && !s.isPrivate;
    if (index && !indexed) {
        s.hash = static_cast<std::uint32_t>(StreamKey::of(s).hash());
        index_.insert(s.index);
    }
    if (before.onWire()) leaveWire(s);

    if (indexed && !index) index_.erase(s.index);
    if (after.onWire()) {
        s.wireId = wireId;
        byWire_[static_cast<std::size_t>(wireId)] = &s;
    }
    StreamList *const left = listOf(s, before), *const entered = listOf(s, after);
    if (left == entered) return;
    if (left != nullptr) left->remove(s);
    if (entered != nullptr) entered->append(s);
}

/// What is kept of a wire stream goes; says nothing to the peer.
void StreamTable::leaveWire(Stream& s) {
    if (context_.tellRequests) context_.owner.onStreamEnded(s.wireId, s.domain, s.service->source);
    freedIds_.give(s.wireId);
    posts_.streamGone(s.wireId);
    byWire_[static_cast<std::size_t>(s.wireId)] = nullptr;
    s.wireId = 0;
    groups_.take(s);  // what the directory says about groups is for streams on the wire
    s.said = {};
    if (s.viewed) views_.forget(s);
}

void StreamTable::trim() noexcept {
    pool_.trim();
    trimTable(index_);
    freedIds_.trim();
    // Wire ids rest before they are used again, so the table must go on having a place for each.
    if (size_ < byWire_.size() / 4) discardNulls(byWire_);
}

}  // namespace emissary::reactor::consumer
