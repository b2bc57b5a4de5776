// Makes the parts of the room, and passes calls of other rooms to them.
#include "hub/flow/ItemFlow.h"

#include "hub/flow/Inbound.h"
#include "hub/flow/Joins.h"

namespace emissary::hub::flow {

using namespace eta::codec;

struct ItemFlow::Parts {
    Parts(const Rooms& r, std::size_t partBytes, Counts& counts)
        : rooms(r), images(rooms, partBytes), ends(rooms, images, counts), inbound(rooms, images, ends, counts),
          joins(rooms, images, ends, counts) {}
    Rooms rooms;
    Images images;
    Ends ends;
    Inbound inbound;
    Joins joins;
    Headers headers;
};

ItemFlow::ItemFlow(const Rooms& rooms, std::size_t refreshPartBytes)
    : parts_(std::make_unique<Parts>(rooms, refreshPartBytes, counts_)) {
    // An id that is reused must not find images of the service that had it before.
    rooms.services.beforeReuse(this, [this](std::uint16_t id) { parts_->images.renew(id); });
}
ItemFlow::~ItemFlow() {
    parts_->rooms.services.forget(this);
}

void ItemFlow::use(StreamEnds& ends) noexcept {
    parts_->rooms.ends = &ends;
}

bool ItemFlow::join(Client& client, std::int32_t stream, const JoinRequest& request) {
    return parts_->joins.join(client, stream, request);
}

void ItemFlow::reissue(Client& client, std::int32_t stream, const Reissue& reissue) {
    parts_->joins.reissue(client, stream, reissue);
}

void ItemFlow::leave(Client& client, std::int32_t stream) {
    parts_->joins.leave(client, stream);
}

void ItemFlow::settle(Client& client, std::int32_t stream, bool resumed, bool image) {
    parts_->joins.settle(client, stream, resumed, image);
}

void ItemFlow::received(Item& item, const Msg& msg) {
    parts_->inbound.received(item, msg);
}

void ItemFlow::prefetch(const Item& item) const noexcept {
    // What received() will touch first: mounts and image (hub.md 9, 1).
    __builtin_prefetch(item.mounts);
    parts_->images.prefetch(item);
}

void ItemFlow::bind(Item& item, Source* source, std::uint64_t upstream) {
    // Posts that wait for the old source's ack are answered, since no ack comes any more.
    if (parts_->rooms.ends != nullptr) parts_->rooms.ends->onSourceStreamEnds(item);
    // A source owns the item now, so it is no longer counted as one that only posts made.
    if (source != nullptr) parts_->ends.notPosted(item);
    parts_->rooms.items.serve(item, source);
    item.upstream = upstream;
    // Parts of the old source must not be completed by parts of the new one.
    parts_->images.abandonParts(item);
    if (item.extras) item.extras->parts.restart();
    ItemLife::apply(item, source != nullptr ? Event::bound : Event::unbound);
}

void ItemFlow::release(Item& item) noexcept {
    parts_->rooms.items.leave(item);
    item.upstream = 0;
    ItemLife::apply(item, Event::streamOver);
}

// Order: bind first (it marks the item as rebound and clears parts), then the image and what belongs to it, then the
// state, which is what clients see. Only then the image goes out.
void ItemFlow::takeOver(Item& item, Source& source, std::uint64_t upstream, SecondImage second, const State& state) {
    bind(item, &source, upstream);
    parts_->rooms.groups.put(item, second.group);
    parts_->images.replace(item, second.image);
    if (item.extras) item.extras->parts.restart();
    item.containerType = second.containerType;
    item.qos = second.qos;
    ItemLife::apply(item, Event::imageReplaced);
    ItemLife::apply(item, second.hasSeqNum ? Event::numbered : Event::unnumbered);  // each source counts on its own
    item.seqNum = second.seqNum;
    // The standby's image holds no post of a client.
    if (item.extras) item.extras->posted = false;
    if (item.extras || !second.permData.empty()) item.more().permData = std::move(second.permData);
    parts_->ends.keepState(item, state);
    parts_->inbound.sendImage(item);
}

void ItemFlow::awaitImage(Item& item) noexcept {
    parts_->joins.awaitImage(item);
}

void ItemFlow::showOutdated(Item& item, const Msg& image) {
    const std::uint32_t index = item.index, generation = item.generation;
    received(item, image);
    Item* const still = parts_->rooms.items.find(index, generation);
    if (still == nullptr || still->image == 0) return;
    parts_->images.distrust(*still);
    ItemLife::apply(*still, Event::imageUntrue);
}

void ItemFlow::goOnWithoutImage(Item& item) {
    parts_->joins.goOnWithoutImage(item);
}

// Suspect counts as an event of its own, so that a later Ok refresh is passed on as recovery.
void ItemFlow::suspect(Item& item, std::uint8_t code, std::string_view text, Tell tell) {
    ItemLife::apply(item, Event::suspected);
    parts_->ends.state(item, {StreamState::open, DataState::suspect, code, eta::asBytes(text)}, tell);
}

void ItemFlow::changeState(Item& item, const State& state, Tell tell) {
    // A final state ends the item; everything else stays a state.
    if (!state.isFinal()) return parts_->ends.state(item, state, tell);
    close(item, state);
}

void ItemFlow::close(Item& item, const State& state) {
    parts_->ends.close(item, parts_->headers.status(item, state));
}

bool ItemFlow::renew(Item& item, bool state, const std::function<bool(const Client&)>& lacks) {
    return parts_->joins.renew(item, state, lacks);
}

void ItemFlow::renewed(Item& item) {
    parts_->joins.renewed(item);
}

void ItemFlow::erase(Item& item) noexcept {
    parts_->ends.erase(item);
}

void ItemFlow::forgetImage(Item& item) noexcept {
    parts_->images.drop(item);
    parts_->rooms.groups.take(item);
}

void ItemFlow::onPostedGone(std::function<void(const Item&)> told) {
    parts_->ends.postedGone = std::move(told);
}

Item* ItemFlow::take(std::uint16_t service, std::uint8_t domain, const MsgKey& key) {
    Service* const s = parts_->rooms.services.find(service);
    return s == nullptr ? nullptr : parts_->joins.take(*s, domain, key, true);
}

cache::ImageStore& ItemFlow::store(std::uint16_t service) {
    return parts_->images.store(service);
}

bool ItemFlow::hasImage(const Item& item) const noexcept {
    return parts_->images.usable(item);
}

void ItemFlow::setDictionary(std::shared_ptr<const eta::dictionary::Dictionary> dictionary) {
    parts_->images.setDictionary(std::move(dictionary));
}

}  // namespace emissary::hub::flow
