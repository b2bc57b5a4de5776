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
struct ConsumerDictionaryAccess;
struct MetricsAccess;
struct TunnelAccess;
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

/// Connects, logs in, gets directory and dictionaries, then opens items and delivers their messages to clients
/// (ema-api.md 6.1, session.md sections 2 to 4, 6).
/// Threads: every member may be called from any thread and inside callbacks. Callbacks come one at a time, from the
/// library's thread (ApiDispatchEnum) or from inside dispatch() (UserDispatchEnum).
/// Errors: with an error client, OmmInvalidUsageException, OmmInvalidHandleException, OmmInaccessibleLogFileException,
/// OmmMemoryExhaustionException, OmmSystemException and OmmJsonConverterException go to its callbacks, inside the
/// failing call, and are not thrown; the others always are.
/// Ownership: configuration and messages are copied; clients are not owned and must outlive the consumer, or at least
/// the streams they were given for.
class EMA_ACCESS_API OmmConsumer {
public:
    /// Stops the threads, closes all streams and disconnects; no callback comes afterwards. Waits for calls of
    /// dispatch() in other threads. Not to be called inside the consumer's own callbacks.
    virtual ~OmmConsumer();
    OmmConsumer(const OmmConsumer&) = delete;
    OmmConsumer& operator=(const OmmConsumer&) = delete;
    /// What to pass to dispatch() besides a wait in microseconds.
    enum DispatchTimeout { InfiniteWaitEnum = -1, NoWaitEnum = 0 };
    enum DispatchReturn { TimeoutEnum = -1, DispatchedEnum = 0 };  ///< what dispatch() returns
    /// Reads the configuration, connects, logs in, and gets directory and dictionaries; returns when all of that is
    /// done, and blocks until then. Callbacks for the admin client come on the calling thread meanwhile.
    /// The configured time limits end the wait: LoginRequestTimeOut, DirectoryRequestTimeOut and
    /// DictionaryRequestTimeOut throw OmmInvalidUsageException with the code of that name; a closed login gives
    /// LoginRequestRejectedEnum, no further attempt to connect NoActiveChannelEnum. An unusable configuration throws
    /// OmmInvalidConfigurationException, a log file that cannot be opened OmmInaccessibleLogFileException. After a
    /// failure that was reported to an error client, every call reports InvalidOperationEnum.
    /// `client` and `adminClient` receive the login stream and what OmmConsumerConfig::addAdminMsg() asked for, with
    /// `closure` in the events. An OmmOAuth2ConsumerClient is asked for the password, secret or key of the
    /// configuration once these have been used: they are overwritten then (ema-api.md section 12). Channels with
    /// EnableSessionManagement fetch a token first, and look up their endpoint when it is not configured; a refusal of
    /// the first such channel is thrown.
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
    /// The configured name with the number of the instance in this process: `Consumer_1_1`. Valid as long as the
    /// consumer.
    const EmaString& getConsumerName() const;
    /// Opens a stream and returns its handle; what happens later comes to `client`, with `closure` in the events. The
    /// request is copied.
    /// Login, directory and dictionary requests are served from the streams that the consumer has anyway; a batch gives
    /// the handle that its items have as parent. A service that is unknown or down is no error: a status says so, and
    /// recovery goes on. `parentHandle`: a tunnel stream to open it in (tunnel.md 9.3), or 0.
    /// Throws OmmInvalidHandleException for a parent handle, OmmInvalidUsageException for a request that can never
    /// succeed (InvalidArgumentEnum for an unknown service list or a dictionary without name), for a service named by
    /// id and by name at once, and when the consumer did not start. Returns 0 if an error client got the fault.
    UInt64 registerClient(const ReqMsg& reqMsg, OmmConsumerClient& client, void* closure = 0, UInt64 parentHandle = 0);
    /// Opens a tunnel stream; statuses on its handle say how it fares (tunnel.md 9.2). Throws OmmInvalidUsageException.
    UInt64 registerClient(const TunnelStreamRequest& tunnelStreamRequest, OmmConsumerClient& client, void* closure = 0);
    /// Changes an open stream: priority, view, pause and resume, interest. Key and private flag stay as they were
    /// opened. Throws OmmInvalidHandleException for a handle that is not open, OmmInvalidUsageException for a batch, a
    /// finished symbol list, a dictionary served from memory or another domain.
    void reissue(const ReqMsg& reqMsg, UInt64 handle);
    /// Sends a message on an established stream, or on the login or directory stream, before it returns: into the
    /// output buffers at least. Throws OmmInvalidHandleException for a handle that is not open,
    /// OmmInvalidUsageException for a stream that is not established (FailureEnum), for full output buffers
    /// (NoBuffersEnum: try again later) and for a message that cannot be encoded, and OmmJsonConverterException for one
    /// that JSON cannot carry.
    void submit(const GenericMsg& genericMsg, UInt64 handle);
    /// Posts on an item (its handle; name and service not needed) or off-stream (the login handle; name and service
    /// needed). Throws as above, and OmmInvalidUsageException when an ack is asked for without a post id, when that id
    /// still waits for its ack, or when MaxOutstandingPosts are waiting.
    void submit(const PostMsg& postMsg, UInt64 handle);
    /// With UserDispatchEnum: reads, and makes the callbacks that are due, up to MaxDispatchCountUserThread messages;
    /// waits up to `dispatchTimeout` microseconds for the first one, 0 = not at all, -1 = until there is one. Returns
    /// DispatchedEnum when a message was handled, else TimeoutEnum. Throws what a callback threw. With ApiDispatchEnum,
    /// and inside a callback, it does nothing and returns TimeoutEnum.
    Int64 dispatch(Int64 dispatchTimeout = NoWaitEnum);
    /// Closes a stream; an unknown handle is ignored. On the dispatching thread no callback for the handle starts
    /// afterwards; on others one that is running may still end. The handle of a batch throws
    /// OmmInvalidUsageException/InvalidArgument: close its items one by one.
    void unregister(UInt64 handle);
    /// Fills in what is known of the connection in use; ChannelState::ClosedEnum without one.
    void getChannelInformation(ChannelInformation&);
    /// Fills in the counters of the connection in use; throws OmmInvalidUsageException/NoActiveChannel without one.
    void getChannelStatistics(ChannelStatistics&);
    /// Changes an option of the connection in use: IOCtlCode. A code or value that cannot be used throws
    /// OmmInvalidUsageException/InvalidArgument, a system call that fails FailureEnum, no connection
    /// NoActiveChannelEnum.
    void modifyIOCtl(Int32 code, Int32 value);
    /// Switches the REST log to a file, or to the callback, on (1) or off (0): IOCtlReactorCode. Another code or value
    /// throws OmmInvalidUsageException/InvalidArgument.
    void modifyReactorIOCtl(Int32 code, Int32 value);
    /// Inside OmmOAuth2ConsumerClient::onCredentialRenewal(): what to ask for a token with; what is not set stays as it
    /// was configured. Copied. Throws OmmInvalidUsageException/InvalidOperation anywhere else, and InvalidArgument
    /// without password (V1) or client secret or JWK (V2), or with another user name.
    void renewOAuth2Credentials(OAuth2CredentialRenewal&);
    /// One entry for each session channel, in the order of the configuration; empty without request routing.
    void getSessionInformation(EmaVector<ChannelInformation>& information);
    /// Changes IOCtlReactorChannelCode options: ReactorChannelDirectWrite takes a pointer to an Int32 (0 = off),
    /// ReactorChannelPreferredHost one to PreferredHostOptions, which are checked and copied. A null pointer, another
    /// code, or options that name unknown channels throw OmmInvalidUsageException/InvalidArgument.
    void modifyReactorChannelIOCtl(Int32 code, void* value);
    /// Inside OmmLoginCredentialConsumerClient::onLoginCredentialRenewal(): who logs in now; what is not set stays as
    /// it was. Copied. Throws OmmInvalidUsageException/InvalidOperation anywhere else.
    void renewLoginCredentials(LoginMsgCredentialRenewal& credentials);
    /// Returns to the preferred host as soon as it answers; does nothing while it is in use. Throws
    /// OmmInvalidUsageException/InvalidOperation when the feature is off for every session.
    void fallbackPreferredHost();

private:
    friend struct emissary::ema::ConsumerDictionaryAccess;
    friend struct emissary::ema::MetricsAccess;
    friend struct emissary::ema::TunnelAccess;
    std::unique_ptr<emissary::ema::ConsumerImpl> impl_;
};

}  // namespace refinitiv::ema::access
