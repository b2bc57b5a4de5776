// Keys and JWTs as NATS writes them, made by the test.
#pragma once

#include "support/Signer.h"
#include "support/catch.hpp"

#include <openssl/evp.h>
#include <string>

namespace emissary::test {

/// An Ed25519 key in the writing of NATS: base32 of kind, bytes and a CRC.
class NatsKey {
public:
    enum Kind : unsigned { operatorKey = 14 << 3, account = 0, user = 20 << 3 };
    explicit NatsKey(Kind kind) : kind_(kind), key_(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519")) {
        REQUIRE(key_ != nullptr);
    }
    ~NatsKey() { EVP_PKEY_free(key_); }
    NatsKey(const NatsKey&) = delete;
    NatsKey& operator=(const NatsKey&) = delete;

    /// "O...", "A..." or "U...".
    [[nodiscard]] std::string publicKey() const {
        return written(std::string(1, static_cast<char>(kind_)) + raw(&EVP_PKEY_get_raw_public_key));
    }
    /// "S...".
    [[nodiscard]] std::string seed() const {
        const unsigned first = 18u << 3 | kind_ >> 5, second = (kind_ & 31) << 3;
        return written(std::string{static_cast<char>(first), static_cast<char>(second)} +
                       raw(&EVP_PKEY_get_raw_private_key));
    }
    /// A JWT of this key's for another one, or itself; `claims`: what is in "nats".
    [[nodiscard]] std::string token(const NatsKey& subject, const std::string& claims) const {
        const std::string text =
            base64Url(R"({"typ":"JWT","alg":"ed25519-nkey"})") + "." +
            base64Url(R"({"jti":"T","iat":1600000000,"iss":")" + publicKey() + R"(","name":"test","sub":")" +
                      subject.publicKey() + R"(","nats":{)" + claims + R"(,"version":2}})");
        unsigned char signature[64];
        std::size_t size = sizeof signature;
        EVP_MD_CTX* const context = EVP_MD_CTX_new();
        const bool made = EVP_DigestSignInit(context, nullptr, nullptr, nullptr, key_) == 1 &&
                          EVP_DigestSign(context, signature, &size, reinterpret_cast<const unsigned char*>(text.data()),
                                         text.size()) == 1;
        EVP_MD_CTX_free(context);
        REQUIRE(made);
        return text + "." + base64Url({reinterpret_cast<const char*>(signature), size});
    }

private:
    template <class Get>
    [[nodiscard]] std::string raw(Get get) const {
        std::string bytes(32, '\0');
        std::size_t size = bytes.size();
        REQUIRE(get(key_, reinterpret_cast<unsigned char*>(bytes.data()), &size) == 1);
        return bytes;
    }
    [[nodiscard]] static std::string written(std::string bytes) {
        unsigned crc = 0;
        for (const char c : bytes) {
            crc ^= static_cast<unsigned>(static_cast<unsigned char>(c)) << 8;
            for (int i = 0; i < 8; ++i)
                crc = ((crc << 1) ^ ((crc & 0x8000) != 0 ? 0x1021 : 0)) & 0xFFFF;
        }
        bytes += static_cast<char>(crc & 255);
        bytes += static_cast<char>(crc >> 8);
        std::string out;
        unsigned bits = 0, group = 0;
        for (const char c : bytes) {
            group = (group << 8 | static_cast<unsigned char>(c)) & 0xFFFF;
            for (bits += 8; bits >= 5; bits -= 5)
                out += "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[group >> (bits - 5) & 31];
        }
        if (bits != 0) out += "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[group << (5 - bits) & 31];
        return out;
    }
    Kind kind_;
    EVP_PKEY* key_;
};

}  // namespace emissary::test
