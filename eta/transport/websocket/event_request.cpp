// Reads the query of GET /sse into the texts that a WebSocket client would have sent.
#include "transport/websocket/event_request.h"

#include "eta/core/json_escapes.h"
#include "eta/core/printable.h"
#include "transport/websocket/cookie_login.h"
#include "transport/websocket/header_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace emissary::eta::transport::ws {
namespace {

constexpr std::string_view kBearer = "Bearer ";
constexpr std::string_view kKnown =
    "user, applicationId, position, service, domain, view, id, snapshot, names (in this order)";

int hexDigit(char c) noexcept {
    if (c >= '0' && c <= '9') return c - '0';
    const char low = static_cast<char>(c | 0x20);
    return low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
}

/// Nothing when a '%' is not followed by two digits.
std::optional<std::string> decoded(std::string_view in) {
    std::string out;
    out.reserve(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) {
        if (in[i] == '+') {
            out += ' ';
            continue;
        }
        if (in[i] != '%') {
            out += in[i];
            continue;
        }
        const int high = i + 2 < in.size() ? hexDigit(in[i + 1]) : -1, low = high < 0 ? -1 : hexDigit(in[i + 2]);
        if (low < 0) return std::nullopt;
        out += static_cast<char>(high << 4 | low);
        i += 2;
    }
    return out;
}

bool isNumber(std::string_view text) noexcept {
    return !text.empty() && text.size() < 10 && (text.front() != '0' || text.size() == 1) &&
           std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// A number as it is, any other text in quotes.
void appendValue(std::string& out, std::string_view text) {
    if (isNumber(text)) out += text;
    else appendJsonString(out, text);
}

/// The parameters in their order: each `names` is a request, with what stands before it.
class QueryReader {
public:
    explicit QueryReader(EventRequest& result) : result_(result) {}

    void read(std::string_view query) {
        while (!query.empty() && result_.fault.empty()) {
            std::string_view value = cut(query, '&');
            if (value.empty()) continue;
            const std::string_view name = cut(value, '=');
            if (!take(name, value)) unknown(name);
        }
    }
    void writeLogin(std::string_view token, std::string cookies) {
        if (!result_.fault.empty()) return;
        if (!cookies.empty()) return finish(std::move(cookies));
        if (token.empty() && user_.empty())
            return fail("the parameter user is missing: it is the name of the login, unless a token is it");
        std::string login = R"({"ID":1,"Domain":"Login","Key":{)";
        if (token.empty()) appendJsonString(login += R"("Name":)", user_);
        else login += R"("NameType":"AuthnToken")";
        std::string elements;
        const auto element = [&elements](std::string_view name, std::string_view value) {
            if (value.empty()) return;
            if (!elements.empty()) elements += ',';
            elements.append("\"").append(name).append("\":");
            appendJsonString(elements, value);
        };
        element("AuthenticationToken", token);
        element("ApplicationId", applicationId_);
        element("Position", position_);
        if (!elements.empty()) login.append(R"(,"Elements":{)").append(elements).append("}");
        finish(login + "}}");
    }

private:
    void finish(std::string login) { result_.text = "[" + std::move(login) + requests_ + "]"; }
    void fail(std::string why) { result_.fault = std::move(why); }
    void unknown(std::string_view name) {
        fail("there is no parameter " + printable(name.substr(0, 40)) + "; there are " + std::string(kKnown));
    }

    /// False: there is no such parameter.
    bool take(std::string_view name, std::string_view value) {
        if (name == "names") return readNames(value), true;
        const std::optional<std::string> text = decoded(value);
        if (!text) {
            fail("the parameter " + printable(name.substr(0, 40)) + " has a % without two hexadecimal digits");
            return true;
        }
        if (name == "user") user_ = *text;
        else if (name == "applicationId") applicationId_ = *text;
        else if (name == "position") position_ = *text;
        else if (name == "service") service_ = *text;
        else if (name == "domain") domain_ = *text;
        else if (name == "view") readView(value);
        else if (name == "snapshot") readSnapshot(*text);
        else if (name == "id") readId(*text);
        else return false;
        return true;
    }
    void readSnapshot(std::string_view text) {
        if (text != "0" && text != "1") fail("the parameter snapshot is 0 or 1");
        snapshot_ = text == "1";
    }
    void readId(std::string_view text) {
        if (!isNumber(text) || text == "0" || text == "1") return fail("the parameter id is a number from 2");
        std::from_chars(text.data(), text.data() + text.size(), id_);
    }
    /// Calls with each part of a list, decoded. False: one of them cannot be.
    template <class Take>
    bool forEach(std::string_view list, const char* name, Take take) {
        while (!list.empty()) {
            const std::optional<std::string> one = decoded(cut(list, ','));
            if (!one) return fail(std::string(name) + " have a % without two hexadecimal digits"), false;
            if (!one->empty()) take(*one);
        }
        return true;
    }
    void readView(std::string_view list) {
        view_.clear();
        (void)forEach(list, "fields of the parameter view", [this](const std::string& field) {
            view_ += view_.empty() ? "" : ",";
            appendValue(view_, field);
        });
    }
    // A batch has its own stream, and its items those behind it.
    void readNames(std::string_view list) {
        std::string names;
        std::int64_t count = 0;
        if (!forEach(list, "names of the parameter names", [&](const std::string& item) {
                names += count++ == 0 ? "" : ",";
                appendJsonString(names, item);
            }))
            return;
        if (count == 0) return fail("the parameter names has no name");
        requests_.append(R"(,{"ID":)").append(std::to_string(id_)).append(R"(,"Key":{"Name":)");
        requests_ += count == 1 ? names : "[" + names + "]";
        if (!service_.empty()) appendValue(requests_ += R"(,"Service":)", service_);
        requests_ += '}';
        if (!domain_.empty()) appendValue(requests_ += R"(,"Domain":)", domain_);
        if (!view_.empty()) requests_.append(R"(,"View":[)").append(view_).append("]");
        if (snapshot_) requests_ += R"(,"Streaming":false)";
        requests_ += '}';
        id_ += count == 1 ? 1 : count + 1;
    }

    EventRequest& result_;
    std::string user_, applicationId_, position_, service_, domain_, view_, requests_;
    bool snapshot_ = false;
    std::int64_t id_ = 2;
};

std::string pageHeaders(const std::string& origin, bool withCookies) {
    if (origin.empty()) return {};
    std::string s = "Access-Control-Allow-Origin: " + origin + "\r\nVary: Origin\r\n";
    // Without cookies a page cannot make use of what the browser has of its user.
    if (withCookies) s += "Access-Control-Allow-Credentials: true\r\n";
    return s;
}

}  // namespace

EventRequest readEventRequest(const UpgradeRequest& request, const std::vector<std::string>& cookieNames) {
    EventRequest result;
    QueryReader reader(result);
    reader.read(request.query);
    std::string_view token = request.authorization;
    if (token.starts_with(kBearer)) token = trim(token.substr(kBearer.size()));
    else if (!token.empty()) result.fault = "the header Authorization has no Bearer token, which is all that is taken";
    CookieLogin cookies;
    if (token.empty() && !cookieNames.empty()) cookies = loginOf(request.cookies, cookieNames);
    if (result.fault.empty()) result.fault = std::move(cookies.fault);
    reader.writeLogin(token, std::move(cookies.text));
    return result;
}

std::string eventAnswer(const std::string& origin, bool withCookies) {
    return "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n"
           "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nX-Accel-Buffering: no\r\n"
           "Connection: close\r\n" +
           pageHeaders(origin, withCookies) + "\r\n";
}

std::string preflightAnswer(const std::string& origin, bool withCookies) {
    return "HTTP/1.1 204 No Content\r\nAccess-Control-Allow-Methods: GET\r\n"
           "Access-Control-Allow-Headers: Authorization, Last-Event-ID, Cache-Control\r\n"
           "Access-Control-Max-Age: 600\r\nConnection: close\r\n" +
           pageHeaders(origin, withCookies) + "\r\n";
}

}  // namespace emissary::eta::transport::ws
