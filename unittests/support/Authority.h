// Signs certificates of clients with a key of its own, as an authority of an organisation does.
#pragma once

#include "support/catch.hpp"

#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

namespace emissary::test {

/// What a certificate says of its owner.
struct Owner {
    std::string commonName = "dana";
    std::string alternatives{};          ///< as OpenSSL's configuration has them: "email:dana@desk.test,DNS:desk.test"
    long from = -3600, until = 3600;     ///< seconds from now
    std::string purpose = "clientAuth";  ///< empty: any
    std::string secondName{};            ///< another common name
};

/// Files of a certificate and its key, PEM.
struct Identity {
    std::string certificate, key;
};

class Authority {
public:
    /// Files are made in that folder; `name` is that of the authority, and of its files.
    Authority(std::string folder, std::string name)
        : folder_(std::move(folder)), name_(std::move(name)), key_(newKey()), certificate_(made(*this, name_, *key_)) {
        X509* const x = certificate_.get();
        extend(x, NID_basic_constraints, "critical,CA:TRUE");
        extend(x, NID_key_usage, "critical,keyCertSign,cRLSign");
        REQUIRE(::X509_sign(x, key_.get(), ::EVP_sha256()) > 0);
        write(file(), [x](std::FILE* f) { return ::PEM_write_X509(f, x); });
    }
    /// One that `above` has signed: what it issues is sent together with its own certificate.
    Authority(std::string folder, std::string name, Authority& above)
        : folder_(std::move(folder)), name_(std::move(name)), key_(newKey()), certificate_(made(above, name_, *key_)) {
        X509* const x = certificate_.get();
        extend(x, NID_basic_constraints, "critical,CA:TRUE");
        extend(x, NID_key_usage, "critical,keyCertSign,cRLSign");
        REQUIRE(::X509_sign(x, above.key_.get(), ::EVP_sha256()) > 0);
        write(file(), [x](std::FILE* f) { return ::PEM_write_X509(f, x); });
        above.serial_[file()] = above.serials_;
        sent_ = true;
    }
    /// What the authority above revokes.
    [[nodiscard]] Identity itself() const { return {file(), {}}; }
    /// To be named in ClientCA.
    [[nodiscard]] std::string file() const { return folder_ + "/" + name_ + "-ca.pem"; }
    /// Files named after `file`.
    [[nodiscard]] Identity issue(const std::string& file, const Owner& owner = {}) {
        const Key key = newKey();
        const Certificate c = made(*this, owner.commonName, *key, owner);
        if (!owner.alternatives.empty()) extend(c.get(), NID_subject_alt_name, owner.alternatives);
        if (!owner.purpose.empty()) extend(c.get(), NID_ext_key_usage, owner.purpose);
        REQUIRE(::X509_sign(c.get(), key_.get(), ::EVP_sha256()) > 0);
        Identity made{folder_ + "/" + file + ".pem", folder_ + "/" + file + "-key.pem"};
        write(made.certificate, [&](std::FILE* f) {
            return ::PEM_write_X509(f, c.get()) == 1 && (!sent_ || ::PEM_write_X509(f, certificate_.get()) == 1) ? 1
                                                                                                                 : 0;
        });
        write(made.key, [&](std::FILE* f) {
            return ::PEM_write_PrivateKey(f, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
        });
        serial_[made.certificate] = serials_;
        return made;
    }
    /// A list of what was revoked, good for `until` seconds from now.
    [[nodiscard]] std::string revoked(const std::vector<Identity>& all, long until = 3600) {
        const std::unique_ptr<X509_CRL, decltype(&::X509_CRL_free)> crl(::X509_CRL_new(), ::X509_CRL_free);
        ::X509_CRL_set_version(crl.get(), X509_CRL_VERSION_2);
        ::X509_CRL_set_issuer_name(crl.get(), ::X509_get_subject_name(certificate_.get()));
        const std::unique_ptr<ASN1_TIME, decltype(&::ASN1_TIME_free)> time(::ASN1_TIME_new(), ::ASN1_TIME_free);
        ::X509_gmtime_adj(time.get(), -60);
        ::X509_CRL_set1_lastUpdate(crl.get(), time.get());
        for (const Identity& one : all) {
            X509_REVOKED* const entry = ::X509_REVOKED_new();
            const std::unique_ptr<ASN1_INTEGER, decltype(&::ASN1_INTEGER_free)> serial(::ASN1_INTEGER_new(),
                                                                                       ::ASN1_INTEGER_free);
            ::ASN1_INTEGER_set(serial.get(), serial_.at(one.certificate));
            ::X509_REVOKED_set_serialNumber(entry, serial.get());
            ::X509_REVOKED_set_revocationDate(entry, time.get());
            ::X509_CRL_add0_revoked(crl.get(), entry);
        }
        ::X509_gmtime_adj(time.get(), until);
        ::X509_CRL_set1_nextUpdate(crl.get(), time.get());
        REQUIRE(::X509_CRL_sign(crl.get(), key_.get(), ::EVP_sha256()) > 0);
        std::string path = folder_ + "/" + name_ + "-crl.pem";
        write(path, [&](std::FILE* f) { return ::PEM_write_X509_CRL(f, crl.get()); });
        return path;
    }

private:
    using Key = std::unique_ptr<EVP_PKEY, decltype(&::EVP_PKEY_free)>;
    using Certificate = std::unique_ptr<X509, decltype(&::X509_free)>;

    [[nodiscard]] static Key newKey() { return {EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256"), ::EVP_PKEY_free}; }
    static void add(X509_NAME* name, const std::string& text) {
        REQUIRE(::X509_NAME_add_entry_by_NID(name, NID_commonName, MBSTRING_UTF8,
                                             reinterpret_cast<const unsigned char*>(text.data()),
                                             static_cast<int>(text.size()), -1, 0) == 1);
    }
    [[nodiscard]] static Certificate made(Authority& by, const std::string& name, EVP_PKEY& key,
                                          const Owner& owner = {}) {
        Certificate c(::X509_new(), ::X509_free);
        ::X509_set_version(c.get(), X509_VERSION_3);
        ::ASN1_INTEGER_set(::X509_get_serialNumber(c.get()), ++by.serials_);
        ::X509_gmtime_adj(::X509_getm_notBefore(c.get()), owner.from);
        ::X509_gmtime_adj(::X509_getm_notAfter(c.get()), owner.until);
        X509_NAME* const subject = ::X509_get_subject_name(c.get());
        if (!name.empty()) add(subject, name);
        if (!owner.secondName.empty()) add(subject, owner.secondName);
        if (by.certificate_ != nullptr) ::X509_set_issuer_name(c.get(), ::X509_get_subject_name(by.certificate_.get()));
        else ::X509_set_issuer_name(c.get(), subject);
        ::X509_set_pubkey(c.get(), &key);
        return c;
    }
    static void extend(X509* c, int what, const std::string& value) {
        X509V3_CTX context;
        X509V3_set_ctx(&context, c, c, nullptr, nullptr, 0);
        X509_EXTENSION* const made = ::X509V3_EXT_conf_nid(nullptr, &context, what, value.c_str());
        REQUIRE(made != nullptr);
        ::X509_add_ext(c, made, -1);
        ::X509_EXTENSION_free(made);
    }
    static void write(const std::string& path, const std::function<int(std::FILE*)>& content) {
        std::FILE* const f = std::fopen(path.c_str(), "w");
        REQUIRE(f != nullptr);
        CHECK(content(f) == 1);
        std::fclose(f);
    }

    const std::string folder_, name_;
    bool sent_ = false;
    long serials_ = 0;
    std::map<std::string, long> serial_;  // by file
    Key key_;
    Certificate certificate_{nullptr, ::X509_free};
};

}  // namespace emissary::test
