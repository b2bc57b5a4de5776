// The keys that tokens are signed with: read from a file, and asked whether a signature is theirs.
#pragma once

#include "eta/core/Refused.h"
#include "rest/Secret.h"
#include "rest/TokenCheck.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <openssl/evp.h>

namespace emissary::rest {

/// Does not change after read().
class PublicKeys {
public:
    /// As TokenCheck::read() says.
    [[nodiscard]] eta::Refused read(const Secret& text, TokenAlgorithm algorithm);
    /// Whether one of the keys signed the text: of those with that id, or without any, if the token names one; else of
    /// all. The signature is as JWS has it.
    [[nodiscard]] bool verify(std::string_view text, std::string_view signature, std::string_view id) const;
    [[nodiscard]] std::size_t size() const noexcept { return keys_.size(); }

private:
    struct KeyFree {
        void operator()(EVP_PKEY* key) const noexcept { EVP_PKEY_free(key); }
    };
    struct Key {
        std::string id;
        std::unique_ptr<EVP_PKEY, KeyFree> key;  ///< null: the secret
        Secret secret;
    };
    [[nodiscard]] eta::Refused readPem(const Secret& text);
    [[nodiscard]] eta::Refused readJson(const Secret& text);
    [[nodiscard]] bool verify(const Key& key, std::string_view text, std::string_view signature) const;

    TokenAlgorithm algorithm_ = TokenAlgorithm::rs256;
    std::vector<Key> keys_;
};

}  // namespace emissary::rest
