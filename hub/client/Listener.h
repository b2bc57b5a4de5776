// One port that consumers connect to: RIPC, TLS and WebSocket as its settings say.
#pragma once

#include "hub/client/Connections.h"
#include "hub/client/Context.h"
#include "hub/client/WebRules.h"

#include <memory>
#include <new>
#include <string>

namespace emissary::hub::client {

class Directories;
class ItemMessages;
class Logins;
class Pace;
class RoundTrips;
class ServiceUses;

/// What connections of all listeners share.
struct Duties {
    Context& context;
    Logins& logins;
    RoundTrips& roundTrips;
    Directories& directories;
    ItemMessages& items;
    Pace& pace;
    ServiceUses& uses;
    const std::shared_ptr<const eta::dictionary::Dictionary>& dictionary;  ///< for JSON; may be null
};

/// Makes a Client of every connection and hands its messages to Logins, Directories and ItemMessages.
class Listener final : public reactor::ProviderHandler {
public:
    /// `number`: its place among them.
    Listener(const Duties& duties, const ListenerSettings& settings, std::uint32_t number);

    /// Refused: the text names the port and the reason.
    [[nodiscard]] eta::Refused listen() { return connections_->listen(); }
    [[nodiscard]] Connections& connections() noexcept { return *connections_; }
    [[nodiscard]] const std::string& name() const noexcept { return settings_.name; }
    /// Client::keyBytes may not become more; 0 = no limit.
    [[nodiscard]] std::size_t keyBytesPerClient() const noexcept { return keyBytesPerClient_; }
    /// Of enumerated fields in JSON: display texts instead of numbers.
    [[nodiscard]] bool expandsEnums() const noexcept { return settings_.expandEnums; }
    /// The largest JSON text that a client may send.
    [[nodiscard]] std::uint64_t maxMessageBytes() const noexcept { return settings_.bind.webSocket.maxReceivedBytes; }
    /// Another DefaultService, for requests from now on.
    void setDefaultService(const std::string& name) { settings_.defaultService = name; }
    /// What holds for clients over WebSocket.
    [[nodiscard]] const WebRules& web() const noexcept { return web_; }
    /// Which part of a client's certificate names its user.
    [[nodiscard]] CertUser certUser() const noexcept { return settings_.certUser; }
    /// DefaultService; empty: none was named.
    [[nodiscard]] const std::string& defaultService() const noexcept { return settings_.defaultService; }
    /// The connection ends soon, not inside this call; the client gets the reason.
    void end(Client& client, EndReason reason, const std::string& text);
    void end(Client& client, const Ending& ending);
    /// The same, possibly inside the call.
    void endNow(Client& client, const Ending& ending);

    /// A connection is up; its events have this client as their context from now on.
    Client& arrived(std::uint64_t clientHandle, const eta::transport::ChannelInfo& info,
                    std::weak_ptr<eta::transport::Channel> wire);
    /// Its connection has ended, and it has no mounts any more: the record goes.
    void forget(Client& client);
    /// Its login says that it publishes: the connection goes on as a publisher's.
    void publishes(Client& client) noexcept;
    /// That connection, on the hub's own reactor, and what came on it, the login first.
    void take(std::unique_ptr<reactor::Link> publisher, std::span<const eta::Bytes> messages) {
        context_.options.publisher(number_, std::move(publisher), messages);
    }
    /// A line for the log.
    void tell(Severity severity, const std::string& line) { context_.tell(severity, line); }

    // --- reactor::ProviderHandler; of connections that other threads serve, all but the first two and the last five
    // come from there.
    [[nodiscard]] bool isItemStream(const reactor::ItemClient& from, std::int32_t streamId) const noexcept override;
    [[nodiscard]] reactor::JsonSources jsonSources() const noexcept override;
    void onRequest(const reactor::StreamEvent& event, const Msg& request) override;
    void onReissue(const reactor::StreamEvent& event, const Msg& request) override;
    void onClose(const reactor::StreamEvent& event, const Msg& request) override;
    void onPost(const reactor::StreamEvent& event, const Msg& post) override;
    void onGeneric(const reactor::StreamEvent& event, const Msg& generic) override;
    bool onItemMessage(const reactor::ItemClient& from, const Msg& message) override;
    void onClientDown(std::uint64_t clientHandle, void* context, const std::string& reason) override;
    void onClientEnding(std::uint64_t clientHandle, void* context, const reactor::ClientFarewell& farewell) override;
    void onClientUp(std::uint64_t clientHandle, const eta::transport::ChannelInfo& info) override;
    void onHandshakeFailed(const std::string& reason, std::uint64_t suppressed) override;
    void onRefused(std::uint64_t clientHandle, const std::string& text) override;
    void onProviderLogin(const reactor::ItemClient& client, std::unique_ptr<reactor::Link> link,
                         eta::Bytes login) override;

private:
    /// Memory that the system refuses ends the client that asked, and nobody else's connection.
    template <class F>
    void guarded(Client& client, F&& f) {
        try {
            f();
        } catch (const std::bad_alloc&) { end(client, EndReason::memory, "memory is short"); }
    }
    void onLoginPost(Client& client, const Msg& post);
    void endIfFlooding(Client& client);
    void onLoginGeneric(Client& client, const Msg& generic);
    /// Mounts, directories and the login are over; the connection may go on.
    void logOut(Client& client);

    Duties duties_;
    Context& context_;
    /// The one place that hears of every end, whoever decided it: count, page and log.
    void ended(const Client& client, const std::string& reason);
    void logEnd(const Client& client, const std::string& reason);
    void auditEnd(const Client& client, const std::string& reason);

    ListenerSettings settings_;
    const WebRules web_;
    const std::uint32_t number_, keyBytesPerClient_;
    OwnConnections* own_ = nullptr;  // the same as connections_, where this thread serves them
    std::unique_ptr<Connections> connections_;
};

}  // namespace emissary::hub::client
