// Generic messages of clients on their way to sources (hub.md 7.4).
#pragma once

#include "hub/core/Client.h"
#include "hub/core/Service.h"
#include "hub/post/post_counts.h"

namespace emissary::hub::post {

/// The other direction needs no router: what sources send on items goes through ItemFlow. Stage thread only.
class GenericRouter {
public:
    GenericRouter(ServiceTable& services, Counts& counts) noexcept : services_(services), counts_(counts) {}
    /// `item` null: on the login stream.
    void take(Item* item, const Msg& msg);

private:
    void onItem(Item& item, const Msg& msg);
    void onLogin(const Msg& msg);

    ServiceTable& services_;
    Counts& counts_;
};

}  // namespace emissary::hub::post
