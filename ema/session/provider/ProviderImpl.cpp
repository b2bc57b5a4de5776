// Makes the implementation that the configuration calls for, and describes its sessions.
#include "session/provider/ProviderImpl.h"

#include "Access/Include/OmmInvalidUsageException.h"
#include "errors/refusals.h"
#include "session/channel/SessionInfoAccess.h"
#include "session/provider/IProviderImpl.h"
#include "session/provider/NiProviderImpl.h"

namespace emissary::ema {

using namespace refinitiv::ema::access;
using Code = OmmInvalidUsageException;

std::unique_ptr<ProviderImpl> ProviderImpl::make(OmmProvider& owner, const OmmProviderConfig& config, Clients clients) {
    if (config.getProviderRole() == OmmProviderConfig::InteractiveEnum)
        return std::make_unique<IProviderImpl>(owner, clients);
    return std::make_unique<NiProviderImpl>(owner, clients);
}

ProviderImpl::ProviderImpl(InstanceKind kind, OmmProvider& owner, Clients clients)
    : engine_(kind, ErrorClient(clients.errorClient)), events_(owner, *this, engine_, clients.client, clients.closure),
      owner_(owner) {}

void ProviderImpl::interactiveOnly(const char* call, const char* instead) {
    throwInvalidUsage(std::string(call) + " is for interactive providers. " + instead, Code::InvalidOperationEnum);
}

void ProviderImpl::connectedClients(EmaVector<ChannelInformation>&) {
    interactiveOnly("getConnectedClientChannelInfo()", "Use getChannelInformation().");
}

void ProviderImpl::clientStatistics(UInt64, ChannelStatistics&) {
    interactiveOnly("getConnectedClientChannelStats()", "Use getChannelStatistics().");
}

void ProviderImpl::closeChannel(UInt64) {
    interactiveOnly("closeChannel()", "Destroy the OmmProvider to disconnect.");
}

void ProviderImpl::channelInformation(ChannelInformation&) {
    throwInvalidUsage("getChannelInformation() is for non-interactive providers. Use getConnectedClientChannelInfo().",
                      Code::InvalidOperationEnum);
}

void ProviderImpl::channelStatistics(ChannelStatistics&) {
    throwInvalidUsage("getChannelStatistics() is for non-interactive providers. Use getConnectedClientChannelStats().",
                      Code::InvalidOperationEnum);
}

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

std::optional<std::size_t> ProviderImpl::outputQueued(UInt64 clientHandle) {
    if (!engine_.usable()) return {};
    const auto guard = engine_.locked();
    const reactor::Link* const link = linkOf(clientHandle);
    return link != nullptr ? std::optional(link->queuedBytes()) : std::nullopt;
}

std::optional<std::uint64_t> ProviderImpl::outputAccepted(UInt64 clientHandle) {
    if (!engine_.usable()) return {};
    const auto guard = engine_.locked();
    reactor::Link* const link = linkOf(clientHandle);
    eta::transport::Channel* const channel = link != nullptr ? link->channel() : nullptr;
    if (channel == nullptr) return {};
    const std::lock_guard output(channel->outputLock());  // what leaves meanwhile is counted once
    return channel->counters().uncompressedBytesWritten + channel->queuedBytes();
}

}  // namespace emissary::ema
