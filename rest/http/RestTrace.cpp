// rest/http: writes requests and answers as log entries, with secrets masked.
#include "http/RestTrace.h"

#include "eta/core/Clock.h"
#include "eta/core/printable.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace emissary::rest {

namespace {

constexpr std::array<std::string_view, 6> kSecretMembers = {"password",         "newPassword",   "client_secret",
                                                            "client_assertion", "refresh_token", "access_token"};

/// 9:05:07:012, the local time of day.
[[nodiscard]] std::string stamp() {
    const auto now = eta::WallClock::now();
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1000;
    const std::time_t seconds = eta::WallClock::to_time_t(now);
    std::tm local{};
    ::localtime_r(&seconds, &local);
    char text[64];
    std::snprintf(text, sizeof text, "<!-- Time: %d:%02d:%02d:%03d -->\n", local.tm_hour, local.tm_min, local.tm_sec,
                  static_cast<int>(ms));
    return text;
}

/// Names of headers are written in any case.
[[nodiscard]] bool isSetCookie(std::string_view name) noexcept {
    return std::ranges::equal(name, std::string_view("set-cookie"), [](char a, char b) {
        return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + ('a' - 'A')) : a) == b;
    });
}

/// " Content-Type : application/json", a line for each.
[[nodiscard]] std::string shownHeaders(std::string_view headers) {
    std::string out;
    while (!headers.empty()) {
        const auto end = headers.find('\n');
        std::string_view line = headers.substr(0, end);
        headers.remove_prefix(end == std::string_view::npos ? headers.size() : end + 1);
        while (!line.empty() && (line.back() == '\r' || line.back() == ' '))
            line.remove_suffix(1);
        const auto colon = line.find(':');
        if (colon == std::string_view::npos) continue;
        std::string_view value = line.substr(colon + 1);
        while (!value.empty() && value.front() == ' ')
            value.remove_prefix(1);
        // Cookies may stand for a login, so the log does not show them.
        const bool cookie = isSetCookie(line.substr(0, colon));
        out += " " + eta::printable(line.substr(0, colon)) + " : " + (cookie ? "***" : eta::printable(value)) + "\n";
    }
    return out;
}

}  // namespace

std::string maskedForm(std::string_view form) {
    // Masked by name, in what is sent: values are escaped, so no value contains a separator.
    std::string out;
    while (!form.empty()) {
        const std::string_view pair = form.substr(0, form.find('&'));
        form.remove_prefix(std::min(form.size(), pair.size() + 1));
        const std::string_view name = pair.substr(0, pair.find('='));
        const bool secret = std::find(kSecretMembers.begin(), kSecretMembers.end(), name) != kSecretMembers.end();
        if (!out.empty()) out += '&';
        out += secret ? std::string(name) + "=***" : std::string(pair);
    }
    return out;
}

std::string maskedTokens(std::string_view json) {
    std::string out;
    std::size_t at = 0;
    // Looks at strings only: one of these names, a colon, and what follows up to the end of the string.
    const auto endOfString = [&](std::size_t from) {
        while (from < json.size() && json[from] != '"')
            from += json[from] == '\\' ? 2 : 1;
        return std::min(from, json.size());
    };
    while (at < json.size()) {
        if (json[at] != '"') {
            out += json[at++];
            continue;
        }
        const std::size_t end = endOfString(at + 1);
        const std::string_view name = json.substr(at + 1, end - at - 1);
        // The name itself is shown. Only its value is a secret.
        out.append(json.substr(at, std::min(end + 1, json.size()) - at));
        at = end + 1;
        const bool escaped = name.find('\\') != std::string_view::npos;
        const bool secret =
            std::find_if(kSecretMembers.begin(), kSecretMembers.end(),
                         [&](std::string_view s) {
                             return s == name || escaped;  // spelled so that it is not seen: masked to be sure
                         }) != kSecretMembers.end() ||
            // An identity token is as good as a password to whoever reads the log.
            name == "id_token";
        std::size_t value = std::min(json.find_first_not_of(" \t\r\n:", at), json.size());
        if (!secret || json.substr(std::min(at, json.size()), value - std::min(at, json.size())).find(':') ==
                           std::string_view::npos)
            continue;
        out.append(json.substr(at, value - at));
        at = value;
        if (at < json.size() && json[at] == '"') at = std::min(endOfString(at + 1) + 1, json.size());
        // A value that is no string ends at the next separator.
        else at = std::min(json.find_first_of(",}]\n", at), json.size());
        out += "\"***\"";
    }
    return out;
}

std::string traceOf(const HttpRequest& request) {
    const bool post = !request.form.empty();
    std::string out = stamp() + "--- REST REQUEST ---\n\nURL: " + eta::printable(request.url) +
                      "\nHTTP method: " + (post ? "POST" : "GET") + "\nHTTP header data:\n Accept : application/json\n";
    const bool form = request.bodyType.empty();
    if (post) out += " Content-Type : " + (form ? "application/x-www-form-urlencoded" : request.bodyType) + "\n";
    if (!request.bearer.empty()) out += " Authorization : Bearer ***\n";
    // What stands in another kind of body is not known here, and so it is not shown.
    if (post)
        out += "HTTP body data: " +
               (form ? maskedForm(request.form.view()) : std::to_string(request.form.size()) + " bytes") + "\n";
    out += "Interface name: " + request.route.interfaceName + "\nProxy domain name: " + request.route.proxyDomain +
           "\nProxy host name: " + request.route.proxyHost + "\nProxy port: " + request.route.proxyPort +
           "\nRequest timeout: " + std::to_string(request.timeout.count() / 1000) + "\n\n";
    return out;
}

std::string traceOf(const HttpAnswer& answer, std::string_view headers, Tracing how) {
    // Verbose tracing shows tokens on request: its user has asked for the whole body.
    const std::string body =
        how == Tracing::verbose ? std::string(answer.body.view()) : maskedTokens(answer.body.view());
    return stamp() + "--- REST RESPONSE ---\nHTTP header data:\n" + shownHeaders(headers) +
           "HTTP body data: " + eta::printable(body) +
           "\nProtocol version: HTTP/1.1\nHTTP status code: " + std::to_string(answer.status) + "\n\n";
}

std::string traceOfFailure(std::string_view text, int errorId, long systemError) {
    return stamp() + "--- REST RESPONSE ERROR ---\nError: " + eta::printable(text) +
           "\n Error ID: " + std::to_string(errorId) + "\n System error: " + std::to_string(systemError) + "\n\n";
}

}  // namespace emissary::rest
