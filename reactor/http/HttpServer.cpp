// On libmicrohttpd, which reads requests, writes replies and keeps the limits.
#include "reactor/http/HttpServer.h"

#include "eta/core/Clock.h"
#include "eta/core/host_names.h"
#include "http/Microhttpd.h"

#include "reactor/OpenDescriptor.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <list>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
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

// A start-up that fails is an exception: the caller names the address and the reason.
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
    // A restarted server takes its port at once.
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
    // What a page of another site must not do with these: guess their type, show them inside itself.
    mhd.addHeader(response, "X-Content-Type-Options", "nosniff");
    mhd.addHeader(response, "X-Frame-Options", "DENY");
    mhd.addHeader(response, "Content-Security-Policy", "frame-ancestors 'none'");
    // 405 says what is allowed, as HTTP asks.
    if (reply.status == MHD_HTTP_METHOD_NOT_ALLOWED) mhd.addHeader(response, MHD_HTTP_HEADER_ALLOW, "GET, HEAD, POST");
    for (const auto& [name, value] : reply.headers)
        mhd.addHeader(response, name.c_str(), value.c_str());
    const MHD_Result queued = mhd.queueResponse(connection, reply.status, response);
    mhd.destroyResponse(response);
    return queued;
}

/// Whether its headers announce a body of more than `most` bytes, or one whose size they do not say.
[[nodiscard]] bool bodyAbove(MHD_Connection* connection, std::size_t most) noexcept {
    const auto valueOf = Microhttpd::loaded().valueOf;
    if (valueOf(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_TRANSFER_ENCODING) != nullptr) return true;
    const char* length = valueOf(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_CONTENT_LENGTH);
    if (length == nullptr) return false;
    const std::string_view text = length;
    std::size_t bytes = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), bytes);
    return read.ec != std::errc() || read.ptr != text.data() + text.size() || bytes > most;
}

}  // namespace

namespace {

/// TLS 1.2 with forward secrecy, and TLS 1.3, as on the ports of clients.
constexpr const char* kTlsPriorities = "NORMAL:-VERS-ALL:+VERS-TLS1.2:+VERS-TLS1.3:-RSA";
constexpr std::chrono::milliseconds kReplyTimeout{30'000};  // for a peer that does not take what it asked for

/// One connection, as long as the library knows it.
struct Peer {
    int fd = -1;
    std::string address;
    bool answering = false;                    ///< its request is complete, and the reply has not left
    bool cut = false;                          ///< its end was asked for
    eta::TimePoint since = eta::Clock::now();  ///< idle, or answered, from then on
};

/// One request, as long as the library knows it.
struct Exchange {
    Peer* peer = nullptr;
    std::string body = {};
    std::function<void()> after = {};
};

[[nodiscard]] std::string addressOf(const sockaddr* address) {
    char text[INET6_ADDRSTRLEN] = "";
    if (address == nullptr) return text;
    if (address->sa_family == AF_INET6)
        ::inet_ntop(AF_INET6, &reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr, text, sizeof text);
    else ::inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(address)->sin_addr, text, sizeof text);
    return text;
}

}  // namespace

struct HttpServer::Impl {
    Handler handler;
    HttpOptions options;
    std::uint16_t port = 0;
    MHD_Daemon* daemon = nullptr;
    int events = -1;  // of the daemon
    OpenDescriptor wake = OpenDescriptor::event();
    std::atomic<bool> stop{false};
    std::list<Peer> peers;  // this and the members above it are the thread's, once it runs
    std::thread thread;

    [[nodiscard]] bool mine(std::string_view host) const noexcept {
        return eta::isOwnHost(eta::splitHost(host).host, options.hosts);
    }

    [[nodiscard]] HttpReply answer(MHD_Connection* connection, const char* url, const char* method,
                                   const Exchange& exchange) const {
        const std::string_view m = method;
        if (m != "GET" && m != "HEAD" && m != "POST")
            return {MHD_HTTP_METHOD_NOT_ALLOWED, "text/plain; charset=utf-8", "This method is not allowed.\n"};
        // Nobody but old tools leaves the name out: browsers cannot.
        const char* const host = Microhttpd::loaded().valueOf(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_HOST);
        if (host != nullptr && !mine(host))
            return {MHD_HTTP_MISDIRECTED_REQUEST, "text/plain; charset=utf-8",
                    "These pages are not served under this name. Use the address, or add the name to the "
                    "configuration (HttpHosts of a hub).\n"};
        const auto valueOf = [connection](MHD_ValueKind kind) {
            return [connection, kind](const char* name) {
                const char* v = Microhttpd::loaded().valueOf(connection, kind, name);
                return std::string(v != nullptr ? v : "");
            };
        };
        return handler({method, url, valueOf(MHD_GET_ARGUMENT_KIND), valueOf(MHD_HEADER_KIND),
                        exchange.peer != nullptr ? exchange.peer->address : std::string(), exchange.body});
    }

    static MHD_Result onRequest(void* self, MHD_Connection* connection, const char* url, const char* method,
                                // Called with the headers, with each piece of the body, and when that is through.
                                const char* /*version*/, const char* body, std::size_t* bodyBytes, void** seen) {
        try {
            if (*seen == nullptr) {  // the headers are there
                auto exchange = std::make_unique<Exchange>();
                if (const auto* const info =
                        Microhttpd::loaded().connectionInfo(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT))
                    exchange->peer = static_cast<Peer*>(info->socket_context);
                if (exchange->peer != nullptr) {
                    exchange->peer->answering = true;
                    exchange->peer->since = eta::Clock::now();
                }
                *seen = exchange.release();
                const std::size_t most = static_cast<const Impl*>(self)->options.maxBodyBytes;
                if (!bodyAbove(connection, std::string_view(method) == "POST" ? most : 0)) return MHD_YES;
                return send(connection, {MHD_HTTP_CONTENT_TOO_LARGE, "text/plain; charset=utf-8",
                                         most == 0 ? "Requests with a body are not taken.\n"
                                                   : "The body is too large, or its size is not said.\n"});
            }
            auto& exchange = *static_cast<Exchange*>(*seen);
            if (*bodyBytes != 0) {  // never more than the headers announced
                exchange.body.append(body, std::exchange(*bodyBytes, 0));
                return MHD_YES;
            }
            HttpReply reply = static_cast<const Impl*>(self)->answer(connection, url, method, exchange);
            exchange.after = std::move(reply.after);
            return send(connection, reply);
        } catch (const std::bad_alloc&) { return send(connection, {MHD_HTTP_SERVICE_UNAVAILABLE, "text/plain", ""}); }
    }

    /// As the library decodes names and values, but for a zero byte, which stays written as %00: it would end the text,
    /// and "/%00" would be the page "/".
    static std::size_t decode(void* /*self*/, MHD_Connection* /*connection*/, char* text) {
        const auto digit = [](char c) {
            return c >= '0' && c <= '9'   ? c - '0'
                   : c >= 'a' && c <= 'f' ? c - 'a' + 10
                   : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                          : -1;
        };
        char* out = text;
        for (const char* in = text; *in != '\0'; ++in) {
            const int high = *in == '%' ? digit(in[1]) : -1, low = high >= 0 ? digit(in[2]) : -1;
            if (low >= 0 && (high | low) != 0) {
                *out++ = static_cast<char>(high << 4 | low);
                in += 2;
            } else *out++ = *in;
        }
        *out = '\0';
        return static_cast<std::size_t>(out - text);
    }

    /// The reply has left, or its connection has ended.
    static void onDone(void* /*self*/, MHD_Connection* /*connection*/, void** seen, MHD_RequestTerminationCode) {
        const std::unique_ptr<Exchange> exchange(static_cast<Exchange*>(*seen));
        *seen = nullptr;
        if (!exchange) return;
        if (exchange->peer != nullptr) {
            exchange->peer->answering = false;
            exchange->peer->since = eta::Clock::now();
        }
        if (exchange->after) exchange->after();
    }

    static void onConnection(void* self, MHD_Connection* connection, void** context,
                             MHD_ConnectionNotificationCode what) {
        auto& impl = *static_cast<Impl*>(self);
        if (what == MHD_CONNECTION_NOTIFY_CLOSED) {
            impl.peers.remove_if([&](const Peer& peer) { return &peer == *context; });
            *context = nullptr;
            return;
        }
        try {
            const auto info = [&](MHD_ConnectionInfoType type) {
                return Microhttpd::loaded().connectionInfo(connection, type);
            };
            Peer& peer = impl.peers.emplace_back();
            if (const auto* const fd = info(MHD_CONNECTION_INFO_CONNECTION_FD)) peer.fd = fd->connect_fd;
            if (const auto* const from = info(MHD_CONNECTION_INFO_CLIENT_ADDRESS))
                peer.address = addressOf(from->client_addr);
            *context = &peer;
            impl.makeRoom(peer.address);
        } catch (const std::bad_alloc&) {}  // it is served without
    }

    /// The library notices that nothing more comes, and closes.
    static void cut(Peer& peer) noexcept {
        peer.cut = true;
        ::shutdown(peer.fd, SHUT_RDWR);
    }

    [[nodiscard]] eta::TimePoint endOf(const Peer& p) const noexcept {
        return p.since + (p.answering ? kReplyTimeout : options.headTimeout);
    }
    /// Closes the connection that has been idle longest, or whose peer has not read its reply within `headTimeout`. If
    /// there is none, closes the one that has been reading its reply longest. Never the newest, the last of the list.
    void makeRoom(const std::string& newest) noexcept {
        const auto overFull = [&](unsigned most, const auto& counts) {
            const auto there = std::ranges::count_if(peers, [&](const Peer& p) { return !p.cut && counts(p); });
            if (most == 0 || there <= static_cast<std::ptrdiff_t>(most)) return;
            const eta::TimePoint longAgo = eta::Clock::now() - options.headTimeout;
            const auto busy = [longAgo](const Peer& p) { return p.answering && p.since > longAgo; };
            Peer* oldest = nullptr;
            for (Peer& p : peers) {
                if (p.cut || !counts(p) || &p == &peers.back()) continue;
                if (oldest == nullptr || std::pair(busy(p), p.since) < std::pair(busy(*oldest), oldest->since))
                    oldest = &p;
            }
            if (oldest != nullptr) cut(*oldest);
        };
        overFull(options.maxConnectionsPerAddress, [&](const Peer& p) { return p.address == newest; });
        overFull(options.maxConnections, [](const Peer&) { return true; });
    }

    /// Ends who lets its request wait; returns the milliseconds until the next one has to be looked at, -1: none.
    [[nodiscard]] int endLate() noexcept {
        const eta::TimePoint now = eta::Clock::now();
        auto next = eta::TimePoint::max();
        for (Peer& p : peers) {
            if (p.cut) continue;
            if (endOf(p) <= now) cut(p);
            else next = std::min(next, endOf(p));
        }
        if (next == eta::TimePoint::max()) return -1;
        return static_cast<int>(std::chrono::duration_cast<std::chrono::milliseconds>(next - now).count()) + 1;
    }

    void run() noexcept {
        const Microhttpd& mhd = Microhttpd::loaded();
        while (!stop.load(std::memory_order_acquire)) {
            int wait = endLate();
            MHD_UNSIGNED_LONG_LONG own = 0;
            if (mhd.timeout(daemon, &own) == MHD_YES)
                wait = static_cast<int>(std::min<unsigned long long>(own, wait < 0 ? 60'000u : unsigned(wait)));
            pollfd fds[] = {{events, POLLIN, 0}, {wake, POLLIN, 0}};
            (void)::poll(fds, 2, wait);
            (void)mhd.run(daemon);
        }
    }
};

HttpServer::HttpServer(const HttpOptions& options, Handler handler) : impl_(std::make_unique<Impl>()) {
    impl_->handler = std::move(handler);
    impl_->options = options;
    if (std::string name = eta::machineName(); !eta::isLoopback(options.address) && !name.empty())
        impl_->options.hosts.push_back(std::move(name));
    const Microhttpd& mhd = Microhttpd::loaded();  // throws here, before there is a socket
    const int fd = listenOn(options);
    impl_->port = portOf(fd);
    // The bounds on connections are kept above; the library's own are for when it has not come to close what was cut.
    const unsigned most = options.maxConnections == 0 ? 1024u : options.maxConnections * 2 + 16;
    const bool encrypted = !options.tls.certificate.empty();
    const MHD_OptionItem tls[] = {
        {MHD_OPTION_HTTPS_MEM_CERT, 0, const_cast<char*>(options.tls.certificate.c_str())},
        {MHD_OPTION_HTTPS_MEM_KEY, 0, const_cast<char*>(options.tls.key.c_str())},
        {MHD_OPTION_HTTPS_PRIORITIES, 0, const_cast<char*>(kTlsPriorities)},
        {MHD_OPTION_END, 0, nullptr},
    };
    errno = 0;
    impl_->daemon = mhd.startDaemon(
        encrypted ? MHD_USE_EPOLL | MHD_USE_TLS : MHD_USE_EPOLL, 0, nullptr, nullptr, &Impl::onRequest, impl_.get(),
        MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT, most, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        options.maxRequestBytes, MHD_OPTION_NOTIFY_COMPLETED, &Impl::onDone, impl_.get(), MHD_OPTION_NOTIFY_CONNECTION,
        &Impl::onConnection, impl_.get(), MHD_OPTION_UNESCAPE_CALLBACK, &Impl::decode, nullptr, MHD_OPTION_ARRAY,
        encrypted ? &tls[0] : &tls[3], MHD_OPTION_END);
    // The library has its own copies by now, or none.
    ::explicit_bzero(impl_->options.tls.key.data(), impl_->options.tls.key.size());
    if (impl_->daemon == nullptr) {
        const int error = errno;
        ::close(fd);
        if (encrypted)
            throw std::system_error(error != 0 ? error : EINVAL, std::generic_category(),
                                    "cannot serve TLS on " + options.address + ":" + std::to_string(options.port) +
                                        " with this certificate and key");
        refuse(error != 0 ? error : ENOMEM, options);
    }
    impl_->events = mhd.infoOf(impl_->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
    try {
        impl_->thread = std::thread([impl = impl_.get()] { impl->run(); });
    } catch (...) {
        mhd.stopDaemon(impl_->daemon);
        throw;
    }
}

HttpServer::~HttpServer() {
    impl_->stop.store(true, std::memory_order_release);
    const std::uint64_t one = 1;
    // The thread may be waiting without an end.
    (void)!::write(impl_->wake, &one, sizeof one);
    impl_->thread.join();
    Microhttpd::loaded().stopDaemon(impl_->daemon);
}

std::uint16_t HttpServer::port() const noexcept {
    return impl_->port;
}

bool HttpServer::mine(std::string_view host) const noexcept {
    return impl_->mine(host);
}

}  // namespace emissary::reactor
