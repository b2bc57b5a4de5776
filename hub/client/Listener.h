// One port that consumers connect to: RIPC, TLS and WebSocket as its settings say.
#pragma once

#include "hub/client/Context.h"
#include "reactor/provider/ProviderRole.h"

#include <memory>
#include <string>

namespace emissary::hub::client {

class Directories;
class ItemMessages;
class Logins;
class RequestRate;
class RoundTrips;

/// What connections of all listeners share.
struct Duties {
    Context& context;
    Logins& logins;
    RoundTrips& roundTrips;
    Directories& directories;
    ItemMessages& items;
    RequestRate& rate;
    const std::shared_ptr<const eta::dictionary::Dictionary>& dictionary;  ///< for JSON; may be null
};

/// Makes a Client of every connection and hands its messages to who deals with them.
class Listener final : public reactor::ProviderHandler {
public:
    Listener(const Duties& duties, const ListenerSettings& settings);

    /// Refused: the text names the port and the reason, or the setting that cannot be had.
    [[nodiscard]] eta::Refused listen();
    [[nodiscard]] reactor::ProviderRole& role() noexcept { return *role_; }
    /// The connection ends soon, not inside this call.
    void end(Client& client, EndReason reason, std::string text);

private:
    void onRequest(const reactor::StreamEvent& event, const Msg& request) override;
    void onReissue(const reactor::StreamEvent& event, const Msg& request) override;
    void onClose(const reactor::StreamEvent& event, const Msg& request) override;
    void onPost(const reactor::StreamEvent& event, const Msg& post) override;
    void onGeneric(const reactor::StreamEvent& event, const Msg& generic) override;
    bool onItemMessage(const reactor::ItemClient& from, const Msg& message) override;
    [[nodiscard]] bool isItemStream(const reactor::ItemClient& from, std::int32_t streamId) const noexcept override;
    [[nodiscard]] reactor::JsonSources jsonSources() const noexcept override;
    void onClientUp(std::uint64_t clientHandle, const eta::transport::ChannelInfo& info) override;
    void onClientDown(std::uint64_t clientHandle, void* context, const std::string& reason) override;
    void onHandshakeFailed(const std::string& reason, std::uint64_t suppressed) override;
    void onRefused(std::uint64_t clientHandle, const std::string& text) override;

    void onLoginGeneric(Client& client, const Msg& generic);
    /// Mounts, directories and the login are over; the connection may go on.
    void logOut(Client& client);

    Duties duties_;
    Context& context_;
    std::string name_;
    bool anyRole_ = false;
    std::unique_ptr<reactor::ProviderRole> role_;
};

}  // namespace emissary::hub::client
