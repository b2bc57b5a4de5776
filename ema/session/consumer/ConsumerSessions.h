// ema/session/consumer: the sessions of a consumer: one, or several behind a router, and what is known about them.
#pragma once

#include "Access/Include/ChannelInformation.h"
#include "Access/Include/EmaVector.h"
#include "Access/Include/PreferredHostOptions.h"
#include "config/Settings.h"
#include "rdm/DictionaryAccess.h"
#include "reactor/routing/Router.h"
#include "session/engine/Engine.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace emissary::ema {

struct ConsumerConfigImpl;
class SessionManagement;

/// One role for a single session, which nothing stands in front of; a router for session channels, and for service
/// lists, which need its choice of services. Everything needs the session lock, and open() before.
class ConsumerSessions {
public:
    explicit ConsumerSessions(ConsumerSettings& settings) noexcept : settings_(settings) {}

    /// Makes them; start() connects. `dictionary`: null when it is downloaded. `accounts` gives the channels what they
    /// log in with, and outlives the sessions.
    void open(reactor::Reactor& loop, const ConsumerConfigImpl& given, SharedDictionary dictionary,
              SessionManagement& accounts, reactor::consumer::ConsumerSink& sink);
    /// This account has another token.
    void renewLogin(const reactor::session::ChannelAccount& account);
    void start();
    /// Sends the login closes and frees the sessions; nothing when there are none.
    void close();

    /// What stands behind everything the application does, as the ConsumerRole or the Router.
    template <class Call>
    auto with(Call&& call) {
        return router_ ? call(*router_) : call(*role_);
    }
    /// Throws for a service list that nobody added.
    access::UInt64 registerClient(const reactor::consumer::RequestView& request, std::string_view serviceList,
                                  const reactor::consumer::Subscriber& subscriber, reactor::consumer::Refusal& refusal);
    /// A tunnel stream, and a stream inside one.
    access::UInt64 registerTunnel(const reactor::tunnel::TunnelRequest& request,
                                  const reactor::consumer::Subscriber& subscriber, reactor::consumer::Refusal& refusal);
    access::UInt64 registerInside(access::UInt64 tunnel, const reactor::consumer::RequestView& request,
                                  const reactor::consumer::Subscriber& subscriber, reactor::consumer::Refusal& refusal);
    [[nodiscard]] std::optional<access::UInt32> tunnelBuffersUsed(access::UInt64 tunnel) const noexcept {
        return role_ ? role_->tunnelBuffersUsed(tunnel) : std::nullopt;
    }
    /// Of the stages login, directory and dictionaries.
    [[nodiscard]] StartProgress progress();
    static constexpr std::size_t kReady = 3;

    /// The session that a question about "the" channel is about.
    [[nodiscard]] reactor::consumer::ConsumerRole& inUse() noexcept {
        return router_ ? router_->session(router_->currentSession()) : *role_;
    }
    void describeInUse(access::ChannelInformation& out);
    /// One entry for each session channel; none without request routing.
    void describeAll(access::EmaVector<access::ChannelInformation>& out);

    [[nodiscard]] reactor::consumer::Refusal fallBack();
    /// Throws when the options do not fit; `call` is for the text.
    void setPreferredHost(const access::PreferredHostOptions& given, const std::string& call);

private:
    void describe(reactor::consumer::ConsumerRole& role, std::size_t session, access::ChannelInformation& out) const;
    [[nodiscard]] std::span<const std::string> servicesOf(std::string_view list) const;
    [[nodiscard]] std::size_t indexOf(const std::string& session, const std::string& call) const;
    [[nodiscard]] PreferredHostSettings& preferredHost(std::size_t session) const noexcept {
        return settings_.sessions.empty() ? settings_.preferredHost : settings_.sessions[session].preferredHost;
    }

    ConsumerSettings& settings_;
    // One of the two: a single session is driven directly.
    std::unique_ptr<reactor::consumer::ConsumerRole> role_;
    std::unique_ptr<reactor::routing::Router> router_;
    std::vector<std::pair<std::string, std::vector<std::string>>> serviceLists_;
    bool preferredHostSaid_ = false;  // configured, or changed by a call: channel information shows it
};

}  // namespace emissary::ema
