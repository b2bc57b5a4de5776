// Connections that leave the thread that accepted them: publishers on ports for any role (AnyRole).
#pragma once

#include "hub/relay/records.h"
#include "reactor/Reactor.h"
#include "reactor/rdm/Directory.h"

#include <list>
#include <memory>

namespace emissary::hub::relay {

class Front;

/// A publisher's login is found in the middle of reading its connection, which can leave only after that. Until then
/// messages are kept in order: the rest of a JSON text, and those that the peer sent without waiting for the answer.
/// Front's thread only, with the front's session lock held. It posts calls of its own to the front's loop, whose thread
/// has ended when ports are destroyed (Front::~Front()).
class Departures {
public:
    Departures(Front& front, std::uint8_t listener) noexcept : front_(front), listener_(listener) {}

    /// The connection goes to the stage soon, with its login before everything else. Throws std::bad_alloc.
    void begin(std::unique_ptr<reactor::Link> link, eta::Bytes login);

private:
    struct Leaving final : reactor::LinkHandler {
        explicit Leaving(Departures& d) noexcept : departures(d) {}
        void onLinkUp(reactor::Link&) override {}
        void onLinkMessage(reactor::Link& link, eta::Bytes message) override;
        void onLinkDown(reactor::Link& link, const std::string& reason, bool refused) override;
        [[nodiscard]] reactor::JsonSources jsonSources() const noexcept override;
        void keep(eta::Bytes message) { detached->messages.emplace_back(message.begin(), message.end()); }

        Departures& departures;
        std::unique_ptr<DetachedConnection> detached = std::make_unique<DetachedConnection>();
        reactor::rdm::Directory services;  // its own, by which its messages name them
        std::unique_ptr<reactor::Link> link;
    };
    /// All that are there now, but for those in the middle of a text.
    void depart();

    Front& front_;
    const std::uint8_t listener_;
    std::list<Leaving> leaving_;
};

}  // namespace emissary::hub::relay
