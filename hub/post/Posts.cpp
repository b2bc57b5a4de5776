// Decides whether a post is applied here or sent to a source, and answers it.
#include "hub/post/Posts.h"

#include "hub/core/carried_service.h"
#include "reactor/metrics/Snapshot.h"

#include <algorithm>

namespace emissary::hub::post {

using namespace eta::codec;

namespace {

/// As in the label `result`, by nak code; null for codes that the hub does not give.
constexpr std::array<const char*, 16> kResults{
    "applied",        "access_denied", "denied_by_source", "source_down", "source_unknown",
    "no_resources",   "no_response",   "gateway_down",     nullptr,       nullptr,
    "symbol_unknown", "not_open",      "invalid",          nullptr,       nullptr,
    "other"};

[[nodiscard]] std::vector<std::byte> contentOf(const MsgKey& key) {
    std::vector<std::byte> bytes(key.name.size() + key.attrib.size() + 32);
    eta::BeWriter out(bytes);
    encodeKeyContent(out, key);
    bytes.resize(out.size());
    return bytes;
}

/// It names a service that had no id where it came in, and has none.
[[nodiscard]] bool carriesService(const Posted& post) noexcept {
    return !carriedService(post.client, post.msg).empty();
}

/// Why a post cannot go to another hub.
[[nodiscard]] Outcome notOverMesh(const eta::Error& error) noexcept {
    switch (error.code) {
    case eta::Errc::closed:
        return {Nak::gatewayDown, "no hub that has the source of this item can be reached"};
    case eta::Errc::noBuffers:
        return {Nak::noResources, "too many posts wait for the hubs that have the sources"};
    case eta::Errc::badLength:
        return {Nak::invalidContent, "the post is too long to go to another hub"};
    case eta::Errc::badValue:
        return {Nak::invalidContent, "the message inside the post names another service than the post"};
    default:
        return {Nak::invalidContent,
                "a post to an item of another hub names it by its name alone, and has a post id if "
                "it comes in parts"};
    }
}

}  // namespace

Posts::Posts(const PostRooms& rooms, const PostOptions& options, Reply reply, Log log)
    : MemoryOwner(rooms.reactor), rooms_(rooms), options_(options), reply_(std::move(reply)), log_(std::move(log)),
      open_(options.maxOutstanding, options.maxPartBytes, counts_), posted_(options.made),
      local_(rooms.items, rooms.flow, rooms.records, open_, posted_), generics_(rooms.services, counts_),
      ledger_(rooms.reactor, options.ackTimeout, options.maxOutstanding, counts_,
              [this](const PendingPost& post) {
                  answer(post, Nak::noResponse, eta::asBytes("the source did not answer in time"));
              }),
      metrics_(rooms.reactor, [this](reactor::metrics::Snapshot& into) {
          counts_.postedItems = posted_.size();
          counts_.postedBytes = posted_.bytes();
          into.add(counts_);
          for (std::size_t id = 0; id < results_.size(); ++id)
              if (results_[id]) collect(into, static_cast<std::uint16_t>(id));
      }) {
    rooms.flow.onPostedGone([this](const Item& item) { posted_.forget(item); });
    rooms.flow.use(*this);
}

/// Posts to services that are not there have the empty name.
void Posts::collect(reactor::metrics::Snapshot& into, std::uint16_t id) const {
    const Service* const service = rooms_.services.find(id);
    if (service == nullptr && id != 0) return;
    for (std::size_t code = 0; code < kResults.size(); ++code)
        if (kResults[code] != nullptr)
            into.add((*results_[id])[code],
                     {{"service", service != nullptr ? service->name : std::string()}, {"result", kResults[code]}});
}

void Posts::count(std::uint16_t service, Nak nak) {
    if (results_.size() <= service) results_.resize(std::size_t{service} + 1);
    if (!results_[service]) results_[service] = std::make_unique<Results>();
    ++(*results_[service])[static_cast<std::size_t>(nak) % Results{}.size()].posts;
}

std::uint64_t Posts::posts(Nak outcome) const noexcept {
    std::uint64_t sum = 0;
    for (const auto& results : results_)
        if (results) sum += (*results)[static_cast<std::size_t>(outcome)].posts;
    return sum;
}

/// That the post is for; 0: none that there is.
std::uint16_t Posts::serviceOf(const Posted& post) const noexcept {
    if (post.item != nullptr) return post.item->service;
    const MsgKey& key = post.msg.key;
    const bool named = post.msg.hasKey() && key.has(KeyFlag::serviceId);
    const bool known = named && seenService(rooms_.services, post.client, key.serviceId) != nullptr;
    return known ? key.serviceId : std::uint16_t{0};
}

void Posts::onPost(Client& client, Item* item, const Msg& post) {
    if (Msg known; giveServiceId(rooms_.services, client, post, known)) return onPost(client, item, known);
    const Posted posted{client, post, item};
    const std::uint16_t service = serviceOf(posted);  // the item may be gone afterwards
    const Outcome outcome = route(posted);
    if (outcome.pending) return;
    count(service, outcome.nak);
    answer(posted, outcome);
}

Outcome Posts::route(const Posted& post) {
    if (!options_.allowed) return {Nak::accessDenied, "posts are not taken here"};
    if (!post.client.mayPost) return {Nak::accessDenied, "pages of browsers do not post here (WebPosting)"};
    if (!post.client.posts.inTime()) return {Nak::noResources, "too many posts in a second (WebPostsPerSecond)"};
    if (post.item == nullptr && post.msg.streamId != post.client.loginStream)
        return {Nak::notOpen, "the stream is not open"};
    if (carriesService(post)) return {Nak::sourceUnknown, "there is no such service"};
    Service* service = nullptr;
    if (post.item != nullptr) {
        if (post.item->streamState != StreamState::open) return {Nak::notOpen, "the item is not open"};
        service = rooms_.services.find(post.item->service);
    } else {
        const MsgKey& key = post.msg.key;
        if (!post.msg.hasKey() || !key.has(KeyFlag::serviceId) || !key.has(KeyFlag::name))
            return {Nak::invalidContent, "a post on the login stream names a service and an item"};
        if (post.msg.domain == kLoginDomain || post.msg.domain == kDirectoryDomain ||
            post.msg.domain == kDictionaryDomain)
            return {Nak::invalidContent, "this domain has no items"};
        service = seenService(rooms_.services, post.client, key.serviceId);
    }
    if (service == nullptr) return {Nak::sourceUnknown, "there is no such service"};
    if (atSource(post, *service)) return toSource(post, *service);
    if (!service->up()) return {Nak::sourceDown, "the service is down"};
    const std::uint64_t before = local_.forwarded();
    const Outcome outcome = local_.take(post, *service, nextId());
    counts_.forwarded += local_.forwarded() - before;
    return outcome;
}

/// The post goes to the offer that holds the item. What publishers and posts have made is changed here; an item that is
/// not there is made here too, unless a source of the service takes posts.
bool Posts::atSource(const Posted& post, const Service& service) {
    const Item* const item = post.item != nullptr
                                 ? post.item
                                 : rooms_.items.find(rooms_.items.keyOf(service.id, post.msg.domain, post.msg.key));
    if (!service.published || (item != nullptr && item->is(Item::isPrivate))) return true;
    if (item != nullptr && item->source != nullptr) return !item->source->kind().publishes;
    using Phase = Item::Phase;
    if (item != nullptr && item->phase == Phase::open) return false;
    if (item != nullptr && (item->phase == Phase::queued || item->phase == Phase::parked))
        return service.hasRequested();  // it waits for somebody to be asked for it
    return std::ranges::any_of(service.offers, [](const Offer& o) { return o.usable() && o.source->takesPosts(); });
}

Source* Posts::sourceFor(const Posted& post, Service& service, Outcome& why) {
    why = {Nak::sourceDown, "no source of the service is up"};
    Source* source = nullptr;
    if (post.item != nullptr) source = post.item->source;
    else {
        // The source that serves the item, where one does; else the first that takes posts.
        const Item* const item = rooms_.items.find(rooms_.items.keyOf(service.id, post.msg.domain, post.msg.key));
        if (item != nullptr && item->source != nullptr && item->source->up()) source = item->source;
        for (const Offer& offer : service.offers) {
            if (source != nullptr && source->takesPosts()) break;
            if (offer.usable()) source = offer.source;
        }
    }
    if (source == nullptr && service.mesh.source != nullptr) {
        if (service.mesh.usable()) source = service.mesh.source;
        else if (service.offers.empty()) why = {Nak::gatewayDown, "no hub has a source of the service that is up"};
    }
    if (source == nullptr || !source->up()) return nullptr;
    if (source->kind().ofOtherHubs) {
        // What comes from another hub does not go on to a third one: there would be circles.
        if (post.client.sink != nullptr) return nullptr;
        if (!service.policy.posts) {
            why = {Nak::accessDenied, "posts to this service are not taken"};
            return nullptr;
        }
    }
    if (source->takesPosts()) return source;
    why = {Nak::deniedBySource, "the source takes no posts"};
    return nullptr;
}

Outcome Posts::toSource(const Posted& post, Service& service) {
    Outcome outcome;
    Source* const source = sourceFor(post, service, outcome);
    return source != nullptr ? send(post, service, *source) : outcome;
}

Outcome Posts::send(const Posted& post, Service& service, Source& source) {
    const Msg& m = post.msg;
    const std::uint32_t client = post.client.index;
    std::uint32_t hubId = nextId();
    const bool asks = m.has(PostFlag::ack) && m.has(PostFlag::postId);
    if (asks && ledger_.full(client)) return {Nak::noResources, "too many posts wait for an answer"};
    if (m.has(PostFlag::partNum)) {
        OpenPost* open = nullptr;
        switch (open_.part(client, m, hubId, open)) {
        case OpenPosts::Taken::outOfOrder:
            open_.end(client, m);
            return {Nak::invalidContent, "a part of the post is missing or came twice"};
        case OpenPosts::Taken::full:
            return {Nak::noResources, "too many posts are unfinished"};
        case OpenPosts::Taken::ok:
            hubId = open->hubId;
            break;
        }
        if (m.has(PostFlag::complete)) open_.end(client, m);
    }
    if (asks) {
        PendingPost pending;
        pending.hubId = hubId;
        pending.hasSeqNum = m.hasSeqNum();
        pending.seqNum = m.hasSeqNum() ? m.seqNum : 0;
        pending.source = &source;
        pending.service = service.id;
        if (post.item != nullptr) {
            pending.item = post.item->index;
            pending.itemGeneration = post.item->generation;
            pending.isPrivate = post.item->is(Item::isPrivate);
        }
        pending.client = client;
        pending.stream = m.streamId;
        pending.postId = m.postId;
        pending.domain = m.domain;
        if (m.hasKey()) pending.key = contentOf(m.key);
        if (post.client.sink != nullptr) {
            pending.user = post.client.user;
            pending.address = post.client.address;
        }
        if (!ledger_.add(std::move(pending))) return {Nak::invalidContent, "this part of the post waits already"};
    }
    Msg out = m;
    out.raw = {};
    out.postUserAddress = post.userAddress();
    if (m.has(PostFlag::postId)) out.postId = hubId;
    const eta::Error sent = source.post(post.client, post.item, service.id, out);
    if (sent.ok()) {
        ++counts_.forwarded;
        if (asks) return kPending;
        count(service.id, Nak::none);
        return kPending;  // nothing to say
    }
    if (asks) ledger_.cancel(hubId, m.hasSeqNum(), m.hasSeqNum() ? m.seqNum : 0);
    if (source.kind().ofOtherHubs) return notOverMesh(sent);
    if (sent.code == eta::Errc::noBuffers) return {Nak::noResources, "the source reads too slowly"};
    if (sent.code == eta::Errc::closed) return {Nak::sourceDown, "the connection to the source has ended"};
    return {Nak::invalidContent, "the post cannot be sent"};
}

void Posts::answer(const Posted& post, const Outcome& outcome) {
    const Msg& m = post.msg;
    if (outcome.nak != Nak::none)
        auditRefusal(post.client, serviceOf(post), post.item != nullptr ? post.item->msgKey() : m.key, outcome,
                     outcome.nak != Nak::accessDenied ? ""
                     : !post.client.mayPost           ? "WebPosting"
                     : options_.allowed               ? "PostRights"
                                                      : "SupportOMMPost");
    if (!m.has(PostFlag::ack) || !m.has(PostFlag::postId)) {
        if (outcome.nak != Nak::none) refusedSilently(post, outcome);
        return;
    }
    Msg ack;
    ack.cls = MsgClass::Ack;
    ack.domain = m.domain;
    ack.streamId = m.streamId;
    ack.ackId = m.postId;
    if (m.hasSeqNum()) {
        ack.flags |= AckFlag::seqNum;
        ack.seqNum = m.seqNum;
    }
    if (m.hasKey()) {
        ack.flags |= AckFlag::msgKey;
        ack.key = m.key;
    }
    if (carriesService(post)) {
        ack.flags |= AckFlag::extendedHeader;
        ack.extendedHeader = m.extendedHeader;
    }
    if (outcome.nak != Nak::none) {
        ack.flags |= AckFlag::nakCode | AckFlag::text;
        ack.nakCode = static_cast<std::uint8_t>(outcome.nak);
        ack.text = eta::asBytes(outcome.text);
    }
    reply_(post.client, ack.streamId, ack);
}

void Posts::auditRefusal(const Client& client, std::string_view user, std::string_view address, std::uint16_t service,
                         const MsgKey& key, const Outcome& refusal, std::string_view parameter) const noexcept {
    if (options_.audit == nullptr) return;
    AuditEvent event;
    event.kind = AuditEvent::Kind::postRefused;
    if (client.sink == nullptr) event.client = &client;  // else there is no connection that it came on
    event.user = user;
    event.address = address;
    if (const Service* const s = rooms_.services.find(service)) event.service = s->name;
    if (key.has(KeyFlag::name)) event.item = eta::asText(key.name);
    const auto nak = static_cast<std::size_t>(refusal.nak);
    event.code = nak < kResults.size() && kResults[nak] != nullptr ? kResults[nak] : "other";
    event.text = refusal.text;
    event.parameter = parameter;
    options_.audit->audit(event);
}

void Posts::refusedSilently(const Posted& post, const Outcome& outcome) {
    ++counts_.silent;
    if (!log_ || !lines_.pass()) return;
    const std::string& user = post.client.user;
    std::string text =
        "a post of " + (user.empty() ? "a user with a token" : user) + " was not taken: " + std::string(outcome.text);
    if (const std::uint64_t more = lines_.takeLeftOut()) text += " (and " + std::to_string(more) + " others)";
    log_(Severity::warning, text);
}

void Posts::answer(const PendingPost& post, Nak nak, Bytes text) {
    Msg ack;
    ack.flags = nak == Nak::none ? 0 : AckFlag::nakCode | AckFlag::text;
    ack.nakCode = static_cast<std::uint8_t>(nak);
    ack.text = text;
    deliver(post, ack);
}

/// `said` has code and text; the rest is what the client knows the post by.
void Posts::deliver(const PendingPost& post, const Msg& said) {
    const bool refused = said.has(AckFlag::nakCode) && said.nakCode != 0;
    count(post.service,
          refused ? static_cast<Nak>(
                        kResults[said.nakCode % kResults.size()] != nullptr && said.nakCode < 15 ? said.nakCode : 15)
                  : Nak::none);
    Client* const client = rooms_.clients.find(post.client);
    if (client == nullptr) return void(++counts_.orphaned);
    const Item* const mounted = post.item == Item::kNone ? nullptr : rooms_.mounts.itemOf(*client, post.stream);
    if (refused) {
        MsgKey key;
        if (mounted != nullptr) key = mounted->msgKey();
        else if (!post.key.empty()) (void)decodeKey(post.key, key);
        const bool far = client->sink != nullptr;
        auditRefusal(*client, far ? post.user : client->user, far ? post.address : client->address, post.service, key,
                     {static_cast<Nak>(said.nakCode), eta::asText(said.text)}, "");
    }
    if (post.item == Item::kNone) {
        if (client->sink == nullptr && (!client->loggedIn || client->loginStream != post.stream))
            return void(++counts_.orphaned);
    } else {
        if (mounted == nullptr || mounted->index != post.item || mounted->generation != post.itemGeneration)
            return void(++counts_.orphaned);
    }
    Msg ack;
    ack.cls = MsgClass::Ack;
    ack.domain = post.domain;
    ack.streamId = post.stream;
    ack.ackId = post.postId;
    ack.flags = said.flags & (AckFlag::nakCode | AckFlag::text);
    ack.nakCode = said.nakCode;
    ack.text = said.text;
    if (post.isPrivate) ack.flags |= AckFlag::privateStream;
    if (post.hasSeqNum) {
        ack.flags |= AckFlag::seqNum;
        ack.seqNum = post.seqNum;
    }
    if (!post.key.empty() && decodeKey(post.key, ack.key).ok()) ack.flags |= AckFlag::msgKey;
    reply_(*client, post.stream, ack);
}

void Posts::onAck(Source& source, Item* item, const Msg& ack) {
    PendingPost post;
    if (!ledger_.take(source, item, ack, post)) return void(++counts_.unmatched);
    counts_.ackTime.record(rooms_.reactor.now() - post.since);
    deliver(post, ack);
}

void Posts::onSourceLost(Source& source) {
    ledger_.takeAllOf(source, [this](const PendingPost& post) {
        answer(post, Nak::sourceDown, eta::asBytes("the connection to the source has ended"));
    });
}

/// On the streams that posted, while they are there.
void Posts::onStreamsEnd(Item& item, const Mount* mount) {
    ledger_.takeAllOf(item, mount, [this](const PendingPost& post) {
        answer(post, Nak::notOpen, eta::asBytes("the stream of the item has ended"));
    });
}

void Posts::onSourceStreamEnds(Item& item) {
    ledger_.takeAllOf(item, nullptr, [this](const PendingPost& post) {
        answer(post, Nak::sourceDown, eta::asBytes("the source has ended the stream of the item"));
    });
}

void Posts::onGeneric(Client& client, Item* item, const Msg& generic) {
    const bool named = item == nullptr && generic.hasKey() && generic.key.has(KeyFlag::serviceId);
    if (!client.mayPost || (named && seenService(rooms_.services, client, generic.key.serviceId) == nullptr)) {
        ++counts_.genericsDropped;
        return;
    }
    generics_.take(item, generic);
}

void Posts::onClientGone(Client& client) noexcept {
    ledger_.forgetClient(client.index);
    open_.forgetClient(client.index);
}

void Posts::onPostGivenUp(Client& client, std::int32_t stream, std::uint32_t postId) {
    Msg post;
    post.streamId = stream;
    post.flags = PostFlag::postId;
    post.postId = postId;
    open_.end(client.index, post);
}

}  // namespace emissary::hub::post
