// How clients use services, as they say by ConsumerStatus on a directory stream (hub.md 2.2).
#pragma once

#include "hub/client/Context.h"

namespace emissary::hub::client {

class Pace;

/// Keeps one mode for each client and service that the client knows of, until its login is over or the service is gone.
/// A service-based warm standby gets no updates of the service until it becomes the active one; a mirroring standby
/// gets all of them, since it keeps an image of its own. Stage thread only.
class ServiceUses {
public:
    ServiceUses(Context& context, Pace& pace) noexcept : context_(context), pace_(pace) {}

    void onMessage(Client& client, const Msg& message);
    /// The client's login was closed, or it is gone.
    void forget(Client& client) noexcept;
    /// The service's id may be another one's from now on.
    void serviceGone(std::uint16_t service) noexcept;

private:
    using Use = reactor::rdm::ServiceUse;
    using Uses = std::vector<reactor::rdm::UsedService>;
    struct Said {
        std::uint16_t service;
        std::optional<Use> use;  ///< empty: what was said before is taken back
    };
    struct Change {
        bool quiet = false;                 ///< the client is a standby of one more service
        std::vector<std::uint16_t> active;  ///< services of which it is none any more, sorted
    };
    /// Of several entries for one service the last counts.
    [[nodiscard]] Change take(Client& client, std::vector<Said>& said);
    void drop(Client& client, Uses::iterator at) noexcept;
    [[nodiscard]] const char* refusal(const Client& client, std::uint16_t service) const noexcept;

    Context& context_;
    Pace& pace_;
};

}  // namespace emissary::hub::client
