// config/options: the defaults of user name and position in logins (rdm.md 2.1).
#pragma once

#include <string>

namespace emissary::parameters {

/// The name of the user that the process runs as; "user" when the system does not know it.
[[nodiscard]] std::string operatingSystemUser();
/// The first address that is not loopback, 127.0.0.1 without one. No name look-up, so it cannot block.
[[nodiscard]] std::string ownAddress();
/// "ADDRESS/net".
[[nodiscard]] std::string ownPosition();

}  // namespace emissary::parameters
