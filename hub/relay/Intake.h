// What the fronts hand to the stage: connections, and messages of their clients.
#pragma once

#include "hub/relay/Line.h"
#include "reactor/Reactor.h"

#include <vector>

namespace emissary::hub::client {
class Listener;
}

namespace emissary::hub::relay {

/// Takes records from the ring of a line and calls the listener that each record names. Stage thread only.
class Intake {
public:
    Intake(reactor::Reactor& reactor, StageCounts& counts) noexcept : reactor_(reactor), counts_(counts) {}

    /// The listener's number in records.
    [[nodiscard]] std::uint8_t add(client::Listener& listener);
    /// Some records of the line; its wake-up stays signalled while there are more.
    void takeFrom(Line& line) noexcept;
    /// The batch that is being handled would take ids of the role's streams.
    [[nodiscard]] bool collides() const noexcept { return collides_; }

private:
    void take(Line& line, const ToStage& record);
    void arrived(Line& line, const ToStage& record);
    void published(client::Listener& listener, const DetachedConnection& detached);

    reactor::Reactor& reactor_;
    StageCounts& counts_;
    std::vector<client::Listener*> listeners_;
    eta::codec::Msg inbound_;
    bool collides_ = false;
};

}  // namespace emissary::hub::relay
