// rest/oauth: reads RSA and elliptic-curve keys from JSON, and signs with OpenSSL.
#include "oauth/PrivateKey.h"

#include "oauth/base64url.h"
#include "oauth/jwk.h"

#include <array>
#include <vector>

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/rsa.h>

namespace emissary::rest {

namespace {

constexpr std::size_t kMostBytes = 65536;  // of a JWK

struct Algorithm {
    std::string_view name;
    const char* keyType;
    const EVP_MD* (*digest)();
    bool pss;
};
constexpr std::array<Algorithm, 5> kAlgorithms{{{"RS256", "RSA", &EVP_sha256, false},
                                                {"RS384", "RSA", &EVP_sha384, false},
                                                {"RS512", "RSA", &EVP_sha512, false},
                                                {"PS256", "RSA", &EVP_sha256, true},
                                                {"ES256", "EC", &EVP_sha256, false}}};

[[nodiscard]] const Algorithm* find(std::string_view name) noexcept {
    for (const Algorithm& a : kAlgorithms)
        if (a.name == name) return &a;
    return nullptr;
}

[[nodiscard]] eta::Refused wrong(const std::string& why) {
    return {"the client JWK cannot be used: " + why};
}

/// The missing member is named in `refused`.
[[nodiscard]] EVP_PKEY* rsaKey(const Members& members, eta::Refused& refused) {
    struct Part {
        const char *member, *parameter;
    };
    static constexpr Part kParts[] = {{"n", OSSL_PKEY_PARAM_RSA_N},          {"e", OSSL_PKEY_PARAM_RSA_E},
                                      {"d", OSSL_PKEY_PARAM_RSA_D},          {"p", OSSL_PKEY_PARAM_RSA_FACTOR1},
                                      {"q", OSSL_PKEY_PARAM_RSA_FACTOR2},    {"dp", OSSL_PKEY_PARAM_RSA_EXPONENT1},
                                      {"dq", OSSL_PKEY_PARAM_RSA_EXPONENT2}, {"qi", OSSL_PKEY_PARAM_RSA_COEFFICIENT1}};
    constexpr std::size_t kNeeded = 3;
    const Builder builder(OSSL_PARAM_BLD_new());
    std::vector<Number> numbers;  // the builder borrows them
    // The factors speed up signing, but only all five together make a key for OpenSSL.
    bool crt = true;
    for (std::size_t i = kNeeded; i < std::size(kParts); ++i)
        crt = crt && members.contains(kParts[i].member);
    for (std::size_t i = 0; i < (crt ? std::size(kParts) : kNeeded); ++i) {
        numbers.push_back(numberOf(members, kParts[i].member));
        if (!numbers.back()) {
            refused = wrong(std::string("its member '") + kParts[i].member + "' is missing or no base64url number");
            return nullptr;
        }
        if (OSSL_PARAM_BLD_push_BN(builder.get(), kParts[i].parameter, numbers.back().get()) != 1) return nullptr;
    }
    // RFC 7518 section 3.3 wants 2048 bits at least.
    if (BN_num_bits(numbers[0].get()) < 2048) {
        refused = wrong("its RSA key has fewer than 2048 bits");
        return nullptr;
    }
    return buildKey("RSA", builder.get(), EVP_PKEY_KEYPAIR);
}

[[nodiscard]] EVP_PKEY* curveKey(const Members& members, eta::Refused& refused) {
    const auto curve = members.find("crv");
    if (curve == members.end() || curve->second.view() != "P-256") {
        refused = wrong("its curve ('crv') is not P-256");
        return nullptr;
    }
    Secret point;
    if (const char* const missing = pointOf(members, point)) {
        refused = wrong(std::string("its member '") + missing + "' is missing or no base64url number of 32 bytes");
        return nullptr;
    }
    const Number d = numberOf(members, "d");
    if (!d) {
        refused = wrong("its member 'd' is missing or no base64url number");
        return nullptr;
    }
    const Builder builder(OSSL_PARAM_BLD_new());
    if (OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, "P-256", 0) != 1 ||
        OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.view().data(), point.size()) !=
            1 ||
        OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_PRIV_KEY, d.get()) != 1)
        return nullptr;
    return buildKey("EC", builder.get(), EVP_PKEY_KEYPAIR);
}

/// From DER to r and s, 32 bytes each (RFC 7518 section 3.4).
[[nodiscard]] bool flatten(Secret& signature) {
    const auto* at = reinterpret_cast<const unsigned char*>(signature.view().data());
    const Signature parsed(d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(signature.size())));
    if (!parsed) return false;
    std::array<unsigned char, 64> flat{};
    if (BN_bn2binpad(ECDSA_SIG_get0_r(parsed.get()), flat.data(), 32) != 32 ||
        BN_bn2binpad(ECDSA_SIG_get0_s(parsed.get()), flat.data() + 32, 32) != 32)
        return false;
    signature = Secret({reinterpret_cast<const char*>(flat.data()), flat.size()});
    return true;
}

}  // namespace

bool PrivateKey::read(const Secret& jwk, PrivateKey& out, eta::Refused& refused) {
    if (jwk.size() > kMostBytes) return refused = wrong("it is longer than 64 KiB"), false;
    Secret text = jwk;
    JsonText json(text);
    JsonText::Object object;
    if (!json.object(object)) return refused = wrong("it is no JSON object"), false;
    Members members;
    if (!readMembers(json, object, members)) return refused = wrong("it is no JSON object"), false;
    if (!json.atEnd()) return refused = wrong("it is no JSON object"), false;
    const auto textOf = [&](const char* name) {
        const auto at = members.find(std::string_view(name));
        return at == members.end() ? std::string() : std::string(at->second.view());
    };
    out.id_ = textOf("kid");
    out.algorithm_ = textOf("alg");
    if (out.algorithm_.empty()) out.algorithm_ = "RS256";
    const Algorithm* const algorithm = find(out.algorithm_);
    if (algorithm == nullptr)
        return refused = wrong("its algorithm is none of RS256, RS384, RS512, PS256, ES256"), false;
    if (textOf("kty") != algorithm->keyType)
        return refused = wrong("its type ('kty') does not fit the algorithm " + out.algorithm_), false;
    // Errors of OpenSSL queue up for each thread: old ones would be reported by the next connection with TLS.
    ERR_clear_error();
    out.key_.reset(std::string_view(algorithm->keyType) == "RSA" ? rsaKey(members, refused)
                                                                 : curveKey(members, refused));
    ERR_clear_error();
    if (!out.key_ && !refused) refused = wrong("its numbers are no key");
    return out.key_ != nullptr;
}

eta::Refused PrivateKey::sign(std::string_view text, Secret& signature) const {
    const Algorithm& algorithm = *find(algorithm_);
    const auto start = [&](EVP_MD_CTX* context, auto init) {
        EVP_PKEY_CTX* details = nullptr;  // the context's
        return init(context, &details, algorithm.digest(), nullptr, key_.get()) == 1 &&
               (!algorithm.pss || (EVP_PKEY_CTX_set_rsa_padding(details, RSA_PKCS1_PSS_PADDING) == 1 &&
                                   EVP_PKEY_CTX_set_rsa_pss_saltlen(details, RSA_PSS_SALTLEN_DIGEST) == 1));
    };
    const auto* const bytes = reinterpret_cast<const unsigned char*>(text.data());
    const Digest signing(EVP_MD_CTX_new()), checking(EVP_MD_CTX_new());
    std::size_t size = 0;
    std::vector<unsigned char> made;
    // Signs and verifies at once: a key whose halves do not fit would give tokens that every server refuses, without a
    // reason.
    const bool good = start(signing.get(), &EVP_DigestSignInit) &&
                      EVP_DigestSign(signing.get(), nullptr, &size, bytes, text.size()) == 1 &&
                      (made.resize(size), EVP_DigestSign(signing.get(), made.data(), &size, bytes, text.size()) == 1) &&
                      start(checking.get(), &EVP_DigestVerifyInit) &&
                      EVP_DigestVerify(checking.get(), made.data(), size, bytes, text.size()) == 1;
    ERR_clear_error();
    if (!good) return wrong("its private and public halves do not belong together");
    signature = Secret({reinterpret_cast<const char*>(made.data()), size});
    if (algorithm_ == "ES256" && !flatten(signature)) return wrong("it does not sign");
    return {};
}

}  // namespace emissary::rest
