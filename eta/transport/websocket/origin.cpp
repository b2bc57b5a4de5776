// Compares the origin of a page with the rules of a port.
#include "transport/websocket/origin.h"

#include "eta/core/host_names.h"
#include "eta/core/printable.h"
#include "eta/transport/origins.h"

#include <algorithm>

namespace emissary::eta::transport::ws {

namespace {

constexpr std::size_t kMostShown = 128;

/// An origin has a scheme, a host and maybe a port, and nothing else (RFC 6454 section 6.2).
struct Origin {
    bool secure = false;
    std::string_view host, port;  // host empty: not of the web
};

[[nodiscard]] Origin parse(std::string_view text) noexcept {
    Origin o;
    o.secure = text.starts_with("https://");
    if (!o.secure && !text.starts_with("http://")) return {};
    const HostAndPort at = splitHost(text.substr(o.secure ? 8 : 7));
    if (at.host.find_first_of("/?#@* ") != std::string_view::npos) return {};
    o.host = at.host;
    o.port = at.port.empty() ? (o.secure ? "443" : "80") : at.port;
    return o;
}

/// The port that a request was sent to. Without one in Host it is that of the connection, which a page's own says
/// nothing of: a page of http://hub1 is another server's than wss://hub1. A page with https:// before a plain
/// connection came through a proxy that ends TLS.
[[nodiscard]] std::string_view portOf(const HostAndPort& host, const Origin& origin, bool encrypted) noexcept {
    if (!host.port.empty()) return host.port;
    return encrypted || origin.secure ? "443" : "80";
}

/// The page comes from this port, or is one of the pages of this program, under a name that is the host's own.
[[nodiscard]] bool isOwn(const OriginOptions& rules, const Origin& origin, const Requester& from) noexcept {
    const HostAndPort host = splitHost(from.host);
    if (!sameHost(origin.host, host.host) || !isOwnHost(host.host, rules.hosts)) return false;
    const std::string_view port = portOf(host, origin, from.encrypted);
    return origin.port == port || (rules.pagesPort != 0 && origin.port == std::to_string(rules.pagesPort));
}

/// A page of a proxy in front of this port.
[[nodiscard]] bool isPublic(const OriginOptions& rules, const Origin& origin) noexcept {
    return std::ranges::any_of(rules.publicHosts, [&](const std::string& one) {
        const HostAndPort at = splitHost(one);
        return sameHost(origin.host, at.host) &&
               origin.port == (at.port.empty() ? (origin.secure ? "443" : "80") : at.port);
    });
}

[[nodiscard]] bool isAllowed(const OriginOptions& rules, const Origin& origin, std::string_view text) noexcept {
    return std::ranges::any_of(rules.allowed, [&](const std::string& one) {
        if (one == "*" || one == text) return true;
        const Origin may = parse(one);
        return !may.host.empty() && may.secure == origin.secure && sameHost(may.host, origin.host) &&
               may.port == origin.port;
    });
}

}  // namespace

std::string shownOrigin(std::string_view origin) {
    return printable(origin.substr(0, kMostShown)).substr(0, kMostShown);
}

bool isOfPort(const OriginOptions& rules, const Requester& from) noexcept {
    if (!from.origin) return false;
    std::string_view said = *from.origin;
    if (said.ends_with('/')) said.remove_suffix(1);
    const Origin origin = parse(said);
    const HostAndPort host = splitHost(from.host);
    // Python's websocket-client writes http:// over TLS too. The other way round TLS ends in front of this port, where
    // there may be pages.
    const bool endsInFront = origin.secure && !from.encrypted;
    // Behind a proxy that nobody has named, host and origin are the proxy's, and its pages would be ours.
    const std::string_view port = portOf(host, origin, from.encrypted);
    return !origin.host.empty() && !endsInFront && sameHost(origin.host, host.host) &&
           isOwnHost(host.host, rules.hosts) && origin.port == port && port == std::to_string(from.port);
}

Refused checkOrigin(const OriginOptions& rules, const Requester& from) {
    if (!rules.checked) return {};
    if (!from.origin) {
        if (!rules.required) return {};
        return {"the request has no Origin, and RequireOrigin of this port is 1"};
    }
    std::string_view said = *from.origin;
    if (said.ends_with('/')) said.remove_suffix(1);  // as programs of golang.org/x/net/websocket send it
    const Origin origin = parse(said);
    const std::string shown = "pages of \"" + shownOrigin(*from.origin) + "\"";
    if (!isAllowed(rules, origin, said) &&
        (origin.host.empty() || !(isOwn(rules, origin, from) || isPublic(rules, origin))))
        return {shown + " may not connect to \"" + shownOrigin(from.host) +
                "\": AllowedOrigins of this port does not name them"};
    // A page that came over TLS reaches this port through a proxy that ends it: browsers open nothing else from there.
    if (from.encrypted || from.sameMachine || rules.plainWeb || origin.secure) return {};
    return {shown + " on another machine may not connect without TLS: use RSSL_ENCRYPTED, or set AllowPlainWeb to 1"};
}

}  // namespace emissary::eta::transport::ws

namespace emissary::eta::transport {

Refused checkAllowedOrigin(std::string_view text) {
    if (text == "*" || text == "null" || !ws::parse(text).host.empty()) return {};
    return {"[" + ws::shownOrigin(text) +
            "] is no origin; write for example https://prices.example.com, "
            "http://10.0.0.7:8000, null, or * for all"};
}

}  // namespace emissary::eta::transport
