// Certificates of servers: checked before a listener starts, replaced while the process runs (transport.md 4).
#pragma once

#include "eta/core/Refused.h"
#include "eta/transport/options.h"

#include <string>
#include <vector>

namespace emissary::eta::transport {

/// Checks the certificate and key of a server.
struct CertificateCheck {
    Refused refused;      ///< what a listener with these options would be refused for
    std::string warning;  ///< it has expired, will within two weeks, or is not valid yet, with the date; empty: none
};

/// Reads certificate, key and DH parameters of a server by the same function as a listener that starts, and opens no
/// socket. Reads files; any thread.
[[nodiscard]] CertificateCheck checkCertificate(const TlsOptions& options);

/// Every listening socket of the process that speaks TLS reads its certificate and key again, under the names that it
/// was made with. Connections there are go on with the old ones; new ones get the new ones. A listener whose files
/// cannot be used keeps what it has, and there is a text about it that names the file: none means that all is well.
/// Reads files; any thread.
[[nodiscard]] std::vector<Refused> renewCertificates();

}  // namespace emissary::eta::transport
