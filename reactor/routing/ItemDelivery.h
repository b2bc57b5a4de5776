// Messages of sessions about items, in the form for the application.
#pragma once

#include "routing/OneLogin.h"
#include "routing/Placement.h"
#include "routing/RoutedItems.h"

namespace emissary::reactor::routing {

class ItemDelivery {
public:
    /// `recoverElsewhere`: items of a session that is lost go to another one at once.
    ItemDelivery(bool recoverElsewhere, consumer::ConsumerSink& sink, RequestTable& requests,
                 const SessionTable& sessions, RoutedItems& items, Placement& placement, const OneLogin& login) noexcept
        : recoverElsewhere_(recoverElsewhere), sink_(sink), requests_(requests), sessions_(sessions), items_(items),
          placement_(placement), login_(login) {}

    void onItem(Session& s, const eta::codec::Msg& msg, Item& item, std::string_view serviceName);

private:
    [[nodiscard]] bool leaves(const Session& s, const eta::codec::Msg& msg, const Item& item) const;
    /// Applies a refresh or status to the item, before the application's callback.
    void takeEffect(Session& s, const eta::codec::Msg& msg, Item& item, bool isData, eta::codec::Msg& out);

    const bool recoverElsewhere_;
    consumer::ConsumerSink& sink_;
    RequestTable& requests_;
    const SessionTable& sessions_;
    RoutedItems& items_;
    Placement& placement_;
    const OneLogin& login_;
};

}  // namespace emissary::reactor::routing
