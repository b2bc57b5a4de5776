// An HTTP server on loopback that plays token service and discovery, with answers that tests choose.
#include "support/RestServer.h"

#include "support/paths.h"

#include <algorithm>
#include <cctype>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace emissary::test {

namespace {

std::string decoded(const std::string& text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '+') out += ' ';
        else if (text[i] == '%' && i + 2 < text.size())
            out += static_cast<char>(std::stoi(text.substr(std::exchange(i, i + 2) + 1, 2), nullptr, 16));
        else out += text[i];
    }
    return out;
}

int connectTo(const std::string& port) {
    sockaddr_in a{};
    a.sin_family = AF_INET;
    a.sin_port = htons(static_cast<std::uint16_t>(std::stoi(port)));
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (::connect(fd, reinterpret_cast<const sockaddr*>(&a), sizeof a) == 0) return fd;
    ::close(fd);
    return -1;
}

}  // namespace

std::map<std::string, std::string> RestServer::Request::form() const {
    std::map<std::string, std::string> members;
    std::string text = body;
    if (const auto query = target.find('?'); text.empty() && query != std::string::npos)
        text = target.substr(query + 1);
    while (!text.empty()) {
        const std::string pair = text.substr(0, text.find('&'));
        text.erase(0, pair.size() + 1);
        members[decoded(pair.substr(0, pair.find('=')))] =
            pair.find('=') == std::string::npos ? "" : decoded(pair.substr(pair.find('=') + 1));
    }
    return members;
}

/// A connection, encrypted or not.
class RestServer::Stream {
public:
    Stream(int fd, SSL_CTX* context) : fd_(fd) {
        if (context == nullptr) return;
        ssl_ = SSL_new(context);
        SSL_set_fd(ssl_, fd);
        good_ = SSL_accept(ssl_) == 1;
    }
    ~Stream() {
        if (ssl_ == nullptr) return;
        if (good_) SSL_shutdown(ssl_);
        SSL_free(ssl_);
    }
    [[nodiscard]] bool good() const { return good_; }
    [[nodiscard]] std::string some() {
        char buffer[16384];
        const auto n = ssl_ != nullptr ? SSL_read(ssl_, buffer, sizeof buffer)
                                       : static_cast<int>(::recv(fd_, buffer, sizeof buffer, 0));
        return n > 0 ? std::string(buffer, static_cast<std::size_t>(n)) : std::string();
    }
    void send(const std::string& text) {
        if (ssl_ != nullptr) static_cast<void>(SSL_write(ssl_, text.data(), static_cast<int>(text.size())));
        else static_cast<void>(::send(fd_, text.data(), text.size(), MSG_NOSIGNAL));
    }

private:
    int fd_;
    SSL* ssl_ = nullptr;
    bool good_ = true;
};

RestServer::RestServer(Answer answer, std::string certificate, std::string key, std::uint16_t port)
    : answer_(std::move(answer)), certificate_(std::move(certificate)), key_(std::move(key)) {
    ::signal(SIGPIPE, SIG_IGN);  // TLS writes without a flag against it
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in a{};
    a.sin_family = AF_INET;
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    a.sin_port = htons(port);
    socklen_t size = sizeof a;
    if (::bind(listener_, reinterpret_cast<const sockaddr*>(&a), sizeof a) != 0 || ::listen(listener_, 64) != 0 ||
        ::getsockname(listener_, reinterpret_cast<sockaddr*>(&a), &size) != 0)
        throw std::runtime_error("the test server cannot listen");
    port_ = ntohs(a.sin_port);
    thread_ = std::thread([this] { listen(); });
}

RestServer::~RestServer() {
    stop_ = true;
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    {
        const std::lock_guard guard(mutex_);
        for (auto& [thread, fd] : serving_)
            if (*fd >= 0) ::shutdown(*fd, SHUT_RDWR);
    }
    for (auto& [thread, fd] : serving_)
        thread.join();
    ::close(listener_);
}

std::string RestServer::url(const std::string& path) const {
    return std::string(certificate_.empty() ? "http" : "https") + "://localhost:" + std::to_string(port_) + path;
}

std::vector<RestServer::Request> RestServer::requests() const {
    const std::lock_guard guard(mutex_);
    return seen_;
}

std::vector<RestServer::Request> RestServer::requests(const std::string& pathEnd) const {
    std::vector<Request> found;
    for (Request& r : requests())
        if (r.path().ends_with(pathEnd)) found.push_back(std::move(r));
    return found;
}

void RestServer::listen() {
    for (;;) {
        const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
        if (stop_) {
            if (fd >= 0) ::close(fd);
            return;
        }
        if (fd < 0) continue;
        ++connections_;
        const std::lock_guard guard(mutex_);
        auto& [thread, open] = serving_.emplace_back(std::thread(), std::make_shared<int>(fd));
        thread = std::thread([this, fd, socket = open] {
            serve(fd);
            const std::lock_guard closing(mutex_);
            ::close(std::exchange(*socket, -1));
        });
    }
}

void RestServer::serve(int fd) {
    std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context(nullptr, &SSL_CTX_free);
    if (!certificate_.empty()) {
        context.reset(SSL_CTX_new(TLS_server_method()));
        SSL_CTX_use_certificate_chain_file(context.get(), certificate_.c_str());
        SSL_CTX_use_PrivateKey_file(context.get(), key_.c_str(), SSL_FILETYPE_PEM);
    }
    Stream stream(fd, context.get());
    if (!stream.good()) return;
    std::string text;
    // Proxies are asked twice on one connection.
    for (;;) {
        std::size_t end = std::string::npos;
        while ((end = text.find("\r\n\r\n")) == std::string::npos) {
            const std::string more = stream.some();
            if (more.empty()) return;
            text += more;
        }
        Request request;
        request.method = text.substr(0, text.find(' '));
        request.target = text.substr(request.method.size() + 1);
        request.target.resize(request.target.find(' '));
        for (std::size_t at = text.find("\r\n") + 2; at < end;) {
            const std::size_t stop = text.find("\r\n", at), colon = text.find(':', at);
            std::string name = text.substr(at, colon - at);
            std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
            request.headers[name] = text.substr(colon + 2, stop - colon - 2);
            at = stop + 2;
        }
        const std::string length = request.header("content-length");
        const std::size_t bytes = length.empty() ? 0 : std::stoul(length);
        while (text.size() < end + 4 + bytes) {
            const std::string more = stream.some();
            if (more.empty()) return;
            text += more;
        }
        request.body = text.substr(end + 4, bytes);
        text.erase(0, end + 4 + bytes);
        Reply reply;
        {
            const std::lock_guard guard(mutex_);
            seen_.push_back(request);
            reply = answer_(request);
        }
        if (reply.silent) {
            while (!stream.some().empty()) {}
            return;
        }
        if (!reply.raw.empty()) return stream.send(reply.raw);
        std::string head = "HTTP/1.1 " + std::to_string(reply.status) + " X\r\n";
        for (const auto& [name, value] : reply.headers)
            head += name + ": " + value + "\r\n";
        if (reply.tunnelTo.empty()) head += "Content-Length: " + std::to_string(reply.body.size()) + "\r\n";
        stream.send(head + "\r\n" + (reply.tunnelTo.empty() ? reply.body : ""));
        if (reply.tunnelTo.empty()) continue;
        const int out = connectTo(reply.tunnelTo);
        pollfd both[2] = {{fd, POLLIN, 0}, {out, POLLIN, 0}};
        for (bool open = out >= 0; open && ::poll(both, 2, -1) > 0;) {
            for (int i = 0; open && i < 2; ++i) {
                if ((both[i].revents & (POLLIN | POLLHUP | POLLERR)) == 0) continue;
                char buffer[16384];
                const auto n = ::recv(both[i].fd, buffer, sizeof buffer, 0);
                open = n > 0 && ::send(both[1 - i].fd, buffer, static_cast<std::size_t>(n), MSG_NOSIGNAL) == n;
            }
        }
        if (out >= 0) ::close(out);
        return;
    }
}

std::string tokenV1(const std::string& access, const std::string& refresh, int seconds) {
    return R"({"access_token":")" + access + R"(","refresh_token":")" + refresh + R"(","expires_in":")" +
           std::to_string(seconds) + R"(","scope":"trapi.streaming.pricing.read","token_type":"Bearer"})";
}

std::string tokenV2(const std::string& access, int seconds) {
    return R"({"access_token":")" + access + R"(","expires_in":)" + std::to_string(seconds) +
           R"(,"token_type":"Bearer"})";
}

std::string services(const std::string& host, std::uint16_t port, const std::string& transport) {
    return R"({"services":[{"endpoint":")" + host + R"(","port":)" + std::to_string(port) +
           R"(,"location":["us-east-1a","us-east-1b"],"provider":"aws","transport":")" + transport +
           R"(","dataFormat":["rwf"]}]})";
}

const std::string& restCertificates() {
    struct Folder {
        std::string path;
        Folder() {
            char name[] = "/tmp/emissary-rest-XXXXXX";
            if (::mkdtemp(name) == nullptr) throw std::runtime_error("no folder for certificates");
            path = name;
            const std::string command = sourcePath("/dev/make_test_certificates.sh '") + path + "'";
            if (std::system(command.c_str()) != 0) throw std::runtime_error("make_test_certificates.sh failed");
        }
        ~Folder() {
            std::error_code ignored;
            std::filesystem::remove_all(path, ignored);
        }
    };
    static const Folder folder;
    return folder.path;
}

}  // namespace emissary::test
