// Consumer (ema-api.md 6.1).
#pragma once

#include "Access/Include/EmaString.h"
#include "Access/Include/EmaVector.h"
#include "Access/Include/OmmConsumerClient.h"
#include "Access/Include/OmmConsumerConfig.h"
#include "Access/Include/OmmConsumerErrorClient.h"
#include "Access/Include/OmmConsumerEvent.h"

#include <memory>

namespace emissary::ema {
class ConsumerImpl;
}  // namespace emissary::ema

namespace refinitiv::ema::access {

class ReqMsg;
class GenericMsg;
class PostMsg;
class TunnelStreamRequest;
class ChannelInformation;
class ChannelStatistics;
class OAuth2CredentialRenewal;
class LoginMsgCredentialRenewal;
class OmmOAuth2ConsumerClient;

/// Connects, logs in, gets directory and dictionaries (all in the constructor, which blocks), then opens items.
/// All members may be called from any thread and from callbacks. The destructor stops the threads and disconnects; no
/// callback comes afterwards. Not to be destroyed inside its own callback.
class EMA_ACCESS_API OmmConsumer {
public:
    virtual ~OmmConsumer();
    OmmConsumer(const OmmConsumer&) = delete;
    OmmConsumer& operator=(const OmmConsumer&) = delete;
    enum DispatchTimeout { InfiniteWaitEnum = -1, NoWaitEnum = 0 };
    enum DispatchReturn { TimeoutEnum = -1, DispatchedEnum = 0 };
    OmmConsumer(const OmmConsumerConfig& config);
    OmmConsumer(const OmmConsumerConfig& config, OmmConsumerClient& client, void* closure = 0);
    OmmConsumer(const OmmConsumerConfig& config, OmmOAuth2ConsumerClient& oAuthClient, void* closure = 0);
    OmmConsumer(const OmmConsumerConfig& config, OmmOAuth2ConsumerClient& oAuthClient,
                OmmConsumerErrorClient& errorClient, void* closure = 0);
    OmmConsumer(const OmmConsumerConfig& config, OmmConsumerErrorClient& client);
    OmmConsumer(const OmmConsumerConfig& config, OmmConsumerClient& adminClient, OmmOAuth2ConsumerClient& oAuthClient,
                void* closure = 0);
    OmmConsumer(const OmmConsumerConfig& config, OmmConsumerClient& adminClient, OmmConsumerErrorClient& errorClient,
                void* closure = 0);
    OmmConsumer(const OmmConsumerConfig& config, OmmConsumerClient& adminClient, OmmOAuth2ConsumerClient& oAuthClient,
                OmmConsumerErrorClient& errorClient, void* closure = 0);
    const EmaString& getConsumerName() const;
    UInt64 registerClient(const ReqMsg& reqMsg, OmmConsumerClient& client, void* closure = 0, UInt64 parentHandle = 0);
    UInt64 registerClient(const TunnelStreamRequest& tunnelStreamRequest, OmmConsumerClient& client, void* closure = 0);
    void reissue(const ReqMsg& reqMsg, UInt64 handle);
    void submit(const GenericMsg& genericMsg, UInt64 handle);
    void submit(const PostMsg& postMsg, UInt64 handle);
    Int64 dispatch(Int64 dispatchTimeout = NoWaitEnum);
    void unregister(UInt64 handle);
    void getChannelInformation(ChannelInformation&);
    void getChannelStatistics(ChannelStatistics&);
    void modifyIOCtl(Int32 code, Int32 value);
    void modifyReactorIOCtl(Int32 code, Int32 value);
    void renewOAuth2Credentials(OAuth2CredentialRenewal&);
    /// One entry per session channel; empty without request routing.
    void getSessionInformation(EmaVector<ChannelInformation>& information);
    void modifyReactorChannelIOCtl(Int32 code, void* value);
    void renewLoginCredentials(LoginMsgCredentialRenewal& credentials);  ///< only inside onLoginCredentialRenewal
    void fallbackPreferredHost();

private:
    std::unique_ptr<emissary::ema::ConsumerImpl> impl_;
};

}  // namespace refinitiv::ema::access
