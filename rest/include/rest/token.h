// Access tokens: the requests of the grants, and their answers (credentials.md 2, 3).
#pragma once

#include "eta/core/Refused.h"
#include "rest/Secret.h"
#include "rest/http_types.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace emissary::rest {

inline constexpr const char* kDefaultScope = "trapi.streaming.pricing.read";                            ///< 1
inline constexpr const char* kDefaultAudience = "https://login.ciam.refinitiv.com/as/token.oauth2";     ///< 1
inline constexpr const char* kDefaultTokenUrlV1 = "https://api.refinitiv.com/auth/oauth2/v1/token";     ///< 1
inline constexpr const char* kDefaultTokenUrlV2 = "https://api.refinitiv.com/auth/oauth2/v2/token";     ///< 1
inline constexpr const char* kDefaultDiscoveryUrl = "https://api.refinitiv.com/streaming/pricing/v1/";  ///< 1

/// The user that asks for a token, and the proof. With a user name it is the password grant (V1), without one the
/// client-credentials grant (V2), where a JWK goes before a secret.
struct Credential {
    std::string userName;                    ///< V1
    std::string clientId;                    ///< V1 and V2
    std::string audience;                    ///< V2 with a JWK; empty = the default
    std::string scope;                       ///< empty = the default
    Secret password;                         ///< V1
    Secret newPassword;                      ///< V1: the password is changed to this one by the next password grant
    Secret clientSecret;                     ///< V2, and V1 where the server wants it
    Secret clientJwk;                        ///< V2: private key as JSON (RFC 7517)
    bool takeExclusiveSignOnControl = true;  ///< V1: other sessions of the user end

    /// V1.
    [[nodiscard]] bool byPassword() const noexcept { return !userName.empty(); }
    /// The password (V1), or the secret or key (V2), is there.
    [[nodiscard]] bool complete() const noexcept {
        return byPassword() ? !password.empty() : !clientSecret.empty() || !clientJwk.empty();
    }
    /// Passwords, secrets and keys are overwritten; names stay.
    void forgetSecrets() noexcept;
};

/// What the client gives in exchange for a token.
enum class Grant : std::uint8_t { password, refreshToken, clientCredentials };

/// The grant that a credential makes when there is no refresh token.
[[nodiscard]] inline Grant firstGrant(const Credential& c) noexcept {
    return c.byPassword() ? Grant::password : Grant::clientCredentials;
}

/// The form of a token request. `now`: seconds since 1970, for a client assertion. Refused when the JWK cannot be used.
[[nodiscard]] eta::Refused makeTokenForm(Grant grant, const Credential& credential, const Secret& refreshToken,
                                         std::chrono::seconds now, Secret& form);

/// The answer to a token request.
struct Token {
    Secret access;                      ///< login name, and bearer token of service discovery
    Secret refresh;                     ///< V1
    std::string type;                   ///< scheme of the Authorization header
    std::chrono::seconds expiresIn{0};  ///< from its receipt
};

/// Reads a token answer. Refused when it is no JSON object, or a member that is needed is missing, empty or of another
/// type. `body` is overwritten; at most 10 years of life are believed.
[[nodiscard]] eta::Refused readToken(Secret& body, Grant grant, Token& token);

/// V2: for how long a token is used again after a loss (credentials.md 6.3).
[[nodiscard]] std::chrono::seconds assumedLife(std::chrono::seconds expiresIn) noexcept;

/// Why a token was requested; texts name it.
enum class TokenRequest : std::uint8_t { first, renewal };

/// Why a token request gave no token, for a person (credentials.md 5.2). `answer.body` has no secret of the credential
/// in it any more, whatever the server sent back.
[[nodiscard]] std::string describeTokenFailure(const HttpAnswer& answer, TokenRequest what,
                                               const Credential& credential);
/// The same of a discovery request.
[[nodiscard]] std::string describeDiscoveryFailure(const HttpAnswer& answer, const Secret& token);

/// A client assertion in compact form (credentials.md 2.1): signed with the JWK, valid for 900 s from `now`. Refused
/// when the key cannot be read, or its algorithm is not RS256, RS384, RS512, PS256 or ES256.
[[nodiscard]] eta::Refused makeClientAssertion(const Secret& jwk, std::string_view clientId, std::string_view audience,
                                               std::chrono::seconds now, Secret& assertion);

}  // namespace emissary::rest
