// eta/transport/tls: runs handshake, encryption and decryption through memory buffers over the stream below.
#include "transport/tls/TlsStream.h"

#include "transport/tls/client_certificates.h"

#include <cerrno>
#include <cstdio>
#include <new>

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/x509v3.h>

namespace emissary::eta::transport {

/// BIO callbacks: reading takes from the received block, writing appends to the staging block. Never blocks.
struct TlsStream::Io {
    static int write(BIO* bio, const char* data, std::size_t size, std::size_t* written) {
        auto* const s = static_cast<TlsStream*>(::BIO_get_data(bio));
        if (!s->staging().append(asBytes({data, size}))) return 0;
        *written = size;
        return 1;
    }
    static int read(BIO* bio, char* data, std::size_t size, std::size_t* got) {
        auto* const s = static_cast<TlsStream*>(::BIO_get_data(bio));
        ::BIO_clear_retry_flags(bio);
        const std::size_t n = std::min(size, s->cipherEnd_ - s->cipherBegin_);
        if (n == 0) {
            // Nothing there yet: OpenSSL will try again, after the caller has received.
            ::BIO_set_retry_read(bio);
            return 0;
        }
        std::memcpy(data, s->cipher_.get() + s->cipherBegin_, n);
        s->cipherBegin_ += n;
        *got = n;
        return 1;
    }
    static long ctrl(BIO*, int command, long, void*) { return command == BIO_CTRL_FLUSH ? 1 : 0; }
    static int create(BIO* bio) {
        ::BIO_set_init(bio, 1);
        return 1;
    }
    static BIO_METHOD* method() {
        // Made once for the process; a BIO method is shared by all streams.
        static BIO_METHOD* const m = [] {
            BIO_METHOD* const made = ::BIO_meth_new(::BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "emissary");
            ::BIO_meth_set_write_ex(made, write);
            ::BIO_meth_set_read_ex(made, read);
            ::BIO_meth_set_ctrl(made, ctrl);
            ::BIO_meth_set_create(made, create);
            return made;
        }();
        return m;
    }
};

namespace {

bool isAddress(const std::string& name) noexcept {
    unsigned char out[16];
    return ::inet_pton(AF_INET, name.c_str(), out) == 1 || ::inet_pton(AF_INET6, name.c_str(), out) == 1;
}

}  // namespace

TlsStream::TlsStream(std::unique_ptr<ByteStream> below, std::shared_ptr<TlsContext> context)
    : StagedStream(std::move(below)), context_(std::move(context)), server_(true) {
    attach();
    if (ssl_ != nullptr) ::SSL_set_accept_state(ssl_);
}

TlsStream::TlsStream(std::unique_ptr<ByteStream> below, std::shared_ptr<TlsContext> context, const TlsOptions& options,
                     std::string name, std::string peer)
    : StagedStream(std::move(below)), context_(std::move(context)), name_(std::move(name)), peer_(std::move(peer)) {
    attach();
    if (ssl_ == nullptr) return;
    ::SSL_set_connect_state(ssl_);
    const bool address = isAddress(name_);
    // SNI carries names only, never addresses.
    if (!address) ::SSL_set_tlsext_host_name(ssl_, name_.c_str());
    if (options.verifyHostName) {
        X509_VERIFY_PARAM* const v = ::SSL_get0_param(ssl_);
        ::X509_VERIFY_PARAM_set_hostflags(v, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
        if (address) ::X509_VERIFY_PARAM_set1_ip_asc(v, name_.c_str());
        else ::X509_VERIFY_PARAM_set1_host(v, name_.c_str(), 0);
    }
    // A resumed session needs no certificates on the wire.
    if (SSL_SESSION* const session = context_->session(peer_); session != nullptr) {
        ::SSL_set_session(ssl_, session);
        ::SSL_SESSION_free(session);
    }
}

TlsStream::~TlsStream() {
    ::SSL_free(ssl_);
}

void TlsStream::attach() {
    // Errors of other users of OpenSSL on this thread would be taken for ours.
    ::ERR_clear_error();
    ssl_ = ::SSL_new(context_->get());
    BIO* const bio = ssl_ != nullptr ? ::BIO_new(Io::method()) : nullptr;
    if (bio == nullptr) {
        reason_ = "TLS: " + opensslReason();
        ::SSL_free(std::exchange(ssl_, nullptr));
        return;
    }
    ::BIO_set_data(bio, this);
    ::SSL_set_bio(ssl_, bio, bio);
    SSL_set_app_data(ssl_, this);
}

int TlsStream::onNewSession(SSL* ssl, SSL_SESSION* session) {
    auto* const s = static_cast<TlsStream*>(SSL_get_app_data(ssl));
    if (s == nullptr || s->server_) return 0;
    s->context_->keepSession(s->peer_, session);
    return 1;  // it is ours now
    // The reference that OpenSSL gave is kept by the table.
}

// --- handshake -------------------------------------------------------------------------------------------------------

bool TlsStream::handshakeWantsWrite() const noexcept {
    return belowReady_ ? const_cast<TlsStream*>(this)->held() != 0 : below_->handshakeWantsWrite();
}

IoResult TlsStream::handshake() noexcept {
    if (!belowReady_) {
        const IoResult io = below_->handshake();
        if (io.kind != IoResult::Kind::ok) return io;
        belowReady_ = true;
    }
    if (ssl_ == nullptr) return {IoResult::Kind::error, 0, ENOMEM};
    for (;;) {
        int error = SSL_ERROR_NONE;
        {
            // The handshake writes through the same stage as messages do.
            const std::lock_guard guard(lock_);
            if (!done_) {
                ::ERR_clear_error();
                const int rc = ::SSL_do_handshake(ssl_);
                if (rc == 1) done_ = true;
                else error = ::SSL_get_error(ssl_, rc);
            }
            // Sent even when it failed, so that the peer learns why.
            // Also a last alert, so that the peer learns why.
            const IoResult io = drain();
            if (error != SSL_ERROR_NONE && error != SSL_ERROR_WANT_READ) return handshakeFailed(error, io);
            if (io.kind == IoResult::Kind::wouldBlock) return io;
            if (io.kind != IoResult::Kind::ok) return handshakeFailed(error, io);
        }
        if (done_) {
            const IoResult io = below_->held() == 0 ? IoResult{} : below_->send({});
            hasInput_ = cipherBegin_ != cipherEnd_;
            return below_->held() == 0 ? io : IoResult{IoResult::Kind::wouldBlock, 0, 0};
        }
        const IoResult io = receiveCipher();
        if (io.kind == IoResult::Kind::wouldBlock) return io;
        if (io.kind != IoResult::Kind::ok) return handshakeFailed(SSL_ERROR_SYSCALL, io);
        if (!looksLikeTls()) {
            refusePlainPeer();
            return {IoResult::Kind::error, 0, EPROTO};
        }
    }
}

int TlsStream::onVerified(int good, X509_STORE_CTX* chain) {
    if (good == 1) return 1;
    const int error = ::X509_STORE_CTX_get_error(chain);
    const X509* const certificate = ::X509_STORE_CTX_get_current_cert(chain);
    if (certificate == nullptr || !isListFault(error)) return 0;
    const int depth = ::X509_STORE_CTX_get_error_depth(chain);
    const bool anchor = depth > 0 && depth + 1 == sk_X509_num(::X509_STORE_CTX_get0_chain(chain));
    // Whoever names an authority in ClientCA trusts it without the one above, whose list is no business of the port's.
    // If that list is there, it counts all the same.
    // (OpenSSL takes the anchor for the issuer of such a list, and finds its signature wrong.)
    if (anchor) {
        const bool listed = isListed(*certificate, *chain);
        ::X509_STORE_CTX_set_error(chain, listed ? X509_V_ERR_CERT_REVOKED : X509_V_OK);
        return listed ? 0 : 1;
    }
    const auto* const ssl =
        static_cast<const SSL*>(::X509_STORE_CTX_get_ex_data(chain, ::SSL_get_ex_data_X509_STORE_CTX_idx()));
    auto* const s = static_cast<TlsStream*>(SSL_get_app_data(ssl));
    s->listFault_ = "; ClientCrl \"" + s->context_->options().clientCrl + "\" needs a list that holds, signed by [" +
                    issuerOf(*certificate) + "]";
    return 0;
}

IoResult TlsStream::handshakeFailed(int sslError, IoResult io) noexcept {
    broken_ = true;
    // A session that failed once would fail again.
    if (!server_) context_->forgetSession(peer_);
    if (sslError == SSL_ERROR_SYSCALL || sslError == SSL_ERROR_NONE) {
        const std::string how = io.error != 0 ? " (" + std::string(std::strerror(io.error)) + ")" : std::string();
        reason_ = server_ ? "peer closed the connection during the TLS handshake" + how
                          : "peer closed the connection during the TLS handshake" + how +
                                ": either its port is not encrypted (then use RSSL_SOCKET or RSSL_WEBSOCKET), or it "
                                "refused the TLS versions or ciphers offered";
        return {IoResult::Kind::error, 0, EPROTO};
    }
    const long verified = ::SSL_get_verify_result(ssl_);
    const unsigned long error = ::ERR_peek_error();
    // The text names what was checked and against what, because this is the usual trouble.
    reason_ = "TLS handshake: " + opensslReason();
    if (server_) {
        const TlsOptions& o = context_->options();
        if (o.clientCa.empty()) return {IoResult::Kind::error, 0, EPROTO};
        fault_ = faultOf(error, verified);
        if (fault_ == CertificateFault::missing)
            reason_ = "TLS handshake: the client has sent no certificate, and RequireClientCert asks for one";
        else if (fault_ != CertificateFault::none)
            reason_ = std::string("TLS handshake: the client's certificate is refused: ") +
                      ::X509_verify_cert_error_string(verified) + " (checked against ClientCA \"" + o.clientCa + "\")" +
                      listFault_;
        return {IoResult::Kind::error, 0, EPROTO};
    }
    reason_ += hintOf(error, !context_->options().certificate.empty());
    if (verified != X509_V_OK) {
        reason_ += std::string(": ") + ::X509_verify_cert_error_string(verified);
        if (verified == X509_V_ERR_HOSTNAME_MISMATCH || verified == X509_V_ERR_IP_ADDRESS_MISMATCH)
            reason_ += ": the certificate is not for \"" + name_ + "\"";
        else if (const std::string& store = context_->options().caStore; store.empty())
            reason_ += " (checked against the platform's CA store; OpenSSLCAStore names another)";
        else reason_ += " (checked against OpenSSLCAStore \"" + store + "\")";
    }
    return {IoResult::Kind::error, 0, EPROTO};
}

/// Every TLS connection begins with a handshake record (or an alert), whatever its version.
bool TlsStream::looksLikeTls() const noexcept {
    return sawFirstBytes_;
}

void TlsStream::refusePlainPeer() noexcept {
    broken_ = true;
    const std::string_view start =
        asText({cipher_.get() + cipherBegin_, std::min<std::size_t>(cipherEnd_ - cipherBegin_, 8)});
    if (!server_) {
        reason_ = "peer does not speak TLS on this port: use RSSL_SOCKET or RSSL_WEBSOCKET";
        return;
    }
    const char* what = "an unknown protocol";
    if (start.starts_with("GET ")) what = "a WebSocket or HTTP request";
    else if (start.starts_with("POST")) what = "an HTTP request";
    else if (start.size() >= 3 && start[2] == '\0') what = "a RIPC connection request";
    reason_ =
        std::string("peer sent ") + what + " in the clear to an encrypted port: it must connect with RSSL_ENCRYPTED";
    // A TLS alert (fatal, protocol version) tells clients that look at it; the others see the close.
    static constexpr unsigned char alert[] = {0x15, 0x03, 0x01, 0x00, 0x02, 0x02, 0x46};
    const iovec part{const_cast<unsigned char*>(alert), sizeof alert};
    static_cast<void>(below_->send({&part, 1}));
}

// --- input -----------------------------------------------------------------------------------------------------------

IoResult TlsStream::receiveCipher() noexcept {
    if (cipher_ == nullptr) {
        cipher_.reset(new (std::nothrow) std::byte[kInputBytes]);
        if (cipher_ == nullptr) return {IoResult::Kind::error, 0, ENOMEM};
    }
    // The buffer is used again from its start when it has been read.
    if (cipherBegin_ == cipherEnd_) cipherBegin_ = cipherEnd_ = 0;
    const IoResult io = below_->receive({cipher_.get() + cipherEnd_, kInputBytes - cipherEnd_});
    if (io.kind != IoResult::Kind::ok) return io;
    cipherEnd_ += io.bytes;
    if (!sawFirstBytes_) {
        const std::byte first = cipher_[0];
        sawFirstBytes_ = first == std::byte{0x16} || first == std::byte{0x15};
    }
    return io;
}

/// OpenSSL answers key updates and attempts to renegotiate by itself. A peer that asks again and again and reads no
/// answer loses its connection: what one receive adds is bounded by the size of the input block. Lock held.
bool TlsStream::answersLeave() noexcept {
    if (staging().size() <= kMaxHeldForAnswers) return true;
    static_cast<void>(drain());
    if (staging().size() <= kMaxHeldForAnswers) return true;
    broken_ = true;
    reason_ = "TLS: the peer keeps asking for key updates and does not read the answers";
    return false;
}

IoResult TlsStream::receive(std::span<std::byte> into) noexcept {
    std::size_t produced = 0;
    for (;;) {
        // The same lock as writing, because OpenSSL's state serves both directions.
        {
            const std::lock_guard guard(lock_);
            if (!answersLeave()) return {IoResult::Kind::error, 0, EPROTO};
            ::ERR_clear_error();
            while (produced < into.size()) {
                std::size_t n = 0;
                const int rc = ::SSL_read_ex(ssl_, into.data() + produced, into.size() - produced, &n);
                if (rc == 1) {
                    produced += n;
                    continue;
                }
                const int error = ::SSL_get_error(ssl_, rc);
                if (error == SSL_ERROR_WANT_READ) break;
                // Records that are whole are read before the end is reported.
                hasInput_ = produced != 0;  // what was decrypted first, then the end
                if (produced != 0) return {IoResult::Kind::ok, produced, 0};
                if (error == SSL_ERROR_ZERO_RETURN) return {IoResult::Kind::end, 0, 0};
                broken_ = true;
                const unsigned long first = ::ERR_peek_error();
                reason_ = "TLS: " + opensslReason();
                // In TLS 1.3 the handshake is over for the client before the server has seen its certificate.
                if (!server_) reason_ += hintOf(first, !context_->options().certificate.empty());
                static_cast<void>(drain());
                return {IoResult::Kind::error, 0, EPROTO};
            }
            if (staging().size() != 0) static_cast<void>(drain());  // answers to key updates
            // Bytes that OpenSSL or the block still holds: the loop would not come for them.
            hasInput_ = cipherBegin_ != cipherEnd_ || ::SSL_pending(ssl_) > 0;
        }
        if (produced != 0) return {IoResult::Kind::ok, produced, 0};
        const IoResult io = receiveCipher();
        if (io.kind != IoResult::Kind::ok) return io;
    }
}

// --- output ----------------------------------------------------------------------------------------------------------

bool TlsStream::encrypt(Bytes plain) noexcept {
    ::ERR_clear_error();
    std::size_t written = 0;
    return !broken_ && ::SSL_write_ex(ssl_, plain.data(), plain.size(), &written) == 1 && written == plain.size();
}

std::size_t TlsStream::stage(Bytes in, bool last) noexcept {
    const std::size_t n = std::min(in.size(), kRecord - plainBytes_);
    // A whole record goes out without being copied together first.
    if (n == kRecord || (last && n == in.size() && plainBytes_ == 0)) return encrypt(in.first(n)) ? n : 0;
    if (plain_ == nullptr) {
        plain_.reset(new (std::nothrow) std::byte[kRecord]);
        if (plain_ == nullptr) return 0;
    }
    // Small messages are collected, so that a flush of many makes one record.
    std::memcpy(plain_.get() + plainBytes_, in.data(), n);
    plainBytes_ += n;
    if (plainBytes_ == kRecord && !finishStage()) return 0;
    return n;
}

bool TlsStream::finishStage() noexcept {
    const std::size_t n = std::exchange(plainBytes_, 0);
    return n == 0 || encrypt({plain_.get(), n});
}

/// The peer may go on sending, and is read, after this side's closing alert.
void TlsStream::finish(std::uint16_t code, std::string_view text) noexcept {
    {
        const std::lock_guard guard(lock_);
        // The alert goes out once, and only while the connection works.
        if (!std::exchange(endSaid_, true) && done_ && !broken_) {
            ::ERR_clear_error();
            static_cast<void>(::SSL_shutdown(ssl_));
        }
        if (drain().kind != IoResult::Kind::ok || staging().size() != 0 || below_->held() != 0) return;
    }
    below_->finish(code, text);
}

// The closing alert is a courtesy: it is sent if the connection still works, and nothing waits for it.
void TlsStream::close() noexcept {
    if (ssl_ != nullptr && done_ && !broken_ && !endSaid_ && fd() >= 0) {
        const std::lock_guard guard(lock_);
        ::ERR_clear_error();
        if (::SSL_shutdown(ssl_) >= 0) static_cast<void>(drain());
        broken_ = true;
    }
    below_->close();
}

std::size_t TlsStream::describe(ChannelInfo& info) const {
    const std::size_t m = below_->describe(info);
    info.tlsVersion = ::SSL_version(ssl_) == TLS1_3_VERSION ? kTls13 : kTls12;
    info.tlsResumed = ::SSL_session_reused(ssl_) == 1;
    // The agreed suite, for logs and metrics.
    info.cipher = ::SSL_get_cipher_name(ssl_);
    if (const X509* const peer = server_ ? ::SSL_get0_peer_certificate(ssl_) : nullptr; peer != nullptr)
        info.certificate = std::make_shared<const PeerCertificate>(read(*peer));
    return m;
}

}  // namespace emissary::eta::transport
