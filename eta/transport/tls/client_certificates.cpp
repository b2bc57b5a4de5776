// eta/transport/tls: reads names from a client's certificate, and sorts the reasons for which one is refused.
#include "transport/tls/client_certificates.h"

#include <algorithm>
#include <memory>
#include <string_view>

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

namespace emissary::eta::transport {

namespace {

constexpr std::size_t kMostSubject = 512, kMostName = 256, kMostNames = 16;

/// Empty: it can name nobody. What has a control character, a NUL among them, could look like another name in a log, or
/// be another one for a program that stops there.
[[nodiscard]] std::string nameOf(const ASN1_STRING* text) {
    unsigned char* utf8 = nullptr;
    const int size = text == nullptr ? -1 : ::ASN1_STRING_to_UTF8(&utf8, text);
    if (size < 0) return {};
    std::string name(reinterpret_cast<const char*>(utf8), static_cast<std::size_t>(size));
    OPENSSL_free(utf8);
    const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
    if (name.size() > kMostName || std::ranges::any_of(name, control)) return {};
    return name;
}

[[nodiscard]] std::string textOf(const X509_NAME* name) {
    const std::unique_ptr<BIO, decltype(&::BIO_free)> out(::BIO_new(::BIO_s_mem()), ::BIO_free);
    // UTF-8 as it is; control characters, quotes and commas are escaped.
    if (out == nullptr || ::X509_NAME_print_ex(out.get(), name, 0,
                                               XN_FLAG_RFC2253 & ~static_cast<unsigned long>(ASN1_STRFLGS_ESC_MSB)) < 0)
        return {};
    char* data = nullptr;
    const long size = BIO_get_mem_data(out.get(), &data);
    std::string text(data, static_cast<std::size_t>(std::max(size, 0L)));
    if (text.size() > kMostSubject) {
        std::size_t end = kMostSubject;
        // Not through the middle of a character.
        while (end != 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
            --end;
        text.resize(end);
    }
    return text;
}

[[nodiscard]] std::string commonNameOf(const X509& certificate) {
    const X509_NAME* const subject = ::X509_get_subject_name(&certificate);
    const int at = ::X509_NAME_get_index_by_NID(subject, NID_commonName, -1);
    // Of two nobody can say which is meant.
    if (at < 0 || ::X509_NAME_get_index_by_NID(subject, NID_commonName, at) >= 0) return {};
    return nameOf(::X509_NAME_ENTRY_get_data(::X509_NAME_get_entry(subject, at)));
}

[[nodiscard]] const ASN1_STRING* textOf(const GENERAL_NAME& name) noexcept {
    switch (name.type) {
    case GEN_EMAIL:
        return name.d.rfc822Name;
    case GEN_DNS:
        return name.d.dNSName;
    case GEN_URI:
        return name.d.uniformResourceIdentifier;
    case GEN_OTHERNAME:
        return ::OBJ_obj2nid(name.d.otherName->type_id) == NID_ms_upn &&
                       name.d.otherName->value->type == V_ASN1_UTF8STRING
                   ? name.d.otherName->value->value.utf8string
                   : nullptr;
    default:
        return nullptr;
    }
}

}  // namespace

PeerCertificate read(const X509& certificate) {
    PeerCertificate made{textOf(::X509_get_subject_name(&certificate)), commonNameOf(certificate), {}};
    auto* const all =
        static_cast<GENERAL_NAMES*>(::X509_get_ext_d2i(&certificate, NID_subject_alt_name, nullptr, nullptr));
    // DNS names are those of machines: they stand for a user only where nothing else does.
    for (const int type : {GEN_EMAIL, GEN_OTHERNAME, GEN_URI, GEN_DNS}) {
        if (type == GEN_DNS && !made.names.empty()) break;
        for (int i = 0; i < sk_GENERAL_NAME_num(all) && made.names.size() < kMostNames; ++i)
            if (const GENERAL_NAME& one = *sk_GENERAL_NAME_value(all, i); one.type == type)
                if (std::string name = nameOf(textOf(one)); !name.empty()) made.names.push_back(std::move(name));
    }
    ::GENERAL_NAMES_free(all);
    return made;
}

std::string issuerOf(const X509& certificate) {
    return textOf(::X509_get_issuer_name(&certificate));
}

std::string issuerOf(const X509_CRL& list) {
    return textOf(::X509_CRL_get_issuer(&list));
}

bool isListFault(int error) noexcept {
    switch (error) {
    case X509_V_ERR_UNABLE_TO_GET_CRL:
    case X509_V_ERR_UNABLE_TO_GET_CRL_ISSUER:
    case X509_V_ERR_CRL_SIGNATURE_FAILURE:
    case X509_V_ERR_CRL_NOT_YET_VALID:
    case X509_V_ERR_CRL_HAS_EXPIRED:
    case X509_V_ERR_KEYUSAGE_NO_CRL_SIGN:
    case X509_V_ERR_DIFFERENT_CRL_SCOPE:
        return true;
    default:
        return false;
    }
}

bool isListed(const X509& certificate, X509_STORE_CTX& chain) noexcept {
    STACK_OF(X509_CRL)* const lists = ::X509_STORE_CTX_get1_crls(&chain, ::X509_get_issuer_name(&certificate));
    bool listed = false;
    for (int i = 0; i < sk_X509_CRL_num(lists) && !listed; ++i) {
        X509_REVOKED* entry = nullptr;
        // 2: taken off the list again.
        listed =
            ::X509_CRL_get0_by_serial(sk_X509_CRL_value(lists, i), &entry, ::X509_get0_serialNumber(&certificate)) == 1;
    }
    sk_X509_CRL_pop_free(lists, ::X509_CRL_free);
    return listed;
}

CertificateFault faultOf(unsigned long error, long verified) noexcept {
    if (ERR_GET_LIB(error) == ERR_LIB_SSL && ERR_GET_REASON(error) == SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE)
        return CertificateFault::missing;
    switch (verified) {
    case X509_V_OK:
        return CertificateFault::none;
    case X509_V_ERR_CERT_HAS_EXPIRED:
        return CertificateFault::expired;
    case X509_V_ERR_CERT_NOT_YET_VALID:
        return CertificateFault::notYetValid;
    case X509_V_ERR_CERT_REVOKED:
        return CertificateFault::revoked;
    case X509_V_ERR_INVALID_PURPOSE:
        return CertificateFault::wrongPurpose;
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_CERT_SIGNATURE_FAILURE:
    case X509_V_ERR_CERT_UNTRUSTED:
        return CertificateFault::untrusted;
    default:
        return CertificateFault::other;
    }
}

std::string hintOf(unsigned long error, bool hasCertificate) {
    if (ERR_GET_LIB(error) != ERR_LIB_SSL) return {};
    switch (ERR_GET_REASON(error)) {
    case SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE:  // TLS 1.2 says nothing else when there is none
        if (hasCertificate) return {};
        return ": it may want a certificate of this program (ClientCert and ClientKey of the channel)";
    case SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED:
        return ": it wants a certificate of this program (ClientCert and ClientKey of the channel)";
    case SSL_R_SSLV3_ALERT_BAD_CERTIFICATE:
    case SSL_R_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_REVOKED:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN:
    case SSL_R_TLSV1_ALERT_UNKNOWN_CA:
        return ": the server does not take the certificate of this program (ClientCert of the channel)";
    default:
        return {};
    }
}

}  // namespace emissary::eta::transport
