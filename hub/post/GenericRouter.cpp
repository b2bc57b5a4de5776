// Finds the source that a generic message is for, and sends it there.
#include "hub/post/GenericRouter.h"

#include <algorithm>

namespace emissary::hub::post {

using namespace eta::codec;

void GenericRouter::take(Item* item, const Msg& msg) {
    if (item != nullptr) return onItem(*item, msg);
    onLogin(msg);
}

void GenericRouter::onItem(Item& item, const Msg& msg) {
    const Service* const service = services_.find(item.service);
    // Publishers get generic messages only where ForwardGenerics asks for it (hub.md 7.4).
    const bool publisher = item.source != nullptr && item.source->kind().publishes;
    const bool wanted = !publisher || (service != nullptr && service->policy.forwardGenerics);
    Msg out = msg;
    // The bytes that came have the client's stream: the message is encoded anew.
    out.raw = {};
    if (wanted && item.source != nullptr && item.source->generic(&item, out).ok()) ++counts_.generics;
    else ++counts_.genericsDropped;
}

/// To every source of the service that the key names; without one it is for nobody.
void GenericRouter::onLogin(const Msg& msg) {
    const bool names = msg.hasKey() && msg.key.has(KeyFlag::serviceId);
    Service* const service = names ? services_.find(msg.key.serviceId) : nullptr;
    bool sent = false;
    const auto send = [&](const Offer& offer) {
        if (!offer.usable()) return;
        Msg out = msg;
        out.raw = {};
        // Each source has a number of its own for the service.
        out.key.serviceId = offer.id;
        sent = offer.source->generic(nullptr, out).ok() || sent;
    };
    if (service != nullptr) {
        std::ranges::for_each(service->offers, send);
        if (service->policy.forwardGenerics) std::ranges::for_each(service->publishers, send);
        // As an off-stream post: to another hub where no source of this one offers the service.
        if (!service->servedHere()) send(service->mesh);
    }
    if (sent) ++counts_.generics;
    else ++counts_.genericsDropped;
}

}  // namespace emissary::hub::post
