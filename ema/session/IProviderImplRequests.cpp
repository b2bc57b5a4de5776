// Requests of the application to connected clients: dictionaries (session.md 5.5).
#include "Access/Include/OmmInvalidUsageException.h"
#include "session/IProviderImpl.h"
#include "errors/raise.h"

#include <mutex>

namespace emissary::ema {

using namespace refinitiv::ema::access;
using reactor::SubmitFault;
using Code = OmmInvalidUsageException;
namespace codec = eta::codec;

namespace {

using Guard = std::lock_guard<reactor::SessionLock>;

[[noreturn]] void failRequest(const char* call, SubmitFault fault, const eta::Error& error) {
    const std::string start = std::string(call) + ": ";
    switch (fault) {
    case SubmitFault::noClient:
        throwInvalidUsage(start + "no client is logged in that could be asked for a dictionary. Register when a login "
                                  "request was accepted, or load the dictionary from files.",
                          Code::NoActiveChannelEnum);
    case SubmitFault::badRequest:
        throwInvalidUsage(start + "a dictionary request needs a name (RWFFld, RWFEnum ...) of name type 0 or 1; a "
                                  "reissue keeps name, service and interestAfterRefresh.",
                          Code::InvalidArgumentEnum);
    case SubmitFault::noBuffers:
        throwInvalidUsage(start + "the client's output buffers are all in use. Try again later.", Code::NoBuffersEnum);
    case SubmitFault::clientGone:
        throwInvalidUsage(start + "the connection to the client is lost.", Code::NoActiveChannelEnum);
    default:
        throwInvalidUsage(start + "the request cannot be encoded: " + eta::describe(error.code) + ".",
                          Code::InvalidDataEnum);
    }
}

}  // namespace

/// The request as it goes to the wire: a service name becomes an id.
codec::Msg IProviderImpl::dictionaryRequest(const ReqMsg& request, const char* call) const {
    codec::Msg wire = MsgAccess::wire(request);
    if (wire.domain != reactor::rdm::kDictionaryDomain)
        throwInvalidUsage(std::string(call) +
                              ": an interactive provider requests dictionaries only (domain 5), not "
                              "domain " +
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

UInt64 IProviderImpl::registerClient(const ReqMsg& request, OmmProviderClient& client, void* closure) {
    UInt64 handle = 0;
    guarded([&] {
        requireStarted();
        const Guard guard(loop().lock());
        const reactor::ProviderRole::Asked asked = role_->request(dictionaryRequest(request, "registerClient()"));
        if (asked.fault != SubmitFault::none) failRequest("registerClient()", asked.fault, asked.error);
        registrations_[asked.handle] = {&client, closure};
        handle = asked.handle;
    });
    return handle;
}

void IProviderImpl::reissue(const ReqMsg& request, UInt64 handle) {
    guarded([&] {
        requireStarted();
        const Guard guard(loop().lock());
        if (!registrations_.contains(handle))
            throwInvalidHandle("reissue(): handle " + std::to_string(handle) +
                                   " was not returned by registerClient() of this provider, or has ended.",
                               handle);
        const reactor::SubmitResult result = role_->reissue(handle, dictionaryRequest(request, "reissue()"));
        if (result.fault == SubmitFault::unknownHandle)
            throwInvalidHandle("reissue(): the request of handle " + std::to_string(handle) + " is ending.", handle);
        if (!result.ok()) failRequest("reissue()", result.fault, result.error);
    });
}

void IProviderImpl::unregister(UInt64 handle) {
    guarded([&] {
        if (!role_) return;
        const Guard guard(loop().lock());
        if (registrations_.erase(handle) != 0) (void)role_->cancel(handle);
    });
}

void IProviderImpl::onAnswer(const reactor::StreamEvent& e, const codec::Msg& m, bool last) {
    const auto at = registrations_.find(e.handle);
    if (at == registrations_.end()) return;
    const Registration who = at->second;
    if (last) registrations_.erase(at);
    const DecodeContext context = contextOf(m);
    const auto tell = [&](auto& message, auto callback) {
        MsgAccess::point(message, m, context);
        call(e.handle, e.clientHandle, who.closure, [&] {
            who.client->onAllMsg(message, event());
            callback(message);
        });
    };
    switch (m.cls) {
    case codec::MsgClass::Refresh:
        return tell(answerRefresh_, [&](const RefreshMsg& refresh) { who.client->onRefreshMsg(refresh, event()); });
    case codec::MsgClass::Status:
        return tell(answerStatus_, [&](const StatusMsg& status) { who.client->onStatusMsg(status, event()); });
    case codec::MsgClass::Generic:
        return tell(generic_, [&](const GenericMsg& generic) { who.client->onGenericMsg(generic, event()); });
    default:
        return;
    }
}

}  // namespace emissary::ema
