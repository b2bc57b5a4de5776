// hub/client: what a port lets its clients over WebSocket know of and do (web-streaming.md section 4).
#pragma once

#include "hub/client/ClientOptions.h"
#include "hub/client/ClientSession.h"

#include <string>
#include <vector>

namespace emissary::hub::client {

/// Of one listener. Borrows both arguments; the settings are constant. Stage thread only, but for the first two.
class WebRules {
public:
    WebRules(const WebSettings& settings, const ClientOptions& options) noexcept
        : settings_(settings), options_(options) {}

    /// Names of the services that these clients know of, in order; null: all. Any thread.
    [[nodiscard]] const std::vector<std::string>* services() const noexcept {
        return settings_.services.empty() ? nullptr : &settings_.services;
    }
    /// Of one message of a JSON client. Any thread.
    [[nodiscard]] eta::json::TextLimits textLimits() const noexcept { return settings_.textLimits(); }
    /// The client has come over WebSocket: what holds for it goes into its record.
    void apply(Client& client) const;
    /// Requests for items have to name fields.
    [[nodiscard]] bool requireView(const Client& client) const noexcept {
        return settings_.requireView && ClientSession::of(client).web();
    }
    /// Open streams that the client may have, over whatever it came; 0 = no limit.
    [[nodiscard]] std::uint32_t maxMounts(const Client& client) const noexcept {
        if (client.maxMounts) return *client.maxMounts;
        return ownMounts(client) ? *settings_.mountsPerClient : options_.maxMountsPerClient;
    }
    /// Why it may not have more of them, for texts.
    [[nodiscard]] std::string tooManyMounts(const Client& client) const;
    /// Requests a second, likewise.
    [[nodiscard]] std::uint32_t requestsPerSecond(const ClientSession& session) const noexcept {
        return ownRequests(session) ? *settings_.requestsPerSecond : options_.requestsPerSecond;
    }
    /// The parameter that says so, for texts.
    [[nodiscard]] const char* requestsParameter(const ClientSession& session) const noexcept {
        return ownRequests(session) ? "WebRequestsPerSecond" : "RequestsPerSecondPerClient";
    }

private:
    [[nodiscard]] bool ownMounts(const Client& client) const noexcept {
        return settings_.mountsPerClient && ClientSession::of(client).web();
    }

    [[nodiscard]] bool ownRequests(const ClientSession& session) const noexcept {
        return settings_.requestsPerSecond && session.web();
    }

    const WebSettings& settings_;
    const ClientOptions& options_;
};

}  // namespace emissary::hub::client
