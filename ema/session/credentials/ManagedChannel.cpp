// Prepares each attempt to connect: a token, an endpoint if none is configured, a login.
#include "session/credentials/ManagedChannel.h"

#include "reactor/session/LoginOptions.h"
#include "rest/form.h"

#include <utility>

namespace emissary::ema {

using eta::transport::ConnectionType;

/// The endpoint is looked up only when host and port are both missing. With one of them there is no discovery, and the
/// attempt fails like any other without an address (credentials.md 1).
ManagedChannel::ManagedChannel(const Parts& parts, const ChannelSettings& settings, std::shared_ptr<TokenKeeper> keeper,
                               reactor::session::LoginOptions login, rest::HttpRoute where)
    : parts_(parts), location_(settings.location),
      transport_(settings.connect.encryptedProtocol == ConnectionType::webSocket ? "websocket" : "tcp"),
      retries_(settings.discoveryRetries), discovered_(settings.connect.host.empty() && settings.connect.port.empty()),
      where_(std::move(where)), keeper_(std::move(keeper)), login_(std::move(login)),
      self_(std::make_shared<ManagedChannel*>(this)) {}

void ManagedChannel::shutdown() noexcept {
    *self_ = nullptr;
    keeper_.reset();
    attempts_.clear();
}

bool ManagedChannel::takeToken() {
    return !keeper_ || reactor::session::useToken(login_, keeper_->token().access.view());
}

ManagedChannel::Ticket ManagedChannel::prepare(Done done) {
    const Ticket ticket = ++lastTicket_;
    attempts_.emplace(ticket, std::move(done));
    // One request serves all connections that wait: finish() answers every ticket.
    if (!keeper_ || std::exchange(busy_, true)) return ticket;
    // V1 has a new token for each connection that is made anew, V2 for the first one after a loss (6.2, 6.3).
    const bool again = keeper_->source().credential.byPassword() ? wasPrepared_ : lost_;
    keeper_->want(again ? TokenKeeper::Need::fresh : TokenKeeper::Need::any,
                  [self = self_](const std::string& refusal) {
                      if (*self != nullptr) (*self)->tokenAnswered(refusal);
                  });
    return ticket;
}

void ManagedChannel::tokenAnswered(const std::string& refusal) {
    if (!refusal.empty()) return finish(refusal);
    lost_ = false;
    if (!takeToken()) return finish("The access token is too long for a login request.");
    // An endpoint is kept until ServiceDiscoveryRetryCount attempts in a row have failed; 0 keeps it for ever (6.2).
    const bool stale = retries_ != 0 && failed_ >= retries_;
    if (discovered_ && (endpoint_.endpoint.empty() || stale)) return discover();
    finish({});
}

void ManagedChannel::discover() {
    // A final answer (403, 404, 410, 451) to one channel ends discovery for the whole session (5.2).
    if (!parts_.discoveryEnd.empty()) return finish(parts_.discoveryEnd);
    rest::HttpRequest r;
    r.url = rest::withQuery(parts_.discoveryUrl, "transport", transport_);
    r.bearer = keeper_->token().access;
    r.bearerType = keeper_->token().type;
    r.timeout = parts_.settings.requestTimeout;
    r.route = where_;
    r.tracing = parts_.owner.tracing();
    static_cast<void>(parts_.calls.send(std::move(r), [self = self_](rest::HttpAnswer& answer) {
        if (*self != nullptr) (*self)->onServices(answer);
    }));
}

void ManagedChannel::onServices(rest::HttpAnswer& answer) {
    if (!answer.movedTo.empty()) parts_.discoveryUrl = answer.movedTo;
    std::vector<rest::ServiceEndpoint> services;
    if (answer.good())
        if (eta::Refused refused = rest::readServices(answer.body, services)) answer.failure = std::move(refused.text);
    if (!answer.good()) {
        const std::string text = rest::describeDiscoveryFailure(answer, keeper_->token().access);
        // The service refuses the token itself: the next attempt fetches another one (5.2).
        if (answer.status == 400 || answer.status == 401) keeper_->drop();
        if (answer.final()) parts_.discoveryEnd = text;
        return finish(text);
    }
    // By the first letters of the location, services of several zones first (4.1).
    const rest::ServiceEndpoint* const chosen = rest::chooseService(services, transport_, location_);
    if (chosen == nullptr)
        return finish("Failed to query host name and port from the RDP service discovery for the \"" + location_ +
                      "\" location");
    endpoint_ = *chosen;
    failed_ = 0;
    finish({});
}

void ManagedChannel::finish(const std::string& refusal) {
    busy_ = false;
    prepared_ = refusal.empty();
    if (refusal.empty()) wasPrepared_ = true;
    // The construction of the consumer throws this text. Later failures cost only their attempt (6.4).
    else if (!wasPrepared_ && firstFailure_.empty()) firstFailure_ = refusal;
    const std::shared_ptr<ManagedChannel*> self = self_;
    // One may abandon another; those that come meanwhile begin anew.
    for (const Ticket last = lastTicket_; *self != nullptr && !attempts_.empty() && attempts_.begin()->first <= last;) {
        const Done done = std::move(attempts_.begin()->second);
        attempts_.erase(attempts_.begin());
        done(refusal);
    }
}

void ManagedChannel::address(eta::transport::ConnectOptions& connect) const {
    if (!discovered_) return;
    connect.host = endpoint_.endpoint;
    connect.port = endpoint_.port;
}

/// Counts attempts that had a token and an address. One whose preparation was refused says nothing about the endpoint.
void ManagedChannel::onAttemptFailed() {
    if (std::exchange(prepared_, false)) ++failed_;
}

}  // namespace emissary::ema
