// Supplies login credentials when they run out (ema-api.md section 12).
#pragma once

#include "Access/Include/Common.h"

namespace refinitiv::ema::access {

class OmmConsumerEvent;

/// Supplies login credentials when they run out; argument of OmmConsumerConfig::addLoginMsgCredential(), which this
/// release refuses: never called.
class EMA_ACCESS_API OmmLoginCredentialConsumerClient {
public:
    /// Answer with OmmConsumer::renewLoginCredentials() before returning. The default body does nothing.
    virtual void onLoginCredentialRenewal(const OmmConsumerEvent& consumerEvent);
    OmmLoginCredentialConsumerClient(const OmmLoginCredentialConsumerClient&) = delete;
    OmmLoginCredentialConsumerClient& operator=(const OmmLoginCredentialConsumerClient&) = delete;

protected:
    OmmLoginCredentialConsumerClient() noexcept;
    virtual ~OmmLoginCredentialConsumerClient();
};

}  // namespace refinitiv::ema::access
