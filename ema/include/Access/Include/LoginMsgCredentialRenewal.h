// Credentials given inside onLoginCredentialRenewal() (ema-api.md section 12).
#pragma once

#include "Access/Include/EmaBuffer.h"
#include "Access/Include/EmaString.h"
#include "Access/Include/detail/Owned.h"

namespace emissary::ema {
struct LoginMsgCredentialRenewalImpl;
}

namespace refinitiv::ema::access {

/// Credentials given inside onLoginCredentialRenewal() (ema-api.md section 12): argument of
/// OmmConsumer::renewLoginCredentials(). Setters copy; getters are valid until the object
/// changes. Copyable, not thread safe.
class EMA_ACCESS_API LoginMsgCredentialRenewal {
public:
    LoginMsgCredentialRenewal();                                                   ///< empty
    LoginMsgCredentialRenewal(const LoginMsgCredentialRenewal& other);             ///< copies the values
    LoginMsgCredentialRenewal& operator=(const LoginMsgCredentialRenewal& other);  ///< copies the values
    virtual ~LoginMsgCredentialRenewal();
    LoginMsgCredentialRenewal& clear();                        ///< empty again
    LoginMsgCredentialRenewal& userName(EmaString& userName);  ///< name of the login
    /// What the authentication in use defines, as bytes.
    LoginMsgCredentialRenewal& authenticationExtended(EmaBuffer& authenticationExtended);
    const EmaString& getUserName();                ///< as set; empty by default
    const EmaBuffer& getAuthenticationExtended();  ///< as set; empty by default

private:
    detail::Owned<emissary::ema::LoginMsgCredentialRenewalImpl> impl_;
};

}  // namespace refinitiv::ema::access
