// eta/transport/tls: certificates of clients: what they say of their owner, and why one is refused (transport.md 4).
#pragma once

#include "eta/transport/options.h"
#include "transport/stream/ByteStream.h"

#include <string>

#include <openssl/x509.h>

namespace emissary::eta::transport {

/// Names that cannot be a user's (control characters, more than 256 bytes) are left out.
[[nodiscard]] PeerCertificate read(const X509& certificate);

/// Who has signed it, as PeerCertificate::subject is written.
[[nodiscard]] std::string issuerOf(const X509& certificate);
[[nodiscard]] std::string issuerOf(const X509_CRL& list);

/// Whether that error of a verification is about a list of revoked certificates, and not about a certificate.
[[nodiscard]] bool isListFault(int error) noexcept;
/// Whether a list that names its issuer has it as revoked.
[[nodiscard]] bool isListed(const X509& certificate, X509_STORE_CTX& chain) noexcept;

/// Of a handshake that failed at a server that asks for certificates: OpenSSL's first error, and the result of the
/// verification. none: it has failed for another reason.
[[nodiscard]] CertificateFault faultOf(unsigned long error, long verified) noexcept;

/// At a client: what to do about an error that a server sends because of the client's certificate; else empty.
[[nodiscard]] std::string hintOf(unsigned long error, bool hasCertificate);

}  // namespace emissary::eta::transport
