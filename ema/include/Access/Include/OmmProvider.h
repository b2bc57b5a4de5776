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
struct ProviderAccess;
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

/// Serves consumers on a port (OmmIProviderConfig) or publishes to a server (OmmNiProviderConfig). All members may be
/// called from any thread and from callbacks. Not to be destroyed inside its own callback.
class EMA_ACCESS_API OmmProvider {
public:
    virtual ~OmmProvider();
    OmmProvider(const OmmProvider&) = delete;
    OmmProvider& operator=(const OmmProvider&) = delete;
    enum DispatchTimeout { InfiniteWaitEnum = -1, NoWaitEnum = 0 };
    enum DispatchReturn { TimeoutEnum = -1, DispatchedEnum = 0 };
    OmmProvider(const OmmProviderConfig& config);
    OmmProvider(const OmmProviderConfig& config, OmmProviderClient& client, void* closure = 0);
    OmmProvider(const OmmProviderConfig& config, OmmProviderErrorClient& errorclient);
    OmmProvider(const OmmProviderConfig& config, OmmProviderClient& client, OmmProviderErrorClient& errorclient,
                void* closure = 0);
    const EmaString& getProviderName() const;
    OmmProviderConfig::ProviderRole getProviderRole() const;
    UInt64 registerClient(const ReqMsg& reqMsg, OmmProviderClient& client, void* closure = 0);
    void reissue(const ReqMsg& reqMsg, UInt64 handle);
    void submit(const GenericMsg& genericMsg, UInt64 handle);
    void submit(const RefreshMsg& refreshMsg, UInt64 handle);
    void submit(const UpdateMsg& updateMsg, UInt64 handle);
    void submit(const StatusMsg& statusMsg, UInt64 handle);
    Int64 dispatch(Int64 timeOut = NoWaitEnum);
    void unregister(UInt64 handle);
    void submit(const AckMsg& ackMsg, UInt64 handle);
    void getConnectedClientChannelInfo(EmaVector<ChannelInformation>&);
    void getConnectedClientChannelStats(UInt64 clientHandle, ChannelStatistics& cs);
    void getChannelInformation(ChannelInformation&);
    /// An addition to the API, for non-interactive providers: the counters of the active channel.
    /// OmmInvalidUsageException: NoActiveChannelEnum without one, InvalidOperationEnum on an interactive provider.
    void getChannelStatistics(ChannelStatistics&);
    void modifyIOCtl(Int32 code, Int32 value, UInt64 handle = 0);
    void closeChannel(UInt64 clientHandle);
    void submit(const PackedMsg& packedMsg);

private:
    friend class PackedMsg;
    friend struct emissary::ema::ProviderAccess;
    std::unique_ptr<emissary::ema::ProviderImpl> impl_;
};

}  // namespace refinitiv::ema::access
