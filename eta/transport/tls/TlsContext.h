// The state that connections of one side share: versions, ciphers, certificates, sessions to resume (transport.md 4).
#pragma once

#include "eta/core/Refused.h"
#include "eta/transport/options.h"

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <openssl/ssl.h>

namespace emissary::eta::transport {

/// Before the first call of OpenSSL: it stays in order for as long as the process lives. By itself it cleans up when
/// main() returns, although other threads may still use consumers and providers, or the application never destroys
/// them. (An application that uses OpenSSL before this library decides itself.) Any thread.
void keepOpenssl() noexcept;

/// OpenSSL's reasons for what just failed on this thread, oldest first, "; " between; never empty.
[[nodiscard]] std::string opensslReason();

class TlsContext {
public:
    /// Certificate and key are read, checked against each other and against the options. Null when refused.
    [[nodiscard]] static std::shared_ptr<TlsContext> server(const TlsOptions& options, Refused& refused);
    /// Equal options share one context, so that the CA store is read once and sessions can be resumed; files that have
    /// changed are read again.
    [[nodiscard]] static std::shared_ptr<TlsContext> client(const TlsOptions& options, Refused& refused);

    TlsContext(const TlsContext&) = delete;
    TlsContext& operator=(const TlsContext&) = delete;
    ~TlsContext();

    [[nodiscard]] SSL_CTX* get() const noexcept { return context_; }
    [[nodiscard]] const TlsOptions& options() const noexcept { return options_; }

    /// Server: a sentence with the date if the certificate has expired, expires within kSoon, or is not valid yet;
    /// otherwise empty. The same for each list of ClientCrl that has run out, or does within kSoonOfList.
    [[nodiscard]] std::string validity() const;
    static constexpr std::chrono::hours kSoon{14 * 24};
    /// Authorities make lists every few days: a warning at each start would be none.
    static constexpr std::chrono::hours kSoonOfList{24};

    /// Cached client sessions, by peer and by the checks that were made. The caller owns the returned session. Any
    /// thread.
    [[nodiscard]] SSL_SESSION* session(const std::string& peer) noexcept;
    void keepSession(const std::string& peer, SSL_SESSION* session) noexcept;
    void forgetSession(const std::string& peer) noexcept;

private:
    static constexpr std::size_t kMaxSessions = 256;
    explicit TlsContext(const TlsOptions& options) : options_(options) {}
    [[nodiscard]] Refused setUp(bool server);
    [[nodiscard]] std::string ownValidity() const;
    [[nodiscard]] std::vector<std::string> listsValidity() const;
    [[nodiscard]] Refused loadIdentity(bool server);
    [[nodiscard]] Refused loadFiles(bool server);
    /// The parameter is named in what is refused.
    [[nodiscard]] Refused loadAuthorities(const char* parameter, const std::string& path);
    [[nodiscard]] Refused loadCaStore();
    [[nodiscard]] Refused askForCertificates();
    [[nodiscard]] Refused setCiphers();
    [[nodiscard]] Refused setDhParameters();

    TlsOptions options_;
    SSL_CTX* context_ = nullptr;
    std::mutex mutex_;
    std::map<std::string, SSL_SESSION*> sessions_;  // under mutex_
};

}  // namespace emissary::eta::transport
