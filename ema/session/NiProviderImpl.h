// The non-interactive provider behind OmmProvider.
#pragma once

#include "Access/Include/AckMsg.h"
#include "Access/Include/GenericMsg.h"
#include "Access/Include/PostMsg.h"
#include "Access/Include/RefreshMsg.h"
#include "Access/Include/ReqMsg.h"
#include "Access/Include/StatusMsg.h"
#include "data/MsgAccess.h"
#include "session/ProviderImpl.h"
#include "reactor/niprovider/NiProviderRole.h"

namespace emissary::ema {

struct NiProviderConfigImpl;

/// The client given to the constructor is a login client from the start and gets what the server sends on the streams
/// of published items; clients of registerClient() get their login or dictionary stream.
class NiProviderImpl final : public ProviderImpl, public reactor::niprovider::NiProviderHandler {
public:
    using Clients = ProviderImpl::Clients;
    NiProviderImpl(access::OmmProvider& owner, Clients clients);
    ~NiProviderImpl() override;

    [[nodiscard]] access::OmmProviderConfig::ProviderRole role() const noexcept override;
    void submit(const access::Msg& msg, UInt64 handle) override;
    UInt64 registerClient(const access::ReqMsg& request, access::OmmProviderClient& client, void* closure) override;
    void reissue(const access::ReqMsg& request, UInt64 handle) override;
    void unregister(UInt64 handle) override;
    void connectedClients(access::EmaVector<access::ChannelInformation>& out) override;
    void clientStatistics(UInt64 clientHandle, access::ChannelStatistics& out) override;
    void channelInformation(access::ChannelInformation& out) override;
    void channelStatistics(access::ChannelStatistics& out) override;
    void modifyIOCtl(access::Int32 code, access::Int32 value, UInt64 handle) override;
    void closeChannel(UInt64 clientHandle) override;
    void startPack(PackedMsgImpl& pack, const UInt64* clientHandle, UInt32 maxBytes) override;
    void addToPack(PackedMsgImpl& pack, const access::Msg& msg, UInt64 handle) override;
    void submitPack(PackedMsgImpl& pack) override;
    void fill(UInt64 clientHandle, access::ChannelInformation& out) override;
    void fill(UInt64 clientHandle, access::ChannelStatistics& out) override;

private:
    void start(const access::OmmProviderConfig& config) override;
    [[nodiscard]] reactor::niprovider::NiProviderOptions options(const NiProviderConfigImpl& given) const;
    [[nodiscard]] std::shared_ptr<const eta::dictionary::Dictionary> jsonDictionary();
    void waitForLogin();
    void requireStarted() const;
    /// Puts the id of the service that the application named into the key. `call` is for the text of an error; null:
    /// submit().
    void resolveService(const access::Msg& msg, eta::codec::Msg& wire, const char* call) const;
    [[noreturn]] void fail(const reactor::niprovider::PublishResult& result, const std::string& call, UInt64 handle,
                           const eta::codec::Msg& msg);
    [[noreturn]] void fail(const reactor::consumer::Refusal& refusal, const char* call, UInt64 handle);

    void onMessage(const eta::codec::Msg& msg, const reactor::consumer::Recipient& to,
                   std::string_view serviceName) override;
    void onItemMessage(std::uint64_t handle, const eta::codec::Msg& msg) override;
    void onConnection(reactor::consumer::ConnectionEvent event, const std::string& text) override;
    void onWarning(const std::string& text) override;
    void onJsonFailure(const reactor::consumer::JsonFailure& failure) override;
    template <class M>
    void deliver(M& object, void (access::OmmProviderClient::*callback)(const M&, const access::OmmProviderEvent&),
                 const eta::codec::Msg& msg, const DecodeContext& context, access::OmmProviderClient& to, UInt64 handle,
                 void* closure);
    void deliverClose(std::uint64_t handle, const eta::codec::Msg& msg);

    NiProviderSettings settings_;
    const bool adminClient_;                                     // the constructor was given a client
    std::unique_ptr<reactor::niprovider::NiProviderRole> role_;  // null until started
    bool starting_ = false;                                      // the constructor waits; session lock
    std::atomic<bool> started_{false};
    std::string serviceName_;  // of the message in a callback: outlives what the callback does to the directory
    access::RefreshMsg refresh_;
    access::StatusMsg status_;
    access::GenericMsg generic_;
    access::PostMsg post_;
    access::ReqMsg request_;
};

}  // namespace emissary::ema
