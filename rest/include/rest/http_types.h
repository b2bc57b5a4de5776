// HTTP requests and their answers (credentials.md 5).
#pragma once

#include "rest/Secret.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace emissary::rest {

/// How a request gets to its server.
struct HttpRoute {
    std::string proxyHost;      ///< empty: no proxy, whatever the environment says
    std::string proxyPort;      ///< number or service name; empty = 8080
    std::string proxyUser;      ///< empty: no user for the proxy
    std::string proxyDomain;    ///< put in front of the user, `DOMAIN\user`
    Secret proxyPassword;       ///< of the proxy user
    std::string interfaceName;  ///< local address or device; empty = any
    std::string caStore;        ///< file or directory of trusted certificates; empty = the system's
};

/// Whether the requests and answers are kept as text, and how much of it.
enum class Tracing : std::uint8_t {
    off,
    masked,  ///< tokens in answers are left out; passwords and client secrets always are
    verbose  ///< tokens are shown
};

/// One request. POST when it has a body, GET when it has none.
struct HttpRequest {
    std::string url;                           ///< https, or http where that is configured so
    Secret form;                               ///< the body; empty: GET
    std::string bodyType;                      ///< of the body; empty = application/x-www-form-urlencoded
    Secret bearer;                             ///< access token for the Authorization header; empty: none
    std::string bearerType;                    ///< scheme of that header; empty = Bearer
    std::chrono::milliseconds timeout{90000};  ///< of the whole request with its redirect; 0 = none
    HttpRoute route;                           ///< how to get there
    bool sameOrigin = false;                   ///< no redirect to another scheme, host or port is followed
    Tracing tracing = Tracing::off;            ///< fills HttpAnswer::trace
};

/// The failure of a request that was sent elsewhere twice.
inline constexpr const char* kTooManyRedirects = "Too many redirect attempts.";

/// The failure of a request with HttpRequest::sameOrigin that was sent to another origin.
inline constexpr const char* kRedirectElsewhere = "redirect to another server, which is not followed";

/// What became of a request.
struct HttpAnswer {
    int status = 0;                  ///< HTTP status; 0: there is no answer, `failure` says why
    std::string failure;             ///< sentence for a person; also when the answer cannot be used
    Secret body;                     ///< of the last answer
    std::string movedTo;             ///< a permanent redirect: the URL to use from now on; empty: none
    std::vector<std::string> trace;  ///< entries of the REST log, in order (credentials.md 8.1)

    /// There is an answer, and it is the wanted one.
    [[nodiscard]] bool good() const noexcept { return status == 200 && failure.empty(); }
    /// No further request of this kind is to be made (credentials.md 5.2).
    [[nodiscard]] bool final() const noexcept {
        return status == 403 || status == 404 || status == 410 || status == 451;
    }
};

}  // namespace emissary::rest
