// Sends dictionary requests to a client, follows their answers and time limits, and ends them.
#include "provider/OwnRequests.h"

#include "reactor/handle_serial.h"

#include <algorithm>

namespace emissary::reactor {

using namespace eta::codec;

namespace {

constexpr std::int32_t kFirstBesideJson = -1'500'000'000;

/// Decoded from bytes that we encoded.
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

OwnRequests::~OwnRequests() {
    for (const auto& [handle, own] : requests_)
        context_.reactor.cancelTimer(own.timer);
}

/// One that said it serves dictionaries, else the one that came first.
Session* OwnRequests::clientToAsk() noexcept {
    Session *serves = nullptr, *first = nullptr;
    clients_.forEachUp([&](Session& s) {
        if (!s.loggedIn) return;
        if (serves == nullptr && s.servesDictionaries) serves = &s;
        if (first == nullptr) first = &s;
    });
    return serves != nullptr ? serves : first;
}

/// A handle, and a closed status for it from the loop.
// A handle and an answer are made even for what is refused at once, so the caller needs no second way.
OwnRequests::Asked OwnRequests::refuse(const Msg& request, const std::string& why) {
    OwnRequest own;
    own.handle = nextHandleSerial();
    if (const Error e = encodeMsg(context_.message.start(), request); !e.ok()) return {SubmitFault::encoding, e, 0};
    own.message.assign(context_.message.view().begin(), context_.message.view().end());
    const std::uint64_t handle = own.handle;
    requests_.emplace(handle, std::move(own));
    context_.post([this, handle, why] { end(handle, StreamState::closed, state_code::sourceUnknown, why); });
    return {SubmitFault::none, {}, handle};
}

OwnRequests::Asked OwnRequests::request(const Msg& request) {
    if (!namesDictionary(request)) return {SubmitFault::badRequest, {}, 0};
    if (request.key.has(KeyFlag::serviceId) && directory_.find(request.key.serviceId) == nullptr)
        return refuse(request,
                      "The source directory has no service of id " + std::to_string(request.key.serviceId) + ".");
    Session* session = clientToAsk();
    if (session == nullptr) return {SubmitFault::noClient, {}, 0};
    OwnRequest own;
    own.handle = nextHandleSerial();
    own.clientHandle = session->handle;
    // JSON clients open streams of negative ids too.
    if (session->lastOwnStream == 0 && session->link->info().protocolType == eta::transport::kProtocolJson)
        session->lastOwnStream = kFirstBesideJson;
    own.streamId = --session->lastOwnStream;
    own.streaming = request.has(RequestFlag::streaming);
    if (request.key.has(KeyFlag::serviceId)) own.serviceId = request.key.serviceId;
    const std::uint64_t handle = own.handle;
    if (const SubmitResult sent = send(*session, own, request); !sent.ok()) {
        context_.reactor.cancelTimer(own.timer);
        return {sent.fault, sent.error, 0};
    }
    ++context_.counters.asked;
    requests_.emplace(handle, std::move(own));
    return {SubmitFault::none, {}, handle};
}

SubmitResult OwnRequests::reissue(std::uint64_t handle, const Msg& request) {
    const auto at = requests_.find(handle);
    // sent is false for a request that was refused at once: it has no stream to reissue on.
    Session* session = at == requests_.end() ? nullptr : clients_.find(at->second.clientHandle);
    if (session == nullptr || !at->second.sent) return {SubmitFault::unknownHandle, {}, 0, 0};
    OwnRequest& own = at->second;
    const Msg was = requestOf(own.message);
    Msg again = request;
    // An application that leaves the domain out gets MarketPrice, the default.
    if (again.domain == kMarketPriceDomain) again.domain = rdm::kDictionaryDomain;  // the message does not say
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
        again.has(RequestFlag::streaming) != own.streaming)
        return {SubmitFault::badRequest, {}, 0, 0};
    return send(*session, own, again);
}

bool OwnRequests::cancel(std::uint64_t handle) {
    const auto at = requests_.find(handle);
    if (at == requests_.end()) return false;
    if (at->second.sent) closeStream(at->second);
    context_.reactor.cancelTimer(at->second.timer);
    requests_.erase(at);
    return true;
}

SubmitResult OwnRequests::send(Session& session, OwnRequest& own, const Msg& request) {
    Msg m = request;
    m.streamId = own.streamId;
    m.flags &= static_cast<std::uint16_t>(~(RequestFlag::pause | RequestFlag::msgKeyInUpdates));
    if (own.serviceId) {
        m.key.flags |= KeyFlag::serviceId;
        m.key.serviceId = *own.serviceId;
    }
    if (const Error e = encodeMsg(context_.message.start(), m); !e.ok()) return {SubmitFault::encoding, e, 0, 0};
    const Bytes bytes = context_.message.view();
    if (const Error e = session.link->send(bytes); !e.ok())
        return {e.code == Errc::noBuffers ? SubmitFault::noBuffers : SubmitFault::clientGone, e, 0, 0};
    own.message.assign(bytes.begin(), bytes.end());
    own.sent = true;
    if (!m.has(RequestFlag::noRefresh)) restartTimer(own);
    return {};
}

void OwnRequests::restartTimer(OwnRequest& own) {
    context_.reactor.cancelTimer(own.timer);
    own.timer = 0;
    if (context_.options.requestTimeout.count() == 0) return;
    own.timer = context_.reactor.startTimer(context_.options.requestTimeout, [this, handle = own.handle] {
        const auto at = requests_.find(handle);
        if (at == requests_.end()) return;
        at->second.timer = 0;
        ++context_.counters.askTimeouts;
        closeStream(at->second);
        end(handle, StreamState::closed, state_code::timeout,
            "the client did not answer the dictionary request in time");
    });
}

void OwnRequests::closeStream(const OwnRequest& own) {
    Session* session = clients_.find(own.clientHandle);
    if (session == nullptr) return;
    Msg close;
    close.cls = MsgClass::Close;
    close.domain = rdm::kDictionaryDomain;
    close.streamId = own.streamId;
    outbox_.send(*session, close);
}

bool OwnRequests::has(const Session& session, std::int32_t streamId) const noexcept {
    return std::any_of(requests_.begin(), requests_.end(), [&](const auto& entry) {
        return entry.second.clientHandle == session.handle && entry.second.streamId == streamId;
    });
}

bool OwnRequests::onAnswer(Session& session, const Msg& m) {
    const auto at = std::find_if(requests_.begin(), requests_.end(), [&](const auto& entry) {
        return entry.second.clientHandle == session.handle && entry.second.streamId == m.streamId;
    });
    if (at == requests_.end()) return false;
    OwnRequest& own = at->second;
    const StreamEvent event{own.handle, own.clientHandle, session.context};
    if (m.cls == MsgClass::Generic) {
        ++context_.counters.generics;
        context_.handler.onAnswer(event, m, false);
        return true;
    }
    const bool complete = m.cls == MsgClass::Refresh && m.has(RefreshFlag::complete);
    Msg shown = m;
    // A snapshot ends for us with its complete answer, even if the client keeps it open.
    if (complete && !own.streaming && !m.state.isFinal() && m.state.stream != StreamState::nonStreaming) {
        shown.state.stream = StreamState::nonStreaming;  // a snapshot ends here, whatever the client thinks
        closeStream(own);
    }
    const bool last =
        shown.hasState() && (shown.state.isFinal() || (complete && shown.state.stream == StreamState::nonStreaming));
    if (last || complete) {
        context_.reactor.cancelTimer(own.timer);
        own.timer = 0;
        // A large dictionary comes in parts; each one restarts the time.
    } else if (m.cls == MsgClass::Refresh && own.timer != 0) {
        restartTimer(own);
    }
    if (last) requests_.erase(at);
    context_.handler.onAnswer(event, shown, last);
    return true;
}

void OwnRequests::end(std::uint64_t handle, std::uint8_t streamState, std::uint8_t code, std::string_view text) {
    const auto at = requests_.find(handle);
    if (at == requests_.end()) return;
    // Out of the table before the callback, which may ask again.
    const OwnRequest own = std::move(at->second);
    requests_.erase(at);
    context_.reactor.cancelTimer(own.timer);
    Msg status;
    status.cls = MsgClass::Status;
    status.domain = rdm::kDictionaryDomain;
    status.streamId = own.streamId;
    status.flags = StatusFlag::state | StatusFlag::msgKey;
    status.key = requestOf(own.message).key;
    status.state = {streamState, DataState::suspect, code, eta::asBytes(text)};
    const Session* const session = clients_.find(own.clientHandle);
    context_.handler.onAnswer({own.handle, own.clientHandle, session != nullptr ? session->context : nullptr}, status,
                              true);
}

template <class Affected>
void OwnRequests::endAll(Affected affected, Tell tell, std::string_view text) {
    std::vector<std::uint64_t> handles;
    for (const auto& [handle, own] : requests_)
        if (affected(own)) handles.push_back(handle);
    if (handles.empty()) return;
    const auto endThem = [this, text](const std::vector<std::uint64_t>& which) {
        for (const std::uint64_t handle : which)
            end(handle, StreamState::closedRecover, 0, text);
    };
    if (tell == Tell::now) return endThem(handles);
    context_.post([handles = std::move(handles), endThem] { endThem(handles); });
}

void OwnRequests::endAllOf(const Session& session, Tell tell, std::string_view text) {
    endAll([&](const OwnRequest& own) { return own.clientHandle == session.handle; }, tell, text);
}

void OwnRequests::endAllOf(const rdm::Service& service) {
    const auto affected = [&](const OwnRequest& own) { return own.serviceId == service.id; };
    // The clients get their closes before the application gets its answers, or they would go on sending.
    for (const auto& [handle, own] : requests_)
        if (affected(own)) closeStream(own);
    endAll(affected, Tell::later, "the service of the dictionary request was deleted");
}

}  // namespace emissary::reactor
