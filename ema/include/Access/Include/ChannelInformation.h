// What is known of one connection (ema-api.md section 9).
#pragma once

#include "Access/Include/EmaString.h"

#include <memory>

namespace emissary::ema {
struct ChannelInformationImpl;
}

namespace refinitiv::ema::access {

class PreferredHostInfo;

/// A snapshot; copyable. Not thread safe.
class EMA_ACCESS_API ChannelInformation {
public:
    enum ChannelState { ClosedEnum = -1, InactiveEnum = 0, InitializingEnum = 1, ActiveEnum = 2 };
    enum ConnectionType {
        Unidentified = -1,
        SocketEnum = 0,
        EncryptedEnum = 1,
        HttpEnum = 2,
        Unidir_ShmemEnum = 3,
        Reliable_McastEnum = 4,
        Ext_Line_SocketEnum = 5,
        Seq_McastEnum = 6,
        WebSocketEnum = 7
    };
    enum ProtocolType { UnknownEnum = -1, RwfEnum = 0, RsslJsonEnum = 2 };
    enum CompressionType { NoneEnum = 0x00, ZLIBEnum = 0x01, LZ4Enum = 0x02 };
    ChannelInformation(const ChannelInformation& other);
    ChannelInformation& operator=(const ChannelInformation& other);
    virtual ~ChannelInformation();
    ChannelInformation();
    ChannelInformation(const EmaString& connectedComponentInfo, const EmaString& hostname, const EmaString& ipAddress,
                       const ChannelState channelState, const ConnectionType connectionType,
                       const ProtocolType protocolType, const UInt32 majorVersion, const UInt32 minorVersion,
                       const UInt32 pingTimeout);
    void clear();
    const EmaString& getConnectedComponentInfo() const;
    const EmaString& getHostname() const;
    UInt16 port() const;
    const EmaString& getIPaddress() const;
    ChannelState getChannelState() const;
    ConnectionType getConnectionType() const;
    ProtocolType getProtocolType() const;
    UInt32 getMajorVersion() const;
    UInt32 getMinorVersion() const;
    UInt32 getPingTimeout() const;
    UInt32 getMaxFragmentSize() const;
    UInt32 getMaxOutputBuffers() const;
    UInt32 getGuaranteedOutputBuffers() const;
    UInt32 getNumInputBuffers() const;
    UInt32 getSysSendBufSize() const;
    UInt32 getSysRecvBufSize() const;
    CompressionType getCompressionType() const;
    UInt32 getCompressionThreshold() const;
    UInt64 getEncryptionProtocol() const;
    const EmaString& toString() const;
    operator const char*() const;
    ChannelInformation& hostname(const EmaString& hostname);
    ChannelInformation& port(const UInt16 port);
    ChannelInformation& ipAddress(const EmaString& ipAddress);
    ChannelInformation& connectedComponentInfo(const EmaString& connectedComponentInfo);
    ChannelInformation& channelState(ChannelState channelState);
    ChannelInformation& connectionType(ConnectionType connectionType);
    ChannelInformation& protocolType(ProtocolType protocolType);
    ChannelInformation& majorVersion(UInt32 majorVersion);
    ChannelInformation& minorVersion(UInt32 minorVersion);
    ChannelInformation& pingTimeout(UInt32 pingTimeout);
    ChannelInformation& maxFragmentSize(UInt32 maxFragmentSize);
    ChannelInformation& maxOutputBuffers(UInt32 maxOutputBuffers);
    ChannelInformation& guaranteedOutputBuffers(UInt32 guaranteedOutputBuffers);
    ChannelInformation& numInputBuffers(UInt32 numInputBuffers);
    ChannelInformation& sysSendBufSize(UInt32 sysSendBufSize);
    ChannelInformation& sysRecvBufSize(UInt32 sysRecvBufSize);
    ChannelInformation& compressionType(UInt32 compressionType);
    ChannelInformation& compressionThreshold(UInt32 compressionThreshold);
    ChannelInformation& encryptionProtocol(UInt64 encryptionProtocol);
    EmaString getName() const;         ///< the configured channel
    EmaString getSessionName() const;  ///< the session channel, empty without request routing
    ChannelInformation& name(const EmaString& name);
    ChannelInformation& sessionName(const EmaString& sessionName);
    const PreferredHostInfo& getPreferredHostInfo() const;  ///< defaults (disabled) without a preferred host
    /// toString() shows the preferred host once it was set.
    ChannelInformation& preferredHostInfo(const PreferredHostInfo& info);

private:
    std::unique_ptr<emissary::ema::ChannelInformationImpl> impl_;
};

}  // namespace refinitiv::ema::access
