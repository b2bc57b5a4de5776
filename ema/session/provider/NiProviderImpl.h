// The non-interactive provider behind OmmProvider.
#pragma once

#include "rdm/DictionaryAccess.h"
#include "reactor/niprovider/NiProviderRole.h"
#include "session/provider/ProviderImpl.h"
#include "session/provider/PublisherCallbacks.h"

namespace emissary::ema {

struct NiProviderConfigImpl;

/// The client given to the constructor is a login client from the start.
class NiProviderImpl final : public ProviderImpl {
public:
    NiProviderImpl(access::OmmProvider& owner, Clients clients);
    ~NiProviderImpl() override;

    void start(const access::OmmProviderConfig& config) override;
    [[nodiscard]] access::OmmProviderConfig::ProviderRole role() const noexcept override;
    void submit(const access::Msg& msg, UInt64 handle) override;
    UInt64 registerClient(const access::ReqMsg& request, access::OmmProviderClient& client, void* closure) override;
    void reissue(const access::ReqMsg& request, UInt64 handle) override;
    void unregister(UInt64 handle) override;
    void channelInformation(access::ChannelInformation& out) override;
    void channelStatistics(access::ChannelStatistics& out) override;
    void modifyIOCtl(access::Int32 code, access::Int32 value, UInt64 handle) override;
    void startPack(PackedMsgImpl& pack, const UInt64* clientHandle, UInt32 maxBytes) override;
    void addToPack(PackedMsgImpl& pack, const access::Msg& msg, UInt64 handle) override;
    void submitPack(PackedMsgImpl& pack) override;
    void fill(UInt64 clientHandle, access::ChannelInformation& out) override;
    void fill(UInt64 clientHandle, access::ChannelStatistics& out) override;
    [[nodiscard]] reactor::Link* linkOf(UInt64 /*clientHandle*/) override { return role_ ? role_->link() : nullptr; }

private:
    // --- Engine::Peers
    [[nodiscard]] StartProgress progress() override;
    void close() override;

    void connect(reactor::niprovider::NiProviderOptions options, const NiProviderConfigImpl& given);
    /// Puts the id of the service that the application named into the key; throws when there is none.
    void resolve(const access::Msg& msg, eta::codec::Msg& wire, const char* call) const;
    [[noreturn]] void fail(const reactor::niprovider::PublishResult& result, const std::string& call, UInt64 handle,
                           const eta::codec::Msg& msg);
    [[noreturn]] void fail(const reactor::session::Refusal& refusal, const char* call, UInt64 handle);

    NiProviderSettings settings_;
    SharedDictionary dictionary_;  // shared with the role; null without one
    PublisherCallbacks callbacks_;
    std::unique_ptr<reactor::niprovider::NiProviderRole> role_;  // null until started
};

}  // namespace emissary::ema
