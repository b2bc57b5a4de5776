// reactor/routing: the parts of a router, and how they stand on each other.
#pragma once

#include "routing/ItemDelivery.h"
#include "routing/ItemMessages.h"
#include "routing/ItemRequests.h"
#include "routing/OneDirectory.h"
#include "routing/OneLogin.h"
#include "routing/Placement.h"
#include "routing/RoutedItems.h"
#include "routing/RoutedTunnels.h"
#include "routing/SessionTable.h"
#include "routing/WantedServices.h"
#include "session/Sender.h"

namespace emissary::reactor::routing {

/// Built from top to bottom: a part uses those above it.
struct Router::Impl final : private MemoryOwner {
    Impl(Reactor& r, RouterOptions o, consumer::ConsumerSink& s);
    ~Impl();

    // What sessions say of themselves.
    void onEvent(Session& s, ConnectionEvent event, const std::string& text);
    void onReady(Session& s);
    void onClosed(Session& s);
    void onLogin(Session& s, const eta::codec::Msg& msg);
    void onLoginAck(const Session& s, const eta::codec::Msg& msg, std::string_view serviceName);
    void onDirectory(Session& s, bool there);

    /// What every session that is not closed has to say; empty when one has nothing.
    [[nodiscard]] std::string ofSessions(const std::function<std::string(const ConsumerRole&)>& say) const;

    void trimMemory() noexcept override;
    [[nodiscard]] std::size_t places() const noexcept override { return requests.capacity() + items.places(); }

    Reactor& reactor;
    consumer::ConsumerSink& sink;
    const consumer::ConsumerOptions options;  // of the first session
    RequestTable requests;
    session::Sender nowhere;  // login and directory stand on the sessions' streams
    SessionTable sessions;
    OneLogin login;
    OneDirectory directory;
    WantedServices wanted;
    RoutedItems items;
    Placement placement;
    ItemRequests itemRequests;
    ItemMessages messages;
    ItemDelivery delivery;
    RoutedTunnels tunnels;
    std::shared_ptr<const eta::dictionary::Dictionary> dictionary;
    std::string lastReason;
};

}  // namespace emissary::reactor::routing
