// Streams of a feed become items of the mesh's owner.
#include "hub/backbone/Exports.h"

#include "hub/backbone/records.h"
#include "reactor/rdm/stream_state.h"

#include <algorithm>
#include <new>
#include <utility>

namespace emissary::hub::backbone {

using namespace eta::codec;
using post::Nak;

namespace {

constexpr std::string_view kNotYet = "the hub that has the source has asked it for an image";
constexpr std::string_view kLeft =
    "the hub that has the source has given the item up before the answer came; the source may have the post";
constexpr std::string_view kGone = "the hub that had the source of this item has it no more";

[[nodiscard]] Msg statusOf(const State& state) noexcept {
    Msg m;
    m.cls = MsgClass::Status;
    m.flags = StatusFlag::state;
    m.state = state;
    return m;
}

/// Less what means something on this hub alone: stream, key, group, who asked.
[[nodiscard]] Msg bare(const Msg& msg) noexcept {
    Msg m = msg;
    m.raw = {};
    m.streamId = 0;
    m.groupId = {};
    if (m.cls == MsgClass::Generic) return m;
    std::uint16_t here = UpdateFlag::msgKey;
    if (m.cls == MsgClass::Refresh)
        here = RefreshFlag::msgKey | RefreshFlag::reqMsgKey | RefreshFlag::solicited | RefreshFlag::privateStream |
               RefreshFlag::qualified;
    else if (m.cls == MsgClass::Status)
        here = StatusFlag::msgKey | StatusFlag::groupId | StatusFlag::reqMsgKey | StatusFlag::privateStream |
               StatusFlag::qualified;
    m.flags &= static_cast<std::uint16_t>(~here);
    return m;
}

/// Other hubs have the item's source: what it says goes to no third one.
[[nodiscard]] bool fromMesh(const Item& item) noexcept {
    return item.source != nullptr && item.source->kind().ofOtherHubs;
}

}  // namespace

Exports::Exports(reactor::Reactor& reactor, ItemTable& items, const sink::FeedRooms& rooms, post::PostRouter& posts,
                 const MeshSettings& settings, ExportRules rates)
    : reactor_(reactor), items_(items), rooms_(rooms), posts_(posts), settings_(settings),
      rates_(reactor, std::move(rates), [this](std::uint32_t number, const Msg& msg) {
          const Own* const own = own_.find(number);
          if (member_ != nullptr && own != nullptr && !own->ending) pass(number, msg);
      }) {}

Exports::~Exports() {
    reactor_.cancelTimer(endTimer_);
}

void Exports::use(nats::MeshMember& member) {
    member_ = &member;
    sink::FeedHandler& self = *this;
    if (!settings_.exports.empty()) feed_ = std::make_unique<sink::ItemFeed>(rooms_, self, "mesh " + settings_.mesh);
}

void Exports::stop() {
    if (feed_) posts_.onClientGone(feed_->poster());
    waiting_.clear();
    parts_.clear();
    partsOf_.clear();
    feed_.reset();
    member_ = nullptr;
}

void Exports::look() {
    giveUpParts();
    for (const std::string& name : settings_.exports) {
        const Service* const service = rooms_.services.find(name);
        const bool up = service != nullptr && service->servedHere();
        const auto known = std::ranges::find(offered_, name);
        if (!up && known == offered_.end()) continue;
        mesh::OfferedService offer{static_cast<std::uint8_t>(std::min<std::uint32_t>(settings_.rank, 255)),
                                   up,
                                   leaves_ || (service != nullptr && service->meshFirst()),
                                   settings_.nodeName,
                                   {}};
        if (service != nullptr) {
            namespace rdm = reactor::rdm;
            if (!rdm::Directory::encodeService(buffer_.start(), service->merged, rdm::DirectoryFilter::info).ok())
                continue;
            offer.about.assign(buffer_.view().begin(), buffer_.view().end());
        }
        if (member_->node().directory().offer(name, std::move(offer)) && known == offered_.end())
            offered_.push_back(name);
    }
}

void Exports::leave() {
    leaves_ = true;
    look();
}

void Exports::changeRates(ExportRules rules) {
    rates_.change(std::move(rules));
    // The rules may be the same ones, and hold for other services: what waits goes in front of what the item gets now.
    own_.forEach([&](std::uint32_t number, Own& own) {
        const std::uint8_t before = std::exchange(own.rateClass, rateClassOf(own.service));
        if (before != own.rateClass) rates_.sendWaiting(number);
    });
}

std::uint8_t Exports::rateClassOf(std::string_view service) const noexcept {
    const Service* const here = rooms_.services.find(service);
    return here != nullptr ? rates_.classOf(here->policy.exported) : ExportRates::kAsTheyCome;
}

bool Exports::handingOver() const {
    return std::ranges::any_of(itemsOf_, [&](const auto& of) {
        const mesh::OfferedService* const other = of.second != 0 ? member_->node().edge().offered(of.first) : nullptr;
        return other != nullptr && !other->leaves;
    });
}

bool Exports::serves(const Item& item) const noexcept {
    const auto ofFeed = [me = feed_ ? feed_->client().index : 0](const Mount& m) { return m.client == me; };
    return feed_ && std::any_of(item.mounts, item.mounts + item.mountCount, ofFeed);
}

// --- what other hubs want --------------------------------------------------------------------------------------------

const Service* Exports::given(std::string_view service) const {
    const Service* const here = rooms_.services.find(service);
    const bool exported = std::ranges::find(settings_.exports, service) != settings_.exports.end();
    return exported && here != nullptr && here->servedHere() ? here : nullptr;
}

std::optional<sink::FeedRequest> Exports::requestOf(std::string_view service, std::string_view name, MsgKey& key) {
    const Service* const here = given(service);
    const auto item = unpackName(name);
    if (here == nullptr || !item) return {};
    key = item->key;
    sink::FeedRequest request;
    request.service = here->id;
    request.domain = item->domain;
    request.key = &key;
    return request;
}

bool Exports::wanted(std::uint32_t number, std::string_view service, std::string_view name) {
    if (!feed_) return false;
    try {
        MsgKey key;
        const auto request = requestOf(service, name, key);
        if (!request) return false;
        if (own_.find(number) == nullptr) {
            std::size_t& ofService = itemsOf_[std::string(service)];
            Own made;
            made.service = service;
            made.name = name;
            made.rateClass = rateClassOf(service);
            own_.make(number) = std::move(made);
            ++ofService;  // forget() takes it back
            opening_ = number;
            ended_ = false;
            const sink::Opened opened = feed_->open(static_cast<std::int32_t>(number), *request);
            opening_ = 0;
            if (opened != sink::Opened::yes || ended_) {
                rates_.drop(number);  // the number may be given to the next item
                forget(number);
                return false;
            }
            // An item that this hub would have to ask other hubs for: another owner may have it.
            if (const Item* const there = itemOf(number); there != nullptr && fromMesh(*there)) {
                closeFeed(number);
                return false;
            }
        }
        // Updates were not told while nobody wanted it: no hub has this version.
        return member_->update(number, {});
    } catch (const std::bad_alloc&) {
        // The stream may be open already: one that stays would make its number refuse every new item.
        opening_ = 0;
        closeFeed(number);
        return false;
    }
}

void Exports::writeImage(std::uint32_t number, eta::BeWriter& out) {
    captured_ = false;
    // The image has it in it, and must not be followed by it.
    try {
        rates_.sendWaiting(number);
    } catch (const std::bad_alloc&) { return out.fail(eta::Errc::noSpace); }
    if (const Own* const own = own_.find(number); feed_ && own != nullptr && own->image) {
        MsgKey key;
        auto request = requestOf(own->service, own->name, key);
        if (request) {
            request->streaming = false;
            image_ = &out;
            try {
                // From the cache it comes at once. From the source it comes later, as an update for everybody.
                static_cast<void>(feed_->open(-static_cast<std::int32_t>(number), *request));
            } catch (const std::bad_alloc&) { out.fail(eta::Errc::noSpace); }
            image_ = nullptr;
        }
    }
    if (!captured_) addMessage(out, statusOf({StreamState::open, DataState::suspect, 0, eta::asBytes(kNotYet)}));
}

void Exports::unwanted(std::uint32_t number) {
    if (feed_) closeFeed(number);
}

void Exports::forget(std::uint32_t number) noexcept {
    const Own* const own = own_.find(number);
    if (own == nullptr) return;
    if (const auto of = itemsOf_.find(own->service); of != itemsOf_.end()) --of->second;
    own_.erase(number);
}

void Exports::closeFeed(std::uint32_t number) {
    closing_ = true;
    rates_.drop(number);
    feed_->close(static_cast<std::int32_t>(number));
    feed_->close(-static_cast<std::int32_t>(number));
    closing_ = false;
    forget(number);
}

Item* Exports::openItem(std::uint32_t number) const noexcept {
    return own_.find(number) != nullptr ? itemOf(number) : nullptr;
}

Item* Exports::itemOf(std::uint32_t number) const noexcept {
    const auto& mounts = feed_->client().mounts;
    const auto at = mounts.find(static_cast<std::int32_t>(number));
    return at != mounts.end() ? &items_[at->second.item] : nullptr;
}

// --- what other hubs post --------------------------------------------------------------------------------------------

void Exports::answer(const mesh::PostedFar& post, Nak nak, std::string_view text) {
    if (!post.asks) return member_->node().posts().lost();
    member_->node().posts().answer(post.ref, static_cast<std::uint8_t>(nak), eta::asBytes(text));
}

void Exports::posted(const mesh::PostedFar& post) {
    if (!feed_) return answer(post, Nak::deniedBySource, "this hub gives other hubs no services");
    try {
        handOn(post);
    } catch (const std::bad_alloc&) {
        handing_ = false;
        answer(post, Nak::noResources, "memory is short at the hub that has the source");
    }
}

void Exports::handOn(const mesh::PostedFar& post) {
    eta::BeReader in(post.body);
    const PostHead head = PostHead::read(in);
    Msg m;
    if (!in.ok() || !decodeMsg(in.rest(), m).ok() || (m.cls != MsgClass::Post && m.cls != MsgClass::Generic))
        return answer(post, Nak::invalidContent, "the post cannot be read");
    if (m.cls == MsgClass::Generic) return handOnGeneric(post, head.service, m);
    const bool asks = m.has(PostFlag::ack) && m.has(PostFlag::postId);
    if (asks != post.asks || (m.has(PostFlag::partNum) && !m.has(PostFlag::postId)))
        return answer(post, Nak::invalidContent, "the flags of the post contradict each other");
    Item* item = nullptr;
    std::uint16_t service = 0;
    MsgKey key;
    if (post.number != 0) {
        item = openItem(post.number);
        if (item == nullptr) return answer(post, Nak::notOpen, "the hub that had the source has the item no more");
        if (fromMesh(*item))
            return answer(post, Nak::sourceDown, "the hub that had the source of this item has lost it");
        service = item->service;
        m.streamId = static_cast<std::int32_t>(post.number);
    } else {
        const auto request = requestOf(head.service, head.name, key);
        if (!request) return answer(post, Nak::sourceDown, "the hub that had the source of this service has lost it");
        service = request->service;
        m.streamId = 0;
        m.domain = request->domain;
        m.flags |= PostFlag::msgKey;
        m.key = key;
        m.key.flags |= KeyFlag::serviceId;
    }
    if (m.hasKey() && m.key.has(KeyFlag::serviceId)) m.key.serviceId = service;
    if (m.containerType == DataType::Msg) {
        Msg inner;
        if (decodeMsg(m.payload, inner).ok() && inner.hasKey() && inner.key.has(KeyFlag::serviceId) &&
            inner.key.serviceId != service) {
            inner.key.serviceId = service;
            inner.raw = {};
            inner_.trim(std::size_t{256} << 10);
            if (!encodeMsg(inner_.start(), inner).ok() || !inner_.writer().ok())
                return answer(post, Nak::invalidContent, "the message inside the post cannot be written");
            m.payload = inner_.view();
        }
    }
    if (!idOf(post, m)) return answer(post, Nak::noResources, "too many posts are unfinished");
    // Once more, for rooms that look at the bytes.
    m.raw = {};
    post_.trim(std::size_t{256} << 10);
    Msg made;
    if (!encodeMsg(post_.start(), m).ok() || !post_.writer().ok() || !decodeMsg(post_.view(), made).ok())
        return answer(post, Nak::invalidContent, "the post cannot be written");
    const PostKey id{made.has(PostFlag::postId) ? made.postId : 0, made.hasSeqNum() ? made.seqNum : 0,
                     made.hasSeqNum()};
    if (asks && waiting_.contains(id)) return answer(post, Nak::invalidContent, "this part of the post waits already");
    current_ = id;
    currentRef_ = post.ref;
    handing_ = asks;
    const sink::ItemFeed::Poster poster(*feed_, std::string(head.user), std::string(head.address));
    posts_.onPost(poster.client(), item, made);
    if (std::exchange(handing_, false)) waiting_.emplace(id, post.ref);
}

/// As a post: it does not go on to a third hub.
void Exports::handOnGeneric(const mesh::PostedFar& post, std::string_view ofService, Msg& msg) {
    if (post.asks) return answer(post, Nak::invalidContent, "nobody answers a generic message");
    const bool named = msg.hasKey() && msg.key.has(KeyFlag::serviceId);
    Item* const item = openItem(post.number);
    const Service* const service = post.number == 0 && named ? given(ofService) : nullptr;
    if (service == nullptr && (item == nullptr || fromMesh(*item))) return member_->node().posts().lost();
    msg.raw = {};
    msg.streamId = static_cast<std::int32_t>(post.number);
    if (named) msg.key.serviceId = item != nullptr ? item->service : service->id;
    posts_.onGeneric(feed_->poster(), item, msg);
}

bool Exports::idOf(const mesh::PostedFar& post, Msg& msg) {
    if (!msg.has(PostFlag::partNum)) {
        if (msg.has(PostFlag::postId)) msg.postId = newPostId();
        return true;
    }
    const PartsKey key{post.node, post.number, msg.postId};
    auto known = parts_.find(key);
    if (known == parts_.end()) {
        if (parts_.size() >= kMostParts) return false;
        std::uint32_t& ofNode = partsOf_[post.node];
        if (ofNode >= kMostOfNode) return false;
        known = parts_.emplace(key, Parts{newPostId(), msg.streamId, {}}).first;
        ++ofNode;
    }
    msg.postId = known->second.id;
    known->second.since = reactor_.now();
    if (msg.has(PostFlag::complete)) {
        parts_.erase(known);
        partsEnd(post.node);
    }
    return true;
}

void Exports::partsEnd(std::uint32_t node) noexcept {
    const auto at = partsOf_.find(node);
    if (at != partsOf_.end() && --at->second == 0) partsOf_.erase(at);
}

void Exports::giveUpParts() {
    const auto before = reactor_.now() - kPartsLast;
    std::erase_if(parts_, [&](const auto& one) {
        if (one.second.since > before) return false;
        posts_.onPostGivenUp(feed_->poster(), one.second.stream, one.second.id);
        partsEnd(one.first[0]);
        return true;
    });
}

void Exports::onAck(const Msg& ack) noexcept {
    if (member_ == nullptr) return;
    const PostKey id{ack.ackId, ack.hasSeqNum() ? ack.seqNum : 0, ack.hasSeqNum()};
    mesh::PostRef ref = currentRef_;
    if (handing_ && id == current_) {
        handing_ = false;
    } else {
        const auto at = waiting_.find(id);
        if (at == waiting_.end()) return;
        ref = at->second;
        waiting_.erase(at);
    }
    try {
        // The stream was closed behind a post that the source has had: that it is not open says nothing of the post.
        if (closing_)
            member_->node().posts().answer(ref, static_cast<std::uint8_t>(Nak::noResponse), eta::asBytes(kLeft));
        else
            member_->node().posts().answer(ref, ack.has(AckFlag::nakCode) ? ack.nakCode : std::uint8_t{0},
                                           ack.has(AckFlag::text) ? ack.text : eta::Bytes());
        member_->soon();
    } catch (const std::bad_alloc&) {}  // the other hub's time for the answer ends
}

// --- what the items say ----------------------------------------------------------------------------------------------

void Exports::onMessage(const Item& item, const Msg& msg) {
    const bool imageOnly = msg.streamId < 0;
    const auto number = static_cast<std::uint32_t>(imageOnly ? -msg.streamId : msg.streamId);
    Own* const own = own_.find(number);
    if (own == nullptr || own->ending) return;
    // An owner never serves what it gets from the mesh itself: there would be circles.
    if (fromMesh(item)) return endSoon(number);
    if (msg.cls != MsgClass::Refresh && msg.cls != MsgClass::Update && msg.cls != MsgClass::Status &&
        (msg.cls != MsgClass::Generic || imageOnly))
        return;
    Msg m = bare(msg);
    if (m.cls == MsgClass::Update && !imageOnly && rates_.waits(own->rateClass, number, m)) return;
    if (m.cls != MsgClass::Update) rates_.sendWaiting(number);
    const bool final = m.hasState() && m.state.isFinal();
    if (final && imageOnly) return;
    if (final) {  // onEnd() follows
        addMessage(last_.start(), statusOf(m.state));
        if (m.cls == MsgClass::Status) return;
    }
    if (m.cls == MsgClass::Refresh) m.state.stream = StreamState::open;
    if (imageOnly && image_ != nullptr) {
        captured_ = true;
        return addMessage(*image_, m);
    }
    pass(number, m);
    if (m.cls == MsgClass::Refresh && m.has(RefreshFlag::complete)) own->image = true;
}

void Exports::pass(std::uint32_t number, const Msg& msg) {
    buffer_.trim(std::size_t{256} << 10);
    addMessage(buffer_.start(), msg);
    // What a status says of a group, or of a service, it says of each of its items.
    const auto whose = msg.cls == MsgClass::Status ? mesh::Owner::Body::many : mesh::Owner::Body::own;
    if (!buffer_.writer().ok() || !member_->update(number, buffer_.view(), whose)) endSoon(number);
}

void Exports::onEnd(std::int32_t stream) noexcept {
    if (stream < 0 || closing_ || member_ == nullptr) return;
    const auto number = static_cast<std::uint32_t>(stream);
    ended_ = opening_ == number;
    if (ended_) return;
    rates_.drop(number);
    forget(number);
    if (last_.view().empty())
        addMessage(last_.start(), statusOf({StreamState::closedRecover, DataState::suspect, 0, eta::asBytes(kGone)}));
    member_->close(number, last_.view());
    static_cast<void>(last_.start());
}

void Exports::onLost(std::int32_t stream) noexcept {
    endSoon(static_cast<std::uint32_t>(stream < 0 ? -stream : stream));
}

void Exports::endSoon(std::uint32_t number) {
    Own* const own = own_.find(number);
    if (own == nullptr) return;
    own->ending = true;
    ending_.push_back(number);
    if (endTimer_ == 0)
        endTimer_ = reactor_.startTimer(reactor::Duration::zero(), [this] {
            endTimer_ = 0;
            endNow();
        });
}

void Exports::endNow() {
    if (!feed_) return;
    for (const std::uint32_t number : std::exchange(ending_, {})) {
        if (const Own* const own = own_.find(number); own == nullptr || !own->ending) continue;
        closeFeed(number);
        addMessage(last_.start(), statusOf({StreamState::closedRecover, DataState::suspect, 0, eta::asBytes(kGone)}));
        member_->close(number, last_.view());
        static_cast<void>(last_.start());
    }
}

}  // namespace emissary::hub::backbone
