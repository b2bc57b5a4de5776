// ema/session/provider: brings what clients say to an interactive provider to the application, and to the log.
#pragma once

#include "Access/Include/GenericMsg.h"
#include "Access/Include/PostMsg.h"
#include "Access/Include/ReqMsg.h"
#include "data/MsgAccess.h"
#include "reactor/provider/ProviderRole.h"
#include "session/engine/Engine.h"
#include "session/provider/OwnRequests.h"
#include "session/provider/ProviderEvents.h"
#include "session/provider/TunnelClients.h"

#include <string>

namespace emissary::ema {

/// One object of each message class serves all callbacks. Everything comes with the session lock held, on the
/// dispatching thread.
class InteractiveCallbacks final : public reactor::ProviderHandler {
public:
    InteractiveCallbacks(ProviderImpl& provider, Engine& engine, ProviderEvents& events, OwnRequests& requests,
                         const TunnelClients& tunnels) noexcept
        : provider_(provider), engine_(engine), events_(events), requests_(requests), tunnels_(tunnels) {}

    /// Before anything comes. `dictionary`: what field lists are read with, or null; outlives this object.
    void serve(const reactor::ProviderRole& role, const eta::dictionary::Dictionary* dictionary) noexcept {
        role_ = &role;
        dictionary_ = dictionary;
    }

    void onRequest(const reactor::StreamEvent& event, const eta::codec::Msg& request) override;
    void onReissue(const reactor::StreamEvent& event, const eta::codec::Msg& request) override;
    void onClose(const reactor::StreamEvent& event, const eta::codec::Msg& request) override;
    void onPost(const reactor::StreamEvent& event, const eta::codec::Msg& post) override;
    void onGeneric(const reactor::StreamEvent& event, const eta::codec::Msg& generic) override;
    void onAnswer(const reactor::StreamEvent& event, const eta::codec::Msg& answer, bool last) override;
    void onClientUp(std::uint64_t clientHandle, const eta::transport::ChannelInfo& info) override;
    void onClientDown(std::uint64_t clientHandle, void* context, const std::string& reason) override;
    void onHandshakeFailed(const std::string& reason, std::uint64_t suppressed) override;
    void onRefused(std::uint64_t clientHandle, const std::string& text) override;
    void onJsonFailure(std::uint64_t clientHandle, const std::string& text) override;

private:
    template <class M>
    void deliver(const reactor::StreamEvent& e, const eta::codec::Msg& wire, M& message,
                 ProviderEvents::Callback<M> callback);
    [[nodiscard]] DecodeContext contextOf(const eta::codec::Msg& m);

    ProviderImpl& provider_;
    Engine& engine_;
    ProviderEvents& events_;
    OwnRequests& requests_;
    const TunnelClients& tunnels_;
    const reactor::ProviderRole* role_ = nullptr;
    const eta::dictionary::Dictionary* dictionary_ = nullptr;
    std::string serviceName_;  // of the message in a callback: outlives what the callback does to the directory
    access::ReqMsg request_;
    access::PostMsg post_;
    access::GenericMsg generic_;
};

}  // namespace emissary::ema
