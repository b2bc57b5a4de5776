// Credentials given inside onLoginCredentialRenewal() (ema-api.md section 12).
#pragma once

#include "Access/Include/EmaBuffer.h"
#include "Access/Include/EmaString.h"
#include "Access/Include/detail/Owned.h"

namespace emissary::ema {
struct LoginMsgCredentialRenewalImpl;
}

namespace refinitiv::ema::access {

/// Argument of OmmConsumer::renewLoginCredentials(). Setters copy. Copyable. Not thread safe.
class EMA_ACCESS_API LoginMsgCredentialRenewal {
public:
    LoginMsgCredentialRenewal();
    LoginMsgCredentialRenewal(const LoginMsgCredentialRenewal& other);
    LoginMsgCredentialRenewal& operator=(const LoginMsgCredentialRenewal& other);
    virtual ~LoginMsgCredentialRenewal();
    LoginMsgCredentialRenewal& clear();
    LoginMsgCredentialRenewal& userName(EmaString& userName);
    LoginMsgCredentialRenewal& authenticationExtended(EmaBuffer& authenticationExtended);
    const EmaString& getUserName();
    const EmaBuffer& getAuthenticationExtended();

private:
    detail::Owned<emissary::ema::LoginMsgCredentialRenewalImpl> impl_;
};

}  // namespace refinitiv::ema::access
