// reactor/provider: requests of the provider to its clients: dictionaries that a client offers (session.md 5.5).
#pragma once

#include "provider/ClientTable.h"
#include "provider/Outbox.h"
#include "provider/ProviderContext.h"

#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace emissary::reactor {

/// Stream ids count down from -1 on each client, from far below that where the client speaks JSON; handles have an
/// upper half of 0, which no stream's handle has. Every end of a request that this side causes reaches the handler from
/// the loop.
class OwnRequests {
public:
    using Msg = eta::codec::Msg;
    using Asked = ProviderRole::Asked;

    OwnRequests(ProviderContext& context, ClientTable& clients, const rdm::Directory& directory,
                Outbox& outbox) noexcept
        : context_(context), clients_(clients), directory_(directory), outbox_(outbox) {}
    ~OwnRequests();
    OwnRequests(const OwnRequests&) = delete;
    OwnRequests& operator=(const OwnRequests&) = delete;

    // What ProviderRole's functions of these names say.
    [[nodiscard]] Asked request(const Msg& request);
    [[nodiscard]] SubmitResult reissue(std::uint64_t handle, const Msg& request);
    [[nodiscard]] bool cancel(std::uint64_t handle);

    /// Whether a request is open on that stream of the client's.
    [[nodiscard]] bool has(const Session& session, std::int32_t streamId) const noexcept;
    /// A message for a stream id below zero; false when it belongs to no request.
    [[nodiscard]] bool onAnswer(Session& session, const Msg& m);
    /// The client's login has ended. `tell`: now or later.
    void endAllOf(const Session& session, Tell tell, std::string_view text);
    /// The service was deleted.
    void endAllOf(const rdm::Service& service);

private:
    struct OwnRequest {
        std::uint64_t handle = 0, clientHandle = 0;
        std::int32_t streamId = 0;
        bool streaming = false;
        std::optional<std::uint16_t> serviceId;
        bool sent = false;               ///< else it was for a service that there is not
        std::vector<std::byte> message;  ///< the request as sent
        TimerId timer = 0;
    };
    [[nodiscard]] Session* clientToAsk() noexcept;
    [[nodiscard]] Asked refuse(const Msg& request, const std::string& why);
    [[nodiscard]] SubmitResult send(Session& session, OwnRequest& own, const Msg& request);
    void restartTimer(OwnRequest& own);
    void closeStream(const OwnRequest& own);
    /// Tells the handler a status of our own making and forgets the request.
    void end(std::uint64_t handle, std::uint8_t streamState, std::uint8_t code, std::string_view text);
    template <class Affected>
    void endAll(Affected affected, Tell tell, std::string_view text);

    ProviderContext& context_;
    ClientTable& clients_;
    const rdm::Directory& directory_;
    Outbox& outbox_;
    std::map<std::uint64_t, OwnRequest> requests_;  // by handle
};

}  // namespace emissary::reactor
