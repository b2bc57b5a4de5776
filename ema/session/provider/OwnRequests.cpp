#include "session/provider/OwnRequests.h"

#include "Access/Include/OmmInvalidUsageException.h"
#include "Access/Include/ReqMsg.h"
#include "errors/refusals.h"

namespace emissary::ema {

using namespace refinitiv::ema::access;
using reactor::SubmitFault;
using Code = OmmInvalidUsageException;
namespace codec = eta::codec;

/// The request as it goes to the wire: a service name becomes an id.
codec::Msg OwnRequests::wireRequest(const ReqMsg& request, const char* call) const {
    codec::Msg wire = MsgAccess::wire(request);
    if (wire.domain != reactor::rdm::kDictionaryDomain)
        throwInvalidUsage(std::string(call) +
                              ": an interactive provider requests dictionaries only (domain 5), not domain " +
                              std::to_string(wire.domain) + ".",
                          Code::InvalidArgumentEnum);
    if (MsgAccess::hasServiceName(request)) {
        const std::string_view name = MsgAccess::serviceName(request);
        const reactor::rdm::Service* service = role_->directory().find(name);
        if (service == nullptr)
            throwInvalidUsage(std::string(call) + ": the source directory has no service '" + std::string(name) +
                                  "'. Name a service of this provider, or none.",
                              Code::InvalidArgumentEnum);
        wire.key.flags |= codec::KeyFlag::serviceId;
        wire.key.serviceId = service->id;
    }
    return wire;
}

UInt64 OwnRequests::open(const ReqMsg& request, OmmProviderClient& client, void* closure) {
    const reactor::ProviderRole::Asked asked = role_->request(wireRequest(request, "registerClient()"));
    if (asked.fault != SubmitFault::none)
        throwRequestRefusal(asked.fault, {.call = "registerClient()", .error = asked.error});
    registrations_[asked.handle] = {&client, closure};
    return asked.handle;
}

void OwnRequests::reissue(const ReqMsg& request, UInt64 handle) {
    reactor::SubmitResult result{.fault = SubmitFault::unknownHandle, .error = {}};
    if (registrations_.contains(handle)) result = role_->reissue(handle, wireRequest(request, "reissue()"));
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
