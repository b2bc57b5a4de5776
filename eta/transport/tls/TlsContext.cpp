// Makes OpenSSL contexts from options, loads certificates and keys, and keeps sessions to resume.
#include "transport/tls/TlsContext.h"

#include "eta/core/Clock.h"
#include "transport/tls/TlsStream.h"
#include "transport/tls/client_certificates.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>

#include <unistd.h>

#include <openssl/crypto.h>
#include <openssl/decoder.h>
#include <openssl/err.h>
#include <openssl/pem.h>

namespace emissary::eta::transport {
namespace {

constexpr char kDefaultCiphers[] = "ECDHE+AESGCM:ECDHE+CHACHA20:DHE+AESGCM:!aNULL:!PSK:!DSS";
constexpr int kVerifyDepth = 9;
constexpr std::size_t kMaxContexts = 16;

std::string named(const char* what, const std::string& file) {
    return std::string(what) + " \"" + file + "\": " + opensslReason();
}

/// OpenSSL asks at the terminal unless it has a callback: a server that starts must not wait there.
// The private key must not be typed in at a terminal of a daemon.
int notesQuestion(char*, int, int, void* asked) {
    *static_cast<bool*>(asked) = true;
    return -1;
}

constexpr char kProtected[] = ": it is protected by a pass phrase, which nobody can be asked for: store it without one "
                              "(openssl pkey -in FILE -out NEWFILE), readable for this program only";

/// What decides whether two clients may share a context.
std::string keyOf(const TlsOptions& o) {
    std::string key = std::to_string(o.versions) + '\n' + o.cipherSuite;
    for (const std::string& file : {o.caStore, o.certificate, o.privateKey}) {
        key += '\n' + file + '\n';
        std::error_code ignored;
        if (const auto changed = std::filesystem::last_write_time(file, ignored); !ignored)
            // A changed file means another context: it holds what the file had.
            key += std::to_string(changed.time_since_epoch().count());
    }
    return key;
}

[[nodiscard]] std::string dateOf(const ASN1_TIME* time) {
    std::tm utc{};
    char text[32] = "an unknown date";
    if (::ASN1_TIME_to_tm(time, &utc) == 1) std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &utc);
    return text;
}

/// Whether it is over within that time, or already.
[[nodiscard]] bool endsSoon(const ASN1_TIME* end, std::chrono::seconds soon) {
    std::time_t then = WallClock::seconds() + soon.count();
    return ::X509_cmp_time(end, &then) < 0;
}

}  // namespace

// Sessions may outlive main(), so OpenSSL must not be torn down by an exit handler.
void keepOpenssl() noexcept {
    static_cast<void>(::OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, nullptr));  // counts once
}

std::string opensslReason() {
    std::string text;
    while (const unsigned long e = ::ERR_get_error()) {
        const char* words = ERR_SYSTEM_ERROR(e) ? std::strerror(ERR_GET_REASON(e)) : ::ERR_reason_error_string(e);
        char number[32];
        if (words == nullptr) {
            std::snprintf(number, sizeof number, "error %lx", e);
            words = number;
        }
        const std::string_view one = words;
        if (text.ends_with(one)) continue;
        if (!text.empty()) text += "; ";
        text += one;
    }
    return text.empty() ? "no reason given" : text;
}

TlsContext::~TlsContext() {
    for (const auto& [peer, session] : sessions_)
        ::SSL_SESSION_free(session);
    ::SSL_CTX_free(context_);
}

std::shared_ptr<TlsContext> TlsContext::server(const TlsOptions& options, Refused& refused) {
    std::shared_ptr<TlsContext> c(new TlsContext(options));
    refused = c->setUp(true);
    return refused ? nullptr : c;
}

std::shared_ptr<TlsContext> TlsContext::client(const TlsOptions& options, Refused& refused) {
    struct Shared {
        std::mutex mutex;
        std::map<std::string, std::shared_ptr<TlsContext>> contexts;  // under mutex
    };
    // Never destroyed: sessions whose owner ends with the process, or after main(), still use what is in it.
    static Shared& shared = *new Shared;
    const std::string key = keyOf(options);
    const std::lock_guard guard(shared.mutex);
    if (const auto found = shared.contexts.find(key); found != shared.contexts.end()) return found->second;
    std::shared_ptr<TlsContext> c(new TlsContext(options));
    if (refused = c->setUp(false); refused) return nullptr;
    // Those in use stay with their users; the table holds 16 and begins anew.
    if (shared.contexts.size() >= kMaxContexts) shared.contexts.clear();  // users keep what they use
    shared.contexts.emplace(key, c);
    return c;
}

Refused TlsContext::setUp(bool server) {
    keepOpenssl();
    ::ERR_clear_error();
    const std::uint32_t versions = options_.versions;
    constexpr std::uint32_t kTls10 = 1, kTls11 = 2;  // older programs name them beside what is spoken
    if ((versions & (kTls12 | kTls13)) == 0 || (versions & ~(kTls10 | kTls11 | kTls12 | kTls13)) != 0)
        return {"SecurityProtocol " + std::to_string(versions) + ": use 4 (TLS 1.2), 8 (TLS 1.3) or 12 (both)" +
                ((versions & (kTls10 | kTls11)) != 0 ? "; TLS 1.0 (1) and 1.1 (2) are not spoken" : "")};
    context_ = ::SSL_CTX_new(server ? ::TLS_server_method() : ::TLS_client_method());
    if (context_ == nullptr) return {"TLS: " + opensslReason()};
    ::SSL_CTX_set_min_proto_version(context_, (versions & kTls12) != 0 ? TLS1_2_VERSION : TLS1_3_VERSION);
    ::SSL_CTX_set_max_proto_version(context_, (versions & kTls13) != 0 ? TLS1_3_VERSION : TLS1_2_VERSION);
    // A peer that closes without saying so is a normal close: existing implementations do it.
    ::SSL_CTX_set_options(context_, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_IGNORE_UNEXPECTED_EOF |
                                        SSL_OP_CIPHER_SERVER_PREFERENCE);
    if (Refused refused = setCiphers()) return refused;
    if (server) {
        static constexpr unsigned char id[] = "emissary";
        // Sessions of other programs cannot be resumed here.
        ::SSL_CTX_set_session_id_context(context_, id, sizeof id - 1);
        Refused refused = loadIdentity(true);
        if (!refused) refused = setDhParameters();
        return refused || options_.clientCa.empty() ? refused : askForCertificates();
    }
    // A client checks the server always; only the host name is optional.
    ::SSL_CTX_set_verify(context_, SSL_VERIFY_PEER, nullptr);
    ::SSL_CTX_set_verify_depth(context_, kVerifyDepth);
    // Sessions are kept by peer here: OpenSSL's own cache does not know which peer a client talks to.
    ::SSL_CTX_set_session_cache_mode(context_, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
    ::SSL_CTX_sess_set_new_cb(context_, TlsStream::onNewSession);
    if (!options_.certificate.empty() || !options_.privateKey.empty())
        if (Refused refused = loadIdentity(false)) return refused;
    return loadCaStore();
}

Refused TlsContext::setCiphers() {
    // One option for both: names beginning with TLS_ are suites of TLS 1.3, the rest is OpenSSL's list for 1.2.
    std::string list, suites;
    std::string_view rest = options_.cipherSuite;
    while (!rest.empty()) {
        const std::string_view one = rest.substr(0, rest.find(':'));
        rest.remove_prefix(std::min(rest.size(), one.size() + 1));
        std::string& to = one.starts_with("TLS_") ? suites : list;
        if (!one.empty()) to += (to.empty() ? "" : ":") + std::string(one);
    }
    const char* const used = list.empty() ? kDefaultCiphers : list.c_str();
    if (::SSL_CTX_set_cipher_list(context_, used) == 1 &&
        (suites.empty() || ::SSL_CTX_set_ciphersuites(context_, suites.c_str()) == 1))
        return {};
    return {named("CipherSuite", options_.cipherSuite)};
}

Refused TlsContext::loadIdentity(bool server) {
    const TlsOptions& o = options_;
    if (server && (o.certificate.empty() || o.privateKey.empty()))
        return {std::string("RSSL_ENCRYPTED needs ") + (o.certificate.empty() ? "ServerCert" : "ServerPrivateKey") +
                ", a PEM file"};
    if (o.certificate.empty() || o.privateKey.empty())
        return {std::string(o.certificate.empty() ? "ClientKey" : "ClientCert") + " without " +
                (o.certificate.empty() ? "ClientCert" : "ClientKey") + ": name both, or neither"};
    // Asked for a pass phrase: the callback refuses, and the text says so instead of hanging.
    bool asked = false;
    ::SSL_CTX_set_default_passwd_cb(context_, notesQuestion);
    ::SSL_CTX_set_default_passwd_cb_userdata(context_, &asked);
    Refused refused = loadFiles(server);
    ::SSL_CTX_set_default_passwd_cb_userdata(context_, nullptr);
    ::SSL_CTX_set_default_passwd_cb(context_, nullptr);
    if (asked) refused.text = (server ? "ServerPrivateKey \"" : "ClientKey \"") + o.privateKey + '"' + kProtected;
    return refused;
}

Refused TlsContext::loadFiles(bool server) {
    const TlsOptions& o = options_;
    const char* const certificate = server ? "ServerCert" : "ClientCert";
    if (::SSL_CTX_use_certificate_chain_file(context_, o.certificate.c_str()) != 1)
        return {named(certificate, o.certificate) + "; name a PEM file that begins with the " +
                (server ? "server's" : "client's") + " certificate"};
    const char* const key = server ? "ServerPrivateKey" : "ClientKey";
    const bool read = ::SSL_CTX_use_PrivateKey_file(context_, o.privateKey.c_str(), SSL_FILETYPE_PEM) == 1;
    if (read && ::SSL_CTX_check_private_key(context_) == 1) return {};
    // A key of another kind (RSA, EC) is taken by the first call and found to have no certificate by the second.
    const bool other = read || ERR_GET_REASON(::ERR_peek_error()) == X509_R_KEY_VALUES_MISMATCH;
    return {(other ? std::string(key) + " \"" + o.privateKey + "\": it is not the key of "
                   : named(key, o.privateKey) + "; it must be the key of ") +
            certificate + " \"" + o.certificate +
            "\"; name the PEM file of the key that this certificate was made for"};
}

std::string TlsContext::validity() const {
    std::string text = ownValidity();
    for (const std::string& list : listsValidity())
        text += (text.empty() ? "" : "; ") + list;
    return text;
}

std::string TlsContext::ownValidity() const {
    const X509* const certificate = ::SSL_CTX_get0_certificate(context_);
    if (certificate == nullptr) return {};
    const auto said = [&](const ASN1_TIME* time, const char* what, const char* remedy) {
        return "ServerCert \"" + options_.certificate + what + dateOf(time) + remedy;
    };
    const ASN1_TIME* const end = ::X509_get0_notAfter(certificate);
    if (::X509_cmp_current_time(end) < 0) return said(end, "\" expired on ", ": clients will refuse it; renew it");
    // Certificates that end soon are reported before they stop working.
    if (endsSoon(end, kSoon)) return said(end, "\" expires on ", ": clients refuse it from then on; renew it before");
    if (const ASN1_TIME* const begin = ::X509_get0_notBefore(certificate); ::X509_cmp_current_time(begin) > 0)
        return said(begin, "\" is not valid before ",
                    ": clients will refuse it; look at the clock of this machine, or take another certificate");
    return {};
}

std::vector<std::string> TlsContext::listsValidity() const {
    std::vector<std::string> texts;
    if (options_.clientCrl.empty()) return texts;
    const STACK_OF(X509_OBJECT)* const objects = ::X509_STORE_get0_objects(::SSL_CTX_get_cert_store(context_));
    for (int i = 0; i < sk_X509_OBJECT_num(objects); ++i) {
        const X509_CRL* const list = ::X509_OBJECT_get0_X509_CRL(sk_X509_OBJECT_value(objects, i));
        const ASN1_TIME* const next = list == nullptr ? nullptr : ::X509_CRL_get0_nextUpdate(list);
        if (next == nullptr || !endsSoon(next, kSoonOfList)) continue;
        const bool over = ::X509_cmp_current_time(next) < 0;
        texts.push_back("ClientCrl \"" + options_.clientCrl + "\": the list of [" + issuerOf(*list) +
                        (over ? "] has run out on " : "] runs out on ") + dateOf(next) +
                        (over ? ": certificates of that authority are refused; take a newer list"
                              : ": certificates of that authority are refused from then on; take a newer list before"));
    }
    return texts;
}

Refused TlsContext::setDhParameters() {
    if (options_.dhParameters.empty()) {
        // Chosen by OpenSSL for the key's size.
        ::SSL_CTX_set_dh_auto(context_, 1);
        return {};
    }
    EVP_PKEY* parameters = nullptr;
    bool asked = false;
    if (BIO* const in = ::BIO_new_file(options_.dhParameters.c_str(), "r"); in != nullptr) {
        OSSL_DECODER_CTX* const decoder = ::OSSL_DECODER_CTX_new_for_pkey(
            &parameters, "PEM", nullptr, nullptr, OSSL_KEYMGMT_SELECT_ALL_PARAMETERS, nullptr, nullptr);
        if (decoder != nullptr) {
            ::OSSL_DECODER_CTX_set_pem_password_cb(decoder, notesQuestion, &asked);
            static_cast<void>(::OSSL_DECODER_from_bio(decoder, in));
        }
        ::OSSL_DECODER_CTX_free(decoder);
        ::BIO_free(in);
    }
    if (parameters != nullptr && ::SSL_CTX_set0_tmp_dh_pkey(context_, parameters) == 1) return {};
    Refused refused{named("DhParams", options_.dhParameters)};
    if (asked) refused.text = "DhParams \"" + options_.dhParameters + '"' + kProtected;
    ::EVP_PKEY_free(parameters);
    return refused;
}

Refused TlsContext::loadCaStore() {
    if (options_.caStore.empty()) {
        if (::SSL_CTX_set_default_verify_paths(context_) == 1) return {};
        return {"platform CA store: " + opensslReason()};
    }
    return loadAuthorities("OpenSSLCAStore", options_.caStore);
}

Refused TlsContext::loadAuthorities(const char* parameter, const std::string& path) {
    std::error_code ignored;
    const bool directory = std::filesystem::is_directory(path, ignored);
    // A directory that cannot be read is reported, because OpenSSL says nothing about it.
    if (directory && ::access(path.c_str(), R_OK | X_OK) != 0)  // OpenSSL would find nothing in it, and say nothing
        return {std::string(parameter) + " \"" + path + "\": " + std::strerror(errno)};
    const int ok = directory ? ::SSL_CTX_load_verify_dir(context_, path.c_str())
                             : ::SSL_CTX_load_verify_file(context_, path.c_str());
    if (ok == 1) return {};
    return {named(parameter, path)};
}

Refused TlsContext::askForCertificates() {
    const TlsOptions& o = options_;
    if (Refused refused = loadAuthorities("ClientCA", o.clientCa))
        return {refused.text + "; name a PEM file of authorities, or a directory that openssl rehash has made"};
    X509_STORE* const store = ::SSL_CTX_get_cert_store(context_);
    // An authority that another one has signed is enough: whoever names it means its clients, and no others.
    ::X509_STORE_set_flags(store, X509_V_FLAG_PARTIAL_CHAIN);
    std::error_code ignored;
    if (!std::filesystem::is_directory(o.clientCa, ignored))
        // Clients with several certificates choose by these names.
        ::SSL_CTX_set_client_CA_list(context_, ::SSL_load_client_CA_file(o.clientCa.c_str()));
    if (!o.clientCrl.empty()) {
        X509_LOOKUP* const files = ::X509_STORE_add_lookup(store, ::X509_LOOKUP_file());
        if (files == nullptr || ::X509_load_crl_file(files, o.clientCrl.c_str(), X509_FILETYPE_PEM) < 1)
            return {named("ClientCrl", o.clientCrl) + "; name a PEM file of lists that the authorities of ClientCA " +
                    "have signed"};
        // Of the whole chain: an authority in between may have been revoked as well.
        ::X509_STORE_set_flags(store, X509_V_FLAG_CRL_CHECK | X509_V_FLAG_CRL_CHECK_ALL);
    }
    ::SSL_CTX_set_verify(context_, SSL_VERIFY_PEER | (o.requireClientCert ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0),
                         TlsStream::onVerified);
    ::SSL_CTX_set_verify_depth(context_, kVerifyDepth);
    // A session that is resumed keeps the certificate of its beginning, which nobody checks again: there are none.
    ::SSL_CTX_set_session_cache_mode(context_, SSL_SESS_CACHE_OFF);
    ::SSL_CTX_set_options(context_, SSL_OP_NO_TICKET);
    ::SSL_CTX_set_num_tickets(context_, 0);
    return {};
}

SSL_SESSION* TlsContext::session(const std::string& peer) noexcept {
    const std::lock_guard guard(mutex_);
    const auto found = sessions_.find(peer);
    if (found == sessions_.end()) return nullptr;
    // A reference of its own: the session may be exchanged while it is used.
    ::SSL_SESSION_up_ref(found->second);
    return found->second;
}

void TlsContext::keepSession(const std::string& peer, SSL_SESSION* session) noexcept {
    const std::lock_guard guard(mutex_);
    if (const auto found = sessions_.find(peer); found != sessions_.end()) {
        ::SSL_SESSION_free(std::exchange(found->second, session));
        return;
    }
    // Any one makes room: a session that is not found costs a full handshake and nothing else.
    if (sessions_.size() >= kMaxSessions) {
        ::SSL_SESSION_free(sessions_.begin()->second);
        sessions_.erase(sessions_.begin());
    }
    sessions_.emplace(peer, session);
}

void TlsContext::forgetSession(const std::string& peer) noexcept {
    const std::lock_guard guard(mutex_);
    const auto found = sessions_.find(peer);
    if (found == sessions_.end()) return;
    ::SSL_SESSION_free(found->second);
    sessions_.erase(found);
}

}  // namespace emissary::eta::transport
