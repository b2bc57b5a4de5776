// Supplies OAuth 2 credentials when a token is due (ema-api.md section 12).
#pragma once

#include "Access/Include/Common.h"

namespace refinitiv::ema::access {

class OmmConsumerEvent;

/// Supplies OAuth 2 credentials so that the library need not keep them. Constructors of OmmConsumer accept one; this
/// release has no session management and never calls it.
class EMA_ACCESS_API OmmOAuth2ConsumerClient {
public:
    /// Answer with OmmConsumer::renewOAuth2Credentials() before returning. The default body does nothing.
    virtual void onCredentialRenewal(const OmmConsumerEvent& consumerEvent);
    OmmOAuth2ConsumerClient(const OmmOAuth2ConsumerClient&) = delete;
    OmmOAuth2ConsumerClient& operator=(const OmmOAuth2ConsumerClient&) = delete;

protected:
    OmmOAuth2ConsumerClient() noexcept;
    virtual ~OmmOAuth2ConsumerClient();
};

}  // namespace refinitiv::ema::access
