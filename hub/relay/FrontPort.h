// One listener's connections at one front.
#pragma once

#include "hub/client/WebRules.h"
#include "hub/core/Client.h"
#include "hub/relay/Departures.h"
#include "reactor/provider/ProviderRole.h"

#include <string>

namespace emissary::hub::relay {

class Front;

/// Accepts, converts JSON, keeps the login gate and answers dictionaries; everything else goes to the stage. On the
/// front's thread, or with its session lock.
class FrontPort final : public reactor::ProviderHandler, public ServingSide {
public:
    FrontPort(Front& front, std::uint8_t listener, const reactor::ProviderOptions& options, bool expandsEnums,
              const client::WebRules& web);

    [[nodiscard]] reactor::ProviderRole& role() noexcept { return role_; }
    void collect(reactor::metrics::Snapshot& into, bool ofListener) const { role_.collect(into, ofListener); }
    /// The client's connection ends; its port is this one.
    void end(Client& client, const client::Ending& ending);
    [[nodiscard]] static FrontPort& of(const Client& client) noexcept {
        return static_cast<FrontPort&>(*client.session);
    }

private:
    using Msg = eta::codec::Msg;
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
    void onClientEnding(std::uint64_t clientHandle, void* context, const reactor::ClientFarewell& farewell) override;
    void onHandshakeFailed(const std::string& reason, std::uint64_t suppressed) override;
    void onRefused(std::uint64_t clientHandle, const std::string& text) override;
    void onProviderLogin(const reactor::ItemClient& client, std::unique_ptr<reactor::Link> link,
                         eta::Bytes login) override;

    void pass(ToStage::Kind kind, const reactor::StreamEvent& event, const Msg& msg);
    /// The batch would open streams with ids that the role has given away.
    [[nodiscard]] bool collides(const Client& client, const Msg& batch) const;
    [[nodiscard]] ToStage record(ToStage::Kind kind) const noexcept {
        ToStage r;
        r.kind = kind;
        r.listener = listener_;
        return r;
    }

    Front& front_;
    const std::uint8_t listener_;
    const bool expandsEnums_;
    const client::WebRules& web_;                         // the listener's, which outlives it
    client::EndReason ending_ = client::EndReason::lost;  // of the client whose connection is being ended
    Departures departures_;
    reactor::ProviderRole role_;
};

}  // namespace emissary::hub::relay
