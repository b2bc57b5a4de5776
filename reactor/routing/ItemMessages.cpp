// Sends generic messages and posts to the session that serves the item, or to all.
#include "routing/ItemMessages.h"

#include <utility>

namespace emissary::reactor::routing {

using namespace eta::codec;
using K = Refusal::Kind;

Refusal ItemMessages::toSession(Msg& msg, const Session& s) const {
    if (!msg.hasKey() || !msg.key.has(KeyFlag::serviceId)) return {};
    const MergedService* service = merged_.find(msg.key.serviceId);
    const rdm::Service* member = service != nullptr ? merged_.member(*service, s.index) : nullptr;
    if (member != nullptr) {
        msg.key.serviceId = member->id;
        return {};
    }
    return {K::invalidUsage,
            "Service id of '" + std::to_string(msg.key.serviceId) + "' is not found" +
                (service == nullptr || s.name.empty() ? "." : " on session channel '" + s.name + "'.")};
}

Refusal ItemMessages::submitGeneric(Item& item, const Msg& msg) {
    if (item.inner == 0) return {K::invalidUsage, "The stream is not established (no refresh yet, or suspect)."};
    Msg out = msg;
    if (Refusal refusal = toSession(out, *item.session)) return refusal;
    return item.session->role->submitGeneric(item.inner, out);
}

Refusal ItemMessages::submitPost(Item& item, const Msg& msg, std::string_view serviceName) {
    if (item.inner == 0) return {K::invalidUsage, "The stream is not established (no refresh yet, or suspect)."};
    Msg out = msg;
    if (serviceName.data() == nullptr)
        if (Refusal refusal = toSession(out, *item.session)) return refusal;
    return item.session->role->submitPost(item.inner, out, serviceName);
}

Refusal ItemMessages::submitOffStream(const Msg& msg, std::string_view serviceName) {
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
            return s->role->submitPost(s->login, out, serviceName);
        }
    }
    if (first == nullptr) return {K::invalidUsage, "The login stream is not open."};
    Msg out = msg;
    if (serviceName.data() == nullptr)
        if (Refusal refusal = toSession(out, *first)) return refusal;
    return first->role->submitPost(first->login, out, serviceName);
}

Refusal ItemMessages::submitToAll(bool onLogin, const Msg& msg) {
    bool sent = false;
    Refusal first;
    for (const auto& s : sessions_) {
        const Handle stream = onLogin ? s->login : s->directory;
        if (!s->loggedIn || stream == 0) continue;
        Refusal each = s->role->submitGeneric(stream, msg);
        if (!each) sent = true;
        else if (!first) first = std::move(each);
    }
    if (sent) return {};
    return first ? first : Refusal{K::invalidUsage, "The login stream is not open."};
}

}  // namespace emissary::reactor::routing
