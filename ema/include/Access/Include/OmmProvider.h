// Interactive and non-interactive provider (ema-api.md 7.1).
#pragma once

#include "Access/Include/EmaString.h"
#include "Access/Include/EmaVector.h"
#include "Access/Include/OmmProviderClient.h"
#include "Access/Include/OmmProviderConfig.h"
#include "Access/Include/OmmProviderErrorClient.h"
#include "Access/Include/OmmProviderEvent.h"

#include <memory>

namespace emissary::ema {
class ProviderImpl;
struct MetricsAccess;
struct OutputAccess;
struct ProviderAccess;
struct TunnelAccess;
}  // namespace emissary::ema

namespace refinitiv::ema::access {

class ReqMsg;
class GenericMsg;
class RefreshMsg;
class UpdateMsg;
class StatusMsg;
class AckMsg;
class PackedMsg;
class ChannelInformation;
class ChannelStatistics;

/// Serves consumers on a port (interactive: OmmIProviderConfig; session.md section 5) or publishes to a server
/// (non-interactive: OmmNiProviderConfig; session.md section 7). See ema-api.md 7.1 for the table of both.
/// Threads: every member may be called from any thread and inside callbacks, which come one at a time, from the
/// library's thread (ApiDispatchEnum) or from inside dispatch() (UserDispatchEnum).
/// Errors and ownership are those of OmmConsumer: an error client hears of usage, handle, log file, memory, system and
/// conversion errors instead of an exception; messages are copied or sent before the call returns; clients are not
/// owned and must outlive the provider.
class EMA_ACCESS_API OmmProvider {
public:
    /// Stops the threads and disconnects; no callback comes afterwards. Waits for calls of dispatch() in other threads.
    /// Not to be called inside the provider's own callbacks.
    virtual ~OmmProvider();
    OmmProvider(const OmmProvider&) = delete;
    OmmProvider& operator=(const OmmProvider&) = delete;
    /// What to pass to dispatch() besides a wait in microseconds.
    enum DispatchTimeout { InfiniteWaitEnum = -1, NoWaitEnum = 0 };
    enum DispatchReturn { TimeoutEnum = -1, DispatchedEnum = 0 };  ///< what dispatch() returns
    /// Interactive: binds the port and returns. Non-interactive: connects, logs in and publishes the configured
    /// directory, and blocks until then; LoginRequestTimeOut ends the wait.
    /// Throws OmmInvalidConfigurationException for an unusable configuration, OmmInaccessibleLogFileException for a log
    /// file that cannot be opened, OmmInvalidUsageException for a port that is taken (FailureEnum), a login that is
    /// refused or not answered (LoginRequestRejectedEnum, LoginRequestTimeOutEnum), no further attempt to connect
    /// (NoActiveChannelEnum), dictionary files or a directory refresh that cannot be used. After a failure that an
    /// error client got, every call reports InvalidOperationEnum.
    /// `client` receives requests and posts (interactive) or the login stream and what the server sends on items
    /// (non-interactive), with `closure` in the events.
    OmmProvider(const OmmProviderConfig& config);
    OmmProvider(const OmmProviderConfig& config, OmmProviderClient& client, void* closure = 0);
    OmmProvider(const OmmProviderConfig& config, OmmProviderErrorClient& errorclient);
    OmmProvider(const OmmProviderConfig& config, OmmProviderClient& client, OmmProviderErrorClient& errorclient,
                void* closure = 0);
    /// The configured name with the number of the instance in this process: `Provider_1_1`. Valid as long as the
    /// provider.
    const EmaString& getProviderName() const;
    OmmProviderConfig::ProviderRole getProviderRole() const;  ///< from the class of the configuration
    /// Opens a stream of the provider's own and returns its handle; answers come to `client`. Interactive:
    /// dictionaries, from a client that is logged in (NoActiveChannelEnum without one). Non-interactive: login and
    /// dictionaries. Anything else throws OmmInvalidUsageException/InvalidArgument. Returns 0 if an error client got
    /// the fault.
    UInt64 registerClient(const ReqMsg& reqMsg, OmmProviderClient& client, void* closure = 0);
    /// Changes such a stream; OmmInvalidHandleException for a handle that registerClient() did not return or that has
    /// ended.
    void reissue(const ReqMsg& reqMsg, UInt64 handle);
    /// Sends a message: into the output buffers at least, before it returns. Interactive: `handle` is event.getHandle()
    /// of an open request; 0 reaches every client, for refreshes and statuses of login, directory and dictionary and
    /// for updates of the directory. Non-interactive: `handle` is a number of the application's choice, which the first
    /// refresh ties to its item. The service may be named by name; a final stream state ends the handle.
    /// Throws OmmInvalidHandleException for an update before the refresh, and non-interactive for an unknown or
    /// registered handle; OmmInvalidUsageException for an unknown handle (InvalidArgumentEnum, interactive), an unknown
    /// service (InvalidOperationEnum interactive, InvalidArgumentEnum non-interactive), a directory that is no Map or a
    /// dictionary that is no Series (InvalidArgumentEnum), full output buffers (NoBuffersEnum: try again later), a lost
    /// connection, and a message that cannot be encoded; OmmJsonConverterException for one that JSON cannot carry.
    /// Nothing was sent then.
    void submit(const GenericMsg& genericMsg, UInt64 handle);
    void submit(const RefreshMsg& refreshMsg, UInt64 handle);
    void submit(const UpdateMsg& updateMsg, UInt64 handle);
    void submit(const StatusMsg& statusMsg, UInt64 handle);
    /// With UserDispatchEnum: reads, and makes the callbacks that are due, up to MaxDispatchCountUserThread messages;
    /// waits up to `timeOut` microseconds, 0 = not at all, -1 = until something happens. Returns DispatchedEnum when a
    /// message was handled, else TimeoutEnum. Throws what a callback threw. With ApiDispatchEnum it does nothing and
    /// returns TimeoutEnum.
    Int64 dispatch(Int64 timeOut = NoWaitEnum);
    void unregister(UInt64 handle);  ///< closes a stream of registerClient(); another handle is ignored
    /// Interactive: answers a post on the handle that it came on. With EnforceAckIDValidation an ack id that no
    /// unanswered post has throws OmmInvalidUsageException/InvalidArgument. Non-interactive:
    /// OmmInvalidUsageException/InvalidOperation.
    void submit(const AckMsg& ackMsg, UInt64 handle);
    /// Fills in one entry for each connected client; non-interactive: OmmInvalidUsageException/InvalidOperation.
    void getConnectedClientChannelInfo(EmaVector<ChannelInformation>&);
    /// Fills in the counters of one client, by event.getClientHandle(). An unknown client throws
    /// OmmInvalidUsageException/InvalidArgument; non-interactive: InvalidOperation.
    void getConnectedClientChannelStats(UInt64 clientHandle, ChannelStatistics& cs);
    /// Non-interactive: what is known of the connection in use. Interactive: OmmInvalidUsageException/InvalidOperation.
    void getChannelInformation(ChannelInformation&);
    /// An addition to the API. Non-interactive: the counters of the connection in use,
    /// OmmInvalidUsageException/NoActiveChannel without one. Interactive: OmmInvalidUsageException/InvalidOperation.
    void getChannelStatistics(ChannelStatistics&);
    /// Changes an option of a connection: IOCtlCode. Interactive: of the client that `handle` names (a client handle or
    /// one of its items). Non-interactive: of the connection in use; `handle` is ignored. Throws
    /// OmmInvalidUsageException: InvalidArgumentEnum for client, code or value, FailureEnum for a system call,
    /// NoActiveChannelEnum.
    void modifyIOCtl(Int32 code, Int32 value, UInt64 handle = 0);
    /// Disconnects a client, by event.getClientHandle(); onClose() comes for its login. An unknown client throws
    /// OmmInvalidUsageException/InvalidArgument; non-interactive: InvalidOperation.
    void closeChannel(UInt64 clientHandle);
    /// Sends a pack as one transport message and empties it. Throws OmmInvalidUsageException: InvalidOperationEnum for
    /// an empty pack, NoBuffersEnum (the pack stays: try again later), NoActiveChannelEnum when the connection that it
    /// was begun for is gone (the pack is released).
    void submit(const PackedMsg& packedMsg);

private:
    friend class PackedMsg;
    friend struct emissary::ema::MetricsAccess;
    friend struct emissary::ema::OutputAccess;
    friend struct emissary::ema::ProviderAccess;
    friend struct emissary::ema::TunnelAccess;
    std::unique_ptr<emissary::ema::ProviderImpl> impl_;
};

}  // namespace refinitiv::ema::access
