// Edge: what comes in lanes and in answers, and whether an item is current.
#include "hub/mesh/Edge.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace emissary::hub::mesh {

bool Edge::certain(const EdgeItem& item, const Remote& r) const noexcept {
    if (item.phase != Phase::live || item.registration != r.registration || item.seen > item.version) return false;
    const EdgeLane* const lane = laneOf(r, item.lane);
    return lane != nullptr && item.covered > lane->in.lostUpTo();
}

bool Edge::isCurrent(std::uint32_t index, eta::TimePoint now) const noexcept {
    const EdgeItem& item = items_[index];
    if (item.phase != Phase::live || over(item.owner)) return false;
    if (now < item.okUntil) return true;
    const Remote& r = remotes_[slotOf(item.owner)];
    return certain(item, r) && laneOf(r, item.lane)->in.provenAt() + options_.proofLasts() > now;
}

std::size_t Edge::lanes() const noexcept {
    std::size_t n = 0;
    for (const Remote& r : remotes_)
        if (r.used)
            n += (r.registration != 0 ? 1u : 0u) + static_cast<std::size_t>(std::ranges::count_if(
                                                       r.wide, [](const auto& lane) { return lane != nullptr; }));
    return n;
}

void Edge::describe(std::size_t slot, PeerRow& row) const {
    const Remote& r = remotes_[slot];
    const eta::TimePoint now = sender_.bus().now();
    const auto age = [&](eta::TimePoint at) { return at == eta::TimePoint::min() ? eta::Duration::max() : now - at; };
    row.reachable = reachable(r);
    row.gone = r.gone;
    row.proven = age(r.provenAt);
    row.load = r.load;
    for (const Homes::Service& s : homes_.services())
        if (const std::size_t items = homes_.count(s.name, r.id); items != 0) row.serves[s.name] = items;
    row.asking = r.asking;
    row.postsOut = r.posts ? r.posts->waiting() : 0;
    row.directory = r.directory.known();
    row.services = {r.directory.services().begin(), r.directory.services().end()};
    row.oldestLane = {};
    const auto lane = [&](const EdgeLane& l) {
        ++row.lanes;
        row.gaps += l.in.gaps();
        row.oldestLane = std::max(row.oldestLane, age(l.in.provenAt()));
    };
    if (r.registration != 0) lane(r.unicast);
    for (const auto& wide : r.wide)
        if (wide) lane(*wide);
}

EdgeLane* Edge::laneOf(Remote& r, std::uint16_t lane) const noexcept {
    if (lane == kUnicast) return &r.unicast;
    return lane < r.wide.size() ? r.wide[lane].get() : nullptr;
}

const EdgeLane* Edge::laneOf(const Remote& r, std::uint16_t lane) const noexcept {
    return laneOf(const_cast<Remote&>(r), lane);
}

std::uint64_t Edge::coveredFrom(const EdgeItem& item, std::uint64_t sequence) noexcept {
    return sequence >= (item.lane == kUnicast ? item.ignoredUnicast : item.ignoredWide) ? sequence + 1 : 0;
}

/// The item comes on that lane of its owner, or on this node's own (kUnicast). A wide lane is listened to from its
/// first item on, and then for good.
void Edge::intoLane(Remote& r, std::uint32_t index, std::uint16_t lane) {
    items_[index].lane = lane;
    if (lane != kUnicast && !r.wide[lane]) {
        r.wide[lane] = std::make_unique<EdgeLane>();
        sender_.bus().subscribe(subject(options_, "w." + nodeName(r.node) + "." + std::to_string(lane)));
    }
    laneOf(r, lane)->items.add(items_, index);
}

void Edge::outOfLane(Remote& r, std::uint32_t index) {
    // An empty lane is left in tick(): its records may be in use now.
    laneOf(r, items_[index].lane)->items.remove(items_, index);
}

void Edge::leaveLane(Remote& r, std::size_t lane) {
    sender_.bus().unsubscribe(subject(options_, "w." + nodeName(r.node) + "." + std::to_string(lane)));
    r.wide[lane].reset();
}

void Edge::promise(EdgeItem& item, eta::TimePoint until) noexcept {
    item.okUntil = std::max(item.okUntil, until);
}

void Edge::checkLanes(Remote& r, eta::TimePoint now) {
    const auto check = [&](EdgeLane& lane) {
        if (const auto loss = lane.in.expire(now - options_.repairDelay)) swept(lane, *loss);
        const bool current = lane.in.provenAt() + options_.proofLasts() > now;
        if (std::exchange(lane.current, current) != current) lane.walk.due = true;
    };
    check(r.unicast);
    for (std::size_t k = 0; k < r.wide.size(); ++k)
        if (r.wide[k] && r.wide[k]->items.empty()) leaveLane(r, k);
        else if (r.wide[k]) check(*r.wide[k]);
}

/// Of losses that wait for one walk, what it promises is good for all.
void Edge::swept(EdgeLane& lane, const LaneIn::Loss& loss) {
    counts_.losses.add();
    std::optional<LaneIn::Loss>& next = lane.walk.next.loss;
    LaneIn::Loss& all = next ? *next : next.emplace(loss);
    all = {std::min(all.since, loss.since), std::min(all.proven, loss.proven)};
    lane.walk.due = true;
}

/// False: nothing of the turn is left.
bool Edge::walkLanes(Remote& r, std::size_t& left) {
    const std::size_t first = r.firstLane;
    for (std::size_t n = 0; n <= r.wide.size() && left != 0; ++n) {
        const std::size_t k = (first + n) % (r.wide.size() + 1);
        if (k == r.wide.size()) walkLane(r.unicast, left);
        else if (r.wide[k]) walkLane(*r.wide[k], left);
        if (left == 0) r.firstLane = k + 1;
    }
    return left != 0;
}

void Edge::walkLane(EdgeLane& lane, std::size_t& left) {
    EdgeLane::Walk& walk = lane.walk;
    const std::vector<std::uint32_t>& items = lane.items.list();
    if (walk.left == 0) {
        if (!std::exchange(walk.due, false)) return;
        walk.why = std::exchange(walk.next, {});
        walk.lost = lane.in.lostUpTo();
        walk.left = items.size();
    }
    walk.left = std::min(walk.left, items.size());
    const auto& [asks, loss] = walk.why;
    // From the end: whoever leaves the lane has its place taken by one that was seen, or is new and needs no look.
    for (; walk.left != 0 && left != 0; --left) {
        const std::uint32_t i = items[--walk.left];
        EdgeItem& item = items_[i];
        if (asks) enqueue(i);
        if (loss && item.covered <= walk.lost) {
            // What was proven before the loss stays so; the grace ends earlier.
            if (!item.uncertain && loss->proven != eta::TimePoint::min())
                promise(item, std::min(loss->since + options_.gapGrace, loss->proven + options_.proofLasts()));
            item.uncertain = true;
            enqueue(i);
        }
        changed(i);
    }
    more_ = more_ || walk.left != 0 || walk.due;
}

void Edge::data(std::size_t slot, const Header& header, Bytes records) {
    Remote& r = remotes_[slot];
    EdgeLane* const lane = laneOf(r, header.lane);
    if (lane == nullptr) return counts_.ignoredRecords.add();
    const eta::TimePoint now = sender_.bus().now();
    const std::uint64_t gaps = lane->in.gaps();
    const LaneIn::Frame frame = lane->in.received(header.sequence, now);
    if (frame == LaneIn::Frame::repeated) return counts_.repeatedFrames.add();
    counts_.gaps.add(lane->in.gaps() - gaps);
    if (!header.whole()) {
        const auto got = lane->fragments.add(header, records, options_.maxMessage);
        if (got == Assembler::Result::waits) return;
        records = lane->fragments.records();
        if (got == Assembler::Result::broken || !checkRecords(records, header.records).ok()) {
            counts_.brokenMessages.add();
            return lane->in.lose(header.sequence, now);
        }
    }
    laneRecords(r, *lane, header.sequence, records);
}

void Edge::laneRecords(Remote& r, EdgeLane& lane, std::uint64_t sequence, Bytes records) {
    RecordReader reader(records);
    const bool unicast = &lane == &r.unicast;
    std::optional<Bytes> last;  // body of the last update
    for (Record record; reader.next(record);) {
        if (record.kind == Kind::message) {
            last = record.body;
        } else if (record.kind == Kind::groupState && last && record.body.empty()) {
            record.kind = Kind::message;
            record.body = *last;
            counts_.groupStates.add();
        }
        if (record.kind != Kind::message && record.kind != Kind::closed && record.kind != Kind::laneSwitch) {
            counts_.ignoredRecords.add();
            continue;
        }
        const auto known = r.byNumber.find(record.number);
        if (known == r.byNumber.end()) {
            lane.ignoredUpTo = std::max(lane.ignoredUpTo, sequence);
            counts_.unwantedRecords.add();
            // Not while a wish is open: its answer may be on the way, with this number in it.
            if (unicast && r.asking == 0 && r.requests.records() < 100)
                r.requests.add(Kind::drop, record.number, 0, {});
            continue;
        }
        const std::uint32_t index = known->second;
        EdgeItem& item = items_[index];
        if (record.version <= item.version) continue;
        if (record.version == item.version + 1) {
            inOrder(r, index, record);
            continue;
        }
        if (item.seen <= item.version) {
            if (certain(item, r)) {
                const eta::TimePoint proven = laneOf(r, item.lane)->in.provenAt();
                if (proven != eta::TimePoint::min())
                    promise(item, std::min(sender_.bus().now() + options_.gapGrace, proven + options_.proofLasts()));
            }
            r.behind.push_back({index, item.ask, sender_.bus().now()});
        }
        item.seen = std::max(item.seen, record.version);
        changed(index);
        counts_.pendingDropped.add(pending_.hold(index, record, sequence));
    }
}

void Edge::inOrder(Remote& r, std::uint32_t index, const Record& record) {
    EdgeItem& item = items_[index];
    if (item.seen > item.version) changed(index);
    item.version = record.version;
    item.seen = std::max(item.seen, record.version);
    if (record.kind == Kind::message) listener_.update(index, record.version, record.body);
    else if (record.kind == Kind::closed) return end(index, record.body);
    else switched(r, index, record.body);
    if (item.seen > item.version) drain(r, index);
}

void Edge::drain(Remote& r, std::uint32_t index) {
    EdgeItem& item = items_[index];
    for (Pending::Held held; item.phase == Phase::live && pending_.take(index, item.version + 1, held);) {
        ++item.version;
        if (held.kind == Kind::message) listener_.update(index, item.version, held.body);
        else if (held.kind == Kind::closed) end(index, held.body);
        else switched(r, index, held.body);
    }
}

void Edge::switched(Remote& r, std::uint32_t index, Bytes body) {
    EdgeItem& item = items_[index];
    changed(index);
    eta::BeReader in(body);
    const std::uint16_t lane = in.u16();
    std::uint64_t sequence = 0;
    bool found = in.ok() && (lane == kUnicast || lane == item.number % options_.wideLanes);
    if (found && lane != kUnicast) sequence = in.read<std::uint64_t>();
    else if (found)
        for (found = false; !found && in.remaining() != 0;) {
            found = in.u32() == options_.node;
            sequence = in.read<std::uint64_t>();
        }
    // It holds what it held; from here on the other lane has to prove it.
    if (item.registration == r.registration && item.covered > laneOf(r, item.lane)->in.lostUpTo() &&
        laneOf(r, item.lane)->in.provenAt() != eta::TimePoint::min())
        promise(item, laneOf(r, item.lane)->in.provenAt() + options_.proofLasts());
    if (!found || !in.ok()) {  // not for this node: the owner does not know that it wants the item
        counts_.ignoredRecords.add();
        item.registration = 0;
        return enqueue(index);
    }
    counts_.switches.add();
    outOfLane(r, index);
    intoLane(r, index, lane);
    item.covered = coveredFrom(item, sequence);
    item.uncertain = !certain(item, r);
    if (item.uncertain && item.seen <= item.version) enqueue(index);
}

void Edge::replied(std::size_t slot, const Header& header, Bytes records) {
    Remote& r = remotes_[slot];
    if (!header.whole()) {
        const auto got = r.replies.add(header, records, options_.maxMessage);
        if (got == Assembler::Result::broken) counts_.brokenMessages.add();
        if (got != Assembler::Result::complete) return;
        records = r.replies.records();
        if (!checkRecords(records, header.records).ok()) return counts_.refusedFrames.add();
    }
    RecordReader reader(records);
    Record record;
    if (!reader.next(record) || record.kind != Kind::addressee || record.body.size() != 8 ||
        eta::loadBe<std::uint64_t>(record.body.data()) != options_.epoch)
        return counts_.staleFrames.add();
    while (reader.next(record))
        stated(r, record);
}

void Edge::stated(Remote& r, const Record& record) {
    if (record.kind == Kind::ack || record.kind == Kind::postsTaken) return postsSaid(r, record);
    if (record.kind == Kind::dictionaryPart) return dictionaryPart(r, record);
    eta::BeReader in(record.body);
    const Statement s = Statement::read(in);
    const Bytes body = in.rest();
    const bool fits = record.kind == Kind::image || record.kind == Kind::same || record.kind == Kind::closed ||
                      record.kind == Kind::refused;
    if (!in.ok() || !fits || (s.lane != kUnicast && s.lane != record.number % options_.wideLanes))
        return counts_.ignoredRecords.add();
    if (s.registration < r.registration) return counts_.staleFrames.add();
    if (s.registration > r.registration) {
        r.registration = s.registration;
        r.registeredAt = sender_.bus().now();
        checkAll(r);
    }
    const auto asked = byAsk_.find(s.ask);
    Successors::Wish* const next = asked != byAsk_.end() ? successors_.at(asked->second, r.id) : nullptr;
    if (next != nullptr && next->ask == s.ask) {
        if (stays(asked->second)) {
            if (record.kind == Kind::image && !r.byNumber.contains(record.number)) next->number = record.number;
            return forgetSuccessor(asked->second);
        }
        if (record.kind == Kind::refused) {
            EdgeItem& item = items_[asked->second];
            refusedBy(item, slotOf(r.id));
            if (const std::uint32_t other = nextOwner(item); other != kNoOwner) return succeed(asked->second, other);
            item.refused = 0;  // all have: they are asked again, since they may have it later
            next->answered = true;
            return;
        }
        // What cannot take the place of what is shown means: not yet. It is asked again.
        if (record.kind == Kind::image && !r.byNumber.contains(record.number)) next->number = record.number;
        next->answered = true;
        if (record.kind != Kind::image || r.byNumber.contains(record.number) ||
            next->askedAt == eta::TimePoint::max() || !listener_.canReplace(body))
            return;
        adopt(asked->second);
        counts_.handedOver.add();
    } else if (asked == byAsk_.end() || items_[asked->second].owner != r.id) {
        // Nobody wants it any more. Not while a wish is open, as above.
        if (record.kind == Kind::image && r.asking == 0 && !r.byNumber.contains(record.number))
            r.requests.add(Kind::drop, record.number, 0, {});
        return;
    }
    const std::uint32_t index = asked->second;
    EdgeItem& item = items_[index];
    changed(index);
    if (record.kind == Kind::refused) {
        // Owners need not have the same items, where publishers feed them: the next one is asked.
        refusedBy(item, slotOf(r.id));
        if (const std::uint32_t other = bestOwner(item.service, refusedOf(item)); other != kNoOwner)
            return serve(index, other);
    }
    if (record.kind == Kind::closed || record.kind == Kind::refused) return end(index, body);
    if (item.phase == Phase::asking) {
        // Nobody answers a wish that has not been sent.
        if (record.kind != Kind::image || r.byNumber.contains(record.number) || item.askedAt == eta::TimePoint::max())
            return counts_.ignoredRecords.add();
        item.phase = Phase::live;
        item.again = false;
        --r.asking;
        item.number = record.number;
        item.version = item.seen = record.version;
        item.registration = s.registration;
        r.byNumber.emplace(item.number, index);
        intoLane(r, index, s.lane);
        // Updates that came while the number was unknown are lost; a second copy of this statement is no better.
        const EdgeLane* const wide = laneOf(r, static_cast<std::uint16_t>(item.number % options_.wideLanes));
        item.ignoredUnicast = r.unicast.ignoredUpTo;
        item.ignoredWide = wide != nullptr ? wide->ignoredUpTo : 0;
        item.covered = coveredFrom(item, s.sequence);
        item.okUntil = item.askedAt + options_.proofLasts();
        counts_.images.add();
        listener_.image(index, record.version, body);
        item.uncertain = !certain(item, r);
        if (item.uncertain) enqueue(index);
        return;
    }
    if (item.number != record.number) return counts_.ignoredRecords.add();
    if (record.version < item.version && s.lane != item.lane) return counts_.oldImages.add();
    item.registration = std::max(item.registration, s.registration);
    if (s.lane != item.lane) {
        outOfLane(r, index);
        intoLane(r, index, s.lane);
        item.covered = 0;
    }
    item.covered = std::max(item.covered, coveredFrom(item, s.sequence));
    const bool again = item.again && record.version == item.version;
    if (record.kind == Kind::image && (record.version > item.version || again)) {
        item.again = false;
        counts_.images.add();
        pending_.drop(index, record.version);
        item.version = record.version;
        item.seen = std::max(item.seen, record.version);
        listener_.image(index, record.version, body);
        if (item.seen > item.version) drain(r, index);
    } else {
        (record.kind == Kind::same ? counts_.same : counts_.oldImages).add();
    }
    if (item.phase == Phase::live) item.uncertain = !certain(item, r);
}

void Edge::end(std::uint32_t index, Bytes status) {
    EdgeItem& item = items_[index];
    Remote& r = remotes_[slotOf(item.owner)];
    if (item.phase == Phase::asking) --r.asking;
    if (item.phase == Phase::live) {
        r.byNumber.erase(item.number);
        outOfLane(r, index);
    }
    changed(index);
    forgetSuccessor(index);
    byAsk_.erase(item.ask);
    pending_.drop(index);
    homes_.remove(items_, index);
    item.ask = 0;
    item.phase = Phase::ended;
    item.queued = false;
    listener_.ended(index, status);
}

}  // namespace emissary::hub::mesh
