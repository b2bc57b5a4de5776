// Returning to the preferred channel (ema-config.md 9).
#include "consumer/ConsumerRoleImpl.h"

namespace emissary::reactor::consumer {

/// The server that its group starts with as the active one.
std::size_t ConsumerRole::Impl::startingActive(std::uint32_t group) const noexcept {
    std::size_t first = 0;
    while (options.channels[first].standbyGroup != group)
        ++first;
    return first;
}

bool ConsumerRole::Impl::onPreferred() const noexcept {
    const PreferredHost& p = preferred.options();
    const std::uint32_t group = options.channels[current].standbyGroup;
    if (p.withinGroup) return group == 0 || current == startingActive(group);
    const std::uint32_t wanted = options.channels[p.channel].standbyGroup;
    return wanted != 0 ? group == wanted : current == p.channel;
}

void ConsumerRole::Impl::preferredCheckDue() {
    const PreferredHost& p = preferred.options();
    if (!p.enabled || onPreferred()) return;
    switch (phase) {
    case Phase::idle:
    case Phase::closed:
    case Phase::connecting:
    case Phase::loggingIn:
        return;  // what is being tried decides
    case Phase::backingOff:
        if (!p.withinGroup) current = p.channel;  // the next attempt
        return;
    case Phase::directory:
    case Phase::dictionaries:
    case Phase::ready:
        break;
    }
    if (!p.withinGroup) return preferred.reach(options.channels[p.channel].connect);
    if (phase == Phase::ready)
        (void)takeOver("the preferred server is back", startingActive(options.channels[current].standbyGroup));
}

void ConsumerRole::Impl::preferredUp(std::unique_ptr<Link> fresh) {
    if (phase == Phase::closed || onPreferred()) return;
    reactor.cancelTimer(std::exchange(reconnectTimer, 0));
    const std::size_t to = preferred.options().channel;
    if (link && link->active()) login.sendClose();
    sender.attach(nullptr);
    link.reset();
    if (phase != Phase::backingOff) goDown("left for the preferred channel " + options.channels[to].name);
    if (phase != Phase::backingOff || link) return;  // a callback shut everything down
    current = to;
    link = std::move(fresh);
    link->setHandler(*this);
    if (!link->active()) return lost("the preferred channel was lost again");
    onLinkUp(*link);
}

void ConsumerRole::Impl::preferredFailed(const std::string& text) {
    const ConsumerChannel& c = options.channels[preferred.options().channel];
    sink.onWarning("preferred channel " + c.name + " (" + c.connect.host + ":" + c.connect.port +
                   ") cannot be reached, " + where() + " stays: " + text);
}

}  // namespace emissary::reactor::consumer
