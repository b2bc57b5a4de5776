#include "watchlist/Posts.h"

#include "reactor/rdm/Login.h"

namespace emissary::reactor::consumer {

using namespace eta::codec;
using K = Refusal::Kind;

namespace {

constexpr std::int32_t kLogin = rdm::kLoginStreamId;

/// Not a part of a post of several messages: those have part numbers, or at least sequence numbers.
bool wholePost(const Msg& m) noexcept {
    if (!m.has(PostFlag::complete)) return false;
    return m.has(PostFlag::partNum) ? m.partNum == 0 : !m.has(PostFlag::seqNum);
}

PostLedger::Key keyOfAck(std::int32_t wireId, const Msg& ack) noexcept {
    return {wireId, ack.ackId, ack.has(AckFlag::seqNum) ? ack.seqNum : 0, ack.has(AckFlag::seqNum)};
}

}  // namespace

Posts::Posts(const Context& context, const Services& services, Expired expired)
    : context_(context), services_(services), expired_(std::move(expired)),
      ledger_(context.reactor, context.options.postAckTimeout, context.options.maxOutstandingPosts,
              [this](const PostLedger::Key& key, const PostLedger::Entry& entry) { this->expired(key, entry); }) {}

Refusal Posts::established(const Request& r) const {
    if (r.stream != nullptr && (r.stream->life.trusted() || (context_.options.relay && r.stream->life.onWire())))
        return {};
    return {K::invalidUsage, "The stream is not established (no refresh yet, or suspect)."};
}

Refusal Posts::submitGeneric(const Request& r, Msg& msg) const {
    if (Refusal refusal = established(r)) return refusal;
    msg.streamId = r.stream->wireId;
    Sender& sender = context_.senderFor(*r.stream->service);
    const Error e = sender.trySend(msg);
    return e.ok() ? Refusal{} : sender.refuse(e);
}

Refusal Posts::submitPost(const Request& r, Msg& msg, std::string_view serviceName) {
    if (Refusal refusal = established(r)) return refusal;
    if (serviceName.data() != nullptr && !msg.has(PostFlag::msgKey))
        return {K::invalidUsage, "A post that names a service needs a key."};
    if (Refusal refusal = services_.resolve(msg, serviceName)) return refusal;
    msg.domain = r.stream->domain;
    msg.streamId = r.stream->wireId;
    return send(context_.senderFor(*r.stream->service), msg, r.handle());
}

Refusal Posts::submitOffStreamPost(Msg& msg, std::string_view serviceName) {
    if (msg.domain == rdm::kLoginDomain)
        return {K::invalidUsage, "An off-stream post must not be of the login domain."};
    if (serviceName.data() != nullptr) {
        if (!msg.has(PostFlag::msgKey)) return {K::invalidUsage, "A post that names a service needs a key."};
        if (Refusal refusal = services_.resolve(msg, serviceName)) return refusal;
    }
    if (!msg.has(PostFlag::msgKey) || !msg.key.has(KeyFlag::serviceId) || !msg.key.has(KeyFlag::name))
        return {K::invalidUsage, "An off-stream post needs a name and a service."};
    msg.streamId = kLogin;
    return send(context_.sender, msg, 0);
}

Refusal Posts::send(Sender& sender, const Msg& msg, Handle poster) {
    if (context_.options.relay) {
        const Error e = sender.trySend(msg);
        return e.ok() ? Refusal{} : sender.refuse(e);
    }
    const PostLedger::Key key{msg.streamId, msg.postId, msg.has(PostFlag::seqNum) ? msg.seqNum : 0,
                              msg.has(PostFlag::seqNum)};
    if (Refusal refusal = check(key, msg)) return refusal;
    if (const Error e = sender.trySend(msg); !e.ok()) return sender.refuse(e);
    if (msg.has(PostFlag::ack)) ledger_.add(key, {poster, msg.domain, msg.has(PostFlag::complete), 0});
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

void Posts::expired(const PostLedger::Key& key, const PostLedger::Entry& entry) {
    Msg nak;
    nak.cls = MsgClass::Ack;
    nak.domain = entry.domain;
    nak.flags = AckFlag::nakCode | AckFlag::text;
    nak.ackId = key.id;
    nak.nakCode = eta::codec::kNakNoResponse;
    nak.text = eta::asBytes("Acknowledgement timed out.");
    if (key.hasSeq) {
        nak.flags |= AckFlag::seqNum;
        nak.seqNum = key.seq;
    }
    if (entry.poster == 0) {
        nak.streamId = kLogin;
        return context_.owner.onPostTimeout(nak);
    }
    Request* r = context_.requests.find(entry.poster);
    if (r != nullptr && r->stream != nullptr) expired_(*r, nak);
}

}  // namespace emissary::reactor::consumer
