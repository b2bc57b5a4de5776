// Opens dictionary streams at the server for the application, with time limits, and tells their ends.
#include "niprovider/DictionaryRequests.h"

#include "reactor/rdm/stream_state.h"
#include "reactor/session/session_types.h"

namespace emissary::reactor::niprovider {

using namespace eta::codec;
using session::Request;
using session::RequestTable;

DictionaryRequests::~DictionaryRequests() {
    forgetAll();
}

void DictionaryRequests::forgetAll() {
    for (auto& [stream, open] : open_) {
        reactor_.cancelTimer(open.timer);
        if (Request* r = requests_.find(open.handle)) requests_.release(*r);
    }
    open_.clear();
}

/// The request as it goes out; borrows the application's message.
Refusal DictionaryRequests::fill(const RequestView& request, Msg& wire, std::string& unknown) const {
    using K = Refusal::Kind;
    wire = request.msg;
    wire.flags &= static_cast<std::uint16_t>(~RequestFlag::msgKeyInUpdates);
    if (!wire.key.has(KeyFlag::name) || wire.key.name.empty())
        return {K::invalidArgument, "A dictionary request needs the dictionary's name."};
    if (wire.key.has(KeyFlag::nameType) && wire.key.nameType > 1)
        return {K::invalidArgument, "The name type of a dictionary request can only be 0 or 1."};
    if (request.serviceName.data() != nullptr) {
        if (wire.key.has(KeyFlag::serviceId))
            return {K::invalidArgument, "Service id and service name must not both be given."};
        const rdm::Service* service = directory_.find(request.serviceName);
        if (service == nullptr) {
            unknown = "The source directory has no service '" + std::string(request.serviceName) + "'.";
            return {};
        }
        wire.key.flags |= KeyFlag::serviceId;
        wire.key.serviceId = service->id;
    }
    return {};
}

Handle DictionaryRequests::add(const RequestView& request, const Subscriber& subscriber, Refusal& refusal) {
    Msg wire;
    std::string unknown;
    if (refusal = fill(request, wire, unknown); refusal) return 0;
    if (!unknown.empty()) return refuse(request, subscriber, std::move(unknown));
    while (open_.contains(nextStream_))
        nextStream_ = nextStream_ == INT32_MAX ? 3 : nextStream_ + 1;
    wire.streamId = nextStream_;
    nextStream_ = nextStream_ == INT32_MAX ? 3 : nextStream_ + 1;
    if (const Error e = sender_.trySend(wire); !e.ok()) {
        refusal = {e.code == Errc::noBuffers ? Refusal::Kind::noBuffers
                   : e.code == Errc::closed  ? Refusal::Kind::noActiveChannel
                                             : Refusal::Kind::invalidArgument,
                   std::string("The request cannot be sent: ") + describe(e.code) + "."};
        return 0;
    }
    Request& r = requests_.add(Request::Kind::dictionary, subscriber);
    r.appStreamId = wire.streamId;
    r.streaming = wire.has(RequestFlag::streaming);
    Open& open = open_[wire.streamId];
    open.handle = r.handle();
    open.name.assign(eta::asText(wire.key.name));
    if (timeout_.count() != 0) open.timer = reactor_.startTimer(timeout_, [this, id = wire.streamId] { timedOut(id); });
    return r.handle();
}

/// A handle, and a closed status for it from the loop.
Handle DictionaryRequests::refuse(const RequestView& request, const Subscriber& subscriber, std::string why) {
    const Msg& m = request.msg;
    Request& r = requests_.add(Request::Kind::refused, subscriber);
    RequestTable::Notice n;
    n.handle = r.handle();
    n.state = {StreamState::closed, DataState::suspect, 15, {}};  // SourceUnknown
    n.text = std::move(why);
    n.domain = rdm::kDictionaryDomain;
    n.hasName = true;
    n.name.assign(eta::asText(m.key.name));
    if (m.key.has(KeyFlag::nameType)) n.nameType = m.key.nameType;
    if (m.key.has(KeyFlag::serviceId)) n.serviceId = m.key.serviceId;
    if (request.serviceName.data() != nullptr) n.serviceName.assign(request.serviceName);
    n.ends = true;
    requests_.later(std::move(n));
    return r.handle();
}

Refusal DictionaryRequests::reissue(Request& r, const RequestView& request) {
    const auto at = open_.find(r.appStreamId);
    if (at == open_.end()) return {Refusal::Kind::invalidHandle, "unknown handle"};
    if (!session::keepsDomain(request.msg, rdm::kDictionaryDomain))
        return {Refusal::Kind::invalidData, "A reissue must not change the domain."};
    // What the message does not say stays.
    Msg given = request.msg;
    given.domain = rdm::kDictionaryDomain;
    if (!given.key.has(KeyFlag::name)) {
        given.key.flags |= KeyFlag::name;
        given.key.name = eta::asBytes(at->second.name);
    }
    Msg wire;
    std::string unknown;
    if (Refusal refusal = fill({given, request.serviceName}, wire, unknown)) return refusal;
    if (!unknown.empty()) return {Refusal::Kind::invalidArgument, unknown};
    if (eta::asText(wire.key.name) != at->second.name)
        return {Refusal::Kind::invalidData, "A reissue must not change the dictionary's name."};
    wire.streamId = r.appStreamId;
    if (const Error e = sender_.trySend(wire); !e.ok())
        return {e.code == Errc::noBuffers ? Refusal::Kind::noBuffers : Refusal::Kind::noActiveChannel,
                std::string("The request cannot be sent: ") + describe(e.code) + "."};
    return {};
}

void DictionaryRequests::sendClose(std::int32_t streamId) {
    Msg m;
    m.cls = MsgClass::Close;
    m.domain = rdm::kDictionaryDomain;
    m.streamId = streamId;
    sender_.send(m);
}

void DictionaryRequests::remove(Request& r) {
    if (const auto at = open_.find(r.appStreamId); at != open_.end()) {
        reactor_.cancelTimer(at->second.timer);
        open_.erase(at);
        sendClose(r.appStreamId);
    }
    requests_.release(r);
}

std::string_view DictionaryRequests::serviceNameOf(const Msg& msg) const {
    if (!msg.hasKey() || !msg.key.has(KeyFlag::serviceId)) return {};
    const rdm::Service* service = directory_.find(msg.key.serviceId);
    return service != nullptr ? std::string_view(service->name()) : std::string_view{};
}

bool DictionaryRequests::onMessage(const Msg& msg) {
    const auto at = open_.find(msg.streamId);
    if (at == open_.end()) return false;
    Request* r = requests_.find(at->second.handle);
    if (r == nullptr || (msg.cls != MsgClass::Refresh && msg.cls != MsgClass::Status && msg.cls != MsgClass::Generic))
        return false;
    const bool ends = rdm::endsStream(msg);
    if (ends || (msg.cls == MsgClass::Refresh && msg.has(RefreshFlag::complete)))
        reactor_.cancelTimer(std::exchange(at->second.timer, 0));
    const session::Recipient to = RequestTable::recipient(*r);
    if (ends) {
        open_.erase(at);
        requests_.release(*r);
    }
    sink_.onMessage(msg, to, serviceNameOf(msg));
    return true;
}

void DictionaryRequests::end(std::int32_t streamId, const State& state) {
    const auto at = open_.find(streamId);
    if (at == open_.end()) return;
    const Open open = std::move(at->second);
    open_.erase(at);
    reactor_.cancelTimer(open.timer);
    Request* r = requests_.find(open.handle);
    if (r == nullptr) return;
    const session::Recipient to = RequestTable::recipient(*r);
    requests_.release(*r);
    Msg m;
    m.cls = MsgClass::Status;
    m.domain = rdm::kDictionaryDomain;
    m.streamId = streamId;
    m.flags = StatusFlag::state | StatusFlag::msgKey;
    m.state = state;
    m.key.flags = KeyFlag::name;
    m.key.name = eta::asBytes(open.name);
    sink_.onMessage(m, to, {});
}

void DictionaryRequests::timedOut(std::int32_t streamId) {
    if (const auto at = open_.find(streamId); at != open_.end()) at->second.timer = 0;
    sendClose(streamId);
    end(streamId, {StreamState::closed, DataState::suspect, 2, eta::asBytes("Request timed out.")});
}

void DictionaryRequests::connectionLost() {
    // Callbacks may ask for more, which fails: there is no connection.
    while (!open_.empty())
        end(open_.begin()->first, {StreamState::closedRecover, DataState::suspect, 0, eta::asBytes("channel down")});
}

}  // namespace emissary::reactor::niprovider
