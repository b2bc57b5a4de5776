// Binds items to publishers, changes over when one goes, and answers requests from images.
#include "hub/publisher/PublisherSupply.h"

#include "hub/flow/Headers.h"
#include "hub/flow/ItemLife.h"
#include "hub/source/redirect.h"
#include "reactor/rdm/stream_state.h"

#include <algorithm>

namespace emissary::hub::publisher {

using namespace eta::codec;

namespace {

/// Streams remember items by number and generation, in the room of a pointer.
[[nodiscard]] void* pack(const Item& item) noexcept {
    static_assert(sizeof(void*) == 8);
    // NOLINTNEXTLINE(performance-no-int-to-ptr): a number that is never dereferenced
    return reinterpret_cast<void*>(std::uint64_t{item.generation} << 32 | item.index);
}
[[nodiscard]] StandbyImages::Ref unpack(const void* context) noexcept {
    const auto v = reinterpret_cast<std::uint64_t>(context);
    return {static_cast<std::uint32_t>(v), static_cast<std::uint32_t>(v >> 32)};
}

[[nodiscard]] std::uint64_t upstreamOf(std::int32_t stream) noexcept {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(stream));
}

[[nodiscard]] bool offers(const Service& service, const Source& source) noexcept {
    return service.offerOf(source) != nullptr && source.up();
}

/// An upstream connection or the mesh serves it.
[[nodiscard]] bool foreign(const Item& item) noexcept {
    return item.source != nullptr && !item.source->kind().publishes;
}

/// Another hub serves it, and comes before publishers of this one (PreferRank).
[[nodiscard]] bool atFirstHub(const Service& service, const Item& item) noexcept {
    return item.source != nullptr && item.source == service.mesh.source && service.meshFirst();
}

[[nodiscard]] bool sameItem(const reactor::acceptor::PublishedStream& stream, const Msg& m) noexcept {
    return m.domain == stream.domain && (!m.key.has(KeyFlag::serviceId) || m.key.serviceId == stream.serviceId) &&
           (!m.key.has(KeyFlag::name) || eta::asText(m.key.name) == stream.name);
}

}  // namespace

PublisherSupply::~PublisherSupply() {
    rooms_.services.forget(this);
    for (const auto& [loss, timer] : republish_)
        rooms_.reactor.cancelTimer(timer);
}

Item* PublisherSupply::itemOf(const Stream& stream, const Service* service) noexcept {
    if (stream.context == nullptr) return nullptr;
    const Ref ref = unpack(stream.context);
    Item* const item = rooms_.items.find(ref.index, ref.generation);
    // The publisher may have given another name to its service meanwhile.
    return item != nullptr && service != nullptr && item->service != service->id ? nullptr : item;
}

// --- what publishers send --------------------------------------------------------------------------------------------

PublisherSupply::Took PublisherSupply::received(PublisherSource& source, Service* service, const Stream& stream,
                                                const Msg& msg) {
    if (reactor::rdm::endsStream(msg)) [[unlikely]] {
        const Took took = taken(source, service, stream, msg);
        streamOver(source, stream);
        return took;
    }
    return taken(source, service, stream, msg);
}

PublisherSupply::Took PublisherSupply::taken(PublisherSource& source, Service* service, const Stream& stream,
                                             const Msg& msg) {
    // The key of a redirection says where it leads.
    const bool leadsAway = msg.hasState() && msg.state.stream == StreamState::redirected;
    if (msg.cls != MsgClass::Generic && msg.hasKey() && !leadsAway && !sameItem(stream, msg)) [[unlikely]]
        return Took::foreign;
    Item* const item = itemOf(stream, nullptr);
    if (msg.cls == MsgClass::Update && item != nullptr && item->source == &source &&
        item->upstream == upstreamOf(stream.streamId)) [[likely]] {
        rooms_.records.touch(*item);
        rooms_.flow.received(*item, msg);
        return Took::ok;
    }
    if (msg.cls == MsgClass::Refresh && !msg.state.isFinal())
        return service != nullptr ? refresh(source, *service, stream, msg) : Took::unserved;
    return other(source, item, stream, msg);
}

void PublisherSupply::streamOver(PublisherSource& source, const Stream& stream) {
    Item* const item = itemOf(stream, nullptr);
    if (item == nullptr) return;
    if (item->source == &source && item->upstream == upstreamOf(stream.streamId)) {
        // Its last message did not end it: it named another item, or was a part of a refresh that had not begun.
        const State over{StreamState::closedRecover, DataState::suspect, 0,
                         eta::asBytes("the publisher of this item has ended its stream")};
        if (!promote(*item) && !handOn(*item, over)) rooms_.flow.close(*item, over);
        return;
    }
    standby_.dropStream({item->index, item->generation}, source, stream.streamId);
    eraseUnheld(*item);
}

PublisherSupply::Took PublisherSupply::refresh(PublisherSource& source, Service& service, const Stream& stream,
                                               const Msg& msg) {
    Item* item = itemOf(stream, &service);
    if (item == nullptr) {
        if (!msg.hasKey() || !msg.key.has(KeyFlag::name)) return Took::early;
        item = rooms_.records.take(service.id, stream.domain, msg.key);
        if (item == nullptr) return Took::overLimit;
        stream.context = pack(*item);
        unknown_.grows(service);
    }
    // A suspect image does not replace a good one of a publisher that is there; it waits as a standby image, in case
    // that one goes.
    const bool worse = item->source != nullptr && item->source != &source && item->isOk() &&
                       msg.state.data == DataState::suspect && servedWell(service, *item);
    if (worse || !mayServe(service, source, *item)) {
        if (reactor::rdm::endsStream(msg)) standby_.drop({item->index, item->generation}, source);
        else {
            standby_.refresh(*item, source, stream.streamId, msg, service.keeps(item->domain));
            reconsider({{item->index, item->generation}});
        }
        return Took::ok;
    }
    Msg m = msg;
    // Nobody asked a publisher, and its streams are everybody's.
    constexpr std::uint16_t kNotHere =
        RefreshFlag::solicited | RefreshFlag::privateStream | RefreshFlag::reqMsgKey | RefreshFlag::qualified;
    m.flags &= static_cast<std::uint16_t>(~kNotHere);
    if (item->source != &source || item->upstream != upstreamOf(stream.streamId)) {
        bind(*item, source, stream);
        if (!m.has(RefreshFlag::partNum) || m.partNum == 0) m.flags |= RefreshFlag::clearCache;
    }
    if (m.flags != msg.flags) m.raw = {};
    rooms_.records.touch(*item);
    const Ref ref{item->index, item->generation};
    if (reactor::rdm::endsStream(msg)) ended(*item, m);  // NonStreaming
    else rooms_.flow.received(*item, m);
    // It says so itself, or what it sent is no image.
    const Item* const still = rooms_.items.find(ref.index, ref.generation);
    if (still != nullptr && still->dataState == DataState::suspect) reconsider({ref});
    return Took::ok;
}

PublisherSupply::Took PublisherSupply::other(PublisherSource& source, Item* item, const Stream& stream,
                                             const Msg& msg) {
    const bool final = msg.hasState() && msg.state.isFinal();
    if (item == nullptr) return Took::early;
    if (item->source == &source && item->upstream == upstreamOf(stream.streamId)) {
        rooms_.records.touch(*item);
        const bool suspect = msg.cls == MsgClass::Status && msg.hasState() && msg.state.data == DataState::suspect;
        if (final) ended(*item, msg);
        // The item goes on with the image of another publisher. This one's is kept as it is now, suspect, and becomes a
        // standby image.
        else if (suspect && spare(*item)) (void)standby_.received(*item, source, msg);
        else rooms_.flow.received(*item, msg);
        return Took::ok;
    }
    if (final) {
        standby_.drop({item->index, item->generation}, source);
        eraseUnheld(*item);
        return Took::ok;
    }
    if (msg.cls == MsgClass::Generic) return Took::ok;
    if (!standby_.received(*item, source, msg)) return Took::early;
    if (msg.cls == MsgClass::Status) reconsider({{item->index, item->generation}});
    return Took::ok;
}

bool PublisherSupply::mayServe(const Service& service, const PublisherSource& source, const Item& item) const {
    if (item.source == &source) return true;
    if (service.policy.publisherMode == PublisherMode::single && service.offerOf(source) == nullptr)
        return false;  // its turn has not come
    if (atFirstHub(service, item)) return false;
    const bool free = item.source == nullptr || foreign(item);
    if (free && requested_ != nullptr && service.sourcesFirst(item.domain)) return false;
    // Hot: the first in order that is there shows its images, and all others stand by. Else an item stays with the
    // publisher that it has.
    if (service.policy.publisherMode != PublisherMode::hot) return free;
    const Source* const first = leader(service);
    return first == nullptr || first == &source;
}

std::size_t PublisherSupply::rank(const Service& service, const PublisherSource& source) noexcept {
    const auto& order = service.policy.publisherOrder;
    const auto at = std::ranges::find(order, source.user());
    return at != order.end() ? static_cast<std::size_t>(at - order.begin()) : order.size() + source.number();
}

const Source* PublisherSupply::leader(const Service& service) noexcept {
    const PublisherSource* best = nullptr;
    for (const Offer& offer : service.publishers) {
        if (!offer.usable()) continue;
        const auto& source = static_cast<const PublisherSource&>(*offer.source);
        if (best == nullptr || rank(service, source) < rank(service, *best)) best = &source;
    }
    return best;
}

void PublisherSupply::bind(Item& item, PublisherSource& source, const Stream& stream) {
    const Service* const service = rooms_.services.find(item.service);
    if (item.source != nullptr && item.source != &source && service != nullptr) keep(*service, item);
    takeFromOthers(item);
    cacheFromNow(item);
    standby_.drop({item.index, item.generation}, source);
    rooms_.flow.bind(item, &source, upstreamOf(stream.streamId));
}

/// It may have been asked for before the service had a publisher. The source's stream may have been for a view, and its
/// image is not kept for everybody; the publisher's is.
void PublisherSupply::cacheFromNow(Item& item) {
    const Service* const service = rooms_.services.find(item.service);
    if (service != nullptr && !item.is(Item::cached) && service->keeps(item.domain))
        flow::ItemLife::apply(item, flow::Event::cachesDomain);
}

/// Whoever comes before takes the item over; one that is about to end keeps nothing.
void PublisherSupply::keep(const Service& service, const Item& item) {
    if (!foreign(item) && offers(service, *item.source))
        standby_.keep(item, static_cast<PublisherSource&>(*item.source), rooms_.groups.sourceGroupOf(item));
}

void PublisherSupply::ended(Item& item, const Msg& last) {
    const Source& source = *item.source;
    if (promote(item)) return;
    if (last.state.stream == StreamState::closedRecover && handOn(item, last.state)) return;
    if (last.state.stream != StreamState::redirected) return rooms_.flow.received(item, last);
    rooms_.flow.received(item, source::lastStatus(rooms_.services, source, item, last));
}

// --- publishers that go ----------------------------------------------------------------------------------------------

bool PublisherSupply::promote(Item& item) {
    const Service* const service = rooms_.services.find(item.service);
    if (service == nullptr) return false;
    Standby* const standby = best(*service, item);
    if (standby == nullptr) return false;
    show(item, *standby);
    return true;
}

/// A publisher whose service is down has nothing to show, whatever it said of the item before.
Standby* PublisherSupply::best(const Service& service, const Item& item) {
    return standby_.best(item, [&service](const PublisherSource& source) -> std::optional<std::size_t> {
        const Offer* const offer = service.offerOf(source);
        if (offer == nullptr || !offer->usable()) return std::nullopt;
        return rank(service, source);
    });
}

bool PublisherSupply::servedWell(const Service& service, const Item& item) noexcept {
    if (item.dataState == DataState::suspect || item.source == nullptr) return false;
    if (item.source == service.mesh.source) return service.mesh.usable();
    const Offer* const offer = service.offerOf(*item.source);
    return offer != nullptr && offer->usable();
}

bool PublisherSupply::spare(Item& item) {
    const Service* const service = rooms_.services.find(item.service);
    Standby* const standby = service != nullptr && item.source != nullptr ? best(*service, item) : nullptr;
    if (standby == nullptr || !standby_.ok(*standby)) return false;
    keep(*service, item);
    show(item, *standby);
    return true;
}

void PublisherSupply::reconsider(const std::vector<Ref>& items) {
    for (const Ref ref : items) {
        Item* const item = rooms_.items.find(ref.index, ref.generation);
        const Service* const service = item != nullptr ? rooms_.services.find(item->service) : nullptr;
        if (service == nullptr) continue;
        const bool well = servedWell(*service, *item);
        if (foreign(*item)) {
            // Publishers come first, or the source has not what they have.
            const bool othersFirst = service->sourcesFirst(item->domain) || atFirstHub(*service, *item);
            if ((!well || !othersFirst) && ready(*item)) (void)spare(*item);
            continue;
        }
        if (well) continue;
        if (item->source != nullptr) {
            const Offer* const offer = service->offerOf(*item->source);
            if (!spare(*item) && (offer == nullptr || !offer->usable()))
                (void)handOn(*item, {StreamState::open, DataState::suspect, 0, eta::asBytes(kLost)});
        } else if (const Standby* const s = best(*service, *item);
                   s != nullptr && mayServe(*service, *s->source, *item))
            (void)promote(*item);
    }
}

void PublisherSupply::show(Item& item, Standby& standby) {
    PublisherSource& source = *standby.source;
    const Ref ref{item.index, item.generation};
    const std::uint64_t upstream = upstreamOf(standby.stream);
    takeFromOthers(item);
    cacheFromNow(item);
    if (!standby_.usable(standby)) {
        // The source is another one, but what it says of the item is not known in full: its next refresh tells.
        rooms_.flow.bind(item, &source, upstream);
        rooms_.groups.put(item, standby.group);
        standby_.drop(ref, source);
        return rooms_.flow.suspect(item, 0, kLost);
    }
    ++counts_.promotions;
    const reactor::rdm::OwnedState state = std::move(standby.state);
    flow::SecondImage second = std::exchange(static_cast<flow::SecondImage&>(standby), {});
    standby_.drop(ref, source);
    rooms_.flow.takeOver(item, source, upstream, std::move(second), state.view());
}

void PublisherSupply::orphan(Item& item, std::uint64_t loss) {
    if (canHandOn(item)) return release(item);
    rooms_.flow.bind(item, nullptr, loss);
    rooms_.groups.take(item);
    if (item.mountCount != 0) {
        // Those that wait for a refresh of which parts were still to come.
        if (item.phase != Item::Phase::open && !rooms_.flow.hasImage(item)) {
            flow::ItemLife::apply(item, flow::Event::released);
            wanted(item);
        }
        return;
    }
    eraseUnheld(item);
}

// --- items that are asked for elsewhere ------------------------------------------------------------------------------

void PublisherSupply::takeFromOthers(Item& item) {
    if (requested_ == nullptr) return;
    if (!foreign(item) && item.phase != Item::Phase::queued && item.phase != Item::Phase::parked) return;
    requested_->giveUp(item);
    rooms_.records.touch(item);  // it is a record again
}

bool PublisherSupply::canHandOn(const Item& item) const {
    const Service* const service = requested_ != nullptr ? rooms_.services.find(item.service) : nullptr;
    return service != nullptr && requested_->canAsk(*service, item);
}

bool PublisherSupply::handOn(Item& item, const State& why) {
    if (!canHandOn(item)) return false;
    const Ref ref{item.index, item.generation};
    if (const Service* const service = rooms_.services.find(item.service); service != nullptr && !why.isFinal())
        keep(*service, item);  // the publisher has it still
    if (!item.is(Item::recovering)) rooms_.flow.suspect(item, why.code, eta::asText(why.text));
    if (Item* const still = rooms_.items.find(ref.index, ref.generation)) release(*still);
    return true;
}

void PublisherSupply::release(Item& item) {
    const bool had = item.phase == Item::Phase::open;
    rooms_.flow.bind(item, nullptr, 0);
    rooms_.groups.take(item);
    flow::ItemLife::apply(item, flow::Event::released);
    if (item.mountCount == 0) {
        rooms_.flow.forgetImage(item);
        return eraseUnheld(item);
    }
    if (had) flow::ItemLife::apply(item, flow::Event::otherStream);
    requested_->ask(item);
}

Standby* PublisherSupply::takeable(const Item& item) {
    const Service* const service = rooms_.services.find(item.service);
    Standby* const standby = service != nullptr ? best(*service, item) : nullptr;
    if (standby == nullptr || !standby_.usable(*standby)) return nullptr;
    const bool stands = service->policy.publisherMode == PublisherMode::hot && leader(*service) != standby->source;
    return stands ? nullptr : standby;
}

bool PublisherSupply::take(Item& item) {
    Standby* const standby = takeable(item);
    if (standby == nullptr) return false;
    show(item, *standby);
    return true;
}

bool PublisherSupply::ready(const Item& item) {
    const Standby* const standby = takeable(item);
    return standby != nullptr && standby_.ok(*standby);
}

void PublisherSupply::yield(Item& item) {
    if (const Service* const service = rooms_.services.find(item.service)) keep(*service, item);
    rooms_.flow.bind(item, nullptr, 0);
}

directory::GroupStates::Hooks PublisherSupply::hooks() {
    return {[this](Item& item, const State& final) {
                if (promote(item)) return;
                if (final.stream == StreamState::closedRecover && handOn(item, final)) return;
                rooms_.flow.close(item, final);
            },
            [this](Item& item, const State& suspect) {
                const Ref ref{item.index, item.generation};
                auto& source = static_cast<PublisherSource&>(*item.source);
                if (!spare(item)) return false;
                standby_.changeState(ref, source, suspect);
                return true;
            }};
}

void PublisherSupply::onGroupStatus(PublisherSource& source, Service& service, Bytes group, const State& state) {
    const std::vector<Ref> standing = standby_.state(service.id, source, &group, state);
    rooms_.groupStates.onGroupStatus(source, service, group, state, hooks());
    if (state.isFinal()) eraseUnheld(standing);
    else reconsider(standing);
}

void PublisherSupply::onServiceStatus(PublisherSource& source, Service& service, const State& state) {
    const std::vector<Ref> standing = standby_.state(service.id, source, nullptr, state);
    rooms_.groupStates.onServiceStatus(source, service, state, hooks());
    if (state.isFinal()) eraseUnheld(standing);
    else reconsider(standing);
}

// --- what clients want -----------------------------------------------------------------------------------------------

void PublisherSupply::wanted(Item& item) {
    Service* const service = rooms_.services.find(item.service);
    if (service == nullptr) return;
    // It is published, and the image comes. Those who join later hear how it stands from the flow.
    if (item.source != nullptr) {
        flow::ItemLife::apply(item, flow::Event::parked);
        if (item.dataState == DataState::suspect) rooms_.flow.changeState(item, item.state(), flow::Tell::everybody);
        return;
    }
    ++counts_.unknown;
    unknown_.answer(*service, item);
}

/// The item is published, and what there is of it is not for late joiners: it is not cached, or its payload cannot be
/// kept up to date.
void PublisherSupply::refreshWanted(Item& item) {
    const cache::ImageStore& store = rooms_.flow.store(item.service);
    Msg m;
    m.domain = item.domain;
    if (item.image == 0 || !store.complete(item.image)) return rooms_.flow.goOnWithoutImage(item);
    m.state = {StreamState::open, DataState::suspect, 0, eta::asBytes("the image of this item is not up to date")};
    std::vector<std::byte> payload(store.maxSize(item.image));
    eta::BeWriter out(payload);
    if (!store.write(item.image, out).ok()) return;
    m.cls = MsgClass::Refresh;
    m.flags = RefreshFlag::solicited | RefreshFlag::complete | RefreshFlag::clearCache;
    flow::sayQos(m, item.qos);
    m.containerType = store.containerType(item.image);
    m.payload = out.view();
    rooms_.flow.showOutdated(item, m);
}

/// What publishers say of the item later makes it anew, with the next refresh of one of them.
bool PublisherSupply::eject(Item& item, const State& state) {
    const auto anybody = [](const PublisherSource&) -> std::optional<std::size_t> { return 0; };
    while (const Standby* const standby = standby_.best(item, anybody))
        standby_.drop({item.index, item.generation}, *standby->source);
    close(item, state);
    return true;
}

void PublisherSupply::unwanted(Item& item) {
    eraseUnheld(item);
}

/// What publishers and posts have made stays; what was only asked for goes.
void PublisherSupply::eraseUnheld(Item& item) {
    const bool made =
        item.source != nullptr || (item.image != 0 && !item.is(Item::placeholder)) || standby_.holds(item);
    if (made || item.mountCount != 0) return;
    if (requested_ != nullptr && requested_->waits(item)) requested_->giveUp(item);
    rooms_.flow.erase(item);
}

void PublisherSupply::close(Item& item, const State& state) {
    if (requested_ != nullptr && requested_->waits(item)) requested_->giveUp(item);
    rooms_.flow.close(item, state);
}

}  // namespace emissary::hub::publisher
