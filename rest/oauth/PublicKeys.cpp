// rest/oauth: reads keys as PEM, JSON or a plain secret, and verifies with OpenSSL.
#include "oauth/PublicKeys.h"

#include "oauth/base64url.h"
#include "oauth/jwk.h"

#include <array>
#include <utility>

#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>

namespace emissary::rest {

namespace {

constexpr std::size_t kMostText = std::size_t{1} << 20;
constexpr std::size_t kLeastSecret = 32;  // bytes (RFC 7518 section 3.2)
constexpr int kLeastRsa = 2048;           // bits (RFC 7518 section 3.3)

using Bio = std::unique_ptr<BIO, Free<&BIO_free_all>>;

[[nodiscard]] const unsigned char* bytesOf(std::string_view text) noexcept {
    return reinterpret_cast<const unsigned char*>(text.data());
}

/// Why the key is none for the algorithm; null: it is one.
[[nodiscard]] const char* misfit(const EVP_PKEY* key, TokenAlgorithm algorithm) {
    if (algorithm == TokenAlgorithm::rs256) {
        if (EVP_PKEY_get_base_id(key) != EVP_PKEY_RSA) return "RS256 needs an RSA key, and this is another one";
        return EVP_PKEY_get_bits(key) < kLeastRsa ? "its RSA key has fewer than 2048 bits" : nullptr;
    }
    std::array<char, 32> curve{};
    if (EVP_PKEY_get_base_id(key) != EVP_PKEY_EC ||
        EVP_PKEY_get_utf8_string_param(key, OSSL_PKEY_PARAM_GROUP_NAME, curve.data(), curve.size(), nullptr) != 1 ||
        std::string_view(curve.data()) != "prime256v1")
        return "ES256 needs a key on the curve P-256, and this is another one";
    return nullptr;
}

[[nodiscard]] EVP_PKEY* rsaOf(const Members& members) {
    const Builder builder(OSSL_PARAM_BLD_new());
    const Number n = numberOf(members, "n"), e = numberOf(members, "e");
    if (!builder || !n || !e || OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, n.get()) != 1 ||
        OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, e.get()) != 1)
        return nullptr;
    return buildKey("RSA", builder.get(), EVP_PKEY_PUBLIC_KEY);
}

[[nodiscard]] EVP_PKEY* curveOf(const Members& members) {
    const Builder builder(OSSL_PARAM_BLD_new());
    Secret point;
    if (!builder || pointOf(members, point) != nullptr ||
        OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, "P-256", 0) != 1 ||
        OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.view().data(), point.size()) !=
            1)
        return nullptr;
    return buildKey("EC", builder.get(), EVP_PKEY_PUBLIC_KEY);
}

[[nodiscard]] std::string_view textOf(const Members& members, std::string_view name) noexcept {
    const auto at = members.find(name);
    return at == members.end() ? std::string_view() : at->second.view();
}

/// From r and s, 32 bytes each, to DER; empty: they are none (RFC 7518 section 3.4).
[[nodiscard]] std::vector<unsigned char> derOf(std::string_view signature) {
    std::vector<unsigned char> der;
    if (signature.size() != 64) return der;
    Signature made(ECDSA_SIG_new());
    BIGNUM* const r = BN_bin2bn(bytesOf(signature), 32, nullptr);
    BIGNUM* const s = BN_bin2bn(bytesOf(signature) + 32, 32, nullptr);
    if (!made || r == nullptr || s == nullptr || ECDSA_SIG_set0(made.get(), r, s) != 1) {
        BN_free(r);
        BN_free(s);
        return der;
    }
    const int size = i2d_ECDSA_SIG(made.get(), nullptr);
    if (size <= 0) return der;
    der.resize(static_cast<std::size_t>(size));
    unsigned char* at = der.data();
    i2d_ECDSA_SIG(made.get(), &at);
    return der;
}

}  // namespace

eta::Refused PublicKeys::read(const Secret& text, TokenAlgorithm algorithm) {
    algorithm_ = algorithm;
    keys_.clear();
    if (text.size() > kMostText) return {"it is longer than 1 MiB"};
    const std::size_t begin = text.view().find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) return {"it is empty"};
    if (text.view()[begin] == '{') return readJson(text);
    if (text.view().find("-----BEGIN ") != std::string_view::npos) return readPem(text);
    if (algorithm != TokenAlgorithm::hs256) return {"it is neither a public key (PEM) nor a JWK set (JSON)"};
    std::string_view secret = text.view();
    // An editor ends the last line of a file: that is no part of the secret.
    while (secret.ends_with('\n') || secret.ends_with('\r'))
        secret.remove_suffix(1);
    if (secret.size() < kLeastSecret) return {"HS256 needs a secret of at least 32 bytes"};
    keys_.push_back({{}, nullptr, Secret(secret)});
    return {};
}

/// With HS256 the public key would be a secret that everybody knows.
eta::Refused PublicKeys::readPem(const Secret& text) {
    if (algorithm_ == TokenAlgorithm::hs256) return {"HS256 needs a secret, and this is a key pair's"};
    if (text.view().find("PRIVATE KEY") != std::string_view::npos)
        return {"it has a private key; only the public one belongs here"};
    const Bio bio(BIO_new_mem_buf(text.view().data(), static_cast<int>(text.size())));
    ERR_clear_error();
    std::unique_ptr<EVP_PKEY, KeyFree> key(bio ? PEM_read_bio_PUBKEY(bio.get(), nullptr, nullptr, nullptr) : nullptr);
    ERR_clear_error();
    if (!key) return {"its PEM is no public key (BEGIN PUBLIC KEY)"};
    if (const char* const why = misfit(key.get(), algorithm_)) return {why};
    keys_.push_back({{}, std::move(key), {}});
    return {};
}

/// Keys of another type, use or algorithm are for others. One of this kind has to be right.
eta::Refused PublicKeys::readJson(const Secret& text) {
    Secret whole = text;
    JsonText json(whole);
    JsonText::Object object;
    std::vector<Members> found;
    bool good = json.object(object), set = false;
    Members alone;
    const auto broken = [] { return eta::Refused{"it is no JSON object with keys"}; };
    if (!good) return broken();
    for (auto field : object) {
        std::string_view name;
        JsonText::Value value;
        if (field.unescaped_key().get(name) != simdjson::SUCCESS || field.value().get(value) != simdjson::SUCCESS)
            return broken();
        const std::string member(name);
        if (member != "keys") {
            Secret content;
            if (json.string(value, content)) alone.insert_or_assign(member, std::move(content));
            continue;
        }
        set = true;
        simdjson::ondemand::array keys;
        if (value.get_array().get(keys) != simdjson::SUCCESS) return broken();
        for (auto each : keys) {
            JsonText::Object key;
            if (each.get_object().get(key) != simdjson::SUCCESS || !readMembers(json, key, found.emplace_back()))
                return broken();
        }
    }
    if (!json.atEnd()) return broken();
    // A JWK without a set around it: one key.
    if (!set) found.push_back(std::move(alone));
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kKinds{
        {{"oct", "HS256"}, {"RSA", "RS256"}, {"EC", "ES256"}}};
    const auto [type, algorithm] = kKinds[static_cast<std::size_t>(algorithm_)];
    for (const Members& members : found) {
        const std::string_view use = textOf(members, "use"), alg = textOf(members, "alg");
        if (textOf(members, "kty") != type || (!use.empty() && use != "sig") || (!alg.empty() && alg != algorithm))
            continue;
        // A set may have keys for other curves: they are skipped, not refused.
        if (algorithm_ == TokenAlgorithm::es256 && textOf(members, "crv") != "P-256") continue;
        Key made;
        made.id = textOf(members, "kid");
        if (algorithm_ == TokenAlgorithm::hs256) {
            if (!decodeBase64Url(textOf(members, "k"), made.secret) || made.secret.size() < kLeastSecret)
                return {"a key of its set is no secret of at least 32 bytes"};
        } else {
            ERR_clear_error();
            made.key.reset(algorithm_ == TokenAlgorithm::rs256 ? rsaOf(members) : curveOf(members));
            ERR_clear_error();
            if (!made.key) return {"a key of its set has numbers that are no key"};
            if (const char* const why = misfit(made.key.get(), algorithm_)) return {why};
        }
        keys_.push_back(std::move(made));
    }
    if (keys_.empty()) return {"none of its keys is one for signatures of the algorithm"};
    return {};
}

bool PublicKeys::verify(std::string_view text, std::string_view signature, std::string_view id) const {
    for (const Key& key : keys_)
        // A key or a token without an id fits all: the signature decides.
        if ((id.empty() || key.id.empty() || key.id == id) && verify(key, text, signature)) return true;
    return false;
}

bool PublicKeys::verify(const Key& key, std::string_view text, std::string_view signature) const {
    if (key.key == nullptr) {
        std::array<unsigned char, EVP_MAX_MD_SIZE> made{};
        unsigned size = 0;
        if (HMAC(EVP_sha256(), key.secret.view().data(), static_cast<int>(key.secret.size()), bytesOf(text),
                 text.size(), made.data(), &size) == nullptr)
            return false;
        // Compared in constant time: how long it takes must not say how many bytes fit.
        return size == signature.size() && CRYPTO_memcmp(made.data(), signature.data(), size) == 0;
    }
    std::vector<unsigned char> der;
    if (algorithm_ == TokenAlgorithm::es256) {
        der = derOf(signature);
        if (der.empty()) return false;
        signature = {reinterpret_cast<const char*>(der.data()), der.size()};
    }
    const Digest context(EVP_MD_CTX_new());
    const bool good =
        context && EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr, key.key.get()) == 1 &&
        EVP_DigestVerify(context.get(), bytesOf(signature), signature.size(), bytesOf(text), text.size()) == 1;
    ERR_clear_error();
    return good;
}

}  // namespace emissary::rest
