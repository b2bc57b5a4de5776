// The forms of token requests, member by member in the order of the recorded ones (credentials.md 2).
#include "rest/form.h"
#include "rest/token.h"

namespace emissary::rest {

namespace {

constexpr const char* kAssertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

[[nodiscard]] std::string_view scopeOf(const Credential& c) noexcept {
    return c.scope.empty() ? std::string_view(kDefaultScope) : std::string_view(c.scope);
}

}  // namespace

void Credential::forgetSecrets() noexcept {
    for (Secret* each : {&password, &newPassword, &clientSecret, &clientJwk})
        each->clear();
}

eta::Refused makeTokenForm(Grant grant, const Credential& c, const Secret& refreshToken, std::chrono::seconds now,
                           Secret& form) {
    form.clear();
    switch (grant) {
    case Grant::password:
        addMember(form, "grant_type", "password");
        addMember(form, "username", c.userName);
        addMember(form, "client_id", c.clientId);
        addMember(form, "takeExclusiveSignOnControl", c.takeExclusiveSignOnControl ? "true" : "false");
        addMember(form, "scope", scopeOf(c));
        addMember(form, "password", c.password.view());
        if (!c.newPassword.empty()) addMember(form, "newPassword", c.newPassword.view());
        break;
    case Grant::refreshToken:
        addMember(form, "grant_type", "refresh_token");
        addMember(form, "username", c.userName);
        addMember(form, "client_id", c.clientId);
        addMember(form, "refresh_token", refreshToken.view());
        break;
    case Grant::clientCredentials:
        addMember(form, "grant_type", "client_credentials");
        addMember(form, "client_id", c.clientId);
        addMember(form, "scope", scopeOf(c));
        if (c.clientJwk.empty()) break;
        {
            Secret assertion;
            if (eta::Refused refused = makeClientAssertion(c.clientJwk, c.clientId, c.audience, now, assertion))
                return refused;
            addMember(form, "client_assertion_type", kAssertionType);
            addMember(form, "client_assertion", assertion.view());
        }
        return {};
    }
    if (!c.clientSecret.empty()) addMember(form, "client_secret", c.clientSecret.view());
    return {};
}

}  // namespace emissary::rest
