// Reads the message inside a post, checks it, and applies it to the image of its item.
#include "hub/post/LocalPosts.h"

#include "eta/codec/containers.h"
#include "hub/flow/ItemLife.h"
#include "reactor/rdm/stream_state.h"

#include <algorithm>
#include <bit>
#include <vector>

namespace emissary::hub::post {

using namespace eta::codec;

namespace {

[[nodiscard]] Outcome invalid(std::string_view text) {
    return {Nak::invalidContent, text};
}

[[nodiscard]] DataType fieldType(const void* dictionary, std::int16_t fieldId) noexcept {
    return static_cast<const eta::dictionary::Dictionary*>(dictionary)->typeOf(fieldId);
}

/// Flags that belong to the stream the message was made for, and not to what it says.
[[nodiscard]] std::uint16_t ownFlags(const Msg& m) {
    std::uint16_t stream = 0;
    switch (m.cls) {
    case MsgClass::Refresh:
        stream = RefreshFlag::msgKey | RefreshFlag::solicited | RefreshFlag::privateStream | RefreshFlag::reqMsgKey |
                 RefreshFlag::qualified | RefreshFlag::partNum;
        break;
    case MsgClass::Update:
        stream = UpdateFlag::msgKey;
        break;
    default:
        stream = StatusFlag::msgKey | StatusFlag::groupId | StatusFlag::privateStream | StatusFlag::reqMsgKey |
                 StatusFlag::qualified;
        break;
    }
    // What is left says something about the content: complete, clear cache, do not cache and so on.
    return static_cast<std::uint16_t>(m.flags & ~stream);
}

[[nodiscard]] std::uint16_t permDataFlag(MsgClass cls) {
    return cls == MsgClass::Refresh  ? RefreshFlag::permData
           : cls == MsgClass::Update ? UpdateFlag::permData
                                     : StatusFlag::permData;
}

[[nodiscard]] std::uint16_t postUserFlag(MsgClass cls) {
    return cls == MsgClass::Refresh  ? RefreshFlag::postUserInfo
           : cls == MsgClass::Update ? UpdateFlag::postUserInfo
                                     : StatusFlag::postUserInfo;
}

[[nodiscard]] bool last(const Msg& post) {
    return !post.has(PostFlag::partNum) || post.has(PostFlag::complete);
}

}  // namespace

Outcome LocalPosts::read(const Posted& post, const Service& service, Bytes payload, Content& out) const {
    const Msg& p = post.msg;
    // The service bounds the rights, and a post may only give some up.
    out.rights = service.policy.postRights;
    if (p.has(PostFlag::postUserRights)) out.rights &= p.postUserRights;
    Msg& m = out.msg;
    if (p.containerType == DataType::Msg) {
        if (!decodeMsg(payload, m).ok()) return invalid("the message inside the post cannot be decoded");
        if (m.cls != MsgClass::Refresh && m.cls != MsgClass::Update && m.cls != MsgClass::Status)
            return invalid("a post carries a refresh, an update, a status, or data");
        if (const Outcome o = namesItsItem(post, out); o.nak != Nak::none) return o;
        m.flags = ownFlags(m);
    } else {
        m.cls = MsgClass::Update;
        m.flags = 0;
        m.updateType = 0;
        m.containerType = p.containerType;
        m.payload = payload;
    }
    m.raw = {};
    if (m.containerType == DataType::Msg) return invalid("messages inside messages are not kept");
    const auto* const types = dictionary_ && dictionary_->hasFields() ? dictionary_.get() : nullptr;
    // Checked before it is stored: a later client of the item could not read a broken image, and would not know whose
    // it is.
    if (!validate(m.payload, m.containerType, types != nullptr ? fieldType : nullptr, types).ok())
        return invalid("the payload cannot be decoded");
    if (m.hasState() && (m.state.stream < StreamState::open || m.state.stream > StreamState::redirected ||
                         m.state.data > DataState::suspect))
        return invalid("the state is none that a stream has");
    if (p.hasPermData()) {
        m.flags |= permDataFlag(m.cls);
        m.permData = p.permData;
    }
    if (m.hasPermData() && (out.rights & PostRight::modifyPermissions) == 0)
        return {Nak::accessDenied, "the poster may not change permissions"};
    // The user is the poster's, whatever the message inside says (hub.md 7.2).
    m.flags |= postUserFlag(m.cls);
    m.postUserAddress = post.userAddress();
    m.postUserId = p.postUserId;
    m.domain = post.item != nullptr ? post.item->domain : p.domain;
    // Groups are the source's: a poster must not put an item into one.
    m.groupId = {};
    return kTaken;
}

/// Off-stream, the members that the nested key has must agree with the key of the post (hub.md 7.2).
Outcome LocalPosts::namesItsItem(const Posted& post, const Content& content) {
    const MsgKey& inner = content.msg.key;
    if (post.item != nullptr || !content.msg.hasKey()) return kTaken;
    const MsgKey& outer = post.msg.key;
    // Without a type a name is a RIC, which is 1.
    const auto nameType = [](const MsgKey& k) { return k.has(KeyFlag::nameType) ? k.nameType : std::uint8_t{1}; };
    if ((inner.has(KeyFlag::serviceId) && inner.serviceId != outer.serviceId) ||
        (inner.has(KeyFlag::name) &&
         (!std::ranges::equal(inner.name, outer.name) || nameType(inner) != nameType(outer))))
        return invalid("the message inside the post names another item than the post");
    return kTaken;
}

bool LocalPosts::live(const Item& item) const noexcept {
    return item.phase == Item::Phase::open && !item.is(Item::placeholder);
}

Item* LocalPosts::known(const Posted& post, const Service& service) {
    Item* const item =
        post.item != nullptr ? post.item : items_.find(items_.keyOf(service.id, post.msg.domain, post.msg.key));
    return item != nullptr && live(*item) ? item : nullptr;
}

Outcome LocalPosts::take(const Posted& post, Service& service, std::uint32_t hubId) {
    if (!service.policy.posts) return {Nak::accessDenied, "posts to this service are not taken"};
    // Kept for forward(): the publisher's ack names the hub's id.
    hubId_ = hubId;
    Content content;
    OpenPost* open = nullptr;
    if (post.msg.has(PostFlag::partNum)) {
        switch (open_.part(post.client.index, post.msg, hubId, open)) {
        case OpenPosts::Taken::outOfOrder:
            // Parts that follow a gap belong to nothing any more.
            open_.end(post.client.index, post.msg);
            return invalid("a part of the post is missing or came twice");
        case OpenPosts::Taken::full:
            return {Nak::noResources, "too many posts are unfinished"};
        case OpenPosts::Taken::ok:
            // All parts have the id of the first one: they get one answer.
            hubId_ = open->hubId;
            break;
        }
    }
    Outcome o = read(post, service, post.msg.payload, content);
    if (o.nak == Nak::none) {
        switch (content.msg.cls) {
        case MsgClass::Refresh:
            if (open == nullptr) o = refresh(post, service, content);
            // The number of the next part says how many came: fewer collected ones mean that some were no refreshes.
            else if (open->nextPart != open->collected.size() + 1)
                o = invalid("not all parts of the post are refreshes");
            else if (!open_.collect(post.client.index, *open, post.msg.raw))
                o = {Nak::noResources, "the parts of the post are too large"};
            else if (last(post.msg)) o = parts(post, service, *open);
            break;
        case MsgClass::Update:
            o = open != nullptr && !open->collected.empty() ? invalid("not all parts of the post are refreshes")
                                                            : update(post, service, content);
            break;
        default:
            o = status(post, service, content);
            break;
        }
    }
    // A refusal ends the whole post: its later parts are refused as out of order.
    if (open != nullptr && (last(post.msg) || o.nak != Nak::none)) open_.end(post.client.index, post.msg);
    return o;
}

/// Of an image that posts made, what came is added up, and counted anew each time the sum doubles; of others it is
/// counted.
std::size_t LocalPosts::sizeWith(const Item& item, const Msg& msg, std::size_t bytes) {
    const bool anew = msg.cls == MsgClass::Refresh && msg.has(RefreshFlag::clearCache);
    const std::uint64_t most = posted_.limits().image;
    const bool ours = item.is(Item::onlyPosted);
    // The first image, or one that replaces what there was: nothing is added.
    if (item.image == 0 || anew || (!ours && most == 0)) return bytes;
    const std::size_t known = ours ? posted_.image(item) : 0, sum = known + bytes;
    const auto size = [](std::size_t n) { return std::bit_width(n >> 10); };
    // The estimate holds while its size does not double. Counting the image each time would cost as much as the image
    // is large.
    if (known != 0 && size(sum) == size(known) && (most == 0 || sum <= most)) return sum;
    return flow_.store(item.service).maxSize(item.image) + bytes;
}

Outcome LocalPosts::mayHave(const Posted& post, const Item* item, std::size_t image) const {
    const std::uint64_t most = posted_.limits().image;
    if (most != 0 && image > most)
        return {Nak::noResources, "the image would be larger than posts may make it (MaxPostImage)"};
    // Images that a source keeps are not charged: they do not exist because of the post.
    const bool posts = item == nullptr || !live(*item) || item->is(Item::onlyPosted);
    if (posts && !posted_.mayHave(post.client.user, item, image))
        return {Nak::noResources, "posts have made as much as they may (MaxPostBytesPerUser, MaxPostBytes)"};
    return kTaken;
}

Item* LocalPosts::target(const Posted& post, Service& service, const Content& content, std::size_t bytes,
                         Outcome& why) {
    const bool ends = reactor::rdm::endsStream(content.msg) || content.msg.state.stream == StreamState::nonStreaming;
    if (ends && (content.rights & PostRight::erase) == 0) {
        why = {Nak::accessDenied, "the poster may not delete items"};
        return nullptr;
    }
    Item* item = known(post, service);
    if (item != nullptr) {
        if (item->containerType == static_cast<std::uint8_t>(content.msg.containerType) ||
            content.msg.has(RefreshFlag::clearCache)) {
            why = mayHave(post, item, sizeWith(*item, content.msg, bytes));
            return why.nak == Nak::none ? item : nullptr;
        }
        why = invalid("the item has another type of payload");
        // An update of another type could not be applied to the image that clients have.
        return nullptr;
    }
    if (ends) why = {Nak::symbolUnknown, "there is no such item"};
    else if ((content.rights & PostRight::create) == 0) why = {Nak::accessDenied, "the poster may not create items"};
    else if (why = mayHave(post, post.item, bytes); why.nak != Nak::none) return nullptr;
    else if (post.item != nullptr) return post.item;
    else if ((item = records_.take(service.id, post.msg.domain, post.msg.key)) != nullptr) return item;
    else why = {Nak::noResources, "the service has as many items as it may"};
    return nullptr;
}

Outcome LocalPosts::refresh(const Posted& post, Service& service, Content& content) {
    Outcome why;
    const std::size_t bytes = content.msg.payload.size();
    Item* const item = target(post, service, content, bytes, why);
    if (item == nullptr) return why;
    content.msg.flags |= RefreshFlag::complete;
    // An item that was no image before has nothing to be merged with.
    if (!live(*item)) content.msg.flags |= RefreshFlag::clearCache;
    // Before it is applied: an ending state removes the item and its source.
    forward(post, service, *item);
    return apply(post, *item, content.msg, sizeWith(*item, content.msg, bytes));
}

/// The last part has come: all parts go to the image, one after the other, as the parts of one refresh.
Outcome LocalPosts::parts(const Posted& post, Service& service, OpenPost& open) {
    Item* item = nullptr;
    DataType type = DataType::NoData;
    Outcome why;
    std::vector<Msg> headers(open.collected.size());
    std::vector<Content> contents(open.collected.size());
    for (std::size_t i = 0; i < contents.size(); ++i) {
        if (!decodeMsg(open.collected[i], headers[i]).ok()) return invalid("a part of the post cannot be decoded");
        // All parts are checked before the first is applied: half of a refused image must not reach clients.
        const Posted part{post.client, headers[i], post.item};
        if (why = read(part, service, headers[i].payload, contents[i]); why.nak != Nak::none) return why;
        if (i == 0) type = contents[i].msg.containerType;
        else if (contents[i].msg.containerType != type) return invalid("the parts of the post differ in type");
    }
    std::size_t bytes = 0;
    for (const Content& content : contents)
        bytes += content.msg.payload.size();
    if (item = target(post, service, contents.front(), bytes, why); item == nullptr) return why;
    const bool created = !live(*item);
    const std::size_t image = created ? bytes : sizeWith(*item, contents.front().msg, bytes);
    // By number, because applying a part may end the item.
    const std::uint32_t index = item->index, generation = item->generation;
    for (std::size_t i = 0; i < contents.size(); ++i) {
        Msg& m = contents[i].msg;
        m.flags |= RefreshFlag::partNum;
        m.partNum = static_cast<std::uint16_t>(i);
        m.flags &= static_cast<std::uint16_t>(~RefreshFlag::complete);
        if (i + 1 == contents.size()) m.flags |= RefreshFlag::complete;
        if (i == 0 && created) m.flags |= RefreshFlag::clearCache;
        if (i != 0) m.flags &= static_cast<std::uint16_t>(~RefreshFlag::clearCache);
        forward({post.client, headers[i], post.item}, service, *item);
        if (const Outcome o = apply({post.client, headers[i], post.item}, *item, m, image); o.nak != Nak::none)
            return o;
        if (items_.find(index, generation) == nullptr) break;  // its state ended the item
    }
    return kTaken;
}

Outcome LocalPosts::update(const Posted& post, Service& service, Content& content) {
    Item* const item = known(post, service);
    if (item == nullptr) return {Nak::symbolUnknown, "there is no such item"};
    const DataType type = content.msg.containerType;
    if (type != DataType::NoData && item->containerType != static_cast<std::uint8_t>(type))
        return invalid("the item has another type of payload");
    const std::size_t image = sizeWith(*item, content.msg, content.msg.payload.size());
    if (const Outcome o = mayHave(post, item, image); o.nak != Nak::none) return o;
    forward(post, service, *item);
    return apply(post, *item, content.msg, image);
}

Outcome LocalPosts::status(const Posted& post, Service& service, Content& content) {
    Item* const item = known(post, service);
    if (item == nullptr) return {Nak::symbolUnknown, "there is no such item"};
    if (content.msg.hasState() && content.msg.state.isFinal() && (content.rights & PostRight::erase) == 0)
        return {Nak::accessDenied, "the poster may not delete items"};
    forward(post, service, *item);
    return apply(post, *item, content.msg, posted_.image(*item));
}

Outcome LocalPosts::apply(const Posted& post, Item& item, const Msg& msg, std::size_t image) {
    // The cache refuses by counting, so the difference says whether this post was refused.
    const std::uint64_t refused = flow_.counts().imagesRefused;
    if (!live(item) || item.is(Item::onlyPosted)) {
        // Charged before it is received: a failure must not leave an image that nobody pays for.
        posted_.charge(post.client.user, item, image);
        flow::ItemLife::apply(item, flow::Event::posted);
    }
    const std::uint32_t index = item.index, generation = item.generation;
    flow_.received(item, msg);
    if (Item* const still = items_.find(index, generation)) records_.touch(*still);
    if (flow_.counts().imagesRefused != refused) return {Nak::noResources, "the cache is full"};
    return kTaken;
}

/// The publisher gets to see what was applied; nothing is expected back.
void LocalPosts::forward(const Posted& post, const Service& service, Item& item) {
    if (!service.policy.forwardPosts || item.source == nullptr) return;
    Msg out = post.msg;
    out.raw = {};
    // The hub has answered for the post itself: a second ack would be for nobody.
    out.flags &= static_cast<std::uint16_t>(~PostFlag::ack);
    out.postUserAddress = post.userAddress();
    if (out.has(PostFlag::postId)) out.postId = hubId_;
    if (item.source->post(post.client, &item, service.id, out).ok()) ++forwarded_;
}

}  // namespace emissary::hub::post
