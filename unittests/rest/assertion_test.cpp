// Client assertions: structure as in the vectors, signatures that OpenSSL accepts, keys that cannot be used
// (credentials.md 2.1).
#include "oauth/base64url.h"
#include "rest/token.h"
#include "support/catch.hpp"
#include "support/paths.h"

#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <simdjson.h>

using namespace emissary;
using namespace emissary::rest;

namespace {

using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
const std::chrono::seconds kNow{1'700'000'000};

[[nodiscard]] Key rsa() {
    static const Key key(EVP_PKEY_Q_keygen(nullptr, nullptr, "RSA", std::size_t{2048}), &EVP_PKEY_free);
    EVP_PKEY_up_ref(key.get());
    return {key.get(), &EVP_PKEY_free};
}
[[nodiscard]] Key curve() {
    return {EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256"), &EVP_PKEY_free};
}

[[nodiscard]] std::string number(EVP_PKEY* key, const char* name, int bytes = 0) {
    BIGNUM* n = nullptr;
    REQUIRE(EVP_PKEY_get_bn_param(key, name, &n) == 1);
    std::string raw(static_cast<std::size_t>(bytes != 0 ? bytes : BN_num_bytes(n)), '\0');
    BN_bn2binpad(n, reinterpret_cast<unsigned char*>(raw.data()), static_cast<int>(raw.size()));
    BN_free(n);
    Secret coded;
    appendBase64Url(coded, raw);
    return std::string(coded.view());
}

[[nodiscard]] std::string rsaJwk(EVP_PKEY* key, const std::string& more, bool crt = true) {
    std::string text = R"({"kty":"RSA","kid":"kid-1")" + more + R"(,"n":")" + number(key, OSSL_PKEY_PARAM_RSA_N) +
                       R"(","e":")" + number(key, OSSL_PKEY_PARAM_RSA_E) + R"(","d":")" +
                       number(key, OSSL_PKEY_PARAM_RSA_D) + '"';
    if (crt)
        text += R"(,"p":")" + number(key, OSSL_PKEY_PARAM_RSA_FACTOR1) + R"(","q":")" +
                number(key, OSSL_PKEY_PARAM_RSA_FACTOR2) + R"(","dp":")" + number(key, OSSL_PKEY_PARAM_RSA_EXPONENT1) +
                R"(","dq":")" + number(key, OSSL_PKEY_PARAM_RSA_EXPONENT2) + R"(","qi":")" +
                number(key, OSSL_PKEY_PARAM_RSA_COEFFICIENT1) + '"';
    return text + "}";
}

[[nodiscard]] std::string curveJwk(EVP_PKEY* key) {
    return R"({"kty":"EC","crv":"P-256","alg":"ES256","kid":"ec","x":")" + number(key, OSSL_PKEY_PARAM_EC_PUB_X, 32) +
           R"(","y":")" + number(key, OSSL_PKEY_PARAM_EC_PUB_Y, 32) + R"(","d":")" +
           number(key, OSSL_PKEY_PARAM_PRIV_KEY, 32) + R"("})";
}

struct Parts {
    std::string signedText, header, claims, signature;
};

[[nodiscard]] Parts partsOf(const Secret& assertion) {
    const std::string text(assertion.view());
    const auto first = text.find('.'), second = text.find('.', first + 1);
    REQUIRE(second != std::string::npos);
    CHECK(text.find_first_of("=+/\n ") == std::string::npos);
    const auto decoded = [](const std::string& part) {
        Secret bytes;
        REQUIRE(decodeBase64Url(part, bytes));
        return std::string(bytes.view());
    };
    return {text.substr(0, second), decoded(text.substr(0, first)), decoded(text.substr(first + 1, second - first - 1)),
            decoded(text.substr(second + 1))};
}

[[nodiscard]] bool verifies(EVP_PKEY* key, const EVP_MD* digest, const Parts& p, bool pss = false) {
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> c(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
    EVP_PKEY_CTX* details = nullptr;
    if (EVP_DigestVerifyInit(c.get(), &details, digest, nullptr, key) != 1) return false;
    if (pss) EVP_PKEY_CTX_set_rsa_padding(details, RSA_PKCS1_PSS_PADDING);
    return EVP_DigestVerify(c.get(), reinterpret_cast<const unsigned char*>(p.signature.data()), p.signature.size(),
                            reinterpret_cast<const unsigned char*>(p.signedText.data()), p.signedText.size()) == 1;
}

[[nodiscard]] std::string refusalOfKey(const std::string& jwk) {
    Secret assertion;
    return makeClientAssertion(Secret(jwk), "GE-1", "", kNow, assertion).text;
}

}  // namespace

TEST_CASE("an assertion of an RSA key", "[rest][jws]") {
    const Key key = rsa();
    Secret made;
    SECTION("is RS256 without alg, and has the claims of credentials.md 2.1") {
        REQUIRE_FALSE(makeClientAssertion(Secret(rsaJwk(key.get(), "")), "GE-1", "", kNow, made));
        const Parts p = partsOf(made);
        CHECK(p.header == R"({"alg":"RS256","typ":"JWT","kid":"kid-1"})");
        CHECK(p.claims == R"({"iss":"GE-1","sub":"GE-1","aud":"https://login.ciam.refinitiv.com/as/token.oauth2",)"
                          R"("exp":1700000900,"iat":1700000000})");
        CHECK(verifies(key.get(), EVP_sha256(), p));
    }
    SECTION("needs neither the primes nor a name, and takes the audience that is given") {
        std::string jwk = rsaJwk(key.get(), R"(,"alg":"RS256")", false);
        jwk.erase(jwk.find(R"("kid":"kid-1",)"), 14);
        REQUIRE_FALSE(makeClientAssertion(Secret(jwk), R"(a"b\)", "https://aud.test/as", kNow, made));
        const Parts p = partsOf(made);
        CHECK(p.header == R"({"alg":"RS256","typ":"JWT"})");
        CHECK(p.claims.find(R"("iss":"a\"b\\","sub":"a\"b\\","aud":"https://aud.test/as")") != std::string::npos);
        CHECK(verifies(key.get(), EVP_sha256(), p));
    }
    SECTION("signs with the other algorithms") {
        REQUIRE_FALSE(makeClientAssertion(Secret(rsaJwk(key.get(), R"(,"alg":"RS512")")), "c", "", kNow, made));
        CHECK(verifies(key.get(), EVP_sha512(), partsOf(made)));
        REQUIRE_FALSE(makeClientAssertion(Secret(rsaJwk(key.get(), R"(,"alg":"RS384")")), "c", "", kNow, made));
        CHECK(verifies(key.get(), EVP_sha384(), partsOf(made)));
        REQUIRE_FALSE(makeClientAssertion(Secret(rsaJwk(key.get(), R"(,"alg":"PS256")")), "c", "", kNow, made));
        CHECK(verifies(key.get(), EVP_sha256(), partsOf(made), true));
    }
}

TEST_CASE("an assertion of a curve key has r and s, 32 bytes each", "[rest][jws]") {
    // Numbers with leading zeros are padded: of so many keys and signatures some have them.
    for (int i = 0; i < 40; ++i) {
        const Key key = curve();
        Secret made;
        REQUIRE_FALSE(makeClientAssertion(Secret(curveJwk(key.get())), "c", "", kNow, made));
        Parts p = partsOf(made);
        CHECK(p.header == R"({"alg":"ES256","typ":"JWT","kid":"ec"})");
        REQUIRE(p.signature.size() == 64);
        const auto* flat = reinterpret_cast<const unsigned char*>(p.signature.data());
        ECDSA_SIG* s = ECDSA_SIG_new();
        ECDSA_SIG_set0(s, BN_bin2bn(flat, 32, nullptr), BN_bin2bn(flat + 32, 32, nullptr));
        unsigned char* der = nullptr;
        const int size = i2d_ECDSA_SIG(s, &der);
        p.signature.assign(reinterpret_cast<char*>(der), static_cast<std::size_t>(size));
        OPENSSL_free(der);
        ECDSA_SIG_free(s);
        CHECK(verifies(key.get(), EVP_sha256(), p));
    }
}

TEST_CASE("keys that cannot be used are refused by what is wrong", "[rest][jws]") {
    const Key key = rsa();
    const std::string good = rsaJwk(key.get(), "");
    CHECK(refusalOfKey(good).empty());
    CHECK(refusalOfKey("") == "the client JWK cannot be used: it is no JSON object");
    CHECK(refusalOfKey("[]") == "the client JWK cannot be used: it is no JSON object");
    CHECK(refusalOfKey(R"({"kty":"RSA","e":"AQAB","d":"AQAB"})") ==
          "the client JWK cannot be used: its member 'n' is missing or no base64url number");
    CHECK(refusalOfKey(R"({"kty":"RSA","n":"!!","e":"AQAB","d":"AQAB"})").find("'n'") != std::string::npos);
    CHECK(refusalOfKey(R"({"kty":"RSA","n":"AQAB","e":"AQAB","d":"AQAB"})").find("2048 bits") != std::string::npos);
    CHECK(refusalOfKey(R"({"kty":"oct","k":"AQAB"})").find("does not fit the algorithm RS256") != std::string::npos);
    CHECK(refusalOfKey(R"({"kty":"RSA","alg":"none"})").find("none of RS256") != std::string::npos);
    CHECK(refusalOfKey(R"({"kty":"RSA","alg":"HS256"})").find("none of RS256") != std::string::npos);
    CHECK(refusalOfKey(R"({"kty":"EC","alg":"ES256","crv":"P-384"})").find("not P-256") != std::string::npos);
    CHECK(refusalOfKey(R"({"kty":"EC","alg":"ES256","crv":"P-256","x":"AQAB","y":"AQAB","d":"AQAB"})").find("'x'") !=
          std::string::npos);
    const Key one = curve(), other = curve();
    std::string mixed = curveJwk(one.get());
    const std::string foreign = number(other.get(), OSSL_PKEY_PARAM_PRIV_KEY, 32);
    mixed.replace(mixed.find(R"("d":")") + 5, foreign.size(), foreign);
    CHECK(refusalOfKey(mixed).find("the client JWK cannot be used") == 0);
    // Cut anywhere it is refused, and no part of the key is in the text.
    for (std::size_t n = 0; n < good.size(); n += 7) {
        const std::string text = refusalOfKey(good.substr(0, n));
        CHECK_FALSE(text.empty());
        CHECK(text.find(number(key.get(), OSSL_PKEY_PARAM_RSA_D).substr(0, 20)) == std::string::npos);
    }
}

TEST_CASE("the recorded assertions have the same structure", "[rest][jws]") {
    std::ifstream file(test::vectorPath("/rest/discovery.jsonl"));
    int seen = 0;
    simdjson::dom::parser parser;
    for (std::string line; std::getline(file, line);) {
        const simdjson::dom::element vector = parser.parse(line);
        const std::string name{std::string_view(vector["name"])};
        if (name != "v2-jwk" && name != "v2-jwk-audience") continue;
        ++seen;
        const std::string body{std::string_view(vector["requests"].at(0)["body"])};
        const Parts theirs = partsOf(Secret(body.substr(body.find("client_assertion=") + 17)));
        simdjson::dom::parser claimParser;
        const simdjson::dom::element claims = claimParser.parse(theirs.claims);
        const std::int64_t iat = claims["iat"], exp = claims["exp"];
        CHECK(exp - iat == 900);
        Secret made;
        REQUIRE_FALSE(makeClientAssertion(Secret(rsaJwk(rsa().get(), R"(,"alg":"RS256")")),
                                          std::string_view(claims["iss"]), std::string_view(claims["aud"]),
                                          std::chrono::seconds(iat), made));
        const Parts ours = partsOf(made);
        CHECK(ours.header == theirs.header);
        CHECK(ours.claims == theirs.claims);
        CHECK(ours.signature.size() == theirs.signature.size());
    }
    CHECK(seen == 2);
}
