// Requests of the provider to its clients: dictionaries that a client offers (session.md 5.5).
#include "provider/ProviderRoleImpl.h"

namespace emissary::reactor {

using namespace eta::codec;

namespace {

constexpr std::uint8_t kTimeout = 2, kSourceUnknown = 15;

/// Both decoded from bytes that we encoded.
[[nodiscard]] Msg requestOf(Bytes message) noexcept {
    Msg m;
    if (const Error e = decodeMsg(message, m); !e.ok()) m = {};
    return m;
}

[[nodiscard]] bool namesDictionary(const Msg& m) noexcept {
    return m.domain == rdm::kDictionaryDomain && m.key.has(KeyFlag::name) &&
           (!m.key.has(KeyFlag::nameType) || m.key.nameType <= 1) && !m.has(RequestFlag::batch);
}

}  // namespace

Session* ProviderRole::Impl::sessionForRequest() noexcept {
    Session* first = nullptr;
    for (const SessionSlot& slot : sessions) {
        Session* s = slot.session.get();
        if (s == nullptr || !s->up || !s->loggedIn) continue;
        if (s->servesDictionaries) return s;
        if (first == nullptr) first = s;
    }
    return first;
}

SubmitResult ProviderRole::Impl::sendRequest(Session& session, OwnRequest& own, const Msg& request) {
    Msg m = request;
    m.streamId = own.streamId;
    m.flags &= static_cast<std::uint16_t>(~(RequestFlag::pause | RequestFlag::msgKeyInUpdates));
    if (own.serviceId) {
        m.key.flags |= KeyFlag::serviceId;
        m.key.serviceId = *own.serviceId;
    }
    SubmitResult result;
    if (const Error e = encodeMsg(messageScratch.start(), m); !e.ok()) {
        result.fault = SubmitFault::encoding;
        result.error = e;
        return result;
    }
    const Bytes bytes = messageScratch.view();
    if (const Error e = session.link->send(bytes); !e.ok()) {
        result.fault = e.code == Errc::noBuffers ? SubmitFault::noBuffers : SubmitFault::clientGone;
        result.error = e;
        return result;
    }
    own.message.assign(bytes.begin(), bytes.end());
    if (!m.has(RequestFlag::noRefresh)) restartTimer(own);
    return result;
}

void ProviderRole::Impl::restartTimer(OwnRequest& own) {
    reactor.cancelTimer(own.timer);
    own.timer = 0;
    if (options.requestTimeout.count() == 0) return;
    own.timer = reactor.startTimer(options.requestTimeout, [this, handle = own.handle] {
        const auto at = ownRequests.find(handle);
        if (at == ownRequests.end()) return;
        at->second.timer = 0;
        ++counters.askTimeouts;
        closeOwnStream(at->second);
        endOwnRequest(handle, StreamState::closed, kTimeout,
                      "the client did not answer the dictionary request in time");
    });
}

void ProviderRole::Impl::closeOwnStream(const OwnRequest& own) {
    Session* session = findSession(own.clientHandle);
    if (session == nullptr) return;
    Msg close;
    close.cls = MsgClass::Close;
    close.domain = rdm::kDictionaryDomain;
    close.streamId = own.streamId;
    send(*session, close);
}

bool ProviderRole::Impl::onAnswer(Session& session, const Msg& m) {
    const auto at = std::find_if(ownRequests.begin(), ownRequests.end(), [&](const auto& entry) {
        return entry.second.clientHandle == session.handle && entry.second.streamId == m.streamId;
    });
    if (at == ownRequests.end()) return false;
    OwnRequest& own = at->second;
    const StreamEvent event{own.handle, own.clientHandle};
    if (m.cls == MsgClass::Generic) {
        ++counters.generics;
        handler.onAnswer(event, m, false);
        return true;
    }
    const bool complete = m.cls == MsgClass::Refresh && m.has(RefreshFlag::complete);
    Msg shown = m;
    if (complete && !own.streaming && !m.state.isFinal() && m.state.stream != StreamState::nonStreaming) {
        shown.state.stream = StreamState::nonStreaming;  // a snapshot ends here, whatever the client thinks
        closeOwnStream(own);
    }
    const bool last =
        shown.hasState() && (shown.state.isFinal() || (complete && shown.state.stream == StreamState::nonStreaming));
    if (last || complete) {
        reactor.cancelTimer(own.timer);
        own.timer = 0;
    } else if (m.cls == MsgClass::Refresh && own.timer != 0) {
        restartTimer(own);
    }
    if (last) ownRequests.erase(at);
    handler.onAnswer(event, shown, last);
    return true;
}

void ProviderRole::Impl::endOwnRequest(std::uint64_t handle, std::uint8_t streamState, std::uint8_t code,
                                       std::string_view text) {
    const auto at = ownRequests.find(handle);
    if (at == ownRequests.end()) return;
    const OwnRequest own = std::move(at->second);
    ownRequests.erase(at);
    reactor.cancelTimer(own.timer);
    Msg status;
    status.cls = MsgClass::Status;
    status.domain = rdm::kDictionaryDomain;
    status.streamId = own.streamId;
    status.flags = StatusFlag::state | StatusFlag::msgKey;
    status.key = requestOf(own.message).key;
    status.state = {streamState, DataState::suspect, code, eta::asBytes(text)};
    handler.onAnswer({own.handle, own.clientHandle}, status, true);
}

template <class Affected>
void ProviderRole::Impl::endOwnRequests(Affected affected, When when, std::string_view text) {
    std::vector<std::uint64_t> handles;
    for (const auto& [handle, own] : ownRequests)
        if (affected(own)) handles.push_back(handle);
    if (handles.empty()) return;
    const auto end = [this, text](const std::vector<std::uint64_t>& which) {
        for (const std::uint64_t handle : which)
            endOwnRequest(handle, StreamState::closedRecover, 0, text);
    };
    if (when == When::now) return end(handles);
    reactor.post([weak = std::weak_ptr<Impl*>(self), handles = std::move(handles), end] {
        const auto role = weak.lock();
        if (role && *role != nullptr) end(handles);
    });
}

void ProviderRole::Impl::endOwnRequestsOf(const Session& session, When when, std::string_view text) {
    endOwnRequests([&](const OwnRequest& own) { return own.clientHandle == session.handle; }, when, text);
}

void ProviderRole::Impl::endOwnRequestsOf(const rdm::Service& service) {
    const auto affected = [&](const OwnRequest& own) { return own.serviceId == service.id; };
    for (const auto& [handle, own] : ownRequests)
        if (affected(own)) closeOwnStream(own);
    endOwnRequests(affected, When::later, "the service of the dictionary request was deleted");
}

// --- ProviderRole ----------------------------------------------------------------------------------------------------

ProviderRole::Asked ProviderRole::request(const Msg& request) {
    Impl& r = *impl_;
    Asked asked;
    if (!namesDictionary(request)) {
        asked.fault = SubmitFault::badRequest;
        return asked;
    }
    Session* session = r.sessionForRequest();
    if (session == nullptr) {
        asked.fault = SubmitFault::noClient;
        return asked;
    }
    if (++r.lastOwnRequest == 0) ++r.lastOwnRequest;
    Impl::OwnRequest own;
    own.handle = r.lastOwnRequest;
    own.clientHandle = session->handle;
    own.streamId = --session->lastOwnStream;
    own.streaming = request.has(RequestFlag::streaming);
    if (request.key.has(KeyFlag::serviceId)) own.serviceId = request.key.serviceId;
    asked.handle = own.handle;
    if (own.serviceId && r.directory.find(*own.serviceId) == nullptr) {
        r.ownRequests.emplace(own.handle, std::move(own));
        r.reactor.post([weak = std::weak_ptr<Impl*>(r.self), handle = asked.handle] {
            const auto role = weak.lock();
            if (role && *role != nullptr)
                (*role)->endOwnRequest(handle, StreamState::closed, kSourceUnknown,
                                       "the source directory has no such service");
        });
        return asked;
    }
    if (const SubmitResult sent = r.sendRequest(*session, own, request); !sent.ok()) {
        r.reactor.cancelTimer(own.timer);
        return {sent.fault, sent.error, 0};
    }
    ++r.counters.asked;
    r.ownRequests.emplace(own.handle, std::move(own));
    return asked;
}

SubmitResult ProviderRole::reissue(std::uint64_t handle, const Msg& request) {
    Impl& r = *impl_;
    SubmitResult result;
    const auto at = r.ownRequests.find(handle);
    Session* session = at == r.ownRequests.end() ? nullptr : r.findSession(at->second.clientHandle);
    if (session == nullptr || at->second.message.empty()) {
        result.fault = SubmitFault::unknownHandle;
        return result;
    }
    Impl::OwnRequest& own = at->second;
    const Msg was = requestOf(own.message);
    Msg again = request;
    if (!again.key.has(KeyFlag::name)) {
        again.key.flags |= KeyFlag::name;
        again.key.name = was.key.name;
    }
    if (!again.key.has(KeyFlag::filter) && was.key.has(KeyFlag::filter)) {
        again.key.flags |= KeyFlag::filter;
        again.key.filter = was.key.filter;
    }
    const bool otherService = again.key.has(KeyFlag::serviceId) && own.serviceId != again.key.serviceId;
    if (!namesDictionary(again) || eta::asText(again.key.name) != eta::asText(was.key.name) || otherService ||
        again.has(RequestFlag::streaming) != own.streaming) {
        result.fault = SubmitFault::badRequest;
        return result;
    }
    return r.sendRequest(*session, own, again);
}

bool ProviderRole::cancel(std::uint64_t handle) {
    Impl& r = *impl_;
    const auto at = r.ownRequests.find(handle);
    if (at == r.ownRequests.end()) return false;
    if (!at->second.message.empty()) r.closeOwnStream(at->second);
    r.reactor.cancelTimer(at->second.timer);
    r.ownRequests.erase(at);
    return true;
}

}  // namespace emissary::reactor
