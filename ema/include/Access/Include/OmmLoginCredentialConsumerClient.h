// Supplies login credentials when they run out (ema-api.md section 12).
#pragma once

#include "Access/Include/Common.h"

namespace refinitiv::ema::access {

class OmmConsumerEvent;

/// Supplies login credentials before each attempt to connect; argument of OmmConsumerConfig::addLoginMsgCredential().
/// Called on the dispatching thread, with the channel in ChannelInformation.
class EMA_ACCESS_API OmmLoginCredentialConsumerClient {
public:
    /// OmmConsumer::renewLoginCredentials() may be called before returning; the login goes on either way. The default
    /// body does nothing.
    virtual void onLoginCredentialRenewal(const OmmConsumerEvent& consumerEvent);
    OmmLoginCredentialConsumerClient(const OmmLoginCredentialConsumerClient&) = delete;
    OmmLoginCredentialConsumerClient& operator=(const OmmLoginCredentialConsumerClient&) = delete;

protected:
    OmmLoginCredentialConsumerClient() noexcept;
    virtual ~OmmLoginCredentialConsumerClient();
};

}  // namespace refinitiv::ema::access
