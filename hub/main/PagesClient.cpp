// hub/main: connects to the pages, and reads the answer to its end.
#include "hub/main/PagesClient.h"

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <memory>

#include <netdb.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

namespace emissary::hub {

namespace {

constexpr time_t kPatience = 30;  // seconds; the hub itself answers within a few
constexpr std::size_t kMostAnswer = std::size_t{64} << 20;

/// A socket, closed with it.
class Socket {
public:
    explicit Socket(int fd) noexcept : fd_(fd) {}
    ~Socket() {
        if (fd_ >= 0) ::close(fd_);
    }
    Socket(const Socket&) = delete;
    Socket& operator=(const Socket&) = delete;
    [[nodiscard]] int fd() const noexcept { return fd_; }

private:
    const int fd_;
};

/// A connection, or -1 with errno.
[[nodiscard]] int connectTo(const std::string& address, const std::string& port) {
    addrinfo hints{};
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (::getaddrinfo(address.c_str(), port.c_str(), &hints, &found) != 0) return errno = EADDRNOTAVAIL, -1;
    const int fd = ::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const timeval patience{kPatience, 0};
    if (fd >= 0) {
        (void)::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        (void)::setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    }
    const bool connected = fd >= 0 && ::connect(fd, found->ai_addr, found->ai_addrlen) == 0;
    const int fault = errno;
    ::freeaddrinfo(found);
    if (connected) return fd;
    if (fd >= 0) ::close(fd);
    errno = fault;
    return -1;
}

template <auto Free>
struct Freed {
    template <class T>
    void operator()(T* what) const noexcept {
        Free(what);
    }
};
using Certificate = std::unique_ptr<X509, Freed<&::X509_free>>;

/// The first one of a PEM file; null: it cannot be read.
[[nodiscard]] Certificate readCertificate(const std::string& path) {
    const std::unique_ptr<FILE, Freed<&std::fclose>> file(std::fopen(path.c_str(), "re"));
    return Certificate(file == nullptr ? nullptr : ::PEM_read_X509(file.get(), nullptr, nullptr, nullptr));
}

/// All of the answer, until the hub ends the connection; empty: there is none.
[[nodiscard]] std::string talkPlainly(int fd, const std::string& request) {
    std::string answer;
    if (::send(fd, request.data(), request.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(request.size())) return answer;
    char part[4096];
    for (ssize_t n = 0; (n = ::recv(fd, part, sizeof part, 0)) > 0 && answer.size() < kMostAnswer;)
        answer.append(part, static_cast<std::size_t>(n));
    return answer;
}

/// The same in TLS. Not empty, `fault`: the request was not sent, since it is not known who would read it.
[[nodiscard]] std::string talkInTls(int fd, const std::string& request, const std::string& certificate,
                                    std::string& fault) {
    const Certificate expected = readCertificate(certificate);
    if (expected == nullptr) return fault = "HttpCertificate: [" + certificate + "] cannot be read", std::string();
    const std::unique_ptr<SSL_CTX, Freed<&::SSL_CTX_free>> context(::SSL_CTX_new(::TLS_client_method()));
    const std::unique_ptr<SSL, Freed<&::SSL_free>> tls(context == nullptr ? nullptr : ::SSL_new(context.get()));
    if (tls == nullptr || ::SSL_set_min_proto_version(tls.get(), TLS1_2_VERSION) != 1 ||
        ::SSL_set_fd(tls.get(), fd) != 1 || ::SSL_connect(tls.get()) != 1)
        return fault = "the pages do not speak TLS, or none that can be used here", std::string();
    // The certificate itself is the proof: no authority, and no name, which a numeric address often has not.
    const Certificate shown(::SSL_get1_peer_certificate(tls.get()));
    if (shown == nullptr || ::X509_cmp(shown.get(), expected.get()) != 0)
        return fault = "the pages have another certificate than HttpCertificate [" + certificate +
                       "]; a hub that was started before the file changed needs a restart",
               std::string();
    std::string answer;
    if (::SSL_write(tls.get(), request.data(), static_cast<int>(request.size())) <= 0) return answer;
    char part[4096];
    for (int n = 0; (n = ::SSL_read(tls.get(), part, sizeof part)) > 0 && answer.size() < kMostAnswer;)
        answer.append(part, static_cast<std::size_t>(n));
    return answer;
}

}  // namespace

PagesAnswer askPages(const HubSettings& s, const PagesRequest& request) {
    if (s.httpPort == 0) return {0, {}, "the configuration has no pages (HttpPort 0): send SIGHUP to the hub instead"};
    const std::string address = s.httpAddress == "0.0.0.0" ? "127.0.0.1"
                                : s.httpAddress == "::"    ? "::1"
                                                           : s.httpAddress;
    const std::string port = std::to_string(s.httpPort);
    const std::string host = address.find(':') == std::string::npos ? address : "[" + address + "]";
    if (request.token.find_first_of("\r\n") != std::string::npos) return {0, {}, "the token has a line end"};
    const Socket socket(connectTo(address, port));
    if (socket.fd() < 0)
        return {0,
                {},
                "no hub answers at " + host + ":" + port + ": " + std::strerror(errno) +
                    "; -httpPort gives the port that it was started with"};
    std::string text;
    const auto add = [&text](const std::string& line) { text.append(line).append("\r\n"); };
    add("POST " + request.path + " HTTP/1.1");
    add("Host: " + host + ":" + port);
    if (!request.token.empty()) add("Authorization: Bearer " + request.token);
    text += request.headers;
    add("Content-Length: " + std::to_string(request.body.size()));
    add("Connection: close");
    add("");
    text += request.body;
    PagesAnswer answer;
    const std::string got = s.httpCertificate.empty() ? talkPlainly(socket.fd(), text)
                                                      : talkInTls(socket.fd(), text, s.httpCertificate, answer.fault);
    if (!answer.fault.empty()) return answer;
    const std::size_t body = got.find("\r\n\r\n");
    if (!got.starts_with("HTTP/1.1 ") || body == std::string::npos ||
        std::from_chars(got.data() + 9, got.data() + 12, answer.status).ec != std::errc())
        return {0, {}, "the hub gave no answer"};
    answer.body = got.substr(body + 4);
    return answer;
}

}  // namespace emissary::hub
