// eta/transport/websocket: finds cookies by name, and writes them as the attributes of a login.
#include "transport/websocket/cookie_login.h"

#include "transport/websocket/header_text.h"

#include <algorithm>
#include <array>

#include <openssl/crypto.h>

namespace emissary::eta::transport::ws {
namespace {

/// Of the attributes, in the order of the cookies' names.
constexpr std::array<std::string_view, 3> kElements{"AuthenticationToken", "Position", "ApplicationId"};

// RFC 6265, 4.1.1: what a cookie's value may consist of. None of it has to be escaped in JSON.
bool isCookieOctet(char c) noexcept {
    return c > ' ' && c < '\x7f' && c != '"' && c != ',' && c != ';' && c != '\\';
}

}  // namespace

std::string_view cookieNamed(std::string_view header, std::string_view name) noexcept {
    while (!header.empty()) {
        std::string_view value = cut(header, ';');
        if (value.find('=') == std::string_view::npos) continue;
        // Names of cookies are compared with regard to case, other than those of headers.
        if (cut(value, '=') != name) continue;
        value = trim(value);
        if (value.size() >= 2 && value.front() == '"' && value.back() == '"') value = value.substr(1, value.size() - 2);
        return value;
    }
    return {};
}

CookieLogin loginOf(std::string_view header, const std::vector<std::string>& names) {
    CookieLogin login;
    std::string elements;
    for (std::size_t i = 0; i < std::min(names.size(), kElements.size()); ++i) {
        const std::string_view value = cookieNamed(header, names[i]);
        // Without a token the others say nothing: the client logs in by a message of its own.
        if (value.empty() && i == 0) return login;
        if (value.empty()) continue;
        if (!std::ranges::all_of(value, isCookieOctet)) {
            login.fault = "the cookie " + names[i] + " has a character that no cookie may have";
            return login;
        }
        if (!elements.empty()) elements += ',';
        elements.append("\"").append(kElements[i]).append("\":\"").append(value).append("\"");
    }
    // The name of a login by token is no name (rdm.md 2.1), so the key has its type alone.
    if (!elements.empty())
        login.text = R"({"ID":-1,"Domain":"Login","Key":{"NameType":"AuthnToken","Elements":{)" + elements + "}}}";
    return login;
}

void FirstMessage::drop() noexcept {
    ::OPENSSL_cleanse(text_.data(), text_.size());
    text_.clear();
}

}  // namespace emissary::eta::transport::ws
