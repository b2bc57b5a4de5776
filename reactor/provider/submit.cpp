// What the application sends.
#include "provider/ProviderRoleImpl.h"
#include "reactor/rdm/stream_state.h"

namespace emissary::reactor {

using namespace eta::codec;

namespace {

[[nodiscard]] SubmitResult fault(SubmitFault f, Error e = {}) noexcept {
    SubmitResult r;
    r.fault = f;
    r.error = e;
    return r;
}

[[nodiscard]] SubmitResult outcome(Error e) noexcept {
    if (e.ok()) [[likely]]
        return {};
    if (e.code == Errc::noBuffers) return fault(SubmitFault::noBuffers, e);
    if (e.code == Errc::closed) return fault(SubmitFault::clientGone, e);
    return fault(SubmitFault::encoding, e);
}

[[nodiscard]] bool isFor(const Session* only, const Stream& s) noexcept {
    return only == nullptr || s.session == only;
}

}  // namespace

/// Everything that can be wrong with a message for this stream; fills in what the stream knows.
SubmitResult ProviderRole::Impl::check(const Stream& s, Msg& m) {
    m.streamId = s.streamId;
    const bool serviceNamed = m.hasKey() && m.key.has(KeyFlag::serviceId);
    switch (m.cls) {
    case MsgClass::Update:
        m.domain = s.domain;
        if (s.isItem()) {
            if (!s.is(Stream::refreshed) && options.refreshFirstRequired) return fault(SubmitFault::refreshFirst);
        } else if (s.domain != rdm::kDirectoryDomain) {
            return fault(SubmitFault::notAllowed);
        }
        break;
    case MsgClass::Refresh:
        m.domain = s.domain;
        if (s.is(Stream::isPrivate)) m.flags |= RefreshFlag::privateStream;
        if (s.domain == rdm::kDictionaryDomain && m.containerType != DataType::Series)
            return fault(SubmitFault::badDictionary);
        break;
    case MsgClass::Status:
        m.domain = s.domain;
        if (s.is(Stream::isPrivate)) m.flags |= StatusFlag::privateStream;
        break;
    case MsgClass::Generic:
        return s.domain == rdm::kDictionaryDomain ? fault(SubmitFault::notAllowed) : SubmitResult{};
    case MsgClass::Ack:
        if (s.is(Stream::isPrivate)) m.flags |= AckFlag::privateStream;
        if (options.enforceAckIdValidation) {
            const auto at = unacked.find(streams.handleOf(streams.slotOf(s)));
            if (at == unacked.end()) return fault(SubmitFault::unknownAck);
            const auto id = std::find(at->second.begin(), at->second.end(), m.ackId);
            if (id == at->second.end()) return fault(SubmitFault::unknownAck);
        }
        return {};
    case MsgClass::Request:
    case MsgClass::Close:
    case MsgClass::Post:
        return fault(SubmitFault::notAllowed);
    }
    if (s.domain == rdm::kDirectoryDomain && m.cls != MsgClass::Status) return takeDirectory(m, s.session);
    if (serviceNamed && s.domain != rdm::kLoginDomain && directory.find(m.key.serviceId) == nullptr)
        return fault(SubmitFault::unknownService);
    return {};
}

/// The message is on its way: what it says about the stream takes effect.
void ProviderRole::Impl::sent(std::uint32_t slot, const Msg& m) {
    Stream& s = streams[slot];
    switch (m.cls) {
    case MsgClass::Refresh:
        s.flags |= Stream::refreshed;
        if (s.isItem()) groups.put(s.group, m.groupId);
        break;
    case MsgClass::Status:
        if (s.isItem() && m.has(StatusFlag::groupId)) groups.put(s.group, m.groupId);
        break;
    case MsgClass::Ack:
        if (options.enforceAckIdValidation) {
            const auto at = unacked.find(streams.handleOf(slot));
            if (at == unacked.end()) return;
            const auto id = std::find(at->second.begin(), at->second.end(), m.ackId);
            if (id != at->second.end()) {
                at->second.erase(id);
                --s.session->unackedPosts;
            }
            if (at->second.empty()) unacked.erase(at);
        }
        return;
    default:
        return;
    }
    const bool ends = rdm::endsStream(m);
    if (s.domain == rdm::kLoginDomain) {
        Session& session = *s.session;
        if (ends) {
            dropStream(slot);
            endSession(session, "login closed by the application", Tell::nothing);
        } else if (m.cls == MsgClass::Refresh && m.state.stream == StreamState::open) {
            // Whatever the data state: an Open login with suspect data is a login (rdm.md 2.2).
            if (!std::exchange(session.loggedIn, true)) endStranger(session);
        }
        return;
    }
    if (ends) dropStream(slot);
}

SubmitResult ProviderRole::submit(std::uint64_t handle, Msg& m) {
    Impl& r = *impl_;
    Stream* s = r.streams.find(handle);
    if (s == nullptr) [[unlikely]]
        return fault(SubmitFault::unknownHandle);
    if (const SubmitResult checked = r.check(*s, m); !checked.ok()) [[unlikely]]
        return checked;
    const Error e = s->session->link->send(m);
    if (!e.ok()) [[unlikely]]
        return outcome(e);
    if (m.cls != MsgClass::Update) r.sent(r.streams.slotOf(*s), m);
    return {};
}

SubmitResult ProviderRole::prepare(std::uint64_t handle, std::uint64_t clientHandle, Msg& m) {
    Stream* s = impl_->streams.find(handle);
    if (s == nullptr || s->session->handle != clientHandle) return fault(SubmitFault::unknownHandle);
    return impl_->check(*s, m);
}

void ProviderRole::prepared(std::uint64_t handle, const Msg& m) {
    if (Stream* s = impl_->streams.find(handle); s != nullptr) impl_->sent(impl_->streams.slotOf(*s), m);
}

SubmitResult ProviderRole::submitPacked(std::uint64_t clientHandle, Bytes body, std::uint32_t messages) noexcept {
    Session* session = impl_->findSession(clientHandle);
    if (session == nullptr) return fault(SubmitFault::unknownHandle);
    return outcome(session->link->sendPacked(body, messages));
}

// --- fan-out ---------------------------------------------------------------------------------------------------------

SubmitResult ProviderRole::submitToAll(const Msg& m) {
    const bool refreshOrStatus = m.cls == MsgClass::Refresh || m.cls == MsgClass::Status;
    if (m.cls != MsgClass::Update && !refreshOrStatus) return fault(SubmitFault::unknownHandle);
    switch (m.domain) {
    case rdm::kLoginDomain:
        return refreshOrStatus ? impl_->fanOut(m) : fault(SubmitFault::notAllowed);
    case rdm::kDictionaryDomain:
        if (!refreshOrStatus) return fault(SubmitFault::notAllowed);
        if (m.cls == MsgClass::Refresh && m.containerType != DataType::Series) return fault(SubmitFault::badDictionary);
        return impl_->fanOut(m);
    case rdm::kDirectoryDomain:
        if (m.cls == MsgClass::Status) return impl_->fanOut(m);
        if (const SubmitResult taken = impl_->takeDirectory(m); !taken.ok()) return taken;
        return impl_->fanOutDirectory(m);
    default:
        return fault(SubmitFault::notAllowed);
    }
}

/// Services of the message are the provider's, whoever it is for; states of items are those clients' that it reaches.
SubmitResult ProviderRole::Impl::takeDirectory(const Msg& m, const Session* onlyFor) {
    if (m.containerType != DataType::Map) return fault(SubmitFault::badDirectory, {Errc::unsupportedType, 0});
    const bool replace = !options.directoryByUser && m.cls == MsgClass::Refresh && m.has(RefreshFlag::clearCache);
    statesOnlyFor = onlyFor;
    const Error e = directory.apply(m.payload, replace, this);
    statesOnlyFor = nullptr;
    return e.ok() ? SubmitResult{} : fault(SubmitFault::badDirectory, e);
}

/// One message to every stream of its domain; a dictionary message with a name only to requests of that name.
SubmitResult ProviderRole::Impl::fanOut(const Msg& m) {
    SubmitResult result;
    Msg copy = m;
    if (copy.cls == MsgClass::Refresh) copy.flags &= static_cast<std::uint16_t>(~RefreshFlag::solicited);
    const std::uint16_t flags = copy.flags;
    const auto deliver = [&](std::uint32_t slot) {
        const Stream& s = streams[slot];
        copy.streamId = s.streamId;
        copy.flags = flags;
        if (s.is(Stream::isPrivate))
            copy.flags |= copy.cls == MsgClass::Refresh ? RefreshFlag::privateStream : StatusFlag::privateStream;
        const Error e = s.session->link->send(copy);
        if (!e.ok()) {
            ++result.failed;
            if (result.ok()) {
                result.fault = outcome(e).fault;
                result.error = e;
            }
            return;
        }
        ++result.sent;
        sent(slot, copy);
    };
    const bool named = m.domain == rdm::kDictionaryDomain && m.hasKey() && m.key.has(KeyFlag::name);
    for (std::size_t i = 0; i < sessions.size(); ++i) {
        Session* session = sessions[i].session.get();
        if (session == nullptr || !session->up) continue;
        if (m.domain == rdm::kLoginDomain) {
            if (session->loginSlot != StreamTable::kNone) deliver(session->loginSlot);
            continue;
        }
        const std::vector<std::uint32_t> slots = session->adminSlots;  // a final state takes streams off the list
        for (const std::uint32_t slot : slots) {
            if (streams[slot].domain != m.domain) continue;
            if (named) {
                MsgKey key;
                (void)decodeKey(streams[slot].key(), key);
                if (eta::asText(key.name) != eta::asText(m.key.name)) continue;
            }
            deliver(slot);
        }
    }
    return result;
}

SubmitResult ProviderRole::Impl::fanOutDirectory(const Msg& m) {
    SubmitResult result;
    Msg copy = m;
    if (copy.cls == MsgClass::Refresh) copy.flags &= static_cast<std::uint16_t>(~RefreshFlag::solicited);
    const std::uint16_t flags = copy.flags;
    for (std::size_t i = 0; i < sessions.size(); ++i) {
        Session* session = sessions[i].session.get();
        if (session == nullptr || !session->up) continue;
        const std::vector<std::uint32_t> slots = session->adminSlots;
        for (const std::uint32_t slot : slots) {
            const Stream& s = streams[slot];
            if (s.domain != rdm::kDirectoryDomain) continue;
            MsgKey key;
            (void)decodeKey(s.key(), key);
            rdm::DirectorySelection want;
            if (key.has(KeyFlag::filter)) want.filters = key.filter;
            if (key.has(KeyFlag::serviceId)) want.serviceId = key.serviceId;
            std::uint32_t present = 0, entries = 0;
            if (const Error e = rdm::Directory::copySelected(payloadScratch.start(), m.payload, want, present, entries);
                !e.ok())
                return fault(SubmitFault::badDirectory, e);
            if (m.cls == MsgClass::Update && entries == 0) continue;
            copy.payload = payloadScratch.view();
            copy.streamId = s.streamId;
            copy.flags = flags;
            if (copy.cls == MsgClass::Refresh) {
                copy.flags |= RefreshFlag::msgKey;
                if (s.is(Stream::isPrivate)) copy.flags |= RefreshFlag::privateStream;
            }
            if (copy.hasKey()) {
                if (!m.hasKey()) copy.key = {};
                copy.key.flags |= KeyFlag::filter;
                copy.key.filter = present;
                if (want.serviceId) {
                    copy.key.flags |= KeyFlag::serviceId;
                    copy.key.serviceId = *want.serviceId;
                }
            }
            const Error e = s.session->link->send(copy);
            if (!e.ok()) {
                ++result.failed;
                if (result.ok()) {
                    result.fault = outcome(e).fault;
                    result.error = e;
                }
                continue;
            }
            ++result.sent;
            sent(slot, copy);
        }
    }
    return result;
}

// --- what a directory message means for open items -------------------------------------------------------------------

template <class Affected>
void ProviderRole::Impl::dropItems(Affected affected) {
    streams.forEach([&](const Stream& s) {
        if (s.isItem() && affected(s)) dropStream(s.slot);
    });
}

void ProviderRole::Impl::onServiceDeleted(const rdm::Service& service) {
    if (!ownRequests.empty()) endOwnRequestsOf(service);
    dropItems([&](const Stream& s) { return s.is(Stream::hasService) && s.serviceId == service.id; });
}

void ProviderRole::Impl::onServiceStatus(const rdm::Service& service, const State& state) {
    if (!state.isFinal()) return;
    dropItems([&](const Stream& s) {
        return s.is(Stream::hasService) && s.serviceId == service.id && isFor(statesOnlyFor, s);
    });
}

void ProviderRole::Impl::onGroupMerged(const rdm::Service& service, Bytes group, Bytes into) {
    const auto from = groups.find(group);
    streams.forEach([&](Stream& s) {
        if (s.isItem() && s.serviceId == service.id && rdm::ItemGroups::same(s.group, from) && isFor(statesOnlyFor, s))
            groups.put(s.group, into);
    });
}

void ProviderRole::Impl::onGroupStatus(const rdm::Service& service, Bytes group, const State& state) {
    if (!state.isFinal()) return;
    const auto id = groups.find(group);
    dropItems([&](const Stream& s) {
        return s.is(Stream::hasService) && s.serviceId == service.id && rdm::ItemGroups::same(s.group, id) &&
               isFor(statesOnlyFor, s);
    });
}

}  // namespace emissary::reactor
