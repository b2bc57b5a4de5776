// The contents of a login request (rdm.md 2), for every role that sends one.
#pragma once

#include "reactor/rdm/Login.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace emissary::reactor::session {

/// How long an answer to a request may take before the request is closed and made again (session.md section 2).
inline constexpr std::chrono::milliseconds kRequestTimeout{15000};

/// User and attributes of a login.
struct LoginOptions {
    std::string userName;
    std::uint8_t userNameType = rdm::LoginNameType::userName;
    std::vector<std::byte> attributes;  ///< element list (rdm::encodeLogin)
    bool enableRtt = false;             ///< round-trip probes of the server are answered
    /// A first login that is answered ClosedRecover is tried again as after a lost connection, on the next channel;
    /// else it is refused for good.
    bool recoversFirst = false;
};

/// Logs in with this token: it becomes the element AuthenticationToken, in the place of one that was there, and the
/// name says nothing (rdm.md 2.1). False, and nothing has changed, when the attributes become too long for a key, or
/// are no element list.
[[nodiscard]] bool useToken(LoginOptions& login, std::string_view token);
/// The same for a login whose name is its token, as older programs make it; does nothing to others.
[[nodiscard]] bool settleToken(LoginOptions& login);

}  // namespace emissary::reactor::session
