// Items of other hubs: opened at the edge, shown with the state that the edge can prove.
#include "hub/backbone/Imports.h"

#include "hub/backbone/records.h"
#include "hub/flow/ItemLife.h"
#include "hub/post/nak.h"

#include <algorithm>
#include <new>
#include <utility>

namespace emissary::hub::backbone {

using namespace eta::codec;
using flow::Event, flow::ItemLife;

namespace {

constexpr auto kAgain = std::chrono::seconds(1);  // until an owner that has refused an item is asked again
constexpr std::size_t kAtOnce = 2000;             // of these
constexpr std::string_view kMalformed = "another hub has sent what cannot be read";

/// While it lives, the edge calls.
class Calling {
public:
    explicit Calling(bool& flag) noexcept : flag_(flag), before_(std::exchange(flag, true)) {}
    ~Calling() { flag_ = before_; }
    Calling(const Calling&) = delete;
    Calling& operator=(const Calling&) = delete;

private:
    bool& flag_;
    bool before_;
};

}  // namespace

Imports::Imports(const ImportRooms& rooms, const MeshSettings& settings)
    : rooms_(rooms), settings_(settings), source_(settings.mesh, *this),
      wishes_({rooms.reactor, rooms.items, rooms.services, rooms.flow, rooms.own.yield}, settings, source_) {
    for (const std::string& name : settings.imports)
        imported_.push_back({name, {}, false});
}

Imports::~Imports() {
    rooms_.reactor.cancelTimer(drainTimer_);
    rooms_.reactor.cancelTimer(againTimer_);
}

void Imports::use(nats::MeshMember& member, const Exports& exports, SharedDictionary& dictionary) {
    member_ = &member;
    dictionary_ = &dictionary;
    wishes_.use(member, exports);
    source_.up(true);
}

void Imports::stop() {
    member_ = nullptr;
    while (Item* const item = rooms_.items.anyOf(source_)) {
        rooms_.flow.release(*item);
        ItemLife::apply(*item, Event::released);
    }
    source_.up(false);
    posted_.clear();
    wishes_.stop();
    rooms_.acks.onSourceLost(source_);
    rooms_.merge.onSourceGone(source_);
}

// --- services --------------------------------------------------------------------------------------------------------

void Imports::look() {
    const std::uint64_t changes = member_->node().edge().changes();
    if (std::exchange(changes_, changes) != changes) {
        for (Imported& imported : imported_)
            look(imported);
        dictionary_->look();
    }
    if (!settings_.preferRank) return;
    drain();  // what the edge is to close is closed, and can be opened anew
    wishes_.look();
}

void Imports::look(Imported& imported) {
    namespace rdm = reactor::rdm;
    const mesh::OfferedService* const offer = member_->node().edge().offered(imported.name);
    rdm::Service& service = imported.service;
    imported.first = settings_.preferRank && offer != nullptr && !offer->leaves && offer->rank < settings_.rank;
    if (offer == nullptr) {
        if (!imported.offered || !service.state.up) return;
        service.state.up = false;
        return rooms_.merge.onOffer(source_, service, rdm::DirectoryFilter::state);
    }
    rdm::Directory directory;
    if (!directory.apply(offer->about, true).ok() || directory.empty()) {
        if (rooms_.log)
            rooms_.log(Severity::warning, "mesh: what hub '" + offer->hub + "' says of service '" + imported.name +
                                              "' cannot be read; the service is left out until it says something else");
        return;
    }
    service = *directory.services().front();
    service.id = static_cast<std::uint16_t>(&imported - imported_.data() + 1);
    service.filters = rdm::DirectoryFilter::info | rdm::DirectoryFilter::state;
    service.info.name = imported.name;
    service.state = {};
    service.state.accepting = true;
    imported.offered = true;
    rooms_.merge.onOffer(source_, service, service.filters);
}

void Imports::onOffer(Service& service, Source&) {
    if (service.mesh.usable()) rooms_.own.fallBack(service);
    const bool first = service.meshFirst();
    if (std::exchange(imported_[service.mesh.id - 1u].cameFirst, first) && !first) rooms_.own.first(service);
}

// --- what clients want -----------------------------------------------------------------------------------------------

bool Imports::take(Item& item) {
    const Service* const service = rooms_.services.find(item.service);
    if (member_ == nullptr || service == nullptr || !service->mesh.usable() || item.is(Item::isPrivate) ||
        !service->mesh.service->info.supportsDomain(item.domain) || packName(item.domain, item.msgKey()).empty())
        return false;
    opening_.push_back({item.index, item.generation});
    rooms_.flow.bind(item, &source_, 0);
    ItemLife::apply(item, Event::requested);
    later();
    return true;
}

void Imports::release(Item& item) noexcept {
    if (item.upstream != 0 && member_ != nullptr) {
        const auto index = static_cast<std::uint32_t>(item.upstream - 1);
        lines_[index] = {};
        closing_.push_back(index);
    }
    rooms_.flow.release(item);
    try {
        later();
    } catch (const std::bad_alloc&) {}  // it is closed with what comes next
}

/// The owner sends an image for a new wish only.
void Imports::askAgain(Item& item) {
    if (item.upstream == 0 || member_ == nullptr) return;  // it is on its way
    const auto index = static_cast<std::uint32_t>(item.upstream - 1);
    if (!lines_[index].image) return;
    lines_[index] = {};
    closing_.push_back(index);
    // What cannot be read would come again at once.
    (item.is(Item::recovering) ? refused_ : opening_).push_back({item.index, item.generation});
    item.upstream = 0;
    later();
}

void Imports::later() {
    if (member_ == nullptr) return;
    if (!calling_) return drain();
    if (drainTimer_ == 0)
        drainTimer_ = rooms_.reactor.startTimer(reactor::Duration::zero(), [this] {
            drainTimer_ = 0;
            drain();
        });
}

void Imports::drain() {
    if (member_ == nullptr) return;
    mesh::Edge& edge = member_->node().edge();
    for (const std::uint32_t index : closing_)
        edge.close(index);
    closing_.clear();
    // Memory may run out in the middle: the list stays whole then, and what is open already is passed over the next
    // time.
    for (std::size_t at = 0; at < opening_.size(); ++at) {
        const Ref ref = opening_[at];
        Item* const item = rooms_.items.find(ref.index, ref.generation);
        if (item == nullptr || item->source != &source_ || item->upstream != 0) continue;
        // Its image may have come, and was not shown: it comes once more for a new wish only.
        wishes_.forget(ref.index);
        const Service* const service = rooms_.services.find(item->service);
        const std::int64_t index =
            service != nullptr ? edge.open(service->name, packName(item->domain, item->msgKey())) : -1;
        if (index < 0) {
            refused_.push_back(ref);
            continue;
        }
        growLines(static_cast<std::size_t>(index) + 1);
        lines_[static_cast<std::size_t>(index)] = {.item = ref};
        item->upstream = static_cast<std::uint64_t>(index) + 1;
    }
    opening_.clear();
    if (!refused_.empty() && againTimer_ == 0)
        againTimer_ = rooms_.reactor.startTimer(kAgain, [this] {
            againTimer_ = 0;
            tryAgain();
        });
    member_->soon();
}

void Imports::growLines(std::size_t size) {
    if (lines_.size() >= size) return;
    lines_.resize(size);
    closing_.reserve(lines_.capacity());  // each index stands in it once at most
}

void Imports::tryAgain() {
    const auto until = refused_.begin() + static_cast<std::ptrdiff_t>(std::min(refused_.size(), kAtOnce));
    opening_.insert(opening_.end(), refused_.begin(), until);
    refused_.erase(refused_.begin(), until);
    drain();
}

// --- what other hubs say ---------------------------------------------------------------------------------------------

Item* Imports::itemOf(std::uint32_t index) noexcept {
    if (index >= lines_.size()) return nullptr;
    Item* const item = rooms_.items.find(lines_[index].item.index, lines_[index].item.generation);
    return item != nullptr && item->source == &source_ ? item : nullptr;
}

void Imports::image(std::uint32_t index, std::uint32_t, eta::Bytes refresh) {
    received(index, refresh, true);
}

void Imports::update(std::uint32_t index, std::uint32_t, eta::Bytes message) {
    received(index, message, false);
}

void Imports::received(std::uint32_t index, eta::Bytes messages, bool image) {
    const Calling calling(calling_);
    if (wishes_.has(index)) {
        const Item* const taken = wishes_.take(index, messages);
        if (taken == nullptr) return;
        growLines(index + std::size_t{1});
        lines_[index] = {.item = {taken->index, taken->generation}};
        image = true;
    }
    const bool read = eachMessage(messages, [&](Msg& msg) {
        if (itemOf(index) == nullptr) return false;
        deliver(index, msg, image);
        return true;
    });
    if (itemOf(index) == nullptr) return;
    Item& item = *itemOf(index);
    if (read) {
        const Service* const service = image ? rooms_.services.find(item.service) : nullptr;
        // The hub that comes first has refused it, and one that does not come first has it.
        if (service != nullptr && service->meshFirst() && !wishes_.ranksBefore(index)) rooms_.own.takeBack(item);
        return;
    }
    const Ref ref = lines_[index].item;
    lines_[index].shown = false;
    rooms_.flow.suspect(item, 0, kMalformed);
    if (Item* const still = rooms_.items.find(ref.index, ref.generation)) {
        if (still->mountCount != 0 && still->source == &source_) askAgain(*still);
        else afterSuspect(ref);
    }
}

void Imports::deliver(std::uint32_t index, Msg& msg, bool image) {
    Line& line = lines_[index];
    Item& item = *itemOf(index);
    msg.domain = item.domain;
    if (msg.cls == MsgClass::Update) return rooms_.flow.received(item, msg);
    if (!msg.hasState()) return rooms_.flow.received(item, msg);
    if (msg.state.isFinal()) return;  // ended() comes instead
    line.said = reactor::rdm::OwnedState::from(msg.state);
    if (msg.cls == MsgClass::Refresh) {
        if (image && (!msg.has(RefreshFlag::partNum) || msg.partNum == 0)) msg.flags |= RefreshFlag::clearCache;
        msg.raw = {};
        line.image = line.image || msg.has(RefreshFlag::complete);
    }
    // The edge says when what is shown as current here is not so any more.
    line.shown = member_->node().edge().show(index);
    std::string text;
    const bool ok = msg.state.data == DataState::ok;
    if (!line.shown && ok) {
        text = why(index);
        msg.raw = {};
        msg.state.data = DataState::suspect;
        msg.state.text = eta::asBytes(text);
    }
    const Ref ref = line.item;
    rooms_.flow.received(item, msg);
    afterSuspect(ref);
}

/// Clients see the item as it is at its owner: Suspect at once, Ok again when it has an image.
void Imports::state(std::uint32_t index, bool current) {
    const Calling calling(calling_);
    Item* const item = itemOf(index);
    if (item == nullptr) return;
    Line& line = lines_[index];
    if (!current) {
        line.shown = false;
        return suspect(index);
    }
    if (line.shown || !line.image) return;
    line.shown = true;
    Msg m;
    m.cls = MsgClass::Status;
    m.domain = item->domain;
    m.flags = StatusFlag::state;
    const reactor::rdm::OwnedState said = line.said;
    m.state = said.view();
    const Ref ref = line.item;
    rooms_.flow.received(*item, m);
    afterSuspect(ref);
}

void Imports::suspect(std::uint32_t index) {
    const Ref ref = lines_[index].item;
    rooms_.flow.suspect(*itemOf(index), 0, why(index));
    afterSuspect(ref);
}

void Imports::afterSuspect(Ref ref) {
    Item* const item = rooms_.items.find(ref.index, ref.generation);
    const Service* const service = item != nullptr ? rooms_.services.find(item->service) : nullptr;
    if (service != nullptr && item->mountCount == 0 && item->source == &source_) service->supply->unwanted(*item);
}

std::string Imports::why(std::uint32_t index) const {
    using Doubt = mesh::Edge::Doubt;
    const mesh::Edge& edge = member_->node().edge();
    const mesh::OfferedService* const owner = edge.ownerOf(index);
    const std::string hub = owner != nullptr ? "hub '" + owner->hub + "' has the source of this item: " : "";
    switch (edge.doubt(index)) {
    case Doubt::noOwner:
        return "no hub of mesh '" + settings_.mesh + "' has a source for this item now";
    case Doubt::silent:
        return hub + "nothing was heard of it for more than " + std::to_string(4 * settings_.heartbeat.count()) + " ms";
    case Doubt::asked:
        return hub + "it was asked for the item";
    case Doubt::missing:
        return hub + "updates are missing, and were asked for again";
    }
    return {};
}

void Imports::ended(std::uint32_t index, eta::Bytes status) {
    const Calling calling(calling_);
    Item* const item = itemOf(index);
    if (wishes_.has(index)) wishes_.ended(index);
    closing_.push_back(index);
    later();
    if (item == nullptr) return;
    const Ref ref = lines_[index].item;
    lines_[index] = {};
    item->upstream = 0;
    const Service* const service = rooms_.services.find(item->service);
    State last{StreamState::closedRecover, DataState::suspect, 0, {}};
    static_cast<void>(eachMessage(status, [&](const Msg& msg) {
        if (msg.hasState()) last = msg.state;
        return false;
    }));
    if (last.stream == StreamState::closed) {
        rooms_.flow.release(*item);
        ItemLife::apply(*item, Event::released);
        return rooms_.flow.close(*item, last);
    }
    // Another owner may have it, or the same one later.
    rooms_.flow.suspect(*item, last.code,
                        last.text.empty() ? std::string_view("the hub that has the source did not give this item")
                                          : eta::asText(last.text));
    refused_.push_back(ref);
    afterSuspect(ref);
    // A source of this hub may have what the hub that comes first has not.
    Item* const still = rooms_.items.find(ref.index, ref.generation);
    if (still != nullptr && service != nullptr && service->meshFirst()) rooms_.own.takeBack(*still);
}

bool Imports::canReplace(eta::Bytes image) const {
    return isWholeAndOk(image);
}

// --- posts -----------------------------------------------------------------------------------------------------------

eta::Error Imports::post(const Client& client, Item* item, std::uint16_t serviceId, const Msg& msg) {
    const Service* const service = rooms_.services.find(item != nullptr ? item->service : serviceId);
    if (member_ == nullptr || service == nullptr) return {eta::Errc::closed, 0};
    if (item != nullptr && (item->source != &source_ || item->upstream == 0)) return {eta::Errc::closed, 0};
    if (msg.has(PostFlag::partNum) && !msg.has(PostFlag::postId)) return {eta::Errc::usage, 0};
    const std::string name = item == nullptr ? packName(msg.domain, msg.key) : std::string();
    if (item == nullptr && name.empty()) return {eta::Errc::usage, 0};
    // Numbers of services mean something on this hub alone: the owner writes its own.
    Msg inner;
    if (msg.containerType == DataType::Msg && decodeMsg(msg.payload, inner).ok() && inner.hasKey() &&
        inner.key.has(KeyFlag::serviceId) && inner.key.serviceId != service->id)
        return {eta::Errc::badValue, 0};
    Msg m = msg;
    // The rights that the poster has here; the owner may give fewer.
    if (service->policy.postRights != PostRight::all) {
        m.postUserRights = static_cast<std::uint16_t>(
            (m.has(PostFlag::postUserRights) ? m.postUserRights : std::uint16_t{PostRight::all}) &
            service->policy.postRights);
        m.flags |= PostFlag::postUserRights;
    }
    const bool asks = m.has(PostFlag::ack) && m.has(PostFlag::postId);
    const std::uint64_t cookie = ++cookies_;
    if (asks) {
        Posted posted;
        if (item != nullptr) posted.item = {item->index, item->generation};
        posted.id = m.postId;
        posted.hasSeqNum = m.hasSeqNum();
        posted.seqNum = m.hasSeqNum() ? m.seqNum : 0;
        posted_.emplace(cookie, posted);
    }
    const std::string_view named = item == nullptr ? std::string_view(service->name) : std::string_view();
    const eta::Error error =
        give(item, {client.user, client.address, named, name}, service->name, name, m, asks, cookie);
    if (!error.ok()) posted_.erase(cookie);
    return error;
}

eta::Error Imports::give(Item* item, const PostHead& head, const std::string& service, const std::string& name,
                         Msg& msg, bool asks, std::uint64_t cookie) {
    using Posting = mesh::Edge::Posting;
    msg.raw = {};
    msg.streamId = 0;
    postBody_.trim(std::size_t{256} << 10);
    if (!encodeMsg(postBody_.start(), msg).ok()) return {eta::Errc::badLength, 0};
    head.write(postHead_.start());
    if (!postBody_.writer().ok() || !postHead_.writer().ok()) return {eta::Errc::badLength, 0};
    mesh::Edge& edge = member_->node().edge();
    const eta::Bytes first = postHead_.view(), body = postBody_.view();
    Posting became = Posting::full;
    try {
        became = item != nullptr ? edge.post(static_cast<std::uint32_t>(item->upstream - 1), asks, cookie, first, body)
                                 : edge.post(service, name, asks, cookie, first, body);
    } catch (const std::bad_alloc&) {}
    switch (became) {
    case Posting::taken:
        member_->soon();
        return {};
    case Posting::noOwner:
        return {eta::Errc::closed, 0};
    case Posting::tooLong:
        return {eta::Errc::badLength, 0};
    case Posting::full:
        break;
    }
    return {eta::Errc::noBuffers, 0};
}

eta::Error Imports::generic(Item& item, const Msg& msg) {
    if (member_ == nullptr || item.source != &source_ || item.upstream == 0) return {eta::Errc::closed, 0};
    Msg m = msg;
    return give(&item, {}, {}, {}, m, false, 0);
}

eta::Error Imports::generic(std::uint16_t id, const Msg& msg) {
    if (member_ == nullptr) return {eta::Errc::closed, 0};
    Msg m = msg;
    return give(nullptr, {{}, {}, imported_[id - 1u].name, {}}, imported_[id - 1u].name, {}, m, false, 0);
}

void Imports::postEnded(std::uint64_t cookie, const mesh::PostEnd& end) {
    constexpr std::string_view kLate = "the hub that has the source did not answer in time";
    constexpr std::string_view kLost = "the hub that has the source is gone; it is not known whether it took the post";
    const auto at = posted_.find(cookie);
    if (at == posted_.end()) return;
    const Posted posted = at->second;
    posted_.erase(at);
    Item* const item = rooms_.items.find(posted.item.index, posted.item.generation);
    // Who posted on a stream that has ended has been answered then.
    if (posted.item.index != Item::kNone && item == nullptr) return;
    Msg ack;
    ack.cls = MsgClass::Ack;
    ack.ackId = posted.id;
    if (posted.hasSeqNum) {
        ack.flags |= AckFlag::seqNum;
        ack.seqNum = posted.seqNum;
    }
    const bool answered = end.why == mesh::PostEnd::Why::answered;
    ack.nakCode = answered ? end.code : static_cast<std::uint8_t>(hub::post::Nak::noResponse);
    if (ack.nakCode != 0) ack.flags |= AckFlag::nakCode;
    ack.text = answered ? end.text : eta::asBytes(end.why == mesh::PostEnd::Why::late ? kLate : kLost);
    if (!ack.text.empty()) ack.flags |= AckFlag::text;
    const Calling calling(calling_);
    rooms_.acks.onAck(source_, item, ack);
}

mesh::DictionaryUse Imports::dictionary(const mesh::DictionaryParts& all, const std::string& hub, std::uint32_t step) {
    const Calling calling(calling_);
    const mesh::DictionaryUse use = dictionary_->received(all, hub, step);
    if (use == mesh::DictionaryUse::more) member_->soon();
    return use;
}

std::size_t Imports::suspect() const noexcept {
    return static_cast<std::size_t>(
        std::ranges::count_if(lines_, [](const Line& l) { return l.item.index != Item::kNone && !l.shown; }));
}

}  // namespace emissary::hub::backbone
