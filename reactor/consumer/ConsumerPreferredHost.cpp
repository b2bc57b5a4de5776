// Returning to the preferred channel (ema-config.md 9).
#include "consumer/ConsumerRoleImpl.h"

namespace emissary::reactor::consumer {

bool ConsumerRole::Impl::onPreferred() const noexcept {
    const PreferredHost& p = preferred.options();
    // Within a group the preferred server is the one it starts with; between groups the group itself counts.
    const std::uint32_t group = channel().standbyGroup;
    if (p.withinGroup) return group == 0 || server.index() == standby.startingActive(group);
    const std::uint32_t wanted = options.channels[p.channel].standbyGroup;
    return wanted != 0 ? group == wanted : server.index() == p.channel;
}

/// Time to look whether the preferred server is there again. A connection that works stays until that one is made.
void ConsumerRole::Impl::preferredCheckDue() {
    const PreferredHost& p = preferred.options();
    if (!p.enabled || onPreferred()) return;
    switch (phase()) {
    case Phase::idle:
    case Phase::closed:
    case Phase::connecting:
    case Phase::loggingIn:
        return;  // what is being tried decides
    case Phase::backingOff:
        if (!p.withinGroup) server.select(p.channel);  // the next attempt
        return;
    case Phase::directory:
    case Phase::dictionaries:
    case Phase::ready:
        break;
    }
    if (!p.withinGroup) return preferred.reach();
    // Taking over before ready would exchange a server that has not shown what it serves.
    if (phase() == Phase::ready)
        (void)standby.takeOver("the preferred server is back", standby.startingActive(channel().standbyGroup));
}

void ConsumerRole::Impl::preferredUp(std::unique_ptr<Link> fresh) {
    if (phase() == Phase::closed || onPreferred()) return;
    // The login is closed first, so the old server does not wait for this consumer (rdm.md 2.4).
    const std::size_t to = preferred.options().channel;
    if (server.link() != nullptr) login.sendClose();
    server.moveTo(to, std::move(fresh), "left for the preferred channel " + options.channels[to].name);
}

void ConsumerRole::Impl::preferredFailed(const std::string& preferredWhere, const std::string& text) {
    sink.onWarning(preferredWhere + " cannot be reached, " + server.where() + " stays: " + text);
}

}  // namespace emissary::reactor::consumer
