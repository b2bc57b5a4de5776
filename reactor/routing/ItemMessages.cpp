#include "routing/ItemMessages.h"

namespace emissary::reactor::routing {

using namespace eta::codec;
using K = Refusal::Kind;

bool ItemMessages::toSession(Msg& msg, const Session& s, Refusal& refusal) const {
    if (!msg.hasKey() || !msg.key.has(KeyFlag::serviceId)) return true;
    const MergedService* service = merged_.find(msg.key.serviceId);
    const rdm::Service* member = service != nullptr ? merged_.member(*service, s.index) : nullptr;
    if (member != nullptr) {
        msg.key.serviceId = member->id;
        return true;
    }
    refusal.set(K::invalidUsage,
                "Service id of '" + std::to_string(msg.key.serviceId) + "' is not found" +
                    (service == nullptr || s.name.empty() ? "." : " on session channel '" + s.name + "'."));
    return false;
}

void ItemMessages::submitGeneric(Item& item, const Msg& msg, Refusal& refusal) {
    if (item.inner == 0)
        return refusal.set(K::invalidUsage, "The stream is not established (no refresh yet, or suspect).");
    Msg out = msg;
    if (toSession(out, *item.session, refusal)) item.session->role->submitGeneric(item.inner, out, refusal);
}

void ItemMessages::submitPost(Item& item, const Msg& msg, std::string_view serviceName, Refusal& refusal) {
    if (item.inner == 0)
        return refusal.set(K::invalidUsage, "The stream is not established (no refresh yet, or suspect).");
    Msg out = msg;
    if (serviceName.data() != nullptr || toSession(out, *item.session, refusal))
        item.session->role->submitPost(item.inner, out, serviceName, refusal);
}

void ItemMessages::submitOffStream(const Msg& msg, std::string_view serviceName, Refusal& refusal) {
    const bool byId = msg.hasKey() && msg.key.has(KeyFlag::serviceId);
    Session* first = nullptr;
    for (const auto& s : sessions_) {
        if (!s->loggedIn) continue;
        if (first == nullptr) first = s.get();
        for (const auto& service : merged_.services()) {
            if (serviceName.data() != nullptr ? service->name != serviceName
                                              : !byId || service->id != msg.key.serviceId)
                continue;
            const rdm::Service* member = merged_.member(*service, s->index);
            if (member == nullptr || !member->state.up) continue;
            Msg out = msg;
            if (serviceName.data() == nullptr) out.key.serviceId = member->id;
            return s->role->submitPost(s->login, out, serviceName, refusal);
        }
    }
    if (first == nullptr) return refusal.set(K::invalidUsage, "The login stream is not open.");
    Msg out = msg;
    if (serviceName.data() != nullptr || toSession(out, *first, refusal))
        first->role->submitPost(first->login, out, serviceName, refusal);
}

void ItemMessages::submitToAll(bool onLogin, const Msg& msg, Refusal& refusal) {
    bool sent = false;
    Refusal first;
    for (const auto& s : sessions_) {
        const Handle stream = onLogin ? s->login : s->directory;
        if (!s->loggedIn || stream == 0) continue;
        Refusal each;
        s->role->submitGeneric(stream, msg, each);
        if (!each) sent = true;
        else if (!first) first = each;
    }
    if (sent) return;
    if (!first) first.set(K::invalidUsage, "The login stream is not open.");
    refusal = first;
}

}  // namespace emissary::reactor::routing
