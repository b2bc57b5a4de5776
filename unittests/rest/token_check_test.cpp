// Tokens that are taken, tokens that are not, and files of keys that cannot be used.
#include "rest/TokenCheck.h"
#include "support/Signer.h"
#include "support/catch.hpp"

#include <random>

using namespace emissary;
using namespace emissary::rest;
using test::Signer;

namespace {

constexpr std::chrono::seconds kThen{1'800'000'000};
const std::string kSecret = "a secret of at least thirty-two bytes";
const std::string kClaims =
    R"({"iss":"x","sub":"dana","aud":["other","hub"],"exp":1800000060,"nbf":1799999000,"groups":["desk","all"]})";

[[nodiscard]] std::shared_ptr<const TokenCheck> checkFor(const std::string& keys, TokenAlgorithm algorithm,
                                                         const char* userClaim = "sub") {
    TokenRules rules;
    rules.algorithm = algorithm;
    rules.audience = "hub";
    rules.userClaim = userClaim;
    eta::Refused refused;
    auto made = TokenCheck::read(Secret(keys), rules, refused);
    INFO(refused.text);
    REQUIRE(made != nullptr);
    return made;
}

[[nodiscard]] std::string refusalOf(const std::string& keys, TokenAlgorithm algorithm) {
    TokenRules rules;
    rules.algorithm = algorithm;
    rules.audience = "hub";
    eta::Refused refused;
    CHECK(TokenCheck::read(Secret(keys), rules, refused) == nullptr);
    return refused.text;
}

/// Empty: it is taken.
[[nodiscard]] std::string reasonOf(const TokenCheck& check, const std::string& token,
                                   std::chrono::seconds now = kThen) {
    TokenUser user;
    const TokenCheck::Outcome outcome = check.check(token, now, user);
    CHECK(outcome.good == outcome.reason.empty());
    if (!outcome.good) CHECK(user.user.empty());
    return std::string(outcome.reason);
}

[[nodiscard]] std::string with(const char* claim, const std::string& value) {
    std::string claims = R"({"sub":"dana","aud":"hub","exp":1800000060})";
    const std::string name = '"' + std::string(claim) + "\":";
    const std::size_t at = claims.find(name);
    if (at == std::string::npos) return claims.substr(0, claims.size() - 1) + "," + name + value + "}";
    const std::size_t end = claims.find_first_of(",}", at);
    return claims.replace(at, end - at, value.empty() ? "\"none\":0" : name + value);
}

}  // namespace

TEST_CASE("tokens of each algorithm say who it is", "[rest][token]") {
    struct Row {
        Signer signer;
        TokenAlgorithm algorithm;
        std::string keys;
    };
    const Signer rsa = Signer::rsa(), curve = Signer::curve(), secret = Signer::secret(kSecret);
    const std::string others =
        Signer::rsa().jwk(R"(,"kid":"a","use":"enc")") + "," + Signer::curve().jwk(R"(,"kid":"b")");
    const Row rows[] = {
        {rsa, TokenAlgorithm::rs256, rsa.pem()},
        {rsa, TokenAlgorithm::rs256, rsa.jwk()},
        {rsa, TokenAlgorithm::rs256,
         R"({"keys":[)" + others + "," + rsa.jwk(R"(,"kid":"k","alg":"RS256","use":"sig")") + "]}"},
        {curve, TokenAlgorithm::es256, curve.pem()},
        {curve, TokenAlgorithm::es256,
         " \n{\"x5c\":[1,{}],\"keys\":[" + others + "," + curve.jwk(R"(,"kid":"k","key_ops":["verify"])") + "]}"},
        {secret, TokenAlgorithm::hs256, kSecret},
        {secret, TokenAlgorithm::hs256, kSecret + "\r\n"},
        {secret, TokenAlgorithm::hs256, R"({"keys":[)" + others + "," + secret.jwk(R"(,"kid":"k")") + "]}"}};
    for (const Row& row : rows) {
        INFO(row.keys);
        const auto check = checkFor(row.keys, row.algorithm);
        TokenUser user;
        REQUIRE(check->check(row.signer.token(kClaims), kThen, user).good);
        CHECK(user.user == "dana");
        CHECK(user.groups == std::vector<std::string>{"desk", "all"});
        CHECK(user.expires == std::chrono::seconds(1800000060));
        if (row.keys.find("keys") != std::string::npos) {
            CHECK(reasonOf(*check, row.signer.token(kClaims, R"(,"kid":"k")")).empty());
            CHECK(reasonOf(*check, row.signer.token(kClaims, R"(,"kid":"l")")) == "its signature is not right");
        } else CHECK(reasonOf(*check, row.signer.token(kClaims, R"(,"kid":"any")")).empty());
    }
}

TEST_CASE("what a token says has to be true", "[rest][token]") {
    const Signer signer = Signer::secret(kSecret);
    const auto check = checkFor(kSecret, TokenAlgorithm::hs256);
    const auto reason = [&](const std::string& claims) { return reasonOf(*check, signer.token(claims)); };
    CHECK(reason(with("iat", "1")).empty());
    // Time
    CHECK(reason(with("exp", "1800000001")).empty());
    CHECK(reason(with("exp", "1800000000.5")).empty());
    CHECK(reason(with("exp", "1e300")).empty());
    CHECK(reason(with("exp", "1800000000")) == "it has expired");
    CHECK(reason(with("exp", "-1")) == "it has expired");
    CHECK(reason(with("exp", "")) == "it does not say when it expires");
    CHECK(reason(with("exp", "\"1800000060\"")) == "its claims cannot be read");
    CHECK(reason(with("exp", "1e999")) == "its claims cannot be read");
    CHECK(reason(with("nbf", "1800000010")).empty());
    CHECK(reason(with("nbf", "1800000011")) == "it is not valid yet");
    CHECK(reason(with("nbf", "true")) == "its claims cannot be read");
    TokenUser user;
    CHECK(check->check(signer.token(with("exp", "1800000000")), kThen, user).expired);
    CHECK_FALSE(check->check(signer.token(with("nbf", "1900000000")), kThen, user).expired);
    // Audience
    CHECK(reason(with("aud", R"(["a","hub"])")).empty());
    CHECK(reason(with("aud", R"("hubs")")) == "it is for another audience");
    CHECK(reason(with("aud", "[]")) == "it is for another audience");
    CHECK(reason(with("aud", "")) == "it is for another audience");
    CHECK(reason(with("aud", R"(["hub",1])")) == "its claims cannot be read");
    CHECK(reason(with("aud", R"({"hub":1})")) == "its claims cannot be read");
    // User and groups
    CHECK(reason(with("sub", "")) == "it names no user");
    CHECK(reason(with("sub", R"("")")) == "it names no user");
    CHECK(reason(with("sub", "5")) == "its claims cannot be read");
    CHECK(reason(with("groups", R"("desk")")).empty());
    CHECK(reason(with("groups", R"(["desk",null])")) == "its claims cannot be read");
    // Form
    CHECK(reason("[]") == "its claims cannot be read");
    CHECK(reason("") == "a part of it is no base64url");
    CHECK(reason(with("sub2", R"("x")")).empty());
    CHECK(reason(R"({"sub":"dana","aud":"hub","exp":1800000060,"sub":"root"})") == "its claims cannot be read");
    CHECK(reason(with("iat", "1") + "x") == "its claims cannot be read");

    const auto byMail = checkFor(kSecret, TokenAlgorithm::hs256, "email");
    CHECK(reasonOf(*byMail, signer.token(with("email", R"("d\u0061na@x")"))).empty());
    CHECK(reasonOf(*byMail, signer.token(with("iat", "1"))) == "it names no user");
}

TEST_CASE("a token cannot choose how it is checked", "[rest][token]") {
    const Signer rsa = Signer::rsa(), curve = Signer::curve(), secret = Signer::secret(kSecret);
    const auto byRsa = checkFor(rsa.pem(), TokenAlgorithm::rs256);
    // The public key as a secret, which everybody knows.
    const Signer publicAsSecret = Signer::secret(rsa.pem());
    CHECK(reasonOf(*byRsa, publicAsSecret.token(kClaims)) == "it is signed by another algorithm");
    CHECK(reasonOf(*byRsa, publicAsSecret.signedText(R"({"alg":"RS256"})", kClaims)) == "its signature is not right");
    CHECK(refusalOf(rsa.pem(), TokenAlgorithm::hs256) == "HS256 needs a secret, and this is a key pair's");
    for (const char* const alg : {"none", "None", "NONE", "", "rs256", "RS384", "PS256", "HS256", "ES256"}) {
        INFO(alg);
        const std::string header = R"({"alg":")" + std::string(alg) + "\"}";
        CHECK(reasonOf(*byRsa, rsa.signedText(header, kClaims)) == "it is signed by another algorithm");
        const std::string bare = test::base64Url(header) + "." + test::base64Url(kClaims) + ".";
        CHECK_FALSE(reasonOf(*byRsa, bare).empty());
        CHECK(reasonOf(*byRsa, bare + "AA") == "it is signed by another algorithm");
    }
    CHECK(reasonOf(*byRsa, rsa.signedText("{}", kClaims)) == "it is signed by another algorithm");
    CHECK(reasonOf(*byRsa, rsa.signedText(R"({"alg":"RS256","alg":"RS256"})", kClaims)) == "its header cannot be read");
    CHECK(reasonOf(*byRsa, rsa.signedText(R"({"alg":["RS256"]})", kClaims)) == "its header cannot be read");
    CHECK(reasonOf(*byRsa, rsa.signedText(R"({"alg":"RS256","crit":["exp"]})", kClaims)) ==
          "its header demands what is not known here");
    // Keys of others
    CHECK(reasonOf(*byRsa, Signer::rsa().token(kClaims)) == "its signature is not right");
    CHECK(reasonOf(*byRsa, Signer::rsa().signedText(R"({"alg":"RS256","jwk":)" + Signer::rsa().jwk() + "}", kClaims)) ==
          "its signature is not right");
    CHECK(reasonOf(*checkFor(curve.pem(), TokenAlgorithm::es256), Signer::curve().token(kClaims)) ==
          "its signature is not right");
    CHECK(reasonOf(*checkFor(kSecret, TokenAlgorithm::hs256), Signer::secret(kSecret + "x").token(kClaims)) ==
          "its signature is not right");
}

TEST_CASE("tokens that are cut or changed at any place are not taken", "[rest][token]") {
    const Signer signers[] = {Signer::rsa(), Signer::curve(), Signer::secret(kSecret)};
    const TokenAlgorithm algorithms[] = {TokenAlgorithm::rs256, TokenAlgorithm::es256, TokenAlgorithm::hs256};
    std::mt19937 random(11);
    for (std::size_t i = 0; i < 3; ++i) {
        const auto check = checkFor(i == 2 ? kSecret : signers[i].pem(), algorithms[i]);
        const std::string token = signers[i].token(kClaims);
        REQUIRE(reasonOf(*check, token).empty());
        for (std::size_t n = 0; n < token.size(); ++n) {
            TokenUser user;
            REQUIRE_FALSE(check->check(token.substr(0, n), kThen, user).good);
            REQUIRE_FALSE(check->check(token.substr(n + 1), kThen, user).good);
        }
        for (int n = 0; n < 300; ++n) {
            std::string changed = token;
            // The last letter of a part may have bits that mean nothing.
            const std::size_t at = random() % (changed.size() - 1);
            if (changed[at + 1] == '.') continue;
            changed[at] = static_cast<char>(random() % 256);
            TokenUser user;
            if (changed != token) REQUIRE_FALSE(check->check(changed, kThen, user).good);
        }
        CHECK_FALSE(reasonOf(*check, token + ".").empty());
        CHECK_FALSE(reasonOf(*check, token + "=").empty());
        CHECK_FALSE(reasonOf(*check, token + "AAAA").empty());
        CHECK_FALSE(reasonOf(*check, " " + token).empty());
        CHECK_FALSE(reasonOf(*check, "..").empty());
        CHECK_FALSE(reasonOf(*check, "").empty());
        CHECK(reasonOf(*check, std::string(TokenCheck::kMostBytes + 1, '.')) == "it is no token of three parts");
        for (int n = 0; n < 300; ++n) {
            std::string garbage(random() % 200, '\0');
            for (char& c : garbage)
                c = random() % 8 == 0 ? '.' : static_cast<char>(random() % 256);
            TokenUser user;
            REQUIRE_FALSE(check->check(garbage, kThen, user).good);
        }
    }
}

TEST_CASE("files of keys that cannot be used say why", "[rest][token]") {
    using enum TokenAlgorithm;
    const Signer rsa = Signer::rsa(), curve = Signer::curve();
    CHECK(refusalOf("", rs256) == "it is empty");
    CHECK(refusalOf(" \n", hs256) == "it is empty");
    CHECK(refusalOf("word", rs256) == "it is neither a public key (PEM) nor a JWK set (JSON)");
    CHECK(refusalOf(std::string(31, 's') + "\n", hs256) == "HS256 needs a secret of at least 32 bytes");
    CHECK(refusalOf(curve.pem(), rs256) == "RS256 needs an RSA key, and this is another one");
    CHECK(refusalOf(rsa.pem(), es256) == "ES256 needs a key on the curve P-256, and this is another one");
    CHECK(refusalOf(Signer::curve("P-384").pem(), es256) ==
          "ES256 needs a key on the curve P-256, and this is another one");
    CHECK(refusalOf(Signer::rsa(1024).pem(), rs256) == "its RSA key has fewer than 2048 bits");
    CHECK(refusalOf(Signer::rsa(1024).jwk(), rs256) == "its RSA key has fewer than 2048 bits");
    CHECK(refusalOf("-----BEGIN PRIVATE KEY-----", rs256) == "it has a private key; only the public one belongs here");
    CHECK(refusalOf("-----BEGIN PUBLIC KEY-----\nAAAA\n", rs256) == "its PEM is no public key (BEGIN PUBLIC KEY)");
    CHECK(refusalOf("{", rs256) == "it is no JSON object with keys");
    CHECK(refusalOf(R"({"keys":5})", rs256) == "it is no JSON object with keys");
    CHECK(refusalOf(R"({"keys":[5]})", rs256) == "it is no JSON object with keys");
    CHECK(refusalOf(R"({"keys":[]})", rs256) == "none of its keys is one for signatures of the algorithm");
    CHECK(refusalOf("{}", hs256) == "none of its keys is one for signatures of the algorithm");
    CHECK(refusalOf(rsa.jwk(), es256) == "none of its keys is one for signatures of the algorithm");
    CHECK(refusalOf(rsa.jwk(R"(,"alg":"RS512")"), rs256) == "none of its keys is one for signatures of the algorithm");
    CHECK(refusalOf(rsa.jwk(R"(,"use":"enc")"), rs256) == "none of its keys is one for signatures of the algorithm");
    CHECK(refusalOf(Signer::secret("short").jwk(), hs256) == "a key of its set is no secret of at least 32 bytes");
    CHECK(refusalOf(R"({"keys":[{"kty":"RSA","n":"??","e":"AQAB"}]})", rs256) ==
          "a key of its set has numbers that are no key");
    CHECK(refusalOf(R"({"keys":[{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}]})", es256) ==
          "a key of its set has numbers that are no key");
    const std::string set = R"({"keys":[)" + rsa.jwk() + "]}";
    for (std::size_t n = 0; n < set.size(); ++n)
        CHECK_FALSE(refusalOf(set.substr(0, n), rs256).empty());
    CHECK(refusalOf(set + "x", rs256) == "it is no JSON object with keys");

    TokenRules rules;
    eta::Refused refused;
    CHECK(TokenCheck::read(Secret(rsa.pem()), rules, refused) == nullptr);
    CHECK(refused.text == "no audience or no claim with the user is given");
}
