// JSON Web Signature, compact form (credentials.md 2.1).
#include "oauth/PrivateKey.h"
#include "oauth/base64url.h"
#include "oauth/json_text.h"
#include "rest/token.h"

namespace emissary::rest {

namespace {

constexpr std::chrono::seconds kValid{900};

}  // namespace

eta::Refused makeClientAssertion(const Secret& jwk, std::string_view clientId, std::string_view audience,
                                 std::chrono::seconds now, Secret& assertion) {
    PrivateKey key;
    eta::Refused refused;
    if (!PrivateKey::read(jwk, key, refused)) return refused;
    Secret header(R"({"alg":")");
    header.append(key.algorithm()).append(R"(","typ":"JWT")");
    if (!key.id().empty()) {
        header.append(R"(,"kid":)");
        appendJsonString(header, key.id());
    }
    header.append("}");
    Secret claims(R"({"iss":)");
    appendJsonString(claims, clientId);
    claims.append(R"(,"sub":)");
    appendJsonString(claims, clientId);
    claims.append(R"(,"aud":)");
    appendJsonString(claims, audience.empty() ? std::string_view(kDefaultAudience) : audience);
    claims.append(R"(,"exp":)").append(std::to_string((now + kValid).count()));
    claims.append(R"(,"iat":)").append(std::to_string(now.count())).append("}");
    assertion.clear();
    appendBase64Url(assertion, header.view());
    assertion.append(".");
    appendBase64Url(assertion, claims.view());
    Secret signature;
    if (eta::Refused unsigned_ = key.sign(assertion.view(), signature)) return unsigned_;
    assertion.append(".");
    appendBase64Url(assertion, signature.view());
    return {};
}

}  // namespace emissary::rest
