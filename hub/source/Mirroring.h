// Sources of services in hot mode are told which of them serves and which stands by (hub.md 4.1).
#pragma once

#include "hub/core/Service.h"

#include <cstdint>
#include <map>
#include <utility>

namespace emissary::hub::source {

/// What each source was told of each service, so that it is told again only of something else. A source that serves
/// goes on doing so until it is lost, whatever the order: as its items do. On the reactor's thread.
class Mirroring {
public:
    /// Offers of the service have come, gone or changed.
    void look(const Service& service);
    /// The source does not offer the service any more, and forgets what it was told; the others may hear of it.
    void lost(const Service& service, const Source& source) {
        told_.erase({service.id, &source});
        look(service);
    }

private:
    /// SourceMirroringMode (rdm.md 3.5).
    enum class Mode : std::uint8_t { activeAlone = 0, activeWithStandby = 1, standby = 2 };
    [[nodiscard]] const Source* activeOf(const Service& service) const noexcept;

    std::map<std::pair<std::uint16_t, const Source*>, Mode> told_;
};

}  // namespace emissary::hub::source
