// Signs tokens with keys of its own, as an identity provider does.
#pragma once

#include "support/catch.hpp"

#include <array>
#include <memory>
#include <string>
#include <string_view>

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>

namespace emissary::test {

/// Base64url without padding.
[[nodiscard]] inline std::string base64Url(std::string_view bytes) {
    constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    std::string out;
    unsigned bits = 0, group = 0;
    for (const char c : bytes) {
        group = (group << 8 | static_cast<unsigned char>(c)) & 0xFFFFFF;
        for (bits += 8; bits >= 6; bits -= 6)
            out += kAlphabet[group >> (bits - 6) & 63];
    }
    if (bits != 0) out += kAlphabet[group << (6 - bits) & 63];
    return out;
}

/// RS256 or ES256 with a new key, or HS256 with a secret.
class Signer {
public:
    [[nodiscard]] static Signer rsa(std::size_t bits = 2048) {
        return Signer("RS256", EVP_PKEY_Q_keygen(nullptr, nullptr, "RSA", bits));
    }
    [[nodiscard]] static Signer curve(const char* name = "P-256") {
        return Signer("ES256", EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", name));
    }
    [[nodiscard]] static Signer secret(std::string text) {
        Signer made("HS256", nullptr);
        made.secret_ = std::move(text);
        return made;
    }

    /// The public key as PEM.
    [[nodiscard]] std::string pem() const {
        const std::unique_ptr<BIO, decltype(&BIO_free_all)> bio(BIO_new(BIO_s_mem()), &BIO_free_all);
        REQUIRE(PEM_write_bio_PUBKEY(bio.get(), key_.get()) == 1);
        char* text = nullptr;
        const long size = BIO_get_mem_data(bio.get(), &text);
        return {text, static_cast<std::size_t>(size)};
    }
    /// The public key, or the secret, as a JWK; `more` begins with a comma.
    [[nodiscard]] std::string jwk(const std::string& more = "") const {
        if (!key_) return R"({"kty":"oct","k":")" + base64Url(secret_) + '"' + more + "}";
        if (algorithm_ == "RS256")
            return R"({"kty":"RSA","n":")" + number(OSSL_PKEY_PARAM_RSA_N, 0) + R"(","e":")" +
                   number(OSSL_PKEY_PARAM_RSA_E, 0) + '"' + more + "}";
        return R"({"kty":"EC","crv":"P-256","x":")" + number(OSSL_PKEY_PARAM_EC_PUB_X, 32) + R"(","y":")" +
               number(OSSL_PKEY_PARAM_EC_PUB_Y, 32) + '"' + more + "}";
    }
    /// A token with these claims.
    [[nodiscard]] std::string token(const std::string& claims, const std::string& more = "") const {
        return signedText(R"({"alg":")" + algorithm_ + R"(","typ":"JWT")" + more + "}", claims);
    }
    /// The same with a header as it is given.
    [[nodiscard]] std::string signedText(const std::string& header, const std::string& claims) const {
        const std::string text = base64Url(header) + "." + base64Url(claims);
        return text + "." + base64Url(sign(text));
    }

private:
    Signer(std::string algorithm, EVP_PKEY* key) : algorithm_(std::move(algorithm)), key_(key, &EVP_PKEY_free) {}

    [[nodiscard]] std::string number(const char* name, int bytes) const {
        BIGNUM* n = nullptr;
        REQUIRE(EVP_PKEY_get_bn_param(key_.get(), name, &n) == 1);
        std::string raw(static_cast<std::size_t>(bytes != 0 ? bytes : BN_num_bytes(n)), '\0');
        BN_bn2binpad(n, reinterpret_cast<unsigned char*>(raw.data()), static_cast<int>(raw.size()));
        BN_free(n);
        return base64Url(raw);
    }
    [[nodiscard]] std::string sign(const std::string& text) const {
        const auto* const bytes = reinterpret_cast<const unsigned char*>(text.data());
        std::string made(1024, '\0');
        auto* const out = reinterpret_cast<unsigned char*>(made.data());
        if (!key_) {
            unsigned size = 0;
            REQUIRE(HMAC(EVP_sha256(), secret_.data(), static_cast<int>(secret_.size()), bytes, text.size(), out,
                         &size) != nullptr);
            made.resize(size);
            return made;
        }
        std::size_t size = made.size();
        const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
        REQUIRE(EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key_.get()) == 1);
        REQUIRE(EVP_DigestSign(context.get(), out, &size, bytes, text.size()) == 1);
        made.resize(size);
        if (algorithm_ != "ES256") return made;
        const unsigned char* at = out;
        const std::unique_ptr<ECDSA_SIG, decltype(&ECDSA_SIG_free)> parsed(
            d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(size)), &ECDSA_SIG_free);
        REQUIRE(parsed != nullptr);
        std::string flat(64, '\0');
        auto* const numbers = reinterpret_cast<unsigned char*>(flat.data());
        REQUIRE(BN_bn2binpad(ECDSA_SIG_get0_r(parsed.get()), numbers, 32) == 32);
        REQUIRE(BN_bn2binpad(ECDSA_SIG_get0_s(parsed.get()), numbers + 32, 32) == 32);
        return flat;
    }

    std::string algorithm_, secret_;
    std::shared_ptr<EVP_PKEY> key_;
};

}  // namespace emissary::test
