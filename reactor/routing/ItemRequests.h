// reactor/routing: the application's requests on items: opened, changed, closed.
#pragma once

#include "routing/OneLogin.h"
#include "routing/Placement.h"
#include "routing/RoutedItems.h"
#include "watchlist/DeadlineQueue.h"

#include <span>
#include <string>

namespace emissary::reactor::routing {

class ItemRequests {
public:
    /// All belong to the router.
    struct Parts {
        RequestTable& requests;
        SessionTable& sessions;
        WantedServices& wanted;
        RoutedItems& items;
        Placement& placement;
        const OneLogin& login;
    };
    ItemRequests(Reactor& reactor, const consumer::ConsumerOptions& options, const Parts& parts);

    Handle open(const RequestView& request, std::span<const std::string> services, const Subscriber& subscriber,
                Refusal& refusal);
    [[nodiscard]] Refusal reissue(Item& item, const RequestView& request);
    void close(Item& item);

private:
    using Msg = eta::codec::Msg;
    [[nodiscard]] Item* awaiting(Handle handle) noexcept;
    Handle openOne(const Msg& msg, Wanted* wanted, const Subscriber& subscriber, Refusal& refusal);
    Handle openBatch(const RequestView& request, Wanted* wanted, const Subscriber& subscriber, Refusal& refusal);
    Handle openLocal(const RequestView& request, const Subscriber& subscriber, Refusal& refusal);
    /// No session can serve it now: it waits, or is refused.
    [[nodiscard]] Refusal openLater(Item& item, const Msg& msg, std::string_view why);
    /// The batch's own status, which acknowledges or refuses it.
    [[nodiscard]] bool answerBatch(Request& batch, const Msg& msg, Wanted* wanted);
    /// The service of a reissue is one that an item that no session serves now was opened for.
    [[nodiscard]] static bool mayName(const Item& item, const RequestView& reissue) noexcept;
    /// What is wrong with the reissue of an item that no session has.
    [[nodiscard]] static Refusal checkReissue(const Item& item, const Msg& was, const Msg& reissue);

    const bool localDictionary_;  // dictionaries are read from files
    RequestTable& requests_;
    SessionTable& sessions_;
    WantedServices& wanted_;
    RoutedItems& items_;
    Placement& placement_;
    const OneLogin& login_;
    consumer::DeadlineQueue<Handle> unseen_;  // items of services that were never seen, when that may last so long only
};

}  // namespace emissary::reactor::routing
