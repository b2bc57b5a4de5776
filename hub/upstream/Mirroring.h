// Tells the sources of services in hot mode which source serves and which stands by (hub.md 4.1).
#pragma once

#include "hub/core/Service.h"

#include <cstdint>
#include <map>
#include <utility>

namespace emissary::hub::upstream {

/// Keeps the last mode sent to each source for each service, so that only a change is sent. A source that serves goes
/// on until it is lost, whatever the order of sources, because its items stay there too. Stage thread only.
class Mirroring {
public:
    /// Offers of the service have come, gone or changed.
    void look(const Service& service);
    /// The source no longer offers the service, and has forgotten its mode; other sources may get another mode.
    void lost(const Service& service, const Source& source) {
        told_.erase({service.id, &source});
        look(service);
    }
    /// The source is about to be destroyed.
    void forget(const Source& source) noexcept {
        std::erase_if(told_, [&](const auto& told) { return told.first.second == &source; });
    }

private:
    /// SourceMirroringMode (rdm.md 3.5).
    enum class Mode : std::uint8_t { activeAlone = 0, activeWithStandby = 1, standby = 2 };
    [[nodiscard]] const Source* activeOf(const Service& service) const noexcept;

    std::map<std::pair<std::uint16_t, const Source*>, Mode> told_;
};

}  // namespace emissary::hub::upstream
