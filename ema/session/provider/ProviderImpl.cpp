// Makes the implementation that the configuration calls for, and describes its sessions.
#include "session/provider/ProviderImpl.h"

#include "session/SessionInfoAccess.h"
#include "session/provider/IProviderImpl.h"
#include "session/provider/NiProviderImpl.h"

namespace emissary::ema {

using namespace refinitiv::ema::access;

std::unique_ptr<ProviderImpl> ProviderImpl::make(OmmProvider& owner, const OmmProviderConfig& config, Clients clients) {
    if (config.getProviderRole() == OmmProviderConfig::InteractiveEnum)
        return std::make_unique<IProviderImpl>(owner, clients);
    return std::make_unique<NiProviderImpl>(owner, clients);
}

ProviderImpl::ProviderImpl(InstanceKind kind, OmmProvider& owner, Clients clients)
    : engine_(kind, ErrorClient(clients.errorClient)), events_(owner, *this, engine_, clients.client, clients.closure),
      owner_(owner) {}

std::shared_ptr<const SessionInfo> ProviderImpl::sessionInfo(UInt64 handle, UInt64 clientHandle) {
    ChannelInformation channel;
    fill(clientHandle, channel);
    return SessionInfoAccess::make(channel, handle, clientHandle, owner_);
}

void ProviderImpl::tellJsonFailure(const std::string& text, UInt64 clientHandle) {
    if (!engine_.errors()) return;
    const auto session = sessionInfo(0, clientHandle);
    engine_.runCallback([&] { engine_.errors().tellJsonFailure(text, *session); });
}

}  // namespace emissary::ema
