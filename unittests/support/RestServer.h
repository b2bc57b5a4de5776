// An HTTP server on the loopback interface that answers as a test says: token service, service discovery, proxy. Over
// TLS when it has a certificate.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace emissary::test {

/// Connections have a thread each; `answer` is called on them, one at a time.
class RestServer {
public:
    struct Request {
        std::string method, target, body;
        std::map<std::string, std::string> headers;  ///< names in lower case
        [[nodiscard]] std::string header(const std::string& name) const {
            const auto at = headers.find(name);
            return at == headers.end() ? std::string() : at->second;
        }
        /// Of the body, or of the target's query; decoded.
        [[nodiscard]] std::map<std::string, std::string> form() const;
        [[nodiscard]] std::string path() const { return target.substr(0, target.find('?')); }
    };
    struct Reply {
        int status = 200;
        std::string body{};
        std::vector<std::pair<std::string, std::string>> headers{};
        bool silent = false;     ///< nothing is sent; the connection stays
        std::string raw{};       ///< sent instead, and the connection ends
        std::string tunnelTo{};  ///< CONNECT: "port" on this host that the connection goes on to
    };
    using Answer = std::function<Reply(const Request&)>;

    /// `port`: 0 = one that the system chooses.
    explicit RestServer(Answer answer, std::string certificate = {}, std::string key = {}, std::uint16_t port = 0);
    ~RestServer();
    RestServer(const RestServer&) = delete;
    RestServer& operator=(const RestServer&) = delete;

    [[nodiscard]] std::uint16_t port() const noexcept { return port_; }
    /// "https://localhost:PORT" or with http; `path` begins with a slash.
    [[nodiscard]] std::string url(const std::string& path) const;
    [[nodiscard]] std::vector<Request> requests() const;
    /// Requests whose path ends so.
    [[nodiscard]] std::vector<Request> requests(const std::string& pathEnd) const;
    /// Connections that were accepted, whatever became of them.
    [[nodiscard]] int connections() const noexcept { return connections_.load(); }

private:
    class Stream;
    void listen();
    void serve(int fd);

    const Answer answer_;
    const std::string certificate_, key_;
    int listener_ = -1;
    std::uint16_t port_ = 0;
    std::atomic<bool> stop_{false};
    std::atomic<int> connections_{0};
    mutable std::mutex mutex_;
    std::vector<Request> seen_;  // guarded by mutex_
    std::list<std::pair<std::thread, std::shared_ptr<int>>>
        serving_;  // guarded by mutex_; the descriptor, -1 once closed
    std::thread thread_;
};

/// What the vectors answer (credentials.md 3, 4).
[[nodiscard]] std::string tokenV1(const std::string& access, const std::string& refresh, int seconds);
[[nodiscard]] std::string tokenV2(const std::string& access, int seconds);
/// One endpoint in us-east-1a and us-east-1b.
[[nodiscard]] std::string services(const std::string& host, std::uint16_t port, const std::string& transport = "tcp");

/// Folder with certificates for localhost, made once per test run by dev/make_test_certificates.sh.
[[nodiscard]] const std::string& restCertificates();

}  // namespace emissary::test
