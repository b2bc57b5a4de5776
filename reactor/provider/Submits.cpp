// Checks and sends a message of the application to one stream, and follows what a refresh or status changes.
#include "provider/Submits.h"

#include "eta/codec/encoders.h"
#include "eta/codec/plain_update.h"
#include "eta/json/Converter.h"
#include "reactor/rdm/Login.h"
#include "reactor/rdm/stream_state.h"

namespace emissary::reactor {

using namespace eta::codec;

namespace {

[[nodiscard]] SubmitResult fault(SubmitFault f) noexcept {
    SubmitResult r;
    r.fault = f;
    return r;
}

/// Whether a key's content (rwf.md 4.3) has nothing but service and name.
[[nodiscard]] bool namesOnly(Bytes content) noexcept {
    constexpr unsigned kOthers = ~(unsigned{KeyFlag::serviceId} | KeyFlag::name | KeyFlag::nameType);
    return !content.empty() && (std::to_integer<unsigned>(content[0]) & kOthers & 0xFF) == 0;
}

/// Who asked for it finds name and service in everything about the item.
void addKey(const Stream& s, Msg& m) noexcept {
    if (!s.is(Stream::keyInUpdates) || m.hasKey()) return;
    m.key = itemKeyOf(s);
    if (m.key.flags == 0) return;
    m.flags |= m.cls == MsgClass::Update ? UpdateFlag::msgKey : StatusFlag::msgKey;
}

}  // namespace

SubmitResult outcomeOf(Error e) noexcept {
    SubmitResult r;
    if (e.ok()) [[likely]]
        return r;
    r.error = e;
    r.fault = e.code == Errc::noBuffers ? SubmitFault::noBuffers
              : e.code == Errc::closed  ? SubmitFault::clientGone
                                        : SubmitFault::encoding;
    return r;
}

SubmitResult Submits::check(const Stream& s, Msg& m, PackedEffect& effect) {
    m.streamId = s.streamId;
    const bool serviceNamed = m.hasKey() && m.key.has(KeyFlag::serviceId);
    switch (m.cls) {
    case MsgClass::Update:
        m.domain = s.domain;
        if (s.isItem()) {
            // A consumer drops updates in front of an image, and nothing would tell the application.
            // An update before the image would be lost without a sign (session.md 5.5).
            if (!effect.refreshed && lacksRefresh(s)) return fault(SubmitFault::refreshFirst);
        } else if (s.domain != rdm::kDirectoryDomain) {
            return fault(SubmitFault::notAllowed);
        }
        addKey(s, m);
        break;
    case MsgClass::Refresh:
        m.domain = s.domain;
        // The image of a request without streaming is all there is.
        // A request without streaming gets exactly one image, and with it its end.
        if (s.domain != rdm::kLoginDomain && !s.is(Stream::streaming) && m.has(RefreshFlag::complete) &&
            m.state.stream == StreamState::open) {
            m.state.stream = StreamState::nonStreaming;
            effect.imageOnly = true;
        }
        if (s.domain == rdm::kLoginDomain) addConnectionFacts(*s.session, m);
        if (s.is(Stream::isPrivate)) m.flags |= RefreshFlag::privateStream;
        if (s.domain == rdm::kDictionaryDomain && m.containerType != DataType::Series)
            return fault(SubmitFault::badDictionary);
        break;
    case MsgClass::Status:
        m.domain = s.domain;
        if (s.is(Stream::isPrivate)) m.flags |= StatusFlag::privateStream;
        addKey(s, m);
        break;
    case MsgClass::Generic:
        return s.domain == rdm::kDictionaryDomain ? fault(SubmitFault::notAllowed) : SubmitResult{};
    case MsgClass::Ack:
        if (s.is(Stream::isPrivate)) m.flags |= AckFlag::privateStream;
        if (context_.options.enforceAckIdValidation && !streams_.posts.waits(streams_.handleOf(s.slot), m.ackId))
            return fault(SubmitFault::unknownAck);
        return {};
    case MsgClass::Request:
    case MsgClass::Close:
    case MsgClass::Post:
        return fault(SubmitFault::notAllowed);
    }
    // Directory messages change the provided services, whichever client they went to.
    if (s.domain == rdm::kDirectoryDomain && m.cls != MsgClass::Status) return services_.check(m);
    if (serviceNamed && s.domain != rdm::kLoginDomain && directory_.find(m.key.serviceId) == nullptr)
        return fault(SubmitFault::unknownService);
    return {};
}

void Submits::sent(std::uint32_t slot, const Msg& m, bool imageOnly) {
    Stream& s = streams_[slot];
    if (imageOnly) s.flags |= Stream::over;
    switch (m.cls) {
    case MsgClass::Refresh:
        s.flags |= Stream::refreshed;
        if (s.isItem()) streams_.groups.put(s.group, m.groupId);
        break;
    case MsgClass::Status:
        if (s.isItem() && m.has(StatusFlag::groupId)) streams_.groups.put(s.group, m.groupId);
        break;
    case MsgClass::Ack:
        if (context_.options.enforceAckIdValidation)
            streams_.posts.acknowledged(streams_.handleOf(slot), m.ackId, s.session->streams.unackedPosts);
        return;
    default:
        return;
    }
    if (s.domain == rdm::kLoginDomain) return loginSent(slot, m);
    if (!rdm::endsStream(m)) return;
    if (s.is(Stream::over) && !m.state.isFinal()) return imageSent(slot);
    streams_.drop(slot);
}

void Submits::takeEffect(Stream& s, const Msg& m, bool imageOnly) {
    const std::uint32_t slot = s.slot;
    // Directory messages change the provided services, whichever client they went to. Items go, this stream stays.
    if (s.domain == rdm::kDirectoryDomain && (m.cls == MsgClass::Refresh || m.cls == MsgClass::Update))
        services_.apply(m, s.session);
    if (m.cls != MsgClass::Update) sent(slot, m, imageOnly);
}

/// The application gets the end from the loop, not inside its own call; until then its messages go nowhere.
void Submits::imageSent(std::uint32_t slot) {
    context_.post([this, handle = streams_.handleOf(slot)] {
        if (const Stream* const s = streams_.find(handle); s != nullptr) streams_.finish(s->slot);
    });
}

/// PingTimeout and MaxMsgSize: a WebSocket handshake has no place for them (rdm.md 2.2).
void Submits::addConnectionFacts(const Session& session, Msg& m) {
    const eta::transport::ChannelInfo& info = session.link->info();
    if (info.protocolType != eta::transport::kProtocolJson || m.containerType != DataType::NoData) return;
    ElementListEncoder list;
    list.begin(context_.payload.start());
    list.addUInt("PingTimeout", info.pingTimeoutSeconds);
    list.addUInt("MaxMsgSize", eta::json::kMaxTextSize);
    if (!list.complete().ok()) return;
    m.containerType = DataType::ElementList;
    m.payload = context_.payload.view();
}

void Submits::loginSent(std::uint32_t slot, const Msg& m) {
    Session& session = *streams_[slot].session;
    // The end of the login has been sent, so the client goes without another word.
    if (rdm::endsStream(m)) {
        streams_.drop(slot);
        ends_.endClient(session, "login closed by the application", Tell::nothing);
    } else if (m.cls == MsgClass::Refresh && m.state.stream == StreamState::open) {
        rdm::LoginAttributes said;
        // What the login answer says of batches decides whether they are divided here.
        session.batches = Session::Batches::items;
        if (m.hasKey() && rdm::decodeLoginAnswer(m.key, said).ok() && said.supportBatch)
            session.batches = (*said.supportBatch & 1) != 0 ? Session::Batches::whole : Session::Batches::refused;
        // Whatever the data state: an Open login with suspect data is a login (rdm.md 2.2).
        if (std::exchange(session.loggedIn, true)) return;
        guard_.endStranger(session);
        if (!session.early.messages.empty()) ends_.releaseEarly(session);
    }
}

bool Submits::submitPlain(std::uint64_t handle, const Msg& m, SubmitResult& result) noexcept {
    const Stream* s = streams_.find(handle);
    // Of such an update of an item there is nothing else that check() could find.
    if (s == nullptr || !s->isItem() || lacksRefresh(*s) || s->is(Stream::over)) [[unlikely]]
        // Left to submit(), which knows how to answer.
        return false;
    eta::codec::StreamAddress to{s->streamId, s->domain};
    if (s->is(Stream::keyInUpdates)) {
        if (!namesOnly(s->key())) [[unlikely]]
            return false;
        to.key = s->key();
    }
    if (const Error e = s->session->link->sendUpdate(m, to); !e.ok()) [[unlikely]]
        result = outcomeOf(e);
    return true;
}

SubmitResult Submits::submit(std::uint64_t handle, Msg& m) {
    Stream* s = streams_.find(handle);
    if (s == nullptr) [[unlikely]]
        return fault(SubmitFault::unknownHandle);
    // An image was all that was asked for: what comes after it goes nowhere.
    if (s->is(Stream::over) && m.cls != MsgClass::Refresh) [[unlikely]]
        return {};
    PackedEffect effect;
    if (const SubmitResult checked = check(*s, m, effect); !checked.ok()) [[unlikely]]
        return checked;
    const Error e = s->session->link->send(m);
    if (!e.ok()) [[unlikely]]
        return outcomeOf(e);
    if (m.cls != MsgClass::Update || s->domain == rdm::kDirectoryDomain) takeEffect(*s, m, effect.imageOnly);
    return {};
}

SubmitResult Submits::prepare(std::uint64_t handle, std::uint64_t clientHandle, Msg& m, PackedEffect& effect) {
    const Stream* s = streams_.find(handle);
    // A packed buffer goes to one client, so all its messages have to be for streams of that client. One that ends in
    // the pack is open until it has left, but not for messages behind the end.
    if (s == nullptr || s->session->handle != clientHandle || effect.ended) return fault(SubmitFault::unknownHandle);
    PackedEffect with = effect;
    if (const SubmitResult checked = check(*s, m, with); !checked.ok()) return checked;
    with.refreshed = with.refreshed || m.cls == MsgClass::Refresh;
    with.ended = rdm::endsStream(m) && (m.state.isFinal() || !with.imageOnly);
    effect = with;
    return {};
}

SubmitResult Submits::packed(std::uint64_t clientHandle, Bytes body, std::uint32_t messages,
                             std::span<const PackedMessage> changes) {
    const Session* session = clients_.find(clientHandle);
    if (session == nullptr) return fault(SubmitFault::unknownHandle);
    if (const Error e = session->link->sendPacked(body, messages); !e.ok()) return outcomeOf(e);
    for (const PackedMessage& change : changes) {
        // Each may end others: of a service that is deleted, of a login that ends.
        Stream* const s = streams_.find(change.handle);
        Msg m;
        if (s != nullptr && decodeMsg(body.subspan(change.offset, change.size), m).ok())
            takeEffect(*s, m, change.effect.imageOnly && m.cls == MsgClass::Refresh);
    }
    return {};
}

}  // namespace emissary::reactor
