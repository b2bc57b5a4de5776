// What clients send: checks of session.md 5.3 in their order, then the handler or an answer of our own.
#include "provider/ProviderRoleImpl.h"
#include "reactor/rdm/Login.h"

namespace emissary::reactor {

using namespace eta::codec;

namespace {

constexpr std::size_t kMaxAdminStreams = 1000;     // per client; more than a sane client ever opens
constexpr std::size_t kMaxUnackedPosts = 100'000;  // per client; beyond them a stream's oldest are forgotten

/// "'TRI.N' (service 1)"
[[nodiscard]] std::string textOf(const MsgKey& key) {
    std::string text;
    if (key.has(KeyFlag::name)) text.append(1, '\'').append(eta::asText(key.name)).append(1, '\'');
    if (key.has(KeyFlag::serviceId))
        text.append(text.empty() ? "service " : " of service ").append(std::to_string(key.serviceId));
    return text.empty() ? "without a key" : text;
}

[[nodiscard]] bool qosOffered(const Session& session, const rdm::Service& service, const Msg& m) noexcept {
    if (!m.has(RequestFlag::qos)) return true;
    // A JSON client that names no QoS has not asked for a range either.
    if (rdm::equal(m.worstQos, eta::json::kWorstOfAnyQos) && rdm::equal(m.qos, eta::json::kAnyQos) &&
        session.link->info().protocolType == eta::transport::kProtocolJson)
        return true;
    const bool range = m.has(RequestFlag::worstQos) && !rdm::equal(m.qos, m.worstQos);
    if (range && !service.info.supportsQosRange()) return false;
    return rdm::chooseQos(service.info.qos, &m.qos, range ? &m.worstQos : nullptr) != nullptr;
}

}  // namespace

void ProviderRole::Impl::onMessage(Session& session, Bytes bytes) {
    Msg& m = inbound;
    if (const Error e = decodeMsg(bytes, m); !e.ok()) {
        ++counters.malformed;
        endSession(session,
                   std::string("message cannot be decoded: ") + eta::describe(e.code) + " at byte " +
                       std::to_string(e.offset),
                   Tell::now);
        return;
    }
    switch (m.cls) {
    case MsgClass::Request:
        onRequest(session, m);
        break;
    case MsgClass::Close:
        onClose(session, m);
        break;
    case MsgClass::Generic:
        if (m.streamId < 0 && onAnswer(session, m)) break;
        [[fallthrough]];
    case MsgClass::Post:
        onPostOrGeneric(session, m);
        break;
    case MsgClass::Refresh:
    case MsgClass::Status:
        if (m.streamId < 0 && onAnswer(session, m)) break;
        [[fallthrough]];
    case MsgClass::Update:
    case MsgClass::Ack:
        if (session.slotOf(m.streamId) != StreamTable::kNone) ++counters.ignored;
        else
            refuse(session, m, kUsageError,
                   std::string("unexpected ") + name(m.cls) + " message on stream " + std::to_string(m.streamId) +
                       ", which is not open");
        break;
    }
}

void ProviderRole::Impl::onRequest(Session& session, const Msg& m) {
    if (m.streamId <= 0)
        return refuse(session, m, kUsageError,
                      "request on stream " + std::to_string(m.streamId) + ": stream ids of requests are positive");
    if (const std::uint32_t slot = session.slotOf(m.streamId);
        slot != StreamTable::kNone && streams[slot].domain != m.domain)
        return refuse(session, m, kUsageError,
                      "request on domain " + std::to_string(m.domain) + " for stream " + std::to_string(m.streamId) +
                          ", which is open on domain " + std::to_string(streams[slot].domain));
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

/// Opens the stream, or finds it open already, and tells the application.
void ProviderRole::Impl::handOver(Session& session, const Msg& m, std::uint32_t slot, const ItemKey& key) {
    if (slot != StreamTable::kNone) {
        ++counters.reissues;
        handler.onReissue({streams.handleOf(slot), session.handle}, m);
        return;
    }
    slot = openStream(session, m, key);
    handler.onRequest({streams.handleOf(slot), session.handle}, m);
}

bool ProviderRole::Impl::tooMany(Session& session, const Msg& m) {
    const bool item = m.domain != rdm::kDirectoryDomain && m.domain != rdm::kDictionaryDomain;
    if (item ? options.limits.streams == 0 || session.byStreamId.size() < options.limits.streams
             : session.adminSlots.size() < kMaxAdminStreams)
        return false;
    refuse(session, m, kTooManyItems, "this client has too many open streams");
    return true;
}

void ProviderRole::Impl::onLogin(Session& session, const Msg& m) {
    const std::uint32_t slot = session.slotOf(m.streamId);
    if (slot == StreamTable::kNone) {
        if (session.loginSlot != StreamTable::kNone)
            return refuse(session, m, kUsageError,
                          "login request on stream " + std::to_string(m.streamId) +
                              " although the login is open on stream " +
                              std::to_string(streams[session.loginSlot].streamId));
        if (!m.key.has(KeyFlag::name) && !(m.key.has(KeyFlag::nameType) && m.key.nameType == 5))
            return refuse(session, m, kUsageError, "login request without a user name");
    }
    rdm::LoginAttributes attributes;  // what is wrong with them is for the application to judge
    session.servesDictionaries =
        rdm::decodeLogin(m.key, attributes).ok() && attributes.supportDictionaryDownload.value_or(0) != 0;
    if (slot != StreamTable::kNone) return handOver(session, m, slot, {});
    const ItemKey key = itemKey(m);
    if (keyTooLarge(session, m, key)) return;
    session.loginDue = TimePoint::max();  // the rest is the application's
    handOver(session, m, slot, key);
}

void ProviderRole::Impl::onDirectory(Session& session, const Msg& m) {
    if (!session.loggedIn && !options.acceptWithoutLogin)
        return refuse(session, m, kUsageError, "directory request refused: the login is not accepted (yet)");
    constexpr std::uint32_t needed = rdm::DirectoryFilter::info | rdm::DirectoryFilter::state;
    const std::uint32_t filter = m.key.has(KeyFlag::filter) ? m.key.filter : 0;
    if ((filter & needed) != needed && !options.acceptDirectoryWithoutMinFilters)
        return refuse(session, m, kUsageError, "directory request refused: it must ask for the filters Info and State");
    std::uint32_t slot = session.slotOf(m.streamId);
    if (slot == StreamTable::kNone && tooMany(session, m)) return;
    const ItemKey key = itemKey(m);
    if (keyTooLarge(session, m, key, slot != StreamTable::kNone ? streams[slot].keySize : 0)) return;
    if (options.directoryByUser) return handOver(session, m, slot, key);

    if (slot == StreamTable::kNone) {
        slot = openStream(session, m, key);
        streams[slot].flags |= Stream::answeredHere;
    } else {
        ++counters.reissues;
        Stream& s = streams[slot];
        s.keyBytes = std::make_unique_for_overwrite<std::byte[]>(key.content.size());
        session.keyBytes += key.content.size() - s.keySize;
        s.keySize = static_cast<std::uint16_t>(key.content.size());
        std::copy(key.content.begin(), key.content.end(), s.keyBytes.get());
        if (m.has(RequestFlag::noRefresh)) return;
    }
    const std::uint64_t handle = streams.handleOf(slot);
    answerDirectory(session, streams[slot], true);
    if (!m.has(RequestFlag::streaming) && streams.find(handle) != nullptr) dropStream(slot);
}

void ProviderRole::Impl::onDictionary(Session& session, const Msg& m) {
    if (!session.loggedIn && !options.acceptWithoutLogin)
        return refuse(session, m, kGeneralError, "dictionary request refused: the login is not accepted (yet)");
    std::uint32_t slot = session.slotOf(m.streamId);
    if (slot == StreamTable::kNone && tooMany(session, m)) return;
    if (options.dictionaryByUser) {
        if (m.key.has(KeyFlag::serviceId) && directory.find(m.key.serviceId) == nullptr)
            return refuse(session, m, kGeneralError,
                          "dictionary request refused: service " + std::to_string(m.key.serviceId) + " is not known");
        const ItemKey key = itemKey(m);
        if (slot == StreamTable::kNone && keyTooLarge(session, m, key)) return;
        return handOver(session, m, slot, key);
    }
    const ServedDictionary* wanted = nullptr;
    for (const ServedDictionary& d : options.dictionaries) {
        if (m.key.has(KeyFlag::name) && eta::asText(m.key.name) == d.name) wanted = &d;
    }
    if (wanted == nullptr)
        return refuse(session, m, kGeneralError,
                      "dictionary request " + textOf(m.key) + " refused: no dictionary of that name is provided");
    if (slot == StreamTable::kNone) {
        const ItemKey key = itemKey(m);
        if (keyTooLarge(session, m, key)) return;
        slot = openStream(session, m, key);
        streams[slot].flags |= Stream::answeredHere;
    } else {
        ++counters.reissues;
        if (m.has(RequestFlag::noRefresh)) return;
    }
    const std::uint32_t verbosity = m.key.has(KeyFlag::filter) ? m.key.filter & eta::dictionary::Verbosity::verbose
                                                               : eta::dictionary::Verbosity::normal;
    const std::uint64_t handle = streams.handleOf(slot);
    const auto [at, fresh] = session.dictionaryJobs.try_emplace(handle);
    DictionaryJob& job = at->second;
    if (!job.first) {  // some of it has left: what goes out now is completed first
        job.nextDictionary = wanted;
        job.nextVerbosity = verbosity;
        return;
    }
    job.dictionary = wanted;
    job.verbosity = verbosity;
    if (!fresh) return;
    queue(session, {{}, handle});
    if (!session.dead && session.outboxTimer == 0) pump(session);
}

void ProviderRole::Impl::onItem(Session& session, const Msg& m) {
    const std::uint32_t slot = session.slotOf(m.streamId);
    const bool reissue = slot != StreamTable::kNone;
    if (!session.loggedIn && !options.acceptWithoutLogin) [[unlikely]]
        return refuse(session, m, kUsageError,
                      "item request " + textOf(m.key) + " refused: the login is not accepted (yet)");
    const bool named = m.key.has(KeyFlag::serviceId);
    if (named) {
        const rdm::Service* service = directory.find(m.key.serviceId);
        if (service == nullptr) [[unlikely]]
            return refuse(session, m, kUsageError,
                          "item request " + textOf(m.key) + " refused: the directory has no such service");
        if (!options.directoryByUser) {
            if (!reissue && !service->state.acceptingRequests() && !options.acceptWithoutAcceptingRequests) [[unlikely]]
                return refuse(session, m, kUsageError,
                              "item request " + textOf(m.key) + " refused: the service is not accepting requests");
            if (!options.acceptWithoutQosInRange && !qosOffered(session, *service, m)) [[unlikely]]
                return refuse(session, m, kUsageError,
                              "item request " + textOf(m.key) + " refused: the service does not offer this QoS");
        }
    }
    if (reissue) {
        Stream& s = streams[slot];
        if (named) {
            if (s.is(Stream::hasService) && s.serviceId != m.key.serviceId && !options.acceptServiceChange) [[unlikely]]
                return refuse(session, m, kUsageError,
                              "reissue " + textOf(m.key) + " refused: the stream was opened for service " +
                                  std::to_string(s.serviceId));
            s.serviceId = m.key.serviceId;
            s.flags |= Stream::hasService;
        }
        if (m.has(RequestFlag::streaming)) s.flags |= Stream::streaming;
        return handOver(session, m, slot, {});
    }
    if (tooMany(session, m)) return;
    const ItemKey key = itemKey(m);
    if (keyTooLarge(session, m, key)) return;
    if (!options.acceptSameKeyOnOtherStream && !m.has(RequestFlag::batch)) {
        if (const auto same = session.byKey.find(key); same != session.byKey.end()) [[unlikely]]
            return refuse(session, m, kUsageError,
                          "item request " + textOf(m.key) + " refused: it is open on stream " +
                              std::to_string(streams[*same].streamId) + " of the same client");
    }
    handOver(session, m, slot, key);
}

void ProviderRole::Impl::onClose(Session& session, const Msg& m) {
    const std::uint32_t slot = session.slotOf(m.streamId);
    if (slot == StreamTable::kNone) {
        ++counters.ignored;
        return;
    }
    ++counters.closes;
    if (slot == session.loginSlot) return endStreams(session, Tell::now);
    const StreamEvent event{streams.handleOf(slot), session.handle};
    Stream was = std::move(streams[slot]);
    streams[slot].keyBytes = nullptr;
    dropStream(slot);
    if (!was.is(Stream::answeredHere)) tellClosed(event, was.domain, was.key(), was.flags, was.streamId);
}

void ProviderRole::Impl::onPostOrGeneric(Session& session, const Msg& m) {
    const std::uint32_t slot = session.slotOf(m.streamId);
    if (slot == StreamTable::kNone || (!session.loggedIn && !options.acceptWithoutLogin)) {
        ++counters.ignored;
        return;
    }
    const StreamEvent event{streams.handleOf(slot), session.handle};
    if (m.cls == MsgClass::Generic) {
        ++counters.generics;
        handler.onGeneric(event, m);
        return;
    }
    ++counters.posts;
    if (options.enforceAckIdValidation && m.has(PostFlag::postId)) {
        std::deque<std::uint32_t>& ids = unacked[event.handle];
        ids.push_back(m.postId);
        if (session.unackedPosts < kMaxUnackedPosts) ++session.unackedPosts;
        else ids.pop_front();
        if (ids.empty()) unacked.erase(event.handle);
    }
    handler.onPost(event, m);
}

/// Status ClosedRecover/Suspect without a key; an open stream ends with it.
void ProviderRole::Impl::refuse(Session& session, const Msg& m, std::uint8_t code, const std::string& text) {
    ++counters.refused;
    handler.onRefused(session.handle, text);
    const std::uint32_t slot = session.slotOf(m.streamId);
    const std::uint64_t open = slot != StreamTable::kNone ? streams.handleOf(slot) : 0;

    Msg status;
    status.cls = MsgClass::Status;
    status.domain = m.domain;
    status.streamId = m.streamId;
    status.flags = StatusFlag::state;
    if (m.cls == MsgClass::Request && m.has(RequestFlag::privateStream)) status.flags |= StatusFlag::privateStream;
    status.state = {StreamState::closedRecover, DataState::suspect, code, eta::asBytes(text)};
    send(session, status);

    if (!session.loggedIn && !options.acceptWithoutLogin && options.limits.refusalsBeforeLogin != 0 &&
        ++session.refusals > options.limits.refusalsBeforeLogin) {
        if (!session.dead) ++counters.refusalLimits;
        return endSession(session, "too much of what it sent before its login was refused; at last: " + text,
                          Tell::now);
    }
    if (open == 0 || streams.find(open) == nullptr) return;
    if (slot == session.loginSlot) return endStreams(session, Tell::now);
    Stream was = std::move(streams[slot]);
    dropStream(slot);
    if (!was.is(Stream::answeredHere))
        tellClosed({open, session.handle}, was.domain, was.key(), was.flags, was.streamId);
}

void ProviderRole::Impl::tellClosed(const StreamEvent& event, std::uint8_t domain, Bytes key, std::uint8_t streamFlags,
                                    std::int32_t streamId) {
    Msg m;
    m.cls = MsgClass::Request;
    m.domain = domain;
    m.streamId = streamId;
    m.flags = RequestFlag::noRefresh;
    if ((streamFlags & Stream::isPrivate) != 0) m.flags |= RequestFlag::privateStream;
    if (const Error e = decodeKey(key, m.key); !e.ok()) m.key = {};
    handler.onClose(event, m);
}

}  // namespace emissary::reactor
