// The login domain: what the attributes of a login request or refresh say (rdm.md section 2).
#pragma once

#include "eta/codec/Msg.h"

#include <cstdint>
#include <optional>
#include <string>

namespace emissary::reactor::rdm {

using eta::Bytes;
using eta::Errc;
using eta::Error;

inline constexpr std::int32_t kLoginStreamId = 1, kDirectoryStreamId = 2;

/// Name types of a login key.
namespace LoginNameType {
inline constexpr std::uint8_t userName = 1, email = 2, userToken = 3, cookie = 4, authnToken = 5;
}

/// The elements of a login key's attributes, of requests and refreshes alike; what was not there is empty. Decoded
/// values own their text.
struct LoginAttributes {
    std::optional<std::string> applicationId, applicationName, authorizationToken, position, password, instanceId,
        authenticationToken, authenticationExtended;
    std::optional<std::uint64_t> singleOpen, allowSuspectData, permissionProfile, permissionExpressions,
        supportDictionaryDownload, role, downloadConnectionConfig, roundTripLatency, updateTypeFilter,
        negativeUpdateTypeFilter;
    // Refresh only.
    std::optional<std::uint64_t> supportPost, supportBatch, supportView, supportPauseResume, supportStandby,
        supportStandbyMode, supportEnhancedSymbolList, authenticationTtReissue, authenticationErrorCode;
    std::optional<std::string> authenticationErrorText;

    // With the defaults of rdm.md.
    /// Default true: the library recovers streams itself.
    [[nodiscard]] bool wantsSingleOpen() const noexcept { return singleOpen.value_or(1) != 0; }
    /// Default true; always with single open.
    [[nodiscard]] bool allowsSuspectData() const noexcept {
        return wantsSingleOpen() || allowSuspectData.value_or(1) != 0;
    }
    /// Role 1: a non-interactive provider.
    [[nodiscard]] bool isProvider() const noexcept { return role.value_or(0) == 1; }
    /// Whether it takes part in round-trip measurements.
    [[nodiscard]] bool announcesRtt() const noexcept { return roundTripLatency.value_or(0) == 2; }
};

/// Reads the attributes of a login request's key (absent attributes are fine). A known element of the wrong type makes
/// the message invalid; unknown elements are skipped, and so are those of answers when they cannot be read.
/// Numbers and texts of digits stand for each other, as programs that write JSON mix them up; elements that are blank
/// are left out. `faulty`: the name of the element that is to blame, in `key`; empty when none is.
[[nodiscard]] Error decodeLogin(const eta::codec::MsgKey& key, LoginAttributes& out,
                                std::string_view* faulty = nullptr);
/// The same for the key of a login refresh: whatever cannot be read costs itself alone, and is as if it was not there.
[[nodiscard]] Error decodeLoginAnswer(const eta::codec::MsgKey& key, LoginAttributes& out);

/// Writes the attribute element list in the customary order; only what is set.
[[nodiscard]] Error encodeLogin(eta::BeWriter& out, const LoginAttributes& attributes) noexcept;

/// A request on the login stream: user name, attributes (encoded by encodeLogin), streaming. `msg` borrows both.
void makeLoginRequest(eta::codec::Msg& msg, std::string_view userName, std::uint8_t nameType, Bytes attributes,
                      std::uint16_t extraFlags = 0) noexcept;

/// Copies the attributes of a received login refresh for the application, with the elements replaced that this side
/// answers for: SingleOpen as requested, SupportBatchRequests 1, SupportEnhancedSymbolList 1 (session.md 4.6). Elements
/// that mean 1 when they are absent are added: AllowSuspectData and both ProvidePermission elements.
[[nodiscard]] Error rewriteLoginAttributes(eta::BeWriter& out, Bytes attributes, bool singleOpen) noexcept;

}  // namespace emissary::reactor::rdm
