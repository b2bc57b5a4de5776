// Edge: items that are wanted, which owner is asked for them, at what rate, and what heartbeats say.
#include "hub/mesh/Edge.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace emissary::hub::mesh {

Edge::Edge(Sender& sender, EdgeListener& listener, const MeshOptions& options, MeshCounts& counts)
    : sender_(sender), listener_(listener), options_(options), counts_(counts), remotes_(kSlots),
      pending_(options.maxPending, options.maxPendingBytes) {}

std::int64_t Edge::open(const std::string& service, const std::string& name) {
    if (service.size() > 255 || name.empty() || name.size() > 255) return -1;
    std::string key = keyOf(service, name);
    if (const auto known = byKey_.find(key); known != byKey_.end()) return known->second;
    if (byKey_.size() >= options_.maxItems) {
        counts_.refusedItems.add();
        return -1;
    }
    std::uint32_t index = 0;
    if (freeItems_.empty()) {
        index = static_cast<std::uint32_t>(items_.size());
        items_.emplace_back();
    } else {
        index = freeItems_.back();
        freeItems_.pop_back();
    }
    EdgeItem& item = items_[index];
    item.service = service;
    item.name = name;
    item.phase = Phase::asking;
    homes_.add(items_, index);
    byKey_.emplace(std::move(key), index);
    if (const std::uint32_t best = bestOwner(service); best != kNoOwner) serve(index, best);
    return index;
}

void Edge::close(std::uint32_t index) {
    EdgeItem& item = items_[index];
    if (item.phase == Phase::free) return;
    byKey_.erase(keyOf(item.service, item.name));
    unbind(index);
    homes_.remove(items_, index);
    EdgeItem freed;
    freed.looked = item.looked;  // StateQueue has the place still
    freed.timed = item.timed;
    item = std::move(freed);
    freeItems_.push_back(index);
}

void Edge::askAgain(std::uint32_t index) {
    if (items_[index].phase != Phase::live || over(items_[index].owner)) return;
    items_[index].again = true;
    enqueue(index);
}

void Edge::join(std::size_t slot, std::uint32_t node, std::uint64_t epoch) {
    leave(slot);
    Remote& r = remotes_[slot];
    r.used = true;
    r.id = ownerIn(slot, ++lives_);
    r.node = node;
    r.epoch = epoch;
    r.wide.resize(options_.wideLanes);
    // Nobody there: said in the lane from there to here, which this node has subscribed to, and may.
    r.requests = RequestOut(sender_, requests_, subject(options_, "q." + nodeName(node)),
                            subject(options_, "u." + nodeName(node) + "." + nodeName(options_.node)), epoch);
}

void Edge::leave(std::size_t slot) {
    Remote& r = remotes_[slot];
    if (!r.used) return;
    endPosts(r);
    if (fetching_.begun() && fetching_.slot() == slot) fetching_.clear();
    if (!homes_.some(r.id, 1).empty()) past_.push_back({r.id, std::move(r.byNumber)});
    for (std::size_t k = 0; k < r.wide.size(); ++k)
        if (r.wide[k]) leaveLane(r, k);
    r = Remote();
    ++peerSets_;
    chooseSoon();
}

void Edge::endLives() {
    std::uint32_t home = kNoHome, best = kNoOwner;
    for (std::size_t left = options_.walkATurn; left != 0 && !past_.empty();) {
        const std::vector<std::uint32_t> items = homes_.some(past_.back().owner, left);
        left -= items.size();
        for (const std::uint32_t i : items) {
            if (std::exchange(home, items_[i].home) != items_[i].home) best = bestOwner(items_[i].service);
            past_.back().byNumber.erase(items_[i].number);
            if (best != kNoOwner) serve(i, best);
            else unbind(i);
        }
        if (items.empty()) past_.pop_back();
    }
    more_ = more_ || !past_.empty();
}

bool Edge::reachable(const Remote& r) const noexcept {
    return r.used && r.provenAt != eta::TimePoint::min() && sender_.bus().now() - r.provenAt < options_.proofLasts();
}

std::uint32_t Edge::bestOwner(const std::string& service, std::uint64_t without, Doubtful doubtful) const noexcept {
    const auto doubted = [&](const Remote& r) { return doubtful == Doubtful::last && r.wavers; };
    const Remote* best = nullptr;
    const OfferedService* offer = nullptr;
    for (std::size_t i = 0; i < remotes_.size(); ++i) {
        if ((without >> i & 1u) != 0) continue;
        const Remote& r = remotes_[i];
        const OfferedService* const here = reachable(r) ? r.directory.find(service) : nullptr;
        if (here == nullptr || !here->up) continue;
        if (best != nullptr && std::tuple(doubted(r), here->leaves, here->rank, r.load, r.node) >=
                                   std::tuple(doubted(*best), offer->leaves, offer->rank, best->load, best->node))
            continue;
        best = &r;
        offer = here;
    }
    return best != nullptr ? best->id : kNoOwner;
}

const OfferedService* Edge::offered(const std::string& service) const noexcept {
    const std::uint32_t best = bestOwner(service, 0, Doubtful::asAny);
    return best != kNoOwner ? remotes_[slotOf(best)].directory.find(service) : nullptr;
}

const OfferedService* Edge::ownerOf(std::uint32_t index) const noexcept {
    const EdgeItem& item = items_[index];
    if (item.owner == kNoOwner || over(item.owner)) return nullptr;
    return remotes_[slotOf(item.owner)].directory.find(item.service);
}

Edge::Doubt Edge::doubt(std::uint32_t index) const noexcept {
    const EdgeItem& item = items_[index];
    if (item.owner == kNoOwner || over(item.owner)) return Doubt::noOwner;
    if (!reachable(remotes_[slotOf(item.owner)])) return Doubt::silent;
    return item.phase == Phase::asking ? Doubt::asked : Doubt::missing;
}

bool Edge::show(std::uint32_t index) {
    changed(index);  // the next tick looks at it, whether or not its lane changes
    items_[index].shownOk = isCurrent(index, sender_.bus().now());
    return items_[index].shownOk;
}

/// Some items in each turn: of a hub with a million of them the others would wait for a second.
void Edge::chooseOwners() {
    if (std::exchange(chooseAnew_, false)) homes_.seeAll();
    std::vector<std::pair<std::uint32_t, std::uint32_t>> moves, handovers;
    std::uint32_t best = kNoOwner;
    bool handsOver = false;
    const auto from = [&](const Homes::Service& s, const Homes::Group& g) {
        best = bestOwner(s.name);
        handsOver = false;
        if (best == kNoOwner || g.owner == best || over(g.owner)) return false;  // of the last ones: endLives()
        if (g.owner == kNoOwner) return true;
        const Remote& owner = remotes_[slotOf(g.owner)];
        if (!reachable(owner)) return true;
        const OfferedService* const here = owner.directory.find(s.name);
        if (here == nullptr || !here->up) return true;
        // They stay until that owner is lost; if it leaves or may be gone, until another one has answered.
        handsOver = true;
        const Remote& next = remotes_[slotOf(best)];
        return (here->leaves || owner.doubtful) && !next.wavers && !next.directory.find(s.name)->leaves;
    };
    choose_ = !homes_.next(options_.movesATurn, from, [&](const Homes::Service&, const Homes::Group&, std::uint32_t i) {
        const EdgeItem& item = items_[i];
        const bool refused = handsOver && (refusedOf(item) >> slotOf(best) & 1u) != 0;
        const std::uint32_t owner = refused ? nextOwner(item) : best;
        if (owner != kNoOwner) (handsOver ? handovers : moves).emplace_back(i, owner);
    });
    for (const auto& [index, owner] : moves)
        serve(index, owner);
    for (const auto& [index, owner] : handovers)
        succeed(index, owner);
}

void Edge::succeed(std::uint32_t index, std::uint32_t owner) {
    if (items_[index].phase != Phase::live) return serve(index, owner);  // there is nothing to keep
    if (successors_.at(index, owner) != nullptr) return;
    forgetSuccessor(index);
    successors_.add(index, owner, ++asks_);
    byAsk_[asks_] = index;
    ++remotes_[slotOf(owner)].asking;
    remotes_[slotOf(owner)].todo.push_back(index);
}

std::uint32_t Edge::nextOwner(const EdgeItem& item) const noexcept {
    const std::uint32_t next = bestOwner(item.service, refusedOf(item));
    if (next == kNoOwner || next == item.owner) return kNoOwner;
    const Remote& r = remotes_[slotOf(next)];
    return r.wavers || r.directory.find(item.service)->leaves ? kNoOwner : next;
}

void Edge::forgetSuccessor(std::uint32_t index) {
    const Successors::Wish* const wish = successors_.find(index);
    if (wish == nullptr) return;
    byAsk_.erase(wish->ask);
    if (!over(wish->owner)) {
        Remote& r = remotes_[slotOf(wish->owner)];
        --r.asking;
        // It has answered, so it goes on sending the item's updates.
        if (wish->number != 0 && !r.byNumber.contains(wish->number)) r.requests.add(Kind::drop, wish->number, 0, {});
    }
    successors_.remove(index);
}

bool Edge::stays(std::uint32_t index) const noexcept {
    const OfferedService* const here = ownerOf(index);
    if (here == nullptr || here->leaves) return false;
    const Remote& r = remotes_[slotOf(items_[index].owner)];
    return reachable(r) && !r.doubtful;
}

void Edge::askSuccessorAgain(std::uint32_t index, eta::TimePoint now) {
    if (stays(index)) return forgetSuccessor(index);
    Successors::Wish& wish = *successors_.find(index);
    Remote& r = remotes_[slotOf(wish.owner)];
    if (wish.answered && now < wish.askedAt + wish.pauses * options_.retry)
        return void(r.waiting.push_back({index, wish.ask, now}));
    // A new wish: what its answer says is as old as the wish.
    byAsk_.erase(wish.ask);
    successors_.renew(wish, ++asks_);
    byAsk_[wish.ask] = index;
    r.todo.push_back(index);
}

void Edge::adopt(std::uint32_t index) {
    const Successors::Wish wish = *successors_.find(index);
    successors_.remove(index);  // the wish stays: the item has it now
    unbind(index);
    homes_.move(items_, index, wish.owner);
    EdgeItem& item = items_[index];
    item.ask = wish.ask;
    item.askedAt = wish.askedAt;
    item.queued = wish.askedAt == eta::TimePoint::max();  // it is among what is to be asked for
    counts_.moves.add();
}

void Edge::serve(std::uint32_t index, std::uint32_t owner) {
    if (const Successors::Wish* const wish = successors_.at(index, owner)) {  // it was asked already
        const bool answered = wish->answered;
        adopt(index);
        if (answered) enqueue(index);  // it may be ready by now, and what it says is taken now
        return;
    }
    EdgeItem& item = items_[index];
    if (item.owner != kNoOwner && !over(item.owner)) counts_.moves.add();
    unbind(index);
    homes_.move(items_, index, owner);
    wish(index);
}

void Edge::wish(std::uint32_t index) {
    EdgeItem& item = items_[index];
    Remote& r = remotes_[slotOf(item.owner)];
    item.phase = Phase::asking;
    item.ask = ++asks_;
    item.askedAt = eta::TimePoint::max();
    item.queued = false;
    byAsk_[item.ask] = index;
    ++r.asking;
    enqueue(index);
}

void Edge::unbind(std::uint32_t index) {
    EdgeItem& item = items_[index];
    forgetSuccessor(index);
    pending_.drop(index);
    byAsk_.erase(item.ask);
    if (item.owner == kNoOwner) return;
    Remote& r = remotes_[slotOf(item.owner)];
    if (over(item.owner)) {
        // It has lost all of that already.
    } else if (item.phase == Phase::live) {
        pushPosts(r, sender_.bus().now());
        r.drop(item.number);
        r.byNumber.erase(item.number);
        outOfLane(r, index);
    } else if (item.phase == Phase::asking && item.ask != 0) {
        --r.asking;
    }
    homes_.move(items_, index, kNoOwner);
    item.number = item.version = item.seen = item.registration = item.ask = 0;
    item.covered = 0;
    item.queued = item.uncertain = false;
    item.okUntil = eta::TimePoint::min();
    item.phase = Phase::asking;
    changed(index);
}

void Edge::enqueue(std::uint32_t index) {
    EdgeItem& item = items_[index];
    if (item.queued || item.owner == kNoOwner || over(item.owner)) return;
    item.queued = true;
    remotes_[slotOf(item.owner)].todo.push_back(index);
}

/// What an item has of its owner is uncertain already, by its registration.
void Edge::checkAll(Remote& r) {
    const auto check = [](EdgeLane& lane) { lane.walk.due = lane.walk.next.asks = true; };
    check(r.unicast);
    for (const auto& lane : r.wide)
        if (lane) check(*lane);
}

void Edge::pump(Remote& r) {
    const eta::TimePoint now = sender_.bus().now();
    if (r.pacedAt == eta::TimePoint::min()) r.pacedAt = now;
    // What 50 ms allow may be made up for; it is more than a turn of the loop.
    r.tokens = std::min(std::max(1.0, options_.requestRate / 20.0),
                        r.tokens + options_.requestRate * std::chrono::duration<double>(now - r.pacedAt).count());
    r.pacedAt = now;
    const double check = double(options_.requestRate) / options_.resyncRate;
    std::size_t passed = 0;
    for (; r.tokens >= 1 && !r.todo.empty() && passed < options_.walkATurn; r.todo.pop_front()) {
        const std::uint32_t index = r.todo.front();
        EdgeItem& item = items_[index];
        const auto wish = [&](std::uint32_t ask, eta::TimePoint& askedAt) {
            const std::array<std::byte, 1> length{std::byte(item.service.size())};
            const std::string names = item.service + item.name;
            r.requests.add(Kind::interest, ask, 0, length, eta::asBytes(names));
            counts_.asked.add();
            askedAt = std::min(askedAt, now);
            r.waiting.push_back({index, ask, now});
            r.tokens -= 1;
        };
        if (Successors::Wish* const next = successors_.at(index, r.id)) {
            if (!stays(index)) wish(next->ask, next->askedAt);
            else forgetSuccessor(index), ++passed;
            continue;
        }
        if (item.owner != r.id || !item.queued) {  // it went elsewhere meanwhile
            ++passed;
            continue;
        }
        item.queued = false;
        if (item.phase == Phase::asking) {
            wish(item.ask, item.askedAt);
        } else if (item.phase == Phase::live && (item.again || !certain(item, r))) {
            std::array<std::byte, 4> ask;
            eta::storeBe(ask.data(), item.ask);
            // What has another version gets an image.
            r.requests.add(Kind::resync, item.number, item.again ? ~item.version : item.version, ask);
            counts_.resynced.add();
            r.waiting.push_back({index, item.ask, now});
            // A version is 28 bytes and its answer 32, an image is more.
            r.tokens -= check;
        } else {
            ++passed;
        }
    }
    more_ = more_ || passed == options_.walkATurn;
}

void Edge::tick() {
    const eta::TimePoint now = sender_.bus().now();
    if (const std::uint64_t lost = sender_.bus().lost(); lost != std::exchange(lost_, lost)) lostAt_ = now;
    more_ = false;
    endLives();
    std::size_t left = options_.walkATurn;
    // Behind the one that had the rest of the last turn: an owner that loses frames all the time has not all of them.
    const std::size_t first = first_;
    for (std::size_t n = 0; n < remotes_.size(); ++n) {
        const auto slot = static_cast<std::uint32_t>((first + n) % remotes_.size());
        Remote& r = remotes_[slot];
        if (!r.used) continue;
        if (reachable(r) != r.reachable) {
            r.reachable = !r.reachable;
            chooseSoon();
        }
        lookAfter(r, slot, now);
        // Later than items are suspect: an owner that is back by then has lost no post, and takes none twice.
        if (r.posts && now - r.provenAt >= options_.postsLast()) endPosts(r);
        checkLanes(r, now);
        if (left != 0 && !walkLanes(r, left)) first_ = slot + 1u;
        for (; !r.behind.empty() && r.behind.front().at + options_.repairDelay <= now; r.behind.pop_front()) {
            const EdgeItem& item = items_[r.behind.front().item];
            if (item.owner == r.id && item.ask == r.behind.front().ask && item.seen > item.version)
                enqueue(r.behind.front().item);
        }
        for (; !r.waiting.empty() && r.waiting.front().at + options_.retry <= now; r.waiting.pop_front()) {
            const std::uint32_t index = r.waiting.front().item;
            const EdgeItem& item = items_[index];
            const Successors::Wish* const next = successors_.at(index, r.id);
            if (next != nullptr && next->ask == r.waiting.front().ask) askSuccessorAgain(index, now);
            else if (item.owner == r.id && item.ask == r.waiting.front().ask && !certain(item, r)) enqueue(index);
        }
    }
    more_ = more_ || left == 0;
    if (choose_) chooseOwners();
    for (std::uint32_t slot = 0; slot < remotes_.size(); ++slot) {
        if (!remotes_[slot].used) continue;
        pump(remotes_[slot]);
        sendPosts(remotes_[slot], now);
    }
    pumpDictionary(now);
    for (std::uint32_t slot = 0; slot < remotes_.size(); ++slot) {
        if (!remotes_[slot].used) continue;
        remotes_[slot].requests.flush();
    }
    const bool all = states_.run(items_, now, options_.walkATurn, [&](std::uint32_t index) { showState(index, now); });
    more_ = more_ || !all;
}

/// An owner that may be gone is not waited for until its items are suspect: they stay with it, as current as it has
/// proven, and another one is asked for them meanwhile. Whatever is concluded here makes nothing current, or suspect.
void Edge::lookAfter(Remote& r, std::size_t slot, eta::TimePoint now) {
    if (r.heardAt == eta::TimePoint::min()) return;
    const eta::Duration silent = now - r.heardAt;
    // What this node has lost itself says nothing of the owner.
    const bool lost = lostAt_ != eta::TimePoint::min() && now - lostAt_ < options_.doubt();
    const bool doubtful = r.reachable && (r.gone || (silent >= options_.doubt() && !lost));
    const bool changes = doubtful != r.doubtful;
    if (changes) {
        r.doubtful = doubtful;
        if (doubtful) counts_.doubts.add();  // when it ends, wishes are given up one by one: stays()
    }
    // Owners that could not be heard for a while come back one after the other: the first is not to get the others'
    // items.
    if (doubtful) r.doubtedAt = now;
    // Nor one of which the bus has said by now that nobody is there: two may have died together.
    const bool wavers = doubtful || r.nobodyFirst != eta::TimePoint::min() ||
                        (r.doubtedAt != eta::TimePoint::min() && now - r.doubtedAt < options_.late());
    if (std::exchange(r.wavers, wavers) != wavers || changes) chooseSoon();
    if (now - r.beatAt < options_.late() || silent < options_.quiet() || !r.reachable || r.gone) return;
    // One that has items of this node, or would get them.
    if (!holds(slot) && successors_.count(r.id) == 0) return;
    if (r.lookedAt > r.heardAt && now - r.lookedAt < options_.askEvery()) return;
    r.lookedAt = now;
    r.requests.askWhoListens();
}

void Edge::nobodyListens(std::string_view subject) noexcept {
    const eta::TimePoint now = sender_.bus().now();
    for (Remote& r : remotes_)
        if (r.used && r.requests.nobodyAt() == subject && r.heardAt != eta::TimePoint::min() &&
            now - r.beatAt >= options_.late() && now - r.heardAt >= options_.quiet()) {
            if (r.nobodyFirst == eta::TimePoint::min()) r.nobodyFirst = now;
            // An owner that has lost its server is back at another one within a second. One with many items is not
            // waited for so long, but never given up at one word.
            if (r.nobodySince == eta::TimePoint::min() && now - r.heardAt >= options_.late()) r.nobodySince = now;
            const bool sure = r.nobodySince != eta::TimePoint::min() && now - r.nobodySince >= options_.sure();
            r.gone = r.gone || sure ||
                     (now >= moveBy(r) && now - r.nobodyFirst >= options_.askEvery());  // its items get fewer then
        }
}

/// Updates may have come until just now, but proofs come with heartbeats: what was last heard says nothing of how long
/// the items stay current. The bus is asked once more, and the last item is answered, within askEvery() each.
eta::TimePoint Edge::moveBy(const Remote& r) const noexcept {
    const auto asking = std::chrono::duration<double>(static_cast<double>(r.byNumber.size()) / options_.requestRate);
    return r.provenAt + options_.proofLasts() - 2 * options_.askEvery() -
           std::chrono::duration_cast<eta::Duration>(asking);
}

void Edge::heard(std::size_t slot) noexcept {
    Remote& r = remotes_[slot];
    if (r.heardAt == eta::TimePoint::min()) return;  // nothing counts before a heartbeat
    r.heardAt = sender_.bus().now();
    r.nobodyFirst = r.nobodySince = eta::TimePoint::min();
    r.gone = false;
}

void Edge::showState(std::uint32_t index, eta::TimePoint now) {
    EdgeItem& item = items_[index];
    if (item.phase == Phase::free) return;
    if (item.okUntil > now) states_.at(items_, index, item.okUntil);
    if (isCurrent(index, now) == item.shownOk) return;
    item.shownOk = !item.shownOk;
    listener_.state(index, item.shownOk);
}

void Edge::directory(std::size_t slot, const Header& header, Bytes records) {
    Remote& r = remotes_[slot];
    if (!header.whole()) {
        const auto got = r.directoryParts.add(header, records, options_.maxMessage);
        if (got == Assembler::Result::broken) counts_.brokenMessages.add();
        if (got != Assembler::Result::complete) return;
        records = r.directoryParts.records();
        if (!checkRecords(records, header.records).ok()) return counts_.refusedFrames.add();
    }
    if (r.directory.received(records, options_, counts_)) chooseSoon();
}

void Edge::heartbeat(std::size_t slot, const HeartbeatClaims& claims) {
    const eta::TimePoint now = sender_.bus().now();
    Remote& r = remotes_[slot];
    r.load = claims.load;
    r.takesParts = (claims.features & kTakesParts) != 0;
    r.heardAt = r.beatAt = now;
    heard(slot);
    if (std::exchange(r.dictionary, claims.dictionary) != claims.dictionary) ++changes_;
    r.dictionaryParts = claims.dictionaryParts;
    if (r.dictionaryVersion != claims.dictionaryVersion) r.dictionaryVersion = claims.dictionaryVersion;
    r.provenAt = std::max(r.provenAt, claims.at);
    if (!r.directory.isAt(claims.directoryVersion) &&
        (r.askedDirectoryAt == eta::TimePoint::min() || now - r.askedDirectoryAt >= options_.heartbeat)) {
        r.askedDirectoryAt = now;
        r.requests.add(Kind::askDirectory, 0, 0, {});
    }
    if (claims.registration != r.registration) {
        // An older heartbeat, or the owner has forgotten this node (and may know it again).
        if (claims.registration < r.registration && claims.at <= r.registeredAt) return;
        r.registration = claims.registration;
        r.registeredAt = now;
        checkAll(r);
    }
    if (r.registration == 0) return;
    r.unicast.in.claimed(claims.unicastLast, claims.at, now);
    for (std::size_t k = 0; k < r.wide.size(); ++k)
        if (r.wide[k]) r.wide[k]->in.claimed(k < claims.wideLast.size() ? claims.wideLast[k] : 0, claims.at, now);
}

}  // namespace emissary::hub::mesh
