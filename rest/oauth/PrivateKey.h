// A private key as JSON (RFC 7517, 7518), and what it signs (RFC 7515).
#pragma once

#include "eta/core/Refused.h"
#include "rest/Secret.h"

#include <memory>
#include <string>
#include <string_view>

#include <openssl/evp.h>

namespace emissary::rest {

/// An RSA key, or one on the curve P-256, with its algorithm and name.
class PrivateKey {
public:
    /// False when refused: no JSON, a member missing or wrong, an algorithm that does not fit.
    [[nodiscard]] static bool read(const Secret& jwk, PrivateKey& out, eta::Refused& refused);

    /// "RS256", "ES256" ...
    [[nodiscard]] const std::string& algorithm() const noexcept { return algorithm_; }
    /// Its `kid`; empty: it has none.
    [[nodiscard]] const std::string& id() const noexcept { return id_; }
    /// The signature as JWS has it: for ES256 the two numbers, 32 bytes each. It is checked against the key's public
    /// half, so that a key whose parts do not belong together is refused here.
    [[nodiscard]] eta::Refused sign(std::string_view text, Secret& signature) const;

private:
    struct KeyFree {
        void operator()(EVP_PKEY* key) const noexcept { EVP_PKEY_free(key); }
    };
    std::unique_ptr<EVP_PKEY, KeyFree> key_;
    std::string algorithm_, id_;
};

}  // namespace emissary::rest
