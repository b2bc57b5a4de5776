// Compares the user of a login with the names in the certificate that its connection came with.
#include "hub/client/cert_user.h"

#include "eta/core/printable.h"

#include <algorithm>
#include <span>

namespace emissary::hub::client {

const eta::transport::PeerCertificate* certificateOf(const eta::transport::ChannelInfo& connection) noexcept {
    return connection.proxyAddress.empty() ? connection.certificate.get() : nullptr;
}

void addCertificate(const eta::transport::ChannelInfo& connection, LoginAsk& ask) {
    const auto* const certificate = certificateOf(connection);
    if (certificate == nullptr) return;
    ask.certSubject = certificate->subject;
    ask.certNames = certificate->names;
}

std::optional<std::string> takeCertUser(CertUser part, const eta::transport::ChannelInfo& connection,
                                        std::string& user) {
    const auto* const certificate = certificateOf(connection);
    if (part == CertUser::none || certificate == nullptr) return {};
    std::span<const std::string> names(&certificate->commonName, certificate->commonName.empty() ? 0 : 1);
    if (part == CertUser::san) names = certificate->names;
    const std::string of = "the client's certificate [" + eta::printable(certificate->subject) + "] ";
    if (names.empty())
        return of + (part == CertUser::san ? "has no alternative name that could be a user's"
                                           : "has no common name that could be a user's");
    // Which of several names is meant, a login without one leaves open; the first stands for all.
    if (user.empty()) user = names.front();
    if (std::ranges::find(names, user) != names.end()) return {};
    return of + "does not name user '" + eta::printable(user) + "'";
}

}  // namespace emissary::hub::client
