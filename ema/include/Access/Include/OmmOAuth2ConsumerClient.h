// Supplies OAuth 2 credentials when a token is due (ema-api.md section 12).
#pragma once

#include "Access/Include/Common.h"

namespace refinitiv::ema::access {

class OmmConsumerEvent;

/// Supplies OAuth 2 credentials so that the library need not keep them. Given to a constructor of
/// OmmConsumer or to OmmConsumerConfig::addOAuth2Credential(); called on the dispatching thread before each password or
/// client-credentials grant but the first, with the channel in ChannelInformation.
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
