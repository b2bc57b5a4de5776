// Checks every message of a client in the order that session.md gives, and answers or hands over.
#include "provider/ClientRequests.h"

#include "eta/codec/Msg.h"
#include "eta/json/Converter.h"
#include "provider/Batches.h"
#include "reactor/rdm/Login.h"
#include "reactor/rdm/login_user.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace emissary::reactor {

using namespace eta::codec;
using state_code::generalError;
using state_code::usageError;

namespace {

constexpr std::uint32_t kNone = StreamTable::kNone;
constexpr std::size_t kMostEarlyBytes = 256u << 10, kEarlyATurn = 100;

/// "'TRI.N' (service 1)"
[[nodiscard]] std::string textOf(const MsgKey& key) {
    std::string text;
    if (key.has(KeyFlag::name)) text.append(1, '\'').append(eta::asText(key.name)).append(1, '\'');
    if (key.has(KeyFlag::serviceId))
        text.append(text.empty() ? "service " : " of service ").append(std::to_string(key.serviceId));
    return text.empty() ? "without a key" : text;
}

[[nodiscard]] bool speaksJson(const Session& session) noexcept {
    return session.link->info().protocolType == eta::transport::kProtocolJson;
}

[[nodiscard]] bool isItemDomain(std::uint8_t domain) noexcept {
    return domain != rdm::kLoginDomain && domain != rdm::kDirectoryDomain && domain != rdm::kDictionaryDomain;
}

/// Whether a client may open a stream of that id. In JSON any number will do: programs log in on 0, or -1.
[[nodiscard]] bool mayBeOpened(const Session& session, std::int32_t streamId) noexcept {
    return streamId > 0 || speaksJson(session);
}

[[nodiscard]] bool qosOffered(const Session& session, const rdm::Service& service, const Msg& m) noexcept {
    if (!m.has(RequestFlag::qos)) return true;
    // A JSON client that names no QoS has not asked for a range either.
    if (rdm::equal(m.worstQos, eta::json::kWorstOfAnyQos) && rdm::equal(m.qos, eta::json::kAnyQos) &&
        speaksJson(session))
        return true;
    const bool range = m.has(RequestFlag::worstQos) && !rdm::equal(m.qos, m.worstQos);
    // A range needs SupportsQoSRange at the service (session.md 5.3, row 4).
    if (range && !service.info.supportsQosRange()) return false;
    return rdm::chooseQos(service.info.qos, &m.qos, range ? &m.worstQos : nullptr) != nullptr;
}

}  // namespace

void ClientRequests::onMessage(Session& session, Bytes bytes) {
    Msg& m = inbound_;
    if (const Error e = decodeMsg(bytes, m); !e.ok()) {
        ++context_.counters.malformed;
        return ends_.endClient(session,
                               std::string("message cannot be decoded: ") + eta::describe(e.code) + " at byte " +
                                   std::to_string(e.offset),
                               Tell::now);
    }
    if (hasUndefinedState(m)) [[unlikely]]
        return ignoreState(session, m);
    if (context_.options.holdsUntilVerdict && isEarly(session, m)) [[unlikely]]
        return hold(session, bytes);
    take(session, m);
}

void ClientRequests::take(Session& session, const Msg& m) {
    if (context_.options.itemsByHandler && isHandlers(session, m)) return tap(session, m);
    if (tunnels_.onMessage(session, m)) return;
    switch (m.cls) {
    case MsgClass::Request:
        onRequest(session, m);
        break;
    case MsgClass::Close:
        onClose(session, m);
        break;
    case MsgClass::Generic:
        if (m.streamId < 0 && ownRequests_.onAnswer(session, m)) break;
        [[fallthrough]];
    case MsgClass::Post:
        onPostOrGeneric(session, m);
        break;
    case MsgClass::Refresh:
    case MsgClass::Status:
        if (m.streamId < 0 && ownRequests_.onAnswer(session, m)) break;
        [[fallthrough]];
    case MsgClass::Update:
    case MsgClass::Ack:
        if (session.streams.slotOf(m.streamId) != kNone || context_.options.itemsByHandler) ++context_.counters.ignored;
        else
            refuse(session, m, usageError,
                   std::string("unexpected ") + name(m.cls) + " message on stream " + std::to_string(m.streamId) +
                       ", which is not open");
        break;
    }
}

void ClientRequests::ignoreState(Session& session, const Msg& m) {
    ++context_.counters.ignored;
    const std::string text = std::string(name(m.cls)) + " message on stream " + std::to_string(m.streamId) +
                             " ignored: its state (stream " + std::to_string(m.state.stream) + ", data " +
                             std::to_string(m.state.data) + ") is none that there is";
    context_.handler.onRefused(session.handle, text);
    if (!guard_.toleratesRefusal(session))
        ends_.endClient(session, "too much of what it sent before its login was refused; at last: " + text, Tell::now,
                        farewell::overLimit);
}

bool ClientRequests::isEarly(const Session& session, const Msg& m) const noexcept {
    if (session.loggedIn) return !session.early.messages.empty();  // what waits is dealt with first
    if (session.streams.login == kNone) return false;
    // A login that changes or ends before it is answered does so at once.
    const bool ofLogin = session.streams.slotOf(m.streamId) == session.streams.login;
    return !ofLogin || (m.cls != MsgClass::Request && m.cls != MsgClass::Close);
}

void ClientRequests::hold(Session& session, Bytes bytes) {
    EarlyMessages& early = session.early;
    // A client may send its requests right behind its login. They wait in their order for the verdict; beyond
    // kMostEarlyBytes the connection is not read until then, so a client without a login costs no more.
    early.messages.emplace_back(bytes.begin(), bytes.end());
    early.bytes += bytes.size();
    if (early.bytes >= kMostEarlyBytes && !std::exchange(early.inputHeld, true)) session.link->hold(true);
}

void ClientRequests::releaseEarly(Session& session) {
    context_.post([this, client = session.handle] { dealWithEarly(client); });
}

/// Each message may end the client. Other clients of the same turn do not wait.
void ClientRequests::dealWithEarly(std::uint64_t client) {
    Session* session = clients_.find(client);
    for (std::size_t i = 0; session != nullptr && !session->early.messages.empty(); ++i) {
        if (i == kEarlyATurn) return releaseEarly(*session);
        if (!session->loggedIn) return session->dropEarly();
        const std::vector<std::byte> message = std::move(session->early.messages.front());
        if (decodeMsg(message, inbound_).ok()) take(*session, inbound_);  // it was when it came
        session = clients_.find(client);
        if (session == nullptr || session->early.messages.empty()) return;
        session->early.bytes -= message.size();
        session->early.messages.pop_front();
    }
    if (session != nullptr && std::exchange(session->early.inputHeld, false)) session->link->hold(false);
}

void ClientRequests::onRequest(Session& session, const Msg& m) {
    if (!mayBeOpened(session, m.streamId))
        return refuse(session, m, usageError,
                      "request on stream " + std::to_string(m.streamId) + ": stream ids of requests are positive");
    if (m.has(RequestFlag::qualified))
        return refuse(session, m, usageError,
                      m.has(RequestFlag::privateStream)
                          ? "request for a tunnel stream refused: the login is not accepted (yet)"
                          : "request on stream " + std::to_string(m.streamId) +
                                " refused: a qualified stream must be private too");
    if (const std::uint32_t slot = session.streams.slotOf(m.streamId);
        slot != kNone && streams_[slot].domain != m.domain)
        return refuse(session, m, usageError,
                      "request on domain " + std::to_string(m.domain) + " for stream " + std::to_string(m.streamId) +
                          ", which is open on domain " + std::to_string(streams_[slot].domain));
    switch (m.domain) {
    case rdm::kLoginDomain:
        return onLogin(session, m);
    case rdm::kDirectoryDomain:
        return onDirectory(session, m);
    case rdm::kDictionaryDomain:
        return onDictionary(session, m);
    default:
        return onItem(session, m);
    }
}

/// Whether the message is about an item stream, where those are the handler's. What may answer a request of ours is
/// not.
bool ClientRequests::isHandlers(const Session& session, const Msg& m) const noexcept {
    if (session.streams.slotOf(m.streamId) != kNone) return false;
    switch (m.cls) {
    case MsgClass::Request:
        if (!mayBeOpened(session, m.streamId)) return false;
        if (isItemDomain(m.domain)) return true;
        return session.loggedIn && context_.handler.isItemStream({session.handle, session.context}, m.streamId);
    case MsgClass::Generic:
        return mayBeOpened(session, m.streamId);
    case MsgClass::Close:
    case MsgClass::Post:
    case MsgClass::Ack:
        return true;
    default:
        return false;
    }
}

void ClientRequests::tap(Session& session, const Msg& m) {
    if (m.cls == MsgClass::Request) {
        if (!guard_.mayAsk(session)) [[unlikely]]
            return refuse(session, m, usageError,
                          "item request " + textOf(m.key) + " refused: the login is not accepted (yet)");
        const std::uint32_t most = context_.options.limits.keyBytes;
        if (const std::size_t size = m.key.name.size() + m.key.attrib.size(); most != 0 && size > most) [[unlikely]]
            return refuse(session, m, usageError,
                          "request refused: its key has " + std::to_string(size) + " bytes, at most " +
                              std::to_string(most) + " are taken (MaxKeySize)");
    } else if (!guard_.mayAsk(session)) {
        return void(++context_.counters.ignored);
    }
    ++context_.counters.itemMessages;
    if (!context_.handler.onItemMessage({session.handle, session.context}, m)) ++context_.counters.ignored;
}

void ClientRequests::handOver(Session& session, const Msg& m, std::uint32_t slot, const ItemKey& key) {
    if (slot != kNone) {
        ++context_.counters.reissues;
        return context_.handler.onReissue(streams_.eventOf(slot), m);
    }
    slot = streams_.open(session, m, key);
    context_.handler.onRequest(streams_.eventOf(slot), m);
}

bool ClientRequests::tooMany(Session& session, const Msg& m) {
    if (guard_.mayOpen(session, m)) [[likely]]
        return false;
    refuse(session, m, state_code::tooManyItems, "this client has too many open streams");
    return true;
}

bool ClientRequests::keyTooLarge(Session& session, const Msg& m, const ItemKey& key, std::size_t replaced) {
    if (guard_.mayKeep(session, key, replaced)) [[likely]]
        return false;
    const Denied denied = guard_.keyDenied(session, key);
    const bool forever = denied.code == usageError;  // the key alone is too large
    refuse(session, m, denied.code, denied.text, forever ? StreamState::closed : StreamState::closedRecover);
    return true;
}

void ClientRequests::onLogin(Session& session, const Msg& m) {
    const std::uint32_t slot = session.streams.slotOf(m.streamId);
    if (slot == kNone) {
        if (session.streams.login != kNone) {
            const bool close = context_.options.closeSecondLogin;
            return refuse(session, m, close ? state_code::alreadyOpen : usageError,
                          "login request on stream " + std::to_string(m.streamId) +
                              " although the login is open on stream " +
                              std::to_string(streams_[session.streams.login].streamId),
                          close ? StreamState::closed : StreamState::closedRecover);
        }
        if (!context_.saysUser(m.key)) return refuse(session, m, usageError, "login request without a user name");
    }
    if (MsgKey first; slot != kNone && decodeKey(streams_[slot].key(), first).ok() && !rdm::sameUser(first, m.key))
        return refuse(session, m, usageError,
                      "login request on stream " + std::to_string(m.streamId) + ", which is the login of another user",
                      StreamState::closed);
    rdm::LoginAttributes attributes;  // what is wrong with them is for the application to judge
    const bool readable = rdm::decodeLogin(m.key, attributes).ok();
    if (slot == kNone && context_.options.handsOverProviders && readable && attributes.isProvider())
        return ends_.handOver(session, m.raw);
    session.servesDictionaries = readable && attributes.supportDictionaryDownload.value_or(0) != 0;
    if (slot != kNone) return handOver(session, m, slot, {});
    const ItemKey key = streams_.keyOf(m);
    if (keyTooLarge(session, m, key)) return;
    session.record.loginDue = TimePoint::max();  // the rest is the application's
    handOver(session, m, slot, key);
}

void ClientRequests::onDirectory(Session& session, const Msg& m) {
    if (!guard_.mayAsk(session))
        return refuse(session, m, usageError, "directory request refused: the login is not accepted (yet)");
    constexpr std::uint32_t needed = rdm::DirectoryFilter::info | rdm::DirectoryFilter::state;
    const std::uint32_t filter = m.key.has(KeyFlag::filter) ? m.key.filter : 0;
    if ((filter & needed) != needed && !context_.options.acceptDirectoryWithoutMinFilters)
        return refuse(session, m, usageError, "directory request refused: it must ask for the filters Info and State");
    std::uint32_t slot = session.streams.slotOf(m.streamId);
    if (slot == kNone && tooMany(session, m)) return;
    const ItemKey key = streams_.keyOf(m);
    if (keyTooLarge(session, m, key, slot != kNone ? streams_[slot].content.size() : 0)) return;
    if (context_.options.directoryByUser) {
        if (slot != kNone) streams_.changeKey(slot, key);
        return handOver(session, m, slot, key);
    }

    if (slot == kNone) {
        slot = streams_.open(session, m, key);
        streams_[slot].flags |= Stream::answeredHere;
    } else {
        ++context_.counters.reissues;
        streams_.changeKey(slot, key);
        if (m.has(RequestFlag::noRefresh)) return;
    }
    const std::uint64_t handle = streams_.handleOf(slot);
    directories_.answer(session, streams_[slot]);
    if (!m.has(RequestFlag::streaming) && streams_.find(handle) != nullptr) streams_.drop(slot);
}

void ClientRequests::onDictionary(Session& session, const Msg& m) {
    if (!guard_.mayAsk(session))
        return refuse(session, m, generalError, "dictionary request refused: the login is not accepted (yet)");
    std::uint32_t slot = session.streams.slotOf(m.streamId);
    if (slot == kNone && tooMany(session, m)) return;
    if (context_.options.dictionaryByUser) {
        // Where the handler has the items it has the services too, so the check is its own.
        if (!context_.options.itemsByHandler && m.key.has(KeyFlag::serviceId) &&
            directory_.find(m.key.serviceId) == nullptr)
            return refuse(session, m, generalError,
                          "dictionary request refused: service " + std::to_string(m.key.serviceId) + " is not known");
        const ItemKey key = streams_.keyOf(m);
        if (slot == kNone && keyTooLarge(session, m, key)) return;
        return handOver(session, m, slot, key);
    }
    const ServedDictionary* const wanted = dictionaries_.named(m);
    if (wanted == nullptr)
        return refuse(session, m, generalError,
                      "dictionary request " + textOf(m.key) + " refused: no dictionary of that name is provided");
    if (slot == kNone) {
        const ItemKey key = streams_.keyOf(m);
        if (keyTooLarge(session, m, key)) return;
        slot = streams_.open(session, m, key);
        streams_[slot].flags |= Stream::answeredHere;
    } else {
        ++context_.counters.reissues;
        if (m.has(RequestFlag::noRefresh)) return;
    }
    const std::uint64_t handle = streams_.handleOf(slot);
    if (dictionaries_.ask(session, handle, *wanted, m.key)) outbox_.sendDictionary(session, handle);
}

std::string_view ClientRequests::serviceFault(const Session& session, const Msg& m, bool reissue) const noexcept {
    const ProviderOptions& o = context_.options;
    const rdm::Service* service = directory_.find(m.key.serviceId);
    if (service == nullptr) [[unlikely]]
        return "the directory has no such service";
    // A directory of the application's own is not looked into (session.md 5.3, rows 3 and 4).
    if (o.directoryByUser) return {};
    if (!reissue && !service->state.acceptingRequests() && !o.acceptWithoutAcceptingRequests) [[unlikely]]
        return "the service is not accepting requests";
    if (!o.acceptWithoutQosInRange && !qosOffered(session, *service, m)) [[unlikely]]
        return "the service does not offer this QoS";
    return {};
}

void ClientRequests::onItem(Session& session, const Msg& m) {
    // A batch is divided here unless the application has said that it takes batches whole.
    if (m.has(RequestFlag::batch) && session.batches != Session::Batches::whole) return onBatch(session, m);
    std::uint32_t slot = session.streams.slotOf(m.streamId);
    if (slot != kNone && streams_[slot].is(Stream::over)) {  // an image was all that was asked for: this is a new one
        streams_.finish(slot);
        if (session.dead) return;
        slot = session.streams.slotOf(m.streamId);
    }
    const bool reissue = slot != kNone, named = m.key.has(KeyFlag::serviceId);
    const auto refused = [&](std::string_view why) {
        refuse(session, m, usageError, ("item request " + textOf(m.key) + " refused: ").append(why));
    };
    if (!guard_.mayAsk(session)) [[unlikely]]
        return refused("the login is not accepted (yet)");
    if (named)
        if (const std::string_view fault = serviceFault(session, m, reissue); !fault.empty()) [[unlikely]]
            return refused(fault);
    if (reissue) {
        Stream& s = streams_[slot];
        if (named) {
            if (s.is(Stream::hasService) && s.serviceId != m.key.serviceId && !context_.options.acceptServiceChange)
                [[unlikely]]
                return refuse(session, m, usageError,
                              "reissue " + textOf(m.key) + " refused: the stream was opened for service " +
                                  std::to_string(s.serviceId));
            s.serviceId = m.key.serviceId;
            s.flags |= Stream::hasService;
        }
        // A reissue can only turn streaming on: a stream does not become a snapshot.
        if (m.has(RequestFlag::streaming)) s.flags |= Stream::streaming;
        s.flags &= static_cast<std::uint8_t>(~Stream::keyInUpdates);
        if (m.has(RequestFlag::msgKeyInUpdates)) s.flags |= Stream::keyInUpdates;
        return handOver(session, m, slot, {});
    }
    if (tooMany(session, m)) return;
    const ItemKey key = streams_.keyOf(m);
    if (keyTooLarge(session, m, key)) return;
    if (!context_.options.acceptSameKeyOnOtherStream && !m.has(RequestFlag::batch)) {
        std::uint32_t same = OpenStreams::sameItem(session, key);
        // A stream whose image has gone out is over; the new request takes its place.
        if (same != kNone && streams_[same].is(Stream::over)) {
            streams_.finish(same);
            return session.dead ? void() : onItem(session, m);
        }
        if (same != kNone) [[unlikely]]
            return refused("it is open on stream " + std::to_string(streams_[same].streamId) + " of the same client");
    }
    handOver(session, m, slot, key);
}

void ClientRequests::onBatch(Session& session, const Msg& m) {
    constexpr std::uint8_t kNoBatches = 23;  // UnableToRequestAsBatch (rdm.md 1.2)
    const auto refused = [&](std::string_view why, const std::string& what = {}) {
        refuse(session, m, kNoBatches,
               ("batch request " + (what.empty() ? textOf(m.key) : "of " + what) + " refused: ").append(why),
               StreamState::closed);
    };
    if (!guard_.mayAsk(session)) return refused("the login is not accepted (yet)");
    if (session.streams.slotOf(m.streamId) != kNone) return refused("the stream of a batch is a new one");
    Batch batch;
    if (const std::string why = batch.read(m); !why.empty()) return refused(why);
    const auto last = std::int64_t{m.streamId} + static_cast<std::int64_t>(batch.names().size());
    if (session.batches == Session::Batches::refused)
        return refused("this provider does not take batches (SupportBatchRequests of its login)", batch.describe());
    if (m.key.has(KeyFlag::name)) return refused("the key of a batch has no name");
    if (last > std::numeric_limits<std::int32_t>::max())
        return refused("its items would have stream ids beyond the highest there is", batch.describe());
    const ClientStreams& open = session.streams;
    const auto taken = [&](std::uint32_t slot) {
        const std::int32_t id = streams_[slot].streamId;
        return id > m.streamId && id <= last;
    };
    if ((open.login != kNone && taken(open.login)) || std::any_of(open.admin.begin(), open.admin.end(), taken))
        return refused("its items would have the stream id of the login, a directory or a dictionary",
                       batch.describe());

    batchDone(session, m, batch.size());
    std::int32_t streamId = m.streamId;
    for (const Bytes name : batch.names()) {
        ++streamId;
        if (session.dead || !guard_.mayAsk(session)) return;
        const Msg item = batch.itemOf(m, streamId, name);
        if (session.streams.slotOf(streamId) == kNone) onItem(session, item);
        else
            refuse(session, item, usageError, "item request " + textOf(item.key) + " refused: its stream id is in use");
        // As between two messages: who submits meanwhile does not wait for 10,000 items.
        if (SessionLock& lock = context_.reactor.lock(); lock.wanted()) [[unlikely]]
            lock.giveWay();
    }
    for (const std::int32_t stream : batch.streams()) {
        if (session.dead || !guard_.mayAsk(session)) return;
        const std::uint32_t slot = session.streams.slotOf(stream);
        if (slot == kNone || !streams_[slot].isItem()) {
            ++context_.counters.ignored;
            continue;
        }
        onItem(session, batch.itemOf(m, stream, {}));
    }
}

void ClientRequests::batchDone(Session& session, const Msg& m, std::size_t items) {
    Msg done;
    done.cls = MsgClass::Status;
    done.domain = m.domain;
    done.streamId = m.streamId;
    done.flags = StatusFlag::state;
    const std::string text = "Processed " + std::to_string(items) + " items of the batch.";
    done.state = {StreamState::closed, DataState::ok, 0, eta::asBytes(text)};
    outbox_.send(session, done);
}

void ClientRequests::onClose(Session& session, const Msg& m) {
    if (!m.has(CloseFlag::batch)) return void(close(session, m, m.streamId));
    Batch batch;
    if (!batch.read(m).empty()) return void(++context_.counters.ignored);
    bool any = false;
    for (const std::int32_t stream : batch.streams()) {
        if (session.dead) return;
        any = close(session, m, stream) || any;
    }
    if (!context_.options.itemsByHandler && guard_.mayAsk(session) && session.streams.slotOf(m.streamId) == kNone)
        batchDone(session, m, batch.streams().size());
    // The handler has the others.
    if (context_.options.itemsByHandler && any && !session.dead && batch.streams().size() > 1) tap(session, m);
}

bool ClientRequests::close(Session& session, const Msg& m, std::int32_t streamId) {
    const std::uint32_t slot = session.streams.slotOf(streamId);
    if (slot == kNone) return ++context_.counters.ignored, false;
    ++context_.counters.closes;
    if (slot == session.streams.login) return ends_.endLogin(session, Tell::now), true;
    const StreamEvent event = streams_.eventOf(slot);
    const Stream was = streams_.take(slot);
    if (m.has(CloseFlag::ack)) {
        Msg ack;
        ack.cls = MsgClass::Ack;
        ack.domain = was.domain;
        ack.streamId = streamId;
        ack.ackId = static_cast<std::uint32_t>(streamId);
        outbox_.send(session, ack);
    }
    if (!was.is(Stream::answeredHere)) tellClosed(context_.handler, event, was);
    return true;
}

void ClientRequests::onPostOrGeneric(Session& session, const Msg& m) {
    const std::uint32_t slot = session.streams.slotOf(m.streamId);
    if (slot == kNone || !guard_.mayAsk(session)) {
        ++context_.counters.ignored;
        return m.cls == MsgClass::Post && guard_.mayAsk(session) ? refusePost(session, m) : void();
    }
    const StreamEvent event = streams_.eventOf(slot);
    if (m.cls == MsgClass::Generic) {
        ++context_.counters.generics;
        return context_.handler.onGeneric(event, m);
    }
    ++context_.counters.posts;
    // EnforceAckIDValidation: an ack must answer a post that was received on this stream.
    if (context_.options.enforceAckIdValidation && m.has(PostFlag::postId))
        streams_.posts.note(event.handle, m.postId, session.streams.unackedPosts);
    context_.handler.onPost(event, m);
}

/// Its stream is not open, or no longer. A client that waits for an answer gets one.
void ClientRequests::refusePost(Session& session, const Msg& post) {
    constexpr std::uint8_t kNotOpen = 11;  // rdm.md 1.5
    if (!post.has(PostFlag::ack) || !post.has(PostFlag::postId)) return;
    Msg ack;
    ack.cls = MsgClass::Ack;
    ack.domain = post.domain;
    ack.streamId = post.streamId;
    ack.flags = AckFlag::nakCode | AckFlag::text;
    ack.ackId = post.postId;
    ack.nakCode = kNotOpen;
    ack.text = eta::asBytes("the stream is not open");
    if (post.hasSeqNum()) {
        ack.flags |= AckFlag::seqNum;
        ack.seqNum = post.seqNum;
    }
    if (post.hasKey()) {
        ack.flags |= AckFlag::msgKey;
        ack.key = post.key;
    }
    outbox_.send(session, ack);
}

void ClientRequests::refuse(Session& session, const Msg& m, std::uint8_t code, const std::string& text,
                            std::uint8_t streamState) {
    ++context_.counters.refused;
    context_.handler.onRefused(session.handle, text);
    const std::uint32_t slot = session.streams.slotOf(m.streamId);
    // The stream is noted before the status goes out: sending may end the client.
    const std::uint64_t open = slot != kNone ? streams_.handleOf(slot) : 0;

    Msg status;
    status.cls = MsgClass::Status;
    status.domain = m.domain;
    status.streamId = m.streamId;
    status.flags = StatusFlag::state;
    if (m.cls == MsgClass::Request && m.has(RequestFlag::privateStream)) status.flags |= StatusFlag::privateStream;
    status.state = {streamState, DataState::suspect, code, eta::asBytes(text)};
    if (m.cls == MsgClass::Request && m.has(RequestFlag::msgKeyInUpdates) && isItemDomain(m.domain) &&
        m.key.has(KeyFlag::name)) {
        status.flags |= StatusFlag::msgKey;
        status.key = m.key;
        status.key.flags &= KeyFlag::serviceId | KeyFlag::name | KeyFlag::nameType;
    }
    outbox_.send(session, status);

    if (!guard_.toleratesRefusal(session))
        return ends_.endClient(session, "too much of what it sent before its login was refused; at last: " + text,
                               Tell::now, farewell::overLimit);
    // A refused reissue ends the stream, and the application hears of it (session.md 5.3).
    if (open == 0 || streams_.find(open) == nullptr) return;
    if (slot == session.streams.login) return ends_.endLogin(session, Tell::now);
    const StreamEvent event{open, session.handle, session.context};
    const Stream was = streams_.take(slot);
    if (!was.is(Stream::answeredHere)) tellClosed(context_.handler, event, was);
}

}  // namespace emissary::reactor
