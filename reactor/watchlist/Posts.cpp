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

bool Posts::established(const Request& r, Refusal& refusal) const {
    if (r.stream != nullptr && (r.stream->life.trusted() || (context_.options.relay && r.stream->life.onWire())))
        return true;
    refusal.set(K::invalidUsage, "The stream is not established (no refresh yet, or suspect).");
    return false;
}

void Posts::submitGeneric(const Request& r, Msg& msg, Refusal& refusal) const {
    if (!established(r, refusal)) return;
    msg.streamId = r.stream->wireId;
    Sender& sender = context_.senderFor(*r.stream->service);
    if (const Error e = sender.trySend(msg); !e.ok()) sender.refuse(e, refusal);
}

void Posts::submitPost(const Request& r, Msg& msg, std::string_view serviceName, Refusal& refusal) {
    if (!established(r, refusal)) return;
    if (serviceName.data() != nullptr && !msg.has(PostFlag::msgKey))
        return refusal.set(K::invalidUsage, "A post that names a service needs a key.");
    if (!services_.resolve(msg, serviceName, refusal)) return;
    msg.domain = r.stream->domain;
    msg.streamId = r.stream->wireId;
    send(context_.senderFor(*r.stream->service), msg, r.handle, refusal);
}

void Posts::submitOffStreamPost(Msg& msg, std::string_view serviceName, Refusal& refusal) {
    if (msg.domain == rdm::kLoginDomain)
        return refusal.set(K::invalidUsage, "An off-stream post must not be of the login domain.");
    if (serviceName.data() != nullptr) {
        if (!msg.has(PostFlag::msgKey)) return refusal.set(K::invalidUsage, "A post that names a service needs a key.");
        if (!services_.resolve(msg, serviceName, refusal)) return;
    }
    if (!msg.has(PostFlag::msgKey) || !msg.key.has(KeyFlag::serviceId) || !msg.key.has(KeyFlag::name))
        return refusal.set(K::invalidUsage, "An off-stream post needs a name and a service.");
    msg.streamId = kLogin;
    send(context_.sender, msg, 0, refusal);
}

void Posts::send(Sender& sender, const Msg& msg, Handle poster, Refusal& refusal) {
    if (context_.options.relay) {
        if (const Error e = sender.trySend(msg); !e.ok()) sender.refuse(e, refusal);
        return;
    }
    const PostLedger::Key key{msg.streamId, msg.postId, msg.has(PostFlag::seqNum) ? msg.seqNum : 0,
                              msg.has(PostFlag::seqNum)};
    if (!check(key, msg, refusal)) return;
    if (const Error e = sender.trySend(msg); !e.ok()) return sender.refuse(e, refusal);
    if (msg.has(PostFlag::ack)) ledger_.add(key, {poster, msg.domain, msg.has(PostFlag::complete), 0});
}

bool Posts::check(const PostLedger::Key& key, const Msg& msg, Refusal& refusal) const {
    if (!msg.has(PostFlag::ack)) return true;
    if (!msg.has(PostFlag::postId)) refusal.set(K::invalidUsage, "A post that asks for an ack needs a post id.");
    else if (!msg.has(PostFlag::complete) && !msg.has(PostFlag::seqNum))
        refusal.set(K::invalidUsage, "A part of a post that asks for an ack needs a sequence number.");
    else if (ledger_.duplicate(key, wholePost(msg)))
        refusal.set(K::invalidUsage, "A post with id " + std::to_string(key.id) + " is waiting for its ack already.");
    else if (ledger_.full())
        refusal.set(K::invalidUsage, "The limit of " + std::to_string(context_.options.maxOutstandingPosts) +
                                         " posts waiting for an ack is reached.");
    return !refusal;
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
