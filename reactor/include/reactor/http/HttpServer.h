// reactor/http: a small HTTP server for people and scrapers: pages of a few kilobytes, a few requests a second.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace emissary::reactor {

/// One request.
struct HttpRequest {
    std::string method;  ///< "GET", "HEAD" or "POST"
    std::string path;    ///< without the query: "/metrics"
    /// Of the query, decoded; empty when it is not there. Only while the handler runs.
    std::function<std::string(const char* name)> argument;
    /// Of the headers, whatever the case of the name; empty when it is not there. Only while the handler runs.
    std::function<std::string(const char* name)> header;
    std::string peer = {};  ///< numeric address that it came from
    std::string body = {};  ///< at most HttpOptions::maxBodyBytes
};

/// What is sent back.
struct HttpReply {
    unsigned status = 200;
    std::string contentType = "text/plain; charset=utf-8";
    std::string body;
    /// Called on the server's thread when the reply has left, or its connection has ended. May be empty.
    std::function<void()> after = {};
    std::vector<std::pair<std::string, std::string>> headers = {};  ///< beside those of every reply
};

/// Certificate and key in PEM, for a server that speaks TLS.
struct HttpTls {
    std::string certificate;  ///< that of the server first, then those that signed it; empty: no TLS
    std::string key;          ///< without a password
};

/// Where the server listens, and what clients may cost.
struct HttpOptions {
    std::string address = "127.0.0.1";  ///< a numeric IPv4 or IPv6 address; "0.0.0.0" and "::" are all interfaces
    std::uint16_t port = 0;             ///< 0 = any
    /// Names that a request's Host may have beside numeric addresses, localhost, and, unless the address is of the
    /// loopback, the machine's own name. Others are refused with 421: a page of the web whose name was made to lead
    /// here (DNS rebinding) would be of the same origin as these.
    std::vector<std::string> hosts;
    // A connection above a limit takes the place of the one that has been idle for longest, which may be itself;
    // requests that are being answered are left alone.
    unsigned maxConnections = 32, maxConnectionsPerAddress = 16;
    std::size_t maxRequestBytes = 16384;  ///< line and headers; memory of a connection for reading and writing them
    std::size_t maxBodyBytes = 0;         ///< of a POST; requests with a larger body are refused with 413
    HttpTls tls;
    std::chrono::milliseconds headTimeout{5000};  ///< for line and headers, from the connection or the reply before on
};

/// One listening socket and one thread, which calls the handler for one request after the other. The handler may block
/// for a while (other requests wait then) and must not throw anything but std::bad_alloc, which is answered with 503.
/// Without connections the thread sleeps without any wake-up.
class HttpServer {
public:
    using Handler = std::function<HttpReply(const HttpRequest&)>;
    /// Serves when it returns. Throws std::system_error; the text names address, port and reason.
    HttpServer(const HttpOptions& options, Handler handler);
    ~HttpServer();  ///< waits for a request that is being handled
    HttpServer(const HttpServer&) = delete;
    HttpServer& operator=(const HttpServer&) = delete;

    [[nodiscard]] std::uint16_t port() const noexcept;  ///< the port in use, also when 0 was asked for

    /// The value of a Host or, behind "http://" or "https://", of an Origin header: a numeric address, localhost, or
    /// one of the names, whatever the port.
    [[nodiscard]] bool mine(std::string_view host) const noexcept;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace emissary::reactor
