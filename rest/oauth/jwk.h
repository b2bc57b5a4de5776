// rest/oauth: what keys written as JSON (RFC 7517) have in common, and the handles of OpenSSL that they are made with.
#pragma once

#include "oauth/json_text.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>

namespace emissary::rest {

template <auto free>
struct Free {
    template <class T>
    void operator()(T* p) const noexcept {
        free(p);
    }
};
using Number = std::unique_ptr<BIGNUM, Free<&BN_clear_free>>;
using Builder = std::unique_ptr<OSSL_PARAM_BLD, Free<&OSSL_PARAM_BLD_free>>;
using Parameters = std::unique_ptr<OSSL_PARAM, Free<&OSSL_PARAM_free>>;
using Context = std::unique_ptr<EVP_PKEY_CTX, Free<&EVP_PKEY_CTX_free>>;
using Digest = std::unique_ptr<EVP_MD_CTX, Free<&EVP_MD_CTX_free>>;
using Signature = std::unique_ptr<ECDSA_SIG, Free<&ECDSA_SIG_free>>;

/// Members of an object that are strings.
using Members = std::map<std::string, Secret, std::less<>>;

/// False: the object is broken. Members that are no strings are left out.
[[nodiscard]] bool readMembers(JsonText& json, JsonText::Object& object, Members& out);
/// The number of a member; null when it is missing or no base64url.
[[nodiscard]] Number numberOf(const Members& members, std::string_view name);
/// The point of a key on P-256, as OpenSSL takes it. Not null: the member that is missing or no number of 32 bytes.
[[nodiscard]] const char* pointOf(const Members& members, Secret& point);
/// Null: the parts make no key. `selection` is EVP_PKEY_KEYPAIR or EVP_PKEY_PUBLIC_KEY.
[[nodiscard]] EVP_PKEY* buildKey(const char* type, OSSL_PARAM_BLD* builder, int selection);

}  // namespace emissary::rest
