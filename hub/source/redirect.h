// The target of a redirection by a source or a publisher, in the numbers of the hub (hub.md 4.3, 4.4).
#pragma once

#include "hub/core/Item.h"
#include "hub/core/Service.h"

namespace emissary::hub::source {

/// A redirection that is not followed, as it goes to clients: the service that its key names is the hub's own number of
/// what the source offers. One that leads to nothing that it offers here ends the item.
inline void translateRedirect(ServiceTable& services, const Source& source, Msg& redirected) {
    using namespace eta::codec;
    constexpr std::uint8_t kSourceUnknown = 15;  // rdm.md 1.2
    if (redirected.state.stream != StreamState::redirected || !redirected.hasKey() ||
        !redirected.key.has(KeyFlag::serviceId))
        return;
    std::uint16_t local = 0;
    services.forEach([&](Service& service) {
        const Offer* const offer = service.offerOf(source);
        if (offer != nullptr && offer->id == redirected.key.serviceId) local = service.id;
    });
    if (local != 0) {
        redirected.key.serviceId = local;
        return;
    }
    redirected.flags &= static_cast<std::uint16_t>(~StatusFlag::msgKey);
    redirected.state = {StreamState::closed, DataState::suspect, kSourceUnknown,
                        eta::asBytes("the source sends this item to a service that it does not offer here")};
}

/// The last message of an item as the status that its clients get: a refresh without an image says no more than its
/// state and, if it leads elsewhere, its key.
inline Msg lastStatus(ServiceTable& services, const Source& source, const Item& item, const Msg& msg) {
    using namespace eta::codec;
    Msg last = msg;
    last.raw = {};
    if (msg.cls != MsgClass::Status) {
        last = {};
        last.cls = MsgClass::Status;
        last.domain = item.domain;
        last.flags = StatusFlag::state;
        if (item.is(Item::isPrivate)) last.flags |= StatusFlag::privateStream;
        last.state = msg.state;
        if (msg.state.stream == StreamState::redirected && msg.hasKey()) {
            last.flags |= StatusFlag::msgKey;
            last.key = msg.key;
        }
    }
    translateRedirect(services, source, last);
    return last;
}

}  // namespace emissary::hub::source
