// Takes tokens apart: first the signature, then what they say.
#include "rest/TokenCheck.h"

#include "oauth/PublicKeys.h"
#include "oauth/base64url.h"
#include "oauth/json_text.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace emissary::rest {

namespace {

using Outcome = TokenCheck::Outcome;

[[nodiscard]] constexpr std::string_view nameOf(TokenAlgorithm algorithm) noexcept {
    switch (algorithm) {
    case TokenAlgorithm::hs256:
        return "HS256";
    case TokenAlgorithm::rs256:
        return "RS256";
    case TokenAlgorithm::es256:
        break;
    }
    return "ES256";
}

/// Without padding, as tokens are written.
[[nodiscard]] bool decode(std::string_view part, Secret& out) {
    return !part.empty() && part.find('=') == std::string_view::npos && decodeBase64Url(part, out);
}

/// Calls back for each member. False: the text is no object, or has a member twice, or the call says so.
template <class F>
[[nodiscard]] bool eachMember(Secret& text, F f) {
    JsonText json(text);
    JsonText::Object object;
    if (!json.object(object)) return false;
    std::set<std::string, std::less<>> seen;
    for (auto field : object) {
        std::string_view name;
        JsonText::Value value;
        if (field.unescaped_key().get(name) != simdjson::SUCCESS || field.value().get(value) != simdjson::SUCCESS)
            return false;
        const auto [at, first] = seen.emplace(name);
        if (!first || !f(json, *at, value)) return false;
    }
    return json.atEnd();
}

/// A text, or an array of texts. False: neither.
[[nodiscard]] bool readTexts(JsonText& json, JsonText::Value value, std::vector<std::string>& out) {
    simdjson::ondemand::json_type type{};
    if (value.type().get(type) != simdjson::SUCCESS) return false;
    if (type == simdjson::ondemand::json_type::string) return json.string(value, out.emplace_back());
    simdjson::ondemand::array all;
    if (value.get_array().get(all) != simdjson::SUCCESS) return false;
    for (auto each : all) {
        JsonText::Value one;
        if (each.get(one) != simdjson::SUCCESS || !json.string(one, out.emplace_back())) return false;
    }
    return true;
}

/// What a token says of itself.
struct Claims {
    std::optional<double> expires, notBefore;
    std::vector<std::string> audiences, groups;
    std::string user;
};

[[nodiscard]] bool readClaims(Secret& text, const TokenRules& rules, Claims& out) {
    return eachMember(text, [&](JsonText& json, const std::string& name, JsonText::Value value) {
        const auto number = [&](std::optional<double>& into) {
            return value.get_double().get(into.emplace()) == simdjson::SUCCESS && std::isfinite(*into);
        };
        if (name == "exp") return number(out.expires);
        if (name == "nbf") return number(out.notBefore);
        if (name == "aud") return readTexts(json, value, out.audiences);
        if (name == rules.userClaim) return json.string(value, out.user);
        if (name == rules.groupsClaim) return readTexts(json, value, out.groups);
        return true;
    });
}

[[nodiscard]] constexpr Outcome no(std::string_view reason) noexcept {
    return {false, false, reason};
}

}  // namespace

struct TokenCheck::Impl {
    TokenRules rules;
    PublicKeys keys;
};

TokenCheck::TokenCheck(std::unique_ptr<const Impl> impl) noexcept : impl_(std::move(impl)) {}
TokenCheck::~TokenCheck() = default;

std::size_t TokenCheck::keys() const noexcept {
    return impl_->keys.size();
}

std::shared_ptr<const TokenCheck> TokenCheck::read(const Secret& keys, const TokenRules& rules, eta::Refused& refused) {
    auto made = std::make_unique<Impl>();
    made->rules = rules;
    if (rules.audience.empty() || rules.userClaim.empty()) {
        refused = {"no audience or no claim with the user is given"};
        return nullptr;
    }
    if ((refused = made->keys.read(keys, rules.algorithm))) return nullptr;
    return std::shared_ptr<const TokenCheck>(new TokenCheck(std::move(made)));
}

/// Nothing of what it says is looked at before the signature is right, but for algorithm and key.
Outcome TokenCheck::check(std::string_view token, std::chrono::seconds now, TokenUser& user) const {
    const std::size_t first = token.find('.'), last = token.rfind('.');
    if (token.size() > kMostBytes || first == std::string_view::npos || first == last ||
        token.find('.', first + 1) != last)
        return no("it is no token of three parts");
    Secret header, claims, signature;
    if (!decode(token.substr(0, first), header) || !decode(token.substr(first + 1, last - first - 1), claims) ||
        !decode(token.substr(last + 1), signature))
        return no("a part of it is no base64url");
    std::string algorithm, key;
    bool critical = false;
    const bool readable = eachMember(header, [&](JsonText& json, const std::string& name, JsonText::Value value) {
        if (name == "alg") return json.string(value, algorithm);
        if (name == "kid") return json.string(value, key);
        critical = critical || name == "crit";
        return true;
    });
    if (!readable) return no("its header cannot be read");
    if (algorithm != nameOf(impl_->rules.algorithm)) return no("it is signed by another algorithm");
    if (critical) return no("its header demands what is not known here");
    if (!impl_->keys.verify(token.substr(0, last), signature.view(), key)) return no("its signature is not right");

    Claims said;
    const TokenRules& rules = impl_->rules;
    if (!readClaims(claims, rules, said)) return no("its claims cannot be read");
    if (std::ranges::find(said.audiences, rules.audience) == said.audiences.end())
        return no("it is for another audience");
    if (said.user.empty()) return no("it names no user");
    if (!said.expires) return no("it does not say when it expires");
    const auto seconds = static_cast<double>(now.count());
    if (said.notBefore && *said.notBefore > seconds + static_cast<double>(kNotBeforeSlack.count()))
        return no("it is not valid yet");
    if (!(seconds < *said.expires)) return {false, true, "it has expired"};
    user.user = std::move(said.user);
    user.groups = std::move(said.groups);
    user.expires = std::chrono::seconds(static_cast<std::int64_t>(std::min(*said.expires, 9e15)));
    return {true, false, ""};
}

}  // namespace emissary::rest
