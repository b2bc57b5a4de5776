// ema/session/provider: requests of an application to clients of its interactive provider: dictionaries (5.5).
#pragma once

#include "Access/Include/GenericMsg.h"
#include "Access/Include/RefreshMsg.h"
#include "Access/Include/StatusMsg.h"
#include "data/MsgAccess.h"
#include "reactor/provider/ProviderRole.h"
#include "session/provider/ProviderEvents.h"

#include <map>

namespace refinitiv::ema::access {
class ReqMsg;
}

namespace emissary::ema {

/// What registerClient() of an interactive provider opened. Session lock. Each throws what is refused.
class OwnRequests {
public:
    OwnRequests(Engine& engine, ProviderEvents& events) noexcept : engine_(engine), events_(events) {}

    /// Before anything else.
    void serve(reactor::ProviderRole& role) noexcept { role_ = &role; }

    [[nodiscard]] access::UInt64 open(const access::ReqMsg& request, access::OmmProviderClient& client, void* closure);
    void reissue(const access::ReqMsg& request, access::UInt64 handle);
    void close(access::UInt64 handle);  ///< unknown handles are ignored
    /// With `last` the request is over.
    void onAnswer(const reactor::StreamEvent& event, const eta::codec::Msg& answer, bool last,
                  const DecodeContext& context);

private:
    struct Registration {
        access::OmmProviderClient* client = nullptr;
        void* closure = nullptr;
    };
    access::UInt64 refuse(const eta::codec::Msg& request, std::string_view service, access::OmmProviderClient& client,
                          void* closure);
    /// The request as it goes to the wire: a service name becomes an id. `unknown`: the name, when there is no such
    /// service.
    [[nodiscard]] eta::codec::Msg wireRequest(const access::ReqMsg& request, std::string_view& unknown) const;

    Engine& engine_;
    ProviderEvents& events_;
    reactor::ProviderRole* role_ = nullptr;
    std::map<access::UInt64, Registration> registrations_;  // by handle
    access::RefreshMsg refresh_;
    access::StatusMsg status_;
    access::GenericMsg generic_;
};

}  // namespace emissary::ema
