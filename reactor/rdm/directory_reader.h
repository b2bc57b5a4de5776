// Reading one service of a directory payload into the model.
#pragma once

#include "eta/codec/SetDefinitions.h"
#include "eta/codec/containers.h"
#include "reactor/rdm/Directory.h"

namespace emissary::reactor::rdm {

/// What reading one service entry did. States and group ids are views of the payload.
struct ServiceChanges {
    enum class Kind : std::uint8_t { serviceStatus, groupMerged, groupStatus };
    struct Event {
        Kind kind = Kind::serviceStatus;
        Bytes group, into;
        eta::codec::State state;
    };
    std::uint32_t filters = 0;
    std::vector<Event> events;
    void clear() noexcept {
        filters = 0;
        events.clear();
    }
};

/// Lays a service's filter list over `service` (Set replaces, Update changes, Clear forgets). On an error the service
/// is left half changed: check on a scratch service first. `changes` may be null.
[[nodiscard]] Error readService(Bytes filterList, const eta::codec::SetDefinitionDb* sets, Service& service,
                                ServiceChanges* changes);

}  // namespace emissary::reactor::rdm
