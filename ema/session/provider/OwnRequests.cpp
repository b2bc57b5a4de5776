// ema/session/provider: checks requests for dictionaries, sends them to a client, and delivers the answers.
#include "session/provider/OwnRequests.h"

#include "Access/Include/OmmInvalidUsageException.h"
#include "Access/Include/OmmState.h"
#include "Access/Include/ReqMsg.h"
#include "errors/refusals.h"
#include "reactor/handle_serial.h"
#include "reactor/session/session_types.h"

namespace emissary::ema {

using namespace refinitiv::ema::access;
using reactor::SubmitFault;
using Code = OmmInvalidUsageException;
namespace codec = eta::codec;

codec::Msg OwnRequests::wireRequest(const ReqMsg& request, std::string_view& unknown) const {
    codec::Msg wire = MsgAccess::wire(request);
    if (!MsgAccess::hasServiceName(request)) return wire;
    const std::string_view name = MsgAccess::serviceName(request);
    const reactor::rdm::Service* service = role_->directory().find(name);
    if (service == nullptr) {
        unknown = name;
    } else {
        wire.key.flags |= codec::KeyFlag::serviceId;
        wire.key.serviceId = service->id;
    }
    return wire;
}

namespace {

void requireDictionary(const codec::Msg& request, const char* call) {
    if (request.domain != reactor::rdm::kDictionaryDomain)
        throwInvalidUsage(std::string(call) +
                              ": an interactive provider requests dictionaries only (domain 5), not domain " +
                              std::to_string(request.domain) + ".",
                          Code::InvalidArgumentEnum);
}

}  // namespace

UInt64 OwnRequests::open(const ReqMsg& request, OmmProviderClient& client, void* closure) {
    std::string_view unknown;
    const codec::Msg wire = wireRequest(request, unknown);
    requireDictionary(wire, "registerClient()");
    if (unknown.data() != nullptr) return refuse(wire, unknown, client, closure);
    const reactor::ProviderRole::Asked asked = role_->request(wire);
    if (asked.fault != SubmitFault::none)
        throwRequestRefusal(asked.fault, {.call = "registerClient()", .error = asked.error});
    registrations_[asked.handle] = {&client, closure};
    return asked.handle;
}

/// A handle, and a closed status for it from the loop.
UInt64 OwnRequests::refuse(const codec::Msg& request, std::string_view service, OmmProviderClient& client,
                           void* closure) {
    // An unknown service is answered and not thrown, as for a consumer's request (session.md 4.1). Names are copied:
    // the request ends with the call.
    const UInt64 handle = reactor::nextHandleSerial();
    registrations_[handle] = {&client, closure};
    // The instance stops its loop for good before this is destroyed (Engine::stop()), so `this` may be posted.
    engine_.loop().post([this, handle, service = std::string(service),
                         name = std::string(eta::asText(request.key.name)),
                         named = request.key.has(codec::KeyFlag::name)] {
        const std::string text = "The source directory has no service '" + service + "'.";
        codec::Msg status;
        status.cls = codec::MsgClass::Status;
        status.domain = reactor::rdm::kDictionaryDomain;
        status.flags = codec::StatusFlag::state | codec::StatusFlag::msgKey;
        status.state = {codec::StreamState::closed, codec::DataState::suspect, OmmState::SourceUnknownEnum,
                        eta::asBytes(text)};
        if (named) {
            status.key.flags = codec::KeyFlag::name;
            status.key.name = eta::asBytes(name);
        }
        onAnswer({handle, 0, nullptr}, status, true, {nullptr, service, true});
    });
    return handle;
}

void OwnRequests::reissue(const ReqMsg& request, UInt64 handle) {
    reactor::SubmitResult result{.fault = SubmitFault::unknownHandle, .error = {}};
    if (registrations_.contains(handle)) {
        std::string_view unknown;
        codec::Msg wire = wireRequest(request, unknown);
        // MarketPrice is what a message has that names no domain, and no wish to move (session.md 4.3).
        if (reactor::session::keepsDomain(wire, reactor::rdm::kDictionaryDomain))
            wire.domain = reactor::rdm::kDictionaryDomain;
        requireDictionary(wire, "reissue()");
        if (unknown.data() != nullptr)
            throwInvalidUsage("reissue(): the source directory has no service '" + std::string(unknown) +
                                  "'. A reissue cannot change the service.",
                              Code::InvalidArgumentEnum);
        result = role_->reissue(handle, wire);
    }
    if (result.ok()) return;
    throwRequestRefusal(result.fault,
                        {.call = "reissue()", .handle = handle, .instance = engine_.describe(), .error = result.error});
}

void OwnRequests::close(UInt64 handle) {
    if (registrations_.erase(handle) == 0) return;
    (void)role_->cancel(handle);
    events_.giveUp(handle);
}

void OwnRequests::onAnswer(const reactor::StreamEvent& e, const codec::Msg& m, bool last,
                           const DecodeContext& context) {
    const auto at = registrations_.find(e.handle);
    if (at == registrations_.end()) return;
    const CallbackTarget to{at->second.client, at->second.closure, e.handle, e.clientHandle};
    // Before the callback: the handle is over when the application hears its last answer.
    if (last) registrations_.erase(at);
    const auto tell = [&](auto& message, auto callback) {
        MsgAccess::point(message, m, context);
        events_.deliver(to, message, callback);
    };
    switch (m.cls) {
    case codec::MsgClass::Refresh:
        return tell(refresh_, &OmmProviderClient::onRefreshMsg);
    case codec::MsgClass::Status:
        return tell(status_, &OmmProviderClient::onStatusMsg);
    case codec::MsgClass::Generic:
        return tell(generic_, &OmmProviderClient::onGenericMsg);
    default:
        return;
    }
}

}  // namespace emissary::ema
