#include "hub/source/PublisherSupply.h"

#include "reactor/rdm/stream_state.h"

#include <algorithm>

namespace emissary::hub::source {

using namespace eta::codec;

namespace {

constexpr std::string_view kLost = "the publisher of this item is away";

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

[[nodiscard]] bool sameItem(const reactor::niprovider::PublishedStream& stream, const Msg& m) noexcept {
    return m.domain == stream.domain && (!m.key.has(KeyFlag::serviceId) || m.key.serviceId == stream.serviceId) &&
           (!m.key.has(KeyFlag::name) || eta::asText(m.key.name) == stream.name);
}

}  // namespace

PublisherSupply::~PublisherSupply() {
    for (const auto& [loss, timer] : republish_)
        rooms_.reactor.cancelTimer(timer);
}

Item* PublisherSupply::itemOf(const Stream& stream) noexcept {
    if (stream.context == nullptr) return nullptr;
    const Ref ref = unpack(stream.context);
    return rooms_.items.find(ref.index, ref.generation);
}

// --- what publishers send --------------------------------------------------------------------------------------------

PublisherSupply::Took PublisherSupply::received(PublisherSource& source, Service* service, const Stream& stream,
                                                const Msg& msg) {
    if (msg.cls != MsgClass::Generic && msg.hasKey() && !sameItem(stream, msg)) [[unlikely]]
        return Took::foreign;
    Item* const item = itemOf(stream);
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

PublisherSupply::Took PublisherSupply::refresh(PublisherSource& source, Service& service, const Stream& stream,
                                               const Msg& msg) {
    Item* item = itemOf(stream);
    if (item == nullptr) {
        if (!msg.hasKey() || !msg.key.has(KeyFlag::name)) return Took::early;
        item = rooms_.records.take(service.id, stream.domain, msg.key);
        if (item == nullptr) return Took::overLimit;
        stream.context = pack(*item);
    }
    if (!mayServe(service, source, *item)) {
        if (reactor::rdm::endsStream(msg)) standby_.drop({item->index, item->generation}, source);
        else standby_.refresh(*item, source, stream.streamId, msg);
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
    if (reactor::rdm::endsStream(msg)) ended(*item, m);  // NonStreaming
    else rooms_.flow.received(*item, m);
    return Took::ok;
}

PublisherSupply::Took PublisherSupply::other(PublisherSource& source, Item* item, const Stream& stream,
                                             const Msg& msg) {
    const bool final = msg.hasState() && msg.state.isFinal();
    if (item == nullptr) return Took::early;
    if (item->source == &source && item->upstream == upstreamOf(stream.streamId)) {
        rooms_.records.touch(*item);
        if (final) ended(*item, msg);
        else rooms_.flow.received(*item, msg);
        return Took::ok;
    }
    if (final) {
        standby_.drop({item->index, item->generation}, source);
        eraseUnheld(*item);
        return Took::ok;
    }
    return msg.cls == MsgClass::Generic || standby_.received(*item, source, msg) ? Took::ok : Took::early;
}

bool PublisherSupply::mayServe(const Service& service, const PublisherSource& source, const Item& item) const {
    if (item.source == &source) return true;
    if (service.policy.publisherMode != PublisherMode::hot) return item.source == nullptr;
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
    for (const Offer& offer : service.offers) {
        if (!offer.usable()) continue;
        const auto& source = static_cast<const PublisherSource&>(*offer.source);
        if (best == nullptr || rank(service, source) < rank(service, *best)) best = &source;
    }
    return best;
}

void PublisherSupply::bind(Item& item, PublisherSource& source, const Stream& stream) {
    if (item.source != nullptr && item.source != &source)
        standby_.keep(item, static_cast<PublisherSource&>(*item.source));  // whoever comes before takes the item over
    standby_.drop({item.index, item.generation}, source);
    rooms_.flow.bind(item, &source, upstreamOf(stream.streamId));
}

void PublisherSupply::ended(Item& item, const Msg& last) {
    if (!promote(item)) rooms_.flow.received(item, last);
}

// --- publishers that go ----------------------------------------------------------------------------------------------

bool PublisherSupply::promote(Item& item) {
    const Service* const service = rooms_.services.find(item.service);
    if (service == nullptr) return false;
    Standby* const standby =
        standby_.best(item, [service](const PublisherSource& source) { return rank(*service, source); });
    if (standby == nullptr) return false;
    show(item, *standby);
    return true;
}

void PublisherSupply::show(Item& item, Standby& standby) {
    PublisherSource& source = *standby.source;
    const Ref ref{item.index, item.generation};
    rooms_.flow.bind(item, &source, upstreamOf(standby.stream));
    rooms_.groups.put(item, standby.group);
    if (!standby_.usable(standby)) {
        // The source is another one, but what it says of the item is not known in full: its next refresh tells.
        standby_.drop(ref, source);
        return rooms_.flow.suspect(item, 0, kLost);
    }
    ++counts_.promotions;
    rooms_.flow.replaceImage(item, standby.image, standby.containerType);
    item.qos = standby.qos;
    item.phase = Item::Phase::open;
    item.set(Item::hasSeqNum, standby.hasSeqNum);
    item.seqNum = standby.seqNum;
    if (item.extras) item.extras->posted = false;
    if (item.extras || !standby.permData.empty()) item.more().permData = std::move(standby.permData);
    rooms_.flow.changeState(item, standby.state.view(), flow::Tell::nobody);
    standby_.drop(ref, source);
    rooms_.flow.sendImage(item);
}

void PublisherSupply::orphan(Item& item, std::uint64_t loss) {
    rooms_.flow.bind(item, nullptr, loss);
    rooms_.groups.take(item);
    if (item.mountCount != 0) {
        // Those that wait for a refresh of which parts were still to come.
        if (item.phase != Item::Phase::open && !rooms_.flow.hasImage(item)) {
            item.phase = Item::Phase::idle;
            wanted(item);
        }
        return;
    }
    eraseUnheld(item);
}

void PublisherSupply::onOffer(Service&, Source&) {}

void PublisherSupply::onOfferLost(Service& service, Source& lost, bool) {
    auto& source = static_cast<PublisherSource&>(lost);
    std::vector<Ref> held, left;
    source.forEachStream([&](const Stream& stream) {
        if (stream.context == nullptr) return;
        const Ref ref = unpack(stream.context);
        const Item* const item = rooms_.items.find(ref.index, ref.generation);
        if (item != nullptr && item->service != service.id) return;
        if (item != nullptr && item->source == &source && item->group == 0) held.push_back(ref);
        stream.context = nullptr;
        standby_.drop(ref, source);
        if (item != nullptr && item->source == nullptr) left.push_back(ref);
    });
    for (const std::uint16_t group : rooms_.groups.ofSource(service.id, source))
        for (const auto [index, generation] : rooms_.groups.itemsOf(service.id, group))
            held.push_back({index, generation});
    const auto each = [&](auto&& f) {
        for (const Ref ref : held)
            if (Item* const item = rooms_.items.find(ref.index, ref.generation);
                item != nullptr && item->source == &source)
                f(*item);
    };
    each([&](Item& item) { promote(item); });
    rooms_.groupStates.suspect(source, service, 0, kLost);
    const std::uint64_t loss = ++losses_;
    each([&](Item& item) {
        if (item.group == 0) rooms_.flow.suspect(item, 0, kLost);  // the service has more groups than there are numbers
        orphan(item, loss);
    });
    for (const Ref ref : left)
        if (Item* const item = rooms_.items.find(ref.index, ref.generation)) eraseUnheld(*item);
    if (service.policy.publisherMode == PublisherMode::hot) promoteLeaderless(service);
    if (service.policy.republishTimeout.count() == 0) return;
    republish_[loss] = rooms_.reactor.startTimer(service.policy.republishTimeout, [this, loss, held = std::move(held)] {
        republish_.erase(loss);
        closeLapsed(held, loss);
    });
}

/// Items that only the publisher now first in order had told of, and that clients were not shown while another led.
void PublisherSupply::promoteLeaderless(const Service& service) {
    const Source* const first = leader(service);
    if (first == nullptr) return;
    for (const Ref ref : standby_.itemsOf(service.id)) {
        Item* const item = rooms_.items.find(ref.index, ref.generation);
        if (item == nullptr || item->source != nullptr) continue;
        promote(*item);
    }
}

void PublisherSupply::closeLapsed(const std::vector<Ref>& items, std::uint64_t loss) {
    for (const Ref ref : items) {
        Item* const item = rooms_.items.find(ref.index, ref.generation);
        // Who was published again and lost again waits for that loss.
        if (item == nullptr || item->source != nullptr || item->upstream != loss) continue;
        ++counts_.republishTimeouts;
        rooms_.flow.close(*item, {StreamState::closedRecover, DataState::suspect, 0,
                                  eta::asBytes("nobody has published this item again")});
    }
}

void PublisherSupply::onServiceGone(Service& service) {
    rooms_.items.forEach([&](Item& item) {
        if (item.service == service.id)
            rooms_.flow.close(item, {StreamState::closedRecover, DataState::suspect, 0,
                                     eta::asBytes("the service of this item was deleted")});
    });
}

void PublisherSupply::onGroupStatus(PublisherSource& source, Service& service, Bytes group, const State& state) {
    rooms_.groupStates.onGroupStatus(source, service, group, state, [this](Item& item, const State& final) {
        if (!promote(item)) rooms_.flow.close(item, final);
    });
}

void PublisherSupply::onServiceStatus(PublisherSource& source, Service& service, const State& state) {
    rooms_.groupStates.onServiceStatus(source, service, state, [this](Item& item, const State& final) {
        if (!promote(item)) rooms_.flow.close(item, final);
    });
}

// --- what clients want -----------------------------------------------------------------------------------------------

void PublisherSupply::wanted(Item& item) {
    Service* const service = rooms_.services.find(item.service);
    if (service == nullptr) return;
    ++counts_.unknown;
    unknown_.answer(*service, item);
}

/// The item is published, and what there is of it is not for late joiners: it is not cached, or its payload cannot be
/// kept up to date.
void PublisherSupply::refreshWanted(Item& item) {
    const cache::ImageStore& store = rooms_.flow.store(item.service);
    Msg m;
    m.domain = item.domain;
    m.state = {StreamState::open, DataState::suspect, 0, eta::asBytes("the image of this item is not up to date")};
    if (item.image == 0 || !store.complete(item.image)) {
        m.cls = MsgClass::Status;
        m.flags = StatusFlag::state;
        return rooms_.out.send(item, m, To::waiting);
    }
    std::vector<std::byte> payload(store.maxSize(item.image));
    eta::BeWriter out(payload);
    if (!store.write(item.image, out).ok()) return;
    m.cls = MsgClass::Refresh;
    m.flags = RefreshFlag::solicited | RefreshFlag::complete | RefreshFlag::clearCache | RefreshFlag::qos;
    m.qos = item.qos;
    m.containerType = store.containerType(item.image);
    m.payload = out.view();
    rooms_.flow.received(item, m);
}

void PublisherSupply::unwanted(Item& item) {
    eraseUnheld(item);
}

/// What publishers and posts have made stays; what was only asked for goes.
void PublisherSupply::eraseUnheld(Item& item) {
    const bool made =
        item.source != nullptr || (item.image != 0 && !item.is(Item::placeholder)) || standby_.holds(item);
    if (!made && item.mountCount == 0) rooms_.flow.erase(item);
}

}  // namespace emissary::hub::source
