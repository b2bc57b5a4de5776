// ema/session/provider: brings what the server says to a non-interactive provider to the application, and to the log.
#pragma once

#include "Access/Include/GenericMsg.h"
#include "Access/Include/PostMsg.h"
#include "Access/Include/RefreshMsg.h"
#include "Access/Include/ReqMsg.h"
#include "Access/Include/StatusMsg.h"
#include "data/MsgAccess.h"
#include "reactor/niprovider/NiProviderRole.h"
#include "session/engine/Engine.h"
#include "session/provider/ProviderEvents.h"

#include <string>

namespace emissary::ema {

/// The client of the constructor gets what the server sends on the streams of published items; those of
/// registerClient() get their login or dictionary stream. One object of each message class serves all callbacks.
/// Everything comes with the session lock held, on the dispatching thread.
class PublisherCallbacks final : public reactor::niprovider::NiProviderHandler {
public:
    PublisherCallbacks(ProviderImpl& provider, Engine& engine, ProviderEvents& events) noexcept
        : provider_(provider), engine_(engine), events_(events) {}

    /// Before anything comes. `dictionary`: what field lists are read with, or null; outlives this object.
    void serve(const reactor::niprovider::NiProviderRole& role,
               const eta::dictionary::Dictionary* dictionary) noexcept {
        role_ = &role;
        context_.dictionary = dictionary;
    }

    void onMessage(const eta::codec::Msg& msg, const reactor::session::Recipient& to,
                   std::string_view serviceName) override;
    void onItemMessage(std::uint64_t handle, const eta::codec::Msg& msg) override;
    void onConnection(reactor::session::ConnectionEvent event, const std::string& text) override;
    void onWarning(const std::string& text) override;
    void onJsonFailure(const reactor::session::JsonFailure& failure) override;

private:
    template <class M>
    void deliver(const CallbackTarget& to, const eta::codec::Msg& wire, M& message,
                 ProviderEvents::Callback<M> callback);
    void nameService(std::string_view name);

    ProviderImpl& provider_;
    Engine& engine_;
    ProviderEvents& events_;
    const reactor::niprovider::NiProviderRole* role_ = nullptr;
    DecodeContext context_;
    std::string serviceName_;  // of the message in a callback: outlives what the callback does to the directory
    access::RefreshMsg refresh_;
    access::StatusMsg status_;
    access::GenericMsg generic_;
    access::PostMsg post_;
    access::ReqMsg request_;
};

}  // namespace emissary::ema
