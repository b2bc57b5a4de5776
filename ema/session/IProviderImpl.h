// The interactive provider behind OmmProvider.
#pragma once

#include "Access/Include/GenericMsg.h"
#include "Access/Include/PostMsg.h"
#include "Access/Include/RefreshMsg.h"
#include "Access/Include/ReqMsg.h"
#include "Access/Include/StatusMsg.h"
#include "data/MsgAccess.h"
#include "session/ProviderImpl.h"
#include "reactor/RecordLimit.h"
#include "reactor/provider/ProviderRole.h"

#include <map>

namespace emissary::ema {

class IProviderImpl final : public ProviderImpl, public reactor::ProviderHandler {
public:
    using Clients = ProviderImpl::Clients;
    IProviderImpl(access::OmmProvider& owner, Clients clients) : ProviderImpl(owner, clients) {}
    ~IProviderImpl() override;

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

    /// The port in use, also when port "0" was configured; 0 when the provider did not start.
    [[nodiscard]] std::uint16_t port();
    [[nodiscard]] reactor::ProviderCounters counters();
    [[nodiscard]] eta::transport::ChannelCounters clientCounters(UInt64 clientHandle);

private:
    void start(const access::OmmProviderConfig& config) override;
    void loadDictionaries(reactor::ProviderOptions& options);
    void requireStarted() const;
    [[nodiscard]] eta::codec::Msg dictionaryRequest(const access::ReqMsg& request, const char* call) const;
    void resolveService(const access::Msg& msg, eta::codec::Msg& wire, const std::string& call,
                        access::Int32 code) const;
    [[noreturn]] void fail(const reactor::SubmitResult& result, const std::string& call, UInt64 handle,
                           const eta::codec::Msg& msg);

    void onRequest(const reactor::StreamEvent& event, const eta::codec::Msg& request) override;
    void onReissue(const reactor::StreamEvent& event, const eta::codec::Msg& request) override;
    void onClose(const reactor::StreamEvent& event, const eta::codec::Msg& request) override;
    void onPost(const reactor::StreamEvent& event, const eta::codec::Msg& post) override;
    void onGeneric(const reactor::StreamEvent& event, const eta::codec::Msg& generic) override;
    void onAnswer(const reactor::StreamEvent& event, const eta::codec::Msg& answer, bool last) override;
    void onClientUp(std::uint64_t clientHandle, const eta::transport::ChannelInfo& info) override;
    void onClientDown(std::uint64_t clientHandle, const std::string& reason) override;
    void onHandshakeFailed(const std::string& reason, std::uint64_t suppressed) override;
    void onRefused(std::uint64_t clientHandle, const std::string& text) override;
    void onJsonFailure(std::uint64_t clientHandle, const std::string& text) override;
    [[nodiscard]] static bool worthRecord(reactor::RecordLimit& limit, std::string& suffix);
    [[nodiscard]] DecodeContext contextOf(const eta::codec::Msg& m);
    [[nodiscard]] bool stillOpen(const reactor::StreamEvent& e) const noexcept;

    IProviderSettings settings_;
    // Log records that clients cause; session lock.
    reactor::RecordLimit upRecords_{500, std::chrono::milliseconds(50)},
        downRecords_{500, std::chrono::milliseconds(50)}, refusedRecords_{100, std::chrono::milliseconds(50)};
    std::shared_ptr<const eta::dictionary::Dictionary> dictionary_;  // shared with the role's served dictionaries
    std::unique_ptr<reactor::ProviderRole> role_;                    // null until started
    std::string serviceName_;  // of the message in a callback: outlives what the callback does to the directory
    struct Registration {
        access::OmmProviderClient* client = nullptr;
        void* closure = nullptr;
    };
    std::map<UInt64, Registration> registrations_;  // dictionary requests of the application, by handle; session lock
    access::RefreshMsg answerRefresh_;
    access::StatusMsg answerStatus_;
    access::ReqMsg request_;
    access::PostMsg post_;
    access::GenericMsg generic_;
};

}  // namespace emissary::ema
