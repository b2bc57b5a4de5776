// Sends posts and generic messages with ids of their own, and answers the posts whose ack never comes.
#include "watchlist/Posts.h"

#include "reactor/rdm/Login.h"

namespace emissary::reactor::consumer {

using namespace eta::codec;
using K = Refusal::Kind;

namespace {

constexpr std::int32_t kLogin = rdm::kLoginStreamId;
/// Source of posts whose server is lost: no channel has this number.
constexpr std::uint32_t kLost = ServiceEntry::kActive - 2;

// Reasons and texts of the naks that are made here (rdm.md 1.5).
constexpr std::uint8_t kNakSourceDown = 3, kNakNotOpen = 11;
constexpr std::string_view kConnectionLost = "The connection was lost before the post was answered.";
constexpr std::string_view kServiceLost = "The service was lost before the post was answered.";
constexpr std::string_view kServerLost = "The server was lost before it answered the post.";

/// Not a part of a post of several messages: those have part numbers, or at least sequence numbers.
bool wholePost(const Msg& m) noexcept {
    if (!m.has(PostFlag::complete)) return false;
    return m.has(PostFlag::partNum) ? m.partNum == 0 : !m.has(PostFlag::seqNum);
}

PostLedger::Key keyOfAck(std::int32_t wireId, const Msg& ack) noexcept {
    return {wireId, ack.ackId, ack.has(AckFlag::seqNum) ? ack.seqNum : 0, ack.has(AckFlag::seqNum)};
}

}  // namespace

Posts::Posts(const Context& context, const Services& services, Nak nak)
    : context_(context), services_(services), nak_(std::move(nak)),
      ledger_(context.reactor, context.options.postAckTimeout, context.options.maxOutstandingPosts,
              [this](const PostLedger::Key& key, const PostLedger::Entry& entry) {
                  answer(key, entry, kNakNoResponse, "Acknowledgement timed out.");
              }) {}

Refusal Posts::established(const Request& r) const {
    if (r.stream != nullptr && (r.stream->life.trusted() || (context_.options.relay && r.stream->life.onWire())))
        return {};
    return {K::invalidUsage, "The stream is not established (no refresh yet, or suspect)."};
}

Refusal Posts::submitGeneric(const Request& r, Msg& msg) const {
    if (Refusal refusal = established(r)) return refusal;
    msg.streamId = r.stream->wireId;
    Sender& sender = context_.senderFor(*r.stream);
    const Error e = sender.trySend(msg);
    return e.ok() ? Refusal{} : sender.refuse(e);
}

Refusal Posts::submitPost(const Request& r, Msg& msg, std::string_view serviceName) {
    if (Refusal refusal = established(r)) return refusal;
    if (Refusal refusal = services_.resolve(msg, serviceName)) return refusal;
    if (serviceName.data() != nullptr) msg.flags |= PostFlag::msgKey;
    msg.domain = r.stream->domain;
    msg.streamId = r.stream->wireId;
    return send(Context::sourceOf(*r.stream), context_.senderFor(*r.stream), msg, r.handle());
}

Refusal Posts::submitOffStreamPost(Msg& msg, std::string_view serviceName) {
    if (msg.domain == rdm::kLoginDomain)
        return {K::invalidUsage, "An off-stream post must not be of the login domain."};
    if (Refusal refusal = services_.resolve(msg, serviceName)) return refusal;
    if (!msg.has(PostFlag::msgKey) || !msg.key.has(KeyFlag::serviceId) || !msg.key.has(KeyFlag::name))
        return {K::invalidUsage, "An off-stream post needs a name and a service."};
    msg.streamId = kLogin;
    return send(ServiceEntry::kActive, context_.sender, msg, 0);
}

Refusal Posts::send(std::uint32_t source, Sender& sender, const Msg& msg, Handle poster) {
    if (context_.options.relay) {
        const Error e = sender.trySend(msg);
        return e.ok() ? Refusal{} : sender.refuse(e);
    }
    const PostLedger::Key key{msg.streamId, msg.postId, msg.has(PostFlag::seqNum) ? msg.seqNum : 0,
                              msg.has(PostFlag::seqNum)};
    // Checked before it is sent: an ack names a post by id and sequence number alone, so two that wait with the same
    // ones would look alike.
    if (Refusal refusal = check(key, msg)) return refusal;
    if (const Error e = sender.trySend(msg); !e.ok()) return sender.refuse(e);
    if (!msg.has(PostFlag::ack)) return {};
    PostLedger::Entry entry;
    entry.poster = poster;
    entry.domain = msg.domain;
    entry.complete = msg.has(PostFlag::complete);
    // A standby that is not there: the post went to the active server (Context::senderFor).
    entry.source = &sender == &context_.sender ? ServiceEntry::kActive : source;
    // A nak on an item's stream has the item's key, unless the post had a name of its own.
    if (msg.hasKey() && (poster == 0 || msg.key.has(KeyFlag::name))) entry.named = PostKey(msg.key);
    ledger_.add(key, std::move(entry));
    return {};
}

Refusal Posts::check(const PostLedger::Key& key, const Msg& msg) const {
    if (!msg.has(PostFlag::ack)) return {};
    if (!msg.has(PostFlag::postId)) return {K::invalidUsage, "A post that asks for an ack needs a post id."};
    if (!msg.has(PostFlag::complete) && !msg.has(PostFlag::seqNum))
        return {K::invalidUsage, "A part of a post that asks for an ack needs a sequence number."};
    if (ledger_.duplicate(key, wholePost(msg)))
        return {K::invalidUsage, "A post with id " + std::to_string(key.id) + " is waiting for its ack already."};
    if (ledger_.full())
        return {K::invalidUsage, "The limit of " + std::to_string(context_.options.maxOutstandingPosts) +
                                     " posts waiting for an ack is reached."};
    return {};
}

Handle Posts::takeAck(std::int32_t wireId, const Msg& ack) {
    PostLedger::Entry entry;
    return ledger_.take(keyOfAck(wireId, ack), entry) ? entry.poster : 0;
}

bool Posts::takeOffStreamAck(const Msg& ack) {
    if (context_.options.relay) return true;
    PostLedger::Entry entry;
    return ledger_.take(keyOfAck(kLogin, ack), entry);
}

std::string_view Posts::serviceNameOf(const Msg& ack) const noexcept {
    const bool named = ack.hasKey() && ack.key.has(KeyFlag::serviceId);
    const ServiceEntry* entry = named ? services_.find(ack.key.serviceId) : nullptr;
    return entry != nullptr ? std::string_view(entry->name) : std::string_view{};
}

void Posts::answer(const PostLedger::Key& key, const PostLedger::Entry& entry, std::uint8_t code,
                   std::string_view text) {
    Msg nak;
    nak.cls = MsgClass::Ack;
    nak.domain = entry.domain;
    nak.flags = AckFlag::nakCode | AckFlag::text;
    nak.ackId = key.id;
    nak.nakCode = code;
    nak.text = eta::asBytes(text);
    if (key.hasSeq) {
        nak.flags |= AckFlag::seqNum;
        nak.seqNum = key.seq;
    }
    if (entry.named.present()) {
        nak.flags |= AckFlag::msgKey;
        nak.key = entry.named.view();
    }
    if (entry.poster == 0) {
        nak.streamId = kLogin;
        return context_.owner.onPostNak(nak);
    }
    Request* r = context_.requests.find(entry.poster);
    if (r != nullptr && r->stream != nullptr) nak_(*r, nak);
}

void Posts::answerAll(const std::vector<PostLedger::Post>& posts, std::uint8_t code, std::string_view text) {
    for (const auto& [key, entry] : posts)
        answer(key, entry, code, text);
}

void Posts::streamEnds(std::int32_t wireId) {
    if (!anyOf(wireId)) return;
    answerAll(ledger_.takeAll(
                  [wireId](const PostLedger::Key& key, const PostLedger::Entry&) { return key.wireId == wireId; }),
              kNakNotOpen, "The stream was closed before the post was answered.");
}

void Posts::serviceLost(const std::function<bool(std::int32_t wireId)>& lost) {
    if (ledger_.empty()) return;
    answerAll(ledger_.takeAll([&](const PostLedger::Key& key, const PostLedger::Entry& entry) {
        return entry.poster != 0 && lost(key.wireId);
    }),
              kNakSourceDown, kServiceLost);
}

void Posts::posterLeaves(const Request& r) {
    if (!anyOf(r.stream->wireId)) return;
    answerAll(ledger_.takeAll([handle = r.handle()](const PostLedger::Key&, const PostLedger::Entry& entry) {
        return entry.poster == handle;
    }),
              kNakSourceDown, kServiceLost);
}

void Posts::connectionLost() {
    // The ledger is empty before the first nak: its callback may post again, and those posts belong to the next
    // connection.
    const std::vector<PostLedger::Post> posts =
        ledger_.takeAll([](const PostLedger::Key&, const PostLedger::Entry&) { return true; });
    ledger_.forgetAll();
    answerAll(posts, kNakSourceDown, kConnectionLost);
}

void Posts::serverLost(std::uint32_t source, std::uint32_t heir) {
    ledger_.forEach([&](PostLedger::Entry& entry) {
        if (entry.source == source) entry.source = kLost;
        else if (entry.source == heir) entry.source = ServiceEntry::kActive;
    });
}

void Posts::answerLost() {
    answerAll(ledger_.takeAll([](const PostLedger::Key&, const PostLedger::Entry& e) { return e.source == kLost; }),
              kNakSourceDown, kServerLost);
}

}  // namespace emissary::reactor::consumer
