// Opens the sessions in turn, and answers questions about all of them together.
#include "routing/SessionTable.h"

#include <algorithm>
#include <utility>

namespace emissary::reactor::routing {

void SessionTable::open(Router::Impl& router, std::vector<SessionChannel> channels) {
    for (SessionChannel& channel : channels)
        sessions_.push_back(std::make_unique<Session>(router, sessions_.size(), std::move(channel)));
}

bool SessionTable::othersLoggedIn(const Session& s) const noexcept {
    return std::any_of(sessions_.begin(), sessions_.end(), [&](const auto& o) { return o.get() != &s && o->loggedIn; });
}

bool SessionTable::othersAlive(const Session& s) const noexcept {
    return std::any_of(sessions_.begin(), sessions_.end(),
                       [&](const auto& o) { return o.get() != &s && !o->closed(); });
}

bool SessionTable::allClosed() const noexcept {
    return std::all_of(sessions_.begin(), sessions_.end(), [](const auto& s) { return s->closed(); });
}

bool SessionTable::refused() const noexcept {
    return allClosed() &&
           std::any_of(sessions_.begin(), sessions_.end(), [](const auto& s) { return s->role->loginRefused(); });
}

bool SessionTable::anyConnected() const noexcept {
    return std::any_of(sessions_.begin(), sessions_.end(), [](const auto& s) { return s->role->link() != nullptr; });
}

bool SessionTable::anyDirectory() const noexcept {
    return std::any_of(sessions_.begin(), sessions_.end(), [](const auto& s) { return s->hasDirectory; });
}

Phase SessionTable::phase() const noexcept {
    const auto rank = [](Phase p) {
        switch (p) {
        case Phase::closed:
            return 0;
        case Phase::idle:
            return 1;
        case Phase::backingOff:
            return 2;
        case Phase::connecting:
            return 3;
        case Phase::loggingIn:
            return 4;
        case Phase::directory:
            return 5;
        case Phase::dictionaries:
            return 6;
        case Phase::ready:
            return 7;
        }
        return 0;
    };
    Phase best = Phase::closed;
    for (const auto& s : sessions_)
        if (rank(s->role->phase()) > rank(best)) best = s->role->phase();
    return best;
}

std::size_t SessionTable::current() const noexcept {
    if (delivering != nullptr) return delivering->index;
    for (const auto& s : sessions_)
        if (s->role->link() != nullptr) return s->index;
    return 0;
}

}  // namespace emissary::reactor::routing
