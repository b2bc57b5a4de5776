// Access tokens that somebody presents: whether they are signed by whom they should be, and whom they are about
// (RFC 7515, 7517, 7519).
#pragma once

#include "eta/core/Refused.h"
#include "rest/Secret.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace emissary::rest {

/// How a token is signed. There is no other way: what a token says of itself has to be this.
enum class TokenAlgorithm : std::uint8_t { hs256, rs256, es256 };

/// What a token has to say.
struct TokenRules {
    TokenAlgorithm algorithm = TokenAlgorithm::rs256;
    std::string audience;                ///< one of its `aud`; must not be empty
    std::string userClaim = "sub";       ///< claim with the name of the user: a text that is not empty
    std::string groupsClaim = "groups";  ///< claim with the groups: texts, or one; may be missing
};

/// Whom a token is about.
struct TokenUser {
    std::string user;
    std::vector<std::string> groups;
    std::chrono::seconds expires{0};  ///< since 1970
};

/// Keys, and the rules that tokens are checked by. Does not change; any thread.
class TokenCheck {
public:
    /// A text longer than this is no token.
    static constexpr std::size_t kMostBytes = 65536;
    /// A token that is valid from a moment that is so near counts as valid: clocks differ.
    static constexpr std::chrono::seconds kNotBeforeSlack{10};

    /// Reads keys: a public key (PEM), or a JWK or JWK set (JSON) of which those count that fit the algorithm, or for
    /// HS256 a secret of at least 32 bytes, as text with or without an end of line. Null when refused; the text is the
    /// end of a sentence and has nothing of the keys.
    [[nodiscard]] static std::shared_ptr<const TokenCheck> read(const Secret& keys, const TokenRules& rules,
                                                                eta::Refused& refused);
    ~TokenCheck();
    TokenCheck(const TokenCheck&) = delete;
    TokenCheck& operator=(const TokenCheck&) = delete;

    /// What is wrong with a token. The text has nothing of it.
    struct Outcome {
        bool good = false;
        bool expired = false;     ///< everything but its time was right
        std::string_view reason;  ///< a fixed text
    };
    /// `now` is the time since 1970; `user` is written if the token is good.
    [[nodiscard]] Outcome check(std::string_view token, std::chrono::seconds now, TokenUser& user) const;
    /// How many keys there are.
    [[nodiscard]] std::size_t keys() const noexcept;

private:
    struct Impl;
    explicit TokenCheck(std::unique_ptr<const Impl> impl) noexcept;
    const std::unique_ptr<const Impl> impl_;
};

}  // namespace emissary::rest
