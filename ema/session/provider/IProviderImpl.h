// ema/session/provider: the interactive provider behind OmmProvider.
#pragma once

#include "errors/refusals.h"
#include "rdm/DictionaryAccess.h"
#include "reactor/provider/ProviderRole.h"
#include "session/provider/InteractiveCallbacks.h"
#include "session/provider/OwnRequests.h"
#include "session/provider/ProviderImpl.h"
#include "session/provider/TunnelClients.h"

namespace emissary::ema {

struct IProviderConfigImpl;

class IProviderImpl final : public ProviderImpl {
public:
    IProviderImpl(access::OmmProvider& owner, Clients clients);
    ~IProviderImpl() override;

    void start(const access::OmmProviderConfig& config) override;
    [[nodiscard]] access::OmmProviderConfig::ProviderRole role() const noexcept override;
    void submit(const access::Msg& msg, UInt64 handle) override;
    UInt64 registerClient(const access::ReqMsg& request, access::OmmProviderClient& client, void* closure) override;
    void reissue(const access::ReqMsg& request, UInt64 handle) override;
    void unregister(UInt64 handle) override;
    void connectedClients(access::EmaVector<access::ChannelInformation>& out) override;
    void clientStatistics(UInt64 clientHandle, access::ChannelStatistics& out) override;
    void modifyIOCtl(access::Int32 code, access::Int32 value, UInt64 handle) override;
    void closeChannel(UInt64 clientHandle) override;
    void startPack(PackedMsgImpl& pack, const UInt64* clientHandle, UInt32 maxBytes) override;
    void addToPack(PackedMsgImpl& pack, const access::Msg& msg, UInt64 handle) override;
    void submitPack(PackedMsgImpl& pack) override;
    [[nodiscard]] reactor::Link* linkOf(UInt64 clientHandle) override;
    [[nodiscard]] std::optional<UInt32> tunnelBuffersUsed(UInt64 clientHandle) override;
    void fill(UInt64 clientHandle, access::ChannelInformation& out) override;
    void fill(UInt64 clientHandle, access::ChannelStatistics& out) override;

    /// The port in use, also when port "0" was configured; 0 when the provider did not start.
    [[nodiscard]] std::uint16_t port();
    [[nodiscard]] reactor::ProviderCounters counters();
    [[nodiscard]] eta::transport::ChannelCounters clientCounters(UInt64 clientHandle);

private:
    // --- Engine::Peers
    [[nodiscard]] StartProgress progress() override { return {}; }
    void close() override { role_.reset(); }

    /// The client that a handle of a client is about: a tunnel's connection.
    [[nodiscard]] UInt64 connectionOf(UInt64 clientHandle) const noexcept {
        return TunnelClients::owns(clientHandle) ? tunnels_.connectionOf(clientHandle) : clientHandle;
    }
    void submitInTunnel(eta::codec::Msg& wire, UInt64 handle);
    void listen(reactor::ProviderOptions options, const IProviderConfigImpl& given);
    [[noreturn]] void fail(const reactor::SubmitResult& result, Publishing doing, const std::string& call,
                           UInt64 handle, const eta::codec::Msg& msg);

    IProviderSettings settings_;
    SharedDictionary dictionary_;  // shared with the role's served dictionaries
    OwnRequests requests_;
    TunnelClients tunnels_;
    InteractiveCallbacks callbacks_;
    std::unique_ptr<reactor::ProviderRole> role_;  // null until started
};

}  // namespace emissary::ema
