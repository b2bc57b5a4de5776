// On libmicrohttpd, which reads requests, writes replies and keeps the limits.
#include "reactor/http/HttpServer.h"

#include "http/Microhttpd.h"

#include <cerrno>
#include <cstring>
#include <new>
#include <string_view>
#include <system_error>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace emissary::reactor {
namespace {

struct Address {
    sockaddr_storage storage{};
    socklen_t size = 0;
};

/// `size` stays 0 when the text is no numeric address.
[[nodiscard]] Address parse(const std::string& text, std::uint16_t port) noexcept {
    Address a;
    sockaddr_in v4{};
    sockaddr_in6 v6{};
    if (inet_pton(AF_INET, text.c_str(), &v4.sin_addr) == 1) {
        v4.sin_family = AF_INET;
        v4.sin_port = htons(port);
        std::memcpy(&a.storage, &v4, a.size = sizeof v4);
    } else if (inet_pton(AF_INET6, text.c_str(), &v6.sin6_addr) == 1) {
        v6.sin6_family = AF_INET6;
        v6.sin6_port = htons(port);
        std::memcpy(&a.storage, &v6, a.size = sizeof v6);
    }
    return a;
}

[[noreturn]] void refuse(int error, const HttpOptions& options) {
    throw std::system_error(error, std::generic_category(),
                            "cannot listen on " + options.address + ":" + std::to_string(options.port));
}

/// The caller closes it.
[[nodiscard]] int listenOn(const HttpOptions& options) {
    const Address a = parse(options.address, options.port);
    if (a.size == 0) refuse(EINVAL, options);
    const int fd = ::socket(a.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) refuse(errno, options);
    const int one = 1;
    ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (::bind(fd, reinterpret_cast<const sockaddr*>(&a.storage), a.size) == 0 && ::listen(fd, 64) == 0) return fd;
    const int error = errno;
    ::close(fd);
    refuse(error, options);
}

[[nodiscard]] std::uint16_t portOf(int fd) noexcept {
    sockaddr_storage s{};
    socklen_t size = sizeof s;
    if (::getsockname(fd, reinterpret_cast<sockaddr*>(&s), &size) != 0) return 0;
    if (s.ss_family == AF_INET6) return ntohs(reinterpret_cast<const sockaddr_in6*>(&s)->sin6_port);
    return ntohs(reinterpret_cast<const sockaddr_in*>(&s)->sin_port);
}

[[nodiscard]] MHD_Result send(MHD_Connection* connection, const HttpReply& reply) noexcept {
    const Microhttpd& mhd = Microhttpd::loaded();
    MHD_Response* response =
        mhd.createResponse(reply.body.size(), const_cast<char*>(reply.body.data()), MHD_RESPMEM_MUST_COPY);
    if (response == nullptr) return MHD_NO;
    mhd.addHeader(response, MHD_HTTP_HEADER_CONTENT_TYPE, reply.contentType.c_str());
    mhd.addHeader(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
    if (reply.status == MHD_HTTP_METHOD_NOT_ALLOWED) mhd.addHeader(response, MHD_HTTP_HEADER_ALLOW, "GET, HEAD, POST");
    const MHD_Result queued = mhd.queueResponse(connection, reply.status, response);
    mhd.destroyResponse(response);
    return queued;
}

[[nodiscard]] bool hasBody(MHD_Connection* connection) noexcept {
    const auto valueOf = Microhttpd::loaded().valueOf;
    const char* length = valueOf(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_CONTENT_LENGTH);
    if (length != nullptr && std::string_view(length) != "0") return true;
    return valueOf(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_TRANSFER_ENCODING) != nullptr;
}

}  // namespace

struct HttpServer::Impl {
    Handler handler;
    std::uint16_t port = 0;
    MHD_Daemon* daemon = nullptr;

    [[nodiscard]] HttpReply answer(MHD_Connection* connection, const char* url, const char* method) const {
        const std::string_view m = method;
        if (m != "GET" && m != "HEAD" && m != "POST")
            return {MHD_HTTP_METHOD_NOT_ALLOWED, "text/plain; charset=utf-8", "This method is not allowed.\n"};
        const auto valueOf = [connection](MHD_ValueKind kind) {
            return [connection, kind](const char* name) {
                const char* v = Microhttpd::loaded().valueOf(connection, kind, name);
                return std::string(v != nullptr ? v : "");
            };
        };
        return handler({method, url, valueOf(MHD_GET_ARGUMENT_KIND), valueOf(MHD_HEADER_KIND)});
    }

    static MHD_Result onRequest(void* self, MHD_Connection* connection, const char* url, const char* method,
                                const char* /*version*/, const char* /*body*/, std::size_t* bodyBytes, void** seen) {
        try {
            if (*seen == nullptr) {  // the headers are there
                *seen = self;
                if (!hasBody(connection)) return MHD_YES;
                return send(connection, {MHD_HTTP_CONTENT_TOO_LARGE, "text/plain; charset=utf-8",
                                         "Requests with a body are not taken.\n"});
            }
            *bodyBytes = 0;
            return send(connection, static_cast<const Impl*>(self)->answer(connection, url, method));
        } catch (const std::bad_alloc&) { return send(connection, {MHD_HTTP_SERVICE_UNAVAILABLE, "text/plain", ""}); }
    }
};

HttpServer::HttpServer(const HttpOptions& options, Handler handler) : impl_(std::make_unique<Impl>()) {
    impl_->handler = std::move(handler);
    static_cast<void>(Microhttpd::loaded());  // throws here, before there is a socket
    const int fd = listenOn(options);
    impl_->port = portOf(fd);
    impl_->daemon = Microhttpd::loaded().startDaemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_ITC, 0, nullptr, nullptr, &Impl::onRequest, impl_.get(),
        MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT, options.maxConnections,
        MHD_OPTION_PER_IP_CONNECTION_LIMIT, options.maxConnectionsPerAddress, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        options.maxRequestBytes, MHD_OPTION_CONNECTION_TIMEOUT, static_cast<unsigned>(options.idleTimeout.count()),
        MHD_OPTION_END);
    if (impl_->daemon == nullptr) {
        const int error = errno;
        ::close(fd);
        refuse(error != 0 ? error : ENOMEM, options);
    }
}

HttpServer::~HttpServer() {
    Microhttpd::loaded().stopDaemon(impl_->daemon);
}

std::uint16_t HttpServer::port() const noexcept {
    return impl_->port;
}

}  // namespace emissary::reactor
