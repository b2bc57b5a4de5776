// Owner: requests answered with statements, updates put into lanes, items moved between lanes.
#include "hub/mesh/Owner.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

namespace emissary::hub::mesh {
namespace {

constexpr std::size_t kReplyBytes = 128 * 1024;
constexpr std::size_t kFreedATurn = 4096;          // items that are looked at in roomForItem()
constexpr std::uint32_t kMostNumber = 0x7FFFFFFF;  // a stream of the hub that owns it

std::uint64_t bitOf(std::size_t place) noexcept {
    return std::uint64_t{1} << place;
}

/// Calls `use` with the place of each subscriber in the mask: bit n stands for place n.
template <class Use>
void forEachPlace(std::uint64_t mask, Use&& use) {
    for (; mask != 0; mask &= mask - 1)
        use(static_cast<std::size_t>(std::countr_zero(mask)));
}

}  // namespace

Owner::Owner(Sender& sender, OwnItems& items, const MeshOptions& options, MeshCounts& counts)
    : sender_(sender), own_(items), options_(options), counts_(counts), subscribers_(kSlots) {
    placeOf_.fill(kNowhere);
    wide_.reserve(options.wideLanes);
    for (std::uint16_t k = 0; k < options.wideLanes; ++k)
        wide_.emplace_back(k, subject(options, "w." + nodeName(options.node) + "." + std::to_string(k)),
                           options.batchBytes, 0);
}

bool Owner::update(std::uint32_t number, Bytes body, Body whose) {
    Item* const item = at(number);
    if (item == nullptr || body.size() > kMostBody) return false;
    ++item->version;
    const auto into = [&](LaneOut& lane) {
        return whose == Body::many ? lane.addOfMany(sender_, options_.batchBytes, number, item->version, body)
                                   : lane.add(sender_, options_.batchBytes, Kind::message, number, item->version, body);
    };
    if (item->wide) return into(wide_[laneOf(number)]);
    forEachPlace(receivers(*item), [&](std::size_t p) { static_cast<void>(into(*subscribers_[p]->lane)); });
    return true;
}

void Owner::close(std::uint32_t number, Bytes status) {
    Item* const item = at(number);
    if (item == nullptr || status.size() > kMostBody) return;
    ++item->version;
    const auto end = [&](LaneOut& lane) {
        static_cast<void>(lane.add(sender_, options_.batchBytes, Kind::closed, number, item->version, status));
    };
    if (item->wide) end(wide_[laneOf(number)]);
    else forEachPlace(receivers(*item), [&](std::size_t p) { end(*subscribers_[p]->lane); });
    interests_ -= static_cast<std::uint32_t>(std::popcount(item->mask));
    forEachPlace(item->mask, [&](std::size_t p) { --subscribers_[p]->wants; });
    if (item->mask != 0) --wanted_;
    forget(number, *item);
}

void Owner::forget(std::uint32_t number, const Item& item) {
    byKey_.erase(item.key);
    items_.erase(number);
}

/// Many give way at once: to find them means to look at all.
bool Owner::roomForItem() {
    if (items_.size() < options_.maxItems && lastNumber_ != kMostNumber) return true;
    if (lastNumber_ == kMostNumber || items_.size() - wanted_ < options_.maxItems / 64 + 1) return false;
    // Some in each call, from where the last one stopped: millions at once would make everybody else wait.
    for (std::size_t looked = 0, freed = 0; freed == 0 || looked < kFreedATurn; ++looked) {
        freeFrom_ = items_.next(freeFrom_ + 1);
        const Item* const item = at(freeFrom_);  // null behind the last one: it begins again
        if (item == nullptr || item->mask != 0) continue;
        forget(freeFrom_, *item);
        ++freed;
    }
    return true;
}

void Owner::join(std::size_t slot, std::uint32_t node, std::uint64_t epoch) {
    leave(slot);
    std::size_t place = 0;
    while (place < subscribers_.size() && subscribers_[place])
        ++place;
    if (place == subscribers_.size()) {  // of those that are there or have left, one at least has left
        place = static_cast<std::size_t>(std::countr_zero(leaving_));
        for (std::size_t all = SIZE_MAX; subscribers_[place];)
            leaveSome(place, all);
    }
    auto s = std::make_unique<Subscriber>();
    s->node = node;
    s->epoch = epoch;
    s->replyTo = subject(options_, "r." + nodeName(node));
    subscribers_[place] = std::move(s);
    placeOf_[slot] = static_cast<std::uint8_t>(place);
}

/// What only that node wanted is let go. The next one that gets a lane goes on behind the numbers that this one's lane
/// has used.
void Owner::leave(std::size_t slot) {
    const std::size_t place = std::exchange(placeOf_[slot], kNowhere);
    if (place == kNowhere) return;
    Subscriber& s = *subscribers_[place];
    if (s.lane) highestLast_ = std::max(highestLast_, s.lane->last());
    s.lane.reset();
    leaving_ |= bitOf(place);
}

void Owner::tick() {
    for (std::size_t left = options_.walkATurn; leaving_ != 0 && left != 0;)
        leaveSome(static_cast<std::size_t>(std::countr_zero(leaving_)), left);
}

void Owner::leaveSome(std::size_t place, std::size_t& left) {
    std::vector<std::uint32_t>& items = subscribers_[place]->items;
    for (; !items.empty() && left != 0; --left) {
        const std::uint32_t number = items.back();
        items.pop_back();
        // One that was wanted twice is there twice.
        if (Item* const item = at(number); item != nullptr && (item->mask & bitOf(place)) != 0)
            unwant(place, number, *item);
    }
    if (!items.empty()) return;
    subscribers_[place].reset();
    leaving_ &= ~bitOf(place);
}

void Owner::requested(std::size_t slot, Bytes records) {
    const std::size_t place = placeOf_[slot];
    Subscriber& s = *subscribers_[place];
    RecordReader reader(records);
    std::size_t parts = 0;
    for (Record r; reader.next(r);) {
        // What is asked for in a few bytes must not be answered with megabytes.
        if (r.kind == Kind::dictionaryPart && ++parts <= kDictionaryPartsAtOnce) givePart(s, r);
        else if (r.kind == Kind::interest) interest(s, place, r);
        else if (r.kind == Kind::resync) resync(s, place, r);
        else if (r.kind == Kind::drop) drop(place, r.number);
        else if (r.kind != Kind::addressee && r.kind != Kind::askDirectory && r.kind != Kind::post &&
                 r.kind != Kind::ackHeard)
            counts_.ignoredRecords.add();
    }
    sendReply(s);
}

void Owner::flushIfOlder(eta::TimePoint than) {
    for (LaneOut& lane : wide_)
        lane.flushIfOlder(sender_, than);
    for (const auto& s : subscribers_)
        if (s && s->lane) s->lane->flushIfOlder(sender_, than);
}

void Owner::flush() {
    flushIfOlder(eta::TimePoint::max());
}

std::uint64_t Owner::lastTo(std::size_t slot) const noexcept {
    const Subscriber* const s = subscriber(slot);
    return s != nullptr && s->lane ? s->lane->last() : 0;
}

std::uint32_t Owner::registration(std::size_t slot) const noexcept {
    const Subscriber* const s = subscriber(slot);
    return s != nullptr ? s->registration : 0;
}

std::uint32_t Owner::version(std::uint32_t number) const noexcept {
    const Item* const item = items_.find(number);
    return item != nullptr ? item->version : 0;
}

bool Owner::isWide(std::uint32_t number) const noexcept {
    const Item* const item = items_.find(number);
    return item != nullptr && item->wide;
}

std::uint16_t Owner::laneOf(std::uint32_t number) const noexcept {
    return static_cast<std::uint16_t>(number % options_.wideLanes);
}

void Owner::registerAt(Subscriber& s) {
    if (s.lane) return;
    // Behind every lane that there was to a node in this slot or another: sequences of a node never fall in an epoch.
    s.lane =
        std::make_unique<LaneOut>(kUnicast, subject(options_, "u." + nodeName(options_.node) + "." + nodeName(s.node)),
                                  options_.batchBytes, highestLast_ + 1);
    s.registration = ++registrations_;
}

void Owner::interest(Subscriber& s, std::size_t place, const Record& r) {
    eta::BeReader in(r.body);
    const Bytes service = in.buf8(), name = in.rest();
    if (!in.ok() || name.empty()) return counts_.ignoredRecords.add();
    registerAt(s);
    std::string key = keyOf(eta::asText(service), eta::asText(name));
    std::uint32_t number = 0;
    const auto known = byKey_.find(key);
    const bool isNew = known == byKey_.end();
    if (!isNew) {
        number = known->second;
    } else {
        if (!roomForItem()) {
            counts_.refusedItems.add();
            return say(s, Kind::refused, r.number, 0);
        }
        number = ++lastNumber_;
        items_.make(number).key = key;
        byKey_.emplace(std::move(key), number);
    }
    Item& item = *at(number);
    if (item.mask == 0 && !own_.wanted(number, eta::asText(service), eta::asText(name))) {
        forget(number, item);
        // A number that a node was told is never another item's: a late post would be published there.
        if (isNew && number == lastNumber_) --lastNumber_;
        return say(s, Kind::refused, r.number, 0);
    }
    want(place, number, item);
    say(s, Kind::image, r.number, number);
}

void Owner::resync(Subscriber& s, std::size_t place, const Record& r) {
    eta::BeReader in(r.body);
    const std::uint32_t ask = in.u32();
    if (!in.ok()) return counts_.ignoredRecords.add();
    registerAt(s);
    Item* const item = at(r.number);
    if (item == nullptr) return say(s, Kind::closed, ask, r.number);
    if (item->mask == 0) {
        const std::size_t end = item->key.find('\0');
        if (!own_.wanted(r.number, std::string_view(item->key).substr(0, end),
                         std::string_view(item->key).substr(end + 1)))
            return say(s, Kind::refused, ask, r.number);
    }
    want(place, r.number, *item);
    say(s, item->version == r.version ? Kind::same : Kind::image, ask, r.number);
}

void Owner::drop(std::size_t place, std::uint32_t number) {
    Item* const item = at(number);
    if (item != nullptr && (item->mask & bitOf(place)) != 0) unwant(place, number, *item);
}

void Owner::want(std::size_t place, std::uint32_t number, Item& item) {
    if ((item.mask & bitOf(place)) != 0) return;
    ++interests_;
    if (item.mask == 0) ++wanted_;
    if (!item.wide && static_cast<unsigned>(std::popcount(receivers(item))) + 1 >= options_.wideAt) widen(number, item);
    item.mask |= bitOf(place);
    Subscriber& s = *subscribers_[place];
    ++s.wants;
    s.items.push_back(number);
    if (s.items.size() > 2 * s.wants + 64) compact(place);
}

void Owner::compact(std::size_t place) {
    std::vector<std::uint32_t>& items = subscribers_[place]->items;
    std::erase_if(items, [&](std::uint32_t number) {
        const Item* const item = at(number);
        return item == nullptr || (item->mask & bitOf(place)) == 0;
    });
    std::sort(items.begin(), items.end());
    items.erase(std::unique(items.begin(), items.end()), items.end());
}

void Owner::unwant(std::size_t place, std::uint32_t number, Item& item) {
    --interests_;
    --subscribers_[place]->wants;
    item.mask &= ~bitOf(place);
    // Two fewer than it takes to become wide: one hub that comes and goes moves nothing.
    if (item.wide && static_cast<unsigned>(std::popcount(receivers(item))) + 2 <= options_.wideAt) narrow(number, item);
    if (item.mask == 0) {
        --wanted_;
        own_.unwanted(number);
    }
}

void Owner::widen(std::uint32_t number, Item& item) {
    const std::uint16_t lane = laneOf(number);
    ++item.version;  // a switch has a version, so that statements before and behind it can be told apart
    std::array<std::byte, 10> body;
    eta::BeWriter out(body);
    out.u16(lane);
    out.write(wide_[lane].last());
    forEachPlace(receivers(item), [&](std::size_t place) {
        static_cast<void>(
            subscribers_[place]->lane->add(sender_, options_.batchBytes, Kind::laneSwitch, number, item.version, body));
    });
    item.wide = true;
    counts_.switches.add();
}

void Owner::narrow(std::uint32_t number, Item& item) {
    ++item.version;
    scratch_.resize(2 + 64 * 12);
    eta::BeWriter out(scratch_);
    out.u16(kUnicast);
    forEachPlace(receivers(item), [&](std::size_t place) {
        out.u32(subscribers_[place]->node);
        out.write(subscribers_[place]->lane->last());
    });
    static_cast<void>(
        wide_[laneOf(number)].add(sender_, options_.batchBytes, Kind::laneSwitch, number, item.version, out.view()));
    item.wide = false;
    counts_.switches.add();
}

void Owner::say(Subscriber& s, Kind kind, std::uint32_t ask, std::uint32_t number) {
    Statement st;
    st.ask = ask;
    st.registration = s.registration;
    const Item* item = at(number);
    st.lane = item != nullptr && item->wide ? laneOf(number) : kUnicast;
    st.sequence = st.lane == kUnicast ? s.lane->last() : wide_[st.lane].last();
    static_cast<void>(image_.start());
    if (kind == Kind::image) {
        own_.writeImage(number, image_.writer());
        item = at(number);  // the source may have ended it just then
        if (item == nullptr) {
            kind = Kind::closed;
            static_cast<void>(image_.start());
        }
    }
    if (!image_.writer().ok() || image_.view().size() > kMostBody - Statement::kBytes) {
        kind = Kind::refused;
        static_cast<void>(image_.start());
    }
    beginReply(s, image_.view().size());
    static_cast<void>(s.reply.add(kind, number, item != nullptr ? item->version : 0, st.bytes(), image_.view()));
}

void Owner::beginReply(Subscriber& s, std::size_t more) {
    if (!s.reply.empty() && s.reply.bytes() + more > kReplyBytes) sendReply(s);
    if (!s.reply.empty()) return;
    std::array<std::byte, 8> epoch;
    eta::storeBe(epoch.data(), s.epoch);
    static_cast<void>(s.reply.add(Kind::addressee, 0, 0, epoch));
}

void Owner::givePart(Subscriber& s, const Record& r) {
    eta::BeReader in(r.body);
    const auto id = in.read<std::uint64_t>();
    // The asker hears from a heartbeat which one there is now.
    if (!in.ok() || id == 0 || id != dictionary_.id || r.number >= dictionary_.parts.size())
        return counts_.ignoredRecords.add();
    const std::vector<std::byte>& part = dictionary_.parts[r.number];
    beginReply(s, part.size());
    std::array<std::byte, 8> head;
    eta::storeBe(head.data(), id);
    static_cast<void>(
        s.reply.add(Kind::dictionaryPart, r.number, static_cast<std::uint32_t>(dictionary_.parts.size()), head, part));
}

void Owner::sendReply(Subscriber& s) {
    if (!s.reply.empty()) sender_.flush(s.reply, FrameType::reply, kUnicast, s.replies, s.replyTo);
}

}  // namespace emissary::hub::mesh
