// Certificates of servers that are replaced while the process runs (transport.md 4).
#pragma once

#include "eta/core/Refused.h"

#include <vector>

namespace emissary::eta::transport {

/// Every listening socket of the process that speaks TLS reads its certificate and key again, under the names that it
/// was made with. Connections there are go on with the old ones; new ones get the new ones. A listener whose files
/// cannot be used keeps what it has, and there is a text about it that names the file: none means that all is well.
/// Reads files; any thread.
[[nodiscard]] std::vector<Refused> renewCertificates();

}  // namespace emissary::eta::transport
