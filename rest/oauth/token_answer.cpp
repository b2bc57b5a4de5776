// Reads the answer of a token server, and says of a refusal what a person needs, without repeating secrets.
#include "http/RestTrace.h"
#include "oauth/json_text.h"
#include "rest/form.h"
#include "rest/token.h"

#include <algorithm>
#include <charconv>
#include <initializer_list>

namespace emissary::rest {

namespace {

constexpr std::int64_t kLongestLife = 10LL * 365 * 86400;
constexpr std::size_t kMostText = 4096;  // of an answer that is quoted

/// A number, or a string of digits. 0 or less: it is neither, or no time.
[[nodiscard]] std::int64_t secondsOf(JsonText& json, JsonText::Value value) {
    std::int64_t number = 0;
    double real = 0;
    simdjson::ondemand::json_type type{};
    if (value.type().get(type) != simdjson::SUCCESS) return 0;
    if (type == simdjson::ondemand::json_type::string) {
        Secret digits;
        if (!json.string(value, digits)) return 0;
        const std::string_view text = digits.view();
        const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
        return end.ec == std::errc() && end.ptr == text.data() + text.size() ? number : 0;
    }
    if (type != simdjson::ondemand::json_type::number) return 0;
    if (value.get_int64().get(number) == simdjson::SUCCESS) return number;
    if (value.get_double().get(real) != simdjson::SUCCESS || !(real >= 1)) return 0;
    return real < static_cast<double>(kLongestLife) ? static_cast<std::int64_t>(real) : kLongestLife;
}

[[nodiscard]] eta::Refused unusable(std::string_view why) {
    return {"the answer of the token service cannot be used: " + std::string(why)};
}

/// What a server sends back may hold what was sent to it.
[[nodiscard]] std::string without(std::string text, std::initializer_list<const Secret*> secrets) {
    const auto remove = [&text](std::string_view secret) {
        if (secret.size() < 3) return;  // too short to be distinguished from other text
        for (auto at = text.find(secret); at != std::string::npos; at = text.find(secret, at + 3))
            text.replace(at, secret.size(), "***");
    };
    for (const Secret* each : secrets) {
        remove(each->view());
        Secret coded;
        addMember(coded, "", each->view());
        if (coded.size() > 1) remove(coded.view().substr(1));
    }
    return text;
}

[[nodiscard]] std::string quoted(const HttpAnswer& answer, std::initializer_list<const Secret*> secrets) {
    std::string text = answer.failure.empty() ? maskedTokens(answer.body.view()) : answer.failure;
    if (text.size() > kMostText) text.resize(kMostText);
    return without(std::move(text), secrets);
}

}  // namespace

eta::Refused readToken(Secret& body, Grant grant, Token& token) {
    JsonText json(body);
    JsonText::Object object;
    Token read;
    std::int64_t seconds = 0;
    bool good = json.object(object);
    if (good) {
        for (auto field : object) {
            std::string_view name;
            JsonText::Value value;
            good =
                field.unescaped_key().get(name) == simdjson::SUCCESS && field.value().get(value) == simdjson::SUCCESS;
            if (!good) break;
            // One of another type counts as missing.
            if (name == "access_token") static_cast<void>(json.string(value, read.access));
            else if (name == "refresh_token") static_cast<void>(json.string(value, read.refresh));
            else if (name == "token_type") static_cast<void>(json.string(value, read.type));
            else if (name == "expires_in") seconds = secondsOf(json, value);
        }
    }
    good = good && json.atEnd();
    body.clear();
    if (!good) return unusable("it is no JSON object");
    if (read.access.empty()) return unusable("it has no access_token");
    if (grant != Grant::clientCredentials && read.refresh.empty()) return unusable("it has no refresh_token");
    if (seconds <= 0) return unusable("its expires_in is missing or no number of seconds");
    // They go into a header line and into a login request.
    const auto plain = [](std::string_view text) {
        return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7F'; });
    };
    if (!plain(read.access.view()) || !plain(read.type)) return unusable("its access_token is no token");
    if (read.type.empty()) read.type = "Bearer";
    read.expiresIn = std::chrono::seconds(std::min(seconds, kLongestLife));
    token = std::move(read);
    return {};
}

std::chrono::seconds assumedLife(std::chrono::seconds expiresIn) noexcept {
    using std::chrono::seconds;
    if (expiresIn >= seconds(600)) return expiresIn - seconds(300);
    return seconds(expiresIn.count() * 95 / 100);
}

std::string describeTokenFailure(const HttpAnswer& answer, TokenRequest what, const Credential& c) {
    const std::string text = quoted(answer, {&c.password, &c.newPassword, &c.clientSecret, &c.clientJwk});
    const std::string code = std::to_string(answer.status);
    const bool withCode = answer.status != 0 && answer.status != 200 && answer.failure.empty();
    if (what == TokenRequest::renewal) {
        const std::string user = " for user: " + (c.byPassword() ? c.userName : c.clientId);
        return "Failed REST request for the token service" + (withCode ? " from HTTP status code " + code : "") + user +
               ". Text: " + text;
    }
    return "Failed to request authentication token information" + (withCode ? " with HTTP error " + code : "") +
           (answer.failure == kTooManyRedirects ? ". " : ". Text: ") + text;
}

std::string describeDiscoveryFailure(const HttpAnswer& answer, const Secret& token) {
    return std::string("Failed to request service discovery information. ") +
           (answer.failure == kTooManyRedirects ? "" : "Text: ") + quoted(answer, {&token});
}

}  // namespace emissary::rest
