// hub/config: which parameters change while a hub runs, and how two configurations differ.
#pragma once

#include "hub/config/HubConfig.h"

#include "config/schema/Parameter.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace emissary::hub {

/// What becomes of another value of a parameter when the configuration is read again.
enum class Reload : std::uint8_t {
    live,       ///< the running hub takes it
    reconnect,  ///< the running hub takes it, and makes the connections to the sources that it is about anew
    restart,    ///< the hub goes on with the value that it was started with, and refuses to reload
};

/// Of a parameter in one section. Nothing: the parameter has no mark, which is a mistake in the table of marks.
[[nodiscard]] std::optional<Reload> reloadMark(parameters::SectionMask section, std::string_view parameter) noexcept;

/// One difference between two configurations.
struct Change {
    enum class Kind : std::uint8_t {
        changed,  ///< another value, or another origin of what an entry had from elsewhere
        added,    ///< an entry that was not there; `after` lists what it says
        removed,  ///< an entry that is not there any more; `before` lists what it said
        order,    ///< entries stand in another order, which decides something; `before` and `after` have their names
    };
    Kind kind = Kind::changed;
    std::string section, entry, parameter;  ///< no parameter: the entry as a whole
    std::string before, after;
    bool live = false;  ///< the running hub takes it
    bool anew = false;  ///< it makes connections to sources anew

    /// "Service [TEST_FEED] Conflation: jit -> tradesafe", with "; needs a restart" where the hub does not take it.
    [[nodiscard]] std::string text() const;
    /// "Service [TEST_FEED] Conflation", to name it.
    [[nodiscard]] std::string name() const;
};

/// Services of which an entry comes or goes, and which a running hub makes or deletes with it.
struct ServicesMoved {
    std::vector<std::string> come, go;
};

/// What is different in the second, section by section. A Service entry that comes or goes alone, its service being
/// there before and after, is compared with what holds for services without an entry, parameter by parameter, because
/// that is what the service has or had.
[[nodiscard]] std::vector<Change> changesBetween(const HubConfig& now, const HubConfig& next,
                                                 const ServicesMoved& moved = {});

/// Takes over what may change while a hub runs; all else stays. Lists of ports have to have the same entries in both.
/// Throws std::bad_alloc; `now` is unchanged then.
void takeLive(HubSettings& now, const HubSettings& next);

}  // namespace emissary::hub
