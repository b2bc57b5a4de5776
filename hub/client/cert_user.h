// hub/client: users by the certificate of their connection (hub.md 11.1).
#pragma once

#include "eta/transport/options.h"
#include "hub/client/LoginCheck.h"
#include "hub/config/HubSettings.h"

#include <optional>
#include <string>

namespace emissary::hub::client {

/// The certificate of the client itself; null: it has none, or a trusted proxy is in between, whose own one says
/// nothing about who is behind it.
[[nodiscard]] const eta::transport::PeerCertificate*
certificateOf(const eta::transport::ChannelInfo& connection) noexcept;
/// What the question about a login says of it.
void addCertificate(const eta::transport::ChannelInfo& connection, LoginAsk& ask);

/// Why that user may not log in over the connection, for the log: the certificate names somebody else, or nobody.
/// Nothing: the user may; one that has no name yet has the certificate's from now on. With CertUser none, and without a
/// certificate, everybody may.
[[nodiscard]] std::optional<std::string> takeCertUser(CertUser part, const eta::transport::ChannelInfo& connection,
                                                      std::string& user);

}  // namespace emissary::hub::client
